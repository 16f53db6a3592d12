"""Every key, and whatever takes the mouse away, while a button is held: nothing raises, nothing is left behind."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from game.editor.hand import WireHand
from game.keys import DEFAULTS
from game.pictures import house
from game.screens.base import Context
from tests.game.player import Player

LEVEL = "first-light-05-two-roads"
GESTURES = ("wire", "core", "segment", "box", "erase", "paint", "place", "branch", "bend")
SLOW = {"f12", "shift+f12", "f11"}
KEYS = [name for names in DEFAULTS.values() for name in names if name not in SLOW] + [str(n) for n in range(1, 10)]
AWAY = (pygame.WINDOWFOCUSLOST, pygame.WINDOWHIDDEN)


@pytest.fixture
def player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Player]:
    monkeypatch.setattr(Context, "ask", lambda self, *request: None)
    found = Player(tmp_path, (1280, 720))
    found.app.show("workbench", LEVEL, house(LEVEL, "naive")[1])
    found.bench.session.studies = False
    found.frames(2)
    yield found
    found.close()


def press_key(player: Player, name: str) -> None:
    *mods, key = name.split("+")
    player.key(key, ctrl="ctrl" in mods, shift="shift" in mods)


def begin(player: Player, gesture: str) -> tuple[tuple[int, int], int]:
    """Press where the gesture begins; returns the place and the button."""
    bench = player.bench
    core = bench.session.design.cores[0]
    empty = next(
        place
        for at in itertools.product(range(3, 12), range(bench.level.board.size[1]))
        if bench.tools.hits().core_at(bench.camera, place := player.tile(*at)) is None
        and bench.tools.hits().wire_at(bench.camera, place) is None
        and bench.regions.board.inflate(-200, -200).collidepoint(place)
        and bench.panel_at(place) is None
    )
    button = 3 if gesture == "erase" else 1
    match gesture:
        case "wire":
            place = player.port(core.id, "out", output=True)
        case "core":
            place = player.tile(*core.at)
        case "segment" | "erase" | "paint" | "branch":
            place = player.on_wire(1)
        case _:
            place = empty
    if gesture == "paint":
        bench.tools.brush, bench.tools.speed = True, 7
    if gesture == "place":
        bench.tools.take("relay")
    if gesture == "bend":
        bench.tools.hand = WireHand(core.id, "out", False)
    if gesture == "branch":
        player.post(pygame.KEYDOWN, key=pygame.K_LALT, mod=0, unicode="", scancode=0)
    player.move(place)
    player.post(pygame.MOUSEBUTTONDOWN, pos=place, button=button)
    player.post(pygame.KEYUP, key=pygame.K_LALT, mod=0, scancode=0)
    shifted = (place[0] + 50, place[1] + 34)
    player.move(shifted)
    player.frames(1)
    assert bench.tools.holding
    return place, button


def reset(player: Player) -> None:
    bench = player.bench
    bench.windows.close()
    bench.close_field()
    bench.keys_open = bench.chips_open = False
    bench.session.show_tab(0)
    player.frames(1)
    tools = bench.tools
    while tools.undo():
        pass
    tools.hand, tools.brush, tools.selection = None, False, set()
    bench.let_go()
    bench.briefing.open, bench.why, bench._glide = False, None, None
    bench.camera.fit()
    if not bench.panels_on:
        bench.deeds.panels()
    if not bench.plots_on:
        bench.deeds.plots()
    bench.toast = None
    bench.camera.fit()
    player.frames(1)


@pytest.mark.parametrize("gesture", GESTURES)
def test_every_key_in_mid_drag(player: Player, gesture: str) -> None:
    bench = player.bench
    start = bench.session.tabs[0].history.design
    for name in KEYS:
        (x, y), button = begin(player, gesture)
        press_key(player, name)
        player.move((x + 90, y + 34))
        player.post(pygame.MOUSEBUTTONUP, pos=(x + 90, y + 34), button=button)
        player.move((x + 20, y + 60))
        player.frames(1)
        assert not bench.tools.holding, name
        reset(player)
        assert bench.session.tabs[0].history.design == start, name


@pytest.mark.parametrize("gesture", GESTURES)
def test_escape_leaves_the_document_as_it_was(player: Player, gesture: str) -> None:
    bench = player.bench
    start, last = bench.session.design, bench.session.history.undo_label
    (x, y), button = begin(player, gesture)
    player.key("escape")
    player.move((x + 90, y + 34))
    player.post(pygame.MOUSEBUTTONUP, pos=(x + 90, y + 34), button=button)
    player.frames(2)
    assert bench.session.design == start
    assert not bench.session.history.in_gesture
    assert bench.session.history.undo_label == last


@pytest.mark.parametrize("gesture", GESTURES)
@pytest.mark.parametrize("kind", [*AWAY, None])
def test_a_release_that_nobody_saw(player: Player, gesture: str, kind: int | None) -> None:
    """The button goes up over another window, or while this one is hidden: the gesture ends, and leaves nothing."""
    bench = player.bench
    start = bench.session.design
    (x, y), _ = begin(player, gesture)
    player.held.clear()
    if kind is not None:
        player.post(kind)
        player.frames(1)
        assert not bench.tools.holding
    player.move((x + 120, y + 60))
    player.frames(1)
    assert not bench.tools.holding
    player.move((x + 160, y + 60))
    player.frames(1)
    assert bench.session.design == start
    assert bench.tools.box is None


def test_another_button_gives_up_a_drag(player: Player) -> None:
    bench = player.bench
    start = bench.session.design
    (x, y), button = begin(player, "core")
    assert bench.session.design != start
    player.post(pygame.MOUSEBUTTONDOWN, pos=(x + 50, y + 34), button=3)
    player.post(pygame.MOUSEBUTTONUP, pos=(x + 50, y + 34), button=3)
    player.post(pygame.MOUSEBUTTONUP, pos=(x + 50, y + 34), button=button)
    player.frames(1)
    assert bench.session.design == start
    assert bench.session.history.undo_label is None


def test_a_branch_and_its_wire_are_one_step(player: Player) -> None:
    bench = player.bench
    start = bench.session.design
    begin(player, "branch")
    place = (player.at[0], player.at[1])
    player.post(pygame.MOUSEBUTTONUP, pos=place, button=1)
    player.frames(1)
    assert len(bench.session.design.cores) == len(start.cores) + 1
    player.key("escape")
    assert bench.session.design == start
    assert bench.tools.hand is None


def test_nonsense_with_a_button_held(player: Player) -> None:
    """Presses, keys and releases in any order, each press followed by keys before its release."""
    rng = random.Random(3)
    bench = player.bench
    for _ in range(20):
        (x, y), button = begin(player, rng.choice(GESTURES))
        for _ in range(rng.randrange(1, 5)):
            press_key(player, rng.choice([*KEYS, "escape"]))
            if rng.random() < 0.3:
                player.post(pygame.MOUSEBUTTONDOWN, pos=(x + 5, y), button=rng.choice((1, 2, 3)))
            if rng.random() < 0.5:
                player.move((x + rng.randrange(-200, 200), y + rng.randrange(-150, 150)))
            player.post(pygame.MOUSEWHEEL, x=0, y=rng.choice((-1, 0, 1)))
        for up in (button, 1, 2, 3):
            player.post(pygame.MOUSEBUTTONUP, pos=player.at, button=up)
        player.frames(1)
        assert not bench.tools.holding
        reset(player)
