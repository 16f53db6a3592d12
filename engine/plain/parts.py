"""Packets, roads (wires in motion) and what all cores have in common: queue, firing, handing out, time in each state.

Names follow docs/model.md. A road or core changes only within its own methods, so a snapshot is a copy of the fields
that they list as ``moving``.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from engine.netlist import NO_BLOCK, InPort, Node, Wire, WordPick
from engine.plain.values import BadValue

if TYPE_CHECKING:
    from engine.plain.machine import PlainMachine

NEVER = 1 << 60
"""A tick that does not come; its negative: a tick before all others."""

ALL, NO_RESULT, WAIT = -1, -2, -3
"""Where a firing's result leaves, when not at one port: at all, at none, or "the rule does not allow it yet"."""

Words = tuple[int, ...]


class Packet:
    """A packet. Never changed once made, so copies share it."""

    __slots__ = ("any", "barriers", "block", "launch", "masked", "thread", "words")

    def __init__(
        self, words: Words, launch: int, any: bool, block: int, thread: int, barriers: int, masked: bool
    ) -> None:
        self.words = words
        self.launch = launch
        self.any = any
        self.block = block
        self.thread = thread
        self.barriers = barriers
        self.masked = masked

    def carry(self, words: Words) -> Packet:
        """A packet with this header and other words."""
        return Packet(words, self.launch, self.any, self.block, self.thread, self.barriers, self.masked)

    def mask(self, masked: bool, words: Words) -> Packet:
        """A packet with this header but for the mask, and other words."""
        return Packet(words, self.launch, self.any, self.block, self.thread, self.barriers, masked)

    def header(self, completed: int) -> tuple[int, bool, int, bool]:
        """What two states must have in common, with the launch counted from the last one that has counted."""
        return self.launch - completed, self.any, self.block, self.masked


_DIFFER = -2
"""Block (or thread) of packets that have different ones: none, and so it stays, whatever else is joined."""


def common(a: int, b: int) -> int:
    """The block (or thread) that two joined packets share: of those that have one."""
    return b if a == NO_BLOCK else a if b in (a, NO_BLOCK) else _DIFFER


def join(packets: list[Packet]) -> Packet:
    """The joined header of ``packets``, at least one, without words ("Joining headers" in docs/model.md)."""
    launches = [p.launch for p in packets if not p.any]
    launch = launches[0] if launches else max([p.launch for p in packets])
    block = thread = NO_BLOCK
    barriers = 0
    masked = False
    for p in packets:
        block, thread = common(block, p.block), common(thread, p.thread)
        barriers = max(barriers, p.barriers)
        masked = masked or p.masked
    return Packet((), launch, not launches, max(block, NO_BLOCK), max(thread, NO_BLOCK), barriers, masked)


class CoreFault(Exception):
    """A firing that is a fault; ``port`` is an index of the core's inputs, ``more`` fields of FaultInfo."""

    def __init__(self, code: str, port: int = -1, **more: Any) -> None:
        super().__init__(code)
        self.code, self.port, self.more = code, port, more
        self.header: Packet | None = None
        self.words: Words = ()

    @classmethod
    def of(cls, bad: BadValue) -> CoreFault:
        """The fault that an operation without a result is."""
        return cls(bad.code, bad.port, got=bad.got)


class Moving:
    """Something whose state is the values of its fields ``moving``: numbers, packets, and flat containers."""

    __slots__ = ()
    moving: tuple[str, ...] = ()

    def save(self) -> tuple[Any, ...]:
        """A copy of the state."""
        return tuple(_copy(getattr(self, name)) for name in self.moving)

    def load(self, saved: tuple[Any, ...]) -> None:
        """Go back to a copied state."""
        for name, value in zip(self.moving, saved, strict=True):
            setattr(self, name, _copy(value))


def _copy(value: Any) -> Any:
    return value.copy() if isinstance(value, list | dict | deque | set) else value


