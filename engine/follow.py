"""Following a machine from its log: at every tick, what each node and wire looks like.

:class:`Follower` keeps a :class:`NodeTrack` per node and a :class:`WireTrack` per wire and tells a listener at which
ticks which of them may look different. What they say holds from that tick to the next one that is told. Summed up, the
time that a node is busy, blocked and starved, and the time that a wire is blocked, are the counters of
:class:`engine.machine.Counters`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace
from heapq import heappop, heappush
from itertools import groupby
from typing import Protocol

from engine.log import ANY, BARRIERS, BLOCK, FLAGS, INDEX, LAUNCH, MASKED, READY, TICK, WHAT, WORDS, Log, What
from engine.machine import Machine, NodeView, PacketView, WireView
from engine.netlist import Netlist, Node, Wire

NEVER = 1 << 60

SEVERAL = ("load", "store", "shared.read", "shared.write")
"""Kinds of which one firing may hold the node for several intervals."""

STARVED, BUSY, BLOCKED = range(3)
"""States of a node, as "States" in docs/model.md."""


class NodeTrack:
    """A node: its firings so far, and when its results are ready, oldest first."""

    __slots__ = ("fired", "idle_at", "index", "interval", "latency", "launch", "ready")

    def __init__(self, index: int, node: Node, view: NodeView, firings: int) -> None:
        self.index, self.interval, self.fired = index, node.interval_ticks, firings
        self.latency = node.latency_ticks if node.kind in SEVERAL else -1
        """Of a node of which a firing may take several intervals: then its work takes longer than this."""
        self.ready: deque[int] = deque(ready for _, ready, _ in view.results)
        self.idle_at = view.last_firing + node.interval_ticks if view.last_firing >= 0 else -1
        """When the interval of the last firing is over."""
        self.launch = -1
        """Of the last firing, −1 while it is not known."""

    def state(self, t: int) -> int:
        """STARVED, BUSY or BLOCKED at tick ``t``, all that happens in it being done."""
        if self.ready and self.ready[0] <= t:
            return BLOCKED
        return BUSY if t < self.idle_at else STARVED


class WireTrack:
    """A wire: how many packets have left it, and what is at its end.

    The head is there from ``head_at`` on, a(k) in docs/model.md; what was taken is still there until the wire's time
    per word is over, so that no word is shown for no time.
    """

    __slots__ = (
        "every",
        "head_at",
        "held",
        "index",
        "lanes",
        "last",
        "last_entry",
        "last_exit",
        "passed",
        "transit",
        "width",
    )

    def __init__(self, index: int, wire: Wire, view: WireView, passed: int) -> None:
        self.index, self.every, self.transit = index, wire.every_ticks, wire.transit_ticks
        self.width, self.lanes, self.passed = wire.tracks, wire.lanes, passed
        self.held: deque[tuple[int, PacketView]] = deque((entry, packet) for packet, entry, _ in view.packets)
        self.head_at = view.packets[0][2] if view.packets else NEVER
        self.last_exit = view.last_exit if view.last_exit >= 0 else -NEVER
        self.last: PacketView | None = None
        self.last_entry = -1
        """When ``last`` entered."""

    def enter(self, t: int, packet: PacketView) -> None:
        self.held.append((t, packet))
        if len(self.held) == 1:
            self.head_at = max(t + self.transit, self.last_exit + self.every)

    def leave(self, t: int, packet: PacketView) -> None:
        """``packet`` is the head as it was received: a word may be spoilt on its way."""
        self.last_entry, held = self.held.popleft()
        self.last = held if held == packet else packet
        self.last_exit = t
        self.passed += 1
        self.head_at = max(self.held[0][0] + self.transit, t + self.every) if self.held else NEVER

    def blocked(self, t: int) -> bool:
        """Whether the head could be taken at ``t`` and is not."""
        return self.head_at <= t

    def shown(self, t: int) -> PacketView | None:
        """The packet at the wire's end at ``t``: the same object as long as it is there."""
        if self.head_at <= t:
            return self.held[0][1]
        return self.last if self.last is not None and t < self.last_exit + self.every else None


class Listener(Protocol):
    """Who is told what may look different."""

    def at(self, tick: int, nodes: Sequence[NodeTrack], wires: Sequence[WireTrack]) -> None:
        """All that happens at ``tick`` is done; these nodes and wires may look different from before."""
        ...


