"""The whole picture: a pure function of scene and camera, whatever was drawn before."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pygame
import pytest

from engine.model import Design, Level
from game.theme import GREEN_TEXT, POWER_RAMP, TEXT_3, TILE_STEPS, WIRE_STOPPED, Theme
from game.view.board import BoardCache, origin_of
from game.view.camera import Camera
from game.view.layout import make_layout
from game.view.legend import legend
from game.view.overlays import power_share
from game.view.scene import OVERLAYS, Bottleneck, Chain, Ghost, GhostWire, Scene
from game.view.still import BoardView, draw_board
from game.view.wires import wire_colour
from tests.game.view.conftest import SIZE, Board, brightness, load, surface

ROOT = Path(__file__).parents[3]


def digest(picture: pygame.Surface) -> str:
    return hashlib.sha256(pygame.image.tobytes(picture, "RGB")).hexdigest()


def drawn(board: Board, tile: int, scene: Scene, at: tuple[float, float] = (6, 4)) -> str:
    picture = surface()
    draw_board(picture, board.camera(tile, at), scene)
    return digest(picture)


PROGRAM = """
from tests.game.view.conftest import load
from tests.game.view.test_still import drawn
board = load("05-two-roads", "naive")
import pygame
pygame.font.init()
for overlay in (None, "stalls", "power", "launches"):
    for tile in (12, 32, 96):
        print(drawn(board, tile, board.scene(73.25, overlay=overlay)))
