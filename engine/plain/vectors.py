"""Packets of several lanes, and their words ("Lanes" in docs/model.md).

``words`` of a packet are here all values that it stores, word behind word: one (the base) for a linear word, one for
each lane for the others. Which is which is the form of the word, known from the netlist. A scalar is the common
:class:`Packet` and stands for all lanes.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.netlist import Form, values_of
from engine.plain.packets import Packet, Words, join
from engine.plain.values import wrap


class Vector(Packet):
    """A packet of ``lanes`` lanes: ``live`` has bit l for lane l, ``stack`` are the masks before its splits, oldest
    first.

    ``masked``: no lane is live. Values of lanes that are not live are 0; where none is, all words are.
    """

    __slots__ = ("lanes", "live", "stack")

    def __init__(
        self,
        words: Words,
        launch: int,
        any: bool,
        block: int,
        thread: int,
        barriers: int,
        lanes: int,
        live: int,
        stack: tuple[int, ...] = (),
    ) -> None:
        super().__init__(words, launch, any, block, thread, barriers, not live)
        self.lanes, self.live, self.stack = lanes, live, stack

    def carry(self, words: Words) -> Vector:
        return Vector(
            words, self.launch, self.any, self.block, self.thread, self.barriers, self.lanes, self.live, self.stack
        )

    def mask(self, masked: bool, words: Words) -> Vector:
        return self.lit(0 if masked else full(self.lanes)).carry(words)

    def lit(self, live: int) -> Vector:
        """The same with another live mask; words as they are."""
        return Vector(
            self.words, self.launch, self.any, self.block, self.thread, self.barriers, self.lanes, live, self.stack
        )

    def piled(self, stack: tuple[int, ...]) -> Vector:
        """The same with another stack."""
        return Vector(
            self.words, self.launch, self.any, self.block, self.thread, self.barriers, self.lanes, self.live, stack
        )

    def header(self, completed: int) -> tuple[int, ...]:
        return self.launch - completed, self.any, self.block, self.live, *self.stack


def full(lanes: int) -> int:
    """The mask of all lanes."""
    return (1 << lanes) - 1


def live_of(packet: Packet, lanes: int) -> int:
    """The live mask of a packet among others of ``lanes`` lanes: a scalar stands for all lanes."""
    if isinstance(packet, Vector):
        return packet.live
    return 0 if packet.masked else full(lanes)


def lanes_in(packet: Packet) -> list[int]:
    """The live lanes; of a scalar lane 0."""
    if isinstance(packet, Vector):
        return [lane for lane in range(packet.lanes) if packet.live >> lane & 1]
    return [] if packet.masked else [0]


def threads_in(packet: Packet, per_block: int) -> int:
    """Threads of a packet, in blocks of ``per_block``, masked or not; its live lanes where it is split or has no first
    thread. A scalar is one.
    """
    if not isinstance(packet, Vector):
        return 1
    if packet.stack or packet.thread < 0:
        return packet.live.bit_count()
    return min(packet.lanes, per_block - packet.thread % per_block)


def join_lanes(packets: Sequence[Packet], lanes: int) -> Packet:
    """The joined header of ``packets``, of ``lanes`` lanes, without words; of scalars a scalar."""
    head = join(list(packets))
    if lanes == 1:
        return head
    live = full(lanes)
    stack: tuple[int, ...] = ()
    for packet in packets:
        live &= live_of(packet, lanes)
        if isinstance(packet, Vector) and len(packet.stack) > len(stack):
            stack = packet.stack
    return Vector((), head.launch, head.any, head.block, head.thread, head.barriers, lanes, live, stack)


class Layout:
    """Where the words of a packet of ``lanes`` lanes stand among its values."""

    def __init__(self, forms: Sequence[Form], lanes: int) -> None:
        self.forms, self.lanes = tuple(forms), lanes
        self.places = values_of(forms, lanes)
        self.size = sum(size for _, size in self.places)
        self.lane_of = tuple(lane if size > 1 else -1 for _, size in self.places for lane in range(size))
        """Per value its lane, −1 of a linear word."""

    def lane(self, values: Words, word: int, lane: int) -> int:
        """A word in one lane."""
        place, form = self.places[word][0], self.forms[word]
        if form is None:
            return values[place + lane]
        return wrap(values[place] + form * lane) if form else values[place]

    def row(self, values: Words, lane: int) -> Words:
        """All words in one lane."""
        return tuple([self.lane(values, word, lane) for word in range(len(self.forms))])

    def clean(self, values: Words, live: int) -> Words:
        """The values with those of masked lanes 0; all of them where no lane is live."""
        if not live:
            return (0,) * self.size
        return tuple([v if lane < 0 or live >> lane & 1 else 0 for v, lane in zip(values, self.lane_of, strict=True)])

    def recast(self, values: Words, other: Layout, live: int) -> Words:
        """Values of this layout in another one, whose words are of the same form or per lane."""
        if self.forms == other.forms and self.lanes == other.lanes:
            return values
        found: list[int] = []
        for word, form in enumerate(other.forms):
            if form is not None:
                found.append(values[self.places[word][0]])
            else:
                found += [self.lane(values, word, lane) if live >> lane & 1 else 0 for lane in range(other.lanes)]
        return tuple(found)
