"""What all cores have in common: queue, firing, handing out, and the time in each state ("Cores" in docs/model.md)."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from engine.log import What
from engine.machine import SEGMENTS, Cause
from engine.netlist import Node
from engine.plain.gates import Sleep
from engine.plain.late import CORE, LateBits
from engine.plain.packets import (
    ALL,
    NEVER,
    NO_RESULT,
    WAIT,
    CoreFault,
    Effort,
    Moving,
    Packet,
    Result,
    Words,
    forget_window,
    join,
)
from engine.plain.road import Port, Road
from engine.plain.values import BadValue

if TYPE_CHECKING:
    from engine.plain.machine import PlainMachine

Heads = list[Packet | None]
"""The packets of a firing, by port taken from; None where that has an immediate."""


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
        "efforts",
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
    deciding = -1
    """Port whose word decides from which others a firing takes."""
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
        overshoot = node.overshoot_ppm
        self.late_bits = LateBits(machine.chance_seed, CORE, index, overshoot) if overshoot else None
        self.gate = Sleep(node.gate) if node.gate else None
        self.foreseeing = [[road for road in outs if road.gate and road.gate.spec.ahead] for outs in self.outs]
        """Of :attr:`outs`, the wires that wake when a result is made."""
        self.queue: deque[Result] = deque()
        self.taken = 0
        self.next_fire, self.last_fire = -NEVER, -1
        self.fired = self.fired_before = 0
        """Firings in all, and before the window."""
        self.firings, self.live_firings = [0, 0, 0, 0], [0, 0, 0, 0]
        self.efforts = [0] * (SEGMENTS * len(Effort._fields)) if machine.netlist.wide else []
        """In a wide machine: the fields of :class:`Effort` one after the other, each by segment."""
        self.effort: Effort | None = None
        """What the firing that is being made costs, where that is not what a scalar's costs."""
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

    def route(self, words: list[Words], head: Packet, heads: Heads) -> int:
        """Output port of the result, or ALL, NO_RESULT or WAIT. Changes nothing."""
        return ALL

    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        """Make the result, which is ready at ``ready``, and change the core's own state.

        ``words`` and ``heads`` are per port taken from (None: immediate). In a wide machine it may set ``effort``, of
        which each cycle after the first takes an interval more, for the core and until the result is ready. Raises
        CoreFault or BadValue, before anything has changed. Where route gave NO_RESULT the packet that comes back does
        not matter.
        """
        raise NotImplementedError

    def starts(self, t: int, words: list[Words], head: Packet, heads: Heads) -> bool:
        """Whether a firing that everything else allows may be made now; where not, it is tried again later."""
        return True

    def header(self, heads: Heads, packets: list[Packet]) -> Packet:
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
        key = max(self.next_fire - t, 0), queue, self.taken, self.count, group, slots
        return key if self.gate is None else (*key, self._sleep_key(t, self.gate))

    # --- sleeping -----------------------------------------------------------------------------------------

    def _idle_since(self, gate: Sleep) -> int | None:
        """From when on it is idle, which may lie ahead; None where it is not."""
        return None if gate.asked or self.queue else max(gate.gone, self.next_fire, 0)

    def look(self, t: int) -> None:
        """Note whether it is needed by now, and since when."""
        gate = self.gate
        assert gate is not None
        idle_since = self._idle_since(gate)
        takes = self.takes(t) if idle_since is not None else None
        if idle_since is None or not takes:
            return
        needed = -NEVER
        for k in takes:
            roads = self.ports[k].roads
            if roads:
                ahead = 0 if k == self.deciding else gate.spec.ahead
                needed = max(needed, min([road.request(ahead) for road in roads]))
        if -NEVER < needed <= t:
            gate.asked = 1
            gate.wake(needed, idle_since)

    def asleep(self, t: int) -> int:
        """How long it has slept until now since it was last awake."""
        if self.gate is None:
            return 0
        self.look(t)
        idle_since = self._idle_since(self.gate)
        return 0 if idle_since is None else self.gate.asleep(t, idle_since)

    def _sleep_key(self, t: int, gate: Sleep) -> tuple[int, int, int]:
        self.look(t)
        return gate.key(t, self._idle_since(gate))

    def _awake(self, t: int, gate: Sleep) -> bool:
        """Whether it is awake, all packets of its next firing being there."""
        self.look(t)
        if gate.refuses(t):
            self.machine.wake_fire(gate.usable, self.index)
            return False
        return True

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
        heads: Heads = []
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
        if self.gate is not None and roads and not self._awake(t, self.gate):
            return False
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
        if not self.starts(t, words, head, heads):
            return False
        self._commit(t, out, head, words, heads, takes, roads, last_port)
        return True

    def _commit(
        self,
        t: int,
        out: int,
        head: Packet,
        words: list[Words],
        heads: Heads,
        takes: tuple[int, ...],
        roads: list[Road],
        last_port: int,
    ) -> None:
        machine = self.machine
        group = self.group
        ready = t + self.latency
        if machine.jitter_seed is not None:
            ready += machine.jitter(self.index, self.fired, self.latency)
        for road in roads:
            road.tell(t)
        try:
            if len(roads) > 1:
                self._check_launches(heads, takes)
            for road in roads:
                if road.spoilt:
                    raise CoreFault(road.spoilt, takes[heads.index(road.queue[0][0])], other=road.index)
            if self.grouped and group not in (-1, head.launch) and takes and not head.any:
                raise CoreFault("open-group", takes[0], other=self.count, index=(group,))
            result = self.work(ready, head, words, heads)
        except (CoreFault, BadValue) as problem:
            fault = problem if isinstance(problem, CoreFault) else CoreFault.of(problem)
            if fault.port in takes:
                fault.words = words[takes.index(fault.port)]
            fault.header = fault.header or head
            raise fault from None
        held = self.effort.cycles * self.interval if self.effort else self.interval
        ready += held - self.interval
        self.account(t)
        if self.gate is not None:
            self.gate.asked = 0
        if roads:
            self.starved_by_port[last_port] += self.pending
            self.pending = 0
            for road in roads:
                road.leave(t)
        if out != NO_RESULT:
            self.push(t, Result(result, ready, out, self.live_port(heads), self.late_in(t, self.fired, result)))
            charged = result.launch
        else:
            charged = head.launch
        self.note_firing(t, ready, charged, self.is_live(head, heads))
        self.last_fire, self.next_fire = t, t + held
        launch = group if head.any else head.launch
        if launch >= 0:
            machine.check_lost(self, launch, out == NO_RESULT and self.drops and bool(roads) and not head.any)

    def _check_launches(self, heads: Heads, takes: tuple[int, ...]) -> None:
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

    def late_in(self, t: int, firing: int, result: Packet) -> Words | None:
        """Bits of a result that come late; see :class:`Result`. ``firing`` is the number of firings before its own."""
        if self.late_bits is None or result.masked:
            return None
        masks = self.late_bits.masks(firing, len(result.words))
        self.machine.note_late(t, Cause.LATE_BITS, self.index, masks, result)
        return masks

    def live_port(self, heads: Heads) -> int:
        """See :class:`Result`."""
        return -1

    def is_live(self, head: Packet, heads: Heads) -> bool:
        """Whether the firing pays its operation."""
        return not head.masked

    def note_firing(self, t: int, ready: int, launch: int, live: bool) -> None:
        """Count a firing, charged to ``launch``, whose work is done at ``ready``."""
        machine = self.machine
        segment = machine.segment(launch)
        self.firings[segment] += 1
        if live:
            self.live_firings[segment] += 1
        if self.efforts:
            for k, spent in enumerate(self.effort or Effort(live, 1, live, 1)):
                self.efforts[k * SEGMENTS + segment] += spent
            self.effort = None
        self.fired += 1
        machine.events += 1
        machine.last_happening = t
        if machine.watched:
            machine.note_firing(self.index, t, ready, launch, live)

    def push(self, t: int, result: Result) -> None:
        """Put a result into the queue."""
        if self.machine.watched:
            self.machine.note_packet(What.MADE, self.index, t, result.ready, result.packet, result.port)
        if not result.packet.any:
            self.machine.hold(result.packet.launch, 1)
        self.foresee(t, result)
        self.queue.append(result)
        if len(self.queue) == 1:
            self.machine.wake_out(result.ready, self.index)

    def foresee(self, t: int, result: Result) -> None:
        """A result is made at tick t: wires that look ahead wake."""
        for road in self.foreseeing[result.port]:
            road.expect(t)

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
                if road.source_port == result.live_port:
                    packet = packet.mask(False, packet.words)
                road.enter(t, packet, result.late)
                self.machine.last_happening = t
                self.taken |= 1 << k
        if self.taken + 1 != 1 << len(outs):
            return False
        self.account(t)
        self.queue.popleft()
        self.taken = 0
        if self.gate is not None:
            self.gate.gone = t
        if not result.packet.any:
            self.machine.hold(result.packet.launch, -1)
        if self.machine.watched:
            self.machine.note_packet(What.GONE, self.index, t, t, result.packet)
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
        if self.gate is not None:
            self.look(t)
            self.gate.start_time_anew(t)

    def forget_window(self) -> None:
        """Another window: what segments 1 and 2 held is of before."""
        for counts in (self.firings, self.live_firings):
            forget_window(counts)
        for start in range(0, len(self.efforts), SEGMENTS):
            counts = self.efforts[start : start + SEGMENTS]
            forget_window(counts)
            self.efforts[start : start + SEGMENTS] = counts
