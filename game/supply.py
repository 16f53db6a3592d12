"""Voltage and clock in the inspector: how far a core or wire is from its limit, and the safe region as a curve.

The figures are those of "Physics: voltage and clock" in docs/model.md; nothing here has to be run to be known.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.catalog import CLOCK, OXIDE, VOLTAGE
from engine.encodings import CROSSTALK_CODES
from engine.model import CoreSpec, Level, WireSpec
from engine.netlist import overshoot_ppm
from engine.technology import technology
from engine.units import NOMINAL_MV
from game.text import number

TWO_BITS_PPM = 200_000
"""From here on two bits of a word may be late."""


@dataclass(frozen=True, slots=True)
class SafeRegion:
    """What is safe, and where one stands: periods in ticks over voltages in mV.

    ``curve``: (mV, shortest safe period in thousandths of a tick), by voltage; ``mv`` and ``ticks`` are the point.
    """

    curve: tuple[tuple[int, int], ...]
    mv: int
    ticks: int

    @property
    def overshoot_ppm(self) -> int:
        """By how many millionths the point is below the curve; 0 on and above it."""
        return overshoot_ppm(dict(self.curve)[self.mv], self.ticks)

    @property
    def safe(self) -> bool:
        """Whether the point is on or above the curve."""
        return self.overshoot_ppm == 0


@dataclass(frozen=True, slots=True)
class Margin:
    """How far a period is from the shortest safe one, in sentences."""

    text: str
    good: bool


def core_region(level: Level, core: CoreSpec) -> SafeRegion | None:
    """The safe region of a core; None in a level without dvfs, or where its settings are no numbers that there are."""
    mv, ticks = core.set.get(VOLTAGE.name, VOLTAGE.default), core.set.get(CLOCK.name, CLOCK.default)
    thin = core.set.get(OXIDE.name) == "thin"
    return _region(level, mv, ticks, 1, technology(level.technology).tunnelling.thin_safe_percent if thin else 100)


def wire_region(level: Level, wire: WireSpec) -> SafeRegion | None:
    """The safe region of a wire; None where it is stopped, else as for a core."""
    calm = wire.encoding in CROSSTALK_CODES and level.physics.crosstalk is not None
    percent = technology(level.technology).calm_percent if calm else 100
    return _region(level, wire.voltage_mv or NOMINAL_MV, wire.every_ticks, 2, percent)


def _region(level: Level, mv: object, ticks: object, share: int, percent: int) -> SafeRegion | None:
    if level.physics.dvfs is None or not isinstance(mv, int) or not isinstance(ticks, int) or ticks < 1:
        return None
    safe = technology(level.technology).supply.safe_millitick
    curve = tuple((v, least // share * percent // 100) for v, least in safe.items())
    return SafeRegion(curve, mv, ticks) if mv in safe else None


def margin(region: SafeRegion) -> Margin:
    """What is left, or how much is too much, and what would come of it."""
    curve: Mapping[int, int] = dict(region.curve)
    least = curve[region.mv]
    over = overshoot_ppm(least, region.ticks)
    if over:
        bits = "two bits may be late" if over > TWO_BITS_PPM else "one bit may be late; two from 20 % on"
        higher = [mv for mv in curve if not overshoot_ppm(curve[mv], region.ticks)]
        volts = f"{min(higher)} mV" if higher else "no voltage"
        text = (
            f"{number(over / 10_000)} % too fast for {region.mv} mV: {bits}. Safe with {-(-least // 1000) / 100:g} ns"
        )
        return Margin(f"{text}, or with {volts}.", False)
    slack = region.ticks * 1000 / least - 1
    steps = sum(mv < region.mv and not overshoot_ppm(curve[mv], region.ticks) for mv in curve)
    left = f"{steps} step{'s' if steps != 1 else ''} of {VOLTAGE.step} mV down" if steps else "no step down"
    return Margin(f"Safe: {number(100 * slack)} % slower than need be, {left} left.", True)
