"""The large machine of the benchmarks is what it says: it runs, full of packets, and makes no mistake."""

from __future__ import annotations

import pytest

from engine.machine import Stop
from engine.simulation import Simulation
from game.bench.board import COLUMNS, FULL_NS, PACKETS, ROWS, WIRES, large_design, large_level

pytest.importorskip("numba")


def test_the_large_machine_is_full_and_runs_on() -> None:
    level, design = large_level(), large_design()
    assert (len(design.cores), len(design.wires)) == (COLUMNS * ROWS, WIRES)
    simulation = Simulation(level, design)
    for ns in (FULL_NS, FULL_NS + 50, FULL_NS + 150):
        done = simulation.machine.completed
        assert simulation.run_until(ns) is Stop.UNTIL
        assert len(simulation.packets().wire) >= PACKETS
        assert simulation.machine.completed > done
        before, after = simulation.packets(ns), simulation.packets(ns + 0.1)
        assert (before.position != after.position).mean() > 0.5
