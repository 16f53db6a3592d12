"""What can be said about a machine's pace without running it: its greatest throughput, and what each wire must carry.

:func:`throughput_bound` names what sets the pace: a node, a wire, a loop, or two roads of unequal room that meet.
:func:`demand` gives the *demand rate* of every wire: its rate when every wire outside loops is infinitely fast and
roomy. Wires whose speed is not told by that are marked: in a loop (⟳), behind a burst (≋), on the shorter of two roads
(⇄, with the number of words of room that are missing). The inequalities behind all this are in :mod:`engine.timing`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from math import ceil
from typing import Literal

from engine.counts import Counts, packets_per_launch
from engine.cycles import Edge, critical_cycle
from engine.netlist import Netlist
from engine.timing import Timing
from engine.units import MIN_EVERY_TICKS, TICKS_PER_NS

MAX_EVERY_TICKS = 1_000_000

BoundKind = Literal["node", "wire", "loop", "roads"]


@dataclass(frozen=True, slots=True)
class Bound:
    """The most launches that a machine can do, and why.

    rate
        Launches per tick, exact; 0 where nothing can move. ``exact`` is False where data decides how many packets
        there are and all were taken to pass: then the true bound may be higher.
    kind, nodes, wires
        What sets it; nodes and wires in the order of the cycle.
    sentence
        The same for a person.
    """

    rate: Fraction
    kind: BoundKind
    nodes: tuple[int, ...]
    wires: tuple[int, ...]
    sentence: str
    exact: bool = True

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
    """The bound on launches per tick. ``counts`` are measured packets per launch, where data decides about them."""
    counts = counts or packets_per_launch(netlist)
    stopped = [w for w, wire in enumerate(netlist.wires) if counts.packets[w] and not wire.every_ticks]
    if stopped:
        text = f"the wire {netlist.wires[stopped[0]].id} is stopped: nothing gets past it"
        return Bound(Fraction(0), "wire", (), (stopped[0],), text, counts.exact)
    timing = Timing(netlist, counts)
    ticks, cycle = critical_cycle(timing.events, timing.edges)
    kind = _kind(cycle)
    missing = short_roads(netlist, counts) if kind == "roads" else {}
    return Bound(
        1 / ticks if ticks else Fraction(0),
        kind,
        _distinct(edge.node for edge in cycle),
        _distinct(edge.wire for edge in cycle),
        _sentence(netlist, counts, kind, ticks, cycle, missing),
        counts.exact,
    )


def demand(netlist: Netlist, counts: Counts | None = None) -> Demand:
    """The demand rate of every wire, and the marks of those that it does not settle.

    Where a loop can never move, or nothing bounds the machine, no wire has a demand.
    """
    counts = counts or packets_per_launch(netlist)
    inside = loop_wires(netlist)
    timing = Timing(netlist, counts, [w for w in range(len(netlist.wires)) if w not in inside])
    ticks, _ = critical_cycle(timing.events, timing.edges)
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
    import networkx as nx  # 0.2 s to import: only where a machine is analysed

    ends = [(netlist.nodes[wire.source].element, netlist.nodes[wire.target].element) for wire in netlist.wires]
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
    timing = Timing(netlist, counts)
    edges = timing.edges

    def adjustable(edge: Edge) -> bool:
        return edge.kind == "closing" and edge.wire not in inside

    goal, _ = critical_cycle(timing.events, [edge for edge in edges if not adjustable(edge)])
    if not goal:
        return {}
    missing: dict[int, int] = {}
    while True:
        ticks, cycle = critical_cycle(timing.events, edges)
        if ticks is not None and ticks <= goal:
            return missing
        wire = max((edge.wire for edge in cycle if adjustable(edge)), key=lambda w: (netlist.wires[w].length, -w))
        lacking = sum((edge.delay for edge in cycle), Fraction(0)) / goal - sum(
            (edge.tokens for edge in cycle), Fraction(0)
        )
        words = ceil(lacking * counts.packets[wire])
        missing[wire] = missing.get(wire, 0) + words
        edges = [
            replace(edge, tokens=edge.tokens + words / counts.packets[wire])
            if adjustable(edge) and edge.wire == wire
            else edge
            for edge in edges
        ]


# --- words for people ------------------------------------------------------------------------------------------


def _distinct(numbers: Iterable[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(n for n in numbers if n >= 0))


def _kind(cycle: Sequence[Edge]) -> BoundKind:
    """What a critical cycle is made of."""
    carrying = {edge.wire for edge in cycle if edge.kind in ("carry", "pace")}
    closing = {edge.wire for edge in cycle if edge.kind == "closing"}
    if closing and not carrying:
        return "loop"  # against the stream all the way round: a ring that is too full
    if closing - carrying or (closing and carrying - closing):
        return "roads"
    if len(carrying) == 1 and all(edge.wire >= 0 for edge in cycle):
        return "wire"
    return "loop" if carrying or any(edge.kind == "page" for edge in cycle) else "node"


def _ns(ticks: Fraction) -> str:
    return f"{float(ticks / TICKS_PER_NS):.2f} ns"


def _sentence(
    netlist: Netlist,
    counts: Counts,
    kind: BoundKind,
    ticks: Fraction | None,
    cycle: Sequence[Edge],
    missing: dict[int, int],
) -> str:
    nodes = [netlist.nodes[n].id for n in _distinct(edge.node for edge in cycle)]
    wires = _distinct(edge.wire for edge in cycle)
    if kind == "node":
        node = cycle[0].node if cycle else 0
        if not ticks or not cycle:
            return "nothing moves"
        count = counts.firings[node]
        return (
            f"{netlist.nodes[node].id} works once per {_ns(ticks / count)}, {_number(count)} times a launch: "
            f"a launch per {_ns(ticks)} at most"
        )
    if kind == "wire":
        wire = wires[0]
        count = counts.packets[wire]
        return (
            f"the wire {netlist.wires[wire].id} takes a word every {_ns(Fraction(netlist.wires[wire].every_ticks))}, "
            f"{_number(count)} a launch: a launch per {_ns(ticks or Fraction(0))} at most"
        )
    if kind == "loop":
        if ticks is None:
            return f"the loop {' → '.join(nodes)} has no word in it, or no place: nothing can move round it"
        most = f"a launch per {_ns(ticks)} at most"
        if any(edge.kind == "closing" for edge in cycle):
            return f"the loop {' → '.join(reversed(nodes))} has few free places for its words: {most}"
        delay = sum((edge.delay for edge in cycle), Fraction(0))
        for edge in cycle:
            if edge.kind == "page":
                memory = netlist.memories[netlist.nodes[edge.node].params["memory"]]
                pages = f"{memory.pages} page{'s' * (memory.pages > 1)}"
                return f"{nodes[0]} has {pages}, and a block holds one for {_ns(delay)} or more: {most}"
        return f"the loop {' → '.join(nodes)} takes {_ns(delay)} to go round: {most}"
    short = [wire for wire in wires if wire in missing] or [edge.wire for edge in cycle if edge.kind == "closing"][:1]
    lack = f", {missing[short[0]]} short" if short[0] in missing else ""
    return (
        f"two roads meet at {netlist.nodes[netlist.wires[short[0]].target].id}, and the shorter one, "
        f"{netlist.wires[short[0]].id}, holds too few words{lack}: a launch per {_ns(ticks or Fraction(0))} at most"
    )


def _number(count: Fraction) -> str:
    return str(count) if count.denominator == 1 else f"{float(count):.3g}"
