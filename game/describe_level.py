"""What the inspector tells of the level and of the whole machine, where nothing is selected."""

from __future__ import annotations

from engine.explain import fold
from engine.model import BoundReport, Design, Level, Report
from game.entries import number_text
from game.margins import ROOFS, beyond
from game.rows import Head, Note, Press, Row, Subject, Value
from game.said import PREPARED
from game.text import number

MOST_BEYOND = 6
"""Elements beyond their margin that are told by name."""


def bound_text(bound: BoundReport) -> str:
    """How many launches a wiring allows."""
    return f"at most {number(bound.launches_per_us)} /µs"


def bound_reason(bound: BoundReport) -> str:
    """What sets it: the sentence without its figure."""
    return bound.sentence.rpartition(": a launch per")[0] or bound.sentence


def describe_level(level: Level, design: Design, report: Report | None, bound: BoundReport | None) -> Subject:
    """Rows for the level: how its machine fares, what is proved of it, what is asked, and what comes out."""
    rows: list[Row] = []
    if report is not None and report.fault is not None:
        fault = report.fault
        rows.append(Head("Fault", f"{fault.time_ns:.2f} ns"))
        rows.append(Note(fault.message, "bad"))
        if fault.expected is not None:
            rows.append(Value("expected", number_text(fault.expected)))
        if fault.got is not None:
            rows.append(Value("got", number_text(fault.got), "bad"))
        if fault.packet:
            rows.append(Value("packet", ", ".join(number_text(w) for w in fault.packet)))
        if fault.launch is not None:
            rows.append(Value("launch", str(fault.launch)))
        if fault.index is not None:
            rows.append(Value("at", f"[{', '.join(map(str, fault.index))}]"))
        rows.append(Press("go-fault", "Show the moment (G)", ("fault",)))
    elif report is not None and report.deadlock is not None:
        rows.append(Head("Nothing moves", f"{report.deadlock.time_ns:.2f} ns"))
        rows.append(Note(report.deadlock.message, "bad"))
        for step in fold(report.deadlock.chain):
            rows.append(Note(step.message))
    if report is not None and report.metrics is not None:
        figures = report.metrics
        rows.append(Head("This machine", f"{figures.launches} launches"))
        rows.append(Value("throughput", f"{number(figures.throughput_launches_per_us)} /µs"))
        rows.append(Value("power", f"{number(figures.power_mw)} mW"))
        rows.append(Value("latency", f"{number(figures.latency_ns.median)} ns"))
        rows.append(Value("footprint", f"{figures.footprint_tiles} tiles"))
    rows += _proved(report, bound)
    rows += _wide(report)
    rows += _margins(level, design, report)
    limits = {limit.limit: limit for limit in report.limits} if report else {}
    asked = _limits(level)
    if asked:
        rows.append(Head("Limits"))
        for name, text in asked:
            found = limits.get(name)
            tone = "" if found is None else "good" if found.ok else "bad"
            value = None if found is None else found.found
            shown = text if value is None else f"{value:g} {text}" if value == int(value) else f"{number(value)} {text}"
            rows.append(Value(name, shown, tone))
    rows.append(Head("What comes out"))
    truth = level.kernel.truth or f"the kernel {level.kernel.named}"
    rows += [Note(line.strip(), "code") for line in truth.strip().splitlines()]
    for name, array in level.kernel.arrays.items():
        kind = "comes in" if array.data else "goes out"
        rows.append(Value(f"{name}[{', '.join(map(str, array.shape))}]", kind))
    return Subject(level.title, "", level.signed, tuple(rows))


def _proved(report: Report | None, bound: BoundReport | None) -> list[Row]:
    """What is proved: how many launches the wiring allows and why, and how near the energy is to the least there is."""
    rows: list[Row] = []
    if bound is not None:
        rows.append(Head("This wiring", bound_text(bound)))
        rows.append(Note(bound_reason(bound)))
        if bound.loose:
            rows.append(Note(f"It may be slower: {bound.loose}."))
        if not bound.binding or (report is not None and report.bound is not None and not report.bound.binding):
            rows.append(Note(f"The window that was measured is faster than that: {PREPARED}."))
    least = report.energy_limit if report is not None else None
    if least is not None and least.within is not None:
        rows.append(Head("Any machine", f"at most {number(least.launches_per_nj)} /nJ"))
        rows.append(Value("this one is within" if least.binding else "this window takes", f"{number(least.within)} ×"))
        if not least.binding:
            rows.append(Note(f"The limit is that of the long run, not of this window: {PREPARED}."))
    return rows


def _wide(report: Report | None) -> list[Row]:
    """How well lanes, lines and banks are used, in machines that have them, and how near the roof is."""
    found = report.lanes if report is not None else None
    if report is None or found is None:
        return []
    rows: list[Row] = [Head("Lanes and lines")]
    if found.occupancy is not None:
        rows.append(Value("lanes in use", f"{found.occupancy:.0%}"))
    rows += [Value(f"lines per access, {pad}", number(n)) for pad, n in found.lines_per_access.items()]
    rows += [Value(f"words per line, {pad}", number(n)) for pad, n in found.words_per_line.items()]
    rows += [Value(f"conflicts, {name}", f"{number(n)} an access") for name, n in found.conflicts_per_access.items()]
    if report.roofline is not None and report.roofline.peak_per_ns > 0:
        rows.append(Value("operations", f"{number(report.roofline.attained_per_ns)} /ns"))
        rows.append(Value("roof", f"{number(report.roofline.roof_per_ns)} /ns, {ROOFS[report.roofline.limited_by]}"))
    return rows


def _margins(level: Level, design: Design, report: Report | None) -> list[Row]:
    """Whether anything may spoil words, in levels with physics, and where."""
    if report is None or not level.physics.modules:
        return []
    found = beyond(level, design, report)
    rows: list[Row] = [Head("Margins", "all kept" if not found else f"{len(found)} beyond")]
    rows += [Value(name, margin, "bad") for name, margin in list(found.items())[:MOST_BEYOND]]
    return rows


def _limits(level: Level) -> list[tuple[str, str]]:
    limits = level.limits
    found = []
    if limits.throughput_per_us is not None:
        found.append(("throughput", f"≥ {number(limits.throughput_per_us)} /µs"))
    for name, value, unit in (
        ("latency", limits.latency_ns, " ns"),
        ("power", limits.power_mw, " mW"),
        ("slots", limits.slots, ""),
        ("footprint", limits.footprint, " tiles"),
        ("cores", limits.cores, ""),
    ):
        if value is not None:
            found.append((name, f"≤ {value:g}{unit}"))
    found += [(name, f"≤ {allowed} accesses") for name, allowed in limits.accesses.items()]
    found += [(f"{name} words", f"≤ {allowed}") for name, allowed in limits.words.items()]
    found += [(f"{name} words per thread", f"≤ {number(allowed)}") for name, allowed in limits.words_per_thread.items()]
    return found
