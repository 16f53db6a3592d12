"""The plots tell what their colours mean: by the mouse, and as a tab of the energy of a launch."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pygame
import pytest

from engine.model import MODULES, causes_with
from game.panels.plots import PlotsModel, told
from game.panels.roof import roof_text
from game.pictures import house
from game.screens import shown
from game.text import number
from game.theme import CAUSE_COLOURS, YELLOW
from tests.game.player import Player

MODEL = PlotsModel(None, (0, 1000), 0, True, "power", "whole run")


def test_every_cause_has_a_colour_of_its_own() -> None:
    assert set(causes_with(MODULES)) <= set(CAUSE_COLOURS)
    assert len(set(CAUSE_COLOURS.values())) == len(CAUSE_COLOURS)


def test_the_cause_under_the_mouse_is_told_with_every_other() -> None:
    causes = list(CAUSE_COLOURS)
    values = np.zeros((len(causes), 10))
    values[0, 3], values[1, 3], values[4, 3] = 2.0, 1.0, 1.0
    for above, wanted in ((10.0, causes[0]), (60.0, causes[1]), (90.0, causes[4]), (110.0, None)):
        found = told("power", values, 3, above, 100, 4.0, MODEL)
        assert found.title == "4.00 mW at 3.50 ns"
        assert [row[0] for row in found.rows] == [causes[4], causes[1], causes[0]]
        assert [row[0] for row in found.rows if row[2]] == ([wanted] if wanted else [])
    assert told("rate", np.full((1, 10), 125.0), 0, 0.0, 100, 125.0, MODEL).title == "125 /µs at 0.500 ns"


@pytest.mark.parametrize(("size", "scale"), [((1280, 720), 100), ((1920, 1080), 100), ((1920, 1080), 200)])
def test_the_plots_have_a_legend_under_the_mouse_and_a_tab_of_causes(
    tmp_path: Path, size: tuple[int, int], scale: int
) -> None:
    player = Player(tmp_path, size, {"ui_scale": scale})
    level = "first-light-05-two-roads"
    player.app.show("workbench", level, house(level, "best")[1])
    player.frames(2)
    bench = player.bench
    player.settle()
    bench.session.playback.playing = False
    area, values, _ = bench.plots._areas["power"]
    assert values.shape == (len(CAUSE_COLOURS), area.width)
    before = player.surface.copy()
    player.move(area.move(bench.plots.rect.topleft).center)
    player.frames(1)
    spot = pygame.Rect(0, 0, 20, 20)
    spot.midbottom = (player.at[0], player.at[1] - bench.context.theme.px(20))
    assert pygame.image.tobytes(player.surface.subsurface(spot), "RGB") != pygame.image.tobytes(
        before.subsurface(spot), "RGB"
    )
    if bench.regions.narrow:
        player.click(player.zone("plot.energy"))
        player.frames(1)
    words = {written.words for written in bench.plots.written}
    assert {"standby", "drive", "compute"} <= words and "ENERGY OF A LAUNCH" in words
    player.close()


@pytest.mark.parametrize(("size", "scale"), [((1280, 720), 100), ((1920, 1080), 100), ((1920, 1080), 200)])
def test_the_roofline_stands_in_the_place_of_the_energy(tmp_path: Path, size: tuple[int, int], scale: int) -> None:
    player = Player(tmp_path, size, {"ui_scale": scale})
    level = "gpu-puzzles-01-map"
    player.app.show("workbench", level, house(level, "best")[1])
    player.frames(2)
    bench = player.bench
    player.settle()
    bench.session.playback.playing = False
    player.click(player.zone("plot.roof"))
    player.frames(1)
    model = shown.plots(bench)
    assert bench.plot_tab == "roof" and model.roof is not None and bench.session.report is not None
    assert model.roof == bench.session.report.roofline
    words = {written.words for written in bench.plots.written}
    assert "ROOFLINE" in words
    assert roof_text(model.roof).split(":")[0].startswith(number(model.roof.attained_per_ns))
    yellow = [
        (x, y)
        for x in range(bench.plots.rect.left, bench.plots.rect.right)
        for y in range(bench.plots.rect.top, bench.plots.rect.bottom, 2)
        if player.surface.get_at((x, y))[:3] == YELLOW
    ]
    assert yellow  # the machine's own point
    player.click(player.zone("plot.energy"))
    player.frames(1)
    assert bench.plot_tab == "energy"
    player.close()
