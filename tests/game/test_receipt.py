"""The energy receipt is never empty: what is avoidable, then what a launch is made of, each with place and cure."""

from __future__ import annotations

import pytest

from engine.causes import causes
from engine.elaborate import elaborate
from engine.simulation import simulate
from game.pictures import house
from game.shell.receipt import LINES, receipt
from tests.engine import test_lines

MACHINES = [
    ("first-light-01-ignition", "naive"),
    ("first-light-01-ignition", "best"),
    ("first-light-05-two-roads", "naive"),
    ("first-light-05-two-roads", "best"),
    ("gpu-puzzles-01-map", "best"),
]


@pytest.mark.parametrize(("name", "role"), MACHINES)
def test_a_receipt_has_three_items_with_place_and_cure(name: str, role: str) -> None:
    level, design = house(name, role)
    report = simulate(level, design)
    found = causes(elaborate(level, design), report)
    assert found is not None and report.metrics is not None
    lines = receipt(report, found.energy, found.time)
    assert len(lines) == LINES
    total = 1000 / report.metrics.efficiency_launches_per_nj
    for line in lines:
        assert 0 < line.pj <= total * 1.001
        assert line.message and line.cure
        if line.wire is not None:
            wires = [element.id for element in report.elements if element.kind == "wire"]
            assert wires[line.wire] == line.element
    avoidable = [line for line in lines if line.avoidable]
    assert lines[: len(avoidable)] == avoidable  # what can be saved stands first
    rest = [line.pj for line in lines if not line.avoidable]
    assert rest == sorted(rest, reverse=True)


def test_what_any_machine_pays_is_said_to_be_needed() -> None:
    level, design = house("first-light-01-ignition", "best")
    report = simulate(level, design)
    lines = receipt(report, [])
    drive = next(line for line in lines if line.wire == 0 and "ready" in line.message)
    assert report.energy_limit is not None and drive.pj == pytest.approx(report.energy_limit.by_cause["drive"])
    assert drive.cure == "this much is needed"


def test_a_cause_that_an_avoidable_item_belongs_to_is_not_told_twice() -> None:
    level, design = house("first-light-01-ignition", "naive")
    report = simulate(level, design)
    found = causes(elaborate(level, design), report)
    assert found is not None and found.energy[0].kind == "too-fast"
    words = [line.message for line in receipt(report, found.energy, found.time)]
    assert not any(word.startswith("Wires that") for word in words)


def test_part_lines_stand_on_the_receipt_in_place_of_memory() -> None:
    level = test_lines.level()
    design = test_lines.copy(level, 8, load="w0 + 8*w1")
    report = simulate(level, design, engine="plain")
    found = causes(elaborate(level, design), report)
    assert found is not None
    lines = receipt(report, found.energy, found.time)
    assert lines[0].message == "a uses 1 of the 8 words of each line that it moves"
    assert not any(line.message.startswith("Reading and writing") for line in lines)
