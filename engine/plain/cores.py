"""Cores that make each result from what they take at once: arithmetic and steering without a memory."""

from __future__ import annotations

from operator import mul
from typing import TYPE_CHECKING

from engine.netlist import Node
from engine.plain.core import Core, Heads
from engine.plain.packets import ALL, NO_RESULT, Packet, Words
from engine.plain.road import Road
from engine.plain.values import Operation, operation, wrap

if TYPE_CHECKING:
    from engine.plain.machine import PlainMachine


class Arithmetic(Core):
    """One word from one word per input; a masked result is 0."""

    def __init__(self, machine: PlainMachine, index: int, node: Node, roads: list[Road]) -> None:
        super().__init__(machine, index, node, roads)
        self.operation: Operation = operation(node.kind, node.is_float, node.params.get("op", ""))

    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        if head.masked:
            return head.carry((0,))
        return head.carry((self.operation(*[w[0] for w in words]),))


class Address(Core):
    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        sums = self.node.params["words"]
        if head.masked:
            return head.carry((0,) * len(sums))
        return head.carry(tuple([wrap(c + sum(map(mul, factors, words[0]))) for c, factors in sums]))


class Passing(Core):
    """Passes what came at the first port taken: relay and buffer."""

    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        return head if head.words is words[0] else head.carry(words[0])


class Gate(Passing):
    def route(self, words: list[Words], head: Packet, heads: Heads) -> int:
        return ALL if words[1][0] or head.masked else NO_RESULT


class Switch(Passing):
    def route(self, words: list[Words], head: Packet, heads: Heads) -> int:
        return 0 if words[1][0] else 1


class Mux(Core):
    deciding = 0

    def takes(self, t: int) -> tuple[int, ...] | None:
        port = self.ports[0]
        if port.immediate is not None:
            return (0, 1) if port.immediate[0] else (0, 2)
        road = port.head(t)
        if road is None:
            return None
        return (0, 1) if port.see(road.queue[0][0])[0] else (0, 2)

    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        return head.carry(words[1])


class Guard(Core):
    def _inside(self, words: Words) -> bool:
        limits = self.node.params["limits"]
        return all(n < 0 or 0 <= w < n for n, w in zip(limits, words, strict=False))

    def route(self, words: list[Words], head: Packet, heads: Heads) -> int:
        keeps = head.masked or self.node.params["mode"] == "mark" or self._inside(words[0])
        return ALL if keeps else NO_RESULT

    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        if head.masked or self._inside(words[0]):
            return head.carry(words[0])
        return head.mask(True, (0,) * len(words[0]))


class Tuple(Core):
    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        return head.carry(tuple(w for part in words for w in part))
