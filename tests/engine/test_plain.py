"""The plain engine against numbers worked out by hand: wires, rates, sources, groups, windows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from engine.machine import Options, Stop
from engine.netlist import Netlist
from engine.plain import PlainMachine
from tests.engine.netlists import NodeSpec, Words, array, make, node, wire

Draw = Callable[[int, int], int]


def machine(net: Netlist, options: Options | None = None, **outputs: Draw) -> PlainMachine:
    return PlainMachine(net, Words(net, **outputs), options)  # type: ignore[arg-type]


def word(launch: int, place: int) -> int:
    """What the inputs hold by default."""
    return 100 * launch + place + 1


def traffic(m: PlainMachine, wires: list[int], until: int) -> list[tuple[list[int], list[int]]]:
    """Entry and departure ticks on each of ``wires``, up to ``until``."""
    found: list[tuple[list[int], list[int]]] = [([], []) for _ in wires]
    while m.now < until and m.step() in (Stop.UNTIL, Stop.WINDOW, Stop.EXTENSION):
        views = m.state().wires
        for (entries, exits), w in zip(found, wires, strict=True):
            if views[w].last_entry == m.now and m.now not in entries[-1:]:
                entries.append(m.now)
            if views[w].last_exit == m.now and m.now not in exits[-1:]:
                exits.append(m.now)
    return found


def line(*middle: NodeSpec, words: int = 4, every: int = 100, **more: object) -> Netlist:
    """a → the cores of ``middle``, by their first ports → a sink, on wires of one tile."""
    first = {"select": "cond", "repeat": "in"}
    stops = [f"{n.id}.{first.get(n.kind, 'a' if n.kind in ('add', 'mul', 'div') else 'in')}" for n in middle]
    starts = ["a.value", *[f"{n.id}.out" for n in middle]]
    return make(
        [node("a", "stream", array="a", interval=every), *middle, node("s", "sink", array="out", interval=10)],
        [wire(x, y) for x, y in zip(starts, [*stops, "s.value"], strict=True)],
        [array("a", words), array("out", int(more.pop("out", words)), output=True)],  # type: ignore[call-overload]
        **more,  # type: ignore[arg-type]
    )


# --- wires --------------------------------------------------------------------------------------------------


def test_a_full_wire_closes_up_and_then_runs_at_its_rate() -> None:
    """Length 3, a word per 100 ticks, a consumer that opens at 1000: the second road's first word comes then."""
    net = make(
        [
            node("a", "stream", array="a"),
            node("b", "stream", array="b"),
            node("m", "add"),
            node("s", "sink", array="out"),
        ],
        [wire("a.value", "m.a", length=3), wire("b.value", "m.b", length=10), wire("m.out", "s.value")],
        [array("a", 40), array("b", 40), array("out", 40, output=True)],
    )
    m = machine(net, out=lambda n, k: 2 * word(n, k))
    ((entries, exits),) = traffic(m, [0], 1600)
    assert entries == [0, 100, 200, 300, 1100, 1200, 1300, 1400, 1500, 1600]
    assert exits == [1000, 1100, 1200, 1300, 1400, 1500, 1600]


def test_words_toggle_bits_against_the_word_before() -> None:
    net = line(node("r", "relay"), words=3)
    m = machine(net, out=word)
    m.run(350)
    # 1, 2, 3 enter at 0, 100, 200: 1, 2 and 1 bits change; then 101 = 0b1100101 against 3 changes 4.
    assert m.counters().entries[0, 0] == 4
    assert m.counters().toggles[0, 0] == 1 + 2 + 1 + 4


def test_a_stopped_wire_takes_nothing_and_the_fork_before_it_waits() -> None:
    net = make(
        [node("a", "stream", array="a"), node("s", "sink", array="out"), node("t", "sink", array="out")],
        [wire("a.value", "s.value"), wire("a.value", "t.value", every=0)],
        [array("a", 4), array("out", 4, output=True)],
    )
    m = machine(net, out=word)
    assert m.run() is Stop.DEADLOCK
    assert m.now == 100  # the copy on the other wire has been taken
    assert m.run() is Stop.DEADLOCK
    state = m.state()
    assert state.nodes[0].taken == (0,)
    assert state.nodes[0].results[0][0].words == (1,)
    assert not state.wires[1].packets


