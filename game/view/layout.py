"""What stands where: elements, ports and wires of a design in tiles, made once per design and used by every zoom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from engine.board import expand
from engine.builder import Builder
from engine.catalog import CORES, CoreType, ports_of
from engine.encodings import tracks_of
from engine.errors import PerwattError
from engine.model import Design, Level, PadSpec, WordChoice
from engine.netlist import Netlist
from engine.tokens import DEFAULT_WORDS, token_width
from game.view.roads import Road, Way, Ways, roads_of
from game.view.shapes import EAST, HALF, WEST, body, edge_of, family_of, reach

Tile = tuple[int, int]
Point = tuple[float, float]

DATA, TOKEN, PREDICATE = 0, 1, 2
"""Kinds of packets: words; threads and addresses; the results of comparisons."""


@dataclass(frozen=True, slots=True)
class Notch:
    """Where a wire meets an element, or would meet it (``wire`` -1). ``side`` points out of the body."""

    element: str
    port: str
    is_input: bool
    wire: int
    x: float
    y: float
    side: Tile


@dataclass(frozen=True, slots=True)
class Body:
    """One pad or core. ``values`` are immediates, ``setting`` the other settings as a short line."""

    id: str
    core: str
    at: Tile
    pad: bool
    towards: Tile
    edge: Tile | None
    settings: tuple[tuple[str, Any], ...]
    values: str
    setting: str
    outline: tuple[Point, ...]


@dataclass(slots=True)
class Layout:
    """Geometry of one design on one level. Lists and arrays about wires and shields are in the design's order."""

    level: Level
    design: Design
    bodies: dict[str, Body]
    roads: list[Road | None]
    shields: list[Road | None]
    ways: Ways
    notches: list[Notch]
    kinds: list[int]
    floats: list[bool]
    at: dict[Tile, str] = field(default_factory=dict)
    wired: set[Tile] = field(default_factory=set)
    """Tiles through which a wire runs, its ends not included."""
    used: dict[tuple[Tile, Tile], int] = field(default_factory=dict)
    """Tracks in use on each tile edge."""
    memo: dict[str, Any] = field(default_factory=dict)
    """What has been worked out from places alone; shared with layouts that differ in speeds only."""


def make_layout(level: Level, design: Design, netlist: Netlist | None = None) -> Layout:
    """The layout of any design that is well formed, whether it can be built or not."""
    towards: dict[str, Tile] = {}
    for wire in design.wires:
        (ax, ay), (bx, by) = wire.path[0], wire.path[1]
        if (ax == bx) != (ay == by):
            towards.setdefault(wire.start[0], ((bx > ax) - (bx < ax), (by > ay) - (by < ay)))
    bodies: dict[str, Body] = {}
    for pad in level.pads:
        edge = edge_of(pad.at, level.board.size)
        facing = towards.get(pad.id, (-edge[0], -edge[1]) if edge else EAST)
        settings = dict(design.pads.get(pad.id, {}))
        bodies[pad.id] = _body(pad.id, pad.core, pad.at, True, facing, edge, settings, pad_pace(pad))
    for core in design.cores:
        if core.id not in bodies:
            bodies[core.id] = _body(
                core.id, core.core, core.at, False, towards.get(core.id, EAST), None, dict(core.set)
            )
    at = {found.at: found.id for found in bodies.values()}

    def trim(tile: Tile, direction: Point, beside: Point) -> float:
        owner = at.get(tile)
        if owner is None:
            return 0.0
        side = (-int(direction[0]), -int(direction[1]))
        return reach(bodies[owner].outline, side, beside[1] if side[0] else beside[0])

    words = wire_words(level, design, netlist)
    counts = [
        tracks_of(n, wire.encoding or "raw", wire.gap or 100) for wire, n in zip(design.wires, words, strict=True)
    ]
    ways = [Way(wire.path, n, wire.track) for wire, n in zip(design.wires, counts, strict=True)]
    ways += [Way(shield.path, 1, shield.track) for shield in design.shields]
    tracks, placed = level.board.tracks, level.physics.crosstalk is not None
    roads = roads_of(ways, tracks, trim, placed)
    roads, shields = roads[: len(design.wires)], roads[len(design.wires) :]
    layout = Layout(level, design, bodies, roads, shields, Ways(roads), [], [], [], at)
    for i, way in enumerate(ways):
        tiles = expand(tuple((int(x), int(y)) for x, y in way.path)) or ()
        if i < len(roads):
            layout.wired.update(tiles[1:-1])
        for here, there in pairwise(tiles):
            edge_key = (min(here, there), max(here, there))
            layout.used[edge_key] = layout.used.get(edge_key, 0) + way.count
    layout.notches = _notches(layout)
    kinds = Kinds(level, design, bodies)
    found_kinds = [kinds.of(*wire.start[:2]) for wire in design.wires]
    layout.kinds = [kind for kind, _ in found_kinds]
    layout.floats = [is_float for _, is_float in found_kinds]
    return layout


