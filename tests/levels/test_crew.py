"""Who does the work does not matter: processes, a cluster, kills."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.errors import UsageError
from levels.search import crew as crew_module
from levels.search.crew import Crew
from levels.search.journal import Journal
from levels.search.knobs import Point
from levels.search.study import Study
from levels.search.task import Job, Score, score_points
from tests.levels.searching import job_of


@pytest.fixture(scope="module")
def search() -> tuple[Job, list[Point], list[Score]]:
    """A job, its points, and their scores."""
    job, points = job_of("gpu-puzzles/02", "*.every_ns=1..6:lin21", "a.value->*.every_ns=1..9")
    return job, points, list(score_points(job, points).scores)


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_the_number_of_processes_does_not_matter(search: tuple[Job, list[Point], list[Score]], jobs: int) -> None:
    job, points, scores = search
    with Crew(jobs, worth=0) as crew:
        assert Study(job, crew).scores(points) == scores


def test_no_process_is_started_for_little_work(search: tuple[Job, list[Point], list[Score]]) -> None:
    job, points, scores = search
    with Crew(8, worth=1e6) as crew:
        assert Study(job, crew).scores(points) == scores
        assert list(crew.seconds) == [os.getpid()]


@pytest.mark.skipif(os.name == "nt", reason="kills by signal")
def test_a_process_that_is_killed_loses_nothing(
    search: tuple[Job, list[Point], list[Score]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its tasks are done again, each once."""
    job, points, scores = search
    pools = []

    def pool(processes: int) -> Any:
        pools.append(start(processes))
        return pools[-1]

    start = crew_module._pool
    monkeypatch.setattr(crew_module, "_pool", pool)
    killed: list[int] = []

    def done(_: int) -> None:
        if pools and not killed and (running := list(pools[0]._processes)):
            os.kill(running[0], signal.SIGKILL)
            killed.append(running[0])

    with Crew(2, worth=0) as crew, Journal(tmp_path / "x.journal", {}) as journal:
        study = Study(job, crew, journal)
        assert study.scores(points, done) == scores
        assert killed
        assert study.scored == len(points)
    lines = (tmp_path / "x.journal").read_text().splitlines()
    assert sum(line.count('"pass"') + line.count('"limit"') for line in lines) <= len(points)


def test_processes_that_are_lost_again_and_again_are_told(
    search: tuple[Job, list[Point], list[Score]], monkeypatch: pytest.MonkeyPatch
) -> None:
    from concurrent.futures import Executor, Future
    from concurrent.futures.process import BrokenProcessPool

    class Broken(Executor):
        def submit(self, *_: Any, **__: Any) -> Future[Any]:  # type: ignore[override]
            raise BrokenProcessPool

    monkeypatch.setattr(crew_module, "_pool", lambda _: Broken())
    job, points, _ = search
    with Crew(2, worth=0) as crew, pytest.raises(OSError, match="--jobs"):
        Study(job, crew).scores(points)


# --- a cluster ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A local Dask cluster of two worker processes."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, scheduler_port=0
    ) as found:
        yield found


@pytest.mark.skipif(os.name == "nt", reason="kills by signal")
def test_a_cluster_gives_the_same_also_when_a_worker_is_killed(
    cluster: Any,
) -> None:
    job, points = job_of("gpu-puzzles/14b", "*.every_ns=1..2:lin20", "t.token*.every_ns=1..10")
    scores = list(score_points(job, points).scores)
    killed: list[int] = []

    def done(_: int) -> None:
        # Once both have worked; each has more tasks ahead.
        if len(crew.seconds) == 2 and not killed:
            killed.append(next(iter(crew.seconds)))
            os.kill(killed[0], signal.SIGKILL)

    with Crew(scheduler=cluster.scheduler_address) as crew:
        study = Study(job, crew)
        assert study.scores(points, done) == scores
        assert killed
        assert study.scored == len(points)
        assert os.getpid() not in crew.seconds


@pytest.mark.parametrize("address", ["foo", "", "nonsense://127.0.0.1:1", "tcp://127.0.0.1:1"])
def test_where_there_is_no_scheduler_that_is_said_and_nothing_else(
    address: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """A client is made only for somebody who has answered: one that is given up takes its time, and complains."""
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(crew_module, "CONNECT_SECONDS", 0.2)
    monkeypatch.setattr(distributed, "Client", lambda *_, **__: pytest.fail("a client was made"))
    with pytest.raises(UsageError, match=f"no Dask scheduler at {address} .*'dask scheduler'"):
        Crew(scheduler=address)
    gc.collect()
    assert capfd.readouterr() == ("", "")


def test_what_a_cluster_needs_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match=r"perwatt\[cluster\]"):
        Crew(scheduler="tcp://127.0.0.1:1")
