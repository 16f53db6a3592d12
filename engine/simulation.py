"""The façade: from a level and a design to a report, in one call or step by step.

:func:`simulate` is what commands and tests use; :class:`Simulation` is the same machine, held still, stepped,
looked at and wound back, as the game needs it.
"""

from __future__ import annotations

from typing import Literal

from engine import faults
from engine.elaborate import elaborate, retime
from engine.errors import InvalidError, UsageError
from engine.explain import explain_deadlock
from engine.fingerprint import design_hash, level_hash
from engine.machine import Counters, Machine, Options, PacketArrays, StateView, Stop
from engine.model import (
    Deadlock,
    Design,
    ElementReport,
    EnergyExact,
    Fault,
    Level,
    Report,
    Verdict,
    Window,
)
from engine.netlist import Netlist
from engine.score import Measured, accesses, check_limits, measure, medal, metrics
from engine.truth import Workload
from engine.units import ns_from_ticks, pj_from_exact, ticks_from_ns
from engine.version import VERSION

EngineName = Literal["auto", "plain", "compiled"]

SETTLE_TICKS = 200
"""After a window the machine runs on in steps of this length until the window's packets are gone."""

DOUBLING_TOLERANCE = 0.01
"""Where twice the window changes the score by this or more, the longer one counts."""


def make_machine(netlist: Netlist, workload: Workload, options: Options, engine: EngineName) -> Machine:
    """A machine on the asked engine; ``auto`` takes the compiled one where numba can be imported."""
    if engine != "plain":
        try:
            from engine.kernel import CompiledMachine

            return CompiledMachine(netlist, workload, options)
        except ImportError:
            if engine == "compiled":
                raise UsageError("the compiled engine needs numba, which cannot be imported here") from None
    from engine.plain import PlainMachine

    return PlainMachine(netlist, workload, options)


class Simulation:
    """A level and a design in motion.

    Raises :class:`engine.errors.InvalidError` with every problem if the design cannot be built.
    ``workload`` may be shared between simulations of one level and seed: it caches data and truth.
    """

    def __init__(
        self,
        level: Level,
        design: Design,
        *,
        engine: EngineName = "auto",
        seed: int = 0,
        jitter_seed: int | None = None,
        launches: int | None = None,
        workload: Workload | None = None,
        netlist: Netlist | None = None,
    ) -> None:
        self.level = level
        self.design = design
        self.seed = seed
        self.engine: EngineName = engine
        self.netlist = netlist or elaborate(level, design)
        if launches is not None:
            self.netlist = _with_launches(self.netlist, launches)
        self.workload = workload or Workload(level, seed)
        self.options = Options(jitter_seed=jitter_seed)
        self.machine = make_machine(self.netlist, self.workload, self.options, engine)
        self._outcome: Outcome | None = None

    # --- moving ------------------------------------------------------------------------------------------

    @property
    def now_ns(self) -> float:
        """The last moment that was worked through."""
        return ns_from_ticks(max(self.machine.now, 0))

    def run_until(self, ns: float) -> Stop:
        """Run up to and including ``ns``; returns early at the end of the window, a fault or a deadlock."""
        return self.machine.run(ticks_from_ns(ns))

    def step(self) -> Stop:
        """Work through the next moment at which anything can happen."""
        return self.machine.step()

    def snapshot(self) -> object:
        """The whole state; :meth:`restore` brings it back exactly."""
        return self.machine.snapshot()

    def restore(self, snapshot: object) -> None:
        """Go to a snapshot of this simulation."""
        self.machine.restore(snapshot)
        self._outcome = None

    def retime(self, wire: int, every_ticks: int | None) -> None:
        """Give wire number ``wire`` another speed (None: stopped) and start again from time 0."""
        self.netlist = retime(self.netlist, wire, every_ticks or 0)
        self.machine = make_machine(self.netlist, self.workload, self.options, self.engine)
        self._outcome = None

    # --- looking -----------------------------------------------------------------------------------------

    def packets(self, ns: float | None = None) -> PacketArrays:
        """Every packet on a wire, for drawing, at ``ns`` (default: now)."""
        return self.machine.packets(max(self.machine.now, 0) if ns is None else ticks_from_ns(ns))

    def state(self) -> StateView:
        """Everything that moves, in a neutral form."""
        return self.machine.state()

    # --- scoring -----------------------------------------------------------------------------------------

    def outcome(self, nominal_only: bool = False) -> Outcome:
        """Run to the end (from wherever the machine stands) and measure.

        With ``nominal_only`` the figure of the nominal window is returned as soon as it is there, marked as not
        final where the doubled window has still to be compared; call again without it for the final one.
        """
        if self._outcome is None or (not self._outcome.final and not nominal_only):
            self._outcome = self._run(self._outcome, nominal_only)
        return self._outcome

    def _run(self, first: Outcome | None, nominal_only: bool) -> Outcome:
        machine = self.machine
        if first is None:
            stop = machine.run()
            first = Outcome(stop, machine, self.netlist)
            if stop is not Stop.WINDOW:
                return first
            first.measure("period" if machine.window.period_launches else "nominal", extended=False)
            if machine.window.period_launches:
                return first
            first.final = False
            if nominal_only:
                return first
        stop = machine.run()
        if stop is Stop.EXTENSION:
            longer = Outcome(stop, machine, self.netlist)
            longer.measure("doubled", extended=True)
            assert first.measured and longer.measured
            change = abs(longer.measured.efficiency / first.measured.efficiency - 1)
            if change >= DOUBLING_TOLERANCE:
                return longer
        elif stop is not Stop.TIMEOUT:
            return Outcome(stop, machine, self.netlist)
        first.final = True
        return first

    def report(self) -> Report:
        """Run to the end and tell everything."""
        return make_report(self, self.outcome())