def test_fan_in_serves_what_came_first() -> None:
    """Two roads of 1 and 4 tiles at one port: words of the short one come at 100 and 400, of the long one at 400."""
    net = make(
        [
            node("a", "stream", array="a", interval=300),
            node("b", "stream", array="b", interval=300),
            node("s", "sink", array="out", interval=10),
        ],
        [wire("b.value", "s.value", length=4), wire("a.value", "s.value")],
        [array("a", 2), array("b", 2), array("out", 4, output=True)],
    )
    order = [
        1,
        11,
        2,
        12,
    ]  # at 100, 400, 400 and 700: of a tie the wire that stands first goes first, a tick is between
    m = PlainMachine(net, Words(net, a=lambda n, k: k + 1, b=lambda n, k: k + 11, out=lambda n, k: order[k]))
    assert m.run(750) is Stop.UNTIL
    assert traffic(
        machine(net, a=lambda n, k: k + 1, b=lambda n, k: k + 11, out=lambda n, k: order[k]), [0, 1], 720
    ) == [
        ([0, 300, 600], [400, 700]),
        ([0, 300, 600], [100, 410, 710]),
    ]


def test_positions_of_packets_for_drawing() -> None:
    net = line(node("r", "relay"))
    m = machine(net, out=word)
    m.run(130)  # word 1 entered at 0, left at 100; word 2 entered at 100; word 1 leaves the relay at 200
    drawn = m.packets(150)
    assert drawn.wire.tolist() == [0]
    assert drawn.position.tolist() == [0.5]
    assert drawn.value.tolist() == [2]
    m.run(200)
    drawn = m.packets(200)
    assert (drawn.wire.tolist(), drawn.position.tolist(), drawn.value.tolist()) == ([0, 1], [0.0, 0.0], [3, 1])


# --- rates --------------------------------------------------------------------------------------------------


def fork(short: list[NodeSpec], words: int = 3) -> Netlist:
    """One source on a road of 10 tiles and a short one, which meet again at an adder."""
    path = ["a.value", *[f"{n.id}.out" for n in short]]
    ends = [*[f"{n.id}.in" for n in short], "m.b"]
    return make(
        [node("a", "stream", array="a"), *short, node("m", "add"), node("s", "sink", array="out")],
        [
            wire("a.value", "m.a", length=10),
            *[wire(x, y) for x, y in zip(path, ends, strict=True)],
            wire("m.out", "s.value"),
        ],
        [array("a", words), array("out", words, output=True)],
        warmup=4,
    )


def test_unequal_roads_are_slow_and_room_makes_them_equal() -> None:
    """The short road holds two words and the source a third, whose copy is already on the long road, 1100 ticks."""
    m = machine(fork([]), out=lambda n, k: 2 * word(n, k))
    assert m.run() is Stop.WINDOW
    assert (m.window.period_launches, m.window.period_ticks) == (1, 1100)
    m = machine(fork([node("q", "buffer", slots=11)]), out=lambda n, k: 2 * word(n, k))
    assert m.run() is Stop.WINDOW
    assert m.window.period_ticks == 300 * m.window.period_launches


def test_a_loop_with_one_token_turns_once_in_three_ns() -> None:
    """A running sum of one adder and one delay, 1 cycle each, on wires of half a cycle: 100 + 50 + 100 + 50 ticks."""
    net = make(
        [
            node("a", "stream", array="a", interval=10),
            node("m", "add"),
            node("d", "delay", slots=1, every=4),
            node("s", "sink", array="out", interval=10),
        ],
        [
            wire("a.value", "m.a"),
            wire("d.out", "m.b", every=50),
            wire("m.out", "d.in", every=50),
            wire("m.out", "s.value"),
        ],
        [array("a", 4), array("out", 4, output=True)],
    )
    m = machine(net, out=lambda n, k: sum(word(n, i) for i in range(k + 1)))
    assert m.run() is Stop.WINDOW
    assert m.window.period_ticks == 4 * 300 * m.window.period_launches
    assert m.counters().accesses.tolist() == [0, 0]


def test_far_memory_has_forty_in_flight() -> None:
    net = make(
        [
            node("t", "threads", interval=100),
            node("a", "load", array="a", latency=4000, interval=100),
            node("s", "sink", array="out"),
        ],
        [wire("t.token", "a.at"), wire("a.value", "s.value")],
        [array("a", 8), array("out", 8, output=True)],
        tokens=[(k,) for k in range(8)],
    )
    m = machine(net, out=word)
    m.run(4099)
    assert len(m.state().nodes[1].results) == 40  # fired at 100, 200 … 4000
    assert m.run() is Stop.WINDOW
    assert m.window.period_ticks == 800
    assert len(m.state().nodes[1].results) == 40
    assert m.counters().accesses.tolist() == [8, 0]


