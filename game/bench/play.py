"""How long a frame of the whole workbench takes while the large machine runs: what a player sees."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from game.bench.board import FULL_NS, large_design, large_level
from game.bench.stage import FRAME_S, application
from game.bench.times import Times, times
from levels.save import save_level

if TYPE_CHECKING:
    from game.app import App
    from game.screens.workbench import Workbench

PACES = (10.0, 100.0, 1e9)
"""ns per second: to look on, to wait, and as fast as it goes."""


def measure(frames: int = 120) -> dict[str, Times]:
    """The frame time by scene, events, time and drawing included. Needs no screen."""
    from game.theme import TILE_STEPS
    from game.view.scene import OVERLAYS

    found: dict[str, Times] = {}
    with workbench() as (app, bench):
        bench.briefing.open = False
        playback = bench.session.playback

        def scene(name: str, change: Callable[[int], None] = lambda frame: None) -> None:
            playback.seek(round(FULL_NS * 100))
            playback.playing = True
            spent = []
            for frame in range(-5, frames):
                change(frame)
                began = perf_counter()
                app.frame(FRAME_S)
                spent.append(perf_counter() - began)
            found[name] = times(spent[5:])
            if not playback.playing:
                raise RuntimeError(f"{name}: the machine stands still: {playback.halted}")

        for pace in PACES:
            playback.pace = pace
            scene("playing as fast as it goes" if pace > 1e6 else f"playing {pace:g} ns/s")
        playback.pace = PACES[0]
        for overlay in OVERLAYS:
            bench.overlay = overlay
            scene(f"playing, {overlay}")
        bench.overlay = None
        for tile in (32, 64):
            bench.camera.step = TILE_STEPS.index(tile)
            scene(f"playing at {tile}")
        bench.camera.step = TILE_STEPS.index(32)
        scene("playing, panning", lambda frame: bench.camera.pan(-14 if frame // 60 % 2 else 14, -6))
        bench.camera.step = TILE_STEPS.index(16)
        middle = bench.regions.board.center
        scene("playing, zooming", lambda frame: _zoom(bench, frame, middle))
    return found


def _zoom(bench: Workbench, frame: int, at: tuple[int, int]) -> None:
    """A step every eighth frame, four in and four out."""
    if frame % 8 == 0:
        bench.camera.zoom(1 if frame // 32 % 2 == 0 else -1, *at)


@contextmanager
def workbench() -> Iterator[tuple[App, Workbench]]:
    """The application without a screen, with the large machine on its workbench."""
    from game.screens.workbench import Workbench

    with tempfile.TemporaryDirectory() as folder, application() as app:
        path = Path(folder, "bench-01-large.yaml")
        save_level(large_level(), path)
        app.show("workbench", str(path), large_design())
        assert isinstance(app.screen, Workbench)
        app.screen.session.studies = False
        app.screen.session.settle()
        yield app, app.screen
