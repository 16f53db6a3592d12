"""A word about what the mouse rests on."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import pygame
from pygame_gui.elements import UITooltip

if TYPE_CHECKING:
    from game.forms.desk import Desk


class Tip(UITooltip):
    """A tooltip beside ``place``, on the screen as far as there is room. The words are plain text, not HTML."""

    def __init__(self, desk: Desk, words: str, place: tuple[int, int], above: bool = False) -> None:
        self.told = (words, place)
        px, window = desk.theme.px, pygame.Rect((0, 0), desk.window_resolution)
        font = desk.theme.font("text", 12)
        width = min(font.size(words)[0] + px(24), round(px(400) * max(desk.theme.font_scale, 1)), window.width - px(8))
        super().__init__(escape(words), (px(12), px(16)), desk, wrap_width=width)
        rect = self.rect.copy()
        rect.topleft = (place[0] + px(12), place[1] + px(16))
        if rect.bottom > window.bottom - px(4) or (above and place[1] - rect.height > px(12)):
            rect.bottom = place[1] - px(8)
        self.set_position(rect.clamp(window.inflate(-px(8), -px(8))).topleft)
