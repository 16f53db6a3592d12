"""Netlists checked by hand, field by field, against the figures of the catalogue and the technology."""

from __future__ import annotations

import struct
from dataclasses import replace
from itertools import pairwise
from time import process_time

import numpy as np
import pytest

from engine.elaborate import check_design, elaborate, retime
from engine.errors import InvalidError
from engine.model import Design, Level
from engine.netlist import Array, Element, InPort, Memory, Netlist, Node, OutPort, Wire, WordPick
from tests.engine.machines import core, design, level, streams, wire

W0, W1, W2 = (WordPick(False, n) for n in range(3))


def no_problems(board: Level, machine: Design) -> Netlist:
    assert check_design(board, machine) == []
    return elaborate(board, machine)


def map_level(memory: str = "near") -> Level:
    return level(
        {"a": {"shape": [4], "memory": memory, "data": {}}, "out": {"shape": [4], "memory": memory}},
        [
            {"id": "t", "core": "threads", "at": [0, 1], "words": ["index"]},
            {"id": "a", "core": "load", "at": [0, 4]},
            {"id": "out", "core": "store", "at": [11, 2]},
        ],
        size=(12, 6),
        threads={"block": [4], "grid": [1]},
        standby_uw=2000,
    )


def map_design() -> Design:
    return design(
        [core("add1", "add", (6, 4), b=10)],
        [
            wire("t.token", "a.at", (0, 1), (0, 4), every_ns=4),
            wire("a.value", "add1.a", (0, 4), (6, 4), every_ns=4),
            wire("a.at", "out.at", (0, 4), (0, 2), (11, 2), every_ns=None),
            wire("add1.out", "out.value", (6, 4), (11, 4), (11, 2), every_ns=0.3),
        ],
    )


def test_map_field_by_field() -> None:
    net = no_problems(map_level(), map_design())
    assert net.nodes == (
        Node("t", "threads", 0, (0, 1), (), (OutPort("token", (0,), 0, 1),), 1, 0, 200, 1, False, 0, 0, "compute", {}),
        Node(
            "a",
            "load",
            1,
            (0, 4),
            (InPort("at", (0,), (W0,)), InPort("other")),
            (OutPort("value", (1,), 0, 1), OutPort("at", (2,), 1, 1)),
            result_width=2,
            latency_ticks=200,
            interval_ticks=400,
            room=1,
            is_float=False,
            control_aj=0,
            op_aj=5_000_000,
            op_cause="memory",
            params={"array": 0},
        ),
        Node(
            "out",
            "store",
            2,
            (11, 2),
            (InPort("at", (2,), (W0,)), InPort("value", (3,), (W0,))),
            (OutPort("done", (), 0, 1),),
            result_width=1,
            latency_ticks=200,
            interval_ticks=400,
            room=1,
            is_float=False,
            control_aj=0,
            op_aj=5_000_000,
            op_cause="memory",
            params={"array": 1},
        ),
        Node(
            "add1",
            "add",
            3,
            (6, 4),
            (InPort("a", (1,), (W0,)), InPort("b", immediate=(10,))),
            (OutPort("out", (3,), 0, 1),),
            result_width=1,
            latency_ticks=100,
            interval_ticks=100,
            room=1,
            is_float=False,
            control_aj=1_200_000,
            op_aj=100_000,
            op_cause="compute",
        ),
    )
    # switching 25 fJ per tile; drive 160 µW per tile at 1 tile/ns; leakage 5 µW per tile
    assert net.wires == (
        Wire(
            "t.token → a.at",
            0,
            0,
            (0,),
            1,
            (0,),
            ((0, 1), (0, 2), (0, 3), (0, 4)),
            400,
            3 * 25_000,
            3 * 40_000,
            3 * 5_000,
        ),
        Wire(
            "a.value → add1.a",
            1,
            0,
            (0,),
            3,
            (0,),
            tuple((x, 4) for x in range(7)),
            400,
            6 * 25_000,
            6 * 40_000,
            6 * 5_000,
        ),
        Wire(
            "a.at → out.at",
            1,
            1,
            (1,),
            2,
            (0,),
            ((0, 4), (0, 3), *((x, 2) for x in range(12))),
            0,
            13 * 25_000,
            0,
            13 * 5_000,
        ),
        Wire(
            "add1.out → out.value",
            3,
            0,
            (0,),
            2,
            (1,),
            (*((x, 4) for x in range(6, 12)), (11, 3), (11, 2)),
            30,
            7 * 25_000,
            3_733_333,  # 7 × 160 µW × 3.333 tiles/ns = 3733.3 µW
            7 * 5_000,
        ),
    )
    assert net.elements == (
        Element("t", "threads", (0, 1), {}),
        Element("a", "load", (0, 4), {}),
        Element("out", "store", (11, 2), {}),
        Element("add1", "add", (6, 4), {"leakage": 150_000}),
    )
    assert net.arrays == (Array("a", (4,), True, False, False), Array("out", (4,), False, True, False))
    assert net.tokens.tolist() == [[0], [1], [2], [3]]
    assert net.token_block.tolist() == [0, 0, 0, 0] and net.token_thread.tolist() == [0, 1, 2, 3]
    assert (net.threads_per_block, net.blocks, net.memories, net.slots) == (4, 1, (), 0)
    assert (net.standby_nw, net.warmup, net.measured, net.time_limit_ticks) == (2_000_000, 4, 12, 100_000_000)
    assert (net.tolerance, net.data_dependent, net.technology) == (1e-5, False, "n45")
    # column 0 from row 1 to 4, row 2 to column 11, row 4 to column 11, and [11, 3]
    assert net.footprint_tiles == 4 + 11 + 11 + 1


