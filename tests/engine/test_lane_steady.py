"""Long runs and Match with lanes: what is left out is the same again, and what is slowed loses nothing."""

from __future__ import annotations

import pytest

from engine import simulate
from engine.match import match
from engine.model import Design, Level
from tests.engine import test_divergence, test_lines, test_shared_lanes


def machines() -> dict[str, tuple[Level, Design]]:
    lines, turned, forked = test_lines.level(), test_shared_lanes.level(), test_divergence.level(test_divergence.FORK)
    return {
        "lines": (lines, test_lines.copy(lines, 8, load="w0 + 8*w1")),
        "banks": (turned, test_shared_lanes.transpose(turned)),
        "halves": (forked, test_divergence.fork(forked, "8*w0 + 4*w1 + w2")),
    }


@pytest.mark.parametrize("name", ["lines", "banks", "halves"])
def test_a_long_run_is_the_whole_run(name: str) -> None:
    level, design = machines()[name]
    whole, short = (simulate(level, design, launches=2000, full=full, bound=False) for full in (True, False))
    assert short.steady and short.steady.launches_jumped > 0
    assert short.energy_exact and whole.energy_exact
    for cause, exact in whole.energy_exact.by_cause.items():
        if cause != "switching":
            assert short.energy_exact.by_cause[cause] == exact, cause
    # Lanes, lines, conflicts, operations and bytes as well.
    assert (short.lanes, short.roofline) == (whole.lanes, whole.roofline)
    assert (short.accesses, short.words, short.window) == (whole.accesses, whole.words, whole.window)


@pytest.mark.parametrize("name", ["lines", "banks", "halves"])
def test_match_keeps_the_pace(name: str) -> None:
    level, design = machines()[name]
    matched, _ = match(level, design)
    before, after = simulate(level, design), simulate(level, matched)
    assert before.metrics and after.metrics and after.verdict == "pass"
    assert after.metrics.throughput_launches_per_us == before.metrics.throughput_launches_per_us
    assert after.metrics.power_mw < before.metrics.power_mw
    assert match(level, matched)[0] == matched
