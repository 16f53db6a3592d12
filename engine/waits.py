"""Why something waits, over a stretch of time: at one moment a core may just be at work that is held up mostly.

:func:`usual_cause` tells what holds for most of the time, :func:`began` the moment at which it began to.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.explain import Cause, why, why_wire
from engine.machine import StateView, Stop
from engine.model import Level
from engine.netlist import Netlist
from engine.parts import has_buffers
from engine.simulation import Simulation
from engine.wait_words import short_road

WORK = 6_000
"""About so many nodes and wires are looked at, over all moments."""

MOMENTS = (12, 120)
"""At least and at most so many moments."""

HALTS = (Stop.FAULT, Stop.DEADLOCK, Stop.TIMEOUT)


@dataclass(frozen=True, slots=True)
class Subject:
    """What waits: a node or a wire, by its number in the netlist."""

    node: int | None = None
    wire: int | None = None

    def cause(self, netlist: Netlist, state: StateView) -> Cause:
        """The chain of waits at one moment."""
        if self.wire is not None:
            return why_wire(netlist, state, self.wire)
        assert self.node is not None
        return why(netlist, state, self.node)


def usual_cause(simulation: Simulation, *, node: int | None = None, wire: int | None = None) -> tuple[Cause, float]:
    """The chain of waits whose root holds for most of the time from now on, and the root's share of that time.

    Give a node or a wire. The simulation is at the same moment afterwards.
    """
    subject, netlist, machine = Subject(node, wire), simulation.netlist, simulation.machine
    before = simulation.snapshot()
    roots: dict[tuple[str, str], int] = {}
    chains: dict[tuple[str, str], dict[tuple[str, ...], tuple[int, Cause]]] = {}
    last = subject.cause(netlist, simulation.state())
    for _ in range(_moments(netlist)):
        now = machine.now
        if simulation.step() in HALTS:
            break
        root, steps, ticks = (last.kind, last.root), _steps(last), machine.now - now
        roots[root] = roots.get(root, 0) + ticks
        spent, first = chains.setdefault(root, {}).get(steps, (0, last))
        chains[root][steps] = spent + ticks, first
        last = subject.cause(netlist, simulation.state())
    simulation.restore(before)
    total = sum(roots.values())
    if not total:
        return last, 1.0
    usual = max(roots, key=lambda root: roots[root])
    cause = max(chains[usual].values(), key=lambda entry: entry[0])[1]
    return cause, roots[usual] / total


def began(simulation: Simulation, cause: Cause, *, node: int | None = None, wire: int | None = None) -> int | None:
    """The tick at which ``cause`` (of a node or wire, as it is now) first held, so that it has held ever again since.

    A machine of its own runs from the start. That a wait comes and goes does not count: it is looked for within
    stretches as long as :func:`usual_cause` looks at. None where it did not hold before now.
    """
    subject, now = Subject(node, wire), simulation.machine.now
    again = Simulation(
        simulation.level,
        simulation.design,
        engine=simulation.engine,
        seed=simulation.seed,
        workload=simulation.workload,
        netlist=simulation.netlist,
        jitter_seed=simulation.options.jitter_seed,
    )
    low, high, start = -1, now, again.snapshot()
    found = _holds(again, subject, cause, now)
    while found is None and high - low > 1:
        # From ``low`` on it did not hold for a whole stretch; from ``high`` on it does, or it is now.
        middle = (low + high) // 2
        again.restore(start)
        _run(again, middle)
        at = again.snapshot()
        if _holds(again, subject, cause, now) is None:
            low, start = middle, at
        else:
            high = middle
    if found is None:
        again.restore(start)
        found = _holds(again, subject, cause, now, stretches=2)
    return found


def _holds(simulation: Simulation, subject: Subject, cause: Cause, until: int, stretches: int = 1) -> int | None:
    """The first tick up to ``until`` at which the cause holds, within so many stretches from here on."""
    netlist, machine = simulation.netlist, simulation.machine
    steps = _steps(cause)
    for _ in range(_moments(netlist) * stretches + 1):
        if machine.now > until:
            return None
        if _steps(subject.cause(netlist, simulation.state())) == steps:
            return max(machine.now, 0)
        if simulation.step() in HALTS:
            return None
    return None


def _run(simulation: Simulation, tick: int) -> None:
    machine = simulation.machine
    while machine.now < tick and machine.run(tick) not in (Stop.UNTIL, *HALTS):
        pass


def _moments(netlist: Netlist) -> int:
    least, most = MOMENTS
    return min(max(WORK // max(len(netlist.nodes) + len(netlist.wires), 1), least), most)


def _steps(cause: Cause) -> tuple[str, ...]:
    return (*(step.element for step in cause.chain), cause.root)


def with_room(level: Level, netlist: Netlist, cause: Cause) -> Cause:
    """Of two roads that meet: how many words the other one needs, from the graph; other causes as they are."""
    if cause.kind != "roads":
        return cause
    from engine.bounds import short_roads

    missing = short_roads(netlist)
    lack = max((missing.get(w, 0) for w in cause.full), default=0)
    return replace(cause, meaning=short_road(cause.holds, lack, has_buffers(level))) if lack else cause
