"""Tuning: what it turns, what it finds, and that it is the same again."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import pytest

from engine.builder import Builder
from engine.errors import UsageError
from engine.match import match
from engine.model import Design, Level, LimitSpec
from engine.simulation import simulate
from levels.files import load_level_file
from levels.lookup import campaign
from levels.search.crew import Crew
from levels.search.journal import Journal
from levels.search.study import Study
from levels.search.task import Job, Score
from levels.search.tune import SLOTS, Tuned, dials_of, fitness, tune
from tests.engine.test_gating import burst
from tests.levels.searching import load

LEVELS = [
    "first-light/01",
    "first-light/02",
    "first-light/03",
    "first-light/04",
    "first-light/06",
    "first-light/09",
    "first-light/10",
    "gpu-puzzles/01",
    "gpu-puzzles/02",
    "gpu-puzzles/03",
    "gpu-puzzles/10",
    "gpu-puzzles/15",
]
"""Levels whose naive reference lacks speeds above all; on the others the wiring itself must change."""


def tuned(level: Level, design: Design, *, crew: Crew | None = None, **options: object) -> Tuned:
    return tune(level, design, lambda job: Study(job, crew or Crew(1)), **options)  # type: ignore[arg-type]


def wiring(design: Design) -> object:
    """All of a design but speeds and slots."""
    tree = design.model_copy(deep=True)
    for wire in tree.wires:
        wire.every_ticks = 100
    for core in tree.cores:
        if core.core == "buffer":
            core.set["slots"] = 1
    return tree


@pytest.mark.parametrize("ref", LEVELS)
def test_the_naive_reference_becomes_a_third_better(ref: str) -> None:
    level, design = load(ref)
    found = tuned(level, design, what=("speeds", "slots"), runs=300)
    report = simulate(level, found.design, bound=False)
    assert report.verdict == "pass"
    assert report.metrics
    assert found.before.efficiency
    assert report.metrics.efficiency_launches_per_nj == found.score.efficiency
    assert found.score.efficiency >= 1.3 * found.before.efficiency
    assert wiring(found.design) == wiring(design)
    assert found.runs <= 300


def test_there_are_ten_of_them() -> None:
    assert (
        len({load_level_file(entry.path).level.id for entry in campaign()} & {load(ref)[0].id for ref in LEVELS}) >= 10
    )


def test_it_finds_at_least_what_match_finds() -> None:
    level, design = load("first-light/04")
    level_score = simulate(level, match(level, design)[0], bound=False).metrics
    assert level_score
    found = tuned(level, design, runs=3)
    assert found.score.efficiency
    assert found.score.efficiency >= level_score.efficiency_launches_per_nj


@pytest.mark.parametrize("runs", [1, 2, 5, 40])
@pytest.mark.parametrize("role", ["naive", "best"])
def test_never_worse_and_never_more_runs(runs: int, role: str) -> None:
    level, design = load("gpu-puzzles/03", role)
    found = tuned(level, design, runs=runs)
    assert fitness(found.score) >= fitness(found.before)
    assert found.runs <= runs
    assert bool(found.changes) == (found.design != design)


def test_the_same_again_with_any_number_of_processes() -> None:
    level, design = load("gpu-puzzles/02")
    one = tuned(level, design, runs=120, seed=3)
    with Crew(2, worth=0) as crew:
        two = tuned(level, design, crew=crew, runs=120, seed=3)
        assert len(crew.seconds) == 2
    assert (one.design, one.score, one.runs) == (two.design, two.score, two.runs)


def test_another_seed_tries_something_else() -> None:
    level, design = load("gpu-puzzles/02")
    assert tuned(level, design, runs=60, seed=1).design != tuned(level, design, runs=60, seed=2).design


def test_what_was_run_is_not_run_again(tmp_path: Path) -> None:
    """A tuning that was killed after any number of runs goes on, and ends as if nothing had happened."""
    level, design = load("gpu-puzzles/02")
    whole = tuned(level, design, runs=120)

    class Killed(Exception):
        pass

    ran = 0
    for limit in (30, 60, None):
        with Journal(tmp_path / "x.journal", {}) as journal:
            studies: list[Study] = []

            def study(job: Job, journal: Journal = journal, studies: list[Study] = studies) -> Study:
                studies.append(Study(job, Crew(1), journal))
                return studies[-1]

            def done(_: int, limit: int | None = limit, studies: list[Study] = studies) -> None:
                if limit and studies[0].scored >= limit:
                    raise Killed

            try:
                found = tune(level, design, study, runs=120, done=done)
            except Killed:
                ran += studies[0].scored
                continue
            ran += studies[0].scored
    assert (found.design, found.score, found.runs) == (whole.design, whole.score, whole.runs)
    assert ran == whole.runs


# --- what is turned ----------------------------------------------------------------------------------------


def test_every_running_wire_is_a_dial() -> None:
    level, design = load("first-light/05")
    dials = dials_of(level, design, ("speeds",))
    assert [dial.knob.places for dial in dials] == [(i,) for i, w in enumerate(design.wires) if w.every_ticks]
    assert all(dial.value(dial.low) <= dial.value(dial.high) for dial in dials)  # type: ignore[operator]
    assert SLOTS[0] == 1
    assert all(a < b <= 2 * a for a, b in pairwise(SLOTS))


def test_a_buffer_that_is_too_large_shrinks() -> None:
    """Slots cost standing power; here none is needed, as one road leads through the buffer."""
    level, _ = load("first-light/07")
    level.limits = LimitSpec()
    builder = Builder(level)
    buffer = builder.place("buffer", (7, 2), slots=48)
    builder.wire("a.value", buffer["in"], every_ns=4)
    builder.wire(buffer.out, "out.value", every_ns=4)
    found = tuned(level, builder.design(), what=("slots",), runs=40)
    assert found.before.verdict == "pass"
    assert found.design.cores[0].set["slots"] < 48  # type: ignore[operator]
    assert found.score.efficiency > found.before.efficiency  # type: ignore[operator]
    assert [wire.every_ticks for wire in found.design.wires] == [400, 400]


def test_a_detour_is_given_up() -> None:
    level, _ = load("first-light/01")
    builder = Builder(level)
    builder.wire("a.value", "out.value", length=17, every_ns=4)
    found = tuned(level, builder.design(), what=("tracks",), runs=10)
    assert found.design.wires[0].path == [(0, 2), (11, 2)]
    assert found.score.efficiency > found.before.efficiency  # type: ignore[operator]


def test_stopped_wires_stay_stopped() -> None:
    level, design = load("first-light/03")
    design.wires[1].every_ticks = None
    assert [dial.knob.places for dial in dials_of(level, design, ("speeds",))] == [(0,)]
    design.wires[0].every_ticks = None
    with pytest.raises(UsageError, match="nothing to tune"):
        dials_of(level, design, ("speeds", "slots"))


def test_what_passes_comes_before_what_does_not() -> None:
    order = [
        Score("invalid"),
        Score("fault"),
        Score("deadlock"),
        Score("timeout"),
        Score("limit", 9.0, excess=2.0),
        Score("limit", 1.0, excess=0.1),
        Score("pass", 1e-9),
        Score("pass", 2.0),
    ]
    values = [fitness(score) for score in order]
    assert values == sorted(values)
    assert len(set(values)) == len(values)
    assert all(math.isfinite(value) for value in values)


def test_a_design_that_misses_a_limit_is_led_to_one_that_keeps_it() -> None:
    level, design = load("first-light/02", "best")
    level.limits.throughput_per_us = 45
    for wire in design.wires:
        wire.every_ticks = 2000
    found = tuned(level, design, runs=200)
    assert found.before.verdict == "limit"
    assert found.score.verdict == "pass"


def test_physics_is_tuned() -> None:
    """Bursts with long rests: what sleeps pays, and only what is changed is written."""
    level, design = burst(False)
    found = tuned(level, design, what=("physics",), runs=60)
    assert found.score.efficiency > 2 * found.before.efficiency
    assert found.design.wires[0].gate is True and ("s.value->x.a.gate", False, True) in found.changes
    changed = {name for name, _, _ in found.changes}
    for wire in found.design.wires:
        assert wire.sleep_after is None or f"{wire.source}->{wire.to[0]}.sleep_after" in changed
    again = simulate(level, found.design)
    assert again.metrics and again.metrics.efficiency_launches_per_nj == found.score.efficiency
