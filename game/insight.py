"""What can be said about a design beyond its score: demand rates, marks, the bottleneck, and power over time.

All of it is made in the background, as values; no pygame here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from engine.bounds import Mark, demand, throughput_bound
from engine.elaborate import elaborate
from engine.errors import InvalidError
from engine.machine import Counters, Stop
from engine.model import BoundReport, Design, Level, causes_with
from engine.netlist import Netlist
from engine.report import told
from engine.simulation import EngineName, Simulation
from engine.truth import Workload
from engine.units import EXACT_PER_AJ, EXACT_PER_PJ
from game.aside import Aside, Overtaken

BINS = 160
MAX_LAUNCHES = 400
"""Launches of which the energy of each is told."""


@dataclass(frozen=True)
class Insight:
    """What the graph tells. ``detents`` and ``marks`` by wire number; ``bound_*`` is what sets the pace, ``bound`` how
    fast that is."""

    design: Design
    detents: Mapping[int, int] = field(default_factory=dict)
    marks: Mapping[int, str] = field(default_factory=dict)
    slack: Mapping[int, float] = field(default_factory=dict)
    bound_cores: tuple[str, ...] = ()
    bound_wires: tuple[int, ...] = ()
    bound: BoundReport | None = None


@dataclass(frozen=True)
class Trace:
    """A run from time 0 to the end of what is scored.

    edges
        Ticks between the bins, one more than bins.
    power
        mW per bin, by cause.
    completions, joules
        Ticks at which launches counted, and the energy in pJ since the one before.
    end
        The run's last tick; ``stop`` says why it ended there.
    """

    design: Design
    edges: NDArray[np.int64]
    power: Mapping[str, NDArray[np.float64]]
    completions: NDArray[np.int64]
    joules: NDArray[np.float64]
    end: int
    stop: Stop


def insight(level: Level, design: Design) -> Insight:
    """Demand rates and what sets the pace; an empty one for a design that cannot be built."""
    try:
        netlist = elaborate(level, design)
    except InvalidError:
        return Insight(design)
    asked = demand(netlist)
    marks, detents, slack = {}, {}, {}
    for i, (wire, need) in enumerate(zip(netlist.wires, asked.wires, strict=True)):
        if need.mark in (Mark.LOOP, Mark.BURST):
            marks[i] = need.mark.value
        elif need.mark is Mark.ROADS and need.missing > 0:
            marks[i] = f"{need.mark.value} {need.missing} short"
        if need.every_ticks is not None:
            detents[i] = need.every_ticks
            if wire.every_ticks:
                slack[i] = need.every_ticks / wire.every_ticks
    bound = throughput_bound(netlist)
    cores = tuple(dict.fromkeys(netlist.elements[netlist.nodes[n].element].id for n in bound.nodes))
    return Insight(design, detents, marks, slack, cores, tuple(bound.wires), told(netlist, bound))


def trace(
    level: Level, design: Design, *, seed: int = 0, engine: EngineName = "auto", workload: Workload | None = None
) -> Trace | None:
    """Run a design once more and note where its energy goes over time; None where it cannot be built."""
    try:
        simulation = Simulation(level, design, engine=engine, seed=seed, workload=workload)
    except InvalidError:
        return None
    start = simulation.snapshot()
    machine = simulation.machine
    stop = machine.run()
    end = max(machine.now, 1)
    begin = machine.window.start_tick
    completions = machine.completions().copy()
    machine.restore(start)
    edges = np.unique(np.linspace(0, end, BINS + 1).astype(np.int64))
    told = completions[:MAX_LAUNCHES]
    energy = _Energy(simulation.netlist)
    found: dict[int, dict[str, int]] = {0: dict.fromkeys(energy.standing, 0)}
    # Sleep is counted anew when the window begins: what was before is taken just before that.
    turn = [begin - 1] if energy.sleepers and begin > 0 else []
    for tick in np.unique(np.concatenate((edges[1:], told, turn)).astype(np.int64)).tolist():
        while machine.now < tick and machine.run(tick) in (Stop.WINDOW, Stop.EXTENSION):
            pass
        found[tick] = energy.at(machine.counters(), tick)
        if tick in turn:
            energy.keep_sleep(machine.counters())
    power = {
        cause: np.array(
            [
                (found[b][cause] - found[a][cause]) / (b - a) / 1e6
                for a, b in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)
            ]
        )
        for cause in energy.standing
    }
    totals = [0, *(sum(found[tick].values()) for tick in told.tolist())]
    return Trace(design, edges, power, completions, np.diff(totals) / EXACT_PER_PJ, end, stop)


class _Energy:
    """Exact energy (1e-20 J) of a machine from time 0, by cause, from its counters."""

    def __init__(self, netlist: Netlist) -> None:
        self.netlist = netlist
        self.standing = dict.fromkeys(causes_with(netlist.physics), 0)
        self.standing["standby"] = netlist.standby_nw
        for element in netlist.elements:
            for cause, nw in element.standing_nw.items():
                self.standing[cause] += nw
        for wire in netlist.wires:
            self.standing["drive"] += wire.drive_nw
            self.standing["leakage"] += wire.leakage_nw
            if wire.wall_nw:
                self.standing["tunnelling"] += wire.wall_nw
        self.control = np.array([node.control_aj for node in netlist.nodes], np.int64)
        self.op = np.array([node.op_aj for node in netlist.nodes], np.int64)
        self.toggle = np.array([wire.toggle_aj for wire in netlist.wires], np.int64)
        self.encode = np.array([wire.encode_aj for wire in netlist.wires], np.int64)
        self.shifter = np.array([wire.shifter_aj for wire in netlist.wires], np.int64)
        self.causes = [node.op_cause for node in netlist.nodes]
        self.sleepers = [
            *(
                (node.gate, False, i, netlist.elements[node.element].standing_nw)
                for i, node in enumerate(netlist.nodes)
                if node.gate
            ),
            *(
                (w.gate, True, i, {"drive": w.drive_nw})
                for i, w in enumerate(netlist.wires)
                if w.gate and w.every_ticks
            ),
        ]
        self._kept: dict[str, int] = {}

    def at(self, counters: Counters, tick: int) -> dict[str, int]:
        firings, live = counters.firings.sum(axis=0), counters.live.sum(axis=0)
        total = {cause: nw * tick for cause, nw in self.standing.items()}
        total["control"] += int((firings * self.control).sum()) * EXACT_PER_AJ
        for cause, aj in zip(self.causes, (live * self.op).tolist(), strict=True):
            if aj:
                total[cause] += aj * EXACT_PER_AJ
        total["switching"] += int((counters.toggles.sum(axis=0) * self.toggle).sum()) * EXACT_PER_AJ
        if "shifting" in total:
            total["shifting"] += int((counters.entries.sum(axis=0) * self.shifter).sum()) * EXACT_PER_AJ
        if "coupling" in total:
            total["coupling"] += int(counters.coupling.sum()) * EXACT_PER_AJ
        if "encoding" in total:
            total["encoding"] += int((counters.entries.sum(axis=0) * self.encode).sum()) * EXACT_PER_AJ
        for part in (self._kept, self._sleep(counters)):
            for cause, exact in part.items():
                total[cause] += exact
        return total

    def keep_sleep(self, counters: Counters) -> None:
        """What sleep has saved and waking has taken until now counts from now on as well."""
        self._kept = self._sleep(counters)

    def _sleep(self, counters: Counters) -> dict[str, int]:
        found: dict[str, int] = {}
        for gate, is_wire, i, standing_nw in self.sleepers:
            slept, wakes, _ = (counters.wire_sleep if is_wire else counters.node_sleep)[i].tolist()
            for cause in gate.causes:
                if cause in standing_nw:
                    found[cause] = found.get(cause, 0) - gate.saved_nw(standing_nw[cause]) * slept
            found["wake-up"] = found.get("wake-up", 0) + wakes * gate.wake_aj * EXACT_PER_AJ
        return found


def study(
    level: Level, seed: int, engine: EngineName, aside: Aside, wish: tuple[Design, bool]
) -> Iterator[Insight | Trace]:
    """For :class:`game.background.Background`: the insight of a design, then, if wished, its trace."""
    design, whole = wish
    try:
        yield replace(aside.call(insight, level, design), design=design)
        found = aside.call(trace, level, design, seed=seed, engine=engine) if whole else None
    except Overtaken:
        return
    if found is not None:
        yield replace(found, design=design)
