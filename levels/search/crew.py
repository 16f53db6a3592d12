"""Who does the work: this process with others on this machine, or the workers of a Dask cluster.

Results never depend on it: a task is a pure function of its arguments, and who asks sorts them.
"""

from __future__ import annotations

import asyncio
import math
import os
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import connection, get_context, parent_process
from types import TracebackType
from typing import Any

from engine.errors import UsageError
from levels.search.knobs import Point
from levels.search.task import Batch, Job, score_points

BATCH_SECONDS = 0.1
"""Work of one task: little, so that a kill loses little and processes end together."""

FIRST_POINTS, MOST_POINTS = 8, 64
"""Points of the first task, from which the others' size is reckoned, and of any."""

WORTH_SECONDS = 3.0
"""Work of this length is worth starting processes for: each takes one or two to load the engine."""

RETRIES = 3
"""How often a task is tried again when its worker was lost."""

AHEAD = 3
"""Tasks with each worker: this process sees to them between two of its own, which take as long as theirs."""

LAST_TASKS = 2
"""The work that is left is shared out to everyone this often: the last tasks are small, so that all end together."""


def processors() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


CONNECT_SECONDS = 5
"""How long a scheduler may take to answer."""

ASK_SECONDS = 1.0
"""How often a cluster is asked how many workers it has."""


class Crew:
    """Scores batches of points. ``jobs`` counts processes, this one among them; 0 takes all processors.

    With ``scheduler``, the address of a Dask scheduler, the cluster's workers do everything and ``jobs`` does not
    count. ``worth`` is how many seconds of work must lie ahead before processes are started.
    """

    def __init__(self, jobs: int = 0, scheduler: str | None = None, worth: float = WORTH_SECONDS) -> None:
        self.jobs = jobs or processors()
        self.scheduler = scheduler
        self.worth = worth
        self.seconds: dict[int, float] = {}
        """Processor time for tasks, by process."""
        self._client: Any = None
        self._pool: Executor | None = None
        self._rate = 0.0
        self._threads, self._asked = 1, -math.inf
        if scheduler is not None:
            self._client = _client(scheduler)
            self._pool = self._client.get_executor(pure=True, retries=RETRIES)

    def run(self, job: Job, points: Sequence[Point], ahead: int = 0) -> Iterator[tuple[Sequence[Point], Batch]]:
        """Yield the points with their scores, batch by batch, in the order in which they are finished.

        ``ahead`` says how many points will be asked for later, which decides whether processes are worth starting.
        """
        waiting = list(points[::-1])
        # Few points are shared out as well: a generation of a tuning is smaller than a task may be.
        share = max(1, -(-len(points) // self._hands()))
        left = len(points) + ahead
        pending: dict[Future[Batch], Sequence[Point]] = {}
        lost = 0
        while waiting or pending:
            if self._pool is None and self._worth_it(left):
                # Only now that this process has compiled the engine, or loaded it: the others find it in the cache.
                self._pool = _pool(self.jobs - 1)
            try:
                if self._pool is not None:
                    # The last task is for this process, where it works itself.
                    own = self._size(share, len(waiting)) if self._client is None else 0
                    while len(waiting) > own and len(pending) < self._room():
                        some = waiting[-self._size(share, len(waiting)) :][::-1]
                        pending[self._pool.submit(score_points, job, some)] = some
                        del waiting[-len(some) :]
                for future in [f for f in pending if f.done()]:
                    batch = future.result()
                    yield self._took(pending.pop(future), batch)
                    left -= len(batch.scores)
                    lost = 0
            except BrokenProcessPool:
                lost += 1
                if lost > RETRIES:
                    raise ChildProcessError(
                        f"processes were lost {lost} times one after the other, for want of memory or by a kill: "
                        "what is done is in the journal; go on with fewer --jobs"
                    ) from None
                waiting += [point for some in pending.values() for point in some]
                pending.clear()
                self._pool = _pool(self.jobs - 1)
                continue
            except CancelledError:
                raise ConnectionError(
                    f"the scheduler at {self.scheduler} was lost: what is done is in the journal; start it and go on"
                ) from None
            if waiting and self.scheduler is None:
                mine = waiting[-self._size(share, len(waiting)) :][::-1]
                del waiting[-len(mine) :]
                batch = score_points(job, mine)
                yield self._took(mine, batch)
                left -= len(mine)
            elif pending and not any(f.done() for f in pending):
                wait(pending, return_when=FIRST_COMPLETED)

    def _took(self, points: Sequence[Point], batch: Batch) -> tuple[Sequence[Point], Batch]:
        self._rate = batch.seconds / len(points)
        self.seconds[batch.process] = self.seconds.get(batch.process, 0.0) + batch.seconds
        return points, batch

    def _worth_it(self, left: int) -> bool:
        return self.jobs > 1 and self._rate > 0 and self._rate * left >= self.worth

    def _size(self, share: int, left: int) -> int:
        """Points of the next task, of which ``share`` are each process's part, and ``left`` are in no task yet."""
        reckoned = round(BATCH_SECONDS / self._rate) if self._rate else FIRST_POINTS
        last = -(-left // (LAST_TASKS * self._hands()))
        return max(1, min(reckoned, share, last, MOST_POINTS))

    def _room(self) -> int:
        """Tasks that may be with the workers at once."""
        if self._client is None:
            return AHEAD * (self.jobs - 1)
        if not self.seconds:
            return 1  # one worker compiles the engine for those that share its cache
        return AHEAD * self._hands()

    def _hands(self) -> int:
        """How many tasks can be done at the same time."""
        if self._client is None:
            return self.jobs
        if time.monotonic() >= self._asked + ASK_SECONDS:  # workers come and go
            threads: dict[str, int] = self._client.nthreads()
            self._threads, self._asked = max(1, sum(threads.values())), time.monotonic()
        return self._threads

    def close(self) -> None:
        if self._pool is not None:
            if self._client is None:
                self._pool.shutdown(cancel_futures=True)
            else:  # Dask's executor cancels what is left, and knows no such argument
                self._pool.shutdown(wait=False)
                self._client.close()

    def __enter__(self) -> Crew:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _pool(processes: int) -> ProcessPoolExecutor:
    # A fresh interpreter per process: forking one that runs compiled code is not safe on every system.
    return ProcessPoolExecutor(processes, mp_context=get_context("spawn"), initializer=_enter)


def _enter() -> None:
    """In a worker: leave Ctrl+C to the process that started it, and end when that is gone, however that ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:

        def watch() -> None:
            connection.wait([parent.sentinel])
            os._exit(1)

        threading.Thread(target=watch, daemon=True).start()


def _client(address: str) -> Any:
    try:
        from distributed import Client
        from distributed.comm.core import connect
        from distributed.security import Security
    except ImportError:
        raise UsageError("--scheduler needs Dask: pip install 'perwatt[cluster]'") from None

    async def reach() -> None:
        options = Security().get_connection_args("client")  # type: ignore[no-untyped-call]
        (await connect(address, timeout=CONNECT_SECONDS, **options)).abort()  # type: ignore[no-untyped-call]

    client: Any
    try:
        # A client that finds nobody ends only after 20 seconds, and with a traceback.
        asyncio.run(reach())
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise UsageError(
            f"there is no Dask scheduler at {address} ({error}): start one with 'dask scheduler'"
        ) from None
    deadline = time.monotonic() + 10
    while not client.nthreads():
        if time.monotonic() > deadline:
            client.close()
            raise UsageError(f"the scheduler at {address} has no workers: start some with 'dask worker {address}'")
        time.sleep(0.1)
    return client
