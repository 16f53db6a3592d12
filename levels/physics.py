"""What the physics of a level lets a design set, with the values that there are to try: for searches and agents."""

from __future__ import annotations

from collections.abc import Mapping

from engine.catalog import AHEAD, CLOCK, GATE, OXIDE, SLEEP_AFTER, SLEEPLESS, VOLTAGE
from engine.model import Level, PadSpec
from engine.pads import is_far
from engine.technology import technology

Choice = int | str | bool | None
"""A value of a setting; None: not set."""

Choices = Mapping[str, tuple[Choice, ...]]
"""Values by setting, the usual one first."""

CLOCKS = (100, 50, 60, 70, 80, 90, 110, 120, 140, 170, 200, 250, 300, 400, 600, 1000)
PATIENCE = (100, 0, 50, 200, 400, 800)
AHEADS = (0, 1, 2, 4, 8)


def core_choices(level: Level, kind: str) -> Choices:
    """Of a core of this type; nothing in a level without physics."""
    physics = level.physics
    found: dict[str, tuple[Choice, ...]] = {}
    if physics.dvfs and VOLTAGE.name in physics.dvfs.cores:
        found[VOLTAGE.name] = _voltages(level)
    if physics.dvfs and CLOCK.name in physics.dvfs.cores:
        found[CLOCK.name] = CLOCKS
    if physics.tunnelling and OXIDE.name in physics.tunnelling.cores:
        found[OXIDE.name] = OXIDE.choices
    if physics.gating and "cores" in physics.gating.offered and kind not in SLEEPLESS:
        found |= _sleep(AHEADS)
    return found


def pad_choices(level: Level, pad: PadSpec) -> Choices:
    """Of a pad."""
    gating = level.physics.gating
    return _sleep(AHEADS) if gating and "pads" in gating.offered and is_far(level, pad) else {}


def wire_choices(level: Level) -> Choices:
    """Of a wire: keys of a wire in a design file."""
    physics = level.physics
    found: dict[str, tuple[Choice, ...]] = {}
    if physics.dvfs and physics.dvfs.wires:
        found["voltage_mv"] = _voltages(level)
    if physics.crosstalk and physics.crosstalk.wires:
        found["track"] = (None, *range(level.board.tracks))
    if physics.encoding:
        found["encoding"] = (None, *physics.encoding.offered)
    if physics.tunnelling and physics.tunnelling.wires:
        found["gap"] = tuple(sorted(technology(level.technology).tunnelling.wall_nw, reverse=True))
    if physics.gating and "wires" in physics.gating.offered:
        found |= _sleep((0, 1))
    return found


def _voltages(level: Level) -> tuple[Choice, ...]:
    supply = technology(level.technology).supply
    return (supply.nominal_mv, *(mv for mv in supply.safe_millitick if mv != supply.nominal_mv))


def _sleep(aheads: tuple[Choice, ...]) -> dict[str, tuple[Choice, ...]]:
    return {GATE.name: (False, True), SLEEP_AFTER.name: PATIENCE, AHEAD.name: aheads}
