"""What overlays put on cores, at places and on tile edges: rings, levels, heat, words and bars."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pygame

from game.theme import (
    BOARD,
    GREEN,
    ORANGE,
    PANEL_2,
    SKY,
    TEXT,
    TEXT_2,
    TEXT_3,
    TILE_STEPS,
    VERMILLION,
    VERMILLION_TEXT,
    Colour,
    Theme,
    mix,
    ramp,
)
from game.view.cores import body_mask, glyph_place
from game.view.glyphs import GLYPHS, glyph, glyph_of
from game.view.layout import Body, Layout
from game.view.shapes import corner_radius
from game.view.sprites import OVER, Mask, rounded_mask, text, tinted
from game.view.zoom import Zoom

Tile = tuple[int, int]


def paler(colour: Colour, steps: int) -> Colour:
    """A colour of less saturation and a little darker, for what is this many steps from where a stall begins."""
    grey = round(0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2])
    return mix(colour, mix((grey, grey, grey), BOARD, 0.45), 1 - 0.7**steps)


class CoreMark(NamedTuple):
    """A mark on a core or pad. ``kind`` is an overlay's name, ``shares`` up to three numbers 0 … 100; ``far`` is its
    distance from where a stall begins."""

    body: Body
    kind: str
    shares: tuple[int, ...]
    towards: Tile | None = None
    far: int = 0

    @property
    def boxes(self) -> Iterator[tuple[float, float, float, float]]:
        """The rectangle that it may touch."""
        x, y = self.body.at
        yield x - 0.6, y - 0.6, x + 1.6, y + 1.6

    def draw(self, surface: pygame.Surface, origin: tuple[int, int], zoom: Zoom, theme: Theme) -> None:
        left, top = origin[0] + self.body.at[0] * zoom.tile, origin[1] + self.body.at[1] * zoom.tile
        match self.kind:
            case "stalls":
                self._ring(surface, left, top, zoom)
            case "utilisation":
                self._level(surface, left, top, zoom, theme)
            case "power" | "heat":
                self._heat(surface, left, top, zoom, theme)
            case _:
                self._frame(surface, left, top, zoom)

    def _ring(self, surface: pygame.Surface, left: int, top: int, zoom: Zoom) -> None:
        busy, starved, blocked = self.shares
        if zoom.nominal < 16:
            most = max((busy, GREEN), (starved, SKY), (blocked, VERMILLION), key=lambda pair: pair[0])[1]
            self._fill(surface, left, top, zoom, paler(most, self.far))
            return
        self._fill(surface, left, top, zoom, mix(PANEL_2, BOARD, 0.5))
        # The ring fills the body, and its middle is for the sign.
        size = zoom.tile - 2 * round(zoom.units(4))
        picture = _three_part_ring(size, busy, blocked, self.towards, max(1, zoom.px(1)), self.far)
        surface.blit(picture, (left + (zoom.tile - size) // 2, top + (zoom.tile - size) // 2))
        if zoom.nominal >= 32:
            self._sign(surface, left + zoom.tile // 2, top + zoom.tile // 2, round(size * 0.46), TEXT_2)

    def _level(self, surface: pygame.Surface, left: int, top: int, zoom: Zoom, theme: Theme) -> None:
        share = self.shares[0] / 100
        self._fill(surface, left, top, zoom, mix(PANEL_2, BOARD, 0.4))
        mask = self._mask(zoom, 1.5 / 32)
        inset = zoom.units(3)
        cut = round(inset + (zoom.tile - 2 * inset) * (1 - share))
        part = mask.copy()
        part[:, :cut] = 0
        surface.blit(tinted(part, mix(GREEN, BOARD, 0.35)), (left, top))
        if zoom.nominal >= 24:
            written = text(
                theme, "mono", 9 if zoom.nominal < 32 else 12 if zoom.nominal < 96 else 16, str(self.shares[0]), TEXT
            )
            surface.blit(written, written.get_rect(center=(left + zoom.tile // 2, top + zoom.tile // 2)))

    def _heat(self, surface: pygame.Surface, left: int, top: int, zoom: Zoom, theme: Theme) -> None:
        share = self.shares[0] / 100
        self._fill(surface, left, top, zoom, ramp(share))
        if zoom.glyph:
            colour = BOARD if share > 0.6 else TEXT_2
            self._sign(surface, left + zoom.tile // 2, top + zoom.tile // 2, zoom.glyph, colour)

    def _frame(self, surface: pygame.Surface, left: int, top: int, zoom: Zoom) -> None:
        mask = self._mask(zoom, 0.0)
        line = max(1.5, zoom.units(2)) / zoom.tile
        inner = body_mask(
            self.body.core, self.body.towards, self.body.edge, zoom.tile, line, corner_radius(self.body.core)
        )
        surface.blit(tinted(mask, ORANGE), (left, top))
        surface.blit(tinted(inner, mix(PANEL_2, ORANGE, 0.15)), (left, top))
        if zoom.glyph:
            x, y, size = glyph_place(self.body, zoom)
            self._sign(surface, left + x + size // 2, top + y + size // 2, size, TEXT)

    def _mask(self, zoom: Zoom, inset: float) -> Mask:
        body = self.body
        return body_mask(body.core, body.towards, body.edge, zoom.tile, inset, corner_radius(body.core))

    def _fill(self, surface: pygame.Surface, left: int, top: int, zoom: Zoom, colour: Colour) -> None:
        mask = self._mask(zoom, 1.2 / 32)
        surface.blit(tinted(mask, colour), (left, top))

    def _sign(self, surface: pygame.Surface, x: int, y: int, size: int, colour: Colour) -> None:
        name = glyph_of(self.body.core, dict(self.body.settings))
        if name in GLYPHS and size >= 6:
            surface.blit(glyph(name, size, colour), (x - size // 2, y - size // 2))


NOTE_LETTER = 7.0
"""Pixels that a letter of a note takes at most, where a tile has as many as its zoom step says."""


class Note(NamedTuple):
    """A word below or above a place on the board, in tiles: ``half`` a tile of a core, or nothing of a wire away."""

    x: float
    y: float
    words: str
    colour: Colour
    least: int
    """Zoom step from which it is shown."""
    half: float = 0.0
    side: int = 1
    """1 for below, -1 for above."""

    @property
    def boxes(self) -> Iterator[tuple[float, float, float, float]]:
        """The rectangle that it may touch."""
        half = max(1.6, len(self.words) * NOTE_LETTER / 2 / self.least + 0.3)
        yield self.x - half, self.y - 1.2, self.x + half, self.y + 1.2

    def middle(self, zoom: Zoom) -> tuple[int, int]:
        """Where the middle of the word is, in pixels from the board's corner."""
        away = zoom.px(5) if self.half else zoom.packet // 2 + zoom.px(10)
        return round(self.x * zoom.tile), round(self.y * zoom.tile) + self.side * (round(self.half * zoom.tile) + away)

    def draw(self, surface: pygame.Surface, origin: tuple[int, int], zoom: Zoom, theme: Theme) -> None:
        if zoom.nominal >= self.least:
            x, y = self.middle(zoom)
            tag(surface, theme, self.words, origin[0] + x, origin[1] + y, self.colour)


