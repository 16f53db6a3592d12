"""What a machine computes, without time: a third reading of the rules, for the values only.

Wires are queues without end and a core fires whenever its inputs are there (a Kahn process network, 1974). As far as
a machine's result does not depend on time, its words and headers are what this finds; so it supplies the ground truth
of random graphs. Where arrivals race (fan-in), it serves the wires in any order.

Works on :class:`engine.netlist.Netlist` or on anything with the same attributes that grows while it is run.
"""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tests.words import RELATIONS, Bad, Words, compute, real, wrap


class Packet(NamedTuple):
    """Words as signed bit patterns, and the header of docs/model.md."""

    words: Words
    launch: int
    any: bool = False
    block: int = -1
    thread: int = -1
    barriers: int = 0
    masked: bool = False

    def carry(self, words: Words) -> Packet:
        """This header with other words."""
        return Packet(words, *self[1:])


def join(packets: Sequence[Packet]) -> Packet:
    """The header of a result made from ``packets``; its words do not matter."""
    if len(packets) == 1:
        return packets[0]
    sure = [p.launch for p in packets if not p.any]
    if len(set(sure)) > 1:
        raise Bad("mixed-launches")
    blocks = {p.block for p in packets} - {-1}
    threads = {p.thread for p in packets} - {-1}
    return Packet(
        (),
        sure[0] if sure else max(p.launch for p in packets),
        not sure,
        blocks.pop() if len(blocks) == 1 else -1,
        threads.pop() if len(threads) == 1 else -1,
        max(p.barriers for p in packets),
        any(p.masked for p in packets),
    )


