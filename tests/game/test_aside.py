"""What is computed in a process of its own is what would be computed here, and nothing is lost with it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from engine.model import Design, Level
from game.aside import Aside
from game.insight import Trace, insight, study
from levels import load_design, load_level
from levels.lookup import designs_beside, find_level

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def aside() -> Iterator[Aside]:
    made = Aside()
    made.start()
    yield made
    made.close()


@pytest.fixture(scope="module")
def board() -> tuple[Level, Design]:
    path = find_level("first-light/05")
    return load_level(path), load_design(str(designs_beside(path)["best"]))


def pid(aside: Aside) -> int | None:
    return aside._process.pid if aside._process else None


def test_the_answer_is_the_same_as_here(aside: Aside, board: tuple[Level, Design]) -> None:
    level, design = board
    there, here = (list(study(level, 0, "plain", a, (design, True))) for a in (aside, Aside()))
    assert pid(aside) is not None
    assert there[0] == here[0] == insight(level, design)
    a, b = there[1], here[1]
    assert isinstance(a, Trace) and isinstance(b, Trace) and a.design is design
    assert np.array_equal(a.joules, b.joules) and (a.end, a.stop) == (b.end, b.stop)
    assert all(np.array_equal(a.power[cause], b.power[cause]) for cause in b.power)


def test_an_exception_comes_back_and_the_next_call_is_answered(aside: Aside) -> None:
    with pytest.raises(ZeroDivisionError):
        aside.call(divmod, 7, 0)
    assert aside.call(divmod, 7, 2) == (3, 1)
    assert pid(aside) is not None


def test_what_is_printed_there_is_no_answer(aside: Aside) -> None:
    assert aside.call(print, "x" * 10_000) is None
    assert aside.call(divmod, 9, 2) == (4, 1)


def test_without_the_process_the_work_is_done_here() -> None:
    lost = Aside()
    lost.start()
    assert lost._process is not None
    lost._process.kill()
    assert lost.call(divmod, 7, 2) == (3, 1)
    assert pid(lost) is None
    assert lost.call(divmod, 8, 3) == (2, 2)
    lost.close()


def test_what_takes_too_long_is_dropped_and_the_next_call_is_answered() -> None:
    """In an interpreter of its own, since it ends processes."""
    command = [sys.executable, "-m", "tests.game.overtaken"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, "answered\n"), done.stderr


def test_it_ends_when_nobody_is_left_to_ask() -> None:
    ended = Aside()
    ended.start()
    assert ended.call(divmod, 7, 2) == (3, 1)
    process = ended._process
    assert process is not None and process.stdin is not None
    process.stdin.close()
    assert process.wait(20) == 0
