"""``perwatt run`` and ``perwatt why``: one run, as figures or as an explanation."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.errors import Problem, UsageError
from engine.units import EXACT_PER_PJ
from game.commands.load import board_problems, level_and_design
from game.commands.output import (
    as_json,
    command,
    emit,
    exit_code,
    figure,
    print_problems,
    say,
    share,
    split_problems,
    table,
)
from game.commands.physics import physics_sentences
from game.commands.reasons import chain_of, losses, losses_as_json, relieved, show_chain, show_losses, show_waits
from game.said import PREPARED, limit_is, limit_name, within_limit
from levels.codes import clean

if TYPE_CHECKING:
    from engine.model import Level, Report
    from levels.files import LoadedDesign, LoadedLevel

STYLES = {"pass": "bold green", "limit": "bold yellow"}
TOP = 8
"""Elements listed in a report, those that take the most energy; and waits explained, the longest."""


@command
def run(
    level_ref: str,
    design_ref: str,
    *,
    packs: Sequence[Path] | None,
    json: bool,
    quiet: bool,
    launches: int | None,
    seed: int,
    jitter: int | None,
    engine: str,
    full: bool = False,
) -> int:
    """Run and report. Exit code 0 only for the verdict pass without a timing hazard."""
    level, design = level_and_design(level_ref, design_ref, packs)
    report, problems = _report(
        level, design, launches=launches, seed=seed, jitter=jitter or 0, engine=engine, full=full
    )
    report = relieved(level.level, design.design, report)
    good = report.verdict == "pass" and report.hazard is None
    if json:
        document = report.model_dump(mode="json")
        if problems:
            document |= split_problems(problems)
        emit(document)
    elif not quiet:
        if problems:
            print_problems(problems)
        show_report(level.level, design, report)
        show_waits(chain_of(level.level, design.design, report, None, None))
    return 0 if good else max(1, exit_code(problems))


@command
def why(
    level_ref: str,
    design_ref: str,
    *,
    packs: Sequence[Path] | None,
    json: bool,
    seed: int,
    of: str | None = None,
    at_ns: float | None = None,
) -> int:
    """The explanation part of a report, and why ``of`` waits from ``at_ns`` on. Exit code as of :func:`run`."""
    level, design = level_and_design(level_ref, design_ref, packs)
    report, problems = _report(level, design, seed=seed)
    report = relieved(level.level, design.design, report)
    chain = chain_of(level.level, design.design, report, of, at_ns)
    lost = losses(level.level, design.design, report)
    if json:
        emit(
            {
                "format": 1,
                "verdict": report.verdict,
                "summary": summary(level.level, report),
                "fault": report.fault.model_dump(mode="json") if report.fault else None,
                "deadlock": report.deadlock.model_dump(mode="json") if report.deadlock else None,
                "limits": [limit.model_dump(mode="json") for limit in report.limits],
                "bound": report.bound.model_dump(mode="json") if report.bound else None,
                "energy_limit": report.energy_limit.model_dump(mode="json") if report.energy_limit else None,
                "waits": waits(report),
                "chain": chain,
                **losses_as_json(lost),
                "energy_pj": report.energy_pj,
                "problems": [as_json(p) for p in problems],
            }
        )
    else:
        print_problems(problems)
        say(f"{report.verdict.upper()}: {summary(level.level, report)}", STYLES.get(report.verdict, "bold red"))
        show_chain(report.deadlock)
        show_waits(chain)
        show_limits(report)
        show_losses(lost)
        for sentence in proofs(report):
            say(f"  {sentence}")
        for sentence in waits(report)[:TOP]:
            say(f"  {sentence}")
        show_energy(report)
    return 0 if report.verdict == "pass" else max(1, exit_code(problems))


def _report(
    level: LoadedLevel,
    design: LoadedDesign,
    *,
    seed: int,
    launches: int | None = None,
    jitter: int = 0,
    engine: str = "auto",
    full: bool = False,
) -> tuple[Report, list[Problem]]:
    from game.commands.quick import simulate_quickly

    if engine not in ("auto", "plain", "compiled"):
        raise UsageError(f"--engine is '{clean(engine, 40)}': give auto, plain or compiled")
    report = simulate_quickly(
        level.level,
        design.design,
        engine=engine,  # type: ignore[arg-type]
        seed=seed,
        launches=launches,
        jitter=jitter,
        full=full,
    )
    problems = board_problems(level, design) if report.verdict == "invalid" else []
    return report, problems


# --- Words -----------------------------------------------------------------------------------------------


def summary(level: Level, report: Report) -> str:
    """The verdict in a sentence."""
    match report.verdict:
        case "pass" if report.hazard:
            return f"passes, and fails {report.hazard.message}"
        case "pass" if report.jitter:
            plural = "s" if report.jitter != 1 else ""
            return f"every output word is right, also with delays varied {report.jitter} time{plural}"
        case "pass" if report.steady and report.steady.launches_jumped:
            return "every output word of the simulated launches is right"
        case "pass":
            return "every output word is right, launch after launch"
        case "fault" if report.fault:
            return f"{report.fault.core} at {report.fault.time_ns:g} ns: {report.fault.message}"
        case "deadlock" if report.deadlock:
            return f"nothing can move from {report.deadlock.time_ns:g} ns on: {report.deadlock.message}"
        case "timeout":
            return (
                f"{report.launches_completed} launches were done when the time limit came, at "
                f"{figure(report.time_ns / 1000)} µs; more are needed for a score"
            )
        case "limit":
            missed = "; ".join(limit_sentence(x) for x in report.limits if not x.ok)
            return f"the numbers are right, but {missed}"
        case _:
            return "this design cannot be built"


def limit_sentence(limit: Any) -> str:
    """A limit that was missed, in words."""
    bound = "at least" if limit.limit == "throughput" else "at most"
    return f"{limit_is(limit.limit)} {_amount(limit.found)} and should be {bound} {_amount(limit.allowed)}"


def proofs(report: Report) -> list[str]:
    """What is proved without a run: the most launches that the wiring allows, and the least energy of any machine."""
    found = []
    bound, limit = report.bound, report.energy_limit
    if bound:
        words = f"at most {figure(bound.launches_per_us, 4)} launches/µs: {bound.sentence}"
        if not bound.binding:
            words = (
                f"at most {figure(bound.launches_per_us, 4)} launches/µs in the long run ({bound.sentence}); "
                f"the window is faster: {PREPARED}"
            )
        found.append(words if bound.exact else f"{words}; it may be slower: {bound.loose}")
    if limit:
        words = f"no machine takes less than {figure(limit.pj_per_launch, 4)} pJ/launch"
        if limit.within is not None:
            words = f"{within_limit(limit, figure)}, {figure(limit.launches_per_nj, 4)} launches/nJ"
            words += "" if limit.binding else f": {PREPARED}"
        found.append(words)
    return found


def waits(report: Report) -> list[str]:
    """Which cores wait most, in sentences, worst first."""
    sentences: list[tuple[float, str]] = []
    for element in report.elements:
        total = element.busy_ns + element.starved_ns + element.blocked_ns
        if element.kind == "wire" or not total:
            continue
        starved, blocked = element.starved_ns / total, element.blocked_ns / total
        if blocked >= 0.2:
            sentences.append((blocked, f"{element.id} is blocked {share(blocked)} of the time: what follows is slower"))
        if starved >= 0.2:
            port = f" at {element.starved_port}" if element.starved_port else ""
            sentences.append((starved, f"{element.id} starves {share(starved)} of the time: it waits{port}"))
    return [text for _, text in sorted(sentences, key=lambda s: (-s[0], s[1]))]


def score_line(report: Report) -> str:
    """``250 launches/µs ÷ 1.000 mW = 250 launches/nJ``: two meters and what they divide to."""
    m = report.metrics
    assert m is not None
    return (
        f"{figure(m.throughput_launches_per_us, 4)} launches/µs ÷ {figure(m.power_mw, 4)} mW = "
        f"{figure(m.efficiency_launches_per_nj, 4)} launches/nJ"
    )


# --- Tables ----------------------------------------------------------------------------------------------


def show_report(level: Level, design: LoadedDesign, report: Report) -> None:
    """The whole report for a person."""
    name = clean(report.design or (design.path.name if design.path else "a design"), 80)
    say(f"{report.verdict.upper()}  {clean(level.title, 60)} · {name}", STYLES.get(report.verdict, "bold red"))
    say(f"  {summary(level, report)}")
    show_chain(report.deadlock)
    m = report.metrics
    if m is None or report.window is None:
        return
    medal = f"   {report.medal}" if report.medal else ""
    say()
    say(f"  {score_line(report)}{medal}", "bold")
    say(f"  {_medal_line(level, report)}")
    say(
        f"  latency {figure(m.latency_ns.median, 4)} ns (worst {figure(m.latency_ns.worst, 4)}) · "
        f"{_count(m.footprint_tiles, 'tile')} · {_count(m.cores, 'core')} · {_count(m.wire_tiles, 'wire tile')} · "
        f"{_count(m.launches, 'launch', 'launches')} measured ({report.window.kind})"
    )
    of_modules = (*roof_sentences(report), *lane_sentences(report), *physics_sentences(report))
    for sentence in (*proofs(report), *steady_sentences(report), *of_modules):
        say(f"  {sentence}")
    show_limits(report)
    show_energy(report)
    show_elements(report)


def steady_sentences(report: Report) -> list[str]:
    """What repeats, the energy of a period, and what was not simulated."""
    steady = report.steady
    if steady is None:
        return []
    error = "" if steady.switching_error_pj is None else f" ± {figure(steady.switching_error_pj, 2)} (standard error)"
    switching = f"switching {figure(steady.switching_pj_per_launch, 4)}{error} pJ/launch by the data"
    if not steady.period_launches or steady.period_ns is None:
        return [f"no period: {steady.reason}; {switching}"]
    exact = ""
    if steady.energy_exact_per_period is not None:
        exact = f": {figure(sum(steady.energy_exact_per_period.values()) / EXACT_PER_PJ, 4)} pJ exactly, and"
    again = f"period of {_count(steady.period_launches, 'launch', 'launches')} in {steady.period_ns:g} ns"
    found = [f"{again}{exact or ','} {switching}"]
    if steady.launches_jumped:
        launches = steady.launches_simulated + steady.launches_jumped
        pj = report.energy_exact.total / EXACT_PER_PJ if report.energy_exact else 0.0
        error = f"{100 * steady.window_error_pj / pj:.2g} %" if pj else "0 %"
        found += [
            f"simulated launches: {steady.launches_simulated:,} of {launches:,}; the others repeat the period",
            "their launches, time, firings, standing and compute energy are exact; a wrong value would not be seen",
            f"their switching is a mean: {error} of the energy (standard error) is uncertain; --full simulates all",
        ]
    return found


def roof_sentences(report: Report) -> list[str]:
    """The rate of operations, and what would let the machine do more of them."""
    roof = report.roofline
    if roof is None:
        return []
    if not roof.peak_per_ns:
        return ["roofline: no arithmetic, no roof"] if report.lanes else []
    if not roof.operations:
        return []
    limits = [f"its cores {figure(roof.peak_per_ns, 4)}"]
    limits += [
        f"{memory.kind if memory.kind != 'stream' else 'streams'} {figure(memory.attainable_per_ns, 4)} "
        f"({figure(memory.intensity, 4)} per byte × {figure(memory.bandwidth_bytes_per_ns, 4)} bytes/ns)"
        for memory in roof.memories
        if memory.intensity is not None and memory.attainable_per_ns is not None
    ]
    return [f"roofline: {figure(roof.attained_per_ns, 4)} operations/ns; {', '.join(limits)} would allow"]


def lane_sentences(report: Report) -> list[str]:
    """How well lanes, lines and banks are used, the worst first."""
    lanes = report.lanes
    if lanes is None:
        return []
    found = []
    if lanes.occupancy is not None:
        core, least = min(lanes.occupancy_by_core.items(), key=lambda item: item[1])
        fewest = f"; fewest at {core}, {share(least)}" if least < lanes.occupancy else ""
        found.append(f"lanes: {share(lanes.occupancy)} of them live{fewest}")
    if lanes.lines_per_access:
        parts = [
            f"{pad} {figure(k, 3)} ({figure(lanes.words_per_line[pad], 3)} words of each used)"
            for pad, k in sorted(lanes.lines_per_access.items(), key=lambda item: -item[1])
        ]
        found.append(f"lines per access: {', '.join(parts)}")
    if lanes.conflicts_per_access:
        parts = [f"{memory} {figure(more, 3)}" for memory, more in lanes.conflicts_per_access.items()]
        found.append(f"bank conflicts per access: {', '.join(parts)}")
    return found


def _count(n: int, one: str, many: str = "") -> str:
    return f"{n} {one if n == 1 else many or one + 's'}"


def _medal_line(level: Level, report: Report) -> str:
    if level.medals is None:
        return "the level has no medals"
    medals = level.medals
    return f"bronze from {medals.bronze:g}, silver from {medals.silver:g}, gold from {medals.gold:g}"


def show_limits(report: Report) -> None:
    if not report.limits:
        return
    say()
    rows = [
        [
            limit_name(x.limit),
            ("≥ " if x.limit == "throughput" else "≤ ") + _amount(x.allowed),
            _amount(x.found),
            _kept(x.ok),
        ]
        for x in report.limits
    ]
    table(("limit", "allowed", "found", ""), rows, numbers=(1, 2))


def _amount(value: float) -> str:
    """A count as a whole number, anything else to four digits."""
    return f"{value:.0f}" if value == int(value) else figure(value, 4)


def _kept(ok: bool) -> str:
    return "kept" if ok else "MISSED"


def show_energy(report: Report) -> None:
    """Energy by cause, per launch, and the least that any machine takes."""
    if not report.energy_pj or not report.metrics:
        return
    total = sum(report.energy_pj.values())
    least = report.energy_limit.by_cause if report.energy_limit else {}
    rows = [
        [cause, figure(pj / report.metrics.launches), share(pj / total), figure(least.get(cause, 0.0))]
        for cause, pj in sorted(report.energy_pj.items(), key=lambda item: -item[1])
        if pj
    ]
    say()
    table(("energy", "pJ/launch", "share", "least"), rows, numbers=(1, 2, 3))


def show_elements(report: Report) -> None:
    """The elements that take the most energy, and how they spend their time."""
    assert report.metrics
    elements = sorted(report.elements, key=lambda e: -sum(e.energy_pj.values()))
    rows = []
    for e in elements[:TOP]:
        total = (e.busy_ns + e.starved_ns + e.blocked_ns) or 1.0
        rows.append(
            [
                e.id,
                e.kind,
                figure(sum(e.energy_pj.values()) / report.metrics.launches),
                figure(e.rate_per_ns),
                share(e.busy_ns / total),
                share(e.starved_ns / total),
                share(e.blocked_ns / total),
                e.starved_port or "",
            ]
        )
    say()
    headers = ("element", "kind", "pJ/launch", "packets/ns", "busy", "starved", "blocked", "waits at")
    table(headers, rows, numbers=(2, 3, 4, 5, 6))
    if len(elements) > TOP:
        say(f"  and {len(elements) - TOP} more: --json lists all")
