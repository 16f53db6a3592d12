"""Cards over the board: the brief with its hints, why something waits, and short messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pygame

from game.panels.kit import Canvas, Panel
from game.text import wrapped
from game.theme import EDGE, GREEN_TEXT, ORANGE, PANEL, TEXT, TEXT_2, TEXT_3, VERMILLION_TEXT, Theme


@dataclass(frozen=True, slots=True)
class BriefModel:
    title: str
    brief: str
    signed: str
    hints: tuple[str, ...]
    more_hints: bool


@dataclass(frozen=True, slots=True)
class WhyModel:
    """Steps are (number or "ROOT", sentence, item that it names); buttons are (words, action)."""

    title: str
    steps: tuple[tuple[str, str, str | int | None], ...]
    meaning: str
    buttons: tuple[tuple[str, tuple[str | int, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class ToastModel:
    text: str
    tone: str = ""
    action: tuple[str, ...] | None = None
    button: str = ""


class Card(Panel):
    """A card over the board."""

    ground = None

    def back(self, canvas: Canvas, stripe: tuple[int, int, int] | None = None) -> None:
        """The ground of a card."""
        canvas.box(canvas.bounds, PANEL, 8, 0.97)
        canvas.frame(canvas.bounds, EDGE, 8)
        if stripe:
            canvas.surface.fill(stripe, (0, canvas.px(12), canvas.px(3), canvas.bounds.height - canvas.px(24)))


def _height(theme: Theme, words: str, size: float, width: int) -> int:
    return len(wrapped(theme, "text", size, words, width)) * round(theme.px(size) * theme.font_scale * 1.4)


def _clearest(
    rect: pygame.Rect, inside: pygame.Rect, corners: Sequence[str], clear: Sequence[pygame.Rect]
) -> pygame.Rect:
    """The card in the first of the corners where it hides least of ``clear``."""
    places = []
    for corner in corners:
        setattr(rect, corner, getattr(inside, corner))
        places.append(rect.copy())
    return min(places, key=lambda place: len(place.collidelistall(list(clear))))


class Brief(Card):
    """What is to be done, and the hints asked for so far."""

    def place(
        self, theme: Theme, board: pygame.Rect, model: BriefModel, clear: Sequence[pygame.Rect] = ()
    ) -> pygame.Rect:
        """Where the card stands: the corner of the board where it hides least of ``clear``, as high as its text."""
        px = theme.px
        width = min(px(360), board.width - px(24))
        inner = width - px(32)
        height = px(44) + _height(theme, model.brief, 13, inner) + px(40)
        for hint in model.hints:
            height += _height(theme, hint, 13, inner - px(20)) + px(10)
        rect = pygame.Rect(0, 0, width, min(height, board.height - px(24)))
        corners = ("topleft", "bottomleft", "topright", "bottomright")
        return _clearest(rect, board.inflate(-2 * px(12), -2 * px(12)), corners, clear)

    def paint(self, canvas: Canvas, model: BriefModel) -> None:
        px, pad = canvas.px, canvas.px(16)
        self.back(canvas)
        inner = canvas.bounds.width - 2 * pad
        title = pygame.Rect(0, 0, canvas.bounds.width, px(40))
        canvas.zone("brief.move", title, ("brief.move",), "Drag it out of the way", drag=True)
        canvas.text(model.title, pad, px(22), size=15, face="semibold", width=inner - px(32))
        close = pygame.Rect(canvas.bounds.width - px(40), px(8), px(28), px(28))
        canvas.icon_button("brief.close", close, "close", ("brief",), tip="Close (? opens it again)")
        y = canvas.paragraph(model.brief, pad, px(42), inner, colour=TEXT)
        for hint in model.hints:
            y += px(8)
            canvas.surface.fill(
                ORANGE, (pad, y + px(2), px(2), _height(canvas.theme, hint, 13, inner - px(20)) - px(4))
            )
            y = canvas.paragraph(hint, pad + px(12), y, inner - px(20), colour=TEXT_2)
        bottom = canvas.bounds.height - px(20)
        right = canvas.bounds.width - pad
        if model.more_hints:
            rect = pygame.Rect(right - px(96), bottom - px(13), px(96), px(26))
            canvas.button("brief.hint", rect, "another hint" if model.hints else "a hint", ("hint",), size=12)
            right = rect.left - px(8)
        rect = pygame.Rect(right - px(52), bottom - px(13), px(52), px(26))
        canvas.button("brief.keys", rect, "keys", ("keys",), size=12, tip="All keys, and what the mouse does")
        right = rect.left - px(8)
        canvas.text(model.signed, pad, bottom, size=12, colour=TEXT_3, width=right - pad)


class Why(Card):
    """The chain of waits: every line is a link to what it names."""

    def place(
        self, theme: Theme, board: pygame.Rect, model: WhyModel, clear: Sequence[pygame.Rect] = ()
    ) -> pygame.Rect:
        """Where the card stands: the corner where it hides least of ``clear``, at best the lower right one."""
        px = theme.px
        width = min(px(480), board.width - px(24))
        inner = width - px(32)
        height = (
            px(28) + _height(theme, model.title, 14, inner - px(30)) + _height(theme, model.meaning, 13, inner) + px(14)
        )
        for _, sentence, _ in model.steps:
            height += max(_height(theme, sentence, 13, inner - px(48)), px(20)) + px(4)
        if model.buttons:
            height += round(px(26) * theme.font_scale) + px(10)
        height = min(height, board.height - px(24))
        corners = ("bottomright", "topright", "bottomleft", "topleft")
        return _clearest(pygame.Rect(0, 0, width, height), board.inflate(-px(24), -px(24)), corners, clear)

    def paint(self, canvas: Canvas, model: WhyModel) -> None:
        px, pad = canvas.px, canvas.px(16)
        self.back(canvas, ORANGE)
        inner = canvas.bounds.width - 2 * pad
        close = pygame.Rect(canvas.bounds.width - px(38), px(6), px(28), px(28))
        canvas.icon_button("why.close", close, "close", ("why.close",), tip="Close (Esc)")
        y = px(14)
        height = round(px(14) * canvas.theme.font_scale * 1.4)
        for part in wrapped(canvas.theme, "text", 14, model.title, inner - px(30)):
            canvas.text(part, pad, y + height // 2, size=14, face="text", width=inner - px(30))
            y += height
        y += px(6)
        for i, (label, sentence, item) in enumerate(model.steps):
            root = label == "ROOT"
            tall = max(_height(canvas.theme, sentence, 13, inner - px(48)), px(20))
            rect = pygame.Rect(pad - px(6), y - px(2), inner + px(12), tall + px(4))
            lit = item is not None and canvas.zone(f"why.{i}", rect, ("show", item), "Show it")
            colour = VERMILLION_TEXT if root else ORANGE
            canvas.text(label, pad, y + px(9), size=11, face="mono-semibold", colour=colour)
            canvas.paragraph(sentence, pad + px(44), y, inner - px(48), colour=TEXT if root or lit else TEXT_2)
            y += tall + px(4)
        y = canvas.paragraph(model.meaning, pad, y + px(4), inner, colour=GREEN_TEXT) + px(8)
        left = pad
        for n, (words, action) in enumerate(model.buttons):
            wide = canvas.theme.font("text", 12).size(words)[0] + px(20)
            rect = pygame.Rect(left, y, min(wide, pad + inner - left), round(px(26) * canvas.theme.font_scale))
            canvas.button(f"why.button.{n}", rect, words, action, size=12)
            left = rect.right + px(8)


def low(theme: Theme, board: pygame.Rect) -> bool:
    """Whether the board's region has little height: a line at its bottom is then left to buttons and messages."""
    return board.height < theme.px(300)


