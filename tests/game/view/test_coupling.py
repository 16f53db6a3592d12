"""The overlay of coupling: whose figure is whose, and what a wire that is selected still tells."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise

import pygame
import pytest

from engine.simulation import Simulation
from game.pictures import house
from game.theme import SKY, TILE_STEPS, Theme
from game.view.board import origin_of
from game.view.coupling import coupling_pieces, spare_colour, spare_text
from game.view.flags import Flag
from game.view.layout import Layout, make_layout
from game.view.scene import Scene, figures_of
from game.view.still import draw_board
from game.view.zoom import Zoom
from tests.game.view.conftest import Board, surface

LEVELS = ["physics-05-long-neighbours", "physics-06-a-shield-costs-a-track"]
NEAR = 0.01


@pytest.fixture(scope="module", params=LEVELS)
def coupled(request: pytest.FixtureRequest) -> Scene:
    level, design = house(request.param, "best")
    simulation = Simulation(level, design, engine="plain")
    figures = figures_of(simulation.report(bound=False), level.technology)
    return Scene(level, design, simulation.netlist, figures=figures, overlay="coupling", theme=Theme())


def under(layout: Layout, x: float, y: float) -> set[int]:
    """Wires whose middle runs through a place."""
    return {
        w
        for w, road in enumerate(layout.roads)
        if road is not None
        for (ax, ay), (bx, by) in pairwise(road.centre)
        if min(ax, bx) - NEAR <= x <= max(ax, bx) + NEAR and min(ay, by) - NEAR <= y <= max(ay, by) + NEAR
    }


def test_each_wire_has_its_own_figure_beside_all_wires(coupled: Scene) -> None:
    assert coupled.figures
    layout, theme = make_layout(coupled.level, coupled.design, coupled.netlist), coupled.theme
    flags = [piece for piece in coupling_pieces(layout, coupled) if isinstance(piece, Flag)]
    for step in (step for step in TILE_STEPS if step >= 24):
        zoom, seen = Zoom(step, step, 1.0), [flag for flag in flags if flag.step == step]
        told = {}
        for flag in seen:
            (wire,) = under(layout, flag.x, flag.y)
            told[wire] = flag.words
        assert told == {w: spare_text(reach) for w, reach in coupled.figures.coupling.items()}, step
        grounds = [flag.ground(zoom, theme) for flag in seen]
        assert not any(a.colliderect(b) for a, b in combinations(grounds, 2))
        for road in layout.roads:
            assert road is not None
            for line in road.lines:
                for a, b in pairwise([(round(x * step), round(y * step)) for x, y in line]):
                    assert not any(ground.clipline(a, b) for ground in grounds), step


def test_a_selected_wire_keeps_its_colour_and_covers_no_figure(coupled: Scene) -> None:
    assert coupled.figures
    board = Board(coupled.level, coupled.design)
    layout = make_layout(coupled.level, coupled.design, coupled.netlist)
    wire = max(coupled.figures.coupling, key=lambda w: layout.roads[w].length if layout.roads[w] else 0)
    camera = board.camera(32)
    plain, chosen = surface(), surface()
    draw_board(plain, camera, coupled)
    draw_board(chosen, camera, replace(coupled, selection=frozenset({wire})))
    road = layout.roads[wire]
    assert road is not None
    (ax, ay), (bx, by) = max(pairwise(road.centre), key=lambda r: abs(r[1][0] - r[0][0]) + abs(r[1][1] - r[0][1]))
    x, y = camera.to_screen(ax + (bx - ax) * 0.47, ay + (by - ay) * 0.47)
    column = [tuple(chosen.get_at((round(x), round(y) + d)))[:3] for d in range(-6, 7)]
    assert spare_colour(coupled.figures.coupling[wire]) in column and SKY in column
    zoom, found = Zoom.of(camera), 0
    for flag in (p for p in coupling_pieces(layout, coupled) if isinstance(p, Flag) and p.step == zoom.nominal):
        rect = flag.ground(zoom, coupled.theme).move(origin_of(camera)).inflate(-8, -4)
        if chosen.get_rect().contains(rect):
            lit = [[picture.get_at(at)[1] > 90 for at in _places(rect)] for picture in (plain, chosen)]
            assert sum(lit[0]) > 10 and all(now for was, now in zip(*lit, strict=True) if was), flag
            assert SKY not in {chosen.get_at(at)[:3] for at in _places(rect)}, flag
            found += 1
    assert found


def _places(rect: pygame.Rect) -> list[tuple[int, int]]:
    return [(x, y) for x in range(rect.left, rect.right) for y in range(rect.top, rect.bottom)]
