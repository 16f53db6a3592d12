"""Tuning: better speeds, slots and roads for a design, whose wiring stays as it is.

The search is CMA-ES with Margin (Hamano et al., 2022; the library ``cmaes``), an evolution strategy for mixed real and
whole numbers that ranks candidates and needs no gradient. ``docs/search.md`` tells why it was chosen.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.builder import Builder
from engine.errors import InvalidError, UsageError
from engine.match import match
from engine.model import Design, Level
from engine.units import MIN_EVERY_TICKS
from levels.physics import core_choices, pad_choices, wire_choices
from levels.search.knobs import UNSET, Knob, Point, turned, wire_name
from levels.search.study import Done, Study
from levels.search.task import Job, Score
from levels.search.values import Value

WHAT = ("speeds", "slots", "tracks", "physics")
"""What can be tuned: the speeds of wires that run, slots of buffers, roads where a shorter one is free, and what the
level's physics lets be set: voltages, clocks, codes, gaps, oxide, sleep."""

RUNS = 600
"""Runs of a tuning unless told otherwise."""

SLOTS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64)
"""Slots that are tried beside those of the design: about equal ratios."""

SLOWEST_TICKS = 100_000
SPAN = 64
"""A wire is tried at up to so many times its speed, and down to as small a part of it."""

SIGMA = 0.5
"""First standard deviation: of a wire's time per word in octaves, of slots in steps of :data:`SLOTS`."""

MOST_STARTS = 20
"""Evolutions, each from the best of those before, where they converge before the runs are spent."""

_KEEP = 0.4
"""Share of the runs with which the best found so far is tried one knob at a time."""

Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Dial:
    """A knob with its scale: a wire's ticks on a logarithmic one, else the number of one of ``values``."""

    knob: Knob
    low: float
    high: float
    values: tuple[Value, ...] = ()
    usual: Value = 0
    """What a setting is where it is not set."""

    def value(self, x: float) -> Value:
        """The knob's value at ``x``."""
        if self.values:
            return self.values[min(max(round(x), 0), len(self.values) - 1)]
        return min(max(round(2**x), math.ceil(2**self.low)), math.floor(2**self.high))

    def place(self, value: Value) -> float:
        """Where on the scale a value stands, within its ends."""
        x = float(self.values.index(value)) if self.values else math.log2(int(value))  # type: ignore[arg-type]
        return min(max(x, self.low), self.high)


@dataclass(slots=True)
class Tuned:
    """What a tuning found: the design, its score, that of the design before, runs; (knob, old, new) for each change."""

    design: Design
    score: Score
    before: Score
    runs: int
    changes: list[tuple[str, Value, Value]] = field(default_factory=list)


