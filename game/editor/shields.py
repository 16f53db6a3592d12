"""Shields: grounded tracks between wires, in levels with crosstalk. Pure functions from a design to the next one."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from engine.elaborate import check_design
from engine.model import Design, Level, ShieldSpec
from game.editor.edits import Refused, Tile


def allowed(level: Level) -> int | None:
    """How many shields may be laid: 0 where the level has none, None: any number."""
    crosstalk = level.physics.crosstalk
    return 0 if crosstalk is None else crosstalk.shields


def straight(start: Tile, end: Tile) -> list[Tile]:
    """The corners of a way of one or two straight runs, the longer one first."""
    (ax, ay), (bx, by) = start, end
    corner = (bx, ay) if abs(bx - ax) >= abs(by - ay) else (ax, by)
    return list(dict.fromkeys((start, corner, end)))


def lay(level: Level, design: Design, path: Sequence[Tile], track: int) -> Design:
    """With a shield along these corners. Refused with the reason where it cannot lie there."""
    if len(path) < 2:
        raise Refused("a shield goes from tile to tile: drag it along the wires that it is to part")
    laid = design.model_copy(update={"shields": [*design.shields, ShieldSpec(path=list(path), track=track)]})
    return _checked(level, laid, len(design.shields))


def move(level: Level, design: Design, index: int, track: int) -> Design:
    """With a shield on another track."""
    shields = list(design.shields)
    shields[index] = shields[index].model_copy(update={"track": track})
    return _checked(level, design.model_copy(update={"shields": shields}), index)


def remove(design: Design, indices: Collection[int]) -> Design:
    """Without these shields."""
    return design.model_copy(update={"shields": [s for i, s in enumerate(design.shields) if i not in indices]})


def _checked(level: Level, design: Design, index: int) -> Design:
    most = allowed(level)
    if most is not None and len(design.shields) > most:
        raise Refused("this level offers no shields" if not most else f"this level offers {most} of them, and no more")
    for problem in check_design(level, design):
        if problem.severity == "error" and problem.path[:2] == ("shields", index):
            raise Refused(problem.message)
    return design
