"""``perwatt check``: levels, their designs and what they claim."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.errors import Problem, UsageError
from game.commands.compiling import announce
from game.commands.load import all_packs
from game.commands.output import UNREADABLE, command, emit, figure, print_problems, progress, say, table
from levels.check_many import check_levels, files_to_check, stray_designs

if TYPE_CHECKING:
    from levels.findings import LevelCheck

LOOK_EVERY_S = 0.5
"""How often ``--watch`` looks for changed files."""


@command
def check(
    paths: list[str],
    *,
    packs: Sequence[Path] | None,
    json: bool,
    bless: bool,
    jobs: int,
    watch: bool,
    campaign: bool,
) -> int:
    """Check levels. Exit code 0 only if all is well, 2 if a file cannot be read."""
    if watch and json:
        raise UsageError("--watch prints again and again: leave out --json")
    while True:
        code = _once(paths, packs, json=json, bless=bless, jobs=jobs, campaign=campaign)
        if not watch:
            return code
        say("\nwaiting for a change; Ctrl+C ends")
        try:
            _wait_for_change(paths, packs)
        except KeyboardInterrupt:
            return code


def _once(paths: list[str], packs: Sequence[Path] | None, *, json: bool, bless: bool, jobs: int, campaign: bool) -> int:
    roots, files = files_to_check(paths, all_packs(packs))
    if not files:
        raise UsageError(f"there is no level in {', '.join(map(str, roots))}: a level is a .yaml file with kernel:")
    announce()
    with progress("checking", len(files)) as done:
        checks = check_levels(files, campaign=campaign, bless=bless, jobs=jobs, done=done)
    for path in paths:
        if Path(path).is_dir():
            checks += stray_designs(Path(path), files)
    if json:
        emit({"format": 1, "root": str(roots[0]), "roots": [str(r) for r in roots], "levels": [row(c) for c in checks]})
    else:
        _show(roots, checks)
    problems = [p for c in checks for p in c.problems]
    return 2 if any(p.code in UNREADABLE for p in problems) else 1 if problems else 0


def row(check: LevelCheck) -> dict[str, Any]:
    """A level's check as the JSON contract has it."""
    return {
        "id": check.id,
        "file": check.file,
        "ok": check.ok,
        "problems": [_problem(p) for p in check.problems],
        "warnings": [_problem(p) for p in check.warnings],
        "references": [
            {
                "role": r.role,
                "file": r.file,
                "verdict": r.verdict,
                "efficiency_launches_per_nj": r.efficiency,
                "medal": r.medal,
            }
            for r in check.references
        ],
        "wrong": [
            {"name": w.name, "file": w.file, "verdict": w.verdict, "failed_as_expected": w.as_expected}
            for w in check.wrong
        ],
        "levers": [{"name": x.name, "file": x.file, "verdict": x.verdict, "worth": x.worth} for x in check.levers],
        "ratio": check.ratio,
        "avoidable_share": check.avoidable_share,
        "matched_launches_per_nj": check.matched,
    }


def _problem(problem: Problem) -> dict[str, Any]:
    return {
        "where": problem.where or problem.file,
        "message": problem.message,
        "code": problem.code,
        "file": problem.file,
        "line": problem.line,
        "column": problem.column,
    }


def _show(roots: list[Path], checks: list[LevelCheck]) -> None:
    for root in roots:
        say(f"levels in {root}")
    for check in checks:
        print_problems([*check.problems, *check.warnings])
    say()
    table(("level", "naive → best", "ratio", "avoidable", "levers", "wrong", ""), [_cells(c) for c in checks], (2, 3))
    bad = sum(not c.ok for c in checks)
    warned = sum(len(c.warnings) for c in checks)
    say()
    say(
        f"{len(checks)} checked, {bad or 'none'} with problems, {warned or 'no'} warning{'' if warned == 1 else 's'}",
        "bold red" if bad else "bold green",
    )
    for check in checks:
        if check.blessed:
            say(f"new medals written: {check.file}")


def _cells(check: LevelCheck) -> list[str]:
    scores = " → ".join("–" if r.efficiency is None else figure(r.efficiency, 4) for r in check.references)
    levers = ", ".join(f"{x.name} {'–' if x.worth is None else f'{x.worth:.0%}'}" for x in check.levers)
    share = "" if check.avoidable_share is None else f"{check.avoidable_share:.0%}"
    wrong = f"{sum(w.as_expected for w in check.wrong)} of {len(check.wrong)}" if check.wrong else ""
    ratio = "" if check.ratio is None else f"{check.ratio:.2f}"
    return [check.id or check.file, scores, ratio, share, levers, wrong, "good" if check.ok else "PROBLEMS"]


def _wait_for_change(paths: list[str], packs: Sequence[Path] | None) -> None:
    """Return when a file in the folders of the checked levels has changed, come or gone."""
    before = _stamps(paths, packs)
    while _stamps(paths, packs) == before:
        time.sleep(LOOK_EVERY_S)


def _stamps(paths: list[str], packs: Sequence[Path] | None) -> dict[Path, int]:
    _, files = files_to_check(paths, all_packs(packs))
    folders = {path.parent for path in files}
    found: dict[Path, int] = {}
    for folder in folders:
        for path in folder.glob("*.yaml"):
            try:
                found[path] = path.stat().st_mtime_ns
            except OSError:  # deleted since it was listed
                continue
    return found
