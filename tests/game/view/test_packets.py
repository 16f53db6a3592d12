"""Packets: where they are, what they look like, what is left out, and what it costs."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from types import SimpleNamespace
from typing import cast

import numpy as np
import pygame
import pytest

from engine.machine import PacketArrays
from engine.netlist import Netlist
from game.bench.board import large_design, large_level, packets_at
from game.theme import BLUE_TEXT, BOARD, LAUNCH_COLOURS, PACKET, PURPLE, TILE_STEPS, WIRE_FAST
from game.view.badges import draw_badges, value_text
from game.view.board import origin_of
from game.view.camera import Camera
from game.view.layout import DATA, PREDICATE, TOKEN, make_layout
from game.view.packets import LAUNCH, MASKED, draw_packets, masked_cells, packet_sprite
from game.view.scene import Scene
from game.view.still import BoardView, draw_board
from game.view.zoom import Zoom
from tests.game.view.conftest import SIZE, Board, brightness, surface


def look(kind: int, hollow: bool = False, words: int = 1, launch: int = 0) -> int:
    return hollow + 4 * kind + 16 * words + LAUNCH * launch


def colours(picture: pygame.Surface) -> set[tuple[int, int, int]]:
    """Colours of a picture's opaque pixels."""
    opaque = pygame.surfarray.array_alpha(picture) > 250
    return {tuple(c) for c in pygame.surfarray.array3d(picture)[opaque].tolist()}


def middle(picture: pygame.Surface) -> tuple[int, int, int]:
    return tuple(picture.get_at(picture.get_rect().center))[:3]  # type: ignore[return-value]


@pytest.mark.parametrize("tile", [t for t in TILE_STEPS if t >= 32])
def test_kinds_differ_in_shape_and_colour(tile: int) -> None:
    size = Zoom(tile, tile, 1.0).packet

    def sprite(*args: object) -> pygame.Surface:
        return packet_sprite(look(*args), size, 1.0, tile * 125, tile)  # type: ignore[arg-type]

    assert middle(sprite(DATA)) == PACKET
    assert PACKET in colours(sprite(DATA, True)) and middle(sprite(DATA, True)) != PACKET
    assert BLUE_TEXT in colours(sprite(TOKEN)) and middle(sprite(TOKEN)) != BLUE_TEXT
    assert middle(sprite(PREDICATE)) == PURPLE and middle(sprite(PREDICATE, True)) != PURPLE
    four = sprite(DATA, False, 4)
    assert four.get_height() - four.get_width() == pytest.approx(3 * tile / 8, abs=2)
    assert middle(sprite(DATA, False, 1, 3)) in (LAUNCH_COLOURS[2], BOARD) or tile >= 48


def test_cells_of_masked_lanes_are_hollow() -> None:
    whole, half = (packet_sprite(look(DATA, words=4) + MASKED * cells, 11, 1.0, 8000, 64) for cells in (0, 0b0110))
    column = whole.get_width() // 2
    cells = [round(1 + 11 / 2 + k * 8) for k in range(4)]
    assert [tuple(whole.get_at((column, y)))[:3] for y in cells] == [PACKET] * 4
    assert [tuple(half.get_at((column, y)))[:3] == PACKET for y in cells] == [True, False, False, True]


def test_which_values_are_masked_follows_the_forms_of_the_words() -> None:
    """A linear word is one value of all lanes and never hollow; of a scalar nothing is."""
    roads = [SimpleNamespace(lanes=4, forms=(1, None)), SimpleNamespace(lanes=1, forms=())]
    netlist = cast(Netlist, SimpleNamespace(wires=roads))
    wire, live = np.array([0, 0, 1, 0], np.int32), np.array([0b0101, 0b1111, 255, 0], np.uint8)
    assert masked_cells(netlist, wire, live).tolist() == [0b10100, 0, 0, 0]


