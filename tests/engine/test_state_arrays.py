"""What a state tells of all nodes and wires at once is what it tells of each."""

from __future__ import annotations

import pytest

from engine.simulation import EngineName, Simulation
from levels import find_level, load_design, load_level


@pytest.mark.parametrize("engine", ["plain", "compiled"])
@pytest.mark.parametrize("name", ["first-light-09-merry-go-round", "gpu-puzzles-11-convolution"])
def test_last_firings_and_exits(engine: EngineName, name: str) -> None:
    level = load_level(name)
    assert level.reference
    design = load_design(find_level(name).parent / level.reference.best)
    simulation = Simulation(level, design, engine=engine)
    for ns in (0.0, 10.0, 61.3, 300.0):
        simulation.run_until(ns)
        state = simulation.state()
        firings, exits = state.last_firings(), state.last_exits()
        assert firings.tolist() == [node.last_firing for node in state.nodes]
        assert exits.tolist() == [wire.last_exit for wire in state.wires]
    assert firings.max() > 0 and exits.max() > 0
    before = firings.copy()
    simulation.run_until(600.0)
    assert (firings == before).all()  # a value: it stays as it was
    assert (simulation.state().last_firings() != before).any()
