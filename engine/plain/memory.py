"""Behaviours of the pads and of shared memories: everything that knows arrays, launches or blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.log import What
from engine.netlist import LOOKAHEAD, NO_BLOCK, Memory, Node
from engine.plain.core import Core, Heads
from engine.plain.packets import ALL, NEVER, WAIT, CoreFault, Moving, Packet, Result, Words
from engine.plain.road import Road
from engine.plain.values import matches

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
        machine.hold(self.launch, 1)
        result = Result(packet, t, ALL)
        self.foresee(t, result)
        self.queue.append(result)
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

    def check_word(self, port: int, launch: int, place: int, got: int) -> None:
        """Compare with the ground truth."""
        machine = self.machine
        right = machine.expected(self.array, launch)[place]
        if not matches(right, got, self.info.is_float, machine.netlist.tolerance):
            raise CoreFault("wrong-value", port, index=(place,), expected=right, got=got)


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


# --- shared memory ------------------------------------------------------------------------------------------


class Page:
    """A page in use. A cell is (word, thread, barriers, node that wrote it)."""

    __slots__ = ("block", "cells", "launch", "reads")

    def __init__(self, launch: int, block: int, reads: int, cells: dict[int, tuple[int, int, int, int]]) -> None:
        self.launch, self.block, self.reads, self.cells = launch, block, reads, cells

    def copy(self) -> Page:
        """A copy of its own."""
        return Page(self.launch, self.block, self.reads, self.cells.copy())


class Pages(Moving):
    """The cells behind the ports of a shared memory."""

    moving = ("pages", "waiting", "given_back")

    def __init__(self, machine: PlainMachine, memory: Memory) -> None:
        self.machine, self.info = machine, memory
        self.pages: list[Page | None] = [None] * memory.pages
        self.waiting: set[int] = set()
        """Nodes that wait for a free page."""
        self.given_back: set[tuple[int, int]] = set()

    def save(self) -> tuple[Any, ...]:
        pages = [page and page.copy() for page in self.pages]
        return pages, self.waiting.copy(), self.given_back.copy()

    def load(self, saved: tuple[Any, ...]) -> None:
        super().load(saved)
        self.pages = [page and page.copy() for page in self.pages]

    def find(self, launch: int, block: int) -> Page | None:
        """The page of a block."""
        for page in self.pages:
            if page and page.launch == launch and page.block == block:
                return page
        return None

    def take(self, launch: int, block: int) -> Page:
        """The page of a block, a free one if it has none; there is one."""
        page = self.find(launch, block)
        if page is None:
            page = Page(launch, block, 0, {})
            self.pages[self.pages.index(None)] = page
        return page

    def count_read(self, page: Page, reader: int) -> None:
        """A read has been served; after the last one the page is free."""
        page.reads += 1
        if page.reads < self.info.reads:
            return
        self.pages[self.pages.index(page)] = None
        self.given_back.add((page.launch, page.block))
        for node in sorted(self.waiting):
            self.machine.wake_fire_from(reader, node)
        self.waiting.clear()

    def forget(self, launch: int) -> None:
        """The launch has been let go."""
        self.given_back = {place for place in self.given_back if place[0] != launch}

    def key(self, completed: int) -> tuple[Any, ...]:
        """The state for the period search."""
        return tuple(p and (p.launch - completed, p.block, p.reads, len(p.cells)) for p in self.pages)


class SharedPort(Core):
    drops = False

    def __init__(self, machine: PlainMachine, index: int, node: Node, roads: list[Road]) -> None:
        super().__init__(machine, index, node, roads)
        self.memory: Pages = machine.memories[node.params["memory"]]

    def block_of(self, heads: Heads) -> int:
        """The block that the access belongs to: its address's."""
        return NO_BLOCK if heads[0] is None else heads[0].block

    def check(self, head: Packet, words: list[Words]) -> None:
        """Launch and index of an access."""
        if head.any:
            raise CoreFault("no-launch", 0)
        if not head.masked and not 0 <= words[0][0] < self.memory.info.words:
            raise CoreFault("shared-outside", 0, index=(words[0][0],))


class SharedWrite(SharedPort):
    def attempt(self, t: int) -> bool:
        fired = super().attempt(t)
        if fired:
            self.memory.waiting.discard(self.index)
        return fired

    def route(self, words: list[Words], head: Packet, heads: Heads) -> int:
        memory = self.memory
        if head.any or not (head.masked or 0 <= words[0][0] < memory.info.words):
            return ALL  # a fault, page or not
        if None in memory.pages or memory.find(head.launch, self.block_of(heads)):
            return ALL
        memory.waiting.add(self.index)
        return WAIT

    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        self.check(head, words)
        block, echo = self.block_of(heads), echo_of(words, heads)
        if head.masked:
            self.memory.take(head.launch, block)
            return head.carry(echo)
        cell = words[0][0]
        page = self.memory.find(head.launch, block)
        if page and cell in page.cells:
            _, thread, _, writer = page.cells[cell]
            raise CoreFault("overwrite", 0, index=(cell,), other=thread, other_node=writer)
        page = self.memory.take(head.launch, block)
        page.cells[cell] = (words[1][0], head.thread, head.barriers, self.index)
        return head.carry(echo)


class SharedRead(SharedPort):
    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        self.check(head, words)
        memory, place = self.memory, (head.launch, self.block_of(heads))
        cell = words[0][0]
        page = memory.find(*place)
        if page is None:
            code = "given-back" if place in memory.given_back else "read-before-write"
            raise CoreFault(code, 0, index=(cell,))
        value = 0
        if not head.masked:
            if cell not in page.cells:
                raise CoreFault("read-before-write", 0, index=(cell,))
            value, thread, barriers, writer = page.cells[cell]
            alone = thread == head.thread and thread >= 0
            if not alone and head.barriers <= barriers:
                raise CoreFault("race", 0, index=(cell,), other=thread, other_node=writer)
        memory.count_read(page, self.index)
        return head.carry((value, *echo_of(words, heads)))
