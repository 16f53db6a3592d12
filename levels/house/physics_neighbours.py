"""Chapter 3, "Thin ice": the machines of levels 5 and 6, about wires that talk."""

from __future__ import annotations

from collections.abc import Sequence

from engine.builder import Builder
from levels.house.registry import design

# --- 05 Long neighbours ------------------------------------------------------------------------------------

NEIGHBOURS = "physics-05-long-neighbours"

ROADS = ("a.value", "a_up"), ("b.value", "b_up"), ("a.value", "a_down"), ("b.value", "b_down")


def _roads(
    b: Builder,
    tracks: Sequence[int | None] = (None,) * 4,
    codes: Sequence[str | None] = (None,) * 4,
    every_ns: Sequence[float] = (1,) * 4,
) -> None:
    """The four wires through the valley, with their tracks, codes and ns per word."""
    for n, (start, end) in enumerate(ROADS):
        b.wire(start, f"{end}.value", every_ns=every_ns[n], track=tracks[n], encoding=codes[n])


_ALIKE, _SPACED = (0, 2, 1, 3), (0, 3, 1, 4)
"""Tracks of the four wires with like beside like; and with an empty track between the two pairs."""


@design(NEIGHBOURS, "naive")
def neighbours_naive(b: Builder) -> None:
    """Every word in a code that has no lone bits, so that a wire's own lines push half as much. Right, and all eight
    tracks are needed."""
    _roads(b, codes=("no-lone-bits",) * 4)


@design(NEIGHBOURS, "best")
def neighbours_best(b: Builder) -> None:
    """Wires with the same words side by side, which saves energy, and one empty track between the two pairs."""
    _roads(b, _SPACED)


@design(NEIGHBOURS, "without-space")
def neighbours_without_space(b: Builder) -> None:
    """Like beside like, and no empty track: every wire has a code against errors instead, on two tracks."""
    _roads(b, (0, 4, 2, 6), ("secded",) * 4)


@design(NEIGHBOURS, "without-order")
def neighbours_without_order(b: Builder) -> None:
    """An empty track between all of them, and no wire beside one with the same words."""
    _roads(b, (0, 2, 4, 6))


@design(NEIGHBOURS, "without-step")
def neighbours_without_step(b: Builder) -> None:
    """No empty track: one pair is a little faster than the other, so that words pass each other by."""
    _roads(b, _ALIKE, every_ns=(1, 0.9, 1, 0.9))


@design(NEIGHBOURS, "wrong-raw")
def neighbours_raw(b: Builder) -> None:
    """Four wires on four tracks, one beside the other as they come."""
    _roads(b, (0, 1, 2, 3))


@design(NEIGHBOURS, "wrong-no-space")
def neighbours_no_space(b: Builder) -> None:
    """Like beside like, without the empty track: the two in the middle still push each other."""
    _roads(b, _ALIKE)


@design(NEIGHBOURS, "wrong-half-coded")
def neighbours_half_coded(b: Builder) -> None:
    """One of a pair has a code: its lines are then no longer those of its neighbour, and both push."""
    _roads(b, _SPACED, (None, None, "secded", None))


# --- 06 A shield costs a track -----------------------------------------------------------------------------

SHIELD = "physics-06-a-shield-costs-a-track"


def _valley(
    b: Builder,
    shield: int = 3,
    code: str | None = None,
    every_ns: float = 0.4,
    tracks: tuple[int, int, int] = (0, 1, 3),
    at: int = 2,
) -> None:
    """a, b and c side by side for 15 tiles; ``code`` is that of b in the middle. A shield of so many tiles is on track
    2 from column ``at`` on."""
    for name, row, track in (("a", 0, tracks[0]), ("c", 2, tracks[2])):
        way = [(0, row), (2, row), (2, 1), (17, 1), (17, row), (19, row)]
        b.wire(f"{name}.value", f"{name}_out.value", every_ns=every_ns, path=way, track=track)
    b.wire("b.value", "b_out.value", every_ns=every_ns, track=tracks[1], encoding=code)
    if shield:
        b.shield((at, 1), (at + shield, 1), track=2)


@design(SHIELD, "naive")
def shield_naive(b: Builder) -> None:
    """The middle wire in a code without lone bits, for which the two upper tracks are just enough. All wires as they
    come, a tile per nanosecond."""
    _valley(b, 0, "no-lone-bits", 1)


@design(SHIELD, "best")
def shield_best(b: Builder) -> None:
    """Ground between the middle wire and one neighbour for three of fifteen tiles, and an empty track for the other
    twelve: 252 mV of its own, 90 of the near neighbour and 18 of the far one are just its margin of 360. As fast as the
    pads, which is as fast as is safe."""
    _valley(b)


@design(SHIELD, "without-ground")
def shield_without_ground(b: Builder) -> None:
    """The middle wire has a code without lone bits instead."""
    _valley(b, 0, "no-lone-bits")


@design(SHIELD, "without-pace")
def shield_without_pace(b: Builder) -> None:
    """All wires run at a tile per nanosecond, and the pads wait."""
    _valley(b, every_ns=1)


@design(SHIELD, "without-measure")
def shield_without_measure(b: Builder) -> None:
    """Ground for all fifteen tiles."""
    _valley(b, 15)


@design(SHIELD, "wrong-two-tiles")
def shield_two_tiles(b: Builder) -> None:
    """Ground for two tiles: 1.5 mV are missing."""
    _valley(b, 2)


@design(SHIELD, "wrong-no-ground")
def shield_no_ground(b: Builder) -> None:
    """An empty track alone."""
    _valley(b, 0)


@design(SHIELD, "wrong-too-early")
def shield_too_early(b: Builder) -> None:
    """Three tiles of ground, of which one stands before the valley, where nothing pushes."""
    _valley(b, at=1)


@design(SHIELD, "wrong-hasty")
def shield_hasty(b: Builder) -> None:
    """Faster than is safe at 900 mV."""
    _valley(b, every_ns=0.39)
