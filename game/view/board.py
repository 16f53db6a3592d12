"""The still part of the board, in cached square chunks per zoom step: ground, wires, pads, cores, labels.

A chunk knows what was drawn into it; after an edit only chunks whose content changed are drawn again. Within a time
budget, chunks that are missing show the last zoom step's ones, scaled.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
import pygame
from numpy.typing import NDArray

from game.theme import BLOCKED, BLOCKED_HATCH, BOARD, BOARD_2, EDGE, GRID, GRID_LINE, Colour, Theme, mix
from game.view.camera import Camera
from game.view.cores import CorePiece, core_pieces, draw_core
from game.view.labels import WireLabel, draw_wire_label, wire_labels
from game.view.layout import Layout
from game.view.scene import Figures
from game.view.wires import WirePiece, draw_wire, shield_pieces, wire_colour, wire_pieces
from game.view.zoom import Zoom

CHUNK = 256
"""Pixels of a chunk's side."""

KEPT = 400
"""Chunks that are kept at most: 100 MB."""

SPARE = 64
"""Surfaces kept for stand-ins while zooming."""

DIM = 0.35
"""Brightness that is left of wires and cores under an overlay."""

Key = tuple[int, bool, int, int]
"""Tile, whether veiled, column and row of the chunk."""


@dataclass(slots=True)
class _Chunk:
    surface: pygame.Surface
    content: tuple[Any, ...]


class _Pieces:
    """Everything that may be drawn, and which of it each chunk of each zoom shows."""

    def __init__(self, layout: Layout, figures: Figures | None, veiled: bool, above: Sequence[Any]) -> None:
        self.of = (layout, figures, veiled, above)
        self.veiled = veiled
        # Later wires first: an earlier one lies above them and interrupts them.
        pieces: list[Any] = shield_pieces(layout)
        pieces += [piece for piece in reversed(wire_pieces(layout)) if piece is not None]
        pieces += core_pieces(layout, [wire_colour(wire.every_ticks) for wire in layout.design.wires])
        pieces += wire_labels(layout, figures)
        self._below = len(pieces)
        self._pieces = [*pieces, *above]
        if "boxes" not in layout.memo:
            layout.memo["boxes"] = _boxes(pieces, 0)
        self._boxes = np.concatenate([layout.memo["boxes"], _boxes(above, self._below)], axis=1)
        self._contents: dict[tuple[int, int, int], tuple[Any, ...]] = {}

    def content(self, tile: int, i: int, j: int) -> tuple[Any, ...]:
        """(pieces under the veil, whether there is one, pieces above it) of a chunk."""
        found = self._contents.get((tile, i, j))
        if found is not None:
            return found
        side = CHUNK / tile
        number, left, top, right, bottom = self._boxes
        inside = (left <= (i + 1) * side) & (right >= i * side) & (top <= (j + 1) * side) & (bottom >= j * side)
        numbers = np.unique(number[inside].astype(np.int64)).tolist()
        below = tuple(self._pieces[n] for n in numbers if n < self._below)
        above = tuple(self._pieces[n] for n in numbers if n >= self._below)
        found = self._contents[tile, i, j] = (below, self.veiled, above)
        return found


def _boxes(pieces: Sequence[Any], first: int) -> NDArray[np.float64]:
    """Numbers of the pieces and rectangles in tiles that they touch, as five rows."""
    rows = [(number, *box) for number, piece in enumerate(pieces, first) for box in piece.boxes]
    return np.array(rows, np.float64).reshape(-1, 5).T


