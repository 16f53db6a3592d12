"""How long after a notch of the wheel the score box shows a figure: in the workbench, level by level."""

from __future__ import annotations

from itertools import pairwise
from time import perf_counter, sleep
from typing import TYPE_CHECKING, TypedDict

from game.bench.stage import FRAME_S, application
from game.bench.times import Times, times
from game.editor.edits import notch
from game.editor.speeds import DETENT_S

if TYPE_CHECKING:
    from game.app import App
    from game.screens.workbench import Workbench

PHASES = 0.618034
"""Each notch comes this share of a frame later in its frame than the one before, modulo one: all phases evenly."""
PATIENCE_S = 10.0
REST_S = DETENT_S + 2 * FRAME_S
"""Between two notches: a wheel that a detent holds turns nothing."""


class Live(TypedDict):
    """From the notch to the end of the frame that shows a figure: the first one, and the final one. ``frame``: all
    frames of that time."""

    first: Times
    final: Times
    frame: Times


def measure(notches: int = 24, levels: list[str] | None = None) -> dict[str, Live]:
    """By level of the campaign (default: all), for its best design. Needs no screen, and some seconds a level."""
    from levels.files import load_design_file
    from levels.lookup import campaign, designs_beside

    found: dict[str, Live] = {}
    for entry in campaign():
        if levels is None or entry.id in levels:
            with application() as app:
                app.show("workbench", entry.id, load_design_file(designs_beside(entry.path)["best"]).design)
                found[entry.id] = _level(app, notches)
    return found


def _level(app: App, notches: int) -> Live:
    """The machine plays, and one wire after the other is turned by a notch and, the next time round, back."""
    from game.screens.workbench import Workbench

    bench = app.screen
    assert isinstance(bench, Workbench)
    bench.briefing.open = False
    bench.session.settle()
    player = _Player(app, bench)
    wires = [i for i, wire in enumerate(bench.session.design.wires) if wire.every_ticks and player.reaches(i)]
    for k in range(notches):
        player.turn(wires[k % len(wires)], 1 if k // len(wires) % 2 else -1, k * PHASES % 1)
    return {"first": times(player.first), "final": times(player.final), "frame": times(player.frames)}


class _Player:
    """Turns the wheel over wires, and looks at the score box after every frame."""

    def __init__(self, app: App, bench: Workbench) -> None:
        self.app, self.bench = app, bench
        self.first: list[float] = []
        self.final: list[float] = []
        self.frames: list[float] = []
        self._next = perf_counter()
        for _ in range(10):
            self._frame()
        self.frames.clear()

    def reaches(self, wire: int) -> bool:
        """Whether the mouse can be put on a wire."""
        return self._place(wire) is not None

    def turn(self, wire: int, way: int, phase: float) -> None:
        """A notch in the middle of a frame's time, and what comes of it; then a moment of rest."""
        import pygame

        before = self.bench.session.design
        every = before.wires[wire].every_ticks
        if every is not None and notch(every, way, detent=self.bench.tools.detents.get(wire)) == every:
            way = -way  # it is as slow, or as fast, as wires go
        pos = self._place(wire)
        pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, pos=pos, rel=(0, 0), buttons=(0, 0, 0)))
        self._frame()
        sleep(max(self._next - FRAME_S * (1 - phase) - perf_counter(), 0))
        posted, frames = perf_counter(), len(self.frames)
        pygame.event.post(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=way, flipped=False, which=0))
        first = None
        score = self.bench.session.score
        while True:
            shown = self._frame()
            if score.figure is not None and score.figure.design is self.bench.session.design is not before:
                first = first or shown
                if not score.stale:
                    break
            if shown - posted > PATIENCE_S:
                raise RuntimeError(f"{self.bench.level.id}: wire {wire} was turned, and no figure came")
        self.first.append(first - posted)
        self.final.append(shown - posted)
        self._rest(posted, frames)

    def _rest(self, since: float, frames: int) -> None:
        """A moment without notches: by the clock, and by the game's own time, in which a detent holds the wheel. On a
        machine under load a frame lasts longer than it tells the game."""
        while perf_counter() < since + REST_S or (len(self.frames) - frames) * FRAME_S < REST_S:
            self._frame()

    def _frame(self) -> float:
        """The next frame, when its time has come; returns when it was on the screen."""
        import pygame

        sleep(max(self._next - perf_counter(), 0))
        began = perf_counter()
        self.app.frame(FRAME_S)
        pygame.display.flip()
        shown = perf_counter()
        self.frames.append(shown - began)
        self._next = max(self._next + FRAME_S, shown)
        return shown

    def _place(self, wire: int) -> tuple[int, int] | None:
        """A place on the screen where the wheel acts on this wire."""
        bench = self.bench
        for (ax, ay), (bx, by) in pairwise(bench.session.design.wires[wire].path):
            for share in (0.5, 0.25, 0.75):
                x, y = bench.camera.to_screen(ax + (bx - ax) * share + 0.5, ay + (by - ay) * share + 0.5)
                pos = (round(x), round(y))
                hits = bench.tools.hits()
                over = hits.wire_at(bench.camera, pos) == wire and hits.core_at(bench.camera, pos) is None
                if over and bench.panel_at(pos) is None:
                    return pos
        return None
