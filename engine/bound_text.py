"""What a slowest cycle is made of, and the sentence that says so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Literal

from engine.counts import Counts
from engine.cycles import Edge
from engine.netlist import LOOKAHEAD, Netlist
from engine.units import TICKS_PER_NS

BoundKind = Literal["node", "wire", "loop", "roads"]
"""``loop`` is also a shared memory whose pages come round too slowly."""


def distinct(numbers: Iterable[int]) -> tuple[int, ...]:
    """The numbers from 0 on, each once, in order."""
    return tuple(dict.fromkeys(n for n in numbers if n >= 0))


def sums(cycle: Sequence[Edge]) -> tuple[Fraction, Fraction]:
    """Delay and tokens round a cycle."""
    return Fraction(sum(edge.delay for edge in cycle)), Fraction(sum(edge.tokens for edge in cycle))


def explain(
    netlist: Netlist,
    counts: Counts,
    ticks: Fraction | None,
    cycle: Sequence[Edge],
    missing: Mapping[int, int] | None = None,
) -> tuple[BoundKind, str]:
    """The kind of a slowest cycle with ``ticks`` per launch (None: nothing can move round it), and a sentence.

    ``missing`` are the words of room that wires lack, where that is known.
    """
    if ticks is None:
        names = " → ".join(_names(netlist, cycle))
        return "loop", f"round {names} each waits for the next, for a word or for a place: nothing can move"
    if not cycle:
        return "node", "nothing bounds this machine: no packet comes to any core"
    most = f"a launch per {_ns(ticks)} at most"
    if any(edge.kind == "lookahead" for edge in cycle):
        return "loop", f"{LOOKAHEAD} launches are on their way, and no pad runs further ahead: {most}"
    if any(edge.kind == "page" for edge in cycle):
        return "loop", f"{_pages(netlist, cycle)}: {most}"
    rush = _rush(netlist, cycle)
    if rush:
        return rush[0], f"{rush[1]}: {most}"
    carrying = {edge.wire for edge in cycle if edge.kind in ("carry", "pace")}
    closing = {edge.wire for edge in cycle if edge.kind == "closing"}
    if closing and not carrying:
        # Against the stream all the way round: a ring that is too full.
        names = " → ".join(reversed(_names(netlist, cycle)))
        return "loop", f"the loop {names} has few free places for its words: {most}"
    if closing - carrying or (closing and carrying - closing):
        return "roads", f"{_roads(netlist, cycle, missing or {})}: {most}"
    if len(carrying) == 1 and all(edge.wire >= 0 for edge in cycle):
        wire = cycle[0].wire
        every = _ns(Fraction(netlist.wires[wire].every_ticks))
        packets = _number(counts.packets[wire])
        return "wire", f"the wire {netlist.wires[wire].id} takes a word every {every}, {packets} a launch: {most}"
    if carrying:
        names = " → ".join(_names(netlist, cycle))
        return "loop", f"the loop {names} takes {_ns(sums(cycle)[0])} to go round: {most}"
    node = cycle[0].node
    count = counts.firings[node]
    return (
        "node",
        f"{netlist.nodes[node].id} works once per {_ns(ticks / count)}, {_times(count)} a launch: {most}",
    )


def _names(netlist: Netlist, cycle: Sequence[Edge]) -> list[str]:
    return list(dict.fromkeys(netlist.nodes[n].id for n in distinct(edge.node for edge in cycle)))


def _pages(netlist: Netlist, cycle: Sequence[Edge]) -> str:
    turns = [edge for edge in cycle if edge.kind == "page"]
    node = netlist.nodes[turns[0].node]
    pages = netlist.memories[node.params["memory"]].pages
    held = sums(cycle)[0] / len(turns)
    return f"{node.id} has {pages} page{'s' * (pages > 1)}, and a block holds one for {_ns(held)}"


def _rush(netlist: Netlist, cycle: Sequence[Edge]) -> tuple[BoundKind, str] | None:
    """Where a cycle goes through several packets of one core or wire in a row: the one that takes longest over them.

    Such a cycle is found event by event only; on average its core or wire would be fast enough.
    """
    spent: dict[tuple[int, int], Fraction] = {}
    for edge in cycle:
        if edge.kind in ("interval", "pace"):
            key = edge.node, edge.wire
            spent[key] = spent.get(key, Fraction(0)) + edge.delay
    if not spent or len(cycle) == len({edge.label for edge in cycle}):
        return None
    node, wire = max(spent, key=lambda key: spent[key])
    if wire >= 0:
        every = _ns(Fraction(netlist.wires[wire].every_ticks))
        return "wire", f"packets come in rushes to the wire {netlist.wires[wire].id}, which takes one every {every}"
    every = _ns(Fraction(netlist.nodes[node].interval_ticks))
    return "node", f"packets come in rushes to {netlist.nodes[node].id}, which takes one every {every}"


def _roads(netlist: Netlist, cycle: Sequence[Edge], missing: Mapping[int, int]) -> str:
    wires = distinct(edge.wire for edge in cycle if edge.kind == "closing")
    wire = max(wires, key=lambda w: (w in missing, netlist.wires[w].length, -w))
    lack = f", {missing[wire]} short" if wire in missing else ""
    return (
        f"two roads meet at {netlist.nodes[netlist.wires[wire].target].id}, and the shorter one, "
        f"{netlist.wires[wire].id}, holds too few words{lack}"
    )


def _ns(ticks: Fraction) -> str:
    return f"{float(ticks / TICKS_PER_NS):.2f} ns"


def _times(count: Fraction) -> str:
    return "once" if count == 1 else f"{_number(count)} times"


def _number(count: Fraction) -> str:
    return str(count) if count.denominator == 1 else f"{float(count):.3g}"
