"""The energy receipt: what a launch paid for and need not have, each item with its place and its cure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from engine.bounds import Demand, Mark, demand
from engine.model import Report
from engine.netlist import Netlist, Wire
from engine.units import EXACT_PER_PJ

if TYPE_CHECKING:
    from engine.bounds import WireDemand

MIN_SHARE = 0.01
"""What is less than this share of the launch's energy is not worth a line."""


@dataclass(frozen=True, slots=True)
class Item:
    """One avoidable item: ``pj`` per launch, at ``element``; ``wire`` is its number where it is one."""

    kind: Literal["too-fast", "detour", "idle", "waiting"]
    element: str
    pj: float
    message: str
    cure: str
    wire: int | None = None


def receipt(netlist: Netlist, report: Report, most: int = 3) -> list[Item]:
    """The ``most`` largest avoidable items of a run that was measured, largest first.

    Each is an estimate of what one change alone would save: they do not add up.
    """
    if report.metrics is None or report.window is None or report.energy_exact is None:
        return []
    ticks = round((report.window.end_ns - report.window.start_ns) * 100)
    launches = report.metrics.launches
    asked = demand(netlist)
    items = [
        *_too_fast(netlist, asked, ticks, launches),
        *_detours(netlist, report, launches),
        *_idle(netlist, report, launches),
        *_waiting(report, asked, ticks, launches),
    ]
    least = report.energy_exact.total / launches / EXACT_PER_PJ * MIN_SHARE
    return sorted((item for item in items if item.pj >= least), key=lambda item: -item.pj)[:most]


def _name(netlist: Netlist, wire: Wire) -> str:
    return f"{netlist.nodes[wire.source].id} → {netlist.nodes[wire.target].id}"


def _too_fast(netlist: Netlist, asked: Demand, ticks: int, launches: int) -> list[Item]:
    """Wires faster than what is asked of them: the drive above the demand rate."""
    items = []
    for i, (wire, need) in enumerate(zip(netlist.wires, asked.wires, strict=True)):
        if not wire.every_ticks or not need.every_ticks or need.every_ticks <= wire.every_ticks:
            continue
        if need.mark is not Mark.NONE:
            continue  # loops and bursts are fast for a reason
        extra = wire.drive_nw * (need.every_ticks - wire.every_ticks) / need.every_ticks
        items.append(
            Item(
                "too-fast",
                wire.id,
                extra * ticks / launches / EXACT_PER_PJ,
                f"{_name(netlist, wire)} is ready for a word every {wire.every_ticks / 100:g} ns and gets one every "
                f"{_every(need)} ns",
                f"slow it to {100 / need.every_ticks:.3g}: a word every {need.every_ticks / 100:g} ns",
                i,
            )
        )
    return items


def _every(need: WireDemand) -> str:
    assert need.every is not None
    return f"{float(need.every) / 100:.3g}"


def _detours(netlist: Netlist, report: Report, launches: int) -> list[Item]:
    """Wires longer than the way from core to core: what the tiles beyond that cost."""
    assert report.energy_exact
    items = []
    for i, wire in enumerate(netlist.wires):
        (x0, y0), (x1, y1) = wire.tiles[0], wire.tiles[-1]
        direct = max(1, abs(x1 - x0) + abs(y1 - y0))
        if wire.length <= direct:
            continue
        total = sum(report.energy_exact.by_element.get(wire.id, {}).values())
        extra = total * (wire.length - direct) / wire.length
        items.append(
            Item(
                "detour",
                wire.id,
                extra / launches / EXACT_PER_PJ,
                f"{_name(netlist, wire)} takes {wire.length} tiles where {direct} would reach",
                "take the short way, or keep the words in a buffer if the road must hold them",
                i,
            )
        )
    return items


def _idle(netlist: Netlist, report: Report, launches: int) -> list[Item]:
    """Cores that never fired in the window: all that they cost."""
    assert report.energy_exact
    items = []
    for element in report.elements:
        if element.kind == "wire" or element.events:
            continue
        total = sum(report.energy_exact.by_element.get(element.id, {}).values())
        if total:
            items.append(
                Item(
                    "idle",
                    element.id,
                    total / launches / EXACT_PER_PJ,
                    f"{element.id} does nothing, and leaks all the while",
                    "remove it",
                )
            )
    return items


def _waiting(report: Report, asked: Demand, ticks: int, launches: int) -> list[Item]:
    """Time: the chip's lights burn for longer than pads, cores and loops would need."""
    assert report.energy_exact
    least = float(asked.ticks_per_launch) if asked.ticks_per_launch else 0.0
    now = ticks / launches
    if least <= 0 or now <= least * 1.001:
        return []
    by_cause = report.energy_exact.by_cause
    standing = sum(by_cause.get(cause, 0) for cause in ("standby", "leakage"))
    return [
        Item(
            "waiting",
            "(chip)",
            standing * (1 - least / now) / launches / EXACT_PER_PJ,
            f"a launch takes {now / 100:.3g} ns, and pads, cores and loops would do it in {least / 100:.3g} ns",
            "ask why the pad waits: a wire is too slow, or two roads hold unequal numbers of words",
        )
    ]
