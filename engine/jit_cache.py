"""A private folder for numba's compiled code.

numba's cache holds pickles, so it is used only where nobody else can write: in the user's cache folder, mode 0700,
owned by the user. Where that cannot be had, the code is compiled afresh in each process.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path

SEEN = ("program.py", "program_lanes.py", "netlist.py", "log.py", "jit_cache.py")
"""Files whose constants are compiled in; numba itself looks at the file of the jitted function only."""


def private_folder() -> Path | None:
    """The folder, made if need be; None where it is not the user's own or cannot be written."""
    here = Path(__file__).parent
    try:
        stamp = hashlib.sha256(b"".join((here / name).read_bytes() for name in SEEN)).hexdigest()[:16]
        root = user_cache_path("perwatt", appauthor=False) / "numba"
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _private(root):
            return None
        folder = root / stamp
        folder.mkdir(mode=0o700, exist_ok=True)
        return folder if _private(folder) and os.access(folder, os.W_OK) else None
    except (OSError, RuntimeError):
        return None


def _private(folder: Path) -> bool:
    """Whether only the user can enter it, and no link leads elsewhere."""
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode):
        return False
    if not hasattr(os, "getuid"):  # Windows: the folder lies in the user's own profile
        return True
    return found.st_uid == os.getuid() and not found.st_mode & 0o077


@contextmanager
def cached_in(config: Any) -> Iterator[bool]:
    """Point numba at the private folder while functions are decorated; yields whether they may be cached."""
    folder, before = private_folder(), config.CACHE_DIR
    config.CACHE_DIR = str(folder or "")
    try:
        yield folder is not None
    finally:
        config.CACHE_DIR = before
