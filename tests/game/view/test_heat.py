"""The overlay of heat, and what the inspector says of temperatures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.heat import draws, steady
from engine.simulation import Simulation
from engine.technology import technology
from game.describe import describe
from game.margins import heat_margin
from game.theme import Theme
from game.view.heat import heat_pieces, warmth_text
from game.view.layout import make_layout
from game.view.legend import legend
from game.view.scene import OVERLAYS, Scene, figures_of, overlays_of
from game.view.still import draw_board
from game.view.warmth import STEPS
from tests.engine.test_heat import row
from tests.game.view.conftest import Board, surface


@pytest.fixture(scope="module")
def hot() -> Scene:
    """Two multipliers side by side, slower for their heat."""
    level, design = row(12, 13)
    simulation = Simulation(level, design, engine="plain")
    figures = figures_of(simulation.report(bound=False), level.technology)
    return Scene(level, design, simulation.netlist, 5000.0, figures=figures, overlay="heat", theme=Theme())


def test_power_is_told_from_temperatures() -> None:
    power = np.random.default_rng(3).integers(0, 4_000_000, (6, 9))
    heat = technology("n45").heat
    assert np.abs(draws(steady(power, heat), heat) - power).max() <= 200


def test_only_levels_with_heat_offer_it(hot: Scene, roads: Board) -> None:
    assert overlays_of(hot.level) == (*OVERLAYS, "heat")
    assert overlays_of(roads.level) == OVERLAYS


def test_the_board_warms_up_and_tells_what_is_slower_for_it(hot: Scene) -> None:
    assert hot.figures and hot.figures.heat
    grids = [hot.figures.heat.at(step) for step in (0, 1, 10, STEPS)]
    assert [int(grid.max()) for grid in grids] == sorted(int(grid.max()) for grid in grids)
    assert grids[0].max() == 0 and hot.heat_step == STEPS
    # Five time constants after the start a tile is within one part in a hundred of where it ends.
    assert hot.figures.heat.at(STEPS - 1).max() == pytest.approx(grids[-1].max(), rel=0.01)
    layout = make_layout(hot.level, hot.design, hot.netlist)
    words = [piece.words for piece in heat_pieces(layout, hot) if hasattr(piece, "words")]
    core = hot.figures.heat.cores["m12"]
    assert core.clock_ticks > core.set_ticks
    assert warmth_text(core) in words and f"clock {core.clock_ticks} for 100" in warmth_text(core)
    found = legend(hot)
    assert found is not None and "45 °C" in found[0][1][0][1]


def test_pictures_of_cold_and_warm_boards_differ(hot: Scene) -> None:
    board = Board(hot.level, hot.design)
    pictures = []
    for scene in (replace(hot, overlay_s=0.0), replace(hot, overlay_s=0.3), hot, replace(hot, time_ns=0.0)):
        picture = surface()
        draw_board(picture, board.camera(16), scene)
        pictures.append(bytes(picture.get_buffer()))
    assert len(set(pictures)) == 3


def test_the_inspector_tells_what_is_left(hot: Scene) -> None:
    report = Simulation(*row(8, 16), engine="plain").report(bound=False)
    assert report.heat
    cool = report.heat.cores[0]
    assert heat_margin(cool).good and "before its clock falls" in heat_margin(cool).text
    assert hot.figures and hot.figures.heat
    assert not heat_margin(hot.figures.heat.cores["m12"]).good
    level, design = row(8, 16)
    subject = describe(level, design, {"m8"}, netlist=None, report=report)
    assert any(getattr(r, "label", "") == "temperature" for r in subject.rows)
