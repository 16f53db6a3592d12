"""Bits that come late: how many, which ones, the same in both engines, and named where they make a fault."""

from __future__ import annotations

import random
from dataclasses import replace
from statistics import median
from typing import Any

import numpy as np
import pytest

from engine.faults import explain_fault
from engine.kernel import CompiledMachine
from engine.machine import KEPT_LATE, Cause, LateWord, Machine, Options, Stop
from engine.netlist import Netlist
from engine.plain import PlainMachine
from engine.plain.late import CORE, LateBits, LateLines
from engine.technology import technology
from tests.engine.netlists import Words, array, make, node, wire

SAFE = technology("n45").supply.safe_millitick[900]
ENGINES = (PlainMachine, CompiledMachine)
WORDS = 16


def ppm(safe_ticks: int, ticks: int) -> int:
    return safe_ticks * 1_000_000 // ticks - 1_000_000


class Seeded(Words):
    """Words of any pattern, and a seed."""

    def __init__(self, net: Netlist, seed: int, **functions: Any) -> None:
        super().__init__(net, s=pattern, **functions)
        self.seed = seed


def pattern(launch: int, k: int) -> int:
    return (launch * WORDS + k + 1) * 0x9E3779B1 % 2**32


def line(clock: int = 100, every: int = 100, keep: int = 2**31 - 1) -> Netlist:
    """s → relay r → and with ``keep`` → out: what is late in bit 31 of the relay or its last wire does no harm."""
    net = make(
        [
            node("s", "stream", array="s"),
            node("r", "relay", latency=clock, interval=clock),
            node("m", "and", b=keep),
            node("out", "sink", array="out"),
        ],
        [wire("s.value", "r.in"), wire("r.out", "m.a", every=every), wire("m.out", "out.value")],
        [array("s", WORDS), array("out", WORDS, output=True)],
        measured=40,
    )
    index = next(i for i, n in enumerate(net.nodes) if n.id == "r")
    nodes, wires = list(net.nodes), list(net.wires)
    nodes[index] = replace(nodes[index], clock_ticks=clock, safe_millitick=SAFE)
    wires[1] = replace(wires[1], safe_millitick=SAFE // 2)
    return replace(net, nodes=tuple(nodes), wires=tuple(wires), physics=("dvfs",))


def machine(engine: Any, net: Netlist, seed: int = 5, keep: int = 2**31 - 1, **options: Any) -> Machine:
    made: Machine = engine(net, Seeded(net, seed, out=lambda n, k: pattern(n, k) & keep), Options(**options))
    return made


def finish(machine: Machine) -> Stop:
    stop = machine.run()
    return machine.run() if stop is Stop.WINDOW else stop


# --- how often ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clock", "one", "two"), [(79, 0.18, 0), (76, 0.33, 0), (72, 0.5, 0), (67, 0.5, 0), (66, 0.5, 0.08)]
)
def test_share_of_wrong_words_of_a_core(clock: int, one: float, two: float) -> None:
    """At 900 mV, safe to 80 ticks: the measured shares of the model."""
    late = LateBits(1, CORE, 3, ppm(80, clock))
    bits = [late.masks(n, 1)[0].bit_count() for n in range(6000)]
    wrong = sum(b > 0 for b in bits) / len(bits)
    assert wrong == pytest.approx(one if not two else 1 - 0.5 * (1 - 2 * two), abs=0.02)
    assert sum(b > 1 for b in bits) / len(bits) == pytest.approx(two, abs=0.015)
    assert {late.masks(n, 1)[0] >> 31 for n in range(50)} == {0, 1}


@pytest.mark.parametrize(("every", "share"), [(39, 0.11), (37, 0.23), (36, 0.25)])
def test_share_of_wrong_words_of_a_wire(every: int, share: float) -> None:
    """Of random words at 900 mV, safe to 40 ticks: half of the late lines would not have toggled."""
    late = LateLines(1, 2, ppm(40, every), 1)
    rng = random.Random(1)
    words = [rng.randrange(2**32) for _ in range(6000)]
    wrong = sum(late.masks(n, (words[n],), (words[n - 1],))[0] != 0 for n in range(1, 6000))
    assert wrong / 5999 == pytest.approx(share, abs=0.02)