def note_at(layout: Layout, item: int | str, words: str, colour: Colour, least: int) -> Note:
    """A word at a core, or at the middle of a wire's longest run."""
    if isinstance(item, str):
        x, y = layout.bodies[item].at
        return Note(x + 0.5, y + 0.5, words, colour, max(least, 32), 0.5)
    road = layout.roads[item]
    assert road is not None
    (ax, ay), (bx, by) = max(pairwise(road.centre), key=lambda r: abs(r[1][0] - r[0][0]) + abs(r[1][1] - r[0][1]))
    return Note((ax + bx) / 2, (ay + by) / 2, words, colour, least)


MOST_NOTES = 40
"""Further ones would find no room, and the time to look for it grows with the square."""


def spaced(notes: Sequence[Note], theme: Theme) -> list[Note]:
    """Notes that never cover each other, the first ones first: a later one stands on the other side of its place, or
    is shown from a larger zoom on, or is left out. At most :data:`MOST_NOTES`."""
    zooms = [Zoom(step, round(step * theme.scale), theme.scale) for step in TILE_STEPS]
    found: list[Note] = []
    grounds: dict[int, list[pygame.Rect]] = {zoom.nominal: [] for zoom in zooms}
    for note in notes[:MOST_NOTES]:
        size = theme.font("mono", 11).size(note.words)
        steps = [step for step in TILE_STEPS if step >= note.least]
        for one in (note._replace(least=step, side=side) for step in steps for side in (1, -1)):
            seen = {zoom.nominal: _ground(one, zoom, theme, size) for zoom in zooms if zoom.nominal >= one.least}
            if all(rect.collidelist(grounds[step]) < 0 for step, rect in seen.items()):
                found.append(one)
                for step, rect in seen.items():
                    grounds[step].append(rect)
                break
    return found


