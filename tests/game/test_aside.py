"""What is computed in a process of its own is what would be computed here, and nothing is lost with it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest

from engine.model import Design, Level
from game.aside import Aside, Overtaken
from game.insight import Trace, insight, study
from levels import load_design, load_level
from levels.lookup import designs_beside, find_level


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
    busy = Aside()
    busy.start()
    busy.drop(0.0)  # nothing is going on
    assert busy.call(divmod, 7, 2) == (3, 1)
    raised: list[type[Exception]] = []

    def wait() -> None:
        try:
            busy.call(time.sleep, 60)
        except Exception as error:
            raised.append(type(error))

    thread = threading.Thread(target=wait)
    thread.start()
    while busy._since is None:
        time.sleep(0.001)
    busy.drop(30.0)  # it may well take so long
    assert thread.is_alive()
    busy.drop(0.0)
    thread.join(20)
    assert raised == [Overtaken]
    before = pid(busy)
    assert before is not None and busy.call(divmod, 7, 2) == (3, 1) and pid(busy) == before
    thread = threading.Thread(target=wait)
    thread.start()
    while busy._since is None:
        time.sleep(0.001)
    busy.close()
    thread.join(20)
    assert raised == [Overtaken, Overtaken] and pid(busy) is None


def test_it_ends_when_nobody_is_left_to_ask() -> None:
    ended = Aside()
    ended.start()
    assert ended.call(divmod, 7, 2) == (3, 1)
    process = ended._process
    assert process is not None and process.stdin is not None
    process.stdin.close()
    assert process.wait(20) == 0
