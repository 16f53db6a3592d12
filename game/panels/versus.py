"""Two designs in figures: what moved, by how much, and what differs. A card over the board while C is held."""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from game.comparing import MovedRow
from game.panels.kit import Canvas, Panel
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
    """The card. It lies at the top right of the board."""

    ground = None

    def place(self, theme: Theme, board: pygame.Rect, model: VersusModel) -> pygame.Rect:
        px = theme.px
        width = min(px(430), board.width - px(24))
        changes = min(len(model.changes), MOST_CHANGES + 1) or 1
        height = px(64) + px(22) * (max(len(model.rows), 1) + changes) + px(28) + (px(24) if model.note else 0)
        rect = pygame.Rect(0, 0, width, min(height, board.height - px(24)))
        rect.topright = (board.right - px(12), board.top + px(12))
        return rect

    def paint(self, canvas: Canvas, model: VersusModel) -> None:
        px, pad = canvas.px, canvas.px(16)
        canvas.box(canvas.bounds, PANEL, 8, 0.97)
        canvas.frame(canvas.bounds, EDGE, 8)
        canvas.text(model.title, pad, px(22), size=15, face="semibold", width=canvas.bounds.width - 2 * pad)
        y = paint_rows(canvas, pad, px(48), canvas.bounds.width - 2 * pad, model)
        y += px(10)
        paint_changes(canvas, pad, y, canvas.bounds.width - 2 * pad, model)
        if model.note:
            bottom = canvas.bounds.height - px(18)
            canvas.text(model.note, pad, bottom, size=12, colour=TEXT_3, width=canvas.bounds.width - 2 * pad)


def paint_rows(canvas: Canvas, left: int, top: int, width: int, model: VersusModel) -> int:
    """The table of figures, from the middle of its first line; returns the middle of the line below."""
    px, step = canvas.px, canvas.px(22)
    right = left + width
    columns = (right - px(190), right - px(96), right)
    for x, words in zip(columns, (*model.names, "change"), strict=True):
        canvas.text(words, x, top, size=12, colour=TEXT_3, align="right", width=px(92))
    top += step
    if not model.rows:
        canvas.text("running …", left, top, size=13, colour=TEXT_2)
        return top + step
    for row in model.rows:
        tone = TEXT_2 if row.better is None else GREEN_TEXT if row.better else VERMILLION_TEXT
        canvas.text(row.unit, left, top, size=13, colour=TEXT_2, width=columns[0] - px(64) - left)
        for x, words, colour in zip(columns[:2], (row.before, row.after), (TEXT_2, TEXT), strict=True):
            canvas.text(words, x, top, size=13, face="mono", colour=colour, align="right", width=px(92))
        written = canvas.text(row.change, right, top, size=13, face="mono", colour=tone, align="right", width=px(80))
        if row.change and row.better is not None:
            arrow(canvas, written.left - px(9), top, row.change.startswith("+") or row.change == "new", tone)
        top += step
    return top


def arrow(canvas: Canvas, x: int, middle: int, up: bool, colour: tuple[int, int, int]) -> None:
    """A small triangle: which way a figure moved. Its colour says whether that is good."""
    s = canvas.px(4) * (1 if up else -1)
    pygame.draw.polygon(canvas.surface, colour, ((x - s, middle + s), (x + s, middle + s), (x, middle - s)))


def paint_changes(canvas: Canvas, left: int, top: int, width: int, model: VersusModel, most: int = MOST_CHANGES) -> int:
    """What differs, a line each; returns the middle of the line below."""
    step = canvas.px(22)
    if not model.changes:
        canvas.text("The same machine", left, top, size=13, colour=TEXT_2, width=width)
        return top + step
    for words in model.changes[:most]:
        canvas.text(words, left, top, size=13, colour=TEXT, width=width)
        top += step
    if len(model.changes) > most:
        canvas.text(f"and {len(model.changes) - most} more", left, top, size=13, colour=TEXT_2, width=width)
        top += step
    return top
