"""The live score: from an edit to a new figure, fast enough to follow the player's hand.

An edit that changes speeds alone keeps the elaborated machine and rewrites a few numbers of it; every other edit
elaborates anew. Data and truth of the launches do not depend on the design and are drawn once.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.elaborate import elaborate, retime
from engine.errors import InvalidError, Problem
from engine.machines import EngineName
from engine.model import Design, Level, Report, WireSpec
from engine.netlist import Netlist
from engine.outcome import Outcome
from engine.report import make_report, verdict_of
from engine.score import Measured, check_limits, medal, metrics
from engine.score import accesses as accesses_of
from engine.simulation import Simulation
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
        self._design: Design | None = None
        self._netlist: Netlist | None = None
        self._simulation: Simulation | None = None

    def edit(self, design: Design) -> Figure:
        """The figure of ``design``: final, or for long runs that of the nominal window."""
        try:
            netlist = self._elaborate(design)
        except InvalidError as invalid:
            self._design, self._netlist, self._simulation = None, None, None
            return Figure("invalid", problems=tuple(invalid.problems))
        self._design, self._netlist = design, netlist
        self._simulation = Simulation(
            self.level,
            design,
            engine=self.engine,
            seed=self.seed,
            workload=self._workload,
            netlist=netlist,
        )
        return self._figure(self._simulation.outcome(nominal_only=True))

    def finish(self) -> Figure:
        """The final figure of the design that was edited last."""
        if self._simulation is None:
            raise ValueError("there is no design that can run: call edit first")
        return self._figure(self._simulation.outcome())

    def report(self) -> Report:
        """The whole report of the design that was edited last, final."""
        if self._simulation is None:
            raise ValueError("there is no design that can run: call edit first")
        return make_report(self._simulation.level, self._simulation.design, self._simulation.outcome(), seed=self.seed)

    def _elaborate(self, design: Design) -> Netlist:
        changed = _speed_changes(self._design, design) if self._netlist is not None else None
        if changed is None or self._netlist is None:
            return elaborate(self.level, design)
        netlist = self._netlist
        for index in changed:
            netlist = retime(netlist, index, design.wires[index].every_ticks or 0)
        return netlist

    def _figure(self, outcome: Outcome) -> Figure:
        verdict = verdict_of(outcome.stop)
        if outcome.measured is None or outcome.counters is None:
            return Figure(verdict, outcome=outcome)
        netlist = outcome.netlist
        figures = metrics(netlist, outcome.measured)
        limits = check_limits(self.level, figures, netlist.slots, accesses_of(netlist, outcome.counters))
        won = None
        if not all(limit.ok for limit in limits):
            verdict = "limit"
        else:
            won = medal(self.level, outcome.measured.efficiency)
        return Figure(verdict, outcome.measured.efficiency, won, outcome.final, outcome.measured, outcome)


def _speed_changes(before: Design | None, after: Design) -> list[int] | None:
    """Numbers of the wires whose speed changed, where nothing else did; else None."""
    if before is None or len(before.wires) != len(after.wires):
        return None
    if before.level != after.level or before.pads != after.pads or before.cores != after.cores:
        return None
    changed = []
    for i, (old, new) in enumerate(zip(before.wires, after.wires, strict=True)):
        if old is new:
            continue
        if not _same_road(old, new):
            return None
        if old.every_ticks != new.every_ticks:
            changed.append(i)
    return changed


def _same_road(old: WireSpec, new: WireSpec) -> bool:
    return old.source == new.source and old.to == new.to and old.path == new.path
