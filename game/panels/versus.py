"""Two designs in figures: what moved, by how much, and what differs. A card over the board while C is held."""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from game.comparing import MovedRow
from game.panels.kit import Canvas, Panel
from game.text import wrapped
from game.theme import EDGE, GREEN_TEXT, PANEL, TEXT, TEXT_2, TEXT_3, VERMILLION_TEXT, Theme

MOST_CHANGES = 6


@dataclass(frozen=True, slots=True)
class VersusModel:
    """``names`` are of the two designs; ``rows`` are empty while a run is under way."""

    title: str
    names: tuple[str, str]
    rows: tuple[MovedRow, ...]
    changes: tuple[str, ...]
    note: str = ""


class VersusCard(Panel):
    """The card. It covers the panels at the right, so that the board stays in sight."""

    ground = None

    def place(self, theme: Theme, board: pygame.Rect, right: pygame.Rect, model: VersusModel) -> pygame.Rect:
        """Over the upper part of ``right``; where that is hidden, over the right of the board."""
        px = theme.px
        least = px(340)
        if right.width >= least:
            rect = right.inflate(-2 * px(4), 0)
        else:
            rect = pygame.Rect(board.right - least - px(8), board.top, min(least, board.width - px(16)), board.height)
        height = px(64) + px(22) * max(len(model.rows), 1) + px(52)
        width = rect.width - 2 * px(16)
        height += changes_height(theme, model, width, MOST_CHANGES)
        return pygame.Rect(rect.left, rect.top + px(4), rect.width, min(height, rect.height - px(8)))

    def paint(self, canvas: Canvas, model: VersusModel) -> None:
        px, pad = canvas.px, canvas.px(16)
        canvas.box(canvas.bounds, PANEL, 8)
        canvas.frame(canvas.bounds, EDGE, 8)
        width = canvas.bounds.width - 2 * pad
        canvas.text(model.title, pad, px(22), size=15, face="semibold", width=width)
        y = paint_rows(canvas, pad, px(48), width, model)
        paint_changes(canvas, pad, y, width, model, MOST_CHANGES)
        if model.note:
            canvas.text(model.note, pad, canvas.bounds.height - px(18), size=12, colour=TEXT_3, width=width)


def paint_rows(canvas: Canvas, left: int, top: int, width: int, model: VersusModel) -> int:
    """The table of figures, from the middle of its first line; returns the middle of the line below."""
    px, step = canvas.px, canvas.px(22)
    right = left + width
    columns = (right - px(158), right - px(86), right)
    for x, words in zip(columns, (*model.names, "change"), strict=True):
        canvas.text(words, x, top, size=12, colour=TEXT_3, align="right", width=px(70))
    top += step
    if not model.rows:
        canvas.text("running …", left, top, size=13, colour=TEXT_2)
        return top + step
    for row in model.rows:
        tone = TEXT_2 if row.better is None else GREEN_TEXT if row.better else VERMILLION_TEXT
        canvas.text(row.unit, left, top, size=12, colour=TEXT_2, width=columns[0] - px(62) - left)
        for x, words, colour in zip(columns[:2], (row.before, row.after), (TEXT_2, TEXT), strict=True):
            canvas.text(words, x, top, size=12, face="mono", colour=colour, align="right", width=px(70))
        written = canvas.text(row.change, right, top, size=12, face="mono", colour=tone, align="right", width=px(66))
        if row.change and row.better is not None:
            arrow(canvas, written.left - px(8), top, not row.change.startswith("−"), tone)
        top += step
    return top


def _shown(model: VersusModel, most: int) -> tuple[str, ...]:
    """What differs, in at most so many sentences and one more."""
    more = len(model.changes) - most
    return (*model.changes[:most], *([f"and {more} more"] if more > 0 else ())) or ("the same machine",)


def _lines(theme: Theme, words: str, width: int) -> int:
    return len(wrapped(theme, "text", 13, words, width)) * round(theme.px(13) * theme.font_scale * 1.4) + theme.px(3)


def changes_height(theme: Theme, model: VersusModel, width: int, most: int) -> int:
    """Pixels that :func:`paint_changes` takes."""
    return sum(_lines(theme, words, width) for words in _shown(model, most))


def paint_changes(canvas: Canvas, left: int, top: int, width: int, model: VersusModel, most: int) -> int:
    """What differs, a sentence each; returns the lower edge."""
    for words in _shown(model, most):
        top = canvas.paragraph(words, left, top, width, colour=TEXT) + canvas.px(3)
    return top


def arrow(canvas: Canvas, x: int, middle: int, up: bool, colour: tuple[int, int, int]) -> None:
    """A small triangle: which way a figure moved. Its colour says whether that is good."""
    s = canvas.px(4) * (1 if up else -1)
    pygame.draw.polygon(canvas.surface, colour, ((x - s, middle + s), (x + s, middle + s), (x, middle - s)))
