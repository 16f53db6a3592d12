"""What is proved about machines with lanes, without a run, against random ones that ran."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from functools import cache
from unittest.mock import patch

import pytest

from engine.bounds import Bound, throughput_bound
from engine.energy_bound import energy_limit
from engine.machine import Stop
from engine.plain import PlainMachine
from engine.plain.memory import ArrayPad
from engine.units import pj_from_exact
from tests.engine import test_divergence, test_lines, test_shared_lanes
from tests.lane_growth import lane_graph

SEEDS = range(40)


@cache
def measured() -> list[tuple[int, Bound, Fraction]]:
    """Bounds and exact steady rates of random machines, of those that have a period; nobody looks at the values."""
    found = []
    for seed in SEEDS:
        case = lane_graph(random.Random(seed))
        net = replace(case.net, time_limit_ticks=400_000, measured=6, window_events=0)
        machine = PlainMachine(net, case.truth)  # type: ignore[arg-type]
        with patch.object(ArrayPad, "check_word"):
            if machine.run() is not Stop.WINDOW or not machine.window.period_launches:
                continue
        window = machine.window
        found.append((seed, throughput_bound(net), Fraction(window.period_launches, window.period_ticks)))
    return found


def test_no_machine_with_lanes_is_faster_than_its_bound() -> None:
    exact = 0
    for seed, bound, rate in measured():
        assert rate <= bound.rate or not bound.rate, seed
        if bound.exact:
            exact += 1
            assert rate == bound.rate, (seed, bound.sentence)
    assert exact > 10, "of many the steady rate is proved, lines, halves and rounds of threads included"


def test_what_is_not_exact_says_why() -> None:
    reasons = {bound.loose for _, bound, _ in measured() if not bound.exact}
    assert any(reason.startswith("the ports of ") for reason in reasons)
    assert any(reason.startswith("data decides ") for reason in reasons)


def test_the_energy_limit_by_hand() -> None:
    """A copy of 64 words from a far array to a near one, lines of 8, 8 lanes."""
    limit = energy_limit(test_lines.level())
    # 8 tokens of a warp, 8 lines to read and 8 to write, at 1 ns each.
    assert limit.ticks == 800
    parts = {cause: pj_from_exact(exact) for cause, exact in limit.by_cause.items() if exact}
    assert parts["memory"] == pytest.approx(8 * 216 + 6 * 8 + 8 * 26)  # with 6 mW of the far pad over 8 ns
    assert parts["standby"] == pytest.approx(4 * 8)
    # Next to the pads: 64 values and 8 linear addresses come and go at the load; of a store both may be one value each;
    # 8 tokens. Between, a value crosses every line with pads on both sides and none next to it: columns 2 to 10.
    assert parts["drive"] == pytest.approx((9 + 64 + 8 + 8 + 8 + 8) * 0.16, rel=0.05)
    # Without lanes every word is an access of its own.
    scalar = energy_limit(test_lines.level(lanes=1))
    assert pj_from_exact(scalar.by_cause["memory"]) == pytest.approx(64 * 216 + 6 * 64 + 64 * 26)


def test_no_machine_takes_less_than_the_energy_limit() -> None:
    """The machines of the other tests with lanes: none is below, and the coalesced copy is near."""
    copies = test_lines.level()
    turned = test_shared_lanes.level()
    forked = test_divergence.level(test_divergence.FORK)
    reports = [
        test_lines.run(copies, test_lines.copy(copies, 8)),
        test_lines.run(copies, test_lines.copy(copies, 8, load="w0 + 8*w1")),
        test_shared_lanes.run(turned, test_shared_lanes.transpose(turned, row=8, pad=1)),
        test_divergence.run(forked, test_divergence.fork(forked, "w0 + 8*w1 + 2*w2")),
    ]
    within = [report.energy_limit.within for report in reports if report.energy_limit]
    assert all(share is not None and share >= 1 for share in within)
    assert within[0] is not None and within[0] < 2
