"""The Launch key: a run that counts is recorded, and compared with all that was before."""

from __future__ import annotations

from contextlib import suppress
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
    tools
        Tools that were earned by it.
    """

    level: Level
    design: Design
    report: Report
    runs: tuple[Run, ...] = ()
    cards: tuple[Card, ...] = ()
    solved: bool = False
    tools: tuple[str, ...] = ()

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
    known = tuple(found.card for found in progress.discoveries())
    return cards_of(level, design, report, design_before(progress, level, report, earlier), known)


def design_before(progress: Progress, level: Level, report: Report, earlier: list[Run]) -> Design | None:
    """The design that was launched last before this one, else the one that the level starts from."""
    for run in reversed(earlier):
        if run.design_hash != report.design_hash:
            with suppress(InvalidError):
                return progress.design(run)
    return _start(level) if level.start else None


def cards_of(
    level: Level, design: Design, report: Report, before: Design | None, known: tuple[str, ...]
) -> tuple[Card, ...]:
    """Discovery cards that a passing run earns, beyond those that are known."""
    from engine.elaborate import elaborate
    from game.discoveries import Evidence, discover

    try:
        netlist = elaborate(level, design)
    except InvalidError:
        return ()
    return tuple(discover(Evidence(level, design, netlist, report, before), known))


def _start(level: Level) -> Design | None:
    from game.shell.places import level_path
    from levels.files import load_design_file
    from levels.lookup import sibling

    try:
        return load_design_file(sibling(level_path(level.id), level.start or "")).design
    except InvalidError:
        return None
