"""Wires in motion, and the input ports where they end ("Wires" in docs/model.md)."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from engine.log import What
from engine.netlist import InPort, Node, Wire, WordPick, wire_values
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
        "entered",
        "entries",
        "every",
        "fan_in",
        "head_at",
        "index",
        "lane_of",
        "last_in",
        "last_out",
        "late_lines",
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

    def __init__(self, machine: PlainMachine, index: int, wire: Wire, source: Node, fan_in: bool) -> None:
        self.machine = machine
        self.index = index
        self.source, self.source_port, self.core = wire.source, wire.source_port, wire.target
        self.every, self.length, self.transit = wire.every_ticks, wire.length, wire.length * wire.every_ticks
        values = wire_values(wire, source)
        self.words = None if values == tuple(range(source.result_values)) else values
        self.lane_of = Layout(wire.forms, wire.lanes).lane_of if wire.lanes > 1 else None
        """Per value its lane, −1 where all lanes share it; None on a wire of scalars."""
        self.fan_in = fan_in
        overshoot = wire.overshoot_ppm
        self.late_lines = LateLines(machine.chance_seed, index, overshoot, wire.tracks) if overshoot else None
        self.queue: deque[tuple[Packet, int]] = deque()
        self.head_at = NEVER
        self.last_in = self.last_out = -NEVER
        self.bits: Words = (0,) * wire.tracks
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

    def enter(self, t: int, packet: Packet, late: Words | None = None) -> None:
        """Take a copy of a result, of which some bits may be late (see :class:`engine.plain.packets.Result`)."""
        if self.words is not None:
            words = packet.words
            packet = packet.carry(tuple([words[w] for w in self.words]))
            late = late and tuple([late[w] for w in self.words])
        received = packet
        if (late or self.late_lines) and not packet.masked:
            received = self._received(t, packet, late)
        machine = self.machine
        launch = packet.launch
        segment = machine.segment(launch)
        self.entries[segment] += 1
        self.entered += 1
        if not packet.masked:
            words = packet.words if self.lane_of is None else self._driven(packet)
            if words != self.bits:
                toggled = 0
                for new, old in zip(words, self.bits, strict=True):
                    toggled += ((new ^ old) & 0xFFFFFFFF).bit_count()
                self.toggles[segment] += toggled
                self.bits = words
        if not packet.any:
            machine.hold(launch, 1)
        if machine.watched:
            machine.note_packet(What.ENTERED, self.index, t, t, received)
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

    def _received(self, t: int, packet: Packet, late: Words | None) -> Packet:
        """The packet as it will be seen at the end. The start of the wire keeps the true words."""
        wrong = late or (0,) * len(packet.words)
        if self.late_lines:
            words = packet.words if self.lane_of is None else self._driven(packet)
            stuck = self.late_lines.masks(sum(self.entries), words, self.bits)
            self.machine.note_late(t, False, self.index, stuck, packet)
            wrong = tuple([of_core | of_line for of_core, of_line in zip(wrong, stuck, strict=True)])
        return packet.carry(spoiled(packet.words, wrong))

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
