"""Hashes that tell whether two levels or designs are the same machine: prose and names do not count."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from engine.model import Design, Level

_PROSE = {
    "title",
    "brief",
    "field_note",
    "signed",
    "teaches",
    "hints",
    "goal",
    "requires",
    "pace",
    "tools",
    "new_wire_speed",
    "start",
    "medals",
    "reference",
    "wrong",
    "levers",
}


def level_hash(level: Level) -> str:
    """16 hex digits over everything of a level that can change a score or a verdict."""
    return _hash(level.model_dump(mode="json", exclude=_PROSE))


def design_hash(design: Design) -> str:
    """16 hex digits over a design's pads, cores and wires, in file order (which decides ties)."""
    return _hash(design.model_dump(mode="json", by_alias=True, include={"pads", "cores", "wires"}))


def _hash(document: Any) -> str:
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
