"""Why something waits, over a stretch of time: at one moment a core may just be at work that is held up mostly."""

from __future__ import annotations

from engine.explain import Cause, why, why_wire
from engine.machine import Stop
from engine.simulation import Simulation

WORK = 6_000
"""About so many nodes and wires are looked at, over all moments."""

MOMENTS = (12, 120)
"""At least and at most so many moments."""

HALTS = (Stop.FAULT, Stop.DEADLOCK, Stop.TIMEOUT)


def usual_cause(simulation: Simulation, *, node: int | None = None, wire: int | None = None) -> tuple[Cause, float]:
    """The chain of waits that holds for most of the time from now on, and its share of that time.

    Give a node or a wire. The simulation is at the same moment afterwards.
    """
    netlist, machine = simulation.netlist, simulation.machine
    before = simulation.snapshot()
    least, most = MOMENTS
    count = min(max(WORK // max(len(netlist.nodes) + len(netlist.wires), 1), least), most)
    found: dict[tuple[str, ...], tuple[int, Cause]] = {}
    last: Cause | None = None
    for _ in range(count):
        state = simulation.state()
        if node is not None:
            last = why(netlist, state, node)
        else:
            assert wire is not None
            last = why_wire(netlist, state, wire)
        now = machine.now
        if simulation.step() in HALTS:
            break
        key = (*(step.element for step in last.chain), last.root)
        ticks, first = found.get(key, (0, last))
        found[key] = (ticks + machine.now - now, first)
    simulation.restore(before)
    assert last is not None
    total = sum(ticks for ticks, _ in found.values())
    if not total:
        return last, 1.0
    ticks, cause = max(found.values(), key=lambda entry: entry[0])
    return cause, ticks / total
