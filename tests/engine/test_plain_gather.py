"""Words that move between lanes, in the plain engine: pack, unpack, compact, shuffle, reduce, and sums per lane."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from engine.faults import explain_fault
from engine.netlist import Netlist
from tests.engine.lanes import Made, fault, fired, made, passes, warps
from tests.engine.netlists import array, bits, make, node, wire
from tests.engine.test_plain_lanes import spent


def packed(given: int, words: str = "", **pack: Any) -> Netlist:
    """A stream of ``given`` words, packed, unpacked and brought to a sink."""
    return make(
        [
            node("a", "stream", array="a"),
            node("p", "pack", **pack),
            node("u", "unpack"),
            node("s", "sink", array="out"),
        ],
        [wire("a.value", "p.in"), wire("p.out", "u.in"), wire("u.out", "s.value")],
        [array("a", given), array("out", given, output=True)],
    )


# --- pack and unpack -----------------------------------------------------------------------------------------


def test_pack_takes_scalars_in_order_and_pays_control_once_a_packet() -> None:
    """Four words in packets of two: two vectors a launch. 100 fJ (an operation) each, control for every second."""
    net = packed(4, n=2)
    out = {"out": lambda n, k: 100 * n + k + 1}
    assert made(net, "p", **out) == [Made((1, 2), 3), Made((3, 4), 3)]
    assert made(net, "u", **out) == [Made((k,), 1) for k in (1, 2, 3, 4)]
    m = passes(net, **out)
    firings, controls, work, lanes = spent(m, "p")
    assert (controls, work, lanes) == (firings // 2, firings, firings)
    firings, controls, work, lanes = spent(m, "u")
    assert (controls, work, lanes) == (-(-firings // 2), firings, firings)
    assert net.nodes[1].latency_ticks == net.nodes[1].interval_ticks == 100


def test_an_open_packet_leaves_at_the_end_of_its_group() -> None:
    """Three words in packets of two: the second has a masked lane, which leaves as a masked scalar."""
    net = packed(3, n=2, every=3)
    out = {"out": lambda n, k: 100 * n + k + 1}
    assert made(net, "p", **out) == [Made((1, 2), 3), Made((3, 0), 1)]
    assert made(net, "u", **out) == [Made((1,), 1), Made((2,), 1), Made((3,), 1), Made((0,), 0)]
    passes(net, **out)


def test_another_launch_in_an_open_group_is_a_fault() -> None:
    found = fault(packed(3, n=2), out=lambda n, k: 100 * n + k + 1)
    assert (found.code, found.launch, found.other, found.index) == ("open-group", 1, 1, (0,))
    net = packed(3, n=2, every=4)
    found = fault(net, out=lambda n, k: 100 * n + k + 1)
    assert "p had 3 of 4 packets when one of launch 1 came" in explain_fault(net, found).message


def test_pack_keeps_block_and_first_thread_of_consecutive_threads() -> None:
    """Scalars of threads 0 … 3 become a warp of block 0 that unpack takes apart into the same threads."""
    net = warps(
        node("p", "pack", n=4),
        node("u", "unpack"),
        node("r", "relay"),
        wires=[wire("t.token[0]", "p.in"), wire("p.out", "u.in"), wire("u.out", "r.in")],
        lanes=1,
    )
    assert made(net, "p") == [Made((0, 1, 2, 3), 15, thread=0), Made((4, 5, 6, 7), 15, thread=4)]
    assert [p.thread for p in made(net, "u")] == list(range(8))


def test_pack_over_blocks_has_no_block_and_no_thread() -> None:
    net = warps(
        node("p", "pack", n=4),
        node("r", "relay"),
        wires=[wire("t.token[0]", "p.in"), wire("p.out", "r.in")],
        lanes=1,
        block=2,
        blocks=2,
    )
    assert made(net, "p") == [Made((0, 1, 2, 3), 15)]


def masked_in_lane(limit: int, drop: bool) -> Netlist:
    return warps(
        node("g", "guard", limits=(limit,), mode="mark"),
        node("u", "unpack", drop=drop),
        node("r", "relay"),
        wires=[wire("t.token[0]", "g.in"), wire("g.out", "u.in"), wire("u.out", "r.in")],
        block=4,
    )


def test_masked_lanes_leave_as_masked_scalars_or_not_at_all() -> None:
    kept = [Made((0,), 1, thread=0), Made((1,), 1, thread=1)]
    assert made(masked_in_lane(2, False), "u") == [*kept, Made((0,), 0), Made((0,), 0)]
    assert made(masked_in_lane(2, True), "u") == kept
    assert made(masked_in_lane(0, True), "u") == []
    firings, controls, work, lanes = spent(passes(masked_in_lane(2, False)), "u")
    assert controls == -(-firings // 4) and work == lanes and abs(2 * work - firings) <= 2


def test_unpack_sends_a_lane_a_cycle_and_takes_nothing_else_until_the_last() -> None:
    """Warps of four come every 2 ns, and each takes 4 ns: the pace is a lane per ns, without a gap."""
    ticks = fired(masked_in_lane(4, False), "u")
    assert [b - a for a, b in pairwise(ticks[:8])] == [100] * 7


# --- compact ---------------------------------------------------------------------------------------------------


def compacted(threads: int, cond: int) -> Netlist:
    """Of 8 threads in two warps those whose number, and-ed with ``cond``, is not 0, gathered."""
    return warps(
        node("k", "and", b=cond),
        node("g", "guard", limits=(-1,), mode="mark"),
        node("s", "switch", keep=True),
        node("c", "compact", n=4, every=2),
        node("r", "relay"),
        wires=[
            wire("t.token[0]", "k.a"),
            wire("k.out", "s.cond"),
            wire("t.token[0]", "s.in", length=3),
            wire("s.true", "c.in"),
            wire("c.out", "r.in"),
            wire("t.token[0]", "g.in"),
        ],
        block=threads,
    )


@pytest.mark.parametrize(
    ("cond", "packets"),
    [
        (1, [Made((1, 3, 5, 7), 15)]),
        (4, [Made((4, 5, 6, 7), 15)]),
        (3, [Made((1, 2, 3, 5), 15), Made((6, 7, 0, 0), 3)]),
        (8, []),
    ],
)
def test_compact_gathers_live_lanes_in_order(cond: int, packets: list[Made]) -> None:
    """Full packets leave at once, the rest at the end of the group; without block, thread and stack."""
    assert made(compacted(8, cond), "c") == packets


def test_compact_pays_control_for_packets_in_and_out() -> None:
    """Two packets in and two out per launch (6 live lanes): 4 controls, 6 times 100 fJ."""
    firings, controls, work, lanes = spent(passes(compacted(8, 3)), "c")
    assert abs(controls - 2 * firings) <= 1 and work == lanes and abs(work - 3 * firings) <= 1


# --- shuffle -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "k", "values"),
    [
        ("up", 1, (-9, 0, 1, 2)),
        ("up", 3, (-9, -9, -9, 0)),
        ("down", 1, (1, 2, 3, -9)),
        ("down", 2, (2, 3, -9, -9)),
        ("xor", 1, (1, 0, 3, 2)),
        ("xor", 2, (2, 3, 0, 1)),
        ("xor", 4, (-9, -9, -9, -9)),
    ],
)
def test_shuffle(pattern: str, k: int, values: tuple[int, ...]) -> None:
    net = warps(
        node("c", "shuffle", pattern=pattern, k=k, fill=-9),
        node("r", "relay"),
        wires=[wire("t.token[0]", "c.in"), wire("c.out", "r.in")],
        block=4,
    )
    assert net.nodes[1].forms == (None,)
    assert made(net, "c") == [Made(values, 15, thread=0)]


def test_a_shuffle_takes_fill_from_masked_lanes_and_leaves_them_masked() -> None:
    """Threads 0 to 2 are live: lane 2 takes fill for lane 3, which stays masked. Two words: 2 × 3 times 200 fJ."""
    net = warps(
        node("g", "guard", limits=(3, -1), mode="mark"),
        node("c", "shuffle", pattern="down", k=1, fill=(7, 8)),
        node("r", "relay"),
        wires=[wire("t.token[0,2]", "g.in"), wire("g.out", "c.in"), wire("c.out", "r.in")],
        block=4,
    )
    assert made(net, "c") == [Made((1, 2, 7, 0, 1, 2, 8, 0), 7, thread=0)]
    firings, controls, work, lanes = spent(passes(net), "c")
    assert (controls, work, lanes) == (firings, 6 * firings, 3 * firings)


# --- reduce --------------------------------------------------------------------------------------------------------


def reduced(op: str, core: str = "add", lanes: int = 4, limit: int = 99, **given: Any) -> Netlist:
    return warps(
        node("x", core, **(given or {"b": 2})),
        node("g", "guard", limits=(limit,), mode="mark"),
        node("c", "reduce", op=op),
        node("r", "relay"),
        wires=[wire("t.token[0]", "x.a"), wire("x.out", "g.in"), wire("g.out", "c.in"), wire("c.out", "r.in")],
        block=lanes,
        lanes=lanes,
    )


@pytest.mark.parametrize(
    ("op", "word"),
    [("add", 14), ("min", 2), ("max", 5), ("and", 0), ("or", 7), ("any", 1), ("all", 1), ("count", 4), ("first", 2)],
)
def test_reduce(op: str, word: int) -> None:
    """Of 2, 3, 4, 5."""
    assert made(reduced(op), "c") == [Made((word,), 1)]


def test_reduce_leaves_masked_lanes_out_and_pays_one_operation_less_than_lanes() -> None:
    """Of 2, 3, 4 (the lane of 5 is masked): two adds, and a move per live lane."""
    net = reduced("add", limit=5)
    assert made(net, "c") == [Made((9,), 1)]
    firings, controls, work, lanes = spent(passes(net), "c")
    assert (controls, work, lanes) == (firings, 2 * firings, 3 * firings)
    assert made(reduced("count", limit=5), "c") == [Made((3,), 1)]
    assert made(reduced("all", core="sub", limit=2, b=1), "c") == [Made((0,), 1)]
    assert made(reduced("first", core="xor", limit=3, b=3), "c") == [Made((2,), 1)]


def test_reduce_without_live_lanes_is_masked() -> None:
    net = reduced("add", limit=1)
    assert made(net, "c") == [Made((0,), 0)]
    firings, controls, work, lanes = spent(passes(net), "c")
    assert (controls, work, lanes) == (firings, 0, 0)


def test_floats_are_added_by_halves() -> None:
    """2^24, 1, 1, −2^24 by halves: (2^24 + 1 = 2^24) + (1 − 2^24) = 1; from left to right it would be 0."""
    words = [float(2**24), 1.0, 1.0, -float(2**24)]
    net = warps(
        node("a", "load", array="a"),
        node("c", "reduce", op="add", is_float=True),
        node("r", "relay"),
        wires=[wire("t.token[2]", "a.at"), wire("a.value", "c.in"), wire("c.out", "r.in")],
        block=4,
        arrays=[array("a", 4, is_float=True)],
    )
    assert made(net, "c", a=lambda n, k: bits(words[k])) == [Made((bits(1.0),), 1)]


# --- sums ------------------------------------------------------------------------------------------------------------


def test_accumulate_is_a_sum_per_lane() -> None:
    """Threads 0 … 5 in warps of 4: lanes 0 and 1 get two values, lanes 2 and 3 one. n counts packets."""
    net = warps(
        node("c", "accumulate", op="add", n=2),
        node("r", "relay"),
        wires=[wire("t.token[0]", "c.in"), wire("c.out", "r.in")],
        block=6,
    )
    assert made(net, "c") == [Made((4, 6, 2, 3), 15)]
    firings, _, work, lanes = spent(passes(net), "c")
    assert work == lanes and abs(work - 3 * firings) <= 1


def test_a_lane_of_a_sum_is_live_if_it_ever_got_a_value() -> None:
    """Threads below 1 or from 5 on: lane 0 of the first warp, lanes 1 … 3 of the second."""
    net = warps(
        node("k", "sub", b=1),
        node("j", "compare", op="ge", b=4),
        node("n", "compare", op="lt", b=0),
        node("o", "or"),
        node("s", "switch", keep=True),
        node("c", "scan", op="max", n=2),
        node("r", "relay"),
        wires=[
            wire("t.token[0]", "k.a"),
            wire("k.out", "j.a"),
            wire("k.out", "n.a"),
            wire("j.out", "o.a"),
            wire("n.out", "o.b"),
            wire("o.out", "s.cond"),
            wire("t.token[0]", "s.in", length=6),
            wire("s.true", "c.in"),
            wire("c.out", "r.in"),
        ],
    )
    assert made(net, "c") == [Made((0, 0, 0, 0), 1, (15,), thread=0), Made((0, 5, 6, 7), 15, (15,))]


def test_a_group_of_lanes_ends_at_a_uniform_word() -> None:
    net = warps(
        node("f", "reduce", op="first"),
        node("k", "compare", op="eq", b=4),
        node("c", "accumulate", op="add", n=1),
        node("r", "relay"),
        wires=[
            wire("t.token[0]", "f.in"),
            wire("f.out", "k.a"),
            wire("k.out", "c.last"),
            wire("t.token[0]", "c.in", length=6),
            wire("c.out", "r.in"),
        ],
    )
    assert made(net, "c") == [Made((4, 6, 8, 10), 15)]
