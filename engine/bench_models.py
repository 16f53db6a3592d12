"""The three machines of the benchmark: a pipeline, a mesh, and a tree behind a slow root.

They are netlists with their words, made without a level: every engine runs the same ones, energy counters and all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from engine.catalog import CORES
from engine.netlist import Array, Element, InPort, Netlist, Node, OutPort, Wire, WordPick
from engine.truth import Workload
from engine.units import TICKS_PER_CYCLE

WORDS = 16
"""Words of each array in a launch."""
LENGTH, EVERY = 3, 100
"""Tiles and ticks per word of every wire."""

Bits = NDArray[np.int32]


class FixedWork:
    """A workload whose launches repeat after 64, so that drawing data does not count in the time."""

    def __init__(self, inputs: dict[str, Bits], expected: dict[str, Bits]) -> None:
        self._inputs, self._expected = inputs, expected

    def inputs(self, first: int, count: int) -> dict[str, Bits]:
        """As :meth:`engine.truth.Workload.inputs`."""
        return self._rows(self._inputs, first, count)

    def expected(self, first: int, count: int) -> dict[str, Bits]:
        """As :meth:`engine.truth.Workload.expected`."""
        return self._rows(self._expected, first, count)

    def _rows(self, arrays: dict[str, Bits], first: int, count: int) -> dict[str, Bits]:
        rows = np.arange(first, first + count) % 64
        return {name: words[rows] for name, words in arrays.items()}


@dataclass(frozen=True)
class Model:
    """A machine of the benchmark. The workload is a Workload to every engine."""

    name: str
    netlist: Netlist
    workload: Workload


class _Board:
    """Collects nodes and wires; every port has one word."""

    def __init__(self) -> None:
        self.nodes: list[tuple[str, dict[str, Any]]] = []
        self.ends: list[tuple[int, int, int]] = []
        self.arrays: list[Array] = []
        self.inputs: dict[str, Bits] = {}
        self.expected: dict[str, Bits] = {}

    def core(self, kind: str, **given: Any) -> int:
        self.nodes.append((kind, given))
        return len(self.nodes) - 1

    def stream(self, seed: int) -> tuple[int, Bits]:
        """A source of its own array; its node and its words."""
        name = f"in{len(self.arrays)}"
        words = (np.arange(64 * WORDS, dtype=np.int64) * 7919 + seed * 104729) % 99 + 1
        self.inputs[name] = words.astype(np.int32).reshape(64, WORDS)
        return self.core("stream", array=self._array(name, True)), self.inputs[name]

    def sink(self, source: int, words: Bits) -> None:
        name = f"out{len(self.arrays)}"
        self.expected[name] = words
        self.wire(source, self.core("sink", array=self._array(name, False)))

    def wire(self, source: int, target: int, port: int = 0) -> None:
        self.ends.append((source, target, port))

    def _array(self, name: str, is_input: bool) -> int:
        self.arrays.append(Array(name, (WORDS,), is_input, not is_input, False))
        return len(self.arrays) - 1

    def model(self, name: str) -> Model:
        """The finished machine, whose window is too far away to be reached."""
        count = len(self.nodes)
        into: list[dict[int, int]] = [{} for _ in range(count)]
        out: list[list[int]] = [[] for _ in range(count)]
        for w, (source, target, port) in enumerate(self.ends):
            into[target][port] = w
            out[source].append(w)
        nodes = [self._node(i, *spec, into[i], tuple(out[i])) for i, spec in enumerate(self.nodes)]
        wires = [
            Wire(f"w{w}", source, 0, (0,), target, (port,), tuple((x, w) for x in range(LENGTH + 1)), EVERY, 1, 1, 1)
            for w, (source, target, port) in enumerate(self.ends)
        ]
        net = Netlist(
            nodes=tuple(nodes),
            wires=tuple(wires),
            elements=tuple(Element(f"n{i}", kind, (i, 0), {}) for i, (kind, _) in enumerate(self.nodes)),
            arrays=tuple(self.arrays),
            memories=(),
            tokens=np.zeros((0, 0), np.int32),
            token_block=np.zeros(0, np.int32),
            token_thread=np.zeros(0, np.int32),
            threads_per_block=0,
            blocks=0,
            standby_nw=0,
            tolerance=0.0,
            warmup=2**30,
            measured=2**30,
            time_limit_ticks=2**50,
            data_dependent=False,
            footprint_tiles=count,
            slots=0,
        )
        return Model(name, net, cast(Workload, FixedWork(self.inputs, self.expected)))

    def _node(self, i: int, kind: str, given: dict[str, Any], into: dict[int, int], out: tuple[int, ...]) -> Node:
        core = CORES[kind]
        latency, interval = core.latency * TICKS_PER_CYCLE, core.interval * TICKS_PER_CYCLE
        if kind in ("stream", "threads"):
            latency = 0
        inputs = []
        for k, port in enumerate(core.inputs):
            wired = k in into
            inputs.append(
                InPort(
                    port.name,
                    (into[k],) if wired else (),
                    (WordPick(False, 0),) if wired else (),
                    None if wired else (given["immediate"],),
                )
            )
        params = {name: given[name] for name in ("array", "slots", "op") if name in given}
        return Node(
            id=f"n{i}",
            kind=kind,
            element=i,
            at=(i, 0),
            inputs=tuple(inputs),
            outputs=tuple(OutPort(port.name, out, 0, 1) for port in core.outputs),
            result_width=1 if core.outputs else 0,
            latency_ticks=latency,
            interval_ticks=interval,
            room=given.get("slots", 2 if kind == "relay" else max(1, -(-latency // interval))),
            is_float=False,
            control_aj=1,
            op_aj=1,
            op_cause="compute",
            params=params | ({"burst": None} if kind == "stream" else {}),
        )


def pipeline() -> Model:
    """A stream through 8 cores, one behind the other."""
    board = _Board()
    node, words = board.stream(0)
    stages: list[tuple[str, int | None, Callable[[Bits], Bits]]] = [
        ("add", 5, lambda x: x + 5),
        ("mul", 3, lambda x: x * 3),
        ("relay", None, lambda x: x),
        ("xor", 85, lambda x: x ^ 85),
        ("sub", 7, lambda x: x - 7),
        ("buffer", None, lambda x: x),
        ("max", 40, lambda x: np.maximum(x, 40)),
        ("shl", 2, lambda x: x << 2),
    ]
    for kind, immediate, rule in stages:
        core = board.core(kind, immediate=immediate, **({"slots": 4} if kind == "buffer" else {}))
        board.wire(node, core)
        node, words = core, rule(words)
    board.sink(node, words)
    return board.model("pipeline")


def mesh(size: int = 16) -> Model:
    """A systolic array: each cell adds what comes from the west and the north, and sends the sum east and south."""
    board = _Board()
    west, north = [[board.stream(side + 2 * k) for k in range(size)] for side in (0, 1)]
    for row in range(size):
        for column in range(size):
            cell = board.core("add")
            board.wire(west[row][0], cell, 0)
            board.wire(north[column][0], cell, 1)
            west[row] = north[column] = cell, west[row][1] + north[column][1]
    for node, words in west + north:
        board.sink(node, words)
    return board.model("mesh")


def lane_mesh(lanes: int, size: int = 16) -> Model:
    """The mesh with packets of ``lanes`` lanes: its sources hand out warps; every packet is added up for a sink."""
    if lanes == 1:
        return mesh(size)
    board = _Board()
    warps = WORDS
    numbers = np.arange(2 * warps * lanes, dtype=np.int64).reshape(warps, 2 * lanes) * 7919 % 99 + 1
    words = numbers[:, :lanes], numbers[:, lanes:]
    sides = [[(board.core("threads"), words[side].astype(np.int32)) for _ in range(size)] for side in (0, 1)]
    west, north = sides
    for row in range(size):
        for column in range(size):
            cell = board.core("add")
            board.wire(west[row][0], cell, 0)
            board.wire(north[column][0], cell, 1)
            west[row] = north[column] = cell, west[row][1] + north[column][1]
    for node, sums in west + north:
        total = board.core("reduce", op="add")
        board.wire(node, total)
        board.sink(total, np.repeat(sums.sum(axis=1, dtype=np.int32)[None], 64, axis=0))
    model = board.model(f"mesh of {lanes} lanes")
    return Model(model.name, _with_lanes(model.netlist, numbers.astype(np.int32), lanes), model.workload)


def _with_lanes(net: Netlist, tokens: Bits, lanes: int) -> Netlist:
    """A machine of the bench whose sources hand out warps, with a word for each of its sides."""
    count, per_lane = len(tokens), (None,)
    wide = {node for node, found in enumerate(net.nodes) if found.kind in ("threads", "add")}
    nodes = []
    for i, node in enumerate(net.nodes):
        vector = i in wide
        inputs = tuple(
            replace(port, lanes=lanes if net.wires[port.wires[0]].source in wide else 1, forms=per_lane)
            for port in node.inputs
        )
        forms = (None, None) if node.kind == "threads" else per_lane if vector else (0,) * node.result_width
        width = 2 if node.kind == "threads" else node.result_width
        outputs = tuple(replace(port, width=width) for port in node.outputs)
        lanes_of = lanes if vector else 1
        nodes.append(replace(node, lanes=lanes_of, forms=forms, inputs=inputs, outputs=outputs, result_width=width))
    wires = []
    for wire in net.wires:
        source = net.nodes[wire.source]
        word = wire.ports[0] if source.kind == "threads" else 0
        vector = wire.source in wide
        forms = per_lane if vector else (0,)
        wires.append(replace(wire, words=(word,), lanes=lanes if vector else 1, forms=forms))
    first = np.arange(count, dtype=np.int32) * lanes
    return replace(
        net,
        nodes=tuple(nodes),
        wires=tuple(wires),
        tokens=tokens,
        token_block=np.zeros(count, np.int32),
        token_thread=first,
        token_live=np.full(count, 2**lanes - 1, np.int32),
        threads_per_block=count * lanes,
        blocks=1,
    )


def tree(leaves: int = 64) -> Model:
    """Streams added pairwise down to one root that takes eight cycles a word: everything before it waits."""
    board = _Board()
    level = [board.stream(k) for k in range(leaves)]
    while len(level) > 1:
        pairs = []
        for (a, first), (b, second) in zip(level[::2], level[1::2], strict=True):
            core = board.core("add")
            board.wire(a, core, 0)
            board.wire(b, core, 1)
            pairs.append((core, first + second))
        level = pairs
    root = board.core("mul.serial", immediate=3)
    board.wire(level[0][0], root)
    board.sink(root, level[0][1] * 3)
    return board.model("tree")


MODELS = {"pipeline": pipeline, "mesh": mesh, "tree": tree}
