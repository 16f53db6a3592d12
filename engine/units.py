"""The machine's units, and every conversion between them and what a person reads.

Inside the engine all quantities are integers, so that a sum never depends on its order:

========  =======================================  ==================
quantity  engine                                   a person sees
========  =======================================  ==================
time      ticks of 10 ps                           ns
speed     ``every_ticks``, ticks per word, >= 10   tiles per ns
energy    attojoules (aJ) of an event              pJ
power     nanowatts (nW) of a standing load        uW, mW
total     units of 1e-20 J: 100 x aJ + nW x ticks  pJ
========  =======================================  ==================

One nanowatt over one tick is 1e-9 W x 1e-11 s = 1e-20 J, a hundredth of an attojoule: that is the common
unit in which event energy and standing energy add up exactly.
"""

from __future__ import annotations

from fractions import Fraction

TICKS_PER_NS = 100
TICKS_PER_CYCLE = 100
"""The core clock at its nominal 1 GHz."""

MIN_CLOCK_TICKS, MAX_CLOCK_TICKS = 50, 1000
"""Periods that a core's clock may have where a level lets it be set."""

NOMINAL_MV = 900
"""The voltage of everything whose voltage is not set."""

MIN_EVERY_TICKS = 10
"""The fastest wire: a word every 0.1 ns."""

AJ_PER_FJ = 1_000
AJ_PER_PJ = 1_000_000
NW_PER_UW = 1_000
EXACT_PER_AJ = 100
"""Exact energy units (1e-20 J) in one attojoule."""

EXACT_PER_PJ = EXACT_PER_AJ * AJ_PER_PJ


def ticks_from_ns(ns: float) -> int:
    """Whole ticks nearest to ``ns`` nanoseconds (halves to even)."""
    return round(Fraction(str(ns)) * TICKS_PER_NS)


def ns_from_ticks(ticks: int) -> float:
    """Nanoseconds of ``ticks``; exact to two decimals."""
    return ticks / TICKS_PER_NS


def every_ticks_from_speed(speed: Fraction) -> int | None:
    """Ticks per word of a wire at ``speed`` tiles/ns, rounded to the nearest tick; None when stopped.

    The result is not clipped: the caller refuses what is below :data:`MIN_EVERY_TICKS`.
    """
    if speed == 0:
        return None
    return max(1, round(TICKS_PER_NS / speed))


def aj_from_fj(fj: float) -> int:
    """Whole attojoules nearest to ``fj`` femtojoules."""
    return round(fj * AJ_PER_FJ)


def nw_from_uw(uw: float) -> int:
    """Whole nanowatts nearest to ``uw`` microwatts."""
    return round(uw * NW_PER_UW)


def pj_from_exact(exact: int) -> float:
    """Picojoules of an exact energy (1e-20 J)."""
    return exact / EXACT_PER_PJ
