"""Lines: what an access of several lanes costs and takes, by hand, against measured runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from engine import simulate
from engine.builder import Builder
from engine.elaborate import elaborate
from engine.log import What
from engine.model import Design, Level, Report
from engine.plain import PlainMachine
from engine.truth import Workload

WORDS = 64


def level(lanes: int = 8, line: int = 8, memory: str = "far", **more: Any) -> Level:
    """out[i] = a[i]: a copy of 64 words by one block of 64 threads."""
    arrays = {
        "a": {"shape": [WORDS], "memory": memory, "line": line, "every_ns": 1, "data": {"high": 999}},
        "out": {"shape": [WORDS], "memory": "near", "line": 8, "every_ns": 1},
    }
    return Level.model_validate(
        {
            "perwatt": 1,
            "id": "tests-02-lines",
            "title": "Lines",
            "chapter": "tests",
            "brief": "",
            "kernel": {"arrays": arrays, "truth": "out[i] = a[i]"},
            "threads": {"block": [WORDS], "grid": [1]},
            "board": {"size": [12, 7], "tracks": 20},
            "pads": [
                {"id": "t", "core": "threads", "at": [0, 1], "words": ["warp", "lane"], "every_ns": 1},
                {"id": "a", "core": "load", "at": [0, 5]},
                {"id": "out", "core": "store", "at": [11, 3]},
            ],
            "lanes": lanes,
            "standby_uw": 4000,
            **more,
        }
    )


def copy(level: Level, lanes: int, load: str = "", store: str = "") -> Design:
    """A warp of ``lanes`` loads at ``load`` and stores at ``store``, sums of its number w0 and its lane w1."""
    b = Builder(level)
    t, a, out = b.pad("t", **({"lanes": lanes} if lanes > 1 else {})), b.pad("a"), b.pad("out")
    at = b.place("address", (3, 1), words=[load or f"{lanes}*w0 + w1"])
    to = b.place("address", (6, 1), words=[store or load or f"{lanes}*w0 + w1"])
    slots = b.place("buffer", (8, 1), slots=64)
    b.wire(t.token, at["in"], every_ns=1)
    b.wire(t.token, to["in"], every_ns=1)
    b.wire(at.out, a.at, every_ns=1)
    b.wire(to.out, slots["in"], every_ns=1)
    b.wire(slots.out, out.at, every_ns=1)
    b.wire(a.value, out.value, every_ns=1)
    return b.design()


def run(level: Level, design: Design) -> Report:
    report = simulate(level, design, engine="plain")
    assert report.verdict in ("pass", "limit"), report.fault or report.deadlock or report.problems
    return report


def memory_pj(report: Report, pad: str) -> float:
    """pJ of accesses per launch of a pad, without what it draws all the time."""
    assert report.metrics and report.window
    element = next(e for e in report.elements if e.id == pad)
    standing = 6.0 * (report.window.end_ns - report.window.start_ns) if pad == "a" else 0.0  # 6 mW, pJ = mW ns
    return (element.energy_pj["memory"] - standing) / report.metrics.launches


def test_coalesced_against_strided() -> None:
    """8 lanes, lines of 8: a line of far memory is 24 + 8 x 24 = 216 pJ."""
    both = {
        "rows": run(level(), copy(level(), 8)),
        # Warp w takes words w, 8 + w, 16 + w ...: each lane in another line.
        "columns": run(level(), copy(level(), 8, load="w0 + 8*w1")),
    }
    for name, lines in (("rows", 1), ("columns", 8)):
        report = both[name]
        # 8 warps of a launch, each with so many lines of 216 pJ, held for as many intervals of 1 ns.
        assert memory_pj(report, "a") == pytest.approx(8 * lines * 216)
        assert report.accesses["a"] == 8 * lines
        assert report.words["a"] == WORDS
        assert report.words_per_thread["a"] == 1.0
        assert report.metrics and report.metrics.throughput_launches_per_us == pytest.approx(1000 / (8 * lines))
        assert report.lanes and report.lanes.lines_per_access["a"] == lines
        assert report.lanes.words_per_line["a"] == 8 / lines
        busy = next(e for e in report.elements if e.id == "a").utilisation
        assert busy == pytest.approx(1.0)
    # The ratios: 8 times the energy of the accesses, and 8 times the time.
    assert memory_pj(both["columns"], "a") / memory_pj(both["rows"], "a") == pytest.approx(8)


@pytest.mark.parametrize(
    ("memory", "line", "pj"),
    [
        # far: 24 + 24 a word; near: 2 + 3 a word. A line of one word is the 48 and 5 pJ of a memory without lines.
        ("far", 1, 48.0),
        ("far", 4, 120.0),
        ("far", 8, 216.0),
        ("near", 1, 5.0),
        ("near", 4, 14.0),
        ("near", 8, 26.0),
    ],
)
def test_a_scalar_pays_its_whole_line(memory: str, line: int, pj: float) -> None:
    scalars = level(lanes=1, line=line, memory=memory)
    report = run(scalars, copy(scalars, 1, load="w0"))
    assert report.metrics and report.window
    element = next(e for e in report.elements if e.id == "a")
    standing = 6.0 * (report.window.end_ns - report.window.start_ns) if memory == "far" else 0.0
    # There is no cache: 64 words, 64 accesses, though 8 neighbours share a line.
    assert (element.energy_pj["memory"] - standing) / report.metrics.launches == pytest.approx(64 * pj)
    assert report.accesses["a"] == report.words["a"] == 64


def test_a_packets_values_leave_with_the_last_line() -> None:
    """One warp of a far array, line 8: k lines take 40 + (k - 1) ns from the firing to the value's leaving."""
    found = {}
    for name, load in (("one", "8*w0 + w1"), ("eight", "w0 + 8*w1")):
        net = elaborate(level(), copy(level(), 8, load=load))
        machine = PlainMachine(net, Workload(level()))
        rows: list[NDArray[np.int64]] = []
        machine.watch(rows.append)
        machine.run(12_000)
        pad = next(i for i, n in enumerate(net.nodes) if n.id == "a")
        made = [row for row in np.concatenate(rows).tolist() if row[1] == What.MADE and row[2] == pad]
        found[name] = (made[0][3] - made[0][0]) / 100, (made[1][0] - made[0][0]) / 100
    assert found == {"one": (40.0, 1.0), "eight": (47.0, 8.0)}


