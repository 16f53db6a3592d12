"""Room on the shorter of two roads."""

from __future__ import annotations

from random import Random
from typing import Literal

import pytest

from engine.bounds import short_roads, throughput_bound
from engine.builder import Builder
from engine.elaborate import elaborate
from engine.errors import UsageError
from engine.room import Room
from tests.engine.ladders import Ladder, pace
from tests.engine.roads import TWO_ROADS, level, two_roads


def test_a_detour_that_holds_as_many_words() -> None:
    b, copy = two_roads()
    assert b.room() == [Room("a.value → add1.b", 5, "13 tiles long, before 7")]
    assert copy.length == 13
    assert pace(TWO_ROADS, b.design())[0] == 800
    assert b.room() == []


def test_a_buffer_with_the_fewest_slots() -> None:
    b, _ = two_roads()
    assert b.room(how="buffer") == [Room("a.value → add1.b", 5, "buffer1 has 5 slots")]
    assert pace(TWO_ROADS, b.design())[0] == 800
    b.set("buffer1", slots=4)
    assert pace(TWO_ROADS, b.design())[0] > 800


def test_a_buffer_that_is_there_is_enlarged() -> None:
    b, copy = two_roads()
    b.insert("buffer", copy, slots=2)
    assert [room.done for room in b.room(how="buffer")] == ["buffer1 has 5 slots, before 2"]


def test_a_join_chooses_the_roads() -> None:
    b, _ = two_roads()
    far = Builder.of(TWO_ROADS, b.design())
    assert far.room(join="out") != []
    assert b.room(join="mul1") == []
    assert b.room(join="add1") != []


def test_no_room_for_a_detour_is_said() -> None:
    pads = [{"id": "a", "core": "stream", "at": [0, 0]}, {"id": "out", "core": "sink", "at": [7, 0]}]
    b = Builder(level(board={"size": [8, 2]}, pads=pads))
    first, second, add = b.place("mul", (1, 0), b=1), b.place("mul", (2, 0), b=1), b.place("add", (3, 0))
    for start, end in (("a.value", first.a), (first.out, second.a), (second.out, add.a), ("a.value", add.b)):
        b.wire(start, end)
    for column in range(4, 7):
        b.place("relay", (column, 1))
    b.wire(add.out, "out.value")
    for name in ("relay1", "relay2", "relay3"):
        b.remove(name)
    b.place("relay", (4, 1))
    with pytest.raises(UsageError, match=r"the wire a\.value → add1\.b is 3 short, and there is no room for a detour"):
        b.room()


@pytest.mark.parametrize("how", ["wire", "buffer"])
@pytest.mark.parametrize("seed", [102, 104, 107, 109])
def test_ladders_get_faster(seed: int, how: Literal["wire", "buffer"]) -> None:
    machine = Ladder(Random(seed), forks=2)
    before = throughput_bound(elaborate(machine.level, machine.b.design()))
    done = machine.b.room(how=how)
    after = throughput_bound(elaborate(machine.level, machine.b.design()))
    assert after.rate > before.rate if done else after.rate == before.rate
    if how == "buffer":
        assert short_roads(elaborate(machine.level, machine.b.design())) == {}