class Follower:
    """Follows ``machine`` from where it stands; watches it until :meth:`finish`.

    ``nodes`` and ``wires`` are the numbers of those that are followed (None: all). ``launches`` ends it with the tick
    in which so many more have counted. ``start`` is the first tick that is told, ``end`` the last one, None while that
    is open; ``counted`` and ``issued`` are launches so far, ``first`` those counted before; ``faulty`` says that the
    run has ended with a fault.
    """

    def __init__(
        self,
        machine: Machine,
        listener: Listener,
        nodes: Iterable[int] | None = None,
        wires: Iterable[int] | None = None,
        launches: int | None = None,
    ) -> None:
        net: Netlist = machine.netlist
        state, counters = machine.state(), machine.counters()
        firings, entries = counters.firings.sum(axis=0).tolist(), counters.entries.sum(axis=0).tolist()
        chosen_nodes = range(len(net.nodes)) if nodes is None else sorted(set(nodes))
        chosen_wires = range(len(net.wires)) if wires is None else sorted(set(wires))
        self.nodes = {i: NodeTrack(i, net.nodes[i], state.nodes[i], firings[i]) for i in chosen_nodes}
        self.wires = {
            w: WireTrack(w, net.wires[w], state.wires[w], entries[w] - len(state.wires[w].packets))
            for w in chosen_wires
        }
        self.machine, self.listener, self.launches = machine, listener, launches
        self.first = self.counted = machine.completed
        self.issued, self.faulty = machine.issued, False
        self.end: int | None = None
        self._pads = {i for i, node in enumerate(net.nodes) if node.kind in ("threads", "stream")}
        self._kept: list[list[int]] = []
        """Rows of the last tick: there may be more of it."""
        self._timers: list[tuple[int, int]] = []
        """Ticks at which something looks different though nothing happens: (tick, node, or −1 − wire)."""
        self.start = machine.now + 1
        for node in self.nodes.values():
            heappush(self._timers, (self.start, node.index))
            self._set_timers(node, self.start)
        for wire in self.wires.values():
            heappush(self._timers, (self.start, -1 - wire.index))
            self._set_wire_timers(wire, self.start)
        machine.watch(self.feed)

    def feed(self, log: Log) -> None:
        """Take new rows."""
        rows = self._kept + log.tolist()
        last = rows[-1][TICK]
        for tick, group in groupby(rows, key=lambda row: row[TICK]):
            if tick == last:
                self._kept = list(group)
            else:
                self._tick(tick, group)

    def finish(self, end: int) -> None:
        """Tell the rest, up to tick ``end`` at the latest, and watch no longer."""
        self.machine.watch(None)
        if self._kept and self._kept[0][TICK] <= end:
            self._tick(self._kept[0][TICK], self._kept)
        if self.end is None:
            self._pass_timers(end + 1)
            self.end = end

    def _tick(self, tick: int, rows: Iterable[list[int]]) -> None:
        if self.end is not None:
            return
        self._pass_timers(tick)
        nodes: dict[int, None] = {}
        wires: dict[int, None] = {}
        for row in rows:
            what, index = row[WHAT], row[INDEX]
            if what == What.COUNTED:
                self.counted = row[LAUNCH] + 1
                if self.counted - self.first == self.launches:
                    self.end = tick
            elif what == What.FAULT:
                self.faulty = True
            elif what in (What.ENTERED, What.LEFT):
                wire = self.wires.get(index)
                if wire is not None:
                    packet = packet_of(row, wire.width, wire.lanes)
                    if what == What.ENTERED:
                        wire.enter(tick, packet)
                    else:
                        wire.leave(tick, packet)
                    wires[index] = None
            else:
                if what == What.FIRED and index in self._pads:
                    self.issued = max(self.issued, row[LAUNCH] + 1)
                node = self.nodes.get(index)
                if node is not None:
                    if what == What.FIRED:
                        node.fired += 1
                        node.launch = row[LAUNCH]
                        # What comes to a barrier's arrive is a firing without an interval: nothing is made of it.
                        if row[READY] > tick or index in self._pads:
                            more = row[READY] - tick - node.latency if node.latency >= 0 else 0
                            node.idle_at = tick + node.interval + more
                    elif what == What.MADE:
                        node.ready.append(row[READY])
                    else:
                        node.ready.popleft()
                    nodes[index] = None
        for index in nodes:
            self._set_timers(self.nodes[index], tick)
        for index in wires:
            self._set_wire_timers(self.wires[index], tick)
        self._tell(tick, nodes, wires)

    def _pass_timers(self, until: int) -> None:
        """Tell what looks different before tick ``until`` though nothing happens."""
        timers = self._timers
        while timers and timers[0][0] < until:
            self._tell(timers[0][0], {}, {})

    def _tell(self, tick: int, nodes: dict[int, None], wires: dict[int, None]) -> None:
        timers = self._timers
        while timers and timers[0][0] == tick:
            index = heappop(timers)[1]
            if index >= 0:
                nodes[index] = None
            else:
                wires[-1 - index] = None
        self.listener.at(tick, [self.nodes[i] for i in sorted(nodes)], [self.wires[w] for w in sorted(wires)])

    def _set_timers(self, node: NodeTrack, now: int) -> None:
        for tick in (node.idle_at, node.ready[0] if node.ready else -1):
            if tick > now:
                heappush(self._timers, (tick, node.index))

    def _set_wire_timers(self, wire: WireTrack, now: int) -> None:
        for tick in (wire.head_at, wire.last_exit + wire.every):
            if now < tick < NEVER:
                heappush(self._timers, (tick, -1 - wire.index))


def packet_of(row: Sequence[int], width: int, lanes: int = 1) -> PacketView:
    """The packet of a row, which has ``width`` values in ``lanes`` lanes."""
    block, thread, barriers = row[BLOCK : BARRIERS + 1]
    flags, words = row[FLAGS], tuple(row[WORDS : WORDS + width])
    packet = PacketView(words, row[LAUNCH], bool(flags & ANY), block, thread, barriers, bool(flags & MASKED))
    if lanes == 1:
        return packet
    stack = tuple(flags >> 16 + 8 * k & 0xFF for k in range(flags >> 40 & 3))
    return replace(packet, lanes=lanes, live=flags >> 8 & 0xFF, stack=stack)
