"""Packets that part and meet again: switch and join with lanes ("Divergence" in docs/model.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.netlist import MAX_SPLITS, Node
from engine.plain.core import Heads
from engine.plain.lanes import Laned, lowest, with_live
from engine.plain.packets import NO_RESULT, CoreFault, Packet, Result, Words, join
from engine.plain.road import Road
from engine.plain.vectors import Vector, full, live_of

if TYPE_CHECKING:
    from engine.plain.machine import PlainMachine

TRUE, FALSE, ORDER = 0, 1, 2
"""Ports of both: outputs of a switch, inputs of a join."""


class Several(Laned):
    """A core of which a firing may make several results: ``more`` follow the one that it returns, as (port, packet)."""

    more: list[tuple[int, Packet]]

    def __init__(self, machine: PlainMachine, index: int, node: Node, roads: list[Road]) -> None:
        super().__init__(machine, index, node, roads)
        self.more = []

    def push(self, t: int, result: Result) -> None:
        super().push(t, result)
        more, self.more = self.more, []
        for port, packet in more:
            super().push(t, Result(packet, result.ready, port, late=self.late_in(t, self.fired, packet)))


class LaneSwitch(Several):
    """A firing sends what is live and true, what is live and false, and a word that tells which of them."""

    def _sides(self, head: Packet, words: list[Words]) -> tuple[int, int, int]:
        """Live masks of both sides, and which are sent: 1 true, 2 false, 3 both."""
        live = live_of(head, self.meets)
        true = self.by_lane(1, words, live)
        false = live & ~true
        if self.node.params.get("keep"):
            return true, false, 3
        return true, false, bool(true) | bool(false or not live) << 1

    def route(self, words: list[Words], head: Packet, heads: Heads) -> int:
        sent = self._sides(head, words)[2] | 4
        return next((port for port in (TRUE, FALSE, ORDER) if sent >> port & 1 and self.outs[port]), NO_RESULT)

    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        true, false, sent = self._sides(head, words)
        live = live_of(head, self.meets)
        whole = head
        if isinstance(head, Vector):
            if len(head.stack) == MAX_SPLITS:
                raise CoreFault("deep-split", 0, other=MAX_SPLITS)
            whole = head.piled((*head.stack, head.live))
        told = (sent,) if self.outs[ORDER] else ()
        made: list[tuple[int, Packet]] = []
        for port, side in ((TRUE, true), (FALSE, false)):
            if sent >> port & 1 and self.outs[port]:
                made.append((port, self.clean(with_live(whole, side).carry((*words[0], *told)))))
        if told:
            values = (*[0 for _ in words[0]], *told)
            made.append((ORDER, Packet(values, head.launch, head.any, head.block, head.thread, head.barriers, False)))
        self.pay(live.bit_count())
        self.more = made[1:]
        return made[0][1] if made else head


class Join(Laned):
    """Halves become whole again, in the order that the switch tells, or as they come."""

    again = True

    def __init__(self, machine: PlainMachine, index: int, node: Node, roads: list[Road]) -> None:
        super().__init__(machine, index, node, roads)
        self.ordered = not self.ports[ORDER].is_open

    def takes(self, t: int) -> tuple[int, ...] | None:
        if self.ordered:
            return self._told(t)
        came = [(road.head_at, side) for side in (TRUE, FALSE) if (road := self.ports[side].head(t))]
        whole = [(at, side) for at, side in came if self._is_whole(side)]
        if whole:
            return (min(whole)[1],)
        return (TRUE, FALSE) if len(came) == 2 else None

    def _told(self, t: int) -> tuple[int, ...] | None:
        """The sides that the next order word names, and the word."""
        port = self.ports[ORDER]
        word = port.immediate
        if word is None:
            road = port.head(t)
            if road is None:
                return None
            word = port.see(road.queue[0][0])
        sides = tuple(side for side in (TRUE, FALSE) if word[0] >> side & 1)
        return (*sides, ORDER) if sides else None

    def _is_whole(self, side: int) -> bool:
        """Whether the head at an input lacks nothing: scalars, and packets that were never split."""
        roads = self.ports[side].roads
        road = min(roads, key=lambda road: road.head_at)
        packet = road.queue[0][0]
        return not isinstance(packet, Vector) or not packet.stack or packet.live == packet.stack[-1]

    def header(self, heads: Heads, packets: list[Packet]) -> Packet:
        sides = self._halves(heads)
        head = join(packets)
        live = 0
        for packet in sides:
            live |= live_of(packet, self.lanes)
        if self.lanes == 1:
            return head.mask(not live, ())
        stacks = [packet.stack for packet in sides if isinstance(packet, Vector)]
        stack = stacks[0][:-1] if stacks else ()
        return Vector((), head.launch, head.any, head.block, head.thread, head.barriers, self.lanes, live, stack)

    def _halves(self, heads: Heads) -> list[Packet]:
        sides = heads[:-1] if self.ordered else heads
        return [packet for packet in sides if packet is not None]

    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        takes = self.takes(self.machine.now)
        assert takes is not None
        sides = [side for side in takes if side != ORDER]
        halves = [packet for packet in heads[: len(sides)] if packet is not None]
        self._check(sides, halves)
        shapes = [self.ports[side].shape for side in sides]
        if self.lanes == 1:
            mine = next((k for k, packet in enumerate(halves) if not packet.masked), 0)
            return self._paid(head.carry(words[mine]))
        values = [0] * self.shape.size
        for packet, shape, given in zip(halves, shapes, words, strict=False):
            live = live_of(packet, self.lanes)
            for place, value in enumerate(shape.recast(given, self.shape, live)):
                if live >> self.shape.lane_of[place] & 1:
                    values[place] = value
        return self._paid(self.clean(head.carry(tuple(values))))

    def _paid(self, packet: Packet) -> Packet:
        self.pay(live_of(packet, self.lanes).bit_count())
        return packet

    def _check(self, sides: list[int], halves: list[Packet]) -> None:
        """Faults of halves that do not make a whole."""
        masks = [live_of(packet, self.lanes) for packet in halves]
        twice = masks[0] & masks[1] if len(masks) == 2 else 0
        if self.lanes == 1:
            if twice:
                raise CoreFault("lane-twice", sides[1], lane=0)
            return
        stacks = []
        for side, packet in zip(sides, halves, strict=True):
            stack = packet.stack if isinstance(packet, Vector) else ()
            if not stack:
                raise CoreFault("not-split", side)
            stacks.append((packet.block, packet.thread, stack))
        if len(halves) == 2 and stacks[0] != stacks[1]:
            raise CoreFault("other-half", sides[1], other=halves[1].thread)
        if twice:
            raise CoreFault("lane-twice", sides[1], lane=lowest(twice))
        whole = 0
        for mask in masks:
            whole |= mask
        missing = stacks[0][2][-1] & ~whole
        if missing:
            raise CoreFault("lanes-missing", sides[0], lane=lowest(missing & full(self.lanes)))
