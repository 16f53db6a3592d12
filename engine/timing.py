"""A machine's rhythm as inequalities between events, and the slowest cycle among them.

Every firing, every entry to a wire and so on is an *event* that happens a fixed number of times per launch. The rules
of ``docs/model.md`` are inequalities: the k-th entry to a wire of L tiles comes no earlier than T after departure
k − L − 1, and so on. With t(k) = λ·k/n + φ on average over all k, n the event's count per launch and λ the time per
launch, each becomes one between two phases, an edge::

    φ(after) ≥ φ(before) + delay − λ·tokens          tokens in launches: places / n

Round a cycle the phases cancel, so λ is at least delay over tokens of every cycle: the maximum cycle ratio. Where
every event has the same count this is the exact time per launch (marked graphs: Reiter 1968; Baccelli, Cohen, Olsder,
Quadrat 1992). Averages over k keep it a bound everywhere else:

- Where a core takes or gives at some of its firings only, and the pattern is known, the average runs over the best
  coupling of the two (:func:`_known`); where it is not known, over the worst pattern there can be (:func:`_unknown`).
- Where several wires meet at a port, and behind it, launches may overtake each other: there an unknown pattern gives
  no inequality at all.
- Bursts, blocks in a barrier and pages of a shared memory enter with the average over the burst or block.
- Where a count is no whole number (data decides) the inequality is left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from engine.counts import Counts
from engine.cycles import Edge, EdgeKind, Graph, Label
from engine.netlist import Netlist, Node

_HALF = Fraction(1, 2)
_ZERO = Fraction(0)


class Timing(Graph):
    """The inequalities of a machine.

    ``loose`` wires count as infinitely fast and roomy, and so do stopped ones. ``room`` says how many words more a wire
    holds; None: any number.
    """

    def __init__(
        self,
        netlist: Netlist,
        counts: Counts,
        loose: Collection[int] = (),
        room: Mapping[int, int | None] | None = None,
    ) -> None:
        super().__init__()
        self.netlist = netlist
        self.room = room or {}
        self.counts = counts
        self.loose = {*loose, *(w for w, wire in enumerate(netlist.wires) if not wire.every_ticks)}
        self._fire = [self.event() for _ in netlist.nodes]
        self._enter = [self.event() for _ in netlist.wires]
        self._leave = [self._fire[wire.target] for wire in netlist.wires]
        self._unordered = self._behind_fan_in()
        for index, (node, count) in enumerate(zip(netlist.nodes, counts.firings, strict=True)):
            if node.kind == "barrier" and node.params["has_arrive"]:
                # Arrivals are firings as well, but without interval and result.
                count = sum((counts.packets[w] for w in node.inputs[0].wires), _ZERO)
            if count:
                self._node(index, node, count)
        for index, count in enumerate(counts.packets):
            if count:
                self._wire(index, count)
        self._pages()

    def _edge(
        self,
        before: int,
        after: int,
        delay: Fraction | int,
        tokens: Fraction | int,
        kind: EdgeKind,
        *,
        node: int = -1,
        wire: int = -1,
    ) -> None:
        self.add(before, after, delay, tokens, Label(kind, node, wire))

    def _behind_fan_in(self) -> set[int]:
        """Nodes to which packets may come in another order than that of their launches."""
        found: set[int] = set()
        waiting = [
            n
            for n, node in enumerate(self.netlist.nodes)
            if any(sum(self.counts.packets[w] > 0 for w in port.wires) > 1 for port in node.inputs)
        ]
        while waiting:
            node = waiting.pop()
            if node not in found:
                found.add(node)
                waiting += [
                    self.netlist.wires[w].target for port in self.netlist.nodes[node].outputs for w in port.wires
                ]
        return found

    # --- wires -------------------------------------------------------------------------------------------------

    def _wire(self, index: int, count: Fraction) -> None:
        wire = self.netlist.wires[index]
        enter, leave = self._enter[index], self._leave[index]
        if index in self.loose:
            self._edge(enter, leave, 0, 0, "carry", wire=index)
            return
        every = wire.every_ticks
        self._edge(enter, enter, every, 1 / count, "pace", wire=index)
        self._edge(leave, leave, every, 1 / count, "pace", wire=index)
        self._edge(enter, leave, wire.transit_ticks, 0, "carry", wire=index)
        more = self.room.get(index, 0)
        if more is not None:
            self._edge(leave, enter, every, (wire.capacity + more) / count, "closing", wire=index)

    def _every(self, wires: Iterable[int], count: Fraction) -> int:
        """The greatest time per word of the wires that carry ``count`` packets: so far apart are these at least."""
        every = [
            self.netlist.wires[w].every_ticks for w in wires if w not in self.loose and self.counts.packets[w] == count
        ]
        return max(every, default=0)

    # --- nodes -------------------------------------------------------------------------------------------------

    def _node(self, index: int, node: Node, count: Fraction) -> None:
        fire = self._fire[index]
        interval = node.interval_ticks * self.counts.nodes[index].mean_cycles
        burst = node.params.get("burst")
        if burst:
            interval += Fraction(burst[1], burst[0])
        self._edge(fire, fire, interval, 1 / count, "interval", node=index)
        spacing = max(node.interval_ticks, self._every((w for port in node.inputs for w in port.wires), count))
        self._inputs(index, node, count, spacing)
        if node.kind in ("switch", "deal"):
            self._dealt(index, node, count, spacing)
            return
        wires = [w for port in node.outputs for w in port.wires if self.counts.packets[w]]
        if not wires:
            return
        results = max(self.counts.packets[w] for w in wires)
        shift = node.params["slots"] if node.kind == "delay" else 0
        if node.kind == "barrier" and not node.params["has_arrive"]:
            made = self.event()
            gone = self._hand_out(index, node, made, wires, results, 0)
            self._chamber(index, node, made, gone, count, spacing, self._every(wires[:1], results) * (len(wires) == 1))
            return
        made = fire
        if results != count:
            port = next(p for p, port in enumerate(node.outputs) if any(self.counts.packets[w] for w in port.wires))
            made = self._some(
                index, self._pattern(self.counts.nodes[index].gives.get(port), index, count, results), spacing
            )
        gone = self._hand_out(index, node, made, wires, results, shift)
        self._edge(gone, made, 0, (node.room - shift) / results, "room", node=index)
        if burst:
            self._edge(gone, made, Fraction(node.interval_ticks + burst[1], burst[0]), 1 / results, "room", node=index)

    def _inputs(self, index: int, node: Node, count: Fraction, spacing: int) -> None:
        """Where a wire's packets leave at some firings only, their departures are events of their own."""
        for number, port in enumerate(node.inputs):
            for wire in port.wires:
                packets = self.counts.packets[wire]
                if not packets:
                    continue
                if node.kind == "barrier" and number == 1:
                    self._leave[wire] = self.event()
                    if not node.params["ahead"] and len(port.wires) == 1:
                        self._arrivals(index, node, wire, count, packets, spacing)
                elif packets != count and self._leave[wire] == self._fire[index]:
                    places = self.counts.nodes[index].takes.get(number) if len(port.wires) == 1 else None
                    self._leave[wire] = self._some(index, self._pattern(places, index, count, packets), spacing)

    def _arrivals(self, index: int, node: Node, wire: int, count: Fraction, packets: Fraction, spacing: int) -> None:
        """The first packet of a round passes a barrier after the last arrival of the same round."""
        n = self.counts.nodes[index].per_round(node.params["n"])
        if not n:
            return
        rounds = packets / n
        blocks = max(1, self.netlist.blocks)
        if rounds.denominator != 1 or (packets != count and (rounds != blocks or count > packets)):
            return  # rounds of packets and of arrivals are not the same
        after, before = (count / rounds - 1) * _HALF, (packets / rounds - 1) * _HALF
        delay = spacing * after + self._every([wire], packets) * before
        tokens = after / count - before / packets
        self._edge(self._leave[wire], self._fire[index], delay, tokens, "group", node=index)

    def _pattern(self, places: Sequence[int] | None, index: int, p: Fraction, q: Fraction) -> _Pattern | None:
        """How ``q`` of the ``p`` firings of a launch lie, at ``places``; None where nothing can be said."""
        if p.denominator != 1 or q.denominator != 1 or q > p:
            return None
        if places is not None and len(places) == q and self.counts.nodes[index].count == p:
            return _known(places, p, q)
        return None if index in self._unordered else _unknown(p, q)

    def _hand_out(self, index: int, node: Node, made: int, wires: Sequence[int], results: Fraction, shift: int) -> int:
        """Results go from ``made`` to all ``wires``; returns the event of their being gone. The first ``shift`` are
        there at the start."""
        gone = self._enter[wires[0]] if len(wires) == 1 else self.event()
        # Where a firing takes several intervals, its result is later by those after the first.
        latency = node.latency_ticks + node.interval_ticks * (self.counts.nodes[index].mean_cycles - 1)
        for wire in wires:
            enter = self._enter[wire]
            self._edge(made, enter, latency, shift / results, "latency", node=index)
            if gone != enter:
                self._edge(enter, gone, 0, 0, "fork", node=index)
                self._edge(gone, enter, 0, 1 / results, "fork", node=index)
        return gone

    def _dealt(self, index: int, node: Node, count: Fraction, spacing: int) -> None:
        """switch and deal: each result leaves at one port only."""
        all_leave = sum(self.counts.packets[port.wires[0]] for port in node.outputs if port.wires) == count
        for number, port in enumerate(node.outputs):
            results = self.counts.packets[port.wires[0]] if port.wires else _ZERO
            if not results:
                continue
            pattern = self._pattern(self.counts.nodes[index].gives.get(number), index, count, results)
            made = self._fire[index] if results == count else self._some(index, pattern, spacing)
            gone = self._hand_out(index, node, made, port.wires, results, 0)
            if results == count:
                self._edge(gone, made, 0, node.room / count, "room", node=index)
            elif all_leave and pattern:
                distance, tokens = pattern.before
                self._edge(gone, self._fire[index], distance * spacing, tokens + node.room / count, "room", node=index)

    def _some(self, index: int, pattern: _Pattern | None, spacing: int) -> int:
        """An event that comes at some of a node's firings, which are ``spacing`` apart or more."""
        event, fire = self.event(), self._fire[index]
        if pattern:
            for before, after, (distance, tokens) in ((fire, event, pattern.after), (event, fire, pattern.before)):
                self._edge(before, after, distance * spacing, tokens, "pattern", node=index)
        return event

    def _chamber(self, index: int, node: Node, made: int, gone: int, count: Fraction, spacing: int, apart: int) -> None:
        """A barrier's results are made n at a time, when the last of them has come and the ones before are gone."""
        n = self.counts.nodes[index].per_round(node.params["n"])
        if not n:
            return
        half = (n - 1) * _HALF
        self._edge(self._fire[index], made, spacing * half, 0, "group", node=index)
        self._edge(gone, made, apart * half, n / count, "room", node=index)
        self._edge(made, self._fire[index], spacing * half, n / count, "room", node=index)

    def _pages(self) -> None:
        """A block's first write waits until the block so many pages before has had its last read.

        So a block holds its page from its first write to its last at their distance, on to the first read, and to the
        last read at theirs.
        """
        blocks = max(1, self.netlist.blocks)
        ports: dict[int, tuple[list[int], list[int]]] = {}
        for index, node in enumerate(self.netlist.nodes):
            if node.kind in ("shared.write", "shared.read") and self.counts.firings[index]:
                ports.setdefault(node.params["memory"], ([], []))[node.kind == "shared.read"].append(index)
        for memory, (writes, reads) in ports.items():
            pages = Fraction(self.netlist.memories[memory].pages, blocks)
            for write in writes:
                for read in reads:
                    if all((self.counts.firings[i] / blocks).denominator == 1 for i in (write, read)):
                        fire = self._fire[write]
                        self._edge(fire, fire, self._held(write, read, blocks), pages, "page", node=write)

    def _held(self, write: int, read: int, blocks: int) -> Fraction:
        """How long a block holds a page at least: by the longest way from its last write to its reads.

        Up to a barrier the way is that of the last packet; behind it, of the first.
        """
        start, end = self._fire[write], self._fire[read]
        latest: dict[tuple[int, bool], Fraction] = {(start, False): _ZERO}
        waiting = [(start, False)]
        while waiting:
            event, opened = waiting.pop()
            for edge in self._onward(event):
                if edge.kind == "pattern" and not (opened and self._keeps_first(edge)):
                    continue
                delay = _ZERO if edge.kind in ("pattern", "group") else edge.delay
                state = edge.after, opened or edge.kind == "group"
                if latest[event, opened] + delay > latest.get(state, Fraction(-1)):
                    latest[state] = latest[event, opened] + delay
                    if edge.after not in (start, end):
                        waiting.append(state)
        writing, reading = self._span(write, blocks), self._span(read, blocks)
        ways = [writing]
        if (end, True) in latest:
            ways.append(writing + latest[end, True] + reading)
        if (end, False) in latest and self.counts.firings[write] == self.counts.firings[read]:
            ways.append(writing + latest[end, False])
        return max(ways)

    def _onward(self, event: int) -> list[Edge]:
        """Edges out of an event along which one and the same block goes on."""
        out = [self.edge(n) for n, before in enumerate(self.before) if before == event and self.after[n] != event]
        return [
            edge
            for edge in out
            if edge.kind in ("pattern", "group") or (edge.kind in ("latency", "carry") and not edge.tokens)
        ]

    def _keeps_first(self, edge: Edge) -> bool:
        """Whether a block's first packet is no earlier after this coupling: what a core gives comes after it fires, and
        it fires after what it takes, where it takes first."""
        if edge.before == self._fire[edge.node]:
            return True
        return self.netlist.nodes[edge.node].kind in ("repeat", "counter") and edge.after == self._fire[edge.node]

    def _span(self, index: int, blocks: int) -> Fraction:
        """Time from the first to the last of a block's firings, at least."""
        node, count = self.netlist.nodes[index], self.counts.firings[index]
        apart = max(node.interval_ticks, self._every((w for port in node.inputs for w in port.wires), count))
        return (count / blocks - 1) * apart