def test_far_memory_is_slow_deep_and_dear() -> None:
    net = no_problems(map_level("far"), map_design())
    for node, element in zip(net.nodes[1:3], net.elements[1:3], strict=True):
        assert (node.latency_ticks, node.interval_ticks, node.room, node.op_aj) == (4000, 100, 40, 48_000_000)
        assert element.standing_nw == {"memory": 6_000_000}


def test_an_unwired_far_pad_draws_nothing_and_an_unused_core_leaks() -> None:
    board = level(
        {"a": {"shape": [4], "memory": "far", "data": {}}, "s": {"shape": [4], "data": {}}, "out": {"shape": [4]}},
        [
            {"id": "a", "core": "load", "at": [0, 2]},
            {"id": "s", "core": "stream", "at": [0, 4]},
            {"id": "out", "core": "sink", "at": [15, 4]},
        ],
    )
    machine = design([core("spare", "mul.serial", (4, 6))], [wire("s.value", "out.value", (0, 4), (15, 4))])
    assert [(p.code, p.severity) for p in check_design(board, machine)] == [("unused-core", "warning")]
    net = elaborate(board, machine)
    assert [e.standing_nw for e in net.elements] == [{}, {}, {}, {"leakage": 37_500}]
    assert net.footprint_tiles == 16 + 2
    assert net.tokens.shape == (0, 0) and net.threads_per_block == 0


def two_roads() -> Design:
    """Level 0-05 with a buffer on the short road: out = max(3 a − 20, 0) × 5 + a."""
    return design(
        [
            core("three", "mul", (2, 4), b=3),
            core("less", "sub", (5, 4), b=20),
            core("bend", "max", (8, 4), b=0),
            core("five", "mul", (11, 4), b=5),
            core("room", "buffer", (6, 2), slots=6),
            core("join", "add", (13, 4)),
        ],
        [
            wire("a.value", "three.a", (0, 4), (2, 4)),
            wire("three.out", "less.a", (2, 4), (5, 4)),
            wire("less.out", "bend.a", (5, 4), (8, 4)),
            wire("bend.out", "five.a", (8, 4), (11, 4)),
            wire("five.out", "join.a", (11, 4), (13, 4)),
            wire("a.value", "room.in", (0, 4), (0, 2), (6, 2)),
            wire("room.out", "join.b", (6, 2), (13, 2), (13, 4)),
            wire("join.out", "out.value", (13, 4), (15, 4)),
        ],
    )


