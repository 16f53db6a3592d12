"""Where levels are found by what screens call them: the campaign's ids, the sandbox, or a file."""

from __future__ import annotations

from pathlib import Path

SANDBOX = "sandbox"


def level_path(ref: str | Path) -> Path:
    """The file of a level: of the id, of ``sandbox``, or ``ref`` itself.

    Raises :class:`engine.errors.InvalidError` where there is none.
    """
    from levels.lookup import find_level

    if ref == SANDBOX:
        return Path(__file__).with_name("sandbox.yaml")
    return find_level(ref)
