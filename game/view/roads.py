"""Where wires run on the screen: their lines at true track positions, in tiles, whatever the zoom.

Where it does not matter on which track a wire lies, tracks of a tile edge are numbered from the middle: 0 runs through
the middle of the tiles, 1, 2, 3 to its right or below, the others to its left or above. In levels with crosstalk it
matters, and they are the machine's, from north to south or west to east. Each word of a wire is a line of its own.
Lines of one wire keep their order along the way, so that they never cross each other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pygame
from numpy.typing import NDArray

from engine.board import expand
from engine.route import assign
from engine.tracks import Lane, lay

Point = tuple[float, float]
Tile = tuple[int, int]
Trim = Callable[[Tile, Point, Point], float]
"""(tile, direction into the tile's middle, the line's position beside the middle) → tiles from the middle at which the
body begins; 0 where nothing stands."""

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Road:
    """One wire's way. ``lines`` has one polyline per word, ``centre`` is their mean; corners only, in tiles.

    ``start`` and ``end`` are the unit steps of the first and last edge.
    """

    words: int
    length: int
    lines: tuple[tuple[Point, ...], ...]
    centre: tuple[Point, ...]
    start: Tile
    end: Tile
    contiguous: bool


def pitch(tracks: int) -> float:
    """Tiles between two neighbouring tracks: eight to a tile, more where the board allows more."""
    return 1 / max(8, tracks)


def offset(track: int, tracks: int) -> float:
    """Position of a track beside the middle of its tiles, in tiles."""
    half = (tracks + 1) // 2
    place = track if track < half else half - 1 - track
    return max(min(place * pitch(tracks), 0.5), -0.5)


def place(track: int, tracks: int) -> float:
    """Position of one of the machine's tracks beside the middle of its tiles, in tiles."""
    return (track - (tracks - 1) / 2) * pitch(tracks)


def track_at(beside: float, tracks: int) -> int:
    """The machine's track nearest to a position beside the middle of its tiles."""
    return min(max(round(beside / pitch(tracks) + (tracks - 1) / 2), 0), tracks - 1)


@dataclass(frozen=True, slots=True)
class Way:
    """What is to be drawn along corners: how many lines, and the machine's track of the lowest where that is named."""

    path: Sequence[Tile]
    count: int
    track: int | None = None


def roads_of(ways: Sequence[Way], tracks: int, trim: Trim, placed: bool = False) -> list[Road | None]:
    """The roads of wires; None for a path that is none. ``placed``: on the machine's own tracks."""
    expanded = [expand(tuple((int(x), int(y)) for x, y in way.path)) for way in ways]
    drawable = [i for i, tiles in enumerate(expanded) if tiles is not None and len(tiles) >= 2]
    known = [(i, expanded[i] or ()) for i in drawable]
    laid: Sequence[Sequence[tuple[int, ...]]]
    if placed:
        laid, _ = lay([Lane(tiles, ways[i].count, ways[i].track) for i, tiles in known], tracks)
        # What has found no place on its track is still to be seen, there.
        laid = [
            found
            if len(found) == len(tiles) - 1
            else [tuple(range(ways[i].track or 0, (ways[i].track or 0) + ways[i].count))] * (len(tiles) - 1)
            for (i, tiles), found in zip(known, laid, strict=True)
        ]
    else:
        laid = assign([(tiles, ways[i].count) for i, tiles in known])
    result: list[Road | None] = [None] * len(ways)
    for (i, tiles), chosen in zip(known, laid, strict=True):
        result[i] = _road(tiles, chosen, tracks, trim, place if placed else offset)
    return result


def _road(
    tiles: tuple[Tile, ...],
    chosen: Sequence[tuple[int, ...]],
    tracks: int,
    trim: Trim,
    place: Callable[[int, int], float],
) -> Road:
    steps = [(bx - ax, by - ay) for (ax, ay), (bx, by) in pairwise(tiles)]
    words = len(chosen[0])
    # Offsets to the right of the way, sorted: line k is the k-th from the left all along.
    beside = []
    for (dx, dy), picks in zip(steps, chosen, strict=True):
        side = dx - dy
        beside.append(sorted(side * place(track, tracks) for track in picks))
    raw: list[list[Point]] = [[] for _ in range(words)]
    for i, (x, y) in enumerate(tiles):
        before, after = max(i - 1, 0), min(i, len(steps) - 1)
        jog = steps[before] == steps[after] and beside[before] != beside[after]
        for k in range(words):
            ox, oy = 0.0, 0.0
            for edge in (before, after):
                dx, dy = steps[edge]
                if dx:
                    oy = dx * beside[edge][k]
                    if jog and edge == before:
                        raw[k].append((x + 0.5, y + 0.5 + oy))
                else:
                    ox = -dy * beside[edge][k]
                    if jog and edge == before:
                        raw[k].append((x + 0.5 + ox, y + 0.5))
            raw[k].append((x + 0.5 + ox, y + 0.5 + oy))
    trimmed = [_trimmed(line, tiles, steps, trim) for line in raw]
    centre = [(sum(p[0] for p in at) / words, sum(p[1] for p in at) / words) for at in zip(*trimmed, strict=True)]
    gap = pitch(tracks) * 1.01
    contiguous = all(b - a <= gap for row in beside for a, b in pairwise(row))
    return Road(
        words,
        len(steps),
        tuple(_corners(line) for line in trimmed),
        _corners(centre),
        steps[0],
        steps[-1],
        contiguous,
    )


