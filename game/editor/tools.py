"""The mouse grammar: left makes, right unmakes, middle moves the view, the wheel turns whatever is under it.

A state machine over events that are given one by one, each with its own position; it changes the design through
:mod:`game.editor.edits` and :class:`game.editor.history.History`, and draws nothing. What it wants to be seen
(ghosts, reasons, the box of a selection) it offers as plain values.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from engine.board import expand
from engine.model import Design, Level, SettingValue
from engine.parts import parts_allowed
from game.editor import edits, shields
from game.editor.edits import Refused, Tile
from game.editor.fitting import End, Ends
from game.editor.hand import Mods, PartHand, PasteHand, Pos, ShieldHand, WireHand, default_settings
from game.editor.history import History
from game.editor.speeds import Speeds
from game.editor.wiring import Wiring
from game.view.camera import Camera
from game.view.hits import WIRE_RADIUS
from game.view.layout import Notch
from game.view.roads import track_at
from game.view.scene import SHIELD, Ghost, Item, shield_index, shield_name

DRAG_PIXELS = 4
"""The mouse must move this far before a press becomes a drag."""


NO_MODS = Mods()


@dataclass(slots=True)
class _Press:
    """A button that is down."""

    button: int
    pos: Pos
    tile: Tile | None
    target: str
    """What was pressed: "core", "wire", "port", "empty", "hand", "branch"; "erase" and "paint" are what is done."""
    item: Item | None = None
    dragging: bool = False
    mods: Mods = NO_MODS
    last: Pos | None = None
    """Where the drag was at its last event."""
    touching: Ends | None = None
    """The wire between two ports that lie so close that a press means both."""


class Tools(Wiring, Speeds):
    """The mouse grammar over one board."""

    def __init__(self, level: Level, history: History, camera: Camera) -> None:
        super().__init__(level, history, camera)
        self._press: _Press | None = None
        self._tried: tuple[Design, object, Tile | None] | None = None

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
        core, wire = hits.core_at(self.camera, pos), hits.wire_at(self.camera, pos)
        shield = hits.shield_at(self.camera, pos)
        self.hover_port = hits.port_at(self.camera, pos, self.port_reach(core is not None))
        self.hover = core if core is not None else wire if shield is None else shield_name(shield)
        if isinstance(self.hand, PartHand | PasteHand):
            self._try_hand()
        elif isinstance(self.hand, WireHand) and self.hand.over != core:
            self.hand.over, self.hand.port_choice = core, 0

    def press(self, button: int, pos: Pos, mods: Mods) -> None:
        """A button went down (1 left, 2 middle, 3 right). While another is held it gives up what that one does."""
        super().settle()
        self.pos = pos
        if self._press is not None:
            other = self._press.button != button
            self.give_up()
            if other:
                return
        self._look(pos)
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
        if isinstance(self.hand, ShieldHand):
            press.target = "shield"
            self.hand.start, self.hand.pos = press.tile, self.camera.to_board(*press.pos)
            self.history.begin()
            return
        port, core = self.hover_port, self.hits().core_at(self.camera, press.pos)
        wire, shield = self.hits().wire_at(self.camera, press.pos), self.hits().shield_at(self.camera, press.pos)
        if self.brush and self.speed is not None:  # it paints whatever is crossed, wherever the stroke begins
            press.target, press.item = "paint", core
            self.history.begin()
            if wire is not None:
                self._paint(wire)
        elif press.mods.alt and wire is not None and core is None:
            self._branch(wire)
            press.target = "branch"
        elif port is not None and self._may_start(port, core):
            press.target = "port"
            press.touching = self.touching(port)
            begin = press.touching.source if press.touching else End(port.element, port.port)
            self.hand = WireHand(*begin, port.is_input and press.touching is None)
        elif core is not None:
            press.target, press.item = "core", core
            if press.mods.ctrl:
                self.selection ^= {core}
            elif core not in self.selection:
                self.selection = {core}
        elif shield is not None:
            item = shield_name(shield)
            self.selection = self.selection ^ {item} if press.mods.ctrl else {item}
            press.target = "laid"
        elif wire is not None:
            press.target, press.item = "wire", wire
            if press.mods.ctrl:
                self.selection ^= {wire}
            elif wire not in self.selection:
                self.selection = {wire}
        elif not press.mods.ctrl:
            self.selection = set()

    def _short_of(self, press: _Press, pos: Pos) -> bool:
        """Whether the mouse is still at the two ports that were pressed."""
        reach = self.port_reach(False) * self.camera.scale
        return max(abs(pos[0] - press.pos[0]), abs(pos[1] - press.pos[1])) <= reach

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
                self.history.cancel()  # a branch goes with its wire
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
        press = self._press
        if press is None or press.button != button:
            return
        self._press = None
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
        elif press.target == "port" and press.touching and self._short_of(press, pos):
            self._connect(press.touching, [])
        elif press.target == "port" and press.dragging:
            self._end_wire(pos)
        elif press.dragging and press.target == "core":
            onto = self.hits().core_at(self.camera, pos)
            if self.reason is not None and onto is not None and onto not in self.selection:
                self.on_say(f"This moves {press.item}, and {onto} is there. A wire begins at a port: at a disc or ring")
            self.reason = None
            self._commit("move", "place")
        elif press.dragging and press.target == "wire":
            self._commit("reroute", "connect")
        elif press.target == "shield":
            self._release_shield(press.mods.shift or mods.shift)
        elif press.target == "paint":
            painted = self._commit("speed", "connect" if press.dragging else "notch")
            if not (painted or press.dragging) and press.item is not None:
                self.selection = {press.item}
        elif press.dragging and press.target == "empty":
            self._select_box(press, pos)
        self.box = None

    def _more_parts(self) -> bool:
        if not isinstance(self.hand, PartHand):
            return False
        allowed = parts_allowed(self.level, self.hand.core)
        used = sum(core.core == self.hand.core for core in self.design.cores)
        return allowed is None or used < allowed

    # --- drags -------------------------------------------------------------------------------------------

    def _start_drag(self, press: _Press) -> None:
        if press.button != 1:
            return
        if (press.target == "core" and self._is_core(press.item)) or press.target == "wire":
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
        way, press.last = self._swept(press.last or press.pos, pos), pos
        if press.button == 3 and press.target == "erase":
            for place in way:
                self._erase(place)
        elif press.button != 1:
            return
        elif press.target == "hand" and isinstance(self.hand, PartHand) and tile is not None:
            for crossed in dict.fromkeys(self.camera.tile_at(*place) for place in way):
                if crossed is not None and (crossed == tile or not self._has_core(crossed)):
                    self._put(crossed)
        elif press.target == "core" and press.tile is not None:
            column, row = self.camera.to_board(*pos)
            self._move((int(column // 1) - press.tile[0], int(row // 1) - press.tile[1]))
        elif press.target == "wire" and isinstance(press.item, int):
            if tile is not None:
                self._bend(press.item, tile)
        elif press.target == "paint":
            for place in way:
                wire = self.hits().wire_at(self.camera, place)
                if wire is not None:
                    self._paint(wire)
        elif press.target == "shield":
            self._stretch(pos)
        elif press.target == "empty":
            self.box = (press.pos, pos)

    def _swept(self, start: Pos, end: Pos) -> list[Pos]:
        """Places from ``start``, which is not among them, to ``end``, so close that no tile and no wire is missed: a
        fast mouse tells of few of the places that it crosses."""
        (ax, ay), (bx, by) = start, end
        step = min(self.camera.tile / 4, WIRE_RADIUS * self.camera.scale)
        steps = max(ceil(max(abs(bx - ax), abs(by - ay)) / step), 1)
        return [(ax + (bx - ax) * k / steps, ay + (by - ay) * k / steps) for k in range(1, steps)] + [end]

    def _has_core(self, tile: Tile) -> bool:
        return any(core.at == tile for core in self.design.cores)

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
        shield = hits.shield_at(self.camera, pos)
        selected = core in self.selection or wire in self.selection
        if self._is_core(core):
            cores = self.selected_cores() if selected else {str(core)}
            self.history.preview(edits.delete(self.design, cores))
        elif shield is not None and core is None:
            self.history.preview(shields.remove(self.design, {shield}))
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
        """A part into the hand, with its settings or the catalogue's least ones; or a shield."""
        self.cancel()
        if core == SHIELD:
            self.hand = ShieldHand()
            return
        self.hand = PartHand(core, dict(settings) if settings is not None else default_settings(core))

    def take_blueprint(self, blueprint: Design) -> None:
        """A blueprint into the hand."""
        self.cancel()
        self.hand = PasteHand(blueprint)

    def _stretch(self, pos: Pos) -> None:
        """The shield that is being laid goes up to here, on the track where it was begun."""
        hand, tile = self.hand, self.camera.tile_at(*pos)
        if not isinstance(hand, ShieldHand) or hand.start is None or tile is None:
            return
        path = shields.straight(hand.start, tile)
        self.history.preview(self.history.gesture_start)
        self.reason = None
        if len(path) < 2:
            return
        across = hand.pos[1] - hand.start[1] if path[0][1] == path[1][1] else hand.pos[0] - hand.start[0]
        track = track_at(across - 0.5, self.level.board.tracks)
        try:
            self.history.preview(shields.lay(self.level, self.history.gesture_start, path, track))
        except Refused as refused:
            self.reason = str(refused)

    def _release_shield(self, more: bool) -> None:
        if self.reason is not None:
            self.on_say(f"No shield: {self.reason}")
            self.on_sound("refused")
        self.reason = None
        if self._commit("shield", "place"):
            self.selection = {shield_name(len(self.design.shields) - 1)}
            if not more:
                self.hand = None
        elif isinstance(self.hand, ShieldHand):
            self.hand.start = None

    def _put(self, tile: Tile) -> None:
        try:
            if isinstance(self.hand, PartHand):
                # Only a click replaces what stands there: a stroke of parts passes others by.
                put = edits.place if self._press and self._press.dragging else edits.put
                design, name = put(self.level, self.design, self.hand.core, tile, self.hand.settings)
                self.selection = {name}
            elif isinstance(self.hand, PasteHand):
                design, names = edits.paste(self.level, self.design, self.hand.blueprint, tile)
                self.selection = set(names)
            else:
                return
        except Refused as refused:
            if self.reason != str(refused) or not self._press or not self._press.dragging:
                self.on_say(f"This does not go here: {refused}")
                self.on_sound("refused")
            self.reason = str(refused)
            return
        self.reason = None
        self.history.preview(design)

    def _try_hand(self) -> None:
        """Whether what is in the hand fits under the mouse, and if not, why."""
        tile = self.camera.tile_at(*self.pos)
        tried = (self.design, self.hand, tile)
        before = self._tried
        if before and before[0] is tried[0] and before[1] is tried[1] and before[2] == tile:
            return  # the mouse is still on the same tile
        self._tried = tried
        self.reason = None
        if tile is None:
            return
        try:
            if isinstance(self.hand, PartHand):
                edits.put(self.level, self.design, self.hand.core, tile, self.hand.settings)
            elif isinstance(self.hand, PasteHand):
                edits.paste(self.level, self.design, self.hand.blueprint, tile)
        except Refused as refused:
            self.reason = str(refused)

    # --- wheel and keys --------------------------------------------------------------------------------

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

    def remove(self) -> None:
        """Delete what a key acts on."""
        self.settle()
        named = {shield_name(i) for i in range(len(self.design.shields))}
        subjects = self.subjects(lambda item: isinstance(item, int) or item in named or self._is_core(item))
        laid = {i for item in subjects if (i := shield_index(item)) is not None}
        cores = {item for item in subjects if isinstance(item, str)}
        wires = {item for item in subjects if isinstance(item, int)}
        if subjects:
            self.history.do(shields.remove(edits.delete(self.design, cores, wires), laid), "remove")
            self.on_sound("remove")

    def copy(self) -> Design | None:
        """The selected cores as a blueprint."""
        cores = self.selected_cores() or {i for i in self.subjects(self._is_core) if isinstance(i, str)}
        return edits.copy(self.design, cores) if cores else None

    def pipette(self) -> None:
        """Q: the part under the mouse, with its settings, or the speed of the wire."""
        if isinstance(self.hover, int):
            self.speed = self.design.wires[self.hover].every_ticks
        elif self._is_core(self.hover):
            spec = next(c for c in self.design.cores if c.id == self.hover)
            self.take(spec.core, dict(spec.set))

    def reroute(self) -> None:
        """R: another way for the wires that a key acts on, the shortest first."""
        self.settle()
        for wire in self.wires_meant():
            try:
                self.history.do(edits.another_way(self.level, self.design, wire), "reroute")
            except Refused as refused:
                self.reason = str(refused)

    def mirror(self, rows: bool = False) -> None:
        """Turn the blueprint in the hand."""
        if isinstance(self.hand, PasteHand):
            self.hand = PasteHand(edits.mirror(self.hand.blueprint, rows))

    def select_all(self) -> None:
        self.settle()
        self.selection = {core.id for core in self.design.cores} | set(range(len(self.design.wires)))

    def cancel(self) -> bool:
        """One step back: a drag, what is in the hand, the selection. False if there was nothing."""
        super().settle()
        if self.give_up():
            return True
        if self.hand is not None:
            self.hand, self.reason = None, None
            return True
        if self.selection:
            self.selection = set()
            return True
        return False

    def give_up(self) -> bool:
        """End the press that is held, and a branch that is not wired yet, as if they had not begun; whether there was
        anything to end. The only place where a press ends otherwise than by its release.
        """
        press, self._press = self._press, None
        begun = self.history.in_gesture or self.box is not None
        if isinstance(self.hand, WireHand) and (self.history.in_gesture or (press and press.target == "port")):
            self.hand, begun = None, True
        self.history.cancel()
        self.box = self.reason = None
        return begun

    def settle(self) -> None:
        """What is done by other means than the mouse begins: a roll of the wheel is over, a press is given up."""
        super().settle()
        if self._press is not None or self.history.in_gesture:
            self.give_up()

    def undo(self) -> str | None:
        super().settle()
        return "gesture" if self.give_up() else self.history.undo()

    @property
    def holding(self) -> bool:
        """Whether a press is held."""
        return self._press is not None

    def redo(self) -> str | None:
        super().settle()
        return None if self.give_up() else self.history.redo()

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

    def box_tiles(self) -> tuple[float, float, float, float] | None:
        """The box of a selection under way: left, top, right, bottom in tiles."""
        if self.box is None:
            return None
        (ax, ay), (bx, by) = (self.camera.to_board(*corner) for corner in self.box)
        return min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)
