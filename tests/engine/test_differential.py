"""The plain and the compiled engine agree to the last bit on random machines.

The long run is ``python -m tests.differential``; here are a few hundred graphs, and hypothesis, which finds the
smallest one where they differ.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.catalog import CORES
from engine.machine import Machine, Options
from engine.netlist import Netlist
from tests.differential import Mismatch, case_of, check, compare, compiled, describe, difference, plain, sound
from tests.draft import scramble
from tests.graphs import Case, Truth, graph
from tests.spoils import SPOILS

SEED = 3
GRAPHS = 200


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """A random machine. It shrinks to fewer moves, which are the first of the bigger one's, and to a plainer run."""
    seed = draw(st.integers(0, 2**32 - 1))
    case = graph(random.Random(seed), draw(st.integers(1, 16)))
    if draw(st.booleans()):
        case.options.jitter_seed = None
    return case


@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(case=cases(), schedule=st.integers(0, 1000))
def test_engines_agree_on_what_hypothesis_finds(case: Case, schedule: int) -> None:
    compare(case, random.Random(schedule))


def test_engines_agree() -> None:
    """Also with the third reading, where nothing is spoiled and nothing races; and the runs end in every way."""
    ends: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    periods = late = 0
    for number in range(GRAPHS):
        try:
            result = check(SEED, number)
        except Mismatch as found:
            raise AssertionError(f"graph {number}: {found}\n{describe(case_of(SEED, number))}") from found
        assert sound(case_of(SEED, number).notes, result), f"graph {number}: {result}"
        ends[result.stop] += 1
        faults[result.fault] += 1
        periods += result.period
        late += result.late
    assert ends["fault"] + ends["deadlock"] >= 0.1 * GRAPHS, ends
    assert ends["fault"] >= 0.06 * GRAPHS, ends
    assert ends["deadlock"] >= 0.02 * GRAPHS, ends
    assert ends["extension"] >= 0.12 * GRAPHS, ends
    assert periods >= 0.1 * GRAPHS
    assert len(faults) >= 7, faults
    assert late >= 0.05 * GRAPHS


def test_the_mix_of_graphs() -> None:
    """Size, loops, fan-in, every core, every way to spoil: as the comparison needs them."""
    found = [case_of(SEED, number) for number in range(400)]
    notes = Counter(note for case in found for note in case.notes)
    kinds = Counter(kind for case in found for kind in case.kinds)
    assert sorted(case.cores for case in found)[200] >= 12
    assert notes["loop"] >= 0.3 * len(found)
    assert notes["fan-in"] >= 0.2 * len(found)
    assert notes["fan-out"] >= 0.9 * len(found)
    for rare in ("stopped", "several ports", "constant", "done", "while_loop", "counted_loop", "token_loop"):
        assert notes[rare] >= 0.01 * len(found), rare
    assert {name for name, core in CORES.items() if kinds[name] < 0.01 * len(found) and not core.lanes} == set()
    assert {how for how in SPOILS if not notes[f"spoiled {how}"]} == set()
    assert notes["dvfs"] >= 0.2 * len(found)
    assert notes["spoiled by haste"] >= 0.08 * len(found)
    assert sum(case.options.jitter_seed is not None for case in found) >= 0.15 * len(found)


def test_a_difference_is_found() -> None:
    """The comparison itself: another speed on one wire shows."""
    seen = 0
    for number in range(10):
        case = case_of(SEED, number)

        def slower(net: Netlist, truth: Truth, options: Options) -> Machine:
            wires = [replace(w, every_ticks=w.every_ticks and w.every_ticks + 1) for w in net.wires]
            return compiled(replace(net, wires=tuple(wires)), truth, options)

        try:
            compare(case, random.Random(scramble(number)), (plain, slower))
        except Mismatch:
            seen += 1
    assert seen >= 9


def test_difference_names_the_place() -> None:
    assert difference({"a": (1, [2, 3])}, {"a": (1, [2, 4])}, "x") == "x.a[1][1]: 3 and 4"
    assert difference((1, 2), (1, 2), "x") is None
