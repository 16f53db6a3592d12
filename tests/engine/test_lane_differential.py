"""The plain and the compiled engine agree to the last bit on random machines with lanes, masks, lines and banks."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

pytest.importorskip("numba")

from engine.bench_models import lane_mesh
from engine.kernel import CompiledMachine, advance
from engine.machine import Machine, Options
from engine.netlist import Netlist
from tests.differential import Mismatch, compare, compiled, describe, difference, finish, plain, view
from tests.draft import scramble
from tests.graphs import Case, Truth
from tests.lane_growth import lane_graph
from tests.lifted import lifted

SEED, GRAPHS = 11, 60
LANE_KINDS = {"switch", "join", "pack", "unpack", "compact", "shuffle", "reduce"}


@pytest.mark.parametrize("grow", [lane_graph, lifted])
def test_engines_agree(grow: Callable[[random.Random], Case]) -> None:
    """Those that grow with lanes mostly work; those that were lifted fault in many ways."""
    kinds: Counter[str] = Counter()
    ends: Counter[str] = Counter()
    lines = banks = 0
    for number in range(GRAPHS):
        case = grow(random.Random(scramble(SEED, number)))
        assert case.net.wide
        try:
            result = compare(case, random.Random(scramble(SEED, number, 1)))
        except Mismatch as found:
            raise AssertionError(f"graph {number}: {found}\n{describe(case)}") from found
        kinds.update(case.kinds)
        ends[result.fault or result.stop] += 1
        lines += any(array.line > 1 for array in case.net.arrays)
        banks += any(memory.banks for memory in case.net.memories)
    assert {kind for kind in LANE_KINDS if not kinds[kind]} == set()
    assert lines >= 0.3 * GRAPHS
    assert banks >= 0.03 * GRAPHS
    assert len(ends) >= 4, ends


def test_a_difference_is_found() -> None:
    """The comparison itself: where one engine is given other steps or masks, it shows."""
    seen = 0
    for number in range(12):
        case = lane_graph(random.Random(scramble(SEED, number)))

        def masked(net: Netlist, truth: Truth, options: Options) -> Machine:
            live = net.token_live
            return compiled(net if live is None else replace(net, token_live=live & ~1), truth, options)

        try:
            compare(case, random.Random(number), (plain, masked))
        except Mismatch:
            seen += 1
    assert seen >= 6


@pytest.mark.parametrize("lanes", [2, 8])
def test_the_mesh_of_the_bench(lanes: int) -> None:
    model = lane_mesh(lanes, 3)
    machines = [engine(model.netlist, model.workload, Options(period_search=False)) for engine in (plain, compiled)]
    for machine in machines:
        machine.run(12_000)
        assert machine.fault is None
        assert machine.completed > 2
    assert difference(view(machines[0]), view(machines[1]), "at the end") is None


def test_one_lane_runs_the_old_code() -> None:
    """Where a machine is not wide the loop has None for lanes; for all that are wide it is compiled once more."""
    model = lane_mesh(1, 2)
    CompiledMachine(model.netlist, model.workload).run(1000)
    for lanes in (2, 4):
        model = lane_mesh(lanes, 2)
        CompiledMachine(model.netlist, model.workload).run(1000)
    signatures = advance.signatures  # type: ignore[attr-defined]
    plainly = [signature for signature in signatures if str(signature[-2]) == "none"]
    assert sorted(str(signature[-1]) == "none" for signature in plainly) == [False, True]


def test_another_speed() -> None:
    """A machine with lanes that is given another speed runs as a new one does, bits that come late as well."""
    late = 0
    for number in range(25):
        rng = random.Random(scramble(SEED, number, 7))
        case = lifted(rng)
        w = rng.randrange(len(case.net.wires))
        retimed = CompiledMachine(case.net, case.truth, case.options)  # type: ignore[arg-type]
        retimed.run(2000)
        retimed.retime(w, rng.choice([10, 20, 60, 300]))
        made = CompiledMachine(retimed.netlist, case.truth, case.options)  # type: ignore[arg-type]
        seen = finish(retimed)[1]
        assert difference(seen, finish(made)[1], f"graph {number}, wire {w}") is None
        late += bool(made.late_words())
    assert late
