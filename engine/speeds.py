"""Edits that change speeds alone: by far the most frequent ones, and they leave nearly everything as it was."""

from __future__ import annotations

from engine.model import Design, WireSpec


def speed_changes(before: Design, after: Design) -> list[int] | None:
    """Numbers of the wires whose speed changed, where nothing else of the machine did; else None."""
    if len(before.wires) != len(after.wires) or before.level != after.level or before.pads != after.pads:
        return None
    if before.shields != after.shields:
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


_ROAD = tuple(name for name in WireSpec.model_fields if name != "every_ticks")


def _same_road(old: WireSpec, new: WireSpec) -> bool:
    return all(getattr(old, name) == getattr(new, name) for name in _ROAD)
