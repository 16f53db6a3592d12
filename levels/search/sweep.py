"""Sweeps: the scores of a design over a grid of settings, or over a random part of it, and which of them are best."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from engine.errors import UsageError
from levels.search.knobs import Knob, Point
from levels.search.task import Score
from levels.search.values import Value

MOST_POINTS = 1_000_000


@dataclass(frozen=True, slots=True)
class Row:
    """A point of a sweep and its score. ``front``: on the Pareto front of throughput against power."""

    point: Point
    score: Score
    front: bool = False


def points_of(values: Sequence[Sequence[Value]], random: int | None = None, seed: int = 0) -> list[Point]:
    """All points of the grid, the last setting fastest; or ``random`` of them, each once, in the order of the draw.

    Where the grid has no more than ``random`` points, all are taken. The draw depends on the arguments alone. Raises
    UsageError for more than :data:`MOST_POINTS`.
    """
    size = math.prod(len(each) for each in values)
    if random is None or random >= size:
        if size > MOST_POINTS:
            raise UsageError(f"the grid has {size} points, allowed are {MOST_POINTS}: draw some with --random 1000")
        return [_point(values, number) for number in range(size)]
    if random > MOST_POINTS:
        raise UsageError(f"--random {random}: a sweep has at most {MOST_POINTS} points")
    return [_point(values, number) for number in _drawn(size, random, seed)]


def _point(values: Sequence[Sequence[Value]], number: int) -> Point:
    """Point ``number`` of the grid: its digits choose the values."""
    digits = []
    for each in reversed(values):
        number, digit = divmod(number, len(each))
        digits.append(each[digit])
    return tuple(reversed(digits))


def _drawn(size: int, count: int, seed: int) -> Iterator[int]:
    """``count`` different numbers below ``size``, which may be beyond what ``Random.sample`` takes (Floyd's draw)."""
    random, drawn = Random(f"sweep {seed}"), set()
    for top in range(size - count, size):
        number = random.randrange(top + 1)
        number = top if number in drawn else number
        drawn.add(number)
    numbers = sorted(drawn)
    random.shuffle(numbers)
    return iter(numbers)


def rows_of(points: Sequence[Point], scores: Sequence[Score]) -> list[Row]:
    """The rows of a sweep, with its Pareto front marked."""
    front = pareto_front(scores)
    return [Row(p, s, i in front) for i, (p, s) in enumerate(zip(points, scores, strict=True))]


def pareto_front(scores: Sequence[Score]) -> set[int]:
    """Numbers of the passing scores to which no other has both more throughput and less power.

    Launches per nJ are throughput over power, so the most efficient score is always among them; of equal ones all are.
    """
    passing = [(s.throughput or 0.0, -(s.power or 0.0), i) for i, s in enumerate(scores) if s.verdict == "pass"]
    passing.sort(reverse=True)
    front: set[int] = set()
    least = -math.inf
    last: tuple[float, float] | None = None
    for throughput, power, i in passing:
        if power > least or (throughput, power) == last:
            front.add(i)
            least, last = power, (throughput, power)
    return front


def headers(knobs: Sequence[Knob], modules: Sequence[str] = ()) -> list[str]:
    """The columns of a sweep on a level with these modules of physics: settings, then figures with their units."""
    from engine.model import causes_with

    figures = [
        "verdict",
        "pareto",
        "efficiency_launches_per_nj",
        "throughput_launches_per_us",
        "power_mw",
        "latency_median_ns",
        "latency_worst_ns",
        "footprint_tiles",
        "cores",
        "slots",
        "launches",
        "medal",
    ]
    return [
        *(knob.name for knob in knobs),
        *figures,
        *(f"{cause}_pj_per_launch" for cause in causes_with(modules)),
        "note",
    ]


def cells(row: Row, modules: Sequence[str] = ()) -> list[object]:
    """The values of a row under :func:`headers`; None where there is none."""
    from engine.model import causes_with

    s = row.score
    settings = [list(v) if isinstance(v, tuple) else v for v in row.point]
    figures = [s.efficiency, s.throughput, s.power, s.latency, s.latency_worst, s.footprint, s.cores, s.slots]
    energy: Sequence[float | None] = s.energy or (None,) * len(causes_with(modules))
    return [*settings, s.verdict, row.front, *figures, s.launches, s.medal, *energy, s.note]
