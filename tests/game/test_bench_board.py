"""The large machine of the benchmarks is what it says: it runs, full of packets, and makes no mistake."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time, thread_time

import pytest

from engine.machine import Stop
from engine.simulation import Simulation
from game.bench import play
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


def quickest(work: Callable[[], object], clock: Callable[[], float] = process_time, rounds: int = 5) -> float:
    spent = []
    for _ in range(rounds):
        began = clock()
        work()
        spent.append(clock() - began)
    return min(spent)


def test_a_state_costs_what_is_looked_at() -> None:
    simulation = Simulation(large_level(), large_design())
    simulation.run_until(FULL_NS)

    def whole() -> int:
        state = simulation.state()
        return len(tuple(state.nodes)) + len(tuple(state.wires))

    assert 10 * quickest(lambda: simulation.state().nodes[7]) < quickest(whole)


def test_a_frame_that_plays_costs_little_more_than_one_that_stands_still() -> None:
    with play.workbench() as (app, bench):
        playback = bench.session.playback
        playback.seek(round(FULL_NS * 100))
        app.frame(play.FRAME_S)
        still = quickest(lambda: app.frame(play.FRAME_S), thread_time, 10)
        playback.playing = True
        playing = quickest(lambda: app.frame(play.FRAME_S), thread_time, 10)
        assert playback.playing
    assert playing < 3 * still
