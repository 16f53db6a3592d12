"""Edits of speeds alone: told from others, and giving the machine that a fresh start gives."""

from __future__ import annotations

import random

import pytest

from engine.errors import InvalidError
from engine.live import LiveSimulation
from engine.machines import EngineName
from engine.model import Design, Level
from engine.simulation import Simulation
from engine.speeds import speed_changes
from engine.truth import Workload
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


def same(ours: Simulation, fresh: Simulation) -> None:
    """One machine at the start, some time later, and at the end."""
    assert difference(ours.netlist, fresh.netlist, "") is None
    for ns in (0.0, 77.7):
        for each in (ours, fresh):
            each.run_until(ns)
        assert difference(ours.state(), fresh.state(), "") is None
    assert ours.report() == fresh.report()


@pytest.mark.parametrize("engine", ["plain", "auto"])
def test_one_edit_after_the_other_gives_what_a_fresh_start_gives(
    level: Level, design: Design, engine: EngineName
) -> None:
    draw, live = random.Random(5), LiveSimulation(level, seed=0, workload=Workload(level, 0))
    for k in range(12 if engine == "plain" else 60):
        design = faster(design, draw.randrange(len(design.wires)), draw.choice((None, 10, 100, 137, 4000)))
        if k % 17 == 9:
            design = other_number(design)
        if k % 11 == 7:
            design = design.model_copy(
                update={"wires": [w.model_copy(update={"every_ticks": 90}) for w in design.wires]}
            )
        simulation = live.of(design, engine)
        assert simulation.design is design
        same(simulation, Simulation(level, design, engine=engine))


def test_speeds_alone_are_not_elaborated_anew(level: Level, design: Design) -> None:
    live = LiveSimulation(level, seed=0, workload=Workload(level, 0))
    kept = live.of(design, "auto")
    assert live.of(faster(design, 2, 300), "auto") is kept
    assert live.of(faster(design, 2, 300), "plain") is not kept
    assert live.of(other_number(design), "plain") is not kept


def test_after_a_wrong_design_the_next_is_elaborated_anew(level: Level, design: Design) -> None:
    live = LiveSimulation(level, seed=0, workload=Workload(level, 0))
    live.of(design, "auto")
    with pytest.raises(InvalidError):
        live.of(design.model_copy(update={"cores": design.cores[1:]}), "auto")
    same(live.of(design, "auto"), Simulation(level, design))
