"""The background score never blocks, and its last word is that of a fresh run."""

from __future__ import annotations

import random
from collections.abc import Callable
from time import process_time

import pytest

from engine import simulate
from engine.builder import Builder
from engine.live import LiveScore
from engine.model import Design
from game.editor.edits import notch, set_speeds
from game.livescore import BackgroundScore
from levels import load_design, load_level
from levels.lookup import Entry, campaign, designs_beside


def best(entry: Entry) -> Design:
    return load_design(str(designs_beside(entry.path)["best"]))


def turned(design: Design, wire: int, notches: int) -> Design:
    """The wheel was turned over a wire."""
    every = design.wires[wire].every_ticks
    assert every is not None
    return set_speeds(design, {wire: notch(every, notches, False, None)})


def test_the_newest_edit_wins_and_equals_a_fresh_run() -> None:
    level = load_level("first-light-01-ignition")
    builder = Builder(level)
    wire = builder.wire("a.value", "out.value", speed=1)
    score = BackgroundScore(level)
    try:
        version = 0
        for every in range(10, 410):
            wire.spec.every_ticks = every
            version = score.submit(builder.design())
        assert score.wait(30)
        found = score.poll()
        assert found
        assert found.version == version
        # What bounds the pace is told by the insight, in its own time.
        assert found.report == simulate(level, builder.design()).model_copy(update={"bound": None})
        assert found.figure.final
        assert not score.busy
        assert score.poll() is None
    finally:
        score.close()


def test_a_broken_design_is_told_and_the_next_is_scored() -> None:
    level = load_level("first-light-01-ignition")
    builder = Builder(level)
    score = BackgroundScore(level)
    try:
        score.submit(builder.design())
        assert score.wait(30)
        found = score.poll()
        assert found
        assert found.figure.verdict == "invalid"
        builder.wire("a.value", "out.value", speed=0.25)
        score.submit(builder.design())
        assert score.wait(30)
        found = score.poll()
        assert found
        assert found.figure.verdict == "pass"
    finally:
        score.close()


@pytest.mark.parametrize("entry", campaign(), ids=lambda entry: str(entry.id))
def test_on_every_level_the_last_word_is_that_of_a_fresh_run(entry: Entry) -> None:
    pytest.importorskip("numba")
    level, design, draw = load_level(entry.path), best(entry), random.Random(entry.id)
    score = BackgroundScore(level)
    try:
        for notches in (-1, 1, 1):
            running = [i for i, wire in enumerate(design.wires) if wire.every_ticks]
            design = turned(design, draw.choice(running), notches)
            version = score.submit(design)
            assert score.wait(60)
            found, fresh = score.poll(), simulate(level, design, bound=False)
            assert found is not None and found.version == version and found.figure.final
            assert found.report == fresh
            assert (found.figure.verdict, found.figure.medal) == (fresh.verdict, fresh.medal)
            assert found.figure.efficiency == (fresh.metrics.efficiency_launches_per_nj if fresh.metrics else 0.0)
    finally:
        score.close()


def test_a_notch_costs_less_than_a_fresh_run() -> None:
    pytest.importorskip("numba")
    entry = next(entry for entry in campaign() if entry.id.startswith("gpu-puzzles-14b"))
    level, design = load_level(entry.path), best(entry)
    live = LiveScore(level)
    live.edit(design)
    designs = [turned(design, 3, notches) for notches in (-1, 1, -2, 2, -3)]

    def edited(design: Design) -> None:
        live.edit(design)
        live.finish()
        live.report(bound=False)

    def quickest(work: Callable[[Design], object]) -> float:
        spent = []
        for each in designs:
            began = process_time()
            work(each)
            spent.append(process_time() - began)
        return min(spent)

    assert quickest(edited) < quickest(lambda design: simulate(level, design, bound=False))