class BoardCache:
    """Draws the still part of one board after the other, remembering what it can."""

    def __init__(self) -> None:
        self._chunks: OrderedDict[Key, _Chunk] = OrderedDict()
        self._pieces: dict[bool, _Pieces] = {}
        self._tiles: OrderedDict[int, None] = OrderedDict()
        self._look: tuple[Any, ...] = ()
        self._scaled: dict[Key, pygame.Surface] = {}
        self._spare: list[pygame.Surface] = []
        self.built = 0
        """Chunks drawn so far."""

    def draw(
        self,
        surface: pygame.Surface,
        camera: Camera,
        layout: Layout,
        theme: Theme,
        *,
        veiled: bool = False,
        above: Sequence[Any] | None = None,
        figures: Figures | None = None,
        placing: bool = False,
        budget_ms: float | None = None,
    ) -> bool:
        """Draw what the camera sees; whether it was all there.

        veiled, above
            Dim the board, and draw these pieces on it. The sequence is compared by identity: make it once.
        budget_ms
            At least one missing chunk is drawn per call, and the others as time allows; None: all of them.
        """
        zoom = Zoom.of(camera)
        look = (layout.level.board.size, tuple(layout.level.board.blocked), theme, camera.scale, placing)
        if look != self._look:
            self._chunks.clear()
            self._scaled.clear()
            self._pieces.clear()
            self._look = look
        of = (layout, figures, veiled, above or ())
        pieces = self._pieces.get(veiled)
        if pieces is None or any(a is not b for a, b in zip(pieces.of, of, strict=True)):
            pieces = self._pieces[veiled] = _Pieces(*of)
        if self._scaled and next(iter(self._scaled))[:2] != (zoom.tile, veiled):
            self._reuse_scaled()
        self._tiles[zoom.tile] = None
        self._tiles.move_to_end(zoom.tile)
        ox, oy = origin_of(camera)
        view = pygame.Rect(camera.view)
        began = perf_counter()
        complete, spent = True, False
        missing: list[tuple[int, int, pygame.Rect]] = []
        for j in range((view.top - oy) // CHUNK, (view.bottom - 1 - oy) // CHUNK + 1):
            for i in range((view.left - ox) // CHUNK, (view.right - 1 - ox) // CHUNK + 1):
                place = pygame.Rect(ox + i * CHUNK, oy + j * CHUNK, CHUNK, CHUNK)
                content = pieces.content(zoom.tile, i, j)
                key = (zoom.tile, veiled, i, j)
                chunk = self._chunks.get(key)
                if chunk is not None:
                    surface.blit(chunk.surface, place)
                    self._chunks.move_to_end(key)
                    if chunk.content is content or chunk.content == content:
                        chunk.content = content
                        continue
                missing.append((i, j, place))
        middle = view.center
        missing.sort(key=lambda m: abs(m[2].centerx - middle[0]) + abs(m[2].centery - middle[1]))
        for i, j, place in missing:
            key = (zoom.tile, veiled, i, j)
            if not spent:
                content = pieces.content(zoom.tile, i, j)
                chunk = self._chunks[key] = _Chunk(_build(i, j, zoom, layout, theme, content, placing), content)
                self._chunks.move_to_end(key)
                surface.blit(chunk.surface, place)
                self.built += 1
                spent = budget_ms is not None and (perf_counter() - began) * 1000 >= budget_ms
                continue
            complete = False
            if key not in self._chunks:
                if key not in self._scaled:
                    self._scaled[key] = self._stand_in(zoom.tile, veiled, i, j)
                surface.blit(self._scaled[key], place)
        if complete:
            self._reuse_scaled()
        while len(self._chunks) > KEPT:
            self._chunks.popitem(last=False)
        return complete

    def _reuse_scaled(self) -> None:
        self._spare += self._scaled.values()
        del self._spare[SPARE:]
        self._scaled.clear()

    def _stand_in(self, tile: int, veiled: bool, i: int, j: int) -> pygame.Surface:
        """What another zoom step shows of a missing chunk, scaled; bare board where there is none."""
        # New surfaces cost more than the scaling: their memory is touched for the first time.
        surface = self._spare.pop() if self._spare else pygame.Surface((CHUNK, CHUNK), depth=32)
        surface.fill(BOARD)
        for other in reversed(self._tiles):
            if other == tile:
                continue
            ratio = other / tile
            left, top, size = i * CHUNK * ratio, j * CHUNK * ratio, CHUNK * ratio
            found = False
            for cj in range(int(top // CHUNK), int((top + size - 1e-6) // CHUNK) + 1):
                for ci in range(int(left // CHUNK), int((left + size - 1e-6) // CHUNK) + 1):
                    chunk = self._chunks.get((other, veiled, ci, cj))
                    if chunk is None:
                        continue
                    found = True
                    # The part of that chunk that lies here, in its own pixels.
                    x0, y0 = max(left, ci * CHUNK), max(top, cj * CHUNK)
                    x1, y1 = min(left + size, (ci + 1) * CHUNK), min(top + size, (cj + 1) * CHUNK)
                    part = pygame.Rect(int(x0 - ci * CHUNK), int(y0 - cj * CHUNK), round(x1 - x0), round(y1 - y0))
                    part = part.clip(chunk.surface.get_rect())
                    target = pygame.Rect(round((x0 - left) / ratio), round((y0 - top) / ratio), 0, 0)
                    target.size = round((x1 - x0) / ratio), round((y1 - y0) / ratio)
                    if part.width and part.height and target.width and target.height:
                        target = target.clip(surface.get_rect())
                        pygame.transform.scale(chunk.surface.subsurface(part), target.size, surface.subsurface(target))
            if found:
                break
        return surface


def _build(
    i: int, j: int, zoom: Zoom, layout: Layout, theme: Theme, content: tuple[Any, ...], placing: bool
) -> pygame.Surface:
    origin = (-i * CHUNK, -j * CHUNK)
    surface = pygame.Surface((CHUNK, CHUNK), depth=32)
    draw_ground(surface, origin, zoom, layout, placing)
    below, veiled, above = content
    ground = surface.copy() if zoom.gap and below else None
    for piece in below:
        if isinstance(piece, WirePiece):
            draw_wire(surface, ground, origin, zoom, piece)
    for piece in below:
        if isinstance(piece, CorePiece):
            draw_core(surface, origin, zoom, theme, piece)
        elif isinstance(piece, WireLabel):
            draw_wire_label(surface, origin, zoom, theme, piece)
    if veiled:
        veil = pygame.Surface((CHUNK, CHUNK), depth=32)
        veil.fill(BOARD)
        veil.set_alpha(round(255 * (1 - DIM)))
        surface.blit(veil, (0, 0))
    for piece in above:
        if isinstance(piece, WirePiece):
            draw_wire(surface, None, origin, zoom, piece)
        else:
            piece.draw(surface, origin, zoom, theme)
    return surface


def origin_of(camera: Camera) -> tuple[int, int]:
    """Screen pixel of the board's top left corner; everything on the board is placed from here."""
    x, y = camera.to_screen(0, 0)
    return round(x), round(y)


def draw_ground(surface: pygame.Surface, origin: tuple[int, int], zoom: Zoom, layout: Layout, placing: bool) -> None:
    """Board, its weave of 8 × 8 tiles, grid dots, blocked tiles with a hatch, and the border."""
    surface.fill(OUTSIDE)
    columns, rows = layout.level.board.size
    tile = zoom.tile
    ox, oy = origin
    board = pygame.Rect(ox, oy, columns * tile, rows * tile)
    area = surface.get_rect()
    surface.fill(BOARD, board)
    c0, c1 = max((-ox) // tile, 0), min((area.width - ox) // tile + 1, columns)
    r0, r1 = max((-oy) // tile, 0), min((area.height - oy) // tile + 1, rows)
    for row in range(r0 // 8, (r1 + 7) // 8):
        for column in range(c0 // 8, (c1 + 7) // 8):
            if (row + column) % 2:
                surface.fill(
                    BOARD_2, pygame.Rect(ox + column * 8 * tile, oy + row * 8 * tile, 8 * tile, 8 * tile).clip(board)
                )
    if placing and zoom.nominal >= 16:
        for column in range(c0, c1 + 1):
            surface.fill(GRID_LINE, pygame.Rect(ox + column * tile, oy, 1, rows * tile))
        for row in range(r0, r1 + 1):
            surface.fill(GRID_LINE, pygame.Rect(ox, oy + row * tile, columns * tile, 1))
    dot = zoom.px(2 if zoom.nominal >= 48 else 1)
    if zoom.nominal >= 16:
        colour = GRID if zoom.nominal >= 24 else mix(GRID, BOARD, 0.35)
        for row in range(max(r0, 1), min(r1 + 1, rows)):
            for column in range(max(c0, 1), min(c1 + 1, columns)):
                surface.fill(colour, (ox + column * tile - dot // 2, oy + row * tile - dot // 2, dot, dot))
    hatch = max(4, zoom.px(6))
    for x, y, width, height in layout.level.board.blocked:
        rect = pygame.Rect(ox + x * tile, oy + y * tile, width * tile, height * tile)
        seen = rect.clip(board).clip(area)
        if not seen:
            continue
        surface.fill(BLOCKED, seen)
        surface.set_clip(seen)
        # Aligned to the board's corner, so that neighbouring chunks agree.
        start = ((seen.left - ox) + (seen.top - oy)) // hatch * hatch
        for at in range(start, seen.right - ox + seen.bottom - oy + hatch, hatch):
            x0 = ox + at - (seen.top - oy)
            pygame.draw.line(surface, BLOCKED_HATCH, (x0, seen.top), (x0 - seen.height, seen.bottom), zoom.px(1))
        surface.set_clip(None)
        pygame.draw.rect(surface, BLOCKED_HATCH, rect, zoom.px(1))
    pygame.draw.rect(surface, BORDER, board.inflate(2, 2), 1)


OUTSIDE: Colour = mix(BOARD, BLOCKED, 0.8)
BORDER: Colour = mix(EDGE, BOARD, 0.45)
