"""Windows that are better than any steady state: the report says so, and only then."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.bounds import throughput_bound
from engine.builder import Builder
from engine.elaborate import elaborate
from engine.model import Level, Report
from engine.report import told
from engine.simulation import Simulation, simulate
from engine.units import TICKS_PER_NS
from tests.engine.roads import level


def straight(of: Level, every_ns: float = 1) -> Builder:
    b = Builder(of)
    b.wire("a.value", "out.value", every_ns=every_ns)
    return b


def rate(report: Report) -> Fraction:
    """Launches per tick of the window."""
    assert report.metrics and report.window
    ticks = round((report.window.end_ns - report.window.start_ns) * TICKS_PER_NS)
    return Fraction(report.metrics.launches, ticks)


@pytest.mark.parametrize("burst", [None, [8, 24], [100, 100], [800, 800], [4000, 4000]])
def test_a_window_within_a_burst_is_no_steady_state(burst: list[int] | None) -> None:
    """A stream that rests for as long as it sends gives half its pace in the long run, and all of it in a burst."""
    b = straight(level(a={"burst": burst} if burst else {}))
    report = simulate(b.level, b.design())
    assert report.bound and report.window
    bound = throughput_bound(elaborate(b.level, b.design())).rate
    assert report.bound.binding == (rate(report) <= bound)
    if report.window.kind == "period":
        assert report.bound.binding
    if burst == [4000, 4000]:
        assert rate(report) > bound  # the whole window lies in one burst


def test_energy_of_a_window_within_a_burst() -> None:
    b = straight(level(a={"burst": [4000, 4000]}, out={"every_ns": 1}).model_copy(update={"standby_uw": 6000}))
    report = simulate(b.level, b.design())
    limit = report.energy_limit
    assert limit and limit.within
    assert limit.within < 1
    assert not limit.binding


def test_what_is_known_before_a_run_has_no_window() -> None:
    b = straight(level(a={"burst": [4000, 4000]}))
    simulation = Simulation(b.level, b.design())
    assert told(simulation.netlist, throughput_bound(simulation.netlist)).binding
    assert not told(simulation.netlist, throughput_bound(simulation.netlist), simulation.outcome().measured).binding