def test_a_uniform_address_is_the_access_of_one_lane() -> None:
    """All 8 lanes want the word of the warp: one line, one word, and the value is one track wide."""
    uniform = level()
    uniform.kernel.truth = "out[i] = a[i // 8]"
    design = copy(uniform, 8, load="w0", store="8*w0 + w1")
    report = run(uniform, design)
    assert report.accesses["a"] == report.words["a"] == 8
    assert report.lanes and report.lanes.lines_per_access["a"] == 1
    assert report.words_per_thread["a"] == 8 / 64
    assert memory_pj(report, "a") == pytest.approx(8 * 216)
    net = elaborate(uniform, design)
    assert [wire.tracks for wire in net.wires if net.nodes[wire.source].id == "a"] == [1]


def test_lanes_that_are_no_threads_cost_nothing() -> None:
    """Blocks of 12 in warps of 8: the second warp has 4 lanes, and touches one line of 4 words."""
    ragged = level(line=4, threads={"block": [12], "grid": [5]})
    ragged.kernel.arrays["a"].shape = ragged.kernel.arrays["out"].shape = [60]
    b = Builder(ragged)
    t, a, out = b.pad("t", lanes=8), b.pad("a"), b.pad("out")
    b.wire(t.token, a.at, every_ns=1)
    b.wire(a.value, out.value, every_ns=1)
    b.wire(a.at, out.at, every_ns=1)
    ragged.pads[0].words = ["index"]
    report = run(ragged, b.design())
    # Words 12 b … 12 b + 11 are 3 lines of 4: two for the whole warp and one for the rest. Lines start at 0, 4, 8 …
    assert report.accesses["a"] == 5 * 3
    assert report.words["a"] == 60
    # Stores on lines of 8: 0-7 | 8-11, 12-19 (2) | 20-23, 24-31 | 32-35, 36-43 (2) | 44-47, 48-55 | 56-59.
    assert report.accesses["out"] == 5 * 2 + 2


def test_two_lanes_may_not_write_one_word() -> None:
    """Also with equal values: lane 1 writes the word of lane 0."""
    wrong = level()
    report = simulate(wrong, copy(wrong, 8, load="0*w0", store="8*w0 + 0*w1"), engine="plain")
    assert report.fault and report.fault.code == "written-twice"
    assert (report.fault.core, report.fault.index) == ("out", [0])
    assert "lane 1" in report.fault.message


def test_a_fault_is_that_of_the_lowest_live_lane() -> None:
    wrong = level()
    report = simulate(wrong, copy(wrong, 8, load="8*w0 + w1 + 3"), engine="plain")
    # Warp 7 asks for words 59 … 66: lane 5 is the first outside.
    assert report.fault and (report.fault.code, report.fault.index) == ("outside", [64])
    assert "lane 5" in report.fault.message


def test_other_makes_all_lanes_live() -> None:
    """A guard masks lanes of words 60 … 63; the load puts -1 there, and the result has all lanes."""
    spare = level()
    spare.kernel.arrays["a"].shape = [60]
    spare.kernel.truth = "out[i] = a[i] if i < 60 else 0 - 1"
    b = Builder(spare)
    t, a, out = b.pad("t", lanes=8), b.pad("a", other=-1), b.pad("out")
    at = b.place("address", (3, 1), words=["8*w0 + w1"])
    guard = b.place("guard", (5, 1), limits=[60], mode="mark")
    slots = b.place("buffer", (8, 1), slots=64)
    b.wire(t.token, at["in"], every_ns=1)
    b.wire(at.out, guard["in"], every_ns=1)
    b.wire(at.out, slots["in"], every_ns=1)
    b.wire(guard.out, a.at, every_ns=1)
    b.wire(slots.out, out.at, every_ns=1)
    b.wire(a.value, out.value, every_ns=1)
    report = run(spare, b.design())
    assert report.words == {"a": 60, "out": 64}
    assert report.accesses == {"a": 8, "out": 8}
    # The guard sees all 64, the load the 60 that are left; pads do not count as cores.
    assert report.lanes and report.lanes.occupancy_by_core == {"address1": 1.0, "guard1": 1.0, "buffer1": 1.0}
    assert report.lanes.words_per_line["a"] == 60 / 8


def test_limits_by_lines_words_and_threads() -> None:
    rows, columns = copy(level(), 8), copy(level(), 8, load="w0 + 8*w1")
    limits = {"accesses": {"a": 8}, "words": {"a": 64}, "words_per_thread": {"a": 1, "out": 0.5}}
    limited = level(limits=limits)
    found = {limit.limit: (limit.found, limit.ok) for limit in run(limited, rows).limits}
    assert found == {
        "a": (8, True),
        "a words": (64, True),
        "a words per thread": (1, True),
        "out words per thread": (1, False),
    }
    assert {limit.limit: limit.found for limit in run(limited, columns).limits}["a"] == 64
    del limits["words_per_thread"]
    assert run(level(limits=limits), rows).verdict == "pass"
    assert run(level(limits=limits), columns).verdict == "limit"
