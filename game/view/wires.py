"""Drawing wires: straight runs as plain fills, round corners, gaps where they cross, and the ticks that travel."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise, repeat
from math import log2
from typing import Any, NamedTuple

import numpy as np
import pygame
from numpy.typing import NDArray

from game.theme import TEXT, WIRE_FAST, WIRE_SLOW, WIRE_STOPPED, Colour, mix
from game.view.layout import Layout
from game.view.roads import Road, pitch
from game.view.scene import Scene
from game.view.sprites import Mask, arc_mask, tinted
from game.view.zoom import Zoom

Point = tuple[float, float]

SHIELD_COLOUR, SHIELD_WIDTH = mix(WIRE_STOPPED, TEXT, 0.18), 3

UNDER = 4 / 32
"""Tiles that a line runs on below the bodies at its ends, so that round corners leave no gap."""


@lru_cache(maxsize=4096)
def wire_colour(every_ticks: int | None) -> Colour:
    """The colour of a wire by its power per tile, which is as its speed: grey to amber, from 1/16 to 8 tiles/ns."""
    if every_ticks is None:
        return WIRE_STOPPED
    share = (log2(100 / every_ticks) + 4) / 7
    return mix(WIRE_SLOW, WIRE_FAST, min(max(share, 0.0), 1.0))


class WirePiece(NamedTuple):
    """One wire as a chunk draws it: a value, so that two pictures can be compared. In tiles.

    ``lines`` has one line per word, ``centre`` stands for them far away; ``width`` is in pixels at UI scale 100 %,
    0 where the zoom says it.
    """

    lines: tuple[tuple[Point, ...], ...]
    centre: tuple[Point, ...]
    colour: Colour
    dashed: bool
    apart: float
    width: int = 0

    @property
    def boxes(self) -> Iterator[tuple[float, float, float, float]]:
        """Rectangles that its straight runs may touch."""
        for line in self.lines:
            for (ax, ay), (bx, by) in pairwise(line):
                yield min(ax, bx) - 0.2, min(ay, by) - 0.2, max(ax, bx) + 0.2, max(ay, by) + 0.2


def wire_piece(layout: Layout, road: Road, colour: Colour, dashed: bool = False, width: int = 0) -> WirePiece:
    """The piece of a road that runs on a little below the bodies at its ends."""
    known = layout.memo.setdefault("below", {})
    below = known.get(id(road))
    if below is None:
        lines = tuple(longer(line, road.start, road.end) for line in road.lines)
        below = known[id(road)] = (lines, longer(road.centre, road.start, road.end))
    return WirePiece(below[0], below[1], colour, dashed, pitch(layout.level.board.tracks), width)


def wire_pieces(layout: Layout) -> list[WirePiece | None]:
    """Pieces of all wires, in the design's order; None for a path that is none."""
    return [
        None if road is None else wire_piece(layout, road, wire_colour(wire.every_ticks), wire.every_ticks is None)
        for wire, road in zip(layout.design.wires, layout.roads, strict=True)
    ]


def shield_pieces(layout: Layout) -> list[Any]:
    """Pieces of all shields: a broad, dark line on each one's track."""
    apart = pitch(layout.level.board.tracks)
    return [
        WirePiece(road.lines, road.centre, SHIELD_COLOUR, False, apart, SHIELD_WIDTH)
        for road in layout.shields
        if road is not None
    ]


def longer(line: tuple[Point, ...], start: tuple[int, int], end: tuple[int, int]) -> tuple[Point, ...]:
    (x, y), (u, v) = line[0], line[-1]
    first = (x - start[0] * UNDER, y - start[1] * UNDER)
    last = (u + end[0] * UNDER, v + end[1] * UNDER)
    return (first, *line[1:-1], last)


def draw_wire(
    surface: pygame.Surface, ground: pygame.Surface | None, origin: tuple[int, int], zoom: Zoom, piece: WirePiece
) -> None:
    """Draw one wire; ``origin`` is where the board's corner is on the surface.

    With ``ground``, a picture of the bare board as large as the surface, wires drawn before are interrupted on both
    sides.
    """
    pitch_px = piece.apart * zoom.tile
    width = max(
        1, min(zoom.px(piece.width) if piece.width else zoom.wire, int(pitch_px * (0.95 if piece.width else 0.6)))
    )
    gap = min(zoom.gap, max(int(pitch_px) - width, 0))
    colour = mix(piece.colour, TEXT, 0.12) if zoom.nominal in (16, 24) and not piece.dashed else piece.colour
    lines = [
        [(origin[0] + round(x * zoom.tile), origin[1] + round(y * zoom.tile)) for x, y in line]
        for line in (piece.lines if zoom.lines else (piece.centre,))
    ]
    radii = _radii(lines, zoom.units(3), pitch_px)
    if ground is not None and gap:
        for rect in _cleared(lines, width, gap, pitch_px):
            surface.blit(ground, rect, rect)
    for line, radius in zip(lines, radii, strict=True):
        _draw_line(surface, line, radius, width, colour, zoom.px(4) if piece.dashed else 0)


