"""What does not fit is wrapped, or told whole where the mouse rests: nothing that a player needs is lost."""

from __future__ import annotations

import re
from pathlib import Path

import pygame
import pytest

from game.panels.inspector import Inspector, InspectorModel
from game.panels.kit import Canvas
from game.panels.palette import Palette, PaletteModel, Part
from game.rows import Choice, Subject
from game.screens.settings import Settings
from game.text import ELLIPSIS, code_lines, wrapped
from game.theme import Theme
from tests.game.player import Player

pygame.font.init()

FORMULAS = (
    "out[t] = max(3*a[t] - 20, 0) * 5 * a[t]",
    "out[i, j] = sum(k, 0:8, a[i,k] * b[k,j]) // 8 - (-1)",
    "o[i] = select(a[i] <= b[i], a[i] << 2, -1)",
)


@pytest.mark.parametrize("code", FORMULAS)
@pytest.mark.parametrize("width", [400, 248, 160, 110])
def test_code_is_wrapped_at_operators_and_loses_nothing(code: str, width: int) -> None:
    theme = Theme()
    lines = code_lines(theme, 12, code, width)
    assert re.sub(r"\s", "", "".join(lines)) == re.sub(r"\s", "", code)
    assert all(theme.font("mono", 12).size(line)[0] <= width for line in lines)
    for line in lines[1:]:
        assert line.startswith("  ")
        assert line.strip()[0] not in ")],", line
    if width >= 160:
        for before in lines[:-1]:
            assert before[-1] not in "([+-*/<=>", before


def test_a_word_that_is_wider_than_the_line_goes_on_below() -> None:
    lines = wrapped(Theme(), "text", 12, "one " + "x" * 80 + " two", 100)
    assert "".join(lines).replace(" ", "") == "one" + "x" * 80 + "two"
    assert not any(ELLIPSIS in line for line in lines)


def test_what_a_canvas_cuts_is_told_where_the_mouse_rests() -> None:
    canvas = Canvas((300, 100), Theme(), None)
    canvas.text("a sentence that has no room at all", 0, 20, width=60)
    canvas.button("go", pygame.Rect(0, 40, 50, 30), "a long name of a button", ("go",), tip="Go on")
    canvas.button("stay", pygame.Rect(100, 40, 150, 30), "short", ("stay",), tip="Stay here")
    alone, go, stay = canvas.told()
    assert alone.tip == "a sentence that has no room at all" and alone.action == ("nothing",)
    assert go.name == "go" and go.tip == "a long name of a button. Go on"
    assert stay.tip == "Stay here"


def test_a_heading_is_whole_where_a_sign_for_its_figure_has_room() -> None:
    for width, expected in ((300, "at most 0.915 /nJ"), (200, "≤ 0.915 /nJ")):
        canvas = Canvas((width, 40), Theme(), None)
        canvas.head("Any machine", 16, 20, "at most 0.915 /nJ")
        assert {written.words for written in canvas.written} == {"Any machine", expected}


@pytest.mark.parametrize(("size", "scale"), [((1280, 720), 100), ((1280, 720), 150), ((1920, 1080), 200)])
def test_the_formula_is_whole_and_cut_texts_of_the_workbench_have_tips(
    tmp_path: Path, size: tuple[int, int], scale: int
) -> None:
    player = Player(tmp_path, size, {"ui_scale": scale})
    bench = player.open("first-light-05-two-roads")
    player.frames(3)
    words = "".join(written.words for written in bench.inspector.written).replace(" ", "")
    truth = bench.level.kernel.truth
    assert truth is not None and truth.replace(" ", "") in words
    for panel in (bench.header, bench.palette, bench.inspector, bench.transport, bench.plots, bench.sky):
        for written in panel.written:
            if written.words.endswith(ELLIPSIS) and len(written.words) > 2 and panel.rect.colliderect(written.rect):
                zone = panel.zone_at(written.rect.center)
                assert zone is not None and written.words[:-1].rstrip() in zone.tip, (written, zone)
    player.close()


def test_a_page_tells_what_it_had_to_cut(tmp_path: Path) -> None:
    player = Player(tmp_path, (900, 600), {"ui_scale": 150})
    player.app.show("settings")
    player.frames(2)
    screen = player.app.screen
    assert isinstance(screen, Settings)
    back = screen.zone("back")
    assert back is not None
    player.move(back.rect.center)
    player.frames(2)
    before = pygame.image.tobytes(player.surface.subsurface((0, 0, 300, 120)), "RGB")
    player.frames(40)
    assert pygame.image.tobytes(player.surface.subsurface((0, 0, 300, 120)), "RGB") != before
    player.close()


CODES = ("raw", "gray", "bus-invert", "bus-invert-half", "no-opposites")


@pytest.mark.parametrize(("width", "scale"), [(280, 1.0), (372, 1.0), (420, 1.5), (280, 1.5)])
def test_choices_are_whole_and_below_each_other_where_they_must_be(width: int, scale: float) -> None:
    canvas = Canvas((width, 600), Theme(scale), None)
    subject = Subject("a", "", "", (Choice("code", "encoding", CODES, "raw"),))
    Inspector().paint(canvas, InspectorModel(subject))
    assert set(CODES) <= {written.words for written in canvas.written}
    rects = [zone.rect for zone in canvas.zones]
    assert len(rects) == len(CODES)
    assert not any(a.colliderect(b) for n, a in enumerate(rects) for b in rects[n + 1 :])
    assert all(canvas.bounds.contains(rect) for rect in rects)


@pytest.mark.parametrize(("width", "narrow"), [(220, False), (64, True)])
def test_a_part_without_bound_is_told_alike_in_both_palettes(width: int, narrow: bool) -> None:
    parts = (Part("add", "arithmetic", None, None, 1, ""), Part("mul", "arithmetic", 2, 3, 2, ""))
    canvas = Canvas((width, 600), Theme(), None)
    Palette().paint(canvas, PaletteModel(parts, None, "", narrow))
    words = {written.words for written in canvas.written}
    assert {"∞", "2/3"} <= words and not {"1", "2"} & words