"""


def test_two_runs_draw_the_same_picture_to_the_last_bit() -> None:
    answers = []
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=100
        )
        assert done.returncode == 0, done.stderr
        answers.append(done.stdout.split()[-12:])
    assert answers[0] == answers[1]
    assert len(set(answers[0])) == 12


@pytest.mark.parametrize("tile", TILE_STEPS)
def test_the_picture_does_not_depend_on_what_was_drawn_before(roads: Board, tile: int) -> None:
    view, picture = BoardView(), surface()
    scene = roads.scene()
    faster = roads.design.model_copy(update={"wires": [w.model_copy() for w in roads.design.wires]})
    faster.wires[4].every_ticks = 25
    moved = roads.design.model_copy(update={"cores": [*roads.design.cores[:-1]]})
    for camera in (roads.camera(64, (3, 4)), roads.camera(tile, (6, 4)), roads.camera(tile, (6.3, 4.2))):
        for now in (
            scene,
            replace(scene, overlay="stalls"),
            replace(scene, design=faster),
            replace(scene, overlay="utilisation", design=faster),
            replace(scene, design=moved, netlist=None, packets=None, state=None),
            scene,
        ):
            view.draw(picture, camera, now)
            fresh = surface()
            draw_board(fresh, camera, now)
            assert digest(picture) == digest(fresh)


def test_an_edit_draws_only_the_chunks_that_it_touches(roads: Board) -> None:
    cache, picture, camera = BoardCache(), surface((1900, 700)), roads.camera(64)
    camera.view = (0, 0, 1900, 700)
    camera.fit()
    layout = make_layout(roads.level, roads.design)
    cache.draw(picture, camera, layout, Theme())
    before = cache.built
    cache.draw(picture, camera, layout, Theme())
    assert cache.built == before
    design = roads.design.model_copy(deep=True)
    design.cores[0].set = {"b": 16}
    cache.draw(picture, camera, make_layout(roads.level, design), Theme())
    assert 1 <= cache.built - before <= 4 < before


def test_within_a_budget_the_picture_is_completed_frame_by_frame(roads: Board) -> None:
    view, picture, camera = BoardView(), surface(), roads.camera(48, (6, 4))
    scene = roads.scene()
    view.draw(picture, camera, scene)
    camera.zoom(1, 300, 200)
    frames = 1
    while not view.draw(picture, camera, scene, budget_ms=0.0):
        frames += 1
        assert frames < 50
    assert frames > 3
    fresh = surface()
    draw_board(fresh, camera, scene)
    assert digest(picture) == digest(fresh)


def test_only_the_camera_s_view_is_touched(roads: Board) -> None:
    picture = surface()
    picture.fill("magenta")
    camera = roads.camera(32, (6, 4))
    camera.view = (100, 80, 300, 200)
    draw_board(picture, camera, roads.scene(overlay="power", selection=frozenset({"fifteen"})))
    pixels = pygame.surfarray.array3d(picture)
    pixels[100:400, 80:280] = (255, 0, 255)
    assert (pixels == (255, 0, 255)).all()
    assert picture.get_clip().size == SIZE


# --- meanings ------------------------------------------------------------------------------------------------------


def test_faster_wires_are_brighter_and_stopped_ones_grey() -> None:
    speeds = [1600, 400, 200, 100, 50, 25, 12]
    shades = [brightness(wire_colour(every)) for every in speeds]
    assert shades == sorted(shades) and len(set(shades)) == len(shades)
    assert wire_colour(None) == WIRE_STOPPED
    assert brightness(WIRE_STOPPED) < shades[0]


def test_a_stopped_wire_is_dashed(board: Callable[[str, str], Board]) -> None:
    asleep = board("01-ignition", "wrong-stopped")
    wire = next(w for w in asleep.design.wires if w.every_ticks is None)
    camera = asleep.camera(32)
    picture = surface()
    draw_board(picture, camera, Scene(asleep.level, asleep.design))
    (ax, ay), (bx, _) = wire.path[0], wire.path[1]
    ox, oy = origin_of(camera)
    row = [
        tuple(picture.get_at((x, round(oy + (ay + 0.5) * 32))))[:3]
        for x in range(ox + (ax + 2) * 32, ox + (bx - 2) * 32)
    ]
    share = sum(colour == WIRE_STOPPED for colour in row) / len(row)
    assert 0.4 < share < 0.6


def test_power_grows_brighter_on_one_scale() -> None:
    assert [brightness(c) for c in POWER_RAMP] == sorted(brightness(c) for c in POWER_RAMP)
    assert 0 == power_share(0) < power_share(10) < power_share(1000) < power_share(1e9) == 1


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_overlays_dim_the_rest_and_say_how_to_read_them(roads: Board, overlay: str) -> None:
    scene = roads.scene(bottleneck=Bottleneck(("times",), (4,), "1 word per ns", {0: 2.0}))
    plain, over = surface(), surface()
    camera = roads.camera(48, (6, 4))
    draw_board(plain, camera, scene)
    draw_board(over, camera, replace(scene, overlay=overlay))
    found = legend(replace(scene, overlay=overlay))
    assert found is not None and found[0][0] == overlay
    assert digest(plain) != digest(over)
    # The label of a core, on which no overlay draws.
    ox, oy = origin_of(camera)
    label = pygame.Rect(ox + 48, oy + 4 * 48 - 12, 48, 12)
    places = [(x, y) for x in range(label.left, label.right) for y in range(label.top, label.bottom)]
    before, after = (max(brightness(picture.get_at(at)) for at in places) for picture in (plain, over))
    if overlay == "launches":
        assert after == before
    else:
        assert after < before * 0.5


@pytest.mark.parametrize("overlay", [None, *OVERLAYS])
@pytest.mark.parametrize("tile", [8, 32, 128])
def test_anything_that_can_be_shown_is_drawn(roads: Board, overlay: str | None, tile: int) -> None:
    scene = roads.scene(
        overlay=overlay,
        selection=frozenset({0, "less", 99, "nobody"}),
        port=next(n for n in make_layout(roads.level, roads.design).notches if (n.element, n.port) == ("times", "b")),
        ghosts=(Ghost("add", (8, 2)), Ghost("no-such-core", (9, 2), "there is no such core")),
        ghost_wires=(GhostWire(((8.9, 2.5), (12.5, 2.5)), "4 tiles"), GhostWire((), "")),
        marks={0: "⟳", 4: "⇄ 6 short", 1: "≋", 77: "■"},
        chain=Chain((4, "times", "nobody", "out")),
        bottleneck=Bottleneck(("times", "nobody"), (4, 99), "1 word per ns", {0: 2.0, 99: 3.0}),
        fault="out",
        placing=True,
    )
    assert drawn(roads, tile, scene) != drawn(roads, tile, roads.scene(overlay=overlay))


def test_at_a_fast_pace_wires_are_shaded_by_their_rate(roads: Board) -> None:
    scene = roads.scene()
    slow, fast, other = surface(), surface(), surface()
    camera = roads.camera(32, (6, 4))
    draw_board(slow, camera, replace(scene, pace=400.0))
    draw_board(fast, camera, replace(scene, pace=4000.0))
    draw_board(other, camera, replace(scene, pace=4000.0, packets=None))
    assert digest(slow) != digest(fast) == digest(other)
    ox, oy = origin_of(camera)
    at = (ox + round(8.27 * 32), oy + round(4.5 * 32))
    assert brightness(fast.get_at(at)) > brightness(wire_colour(100)) * 1.2


def test_ports_that_fit_have_a_wide_green_ring_and_others_a_small_grey_one(roads: Board) -> None:
    camera = roads.camera(64, (3, 4))
    scene = Scene(roads.level, roads.design, ports={("times", "b"): True, ("floor", "a"): False})
    picture = surface()
    draw_board(picture, camera, scene)
    ox, oy = origin_of(camera)
    layout = make_layout(roads.level, roads.design)
    for (element, port), radius, colour in ((("times", "b"), 6, GREEN_TEXT), (("floor", "a"), 4, TEXT_3)):
        notch = next(n for n in layout.notches if (n.element, n.port) == (element, port))
        x, y = round(ox + notch.x * 64), round(oy + notch.y * 64)
        around = [picture.get_at((x + dx, y + dy))[:3] for dx in range(-9, 10) for dy in range(-9, 10)]
        assert colour in around
        assert colour not in [picture.get_at((x + d, y))[:3] for d in range(-radius + 3, radius - 2)]


def test_a_selection_box_may_be_drawn_in_any_direction(roads: Board) -> None:
    one, other = surface(), surface()
    camera = roads.camera(32, (6, 4))
    draw_board(one, camera, Scene(roads.level, roads.design, box=(2.0, 1.0, 5.5, 6.0)))
    draw_board(other, camera, Scene(roads.level, roads.design, box=(5.5, 6.0, 2.0, 1.0)))
    assert digest(one) == digest(other) != drawn(roads, 32, Scene(roads.level, roads.design))


def test_a_design_that_cannot_be_built_is_drawn_all_the_same(roads: Board) -> None:
    design = roads.design.model_copy(deep=True)
    design.cores[0].core = "frobnicate"
    design.cores[1].at = (300 % 256, 200)
    design.wires[0].path = [(0, 4), (3, 7)]
    design.wires[1].source = "nobody.out"
    design.wires[2].to = ["nobody.a"]
    for tile in (12, 64, 128):
        broken, sound = (drawn(roads, tile, Scene(roads.level, d), (3, 4)) for d in (design, roads.design))
        assert broken != sound


def test_every_core_can_be_drawn_on_its_own(roads: Board) -> None:
    from engine.catalog import CORES, PAD_TYPES

    names = [name for name in CORES if name not in PAD_TYPES]
    cores = [{"id": f"c{i}", "core": name, "at": [i % 24, i // 24 * 2]} for i, name in enumerate(names)]
    design = Design.model_validate({"perwatt": 1, "level": roads.level.id, "cores": cores})
    level: Level = roads.level.model_copy(update={"pads": []})
    layout = make_layout(level, design)
    named = {(n.element, n.port) for n in layout.notches}
    for i, name in enumerate(names):
        assert {("c" + str(i), port.name) for port in (*CORES[name].inputs, *CORES[name].outputs)} <= named
    pictures = set()
    for i in range(len(names)):
        picture = surface((64, 64))
        camera = Camera(24, 9, (0, 0, 64, 64), x=i % 24 + 0.5, y=i // 24 * 2 + 0.5, step=TILE_STEPS.index(64))
        draw_board(picture, camera, Scene(level, design))
        pictures.add(digest(picture))
    assert len(pictures) == len(names)


@pytest.mark.parametrize("scale", [0.75, 1.0, 1.5, 2.0, 3.0])
def test_at_any_ui_scale_the_same_things_are_shown(scale: float) -> None:
    board = load("05-two-roads", "best")
    picture = surface()
    scene = board.scene(theme=Theme(scale), overlay="stalls")
    for tile in TILE_STEPS:
        draw_board(picture, board.camera(tile, (3, 4), scale), scene)
