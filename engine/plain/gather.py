"""Words that move between lanes: pack, unpack, compact, shuffle and reduce ("Lanes" in docs/model.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.netlist import NO_BLOCK, Node
from engine.plain.core import Core, Heads
from engine.plain.divergence import Several
from engine.plain.lanes import Laned
from engine.plain.packets import ALL, NO_RESULT, CoreFault, Packet, Words, common
from engine.plain.road import Road
from engine.plain.values import BadValue, finite_word, operation
from engine.plain.vectors import Vector, live_of

if TYPE_CHECKING:
    from engine.plain.machine import PlainMachine


class Gathering(Several):
    """Lanes that wait for their packet. An open group counts as a packet of its launch.

    ``rows`` are the words of the lanes so far, ``live`` has a bit for each that is live; ``greatest`` is the greatest
    launch in the group, ``barriers`` the most in it.
    """

    moving = (*Core.moving, "rows", "live", "block", "first", "greatest", "barriers")
    grouped = True
    drops = False

    def __init__(self, machine: PlainMachine, index: int, node: Node, roads: list[Road]) -> None:
        super().__init__(machine, index, node, roads)
        self.rows: list[Words] = []
        self.live = 0
        self.block = self.first = NO_BLOCK
        self.greatest, self.barriers = -1, 0

    def ends(self) -> bool:
        """Whether the next packet is the last of its group."""
        return self.count + 1 == int(self.node.params["every"])

    def open_group(self, head: Packet) -> None:
        """Count a packet."""
        if self.group < 0 and not head.any:
            self.group = head.launch
            self.machine.hold(self.group, 1)
        self.greatest, self.barriers = max(self.greatest, head.launch), max(self.barriers, head.barriers)
        self.count += 1

    def close_group(self) -> None:
        """Start afresh."""
        if self.group >= 0:
            self.machine.hold(self.group, -1)
        self.count, self.group, self.greatest, self.barriers = 0, -1, -1, 0

    def leave(self) -> Packet:
        """The lanes that wait as a packet; none waits then."""
        rows = self.rows + [(0,) * len(self.shape.forms)] * (self.lanes - len(self.rows))
        words = tuple([word for column in zip(*rows, strict=True) for word in column])
        launch, any_launch = (self.group, False) if self.group >= 0 else (self.greatest, True)
        block = max(self.block, NO_BLOCK)
        packet = Vector(words, launch, any_launch, block, self.first, self.barriers, self.lanes, self.live)
        self.rows, self.live, self.block, self.first = [], 0, NO_BLOCK, NO_BLOCK
        return self.clean(packet)

    def key(self, t: int, completed: int) -> tuple[Any, ...]:
        return (*super().key(t, completed), len(self.rows), self.live, self.block)


class Pack(Gathering):
    def route(self, words: list[Words], head: Packet, heads: Heads) -> int:
        return ALL if len(self.rows) + 1 == self.lanes or self.ends() else NO_RESULT

    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        leaves, ends = self.route(words, head, heads) == ALL, self.ends()
        lane = len(self.rows)
        self.open_group(head)
        self.rows = [*self.rows, words[0]]
        self.live |= (not head.masked) << lane
        self.block = head.block if lane == 0 else common(self.block, head.block)
        if lane == 0:
            self.first = head.thread
        elif head.thread != self.first + lane or self.block < 0:
            self.first = NO_BLOCK
        self.pay(int(not head.masked), int(leaves))
        result = self.leave() if leaves else head
        if ends:
            self.close_group()
        return result


class Compact(Gathering):
    def _leaving(self, head: Packet) -> tuple[int, int]:
        """Full packets, and whether the rest leaves."""
        full, rest = divmod(len(self.rows) + live_of(head, self.meets).bit_count(), self.lanes)
        return full, int(self.ends() and rest > 0)

    def route(self, words: list[Words], head: Packet, heads: Heads) -> int:
        return ALL if any(self._leaving(head)) else NO_RESULT

    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        leaving, ends = sum(self._leaving(head)), self.ends()
        live, shape = live_of(head, self.meets), self.ports[0].shape
        self.open_group(head)
        made: list[Packet] = []
        self.rows = self.rows.copy()
        for lane in range(self.meets):
            if live >> lane & 1:
                self.live |= 1 << len(self.rows)
                self.rows.append(shape.row(words[0], lane))
                if len(self.rows) == self.lanes:
                    made.append(self.leave())
        if ends:
            if self.rows:
                made.append(self.leave())
            self.close_group()
        self.pay(live.bit_count(), 1 + leaving)
        self.more = [(ALL, packet) for packet in made[1:]] if self.outs[ALL] else []
        return made[0] if made else head


class Unpack(Laned):
    """``count`` is the number of lanes sent of the packet kept."""

    moving = (*Core.moving, "packet")
    again = True

    def __init__(self, machine: PlainMachine, index: int, node: Node, roads: list[Road]) -> None:
        super().__init__(machine, index, node, roads)
        self.packet: Packet | None = None

    def takes(self, t: int) -> tuple[int, ...] | None:
        return () if self.packet else self.fixed

    def kept(self) -> Packet:
        assert self.packet is not None
        return self.packet

    def slots(self) -> list[Packet]:
        return [self.packet] if self.packet else []

    def _lanes(self, head: Packet) -> list[int]:
        """The lanes that are sent."""
        live = live_of(head, self.meets)
        return [k for k in range(self.meets) if live >> k & 1 or not self.node.params["drop"]]

    def route(self, words: list[Words], head: Packet, heads: Heads) -> int:
        return ALL if self._lanes(head) else NO_RESULT

    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        lanes, first, shape = self._lanes(head), self.packet is None, self.ports[0].shape
        live = live_of(head, self.meets)
        if not lanes:
            self.pay(0)
            return head
        packet = head.carry(shape.clean(words[0], live)) if words else head
        lane = lanes[self.count]
        self.count += 1
        self.packet = packet
        if self.count == len(lanes):
            self.count, self.packet = 0, None
        if not head.any:
            self.machine.hold(head.launch, (self.packet is not None) - (not first))
        there = live >> lane & 1
        self.pay(there, int(first))
        row = shape.row(packet.words, lane) if there else (0,) * len(shape.forms)
        thread = head.thread + lane if there and head.thread >= 0 else NO_BLOCK
        return Packet(row, head.launch, head.any, head.block, thread, head.barriers, not there)

    def is_live(self, head: Packet, heads: Heads) -> bool:
        return bool(self.effort and self.effort.lanes)


class Shuffle(Laned):
    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        p, live, shape = self.node.params, live_of(head, self.meets), self.ports[0].shape
        values = []
        for word, fill in enumerate(p["fill"]):
            for lane in range(self.lanes):
                other = {"up": lane - p["k"], "down": lane + p["k"], "xor": lane ^ p["k"]}[p["pattern"]]
                there = 0 <= other < self.lanes and live >> other & 1
                values.append(shape.lane(words[0], word, other) if there else fill)
        self.pay(live.bit_count())
        if self.lanes == 1:
            return head.carry(tuple(values) if live else (0,) * len(values))
        return self.clean(head.carry(tuple(values)))


class Reduce(Laned):
    """The lanes of a packet as a scalar, folded by halves."""

    def __init__(self, machine: PlainMachine, index: int, node: Node, roads: list[Road]) -> None:
        super().__init__(machine, index, node, roads)
        self.op: str = node.params["op"]
        self.fold = operation(self.op, node.is_float) if self.op in ("add", "min", "max", "and", "or") else None

    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        live, shape = live_of(head, self.meets), self.ports[0].shape
        row = [shape.lane(words[0], 0, lane) if live >> lane & 1 else None for lane in range(self.meets)]
        word = self._reduced(row, live) if live else 0
        self.pay(live.bit_count())
        return Packet((word,), head.launch, head.any, head.block, NO_BLOCK, head.barriers, not live)

    def _reduced(self, row: list[int | None], live: int) -> int:
        there = [word for word in row if word is not None]
        match self.op:
            case "any":
                return int(any(there))
            case "all":
                return int(all(there))
            case "count":
                return len(there)
            case "first":
                return there[0]
        if self.node.is_float:
            for lane, word in enumerate(row):
                if word is not None:
                    self._checked(lane, word)
        half = self.meets // 2
        while half:
            for lane in range(half):
                a, b = row[lane], row[lane + half]
                row[lane] = b if a is None else a if b is None else self._checked(lane, a, b)
            half //= 2
        assert row[0] is not None
        return row[0]

    def _checked(self, lane: int, *words: int) -> int:
        """Two words folded, or a single one that must be finite."""
        assert self.fold is not None
        try:
            return self.fold(*words) if len(words) == 2 else finite_word(words[0])
        except BadValue as bad:
            raise CoreFault(bad.code, bad.port, got=bad.got, lane=lane) from None