def test_starved_time_is_booked_to_the_port_that_came_last() -> None:
    """b has a word every 300 ticks, a every 100: the adder fires at 100, 400, 700 …, busy for 100 after each."""
    net = make(
        [
            node("a", "stream", array="a"),
            node("b", "stream", array="b", interval=300),
            node("m", "add"),
            node("s", "sink", array="out"),
        ],
        [wire("a.value", "m.a"), wire("b.value", "m.b"), wire("m.out", "s.value")],
        [array("a", 100), array("b", 100), array("out", 100, output=True)],
    )
    m = machine(net, out=lambda n, k: 2 * word(n, k))
    m.run(1000)
    c = m.counters()
    assert (c.busy[2], c.blocked[2], c.starved[2]) == (300, 0, 700)
    # 0 … 100: both came at 100, which is the first port's; then 200 … 400, 500 … 700, 800 … 1000 are b's.
    assert c.starved_by_port[2].tolist() == [100, 600]
    # Words of a are made at 0, 100, 200, 300, 500 and 800, and enter at 0, 100, 200, 500, 800: the wire is full.
    assert (c.node_firings[0], c.node_firings[1]) == (6, 4)
    assert (c.busy[0], c.blocked[0], c.starved[0]) == (300, 200 + 300 + 200, 0)
    # They are available at 100, 200, 500 and 800 (a pitch behind the one before), and leave at 100, 400, 700, 1000.
    assert c.wire_waits[0] == 0 + 200 + 200 + 200


def test_a_result_that_cannot_leave_blocks() -> None:
    net = line(node("r", "relay"), words=100)
    net = make(
        [node("a", "stream", array="a"), node("r", "relay"), node("s", "sink", array="out", interval=1000)],
        [wire("a.value", "r.in"), wire("r.out", "s.value")],
        net.arrays,
    )
    m = machine(net, out=word)
    m.run(2000)
    c = m.counters()
    # Words 0, 1, 2 leave at 200, 300, 400: the sink has fired at 300, and the wire is full. Word 3, ready at 500, goes
    # 100 after the sink's next firing at 1300; word 4 would at 2400. Before 100 there is nothing to do.
    assert (c.starved[1], c.busy[1], c.blocked[1]) == (100, 400, 1400 - 500 + 2000 - 1400)


# --- sources ------------------------------------------------------------------------------------------------


def test_a_burst_rests_after_its_last_words_own_interval() -> None:
    net = line(node("r", "relay"), words=8)
    a = net.nodes[0]
    net = make(
        [node("a", "stream", array="a", burst=(4, 600)), node("s", "sink", array="out")],
        [wire("a.value", "s.value")],
        net.arrays,
        warmup=2,
    )
    assert a.params["burst"] is None
    m = machine(net, out=word)
    ((entries, _),) = traffic(m, [0], 2000)
    assert entries == [0, 100, 200, 300, 1000, 1100, 1200, 1300, 2000]
    assert m.run() is Stop.WINDOW
    assert m.window.period_ticks == 2000 * m.window.period_launches


def test_a_hoard_of_sixteen_launches_does_not_deceive_the_window() -> None:
    """Sixteen launches come at once, then nothing: the window is whole periods of sixteen, whatever was asked."""
    net = make(
        [node("a", "stream", array="a", interval=10, burst=(16, 9840)), node("s", "sink", array="out", interval=10)],
        [wire("a.value", "s.value", every=10)],
        [array("a", 1), array("out", 1, output=True)],
        warmup=3,
        measured=5,
    )
    m = machine(net, out=word)
    assert m.run() is Stop.WINDOW
    w = m.window
    assert (w.period_launches, w.period_ticks) == (16, 10_000)
    assert w.last - w.first + 1 == 16
    ticks = m.completions()
    assert ticks[w.last] - ticks[w.first - 1] == 10_000 == m.now - w.start_tick


def test_a_pad_runs_at_most_256_launches_ahead() -> None:
    net = make(
        [
            node("a", "stream", array="a", interval=10),
            node("b", "stream", array="b", interval=10),
            node("s", "sink", array="x", interval=10),
            node("t", "sink", array="y", interval=10),
        ],
        [wire("a.value", "s.value", every=10), wire("b.value", "t.value", every=0)],
        [array("a", 1), array("b", 1), array("x", 1, output=True), array("y", 1, output=True)],
    )
    m = machine(net, x=word, y=word)
    assert m.run() is Stop.DEADLOCK
    assert m.issued == 256
    assert m.now == 2550 + 10  # word 256 entered at 2550


