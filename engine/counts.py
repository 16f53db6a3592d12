"""How many packets a launch sends along every wire, and how often every node fires for it: without time.

What the tokens of the threads decide (guards, gates and switches on thread numbers) is worked out word by word; what
the data of arrays decides cannot be known here and is measured instead (:func:`measured`). Node by node, one launch
is taken through the machine as lists of packets whose unknown words are None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import cycle
from typing import NamedTuple, cast

from engine.machine import Counters
from engine.netlist import InPort, Netlist, Node, WordPick
from engine.plain.values import ARITHMETIC, BadValue, operation, wrap

Word = int | None


class Packet(NamedTuple):
    """Words (None: not known before the run), and whether it is masked (None: not known)."""

    words: tuple[Word, ...]
    masked: bool | None = False

    def chosen(self, words: Sequence[int]) -> Packet:
        """The same with some of its words."""
        return Packet(tuple([self.words[w] for w in words]), self.masked)

    def picked(self, picks: Sequence[WordPick]) -> Packet:
        """The same as a port sees it."""
        return Packet(tuple([p.value if p.constant else self.words[p.value] for p in picks]), self.masked)


class Warp(NamedTuple):
    """A packet of several lanes: what it is in each of them. ``threads`` are those that it counts as, None: not known.

    ``split``: its lanes may be those of a half.
    """

    rows: tuple[Packet, ...]
    threads: int | None = None
    split: bool = False

    @property
    def words(self) -> tuple[Word, ...]:
        """Its words in the first live lane: of uniform words those of all."""
        return next((row for row in self.rows if row.masked is False), self.rows[0]).words

    @property
    def masked(self) -> bool | None:
        """Whether no lane is live."""
        masks = {row.masked for row in self.rows}
        return False if False in masks else None if None in masks else True

    def chosen(self, words: Sequence[int]) -> Warp:
        """The same with some of its words."""
        return self._replace(rows=tuple([row.chosen(words) for row in self.rows]))

    def picked(self, picks: Sequence[WordPick]) -> Warp:
        """The same as a port sees it."""
        return self._replace(rows=tuple([row.picked(picks) for row in self.rows]))


AnyPacket = Packet | Warp
Packets = list[Packet]
AnyPackets = Sequence[AnyPacket]


@dataclass(slots=True)
class Firings:
    """What one node does in a launch.

    ``takes`` and ``gives`` say, by port, at which of its ``count`` firings (from 0) a packet is taken and a result
    leaves; a port that is not listed does so at every firing. ``results`` are the packets by output port.

    cycles
        For how many intervals each firing holds the node, at least; empty: for one.
    rounds
        Packets of each round of a barrier; empty: as many as it counts.
    threads
        Threads that each read of a shared memory counts as; empty: one.
    untimed
        Why a firing may take longer than that, for a person; empty: it does not.
    """

    count: int
    results: Sequence[AnyPackets] = field(default_factory=list)
    takes: dict[int, list[int]] = field(default_factory=dict)
    gives: dict[int, list[int]] = field(default_factory=dict)
    exact: bool = True
    cycles: list[int] = field(default_factory=list)
    rounds: list[int] = field(default_factory=list)
    threads: list[int] = field(default_factory=list)
    untimed: str = ""

    @property
    def mean_cycles(self) -> Fraction:
        """For how many intervals a firing holds the node, on average."""
        return Fraction(sum(self.cycles), len(self.cycles)) if self.cycles else Fraction(1)

    def per_round(self, n: int) -> int | None:
        """Packets of a round of a barrier that counts to ``n``; None where not all rounds are alike."""
        if not self.rounds:
            return n
        return self.rounds[0] if len(set(self.rounds)) == 1 else None


@dataclass(frozen=True, slots=True)
class Counts:
    """Per launch: ``firings`` of every node, ``packets`` on every wire.

    exact
        False where data decides and every packet was taken to pass: then the counts are the most there can be.
    nodes
        The patterns behind them. Of measured counts they hold only where they agree with the count.
    """

    firings: tuple[Fraction, ...]
    packets: tuple[Fraction, ...]
    exact: bool
    nodes: tuple[Firings, ...]

    def times(self, launches: int) -> Counts:
        """The same for so many launches in a row; without the packets themselves."""
        if launches == 1:
            return self

        def again(places: Mapping[int, list[int]], count: int) -> dict[int, list[int]]:
            return {port: [k * count + at for k in range(launches) for at in found] for port, found in places.items()}

        return Counts(
            tuple(launches * count for count in self.firings),
            tuple(launches * count for count in self.packets),
            self.exact,
            tuple(
                replace(
                    n,
                    count=launches * n.count,
                    results=[],
                    takes=again(n.takes, n.count),
                    gives=again(n.gives, n.count),
                    cycles=launches * n.cycles,
                    rounds=launches * n.rounds,
                    threads=launches * n.threads,
                )
                for n in self.nodes
            ),
        )


def measured(netlist: Netlist, counters: Counters, launches: int) -> Counts:
    """Counts from a run that stands at the end of its window of so many launches: exact where that is a period.

    Events are counted by time, not by the launch that they belong to: what lags behind the outputs counts as well.
    """
    return Counts(
        tuple(Fraction(int(n), launches) for n in counters.node_firings),
        tuple(Fraction(int(n), launches) for n in counters.wire_entries),
        exact=True,
        nodes=packets_per_launch(netlist).nodes,
    )


def packets_per_launch(netlist: Netlist) -> Counts:
    """Counts of one launch, from the graph and the tokens alone."""
    flow = Flow(netlist)
    flow.run()
    nodes = tuple(firings or Firings(0) for firings in flow.done)
    return Counts(
        tuple(Fraction(node.count) for node in nodes),
        tuple(Fraction(len(packets or ())) for packets in flow.on_wire),
        exact=all(node.exact for node in nodes),
        nodes=nodes,
    )


def certain(netlist: Netlist, counts: Counts) -> tuple[Counts, str]:
    """What happens at least, and why there may be more: what data decides counts as nothing.

    From :func:`packets_per_launch`. Nothing is said either (count 0) of what lies behind a node to which another number
    of packets comes than it takes, as where a loop goes round a number of times that data decides. A pad that alone
    writes an array does so at least once for each of its words. The reason is empty where all counts are certain.
    """
    unsure = {n for n, firings in enumerate(counts.nodes) if not firings.exact}
    reason = "".join(
        counts.nodes[n].untimed or f"data decides what passes {netlist.nodes[n].id}" for n in sorted(unsure)[:1]
    )
    # Of these it is sure how often they work, not what leaves them.
    deciding = {n for n in unsure if netlist.nodes[n].kind in ("gate", "switch", "guard", "accumulate")}
    for n, node in enumerate(netlist.nodes):
        for port in node.inputs if n not in unsure and node.kind != "barrier" else ():
            if _taken(netlist, counts.nodes[n], port) != sum(counts.packets[wire] for wire in port.wires):
                unsure.add(n)
                reason = reason or f"more or less comes to {node.id}.{port.name} than it takes"
    wires: set[int] = set()
    waiting = sorted(unsure)
    while waiting:
        n = waiting.pop()
        for out in netlist.nodes[n].outputs:
            for wire in out.wires:
                target = netlist.wires[wire].target
                wires.add(wire)
                deciding.discard(target)
                if target not in unsure:
                    unsure.add(target)
                    waiting.append(target)
    firings = list(counts.firings)
    for n in unsure - deciding:
        node = netlist.nodes[n]
        firings[n] = Fraction(0)
        if node.kind in ("store", "sink"):
            array = node.params["array"]
            if sum(other.kind in ("store", "sink") and other.params["array"] == array for other in netlist.nodes) == 1:
                firings[n] = Fraction(-(-netlist.arrays[array].words // node.breadth))
    packets = tuple(Fraction(0) if wire in wires else count for wire, count in enumerate(counts.packets))
    return replace(counts, firings=tuple(firings), packets=packets, exact=not unsure), reason


def _taken(netlist: Netlist, firings: Firings, port: InPort) -> int:
    """How many packets a launch's firings take from the wires of a port, those for other ports among them."""
    if not port.wires:
        return 0
    ports = netlist.wires[port.wires[0]].ports
    if any(p not in firings.takes for p in ports):
        return firings.count
    return len({place for p in ports for place in firings.takes[p]})


