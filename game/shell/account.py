"""What the result screen tells beyond the report: energy of each launch, avoidable items, and who else has been here.

All of it is made in the background, as values.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.advice import advised
from engine.causes import Causes, LostEnergy, LostTime
from engine.elaborate import elaborate
from engine.errors import InvalidError
from engine.hazard import find_hazard
from engine.heated import in_its_heat
from engine.machine import PacketArrays, StateView
from engine.model import Deadlock, Hazard, Level
from engine.netlist import Netlist
from engine.relief import cured
from engine.simulation import Simulation, simulate
from engine.truth import Workload
from game.aside import Aside
from game.insight import trace
from game.shell.launching import Launch
from game.shell.places import level_path
from levels.crowd import Machine, read_crowd

JITTER_RUNS = 3
SHOWN = 24
"""Launches of which the rockets are drawn."""


@dataclass(frozen=True)
class Ending:
    """A machine at the moment at which it failed."""

    netlist: Netlist
    time_ns: float
    packets: PacketArrays
    state: StateView


@dataclass(frozen=True)
class Account:
    """``rockets``: launches/nJ of the first launches, each by its own energy. ``beyond``: of the best reference.

    ``hazard``: how and where the machine failed when delays varied. ``losses``: what the run lost. ``deadlock``: the
    report's, with the smallest buffers that would break it.
    """

    rockets: tuple[float, ...] = ()
    losses: Causes | None = None
    crowd: tuple[Machine, ...] = ()
    beyond: float | None = None
    ending: Ending | None = None
    hazard: Hazard | None = None
    deadlock: Deadlock | None = None

    @property
    def items(self) -> list[LostEnergy]:
        """What a launch paid for and need not have."""
        return self.losses.energy if self.losses else []

    @property
    def time(self) -> list[LostTime]:
        """What stood between a launch and the pace of the pads."""
        return self.losses.time if self.losses else []


def account(aside: Aside, launch: Launch) -> Iterator[Account]:
    """For :class:`game.background.Background`; what takes long in Python is done ``aside``."""
    level, design, report = launch.level, launch.design, launch.report
    try:
        netlist = in_its_heat(elaborate(level, design), Workload(level, report.seed), "auto")
    except InvalidError:
        yield Account()
        return
    if report.verdict != "pass":
        simulation = Simulation(level, design, seed=report.seed, netlist=netlist)
        simulation.machine.run()
        now = simulation.now_ns
        ending = Ending(netlist, now, simulation.packets(), simulation.state())
        yield Account(ending=ending)
        if report.deadlock:
            yield Account(ending=ending, deadlock=aside.call(cured, level, design, report.deadlock, report.seed))
        return
    crowd = _crowd(level, report.level_hash)
    yield Account(crowd=crowd)
    losses = aside.call(advised, level, design, report)
    yield Account(losses=losses, crowd=crowd)
    run = trace(level, design, seed=report.seed)
    rockets = tuple(1000 / pj for pj in run.joules[:SHOWN].tolist() if pj > 0) if run else ()
    beyond = best_known(level)
    yield Account(rockets, losses, crowd, beyond)
    hazard = find_hazard(netlist, Workload(level, report.seed), "auto", JITTER_RUNS)
    if hazard:
        yield Account(rockets, losses, crowd, beyond, hazard=hazard)


def _crowd(level: Level, level_hash: str) -> tuple[Machine, ...]:
    try:
        crowd = read_crowd(level_path(level.id), level_hash)
    except InvalidError:
        return ()
    return crowd.machines if crowd else ()


def best_known(level: Level) -> float | None:
    """Launches/nJ of the level's best reference; None where it has none that passes."""
    from levels.files import load_design_file
    from levels.lookup import sibling

    if level.reference is None:
        return None
    try:
        best = load_design_file(sibling(level_path(level.id), level.reference.best)).design
    except InvalidError:
        return None
    report = simulate(level, best, bound=False)
    return report.metrics.efficiency_launches_per_nj if report.verdict == "pass" and report.metrics else None
