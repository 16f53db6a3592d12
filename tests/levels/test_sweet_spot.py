"""The level with an energy optimum inside the range of voltages: found by running it, and its reference is there."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from engine.errors import UsageError
from engine.model import Design, Level
from engine.simulation import simulate
from engine.technology import technology
from engine.truth import Workload
from levels import load_design, load_level
from levels.lookup import designs_beside, find_level
from levels.save import save_design
from levels.search.knobs import parse_setting, turned
from levels.textform import decode, encode

PATH = find_level("physics-02-the-sweet-spot")
SAFE = technology("n45").supply.safe_millitick


def at(design: Design, mv: int) -> Design:
    """The machine with everything at one voltage and as fast as that allows."""
    clock = -(-SAFE[mv] // 1000)
    changed = design.model_copy(deep=True)
    for core in changed.cores:
        core.set |= {"voltage_mv": mv, "clock_ticks": clock}
    for wire in changed.wires:
        wire.voltage_mv, wire.every_ticks = mv, clock
    return changed


def efficiency(level: Level, design: Design, workload: Workload) -> float:
    report = simulate(level, design, workload=workload, bound=False)
    assert report.verdict == "pass" and report.metrics
    return report.metrics.efficiency_launches_per_nj


def test_the_optimum_lies_inside_the_range_and_is_the_reference() -> None:
    level, best = load_level(PATH), load_design(designs_beside(PATH)["best"])
    workload = Workload(level)
    found = {mv: efficiency(level, at(best, mv), workload) for mv in SAFE}
    top = max(found, key=found.__getitem__)
    assert top == 625 and at(best, top).cores == best.cores and at(best, top).wires == best.wires
    # Rising to the optimum and falling behind it: neither a crawl nor a sprint pays. (Only at 900 mV there are no
    # level shifters to the pads, and the clock is a whole number of ticks, hence a little room.)
    rising, falling = [found[mv] for mv in SAFE if mv <= top], [found[mv] for mv in SAFE if mv >= top]
    assert all(a <= b for a, b in pairwise(rising))
    assert all(a >= 0.99 * b for a, b in pairwise(falling))
    assert found[500] < 0.75 * found[top] and found[1300] < 0.42 * found[top]


def test_more_clock_than_is_safe_gains_nothing() -> None:
    level, best = load_level(PATH), load_design(designs_beside(PATH)["best"])
    for core in best.cores:
        core.set["clock_ticks"] = 156
    report = simulate(level, best, bound=False)
    assert report.verdict == "fault" and report.fault and "came late" in report.fault.message


def test_supplies_survive_files_and_texts(tmp_path: Path) -> None:
    best = load_design(designs_beside(PATH)["best"])
    save_design(best, tmp_path / "best.yaml")
    for again in (load_design(tmp_path / "best.yaml"), decode(encode(best))):
        assert (again.cores, again.wires) == (best.cores, best.wires)
    assert best.wires[0].voltage_mv == 625


def test_voltages_of_wires_can_be_swept() -> None:
    level, best = load_level(PATH), load_design(designs_beside(PATH)["best"])
    knob, values = parse_setting("*.voltage_mv=625,700", level, best)
    assert [wire.voltage_mv for wire in turned(best, [knob], (700,)).wires] == [700] * 5
    assert values == [625, 700]
    with pytest.raises(UsageError, match="500 to 1300 in steps of 25"):
        parse_setting("*.voltage_mv=710", level, best)
