"""The workbench: the board, everything round it, and the events that go to either."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import pygame

from engine.model import Design
from game.editor.hand import Mods
from game.editor.tools import Tools
from game.follow import Followed, follow
from game.keys import Bindings
from game.panels.cards import Brief, Toast, ToastModel, Why, WhyModel
from game.panels.corner import Chips, Map
from game.panels.header import Header
from game.panels.inspector import Inspector
from game.panels.keys import Keys
from game.panels.kit import Panel, Zone
from game.panels.palette import Palette
from game.panels.plots import Plots
from game.panels.regions import Regions, regions
from game.panels.sky import FLIGHT_S, Sky, altitude
from game.panels.timeline import Timeline
from game.panels.transport import Transport
from game.panels.versus import VersusCard
from game.rows import Subject
from game.screens import shown, stage
from game.screens.base import Context
from game.screens.briefing import Briefing
from game.screens.causes import Reasons
from game.screens.compared import Before
from game.screens.deeds import REPEATS, Deeds
from game.screens.ideas import Ideas
from game.screens.moments import Moments
from game.screens.probing import Probing
from game.screens.windows import Windows
from game.session import Session
from game.shell.places import SANDBOX
from game.shell.tools_said import news
from game.theme import Theme
from game.view.camera import Camera
from game.view.scene import Base, Chain
from game.view.still import BoardView

if TYPE_CHECKING:
    from game.forms.desk import Desk
    from game.forms.entry import Entry

DOUBLE_S = 0.35
TOAST_S = 4.0
NOTICE_S = 15.0
"""So long is told what happens to the data folder while one is at work."""
GLIDE_S = 0.25
NEWS_S = 10.0
"""So long are new tools told of, while there is nothing else to say."""
NEWS_GOES_S = 1.0
"""So long still after a press: whoever goes on has read them, or wants to see the board."""
SPIN_S, SPIN_NOTCHES = 0.2, 4
"""A wheel is spun when more notches than this come in this time. Somebody who looks at the score rolls 5 to 8 a second,
which is none."""
FLIGHTS = 4
"""Rockets that are drawn in one second at most."""


class Workbench:
    """One level, open. Events come one by one, each with its own position."""

    def __init__(self, context: Context, level: str, design: Design | None = None) -> None:
        self.context = context
        engine = "auto" if context.engine_ready else "plain"
        last = context.progress.setting(f"design {level}")
        self.session = Session(
            level, context.shelf, engine=engine, design=design, aside=context.aside, kept=context.histories, last=last
        )
        self.level = self.session.level
        self.bindings = Bindings(shown.bindings_of(context.progress.setting("keys", {})))
        self.camera = Camera(*self.level.board.size, (0, 0, 100, 100))
        self.view = BoardView()
        self.header, self.palette, self.inspector = Header(), Palette(), Inspector()
        self.transport, self.timeline, self.plots, self.sky = Transport(), Timeline(), Plots(), Sky()
        self.brief_card, self.why_card, self.toast_card = Brief(), Why(), Toast()
        self.chips, self.map = Chips(), Map()
        self.keys_card = Keys()
        self.chips_open = self.keys_open = False
        self.tools = self._tools()
        self.deeds = Deeds(self)
        self.field: Entry | None = None
        self._desk: Desk | None = None
        self.windows = Windows(self)
        self.briefing = Briefing(self)
        self.probing = Probing(self)
        self.reasons = Reasons(self)
        self.mouse: tuple[float, float] = (-1.0, -1.0)
        self.mods = Mods()
        self.clock = 0.0
        self.rested = 0.0
        self.trackpad = False
        self.why: tuple[WhyModel, Chain] | None = None
        self.toast: tuple[ToastModel, float] | None = None
        self.overlay: str | None = None
        self.overlay_since = 0.0
        self.last_overlay: str | None = None
        self.panels_on = True
        self.plots_on: bool | None = None
        """None: the plots are shown where there is room for them."""
        self.plot_tab = "power"
        self.search = ""
        self.base: Base = "decimal"
        self.scroll = {"palette": 0, "inspector": 0}
        self.comparing = False
        self.before, self.versus_card = Before(self), VersusCard()
        self.moments, self.ideas = Moments(self), Ideas(self)
        self.launching = False
        self.best = 0.0
        self.waiting_s = 0.0
        self.asked_why = False
        self.followed: Followed | None = None
        self._home = (0.0, 0.0, 0)
        self.medal: int | None = None
        """Lights of the machine on the board when it was last scored; None before."""
        self.praise_until = 0.0
        self.news, self.news_until = "", 0.0
        self.known_tools: frozenset[str] = frozenset()
        self.described: tuple[object, Subject, object] | None = None
        self.rockets: list[tuple[float, float, float]] = []
        self._flown = 0
        self._held: Zone | None = None
        self._on_board = self._carrying = False
        self._glide: tuple[float, float, float, float, float] | None = None
        self._tab = self.session.tab
        self._keys_held: set[int] = set()
        self._keys_down: set[int] = set()
        self._rolls: list[float] = []
        self._pressed: tuple[int, tuple[float, float]] | None = None
        self._clicked: tuple[float, tuple[float, float], int] = (-1.0, (0.0, 0.0), 0)
        self._fitted_to: tuple[tuple[int, int], Theme] = (context.size, context.theme)
        self.regions: Regions = regions(context.size, context.theme)
        self.resize(context.size)

    def _tools(self) -> Tools:
        tools = Tools(self.level, self.session.history, self.camera)
        tools.on_sound = self._sound
        tools.on_say = self.say
        return tools

    def _sound(self, name: str) -> None:
        """A sound of the hand; the detent says what it means as well."""
        self.context.sounds.play(name)
        if name == "detent":
            self.say("In step", "good", seconds=1.0)

    # --- the screen's own life ---------------------------------------------------------------------------

    def enter(self) -> None:
        """Shown, again perhaps: the window's size and the player's best may be others."""
        if self._fitted_to != (self.context.size, self.context.theme):
            self.resize(self.context.size)
        self.bindings = Bindings(shown.bindings_of(self.context.progress.setting("keys", {})))
        self.trackpad = self.context.progress.setting("trackpad", False) is True
        notices = self.context.notices()
        if notices:
            title = "Set aside" if any(notice.aside for notice in notices) else "About the data folder"
            self.windows.tell(title, "\n".join(notice.message for notice in notices))
        best = self.context.progress.best(self.level.id, shown.hash_of(self.level))
        self.best = best.efficiency if best else 0.0
        for tool in self.level.tools or ():
            self.context.progress.unlock(tool)
        self.known_tools = frozenset(self.context.progress.tools())
        self._tell_tools()
        self.session.playback.playing = self.session.wants_to_play and self.session.playback.simulation is not None
        if self.context.look_at is not None:
            self.deeds.show(self.context.look_at)
            self.context.look_at = None

    def _tell_tools(self) -> None:
        """Announce the tools that are here for the first time."""
        new = self.known_tools.difference(self._told())
        if new and not self.news:
            self.news, self.news_until = news(new), self.clock + NEWS_S

    def leave(self) -> None:
        """Hidden or closed: nothing that was made may be lost."""
        self.windows.close()
        self.commit_field()
        self._let_all_go()
        self.tools.settle()
        self.session.save()
        self._remember()
        self.session.wants_to_play = self.session.playback.playing
        self.session.playback.playing = False
        self.moments.leave()
        # Keys that are let go on another screen are not told here.
        self._keys_held.clear()
        self._keys_down.clear()
        self.mods = Mods()

    def close(self) -> None:
        """Gone for good."""
        self.before.close()
        self.ideas.close()
        self.probing.close()
        self.reasons.close()
        self.deeds.keepsakes.close()
        self.session.close()

    def resize(self, size: tuple[int, int]) -> None:
        """The window has another size: everything keeps its place, the board is fitted if it was."""
        self.regions = regions(size, self.context.theme, panels=self.panels_on, plots=self.plots_on)
        board = self.regions.board
        self.camera.view = (board.x, board.y, board.width, board.height)
        self.camera.scale = self.context.theme.scale
        self.briefing.fit()
        self._fitted_to = (self.context.size, self.context.theme)
        self.windows.close()
        field, self._desk = self.field, None
        if field is not None:
            self.type(field.name, field.text)

    @property
    def desk(self) -> Desk:
        """Where fields and tips stand. It is made when it is first asked for: few levels begin with either."""
        if self._desk is None:
            from game.forms.desk import Desk

            self._desk = Desk(self.context.size, self.context.theme)
        return self._desk

    @property
    def has_desk(self) -> bool:
        """Whether the desk was asked for."""
        return self._desk is not None

    def tile_on_screen(self, at: tuple[int, int]) -> pygame.Rect:
        """Where a tile stands on the screen."""
        x, y = self.camera.to_screen(*at)
        return pygame.Rect(round(x), round(y), self.camera.tile, self.camera.tile)

    def relayout(self) -> None:
        """Panels were shown or hidden: the board keeps its zoom."""
        self.regions = regions(self.context.size, self.context.theme, panels=self.panels_on, plots=self.plots_on)
        board = self.regions.board
        self.camera.view = (board.x, board.y, board.width, board.height)

    # --- events ------------------------------------------------------------------------------------------

    def handle(self, event: pygame.event.Event) -> None:
        """One event."""
        if getattr(event, "key", None) not in MODIFIERS and self.windows.handle(event):
            return
        if self._desk is not None and event.type in _TYPED:
            self.desk.handle(event)
        if event.type in (pygame.KEYDOWN, pygame.MOUSEBUTTONDOWN):
            self.moments.skip()
        if event.type == pygame.MOUSEBUTTONDOWN:
            self.news_until = min(self.news_until, self.clock + NEWS_GOES_S)
        match event.type:
            case pygame.KEYDOWN:
                self._key(event)
                if self._desk is not None:
                    self._desk.heard(event)
            case pygame.KEYUP:
                self._key_up(event)
            case pygame.MOUSEMOTION:
                if not any(getattr(event, "buttons", (1,))):
                    self._let_all_go()  # a button went up where nobody saw it
                self._motion(event.pos, event.rel)
            case pygame.MOUSEBUTTONDOWN if event.button in (1, 2, 3):
                if not self._in_field(event):
                    self._press(event.button, event.pos)
            case pygame.MOUSEBUTTONUP if event.button in (1, 2, 3):
                self._release(event.button, event.pos)
            case pygame.MOUSEWHEEL:
                self._wheel(event.x, event.y)
            case pygame.WINDOWFOCUSLOST | pygame.WINDOWHIDDEN | pygame.WINDOWMINIMIZED:
                self._let_all_go()
                self._keys_held.clear()
                self._keys_down.clear()
                self.mods = Mods()
                self.comparing = False
        self._same_history()

    def _let_all_go(self) -> None:
        """No button is held any more, and no release will come: what was under way is given up."""
        self._held = self._pressed = None
        self._on_board = self._carrying = False
        if self.tools.holding:
            self.tools.give_up()

    def _same_history(self) -> None:
        """Another design may be shown now: the hand goes over to its history."""
        if self.session.tab is not self._tab:
            self._tab = self.session.tab
            self.tools.cancel()
            self.tools = self._tools()
            self.why = self.medal = None

    def _remember(self) -> None:
        """Note where the player was at work, as "continue" leads back there, and what he has been told."""
        level, key, progress = self.level.id, self.session.tab.item.key, self.context.progress
        place: dict[str, object] = {f"design {level}": key} if key else {}
        if key and level != SANDBOX:
            place["last_level"] = level
        told = {"told": sorted({*self._told(), *self.known_tools})} if self.known_tools else {}
        with suppress(OSError):
            progress.put_settings({**place, **told, **self.briefing.settings()})

    def _told(self) -> list[str]:
        """Tools that were announced."""
        told = self.context.progress.setting("told")
        return [tool for tool in told if isinstance(tool, str)] if isinstance(told, list) else []

    def _hold(self, key: int, down: bool) -> None:
        if down:
            self._keys_held.add(key)
        else:
            self._keys_held.discard(key)
        held = self._keys_held
        self.mods = Mods(
            shift=bool(held & {pygame.K_LSHIFT, pygame.K_RSHIFT}),
            ctrl=bool(held & {pygame.K_LCTRL, pygame.K_RCTRL, pygame.K_LMETA, pygame.K_RMETA}),
            alt=bool(held & {pygame.K_LALT, pygame.K_RALT}),
        )

    def _key(self, event: pygame.event.Event) -> None:
        if event.key in MODIFIERS:
            self._hold(event.key, True)
            return
        mod = getattr(event, "mod", 0)
        ctrl = self.mods.ctrl or bool(mod & (pygame.KMOD_CTRL | pygame.KMOD_META))
        shift = self.mods.shift or bool(mod & pygame.KMOD_SHIFT)
        if self.field is not None:
            self._type(event)
            return
        meaning = self.bindings.meaning(event.key, ctrl=ctrl, shift=shift)
        again = event.key in self._keys_down
        self._keys_down.add(event.key)
        if meaning is not None and (not again or meaning in REPEATS):
            self.deeds.key(meaning)

    def _key_up(self, event: pygame.event.Event) -> None:
        self._keys_down.discard(event.key)
        if event.key in MODIFIERS:
            self._hold(event.key, False)
        elif (meaning := self.bindings.meaning(event.key, ctrl=False, shift=False)) is not None:
            self.deeds.release(meaning)

    # --- what is typed -----------------------------------------------------------------------------------

    def type(self, name: str, text: str) -> None:
        """Open a field; what is typed goes there until it is closed."""
        from game.forms.entry import Entry

        self.close_field()
        self.field = Entry(self.desk, name, text, mono=name not in ("search", "rename"))

    def close_field(self) -> None:
        """Give up what is typed."""
        if self.field is not None:
            self.field.kill()
            self.field = None

    def commit_field(self) -> None:
        """Make an edit of what was typed; where it is wrong the field stays and says so."""
        if self.field is None:
            return
        wrong = self.deeds.typed(self.field.name, self.field.text)
        if wrong:
            self.field.refuse(wrong)
        else:
            self.close_field()

    def _type(self, event: pygame.event.Event) -> None:
        assert self.field
        searching = self.searching
        if event.key == pygame.K_ESCAPE:
            self.close_field()
            if searching:
                self.search = ""
        elif event.key in (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_TAB):
            self.commit_field()
            if searching:
                parts = shown.palette(self).parts
                if parts and self.search:
                    self.deeds.do(("take", parts[0].core))
                self.search = ""
        else:
            self.desk.handle(event)
            if searching:
                self.search = self.field.text

    def _in_field(self, event: pygame.event.Event) -> bool:
        """Whether a press went into the field that is open: it sets the cursor there."""
        if self.field is None or event.button != 1 or not self.field.visible or not self.field.hover_point(*event.pos):
            return False
        self.mouse, self.rested = event.pos, -1e9
        self.desk.handle(event)
        return True

    def panel_at(self, pos: tuple[float, float]) -> Panel | None:
        """The card or panel under a position; None over the board."""
        for panel in (
            self.keys_card,
            *((self.chips,) if self.chips_open else ()),
            self.toast_card,
            self.why_card,
            self.brief_card,
            self.chips,
            self.map,
            self.header,
            self.palette,
            self.inspector,
            self.sky,
            self.transport,
            self.timeline,
            self.plots,
        ):
            through = panel is self.toast_card and not panel.zones  # words alone are in nobody's way
            if panel.rect.width and panel.rect.collidepoint(pos) and not through:
                return panel
        return None

    def _motion(self, pos: tuple[float, float], rel: tuple[float, float]) -> None:
        self.mouse = pos
        self.rested = 0.0
        if self._held is not None:
            self.deeds.drag(self._held, pos)
        elif self._on_board or (self.panel_at(pos) is None and self.regions.board.collidepoint(pos)):
            self.tools.motion(pos, rel, self.mods)
        else:
            self.tools.pos = pos
            self.tools.hover = self.tools.hover_port = None

    def _press(self, button: int, pos: tuple[float, float]) -> None:
        self.mouse = pos
        self.rested = -1e9
        panel = self.panel_at(pos)
        if panel is not None:
            self.tools.settle()
        zone = panel.zone_at(pos) if panel else None
        self.commit_field()
        self.close_field()  # what was wrong is given up for the click
        if panel is None:
            self._on_board = True
            self._pressed = None if self.tools.hand else (button, pos)
            self.tools.press(button, pos, self.mods)
        elif zone is not None and button == 1:
            self._held = zone if zone.drag else None
            self._carrying = zone.action[0] == "take"
            if zone.drag:
                self.briefing.grip(pos)
                self.deeds.drag(zone, pos)
            else:
                self.deeds.do(zone.action)
        elif zone is not None and button == 3 and zone.name.startswith("lane."):
            self.deeds.do(("lane.remove", int(zone.name.split(".")[1])))

    def _twice(self, button: int, pos: tuple[float, float]) -> None:
        """A second click soon after the first: rename a core, select the whole net of a wire."""
        before, self._clicked = self._clicked, (self.clock, pos, button)
        near = max(abs(pos[0] - before[1][0]), abs(pos[1] - before[1][1])) <= 3
        if button != 1 or before[2] != 1 or self.clock - before[0] > DOUBLE_S or not near or self.tools.hand:
            return
        hover = self.tools.hover
        if isinstance(hover, int):
            start = self.session.design.wires[hover].start[:2]
            self.tools.selection = {i for i, w in enumerate(self.session.design.wires) if w.start[:2] == start}
        elif any(core.id == hover for core in self.session.design.cores):
            self.deeds.do(("type", f"name.{hover}"))

    def _release(self, button: int, pos: tuple[float, float]) -> None:
        self.mouse = pos
        self._held = None
        if self._carrying and button == 1:
            self._carrying = False
            if self.panel_at(pos) is None and self.regions.board.collidepoint(pos):  # dragged out of the palette
                self.tools.press(button, pos, self.mods)
                self.tools.release(button, pos, self.mods)
        if self._on_board:
            self.tools.release(button, pos, self.mods)
            self._on_board = self.tools.holding
            if self._pressed == (button, pos):
                self._twice(button, pos)
            self._pressed = None

    def _wheel(self, x: int, y: int) -> None:
        panel = self.panel_at(self.mouse)
        if panel in (self.palette, self.inspector):
            name = "palette" if panel is self.palette else "inspector"
            overflow = self.palette.overflow if name == "palette" else self.inspector.overflow
            most = max(self.scroll[name], 0) if overflow == 0 else overflow
            self.scroll[name] = min(max(self.scroll[name] - y * self.context.theme.px(40), 0), most if overflow else 0)
        elif panel is self.plots and y:
            zone = panel.zone_at(self.mouse)
            names = zone is not None and zone.name.startswith("lane.") and not zone.name.endswith(".wave")
            self.probing.wheel(y, names)
        elif panel is None and (y or x):
            self.rested = stage.TIP_S  # a speed is told while it is turned
            if y:
                # On a trackpad two fingers would change speeds by accident: there it takes Alt.
                if self.trackpad and not self.mods.alt:
                    self.tools.wheel(y, self.mouse, Mods(ctrl=True))
                else:
                    self.tools.wheel(y * self._pace_of_wheel(), self.mouse, self.mods)
            else:
                self.camera.pan(-x * self.context.theme.px(60), 0)

    def _pace_of_wheel(self) -> int:
        """A wheel that is spun turns a speed further with every notch: past so many notches in so short a time."""
        if not isinstance(self.tools.hits().wire_at(self.camera, self.mouse), int):
            return 1
        self._rolls = [t for t in self._rolls if self.clock - t < SPIN_S] + [self.clock]
        return 3 if len(self._rolls) > SPIN_NOTCHES else 1

    # --- time --------------------------------------------------------------------------------------------

    def update(self, seconds: float) -> None:
        """Let time pass."""
        self.clock += seconds
        self.rested += seconds
        if self._desk is not None:
            self._desk.update(seconds)
        self.tools.wait(seconds)
        self._same_history()
        if self.context.engine_ready and self.session.engine == "plain":
            self.session.use_engine("auto")
        before = self.session.playback.halted
        news = self.session.update(seconds)
        self.probing.update()
        self.reasons.update()
        self.tools.detents = dict(self.session.insight.detents) if self.session.insight.design.wires else {}
        halted = self.session.playback.halted
        if halted and halted != before:
            self.deeds.running.halted()
        for scored in news:
            self.deeds.running.scored(scored)
        if self.toast and self.clock > self.toast[1]:
            self.toast = None
        if self.offers_restore and not self.session.just_deleted and self.session.history.undo_label:
            self.toast = None  # there is something else that Ctrl+Z takes back first
        for notice in self.context.notices():
            self.say(notice.message, "warm", seconds=NOTICE_S)
        self.moments.update(seconds)
        self.ideas.update()
        self._fly(seconds)
        self.deeds.keepsakes.update()
        self.briefing.update()
        self.waiting_s = self.waiting_s + seconds if self.session.jammed else 0.0
        self._follow()
        if self._glide:
            x0, y0, x1, y1, spent = self._glide
            share = min((spent + seconds) / GLIDE_S, 1.0)
            ease = 1 - (1 - share) ** 2
            self.camera.x, self.camera.y = x0 + (x1 - x0) * ease, y0 + (y1 - y0) * ease
            self._glide = None if share >= 1 else (x0, y0, x1, y1, spent + seconds)

    def follow(self, packet: Followed | None) -> None:
        """Keep a packet in the middle of the view from now on."""
        self.followed = packet
        self._home = self.camera.x, self.camera.y, self.camera.step

    def let_go(self) -> None:
        """The packet goes its way, and the view back to where it was."""
        if self.followed is None:
            return
        self.followed = None
        x, y, step = self._home
        if self.context.theme.reduced_motion or step != self.camera.step:
            self.camera.x, self.camera.y, self.camera.step = self._home
        else:
            self._glide = (self.camera.x, self.camera.y, x, y, 0.0)

    def _follow(self) -> None:
        """The view goes with the packet that is followed; once that has arrived, back."""
        if self.followed is None:
            return
        playback = self.session.playback
        packets, netlist = playback.packets(), playback.netlist
        now = None
        if packets is not None and netlist is not None and self.session.shows_design:
            now = follow(self.tools.hits().layout, netlist, packets, self.followed)
        if now is None:
            self.let_go()
        else:
            self.followed = now
            self.camera.x, self.camera.y = now.x, now.y

    def glide_to(self, column: float, row: float) -> None:
        """Pan until a place on the board is in sight; not at all if it is."""
        x, y = self.camera.to_screen(column, row)
        board = self.regions.board.inflate(-self.context.theme.px(80), -self.context.theme.px(80))
        if board.collidepoint(x, y):
            return
        if self.context.theme.reduced_motion:
            self.camera.x, self.camera.y = column, row
        else:
            self._glide = (self.camera.x, self.camera.y, column, row, 0.0)

    def say(
        self,
        text: str,
        tone: str = "",
        action: tuple[str, ...] | None = None,
        button: str = "",
        seconds: float = TOAST_S,
    ) -> None:
        """A short message."""
        self.toast = (ToastModel(text, tone, action, button), self.clock + seconds)

    def _fly(self, seconds: float) -> None:
        """Rockets: one for every launch that the playhead passes, as high as the launch's own energy allows."""
        playback = self.session.playback
        self.rockets = [(r, f + seconds / FLIGHT_S, w) for r, f, w in self.rockets if f + seconds / FLIGHT_S < 1]
        done = len(playback.completions()) if playback.playing else self._flown
        trace = self.session.trace
        first = self.moments.first_s is not None  # whose own rocket comes a little later
        if done > self._flown and trace is not None and len(self.rockets) < FLIGHTS and not first:
            k = min(done, len(trace.joules)) - 1
            if k >= 0 and trace.joules[k] > 0:
                efficiency = 1000 / float(trace.joules[k])
                reach = altitude(efficiency, self.level.medals)
                self.rockets.append((reach, 0.0, 1 - reach))
                self.context.sounds.play("launch")
        self._flown = done

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the whole screen."""
        stage.draw(self, surface)

    @property
    def offers_restore(self) -> bool:
        """Whether a card offers to bring back the design that was deleted last."""
        return self.toast is not None and self.toast[0].action == ("tab.restore",)

    @property
    def searching(self) -> bool:
        """Whether a search of parts is being typed."""
        return self.field is not None and self.field.name == "search"


_TYPED = (pygame.TEXTINPUT, pygame.MOUSEMOTION, pygame.MOUSEBUTTONUP)
"""What a field wants to know besides keys and presses."""

MODIFIERS = frozenset(
    {
        pygame.K_LSHIFT,
        pygame.K_RSHIFT,
        pygame.K_LCTRL,
        pygame.K_RCTRL,
        pygame.K_LALT,
        pygame.K_RALT,
        pygame.K_LMETA,
        pygame.K_RMETA,
    }
)
