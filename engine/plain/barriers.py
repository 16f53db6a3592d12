"""Barriers, without and with arrivals ("Barrier" in docs/model.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.netlist import Node
from engine.plain.core import Core, Heads
from engine.plain.lanes import Laned
from engine.plain.packets import ALL, NO_RESULT, WAIT, CoreFault, Effort, Packet, Result, Words
from engine.plain.road import Road
from engine.plain.vectors import Vector, lanes_in, threads_in

if TYPE_CHECKING:
    from engine.plain.machine import PlainMachine


class Chamber(Core):
    """A barrier without ``arrive``. ``inside`` are the packets in the filling chamber; ``count`` their threads."""

    moving = (*Core.moving, "inside", "extra")
    drops = False

    def __init__(self, machine: PlainMachine, index: int, node: Node, roads: list[Road]) -> None:
        super().__init__(machine, index, node, roads)
        self.inside: list[Packet] = []
        self.per_block = machine.netlist.threads_per_block
        self.extra = 0
        """Jitter of the latest firing."""

    def slots(self) -> list[Packet]:
        return self.inside

    def fire(self, t: int) -> None:
        self._open(t)
        if self.attempt(t):
            self._open(t)
            self.attempt(t)

    def _open(self, t: int) -> None:
        if self.count < self.node.params["n"] or self.queue:
            return
        machine = self.machine
        self.account(t)
        taken_in = self.fired - len(self.inside)
        for k, packet in enumerate(self.inside):
            machine.hold(packet.launch, -1)
            if self.outs[ALL]:
                result = _pass_barrier(packet)
                late = self.late_in(t, taken_in + k, result)
                self.push(t, Result(result, t + self.latency + self.extra, ALL, late=late))
        self.inside = []
        self.count = 0
        machine.last_happening = t

    def route(self, words: list[Words], head: Packet, heads: Heads) -> int:
        if self.inside and not head.any:
            first, n = self.inside[0], self.node.params["n"]
            full = self.count >= n or len(self.inside) >= n
            if full or (first.launch, first.block) != (head.launch, head.block):
                return WAIT
        return NO_RESULT

    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        if head.any:
            raise CoreFault("no-launch", 0)
        packet = head.carry(words[0])
        self.inside.append(packet)
        self.count += threads_in(packet, self.per_block)
        self.extra = ready - self.latency - self.machine.now
        self.machine.hold(head.launch, 1)
        return packet


class Arrival(Core):
    """A barrier with ``arrive``. Books are by (launch, block), in threads."""

    moving = (*Core.moving, "arrived", "passed")
    drops = False

    def __init__(self, machine: PlainMachine, index: int, node: Node, roads: list[Road]) -> None:
        super().__init__(machine, index, node, roads)
        self.arrived: dict[tuple[int, int], int] = {}
        self.passed: dict[tuple[int, int], int] = {}
        self.fixed = (0,)
        self.per_block = machine.netlist.threads_per_block

    def fire(self, t: int) -> None:
        self._arrive(t)
        super().fire(t)

    def _arrive(self, t: int) -> None:
        road = self.ports[1].head(t)
        if road is None:
            return
        packet = road.queue[0][0]
        road.tell(t)
        if road.spoilt or packet.any:
            fault = CoreFault(road.spoilt, 1, other=road.index) if road.spoilt else CoreFault("no-launch", 1)
            fault.header, fault.words = packet, self.ports[1].see(packet)
            raise fault
        road.leave(t)
        place = packet.launch, packet.block
        self.arrived[place] = self.arrived.get(place, 0) + threads_in(packet, self.per_block)
        if self.efforts:
            self.effort = Effort(len(lanes_in(packet)), 1, 0, 1)
        self.note_firing(t, t, packet.launch, not packet.masked)
        if self.ports[1].head(t):
            self.machine.wake_fire(t + 1, self.index)
        self.machine.check_lost(self, packet.launch, False)

    def route(self, words: list[Words], head: Packet, heads: Heads) -> int:
        place = head.launch, head.block
        n = self.node.params["n"]
        needed = n * (self.passed.get(place, 0) // n - self.node.params["ahead"] + 1)
        return ALL if head.any or self.arrived.get(place, 0) >= needed else WAIT

    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        if head.any:
            raise CoreFault("no-launch", 0)
        place = head.launch, head.block
        self.passed[place] = self.passed.get(place, 0) + threads_in(head, self.per_block)
        return _pass_barrier(head.carry(words[0]))

    def forget(self, launch: int) -> None:
        """The launch has been let go."""
        for book in (self.arrived, self.passed):
            for place in [place for place in book if place[0] == launch]:
                del book[place]

    def key(self, t: int, completed: int) -> tuple[Any, ...]:
        books = tuple(
            tuple(sorted((launch - completed, block, n) for (launch, block), n in book.items()))
            for book in (self.arrived, self.passed)
        )
        return (*super().key(t, completed), books)


class LaneChamber(Laned, Chamber):
    pass


class LaneArrival(Laned, Arrival):
    def __init__(self, machine: PlainMachine, index: int, node: Node, roads: list[Road]) -> None:
        super().__init__(machine, index, node, roads)
        self.meets = self.ports[0].shape.lanes
        """Arrivals do not meet what passes."""


def _pass_barrier(p: Packet) -> Packet:
    if isinstance(p, Vector):
        return Vector(p.words, p.launch, p.any, p.block, p.thread, p.barriers + 1, p.lanes, p.live, p.stack)
    return Packet(p.words, p.launch, p.any, p.block, p.thread, p.barriers + 1, p.masked)
