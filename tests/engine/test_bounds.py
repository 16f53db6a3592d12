"""The throughput bound and demand rates: the figures of the first levels, and random machines against their runs."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from engine.bounds import Bound, Mark, demand, short_roads, throughput_bound
from engine.builder import Builder
from engine.counts import packets_per_launch
from engine.cycles import critical_cycle
from engine.elaborate import elaborate
from engine.timing import Timing
from tests.engine.ladders import Ladder, pace
from tests.engine.roads import RUNNING_SUM, TWO_ROADS, level, running_sum, two_roads
from tests.engine.test_counts import grid


def bound_of(b: Builder) -> Bound:
    return throughput_bound(elaborate(b.level, b.design()))


@pytest.mark.parametrize(
    ("tiles", "ticks"),
    [
        (7, Fraction(11200, 9)),
        (9, Fraction(11200, 11)),
        (11, Fraction(11200, 13)),
        (13, 800),
        (15, Fraction(16000, 19)),
        (17, Fraction(17600, 19)),
    ],
)
def test_two_roads_of_the_first_chapter(tiles: int, ticks: Fraction) -> None:
    b, _ = two_roads(tiles)
    found = bound_of(b)
    assert found.ticks_per_launch == ticks
    assert found.kind == ("node" if tiles == 13 else "roads")
    if tiles in (9, 17):
        assert pace(TWO_ROADS, b.design())[0] == ticks


@pytest.mark.parametrize(("slots", "ticks"), [(4, Fraction(6000, 7)), (5, 800), (6, 800)])
def test_a_buffer_on_the_short_road(slots: int, ticks: Fraction) -> None:
    b, copy = two_roads()
    b.insert("buffer", copy, slots=slots)
    assert bound_of(b).ticks_per_launch == ticks


@pytest.mark.parametrize(("distance", "loop_ns", "ns_per_word"), [(1, 0.5, 3), (1, 1, 4), (1, 0.25, 2.5), (3, 1, 8)])
def test_a_loop_goes_round_once_per_word(distance: int, loop_ns: float, ns_per_word: float) -> None:
    found = bound_of(running_sum(distance, loop_ns))
    assert found.ticks_per_launch == ns_per_word * 1600
    assert found.kind == "loop"
    assert f"takes {ns_per_word:.2f} ns to go round" in found.sentence


@pytest.mark.parametrize("seed", range(100, 112))
def test_ladders_run_exactly_at_their_bound(seed: int) -> None:
    machine = Ladder(Random(seed), forks=2)
    ticks, net = pace(machine.level, machine.b.design())
    assert throughput_bound(net).ticks_per_launch == ticks


def test_the_ladders_are_bounded_by_all_kinds() -> None:
    found = {
        throughput_bound(elaborate(m.level, m.b.design())).kind for m in (Ladder(Random(s), 2) for s in range(100, 112))
    }
    assert found == {"node", "wire", "roads"}


def test_sentences_name_what_sets_the_pace() -> None:
    b = Builder(level(out={"every_ns": 5}))
    wire = b.wire("a.value", "out.value")
    assert bound_of(b).sentence == "out works once per 5.00 ns, 8 times a launch: a launch per 40.00 ns at most"
    b.speed(wire, every_ns=7)
    assert bound_of(b).sentence == (
        "the wire a.value → out.value takes a word every 7.00 ns, 8 a launch: a launch per 56.00 ns at most"
    )
    b.speed(wire, 0)
    stopped = bound_of(b)
    assert (stopped.rate, stopped.ticks_per_launch, stopped.kind) == (0, None, "wire")
    assert stopped.sentence == "the wire a.value → out.value is stopped: nothing gets past it"
    roads = bound_of(two_roads(9)[0]).sentence
    assert "two roads meet at add1, and the shorter one, a.value → add1.b, holds too few words, 3 short" in roads


# --- demand ----------------------------------------------------------------------------------------------------


def test_demand_is_what_pads_allow_and_forgets_the_wires() -> None:
    b = Builder(level(out={"every_ns": 5}))
    add = b.place("add", (5, 4), b=1)
    b.wire("a.value", add.a, every_ns=9)
    b.wire(add.out, "out.value", every_ns=0.5)
    found = demand(elaborate(b.level, b.design()))
    assert found.ticks_per_launch == 4000
    assert [wire.every_ticks for wire in found.wires] == [500, 500]
    assert [wire.slack for wire in found.wires] == [-400, 450]


def test_demand_keeps_the_present_speed_of_a_loop() -> None:
    net = elaborate(RUNNING_SUM, running_sum(1, 0.5).design())
    found = demand(net)
    assert [wire.mark for wire in found.wires] == [Mark.NONE, Mark.LOOP, Mark.LOOP, Mark.NONE]
    assert {wire.every for wire in found.wires} == {300}


def test_demand_counts_packets() -> None:
    b = Builder(level(out={"every_ns": 2}))
    hold, take = b.place("hold", (3, 4), n=5), b.place("take", (6, 4), n=1, of=5)
    for start, end in (("a.value", hold.in_), (hold.out, take.in_), (take.out, "out.value")):
        b.wire(start, end)
    found = demand(elaborate(b.level, b.design()))
    # hold sends 40 words a launch, one per cycle.
    assert found.ticks_per_launch == 4000
    assert [wire.every_ticks for wire in found.wires] == [500, 100, 500]


def test_a_guard_on_tokens_thins_the_demand() -> None:
    b = Builder(grid())
    guard = b.place("guard", (5, 1), limits=[6, None])
    b.wire("t.token", guard.in_)
    b.wire(guard.out[0], "a.at")
    b.wire("a.value", "out.value")
    b.wire("a.at", "out.at")
    found = demand(elaborate(b.level, b.design()))
    # Twelve tokens every 2 ns, six accesses every 4 ns: both are 24 ns a launch.
    assert found.ticks_per_launch == 2400
    assert [wire.every_ticks for wire in found.wires] == [200, 400, 400, 400]


@pytest.mark.parametrize(("every_ns", "least"), [(0.6, 60), (7, 700)])
def test_the_setting_carries_the_demand_and_the_next_does_not(every_ns: float, least: int) -> None:
    b = Builder(level(words=3, a={"every_ns": every_ns}, out={"every_ns": 0.1}))
    b.wire("a.value", "out.value")
    (wire,) = demand(elaborate(b.level, b.design())).wires
    assert wire.every_ticks == least
    assert wire.every is not None and wire.every_ticks <= wire.every < wire.every_ticks + 1


def test_the_way_from_a_burst_to_the_first_buffer_is_marked() -> None:
    b = Builder(level(a={"burst": [8, 24]}, out={"every_ns": 4}))
    buffer = b.place("buffer", (3, 4), slots=4)
    relay = b.place("relay", (2, 4))
    for start, end in (("a.value", relay.in_), (relay.out, buffer.in_), (buffer.out, "out.value")):
        b.wire(start, end)
    found = demand(elaborate(b.level, b.design()))
    assert [wire.mark for wire in found.wires] == [Mark.BURST, Mark.BURST, Mark.NONE]
    assert found.ticks_per_launch == 3200
    assert [wire.every_ticks for wire in found.wires] == [400, 400, 400]


# --- roads that meet -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tiles", "missing"), [(7, {5: 5}), (9, {5: 3}), (11, {5: 1}), (13, {}), (15, {0: 1}), (17, {0: 3})]
)
def test_the_room_that_a_road_lacks(tiles: int, missing: dict[int, int]) -> None:
    net = elaborate(TWO_ROADS, two_roads(tiles)[0].design())
    assert short_roads(net) == missing
    assert {i: wire.missing for i, wire in enumerate(demand(net).wires) if wire.mark is Mark.ROADS} == missing


@pytest.mark.parametrize("seed", range(100, 130, 3))
def test_the_missing_room_is_enough_and_not_a_word_more(seed: int) -> None:
    machine = Ladder(Random(seed), forks=2)
    net = elaborate(machine.level, machine.b.design())
    missing = short_roads(net)
    goal = _with_room(net, dict.fromkeys(range(len(net.wires)), 10_000))
    assert _with_room(net, missing) == goal
    for wire in missing:
        assert _with_room(net, {**missing, wire: missing[wire] - 1}) > goal


def _with_room(net: Any, room: dict[int, int]) -> Fraction:
    """Ticks per launch with so many more words of room on these wires."""
    ticks, _ = critical_cycle(Timing(net, packets_per_launch(net), room=room))
    assert ticks is not None
    return ticks
