"""Chapter 0, "First light": the machines of levels 5 to 7, about words that wait."""

from __future__ import annotations

from collections.abc import Sequence

from engine.builder import Builder
from levels.house.registry import design

# --- 05 Two roads ------------------------------------------------------------------------------------------

TWO_ROADS = "first-light-05-two-roads"

Chain = Sequence[tuple[str, str, int | None]]
"""Cores of the long road: type, name and immediate at b; the last one is where the roads meet."""

AS_WRITTEN: Chain = (
    ("mul", "three", 3),
    ("sub", "less", 20),
    ("max", "floor", 0),
    ("mul", "five", 5),
    ("mul", "times", None),
)
FOLDED: Chain = (("mul", "fifteen", 15), ("sub", "less", 100), ("max", "floor", 0), ("mul", "times", None))


def _long_road(b: Builder, chain: Chain, first: int, step: int = 1) -> None:
    """The cores stand in the pads' row from column ``first``, every ``step`` tiles; wires at 1, the pads' rate."""
    source = "a.value"
    for n, (core, name, immediate) in enumerate(chain):
        b.place(core, (first + step * n, 4), name, **({} if immediate is None else {"b": immediate}))
        b.wire(source, f"{name}.a")
        source = f"{name}.out"
    b.wire(source, "out.value")


@design(TWO_ROADS, "naive")
def two_roads_naive(b: Builder) -> None:
    """Five cores as the formula says, evenly over the board; eight cycles in them are eight words, so the short road
    takes eight tiles more than the long one."""
    _long_road(b, AS_WRITTEN, 4, step=4)
    b.wire("a.value", "times.b", path=[(0, 4), (0, 0), (20, 0), (20, 4)])


@design(TWO_ROADS, "best")
def two_roads_best(b: Builder) -> None:
    """3 × 5 is 15, so one multiplication goes, and with it three cycles; the cores stand side by side next to the
    pad, so that two roads run in parallel for four tiles only. A detour of two tiles is then room enough."""
    _long_road(b, FOLDED, 1)
    b.wire("a.value", "times.b", path=[(0, 4), (0, 2), (4, 2), (4, 4)])


@design(TWO_ROADS, "without-fold")
def two_roads_without_fold(b: Builder) -> None:
    """Close to the pad, with both constants multiplied in one by one: eight cycles need eight words of room."""
    _long_road(b, AS_WRITTEN, 1)
    b.wire("a.value", "times.b", path=[(0, 4), (0, 0), (5, 0), (5, 4)])


@design(TWO_ROADS, "without-near")
def two_roads_without_near(b: Builder) -> None:
    """Four cores side by side, at the far end: both roads cross the whole board."""
    _long_road(b, FOLDED, 19)
    b.wire("a.value", "times.b", path=[(0, 4), (0, 2), (22, 2), (22, 4)])


@design(TWO_ROADS, "without-detour")
def two_roads_without_detour(b: Builder) -> None:
    """A buffer of two on the shortest way instead of two more tiles: it works, and dearer than so short a detour."""
    _long_road(b, FOLDED, 1)
    room = b.place("buffer", (4, 3), "room", slots=2)
    b.wire("a.value", room.in_)
    b.wire(room.out, "times.b")


@design(TWO_ROADS, "wrong-short")
def two_roads_short(b: Builder) -> None:
    """The short road as short as it can be: it is full while the long one still thinks."""
    _long_road(b, AS_WRITTEN, 4, step=4)
    b.wire("a.value", "times.b", path=[(0, 4), (0, 3), (20, 3), (20, 4)])


@design(TWO_ROADS, "wrong-long")
def two_roads_long(b: Builder) -> None:
    """Four tiles too many: now it is the long road that fills up and waits."""
    _long_road(b, FOLDED, 1)
    b.wire("a.value", "times.b", path=[(0, 4), (0, 0), (4, 0), (4, 4)])


@design(TWO_ROADS, "wrong-sign")
def two_roads_sign(b: Builder) -> None:
    """Adds what should be taken away."""
    two_roads_best(b)
    b.set("less", b=-100)


@design(TWO_ROADS, "wrong-no-floor")
def two_roads_no_floor(b: Builder) -> None:
    """The floor lies so low that nothing ever stands on it: wrong for the smallest words only."""
    two_roads_best(b)
    b.set("floor", b=-100)


@design(TWO_ROADS, "wrong-one-road")
def two_roads_one_road(b: Builder) -> None:
    """Only the long road; the last multiplication is by one."""
    _long_road(b, FOLDED, 1)
    b.set("times", b=1)


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
