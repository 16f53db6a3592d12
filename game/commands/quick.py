"""One run on the engine that is through with it first.

Loading the compiled engine costs a third of a second (and, the first time on a machine, a compilation); most runs of
most levels take the plain engine less. Both give the same report to the last bit.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from engine.errors import InvalidError
from engine.machine import Stop
from engine.machines import EngineName
from engine.plain import PlainMachine
from engine.report import make_report
from engine.simulation import Simulation, simulate
from engine.steady import sampled_run
from game.commands.compiling import announce

if TYPE_CHECKING:
    from engine.model import Design, Level, Report

SHORT_EVENTS = 15_000
"""What the plain engine does in the time in which the compiled one is loaded."""

STEP_TICKS = 10_000
"""How often the events are counted."""


class _TooLong(Exception):
    """The run is one for the compiled engine."""


class _ShortMachine(PlainMachine):
    """A plain machine that gives up when a run turns out to be long."""

    def run(self, until: int | None = None) -> Stop:
        while True:
            if self.events > SHORT_EVENTS:
                raise _TooLong
            step = self.now + STEP_TICKS
            if until is not None and until <= step:
                return super().run(until)
            stop = super().run(step)
            if stop is not Stop.UNTIL:
                return stop


def simulate_quickly(
    level: Level,
    design: Design,
    *,
    engine: EngineName = "auto",
    seed: int = 0,
    jitter: int = 0,
    launches: int | None = None,
    full: bool = False,
) -> Report:
    """As :func:`engine.simulation.simulate`, sampled; ``auto`` tries the plain engine first, but not for long runs."""
    if engine == "auto" and not jitter and launches is None:
        with suppress(_TooLong, InvalidError):
            simulation = Simulation(level, design, engine="plain", seed=seed)
            machine = _ShortMachine(simulation.netlist, simulation.workload, simulation.options)
            report = make_report(level, design, simulation.warmed(sampled_run(machine)), seed=seed)
            report.engine = "plain"
            return report
    if engine != "plain":
        announce()
    return simulate(level, design, engine=engine, seed=seed, jitter=jitter, launches=launches, full=full, sampled=True)
