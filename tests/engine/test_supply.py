"""Voltage and clock: tables against their formulas, energies, times, and where the least energy lies."""

from __future__ import annotations

from fractions import Fraction
from math import exp, log
from typing import Any

import pytest

from engine.catalog import CLOCK, VOLTAGE
from engine.elaborate import elaborate, retime
from engine.energy_bound import energy_limit
from engine.match import match
from engine.model import Design, Level
from engine.netlist import Netlist
from engine.simulation import simulate
from engine.speeds import speed_changes
from engine.technology import technology
from tests.engine.machines import core, design, streams, wire

SUPPLY = technology("n45").supply
VOLTAGES = list(SUPPLY.safe_millitick)


def adder(
    clock: int = 100, core_mv: int = 900, wire_mv: int = 900, every: int = 200, **dvfs: Any
) -> tuple[Level, Design]:
    """s + 1, with the core and the first wire supplied so."""
    level = streams(physics={"dvfs": dvfs}, limits={"time_us": 100})
    level = level.model_copy(update={"kernel": level.kernel.model_copy(update={"truth": "out[i] = s[i] + 1"})})
    settings = {"voltage_mv": core_mv, "clock_ticks": clock} if dvfs.get("cores") != [] else {}
    wires = [
        wire("s.value", "x.a", (0, 4), (8, 4), every_ns=every / 100),
        wire("x.out", "out.value", (8, 4), (15, 4), every_ns=2),
    ]
    if wire_mv != 900:
        wires[0]["voltage_mv"] = wire_mv
    return level, design([core("x", "add", (8, 4), b=1, **settings)], wires)


def machine(**given: Any) -> Netlist:
    return elaborate(*adder(**given))


# --- tables ---------------------------------------------------------------------------------------------------


def test_settings_are_those_of_the_tables() -> None:
    assert list(range(VOLTAGE.low, VOLTAGE.high + 1, VOLTAGE.step)) == VOLTAGES
    assert VOLTAGE.default == SUPPLY.nominal_mv and VOLTAGE.step == SUPPLY.step_mv
    assert (CLOCK.low, CLOCK.high) == (50, 1000)


def test_safe_periods_follow_the_alpha_power_law() -> None:
    """The current of a gate is proportional to (V − Vt)^1.3, its charge to V."""

    def current(volts: float) -> float:
        return exp(1.3 * log(volts - 0.4))

    for mv, safe in SUPPLY.safe_millitick.items():
        volts = mv / 1000
        assert safe == round(80_000 * (volts / current(volts)) / (0.9 / current(0.9)))


def test_leakage_follows_its_formula() -> None:
    for mv, ppm in SUPPLY.leakage_ppm.items():
        assert ppm == round(1e6 * mv / 900 * exp((mv - 900) / 650))


@pytest.mark.parametrize(
    ("mv", "ghz", "energy", "leakage"),
    [(500, 0.278, 0.309, 0.300), (700, 0.827, 0.605, 0.572), (900, 1.25, 1, 1), (1300, 1.858, 2.086, 2.673)],
)
def test_figures_of_some_voltages(mv: int, ghz: float, energy: float, leakage: float) -> None:
    assert 100_000 / SUPPLY.safe_millitick[mv] == pytest.approx(ghz, abs=0.0006)
    assert SUPPLY.dynamic(10**9, mv) / 10**9 == pytest.approx(energy, abs=0.0006)
    assert SUPPLY.leakage_nw(10**6, mv) / 10**6 == pytest.approx(leakage, abs=0.0006)


def test_what_a_voltage_scales_is_rounded_once_half_up() -> None:
    for mv in VOLTAGES:
        for energy in (0, 1, 7, 1_300_000):
            exact = Fraction(energy * mv * mv, 810_000)
            assert SUPPLY.dynamic(energy, mv) == int(exact + Fraction(1, 2))
    assert SUPPLY.dynamic(2, 450 * 2) == 2
    assert SUPPLY.leakage_nw(5_000, 500, 8) == int(Fraction(5_000 * 8 * 300_241, 10**6) + Fraction(1, 2))


# --- machines -------------------------------------------------------------------------------------------------


def test_a_core_has_the_times_and_energies_of_its_supply() -> None:
    node = machine(core_mv=700, clock=125).nodes[2]
    assert (node.latency_ticks, node.interval_ticks, node.overshoot_ppm) == (125, 125, 0)
    assert (node.control_aj, node.op_aj) == (SUPPLY.dynamic(1_200_000, 700), SUPPLY.dynamic(100_000, 700))
    element = machine(core_mv=700, leakage=8).elements[2]
    assert element.standing_nw == {"leakage": SUPPLY.leakage_nw(150_000, 700, 8)}


def test_a_wire_has_the_energies_of_its_voltage_and_a_shifter_where_that_is_not_the_next_core_s() -> None:
    plain, low = machine().wires[0], machine(wire_mv=600).wires[0]
    assert low.toggle_aj == SUPPLY.dynamic(plain.toggle_aj, 600)
    assert low.drive_nw == int(Fraction(160_000 * 8 * 100 * 600**2, 200 * 900**2) + Fraction(1, 2))
    assert low.leakage_nw == SUPPLY.leakage_nw(plain.leakage_nw, 600)
    assert (plain.shifter_aj, low.shifter_aj) == (0, 100_000)
    assert [w.shifter_aj for w in machine(core_mv=600, wire_mv=600).wires] == [0, 0], (
        "the last one ends at a pad of 900 mV"
    )
    assert [w.shifter_aj for w in machine(core_mv=600).wires] == [100_000, 0]