LINE = 44
"""Pixels of that line."""


class Toast(Card):
    """One short message at the bottom of the board, with at most one button."""

    small = False

    def place(self, theme: Theme, board: pygame.Rect, model: ToastModel) -> pygame.Rect:
        px = theme.px
        button = px(84) if model.action else 0
        self.small = low(theme, board)
        if self.small:  # beside the buttons in the corner, on the line that the board leaves to both
            left = board.left + px(144)
            width = max(board.right - px(8) - left, px(120))
            lines = _height(theme, model.text, 11, width - px(20) - button)
            height = max(lines + px(8), px(32))
            return pygame.Rect(board.right - px(8) - width, board.bottom - height - px(6), width, height)
        most = min(px(640), board.width - px(24))
        width = min(theme.font("text", 13).size(model.text)[0] + px(32) + button, most)
        lines = _height(theme, model.text, 13, max(width - px(32) - button, px(40)))
        height = max(lines + px(18), px(38))
        return pygame.Rect(board.centerx - width // 2, board.bottom - height - px(52), width, height)

    def paint(self, canvas: Canvas, model: ToastModel) -> None:
        px, pad, size = canvas.px, canvas.px(10 if self.small else 16), 11 if self.small else 13
        self.back(canvas)
        right = canvas.bounds.width - pad
        if model.action:
            rect = pygame.Rect(right - px(68), canvas.bounds.centery - px(13), px(68), px(26))
            canvas.button("toast", rect, model.button, model.action, size=12)
            right = rect.left - px(16)
        colour = {"bad": VERMILLION_TEXT, "good": GREEN_TEXT, "warm": ORANGE}.get(model.tone, TEXT)
        tall = _height(canvas.theme, model.text, size, right - pad)
        top = canvas.bounds.centery - tall // 2
        canvas.paragraph(model.text, pad, top, right - pad + 2, size=size, colour=colour)
