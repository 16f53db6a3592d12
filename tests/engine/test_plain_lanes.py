"""Every core with lanes in the plain engine: values, masks, what a firing costs. Figures are worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from engine.netlist import Netlist
from engine.plain import PlainMachine
from tests.engine.lanes import Made, fault, fired, made, passes, warps
from tests.engine.netlists import array, bits, node, wire


def spent(m: PlainMachine, core: str) -> tuple[int, int, int, int]:
    """Firings, controls, work and live lanes of a core since the start."""
    index = next(i for i, n in enumerate(m.netlist.nodes) if n.id == core)
    c = m.counters()
    assert c.controls is not None and c.work is not None and c.lanes is not None
    return tuple(int(x[:, index].sum()) for x in (c.firings, c.controls, c.work, c.lanes))  # type: ignore[return-value]


def one(core: str, port: str = "in", words: str = "[0]", out: str = "r.in", **given: Any) -> Netlist:
    """t → core → relay; one warp of four in a launch."""
    return warps(
        node("c", core, **given),
        node("r", "relay"),
        wires=[wire(f"t.token{words}", f"c.{port}"), wire("c.out", out)],
        block=4,
    )


# --- words, forms and operations -----------------------------------------------------------------------------


def test_a_linear_word_is_one_value_and_one_operation() -> None:
    """Threads 0 … 3 plus 10: base 10, step 1."""
    net = one("add", "a", b=10)
    assert net.nodes[1].forms == (1,)
    assert made(net, "c") == [Made((10,), 15, thread=0)]
    firings, controls, work, lanes = spent(passes(net), "c")
    assert (controls, work, lanes) == (firings, firings, 4 * firings)


def test_a_word_per_lane_is_an_operation_per_live_lane() -> None:
    net = one("mod", "a", b=3)
    assert net.nodes[1].forms == (None,)
    assert made(net, "c") == [Made((0, 1, 2, 0), 15, thread=0)]
    firings, controls, work, lanes = spent(passes(net), "c")
    assert (controls, work, lanes) == (firings, 4 * firings, 4 * firings)


def test_a_uniform_result_is_one_operation() -> None:
    net = one("mod", "a", words="[1]", b=3)
    assert net.nodes[1].forms == (0,)
    assert made(net, "c") == [Made((0,), 15, thread=0)]


@pytest.mark.parametrize(
    ("core", "given", "form", "values"),
    [
        ("sub", {"b": 1}, 1, (-1,)),
        ("mul", {"b": -3}, -3, (0,)),
        ("mul.serial", {"b": 5}, 5, (0,)),
        ("shl", {"b": 34}, 4, (0,)),
        ("neg", {}, None, (0, -1, -2, -3)),
        ("compare", {"b": 1, "op": "gt"}, None, (0, 0, 1, 1)),
        ("xor", {"b": 1}, None, (1, 0, 3, 2)),
    ],
)
def test_which_results_are_linear(core: str, given: dict[str, Any], form: int | None, values: tuple[int, ...]) -> None:
    net = one(core, "a", **given)
    assert net.nodes[1].forms == (form,)
    assert made(net, "c") == [Made(values, 15, thread=0)]


def test_steps_are_added_and_an_immediate_may_stand_first() -> None:
    net = warps(
        node("m", "mul", a=5),
        node("s", "sub"),
        node("r", "relay"),
        wires=[
            wire("t.token[0]", "m.b"),
            wire("m.out", "s.b"),
            wire("t.token[0]", "s.a"),
            wire("s.out", "r.in"),
        ],
    )
    assert [n.forms for n in net.nodes[1:3]] == [(5,), (-4,)]
    assert made(net, "s") == [Made((0,), 15, thread=0), Made((-16,), 15, thread=4)]


def test_an_address_is_linear_sum_by_sum() -> None:
    """2·w0 + w1 + 7 of a linear and a uniform word; the sum with a word of no step is per lane: 1 + 4 operations."""
    words = ((7, (2, 1, 0, 0, 0, 0)), (0, (0, 0, 1, 0, 0, 0)))
    net = warps(
        node("x", "xor", b=1),
        node("j", "tuple"),
        node("c", "address", words=words),
        node("r", "relay"),
        wires=[
            wire("t.token[0]", "x.a"),
            wire("t.token[0,1]", "j.a"),
            wire("x.out", "j.b"),
            wire("j.out", "c.in"),
            wire("c.out", "r.in"),
        ],
        block=4,
    )
    c = net.nodes[3]
    assert c.forms == (2, None) and (c.once, c.per_lane) == (1, 1)
    assert made(net, "c") == [Made((7, 1, 0, 3, 2), 15, thread=0)]
    firings, _, work, _ = spent(passes(net), "c")
    assert work == 5 * firings


def test_lanes_beyond_a_block_are_masked_and_0() -> None:
    """Blocks of 6 in warps of 4: the second warp has two live lanes, and pays for two."""
    net = warps(
        node("c", "xor", b=8), node("r", "relay"), wires=[wire("t.token[0]", "c.a"), wire("c.out", "r.in")], block=6
    )
    assert made(net, "c") == [Made((8, 9, 10, 11), 15, thread=0), Made((12, 13, 0, 0), 3, thread=4)]
    firings, controls, work, lanes = spent(passes(net), "c")
    wide = -(-firings // 2)
    assert (controls, work, lanes) == (firings, 4 * wide + 2 * (firings - wide), work)


def test_a_fault_counts_for_live_lanes_only_and_names_the_lane() -> None:
    """100 div thread: lane 0 divides by zero; behind a gate that masks it, nobody does."""
    plain = warps(node("d", "div", a=100), node("r", "relay"), wires=[wire("t.token[0]", "d.b"), wire("d.out", "r.in")])
    found = fault(plain)
    assert (found.code, found.port, found.lane) == ("divide-by-zero", 1, 0)
    gated = warps(
        node("g", "gate"),
        node("d", "div", a=100),
        node("r", "relay"),
        wires=[wire("t.token[0]", "g.in", "g.cond"), wire("g.out", "d.b"), wire("d.out", "r.in")],
        block=4,
    )
    assert made(gated, "d") == [Made((0, 100, 50, 33), 14, thread=0)]


def test_floats_are_linear_only_where_uniform() -> None:
    net = warps(
        node("a", "load", array="a"),
        node("c", "add", b=bits(0.5), is_float=True),
        node("r", "relay"),
        wires=[wire("t.token[2]", "a.at"), wire("a.value", "c.a"), wire("c.out", "r.in")],
        block=4,
        arrays=[array("a", 4, is_float=True)],
    )
    found = made(net, "c", a=lambda n, k: bits(float(k)))
    assert found == [Made(tuple(bits(k + 0.5) for k in range(4)), 15, thread=0)]


# --- packets of different lanes ----------------------------------------------------------------------------------


def test_a_scalar_stands_for_all_lanes() -> None:
    """The sum of a warp (6) goes back to every lane: broadcast on one track."""
    net = warps(
        node("s", "reduce", op="add"),
        node("c", "add"),
        node("r", "relay"),
        wires=[
            wire("t.token[0]", "s.in"),
            wire("s.out", "c.b"),
            wire("t.token[0]", "c.a", length=6),
            wire("c.out", "r.in"),
        ],
        block=4,
    )
    assert [w.tracks for w in net.wires[:3]] == [1, 1, 1]
    assert net.nodes[2].forms == (1,)
    assert made(net, "c") == [Made((6,), 15, thread=0)]


def test_a_masked_scalar_masks_all_lanes() -> None:
    """A guard marks the sum 6 of the first warp: nothing is live, and the firing costs control alone."""
    net = warps(
        node("s", "reduce", op="add"),
        node("g", "guard", limits=(7,), mode="mark"),
        node("c", "xor"),
        node("r", "relay"),
        wires=[
            wire("t.token[0]", "s.in"),
            wire("s.out", "g.in"),
            wire("g.out", "c.b"),
            wire("t.token[0]", "c.a", length=12),
            wire("c.out", "r.in"),
        ],
    )
    assert made(net, "c") == [Made((6, 7, 4, 5), 15, thread=0), Made((0, 0, 0, 0), 0, thread=4)]
    m = passes(net)
    firings, controls, work, _ = spent(m, "c")
    assert controls == firings and 2 * firings - 2 <= work <= 2 * firings + 2
    live = int(m.counters().live[:, 3].sum())
    assert abs(2 * live - firings) <= 1


# --- masks ---------------------------------------------------------------------------------------------------------


def gate(cond: str) -> Netlist:
    return warps(
        node("k", "compare", op=cond, b=5),
        node("g", "gate"),
        node("r", "relay"),
        wires=[
            wire("t.token[0]", "k.a"),
            wire("k.out", "g.cond"),
            wire("t.token[0]", "g.in", length=4),
            wire("g.out", "r.in"),
        ],
    )


def test_gate_masks_lanes_and_drops_what_has_none_left() -> None:
    """Threads from 5 on pass: nothing of the first warp, lanes 1 to 3 of the second. The word keeps its base."""
    assert made(gate("ge"), "g") == [Made((4,), 14, thread=4)]
    assert made(gate("lt"), "g") == [Made((0,), 15, thread=0), Made((4,), 1, thread=4)]


def test_gate_passes_what_came_empty() -> None:
    net = warps(
        node("n", "guard", limits=(0,), mode="mark"),
        node("g", "gate", cond=0),
        node("r", "relay"),
        wires=[wire("t.token[0]", "n.in"), wire("n.out", "g.in"), wire("g.out", "r.in")],
        block=4,
    )
    assert made(net, "g") == [Made((0,), 0, thread=0)]


@pytest.mark.parametrize("mode", ["mark", "drop"])
def test_guard_masks_lanes_and_differs_in_what_has_none_left(mode: str) -> None:
    """Limit 3: of threads 0 … 3 three are inside, of 4 … 7 none. A linear limited word is paid once."""
    net = warps(
        node("g", "guard", limits=(3, -1), mode=mode),
        node("r", "relay"),
        wires=[wire("t.token[0,1]", "g.in"), wire("g.out", "r.in")],
    )
    first = [Made((0, 0), 7, thread=0)]
    assert made(net, "g") == (first if mode == "drop" else [*first, Made((0, 0), 0, thread=4)])
    assert (net.nodes[1].once, net.nodes[1].per_lane) == (1, 0)


def test_select_is_predication() -> None:
    net = warps(
        node("k", "and", b=1),
        node("c", "select", b=-1),
        node("r", "relay"),
        wires=[
            wire("t.token[0]", "k.a"),
            wire("k.out", "c.cond"),
            wire("t.token[0]", "c.a", length=3),
            wire("c.out", "r.in"),
        ],
        block=4,
    )
    assert made(net, "c") == [Made((-1, 1, -1, 3), 15, thread=0)]


# --- by packet -----------------------------------------------------------------------------------------------------


def test_mux_deal_take_and_counter_go_by_packet() -> None:
    """Two warps: the first is dealt to o0, the second to o1, where a counter sends two words for it."""
    net = warps(
        node("d", "deal", n=2),
        node("k", "counter", start=7, n=2, step=3),
        node("u", "take", n=1, of=2),
        node("r", "relay"),
        node("r2", "relay"),
        node("z", "relay"),
        wires=[
            wire("t.token[0]", "d.in"),
            wire("d.o1", "k.go"),
            wire("d.o0", "z.in"),
            wire("k.out", "r.in"),
            wire("t.token[0,2]", "u.in"),
            wire("u.out", "r2.in"),
        ],
    )
    assert made(net, "k") == [Made((7,), 15, thread=4), Made((10,), 15, thread=4)]
    assert made(net, "u") == [Made((0, 0), 15, thread=0)]
    assert made(net, "d") == [Made((0,), 15, port=0, thread=0), Made((4,), 15, port=1, thread=4)]


def test_mux_broadcasts_what_came_as_a_scalar_and_spreads_what_is_linear() -> None:
    """The first warp takes its own words, the second an immediate: the word is per lane, since both occur."""
    net = warps(
        node("k", "compare", op="eq", b=0),
        node("f", "reduce", op="first"),
        node("u", "take", n=1, of=2),
        node("m", "mux", b=9),
        node("r", "relay"),
        wires=[
            wire("t.token[0]", "f.in"),
            wire("f.out", "k.a"),
            wire("k.out", "m.cond"),
            wire("t.token[0]", "u.in"),
            wire("u.out", "m.a", length=12),
            wire("m.out", "r.in"),
        ],
    )
    assert net.nodes[4].lanes == 4 and net.nodes[4].forms == (None,)
    assert made(net, "m") == [Made((0, 1, 2, 3), 15, thread=0), Made((9, 9, 9, 9), 15)]


def test_words_of_other_forms_that_meet_at_a_port_are_spread() -> None:
    """A switch's sides come to one port, one linear, one per lane."""
    net = warps(
        node("s", "switch"),
        node("x", "xor", b=1),
        node("r", "relay"),
        node("z", "relay"),
        wires=[
            wire("t.token[0]", "s.in"),
            wire("t.token[2]", ("s.cond", ["1"])),
            wire("s.true", "x.a"),
            wire("s.false", "r.in"),
            wire("x.out", "r.in"),
            wire("r.out", "z.in"),
        ],
        block=4,
    )
    assert net.nodes[3].inputs[0].forms == (None,)
    assert made(net, "r") == [Made((1, 0, 3, 2), 15, (15,), thread=0)]


