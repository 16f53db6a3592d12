"""What one launch makes nodes with lanes do: the rules of :mod:`engine.counts`, in every lane.

Most kinds do in each lane what they do with scalars, and fire as often. Those that know of lanes have rules here; and
pads and shared memories, whose addresses tell how long an access takes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from engine.counts import AnyPacket, AnyPackets, Firings, Flow, Packet, Warp, Word, rule
from engine.netlist import InPort, Netlist, Node, values_of
from engine.plain.values import BadValue, operation, wrap

UNKNOWN = -1
"""Threads of packets that are not followed one by one."""


def fire_lanes(flow: Flow, node: Node) -> Firings:
    """What a node with lanes does in a launch."""
    own = _RULES.get(node.kind)
    firings = own(flow, node) if own else _timed(flow, node, _lane_by_lane(flow, node))
    if node.lanes == 1:  # its packets are scalars
        results = [[row_of(packet, 0) for packet in packets] for packets in firings.results]
        return replace(firings, results=results)
    return firings


class _Lane(Flow):
    """One lane of a launch on its way through the machine."""

    def __init__(self, flow: Flow, lane: int) -> None:
        self.netlist, self.on_wire, self.done, self.lane = flow.netlist, flow.on_wire, flow.done, lane

    def coming(self, port: InPort) -> AnyPackets:
        forms = self.netlist.wires[port.wires[0]].forms if len(port.wires) == 1 else ()
        return [row_of(packet, self.lane, forms) for packet in super().coming(port)]


def row_of(packet: AnyPacket, lane: int, forms: Sequence[int | None] = ()) -> Packet:
    """A packet in one lane; a scalar is the same in all. Words that are uniform are so in masked lanes as well."""
    if isinstance(packet, Packet):
        return packet
    row = packet.rows[lane]
    if row.masked and 0 in forms:
        words = [packet.words[w] if form == 0 else row.words[w] for w, form in enumerate(forms)]
        return Packet(tuple(words), row.masked)
    return row


def _lane_by_lane(flow: Flow, node: Node) -> Firings:
    """The rule of scalars in each lane. All fire alike: what decides about packets is the same in all lanes."""
    found = [rule(node.kind)(_Lane(flow, lane), node) for lane in range(node.breadth)]
    first = found[0]
    ports = range(len(first.results))
    headers = _headers(flow, node, first.count)
    results = [
        [
            Warp(tuple(rows), *headers[place])
            for place, *rows in zip(_places(first, port), *[f.results[port] for f in found], strict=False)
        ]
        for port in ports
    ]
    return replace(first, results=results, exact=all(f.exact for f in found))


def _places(firings: Firings, port: int) -> Sequence[int]:
    """At which firings results leave at a port."""
    return firings.gives.get(port, range(firings.count))


def _headers(flow: Flow, node: Node, firings: int) -> list[tuple[int | None, bool]]:
    """Threads, and whether lanes may be missing that the other half has, of what comes to each firing."""
    found: list[tuple[int | None, bool]] = [(None, False)] * firings
    for port in node.inputs:
        if flow.known(port):
            packets = flow.coming(port)
            if len(packets) != firings:
                return [(UNKNOWN, False)] * firings
            for k, packet in enumerate(packets):
                if isinstance(packet, Warp):
                    threads, split = found[k]
                    found[k] = packet.threads if threads is None else threads, split or packet.split
    return found


# --- pads, shared memories and barriers --------------------------------------------------------------------------


def _timed(flow: Flow, node: Node, firings: Firings) -> Firings:
    """The same with how long accesses take, what reads count as, and rounds of barriers."""
    if node.kind in ("load", "store"):
        return _with_cycles(flow, node, firings, _lines(flow.netlist, node), f"how many lines {node.id} moves")
    if node.kind in ("shared.read", "shared.write"):
        if flow.netlist.memories[node.params["memory"]].banks:
            firings = _with_cycles(flow, node, firings, _conflicts(flow.netlist, node), f"which banks {node.id} needs")
        if node.kind == "shared.read":
            threads = [_threads(packet) for packet in flow.coming(node.inputs[0])]
            firings = replace(firings, threads=[n for n in threads if n is not None])
        return firings
    if node.kind == "barrier":
        return replace(firings, rounds=_rounds(flow, node))
    return firings


Cost = Callable[[list[tuple[int, ...]]], int]
"""How many intervals an access to some words takes."""


def _with_cycles(flow: Flow, node: Node, firings: Firings, cost: Cost, what: str) -> Firings:
    cycles, known = [], True
    uniform = not any(node.inputs[0].forms)
    for packets in flow.meeting(node, [0, 1] if node.kind in ("store", "shared.write") else [0]):
        asked: list[tuple[int, ...]] = []
        for lane in range(node.breadth):
            rows = [row_of(packet, lane) for packet in packets]
            words = rows[0].words
            live = all(row.masked is False for row in rows)
            masked = any(row.masked for row in rows)
            if live and None not in words:
                asked.append(tuple(word for word in words if word is not None))
            elif not masked:
                known = known and uniform
        cycles.append(max(1, cost(asked)) if asked else 1)
    return replace(firings, cycles=cycles, untimed="" if known else f"data decides {what}")


def _lines(netlist: Netlist, node: Node) -> Cost:
    array = netlist.arrays[node.params["array"]]

    def cost(words: list[tuple[int, ...]]) -> int:
        lines = set()
        for index in words:
            flat = 0
            for length, i in zip(array.shape, index, strict=True):
                flat = flat * length + i
            lines.add(flat // array.line)
        return len(lines)

    return cost


def _conflicts(netlist: Netlist, node: Node) -> Cost:
    memory = netlist.memories[node.params["memory"]]

    def cost(words: list[tuple[int, ...]]) -> int:
        places = {memory.place(cell) for cell, *_ in words}
        banks = [place % memory.banks for place in places]
        return max(map(banks.count, banks), default=0)

    return cost


def _threads(packet: AnyPacket) -> int | None:
    if isinstance(packet, Packet):
        return 1
    if packet.threads == UNKNOWN:
        return None
    if packet.split or packet.threads is None:
        masks = [row.masked for row in packet.rows]
        return None if None in masks else masks.count(False)
    return packet.threads


def _rounds(flow: Flow, node: Node) -> list[int]:
    """Packets of each round of a barrier; 0 stands for what is not known."""
    rounds, packets, threads = [], 0, 0
    for packet in flow.coming(node.inputs[0]):
        counted = _threads(packet)
        if counted is None:
            return [0]
        packets, threads = packets + 1, threads + counted
        if threads >= node.params["n"]:
            rounds.append(packets)
            packets = threads = 0
    return [*rounds, 0] if packets else rounds


# --- what knows of lanes --------------------------------------------------------------------------------------------


def _threads_pad(flow: Flow, node: Node) -> Firings:
    net = flow.netlist
    assert net.token_live is not None
    if not node.outputs[0].wires:
        return Firings(0, [[]])
    places = values_of(node.forms, node.lanes)
    tokens = []
    for values, live, thread in zip(
        net.tokens.tolist(), net.token_live.tolist(), net.token_thread.tolist(), strict=True
    ):
        rows = []
        for lane in range(node.lanes):
            words = [
                values[place + lane] if form is None else wrap(values[place] + form * lane)
                for form, (place, _) in zip(node.forms, places, strict=True)
            ]
            rows.append(Packet(tuple(words), not live >> lane & 1))
        threads = min(node.lanes, net.threads_per_block - thread % net.threads_per_block)
        tokens.append(Warp(tuple(rows), threads))
    return Firings(len(tokens), [tokens])


def _masks(flow: Flow, node: Node) -> list[tuple[AnyPacket, list[bool | None], list[bool | None]]]:
    """Of each firing of a gate or switch the packet at in, its lanes' masks, and whether they are wanted (None: not
    known)."""
    found = []
    for packet, cond in flow.meeting(node):
        masks: list[bool | None] = []
        wanted: list[bool | None] = []
        for lane in range(node.breadth):
            rows = row_of(packet, lane), row_of(cond, lane)
            mask = (
                True
                if True in (rows[0].masked, rows[1].masked)
                else None
                if None in (rows[0].masked, rows[1].masked)
                else False
            )
            word = rows[1].words[0]
            masks.append(mask)
            wanted.append(None if word is None else word != 0)
        found.append((packet, masks, wanted))
    return found


def _masked(packet: AnyPacket, masks: Sequence[bool | None], lanes: int, split: bool | None = None) -> Warp:
    """A packet with other masks."""
    rows = []
    for lane, mask in enumerate(masks):
        words = row_of(packet, lane).words
        rows.append(Packet((0,) * len(words) if mask else words, mask))
    warp = packet if isinstance(packet, Warp) else Warp((packet,) * lanes)
    return Warp(tuple(rows), warp.threads, warp.split if split is None else split)


def _either(mask: bool | None, other: bool | None) -> bool | None:
    """Masked if one of both is."""
    return True if True in (mask, other) else None if None in (mask, other) else False


def _not(value: bool | None) -> bool | None:
    return None if value is None else not value


def _gate(flow: Flow, node: Node) -> Firings:
    results: list[Warp] = []
    gives: list[int] = []
    exact = True
    firings = _masks(flow, node)
    for k, (packet, masks, wanted) in enumerate(firings):
        left = _masked(packet, [_either(m, _not(w)) for m, w in zip(masks, wanted, strict=True)], node.breadth)
        empty = all(masks)
        exact &= left.masked is not None or (empty and None not in masks)
        if left.masked is not True or empty:
            results.append(left)
            gives.append(k)
    return Firings(len(firings), [results], gives={0: gives}, exact=exact)


def _guard(flow: Flow, node: Node) -> Firings:
    """Lanes outside are masked; a packet of which none is left is dropped, with mark kept."""
    limits = node.params["limits"]
    keeps = node.params["mode"] == "mark"
    results: list[Warp] = []
    gives: list[int] = []
    exact = True
    packets = flow.seen_there(node.inputs[0])
    for k, packet in enumerate(packets):
        masks: list[bool | None] = []
        for lane in range(node.breadth):
            row = row_of(packet, lane)
            outside = [None if w is None else not 0 <= w < n for w, n in zip(row.words, limits, strict=True) if n >= 0]
            masks.append(_either(row.masked, True if True in outside else None if None in outside else False))
        left = _masked(packet, masks, node.breadth)
        came_empty = packet.masked
        exact &= left.masked is not None or keeps
        if keeps or left.masked is not True or came_empty:
            results.append(left)
            gives.append(k)
    return Firings(len(packets), [results], gives={} if len(gives) == len(packets) else {0: gives}, exact=exact)


def _switch(flow: Flow, node: Node) -> Firings:
    results: list[list[AnyPacket]] = [[], [], []]
    gives: dict[int, list[int]] = {0: [], 1: [], 2: []}
    keep = bool(node.params.get("keep"))
    told = any(port.wires for port in node.outputs[2:])
    exact = True
    firings = _masks(flow, node)
    for k, (packet, masks, wanted) in enumerate(firings):
        empty = all(masks)
        sides = [
            _masked(packet, [_either(m, _not(w)) for m, w in zip(masks, wanted, strict=True)], node.breadth, True),
            _masked(packet, [_either(m, w) for m, w in zip(masks, wanted, strict=True)], node.breadth, True),
        ]
        sent = [side.masked is not True for side in sides]
        if empty:
            sent = [False, True]
        exact &= keep or empty or None not in (sides[0].masked, sides[1].masked)
        order: Word = sent[0] | sent[1] << 1 if exact else None
        for port in (0, 1):
            if sent[port] or keep:
                results[port].append(sides[port])
                gives[port].append(k)
        if told:
            results[2].append(Packet((3 if keep else order,), False))
            gives[2].append(k)
    return Firings(len(firings), results[: len(node.outputs)], gives=gives, exact=exact)


def _join(flow: Flow, node: Node) -> Firings:
    """Halves of one split have the same number in both arms where these keep the order; else counts are not known."""
    sides = [list(flow.seen_there(port)) if flow.known(port) else [] for port in node.inputs[:2]]
    if not node.inputs[2].wires:
        # Whose turn it is goes by time.
        most = max(map(len, sides))
        blank = Warp((Packet((None,) * node.outputs[0].width, None),) * node.lanes)
        return Firings(most, [[blank] * most], exact=False, untimed=f"time decides whose turn it is at {node.id}")
    orders = [packet.words[0] for packet in flow.seen(node.inputs[2])]
    takes: dict[int, list[int]] = {0: [], 1: [], 2: list(range(len(orders)))}
    heads = [iter(side) for side in sides]
    results: list[Warp] = []
    exact = None not in orders
    for k, word in enumerate(orders):
        taken: list[AnyPacket] = []
        for port in (0, 1):
            if word is None or word >> port & 1:
                takes[port].append(k)
                packet = next(heads[port], None)
                taken += [packet] if packet is not None and word is not None else []
        rows = []
        for lane in range(node.lanes):
            halves = [row_of(half, lane) for half in taken]
            live = next((half for half in halves if half.masked is False), None)
            unknown = not halves or any(half.masked is None for half in halves)
            nothing = (None if unknown else 0,) * node.outputs[0].width
            rows.append(live or Packet(nothing, None if unknown else True))
        threads = next((half.threads for half in taken if isinstance(half, Warp)), None)
        results.append(Warp(tuple(rows), threads))
    return Firings(len(orders), [results], takes, exact=exact)


def _pack(flow: Flow, node: Node) -> Firings:
    n, every = node.params["n"], node.params["every"] or node.params["n"]
    packets = flow.seen(node.inputs[0])
    blank = Packet((0,) * node.result_width, True)
    results: list[Warp] = []
    gives: list[int] = []
    group: list[Packet] = []
    for k, packet in enumerate(packets):
        group.append(packet)
        ends = k % every == every - 1
        if len(group) == n or ends:
            results.append(Warp((*group, *[blank] * (n - len(group)))))
            gives.append(k)
            group = []
    return Firings(len(packets), [results], gives={0: gives})


def _unpack(flow: Flow, node: Node) -> Firings:
    results: list[Packet] = []
    takes: list[int] = []
    gives: list[int] = []
    exact, firing = True, 0
    for packet in flow.seen_there(node.inputs[0]):
        rows = [row_of(packet, lane) for lane in range(node.breadth)]
        if node.params["drop"]:
            exact &= all(row.masked is not None for row in rows)
            rows = [row for row in rows if not row.masked]
        takes.append(firing)
        results += rows
        gives += range(firing, firing + len(rows))
        firing += max(1, len(rows))
    return Firings(firing, [results], {0: takes}, {} if len(gives) == firing else {0: gives}, exact)


def _compact(flow: Flow, node: Node) -> Firings:
    """Which lanes are gathered is followed only as far as their number."""
    n, every = node.params["n"], node.params["every"]
    packets = flow.seen_there(node.inputs[0])
    width = node.result_width
    results: list[Warp] = []
    gives: list[int] = []
    exact, open_lanes = True, 0

    def leave(live: int, k: int) -> None:
        masks = [lane >= live for lane in range(n)]
        results.append(Warp(tuple([Packet(((0 if mask else None),) * width, mask) for mask in masks])))
        gives.append(k)

    for k, packet in enumerate(packets):
        masks = [row_of(packet, lane).masked for lane in range(node.inputs[0].lanes)]
        exact &= None not in masks
        open_lanes += sum(mask is not True for mask in masks)
        while open_lanes >= n:
            leave(n, k)
            open_lanes -= n
        if k % every == every - 1 and open_lanes:
            leave(open_lanes, k)
            open_lanes = 0
    twice = len(set(gives)) < len(gives)
    untimed = f"{node.id} gives two packets at once" if exact and twice else ""
    return Firings(len(packets), [results], gives={0: gives}, exact=exact and not twice, untimed=untimed)


def _shuffle(flow: Flow, node: Node) -> Firings:
    pattern, k, fill = (node.params[name] for name in ("pattern", "k", "fill"))
    n = node.lanes
    results = []
    for packet in flow.seen_there(node.inputs[0]):
        rows = []
        for lane in range(n):
            other = {"up": lane - k, "down": lane + k, "xor": lane ^ k}[pattern]
            source = row_of(packet, other) if 0 <= other < n else None
            unknown = source is not None and source.masked is None
            words = fill if source is None or source.masked else source.words
            mask = row_of(packet, lane).masked
            rows.append(Packet((0,) * len(words) if mask else (None,) * len(words) if unknown else tuple(words), mask))
        results.append(_like(packet, rows))
    return Firings(len(results), [results])


def _like(packet: AnyPacket, rows: list[Packet]) -> Warp:
    return packet._replace(rows=tuple(rows)) if isinstance(packet, Warp) else Warp(tuple(rows))


def _reduce(flow: Flow, node: Node) -> Firings:
    op = node.params["op"]
    results = []
    for packet in flow.seen_there(node.inputs[0]):
        rows = [row_of(packet, lane) for lane in range(node.breadth)]
        live = [row.words[0] for row in rows if row.masked is False]
        certain = all(row.masked is not None for row in rows) and None not in live
        words = [word for word in live if word is not None]
        results.append(
            Packet((_reduced(node, op, words) if certain and words else 0 if packet.masked else None,), packet.masked)
        )
    return Firings(len(results), [results])


def _reduced(node: Node, op: str, words: list[int]) -> Word:
    if op in ("any", "all"):
        return int(any(words) if op == "any" else all(words))
    if op in ("count", "first"):
        return len(words) if op == "count" else words[0]
    if node.is_float:
        return None  # the order of roundings is the machine's
    total, fold = words[0], operation(op, False)
    for word in words[1:]:
        try:
            total = fold(total, word)
        except BadValue:
            return None
    return total


_RULES: dict[str, Callable[[Flow, Node], Firings]] = {
    "threads": _threads_pad,
    "gate": _gate,
    "guard": _guard,
    "switch": _switch,
    "join": _join,
    "pack": _pack,
    "unpack": _unpack,
    "compact": _compact,
    "shuffle": _shuffle,
    "reduce": _reduce,
}
