"""What a search knows already, in a file beside its output: a search that is killed goes on where it was.

The file holds lines of ``<crc32> <json>``. The first line says which search it is; each further one holds finished
tasks and is written and made durable in one step. A line that was cut off by a kill, or is damaged, ends what counts.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any

from engine.errors import UsageError

FORMAT = 1


class Journal:
    """The finished tasks of one search, by key. ``identity`` is what two searches must share to be the same.

    Raises UsageError where ``path`` holds another search, unless ``anew``: then it is begun again.
    """

    def __init__(self, path: Path, identity: dict[str, Any], *, anew: bool = False) -> None:
        self.path = path
        self.known: dict[str, Any] = {}
        """What earlier runs have noted."""
        head = json.loads(json.dumps({"format": FORMAT, **identity}))  # as it will be read again
        good = 0 if anew else self._read(head)
        # Appending, so that one write is one line whoever else may write.
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
        self._file = os.open(path, flags, 0o644)
        os.ftruncate(self._file, good)
        if not good:
            self._append(head)

    def _read(self, head: dict[str, Any]) -> int:
        """Fill ``known``; returns the number of bytes that count."""
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return 0
        good = 0
        for line in data.splitlines(keepends=True):
            document = _document(line)
            if document is None:
                break
            if good == 0 and document != head:
                raise UsageError(
                    f"{self.path} belongs to another search (other arguments, level, design or version): finish that "
                    "one, choose another output, or give --force to begin anew"
                )
            if good:
                self.known.update(document)
            good += len(line)
        if not good and b"\n" in data:
            raise UsageError(f"{self.path} is no journal of a search: move it away, or choose another output")
        return good

    def add(self, found: Iterable[tuple[str, Any]]) -> None:
        """Note finished tasks, durably when this returns."""
        new = dict(found)
        if new:
            self._append(new)

    def _append(self, document: dict[str, Any]) -> None:
        text = json.dumps(document, separators=(",", ":"), allow_nan=False).encode()
        line = b"%08x %s\n" % (zlib.crc32(text), text)
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
