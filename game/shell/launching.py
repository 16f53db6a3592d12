"""The Launch key: a run that counts is recorded, and compared with all that was before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.errors import InvalidError

if TYPE_CHECKING:
    from engine.model import Design, Level, Report
    from game.discoveries import Card
    from levels.store import Progress, Run


@dataclass(frozen=True)
class Launch:
    """A run that was launched, with what the result screen tells about it.

    runs
        Passing runs on this version of the level before this one, oldest first.
    cards
        Discovery cards that this run earned.
    solved
        Whether this is the first time that the level is solved.
    """

    level: Level
    design: Design
    report: Report
    runs: tuple[Run, ...] = ()
    cards: tuple[Card, ...] = ()
    solved: bool = False

    @property
    def passed(self) -> bool:
        return self.report.verdict == "pass"

    @property
    def best_before(self) -> float | None:
        """Launches/nJ of the best run before this one."""
        return max((run.efficiency for run in self.runs if run.efficiency), default=None)


def launch(progress: Progress, level: Level, design: Design, report: Report, *, keep: bool = True) -> Launch:
    """Record a run (unless not ``keep``) and say what it means. Raises OSError if the disk refuses."""
    earlier = progress.runs(level.id, report.level_hash)
    passed = tuple(run for run in earlier if run.verdict == "pass" and run.efficiency)
    cards = _cards(progress, level, design, report, earlier)
    if keep:
        progress.record(design, report)
        for card in cards:
            progress.discover(card.id, level.id)
    first = report.verdict == "pass" and not passed
    return Launch(level, design, report, passed, cards, first)


def _cards(progress: Progress, level: Level, design: Design, report: Report, earlier: list[Run]) -> tuple[Card, ...]:
    if report.verdict != "pass":
        return ()
    from engine.elaborate import elaborate
    from game.discoveries import Evidence, discover

    before = None
    for run in reversed(earlier):
        if run.design_hash != report.design_hash:
            try:
                before = progress.design(run)
            except InvalidError:
                continue
            break
    if before is None and level.start:
        before = _start(level)
    try:
        netlist = elaborate(level, design)
    except InvalidError:
        return ()
    known = [found.card for found in progress.discoveries()]
    return tuple(discover(Evidence(level, design, netlist, report, before), known))


def _start(level: Level) -> Design | None:
    from game.shell.places import level_path
    from levels.files import load_design_file
    from levels.lookup import sibling

    try:
        return load_design_file(sibling(level_path(level.id), level.start or "")).design
    except InvalidError:
        return None
