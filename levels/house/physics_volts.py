"""Chapter 3, "Thin ice": the machines of levels 1 to 3, about voltage and clock."""

from __future__ import annotations

from engine.builder import Builder
from engine.handles import PortRef
from levels.house.registry import design


def _supply(mv: int, clock: int) -> dict[str, int]:
    """Settings of a core, without those that are as they come."""
    return {
        name: value for name, value, usual in (("voltage_mv", mv, 900), ("clock_ticks", clock, 100)) if value != usual
    }


# --- 01 Less pressure --------------------------------------------------------------------------------------

LESS_PRESSURE = "physics-01-less-pressure"


def _seven(b: Builder, core_mv: int = 900, clock: int = 100, wire_mv: int | None = None, seven: int = 7) -> None:
    """7·a in the middle of the road, a word every 10 ns; what runs at 900 mV and 100 ticks is not said."""
    times = b.place("mul.serial", (5, 2), "seven", b=seven, **_supply(core_mv, clock))
    b.wire("a.value", times.a, every_ns=10, voltage_mv=wire_mv)
    b.wire(times.out, "out.value", every_ns=10, voltage_mv=wire_mv)


@design(LESS_PRESSURE, "naive")
def pressure_naive(b: Builder) -> None:
    """In step with the pads, and everything at 900 mV: the multiplier is done after 8 ns and waits for 2."""
    _seven(b)


@design(LESS_PRESSURE, "best")
def pressure_best(b: Builder) -> None:
    """Eight cycles of 1.25 ns fill the ten nanoseconds, and 700 mV are enough for that clock. The wires need a word
    every 10 ns, for which the lowest voltage will do."""
    _seven(b, 700, 125, 500)


@design(LESS_PRESSURE, "without-core")
def pressure_without_core(b: Builder) -> None:
    """Only the wires are at low voltage."""
    _seven(b, wire_mv=500)


@design(LESS_PRESSURE, "without-wires")
def pressure_without_wires(b: Builder) -> None:
    """Only the multiplier is at low voltage."""
    _seven(b, 700, 125)


@design(LESS_PRESSURE, "without-clock")
def pressure_without_clock(b: Builder) -> None:
    """The multiplier keeps its clock of 1 ns, and 800 mV are the least for that."""
    _seven(b, 800, 100, 500)


@design(LESS_PRESSURE, "wrong-one-step-less")
def pressure_one_step_less(b: Builder) -> None:
    """One step lower: the clock is 4 % too fast for 675 mV, and every third word has its highest bit wrong."""
    _seven(b, 675, 125, 500)


@design(LESS_PRESSURE, "wrong-clock-kept")
def pressure_clock_kept(b: Builder) -> None:
    """The voltage goes down and the clock stays."""
    _seven(b, 700, 100, 500)


@design(LESS_PRESSURE, "wrong-six")
def pressure_six(b: Builder) -> None:
    """Six times."""
    _seven(b, 700, 125, 500, seven=6)


# --- 02 The sweet spot -------------------------------------------------------------------------------------

SWEET_SPOT = "physics-02-the-sweet-spot"


def _row(b: Builder, mv: int = 900, clock: int = 100, wire_mv: int | None = None) -> None:
    """The four cores in a row at one voltage and clock, with the wires in step."""
    start: PortRef | str = "a.value"
    for n, (kind, name, number) in enumerate(
        (("add", "more", 37), ("xor", "mixed", 85), ("sub", "less", 20), ("max", "least", 30))
    ):
        placed = b.place(kind, (n + 1, 2), name, b=number, **_supply(mv, clock))
        b.wire(start, placed.a, every_ns=clock / 100, voltage_mv=wire_mv)
        start = placed.out
    b.wire(start, "out.value", every_ns=clock / 100, voltage_mv=wire_mv)


@design(SWEET_SPOT, "naive")
def sweet_naive(b: Builder) -> None:
    """Four cores in a row as they come, and the wires in step with their clock of 1 ns."""
    _row(b)


@design(SWEET_SPOT, "best")
def sweet_best(b: Builder) -> None:
    """625 mV for everything, and every clock as fast as that allows: less would leak for too long, more would switch
    too dearly. The wires have the voltage of the cores, so only the one to the right pad needs a level shifter."""
    _row(b, 625, 157, wire_mv=625)


@design(SWEET_SPOT, "without-crawl")
def sweet_without_crawl(b: Builder) -> None:
    """The lowest voltage: little is switched, and all leaks for more than twice as long."""
    _row(b, 500, 361, wire_mv=500)


@design(SWEET_SPOT, "without-sprint")
def sweet_without_sprint(b: Builder) -> None:
    """The highest voltage: twice as many launches as at 800 mV, and each takes twice the energy."""
    _row(b, 1300, 54, wire_mv=1300)


@design(SWEET_SPOT, "without-speed")
def sweet_without_speed(b: Builder) -> None:
    """The right voltage, and a clock of 2.5 ns where 1.57 are enough."""
    _row(b, 625, 250, wire_mv=625)


@design(SWEET_SPOT, "without-wires")
def sweet_without_wires(b: Builder) -> None:
    """The wires stay at 900 mV, with a level shifter at every core."""
    _row(b, 625, 157)


