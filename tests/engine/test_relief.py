"""The smallest buffers: against what can be counted by hand, and on machines without a cure."""

from __future__ import annotations

import pytest

from engine.builder import Builder
from engine.machine import Options, Stop
from engine.machines import make_machine
from engine.relief import cured, with_buffers
from engine.simulation import Simulation, simulate
from tests.engine.roads import level


def beside_its_greatest(words: int, tiles: int) -> Builder:
    """Every word less the greatest of all; ``tiles`` is the length of the road on which the words wait for that."""
    b = Builder(level(words=words, truth=f"out[t] = a[t] - max(i, 0:{words}, a[i])"))
    join = b.place("sub", (tiles, 4))
    greatest, again = b.place("accumulate", (3, 1), op="max", n=words), b.place("hold", (7, 1), n=words)
    b.wire("a.value", join.a, every_ns=1)
    b.wire("a.value", greatest.in_, every_ns=1)
    b.wire(greatest.out, again.in_, every_ns=1)
    b.wire(again.out, join.b, every_ns=1)
    b.wire(join.out, "out.value", every_ns=1)
    return b


@pytest.mark.parametrize("words", [4, 8, 13, 16])
@pytest.mark.parametrize("tiles", [1, 2, 5, 9])
def test_a_buffer_takes_the_words_for_which_the_road_has_no_room(words: int, tiles: int) -> None:
    """All words must be out before the greatest is known: the road holds tiles + 1, the pad one. A buffer cuts the road
    in two, which makes room for one word more, and for two where it has to be made longer for that."""
    b = beside_its_greatest(words, tiles)
    report = simulate(b.level, b.design())
    missing = words - (tiles + 1) - 1
    if missing <= 0:
        assert report.verdict == "pass"
        return
    assert report.deadlock
    found = cured(b.level, b.design(), report.deadlock)
    slots = max(1, missing - (1 if tiles > 1 else 2))
    assert [(added.wire, added.slots) for added in found.buffers or ()] == [("a.value → sub1.a", slots)]
    assert found.cure == f"a buffer of {slots} on a.value → sub1.a would break it"


def test_a_machine_with_buffers_computes_the_same() -> None:
    """What is put on a wire to ask whether a machine moves does not change a word of what it computes."""
    b = beside_its_greatest(4, 9)
    simulation = Simulation(b.level, b.design())
    netlist = with_buffers(simulation.netlist, dict.fromkeys(range(len(simulation.netlist.wires)), 3))
    assert len(netlist.nodes) == len(simulation.netlist.nodes) + len(simulation.netlist.wires)
    for engine in ("plain", "compiled"):
        machine = make_machine(netlist, simulation.workload, Options(), engine)  # type: ignore[arg-type]
        assert machine.run() is Stop.WINDOW


def test_room_alone_may_lead_to_a_fault() -> None:
    b = beside_its_greatest(8, 2)
    wrong = b.level.model_copy(deep=True)
    wrong.kernel.truth = "out[t] = a[t]"
    report = simulate(wrong, b.design())
    assert report.deadlock
    found = cured(wrong, b.design(), report.deadlock)
    assert found.cure == "a buffer of 3 on a.value → sub1.a would break it, and then comes a fault: wrong-value"


def test_a_stopped_wire_needs_no_search() -> None:
    b = beside_its_greatest(4, 9)
    design = b.design()
    design.wires[-1].every_ticks = None
    report = simulate(b.level, design)
    assert report.deadlock
    found = cured(b.level, design, report.deadlock)
    assert (found.buffers, found.cure) == ([], "no buffer breaks it: the wire is stopped")