class Flow:
    """One launch on its way through the machine."""

    def __init__(self, netlist: Netlist) -> None:
        self.netlist = netlist
        self.on_wire: list[AnyPackets | None] = [None] * len(netlist.wires)
        self.done: list[Firings | None] = [None] * len(netlist.nodes)

    def run(self) -> None:
        """Every node once, after those that feed it; around a loop, from a node that is fed from outside too."""
        waiting = list(range(len(self.netlist.nodes)))
        while waiting:
            ready = [n for n in waiting if self._fed(n, all)] or [n for n in waiting if self._fed(n, any)][:1]
            if not ready:
                return  # nothing ever comes to these
            for n in ready:
                self._fire(n)
            waiting = [n for n in waiting if self.done[n] is None]

    def _fed(self, n: int, quantifier: Callable[[Iterable[bool]], bool]) -> bool:
        node = self.netlist.nodes[n]
        if node.kind in ("threads", "stream"):
            return True
        # What comes to these says alone how often the core fires.
        ports = node.inputs[:1] if quantifier is any and node.kind in ("mux", "barrier") else node.inputs
        wires = [wire for port in ports for wire in port.wires]
        return bool(wires) and quantifier(self.on_wire[wire] is not None for wire in wires)

    def _fire(self, n: int) -> None:
        node = self.netlist.nodes[n]
        if node.vector:
            from engine.lane_counts import fire_lanes  # only where there are lanes; it needs the rules below

            firings = fire_lanes(self, node)
        else:
            firings = rule(node.kind)(self, node)
        self.done[n] = firings
        for index, port in enumerate(node.outputs):
            for wire in port.wires:
                words = [word - port.offset for word in self.netlist.wires[wire].words]
                self.on_wire[wire] = [p.chosen(words) for p in firings.results[index]]

    # --- what comes to a port ------------------------------------------------------------------------------

    def known(self, port: InPort) -> bool:
        """Whether what comes on the port's wires has been worked out."""
        return bool(port.wires) and all(self.on_wire[wire] is not None for wire in port.wires)

    def coming(self, port: InPort) -> AnyPackets:
        """The packets that come to a port with wires. Where several meet, their order is not known."""
        lists = [self.on_wire[wire] or [] for wire in port.wires]
        if len(lists) == 1:
            return lists[0]
        together = [packet for packets in lists for packet in packets]
        masks = [set(column) for column in zip(*[[row.masked for row in _rows(p)] for p in together], strict=True)]
        rows = [mask.pop() if len(mask) == 1 else None for mask in masks]
        unknown: AnyPackets = [
            Warp(tuple([Packet((None,) * len(p.words), row) for row in rows]))
            if isinstance(p, Warp)
            else Packet((None,) * len(p.words), rows[0])
            for p in together
        ]
        return unknown

    def raw(self, port: InPort) -> Packets:
        """As :meth:`coming`, where packets are scalars."""
        return cast(Packets, self.coming(port))

    def seen(self, port: InPort) -> Packets:
        """As :meth:`raw`, with the port's choice of words."""
        return cast(Packets, self.seen_there(port))

    def seen_there(self, port: InPort) -> AnyPackets:
        """As :meth:`coming`, with the port's choice of words."""
        packets = self.coming(port)
        as_it_comes = all(not pick.constant and pick.value == i for i, pick in enumerate(port.picks))
        if not packets or (as_it_comes and len(port.picks) == len(packets[0].words)):
            return packets
        return [packet.picked(port.picks) for packet in packets]

    def together(self, node: Node, ports: Sequence[int] | None = None) -> Iterator[tuple[Packet, ...]]:
        """As :meth:`meeting`, where packets are scalars."""
        return cast(Iterator[tuple[Packet, ...]], self.meeting(node, ports))

    def meeting(self, node: Node, ports: Sequence[int] | None = None) -> Iterator[tuple[AnyPacket, ...]]:
        """One packet per port of each firing that takes from all of them; what is not known yet is None words."""
        chosen = [node.inputs[p] for p in (range(len(node.inputs)) if ports is None else ports)]
        if not any(self.known(port) for port in chosen):
            return iter(())
        columns: list[Iterator[AnyPacket]] = []
        for port in chosen:
            if self.known(port):
                columns.append(iter(self.seen_there(port)))
            elif port.wires:
                columns.append(cycle([Packet((None,) * len(port.picks), None)]))
            else:
                columns.append(cycle([Packet(port.immediate or ())]))
        return zip(*columns, strict=False)


