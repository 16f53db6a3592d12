"""Packets that part and meet again, in the plain engine: switch and join."""

from __future__ import annotations

from typing import Any

import pytest

from engine.faults import explain_fault
from engine.machine import Stop
from engine.netlist import Netlist
from engine.plain import PlainMachine
from tests.engine.lanes import Made, fault, fired, machine, made, number, passes, warps
from tests.engine.netlists import NodeSpec, WireSpec, node, wire
from tests.engine.test_plain_lanes import spent


def parted(
    mask: int,
    *arms: NodeSpec,
    wires: list[WireSpec] | None = None,
    order: bool = True,
    keep: bool = False,
    join: bool = True,
    **rest: Any,
) -> Netlist:
    """Threads whose number has a bit of ``mask`` take the side true. ``wires`` are the arms, straight unless given."""
    lines = [
        wire("t.token[0]", "k.a"),
        wire("k.out", "s.cond"),
        wire("t.token[0]", "s.in", length=3),
        *(wires or [wire("s.true", "j.true" if join else "x.in"), wire("s.false", "j.false" if join else "y.in")]),
    ]
    cores = [node("k", "and", b=mask), node("s", "switch", keep=keep), *arms]
    if join:
        cores += [node("j", "join"), node("r", "relay")]
        lines += [wire("j.out", "r.in"), *([wire("s.order", "j.order", length=2)] if order else [])]
    else:
        cores += [node("x", "relay"), node("y", "relay")]
    return warps(*cores, wires=lines, **rest)


# --- switch ------------------------------------------------------------------------------------------------------


def test_a_switch_sends_each_lane_to_its_side() -> None:
    """Odd threads at true, even ones at false; both with the mask before the split on their stack."""
    assert made(parted(1, join=False, block=4), "s") == [
        Made((0,), 0b1010, (15,), 0, 0),
        Made((0,), 0b0101, (15,), 1, 0),
    ]


def test_an_empty_side_is_not_sent() -> None:
    """Threads from 4 on at true: the first warp leaves whole at false, the second at true."""
    assert made(parted(4, join=False), "s") == [Made((0,), 15, (15,), 1, 0), Made((4,), 15, (15,), 0, 4)]


def test_order_tells_the_sides_of_each_packet_and_leaves_last() -> None:
    """Bit 1 parts no warp evenly: threads 2 and 3 of the first warp, 6 and 7 of the second."""
    both = made(parted(2), "s")
    assert [(p.port, p.live) for p in both] == [(0, 0b1100), (1, 0b0011), (2, 1)] * 2
    assert [p.values[-1] for p in both] == [3] * 6
    apart = made(parted(4), "s")
    assert [(p.port, p.values[-1]) for p in apart] == [(1, 2), (2, 2), (0, 1), (2, 1)]
    assert apart[1].values == (0, 2) and apart[1].live == 1


def test_keep_sends_both_sides_always() -> None:
    packets = made(parted(4, join=False, keep=True), "s")
    assert [(p.port, p.live, p.values) for p in packets] == [(0, 0, (0,)), (1, 15, (0,)), (0, 15, (4,)), (1, 0, (0,))]


def test_a_packet_that_came_empty_leaves_at_false() -> None:
    net = warps(
        node("g", "guard", limits=(0,), mode="mark"),
        node("s", "switch", cond=1),
        node("x", "relay"),
        node("y", "relay"),
        wires=[wire("t.token[0]", "g.in"), wire("g.out", "s.in"), wire("s.true", "x.in"), wire("s.false", "y.in")],
        block=4,
    )
    assert made(net, "s") == [Made((0,), 0, (0,), 1, 0)]


def test_a_uniform_word_steers_whole_packets() -> None:
    """An agreeing warp fires one arm, a parted one both: controls 1 and 2, operations the same."""

    def arms(mask: int) -> PlainMachine:
        return passes(
            parted(
                mask,
                node("a", "xor", b=1),
                node("b", "xor", b=2),
                wires=[
                    wire("s.true", "a.a"),
                    wire("s.false", "b.a"),
                    wire("a.out", "j.true"),
                    wire("b.out", "j.false"),
                ],
            )
        )

    whole, split = arms(4), arms(1)
    warps_of_whole = spent(whole, "s")[0]
    warps_of_split = spent(split, "s")[0]
    a, b = spent(whole, "a"), spent(whole, "b")
    assert abs(a[0] + b[0] - warps_of_whole) <= 2 and a[2] + b[2] == 4 * (a[0] + b[0])
    a, b = spent(split, "a"), spent(split, "b")
    assert abs(a[0] + b[0] - 2 * warps_of_split) <= 2 and a[2] + b[2] == 2 * (a[0] + b[0])


