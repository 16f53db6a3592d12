"""The two engines agree on random machines with encodings and thin walls, with or without crosstalk and voltages."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

from tests.differential import Mismatch, compare, describe, plain
from tests.draft import scramble
from tests.graphs import Case, graph, lined, supplied
from tests.noisy import noisy

SEED = 501
GRAPHS = 100


def case_of(number: int) -> Case:
    case = graph(random.Random(scramble(SEED, number)))
    if number % 4 > 1:
        modules = dict.fromkeys((*case.net.physics, "dvfs"))
        case.net = replace(supplied(random.Random(scramble(SEED, number, 4)), case.net), physics=tuple(modules))
    if "lines" not in case.notes:
        case.net, _ = lined(random.Random(scramble(SEED, number, 5)), case.net)
    if number % 2:
        case.net = noisy(random.Random(scramble(SEED, number, 2)), case.net)
    return case


def test_engines_agree_with_lines() -> None:
    seen: Counter[str] = Counter()
    for number in range(GRAPHS):
        case = case_of(number)
        try:
            result = compare(case, random.Random(scramble(SEED, number, 1)))
        except Mismatch as found:
            raise AssertionError(f"graph {number}: {found}\n{describe(case)}") from found
        seen["period"] += result.period
        seen[result.fault or result.stop] += 1
        machine = plain(case.net, case.truth, case.options)
        machine.run()
        seen.update({f"cause {word.cause.name}" for word in machine.late_words()})
        corrections = machine.counters().corrections
        seen["mended"] += corrections is not None and bool(corrections.any())
    for what in ("cause STRAY", "cause NOISE", "cause LATE_LINES", "cause LATE_BITS", "uncorrectable"):
        assert seen[what] >= 0.04 * GRAPHS, (what, seen)
    assert seen["parity-error"] and seen["mended"] and seen["period"], seen