def _rows(packet: AnyPacket) -> tuple[Packet, ...]:
    return packet.rows if isinstance(packet, Warp) else (packet,)


def joined_mask(packets: Sequence[Packet]) -> bool | None:
    masks = [packet.masked for packet in packets]
    return True if True in masks else None if None in masks else False


# --- the rules: what one launch makes a node do -----------------------------------------------------------------


def _threads(flow: Flow, node: Node) -> Firings:
    tokens = [Packet(tuple(row)) for row in flow.netlist.tokens.tolist()] if node.outputs[0].wires else []
    return Firings(len(tokens), [tokens])


def _stream(flow: Flow, node: Node) -> Firings:
    words = flow.netlist.arrays[node.params["array"]].words if node.outputs[0].wires else 0
    return Firings(words, [[Packet((None,))] * words])


def _pass_on(flow: Flow, node: Node) -> Firings:
    """relay, buffer: what is seen at the first input goes on."""
    packets = flow.seen(node.inputs[0])
    return Firings(len(packets), [packets])


def _barrier(flow: Flow, node: Node) -> Firings:
    """Packets at arrive are firings as well; ``gives`` tells nothing then, as their order is not known."""
    packets = flow.seen(node.inputs[0])
    arrivals = len(flow.raw(node.inputs[1])) if node.params["has_arrive"] else 0
    return Firings(len(packets) + arrivals, [packets])


