"""What a report tells of physics, in sentences: temperatures, noise and sleep, the nearest to a limit first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game.commands.output import figure, share

if TYPE_CHECKING:
    from engine.model import Report

TOLD = 3
"""Of what may sleep, the worst are told."""


def physics_sentences(report: Report) -> list[str]:
    """Nothing in levels without physics."""
    return [*_heat(report), *_noise(report), *_codes(report), *_walls(report), *_sleep(report)]


def _heat(report: Report) -> list[str]:
    heat = report.heat
    if heat is None:
        return []
    place = f"at [{heat.hottest_at[0]}, {heat.hottest_at[1]}]"
    found = [f"heat: {figure(heat.hottest_k)} K above {heat.ambient_c} °C {place}, the hottest tile"]
    slow = [core for core in heat.cores if core.clock_ticks > core.set_ticks]
    found += [
        f"  {core.id} is {figure(core.kelvin)} K hot: its clock falls from {core.set_ticks} to {core.clock_ticks} ticks"
        for core in slow
    ]
    spare = [core for core in heat.cores if core.slack_k is not None and core not in slow]
    if spare:
        nearest = min(spare, key=lambda core: core.slack_k or 0.0)
        found.append(f"  {nearest.id} has {figure(nearest.slack_k or 0.0)} K left before its clock falls")
    return found


def _noise(report: Report) -> list[str]:
    if report.crosstalk is None or not report.crosstalk.wires:
        return []
    worst = min(report.crosstalk.wires, key=lambda wire: wire.spare_mv)
    reach, margin = figure(worst.reach_mv), figure(worst.margin_mv)
    spare = f"{figure(worst.spare_mv)} mV to spare" if worst.spare_mv >= 0 else "nothing to spare"
    return [f"crosstalk: {worst.id} is nearest to flipping: noise {reach} mV of {margin} mV, {spare}"]


def _codes(report: Report) -> list[str]:
    mended = [wire for wire in report.encoding or () if wire.corrections]
    mended.sort(key=lambda wire: -wire.corrections)
    return [f"mended: {wire.corrections} words on {wire.id} by {wire.encoding}" for wire in mended[:TOLD]]


def _walls(report: Report) -> list[str]:
    if not report.tunnelling:
        return []
    worst = min(report.tunnelling, key=lambda wire: wire.spare_ns)
    longest, keeps = figure(worst.longest_ns), figure(worst.retention_ns)
    spare = f"{figure(worst.spare_ns)} ns to spare" if worst.spare_ns > 0 else "nothing to spare"
    return [f"walls: {worst.id} is nearest to losing lines: {longest} ns of {keeps} ns, {spare}"]


def _sleep(report: Report) -> list[str]:
    asleep = [gate for gate in report.gating or () if gate.mean_sleep_ns is not None]
    asleep.sort(key=lambda gate: gate.margin if gate.margin is not None else 0.0)
    found = [
        f"sleep: {gate.id} {share(gate.asleep)} of the time, {figure(gate.mean_sleep_ns or 0.0)} ns at a time"
        + _pays(gate.margin, gate.break_even_ns)
        for gate in asleep[:TOLD]
    ]
    if len(asleep) > TOLD:
        found.append(f"  and {len(asleep) - TOLD} more: --json lists all")
    return found


def _pays(margin: float | None, break_even_ns: float | None) -> str:
    """Whether sleep saves more than waking up costs."""
    if margin is None or break_even_ns is None:
        return "; it never pays" if break_even_ns is None else ""
    return f"; it {'pays' if margin >= 1 else 'does not pay'}: from {figure(break_even_ns)} ns on"
