"""Chapter 0, "First light": the machines of levels 8 to 10, about work that need not be done."""

from __future__ import annotations

from engine.builder import Builder
from levels.house.registry import design

# --- 08 Spring cleaning ------------------------------------------------------------------------------------

SPRING_CLEANING = "first-light-08-spring-cleaning"


def _shift_and_add(b: Builder, shift: int = 3, every_ns: float = 2) -> None:
    """8a + a next to the pad. The short road goes two tiles out of its way: as much room as the long one has."""
    b.place("shl", (1, 3), "eight", b=shift)
    b.place("add", (2, 3), "sum")
    b.wire("a.value", "eight.a", every_ns=every_ns)
    b.wire("eight.out", "sum.a", every_ns=every_ns)
    b.wire("a.value", "sum.b", path=[(0, 3), (0, 4), (2, 4), (2, 3)], every_ns=every_ns)


def _cleaned(b: Builder, shift: int = 3) -> None:
    _shift_and_add(b, shift)
    b.wire("sum.out", "out.value", every_ns=2)


@design(SPRING_CLEANING, "start")
def cleaning_start(b: Builder) -> None:
    """It grew: a product, then a shift and an addition in its place, and a select that was to decide between them and
    has taken the second ever since."""
    b.place("relay", (3, 3), "fork")
    b.place("mul", (7, 1), "nine", b=9)
    b.place("shl", (7, 3), "eight", b=3)
    b.place("add", (9, 3), "sum")
    b.place("select", (12, 3), "pick", cond=0)
    b.wire("a.value", "fork.in")
    b.wire("fork.out", "nine.a", path=[(3, 3), (3, 1), (7, 1)])
    b.wire("fork.out", "eight.a")
    b.wire("fork.out", "sum.b", path=[(3, 3), (3, 5), (9, 5), (9, 3)])
    b.wire("nine.out", "pick.a", path=[(7, 1), (12, 1), (12, 3)])
    b.wire("eight.out", "sum.a")
    b.wire("sum.out", "pick.b")
    b.wire("pick.out", "out.value")


@design(SPRING_CLEANING, "naive")
def cleaning_naive(b: Builder) -> None:
    """The machine as it was found: right, and two thirds of what it does is thrown away."""
    cleaning_start(b)


@design(SPRING_CLEANING, "best")
def cleaning_best(b: Builder) -> None:
    """Shift and add alone, in step with the pad. No product, no select, and no relay either: the road forks at the
    pad. The short road has the same room as the long one, or the adder would wait."""
    _cleaned(b)


@design(SPRING_CLEANING, "without-arm")
def cleaning_without_arm(b: Builder) -> None:
    """In step and close together, and the product is still made and never picked."""
    _shift_and_add(b)
    b.place("mul", (1, 2), "nine", b=9)
    b.place("select", (4, 3), "pick", cond=0)
    b.wire("a.value", "nine.a", path=[(0, 3), (0, 2), (1, 2)], every_ns=2)
    b.wire("nine.out", "pick.a", path=[(1, 2), (4, 2), (4, 3)], every_ns=2)
    b.wire("sum.out", "pick.b", every_ns=2)
    b.wire("pick.out", "out.value", every_ns=2)


@design(SPRING_CLEANING, "without-pick")
def cleaning_without_pick(b: Builder) -> None:
    """The product is gone; the select stays, with nothing left to choose from."""
    _shift_and_add(b)
    b.place("select", (4, 3), "pick", cond=0, a=0)
    b.wire("sum.out", "pick.b", every_ns=2)
    b.wire("pick.out", "out.value", every_ns=2)


@design(SPRING_CLEANING, "without-roads")
def cleaning_without_roads(b: Builder) -> None:
    """The short road is two tiles too long, and the long one waits for it."""
    _cleaned(b)
    b.remove(b.find("a.value", "sum.b")[0])
    b.wire("a.value", "sum.b", path=[(0, 3), (0, 5), (2, 5), (2, 3)], every_ns=2)


@design(SPRING_CLEANING, "without-step")
def cleaning_without_step(b: Builder) -> None:
    """Clean, and every wire still at 1."""
    _cleaned(b)
    b.speed_all(speed=1)


