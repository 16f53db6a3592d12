"""Probes on the workbench: T, the lanes in the plots, and the time that all plots show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.model import Design
from game.panels.lanes import Lane, LanesModel, room_for
from game.probes import MOST_LANES, Probes
from game.recorder import Item, States, Wave
from game.session import STUDY_S
from game.view.badges import value_text

if TYPE_CHECKING:
    from game.screens.workbench import Workbench

PAGES = (500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000)
"""Ticks that the plots show where they follow the playhead, page by page."""
PAGE = 2_000
MANY_TICKS = 2_000


class Probing:
    """The probes of a workbench. ``page``: ticks of a page; 0 while the plots show the whole run or its window."""

    def __init__(self, bench: Workbench) -> None:
        self.bench = bench
        self.probes = Probes(bench.level, bench.session.engine)
        self.page = 0
        self.windowed = False
        self.first = 0
        """The first lane that is shown."""
        self._engine = bench.session.engine

    # --- what is done --------------------------------------------------------------------------------------

    def toggle(self) -> None:
        """T: probe the wire, port or core under the mouse; again: no longer."""
        bench = self.bench
        items = self._pointed()
        if not items:
            bench.say("Point at a wire, a port or a core, and press T")
            return
        if any(core.id in items and core.core == "shared" for core in bench.session.design.cores):
            bench.say("A shared memory has several ports: point at one of them, or at its wire")
            return
        none = not self.probes.lanes
        added = self.probes.toggle(bench.session.design, items)
        if added is None:
            bench.say(f"There is room for {MOST_LANES} probes: T on what has one takes it away")
            return
        bench.context.sounds.play("connect" if added else "undo")
        self.first = max(len(self.probes.lanes) - 1, 0)  # the newest one is in sight
        if not added:
            return
        bench.plot_tab = "probes"
        if none and not self.page:
            self.page, self.windowed = PAGE, False
        if not bench.regions.plots.height:
            bench.deeds.plots()
        if not bench.regions.plots.height:
            bench.say("Probed; the window is too small for the plots")

    def _pointed(self) -> list[Item]:
        """What T means: the wire under the mouse, or those at the port there, or the core; else what is selected."""
        tools, design = self.bench.tools, self.bench.session.design
        if isinstance(tools.hover, int):
            return [tools.hover]
        port = tools.hover_port
        if port is not None:
            found: list[Item] = [
                w
                for w, wire in enumerate(design.wires)
                if (port.is_input and (port.element, port.port) in wire.ends)
                or (not port.is_input and wire.start[:2] == (port.element, port.port))
            ]
            if found:
                return found
        if tools.hover is not None:
            return [tools.hover]
        wires = [item for item in tools.selection if isinstance(item, int) and item < len(design.wires)]
        return [*sorted(wires), *sorted(item for item in tools.selection if isinstance(item, str))]

    def remove(self, lane: int) -> None:
        """The cross of a lane, or a right click on it."""
        if lane < len(self.probes.lanes):
            self.probes.remove(lane)
            self.bench.context.sounds.play("undo")

    def show(self, lane: int) -> None:
        """Select a lane's wire, and bring it into sight."""
        place = self.probes.places(self.bench.session.design)[lane]
        if place is not None:
            self.bench.deeds.show(place)

    def scope(self) -> None:
        """What the plots show: the whole run, the window that is scored, some time round the playhead."""
        if self.page:
            self.page, self.windowed = 0, False
        elif self.windowed or self._window() is None:
            self.page, self.windowed = PAGE, False
        else:
            self.windowed = True

    def wheel(self, notches: int, names: bool) -> None:
        """The wheel over the plots: less or more time; over the names of lanes it goes through the lanes."""
        if names:
            room = room_for(self.bench.context.theme, self.bench.plots.rect.height - self.bench.context.theme.px(18))
            most = max(len(self.probes.lanes) - room, 0)
            self.first = min(max(min(self.first, most) - notches, 0), most)
            return
        first, last = self.span()
        now = self.page or last - first
        if notches > 0:
            smaller = [page for page in PAGES if page < now]
            self.page = smaller[-1] if smaller else PAGES[0]
        elif self.page:
            larger = [page for page in PAGES if page > self.page and page < self._end()]
            self.page = larger[0] if larger else 0
        if self.page:
            self.windowed = False

    def close(self) -> None:
        """End the thread."""
        self.probes.close()

    # --- time ------------------------------------------------------------------------------------------------

    def update(self) -> None:
        """Keep what the lanes show up to date with the design and the time."""
        session = self.bench.session
        if session.engine != self._engine:
            self._engine = session.engine
            self.probes.use_engine(session.engine)
        if not self.probes.lanes or not session.shows_design or session.playback.simulation is None:
            return
        calm = session.clock - session.edited_at >= STUDY_S
        self.probes.update(session.design, self.span()[1], calm)

    def wait(self, seconds: float) -> None:
        """Wait for the background. For tests and pictures."""
        self.update()
        self.probes.wait(seconds)
        self.update()

    def _end(self) -> int:
        trace = self.bench.session.trace
        return trace.end if trace is not None else MANY_TICKS

    def _window(self) -> tuple[int, int] | None:
        report = self.bench.session.report
        if report is None or report.window is None:
            return None
        return round(report.window.start_ns * 100), round(report.window.end_ns * 100)

    def span(self) -> tuple[int, int]:
        """Ticks that the plots show. A page turns when the playhead comes to its end."""
        if self.page:
            first = self.bench.session.playback.tick // self.page * self.page
            return first, first + self.page
        return (self._window() if self.windowed else None) or (0, self._end())

    # --- what is shown ---------------------------------------------------------------------------------------

    def scope_text(self) -> str:
        """What the plots show, in words."""
        if self.page:
            return f"{self.page / 100:g} ns"
        return "window" if self.windowed and self._window() else "whole run"

    def model(self) -> LanesModel | None:
        """The lanes; None while there are none."""
        probes, bench = self.probes, self.bench
        if not probes.lanes:
            return None
        design, recording = bench.session.design, probes.recording
        layout, tick = bench.tools.hits().layout, bench.session.playback.tick
        stale = recording is None or recording.design is not design
        lanes = []
        for number, place in enumerate(probes.places(design)):
            wave = probes.wave(number)
            is_float = isinstance(place, int) and place < len(layout.floats) and layout.floats[place]
            value = "" if stale or wave is None else self._value(wave, tick, is_float)
            name = _short(design, place) if isinstance(place, int) else probes.lanes[number][-1]
            tip = f"{_long(design, place)}: click to go there" if place is not None else name
            lanes.append(Lane(name, tip, wave, is_float, value, place is None))
        until = recording.until if recording is not None else 0
        return LanesModel(tuple(lanes), self.first, until, stale, bench.base, bench.overlay == "launches")

    def _value(self, wave: Wave | States, tick: int, is_float: bool) -> str:
        """The word at the wire's end at the playhead, or what the core does."""
        if isinstance(wave, States):
            return wave.state_at(tick)
        k = wave.index_at(tick)
        if k is None:
            return ""
        return " ".join(value_text(int(word), is_float, self.bench.base) for word in wave.words[k])


def _short(design: Design, wire: int) -> str:
    """A wire by the core that gives and the port that takes."""
    spec = design.wires[wire]
    return f"{spec.start[0]} → {spec.to[0].partition('[')[0]}"


def _long(design: Design, item: Item) -> str:
    if isinstance(item, str):
        return f"{item}: busy green, blocked hatched"
    spec = design.wires[item]
    return f"{spec.source} → {', '.join(spec.to)}"
