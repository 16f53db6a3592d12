"""How an entry field looks, whether it is being typed or not."""

from __future__ import annotations

import pygame

from game.panels.field import Typed
from game.panels.kit import Canvas
from game.theme import BOARD, EDGE, PANEL_2, SKY, TEXT, TEXT_2, VERMILLION_TEXT, mix


def draw_entry(
    canvas: Canvas,
    name: str,
    rect: pygame.Rect,
    text: str,
    typed: Typed | None,
    *,
    tip: str = "",
    mono: bool = True,
    hint: str = "",
) -> None:
    """A field with ``text``; clicking it asks for ("type", name). ``typed`` is shown where it is this field."""
    face = "mono" if mono else "text"
    mine = typed if typed and typed.name == name else None
    lit = canvas.zone(name, rect, ("type", name), tip)
    canvas.box(rect, BOARD if mine else mix(PANEL_2, EDGE, 0.5) if lit else PANEL_2)
    if mine:
        canvas.frame(rect, VERMILLION_TEXT if mine.wrong else SKY)
    shown = mine.text if mine else text
    inner = rect.inflate(-canvas.px(16), 0)
    font = canvas.theme.font(face, 13)
    while mine and font.size(shown)[0] > inner.width and len(shown) > 1:
        shown = shown[1:]  # the end is what is being typed
    if mine and mine.fresh:
        size = font.size(shown)
        canvas.box(
            pygame.Rect(inner.left - 2, rect.centery - size[1] // 2, size[0] + 4, size[1]), mix(SKY, BOARD, 0.6), 2
        )
    if shown:
        canvas.text(shown, inner.left, rect.centery, face=face, colour=TEXT, width=inner.width)
    elif hint and not mine:
        canvas.text(hint, inner.left, rect.centery, colour=TEXT_2, width=inner.width)
    if mine and not mine.fresh:
        cut = len(mine.text) - len(shown)
        x = inner.left + font.size(shown[: max(mine.cursor - cut, 0)])[0]
        height = canvas.px(16)
        canvas.surface.fill(SKY, (min(x, inner.right), rect.centery - height // 2, max(1, canvas.px(1.5)), height))
