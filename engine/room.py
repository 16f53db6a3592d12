"""Room on the shorter of two roads: a longer wire, or a buffer, so that both hold the same number of words."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from engine.bounds import short_roads, throughput_bound
from engine.builder import Builder
from engine.elaborate import elaborate
from engine.errors import UsageError
from engine.handles import Line
from engine.netlist import Netlist
from engine.route import NoRoute

MOST_SLOTS = 64
MOST_EXTRA = 8
"""A detour longer than needed by more than this is not tried: it would make the other road the shorter one."""

How = Literal["wire", "buffer"]


@dataclass(frozen=True, slots=True)
class Room:
    """What was done for one wire that held ``missing`` words too few."""

    wire: str
    missing: int
    done: str


def make_room(builder: Builder, join: str | None = None, how: How = "wire") -> list[Room]:
    """Give the shorter roads the room that they lack (:func:`engine.bounds.short_roads`); returns what was done.

    ``join`` names the core at which the roads meet; without, all of them are treated. ``how`` says whether the wire is
    laid by a detour, or gets a buffer: one that stands at its end is enlarged, else a new one is put on its way.
    Raises UsageError where there is no place, and InvalidError if the design cannot be built.
    """
    done: list[Room] = []
    while True:
        short, rate = _state(builder, join)
        if not short:
            return done
        wire, words = min(short.items())
        line = builder.lines[wire]
        name = str(line)
        done.append(Room(name, words, _detour(builder, line, words) if how == "wire" else _buffer(builder, line)))
        still_short, new_rate = _state(builder, join)
        if new_rate <= rate and sum(still_short.values()) >= sum(short.values()):
            return done


def _state(builder: Builder, join: str | None) -> tuple[dict[int, int], Fraction]:
    """What the wires lack (those that lead to ``join``, where given), and the bound, in launches per tick."""
    netlist = elaborate(builder.level, builder.design())
    short = short_roads(netlist)
    if join is not None:
        short = {wire: words for wire, words in short.items() if _leads_to(netlist, wire, join)}
    return short, throughput_bound(netlist).rate


def _leads_to(netlist: Netlist, wire: int, join: str) -> bool:
    """Whether the wire ends at the element ``join`` or goes on to it."""
    seen: dict[int, None] = {}
    waiting = [netlist.wires[wire].target]
    while waiting:
        node = waiting.pop()
        if netlist.nodes[node].id == join:
            return True
        if node not in seen:
            seen[node] = None
            waiting += [netlist.wires[w].target for port in netlist.nodes[node].outputs for w in port.wires]
    return False


def _detour(builder: Builder, line: Line, words: int) -> str:
    was = line.length
    for length in range(was + words, was + words + MOST_EXTRA):
        try:
            builder.reroute(line, length=length)
        except NoRoute:
            continue
        return f"{line.length} tiles long, before {was}"
    raise UsageError(f"the wire {line} is {words} short, and there is no room for a detour: try how='buffer'")


def _buffer(builder: Builder, line: Line) -> str:
    """Enlarge the buffer at one end of the wire, or put one on its way, to the fewest slots that do."""
    ends = (builder.core(name) for name in (line.target, line.source))
    buffer = next((spec for spec in ends if spec is not None and spec.core == "buffer"), None)
    was = int(buffer.set["slots"]) if buffer else 0  # type: ignore[arg-type]  # a buffer's slots are a whole number
    name = buffer.id if buffer else builder.insert("buffer", line, slots=1).id
    slots = was + 1
    while (words := _lacking(builder, name, slots)) and slots < MOST_SLOTS:
        slots = min(MOST_SLOTS, slots + words)
    return f"{name} has {slots} slots" + (f", before {was}" if buffer else "")


def _lacking(builder: Builder, name: str, slots: int) -> int:
    """Words that are missing at a buffer with so many slots, which it then has."""
    builder.set(name, slots=slots)
    netlist = elaborate(builder.level, builder.design())
    return sum(
        words
        for wire, words in short_roads(netlist).items()
        if name in (netlist.nodes[netlist.wires[wire].source].id, netlist.nodes[netlist.wires[wire].target].id)
    )
