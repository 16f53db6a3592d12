"""Chapter 0, "First light": the machines of levels 6 to 10, which want an idea."""

from __future__ import annotations

from engine.builder import Builder
from levels.house.registry import design

# --- 06 The jam --------------------------------------------------------------------------------------------

THE_JAM = "first-light-06-the-jam"


def _jam_chain(b: Builder, core: str, by: int, columns: tuple[int, int, int]) -> None:
    b.place("mul", (columns[0], 2), "three", b=3)
    b.place("add", (columns[1], 2), "five", b=5)
    b.place(core, (columns[2], 2), "eighth", b=by)
    for source, to in (("a.value", "three.a"), ("three.out", "five.a"), ("five.out", "eighth.a")):
        b.wire(source, to)
    b.wire("eighth.out", "out.value")


def _jam_fused(b: Builder, plus: int = 5, shift: int = 3, core: str = "shr") -> None:
    b.place("mac", (1, 2), "line", b=3, c=plus)
    b.place(core, (2, 2), "eighth", b=shift)
    b.wire("a.value", "line.a")
    b.wire("line.out", "eighth.a")
    b.wire("eighth.out", "out.value")


@design(THE_JAM, "start")
def jam_start(b: Builder) -> None:
    """Somebody wrote (3a + 5) // 8 down as it stands: a multiplication, an addition and a division."""
    _jam_chain(b, "div", 8, (4, 8, 12))


@design(THE_JAM, "naive")
def jam_naive(b: Builder) -> None:
    """The machine as it was found. The divider takes a word every 12 ns, and all others wait for it at full power."""
    jam_start(b)


@design(THE_JAM, "best")
def jam_best(b: Builder) -> None:
    """Dividing by eight is a shift by three, which takes a word every ns; three times a plus five is the work of one
    core, a multiply-add, where it was that of two. Both stand near the pad, as the quotient has the fewest bits."""
    _jam_fused(b)


@design(THE_JAM, "without-shift")
def jam_without_shift(b: Builder) -> None:
    """Fused, and in step with the divider, which still takes 12 ns for each word."""
    _jam_fused(b, core="div", shift=8)
    b.speed_all(every_ns=12)


@design(THE_JAM, "without-fuse")
def jam_without_fuse(b: Builder) -> None:
    """Shifts, with a core each for the product and the sum."""
    _jam_chain(b, "shr", 3, (1, 2, 3))


@design(THE_JAM, "wrong-quarter")
def jam_quarter(b: Builder) -> None:
    """A shift by two divides by four."""
    _jam_fused(b, shift=2)


@design(THE_JAM, "wrong-eight")
def jam_shift_by_eight(b: Builder) -> None:
    """A shift by eight divides by 256: the divider's number went into the shifter."""
    _jam_fused(b, shift=8)


@design(THE_JAM, "wrong-left")
def jam_left(b: Builder) -> None:
    """Shifts the other way."""
    _jam_fused(b, core="shl")


@design(THE_JAM, "wrong-forgets-five")
def jam_forgets_five(b: Builder) -> None:
    """Nothing is added: wrong only where five more reach the next eight."""
    _jam_fused(b, plus=0)


# --- 07 Breathing ------------------------------------------------------------------------------------------

BREATHING = "first-light-07-breathing"


def _breathing(b: Builder, column: int = 1, slots: int = 4, fast: float = 1, slow: float = 4) -> None:
    """A buffer in ``column``; a word every ``fast`` ns in front of it, every ``slow`` ns behind it."""
    lung = b.place("buffer", (column, 2), "lung", slots=slots)
    b.wire("a.value", lung.in_, every_ns=fast)
    b.wire(lung.out, "out.value", every_ns=slow)


@design(BREATHING, "naive")
def breathing_naive(b: Builder) -> None:
    """One wire, fast enough for the burst, and three quarters of the time with nothing to do."""
    b.wire("a.value", "out.value", speed=1)


@design(BREATHING, "best")
def breathing_best(b: Builder) -> None:
    """One fast tile, then four slots, then thirteen tiles at the mean rate of a word every 4 ns. Four are enough for a
    burst of eight, since two have gone by when the last comes, and the slow wire holds the rest."""
    _breathing(b)


@design(BREATHING, "without-lung")
def breathing_without_lung(b: Builder) -> None:
    """One wire alone, at the speed that suits it best: too slow for the burst, and too fast for the silence."""
    b.wire("a.value", "out.value", every_ns=2.5)


@design(BREATHING, "without-near")
def breathing_without_near(b: Builder) -> None:
    """The buffer in the middle of the road: seven tiles must keep up with the burst."""
    _breathing(b, column=7)


@design(BREATHING, "without-slow")
def breathing_without_slow(b: Builder) -> None:
    """Everything behind the buffer is as fast as in front of it."""
    _breathing(b, slow=1)


@design(BREATHING, "wrong-stopped")
def breathing_stopped(b: Builder) -> None:
    """The slow wire is so slow that it stands."""
    _breathing(b)
    b.speed(b.find("lung.out")[0], 0)


@design(BREATHING, "wrong-hoard")
def breathing_hoard(b: Builder) -> None:
    """Sixteen slots where the level allows eight."""
    _breathing(b, slots=16)


@design(BREATHING, "wrong-twice")
def breathing_twice(b: Builder) -> None:
    """A slow wire beside the fast one does not share its work: each takes a copy of every word."""
    breathing_naive(b)
    b.wire("a.value", "out.value", path=[(0, 2), (0, 3), (14, 3), (14, 2)], every_ns=4)


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