def test_two_roads_of_level_0_05() -> None:
    board = level(
        {"a": {"shape": [8], "data": {}}, "out": {"shape": [8]}},
        [
            {"id": "a", "core": "stream", "at": [0, 4], "every_ns": 1},
            {"id": "out", "core": "sink", "at": [15, 4], "every_ns": 1},
        ],
        parts={"mul": 2, "sub": 1, "max": 1, "add": 1, "buffer": 1, "relay": 2, "*": 0},
    )
    net = no_problems(board, two_roads())
    timing = {n.id: (n.latency_ticks, n.interval_ticks, n.room) for n in net.nodes}
    assert timing == {
        "a": (0, 100, 1),
        "out": (100, 100, 1),
        "three": (300, 100, 3),
        "less": (100, 100, 1),
        "bend": (100, 100, 1),
        "five": (300, 100, 3),
        "room": (100, 100, 6),
        "join": (100, 100, 1),
    }
    energy = {n.id: (n.control_aj, n.op_aj, n.op_cause) for n in net.nodes}
    assert energy == {
        "a": (0, 0, "memory"),
        "out": (0, 0, "memory"),
        "three": (1_200_000, 3_100_000, "compute"),
        "less": (1_200_000, 100_000, "compute"),
        "bend": (1_200_000, 80_000, "compute"),
        "five": (1_200_000, 3_100_000, "compute"),
        "room": (1_200_000, 100_000, "storage"),
        "join": (1_200_000, 100_000, "compute"),
    }
    assert net.nodes[0].params == {"array": 0, "burst": None} and net.nodes[0].outputs[0].wires == (0, 5)
    assert net.elements[6] == Element("room", "buffer", (6, 2), {"leakage": 150_000, "storage": 30_000})
    assert net.slots == 6 and not net.data_dependent
    assert [w.length for w in net.wires] == [2, 3, 3, 3, 2, 8, 9, 2]
    assert [(w.source, w.target, w.ports) for w in net.wires[4:8]] == [
        (5, 7, (0,)),
        (0, 6, (0,)),
        (6, 7, (1,)),
        (7, 1, (0,)),
    ]


def grid_level() -> Level:
    return level(
        {"a": {"shape": [2, 3], "data": {}}, "out": {"shape": [6]}},
        [
            {"id": "t", "core": "threads", "at": [0, 1], "words": ["block", "local", "index"], "every_ns": 2.5},
            {"id": "a", "core": "load", "at": [0, 4]},
            {"id": "out", "core": "store", "at": [15, 4]},
        ],
        threads={"block": [3], "grid": [2]},
    )


def test_words_chosen_at_the_start_and_at_ports() -> None:
    machine = design(
        [],
        [
            wire("t.token[2,1]", ["a.at", "a.other"], (0, 1), (0, 4)),
            wire("a.at[0]", "out.at", (0, 4), (0, 5), (15, 5), (15, 4)),
            wire("a.value", "out.value", (0, 4), (15, 4)),
        ],
        pads={"a": {"at": {"words": ["-1", 1]}, "other": {"words": [0]}}},
    )
    net = no_problems(grid_level(), machine)
    assert net.wires[0].words == (2, 1) and net.wires[0].ports == (0, 1)
    assert net.nodes[0].interval_ticks == 250 and net.nodes[0].outputs[0].width == 3
    assert net.nodes[1].inputs == (
        InPort("at", (0,), (WordPick(True, -1), W1)),
        InPort("other", (0,), (W0,)),
    )
    # the echo is the packet of two words as it came on the wire; its word 0 is word 1 of the result
    assert net.nodes[1].outputs == (OutPort("value", (2,), 0, 1), OutPort("at", (1,), 1, 2))
    assert net.nodes[1].result_width == 3 and net.wires[1].words == (1,)
    assert net.wires[0].drive_nw == 3 * 2 * 160_000 and net.wires[0].leakage_nw == 3 * 2 * 5_000
    assert net.tokens.tolist() == [[0, 0, 0], [0, 1, 1], [0, 2, 2], [1, 0, 3], [1, 1, 4], [1, 2, 5]]


