"""Event by event: machines that work in rushes run exactly at their bound."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pytest

from engine.bounds import slowest, throughput_bound
from engine.builder import Builder
from engine.counts import packets_per_launch
from engine.cycles import critical_cycle
from engine.elaborate import elaborate
from engine.machine import Options, Stop
from engine.match import match
from engine.plain import PlainMachine
from engine.simulation import simulate
from engine.timing import Timing
from engine.unfold import NotStatic, Unfolding
from tests.engine.ladders import pace
from tests.engine.roads import level
from tests.engine.test_counts import grid
from tests.engine.test_wait_corpus import FILES, Example
from tests.graphs import Truth, graph


def burst(slots: int, slow_ns: float = 4) -> Builder:
    """Level 7 of the first chapter: eight words in a rush, then silence; a buffer next to the pad, 0 slots for none."""
    b = Builder(level(a={"burst": [8, 24]}, out={"every_ns": 4}))
    if not slots:
        b.wire("a.value", "out.value", every_ns=slow_ns)
        return b
    buffer = b.place("buffer", (1, 4), slots=slots)
    b.wire("a.value", buffer.in_, every_ns=1)
    b.wire(buffer.out, "out.value", every_ns=slow_ns)
    return b


@pytest.mark.parametrize("slots", [0, 1, 2, 3, 4, 8])
def test_a_burst_needs_its_lung(slots: int) -> None:
    b = burst(slots)
    net = elaborate(b.level, b.design())
    found = throughput_bound(net)
    assert found.ticks_per_launch == pace(b.level, b.design())[0]
    on_average, _ = critical_cycle(Timing(net, packets_per_launch(net)))
    assert on_average == 3200
    assert (found.ticks_per_launch > 3200) == (slots < 4)
    if slots < 4:
        assert "in rushes" in found.sentence


@pytest.mark.parametrize(("words", "rest"), [(3, 7), (5, 24), (6, 2.5), (16, 30)])
def test_bursts_that_begin_at_other_words_in_other_launches(words: int, rest: float) -> None:
    b = Builder(level(a={"burst": [words, rest]}, out={"every_ns": 2}))
    buffer = b.place("buffer", (1, 4), slots=2)
    b.wire("a.value", buffer.in_, every_ns=1)
    b.wire(buffer.out, "out.value", every_ns=2.2)
    found = throughput_bound(elaborate(b.level, b.design()))
    assert found.exact
    assert found.ticks_per_launch == pace(b.level, b.design())[0]


def pages(number: int) -> Builder:
    """Every block writes four words into a page, waits for all of them, and reads them back."""
    b = Builder(grid())
    page = b.place("shared", (8, 4), words=4, pages=number, reads=4)
    barrier = b.place("barrier", (8, 8), n=4)
    guard = b.place("guard", (4, 1), limits=[10, None], mode="mark")
    b.wire("t.token", guard.in_)
    b.wire(guard.out[0], "a.at")
    b.wire("a.value", page.write.value)
    b.wire(guard.out[1], page.write.at)
    b.wire(page.write.done, barrier.in_)
    b.wire(barrier.out, page.read.at)
    b.wire(page.read.value, "out.value")
    b.wire("a.at", "out.at")
    return b


@pytest.mark.parametrize("number", [1, 2])
def test_a_block_waits_for_a_page(number: int) -> None:
    b = pages(number)
    net = elaborate(b.level, b.design())
    net = replace(net, time_limit_ticks=2_000_000, warmup=30, measured=40)
    found = throughput_bound(net)
    data = Random(5)
    words = np.array([data.randrange(100) for _ in range(10)], np.int32)
    machine = PlainMachine(net, Truth(net, lambda array, launch: words, {}), Options())
    assert machine.run() is Stop.WINDOW
    window = machine.window
    assert window.period_launches
    assert found.ticks_per_launch == Fraction(window.period_ticks, window.period_launches)
    if number == 1:
        assert found.kind == "loop"
        assert found.sentence.startswith("shared1 has 1 page, and a block holds one for ")


def test_a_page_that_is_not_given_back_makes_it_loose() -> None:
    b = pages(1)
    shared = b.core("shared1")
    assert shared
    shared.set["reads"] = 5
    found = throughput_bound(elaborate(b.level, b.design()))
    assert found.loose == "shared1 gives a page back after 5 reads of a block, and 4 come"


def test_random_machines_run_exactly_at_their_bound() -> None:
    """They run at a bound that is exact, and never above one that is not: it says why they may be slower."""
    equal, slower, excused = 0, 0, set()
    for seed in range(5000, 5150):
        case = graph(Random(seed), size=8)
        if any(note.startswith("spoiled") for note in case.notes):
            continue
        net = replace(case.net, time_limit_ticks=40_000, warmup=2, measured=3)
        machine = PlainMachine(net, Truth(net, case.truth.data, {}, case.truth.horizon), Options())
        if machine.run() is not Stop.WINDOW or not machine.window.period_launches:
            continue
        found = throughput_bound(net)
        ran = Fraction(machine.window.period_ticks, machine.window.period_launches)
        assert found.ticks_per_launch is not None
        assert found.ticks_per_launch <= ran
        if found.exact:
            assert found.ticks_per_launch == ran
            equal += 1
        else:
            assert found.loose
            excused.add(found.loose.split()[0])
            slower += found.ticks_per_launch < ran
    assert equal >= 6
    assert {"data", "several"} <= excused


@pytest.mark.parametrize("tiles", [200, 320, 400])
def test_no_pad_runs_further_ahead_than_it_may(tiles: int) -> None:
    """One word a launch on a road that holds more than 256 launches: the pad waits until the oldest is gone."""
    b = Builder(level(words=1, board={"size": [16, 48]}))
    b.wire("a.value", "out.value", every_ns=1, length=tiles + (tiles - 15) % 2)
    net = elaborate(b.level, b.design())
    found = throughput_bound(net)
    assert found.exact
    assert found.ticks_per_launch == pace(b.level, b.design())[0]
    assert ("256 launches are on their way" in found.sentence) == (tiles > 256)


def test_a_stopped_wire_behind_a_decision_proves_nothing() -> None:
    b = Builder(level())
    compare, gate = b.place("compare", (4, 2), b=50, op="lt"), b.place("gate", (6, 2))
    b.wire("a.value", compare.a)
    b.wire("a.value", gate.in_)
    b.wire(compare.out, gate.cond)
    stopped = b.wire(gate.out, "out.value")
    b.speed(stopped, 0)
    found = throughput_bound(elaborate(b.level, b.design()))
    assert found.rate > 0
    assert found.loose == "data decides what passes gate1"


def test_match_keeps_a_wire_fast_that_takes_rushes() -> None:
    b = Builder(grid(every_ns=1))
    guard = b.place("guard", (1, 1), limits=[6, None])
    b.wire("t.token", guard.in_)
    b.wire(guard.out[0], "a.at", every_ns=1)
    b.wire("a.value", "out.value")
    b.wire("a.at", "out.at")
    design = b.design()
    before = throughput_bound(elaborate(b.level, design))
    result, _ = match(b.level, design)
    assert throughput_bound(elaborate(b.level, result)).rate >= before.rate


@pytest.mark.parametrize("fan_in", [True, False])
def test_where_wires_meet_the_averages_have_to_do(fan_in: bool) -> None:
    b = Builder(level(words=16))
    first, second = b.place("relay", (3, 3)), b.place("relay", (3, 5))
    join = b.place("relay", (6, 4))
    b.wire("a.value", first.in_)
    b.wire("a.value", second.in_)
    b.wire(first.out, join.in_)
    if fan_in:
        b.wire(second.out, join.in_)
    b.wire(join.out, "out.value")
    net = elaborate(b.level, b.design())
    counts = packets_per_launch(net)
    if fan_in:
        with pytest.raises(NotStatic):
            Unfolding(net, counts)
        assert slowest(net, counts)[0] == 3200
    else:
        assert slowest(net, counts)[0] == 1600


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_corpus_of_stalls_keeps_its_bounds(path: Path) -> None:
    """A standstill is proved to be one, or the bound says why it cannot tell; what runs does so at its bound."""
    example = Example(path)
    report = simulate(example.level, example.design, engine="plain")
    if report.bound is None or report.verdict == "fault":
        return
    ran = report.metrics.throughput_launches_per_us if report.metrics else 0.0
    assert ran <= report.bound.launches_per_us * (1 + 1e-9)
    if report.bound.exact and (report.verdict == "deadlock" or (report.window and report.window.period_launches)):
        assert ran == pytest.approx(report.bound.launches_per_us)
