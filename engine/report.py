"""The report: everything that a run tells, from its outcome."""

from __future__ import annotations

from collections.abc import Sequence

from engine.bounds import Bound, throughput_bound
from engine.crosstalk import worst
from engine.energy_bound import energy_limit
from engine.errors import Problem
from engine.fingerprint import design_hash, level_hash
from engine.machine import Counters, Stop
from engine.model import (
    BoundReport,
    CodecReport,
    CrosstalkReport,
    Design,
    ElementReport,
    EnergyExact,
    EnergyLimitReport,
    GateReport,
    Level,
    Report,
    RetentionReport,
    Verdict,
    WireReach,
)
from engine.netlist import Gate, Netlist
from engine.outcome import Outcome
from engine.roofline import lane_report, roofline
from engine.score import Measured, accesses, check_limits, medal, metrics, threads_of, words
from engine.steady import steady_state
from engine.units import EXACT_PER_AJ, TICKS_PER_NS, ns_from_ticks, pj_from_exact
from engine.version import VERSION


def invalid_report(level: Level, design: Design, problems: Sequence[Problem], *, seed: int) -> Report:
    """The report of a design that cannot be built."""
    return Report(
        verdict="invalid",
        level=level.id,
        design=design.name,
        problems=[
            {
                "file": p.file,
                "line": p.line,
                "column": p.column,
                "path": p.where,
                "code": p.code,
                "message": p.message,
                "severity": p.severity,
            }
            for p in problems
        ],
        engine_version=VERSION,
        seed=seed,
        level_hash=level_hash(level),
        design_hash=design_hash(design),
    )


def make_report(level: Level, design: Design, outcome: Outcome, *, seed: int, bound: bool = True) -> Report:
    """The report of a run with the data of ``seed``; with ``bound`` what bounds its throughput is told as well."""
    netlist = outcome.netlist
    report = Report(
        verdict=verdict_of(outcome.stop),
        level=level.id,
        design=design.name,
        fault=outcome.fault,
        deadlock=outcome.deadlock,
        launches_completed=outcome.completed,
        time_ns=ns_from_ticks(outcome.tick),
        events=outcome.events,
        engine=outcome.engine,
        engine_version=VERSION,
        seed=seed,
        level_hash=level_hash(level),
        design_hash=design_hash(design),
        bound=told(netlist, throughput_bound(netlist), outcome.measured) if bound else None,
        energy_limit=energy_limit_report(level, outcome.measured),
    )
    if outcome.warmth is not None:
        report.heat = outcome.warmth.report(netlist)
    if "encoding" in netlist.physics:
        report.encoding = codec_reports(netlist, outcome.lines)
    if "tunnelling" in netlist.physics:
        report.tunnelling = retention_reports(netlist, outcome.lines)
    if netlist.noisy:
        report.crosstalk = crosstalk_report(netlist, outcome.closest)
    measured, counters = outcome.measured, outcome.counters
    if measured is None or counters is None or outcome.window is None:
        return report
    report.window = outcome.window.model_copy(update={"final": outcome.final})
    report.metrics = metrics(netlist, measured)
    report.energy_pj = {cause: pj_from_exact(exact) for cause, exact in measured.by_cause.items()}
    report.energy_exact = EnergyExact(total=measured.total, by_cause=measured.by_cause, by_element=measured.by_element)
    report.steady = steady_state(outcome)
    report.elements = element_reports(netlist, measured, counters)
    report.accesses = accesses(netlist, counters)
    report.words = words(netlist, counters)
    if level.threads:
        report.words_per_thread = {array: n / threads_of(level) for array, n in report.words.items()}
    report.roofline = roofline(netlist, measured)
    report.lanes = lane_report(netlist, measured)
    report.gating = gate_reports(netlist, measured, counters) if "gating" in netlist.physics else None
    report.limits = check_limits(level, report.metrics, netlist, counters)
    if not all(limit.ok for limit in report.limits):
        report.verdict = "limit"
    else:
        report.medal = medal(level, report.metrics.efficiency_launches_per_nj)  # type: ignore[assignment]
    return report


def told(netlist: Netlist, bound: Bound, measured: Measured | None = None) -> BoundReport:
    """A bound on throughput and what sets it, by name, and whether the window that was measured kept within it."""
    return BoundReport(
        launches_per_us=float(bound.rate * TICKS_PER_NS * 1000),
        kind=bound.kind,
        elements=[*(netlist.nodes[i].id for i in bound.nodes), *(netlist.wires[i].id for i in bound.wires)],
        sentence=bound.sentence,
        exact=bound.exact,
        loose=bound.loose,
        binding=measured is None or not bound.rate or measured.launches <= bound.rate * measured.ticks,
    )


def energy_limit_report(level: Level, measured: Measured | None = None) -> EnergyLimitReport | None:
    """The level's energy limit, and how near to it a run came; None where nothing costs energy."""
    limit = energy_limit(level)
    if limit.launches_per_nj is None:
        return None
    return EnergyLimitReport(
        launches_per_nj=limit.launches_per_nj,
        pj_per_launch=pj_from_exact(limit.total),
        by_cause={cause: pj_from_exact(exact) for cause, exact in limit.by_cause.items()},
        period_ns=float(limit.ticks / TICKS_PER_NS),
        within=measured.total / (limit.total * measured.launches) if measured else None,
        binding=measured is None or measured.total >= limit.total * measured.launches,
    )