def test_only_what_is_too_fast_overshoots() -> None:
    net = machine(core_mv=675, clock=125, every=39)
    assert SUPPLY.safe_millitick[675] == 130_521
    assert net.nodes[2].overshoot_ppm == 44_168  # 130.521 / 125
    assert [w.overshoot_ppm for w in net.wires] == [25_641, 0]  # 40 / 39
    assert not machine(clock=80, every=40).errs
    assert machine(clock=79).errs and machine(every=39).errs
    assert all(node.overshoot_ppm == 0 for node in net.nodes[:2])


def test_another_speed_is_what_the_whole_way_would_give() -> None:
    assert retime(machine(wire_mv=600), 0, 70).wires == machine(wire_mv=600, every=70).wires
    _, before = adder()
    _, after = adder(wire_mv=650)
    assert speed_changes(before, after) is None


def test_match_makes_no_wire_faster_than_is_safe() -> None:
    """The pads do a word per ns; a wire of 500 mV takes 1.81 ns. One that is too fast is not slowed either."""
    for every, found in ((400, 181), (181, 181), (150, 150), (50, 100)):
        level, made = adder(wire_mv=500, every=every)
        assert match(level, made)[0].wires[0].every_ticks == found
    assert match(*adder(every=400))[0].wires[0].every_ticks == 100


def test_nominal_supply_is_as_without_dvfs() -> None:
    level, made = adder()
    bare = level.model_copy(update={"physics": Level.model_fields["physics"].get_default(call_default_factory=True)})
    plain = made.model_copy(deep=True)
    plain.cores[0].set = {"b": 1}
    a, b = simulate(level, made), simulate(bare, plain)
    assert b.energy_exact and a.energy_exact and a.energy_exact.total == b.energy_exact.total
    assert "shifting" not in b.energy_exact.by_cause and a.energy_exact.by_cause["shifting"] == 0
    assert a.energy_exact.by_element == b.energy_exact.by_element


@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_shifters_are_paid_per_word_and_the_sum_stays_exact(engine: Any) -> None:
    level, made = adder(core_mv=700, clock=125, wire_mv=600)
    report = simulate(level, made, engine=engine)
    assert report.verdict == "pass" and report.energy_exact and report.metrics
    exact = report.energy_exact
    # Eight words of a launch pass the shifter between the wire of 600 mV and the core of 700 mV.
    assert exact.by_cause["shifting"] == report.metrics.launches * 8 * 100_000 * 100
    assert sum(exact.by_cause.values()) == exact.total
    assert sum(sum(parts.values()) for parts in exact.by_element.values()) == exact.total


def test_the_energy_limit_is_kept_at_every_supply() -> None:
    for given in ({}, {"core_mv": 500, "clock": 400, "wire_mv": 500}, {"core_mv": 500, "clock": 361, "wire_mv": 600}):
        level, made = adder(**given)  # type: ignore[arg-type]
        report = simulate(level, made)
        assert report.energy_limit and report.energy_limit.within and report.energy_limit.within >= 1
    fixed = energy_limit(adder(cores=[], wires=[])[0])
    assert energy_limit(adder()[0]).total < fixed.total


# --- where the least energy lies --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("times", "standby_uw", "every", "best", "at_500", "at_900", "at_1300", "share"),
    [
        (1, 0, 1, 500, 1.00, 2.52, 5.20, 0.29),
        (1, 300, 1, 625, 1.36, 1.38, 2.56, 0.09),
        (8, 0, 1, 575, 1.16, 1.55, 3.04, 0.64),
        (8, 300, 1, 650, 1.43, 1.29, 2.37, 0.43),
        (8, 300, 2, 700, 1.63, 1.17, 2.05, 0.52),
    ],
)
def test_least_energy_of_a_firing(
    times: int, standby_uw: int, every: int, best: int, at_500: float, at_900: float, at_1300: float, share: float
) -> None:
    """An add that fires every cycle (or every second one) of the fastest safe clock, worked out in floats by hand.

    fJ: 1200 of control and 100 of the add by V²; and what leaks and stands by, in µW, over the time between firings.
    """

    def parts(mv: int) -> tuple[float, float, float]:
        volts = mv / 1000
        slowness = (volts / (volts - 0.4) ** 1.3) / (0.9 / 0.5**1.3)
        ns = every * 0.8 * slowness
        leaks = 150 * times * volts / 0.9 * exp((volts - 0.9) / 0.65)
        return 1300 * (volts / 0.9) ** 2, leaks * ns, standby_uw * ns

    by_hand = {mv: sum(parts(mv)) for mv in VOLTAGES}
    least = min(by_hand, key=by_hand.__getitem__)
    assert least == best
    for mv, factor in ((500, at_500), (900, at_900), (1300, at_1300)):
        assert by_hand[mv] / by_hand[least] == pytest.approx(factor, abs=0.006)
    assert parts(least)[1] / by_hand[least] == pytest.approx(share, abs=0.006)
    # And from the figures that machines are made with.
    made = {
        mv: SUPPLY.dynamic(1_200_000, mv)
        + SUPPLY.dynamic(100_000, mv)
        + (SUPPLY.leakage_nw(150_000, mv, times) + standby_uw * 1000) * every * SUPPLY.safe_millitick[mv] / 100_000
        for mv in VOLTAGES
    }
    assert min(made, key=made.__getitem__) == best
    assert made[best] == pytest.approx(by_hand[best] * 1000, rel=1e-4)
