"""Wires between parts: which ports they join, which words they carry, along which tiles; and what is wrong there."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from engine.board import MAX_WORDS, Board, Tile, at, expand
from engine.encodings import tracks_of
from engine.errors import Path
from engine.model import Design, WireSpec
from engine.parts import Part
from engine.problems import Problems, listed, plural
from engine.tokens import DEFAULT_WORDS, token_width

Chosen = tuple[int, ...] | None


@dataclass(slots=True)
class Link:
    """One wire before it is resolved. ``width`` is None while the words of its source are not known."""

    index: int
    spec: WireSpec
    source: Part
    out: int
    chosen: Chosen
    target: Part
    ports: list[int]
    width: int | None
    tiles: tuple[Tile, ...]


class Wiring:
    """All wires of a design, joined to the parts. ``links`` has None for a wire that leads nowhere.

    ``broken`` names elements that are no parts and have been reported; ``rank`` is that of the level's grid.
    """

    def __init__(
        self, design: Design, parts: dict[str, Part], broken: set[str], board: Board, rank: int, problems: Problems
    ) -> None:
        self.parts = parts
        self.broken = broken
        self.board = board
        self.rank = rank
        self.problems = problems
        self.links: list[Link | None] = [self._link(i, spec) for i, spec in enumerate(design.wires)]
        self._widths()

    # --- ends --------------------------------------------------------------------------------------------

    def _link(self, index: int, spec: WireSpec) -> Link | None:
        where: Path = ("wires", index)
        name, port, chosen = _start(spec.source)
        source = self._part(name, (*where, "from"))
        out = None if source is None else self._port(source, port, False, (*where, "from"))
        target, ports = self._target(spec, where)
        tiles = self.path(tuple(spec.path), where, ((source, 0), (target, -1)))
        if source is None or out is None:
            if target is not None:
                target.dangling = True
            return None
        if target is None or not ports:
            source.dangling = True
            return None
        link = Link(index, spec, source, out, chosen, target, ports, len(chosen) if chosen else None, tiles)
        source.out_wires[out].append(index)
        for p in ports:
            target.in_wires[p].append(index)
        return link

    def _part(self, name: str, where: Path) -> Part | None:
        part = self.parts.get(name)
        if part is None and name not in self.broken:
            self.problems.add(
                "unknown-element",
                where,
                f"there is no pad or core called {name}: {self.problems.suggest(name, self.parts)}",
            )
        return part

    def _target(self, spec: WireSpec, where: Path) -> tuple[Part | None, list[int]]:
        target: Part | None = None
        ports: list[int] = []
        for text in spec.to:
            name, port = text.split(".", 1)
            if target is None:
                target = self._part(name, (*where, "to"))
                if target is None:
                    return None, []
            found = self._port(target, port, True, (*where, "to"))
            if found is None:
                target.dangling = True
                return target, []
            if found in ports:
                self.problems.add("repeated-port", (*where, "to"), f"the wire ends twice at {text}: name it once")
            else:
                ports.append(found)
        if target is not None and target.core.name == "shared":
            sides = {target.inputs[p].name.split(".")[0] for p in ports}
            if len(sides) > 1:
                self.problems.add(
                    "split-wire",
                    (*where, "to"),
                    f"a wire ends at {listed(spec.to)}, which work apart from each other: "
                    "one wire serves ports of one access only; lay a second wire",
                )
        return target, ports

    def _port(self, part: Part, name: str, is_input: bool, where: Path) -> int | None:
        own = part.inputs if is_input else part.outputs
        for i, port in enumerate(own):
            if port.name == name:
                return i
        if not part.inputs and not part.outputs:
            return None  # its ports depend on settings that are wrong: said there
        other = part.outputs if is_input else part.inputs
        what, ways = ("input", "an output") if is_input else ("output", "an input")
        names = [port.name for port in own]
        if any(port.name == name for port in other):
            have = f"take {listed(names, 'or')}" if names else f"{part.id} has none"
            self.problems.add(
                "port-direction", where, f"{part.id}.{name} is {ways}, and the wire needs an {what} here: {have}"
            )
        else:
            have = self.problems.suggest(name, names) if names else "it has none at all"
            self.problems.add(
                "unknown-port", where, f"{part.id} ({part.core.name}) has no {what} called '{name}': {have}"
            )
        return None

    # --- paths -------------------------------------------------------------------------------------------

    def path(
        self, corners: tuple[Tile, ...], element: Path, ends: Sequence[tuple[Part | None, int]] = ()
    ) -> tuple[Tile, ...]:
        """The tiles of an element's path, given its corners; empty where it is wrong.

        ``ends``: what stands at its tile 0 and at its tile -1.
        """
        where = (*element, "path")
        add, board = self.problems.add, self.board
        for corner in corners:
            if not board.holds(corner):
                add(
                    "path-off-board",
                    where,
                    f"the path leaves the board at {at(corner)}: columns are 0 to {board.columns - 1}, "
                    f"rows 0 to {board.rows - 1}",
                )
                return ()
        if not self._fits(corners, where):
            return ()
        tiles = expand(corners)
        if tiles is None:
            a, b = next((a, b) for a, b in pairwise(corners) if a[0] != b[0] and a[1] != b[1])
            add(
                "path-bend",
                where,
                f"the path goes from {at(a)} to {at(b)}, which share no row and no column: add a corner, "
                f"e.g. {at((b[0], a[1]))}",
            )
            return ()
        if len(tiles) == 1:
            add("path-zero", where, f"the path stays at {at(tiles[0])}: it is at least one tile step long")
            return ()
        sound = True
        for part, end in ends:
            tile, verb = tiles[end], "ends" if end else "begins"
            if part is not None and tile != part.at:
                sound = False
                add(
                    "path-end",
                    where,
                    f"the path {verb} at {at(tile)}, and {part.id} stands at {at(part.at)}: let it {verb[:-1]} there",
                )
        inner = tiles[1:-1]
        if not board.elements.keys().isdisjoint(inner) or not board.blocked.isdisjoint(inner):
            tile = next(tile for tile in inner if board.obstacle(tile))
            what = board.obstacle(tile)
            add("path-crosses", where, f"the path runs over {at(tile)}, where {what}: lead it round that tile")
            return ()
        return tiles if sound else ()

    def _fits(self, corners: tuple[Tile, ...], where: Path) -> bool:
        """Whether all wires so far have no more tile steps than the board has tracks: what has cannot be right, and
        is not expanded, so that a file of endless paths takes no endless memory."""
        steps = sum(abs(a[0] - b[0]) + abs(a[1] - b[1]) for a, b in pairwise(corners))
        room = self.board.room
        self.board.room -= steps
        if room >= 0 > self.board.room:
            self.problems.add(
                "tracks",
                where,
                f"the wires up to this one, of {plural(steps, 'tile step')}, are longer than all tracks of the board "
                "together: lay them on shorter ways",
            )
        return self.board.room >= 0

    def lay(self, values: dict[int, int] | None = None) -> None:
        """Lay the wires' tracks, one for each value: ``values`` by wire, else one for each word."""
        coded = any(link is not None and link.spec.encoding for link in self.links)
        lines = "tracks would be needed at" if coded else "words cross"
        for link in self.links:
            if link is None or not link.tiles:
                continue
            count = values[link.index] if values else link.width or 1
            over = self.board.lay(link.tiles, tracks_of(count, link.spec.encoding or "raw", link.spec.gap or 100))
            if not over:
                continue
            edge = over[0]
            more = f", and at {plural(len(over) - 1, 'more edge')}" if len(over) > 1 else ""
            self.problems.add(
                "tracks",
                ("wires", link.index, "path"),
                f"{self.board.crossing[edge]} {lines} the edge of {at(edge[0])} and {at(edge[1])}, which has "
                f"{plural(self.board.tracks, 'track')}{more}: lead this wire another way, or carry fewer words",
            )

    # --- words -------------------------------------------------------------------------------------------

    def packet_width(self, part: Part, port: int) -> int | None:
        """Words of the packet that comes to an input, before the port's choice; None while unknown."""
        wires = part.in_wires[port]
        if not wires:
            return len(part.immediates.get(part.inputs[port].name, ())) or None
        for wire in wires:
            link = self.links[wire]
            if link is not None and link.width is not None:
                return link.width
        return None

    def seen_width(self, part: Part, port: int) -> int | None:
        """Words that the core sees at an input; None while unknown."""
        choice = part.choices.get(part.inputs[port].name)
        return len(choice) if choice and part.in_wires[port] else self.packet_width(part, port)

    def out_width(self, part: Part, out: int) -> int | None:
        """Words of the packet that stands at an output; None while unknown."""
        if not part.sound:
            return None
        if part.outputs[out].width == "one" and not part.outputs[out].name.endswith((".at", ".done")):
            return 1
        match part.core.name:
            case "threads":
                assert part.pad is not None
                return token_width(tuple(part.pad.words or DEFAULT_WORDS), self.rank)
            case "load" | "store":
                return self.packet_width(part, 0)
            case "shared":
                side = part.outputs[out].name.split(".")[0]
                names = [port.name for port in part.inputs]
                return self.packet_width(part, names.index(f"{side}.at"))
            case "address":
                return len(part.settings["words"])
            case "repeat":
                width = self.seen_width(part, 0)
                return None if width is None else width + part.settings["append"]
            case "mux" | "collect" | "join":
                sides = {"mux": (1, 2), "join": (0, 1)}.get(part.core.name, range(len(part.inputs)))
                widths = (self.seen_width(part, p) for p in sides)
                return next((w for w in widths if w is not None), None)
            case "tuple":
                total = 0
                for p in range(len(part.inputs)):
                    if part.has(p):
                        width = self.seen_width(part, p)
                        if width is None:
                            return None
                        total += width
                return total
            case _:
                return self.seen_width(part, 0)

    def _widths(self) -> None:
        """Give every wire its width: from the sources on, around a loop from a delay's init words."""
        known: dict[tuple[int, int], int] = {}
        wired = [p for p in self.parts.values() if any(p.out_wires)]
        self._spread(deque(wired), known)
        if not self.problems.fatal:
            for part in (p for p in wired if p.core.name == "delay"):
                if (part.index, 0) not in known:
                    init = part.settings["init"]
                    queue: deque[Part] = deque()
                    self._know(part, 0, len(init) if isinstance(init, tuple) else 1, known, queue)
                    self._spread(queue, known)
        for link in self.links:
            if link is not None:
                self._check_words(link, known.get((link.source.index, link.out)))
        self._check_wide(known)

    def _spread(self, queue: deque[Part], known: dict[tuple[int, int], int]) -> None:
        while queue:
            part = queue.popleft()
            for out, wires in enumerate(part.out_wires):
                if wires and (part.index, out) not in known:
                    width = self.out_width(part, out)
                    if width is not None:
                        self._know(part, out, width, known, queue)

    def _know(self, part: Part, out: int, width: int, known: dict[tuple[int, int], int], queue: deque[Part]) -> None:
        known[part.index, out] = width
        for wire in part.out_wires[out]:
            link = self.links[wire]
            assert link is not None
            if link.width is None:
                link.width = width
                queue.append(link.target)

    def _check_words(self, link: Link, width: int | None) -> None:
        """The words chosen at the wire's start."""
        if link.chosen is None:
            return
        where = ("wires", link.index, "from")
        if not link.chosen:
            self.problems.add(
                "no-such-word", where, f"{link.spec.source} chooses no words: write their numbers, as in t.token[0,2]"
            )
            return
        if len(set(link.chosen)) < len(link.chosen):
            twice = next(w for w in link.chosen if link.chosen.count(w) > 1)
            self.problems.add(
                "repeated-word",
                where,
                f"{link.spec.source} chooses word {twice} twice: carry it once and choose it twice at the port, "
                f"with {{words: [{twice}, {twice}]}}",
            )
        if width is not None and max(link.chosen) >= width:
            name = f"{link.source.id}.{link.source.outputs[link.out].name}"
            have = f"words are 0 to {width - 1}" if width > 1 else "its only word is 0"
            self.problems.add(
                "no-such-word",
                where,
                f"{name} has {plural(width, 'word')}, and the wire chooses word {max(link.chosen)}: {have}",
            )

    def _check_wide(self, known: dict[tuple[int, int], int]) -> None:
        for part in self.parts.values():
            for out, wires in enumerate(part.out_wires):
                width = known.get((part.index, out), 0)
                if width > MAX_WORDS and wires:
                    self.problems.add(
                        "packet-too-wide",
                        part.path,
                        f"{part.id}.{part.outputs[out].name} would give packets of {width} words: "
                        f"a packet has at most {MAX_WORDS}, so carry fewer words to it",
                    )


@lru_cache(maxsize=8192)
def _start(text: str) -> tuple[str, str, Chosen]:
    """(element, port, chosen words) of a wire's ``from``, whose form the model has checked."""
    name, port = text.split(".", 1)
    port, bracket, words = port.partition("[")
    if not bracket:
        return name, port, None
    numbers = [word.strip() for word in words[:-1].split(",")]
    return name, port, tuple(map(int, numbers)) if all(n.isdigit() for n in numbers) else ()