def _arithmetic(flow: Flow, node: Node) -> Firings:
    compute = operation(node.kind, node.is_float, node.params.get("op", ""))
    results = []
    for packets in flow.together(node):
        masked = joined_mask(packets)
        word: Word = 0 if masked else None
        words = [packet.words[0] for packet in packets]
        if masked is False and None not in words:
            try:
                word = compute(*words)
            except BadValue:
                word = None
        results.append(Packet((word,), masked))
    return Firings(len(results), [results])


def _address(flow: Flow, node: Node) -> Firings:
    results = []
    for packet in flow.seen(node.inputs[0]):
        words: list[Word] = []
        for constant, factors in node.params["words"]:
            terms = [(k, w) for k, w in zip(factors, packet.words, strict=False) if k]
            sum_of = [k * w for k, w in terms if w is not None]
            words.append(0 if packet.masked else wrap(constant + sum(sum_of)) if len(sum_of) == len(terms) else None)
        results.append(Packet(tuple(words), packet.masked))
    return Firings(len(results), [results])


def _tuple(flow: Flow, node: Node) -> Firings:
    wired = [p for p, port in enumerate(node.inputs) if port.wires or port.immediate]
    results = []
    for packets in flow.together(node, wired):
        masked = joined_mask(packets)
        words = tuple(word for packet in packets for word in packet.words)
        results.append(Packet((0,) * len(words) if masked else words, masked))
    return Firings(len(results), [results])


def _access(flow: Flow, node: Node) -> Firings:
    """load and shared.read: an unknown value, and the echo. store and shared.write: the echo."""
    at, second = node.inputs[0], node.inputs[1] if len(node.inputs) > 1 else None
    ports = [0] if second is None or not (second.wires or second.immediate) else [0, 1]
    firings = list(flow.together(node, ports))
    echoes = flow.raw(at) if at.wires else [Packet(at.immediate or ())] * len(firings)
    if not flow.known(at) and at.wires:
        echoes = [Packet((None,) * node.outputs[-1].width, None)] * len(firings)
    echoes = echoes[: len(firings)]
    if node.kind in ("store", "shared.write"):
        return Firings(len(firings), [echoes])
    other = len(ports) == 2
    values = [Packet((None,), False if other else packets[0].masked) for packets in firings]
    return Firings(len(firings), [values, echoes])


