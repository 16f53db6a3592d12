"""Many levels at once: which files to check, in how many processes, and what only shows in their company."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path as FilePath

from engine.errors import Problem
from levels.check import check_level, display_name
from levels.findings import LevelCheck
from levels.lookup import iter_level_files, kind_of

LEVELS_PER_PROCESS = 8
"""Starting a process costs as much as a few levels: fewer than so many are checked in this one."""


def files_to_check(refs: Sequence[str], packs: Sequence[FilePath] = ()) -> tuple[list[FilePath], list[FilePath]]:
    """The roots and the level files that command-line paths mean, each file once, in order.

    Raises :class:`engine.errors.InvalidError` where a path is no file, folder, chapter or level.
    """
    roots: dict[FilePath, None] = {}
    files: dict[FilePath, FilePath] = {}
    for ref in refs:
        root, found = iter_level_files(ref, packs)
        roots.setdefault(root)
        for path in found:
            files.setdefault(path.resolve(), path)
    return list(roots), list(files.values())


def check_levels(
    files: Sequence[FilePath],
    *,
    campaign: bool = False,
    bless: bool = False,
    jobs: int = 0,
    done: Callable[[str], None] = lambda _: None,
) -> list[LevelCheck]:
    """Check every file; the results stand in the order of ``files`` whatever the number of processes.

    ``jobs`` 0 takes as many processes as there are processors and work for. ``done`` is called with the id (or file)
    of each level when it is through.
    """
    jobs = jobs or max(1, min(os.cpu_count() or 1, len(files) // LEVELS_PER_PROCESS))
    results: list[LevelCheck] = []

    def take(result: LevelCheck) -> None:
        results.append(result)
        done(result.id or result.file)

    # The first level is checked here in any case: it compiles the engine, once for all processes.
    here = 1 if jobs > 1 else len(files)
    for path in files[:here]:
        take(check_level(path, campaign=campaign, bless=bless))
    if here < len(files):
        # A fresh interpreter per process: forking one that runs compiled code is not safe on every system.
        with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
            for future in [pool.submit(check_level, path, campaign=campaign, bless=bless) for path in files[here:]]:
                take(future.result())
    _same_ids(results)
    return results


def _same_ids(results: list[LevelCheck]) -> None:
    """Two levels of one id: every one after the first is at fault."""
    first: dict[str, str] = {}
    for check in results:
        if check.id and (other := first.setdefault(check.id, check.file)) != check.file:
            message = f"{other} has the same id {check.id}: rename one of them"
            check.found.append(Problem("same-id", message, ("id",), check.file))


def stray_designs(folder: FilePath, checked: list[FilePath]) -> list[LevelCheck]:
    """Design files under ``folder`` that belong to no level there: each is a check of its own that fails."""
    stems = {(path.parent.resolve(), path.stem) for path in checked}
    found = []
    for path in sorted(folder.rglob("*.yaml")):
        mine = any(
            (path.parent.resolve(), path.name[:n]) in stems for n in range(len(path.name)) if path.name[n] == "."
        )
        if mine or path in checked or kind_of(path) != "design":
            continue
        where = display_name(path)
        problem = Problem("orphan-design", "no level refers to this design: name it in one, or delete it", file=where)
        found.append(LevelCheck("", where, [problem]))
    return found