class Flow:
    """A machine's packets, taken as far as they go.

    ``data(array, launch)`` gives an input array's words. ``feed`` lets every source make the next launch; ``settle``
    fires whatever can. ``kept[node]`` are all (port or -1, packet) that a node has made, if ``keep``;
    ``stored[array][launch]`` maps flat indices to words. The first fault of a node stops that node and is noted in
    ``faults`` as (code, node).
    """

    def __init__(self, nodes: Any, wires: Any, net: Any, data: Callable[[int, int], Any], keep: bool = False) -> None:
        self.nodes, self.wires, self.net, self.data, self.keep = nodes, wires, net, data, keep
        self.queues: list[deque[Packet]] = []
        self.state: list[dict[str, Any]] = []
        self.kept: list[list[tuple[int, Packet]]] = []
        self.pages: dict[int, dict[tuple[int, int], dict[str, Any]]] = {}
        self.stored: dict[int, dict[int, dict[int, int]]] = {}
        self.faults: list[tuple[str, int]] = []
        self.launches = 0
        self.echo: Words = ()

    def grow(self) -> None:
        """Take in nodes and wires that are new; a wire at an old port gets all that the port has given."""
        while len(self.queues) < len(self.wires):
            wire = self.wires[len(self.queues)]
            queue: deque[Packet] = deque()
            if wire.source < len(self.kept):
                for port, packet in self.kept[wire.source]:
                    if port in (-1, wire.source_port):
                        queue.append(self._cut(wire, packet))
            self.queues.append(queue)
        while len(self.state) < len(self.nodes):
            index = len(self.state)
            self.state.append({})
            self.kept.append([])
            node = self.nodes[index]
            if node.kind == "delay":
                init = Packet(tuple(node.params["init"]), 0, True)
                for _ in range(node.params["slots"]):
                    self._send(index, -1, init)
            for launch in range(self.launches):
                self._source(index, launch)

    def shrink(self, nodes: int, wires: int, faults: int) -> None:
        """Forget what was added after there were so many nodes, wires and faults."""
        del self.queues[wires:], self.state[nodes:], self.kept[nodes:], self.faults[faults:]

    def feed(self) -> None:
        """Every source makes all its words of the next launch."""
        for index in range(len(self.nodes)):
            self._source(index, self.launches)
        self.launches += 1

    def settle(self, first: int = 0, most: int = 100_000) -> bool:
        """Fire nodes from ``first`` on until nothing can; False where that took more than ``most`` firings."""
        moved = True
        while moved:
            moved = False
            for index in range(first, len(self.nodes)):
                while "fault" not in self.state[index] and self._try(index):
                    moved = True
                    most -= 1
                    if most < 0:
                        return False
        return True

    def _source(self, index: int, launch: int) -> None:
        node = self.nodes[index]
        if node.kind == "threads":
            net = self.net
            for row, block, thread in zip(net.tokens, net.token_block, net.token_thread, strict=True):
                self._send(index, -1, Packet(tuple(map(int, row)), launch, block=int(block), thread=int(thread)))
        elif node.kind == "stream":
            for word in self.data(node.params["array"], launch):
                self._send(index, -1, Packet((int(word),), launch))

    @staticmethod
    def _cut(wire: Any, packet: Packet) -> Packet:
        return packet.carry(tuple([packet.words[w] for w in wire.words]))

    def _send(self, index: int, port: int, packet: Packet) -> None:
        node = self.nodes[index]
        if self.keep:
            self.kept[index].append((port, packet))
        for number, out in enumerate(node.outputs):
            if port in (-1, number):
                for wire in out.wires:
                    if wire < len(self.queues) and self.wires[wire].every_ticks:
                        self.queues[wire].append(self._cut(self.wires[wire], packet))

    def _head(self, port: Any) -> deque[Packet] | None:
        for wire in port.wires:
            if self.queues[wire]:
                return self.queues[wire]
        return None

    def _try(self, index: int) -> bool:
        try:
            behaviour = _BEHAVIOUR.get(self.nodes[index].kind, Flow._plain)
            return behaviour(self, index, self.nodes[index], self.state[index])
        except Bad as bad:
            self.faults.append((str(bad), index))
            self.state[index]["fault"] = True
            return False

    def _take(self, node: Any, ports: Sequence[Any]) -> list[Packet | None] | None:
        """A packet from each port with wires (its words as picked), None for the others; None if one is missing.

        ``self.echo`` are then the words at the first port before the picks.
        """
        heads = []
        wired = False
        for port in ports:
            head = self._head(port)
            if port.wires:
                wired = True
                if head is None:
                    return None
            heads.append(head)
        if not wired:
            return None
        self.echo = tuple(ports[0].immediate or ())
        found: list[Packet | None] = []
        used: dict[int, Packet] = {}
        for port, queue in zip(ports, heads, strict=True):
            if queue is None:
                found.append(None)
                continue
            if id(queue) not in used:
                used[id(queue)] = queue.popleft()
            packet = used[id(queue)]
            if port is ports[0]:
                self.echo = packet.words
            found.append(packet.carry(tuple([p.value if p.constant else packet.words[p.value] for p in port.picks])))
        return found

    @staticmethod
    def _words(port: Any, packet: Packet | None) -> Words:
        return packet.words if packet is not None else tuple(port.immediate or ())

    def _join(self, got: Sequence[Packet | None]) -> Packet:
        return join([p for p in got if p is not None])

    def _group(self, state: dict[str, Any], packet: Packet) -> None:
        """The launch check of a counted group, before the packet counts."""
        if packet.any:
            return
        launch = state.get("launch", -1)
        if launch not in (-1, packet.launch):
            raise Bad("open-group")
        state["launch"] = packet.launch

    # --- behaviours: True when the node has fired ---------------------------------------------------------

    def _plain(self, index: int, node: Any, state: dict[str, Any]) -> bool:
        got = self._take(node, node.inputs)
        if got is None:
            return False
        header = self._join(got)
        words = [self._words(port, packet) for port, packet in zip(node.inputs, got, strict=True)]
        port = -1
        if node.kind in ("relay", "buffer"):
            result: Words = words[0]
        elif node.kind == "tuple":
            result = sum(words, ())
        elif node.kind == "address":
            live = not header.masked
            result = tuple(
                wrap(constant + sum(map(operator.mul, factors, words[0]))) * live
                for constant, factors in node.params["words"]
            )
        elif node.kind == "gate":
            if not header.masked and words[1][0] == 0:
                return True
            result = words[0]
        elif node.kind == "switch":
            result, port = words[0], 0 if words[1][0] else 1
        elif node.kind == "guard":
            result = words[0]
            if not header.masked and any(
                n >= 0 and not 0 <= w < n for n, w in zip(node.params["limits"], result, strict=True)
            ):
                if node.params["mode"] == "drop":
                    return True
                result, header = (0,) * len(result), header._replace(masked=True)
        elif header.masked:
            result = (0,)
        elif node.kind == "compare":
            a, b = (real(w[0]) if node.is_float else w[0] for w in words)
            result = (int(RELATIONS[node.params["op"]](a, b)),)
        else:
            result = (compute(node.kind, node.is_float, tuple(w[0] for w in words)),)
        self._send(index, port, header.carry(result))
        return True

    def _mux(self, index: int, node: Any, state: dict[str, Any]) -> bool:
        cond, a, b = node.inputs
        queue = self._head(cond)
        if queue is None and cond.wires:
            return False
        if queue is None:
            word = cond.immediate[0]
        else:
            pick = cond.picks[0]
            word = pick.value if pick.constant else queue[0].words[pick.value]
        side = a if word else b
        got = self._take(node, (cond, side))
        if got is None:
            return False
        self._send(index, -1, self._join(got)._replace(words=self._words(side, got[1])))
        return True

    def _counted(self, index: int, node: Any, state: dict[str, Any]) -> bool:
        """take, skip, deal, collect and delay."""
        count, p = state.get("count", 0), node.params
        ports = node.inputs if node.kind != "collect" else (node.inputs[count],)
        got = self._take(node, ports)
        if got is None:
            return False
        packet = got[0]
        assert packet is not None
        self._group(state, packet)
        size = {"take": "of", "skip": "of", "delay": "every"}.get(node.kind, "n")
        state["count"] = count + 1
        if state["count"] == p[size]:
            state["count"], state["launch"] = 0, -1
        if (node.kind == "take" and count >= p["n"]) or (node.kind == "skip" and count < p["n"]):
            return True
        if node.kind == "delay" and count >= p["every"] - p["slots"]:
            packet = Packet(tuple(p["init"]), packet.launch, True)
        self._send(index, count if node.kind == "deal" else -1, packet)
        return True

    def _repeat(self, index: int, node: Any, state: dict[str, Any]) -> bool:
        p = node.params
        slots, turn = state.setdefault("slots", []), state.get("turn", 0)
        group = p.get("group", 1)
        if turn < group:
            got = self._take(node, node.inputs)
            if got is None:
                return False
            assert got[0] is not None
            self._group(state, got[0])
            slots.append(got[0])
        packet = slots[turn % group]
        extra = (turn // group * (not packet.masked),) if p.get("append") else ()
        state["turn"] = turn + 1
        if state["turn"] == group * p["times"]:
            state.update(turn=0, launch=-1, slots=[])
        self._send(index, -1, packet._replace(words=packet.words + extra))
        return True

    def _counter(self, index: int, node: Any, state: dict[str, Any]) -> bool:
        p, turn = node.params, state.get("turn", 0)
        if turn == 0:
            got = self._take(node, node.inputs)
            if got is None:
                return False
            state["go"] = got[0]
        go = state["go"]
        state["turn"] = (turn + 1) % p["n"]
        self._send(index, -1, go._replace(words=(0 if go.masked else wrap(p["start"] + turn * p["step"]),)))
        return True

    def _accumulate(self, index: int, node: Any, state: dict[str, Any]) -> bool:
        p = node.params
        ways, sums_ = p.get("ways", 1), state.setdefault("sums", {})
        if state.get("closing"):
            way = state["closing"]
            state["closing"] = (way + 1) % ways
            self._emit(index, state, way)
            if not state["closing"]:
                state.update(sums={}, count=0, launch=-1)
            return True
        got = self._take(node, node.inputs)
        if got is None:
            return False
        count = state.get("count", 0)
        header = self._join(got)
        self._group(state, header)
        way = count % ways
        self._fold(node, p["op"], sums_, way, header, self._words(node.inputs[0], got[0])[0])
        state["count"] = count + 1
        if len(node.inputs) > 1 and (node.inputs[1].wires or node.inputs[1].immediate):
            if self._words(node.inputs[1], got[1])[-1]:
                state["closing"] = 1 % ways
                self._emit(index, state, 0)
                if not state["closing"]:
                    state.update(sums={}, count=0, launch=-1)
        elif count + 1 > (p["n"] - 1) * ways:
            self._emit(index, state, way)
            if state["count"] == p["n"] * ways:
                state.update(sums={}, count=0, launch=-1)
        return True

    def _scan(self, index: int, node: Any, state: dict[str, Any]) -> bool:
        got = self._take(node, node.inputs)
        if got is None:
            return False
        assert got[0] is not None
        self._group(state, got[0])
        self._fold(node, node.params["op"], state.setdefault("sums", {}), 0, got[0], got[0].words[0])
        self._emit(index, state, 0)
        state["count"] = state.get("count", 0) + 1
        if state["count"] == node.params["n"]:
            state.update(sums={}, count=0, launch=-1)
        return True

    def _fold(self, node: Any, op: str, sums_: dict[int, Any], way: int, header: Packet, word: int) -> None:
        value, packets = sums_.get(way, (None, []))
        packets = [*packets, header._replace(masked=False)]
        if not header.masked:
            value = word if value is None else compute(op, node.is_float, (value, word))
        sums_[way] = value, packets

    def _emit(self, index: int, state: dict[str, Any], way: int) -> None:
        value, packets = state["sums"].get(way, (None, []))
        header = join(packets) if packets else Packet((), 0)
        launch = state.get("launch", -1)
        if launch >= 0:
            header = header._replace(launch=launch, any=False)
        self._send(index, -1, header._replace(words=(value or 0,), masked=value is None))

    def _place(self, node: Any, words: Words) -> int:
        flat = 0
        for word, size in zip(words, self.net.arrays[node.params["array"]].shape, strict=True):
            if not 0 <= word < size:
                raise Bad("outside")
            flat = flat * size + word
        return flat

    def _load(self, index: int, node: Any, state: dict[str, Any]) -> bool:
        got = self._take(node, node.inputs)
        if got is None:
            return False
        at = got[0]
        assert at is not None
        other = node.inputs[1] if len(node.inputs) > 1 else None
        has_other = other is not None and (other.wires or other.immediate is not None)
        header = self._join(got)
        if not at.masked and at.any:
            raise Bad("no-launch")
        value = 0
        if not at.masked:
            place = self._place(node, at.words)
            array = self.net.arrays[node.params["array"]]
            if array.is_output:
                written = self.stored.get(node.params["array"], {}).get(at.launch, {})
                if place not in written:
                    raise Bad("unwritten")
                value = written[place]
            else:
                value = int(self.data(node.params["array"], at.launch)[place])
        elif has_other:
            value = self._words(other, got[1])[0]
        echo = (0,) * len(self.echo) if at.masked else self.echo
        self._send(index, 0, header._replace(words=(value, *echo), masked=at.masked and not has_other))
        self._send(index, 1, header._replace(words=(value, *echo), masked=at.masked))
        return True

    def _store(self, index: int, node: Any, state: dict[str, Any]) -> bool:
        got = self._take(node, node.inputs)
        if got is None:
            return False
        header = self._join(got)
        at = self._words(node.inputs[0], got[0])
        echo = self.echo
        if header.masked:
            echo = (0,) * len(echo)
        else:
            if header.any:
                raise Bad("no-launch")
            place = self._place(node, at)
            cells = self.stored.setdefault(node.params["array"], {}).setdefault(header.launch, {})
            if place in cells:
                raise Bad("written-twice")
            cells[place] = self._words(node.inputs[1], got[1])[0]
        self._send(index, -1, header._replace(words=echo))
        return True

    def _sink(self, index: int, node: Any, state: dict[str, Any]) -> bool:
        got = self._take(node, node.inputs)
        if got is None:
            return False
        packet = got[0]
        assert packet is not None
        if not packet.masked:
            if packet.any:
                raise Bad("no-launch")
            cells = self.stored.setdefault(node.params["array"], {}).setdefault(packet.launch, {})
            if len(cells) == self.net.arrays[node.params["array"]].words:
                raise Bad("extra-word")
            cells[len(cells)] = packet.words[0]
        return True

    def _barrier(self, index: int, node: Any, state: dict[str, Any]) -> bool:
        p = node.params
        if len(node.inputs) > 1 and node.inputs[1].wires:
            arrivals, passed = state.setdefault("arrivals", {}), state.setdefault("passed", {})
            got = self._take(node, node.inputs[1:])
            if got is not None:
                assert got[0] is not None
                key = got[0].launch, got[0].block
                arrivals[key] = arrivals.get(key, 0) + 1
                return True
            queue = self._head(node.inputs[0])
            if queue is None:
                return False
            if queue[0].any:
                raise Bad("no-launch")
            key = queue[0].launch, queue[0].block
            if arrivals.get(key, 0) < p["n"] * (passed.get(key, 0) // p["n"] - p["ahead"] + 1):
                return False
            passed[key] = passed.get(key, 0) + 1
            got = self._take(node, node.inputs[:1])
            assert got is not None and got[0] is not None
            self._send(index, -1, got[0]._replace(barriers=got[0].barriers + 1))
            return True
        inside = state.setdefault("inside", [])
        queue = self._head(node.inputs[0])
        if queue is None or (inside and (queue[0].launch, queue[0].block) != (inside[0].launch, inside[0].block)):
            return False
        if queue[0].any:
            raise Bad("no-launch")
        got = self._take(node, node.inputs[:1])
        assert got is not None
        inside.append(got[0])
        if len(inside) == p["n"]:
            state["inside"] = []
            for packet in inside:
                self._send(index, -1, packet._replace(barriers=packet.barriers + 1))
        return True

    def _write(self, index: int, node: Any, state: dict[str, Any]) -> bool:
        got = self._take(node, node.inputs)
        if got is None:
            return False
        header = self._join(got)
        at = self._words(node.inputs[0], got[0])
        cell = at[0]
        if header.any:
            raise Bad("no-launch")
        if not header.masked and not 0 <= cell < self.net.memories[node.params["memory"]].words:
            raise Bad("shared-outside")
        page = self._page(node, header.launch, header.block)
        if not header.masked:
            if cell in page["cells"]:
                raise Bad("overwrite")
            page["cells"][cell] = self._words(node.inputs[1], got[1])[0], header.thread, header.barriers
        self._send(index, -1, header._replace(words=self.echo))
        return True

    def _page(self, node: Any, launch: int, block: int) -> dict[str, Any]:
        book = self.pages.setdefault(node.params["memory"], {})
        return book.setdefault((launch, block), {"cells": {}, "reads": 0})

    def _read(self, index: int, node: Any, state: dict[str, Any]) -> bool:
        got = self._take(node, node.inputs)
        if got is None:
            return False
        at = got[0]
        assert at is not None
        memory = self.net.memories[node.params["memory"]]
        if at.any:
            raise Bad("no-launch")
        if not at.masked and not 0 <= at.words[0] < memory.words:
            raise Bad("shared-outside")
        page = self.pages.get(node.params["memory"], {}).get((at.launch, at.block))
        value = 0
        if page is None:
            raise Bad("read-before-write")
        if not at.masked:
            if at.words[0] not in page["cells"]:
                raise Bad("read-before-write")
            value, thread, barriers = page["cells"][at.words[0]]
            if (thread != at.thread or -1 in (thread, at.thread)) and at.barriers <= barriers:
                raise Bad("race")
        page["reads"] += 1
        if page["reads"] == memory.reads:
            del self.pages[node.params["memory"]][at.launch, at.block]
        self._send(index, -1, at._replace(words=(value, *self.echo)))
        return True


_BEHAVIOUR: dict[str, Callable[[Flow, int, Any, dict[str, Any]], bool]] = {
    "threads": lambda *_: False,
    "stream": lambda *_: False,
    "mux": Flow._mux,
    "take": Flow._counted,
    "skip": Flow._counted,
    "deal": Flow._counted,
    "collect": Flow._counted,
    "delay": Flow._counted,
    "repeat": Flow._repeat,
    "hold": Flow._repeat,
    "counter": Flow._counter,
    "accumulate": Flow._accumulate,
    "scan": Flow._scan,
    "load": Flow._load,
    "store": Flow._store,
    "sink": Flow._sink,
    "barrier": Flow._barrier,
    "shared.write": Flow._write,
    "shared.read": Flow._read,
}