def test_one_tick_too_fast_is_soon_seen() -> None:
    firsts = []
    for seed in range(400):
        late = LateBits(seed, CORE, 1, ppm(80, 79))
        firsts.append(next(n for n in range(10_000) if late.masks(n, 1)[0]) + 1)
    assert median(firsts) == pytest.approx(4, abs=0.6)
    assert sum(first <= 24 for first in firsts) >= 0.98 * 400


def test_two_bits_are_late_from_a_fifth_on_and_never_before() -> None:
    for clock in (79, 70, 67):
        late = LateBits(9, CORE, 0, ppm(80, clock))
        assert {late.masks(n, 1)[0] for n in range(500)} == {0, 2**31}
    late = LateBits(9, CORE, 0, ppm(80, 60))
    assert {late.masks(n, 1)[0] for n in range(500)} == {0, 2**31, 2**30, 3 * 2**30}


# --- which ones: the generator once more, in numpy ----------------------------------------------------------------

G = np.uint64(0x9E3779B97F4A7C15)


def mixed(z: Any) -> Any:
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def drawn(seed: int, rank: int, kind: int, n: Any, j: int) -> Any:
    """Upper halves of the numbers for rank ``j`` of word 0, for events ``n``."""
    with np.errstate(over="ignore"):
        z = mixed(np.uint64(seed) + G * np.uint64(4 * rank + kind + 1))
        z = mixed(z + G * (n + np.uint64(1)))
        return mixed(z + G * np.uint64(j + 1)) >> np.uint64(32)