def test_packets_are_the_brightest_thing(roads: Board) -> None:
    assert brightness(PACKET) > brightness(WIRE_FAST)
    picture = surface()
    camera = roads.camera(32, (6, 4))
    scene = roads.scene()
    draw_board(picture, camera, scene)
    pixels = pygame.surfarray.array3d(picture).reshape(-1, 3)
    brightest = max({tuple(c) for c in pixels.tolist()}, key=brightness)
    assert brightest == PACKET


@pytest.mark.parametrize("tile", TILE_STEPS)
def test_packets_stand_where_the_engine_says(roads: Board, tile: int) -> None:
    picture, camera = surface(), roads.camera(tile, (6, 4))
    scene = roads.scene()
    layout = make_layout(scene.level, scene.design, scene.netlist)
    packets = scene.packets
    assert packets is not None
    draw_board(picture, camera, scene)
    x, y, _ = layout.ways.locate(packets.wire, packets.position)
    ox, oy = origin_of(camera)
    seen = 0
    for px, py in zip(np.rint(x * tile) + ox, np.rint(y * tile) + oy, strict=True):
        if 4 < px < SIZE[0] - 4 and 4 < py < SIZE[1] - 4:
            seen += 1
            assert tuple(picture.get_at((int(px), int(py))))[:3] == PACKET
    assert seen > 5


@pytest.mark.parametrize("tile", [12, 24, 64])
def test_what_is_out_of_sight_is_not_drawn(roads: Board, tile: int) -> None:
    scene = roads.scene()
    layout = make_layout(scene.level, scene.design, scene.netlist)
    camera = roads.camera(tile)
    picture = surface()
    picture.fill(BOARD)
    before = picture.copy()
    # The part of the board around its lower middle has no wire.
    camera.view = (40, 40, 2 * tile, 2 * tile)
    camera.x, camera.y = 12.0, 7.5
    picture.set_clip(pygame.Rect(camera.view))
    assert draw_packets(picture, origin_of(camera), Zoom.of(camera), layout, scene) == 0
    assert pygame.image.tobytes(picture, "RGB") == pygame.image.tobytes(before, "RGB")
    camera.y = 4.5
    drawn = draw_packets(picture, origin_of(camera), Zoom.of(camera), layout, scene)
    assert 1 <= drawn <= 4
    outside = pygame.surfarray.array3d(picture)
    outside[40 : 40 + 2 * tile, 40 : 40 + 2 * tile] = BOARD
    assert (outside == BOARD).all()


