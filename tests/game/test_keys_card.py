"""The card of keys behind ?, and the menu of overlays: all of it in sight, nothing over anything."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pygame
import pytest

from game.keys import CONTEXT, DEFAULTS
from game.shell.keys_said import GROUPS, key_name
from game.text import ELLIPSIS
from game.view.scene import OVERLAYS
from tests.game.player import Player

SIZES = [((1280, 720), 100), ((1280, 720), 150), ((1920, 1080), 100), ((1920, 1080), 200), ((900, 600), 100)]


def test_every_key_has_a_place_on_the_card() -> None:
    told = {meaning for _, rows in GROUPS for meanings, _ in rows for meaning in meanings}
    parts = {f"slot-{n}" for n in range(2, 9)} | {f"overlay-{n}" for n in range(2, 8)}
    assert told | parts == set(DEFAULTS) | CONTEXT


def test_keys_are_named_as_they_are_printed() -> None:
    assert [key_name(key) for key in ("ctrl+shift+z", "escape", "shift+.", "f12", "=", "`")] == [
        *("Ctrl+Shift+Z", "Esc", "Shift+.", "F12", "=", "`")
    ]


@pytest.mark.parametrize(("size", "scale"), SIZES)
def test_the_card_fits_and_is_reached_from_the_brief(tmp_path: Path, size: tuple[int, int], scale: int) -> None:
    player = Player(tmp_path, size, {"ui_scale": scale, "keys": {"match": ["u"]}})
    bench = player.open("first-light-05-two-roads")
    player.frames(2)
    if not bench.brief_card.rect.width:
        player.key("?")
    player.click(player.zone("brief.keys"))
    player.frames(1)
    card = bench.keys_card
    assert bench.keys_open and player.surface.get_rect().contains(card.rect)
    words = " ".join(written.words for written in card.written)
    assert "why is this waiting?" in words and "while drawing: next port" in words
    assert "U Ctrl+M" in words  # as the player has set them
    for written in card.written:
        assert card.rect.contains(written.rect.inflate(0, -2)), written
        assert not written.words.endswith(ELLIPSIS) or written.words == "overlays: stalls, use, power …", written
    for one, other in combinations(card.written, 2):
        assert one.rect.clip(other.rect).height <= one.rect.height // 3 or one.rect.clip(other.rect).width <= 1
    player.key("escape")
    assert not bench.keys_open and player.bench is bench
    player.close()


@pytest.mark.parametrize(("size", "scale"), SIZES)
def test_the_menu_of_overlays_lies_over_nothing(tmp_path: Path, size: tuple[int, int], scale: int) -> None:
    player = Player(tmp_path, size, {"ui_scale": scale})
    bench = player.open("first-light-05-two-roads")
    player.click(player.zone("overlays"))
    player.frames(1)
    rects = {zone.name: zone.rect for zone in bench.chips.zones}
    assert {f"overlay.{name}" for name in OVERLAYS} | {"overlays", "brief"} <= set(rects)
    for (_, one), (_, other) in combinations(rects.items(), 2):
        assert not one.colliderect(other)
    assert bench.regions.board.contains(bench.chips.rect)
    last = OVERLAYS[-1]
    player.click(rects[f"overlay.{last}"].center)
    assert bench.overlay == last
    assert pygame.display.get_init()
    player.close()