class Outcome:
    """How a run ended, with copies of what it counted, so that the machine may go on."""

    def __init__(self, stop: Stop, machine: Machine, netlist: Netlist) -> None:
        self.stop = stop
        self.netlist = netlist
        self.final = True
        self.completed = machine.completed
        self.tick = max(machine.now, 0)
        self.events = machine.events
        self.engine = type(machine).__name__.removesuffix("Machine").lower()
        self.window: Window | None = None
        self.measured: Measured | None = None
        self.counters: Counters | None = None
        self.fault: Fault | None = None
        self.deadlock: Deadlock | None = None
        if stop is Stop.FAULT:
            assert machine.fault
            self.fault = faults.explain_fault(netlist, machine.fault)
        elif stop is Stop.DEADLOCK:
            self.deadlock = explain_deadlock(netlist, machine.state())
        self._machine = machine

    def measure(self, kind: Literal["period", "nominal", "doubled"], extended: bool) -> None:
        """Take the figures of the window that has just ended."""
        machine, info = self._machine, self._machine.window
        last = info.extended_last if extended else info.last
        completions = machine.completions()
        start, end = info.start_tick, int(completions[last])
        self.counters = machine.counters()
        _settle(machine, last, start, end)
        settled = machine.counters()
        for by_launch in ("firings", "live", "entries", "toggles"):
            setattr(self.counters, by_launch, getattr(settled, by_launch))
        self.measured = measure(self.netlist, self.counters, last - info.first + 1, end - start, extended)
        self.window = Window(
            kind=kind,
            first_launch=info.first,
            last_launch=last,
            start_ns=ns_from_ticks(start),
            end_ns=ns_from_ticks(end),
            in_flight=info.in_flight,
            period_launches=info.period_launches or None,
            period_ns=ns_from_ticks(info.period_ticks) if info.period_launches else None,
        )


def _settle(machine: Machine, last: int, start: int, end: int) -> None:
    """Run on from the window's end until no packet of its launches is left, at most half as long as the window was.

    What happens to a launch's packets after it counted (masked words that no one stores, words that are dropped) is
    charged to it as well; a design must not hide its costs there. A fault now comes after the run's end.
    """
    limit = end + (end - start) // 2
    while machine.oldest <= last and machine.now < limit:
        if machine.run(min(limit, machine.now + SETTLE_TICKS)) is not Stop.UNTIL:
            return