def test_launches_are_let_go_and_their_words_with_them() -> None:
    m = machine(line(node("r", "relay"), words=1, measured=3000), Options(period_search=False), out=word)
    assert m.run() is Stop.WINDOW
    assert m.completed > 3000
    assert len(m._launches) < 10
    assert len(m._inputs.chunks) <= 8
    assert m.completions().tolist() == [400 + 100 * n for n in range(m.completed)]


def test_a_pad_goes_on_in_the_tick_after_a_launch_is_let_go() -> None:
    """b gives a launch per 1000 ticks, a one per 10: after the first 256 a follows b."""
    net = make(
        [
            node("a", "stream", array="a", interval=10),
            node("b", "stream", array="b", interval=1000),
            node("s", "sink", array="x", interval=10),
            node("t", "sink", array="y", interval=10, latency=10),
        ],
        [wire("a.value", "s.value", every=10), wire("b.value", "t.value", every=10)],
        [array("a", 1), array("b", 1), array("x", 1, output=True), array("y", 1, output=True)],
        measured=500,
    )
    m = machine(net, x=word, y=word)
    ((entries, _),) = traffic(m, [0], 8000)
    # Launch k counts, and goes, 20 ticks after b's word of it at 1000 k; launch 0 alone waits for a's sink (110).
    # By tick 2550 launches 0 … 2 are gone, so a has 259 launches without waiting, up to 2580; then one for each.
    assert entries[:259] == [10 * n for n in range(259)]
    assert entries[259:] == [3021, 4021, 5021, 6021, 7021]


# --- jitter -------------------------------------------------------------------------------------------------


def test_jitter_is_the_formula_of_the_model() -> None:
    net = line(node("m", "mul", b=3), words=4)
    m = machine(net, Options(jitter_seed=7), out=lambda n, k: 3 * word(n, k))
    golden = 0x9E3779B97F4A7C15

    def scramble(z: int) -> int:
        with np.errstate(over="ignore"):
            x = np.uint64(z % 2**64)
            x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            return int(x ^ (x >> np.uint64(31)))

    ready = []
    for n in range(3):
        high = scramble(scramble(7 + golden * (4 * 1 + 1)) + golden * (n + 1)) >> 32
        ready.append(100 + 100 * n + 300 + (301 * high >> 32))
    m.run(300)
    assert [r[1] for r in m.state().nodes[1].results] == ready
    assert len(set(ready)) == 3
    assert m.run() is Stop.WINDOW
    assert m.window.period_launches == 0


# --- window, stops, snapshots -------------------------------------------------------------------------------


def test_the_nominal_window_and_its_extension() -> None:
    """One launch of 4 words per 400 ticks; launch k is issued at 400 k and counts at 400 k + 600."""
    net = line(node("r", "relay"), node("q", "relay"), warmup=3, measured=10, every=100)
    m = machine(net, Options(period_search=False), out=word)
    assert m.run() is Stop.WINDOW
    w = m.window
    # c(2) = 300 + 3·100 + 2·100 + 100 + 800 = 1700: launches 0 … 4 are issued, of which 3 and 4 are in flight.
    assert m.completions()[:3].tolist() == [900, 1300, 1700]
    assert (w.first, w.last, w.extended_last, w.in_flight) == (5, 44, 84, 2)
    assert w.start_tick == 900 + 4 * 400
    assert m.now == m.completions()[44] == 900 + 44 * 400
    c = m.counters()
    assert c.node_firings[0] * 100 == m.now - w.start_tick  # steps 2 to 4 of the last tick are not done yet
    assert c.firings[0].tolist() == [20] * 4
    assert c.firings[1].tolist() == [160] * 4
    assert c.latency_worst == 900
    assert c.latencies.tolist() == [900] * 40
    assert m.run() is Stop.EXTENSION
    assert m.now == 900 + 84 * 400
    assert m.counters().firings[2].tolist() == [160] * 4
    assert m.run(m.now + 1000) is Stop.UNTIL


def test_the_period_gives_the_window() -> None:
    net = line(node("r", "relay"), node("q", "relay"), warmup=3, measured=10)
    m = machine(net, out=word)
    assert m.run() is Stop.WINDOW
    # The state at 1700 is the first reference, 2100 is equal to it; then launches 0 … 5 have been issued.
    assert (m.window.period_launches, m.window.period_ticks) == (1, 400)
    assert (m.window.first, m.window.last, m.window.extended_last) == (6, 15, 25)
    c = m.counters()
    assert c.firings[:, 0].tolist()[:2] == [24, 40]
    assert c.busy[1] + c.blocked[1] + c.starved[1] == 4000 == m.now - m.window.start_tick


