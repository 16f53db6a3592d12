"""What a machine loses, where and how; and doing as it says saves about that much."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import simulate
from engine.builder import Builder
from engine.causes import causes, lost_energy
from engine.elaborate import elaborate
from engine.model import Design, Level
from levels import load_level
from levels.files import load_design_file
from levels.lookup import find_level, sibling
from tests.engine.test_wait_corpus import FILES, Example


def ignition(speed: float, via: list[tuple[int, int]] | None = None) -> tuple[Level, Design]:
    level = load_level("first-light-01-ignition")
    builder = Builder(level)
    builder.wire("a.value", "out.value", speed=speed, via=via or [])
    return level, builder.design()


def energy(level: Level, design: Design) -> float:
    report = simulate(level, design)
    assert report.metrics
    return 1000 / report.metrics.efficiency_launches_per_nj  # pJ per launch


def test_a_wire_that_is_too_fast() -> None:
    level, design = ignition(1)
    [item] = lost_energy(elaborate(level, design), simulate(level, design))
    assert (item.kind, item.wire) == ("too-fast", 0)
    assert item.message == "a → out is ready for a word every 1 ns and gets one every 4 ns"
    assert item.cure == "slow it to 0.25: a word every 4 ns"
    saved = energy(level, design) - energy(*ignition(0.25))
    assert item.pj == pytest.approx(saved, rel=0.03)  # the windows hold other data, so switching differs a little


def test_a_detour() -> None:
    level, design = ignition(0.25, [(5, 0)])
    [item] = lost_energy(elaborate(level, design), simulate(level, design))
    assert item.kind == "detour"
    assert "takes 15 tiles where 11 would reach" in item.message
    saved = energy(level, design) - energy(*ignition(0.25))
    assert item.pj == pytest.approx(saved, rel=0.03)  # the windows hold other data, so switching differs a little


def test_time_itself() -> None:
    level, design = ignition(0.125)
    items = lost_energy(elaborate(level, design), simulate(level, design))
    assert [item.kind for item in items] == ["waiting"]
    assert "a launch takes 8 ns, and pads, cores and loops would do it in 4 ns" in items[0].message


def test_nothing_to_save() -> None:
    level, design = ignition(0.25)
    assert lost_energy(elaborate(level, design), simulate(level, design)) == []


# --- Time ------------------------------------------------------------------------------------------------

STALLS = [path for path in FILES if Example(path).expect.get("kind") in ("core", "wire", "loop", "roads", "page")]
PASSING = [path for path in STALLS if Example(path).expect["verdict"] == "pass" and path.stem != "hold-repeats"]
"""In hold-repeats the sink sets the pace, as the hold keeps up with it."""


@pytest.mark.parametrize("path", PASSING, ids=lambda p: p.stem)
def test_the_first_loss_of_time_is_at_the_root_of_the_waits(path: Path) -> None:
    """Two ways to one answer: the graph's bound, and the chain of waits in the running machine."""
    example = Example(path)
    found = causes(elaborate(example.level, example.design), simulate(example.level, example.design))
    assert found and found.time
    root = example.expect["root"]
    ends = {end.partition(".")[0] for end in root.split(" → ")}  # a loop is named by its cores
    assert root in found.time[0].elements or ends <= set(found.time[0].elements)
    assert found.time[0].cure
    assert sum(item.ns for item in found.time) == pytest.approx(found.period_ns - found.least_ns, rel=0.02)


def test_losses_of_time_come_in_the_order_in_which_they_have_to_go() -> None:
    """Division 12 ns, wire 10 ns, serial multiplier 8 ns, sink 4 ns a word, eight words a launch."""
    [path] = [path for path in FILES if path.stem == "core-slowest-of-three"]
    example = Example(path)
    found = causes(elaborate(example.level, example.design), simulate(example.level, example.design))
    assert found
    assert [(item.elements, item.ns) for item in found.time] == [
        (("d",), 16.0),
        (("d.out → m.a",), 16.0),
        (("m",), 32.0),
    ]
    assert (found.period_ns, found.least_ns, found.least_by) == (96.0, 32.0, "out")


def test_what_to_change_first_is_what_costs_most() -> None:
    """The jam's wires are too fast, but the time for which the lights burn costs more."""
    level = load_level("first-light-06-the-jam")
    assert level.reference
    design = load_design_file(sibling(find_level(level.id), level.reference.naive)).design
    found = causes(elaborate(level, design), simulate(level, design))
    assert found
    assert found.first.startswith("eighth works once per 12.00 ns")
    assert found.time[0].pj > found.energy[0].pj
    level, design = ignition(1)
    found = causes(elaborate(level, design), simulate(level, design))
    assert found
    assert found.time == []
    assert found.first.endswith("slow it to 0.25: a word every 4 ns")


def test_a_detour_with_a_purpose_is_said_to_have_one() -> None:
    """In Two roads the long way of the copy holds the words for which the other road takes its time."""
    level = load_level("first-light-05-two-roads")
    assert level.reference
    design = load_design_file(sibling(find_level(level.id), level.reference.naive)).design
    [item] = lost_energy(elaborate(level, design), simulate(level, design))
    assert (item.kind, item.element) == ("detour", "a.value → times.b")
    assert item.cure == "keep its words in a buffer: this road must hold so many"


def test_a_run_that_failed_has_no_causes_of_loss() -> None:
    level, design = ignition(1)
    design.wires[0].every_ticks = None
    assert causes(elaborate(level, design), simulate(level, design)) is None
