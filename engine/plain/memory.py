"""Behaviours of the pads: everything that knows arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.log import What
from engine.netlist import LOOKAHEAD, NO_BLOCK, Node
from engine.plain.core import Core, Heads
from engine.plain.packets import ALL, NEVER, CoreFault, Effort, Packet, Result, Words
from engine.plain.road import Road
from engine.plain.values import matches
from engine.plain.vectors import Vector

if TYPE_CHECKING:
    from engine.plain.machine import PlainMachine


class Source(Core):
    """threads and stream. The next word is number ``count`` of ``launch``, made at ``make_at`` at the earliest."""

    moving = (*Core.moving, "launch", "burst_count", "make_at", "held_back")

    def __init__(self, machine: PlainMachine, index: int, node: Node, roads: list[Road]) -> None:
        super().__init__(machine, index, node, roads)
        self.is_wired = bool(self.outs[ALL])
        self.launch = 0
        self.burst_count = 0
        self.make_at = 0 if self.is_wired else NEVER
        self.held_back = False
        """The word waits for the oldest launch to be let go."""
        self.burst: tuple[int, int] | None = node.params.get("burst")
        self.tokens: list[tuple[Words, int, int]] | None = None
        if node.kind == "threads":
            net = machine.netlist
            columns = net.tokens.tolist(), net.token_block.tolist(), net.token_thread.tolist()
            self.tokens = [(tuple(words), block, thread) for words, block, thread in zip(*columns, strict=True)]
        self.live: list[int] | None = None
        """Live masks of the tokens where they are warps."""
        if self.tokens is not None and machine.netlist.token_live is not None:
            self.live = machine.netlist.token_live.tolist()
        self.words = len(self.tokens) if self.tokens is not None else machine.arrays[node.params["array"]].words

    def hand_out(self, t: int) -> bool:
        while True:
            if not self.queue:
                if t < self.make_at or self.held_back:
                    return False
                self._make(t)
            if not self.hand_out_oldest(t):
                return False
            self._plan(t)

    def _make(self, t: int) -> None:
        machine = self.machine
        if self.count == 0:
            machine.issue(self.launch, t)
        self.account(t)
        if self.tokens is None:
            row = machine.inputs(self.node.params["array"], self.launch)
            packet = Packet((row[self.count],), self.launch, False, NO_BLOCK, NO_BLOCK, 0, False)
        else:
            words, block, thread = self.tokens[self.count]
            packet = Packet(words, self.launch, False, block, thread, 0, False)
            if self.live is not None:
                packet = Vector(words, self.launch, False, block, thread, 0, self.node.lanes, self.live[self.count])
        machine.hold(self.launch, 1)
        result = Result(packet, t, ALL)
        self.foresee(t, result)
        self.queue.append(result)
        if isinstance(packet, Vector):
            lanes = packet.live.bit_count()
            work = self.node.once + self.node.per_lane * lanes if lanes else 0
            self.effort = Effort(lanes, 1, work, 1)
        self.note_firing(t, t, self.launch, True)
        if machine.watched:
            machine.note_packet(What.MADE, self.index, t, t, packet, ALL)
        self.last_fire, self.next_fire = t, t + self.interval
        self.count += 1
        self.burst_count += self.burst is not None
        if self.count == self.words:
            self.count = 0
            self.launch += 1

    def _plan(self, t: int) -> None:
        """The last copy of a word has left: when does the next one come?"""
        self.make_at = max(self.next_fire, t)
        if self.burst and self.burst_count == self.burst[0]:
            self.burst_count = 0
            self.make_at = t + self.interval + self.burst[1]
        if self.count == 0 and self.launch >= self.machine.oldest + LOOKAHEAD:
            self.held_back = True
        elif self.make_at > t:
            self.machine.wake_out(self.make_at, self.index)

    def look_again(self, t: int) -> None:
        """A launch has been let go in tick t."""
        if self.held_back and self.launch < self.machine.oldest + LOOKAHEAD:
            self.held_back = False
            self.machine.wake_out(max(self.make_at, t + 1), self.index)

    def key(self, t: int, completed: int) -> tuple[Any, ...]:
        if not self.is_wired:
            return ()
        make_at = 0 if self.queue else max(self.make_at - t, 0)
        return (*super().key(t, completed), self.burst_count, self.launch - completed, make_at)


def echo_of(words: list[Words], heads: Heads) -> Words:
    """The address as it came on its wire, before the port's own choice of words."""
    return words[0] if heads[0] is None else heads[0].words


class ArrayPad(Core):
    """What load, store and sink share: the array."""

    drops = False

    def __init__(self, machine: PlainMachine, index: int, node: Node, roads: list[Road]) -> None:
        super().__init__(machine, index, node, roads)
        self.array: int = node.params["array"]
        self.info = machine.arrays[self.array]

    def place(self, index: Words) -> int:
        """Flat index, row-major; each dimension is checked."""
        flat = 0
        for length, i in zip(self.info.shape, index, strict=True):
            if not 0 <= i < length:
                raise CoreFault("outside", 0, index=tuple(index))
            flat = flat * length + i
        return flat

    def check_word(self, port: int, launch: int, place: int, got: int, lane: int = -1) -> None:
        """Compare with the ground truth."""
        machine = self.machine
        right = machine.expected(self.array, launch)[place]
        if not matches(right, got, self.info.is_float, machine.netlist.tolerance):
            raise CoreFault("wrong-value", port, index=(place,), expected=right, got=got, lane=lane)


class Load(ArrayPad):
    drops = True

    def header(self, heads: Heads, packets: list[Packet]) -> Packet:
        head = super().header(heads, packets)
        masked = heads[0] is not None and heads[0].masked
        return head if head.masked == masked else head.mask(masked, head.words)

    def live_port(self, heads: Heads) -> int:
        return -1 if self.ports[1].is_open else 0

    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        echo = echo_of(words, heads)
        if head.masked:
            other = words[1][0] if len(words) > 1 else 0
            return head.carry((other, *[0 for _ in echo]))
        if head.any:
            raise CoreFault("no-launch", 0)
        place = self.place(words[0])
        machine = self.machine
        value: int | None
        if self.info.is_input:
            value = machine.inputs(self.array, head.launch)[place]
        else:
            value = machine.stored(self.array, head.launch)[place]
            if value is None:
                raise CoreFault("unwritten", 0, index=(place,))
        machine.access(self.array, head.launch)
        return head.carry((value, *echo))


class Store(ArrayPad):
    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        echo = echo_of(words, heads)
        if head.masked:
            return head.carry(tuple([0 for _ in echo]))
        if head.any:
            raise CoreFault("no-launch", 0)
        place, got = self.place(words[0]), words[1][0]
        machine = self.machine
        stored = machine.stored(self.array, head.launch)
        if stored[place] is not None:
            raise CoreFault("written-twice", 0, index=(place,))
        self.check_word(1, head.launch, place, got)
        stored[place] = got
        machine.access(self.array, head.launch)
        machine.word_done(head.launch, ready)
        return head.carry(echo)


class Sink(ArrayPad):
    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        if head.masked:
            return head
        if head.any:
            raise CoreFault("no-launch", 0)
        machine = self.machine
        got = words[0][0]
        place = machine.sunk(self.array, head.launch)
        if place == self.info.words:
            raise CoreFault("extra-word", 0, other=place, got=got)
        self.check_word(0, head.launch, place, got)
        machine.sink(self.array, head.launch)
        machine.word_done(head.launch, ready)
        return head
