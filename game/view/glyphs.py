"""Our own signs for cores and pads: strokes on a grid of 16 units, 1.75 units wide, with round ends.

Every entry of the catalogue has one. Where a setting changes what a core computes (the relation of a compare, the
operation of a reduction), the sign changes with it: :func:`glyph_of`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import cos, pi, sin
from typing import Any

import pygame

from game.theme import Colour
from game.view.sprites import Mask, Point, stroke_mask, tinted

UNITS = 16
THICKNESS = 1.75

Strokes = tuple[tuple[Point, ...], ...]


def _line(*numbers: float) -> tuple[Point, ...]:
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


def _arc(x: float, y: float, radius: float, start: float = 0, end: float = 360) -> tuple[Point, ...]:
    """Degrees clockwise from the right, as the screen's y runs down."""
    steps = max(6, round(abs(end - start) / 12))
    angles = [(start + (end - start) * i / steps) * pi / 180 for i in range(steps + 1)]
    return tuple((x + radius * cos(a), y + radius * sin(a)) for a in angles)


def _dots(*numbers: float) -> Strokes:
    return tuple((point,) for point in zip(numbers[::2], numbers[1::2], strict=True))


_LESS = _line(12, 2.5, 4, 7, 12, 11.5)
_MORE = _line(4, 2.5, 12, 7, 4, 11.5)
_TRAY = _line(2.5, 10, 2.5, 13.5, 13.5, 13.5, 13.5, 10)

