"""Shared memories: pages of cells, the ports to them, and the lanes of an access ("Shared memory" in docs/model.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from engine.netlist import NO_BLOCK, Memory, Node
from engine.plain.banks import Banks
from engine.plain.core import Core, Heads
from engine.plain.lanes import Laned
from engine.plain.memory import echo_of
from engine.plain.packets import ALL, WAIT, CoreFault, Effort, Moving, Packet, Words
from engine.plain.road import Road
from engine.plain.vectors import Layout, Vector, lanes_in, threads_in

if TYPE_CHECKING:
    from engine.plain.machine import PlainMachine


class Cell(NamedTuple):
    """A written cell: its word, who wrote it, after how many barriers, and at which node.

    ``warp`` is the first thread of the packet that wrote it, -1 of a scalar or a split packet.
    """

    word: int
    thread: int
    warp: int
    barriers: int
    node: int


class Page:
    """A page in use."""

    __slots__ = ("block", "cells", "launch", "reads")

    def __init__(self, launch: int, block: int, reads: int, cells: dict[int, Cell]) -> None:
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
        self.banks = Banks(memory) if memory.banks else None

    def save(self) -> tuple[Any, ...]:
        pages = [page and page.copy() for page in self.pages]
        return pages, self.waiting.copy(), self.given_back.copy(), self.banks and self.banks.save()

    def load(self, saved: tuple[Any, ...]) -> None:
        super().load(saved[:-1])
        self.pages = [page and page.copy() for page in self.pages]
        if self.banks:
            self.banks.load(saved[-1])

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

    def count_reads(self, page: Page, reads: int, reader: int) -> None:
        """Threads have been served; after the last one the page is free."""
        page.reads += reads
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

    def key(self, t: int, completed: int) -> tuple[Any, ...]:
        """The state for the period search."""
        pages = tuple(p and (p.launch - completed, p.block, p.reads, len(p.cells)) for p in self.pages)
        return (*pages, self.banks.key(t)) if self.banks else pages


class SharedPort(Core):
    """A port of a shared memory."""

    drops = False

    def __init__(self, machine: PlainMachine, index: int, node: Node, roads: list[Road]) -> None:
        super().__init__(machine, index, node, roads)
        self.memory: Pages = machine.memories[node.params["memory"]]
        self.per_block = machine.netlist.threads_per_block
        self.at = Layout(node.inputs[0].forms or (0,), node.inputs[0].lanes)
        reads = int(node.kind == "shared.read")
        forms = node.forms or (0,) * node.result_width
        self.value, self.echo = Layout(forms[:reads], node.lanes), Layout(forms[reads:], node.lanes)
        """How the two parts of a result lie in its packet."""

    def block_of(self, heads: Heads) -> int:
        """The block that the access belongs to: its address's."""
        return NO_BLOCK if heads[0] is None else heads[0].block

    def cells(self, words: list[Words], head: Packet) -> dict[int, int]:
        """Cells by live lane, the lowest first."""
        return {lane: self.at.lane(words[0], 0, lane) for lane in lanes_in(head)}

    def outside(self, cells: dict[int, int]) -> int | None:
        """The first lane whose cell the memory does not have."""
        return next((lane for lane, cell in cells.items() if not 0 <= cell < self.memory.info.words), None)

    def check(self, head: Packet, cells: dict[int, int]) -> None:
        """Launch and index of an access."""
        if head.any:
            raise CoreFault("no-launch", 0)
        lane = self.outside(cells)
        if lane is not None:
            raise CoreFault("shared-outside", 0, index=(cells[lane],), **lane_of(head, lane))

    def starts(self, t: int, words: list[Words], head: Packet, heads: Heads) -> bool:
        banks = self.memory.banks
        if banks is None or head.any:
            return True
        cells = self.cells(words, head)
        if self.outside(cells) is not None:
            return True
        at = banks.try_at(t, self.index, banks.cycles(cells.values()))
        if at > t:
            self.machine.wake_fire(at, self.index)
        return at == t

    def serve(self, cells: dict[int, int]) -> None:
        """Use the banks, and reckon what that costs."""
        banks, distinct = self.memory.banks, len(set(cells.values()))
        cycles = 1
        if banks:
            needed = banks.cycles(cells.values())
            banks.take(self.machine.now, self.index, needed, self.interval)
            cycles = max(needed.values(), default=1)
        if self.efforts:
            self.effort = Effort(len(cells), cycles, distinct, cycles)

    def echoed(self, words: list[Words], head: Packet, heads: Heads) -> Words:
        """The address as it came."""
        return echo_of(words, heads)


