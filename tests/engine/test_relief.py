"""The smallest buffers: against what can be counted by hand, and on machines without a cure."""

from __future__ import annotations

from typing import Any

import pytest

from engine.builder import Builder
from engine.machine import Options, Stop
from engine.machines import make_machine
from engine.relief import cured, with_buffers
from engine.simulation import Simulation, simulate
from tests.engine.roads import level


def beside_its_greatest(words: int, tiles: int, **changes: Any) -> Builder:
    """Every word less the greatest of all; ``tiles`` is the length of the road on which the words wait for that."""
    b = Builder(level(words=words, **changes, truth=f"out[t] = a[t] - max(i, 0:{words}, a[i])"))
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


@pytest.mark.parametrize(("words", "parts"), [(66, [54]), (76, [64]), (100, [64, 23]), (200, [64, 64, 58])])
def test_what_one_buffer_does_not_hold_several_do(words: int, parts: list[int]) -> None:
    """And they do so on the board; with a slot less they do not."""
    b = beside_its_greatest(words, 9)
    report = simulate(b.level, b.design())
    assert report.deadlock
    found = cured(b.level, b.design(), report.deadlock)
    assert [(added.wire, added.slots) for added in found.buffers or ()] == [("a.value → sub1.a", sum(parts))]
    for less, verdict in ((0, "pass"), (1, "deadlock")):
        again = beside_its_greatest(words, 9)
        [line] = again.find("a.value", "sub1.a")
        for slots in (*parts[:-1], parts[-1] - less):
            buffer = again.insert("buffer", line, slots=slots)
            [line] = again.find(buffer.out)
        assert simulate(again.level, again.design()).verdict == verdict
    if len(parts) == 2:
        assert found.cure == "buffers of 64 and 23 in series on a.value → sub1.a would break it"


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"parts": {"buffer": 0, "*": 9}}, "this level has no buffer"),
        ({"parts": {"sub": 1, "accumulate": 1, "hold": 1, "*": 0}}, "this level has no buffer"),
        ({"limits": {"slots": 2}}, "this level allows 2 slots, and 4 are needed"),
    ],
)
def test_a_level_without_such_a_buffer_is_told_of_tiles(changes: dict[str, Any], says: str) -> None:
    """And a road that is as much longer as it says is long enough; one that is two tiles shorter is not."""
    b = beside_its_greatest(8, 1, **changes) if "limits" not in changes else beside_its_greatest(8, 2, **changes)
    report = simulate(b.level, b.design())
    assert report.deadlock
    found = cured(b.level, b.design(), report.deadlock)
    assert found.buffers == []
    assert found.cure.startswith(f"{says}: a.value → sub1.a longer by ")
    assert found.cure.endswith(" tiles would break it")
    tiles = int(found.cure.split(" longer by ")[1].split()[0])
    [line] = b.find("a.value", "sub1.a")
    was = line.length
    for longer, verdict in ((tiles, "pass"), (tiles - 2, "deadlock")):
        b.reroute(line, length=was + longer)
        assert simulate(b.level, b.design()).verdict in (verdict, "limit")


def test_a_search_that_is_cut_short_says_what_was_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.relief.MAX_RUNS", 1)
    b = beside_its_greatest(8, 1)
    report = simulate(b.level, b.design())
    assert report.deadlock
    found = cured(b.level, b.design(), report.deadlock)
    assert found.cure == (
        "no buffer was found that breaks it: up to 2,048 words of room were tried on a.value → sub1.a"
    )
