"""Match: demand rates, what is left alone, and that it never does harm."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from engine.bounds import Mark, demand, throughput_bound
from engine.builder import Builder
from engine.counts import packets_per_launch
from engine.elaborate import elaborate
from engine.errors import UsageError
from engine.match import match, matched_speeds
from engine.model import Design, Level
from engine.netlist import Netlist
from tests.engine.ladders import Ladder, pace
from tests.engine.roads import RUNNING_SUM, level, running_sum, two_roads
from tests.graphs import graph


def _ticks(design: Design) -> list[int | None]:
    return [wire.every_ticks for wire in design.wires]


def in_step() -> tuple[Level, Builder]:
    """Level 2 of the first chapter: the sink sets the pace."""
    machine = level(words=4, truth="out[t] = a[t] + 10", a={"every_ns": 2}, out={"every_ns": 5})
    b = Builder(machine)
    add = b.place("add", (6, 4), b=10)
    b.wire("a.value", add.a)
    b.wire(add.out, "out.value")
    return machine, b


def test_every_wire_takes_the_pace_of_the_slowest() -> None:
    machine, b = in_step()
    design = b.design()
    result, skipped = match(machine, design)
    assert _ticks(result) == [500, 500]
    assert skipped == []
    assert _ticks(design) == [100, 100]


def test_only_the_chosen_wires_are_set() -> None:
    machine, b = in_step()
    result, _ = match(machine, b.design(), [1])
    assert _ticks(result) == [100, 500]
    with pytest.raises(UsageError, match="there is no wire 2: the design has 2"):
        match(machine, b.design(), [2])


def test_a_loop_is_left_alone_and_sets_the_others() -> None:
    result, skipped = match(RUNNING_SUM, running_sum(1, 0.5).design())
    assert _ticks(result) == [300, 50, 50, 300]
    assert [(wire.wire, wire.mark) for wire in skipped] == [(1, Mark.LOOP), (2, Mark.LOOP)]
    assert skipped[0].id == "add1.out → delay1.in"


def test_matching_a_slow_loop_again_and_again_does_not_slow_it() -> None:
    design = running_sum(3, 1).design()
    for _ in range(3):
        design, _ = match(RUNNING_SUM, design)
    assert _ticks(design) == [800, 100, 100, 800]


def test_a_burst_is_left_alone_up_to_its_buffer() -> None:
    machine = level(a={"burst": [8, 24]}, out={"every_ns": 4})
    b = Builder(machine)
    buffer = b.place("buffer", (1, 4), slots=4)
    b.wire("a.value", buffer.in_)
    b.wire(buffer.out, "out.value")
    result, skipped = match(machine, b.design())
    assert _ticks(result) == [100, 400]
    assert [(wire.wire, wire.mark) for wire in skipped] == [(0, Mark.BURST)]


def test_a_stopped_wire_runs_only_when_it_is_meant() -> None:
    machine, b = in_step()
    b.speed(b.lines[0], 0)
    result, skipped = match(machine, b.design())
    assert _ticks(result) == [None, 500]
    assert [(wire.wire, wire.mark) for wire in skipped] == [(0, Mark.STOPPED)]
    result, skipped = match(machine, b.design(), [0])
    assert _ticks(result) == [500, 100]
    assert skipped == []


def test_roads_that_would_become_too_long_keep_their_speed() -> None:
    b, _ = two_roads(7, every_ns=0.5)
    before = throughput_bound(elaborate(b.level, b.design()))
    skipped = b.match()
    assert throughput_bound(elaborate(b.level, b.design())).rate >= before.rate
    assert {wire.mark for wire in skipped} == {Mark.ROADS}
    assert b.lines[6].spec.every_ticks == 100
    # With room enough on the short road nothing stands against the demand rate.
    b, _ = two_roads(13, every_ns=0.5)
    assert b.match() == []
    assert {line.spec.every_ticks for line in b.lines} == {100}


def test_a_builder_matches_some_of_its_wires() -> None:
    _, b = in_step()
    b.match([b.lines[0]])
    assert [line.spec.every_ticks for line in b.lines] == [500, 100]


@pytest.mark.parametrize("seed", range(200, 208))
def test_no_wire_keeps_its_speed_without_need(seed: int) -> None:
    machine = Ladder(Random(seed), forks=2)
    machine.b.speed_all(every_ns=0.3)
    net = elaborate(machine.level, machine.b.design())
    before = throughput_bound(net).rate
    speeds, skipped = matched_speeds(net)
    for wire in skipped:
        slower = {**speeds, wire.wire: demand(net).wires[wire.wire].every_ticks or 0}
        assert throughput_bound(_with(net, slower)).rate < before
    assert throughput_bound(_with(net, speeds)).rate >= before


@pytest.mark.parametrize("seed", range(200, 208))
def test_ladders_are_no_slower_for_it_and_do_not_change_again(seed: int) -> None:
    machine = Ladder(Random(seed), forks=2)
    design = machine.b.design()
    before = throughput_bound(elaborate(machine.level, design)).rate
    once, skipped = match(machine.level, design)
    assert throughput_bound(elaborate(machine.level, once)).rate >= before
    assert match(machine.level, once) == (once, skipped)
    assert pace(machine.level, once)[0] <= 1 / before


def test_random_machines_keep_their_bound_and_do_not_change_again() -> None:
    slowed = 0
    for seed in range(24):
        net = graph(Random(seed), size=4 + seed % 12).net
        counts = packets_per_launch(net)
        before = throughput_bound(net, counts).rate
        speeds, skipped = matched_speeds(net)
        once = _with(net, speeds)
        assert throughput_bound(once, counts).rate >= before
        again, skipped_again = matched_speeds(once)
        assert _with(once, again) == once
        assert skipped_again == skipped
        slowed += any(ticks > net.wires[wire].every_ticks > 0 for wire, ticks in speeds.items())
    assert slowed > 10


def _with(net: Netlist, speeds: dict[int, int]) -> Netlist:
    wires = tuple(replace(wire, every_ticks=speeds.get(i, wire.every_ticks)) for i, wire in enumerate(net.wires))
    return replace(net, wires=wires)


def test_measured_counts_thin_the_demand_where_data_decides() -> None:
    machine = level(words=8, truth="out[t] = a[t]")
    b = Builder(machine)
    gate, hold = b.place("gate", (4, 4)), b.place("hold", (8, 4), n=2)
    compare = b.place("compare", (3, 2), op="lt", b=50)
    b.wire("a.value", gate.in_, length=10)
    b.wire("a.value", compare.a)
    b.wire(compare.out, gate.cond)
    b.wire(gate.out, hold.in_)
    b.wire(hold.out, "out.value")
    net = elaborate(machine, b.design())
    whole = packets_per_launch(net)
    assert not whole.exact
    # hold sends 16 words a launch if all pass, and 8 if half of them do.
    assert matched_speeds(net)[0] == {0: 200, 1: 200, 2: 200, 3: 200, 4: 100}
    packets = tuple(n / 2 if i in (3, 4) else n for i, n in enumerate(whole.packets))
    firings = tuple(
        n / 2 if node.id in ("hold1", "out") else n for node, n in zip(net.nodes, whole.firings, strict=True)
    )
    half = replace(whole, packets=packets, firings=firings, exact=True)
    assert matched_speeds(net, counts=half)[0] == {0: 100, 1: 100, 2: 100, 3: 200, 4: 100}
