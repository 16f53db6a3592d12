"""The background score never blocks, and its last word is that of a fresh run."""

from __future__ import annotations

from engine import simulate
from engine.builder import Builder
from game.livescore import BackgroundScore
from levels import load_level


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
