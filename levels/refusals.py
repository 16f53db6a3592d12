"""What the disk refuses, in words for a player: no error numbers, and no path that is longer than a line."""

from __future__ import annotations

import errno

from engine.errors import PerwattError
from levels.codes import clean

PATH_CHARACTERS = 48

_REASONS = {
    errno.EACCES: "writing is not allowed in the data folder",
    errno.EPERM: "writing is not allowed in the data folder",
    errno.EROFS: "the disk of the data folder can only be read",
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "your share of the disk is full",
    errno.ENOENT: "the data folder is gone",
    errno.ENOTDIR: "a file stands where the data folder should be",
    errno.EEXIST: "a file stands where the data folder should be",
    errno.EIO: "the disk does not answer as it should",
    errno.EBUSY: "another program holds the data folder",
}


def refusal(error: OSError | PerwattError) -> str:
    """Why something could not be saved, and where; the path is shortened from the left."""
    if not isinstance(error, OSError):
        return clean(str(error), 200)
    reason = _REASONS.get(error.errno or 0) or error.strerror or str(error)
    where = shortened(str(error.filename)) if error.filename else ""
    return f"{reason} ({where})" if where else clean(reason, 200)


def shortened(path: str, characters: int = PATH_CHARACTERS) -> str:
    """The path, whole or its end."""
    path = clean(path, 4096)
    return path if len(path) <= characters else "…" + path[1 - characters :]