def test_shared_memory_is_one_element_and_a_node_per_port() -> None:
    machine = design(
        [
            core("m", "shared", (6, 4), words=3, pages=2, write__at={"words": [1]}, read__at={"words": [1]}),
            core("bar", "barrier", (6, 1)),
        ],
        [
            wire("t.token", "m.write.at", (0, 1), (0, 2), (6, 2), (6, 4)),
            wire("t.token[2]", "m.write.value", (0, 1), (1, 1), (1, 4), (6, 4)),
            wire("m.write.done", "bar.in", (6, 4), (5, 4), (5, 1), (6, 1)),
            wire("bar.out", "m.read.at", (6, 1), (8, 1), (8, 4), (6, 4)),
            wire("m.read.at[2]", "out.at", (6, 4), (6, 6), (15, 6), (15, 4)),
            wire("m.read.value", "out.value", (6, 4), (6, 5), (14, 5), (14, 4), (15, 4)),
        ],
    )
    net = no_problems(grid_level(), machine)
    write, read, bar = net.nodes[3:]
    assert [n.kind for n in net.nodes] == ["threads", "load", "store", "shared.write", "shared.read", "barrier"]
    assert (write.id, read.id, write.element, read.element) == ("m", "m", 3, 3)
    assert write.inputs == (InPort("at", (0,), (W1,)), InPort("value", (1,), (W0,)))
    assert write.outputs == (OutPort("done", (2,), 0, 3),) and write.result_width == 3
    assert read.inputs == (InPort("at", (3,), (W1,)),)
    assert read.outputs == (OutPort("value", (5,), 0, 1), OutPort("at", (4,), 1, 3)) and read.result_width == 4
    assert net.wires[4].words == (3,)
    for node in (write, read):
        assert (node.latency_ticks, node.interval_ticks, node.room) == (200, 100, 2)
        assert (node.control_aj, node.op_aj, node.op_cause) == (1_200_000, 5_000_000, "storage")
    assert (write.params, read.params) == (
        {"memory": 0, "port_name": "write"},
        {"memory": 0, "port_name": "read"},
    )
    assert net.memories == (Memory(3, 3, 2, 3),)
    assert net.elements[3].standing_nw == {"leakage": 150_000, "storage": 6 * 5_000}
    assert bar.params == {"n": 3, "ahead": 0, "has_arrive": False} and bar.room == 3 and bar.op_aj == 300_000
    assert net.elements[4].standing_nw["storage"] == 2 * 3 * 3 * 5_000
    assert net.slots == 6 + 6


@pytest.mark.parametrize(
    ("kind", "settings", "params", "room", "op_aj", "slots"),
    [
        ("relay", {}, {}, 2, 0, 0),
        ("guard", {"limits": [5, None]}, {"limits": (5, -1), "mode": "drop"}, 1, 60_000, 0),
        ("guard", {"limits": [5, 6], "mode": "mark"}, {"limits": (5, 6), "mode": "mark"}, 1, 120_000, 0),
        ("repeat", {"times": 3, "group": 4}, {"times": 3, "group": 4, "append": False}, 1, 200_000, 4),
        ("repeat", {"times": 3, "append": True}, {"times": 3, "group": 1, "append": True}, 1, 200_000, 1),
        ("hold", {"n": 5}, {"times": 5, "group": 1, "append": False}, 1, 200_000, 1),
        ("take", {"n": 1, "of": 4}, {"n": 1, "of": 4}, 1, 0, 0),
        ("buffer", {"slots": 7}, {"slots": 7}, 7, 200_000, 7),
        ("delay", {"slots": 2, "every": 6}, {"slots": 2, "every": 6, "init": (0, 0)}, 2, 200_000, 2),
        ("delay", {"slots": 1, "every": 6, "init": [3, 4]}, {"slots": 1, "every": 6, "init": (3, 4)}, 1, 200_000, 1),
        (
            "address",
            {"words": ["3*w0 + w1 + 2", "-w1", 7]},
            {
                "words": (
                    (2, (3, 1, 0, 0, 0, 0)),
                    (0, (0, -1, 0, 0, 0, 0)),
                    (7, (0, 0, 0, 0, 0, 0)),
                )
            },
            1,
            300_000,
            0,
        ),
    ],
)
def test_cores_that_pass_two_words(
    kind: str, settings: dict[str, object], params: dict[str, object], room: int, op_aj: int, slots: int
) -> None:
    machine = design(
        [core("x", kind, (6, 4), **settings)],
        [
            wire("t.token[0,2]", "x.in", (0, 1), (6, 1), (6, 4)),
            wire("x.out[0]", "out.at", (6, 4), (6, 6), (15, 6), (15, 4)),
            wire("x.out[1]", "out.value", (6, 4), (15, 4)),
        ],
    )
    net = no_problems(grid_level(), machine)
    node = net.nodes[3]
    assert (node.params, node.room, node.op_aj, net.slots) == (params, room, op_aj, slots)
    assert node.result_width == {"address": 3}.get(kind, 3 if settings.get("append") else 2)
    assert node.kind == ("repeat" if kind == "hold" else kind)
    assert node.op_cause == ("storage" if slots else "compute")
    assert net.elements[3].kind == kind
    assert net.elements[3].standing_nw.get("storage", 0) == slots * 2 * 5_000


