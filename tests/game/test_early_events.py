"""What comes before a screen's first frame is answered as it would be after it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pygame
import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

from game.app import App
from game.screens.page import Page
from game.screens.registry import SCREENS
from game.screens.workbench import Workbench

FRAME = 1 / 60
SIZE = (1280, 720)


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    made = App(SCREENS, data=tmp_path, size=SIZE)
    pygame.event.clear()
    yield made
    made.close()


@pytest.fixture
def known(tmp_path: Path) -> Iterator[App]:
    """Another run of the game, in which one may look where things are."""
    made = App(SCREENS, data=tmp_path / "known", size=SIZE)
    yield made
    made.close()


def post(kind: int, **values: Any) -> None:
    pygame.event.post(pygame.event.Event(kind, **values))


def click(pos: tuple[int, int]) -> None:
    post(pygame.MOUSEBUTTONDOWN, pos=pos, button=1)
    post(pygame.MOUSEBUTTONUP, pos=pos, button=1)


def key(code: int, **more: Any) -> None:
    post(pygame.KEYDOWN, key=code, mod=0, unicode="", scancode=0, **more)
    post(pygame.KEYUP, key=code, mod=0, scancode=0)


def place(known: App, screen: str, zone: str) -> tuple[int, int]:
    known.show(screen)
    known.frame(FRAME)
    assert isinstance(known.screen, Page)
    found = known.screen.zone(zone)
    assert found is not None
    return found.rect.center


def test_a_click_before_the_first_frame(app: App, known: App) -> None:
    at = place(known, "title", "campaign")
    pygame.event.clear()
    app.show("title")
    click(at)
    app.frame(FRAME)
    assert type(app.screen).__name__ == "Campaign"


def test_a_key_before_the_first_frame(app: App) -> None:
    app.show("title")
    key(pygame.K_RETURN)
    app.frame(FRAME)
    assert app.depth == 2


def test_a_click_that_opens_a_screen_and_the_next_one_on_it_in_one_frame(app: App, known: App) -> None:
    first, second = place(known, "title", "campaign"), place(known, "campaign", "back")
    pygame.event.clear()
    app.show("title")
    click(first)
    click(second)
    app.frame(FRAME)
    assert (app.depth, type(app.screen).__name__) == (1, "Title")


def test_a_drag_on_a_board_that_was_not_drawn_yet(app: App) -> None:
    app.show("workbench", "first-light-01-ignition")
    bench = app.screen
    assert isinstance(bench, Workbench)
    middles = [bench.camera.to_screen(pad.at[0] + 0.5, pad.at[1] + 0.5) for pad in bench.level.pads]
    a, b = ((round(x), round(y)) for x, y in middles)
    post(pygame.MOUSEMOTION, pos=a, rel=(0, 0), buttons=(0, 0, 0))
    post(pygame.MOUSEBUTTONDOWN, pos=a, button=1)
    post(pygame.MOUSEMOTION, pos=b, rel=(0, 0), buttons=(1, 0, 0))
    post(pygame.MOUSEBUTTONUP, pos=b, button=1)
    app.frame(FRAME)
    assert len(bench.session.design.wires) == 1


def test_a_click_after_the_window_changed_in_the_same_frame(app: App, known: App) -> None:
    small = (900, 560)
    known.show("title")
    known.dispatch(pygame.event.Event(pygame.VIDEORESIZE, w=small[0], h=small[1], size=small))
    known.frame(FRAME)
    assert isinstance(known.screen, Page)
    zone = known.screen.zone("settings")
    assert zone is not None
    app.show("title")
    app.frame(FRAME)
    pygame.event.clear()
    post(pygame.VIDEORESIZE, w=small[0], h=small[1], size=small)
    click(zone.rect.center)
    app.frame(FRAME)
    assert type(app.screen).__name__ == "Settings"


def test_a_wheel_turned_where_the_mouse_stood_when_the_screen_was_opened(app: App) -> None:
    app.show("title")
    app.frame(FRAME)
    middle = (SIZE[0] // 2, SIZE[1] // 2)
    post(pygame.MOUSEMOTION, pos=middle, rel=(0, 0), buttons=(0, 0, 0))
    app.frame(FRAME)
    app.show("workbench", "sandbox")
    bench = app.screen
    assert isinstance(bench, Workbench)
    step = bench.camera.step
    post(pygame.MOUSEWHEEL, x=0, y=1, flipped=False, which=0)
    app.frame(FRAME)
    assert bench.mouse == middle and bench.camera.step == step + 1
