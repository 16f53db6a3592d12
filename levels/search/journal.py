"""What a search knows already, in a file beside its output: a search that is killed goes on where it was.

The file holds lines of ``<crc32> <json>``. The first line says which search it is; each further one holds finished
tasks and is written and made durable in one step, or says which process goes on here. A line that was cut off by a
kill, or is damaged, ends what counts.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import zlib
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any

from engine.errors import UsageError
from levels.datafolder import try_lock
from levels.writing import is_stream, need_place

FORMAT = 1
_HEAD = re.compile(rb'[0-9a-f]{8} \{"format":\d')
_PROCESS = "process"
"""The key of the lines that say who writes what follows."""


class Journal:
    """The finished tasks of one search, by key. ``identity`` is what two searches must share to be the same.

    Raises UsageError where ``path`` holds another search, unless ``anew``: then it is begun again; and in any case
    where it is no journal, which is not touched, or a process is at work on it.
    """

    def __init__(self, path: Path, identity: dict[str, Any], *, anew: bool = False) -> None:
        self.path = path
        self.known: dict[str, Any] = {}
        """What earlier runs have noted."""
        head = json.loads(json.dumps({"format": FORMAT, **identity}))  # as it will be read again
        self._file = _opened(path)
        try:
            good = self._read(head, anew)
            os.ftruncate(self._file, good)
            if not good:
                self._append(head)
            self._append({_PROCESS: os.getpid()})
        except BaseException:
            self.close()
            raise

    def _read(self, head: dict[str, Any], anew: bool) -> int:
        """Fill ``known``; returns the number of bytes that count."""
        data = _content(self._file)
        if not _ours(data, head):
            raise UsageError(f"{self.path} is no journal of a search: move it away, or choose another output")
        good = 0
        for line in () if anew else data.splitlines(keepends=True):
            document = _document(line)
            if document is None:
                break
            if good == 0 and document != head:
                raise UsageError(
                    f"{self.path} belongs to another search (other arguments, level, design or version): finish that "
                    "one, choose another output, or give --force to begin anew"
                )
            if good and _PROCESS not in document:
                self.known.update(document)
            good += len(line)
        if not good and not anew and b"\n" in data:
            raise UsageError(f"{self.path} is damaged in its first line: give --force to begin anew")
        return good

    def add(self, found: Iterable[tuple[str, Any]]) -> None:
        """Note finished tasks, durably when this returns."""
        new = dict(found)
        if new:
            self._append(new)

    def _append(self, document: dict[str, Any]) -> None:
        line = _line(document)
        if os.write(self._file, line) != len(line):
            raise OSError(f"{self.path}: the disk is full")
        os.fsync(self._file)

    def remove(self) -> None:
        """Close and delete: the output holds everything now."""
        self.close()
        self.path.unlink(missing_ok=True)

    def close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _opened(path: Path) -> int:
    """The file, made if there is none, and this process's alone until it is closed. Raises UsageError."""
    need_place(path)
    # Appending, so that one write is one line.
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
    while True:
        if is_stream(path):
            raise UsageError(f"{path} is no journal of a search: move it away, or choose another output")
        handle = os.open(path, flags, 0o644)
        try:
            if not _alone(handle):
                raise UsageError(f"{_at_work(handle)} on {path}: wait for it, or choose another output")
            with contextlib.suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(handle), path.stat()):
                    return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)  # who held it has finished and removed it meanwhile


def _alone(handle: int) -> bool:
    try:
        return try_lock(handle)
    except OSError:
        return True  # a file system without locks: the journal stands open to others


def _at_work(handle: int) -> str:
    """Who is at work on a journal that is locked."""
    number = ""
    with contextlib.suppress(OSError):  # what is locked cannot be read everywhere
        for line in _content(handle).splitlines(keepends=True):
            number = (
                f" (pid {document[_PROCESS]})" if (document := _document(line)) and _PROCESS in document else number
            )
    return f"another search is at work{number}"


def _content(handle: int) -> bytes:
    os.lseek(handle, 0, os.SEEK_SET)
    with open(handle, "rb", closefd=False) as stream:
        return stream.read()


def _ours(data: bytes, head: dict[str, Any]) -> bool:
    """Whether a file is a journal: it begins with the first line of one, or with as much of it as a kill has left."""
    return bool(_HEAD.match(data)) or _line(head).startswith(data)


def _line(document: dict[str, Any]) -> bytes:
    text = json.dumps(document, separators=(",", ":"), allow_nan=False).encode()
    return b"%08x %s\n" % (zlib.crc32(text), text)


def _document(line: bytes) -> dict[str, Any] | None:
    """What a line holds; None if it is not whole."""
    stamp, space, text = line.rstrip(b"\n").partition(b" ")
    try:
        if not line.endswith(b"\n") or not space or int(stamp, 16) != zlib.crc32(text):
            return None
        document = json.loads(text)
    except ValueError:
        return None
    return document if isinstance(document, dict) else None
