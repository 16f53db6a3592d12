"""What can be said about a machine's pace without running it: its greatest throughput, and what each wire must carry.

:func:`throughput_bound` names what sets the pace: a node, a wire, a loop, or two roads of unequal room that meet.
:func:`demand` gives the *demand rate* of every wire: its rate when every wire outside loops is infinitely fast and
roomy. Wires whose speed is not told by that are marked: in a loop (⟳), behind a burst (≋), on the shorter of two roads
(⇄, with the number of words of room that are missing). The inequalities behind all this are in :mod:`engine.timing`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from math import ceil

from engine.bound_text import BoundKind, distinct, explain, sums
from engine.counts import Counts, certain, packets_per_launch
from engine.cycles import Edge, critical_cycle
from engine.netlist import Netlist
from engine.timing import Timing
from engine.unfold import NotStatic, Unfolding
from engine.units import MIN_EVERY_TICKS

MAX_EVERY_TICKS = 1_000_000


@dataclass(frozen=True, slots=True)
class Bound:
    """The most launches that a machine can do, and why.

    rate
        Launches per tick, exact; 0 where nothing can move. No machine runs faster in the long run.
    kind, nodes, wires
        What sets it; nodes and wires in the order of the cycle.
    sentence
        The same for a person.
    loose
        Why the machine may be slower than this; empty where it runs at just this rate in its steady state, if it is not
        stopped by a fault.
    """

    rate: Fraction
    kind: BoundKind
    nodes: tuple[int, ...]
    wires: tuple[int, ...]
    sentence: str
    loose: str = ""

    @property
    def exact(self) -> bool:
        """Whether the machine's steady rate is proved to be this, to the last digit."""
        return not self.loose

    @property
    def ticks_per_launch(self) -> Fraction | None:
        """None where nothing can move."""
        return 1 / self.rate if self.rate else None


class Mark(Enum):
    """Why Match leaves a wire's speed to the player."""

    NONE = ""
    LOOP = "⟳"
    BURST = "≋"
    ROADS = "⇄"
    STOPPED = "■"


@dataclass(frozen=True, slots=True)
class WireDemand:
    """What a wire must carry.

    packets
        Per launch.
    every
        Ticks per word at the demand rate, exact; None where nothing comes along or nothing bounds the machine.
    every_ticks
        The slowest setting that carries it: ``every`` rounded down, 10 … 1,000,000; None like ``every``.
    mark, missing
        ⟳, ≋ or ⇄; with ⇄ the words of room that are missing on this road.
    slack
        Ticks per word by which the wire could be slower; negative where it is too slow; None like ``every``.
    """

    packets: Fraction
    every: Fraction | None
    every_ticks: int | None
    mark: Mark = Mark.NONE
    missing: int = 0
    slack: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Demand:
    """Demand of every wire, in the netlist's order; ``ticks_per_launch`` is what pads, cores and loops allow."""

    ticks_per_launch: Fraction
    wires: tuple[WireDemand, ...]
    exact: bool = True


def throughput_bound(netlist: Netlist, counts: Counts | None = None) -> Bound:
    """The bound on launches per tick. ``counts`` are measured packets per launch, where data decides about them.

    Without them only what is certain counts (:func:`engine.counts.certain`).
    """
    unsure = ""
    if counts is None:
        counts, unsure = certain(netlist, packets_per_launch(netlist))
    stopped = [w for w, wire in enumerate(netlist.wires) if counts.packets[w] and not wire.every_ticks]
    if stopped:
        text = f"the wire {netlist.wires[stopped[0]].id} is stopped: nothing gets past it"
        return Bound(Fraction(0), "wire", (), (stopped[0],), text)
    ticks, cycle, loose = _slowest(netlist, counts)
    kind, sentence = explain(netlist, counts, ticks, cycle)
    if kind == "roads":
        kind, sentence = explain(netlist, counts, ticks, cycle, short_roads(netlist, counts))
    return Bound(
        1 / ticks if ticks else Fraction(0),
        kind,
        distinct(edge.node for edge in cycle),
        distinct(edge.wire for edge in cycle),
        sentence,
        unsure or loose or _delayed(netlist),
    )


def _delayed(netlist: Netlist) -> str:
    """Why physics may make a machine slower than its rules of time alone."""
    if netlist.errs:
        return "bits come late, and may lead packets astray"
    if any(node.gate for node in netlist.nodes) or any(wire.gate for wire in netlist.wires):
        return "what sleeps has to wake first"
    return ""


def slowest(netlist: Netlist, counts: Counts, loose: Collection[int] = ()) -> tuple[Fraction | None, list[Edge]]:
    """Ticks per launch and the cycle that sets it: by averages, and event by event where that is possible.

    (None, cycle) where nothing can move round the cycle. ``loose`` as in :class:`engine.timing.Timing`.
    """
    ticks, cycle, _ = _slowest(netlist, counts, loose)
    return ticks, cycle


