"""The log of what happens: rows by hand, and that it can be had in any pieces, on either engine.

That both engines log the same on random machines is part of tests/differential.py.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

pytest.importorskip("numba")

from engine.bench_models import tree
from engine.kernel import CompiledMachine
from engine.log import FLAGS, INDEX, LAUNCH, LIVE, MASKED, READY, TICK, WHAT, WORDS, What
from engine.machine import Machine, Options, Stop
from engine.netlist import Netlist
from engine.plain import PlainMachine
from tests.differential import Logs
from tests.engine.netlists import Words, array, make, node, wire

ENGINES = (PlainMachine, CompiledMachine)


def tripled(words: int = 2, **more: Any) -> Netlist:
    return make(
        [node("a", "stream", array="a"), node("m", "mul", b=3), node("out", "sink", array="out")],
        [wire("a.value", "m.a"), wire("m.out", "out.value", length=3)],
        [array("a", words), array("out", words, output=True)],
        **more,
    )


def machine(engine: Any, net: Netlist, off: int = -1) -> Machine:
    made: Machine = engine(
        net, Words(net, out=lambda launch, k: 3 * (100 * launch + k + 1) + (launch == off)), Options()
    )
    return made


@pytest.mark.parametrize("engine", ENGINES)
def test_the_first_launch_by_hand(engine: Any) -> None:
    """A word of 1 on a tile of 1 ns, a product after its latency, three tiles, a sink of 1 ns."""
    net = tripled()
    latency = net.nodes[1].latency_ticks
    ours = machine(engine, net)
    logs = Logs(ours)
    ours.run(100 + latency + 300 + net.nodes[2].latency_ticks + 99)
    rows = [row for row in logs.taken().tolist() if row[LAUNCH] == 0 and row[WORDS] in (0, 1, 3)]
    seen = [(row[TICK], What(row[WHAT]).name, row[INDEX], row[READY], row[WORDS]) for row in rows]
    out, at = 100 + latency, 400 + latency
    first = [
        (0, "ENTERED", 0, 0, 1),
        (0, "FIRED", 0, 0, 0),
        (0, "MADE", 0, 0, 1),
        (0, "GONE", 0, 0, 0),
        (100, "LEFT", 0, 100, 1),
        (100, "FIRED", 1, out, 0),
        (100, "MADE", 1, out, 3),
        (out, "ENTERED", 1, out, 3),
        (out, "GONE", 1, out, 0),
        (at, "LEFT", 1, at, 3),
        (at, "FIRED", 2, at + net.nodes[2].latency_ticks, 0),
    ]
    assert set(first) <= set(seen)
    assert all(row[FLAGS] == LIVE for row in rows if row[WHAT] == What.FIRED)
    assert not any(row[FLAGS] & MASKED for row in rows)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_launch_counts_and_a_fault_ends(engine: Any) -> None:
    ours = machine(engine, tripled(), off=2)
    logs = Logs(ours)
    assert ours.run() is Stop.FAULT
    rows = logs.taken().tolist()
    counted = [(row[LAUNCH], row[TICK]) for row in rows if row[WHAT] == What.COUNTED]
    assert counted == list(enumerate(ours.completions().tolist()))
    assert rows[-1][: LAUNCH + 1] == [ours.now, What.FAULT, 2, ours.now, 2]
    assert ours.run() is Stop.FAULT
    assert len(logs.taken()) == 0


@pytest.mark.parametrize("engine", ENGINES)
def test_pieces_are_the_whole(engine: Any) -> None:
    """By runs, by steps, in one go through many fillings of the log, and again from a snapshot."""
    net = tripled(words=1, measured=10**6, time_limit=10**9)
    whole, pieces = machine(engine, net), machine(engine, net)
    everything, parts = Logs(whole), Logs(pieces)
    end = 300_000 if engine is CompiledMachine else 60_000
    assert whole.run(end) is Stop.UNTIL
    assert len(everything.parts) > 1
    pieces.run(1_234)
    kept = pieces.snapshot()
    for _ in range(50):
        pieces.step()
    between = parts.taken()
    pieces.restore(kept)
    for until in (1_234, 5_000, 5_001, end):
        pieces.run(until)
    rows, again = everything.taken(), parts.taken()
    before = between[between[:, TICK] <= 1_234]
    assert np.array_equal(np.concatenate([before, again]), rows)
    assert np.array_equal(between, rows[: len(between)])
    assert np.array_equal(rows[:, TICK], np.sort(rows[:, TICK]))


@pytest.mark.parametrize("engine", ENGINES)
def test_what_is_not_watched_is_not_told(engine: Any) -> None:
    net = tripled(words=1)
    whole, ours = machine(engine, net), machine(engine, net)
    everything = Logs(whole)
    whole.run(5_000)
    ours.run(2_000)
    logs = Logs(ours)
    ours.run(4_000)
    rows, all_rows = logs.taken(), everything.taken()
    ours.watch(None)
    ours.run(5_000)
    assert len(logs.taken()) == 0
    told = (all_rows[:, TICK] > 2_000) & (all_rows[:, TICK] <= 4_000)
    assert np.array_equal(rows, all_rows[told])


def test_a_reset_is_told_from_the_start() -> None:
    ours = CompiledMachine(tripled(), Words(tripled(), out=lambda launch, k: 3 * (100 * launch + k + 1)))  # type: ignore[arg-type]
    logs = Logs(ours)
    ours.run(3_000)
    first = logs.taken()
    ours.reset()
    ours.run(3_000)
    assert np.array_equal(first, logs.taken())


def test_the_log_is_what_is_counted() -> None:
    """Firings, entries and toggles of a tree of adders, from its log alone, are its counters."""
    model = tree(4)
    ours = CompiledMachine(model.netlist, model.workload, Options())
    logs = Logs(ours)
    ours.run(200_000)
    rows = logs.taken()
    counters = ours.counters()
    fired = Counter(rows[rows[:, WHAT] == What.FIRED, INDEX].tolist())
    entered = rows[rows[:, WHAT] == What.ENTERED]
    assert [fired[i] for i in range(len(model.netlist.nodes))] == counters.firings.sum(axis=0).tolist()
    for w in range(len(model.netlist.wires)):
        words = entered[entered[:, INDEX] == w, WORDS].astype(np.uint32)
        assert len(words) == counters.entries[:, w].sum()
        toggled = np.bitwise_count(words ^ np.concatenate([np.zeros(1, np.uint32), words[:-1]])).sum()
        assert toggled == counters.toggles[:, w].sum()