@design(SWEET_SPOT, "wrong-hasty")
def sweet_hasty(b: Builder) -> None:
    """One of the clocks is 4.6 % too fast for 625 mV."""
    sweet_best(b)
    b.set("mixed", clock_ticks=150)


@design(SWEET_SPOT, "wrong-nineteen")
def sweet_nineteen(b: Builder) -> None:
    """One too little is taken off."""
    sweet_best(b)
    b.set("less", b=19)


# --- 03 Only the slow one ----------------------------------------------------------------------------------

SLOW_ONE = "physics-03-only-the-slow-one"


def _doubling(
    b: Builder,
    loop: tuple[int, int] = (900, 100),
    ring: tuple[int | None, int] = (None, 100),
    rest: tuple[int, int] = (900, 100),
    road: tuple[int | None, int] = (None, 100),
    at: tuple[int, ...] = (1, 2, 4, 5, 7),
    factor: int = 2,
) -> None:
    """x = 2·x + ((a + 37) ^ 85) in a loop of two cores, and less 90, at least 30, behind it.

    ``loop`` and ``rest`` are mV and clock of cores in the loop and outside, ``ring`` and ``road`` mV and ticks per word
    of wires.
    """
    first = b.place("add", (at[0], 2), "more", b=37, **_supply(*rest))
    mixed = b.place("xor", (at[1], 2), "mixed", b=85, **_supply(*rest))
    twice = b.place("mac", (at[2], 2), "twice", b=factor, **_supply(*loop))
    last = b.place("delay", (at[2], 1), "last", slots=1, every=8, **_supply(*loop))
    less = b.place("sub", (at[3], 2), "less", b=90, **_supply(*rest))
    least = b.place("max", (at[4], 2), "least", b=30, **_supply(*rest))
    for start, end in (
        ("a.value", first.a),
        (first.out, mixed.a),
        (mixed.out, twice.c),
        (twice.out, less.a),
        (less.out, least.a),
        (least.out, "out.value"),
    ):
        b.wire(start, end, every_ns=road[1] / 100, voltage_mv=road[0])
    b.wire(twice.out, last.in_, every_ns=ring[1] / 100, voltage_mv=ring[0])
    b.wire(last.out, twice.a, every_ns=ring[1] / 100, voltage_mv=ring[0])


NEAR = (1, 2, 3, 4, 5)
_BEST_LOOP, _BEST_RING, _TURN = (1250, 56), (1000, 36), 296
"""mV and ticks of the best machine; a word goes round its loop in 4 cycles and over two tiles."""


@design(SLOW_ONE, "naive")
def slow_naive(b: Builder) -> None:
    """Spread over the board, everything as it comes: a word goes round the loop in 6 ns."""
    _doubling(b)


@design(SLOW_ONE, "best")
def slow_best(b: Builder) -> None:
    """The loop at 1250 mV and as fast as that allows, its wires at 1000. All others have a turn of the loop for a word,
    2.96 ns, for which 525 mV are enough, and stand side by side next to the left pad."""
    _doubling(b, _BEST_LOOP, _BEST_RING, (525, _TURN), (525, _TURN), NEAR)


@design(SLOW_ONE, "without-loop")
def slow_without_loop(b: Builder) -> None:
    """The loop at 900 mV and as fast as that allows; the rest is starved all the same."""
    _doubling(b, (900, 80), (None, 40), (525, 400), (525, 400), NEAR)


@design(SLOW_ONE, "without-rest")
def slow_without_rest(b: Builder) -> None:
    """The loop is fast, and all others run at 900 mV and a clock of 1 ns, though nobody asks them to."""
    _doubling(b, _BEST_LOOP, _BEST_RING, road=(None, 100), at=NEAR)


@design(SLOW_ONE, "without-ring")
def slow_without_ring(b: Builder) -> None:
    """The wires of the loop were forgotten: they take a word per ns."""
    _doubling(b, _BEST_LOOP, (None, 100), (525, 424), (525, 424), NEAR)


@design(SLOW_ONE, "without-road")
def slow_without_road(b: Builder) -> None:
    """The cores are starved and the wires between them are not."""
    _doubling(b, _BEST_LOOP, _BEST_RING, (525, _TURN), (None, 100), NEAR)


@design(SLOW_ONE, "wrong-no-volts")
def slow_no_volts(b: Builder) -> None:
    """The loop is overclocked and its voltage left alone: 43 % too fast, and half of its words are wrong."""
    _doubling(b, (900, 56), _BEST_RING, (525, _TURN), (525, _TURN), NEAR)


@design(SLOW_ONE, "wrong-hasty-ring")
def slow_hasty_ring(b: Builder) -> None:
    """The wires of the loop are 11 % too fast for 900 mV."""
    _doubling(b, _BEST_LOOP, (None, 36), (525, _TURN), (525, _TURN), NEAR)


@design(SLOW_ONE, "wrong-triple")
def slow_triple(b: Builder) -> None:
    """Three times the last result."""
    _doubling(b, _BEST_LOOP, _BEST_RING, (525, _TURN), (525, _TURN), NEAR, factor=3)
