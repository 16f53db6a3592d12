"""A canvas that draws straight onto the window, for screens that move; and a column that scrolls."""

from __future__ import annotations

import pygame

from game.panels.kit import Canvas
from game.theme import EDGE, TEXT, TEXT_2, Colour, Theme

LARGE = 20_000
"""Pixels of a box from which on it is not drawn through a mask."""


class Sheet(Canvas):
    """Draws into ``area`` of a surface. Coordinates are the window's; texts must keep to ``bounds``."""

    def __init__(self, surface: pygame.Surface, theme: Theme, hover: str | None) -> None:
        self.theme = theme
        self.hover = hover
        self.surface = surface
        self.bounds = surface.get_rect()
        self.zones = []
        self.written = []
        self.cut = []

    def box(self, rect: pygame.Rect, colour: Colour, radius: float = 4, opacity: float = 1.0) -> None:
        """A rectangle with round corners. Large ones are drawn at once: their picture would be made for every frame."""
        if rect.width * rect.height > LARGE and opacity == 1:
            pygame.draw.rect(self.surface, colour, rect, border_radius=self.px(radius))
        else:
            super().box(rect, colour, radius, opacity)

    def words(
        self,
        text: str,
        left: int,
        top: int,
        *,
        size: float = 13,
        face: str = "text",
        colour: Colour = TEXT,
        width: int | None = None,
        align: str = "left",
    ) -> int:
        """A line whose upper edge is ``top``; returns its lower edge. ``width`` reaches from ``left``, or to it."""
        height = self.line_height(size)
        self.text(text, left, top + height // 2, size=size, face=face, colour=colour, width=width, align=align)
        return top + height

    def title(self, text: str, left: int, top: int, width: int) -> int:
        """A heading of a block; returns its lower edge with some air below."""
        return self.words(text, left, top, size=15, face="semibold", width=width) + self.px(6)

    def note(self, text: str, left: int, top: int, width: int, size: float = 12) -> int:
        """A wrapped paragraph in the colour of labels; returns its lower edge."""
        return self.paragraph(text, left, top, width, size=size, colour=TEXT_2)

    def lines(self, text: str, width: int, size: float) -> int:
        """Height of a wrapped paragraph."""
        from game.text import wrapped

        return len(wrapped(self.theme, "text", size, text, width)) * self.line_height(size)

    def hairline(self, left: int, y: int, width: int, colour: Colour = EDGE) -> None:
        self.surface.fill(colour, (left, y, width, max(1, self.px(1))))


def dashed(
    surface: pygame.Surface, colour: Colour, a: tuple[float, float], b: tuple[float, float], dash: int, width: int = 1
) -> None:
    """A dashed line of any direction."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = (dx * dx + dy * dy) ** 0.5
    at = 0.0
    while at < length:
        end = min(at + dash, length)
        p = (a[0] + dx * at / length, a[1] + dy * at / length)
        q = (a[0] + dx * end / length, a[1] + dy * end / length)
        pygame.draw.line(surface, colour, p, q, width)
        at += 2 * dash
