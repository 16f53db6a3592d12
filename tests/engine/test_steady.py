"""The steady state: long runs that jump over periods are the whole run, but for what depends on the data."""

from __future__ import annotations

import random
from dataclasses import fields, replace
from math import sqrt
from time import process_time

import numpy as np
import pytest

from engine import Simulation, simulate
from engine.builder import Builder
from engine.machine import Options, Stop
from engine.machines import EngineName, make_machine
from engine.model import Design, Level
from engine.netlist import Netlist
from engine.outcome import Outcome, final_outcome, first_outcome
from engine.steady import Sample, _variance, long_run, steady_state
from engine.truth import Workload
from engine.words import nodes_led_by_data
from levels import load_design, load_level
from levels.lookup import find_level
from tests.draft import scramble
from tests.graphs import graph

BY_SEGMENT = ("firings", "live", "entries")


def reference(level_id: str, role: str) -> tuple[Level, Design]:
    level = load_level(level_id)
    assert level.reference
    return level, load_design(find_level(level_id).parent / getattr(level.reference, role))


def both(net: Netlist, workload: Workload, engine: EngineName = "compiled") -> tuple[Outcome, Outcome]:
    """The jumping run and the whole one."""
    machine = make_machine(net, workload, Options(), engine)
    full = first_outcome(machine.run(), machine, net)
    if not full.final:
        full = final_outcome(full, machine, net)
    return long_run(net, workload, Options(), engine), full


def expect_the_same_but_switching(jumped: Outcome, full: Outcome) -> float:
    """Everything that does not depend on the data; returns by how many standard errors the switching is off."""
    for name in ("stop", "completed", "tick", "events", "window"):
        assert getattr(jumped, name) == getattr(full, name), name
    assert jumped.jump and jumped.counters and full.counters and jumped.measured and full.measured
    for field in fields(full.counters):
        one, other = getattr(jumped.counters, field.name), getattr(full.counters, field.name)
        if field.name in BY_SEGMENT:
            one, other = one[1], other[1]
        if field.name != "toggles":
            assert np.array_equal(one, other), field.name
    for name in ("launches", "ticks", "latency_median", "latency_worst"):
        assert getattr(jumped.measured, name) == getattr(full.measured, name)
    for element, parts in full.measured.by_element.items():
        for cause, energy in parts.items():
            if cause != "switching":
                assert jumped.measured.by_element[element][cause] == energy, (element, cause)
    assert all(type(energy) is int for energy in jumped.measured.by_cause.values())
    off = jumped.measured.by_cause["switching"] - full.measured.by_cause["switching"]
    return off / 100 / jumped.jump.error if jumped.jump.error else float(off)


@pytest.mark.parametrize(
    ("level_id", "role", "launches"),
    [
        ("first-light-01-ignition", "naive", 9000),
        ("first-light-05-two-roads", "best", 1500),
        ("first-light-09-merry-go-round", "naive", 1000),
        ("gpu-puzzles-01-map", "best", 2500),  # 19 launches in a period
        ("gpu-puzzles-08-shared", "best", 2600),  # 3
        ("gpu-puzzles-08b-mirror", "best", 2500),  # 8, found late
        ("gpu-puzzles-12-block-sum", "best", 4200),  # 28 launches in flight
        ("gpu-puzzles-11b-long-convolution", "best", 1500),  # 28 in a period
    ],
)
def test_a_jump_changes_nothing_but_what_the_data_does(level_id: str, role: str, launches: int) -> None:
    level, design = reference(level_id, role)
    simulation = Simulation(level, design, launches=launches)
    off = expect_the_same_but_switching(*both(simulation.netlist, simulation.workload))
    assert abs(off) < 4


@pytest.mark.parametrize(("number", "launches"), [(0, 3500), (2, 1800), (3, 1000), (4, 1000), (9, 2600)])
def test_a_jump_changes_nothing_on_random_machines(number: int, launches: int) -> None:
    case = graph(random.Random(scramble(81, number)), only=("binary", "buffer", "relay", "barrier", "scan"))
    case.truth.horizon = 10_000  # type: ignore[union-attr]
    net = replace(case.net, time_limit_ticks=10**9, data_dependent=False, measured=launches)
    off = expect_the_same_but_switching(*both(net, case.truth))  # type: ignore[arg-type]
    assert abs(off) < 4


