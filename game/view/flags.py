"""Words of overlays that tell of one wire among others: each beside its wire, with a thin line to the place it means.

A flag stands where its wire is alone, if it can; else outside of the bundle, its line ending in a dot on the wire.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np
import pygame
from numpy.typing import NDArray

from game.theme import TILE_STEPS, Colour, Theme
from game.view.layout import Layout
from game.view.overlay_marks import MOST_NOTES, NOTE_LETTER, tag
from game.view.roads import Road
from game.view.zoom import Zoom

Tile = tuple[int, int]
Place = tuple[float, float, Tile, float]
"""x and y on the wire, side and length of the line."""

AWAY = (0.0, 0.5, 1.0, 1.8)
"""Lengths of lines to choose from, in tiles."""

PLACES = 16
"""Places along a wire at most where its flag may stand."""

ALONE = 0.45
"""Tiles within which no other wire lies beside a wire that is alone."""

CROSSING, CROWDED, FARTHER = 2.5, 1.5, 0.04
"""What a place costs, where a tile of line costs 1: for each wire that the line crosses; where the wire is not alone;
and for each tile from the middle of the way."""


class Flag(NamedTuple):
    """``words`` beside a place of a wire, in tiles: ``away`` tiles to one ``side`` of it; shown at one step of the zoom
    only, as words need more tiles the smaller these are."""

    x: float
    y: float
    side: Tile
    away: float
    words: str
    colour: Colour
    step: int

    @property
    def boxes(self) -> Iterator[tuple[float, float, float, float]]:
        """The rectangle that it may touch."""
        wide, high = len(self.words) * NOTE_LETTER / self.step + 0.6, 24 / self.step + 0.6
        (dx, dy), far = self.side, self.away + (wide if self.side[0] else high)
        half = (high if dx else wide) / 2
        x, y = self.x + dx * far, self.y + dy * far
        across = (0.0, half) if dx else (half, 0.0)
        yield (
            min(self.x, x) - across[0] - 0.2,
            min(self.y, y) - across[1] - 0.2,
            max(self.x, x) + across[0] + 0.2,
            max(self.y, y) + across[1] + 0.2,
        )

    def place(self, zoom: Zoom) -> tuple[int, int]:
        """The place on the wire, in pixels from the board's corner."""
        return round(self.x * zoom.tile), round(self.y * zoom.tile)

    def ground(self, zoom: Zoom, theme: Theme) -> pygame.Rect:
        """What the word covers, in pixels from the board's corner."""
        width, height = theme.font("mono", 11).size(self.words)
        rect = pygame.Rect(0, 0, width + theme.px(6), height + theme.px(1))
        (x, y), (dx, dy) = self.place(zoom), self.side
        off = round(self.away * zoom.tile) + zoom.wire // 2 + zoom.px(4)
        rect.center = (x + dx * (off + rect.width // 2), y + dy * (off + rect.height // 2))
        return rect

    def line(self, zoom: Zoom, theme: Theme) -> pygame.Rect:
        """What the line from the wire to the word covers."""
        (x, y), ground, thick = self.place(zoom), self.ground(zoom, theme), zoom.px(1)
        if self.side[0]:
            left, right = sorted((x, ground.left if self.side[0] > 0 else ground.right))
            return pygame.Rect(left, y - thick // 2, right - left, thick)
        top, bottom = sorted((y, ground.top if self.side[1] > 0 else ground.bottom))
        return pygame.Rect(x - thick // 2, top, thick, bottom - top)

    def draw(self, surface: pygame.Surface, origin: tuple[int, int], zoom: Zoom, theme: Theme) -> None:
        if zoom.nominal != self.step:
            return
        surface.fill(self.colour, self.line(zoom, theme).move(origin))
        x, y = self.place(zoom)
        pygame.draw.circle(surface, self.colour, (origin[0] + x, origin[1] + y), zoom.wire // 2 + zoom.px(2))
        tag(surface, theme, self.words, *self.ground(zoom, theme).move(origin).center, self.colour)


def flags(layout: Layout, told: Sequence[tuple[int, str, Colour]], least: int, theme: Theme) -> list[Flag]:
    """Flags of wires, (wire, words, colour), the first ones first, at all zooms from ``least`` on: none covers another,
    a wire, a shield or a body. One that finds no place at a zoom is left out there. At most :data:`MOST_NOTES`."""
    zooms = [Zoom(step, round(step * theme.scale), theme.scale) for step in TILE_STEPS if step >= least]
    ways = [(w, road) for w, road in enumerate(layout.roads) if road is not None]
    ways += [(-1, road) for road in layout.shields if road is not None]
    runs = np.array(
        [(w, *a, *b) for w, road in ways for line in road.lines for a, b in pairwise(line)], np.float64
    ).reshape(-1, 5)
    valued = [
        (_candidates(layout.roads[wire], runs[runs[:, 0] != wire, 1:]), words, colour)
        for wire, words, colour in told[:MOST_NOTES]
    ]
    found: list[Flag] = []
    for zoom in zooms:
        held = _bodies(layout, zoom)
        taken = _lines(ways, zoom) + held
        for places, words, colour in valued:
            for place in places:
                flag = Flag(*place, words, colour, zoom.nominal)
                if _free(flag, zoom, theme, layout, taken, held):
                    rects = (flag.ground(zoom, theme), flag.line(zoom, theme))
                    taken += rects
                    held += rects
                    found.append(flag)
                    break
    return found


def _free(
    flag: Flag, zoom: Zoom, theme: Theme, layout: Layout, taken: list[pygame.Rect], held: list[pygame.Rect]
) -> bool:
    """Whether the word covers nothing and is on the board, and the line goes through no body and no other word."""
    columns, rows = layout.level.board.size
    ground, brim = flag.ground(zoom, theme), zoom.tile // 2
    board = pygame.Rect(0, 0, columns * zoom.tile, rows * zoom.tile).inflate(2 * brim, 2 * brim)
    return board.contains(ground) and ground.collidelist(taken) < 0 and flag.line(zoom, theme).collidelist(held) < 0


def _candidates(road: Road | None, others: NDArray[np.float64]) -> list[Place]:
    """Where a wire's flag may stand, the best first. ``others``: runs of the other wires and of shields, (n, 4)."""
    if road is None:
        return []
    places: list[tuple[float, float, bool, float]] = []
    total = sum(abs(bx - ax) + abs(by - ay) for (ax, ay), (bx, by) in pairwise(road.centre))
    each, gone = max(0.5, total / PLACES), 0.0
    for (ax, ay), (bx, by) in pairwise(road.centre):
        length = abs(bx - ax) + abs(by - ay)
        count = max(1, int((length - 0.4) / each)) if length > 0.3 else 0
        for k in range(count):
            part = (k + 0.5) / count
            farther = abs(gone + length * part - total / 2)
            places.append((ax + (bx - ax) * part, ay + (by - ay) * part, ay == by, farther))
        gone += length
    left, top = np.minimum(others[:, 0], others[:, 2]), np.minimum(others[:, 1], others[:, 3])
    right, bottom = np.maximum(others[:, 0], others[:, 2]), np.maximum(others[:, 1], others[:, 3])
    valued: list[tuple[float, int, Place]] = []
    for x, y, level, farther in places:
        near = np.maximum(np.maximum(left - x, x - right), np.maximum(top - y, y - bottom))
        crowded = bool((near < ALONE).any())
        for sign, away in product((1, -1), AWAY):
            dx, dy = side = (0, sign) if level else (sign, 0)
            ex, ey = x + dx * (away + 0.2), y + dy * (away + 0.2)
            crossed = (left <= max(x, ex)) & (right >= min(x, ex)) & (top <= max(y, ey)) & (bottom >= min(y, ey))
            cost = CROSSING * int(crossed.sum()) + CROWDED * crowded + away + FARTHER * farther
            valued.append((cost, len(valued), (x, y, side, away)))
    return [place for _, _, place in sorted(valued)]


def _lines(ways: Sequence[tuple[int, Road]], zoom: Zoom) -> list[pygame.Rect]:
    """What lines of wires and shields cover at a zoom."""
    wide = zoom.wire + 2
    return [
        pygame.Rect(
            round(min(ax, bx) * zoom.tile) - wide // 2,
            round(min(ay, by) * zoom.tile) - wide // 2,
            round(abs(bx - ax) * zoom.tile) + wide,
            round(abs(by - ay) * zoom.tile) + wide,
        )
        for _, road in ways
        for line in (road.lines if zoom.lines else (road.centre,))
        for (ax, ay), (bx, by) in pairwise(line)
    ]


def _bodies(layout: Layout, zoom: Zoom) -> list[pygame.Rect]:
    """What bodies cover at a zoom, with the names above or below them."""
    brim = 2 * zoom.px(14)
    return [
        pygame.Rect(body.at[0] * zoom.tile, body.at[1] * zoom.tile, zoom.tile, zoom.tile).inflate(0, brim)
        for body in layout.bodies.values()
    ]
