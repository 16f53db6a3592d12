"""Warps at shared memories and barriers: conflicts, padding, who races, and threads that are counted."""

from __future__ import annotations

from typing import Any

import pytest

from engine import simulate
from engine.advice import advised
from engine.builder import Builder
from engine.changes import changed
from engine.elaborate import check_design, elaborate
from engine.model import Design, Level, Report

CONTROL, WORD = 1.2, 5.0
"""pJ of control and of a word of a shared memory."""


def level(lanes: int = 8, **more: Any) -> Level:
    """Transposes 8 x 8 words: out[i, j] = a[j, i]."""
    array = {"shape": [64], "line": 8, "every_ns": 1}
    return Level.model_validate(
        {
            "perwatt": 1,
            "id": "tests-03-transpose",
            "title": "Transpose",
            "chapter": "tests",
            "brief": "",
            "kernel": {
                "arrays": {"a": {**array, "data": {"high": 999}}, "out": array},
                "truth": "out[i] = a[(i % 8) * 8 + i // 8]",
            },
            "threads": {"block": [64], "grid": [1]},
            "board": {"size": [14, 9], "tracks": 24},
            "pads": [
                {"id": "t", "core": "threads", "at": [0, 1], "words": ["warp", "lane"], "every_ns": 1},
                {"id": "a", "core": "load", "at": [0, 5]},
                {"id": "out", "core": "store", "at": [13, 5]},
            ],
            "lanes": lanes,
            "standby_uw": 4000,
            **more,
        }
    )


def transpose(
    level: Level, read: str = "w0 + 8*w1", write: str = "8*w0 + w1", barrier: bool = True, **set: Any
) -> Design:
    """Warps write their row, and read a column behind a barrier; or what ``write`` and ``read`` say."""
    b = Builder(level)
    t, a, out = b.pad("t", lanes=8), b.pad("a"), b.pad("out")
    rows = b.place("address", (3, 1), words=["8*w0 + w1"])
    cells = b.place("address", (3, 3), words=[write, "w0", "w1"])
    memory = b.place("shared", (8, 3), words=64, **set)
    back = b.place("address", (10, 1), words=[read])
    to = b.place("address", (10, 7), words=["8*w0 + w1"])
    slots = b.place("buffer", (12, 7), slots=32)
    b.wire(t.token, rows["in"], every_ns=1)
    b.wire(t.token, cells["in"], every_ns=1)
    b.wire(rows.out, a.at, every_ns=1)
    b.wire(cells.out, memory["write.at"], every_ns=1)
    b.words(memory["write.at"], 0)
    b.wire(a.value, memory["write.value"], every_ns=1)
    done = memory["write.done"]
    if barrier:
        lock = b.place("barrier", (9, 4))
        b.wire(done, lock["in"], every_ns=1)
        done = lock.out
    token = b.place("relay", (10, 4))
    b.wire(done, token["in"], every_ns=1)
    b.wire(token.out[1, 2], back["in"], every_ns=1)
    b.wire(token.out[1, 2], to["in"], every_ns=1)
    b.wire(back.out, memory["read.at"], every_ns=1)
    b.wire(to.out, slots["in"], every_ns=1)
    b.wire(slots.out, out.at, every_ns=1)
    b.wire(memory["read.value"], out.value, every_ns=1)
    return b.design()


def run(level: Level, design: Design) -> Report:
    report = simulate(level, design, engine="plain")
    assert report.verdict == "pass", report.fault or report.deadlock or report.problems
    return report


def memory_pj(report: Report) -> dict[str, float]:
    """pJ per launch of the memory."""
    assert report.metrics
    element = next(e for e in report.elements if e.kind == "shared")
    return {cause: pj / report.metrics.launches for cause, pj in element.energy_pj.items()}


def test_padding_against_conflicts() -> None:
    """8 words of a column on 8 banks: c = 8 without padding, and 1 with a cell left out after each row of 8."""
    plain = run(level(), transpose(level()))
    padded = run(level(), transpose(level(), row=8, pad=1))
    nine = run(level(banks=9), transpose(level(banks=9)))
    # 8 writes of a row (1 cycle each) and 8 reads of a column (c cycles each), control for every cycle: pJ per launch.
    # 64 words in, 64 out, each a cell of its own.
    assert memory_pj(plain)["control"] == pytest.approx((8 * 1 + 8 * 8) * CONTROL)
    assert memory_pj(padded)["control"] == memory_pj(nine)["control"] == pytest.approx((8 * 1 + 8 * 1) * CONTROL)
    for report in (plain, padded, nine):
        words = memory_pj(report)["storage"]
        assert report.window and report.metrics
        cells = 71 if report is padded else 64  # 7 cells left out between 8 rows, 5 uW each
        standing = cells * 0.005 * (report.window.end_ns - report.window.start_ns) / report.metrics.launches
        assert words - standing == pytest.approx((64 + 64) * WORD)
    # Σ c / accesses - 1: (8 x 1 + 8 x 8) / 16 - 1.
    assert plain.lanes and plain.lanes.conflicts_per_access == {"shared1": 3.5}
    assert padded.lanes and padded.lanes.conflicts_per_access == {"shared1": 0.0}
    # One page: a launch writes (8 ns), waits and reads, so that the 64 cycles of the reads are the most of its time.
    assert plain.metrics and padded.metrics and nine.metrics
    longer = 1000 / plain.metrics.throughput_launches_per_us - 1000 / padded.metrics.throughput_launches_per_us
    assert longer == pytest.approx(64 - 8, abs=1)
    assert nine.metrics.throughput_launches_per_us == pytest.approx(padded.metrics.throughput_launches_per_us)


