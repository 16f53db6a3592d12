"""What an agent sees: the board in planes, the wires, and the report in figures. All bounded, all of a fixed size."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from engine.board import Tile
from engine.crosstalk import worst
from engine.live import Figure
from engine.model import causes_with
from engine.outcome import Outcome
from engine.report import element_reports
from engine.route import tiles_of
from engine.score import metrics
from engine.units import NOMINAL_MV, TICKS_PER_CYCLE
from levels.agents.moves import PORTS_IN, PORTS_OUT, Bench, Moves

VERDICTS = ("invalid", "fault", "deadlock", "timeout", "limit", "pass")
FIGURES = ("efficiency", "throughput", "power", "latency", "footprint", "within")
"""Figures of the observation: launches/nJ, launches/µs, mW, ns, tiles, and energy over the level's proven limit."""

PLANES = ("blocked", "kind", "element", "wires", "speed")
"""Planes of the board: blocked; number of the core's type, from 1; number of the element, from 1; wires over the tile;
time per word of the fastest of them in quarter octaves, from 1."""

SMALL, GREAT = -20.0, 20.0
"""Ends of natural logarithms in the observation; 0 stands where there is no figure."""

ELEMENT_PHYSICS = ("volts", "clock", "thin", "sleeper", "asleep", "kelvin")
"""What physics adds of an element, in levels that have any: V, ns, whether its oxide is thin and it may sleep, share of
the time asleep, 100 K above the ambient temperature."""

WIRE_PHYSICS = ("volts", "code", "gap", "track", "sleeper", "asleep", "spare")
"""Likewise of a wire: V, number of the code, gap over the full one, track from 1 over all (0: free), whether it may
sleep, share of the time asleep, and V of noise that are left before a quiet line flips."""

CODES = ("raw", "gray", "bus-invert", "bus-invert-4", "parity", "secded", "no-opposites", "no-lone-bits")

Observation = dict[str, Any]


def space(moves: Moves) -> spaces.Dict:
    """The space of :func:`observe`."""
    most = max(moves.elements, PORTS_IN, PORTS_OUT)
    low = np.tile(np.array([-1, -1, -1, -1, SMALL, 0], np.float32), (moves.max_wires, 1))
    high = np.tile(np.array([most, PORTS_OUT * 4, most, PORTS_IN * 4, GREAT, 1], np.float32), (moves.max_wires, 1))
    causes = causes_with(moves.level.physics.modules)
    more: dict[str, spaces.Space[Any]] = (
        {
            "element_physics": spaces.Box(0, GREAT, (moves.elements, len(ELEMENT_PHYSICS)), np.float32),
            "wire_physics": spaces.Box(SMALL, GREAT, (moves.max_wires, len(WIRE_PHYSICS)), np.float32),
            "shields": spaces.Box(0, 32, (moves.rows, moves.columns), np.int16),
        }
        if moves.level.physics.modules
        else {}
    )
    return spaces.Dict(
        {
            **more,
            "verdict": spaces.Discrete(len(VERDICTS)),
            "figures": spaces.Box(SMALL, GREAT, (len(FIGURES),), np.float32),
            "energy": spaces.Box(0, 1, (len(causes),), np.float32),
            "elements": spaces.Box(0, 1, (moves.elements, 3), np.float32),
            "wires": spaces.Box(low, high, dtype=np.float32),
            "board": spaces.Box(0, 255, (len(PLANES), moves.rows, moves.columns), np.int16),
        }
    )


def observe(bench: Bench, figure: Figure, limit: float | None) -> Observation:
    """What is seen of a machine and of its score; ``limit`` is the most launches/nJ that any machine reaches.

    ``figures`` are natural logarithms. ``energy`` are shares by cause. ``elements`` are shares of time: busy, starved,
    blocked. ``wires`` are: element and port at the start, at the (first) end, logarithm of ns per word, use; -1 where
    there is no wire.
    """
    moves = bench.moves
    causes = causes_with(moves.level.physics.modules)
    numbers = {name: e for e, name in enumerate(bench.names) if name}
    seen: Observation = {
        "verdict": np.int64(VERDICTS.index(figure.verdict)),
        "figures": np.zeros(len(FIGURES), np.float32),
        "energy": np.zeros(len(causes), np.float32),
        "elements": np.zeros((moves.elements, 3), np.float32),
        "wires": np.tile(np.array([-1, -1, -1, -1, 0, 0], np.float32), (moves.max_wires, 1)),
        "board": _board(bench, numbers),
    }
    for i, line in enumerate(bench.builder.lines):
        start, out, _ = line.spec.start
        end, into = line.spec.ends[0]
        outs, ins = bench.builder.ports(start)[1], bench.builder.ports(end)[0]
        pace = math.log(line.spec.every_ticks / 100) if line.spec.every_ticks else GREAT
        seen["wires"][i, :5] = (numbers[start], _index(outs, out), numbers[end], _index(ins, into), pace)
    if moves.level.physics.modules:
        seen |= _physics(bench, figure.outcome, numbers)
    measured, outcome = figure.measured, figure.outcome
    if measured is None or outcome is None or outcome.counters is None:
        return seen
    found = metrics(outcome.netlist, measured)
    within = limit / found.efficiency_launches_per_nj if limit and found.efficiency_launches_per_nj else 0.0
    figures = (
        found.efficiency_launches_per_nj,
        found.throughput_launches_per_us,
        found.power_mw,
        found.latency_ns.median,
        found.footprint_tiles,
        within,
    )
    seen["figures"][:] = [logarithm(value) for value in figures]
    if measured.total:
        seen["energy"][:] = [measured.by_cause[cause] / measured.total for cause in causes]
    reports = element_reports(outcome.netlist, measured, outcome.counters)
    for report in reports[: len(outcome.netlist.elements)]:
        times = np.array([report.busy_ns, report.starved_ns, report.blocked_ns])
        if times.sum() > 0:
            seen["elements"][numbers[report.id]] = np.clip(times / times.sum(), 0, 1)
    for i, report in enumerate(reports[len(outcome.netlist.elements) :]):
        seen["wires"][i, 5] = min(max(report.utilisation, 0.0), 1.0)
    return seen