GLYPHS: Mapping[str, Strokes] = {
    # pads
    "threads": (
        *_dots(3, 3.5, 3, 8, 3, 12.5),
        _line(6.5, 3.5, 13.5, 3.5),
        _line(6.5, 8, 13.5, 8),
        _line(6.5, 12.5, 13.5, 12.5),
    ),
    "stream": (_line(2.5, 8, 13.5, 8), _line(9, 3.5, 13.5, 8, 9, 12.5)),
    "load": (_TRAY, _line(8, 10, 8, 2.5), _line(4.7, 5.8, 8, 2.5, 11.3, 5.8)),
    "store": (_TRAY, _line(8, 2.5, 8, 10), _line(4.7, 6.7, 8, 10, 11.3, 6.7)),
    "shield": (
        _line(8, 2, 8, 8),
        _line(2.5, 8, 13.5, 8),
        _line(4.6, 11, 11.4, 11),
        _line(6.8, 14, 9.2, 14),
    ),
    "sink": (_arc(8, 8, 5.6), _arc(8, 8, 1.3)),
    # arithmetic
    "add": (_line(8, 2.5, 8, 13.5), _line(2.5, 8, 13.5, 8)),
    "sub": (_line(2.5, 8, 13.5, 8),),
    "mul": (_line(3.6, 3.6, 12.4, 12.4), _line(12.4, 3.6, 3.6, 12.4)),
    "mul.serial": (_line(2.5, 2.5, 10, 10), _line(10, 2.5, 2.5, 10), _line(11, 14, 14, 14, 14, 11)),
    "mac": (
        _line(1.8, 2.2, 7.2, 7.6),
        _line(7.2, 2.2, 1.8, 7.6),
        _line(11, 7.6, 11, 14.2),
        _line(7.7, 10.9, 14.3, 10.9),
    ),
    "div": (_line(2.5, 8, 13.5, 8), *_dots(8, 3.6, 8, 12.4)),
    "mod": (_line(12.3, 3, 3.7, 13), _arc(4.4, 4.6, 1.9), _arc(11.6, 11.4, 1.9)),
    "min": (_line(3.2, 3.5, 8, 8.6, 12.8, 3.5), _line(2.5, 12.8, 13.5, 12.8)),
    "max": (_line(3.2, 12.5, 8, 7.4, 12.8, 12.5), _line(2.5, 3.2, 13.5, 3.2)),
    "abs": (_line(2.6, 2.5, 2.6, 13.5), _line(13.4, 2.5, 13.4, 13.5), _arc(7.6, 8.2, 2.4), _line(10, 5.6, 10, 10.8)),
    "neg": (_line(2, 4.8, 7.6, 4.8), _line(4.8, 2, 4.8, 7.6), _line(12.6, 2.8, 3.4, 13.2), _line(9, 11.6, 14, 11.6)),
    "exp": (
        _line(2.5, 10, 8.9, 10),
        _arc(5.7, 10, 3.2, 0, -310),
        _line(10.2, 1.8, 14.2, 6.2),
        _line(14.2, 1.8, 10.2, 6.2),
    ),
    "and": (_line(2.8, 13, 8, 2.8, 13.2, 13),),
    "or": (_line(2.8, 3, 8, 13.2, 13.2, 3),),
    "xor": (_arc(8, 8, 5.6), _line(8, 2.6, 8, 13.4), _line(2.6, 8, 13.4, 8)),
    "shl": (_line(7.5, 3, 2.8, 8, 7.5, 13), _line(13, 3, 8.3, 8, 13, 13)),
    "shr": (_line(3, 3, 7.7, 8, 3, 13), _line(8.5, 3, 13.2, 8, 8.5, 13)),
    "compare": (_line(12, 3, 4, 8, 12, 13),),
    "compare.lt": (_line(12, 3, 4, 8, 12, 13),),
    "compare.gt": (_line(4, 3, 12, 8, 4, 13),),
    "compare.le": (_LESS, _line(4, 14.2, 12, 14.2)),
    "compare.ge": (_MORE, _line(4, 14.2, 12, 14.2)),
    "compare.eq": (_line(3, 5.6, 13, 5.6), _line(3, 10.4, 13, 10.4)),
    "compare.ne": (_line(3, 5.6, 13, 5.6), _line(3, 10.4, 13, 10.4), _line(11, 2.2, 5, 13.8)),
    "select": (_line(2.2, 3.6, 5.8, 3.6, 9.6, 8, 13.8, 8), _line(2.2, 12.4, 5, 12.4), *_dots(7, 12.4)),
    "address": (
        _line(5.4, 2.5, 2.6, 2.5, 2.6, 13.5, 5.4, 13.5),
        _line(10.6, 2.5, 13.4, 2.5, 13.4, 13.5, 10.6, 13.5),
        _line(8, 7.4, 8, 11.4),
        *_dots(8, 4.6),
    ),
    # steering
    "relay": (_line(2.2, 8, 13.8, 8), _line(5.2, 8, 9, 3.4, 13.8, 3.4), _line(5.2, 8, 9, 12.6, 13.8, 12.6)),
    "gate": (_line(1.8, 10, 4.4, 10), *_dots(4.6, 10, 11.6, 10), _line(4.6, 10, 10.8, 4.2), _line(11.8, 10, 14.2, 10)),
    "switch": (_line(2.2, 8, 6, 8), _line(13.8, 3.4, 10, 3.4, 6, 8, 10, 12.6, 13.8, 12.6)),
    "mux": (_line(4, 2.2, 12, 5.2, 12, 10.8, 4, 13.8, 4, 2.2), _line(1.6, 8, 1.7, 8), _line(14.3, 8, 14.4, 8)),
    "guard": (_line(2.2, 8, 10.8, 8), _line(11.4, 2.8, 11.4, 13.2)),
    "repeat": (_arc(8, 8.6, 5, 10, 308), _line(11.4, 1.6, 11.6, 5.2, 8, 5.6)),
    "hold": (*_dots(3, 8), _line(6.8, 4.6, 6.8, 11.4), _line(10.2, 4.6, 10.2, 11.4), _line(13.6, 4.6, 13.6, 11.4)),
    "take": (*_dots(2.6, 8, 6.2, 8), _line(9.4, 2.8, 9.4, 13.2), _arc(13, 8, 1.2)),
    "skip": (_arc(3, 8, 1.2), _line(6.6, 2.8, 6.6, 13.2), *_dots(9.8, 8, 13.4, 8)),
    "counter": (_line(2.2, 13.2, 5.2, 13.2, 5.2, 9.8, 8.2, 9.8, 8.2, 6.4, 11.2, 6.4, 11.2, 3, 14, 3),),
    "deal": (_line(2.2, 8, 5, 8, 10.4, 3.6), *_dots(12.6, 2.8, 13.4, 8, 12.6, 13.2)),
    "collect": (_line(13.8, 8, 11, 8, 5.6, 3.6), *_dots(3.4, 2.8, 2.6, 8, 3.4, 13.2)),
    "tuple": (_line(4.8, 2.6, 1.9, 8, 4.8, 13.4), _line(11.2, 2.6, 14.1, 8, 11.2, 13.4), *_dots(6.3, 8, 9.7, 8)),
    "join": (_line(13.8, 8, 10, 8), _line(2.2, 3.4, 6, 3.4, 10, 8, 6, 12.6, 2.2, 12.6)),
    "pack": (*_dots(2.6, 8, 5.6, 8), _line(8.6, 2.4, 8.6, 13.6), *_dots(11.8, 3.4, 11.8, 8, 11.8, 12.6)),
    "unpack": (*_dots(4.2, 3.4, 4.2, 8, 4.2, 12.6), _line(7.4, 2.4, 7.4, 13.6), *_dots(10.4, 8, 13.4, 8)),
    "shuffle": (_line(2.4, 3.4, 5.4, 3.4, 10.6, 12.6, 13.6, 12.6), _line(2.4, 12.6, 5.4, 12.6, 10.6, 3.4, 13.6, 3.4)),
    "compact": (
        *_dots(3, 2.8, 3, 9.4),
        _arc(3, 6.1, 1.1),
        _arc(3, 12.8, 1.1),
        _line(6, 8, 9, 8),
        *_dots(12.6, 5.4, 12.6, 10.6),
    ),
    # storage
    "buffer": (_line(3, 2.4, 13, 2.4, 13, 13.6, 3, 13.6, 3, 2.4), _line(3, 6.1, 13, 6.1), _line(3, 9.9, 13, 9.9)),
    "delay": (
        _line(2, 7.2, 7, 7.2, 2, 13.6, 7, 13.6),
        _line(8.4, 5, 9.9, 5),
        _line(12.2, 3.4, 13.6, 2.4, 13.6, 7.4),
    ),
    "shared": (
        _line(3, 2, 9.6, 2, 13, 5.4, 13, 14, 3, 14, 3, 2),
        _line(5.8, 7.2, 10.2, 7.2),
        _line(5.8, 10.6, 10.2, 10.6),
    ),
    "barrier": (_line(3.4, 2.4, 3.4, 13.6), _line(12.6, 2.4, 12.6, 13.6), *_dots(8, 4, 8, 8, 8, 12)),
    # reduction
    "reduce": (_line(2.4, 2.8, 6, 2.8, 9.6, 8, 13.6, 8), _line(2.4, 13.2, 6, 13.2, 9.6, 8), *_dots(3, 6.2, 3, 9.8)),
    "accumulate": (_line(12.4, 4.6, 12.4, 2.6, 3.6, 2.6, 8.6, 8, 3.6, 13.4, 12.4, 13.4, 12.4, 11.4),),
    "accumulate.mul": (_line(2.4, 2.8, 13.6, 2.8), _line(4.6, 2.8, 4.6, 13.4), _line(11.4, 2.8, 11.4, 13.4)),
    "accumulate.min": (_line(3.2, 5.6, 8, 10.4, 12.8, 5.6), _line(2.5, 13.6, 13.5, 13.6), *_dots(8, 2.4)),
    "accumulate.max": (_line(3.2, 10.4, 8, 5.6, 12.8, 10.4), _line(2.5, 2.4, 13.5, 2.4), *_dots(8, 13.6)),
    "accumulate.and": (_line(3.4, 10.4, 8, 2.2, 12.6, 10.4), _line(3, 13.8, 13, 13.8)),
    "accumulate.or": (_line(3.4, 2.4, 8, 10.6, 12.6, 2.4), _line(3, 13.8, 13, 13.8)),
    "accumulate.xor": (_arc(8, 6.6, 4.4), _line(8, 2.4, 8, 10.8), _line(3.8, 6.6, 12.2, 6.6), _line(3, 13.8, 13, 13.8)),
    "scan": (
        _line(3, 13.4, 3, 10.8),
        _line(6.4, 13.4, 6.4, 8.2),
        _line(9.8, 13.4, 9.8, 5.4),
        _line(13.2, 13.4, 13.2, 2.6),
    ),
}


def glyph_of(core: str, settings: Mapping[str, Any] | None = None) -> str:
    """Key of the sign of a core with these settings."""
    op = (settings or {}).get("op")
    special = f"{core}.{op}"
    return special if op is not None and special in GLYPHS else core


@lru_cache(maxsize=1024)
def glyph_mask(name: str, size: int) -> Mask:
    """Coverage of the sign in a square of ``size`` pixels. Do not change the result."""
    unit = size / UNITS
    strokes: Sequence[Sequence[Point]] = [[(x * unit, y * unit) for x, y in stroke] for stroke in GLYPHS[name]]
    return stroke_mask(strokes, max(THICKNESS * unit, 1.2), size, size)


@lru_cache(maxsize=2048)
def glyph(name: str, size: int, colour: Colour, opacity: float = 1.0) -> pygame.Surface:
    """The sign ``name`` (see :func:`glyph_of`) in a square of ``size`` pixels, on nothing."""
    return tinted(glyph_mask(name, size), colour, opacity)
