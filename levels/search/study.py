"""Points of one job, each scored once: by a crew, with a journal of what is known."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from typing import Any

from engine.fingerprint import design_hash, level_hash
from engine.model import SCORE_VERSION
from engine.version import VERSION
from levels.search.crew import Crew
from levels.search.journal import Journal
from levels.search.knobs import Point
from levels.search.task import Job, Score

Done = Callable[[int], None]
"""Told how many points were scored since it was last told."""


def identity(kind: str, job: Job, **more: Any) -> dict[str, Any]:
    """What makes two searches the same: level, design, knobs, seed, versions and what else decides about the result."""
    level, design = job.documents()
    knobs = json.dumps([asdict(knob) for knob in job.knobs], sort_keys=True)
    return {
        "search": kind,
        "level": level_hash(level),
        "design": design_hash(design),
        "medals": level.medals.model_dump() if level.medals else None,
        "knobs": hashlib.sha256(knobs.encode()).hexdigest()[:16],
        "seed": job.seed,
        "version": VERSION,
        "score_version": SCORE_VERSION,
        **more,
    }


def key_of(point: Point) -> str:
    """What a point is called in a journal."""
    return json.dumps(point, separators=(",", ":"))


class Study:
    """Asks ``crew`` for scores of ``job``, never twice for the same point; ``journal`` makes that outlive a kill."""

    def __init__(self, job: Job, crew: Crew, journal: Journal | None = None) -> None:
        self.job = job
        self.crew = crew
        self.journal = journal
        self.scored = 0
        """Points that were run here, not found in the journal."""
        known = journal.known if journal else {}
        self._known = {key: Score.of(row) for key, row in known.items()}

    def known(self, points: Iterable[Point]) -> int:
        """How many of the points need no run."""
        return sum(key_of(point) in self._known for point in points)

    def scores(self, points: Sequence[Point], done: Done = lambda _: None, ahead: int = 0) -> list[Score]:
        """The scores of the points, in their order; ``ahead`` as in :meth:`levels.search.crew.Crew.run`."""
        keys = [key_of(point) for point in points]
        new = {key: point for key, point in zip(keys, points, strict=True) if key not in self._known}
        done(len(points) - len(new))
        for some, batch in self.crew.run(self.job, list(new.values()), ahead):
            found = {key_of(point): score for point, score in zip(some, batch.scores, strict=True)}
            if self.journal:
                self.journal.add((key, score.row()) for key, score in found.items())
            self._known |= found
            self.scored += len(found)
            done(len(found))
        return [self._known[key] for key in keys]
