"""A netlist in the making, with what flows through it known at every moment.

The builder of random graphs adds cores one by one and sees at once, through :class:`tests.flow.Flow`, which packets
come out for the first launches. What leads to a fault, or to nothing, can be taken back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.catalog import CORES
from engine.netlist import Array, Element, InPort, Memory, Netlist, Node, OutPort, Wire, WordPick
from tests.flow import Flow, Packet

CORES_PADS = {name: 0 for name, core in CORES.items() if core.family == "pad"}

ECHOES = ("load", "store", "shared.write", "shared.read")
"""Kinds whose last output is the packet that came at the first input."""

LOOK = 4
"""Launches that are looked at while a graph grows."""

_GOLDEN, _MASK = 0x9E3779B97F4A7C15, 2**64 - 1


def scramble(*numbers: int) -> int:
    """A 64-bit hash of small numbers (the finaliser of SplitMix64)."""
    z = 0
    for number in numbers:
        z = z + _GOLDEN * (number + 1) & _MASK
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & _MASK
        z ^= z >> 31
    return z


@dataclass(eq=False)
class Port:
    """An input port that may still change; see :class:`engine.netlist.InPort`."""

    name: str
    wires: list[int] = field(default_factory=list)
    picks: tuple[WordPick, ...] = ()
    immediate: tuple[int, ...] | None = None


@dataclass(eq=False)
class Out:
    """An output port that may still get wires."""

    name: str
    offset: int
    width: int
    wires: list[int] = field(default_factory=list)


@dataclass(eq=False)
class Part:
    """A node in the making."""

    kind: str
    inputs: list[Port]
    outputs: list[Out]
    params: dict[str, Any]
    latency: int
    interval: int
    room: int
    is_float: bool
    element: int
    kinds: tuple[str, ...] = ()
    """Type of each word of the result: "i" or "f"."""


@dataclass(eq=False)
class Line:
    """A wire in the making; ``words`` are positions in the source's whole result."""

    source: int
    source_port: int
    words: tuple[int, ...]
    target: int
    ports: tuple[int, ...]
    length: int
    every_ticks: int


@dataclass(frozen=True)
class Handle:
    """An output port and the words of it that one means. ``ordered``: the order of packets is known."""

    node: int
    port: int
    words: tuple[int, ...]
    ordered: bool = True

    def of(self, *words: int) -> Handle:
        """Some of its words."""
        return replace(self, words=tuple(self.words[w] for w in words))


Constant = int
Feed = Handle | Constant | list[Handle]
"""What a port is given: words of an output, an immediate, or several outputs of the same width (fan-in)."""


