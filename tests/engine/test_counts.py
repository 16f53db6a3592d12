"""Packets per launch, from the graph alone, against what a run counts."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from engine.builder import Builder
from engine.counts import measured, packets_per_launch
from engine.elaborate import elaborate
from engine.machine import Options, Stop
from engine.model import Level
from engine.plain import PlainMachine
from tests.engine.roads import RUNNING_SUM, level, running_sum
from tests.graphs import MOVES, Truth, graph


def grid(**pad: Any) -> Level:
    """Twelve threads in blocks of four, with far too many for an array of ten words."""
    return Level.model_validate(
        {
            "perwatt": 1,
            "id": "t-01-grid",
            "title": "Grid",
            "chapter": "t",
            "brief": "",
            "kernel": {
                "arrays": {"a": {"shape": [10], "data": {"kind": "any"}}, "out": {"shape": [10]}},
                "truth": "out[i] = a[i]",
            },
            "threads": {"block": [4], "grid": [3]},
            "board": {"size": [24, 12]},
            "pads": [
                {"id": "t", "core": "threads", "at": [0, 1], "words": ["index", "thread"], **pad},
                {"id": "a", "core": "load", "at": [0, 5]},
                {"id": "out", "core": "store", "at": [23, 5]},
            ],
            "standby_uw": 1000,
        }
    )


class Row:
    """Cores in a row behind ``t.token``; counts by the id of their source."""

    def __init__(self) -> None:
        self.b = Builder(grid())
        self.at = 1
        self.last = "t.token"

    def put(self, core: str, output: str = "out", **set: Any) -> Row:
        self.at += 2
        handle = self.b.place(core, (self.at, 1), **set)
        self.b.wire(self.last, handle["go" if core == "counter" else "in"])
        self.last = f"{handle}.{output}"
        return self

    def counts(self) -> tuple[list[int], bool]:
        self.b.wire(f"{self.last}[0]", "a.at")
        self.b.wire("a.value", "out.value")
        self.b.wire("a.at", "out.at")
        found = packets_per_launch(elaborate(self.b.level, self.b.design()))
        return [int(n) for n in found.packets[:-2]], found.exact


@pytest.mark.parametrize(
    ("cores", "expected"),
    [
        ([("guard", {"limits": [10, None]})], [12, 10]),
        ([("guard", {"limits": [10, None], "mode": "mark"})], [12, 12]),
        ([("guard", {"limits": [10, None], "mode": "mark"}), ("guard", {"limits": [5, None]})], [12, 12, 7]),
        ([("address", {"words": ["2*w0 + 1"]}), ("guard", {"limits": [10]})], [12, 12, 5]),
        ([("take", {"n": 1, "of": 4}), ("repeat", {"times": 3, "append": True})], [12, 3, 9]),
        ([("skip", {"n": 1, "of": 4})], [12, 9]),
        ([("take", {"n": 1, "of": 6}), ("counter", {"n": 5}), ("guard", {"limits": [4]})], [12, 2, 10, 8]),
        ([("hold", {"n": 2}), ("barrier", {"n": 8})], [12, 24, 24]),
        ([("delay", {"slots": 2, "every": 6, "init": [11, 0]}), ("guard", {"limits": [8, None]})], [12, 12, 6]),
    ],
)
def test_tokens_are_followed_word_by_word(cores: list[tuple[str, dict[str, Any]]], expected: list[int]) -> None:
    row = Row()
    for core, settings in cores:
        row.put(core, **settings)
    assert row.counts() == (expected, True)


def test_a_condition_on_a_thread_number_is_worked_out() -> None:
    row = Row()
    b = row.b
    compare = b.place("compare", (3, 8), op="lt", b=7)
    b.wire("t.token[0]", compare.a)
    switch = b.place("switch", (5, 8))
    b.wire("t.token", switch.in_)
    b.wire(compare.out, switch.cond)
    gate = b.place("gate", (7, 8))
    b.wire(switch.true, gate.in_)
    b.wire(switch.true[1], gate.cond)
    row.last = "gate1.out"
    counts, exact = row.counts()
    # Seven threads have an index under 7; two of them are number 0 of their block.
    assert counts == [12, 12, 12, 7, 7, 5]
    assert exact


def test_ports_that_share_a_wire_take_its_packets_in_turn() -> None:
    row = Row()
    collect = row.b.place("collect", (5, 8), n=2)
    row.b.wire("t.token", collect.i0, collect.i1)
    row.last = "collect1.out"
    assert row.counts() == ([12, 12], True)


def test_a_mux_takes_one_packet_for_condition_and_value() -> None:
    row = Row()
    b = row.b
    mux, relay = b.place("mux", (5, 8)), b.place("relay", (3, 3))
    b.words(mux.cond, 1)
    b.wire("t.token", mux.cond, mux.a)
    b.wire("t.token", relay.in_)
    b.wire(relay.out, mux.b)
    guard = b.place("guard", (9, 8), limits=[6, None])
    b.wire(mux.out, guard.in_)
    row.last = "guard1.out"
    counts, exact = row.counts()
    # Three tokens have thread number 0: there the mux takes the next one from b, which are 0, 1 and 2; of the others
    # 1, 2, 3 and 5 are below 6.
    assert counts == [12, 12, 12, 12, 7]
    assert exact


def test_where_data_decides_all_may_pass() -> None:
    b = Builder(level())
    gate = b.place("gate", (5, 4))
    b.wire("a.value", gate.in_, gate.cond)
    b.wire(gate.out, "out.value")
    found = packets_per_launch(elaborate(b.level, b.design()))
    assert [int(n) for n in found.packets] == [8, 8]
    assert not found.exact


def test_a_loop_is_counted_once_round() -> None:
    found = packets_per_launch(elaborate(RUNNING_SUM, running_sum().design()))
    assert set(found.packets) == {16}
    assert found.exact


def test_random_machines_against_runs() -> None:
    moves = [name for name in MOVES if name not in ("fan_in", "while_loop")]
    compared = 0
    for seed in range(60):
        case = graph(random.Random(seed), size=6, only=moves)
        net = replace(case.net, time_limit_ticks=60_000, warmup=1, measured=2)
        found = packets_per_launch(net)
        machine = PlainMachine(net, Truth(net, case.truth.data, {}), Options())
        if not found.exact or machine.run() is not Stop.WINDOW or not machine.window.period_launches:
            continue
        launches = machine.window.last - machine.window.first + 1
        seen = measured(net, machine.counters(), launches)
        assert seen.packets == found.packets
        assert seen.firings == found.firings
        compared += 1
        if compared == 4:
            return
    raise AssertionError(f"only {compared} machines could be compared")
