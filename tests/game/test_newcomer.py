"""What somebody who has never played meets: by posted events, and by what is then said on the screen."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from tests.game.player import Player


@pytest.fixture
def player(tmp_path: Path) -> Iterator[Player]:
    found = Player(tmp_path, (1280, 720))
    yield found
    found.close()


def said(player: Player) -> str:
    """The line at the bottom of the board."""
    player.frames()
    return " ".join(written.words for written in player.bench.toast_card.written)


def watch(player: Player) -> None:
    """Look on until the score is there: the frames go on as they do for a player."""
    end = time.monotonic() + 60
    player.frames(2)
    while player.bench.session.score.stale and time.monotonic() < end:
        player.frames()
        time.sleep(0.002)
    player.frames(2)
    assert not player.bench.session.score.stale


def adder(player: Player) -> str:
    """The second level, wired and not yet in step."""
    player.open("first-light-02-in-step")
    name = player.place("add", (7, 2), b=10)
    player.wire(player.tile(0, 2), player.port(name, "a"))
    player.wire(player.port(name, "out"), player.tile(13, 2))
    watch(player)
    return name


def hold(player: Player, name: str, repeats: int = 20) -> None:
    """A key goes down and stays: the system repeats it."""
    for _ in range(repeats):
        player.post(pygame.KEYDOWN, key=pygame.key.key_code(name), mod=0, unicode="", scancode=0)
        player.frames(2)


def let_go(player: Player, name: str) -> None:
    player.post(pygame.KEYUP, key=pygame.key.key_code(name), mod=0, scancode=0)
    player.frames()


# --- the line that says what is next ---------------------------------------------------------------------------


def test_the_second_level_is_led_until_it_is_wired(player: Player) -> None:
    bench = player.open("first-light-02-in-step")
    assert "Click add" in said(player)
    player.click(player.zone("part.add"))
    player.click(player.tile(6, 2))
    assert "Roll the mouse wheel over the adder" in said(player)
    for _ in range(11):
        player.wheel(1, player.tile(6, 2))
    assert bench.session.design.cores[0].set == {"b": 10}
    assert "input b" in [written.words for written in bench.inspector.written]  # it is selected
    player.frames(60)
    assert "left pad to the adder" in said(player)
    player.wire(player.tile(0, 2), player.port("add1", "a"))
    assert "to the right pad" in said(player)
    player.wire(player.port("add1", "out"), player.tile(13, 2))
    watch(player)
    assert "adder" not in said(player)
    assert bench.session.report is not None and bench.session.report.verdict == "pass"


def test_a_medal_is_told_only_while_the_machine_has_it(player: Player) -> None:
    name = adder(player)
    bench = player.bench
    player.speed(0, "5ns")
    player.speed(1, "5ns")
    watch(player)
    assert said(player) == "Stars. Enter launches"
    player.key("z", ctrl=True)
    watch(player)
    assert bench.session.report is not None and bench.session.report.medal != "gold"
    assert "Stars" not in said(player)
    player.key("y", ctrl=True)
    watch(player)
    assert said(player) == "Stars. Enter launches"
    player.click(player.tile(7, 2))
    player.click(player.zone(f"port.{name}.b"))
    player.type("11")
    watch(player)
    assert bench.session.report.verdict == "fault"
    assert "launches" not in said(player)


def test_which_way_to_turn_comes_from_the_verdict(player: Player) -> None:
    bench = player.open("first-light-01-ignition")
    player.drag(player.tile(0, 2), player.tile(11, 2))
    assert "its speed is for you to find" in said(player)
    for speed, line in (("1", "Faster than the pad"), ("20ns", "every 20.0 ns. Turn it up"), ("10000ns", "Turn it up")):
        player.speed(0, speed)
        watch(player)
        bench.session.settle()
        assert line in said(player)
    assert bench.session.report is not None and bench.session.report.verdict == "timeout"


def test_what_beats_the_house_is_called_beyond(player: Player) -> None:
    adder(player)
    player.speed(0, "5ns")
    player.speed(1, "5ns")
    watch(player)
    house = player.bench.session._house
    assert house is not None and house.wait(60)
    player.frames(2)
    assert "Stars" in said(player)
    player.bench.session.best_known = player.bench.session.score.efficiency * 0.99
    assert said(player) == "Beyond. Enter launches"


def test_a_design_that_is_only_shown_wins_nothing(player: Player) -> None:
    adder(player)
    player.speed(0, "5ns")
    player.speed(1, "5ns")
    watch(player)
    player.frames(300)
    assert said(player) == ""
    player.click(player.zone("tab.new"))
    watch(player)
    player.key("tab")
    watch(player)
    assert player.bench.medal == 3
    assert "launches" not in said(player)


# --- keys ------------------------------------------------------------------------------------------------------


def test_the_speed_brush_is_on_while_its_key_is_held(player: Player) -> None:
    bench = player.open("first-light-03-side-by-side")
    player.click(player.zone("brief.close"))
    player.wire(player.tile(0, 2), player.tile(15, 6))
    player.wire(player.tile(0, 6), player.tile(15, 2))
    player.speed(0, "1/5")
    hold(player, "v")
    assert bench.tools.brush
    assert "hold V and drag over wires" in said(player) and "0.2" in said(player)
    before = pygame.image.tobytes(player.surface, "RGB")
    player.move(player.tile(8, 0))
    player.frames()
    assert pygame.image.tobytes(player.surface, "RGB") != before  # the cursor goes with the mouse
    player.drag(player.tile(0, 5), player.tile(0, 5))
    assert [wire.every_ticks for wire in bench.session.design.wires] == [500, 500]
    let_go(player, "v")
    assert not bench.tools.brush
    player.key("v")  # a tap switches it on
    assert bench.tools.brush
    player.key("v")
    assert not bench.tools.brush


def test_a_key_that_is_held_switches_once(player: Player) -> None:
    bench = player.open("first-light-03-side-by-side")
    for _ in range(3):
        on = bench.panels_on
        hold(player, "h", 7)
        let_go(player, "h")
        assert bench.panels_on is not on
    hold(player, "=", 4)
    let_go(player, "=")
    assert bench.transport.zones


def test_m_matches_the_selection_while_the_mouse_is_on_a_pad(player: Player) -> None:
    bench = player.open("first-light-03-side-by-side")
    player.click(player.zone("brief.close"))
    player.wire(player.tile(0, 2), player.tile(15, 6))
    player.wire(player.tile(0, 6), player.tile(15, 2))
    watch(player)
    player.click(player.tile(0, 5))
    player.move(player.tile(0, 2))
    player.key("m")
    assert [wire.every_ticks for wire in bench.session.design.wires] == [100, 200]
