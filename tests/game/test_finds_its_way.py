"""What somebody who has never played looks for, misses or loses, and where the screen now helps."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from game.screens import shown
from game.screens.result import Result
from game.screens.stage import scene
from game.screens.workbench import Workbench
from game.theme import SKY
from tests.game.player import Player

IN_STEP = "first-light-02-in-step"


@pytest.fixture
def player(tmp_path: Path) -> Iterator[Player]:
    found = Player(tmp_path, (1280, 720))
    yield found
    found.close()


def said(player: Player) -> str:
    """The line at the bottom of the board."""
    player.frames()
    return " ".join(written.words for written in player.bench.toast_card.written)


# --- ports -----------------------------------------------------------------------------------------------------


def test_free_ports_of_the_part_under_the_mouse_are_bright(player: Player) -> None:
    bench = player.open(IN_STEP)
    name = player.place("add", (7, 2))
    player.frames(40)  # the board has opened
    player.move(player.tile(7, 0))
    player.frames(2)
    out = player.port(name, "out")
    assert player.surface.get_at(out)[:3] != SKY
    player.move(player.tile(7, 2))
    player.frames(2)
    assert scene(bench).offers == name
    assert player.surface.get_at(out)[:3] == SKY
    for port in ("a", "b"):  # rings: an input is empty
        assert player.surface.get_at(player.port(name, port))[:3] != SKY


@pytest.mark.parametrize("away", [(13, 0), (-8, 6), (8, -10)])
def test_a_press_within_the_circle_of_a_port_draws_a_wire(player: Player, away: tuple[int, int]) -> None:
    bench = player.open(IN_STEP)
    name = player.place("add", (7, 2))
    x, y = player.port(name, "out")
    player.drag((x + away[0], y + away[1]), player.tile(13, 2))
    assert [(w.source, w.to) for w in bench.session.design.wires] == [(f"{name}.out", ["out.value"])]
    assert tuple(bench.session.design.cores[0].at) == (7, 2)


def test_the_coach_leads_from_the_output_of_the_adder(player: Player) -> None:
    bench = player.open(IN_STEP)
    name = player.place("add", (7, 2), b=10)
    player.wire(player.tile(0, 2), player.port(name, "a"))
    player.move((5, 5))  # away from the board
    player.frames(40)
    player.frames(2)
    assert "the adder's output" in said(player)
    assert scene(bench).offers == name
    assert player.surface.get_at(player.port(name, "out"))[:3] == SKY


def test_a_part_that_is_dragged_onto_another_one_says_how_a_wire_begins(player: Player) -> None:
    bench = player.open(IN_STEP)
    name = player.place("add", (7, 2), b=10)
    player.drag(player.tile(7, 2), player.tile(10, 2), player.tile(13, 2))
    assert not bench.session.design.wires
    assert f"This moves {name}" in said(player) and "A wire begins at a port" in said(player)


# --- the board keeps its place ---------------------------------------------------------------------------------

LEVELS = ("01-ignition", "02-in-step", "03-side-by-side", "04-three-inside", "05-two-roads")


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("how", ["edit", "click", "key"])
def test_nothing_moves_when_the_brief_goes(player: Player, level: str, how: str) -> None:
    bench = player.open(f"first-light-{level}")
    assert bench.briefing.open
    view = bench.camera.x, bench.camera.y, bench.camera.step
    if how == "edit":
        a, out = bench.level.pads[0], next(pad for pad in bench.level.pads if pad.core == "sink")
        player.drag(player.tile(*a.at), player.tile(*out.at))
        assert bench.session.design.wires
    elif how == "click":
        player.click(player.zone("brief.close"))
    else:
        player.key("escape")
    player.frames(3)
    assert not bench.briefing.open
    assert (bench.camera.x, bench.camera.y, bench.camera.step) == view
    player.key("f")  # only this fits the board anew
    step = bench.camera.step
    bench.camera.fit()
    assert bench.camera.step == step >= view[2]


# --- Enter, and the score --------------------------------------------------------------------------------------


def solve(player: Player) -> Workbench:
    """The second level in step, scored."""
    player.app.show("campaign")
    bench = player.open(IN_STEP)
    name = player.place("add", (7, 2), b=10)
    player.wire(player.tile(0, 2), player.port(name, "a"))
    player.wire(player.port(name, "out"), player.tile(13, 2))
    for wire in (0, 1):
        player.speed(wire, "5ns")
    player.settle()
    assert bench.session.report is not None and bench.session.report.medal == "gold"
    return bench


def enter(player: Player) -> None:
    player.key("return", unicode="\r")


def test_every_enter_does_something(player: Player) -> None:
    bench = solve(player)
    enter(player)
    result = player.app.screen
    assert isinstance(result, Result) and result._now < result.flight.seconds
    player.click((640, 700))
    enter(player)  # at rest now: the next level
    assert player.app.screen is not result
    player.app.show("result", result.launch)
    flying = player.app.screen
    assert isinstance(flying, Result)
    enter(player)  # the first one shows the end of the launch
    assert player.app.screen is flying and flying._now >= flying.flight.seconds
    enter(player)  # and the next one goes on, however soon
    assert player.app.screen is not flying
    assert bench is not player.app.screen


def test_the_first_enter_after_improve_launches(player: Player) -> None:
    bench = solve(player)
    for _ in range(2):
        enter(player)
        result = player.app.screen
        assert isinstance(result, Result)
        player.frames(2)
        zone = result.zone("improve")
        assert zone is not None
        player.click(zone.rect.center)
        player.frames()
        assert player.app.screen is bench
    enter(player)
    assert isinstance(player.app.screen, Result)


def test_an_enter_that_is_held_launches_once_and_leaves_nothing(player: Player) -> None:
    solve(player)
    for _ in range(20):
        player.post(pygame.KEYDOWN, key=pygame.K_RETURN, mod=0, unicode="\r", scancode=0)
        player.frames(2)
    result = player.app.screen
    assert isinstance(result, Result) and result._now < result.flight.seconds
    player.post(pygame.KEYUP, key=pygame.K_RETURN, mod=0, scancode=0)
    enter(player)
    assert player.app.screen is result and result._now >= result.flight.seconds


def test_a_known_score_never_starts_again(player: Player) -> None:
    bench = solve(player)
    known = shown.score(bench).value
    bench.session.playback.pace = 100
    bench.moments._celebrated.clear()  # as if it were the first result of the design
    bench.session.playback.seek(0)
    bench.session.playback.playing = False
    player.frames()
    bench.session.playback.playing = True
    values = set()
    for _ in range(240):
        player.frames()
        values.add(shown.score(bench).value)
        if bench.moments.first_s is not None:
            values.add("celebrated")
    assert values == {known, "celebrated"}


# --- ports that touch ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("aside", [-9, -3, 3, 9])
@pytest.mark.parametrize("drag", [False, True])
def test_between_ports_that_touch_words_run_from_output_to_input(player: Player, aside: int, drag: bool) -> None:
    bench = player.open(IN_STEP)
    name = player.place("add", (1, 2), b=10)
    y = player.port("a", "value")[1]
    edge = round(bench.camera.to_screen(1, 0)[0])
    place = (edge + aside, y)
    if drag:
        player.drag(place, (place[0] + (8 if aside < 0 else -8), y + 1))
    else:
        player.click(place)
    assert [(w.source, w.to) for w in bench.session.design.wires] == [("a.value", [f"{name}.a"])]
    assert bench.tools.hand is None
    # The output can still be led elsewhere.
    player.key("z", ctrl=True)
    player.drag(place, player.tile(13, 2))
    assert [(w.source, w.to) for w in bench.session.design.wires] == [("a.value", ["out.value"])]


# --- the number of a new part ----------------------------------------------------------------------------------


def test_the_coach_waits_for_the_number_that_the_level_asks_for(player: Player) -> None:
    bench = player.open(IN_STEP)
    player.place("add", (7, 2))
    for turned in range(1, 11):
        player.wheel(1, player.tile(7, 2))
        assert bench.session.design.cores[0].set == {"b": turned}
        player.frames(60)  # the wheel rests
        assert ("left pad to the adder" in said(player)) == (turned == 10)
