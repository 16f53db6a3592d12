"""What is under the mouse."""

from __future__ import annotations

import pytest

from game.theme import TILE_STEPS
from game.view.board import origin_of
from game.view.camera import Camera
from game.view.hits import Hits
from game.view.layout import Layout, make_layout
from tests.game.view.conftest import Board


@pytest.fixture
def layout(roads: Board) -> Layout:
    return make_layout(roads.level, roads.design)


def on_screen(camera: Camera, x: float, y: float) -> tuple[float, float]:
    ox, oy = origin_of(camera)
    return ox + x * camera.tile, oy + y * camera.tile


@pytest.mark.parametrize("tile", TILE_STEPS)
def test_every_port_is_hit_in_its_middle_at_any_zoom(roads: Board, layout: Layout, tile: int) -> None:
    hits, camera = Hits(layout), roads.camera(tile)
    for notch in layout.notches:
        inside = (notch.x - notch.side[0] * 0.1, notch.y - notch.side[1] * 0.1)
        found = hits.port_at(camera, on_screen(camera, *inside))
        assert found is not None
        if tile >= 32:
            assert (found.element, found.port) == (notch.element, notch.port)


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_ports_have_a_radius_in_pixels(roads: Board, layout: Layout, scale: float) -> None:
    hits, camera = Hits(layout), roads.camera(128, scale=scale)
    notch = next(n for n in layout.notches if n.element == "out")
    x, y = on_screen(camera, notch.x, notch.y)
    assert hits.port_at(camera, (x - 13.5 * scale, y)) == notch
    assert hits.port_at(camera, (x - 14.5 * scale, y)) is None


@pytest.mark.parametrize("tile", TILE_STEPS)
def test_wires_are_hit_within_six_pixels(roads: Board, layout: Layout, tile: int) -> None:
    hits, camera = Hits(layout), roads.camera(tile)
    x, y = on_screen(camera, 14.5, 4.5)
    long = next(i for i, wire in enumerate(roads.design.wires) if wire.ends[0][0] == "out")
    for away in (-6, 0, 6):
        assert hits.wire_at(camera, (x, y + away)) == long
    assert hits.wire_at(camera, (x, y + 7)) is None


def test_one_of_eight_wires_in_a_tile_is_picked_and_then_the_next(roads: Board) -> None:
    design = roads.design.model_copy(deep=True)
    wire = design.wires[4]
    design.wires = [wire.model_copy() for _ in range(8)]
    layout = make_layout(roads.level, design)
    hits, camera = Hits(layout), roads.camera(32)
    places = {}
    for number, road in enumerate(layout.roads):
        assert road is not None
        y = road.lines[0][0][1]
        places[y] = number
        assert hits.wire_at(camera, on_screen(camera, 14.5, y)) == number
    assert len(places) == 8
    at = on_screen(camera, 14.5, 4.5)
    near = hits.wires_at(camera, at)
    assert near[0] == 0 and len(near) == 3
    chosen = hits.wire_at(camera, at)
    cycle = []
    for _ in range(4):
        cycle.append(chosen)
        chosen = hits.wire_at(camera, at, after=chosen)
    assert cycle == [*near, near[0]]


def test_cores_fill_their_tile(roads: Board, layout: Layout) -> None:
    hits, camera = Hits(layout), roads.camera(24)
    assert hits.core_at(camera, on_screen(camera, 1.05, 4.95)) == "fifteen"
    assert hits.core_at(camera, on_screen(camera, 0.5, 4.5)) == "a"
    assert hits.core_at(camera, on_screen(camera, 1.5, 5.1)) is None
    assert hits.core_at(camera, on_screen(camera, -0.5, 4.5)) is None


def test_an_empty_board_has_nothing_to_hit(roads: Board) -> None:
    design = roads.design.model_copy(update={"cores": [], "wires": []})
    hits, camera = Hits(make_layout(roads.level, design)), roads.camera()
    assert hits.wire_at(camera, on_screen(camera, 14.5, 4.5)) is None
    assert hits.port_at(camera, on_screen(camera, 14.5, 4.5)) is None