def test_repeat_buffer_and_delay_keep_lanes_and_pay_the_values_of_a_slot() -> None:
    """A delay's first words are the same in all lanes, so its word is per lane; a repeat adds a uniform word."""
    net = warps(
        node("d", "delay", slots=1, every=2, init=5),
        node("p", "repeat", times=2, append=True),
        node("b", "buffer", slots=2),
        node("r", "relay"),
        node("z", "relay"),
        wires=[
            wire("t.token[0]", "d.in"),
            wire("t.token[0]", "p.in"),
            wire("p.out", "b.in"),
            wire("b.out", "r.in"),
            wire("d.out", "z.in"),
        ],
    )
    assert net.nodes[1].forms == (None,)
    assert made(net, "d")[0] == Made((0, 1, 2, 3), 15, thread=0)
    assert made(net, "p")[:2] == [Made((0, 0), 15, thread=0), Made((0, 1), 15, thread=0)]
    assert [(n.once, n.per_lane) for n in net.nodes[1:4]] == [(1, 0), (1, 0), (2, 0)]


# --- wires ---------------------------------------------------------------------------------------------------------


def toggles(net: Netlist, source: str) -> tuple[int, int]:
    """(entries, toggled bits) of the wire that begins at ``source``, since the start."""
    m = passes(net)
    index = next(i for i, w in enumerate(net.wires) if net.nodes[w.source].id == source)
    c = m.counters()
    return int(c.entries[:, index].sum()), int(c.toggles[:, index].sum())


