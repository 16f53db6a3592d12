"""Comparing: hold C for the version before; two designs side by side."""

from __future__ import annotations

from pathlib import Path

import pygame
import pytest

from engine.simulation import simulate
from game.comparing import Reports, moved_rows, what_differs
from game.pictures import house
from game.screens import stage
from game.screens.versus import Versus
from game.text import number
from tests.game.player import Player

LEVEL = "first-light-02-in-step"


def hold(player: Player, down: bool) -> None:
    kind = pygame.KEYDOWN if down else pygame.KEYUP
    player.post(kind, key=pygame.K_c, mod=0, unicode="c", scancode=0)
    player.frames(2)


def wired(player: Player) -> None:
    player.open(LEVEL)
    add = player.place("add", (7, 2), b=10)
    player.wire(player.tile(0, 2), player.port(add, "a"))
    player.wire(player.port(add, "out"), player.tile(13, 2))
    player.settle()


def test_hold_c_shows_the_version_before_until_it_is_let_go(player: Player) -> None:
    wired(player)
    bench = player.bench
    before = bench.session.design
    player.speed(1, "2ns")
    player.settle()
    now = bench.session.design
    hold(player, True)
    assert bench.before.reports.wait(60)
    player.frames(2)
    shown = stage.scene(bench)
    assert shown.design is before and shown.packets is None
    assert shown.differences is not None and shown.differences.otherwise == {1: "1.00 → 0.50"}
    words = [written.words for written in bench.versus_card.written]
    for design in (before, now):
        metrics = simulate(bench.level, design, engine="plain").metrics
        assert metrics is not None
        assert number(metrics.efficiency_launches_per_nj, 4) in words
    assert "carries a word every 2 ns" in " ".join(words)
    hold(player, False)
    shown = stage.scene(bench)
    assert shown.design is now and shown.packets is not None and shown.differences is None
    assert bench.session.design is now and not bench.versus_card.rect.width


def test_the_first_version_has_none_before_it(player: Player) -> None:
    bench = player.open(LEVEL)
    hold(player, True)
    assert not bench.comparing and bench.toast is not None
    player.key("c", shift=True)
    assert player.bench is bench


def test_letting_go_elsewhere_ends_it_too(player: Player) -> None:
    wired(player)
    hold(player, True)
    assert player.bench.comparing
    player.post(pygame.WINDOWFOCUSLOST)
    player.frames()
    assert not player.bench.comparing


def test_two_designs_side_by_side(player: Player) -> None:
    level, best = house(LEVEL, "best")
    naive = house(LEVEL, "naive")[1]
    bench = player.open(LEVEL)
    bench.session.new_tab(naive, "naive")
    bench.session.new_tab(best, "lean")
    player.frames()
    player.key("c", shift=True)
    screen = player.app.screen
    assert isinstance(screen, Versus)
    assert screen.reports.wait(60)
    player.frames(30)
    assert [screen.pair.designs[i][0] for i in screen.chosen] == ["naive", "lean"]
    words = [written.words for written in screen.written]
    assert {"naive", "lean", "launches/nJ"} <= set(words)
    for design in (naive, best):
        metrics = simulate(level, design, engine="plain").metrics
        assert metrics is not None and number(metrics.efficiency_launches_per_nj, 4) in words
    assert all(text in words for text in what_differs(naive, best)[:5])
    # Both machines are at the same moment.
    assert len({side.playback.tick for side in screen.sides}) == 1 and screen.sides[0].playback.tick > 0
    player.key("space")
    tick = screen.sides[0].playback.tick
    player.frames(5)
    assert screen.sides[0].playback.tick == tick
    screen.press("swap")
    assert [side.design.wires for side in screen.sides] == [best.wires, naive.wires]
    screen.press("B›")
    player.frames()
    assert screen.pair.designs[screen.chosen[1]][0] == "lean"
    assert "the same machine" in [written.words for written in screen.written]
    player.key("escape")
    assert player.bench is bench


def test_with_one_design_its_version_before_stands_beside_it(player: Player) -> None:
    wired(player)
    player.key("c", shift=True)
    screen = player.app.screen
    assert isinstance(screen, Versus)
    assert [name for name, _ in screen.pair.designs] == ["the version before", "first try"]


@pytest.mark.parametrize(("size", "scale"), [((1280, 720), 100), ((1920, 1080), 200), ((640, 360), 100)])
def test_no_text_leaves_the_window(tmp_path: Path, size: tuple[int, int], scale: int) -> None:
    player = Player(tmp_path, size, {"ui_scale": scale})
    bench = player.open("first-light-05-two-roads")
    bench.session.new_tab(house("first-light-05-two-roads", "naive")[1], "naive")
    bench.session.new_tab(house("first-light-05-two-roads", "best")[1], "a design with quite a long name")
    player.frames()
    player.key("c", shift=True)
    screen = player.app.screen
    assert isinstance(screen, Versus)
    assert screen.reports.wait(60)
    player.frames(2)
    window = pygame.Rect((0, 0), size)
    assert all(window.contains(written.rect) for written in screen.written)
    player.close()


def test_figures_that_did_not_move_are_left_out_but_the_first() -> None:
    level, best = house(LEVEL, "best")
    report = simulate(level, best, engine="plain")
    same = moved_rows(report, report)
    assert [row.unit for row in same] == ["launches/nJ", "launches/µs", "mW"]
    assert all(row.change == "" and row.better is None for row in same)
    naive = simulate(level, house(LEVEL, "naive")[1], engine="plain")
    rows = {row.unit: row for row in moved_rows(naive, report)}
    assert rows["launches/nJ"].better is True and rows["launches/nJ"].change.startswith("+")
    assert rows["drive pJ"].better is True and rows["drive pJ"].change.startswith("−")
    assert moved_rows(None, report) == ()


def test_a_design_that_cannot_run_has_no_figures() -> None:
    level, best = house(LEVEL, "best")
    reports = Reports(level, "plain")
    bare = best.model_copy(update={"wires": []})
    assert reports.of(best, bare) == (None, None)
    assert reports.wait(60)
    good, bad = reports.of(best, bare)
    assert good is not None and bad is not None and (good.verdict, bad.verdict) == ("pass", "invalid")
    rows = moved_rows(good, bad)
    assert rows[0].unit == "verdict" and rows[0].better is False
    assert rows[1].after == "–" and rows[1].better is None
    reports.close()
