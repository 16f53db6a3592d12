"""The workbench by posted events: levels are played, nothing raises, texts fit, the live score is the final one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.simulation import simulate
from game.shell.launching import Launch
from tests.game.player import Player


@pytest.fixture
def player(tmp_path: Path) -> Iterator[Player]:
    found = Player(tmp_path)
    yield found
    found.close()


def launched(player: Player) -> Launch:
    """Press Enter, and take what the result screen was asked for."""
    player.settle()
    asked: list[tuple[object, ...]] = []
    player.app._factories = {
        **player.app._factories,
        "result": lambda context, launch: asked.append(launch) or Silent(),
    }
    player.key("return", unicode="\r")
    player.frames(3)
    assert len(asked) == 1
    launch = asked[0]
    assert isinstance(launch, Launch)
    return launch


class Silent:
    """A screen that shows nothing."""

    def enter(self) -> None: ...
    def leave(self) -> None: ...
    def close(self) -> None: ...
    def resize(self, size: tuple[int, int]) -> None: ...
    def handle(self, event: object) -> None: ...
    def update(self, seconds: float) -> None: ...
    def draw(self, surface: object) -> None: ...


def test_ignition_is_played_to_stars_with_the_mouse_alone(player: Player) -> None:
    bench = player.open("first-light-01-ignition")
    player.drag(player.tile(0, 2), player.tile(5, 2), player.tile(11, 2))
    assert bench.session.design.wires[0].every_ticks is None
    for _ in range(200):
        player.wheel(1, player.tile(5, 2))
        player.frames(8)
        if bench.session.design.wires[0].every_ticks == 400:
            break
    assert bench.session.design.wires[0].every_ticks == 400
    launch = launched(player)
    assert launch.report.medal == "gold"
    assert [run.medal for run in bench.context.progress.runs(bench.level.id)] == ["gold"]


def test_in_step_is_played_to_stars(player: Player) -> None:
    bench = player.open("first-light-02-in-step")
    add = player.place("add", (7, 2), b=10)
    player.wire(player.tile(0, 2), player.port(add, "a"))
    player.wire(player.port(add, "out"), player.tile(13, 2))
    player.speed(0, "1/5")
    player.speed(1, "5ns")
    assert [w.every_ticks for w in bench.session.design.wires] == [500, 500]
    assert launched(player).report.medal == "gold"
    assert "match" in bench.context.progress.tools()


def test_side_by_side_is_played_to_stars_with_match(player: Player) -> None:
    player.open("first-light-03-side-by-side")
    player.wire(player.tile(0, 2), player.tile(15, 6))
    player.wire(player.tile(0, 6), player.tile(15, 2))
    player.settle()
    player.key("m", ctrl=True)
    assert [w.every_ticks for w in player.bench.session.design.wires] == [200, 200]
    assert launched(player).report.medal == "gold"


def test_two_roads_is_played_to_a_medal(player: Player) -> None:
    player.open("first-light-05-two-roads")
    fifteen = player.place("mul", (1, 4), b=15)
    less = player.place("sub", (2, 4), b=100)
    floor = player.place("max", (3, 4), b=0)
    times = player.place("mul", (4, 4))
    player.wire(player.port("a", "value"), player.port(fifteen, "a"))
    player.wire(player.port(fifteen, "out"), player.port(less, "a"))
    player.wire(player.port(less, "out"), player.port(floor, "a"))
    player.wire(player.port(floor, "out"), player.port(times, "a"))
    player.wire(player.port(times, "out"), player.tile(23, 4))
    player.wire(player.port("a", "value"), player.port(times, "b"), (0, 2), (4, 2))
    assert launched(player).report.medal is not None


def test_map_is_played_to_a_medal(player: Player) -> None:
    player.open("gpu-puzzles-01-map")
    ten = player.place("add", (8, 3), b=10)
    player.wire(player.tile(0, 8), player.port("a", "at"))
    player.wire(player.port("a", "value"), player.port(ten, "a"))
    player.wire(player.port(ten, "out"), player.port("out", "value"))
    player.wire(player.port("a", "at", output=True), player.port("out", "at"))
    player.settle()
    player.key("m", ctrl=True)
    assert launched(player).report.medal is not None


def test_the_live_score_is_that_of_a_run(player: Player) -> None:
    bench = player.open("first-light-02-in-step")
    add = player.place("add", (7, 2), b=10)
    player.wire(player.tile(0, 2), player.port(add, "a"))
    player.wire(player.port(add, "out"), player.tile(13, 2))
    player.wheel(3, player.tile(10, 2))
    player.settle()
    report = bench.session.report
    assert report is not None
    assert report == simulate(bench.level, bench.session.design, engine="plain")
