"""Every behaviour of the plain engine's cores, and every fault, on machines of a few cores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from engine.machine import FaultInfo, Options, PacketView, Stop
from engine.netlist import Array, Netlist
from engine.plain import PlainMachine
from tests.engine.netlists import NodeSpec, WireSpec, Words, array, make, node, wire


def word(launch: int, place: int) -> int:
    """What the inputs hold by default."""
    return 100 * launch + place + 1


def words(launch: int, count: int) -> list[int]:
    return [word(launch, k) for k in range(count)]


def machine(net: Netlist, options: Options | None = None, **draws: Callable[[int, int], int]) -> PlainMachine:
    return PlainMachine(net, Words(net, **draws), options)  # type: ignore[arg-type]


def passes(net: Netlist, options: Options | None = None, **draws: Callable[[int, int], int]) -> PlainMachine:
    """The machine after its window, which it must reach."""
    m = machine(net, options, **draws)
    assert m.run() is Stop.WINDOW, m.fault or m.state()
    return m


def fails(net: Netlist, **draws: Callable[[int, int], int]) -> FaultInfo:
    """The fault that the machine must end in."""
    m = machine(net, None, **draws)
    assert m.run() is Stop.FAULT
    assert m.run() is Stop.FAULT
    assert m.fault and m.fault.tick == m.now
    return m.fault


def through(
    *cores: NodeSpec, wires: list[WireSpec], given: int, out: int, more: list[Array] | None = None, **rest: Any
) -> Netlist:
    """A stream ``a`` of ``given`` words, some cores, and a sink ``s`` of ``out`` words."""
    nodes = [node("a", "stream", array="a"), *cores, node("s", "sink", array="out")]
    return make(nodes, wires, [array("a", given), array("out", out, output=True), *(more or [])], **rest)


def straight(core: NodeSpec, given: int, out: int, port: str = "in", words: str = "", **rest: Any) -> Netlist:
    """a → ``core`` → s."""
    wires = [wire("a.value", f"{core.id}.{port}"), wire(f"{core.id}.out{words}", "s.value")]
    return through(core, wires=wires, given=given, out=out, **rest)


# --- steering -----------------------------------------------------------------------------------------------


def test_gate_and_compare() -> None:
    """Words above 2 pass: 3 and 4 of launch 0, all of the others."""
    net = through(
        node("c", "compare", op="gt", b=2),
        node("g", "gate"),
        wires=[
            wire("a.value", "c.a"),
            wire("c.out", "g.cond"),
            wire("a.value", "g.in", length=3),
            wire("g.out", "s.value"),
        ],
        given=4,
        out=2,
    )
    assert passes(net, a=lambda n, k: k + 1, out=lambda n, k: k + 3).window.period_launches > 0


def test_switch_and_mux_keep_the_order() -> None:
    """Odd words go one way and even ones the other; a mux that is told the same puts them together again."""
    net = through(
        node("odd", "and", b=1),
        node("x", "switch"),
        node("t", "mul", b=3),
        node("f", "relay"),
        node("q", "buffer", slots=8),
        node("m", "mux"),
        wires=[
            wire("a.value", "odd.a"),
            wire("a.value", "x.in", length=3),
            wire("odd.out", "x.cond"),
            wire("odd.out", "q.in"),
            wire("x.true", "t.a"),
            wire("x.false", "f.in"),
            wire("q.out", "m.cond"),
            wire("t.out", "m.a"),
            wire("f.out", "m.b"),
            wire("m.out", "s.value"),
        ],
        given=4,
        out=4,
    )
    passes(net, out=lambda n, k: word(n, k) * (3 if word(n, k) % 2 else 1))


def test_guard_drops_or_marks() -> None:
    net = straight(node("g", "guard", limits=(3,), mode="drop"), 4, 2)
    passes(net, a=lambda n, k: k + 1, out=lambda n, k: k + 1)
    net = straight(node("g", "guard", limits=(3,), mode="mark"), 4, 2)
    m = passes(net, a=lambda n, k: 4 - k, out=lambda n, k: 2 - k)
    c = m.counters()
    assert c.firings[1].tolist() == [32, 32, 32]
    assert c.live[1].tolist() == [32, 32, 16]  # the mark itself is paid, the sink of a masked word is not
    # 4, 3, 2, 1, 4 … toggle 3 + 1 + 2 + 2 bits; 2, 1, 2 … toggle 2 + 2, the masked ones between them none.
    assert c.toggles[1].tolist() == [8 * 8, 8 * 4]


def test_repeat_sends_a_group_as_a_sequence() -> None:
    order = [0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3]
    net = straight(node("r", "repeat", times=3, group=2), 4, 12)
    m = passes(net, out=lambda n, k: word(n, order[k]))
    assert m.counters().firings[1].tolist() == [32, 96, 96]
    net = straight(node("r", "repeat", times=3, group=2, append=True), 4, 12, words="[1]")
    passes(net, out=lambda n, k: k // 2 % 3)
    net = straight(node("r", "hold", n=3), 4, 12)
    passes(net, out=lambda n, k: word(n, k // 3))


def test_a_repeat_keeps_its_slots_to_the_last_sending() -> None:
    net = straight(node("r", "repeat", times=2, group=2), 4, 8)
    m = machine(net, out=lambda n, k: word(n, [0, 1, 0, 1, 2, 3, 2, 3][k]))
    # Words come at 100 and 200; sendings are at 100, 200, 300 and 400.
    m.run(399)
    view = m.state().nodes[1]
    assert [p.words for p in view.slots] == [(1,), (2,)]
    assert (view.count, view.group_launch) == (3, 0)
    m.run(400)
    view = m.state().nodes[1]
    assert (view.slots, view.count, view.group_launch) == ((), 0, -1)


def test_take_and_skip() -> None:
    passes(straight(node("t", "take", n=1, of=4), 4, 1), out=word)
    passes(straight(node("t", "skip", n=1, of=4), 4, 3), out=lambda n, k: word(n, k + 1))


def test_counter_counts_for_each_trigger() -> None:
    m = passes(
        straight(node("c", "counter", start=5, n=3, step=-2), 2, 6, port="go"), out=lambda n, k: [5, 3, 1][k % 3]
    )
    c = m.counters()
    assert c.firings[1].tolist() == [16, 48, 48]


def test_deal_and_collect_are_inverse() -> None:
    net = through(
        node("d", "deal", n=2),
        node("x", "mul.serial", b=2),
        node("y", "mul.serial", b=3),
        node("c", "collect", n=2),
        wires=[
            wire("a.value", "d.in"),
            wire("d.o0", "x.a"),
            wire("d.o1", "y.a", length=5),
            wire("x.out", "c.i0"),
            wire("y.out", "c.i1"),
            wire("c.out", "s.value"),
        ],
        given=4,
        out=4,
    )
    m = passes(net, out=lambda n, k: word(n, k) * (2 + k % 2))
    assert m.window.period_ticks == 1600 * m.window.period_launches  # two of them, 800 ticks a word each


def test_tuple_address_and_picks() -> None:
    net = through(
        node("t", "tuple", b=7),
        node("d", "address", words=((1, (2, 1, 0, 0, 0, 0)), (0, (0, 3, 0, 0, 0, 0)))),
        node("m", "mac"),
        wires=[
            wire("a.value", "t.a"),
            wire("t.out", "d.in"),
            wire("d.out", ("m.a", [0]), ("m.b", ["10"]), ("m.c", [1])),
            wire("m.out", "s.value"),
        ],
        given=2,
        out=2,
    )
    m = passes(net, out=lambda n, k: 10 * (2 * word(n, k) + 7 + 1) + 21)
    assert m.netlist.wires[2].words == (0, 1)


# --- groups that are cut ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("core", "count"),
    [
        (node("c", "take", n=1, of=3), 1),
        (node("c", "repeat", times=2, group=3), 1),
        (node("c", "scan", op="add", n=3), 1),
        (node("c", "accumulate", n=3), 1),
        (node("c", "accumulate", n=3, ways=3), 4),
        (node("c", "delay", slots=1, every=3), 1),
    ],
)
def test_a_group_never_spans_two_launches(core: NodeSpec, count: int) -> None:
    """Launches of 4 words and groups of 3 (9 with three ways): word 0 of launch 1 comes into an open group."""
    net = through(
        core,
        node("z", "mul", b=0),
        wires=[wire("a.value", "c.in"), wire("c.out[0]", "z.a"), wire("z.out", "s.value")],
        given=4,
        out=99,
    )
    fault = fails(net, out=lambda n, k: 0)
    assert (fault.code, fault.node, fault.port) == ("open-group", 1, 0)
    assert (fault.launch, fault.other, fault.index, fault.words) == (1, count, (0,), (101,))


def test_mixed_launches_name_both() -> None:
    net = through(
        node("b", "stream", array="b"),
        node("m", "add"),
        wires=[wire("a.value", "m.a"), wire("b.value", "m.b"), wire("m.out", "s.value")],
        given=4,
        out=99,
        more=[array("b", 3)],
    )
    fault = fails(net, out=lambda n, k: 2 * word(n, k))
    assert fault == FaultInfo("mixed-launches", 400, 2, port=1, launch=0, words=(101,), other=1)


# --- delay and headers --------------------------------------------------------------------------------------


def test_delay_shifts_each_launch_by_itself() -> None:
    net = through(
        node("d", "delay", slots=2, every=5, init=-7),
        node("m", "sub"),
        wires=[
            wire("a.value", "d.in"),
            wire("a.value", "m.a", length=2),
            wire("d.out", "m.b"),
            wire("m.out", "s.value"),
        ],
        given=5,
        out=5,
    )
    passes(net, out=lambda n, k: word(n, k) - (word(n, k - 2) if k >= 2 else -7))


def test_an_init_packet_belongs_to_no_launch() -> None:
    m = machine(straight(node("d", "delay", slots=2, every=5, init=-7), 5, 5), out=word)
    assert m.run(0) is Stop.UNTIL
    init = PacketView((-7,), 0, True, -1, -1, 0, False)
    assert [r[0] for r in m.state().nodes[1].results] == [init]  # the other has left at tick 0
    assert m.state().wires[1].packets[0][0] == init
    assert m.run() is Stop.FAULT
    assert m.fault == FaultInfo("no-launch", 100, 2, port=0, words=(-7,))


def test_joined_headers() -> None:
    """Tokens of two blocks meet words without block; an adder of two threads of one block keeps only the block."""
    net = make(
        [
            node("t", "threads", interval=100),
            node("d", "deal", n=2),
            node("m", "add"),
            node("c", "add", b=0),
            node("s", "sink", array="out"),
        ],
        [
            wire("t.token", "d.in"),
            wire("d.o0", "m.a"),
            wire("d.o1", "m.b"),
            wire("d.o1", "c.a"),
            wire("m.out", "s.value"),
        ],
        [array("out", 2, output=True)],
        tokens=[(k,) for k in range(4)],
        block=2,
    )
    m = machine(net, out=lambda n, k: 4 * k + 1)
    m.run(400)
    assert m.state().nodes[2].results[0][0] == PacketView((1,), 0, False, 0, -1, 0, False)
    m.run(600)
    assert m.state().nodes[2].results[0][0] == PacketView((5,), 0, False, 1, -1, 0, False)
    assert m.counters().firings[0, 3] == 2
    assert not m.state().nodes[3].results  # c takes, but yields nothing: its port has no wire
    assert m.run() is Stop.WINDOW


# --- reductions ---------------------------------------------------------------------------------------------


def test_accumulate_in_ways() -> None:
    """Six values, three a sum, two sums that take turns."""
    net = straight(node("r", "accumulate", op="add", n=3, ways=2), 6, 2)
    passes(net, out=lambda n, k: sum(words(n, 6)[k::2]))
    net = straight(node("r", "accumulate", op="max", n=6), 6, 1)
    passes(net, out=lambda n, k: word(n, 5))


@pytest.mark.parametrize("kind", ["accumulate", "relay", "barrier"])
def test_fan_in_goes_on_with_what_waits(kind: str) -> None:
    """Two streams come at the same ticks, then both rest: the second packet is taken one interval after the first."""
    more = {"accumulate": {"op": "add", "n": 1}, "relay": {}, "barrier": {"n": 1}}[kind]
    net = make(
        [
            node("a", "stream", array="a", interval=1000),
            node("b", "stream", array="b", interval=1000),
            node("r", kind, **more),
            node("s", "sink", array="out"),
        ],
        [wire("a.value", "r.in"), wire("b.value", "r.in"), wire("r.out", "s.value")],
        [array("a", 1), array("b", 1), array("out", 2, output=True)],
    )
    m = machine(net, out=word_of_both)
    m.run(199)
    assert m.counters().node_firings[2] == 1
    m.run(200)
    assert m.counters().node_firings[2] == 2
    assert m.run() is Stop.WINDOW


def word_of_both(launch: int, place: int) -> int:
    return 100 * launch + 1


def test_blocks_that_once_differ_stay_so() -> None:
    """Threads of blocks 0, 0, 1 and 1: the sum of all has no block, whatever came last."""
    net = make(
        [node("t", "threads"), node("r", "accumulate", op="add", n=4), node("s", "sink", array="out")],
        [wire("t.token", "r.in"), wire("r.out", "s.value")],
        [array("out", 1, output=True)],
        tokens=[(k,) for k in range(4)],
        block=2,
    )
    m = machine(net, out=lambda n, k: 6)
    m.run(700)
    assert m.state().nodes[1].results[0][0] == PacketView((6,), 0, False, -1, -1, 0, False)


def test_accumulate_until_last() -> None:
    """The value whose cond is true closes; sum 0 leaves then, sum 1 after it, and a sum without values is masked."""
    net = through(
        node("c", "compare", op="eq", b=3),
        node("r", "accumulate", op="add", ways=4),
        wires=[
            wire("a.value", "c.a"),
            wire("c.out", "r.last"),
            wire("a.value", "r.in", length=3),
            wire("r.out", "s.value"),
        ],
        given=3,
        out=3,
    )
    m = passes(net, a=lambda n, k: k + 1, out=lambda n, k: k + 1)
    c = m.counters()
    # The last launch counts in the tick in which its masked sum would come to the sink.
    assert c.firings[1].tolist() == [24, 24, 24 + 24, 8 * 4 - 1]
    assert c.live[1, 3] == 24


def test_scan_and_masks() -> None:
    """Values above 8 are masked: they count, and add nothing; a sum without live values is masked."""
    data = [9, 1, 9, 2, 3, 9]
    net = through(
        node("g", "guard", limits=(9,), mode="mark"),
        node("r", "scan", op="add", n=6),
        wires=[wire("a.value", "g.in"), wire("g.out", "r.in"), wire("r.out", "s.value")],
        given=6,
        out=5,
    )
    passes(net, a=lambda n, k: data[k], out=lambda n, k: [1, 1, 3, 6, 6][k])


# --- memory -------------------------------------------------------------------------------------------------


def grid(*cores: NodeSpec, wires: list[WireSpec], tokens: Sequence[int] = range(4), out: int = 4) -> Netlist:
    """Threads ``t`` of one word, arrays a of 4 and out of ``out`` words, a load ``a`` and a store ``s``."""
    return make(
        [node("t", "threads", interval=100), node("a", "load", array="a"), *cores, node("s", "store", array="out")],
        wires,
        [array("a", 4), array("out", out, output=True)],
        tokens=[(k,) for k in tokens],
    )


COPY = [wire("t.token", "a.at"), wire("a.value", "s.value"), wire("a.at", "s.at")]


def test_load_and_store() -> None:
    m = passes(grid(wires=COPY), out=word)
    assert m.counters().accesses.tolist() == [4, 4]
    assert fails(grid(wires=COPY), out=lambda n, k: 7) == FaultInfo(
        "wrong-value", 400, 2, port=1, launch=0, block=0, thread=0, words=(1,), index=(0,), expected=7, got=1
    )
    fault = fails(grid(wires=COPY, tokens=range(5)), out=word)
    assert (fault.code, fault.node, fault.index, fault.words, fault.thread) == ("outside", 1, (4,), (4,), 4)


def test_what_a_store_refuses() -> None:
    twice = [wire("t.token", "a.at"), wire("a.value", "s.value"), wire("a.at", ("s.at", ["1"]))]
    fault = fails(grid(wires=twice), a=lambda n, k: 5, out=lambda n, k: 5)
    assert (fault.code, fault.port, fault.index, fault.thread) == ("written-twice", 0, (1,), 1)
    fault = fails(grid(wires=COPY, out=3), out=word)
    assert (fault.code, fault.index, fault.words) == ("outside", (3,), (3,))


def test_a_load_of_an_output_gives_what_was_stored() -> None:
    """Each thread stores its word, and stores it again elsewhere as it reads it back."""
    net = make(
        [
            node("t", "threads", interval=100),
            node("x", "store", array="x"),
            node("b", "load", array="x"),
            node("s", "store", array="out"),
        ],
        [
            wire("t.token", "x.at", "x.value"),
            wire("x.done", "b.at"),
            wire("b.value", "s.value"),
            wire("b.at", "s.at"),
        ],
        [array("x", 4, output=True), array("out", 4, output=True)],
        tokens=[(k,) for k in range(4)],
    )
    passes(net, x=lambda n, k: k, out=lambda n, k: k)
    wires = [
        wire("t.token", "x.at", "x.value"),
        wire("t.token", "b.at"),
        wire("b.value", "s.value"),
        wire("b.at", "s.at"),
    ]
    late = make(
        [
            node("t", "threads", interval=100),
            node("b", "load", array="x"),
            node("x", "store", array="x"),
            node("s", "store", array="out"),
        ],
        wires,
        net.arrays,
        tokens=[(k,) for k in range(4)],
    )
    fault = fails(late, x=lambda n, k: k, out=lambda n, k: k)
    assert (fault.code, fault.node, fault.index, fault.tick) == ("unwritten", 1, (0,), 100)


def test_masked_loads_and_stores() -> None:
    """Six threads on four words: the guard marks two. Nothing is read or written for them."""
    wires = [wire("t.token", "g.in"), wire("g.out", "a.at"), *COPY[1:]]
    net = grid(node("g", "guard", limits=(4,), mode="mark"), wires=wires, tokens=[5, 0, 4, 1, 2, 3])
    m = passes(net, out=word)
    c = m.counters()
    assert c.firings[1].tolist() == [48, 48, 48, 48]
    assert c.live[1].tolist() == [48, 32, 48, 32]
    assert c.accesses.tolist() == [4, 4]


def test_a_masked_load_with_other_has_a_live_value() -> None:
    """The value is the other word, live; the echo stays masked and its words are 0."""
    wires = [wire("t.token", "g.in"), wire("g.out", "a.at"), wire("a.value", "q.in"), wire("a.at", "r.in")]
    net = make(
        [
            node("t", "threads", interval=400),
            node("a", "load", array="a", other=77),
            node("g", "guard", limits=(1,), mode="mark"),
            node("q", "relay"),
            node("r", "relay"),
        ],
        wires,
        [array("a", 4), array("out", 4, output=True)],
        tokens=[(0,), (1,)],
    )
    m = machine(net, out=word)
    m.run(800)  # thread 1 leaves the guard at 600, is loaded at 700, and its result is ready at 900
    result = m.state().nodes[1].results[0]
    assert result == (PacketView((77, 0), 0, False, 0, 1, 0, True), 900, -1)
    m.run(950)
    value, echo = (w.packets[0][0] for w in m.state().wires[2:])
    assert value == PacketView((77,), 0, False, 0, 1, 0, False)
    assert echo == PacketView((0,), 0, False, 0, 1, 0, True)


def test_an_echo_is_the_packet_as_it_came() -> None:
    net = make(
        [
            node("t", "threads", interval=400),
            node("a", "load", array="a"),
            node("s", "store", array="out"),
        ],
        [wire("t.token", ("a.at", [1])), wire("a.value", "s.value"), wire("a.at", ("s.at", [0]))],
        [array("a", 4), array("out", 4, output=True)],
        tokens=[(3 - k, k) for k in range(4)],
    )
    passes(net, out=lambda n, k: word(n, 3 - k))


def test_a_sink_takes_no_word_too_many() -> None:
    net = straight(node("r", "hold", n=2), 2, 2)
    fault = fails(net, a=lambda n, k: 5, out=lambda n, k: 5)
    assert (fault.code, fault.launch, fault.other, fault.got, fault.words) == ("extra-word", 0, 2, 5, (5,))


def test_lost_words_name_the_last_that_dropped_one() -> None:
    """Of four words two pass; the launch lacks one of three when its last packet is dropped."""
    net = through(
        node("g", "guard", limits=(3,), mode="drop"),
        node("r", "relay"),
        wires=[wire("a.value", "g.in"), wire("g.out", "r.in"), wire("r.out", "s.value")],
        given=4,
        out=3,
    )
    fault = fails(net, a=lambda n, k: k + 1, out=lambda n, k: k + 1)
    # The sink takes word 2 at 600; the last one was dropped at 400, while that was on its way.
    assert fault == FaultInfo("lost-words", 600, 3, launch=0, other=1, other_node=1)


@pytest.mark.parametrize(
    ("core", "port", "data", "code", "where"),
    [
        (node("c", "div", b=0), "a", 6, "divide-by-zero", 1),
        (node("c", "mod", b=0), "a", 6, "divide-by-zero", 1),
        (node("c", "mul", b=0x7F000000, is_float=True), "a", 0x7F000000, "not-finite", -1),
        (node("c", "exp", is_float=True), "a", 0x42C80000, "not-finite", -1),
        (node("c", "accumulate", op="max", n=2, is_float=True), "in", 0x7F800000, "not-finite", -1),
        (node("c", "scan", op="add", n=2, is_float=True), "in", 0x7F800000, "not-finite", -1),
    ],
)
def test_arithmetic_without_a_result(core: NodeSpec, port: str, data: int, code: str, where: int) -> None:
    fault = fails(straight(core, 4, 4, port=port), a=lambda n, k: data, out=lambda n, k: 0)
    assert (fault.code, fault.node, fault.port, fault.tick) == (code, 1, where, 100)
    assert fault.got == (0x7F800000 if code == "not-finite" else 0)


def test_a_fault_changes_nothing() -> None:
    m = machine(straight(node("c", "div", b=0), 4, 4, port="a"), out=word)
    assert m.run() is Stop.FAULT
    assert m.counters().node_firings.tolist() == [2, 0, 0]
    assert len(m.state().wires[0].packets) == 2
    assert m.events == 2


# --- shared memory ------------------------------------------------------------------------------------------


def mirror(
    *middle: NodeSpec, every: int = 100, length: int = 1, pages: int = 1, reads: int = 4, count: int = 4
) -> Netlist:
    """Each thread writes its number to the memory, and reads cell 3 − number after the cores of ``middle``."""
    path = ["m.write.done", *[f"{n.id}.out" for n in middle], "x.out"]
    ends = [*[f"{n.id}.in" for n in middle], "x.in", "m.read.at"]
    return make(
        [
            node("t", "threads", interval=every),
            node("v", "add", b=10),
            node("m", "shared", words=4, pages=pages, reads=reads),
            node("x", "address", words=((3, (-1, 0, 0, 0, 0, 0)),)),
            *middle,
            node("s", "sink", array="out"),
        ],
        [
            wire("t.token", "m.write.at"),
            wire("t.token", "v.a"),
            wire("v.out", "m.write.value"),
            *[wire(a, b, length=length if k == 0 else 1) for k, (a, b) in enumerate(zip(path, ends, strict=True))],
            wire("m.read.value", "s.value"),
        ],
        [array("out", count, output=True)],
        tokens=[(k % 4,) for k in range(count)],
        block=4,
    )


def test_the_mirror_needs_a_barrier() -> None:
    """Too early: unwritten. In time by luck: a race. With a barrier: right."""

    def out(n: int, k: int) -> int:
        return 13 - k % 4

    fault = fails(mirror(every=400), out=out)
    assert (fault.code, fault.node, fault.block, fault.thread, fault.index) == ("read-before-write", 3, 0, 0, (3,))
    fault = fails(mirror(length=12), out=out)
    assert (fault.code, fault.other, fault.other_node, fault.thread, fault.index) == ("race", 3, 2, 0, (3,))
    passes(mirror(node("b", "barrier", n=4)), out=out)
    passes(mirror(node("b", "barrier", n=4), pages=2, count=8), out=out)


def test_a_page_is_given_back_after_its_reads() -> None:
    fault = fails(mirror(node("b", "barrier", n=4), reads=3), out=lambda n, k: 13 - k)
    assert (fault.code, fault.thread, fault.index, fault.launch) == ("given-back", 3, (0,), 0)


def test_a_block_waits_for_a_free_page() -> None:
    """Two blocks and one page: the second block's first write fires in the tick after the first one's last read."""
    m = machine(mirror(node("b", "barrier", n=4), count=8), out=lambda n, k: 13 - k % 4)
    m.run(700)
    assert m.state().pages == (((0, 0, 0, 4),),)
    while m.state().pages[0][0][0] >= 0:
        assert m.step() is Stop.UNTIL
    freed = m.now
    assert m.step() is Stop.UNTIL
    assert m.now == freed + 1 == m.state().nodes[2].last_firing
    assert m.state().pages == (((0, 1, 0, 1),),)
    assert m.run() is Stop.WINDOW


def test_overwrite_and_outside() -> None:
    def net(words: list[int | str]) -> Netlist:
        return make(
            [
                node("t", "threads", interval=100),
                node("m", "shared", words=4, reads=4, **{"read.at": (0,)}),
                node("s", "sink", array="out"),
            ],
            [wire("t.token", ("m.write.at", words), ("m.write.value", [0])), wire("m.write.done", "s.value")],
            [array("out", 4, output=True)],
            tokens=[(k,) for k in range(5)],
        )

    fault = fails(net(["2"]), out=lambda n, k: 0)
    assert (fault.code, fault.thread, fault.other, fault.other_node, fault.index) == ("overwrite", 1, 0, 1, (2,))
    fault = fails(net([0]), out=lambda n, k: k)
    assert (fault.code, fault.port, fault.index, fault.words) == ("shared-outside", 0, (4,), (4,))


# --- barriers -----------------------------------------------------------------------------------------------


def test_a_barrier_lets_a_block_go_at_once() -> None:
    net = straight(node("b", "barrier", n=4), 4, 4)
    m = machine(net, out=word)
    # Words come at 100 … 400; it opens at 400, they are ready at 500, and it has taken the next launch's by then.
    m.run(499)
    view = m.state().nodes[1]
    assert [(r[0].words, r[0].barriers, r[1]) for r in view.results] == [((k,), 1, 500) for k in (1, 2, 3, 4)]
    assert view.slots == ()
    m.run(799)
    view = m.state().nodes[1]
    assert [r[0].words for r in view.results] == [(4,)]
    assert [p.words for p in view.slots] == [(101,), (102,), (103,)]
    m.run(800)  # the last one leaves, the fourth comes, and it opens again
    view = m.state().nodes[1]
    assert [(r[0].words, r[1]) for r in view.results] == [((k,), 900) for k in (101, 102, 103, 104)]
    assert view.slots == ()
    assert m.run() is Stop.WINDOW
    c = m.counters()
    assert c.firings[1].tolist() == [32, 32, 32]


def test_a_dropped_packet_deadlocks_a_barrier() -> None:
    net = through(
        node("g", "guard", limits=(4,), mode="drop"),
        node("b", "barrier", n=4),
        wires=[wire("a.value", "g.in"), wire("g.out", "b.in"), wire("b.out", "s.value")],
        given=4,
        out=4,
    )
    m = machine(net, a=lambda n, k: k + 1, out=word)
    assert m.run() is Stop.DEADLOCK
    assert [p.words for p in m.state().nodes[2].slots] == [(1,), (2,), (3,)]
    assert m.state().wires[1].packets[0][0].launch == 1  # the next launch waits outside


def test_a_barrier_with_arrivals() -> None:
    """b: packets at ``in`` pass when the block's four have arrived on a road of twelve tiles; one round is ahead."""
    nodes = node("b", "barrier", n=2, ahead=1)
    net = through(
        nodes,
        wires=[wire("a.value", "b.in"), wire("a.value", "b.arrive", length=12), wire("b.out", "s.value")],
        given=4,
        out=4,
    )
    m = machine(net, out=word)
    m.run(1299)
    # Words 0 and 1 pass at 100 and 200 (ahead); word 0 and 1 arrive at 1200 and 1300, then word 2 passes.
    assert m.counters().node_firings[1] == 2 + 1
    m.run(1300)
    view = m.state().nodes[1]
    assert [(r[0].words, r[0].barriers) for r in view.results] == [((3,), 1)]
    assert m.counters().node_firings[1] == 2 + 2 + 1
    assert m.run() is Stop.WINDOW
    assert m.counters().firings[1, 1] == 64