def test_the_fourth_split_is_too_deep() -> None:
    cores = [node(f"s{k}", "switch", cond=1) for k in range(4)] + [node("r", "relay")]
    chain = [wire(f"s{k}.true", f"s{k + 1}.in") for k in range(3)]
    net = warps(*cores, wires=[wire("t.token[0]", "s0.in"), *chain, wire("s3.true", "r.in")], block=4)
    found = fault(net)
    assert (found.code, net.nodes[found.node].id, found.port, found.other) == ("deep-split", "s3", 0, 3)


# --- join with order -----------------------------------------------------------------------------------------------


def arms_of(slow: str, order: bool = True, **rest: Any) -> Netlist:
    """True divides (12 cycles), false adds 100; blocks of 16 threads."""
    wires = [wire("s.true", "a.a"), wire("s.false", "b.a"), wire("a.out", "j.true"), wire("b.out", "j.false")]
    return parted(1, node("a", slow, b=3), node("b", "add", b=100), wires=wires, order=order, block=16, **rest)


def test_join_puts_each_lane_from_its_half_and_pops_the_stack() -> None:
    net = arms_of("div")
    joined = made(net, "j")
    assert [p.live for p in joined] == [15] * 4 and {p.stack for p in joined} == {()}
    assert [v for p in joined for v in p.values] == [k // 3 if k % 2 else k + 100 for k in range(16)]
    assert next(n for n in net.nodes if n.id == "j").forms == (None,)


def test_join_keeps_the_order_of_the_switch() -> None:
    """The first of two warps goes to a slow arm, the second past it: with order it waits, without it overtakes."""

    def net(order: bool) -> Netlist:
        return parted(
            4,
            node("a", "add", b=0),
            node("b", "mul.serial", b=1),
            node("w", "mul.serial", b=1),
            wires=[
                wire("s.true", "a.a"),
                wire("s.false", "b.a"),
                wire("b.out", "w.a"),
                wire("a.out", "j.true"),
                wire("w.out", "j.false"),
            ],
            order=order,
        )

    assert [p.thread for p in made(net(True), "j")] == [0, 4]
    assert [p.thread for p in made(net(False), "j")] == [4, 0]


def test_a_join_is_a_cycle_and_no_operation() -> None:
    net = arms_of("div")
    j = next(n for n in net.nodes if n.id == "j")
    assert (j.latency_ticks, j.interval_ticks) == (100, 100)
    firings, controls, _, lanes = spent(passes(net), "j")
    assert (controls, lanes) == (firings, 4 * firings)


def test_pair_with_order_never_locks_whatever_the_room() -> None:
    """Short arms and order wires, a slow core in one arm: slower, but it goes on."""
    for length in (1, 2, 9):
        net = parted(
            2,
            node("a", "div", b=1),
            wires=[wire("s.true", "a.a"), wire("a.out", "j.true"), wire("s.false", "j.false", length=length)],
            block=16,
        )
        assert [v for p in made(net, "j") for v in p.values] == list(range(16))
        passes(net)


def test_nested_pairs() -> None:
    """Odd threads are parted again inside their arm; the inner join pops one mask, the outer the other."""
    net = parted(
        1,
        node("s2", "switch"),
        node("k2", "and", b=2),
        node("a", "add", b=10),
        node("b", "add", b=20),
        node("j2", "join"),
        wires=[
            wire("s.true", "k2.a"),
            wire("k2.out", "s2.cond"),
            wire("s.true", "s2.in", length=4),
            wire("s2.true", "a.a"),
            wire("s2.false", "b.a"),
            wire("a.out", "j2.true"),
            wire("b.out", "j2.false"),
            wire("s2.order", "j2.order"),
            wire("j2.out", "j.true"),
            wire("s.false", "j.false"),
        ],
        block=4,
    )
    assert made(net, "s2")[:2] == [Made((0, 3), 0b1000, (15, 0b1010), 0, 0), Made((0, 3), 0b0010, (15, 0b1010), 1, 0)]
    assert made(net, "j2") == [Made((0, 21, 0, 13), 0b1010, (15,), thread=0)]
    assert made(net, "j") == [Made((0, 21, 2, 13), 15, (), thread=0)]


# --- join without order ----------------------------------------------------------------------------------------------


def test_without_order_a_half_waits_at_the_head_for_its_other_half() -> None:
    joined = made(arms_of("div", order=False), "j")
    assert [v for p in joined for v in p.values] == [k // 3 if k % 2 else k + 100 for k in range(16)]


# --- what is wrong -----------------------------------------------------------------------------------------------


def test_lanes_that_an_arm_masked_are_missing() -> None:
    net = parted(
        1,
        node("g", "guard", limits=(3,), mode="mark"),
        wires=[wire("s.true", "g.in"), wire("g.out", "j.true"), wire("s.false", "j.false")],
        block=4,
    )
    found = fault(net)
    assert (found.code, found.port, found.lane) == ("lanes-missing", 0, 3)


def test_a_half_alone_where_order_names_one_side_lacks_lanes() -> None:
    net = parted(
        4,
        node("g", "guard", limits=(7,), mode="mark"),
        wires=[wire("s.true", "g.in"), wire("g.out", "j.true"), wire("s.false", "j.false")],
    )
    found = fault(net)
    assert (found.code, found.port, found.lane, found.thread) == ("lanes-missing", 0, 3, 4)


def test_a_packet_that_was_not_split_cannot_be_joined() -> None:
    net = warps(
        node("j", "join"),
        node("r", "relay"),
        wires=[wire("t.token[0]", "j.true"), wire("t.token[0]", "j.false"), wire("j.out", "r.in")],
        block=4,
    )
    found = fault(net)
    assert (found.code, found.port) == ("not-split", 0)
    assert "leave the join out" in explain_fault(net, found).message


def test_halves_of_two_warps() -> None:
    """The first half at true is lost to a take: halves of warps 1 and 0 meet."""
    net = parted(
        1,
        node("u", "skip", n=1, of=2),
        wires=[wire("s.true", "u.in"), wire("u.out", "j.true"), wire("s.false", "j.false")],
    )
    found = fault(net)
    assert (found.code, found.port, found.other) == ("other-half", 1, 0)
    assert "let no arm drop or reorder packets" in explain_fault(net, found).message


def test_a_lane_that_comes_twice() -> None:
    net = warps(
        node("s", "switch", cond=1),
        node("p", "repeat", times=2),
        node("d", "deal", n=2),
        node("j", "join", order=3),
        node("r", "relay"),
        wires=[
            wire("t.token[0]", "s.in"),
            wire("s.true", "p.in"),
            wire("p.out", "d.in"),
            wire("d.o0", "j.true"),
            wire("d.o1", "j.false"),
            wire("j.out", "r.in"),
        ],
        block=4,
    )
    found = fault(net)
    assert (found.code, found.port, found.lane) == ("lane-twice", 1, 0)
    assert "wire each side of one switch to it, once" in explain_fault(net, found).message


def test_a_half_that_was_dropped_whole_is_a_deadlock() -> None:
    net = parted(
        1,
        node("g", "gate", cond=0),
        wires=[wire("s.true", "g.in"), wire("g.out", "j.true"), wire("s.false", "j.false")],
        block=4,
    )
    m = machine(net, out=number)
    assert m.run() is Stop.DEADLOCK


def test_scalars_are_always_whole() -> None:
    """Without lanes a switch with order and a join are a merge in order."""
    net = parted(4, lanes=1)
    assert [p.values[0] for p in made(net, "j")] == list(range(8))
    assert [p.live for p in made(net, "j")] == [1] * 8
    assert len(fired(net, "s")) > 8


@pytest.mark.parametrize("lanes", [2, 4, 8])
def test_all_widths(lanes: int) -> None:
    net = arms_of("mod", lanes=lanes)
    assert [v for p in made(net, "j") for v in p.values] == [k % 3 if k % 2 else k + 100 for k in range(16)]