@design(SPRING_CLEANING, "without-shift")
def cleaning_without_shift(b: Builder) -> None:
    """The product instead of shift and add: one core and one road, and nearly as good."""
    b.place("mul", (2, 3), "nine", b=9)
    b.wire("a.value", "nine.a", every_ns=2)
    b.wire("nine.out", "out.value", every_ns=2)


@design(SPRING_CLEANING, "wrong-stopped")
def cleaning_stopped(b: Builder) -> None:
    """The wire to the product is stopped, not removed: the fork waits for it, and all wait for the fork."""
    cleaning_start(b)
    b.speed(b.find("fork.out", "nine.a")[0], 0)


@design(SPRING_CLEANING, "wrong-unfed")
def cleaning_unfed(b: Builder) -> None:
    """The product is removed and the select is not, which still wants a word from it."""
    cleaning_start(b)
    b.remove("nine")


@design(SPRING_CLEANING, "wrong-eight")
def cleaning_eight(b: Builder) -> None:
    """Only eight times: the second road is missing."""
    _cleaned(b)
    b.remove(b.find("a.value", "sum.b")[0])
    b.set("sum", b=0)


@design(SPRING_CLEANING, "wrong-seventeen")
def cleaning_seventeen(b: Builder) -> None:
    """Shifted by four: sixteen times and once more."""
    _cleaned(b, shift=4)


# --- 09 Merry-go-round -------------------------------------------------------------------------------------

MERRY_GO_ROUND = "first-light-09-merry-go-round"


def _ring(b: Builder, add: tuple[int, int], delay: tuple[int, int], slots: int = 1, every: int = 16) -> None:
    """The sum goes out and, through a delay of one, back to the adder."""
    b.place("add", add, "sum")
    b.place("delay", delay, "last", slots=slots, every=every)
    b.wire("a.value", "sum.a")
    b.wire("sum.out", "last.in")
    b.wire("last.out", "sum.b")
    b.wire("sum.out", "out.value")


def _close_ring(b: Builder, ring_ns: float = 0.4, road_ns: float = 2.8, slots: int = 1, every: int = 16) -> None:
    """Adder and delay stand one above the other beside the right pad; a word takes 2 cycles and 2 tiles to go round."""
    _ring(b, (14, 3), (14, 2), slots, every)
    b.speed_all(every_ns=road_ns)
    for line in (b.find("sum.out", "last.in")[0], b.find("last.out", "sum.b")[0]):
        b.speed(line, every_ns=ring_ns)


@design(MERRY_GO_ROUND, "naive")
def ring_naive(b: Builder) -> None:
    """Adder and delay at a comfortable distance, all wires at 1: a word takes 14 ns to go round, and so does a sum."""
    _ring(b, (5, 3), (11, 3))


@design(MERRY_GO_ROUND, "best")
def ring_best(b: Builder) -> None:
    """A ring of two tiles at 2.5, at which faster begins to cost more than the lights; all other wires as slow as the
    ring. It stands at the right, as sums have more bits than words."""
    _close_ring(b)


@design(MERRY_GO_ROUND, "without-close")
def ring_without_close(b: Builder) -> None:
    """A fast ring of six tiles each way, and the other wires in step with it."""
    _ring(b, (7, 3), (13, 3))
    b.speed_all(every_ns=6.8)
    for line in (b.find("sum.out", "last.in")[0], b.find("last.out", "sum.b")[0]):
        b.speed(line, every_ns=0.4)


@design(MERRY_GO_ROUND, "without-fast")
def ring_without_fast(b: Builder) -> None:
    """The ring is close and runs at 1, as wires come."""
    _close_ring(b, ring_ns=1, road_ns=4)


@design(MERRY_GO_ROUND, "without-stroll")
def ring_without_stroll(b: Builder) -> None:
    """The ring is close and fast, and the roads to and from it run at 1, with a word every 2.8 ns to carry."""
    _close_ring(b, road_ns=1)


@design(MERRY_GO_ROUND, "wrong-two")
def ring_two(b: Builder) -> None:
    """A delay of two makes two sums that take turns."""
    _close_ring(b, slots=2)


@design(MERRY_GO_ROUND, "wrong-half")
def ring_half(b: Builder) -> None:
    """Starts afresh after eight words, in the middle of a launch."""
    _close_ring(b, every=8)