class Draft:
    """Parts, wires and arrays; ``seed`` makes the data of the input arrays."""

    def __init__(self, rng: Any, seed: int, block: int, blocks: int, width: int) -> None:
        self.rng, self.seed = rng, seed
        self.nodes: list[Part] = []
        self.wires: list[Line] = []
        self.arrays: list[Array] = []
        self.ranges: dict[int, tuple[int, int]] = {}
        self.memories: list[Memory] = []
        self.elements = 0
        self.rashness = 0.0
        """How likely a move that faults is kept all the same; ``rash`` tells whether one was."""
        self.rash = False
        self.calm = False
        """Slow sources, in step: few launches are then in flight, and windows short."""
        self.block, self.blocks = block, blocks
        threads = block * blocks
        number = np.arange(threads, dtype=np.int32)
        words = [number // max(block, 1), number % max(block, 1), number][:width] if block else []
        self.tokens: NDArray[np.int32] = (
            np.stack(words, axis=1).astype(np.int32) if words else np.zeros((0, 0), np.int32)
        )
        self.token_block, self.token_thread = number // max(block, 1), number
        self._data: dict[tuple[int, int], NDArray[np.int32]] = {}
        self.flow = Flow(self.nodes, self.wires, self, self.data, keep=True)
        self.flow.launches = LOOK

    # --- data ------------------------------------------------------------------------------------------

    def array(self, shape: tuple[int, ...], *, output: bool = False, is_float: bool = False) -> int:
        """Add an array; returns its index."""
        self.arrays.append(Array(f"a{len(self.arrays)}", shape, not output, output, is_float))
        self.ranges[len(self.arrays) - 1] = self.rng.choice([(-9, 9), (0, 5), (1, 99), (-(2**31), 2**31 - 1), (-3, 1)])
        return len(self.arrays) - 1

    def data(self, array: int, launch: int) -> NDArray[np.int32]:
        """An input array's words in a launch, flat."""
        found = self._data.get((array, launch))
        if found is None:
            low, high = self.ranges[array]
            words = self.arrays[array].words
            drawn = [low + scramble(self.seed, array, launch, k) % (high - low + 1) for k in range(words)]
            found = np.array(drawn, np.int64).astype(np.int32)
            if self.arrays[array].is_float:
                found = (np.array([x % 2001 - 1000 for x in drawn]) / np.float32(128)).astype(np.float32).view(np.int32)
            self._data[array, launch] = found
        return found

    # --- building --------------------------------------------------------------------------------------

    def add(
        self,
        kind: str,
        feeds: dict[str, Feed] | None = None,
        *,
        outputs: Sequence[tuple[str, int, int]] | None = None,
        kinds: Sequence[str] = ("i",),
        is_float: bool = False,
        element: int | None = None,
        **params: Any,
    ) -> int:
        """Add a node and the wires to it; ``kinds`` are the types of its result's words. Returns its index."""
        core = CORES["shared" if kind.startswith("shared") else kind]
        latency, interval, room = self._timing(core.name, core.latency * 100, core.interval * 100, params)
        names, out_names = self._port_names(kind, params)
        if outputs is None:
            outputs = [(name, 0, len(kinds)) for name in out_names]
        if element is None:
            element, self.elements = self.elements, self.elements + 1
        part = Part(
            kind,
            [Port(name) for name in names],
            [Out(name, offset, width) for name, offset, width in outputs],
            params,
            latency,
            interval,
            room,
            is_float,
            element,
            tuple(kinds),
        )
        self.nodes.append(part)
        self.attach(len(self.nodes) - 1, feeds or {})
        return len(self.nodes) - 1

    def _port_names(self, kind: str, params: dict[str, Any]) -> tuple[list[str], list[str]]:
        if kind == "deal":
            return ["in"], [f"o{i}" for i in range(params["n"])]
        if kind == "collect":
            return [f"i{i}" for i in range(params["n"])], ["out"]
        if kind == "shared.write":
            return ["at", "value"], ["done"]
        if kind == "shared.read":
            return ["at"], ["value", "at"]
        core = CORES[kind]
        return [port.name for port in core.inputs], [port.name for port in core.outputs]

    def _timing(self, kind: str, latency: int, interval: int, params: dict[str, Any]) -> tuple[int, int, int]:
        rng = self.rng
        if kind in ("threads", "stream"):
            return 0, rng.choice([10, 100, 100, 200, 330]), 1
        if kind == "sink":
            latency, interval = 100, rng.choice([50, 100, 100, 240])
        elif kind in ("load", "store"):
            latency, interval = rng.choice([(200, 400), (200, 200), (4000, 100), (4000, 1000)])
        elif kind in ("accumulate", "scan") and params["op"] == "mul":
            latency = interval = 300
        elif rng.random() < 0.06:
            latency, interval = rng.choice([(1, 1), (100, 37), (70, 300), (950, 100), (1, 2)])
        room = max(1, -(-latency // interval))
        if kind == "relay":
            room = 2
        elif kind in ("buffer", "delay"):
            room = params["slots"]
        elif kind == "barrier":
            room = 2 if params["has_arrive"] else params["n"]
        return latency, interval, room

    def attach(self, target: int, feeds: dict[str, Feed], *, together: bool | None = None) -> None:
        """Wire or fix the ports of ``target``; feeds from one output may share a wire."""
        names = {port.name: i for i, port in enumerate(self.nodes[target].inputs)}
        groups: dict[tuple[int, int], list[str]] = {}
        for name, feed in feeds.items():
            if isinstance(feed, Handle):
                groups.setdefault((feed.node, feed.port), []).append(name)
            elif isinstance(feed, list):
                self._fan_in(target, names[name], feed)
            else:
                self.nodes[target].inputs[names[name]].immediate = (feed,)
        # Feeds from one output may share a wire, as long as the port has no other.
        for source, members in groups.items():
            share = len(members) > 1 and (self.rng.random() < 0.6 if together is None else together)
            for group in [members] if share else [[name] for name in members]:
                self._wire(source, target, [(names[name], feeds[name].words) for name in group])  # type: ignore[union-attr]
        if self.nodes[target].kind in ECHOES:
            self._echo(self.nodes[target])

    def _wire(self, source: tuple[int, int], target: int, ports: list[tuple[int, tuple[int, ...]]]) -> None:
        """One wire for ``ports``: (input port, words of the output that it wants)."""
        rng = self.rng
        width = self.nodes[source[0]].outputs[source[1]].width
        words = list(dict.fromkeys(w for _, wanted in ports for w in wanted))
        if rng.random() < 0.2:
            words = sorted({*words, rng.randrange(width)})
        if rng.random() < 0.1:
            words.reverse()
        number = len(self.wires)
        offset = self.nodes[source[0]].outputs[source[1]].offset
        taken = tuple(offset + w for w in words)
        self.wires.append(Line(*source, taken, target, tuple(p for p, _ in ports), *self._road()))
        self.nodes[source[0]].outputs[source[1]].wires.append(number)
        for port, wanted in ports:
            found = self.nodes[target].inputs[port]
            found.wires.append(number)
            found.picks = tuple(WordPick(False, words.index(w)) for w in wanted)

    def _fan_in(self, target: int, port: int, feeds: list[Handle]) -> None:
        found = self.nodes[target].inputs[port]
        for feed in feeds:
            number = len(self.wires)
            out = self.nodes[feed.node].outputs[feed.port]
            words = tuple(out.offset + w for w in feed.words)
            self.wires.append(Line(feed.node, feed.port, words, target, (port,), *self._road()))
            out.wires.append(number)
            found.wires.append(number)
            found.picks = tuple(WordPick(False, w) for w in range(len(feed.words)))

    def _road(self) -> tuple[int, int]:
        """(length, ticks per word) of a new wire."""
        rng = self.rng
        return rng.choice([1, 1, 2, 3, 4, 7, 12]), rng.choice([10, 25, 50, 100, 100, 100, 110, 200, 400])

    def constant(self, target: int, port: int, word: int) -> None:
        """Make the first word that ``target`` sees at ``port`` a constant."""
        found = self.nodes[target].inputs[port]
        found.picks = (WordPick(True, word), *found.picks[1:])

    def echo(self, node: int, output: int = 0) -> Handle:
        """What ``node`` saw at its first port, at an output that echoes the packet as it came on the wire."""
        part = self.nodes[node]
        picks = part.inputs[0].picks or tuple(WordPick(False, k) for k in range(part.outputs[output].width))
        return Handle(node, output, tuple(pick.value for pick in picks))

    def _echo(self, part: Part) -> None:
        """An echo has the words of the packet as it came on the wire."""
        port, out = part.inputs[0], part.outputs[-1]
        if port.wires:
            line = self.wires[port.wires[0]]
            source = self.nodes[line.source]
            kinds = [source.kinds[w] for w in line.words]
        else:
            kinds = ["i"] * len(port.immediate or ())
        out.width = len(kinds)
        part.kinds = (*part.kinds[: out.offset], *kinds)

    # --- looking ---------------------------------------------------------------------------------------

    def attempt(self, move: Callable[[], list[Handle]], most: int = 40) -> list[Handle] | None:
        """Do ``move``; take it back where it faults, makes nothing, or more than ``most`` packets a launch."""
        before = len(self.nodes), len(self.wires), len(self.arrays), len(self.memories), self.elements
        faults = len(self.flow.faults)
        stored = {a: {k: dict(v) for k, v in rows.items()} for a, rows in self.flow.stored.items()}
        pages = set(self.flow.pages)
        made = move()
        self.flow.grow()
        done = self.flow.settle(before[0], 4000)
        if done and made:
            if len(self.flow.faults) > faults:
                if self.rng.random() < self.rashness:
                    self.rash = True
                    return [h for h in made if self.packets(h)]
            elif all(0 < len(self.packets(h)) <= most * LOOK for h in made):
                return made
        self.flow.shrink(before[0], before[1], faults)
        self.flow.stored = stored
        for memory in set(self.flow.pages) - pages:
            del self.flow.pages[memory]
        del self.nodes[before[0] :], self.wires[before[1] :], self.arrays[before[2] :], self.memories[before[3] :]
        self.elements = before[4]
        self._data = {key: words for key, words in self._data.items() if key[0] < before[2]}
        for part in self.nodes:
            for out in part.outputs:
                out.wires = [w for w in out.wires if w < before[1]]
        return None

    def packets(self, handle: Handle) -> list[Packet]:
        """What comes out there in the launches looked at, with the words that the handle means."""
        offset = self.nodes[handle.node].outputs[handle.port].offset
        return [
            packet._replace(words=tuple(packet.words[offset + w] for w in handle.words))
            for port, packet in self.flow.kept[handle.node]
            if port in (-1, handle.port)
        ]

    def kinds(self, handle: Handle) -> list[str]:
        """Types of the handle's words."""
        offset = self.nodes[handle.node].outputs[handle.port].offset
        return [self.nodes[handle.node].kinds[offset + w] for w in handle.words]

    def count(self, handle: Handle, live: bool = False) -> int:
        """Packets per launch, if it is the same in every launch, else 0."""
        packets = self.packets(handle)
        if any(p.any for p in packets):
            return 0
        counts = Counter(p.launch for p in packets if not (live and p.masked))
        same = set(counts.values())
        return same.pop() if len(counts) == LOOK and len(same) == 1 else 0

    def firings(self) -> float:
        """Results of all nodes per launch."""
        return sum(map(len, self.flow.kept)) / LOOK

    def bottleneck(self, nodes: set[int]) -> int:
        """Ticks per launch that the busiest of ``nodes``, or of the wires between them, needs."""
        made = [len(kept) / LOOK for kept in self.flow.kept]
        needs = [made[i] * self.nodes[i].interval for i in nodes]
        for line in self.wires:
            kind = self.nodes[line.source].kind
            if line.source in nodes and line.target in nodes and kind not in ("switch", "deal"):
                needs.append(made[line.source] * line.every_ticks / (2 if kind == "load" else 1))
        return max(1, int(max(needs)))

    def slow_down(self, factor: float) -> None:
        """Let every source take ``factor`` times as long for a launch as the busiest core or wire."""
        launch = factor * self.bottleneck({i for i, part in enumerate(self.nodes) if part.latency})
        for index, part in enumerate(self.nodes):
            if not part.latency:
                part.interval = max(10, int(launch * LOOK / len(self.flow.kept[index])))

    def before(self, node: int) -> set[int]:
        """``node`` and all nodes from which wires lead to it."""
        found, new = {node}, [node]
        while new:
            target = new.pop()
            for line in self.wires:
                if line.target == target and line.source not in found:
                    found.add(line.source)
                    new.append(line.source)
        return found

    # --- the netlist -----------------------------------------------------------------------------------

    def netlist(self, **more: Any) -> Netlist:
        """The finished machine: pads first, a memory's ports side by side."""
        order = sorted(range(len(self.nodes)), key=lambda i: CORES_PADS.get(self.nodes[i].kind, 1))
        place = {old: new for new, old in enumerate(order)}
        names = {}
        nodes = []
        for old in order:
            part = self.nodes[old]
            names.setdefault(part.element, part)
            nodes.append(
                Node(
                    f"n{old}",
                    part.kind,
                    part.element,
                    (old, 0),
                    tuple(InPort(p.name, tuple(p.wires), p.picks if p.wires else (), p.immediate) for p in part.inputs),
                    tuple(OutPort(o.name, tuple(o.wires), o.offset, o.width) for o in part.outputs),
                    len(part.kinds),
                    part.latency,
                    part.interval,
                    part.room,
                    part.is_float,
                    0 if part.kind in CORES_PADS else 1_200_000,
                    20_000,
                    "compute",
                    dict(part.params),
                )
            )
        wires = tuple(
            Wire(
                f"w{i}",
                place[w.source],
                w.source_port,
                w.words,
                place[w.target],
                w.ports,
                tuple((x, i) for x in range(w.length + 1)),
                w.every_ticks,
                25_000 * w.length,
                16_000 * w.length * len(w.words) * 1000 // w.every_ticks if w.every_ticks else 0,
                5_000 * w.length,
            )
            for i, w in enumerate(self.wires)
        )
        elements = tuple(
            Element(f"e{i}", names[i].kind.split(".")[0], (i, 0), {"leakage": 150_000}) for i in range(self.elements)
        )
        return Netlist(
            nodes=tuple(nodes),
            wires=wires,
            elements=elements,
            arrays=tuple(self.arrays),
            memories=tuple(self.memories),
            tokens=self.tokens,
            token_block=self.token_block.astype(np.int32),
            token_thread=self.token_thread.astype(np.int32),
            threads_per_block=self.block,
            blocks=self.blocks,
            standby_nw=1_000_000,
            tolerance=1e-5,
            footprint_tiles=len(nodes),
            slots=0,
            **more,
        )