def test_a_machine_that_goes_by_its_data_unseen_is_simulated_whole() -> None:
    """Its state repeats by chance, though the data decides which way packets go."""
    case = graph(random.Random(scramble(31, 22)))
    assert nodes_led_by_data(case.net.nodes, case.net.wires, case.net.memories)
    case.truth.horizon = 10_000  # type: ignore[union-attr]
    net = replace(case.net, time_limit_ticks=10**9, data_dependent=False, measured=700)
    jumped, full = both(net, case.truth)  # type: ignore[arg-type]
    assert full.window
    assert full.window.period_launches == 1
    assert jumped.jump is None
    assert (jumped.tick, jumped.events, jumped.measured) == (full.tick, full.events, full.measured)


def test_the_plain_engine_jumps_as_far() -> None:
    level, design = reference("first-light-09-merry-go-round", "best")
    simulation = Simulation(level, design, launches=1000)
    plain, compiled = (long_run(simulation.netlist, simulation.workload, Options(), e) for e in ("plain", "compiled"))
    assert plain.jump == compiled.jump
    assert plain.jump
    assert plain.measured == compiled.measured


def test_a_time_limit_in_the_jumped_part_comes_when_it_would() -> None:
    level, design = reference("first-light-02-in-step", "best")
    simulation = Simulation(level, design, launches=20_000)
    net = replace(simulation.netlist, time_limit_ticks=8_000_123)
    jumped, full = both(net, simulation.workload)
    assert full.stop is Stop.TIMEOUT
    for name in ("stop", "completed", "tick", "events"):
        assert getattr(jumped, name) == getattr(full, name), name


def test_a_fault_before_the_jump_is_the_fault_of_the_whole_run() -> None:
    level = load_level("first-light-02-in-step")
    b = Builder(level)
    b.place("add", (6, 2), b=10)
    b.place("min", (4, 2), b=98)  # 99 comes now and then
    b.wire("a.value", "min1.a", speed=1)
    b.wire("min1.out", "add1.a", speed=1)
    b.wire("add1.out", "out.value", speed=1)
    level = level.model_copy(update={"parts": None})
    jumped, full = (simulate(level, b.design(), launches=20_000, full=full) for full in (False, True))
    assert jumped.verdict == "fault"
    assert jumped.fault
    assert jumped.fault.launch
    assert jumped == full


def test_the_error_is_as_stated() -> None:
    """Over many data: the deviation from the whole run is as large as the standard error, seldom more than twice."""
    level, design = reference("first-light-09-merry-go-round", "best")
    net = Simulation(level, design, launches=900).netlist
    off = np.array([expect_the_same_but_switching(*both(net, Workload(level, seed))) for seed in range(60)])
    assert 0.7 < sqrt((off**2).mean()) < 1.3
    assert np.mean(np.abs(off) < 2) > 0.87
    assert abs(off.mean()) < 3 / sqrt(len(off))


@pytest.mark.parametrize("parts", [1, 4])
def test_the_variance_of_correlated_batches_has_no_bias(parts: int) -> None:
    """Batches whose neighbours share a half: the mean varies more than batches that are apart would tell."""
    rng = np.random.default_rng(7)
    found = []
    for _ in range(400):
        chance = rng.normal(size=65)
        series = (chance[:-1] + chance[1:]).reshape(-1, parts) + 100 * np.arange(parts)
        found.append(_variance(series))
    assert np.mean(found) == pytest.approx(4 * parts, rel=0.08)


def test_mean_toggles_are_rounded_to_whole_bits() -> None:
    sample = Sample(periods=4, events=1, growth={}, toggles=(1, 2, 3, 7), variance=2.0)
    assert sample.skipped_toggles(1) == [0, 1, 1, 2]
    assert sample.skipped_toggles(10**9) == [250_000_000, 500_000_000, 750_000_000, 1_750_000_000]
    assert sample.skipped_error(12) == sqrt(2 * 12 * 16 / 4)