@design(MERRY_GO_ROUND, "wrong-never")
def ring_never(b: Builder) -> None:
    """Does not start afresh with a launch: a sum of the last one meets a word of the next."""
    _close_ring(b, every=32)


@design(MERRY_GO_ROUND, "wrong-open")
def ring_open(b: Builder) -> None:
    """The ring is not closed: each word is added to nothing."""
    _close_ring(b)
    b.remove("last")
    b.set("sum", b=0)


# --- 10 Pack light -----------------------------------------------------------------------------------------

PACK_LIGHT = "first-light-10-pack-light"


def _dot(b: Builder, mul: int, acc: int, n: int = 8) -> None:
    """Multiplier and accumulator in the middle row, in columns ``mul`` and ``acc``; all wires as they come."""
    b.place("mul", (mul, 5), "mul")
    b.place("accumulate", (acc, 5), "sum", n=n)
    b.wire("a.value", "mul.a", path=[(0, 1), (mul, 1), (mul, 5)] if mul else [(0, 1), (0, 5)])
    b.wire("b.value", "mul.b", path=[(0, 9), (mul, 9), (mul, 5)] if mul else [(0, 9), (0, 5)])
    b.wire("mul.out", "sum.in")
    b.wire("sum.out", "out.value")


def _in_step(b: Builder, exit_ns: float = 16) -> None:
    """Words and products every 2 ns, as the pads have them; sums every 16 ns."""
    b.speed_all(every_ns=2)
    b.speed(b.find("sum.out")[0], every_ns=exit_ns)


@design(PACK_LIGHT, "naive")
def dot_naive(b: Builder) -> None:
    """Built where the answer is wanted: sixteen words cross the board, on wires twice as fast as their pads."""
    _dot(b, 20, 22)


@design(PACK_LIGHT, "best")
def dot_best(b: Builder) -> None:
    """The streams meet half way between their pads, eight products become one word on the spot, and only that one
    crosses the board. It may take its time: there is one every 16 ns."""
    _dot(b, 0, 1)
    _in_step(b)


@design(PACK_LIGHT, "without-meeting")
def dot_without_meeting(b: Builder) -> None:
    """In step, and built where the answer is wanted."""
    _dot(b, 20, 22)
    _in_step(b)


@design(PACK_LIGHT, "without-reducing")
def dot_without_reducing(b: Builder) -> None:
    """The streams meet at the left, and eight products cross the board to be added up at the right."""
    _dot(b, 0, 22)
    _in_step(b)


@design(PACK_LIGHT, "without-strolling")
def dot_without_strolling(b: Builder) -> None:
    """The way out is as fast as the ways in, with an eighth as much to carry."""
    _dot(b, 0, 1)
    _in_step(b, exit_ns=2)


@design(PACK_LIGHT, "wrong-squares")
def dot_squares(b: Builder) -> None:
    """The first stream is multiplied by itself, and the second never read."""
    _dot(b, 0, 1)
    b.remove(b.find("a.value")[0])
    b.remove(b.find("b.value")[0])
    b.wire("a.value", "mul.a", "mul.b", path=[(0, 1), (0, 5)])
    _in_step(b)


@design(PACK_LIGHT, "wrong-plain-sum")
def dot_plain_sum(b: Builder) -> None:
    """Multiplies by one and never reads the second stream."""
    _dot(b, 0, 1)
    b.remove(b.find("b.value")[0])
    b.set("mul", b=1)
    _in_step(b)


@design(PACK_LIGHT, "wrong-seven")
def dot_seven(b: Builder) -> None:
    """Adds up seven products and counts the eighth to the next sum."""
    _dot(b, 0, 1, n=7)
    _in_step(b)


@design(PACK_LIGHT, "wrong-greatest")
def dot_greatest(b: Builder) -> None:
    """Keeps the greatest product."""
    _dot(b, 0, 1)
    b.set("sum", op="max")
    _in_step(b)


@design(PACK_LIGHT, "wrong-stopped")
def dot_stopped(b: Builder) -> None:
    """The way out may be slow; this one stands."""
    dot_best(b)
    b.speed(b.find("sum.out")[0], 0)
