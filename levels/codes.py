"""Every code that a message about a file may carry, and how such a message is made.

The table is the contract: codes are stable, a test demands a file in ``tests/corpus/files`` for each of them,
and :func:`problem` refuses a code that is not listed. What the board check says has its own codes in
:mod:`engine.elaborate`.
"""

from __future__ import annotations

import unicodedata
from typing import Any

from engine.errors import Path, Problem

CODES: dict[str, str] = {
    # the file
    "no-such-file": "nothing is there under this name",
    "not-a-file": "a folder, a pipe or a device",
    "unreadable-file": "the operating system refuses to open it",
    "file-too-large": "more bytes than a level or design may have",
    "file-outside": "a name that leads out of the level's folder",
    "not-utf8": "bytes that are no UTF-8 text",
    "control-character": "an invisible control character",
    # YAML
    "empty-file": "a document without content",
    "syntax": "not YAML",
    "tab": "a tab in the indentation",
    "many-documents": "a second document in one file",
    "alias": "an anchor, or an alias of one",
    "tag": "a tag such as !!int",
    "merge-key": "the key << of YAML 1.1",
    "bad-key": "a key that is no plain text",
    "duplicate-key": "the same key twice in one mapping",
    "too-deep": "nested deeper than allowed",
    "too-many-nodes": "more values than allowed",
    "text-too-long": "one text of more characters than allowed",
    "number-too-long": "one number of more digits than allowed",
    "not-finite": "infinity, or not a number",
    "many-problems": "there are more problems than are listed",
    # the format
    "not-a-mapping": "the document is a list or a single value",
    "not-a-level": "a level was expected",
    "not-a-design": "a design was expected",
    "newer-format": "written by a newer Perwatt",
    "unknown-format": "a version of the format that never was",
    "unknown-key": "a key that the format does not have",
    "missing-key": "a key that the format demands",
    "wrong-type": "text in place of a number, and the like",
    "out-of-range": "a number that is too small or too large, or between two steps",
    "wrong-length": "too many or too few characters or entries",
    "not-allowed": "none of the words that may stand here",
    "bad-name": "a name with characters that names do not have",
    "bad-file-name": "not the bare name of a file in the same folder",
    "bad-value": "a value that contradicts another, or itself",
    "id-mismatch": "a level's id that does not agree with its file, folder or chapter",
    "long-brief": "a brief of too many words",
    "few-hints": "not the usual two hints",
    # designs as one line of text
    "text-prefix": "not a design as text",
    "text-size": "more characters than a design as text may have",
    "text-base64": "characters are missing, added or changed",
    "text-zlib": "the packed data is damaged or cut off",
    "text-expands": "unpacks to more than allowed",
    "text-trailing": "more data after the design's end",
    "text-json": "the unpacked text is no JSON",
    # names of levels
    "unknown-level": "no level has this id or number",
}
"""What each code means, in a few words."""

MAX_MESSAGE = 500
"""Characters of a message; the rest is cut."""

MAX_PROBLEMS = 50
"""Problems listed for one file."""

_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def clean(text: str, limit: int = MAX_MESSAGE) -> str:
    """``text`` on one line, safe to print: control, bidirectional and other invisible characters escaped.

    The result has at most ``limit`` characters.
    """
    text = text[: limit + 1]
    if not text.isascii() or not text.isprintable():
        text = "".join(
            f"\\u{ord(c):04x}" if unicodedata.category(c) in _HIDDEN else c for c in text.replace("\n", "\\n")
        )
    return text if len(text) <= limit else text[: limit - 1] + "…"


def show(value: Any) -> str:
    """How a message names a value that was found."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return clean(repr(value), 40)
    if isinstance(value, str):
        return f"'{clean(value, 40)}'"
    return "a list" if isinstance(value, list | tuple) else "a mapping"


def problem(
    code: str,
    message: str,
    path: Path = (),
    *,
    file: str = "",
    at: tuple[int, int] = (0, 0),
    severity: str = "error",
) -> Problem:
    """A :class:`engine.errors.Problem` of a listed ``code``; ``at`` is (line, column) from 1."""
    assert code in CODES, code
    return tidy(Problem(code, message, path, file, *at, severity))


def tidy(p: Problem) -> Problem:
    """The same problem with all its texts made safe to print."""
    path = tuple(part if isinstance(part, int) else clean(part, 64) for part in p.path)
    return Problem(p.code, clean(p.message), path, clean(p.file), p.line, p.column, p.severity)


def bounded(problems: list[Problem]) -> list[Problem]:
    """The problems in the order of the file, at most :data:`MAX_PROBLEMS` and a word on the rest."""
    problems = sorted(problems, key=lambda p: (p.line, p.column, str(p.path)))
    if len(problems) <= MAX_PROBLEMS:
        return problems
    message = f"there are more problems than these {MAX_PROBLEMS}: mend them and try again"
    return [*problems[:MAX_PROBLEMS], problem("many-problems", message, file=problems[0].file)]