def simulate(
    level: Level,
    design: Design,
    *,
    engine: EngineName = "auto",
    seed: int = 0,
    jitter: int = 0,
    launches: int | None = None,
    workload: Workload | None = None,
) -> Report:
    """Run a design on a level and report. A design that cannot be built gives the verdict ``invalid``.

    ``seed`` draws the launches' data; ``launches`` asks for at least so many in the window; with ``jitter`` K a
    design that passes is run K more times with varied delays, and the first that does not pass is reported as
    ``hazard``.
    """
    try:
        simulation = Simulation(level, design, engine=engine, seed=seed, launches=launches, workload=workload)
    except InvalidError as invalid:
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
                for p in invalid.problems
            ],
            engine_version=VERSION,
            seed=seed,
            level_hash=level_hash(level),
            design_hash=design_hash(design),
        )
    report = simulation.report()
    if report.verdict in ("pass", "limit") and jitter:
        report.jitter = jitter
        report.hazard = find_hazard(simulation, jitter)
    return report


def find_hazard(simulation: Simulation, runs: int) -> str | None:
    """Run with ``runs`` jitter seeds; how the first one that does not pass failed, or None."""
    for k in range(1, runs + 1):
        machine = make_machine(simulation.netlist, simulation.workload, Options(jitter_seed=k), simulation.engine)
        stop = machine.run()
        if stop in (Stop.FAULT, Stop.DEADLOCK):
            outcome = Outcome(stop, machine, simulation.netlist)
            reason = outcome.fault.message if outcome.fault else ""
            reason = outcome.deadlock.message if outcome.deadlock else reason
            return f"with delays varied (seed {k}): {reason}"
    return None


def make_report(simulation: Simulation, outcome: Outcome) -> Report:
    """The report of a run."""
    level, netlist = simulation.level, simulation.netlist
    report = Report(
        verdict=verdict_of(outcome.stop),
        level=level.id,
        design=simulation.design.name,
        fault=outcome.fault,
        deadlock=outcome.deadlock,
        launches_completed=outcome.completed,
        time_ns=ns_from_ticks(outcome.tick),
        events=outcome.events,
        engine=outcome.engine,
        engine_version=VERSION,
        seed=simulation.seed,
        level_hash=level_hash(level),
        design_hash=design_hash(simulation.design),
    )
    measured, counters = outcome.measured, outcome.counters
    if measured is None or counters is None or outcome.window is None:
        return report
    report.window = outcome.window.model_copy(update={"final": outcome.final})
    report.metrics = metrics(netlist, measured)
    report.energy_pj = {cause: pj_from_exact(exact) for cause, exact in measured.by_cause.items()}
    report.energy_exact = EnergyExact(total=measured.total, by_cause=measured.by_cause, by_element=measured.by_element)
    report.elements = element_reports(netlist, measured, counters)
    report.accesses = accesses(netlist, counters)
    report.limits = check_limits(level, report.metrics, netlist.slots, report.accesses)
    if not all(limit.ok for limit in report.limits):
        report.verdict = "limit"
    else:
        report.medal = medal(level, report.metrics.efficiency_launches_per_nj)  # type: ignore[assignment]
    return report


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


def _with_launches(netlist: Netlist, launches: int) -> Netlist:
    from dataclasses import replace

    if launches < 1:
        raise UsageError(f"launches is {launches}: ask for at least 1")
    # The level's time limit is for the level's own number of launches.
    times = max(1, -(-launches // netlist.measured))
    limit = netlist.time_limit_ticks * times
    return replace(netlist, measured=max(launches, netlist.measured), time_limit_ticks=limit)


__all__ = ["Outcome", "Simulation", "find_hazard", "make_machine", "make_report", "simulate"]