def test_switch_and_deal_share_their_words_among_outputs() -> None:
    machine = design(
        [core("s1", "switch", (6, 4)), core("d", "deal", (9, 4), n=2), core("c", "collect", (12, 4), n=2)],
        [
            wire("s.value", ["s1.in", "s1.cond"], (0, 4), (6, 4)),
            wire("s1.true", "d.in", (6, 4), (9, 4)),
            wire("d.o0", "c.i0", (9, 4), (12, 4)),
            wire("d.o1", "c.i1", (9, 4), (9, 5), (12, 5), (12, 4)),
            wire("c.out", "out.value", (12, 4), (15, 4)),
        ],
    )
    net = no_problems(streams(), machine)
    assert [(p.name, p.offset, p.width, p.wires) for p in net.nodes[2].outputs] == [
        ("true", 0, 1, (1,)),
        ("false", 0, 1, ()),
        ("order", 1, 1, ()),
    ]
    assert [(p.name, p.offset, p.width) for p in net.nodes[3].outputs] == [("o0", 0, 1), ("o1", 0, 1)]
    assert [n.result_width for n in net.nodes[2:]] == [1, 1, 1]
    assert net.nodes[4].params == {"n": 2} and [p.name for p in net.nodes[4].inputs] == ["i0", "i1"]
    assert net.data_dependent


def bits(value: float) -> int:
    return int(struct.unpack("<i", struct.pack("<f", value))[0])


def float_streams() -> Level:
    board = streams()
    for array in board.kernel.arrays.values():
        array.dtype = "float32"
    return board


@pytest.mark.parametrize(
    ("kind", "settings", "immediate", "is_float", "op_aj", "latency"),
    [
        ("add", {"b": 0.5}, bits(0.5), True, 900_000, 100),
        ("add", {"b": 2}, bits(2.0), True, 900_000, 100),
        ("mul", {"b": 3}, bits(3.0), True, 3_700_000, 300),
        ("mul.serial", {"b": 3}, bits(3.0), True, 1_850_000, 800),
        ("max", {"b": -1}, bits(-1.0), True, 80_000, 100),
        ("div", {"b": 4}, bits(4.0), True, 6_000_000, 1200),
        ("xor", {"b": 1}, 1, False, 20_000, 100),
    ],
)
def test_immediates_and_energy_of_floats(
    kind: str, settings: dict[str, object], immediate: int, is_float: bool, op_aj: int, latency: int
) -> None:
    machine = design(
        [core("x", kind, (6, 4), **settings)],
        [wire("s.value", "x.a", (0, 4), (6, 4)), wire("x.out", "out.value", (6, 4), (15, 4))],
    )
    node = no_problems(float_streams(), machine).nodes[2]
    assert node.inputs[1].immediate == (immediate,)
    assert (node.is_float, node.op_aj, node.latency_ticks) == (is_float, op_aj, latency)


@pytest.mark.parametrize(
    ("op", "is_float", "op_aj", "latency"),
    [
        ("add", True, 900_000, 100),
        ("mul", True, 3_700_000, 300),
        ("max", True, 80_000, 100),
        ("or", False, 20_000, 100),
    ],
)
def test_reductions_cost_and_last_as_their_operation(op: str, is_float: bool, op_aj: int, latency: int) -> None:
    machine = design(
        [core("x", "accumulate", (6, 4), op=op, n=4, ways=2)],
        [wire("s.value", "x.in", (0, 4), (6, 4)), wire("x.out", "out.value", (6, 4), (15, 4))],
    )
    node = no_problems(float_streams(), machine).nodes[2]
    assert (node.is_float, node.op_aj) == (is_float, op_aj)
    assert (node.latency_ticks, node.interval_ticks, node.room) == (latency, latency, 1)
    assert node.params == {"op": op, "n": 4, "ways": 2}


