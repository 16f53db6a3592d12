"""Machines for some levels, built on the workbench by mouse and keys."""

from __future__ import annotations

from tests.game.player import Player


def ignition(player: Player) -> None:
    """First light 01: one wire, its speed typed."""
    player.wire(player.tile(0, 2), player.tile(11, 2))
    player.speed(0, "1/4")


def in_step(player: Player) -> None:
    """First light 02."""
    add = player.place("add", (7, 2), b=10)
    player.wire(player.tile(0, 2), player.port(add, "a"))
    player.wire(player.port(add, "out"), player.tile(13, 2))
    player.speed(0, "1/5")
    player.speed(1, "5ns")


def side_by_side(player: Player) -> None:
    """First light 03: two wires that cross, and Match."""
    player.wire(player.tile(0, 2), player.tile(15, 6))
    player.wire(player.tile(0, 6), player.tile(15, 2))
    player.settle()
    player.key("m", ctrl=True)


def two_roads(player: Player) -> None:
    """First light 05: the longer road along the upper edge."""
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


def ten_to_each(player: Player) -> None:
    """GPU puzzles 01, and Match."""
    ten = player.place("add", (8, 3), b=10)
    player.wire(player.tile(0, 8), player.port("a", "at"))
    player.wire(player.port("a", "value"), player.port(ten, "a"))
    player.wire(player.port(ten, "out"), player.port("out", "value"))
    player.wire(player.port("a", "at", output=True), player.port("out", "at"))
    player.settle()
    player.key("m", ctrl=True)
