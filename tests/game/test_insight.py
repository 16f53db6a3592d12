"""What is told of a design in the background."""

from __future__ import annotations

import numpy as np
import pytest

from engine.machine import Stop
from engine.model import Design, Level, WireSpec
from engine.simulation import simulate
from game.insight import insight, trace
from levels import load_level
from levels.files import load_design_file
from levels.lookup import find_level, sibling
from tests.engine.test_gating import burst


def reference(level: Level, role: str) -> Design:
    assert level.reference is not None
    return load_design_file(sibling(find_level(level.id), getattr(level.reference, role))).design


@pytest.fixture(scope="module")
def in_step() -> Level:
    return load_level("first-light-02-in-step")


def test_detents_and_marks(in_step: Level) -> None:
    found = insight(in_step, reference(in_step, "naive"))
    assert found.detents == {0: 500, 1: 500}
    assert "out" in found.bound_cores
    loop = load_level("first-light-09-merry-go-round")
    assert "⟳" in insight(loop, reference(loop, "best")).marks.values()
    assert insight(in_step, Design(perwatt=1, level=in_step.id)).detents == {}


@pytest.mark.parametrize("level_id", ["first-light-02-in-step", "gpu-puzzles-01-map"])
def test_a_trace_adds_up_to_the_report(level_id: str) -> None:
    level = load_level(level_id)
    design = reference(level, "best")
    found = trace(level, design, engine="plain")
    report = simulate(level, design, engine="plain")
    assert found is not None and report.window is not None and report.energy_pj is not None
    assert found.edges[-1] == found.end
    lengths = np.diff(found.edges)
    total = sum(float((mw * lengths).sum()) * 0.01 for mw in found.power.values())  # mW × ticks of 10 ps
    standby = float((found.power["standby"] * lengths).sum()) / found.end
    assert standby == pytest.approx(level.standby_uw / 1000)
    assert found.joules.sum() <= total * (1 + 1e-9)
    counted = found.completions[: len(found.joules)].tolist()  # of the others the energy is not told
    span = (counted[-1] - counted[0]) * 0.01
    assert found.joules[1:].sum() / span == pytest.approx(report.metrics.power_mw if report.metrics else 0, rel=0.1)


def test_a_machine_that_cannot_be_built_has_no_trace(in_step: Level) -> None:
    assert trace(in_step, Design(perwatt=1, level=in_step.id), engine="plain") is None
    wire = WireSpec(source="a.value", to=["out.value"], path=[(0, 2), (13, 2)], every_ticks=100)
    wrong = Design(perwatt=1, level=in_step.id, wires=[wire])
    found = trace(in_step, wrong, engine="plain")
    assert found is not None and found.stop is Stop.FAULT and len(found.completions) == 0


def test_energy_over_time_knows_sleep() -> None:
    """What is told of all launches is what they take together, but for the tick in which the window begins."""
    level, design = burst()
    found = trace(level, design, engine="plain")
    assert found is not None
    awake = trace(*burst(False), engine="plain")
    assert awake is not None
    assert found.power["wake-up"].sum() > 0 and found.power["drive"].min() < 0.5 * awake.power["drive"].min()
    report = simulate(level, design)
    assert report.energy_pj and report.metrics
    mean = sum(report.energy_pj.values()) / report.metrics.launches
    assert found.joules[10:20].mean() == pytest.approx(mean, rel=0.02)