def _body(
    name: str,
    core: str,
    at: Tile,
    pad: bool,
    towards: Tile,
    edge: Tile | None,
    settings: dict[str, Any],
    pace: str = "",
) -> Body:
    values, line = labels_of(core, settings)
    line = line or pace
    frozen = tuple(
        (key, value if isinstance(value, int | float | str) else repr(value)) for key, value in settings.items()
    )
    return Body(name, core, at, pad, towards, edge, frozen, values, line, body(core, towards, edge))


# --- text ----------------------------------------------------------------------------------------------------


def number(value: float) -> str:
    """A number for the board: a true minus, no more than six characters where rounding allows."""
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return text.replace("-", "−")


def labels_of(core: str, settings: Mapping[str, Any]) -> tuple[str, str]:
    """(immediates, other settings) of a core as short lines. What the sign already shows is left out."""
    ports = {port.name for port in ports_of_core(core, settings)[0]}
    values, others = [], []
    for key, value in settings.items():
        if isinstance(value, WordChoice) or key in ("op", "dtype"):
            continue
        if key in ports:
            shown = _value(value)
            values.append(shown if key in ("b", "value", "in") else f"{key} {shown}")
        elif isinstance(value, bool):
            others += [key] if value else []
        elif isinstance(value, Mapping):
            others.append(" ".join(f"{name[0]}{n}" for name, n in value.items()))
        else:
            main = key in ("slots", "n", "times", "limits", "words", "mode")
            others.insert(0 if main else len(others), _value(value) if main else f"{key} {_value(value)}")
    return " ".join(values), " ".join(others)


def pad_pace(pad: PadSpec) -> str:
    """How fast a pad may go, as the level says it: "1 ns", or with a burst "4 × 1 ns, 12 ns rest"."""
    if pad.every_ns is None:
        return ""
    each = f"{pad.every_ns:g} ns"
    return f"{pad.burst[0]} × {each}, {pad.burst[1]:g} ns rest" if pad.burst else each