def test_bursts_and_paces_of_pads() -> None:
    board = streams()
    board.pads[0].burst = (4, 16.25)
    board.pads[0].every_ns = 0.5
    board.pads[1].every_ns = 5
    net = no_problems(board, design([], [wire("s.value", "out.value", (0, 4), (15, 4))]))
    assert net.nodes[0].params == {"array": 0, "burst": (4, 1625)} and net.nodes[0].interval_ticks == 50
    assert (net.nodes[1].latency_ticks, net.nodes[1].interval_ticks) == (100, 500)


def test_a_loop_takes_its_width_from_the_delays_init() -> None:
    machine = design(
        [
            core("d", "delay", (6, 6), slots=1, every=8, init=[0, 1]),
            core("r", "relay", (9, 6)),
        ],
        [
            wire("s.value", "out.value", (0, 4), (15, 4)),
            wire("d.out", "r.in", (6, 6), (9, 6)),
            wire("r.out", "d.in", (9, 6), (9, 7), (6, 7), (6, 6)),
        ],
    )
    net = no_problems(streams(), machine)
    assert [w.words for w in net.wires] == [(0,), (0, 1), (0, 1)]
    assert net.nodes[2].params["init"] == (0, 1)


def test_parallel_wires_have_names_of_their_own() -> None:
    machine = design(
        [core("x", "relay", (6, 4))],
        [
            wire("s.value", "x.in", (0, 4), (6, 4)),
            wire("s.value", "x.in", (0, 4), (0, 5), (6, 5), (6, 4)),
            wire("x.out", "out.value", (6, 4), (15, 4)),
        ],
    )
    net = no_problems(streams(), machine)
    assert [w.id for w in net.wires] == ["s.value → x.in", "s.value → x.in #2", "x.out → out.value"]
    assert net.nodes[2].inputs[0].wires == (0, 1)


def test_retime_equals_a_fresh_elaboration() -> None:
    board, machine = map_level(), map_design()
    net = elaborate(board, machine)
    for every in (None, 10, 37, 333, 100_000):
        machine.wires[1].every_ticks = every
        fresh, retimed = elaborate(board, machine), retime(net, 1, every or 0)
        assert retimed.wires == fresh.wires
        assert np.array_equal(retimed.tokens, fresh.tokens)
        assert replace(
            retimed, tokens=fresh.tokens, token_block=fresh.token_block, token_thread=fresh.token_thread
        ) == (fresh)
    assert retime(net, 1, 0).wires[1].drive_nw == 0 and retime(net, 1, 0).wires[1].leakage_nw == 30_000


def test_nothing_can_be_launched_from_an_empty_board() -> None:
    with pytest.raises(InvalidError, match="no wire leads to out") as error:
        elaborate(map_level(), design([], []))
    assert [p.code for p in error.value.problems] == ["output-unwired"]


def chain(cores: int) -> Design:
    """Adders in rows of 20, from the top to the bottom of a board of 256 rows."""
    places = [(0, 0), *((n % 20 + 1, n // 20 * 2 + 2) for n in range(cores)), (0, 255)]
    starts = ["s.value", *(f"c{n}.out" for n in range(cores))]
    ends = [*(f"c{n}.a" for n in range(cores)), "out.value"]
    ways = [[a, b] if a[1] == b[1] else [a, (a[0], a[1] + 1), (b[0], a[1] + 1), b] for a, b in pairwise(places)]
    return design(
        [core(f"c{n}", "add", at, b=1) for n, at in enumerate(places[1:-1])],
        [wire(start, end, *way) for start, end, way in zip(starts, ends, ways, strict=True)],
    )


def test_the_time_to_elaborate_grows_with_the_design_no_faster() -> None:
    """Four times the cores may take four times as long; eight leaves room for a busy machine."""
    board = streams(size=(256, 256))
    board.pads[0].at, board.pads[1].at = (0, 0), (0, 255)
    times = []
    for cores in (100, 400):
        machine = chain(cores)
        assert check_design(board, machine) == []
        spent = []
        for _ in range(5):
            start = process_time()
            elaborate(board, machine)
            spent.append(process_time() - start)
        times.append(min(spent))
    assert times[1] < 8 * times[0], times