def forget_window(counts: list[int]) -> None:
    """Add what segments 1 and 2 held to segment 0."""
    counts[0] += counts[1] + counts[2]
    counts[1] = counts[2] = 0


class Road(Moving):
    """A wire in motion. ``queue`` holds (packet, entry tick), head first; ``head_at`` is a(k) of the head."""

    __slots__ = (
        "bits",
        "core",
        "entered",
        "entries",
        "every",
        "fan_in",
        "head_at",
        "index",
        "last_in",
        "last_out",
        "length",
        "machine",
        "queue",
        "source",
        "source_port",
        "toggles",
        "transit",
        "waits",
        "wanted",
        "words",
    )
    moving = ("queue", "head_at", "last_in", "last_out", "bits", "entries", "toggles", "entered", "waits", "wanted")

    def __init__(self, machine: PlainMachine, index: int, wire: Wire, width: int, fan_in: bool) -> None:
        self.machine = machine
        self.index = index
        self.source, self.source_port, self.core = wire.source, wire.source_port, wire.target
        self.every, self.length, self.transit = wire.every_ticks, wire.length, wire.length * wire.every_ticks
        self.words = None if wire.words == tuple(range(width)) else wire.words
        self.fan_in = fan_in
        self.queue: deque[tuple[Packet, int]] = deque()
        self.head_at = NEVER
        self.last_in = self.last_out = -NEVER
        self.bits: Words = (0,) * len(wire.words)
        self.entries, self.toggles = [0, 0, 0, 0], [0, 0, 0, 0]
        self.entered = self.waits = 0
        self.wanted = False
        """A copy waits until a place is free."""

    def admits(self, t: int) -> bool:
        """Whether a packet may enter now; if only time is missing, the source is looked at again then."""
        held = len(self.queue)
        if not self.every:
            return False
        if held > self.length:
            self.wanted = True
            return False
        at = self.last_in + self.every
        if held == self.length and self.last_out + self.every > at:
            at = self.last_out + self.every
        if at > t:
            self.machine.wake_out(at, self.source)
            return False
        return True

    def enter(self, t: int, packet: Packet) -> None:
        """Take a copy of a result."""
        if self.words is not None:
            words = packet.words
            packet = packet.carry(tuple([words[w] for w in self.words]))
        machine = self.machine
        launch = packet.launch
        segment = machine.segment(launch)
        self.entries[segment] += 1
        self.entered += 1
        if not packet.masked:
            words = packet.words
            if words != self.bits:
                toggled = 0
                for new, old in zip(words, self.bits, strict=True):
                    toggled += ((new ^ old) & 0xFFFFFFFF).bit_count()
                self.toggles[segment] += toggled
                self.bits = words
        if not packet.any:
            machine.hold(launch, 1)
        self.queue.append((packet, t))
        self.last_in = t
        if len(self.queue) == 1:
            self.head_at = max(t + self.transit, self.last_out + self.every)
            machine.wake_fire(self.head_at, self.core)

    def leave(self, t: int) -> None:
        """Give the head to the core at the end."""
        packet, _ = self.queue.popleft()
        machine = self.machine
        machine.events += 1
        self.waits += t - self.head_at
        self.last_out = t
        if machine.digest_of is not None:
            machine.digest(self.index, t, packet)
        if not packet.any:
            machine.hold(packet.launch, -1)
        if self.queue:
            self.head_at = max(self.queue[0][1] + self.transit, t + self.every)
            machine.wake_fire(self.head_at, self.core)
        else:
            self.head_at = NEVER
        if self.wanted:
            self.wanted = False
            machine.wake_out(t + self.every, self.source)

    def forget_window(self) -> None:
        """Another window: what segments 1 and 2 held is of before."""
        for counts in (self.entries, self.toggles):
            forget_window(counts)

    def start_time_anew(self, t: int) -> None:
        """The window begins."""
        self.entered = self.waits = 0

    def key(self, t: int, completed: int) -> tuple[Any, ...]:
        """The state for the period search."""
        arrivals = []
        for k, (packet, entry) in enumerate(self.queue):
            at = (self.head_at if k == 0 and self.fan_in else entry + self.transit) - t
            arrivals.append((packet.header(completed), at if self.fan_in else max(at, 0)))
        last_in, last_out = self.last_in + self.every - t, self.last_out + self.every - t
        return max(last_in, 0), max(last_out, 0), tuple(arrivals)


