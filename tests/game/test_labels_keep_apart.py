"""No label covers another: in the sky, on overlays, between neighbours on the board; and a tip stands off its wire."""

from __future__ import annotations

from itertools import combinations, product
from pathlib import Path

import pygame
import pytest

from engine.model import MedalSpec
from game.panels.charts import Diagonal, Point, draw_plot
from game.panels.sheet import Sheet
from game.panels.sky import NAMES, Rocket, Sky, SkyModel, altitude
from game.pictures import house
from game.theme import TILE_STEPS, Theme
from game.view.cores import TIGHT, core_pieces, draw_core
from game.view.layout import make_layout
from game.view.overlay_marks import Note, spaced
from game.view.zoom import Zoom
from tests.game.player import Player

pygame.font.init()

SCORES = (0.0, 3.9, 4.45, 4.9, 4.97, 5.02, 5.17, 6.0)


@pytest.mark.parametrize(("width", "scale"), [(80, 1.0), (120, 1.0), (160, 2.0), (120, 1.5)])
def test_no_word_of_the_sky_covers_another(width: int, scale: float) -> None:
    theme, sky = Theme(scale), Sky()
    surface = pygame.Surface((width, 520))
    for score, best, limit in product(SCORES, SCORES, (None, 5.2, 23.8)):
        rockets = (Rocket(0.86, 0.5, 0.2),)
        model = SkyModel((4.01, 4.48, 4.95), score, False, best, rockets, 5.02, False, limit)
        sky.draw(surface, surface.get_rect(), theme, model, (-1, -1))
        words = {written.words.split()[0] for written in sky.written}
        assert {name for name, _ in NAMES} <= words, (score, best)
        for one, other in combinations(sky.written, 2):
            shared = one.rect.clip(other.rect)
            assert shared.width <= 1 or shared.height <= one.rect.height // 3, (score, best, one, other)


