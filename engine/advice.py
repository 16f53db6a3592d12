"""What a run lost (:mod:`engine.causes`), with cures that were tried: no change is recommended that lowers the score.

Estimates come from rates alone, and a machine may answer otherwise: a wire that is slowed may shorten a road, and the
way that looks short may be taken. So every change that can be made mechanically (:mod:`engine.changes`) is made, and
the machine runs with it, on the same data. The measured gain is told; what does not pay is left out, or said so.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from engine.causes import Causes, LostEnergy, LostTime, causes
from engine.changes import Change, changed
from engine.elaborate import elaborate
from engine.errors import InvalidError, UsageError
from engine.heated import in_its_heat
from engine.live import LiveScore
from engine.machines import EngineName
from engine.model import Design, Level, Report
from engine.truth import Workload

MIN_GAIN = 0.003
"""What raises the score by less than this share is not worth a change."""

CANDIDATES = 8
"""So many of the largest items are looked at."""

MAX_TRIALS, MAX_EVENTS = 24, 20_000_000
"""So many runs are made at most, with about so many events altogether, and two in any case."""


def advised(level: Level, design: Design, report: Report, most: int = 3) -> Causes | None:
    """What a run lost, at most ``most`` items of each kind, with cures that were tried.

    ``gain`` of an item is the share by which its change alone raised the score; its ``change`` is the one that did.
    Items of energy that no change cures are left out; of time, their cure says so. None for a run without figures.
    """
    engine: EngineName = "plain" if report.engine == "plain" else "auto"
    netlist = in_its_heat(elaborate(level, design), Workload(level, report.seed), engine)
    found = causes(netlist, report, CANDIDATES)
    if found is None:
        return None
    trials = _Trials(level, design, report)
    time = [trials.time(item) for item in found.time[:most]]
    # Conflicts cost time as well, which their estimate leaves out: they are tried before what looks larger.
    likely = sorted(found.energy, key=lambda item: item.kind != "conflicts")
    energy = list(_kept((trials.energy(item, time) for item in likely), most))
    energy.sort(key=lambda item: -item.pj)
    return replace(found, time=time, energy=energy, first=_first(time, energy))


def _kept(items: Iterable[LostEnergy | None], most: int) -> Iterable[LostEnergy]:
    count = 0
    for item in items:
        if item is not None:
            yield item
            count += 1
        if count == most:
            return


class _Trials:
    """Runs of one design with changes, each compared with the report."""

    def __init__(self, level: Level, design: Design, report: Report) -> None:
        assert report.metrics
        self.level, self.design, self.verdict = level, design, report.verdict
        self.before = report.metrics.efficiency_launches_per_nj
        self.left = min(MAX_TRIALS, max(2, MAX_EVENTS // max(report.events, 1)))
        self._live = LiveScore(level, seed=report.seed, engine="plain" if report.engine == "plain" else "auto")

    def gain(self, change: Change) -> tuple[float | None, str]:
        """The share by which a change raises the score, and what was done; None where it cannot be made or run."""
        if not self.left or not self.before:
            return None, ""
        try:
            design, done = changed(self.level, self.design, change)
        except (UsageError, InvalidError):
            return None, ""
        if change.what == "short" and int(done) >= self._length(change.wire):
            return None, ""
        self.left -= 1
        self._live.edit(design)
        figure = self._live.finish() if self._live.runs else None
        if figure is None or figure.verdict not in ("pass", self.verdict) or not figure.efficiency:
            return None, ""
        return figure.efficiency / self.before - 1, done

    def _length(self, wire: int) -> int:
        path = self.design.wires[wire].path
        return sum(abs(a[0] - b[0]) + abs(a[1] - b[1]) for a, b in pairwise(path))

    def best(self, options: Iterable[Change]) -> tuple[Change | None, float | None, str]:
        """Of some changes the first that pays, else the one that costs least; None where none can be made."""
        least: tuple[Change | None, float | None, str] = (None, None, "")
        for change in options:
            gain, done = self.gain(change)
            if gain is not None and (least[1] is None or gain > least[1]):
                least = change, gain, done
            if gain is not None and gain >= MIN_GAIN:
                break
        return least

    def energy(self, item: LostEnergy, time: list[LostTime]) -> LostEnergy | None:
        """An item whose cure pays, with what it saves; None where no change was found that does."""
        if item.kind == "waiting":
            return replace(item, cure=time[0].cure if time else item.cure)
        if item.change is None:
            return None
        change, gain, done = self.best(self._less(item.change))
        if change is None or gain is None or gain < MIN_GAIN:
            return None
        pj = 1000 / self.before * (1 - 1 / (1 + gain))
        message, cure = item.message, item.cure
        if change.what == "speed":
            cure = f"slow it to {100 / change.every_ticks:.3g}: a word every {change.every_ticks / 100:g} ns"
        elif change.what == "pad":
            cure = f"leave out a cell after each row: {done}"
        elif change.what == "short":
            message = f"{item.message.partition(' takes ')[0]} takes {self._length(change.wire)} tiles where {done} do"
            cure = f"take the short way, with a buffer of {change.slots} on it" if change.slots else item.cure
        return replace(item, pj=pj, message=message, cure=f"{cure} ({_tried(gain)})", change=change, gain=gain)

    def _less(self, change: Change) -> Iterable[Change]:
        """A change, and milder ones of its kind, or other strides of padding."""
        yield change
        if change.what == "pad":
            yield from (replace(change, row=row) for row in (2 * change.row, 4 * change.row, change.row // 2) if row)
        now = self.design.wires[change.wire].every_ticks if change.what == "speed" else None
        if now:
            for share in (0.5, 0.25):
                yield replace(change, every_ticks=int(now * (change.every_ticks / now) ** share))

    def time(self, item: LostTime) -> LostTime:
        """An item with a cure that pays, or that says that none was found."""
        if item.change is None:
            return item
        roads = item.kind == "roads"
        options = [Change("longer"), Change("buffer")] if roads else self._less(item.change)
        change, gain, done = self.best(options)
        if change is None or gain is None:
            cure = "there is no place for more room: move cores, or change the order of work" if roads else item.cure
            return replace(item, cure=cure, change=None)
        if change.what == "speed":
            cure = f"{item.cure.partition(': a word')[0]}: a word every {change.every_ticks / 100:g} ns"
        elif change.what == "pad":
            cure = f"leave out a cell after each row: {done}"
        else:
            cure = f"{'a longer wire' if change.what == 'longer' else 'a buffer'} gives it room ({done})"
        if gain < MIN_GAIN:
            what = "more room" if roads else "padding" if change.what == "pad" else "a faster wire"
            return replace(item, cure=f"alone, {what} does not pay ({_tried(gain)})", change=None, gain=gain)
        return replace(item, cure=f"{cure} ({_tried(gain)})", change=change, gain=gain)


def _tried(gain: float) -> str:
    if abs(gain) < MIN_GAIN:
        return "tried: no gain"
    return f"tried: {100 * gain:+.1f} %".replace("-", "−")


def _first(time: list[LostTime], energy: list[LostEnergy]) -> str:
    """What to change first: what is in the way and takes thought, where most is lost by it; else what gained most."""
    every: list[LostTime | LostEnergy] = [*time, *energy]
    tried = [item for item in every if item.change is not None]
    best = max(tried, key=lambda item: item.gain or 0.0, default=None)
    thought = next((item for item in time if item.gain is None), None)
    if thought is not None and (best is None or (thought is time[0] and thought.pj >= best.pj)):
        return f"{thought.message}. {thought.cure[:1].upper()}{thought.cure[1:]}"
    if best is None:
        return ""
    return f"{best.message}: {best.cure}"
