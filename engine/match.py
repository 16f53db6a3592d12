"""Match: every wire as slow as the rate that is asked of it allows.

The rate is the demand rate, computed from the graph (:func:`engine.bounds.demand`), never the measured one: on a loop,
or on roads of unequal room, matching to what is measured lowers the rate, and matching again lowers it further.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from engine.bounds import Mark, demand, slowest
from engine.counts import Counts, packets_per_launch
from engine.cycles import Edge
from engine.elaborate import elaborate
from engine.errors import UsageError
from engine.model import Design, Level
from engine.netlist import Netlist


@dataclass(frozen=True, slots=True)
class Skipped:
    """A wire that Match left to the player: its number in the design, its name, and why."""

    wire: int
    id: str
    mark: Mark


def match(
    level: Level, design: Design, wires: Collection[int] | None = None, counts: Counts | None = None
) -> tuple[Design, list[Skipped]]:
    """A copy of ``design`` with its wires at demand rate, and the wires that were left as they were.

    wires
        Numbers of the wires to set; all of them unless given.
    counts
        Measured packets per launch (:func:`engine.counts.measured`), for machines in which data decides about them;
        without, every packet counts as passing, so that no wire becomes too slow.

    Left alone are wires in a loop (⟳) and behind a burst (≋). A wire that would lower the bound on throughput, because
    its road would take longer than the room on a shorter one allows, keeps its speed (⇄). A stopped wire stays
    stopped (■), as somebody stopped it, unless ``wires`` names it. A wire along which nothing comes is not touched.
    The bound never falls, and matching twice is the same as once. Raises InvalidError if the design cannot be built.
    """
    netlist = elaborate(level, design)
    for wire in wires or ():
        if not 0 <= wire < len(netlist.wires):
            raise UsageError(f"there is no wire {wire}: the design has {len(netlist.wires)}, from 0")
    speeds, skipped = matched_speeds(netlist, wires, counts)
    result = design.model_copy(deep=True)
    for wire, every_ticks in speeds.items():
        result.wires[wire].every_ticks = every_ticks
    return result, skipped


def matched_speeds(
    netlist: Netlist, wires: Collection[int] | None = None, counts: Counts | None = None
) -> tuple[dict[int, int], list[Skipped]]:
    """As :func:`match`, on a netlist: the ticks per word of every wire that is set, and the wires left alone."""
    counts = counts or packets_per_launch(netlist)
    asked = demand(netlist, counts)
    skipped: dict[int, Mark] = {}
    speeds: dict[int, int] = {}
    for index in range(len(netlist.wires)) if wires is None else sorted(set(wires)):
        found = asked.wires[index]
        if found.mark in (Mark.LOOP, Mark.BURST):
            skipped[index] = found.mark
        elif not netlist.wires[index].every_ticks and wires is None:
            skipped[index] = Mark.STOPPED
        elif found.every_ticks is not None:
            speeds[index] = found.every_ticks
    for index in _too_slow(netlist, counts, speeds):
        del speeds[index]
        skipped[index] = Mark.ROADS
    return speeds, [Skipped(index, netlist.wires[index].id, mark) for index, mark in sorted(skipped.items())]


def _too_slow(netlist: Netlist, counts: Counts, speeds: Mapping[int, int]) -> list[int]:
    """Wires that must keep their speed, so that with ``speeds`` the bound is not lower than it is now.

    While it is lower, the wires on its cycle that would be slowed are taken out. Which ones depends on the others'
    new speeds only: so a second Match finds the same.
    """
    before = _ticks_per_launch(netlist, counts, {})[0]
    left = dict(speeds)
    kept: list[int] = []
    while before is not None:
        now, cycle = _ticks_per_launch(netlist, counts, left)
        if now is not None and now <= before:
            break
        slowed = {w for w, every in left.items() if 0 < netlist.wires[w].every_ticks < every}
        on_cycle = {edge.wire for edge in cycle} | _pacing(netlist, cycle)
        out = sorted(slowed & on_cycle) or sorted(slowed)
        if not out:
            break  # only wires that stood still are left
        for wire in out:
            del left[wire]
        kept += out
    return kept


def _pacing(netlist: Netlist, cycle: list[Edge]) -> set[int]:
    """Wires whose pace counts at the nodes of a cycle, where packets come in groups."""
    nodes = [netlist.nodes[edge.node] for edge in cycle if edge.kind in ("pattern", "group", "page")]
    into = {wire for node in nodes for port in node.inputs for wire in port.wires}
    return into | {wire for node in nodes for port in node.outputs for wire in port.wires}


def _ticks_per_launch(
    netlist: Netlist, counts: Counts, speeds: Mapping[int, int]
) -> tuple[Fraction | None, list[Edge]]:
    wires = tuple(
        replace(wire, every_ticks=speeds[index]) if index in speeds else wire
        for index, wire in enumerate(netlist.wires)
    )
    return slowest(replace(netlist, wires=wires), counts)
