"""Cures that are recommended for the campaign's machines, done: the score rises by what is said, or nothing is said."""

from __future__ import annotations

from typing import Any

import pytest

from engine.advice import MIN_GAIN, advised
from engine.changes import changed
from engine.simulation import simulate
from levels import campaign, load_design, load_level
from levels.lookup import sibling


@pytest.mark.parametrize("entry", campaign(), ids=[entry.id for entry in campaign()])
def test_no_cure_lowers_the_score(entry: Any) -> None:
    level = load_level(entry.path)
    assert level.reference
    for file in (level.reference.naive, level.reference.best):
        design = load_design(sibling(entry.path, file))
        report = simulate(level, design)
        found = advised(level, design, report)
        assert found and report.metrics
        before = report.metrics.efficiency_launches_per_nj
        for item in (*found.time, *found.energy):
            if item.change is None:
                assert "tried: +" not in item.cure or item.kind == "waiting", item
                continue
            assert "tried: +" in item.cure and item.gain is not None
            after = simulate(level, changed(level, design, item.change)[0], bound=False)
            assert after.verdict == "pass" and after.metrics, item
            gain = after.metrics.efficiency_launches_per_nj / before - 1
            assert gain >= MIN_GAIN, item
            assert gain == pytest.approx(item.gain), item
