"""All keys and the mouse on one card, in groups: what ? leads to."""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from game.panels.cards import Card
from game.panels.kit import Canvas
from game.theme import SKY, TEXT_2, Theme

WIDTH = 284
"""Pixels of a column at UI scale 100 %."""
SIZES = (12.0, 11.0, 10.0, 9.0)


@dataclass(frozen=True, slots=True)
class KeysModel:
    """Groups of (title, rows of (keys, what they do))."""

    groups: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]


class Keys(Card):
    """The card: as many columns as the window has room for, groups whole, and text as large as fits."""

    def place(self, theme: Theme, window: pygame.Rect, model: KeysModel) -> pygame.Rect:
        """In the middle of the window."""
        room = window.inflate(-theme.px(24), -theme.px(24))
        size, columns = _fitting(theme, room, model)
        px = theme.px
        tall = max(sum(map(len, column)) for column in columns) * _step(theme, size) + px(64)
        rect = pygame.Rect(0, 0, min(len(columns) * _width(theme) + px(32), room.width), min(tall, room.height))
        rect.center = window.center
        return rect

    def paint(self, canvas: Canvas, model: KeysModel) -> None:
        """Keys stand in front of what they do."""
        px, theme = canvas.px, canvas.theme
        self.back(canvas)
        canvas.text("Keys and mouse", px(16), px(22), size=15, face="semibold", width=canvas.bounds.width - px(64))
        close = pygame.Rect(canvas.bounds.width - px(40), px(8), px(28), px(28))
        canvas.icon_button("keys.close", close, "close", ("keys",), tip="Close (Esc)")
        size, columns = _fitting(theme, canvas.bounds, model)
        step, each = _step(theme, size), (canvas.bounds.width - px(32)) // len(columns)
        for k, column in enumerate(columns):
            left, y = px(16) + k * each, px(48) + step // 2
            for lines in column:
                for keys, words in lines:
                    if words and not keys:
                        canvas.text(words, left, y, size=size, face="semibold", colour=SKY, width=each - px(8))
                    elif words:
                        part = max(canvas.text(keys, left, y, size=size, face="mono", width=each).width, each * 3 // 10)
                        gone = part + px(8)
                        canvas.text(words, left + gone, y, size=size, colour=TEXT_2, width=each - gone - px(10))
                    y += step


_Lines = list[tuple[str, str]]


def _fitting(theme: Theme, room: pygame.Rect, model: KeysModel) -> tuple[float, list[list[_Lines]]]:
    """The largest size of text at which all groups fit into columns, and these."""
    blocks: list[_Lines] = [[("", title), *rows, ("", "")] for title, rows in model.groups]
    most = max(min((room.width - theme.px(32)) // _width(theme), len(blocks)), 1)
    found = _columns(blocks, most)
    for size in SIZES:
        if max(sum(map(len, column)) for column in found) * _step(theme, size) + theme.px(64) <= room.height:
            return size, found
    return SIZES[-1], found


def _columns(blocks: list[_Lines], most: int) -> list[list[_Lines]]:
    """Blocks in their order in at most so many columns, the highest as low as it can be."""
    for height in range(max(map(len, blocks)), sum(map(len, blocks)) + 1):
        columns: list[list[_Lines]] = [[]]
        for block in blocks:
            if sum(map(len, columns[-1])) + len(block) > height:
                columns.append([])
            columns[-1].append(block)
        if len(columns) <= most:
            return columns
    return [blocks]


def _width(theme: Theme) -> int:
    return round(theme.px(WIDTH) * max(theme.font_scale, 1.0))


def _step(theme: Theme, size: float) -> int:
    return round(theme.px(size) * theme.font_scale * 1.45)