def _sink(flow: Flow, node: Node) -> Firings:
    return Firings(len(flow.seen(node.inputs[0])))


def _guard(flow: Flow, node: Node) -> Firings:
    limits, marks = node.params["limits"], node.params["mode"] == "mark"
    results: Packets = []
    gives: list[int] = []
    exact = True
    packets = flow.seen(node.inputs[0])
    for k, packet in enumerate(packets):
        inside = [word is not None and 0 <= word < n for word, n in zip(packet.words, limits, strict=True) if n >= 0]
        unknown = [word is None for word, n in zip(packet.words, limits, strict=True) if n >= 0]
        open_case = packet.masked is None or (packet.masked is False and any(unknown))
        if marks:
            masked = None if open_case else packet.masked or not all(inside)
            results.append(Packet((0,) * len(packet.words) if masked else packet.words, masked))
            gives.append(k)
        elif open_case or packet.masked or all(inside):
            results.append(packet)
            gives.append(k)
            exact &= not open_case
    return Firings(len(packets), [results], gives={} if len(gives) == len(packets) else {0: gives}, exact=exact)


def _gate(flow: Flow, node: Node) -> Firings:
    results: Packets = []
    gives: list[int] = []
    exact = True
    count = 0
    for count, (packet, cond) in enumerate(flow.together(node), 1):
        masked, word = joined_mask((packet, cond)), cond.words[0]
        known = masked or (word is not None and (word != 0 or masked is False))
        exact &= bool(known)
        if masked or word != 0 or not known:
            results.append(packet)
            gives.append(count - 1)
    return Firings(count, [results], gives={0: gives}, exact=exact)


def _switch(flow: Flow, node: Node) -> Firings:
    results: list[Packets] = [[], []]
    gives: dict[int, list[int]] = {0: [], 1: []}
    exact = True
    count = 0
    for count, (packet, cond) in enumerate(flow.together(node), 1):
        word = cond.words[0]
        exact &= word is not None
        for port in (0, 1) if word is None else (0,) if word else (1,):
            results[port].append(packet)
            gives[port].append(count - 1)
    return Firings(count, results, gives=gives, exact=exact)


def _mux(flow: Flow, node: Node) -> Firings:
    cond_port = node.inputs[0]
    wires = {port.wires: iter(flow.raw(port)) for port in node.inputs[1:] if flow.known(port)}
    blank = Packet((None,) * node.outputs[0].width, None)
    results: Packets = []
    takes: dict[int, list[int]] = {1: [], 2: []}
    exact = True
    conds = list(flow.together(node, [0]))
    for k, (cond,) in enumerate(conds):
        word = cond.words[0]
        exact &= word is not None
        for port in (1, 2) if word is None else (1,) if word else (2,):
            takes[port].append(k)
        if word is None:
            results.append(blank)
            continue
        chosen = node.inputs[1 if word else 2]
        if not chosen.wires:
            results.append(Packet(chosen.immediate or ()))
            continue
        # A wire that serves cond as well gives one packet for both.
        together = flow.raw(cond_port)[k : k + 1] if chosen.wires == cond_port.wires else []
        packet = together[0] if together else next(wires.get(chosen.wires, iter(())), None)
        results.append(packet.picked(chosen.picks) if packet else blank)
    return Firings(len(results), [results], takes, exact=exact)


def _repeat(flow: Flow, node: Node) -> Firings:
    times, group, append = node.params["times"], node.params["group"], node.params["append"]
    packets = flow.seen(node.inputs[0])
    results: Packets = []
    takes: list[int] = []
    for start in range(0, len(packets), group):
        kept = packets[start : start + group]
        takes += range(len(results), len(results) + len(kept))
        for turn in range(times):
            results += [
                Packet((*p.words, 0 if p.masked else turn if p.masked is False else None), p.masked) if append else p
                for p in kept
            ]
    return Firings(len(results), [results], {0: takes})


