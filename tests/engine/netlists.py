"""Netlists by hand, for tests: a few words instead of a level and a design.

>>> net = make(
...     nodes=[node("a", "stream", array="a"), node("m", "mul", b=7), node("out", "sink", array="out")],
...     wires=[wire("a.value", "m.a"), wire("m.out", "out.value", length=3, every=50)],
...     arrays=[array("a", 4), array("out", 4, output=True)],
... )

Timings, ports and defaults come from the catalogue; everything can be given instead. Words of a launch come from
:class:`Words`.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.catalog import CORES, CoreType, ports_of, shared_port_names
from engine.netlist import Array, Element, InPort, Memory, Netlist, Node, OutPort, Wire, WordPick

Target = str | tuple[str, Sequence[int | str]]
"""``"m.a"``, or with the words that the port sees: ``("out.at", [0, "5"])``, constants as strings."""


@dataclass
class NodeSpec:
    id: str
    kind: str
    given: dict[str, Any]


@dataclass
class WireSpec:
    source: str
    targets: tuple[Target, ...]
    length: int
    every: int
    words: tuple[int, ...] | None


def node(id: str, kind: str, **given: Any) -> NodeSpec:
    """A pad or core. ``given``: settings, immediates by port name (a word or a tuple of words), ``array`` by name,
    and ``latency``, ``interval`` (ticks), ``room``, ``is_float``, ``control_aj``, ``op_aj``, ``op_cause``."""
    return NodeSpec(id, kind, given)


def wire(
    source: str, *targets: Target, length: int = 1, every: int = 100, words: tuple[int, ...] | None = None
) -> WireSpec:
    """A wire of ``length`` tiles with ``every`` ticks per word (0: stopped). ``source`` is ``"t.token"``, with chosen
    words ``"t.token[0,2]"``, or ``words``, positions in the node's whole result."""
    return WireSpec(source, targets, length, every, words)


def array(name: str, *shape: int, output: bool = False, is_float: bool = False) -> Array:
    """An input array, or an output array."""
    return Array(name, shape, not output, output, is_float)


def bits(value: float) -> int:
    """Signed bit pattern of a float32."""
    pattern: int = struct.unpack("<i", struct.pack("<f", value))[0]
    return pattern


@dataclass
class _Part:
    id: str
    kind: str
    core: CoreType
    element: int
    inputs: list[str]
    outputs: list[str]
    given: dict[str, Any]
    params: dict[str, Any]
    in_wires: list[list[int]] = field(default_factory=list)
    out_wires: list[list[int]] = field(default_factory=list)
    picks: dict[int, tuple[WordPick, ...]] = field(default_factory=dict)
    immediates: dict[int, tuple[int, ...]] = field(default_factory=dict)
    width: list[int | None] = field(default_factory=list)
    wire_words: dict[int, int] = field(default_factory=dict)

    def came(self, port: int) -> int | None:
        """Words of a packet that comes to a port, before the port's choice: what an echo gives back."""
        return len(self.immediates[port]) if port in self.immediates else self.wire_words.get(port)


_TIMING = ("latency", "interval", "room", "is_float", "control_aj", "op_aj", "op_cause")
_SPLIT = ("load", "shared.read")
"""Kinds whose output ports carry different words of a result."""