def lane_of(head: Packet, lane: int) -> dict[str, int]:
    """A fault's lane, where there are several."""
    return {"lane": lane} if isinstance(head, Vector) else {}


def thread_of(head: Packet, lane: int) -> int:
    """The thread in a lane, -1 where that is not known."""
    return head.thread + lane if head.thread >= 0 else NO_BLOCK


def warp_of(head: Packet) -> int:
    """The first thread of a packet whose lanes go together; -1 of a scalar and of a split packet."""
    return head.thread if isinstance(head, Vector) and not head.stack else NO_BLOCK


class SharedWrite(SharedPort):
    def __init__(self, machine: PlainMachine, index: int, node: Node, roads: list[Road]) -> None:
        super().__init__(machine, index, node, roads)
        self.word = Layout(node.inputs[1].forms or (0,), node.inputs[1].lanes)

    def attempt(self, t: int) -> bool:
        fired = super().attempt(t)
        if fired:
            self.memory.waiting.discard(self.index)
        return fired

    def route(self, words: list[Words], head: Packet, heads: Heads) -> int:
        memory = self.memory
        if head.any or self.outside(self.cells(words, head)) is not None:
            return ALL  # a fault, page or not
        if None in memory.pages or memory.find(head.launch, self.block_of(heads)):
            return ALL
        memory.waiting.add(self.index)
        if memory.banks:
            memory.banks.leave(self.index)
        return WAIT

    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        cells = self.cells(words, head)
        self.check(head, cells)
        block = self.block_of(heads)
        page = self.memory.find(head.launch, block)
        written = page.cells if page else {}
        made: dict[int, Cell] = {}
        for lane, cell in cells.items():
            before = written.get(cell) or made.get(cell)
            if before:
                other = {"other": before.thread, "other_node": before.node}
                raise CoreFault("overwrite", 0, index=(cell,), **other, **lane_of(head, lane))
            word = self.word.lane(words[1], 0, lane)
            made[cell] = Cell(word, thread_of(head, lane), warp_of(head), head.barriers, self.index)
        self.memory.take(head.launch, block).cells.update(made)
        self.serve(cells)
        return head.carry(self.echoed(words, head, heads))


class SharedRead(SharedPort):
    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        cells = self.cells(words, head)
        self.check(head, cells)
        memory, place = self.memory, (head.launch, self.block_of(heads))
        page = memory.find(*place)
        if page is None:
            code = "given-back" if place in memory.given_back else "read-before-write"
            lane = next(iter(cells), 0)
            cell = self.at.lane(words[0], 0, lane)
            raise CoreFault(code, 0, index=(cell,), **lane_of(head, lane))
        for lane, cell in cells.items():
            if cell not in page.cells:
                raise CoreFault("read-before-write", 0, index=(cell,), **lane_of(head, lane))
        for lane, cell in cells.items():
            found = page.cells[cell]
            thread, warp = thread_of(head, lane), warp_of(head)
            alone = found.thread == thread >= 0 or found.warp == warp >= 0
            if not alone and head.barriers <= found.barriers:
                other = {"other": found.thread, "other_node": found.node}
                raise CoreFault("race", 0, index=(cell,), **other, **lane_of(head, lane))
        read = {lane: page.cells[cell].word for lane, cell in cells.items()}
        lanes = range(self.value.size) if self.value.size > 1 else [next(iter(read), 0)]
        value = tuple([read.get(lane, 0) for lane in lanes])
        self.serve(cells)
        memory.count_reads(page, threads_in(head, self.per_block), self.index)
        return head.carry((*value, *self.echoed(words, head, heads)))


class LaneSharedPort(Laned, SharedPort):
    """What ports of several lanes do in another way: they echo their packets without the masked lanes."""

    def echoed(self, words: list[Words], head: Packet, heads: Heads) -> Words:
        assert isinstance(head, Vector)
        echo = words[0] if heads[0] is None else self.ports[0].whole(heads[0], self.echo)
        return self.echo.clean(echo, head.live)

    def pay(self, lanes: int, controls: int = 1) -> None:
        """It is reckoned with the banks."""


class LaneSharedWrite(LaneSharedPort, SharedWrite):
    pass


class LaneSharedRead(LaneSharedPort, SharedRead):
    pass
