"""Chapter 2, Wide roads: what each level teaches is so, by the machines of the house and in the same run."""

from __future__ import annotations

from functools import lru_cache

import pytest

from engine.model import Design, Report
from engine.simulation import Simulation, simulate
from levels import load_design, load_level
from levels.lookup import campaign, designs_beside, find_level

LEVELS = [entry.id for entry in campaign() if entry.chapter_slug == "wide-roads"]


def run(level: str, design: Design) -> Report:
    return simulate(load_level(find_level(f"wide-roads/{level}")), design, bound=False)


def machine(level: str, role: str) -> Design:
    return load_design(designs_beside(find_level(f"wide-roads/{level}"))[role])


@lru_cache
def report(level: str, role: str) -> Report:
    return run(level, machine(level, role))


def score(level: str, role: str) -> float:
    """Launches/nJ of a design that passes."""
    found = report(level, role)
    assert found.verdict == "pass" and found.metrics
    return found.metrics.efficiency_launches_per_nj


def test_there_are_twelve_and_a_twin() -> None:
    numbers = [level.split("-")[2] for level in LEVELS]
    assert numbers == ["01", "02", "03", "04", "05", "06", "07", "08", "09a", "09b", "10", "11", "12"]


@pytest.mark.parametrize(
    ("level", "idea", "without", "least"),
    [
        ("01", "four lanes, from the pad to the store", "warps", 3.4),
        ("01", "a line is fetched once", "line", 2.8),
        ("02", "no wider than a block", "four", 1.18),
        ("03", "lanes of a warp agree", "agree", 1.25),
        ("04", "do not split for what is cheap", "select", 1.23),
        ("04", "select a number, not an answer", "number", 1.1),
        ("05", "gather the rare ones", "branch", 1.9),
        ("05", "and do not wait for them", "gather", 1.2),
        ("06", "neighbours share a line", "neighbours", 7.0),
        ("07", "turn it in shared memory", "turn", 3.2),
        ("08", "a row of nine", "pad", 1.41),
        ("09a", "make it again", "again", 1.7),
        ("09b", "keep it", "keep", 1.35),
        ("10", "a second page", "pages", 1.31),
        ("11", "a tree in three steps", "tree", 1.2),
        ("12", "rows of b are read once", "b", 2.8),
        ("12", "rows of a are read once", "a", 3.0),
    ],
)
def test_the_idea_is_worth_what_is_said(level: str, idea: str, without: str, least: float) -> None:
    """Against a machine that is as well tuned, and lacks the idea alone."""
    assert score(level, "best") >= least * score(level, f"without-{without}"), idea


def test_selecting_wins_where_arms_are_cheap_and_branching_where_one_is_rare_and_dear() -> None:
    assert score("04", "best") > score("04", "without-select")
    assert {core.core for core in machine("04", "best").cores} & {"switch", "join"} == set()
    assert score("05", "without-gather") > 1.35 * score("05", "without-branch")
    assert "switch" in {core.core for core in machine("05", "without-gather").cores}
    assert "select" in {core.core for core in machine("05", "without-branch").cores}


def test_the_same_question_has_two_answers() -> None:
    """Level 9a: making keys twice beats keeping them; level 9b, where a key is dear, the other way round."""
    assert score("09a", "best") > 1.5 * score("09a", "without-again")
    assert score("09b", "best") > 1.3 * score("09b", "without-keep")


def test_lanes_are_used() -> None:
    """Half of eight lanes have no thread in blocks of four; of a split warp half the lanes are empty in each arm."""
    wide, fits = report("02", "without-four").lanes, report("02", "best").lanes
    assert wide and fits and wide.occupancy and fits.occupancy
    assert wide.occupancy == pytest.approx(fits.occupancy / 2)
    mixed, agree = report("03", "without-agree").lanes, report("03", "best").lanes
    assert mixed and agree
    assert [mixed.occupancy_by_core[arm] for arm in ("mod", "div")] == [0.5, 0.5]
    assert agree.occupancy == 1
    roof = report("12", "best").lanes
    assert roof and "apart" not in roof.occupancy_by_core and roof.occupancy == 1  # unpack sends one lane a firing


