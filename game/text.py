"""Text on the screen: rendered lines are kept, and what does not fit is wrapped or cut with an ellipsis."""

from __future__ import annotations

import re
from functools import lru_cache
from math import cos, sin

import pygame

from game.theme import Colour, Theme

ELLIPSIS = "…"

_ROUND = tuple((8 + 4.5 * cos(a / 10), 8.5 + 4.5 * sin(a / 10)) for a in range(-4, 50, 3))
_WAVE = tuple((x, 0.9 * sin(x * 0.9)) for x in range(3, 14))
SIGNS = {
    "⇄": (
        ((3, 6.5), (13, 6.5)),
        ((10, 4), (13, 6.5), (10, 9)),
        ((13, 11), (3, 11)),
        ((6, 8.8), (3, 11), (6, 13.4)),
    ),
    "⟳": (_ROUND, ((13.6, 3.4), (12.4, 6.9), (9, 6))),
    "≋": tuple(tuple((x, y + row) for x, y in _WAVE) for row in (5, 8.5, 12)),
}
"""Signs that we draw ourselves, as strokes on a grid of 16 units."""


@lru_cache(maxsize=4096)
def line(theme: Theme, face: str, size: float, words: str, colour: Colour) -> pygame.Surface:
    """A line of text; ``size`` is at UI scale 100 %. Do not draw on the result."""
    font = theme.font(face, size)
    picture = font.render(words, True, colour)
    for at, letter in enumerate(words):
        if letter in SIGNS:
            # Neither face has these signs: ours stand where the box of a missing letter would.
            left, right = font.size(words[:at])[0], font.size(words[: at + 1])[0]
            cell = pygame.Rect(left, 0, right - left, picture.get_height())
            picture.fill((*colour, 0), cell)
            _sign(picture, cell, letter, colour)
    return picture


def _sign(picture: pygame.Surface, cell: pygame.Rect, letter: str, colour: Colour) -> None:
    side = 4 * cell.height
    large = pygame.Surface((side, side), pygame.SRCALPHA, 32)
    large.fill((*colour, 0))
    unit = side / 16
    for stroke in SIGNS[letter]:
        pygame.draw.lines(large, colour, False, [(x * unit, y * unit) for x, y in stroke], round(1.5 * unit))
    small = pygame.transform.smoothscale(large, (cell.height, cell.height))
    picture.blit(small, small.get_rect(center=cell.center))


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
    """``words`` in lines of at most ``width`` pixels; a word that is wider alone goes on in the next line."""
    return _filled(theme, face, size, re.findall(r"\s*\S+", words), width)


_OPERATORS = tuple("+-*/%&|^=<>")
_CODE = re.compile(r"\s*(?:\w[\w.]*|//|==|<=|>=|!=|<<|>>|\W)")


@lru_cache(maxsize=512)
def code_lines(theme: Theme, size: float, code: str, width: int) -> tuple[str, ...]:
    """A line of code in monospace lines of at most ``width`` pixels: broken in front of an operator or a name, never
    behind an opening bracket nor in front of a closing one or a comma; what follows the first line is indented."""
    pieces: list[str] = []
    for piece in _CODE.findall(code.strip()):
        sign, before = piece.strip(), pieces[-1].rstrip()[-1:] if pieces else ""
        # A bracket stays with its name, a word with its comma, a number with its sign.
        bracket = sign in tuple(")],;:([.") or before in tuple("([.:")
        if pieces and (bracket or (before in _OPERATORS and sign[:1] not in _OPERATORS)):
            pieces[-1] += piece
        else:
            pieces.append(piece)
    return _filled(theme, "mono", size, pieces, width, "  ")


def _filled(theme: Theme, face: str, size: float, pieces: list[str], width: int, indent: str = "") -> tuple[str, ...]:
    """Pieces one after the other in lines; the space in front of a piece is dropped where a line begins."""
    font = theme.font(face, size)
    lines: list[str] = []
    now = ""
    for piece in pieces:
        longer = (
            f"{now}{' ' + piece.lstrip() if piece[:1].isspace() else piece}" if now.strip() else now + piece.lstrip()
        )
        if font.size(longer)[0] <= width:
            now = longer
            continue
        if now.strip():
            lines.append(now)
            now = indent
        rest = now + piece.lstrip()
        while len(rest) > len(indent) + 1 and font.size(rest)[0] > width:
            fits = next((n for n in range(len(rest) - 1, len(indent) + 1, -1) if font.size(rest[:n])[0] <= width), 0)
            if not fits:
                break
            lines.append(rest[:fits])
            rest = indent + rest[fits:]
        now = rest
    if now.strip():
        lines.append(now)
    return tuple(lines)


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
