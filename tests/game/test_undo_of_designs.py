"""What is done to whole designs can be taken back as edits can: names, and deleting as long as that is offered."""

from __future__ import annotations

from pathlib import Path

from levels.shelf import Shelf
from tests.game.player import Player

LEVEL = "first-light-01-ignition"


def names(player: Player) -> list[str]:
    player.frames(1)
    return [tab.item.name for tab in player.bench.session.tabs]


def test_a_name_is_taken_back_and_given_again(player: Player, tmp_path: Path) -> None:
    bench = player.open(LEVEL)
    player.drag(player.tile(0, 2), player.tile(11, 2))
    first = bench.session.tab.item.name
    bench.deeds.typed("rename", "fast one")
    assert names(player) == ["fast one"]
    player.key("z", ctrl=True)
    assert names(player) == [first] and len(bench.session.design.wires) == 1
    player.key("y", ctrl=True)
    assert names(player) == ["fast one"]
    player.key("z", ctrl=True)
    player.key("z", ctrl=True)
    assert names(player) == [first] and not bench.session.design.wires
    player.key("y", ctrl=True)
    player.key("y", ctrl=True)
    player.frames(1)
    bench.session.save()
    assert [item.name for item in Shelf(tmp_path).designs(LEVEL)] == ["fast one"]


def test_two_designs_never_have_one_name(player: Player) -> None:
    bench = player.open(LEVEL)
    bench.deeds.tabs.new()
    bench.deeds.typed("rename", bench.session.tabs[0].item.name)
    found = names(player)
    assert len(set(found)) == 2


def test_a_deleted_design_comes_back_while_that_is_offered(player: Player) -> None:
    bench = player.open(LEVEL)
    bench.deeds.typed("rename", "precious")
    bench.deeds.tabs.delete()
    bench.deeds.tabs.new()
    assert "precious" not in names(player) and bench.offers_restore
    player.key("z", ctrl=True)
    assert "precious" in names(player)


def test_the_offer_goes_when_there_is_something_else_to_take_back(player: Player) -> None:
    bench = player.open(LEVEL)
    bench.deeds.tabs.new()
    bench.deeds.tabs.delete()
    player.frames(1)
    assert bench.offers_restore
    player.drag(player.tile(0, 2), player.tile(11, 2))
    player.frames(1)
    assert not bench.offers_restore