@pytest.mark.parametrize("tile", [96, 128])
def test_no_value_covers_another_or_a_core(roads: Board, tile: int) -> None:
    scene = roads.scene()
    layout = make_layout(scene.level, scene.design, scene.netlist)
    camera = roads.camera(tile, (3, 4))
    packets = scene.packets
    assert packets is not None
    x, y, level = layout.ways.locate(packets.wire, packets.position)
    ox, oy = origin_of(camera)
    px, py = np.rint(x * tile).astype(int) + ox, np.rint(y * tile).astype(int) + oy
    index = np.arange(len(px))
    rects = draw_badges(surface(), (ox, oy), Zoom.of(camera), layout, scene, index, packets.wire, level, px, py)
    bodies = [
        pygame.Rect(ox + b.at[0] * tile, oy + b.at[1] * tile, tile, tile).inflate(-tile // 4, -tile // 4)
        for b in layout.bodies.values()
    ]
    assert len(rects) >= 4
    assert all(rect.collidelist(rects[:i] + bodies) == -1 for i, rect in enumerate(rects))


def test_values_as_a_person_reads_them() -> None:
    assert value_text(-12, False) == "−12"
    assert value_text(255, False, "hex") == "0xff"
    assert value_text(-1, False, "hex") == "0xffffffff"
    assert value_text(5, False, "binary") == "101"
    assert value_text(0x3FC00000, True) == "1.5"


def test_packets_of_wires_that_are_gone_are_left_out(roads: Board) -> None:
    scene = roads.scene()
    stale = PacketArrays(
        np.array([0, 99], np.int32),
        np.zeros(2, np.float32),
        np.zeros(2, np.int32),
        np.zeros(2, np.int32),
        np.zeros(2, bool),
    )
    picture, camera = surface(), roads.camera(32, (6, 4))
    layout = make_layout(scene.level, scene.design)
    from dataclasses import replace

    assert draw_packets(picture, origin_of(camera), Zoom.of(camera), layout, replace(scene, packets=stale)) == 1


# --- what a frame costs: ratios within one run -------------------------------------------------------------------


def quickest(work: Callable[[], object], rounds: int = 5) -> float:
    best = float("inf")
    for _ in range(rounds):
        began = process_time()
        work()
        best = min(best, process_time() - began)
    return best


@pytest.fixture(scope="module")
def crowd() -> tuple[Scene, Camera, pygame.Surface]:
    level, design = large_level(), large_design()
    scene = Scene(level, design)
    lengths = BoardView().layout(level, design).ways.length
    scene = Scene(level, design, packets=packets_at(lengths, 0))
    camera = Camera(*level.board.size, (0, 0, 1920, 1080))
    camera.fit()
    return scene, camera, surface((1920, 1080))


@pytest.mark.parametrize("tile", [12, 16])
def test_a_crowd_is_drawn_faster_than_one_by_one(crowd: tuple[Scene, Camera, pygame.Surface], tile: int) -> None:
    scene, camera, picture = crowd
    camera.step = TILE_STEPS.index(tile)
    zoom, origin = Zoom.of(camera), origin_of(camera)
    layout = make_layout(scene.level, scene.design)
    packets = scene.packets
    assert packets is not None
    roads = layout.roads
    sprite = packet_sprite(look(DATA), zoom.packet, 1.0, 2000, tile)

    def naive() -> None:
        for w, position in zip(packets.wire.tolist(), packets.position.tolist(), strict=True):
            road = roads[w]
            assert road is not None
            left = (
                position
                / road.length
                * sum(abs(b[0] - a[0]) + abs(b[1] - a[1]) for a, b in zip(road.centre, road.centre[1:], strict=False))
            )
            for (ax, ay), (bx, by) in zip(road.centre, road.centre[1:], strict=False):
                run = abs(bx - ax) + abs(by - ay)
                if left <= run:
                    x, y = ax + (bx - ax) * left / run, ay + (by - ay) * left / run
                    picture.blit(sprite, (round(origin[0] + x * tile), round(origin[1] + y * tile)))
                    break
                left -= run

    assert draw_packets(picture, origin, zoom, layout, scene) > 4000
    many = quickest(lambda: draw_packets(picture, origin, zoom, layout, scene))
    assert many * 1.5 < quickest(naive)


def test_a_board_that_stands_still_costs_little(crowd: tuple[Scene, Camera, pygame.Surface]) -> None:
    scene, camera, picture = crowd
    camera.step = TILE_STEPS.index(16)
    bare = Scene(scene.level, scene.design)
    view = BoardView()
    fresh = quickest(lambda: BoardView().draw(picture, camera, bare), 2)
    view.draw(picture, camera, bare)
    assert quickest(lambda: view.draw(picture, camera, bare)) * 10 < fresh


def test_a_far_corner_of_the_crowd_costs_less_than_all_of_it(crowd: tuple[Scene, Camera, pygame.Surface]) -> None:
    scene, camera, picture = crowd
    camera.step = TILE_STEPS.index(16)
    layout = make_layout(scene.level, scene.design)
    zoom, origin = Zoom.of(camera), origin_of(camera)
    whole = quickest(lambda: draw_packets(picture, origin, zoom, layout, scene))
    picture.set_clip(pygame.Rect(0, 0, 200, 150))
    try:
        assert quickest(lambda: draw_packets(picture, origin, zoom, layout, scene)) * 3 < whole
    finally:
        picture.set_clip(None)
