"""How far elements are from trouble that depends on the run, in sentences for the inspector.

What can be told without a run (voltage and clock) is in :mod:`game.supply`.
"""

from __future__ import annotations

from engine.model import CoreHeat, Design, GateReport, Level, Report, RetentionReport, WireReach
from game.rows import Note, Row, Value
from game.supply import TWO_BITS_PPM, Margin, core_region, wire_region
from game.text import number

ROOFS = {"peak": "arithmetic", "far": "far memory", "near": "near memory", "stream": "streams"}
"""What a roof may be made of, in words."""


def margins_of(report: Report | None, name: str, wire: int | None = None) -> list[Row]:
    """Rows of all modules of physics that have something to say of an element; ``wire`` is its number if it is one."""
    if report is None:
        return []
    rows: list[Row] = []
    for core in report.heat.cores if report.heat and wire is None else ():
        if core.id == name:
            assert report.heat is not None
            rows += _told("temperature", f"{number(core.kelvin)} K above {report.heat.ambient_c} °C", heat_margin(core))
    if report.crosstalk and wire is not None and wire < len(report.crosstalk.wires):
        reach = report.crosstalk.wires[wire]
        rows += _told("noise", f"{reach.reach_mv:.0f} of {reach.margin_mv:.0f} mV", reach_margin(reach))
    if report.lanes and name in report.lanes.occupancy_by_core:
        rows.append(Value("lanes in use", f"{report.lanes.occupancy_by_core[name]:.0%}"))
    if report.lanes and name in report.lanes.lines_per_access:
        rows.append(Value("lines per access", number(report.lanes.lines_per_access[name])))
        rows.append(Value("words used of a line", number(report.lanes.words_per_line[name])))
    for kept in report.tunnelling or ():
        if kept.id == name:
            rows += _told("a word stays", f"{number(kept.longest_ns)} ns", retention_margin(kept))
    for codec in report.encoding or ():
        if codec.id == name and codec.corrections:
            rows.append(Value("words mended", str(codec.corrections)))
    for gate in report.gating or ():
        if gate.id == name:
            rows += _told("asleep", f"{gate.asleep:.0%}", gate_margin(gate))
    return rows


def _told(label: str, value: str, margin: Margin) -> list[Row]:
    return [Value(label, value), Note(margin.text, "good" if margin.good else "bad")]


def reach_margin(reach: WireReach) -> Margin:
    """What is left of the noise that a quiet line of a wire bears."""
    word = f" of word {reach.word}" if reach.word else ""
    if reach.spare_mv < 0:
        return Margin(
            f"A quiet line{word} may flip: its neighbours can push it {number(-reach.spare_mv)} mV too far. More room, "
            "a shield, more volts, another code or another moment help.",
            False,
        )
    return Margin(f"{number(reach.spare_mv)} mV left before a quiet line{word} flips.", True)


def gate_margin(gate: GateReport) -> Margin:
    """Whether sleeping pays, and who waits for it."""
    waits = f"; {gate.delayed} words waited for it" if gate.delayed else ""
    if gate.mean_sleep_ns is None:
        return Margin(f"It was never woken{waits}.", True)
    sleeps = f"It sleeps {number(gate.mean_sleep_ns)} ns at a time"
    if gate.break_even_ns is None or gate.margin is None:
        return Margin(f"{sleeps}, and no sleep pays for a waking: it has no power to save{waits}.", False)
    pays = f"and {number(gate.break_even_ns)} ns pay for a waking"
    return Margin(f"{sleeps}, {pays}{waits}.", gate.margin >= 1)


def retention_margin(kept: RetentionReport) -> Margin:
    """How long a word may stay on a wire with thin walls before it loses its highest line."""
    if kept.spare_ns <= 0:
        return Margin(f"A word that stays {number(kept.retention_ns)} ns loses its highest line that is set.", False)
    return Margin(f"{number(kept.spare_ns)} ns left of the {number(kept.retention_ns)} ns before a line is lost.", True)


def beyond(level: Level, design: Design, report: Report) -> dict[str, str]:
    """What may spoil words, by element: the margin that it is beyond. Where there is none the machine is safe.

    One wrong line of a word in the code secded is mended, and counts as none.
    """
    found: dict[str, str] = {}
    mends = [wire.encoding == "secded" and wire.receiver is None for wire in design.wires]
    for core in design.cores:
        region = core_region(level, core)
        out = [mends[i] for i, wire in enumerate(design.wires) if wire.start[0] == core.id]
        if region is not None and not region.safe and not (all(out) and region.overshoot_ppm <= TWO_BITS_PPM):
            found[core.id] = "clock"
    for i, wire in enumerate(design.wires):
        name = f"{wire.source} → {', '.join(wire.to)}"
        region = wire_region(level, wire)
        if region is not None and not region.safe and not (mends[i] and region.overshoot_ppm <= TWO_BITS_PPM):
            found[name] = "speed"
        if report.crosstalk and i < len(report.crosstalk.wires) and report.crosstalk.wires[i].spare_mv < 0:
            found[name] = "noise"
    lost = {wire.id: wire for wire in report.tunnelling or ()}
    mending = {codec.id for codec in report.encoding or () if codec.encoding == "secded"}
    for name, kept in lost.items():
        if kept.spare_ns <= 0 and not (name in mending and kept.longest_ns < 2 * kept.retention_ns):
            found[name] = "time on thin walls"
    for hot in report.heat.cores if report.heat else ():
        if hot.limit_k <= 0:
            found[hot.id] = "heat"
    return found


def heat_margin(core: CoreHeat) -> Margin:
    """Kelvin that are left before a core's clock falls, and before it burns out."""
    left = f"{number(core.limit_k)} K left before it burns out"
    if core.clock_ticks > core.set_ticks:
        return Margin(f"Its clock has fallen from {core.set_ticks} to {core.clock_ticks} ticks; {left}.", False)
    if core.slack_k is None:
        return Margin(f"It is set too fast, and the warmer it is the more of its bits are late; {left}.", False)
    return Margin(f"{number(core.slack_k)} K left before its clock falls, {left}.", core.slack_k >= 0)