def codec_reports(netlist: Netlist, counters: Counters | None) -> list[CodecReport]:
    """What decoders did in a run; ``counters`` may be None where no wire has an encoding."""
    mended = counters.corrections if counters else None
    return [
        CodecReport(id=wire.id, encoding=wire.encoding, corrections=int(mended[i]) if mended is not None else 0)
        for i, wire in enumerate(netlist.wires)
        if wire.encoding != "raw"
    ]


def retention_reports(netlist: Netlist, counters: Counters | None) -> list[RetentionReport]:
    """How far wires that leak were from losing a line in a run."""
    found = []
    for i, wire in enumerate(netlist.wires):
        if not wire.retention_ticks:
            continue
        longest = int(counters.longest[i]) if counters and counters.longest is not None else 0
        found.append(
            RetentionReport(
                id=wire.id,
                gap=wire.gap,
                retention_ns=ns_from_ticks(wire.retention_ticks),
                longest_ns=ns_from_ticks(longest),
                spare_ns=ns_from_ticks(wire.retention_ticks - longest),
            )
        )
    return found


def crosstalk_report(netlist: Netlist, closest: Sequence[int]) -> CrosstalkReport:
    """How far each wire is from flipping bits, as its neighbours moved in a run."""
    return CrosstalkReport(
        wires=[
            WireReach(
                id=netlist.wires[r.wire].id,
                word=r.word,
                margin_mv=r.margin_uv / 1000,
                reach_mv=r.reach_uv / 1000,
                spare_mv=r.spare_uv / 1000,
            )
            for r in worst(netlist, closest)
        ]
    )


def verdict_of(stop: Stop) -> Verdict:
    """The verdict of a run that stopped so; limits are judged apart."""
    match stop:
        case Stop.FAULT:
            return "fault"
        case Stop.DEADLOCK:
            return "deadlock"
        case Stop.TIMEOUT:
            return "timeout"
        case _:
            return "pass"


def element_reports(netlist: Netlist, measured: Measured, counters: Counters) -> list[ElementReport]:
    """Pads and cores in order, then wires. A shared memory's ports are added up; its shares are their mean."""
    ticks = int((counters.busy + counters.blocked + counters.starved)[0]) if netlist.nodes else measured.ticks
    ticks = max(ticks, 1)
    found: list[ElementReport] = []
    for e, element in enumerate(netlist.elements):
        members = [i for i, node in enumerate(netlist.nodes) if node.element == e]
        busy, starved, blocked = (
            sum(int(a[i]) for i in members) / len(members) for a in (counters.busy, counters.starved, counters.blocked)
        )
        firings = sum(int(counters.node_firings[i]) for i in members)
        found.append(
            ElementReport(
                id=element.id,
                kind=element.kind,
                events=firings,
                utilisation=busy / ticks,
                busy_ns=busy / 100,
                starved_ns=starved / 100,
                blocked_ns=blocked / 100,
                starved_port=_starved_port(netlist, counters, members),
                rate_per_ns=firings * 100 / ticks,
                energy_pj=_energy_pj(measured, element.id),
            )
        )
    for i, wire in enumerate(netlist.wires):
        entries, waits = int(counters.wire_entries[i]), int(counters.wire_waits[i])
        busy = entries * wire.every_ticks
        found.append(
            ElementReport(
                id=wire.id,
                kind="wire",
                events=entries,
                utilisation=busy / ticks,
                busy_ns=busy / 100,
                starved_ns=max(0, ticks - busy - waits) / 100,
                blocked_ns=waits / 100,
                rate_per_ns=entries * 100 / ticks,
                energy_pj=_energy_pj(measured, wire.id),
            )
        )
    return found


def gate_reports(netlist: Netlist, measured: Measured, counters: Counters) -> list[GateReport]:
    """Cores and pads that may sleep, then wires."""
    found = []
    for i, node in enumerate(netlist.nodes):
        if node.gate:
            element = netlist.elements[node.element]
            nw = sum(node.gate.saved_nw(element.standing_nw.get(cause, 0)) for cause in node.gate.causes)
            found.append(_gate_report(element.id, node.gate, nw, counters.node_sleep[i].tolist(), measured.ticks))
    for i, wire in enumerate(netlist.wires):
        if wire.gate:
            nw = wire.gate.saved_nw(wire.drive_nw)
            found.append(_gate_report(wire.id, wire.gate, nw, counters.wire_sleep[i].tolist(), measured.ticks))
    return found


def _gate_report(name: str, gate: Gate, saved_nw: int, sleep: list[int], ticks: int) -> GateReport:
    slept, wakes, delayed = sleep
    break_even = gate.wake_aj * EXACT_PER_AJ / saved_nw if saved_nw else None
    mean = slept / wakes if wakes else None
    return GateReport(
        id=name,
        wakes=wakes,
        asleep=slept / ticks,
        mean_sleep_ns=None if mean is None else mean / TICKS_PER_NS,
        break_even_ns=None if break_even is None else break_even / TICKS_PER_NS,
        margin=mean / break_even if mean is not None and break_even else None,
        delayed=delayed,
    )


def _starved_port(netlist: Netlist, counters: Counters, members: list[int]) -> str | None:
    best: tuple[int, str] | None = None
    for i in members:
        for p, port in enumerate(netlist.nodes[i].inputs):
            ticks = int(counters.starved_by_port[i, p])
            if ticks and (best is None or ticks > best[0]):
                best = (ticks, port.name)
    return best[1] if best else None


def _energy_pj(measured: Measured, element: str) -> dict[str, float]:
    return {cause: pj_from_exact(exact) for cause, exact in measured.by_element.get(element, {}).items()}
