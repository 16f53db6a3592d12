"""The mouse grammar: left makes, right unmakes, middle moves the view, the wheel turns whatever is under it.

A state machine over events that are given one by one, each with its own position; it changes the design through
:mod:`game.editor.edits` and :class:`game.editor.history.History`, and draws nothing. What it wants to be seen
(ghosts, reasons, the box of a selection) it offers as plain values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

from engine.board import expand
from engine.catalog import CORES
from engine.model import Design, Level, SettingValue, WireSpec
from game.editor import edits
from game.editor.edits import Refused, Tile
from game.editor.history import History
from game.view.camera import Camera
from game.view.hits import PORT_RADIUS, Hits
from game.view.layout import Notch, make_layout, ports_of_core, wire_words
from game.view.scene import Ghost, GhostWire, Item

Pos = tuple[float, float]

DRAG_PIXELS = 4
"""The mouse must move this far before a press becomes a drag."""

PORT_SHARE = 0.3
"""A press on a core means one of its ports only within this share of a tile."""

ROLL_S = 0.6
"""A roll of the wheel is over when the wheel has rested so long."""


@dataclass(frozen=True, slots=True)
class Mods:
    """Keys held during an event."""

    shift: bool = False
    ctrl: bool = False
    alt: bool = False


@dataclass(slots=True)
class PartHand:
    """A part in the hand, to be placed."""

    core: str
    settings: dict[str, SettingValue] = field(default_factory=dict)


@dataclass(slots=True)
class PasteHand:
    """A blueprint in the hand."""

    blueprint: Design


@dataclass(slots=True)
class WireHand:
    """A wire in the hand: from an output, or backwards from an input."""

    element: str
    port: str
    backwards: bool
    via: list[Tile] = field(default_factory=list)
    port_choice: int = 0
    """How often Tab was pressed: which of the free ports under the mouse is meant."""


@dataclass(slots=True)
class _Press:
    """A button that is down."""

    button: int
    pos: Pos
    tile: Tile | None
    target: str
    """What was pressed: "core", "wire", "port", "empty", "hand"."""
    item: Item | None = None
    dragging: bool = False
    mods: Mods = Mods()


class Tools:
    """The hand of the player on one board.

    ``speed`` is the ticks per word that a new wire gets (the last one set), ``detents`` demand rates by wire for the
    wheel. ``on_sound`` is told the names of sounds. Everything else is read by the workbench after each event.
    """

    def __init__(self, level: Level, history: History, camera: Camera) -> None:
        self.level = level
        self.history = history
        self.camera = camera
        self.selection: set[Item] = set()
        self.hand: PartHand | PasteHand | WireHand | None = None
        self.hover: Item | None = None
        self.hover_port: Notch | None = None
        self.pos: Pos = (0.0, 0.0)
        self.reason: str | None = None
        self.box: tuple[Pos, Pos] | None = None
        self.brush = False
        self.speed: int | None = None if level.new_wire_speed == 0 else round(100 / level.new_wire_speed)
        self.detents: dict[int, int] = {}
        self.on_sound: Callable[[str], None] = lambda _: None
        self._press: _Press | None = None
        self._hits: Hits | None = None
        self._hits_of: Design | None = None
        self._stopped_before: dict[int, int] = {}
        self._roll_label = ""
        self._roll_left: float | None = None
        """Seconds until a roll of the wheel is over; None while the wheel is at rest."""

    # --- what is where -----------------------------------------------------------------------------------

    @property
    def design(self) -> Design:
        return self.history.design

    def hits(self) -> Hits:
        """What is under the mouse, for the design shown."""
        if self._hits is None or self._hits_of is not self.design:
            self._hits = Hits(make_layout(self.level, self.design))
            self._hits_of = self.design
            cores = {core.id for core in self.design.cores} | {pad.id for pad in self.level.pads}
            count = len(self.design.wires)
            self.selection = {i for i in self.selection if (i in cores if isinstance(i, str) else i < count)}
        return self._hits

    def _is_core(self, item: Item | None) -> bool:
        return isinstance(item, str) and any(core.id == item for core in self.design.cores)

    def selected_cores(self) -> set[str]:
        """Cores (not pads) that are selected."""
        return {item for item in self.selection if isinstance(item, str) and self._is_core(item)}

    def selected_wires(self) -> set[int]:
        return {item for item in self.selection if isinstance(item, int)}

    def subjects(self) -> set[Item]:
        """What a key acts on: what is under the mouse, else the selection."""
        return {self.hover} if self.hover is not None and self.hover not in self.selection else set(self.selection)

    # --- mouse -------------------------------------------------------------------------------------------

    def motion(self, pos: Pos, rel: Pos = (0.0, 0.0), mods: Mods | None = None) -> None:
        """The mouse moved to ``pos``."""
        self.pos = pos
        press = self._press
        if press is None:
            self._look(pos)
            return
        if press.button == 2:
            self.camera.pan(*rel)
            return
        far = max(abs(pos[0] - press.pos[0]), abs(pos[1] - press.pos[1])) >= DRAG_PIXELS
        if not press.dragging and far:
            press.dragging = True
            self._start_drag(press)
        if press.dragging:
            self._drag(press, pos)

    def _look(self, pos: Pos) -> None:
        hits = self.hits()
        # Ports reach far into the body where tiles are small: its middle must stay the core's.
        inside = hits.core_at(self.camera, pos) is not None
        reach = min(PORT_RADIUS, PORT_SHARE * self.camera.tile / self.camera.scale) if inside else PORT_RADIUS
        self.hover_port = hits.port_at(self.camera, pos, reach)
        core, wire = hits.core_at(self.camera, pos), hits.wire_at(self.camera, pos)
        self.hover = core if core is not None else wire
        if isinstance(self.hand, PartHand | PasteHand):
            self._try_hand()

    def press(self, button: int, pos: Pos, mods: Mods) -> None:
        """A button went down (1 left, 2 middle, 3 right)."""
        self.settle()
        self._look(pos)
        self.pos = pos
        tile = self.camera.tile_at(*pos)
        press = _Press(button, pos, tile, "empty", mods=mods)
        self._press = press
        if button == 1:
            self._press_left(press)
        elif button == 3:
            self._press_right(press)

    def _press_left(self, press: _Press) -> None:
        if isinstance(self.hand, WireHand):
            press.target = "hand"
            self._end_wire(press.pos)
            return
        if isinstance(self.hand, PartHand | PasteHand):
            press.target = "hand"
            if press.tile is not None:
                self.history.begin()
                self._put(press.tile)
            return
        port, core = self.hover_port, self.hits().core_at(self.camera, press.pos)
        wire = self.hits().wire_at(self.camera, press.pos)
        if press.mods.alt and wire is not None and core is None:
            self._branch(wire)
            press.target = "hand"
        elif port is not None and self._may_start(port, core):
            press.target = "port"
            self.hand = WireHand(port.element, port.port, port.is_input)
        elif core is not None:
            press.target, press.item = "core", core
            if press.mods.ctrl:
                self.selection ^= {core}
            elif core not in self.selection:
                self.selection = {core}
        elif wire is not None:
            press.target, press.item = "wire", wire
            if self.brush and self.speed is not None:
                self.history.begin()
                self._paint(wire)
            elif press.mods.ctrl:
                self.selection ^= {wire}
            elif wire not in self.selection:
                self.selection = {wire}
        elif not press.mods.ctrl:
            self.selection = set()

    def _may_start(self, port: Notch, core: str | None) -> bool:
        """A press near a port starts a wire from outputs and free inputs; on the body of a pad it always does."""
        if not port.is_input:
            return core is None or core == port.element
        return port.wire < 0 and (core is None or core == port.element)

    def _press_right(self, press: _Press) -> None:
        if isinstance(self.hand, WireHand):
            if self.hand.via:
                self.hand.via.pop()
            else:
                self.hand = None
            press.target = "hand"
        elif self.hand is not None:
            self.hand, self.reason = None, None
            press.target = "hand"
        else:
            press.target = "erase"
            self.history.begin()
            self._erase(press.pos)

    def release(self, button: int, pos: Pos, mods: Mods) -> None:
        """A button went up."""
        press, self._press = self._press, None
        if press is None or press.button != button:
            return
        if press.dragging or pos != press.pos:
            self.pos = pos
        if button == 3 and press.target == "erase":
            self._commit("remove", "remove")
        elif button == 1:
            self._release_left(press, pos, mods)
        self._look(pos)

    def _release_left(self, press: _Press, pos: Pos, mods: Mods) -> None:
        if isinstance(self.hand, PartHand | PasteHand) and press.target == "hand":
            done = self._commit("place", "place")
            if done and not (press.mods.shift or mods.shift) and not self._more_parts():
                self.hand = None
            elif done and not (press.mods.shift or mods.shift):
                self.hand, self.reason = None, None
        elif press.target == "port" and press.dragging:
            self._end_wire(pos)
        elif press.dragging and press.target == "core":
            self._commit("move", "place")
        elif press.dragging and press.target == "wire":
            self._commit("speed" if self.brush else "reroute", "connect")
        elif press.target == "wire" and self.brush:
            self._commit("speed", "notch")
        elif press.dragging and press.target == "empty":
            self._select_box(press, pos)
        self.box = None

    def _more_parts(self) -> bool:
        if not isinstance(self.hand, PartHand):
            return False
        allowed = edits.parts_allowed(self.level, self.hand.core)
        used = sum(core.core == self.hand.core for core in self.design.cores)
        return allowed is None or used < allowed

    # --- drags -------------------------------------------------------------------------------------------

    def _start_drag(self, press: _Press) -> None:
        if press.button != 1:
            return
        if (press.target == "core" and self._is_core(press.item)) or (press.target == "wire" and not self.brush):
            self.history.begin()
        elif press.target == "core":  # a pad: its wire
            notch = self._pad_port(str(press.item))
            if notch:
                press.target = "port"
                self.hand = WireHand(str(press.item), notch[0], notch[1])

    def _pad_port(self, pad: str) -> tuple[str, bool] | None:
        """The port of a pad that a drag from its body means: an output without a wire, else one with, else an input."""
        inputs, outputs = self._ports(pad)
        if outputs:
            wired = {wire.start[1] for wire in self.design.wires if wire.start[0] == pad}
            return next((port for port in outputs if port not in wired), outputs[0]), False
        taken = self._taken(pad)
        free = [port for port in inputs if port not in taken]
        return (free[0], True) if free else None

    def _drag(self, press: _Press, pos: Pos) -> None:
        tile = self.camera.tile_at(*pos)
        if press.button == 3 and press.target == "erase":
            self._erase(pos)
        elif press.button != 1:
            return
        elif press.target == "hand" and isinstance(self.hand, PartHand) and tile is not None:
            self._put(tile)
        elif press.target == "core" and press.tile is not None:
            column, row = self.camera.to_board(*pos)
            self._move((int(column // 1) - press.tile[0], int(row // 1) - press.tile[1]))
        elif press.target == "wire" and isinstance(press.item, int):
            wire = self.hits().wire_at(self.camera, pos)
            if self.brush:
                if wire is not None:
                    self._paint(wire)
            elif tile is not None:
                self._bend(press.item, tile)
        elif press.target == "empty":
            self.box = (press.pos, pos)

    def _move(self, by: Tile) -> None:
        base = self.history.gesture_start
        try:
            moved = edits.move(self.level, base, self.selected_cores(), by)
        except Refused as refused:
            self.reason = str(refused)
            return
        self.reason = None
        if moved != self.design:
            self.history.preview(moved)

    def _bend(self, wire: int, tile: Tile) -> None:
        try:
            self.history.preview(edits.reroute(self.level, self.history.gesture_start, wire, [tile]))
            self.reason = None
        except Refused as refused:
            self.reason = str(refused)

    def _paint(self, wire: int) -> None:
        if self.design.wires[wire].every_ticks != self.speed:
            self.history.preview(edits.set_speeds(self.design, {wire: self.speed}))
            self.on_sound("notch")

    def _erase(self, pos: Pos) -> None:
        hits = self.hits()
        core, wire = hits.core_at(self.camera, pos), hits.wire_at(self.camera, pos)
        selected = core in self.selection or wire in self.selection
        if self._is_core(core):
            cores = self.selected_cores() if selected else {str(core)}
            self.history.preview(edits.delete(self.design, cores))
        elif wire is not None and core is None:
            wires = self.selected_wires() if selected else {wire}
            self.history.preview(edits.delete(self.design, (), wires))

    def _select_box(self, press: _Press, pos: Pos) -> None:
        (ax, ay), (bx, by) = self.camera.to_board(*press.pos), self.camera.to_board(*pos)
        left, right, top, bottom = min(ax, bx), max(ax, bx), min(ay, by), max(ay, by)

        def inside(tile: Tile) -> bool:
            return left <= tile[0] + 0.5 <= right and top <= tile[1] + 0.5 <= bottom

        found: set[Item] = {core.id for core in self.design.cores if inside(core.at)}
        for i, wire in enumerate(self.design.wires):
            tiles = expand(tuple(wire.path))
            if tiles and all(map(inside, tiles)):
                found.add(i)
        self.selection = self.selection ^ found if press.mods.ctrl else found

    # --- parts and blueprints in the hand ----------------------------------------------------------------

    def take(self, core: str, settings: dict[str, SettingValue] | None = None) -> None:
        """A part into the hand, with its settings or the catalogue's least ones."""
        self.cancel()
        self.hand = PartHand(core, dict(settings) if settings is not None else default_settings(core))

    def take_blueprint(self, blueprint: Design) -> None:
        """A blueprint into the hand."""
        self.cancel()
        self.hand = PasteHand(blueprint)

    def _put(self, tile: Tile) -> None:
        try:
            if isinstance(self.hand, PartHand):
                design, _ = edits.place(self.level, self.design, self.hand.core, tile, self.hand.settings)
            elif isinstance(self.hand, PasteHand):
                design, names = edits.paste(self.level, self.design, self.hand.blueprint, tile)
                self.selection = set(names)
            else:
                return
        except Refused as refused:
            self.reason = str(refused)
            return
        self.reason = None
        self.history.preview(design)

    def _try_hand(self) -> None:
        """Whether what is in the hand fits under the mouse, and if not, why."""
        tile = self.camera.tile_at(*self.pos)
        self.reason = None
        if tile is None:
            return
        try:
            if isinstance(self.hand, PartHand):
                edits.place(self.level, self.design, self.hand.core, tile, self.hand.settings)
            elif isinstance(self.hand, PasteHand):
                edits.paste(self.level, self.design, self.hand.blueprint, tile)
        except Refused as refused:
            self.reason = str(refused)

    # --- wires in the hand -------------------------------------------------------------------------------

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

    def target(self) -> tuple[str, str] | None:
        """Where the wire in the hand would end now: (element, port)."""
        hand = self.hand
        if not isinstance(hand, WireHand):
            return None
        port = self.hits().port_at(self.camera, self.pos)
        if port and port.is_input != hand.backwards and (port.wire < 0 or hand.backwards):
            return port.element, port.port
        element = self.hits().core_at(self.camera, self.pos)
        if element is None:
            return None
        inputs, outputs = self._ports(element)
        if hand.backwards:
            choices = outputs
        else:
            taken = self._taken(element)
            choices = [p for p in inputs if p not in taken] or inputs
        return (element, choices[hand.port_choice % len(choices)]) if choices else None

    def _ends(self, target: tuple[str, str]) -> tuple[str, str]:
        """(source, target) of the wire in the hand, with a word chosen where the target takes but one."""
        hand = self.hand
        assert isinstance(hand, WireHand)
        here, there = (hand.element, hand.port), target
        source, end = (there, here) if hand.backwards else (here, there)
        text = f"{source[0]}.{source[1]}"
        if self._token_words(source[0]) > 1 and self._takes_one(end):
            text += "[0]"
        return text, f"{end[0]}.{end[1]}"

    def _token_words(self, pad: str) -> int:
        """Words of the tokens of a threads pad; 1 for everything else."""
        if not any(p.id == pad and p.core == "threads" for p in self.level.pads):
            return 1
        probe = WireSpec(source=f"{pad}.token", to=["x.y"], path=[(0, 0), (1, 0)], every_ticks=None)
        return wire_words(self.level, self.design.model_copy(update={"wires": [probe]}), None)[0]

    def _takes_one(self, end: tuple[str, str]) -> bool:
        for pad in self.level.pads:
            if pad.id == end[0]:
                rank = len(self.level.kernel.arrays[pad.array or pad.id].shape)
                return next((p.width for p in CORES[pad.core].inputs if p.name == end[1]), "any") == "one" or rank == 1
        spec = next((c for c in self.design.cores if c.id == end[0]), None)
        if spec is None:
            return False
        return next((p.width for p in ports_of_core(spec.core, spec.set)[0] if p.name == end[1]), "any") == "one"

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
        if target == (hand.element, hand.port):
            return  # still where it began
        source, end = self._ends(target)
        via = hand.via[::-1] if hand.backwards else hand.via
        try:
            design = edits.connect(self.level, self.design, source, end, every_ticks=self.speed, via=via)
        except Refused as refused:
            self.reason = str(refused)
            self.on_sound("refused")
            return
        self.hand, self.reason = None, None
        self.history.do(design, "wire")
        self.selection = {len(design.wires) - 1}
        self.on_sound("connect")

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
        self.history.do(design, "branch")
        self.hand = WireHand(relay, "out", False)

    # --- wheel -------------------------------------------------------------------------------------------

    def wheel(self, notches: int, pos: Pos, mods: Mods) -> None:
        """The wheel turned by ``notches`` (up is positive)."""
        self._look(pos)
        self.pos = pos
        if mods.ctrl:
            self.camera.zoom(notches, *pos)
            return
        wires = self.selected_wires()
        if isinstance(self.hover, int):
            self.roll(wires if self.hover in wires else {self.hover}, notches, mods.shift)
        elif self._is_core(self.hover):
            self._roll_core(str(self.hover), notches * (10 if mods.shift else 1))
        elif mods.shift:
            self.camera.pan(notches * 60, 0)
        else:
            self.camera.zoom(notches, *pos)

    def roll(self, wires: set[int], notches: int, fine: bool = False) -> None:
        """Turn the speed of wires; one that is stopped starts at its slowest useful speed."""
        speeds: dict[int, int | None] = {}
        clicked = False
        for wire in wires:
            every = self.design.wires[wire].every_ticks
            if every is None:
                if notches > 0:
                    speeds[wire] = self._stopped_before.pop(wire, 2000)
                continue
            detent = self.detents.get(wire)
            speeds[wire] = edits.notch(every, notches, fine, detent)
            clicked |= speeds[wire] == detent and every != detent
        if speeds:
            self._roll(edits.set_speeds(self.design, speeds), f"speed of {', '.join(map(str, sorted(wires)))}")
            self._remember(speeds)
            self.on_sound("detent" if clicked else "notch")

    def _roll_core(self, core: str, steps: int) -> None:
        spec = next(c for c in self.design.cores if c.id == core)
        key = main_number(spec.core, spec.set)
        if key is None:
            return
        value = spec.set.get(key, 0)
        if isinstance(value, int) and not isinstance(value, bool):
            low, high = _bounds(spec.core, key)
            self._roll(edits.set_value(self.design, core, key, min(max(value + steps, low), high)), f"set {core}.{key}")
            self.on_sound("notch")

    def _roll(self, design: Design, label: str) -> None:
        """One notch: a roll of the wheel is one entry of the history, as long as it goes on."""
        if self._roll_left is None or self._roll_label != label:
            self.settle()
            self.history.begin()
        self._roll_left, self._roll_label = ROLL_S, label
        self.history.preview(design)

    def settle(self) -> None:
        """The roll of the wheel under way is over."""
        if self._roll_left is not None:
            self._roll_left = None
            self.history.commit(self._roll_label)

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        if self._roll_left is not None:
            self._roll_left -= seconds
            if self._roll_left <= 0:
                self.settle()

    def _set_speeds(self, speeds: dict[int, int | None], label: str = "speed") -> None:
        if not speeds:
            return
        self.settle()
        self.history.do(edits.set_speeds(self.design, speeds), label)
        self._remember(speeds)

    def _remember(self, speeds: dict[int, int | None]) -> None:
        """A new wire gets the speed that was set last."""
        last = self.design.wires[next(iter(speeds))].every_ticks
        if last is not None:
            self.speed = last

    def scale_speeds(self, factor: float) -> None:
        """``[`` and ``]``: half or double the speed of what a key acts on."""
        speeds: dict[int, int | None] = {}
        for item in self.subjects():
            every = self.design.wires[item].every_ticks if isinstance(item, int) else None
            if isinstance(item, int) and every is not None:
                speeds[item] = round(every / factor)
        self._set_speeds(speeds)

    def stop_or_restore(self) -> None:
        """``0``: stop the wires that a key acts on; where all are stopped, let them run as before."""
        wires = [item for item in self.subjects() if isinstance(item, int)]
        running = [w for w in wires if self.design.wires[w].every_ticks is not None]
        for wire in running:
            self._stopped_before[wire] = self.design.wires[wire].every_ticks or 100
        speeds: dict[int, int | None] = (
            dict.fromkeys(running) if running else {w: self._stopped_before.get(w, self.speed or 100) for w in wires}
        )
        self._set_speeds(speeds, "stop" if running else "restore")

    # --- keys --------------------------------------------------------------------------------------------

    def remove(self) -> None:
        """Delete what a key acts on."""
        self.settle()
        subjects = self.subjects()
        cores = {item for item in subjects if isinstance(item, str) and self._is_core(item)}
        wires = {item for item in subjects if isinstance(item, int)}
        if cores or wires:
            self.history.do(edits.delete(self.design, cores, wires), "remove")
            self.on_sound("remove")

    def copy(self) -> Design | None:
        """The selected cores as a blueprint."""
        cores = self.selected_cores() or {i for i in self.subjects() if isinstance(i, str) and self._is_core(i)}
        return edits.copy(self.design, cores) if cores else None

    def pipette(self) -> None:
        """Q: the part under the mouse, with its settings, or the speed of the wire."""
        if isinstance(self.hover, int):
            self.speed = self.design.wires[self.hover].every_ticks
        elif self._is_core(self.hover):
            spec = next(c for c in self.design.cores if c.id == self.hover)
            self.take(spec.core, dict(spec.set))

    def reroute(self) -> None:
        """R: the shortest way for the wires that a key acts on."""
        self.settle()
        for wire in sorted(item for item in self.subjects() if isinstance(item, int)):
            try:
                self.history.do(edits.reroute(self.level, self.design, wire), "reroute")
            except Refused as refused:
                self.reason = str(refused)

    def mirror(self, rows: bool = False) -> None:
        """Turn the blueprint in the hand."""
        if isinstance(self.hand, PasteHand):
            self.hand = PasteHand(edits.mirror(self.hand.blueprint, rows))

    def select_all(self) -> None:
        self.selection = {core.id for core in self.design.cores} | set(range(len(self.design.wires)))

    def cancel(self) -> bool:
        """One step back: a drag, what is in the hand, the selection. False if there was nothing."""
        self.settle()
        if self.history.in_gesture:
            self.history.cancel()
            self._press = None
            self.box = None
            return True
        if self.hand is not None:
            self.hand, self.reason = None, None
            return True
        if self.selection:
            self.selection = set()
            return True
        return False

    def undo(self) -> str | None:
        self.settle()
        self._press, self.box = None, None
        return self.history.undo()

    def redo(self) -> str | None:
        self.settle()
        return self.history.redo()

    def _commit(self, label: str, sound: str) -> bool:
        done = self.history.commit(label)
        if done:
            self.on_sound(sound)
        return done

    # --- what is to be seen ------------------------------------------------------------------------------

    def ghosts(self) -> tuple[Ghost, ...]:
        """Cores that are in the hand."""
        tile = self.camera.tile_at(*self.pos)
        if tile is None:
            return ()
        if isinstance(self.hand, PartHand):
            return (Ghost(self.hand.core, tile, self.reason),)
        if isinstance(self.hand, PasteHand):
            left, top = edits.origin(self.hand.blueprint)
            return tuple(
                Ghost(
                    core.core, (core.at[0] - left + tile[0], core.at[1] - top + tile[1]), self.reason if i == 0 else ""
                )
                if self.reason
                else Ghost(core.core, (core.at[0] - left + tile[0], core.at[1] - top + tile[1]))
                for i, core in enumerate(self.hand.blueprint.cores)
            )
        return ()

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

    def box_tiles(self) -> tuple[float, float, float, float] | None:
        """The box of a selection under way: left, top, right, bottom in tiles."""
        if self.box is None:
            return None
        (ax, ay), (bx, by) = (self.camera.to_board(*corner) for corner in self.box)
        return min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)

    def ghost_wires(self) -> tuple[GhostWire, ...]:
        """The wire in the hand, on the way that it would take."""
        hand = self.hand
        if not isinstance(hand, WireHand):
            return ()
        target = self.target()
        if target is not None and target != (hand.element, hand.port):
            source, end = self._ends(target)
            via = hand.via[::-1] if hand.backwards else hand.via
            try:
                design = edits.connect(self.level, self.design, source, end, every_ticks=self.speed, via=via)
            except Refused as refused:
                return (GhostWire(self._loose_path(), str(refused), False),)
            path = design.wires[-1].path
            tiles = sum(abs(b[0] - a[0]) + abs(b[1] - a[1]) for a, b in pairwise(path))
            plural = "s" if tiles != 1 else ""
            return (GhostWire(tuple((x + 0.5, y + 0.5) for x, y in path), f"{tiles} tile{plural} · {end}", True),)
        return (GhostWire(self._loose_path(), "", True),)

    def _loose_path(self) -> tuple[tuple[float, float], ...]:
        hand = self.hand
        assert isinstance(hand, WireHand)
        at = next((c.at for c in self.design.cores if c.id == hand.element), None)
        at = at or next(p.at for p in self.level.pads if p.id == hand.element)
        points = [(at[0] + 0.5, at[1] + 0.5), *((x + 0.5, y + 0.5) for x, y in hand.via)]
        tile = self.camera.tile_at(*self.pos)
        x, y = (tile[0] + 0.5, tile[1] + 0.5) if tile else self.camera.to_board(*self.pos)
        return (*points, (x, points[-1][1]), (x, y))


def default_settings(core: str) -> dict[str, SettingValue]:
    """Settings of a fresh part: the least that the catalogue allows where it has no default."""
    found: dict[str, SettingValue] = {}
    for setting in CORES[core].settings:
        if setting.default is not None:
            continue
        if setting.kind == "choice":
            found[setting.name] = setting.choices[0]
        elif setting.kind == "int":
            found[setting.name] = max(setting.low, 2 if core in ("repeat", "hold") else setting.low)
        elif setting.kind == "limits":
            found[setting.name] = [1]
        elif setting.kind == "sums":
            found[setting.name] = ["w0"]
    return found


def main_number(core: str, settings: dict[str, SettingValue]) -> str | None:
    """What the wheel turns on a core: its only immediate, else its first whole number."""
    inputs, _ = ports_of_core(core, settings)
    immediates = [port.name for port in inputs if isinstance(settings.get(port.name), int)]
    if immediates:
        return immediates[0]
    for setting in CORES[core].settings:
        if setting.kind == "int":
            return setting.name
    return None


def _bounds(core: str, key: str) -> tuple[int, int]:
    for setting in CORES[core].settings:
        if setting.name == key:
            return setting.low, setting.high
    return -(2**31), 2**31 - 1