def _slowest(netlist: Netlist, counts: Counts, loose: Collection[int] = ()) -> tuple[Fraction | None, list[Edge], str]:
    """As :func:`slowest`, and why the machine may be slower than that, "" if it cannot."""
    ticks, cycle = critical_cycle(Timing(netlist, counts, loose))
    if ticks is None:
        return ticks, cycle, ""
    try:
        unfolding = Unfolding(netlist, counts, loose)
    except NotStatic as error:
        return ticks, cycle, str(error)
    turn, found = critical_cycle(unfolding, ticks * unfolding.launches)
    if not found:
        return ticks, cycle, unfolding.missing
    return (turn / unfolding.launches if turn is not None else None), found, unfolding.missing


def demand(netlist: Netlist, counts: Counts | None = None) -> Demand:
    """The demand rate of every wire, and the marks of those that it does not settle.

    Where a loop can never move, or nothing bounds the machine, no wire has a demand.
    """
    counts = counts or packets_per_launch(netlist)
    inside = loop_wires(netlist)
    ticks, _ = slowest(netlist, counts, [w for w in range(len(netlist.wires)) if w not in inside])
    bursts = burst_wires(netlist)
    missing = short_roads(netlist, counts, inside)
    wires = []
    for index, wire in enumerate(netlist.wires):
        packets = counts.packets[index]
        every = ticks / packets if ticks and packets else None
        mark = (
            Mark.LOOP
            if index in inside
            else Mark.BURST
            if index in bursts
            else Mark.ROADS
            if index in missing
            else Mark.NONE
        )
        wires.append(
            WireDemand(
                packets,
                every,
                None if every is None else min(MAX_EVERY_TICKS, max(MIN_EVERY_TICKS, int(every))),
                mark,
                missing.get(index, 0),
                every - wire.every_ticks if every is not None and wire.every_ticks else None,
            )
        )
    return Demand(ticks or Fraction(0), tuple(wires), counts.exact)


def loop_wires(netlist: Netlist) -> frozenset[int]:
    """Wires inside a strongly connected component of elements: whatever runs along them may come back.

    A shared memory is one element: a wire on the way from a write to a read is in a loop, as the page that it holds
    has to come round before the next block's.
    """
    ends = [(netlist.nodes[wire.source].element, netlist.nodes[wire.target].element) for wire in netlist.wires]
    # Importing networkx takes longer than a short run, and most machines have no loop: what nothing leads to is in none
    rest = ends
    while (led := {end for _, end in rest}) and len(left := [pair for pair in rest if pair[0] in led]) < len(rest):
        rest = left
    if not rest:
        return frozenset()
    import networkx as nx

    graph: nx.DiGraph[int] = nx.DiGraph(ends)
    component = {one: number for number, found in enumerate(nx.strongly_connected_components(graph)) for one in found}
    return frozenset(index for index, (start, end) in enumerate(ends) if component[start] == component[end])


def burst_wires(netlist: Netlist) -> frozenset[int]:
    """Wires between a source of bursts and the first buffer on each way from it.

    Sources of bursts are streams that are told to, and shared memories: a block's reads come all at once, and while
    they wait their page is not free.
    """
    found: dict[int, None] = {}
    waiting = deque(n for n, node in enumerate(netlist.nodes) if node.params.get("burst") or node.kind == "shared.read")
    while waiting:
        for port in netlist.nodes[waiting.popleft()].outputs:
            for wire in port.wires:
                target = netlist.wires[wire].target
                if wire not in found:
                    found[wire] = None
                    if netlist.nodes[target].kind != "buffer":
                        waiting.append(target)
    return frozenset(found)


def short_roads(netlist: Netlist, counts: Counts | None = None, inside: frozenset[int] | None = None) -> dict[int, int]:
    """Wires outside loops that hold too few words, with the least room (in words) that they lack; {} if none does.

    The goal is the bound at the present speeds with all the room in the world outside loops. While the bound is below
    it, its cycle closes over the shorter of two roads: the longest wire there is given what makes this cycle as fast
    as the goal.
    """
    counts = counts or packets_per_launch(netlist)
    inside = loop_wires(netlist) if inside is None else inside
    outside = [w for w in range(len(netlist.wires)) if w not in inside]
    goal, _ = critical_cycle(Timing(netlist, counts, room=dict.fromkeys(outside)))
    if not goal:
        return {}
    missing: dict[int, int] = {}
    while True:
        ticks, cycle = critical_cycle(Timing(netlist, counts, room=missing))
        if ticks is not None and ticks <= goal:
            return missing
        closing = (edge.wire for edge in cycle if edge.kind == "closing" and edge.wire not in inside)
        wire = max(closing, key=lambda w: (netlist.wires[w].length, -w))
        delay, tokens = sums(cycle)
        missing[wire] = missing.get(wire, 0) + ceil((delay / goal - tokens) * counts.packets[wire])
