"""How far elements are from trouble that depends on the run, in sentences for the inspector.

What can be told without a run (voltage and clock) is in :mod:`game.supply`.
"""

from __future__ import annotations

from engine.model import CoreHeat, GateReport, Report, WireReach
from game.rows import Note, Row, Value
from game.supply import Margin
from game.text import number


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


def heat_margin(core: CoreHeat) -> Margin:
    """Kelvin that are left before a core's clock falls, and before it burns out."""
    left = f"{number(core.limit_k)} K left before it burns out"
    if core.clock_ticks > core.set_ticks:
        return Margin(f"Its clock has fallen from {core.set_ticks} to {core.clock_ticks} ticks; {left}.", False)
    if core.slack_k is None:
        return Margin(f"It is set too fast, and the warmer it is the more of its bits are late; {left}.", False)
    return Margin(f"{number(core.slack_k)} K left before its clock falls, {left}.", core.slack_k >= 0)
