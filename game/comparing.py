"""Two designs of a level against each other: the reports of both, and in words what differs and which figure moved."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass

from engine.model import Design, Level, Report
from engine.simulation import EngineName, simulate
from game.background import Background
from game.text import number
from levels.compare import differences, moved

KEPT = 32
"""Reports that are kept."""

ALWAYS = 3
"""So many figures are shown whether they moved or not; of the others those that did."""


@dataclass(frozen=True, slots=True)
class MovedRow:
    """A figure of both designs as text, its change in per cent, and whether that is better."""

    unit: str
    before: str
    after: str
    change: str
    better: bool | None


@dataclass(frozen=True)
class Pair:
    """Designs of a level by name, and which two are compared at first."""

    level: Level
    designs: tuple[tuple[str, Design], ...]
    first: int
    second: int


class Reports:
    """Reports of designs, by the design object: those told, and those run in the background when asked for."""

    def __init__(self, level: Level, engine: EngineName = "auto") -> None:
        self.level = level
        self.engine: EngineName = engine
        self._known: OrderedDict[int, tuple[Design, Report]] = OrderedDict()
        self._asked: set[int] = set()
        self._worker: Background[tuple[Design, ...], tuple[Design, Report]] | None = None

    def keep(self, design: Design, report: Report) -> None:
        """A report that was made elsewhere."""
        self._known[id(design)] = (design, report)
        self._known.move_to_end(id(design))
        while len(self._known) > KEPT:
            self._known.popitem(last=False)

    def of(self, *designs: Design) -> tuple[Report | None, ...]:
        """The reports of these designs; those that are missing are run, and are None until then."""
        if self._worker is not None:
            for design, report in self._worker.poll():
                self.keep(design, report)
        missing = tuple(design for design in designs if id(design) not in self._known)
        if missing and {id(design) for design in missing} != self._asked:
            if self._worker is None:
                self._worker = Background(self._run, "compare")
            self._asked = {id(design) for design in missing}
            self._worker.submit(missing)
        return tuple(self._known[id(d)][1] if id(d) in self._known else None for d in designs)

    def wait(self, seconds: float) -> bool:
        """Wait for what was asked for. For tests and pictures."""
        return self._worker is None or self._worker.wait(seconds)

    def close(self) -> None:
        """End the thread."""
        if self._worker is not None:
            self._worker.close()

    def _run(self, designs: tuple[Design, ...]) -> Iterator[tuple[Design, Report]]:
        for design in designs:
            yield design, simulate(self.level, design, engine=self.engine, bound=False)


def moved_rows(before: Report | None, after: Report | None) -> tuple[MovedRow, ...]:
    """The first figures, and of the others those that moved; none while a report is missing."""
    if before is None or after is None:
        return ()
    rows = [
        MovedRow(
            row.unit.removesuffix("/launch"),
            _figure(row.before),
            _figure(row.after),
            _change(row.before, row.after),
            row.better,
        )
        for i, row in enumerate(moved(before, after))
        if i < ALWAYS or row.before != row.after
    ]
    if before.verdict != after.verdict:
        rows.insert(0, MovedRow("verdict", before.verdict, after.verdict, "", after.verdict == "pass"))
    return tuple(rows)


def what_differs(before: Design, after: Design) -> tuple[str, ...]:
    """The edits that lead from one design to the other, a sentence each."""
    return tuple(change.message for change in differences(before, after))


def _figure(value: float | None) -> str:
    return "–" if value is None else str(value) if isinstance(value, int) else number(value, 4)


def _change(before: float | None, after: float | None) -> str:
    if before is None or after is None or before == after:
        return ""
    if not before:
        return "new"
    share = 100 * (after / before - 1)
    return f"{'+' if share > 0 else '−'}{abs(share):.1f} %"