def _physics(bench: Bench, outcome: Outcome | None, numbers: dict[str, int]) -> Observation:
    """What physics adds: what is set, and what a run has shown of it."""
    level, builder = bench.moves.level, bench.builder
    elements = np.zeros((bench.moves.elements, len(ELEMENT_PHYSICS)), np.float32)
    for name, number in numbers.items():
        core = builder.core(name)
        given = core.set if core else builder.pad_settings(name)
        mv, clock = given.get("voltage_mv", NOMINAL_MV), given.get("clock_ticks", TICKS_PER_CYCLE)
        thin, sleeper = given.get("oxide") == "thin", given.get("gate") is True
        elements[number, :4] = (float(mv) / 1000, float(clock) / 100, thin, sleeper)  # type: ignore[arg-type]
    wires = np.zeros((bench.moves.max_wires, len(WIRE_PHYSICS)), np.float32)
    shields = np.zeros((bench.moves.rows, bench.moves.columns), np.int16)
    for shield in builder.shields:
        for x, y in tiles_of(shield.path):
            shields[y, x] += 1
    for i, line in enumerate(builder.lines):
        spec = line.spec
        track = 0 if spec.track is None else (spec.track + 1) / level.board.tracks
        code, gap = CODES.index(spec.encoding or "raw"), (spec.gap or 100) / 100
        wires[i, :5] = ((spec.voltage_mv or NOMINAL_MV) / 1000, code, gap, track, spec.gate is True)
    if outcome is not None:
        _shown(outcome, numbers, elements, wires)
    return {"element_physics": elements, "wire_physics": wires, "shields": shields}


def _shown(outcome: Outcome, numbers: dict[str, int], elements: Any, wires: Any) -> None:
    """Sleep, temperatures and noise of a run."""
    netlist, measured, counters = outcome.netlist, outcome.measured, outcome.counters
    if measured is not None and counters is not None:
        for i, node in enumerate(netlist.nodes):
            if node.gate:
                elements[numbers[node.id], 4] = counters.node_sleep[i, 0] / measured.ticks
        for w, wire in enumerate(netlist.wires):
            if wire.gate and len(counters.wire_sleep):
                wires[w, 5] = counters.wire_sleep[w, 0] / measured.ticks
    if outcome.warmth is not None:
        for node in netlist.nodes:
            elements[numbers[node.id], 5] = min(outcome.warmth.at(node.at) / 1e8, GREAT)
    if netlist.noisy:
        for reach in worst(netlist, outcome.closest):
            wires[reach.wire, 6] = min(max(reach.spare_uv / 1e6, SMALL), GREAT)


def logarithm(value: float) -> float:
    """The natural logarithm within the observation's ends; 0 where there is none."""
    return min(max(math.log(value), SMALL), GREAT) if value > 0 else 0.0


def _index(ports: Any, name: str) -> int:
    return next((i for i, port in enumerate(ports) if port.name == name), -1)


def _board(bench: Bench, numbers: dict[str, int]) -> NDArray[np.int16]:
    from engine.catalog import CORES

    level, builder = bench.moves.level, bench.builder
    kinds = {name: k for k, name in enumerate(CORES, 1)}
    planes = np.zeros((len(PLANES), bench.moves.rows, bench.moves.columns), np.int16)
    for column, row, width, height in level.board.blocked:
        planes[0, row : row + height, column : column + width] = 1
    stand: dict[str, tuple[str, Tile]] = {pad.id: (pad.core, pad.at) for pad in level.pads}
    for name in bench.cores:
        core = builder.core(name) if name else None
        if core:
            stand[core.id] = (core.core, core.at)
    for name, (kind, (x, y)) in stand.items():
        planes[1:3, y, x] = kinds[kind], numbers[name] + 1
    for line in builder.lines:
        every = line.spec.every_ticks
        # 0.1 ns per word is 1, twice that 5; a stopped wire is as slow as can be.
        pace = round(4 * math.log2(every / 10)) + 1 if every else 255
        for x, y in line.tiles:
            planes[3, y, x] = min(planes[3, y, x] + 1, 255)
            planes[4, y, x] = min(planes[4, y, x] or 255, pace)
    return planes
