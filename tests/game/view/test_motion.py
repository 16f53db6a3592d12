"""What moves beside the packets: at the right moment, in the right place, and not at all with reduced motion."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pygame
import pytest

from game.theme import VERMILLION_TEXT, Colour, Theme
from game.view import badges
from game.view import packets as packets_drawn
from game.view.badges import draw_badges
from game.view.board import origin_of
from game.view.camera import Camera
from game.view.layout import make_layout
from game.view.motion import BREATH_S, BREATH_STEPS, RING_S, breath, draw_arrivals, whole_breaths
from game.view.packets import packet_sprite
from game.view.scene import Figure, Figures, Scene
from game.view.sprites import text
from game.view.stages import lit
from game.view.still import draw_board
from game.view.zoom import Zoom
from tests.game.view.conftest import Board, load, surface

STILL = Theme(reduced_motion=True)


@pytest.fixture
def jam() -> Board:
    """One wire, an adder, one wire: words come faster than the sink takes them, and stand in two queues."""
    return load("02-in-step", "naive")


def picture(scene: Scene, camera: Camera) -> np.ndarray:
    drawn = surface()
    draw_board(drawn, camera, scene)
    return pygame.surfarray.array3d(drawn)


def ends(scene: Scene, camera: Camera) -> np.ndarray:
    """Where the wires end, in pixels."""
    layout = make_layout(scene.level, scene.design, scene.netlist)
    places = [road.centre[-1] for road in layout.roads if road is not None]
    return np.array(places) * camera.tile + origin_of(camera)


def part(pixels: np.ndarray, at: np.ndarray, reach: int) -> np.ndarray:
    x, y = np.rint(at).astype(int)
    return pixels[max(x - reach, 0) : x + reach, max(y - reach, 0) : y + reach].reshape(-1, 3)


def test_only_heads_of_queues_breathe(jam: Board) -> None:
    scene, camera = jam.scene(81.0), jam.camera(32, (7, 2))
    out, inhaled = picture(scene, camera), picture(replace(scene, clock=BREATH_S / 2), camera)
    changed = np.argwhere((out != inhaled).any(axis=2))
    assert len(changed)
    away = np.abs(changed[:, None, :] - ends(scene, camera)[None, :, :]).max(axis=2).min(axis=1)
    assert away.max() <= 6
    assert (out == picture(replace(scene, clock=BREATH_S), camera)).all()
    still = replace(scene, theme=STILL)
    assert (picture(still, camera) == picture(replace(still, clock=BREATH_S / 2), camera)).all()
    # Where nothing waits, nothing breathes.
    flowing = load("02-in-step", "best").scene(81.0)
    assert (picture(flowing, camera) == picture(replace(flowing, clock=BREATH_S / 2), camera)).all()


@pytest.mark.parametrize("look", [16, 4 + 16, 8 + 16, 9 + 16, 32])
def test_a_packet_breathes_about_its_middle(look: int) -> None:
    sizes = [packet_sprite(look, 11, 1.0, 8000, 64, grown) for grown in range(BREATH_STEPS + 1)]
    cover = [int(pygame.surfarray.array_alpha(sprite).astype(int).sum()) for sprite in sizes]
    assert cover == sorted(cover) and cover[-1] > cover[0]
    assert all((sprite.get_width() - sizes[0].get_width()) % 2 == 0 for sprite in sizes)


def test_a_loop_ends_with_the_breath_with_which_it_began(jam: Board) -> None:
    scene = jam.scene()
    for seconds in (0.1, 1.0, 5.3, 12.0):
        added = whole_breaths(seconds)
        assert breath(replace(scene, clock=added)) == breath(scene) == 0
        assert abs(added - seconds) <= max(BREATH_S / 2, BREATH_S - seconds) + 1e-9


def test_a_port_rings_after_it_has_taken_a_packet() -> None:
    board = load("02-in-step", "best")
    start = board.scene(80.0)
    assert start.state is not None
    taken = start.state.wires[1].last_exit / 100
    layout, camera = make_layout(board.level, board.design, start.netlist), board.camera(64, (11, 2))

    def rings(scene: Scene) -> int:
        return draw_arrivals(surface(), origin_of(camera), Zoom.of(camera), layout, scene)

    def at(seconds: float, pace: float) -> Scene:
        return replace(board.scene(taken + seconds * pace), pace=pace)

    assert rings(at(RING_S * 0.5, 10.0)) == 1
    assert rings(at(RING_S * 1.5, 10.0)) == 0
    assert rings(replace(at(RING_S * 0.5, 10.0), theme=STILL)) == 0
    # Where packets come closer together than a ring lasts, it would only be a bright spot.
    assert rings(at(RING_S * 0.5, 100.0)) == 0


def test_a_sign_lights_up_for_a_firing_or_steadily_where_they_are_many(jam: Board) -> None:
    scene = jam.scene(80.0)
    assert scene.netlist is not None and scene.state is not None
    add = next(i for i, node in enumerate(scene.netlist.nodes) if node.kind not in ("stream", "sink"))
    name, last = scene.netlist.nodes[add].id, scene.state.nodes[add].last_firing / 100
    figures = Figures({name: Figure(rate=0.2)}, [])
    fired = replace(scene, figures=figures, time_ns=last, pace=10.0)
    assert name in lit(fired, {name: [add]})
    assert name not in lit(replace(fired, time_ns=last + 1.0), {name: [add]})
    assert name in lit(replace(fired, time_ns=last + 1.0, pace=50.0), {name: [add]})


def test_the_wrong_packet_is_cracked_and_its_value_shown() -> None:
    board = load("02-in-step", "wrong-bypass")
    scene, camera = board.scene(65.0), board.camera(32, (8, 2))
    (end,) = ends(scene, camera)

    def orange(at: Scene) -> int:
        return int((part(picture(at, camera), end, 8) == VERMILLION_TEXT).all(axis=1).sum())

    faulty = replace(scene, fault="out", wrong=("out", "value"))
    assert orange(faulty) >= 8 > orange(scene) == orange(replace(faulty, wrong=("out", "other")))
    assert (picture(faulty, camera) != picture(replace(faulty, clock=0.1), camera)).any()
    still = replace(faulty, theme=STILL)
    assert (picture(still, camera) == picture(replace(still, clock=0.1), camera)).all()


@pytest.mark.parametrize("chosen", ["wrong", "followed"])
def test_what_matters_has_its_value_at_any_zoom(jam: Board, chosen: str) -> None:
    scene, camera = jam.scene(81.0), jam.camera(24, (7, 2))
    packets = scene.packets
    assert packets is not None
    layout, zoom = make_layout(scene.level, scene.design, scene.netlist), Zoom.of(camera)
    x, y, level = layout.ways.locate(packets.wire, packets.position)
    px, py = np.rint(x * 24).astype(int) + origin_of(camera)[0], np.rint(y * 24).astype(int) + origin_of(camera)[1]
    index = np.arange(len(px))
    wrong = 0 if chosen == "wrong" else None
    if chosen == "followed":
        scene = replace(scene, followed=(int(packets.wire[0]), float(packets.position[0]) + 0.1))
    drawn = draw_badges(surface(), origin_of(camera), zoom, layout, scene, index, packets.wire, level, px, py, wrong)
    assert len(drawn) == 1


def test_values_without_room_are_counted(jam: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    scene, camera = replace(jam.scene(81.0), hover=1), jam.camera(24, (7, 2))
    packets = scene.packets
    assert packets is not None
    written: list[str] = []
    drawn: list[pygame.Rect] = []

    def noted(theme: Theme, face: str, size: float, words: str, colour: Colour) -> pygame.Surface:
        written.append(words)
        return text(theme, face, size, words, colour)

    def kept(*args: Any) -> list[pygame.Rect]:
        drawn.extend(draw_badges(*args))
        return drawn

    monkeypatch.setattr(badges, "text", noted)
    monkeypatch.setattr(packets_drawn, "draw_badges", kept)
    picture(scene, camera)
    (more,) = (words for words in written if words.startswith("+"))
    assert len(drawn) + int(more) == int((packets.wire == 1).sum())


def test_a_buffer_shows_how_full_it_is() -> None:
    board = load("07-breathing", "best")
    (buffer,) = (core for core in board.design.cores if core.core == "buffer")
    camera = board.camera(32, (buffer.at[0], buffer.at[1]))
    middle = (np.array(buffer.at) + 0.5) * 32 + origin_of(camera)

    def light(ns: float) -> tuple[int, int]:
        scene = board.scene(ns)
        assert scene.netlist is not None and scene.state is not None
        node = next(i for i, n in enumerate(scene.netlist.nodes) if n.kind == "buffer")
        return len(scene.state.nodes[node].results), int(part(picture(scene, camera), middle, 10)[:, 2].sum())

    found = sorted({light(ns) for ns in (0.0, 168.0, 171.0, 180.0, 190.0)})
    assert len({held for held, _ in found}) >= 3
    assert [blue for _, blue in found] == sorted(blue for _, blue in found)
