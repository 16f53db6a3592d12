"""Chapter 3, "Thin ice": the machines of level 4, about errors that are mended."""

from __future__ import annotations

from engine.builder import Builder
from levels.house.registry import design

VERIFY = "physics-04-trust-but-verify"


def _divided(
    b: Builder,
    core: tuple[int, int] = (900, 100),
    wire_mv: int | None = 500,
    code: str | None = None,
    by: int = 7,
    column: int = 5,
) -> None:
    """a // 7, the divider at ``core`` mV and ticks; the wires in step with it, the second one with ``code``."""
    mv, clock = core
    every = 12 * clock / 100
    usual = {"voltage_mv": None if mv == 900 else mv, "clock_ticks": None if clock == 100 else clock}
    seven = b.place("div", (column, 2), "seventh", b=by, **{name: value for name, value in usual.items() if value})
    b.wire("a.value", seven.a, every_ns=every, voltage_mv=wire_mv)
    b.wire(seven.out, "out.value", every_ns=every, voltage_mv=wire_mv, encoding=code)


_BEST = (1075, 54)


@design(VERIFY, "naive")
def verify_naive(b: Builder) -> None:
    """The divider in the middle, and everything as it comes: 900 mV and a clock of 1 ns, slower than is safe."""
    _divided(b, wire_mv=None, column=3)


@design(VERIFY, "best")
def verify_best(b: Builder) -> None:
    """1075 mV, and a clock a fifth faster than is safe there: half of the words have bit 31 wrong, and SECDED mends it.
    The divider is next to the pad, so that seven more lines are one tile long. Wires at 500 mV."""
    _divided(b, _BEST, code="secded")


@design(VERIFY, "without-errors")
def verify_without_errors(b: Builder) -> None:
    """Without errors, and so without a code: 1200 mV are best, as fast as is safe."""
    _divided(b, (1200, 58))


@design(VERIFY, "without-trust")
def verify_without_trust(b: Builder) -> None:
    """SECDED is paid, and the clock stays where nothing has to be mended."""
    _divided(b, (1075, 65), code="secded")


@design(VERIFY, "without-volts")
def verify_without_volts(b: Builder) -> None:
    """A fifth faster than is safe, at 900 mV."""
    _divided(b, (900, 67), code="secded")


@design(VERIFY, "without-wires")
def verify_without_wires(b: Builder) -> None:
    """The wires stay at 900 mV."""
    _divided(b, _BEST, None, "secded")


@design(VERIFY, "wrong-parity")
def verify_parity(b: Builder) -> None:
    """Parity tells that a word is wrong, and not how it would be right."""
    _divided(b, _BEST, code="parity")


@design(VERIFY, "wrong-two-bits")
def verify_two_bits(b: Builder) -> None:
    """One tick less: more than a fifth too fast, and now and then two bits are late."""
    _divided(b, (1075, 53), code="secded")


@design(VERIFY, "wrong-raw")
def verify_raw(b: Builder) -> None:
    """The same clock without a code."""
    _divided(b, _BEST)


@design(VERIFY, "wrong-eight")
def verify_eight(b: Builder) -> None:
    """Divided by eight."""
    _divided(b, _BEST, code="secded", by=8)