@pytest.mark.parametrize(
    ("level_id", "role"),
    [("first-light-01-ignition", "best"), ("gpu-puzzles-10-dot", "best"), ("gpu-puzzles-01-map", "best")],
)
def test_a_million_launches_take_less_than_three_times_a_thousand(level_id: str, role: str) -> None:
    level, design = reference(level_id, role)

    def spent(launches: int) -> float:
        start = process_time()
        report = simulate(level, design, launches=launches)
        assert report.metrics
        assert report.metrics.launches >= launches
        return process_time() - start

    spent(1000)
    pairs = [(spent(1_000_000), spent(1000)) for _ in range(5)]
    assert min(p[0] for p in pairs) < 3 * min(p[1] for p in pairs)


def test_a_report_tells_the_period_and_what_was_simulated() -> None:
    level, design = reference("gpu-puzzles-01-map", "best")
    short, long, full = (
        simulate(level, design, sampled=True),
        simulate(level, design, launches=100_000),
        simulate(level, design, launches=5000, full=True),
    )
    for report in (short, long, full):
        steady = report.steady
        assert steady and report.metrics and report.energy_exact and report.window
        assert (steady.period_launches, steady.period_ns) == (19, 312.0)
        assert steady.launches_simulated + steady.launches_jumped == report.metrics.launches
        periods = report.metrics.launches // 19
        assert steady.energy_exact_per_period == {
            cause: energy // periods
            for cause, energy in report.energy_exact.by_cause.items()
            if energy and cause != "switching"
        }
        assert steady.switching_error_pj
        mean = report.energy_exact.by_cause["switching"] / 1e8 / report.metrics.launches
        assert steady.switching_pj_per_launch == pytest.approx(mean)
    assert short.steady and long.steady and full.steady
    assert short.steady.energy_exact_per_period == long.steady.energy_exact_per_period
    assert long.steady.launches_jumped > 90_000
    assert long.steady.window_error_pj > 0
    assert (full.steady.launches_jumped, full.steady.window_error_pj) == (0, 0)
    gap = abs(long.steady.switching_pj_per_launch - full.steady.switching_pj_per_launch)
    assert gap < 4 * (long.steady.switching_error_pj or 0)


def test_without_the_sample_a_score_is_the_same() -> None:
    level, design = reference("gpu-puzzles-10-dot", "naive")
    plain, sampled = simulate(level, design), simulate(level, design, sampled=True)
    assert plain.steady and sampled.steady
    assert plain.steady.switching_error_pj is None
    assert sampled.steady.switching_error_pj is not None
    assert plain.model_copy(update={"steady": None}) == sampled.model_copy(update={"steady": None})


def test_why_there_is_no_period() -> None:
    level = load_level("first-light-02-in-step").model_copy(update={"parts": None})
    b = Builder(level)
    b.place("compare", (3, 1), op="lt", b=50)
    b.place("switch", (5, 2))
    b.place("add", (8, 2), b=10)
    b.wire("a.value", "compare1.a", every_ns=10)
    b.wire("a.value", "switch1.in", every_ns=10)
    b.wire("compare1.out", "switch1.cond", speed=1)
    b.wire("switch1.true", "add1.a", speed=1)
    b.wire("switch1.false", "add1.a", speed=1)
    b.wire("add1.out", "out.value", speed=1)
    report = simulate(level, b.design(), launches=2000)
    assert report.verdict == "pass"
    assert report.steady
    assert report.steady.period_launches is None
    assert report.steady.reason == "what switch1 does with packets depends on the data"
    assert report.steady.launches_jumped == 0
    assert report.steady == simulate(level, b.design(), launches=2000, full=True).steady


def test_a_period_that_was_not_found_is_said_to_be_so() -> None:
    level, design = reference("gpu-puzzles-08b-mirror", "best")
    simulation = Simulation(level, design)
    found = steady_state(simulation.outcome())
    assert found.period_launches is None
    assert found.reason == f"its state was not seen to repeat in {simulation.outcome().completed} launches"
