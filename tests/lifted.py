"""Random machines with lanes: a random machine of scalars whose threads become warps, with cores that speak of lanes.

Their ground truth is what the plain engine computes when nobody checks it (:class:`Recorded`): the comparison is of the
engines with each other, and a spoiled word here and there shows that both see it.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.catalog import CORES
from engine.machine import Options
from engine.netlist import Element, InPort, Netlist, Node, OutPort, Wire, WordPick
from engine.plain import PlainMachine
from engine.plain.memory import ArrayPad
from engine.units import TICKS_PER_CYCLE
from tests.graphs import Case, graph
from tests.lanes import laned

Bits = NDArray[np.int32]
Words = tuple[int, ...]
Seen = dict[int, Words]
"""The words of a wire that each port at its end sees."""


WITH_LANES = {"dvfs", "heat"}
"""Modules of physics that machines with lanes may have."""


class Recorded:
    """Data of another workload, and as expected words those that a run of the plain engine writes.

    ``wrong`` maps (array, launch, word) to a word that is expected instead.
    """

    def __init__(self, net: Netlist, data: Any, options: Options) -> None:
        self.net, self.data, self.seed = net, data, data.seed
        self.wrong: dict[tuple[int, int, int], int] = {}
        self.found: dict[tuple[int, int, int], int] = {}
        machine = PlainMachine(net, self, options)  # type: ignore[arg-type]
        for core in machine.cores:
            if isinstance(core, ArrayPad):
                core.check_word = self._keep(core.array)  # type: ignore[method-assign]
        while machine.run().value in ("window", "extension", "until"):
            pass

    def _keep(self, array: int) -> Callable[..., None]:
        def check_word(port: int, launch: int, place: int, got: int, lane: int = -1) -> None:
            self.found[array, launch, place] = got

        return check_word

    def inputs(self, first: int, count: int) -> dict[str, Bits]:
        found: dict[str, Bits] = self.data.inputs(first, count)
        return found

    def expected(self, first: int, count: int) -> dict[str, Bits]:
        made = {}
        for index, array in enumerate(self.net.arrays):
            if array.is_output:
                words = np.zeros((count, array.words), np.int32)
                for row in range(count):
                    for place in range(array.words):
                        key = index, first + row, place
                        words[row, place] = self.wrong.get(key, self.found.get(key, 0))
                made[array.name] = words
        return made


class Stretched:
    """The data of another workload, the words of each array again and again up to its length."""

    def __init__(self, net: Netlist, data: Any) -> None:
        self.net, self.data, self.seed = net, data, data.seed

    def inputs(self, first: int, count: int) -> dict[str, Bits]:
        found = self.data.inputs(first, count)
        made = {}
        for array in self.net.arrays:
            if array.is_input:
                rows = found[array.name]
                made[array.name] = np.tile(rows, (1, -(-array.words // rows.shape[1])))[:, : array.words]
        return made


class _Lifting:
    """A netlist of scalars on its way to one with lanes."""

    def __init__(self, net: Netlist, rng: random.Random, lanes: int) -> None:
        self.net, self.rng, self.lanes = net, rng, lanes
        self.nodes, self.wires, self.elements = list(net.nodes), list(net.wires), list(net.elements)
        self.kinds: set[str] = set()

    def node(self, kind: str, width: int, inputs: int, outs: int, **params: Any) -> int:
        """Add a core whose inputs will have ``width`` words each, a third one has one; its index."""
        core = CORES[kind]
        names = [port.name for port in core.inputs][:inputs]
        latency, interval = core.latency * TICKS_PER_CYCLE, core.interval * TICKS_PER_CYCLE
        if self.rng.random() < 0.2:
            latency, interval = self.rng.choice([(1, 1), (100, 37), (70, 300), (950, 100)])
        order = kind == "switch" and outs == 3
        outputs = [OutPort(port.name, (), 0, width) for port in core.outputs]
        if len(outputs) == 3:
            outputs[2] = replace(outputs[2], offset=width, width=1)
        ports = [InPort(name) for name in names]
        ports += [InPort(port.name) for port in core.inputs[inputs:]]
        self.elements.append(Element(f"lane{len(self.elements)}", kind, (len(self.elements), 0), {}))
        self.kinds.add(kind)
        self.nodes.append(
            Node(
                id=self.elements[-1].id,
                kind=kind,
                element=len(self.elements) - 1,
                at=(0, 0),
                inputs=tuple(ports),
                outputs=tuple(outputs),
                result_width=1 if kind == "reduce" else width + order,
                latency_ticks=latency,
                interval_ticks=interval,
                room=params.get("slots", 2 if kind == "relay" else max(1, -(-latency // interval))),
                is_float=False,
                control_aj=1,
                op_aj=1,
                op_cause="compute",
                params=params,
            )
        )
        return len(self.nodes) - 1

    def wire(self, source: tuple[int, int], words: tuple[int, ...], target: int, ports: Seen) -> None:
        """Add a wire from an output, with positions of words in the whole result, to ports that see some of them."""
        rng, number = self.rng, len(self.wires)
        length, every = rng.choice([1, 1, 2, 3, 7]), rng.choice([10, 25, 50, 100, 100, 200])
        tiles = tuple((x, number) for x in range(length + 1))
        self.wires.append(Wire(f"l{number}", *source, words, target, tuple(ports), tiles, every, 1, 1, 1))
        self._attach(number, target, ports)
        node, port = source
        outputs = list(self.nodes[node].outputs)
        outputs[port] = replace(outputs[port], wires=(*outputs[port].wires, number))
        self.nodes[node] = replace(self.nodes[node], outputs=tuple(outputs))

    def _attach(self, wire: int, target: int, ports: Seen) -> None:
        inputs = list(self.nodes[target].inputs)
        for port, seen in ports.items():
            picks = tuple(WordPick(False, k) for k in seen)
            inputs[port] = replace(inputs[port], wires=(*inputs[port].wires, wire), picks=picks)
        self.nodes[target] = replace(self.nodes[target], inputs=tuple(inputs))

    def between(self, w: int, first: int, last: tuple[int, int], ports: Seen, width: int) -> None:
        """Lead wire ``w`` to ``first`` and a new wire from ``last`` to where it led."""
        old = self.wires[w]
        number = len(self.wires)
        self.wires.append(replace(old, id=f"l{number}", source=last[0], source_port=last[1], words=tuple(range(width))))
        node = self.nodes[old.target]
        inputs = [replace(p, wires=tuple(number if k == w else k for k in p.wires)) for p in node.inputs]
        self.nodes[old.target] = replace(node, inputs=tuple(inputs))
        self.wires[w] = replace(old, target=first, ports=tuple(ports))
        self._attach(w, first, ports)
        outputs = list(self.nodes[last[0]].outputs)
        outputs[last[1]] = replace(outputs[last[1]], wires=(*outputs[last[1]].wires, number))
        self.nodes[last[0]] = replace(self.nodes[last[0]], outputs=tuple(outputs))

    # --- what is put into a wire ---------------------------------------------------------------------------

    def shuffle(self, w: int) -> None:
        rng, width = self.rng, len(self.wires[w].words)
        k = rng.choice([1, 1, 2, 4])
        fill = tuple(rng.choice([0, -7, 99]) for _ in range(width))
        n = self.node("shuffle", width, 1, 1, pattern=rng.choice(["up", "down", "xor"]), k=k, fill=fill)
        self.between(w, n, (n, 0), {0: tuple(range(width))}, width)

    def repacked(self, w: int) -> None:
        """Lanes leave one by one and are packed again."""
        rng, width = self.rng, len(self.wires[w].words)
        unpack = self.node("unpack", width, 1, 1, drop=rng.random() < 0.3)
        every = rng.choice([self.lanes, self.lanes, 2 * self.lanes, self.lanes + 1])
        pack = self.node("pack", width, 1, 1, n=self.lanes, every=every)
        self.wire((unpack, 0), tuple(range(width)), pack, {0: tuple(range(width))})
        self.between(w, unpack, (pack, 0), {0: tuple(range(width))}, width)

    def compacted(self, w: int) -> None:
        width = len(self.wires[w].words)
        n = self.node("compact", width, 1, 1, n=self.lanes, every=self.rng.choice([1, 1, 2, 3]))
        self.between(w, n, (n, 0), {0: tuple(range(width))}, width)

    def gated(self, w: int) -> None:
        width = len(self.wires[w].words)
        n = self.node("gate", width, 2, 1)
        cond = self.rng.randrange(width)
        self.between(w, n, (n, 0), {0: tuple(range(width)), 1: (cond,)}, width)

    def guarded(self, w: int) -> None:
        rng, width = self.rng, len(self.wires[w].words)
        limits = tuple(rng.choice([-1, 1, 3, 6]) for _ in range(width))
        n = self.node("guard", width, 1, 1, limits=limits, mode=rng.choice(["mark", "drop"]))
        self.between(w, n, (n, 0), {0: tuple(range(width))}, width)

    def parted(self, w: int) -> None:
        """A switch and a join, with or without the order, sometimes with cores in an arm."""
        rng, width = self.rng, len(self.wires[w].words)
        order = rng.random() < 0.5
        switch = self.node("switch", width, 2, 3 if order else 2, keep=rng.random() < 0.15)
        join = self.node("join", width, 2, 1)
        words = tuple(range(width))
        for side in (0, 1):
            start = (switch, side)
            if rng.random() < 0.3:
                core = self.node("buffer", width, 1, 1, slots=rng.choice([1, 4]))
                self.wire(start, words, core, {0: words})
                start = core, 0
            elif rng.random() < 0.1:
                core = self.node("gate", width, 2, 1)
                self.wire(start, words, core, {0: words, 1: (rng.randrange(width),)})
                start = core, 0
            self.wire(start, words, join, {side: words})
        if order:
            self.wire((switch, 2), (width,), join, {2: (0,)})
        self.between(w, switch, (join, 0), {0: words, 1: (rng.randrange(width),)}, width)

    def reduced(self, w: int) -> None:
        """One word of a packet for a port that takes scalars, as the sum of all lanes or one lane after the other."""
        rng = self.rng
        if rng.random() < 0.6:
            op = rng.choice(["add", "min", "max", "and", "or", "any", "all", "count", "first"])
            n = self.node("reduce", 1, 1, 1, op=op)
        else:
            n = self.node("unpack", 1, 1, 1, drop=rng.random() < 0.5)
        self.between(w, n, (n, 0), {0: (0,)}, 1)

    def netlist(self) -> Netlist:
        """The machine; raises ValueError where its lanes do not fit."""
        return replace(self.net, nodes=tuple(self.nodes), wires=tuple(self.wires), elements=tuple(self.elements))


def lifted(rng: random.Random, size: int | None = None) -> Case:
    """A random machine with lanes."""
    while True:
        case = graph(rng, size)
        if case.net.threads_per_block * case.net.blocks and set(case.net.physics) <= WITH_LANES:
            made = _lifted(rng, case)
            if made is not None:
                return made


def _lifted(rng: random.Random, case: Case) -> Case | None:
    lanes = rng.choice([2, 4, 4, 8])
    net = _of_warps(rng, case.net, lanes) if rng.random() < 0.8 else case.net
    nodes = [
        replace(node, params={**node.params, "lanes": lanes}) if node.kind == "threads" else _plain_switch(node)
        for node in net.nodes
    ]
    arrays = tuple(replace(array, line=rng.choice([1, 4, 8])) for array in net.arrays)
    memories = tuple(
        replace(m, banks=rng.choice([0, 1, 2, 3, 8, 9]), row=rng.choice([0, 0, 2, 8]), pad=rng.choice([0, 1, 3]))
        for m in net.memories
    )
    work = _Lifting(replace(net, nodes=tuple(nodes), arrays=arrays, memories=memories), rng, lanes)
    moves = [work.shuffle, work.repacked, work.compacted, work.gated, work.guarded, work.parted, work.parted]
    try:
        for _ in range(rng.choice([0, 1, 1, 2, 3])):
            before = laned(_with_scalar_sinks(work))
            wide = [w for w, wire in enumerate(before.wires[: len(work.wires)]) if wire.lanes > 1 and wire.every_ticks]
            wide = [w for w in wide if len(work.wires[w].words) * (lanes + 1) <= 16 and len(before.wires) < 60]
            if not wide:
                return None
            rng.choice(moves)(rng.choice(wide))
        made = laned(_with_scalar_sinks(work))
    except (ValueError, IndexError):  # its lanes do not fit, or it was spoiled by words that are not there
        return None
    if any(node.result_values > 16 for node in made.nodes):
        return None
    options = case.options
    truth = Recorded(made, Stretched(made, case.truth), Options(jitter_seed=options.jitter_seed))
    if rng.random() < 0.1 and truth.found:
        key = rng.choice(sorted(truth.found))
        truth.wrong[key] = 77
    kinds = case.kinds | work.kinds
    return Case(made, truth, options, case.cores, case.notes | {f"{lanes} lanes"}, kinds)  # type: ignore[arg-type]


def _plain_switch(node: Node) -> Node:
    """A switch has a third output, which its scalar form leaves open."""
    if node.kind != "switch":
        return node
    outputs = node.outputs
    if len(outputs) == 2:
        outputs = (*outputs, OutPort("order", (), node.result_width, 1))
    return replace(node, outputs=outputs, params={"keep": False, **node.params})


def _of_warps(rng: random.Random, net: Netlist, lanes: int) -> Netlist:
    """A warp for every thread: as many packets as before. What is indexed by threads grows with their number."""
    block = net.threads_per_block * lanes - rng.choice([0, 0, 1])
    number = np.arange(block * net.blocks, dtype=np.int32)
    words = [number // block, number % block, number][: net.tokens.shape[1]]
    of_pads = {node.params["array"] for node in net.nodes if node.kind in ("stream", "sink")}
    arrays = [
        a if i in of_pads else replace(a, shape=(*a.shape[:-1], a.shape[-1] * lanes)) for i, a in enumerate(net.arrays)
    ]
    memories = [replace(m, words=m.words * lanes, reads=m.reads * lanes) for m in net.memories]
    nodes = [
        replace(node, params={**node.params, "n": node.params["n"] * lanes}) if node.kind == "barrier" else node
        for node in net.nodes
    ]
    return replace(
        net,
        nodes=tuple(nodes),
        arrays=tuple(arrays),
        memories=tuple(memories),
        tokens=np.stack(words, axis=1).astype(np.int32),
        token_block=number // block,
        token_thread=number,
        threads_per_block=block,
    )


def _with_scalar_sinks(work: _Lifting) -> Netlist:
    """Where lanes come to a port that takes scalars they become scalars first."""
    while True:
        net = work.netlist()
        found = _vector_sinks(net)
        if not found:
            return net
        for w in found:
            work.reduced(w)


def _vector_sinks(net: Netlist) -> list[int]:
    from engine.forms import find_forms

    lanes = find_forms(net.nodes, net.wires, (None,) * 6).wire_lanes
    return [w for w, wire in enumerate(net.wires) if lanes[w] > 1 and net.nodes[wire.target].kind == "sink"]