@dataclass(frozen=True, slots=True)
class _Pattern:
    """An event that comes at some firings of a node, as two inequalities with all its firings.

    after
        (distance, tokens) of the event after the firings: the coupled firings are on average ``distance`` earlier.
    before
        The same of the firings after the event.
    """

    after: tuple[Fraction, Fraction]
    before: tuple[Fraction, Fraction]


def _known(places: Sequence[int], p: Fraction, q: Fraction) -> _Pattern:
    """The event comes at the firings ``places`` of the ``p`` firings of each launch.

    Firings i/p … (i + 1)/p and events j/q … (j + 1)/q are laid along one launch each and coupled at a shift θ, the
    least at which no event is coupled to a later firing (no firing to a later event). Over all k, floor(q·y)/q
    is on average y − 1/(2q).
    """
    skew = _HALF / q - _HALF / p
    mean = Fraction(sum(places)) / q - p * (q - 1) / q * _HALF
    firings, events = int(p), int(q)
    least = max((j + 1) * firings - (at + 1) * events for j, at in enumerate(places))
    most = min(j * firings - at * events for j, at in enumerate(places))
    after, before = least / (p * q) - skew, skew - most / (p * q)
    return _Pattern((mean + p * after, after), (p * before - mean, before))


def _unknown(p: Fraction, q: Fraction) -> _Pattern:
    """The event may come at any ``q`` of the firings of each launch: at the first ones, or at the last ones."""
    skew = _HALF / q - _HALF / p
    return _Pattern((_ZERO, 1 - q / p - skew), (_ZERO, 1 - q / p + skew))