def _value(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ",".join(_value(v) for v in value)
    if value is None:
        return "·"
    return number(value) if isinstance(value, int | float) else str(value).replace(" ", "").replace("*", "·")


# --- ports ---------------------------------------------------------------------------------------------------


def ports_of_core(core: str, settings: Mapping[str, Any]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """(inputs, outputs) with the settings as far as they are sound; none for an unknown core."""
    kind: CoreType | None = CORES.get(core)
    if kind is None:
        return (), ()
    resolved = {setting.name: setting.default for setting in kind.settings}
    n = settings.get("n", 2)
    resolved["n"] = n if isinstance(n, int) and 0 < n <= 64 else 2
    ports = settings.get("ports")
    if isinstance(ports, Mapping) and all(isinstance(count, int) and 0 <= count <= 8 for count in ports.values()):
        resolved["ports"] = ports
    return ports_of(kind, resolved)


def _notches(layout: Layout) -> list[Notch]:
    found: list[Notch] = []
    wired: set[tuple[str, str, bool]] = set()
    for w, (wire, road) in enumerate(zip(layout.design.wires, layout.roads, strict=True)):
        if road is None:
            continue
        core, port, _ = wire.start
        if core in layout.bodies:
            x, y = road.centre[0]
            found.append(Notch(core, port, False, w, x, y, road.start))
            wired.add((core, port, False))
        for core, port in wire.ends:
            if core in layout.bodies:
                x, y = road.centre[-1]
                found.append(Notch(core, port, True, w, x, y, (-road.end[0], -road.end[1])))
                wired.add((core, port, True))
    for element in layout.bodies.values():
        settings = _settings_of(layout, element)
        inputs, outputs = ports_of_core(element.core, settings)
        inner = (-element.edge[0], -element.edge[1]) if element.edge else None
        taken = [(n.x, n.y) for n in found if n.element == element.id]
        free = [
            (is_input, p.name)
            for is_input, ports in ((True, inputs), (False, outputs))
            for p in ports
            if (element.id, p.name, is_input) not in wired and not _fixed(p.name, settings, is_input)
        ]
        for is_input, name in free:
            # A pad has all of them on one side, a core inputs on the left and outputs on the right.
            beside = [port for port in free if inner or port[0] == is_input]
            side = inner or (WEST if is_input else EAST)
            at = _free_place(element, side, beside.index((is_input, name)), len(beside), taken)
            taken.append(at)
            found.append(Notch(element.id, name, is_input, -1, *at, side))
    return found


def _settings_of(layout: Layout, element: Body) -> Mapping[str, Any]:
    if element.pad:
        return layout.design.pads.get(element.id, {})
    return next((core.set for core in layout.design.cores if core.id == element.id), {})


def _fixed(port: str, settings: Mapping[str, Any], is_input: bool) -> bool:
    return is_input and port in settings and not isinstance(settings[port], WordChoice)


def _free_place(element: Body, side: Tile, k: int, n: int, taken: Iterable[Point]) -> Point:
    step = min(0.25, 0.7 / max(n, 1))
    wanted = (k - (n - 1) / 2) * step
    others = list(taken)
    x, y = element.at[0] + 0.5, element.at[1] + 0.5
    places = []
    for shift in (0, 0.125, -0.125, 0.25, -0.25, 0.375, -0.375):
        beside = max(-HALF + 0.06, min(HALF - 0.06, wanted + shift))
        far = reach(element.outline, side, beside)
        place = (x + far * side[0], y + beside) if side[0] else (x + beside, y + far * side[1])
        room = min((abs(place[0] - ox) + abs(place[1] - oy) for ox, oy in others), default=1.0)
        if room > 0.11:
            return place
        places.append((room, place))
    return max(places, key=lambda found: found[0])[1]


# --- words ---------------------------------------------------------------------------------------------------


def wire_words(level: Level, design: Design, netlist: Netlist | None) -> list[int]:
    """Values side by side on each wire: the netlist's; without one those of a machine in the making, which with lanes
    are found for the whole design at once, or else words that are chosen, a thread's, or one."""
    if netlist is not None and len(netlist.wires) == len(design.wires):
        return [wire.tracks for wire in netlist.wires]
    if level.lanes > 1:
        with suppress(PerwattError):
            return [line.words for line in Builder.of(level, design).lines]
    rank = len(level.threads.block) if level.threads else 1
    tokens = {
        pad.id: token_width(tuple(pad.words or DEFAULT_WORDS), rank) for pad in level.pads if pad.core == "threads"
    }
    result = []
    for wire in design.wires:
        core, _, chosen = wire.start
        result.append(len(chosen) if chosen else tokens.get(core, 1))
    return result


class Kinds:
    """Follows words back to where they are made."""

    def __init__(self, level: Level, design: Design, bodies: Mapping[str, Body]) -> None:
        self.bodies = bodies
        self.arrays = {
            pad.id: level.kernel.arrays[pad.array or pad.id].dtype == "float32"
            for pad in level.pads
            if (pad.array or pad.id) in level.kernel.arrays
        }
        self.sources: dict[tuple[str, str], tuple[str, str]] = {}
        for wire in design.wires:
            for end in wire.ends:
                self.sources.setdefault(end, wire.start[:2])

    def of(self, core: str, port: str, depth: int = 0) -> tuple[int, bool]:
        """(kind, whether floats) of the words at an output. A loop that is fed by nothing else carries data."""
        seen: set[tuple[str, str]] = set()
        while (core, port) not in seen:
            seen.add((core, port))
            body = self.bodies.get(core)
            if body is None:
                break
            passes = family_of(body.core) in ("steering", "storage") or body.core == "select"
            if not passes or body.core in ("counter", "tuple", "shared"):
                return self._made(body, port, depth)
            inputs = ("in", "a", "b", *(f"i{k}" for k in range(6)))
            before = next((self.sources[(core, p)] for p in inputs if (core, p) in self.sources), None)
            if before is None:
                break
            core, port = before
        return DATA, False

    def _made(self, body: Body, port: str, depth: int) -> tuple[int, bool]:
        match body.core:
            case "threads" | "address" | "tuple" | "store":
                return TOKEN, False
            case "compare":
                return PREDICATE, False
            case "load" | "stream":
                return (TOKEN, False) if port == "at" else (DATA, self.arrays.get(body.id, False))
            case "shared":
                return (DATA, False) if port.endswith("value") else (TOKEN, False)
            case "exp":
                return DATA, True
            case "and" | "or" | "xor" if depth < 16:
                ends = [self.sources[(body.id, p)] for p in ("a", "b") if (body.id, p) in self.sources]
                kinds = [self.of(*end, depth + 1)[0] for end in ends]
                return (PREDICATE if kinds and all(kind == PREDICATE for kind in kinds) else DATA), False
        return DATA, dict(body.settings).get("dtype") == "float32"
