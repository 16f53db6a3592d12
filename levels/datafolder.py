"""The data folder: where it lies, and the few operations on files that everything in it shares.

What lies where is told in ``docs/data.md``. Nothing is created before something is to be written.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path as FilePath

DESIGNS = "designs"
TRASH = "trash"
SET_ASIDE = "set-aside"
LOCK = ".lock"

PATIENCE = 2.0
"""Seconds to wait for another process's lock before going on without it."""

if sys.platform == "win32":
    import msvcrt

    def _take_lock(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _take_lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


@dataclass(frozen=True, slots=True)
class Notice:
    """Something about the data folder that the player should hear of; ``aside`` is where a broken file went."""

    message: str
    aside: FilePath | None = None


def data_folder(given: str | FilePath | None = None) -> FilePath:
    """The data folder: ``given``, else the platform's place for a user's data. It need not exist."""
    if given is not None:
        return FilePath(given).expanduser().absolute()
    from platformdirs import user_data_path

    return user_data_path("perwatt", appauthor=False)


def make_folder(data: FilePath, *parts: str) -> FilePath:
    """The folder ``data/part/…``; what is missing of it is made, for its owner alone. Raises OSError."""
    folder = data
    data.parent.mkdir(parents=True, exist_ok=True)
    data.mkdir(mode=0o700, exist_ok=True)
    for part in parts:
        folder = folder / part
        folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def sync_folder(folder: FilePath) -> None:
    """Bring a folder's entries to the disk, where the system can: Windows cannot open folders."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextlib.contextmanager
def locked(folder: FilePath, patience: float = PATIENCE) -> Iterator[bool]:
    """Keep other processes (and threads) from changing a folder meanwhile; yields whether that was achieved.

    Without it every step is still atomic, so after ``patience`` seconds, or on a file system without locks, the work
    goes on: a process that was stopped must not keep a player from saving. The system lifts the lock when its holder
    dies. Raises OSError if nothing can be written in the folder.
    """
    handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        yield _lock(handle, patience)
    finally:
        os.close(handle)


def _lock(handle: int, patience: float) -> bool:
    end = time.monotonic() + patience
    while True:
        try:
            if try_lock(handle):
                return True
        except OSError:
            return False
        if time.monotonic() > end:
            return False
        time.sleep(0.002)


def try_lock(handle: int) -> bool:
    """Lock an open file, whose position is its start, for this process until it is closed; False where another has it.

    The system lifts the lock when its holder dies. Raises OSError on a file system without locks.
    """
    try:
        _take_lock(handle)
    except OSError as error:
        if error.errno in (errno.EAGAIN, errno.EACCES, errno.EDEADLK):
            return False
        raise
    return True


def set_aside(data: FilePath, path: FilePath) -> FilePath:
    """Move a broken file of the data folder out of the way, under a name that is new; returns its new place.

    Raises OSError; the file then still stands where it stood.
    """
    folder = make_folder(data, SET_ASIDE)
    name = "--".join(path.relative_to(data).with_suffix("").parts)
    target = folder / f"{name}.{secrets.token_hex(4)}{path.suffix}"
    path.rename(target)
    sync_folder(folder)
    sync_folder(path.parent)
    return target
