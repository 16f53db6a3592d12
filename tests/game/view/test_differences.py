"""Two designs against each other on one board: what is found, and that every kind is drawn where it is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pygame

from engine.model import Design
from game.theme import GREEN_TEXT, ORANGE, VERMILLION_TEXT
from game.view.board import origin_of
from game.view.camera import Camera
from game.view.differences import Differences, differences_of
from game.view.scene import Scene
from game.view.still import draw_board
from tests.game.view.conftest import load, surface

LEVEL = load("05-two-roads", "best").level


def design(**others: object) -> Design:
    base: dict[str, object] = {
        "perwatt": 1,
        "level": LEVEL.id,
        "cores": [{"id": "ten", "core": "add", "at": (4, 4), "set": {"b": 10}}],
        "wires": [{"from": "ten.out", "to": "out.value", "path": [(4, 4), (23, 4)], "speed": 1}],
    }
    return Design.model_validate({**base, **others})


def picture(shown: Design, found: Differences | None) -> tuple[np.ndarray, Camera]:
    camera = Camera(*LEVEL.board.size, (0, 0, 640, 400))
    camera.x, camera.y = 8.0, 5.0
    drawn = surface()
    draw_board(drawn, camera, replace(Scene(LEVEL, shown), differences=found))
    return pygame.surfarray.array3d(drawn), camera


def count(pixels: np.ndarray, colour: tuple[int, int, int]) -> int:
    return int((pixels == colour).all(axis=2).sum())


def test_nothing_differs_from_itself() -> None:
    assert len(differences_of(design(), design())) == 0
    plain, _ = picture(design(), None)
    assert (picture(design(), differences_of(design(), design()))[0] == plain).all()


def test_a_speed_and_a_setting_are_told_from_the_older_to_the_newer() -> None:
    wires = [{"from": "ten.out", "to": "out.value", "path": [(4, 4), (23, 4)], "speed": 0.25}]
    cores = [{"id": "ten", "core": "add", "at": (4, 4), "set": {"b": 12}}]
    other = design(wires=wires, cores=cores)
    assert differences_of(design(), other).otherwise == {"ten": "10 → 12", 0: "1.00 → 0.25"}
    assert differences_of(other, design(), new=True).otherwise == {"ten": "10 → 12", 0: "1.00 → 0.25"}
    assert count(picture(design(), differences_of(design(), other))[0], ORANGE) > 20


def test_what_is_gone_and_what_has_come_are_marked_where_they_are() -> None:
    cores = [{"id": "ten", "core": "add", "at": (9, 7), "set": {"b": 10}}]
    wires = [{"from": "ten.out", "to": "out.value", "path": [(9, 7), (23, 7), (23, 4)], "speed": 1}]
    other = design(cores=cores, wires=wires)
    found = differences_of(design(), other)
    assert found.only == {"ten", 0} and [core.at for core in found.cores] == [(9, 7)] and len(found.wires) == 1
    pixels, camera = picture(design(), found)
    ox, oy = origin_of(camera)

    def at(x: int, y: int) -> np.ndarray:
        return pixels[ox + x * 32 - 6 : ox + x * 32 + 38, oy + y * 32 - 6 : oy + y * 32 + 38]

    assert count(at(4, 4), VERMILLION_TEXT) > 20 and count(at(4, 4), GREEN_TEXT) == 0
    assert count(at(9, 7), GREEN_TEXT) > 20 and count(at(9, 7), VERMILLION_TEXT) == 0
    # On the newer one's own board only what was added is marked.
    newer, _ = picture(other, differences_of(other, design(), new=True))
    assert count(newer, GREEN_TEXT) > 20 and count(newer, VERMILLION_TEXT) == 0


def test_several_wires_between_the_same_ends_are_told_apart_by_order() -> None:
    wire = {"from": "ten.out", "to": "out.value", "path": [(4, 4), (23, 4)], "speed": 1}
    found = differences_of(design(wires=[wire, wire]), design())
    assert found.only == {1} and not found.otherwise
