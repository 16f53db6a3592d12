"""A sweep of 1,000 points on two processors against one: a ratio of processor times, taken in one run."""

from __future__ import annotations

import time

import pytest

pytest.importorskip("numba")
pytest.importorskip("resource", reason="the processor time of other processes can be had on POSIX only")

import resource

from levels.search.crew import BATCH_SECONDS, Crew, processors
from levels.search.study import Study
from levels.search.task import Job
from tests.levels.searching import job_of

POINTS = 1000
TIMES = 1.7
ROUNDS = 3
IDLE = 1.15
"""Where less time passes than so many times what the processes work, nobody else works."""


def test_a_sweep_uses_both_processors() -> None:
    """Starting the second process and loading the engine there count.

    On a machine that is idle else the clock decides. On any other it would tell of the others' work; there the
    processor time of both is shared by two, as both work until the last batch, which counts whole.
    """
    if processors() < 2:
        pytest.skip("one processor")
    job, points = job_of("gpu-puzzles/14b", "*.every_ns=1..4:lin40", "t.token*.every_ns=1..50", random=POINTS)
    level, design = job.documents()
    level.launches.measured *= 6  # longer runs, against which the start of a process counts less
    job = Job.of(level, design, job.knobs)
    with Crew(1) as crew:
        Study(job, crew).scores(points[:1])  # the engine is compiled, or loaded
        clock, start = time.perf_counter(), time.process_time()
        one = Study(job, crew).scores(points)
        alone, alone_by_clock = time.process_time() - start, time.perf_counter() - clock
    found = []
    for _ in range(ROUNDS):
        clock, start, others = time.perf_counter(), time.process_time(), _children()
        with Crew(2) as crew:
            two = Study(job, crew).scores(points)
        by_clock, work = time.perf_counter() - clock, time.process_time() - start + _children() - others
        idle_else = alone_by_clock < IDLE * alone and 2 * by_clock < IDLE * work
        found.append(alone_by_clock / by_clock if idle_else else alone / (work / 2 + BATCH_SECONDS))
        assert two == one
        assert len(crew.seconds) == 2
        assert min(crew.seconds.values()) > sum(crew.seconds.values()) / 5, "both work all the time"
        if found[-1] >= TIMES:
            break
    print(f"{alone:.1f} s alone; two are {max(found):.2f} times as fast")
    assert max(found) >= TIMES, found


def _children() -> float:
    """Seconds of processor time of all processes that this one started and saw end."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return float(used.ru_utime + used.ru_stime)
