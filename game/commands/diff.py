"""``perwatt diff``: the edits between two designs, and how the figures moved."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.errors import Problem
from game.commands.load import all_packs
from game.commands.output import command, emit, figure, print_problems, say, table
from levels.compare import differences, moved
from levels.files import load_design_file, load_level

if TYPE_CHECKING:
    from engine.model import Report


@command
def diff(a: Path, b: Path, *, level: str | None, packs: Sequence[Path] | None, json: bool) -> int:
    """List the edits from ``a`` to ``b``; with ``level`` also run both. Exit code 0 however many there are."""
    first, second = load_design_file(a).design, load_design_file(b).design
    changes = differences(first, second)
    reports: list[Report] = []
    if level is not None:
        from game.commands.quick import simulate_quickly

        loaded = load_level(level, all_packs(packs))
        reports = [simulate_quickly(loaded, design) for design in (first, second)]
        for path, report in zip((a, b), reports, strict=True):
            print_problems([Problem(p["code"], p["message"], (p["path"],), str(path)) for p in report.problems])
    if json:
        document: dict[str, Any] = {
            "format": 1,
            "changes": [{"kind": c.kind, "what": c.what, "message": c.message} for c in changes],
        }
        if reports:
            document["runs"] = [
                {
                    "verdict": r.verdict,
                    "metrics": r.metrics.model_dump(mode="json") if r.metrics else None,
                    "energy_pj": r.energy_pj,
                }
                for r in reports
            ]
        emit(document)
        return 0
    for change in changes:
        say(change.message)
    if not changes:
        say("the same machine")
    if reports:
        verdicts = ["verdict", *(report.verdict for report in reports), ""]
        figures = [
            [row.unit, _figure(row.before), _figure(row.after), _change(row.before, row.after)]
            for row in moved(reports[0], reports[1])
        ]
        say()
        table(("", "A", "B", "change"), [verdicts, *figures], numbers=(1, 2, 3))
    return 0


def _figure(value: float | None) -> str:
    return "–" if value is None else str(value) if isinstance(value, int) else figure(value, 4)


def _change(x: float | None, y: float | None) -> str:
    if x is None or y is None or x == y:
        return ""
    return f"{100 * (y / x - 1):+.1f} %" if x else "new"
