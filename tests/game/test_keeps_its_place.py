"""What is clicked again and again stays under the mouse: sizes in the settings, rows of the inspector."""

from __future__ import annotations

from pathlib import Path

import pygame
import pytest

from engine.model import Design
from game.describe import describe
from game.editor import edits
from game.rows import Entry, Held
from game.screens.settings import Settings
from levels import load_level
from tests.game.player import Player


@pytest.mark.parametrize("key", ["ui_scale", "font_scale"])
def test_a_size_is_stepped_again_without_moving_the_mouse(tmp_path: Path, key: str) -> None:
    player = Player(tmp_path, (1920, 1080))
    player.app.show("settings")
    player.frames(2)
    page = player.app.screen
    assert isinstance(page, Settings)
    zone = page.zone(f"more {key}")
    assert zone is not None
    before, place = page.value(key), zone.rect.center
    for n in range(1, 4):
        player.click(place)
        player.frames(2)
        assert page.value(key) == before + 25 * n
    moved = page.zone(f"more {key}")
    assert moved is not None and moved.rect.center != place
    less = page.zone(f"less {key}")
    assert less is not None
    player.click(less.rect.center)  # the mouse has moved: it means what is under it
    assert page.value(key) == before + 50
    player.move((5, 500))
    player.click(place)
    assert page.value(key) == before + 50 or page.zone(f"more {key}").rect.collidepoint(place)  # type: ignore[union-attr]
    player.close()


def rows(design: Design, name: str) -> list[tuple[str, str]]:
    level = load_level("first-light-05-two-roads")
    found = describe(level, design, {name}, netlist=None, report=None)
    return [(type(row).__name__, row.label) for row in found.rows if isinstance(row, Entry | Held)]


def test_rows_of_inputs_keep_their_order_when_a_wire_comes() -> None:
    level = load_level("first-light-05-two-roads")
    design, name = edits.place(level, Design(perwatt=1, level=level.id), "mul", (5, 4))
    before = rows(design, name)
    assert [label for _, label in before] == ["name", "input a", "input b"]
    wired = edits.connect(level, design, "a.value", f"{name}.a", every_ticks=100)
    after = rows(wired, name)
    assert [label for _, label in after] == [label for _, label in before]
    assert after[1] == ("Held", "input a")


def test_rows_of_the_inspector_stay_where_they_are(tmp_path: Path) -> None:
    player = Player(tmp_path, (1280, 720))
    bench = player.open("first-light-05-two-roads")
    name = player.place("mul", (5, 4))
    bench.tools.selection = {name}
    player.frames(2)
    before = player.zone(f"port.{name}.b")
    player.drag(player.port("a", "value", output=True), player.port(name, "a"))
    bench.tools.selection = {name}
    player.frames(2)
    assert bench.session.design.wires and player.zone(f"port.{name}.b") == before
    assert pygame.display.get_init()
    player.close()
