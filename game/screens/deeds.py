"""What can be done on the workbench: the actions of panels and keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from game.comparing import Pair
from game.describe import BASES
from game.editor.edits import Refused
from game.editor.hand import PasteHand, WireHand
from game.entries import typed
from game.follow import pick
from game.panels.kit import Zone
from game.playback import PACES
from game.screens import shown, stops
from game.screens.clips import Clips
from game.screens.keepsakes import Keepsakes
from game.screens.matching import match_wires
from game.screens.running import Running
from game.screens.tabs import Tabs
from game.view.marks import middle_of
from game.view.scene import OVERLAYS, Item, overlays_of

if TYPE_CHECKING:
    from game.screens.workbench import Workbench

PAN = 64
HELD_S = 0.3
"""A key that is down so long is held: what it has switched on goes off with it."""
REPEATS = frozenset(
    ("undo", "redo", "step", "step-back", "tick", "tick-back", "launch-next", "launch-back")
) | frozenset(("slower", "faster", "halve", "double", "next", "pan-left", "pan-right", "pan-up", "pan-down"))
"""What a key that is held does again and again; everything else it does once."""


class Deeds:
    """Carries out actions: tuples from zones, and meanings of keys."""

    def __init__(self, bench: Workbench) -> None:
        self.bench = bench
        self.running = Running(bench)
        self.tabs = Tabs(bench)
        self.clips = Clips(bench, self.tabs.leave)
        self._brush_since = 0.0
        self.keepsakes = Keepsakes(bench)
        self._simple: dict[str, Callable[[], None]] = {
            "play": self.running.play,
            "launch": self.running.launch,
            "step": lambda: self.running.stepped(self.bench.session.playback.step),
            "step-back": lambda: self.running.stepped(self.bench.session.playback.step_back),
            "tick": lambda: self.running.seek_by(100),
            "tick-back": lambda: self.running.seek_by(-100),
            "launch-next": lambda: self.running.stepped(self.bench.session.playback.next_launch),
            "launch-back": lambda: self.running.stepped(self.bench.session.playback.previous_launch),
            "start": lambda: self.running.seek(0),
            "live-end": self.running.live_end,
            "slower": lambda: self.running.change_pace(-1),
            "faster": lambda: self.running.change_pace(1),
            "fault": self.running.to_fault,
            "pipette": lambda: self.bench.tools.pipette(),
            "pan-left": lambda: self._pan(1, 0),
            "pan-right": lambda: self._pan(-1, 0),
            "pan-up": lambda: self._pan(0, 1),
            "pan-down": lambda: self._pan(0, -1),
            "fit": self.fit,
            "match": lambda: match_wires(self.bench, False),
            "match-all": lambda: match_wires(self.bench, True),
            "brush": self.brush,
            "halve": lambda: self.bench.tools.scale_speeds(0.5),
            "double": lambda: self.bench.tools.scale_speeds(2.0),
            "stop": lambda: self.bench.tools.stop_or_restore(),
            "reroute": lambda: self.bench.tools.reroute(),
            "next": self.next,
            "why": self.why,
            "why.close": self.close_why,
            "follow": self.follow,
            "breakpoint": self.breakpoint,
            "probe": lambda: self.bench.probing.toggle(),
            "launches": lambda: self.show_overlay("launches"),
            "overlay": self.toggle_overlay,
            "compare": self.compare,
            "versus": self.versus,
            "undo": self.undo,
            "redo": self.redo,
            "copy": self.clips.copy,
            "cut": self.clips.cut,
            "paste": self.clips.paste,
            "duplicate": self.clips.duplicate,
            "remove": lambda: self.bench.tools.remove(),
            "select-all": lambda: self.bench.tools.select_all(),
            "search": self.search,
            "find": lambda: self.bench.windows.find(),
            "tab.all": lambda: self.bench.windows.designs(),
            "more": lambda: self.bench.windows.more(),
            "paces": lambda: self.bench.windows.paces(),
            "panels": self.panels,
            "plots": self.plots,
            "plot.scope": lambda: self.bench.probing.scope(),
            "picture": self.keepsakes.picture,
            "loop": self.keepsakes.loop,
            "brief": self.brief,
            "hint": self.hint,
            "keys": self.keys,
            "back": self.back,
            "rename": lambda: self.do(("type", "rename")),
            "tab.new": self.tabs.new,
            "tab.copy": self.tabs.copy,
            "tab.delete": self.tabs.delete,
            "tab.restore": self.tabs.restore,
            "nothing": lambda: None,
        }

    # --- the way in --------------------------------------------------------------------------------------

    def do(self, action: tuple[Any, ...]) -> None:
        """An action of a zone."""
        bench = self.bench
        match action:
            case ("back",):
                bench.context.ask("back")
            case ("take", str() as core):
                hand = bench.tools.hand
                if getattr(hand, "core", None) == core:
                    bench.tools.cancel()
                else:
                    bench.tools.take(core)
            case ("tab", int() as index):
                self.tabs.leave()
                bench.session.show_tab(index)
            case ("type", str() as name):
                bench.type(name, self._text_of(name))
            case ("choose", "base", str() as short):
                bench.base = BASES[short]
            case ("choose", str() as name, str() as value):
                wrong = self.typed(name, value)
                if wrong:
                    bench.say(wrong, "bad")
            case ("pace", int() as index):
                bench.session.playback.pace = PACES[index]
            case ("plot", str() as name):
                bench.plot_tab = name
            case ("lane.show", int() as lane):
                bench.probing.show(lane)
            case ("lane.remove", int() as lane):
                bench.probing.remove(lane)
            case ("overlay", str() as name):
                self.show_overlay(name)
                bench.chips_open = False
            case ("overlays",):
                bench.chips_open = not bench.chips_open
            case ("show", item):
                self.show(item)
            case ("select", *items):
                self.show(items[0])
                bench.tools.selection = set(items)
            case ("trash", item):
                self.tabs.bring_back(item)
            case ("seek-to", int() as tick):
                self.running.seek(tick)
            case (str() as name,) if name in self._simple:
                self._simple[name]()

    def key(self, meaning: str) -> None:
        """A key with this meaning went down."""
        bench = self.bench
        if meaning.startswith("slot-"):
            slot = int(meaning[5:])
            part = next((p for p in shown.palette(bench).parts if p.slot == slot), None)
            if part:
                self.do(("take", part.core))
        elif meaning.startswith("overlay-"):
            index = int(meaning[8:]) - 1
            name = shown.KEY_OVERLAYS[index]
            if name in overlays_of(bench.level):
                self.show_overlay(name)
            else:
                bench.say(f"Nothing has {name} in this level")
        elif meaning == "play" and isinstance(bench.tools.hand, WireHand):
            bench.tools.bend()
        elif meaning in ("panels", "plots") and isinstance(bench.tools.hand, PasteHand):
            bench.tools.mirror(rows=meaning == "plots")
        else:
            self._simple[meaning]()

    def drag(self, zone: Zone, pos: tuple[float, float]) -> None:
        """The mouse is held on a zone that follows it."""
        bench = self.bench
        share = min(max((pos[0] - zone.rect.left) / max(zone.rect.width, 1), 0.0), 1.0)
        match zone.action:
            case ("look",):
                down = min(max((pos[1] - zone.rect.top) / max(zone.rect.height, 1), 0.0), 1.0)
                columns, rows = bench.level.board.size
                bench.camera.x, bench.camera.y = share * columns, down * rows
            case ("seek.lanes",):
                first, last = bench.probing.span()
                self.running.seek(round(first + share * (last - first)) if share < 1 else last - 1)
            case ("brief.move",):
                bench.briefing.drag(pos)
            case ("seek",):
                _, end = shown.span(bench)
                self.running.seek(round(share * end))
            case ("pace",):
                edge = bench.context.theme.px(8)
                share = (pos[0] - zone.rect.left - edge) / max(zone.rect.width - 2 * edge, 1)
                index = min(max(round(share * (len(PACES) - 1)), 0), len(PACES) - 1)
                bench.session.playback.pace = PACES[index]

    def search(self) -> None:
        """E: type the name of a part."""
        if not self.bench.panels_on:
            self.panels()
        self.do(("type", "search"))

    # --- fields ------------------------------------------------------------------------------------------

    def _text_of(self, name: str) -> str:
        """What stands in a field before it is typed into."""
        if name == "search":
            return self.bench.search
        if name == "rename":
            return self.bench.session.tab.item.name
        for row in shown.subject(self.bench).rows:
            if getattr(row, "name", None) == name:
                return str(getattr(row, "text", ""))
        return ""

    def typed(self, name: str, text: str) -> str:
        """Make an edit of what was typed; returns what is wrong with it, or nothing."""
        bench = self.bench
        if name == "search":
            return ""
        if name == "rename":
            bench.tools.settle()
            bench.session.rename_tab(text)
            return ""
        if text == self._text_of(name) and not name.startswith(("set.", "speed.all")):
            return ""
        bench.tools.settle()
        try:
            found = typed(bench.level, bench.session.design, name, text, bench.tools.selection)
        except (ValueError, Refused) as wrong:
            return str(wrong).split("\n")[0]
        if found is not None:
            design, label = found
            bench.session.history.do(design, label)
            if name.startswith("name."):
                bench.probing.probes.rename(name.removeprefix("name."), text.strip())
                bench.tools.selection = {text.strip()}
            if name.startswith("speed."):
                every = next((w.every_ticks for w in design.wires if w.every_ticks), None)
                only = name.partition(".")[2]
                if only.isdigit():
                    every = design.wires[int(only)].every_ticks
                if every:
                    bench.tools.speed = every
        return ""

    def follow(self) -> None:
        """K: keep the packet under the mouse in the middle of the view; again: let it go."""
        bench = self.bench
        packets = bench.session.playback.packets()
        if bench.followed is not None:
            bench.let_go()
        elif packets is not None:
            bench.follow(pick(bench.tools.hits().layout, packets, *bench.camera.to_board(*bench.mouse)))
            bench.say("Following a packet; K lets it go" if bench.followed else "Point at a packet, and press K")

    def breakpoint(self) -> None:
        """B: play stops at the element under the mouse, at the value of the packet there, or at a launch."""
        bench = self.bench
        said = stops.at_launch(bench) or stops.at_value(bench) or stops.at_elements(bench)
        bench.say(said or "Point at a core, at a packet on a wire, or at a launch in the timeline, and press B")

    # --- editing -----------------------------------------------------------------------------------------

    def undo(self) -> None:
        """One step back; right after a design was deleted, that is the step."""
        if self.bench.session.just_deleted:
            self.tabs.restore()
            return
        before = self.bench.session.design
        if self.bench.tools.undo():
            self.bench.context.sounds.play("undo")
            self.bench.moments.changed(before, self.bench.session.design)
        elif self.bench.offers_restore:
            self.tabs.restore()

    def redo(self) -> None:
        before = self.bench.session.design
        if self.bench.tools.redo():
            self.bench.context.sounds.play("connect")
            self.bench.moments.changed(before, self.bench.session.design)

    def brush(self) -> None:
        """V: the speed brush, on or off; one that was held goes off when it is let go."""
        bench = self.bench
        if not shown.has_tool(bench, "brush"):
            bench.say("The speed brush is met in Side by side")
            return
        bench.tools.brush = not bench.tools.brush
        self._brush_since = bench.clock
        if bench.tools.brush and bench.tools.speed is None:
            bench.tools.speed = 100

    def release(self, meaning: str) -> None:
        """A key with this meaning went up."""
        bench = self.bench
        if meaning == "compare":
            bench.comparing = False
        elif meaning == "brush" and bench.clock - self._brush_since >= HELD_S:
            bench.tools.brush = False

    def next(self) -> None:
        """Tab: the next port while a wire is in the hand; otherwise the next design."""
        session = self.bench.session
        if not self.bench.tools.next_port() and len(session.tabs) > 1:
            self.tabs.leave()
            session.show_tab((session.current + 1) % len(session.tabs))

    def compare(self) -> None:
        """C is held: the version before, until it is let go."""
        bench = self.bench
        bench.tools.settle()
        before, now = bench.before.designs
        if before is now:
            bench.say("This is the first version: there is none before it")
        else:
            bench.comparing = True

    def versus(self) -> None:
        """Shift C: the design that is shown beside another one of the level."""
        bench, session = self.bench, self.bench.session
        bench.tools.settle()
        designs = [(tab.item.name, tab.history.design) for tab in session.tabs]
        if len(designs) == 1:
            before, now = bench.before.designs
            if before is now:
                bench.say("There is one design only: make a copy of it, and change that")
                return
            bench.context.ask("versus", Pair(bench.level, (("the version before", before), *designs), 0, 1))
        else:
            before_it = (session.current - 1) % len(designs)
            bench.context.ask("versus", Pair(bench.level, tuple(designs), before_it, session.current))

    # --- looking -----------------------------------------------------------------------------------------

    def _pan(self, x: int, y: int) -> None:
        step = self.bench.context.theme.px(PAN)
        self.bench.camera.pan(x * step, y * step)

    def fit(self) -> None:
        """F: the whole board; again, with something selected: the selection."""
        bench = self.bench
        before = (bench.camera.x, bench.camera.y, bench.camera.step)
        bench.briefing.fit()
        if before == (bench.camera.x, bench.camera.y, bench.camera.step) and bench.tools.selection:
            layout = bench.tools.hits().layout
            places = [p for item in bench.tools.selection if (p := middle_of(layout, item))]
            if places:
                columns, rows = [p[0] for p in places], [p[1] for p in places]
                bench.camera.look_at((min(columns), max(columns)), (min(rows), max(rows)))

    def show_overlay(self, name: str) -> None:
        bench = self.bench
        bench.overlay = None if bench.overlay == name else name
        bench.last_overlay, bench.overlay_since = name, bench.clock

    def toggle_overlay(self) -> None:
        bench = self.bench
        if bench.overlay or bench.last_overlay:
            self.show_overlay(bench.overlay or bench.last_overlay or OVERLAYS[0])

    def why(self) -> None:
        """Y: why does this wait? The chain down to its root."""
        bench = self.bench
        offered, bench.asked_why = bench.moments.offered(), True
        subjects = list(bench.tools.subjects())
        if bench.session.playback.simulation is None or not bench.session.shows_design:
            bench.say("Nothing runs yet")
        elif not subjects and offered is not None:
            bench.reasons.ask(offered)
        elif not subjects:
            bench.say("Point at a wire, a core or a pad, and press Y")
        else:
            bench.reasons.ask(subjects[0])

    def close_why(self) -> None:
        self.bench.why = None

    def show(self, item: Item) -> None:
        """Select an element, and bring it into sight."""
        place = middle_of(self.bench.tools.hits().layout, item)
        if place is not None:
            self.bench.tools.selection = {item}
            self.bench.glide_to(*place)

    def panels(self) -> None:
        self.bench.panels_on = not self.bench.panels_on
        self.bench.relayout()

    def plots(self) -> None:
        self.bench.plots_on = not self.bench.regions.plots.height
        self.bench.relayout()

    def brief(self) -> None:
        self.bench.briefing.toggle()

    def keys(self) -> None:
        self.bench.keys_open = not self.bench.keys_open

    def hint(self) -> None:
        self.bench.briefing.hint()

    def back(self) -> None:
        """Escape: one level back."""
        bench = self.bench
        if bench.keys_open:
            bench.keys_open = False
            return
        if bench.tools.cancel():
            return
        if bench.why is not None:
            bench.why = None
        elif bench.tools.brush:
            bench.tools.brush = False
        elif bench.overlay is not None:
            bench.overlay = None
        elif bench.search:
            bench.search = ""
        elif not bench.briefing.close():
            bench.context.ask("back")
