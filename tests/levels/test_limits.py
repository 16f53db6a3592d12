"""The proven limits hold for every machine of the campaign: energy per launch, and launches per time."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from engine.bounds import throughput_bound
from engine.elaborate import elaborate
from engine.energy_bound import energy_limit
from engine.fingerprint import level_hash
from engine.heated import in_its_heat
from engine.model import Design, Level
from engine.simulation import simulate
from engine.truth import Workload
from engine.units import ticks_from_ns
from levels import campaign, load_design, load_level
from levels.crowd import read_crowd
from levels.lookup import sibling

LEVELS = campaign()


def designs(level: Level, entry: Any) -> list[Design]:
    """The level's machines that are right: references, levers, and those meant to fail that only miss a limit."""
    assert level.reference
    files = [level.reference.naive, level.reference.best, *level.levers.values()]
    files += [wrong.design for wrong in level.wrong.values() if wrong.verdict == "limit"]
    return [load_design(sibling(entry.path, file)) for file in files]


@pytest.mark.parametrize("entry", LEVELS, ids=[entry.id for entry in LEVELS])
def test_no_machine_passes_a_limit(entry: Any) -> None:
    level = load_level(entry.path)
    limit = energy_limit(level)
    assert limit.launches_per_nj is not None
    for design in designs(level, entry):
        report = simulate(level, design)
        assert report.metrics and report.window and report.energy_exact
        assert limit.total * report.metrics.launches <= report.energy_exact.total, design.name
        assert report.energy_limit and report.energy_limit.binding, design.name
        proved = throughput_bound(in_its_heat(elaborate(level, design), Workload(level), "auto"))
        bound = proved.ticks_per_launch
        assert bound is not None
        assert limit.ticks <= bound, design.name
        window = report.window
        if window.period_launches and window.period_ns:
            # Whole periods: the rate is exact, and where the bound says so, it is the bound.
            ticks = Fraction(ticks_from_ns(window.period_ns), window.period_launches)
            assert bound <= ticks, design.name
            if proved.exact:
                assert bound == ticks, design.name
        # Any other window may be better by launches that were under way before it, and then the report says so.
        whole = Fraction(ticks_from_ns(window.end_ns) - ticks_from_ns(window.start_ns), report.metrics.launches)
        assert report.bound and report.bound.binding == (whole >= bound), design.name
        assert report.bound.binding or not window.period_launches, design.name
        assert whole >= bound * Fraction(999, 1000), design.name
    crowd = read_crowd(entry.path, level_hash(level))
    assert crowd
    # The crowd's figures have four digits.
    assert all(machine.efficiency <= limit.launches_per_nj * 1.0005 for machine in crowd.machines)
    assert all(machine.throughput <= 100_000 / limit.ticks * 1.0005 for machine in crowd.machines)


@pytest.mark.parametrize("name", ["01-map", "02-zip", "10-dot"])
def test_the_best_are_within_two_times_of_it(name: str) -> None:
    entry = next(entry for entry in LEVELS if entry.id == f"gpu-puzzles-{name}")
    level = load_level(entry.path)
    assert level.reference
    best = simulate(level, load_design(sibling(entry.path, level.reference.best))).metrics
    limit = energy_limit(level).launches_per_nj
    assert best and limit
    assert 1 <= limit / best.efficiency_launches_per_nj <= 2


def test_most_machines_run_exactly_at_their_bound() -> None:
    """The bound says only where several wires meet at a port, ports share banks, something sleeps, or data decides,
    that it may not be reached."""
    loose = {}
    for entry in LEVELS:
        level = load_level(entry.path)
        for design in designs(level, entry)[:2]:
            found = throughput_bound(elaborate(level, design))
            if not found.exact:
                loose[f"{entry.id} {design.name}"] = found.loose
    scalar = {name: why for name, why in loose.items() if not name.startswith(("wide-roads", "physics"))}
    assert len(scalar) <= 2, scalar
    assert len(loose) <= 20, loose
