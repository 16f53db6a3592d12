"""Random machines for the comparison of the engines.

:func:`graph` gives a :class:`Case` for a source of choices: ``random.Random(seed)`` in the long run, hypothesis' random
in the tests, which can shrink it. About three quarters are machines that work, with the ground truth that
:class:`tests.flow.Flow` finds; the rest are spoiled in one place, so that they fault, hang, or do something else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.machine import Options
from engine.netlist import Gate, Netlist
from engine.technology import technology
from engine.truth import Workload
from engine.units import TICKS_PER_CYCLE
from tests.draft import CORES_PADS, LOOK, Draft, Handle
from tests.figures import MOVES
from tests.flow import Flow
from tests.moves import Growth, threads
from tests.spoils import SPOILS, spoil

GRIDS = ((0, 0), (0, 0), (1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (4, 1), (4, 2))
CALM_GRIDS = ((0, 0), (1, 1), (2, 1), (2, 1), (1, 2), (2, 2), (3, 1))
"""Threads of a block and blocks; none where there is no grid."""

MARGIN = 2
"""Launches that the truth feeds beyond the one asked for: what it holds back for those comes later, or never."""


class Truth:
    """Data and expected words, as :class:`engine.truth.Workload` gives them, for a machine of this module.

    ``net`` is the machine that runs, ``meant`` the one that is right (None: the same). ``wrong`` maps (array, launch,
    word) to a word that is expected instead. Launches from ``horizon`` on are not reached within the time limit and
    have zeros. ``seed`` is that of the bits that come late.
    """

    seed = 0

    def __init__(
        self,
        net: Netlist,
        data: Callable[[int, int], NDArray[np.int32]],
        wrong: dict[tuple[int, int, int], int] | None = None,
        horizon: int = 10**9,
        meant: Netlist | None = None,
    ) -> None:
        self.net, self.data, self.wrong = net, data, wrong or {}
        right = meant or net
        self.flow = Flow(right.nodes, right.wires, right, data)
        self.flow.grow()
        self.horizon = horizon

    def inputs(self, first: int, count: int) -> dict[str, NDArray[np.int32]]:
        launches = range(first, first + count)
        return {
            array.name: np.stack([self.data(index, k) for k in launches])
            for index, array in enumerate(self.net.arrays)
            if array.is_input
        }

    def expected(self, first: int, count: int) -> dict[str, NDArray[np.int32]]:
        while self.flow.launches < min(first + count, self.horizon) + MARGIN:
            self.flow.feed()
            self.flow.settle()
        found = {}
        for index, array in enumerate(self.net.arrays):
            if array.is_output:
                words = np.zeros((count, array.words), np.int32)
                for row in range(count):
                    for place, word in self.flow.stored.get(index, {}).get(first + row, {}).items():
                        if place < array.words:
                            words[row, place] = word
                    for place in range(array.words):
                        if (index, first + row, place) in self.wrong:
                            words[row, place] = self.wrong[index, first + row, place]
                found[array.name] = words
        return found


@dataclass
class Case:
    """A machine with all that a run needs. ``notes`` say what it has: its mix is counted."""

    net: Netlist
    truth: Truth | Workload
    options: Options
    cores: int
    notes: set[str] = field(default_factory=set)
    kinds: set[str] = field(default_factory=set)


def graph(rng: Any, size: int | None = None, only: Sequence[str] = ()) -> Case:
    """A random machine.

    ``size`` moves at most (None: as many as it gets) make a smaller one of the same kind. ``only`` are the moves to
    choose from (none: all); such a machine ends at sinks and is at most spoiled by a stopped wire.
    """
    while True:
        case = _graph(rng, size, only)
        if case is not None:
            return case


def _graph(rng: Any, size: int | None, only: Sequence[str]) -> Case | None:
    calm = rng.random() < 0.55
    block, blocks = rng.choice(CALM_GRIDS if calm else GRIDS)
    draft = Draft(rng, rng.randrange(2**31), block, blocks, rng.choice([2, 2, 3, 1]))
    draft.calm = calm
    draft.rashness = 0.0 if only else rng.choice([0.0, 0.0, 0.0, 0.0, 0.05, 0.5])
    g = Growth(draft, rng)
    notes: set[str] = set()
    if block:
        g.grown(draft.attempt(lambda: threads(g)))
    for _ in range(1 if block else 2):
        g.grown(draft.attempt(lambda: MOVES["stream"][1](g) or []))
    wants = []
    if rng.random() < 0.36 and not only:
        wants.append(rng.choice(["token_loop", "token_loop", "counted_loop", "while_loop"]))
    if rng.random() < 0.1 and not only:
        wants.append("fan_in")
    names = [name for name, (weight, _) in MOVES.items() for _ in range(weight) if not only or name in only]
    target, moves = rng.randint(9, 19), 0
    for turn in range(70):
        if _cores(draft) >= target or (size is not None and moves >= size):
            break
        name = wants[0] if wants and turn > 2 and rng.random() < 0.4 else rng.choice(names)
        made = g.grown(draft.attempt(lambda name=name: MOVES[name][1](g) or []))  # type: ignore[misc]
        if made:
            moves += 1
            notes.add(name)
            if name in wants:
                wants.remove(name)
            if rng.random() < 0.3:
                _finish(g, made[0], notes, only)
    for handle in list(g.pool):
        if handle not in g.used and not draft.nodes[handle.node].outputs[handle.port].wires:
            _finish(g, handle, notes, only)
    if not any(a.is_output for a in draft.arrays):
        for handle in g.pool:
            if _finish(g, handle, notes, only):
                break
        else:
            return None
    return _case(g, notes, only)


def _cores(draft: Draft) -> int:
    return len({part.element for part in draft.nodes if part.kind not in CORES_PADS})


# --- outputs ---------------------------------------------------------------------------------------------


def _finish(g: Growth, handle: Handle, notes: set[str], only: Sequence[str]) -> bool:
    """Bring an output to a sink or a store, if its live packets are equally many in every launch."""
    rng, d = g.rng, g.d
    live = d.count(handle, live=True)
    if not live or live > 64:
        if rng.random() < 0.5:
            g.grown(d.attempt(lambda: MOVES["relay"][1](g) or []))
        return False
    ways: list[Callable[[], list[Handle]]] = []
    value = g.word(handle)
    if handle.ordered:
        ways.append(lambda: _sink(g, value, live))
    elif live == d.count(handle):
        ways.append(lambda: _gathered(g, value, live))
    key = None if only else _key(g, handle, live)
    if key is not None:
        ways += [lambda: _store(g, key, value, live, notes)] * 3
    elif handle.ordered and live == d.count(handle) and not only and rng.random() < 0.3:
        ways.append(lambda: _numbered(g, value, live, notes))
    if not ways:
        return False
    made = d.attempt(rng.choice(ways))
    if made is None:
        return False
    g.used.add(handle)
    return True


def _shape(g: Growth, words: int) -> tuple[int, ...]:
    return (2, words // 2) if words % 2 == 0 and g.rng.random() < 0.3 else (words,)


def _sink(g: Growth, value: Handle, live: int) -> list[Handle]:
    array = g.d.array(_shape(g, live), output=True, is_float=g.kind(value) == "f")
    g.d.add("sink", {"value": value}, kinds=[], array=array)
    return [value]


def _gathered(g: Growth, value: Handle, live: int) -> list[Handle]:
    made = g.one("accumulate", {"in": value}, [g.kind(value)], op="xor", n=live, ways=1)[0]
    g.d.flow.grow()
    g.d.flow.settle()
    return _sink(g, made, 1)


def _key(g: Growth, handle: Handle, live: int) -> Handle | None:
    """A word beside ``handle`` that numbers its live packets 0 … live - 1 in every launch, in some order."""
    for other in [handle, *([g.beside(handle) for _ in range(2)] if handle.ordered else [])]:
        packets = [
            p for p, q in zip(g.d.packets(other), g.d.packets(handle), strict=True) if not (p.masked or q.masked)
        ]
        for k in range(len(other.words)):
            if all(
                sorted(p.words[k] for p in packets if p.launch == launch) == list(range(live)) for launch in range(LOOK)
            ):
                return other.of(k)
    return None


def _numbered(g: Growth, value: Handle, live: int, notes: set[str]) -> list[Handle]:
    """Addresses from a counter that the first packet of each launch triggers."""
    first = g.one("take", {"in": value}, [g.kind(value)], n=1, of=live)[0]
    count = g.one("counter", {"go": first}, start=0, n=live, step=1)[0]
    return _store(g, count, value, live, notes)


def _store(g: Growth, key: Handle, value: Handle, live: int, notes: set[str]) -> list[Handle]:
    """A store, or two that share the array; sometimes what it has written is read back."""
    rng, d = g.rng, g.d
    is_float = g.kind(value) == "f"
    array = d.array((live,), output=True, is_float=is_float)
    same = (key.node, key.port) == (value.node, value.port)
    if same and key.ordered and live % 2 == 0 and live == d.count(key) and rng.random() < 0.3:
        pair = Handle(key.node, key.port, key.words + value.words)
        deal = d.add("deal", {"in": pair}, kinds=["i", g.kind(value)], n=2)
        for k in range(2):
            branch = g.out(deal, k)
            d.add("store", {"at": branch.of(0), "value": branch.of(1)}, kinds=["i"], array=array)
        return [value]
    node = d.add("store", {"at": key, "value": value}, kinds=["i"], array=array)
    if rng.random() < 0.35:
        notes.add("done")
        done = replace(d.echo(node), ordered=key.ordered and value.ordered)
        back = d.add(
            "load",
            {"at": done},
            kinds=["f" if is_float else "i", "i"],
            array=array,
            outputs=[("value", 0, 1), ("at", 1, 1)],
        )
        d.flow.grow()
        d.flow.settle()
        again = g.out(back, 0, done.ordered)
        if done.ordered:
            return _sink(g, again, live)
        return _gathered(g, again, live)
    return [value]


# --- the case --------------------------------------------------------------------------------------------


def _case(g: Growth, notes: set[str], only: Sequence[str]) -> Case:
    rng, draft = g.rng, g.d
    if draft.calm and rng.random() < 0.9:
        draft.slow_down(rng.choice([1.0, 1.2, 2.0, 4.0, 8.0]))
    ends = [i for i, part in enumerate(draft.nodes) if part.kind in ("sink", "store")]
    paces = [draft.bottleneck(draft.before(i)) for i in ends]
    # Launches that the run should reach: enough for the window where that is short, and never too many events.
    launches = 160 if draft.calm else int(rng.choice([3, 10, 30]) * 3 ** rng.random())
    launches = min(launches, int((2800 if draft.calm else 900) / draft.firings()) + 2)
    limit = int(rng.choice([300, 5000, 12_000])) + max(paces) * launches
    # The paces are estimates (a load counts twice, data may make later launches shorter): some launches to spare.
    horizon = min(limit * 4 // min(paces), limit * 4 // max(paces) + 260) + 16
    net = draft.netlist(
        warmup=rng.choice([1, 1, 2, 4]),
        measured=rng.choice([1, 3, 8]),
        time_limit_ticks=limit,
        data_dependent=rng.random() < (0.65 if _data_dependent(draft) else 0.1),
    )
    if draft.rash:
        notes.add("spoiled move")
    meant, wrong = net, {}
    if rng.random() < 0.18:
        how, changed = spoil(rng, net, ("stop",) if only else tuple(SPOILS))
        if changed is not None:
            notes.add(f"spoiled {how}")
            net = changed
            if rng.random() < 0.5:
                meant = net
    if rng.random() < 0.04 and not only:
        notes.add("spoiled truth")
        index = rng.choice([i for i, a in enumerate(net.arrays) if a.is_output])
        wrong[index, rng.randrange(12), rng.randrange(net.arrays[index].words)] = rng.choice([0, 77])
    options = Options(
        jitter_seed=rng.randrange(2**20) if rng.random() < 0.25 and not only else None,
        digests=True,
        period_search=rng.random() < 0.95,
    )
    if any(len(p.wires) > 1 for n in net.nodes for p in n.inputs):
        notes.add("fan-in")
    if _has_loop(net):
        notes.add("loop")
    if any(len(o.wires) > 1 for n in net.nodes for o in n.outputs):
        notes.add("fan-out")
    if any(not w.every_ticks for w in net.wires):
        notes.add("stopped")
    if any(len(w.ports) > 1 for w in net.wires):
        notes.add("several ports")
    if any(p.constant for n in net.nodes for port in n.inputs for p in port.picks):
        notes.add("constant")
    kinds = {n.kind.split(".")[0] if n.kind.startswith("shared") else n.kind for n in net.nodes}
    if any(n.kind == "repeat" and n.params["group"] == 1 and not n.params["append"] for n in net.nodes):
        kinds.add("hold")
    net = replace(net, window_events=rng.choice([0, 0, 0, 300, 1000, 3000]))
    seed = 0
    if rng.random() < 0.3 and not only:
        net, seed = supplied(rng, net), rng.randrange(2**40)
        notes.add("dvfs")
        if net.errs:
            notes.add("spoiled by haste")
    if rng.random() < 0.2 and not only:
        net, spoils = lined(rng, net)
        notes |= {"lines", *(["spoiled by strays"] if spoils else [])}
        seed = seed or rng.randrange(2**40)
    if rng.random() < 0.3 and not only:
        net = gated(rng, net)
        notes.add("gating")
    truth = Truth(net, draft.data, wrong, horizon, meant or net)
    truth.seed = seed
    return Case(net, truth, options, _cores(draft), notes, kinds)


def supplied(rng: Any, net: Netlist) -> Netlist:
    """The machine with voltages and clocks; in some, a few cores and wires are faster than is safe."""
    haste = rng.choice([0.0, 0.0, 0.08, 0.3])
    safe = technology(net.technology).supply.safe_millitick
    nodes, wires = [], []
    for node in net.nodes:
        if node.kind not in CORES_PADS:
            mv = rng.choice(sorted(safe))
            clock = max(50, min(1000, -(-safe[mv] // 1000) + rng.choice([0, 0, 1, 20])))
            if rng.random() < haste:
                clock = max(50, int(safe[mv] * rng.uniform(0.6, 1.0)) // 1000)
            node = replace(
                node,
                latency_ticks=max(1, node.latency_ticks * clock // TICKS_PER_CYCLE),
                interval_ticks=max(1, node.interval_ticks * clock // TICKS_PER_CYCLE),
                voltage_mv=mv,
                clock_ticks=clock,
                safe_millitick=safe[mv],
            )
        nodes.append(node)
    for wire in net.wires:
        mv = rng.choice(sorted(safe))
        least = safe[mv] // 2 if rng.random() < haste else min(safe[mv] // 2, 1000 * wire.every_ticks)
        wires.append(replace(wire, voltage_mv=mv, safe_millitick=least, shifter_aj=rng.choice([0, 100_000])))
    return replace(net, nodes=tuple(nodes), wires=tuple(wires), physics=("dvfs",))


def lined(rng: Any, net: Netlist) -> tuple[Netlist, bool]:
    """The machine with encodings on some of its wires, and thin walls on others; whether that may make words wrong."""
    codecs = technology(net.technology).codecs
    share, spoils = rng.choice([0.2, 0.9]), rng.random() < 0.25
    wires = []
    for wire in net.wires:
        if rng.random() < share:
            encoding = rng.choice(sorted(codecs))
            codec = codecs[encoding]
            wire = replace(
                wire,
                encoding=encoding,
                encoder_ticks=rng.choice([codec.encoder_ticks, 0, 7, 7]),
                decoder_ticks=rng.choice([0, 0, 13, 60]),
                encode_aj=codec.word_aj * len(wire.words),
                raw_receiver=spoils and rng.random() < 0.05,
            )
        if rng.random() < 0.3:
            # Safe where nothing waits for very long, or lost after a few words' time.
            times = rng.choice([1, 2, 5]) if spoils else 10**6
            wire = replace(wire, gap=50, retention_ticks=times * wire.transit_ticks + 1, wall_nw=1000)
        wires.append(wire)
    return replace(net, wires=tuple(wires), physics=(*net.physics, "encoding", "tunnelling")), spoils


def gated(rng: Any, net: Netlist) -> Netlist:
    """The machine with nodes and wires that sleep: some after very little, some look far ahead."""
    share, patience = rng.choice([0.2, 0.6, 1.0]), rng.choice([0, 10, 100, 400])

    def gate(most: int, cause: str) -> Gate | None:
        if rng.random() > share:
            return None
        ahead = rng.choice([0, 0, 1, 2, 50])
        return Gate(rng.randint(0, patience), min(ahead, most), rng.choice([1, 30, 200]), 1000, 10, (cause,))

    awake = ("threads", "stream", "sink", "barrier", "shared.write", "shared.read")
    nodes = [node if node.kind in awake else replace(node, gate=gate(1000, "leakage")) for node in net.nodes]
    wires = [replace(wire, gate=gate(1, "drive")) for wire in net.wires]
    return replace(net, nodes=tuple(nodes), wires=tuple(wires), physics=(*net.physics, "gating"))


def _has_loop(net: Netlist) -> bool:
    after: list[set[int]] = [set() for _ in net.nodes]
    for wire in net.wires:
        after[wire.source].add(wire.target)
    into = [0] * len(net.nodes)
    for ends in after:
        for end in ends:
            into[end] += 1
    ready = [k for k, n in enumerate(into) if not n]
    for k in ready:
        for end in after[k]:
            into[end] -= 1
            if not into[end]:
                ready.append(end)
    return len(ready) < len(net.nodes)


def _data_dependent(draft: Draft) -> bool:
    """Whether what a core drops, marks or sends where was not the same in all launches looked at."""
    for index, part in enumerate(draft.nodes):
        rows: dict[int, list[Any]] = {launch: [] for launch in range(LOOK)}
        for port, packet in draft.flow.kept[index]:
            if not packet.any:
                rows.setdefault(packet.launch, []).append((port, packet.masked))
        if len({tuple(row) for row in rows.values()}) > 1:
            return True
        if part.kind in ("mux", "gate") and index:
            cond = part.inputs[0 if part.kind == "mux" else 1]
            if cond.wires:
                line = draft.wires[cond.wires[0]]
                if line.source < len(draft.flow.kept) and draft.nodes[line.source].kind in ("load", "stream"):
                    return True
    return False
