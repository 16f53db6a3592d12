"""The live score equals a fresh run to the last bit, whatever was edited before."""

from __future__ import annotations

import random

import pytest

from engine import simulate
from engine.builder import Builder
from engine.live import LiveScore
from engine.model import Design, Level
from levels import load_design, load_level
from levels.lookup import find_level

LEVELS = ("first-light-05-two-roads", "first-light-07-breathing", "first-light-09-merry-go-round")


def best(level: Level) -> Design:
    assert level.reference
    return load_design(find_level(level.id).parent / level.reference.best)


def random_edit(design: Design, rng: random.Random) -> Design:
    """Another speed for one wire, or, one time in four, a wire less."""
    wires = list(design.wires)
    at = rng.randrange(len(wires))
    kind = rng.random()
    if kind < 0.75:
        every = rng.choice([None, 25, 50, 90, 100, 110, 200, 400, 800])
        wires[at] = wires[at].model_copy(update={"every_ticks": every})
    elif len(wires) > 1:
        del wires[at]
    return design.model_copy(update={"wires": wires})


@pytest.mark.parametrize("level_id", LEVELS)
def test_the_final_figure_is_that_of_a_fresh_run(level_id: str) -> None:
    level = load_level(level_id)
    design = best(level)
    live = LiveScore(level)
    rng = random.Random(level_id)
    verdicts = set()
    for step in range(30):
        edited = random_edit(design if step % 5 else best(level), rng)
        figure = live.edit(edited)
        if figure.verdict != "invalid":
            figure = live.finish()
        fresh = simulate(level, edited)
        assert figure.final
        assert figure.verdict == fresh.verdict
        verdicts.add(figure.verdict)
        if fresh.metrics:
            assert figure.efficiency == fresh.metrics.efficiency_launches_per_nj
            assert figure.medal == fresh.medal
            assert live.report() == fresh
        if figure.verdict != "invalid":
            design = edited
    assert "pass" in verdicts or "limit" in verdicts
    assert len(verdicts) > 1


def test_a_broken_design_tells_its_problems_and_the_next_one_runs_again() -> None:
    level = load_level("first-light-01-ignition")
    live = LiveScore(level)
    empty = Builder(level).design()
    figure = live.edit(empty)
    assert figure.verdict == "invalid"
    assert [p.code for p in figure.problems if p.severity == "error"] == ["output-unwired"]
    with pytest.raises(ValueError, match="no design that can run"):
        live.finish()
    builder = Builder(level)
    builder.wire("a.value", "out.value", speed=0.25)
    assert live.edit(builder.design()).verdict == "pass"


def test_a_long_run_first_gives_the_nominal_window_marked_as_such() -> None:
    """Where the path of packets depends on data there is no period, and the window is compared with its double."""
    level = Level.model_validate(
        {
            "perwatt": 1,
            "id": "mine-01-odd",
            "title": "Odd",
            "chapter": "mine",
            "brief": "",
            "kernel": {
                "arrays": {
                    "a": {"shape": [4], "data": {"low": 1, "high": 99}},
                    "out": {"shape": [4]},
                },
                "truth": "out[t] = a[t] + 1 if a[t] % 2 == 1 else a[t]",
            },
            "board": {"size": [12, 5]},
            "pads": [
                {"id": "a", "core": "stream", "at": [0, 2], "every_ns": 2},
                {"id": "out", "core": "sink", "at": [11, 2]},
            ],
            "standby_uw": 100,
        }
    )
    b = Builder(level)
    b.place("and", (2, 1), b=1)
    b.place("switch", (4, 2))
    b.place("add", (6, 1), b=1)
    b.place("mux", (8, 2))
    b.place("buffer", (6, 4), slots=8)
    b.wire("a.value", "and1.a", speed=1)
    b.wire("a.value", "switch1.in", speed=1)
    b.wire("and1.out", "switch1.cond", speed=1)
    b.wire("and1.out", "buffer1.in", speed=1)
    b.wire("buffer1.out", "mux1.cond", speed=1)
    b.wire("switch1.true", "add1.a", speed=1)
    b.wire("add1.out", "mux1.a", speed=1)
    b.wire("switch1.false", "mux1.b", speed=1)
    b.wire("mux1.out", "out.value", speed=1)
    live = LiveScore(level)
    first = live.edit(b.design())
    assert (first.verdict, first.final) == ("pass", False)
    final = live.finish()
    assert final.final
    assert final.efficiency == simulate(level, b.design()).metrics.efficiency_launches_per_nj  # type: ignore[union-attr]