class Port:
    """An input port: roads that end there, or an immediate, or neither (open)."""

    __slots__ = ("immediate", "is_open", "picks", "roads")

    def __init__(self, port: InPort, roads: list[Road], wired_words: int) -> None:
        self.roads = [roads[w] for w in port.wires]
        self.immediate = port.immediate if not port.wires else None
        plain = tuple(WordPick(False, k) for k in range(wired_words))
        self.picks = None if port.picks == plain else port.picks
        self.is_open = not port.wires and port.immediate is None

    def head(self, t: int) -> Road | None:
        """The road whose head is served now: the least a(k), ties by the order of the wires."""
        roads = self.roads
        if len(roads) == 1:
            return roads[0] if roads[0].head_at <= t else None
        best = min(roads, key=lambda road: road.head_at)
        return best if best.head_at <= t else None

    def see(self, packet: Packet) -> Words:
        """The packet's words as the core sees them."""
        if self.picks is None:
            return packet.words
        return tuple([p.value if p.constant else packet.words[p.value] for p in self.picks])


class Result:
    """A result in the queue. ``live_port``: the port where a masked result's copies are live (-1: none)."""

    __slots__ = ("live_port", "packet", "port", "ready")

    def __init__(self, packet: Packet, ready: int, port: int, live_port: int = -1) -> None:
        self.packet, self.ready, self.port, self.live_port = packet, ready, port, live_port