def _trimmed(line: list[Point], tiles: tuple[Tile, ...], steps: list[Tile], trim: Trim) -> list[Point]:
    """The line from body to body instead of from middle to middle."""
    (dx, dy), (ex, ey) = steps[0], steps[-1]
    (x, y), (u, v) = tiles[0], tiles[-1]
    out = trim(tiles[0], (-dx, -dy), (line[0][0] - x - 0.5, line[0][1] - y - 0.5))
    into = trim(tiles[-1], (ex, ey), (line[-1][0] - u - 0.5, line[-1][1] - v - 0.5))
    first = (line[0][0] + dx * out, line[0][1] + dy * out)
    last = (line[-1][0] - ex * into, line[-1][1] - ey * into)
    return [first, *line[1:-1], last]


def _corners(line: Sequence[Point]) -> tuple[Point, ...]:
    points = [line[0]]
    for before, here, after in zip(line, line[1:], line[2:], strict=False):
        straight = (abs(before[0] - here[0]) < 1e-9 and abs(here[0] - after[0]) < 1e-9) or (
            abs(before[1] - here[1]) < 1e-9 and abs(here[1] - after[1]) < 1e-9
        )
        if not straight:
            points.append(here)
    points.append(line[-1])
    return tuple(points)


class Ways:
    """All centre lines in arrays: from a position along a wire to a place on the board, many at once."""

    def __init__(self, roads: Sequence[Road | None]) -> None:
        n = len(roads)
        self.length = np.array([road.length if road else 0 for road in roads], np.float32)
        self.words = np.array([road.words if road else 1 for road in roads], np.int32)
        self.box = np.full((n, 4), np.nan, np.float32)
        self.drawn = np.array([road is not None for road in roads], bool)
        xs: list[float] = []
        ys: list[float] = []
        along: list[float] = []
        self.first = np.zeros(n, np.int32)
        self.base = np.zeros(n, np.float64)
        self.scale = np.zeros(n, np.float64)
        total = 0.0
        for w, road in enumerate(roads):
            self.first[w] = len(xs)
            if road is None:
                continue
            total += 1.0
            self.base[w] = start = total
            points = np.array(road.centre)
            for i, (x, y) in enumerate(road.centre):
                if i:
                    total += abs(x - xs[-1]) + abs(y - ys[-1])
                xs.append(x)
                ys.append(y)
                along.append(total)
            self.scale[w] = (total - start) / road.length
            self.box[w] = (*points.min(axis=0), *points.max(axis=0))
        self.before_last = np.append(self.first[1:], len(xs)).astype(np.int32) - 2
        self.x = np.array(xs, np.float64)
        self.y = np.array(ys, np.float64)
        self.along = np.array(along, np.float64)
        self.level = np.zeros(len(xs), bool)
        if len(xs) > 1:
            self.level[:-1] = np.abs(np.diff(self.y)) < np.abs(np.diff(self.x))

    def visible(self, left: float, top: float, right: float, bottom: float) -> NDArray[np.bool_]:
        """Which wires may be seen in this part of the board."""
        box = self.box
        with np.errstate(invalid="ignore"):
            return (box[:, 0] <= right) & (box[:, 2] >= left) & (box[:, 1] <= bottom) & (box[:, 3] >= top)

    def in_view(self, view: pygame.Rect, origin: tuple[int, int], tile: int, reach: float = 0.0) -> NDArray[np.bool_]:
        """Which wires may be seen in ``view`` (pixels), with the board's corner at ``origin``; ``reach`` tiles more."""
        return self.visible(
            (view.left - origin[0]) / tile - reach,
            (view.top - origin[1]) / tile - reach,
            (view.right - origin[0]) / tile + reach,
            (view.bottom - origin[1]) / tile + reach,
        )

    def locate(
        self, wire: Ints, position: Floats
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_]]:
        """(x, y, whether the wire runs level there) of positions in tiles along drawn wires.

        A wire's visible part, from body to body, stands for its whole length, evenly.
        """
        at = self.base[wire] + np.clip(position, 0, self.length[wire]) * self.scale[wire]
        i = np.searchsorted(self.along, at, side="right") - 1
        # The last corner of a wire begins no segment.
        i = np.clip(i, self.first[wire], self.before_last[wire])
        share = np.clip((at - self.along[i]) / np.maximum(self.along[i + 1] - self.along[i], 1e-9), 0, 1)
        x = self.x[i] + (self.x[i + 1] - self.x[i]) * share
        y = self.y[i] + (self.y[i + 1] - self.y[i]) * share
        return x, y, self.level[i]
