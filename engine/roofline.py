"""The roofline (Williams, Waterman, Patterson 2009), and how well lanes, lines and banks are used.

Both are made from what was counted in a window; nothing is run. "Metrics" in docs/model.md says what counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from engine.catalog import PAD_TYPES
from engine.model import LaneReport, MemoryKind, MemoryRoof, Roofline
from engine.netlist import Netlist, Node
from engine.score import SHARED, Measured
from engine.units import TICKS_PER_NS

WORD_BYTES = 4

OPERATIONS = {
    **dict.fromkeys(("add", "sub", "mul", "mul.serial", "div", "mod", "min", "max", "abs", "neg", "exp"), 1),
    "mac": 2,
}
"""Operations of a firing and lane, by kind; of other kinds there are none."""

FOLDS = ("accumulate", "scan", "reduce")
COUNTED_FOLDS = ("add", "mul", "min", "max")
"""A reduction by one of these is an operation for each value; logic is none, as elsewhere."""

UNCOUNTED = {*PAD_TYPES, "pack", "unpack"}
"""Kinds that do not count for occupancy: pack and unpack handle one lane a firing by their nature."""


def operations(node: Node) -> int:
    """Operations that a node does each time that its operation is paid."""
    if node.kind in FOLDS:
        return int(node.params["op"] in COUNTED_FOLDS)
    return OPERATIONS.get(node.kind, 0)


def peak(netlist: Netlist) -> Fraction:
    """Operations per tick of all arithmetic cores placed, each firing whenever its interval allows."""
    return sum((Fraction(operations(n) * paid_lanes(n), n.interval_ticks) for n in netlist.nodes), Fraction(0))


def paid_lanes(node: Node) -> int:
    """How often the operation of a firing is paid at most."""
    return node.once + node.per_lane * node.breadth if node.vector else 1


def memory_kind(netlist: Netlist, node: Node) -> MemoryKind | None:
    """The memory that a node is a pad of; None where it is none, or no wire leads there."""
    wired = any(port.wires for port in node.inputs) or any(port.wires for port in node.outputs)
    if "array" not in node.params or not wired:
        return None
    if node.kind in ("stream", "sink"):
        return "stream"
    return "far" if netlist.arrays[node.params["array"]].far else "near"


def bandwidth(netlist: Netlist, node: Node) -> Fraction:
    """Bytes per tick of a memory pad at its pace."""
    line = netlist.arrays[node.params["array"]].line if node.kind in ("load", "store") else 1
    burst = node.params.get("burst")
    ticks = Fraction(node.interval_ticks) + (Fraction(burst[1], burst[0]) if burst else 0)
    return WORD_BYTES * line / ticks


def roofline(netlist: Netlist, measured: Measured) -> Roofline:
    """What a machine does per byte, and how fast it could do it, over a window."""
    launches, sums = measured.launches, measured.nodes
    done = sum(operations(node) * sums.work[i] for i, node in enumerate(netlist.nodes))
    memories = []
    by_kind: dict[MemoryKind, list[int]] = {"far": [], "near": [], "stream": []}
    for i, node in enumerate(netlist.nodes):
        kind = memory_kind(netlist, node)
        if kind:
            by_kind[kind].append(i)
    for kind, members in by_kind.items():
        if members:
            memories.append(_memory_roof(netlist, measured, kind, members, done))
    memories.sort(key=lambda memory: (memory.attainable_per_ns is None, memory.attainable_per_ns or 0.0))
    top = float(peak(netlist) * TICKS_PER_NS)
    roof, by = top, "peak"
    if memories and memories[0].attainable_per_ns is not None and memories[0].attainable_per_ns < top:
        roof, by = memories[0].attainable_per_ns, memories[0].kind
    return Roofline(
        operations=done / launches,
        attained_per_ns=done * TICKS_PER_NS / measured.ticks,
        peak_per_ns=top,
        memories=memories,
        roof_per_ns=roof,
        limited_by=by,
    )


def _memory_roof(
    netlist: Netlist, measured: Measured, kind: MemoryKind, members: Sequence[int], done: int
) -> MemoryRoof:
    nodes, sums = netlist.nodes, measured.nodes
    moved = used = 0
    for i in members:
        array = netlist.arrays[nodes[i].params["array"]]
        line = array.line if kind != "stream" else 1
        moved += WORD_BYTES * line * sums.work[i]
        used += WORD_BYTES * sums.lanes[i]
    rate = sum((bandwidth(netlist, nodes[i]) for i in members), Fraction(0)) * TICKS_PER_NS
    return MemoryRoof(
        kind=kind,
        bytes=moved / measured.launches,
        bytes_used=used / measured.launches,
        bandwidth_bytes_per_ns=float(rate),
        intensity=done / moved if moved else None,
        attainable_per_ns=float(Fraction(done, moved) * rate) if moved else None,
    )


def lane_report(netlist: Netlist, measured: Measured) -> LaneReport | None:
    """How well lanes, lines and banks are used; None where a machine has none of them."""
    if not netlist.wide:
        return None
    sums = measured.nodes
    by_core: dict[str, list[int]] = {}
    lines: dict[str, float] = {}
    words: dict[str, float] = {}
    cycles: dict[str, list[int]] = {}
    for i, node in enumerate(netlist.nodes):
        if node.kind in ("load", "store") and sums.work[i]:
            lines[node.id] = sums.work[i] / sums.live[i]
            words[node.id] = sums.lanes[i] / sums.work[i]
        if node.kind not in UNCOUNTED and node.breadth > 1:
            pair = by_core.setdefault(node.id, [0, 0])
            pair[0] += sums.lanes[i]
            pair[1] += sums.firings[i] * node.breadth
        if node.kind in SHARED and netlist.memories[node.params["memory"]].banks:
            # An access whose lanes are all masked takes a cycle and is none.
            pair = cycles.setdefault(node.id, [0, 0])
            pair[0] += sums.cycles[i] - sums.firings[i]
            pair[1] += sums.live[i]
    live, lanes = (sum(pair[k] for pair in by_core.values()) for k in (0, 1))
    return LaneReport(
        occupancy=live / lanes if lanes else None,
        occupancy_by_core={name: live / lanes for name, (live, lanes) in by_core.items() if lanes},
        lines_per_access=lines,
        words_per_line=words,
        conflicts_per_access={name: more / live for name, (more, live) in cycles.items() if live},
    )