def test_a_pad_without_a_wire_does_not_hide_the_period() -> None:
    net = make(
        [node("a", "stream", array="a"), node("b", "stream", array="b"), node("s", "sink", array="out")],
        [wire("a.value", "s.value")],
        [array("a", 4), array("b", 4), array("out", 4, output=True)],
    )
    m = machine(net, out=word)
    assert m.run() is Stop.WINDOW
    assert (m.window.period_launches, m.window.period_ticks) == (1, 400)
    assert m.counters().firings[:, 1].tolist() == [0, 0, 0, 0]


def test_until_deadlock_and_timeout() -> None:
    net = line(node("r", "relay"), time_limit=1234)
    m = machine(net, out=word)
    assert m.run(0) is Stop.UNTIL
    assert m.now == 0
    assert m.run(55) is Stop.UNTIL
    assert m.now == 55
    assert m.run(50) is Stop.UNTIL
    assert m.now == 55
    assert m.run(5000) is Stop.TIMEOUT
    assert m.now == 1234
    assert m.run() is Stop.TIMEOUT


def looping() -> Netlist:
    return make(
        [
            node("t", "threads", interval=100),
            node("a", "load", array="a"),
            node("m", "add"),
            node("d", "delay", slots=1, every=4),
            node("s", "store", array="out"),
            node("q", "buffer", slots=12),
        ],
        [
            wire("t.token", "a.at"),
            wire("a.value", "m.a", length=2),
            wire("d.out", "m.b", every=50),
            wire("m.out", "d.in", every=50),
            wire("m.out", "s.value"),
            wire("a.at", "q.in"),
            wire("q.out", "s.at"),
        ],
        [array("a", 4), array("out", 4, output=True)],
        tokens=[(k,) for k in range(4)],
        measured=6,
    )


@pytest.mark.parametrize("at", [0, 137, 2000, 5155])
def test_a_machine_goes_back_exactly(at: int) -> None:
    options = Options(digests=True, jitter_seed=at % 2 or None)
    m = machine(looping(), options, out=lambda n, k: sum(word(n, i) for i in range(k + 1)))

    def story() -> list[object]:
        stops = [m.run(), m.run()]
        c = m.counters()
        arrays = [getattr(c, name) for name in c.__slots__]
        lists = [a.tolist() if isinstance(a, np.ndarray) else a for a in arrays]
        return [stops, m.now, m.events, lists, m.digests().tolist(), m.completions().tolist(), m.state(), str(m.window)]

    m.run(at)
    before, saved = m.state(), m.snapshot()
    first = story()
    assert first[0] == [Stop.WINDOW, Stop.EXTENSION]
    end = m.snapshot()
    for _ in range(2):
        m.restore(saved)
        assert m.state() == before
        assert story() == first
    m.restore(end)
    assert m.state() == first[6]
    assert m.run(m.now) is Stop.UNTIL


def test_stepping_is_running() -> None:
    def sums(n: int, k: int) -> int:
        return sum(word(n, i) for i in range(k + 1))

    ran, stepped = (machine(looping(), Options(digests=True), out=sums) for _ in range(2))
    assert ran.run() is Stop.WINDOW
    while stepped.step() is Stop.UNTIL:
        pass
    assert (ran.now, ran.events) == (stepped.now, stepped.events)
    assert ran.digests().tolist() == stepped.digests().tolist()
    assert ran.state() == stepped.state()


def test_events_are_firings_and_departures() -> None:
    m = machine(line(node("r", "relay")), out=word)
    m.run(1000)
    c = m.counters()
    held = sum(len(w.packets) for w in m.state().wires)
    assert m.events == c.node_firings.sum() + c.wire_entries.sum() - held


def test_a_digest_is_of_all_departures() -> None:
    """Words 1, 2, 3, 4 of launch 0 leave the first wire at 100, 200, 300, 400."""
    m = machine(line(node("r", "relay")), Options(digests=True), out=word)
    m.run(499)
    golden, below = 0x9E3779B97F4A7C15, 2**64

    def scramble(z: int) -> int:
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % below
        z = (z ^ z >> 27) * 0x94D049BB133111EB % below
        return z ^ z >> 31

    d = 0
    for k in range(4):
        d = scramble((d + golden * (100 * (k + 1) + 1)) % below)
        d = scramble((d + golden * 2) % below)
        d = scramble((d + golden + k + 1) % below)
    assert m.digests()[0] == d
