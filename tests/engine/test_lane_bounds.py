"""What is proved about machines with lanes, without a run, against random ones that ran."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from unittest.mock import patch

from engine.bounds import Bound, throughput_bound
from engine.machine import Stop
from engine.plain import PlainMachine
from engine.plain.memory import ArrayPad
from tests.lane_growth import lane_graph

SEEDS = range(40)


def measured(seeds: range) -> Iterator[tuple[int, Bound, Fraction]]:
    """Bounds and exact steady rates of random machines, of those that have a period; nobody looks at the values."""
    for seed in seeds:
        case = lane_graph(random.Random(seed))
        net = replace(case.net, time_limit_ticks=400_000, measured=6, window_events=0)
        machine = PlainMachine(net, case.truth)  # type: ignore[arg-type]
        with patch.object(ArrayPad, "check_word"):
            if machine.run() is not Stop.WINDOW or not machine.window.period_launches:
                continue
        window = machine.window
        yield seed, throughput_bound(net), Fraction(window.period_launches, window.period_ticks)


def test_no_machine_with_lanes_is_faster_than_its_bound() -> None:
    exact = 0
    for seed, bound, rate in measured(SEEDS):
        assert rate <= bound.rate or not bound.rate, seed
        if bound.exact:
            exact += 1
            assert rate == bound.rate, (seed, bound.sentence)
    assert exact > 10, "of many the steady rate is proved, lines, halves and rounds of threads included"


def test_what_is_not_exact_says_why() -> None:
    reasons = {bound.loose for _, bound, _ in measured(range(15)) if not bound.exact}
    assert any(reason.startswith("the ports of ") for reason in reasons)
    assert any(reason.startswith("data decides ") for reason in reasons)