def test_a_cell_that_all_lanes_read_is_read_once() -> None:
    """A broadcast: every lane of warp w reads cell 9 w, which takes one cycle and is one word."""
    same = level()
    same.kernel.truth = "out[i] = a[i // 8 * 9]"
    report = run(same, transpose(same, read="9*w0 + 0*w1"))
    assert memory_pj(report)["control"] == pytest.approx(16 * CONTROL)
    net = elaborate(same, transpose(same, read="9*w0 + 0*w1"))
    value = [wire for wire in net.wires if wire.id.startswith("shared1.read.value")]
    assert [wire.tracks for wire in value] == [1], "a uniform word"
    assert report.window and report.metrics
    standing = 64 * 0.005 * (report.window.end_ns - report.window.start_ns) / report.metrics.launches
    assert memory_pj(report)["storage"] - standing == pytest.approx((64 + 8) * WORD)


def test_a_missing_barrier_is_a_race_also_where_the_words_are_there() -> None:
    """Warp 0 reads a column behind a road so long that all rows are written: the right words, by luck."""
    report = simulate(level(), transpose(level(), barrier=False), engine="plain")
    assert report.fault and report.fault.code == "race"
    assert "which thread 8 wrote at shared1 (write), and no barrier lies between" in report.fault.message
    assert report.fault.message.endswith("It was lane 1, thread 1.")
    # What feeds the two ports: a barrier belongs between them.
    assert {"address2", "address3"} <= set(report.fault.others)


def test_a_warp_is_one_thread_to_the_race_rule() -> None:
    """Lane l reads what lane 7 - l of its own warp wrote, without a barrier."""
    mirror = level()
    mirror.kernel.truth = "out[i] = a[i // 8 * 8 + 7 - i % 8]"
    run(mirror, transpose(mirror, read="8*w0 - w1 + 7", barrier=False))


def test_a_neighbouring_warp_is_another_thread() -> None:
    """Warp w reads what warp w - 1 wrote, which is there in time: by luck."""
    report = simulate(
        level(), transpose(level(), read="8*w0 + w1", write="8*w0 + w1 + 0", barrier=False), engine="plain"
    )
    assert report.fault and report.fault.code == "wrong-value", "its own row is no race"
    before = transpose(level(), read="8*w0 + w1 - 8", barrier=False, row=8, pad=1)
    report = simulate(level(), before, engine="plain")
    assert report.fault and report.fault.code == "shared-outside"  # warp 0 has none before it
    assert (report.fault.index, report.fault.message.rpartition(" It was ")[2]) == ([-8], "lane 0, thread 0.")


def test_two_lanes_that_write_one_cell_overwrite() -> None:
    report = simulate(level(), transpose(level(), write="8*w0 + 0*w1"), engine="plain")
    assert report.fault and (report.fault.code, report.fault.index) == ("overwrite", [0])
    assert "which thread 0 had written at shared1 (write)" in report.fault.message
    assert report.fault.message.endswith("It was lane 1, thread 1.")


def test_padding_is_tried_against_conflicts() -> None:
    plain = transpose(level())
    before = run(level(), plain)
    found = advised(level(), plain, before)
    assert found is not None
    [item] = [item for item in found.energy if item.kind == "conflicts"]
    assert item.element == "shared1" and item.change and item.gain and item.gain > 0.05
    assert item.cure.startswith("leave out a cell after each row: row 8, pad 1 (tried: +")
    design, _ = changed(level(), plain, item.change)
    after = run(level(), design)
    assert before.metrics and after.metrics
    assert after.metrics.efficiency_launches_per_nj / before.metrics.efficiency_launches_per_nj - 1 == pytest.approx(
        item.gain
    )


def test_row_and_pad_say_something_together() -> None:
    for one, other in (("row", "pad"), ("pad", "row")):
        [problem] = check_design(level(), transpose(level(), **{one: 4}))
        assert (problem.code, problem.severity) == ("no-effect", "warning")
        assert problem.message == (
            f"shared1: {one} does nothing without {other}, so no cell moves: set {other} as well, or leave {one} out"
        )
    assert not check_design(level(), transpose(level(), row=8, pad=1))
