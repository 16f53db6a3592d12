"""Designs in code: place cores, wire them up with automatic routes, set speeds.

For references, tests, generators and the game::

    b = Builder(level, name="one adder")
    a, out = b.pad("a"), b.pad("out")
    add = b.place("add", (5, 2), b=10)
    b.wire(a.value, add.a, every_ns=5)
    b.wire(add.out, out.value, speed="1/5")
    design = b.design()

Every call is checked at once and raises :class:`engine.errors.UsageError`; what only the whole can show (a missing
input, a loop without a token) is left to :func:`engine.elaborate.elaborate`. The same calls give the same design.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from pydantic import BaseModel, ValidationError

from engine.board import Board, Tile
from engine.catalog import CORES, Port
from engine.errors import UsageError
from engine.handles import Handle, Line, PortRef
from engine.model import WIRE_PHYSICS, CoreSpec, Design, Level, ShieldSpec, WireSpec
from engine.parts import Part, PartReader, has_lanes
from engine.problems import Problems, listed, suggest
from engine.route import NoRoute, Tracks, corners, route, tiles_of
from engine.widths import Widths

if TYPE_CHECKING:
    from engine.match import Skipped
    from engine.room import Room

Speed = int | float | str | Fraction
"""Tiles per ns: a number, or "1/3"; 0 is stopped."""


_ModelT = TypeVar("_ModelT", bound=BaseModel)


_NEARBY = 16
"""Free tiles that are tried for a core that is put on a wire's way."""


