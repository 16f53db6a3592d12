"""From raw counters to energy, metrics, limits and medals.

Everything here is arithmetic on Python integers; a quotient is taken once, at the very end, so a score is the
same on every machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median

import numpy as np
from numpy.typing import NDArray

from engine.machine import Counters
from engine.model import Latency, Level, LimitReport, Metrics, causes_with
from engine.netlist import Gate, Netlist
from engine.units import EXACT_PER_AJ, EXACT_PER_PJ, ns_from_ticks

Energy = dict[str, dict[str, int]]
"""Exact energy in 1e-20 J by element and cause. Causes without energy are left out."""

SHARED = ("shared.read", "shared.write")
"""Kinds of the ports of a shared memory."""

CHIP = "(chip)"
"""The element that carries the level's standby power. The brackets keep it apart from every pad and core."""


@dataclass(frozen=True, slots=True)
class NodeSums:
    """What every node did in a window, over all its launches: see :class:`engine.machine.Counters`."""

    firings: list[int]
    live: list[int]
    lanes: list[int]
    controls: list[int]
    work: list[int]
    cycles: list[int]


@dataclass(frozen=True, slots=True)
class Measured:
    """A window's launches, ticks, exact energy, what the nodes did, and latencies (ticks)."""

    launches: int
    ticks: int
    by_element: Energy
    by_cause: dict[str, int]
    total: int
    nodes: NodeSums
    latency_median: float
    latency_worst: int

    @property
    def efficiency(self) -> float:
        """Launches per nJ."""
        return self.launches * EXACT_PER_PJ * 1000 / self.total if self.total else 0.0

    @property
    def throughput(self) -> float:
        """Launches per microsecond."""
        return self.launches * 100_000 / self.ticks

    @property
    def power(self) -> float:
        """Milliwatts: exact energy over ticks is nW."""
        return self.total / (self.ticks * 1_000_000)


def measure(netlist: Netlist, counters: Counters, launches: int, ticks: int, extended: bool) -> Measured:
    """Add up a window: segment 1, with ``extended`` segments 1 and 2, over ``ticks`` > 0."""
    segments = slice(1, 3) if extended else slice(1, 2)
    toggles = counters.toggles[segments].sum(axis=0).tolist()
    entries = counters.entries[segments].sum(axis=0).tolist()
    nodes = _node_sums(counters, segments)
    coupling = counters.coupling[segments].sum(axis=0).tolist()

    by_element: Energy = {}
    for element in netlist.elements:
        by_element[element.id] = {c: nw * ticks for c, nw in element.standing_nw.items() if nw}
    for i, node in enumerate(netlist.nodes):
        parts = by_element[netlist.elements[node.element].id]
        _add(parts, "control", nodes.controls[i] * node.control_aj * EXACT_PER_AJ)
        paid = nodes.work[i] * node.op_aj + nodes.lanes[i] * node.lane_aj
        _add(parts, node.op_cause, paid * EXACT_PER_AJ)
        if node.gate:
            _sleep(parts, node.gate, counters.node_sleep[i], netlist.elements[node.element].standing_nw)
    for i, wire in enumerate(netlist.wires):
        parts = by_element.setdefault(wire.id, {})
        _add(parts, "drive", wire.drive_nw * ticks)
        _add(parts, "switching", toggles[i] * wire.toggle_aj * EXACT_PER_AJ)
        _add(parts, "coupling", coupling[i] * EXACT_PER_AJ)
        _add(parts, "leakage", wire.leakage_nw * ticks)
        if wire.gate:
            _sleep(parts, wire.gate, counters.wire_sleep[i], {"drive": wire.drive_nw})
        _add(parts, "shifting", entries[i] * wire.shifter_aj * EXACT_PER_AJ)
        _add(parts, "encoding", entries[i] * wire.encode_aj * EXACT_PER_AJ)
        _add(parts, "tunnelling", wire.wall_nw * ticks)
    by_element[CHIP] = {"standby": netlist.standby_nw * ticks}

    by_cause = dict.fromkeys(causes_with(netlist.physics), 0)
    for parts in by_element.values():
        for cause, exact in parts.items():
            by_cause[cause] += exact
    latencies = counters.latencies.tolist()
    return Measured(
        launches=launches,
        ticks=ticks,
        by_element=by_element,
        by_cause=by_cause,
        total=sum(by_cause.values()),
        nodes=nodes,
        latency_median=float(median(latencies)) if latencies else 0.0,
        latency_worst=int(counters.latency_worst),
    )


