"""Chapter 3, "Thin ice": the machines of levels 1 to 3, about voltage and clock."""

from __future__ import annotations

from engine.builder import Builder
from levels.house.registry import design

# --- 01 Less pressure --------------------------------------------------------------------------------------

LESS_PRESSURE = "physics-01-less-pressure"


def _seven(b: Builder, core_mv: int = 900, clock: int = 100, wire_mv: int | None = None, seven: int = 7) -> None:
    """7·a in the middle of the road, a word every 10 ns; what runs at 900 mV and 100 ticks is not said."""
    supply = {"voltage_mv": core_mv} if core_mv != 900 else {}
    if clock != 100:
        supply["clock_ticks"] = clock
    times = b.place("mul.serial", (5, 2), "seven", b=seven, **supply)
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


def _row(
    b: Builder,
    mv: int = 900,
    clock: int = 100,
    every: int | None = None,
    wire_mv: int | None = None,
    kinds: tuple[str, ...] = ("add", "xor", "sub", "max"),
) -> None:
    """The four cores in a row at one voltage and clock, with the wires in step."""
    supply = {"voltage_mv": mv} if mv != 900 else {}
    if clock != 100:
        supply["clock_ticks"] = clock
    numbers = {"add": 37, "xor": 85, "sub": 20, "max": 30}
    ports = ["a.value"]
    for n, kind in enumerate(kinds):
        placed = b.place(kind, (n + 1, 2), kind + "er", b=numbers[kind], **supply)
        b.wire(ports[-1], placed.a, every_ns=(every or clock) / 100, voltage_mv=wire_mv)
        ports.append(placed.out)
    b.wire(ports[-1], "out.value", every_ns=(every or clock) / 100, voltage_mv=wire_mv)
