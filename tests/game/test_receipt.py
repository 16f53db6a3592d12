"""The receipt names what can be saved, where and how; and doing as it says saves about that much."""

from __future__ import annotations

import pytest

from engine import simulate
from engine.builder import Builder
from engine.elaborate import elaborate
from engine.model import Design, Level
from game.receipt import receipt
from levels import load_level


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
    [item] = receipt(elaborate(level, design), simulate(level, design))
    assert (item.kind, item.wire) == ("too-fast", 0)
    assert item.message == "a → out is ready for a word every 1 ns and gets one every 4 ns"
    assert item.cure == "slow it to 0.25: a word every 4 ns"
    saved = energy(level, design) - energy(*ignition(0.25))
    assert item.pj == pytest.approx(saved, rel=0.03)  # the windows hold other data, so switching differs a little


def test_a_detour() -> None:
    level, design = ignition(0.25, [(5, 0)])
    [item] = receipt(elaborate(level, design), simulate(level, design))
    assert item.kind == "detour"
    assert "takes 15 tiles where 11 would reach" in item.message
    saved = energy(level, design) - energy(*ignition(0.25))
    assert item.pj == pytest.approx(saved, rel=0.03)  # the windows hold other data, so switching differs a little


def test_time_itself() -> None:
    level, design = ignition(0.125)
    items = receipt(elaborate(level, design), simulate(level, design))
    assert [item.kind for item in items] == ["waiting"]
    assert "a launch takes 8 ns, and pads, cores and loops would do it in 4 ns" in items[0].message


def test_nothing_to_save() -> None:
    level, design = ignition(0.25)
    assert receipt(elaborate(level, design), simulate(level, design)) == []
