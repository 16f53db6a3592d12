"""In the corners of the board: which overlay is on, and a small map of a board that is larger than the view."""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from game.panels.kit import Canvas, Panel
from game.theme import BOARD, EDGE, PANEL, PANEL_2, SKY, TEXT, TEXT_2, TEXT_3, YELLOW, Theme, mix

LARGE = 48
"""Boards with more columns or rows than this have a map."""


@dataclass(frozen=True, slots=True)
class ChipsModel:
    """``names`` are (overlay, key); ``legend`` whether the overlay's line stands below."""

    names: tuple[tuple[str, str], ...]
    overlay: str | None
    open: bool
    legend: bool


class Chips(Panel):
    """A button that opens the list of overlays."""

    ground = None

    def place(self, theme: Theme, board: pygame.Rect, model: ChipsModel) -> pygame.Rect:
        """At the bottom left of the board, above the overlay's legend."""
        px = theme.px
        rows = len(model.names) if model.open else 0
        width = px(132) if model.open else px(124)
        height = px(26) + (rows * px(28) + px(12) if model.open else 0)
        bottom = board.bottom - px(12) - (px(36) if model.legend else 0)
        return pygame.Rect(board.left + px(12), bottom - height, width, height)

    def paint(self, canvas: Canvas, model: ChipsModel) -> None:
        px, width, height = canvas.px, canvas.bounds.width, canvas.bounds.height
        if model.open:
            menu = pygame.Rect(0, 0, width, height - px(32))  # its buttons stand below
            canvas.box(menu, PANEL, 6, 0.97)
            canvas.frame(menu, EDGE, 6)
        for i, (name, key) in enumerate(model.names if model.open else ()):
            rect = pygame.Rect(px(4), px(4) + i * px(28), width - px(8), px(26))
            on = name == model.overlay
            lit = canvas.zone(f"overlay.{name}", rect, ("overlay", name))
            if on or lit:
                canvas.box(rect, mix(PANEL_2, SKY, 0.18) if on else PANEL_2)
            canvas.text(
                name, rect.left + px(8), rect.centery, size=12, colour=TEXT if on or lit else TEXT_2, width=px(84)
            )
            canvas.text(key, rect.right - px(8), rect.centery, size=11, face="mono", align="right", colour=TEXT_3)
        rect = pygame.Rect(0, height - px(26), px(88), px(26))
        words = model.overlay or "overlays"
        canvas.button("overlays", rect, words, ("overlays",), on=model.overlay is not None, size=12)
        rect = pygame.Rect(px(92), height - px(26), px(32), px(26))
        canvas.button("brief", rect, "?", ("brief",), tip="What is to be done, and hints (?)", size=12)


@dataclass(frozen=True, slots=True)
class MapModel:
    """Tiles of pads and cores, corners of wires, and the view as shares 0 … 1 of the board."""

    size: tuple[int, int]
    pads: tuple[tuple[int, int], ...]
    cores: tuple[tuple[int, int], ...]
    wires: tuple[tuple[tuple[int, int], ...], ...]
    view: tuple[float, float, float, float]


class Map(Panel):
    """The whole board in a corner; clicking or dragging looks there."""

    ground = None

    def place(self, theme: Theme, board: pygame.Rect, model: MapModel) -> pygame.Rect:
        px = theme.px
        columns, rows = model.size
        unit = px(180) / max(columns, rows)
        width, height = round(columns * unit) + px(8), round(rows * unit) + px(8)
        return pygame.Rect(board.right - width - px(12), board.bottom - height - px(12), width, height)

    def paint(self, canvas: Canvas, model: MapModel) -> None:
        px = canvas.px
        canvas.box(canvas.bounds, BOARD, 4, 0.92)
        canvas.frame(canvas.bounds, EDGE, 4)
        inner = canvas.bounds.inflate(-px(8), -px(8))
        unit = inner.width / model.size[0]

        def at(tile: tuple[int, int]) -> tuple[int, int]:
            return inner.left + round(tile[0] * unit), inner.top + round(tile[1] * unit)

        side = max(2, round(unit))
        for path in model.wires:
            pygame.draw.lines(canvas.surface, TEXT_3, False, [at(corner) for corner in path])
        for tiles, colour in ((model.cores, TEXT_2), (model.pads, YELLOW)):
            for tile in tiles:
                canvas.surface.fill(colour, (*at(tile), side, side))
        left, top, right, bottom = model.view
        view = pygame.Rect(inner.left + left * inner.width, inner.top + top * inner.height, 0, 0)
        view.size = round((right - left) * inner.width), round((bottom - top) * inner.height)
        pygame.draw.rect(canvas.surface, TEXT, view.clip(inner), max(1, px(1)))
        canvas.zone("map", inner, ("look",), drag=True)
