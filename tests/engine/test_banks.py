"""Banks of a shared memory: where cells are, how long an access takes, and which port goes first."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.board import check_board
from engine.elaborate import elaborate
from engine.errors import InvalidError
from engine.log import What
from engine.machine import Options, Stop
from engine.netlist import Memory, Netlist
from engine.plain import PlainMachine
from engine.plain.banks import Banks
from engine.score import measure
from tests.engine.machines import core, design, streams
from tests.engine.netlists import Words, array, make, node, wire


def memory(words: int = 64, banks: int = 8, row: int = 0, pad: int = 0) -> Memory:
    return Memory(0, words, 1, 64, banks, row, pad)


def test_places_and_cycles() -> None:
    # 8 x 8 cells, column 3: cells 3, 11, 19 ... are all in bank 3; a cell unused after each row moves each one on.
    column = [8 * row + 3 for row in range(8)]
    assert Banks(memory()).cycles(column) == {3: 8}
    assert Banks(memory(row=8, pad=1)).cycles(column) == {(3 + row) % 8: 1 for row in range(8)}
    # A memory of 9 banks has the same effect: 3, 11 mod 9 = 2, 19 mod 9 = 1, ...
    assert set(Banks(memory(banks=9)).cycles(column).values()) == {1}
    # Rows are free of conflicts either way, and a cell that all lanes read is one.
    assert set(Banks(memory(row=8, pad=1)).cycles(range(8, 16)).values()) == {1}
    assert Banks(memory()).cycles([5, 5, 5, 13]) == {5: 2}


def test_who_goes_first() -> None:
    banks = Banks(memory(banks=2))
    banks.take(0, 7, {0: 3, 1: 1}, 100)
    assert banks.free == [300, 100]
    assert banks.try_at(10, 2, [0]) == 300  # bank 0 is busy
    assert banks.try_at(20, 1, [0, 1]) == 300  # so it is for this one, which has waited for less long
    assert banks.try_at(300, 1, [0, 1]) == 301, "node 2 goes first, and its bank is free"
    assert banks.try_at(300, 2, [0]) == 300
    banks.take(300, 2, {0: 1}, 100)
    assert banks.try_at(301, 1, [0, 1]) == 400
    # A newcomer for a bank that is free does not wait for one that cannot start yet.
    assert banks.try_at(350, 0, [1]) == 350
    assert banks.try_at(400, 1, [0, 1]) == 400


def test_equal_waits_go_by_netlist_order() -> None:
    banks = Banks(memory(banks=1))
    banks.take(0, 9, {0: 1}, 100)
    assert [banks.try_at(50, n, [0]) for n in (4, 3)] == [100, 100]
    assert banks.try_at(100, 4, [0]) == 101
    assert banks.try_at(100, 3, [0]) == 100


def two_reads(banks: int) -> Netlist:
    """After a barrier two ports read, at 1 word/ns: cells 0, 1 ... 7 at one, 7, 6 ... 0 at the other."""
    return make(
        [
            node("t", "threads", interval=100),
            node("m", "shared", words=8, reads=16, ports={"write": 1, "read": 2}, banks=banks),
            node("b", "barrier", n=8),
            node("forth", "address", words=((0, (1,)),)),
            node("back", "address", words=((7, (-1,)),)),
            node("q", "buffer", slots=8),
            node("q2", "buffer", slots=8),
            node("q3", "buffer", slots=8),
            node("q4", "buffer", slots=8),
            node("sum", "add"),
            node("s", "sink", array="out"),
        ],
        [
            wire("t.token", "m.write.at", "m.write.value"),
            wire("m.write.done", "b.in"),
            wire("b.out", "forth.in"),
            wire("b.out", "back.in"),
            wire("forth.out", "q.in"),
            wire("back.out", "q2.in"),
            wire("q.out", "m.read.at"),
            wire("q2.out", "m.read2.at"),
            wire("m.read.value", "q3.in"),
            wire("m.read2.value", "q4.in"),
            wire("q3.out", "sum.a"),
            wire("q4.out", "sum.b"),
            wire("sum.out", "s.value"),
        ],
        [array("out", 8, output=True)],
        tokens=[(k,) for k in range(8)],
    )


def firings(net: Netlist) -> dict[str, list[int]]:
    """When the two ports read for launch 0, from the first of them on."""
    rows: list[NDArray[np.int64]] = []
    machine = PlainMachine(net, Words(net, out=lambda n, k: 7))  # type: ignore[arg-type]
    machine.watch(rows.append)
    assert machine.run() is Stop.WINDOW
    names = {i: n.id for i, n in enumerate(net.nodes) if n.kind == "shared.read"}
    found: dict[str, list[int]] = {name: [] for name in names.values()}
    for tick, what, index, _, launch in np.concatenate(rows)[:, :5].tolist():
        if what == What.FIRED and index in names and launch == 0:
            found[names[index]].append(tick)
    first = min(ticks[0] for ticks in found.values())
    return {name: [(tick - first) / 100 for tick in ticks] for name, ticks in found.items()}


def test_ports_wait_for_each_others_banks() -> None:
    # No banks, or cells k and 7 - k in different ones of eight: both read every ns.
    for banks in (0, 8):
        assert firings(two_reads(banks)) == {"m.read": list(range(8)), "m.read2": list(range(8))}
    # One bank: the longer waiting port goes first, so they take turns.
    assert firings(two_reads(1)) == {"m.read": list(range(0, 16, 2)), "m.read2": list(range(1, 16, 2))}
    # Seven banks: cells 0 and 7 meet at once, so the second port is one word behind; then both want cell 4.
    assert firings(two_reads(7)) == {"m.read": list(range(8)), "m.read2": [1, 2, 3, 5, 6, 7, 8, 9]}


def test_a_scalar_pays_as_before() -> None:
    """A port that waits pays nothing for it: control and operation are those of a memory without banks."""
    for banks in (0, 1, 8):
        machine = PlainMachine(two_reads(banks), Words(two_reads(banks), out=lambda n, k: 7))  # type: ignore[arg-type]
        assert machine.run() is Stop.WINDOW
        counters = machine.counters()
        assert (counters.work is None) == (banks == 0)
        measured = measure(machine.netlist, counters, 8, 1000, False)
        port = machine.netlist.nodes.index(next(n for n in machine.netlist.nodes if n.kind == "shared.read"))
        assert measured.nodes.controls[port] == measured.nodes.work[port] == 8 * 8


def test_snapshots_hold_who_waits() -> None:
    net = two_reads(1)
    machine = PlainMachine(net, Words(net, out=lambda n, k: 7), Options(digests=True))  # type: ignore[arg-type]
    machine.run(2500)
    kept = machine.snapshot()
    assert machine.run() is Stop.WINDOW
    before = machine.digests().tolist(), machine.now
    machine.restore(kept)
    assert machine.run() is Stop.WINDOW
    assert (machine.digests().tolist(), machine.now) == before


def test_padding_is_for_levels_with_banks() -> None:
    plain = streams(4)
    memory = core("m", "shared", (4, 4), words=16, reads=4, row=8, pad=1)
    with pytest.raises(InvalidError) as found:
        elaborate(plain, design([memory], []))
    told = {problem.where: problem.message for problem in found.value.problems if problem.code == "not-offered"}
    assert sorted(told) == ["cores[0].set.pad", "cores[0].set.row"]
    assert "in this level a memory has none" in told["cores[0].set.pad"]
    plain.banks = 4
    with pytest.raises(InvalidError) as found:
        elaborate(plain, design([memory], []))
    assert not [problem for problem in found.value.problems if problem.code == "not-offered"]


def test_a_limit_by_thread_needs_threads_and_an_array() -> None:
    level = streams(4, limits={"words": {"nobody": 1}, "words_per_thread": {"s": 1}})
    told = [(problem.code, problem.where) for problem in check_board(level)]
    assert ("unknown-array", "limits.words.nobody") in told
    assert ("no-grid", "limits.words_per_thread") in told
