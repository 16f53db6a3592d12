"""Wires in the hand: from port to port, bent on the way, and branches from the middle of a wire."""

from __future__ import annotations

from itertools import pairwise

from engine.catalog import CORES
from engine.model import WireSpec
from engine.technology import technology
from game.editor import edits
from game.editor.edits import Refused, Tile
from game.editor.fitting import End, Ends, ways
from game.editor.hand import Hand, Pos, WireHand
from game.view.hits import PORT_RADIUS
from game.view.layout import Kinds, Notch, ports_of_core, wire_words
from game.view.scene import GhostWire

PORT_SHARE = 0.3
"""On a body the mouse means a port only within this share of a tile."""

TOUCH = 0.4
"""Tiles between ports of neighbours that lie across."""
LARGE_SHARE = 0.22
"""Where this share of a tile is more than :data:`PORT_RADIUS`, a port is meant within it."""


class Wiring(Hand):
    """Draws wires."""

    def _ports(self, element: str) -> tuple[list[str], list[str]]:
        """Names of an element's input and output ports."""
        for pad in self.level.pads:
            if pad.id == element:
                core = CORES[pad.core]
                return [p.name for p in core.inputs], [p.name for p in core.outputs]
        spec = next((c for c in self.design.cores if c.id == element), None)
        if spec is None:
            return [], []
        inputs, outputs = ports_of_core(spec.core, spec.set)
        return [p.name for p in inputs], [p.name for p in outputs]

    def _taken(self, element: str) -> set[str]:
        """Input ports that have a wire or an immediate."""
        taken = {port for wire in self.design.wires for core, port in wire.ends if core == element}
        spec = next((c for c in self.design.cores if c.id == element), None)
        settings = spec.set if spec else self.design.pads.get(element, {})
        return taken | set(settings)

    def wires_meant_here(self) -> list[Ends]:
        """Wires that the one in the hand may become where the mouse is, the one that it would become first."""
        self.hits()
        hand = self.hand
        if not isinstance(hand, WireHand):
            return []
        element = self.hits().core_at(self.camera, self.pos)
        # On a body only the close neighbourhood of a port means that port: anywhere else the one that fits best.
        port = self.hits().port_at(self.camera, self.pos, self.port_reach(element is not None))
        start = End(hand.element, hand.port)
        if port is not None:
            element = port.element
        if element is None:
            return []
        found = ways(
            start, hand.backwards, element, self._open_ports(hand.element), self._open_ports(element), self._kind
        )
        if port and port.is_input != hand.backwards and (port.wire < 0 or hand.backwards):
            here = End(port.element, port.port)
            exact = Ends(here, start) if hand.backwards else Ends(start, here)
            found = [exact, *(ends for ends in found if ends != exact)]
        turns = hand.port_choice % len(found) if found else 0
        return found[turns:] + found[:turns]

    def touching(self, port: Notch) -> Ends | None:
        """The wire that a press on ``port`` means where a port of a neighbour lies right across: from output to input,
        whichever was nearer. None where there is no such port, or one of them has a wire."""
        if port.wire >= 0:
            return None
        for other in self.hits().layout.notches:
            facing = other.side == (-port.side[0], -port.side[1]) and other.is_input != port.is_input
            near = abs(other.x - port.x) + abs(other.y - port.y) <= TOUCH
            if facing and near and other.wire < 0 and other.element != port.element:
                source, target = (other, port) if port.is_input else (port, other)
                return Ends(End(source.element, source.port), End(target.element, target.port))
        return None

    def port_reach(self, inside: bool) -> float:
        """Pixels within which a port is meant: more where tiles are large; where they are small a body keeps a middle
        by which it is moved."""
        tile = self.camera.tile / self.camera.scale
        most = max(PORT_RADIUS, LARGE_SHARE * tile)
        return min(most, PORT_SHARE * tile) if inside else most

    def _open_ports(self, element: str) -> tuple[list[str], list[str]]:
        """Inputs without a wire or number, or else all of them, and outputs."""
        inputs, outputs = self._ports(element)
        taken = self._taken(element)
        return [port for port in inputs if port not in taken] or inputs, outputs

    def _kind(self, element: str, port: str) -> int | None:
        layout = self.hits().layout
        body = layout.bodies.get(element)
        if body is None or body.core == "counter":
            return None  # what is counted may be an address or a word
        if "kinds" not in layout.memo:
            layout.memo["kinds"] = Kinds(self.level, self.design, layout.bodies)
        kind: int = layout.memo["kinds"].of(element, port)[0]
        return kind

    def target(self) -> Ends | None:
        """The wire that the one in the hand would become now."""
        found = self.wires_meant_here()
        return found[0] if found else None

    def _texts(self, ends: Ends) -> tuple[str, str]:
        """Source and target as a design has them, with a word chosen where the target takes but one."""
        text = f"{ends.source.element}.{ends.source.port}"
        if self._token_words(ends.source.element) > 1 and self._takes_one(ends.target):
            text += "[0]"
        return text, f"{ends.target.element}.{ends.target.port}"

    def _token_words(self, pad: str) -> int:
        """Words of the tokens of a threads pad; 1 for everything else."""
        if not any(p.id == pad and p.core == "threads" for p in self.level.pads):
            return 1
        probe = WireSpec(source=f"{pad}.token", to=["x.y"], path=[(0, 0), (1, 0)], every_ticks=None)
        return wire_words(self.level, self.design.model_copy(update={"wires": [probe]}), None)[0]

    def _takes_one(self, end: End) -> bool:
        for pad in self.level.pads:
            if pad.id == end[0]:
                rank = len(self.level.kernel.arrays[pad.array or pad.id].shape)
                return next((p.width for p in CORES[pad.core].inputs if p.name == end[1]), "any") == "one" or rank == 1
        spec = next((c for c in self.design.cores if c.id == end[0]), None)
        if spec is None:
            return False
        return next((p.width for p in ports_of_core(spec.core, spec.set)[0] if p.name == end[1]), "any") == "one"

    def _at_start(self, target: Ends) -> bool:
        """Whether the mouse is still on the element where the line begins: round a bend a wire may come back to it."""
        hand = self.hand
        assert isinstance(hand, WireHand)
        return target.source.element == target.target.element and not hand.via

    def _onwards(self, target: Ends) -> bool:
        """Whether the words run the way in which the line was drawn."""
        hand = self.hand
        assert isinstance(hand, WireHand)
        if target.source.element == target.target.element:
            return not hand.backwards
        return target.source.element == hand.element

    def _end_wire(self, pos: Pos) -> None:
        """A press or release with a wire in the hand: end it at a port, else bend it here."""
        self.pos = pos
        hand, target = self.hand, self.target()
        assert isinstance(hand, WireHand)
        if target is None:
            tile = self.camera.tile_at(*pos)
            if tile is not None:
                hand.via.append(tile)
            return
        if not self._at_start(target):
            self._connect(target, hand.via if self._onwards(target) else hand.via[::-1])

    def _connect(self, target: Ends, via: list[Tile]) -> None:
        """Lay a wire past the tiles ``via``; the hand is empty then."""
        source, end = self._texts(target)
        try:
            design = edits.connect(self.level, self.design, source, end, every_ticks=self.speed, via=via)
        except Refused as refused:
            self.reason = str(refused)
            self.on_sound("refused")
            return
        self.hand, self.reason = None, None
        if self.history.in_gesture:  # the branch and its wire are one step
            self.history.preview(design)
            self.history.commit("branch")
        else:
            self.history.do(design, "wire")
        self.selection = {len(design.wires) - 1}
        self.on_sound("connect" if self.speed is not None else "laid")

    def bend(self) -> None:
        """Space while a wire is in the hand: it passes the tile under the mouse."""
        tile = self.camera.tile_at(*self.pos)
        if isinstance(self.hand, WireHand) and tile is not None:
            self.hand.via.append(tile)
            self.on_sound("tile")

    def next_port(self) -> bool:
        """Tab while a wire is in the hand: another port of what is under the mouse, else of where the wire begins."""
        if not isinstance(self.hand, WireHand):
            return False
        if self.target() is not None:
            self.hand.port_choice += 1
            return True
        inputs, outputs = self._ports(self.hand.element)
        taken = self._taken(self.hand.element)
        ports = [port for port in inputs if port not in taken] if self.hand.backwards else outputs
        if self.hand.port in ports:
            self.hand.port = ports[(ports.index(self.hand.port) + 1) % len(ports)]
        return True

    def _branch(self, wire: int) -> None:
        try:
            design, relay = edits.branch(self.level, self.design, wire)
        except Refused as refused:
            self.reason = str(refused)
            self.on_sound("refused")
            return
        self.history.begin()
        self.history.preview(design)
        self.hand = WireHand(relay, "out", False)

    def fits(self) -> dict[tuple[str, str], bool]:
        """While a wire is in the hand: whether it may end at a port, by (element, port)."""
        hand = self.hand
        if not isinstance(hand, WireHand):
            return {}
        found: dict[tuple[str, str], bool] = {}
        for notch in self.hits().layout.notches:
            good = notch.is_input != hand.backwards and (notch.wire < 0 or hand.backwards)
            found[notch.element, notch.port] = good or found.get((notch.element, notch.port), False)
        return found

    def ghost_wires(self) -> tuple[GhostWire, ...]:
        """The wire in the hand, on the way that it would take."""
        self.hits()
        hand = self.hand
        if not isinstance(hand, WireHand):
            return ()
        target = self.target()
        wanted = (
            self.design,
            hand.element,
            hand.port,
            tuple(hand.via),
            target,
            self.speed,
            self.camera.tile_at(*self.pos),
        )
        if self._ghost is None or self._ghost[0][0] is not self.design or self._ghost[0][1:] != wanted[1:]:
            self._ghost = (wanted, self._way(hand, target))
        return self._ghost[1]

    def _way(self, hand: WireHand, target: Ends | None) -> tuple[GhostWire, ...]:
        """The wire to ``target`` on the way that it would take; without one, a line to the mouse."""
        if target is not None and not self._at_start(target):
            source, end = self._texts(target)
            via = hand.via if self._onwards(target) else hand.via[::-1]
            try:
                design = edits.connect(self.level, self.design, source, end, every_ticks=self.speed, via=via)
            except Refused as refused:
                return (GhostWire(self._loose_path(), str(refused), False),)
            path = tuple((x + 0.5, y + 0.5) for x, y in design.wires[-1].path)
            words = wire_words(self.level, design, None)[-1]
            more = " · Tab: next port" if len(self.wires_meant_here()) > 1 else ""
            note = f"{self._cost(path, words)} · {source} → {end}{more}"
            # The note stands where the mouse is.
            return (GhostWire(path if self._onwards(target) else path[::-1], note, True),)
        loose = self._loose_path()
        return (GhostWire(loose, self._cost(loose), True),)

    def _cost(self, path: tuple[tuple[float, float], ...], words: int = 1) -> str:
        """Length, and what a word costs on a wire that is as fast as its words come: drive × tiles × 1 ns."""
        tiles = round(sum(abs(b[0] - a[0]) + abs(b[1] - a[1]) for a, b in pairwise(path)))
        if not tiles:
            return ""
        drive_pj = technology(self.level.technology).standing_nw["drive"] * tiles * words / 1e6
        return f"{tiles} tile{'s' if tiles != 1 else ''} · {drive_pj:.3g} pJ per word at match"

    def _loose_path(self) -> tuple[tuple[float, float], ...]:
        hand = self.hand
        assert isinstance(hand, WireHand)
        at = next((c.at for c in self.design.cores if c.id == hand.element), None)
        at = at or next(p.at for p in self.level.pads if p.id == hand.element)
        points = [(at[0] + 0.5, at[1] + 0.5), *((x + 0.5, y + 0.5) for x, y in hand.via)]
        tile = self.camera.tile_at(*self.pos)
        x, y = (tile[0] + 0.5, tile[1] + 0.5) if tile else self.camera.to_board(*self.pos)
        return (*points, (x, points[-1][1]), (x, y))