def test_lines_and_banks() -> None:
    """A warp of eight neighbours takes a line, eight words apart eight of them; a column of eight takes one bank eight
    cycles, seven more than with a row of nine."""
    strided, dense = report("06", "without-neighbours"), report("06", "best")
    assert strided.lanes and dense.lanes
    assert strided.lanes.lines_per_access == {"a": 8, "out": 8}
    assert dense.lanes.lines_per_access == {"a": 1, "out": 1}
    assert strided.accesses == {"a": 64, "out": 64} and dense.accesses == {"a": 8, "out": 8}
    bare, padded = report("08", "without-pad").lanes, report("08", "best").lanes
    assert bare and padded
    # One of two accesses is a column: (1 + 8) / 2 cycles, 3.5 more than one.
    assert bare.conflicts_per_access == {"page": 3.5}
    assert padded.conflicts_per_access == {"page": 0}


def test_reuse_moves_a_product_from_the_roof_of_memory_to_that_of_arithmetic() -> None:
    naive, best = report("12", "naive").roofline, report("12", "best").roofline
    assert naive and best
    # 64 steps of 8 products and sums; 64 + 64 + 8 lines of 32 bytes, or 8 + 8 + 8.
    assert naive.operations == best.operations == 2 * 8 * 64
    assert [m.bytes for m in naive.memories] == [136 * 32] and [m.bytes for m in best.memories] == [24 * 32]
    assert naive.limited_by == "far" and best.limited_by == "peak"
    assert naive.peak_per_ns == best.peak_per_ns
    # Both stand near their roofs: whatever is done to the cores of the first, it can not be as fast as the second.
    assert 0.6 * naive.roof_per_ns < naive.attained_per_ns <= naive.roof_per_ns
    assert best.attained_per_ns > 2 * naive.roof_per_ns


@pytest.mark.parametrize("level", ["07", "08", "10"])
@pytest.mark.parametrize("every_ns", [0.5, 1, 3, 10, 40, 200])
def test_a_missing_barrier_is_found_whatever_the_timing(level: str, every_ns: float) -> None:
    """Fast, a warp reads what is not there yet; slow, what is there was written by others, and it is a race."""
    design = machine(level, "wrong-no-barrier")
    for wire in design.wires:
        if wire.to == ["page.read.at"]:
            wire.every_ticks = round(100 * every_ns)
    found = run(level, design)
    assert found.verdict == "fault" and found.fault
    assert found.fault.code in ("race", "read-before-write")


@pytest.mark.parametrize("every_ns", [40, 100, 500])
def test_words_that_are_there_by_luck_are_a_race(every_ns: float) -> None:
    """All cells are written long before the first of them is read: nothing but the rule can tell."""
    design = machine("08", "wrong-by-luck")
    (slow,) = [wire for wire in design.wires if wire.to == ["page.read.at"]]
    slow.every_ticks = round(100 * every_ns)
    found = run("08", design)
    assert found.fault and found.fault.code == "race"


@pytest.mark.parametrize("level", LEVELS)
def test_wrong_machines_fail_when_delays_vary_too(level: str) -> None:
    """Whatever order and distance chance gives to its packets, none gets through."""
    path = find_level(level)
    for role, file in designs_beside(path).items():
        for seed in (1, 2, 3) if role.startswith("wrong-") else ():
            jittered = Simulation(load_level(path), load_design(file), jitter_seed=seed)
            assert jittered.report(bound=False).verdict != "pass", f"{role}, seed {seed}"


@pytest.mark.parametrize(
    ("level", "more"),
    [("gpu-puzzles-09-pooling", 1.03), ("gpu-puzzles-11-convolution", 1.2), ("gpu-puzzles-14a-matmul", 0.9)],
)
def test_whoever_comes_back_with_lanes_finds_them_allowed(level: str, more: float) -> None:
    """The machines with lanes pass and keep the limits; two of three beat the best one without. What a scalar machine
    scores does not know that lanes are allowed."""
    path = find_level(level)
    lanes, alone = load_level(path), load_level(path).model_copy(update={"lanes": 1, "banks": None})
    designs = {role: load_design(designs_beside(path)[role]) for role in ("naive", "best", "wide")}
    wide, best = (simulate(lanes, designs[role], bound=False) for role in ("wide", "best"))
    assert wide.verdict == "pass" and wide.metrics and best.metrics and wide.lanes
    assert wide.metrics.efficiency_launches_per_nj > more * best.metrics.efficiency_launches_per_nj
    for role in ("naive", "best"):
        with_lanes, without = simulate(lanes, designs[role]), simulate(alone, designs[role])
        assert with_lanes.energy_exact == without.energy_exact and with_lanes.window == without.window
