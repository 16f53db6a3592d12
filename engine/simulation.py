"""The façade: from a level and a design to a report, in one call or step by step.

:func:`simulate` is what commands and tests use; :class:`Simulation` is the same machine, held still, stepped,
looked at and wound back, as the game needs it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.elaborate import elaborate, retime
from engine.errors import InvalidError, UsageError
from engine.machine import Options, PacketArrays, Retimable, StateView, Stop
from engine.machines import EngineName, make_machine
from engine.model import Design, Level, Report
from engine.netlist import Netlist
from engine.outcome import Outcome, final_outcome, first_outcome
from engine.report import invalid_report, make_report
from engine.steady import long_run, sampled_run
from engine.truth import Workload
from engine.units import ns_from_ticks, ticks_from_ns

if TYPE_CHECKING:
    from engine.heated import Warmth

FEW_WIRES = 8
"""For speeds of more wires a machine is built anew: each one of them costs a tenth of that."""


class Simulation:
    """A level and a design in motion.

    Raises :class:`engine.errors.InvalidError` with every problem if the design cannot be built.
    ``workload`` may be shared between simulations of one level and seed: it caches data and truth. ``netlist`` is the
    machine as it is to run; without it that is the design's, in levels with heat with the clocks of its temperatures.
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
        self.workload = workload or Workload(level, seed)
        self.options = Options(jitter_seed=jitter_seed)
        self.launches = launches
        self.own: Netlist
        """The machine with the level's own number of launches."""
        self.warmth: Warmth | None = None
        """Temperatures, in levels with heat."""
        self._outcome: Outcome | None = None
        self._cold = netlist or elaborate(level, design)
        self.netlist = self.own = netlist or self._heated()
        if launches is not None:
            self.netlist = with_launches(self.netlist, launches)
        self.machine = make_machine(self.netlist, self.workload, self.options, engine)

    def _heated(self) -> Netlist:
        """The machine with the clocks of its temperatures, those of the level's own window without varied delays."""
        if not self._cold.hot:
            return self._cold
        from engine.heated import heated  # seldom needed

        found = heated(self._cold, self.workload, Options(), self.engine)
        self.warmth = found.warmth
        self._outcome = found.outcome if self.launches is None and self.options.jitter_seed is None else None
        return found.netlist

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

    def retime(self, design: Design, changed: Sequence[int]) -> None:
        """Go over to ``design``, which differs in the speeds of the wires ``changed`` alone, at time 0."""
        for wire in changed:
            self._cold = retime(self._cold, wire, design.wires[wire].every_ticks or 0)
        self._outcome = None
        self.netlist = self.own = self._heated()
        if not self.netlist.hot and isinstance(self.machine, Retimable) and len(changed) <= FEW_WIRES:
            for wire in changed:
                spec = self.netlist.wires[wire]
                self.machine.retime(wire, spec.every_ticks, spec.drive_nw)
            if not changed:
                self.machine.reset()
        else:
            self.machine = make_machine(self.netlist, self.workload, self.options, self.engine)
        self.design = design

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
        if self._outcome is None:
            self._outcome = first_outcome(self.machine.run(), self.machine, self.netlist)
        if not self._outcome.final and not nominal_only:
            self._outcome = final_outcome(self._outcome, self.machine, self.netlist)
        return self.warmed(self._outcome)

    def warmed(self, outcome: Outcome) -> Outcome:
        """An outcome of this machine, with its temperatures, and the fault of a core that burns out."""
        if self.warmth is not None and outcome.warmth is None and outcome.final:
            from engine.heated import warm

            warm(outcome, self.warmth)
        return outcome

    def report(self, bound: bool = True) -> Report:
        """Run to the end and tell everything; ``bound`` as in :func:`engine.report.make_report`."""
        return make_report(self.level, self.design, self.outcome(), seed=self.seed, bound=bound)


def simulate(
    level: Level,
    design: Design,
    *,
    engine: EngineName = "auto",
    seed: int = 0,
    jitter: int = 0,
    launches: int | None = None,
    full: bool = False,
    sampled: bool = False,
    workload: Workload | None = None,
    bound: bool = True,
) -> Report:
    """Run a design on a level and report. A design that cannot be built gives the verdict ``invalid``.

    ``seed`` draws the launches' data; ``launches`` asks for at least so many in the window: of a machine
    with a period only as many are simulated as its figures need (:mod:`engine.steady`), with ``full`` all of them. With
    ``sampled`` the error of the mean switching energy is told as well, for a little more time. With ``jitter`` K a
    design that passes is run K more times with varied delays, for the level's own number of launches, and the first
    that does not pass is the ``hazard``.
    Without ``bound`` the report does not tell what bounds the throughput, which of a large machine takes a while.
    """
    try:
        simulation = Simulation(level, design, engine=engine, seed=seed, launches=launches, workload=workload)
    except InvalidError as invalid:
        return invalid_report(level, design, invalid.problems, seed=seed)
    if launches is not None and not full:
        run = (simulation.netlist, simulation.workload, simulation.options, simulation.engine)
        report = make_report(level, design, simulation.warmed(long_run(*run)), seed=seed, bound=bound)
    elif sampled or full:
        outcome = simulation.warmed(sampled_run(simulation.machine))
        report = make_report(level, design, outcome, seed=seed, bound=bound)
    else:
        report = simulation.report(bound)
    if report.verdict in ("pass", "limit") and jitter:
        report.jitter = jitter
        from engine.hazard import find_hazard  # seldom asked for

        report.hazard = find_hazard(simulation.own, simulation.workload, simulation.engine, jitter)
    return report


def with_launches(netlist: Netlist, launches: int) -> Netlist:
    """The same machine with at least so many launches in its window, and time for them. Raises UsageError below 1."""
    if launches < 1:
        raise UsageError(f"launches is {launches}: ask for at least 1")
    # The level's time limit is for the level's own number of launches.
    times = max(1, -(-launches // netlist.measured))
    limit = netlist.time_limit_ticks * times
    return replace(netlist, measured=max(launches, netlist.measured), time_limit_ticks=limit)


__all__ = ["EngineName", "Outcome", "Simulation", "simulate", "with_launches"]