def _counter(flow: Flow, node: Node) -> Firings:
    start, n, step = node.params["start"], node.params["n"], node.params["step"]
    results = [
        Packet((0 if p.masked else wrap(start + i * step) if p.masked is False else None,), p.masked)
        for p in flow.seen(node.inputs[0])
        for i in range(n)
    ]
    return Firings(len(results), [results], {0: list(range(0, len(results), n))})


def _part_of_group(flow: Flow, node: Node) -> Firings:
    n, of = node.params["n"], node.params["of"]
    packets = flow.seen(node.inputs[0])
    gives = [k for k in range(len(packets)) if (k % of < n) == (node.kind == "take")]
    return Firings(len(packets), [[packets[k] for k in gives]], gives={0: gives})


def _deal(flow: Flow, node: Node) -> Firings:
    n = node.params["n"]
    packets = flow.seen(node.inputs[0])
    gives = {port: list(range(port, len(packets), n)) for port in range(n)}
    return Firings(len(packets), [packets[port::n] for port in range(n)], gives=gives)


def _collect(flow: Flow, node: Node) -> Firings:
    n = node.params["n"]
    # Ports that share a wire take its packets in turn.
    wires = {port.wires: iter(flow.raw(port)) for port in node.inputs if flow.known(port)}
    fixed = {port.name: Packet(port.immediate or ()) for port in node.inputs if not port.wires}
    blank = Packet((None,) * node.outputs[0].width, None)
    results: Packets = []
    while wires:
        port = node.inputs[len(results) % n]
        packet = fixed.get(port.name) or (next(wires[port.wires], None) if port.wires in wires else blank)
        if packet is None:
            break
        results.append(packet.picked(port.picks) if port.wires in wires else packet)
    count = len(results) - len(results) % n
    return Firings(count, [results[:count]], {port: list(range(port, count, n)) for port in range(n)})


def _delay(flow: Flow, node: Node) -> Firings:
    slots, every = node.params["slots"], node.params["every"]
    packets = flow.seen(node.inputs[0])
    results: Packets = []
    for start in range(0, len(packets), every):
        group = packets[start : start + every]
        results += ([Packet(node.params["init"])] * slots + group)[: len(group)]
    return Firings(len(results), [results])


def _accumulate(flow: Flow, node: Node) -> Firings:
    n, ways = node.params["n"], node.params["ways"]
    if not node.inputs[1].wires:
        count = len(flow.seen(node.inputs[0]))
        gives = [k for k in range(count) if k % (n * ways) >= (n - 1) * ways]
        return Firings(count, [[Packet((None,), None)] * len(gives)], gives={0: gives})
    takes: list[int] = []
    gives = []
    exact = True
    count = 0
    for _, last in flow.together(node):
        takes.append(count)
        exact &= last.words[-1] is not None
        closing = ways if last.words[-1] != 0 else 0
        gives += range(count, count + closing)
        count += max(1, closing)
    return Firings(count, [[Packet((None,), None)] * len(gives)], {0: takes, 1: takes}, {0: gives}, exact)


def _scan(flow: Flow, node: Node) -> Firings:
    count = len(flow.seen(node.inputs[0]))
    return Firings(count, [[Packet((None,), None)] * count])


_RULES: dict[str, Callable[[Flow, Node], Firings]] = {
    **dict.fromkeys(ARITHMETIC, _arithmetic),
    **dict.fromkeys(("load", "store", "shared.read", "shared.write"), _access),
    "threads": _threads,
    "barrier": _barrier,
    "stream": _stream,
    "sink": _sink,
    "address": _address,
    "tuple": _tuple,
    "guard": _guard,
    "gate": _gate,
    "switch": _switch,
    "mux": _mux,
    "repeat": _repeat,
    "counter": _counter,
    "take": _part_of_group,
    "skip": _part_of_group,
    "deal": _deal,
    "collect": _collect,
    "delay": _delay,
    "accumulate": _accumulate,
    "scan": _scan,
}


def rule(kind: str) -> Callable[[Flow, Node], Firings]:
    """What a launch makes a node of this kind do, of scalars."""
    return _RULES.get(kind, _pass_on)
