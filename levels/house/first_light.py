"""Chapter 0, "First light": the machines of levels 1 to 4, about wires and their speeds."""

from __future__ import annotations

from engine.builder import Builder
from levels.house.registry import design

# --- 01 Ignition -------------------------------------------------------------------------------------------

IGNITION = "first-light-01-ignition"


@design(IGNITION, "naive")
def ignition_naive(b: Builder) -> None:
    """Faster feels better: the wheel is rolled until the words fly. Three of four places on the wire stay empty."""
    b.wire("a.value", "out.value", speed=1)


@design(IGNITION, "best")
def ignition_best(b: Builder) -> None:
    """The pad has a word every 4 ns, so the wire takes one every 4 ns. Slower, and launches wait for the lights."""
    b.wire("a.value", "out.value", every_ns=4)


@design(IGNITION, "wrong-stopped")
def ignition_stopped(b: Builder) -> None:
    """Laid and never set going: a stopped wire takes nothing."""
    b.wire("a.value", "out.value", speed=0)


@design(IGNITION, "wrong-asleep")
def ignition_asleep(b: Builder) -> None:
    """A word every ten microseconds costs next to nothing to move, and the launches do not come in time."""
    b.wire("a.value", "out.value", every_ns=10_000)


@design(IGNITION, "wrong-empty")
def ignition_empty(b: Builder) -> None:
    """No wire at all."""


# --- 02 In step --------------------------------------------------------------------------------------------

IN_STEP = "first-light-02-in-step"


def _in_step(b: Builder, ten: int = 10) -> None:
    add = b.place("add", (7, 2), b=ten)
    b.wire("a.value", add.a)
    b.wire(add.out, "out.value")


@design(IN_STEP, "naive")
def in_step_naive(b: Builder) -> None:
    """Both wires as they come, at 1: words queue in front of the adder, and the road behind it is nearly empty."""
    _in_step(b)


@design(IN_STEP, "best")
def in_step_best(b: Builder) -> None:
    """The right pad takes a word every 5 ns, and all roads that lead to it keep that step."""
    _in_step(b)
    b.speed_all(every_ns=5)


@design(IN_STEP, "wrong-copies")
def in_step_copies(b: Builder) -> None:
    """Adds nothing."""
    _in_step(b, ten=0)
    b.speed_all(every_ns=5)


@design(IN_STEP, "wrong-doubles")
def in_step_doubles(b: Builder) -> None:
    """Adds the word to itself: right for a ten, and only for a ten."""
    add = b.place("add", (7, 2))
    b.wire("a.value", add.a, add.b, every_ns=5)
    b.wire(add.out, "out.value", every_ns=5)


@design(IN_STEP, "wrong-bypass")
def in_step_bypass(b: Builder) -> None:
    """Straight from pad to pad, past the adder."""
    b.wire("a.value", "out.value", every_ns=5)


# --- 03 Side by side ---------------------------------------------------------------------------------------

SIDE_BY_SIDE = "first-light-03-side-by-side"


def _through_the_gap(b: Builder, row: int, to_row: int) -> list[tuple[int, int]]:
    return [(0, row), (4, row), (4, 4), (11, 4), (11, to_row), (15, to_row)]


@design(SIDE_BY_SIDE, "naive")
def side_by_side_naive(b: Builder) -> None:
    """One wire has the gap and the other walks politely round the wall; both run at 1, twice as fast as their pads."""
    b.wire("a.value", "p.value", path=_through_the_gap(b, 2, 6))
    b.wire("b.value", "q.value", path=[(0, 6), (4, 6), (4, 0), (11, 0), (11, 2), (15, 2)])


@design(SIDE_BY_SIDE, "best")
def side_by_side_best(b: Builder) -> None:
    """Both wires share the gap, which is the shortest way for either, and keep their pads' step of 2 ns."""
    b.wire("a.value", "p.value", path=_through_the_gap(b, 2, 6), every_ns=2)
    b.wire("b.value", "q.value", path=_through_the_gap(b, 6, 2), every_ns=2)


@design(SIDE_BY_SIDE, "without-gap")
def side_by_side_without_gap(b: Builder) -> None:
    """In step, but one wire still goes round the wall."""
    side_by_side_naive(b)
    b.speed_all(every_ns=2)


@design(SIDE_BY_SIDE, "without-step")
def side_by_side_without_step(b: Builder) -> None:
    """Both through the gap, twice as fast as their pads."""
    side_by_side_best(b)
    b.speed_all(speed=1)


@design(SIDE_BY_SIDE, "wrong-straight")
def side_by_side_straight(b: Builder) -> None:
    """Each stream keeps its side; the pads across expect the other one."""
    b.wire("a.value", "q.value", path=_through_the_gap(b, 2, 2), every_ns=2)
    b.wire("b.value", "p.value", path=_through_the_gap(b, 6, 6), every_ns=2)


@design(SIDE_BY_SIDE, "wrong-one-for-both")
def side_by_side_one_for_both(b: Builder) -> None:
    """One stream feeds both pads, and the other is never read."""
    b.wire("a.value", "p.value", path=_through_the_gap(b, 2, 6), every_ns=2)
    b.wire("a.value", "q.value", path=_through_the_gap(b, 2, 2), every_ns=2)


@design(SIDE_BY_SIDE, "wrong-stopped")
def side_by_side_stopped(b: Builder) -> None:
    """One of the two is laid and stands still."""
    side_by_side_best(b)
    b.speed(b.find("b.value")[0], 0)


# --- 04 Three inside ---------------------------------------------------------------------------------------

THREE_INSIDE = "first-light-04-three-inside"


def _three_inside(b: Builder, core: str = "mul", by: int = 7) -> None:
    times = b.place(core, (7, 2), "times", b=by)
    b.wire("a.value", times.a)
    b.wire(times.out, "out.value")


@design(THREE_INSIDE, "naive")
def three_inside_naive(b: Builder) -> None:
    """The multiplier says 3 ns, so it gets a word every 3 ns, and two of its three stages are empty."""
    _three_inside(b)
    b.speed_all(every_ns=3)


@design(THREE_INSIDE, "best")
def three_inside_best(b: Builder) -> None:
    """A word every ns, as the pads can: three are in the multiplier at once, and the lights are on a third as long."""
    _three_inside(b)
    b.speed_all(every_ns=1)


@design(THREE_INSIDE, "wrong-eight")
def three_inside_eight(b: Builder) -> None:
    """Times eight."""
    _three_inside(b, by=8)
    b.speed_all(every_ns=1)


@design(THREE_INSIDE, "wrong-squares")
def three_inside_squares(b: Builder) -> None:
    """Multiplies each word by itself."""
    times = b.place("mul", (7, 2), "times")
    b.wire("a.value", times.a, times.b, every_ns=1)
    b.wire(times.out, "out.value", every_ns=1)


@design(THREE_INSIDE, "wrong-adds")
def three_inside_adds(b: Builder) -> None:
    """Adds seven, with a core that this board does not offer."""
    _three_inside(b, core="add")
    b.speed_all(every_ns=1)