def _node_sums(counters: Counters, segments: slice) -> NodeSums:
    """The nodes' counters over some segments. Where a machine is not wide, a live firing works once, for one lane."""

    def added(of: NDArray[np.int64]) -> list[int]:
        sums: list[int] = of[segments].sum(axis=0).tolist()
        return sums

    firings, live = added(counters.firings), added(counters.live)
    lanes, work = (live if found is None else added(found) for found in (counters.lanes, counters.work))
    controls, cycles = (firings if found is None else added(found) for found in (counters.controls, counters.cycles))
    return NodeSums(firings, live, lanes, controls, work, cycles)


def _add(parts: dict[str, int], cause: str, exact: int) -> None:
    if exact:
        parts[cause] = parts.get(cause, 0) + exact


def _sleep(parts: dict[str, int], gate: Gate, sleep: NDArray[np.int64], standing_nw: Mapping[str, int]) -> None:
    """What sleep saves of standing power, and what waking takes."""
    slept, wakes = int(sleep[0]), int(sleep[1])
    for cause in gate.causes:
        _add(parts, cause, -gate.saved_nw(standing_nw.get(cause, 0)) * slept)
    _add(parts, "wake-up", wakes * gate.wake_aj * EXACT_PER_AJ)


def metrics(netlist: Netlist, measured: Measured) -> Metrics:
    """The figures that a person compares."""
    return Metrics(
        efficiency_launches_per_nj=measured.efficiency,
        throughput_launches_per_us=measured.throughput,
        power_mw=measured.power,
        latency_ns=Latency(
            median=measured.latency_median / 100,
            worst=ns_from_ticks(measured.latency_worst),
        ),
        footprint_tiles=netlist.footprint_tiles,
        cores=placed_cores(netlist),
        wire_tiles=sum(w.length for w in netlist.wires),
        launches=measured.launches,
    )


def placed_cores(netlist: Netlist) -> int:
    """Cores that the design placed, pads not counted."""
    from engine.catalog import PAD_TYPES

    return sum(element.kind not in PAD_TYPES for element in netlist.elements)


def accesses(netlist: Netlist, counters: Counters) -> dict[str, int]:
    """Most memory accesses (lines) of a counted launch, by array, where there were any."""
    return _by_array(netlist, counters.accesses)


def words(netlist: Netlist, counters: Counters) -> dict[str, int]:
    """Most words read or written in a counted launch, by array, where there were any."""
    return _by_array(netlist, counters.accesses if counters.words is None else counters.words)


def _by_array(netlist: Netlist, counts: NDArray[np.int64]) -> dict[str, int]:
    found: list[int] = np.asarray(counts).tolist()
    return {array.name: n for array, n in zip(netlist.arrays, found, strict=True) if n}


def check_limits(level: Level, figures: Metrics, netlist: Netlist, counters: Counters) -> list[LimitReport]:
    """Every limit that the level sets, with what was found. The time limit is the engine's."""
    limits, accessed, used = level.limits, accesses(netlist, counters), words(netlist, counters)
    found: list[LimitReport] = []

    def at_most(name: str, allowed: float | None, value: float) -> None:
        if allowed is not None:
            found.append(LimitReport(limit=name, allowed=allowed, found=value, ok=value <= allowed))

    if limits.throughput_per_us is not None:
        value = figures.throughput_launches_per_us
        ok = value >= limits.throughput_per_us
        found.append(LimitReport(limit="throughput", allowed=limits.throughput_per_us, found=value, ok=ok))
    at_most("latency", limits.latency_ns, figures.latency_ns.median)
    at_most("power", limits.power_mw, figures.power_mw)
    for array, allowed in limits.accesses.items():
        at_most(array, allowed, accessed.get(array, 0))
    for array, allowed in limits.words.items():
        at_most(f"{array} words", allowed, used.get(array, 0))
    for array, most in limits.words_per_thread.items():
        at_most(f"{array} words per thread", most, used.get(array, 0) / threads_of(level))
    at_most("slots", limits.slots, netlist.slots)
    at_most("footprint", limits.footprint, figures.footprint_tiles)
    at_most("cores", limits.cores, figures.cores)
    return found


def threads_of(level: Level) -> int:
    """Threads of a launch; 1 where the level has none."""
    return level.threads.threads_per_block * level.threads.blocks if level.threads else 1


def medal(level: Level, efficiency: float) -> str | None:
    """The medal of a passing score: won from the written number on."""
    if level.medals is None:
        return None
    for name in ("gold", "silver", "bronze"):
        if efficiency >= getattr(level.medals, name):
            return name
    return None
