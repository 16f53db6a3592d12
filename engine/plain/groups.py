"""Cores that count: groups of packets, repeats, and reductions ("Counted groups" in docs/model.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.netlist import NO_BLOCK, Node
from engine.plain.core import Core, Heads
from engine.plain.packets import ALL, NO_RESULT, Packet, Result, Words, common
from engine.plain.road import Road
from engine.plain.values import Operation, finite_word, operation, wrap

if TYPE_CHECKING:
    from engine.plain.machine import PlainMachine


class Take(Core):
    """take and skip: of each group the first n pass, or all but these."""

    grouped = True

    def route(self, words: list[Words], head: Packet, heads: Heads) -> int:
        first = self.count < self.node.params["n"]
        return ALL if first == (self.node.kind == "take") else NO_RESULT

    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        self.enter_group(head, self.node.params["of"])
        return head.carry(words[0])


class Deal(Core):
    grouped = True

    def route(self, words: list[Words], head: Packet, heads: Heads) -> int:
        return self.count

    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        self.enter_group(head, self.node.params["n"])
        return head.carry(words[0])


class Collect(Deal):
    again = True

    def takes(self, t: int) -> tuple[int, ...] | None:
        return (self.count,)

    def route(self, words: list[Words], head: Packet, heads: Heads) -> int:
        return ALL


class Delay(Core):
    """A buffer that begins full of init packets and gives one in place of each of a group's last."""

    grouped = True

    def __init__(self, machine: PlainMachine, index: int, node: Node, roads: list[Road]) -> None:
        super().__init__(machine, index, node, roads)
        if self.outs[ALL]:
            self.queue.extend(Result(self._init(0), 0, ALL) for _ in range(node.params["slots"]))

    def _init(self, launch: int) -> Packet:
        return Packet(self.node.params["init"], launch, True, NO_BLOCK, NO_BLOCK, 0, False)

    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        p = self.node.params
        passes = self.count < p["every"] - p["slots"]
        self.enter_group(head, p["every"])
        return head.carry(words[0]) if passes else self._init(head.launch)


class Repeat(Core):
    """``count`` is the number of sendings in this group, ``held`` its packets, from the first pass on."""

    moving = (*Core.moving, "held")
    grouped = True
    again = True

    def __init__(self, machine: PlainMachine, index: int, node: Node, roads: list[Road]) -> None:
        super().__init__(machine, index, node, roads)
        self.held: list[Packet] = []

    def takes(self, t: int) -> tuple[int, ...] | None:
        return self.fixed if self.count < self.node.params["group"] else ()

    def kept(self) -> Packet:
        return self.held[self.count % len(self.held)]

    def slots(self) -> list[Packet]:
        return self.held

    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        p = self.node.params
        number = self.count // p["group"]
        if words:
            head = head.carry(words[0])
            self.held.append(head)
            if not head.any:
                self.machine.hold(head.launch, 1)
        self.enter_group(head, p["group"] * p["times"])
        if self.count == 0:
            for packet in self.held:
                if not packet.any:
                    self.machine.hold(packet.launch, -1)
            self.held = []
        if p["append"]:
            return head.carry((*head.words, 0 if head.masked else number))
        return head


class Counter(Core):
    """``count`` is the number of words sent for the trigger held."""

    moving = (*Core.moving, "trigger")
    again = True

    def __init__(self, machine: PlainMachine, index: int, node: Node, roads: list[Road]) -> None:
        super().__init__(machine, index, node, roads)
        self.trigger: Packet | None = None

    def takes(self, t: int) -> tuple[int, ...] | None:
        return () if self.trigger else self.fixed

    def kept(self) -> Packet:
        assert self.trigger is not None
        return self.trigger

    def slots(self) -> list[Packet]:
        return [self.trigger] if self.trigger else []

    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        p = self.node.params
        word = 0 if head.masked else wrap(p["start"] + self.count * p["step"])
        self.count += 1
        before, self.trigger = self.trigger, head.carry(words[0]) if words else head
        if self.count == p["n"]:
            self.count, self.trigger = 0, None
        if not head.any:
            self.machine.hold(head.launch, (self.trigger is not None) - (before is not None))
        return head.carry((word,))


