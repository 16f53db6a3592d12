"""The two engines agree on random machines with crosstalk, with voltages and clocks beside it or not."""

from __future__ import annotations

import random
from collections import Counter

from engine.machine import Cause
from tests.differential import Mismatch, compare, describe, plain
from tests.draft import scramble
from tests.graphs import Case, graph
from tests.noisy import noisy

SEED = 11
GRAPHS = 120


def case_of(number: int, size: int | None = None) -> Case:
    case = graph(random.Random(scramble(SEED, number)), size)
    case.net = noisy(random.Random(scramble(SEED, number, 2)), case.net)
    return case


def test_engines_agree_with_crosstalk() -> None:
    seen: Counter[str] = Counter()
    for number in range(GRAPHS):
        case = case_of(number)
        try:
            result = compare(case, random.Random(scramble(SEED, number, 1)))
        except Mismatch as found:
            raise AssertionError(f"graph {number}: {found}\n{describe(case)}") from found
        seen["period"] += result.period
        seen["dvfs"] += "dvfs" in case.net.physics
        seen[result.stop] += 1
        machine = plain(case.net, case.truth, case.options)
        machine.run()
        seen["flips"] += any(word.cause is Cause.NOISE for word in machine.late_words())
        seen["meetings"] += bool(machine.closest().any())
    assert seen["flips"] >= 0.1 * GRAPHS, seen
    assert seen["meetings"] >= 0.35 * GRAPHS, seen
    assert seen["period"] >= 0.05 * GRAPHS, seen
    assert seen["dvfs"] >= 0.1 * GRAPHS, seen
