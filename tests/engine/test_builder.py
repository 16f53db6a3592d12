"""The builder: what it makes, and what it refuses in which words."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise as pairs

import pytest

from engine.builder import Builder
from engine.elaborate import elaborate
from engine.errors import UsageError
from engine.model import Level
from engine.route import NoRoute
from tests.engine.roads import TWO_ROADS, level, running_sum, two_roads

GRID = Level.model_validate(
    {
        "perwatt": 1,
        "id": "t-01-grid",
        "title": "Grid",
        "chapter": "t",
        "brief": "",
        "kernel": {
            "arrays": {
                "a": {"shape": [2, 4], "data": {"kind": "distinct"}},
                "out": {"shape": [2, 4]},
            },
            "truth": "out[i,j] = a[i,j]",
        },
        "threads": {"block": [2, 2], "grid": [1, 2]},
        "board": {"size": [12, 8], "tracks": 3, "blocked": [[5, 0, 1, 3]]},
        "pads": [
            {"id": "t", "core": "threads", "at": [0, 1], "words": ["index", "thread"]},
            {"id": "a", "core": "load", "at": [0, 5]},
            {"id": "out", "core": "store", "at": [11, 5]},
        ],
        "standby_uw": 1000,
    }
)


def test_a_machine_from_start_to_end() -> None:
    b, copy = two_roads(13)
    design = b.design()
    assert [core.id for core in design.cores] == ["mul1", "sub1", "max1", "mul2", "add1"]
    assert copy.length == 13
    assert design.wires[5].source == "a.value"
    assert design.wires[5].to == ["add1.b"]
    netlist = elaborate(TWO_ROADS, design)
    assert netlist.wires[5].length == 13


def test_the_same_calls_give_the_same_design() -> None:
    assert two_roads(15)[0].design() == two_roads(15)[0].design()


def test_a_finished_design_can_be_gone_on_with() -> None:
    design = two_roads(13)[0].design()
    again = Builder.of(TWO_ROADS, design)
    assert again.design() == design
    assert again.place("buffer", (8, 8), slots=4).id == "buffer1"
    assert again.place("mul", (9, 8), b=4).id == "mul3"


def test_strings_and_handles_name_the_same_ports() -> None:
    b = Builder(GRID)
    t, a, out = b.pad("t"), b.pad("a"), b.pad("out")
    memory = b.place("shared", (7, 4), words=8, ports={"write": 1, "read": 2})
    relay = b.place("relay", (3, 3))
    assert str(t.token[0, 2]) == "t.token[0,2]"
    assert str(memory.read2.at) == "shared1.read2.at"
    assert str(relay.in_) == str(relay["in"]) == "relay1.in"
    line = b.wire(t.token[0, 1], a.at)
    assert b.find("t.token", "a.at") == [line]
    assert b.wire("a.at", "out.at").words == 2
    assert b.wire("a.value", [out.value]).words == 1


def test_one_wire_may_end_at_several_ports_of_a_core() -> None:
    b = Builder(level())
    add = b.place("add", (5, 4))
    wire = b.wire("a.value", add.a, add.b)
    assert wire.spec.to == ["add1.a", "add1.b"]
    other = b.place("add", (8, 4))
    with pytest.raises(UsageError, match="ends at one core"):
        b.wire(add.out, other.a, add.a)


def test_speeds_in_every_form() -> None:
    b = Builder(level(new_wire_speed=0.25))
    relay = b.place("relay", (5, 4))
    first = b.wire("a.value", relay.in_)
    second = b.wire(relay.out, "out.value", every_ns=2.5)
    assert (first.spec.every_ticks, second.spec.every_ticks) == (400, 250)
    for speed, ticks in ((0.5, 200), ("1/3", 300), (Fraction(1, 3), 300), (10, 10), (0, None)):
        b.speed(first, speed)
        assert first.spec.every_ticks == ticks
    b.speed_all(every_ns=4)
    assert {wire.every_ticks for wire in b.design().wires} == {400}


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ({"speed": 11}, "0.0001 to 10 tiles per ns"),
        ({"speed": "fast"}, "give tiles per ns"),
        ({"every_ns": 0.05}, "give 0.1 to 10000 ns"),
        ({"every_ns": 1.234}, "at most two decimals"),
        ({}, "give one of speed"),
        ({"speed": 1, "every_ns": 1}, "give one of speed"),
    ],
)
def test_speeds_that_are_none(form: dict[str, float], text: str) -> None:
    b = Builder(level())
    wire = b.wire("a.value", "out.value")
    with pytest.raises(UsageError, match=text):
        b.speed(wire, **form)  # type: ignore[arg-type]


def test_settings_immediates_and_words() -> None:
    b = Builder(GRID)
    a = b.pad("a", other=0)
    b.words(a.at, 0, "0")
    add = b.place("add", (3, 3), b=10)
    b.immediate(add.b, 12)
    b.set(b.place("buffer", (3, 4), slots=2), slots=5)
    design = b.design()
    assert design.pads["a"]["other"] == 0
    assert design.pads["a"]["at"].words == [0, "0"]  # type: ignore[union-attr]
    assert [core.set for core in design.cores] == [{"b": 12}, {"slots": 5}]
    b.set(a, other=None)
    assert "other" not in b.design().pads["a"]


def test_removing_a_core_takes_its_wires_and_their_tracks() -> None:
    b = running_sum()
    wired = len(b.lines)
    b.remove("delay1")
    assert len(b.lines) == wired - 2
    b.place("mul", (5, 3), b=1)
    for line in list(b.lines):
        b.remove(line)
    assert not any(b._tracks.used)


def test_wide_packets_take_their_tracks_even_if_known_late() -> None:
    b = Builder(GRID)
    relay, guard = b.place("relay", (3, 1)), b.place("guard", (6, 6), limits=[2, 4, None])
    late = b.wire(relay.out, guard.in_)
    assert late.words == 1
    b.wire("t.token", relay.in_)
    assert late.words == 3
    other = b.wire(relay.out[0], guard.in_)
    assert set(pairs(other.tiles)).isdisjoint(pairs(late.tiles))
    with pytest.raises(NoRoute, match=r"the wire relay1\.out → guard1\.in: there is no way .* with 3 free tracks"):
        for _ in range(4):
            b.wire(relay.out, guard.in_)


def test_an_overfull_edge_is_refused_at_the_end() -> None:
    b = Builder(GRID)
    relay, end = b.place("relay", (3, 1)), b.place("relay", (4, 1))
    b.wire(relay.out[0], end.in_, path=[(3, 1), (4, 1)])
    b.wire(relay.out[0, 1, 2], end.in_, path=[(3, 1), (4, 1)])
    with pytest.raises(
        UsageError, match=r"\[3, 1\] and \[4, 1\] there are 4 words on 3 tracks: relay1.out\[0\] → relay2.in"
    ):
        b.design()


def _place_twice(b: Builder) -> None:
    b.place("add", (3, 3), "x")
    b.place("add", (4, 3), "x")


def _place_on_a_wire(b: Builder) -> None:
    b.wire("t.token", "a.at")
    b.place("add", (0, 3))


@pytest.mark.parametrize(
    ("act", "text"),
    [
        (lambda b: b.place("adder", (3, 3)), "no core 'adder' to place: did you mean 'add'"),
        (lambda b: b.place("load", (3, 3)), "no core 'load' to place"),
        (lambda b: b.place("add", (12, 3)), "off the board"),
        (lambda b: b.place("add", (5, 1)), "blocked"),
        (lambda b: b.place("add", (0, 5)), "where a is"),
        (_place_twice, "x exists already"),
        (_place_on_a_wire, r"on the wire t.token → a.at"),
        (lambda b: b.place("add", (3, 3), c=1), "no setting and no input 'c'"),
        (lambda b: b.place("buffer", (3, 3)), "needs slots"),
        (lambda b: b.place("buffer", (3, 3), slots=65), "1 to 64"),
        (lambda b: b.pad("b"), "no core or pad 'b'"),
        (lambda b: b.wire("t.tokens", "a.at"), "no output 'tokens': did you mean 'token'"),
        (lambda b: b.wire("t.token", "a.value"), "no input 'value'"),
        (lambda b: b.wire("t.token", "a"), "write core.port"),
        (lambda b: b.wire("t.token"), "leads nowhere"),
        (lambda b: b.wire("t.token", "a.at", path=[(0, 1), (0, 4)]), "must lead from"),
        (lambda b: b.wire("a.value", "out.value", path=[(0, 5), (0, 0), (11, 0), (11, 5)]), r"passes \[0, 1\]: t"),
        (lambda b: b.wire("t.token", "a.at", length=5), "it is 4 or 6"),
        (lambda b: b.remove("t"), "no core t to remove"),
    ],
)
def test_what_makes_no_sense_is_said(act, text: str) -> None:  # type: ignore[no-untyped-def]
    b = Builder(GRID)
    with pytest.raises(UsageError, match=text):
        act(b)


def test_a_refused_core_leaves_its_tile_free() -> None:
    b = Builder(GRID)
    with pytest.raises(UsageError):
        b.place("buffer", (3, 3))
    b.wire("t.token", "a.at")
    with pytest.raises(UsageError):
        b.place("add", (0, 3))
    assert b.place("buffer", (3, 3), slots=1).id == "buffer1"
