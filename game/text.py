"""Text on the screen: rendered lines are kept, and what does not fit is wrapped or cut with an ellipsis."""

from __future__ import annotations

from functools import lru_cache

import pygame

from game.theme import Colour, Theme

ELLIPSIS = "…"


@lru_cache(maxsize=4096)
def line(theme: Theme, face: str, size: float, words: str, colour: Colour) -> pygame.Surface:
    """A line of text; ``size`` is at UI scale 100 %. Do not draw on the result."""
    return theme.font(face, size).render(words, True, colour)


@lru_cache(maxsize=4096)
def fitted(theme: Theme, face: str, size: float, words: str, width: int) -> str:
    """``words``, or as many of its characters with an ellipsis as fit into ``width`` pixels."""
    font = theme.font(face, size)
    if font.size(words)[0] <= width:
        return words
    low, high = 0, len(words)
    while low < high:
        middle = (low + high + 1) // 2
        if font.size(words[:middle].rstrip() + ELLIPSIS)[0] <= width:
            low = middle
        else:
            high = middle - 1
    return words[:low].rstrip() + ELLIPSIS if low else ""


@lru_cache(maxsize=512)
def wrapped(theme: Theme, face: str, size: float, words: str, width: int) -> tuple[str, ...]:
    """``words`` in lines of at most ``width`` pixels; a word that is wider alone is cut."""
    font = theme.font(face, size)
    lines: list[str] = []
    now = ""
    for word in words.split():
        longer = f"{now} {word}" if now else word
        if font.size(longer)[0] <= width or not now:
            now = longer
        else:
            lines.append(now)
            now = word
    if now:
        lines.append(now)
    return tuple(fitted(theme, face, size, text, width) for text in lines)


def number(value: float, digits: int = 3) -> str:
    """A number with so many significant digits, without an exponent, and with a true minus."""
    if value == 0:
        return "0"
    magnitude = abs(value)
    places = digits
    while places > 0 and magnitude >= 10 ** (digits - places):
        places -= 1
    if magnitude < 1:
        places = digits
        while places < 9 and round(magnitude, places) < 10 ** -(places - digits + 1):
            places += 1
    text = f"{magnitude:.{places}f}"
    return f"−{text}" if value < 0 else text