def _ground(note: Note, zoom: Zoom, theme: Theme, size: tuple[int, int]) -> pygame.Rect:
    rect = pygame.Rect((0, 0), size)
    rect.center = note.middle(zoom)
    return rect.inflate(theme.px(6), theme.px(1))


class EdgeBar(NamedTuple):
    """How full a tile edge is: a bar across it, as long as the tracks in use."""

    x: float
    y: float
    upright: bool
    used: int
    tracks: int

    @property
    def boxes(self) -> Iterator[tuple[float, float, float, float]]:
        """The rectangle that it may touch."""
        yield self.x - 0.6, self.y - 0.6, self.x + 0.6, self.y + 0.6

    def draw(self, surface: pygame.Surface, origin: tuple[int, int], zoom: Zoom, theme: Theme) -> None:
        share = self.used / self.tracks
        colour = VERMILLION_TEXT if share >= 1 else mix(TEXT_3, ORANGE, share)
        length = max(2, round(zoom.tile * min(share, 1.2) * 0.92))
        thick = max(1, zoom.px(1 if share < 1 else 2))
        x, y = round(origin[0] + self.x * zoom.tile), round(origin[1] + self.y * zoom.tile)
        rect = (
            (x - thick // 2, y - length // 2, thick, length)
            if self.upright
            else (x - length // 2, y - thick // 2, length, thick)
        )
        surface.fill(colour, rect)
        least = 32 if share >= 1 else 64 if self.used > 1 else 96
        if zoom.nominal >= least:
            tag(surface, theme, f"{self.used}/{self.tracks}", x, y, colour)


def tag(surface: pygame.Surface, theme: Theme, words: str, x: int, y: int, colour: Colour = TEXT) -> None:
    """A word in the middle of a dark ground, in pixels."""
    written = text(theme, "mono", 11, words, colour)
    rect = written.get_rect(center=(x, y))
    ground = rect.inflate(theme.px(6), theme.px(1))
    surface.blit(tinted(rounded_mask(ground.width, ground.height, theme.px(3)), BOARD, 0.88), ground)
    surface.blit(written, rect)


@lru_cache(maxsize=1024)
def _three_part_ring(
    size: int, busy: int, blocked: int, towards: Tile | None, line: int, far: int = 0
) -> pygame.Surface:
    """Busy solid green, then starved as two thin rims, then blocked hatched; from the top, or from the empty input."""
    samples = (np.arange(size * OVER, dtype=np.float32) + 0.5) / OVER - size / 2
    x, y = samples[:, None], samples[None, :]
    distance = np.hypot(x, y)
    begin = {None: -90.0, (1, 0): 0.0, (0, 1): 90.0, (-1, 0): 180.0, (0, -1): -90.0}[towards]
    starved = max(100 - busy - blocked, 0)
    # Clockwise shares of the circle; the middle of the starved part points to the empty input.
    turn = ((np.degrees(np.arctan2(y, x)) - begin) / 360 + (starved / 200 if towards else 0)) % 1.0 * 100
    outer, inner = size / 2, size * 0.33
    band = (distance <= outer) & (distance >= inner)
    rim = band & ((distance >= outer - line) | (distance <= inner + line))
    order = (
        (("starved", starved), ("busy", busy), ("blocked", blocked))
        if towards
        else (("busy", busy), ("starved", starved), ("blocked", blocked))
    )
    picture = pygame.Surface((size, size), pygame.SRCALPHA, 32)
    at = 0.0
    for name, share in order:
        part = (turn >= at) & (turn < at + share)
        at += share
        match name:
            case "busy":
                _layer(picture, band & part, paler(GREEN, far))
            case "starved":
                _layer(picture, rim & part, paler(SKY, far))
                if towards and 0 < share < 100:
                    continue
            case _:
                _layer(picture, band & part, mix(paler(VERMILLION, far), BOARD, 0.55))
                period = max(4, round(size / 8))
                _layer(picture, band & part & ((x + y) % period < period / 2), paler(VERMILLION, far))
    return picture


def _layer(picture: pygame.Surface, inside: np.ndarray, colour: Colour) -> None:
    size = picture.get_width()
    mask = (
        np.broadcast_to(inside, (size * OVER, size * OVER))
        .reshape(size, OVER, size, OVER)
        .mean(axis=(1, 3), dtype=np.float32)
    )
    picture.blit(tinted(mask, colour), (0, 0))
