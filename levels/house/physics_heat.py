"""Chapter 3, "Thin ice": the machines of level 10, about heat."""

from __future__ import annotations

from engine.builder import Builder
from levels.house.registry import design

HOT_SPOT = "physics-10-hot-spot"

Place = tuple[int, int]


def _macs(b: Builder, first: Place = (5, 2), second: Place = (9, 2), factor: int = 5) -> None:
    """5·(7·a + 30) + 11 in two macs, every wire in step with the pads."""
    one = b.place("mac", first, "first", b=7, c=30)
    two = b.place("mac", second, "second", b=factor, c=11)
    b.wire("a.value", one.a, every_ns=1.02)
    b.wire(one.out, two.a, every_ns=1.02)
    b.wire(two.out, "out.value", every_ns=1.02)


def _four(b: Builder, places: tuple[Place, Place, Place, Place]) -> None:
    """The same with a multiplier and an adder for each mac."""
    seven = b.place("mul", places[0], "first", b=7)
    thirty = b.place("add", places[1], "more", b=30)
    five = b.place("mul", places[2], "second", b=5)
    eleven = b.place("add", places[3], "last", b=11)
    for start, end in (
        ("a.value", seven.a),
        (seven.out, thirty.a),
        (thirty.out, five.a),
        (five.out, eleven.a),
        (eleven.out, "out.value"),
    ):
        b.wire(start, end, every_ns=1.02)


@design(HOT_SPOT, "naive")
def hot_naive(b: Builder) -> None:
    """Multipliers far apart and far from the edge, to be safe, and adders on the way. Cool enough, and a long way for
    every word."""
    _four(b, ((3, 4), (6, 4), (11, 4), (11, 1)))


@design(HOT_SPOT, "best")
def hot_best(b: Builder) -> None:
    """Two macs straight below the pads, three tiles between them, and one tile between them and the edge: 68.5 K, just
    cold enough for the pads' pace. No tile of wire is spared or wasted."""
    _macs(b)


@design(HOT_SPOT, "without-fused")
def hot_without_fused(b: Builder) -> None:
    """A multiplier and an adder for each mac, as near to the pads as four warm cores may be."""
    _four(b, ((4, 4), (7, 4), (10, 4), (10, 1)))


@design(HOT_SPOT, "without-near")
def hot_without_near(b: Builder) -> None:
    """The two macs where the naive machine has its multipliers: cooler than they need to be."""
    _macs(b, (3, 4), (11, 4))


@design(HOT_SPOT, "without-lean")
def hot_without_lean(b: Builder) -> None:
    """One row further from the edge and one column further apart than needed."""
    _macs(b, (4, 3), (10, 3))


@design(HOT_SPOT, "wrong-side-by-side")
def hot_side_by_side(b: Builder) -> None:
    """Side by side: each warms the other, both leak more, and one burns out."""
    _macs(b, (6, 2), (7, 2))


@design(HOT_SPOT, "wrong-one-between")
def hot_one_between(b: Builder) -> None:
    """One tile between them: 77 K, a clock of 1.05 ns, and the limit is missed."""
    _macs(b, (6, 2), (8, 2))


@design(HOT_SPOT, "wrong-at-the-edge")
def hot_at_the_edge(b: Builder) -> None:
    """At the board's edge, where heat has nowhere to go."""
    _macs(b, (5, 1), (9, 1))


@design(HOT_SPOT, "wrong-four")
def hot_four(b: Builder) -> None:
    """Four times the second factor."""
    _macs(b, factor=4)