class Core(Moving):
    """A node in motion. Kinds override :meth:`takes`, :meth:`route` and :meth:`work`."""

    moving: tuple[str, ...] = (
        "queue",
        "taken",
        "next_fire",
        "last_fire",
        "fired",
        "fired_before",
        "firings",
        "live_firings",
        "mark",
        "blocked",
        "busy",
        "starved",
        "pending",
        "starved_by_port",
        "count",
        "group",
    )
    grouped = False
    """Counted group: a packet of another launch in an open one is a fault."""
    drops = True
    """A firing without a result loses what it took."""
    again = False
    """After a firing all may be there for the next one, though nothing new comes."""

    def __init__(self, machine: PlainMachine, index: int, node: Node, roads: list[Road]) -> None:
        self.machine, self.index, self.node = machine, index, node
        wires = machine.netlist.wires
        self.ports = [Port(p, roads, len(wires[p.wires[0]].words) if p.wires else 0) for p in node.inputs]
        self.outs = [[roads[w] for w in port.wires] for port in node.outputs]
        self.outs.append([road for outs in self.outs for road in outs])
        self.latency, self.interval, self.room = node.latency_ticks, node.interval_ticks, node.room
        self.fixed = tuple(k for k, port in enumerate(self.ports) if not port.is_open)
        self.again = self.again or any(len(port.roads) > 1 for port in self.ports)
        self.queue: deque[Result] = deque()
        self.taken = 0
        self.next_fire, self.last_fire = -NEVER, -1
        self.fired = self.fired_before = 0
        """Firings in all, and before the window."""
        self.firings, self.live_firings = [0, 0, 0, 0], [0, 0, 0, 0]
        self.mark = self.blocked = self.busy = self.starved = self.pending = 0
        self.starved_by_port = [0] * len(self.ports)
        self.count, self.group = 0, -1

    # --- what kinds override ------------------------------------------------------------------------------

    def takes(self, t: int) -> tuple[int, ...] | None:
        """Ports that the next firing takes from; None while that cannot be known."""
        return self.fixed

    def kept(self) -> Packet:
        """The packet that a firing is made from that takes nothing."""
        raise NotImplementedError

    def route(self, words: list[Words], head: Packet, heads: list[Packet | None]) -> int:
        """Output port of the result, or ALL, NO_RESULT or WAIT. Changes nothing."""
        return ALL

    def work(self, ready: int, head: Packet, words: list[Words], heads: list[Packet | None]) -> Packet:
        """Make the result, which is ready at ``ready``, and change the core's own state.

        ``words`` and ``heads`` are per port taken from (None: immediate). Raises CoreFault or BadValue, before
        anything has changed. Where route gave NO_RESULT the packet that comes back does not matter.
        """
        raise NotImplementedError

    def header(self, heads: list[Packet | None], packets: list[Packet]) -> Packet:
        """Joined header of a firing."""
        return packets[0] if len(packets) == 1 else join(packets)

    def slots(self) -> list[Packet]:
        """Packets in slots or chambers."""
        return []

    def key(self, t: int, completed: int) -> tuple[Any, ...]:
        """The state for the period search."""
        queue = tuple((max(r.ready - t, 0), r.port, r.packet.header(completed)) for r in self.queue)
        group = self.group - completed if self.group >= 0 else None
        slots = tuple(p.header(completed) for p in self.slots())
        return max(self.next_fire - t, 0), queue, self.taken, self.count, group, slots

    # --- firing -------------------------------------------------------------------------------------------

    def fire(self, t: int) -> None:
        """Fire if everything allows it; come back for more where it may be ready for the next firing."""
        if self.attempt(t) and self.again:
            self.attempt(t)

    def attempt(self, t: int) -> bool:
        """One firing, if everything allows it. Where only the interval is missing, it is tried again then."""
        takes = self.takes(t)
        if takes is None:
            return False
        words: list[Words] = []
        heads: list[Packet | None] = []
        packets: list[Packet] = []
        roads: list[Road] = []
        last_at, last_port = -1, 0
        for k in takes:
            port = self.ports[k]
            if port.immediate is not None:
                words.append(port.immediate)
                heads.append(None)
                continue
            road = port.head(t)
            if road is None:
                return False
            packet = road.queue[0][0]
            words.append(packet.words if port.picks is None else port.see(packet))
            heads.append(packet)
            packets.append(packet)
            if road not in roads:
                roads.append(road)
            if road.head_at > last_at:
                last_at, last_port = road.head_at, k
        if packets:
            head = self.header(heads, packets)
        elif takes:
            return False
        else:
            head = self.kept()
        out = self.route(words, head, heads)
        if out == WAIT:
            return False
        if out != NO_RESULT:
            if not self.outs[out]:
                out = NO_RESULT
            elif len(self.queue) >= self.room:
                return False
        if t < self.next_fire:
            self.machine.wake_fire(self.next_fire, self.index)
            return False
        self._commit(t, out, head, words, heads, takes, roads, last_port)
        return True

    def _commit(
        self,
        t: int,
        out: int,
        head: Packet,
        words: list[Words],
        heads: list[Packet | None],
        takes: tuple[int, ...],
        roads: list[Road],
        last_port: int,
    ) -> None:
        machine = self.machine
        group = self.group
        ready = t + self.latency
        if machine.jitter_seed is not None:
            ready += machine.jitter(self.index, self.fired, self.latency)
        try:
            if len(roads) > 1:
                self._check_launches(heads, takes)
            if self.grouped and group not in (-1, head.launch) and takes and not head.any:
                raise CoreFault("open-group", takes[0], other=self.count, index=(group,))
            result = self.work(ready, head, words, heads)
        except (CoreFault, BadValue) as problem:
            fault = problem if isinstance(problem, CoreFault) else CoreFault.of(problem)
            if fault.port in takes:
                fault.words = words[takes.index(fault.port)]
            fault.header = fault.header or head
            raise fault from None
        self.account(t)
        if roads:
            self.starved_by_port[last_port] += self.pending
            self.pending = 0
            for road in roads:
                road.leave(t)
        if out != NO_RESULT:
            self.push(Result(result, ready, out, self.live_port(heads)))
            charged = result.launch
        else:
            charged = head.launch
        self.note_firing(t, charged, self.is_live(head, heads))
        self.last_fire, self.next_fire = t, t + self.interval
        launch = group if head.any else head.launch
        if launch >= 0:
            machine.check_lost(self, launch, out == NO_RESULT and self.drops and bool(roads) and not head.any)

    def _check_launches(self, heads: list[Packet | None], takes: tuple[int, ...]) -> None:
        first: Packet | None = None
        for k, packet in zip(takes, heads, strict=True):
            if packet is None or packet.any:
                continue
            if first is None:
                first = packet
            elif packet.launch != first.launch:
                fault = CoreFault("mixed-launches", k, other=packet.launch)
                fault.header = first
                raise fault

    def live_port(self, heads: list[Packet | None]) -> int:
        """See :class:`Result`."""
        return -1

    def is_live(self, head: Packet, heads: list[Packet | None]) -> bool:
        """Whether the firing pays its operation."""
        return not head.masked

    def note_firing(self, t: int, launch: int, live: bool) -> None:
        """Count a firing, charged to ``launch``."""
        machine = self.machine
        segment = machine.segment(launch)
        self.firings[segment] += 1
        if live:
            self.live_firings[segment] += 1
        self.fired += 1
        machine.events += 1
        machine.last_happening = t

    def push(self, result: Result) -> None:
        """Put a result into the queue."""
        if not result.packet.any:
            self.machine.hold(result.packet.launch, 1)
        self.queue.append(result)
        if len(self.queue) == 1:
            self.machine.wake_out(result.ready, self.index)

    def enter_group(self, head: Packet, size: int) -> None:
        """Count a packet of a counted group of ``size``."""
        if self.group < 0 and not head.any:
            self.group = head.launch
        self.count += 1
        if self.count == size:
            self.count, self.group = 0, -1

    # --- handing out --------------------------------------------------------------------------------------

    def hand_out(self, t: int) -> bool:
        """Let the wires take what they can. True if a result is gone, so that there is room."""
        queue = self.queue
        gone = False
        while queue and queue[0].ready <= t:
            if not self.hand_out_oldest(t):
                break
            gone = True
            if queue and queue[0].ready > t:
                self.machine.wake_out(queue[0].ready, self.index)
        return gone

    def hand_out_oldest(self, t: int) -> bool:
        """Hand out copies of the oldest result, which is ready. True if it is gone."""
        result = self.queue[0]
        outs = self.outs[result.port]
        for k, road in enumerate(outs):
            if not self.taken >> k & 1 and road.admits(t):
                packet = result.packet
                if packet.masked and road.source_port == result.live_port:
                    packet = packet.mask(False, packet.words)
                road.enter(t, packet)
                self.machine.last_happening = t
                self.taken |= 1 << k
        if self.taken + 1 != 1 << len(outs):
            return False
        self.account(t)
        self.queue.popleft()
        self.taken = 0
        if not result.packet.any:
            self.machine.hold(result.packet.launch, -1)
        return True

    # --- time in each state -------------------------------------------------------------------------------

    def account(self, t: int) -> None:
        """Book the time since the last change of queue or firing to blocked, busy and starved."""
        start = self.mark
        if t == start:
            return
        self.mark = t
        end = t
        if self.queue and self.queue[0].ready < t:
            end = max(self.queue[0].ready, start)
            self.blocked += t - end
        if end > start:
            busy = min(max(self.next_fire - start, 0), end - start)
            self.busy += busy
            self.starved += end - start - busy
            self.pending += end - start - busy

    def start_time_anew(self, t: int) -> None:
        """The window begins: forget the times before it."""
        self.account(t)
        self.blocked = self.busy = self.starved = self.pending = 0
        self.starved_by_port = [0] * len(self.ports)
        self.fired_before = self.fired

    def forget_window(self) -> None:
        """Another window: what segments 1 and 2 held is of before."""
        for counts in (self.firings, self.live_firings):
            forget_window(counts)