def test_a_masked_lane_keeps_the_bits_of_its_track() -> None:
    """0 1 2 3, then 4 5 and two masked lanes: 4 bits at first, then 2 each time, since 2 and 3 stay on their tracks."""
    net = warps(
        node("x", "xor", b=0),
        node("g", "guard", limits=(6,), mode="mark"),
        node("r", "relay"),
        wires=[wire("t.token[0]", "x.a"), wire("x.out", "g.in"), wire("g.out", "r.in")],
    )
    entries, bits_toggled = toggles(net, "g")
    assert bits_toggled == 4 + 2 * (entries - 1)


def test_a_linear_word_toggles_as_one_value() -> None:
    """Bases 0 and 4 in turn: a bit each."""
    net = warps(node("g", "relay"), node("r", "relay"), wires=[wire("t.token[0]", "g.in"), wire("g.out", "r.in")])
    entries, bits_toggled = toggles(net, "g")
    assert bits_toggled == entries - 1


def test_a_packet_without_live_lanes_toggles_nothing() -> None:
    net = warps(
        node("g", "guard", limits=(0,), mode="mark"),
        node("r", "relay"),
        wires=[wire("t.token[0]", "g.in"), wire("g.out", "r.in")],
    )
    entries, bits_toggled = toggles(net, "g")
    assert entries > 8 and bits_toggled == 0


