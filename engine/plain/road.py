"""Wires in motion, and the input ports where they end ("Wires" in docs/model.md)."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from engine.log import What
from engine.machine import Cause
from engine.netlist import InPort, Node, Wire, WordPick, wire_values
from engine.plain.gates import Sleep
from engine.plain.late import LateLines, spoiled
from engine.plain.packets import NEVER, Moving, Packet, Words, forget_window
from engine.plain.vectors import Layout, Vector

if TYPE_CHECKING:
    from engine.plain.machine import PlainMachine


class Road(Moving):
    """A wire in motion. ``queue`` holds (packet, entry tick), head first; ``head_at`` is a(k) of the head."""

    __slots__ = (
        "bits",
        "core",
        "encoder",
        "entered",
        "entries",
        "every",
        "fan_in",
        "gate",
        "head_at",
        "index",
        "lane_of",
        "last_in",
        "last_out",
        "late_lines",
        "length",
        "machine",
        "most",
        "queue",
        "source",
        "source_port",
        "spoilt",
        "toggles",
        "transit",
        "unsettled",
        "waits",
        "wanted",
        "words",
    )
    moving: tuple[str, ...] = (
        "queue",
        "head_at",
        "last_in",
        "last_out",
        "bits",
        "entries",
        "toggles",
        "entered",
        "waits",
        "wanted",
    )

    def __init__(self, machine: PlainMachine, index: int, wire: Wire, source: Node, fan_in: bool) -> None:
        self.machine = machine
        self.index = index
        self.source, self.source_port, self.core = wire.source, wire.source_port, wire.target
        self.every, self.length, self.transit = wire.every_ticks, wire.length, wire.transit_ticks
        self.most, self.encoder = wire.capacity - 1, wire.encoder_ticks
        values = wire_values(wire, source)
        self.words = None if values == tuple(range(source.result_values)) else values
        self.lane_of = Layout(wire.forms, wire.lanes).lane_of if wire.lanes > 1 else None
        """Per value its lane, −1 where all lanes share it; None on a wire of scalars."""
        self.fan_in = fan_in
        self.gate = Sleep(wire.gate) if wire.gate and self.every else None
        overshoot = wire.overshoot_ppm
        self.late_lines: LateLines | None = None
        if overshoot:
            self.late_lines = LateLines(machine.chance_seed, index, overshoot, wire.tracks, wire.lines)
        self.queue: deque[tuple[Packet, int]] = deque()
        self.head_at = NEVER
        self.last_in = self.last_out = -NEVER
        self.bits: Words = (0,) * wire.tracks
        self.entries, self.toggles = [0, 0, 0, 0], [0, 0, 0, 0]
        self.entered = self.waits = 0
        self.wanted = False
        """A copy waits until a place is free."""
        self.unsettled, self.spoilt = False, ""
        """See :class:`engine.plain.lines.LineRoad`."""

    def admits(self, t: int) -> bool:
        """Whether a packet may enter now; if only time is missing, the source is looked at again then."""
        held = len(self.queue)
        if not self.every:
            return False
        if held > self.most:
            self.wanted = True
            return False
        at = self.last_in + self.every
        if held == self.most and self.last_out + self.every > at:
            at = self.last_out + self.every
        if self.gate is not None:
            at = self._awake(t, self.gate, at)
        if at > t:
            self.machine.wake_out(at, self.source)
            return False
        return True

    def _awake(self, t: int, gate: Sleep, at: int) -> int:
        """The tick from which a packet may enter, which else might at ``at``."""
        if not gate.asked:
            self.expect(t)
        return max(at, gate.usable) if gate.refuses(t) else at

    def expect(self, t: int) -> None:
        """Something will enter, as is known at tick t."""
        gate = self.gate
        assert gate is not None
        if not gate.asked and not self.queue:
            gate.wake(t, max(self.last_out, 0))
        gate.asked += 1

    def asleep(self, t: int) -> int:
        """How long it has slept until now since it was last awake."""
        gate = self.gate
        return gate.asleep(t, max(self.last_out, 0)) if gate and not gate.asked and not self.queue else 0

    def enter(self, t: int, packet: Packet, late: Words | None = None) -> None:
        """Take a copy of a result, of which some bits may be late (see :class:`engine.plain.packets.Result`)."""
        if self.words is not None:
            words = packet.words
            packet = packet.carry(tuple([words[w] for w in self.words]))
            late = late and tuple([late[w] for w in self.words])
        received, toggled = packet, 0
        if not packet.masked:
            received, toggled = self.send(t, packet, late)
        machine = self.machine
        launch = packet.launch
        segment = machine.segment(launch)
        self.entries[segment] += 1
        self.entered += 1
        self.toggles[segment] += toggled
        if not packet.any:
            machine.hold(launch, 1)
        if machine.watched:
            machine.note_packet(What.ENTERED, self.index, t, t, received)
        if self.gate is not None:
            self.gate.asked -= 1
        self.queue.append((received, t))
        self.last_in = t
        if len(self.queue) == 1:
            self.head_at = max(t + self.transit, self.last_out + self.every)
            machine.wake_fire(self.head_at, self.core)

    def _driven(self, packet: Packet) -> Words:
        """What the tracks carry: a masked lane's keep their bits."""
        assert isinstance(packet, Vector) and self.lane_of is not None
        live = packet.live
        pairs = zip(packet.words, self.bits, self.lane_of, strict=True)
        return tuple([word if lane < 0 or live >> lane & 1 else old for word, old, lane in pairs])

    def send(self, t: int, packet: Packet, late: Words | None) -> tuple[Packet, int]:
        """Drive the words of a packet that is not masked: the packet as it will be seen at the end, and toggled bits.

        The start of the wire keeps the true words.
        """
        words, before = packet.words if self.lane_of is None else self._driven(packet), self.bits
        received = self._received(t, packet, late) if late or self.late_lines else packet
        if words == before:
            return received, 0
        self.bits = words
        return received, sum([((new ^ old) & 0xFFFFFFFF).bit_count() for new, old in zip(words, before, strict=True)])

    def _received(self, t: int, packet: Packet, late: Words | None) -> Packet:
        wrong = late or (0,) * len(packet.words)
        if self.late_lines:
            words = packet.words if self.lane_of is None else self._driven(packet)
            stuck = self.late_lines.masks(sum(self.entries), words, self.bits)
            self.machine.note_late(t, Cause.LATE_LINES, self.index, stuck, packet)
            wrong = tuple([of_core | of_line for of_core, of_line in zip(wrong, stuck, strict=True)])
        return packet.carry(spoiled(packet.words, wrong))

    def settle(self) -> None:
        """Only where lines are looked at."""
        raise NotImplementedError

    def tell(self, t: int) -> None:
        """Note what was wrong with the head, which is taken or would be, beyond what came late."""

    def leave(self, t: int) -> None:
        """Give the head to the core at the end."""
        packet, _ = self.queue.popleft()
        machine = self.machine
        machine.events += 1
        self.waits += t - self.head_at
        self.last_out = t
        if machine.digest_of is not None:
            machine.digest(self.index, t, packet)
        if machine.watched:
            machine.note_packet(What.LEFT, self.index, t, t, packet)
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
        if self.gate is not None:
            self.gate.start_time_anew(t)

    def key(self, t: int, completed: int) -> tuple[Any, ...]:
        """The state for the period search."""
        arrivals = []
        for k, (packet, entry) in enumerate(self.queue):
            at = (self.head_at if k == 0 and self.fan_in else entry + self.transit) - t
            arrivals.append((packet.header(completed), at if self.fan_in else max(at, 0)))
        last_in, last_out = self.last_in + self.every - t, self.last_out + self.every - t
        key = max(last_in, 0), max(last_out, 0), tuple(arrivals)
        if self.gate is None:
            return key
        idle = not self.gate.asked and not self.queue
        return *key, self.gate.key(t, max(self.last_out, 0) if idle else None)

    def request(self, ahead: int) -> int:
        """When its head asks the core at its end to be awake, ``ahead`` tiles before it comes; NEVER without one."""
        if not self.queue:
            return NEVER
        return max(self.queue[0][1], self.head_at - min(ahead, self.length) * self.every)


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
        best = roads[0] if len(roads) == 1 else min(roads, key=lambda road: road.head_at)
        if best.head_at > t:
            return None
        if best.unsettled:
            best.settle()
        return best

    def see(self, packet: Packet) -> Words:
        """The packet's words as the core sees them."""
        if self.picks is None:
            return packet.words
        return tuple([p.value if p.constant else packet.words[p.value] for p in self.picks])
