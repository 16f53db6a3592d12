"""The book of ideas: a card for each discovery, and the chips that the campaign's board carries."""

from __future__ import annotations

from collections.abc import Set

import pygame

from game.discoveries import CARDS
from game.panels.sheet import Sheet
from game.theme import BOARD, BOARD_2, EDGE, PANEL_2, TEXT_2, mix


def draw_chip(sheet: Sheet, chip: pygame.Rect) -> None:
    """A package with its legs."""
    px = sheet.px
    leg, pitch = px(6), px(24)
    for x in range(chip.left + pitch, chip.right - pitch + 1, pitch):
        for y in (chip.top - leg, chip.bottom):
            sheet.surface.fill(mix(EDGE, BOARD, 0.4), (x - px(4), y, px(8), leg))
    sheet.box(chip, BOARD_2, 8)
    sheet.frame(chip, EDGE, 8)


def _tile(sheet: Sheet, width: int) -> tuple[int, int]:
    """(columns, height of a tile) of the book."""
    columns = max(1, width // round(sheet.px(290) * sheet.theme.font_scale))
    return columns, sheet.px(20) + sheet.line_height(13) + 2 * sheet.line_height(12)


def book_height(sheet: Sheet, width: int) -> int:
    """Height of the book with ``width`` pixels inside its chip."""
    columns, height = _tile(sheet, width)
    return sheet.line_height(15) + sheet.px(40) + -(-len(CARDS) // columns) * (height + sheet.px(8))


def draw_book(sheet: Sheet, place: pygame.Rect, found_ids: Set[str]) -> None:
    """The cards in the book's order; those that are not found yet are blank."""
    px, inner = sheet.px, sheet.px(16)
    draw_chip(sheet, place)
    width = place.width - 2 * inner
    columns, height = _tile(sheet, width)
    middle = place.top + px(14) + sheet.line_height(15) // 2
    sheet.text("Book of ideas", place.left + inner, middle, size=15, face="semibold", width=width // 2)
    sheet.text(
        f"{len(found_ids)} of {len(CARDS)}",
        place.right - inner,
        middle,
        size=12,
        face="mono",
        colour=TEXT_2,
        align="right",
        width=width // 2,
    )
    top = place.top + sheet.line_height(15) + px(28)
    step = (width + px(8)) // columns
    for n, (card, _) in enumerate(CARDS):
        row, column = divmod(n, columns)
        tile = pygame.Rect(place.left + inner + column * step, top + row * (height + px(8)), step - px(8), height)
        found = card.id in found_ids
        if found:
            sheet.box(tile, PANEL_2, 4)
            y = sheet.words(card.name, tile.left + px(12), tile.top + px(8), face="semibold", width=tile.width - px(24))
            sheet.note(card.text, tile.left + px(12), y, tile.width - px(24))
        else:
            sheet.frame(tile, mix(EDGE, BOARD, 0.4), 4)
            for k, share in enumerate((0.45, 0.8)):
                bar = pygame.Rect(tile.left + px(12), 0, round((tile.width - px(24)) * share), px(6))
                bar.top = tile.top + px(16) + k * px(18)
                sheet.box(bar, mix(PANEL_2, BOARD, 0.2), 3)
