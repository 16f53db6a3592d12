"""The engine's speed, as ratios taken in one run: against SimPy, against the same loop in C, short against long.

The peers do the very same runs, which is shown first. All ratios come from interleaved rounds.
"""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("numba")
pytest.importorskip("simpy")

from engine.bench import (
    OPTIONS,
    CLoop,
    compile_loop,
    rate_c,
    rate_compiled,
    rate_simpy,
    ticks_for,
)
from engine.bench_models import MODELS, Model, lane_mesh, mesh
from engine.bench_simpy import SimpyModel
from engine.kernel import CompiledMachine

ROUNDS = 5
TIMES_SIMPY = 500
OF_C = 0.8
GROWTH = 1.3
TIMES_LANES = 3
SHORT, MIDDLE, LONG, PEER = 100_000, 400_000, 3_000_000, 20_000


@pytest.fixture(scope="module", params=MODELS)
def model(request: pytest.FixtureRequest) -> Model:
    return MODELS[request.param]()


@pytest.fixture(scope="module")
def library() -> Any:
    found = compile_loop()
    if found is None:
        pytest.skip("no C compiler here")
    return found


def compiled(model: Model, ticks: int) -> CompiledMachine:
    machine = CompiledMachine(model.netlist, model.workload, OPTIONS)
    machine.run(ticks)
    return machine


def test_the_c_loop_does_the_same_run(model: Model, library: Any) -> None:
    """Every counter, clock and queue of the two loops is the same after the run: they share their arrays' layout."""
    ticks = ticks_for(model, MIDDLE)
    ours, theirs = compiled(model, ticks), CLoop(library, model)
    theirs.run(ticks)
    assert ours.events > MIDDLE // 2
    assert ours.completed > 0
    assert (ours.events, ours.completed, ours.issued) == (theirs.events, theirs.completed, theirs.issued)
    assert ours.completions().tolist() == theirs.completions().tolist()
    for name in ("counts", "by_port", "nodes", "wires"):
        assert (getattr(ours._program, name) == getattr(theirs._program, name)).all(), name


def test_simpy_does_the_same_run(model: Model) -> None:
    """All firings, entries and toggled bits."""
    ticks = ticks_for(model, PEER)
    ours, theirs = compiled(model, ticks).counters(), SimpyModel(model)
    theirs.run(ticks)
    assert ours.firings.sum(0).tolist() == theirs.firings
    assert ours.entries.sum(0).tolist() == [belt.entries for belt in theirs.belts]
    assert ours.toggles.sum(0).tolist() == [belt.toggles for belt in theirs.belts]


def best(rates: list[tuple[float, float]]) -> float:
    """The ratio of the two best rates: what else the computer does only ever slows one down."""
    return max(a for a, _ in rates) / max(b for _, b in rates)


def test_many_times_simpy(model: Model) -> None:
    ours, theirs = ticks_for(model, MIDDLE), ticks_for(model, PEER)
    ratio = best([(rate_compiled(model, ours), rate_simpy(model, theirs)) for _ in range(ROUNDS)])
    assert ratio >= TIMES_SIMPY, f"{ratio:.0f} times SimPy"


def test_near_c(model: Model, library: Any) -> None:
    ticks = ticks_for(model, MIDDLE)
    ratio = best([(rate_compiled(model, ticks), rate_c(library, model, ticks)) for _ in range(2 * ROUNDS)])
    assert ratio >= OF_C, f"{ratio:.2f} of the C loop"


def values_per_event(model: Model, lanes: int) -> float:
    """Values that the cells of the mesh make, per event of the whole machine."""
    machine = compiled(model, 20_000)
    cells = [n for n, node in enumerate(model.netlist.nodes) if node.kind == "add"]
    return lanes * int(machine.counters().firings[:, cells].sum()) / machine.events


def test_eight_lanes_move_three_times_as_many_values() -> None:
    scalar, vector = mesh(), lane_mesh(8)
    ticks = [ticks_for(model, MIDDLE) for model in (scalar, vector)]
    gain = values_per_event(vector, 8) / values_per_event(scalar, 1)
    ratio = best([(rate_compiled(vector, ticks[1]), rate_compiled(scalar, ticks[0])) for _ in range(ROUNDS)])
    assert gain * ratio >= TIMES_LANES, f"{gain * ratio:.1f} times as many values per second"


def test_cost_per_event_does_not_grow(model: Model) -> None:
    short, long = ticks_for(model, SHORT), ticks_for(model, LONG)
    ratio = best([(rate_compiled(model, short, repeat=3), rate_compiled(model, long)) for _ in range(ROUNDS)])
    assert ratio <= GROWTH, f"an event costs {ratio:.2f} times as much in a long run"
