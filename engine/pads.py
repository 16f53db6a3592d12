"""What a level's pads take and how fast they are, without a design."""

from __future__ import annotations

from dataclasses import dataclass

from engine.model import Level, PadSpec
from engine.technology import technology
from engine.units import TICKS_PER_CYCLE, ticks_from_ns

NEAR_CYCLES, FAR_CYCLES = 2, 40
"""Latency of a memory pad."""

NEAR_EVERY_NS, FAR_EVERY_NS = 4.0, 1.0
THREADS_EVERY_NS, STREAM_EVERY_NS, SINK_EVERY_NS = 2.0, 1.0, 1.0
"""The paces of pads that state none."""


@dataclass(frozen=True, slots=True)
class PadFigures:
    """A pad's times in ticks, the energy of an access in aJ, and what it draws once a wire leads there, in nW.

    A memory pad's access is that to one line of its array; every further line of a packet takes an interval more.

    ``burst`` of a stream is (words, rest in ticks).
    """

    latency: int
    interval: int
    access_aj: int = 0
    standing_nw: int = 0
    burst: tuple[int, int] | None = None


def is_far(level: Level, pad: PadSpec) -> bool:
    """Whether it is a load or store of far memory."""
    return pad.core in ("load", "store") and level.kernel.arrays[pad.array or pad.id].memory == "far"


def pad_figures(level: Level, pad: PadSpec) -> PadFigures:
    """The figures of a pad of ``level``: its own, its array's, or the defaults."""
    match pad.core:
        case "threads":
            return PadFigures(0, ticks_from_ns(pad.every_ns or THREADS_EVERY_NS))
        case "stream":
            burst = (pad.burst[0], ticks_from_ns(pad.burst[1])) if pad.burst else None
            return PadFigures(0, ticks_from_ns(pad.every_ns or STREAM_EVERY_NS), burst=burst)
        case "sink":
            return PadFigures(TICKS_PER_CYCLE, ticks_from_ns(pad.every_ns or SINK_EVERY_NS))
        case _:
            figures = technology(level.technology)
            array = level.kernel.arrays[pad.array or pad.id]
            kind = array.memory
            far = kind == "far"
            every = pad.every_ns or array.every_ns or (FAR_EVERY_NS if far else NEAR_EVERY_NS)
            return PadFigures(
                (FAR_CYCLES if far else NEAR_CYCLES) * TICKS_PER_CYCLE,
                ticks_from_ns(every),
                figures.event_aj[f"{kind}_line"] + figures.event_aj[f"{kind}_line_word"] * array.line,
                figures.standing_nw["far_pad"] if far else 0,
            )
