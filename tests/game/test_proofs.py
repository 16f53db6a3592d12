"""What is proved is shown: what the wiring allows at once, without a run; the proven limit where it belongs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.model import Report
from engine.simulation import simulate
from game.panels.kit import Panel
from game.panels.sky import waste
from game.pictures import launched
from game.screens.result import Result
from tests.game.player import Player


@pytest.fixture
def player(tmp_path: Path) -> Iterator[Player]:
    made = Player(tmp_path)
    yield made
    made.close()


def words(panel: Panel) -> list[str]:
    return [written.words for written in panel.written]


def proved(report: Report) -> float:
    assert report.energy_limit
    return report.energy_limit.launches_per_nj


def test_an_edit_shows_what_its_wiring_allows_though_it_never_runs(player: Player) -> None:
    bench = player.open("first-light-02-in-step")
    player.drag(player.tile(0, 2), player.tile(13, 2))
    player.speed(0, "7ns")
    player.settle()
    player.frames()
    # The first word is wrong, so that there is no throughput to measure.
    assert bench.session.report and bench.session.report.metrics is None
    player.click(player.tile(6, 0))
    player.frames(2)
    assert "at most 35.7 /µs" in words(bench.inspector)
    assert any("takes a word every 7.00 ns" in line for line in words(bench.inspector))
    player.key("f4")
    player.frames()
    assert bench.session.bottleneck and bench.session.bottleneck.sentence.startswith("at most 35.7 /µs: the wire")
    assert bench.session.bottleneck.wires == (0,)


def test_the_limit_stands_in_the_sky_once_the_stars_are_reached(player: Player) -> None:
    bench = player.open("first-light-01-ignition")
    player.drag(player.tile(0, 2), player.tile(11, 2))
    player.speed(0, "1ns")
    player.settle()
    player.frames()
    assert bench.session.report and bench.session.report.medal is None
    assert "limit" not in words(bench.sky)
    player.speed(0, "4ns")
    player.settle()
    player.frames()
    assert bench.session.report.medal == "gold"
    assert "limit" in words(bench.sky)
    limit = f"at most {proved(bench.session.report):.0f} /nJ"
    player.click(player.tile(6, 0))
    player.frames(2)
    assert limit in words(bench.inspector)
    # The hairline in the bar of a launch's energy.
    assert any("no machine takes less than" in zone.tip for zone in bench.plots.zones)


def test_the_result_says_how_near_the_limit_is(player: Player) -> None:
    launch = launched(player.app, "gpu-puzzles-01-map", "best")
    player.app.show("result", launch)
    player.frames(2)
    screen = player.app.screen
    assert isinstance(screen, Result)
    limit = launch.report.energy_limit
    assert limit and limit.within
    said = [written.words for written in screen.written]
    assert f"within {limit.within:.2f} × of the proven limit, {limit.launches_per_nj:.1f} launches/nJ" in said
    assert "proven limit" in said
    assert screen.flight.limit == pytest.approx(limit.launches_per_nj)
    assert screen.flight.waste(limit.launches_per_nj) == 0


def test_waste_grows_with_the_distance_from_the_limit() -> None:
    assert waste(10, 10) == waste(0, 10) == waste(10, 0) == 0
    assert waste(5, 10) == pytest.approx(0.301, abs=1e-3)
    assert waste(1, 10) == waste(0.1, 10) == 1


def test_the_insight_is_the_bound_of_the_report(player: Player) -> None:
    bench = player.open("first-light-01-ignition")
    player.drag(player.tile(0, 2), player.tile(11, 2))
    player.settle()
    assert bench.session.insight.bound == simulate(bench.level, bench.session.design, engine="plain").bound