def dials_of(level: Level, design: Design, what: Collection[str] = WHAT) -> list[Dial]:
    """What can be turned in ``design``. Stopped wires stay stopped. Raises UsageError where there is nothing."""
    dials: list[Dial] = []
    if "speeds" in what:
        for i, wire in enumerate(design.wires):
            if wire.every_ticks:
                low = max(MIN_EVERY_TICKS, wire.every_ticks // SPAN)
                high = max(min(SLOWEST_TICKS, wire.every_ticks * SPAN), wire.every_ticks)
                knob = Knob(f"{wire_name(wire)}.every_ticks", "every_ticks", (i,))
                dials.append(Dial(knob, math.log2(low), math.log2(high)))
    if "slots" in what:
        for i, core in enumerate(design.cores):
            slots = core.set.get("slots")
            if core.core == "buffer" and isinstance(slots, int) and not isinstance(slots, bool):
                values = tuple(sorted({*SLOTS, slots}))
                dials.append(Dial(Knob(f"{core.id}.slots", "set", (i,), "slots"), 0, len(values) - 1, values))
    if "tracks" in what:
        dials += _roads(level, design)
    if "physics" in what:
        dials += _physics(level, design)
    if not dials:
        raise UsageError(
            f"there is nothing to tune in this design: no running wire, buffer or detour ({', '.join(what)})"
        )
    return dials


def _physics(level: Level, design: Design) -> list[Dial]:
    """What the level's physics lets be set of the wires that run, of cores, and of pads."""
    found = []
    for i, wire in enumerate(design.wires):
        for name, values in wire_choices(level).items() if wire.every_ticks else ():
            usual = UNSET.get(name, (values[0],))[0]
            said = [usual if value is None else value for value in values]
            knob = Knob(f"{wire_name(wire)}.{name}", "wire", (i,), name)
            found.append(_dial(knob, said, getattr(wire, name)))
    for i, core in enumerate(design.cores):
        for name, values in core_choices(level, core.core).items():
            found.append(_dial(Knob(f"{core.id}.{name}", "set", (i,), name), values, core.set.get(name)))
    for pad in level.pads:
        for name, values in pad_choices(level, pad).items():
            knob = Knob(f"{pad.id}.{name}", "set", (pad.id,), name)
            found.append(_dial(knob, values, design.pads.get(pad.id, {}).get(name)))
    return found


def _dial(knob: Knob, values: Sequence[Any], now: Any) -> Dial:
    """A dial over values, the usual one first, and the present one: numbers by size, else as they are."""
    every = list(dict.fromkeys([*values, *([] if now is None else [now])]))
    if all(isinstance(value, int) and not isinstance(value, bool) for value in every):
        every.sort()
    return Dial(knob, 0, len(every) - 1, tuple(every), values[0])


def _roads(level: Level, design: Design) -> list[Dial]:
    """Wires for which a shorter road is free while all others lie where they do."""
    try:
        builder = Builder.of(level, design)
    except UsageError:
        return []
    found = []
    for i, line in enumerate(builder.lines):
        before, length = list(line.spec.path), line.length
        try:
            builder.reroute(line)
        except UsageError:
            continue
        if line.length < length:
            roads = (tuple(before), tuple(line.spec.path))
            found.append(Dial(Knob(f"{wire_name(line.spec)}.road", "road", (i,), roads=roads), 0, 1, (0, 1)))
        builder.reroute(line, path=before)
    return found


def fitness(score: Score) -> float:
    """Greater is better: any design that passes before any that misses a limit, and that before any that fails."""
    if score.verdict == "pass" and score.efficiency:
        return math.log(score.efficiency)
    if score.verdict == "limit":
        return -1e3 - score.excess
    return {"timeout": -1e6, "deadlock": -2e6, "fault": -3e6}.get(score.verdict, -4e6)


def tune(
    level: Level,
    design: Design,
    make_study: Callable[[Job], Study],
    *,
    what: Collection[str] = WHAT,
    runs: int = RUNS,
    seed: int = 0,
    data_seed: int = 0,
    done: Done = lambda _: None,
) -> Tuned:
    """The best design that at most ``runs`` runs find; never one that scores less than ``design``.

    The result depends on the arguments alone, not on the number of workers: every generation is as large as it is,
    and is judged as a whole. ``make_study`` gives a study of the job, with crew and journal. ``seed`` is that of the
    search, ``data_seed`` that of the launches' data. Raises UsageError where there is nothing to tune.
    """
    dials = dials_of(level, design, what)
    search = _Search(make_study(Job.of(level, design, [d.knob for d in dials], data_seed)), dials, runs, done)
    own = _own(design, dials)
    before = search.ask([own])[0]
    search.ask(_matched(level, design, dials))
    _evolve(search, seed, round(runs * (1 - _KEEP)))
    _polish(search)
    best, score = search.best
    turns = [(d.knob, b) for d, a, b in zip(dials, own, best, strict=True) if a != b]
    result = turned(design, [knob for knob, _ in turns], tuple(value for _, value in turns))
    changes = [(d.knob.name, a, b) for d, a, b in zip(dials, own, best, strict=True) if a != b]
    return Tuned(Design.model_validate(result.model_dump(by_alias=True)), score, before, search.runs, changes)


class _Search:
    """Candidates and their scores, up to a number of runs. Of equally good candidates the first counts."""

    def __init__(self, study: Study, dials: Sequence[Dial], budget: int, done: Done) -> None:
        self.study, self.dials, self.budget, self.done = study, dials, budget, done
        self.seen: dict[Point, Score] = {}
        self.best: tuple[Point, Score]

    @property
    def runs(self) -> int:
        return len(self.seen)

    @property
    def left(self) -> int:
        return self.budget - self.runs

    def ask(self, points: Sequence[Point]) -> list[Score]:
        """The scores of the points; those beyond the budget count as failed."""
        new = list(dict.fromkeys(p for p in points if p not in self.seen))[: max(self.left, 0)]
        scores = self.study.scores(new, self.done, ahead=max(self.left - len(new), 0))
        for point, score in zip(new, scores, strict=True):
            self.seen[point] = score
            if self.runs == 1 or fitness(score) > fitness(self.best[1]):
                self.best = point, score
        return [self.seen.get(point, Score("invalid")) for point in points]


def _own(design: Design, dials: Sequence[Dial]) -> Point:
    """The values that the design has."""
    values: list[Value] = []
    for dial in dials:
        [place] = dial.knob.places
        if isinstance(place, str):
            values.append(design.pads.get(place, {}).get(dial.knob.setting, dial.usual))  # type: ignore[arg-type]
        elif dial.knob.kind == "every_ticks":
            values.append(design.wires[place].every_ticks or 0)
        elif dial.knob.kind == "wire":
            now = getattr(design.wires[place], dial.knob.setting)
            values.append(dial.usual if now is None else now)
        elif dial.knob.kind == "set":
            values.append(design.cores[place].set.get(dial.knob.setting, dial.usual))  # type: ignore[arg-type]
        else:
            values.append(0)
    return tuple(values)


def _matched(level: Level, design: Design, dials: Sequence[Dial]) -> list[Point]:
    """The design with Match's speeds, on its own roads and on the shorter ones."""
    own, found = _own(design, dials), []
    short = tuple(1 if d.knob.kind == "road" else v for d, v in zip(dials, own, strict=True))
    knobs = [dial.knob for dial in dials]
    for start in dict.fromkeys((own, short)):
        try:
            matched, _ = match(level, turned(design, knobs, start))
        except InvalidError:
            continue
        found.append(
            tuple(
                _nearest(d, matched.wires[int(d.knob.places[0])].every_ticks or 1)
                if d.knob.kind == "every_ticks"
                else v
                for d, v in zip(dials, start, strict=True)
            )
        )
        if start != own:
            found.append(start)
    return found


def _nearest(dial: Dial, ticks: int) -> Value:
    """The ticks themselves where the dial reaches so far, else its end."""
    low, high = dial.value(dial.low), dial.value(dial.high)
    return min(max(ticks, int(low)), int(high))  # type: ignore[arg-type]


def _evolve(search: _Search, seed: int, until: int) -> None:
    """Generations of candidates around the best, until so many runs are spent; begun again where they have converged.

    The first coordinate is the pace: octaves by which all wires are slower. Without it a slower or faster machine as a
    whole would be found only by luck.
    """
    wires = np.array([d.knob.kind == "every_ticks" for d in search.dials])
    low = np.array([-2.0, *(d.low for d in search.dials)])
    high = np.array([2.0, *(d.high for d in search.dials)])
    steps = np.array([0.0, *(1.0 if d.values else 0.0 for d in search.dials)])
    for restart in range(MOST_STARTS):
        start = search.best[0]
        mean = np.array([0.0, *(d.place(v) for d, v in zip(search.dials, start, strict=True))])
        optimizer = _optimizer(mean, np.stack([low, high], axis=1), steps, SIGMA / (1 + restart % 3), seed + restart)
        idle = 0
        while search.runs < until and not optimizer.should_stop() and idle < 8:
            before = search.runs
            asked = [optimizer.ask() for _ in range(optimizer.population_size)]
            points = [_decoded(search.dials, wires, x) for x, _ in asked]
            scores = search.ask(points)
            optimizer.tell([(raw, -fitness(score)) for (_, raw), score in zip(asked, scores, strict=True)])
            # Generations that hold nothing new have converged, whatever the distribution says.
            idle = idle + 1 if search.runs == before else 0


def _optimizer(mean: Vector, bounds: Vector, steps: Vector, sigma: float, seed: int) -> Any:
    from cmaes import CMAwM

    # A coordinate that starts at its end would never be sampled beyond it: that is meant.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return CMAwM(mean=mean, sigma=sigma, bounds=bounds, steps=steps, seed=seed % 2**32)


def _decoded(dials: Sequence[Dial], wires: NDArray[np.bool_], x: Vector) -> Point:
    values = x[1:] + np.where(wires, x[0], 0.0)
    return tuple(dial.value(float(v)) for dial, v in zip(dials, values, strict=True))


def _polish(search: _Search) -> None:
    """Try the best with one knob at a time a step up or down, steps that shrink, until no run is left or none helps."""
    step = 0.5
    while search.left > 0 and step > 1e-3:
        found = False
        for i, dial in enumerate(search.dials):
            for sign in (-1, 1):
                best = search.best
                value = _stepped(dial, best[0][i], sign * step)
                search.ask([(*best[0][:i], value, *best[0][i + 1 :])])
                found = found or search.best is not best
        if not found:
            step /= 2


def _stepped(dial: Dial, value: Value, by: float) -> Value:
    if dial.values:
        return dial.value(dial.place(value) + math.copysign(1, by))
    return dial.value(dial.place(value) + by)


__all__ = ["RUNS", "WHAT", "Dial", "Tuned", "dials_of", "fitness", "tune"]
