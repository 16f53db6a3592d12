"""The roofline by hand, and against measured runs: no machine is above its roof."""

from __future__ import annotations

import pytest

from engine import simulate
from engine.builder import Builder
from engine.model import Design, Level, Report
from levels import find_level, load_design, load_level
from levels.lookup import sibling
from tests.engine import test_lines
from tests.engine.machines import core, design, streams, wire


def plus_one(level: Level, load: str, lanes: int = 8) -> Design:
    """The copy of the lines, with an add on the way."""
    b = Builder.of(level, test_lines.copy(level, lanes, load=load))
    b.remove(b.find("a.value")[0])
    add = b.place("add", (6, 4), b=1)
    b.wire(b.handle("a").value, add.a, every_ns=1)
    b.wire(add.out, b.handle("out").value, every_ns=1)
    return b.design()


def run(level: Level, design: Design) -> Report:
    report = simulate(level, design, engine="plain")
    assert report.verdict == "pass", report.fault or report.problems
    return report


def test_coalesced_at_its_roof_strided_under_another() -> None:
    level = test_lines.level()
    level.kernel.truth = "out[i] = a[i] + 1"
    rows, columns = (run(level, plus_one(level, load)).roofline for load in ("8*w0 + w1", "w0 + 8*w1"))
    assert rows and columns
    # 64 adds a launch. Rows: 8 lines of 32 bytes; far at 32 bytes/ns: 64 / 256 x 32 = 8 operations/ns.
    assert rows.operations == columns.operations == 64
    assert rows.peak_per_ns == columns.peak_per_ns == 8  # one add of 8 lanes each ns
    far = {memory.kind: memory for memory in rows.memories}["far"]
    assert (far.bytes, far.bytes_used, far.intensity) == (256, 256, 0.25)
    assert (far.bandwidth_bytes_per_ns, far.attainable_per_ns) == (32, 8)
    assert rows.roof_per_ns == rows.attained_per_ns == pytest.approx(8)
    # Columns: 64 lines, of each of which one word is used: an eighth of the intensity, and memory is the roof.
    far = {memory.kind: memory for memory in columns.memories}["far"]
    assert (far.bytes, far.bytes_used, far.intensity) == (2048, 256, 1 / 32)
    assert columns.roof_per_ns == columns.attained_per_ns == pytest.approx(1)
    # Loads and stores have the same stride here, so both memories lie at 1 operation/ns.
    assert columns.limited_by in ("far", "near")


def test_what_counts_as_an_operation() -> None:
    """mac twice, a fold once a value, compare and select not at all; of a linear result one for all lanes."""
    level = test_lines.level()
    level.kernel.truth = "out[i] = a[i] * 3 + i"
    b = Builder.of(level, test_lines.copy(level, 8))
    b.remove(b.find("a.value")[0])
    index = b.place("add", (9, 5), b=0)  # linear: 8 operations a launch, not 64
    mac = b.place("mac", (6, 4), b=3)
    road = b.place("buffer", (7, 6), slots=64)
    b.wire(b.handle("address1").out, index.a, every_ns=1)
    b.wire(index.out, road["in"], every_ns=1)
    b.wire(b.handle("a").value, mac.a, every_ns=1)
    b.wire(road.out, mac.c, every_ns=1)
    b.wire(mac.out, b.handle("out").value, every_ns=1)
    roof = run(level, b.design()).roofline
    assert roof and roof.operations == 2 * 64 + 8
    assert roof.peak_per_ns == 2 * 8 + 1


def test_streams_have_a_slope_as_well() -> None:
    machine = design(
        [core("add", "add", (5, 4), b=0)],
        [
            wire("s.value", "add.a", (0, 4), (5, 4), every_ns=2),
            wire("add.out", "out.value", (5, 4), (15, 4), every_ns=2),
        ],
    )
    level = streams()
    level.kernel.truth = "out[i] = s[i]"
    report = simulate(level, machine, engine="plain")
    roof = report.roofline
    assert report.verdict == "pass" and roof
    # 8 words in and 8 out at 1 ns: 64 bytes, 8 bytes/ns; 8 adds: 1/8 per byte, 1 per ns. The wires let half of it.
    assert [(m.kind, m.bytes, m.bandwidth_bytes_per_ns, m.intensity) for m in roof.memories] == [
        ("stream", 64, 8, 0.125)
    ]
    assert (roof.peak_per_ns, roof.roof_per_ns, roof.attained_per_ns) == (1, 1, pytest.approx(0.5))
    assert report.lanes is None, "neither lanes nor lines nor banks"


@pytest.mark.parametrize(
    "name", ["first-light/04", "first-light/10", "gpu-puzzles/01", "gpu-puzzles/09", "gpu-puzzles/13"]
)
def test_no_reference_is_above_its_roof(name: str) -> None:
    """Rates in a window of whole periods never pass the roof."""
    path = find_level(name)
    level = load_level(path)
    assert level.reference
    report = simulate(level, load_design(sibling(path, level.reference.best)), bound=False)
    roof = report.roofline
    assert report.window and report.window.period_launches and roof
    assert 0 < roof.attained_per_ns <= roof.roof_per_ns * (1 + 1e-9)
