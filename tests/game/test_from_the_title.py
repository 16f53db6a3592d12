"""The way of a new player: from the title through levels to their medals, by mouse and keys alone."""

from __future__ import annotations

from pathlib import Path

from game.screens.result import Result
from tests.game.machines import ignition, in_step, side_by_side, ten_to_each, two_roads
from tests.game.player import Player


def press(player: Player, name: str) -> None:
    """Click the named place of a page."""
    player.frames(2)
    zone = player.app.screen.zone(name)  # type: ignore[union-attr]
    assert zone is not None, name
    player.click(zone.rect.center)
    player.frames(3)


def launch(player: Player, level: str) -> None:
    """Enter: the result is shown, and it has a medal."""
    assert player.bench.level.id == level
    player.settle()
    player.key("return", unicode="\r")
    player.frames(3)
    assert isinstance(player.app.screen, Result)
    assert player.app.progress.runs(level)[-1].medal is not None


def test_from_the_title_to_medals_by_events_alone(tmp_path: Path) -> None:
    player = Player(tmp_path)
    player.app.show("title")
    press(player, "continue")
    ignition(player)
    launch(player, "first-light-01-ignition")
    press(player, "next")
    in_step(player)
    launch(player, "first-light-02-in-step")
    press(player, "next")
    side_by_side(player)
    launch(player, "first-light-03-side-by-side")
    press(player, "campaign")
    press(player, "level first-light-05-two-roads")
    press(player, "play")
    two_roads(player)
    launch(player, "first-light-05-two-roads")
    press(player, "campaign")
    press(player, "level gpu-puzzles-01-map")
    press(player, "play")
    ten_to_each(player)
    launch(player, "gpu-puzzles-01-map")
    player.close()
