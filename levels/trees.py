"""Designs as plain trees in the form that files have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.model import WIRE_PHYSICS
from engine.units import TICKS_PER_NS

if TYPE_CHECKING:
    from engine.model import CoreSpec, Design, WireSpec


def design_tree(design: Design) -> dict[str, Any]:
    """The design as files and texts write it: ``every_ns`` or ``speed: 0``, one target without a list."""
    tree: dict[str, Any] = design.model_dump(include={"perwatt", "level"})
    for key in ("name", "note"):
        if text := getattr(design, key):
            tree[key] = text
    if design.pads:
        tree["pads"] = design.model_dump(include={"pads"})["pads"]
    tree["cores"] = [_core_tree(core) for core in design.cores]
    tree["wires"] = [_wire_tree(wire) for wire in design.wires]
    if design.shields:
        tree["shields"] = [{"path": [list(tile) for tile in s.path], "track": s.track} for s in design.shields]
    return tree


def _core_tree(core: CoreSpec) -> dict[str, Any]:
    tree = {"id": core.id, "core": core.core, "at": list(core.at)}
    return {**tree, "set": core.model_dump(include={"set"})["set"]} if core.set else tree


def _wire_tree(wire: WireSpec) -> dict[str, Any]:
    tree = {
        "from": wire.source,
        "to": wire.to[0] if len(wire.to) == 1 else list(wire.to),
        "path": [list(corner) for corner in wire.path],
        **{key: value for key in WIRE_PHYSICS if (value := getattr(wire, key)) is not None},
    }
    if wire.every_ticks is None:
        return {**tree, "speed": 0}
    whole, rest = divmod(wire.every_ticks, TICKS_PER_NS)
    return {**tree, "every_ns": wire.every_ticks / TICKS_PER_NS if rest else whole}
