"""Both engines on machines with lanes that grow at random (:mod:`tests.lane_growth`)."""

from __future__ import annotations

import random
from collections import Counter

from tests.differential import Mismatch, compare, describe
from tests.draft import scramble
from tests.graphs import Case
from tests.lane_growth import KINDS, lane_graph

SEED = 11
GRAPHS = 60


def case_of(number: int) -> Case:
    return lane_graph(random.Random(scramble(SEED, number)))


def test_engines_agree_on_machines_with_lanes() -> None:
    ends: Counter[str] = Counter()
    for number in range(GRAPHS):
        case = case_of(number)
        try:
            result = compare(case, random.Random(number))
        except Mismatch as found:
            raise AssertionError(f"graph {number}: {found}\n{describe(case)}") from found
        ends[result.fault or result.stop] += 1
    assert ends["timeout"] + ends["extension"] >= 0.6 * GRAPHS, ends
    assert len(ends) >= 4, ends


def test_the_mix_of_machines_with_lanes() -> None:
    """Every kind that speaks of lanes, linear words and such per lane, splits, memories."""
    cases = [case_of(number) for number in range(2 * GRAPHS)]
    kinds = Counter(kind for case in cases for kind in case.kinds)
    notes = Counter(note for case in cases for note in case.notes)
    for kind in (*KINDS, "shared", "barrier", "load", "accumulate", "scan", "mux", "gate", "guard", "delay", "repeat"):
        assert kinds[kind] >= 0.04 * len(cases), kind
    assert notes["per lane"] >= 0.9 * len(cases) and notes["linear"] >= 0.9 * len(cases)
    assert sum(note.startswith("spoiled") for case in cases for note in case.notes) >= 0.08 * len(cases)
    assert {node.lanes for case in cases for node in case.net.nodes} == {1, 2, 4, 8}
