"""Hashes that tell whether two levels or designs are the same machine: prose and names do not count."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from engine.model import Design, Level

SCORED = {
    "kernel",
    "threads",
    "board",
    "pads",
    "parts",
    "physics",
    "lanes",
    "banks",
    "technology",
    "control_fj",
    "standby_uw",
    "launches",
    "limits",
}
"""The keys of a level that can change a score; the others are prose, medals and what the workbench offers."""

MACHINE = {"level", "pads", "cores", "wires", "shields"}
"""The keys of a design that are the machine itself."""

HASH_DIGITS = 16


def level_hash(level: Level) -> str:
    """16 hex digits of what can change a score or a verdict on this level: the first of a SHA-256.

    A key that spells out its default does not enter, so a key that is added later changes no hash.
    """
    return _hash(level.model_dump(mode="json", by_alias=True, include=SCORED, exclude_defaults=True))


def design_hash(design: Design) -> str:
    """16 hex digits of the machine: level, pads, cores, wires and shields in file order (which decides ties)."""
    return _hash(design.model_dump(mode="json", by_alias=True, include=MACHINE, exclude_defaults=True))


def _hash(document: Any) -> str:
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()[:HASH_DIGITS]
