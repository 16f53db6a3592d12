"""The grid of heat against what can be worked out by hand, and machines that run in their own heat."""

from __future__ import annotations

from dataclasses import replace
from math import exp, sqrt
from typing import Any

import numpy as np
import pytest

from engine.elaborate import elaborate
from engine.heat import Grid, _sweeps, later, steady
from engine.heated import heated, shares, slowed
from engine.live import LiveScore
from engine.machine import Options
from engine.model import Design, Level, Report
from engine.score import measure
from engine.simulation import Simulation, simulate
from engine.technology import technology
from engine.truth import Workload
from tests.engine.machines import core, design, streams, wire

HEAT = technology("n45").heat
PLAY = replace(HEAT, sink_k_per_w=100_000, side_k_per_w=25_000)
MILLIWATT = 10**6


def one_tile(at: tuple[int, int], columns: int = 24, rows: int = 14) -> Grid:
    """1 mW on one tile."""
    power = np.zeros((rows, columns), np.int64)
    power[at[1], at[0]] = MILLIWATT
    return power


# --- the grid ---------------------------------------------------------------------------------------------------


def test_uniform_power_warms_all_tiles_by_the_resistance_to_the_sink() -> None:
    found = steady(np.full((9, 13), MILLIWATT, np.int64), HEAT)
    assert np.abs(found / 1e6 - HEAT.sink_k_per_w / 1000).max() < 1e-3


def test_as_much_heat_goes_to_the_sink_as_comes() -> None:
    rng = np.random.default_rng(1)
    power = rng.integers(0, 5 * MILLIWATT, (14, 24))
    gone = steady(power, HEAT).sum() / (HEAT.sink_k_per_w / 1000)
    assert gone == pytest.approx(power.sum(), rel=1e-5)


def test_along_a_strip_heat_falls_geometrically() -> None:
    """Of a long strip with one warm tile: T(n) = T(0) q^n, q + 1/q = 2 + R_side/R_sink."""
    found = steady(one_tile((100, 0), 201, 1), HEAT)[0] / 1e6
    ratio = HEAT.side_k_per_w / HEAT.sink_k_per_w
    q = 1 + ratio / 2 - sqrt(ratio + ratio**2 / 4)
    top = HEAT.sink_k_per_w / 1000 * (1 - q) / (1 + q)
    expected = [top * q**n for n in range(40)]
    assert found[100:140] == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize(
    "at, off, kelvin",
    [
        *[((12, 7), (n, 0), k) for n, k in enumerate((9.4, 3.8, 1.7, 0.9, 0.5))],
        ((12, 7), (1, 1), 2.4),
        ((12, 0), (0, 0), 13.2),
        ((0, 0), (0, 0), 19.4),
    ],
)
def test_one_milliwatt_warms_its_tile_and_those_around_it(
    at: tuple[int, int], off: tuple[int, int], kelvin: float
) -> None:
    found = steady(one_tile(at), PLAY)
    assert found[at[1] + off[1], at[0] + off[0]] / 1e6 == pytest.approx(kelvin, abs=0.05)


def test_compiled_sweeps_are_the_plain_ones() -> None:
    power = np.random.default_rng(2).integers(0, MILLIWATT, (5, 7))
    plain = np.zeros_like(power)
    _sweeps(plain, power * 110_000, 4000, 1000, 5000, 1)
    assert (plain == steady(power, HEAT)).all()


