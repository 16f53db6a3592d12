"""What moments add to the board: where it is drawn, and that nothing else changes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pygame
import pytest

from game.theme import GREEN_TEXT, ORANGE, TEXT, YELLOW
from game.view.board import OUTSIDE, origin_of
from game.view.camera import Camera
from game.view.differences import Differences
from game.view.moments import COUNT_S, FADE_S, blinks, first_part
from game.view.scene import Moment, Scene
from game.view.still import draw_board
from tests.game.view.conftest import Board, load, surface


@pytest.fixture
def board() -> Board:
    return load("02-in-step", "best")


def picture(scene: Scene, camera: Camera) -> np.ndarray:
    drawn = surface()
    draw_board(drawn, camera, scene)
    return pygame.surfarray.array3d(drawn)


def count(pixels: np.ndarray, colour: tuple[int, int, int]) -> int:
    return int((pixels == colour).all(axis=2).sum())


def test_a_moment_without_anything_changes_nothing(board: Board) -> None:
    scene, camera = board.scene(81.0), board.camera(32, (7, 2))
    assert (picture(replace(scene, moment=Moment()), camera) == picture(scene, camera)).all()


def test_the_board_appears_from_the_left(board: Board) -> None:
    scene, camera = board.scene(0.0), board.camera(32, (7, 2))
    whole = picture(scene, camera)
    before = 0
    for share in (0.3, 0.6, 0.9):
        part = picture(replace(scene, moment=Moment(opened=share)), camera)
        hidden = (part[-200:] == OUTSIDE).all(axis=(1, 2)) if share < 0.5 else np.ones(1)
        assert hidden.all()
        same = int((part == whole).all(axis=2).sum())
        assert same > before
        before = same


def test_the_way_of_a_result_lights_up_from_its_source(board: Board) -> None:
    scene, camera = replace(board.scene(81.0), packets=None), board.camera(32, (7, 2))
    seen = []
    for share in (0.0, 0.3, 1.0):
        pixels = picture(replace(scene, moment=Moment(lit=(0, 1), lit_share=share, dim=0.4)), camera)
        lit = np.argwhere((pixels == YELLOW).all(axis=2))
        seen.append((len(lit), int(lit[:, 0].max()) if len(lit) else 0))
    assert seen == sorted(seen) and seen[0][0] == 0 < seen[1][0] < seen[2][0]
    plain = picture(scene, camera)
    dark = picture(replace(scene, moment=Moment(dim=0.4)), camera)
    bright = plain.max(axis=2) > 90
    assert dark[bright].astype(int).sum() < 0.75 * plain[bright].astype(int).sum()


def test_the_ring_of_a_sink_closes_and_fades(board: Board) -> None:
    scene, camera = replace(board.scene(81.0), packets=None), board.camera(32, (7, 2))
    sink = next(pad for pad in board.level.pads if pad.core == "sink")
    x, y = (round(v + w * 32) for v, w in zip(origin_of(camera), sink.at, strict=True))

    def yellow(since: float | None) -> int:
        pixels = picture(replace(scene, moment=Moment(launches=3, since_s=since)), camera)
        around = pixels[x - 6 : x + 38, y - 6 : y + 38].astype(int)
        plain = picture(scene, camera)[x - 6 : x + 38, y - 6 : y + 38].astype(int)
        return int(np.abs(around - plain).sum())

    assert yellow(None) == 0
    assert 0 < yellow(0.05) < yellow(0.15) < yellow(0.25)
    assert yellow(0.25) > yellow(0.5)
    counted = picture(replace(scene, moment=Moment(launches=3, since_s=FADE_S)), camera)
    assert count(counted, GREEN_TEXT) > count(picture(scene, camera), GREEN_TEXT)
    gone = picture(replace(scene, moment=Moment(launches=3, since_s=COUNT_S)), camera)
    assert (gone == picture(scene, camera)).all()


def test_words_flashes_and_the_key_stand_where_they_belong(board: Board) -> None:
    scene, camera = replace(board.scene(0.0), packets=None), board.camera(32, (7, 2))
    plain = picture(scene, camera)

    def where(moment: Moment) -> np.ndarray:
        changed = np.argwhere((picture(replace(scene, moment=moment), camera) != plain).any(axis=2))
        assert len(changed)
        return (changed - origin_of(camera)) / 32

    source = next(pad for pad in board.level.pads if pad.core == "stream")
    words = where(Moment(words={source.id: "48"}))
    assert np.abs(words - (source.at[0] + 1, source.at[1] + 0.5)).max() < 2
    assert words[:, 0].min() > source.at[0] + 0.75  # above the pad stand its name and its rate
    core = board.design.cores[0]
    flash = where(Moment(flash=Differences(only=frozenset({core.id}))))
    assert np.abs(flash - (core.at[0] + 0.5, core.at[1] + 0.5)).max() < 0.8
    ghost = core.model_copy(update={"at": (core.at[0], core.at[1] - 2)})
    gone = where(Moment(flash=Differences(cores=(ghost,))))
    assert np.abs(gone - (core.at[0] + 0.5, core.at[1] - 1.5)).max() < 0.8
    asked = where(Moment(ask=0))
    assert np.abs(asked - (core.at[0] - 1, core.at[1])).max() < 2
    assert asked[:, 0].max() < core.at[0]  # clear of the body where the head waits
    assert count(picture(replace(scene, moment=Moment(ask=0)), camera), ORANGE) > 10
    assert count(picture(replace(scene, moment=Moment(flash=Differences(only=frozenset({0})))), camera), TEXT) > 20


def test_what_is_not_there_is_no_error(board: Board) -> None:
    scene, camera = board.scene(0.0), board.camera(32, (7, 2))
    odd = Moment(
        words={"nobody": "1"}, flash=Differences(only=frozenset({"nobody", 99})), lit=(99,), lit_share=1, ask=99
    )
    picture(replace(scene, moment=odd), camera)


def test_parts_of_a_line() -> None:
    line = ((0.0, 0.0), (4.0, 0.0), (4.0, 4.0))
    assert first_part(line, 0.25) == ((0.0, 0.0), (2.0, 0.0))
    assert first_part(line, 0.75) == ((0.0, 0.0), (4.0, 0.0), (4.0, 2.0))
    assert first_part(line, 1.0) == line


def test_nothing_blinks_for_longer_than_two_seconds() -> None:
    seen = [blinks(n / 60) for n in range(600)]
    changes = [n for n in range(1, 600) if seen[n] != seen[n - 1]]
    assert len(changes) >= 3 and changes[-1] <= 120 and seen[-1]
    assert not blinks(-0.1)
