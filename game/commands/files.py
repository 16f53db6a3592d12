"""``perwatt schema``, ``encode`` and ``decode``: the forms that documents have."""

from __future__ import annotations

import sys
from pathlib import Path

from engine.errors import UsageError
from game.commands.load import writable_design
from game.commands.output import command, emit
from levels.codes import clean


@command
def schema(kind: str) -> int:
    """Print the JSON Schema of a level, a design or a report."""
    from levels.schema import json_schema

    if kind not in ("level", "design", "report"):
        raise UsageError(f"there is no schema of '{clean(kind, 40)}': give level, design or report")
    emit(json_schema(kind))  # type: ignore[arg-type]
    return 0


@command
def encode(design: Path) -> int:
    """Print the design of a file as one line of text."""
    from levels.files import load_design
    from levels.textform import encode as as_text

    print(as_text(load_design(design)))
    return 0


@command
def decode(text: str, out: Path | None, *, force: bool) -> int:
    """Print a design's text as YAML, or write it to the file ``out``."""
    from levels.save import design_text, save_design
    from levels.textform import MAX_CHARACTERS
    from levels.textform import decode as from_text

    if text == "-":
        # One character more than allowed is enough to be refused.
        text = sys.stdin.read(MAX_CHARACTERS + 1)
    design = from_text(text)
    if out is None:
        print(design_text(design), end="")
    else:
        save_design(design, writable_design(out, force))
    return 0
