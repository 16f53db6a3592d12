"""The live score: from an edit to a new figure, fast enough to follow the player's hand.

An edit that changes speeds alone keeps the elaborated machine and rewrites a few numbers of it; every other edit
elaborates anew. Data and truth of the launches do not depend on the design and are drawn once.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import InvalidError, Problem
from engine.machines import EngineName
from engine.model import Design, Level, Report
from engine.outcome import Outcome
from engine.report import make_report, verdict_of
from engine.score import Measured, check_limits, medal, metrics
from engine.simulation import Simulation
from engine.speeds import speed_changes
from engine.truth import Workload


@dataclass(frozen=True, slots=True)
class Figure:
    """What the score box shows. ``final`` is False while only the nominal window is known.

    ``verdict`` as in a report; ``efficiency`` in launches/nJ, 0 where there is none; ``problems`` where the design
    cannot be built.
    """

    verdict: str
    efficiency: float = 0.0
    medal: str | None = None
    final: bool = True
    measured: Measured | None = None
    outcome: Outcome | None = None
    problems: tuple[Problem, ...] = ()


class LiveSimulation:
    """The machine of one level's designs, one after the other: where speeds alone change it need not be built anew."""

    def __init__(self, level: Level, *, seed: int, workload: Workload) -> None:
        self.level = level
        self.seed = seed
        self._workload = workload
        self._last: Simulation | None = None

    def of(self, design: Design, engine: EngineName) -> Simulation:
        """``design`` at time 0. The simulation that was returned before is used up.

        Raises InvalidError with every problem if the design cannot be built.
        """
        last, self._last = self._last, None
        changed = speed_changes(last.design, design) if last is not None and last.engine == engine else None
        if last is not None and changed is not None:
            last.retime(design, changed)
            simulation = last
        else:
            simulation = Simulation(self.level, design, engine=engine, seed=self.seed, workload=self._workload)
        self._last = simulation
        return simulation


class LiveScore:
    """Scores one design after the other on one level.

    :meth:`edit` takes a design and returns its first figure; where that is not final, :meth:`finish` runs on to the
    final one, which equals that of :func:`engine.simulate` to the last bit. Not for use by two threads at once.
    """

    def __init__(self, level: Level, *, seed: int = 0, engine: EngineName = "auto") -> None:
        self.level = level
        self.seed = seed
        self.engine: EngineName = engine
        self._workload = Workload(level, seed)
        self._live = LiveSimulation(level, seed=seed, workload=self._workload)
        self._simulation: Simulation | None = None

    def edit(self, design: Design) -> Figure:
        """The figure of ``design``: final, or for long runs that of the nominal window."""
        try:
            self._simulation = self._live.of(design, self.engine)
        except InvalidError as invalid:
            self._simulation = None
            return Figure("invalid", problems=tuple(invalid.problems))
        return self._figure(self._simulation.outcome(nominal_only=True))

    def finish(self) -> Figure:
        """The final figure of the design that was edited last."""
        if self._simulation is None:
            raise ValueError("there is no design that can run: call edit first")
        return self._figure(self._simulation.outcome())

    @property
    def runs(self) -> bool:
        """Whether the design that was edited last can be built."""
        return self._simulation is not None

    def report(self, bound: bool = True) -> Report:
        """The whole report of the design that was edited last, final; ``bound`` as in :func:`make_report`."""
        if self._simulation is None:
            raise ValueError("there is no design that can run: call edit first")
        simulation = self._simulation
        return make_report(simulation.level, simulation.design, simulation.outcome(), seed=self.seed, bound=bound)

    def _figure(self, outcome: Outcome) -> Figure:
        verdict = verdict_of(outcome.stop)
        if outcome.measured is None or outcome.counters is None:
            return Figure(verdict, outcome=outcome)
        netlist = outcome.netlist
        figures = metrics(netlist, outcome.measured)
        limits = check_limits(self.level, figures, netlist, outcome.counters)
        won = None
        if not all(limit.ok for limit in limits):
            verdict = "limit"
        else:
            won = medal(self.level, outcome.measured.efficiency)
        return Figure(verdict, outcome.measured.efficiency, won, outcome.final, outcome.measured, outcome)
