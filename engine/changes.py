"""Changes of a design that a machine can make by itself: what a cure says, done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.builder import Builder
from engine.model import Design, Level
from engine.room import make_room


@dataclass(frozen=True, slots=True)
class Change:
    """One change. ``wire`` is a number in the design, ``core`` a name.

    ``speed`` sets a wire to a word per ``every_ticks``; ``short`` lays it the shortest way that is free, with a buffer
    of ``slots`` on it unless that is 0; ``longer`` and ``buffer`` give the shorter of two roads the room that it lacks;
    ``remove`` takes a core away; ``pad`` leaves out ``slots`` cells of a memory after each ``row`` of them.
    """

    what: Literal["speed", "short", "longer", "buffer", "remove", "pad"]
    wire: int = -1
    every_ticks: int = 0
    slots: int = 0
    core: str = ""
    row: int = 0


def changed(level: Level, design: Design, change: Change) -> tuple[Design, str]:
    """A copy of ``design`` with the change, and what was done, in words ("" where the change itself says it).

    Raises UsageError or InvalidError where the board has no place for it or the design cannot be built; that it obeys
    the level's parts and limits is left to a run.
    """
    if change.what == "speed":
        copy = design.model_copy(deep=True)
        copy.wires[change.wire].every_ticks = change.every_ticks
        return copy, ""
    if change.what == "pad":
        copy = design.model_copy(deep=True)
        core = next(core for core in copy.cores if core.id == change.core)
        core.set.update(row=change.row, pad=change.slots)
        return copy, f"row {change.row}, pad {change.slots}"
    builder, done = Builder.of(level, design), ""
    match change.what:
        case "short":
            line = builder.lines[change.wire]
            builder.reroute(line)
            done = str(line.length)
            if change.slots:
                builder.insert("buffer", line, slots=change.slots)
        case "longer" | "buffer":
            rooms = make_room(builder, how="wire" if change.what == "longer" else "buffer")
            done = "; ".join(f"{room.wire}: {room.done}" for room in rooms)
        case "remove":
            builder.remove(change.core)
    return builder.design(), done
