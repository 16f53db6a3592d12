"""Loads and stores of several lanes: one access moves whole lines ("Lines" in docs/model.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.netlist import Node
from engine.plain.core import Heads
from engine.plain.lanes import Laned
from engine.plain.memory import ArrayPad, Load, Store
from engine.plain.packets import CoreFault, Effort, Packet, Words
from engine.plain.road import Road
from engine.plain.vectors import Layout, Vector, full, join_lanes, live_of

if TYPE_CHECKING:
    from engine.plain.machine import PlainMachine


class LanePad(Laned, ArrayPad):
    """What loads and stores of lanes share. ``echo`` is how the echo of ``at`` lies in a result."""

    def __init__(self, machine: PlainMachine, index: int, node: Node, roads: list[Road]) -> None:
        super().__init__(machine, index, node, roads)
        self.echo = Layout(node.forms[node.kind == "load" :], node.lanes)
        self.uniform = all(form == 0 for form in self.ports[0].shape.forms)
        """All lanes ask for the same word: it is the access of one."""

    def echoed(self, words: list[Words], live: int, heads: Heads) -> Words:
        """The address as it came, with 0 where it is masked."""
        echo = words[0] if heads[0] is None else self.ports[0].whole(heads[0], self.echo)
        return self.echo.clean(echo, live)

    def places_of(self, words: list[Words], live: int) -> dict[int, int]:
        """Flat indices by live lane, the lowest first."""
        at, found = self.ports[0].shape, {}
        for lane in range(self.lanes):
            if live >> lane & 1:
                try:
                    found[lane] = self.place(at.row(words[0], lane))
                except CoreFault as fault:
                    fault.more["lane"] = lane
                    raise
        return found

    def reckon(self, places: list[int], launch: int) -> int:
        """Count an access to some words; how many ticks later than that to one line it is done."""
        lines = len({place // self.info.line for place in places})
        self.effort = Effort(len(places), 1, lines, max(1, lines))
        if lines:
            self.machine.access(self.array, launch, lines, len(places))
        return max(0, lines - 1) * self.interval


class LaneLoad(LanePad, Load):
    def __init__(self, machine: PlainMachine, index: int, node: Node, roads: list[Road]) -> None:
        super().__init__(machine, index, node, roads)
        self.value = Layout(node.forms[:1], node.lanes)

    def header(self, heads: Heads, packets: list[Packet]) -> Packet:
        head = join_lanes(packets, self.lanes)
        assert isinstance(head, Vector)
        return head.lit(full(self.lanes) if heads[0] is None else live_of(heads[0], self.lanes))

    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        assert isinstance(head, Vector)
        if head.live and head.any:
            raise CoreFault("no-launch", 0)
        places = self.places_of(words, head.live)
        machine = self.machine
        if self.info.is_input:
            row: list[int | None] = list(machine.inputs(self.array, head.launch)) if places else []
        else:
            row = machine.stored(self.array, head.launch) if places else []
        read: dict[int, int] = {}
        for lane, place in places.items():
            word = row[place]
            if word is None:
                raise CoreFault("unwritten", 0, index=(place,), lane=lane)
            read[lane] = word
        if len(words) > 1:
            other = self.ports[1].shape
            value = tuple([read[i] if i in read else other.lane(words[1], 0, i) for i in range(head.lanes)])
        elif self.value.size > 1:
            value = tuple([read.get(lane, 0) for lane in range(head.lanes)])
        else:
            value = (next(iter(read.values()), 0),)
        asked = list(places.values())
        self.reckon(asked[:1] if self.uniform else asked, head.launch)
        return head.carry((*value, *self.echoed(words, head.live, heads)))


class LaneStore(LanePad, Store):
    def work(self, ready: int, head: Packet, words: list[Words], heads: Heads) -> Packet:
        assert isinstance(head, Vector)
        if head.live and head.any:
            raise CoreFault("no-launch", 0)
        places = self.places_of(words, head.live)
        machine = self.machine
        stored = machine.stored(self.array, head.launch) if places else []
        first: dict[int, int] = {}
        for lane, place in places.items():
            if stored[place] is not None or place in first:
                raise CoreFault("written-twice", 0, index=(place,), lane=lane)
            first[place] = lane
        values = self.ports[1].shape
        for lane, place in places.items():
            self.check_word(1, head.launch, place, values.lane(words[1], 0, lane), lane)
        for lane, place in places.items():
            stored[place] = values.lane(words[1], 0, lane)
        late = self.reckon(list(places.values()), head.launch)
        if places:
            machine.word_done(head.launch, ready + late, len(places))
        return head.carry(self.echoed(words, head.live, heads))
