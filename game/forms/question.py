"""A question before something that cannot be taken back, and a message that has to be read."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import pygame
from pygame_gui.elements import UILabel, UITextBox, UIWindow

from game.forms.controls import Button
from game.forms.entry import kind

if TYPE_CHECKING:
    from game.forms.desk import Desk


class Question(UIWindow):
    """A window in the middle that everything else waits for. ``yes`` and ``no`` are the buttons' words.

    The words are plain text, not HTML, in paragraphs. Its buttons are called "yes" and "no"; a message has no "no".
    """

    def __init__(self, desk: Desk, title: str, words: str, yes: str, no: str = "") -> None:
        px, large = desk.theme.px, max(desk.theme.font_scale, 1.0)
        window = pygame.Rect((0, 0), desk.window_resolution)
        pad, row = px(24), round(px(32) * large)
        width = min(round(px(400) * large), window.width - px(32))
        plain, said = kind("@plain"), "<br><br>".join(escape(words).splitlines())
        place = pygame.Rect(pad, pad + row, width - 2 * pad, -1)
        measured = UITextBox(said, place, desk, object_id=plain)
        height = min(place.top + measured.rect.height + row + 2 * pad, window.height)
        measured.kill()
        rect = pygame.Rect(0, 0, width, height)
        rect.center = window.center
        super().__init__(rect, desk, draggable=False)
        self.set_blocking(True)
        heading = pygame.Rect(pad, pad - px(4), width - 2 * pad, row)
        UILabel(heading, title, desk, self, object_id=kind("@heading"))
        place.height = height - place.top - row - 2 * pad
        UITextBox(said, place, desk, container=self, object_id=plain)
        side = min(round(px(120) * large), (width - 2 * pad - px(8)) // 2)
        right = pygame.Rect(width - pad - side, height - pad - row, side, row)
        self.no = Button(desk, "no", right.move(-side - px(8), 0), no, self, "@button") if no else None
        self.yes = Button(desk, "yes", right, yes, self, "@main")
