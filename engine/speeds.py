"""Edits that change speeds alone: by far the most frequent ones, and they leave nearly everything as it was."""

from __future__ import annotations

from engine.elaborate import elaborate, retime
from engine.model import Design, Level, WireSpec
from engine.netlist import Netlist


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
    return same_ends and old.path == new.path and old.voltage_mv == new.voltage_mv


class Elaborator:
    """:func:`engine.elaborate.elaborate` for the designs of one level in turn, keeping what an edit leaves alone."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self._last: tuple[Design, Netlist] | None = None

    def netlist(self, design: Design) -> Netlist:
        """The machine of ``design``. Raises InvalidError with all problems if one of them is an error."""
        last, self._last = self._last, None
        changed = speed_changes(last[0], design) if last else None
        if last is None or changed is None:
            netlist = elaborate(self.level, design)
        else:
            netlist = last[1]
            for index in changed:
                netlist = retime(netlist, index, design.wires[index].every_ticks or 0)
        self._last = design, netlist
        return netlist