@pytest.mark.parametrize("engine", ENGINES)
def test_late_bits_of_a_core_are_those_of_the_generator(engine: Any) -> None:
    m = machine(engine, line(clock=79), seed=11)
    assert finish(m) is not Stop.FAULT
    assert m.events > 1000 and len(m.late_words()) == KEPT_LATE
    overshoot = 80_000_000 // 79 - 1_000_000
    limit = (125_000 + 4 * overshoot) * 2**32 // 1_000_000
    fired = np.flatnonzero(drawn(11, 1, 0, np.arange(2000, dtype=np.uint64), 0) < np.uint64(limit))
    # Firing n handles word n % WORDS of launch n // WORDS; the relay takes a word every 100 ticks.
    assert [w.launch for w in m.late_words()] == (fired[:KEPT_LATE] // WORDS).tolist()
    ticks = np.array([w.tick for w in m.late_words()])
    assert ((ticks - ticks[0]) == 100 * (fired[:KEPT_LATE] - fired[0])).all()
    assert {(w.cause, w.index, w.word, w.bits) for w in m.late_words()} == {(Cause.LATE_BITS, 1, 0, 2**31)}


@pytest.mark.parametrize("engine", ENGINES)
def test_late_lines_keep_what_they_carried(engine: Any) -> None:
    keep = 0
    m = machine(engine, line(every=36, keep=keep), seed=3, keep=keep)
    assert finish(m) is not Stop.FAULT
    with np.errstate(over="ignore"):
        place = mixed(np.uint64(3) + G * np.uint64(4 * 1 + 2 + 1))
        order = np.lexsort((np.arange(32), mixed(place + G * np.arange(1, 33, dtype=np.uint64))))
    n = np.arange(2000, dtype=np.uint64)
    late = drawn(3, 1, 1, n, 0) < np.uint64(500_000 * 2**32 // 1_000_000)
    words = np.array([pattern(0, int(k)) for k in n])
    toggled = (words ^ np.concatenate([[0], words[:-1]])) >> order[0] & 1
    wrong = np.flatnonzero(late & (toggled == 1))
    assert [w.launch for w in m.late_words()] == (wrong[:KEPT_LATE] // WORDS).tolist()
    assert {(w.cause, w.index, w.bits) for w in m.late_words()} == {(Cause.LATE_LINES, 1, 1 << int(order[0]))}


# --- the machine ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
def test_the_driver_holds_the_true_word(engine: Any) -> None:
    """Errors change no bit that toggles on the wires from a late core on, up to where something is made of them."""
    right, wrong = machine(engine, line()), machine(engine, line(clock=66, every=34, keep=0), keep=0)
    right.run(20_000), wrong.run(20_000)
    assert wrong.late_words() and not right.late_words()
    toggles = [m.counters().toggles.sum(axis=0) / m.counters().entries.sum(axis=0) for m in (right, wrong)]
    entries = [m.counters().entries.sum(axis=0)[1] for m in (right, wrong)]
    assert abs(int(entries[0]) - int(entries[1])) <= 1
    assert toggles[0][1] == pytest.approx(toggles[1][1], rel=0.01)


def test_what_is_safe_has_a_period_and_what_is_not_has_none() -> None:
    for engine in ENGINES:
        safe, hasty = machine(engine, line(clock=80, every=40)), machine(engine, line(clock=79))
        safe.run(), hasty.run()
        assert safe.window.period_launches and not safe.late_words()
        assert not hasty.window.period_launches and hasty.late_words()


def fault(engine: Any, seed: int = 0, jitter: int | None = None) -> tuple[Machine, LateWord]:
    m = machine(engine, line(clock=79, keep=-1), seed, keep=-1, jitter_seed=jitter)
    assert m.run() is Stop.FAULT
    return m, m.late_words()[0]


def test_a_fault_names_the_first_late_bit_of_its_launch() -> None:
    m, late = fault(PlainMachine)
    assert m.fault and m.fault.code == "wrong-value" and m.fault.launch == late.launch
    told = explain_fault(m.netlist, m.fault, m.late_words())
    assert told.message.endswith(". Bit 31 of r came late: its clock is 1.3 % too fast at 900 mV.")
    assert told.others == ["r"]
    assert explain_fault(m.netlist, m.fault).others == []


def test_errors_come_from_the_seed_and_not_from_the_engine_or_the_delays() -> None:
    seen = set()
    for seed in range(12):
        (a, first), (b, second) = fault(PlainMachine, seed), fault(CompiledMachine, seed)
        assert a.fault == b.fault and a.late_words() == b.late_words() and first == second
        seen.add((first.launch, first.tick))
        # The number of the firing decides, so other delays move an error and do not make or cure it.
        jittered, moved = fault(CompiledMachine, seed, jitter=77)
        assert moved.launch == first.launch and moved.bits == first.bits
        assert jittered.fault and jittered.fault.launch == (a.fault and a.fault.launch)
    assert len(seen) > 4


@pytest.mark.parametrize("engine", ENGINES)
def test_errors_are_the_same_after_going_back(engine: Any) -> None:
    m = machine(engine, line(clock=72, every=38, keep=0), seed=8, keep=0)
    m.run(3000)
    kept, before = m.snapshot(), m.late_words()
    m.run(9000)
    after, state = m.late_words(), m.state()
    assert len(after) > len(before) > 0
    m.restore(kept)
    assert m.late_words() == before
    for tick in range(3100, 9001, 700):
        m.run(tick)
    m.run(9000)
    assert (m.late_words(), m.state()) == (after, state)


def test_another_speed_of_a_wire_is_as_in_a_new_machine() -> None:
    for before, after in ((100, 36), (36, 100), (36, 38)):
        changed = machine(CompiledMachine, line(every=before, keep=0), keep=0)
        changed.run(5000)
        assert isinstance(changed, CompiledMachine)
        changed.retime(1, after)
        fresh = machine(CompiledMachine, line(every=after, keep=0), keep=0)
        changed.run(), fresh.run()
        assert changed.late_words() == fresh.late_words()
        assert changed.window == fresh.window and changed.state() == fresh.state()


@pytest.mark.parametrize("engine", ENGINES)
def test_masked_results_have_no_late_bits(engine: Any) -> None:
    net = make(
        [
            node("s", "stream", array="s"),
            node("g", "guard", limits=(1,), mode="mark"),
            node("r", "relay", latency=50, interval=50),
            node("c", "accumulate", n=WORDS, op="add"),
            node("out", "sink", array="out"),
        ],
        [wire("s.value", "g.in"), wire("g.out", "r.in"), wire("r.out", "c.in"), wire("c.out", "out.value")],
        [array("s", WORDS), array("out", 1, output=True)],
        time_limit=20_000,
    )
    nodes = [replace(n, clock_ticks=50, safe_millitick=SAFE) if n.id == "r" else n for n in net.nodes]
    net = replace(net, nodes=tuple(nodes), physics=("dvfs",))
    m = engine(net, Seeded(net, 1, out=lambda n, k: 0), Options())
    m.run(15_000)
    assert m.counters().node_firings[2] >= WORDS, "each of them would be wrong with a chance of a half"
    assert not m.late_words()
