"""The pure function that everything here rests on: from level, design, knobs, seed and points to scores."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from engine.errors import UsageError
from engine.live import Figure, LiveScore
from engine.model import Design, Level
from engine.score import check_limits, metrics
from engine.units import pj_from_exact
from engine.version import VERSION
from levels.search.knobs import Knob, Point, turned


@dataclass(frozen=True, slots=True)
class Job:
    """What all points of a search have in common: documents as JSON, knobs, the seed of the data."""

    level: str
    design: str
    knobs: tuple[Knob, ...]
    seed: int = 0
    version: str = VERSION

    @classmethod
    def of(cls, level: Level, design: Design, knobs: Sequence[Knob], seed: int = 0) -> Job:
        return cls(level.model_dump_json(by_alias=True), design.model_dump_json(by_alias=True), tuple(knobs), seed)

    def documents(self) -> tuple[Level, Design]:
        """The level and the design as models."""
        return Level.model_validate_json(self.level), Design.model_validate_json(self.design)


@dataclass(frozen=True, slots=True)
class Score:
    """What a run gave, in plain values. Figures are None where the run had no window.

    Launches/nJ, launches/µs, mW, ns (median and worst), pJ per launch by cause. ``excess`` is by how much limits are
    missed, as the sum of the logarithms of found over allowed; ``note`` says what went wrong.
    """

    verdict: str
    efficiency: float | None = None
    throughput: float | None = None
    power: float | None = None
    latency: float | None = None
    latency_worst: float | None = None
    footprint: int | None = None
    cores: int | None = None
    slots: int | None = None
    launches: int | None = None
    medal: str | None = None
    excess: float = 0.0
    energy: tuple[float, ...] | None = None
    note: str = ""

    @classmethod
    def of(cls, values: Sequence[Any]) -> Score:
        """The score of a row as JSON gives it back."""
        fields: dict[str, Any] = dict(zip(cls.__slots__, values, strict=True))
        energy = fields["energy"]
        return cls(**{**fields, "energy": None if energy is None else tuple(energy)})

    def row(self) -> list[Any]:
        """Plain values in the order of the fields, from which :meth:`of` makes an equal score."""
        return [getattr(self, name) for name in self.__slots__]


@dataclass(frozen=True, slots=True)
class Batch:
    """The scores of some points, and which process took how much of its time for them."""

    scores: tuple[Score, ...]
    process: int
    seconds: float


def score_points(job: Job, points: Sequence[Point]) -> Batch:
    """Score the points in order. The scores depend on the arguments alone.

    Raises UsageError in a process of another version of Perwatt, which might score otherwise.
    """
    if job.version != VERSION:
        raise UsageError(
            f"a worker has Perwatt {VERSION}, and the search was begun by {job.version}: install one version"
        )
    scorer = _scorer(job)
    start = time.process_time()
    scores = tuple(scorer.score(point) for point in points)
    return Batch(scores, os.getpid(), time.process_time() - start)


@lru_cache(maxsize=2)
def _scorer(job: Job) -> Scorer:
    return Scorer(job)


class Scorer:
    """Scores the points of one job in one process, keeping what two points have in common."""

    def __init__(self, job: Job) -> None:
        self.level, self.design = job.documents()
        self.knobs = job.knobs
        self._live = LiveScore(self.level, seed=job.seed)

    def score(self, point: Point) -> Score:
        """The score of the design with the knobs at ``point``; that of :func:`engine.simulate` to the last bit."""
        try:
            design = turned(self.design, self.knobs, point)
        except ValueError as error:
            return Score("invalid", note=str(error).splitlines()[0])
        return self.score_design(design)

    def score_design(self, design: Design) -> Score:
        """As :meth:`score`, of any design for the level."""
        figure = self._live.edit(design)
        if not figure.final:
            figure = self._live.finish()
        return score_of(self.level, figure)


def score_of(level: Level, figure: Figure) -> Score:
    """The plain values of a final figure."""
    measured, outcome = figure.measured, figure.outcome
    if measured is None or outcome is None or outcome.counters is None:
        return Score(figure.verdict, note=_note(figure))
    found = metrics(outcome.netlist, measured)
    limits = check_limits(level, found, outcome.netlist, outcome.counters)
    missed = [limit for limit in limits if not limit.ok]
    return Score(
        figure.verdict,
        found.efficiency_launches_per_nj,
        found.throughput_launches_per_us,
        found.power_mw,
        found.latency_ns.median,
        found.latency_ns.worst,
        found.footprint_tiles,
        found.cores,
        outcome.netlist.slots,
        found.launches,
        figure.medal,
        sum(abs(math.log(max(x.found, 1e-9) / max(x.allowed, 1e-9))) for x in missed),
        tuple(pj_from_exact(exact) / measured.launches for exact in measured.by_cause.values()),
        f"limit: {', '.join(x.limit for x in missed)}" if missed else "",
    )


def _note(figure: Figure) -> str:
    if figure.problems:
        return str(figure.problems[0])
    if figure.outcome and figure.outcome.fault:
        return f"{figure.outcome.fault.core}: {figure.outcome.fault.code}"
    if figure.outcome and figure.outcome.deadlock:
        return f"{figure.outcome.deadlock.root}: {figure.outcome.deadlock.kind}"
    return ""
