"""Older versions of a file, beside it: ``older-000041.yaml``, numbered save by save.

Before a file is replaced, :func:`keep` gives its present content a second name. There is no moment without the file,
and nothing is copied. What is kept reaches ever farther back: see :data:`STEPS`.
"""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path as FilePath

from levels.writing import write_file

STEPS = (1, 10, 100)
"""Of the older versions, the two newest multiples of each of these are kept: at most six."""

_OLDER = re.compile(r"older-(\d{6,12})\.yaml")


def _numbered(folder: FilePath) -> dict[int, FilePath]:
    try:
        paths = list(folder.iterdir())
    except OSError:
        return {}
    return {int(m[1]): path for path in paths if (m := _OLDER.fullmatch(path.name))}


def older_versions(folder: FilePath) -> list[FilePath]:
    """A design's older versions, newest first."""
    return [path for _, path in sorted(_numbered(folder).items(), reverse=True)]


def keep(path: FilePath) -> FilePath | None:
    """Give the present file a second name as the newest older version, and return that; None if there is no file."""
    number = max(_numbered(path.parent), default=0)
    while True:
        number += 1
        older = path.with_name(f"older-{number:06d}.yaml")
        try:
            os.link(path, older)
        except FileExistsError:
            continue
        except FileNotFoundError:
            return None
        except OSError:
            # Some file systems know no second names.
            write_file(older, path.read_bytes())
        return older


def thin(folder: FilePath) -> None:
    """Remove the older versions that :data:`STEPS` do not ask for."""
    versions = _numbered(folder)
    newest = sorted(versions, reverse=True)
    kept = {n for step in STEPS for n in [n for n in newest if n % step == 0][:2]}
    for number in newest:
        if number not in kept:
            with contextlib.suppress(OSError):
                versions[number].unlink()


def sweep(folder: FilePath) -> None:
    """Remove what a save that was killed left. The caller holds the lock, so nothing of it is in use."""
    for left in folder.glob(".*.yaml.*"):
        with contextlib.suppress(OSError):
            left.unlink()
