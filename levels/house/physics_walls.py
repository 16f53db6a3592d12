"""Chapter 3, "Thin ice": the machines of level 9, about walls that are too thin."""

from __future__ import annotations

from engine.builder import Builder
from levels.house.registry import design

WALLS = "physics-09-thin-walls"


def _chase(
    b: Builder,
    ring: float = 1,
    road: float = 1,
    gap: int | None = None,
    outside: int | None = None,
    column: int = 18,
    every: int = 4,
) -> None:
    """q[p[last ^ s]], round and round: wires of the ring take a word every ``ring`` ns and have ``gap``, those outside
    every ``road`` ns and ``outside``."""
    mixed = b.place("xor", (column, 1), "mixed")
    last = b.place("delay", (column, 7), "last", slots=1, every=every)
    b.wire("s.value", mixed.b, every_ns=road, gap=outside)
    b.wire(mixed.out, "p.at", every_ns=ring, gap=gap)
    b.wire("p.value", "q.at", every_ns=ring, gap=gap)
    b.wire("q.value", last.in_, every_ns=ring, gap=gap)
    b.wire(last.out, mixed.a, every_ns=ring, gap=gap)
    b.wire("q.value", "out.value", every_ns=road, gap=outside)


_RING, _ROAD, _GAP = 0.28, 11.04, 40
"""ns per word in the ring and outside, and the gap of the ring, of the best machine."""


@design(WALLS, "naive")
def walls_naive(b: Builder) -> None:
    """A ring at a comfortable distance from the tables, and every wire as it comes: walls of full width, a tile per
    nanosecond."""
    _chase(b, column=16)


@design(WALLS, "best")
def walls_best(b: Builder) -> None:
    """The ring is as small as the tables allow, and its walls as thin as there are: at 3.6 tiles per nanosecond a wire
    of 40 % saves more drive than it leaks. A word is out of it before it could lose anything. Outside words walk,
    and walls are thick."""
    _chase(b, _RING, _ROAD, _GAP)


@design(WALLS, "without-thin")
def walls_without_thin(b: Builder) -> None:
    """Thick walls everywhere, for which two tiles per nanosecond are best."""
    _chase(b, 0.5, 15)


@design(WALLS, "without-fast")
def walls_without_fast(b: Builder) -> None:
    """The ring is thin and runs at a tile per nanosecond, as wires come."""
    _chase(b, 1, 24, _GAP)


@design(WALLS, "without-stroll")
def walls_without_stroll(b: Builder) -> None:
    """The roads outside run at a tile per nanosecond, with a word every 11 ns to carry."""
    _chase(b, _RING, 1, _GAP)


@design(WALLS, "without-near")
def walls_without_near(b: Builder) -> None:
    """The ring has a bulge of two tiles to the left."""
    _chase(b, _RING, 12.16, _GAP, column=16)


@design(WALLS, "wrong-everywhere")
def walls_everywhere(b: Builder) -> None:
    """The same thin walls outside: words are on their way for 200 ns, and the charge of a line leaks away in 20."""
    _chase(b, _RING, _ROAD, _GAP, outside=40)


@design(WALLS, "wrong-a-little-everywhere")
def walls_a_little(b: Builder) -> None:
    """Walls of 80 % outside keep a word for 147 ns, and it needs 200."""
    _chase(b, _RING, _ROAD, _GAP, outside=80)


@design(WALLS, "wrong-five")
def walls_five(b: Builder) -> None:
    """The delay starts afresh after five words."""
    _chase(b, _RING, _ROAD, _GAP, every=5)
