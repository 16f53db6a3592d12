"""Edits that change speeds alone: by far the most frequent ones, and they leave nearly everything as it was."""

from __future__ import annotations

from engine.model import Design, WireSpec


def speed_changes(before: Design, after: Design) -> list[int] | None:
    """Numbers of the wires whose speed changed, where nothing else of the machine did; else None."""
    if len(before.wires) != len(after.wires) or before.level != after.level or before.pads != after.pads:
        return None
    if before.cores is not after.cores and before.cores != after.cores:
        return None
    changed = []
    for i, (old, new) in enumerate(zip(before.wires, after.wires, strict=True)):
        if old is new:
            continue
        if not _same_road(old, new):
            return None
        if old.every_ticks != new.every_ticks:
            changed.append(i)
    return changed


def _same_road(old: WireSpec, new: WireSpec) -> bool:
    same_ends = old.source == new.source and old.to == new.to
    same_lines = (old.voltage_mv, old.encoding, old.receiver, old.gap) == (
        new.voltage_mv,
        new.encoding,
        new.receiver,
        new.gap,
    )
    return same_ends and old.path == new.path and same_lines
