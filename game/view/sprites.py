"""Small cached pictures: shapes drawn three times too large, averaged down, and coloured; and lines of text.

A *mask* is a float array of coverage, indexed [x, y], 0 … 1. Everything that is not a straight line on the board is
made of masks, so that edges are smooth on any ground. Caches are bounded and keyed by what the picture shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
import pygame
from numpy.typing import NDArray

from game.theme import Colour, Theme

OVER = 3
"""Supersampling: samples per pixel in each direction."""

Mask = NDArray[np.float32]
Point = tuple[float, float]


def averaged(large: pygame.Surface) -> Mask:
    """Coverage of a surface drawn in white on black, ``OVER`` times too large."""
    red = pygame.surfarray.pixels_red(large).astype(np.float32)
    width, height = red.shape[0] // OVER, red.shape[1] // OVER
    return np.asarray(red.reshape(width, OVER, height, OVER).mean(axis=(1, 3)) / np.float32(255))


def canvas(width: int, height: int) -> pygame.Surface:
    """A black surface on which to draw a mask of this size, in coordinates times ``OVER``."""
    return pygame.Surface((width * OVER, height * OVER), depth=32)


def polygon_mask(points: Sequence[Point], width: int, height: int) -> Mask:
    """Coverage of a filled polygon given in pixels."""
    large = canvas(width, height)
    pygame.draw.polygon(large, "white", [(x * OVER - 0.5, y * OVER - 0.5) for x, y in points])
    return averaged(large)


def stroke_mask(strokes: Sequence[Sequence[Point]], thickness: float, width: int, height: int) -> Mask:
    """Coverage of lines with round ends and corners; a stroke of one point is a dot twice as thick."""
    large = canvas(width, height)
    radius = thickness * OVER / 2
    for stroke in strokes:
        points = [(x * OVER, y * OVER) for x, y in stroke]
        if len(points) == 1:
            pygame.draw.circle(large, "white", points[0], radius * 1.45)
            continue
        for (ax, ay), (bx, by) in pairwise(points):
            length = max(((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5, 1e-6)
            nx, ny = -(by - ay) / length * radius, (bx - ax) / length * radius
            pygame.draw.polygon(
                large, "white", [(ax + nx, ay + ny), (bx + nx, by + ny), (bx - nx, by - ny), (ax - nx, ay - ny)]
            )
        for i, point in enumerate(points):
            if i in (0, len(points) - 1) or _sharp(points[i - 1], point, points[i + 1]):
                pygame.draw.circle(large, "white", point, radius)
    return averaged(large)


def _sharp(before: Point, here: Point, after: Point) -> bool:
    """Whether a line bends so much that its outer side would gape; a disc there makes gentle curves bumpy."""
    ax, ay, bx, by = here[0] - before[0], here[1] - before[1], after[0] - here[0], after[1] - here[1]
    return bool(ax * bx + ay * by < 0.9 * ((ax * ax + ay * ay) * (bx * bx + by * by)) ** 0.5)


def disc_mask(diameter: float, size: int, hole: float = 0.0) -> Mask:
    """A disc, or a ring with a hole of diameter ``hole``, in the middle of a square of ``size`` pixels."""
    samples = (np.arange(size * OVER, dtype=np.float32) + 0.5) / OVER - size / 2
    distance = np.hypot(samples[:, None], samples[None, :])
    inside = (distance <= diameter / 2) & (distance >= hole / 2)
    return np.asarray(inside.reshape(size, OVER, size, OVER).mean(axis=(1, 3), dtype=np.float32))


def arc_mask(radius: float, thickness: float) -> Mask:
    """A quarter of a ring about the corner (0, 0) of its square."""
    size = int(np.ceil(radius + thickness / 2))
    samples = (np.arange(size * OVER, dtype=np.float32) + 0.5) / OVER
    distance = np.hypot(samples[:, None], samples[None, :])
    inside = np.abs(distance - radius) <= thickness / 2
    return np.asarray(inside.reshape(size, OVER, size, OVER).mean(axis=(1, 3), dtype=np.float32))


def tinted(mask: Mask, colour: Colour, opacity: float = 1.0) -> pygame.Surface:
    """A picture of one colour with the mask as its alpha."""
    surface = pygame.Surface(mask.shape, pygame.SRCALPHA, 32)
    surface.fill((*colour, 0))
    pygame.surfarray.pixels_alpha(surface)[:] = np.rint(mask * (255 * opacity)).astype(np.uint8)
    return surface


@lru_cache(maxsize=4096)
def text(theme: Theme, face: str, size: float, words: str, colour: Colour) -> pygame.Surface:
    """A line of text; ``size`` is at UI scale 100 %."""
    return theme.font(face, size).render(words, True, colour)


@lru_cache(maxsize=512)
def badge(theme: Theme, words: str, colour: Colour, ground: Colour, edge: Colour) -> pygame.Surface:
    """A value in a rounded rectangle 16 px high."""
    written = text(theme, "mono", 11, words, colour)
    height, radius = theme.px(16), theme.px(4)
    width = written.get_width() + theme.px(8)
    outer = rounded_mask(width, height, radius)
    surface = tinted(outer, edge)
    one = theme.px(1)
    inner = tinted(rounded_mask(width - 2 * one, height - 2 * one, max(radius - one, 1)), ground)
    surface.blit(inner, (one, one))
    surface.blit(written, ((width - written.get_width()) // 2, (height - written.get_height()) // 2))
    return surface


@lru_cache(maxsize=1024)
def rounded_mask(width: int, height: int, radius: float) -> Mask:
    """A rectangle with round corners that fills its mask. Do not change the result."""
    large = canvas(width, height)
    pygame.draw.rect(large, "white", large.get_rect(), border_radius=round(radius * OVER))
    return averaged(large)
