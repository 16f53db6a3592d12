"""Writing files: a regular one in one step, a pipe or device as it is.

A reader of a folder never sees half a file, and nothing but a regular file is ever replaced.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path as FilePath
from typing import BinaryIO

_OPEN_ALREADY = re.compile(r"/(?:dev|proc/self)/(?:fd/(?P<number>\d{1,4})|(?P<name>stdout|stderr))\Z")


def is_stream(path: FilePath) -> bool:
    """Whether what is written there goes on elsewhere: a pipe, a device, what this process has open already."""
    if _handle(path) is not None:
        return True
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def need_place(path: FilePath) -> None:
    """Raise OSError, which tells what to do, where no file can be written at ``path``."""
    if is_stream(path):
        return
    folder = path.parent
    if not folder.is_dir():
        if folder.exists():
            raise NotADirectoryError(errno.ENOTDIR, "this is a file, no folder: choose another place", str(folder))
        raise FileNotFoundError(errno.ENOENT, "there is no such folder; make it first", str(folder))
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "this is a folder: give the name of a file in it", str(path))


def write_file(path: FilePath, data: bytes) -> None:
    """Replace a file's content in one step, as :func:`replacing`."""
    with replacing(path) as stream:
        stream.write(data)


@contextlib.contextmanager
def replacing(path: FilePath) -> Iterator[BinaryIO]:
    """A stream whose content becomes the file's in one step: a temporary file beside it takes its name in the end.

    Pipes and devices are written as they are. Raises OSError, which names ``path`` or its folder. The old content still
    stands after that, and after an exception in the ``with`` statement.
    """
    if is_stream(path):
        handle = _handle(path)
        # What is open already is not opened anew: that would begin at the start of a file that it leads to.
        opened = os.open(path, os.O_WRONLY) if handle is None else os.dup(handle)
        with os.fdopen(opened, "wb") as stream:
            yield stream
        return
    need_place(path)
    target = path.resolve()
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        with _named(path, temporary):
            descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
        with os.fdopen(descriptor, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        with _named(path, temporary):
            if target.exists():
                temporary.chmod(target.stat().st_mode & 0o777)
            temporary.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def _handle(path: FilePath) -> int | None:
    """The number of the open file that ``path`` means, if it means one."""
    found = _OPEN_ALREADY.match(path.as_posix())
    if found is None:
        return None
    return int(found["number"]) if found["number"] else {"stdout": 1, "stderr": 2}[found["name"]]


@contextlib.contextmanager
def _named(path: FilePath, temporary: FilePath) -> Iterator[None]:
    """Errors that name the temporary file, of which nobody knows, name the file that was asked for."""
    try:
        yield
    except OSError as error:
        if error.filename == str(temporary):
            error.filename, error.filename2 = str(path), None
        raise
