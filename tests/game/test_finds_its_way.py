"""What somebody who has never played looks for, misses or loses, and where the screen now helps."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from game.screens.stage import scene
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
