"""Loops that can start and loops that cannot; where data decides which way packets go."""

from __future__ import annotations

from typing import Any

import pytest

from engine.elaborate import check_design, elaborate
from engine.model import Design, Level
from tests.engine.machines import core, design, level, streams, wire


def loop(*cores: dict[str, Any], back: str, first: str = "sum.a") -> Design:
    """A stream into ``first``, ``sum`` to the sink, and ``sum`` → ``r`` → ``back``."""
    return design(
        [*cores, core("r", "relay", (8, 6))],
        [
            wire("s.value", first, (0, 4), (6, 4)),
            wire("sum.out", "out.value", (6, 4), (15, 4)),
            wire("sum.out", "r.in", (6, 4), (7, 4), (7, 6), (8, 6)),
            wire("r.out", back, (8, 6), (8, 7), (6, 7), (6, 4)),
        ],
    )


def codes(machine: Design, board: Level | None = None) -> list[str]:
    return [p.code for p in check_design(board or streams(), machine)]


def test_an_adder_that_waits_for_its_own_sum_never_starts() -> None:
    assert codes(loop(core("sum", "add", (6, 4)), back="sum.b")) == ["loop-without-token"]


def test_a_delay_gives_a_loop_its_first_packet() -> None:
    machine = design(
        [core("sum", "add", (6, 4)), core("d", "delay", (6, 6), slots=1, every=8)],
        [
            wire("s.value", "sum.a", (0, 4), (6, 4)),
            wire("sum.out", "d.in", (6, 4), (7, 4), (7, 6), (6, 6)),
            wire("d.out", "sum.b", (6, 6), (5, 6), (5, 5), (6, 5), (6, 4)),
            wire("sum.out", "out.value", (6, 4), (15, 4)),
        ],
    )
    assert codes(machine) == []


def test_a_port_with_two_wires_starts_with_the_one_from_outside() -> None:
    assert codes(loop(core("sum", "relay", (6, 4)), first="sum.in", back="sum.in")) == []


@pytest.mark.parametrize(("cond", "found"), [(1, []), (0, ["loop-without-token"])])
def test_a_mux_waits_for_the_side_that_its_immediate_chooses(cond: int, found: list[str]) -> None:
    assert codes(loop(core("sum", "mux", (6, 4), cond=cond), back="sum.b")) == found


def test_collect_waits_for_its_first_input_only() -> None:
    assert codes(loop(core("sum", "collect", (6, 4), n=2), first="sum.i0", back="sum.i1")) == []
    assert codes(loop(core("sum", "collect", (6, 4), n=2), first="sum.i1", back="sum.i0")) == ["loop-without-token"]


@pytest.mark.parametrize(("ahead", "found"), [(1, []), (0, ["loop-without-token"])])
def test_a_barrier_lets_rounds_pass_before_the_first_arrival(ahead: int, found: list[str]) -> None:
    bar = core("sum", "barrier", (6, 4), n=4, ahead=ahead)
    assert codes(loop(bar, first="sum.in", back="sum.arrive")) == found


def test_every_loop_is_named_once_in_the_order_of_its_wires() -> None:
    machine = design(
        [core(f"{a}{n}", "add", (3 + 4 * (a == "y"), n)) for a in "xy" for n in (1, 3)],
        [
            wire("s.value", "out.value", (0, 4), (15, 4)),
            *(
                w
                for a, x in (("x", 3), ("y", 7))
                for w in (
                    wire(f"{a}3.out", [f"{a}1.a", f"{a}1.b"], (x, 3), (x, 1)),
                    wire(f"{a}1.out", [f"{a}3.a", f"{a}3.b"], (x, 1), (x + 1, 1), (x + 1, 3), (x, 3)),
                )
            ),
        ],
    )
    found = check_design(streams(), machine)
    assert [p.message.split(":")[0] for p in found] == [
        "x1 and x3 wait for each other in a ring",
        "y1 and y3 wait for each other in a ring",
    ]


# --- data dependence -----------------------------------------------------------------------------------------


def threads_level() -> Level:
    return level(
        {"a": {"shape": [8], "data": {}}, "out": {"shape": [8]}},
        [
            {"id": "t", "core": "threads", "at": [0, 1], "words": ["index", "local"]},
            {"id": "a", "core": "load", "at": [0, 4]},
            {"id": "out", "core": "store", "at": [15, 4]},
        ],
        threads={"block": [4], "grid": [2]},
    )


