"""What is known of words before a run: where data decides about packets, and which words are floats."""

from __future__ import annotations

from typing import Any

import pytest

from engine.elaborate import check_design, elaborate
from engine.model import Design, Level
from tests.engine.machines import core, design, level, wire

# --- data ----------------------------------------------------------------------------------------------------


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


# --- int32 and float32 -----------------------------------------------------------------------------------------


def mixed_level() -> Level:
    """Floats ``a``, an index ``p`` into them, and floats ``out``."""
    return level(
        {
            "a": {"shape": [8], "dtype": "float32", "data": {}},
            "p": {"shape": [8], "data": {"kind": "permutation", "low": 0, "high": 7}},
            "out": {"shape": [8], "dtype": "float32"},
        },
        [
            {"id": "t", "core": "threads", "at": [0, 1], "words": ["block", "local"]},
            {"id": "p", "core": "load", "at": [0, 3]},
            {"id": "a", "core": "load", "at": [0, 5]},
            {"id": "out", "core": "store", "at": [15, 4]},
        ],
        threads={"block": [4], "grid": [2]},
    )


def gather(*cores: dict[str, Any], **ends: str) -> Design:
    """out[i] = a[p[i]]: the index is computed, p is read, then a, with cores between."""
    return design(
        [core("times", "mul", (3, 1), b=4, dtype="int32"), core("sum", "add", (6, 1), dtype="int32"), *cores],
        [
            wire("t.token[0]", "times.a", (0, 1), (3, 1)),
            wire("times.out", "sum.a", (3, 1), (6, 1)),
            wire("t.token[1]", "sum.b", (0, 1), (0, 0), (6, 0), (6, 1)),
            wire("sum.out", "p.at", (6, 1), (6, 2), (0, 2), (0, 3)),
            wire("p.value", "a.at", (0, 3), (0, 5)),
            wire(ends.get("value", "a.value"), "out.value", (0, 5), (15, 5), (15, 4)),
            wire("p.at", "out.at", (0, 3), (14, 3), (14, 4), (15, 4)),
        ],
    )


def test_whole_numbers_and_floats_on_one_board() -> None:
    assert check_design(mixed_level(), gather()) == []


def test_index_arithmetic_in_a_level_of_floats_needs_its_dtype() -> None:
    machine = gather()
    del machine.cores[1].set["dtype"]
    assert [(p.code, p.where, p.message) for p in check_design(mixed_level(), machine)] == [
        (
            "word-kind",
            "wires[1].to",
            "sum.a gets a word of int32 from times.out and takes float32: "
            "set dtype: int32 for sum, or wire it from a word of float32",
        ),
    ]


def test_a_bitwise_core_may_take_and_give_either() -> None:
    """The sign of a float is its highest bit."""
    machine = gather(core("clear", "and", (8, 7), b=2**31 - 1))
    machine.wires[5] = machine.wires[5].model_validate(wire("a.value", "clear.a", (0, 5), (0, 7), (8, 7)))
    machine.wires.append(machine.wires[5].model_validate(wire("clear.out", "out.value", (8, 7), (15, 7), (15, 4))))
    assert check_design(mixed_level(), machine) == []


@pytest.mark.parametrize(("low", "found"), [("t.token[1]", ["word-kind"]), ("a.value", [])])
def test_select_gives_what_it_takes_whatever_its_condition(low: str, found: list[str]) -> None:
    start = (0, 1) if low.startswith("t") else (0, 5)
    machine = gather(core("pick", "select", (8, 7), cond=1))
    machine.wires[5] = machine.wires[5].model_validate(
        wire(low, ["pick.a", "pick.b"], start, (1, start[1]), (1, 7), (8, 7))
    )
    machine.wires.append(machine.wires[5].model_validate(wire("pick.out", "out.value", (8, 7), (15, 7), (15, 4))))
    assert [p.code for p in check_design(mixed_level(), machine)] == found


def test_a_shared_memory_keeps_the_kind_of_its_words() -> None:
    machine = design(
        [core("m", "shared", (6, 5), words=4)],
        [
            wire("t.token[1]", "m.write.at", (0, 1), (6, 1), (6, 5)),
            wire("a.value", "m.write.value", (0, 5), (6, 5)),
            wire("t.token[1]", "a.at", (0, 1), (1, 1), (1, 4), (0, 4), (0, 5)),
            wire("m.write.done", "m.read.at", (6, 5), (6, 6), (7, 6), (7, 5), (6, 5)),
            wire("m.read.value", "out.value", (6, 5), (15, 5), (15, 4)),
            wire("m.read.value", "out.at", (6, 5), (6, 4), (15, 4)),
        ],
    )
    assert [p.message for p in check_design(mixed_level(), machine)] == [
        "out.at gets a word of float32 from m.read.value and takes int32: wire it from a word of int32"
    ]