# --- reduction ----------------------------------------------------------------------------------------------


Sum = tuple[int | None, int, int, int]
"""Value (None: no live one has come) and the joined block, thread and barriers of what was folded in."""

NOTHING: Sum = (None, NO_BLOCK, NO_BLOCK, 0)


class Fold(Core):
    """accumulate and scan."""

    moving = (*Core.moving, "sums", "greatest", "closing")
    grouped = True
    drops = False

    def __init__(self, machine: PlainMachine, index: int, node: Node, roads: list[Road]) -> None:
        super().__init__(machine, index, node, roads)
        self.fold: Operation = operation(node.params["op"], node.is_float)
        self.ways: int = node.params.get("ways", 1)
        self.sums = [self.nothing()] * self.ways
        self.greatest = -1
        """Greatest launch in the group so far."""
        self.closing = 0
        """The next sum to leave, of a group that ``last`` has closed; else 0."""

    def nothing(self) -> Sum:
        """A sum without values."""
        return NOTHING

    def add(self, way: int, head: Packet, word: Words) -> Sum:
        """The sum with one more value; changes nothing."""
        value, block, thread, barriers = self.sums[way]
        if not head.masked:
            if self.node.is_float:
                finite_word(word[0])
            value = word[0] if value is None else self.fold(value, word[0])
        return value, common(block, head.block), common(thread, head.thread), max(barriers, head.barriers)

    def result(self, total: Sum) -> Packet:
        """A sum as it leaves: with the group's launch."""
        value, block, thread, barriers = total
        launch, any_launch = (self.group, False) if self.group >= 0 else (self.greatest, True)
        block, thread = max(block, NO_BLOCK), max(thread, NO_BLOCK)
        return Packet((value or 0,), launch, any_launch, block, thread, barriers, value is None)

    def open_group(self, head: Packet) -> None:
        """Count a value; an open group counts as a packet of its launch, from the tick in which that is known."""
        if self.group < 0 and not head.any:
            self.group = head.launch
            self.machine.hold(self.group, 1)
        self.greatest = max(self.greatest, head.launch)
        self.count += 1

    def close_group(self) -> None:
        """Start afresh."""
        if self.group >= 0:
            self.machine.hold(self.group, -1)
        self.sums = [self.nothing()] * self.ways
        self.count = self.closing = 0
        self.group = self.greatest = -1

    def key(self, t: int, completed: int) -> tuple[Any, ...]:
        return (*super().key(t, completed), self.closing)


class Accumulate(Fold):
    def __init__(self, machine: PlainMachine, index: int, node: Node, roads: list[Road]) -> None:
        super().__init__(machine, index, node, roads)
        self.by_last = not self.ports[1].is_open
        self.again = self.again or self.by_last

    def takes(self, t: int) -> tuple[int, ...] | None:
        return () if self.closing else self.fixed

    def kept(self) -> Packet:
        return self.result((0, NO_BLOCK, NO_BLOCK, 0))

    def route(self, words: list[Words], head: Packet, heads: Heads) -> int:
        if self.closing:
            return ALL
        if self.by_last:
            return ALL if words[1][0] else NO_RESULT
        return ALL if self.count >= (self.node.params["n"] - 1) * self.ways else NO_RESULT

    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        if not words:
            result = self.result(self.sums[self.closing])
            self.closing += 1
            if self.closing == self.ways:
                self.close_group()
            return result
        way = self.count % self.ways
        total = self.add(way, head, words[0])
        leaves = self.route(words, head, heads) == ALL
        self.sums[way] = total
        self.open_group(head)
        result = self.result(self.sums[0 if self.by_last else way])
        if not self.by_last:
            if self.count == self.node.params["n"] * self.ways:
                self.close_group()
        elif leaves and self.ways == 1:
            self.close_group()
        elif leaves:
            self.closing = 1
        return result


class Scan(Fold):
    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        total = self.add(0, head, words[0])
        self.sums[0] = total
        self.open_group(head)
        result = self.result(total)
        if self.count == self.node.params["n"]:
            self.close_group()
        return result