def make(
    nodes: Sequence[NodeSpec],
    wires: Sequence[WireSpec],
    arrays: Sequence[Array] = (),
    *,
    tokens: Sequence[Sequence[int]] = (),
    block: int | None = None,
    warmup: int = 2,
    measured: int = 8,
    time_limit: int = 10_000_000,
    data_dependent: bool = False,
    tolerance: float = 1e-5,
    standby_nw: int = 1_000_000,
) -> Netlist:
    """The netlist. ``tokens`` are the words of each thread, in order; ``block`` is threads per block (default: all)."""
    parts, memories, elements = _parts(nodes, [a.name for a in arrays])
    places = {f"{p.id}.{name}": (i, k) for i, p in enumerate(parts) for k, name in enumerate(p.inputs)}
    starts = {f"{p.id}.{name}": (i, k) for i, p in enumerate(parts) for k, name in enumerate(p.outputs)}
    ends: list[tuple[int, tuple[int, ...]]] = []
    for w, spec in enumerate(wires):
        source, port = starts[spec.source.split("[")[0]]
        parts[source].out_wires[port].append(w)
        found = [places[t if isinstance(t, str) else t[0]] for t in spec.targets]
        assert len({n for n, _ in found}) == 1, f"wire {w} ends at several nodes"
        for target, place in found:
            parts[target].in_wires[place].append(w)
        ends.append((found[0][0], tuple(k for _, k in found)))
    carried = _flow(parts, wires, starts, len(tokens[0]) if tokens else 0)
    made = []
    for w, spec in enumerate(wires):
        source, port = starts[spec.source.split("[")[0]]
        target, ports = ends[w]
        tiles = tuple((x, w) for x in range(spec.length + 1))
        drive = 160_000 * spec.length * len(carried[w]) * 100 // spec.every if spec.every else 0
        made.append(
            Wire(
                f"w{w}",
                source,
                port,
                carried[w],
                target,
                ports,
                tiles,
                spec.every,
                25_000 * spec.length,
                drive,
                5_000 * spec.length,
            )
        )
    count = len(tokens)
    per_block = block or count
    number = np.arange(count, dtype=np.int32)
    return Netlist(
        nodes=tuple(_node(p) for p in parts),
        wires=tuple(made),
        elements=tuple(elements),
        arrays=tuple(arrays),
        memories=tuple(memories),
        tokens=np.array(tokens, dtype=np.int32) if count else np.zeros((0, 0), np.int32),
        token_block=number // max(per_block, 1),
        token_thread=number,
        threads_per_block=per_block,
        blocks=-(-count // per_block) if count else 0,
        standby_nw=standby_nw,
        tolerance=tolerance,
        warmup=warmup,
        measured=measured,
        time_limit_ticks=time_limit,
        data_dependent=data_dependent,
        footprint_tiles=len(parts),
        slots=0,
    )


def _parts(nodes: Sequence[NodeSpec], arrays: list[str]) -> tuple[list[_Part], list[Memory], list[Element]]:
    parts: list[_Part] = []
    memories: list[Memory] = []
    elements: list[Element] = []
    for spec in nodes:
        kind = "repeat" if spec.kind == "hold" else spec.kind
        core = CORES[kind]
        params = {s.name: s.default for s in core.settings}
        params |= {k: v for k, v in spec.given.items() if k in params}
        if spec.kind == "hold":
            params |= {"times": spec.given["n"], "group": 1, "append": False}
        if "array" in spec.given:
            params["array"] = arrays.index(spec.given["array"])
        if kind == "stream":
            params["burst"] = spec.given.get("burst")
        if kind == "delay" and isinstance(params["init"], int):
            params["init"] = (params["init"],)
        element = len(elements)
        elements.append(Element(spec.id, spec.kind, (0, element), {"leakage": 150_000}))
        if kind == "shared":
            memories.append(Memory(element, params["words"], params["pages"], params["reads"]))
            writes, reads = shared_port_names(params["ports"])
            sides = [(n, "shared.write", ["at", "value"], ["done"]) for n in writes]
            sides += [(n, "shared.read", ["at"], ["value", "at"]) for n in reads]
            for name, side, inputs, outputs in sides:
                given = {k[len(name) + 1 :]: v for k, v in spec.given.items() if k.startswith(f"{name}.")}
                given |= {k: spec.given[k] for k in _TIMING if k in spec.given}
                own = {"memory": len(memories) - 1, "port_name": name}
                parts.append(_Part(f"{spec.id}.{name}", side, core, element, inputs, outputs, given, own))
        else:
            ins, outs = ports_of(core, params)
            names = [p.name for p in ins], [p.name for p in outs]
            parts.append(_Part(spec.id, kind, core, element, *names, dict(spec.given), params))
    for p in parts:
        p.in_wires = [[] for _ in p.inputs]
        p.out_wires = [[] for _ in p.outputs]
        for k, name in enumerate(p.inputs):
            if name in p.given:
                value = p.given[name]
                p.immediates[k] = tuple(value) if isinstance(value, tuple) else (value,)
    return parts, memories, elements


def _flow(
    parts: list[_Part],
    wires: Sequence[WireSpec],
    starts: Mapping[str, tuple[int, int]],
    token: int,
) -> list[tuple[int, ...]]:
    """Find the widths of all ports, going round until nothing new is known; returns the words of each wire."""
    for p in parts:
        p.width = [None] * len(p.outputs)
    carried: list[tuple[int, ...] | None] = [None] * len(wires)
    for _ in range(2 * len(parts) + 2):
        for w, spec in enumerate(wires):
            source, port = starts[spec.source.split("[")[0]]
            part, width = parts[source], parts[source].width[port]
            chosen = re.fullmatch(r"[^\[]*\[([\d,]+)\]", spec.source)
            offset = 1 if part.kind in _SPLIT and port == 1 else 0
            if spec.words is not None:
                carried[w] = spec.words
            elif chosen:
                carried[w] = tuple(offset + int(n) for n in chosen[1].split(","))
            elif width is not None:
                carried[w] = tuple(range(offset, offset + width))
        for p in parts:
            for k, ends in enumerate(p.in_wires):
                for w in ends:
                    given = next((t for t in wires[w].targets if t[0] == f"{p.id}.{p.inputs[k]}"), None)
                    words = carried[w]
                    if words is not None:
                        p.wire_words[k] = len(words)
                    if isinstance(given, tuple):
                        p.picks[k] = tuple(
                            WordPick(True, int(v)) if isinstance(v, str) else WordPick(False, v) for v in given[1]
                        )
                    elif words is not None:
                        p.picks[k] = tuple(WordPick(False, v) for v in range(len(words)))
            _widths(p, token)
    missing = [spec.source for spec, words in zip(wires, carried, strict=True) if words is None]
    assert not missing, f"the width of these is not known: {missing}"
    return [words for words in carried if words is not None]


def _widths(p: _Part, token: int) -> None:
    def seen(port: int) -> int | None:
        if port in p.immediates:
            return len(p.immediates[port])
        return len(p.picks[port]) if port in p.picks else None

    match p.kind:
        case "threads":
            p.width = [token]
        case "load" | "shared.read":
            p.width = [1, p.came(0)]
        case "store" | "shared.write":
            p.width = [p.came(0)]
        case "address":
            p.width = [len(p.params["words"])]
        case "delay":
            p.width = [len(p.params["init"])]
        case "relay" | "gate" | "switch" | "guard" | "take" | "skip" | "deal" | "collect" | "buffer" | "barrier":
            known = [n for n in [seen(k) for k in range(len(p.inputs) if p.kind == "collect" else 1)] if n]
            p.width = [known[0] if known else None] * len(p.outputs)
        case "mux":
            known = [n for n in (seen(1), seen(2)) if n]
            p.width = [known[0] if known else None]
        case "repeat":
            n = seen(0)
            p.width = [n + p.params["append"] if n else None]
        case "tuple":
            sizes = [seen(k) for k in range(6) if p.in_wires[k] or k in p.immediates]
            p.width = [None if None in sizes else sum(n for n in sizes if n)]
        case _:
            p.width = [1] * len(p.outputs)


def _node(p: _Part) -> Node:
    core, given, params = p.core, p.given, p.params
    latency, interval = core.latency * 100, core.interval * 100
    if p.kind in ("threads", "stream"):
        latency, interval = 0, 200 if p.kind == "threads" else 100
    elif p.kind in ("load", "store"):
        latency, interval = 200, 400
    elif p.kind in ("accumulate", "scan") and params["op"] == "mul":
        latency = interval = 300
    latency, interval = given.get("latency", latency), given.get("interval", interval)
    room = max(1, -(-latency // interval))
    if p.kind == "relay" or (p.kind == "barrier" and p.in_wires[1]):
        room = 2
    elif p.kind in ("buffer", "delay"):
        room = params["slots"]
    elif p.kind == "barrier":
        room = params["n"]
    widths = [n or 0 for n in p.width]
    split = p.kind in _SPLIT
    pad = core.family == "pad"
    return Node(
        id=p.id,
        kind=p.kind,
        element=p.element,
        at=(0, p.element),
        inputs=tuple(
            InPort(name, tuple(p.in_wires[k]), p.picks[k] if p.in_wires[k] else (), p.immediates.get(k))
            for k, name in enumerate(p.inputs)
        ),
        outputs=tuple(
            OutPort(name, tuple(p.out_wires[k]), 1 if split and k else 0, widths[k]) for k, name in enumerate(p.outputs)
        ),
        result_width=sum(widths) if split else max(widths, default=0),
        latency_ticks=latency,
        interval_ticks=interval,
        room=given.get("room", room),
        is_float=given.get("is_float", False),
        control_aj=given.get("control_aj", 0 if pad else 1_200_000),
        op_aj=given.get("op_aj", 100_000),
        op_cause=given.get("op_cause", "memory" if pad else "compute"),
        params=params,
    )


class Words:
    """Words of all launches, as functions of (launch, place): ``Words(net, out=lambda launch, k: 7 * k)``.

    Inputs that are not given have the word 100 × launch + place + 1; outputs have no default.
    """

    seed = 0

    def __init__(self, netlist: Netlist, **functions: Callable[[int, int], int]) -> None:
        self.arrays = {a.name: a for a in netlist.arrays}
        self.functions = functions

    def inputs(self, first: int, count: int) -> dict[str, NDArray[np.int32]]:
        """As engine.truth.Workload.inputs."""
        return {name: self._draw(name, first, count) for name, a in self.arrays.items() if a.is_input}

    def expected(self, first: int, count: int) -> dict[str, NDArray[np.int32]]:
        """As engine.truth.Workload.expected."""
        return {name: self._draw(name, first, count) for name, a in self.arrays.items() if a.is_output}

    def _draw(self, name: str, first: int, count: int) -> NDArray[np.int32]:
        words = self.arrays[name].words
        function = self.functions.get(name)
        if function is None:
            assert self.arrays[name].is_input, f"say what {name} must be"
            base = 100 * np.arange(first, first + count)[:, None] + np.arange(words)[None, :] + 1
            return base.astype(np.int32)
        drawn = [[function(launch, k) for k in range(words)] for launch in range(first, first + count)]
        return np.array(drawn, dtype=np.int64).astype(np.int32)
