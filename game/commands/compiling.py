"""The first use of the compiled engine on a machine compiles it: say so, instead of seeming to hang."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path


def announce() -> None:
    """Say on a terminal that the engine is about to be compiled, if it is."""
    if sys.stderr.isatty() and find_spec("numba") and not is_compiled():
        print("compiling the engine: once on this machine, some 20 seconds …", file=sys.stderr, flush=True)


def is_compiled() -> bool:
    """Whether numba's cache holds the event loop as it is now."""
    import engine
    from engine.jit_cache import private_folder

    folder = private_folder()
    if folder is None:
        return False
    loop = Path(engine.__file__).with_name("kernel.py").stat().st_mtime
    return any(index.stat().st_mtime >= loop for index in folder.rglob("kernel.advance-*.nbi"))
