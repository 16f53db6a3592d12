"""Runs of a machine in its own heat ("Physics: heat" in docs/model.md).

Inside a run clocks and leakage are constants. A run gives powers, these give temperatures, and these give clocks: where
they are not those of the run, it is made again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from engine.faults import explain_fault
from engine.heat import Grid, steady
from engine.machine import FaultInfo, Options, Stop
from engine.machines import EngineName, make_machine
from engine.model import CoreHeat, HeatReport
from engine.netlist import Element, Netlist, Node
from engine.outcome import Outcome, final_outcome, first_outcome
from engine.score import CHIP, Measured
from engine.technology import Heat, technology
from engine.truth import Workload

MAX_RUNS = 8
"""Runs at most; the clocks of the last one stand."""

COARSE = 100
"""Safe periods of cores that are set too fast go in tenths of a tick: their chance must not ask for ever more runs."""

FREE_RUNS = 3
"""After so many runs clocks only slow down, so that they come to an end."""

MAX_ROUNDS, SETTLED_UK = 40, 10_000
"""Leakage and temperatures are worked out in turn, at most so often, until no core changes by more."""


@dataclass(frozen=True)
class Warmth:
    """Temperatures of a run's steady state in µK above the ambient one, by tile, after ``runs`` runs.

    ``cold`` is the machine before any of them.
    """

    cold: Netlist
    tiles: Grid
    runs: int

    @cached_property
    def figures(self) -> Heat:
        """What heat does in this technology."""
        return technology(self.cold.technology).heat

    def at(self, tile: tuple[int, int]) -> int:
        """µK at a tile, [column, row]."""
        return int(self.tiles[tile[1], tile[0]])

    def safe_millitick(self, node: Node) -> int:
        """The safe period of a node of the cold machine at its temperature; 0 where no clock is too fast."""
        return self.figures.safe_millitick(node.safe_millitick, self.at(node.at))

    @property
    def burnt(self) -> int | None:
        """The node that burns out: the hottest one at the limit; None where there is none."""
        nodes = [i for i, node in enumerate(self.cold.nodes) if node.safe_millitick]
        worst = max(nodes, key=lambda i: self.at(self.cold.nodes[i].at), default=None)
        return worst if worst is not None and self.at(self.cold.nodes[worst].at) >= self.figures.limit_uk else None

    def report(self, netlist: Netlist) -> HeatReport:
        """In kelvin; ``netlist`` has the clocks of the run."""
        row, column = (int(i) for i in np.unravel_index(int(self.tiles.argmax()), self.tiles.shape))
        found: dict[int, CoreHeat] = {}
        for cold, node in zip(self.cold.nodes, netlist.nodes, strict=True):
            if not cold.safe_millitick:
                continue
            uk = self.at(node.at)
            slack = self.figures.most_uk(cold.safe_millitick, cold.clock_ticks) - uk
            found[node.element] = CoreHeat(
                id=node.id,
                kelvin=uk / 1e6,
                clock_ticks=node.clock_ticks,
                set_ticks=cold.clock_ticks,
                slack_k=None if cold.overshoot_ppm else slack / 1e6,
                limit_k=(self.figures.limit_uk - uk) / 1e6,
            )
        return HeatReport(
            ambient_c=self.figures.ambient_c,
            hottest_k=int(self.tiles.max()) / 1e6,
            hottest_at=(column, row),
            cores=list(found.values()),
            tiles=(self.tiles / 1e6).round(3).tolist(),
            runs=self.runs,
        )


@dataclass(frozen=True, slots=True)
class Heated:
    """A machine in its heat: with the clocks and leakage of its temperatures, and how its own run ended.

    ``warmth`` is None where the run came to no end that could be measured.
    """

    netlist: Netlist
    outcome: Outcome
    warmth: Warmth | None


def heated(cold: Netlist, workload: Workload, options: Options, engine: EngineName) -> Heated:
    """Run a machine until its clocks are those of its temperatures."""
    netlist, tiles = cold, None
    for runs in range(1, MAX_RUNS + 1):
        machine = make_machine(netlist, workload, options, engine)
        outcome = first_outcome(machine.run(), machine, netlist)
        if not outcome.final:
            outcome = final_outcome(outcome, machine, netlist)
        if outcome.measured is None:
            return Heated(netlist, outcome, None)
        tiles = temperatures(netlist, outcome.measured, tiles)
        warmth = Warmth(cold, tiles, runs)
        slower = slowed(cold, netlist if runs >= FREE_RUNS else cold, warmth)
        if slower.nodes == netlist.nodes:
            break
        if runs < MAX_RUNS:
            netlist = slower
    netlist = leaking(netlist, warmth)
    outcome.again_with(netlist)
    warm(outcome, warmth)
    return Heated(netlist, outcome, warmth)


def warm(outcome: Outcome, warmth: Warmth) -> None:
    """Tell an outcome of its temperatures; where a core burns out, that is how the run ended."""
    outcome.warmth = warmth
    if warmth.burnt is None or outcome.measured is None:
        return
    uk = warmth.at(warmth.cold.nodes[warmth.burnt].at)
    outcome.stop = Stop.FAULT
    outcome.fault = explain_fault(outcome.netlist, FaultInfo("burnt-out", outcome.tick, warmth.burnt, got=uk))
    outcome.measured = outcome.counters = outcome.window = None


# --- from a run to temperatures ------------------------------------------------------------------------------


def temperatures(netlist: Netlist, measured: Measured, start: Grid | None = None) -> Grid:
    """µK above the ambient temperature, by tile, of a run whose energy has the leakage of the ambient temperature.

    Looked for from ``start`` on, else from the ambient temperature.
    """
    heat = technology(netlist.technology).heat
    fixed = _powers(netlist, measured)
    leaks = [_leakage(element, measured) for element in netlist.elements]
    warm = [i for i, element in enumerate(netlist.elements) if leaks[i]]
    found = np.zeros_like(fixed) if start is None else start
    before = [int(found[element.at[1], element.at[0]]) for element in netlist.elements]
    for _ in range(MAX_ROUNDS):
        power = fixed.copy()
        for i in warm:
            x, y = netlist.elements[i].at
            power[y, x] += heat.leakage_nw(leaks[i], before[i]) - leaks[i]
        found = steady(power, heat, found)
        now = [int(found[element.at[1], element.at[0]]) for element in netlist.elements]
        settled = all(abs(now[i] - before[i]) <= SETTLED_UK for i in warm)
        before = now
        if settled:
            break
    return found


def _powers(netlist: Netlist, measured: Measured) -> Grid:
    """Mean nW of each tile in the window: cores, pads and wires at their places, standby everywhere alike."""
    columns, rows = netlist.size
    power = np.zeros((rows, columns), np.int64)

    def nw(name: str) -> int:
        return sum(measured.by_element.get(name, {}).values()) // measured.ticks

    for element in netlist.elements:
        power[element.at[1], element.at[0]] += nw(element.id)
    for wire in netlist.wires:
        # A step lies half in each of its two tiles.
        halves = [1, *([2] * (wire.length - 1)), 1]
        for (x, y), share in zip(wire.tiles, shares(nw(wire.id), halves), strict=True):
            power[y, x] += share
    power += np.array(shares(nw(CHIP), [1] * power.size), np.int64).reshape(power.shape)
    return power


def shares(total: int, weights: Sequence[int]) -> list[int]:
    """A whole number in parts by weight, whole and without a rest."""
    found, before, weight = [], 0, 0
    whole = sum(weights)
    for each in weights:
        weight += each
        upto = total * weight // whole
        found.append(upto - before)
        before = upto
    return found


# --- from temperatures to a machine --------------------------------------------------------------------------


def slowed(cold: Netlist, least: Netlist, warmth: Warmth) -> Netlist:
    """The machine with the clocks of its temperatures, none faster than in ``least``."""
    nodes = []
    for node, slowest in zip(cold.nodes, least.nodes, strict=True):
        safe = warmth.safe_millitick(node)
        if not safe:
            nodes.append(node)
        elif node.overshoot_ppm:  # set too fast: it keeps its clock, and is more often late
            nodes.append(replace(node, safe_millitick=max(-(-safe // COARSE) * COARSE, slowest.safe_millitick)))
        else:
            nodes.append(_clocked(node, max(node.clock_ticks, -(-safe // 1000), slowest.clock_ticks)))
    return replace(cold, nodes=tuple(nodes))


def _clocked(node: Node, clock: int) -> Node:
    """A node with another clock."""
    return replace(
        node,
        clock_ticks=clock,
        latency_ticks=node.latency_ticks // node.clock_ticks * clock,
        interval_ticks=node.interval_ticks // node.clock_ticks * clock,
        gate=node.gate and replace(node.gate, wake_ticks=node.gate.wake_ticks // node.clock_ticks * clock),
    )


def leaking(netlist: Netlist, warmth: Warmth) -> Netlist:
    """The machine with the leakage and the safe periods of its temperatures; its clocks stay."""
    elements = []
    for element in netlist.elements:
        standing = dict(element.standing_nw)
        for cause in HOT_CAUSES:
            if cause in standing:
                standing[cause] = warmth.figures.leakage_nw(standing[cause], warmth.at(element.at))
        elements.append(replace(element, standing_nw=standing))
    nodes = [
        # Safe periods as they are in this heat, for those who look at them.
        node
        if cold.overshoot_ppm
        else replace(node, safe_millitick=min(warmth.safe_millitick(cold), 1000 * node.clock_ticks))
        for cold, node in zip(warmth.cold.nodes, netlist.nodes, strict=True)
    ]
    return replace(netlist, nodes=tuple(nodes), elements=tuple(elements))


HOT_CAUSES = ("leakage", "storage")
"""What leaks of a core: itself, and its slots."""


def _leakage(element: Element, measured: Measured) -> int:
    """Mean nW in the window, less what was saved asleep."""
    leaks = measured.by_element.get(element.id, {}).get("leakage", 0) // measured.ticks
    return leaks + element.standing_nw.get("storage", 0)


def in_its_heat(netlist: Netlist, workload: Workload, engine: EngineName) -> Netlist:
    """The machine with the clocks and leakage of its temperatures, in levels with heat; else as it is."""
    return heated(netlist, workload, Options(), engine).netlist if netlist.hot else netlist
