"""Wires with encodings, and with walls so thin that lines leak, in both engines: times, words, faults, energy."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from engine.bounds import throughput_bound
from engine.elaborate import check_design, elaborate, retime
from engine.encodings import ENCODINGS, PARITY, UNCORRECTABLE, decode, encode, start_lines
from engine.energy_bound import energy_limit
from engine.errors import InvalidError
from engine.faults import explain_fault
from engine.follow import Follower
from engine.kernel import CompiledMachine
from engine.machine import Cause, Machine, Options, Stop
from engine.match import match
from engine.model import Design, Level
from engine.netlist import Netlist
from engine.plain import PlainMachine
from engine.plain.late import mix
from engine.plain.values import wrap
from engine.simulation import simulate
from engine.technology import technology
from engine.units import EXACT_PER_AJ
from tests.engine.machines import core, design, streams, wire
from tests.engine.netlists import Words, array, make, node
from tests.engine.netlists import wire as road

ENGINES = (PlainMachine, CompiledMachine)
N45 = technology("n45")
WORDS = 16
SAFE = N45.supply.safe_millitick[900]


def pattern(launch: int, k: int) -> int:
    return mix(launch * WORDS + k + 1) % 2**32


def line(every: int = 100, length: int = 3, pace: int = 100, slow: int = 1, **wire: Any) -> Netlist:
    """s → relay → out; ``wire`` are fields of the first wire, the relay takes a word every ``pace`` ticks."""
    net = make(
        [
            node("s", "stream", array="s", interval=10),
            node("r", "relay", latency=pace, interval=pace),
            node("out", "sink", array="out", interval=10),
        ],
        [road("s.value", "r.in", length=length, every=every), road("r.out", "out.value", every=10)],
        [array("s", WORDS), array("out", WORDS, output=True)],
        measured=20,
    )
    encoding = wire.get("encoding", "raw")
    codec = N45.codecs[encoding]
    given = {"encoder_ticks": codec.encoder_ticks, "decoder_ticks": codec.decoder_ticks, **wire}
    wires = (replace(net.wires[0], **given), *net.wires[1:])
    return replace(net, wires=wires, physics=("dvfs", "encoding", "tunnelling"))


def machine(engine: Any, net: Netlist, seed: int = 3, **options: Any) -> Machine:
    words = Words(net, s=pattern, out=lambda n, k: pattern(n, k))
    words.seed = seed
    made: Machine = engine(net, words, Options(**options))
    return made


def finish(machine: Machine) -> Stop:
    stop = machine.run()
    return machine.run() if stop is Stop.WINDOW else stop


def entries_and_exits(m: Machine, until: int) -> tuple[list[int], list[int]]:
    """Ticks in which words enter and leave the first wire."""
    rows: list[Any] = []
    m.watch(rows.append)
    m.run(until)
    log = np.concatenate(rows)
    return [log[(log[:, 1] == what) & (log[:, 2] == 0), 0].tolist() for what in (1, 2)]  # type: ignore[return-value]


# --- time -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_word_takes_the_ticks_of_its_codec_longer_and_the_rate_stays(engine: Any, encoding: str) -> None:
    ticks = N45.codecs[encoding].encoder_ticks + N45.codecs[encoding].decoder_ticks
    entered, left = entries_and_exits(machine(engine, line(encoding=encoding)), 4000)
    assert left[0] == 3 * 100 + ticks
    assert set(np.diff(left).tolist()) == set(np.diff(entered).tolist()) == {100}


@pytest.mark.parametrize("engine", ENGINES)
def test_a_wire_holds_what_is_in_its_encoder_and_decoder_as_well(engine: Any) -> None:
    """Nothing takes: the wire fills up to L + 1 + ceil(ticks / T), and gets no more than that."""
    for every, more in ((100, 2), (70, 3), (200, 1), (201, 1)):
        net = line(every=every, encoding="secded", pace=100_000)
        m = machine(engine, net)
        m.run(60_000)
        assert len(m.state().wires[0].packets) == net.wires[0].capacity == 3 + 1 + more
    assert replace(net.wires[0], every_ticks=0).capacity == 4


@pytest.mark.parametrize("engine", ENGINES)
def test_words_in_a_codec_stand_at_its_end_of_the_wire(engine: Any) -> None:
    m = machine(engine, line(encoding="parity", every=100, length=3))
    m.run(0)
    places = [float(m.packets(t).position[0]) for t in (0, 50, 99)]
    assert places == [0.0, 0.0, pytest.approx(0.49)]
    m.run(360)
    assert m.packets(360).position[0] == 3.0, "in the decoder from tick 350 on"


def test_capacity_and_ticks_are_in_the_bound() -> None:
    """A loop of one word: its ticks bound the rate."""
    net = make(
        [
            node("s", "stream", array="s", interval=10),
            node("d", "delay", slots=1, every=10**6, init=(0,)),
            node("t", "add"),
            node("out", "sink", array="out", interval=10),
        ],
        [
            road("s.value", "t.a", every=10),
            road("d.out", "t.b", every=10),
            road("t.out", "d.in", every=10),
            road("t.out", "out.value", every=10),
        ],
        [array("s", 4), array("out", 4, output=True)],
    )
    coded = replace(net.wires[2], encoding="gray", decoder_ticks=100)
    longer = replace(net, wires=(*net.wires[:2], coded, net.wires[3]), physics=("encoding",))
    before, after = throughput_bound(net).ticks_per_launch, throughput_bound(longer).ticks_per_launch
    assert before is not None and after is not None and after - before == 4 * 100


def test_match_knows_that_a_codec_holds_words() -> None:
    """At its fastest a wire with an encoding holds more words than slowed down: Match costs no rate all the same."""
    level, made = coded_adder(encoding="secded", every=10)
    report = simulate(level, match(level, made)[0], bound=False)
    assert report.metrics and report.metrics.throughput_launches_per_us == pytest.approx(
        simulate(level, made, bound=False).metrics.throughput_launches_per_us,  # type: ignore[union-attr]
        rel=1e-6,
    )


# --- words and energy -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_toggles_are_those_of_the_lines(engine: Any, encoding: str) -> None:
    m = machine(engine, line(encoding=encoding))
    m.run(5000)
    entered = int(m.counters().entries.sum(axis=0)[0])
    lines, expected = start_lines(encoding), 0
    for n in range(entered):
        sent = encode(encoding, pattern(0, n), lines)
        expected, lines = expected + (sent ^ lines).bit_count(), sent
    assert entered > 40 and m.counters().toggles.sum(axis=0)[0] == expected


@pytest.mark.parametrize("engine", ENGINES)
def test_a_raw_receiver_gets_inverted_words(engine: Any) -> None:
    m = machine(engine, line(encoding="bus-invert", raw_receiver=True))
    assert finish(m) is Stop.FAULT
    assert m.fault and m.fault.code == "wrong-value" and m.fault.got == ~m.fault.expected
    assert finish(machine(engine, line(encoding="bus-invert"))) is not Stop.FAULT


def coded_adder(
    every: int = 100, core_settings: Any = None, physics: Any = None, **fields: Any
) -> tuple[Level, Design]:
    """s + 1 on a level that offers all; ``fields`` are those of the first wire."""
    offered = {"encoding": {}, "tunnelling": {}} if physics is None else physics
    level = streams(physics=offered, limits={"time_us": 100})
    level = level.model_copy(update={"kernel": level.kernel.model_copy(update={"truth": "out[i] = s[i] + 1"})})
    wires = [
        wire("s.value", "x.a", (0, 4), (8, 4), every_ns=every / 100) | fields,
        wire("x.out", "out.value", (8, 4), (15, 4), every_ns=1),
    ]
    return level, design([core("x", "add", (8, 4), b=1, **(core_settings or {}))], wires)


def test_codecs_cost_energy_per_word_leakage_and_lines() -> None:
    raw, coded = (simulate(*coded_adder(**fields)) for fields in ({}, {"encoding": "secded"}))
    assert raw.verdict == coded.verdict == "pass"
    assert raw.energy_exact and coded.energy_exact and coded.window and raw.metrics and coded.metrics
    element = next(e for e in coded.elements if e.kind == "wire")
    words = coded.metrics.launches * 8
    assert coded.energy_exact.by_cause["encoding"] == words * 300_000 * EXACT_PER_AJ
    assert raw.energy_exact.by_cause["encoding"] == 0
    ticks = round((coded.window.end_ns - coded.window.start_ns) * 100)
    nets = [elaborate(*coded_adder(**fields)).wires[0] for fields in ({}, {"encoding": "secded"})]
    assert nets[1].leakage_nw - nets[0].leakage_nw == 40_000
    assert nets[1].drive_nw == nets[0].drive_nw * 39 / 32
    assert coded.energy_exact.by_element[element.id]["leakage"] == nets[1].leakage_nw * ticks
    assert coded.encoding and [(c.encoding, c.corrections) for c in coded.encoding] == [("secded", 0)]


def test_a_level_without_the_modules_has_no_key_and_no_cause_of_them() -> None:
    report = simulate(*coded_adder(physics={}))
    assert report.energy_pj and not {"encoding", "tunnelling"} & set(report.energy_pj)
    assert not {"encoding", "tunnelling"} & set(report.model_dump())


@pytest.mark.parametrize("engine", ENGINES)
def test_words_are_the_same_whoever_looks(engine: Any) -> None:
    """A word that waits at the end is received as it was when it came there, and shown so."""
    net = line(encoding="gray", pace=3000, gap=50, retention_ticks=450)
    watched, alone = machine(engine, net), machine(engine, net)
    for tick in range(100, 9000, 70):
        watched.run(tick)
        watched.state()
        watched.packets(tick)
    alone.run(9000)
    watched.run(9000)
    assert watched.state() == alone.state() and watched.late_words() == alone.late_words()


# --- late bits and decoders -----------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
def test_secded_mends_late_lines_and_counts_them(engine: Any) -> None:
    """Below a fifth too fast one line is late at most: every error is mended. (40 ticks are safe.)"""
    mended = {}
    for every in (36, 34):
        m = machine(engine, line(every=every, encoding="secded", safe_millitick=SAFE // 2))
        assert finish(m) is not Stop.FAULT
        corrections = m.counters().corrections
        assert corrections is not None and not corrections[1]
        mended[every] = int(corrections[0]) / int(m.counters().entries.sum(axis=0)[0])
        assert {w.cause for w in m.late_words()} == {Cause.LATE_LINES}
    assert mended[34] == pytest.approx(0.25, abs=0.04), "half of the slowest lines are late, and half of those toggle"


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("encoding", "code", "every"), [("parity", PARITY, 38), ("secded", UNCORRECTABLE, 30)])
def test_what_a_decoder_finds_is_a_fault_that_names_the_wire(engine: Any, encoding: str, code: str, every: int) -> None:
    m = machine(engine, line(every=every, encoding=encoding, safe_millitick=SAFE // 2))
    assert finish(m) is Stop.FAULT
    assert m.fault and (m.fault.code, m.fault.node, m.fault.port, m.fault.other) == (code, 1, 0, 0)
    told = explain_fault(m.netlist, m.fault, m.late_words())
    assert told.code == code and told.core == "r" and told.others == ["w0"]
    assert "over the wire w0" in told.message and " on the wire w0 came late" in told.message


# --- leaking lines --------------------------------------------------------------------------------------------


def without_highest(word: int, count: int) -> int:
    digits = list(f"{word:032b}")
    for place in [k for k, digit in enumerate(digits) if digit == "1"][:count]:
        digits[place] = "0"
    return int("".join(digits), 2)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("retention", "lost"), [(301, 0), (300, 1), (150, 2), (100, 3), (9, 32)])
def test_a_word_loses_a_line_each_time_that_its_charge_lasts(engine: Any, retention: int, lost: int) -> None:
    m = machine(engine, line(gap=50, retention_ticks=retention))
    stop = finish(m)
    assert (stop is Stop.FAULT) == (lost > 0)
    if m.fault:
        expected = without_highest(pattern(0, 0), lost)
        assert m.fault.got & (2**32 - 1) == expected
        first = m.late_words()[0]
        assert (first.cause, first.index, first.bits) == (Cause.STRAY, 0, pattern(0, 0) ^ expected)
        assert " on the wire w0 leaked away" in explain_fault(m.netlist, m.fault, m.late_words()).message
    longest = m.counters().longest
    assert longest is not None and longest[0] == 300


@pytest.mark.parametrize("engine", ENGINES)
def test_a_blocked_wire_fails_where_a_flowing_one_does_not(engine: Any) -> None:
    flowing = machine(engine, line(gap=50, retention_ticks=1000))
    assert finish(flowing) is not Stop.FAULT
    blocked = machine(engine, line(gap=50, retention_ticks=1000, pace=400))
    assert finish(blocked) is Stop.FAULT
    assert blocked.fault and blocked.fault.code == "wrong-value"


@pytest.mark.parametrize("engine", ENGINES)
def test_secded_mends_one_lost_line_but_not_two(engine: Any) -> None:
    one = machine(engine, line(encoding="secded", gap=50, retention_ticks=400))
    assert finish(one) is not Stop.FAULT
    corrections = one.counters().corrections
    assert corrections is not None and corrections[0] >= WORDS
    two = machine(engine, line(encoding="secded", gap=50, retention_ticks=250))
    assert finish(two) is Stop.FAULT and two.fault and two.fault.code == UNCORRECTABLE


def test_the_report_tells_what_is_left_before_a_line_is_lost() -> None:
    level, made = coded_adder(gap=50, every=100)
    report = simulate(level, made)
    assert report.verdict == "pass" and report.tunnelling
    wires = elaborate(level, made).wires
    found = report.tunnelling[0]
    assert (found.id, found.gap, found.retention_ns, found.longest_ns) == (wires[0].id, 50, 32.83, 8.0)
    assert found.spare_ns == pytest.approx(24.83)
    assert report.energy_exact and report.window
    ticks = round((report.window.end_ns - report.window.start_ns) * 100)
    assert report.energy_exact.by_cause["tunnelling"] == 55_912 * 8 * ticks
    full = elaborate(*coded_adder()).wires[0]
    assert wires[0].drive_nw == full.drive_nw // 2 and wires[0].leakage_nw == full.leakage_nw
    slow = simulate(*coded_adder(gap=50, every=500))
    assert slow.fault and slow.fault.code == "wrong-value" and "leaked away" in slow.fault.message
    assert slow.tunnelling and slow.tunnelling[0].spare_ns < 0


def test_thin_oxide_makes_a_core_fast_and_leaky() -> None:
    plain, thin = (elaborate(*coded_adder(core_settings=s)) for s in ({}, {"oxide": "thin"}))
    core_of = [next(n for n in net.nodes if n.id == "x") for net in (plain, thin)]
    assert (core_of[1].clock_ticks, core_of[1].latency_ticks, core_of[1].interval_ticks) == (80, 80, 80)
    element = next(e for e in thin.elements if e.id == "x")
    assert element.standing_nw == {"leakage": 150_000, "tunnelling": 270_000}
    dvfs = {"dvfs": {}, "tunnelling": {}}
    both = elaborate(*coded_adder(core_settings={"oxide": "thin", "voltage_mv": 700}, physics=dvfs))
    node_x = next(n for n in both.nodes if n.id == "x")
    assert node_x.clock_ticks == 100 and node_x.safe_millitick == N45.supply.safe_millitick[700] * 4 // 5
    element = next(e for e in both.elements if e.id == "x")
    assert element.standing_nw["tunnelling"] == round(270_000 * 49 / 81)


def test_a_code_against_crosstalk_makes_a_wire_faster_where_there_is_crosstalk() -> None:
    for modules, share in ((("dvfs", "encoding"), 1.0), (("dvfs", "encoding", "crosstalk"), 0.6)):
        physics = {name: {} for name in modules}
        wires = [elaborate(*coded_adder(physics=physics, encoding=e)).wires[0] for e in ("secded", "no-lone-bits")]
        assert wires[0].safe_millitick == SAFE // 2
        assert wires[1].safe_millitick == int(SAFE // 2 * share)


def test_no_machine_takes_less_than_the_energy_limit() -> None:
    """Where gaps may be set the limit allows for the thinnest lines, and thin oxide for shorter cycles."""
    limits = []
    for physics in ({}, {"encoding": {}}, {"tunnelling": {"cores": []}}, {"tunnelling": {}}):
        level, _ = coded_adder(physics=physics)
        limits.append(energy_limit(level))
    assert limits[0].by_cause == limits[1].by_cause
    assert limits[2].by_cause["drive"] == limits[0].by_cause["drive"] * 2 // 5
    assert limits[2].by_cause["leakage"] == limits[0].by_cause["leakage"] >= limits[3].by_cause["leakage"]
    report = simulate(*coded_adder(gap=40, every=100, core_settings={"oxide": "thin"}))
    assert report.verdict == "pass" and report.energy_limit and (report.energy_limit.within or 0) > 1


# --- what a level offers ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("physics", "fields", "said"),
    [
        ({}, {"encoding": "gray"}, "does not offer the encoding gray: its wires are raw"),
        ({"encoding": {"offered": ["parity", "gray"]}}, {"encoding": "secded"}, "it offers parity and gray"),
        ({"encoding": {}}, {"encoding": "gray", "receiver": "raw"}, "does not let you leave out the decoder"),
        ({"encoding": {}}, {"gap": 50}, "does not let you set gap of a wire"),
        ({"tunnelling": {"wires": []}}, {"gap": 50}, "does not let you set gap of a wire"),
    ],
)
def test_what_a_level_does_not_offer_is_refused(physics: Any, fields: Any, said: str) -> None:
    level, made = coded_adder(physics=physics, **fields)
    with pytest.raises(InvalidError, match=said):
        elaborate(level, made)


def test_oxide_is_refused_where_it_is_not_offered_or_is_no_oxide() -> None:
    for physics, oxide, said in (
        ({}, "thin", "does not let you set oxide"),
        ({"tunnelling": {}}, "no", "standard or thin"),
    ):
        with pytest.raises(InvalidError, match=said):
            elaborate(*coded_adder(physics=physics, core_settings={"oxide": oxide}))


@pytest.mark.parametrize("module", ["crosstalk", "encoding", "tunnelling"])
def test_a_level_has_lines_or_lanes(module: str) -> None:
    level, _ = coded_adder(physics={module: {}})
    with pytest.raises(ValidationError, match="leave one of both out"):
        Level.model_validate({**level.model_dump(by_alias=True), "lanes": 4})


def test_lines_take_tracks() -> None:
    """33 lines are two tracks, 46 as well; where the gap is smaller one track has more lines."""
    for fields, tracks in (
        ({}, 1),
        ({"encoding": "gray"}, 1),
        ({"encoding": "parity"}, 2),
        ({"encoding": "secded", "gap": 80}, 1),
        ({"encoding": "no-lone-bits", "gap": 80}, 2),
        ({"encoding": "no-lone-bits", "gap": 65}, 1),
    ):
        level, made = coded_adder(**fields)
        for offered, right in ((tracks, True), (tracks - 1, False)):
            if offered:
                narrow = level.model_copy(update={"board": level.board.model_copy(update={"tracks": offered})})
                assert (not any(p.code == "tracks" for p in check_design(narrow, made))) == right


# --- going back and starting again ------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
def test_going_back_gives_the_same_again(engine: Any) -> None:
    net = line(every=34, encoding="secded", safe_millitick=SAFE // 2, gap=50, retention_ticks=10_000, pace=300)
    m = machine(engine, net)
    m.run(2900)
    kept = m.snapshot()
    m.run(9000)
    after = m.state(), m.late_words(), m.counters().corrections
    m.restore(kept)
    for tick in range(3000, 9001, 500):
        m.run(tick)
    again = m.state(), m.late_words(), m.counters().corrections
    assert after[:2] == again[:2] and after[1] and np.array_equal(after[2], again[2])  # type: ignore[arg-type]


@pytest.mark.parametrize("encoding", ["raw", "secded", "bus-invert", "no-opposites"])
def test_another_speed_is_as_in_a_new_machine(encoding: str) -> None:
    rng = random.Random(encoding)
    first = line(encoding=encoding, gap=50, retention_ticks=2000, safe_millitick=SAFE // 2)
    changed = machine(CompiledMachine, first)
    assert isinstance(changed, CompiledMachine)
    for _ in range(4):
        every = rng.choice([10, 33, 36, 70, 100, 333])
        changed.run(rng.randrange(8000))
        changed.retime(0, every)
        fresh = machine(
            CompiledMachine, replace(first, wires=(replace(first.wires[0], every_ticks=every), first.wires[1]))
        )
        ends = finish(changed), finish(fresh)
        assert ends[0] == ends[1] and changed.fault == fresh.fault
        assert changed.late_words() == fresh.late_words() and changed.state() == fresh.state()


def test_speeds_of_a_netlist_change_as_elaborated() -> None:
    for fields in ({"encoding": "no-lone-bits"}, {"gap": 65, "encoding": "secded"}):
        before, after = elaborate(*coded_adder(every=100, **fields)), elaborate(*coded_adder(every=250, **fields))
        assert retime(before, 0, 250).wires == after.wires


@pytest.mark.parametrize("engine", ENGINES)
def test_safe_lines_have_a_period(engine: Any) -> None:
    m = machine(engine, line(encoding="no-lone-bits", gap=80, retention_ticks=14_715))
    m.run()
    assert m.window.period_launches == 1


def test_encodings_of_this_file_are_those_of_the_other() -> None:
    assert all(decode(e, encode(e, 5, 0)).word == 5 for e in ENCODINGS)


@pytest.mark.parametrize("engine", ENGINES)
def test_who_follows_a_wire_sees_what_was_received(engine: Any) -> None:
    """The word that enters is the true one; the one that leaves has lost a line."""
    m = machine(engine, line(gap=50, retention_ticks=250))
    told: list[Any] = []

    class Listener:
        def at(self, tick: int, nodes: Any, wires: Any) -> None:
            told.extend(wire.shown(tick).words[0] for wire in wires if wire.index == 0 and wire.shown(tick))

    follower = Follower(m, Listener(), [], [0])
    m.run(299)
    m.run(310)
    follower.finish(310)
    assert wrap(without_highest(pattern(0, 0), 1)) in told