# --- threads -------------------------------------------------------------------------------------------------------


def test_warps_leave_at_the_pads_pace_block_by_block() -> None:
    """Two blocks of 6 in warps of 4 are four tokens of 2 ns; the thread is the first lane's."""
    net = warps(node("r", "relay"), wires=[wire("t.token", "r.in")], block=6, blocks=2)
    assert [(p.values, p.live, p.thread) for p in made(net, "t")] == [
        ((0, 0, 0), 15, 0),
        ((4, 0, 4), 3, 4),
        ((6, 1, 0), 15, 6),
        ((10, 1, 4), 3, 10),
    ]
    assert fired(net, "t")[:4] == [0, 200, 400, 600]


def test_a_launch_is_complete_when_all_words_are_stored_by_whatever_lanes() -> None:
    """Each side of a switch stores its own lanes, without a join."""
    net = warps(
        node("k", "and", b=1),
        node("s", "switch"),
        node("o1", "store", array="o"),
        node("o2", "store", array="o"),
        wires=[
            wire("t.token[0]", "k.a"),
            wire("k.out", "s.cond"),
            wire("t.token[0]", "s.in", length=3),
            wire("s.true", "o1.at", "o1.value"),
            wire("s.false", "o2.at", "o2.value"),
        ],
        arrays=[array("o", 8, output=True)],
    )
    assert passes(net, o=lambda n, k: k).completed > 4
