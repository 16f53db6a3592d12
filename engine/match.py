"""Match: every wire as slow as the rate that is asked of it allows.

The rate is the demand rate, computed from the graph (:func:`engine.bounds.demand`), never the measured one: on a loop,
or on roads of unequal room, matching to what is measured lowers the rate, and matching again lowers it further.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction

from engine.bounds import Mark, demand, slowest
from engine.counts import Counts, packets_per_launch
from engine.cycles import Edge, slower_cycle
from engine.elaborate import elaborate
from engine.errors import UsageError
from engine.model import Design, Level
from engine.netlist import Netlist, Wire
from engine.timing import Timing
from engine.unfold import NotStatic, Unfolding


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

    Left alone are wires in a loop (⟳) and behind a burst (≋). Of the wires on roads that would take longer than the
    room on a shorter road allows, so that the bound on throughput fell, as few as can be keep their speed (⇄). A
    stopped wire stays stopped (■), as somebody stopped it, unless ``wires`` names it. A wire along which nothing comes
    is not touched, and none becomes faster than is safe at its voltage. The bound with these counts never falls, and
    matching twice is the same as once. Raises InvalidError if the design cannot be built.
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
            speeds[index] = max(found.every_ticks, _least(netlist.wires[index]))
    for index in _too_slow(netlist, counts, speeds):
        del speeds[index]
        skipped[index] = Mark.ROADS
    return speeds, [Skipped(index, netlist.wires[index].id, mark) for index, mark in sorted(skipped.items())]


def _least(wire: Wire) -> int:
    """Ticks per word below which a wire is not set: what is safe at its voltage, or what it has if that is less."""
    safe = -(-wire.safe_millitick // 1000)
    return min(safe, wire.every_ticks) if wire.every_ticks else safe


def _too_slow(netlist: Netlist, counts: Counts, speeds: Mapping[int, int]) -> list[int]:
    """The wires that must keep their speed, so that with ``speeds`` the bound is not lower than it is now.

    While some cycle is slower than the bound allows, one of its wires that would be slowed is taken out: the one that
    costs the least drive for the time that it saves. At last every one that can do without is put back: as no wire of
    the rest can, a second Match finds the same.
    """
    before, _ = slowest(netlist, counts)
    if before is None:
        return []
    slowed = {w for w, every in speeds.items() if 0 < netlist.wires[w].every_ticks < every}
    trial = _Trial(netlist, counts, speeds, before)
    kept: list[int] = []
    while cycle := trial.slower_cycle(kept):
        on_cycle = {edge.wire for edge in cycle} | _pacing(netlist, cycle)
        out = slowed.difference(kept) & on_cycle or slowed.difference(kept)
        if not out:
            break  # only wires that stood still are left
        # Drive goes with 1 / T and time with T, so it costs 1 / (T · T') for each tick.
        kept.append(max(out, key=lambda w: (netlist.wires[w].every_ticks * speeds[w], netlist.wires[w].length, -w)))
    for wire in list(kept):
        others = [other for other in kept if other != wire]
        if not trial.slower_cycle(others):
            kept = others
    return kept


class _Trial:
    """A machine with new speeds on all its wires but some, held against a time per launch."""

    def __init__(self, netlist: Netlist, counts: Counts, speeds: Mapping[int, int], limit: Fraction) -> None:
        self.netlist, self.counts, self.speeds, self.limit = netlist, counts, speeds, limit
        self.unfolding: Unfolding | None = None
        with suppress(NotStatic):
            self._unfold(self._with_speeds([]))

    def _unfold(self, netlist: Netlist) -> None:
        """Unfold the machine: again where a wire with an encoding holds another number of words at another speed."""
        self.unfolding = Unfolding(netlist, self.counts)
        self.unfolding.sort()
        self.capacities = [wire.capacity for wire in netlist.wires]

    def _with_speeds(self, kept: Collection[int]) -> Netlist:
        wires = tuple(
            replace(wire, every_ticks=self.speeds[w]) if w in self.speeds and w not in kept else wire
            for w, wire in enumerate(self.netlist.wires)
        )
        return replace(self.netlist, wires=wires)

    def slower_cycle(self, kept: Collection[int]) -> list[Edge]:
        """A cycle that takes longer than the limit while the wires ``kept`` have their old speeds, [] if none does."""
        netlist = self._with_speeds(kept)
        timing = Timing(netlist, self.counts)
        timing.sort()
        cycle = slower_cycle(timing, self.limit)
        if cycle or self.unfolding is None:
            return cycle
        if [wire.capacity for wire in netlist.wires] != self.capacities:
            self._unfold(netlist)
        self.unfolding.retime([wire.every_ticks for wire in netlist.wires])
        return slower_cycle(self.unfolding, self.limit * self.unfolding.launches)


def _pacing(netlist: Netlist, cycle: list[Edge]) -> set[int]:
    """Wires whose pace counts at the nodes of a cycle, where packets come in groups."""
    nodes = [netlist.nodes[edge.node] for edge in cycle if edge.kind in ("pattern", "group", "page")]
    into = {wire for node in nodes for port in node.inputs for wire in port.wires}
    return into | {wire for node in nodes for port in node.outputs for wire in port.wires}
