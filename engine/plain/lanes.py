"""Cores with lanes ("Lanes" in docs/model.md): their ports, and those that do what the core of scalars does.

:class:`Laned` comes before a core of scalars among the bases: it joins masks, keeps values of masked lanes 0, and
counts what a firing costs. ``words`` are then the values of a port's words, in the forms of the port.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.machine import Cause
from engine.netlist import NO_BLOCK, Form, InPort, Node, Wire
from engine.plain.core import Core, Heads
from engine.plain.cores import Gate, Guard, Mux, Passing, Tuple
from engine.plain.groups import Accumulate, Collect, Counter, Deal, Delay, Fold, Repeat, Scan, Take
from engine.plain.packets import ALL, NO_RESULT, CoreFault, Effort, Packet, Words, common
from engine.plain.road import Port, Road
from engine.plain.values import BadValue, Operation, finite_word, operation, wrap
from engine.plain.vectors import Layout, Vector, full, join_lanes, live_of

if TYPE_CHECKING:
    from engine.plain.machine import PlainMachine


def forms_of(forms: tuple[Form, ...], width: int) -> tuple[Form, ...]:
    """Forms of ``width`` words; those of a machine without lanes are left out in a netlist."""
    return forms or (0,) * width


class LanePort(Port):
    """An input port whose words are values; ``shape`` is how they lie. Where wires with words of different forms meet,
    words are spread over the lanes when they are looked at."""

    __slots__ = ("_places", "_served", "_wires", "shape")

    def __init__(self, port: InPort, roads: list[Road], wires: tuple[Wire, ...]) -> None:
        super().__init__(port, roads, -1)
        self.shape = Layout(forms_of(port.forms, port.width), port.lanes)
        self._served: Road | None = None
        self._wires = {w: Layout(forms_of(wires[w].forms, len(wires[w].words)), wires[w].lanes) for w in port.wires}
        self._places: list[tuple[bool, int]] | None = None
        """Per value, a constant or a place in the packet; None where that depends on the wire."""
        kinds = {layout.forms for layout in self._wires.values()}
        if len(kinds) == 1:
            places = next(iter(self._wires.values())).places
            self._places = []
            for pick in port.picks:
                start, size = (pick.value, 1) if pick.constant else places[pick.value]
                self._places += [(pick.constant, start + k) for k in range(size)]
        self.picks = port.picks

    def head(self, t: int) -> Road | None:
        self._served = super().head(t)
        return self._served

    def see(self, packet: Packet) -> Words:
        words = packet.words
        if self._places is not None:
            return tuple([value if constant else words[value] for constant, value in self._places])
        assert self._served is not None and self.picks is not None
        layout, live = self._wires[self._served.index], live_of(packet, self.shape.lanes)
        found: list[int] = []
        for pick, form in zip(self.picks, self.shape.forms, strict=True):
            if pick.constant:
                found.append(pick.value)
            elif form is None:
                lanes = range(self.shape.lanes)
                found += [layout.lane(words, pick.value, lane) if live >> lane & 1 else 0 for lane in lanes]
            else:
                found.append(words[layout.places[pick.value][0]])
        return tuple(found)

    def whole(self, packet: Packet, shape: Layout) -> Words:
        """All words of the packet that is served, as an echo of this ``shape`` has them."""
        assert self._served is not None
        return self._wires[self._served.index].recast(packet.words, shape, live_of(packet, shape.lanes))


class Laned(Core):
    """A core with lanes. ``lanes`` are those of its results, ``meets`` those of the packets that meet in it."""

    ports: list[LanePort]

    def __init__(self, machine: PlainMachine, index: int, node: Node, roads: list[Road]) -> None:
        super().__init__(machine, index, node, roads)
        wires = machine.netlist.wires
        self.ports = [LanePort(port, roads, wires) for port in node.inputs]
        self.lanes, self.meets = node.lanes, max([port.lanes for port in node.inputs], default=1)
        self.shape = Layout(forms_of(node.forms, node.result_width), node.lanes)

    def header(self, heads: Heads, packets: list[Packet]) -> Packet:
        return join_lanes(packets, self.meets)

    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        packet = super().work(ready, head, words, heads)
        self.pay(live_of(head, self.meets).bit_count())
        return self.clean(packet)

    def pay(self, lanes: int, controls: int = 1) -> None:
        """What a firing with so many live lanes costs."""
        node = self.node
        self.effort = Effort(lanes, controls, node.once + node.per_lane * lanes if lanes else 0, 1)

    def clean(self, packet: Packet) -> Packet:
        """A result with 0 where it is masked; scalars as they are."""
        if isinstance(packet, Vector):
            return packet.carry(self.shape.clean(packet.words, packet.live))
        return packet

    def late_in(self, t: int, firing: int, result: Packet) -> Words | None:
        if self.late_bits is None or result.masked:
            return None
        masks = self.late_bits.masks(firing, len(result.words))
        if isinstance(result, Vector):
            masks = self.shape.clean(masks, result.live)
        self.machine.note_late(t, Cause.LATE_BITS, self.index, masks, result)
        return masks

    def by_lane(self, port: int, words: list[Words], live: int) -> int:
        """Of the live lanes those in which the first word at ``port`` is not 0."""
        shape = self.ports[port].shape
        if shape.forms[0] == 0:
            return live if words[port][0] else 0
        return sum(1 << k for k in range(self.meets) if live >> k & 1 and shape.lane(words[port], 0, k))


def with_live(head: Packet, live: int) -> Packet:
    """A header with another live mask."""
    if isinstance(head, Vector):
        return head.lit(live)
    return head.mask(not live, head.words)


def lowest(mask: int) -> int:
    """The number of the lowest bit that is set."""
    return (mask & -mask).bit_length() - 1


# --- from one packet of each input, one -------------------------------------------------------------------------


class LaneArithmetic(Laned):
    """Lane by lane; once where the result is linear."""

    def __init__(self, machine: PlainMachine, index: int, node: Node, roads: list[Road]) -> None:
        super().__init__(machine, index, node, roads)
        self.operation: Operation = operation(node.kind, node.is_float, node.params.get("op", ""))

    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        live = live_of(head, self.meets)
        if not live:
            values: Words = (0,) * self.shape.size
        elif self.shape.forms[0] is not None:
            values = (self._one(lowest(live), [w[0] for w in words]),)
        else:
            shapes = [port.shape for port in self.ports]
            values = tuple(
                [
                    self._one(k, [s.lane(w, 0, k) for s, w in zip(shapes, words, strict=True)]) if live >> k & 1 else 0
                    for k in range(self.lanes)
                ]
            )
        self.pay(live.bit_count())
        return head.carry(values)

    def _one(self, lane: int, words: list[int]) -> int:
        try:
            return self.operation(*words)
        except BadValue as bad:
            raise CoreFault(bad.code, bad.port, got=bad.got, lane=lane) from None


class LaneAddress(Laned):
    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        live, shape = live_of(head, self.meets), self.ports[0].shape
        values: list[int] = []
        for (constant, factors), form in zip(self.node.params["words"], self.shape.forms, strict=True):
            used = [(k, factor) for k, factor in enumerate(factors) if factor]
            for lane in range(1 if form is not None else self.lanes):
                values.append(wrap(constant + sum(factor * shape.lane(words[0], k, lane) for k, factor in used)))
        self.pay(live.bit_count())
        return self.clean(head.carry(tuple(values)))


class LanePassing(Laned, Passing):
    """relay and buffer."""


class LaneTuple(Laned, Tuple):
    pass


class LaneMux(Laned, Mux):
    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        side = self.ports[1 if words[0][0] else 2].shape
        return super().work(ready, head, [words[0], side.recast(words[1], self.shape, full(self.lanes))], heads)


class LaneGate(Laned, Gate):
    def route(self, words: list[Words], head: Packet, heads: Heads) -> int:
        live = live_of(head, self.meets)
        return ALL if not live or self.by_lane(1, words, live) else NO_RESULT

    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        live = live_of(head, self.meets)
        self.pay(live.bit_count())
        return self.clean(with_live(head, self.by_lane(1, words, live)).carry(words[0]))


class LaneGuard(Laned, Guard):
    def _left(self, words: Words, live: int) -> int:
        """Of the live lanes those that are inside."""
        shape, limits = self.ports[0].shape, self.node.params["limits"]
        limited = [(k, n) for k, n in enumerate(limits) if n >= 0]
        return sum(
            1 << lane
            for lane in range(self.lanes)
            if live >> lane & 1 and all(0 <= shape.lane(words, k, lane) < n for k, n in limited)
        )

    def route(self, words: list[Words], head: Packet, heads: Heads) -> int:
        live = live_of(head, self.meets)
        keeps = not live or self.node.params["mode"] == "mark" or self._left(words[0], live)
        return ALL if keeps else NO_RESULT

    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        live = live_of(head, self.meets)
        self.pay(live.bit_count())
        return self.clean(with_live(head, self._left(words[0], live)).carry(words[0]))


# --- what counts packets -------------------------------------------------------------------------------------------


class LaneTake(Laned, Take):
    pass


class LaneDeal(Laned, Deal):
    pass


class LaneCollect(Laned, Collect):
    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        turn = self.ports[self.count].shape
        return super().work(ready, head, [turn.recast(words[0], self.shape, full(self.lanes))], heads)


class LaneDelay(Laned, Delay):
    def _init(self, launch: int) -> Packet:
        node = self.node
        shape = Layout(forms_of(node.forms, node.result_width), node.lanes)
        plain = Layout((0,) * len(shape.forms), node.lanes)
        words = plain.recast(node.params["init"], shape, full(node.lanes))
        return Vector(words, launch, True, NO_BLOCK, NO_BLOCK, 0, node.lanes, full(node.lanes))

    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        recast = self.ports[0].shape.recast(words[0], self.shape, full(self.lanes))
        return super().work(ready, head, [recast], heads)


class _Keeping(Laned):
    """What it keeps is clean already."""

    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        kept = [self.ports[0].shape.clean(words[0], live_of(head, self.meets))] if words else words
        return super().work(ready, head, kept, heads)


class LaneRepeat(_Keeping, Repeat):
    pass


class LaneCounter(_Keeping, Counter):
    pass


# --- sums --------------------------------------------------------------------------------------------------------


LaneSum = tuple[tuple[int | None, ...], int, int, int, tuple[int, ...]]
"""Per lane the value (None: no live one has come); block, thread and barriers joined, and the deepest stack."""


class LaneFold(Laned, Fold):
    """One sum per lane."""

    sums: list[LaneSum]  # type: ignore[assignment]

    def nothing(self) -> LaneSum:  # type: ignore[override]
        return (None,) * self.node.lanes, NO_BLOCK, NO_BLOCK, 0, ()

    def add(self, way: int, head: Packet, word: Words) -> LaneSum:  # type: ignore[override]
        values, block, thread, barriers, stack = self.sums[way]
        live, shape = live_of(head, self.meets), self.ports[0].shape
        added = [self._one(k, v, shape.lane(word, 0, k)) if live >> k & 1 else v for k, v in enumerate(values)]
        if isinstance(head, Vector) and len(head.stack) > len(stack):
            stack = head.stack
        block, thread = common(block, head.block), common(thread, head.thread)
        return tuple(added), block, thread, max(barriers, head.barriers), stack

    def _one(self, lane: int, value: int | None, word: int) -> int:
        try:
            if self.node.is_float:
                finite_word(word)
            return word if value is None else self.fold(value, word)
        except BadValue as bad:
            raise CoreFault(bad.code, bad.port, got=bad.got, lane=lane) from None

    def result(self, total: LaneSum) -> Packet:  # type: ignore[override]
        values, block, thread, barriers, stack = total
        launch, any_launch = (self.group, False) if self.group >= 0 else (self.greatest, True)
        live = sum(1 << k for k, value in enumerate(values) if value is not None)
        words = tuple([value or 0 for value in values])
        block, thread = max(block, NO_BLOCK), max(thread, NO_BLOCK)
        return Vector(words, launch, any_launch, block, thread, barriers, self.lanes, live, stack)


class LaneAccumulate(LaneFold, Accumulate):
    def kept(self) -> Packet:
        return self.result(((0,) * self.lanes, NO_BLOCK, NO_BLOCK, 0, ()))


class LaneScan(LaneFold, Scan):
    pass