def _cleared(lines: list[list[tuple[int, int]]], width: int, gap: int, pitch_px: float) -> Iterator[pygame.Rect]:
    """Where wires below are to be hidden: on both sides of every run, and between lines that lie side by side."""
    for line in lines:
        for (ax, ay), (bx, by) in pairwise(line):
            yield _run(ax, ay, bx, by, width, 0, 0).inflate(*((0, 2 * gap) if ay == by else (2 * gap, 0)))
    for one, other in pairwise(lines):
        if len(one) != len(other):
            continue
        for a, b, c, d in zip(one, one[1:], other, other[1:], strict=False):
            across = 1 if a[1] == b[1] else 0
            if a[across] != b[across] or c[across] != d[across] or abs(a[across] - c[across]) > pitch_px * 1.5:
                continue
            along = 1 - across
            low = max(min(a[along], b[along]), min(c[along], d[along]))
            high = min(max(a[along], b[along]), max(c[along], d[along]))
            side = min(a[across], c[across])
            if low < high:
                thick = abs(a[across] - c[across])
                yield pygame.Rect(low, side, high - low, thick) if across else pygame.Rect(side, low, thick, high - low)


def _radii(lines: list[list[tuple[int, int]]], least: float, pitch_px: float) -> list[list[float]]:
    """Radius at each corner of each line; the corners of neighbouring lines share a centre."""
    same = len({len(line) for line in lines}) == 1
    result = []
    for k, line in enumerate(lines):
        radii = []
        for i in range(1, len(line) - 1):
            (ax, ay), (x, y), (bx, by) = line[i - 1], line[i], line[i + 1]
            turn = (x - ax) * (by - y) - (y - ay) * (bx - x)
            # Lines are counted from the left of the way: a turn to the right has the last line inside.
            inner = (len(lines) - 1 - k) if turn > 0 else k
            radius = least + (inner * pitch_px if same else 0)
            room = min(abs(x - ax) + abs(y - ay), abs(bx - x) + abs(by - y)) / 2
            radii.append(min(radius, room))
        result.append(radii)
    return result


def _run(ax: int, ay: int, bx: int, by: int, width: int, cut_a: int, cut_b: int) -> pygame.Rect:
    """The fill of a straight run between two corners, ``cut`` short at each."""
    half, odd = width // 2, width % 2
    if (ax, ay) > (bx, by):
        ax, ay, bx, by, cut_a, cut_b = bx, by, ax, ay, cut_b, cut_a
    if cut_a:
        cut_a += odd
    if ay == by:
        return pygame.Rect(ax + cut_a, ay - half, max(bx - cut_b - ax - cut_a, 0), width)
    return pygame.Rect(ax - half, ay + cut_a, width, max(by - cut_b - ay - cut_a, 0))