def test_a_step_of_time_approaches_the_steady_state() -> None:
    """Uniform power: backward Euler is T' = (T + dt/tau T_end) / (1 + dt/tau); many small steps are an exponential."""
    power = np.full((3, 4), MILLIWATT, np.int64)
    end, tau = HEAT.sink_k_per_w / 1000, HEAT.settling_ticks
    assert later(np.zeros_like(power), power, tau, HEAT)[1, 1] / 1e6 == pytest.approx(end / 2, abs=0.01)
    now = np.zeros_like(power)
    for _ in range(200):
        now = later(now, power, tau // 100, HEAT)
    assert now[0, 0] / 1e6 == pytest.approx(end * (1 - exp(-2)), rel=0.01)
    assert (later(now, power, 0, HEAT) == now).all()


def test_parts_of_a_whole_add_up() -> None:
    for total in (0, 1, 7, 1_000_003):
        assert sum(shares(total, [1, 2, 2, 1])) == total


# --- tables -----------------------------------------------------------------------------------------------------


def test_leakage_doubles_every_25_kelvin() -> None:
    for tenths in range(0, 1001, 7):
        expected = 10**9 * 2 ** (tenths / 250)
        assert HEAT.leakage_nw(10**9, tenths * 100_000) == pytest.approx(expected, rel=3e-5)
    assert HEAT.leakage_nw(1000, 50 * 10**6) == 4000
    assert HEAT.leakage_nw(1000, 300 * 10**6) == 16_000


def test_safe_periods_grow_by_four_thousandths_per_kelvin() -> None:
    assert HEAT.safe_millitick(80_000, 62_500_000) == 100_000
    assert HEAT.safe_millitick(80_000, 62_500_001) == 100_001
    assert HEAT.safe_millitick(80_000, 0) == 80_000
    assert HEAT.most_uk(80_000, 100) == 62_500_000
    assert HEAT.most_uk(80_000, 79) < 0


# --- machines ---------------------------------------------------------------------------------------------------


def row(*columns: int, every_ns: float = 1, physics: dict[str, Any] | None = None, **more: Any) -> tuple[Level, Design]:
    """Multiplications by 1, one behind the other, at these columns in the middle of a board; a word each ns."""
    level = streams(16, physics={"heat": {}} if physics is None else physics, standby_uw=10, size=(24, 14), **more)
    level = level.model_copy(update={"kernel": level.kernel.model_copy(update={"truth": "out[i] = s[i]"})})
    level.pads[0].at, level.pads[1].at = (0, 7), (23, 7)
    level.pads[0].every_ns = level.pads[1].every_ns = every_ns
    places = [0, *columns, 23]
    ends = ["s.value", *(f"m{x}.{port}" for x in columns for port in ("a", "out")), "out.value"]
    wires = [
        wire(ends[2 * i], ends[2 * i + 1], (places[i], 7), (places[i + 1], 7), every_ns=1)
        for i in range(len(places) - 1)
    ]
    return level, design([core(f"m{x}", "mul", (x, 7), b=1) for x in columns], wires)


def set_core(made: Design, **settings: Any) -> Design:
    cores = [core.model_copy(update={"set": {**core.set, **settings}}) for core in made.cores]
    return made.model_copy(update={"cores": cores})


def clocks(report: Report) -> list[int]:
    assert report.heat
    return [core.clock_ticks for core in report.heat.cores]


def test_cores_slow_down_side_by_side_and_not_with_two_tiles_between() -> None:
    close, far = simulate(*row(12, 13)), simulate(*row(8, 16))
    assert close.verdict == far.verdict == "pass"
    assert clocks(far) == [100, 100]
    assert close.heat and far.heat and far.heat.runs == 1 and 2 <= close.heat.runs <= 5
    slow = max(clocks(close))
    assert 100 < slow < 125
    assert close.metrics and far.metrics
    # Words come at the pace of its slowest core.
    assert close.metrics.throughput_launches_per_us == pytest.approx(1e5 / (16 * slow), rel=1e-9)
    middle = close.heat.cores[0]
    assert middle.id == "m12" and middle.slack_k is not None and middle.slack_k < 0
    assert (
        middle.clock_ticks == -(-HEAT.safe_millitick(80_000, round(middle.kelvin * 1e6)) // 1000) or close.heat.runs > 2
    )
    assert middle.limit_k == pytest.approx(100 - middle.kelvin)
    assert all(core.slack_k == pytest.approx(62.5 - core.kelvin, abs=1e-5) for core in far.heat.cores)
    assert close.heat.hottest_at in ((12, 7), (13, 7))


def test_the_clocks_of_the_last_run_are_those_of_its_temperatures() -> None:
    level, made = row(12, 13)
    cold = elaborate(level, made)
    found = heated(cold, Workload(level, 0), Options(), "auto")
    assert found.warmth and found.outcome.measured
    wanted = slowed(cold, cold, found.warmth).nodes
    if found.warmth.runs <= 2:
        assert [n.clock_ticks for n in wanted] == [n.clock_ticks for n in found.netlist.nodes]
    assert all(w.clock_ticks <= n.clock_ticks for w, n in zip(wanted, found.netlist.nodes, strict=True))
    assert not found.netlist.errs


def test_power_in_is_power_out() -> None:
    """What the run's energy says is what leaves the board through the sink."""
    level, made = row(8, 16)
    report = simulate(level, made)
    assert report.heat and report.metrics
    out = np.array(report.heat.tiles).sum() / (HEAT.sink_k_per_w / 1000)
    assert out == pytest.approx(report.metrics.power_mw, rel=1e-3)


def test_leakage_is_that_of_the_temperature() -> None:
    level, made = row(8, 16)
    hot, cold = simulate(level, made), simulate(level.model_copy(update={"physics": type(level.physics)()}), made)
    assert hot.energy_exact and cold.energy_exact and hot.heat and hot.window
    ticks = round((hot.window.end_ns - hot.window.start_ns) * 100)
    for heat in hot.heat.cores:
        nw = HEAT.leakage_nw(150_000, round(heat.kelvin * 1e6))
        assert hot.energy_exact.by_element[heat.id]["leakage"] == nw * ticks
        assert nw == pytest.approx(150_000 * 2 ** (heat.kelvin / 25), rel=1e-4)
    assert hot.energy_exact.total == sum(hot.energy_exact.by_cause.values())
    assert hot.energy_exact.by_cause["compute"] == cold.energy_exact.by_cause["compute"]


def test_what_is_too_hot_burns_out() -> None:
    report = simulate(*row(8, 9, 10, 11, 12, 13, 14, 15))
    assert report.verdict == "fault" and report.fault and report.fault.code == "burnt-out"
    assert report.fault.core in ("m11", "m12") and "K above 45 °C is too hot" in report.fault.message
    assert report.heat and report.heat.hottest_k >= 100
    assert report.metrics is None and report.energy_exact is None and report.medal is None


def test_a_core_that_is_set_too_fast_keeps_its_clock_and_errs_more() -> None:
    offer = {"dvfs": {}, "heat": {}}
    level, made = row(8, 16, physics=offer)
    fast = set_core(made, clock_ticks=79)
    found = heated(elaborate(level, fast), Workload(level, 0), Options(), "auto")
    assert [n.clock_ticks for n in found.netlist.nodes] == [100, 100, 79, 79]
    assert simulate(level, fast).verdict == "fault"


def test_a_clock_that_is_safe_in_the_cold_falls_to_what_is_safe() -> None:
    level, made = row(8, 16, physics={"dvfs": {}, "heat": {}})
    report = simulate(level, set_core(made, clock_ticks=80))
    assert report.verdict == "pass" and report.heat
    assert all(80 < core.clock_ticks <= 100 and core.set_ticks == 80 for core in report.heat.cores)


def test_both_engines_and_the_live_score_see_the_same_heat() -> None:
    level, made = row(12, 13)
    first, second = (simulate(level, made, engine=name) for name in ("plain", "compiled"))
    assert first.heat == second.heat and first.energy_exact == second.energy_exact
    live = LiveScore(level)
    live.edit(row(11, 14)[1])
    slower = made.model_copy(deep=True)
    slower.wires[0].every_ticks = 150
    for edited in (made, slower, made):
        live.edit(edited)
        figure, fresh = live.finish(), simulate(level, edited)
        assert fresh.energy_exact and figure.measured and figure.measured.by_element == fresh.energy_exact.by_element
        assert live.report().heat == fresh.heat


def test_a_long_run_has_the_heat_of_the_levels_own_window() -> None:
    level, made = row(12, 13)
    short, long = simulate(level, made), simulate(level, made, launches=5000)
    assert short.heat == long.heat and long.steady and long.steady.launches_jumped
    assert short.metrics and long.metrics
    assert long.metrics.efficiency_launches_per_nj == pytest.approx(short.metrics.efficiency_launches_per_nj, rel=0.01)


def test_what_is_looked_at_runs_with_the_clocks_of_the_heat() -> None:
    level, made = row(12, 13)
    simulation = Simulation(level, made)
    assert max(node.clock_ticks for node in simulation.netlist.nodes) > 100
    outcome = simulation.outcome()
    assert outcome.counters is not None and outcome.measured is not None and outcome.window is not None
    simulation.machine.run()
    again = measure(
        simulation.netlist, outcome.counters, outcome.measured.launches, outcome.measured.ticks, extended=False
    )
    assert again.by_cause == outcome.measured.by_cause
    assert simulation.machine.window.period_ticks == round((outcome.window.period_ns or 0) * 100)


def test_without_heat_a_report_has_no_key_of_it() -> None:
    report = simulate(*row(8, 16, physics={}))
    assert report.heat is None and "heat" not in report.model_dump() and "heat" not in report.model_dump_json()
    assert "heat" in simulate(*row(8, 16)).model_dump()
