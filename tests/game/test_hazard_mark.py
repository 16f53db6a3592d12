"""A machine that works by luck: from its launch to the mark on the board."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from engine.model import Hazard
from engine.simulation import simulate
from game.app import App, theme_of
from game.screens import shown
from game.screens.registry import SCREENS
from game.screens.result import Result
from game.screens.stage import scene
from game.screens.workbench import Workbench
from game.shell.launching import launch
from game.theme import YELLOW
from tests.engine.test_hazard import page

SIZE = (1280, 720)


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    made = App(SCREENS, data=tmp_path, size=SIZE)
    made.context.theme = theme_of(made.progress)
    made.context.engine_ready = True
    yield made
    made.close()


def yellows(app: App, bench: Workbench, element: str) -> int:
    """Pixels of this colour on the element's tile and a bit around it."""
    surface = pygame.Surface(SIZE)
    for _ in range(30):  # the board opens
        app.frame(1 / 30, surface)
    at = shown.place_of(bench, element)
    assert at
    x, y = bench.camera.to_screen(*at)
    tile = bench.camera.tile
    around = pygame.Rect(round(x), round(y), tile, tile).inflate(tile // 2, tile // 2)
    mask = pygame.mask.from_threshold(surface.subsurface(around), YELLOW, (2, 2, 2, 255))
    return mask.count()


def test_the_place_is_marked_until_the_machine_is_another(app: App) -> None:
    """The result's button leads to the place; the mark goes with an edit and comes again with its undo."""
    level, design = page(4.5)
    app.show("workbench", level.id)
    bench = app.screen
    assert isinstance(bench, Workbench)
    bench.session.history.do(design, "all of it")
    bench.briefing.open = False
    assert yellows(app, bench, "page") == 0
    app.show("result", launch(app.progress, level, design, simulate(level, design), keep=False))
    result = app.screen
    assert isinstance(result, Result)
    assert result.wait(60)
    app.frame(1 / 60)
    words = " ".join(w.words for w in result.written)
    assert "It works by luck" in words
    assert "hollow" not in words  # there is no medal
    result.press("show hazard")
    app.frame(1 / 60)
    assert app.screen is bench
    assert bench.tools.selection == {"page"}
    bench.tools.selection = set()
    assert scene(bench).hazard == ("page", None)
    marked = yellows(app, bench, "page")
    assert marked > 8
    bench.session.history.do(design.model_copy(update={"name": "another"}), "name")
    assert scene(bench).hazard is None
    assert yellows(app, bench, "page") == 0
    bench.session.history.undo()
    assert yellows(app, bench, "page") == marked


@pytest.mark.parametrize(
    ("kind", "port", "words"),
    [
        ("fan-in", "a", "works by luck: where wires meet at a, words are taken as they come"),
        ("memory", None, "works by luck: it is written and read in whatever order words come"),
        ("later", None, "will not work for ever: out got a wrong word."),
    ],
)
def test_the_mouse_on_it_says_why(app: App, kind: str, port: str | None, words: str) -> None:
    level, design = page(8)
    app.show("workbench", level.id)
    bench = app.screen
    assert isinstance(bench, Workbench)
    bench.session.history.do(design, "all of it")
    app.frame(1 / 60)
    hazard = Hazard(message="", seed=1, reason="out got a wrong word.", kind=kind, place="ten", port=port, time_ns=1)  # type: ignore[arg-type]
    app.context.hazard = (bench.session.design, hazard)
    bench.mouse = bench.regions.board.center
    bench.tools.hover = "ten"
    assert shown.board_tip(bench) == words
    assert yellows(app, bench, "ten") > 8
    bench.tools.hover = "page"
    assert "luck" not in shown.board_tip(bench)
