"""Edits of speeds alone: told from others, and elaborated to the same machine."""

from __future__ import annotations

import random

import pytest

import engine.speeds
from engine.elaborate import elaborate
from engine.errors import InvalidError
from engine.model import Design, Level
from engine.speeds import Elaborator, speed_changes
from levels import find_level, load_design, load_level
from levels.lookup import designs_beside
from tests.differential import difference

PATH = find_level("first-light/05")


@pytest.fixture(scope="module")
def level() -> Level:
    return load_level(PATH)


@pytest.fixture(scope="module")
def design() -> Design:
    return load_design(str(designs_beside(PATH)["best"]))


def faster(design: Design, wire: int, every: int | None) -> Design:
    wires = list(design.wires)
    wires[wire] = wires[wire].model_copy(update={"every_ticks": every})
    return design.model_copy(update={"wires": wires})


def other_number(design: Design) -> Design:
    first, *rest = design.cores
    return design.model_copy(update={"cores": [first.model_copy(update={"set": {"b": 16}}), *rest]})


def test_what_a_change_of_speed_is(design: Design) -> None:
    assert speed_changes(design, design) == []
    assert speed_changes(design, design.model_copy(deep=True)) == []
    assert speed_changes(design, faster(faster(design, 4, 250), 1, None)) == [1, 4]
    assert speed_changes(design, other_number(design)) is None
    assert speed_changes(design, design.model_copy(update={"wires": design.wires[:-1]})) is None
    moved = design.wires[0].model_copy(update={"path": [(0, 4), (0, 5), (1, 5), (1, 4)]})
    assert speed_changes(design, design.model_copy(update={"wires": [moved, *design.wires[1:]]})) is None


def test_one_edit_after_the_other_gives_what_a_fresh_start_gives(level: Level, design: Design) -> None:
    draw, elaborator = random.Random(5), Elaborator(level)
    for k in range(60):
        design = faster(design, draw.randrange(len(design.wires)), draw.choice((None, 10, 100, 137, 4000)))
        if k % 17 == 9:
            design = other_number(design)
        assert difference(elaborator.netlist(design), elaborate(level, design), "") is None


def test_speeds_alone_are_not_elaborated_anew(level: Level, design: Design, monkeypatch: pytest.MonkeyPatch) -> None:
    elaborator = Elaborator(level)
    elaborator.netlist(design)
    calls: list[Design] = []
    monkeypatch.setattr(engine.speeds, "elaborate", lambda level, design: calls.append(design))
    elaborator.netlist(faster(design, 2, 300))
    assert not calls
    elaborator.netlist(other_number(design))
    assert len(calls) == 1


def test_after_a_wrong_design_the_next_is_elaborated_anew(level: Level, design: Design) -> None:
    elaborator = Elaborator(level)
    elaborator.netlist(design)
    broken = design.model_copy(update={"cores": design.cores[1:]})
    with pytest.raises(InvalidError):
        elaborator.netlist(broken)
    assert difference(elaborator.netlist(design), elaborate(level, design), "") is None
