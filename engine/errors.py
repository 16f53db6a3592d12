"""What can be wrong with a file or a design, and the exceptions of wrong use.

What happens to a *machine* (fault, deadlock, time limit) is a value in the report, never an exception.

::

    PerwattError                 everything below
    ├── InvalidError             a level or design that cannot be run; carries all its problems at once
    └── UsageError               a call or command with arguments that make no sense
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

Path = tuple[str | int, ...]
"""Where in a document: keys and list positions from the root, e.g. ``("wires", 2, "to")``."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: where it stands, what was found, what is allowed, what to try.

    ``code`` is stable and unique for its kind (``"unknown-port"``); ``path`` is the place in the document;
    ``message`` is a sentence for a person. ``line`` and ``column`` (from 1) are filled in by the reader of
    the file, 0 where the document has no text. ``severity`` is ``"error"`` or ``"warning"``.
    """

    code: str
    message: str
    path: Path = ()
    file: str = ""
    line: int = 0
    column: int = 0
    severity: str = "error"

    @property
    def where(self) -> str:
        """The path as people write it: ``wires[2].to``."""
        text = ""
        for part in self.path:
            text += f"[{part}]" if isinstance(part, int) else (f".{part}" if text else part)
        return text

    def __str__(self) -> str:
        place = ":".join(str(p) for p in (self.file, self.line, self.column) if p)
        return ": ".join(p for p in (place, self.where, self.message) if p)


class PerwattError(Exception):
    """Base of all exceptions that Perwatt raises on purpose."""


@dataclass(eq=False)
class InvalidError(PerwattError):
    """A level or a design that cannot be run. ``problems`` holds every problem found, errors first."""

    problems: list[Problem] = field(default_factory=list)

    def __str__(self) -> str:
        return "\n".join(str(p) for p in self.problems)


class UsageError(PerwattError):
    """Wrong use of a function or a command."""


def raise_if_any(problems: Iterable[Problem]) -> None:
    """Raise :class:`InvalidError` with all ``problems`` if at least one is an error."""
    found = sorted(problems, key=lambda p: p.severity != "error")
    if any(p.severity == "error" for p in found):
        raise InvalidError(found)


def nearest(word: str, allowed: Iterable[str]) -> str | None:
    """The allowed word that looks most like ``word``, or None: for "did you mean"."""
    from difflib import get_close_matches

    names = list(allowed)
    found: list[Any] = get_close_matches(word, names, n=1, cutoff=0.6)
    if not found:  # SECDED for secded
        small = {name.lower(): name for name in names}
        found = [small[name] for name in get_close_matches(word.lower(), small, n=1, cutoff=0.6)]
    return found[0] if found else None
