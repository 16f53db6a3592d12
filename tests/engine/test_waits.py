"""Why something waits, over a stretch of time, and when it began to."""

from __future__ import annotations

import pytest

from engine.explain import fold, why, why_wire
from engine.machine import Stop
from engine.model import Design, Level, WaitStep
from engine.simulation import Simulation
from engine.waits import began, usual_cause, with_room
from levels import load_level
from levels.files import load_design_file
from levels.lookup import find_level, sibling
from tests.engine.roads import two_roads


def reference(level: Level, role: str) -> Design:
    assert level.reference is not None
    return load_design_file(sibling(find_level(level.id), getattr(level.reference, role))).design


@pytest.fixture(scope="module")
def in_step() -> Level:
    return load_level("first-light-02-in-step")


@pytest.fixture(scope="module")
def jam() -> Level:
    return load_level("first-light-06-the-jam")


def test_the_cause_that_holds_for_most_of_the_time_is_told(in_step: Level) -> None:
    simulation = Simulation(in_step, reference(in_step, "naive"), engine="plain")
    simulation.run_until(90)
    before = simulation.state()
    cause, share = usual_cause(simulation, wire=0)
    assert cause.root == "out"
    assert 0.5 < share < 1
    assert simulation.state() == before


def test_a_standstill_has_one_cause(in_step: Level) -> None:
    design = reference(in_step, "naive")
    wires = [design.wires[0], design.wires[1].model_copy(update={"every_ticks": None})]
    simulation = Simulation(in_step, design.model_copy(update={"wires": wires}), engine="plain")
    assert simulation.machine.run() is Stop.DEADLOCK
    cause, share = usual_cause(simulation, node=0)
    assert "stopped" in cause.meaning
    assert share == 1.0


@pytest.mark.parametrize("now_ns", [40, 200.37, 1500])
def test_a_jam_began_when_the_wire_was_full_for_the_first_time(jam: Level, now_ns: float) -> None:
    """The same moment, whenever it is asked; just before it, the chain was another one."""
    simulation = Simulation(jam, reference(jam, "naive"))
    simulation.run_until(now_ns)
    cause, _ = usual_cause(simulation, node=0)
    began_at = began(simulation, cause, node=0)
    assert began_at == 2000
    early = Simulation(jam, reference(jam, "naive"))
    early.run_until(20)
    assert [step.element for step in why(early.netlist, early.state(), 0).chain] == [s.element for s in cause.chain]
    before = Simulation(jam, reference(jam, "naive"))
    before.run_until(19.99)
    assert why(before.netlist, before.state(), 0).chain != cause.chain


def test_a_standstill_began_with_its_last_event(in_step: Level) -> None:
    design = reference(in_step, "naive")
    wires = [design.wires[0], design.wires[1].model_copy(update={"every_ticks": None})]
    simulation = Simulation(in_step, design.model_copy(update={"wires": wires}))
    assert simulation.machine.run() is Stop.DEADLOCK
    cause, _ = usual_cause(simulation, node=0)
    assert began(simulation, cause, node=0) == simulation.machine.now


def test_long_chains_are_folded_in_the_middle() -> None:
    chain = [WaitStep(element=f"c{i}", message=f"step {i}") for i in range(9)]
    folded = fold(chain)
    assert [step.message for step in folded] == ["step 0", "step 1", "and 5 like it", "step 7", "step 8"]
    assert fold(chain[:5]) == chain[:5]


def test_unequal_roads_say_how_many_words_are_missing() -> None:
    """Four cores in a row, and the copy's road beside them is as short as can be."""
    builder, copy = two_roads()
    simulation = Simulation(builder.level, builder.design())
    simulation.run_until(300)
    cause, _ = usual_cause(simulation, wire=builder.lines.index(copy))
    assert (cause.kind, cause.root) == ("roads", "a.value → add1.b")
    assert with_room(builder.level, simulation.netlist, cause).meaning == (
        "the short road is full: it holds 8 words, the other needs 13. Six more tiles, or a buffer of five"
    )
    none = builder.level.model_copy(update={"parts": {"*": 9, "buffer": 0}})
    assert with_room(none, simulation.netlist, cause).meaning.endswith("the other needs 13. Six more tiles")
    longer, copy = two_roads(detour=copy.length + 6)
    simulation = Simulation(longer.level, longer.design())
    simulation.run_until(300)
    assert usual_cause(simulation, wire=longer.lines.index(copy))[0].kind == "pad"


def test_every_element_has_a_cause_at_every_moment(jam: Level) -> None:
    simulation = Simulation(jam, reference(jam, "naive"))
    while simulation.now_ns < 60:
        state = simulation.state()
        for node in range(len(simulation.netlist.nodes)):
            assert why(simulation.netlist, state, node).root
        for wire in range(len(simulation.netlist.wires)):
            assert why_wire(simulation.netlist, state, wire).root
        simulation.step()