class Builder:
    """A design for ``level`` in the making. See the module's text."""

    def __init__(self, level: Level, name: str = "", note: str = "") -> None:
        self.level = level
        self.name = name
        self.note = note
        self.lines: list[Line] = []
        self.shields: list[ShieldSpec] = []
        self._board = Board.of(level)
        self._tracks = Tracks.of(level.board)
        self._specs: dict[str, CoreSpec] = {}
        self._pads: dict[str, dict[str, Any]] = {}
        self._parts: dict[str, Part] = {}
        self._from: dict[str, list[Line]] = {}
        self._into: dict[str, list[Line]] = {}
        self._widths = Widths(self._parts, self._into, level.threads)
        for pad in level.pads:
            self._read_pad(pad.id)

    @classmethod
    def of(cls, level: Level, design: Design) -> Builder:
        """A builder that goes on from a finished design. Raises UsageError where the design does not fit the level."""
        builder = cls(level, design.name, design.note)
        for pad, settings in design.pads.items():
            builder.pad(pad, **settings)
        for core in design.cores:
            builder.place(core.core, core.at, core.id, **core.set)
        for wire in design.wires:
            builder._lay(wire.model_copy(deep=True), tiles_of(wire.path))
        for shield in design.shields:
            builder.shield(*shield.path, track=shield.track)
        return builder

    # --- cores and pads ----------------------------------------------------------------------------------------

    def place(self, core: str, at: Sequence[int], id: str | None = None, **set: Any) -> Handle:
        """Put a core on a free tile [column, row]; ``set`` holds its settings and immediates.

        Without ``id`` it is called by its type and the least free number: add1, mul_serial2.
        """
        kind = CORES.get(core)
        if kind is None or kind.family == "pad":
            placeable = [c.name for c in CORES.values() if c.family != "pad"]
            raise UsageError(f"there is no core '{core}' to place: {suggest(core, placeable)}")
        name = id or self._free_name(core)
        if name in self._parts:
            raise UsageError(f"{name} exists already: give the new core another id")
        spec = _checked(CoreSpec, id=name, core=core, at=tuple(at), set=_settings(set))
        problems = Problems()
        self._board.place(name, "core", spec.at, (), problems)
        self._refuse(problems)
        for line in self.lines:
            if spec.at in line.tiles:
                del self._board.elements[spec.at]
                raise UsageError(f"{name} would stand at {list(spec.at)} on the wire {line}: remove the wire first")
        try:
            self._read_core(spec)
        except UsageError:
            del self._board.elements[spec.at]
            raise
        self._specs[name] = spec
        return Handle(name)

    def pad(self, name: str, **set: Any) -> Handle:
        """The level's pad ``name``; ``set`` holds immediates and word choices of its ports."""
        self._part(name)
        if name in self._specs:
            raise UsageError(f"{name} is a core, not a pad of the level")
        if set:
            self.set(name, **set)
        return Handle(name)

    def handle(self, name: str) -> Handle:
        """The core or pad called ``name``."""
        self._part(name)
        return Handle(name)

    def set(self, element: Handle | str, **set: Any) -> None:
        """Change settings, immediates and word choices; None takes one back."""
        part = self._part(str(element))
        spec = self._specs.get(part.id)
        before = spec.set if spec else self._pads.get(part.id, {})
        merged = {**before, **_settings(set)}
        checked = _checked(
            CoreSpec,
            id=part.id,
            core=part.core.name,
            at=part.at,
            set={k: v for k, v in merged.items() if v is not None},
        )
        if spec:
            self._read_core(checked)
            self._specs[part.id] = checked
        else:
            self._pads[part.id] = checked.set
            try:
                self._read_pad(part.id)
            except UsageError:
                self._pads[part.id] = before
                raise
        self._count_tracks(part.id)

    def immediate(self, port: PortRef | str, value: Any) -> None:
        """Give an input port an immediate: a number, or a list for a packet of several words."""
        element, name = self._input(port)
        self.set(element.id, **{name: value})

    def words(self, port: PortRef | str, *words: int | str) -> None:
        """Choose what an input port takes: words of its packet by number, constants as strings."""
        element, name = self._input(port)
        self.set(element.id, **{name: {"words": list(words)}})

    def remove(self, what: Handle | Line | str) -> None:
        """Take away a wire, or a core with its wires."""
        if isinstance(what, Line):
            self._tracks.remove(what.tiles, what.tracks)
            for lines in self._lists(what):
                lines.remove(what)
            self._count_tracks(what.target)
            return
        name = str(what)
        if name not in self._specs:
            raise UsageError(f"there is no core {name} to remove: {suggest(name, self._specs)}")
        for line in list(self.lines):
            if name in (line.source, line.target):
                self.remove(line)
        del self._board.elements[self._specs.pop(name).at]
        del self._parts[name]

    # --- wires -------------------------------------------------------------------------------------------------

    def wire(
        self,
        source: PortRef | str,
        *to: PortRef | str | Iterable[PortRef | str],
        speed: Speed | None = None,
        every_ns: float | None = None,
        via: Sequence[Sequence[int]] = (),
        length: int | None = None,
        path: Sequence[Sequence[int]] | None = None,
        voltage_mv: int | None = None,
        encoding: str | None = None,
        receiver: str | None = None,
        gap: int | None = None,
        track: int | None = None,
        gate: bool | None = None,
        sleep_after: int | None = None,
        ahead: int | None = None,
    ) -> Line:
        """Lay a wire from an output to one input, or to several of one core.

        It runs at ``speed`` tiles/ns or takes a word ``every_ns``; without either at the level's speed for new
        wires; where the level offers them with ``voltage_mv``, ``encoding``, ``receiver``, ``gap``, ``track``,
        ``gate``, ``sleep_after`` and ``ahead``. Its route is the shortest; by the tiles ``via``; of exactly ``length``
        steps; or along the corners ``path``. Raises UsageError (NoRoute where there is no way).
        """
        ends = [str(end) for item in to for end in ([item] if isinstance(item, PortRef | str) else item)]
        if not ends:
            raise UsageError(f"the wire from {source} leads nowhere: name an input, add1.a")
        self._output(source)
        for end in ends:
            self._input(end)
        every = _every_ticks(self.level.new_wire_speed if speed is None and every_ns is None else speed, every_ns)
        start, target = self._part(str(source).split(".")[0]), self._part(ends[0].split(".")[0])
        spec = _checked(
            WireSpec,
            **{"from": str(source)},
            to=ends,
            path=[start.at, target.at],
            every_ticks=every,
            voltage_mv=voltage_mv,
            encoding=encoding,
            receiver=receiver,
            gap=gap,
            track=track,
            gate=gate,
            sleep_after=sleep_after,
            ahead=ahead,
        )
        tiles = self._way(spec, via, length, path)
        return self._lay(spec, tiles)

    def shield(self, *path: Sequence[int], track: int) -> ShieldSpec:
        """Lay a shield along these corners. Raises UsageError where the path is none."""
        spec = _checked(ShieldSpec, path=[(x, y) for x, y in path], track=track)
        self._tracks.add(tiles_of(spec.path), 1)
        self.shields.append(spec)
        return spec

    def unshield(self, shield: ShieldSpec) -> None:
        """Take a shield away."""
        self.shields.remove(shield)
        self._tracks.remove(tiles_of(shield.path), 1)

    def physics(self, wire: Line, **settings: Any) -> None:
        """Set what the level's physics lets be set of a wire, ``voltage_mv`` … ``ahead`` of :meth:`wire`; None takes it
        back. Raises UsageError for what is no such setting or no value of it.
        """
        wrong = [name for name in settings if name not in WIRE_PHYSICS]
        if wrong:
            raise UsageError(f"a wire has no setting '{wrong[0]}': {suggest(wrong[0], WIRE_PHYSICS)}")
        spec = _checked(WireSpec, **{**wire.spec.model_dump(by_alias=True), **settings})
        self._tracks.remove(wire.tiles, wire.tracks)
        wire.spec = spec
        self._tracks.add(wire.tiles, wire.tracks)

    def _way(
        self,
        spec: WireSpec,
        via: Sequence[Sequence[int]],
        length: int | None,
        path: Sequence[Sequence[int]] | None,
    ) -> tuple[Tile, ...]:
        """The tiles of a wire between the cores that ``spec`` names."""
        start, target = self._part(spec.start[0]), self._part(spec.ends[0][0])
        if path is not None:
            tiles = tiles_of([(x, y) for x, y in path])
            self._check_path(spec, tiles)
            return tiles
        taken = self._board.blocked | self._board.elements.keys()
        passing = [(x, y) for x, y in via]
        tracks = Line(spec, (), self._widths.of_wire(spec)).tracks
        try:
            return tiles_of(route(self._tracks, taken, start.at, target.at, words=tracks, via=passing, length=length))
        except NoRoute as error:
            raise NoRoute(f"the wire {spec.source} → {', '.join(spec.to)}: {error}", error.next_length) from None

    def _check_path(self, spec: WireSpec, tiles: tuple[Tile, ...]) -> None:
        """Raise UsageError where a path is not one for this wire."""
        name = f"{spec.source} → {', '.join(spec.to)}"
        start, target = self._part(spec.start[0]), self._part(spec.ends[0][0])
        if (tiles[0], tiles[-1]) != (start.at, target.at):
            raise UsageError(f"the path of {name} must lead from {list(start.at)} to {list(target.at)}")
        for tile in tiles[1:-1]:
            barred = self._board.obstacle(tile)
            if barred or not self._board.holds(tile):
                raise UsageError(f"the path of {name} passes {list(tile)}: {barred or 'that is off the board'}")

    def _lay(self, spec: WireSpec, tiles: tuple[Tile, ...]) -> Line:
        self._output(spec.source)
        for end in spec.to:
            self._input(end)
        spec.path = list(corners(tiles))
        self._check_path(spec, tiles)
        line = Line(spec, tiles, self._widths.of_wire(spec))
        self._tracks.add(tiles, line.tracks)
        for lines in self._lists(line):
            lines.append(line)
        self._count_tracks(line.target)
        return line

    def _lists(self, line: Line) -> list[list[Line]]:
        """Every list that a wire stands in."""
        into = [self._into.setdefault(end, []) for end in line.spec.to]
        return [self.lines, self._from.setdefault(line.source, []), *into]

    def reroute(
        self,
        line: Line,
        *,
        via: Sequence[Sequence[int]] = (),
        length: int | None = None,
        path: Sequence[Sequence[int]] | None = None,
    ) -> None:
        """Lay a wire afresh, as :meth:`wire` does. Where there is no way it stays where it was."""
        self._tracks.remove(line.tiles, line.tracks)
        try:
            tiles = self._way(line.spec, via, length, path)
        except UsageError:
            self._tracks.add(line.tiles, line.tracks)
            raise
        line.tiles, line.spec.path = tiles, list(corners(tiles))
        self._tracks.add(tiles, line.tracks)

    def insert(self, core: str, line: Line, id: str | None = None, **set: Any) -> Handle:
        """Put a core with ports in and out on a wire's way, on the free tile nearest to its middle.

        The wire ends there; a new one of the same speed goes on. Where other wires cross every tile of it, the wire is
        led over a free tile nearby. Raises UsageError where there is none.
        """
        crossed = {tile for other in self.lines if other is not line for tile in other.tiles}
        places = [k for k in range(1, line.length) if line.tiles[k] not in crossed]
        if not places:
            self._lead_over_free_tile(core, line, crossed)
            places = [k for k in range(1, line.length) if line.tiles[k] not in crossed]
        place = min(places, key=lambda k: (abs(2 * k - line.length), k))
        tiles, number = line.tiles, self.lines.index(line)
        first, second = line.spec.model_copy(deep=True), line.spec.model_copy(deep=True)
        self.remove(line)
        try:
            handle = self.place(core, tiles[place], id, **set)
        except UsageError:
            self._lay(first, tiles)
            self.lines.insert(number, self.lines.pop())
            raise
        first.to, second.source = [str(handle["in"])], str(handle["out"])
        self._lay(first, tiles[: place + 1])
        self.lines.insert(number, self.lines.pop())
        self._lay(second, tiles[place:])
        return handle

    def _lead_over_free_tile(self, core: str, line: Line, crossed: AbstractSet[Tile]) -> None:
        """Reroute a wire over the tile without core and wire that is nearest to its ends."""
        ends = (line.tiles[0], line.tiles[-1])
        free = [
            (x, y)
            for x in range(self._board.columns)
            for y in range(self._board.rows)
            if (x, y) not in crossed and not self._board.obstacle((x, y))
        ]
        free.sort(key=lambda tile: (sum(abs(tile[0] - x) + abs(tile[1] - y) for x, y in ends), tile))
        for tile in free[:_NEARBY]:
            try:
                return self.reroute(line, via=[tile])
            except NoRoute:
                continue
        raise UsageError(f"there is no free tile near the wire {line} for a {core}: move other wires")

    def match(self, lines: Iterable[Line] | None = None) -> list[Skipped]:
        """Set wires to demand rate (:func:`engine.match.match`); returns those that were left alone."""
        from engine.match import match

        wanted = None if lines is None else [self.lines.index(line) for line in lines]
        design, skipped = match(self.level, self.design(), wanted)
        for line, spec in zip(self.lines, design.wires, strict=True):
            line.spec.every_ticks = spec.every_ticks
        return skipped

    def room(self, join: Handle | str | None = None, how: Literal["wire", "buffer"] = "wire") -> list[Room]:
        """Give the shorter of two roads the room that it lacks (:func:`engine.room.make_room`)."""
        from engine.room import make_room

        return make_room(self, None if join is None else str(join), how)

    def core(self, name: str) -> CoreSpec | None:
        """A placed core as it stands now, None if ``name`` is none."""
        return self._specs.get(name)

    def pad_settings(self, name: str) -> Mapping[str, Any]:
        """What is set of a pad."""
        return self._pads.get(name, {})

    def ports(self, element: Handle | str) -> tuple[tuple[Port, ...], tuple[Port, ...]]:
        """Inputs and outputs of a core or pad with its settings as they are."""
        part = self._part(str(element))
        return part.inputs, part.outputs

    def free_tiles(self) -> AbstractSet[Tile]:
        """The tiles on which a core may be placed."""
        board = {(x, y) for x in range(self._board.columns) for y in range(self._board.rows)}
        return board.difference(self._board.blocked, self._board.elements, *(line.tiles for line in self.lines))

    def find(self, source: PortRef | str, to: PortRef | str | None = None) -> list[Line]:
        """The wires from an output, in order; with ``to`` only those that end at this input."""
        start = str(source).partition("[")[0]
        return [
            line
            for line in self.lines
            if line.spec.source.partition("[")[0] == start and (to is None or str(to) in line.spec.to)
        ]

    def speed(self, wire: Line, speed: Speed | None = None, *, every_ns: float | None = None) -> None:
        """Set a wire's speed in tiles/ns, or the time per word; speed 0 stops it."""
        wire.spec.every_ticks = _every_ticks(speed, every_ns)

    def speed_all(self, speed: Speed | None = None, *, every_ns: float | None = None) -> None:
        """Set the speed of every wire laid so far."""
        every = _every_ticks(speed, every_ns)
        for line in self.lines:
            line.spec.every_ticks = every

    # --- the whole ---------------------------------------------------------------------------------------------

    def design(self) -> Design:
        """The design as it stands, a copy. Raises UsageError where wires overfill a tile edge."""
        for here, there, words in self._tracks.over():
            edge = {here, there}
            crossing = [str(x) for x in self.lines if edge in map(set, pairwise(x.tiles))]
            raise UsageError(
                f"between {list(here)} and {list(there)} there are {words} words on {self.level.board.tracks} tracks: "
                f"{listed(crossing)}; send one another way"
            )
        return Design(
            perwatt=1,
            level=self.level.id,
            name=self.name,
            note=self.note,
            pads={pad: dict(settings) for pad, settings in self._pads.items() if settings},
            cores=[spec.model_copy(deep=True) for spec in self._specs.values()],
            wires=[line.spec.model_copy(deep=True) for line in self.lines],
            shields=[shield.model_copy(deep=True) for shield in self.shields],
        )

    # --- what the calls stand on -------------------------------------------------------------------------------

    def _free_name(self, core: str) -> str:
        stem = core.replace(".", "_")
        number = 1
        while f"{stem}{number}" in self._parts:
            number += 1
        return f"{stem}{number}"

    def _part(self, name: str) -> Part:
        if name not in self._parts:
            raise UsageError(f"there is no core or pad '{name}': {suggest(name, self._parts)}")
        return self._parts[name]

    def _read_core(self, spec: CoreSpec) -> None:
        problems = Problems()
        part = PartReader(self.level, problems).core(0, spec.id, CORES[spec.core], spec.at, (), spec.set)
        self._refuse(problems)
        self._parts[spec.id] = part

    def _read_pad(self, name: str) -> None:
        problems = Problems()
        pad = next(pad for pad in self.level.pads if pad.id == name)
        part = PartReader(self.level, problems).pad(0, pad, self._pads.get(name, {}))
        self._refuse(problems)
        self._parts[name] = part

    @staticmethod
    def _refuse(problems: Problems) -> None:
        if problems.fatal:
            raise UsageError("; ".join(problem.message for problem in problems))

    def _output(self, port: PortRef | str) -> tuple[Part, int]:
        element, name = self._split(str(port).partition("[")[0])
        return element, self._port(element, name, element.outputs, "output")

    def _input(self, port: PortRef | str) -> tuple[Part, str]:
        element, name = self._split(str(port))
        self._port(element, name, element.inputs, "input")
        return element, name

    def _split(self, port: str) -> tuple[Part, str]:
        core, dot, name = port.partition(".")
        if not dot:
            raise UsageError(f"'{port}' names no port: write core.port, add1.a")
        return self._part(core), name

    @staticmethod
    def _port(part: Part, name: str, ports: tuple[Port, ...], what: str) -> int:
        names = [port.name for port in ports]
        if name not in names:
            hint = suggest(name, names) if names else "it has none"
            raise UsageError(f"{part.id} ({part.core.name}) has no {what} '{name}': {hint}")
        return names.index(name)

    # --- tracks --------------------------------------------------------------------------------------------------

    def _count_tracks(self, changed: str) -> None:
        """The width of what leaves ``changed`` may be known only now: count the wires behind it afresh."""
        if has_lanes(self._parts.values()):
            self._recount(self.lines)
            return
        waiting = [changed]
        while waiting:
            waiting += [line.target for line in self._recount(self._from.get(waiting.pop(), ()))]

    def _recount(self, lines: Sequence[Line]) -> list[Line]:
        """Count the tracks of these wires afresh; those with another number now."""
        changed = []
        for line, words in zip(lines, self._widths.of_wires([line.spec for line in lines]), strict=True):
            if words != line.words:
                self._tracks.remove(line.tiles, line.tracks)
                line.words = words
                self._tracks.add(line.tiles, line.tracks)
                changed.append(line)
        return changed


def _checked(model: type[_ModelT], **values: Any) -> _ModelT:
    """A part of a design from plain values; raises UsageError with what its fields refuse."""
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise UsageError(
            "; ".join(
                f"{'.'.join(str(part) for part in found['loc'])}: {found['msg'].removeprefix('Value error, ')}".lstrip(
                    ": "
                )
                for found in error.errors()
            )
        ) from None


def _settings(set: dict[str, Any]) -> dict[str, Any]:
    """As files have them: names without trailing underscores, lists for tuples."""
    return {name.rstrip("_"): list(value) if isinstance(value, tuple) else value for name, value in set.items()}


def _every_ticks(speed: Speed | None, every_ns: float | None) -> int | None:
    """Ticks per word, None for stopped, from one of the two forms; raises UsageError."""
    if (speed is None) == (every_ns is None):
        raise UsageError("give one of speed (tiles/ns) and every_ns (ns per word)")
    given = {"speed": speed} if every_ns is None else {"every_ns": every_ns}
    return _checked(WireSpec, **{"from": "a.b"}, to=["c.d"], path=[(0, 0), (0, 1)], **given).every_ticks
