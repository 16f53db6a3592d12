"""The reasons in ``perwatt run`` and ``perwatt why``: chains of waits, cures of a deadlock, and what a run lost."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from engine.errors import UsageError
from game.commands.output import figure, say, share
from levels.codes import clean

if TYPE_CHECKING:
    from engine.causes import Causes
    from engine.model import Deadlock, Design, Level, Report, WaitStep
    from engine.netlist import Netlist


AT_BOUND = 0.99
"""A run within this share of its bound runs at the pace of what sets the bound."""


def relieved(level: Level, design: Design, report: Report) -> Report:
    """A report whose deadlock says which buffers break it; any other as it is."""
    if report.deadlock is None:
        return report
    from engine.relief import cured

    return report.model_copy(update={"deadlock": cured(level, design, report.deadlock, report.seed)})


def chain_of(
    level: Level, design: Design, report: Report, of: str | None, at_ns: float | None
) -> dict[str, Any] | None:
    """Why an element waits (default: the first output that is wired), from a time on (default: where the window begins,
    or the end of a run that failed); None where nothing can run, or where a deadlock says it anyway.

    Raises UsageError for an element that is none.
    """
    if report.verdict == "invalid" or (of is None and at_ns is None and (report.deadlock or report.fault)):
        return None
    from engine.faults import sentence
    from engine.machine import Stop
    from engine.simulation import Simulation
    from engine.units import ns_from_ticks
    from engine.waits import began, usual_cause, with_room

    engine = "plain" if report.engine == "plain" else "auto"
    simulation = Simulation(level, design, seed=report.seed, engine=engine)  # type: ignore[arg-type]
    netlist = simulation.netlist
    subject = _subject(netlist, of)
    start = report.window.start_ns if report.window else report.time_ns
    stop = simulation.run_until(start if at_ns is None else at_ns)
    ended = at_ns is not None and stop is not Stop.UNTIL and simulation.now_ns < at_ns
    cause, part = usual_cause(simulation, **subject)
    cause = with_room(level, netlist, cause)
    since = began(simulation, cause, **subject)
    return {
        "of": netlist.wires[subject["wire"]].id if "wire" in subject else netlist.nodes[subject["node"]].id,
        "at_ns": simulation.now_ns,
        "ended_before_ns": at_ns if ended else None,
        "kind": cause.kind,
        "ring": cause.ring,
        "root": cause.root,
        "meaning": sentence(netlist, cause.meaning) if cause.meaning else "",
        "share": part,
        "began_ns": None if since is None else ns_from_ticks(since),
        "chain": [step.model_dump(mode="json") for step in cause.chain],
        "pace": _pace(report, cause.root),
    }


def _pace(report: Report, root: str) -> dict[str, Any] | None:
    """What sets the pace of the whole run, by the bound that it reaches, and whether a chain that ends at ``root`` ends
    there; None where the run is slower than any bound says, or was not measured."""
    bound = report.bound
    if bound is None or report.metrics is None or not bound.launches_per_us:
        return None
    if not AT_BOUND <= report.metrics.throughput_launches_per_us / bound.launches_per_us <= 1 / AT_BOUND:
        return None
    # Of the elements in the slowest cycle the sentence names those that set it; a loop is named by its cores.
    named = bound.sentence.rpartition(": a launch per")[0] or bound.sentence
    ends = {end.partition(".")[0] for end in root.split(" → ")}
    here = (bound.kind == "loop" and ends <= set(bound.elements)) or (
        root in bound.elements and re.search(rf"(?<![\w.]){re.escape(root)}(?![\w.])", named) is not None
    )
    return {"sentence": bound.sentence, "elements": bound.elements, "chain_ends_there": here}


def _subject(netlist: Netlist, of: str | None) -> Mapping[str, int]:
    from engine.elements import meant

    outputs = [
        n
        for n, node in enumerate(netlist.nodes)
        if node.kind in ("store", "sink") and any(port.wires for port in node.inputs)
    ]
    if of is None:
        return {"node": outputs[0]}
    try:
        found = meant(netlist, of)
    except UsageError as error:
        raise UsageError(f"--of: {error}") from None
    if found.nodes:
        return {"node": found.nodes[0]}
    if len(found.wires) > 1:
        several = ", ".join(netlist.wires[w].id for w in found.wires)
        raise UsageError(f"--of {clean(of, 60)} are {len(found.wires)} wires: give one of them: {clean(several, 300)}")
    return {"wire": found.wires[0]}


def show_chain(deadlock: Deadlock | None) -> None:
    """The chain of waits of a deadlock, folded, what it means, and what would break it."""
    if deadlock is None:
        return
    _show_steps(deadlock.chain, deadlock.ring)
    if deadlock.meaning:
        say(f"    → {clean(deadlock.meaning)}")
    if deadlock.cure:
        say(f"    → {clean(deadlock.cure[:1].upper() + deadlock.cure[1:])}.")


def show_waits(chain: dict[str, Any] | None) -> None:
    """The chain of one element."""
    if chain is None:
        return
    from engine.model import WaitStep

    say()
    part = f" ({share(chain['share'])} of the time)" if chain["share"] < 0.995 else ""
    say(f"  Why does {clean(chain['of'])} wait, from {chain['at_ns']:g} ns on?{part}")
    if chain["ended_before_ns"] is not None:
        say(f"    (the run had ended before {chain['ended_before_ns']:.10g} ns: this is its end)")
    _show_steps([WaitStep.model_validate(step) for step in chain["chain"]], chain["ring"])
    since = "" if chain["began_ns"] is None else f" It began at {chain['began_ns']:g} ns."
    say(f"    → {clean(chain['meaning'])}{since}")
    pace = chain["pace"]
    if pace is None:
        return
    say(f"  What sets the pace: {clean(pace['sentence'])}")
    if not pace["chain_ends_there"]:
        say(f"    The chain above ends elsewhere: {clean(chain['root'])} holds it up in the short run, not all in all.")


def _show_steps(chain: list[WaitStep], ring: bool) -> None:
    from engine.explain import fold

    steps = fold(chain)
    for n, step in enumerate(steps):
        label = "ROOT" if n == len(steps) - 1 and not ring else "    "
        say(f"    {label} {clean(step.message)}")


def losses(level: Level, design: Design, report: Report) -> Causes | None:
    """What a run that was measured lost, with cures that were tried."""
    if report.metrics is None:
        return None
    from engine.advice import advised

    return advised(level, design, report)


def losses_as_json(found: Causes | None) -> dict[str, Any]:
    """Keys of ``perwatt why --json``."""
    from dataclasses import asdict

    if found is None:
        return {"lost_time": [], "lost_energy": [], "first": ""}
    return {
        "period_ns": found.period_ns,
        "least_ns": found.least_ns,
        "lost_time": [asdict(item) for item in found.time],
        "lost_energy": [asdict(item) for item in found.energy],
        "first": found.first,
    }


def show_losses(found: Causes | None) -> None:
    """Lost time, lost energy, and what to change first."""
    if found is None:
        return
    say()
    say(
        f"  Time: a launch takes {figure(found.period_ns, 4)} ns; the pads would allow {figure(found.least_ns, 4)} "
        f"({clean(found.least_by)})"
    )
    for item in found.time:
        say(f"    {figure(item.ns)} ns: {clean(item.message)}. {_capital(item.cure)}")
    if found.energy:
        say("  Energy that a launch need not pay for:")
    for loss in found.energy:
        say(f"    {figure(loss.pj)} pJ: {clean(loss.message)}. {_capital(loss.cure)}")
    say(f"  First: {clean(found.first) if found.first else 'nothing stands out'}", "bold")


def _capital(text: str) -> str:
    return clean(text[:1].upper() + text[1:])
