"""Warps that agree against warps that part: what it costs, where it is seen, and what waits for ever."""

from __future__ import annotations

from typing import Any

import pytest

from engine import simulate
from engine.builder import Builder
from engine.model import Design, Level, Report
from tests.engine import test_lines


def level(truth: str, lanes: int = 4, words: int = 16, **more: Any) -> Level:
    """Two blocks of threads, near memory with lines of 8 at 1 ns."""
    array = {"shape": [words], "line": 8, "every_ns": 1}
    return Level.model_validate(
        {
            "perwatt": 1,
            "id": "tests-04-parting",
            "title": "Parting",
            "chapter": "tests",
            "brief": "",
            "kernel": {"arrays": {"a": {**array, "data": {"high": 999}}, "out": array}, "truth": truth},
            "threads": {"block": [words // 2], "grid": [2]},
            "board": {"size": [16, 9], "tracks": 24},
            "pads": [
                {"id": "t", "core": "threads", "at": [0, 1], "words": ["block", "warp", "lane"], "every_ns": 1},
                {"id": "a", "core": "load", "at": [0, 5]},
                {"id": "out", "core": "store", "at": [15, 5]},
            ],
            "lanes": lanes,
            "standby_uw": 4000,
            **more,
        }
    )


FORK = "out[i] = a[i] // 3 if i % 2 == 0 else a[i] % 5"


def fork(level: Level, address: str) -> Design:
    """Even words are divided by 3, odd ones taken modulo 5: two slow cores, in two arms that are joined again.

    ``address`` says which thread takes which word.
    """
    b = Builder(level)
    t, a, out = b.pad("t", lanes=4), b.pad("a"), b.pad("out")
    at = b.place("address", (2, 1), words=[address], id="at")
    odd = b.place("and", (5, 2), b=1, id="odd")
    road = b.place("buffer", (8, 1), slots=16, id="road")
    switch = b.place("switch", (5, 5), id="switch")
    mod = b.place("mod", (9, 3), b=5, id="mod")
    div = b.place("div", (9, 7), b=3, id="div")
    join = b.place("join", (12, 5), id="join")
    order = b.place("buffer", (9, 5), slots=16, id="order")
    b.wire(t.token, at["in"], every_ns=1)
    b.wire(at.out, a.at, every_ns=1)
    b.wire(at.out, road["in"], every_ns=1)
    b.wire(at.out, odd.a, every_ns=1)
    b.wire(a.value, switch["in"], every_ns=1)
    b.wire(odd.out, switch.cond, every_ns=1)
    b.wire(switch.true, mod.a, every_ns=1)
    b.wire(switch.false, div.a, every_ns=1)
    b.wire(switch.order, order["in"], every_ns=1)
    b.wire(mod.out, join.true, every_ns=1)
    b.wire(div.out, join.false, every_ns=1)
    b.wire(order.out, join.order, every_ns=1)
    b.wire(join.out, out.value, every_ns=1)
    b.wire(road.out, out.at, every_ns=1)
    return b.design()


def run(level: Level, design: Design) -> Report:
    report = simulate(level, design, engine="plain")
    assert report.verdict == "pass", report.fault or report.deadlock or report.problems
    return report


def per_launch(report: Report, element: str) -> dict[str, float]:
    assert report.metrics
    found = next(e for e in report.elements if e.id == element)
    return {cause: pj / report.metrics.launches for cause, pj in found.energy_pj.items()}


def test_uniform_against_divergent() -> None:
    """16 words in 4 warps of 4: neighbours part, every second word (the block is the parity) agrees."""
    both = level(FORK)
    part, agree = (run(both, fork(both, address)) for address in ("8*w0 + 4*w1 + w2", "w0 + 8*w1 + 2*w2"))
    for arm in ("mod", "div"):
        apart, alike = per_launch(part, arm), per_launch(agree, arm)
        # All 4 warps come to each arm with 2 lanes, or 2 of them with 4: control 1.2 pJ a firing, division 6 pJ a lane.
        assert apart["control"] == pytest.approx(4 * 1.2)
        assert alike["control"] == pytest.approx(2 * 1.2)
        assert apart["compute"] == alike["compute"] == pytest.approx(8 * 6.0)
        assert part.lanes and part.lanes.occupancy_by_core[arm] == 0.5
        assert agree.lanes and agree.lanes.occupancy_by_core[arm] == 1.0
    # A division holds its core for 12 ns, whatever the mask: 4 x 12 ns a launch against 2 x 12 ns.
    assert part.metrics and agree.metrics
    assert part.metrics.throughput_launches_per_us == pytest.approx(1000 / 48)
    assert agree.metrics.throughput_launches_per_us == pytest.approx(1000 / 24)
    # Of all cores: at, odd, road, switch, join with 4 of 4 lanes, 4 times each; the arms 16 of 32 or 16 of 16.
    # (The order buffer holds scalars.)
    assert part.lanes and part.lanes.occupancy == pytest.approx((5 * 16 + 16) / (5 * 16 + 32))
    assert agree.lanes and agree.lanes.occupancy == 1.0
    # Both are right, at the same intensity: 16 divisions, which count once each.
    assert part.roofline and agree.roofline
    assert part.roofline.operations == agree.roofline.operations == 16


def test_a_split_is_seen_where_a_barrier_stands_in_one_arm() -> None:
    """8 threads of a block: 4 come to the barrier, 4 went the other way, and nobody comes to open it."""
    locked = level(FORK)
    b = Builder.of(locked, fork(locked, "8*w0 + 4*w1 + w2"))
    b.remove(b.find("switch.true")[0])
    bar = b.place("barrier", (7, 3), id="bar")
    b.wire(b.handle("switch").true, bar["in"], every_ns=1)
    b.wire(bar.out, b.handle("mod").a, every_ns=1)
    report = simulate(locked, b.design(), engine="plain")
    assert report.verdict == "deadlock" and report.deadlock
    said = " ".join([report.deadlock.message, *(step.message for step in report.deadlock.chain)])
    assert "bar has 4 of 8 threads of block 0 of launch 0; the others went the other way at switch" in said


def test_a_barrier_to_which_both_arms_lead_opens() -> None:
    """Halves are counted by their live lanes: four halves of 2 lanes are the 8 threads of a block."""
    both = level("out[i] = a[i]")
    b = Builder(both)
    t, a, out = b.pad("t", lanes=4), b.pad("a"), b.pad("out")
    at = b.place("address", (2, 1), words=["8*w0 + 4*w1 + w2"])
    odd = b.place("and", (5, 1), b=1)
    road = b.place("buffer", (3, 3), slots=16)
    pair = b.place("tuple", (5, 5))
    late = b.place("buffer", (6, 3), slots=16)
    switch = b.place("switch", (7, 5))
    bar = b.place("barrier", (11, 5), id="bar")
    b.wire(t.token, at["in"], every_ns=1)
    b.wire(at.out, a.at, every_ns=1)
    b.wire(at.out, road["in"], every_ns=1)
    b.wire(at.out, odd.a, every_ns=1)
    b.wire(odd.out, late["in"], every_ns=1)
    b.wire(road.out, pair.a, every_ns=1)
    b.wire(a.value, pair.b, every_ns=1)
    b.wire(pair.out, switch["in"], every_ns=1)
    b.wire(late.out, switch.cond, every_ns=1)
    b.wire(switch.true, bar["in"], every_ns=1)
    b.wire(switch.false, bar["in"], every_ns=1)
    b.wire(bar.out, [out.at, out.value], every_ns=1)
    b.words(out.at, 0)
    b.words(out.value, 1)
    report = run(both, b.design())
    bars = next(e for e in report.elements if e.id == "bar")
    assert report.metrics and bars.events == 8 * report.metrics.launches
    # Without the lanes of one side it would wait: one wire less, and the halves at true are 4 of 8.
    b.remove(b.find("switch1.false")[0])
    locked = simulate(both, b.design(), engine="plain")
    assert locked.verdict == "deadlock" and locked.deadlock
    assert "4 of 8 threads of block 0" in " ".join(step.message for step in locked.deadlock.chain)


def test_a_gate_in_an_arm_loses_lanes() -> None:
    lost = level(FORK)
    b = Builder.of(lost, fork(lost, "8*w0 + 4*w1 + w2"))
    b.remove(b.find("mod.out")[0])
    low = b.place("compare", (11, 2), id="low", op="lt", b=2)
    gate = b.place("gate", (12, 3), id="gate")
    mod, join = b.handle("mod"), b.handle("join")
    b.wire(mod.out, low.a, every_ns=1)
    b.wire(mod.out, gate["in"], every_ns=1)
    b.wire(low.out, gate.cond, every_ns=1)
    b.wire(gate.out, join.true, every_ns=1)
    report = simulate(lost, b.design(), engine="plain")
    assert report.fault and report.fault.code == "lanes-missing"
    assert "join lacks lane" in report.fault.message and "which was masked on the way" in report.fault.message


def test_a_half_that_was_dropped_whole_is_waited_for() -> None:
    lost = level(FORK)
    b = Builder.of(lost, fork(lost, "8*w0 + 4*w1 + w2"))
    b.remove(b.find("mod.out")[0])
    low = b.place("compare", (11, 2), id="low", op="lt", b=0)  # no remainder is below 0
    gate = b.place("gate", (12, 3), id="gate")
    mod, join = b.handle("mod"), b.handle("join")
    b.wire(mod.out, low.a, every_ns=1)
    b.wire(mod.out, gate["in"], every_ns=1)
    b.wire(low.out, gate.cond, every_ns=1)
    b.wire(gate.out, join.true, every_ns=1)
    report = simulate(lost, b.design(), engine="plain")
    assert report.verdict == "deadlock" and report.deadlock
    said = " ".join(step.message for step in report.deadlock.chain)
    assert "join lacks 2 lanes of warp 0 of block 0 (dropped at gate) and waits at true" in said


def test_lanes_that_were_lost_name_who_masks_them() -> None:
    """A gate lets the first lane of each warp through: words of the others are never stored."""
    plan = test_lines.level()
    b = Builder(plan)
    t, a, out = b.pad("t", lanes=8), b.pad("a"), b.pad("out")
    at, to = b.place("address", (3, 1), words=["8*w0 + w1"]), b.place("address", (6, 1), words=["8*w0 + w1", "w1"])
    is_first, gate = b.place("compare", (8, 1), op="eq", b=0), b.place("gate", (10, 1))
    b.wire(t.token, at["in"], every_ns=1)
    b.wire(t.token, to["in"], every_ns=1)
    b.wire(at.out, a.at, every_ns=1)
    b.wire(to.out[1], is_first.a, every_ns=1)
    b.wire(to.out[0], gate["in"], every_ns=1)
    b.wire(is_first.out, gate.cond, every_ns=1)
    b.wire(gate.out, out.at, every_ns=1)
    b.wire(a.value, out.value, every_ns=1)
    report = simulate(plan, b.design(), engine="plain")
    assert report.fault and report.fault.code == "lost-words", report
    assert "no packet of it is left, and gate1 masks lanes, whose words are never stored" in report.fault.message
    assert report.fault.others == ["gate1"]


def test_an_order_word_that_names_no_side_is_the_root() -> None:
    """The number of a thread is no order: 0 names no side."""
    plan = test_lines.level()
    b = Builder(plan)
    t, a, out = b.pad("t"), b.pad("a"), b.pad("out")
    at, j = b.place("address", (3, 1), words=["w0"]), b.place("join", (8, 3))
    b.wire(t.token, at["in"], every_ns=1)
    b.wire(at.out, a.at, every_ns=1)
    b.wire(at.out, out.at, every_ns=1)
    b.wire(t.token[0], j.order, every_ns=1)
    b.wire(a.value, j.true, every_ns=1)
    b.wire(a.value, j.false, every_ns=1)
    b.wire(j.out, out.value, every_ns=1)
    report = simulate(plan, b.design(), engine="plain")
    assert report.verdict == "deadlock" and report.deadlock
    assert report.deadlock.root == "join1"
    assert "join1 got 0 at order, which names no side" in report.deadlock.chain[-1].message
