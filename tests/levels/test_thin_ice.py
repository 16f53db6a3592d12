"""Chapter 3, "Thin ice": each level's idea is worth what the level is for, measured, and its limits are where it says.

That references pass, under varied delays too, and that wrong designs fail as they say, is checked for all levels
elsewhere.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

import pytest

from engine.model import Design, Level, Report, ShieldSpec
from engine.simulation import simulate
from engine.technology import technology
from engine.truth import Workload
from levels import load_design, load_level
from levels.lookup import designs_beside, find_level

VERIFY = "physics-04-trust-but-verify"
NEIGHBOURS = "physics-05-long-neighbours"
SHIELD = "physics-06-a-shield-costs-a-track"
ONE_BIT = "physics-07-one-bit-at-a-time"
UPSIDE_DOWN = "physics-08-upside-down"
WALLS = "physics-09-thin-walls"
HOT_SPOT = "physics-10-hot-spot"
SLEEP = "physics-11-sleep"
HURRY, CALM = "physics-12-hurry-up-and-sleep", "physics-12b-take-your-time"


@lru_cache(maxsize=2)
def level_of(name: str) -> tuple[Level, Workload]:
    level = load_level(find_level(name))
    return level, Workload(level)


def design_of(name: str, role: str) -> Design:
    return load_design(designs_beside(find_level(name))[role])


def run(name: str, design: Design | str) -> Report:
    level, workload = level_of(name)
    return simulate(
        level, design_of(name, design) if isinstance(design, str) else design, workload=workload, bound=False
    )


def score(name: str, design: Design | str) -> float:
    """Launches/nJ of a machine that passes."""
    report = run(name, design)
    assert report.verdict == "pass" and report.metrics, (name, report.fault or report.limits)
    return report.metrics.efficiency_launches_per_nj


def pj(report: Report, *causes: str) -> float:
    """pJ per launch, of these causes."""
    assert report.energy_pj and report.metrics
    return sum(report.energy_pj[cause] for cause in causes) / report.metrics.launches


@pytest.mark.parametrize(
    ("name", "undone", "least"),
    [
        # What the level's idea alone is worth: the best machine over the best one without the idea.
        (VERIFY, "without-errors", 1.11),
        (NEIGHBOURS, "without-order", 1.12),
        (NEIGHBOURS, "without-space", 1.24),
        (SHIELD, "without-ground", 1.09),
        (ONE_BIT, "without-index", 1.10),
        (ONE_BIT, "without-signed", 1.20),
        (UPSIDE_DOWN, "without-random", 1.08),
        (UPSIDE_DOWN, "without-signed", 1.20),
        (WALLS, "without-thin", 1.26),
        (HOT_SPOT, "without-lean", 1.10),
        (SLEEP, "without-road", 2.0),
        (SLEEP, "without-cores", 1.15),
        (HURRY, "without-pad", 2.0),
        (CALM, "without-calm", 1.38),
    ],
)
def test_the_idea_is_worth_it(name: str, undone: str, least: float) -> None:
    assert score(name, "best") > least * score(name, undone)


@pytest.mark.parametrize(
    ("name", "least"),
    [
        (VERIFY, 1.5),
        (NEIGHBOURS, 1.5),
        (SHIELD, 1.2),
        (ONE_BIT, 1.6),
        (UPSIDE_DOWN, 1.35),
        (WALLS, 2.9),
        (HOT_SPOT, 1.45),
        (SLEEP, 2.61),
        (HURRY, 1.64),
        (CALM, 1.9),
    ],
)
def test_best_over_naive(name: str, least: float) -> None:
    assert score(name, "best") > least * score(name, "naive")


# --- 4 Trust, but verify -----------------------------------------------------------------------------------


def divider(mv: int, clock: int, code: str | None) -> Design:
    design = design_of(VERIFY, "best")
    design.cores[0].set |= {"voltage_mv": mv, "clock_ticks": clock}
    for wire in design.wires:
        wire.every_ticks = 12 * clock
    design.wires[1].encoding = code  # type: ignore[assignment]
    return design


def test_one_wrong_bit_is_mended_and_two_are_not() -> None:
    """A fifth faster than is safe only bit 31 is ever late: 80 ticks are safe at 900 mV, and 80 / 1.2 is 66.7."""
    assert score(VERIFY, divider(900, 67, "secded")) > 1.14 * score(VERIFY, divider(900, 80, None))
    for clock, code, fault in (
        (66, "secded", "uncorrectable"),
        (67, "parity", "parity-error"),
        (79, None, "wrong-value"),
    ):
        report = run(VERIFY, divider(900, clock, code))
        assert report.fault and report.fault.code == fault


def test_no_voltage_makes_the_safe_clock_as_good_as_errors_that_are_mended() -> None:
    safe = technology("n45").supply.safe_millitick
    volts = [mv for mv in safe if mv >= 1000]
    trusting = {mv: score(VERIFY, divider(mv, max(50, -(-safe[mv] // 1200)), "secded")) for mv in volts}
    cautious = {mv: score(VERIFY, divider(mv, -(-safe[mv] // 1000), None)) for mv in volts}
    assert max(trusting.values()) > 1.11 * max(cautious.values())
    # Errors make it fast at less voltage: both optima lie inside the range, that of the trusting one lower.
    assert max(trusting, key=trusting.__getitem__) == 1075
    assert max(cautious, key=cautious.__getitem__) == 1200


# --- 5 and 6: one machine, several remedies ----------------------------------------------------------------


def flips(name: str, design: Design) -> bool:
    report = run(name, design)
    return bool(report.fault and report.fault.code == "wrong-value" and "flipped: the noise of" in report.fault.message)


def tracks(design: Design, *chosen: int) -> Design:
    design = design.model_copy(deep=True)
    for wire, track in zip(design.wires, chosen, strict=True):
        wire.track = track
    return design


def test_the_valley_flips_raw_and_passes_with_each_of_three_remedies_at_three_prices() -> None:
    raw = tracks(design_of(NEIGHBOURS, "best"), 0, 2, 1, 3)
    assert flips(NEIGHBOURS, raw)
    spaced = tracks(raw, 0, 3, 1, 4)
    coded = tracks(raw, 0, 4, 2, 6)
    for wire in coded.wires:
        wire.encoding = "secded"
    passing = raw.model_copy(deep=True)
    for wire in passing.wires[1::2]:
        wire.every_ticks = 90
    prices = [1 / score(NEIGHBOURS, design) for design in (spaced, passing, coded)]
    assert all(a * 1.01 < b for a, b in pairwise(prices))


def test_the_middle_wire_flips_raw_and_passes_with_each_of_four_remedies_at_four_prices() -> None:
    best = design_of(SHIELD, "best")
    raw = best.model_copy(update={"shields": []}, deep=True)
    assert flips(SHIELD, raw)
    assert flips(SHIELD, tracks(raw, 0, 1, 2))
    prices = [1 / score(SHIELD, best)]
    for code in ("no-opposites", "secded", "no-lone-bits"):
        coded = raw.model_copy(deep=True)
        coded.wires[2].encoding = code  # type: ignore[assignment]
        prices.append(1 / score(SHIELD, coded))
    assert all(a * 1.01 < b for a, b in pairwise(prices))


def test_three_tiles_of_ground_are_the_least_and_each_more_costs() -> None:
    best = design_of(SHIELD, "best")
    found = {}
    for tiles in (1, 2, 3, 4, 9, 15):
        design = best.model_copy(update={"shields": [ShieldSpec(path=[(2, 1), (2 + tiles, 1)], track=2)]})
        found[tiles] = None if flips(SHIELD, design) else score(SHIELD, design)
    assert found[1] is None and found[2] is None
    scores = [found[tiles] for tiles in (3, 4, 9, 15)]
    assert all(a and b and a > b for a, b in pairwise(scores))


# --- 7 and 8: codes that switch less -----------------------------------------------------------------------


def test_gray_on_random_words_gains_nothing_and_takes_the_time_that_the_count_needs() -> None:
    best, everywhere = run(ONE_BIT, "best"), run(ONE_BIT, "wrong-gray-everywhere")
    lines = ("switching", "coupling")
    assert pj(everywhere, *lines) == pytest.approx(pj(best, *lines), rel=0.01)
    assert best.metrics and everywhere.metrics
    assert everywhere.metrics.latency_ns.median == best.metrics.latency_ns.median + 1
    assert [limit.limit for limit in everywhere.limits if not limit.ok] == ["latency"]


def test_bus_invert_saves_what_is_published_on_random_words_and_nothing_on_a_count() -> None:
    """11.3 % of the toggles as a whole, 18.3 % by bytes (Stan and Burleson, 1995, by the binomial sum)."""

    def energy(element: int, code: str | None) -> float:
        design = design_of(UPSIDE_DOWN, "naive")
        design.wires[element].encoding = code  # type: ignore[assignment]
        report = run(UPSIDE_DOWN, design)
        start = design.wires[element].source
        row = next(e for e in report.elements if e.kind == "wire" and e.id.startswith(start))
        return row.energy_pj["switching"]

    raw = energy(0, None)
    assert energy(0, "bus-invert") == pytest.approx(raw * (1 - 0.113), rel=0.02)
    assert energy(0, "bus-invert-4") == pytest.approx(raw * (1 - 0.183), rel=0.02)
    assert energy(2, "bus-invert") == energy(2, None)


# --- 9 Thin walls ------------------------------------------------------------------------------------------


def test_the_thinner_the_wall_the_faster_the_best_ring() -> None:
    def best_ticks(gap: int | None) -> int:
        def at(ticks: int) -> float:
            design = design_of(WALLS, "best")
            for number in (1, 2, 3, 4):
                design.wires[number].gap, design.wires[number].every_ticks = gap, ticks
            for number in (0, 5):
                design.wires[number].every_ticks = 600 + 18 * ticks  # a turn of the ring
            return score(WALLS, design)

        return max((20, 28, 36, 50, 70), key=at)

    assert (best_ticks(None), best_ticks(60), best_ticks(40)) == (50, 36, 28)


def test_what_walks_loses_its_charge_and_what_runs_does_not() -> None:
    report = run(WALLS, "wrong-everywhere")
    assert report.fault and "leaked away: its walls keep a charge for 19.91 ns" in report.fault.message
    fast = design_of(WALLS, "best")
    fast.wires[5].gap, fast.wires[5].every_ticks = 40, 80
    assert score(WALLS, fast) < score(WALLS, "best")
    # On the other road words wait for the ring, however fast they came.
    fast.wires[0].gap, fast.wires[0].every_ticks = 40, 80
    assert run(WALLS, fast).verdict == "fault"


# --- 10 Hot spot -------------------------------------------------------------------------------------------


def test_the_further_apart_the_cooler_and_the_edge_is_hot() -> None:
    def at(row: int, apart: int) -> Report:
        design = design_of(HOT_SPOT, "best")
        left, right = 7 - apart // 2, 7 - apart // 2 + apart
        design.cores[0].at, design.cores[1].at = (left, row), (right, row)
        design.wires[0].path = [(5, 0), (5, row), (left, row)] if left != 5 else [(5, 0), (5, row)]
        design.wires[1].path = [(left, row), (right, row)]
        design.wires[2].path = [(right, row), (9, row), (9, 0)] if right != 9 else [(9, row), (9, 0)]
        return run(HOT_SPOT, design)

    burnt = at(2, 1)
    assert burnt.fault and burnt.fault.code == "burnt-out"
    reports = [at(2, apart) for apart in (2, 3, 4)]
    kelvin = [report.heat.hottest_k for report in reports if report.heat]
    assert all(a > b + 2 for a, b in pairwise(kelvin)) and len(kelvin) == 3
    assert [report.verdict for report in reports] == ["limit", "limit", "pass"]
    edge, inside = at(1, 4).heat, reports[2].heat
    assert edge and inside and edge.hottest_k > inside.hottest_k + 2


# --- 11 and 12: what sleeps --------------------------------------------------------------------------------


def test_who_is_woken_for_every_other_word_pays_more_than_the_sleep_saves() -> None:
    """With a word every 4 ns in place of bursts the fast cores are hardly ever idle for as long as pays."""
    level = level_of(SLEEP)[0].model_copy(deep=True)
    level.pads[0].burst, level.pads[0].every_ns = None, 10
    level.limits.throughput_per_us = level.limits.latency_ns = None

    def energy(gated: bool) -> tuple[float, float]:
        design = design_of(SLEEP, "naive")
        for core in design.cores[:2]:
            core.set |= {"gate": True} if gated else {}
        report = simulate(level, design, bound=False)
        assert report.verdict == "pass" and report.metrics
        return pj(report, "leakage", "wake-up") if gated else pj(report, "leakage"), report.metrics.latency_ns.median

    (asleep, late), (awake, soon) = energy(True), energy(False)
    assert asleep > awake and late > soon


def test_twins_have_opposite_answers() -> None:
    """Either twin's best machine passes at the other, and loses there."""
    for name, other, role in ((HURRY, CALM, "without-calm"), (CALM, HURRY, "without-hurry")):
        best, there = design_of(name, "best"), design_of(other, role)
        assert (best.cores, best.wires) == (there.cores, there.wires)
    assert score(HURRY, "best") > 1.09 * score(HURRY, "without-hurry")
    assert score(CALM, "best") > 1.38 * score(CALM, "without-calm")