def _draw_line(
    surface: pygame.Surface, line: list[tuple[int, int]], radii: list[float], width: int, colour: Colour, dash: int
) -> None:
    cuts = [0, *(int(r) for r in radii), 0]
    for i, ((ax, ay), (bx, by)) in enumerate(pairwise(line)):
        rect = _run(ax, ay, bx, by, width, cuts[i], cuts[i + 1])
        if dash:
            _dashes(surface, rect, dash, colour, ay == by)
        else:
            surface.fill(colour, rect)
    for i, cut in enumerate(cuts[1:-1], 1):
        (ax, ay), (x, y), (bx, by) = line[i - 1], line[i], line[i + 1]
        # Where the ring's centre lies, seen from the corner.
        sx = (ax > x) - (ax < x) + (bx > x) - (bx < x)
        sy = (ay > y) - (ay < y) + (by > y) - (by < y)
        if not sx or not sy:
            continue
        if cut < 1:
            surface.fill(colour, (x - width // 2, y - width // 2, width, width))
            continue
        arc = _corner(cut, width, sx, sy, colour)
        size = arc.get_width()
        # The middle of an odd line lies half a pixel right of and below its corner.
        odd = width % 2
        centre_x, centre_y = x + sx * cut + odd * (sx > 0), y + sy * cut + odd * (sy > 0)
        surface.blit(arc, (centre_x - size if sx > 0 else centre_x, centre_y - size if sy > 0 else centre_y))


def _dashes(surface: pygame.Surface, rect: pygame.Rect, dash: int, colour: Colour, level: bool) -> None:
    start, end = (rect.left, rect.right) if level else (rect.top, rect.bottom)
    for at in range(start - start % (2 * dash), end, 2 * dash):
        low, high = max(at, start), min(at + dash, end)
        if low < high:
            surface.fill(
                colour, (low, rect.top, high - low, rect.height) if level else (rect.left, low, rect.width, high - low)
            )


@lru_cache(maxsize=512)
def _corner(cut: int, width: int, sx: int, sy: int, colour: Colour) -> pygame.Surface:
    mask: Mask = arc_mask(cut + width % 2 / 2, width)
    # The mask has its centre at the top left; the ring is to lie away from the side where the centre is.
    if sx > 0:
        mask = mask[::-1]
    if sy > 0:
        mask = mask[:, ::-1]
    return tinted(np.ascontiguousarray(mask), colour)


# --- ticks -----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=128)
def _tick(thick: int, across: int, words: int, pitch_milli: int, flat: bool) -> pygame.Surface:
    """A mark across each line of a wire that runs level (``flat``) or upright."""
    long = round(across + (words - 1) * pitch_milli / 1000)
    surface = pygame.Surface((thick, long) if flat else (long, thick), pygame.SRCALPHA, 32)
    for k in range(words):
        at = round(k * pitch_milli / 1000)
        surface.fill((*TEXT, 92), (0, at, thick, across) if flat else (at, 0, across, thick))
    return surface


def draw_ticks(surface: pygame.Surface, origin: tuple[int, int], zoom: Zoom, layout: Layout, scene: Scene) -> int:
    """Marks one tile apart that travel along live wires at their speed, loaded or not; returns how many were drawn.

    A wire on which they would move over half a tile from frame to frame has none: it would seem to run backwards.
    """
    every = layout_every(layout)
    speed = np.where(every > 0, 100.0 / np.maximum(every, 1), 0.0)
    view = surface.get_clip()
    tile = zoom.tile
    seen = layout.ways.in_view(view, origin, tile)
    chosen = np.flatnonzero(seen & (speed > 0) & (speed * scene.pace <= 30))
    if not len(chosen):
        return 0
    if scene.loop_ns:
        begin, length = scene.loop_ns
        moved = (scene.time_ns - begin) / length * np.rint(speed[chosen] * length)
    else:
        moved = scene.time_ns * speed[chosen]
    counts = layout.ways.length[chosen].astype(np.int64)
    wires = np.repeat(chosen, counts).astype(np.int32)
    ends = np.cumsum(counts)
    position = np.arange(ends[-1]) - np.repeat(ends - counts, counts) + np.repeat(moved % 1.0, counts)
    x, y, level = layout.ways.locate(wires, position)
    px, py = np.rint(x * tile).astype(np.int32) + origin[0], np.rint(y * tile).astype(np.int32) + origin[1]
    inside = (px >= view.left) & (px < view.right) & (py >= view.top) & (py < view.bottom)
    words = layout.ways.words[wires]
    thick, across = max(1, zoom.wire // 2), zoom.wire + 2 * max(1, zoom.px(1.5))
    pitch_px = pitch(layout.level.board.tracks) * tile
    drawn = 0
    for n in np.unique(words[inside]).tolist():
        for flat in (True, False):
            which = inside & (words == n) & (level == flat)
            mark = _tick(thick, across, n, round(pitch_px * 1000), flat)
            half_w, half_h = mark.get_width() // 2, mark.get_height() // 2
            places = zip((px[which] - half_w).tolist(), (py[which] - half_h).tolist(), strict=True)
            surface.fblits(list(zip(repeat(mark), places, strict=False)))
            drawn += int(which.sum())
    return drawn


def layout_every(layout: Layout) -> NDArray[np.int64]:
    """Ticks per word of every wire, 0 where it is stopped or not drawn."""
    return np.array(
        [(wire.every_ticks or 0) if road else 0 for wire, road in zip(layout.design.wires, layout.roads, strict=True)]
    )