def steered(cores: list[dict[str, Any]], *between: dict[str, Any]) -> Design:
    """Map on 8 threads, with more ``cores`` and wires."""
    return design(
        cores,
        [
            wire("t.token[0]", "a.at", (0, 1), (0, 4)),
            wire("a.value", "out.value", (0, 4), (15, 4)),
            wire("a.at", "out.at", (0, 4), (0, 6), (15, 6), (15, 4)),
            *between,
        ],
    )


def dependent(machine: Design, board: Level | None = None) -> bool:
    board = board or threads_level()
    assert not [p for p in check_design(board, machine) if p.severity == "error"]
    return elaborate(board, machine).data_dependent


def test_a_guard_on_the_index_is_no_matter_of_data() -> None:
    guard = core("g", "guard", (6, 2), limits=[8, None])
    assert not dependent(steered([guard], wire("t.token", "g.in", (0, 1), (6, 1), (6, 2))))


def test_a_guard_looks_at_its_limited_words_only() -> None:
    for limits, found in (([8, None], False), ([None, 8], True)):
        cores = [core("j", "tuple", (6, 2)), core("g", "guard", (9, 2), limits=limits)]
        machine = steered(
            cores,
            wire("t.token[0]", "j.a", (0, 1), (6, 1), (6, 2)),
            wire("a.value", "j.b", (0, 4), (1, 4), (1, 2), (6, 2)),
            wire("j.out", "g.in", (6, 2), (9, 2)),
        )
        assert dependent(machine) is found


def test_a_constant_or_a_counted_word_is_no_data() -> None:
    for word, found in ((0, True), (1, False), ("1", False)):
        cores = [
            core("r", "repeat", (6, 2), times=2, append=True),
            core("g", "gate", (9, 2), cond={"words": [word]}),
        ]
        machine = steered(
            cores,
            wire("a.value", "r.in", (0, 4), (1, 4), (1, 2), (6, 2)),
            wire("r.out", ["g.in", "g.cond"], (6, 2), (9, 2)),
        )
        assert dependent(machine) is found


def test_data_is_followed_through_arithmetic_and_loops() -> None:
    cores = [
        core("sum", "add", (6, 2)),
        core("d", "delay", (6, 1), slots=1, every=8),
        core("c", "compare", (9, 2), op="lt", b=3),
        core("sw", "switch", (12, 2)),
    ]
    source = wire("a.value", "sum.a", (0, 4), (1, 4), (1, 2), (6, 2))
    harmless = wire("t.token[1]", "sum.a", (0, 1), (1, 1), (1, 2), (6, 2))
    rest = [
        wire("sum.out", "d.in", (6, 2), (7, 2), (7, 1), (6, 1)),
        wire("d.out", "sum.b", (6, 1), (5, 1), (5, 2), (6, 2)),
        wire("sum.out", "c.a", (6, 2), (9, 2)),
        wire("c.out", ["sw.cond", "sw.in"], (9, 2), (12, 2)),
    ]
    assert dependent(steered(cores, source, *rest))
    assert not dependent(steered(cores, harmless, *rest))


@pytest.mark.parametrize("from_data", [True, False])
def test_data_is_followed_through_a_shared_memory(from_data: bool) -> None:
    value = (
        wire("a.value", "m.write.value", (0, 4), (1, 4), (1, 2), (6, 2))
        if from_data
        else wire("t.token[1]", "m.write.value", (0, 1), (0, 0), (6, 0), (6, 2))
    )
    machine = steered(
        [core("m", "shared", (6, 2), words=4), core("k", "accumulate", (12, 2), n=4)],
        wire("t.token[1]", "m.write.at", (0, 1), (6, 1), (6, 2)),
        value,
        wire("m.write.done", "m.read.at", (6, 2), (7, 2), (7, 3), (6, 3), (6, 2)),
        wire("m.read.value", "k.last", (6, 2), (12, 2)),
        wire("m.read.at", "k.in", (6, 2), (6, 3), (12, 3), (12, 2)),
    )
    assert dependent(machine) is from_data


def test_a_mux_decides_by_its_condition_not_by_its_data() -> None:
    for cond, found in (("t.token[1]", False), ("a.value", True)):
        other = wire(cond, "x.cond", *(((0, 1), (6, 1), (6, 2)) if "t" in cond else ((0, 4), (6, 4), (6, 2))))
        machine = steered(
            [core("x", "mux", (6, 2), b=0)],
            wire("a.value", "x.a", (0, 4), (1, 4), (1, 2), (6, 2)),
            other,
        )
        assert dependent(machine) is found
