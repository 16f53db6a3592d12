"""What the tests of searches share: levels, jobs, and a score that may be looked at."""

from __future__ import annotations

from engine.model import Design, Level
from levels.files import load_design_file, load_level_file
from levels.lookup import find_level, sibling
from levels.search.knobs import Point, parse_setting
from levels.search.sweep import points_of
from levels.search.task import Job


def load(ref: str, role: str = "naive") -> tuple[Level, Design]:
    """A level of the campaign and one of its references."""
    path = find_level(ref)
    level = load_level_file(path).level
    assert level.reference
    return level, load_design_file(sibling(path, getattr(level.reference, role))).design


def job_of(
    ref: str, *settings: str, role: str = "naive", random: int | None = None, seed: int = 0
) -> tuple[Job, list[Point]]:
    """A job with these settings and its points."""
    level, design = load(ref, role)
    parsed = [parse_setting(text, level, design) for text in settings]
    return Job.of(level, design, [knob for knob, _ in parsed]), points_of([v for _, v in parsed], random, seed)