@pytest.mark.parametrize(("width", "scale"), [(80, 1.0), (220, 2.0)])
def test_no_line_strikes_a_name_through(width: int, scale: float) -> None:
    theme, sky, medals = Theme(scale), Sky(), (4.01, 4.48, 4.95)
    surface = pygame.Surface((width, 720))
    ground = surface.get_height() - theme.px(30)
    for score, best in product((0.0, 5.02), (4.3, 4.45, 4.58, 4.6, 4.7)):
        sky.draw(surface, surface.get_rect(), theme, SkyModel(medals, score, False, best, (), None), (-1, -1))
        spec = MedalSpec(bronze=4.01, silver=4.48, gold=4.95)
        y = round(ground - altitude(best, spec) * (ground - theme.px(16)))
        assert {name for name, _ in NAMES} <= {written.words.split()[0] for written in sky.written}
        for written in sky.written:
            body = written.rect.inflate(0, -written.rect.height // 2)
            if written.words != "best" and body.top <= y < body.bottom:
                for x in (written.rect.left - 1, written.rect.right):
                    assert surface.get_at((x, y))[:3] == Sky.ground, (score, best, written)


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_every_line_of_the_plot_has_its_name(scale: float) -> None:
    theme = Theme(scale)
    surface = pygame.Surface((round(420 * scale), round(250 * scale)))
    medals = [Diagonal("Orbit", 4.01), Diagonal("Moon", 4.48), Diagonal("Stars", 4.95)]
    lines = [*medals, Diagonal("proven limit", 23.8, proven=True)]
    for crowd in ([], [Point(20.0 + n, 125.0 - n) for n in range(20)]):
        sheet = Sheet(surface, theme, None)
        draw_plot(sheet, surface.get_rect(), Point(24.9, 125.0), [Point(33.0, 125.0)], crowd, lines)
        assert {line.name for line in lines} <= {written.words for written in sheet.written}
        names = [w.rect for w in sheet.written if w.words in {line.name for line in lines}]
        assert all(one.clip(other).height <= one.height // 3 for one, other in combinations(names, 2))


def test_rockets_fly_beside_the_names_of_the_medals() -> None:
    theme, sky = Theme(), Sky()
    with_rocket, without = pygame.Surface((80, 520)), pygame.Surface((80, 520))
    for surface, rockets in ((without, ()), (with_rocket, (Rocket(0.9, 0.9, 0.0),))):
        sky.draw(surface, surface.get_rect(), theme, SkyModel((4.01, 4.48, 4.95), 0.0, False, 0.0, rockets), (-1, -1))
    for written in sky.written:
        here = [pygame.image.tobytes(s.subsurface(written.rect), "RGB") for s in (with_rocket, without)]
        assert here[0] == here[1], written


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_notes_of_overlays_never_touch_at_any_zoom(scale: float) -> None:
    theme = Theme(scale)
    notes = [
        Note(3 + n * 0.7, 4 + n % 2 * 0.3, f"{4.45 + n:.2f} mW", (255, 255, 255), 24, (n % 3) / 4) for n in range(8)
    ]
    found = spaced(notes, theme)
    assert found[0] == notes[0] and {note.words for note in found} <= {note.words for note in notes}
    for step in TILE_STEPS:
        zoom = Zoom(step, round(step * scale), scale)
        rects = []
        for note in found:
            if step >= note.least:
                rect = pygame.Rect((0, 0), theme.font("mono", 11).size(note.words))
                rect.center = note.middle(zoom)
                rects.append(rect)
        assert not any(a.colliderect(b) for a, b in combinations(rects, 2)), step
    apart = [Note(2.0, 2.0, "1 mW", (255, 255, 255), 24), Note(20.0, 2.0, "2 mW", (255, 255, 255), 24)]
    assert spaced(apart, theme) == apart


def test_labels_of_neighbours_keep_a_gap() -> None:
    level, design = house("first-light-04-three-inside", "best")
    core = design.cores[0]
    out = next(pad for pad in level.pads if pad.id == "out")
    moved = design.model_copy(
        update={"cores": [core.model_copy(update={"at": (out.at[0] - 1, out.at[1])})], "wires": []}
    )
    layout = make_layout(level, moved)
    rooms = {piece.body.id: piece.room for piece in core_pieces(layout, [])}
    assert rooms[core.id] == TIGHT and rooms["out"] == TIGHT
    layout = make_layout(level, design.model_copy(update={"wires": []}))
    assert {piece.body.id: piece.room for piece in core_pieces(layout, [])}[core.id] == 1.0


def test_the_tip_of_a_wire_leaves_its_speed_in_sight(tmp_path: Path) -> None:
    player = Player(tmp_path, (1280, 720))
    player.app.show("workbench", "first-light-04-three-inside", house("first-light-04-three-inside", "best")[1])
    player.frames(2)
    player.settle()
    player.move(player.on_wire(0))
    player.frames(60)
    desk = player.bench.desk
    assert desk._tip is not None and "every" in desk._tip.told[0]
    assert desk._tip.rect.bottom <= player.at[1]
    player.close()


def test_a_wire_does_not_strike_through_the_name_of_a_pad_beside_which_there_is_no_room() -> None:
    level, design = house("first-light-05-two-roads", "best")
    theme, zoom = Theme(), Zoom(8, 8, 1.0)
    piece = next(
        p for p in core_pieces(make_layout(level, design), [(90, 90, 90)] * len(design.wires)) if p.body.id == "out"
    )
    surface = pygame.Surface((400, 200))
    surface.fill((200, 0, 0))
    draw_core(surface, (0, 0), zoom, theme, piece)
    left, top = piece.body.at[0] * zoom.tile, piece.body.at[1] * zoom.tile
    width, height = theme.font("medium", 11).size("out")
    inside = pygame.Rect(left + zoom.tile - width, top - height // 2 - 1, width, 2)
    assert all(surface.get_at((x, inside.top))[:2] != (200, 0) for x in range(inside.left, inside.right))
