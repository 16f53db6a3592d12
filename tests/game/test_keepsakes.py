"""F12 and Shift F12: pictures and loops, by key, never over another file."""

from __future__ import annotations

import numpy as np
from PIL import Image

from game.pictures import house
from game.screens.keepsakes import LOOP_SIZE
from game.theme import YELLOW
from tests.game.player import Player

LEVEL = "first-light-02-in-step"


def files(player: Player) -> list[str]:
    return sorted(path.name for path in player.bench.deeds.keepsakes.folder.glob("*"))


def test_a_picture_is_the_screen_and_never_replaces_another(player: Player) -> None:
    player.open(LEVEL)
    player.key("f12")
    player.key("f12")
    assert files(player) == [f"{LEVEL}-001.png", f"{LEVEL}-002.png"]
    folder = player.bench.deeds.keepsakes.folder
    with Image.open(folder / f"{LEVEL}-001.png") as picture:
        assert picture.size == (1280, 720)
    assert player.bench.toast is not None and f"{LEVEL}-002.png" in player.bench.toast[0].text
    # A gap is filled; what was there stays as it was.
    kept = (folder / f"{LEVEL}-002.png").read_bytes()
    (folder / f"{LEVEL}-001.png").unlink()
    player.key("f12")
    player.key("f12")
    assert files(player) == [f"{LEVEL}-00{n}.png" for n in (1, 2, 3)]
    assert (folder / f"{LEVEL}-002.png").read_bytes() == kept


def test_the_loop_is_saved_by_key_with_its_score(player: Player) -> None:
    bench = player.open(LEVEL)
    bench.session.new_tab(house(LEVEL, "best")[1], "lean")
    player.settle()
    player.key("f12", shift=True)
    assert bench.deeds.keepsakes.making
    player.key("f12", shift=True)
    assert bench.toast is not None and "already" in bench.toast[0].text
    assert bench.deeds.keepsakes.wait(120)
    player.frames(2)
    assert files(player) == [f"{LEVEL}-001.gif"]
    assert bench.toast is not None and bench.toast[0].text.endswith(f"{LEVEL}-001.gif")
    assert not bench.deeds.keepsakes.making
    with Image.open(bench.deeds.keepsakes.folder / f"{LEVEL}-001.gif") as film:
        assert film.size == LOOP_SIZE and film.n_frames >= 8 and film.info["loop"] == 0
        corner = np.asarray(film.convert("RGB"))[-120:, -300:]
    # Three medals are lit on the plate.
    assert (np.abs(corner.astype(int) - YELLOW).max(axis=2) < 24).sum() > 3 * 50


def test_without_a_machine_there_is_no_loop(player: Player) -> None:
    bench = player.open(LEVEL)
    player.key("f12", shift=True)
    assert bench.toast is not None and bench.toast[0].tone == "bad"
    assert files(player) == []


def test_a_folder_that_cannot_be_written_is_said(player: Player) -> None:
    bench = player.open(LEVEL)
    bench.deeds.keepsakes.folder.parent.mkdir(parents=True, exist_ok=True)
    bench.deeds.keepsakes.folder.write_text("a file in the way")
    player.key("f12")
    assert bench.toast is not None and bench.toast[0].tone == "bad"
