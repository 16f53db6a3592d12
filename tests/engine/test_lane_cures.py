"""What helps machines with lanes: buffers that break a deadlock, and luck that is found."""

from __future__ import annotations

import numpy as np
import pytest

from engine import simulate
from engine.builder import Builder
from engine.causes import causes, lost_energy
from engine.elaborate import elaborate
from engine.hazard import _first_difference
from engine.log import FLAGS, WORDS
from engine.relief import relieve
from engine.simulation import Simulation
from engine.waits import usual_cause
from tests.engine import test_lines, test_shared_lanes


def locked() -> Simulation:
    """A copy whose values are held back by a barrier, beside a road of addresses that is too short for all warps."""
    level = test_lines.level()
    b = Builder(level)
    t, a, out = b.pad("t", lanes=2), b.pad("a"), b.pad("out")
    at = b.place("address", (3, 1), words=["2*w0 + w1"])
    bar = b.place("barrier", (5, 5))
    b.wire(t.token, at["in"], every_ns=1)
    b.wire(at.out, a.at, every_ns=1)
    b.wire(at.out, out.at, every_ns=1)
    b.wire(a.value, bar["in"], every_ns=1)
    b.wire(bar.out, out.value, every_ns=1)
    return Simulation(level, b.design(), engine="plain")


def test_the_smallest_buffer_for_a_road_of_addresses() -> None:
    simulation = locked()
    report = simulation.report()
    assert report.verdict == "deadlock" and report.deadlock and report.deadlock.ring
    assert report.deadlock.root == "address1.out → out.at"
    assert any("barrier1 has 24 of 64 threads" in step.message for step in report.deadlock.chain)
    found = relieve(simulation, report.deadlock)
    assert found.buffers and [buffer.wire for buffer in found.buffers] == ["address1.out → out.at"]
    # It is the smallest: in the design it breaks the deadlock, and one slot less does not.
    for slots, verdict in ((found.buffers[0].slots, "pass"), (found.buffers[0].slots - 1, "deadlock")):
        b = Builder.of(simulation.level, simulation.design)
        b.insert("buffer", b.find("address1.out", "out.at")[0], slots=slots)
        assert Simulation(simulation.level, b.design(), engine="plain").report().verdict == verdict


def test_runs_that_differ_in_live_lanes_alone_differ() -> None:
    one = np.zeros((3, WORDS + 1), np.int64)
    one[:, FLAGS] = 0b1111 << 8
    other = one.copy()
    assert _first_difference(one, other) is None
    other[1, FLAGS] = 0b0111 << 8
    found = _first_difference(one, other)
    assert found is not None and found.number == 2


def test_who_waits_for_a_pad_that_moves_many_lines() -> None:
    level = test_lines.level()
    simulation = Simulation(level, test_lines.copy(level, 8, load="w0 + 8*w1"), engine="plain")
    simulation.run_until(300)
    node = next(n for n, node in enumerate(simulation.netlist.nodes) if node.id == "address1")
    cause, share = usual_cause(simulation, node=node)
    assert (cause.root, cause.kind) == ("a", "pad") and share > 0.5
    assert cause.reason == "a moves one line after the other of an access, one every 1 ns"
    assert cause.meaning == "nothing before a can be faster"


def test_part_lines_and_conflicts_are_lost_energy() -> None:
    """8 lines of 216 pJ for 8 words, of which one line would do; 64 reads of a column in 8 x 8 cycles of 1.2 pJ."""
    level = test_lines.level()
    report = simulate(level, test_lines.copy(level, 8, load="w0 + 8*w1"), engine="plain")
    found = causes(elaborate(level, test_lines.copy(level, 8, load="w0 + 8*w1")), report)
    assert found
    item = next(item for item in found.energy if item.kind == "lines" and item.element == "a")
    assert item.pj == pytest.approx(64 * 216 * 7 / 8)
    assert item.message == "a uses 1 of the 8 words of each line that it moves"
    assert found.first.startswith(item.message)
    turned = test_shared_lanes.level()
    design = test_shared_lanes.transpose(turned)
    report = simulate(turned, design, engine="plain")
    [item] = [item for item in lost_energy(elaborate(turned, design), report, most=9) if item.kind == "conflicts"]
    assert item.pj == pytest.approx(8 * 7 * 1.2)
    assert item.message.startswith("shared1 takes 4.5 cycles for an access")
