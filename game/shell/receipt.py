"""The energy receipt: what a launch paid for and need not have, and then what else was most of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.causes import LostEnergy, LostTime
from engine.model import ElementReport, Report
from game.text import number

LINES = 3
NEEDED = 0.9
"""From this share on a cause is taken to be what the level needs, where the least of any machine is known."""

_COVERED = {
    "too-fast": "drive",
    "detour": "drive",
    "waiting": "standby",
    "idle": "leakage",
    "lines": "memory",
    "conflicts": "control",
}
"""The cause that an avoidable item belongs to: it is not told twice."""

_WORDS = {
    "standby": ("The chip is on for the {period} ns that a launch takes", "a machine that takes less time pays less"),
    "drive": ("Wires that stand ready for words{most}", "bring the ends of the longest ones closer together"),
    "switching": ("Bits that change on their way{most}", "words that differ little from the one before cost less"),
    "compute": ("The work of cores{most}", "see whether a cheaper core does the same"),
    "control": ("Every firing of a core{most}", "fewer cores on the way of a word cost less"),
    "memory": ("Reading and writing{most}", "read a word once and keep it for as long as it is wanted"),
    "storage": ("Words that are kept{most}", "fewer slots, or words that are used sooner"),
    "leakage": ("Cores leak all the while{most}", "fewer cores, or a machine that takes less time"),
}


@dataclass(frozen=True, slots=True)
class Line:
    """``pj`` of a launch, a sentence with what to do, and its place: a wire's number or an element's name."""

    pj: float
    message: str
    cure: str
    element: str = ""
    wire: int | None = None
    avoidable: bool = False


def receipt(report: Report, avoidable: Sequence[LostEnergy], lost_time: Sequence[LostTime] = ()) -> list[Line]:
    """At most :data:`LINES` lines: avoidable items, largest first, then the largest causes that they do not cover."""
    lines = [Line(item.pj, item.message, item.cure, item.element, item.wire, True) for item in avoidable[:LINES]]
    if report.metrics is None or report.energy_pj is None or report.window is None:
        return lines
    launches = report.metrics.launches
    period = (report.window.end_ns - report.window.start_ns) / launches
    told = {_COVERED[item.kind] for item in avoidable[:LINES]}
    least = report.energy_limit.by_cause if report.energy_limit else {}
    for cause, total in sorted(report.energy_pj.items(), key=lambda part: (-part[1], part[0])):
        if len(lines) == LINES or total <= 0:
            break
        if cause in told or cause not in _WORDS:
            continue
        message, cure = _WORDS[cause]
        pj, needed = total / launches, least.get(cause, 0.0)
        first = _most(report, cause)
        element, wire, most = "", None, ""
        if first is not None:
            element, wire = first.id, _number_of(report, first)
            most = f", most of it at {first.id}" if first.energy_pj[cause] < total else f", all of it at {first.id}"
        if needed >= NEEDED * pj or (cause == "standby" and not lost_time):
            cure = "this much is needed"
        elif needed > 0:
            cure = f"{cure}; {number(needed)} pJ are needed in any machine"
        lines.append(Line(pj, message.format(period=number(period), most=most), cure, element, wire))
    return lines


def _most(report: Report, cause: str) -> ElementReport | None:
    """The element that has most of a cause; None where it belongs to the chip as a whole."""
    found = [element for element in report.elements if element.energy_pj.get(cause, 0.0) > 0]
    return max(found, key=lambda element: element.energy_pj[cause], default=None)


def _number_of(report: Report, element: ElementReport) -> int | None:
    """The number of a wire in the design."""
    wires = [other.id for other in report.elements if other.kind == "wire"]
    return wires.index(element.id) if element.kind == "wire" else None
