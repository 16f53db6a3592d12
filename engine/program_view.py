"""What the arrays of a running :class:`engine.program.Program` say, in the terms of :mod:`engine.machine`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from engine.machine import (
    KEPT_LATE,
    Cause,
    Counters,
    FaultInfo,
    LateWord,
    NodeView,
    PacketView,
    StateView,
    WindowInfo,
    WireView,
)
from engine.netlist import LOOKAHEAD, Netlist
from engine.program import DECODED, FAULTS, KINDS, NEVER, PAGE, Program
from engine.program_lanes import SCALAR, lane_bits

T = TypeVar("T")

_SEEN = ("packets", "nodes")
"""What of :class:`engine.program_lanes.Lanes` a state shows."""

_PORT_OF = {"wrong-value": 1, "divide-by-zero": 1, "not-finite": -1}
"""Port at which a fault is seen, where that is not the first one."""
_INDEXED = {"unwritten", "written-twice", "wrong-value", "shared-outside", "read-before-write", "given-back"}
_INDEXED |= {"overwrite", "race"}


def window_of(program: Program) -> WindowInfo:
    """The window as far as it is known."""
    run = program.run[0]
    if not run["window"]:
        return WindowInfo()
    return WindowInfo(
        known=True,
        first=int(run["first"]),
        last=int(run["last"]),
        extended_last=int(run["ext"]),
        in_flight=int(run["in_flight"]),
        start_tick=int(run["start_tick"]),
        period_launches=int(run["period"]),
        period_ticks=int(run["period_ticks"]),
    )


def counters_of(net: Netlist, program: Program) -> Counters:
    """The counters as :class:`engine.machine.Counters` says, up to now."""
    run, nodes, wires = program.run[0], program.nodes, program.wires
    n, now, start = len(net.nodes), int(run["now"]), int(run["time_start"])
    pairs = program.counts.reshape(-1, 4).T
    busy, blocked = nodes["busy"].copy(), nodes["blocked"].copy()
    mark, last = nodes["mark"], nodes["last"] + nodes["interval"]
    waiting = nodes["length"] > 0
    heads = np.where(waiting, nodes["queue"] + nodes["head"], 0)
    ready = np.where(waiting, program.packets["time"][heads], NEVER)
    open_ = mark < now
    stuck = open_ & (ready < now)
    end = np.where(stuck, np.maximum(ready, mark), now)
    blocked += np.where(stuck, now - end, 0)
    busy += np.where(open_, np.maximum(np.minimum(last, end) - mark, 0), 0)
    span = max(now - start, 0)
    by_port = np.zeros((n, max([1, *(len(x.inputs) for x in net.nodes)])), np.int64)
    for i, node in enumerate(net.nodes):
        first = int(nodes["port_start"][i])
        by_port[i, : len(node.inputs)] = program.by_port[first : first + len(node.inputs)]
    more = _efforts(net, program)
    best, kept = int(run["pool_best"]), min(int(run["latencies"]), len(program.latencies))
    lined = program.physics.lined if program.physics else nodes[:0]
    coupling = program.physics.field.coupling if program.physics else np.zeros(0, np.int64)
    return Counters(
        firings=pairs["a"][:, :n].copy(),
        live=pairs["b"][:, :n].copy(),
        entries=pairs["a"][:, n:].copy(),
        toggles=pairs["b"][:, n:].copy(),
        node_firings=nodes["firings"].copy(),
        busy=busy,
        blocked=blocked,
        starved=span - busy - blocked,
        starved_by_port=by_port,
        wire_entries=wires["entries"].copy(),
        wire_waits=wires["waits"].copy(),
        accesses=program.pool[best : best + len(net.arrays)].astype(np.int64),
        latency_worst=int(run["latency_worst"]),
        latencies=program.latencies[:kept].copy(),
        node_sleep=_sleep(program, now, 0, nodes["gated"] > 0, np.maximum(last, 0), nodes["length"] == 0),
        wire_sleep=_sleep(
            program, now, n, (wires["gated"] > 0) & (wires["every"] > 0), wires["last_exit"], wires["held"] == 0
        ),
        coupling=coupling.reshape(-1, 4).T.copy() if len(coupling) else np.zeros((4, len(net.wires)), np.int64),
        corrections=lined["corrections"].copy() if len(lined) else None,
        longest=lined["longest"].copy() if len(lined) else None,
        **more,
    )


def _efforts(net: Netlist, program: Program) -> dict[str, Any]:
    """The counters that only wide machines have."""
    lanes = program.lanes
    if lanes is None:
        return {}
    arrays = len(net.arrays)
    counts = lanes.counts.reshape(-1, 4).T
    found = {name: counts[name].copy() for name in ("lanes", "controls", "work", "cycles")}
    return {**found, "words": lanes.words[LOOKAHEAD * arrays : (LOOKAHEAD + 1) * arrays].astype(np.int64)}


def _sleep(program: Program, now: int, first: int, gated: Any, idle_since: Any, empty: Any) -> NDArray[np.int64]:
    """Slept ticks, wakings and delayed words of nodes or wires, whose gates begin at ``first``; none: without rows."""
    if program.physics is None or not gated.any():
        return np.zeros((0, 3), np.int64)
    gates = program.physics.gates[first : first + len(gated)]
    since = np.maximum(np.maximum(gates["since"], idle_since), 0)
    running = np.maximum(now - np.maximum(since + gates["after"], gates["counted"]), 0)
    slept = gates["slept"] + np.where(empty & (gates["asked"] == 0), running, 0)
    rows: NDArray[np.int64] = np.stack([slept, gates["wakes"], gates["delayed"]], axis=1) * gated[:, None]
    return rows


def late_words_of(program: Program) -> tuple[LateWord, ...]:
    """See :meth:`engine.machine.Machine.late_words`."""
    if program.physics is None:
        return ()
    rows = program.physics.late_words[: int(program.run["late"][0])].tolist()
    return tuple(sorted(LateWord(row[0], Cause(row[1]), *row[2:]) for row in rows)[:KEPT_LATE])


class _Reader:
    """Packets and ports out of the arrays."""

    def __init__(self, net: Netlist, program: Program) -> None:
        self.net, self.program = net, program
        self.stride = int(program.run["stride"][0])

    def packet(self, place: int, width: int, count: int = 1) -> PacketView:
        header = self.program.packets[place]
        at = place * self.stride
        lanes, live, stack = self._lanes(place, count)
        return PacketView(
            words=tuple(self.program.words[at : at + width].tolist()),
            launch=int(header["launch"]),
            any=bool(header["flags"] & 1),
            block=int(header["block"]),
            thread=int(header["thread"]),
            barriers=int(header["barriers"]),
            masked=bool(header["flags"] & 2),
            lanes=lanes,
            live=live,
            stack=stack,
        )

    def _lanes(self, place: int, count: int) -> tuple[int, int, tuple[int, ...]]:
        """Lanes, live mask and stack of a packet of ``count`` lanes or one."""
        if self.program.lanes is None:
            return 1, 0, ()
        header = self.program.lanes.packets[place]
        live, stack = int(header["live"]), int(header["stack"])
        if live & SCALAR:
            return 1, 0, ()
        return count, live, tuple(stack >> 8 * k & 255 for k in range(stack >> 24))

    def ring(self, base: int, head: int, length: int, size: int) -> list[int]:
        return [base + (head + i) % size for i in range(length)]

    def head(self, wire: int) -> PacketView:
        row = self.program.wires[wire]
        return self.packet(int(row["ring"] + row["head"]), int(row["width"]), self.net.wires[wire].lanes)

    def seen(self, node: int, port: int) -> tuple[int, ...]:
        """The words that a node sees at a port, which has a packet there."""
        spec = self.net.nodes[node].inputs[port]
        if not spec.wires:
            return spec.immediate or ()
        wire, seen = self.program.wires[self.chosen(node, port)], self._port(node, port)
        at = int(wire["ring"] + wire["head"]) * self.stride
        live = self.program.lanes.packets["live"][int(wire["ring"] + wire["head"])] if self.program.lanes else 0
        found = []
        for place, value in self.program.picks[int(seen["pick"]) :][: len(spec.picks)].tolist():
            found.append(value if place < 0 else wrapped(int(self.program.words[at + place]) + value))
        if len(spec.wires) > 1 and spec.lanes > 1 and not live & SCALAR:
            # Where words are spread over lanes, those of masked ones are 0.
            bits = lane_bits(spec.forms, spec.lanes)
            found = [word if bit & live else 0 for word, bit in zip(found, bits, strict=True)]
        return tuple(found)

    def _port(self, node: int, port: int) -> Any:
        return self.program.ports[int(self.program.nodes[node]["port_start"]) + port]

    def in_lane(self, node: int, port: int, lane: int) -> tuple[int, ...]:
        """The words that a core with lanes sees at a port in one lane."""
        lanes, start = self.program.lanes, int(self.program.nodes[node]["port_start"]) + port
        assert lanes is not None
        row, breadth = lanes.ports[start], int(lanes.nodes["breadth"][node])
        base = 0
        if self.net.nodes[node].inputs[port].wires:
            wire = self.program.wires[self.chosen(node, port)]
            base = int(wire["ring"] + wire["head"]) * self.stride
        picks = self.program.picks[int(row["spread"]) :]
        found = []
        for k in range(int(row["words"])):
            place, value = picks[k * breadth + lane].tolist()
            found.append(value if place < 0 else wrapped(int(self.program.words[base + place]) + value))
        return tuple(found)

    def chosen(self, node: int, port: int) -> int:
        return int(self._port(node, port)["chosen"])


def wrapped(value: int) -> int:
    """The low 32 bits as a signed number."""
    return (value + 2**31) % 2**32 - 2**31


def fault_of(net: Netlist, program: Program) -> FaultInfo:
    """The fault of a stopped run. The firing has changed nothing, so its packets are still where they were."""
    run, reader = program.run[0], _Reader(net, program)
    code, node, tick = FAULTS[int(run["fault"])], int(run["f_node"]), int(run["now"])
    kind, row = net.nodes[node].kind, program.nodes[node]
    if code == "lost-words":
        launch = int(run["x_launch"] if kind == "barrier" else run["f_launch"])
        record = program.launches[launch % LOOKAHEAD]
        return FaultInfo(
            code, tick, node, launch=launch, other=int(record["words_left"]), other_node=int(record["dropper"])
        )
    if code == "mixed-launches":
        return _mixed(net, reader, node, tick)
    port = int(run["f_port"]) if code in DECODED else _PORT_OF.get(code, 0)
    launch, block, thread = int(run["f_launch"]), int(run["f_block"]), int(run["f_thread"])
    if kind == "barrier":
        port = int(run["f_port"])
        packet = reader.head(reader.chosen(node, port))
        launch, block, thread = -1 if packet.any else packet.launch, packet.block, packet.thread
    elif kind == "sink":
        port = 0
    elif code == "open-group" and kind == "collect":
        port = int(row["count"])
    index: tuple[int, ...] = ()
    words = reader.seen(node, port) if port >= 0 else ()
    other, other_node, expected, got = -1, -1, 0, 0
    lane = int(run["f_lane"])
    if code == "open-group":
        index, other = (int(row["group"]),), int(row["count"])
    elif code == "outside":
        index = words if lane < 0 else reader.in_lane(node, 0, lane)
    elif code in _INDEXED:
        index = (int(run["f_index"]),)
    if code == "wrong-value":
        expected, got = int(run["f_expected"]), int(run["f_got"])
    elif code == "extra-word":
        other, got = int(run["f_index"]), int(run["f_got"])
    elif code == "not-finite":
        got = int(run["f_got"])
    elif code in DECODED:
        other = int(run["f_other"])
    elif code in ("other-half", "lane-twice", "not-split", "lanes-missing", "deep-split"):
        port = int(run["f_port"]) if code != "deep-split" else 0
        words = reader.seen(node, port)
        other = int(run["f_other"]) if code in ("other-half", "deep-split") else -1
    elif code in ("overwrite", "race"):
        other, other_node = int(run["f_other"]), int(run["f_other_node"])
    return FaultInfo(
        code,
        tick,
        node,
        port,
        launch,
        block,
        thread,
        words,
        index,
        expected,
        got,
        other=other,
        other_node=other_node,
        lane=lane,
    )


def _mixed(net: Netlist, reader: _Reader, node: int, tick: int) -> FaultInfo:
    """The first packet with a launch, and the first port with another one."""
    kind, first = net.nodes[node].kind, None
    for port, spec in enumerate(net.nodes[node].inputs):
        if not spec.wires:
            continue
        if kind == "mux" and port == (2 if reader.seen(node, 0)[0] else 1):
            continue
        packet = reader.head(reader.chosen(node, port))
        if packet.any:
            continue
        if first is None:
            first = packet
        elif packet.launch != first.launch:
            return FaultInfo(
                "mixed-launches",
                tick,
                node,
                port,
                first.launch,
                first.block,
                first.thread,
                reader.seen(node, port),
                other=packet.launch,
            )
    raise AssertionError("no launches differ")


class _Views(Sequence[T]):
    """What ``make`` gives for 0 … count − 1, made when it is first looked at: a picture looks at few of many."""

    def __init__(self, count: int, make: Callable[[int], T]) -> None:
        self._make = make
        self._made: list[T | None] = [None] * count

    def __len__(self) -> int:
        return len(self._made)

    @overload
    def __getitem__(self, i: int) -> T: ...
    @overload
    def __getitem__(self, i: slice) -> tuple[T, ...]: ...
    def __getitem__(self, i: int | slice) -> T | tuple[T, ...]:
        if isinstance(i, slice):
            return tuple(self[k] for k in range(*i.indices(len(self))))
        found = self._made[i]
        if found is None:
            found = self._made[i] = self._make(i if i >= 0 else i + len(self))
        return found

    def __eq__(self, other: object) -> bool:
        return tuple(self) == (tuple(other) if isinstance(other, Sequence) else other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(tuple(self))


def state_of(net: Netlist, program: Program) -> StateView:
    """Everything that moves, as :class:`engine.machine.StateView` says, of this moment."""
    held = replace(
        program,
        nodes=program.nodes.copy(),
        wires=program.wires.copy(),
        packets=program.packets.copy(),
        words=program.words.copy(),
        lanes=program.lanes and program.lanes._replace(**{name: getattr(program.lanes, name).copy() for name in _SEEN}),
    )
    reader = _Reader(net, held)
    return StateView(
        int(program.run["now"][0]),
        _Views(len(net.nodes), partial(_node_view, net, reader)),
        _Views(len(net.wires), partial(_wire_view, net, reader)),
        _pages(net, program),
        np.maximum(_last_firings(held), -1),
        np.maximum(held.wires["last_exit"], -1),
    )


def _last_firings(program: Program) -> Any:
    """Ticks of the last firings; before 0 where there was none."""
    return program.nodes["last"] if program.lanes is None else program.lanes.nodes["fired"]


def _wire_view(net: Netlist, reader: _Reader, w: int) -> WireView:
    row, width, packets = reader.program.wires[w], len(net.wires[w].words), []
    places = reader.ring(int(row["ring"]), int(row["head"]), int(row["held"]), int(row["length"]) + 1)
    for i, place in enumerate(places):
        entry = int(reader.program.packets["time"][place])
        ready = int(row["head_ready"]) if i == 0 else entry + int(row["transit"])
        packets.append((reader.packet(place, width, net.wires[w].lanes), entry, ready))
    return WireView(tuple(packets), _tick(row["last_entry"]), _tick(row["last_exit"]))


def _tick(value: Any) -> int:
    return max(int(value), -1)


def _node_view(net: Netlist, reader: _Reader, i: int) -> NodeView:
    node, row, program = net.nodes[i], reader.program.nodes[i], reader.program
    places = reader.ring(int(row["queue"]), int(row["head"]), int(row["length"]), max(int(row["room"]), 1))
    results = []
    for place in places:
        header = program.packets[place]
        results.append((reader.packet(place, node.result_width, node.lanes), int(header["time"]), int(header["port"])))
    outs = [w for port in node.outputs for w in port.wires]
    taken = tuple(w for w in outs if program.wires["taken"][w])
    count, turn = int(row["count"]), int(row["turn"])
    kept, width = 0, node.result_width
    match node.kind:
        case "repeat":
            kept, width = int(row["b"]) if turn else count, width - int(row["c"])
            count += turn * int(row["b"])
        case "counter":
            kept, count, width = int(turn > 0), turn, node.inputs[0].width
        case "unpack":
            kept, width = turn, node.inputs[0].width
        case "barrier":
            kept = count if int(row["c"]) < 0 else 0
            if program.lanes is not None and kept:
                count = int(program.lanes.nodes["rows"][i])
        case "threads" | "stream":
            count = int(row["made"])
    slots = tuple(reader.packet(int(row["slots"]) + k, width, node.breadth) for k in range(kept))
    return NodeView(tuple(results), taken, slots, count, int(row["group"]), _tick(_last_firings(program)[i]))


def _pages(net: Netlist, program: Program) -> tuple[tuple[tuple[int, int, int, int], ...], ...]:
    place = {}
    for i, node in enumerate(net.nodes):
        if node.kind in ("shared.write", "shared.read"):
            place[node.params["memory"]] = int(program.nodes["a"][i])
    found = []
    for number, memory in enumerate(net.memories):
        at = place[number] + 3
        pages = []
        for _ in range(memory.pages):
            launch, block, reads, written = program.pool[at : at + 4].tolist()
            pages.append((launch - 1, block, reads, written) if launch else (-1, -1, 0, 0))
            at += PAGE
        found.append(tuple(pages))
    return tuple(found)


def pending_after(program: Program, tick: int) -> bool:
    """Whether anything but a node's interval is still to pass after ``tick`` (see "The window" in docs/model.md)."""
    run, nodes, wires, packets = program.run[0], program.nodes, program.wires, program.packets
    record = program.launches[int(run["completed"]) % LOOKAHEAD]
    if run["completed"] < run["issued"] and record["words_left"] == 0 and record["done"] > tick:
        return True
    if bool(((wires["held"] > 0) & (wires["head_ready"] > tick)).any()):
        return True
    empty = nodes["length"] == 0
    sources = nodes["kind"] >= KINDS["threads"]
    if bool((sources & empty & (nodes["waiting"] == 0) & (nodes["make_at"] > tick) & (nodes["make_at"] < NEVER)).any()):
        return True
    ready = packets["time"][np.where(empty, 0, nodes["queue"] + nodes["head"])]
    if bool((~empty & (ready > tick)).any()):
        return True
    if program.physics is not None:  # a word waits for whoever is not awake yet
        gates = program.physics.gates
        if bool(((gates["refused"] == gates["usable"]) & (gates["usable"] > tick)).any()):
            return True
    out = ~empty[wires["source"]] & (wires["taken"] == 0) & (wires["every"] > 0) & (wires["held"] <= wires["length"])
    exits = np.where(wires["held"] == wires["length"], wires["last_exit"], -NEVER)
    late = np.maximum(wires["last_entry"], exits) + wires["every"] > tick
    for w in np.flatnonzero(out & late):
        source = nodes[wires["source"][w]]
        port = int(packets["port"][source["queue"] + source["head"]])
        if port < 0 or _leaves_at(program, int(wires["source"][w]), port, int(w)):
            return True
    return False


def _leaves_at(program: Program, node: int, port: int, wire: int) -> bool:
    start, count = program.ids[int(program.nodes[node]["out_ports"]) + 2 * port :][:2].tolist()
    return wire in program.ids[start : start + count].tolist()
