"""The rhythm of a machine with every firing of a launch as an event of its own: exact, where all patterns are known.

:mod:`engine.timing` has one event per node and wire and speaks of averages; that is exact where all events are equally
many, and only a bound where packets come in rushes (bursts, dropped threads, blocks behind a barrier). Here the k-th
firing of a launch is an event, k = 0 … n − 1, and an inequality holds between the k-th of one kind and the j-th of
another, tokens whole launches apart. So its slowest cycle is the time per launch itself.

It needs whole counts and known patterns: not where data decides, and not where several wires meet at a port, but at
a barrier's ``arrive``, if a block waits for all that come there: then their order does not matter.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import TYPE_CHECKING

from engine.cycles import Graph, Label
from engine.netlist import LOOKAHEAD

if TYPE_CHECKING:
    from engine.counts import Counts
    from engine.netlist import Netlist, Node

MOST_EVENTS = 30_000
"""Launches of more events than this are left to the averages."""


class NotStatic(Exception):
    """The machine's patterns are not known, or too long; the message says which, for a person."""


class Unfolding(Graph):
    """The inequalities of a machine, event by event. Raises NotStatic.

    ``loose`` is as in :class:`engine.timing.Timing`. A turn is one launch, or as many (``launches``) as it takes until
    all bursts begin anew at a launch's first word. ``missing`` says what the machine has to wait for that no inequality
    tells, so that it may be slower than its slowest cycle; empty where there is nothing.
    """

    def __init__(self, netlist: Netlist, counts: Counts, loose: Collection[int] = ()) -> None:
        super().__init__()
        self.netlist = netlist
        self.launches = _turn(netlist, counts)
        if self.launches * (sum(counts.firings) + 2 * sum(counts.packets)) > MOST_EVENTS:
            raise NotStatic("a launch has too many packets to follow each of them")
        self.counts = counts = counts.times(self.launches)
        self.loose = {*loose, *(w for w, wire in enumerate(netlist.wires) if not wire.every_ticks)}
        self.missing = ""
        self._check()
        self.blocks = max(1, netlist.blocks) * self.launches
        self.packets = [int(n) for n in counts.packets]
        self.fire = [self._events(self._firings(n)) for n in range(len(netlist.nodes))]
        self.enter = [self._events(n) for n in self.packets]
        self.leave = [self._departures(w) for w in range(len(netlist.wires))]
        for index, node in enumerate(netlist.nodes):
            if self.fire[index]:
                self._node(index, node)
        for index, packets in enumerate(self.packets):
            if packets:
                self._wire(index)
        self._pages()
        self._lookahead()
        self.missing = self.missing or next((n.untimed for n in counts.nodes if n.untimed), "")

    def _check(self) -> None:
        counts = self.counts
        if not counts.exact or any(n.denominator != 1 for n in (*counts.firings, *counts.packets)):
            raise NotStatic("data decides how many packets there are")
        for node, firings, known in zip(self.netlist.nodes, counts.firings, counts.nodes, strict=True):
            if firings != known.count:
                raise NotStatic(f"when {node.id} works is not the same in every launch")
            for port in node.inputs:
                meet = sum(counts.packets[wire] > 0 for wire in port.wires) > 1
                if meet and not (node.kind == "barrier" and port.name == "arrive"):
                    raise NotStatic(f"several wires meet at {node.id}.{port.name}, and time decides whose turn it is")

    def _cycles(self, index: int) -> list[int]:
        """For how many intervals each firing holds a node."""
        return self.counts.nodes[index].cycles or [1] * len(self.fire[index])

    def _firings(self, index: int) -> int:
        node = self.netlist.nodes[index]
        if node.kind == "barrier" and node.params["has_arrive"]:
            # Arrivals are firings as well, but without interval and result.
            return int(sum(self.counts.packets[w] for w in node.inputs[0].wires))
        return int(self.counts.firings[index])

    # --- events and edges --------------------------------------------------------------------------------------

    def _events(self, number: int) -> list[int]:
        self.events += number
        return list(range(self.events - number, self.events))

    def _after(self, after: Sequence[int], before: Sequence[int], back: int, delay: int, label: Label) -> None:
        """The k-th of ``after`` comes ``delay`` after the (k − back)-th of ``before``, of which there are as many."""
        number = len(before)
        places = range(-back, number - back)
        self.extend([before[j % number] for j in places], after, delay, [-(j // number) for j in places], label)

    def _one(self, event: int, before: Sequence[int], j: int, delay: int, label: Label) -> None:
        """``event`` of launch 0 comes ``delay`` after the j-th of ``before``; j < 0 is in an earlier launch."""
        launch, place = divmod(j, len(before))
        self.add(before[place], event, delay, -launch, label)

    # --- wires -------------------------------------------------------------------------------------------------

    def _departures(self, index: int) -> list[int]:
        """When packets leave a wire: firings of its target that take from it."""
        wire = self.netlist.wires[index]
        node, fire = self.netlist.nodes[wire.target], self.fire[wire.target]
        if not self.packets[index]:
            return []
        if node.kind == "barrier" and wire.ports[0] == 1:
            return self._events(self.packets[index])
        takes = self.counts.nodes[wire.target].takes
        if any(port not in takes for port in wire.ports):
            places: Sequence[int] = range(len(fire))
        else:
            places = sorted({place for port in wire.ports for place in takes[port]})
        if len(places) != self.packets[index]:
            raise NotStatic(f"{node.id} takes less or more than comes to it along {wire.id}")
        return [fire[place] for place in places]

    def _wire(self, index: int) -> None:
        wire = self.netlist.wires[index]
        enter, leave = self.enter[index], self.leave[index]
        if index in self.loose:
            self._after(leave, enter, 0, 0, Label("carry", wire=index))
            return
        every = wire.every_ticks
        self._after(enter, enter, 1, every, Label("pace", wire=index))
        self._after(leave, leave, 1, every, Label("pace", wire=index))
        self._after(leave, enter, 0, wire.transit_ticks, Label("carry", wire=index))
        self._after(enter, leave, wire.capacity, every, Label("closing", wire=index))

    def retime(self, every_ticks: Sequence[int]) -> None:
        """Other speeds for the wires that are not loose, as ticks per word, by their number in the netlist.

        They must leave every wire its capacity.
        """
        wires = self.netlist.wires
        for number, label in enumerate(self.label):
            if label.wire >= 0 and label.wire not in self.loose:
                every = every_ticks[label.wire]
                wire = wires[label.wire]
                self.delay[number] = every * wire.length + wire.codec_ticks if label.kind == "carry" else every

    # --- nodes -------------------------------------------------------------------------------------------------

    def _node(self, index: int, node: Node) -> None:
        fire = self.fire[index]
        interval = Label("interval", node=index)
        if self.counts.nodes[index].cycles:
            for k, event in enumerate(fire):
                self._one(event, fire, k - 1, node.interval_ticks * self._cycles(index)[k - 1], interval)
        else:
            self._after(fire, fire, 1, node.interval_ticks, interval)
        if node.kind == "barrier" and node.params["has_arrive"]:
            self._arrivals(index, node)
        made = self._results(index, node)
        if not made:
            return
        # A result with one copy is gone when that has entered.
        gone = [self.enter[c[0][0]][c[0][1]] if len(c) == 1 else self._events(1)[0] for _, c in made]
        if node.kind == "barrier" and not node.params["has_arrive"]:
            opened = self._chamber(index, node, gone)
            ready = [opened[place * len(opened) // len(self.fire[index])] for place, _ in made]
            self._hand_out(index, node, made, ready, gone, 0)
            return
        shift = node.params["slots"] if node.kind == "delay" else 0
        ready = [fire[place] for place, _ in made]
        self._hand_out(index, node, made, ready, gone, shift)
        # Of several results of one firing only the first needs room.
        first = [r for r, (place, _) in enumerate(made) if not r or made[r - 1][0] != place]
        room = Label("room", node=index)
        if len(first) == len(made):
            self._after(ready, gone, node.room - shift, 0, room)
        else:
            for r in first:
                self._one(ready[r], gone, r - node.room, 0, room)
        burst = node.params.get("burst")
        if burst:
            words, rest = burst
            for k in range(0, len(fire), words):
                self._one(fire[k], gone, k - 1, node.interval_ticks + rest, Label("room", node=index))

    def _results(self, index: int, node: Node) -> list[tuple[int, list[tuple[int, int]]]]:
        """The results of a launch, in order: at which firing each is made, and as which packet of which wires."""
        gives = self.counts.nodes[index].gives
        leaving: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for number, port in enumerate(node.outputs):
            wires = [wire for wire in port.wires if self.packets[wire]]
            places = gives.get(number, range(len(self.fire[index])))
            for wire in wires:
                if len(places) != self.packets[wire]:
                    raise NotStatic(f"when {node.id} gives a result is not the same in every launch")
                # Halves of a split are results of their own, one after the other.
                apart = number if node.kind == "switch" else 0
                for k, place in enumerate(places):
                    leaving.setdefault((place, apart), []).append((wire, k))
        return [(place, copies) for (place, _), copies in sorted(leaving.items())]

    def _hand_out(
        self,
        index: int,
        node: Node,
        made: Sequence[tuple[int, list[tuple[int, int]]]],
        ready: Sequence[int],
        gone: Sequence[int],
        shift: int,
    ) -> None:
        """Result r is ready one latency after ``ready[r − shift]``; its copies enter when the one before is gone."""
        latency, fork = Label("latency", node=index), Label("fork", node=index)
        late = [node.interval_ticks * (n - 1) for n in self._cycles(index)]
        for r, (place, copies) in enumerate(made):
            for wire, k in copies:
                enter = self.enter[wire][k]
                self._one(enter, ready, r - shift, node.latency_ticks + late[place], latency)
                if gone[r] != enter:
                    self.add(enter, gone[r], 0, 0, fork)
                if gone[r - 1] != self.enter[wire][k - 1]:
                    self._one(enter, gone, r - 1, 0, fork)

    def _chamber(self, index: int, node: Node, gone: Sequence[int]) -> list[int]:
        """Openings of a barrier: when n are inside and the results before are gone; the next ones enter then."""
        n, fire = self.counts.nodes[index].per_round(node.params["n"]), self.fire[index]
        if not n or len(fire) % n or len(gone) != len(fire):
            raise NotStatic(f"the rounds of {node.id} begin at other packets in other launches")
        opened = self._events(len(fire) // n)
        for g, event in enumerate(opened):
            self._one(event, fire, g * n + n - 1, 0, Label("group", node=index))
            self._one(event, gone, g * n - 1, 0, Label("room", node=index))
            self._one(fire[g * n], opened, g - 1, 0, Label("room", node=index))
        return opened

    def _arrivals(self, index: int, node: Node) -> None:
        """Packets pass a barrier when enough of their block have arrived, along whichever wires."""
        n, ahead, fire = self.counts.nodes[index].per_round(node.params["n"]), node.params["ahead"], self.fire[index]
        wires = [wire for wire in node.inputs[1].wires if self.packets[wire]]
        rounds = f"the rounds of {node.id} begin at other packets in other launches"
        if not n or any(self.packets[wire] % self.blocks for wire in wires) or len(fire) % self.blocks:
            raise NotStatic(rounds)
        arriving = {wire: self.packets[wire] // self.blocks for wire in wires}
        if len(wires) > 1:
            self.missing = f"{node.id} takes one packet at arrive at a time, and several wires meet there"
        per_block = len(fire) // self.blocks
        for k, event in enumerate(fire):
            block, j = divmod(k, per_block)
            needed = n * (j // n - ahead + 1)
            if needed > sum(arriving.values()):
                raise NotStatic(rounds)
            if needed > 0 and len(wires) > 1 and needed < sum(arriving.values()):
                raise NotStatic(f"several wires meet at {node.id}.arrive, and time decides whose turn it is")
            for wire in wires if needed > 0 else ():
                last = block * arriving[wire] + min(needed, arriving[wire]) - 1
                self._one(event, self.leave[wire], last, 0, Label("group", node=index))

    def _pages(self) -> None:
        """A page's first write comes after the last read of the page so many before.

        A block has one page, or one after the other where its reads give several back.
        """
        ports: dict[int, tuple[list[int], list[int]]] = {}
        for index, node in enumerate(self.netlist.nodes):
            if node.kind in ("shared.write", "shared.read") and self.fire[index]:
                ports.setdefault(node.params["memory"], ([], []))[node.kind == "shared.read"].append(index)
        for number, (writes, reads) in ports.items():
            memory = self.netlist.memories[number]
            name = self.netlist.elements[memory.element].id
            threads = [self.counts.nodes[read].threads or [1] * len(self.fire[read]) for read in reads]
            come = Fraction(sum(map(sum, threads)), self.blocks)
            if memory.banks and len(writes) + len(reads) > 1:
                self.missing = self.missing or f"the ports of {name} wait for each other's banks"
            if not come or come % memory.reads:
                raise NotStatic(f"{name} gives a page back after {memory.reads} reads of a block, and {come} come")
            used = self.blocks * int(come / memory.reads)
            if any(len(self.fire[port]) % used for port in (*writes, *reads)):
                raise NotStatic(f"the pages of {name} are not alike")
            for write in writes:
                for read in reads:
                    writing, reading = (len(self.fire[port]) // used for port in (write, read))
                    for page in range(used):
                        event = self.fire[write][page * writing]
                        last = (page - memory.pages + 1) * reading - 1
                        self._one(event, self.fire[read], last, 1, Label("page", node=write))

    def _lookahead(self) -> None:
        """A source makes no word of a launch while the one so many before is not gone.

        Launches keep their order here, so each that is not gone has a packet somewhere: where there are fewer places
        than that, this cannot bind.
        """
        places = sum(wire.capacity for wire in self.netlist.wires)
        for node in self.netlist.nodes:
            chambers = 2 * node.params["n"] if node.kind == "barrier" else node.params.get("group", 1)
            places += node.room + chambers
        if places < LOOKAHEAD:
            return
        gone = self._events(self.launches)
        self._after(gone, gone, 1, 0, Label("lookahead"))
        for index, node in enumerate(self.netlist.nodes):
            fire, label = self.fire[index], Label("lookahead", node=index)
            counts_after = node.latency_ticks if node.kind in ("store", "sink") else 0
            each = len(fire) // self.launches
            for k, (event, cycles) in enumerate(zip(fire, self._cycles(index), strict=True)):
                late = node.interval_ticks * (cycles - 1) if counts_after else 0
                self.add(event, gone[k // each], counts_after + late, 0, label)
            for launch in range(self.launches if fire and node.kind in ("threads", "stream") else 0):
                self._one(fire[launch * each], gone, launch - LOOKAHEAD, 1, label)


def _turn(netlist: Netlist, counts: Counts) -> int:
    """Launches until all bursts begin anew at a launch's first word."""
    turn = 1
    for node, count in zip(netlist.nodes, counts.firings, strict=True):
        if node.params.get("burst") and count.denominator == 1 and count:
            words = node.params["burst"][0]
            turn = lcm(turn, words // gcd(words, int(count)))
    return turn
