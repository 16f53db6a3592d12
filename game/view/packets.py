"""Drawing packets: the brightest thing on the board. Far away as pixels, near as cached pictures, thousands at once."""

from __future__ import annotations

import struct
from functools import lru_cache
from itertools import repeat

import numpy as np
import pygame

from game.theme import (
    BLUE_TEXT,
    BOARD,
    EDGE,
    LAUNCH_COLOURS,
    LAUNCH_LETTERS,
    PACKET,
    PURPLE,
    TEXT,
    TEXT_2,
    Colour,
    Theme,
    mix,
)
from game.view.layout import PREDICATE, TOKEN, Layout, number
from game.view.roads import pitch
from game.view.scene import Scene
from game.view.sprites import badge, disc_mask, polygon_mask, rounded_mask, text, tinted
from game.view.zoom import Zoom


def draw_packets(surface: pygame.Surface, origin: tuple[int, int], zoom: Zoom, layout: Layout, scene: Scene) -> int:
    """Draw the scene's packets and their values; returns how many were inside the surface's clip."""
    packets = scene.packets
    if packets is None or not len(packets.wire) or not len(layout.ways.x):
        return 0
    view = surface.get_clip()
    tile = zoom.tile
    reach = zoom.packet / tile
    seen = layout.ways.visible(
        (view.left - origin[0]) / tile - reach,
        (view.top - origin[1]) / tile - reach,
        (view.right - origin[0]) / tile + reach,
        (view.bottom - origin[1]) / tile + reach,
    )
    seen &= layout.ways.drawn
    index = np.flatnonzero(seen[np.minimum(packets.wire, len(seen) - 1)] & (packets.wire < len(seen)))
    if not len(index):
        return 0
    wire = packets.wire[index]
    x, y, level = layout.ways.locate(wire, packets.position[index])
    px = np.rint(x * tile).astype(np.int32) + origin[0]
    py = np.rint(y * tile).astype(np.int32) + origin[1]
    margin = zoom.packet
    inside = (
        (px > view.left - margin) & (px < view.right + margin) & (py > view.top - margin) & (py < view.bottom + margin)
    )
    index, wire, level, px, py = index[inside], wire[inside], level[inside], px[inside], py[inside]
    if not len(index):
        return 0
    launches = scene.overlay == "launches"
    if zoom.nominal < 16:
        _pixels(surface, view, zoom, px, py, packets.launch[index] if launches else None)
        return len(index)
    kinds = np.asarray(layout.kinds, np.int32)[wire]
    hollow = packets.masked[index] | ((kinds == PREDICATE) & (packets.value[index] == 0))
    words = np.minimum(layout.ways.words[wire], 7)
    look = hollow + 2 * (~level & (words > 1)) + 4 * kinds + 16 * words
    if launches:
        look = look + 128 * (packets.launch[index] % 6 + 1)
    pitch_px = pitch(layout.level.board.tracks) * tile
    # The oldest packet of each wire comes first in the arrays and lies on top: draw backwards.
    look, back_x, back_y = look[::-1], px[::-1], py[::-1]
    # Data is brighter than tokens and predicates, and lies above them.
    for value in sorted(np.unique(look).tolist(), key=lambda v: -(v >> 2 & 3)):
        which = look == value
        sprite = packet_sprite(value, zoom.packet, zoom.scale, round(pitch_px * 1000), zoom.nominal)
        half_w, half_h = sprite.get_width() // 2, sprite.get_height() // 2
        places = zip((back_x[which] - half_w).tolist(), (back_y[which] - half_h).tolist(), strict=True)
        surface.fblits(list(zip(repeat(sprite), places, strict=False)))
    if zoom.notches:
        _queues(surface, zoom, layout, scene, index, wire, level, px, py)
    draw_badges(surface, origin, zoom, layout, scene, index, wire, level, px, py)
    return len(index)


def _pixels(
    surface: pygame.Surface, view: pygame.Rect, zoom: Zoom, px: np.ndarray, py: np.ndarray, launch: np.ndarray | None
) -> None:
    """Two by two pixels for each packet, written straight into the surface."""
    size = zoom.packet
    pixels = pygame.surfarray.pixels2d(surface)
    if launch is None:
        colour: int | np.ndarray = surface.map_rgb(PACKET)
    else:
        table = np.array([surface.map_rgb(c) for c in LAUNCH_COLOURS], pixels.dtype)
        colour = table[launch % 6]
    for dx in range(size):
        for dy in range(size):
            x, y = px + dx - size // 2, py + dy - size // 2
            inside = (x >= view.left) & (x < view.right) & (y >= view.top) & (y < view.bottom)
            pixels[x[inside], y[inside]] = colour if isinstance(colour, int) else colour[inside]


# --- shapes --------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=512)
def packet_sprite(look: int, size: int, scale: float, pitch_milli: int, nominal: int) -> pygame.Surface:
    """The picture of one packet.

    look
        hollow + 2 × upright + 4 × kind + 16 × words + 128 × (launch colour + 1).
    size
        Diameter of a data word; ``pitch_milli`` is the distance of two lines in thousandths of a pixel.
    """
    hollow, upright, kind, words, launch = look & 1, look & 2, look >> 2 & 3, look >> 4 & 7, look >> 7
    own = {TOKEN: BLUE_TEXT, PREDICATE: PURPLE}.get(kind, PACKET)
    colour = LAUNCH_COLOURS[launch - 1] if launch else own
    line = max(1.0, (2.0 if nominal >= 48 else 1.5) * scale)
    ring = kind == TOKEN or bool(hollow)
    if words > 1:
        picture = _capsule(words, size, line, pitch_milli / 1000, colour, ring, bool(hollow) and kind == TOKEN)
        if upright:
            picture = pygame.transform.rotate(picture, 90)
    elif kind == PREDICATE:
        picture = _diamond(size + 2, line, colour, bool(hollow))
    else:
        picture = _disc(size + (2 if kind == TOKEN else 0), line, colour, ring, bool(hollow) and kind == TOKEN)
    if launch and nominal >= 48:
        letter = text(
            Theme(scale), "mono-semibold", size * 0.72 / scale, LAUNCH_LETTERS[launch - 1], colour if ring else BOARD
        )
        picture.blit(letter, letter.get_rect(center=picture.get_rect().center))
    return picture


def _disc(size: int, line: float, colour: Colour, ring: bool, faint: bool) -> pygame.Surface:
    """A disc or a ring, with a rim of board colour that parts it from its wire."""
    box = size + 2
    picture = tinted(disc_mask(size + 2, box), BOARD, 0.9)
    shade = mix(colour, BOARD, 0.35) if faint else colour
    hole = max(size - 2 * line, 0) if ring else 0.0
    picture.blit(tinted(disc_mask(size, box, hole), shade), (0, 0))
    return picture


def _diamond(size: int, line: float, colour: Colour, hollow: bool) -> pygame.Surface:
    box = size + 2
    middle = box / 2

    def shape(radius: float) -> pygame.Surface | np.ndarray:
        points = [
            (middle, middle - radius),
            (middle + radius, middle),
            (middle, middle + radius),
            (middle - radius, middle),
        ]
        return polygon_mask(points, box, box)

    picture = tinted(np.asarray(shape(middle)), BOARD, 0.9)
    mask = np.asarray(shape(size / 2))
    if hollow:
        mask = np.clip(mask - np.asarray(shape(max(size / 2 - line * 1.3, 0.5))), 0, 1)
    picture.blit(tinted(mask, colour), (0, 0))
    return picture


def _capsule(
    words: int, size: int, line: float, pitch_px: float, colour: Colour, ring: bool, faint: bool
) -> pygame.Surface:
    """One cell per word, across the lines of a level wire."""
    height = round((words - 1) * pitch_px) + size
    width = size
    picture = tinted(rounded_mask(width + 2, height + 2, (width + 2) / 2), BOARD, 0.9)
    shade = mix(colour, BOARD, 0.35) if faint else colour
    mask = rounded_mask(width, height, width / 2)
    if ring:
        thick = max(1, round(line))
        inner = np.zeros_like(mask)
        if width > 2 * thick:
            inner[thick:-thick, thick:-thick] = rounded_mask(width - 2 * thick, height - 2 * thick, width / 2 - thick)
        mask = np.clip(mask - inner, 0, 1)
    picture.blit(tinted(mask, shade), (1, 1))
    for k in range(1, words):
        at = round(1 + size / 2 + (k - 0.5) * pitch_px)
        if ring:
            picture.fill((*shade, 255), (1, at, width, 1))
        else:
            picture.fill((*mix(BOARD, colour, 0.25), 255), (1, at, width, 1))
    return picture


# --- numbers -------------------------------------------------------------------------------------------------------


def _queues(
    surface: pygame.Surface,
    zoom: Zoom,
    layout: Layout,
    scene: Scene,
    index: np.ndarray,
    wire: np.ndarray,
    level: np.ndarray,
    px: np.ndarray,
    py: np.ndarray,
) -> None:
    """How many packets stand closed up behind a waiting head."""
    packets = scene.packets
    assert packets is not None
    closed = np.zeros(len(packets.wire), bool)
    if len(closed) > 1:
        same = packets.wire[1:] == packets.wire[:-1]
        closed[1:] = same & (packets.position[:-1] - packets.position[1:] <= 1.001)
    reach = _reach(zoom, layout, wire)
    heads = np.flatnonzero(packets.position[index] >= layout.ways.length[wire] - 1e-3)
    breaks = np.append(np.flatnonzero(~closed), len(closed))
    counts = breaks[np.searchsorted(breaks, index[heads], side="right")] - index[heads]
    for k, count in zip(heads.tolist(), counts.tolist(), strict=True):
        if count < 2:
            continue
        written = text(scene.theme, "mono", 11, str(count), TEXT_2)
        w, h = written.get_size()
        away = reach[k] + zoom.px(2)
        if level[k]:
            surface.blit(written, (int(px[k]) - w // 2, int(py[k] + away)))
        else:
            surface.blit(written, (int(px[k] + away) + zoom.px(1), int(py[k]) - h // 2))


def value_text(value: int, is_float: bool, base: str = "decimal") -> str:
    """A word for a person: decimal with a true minus, or its bits in hex or binary."""
    if base == "hex":
        return f"{value & 0xFFFFFFFF:#x}"
    if base == "binary":
        return f"{value & 0xFFFFFFFF:b}"
    if is_float:
        return f"{struct.unpack('<f', struct.pack('<i', value))[0]:.3g}".replace("-", "−")
    return number(value)


def draw_badges(
    surface: pygame.Surface,
    origin: tuple[int, int],
    zoom: Zoom,
    layout: Layout,
    scene: Scene,
    index: np.ndarray,
    wire: np.ndarray,
    level: np.ndarray,
    px: np.ndarray,
    py: np.ndarray,
) -> list[pygame.Rect]:
    """Values next to their packets, and where they are.

    None covers another, or a body; the packet nearer to its wire's head wins.
    """
    packets = scene.packets
    assert packets is not None
    if not zoom.bars:
        chosen = {item for item in (*scene.selection, scene.hover) if isinstance(item, int)}
        if not chosen or zoom.nominal < 16:
            return []
        wanted = np.flatnonzero(np.isin(wire, list(chosen)))
    else:
        wanted = np.arange(len(index))
    if not len(wanted):
        return []
    left = layout.ways.length[wire[wanted]] - packets.position[index[wanted]]
    wanted = wanted[np.argsort(left, kind="stable")]
    view = surface.get_clip()
    drawn: list[pygame.Rect] = []
    taken = _Room(zoom.tile)
    inset = round(zoom.units(3))
    for body in layout.bodies.values():
        place = pygame.Rect(
            origin[0] + body.at[0] * zoom.tile, origin[1] + body.at[1] * zoom.tile, zoom.tile, zoom.tile
        )
        if place.colliderect(view):
            taken.add(place.inflate(-2 * inset, -2 * inset))
    reach = _reach(zoom, layout, wire)
    ranks = _ranks(packets.wire)
    for k in wanted.tolist():
        if not (view.left <= px[k] < view.right and view.top <= py[k] < view.bottom):
            continue
        words = _words(scene, layout, int(index[k]), int(wire[k]), int(ranks[index[k]]))
        masked = bool(packets.masked[index[k]])
        picture = badge(scene.theme, words, mix(TEXT, TEXT_2, 0.6) if masked else TEXT, BOARD, EDGE)
        w, h = picture.get_size()
        x, y, away = int(px[k]), int(py[k]), int(reach[k]) + zoom.px(3)
        if level[k]:
            places = [(x - w // 2, y - away - h), (x - w // 2, y + away)]
        else:
            places = [(x + away, y - h // 2), (x - away - w, y - h // 2)]
        for corner in places:
            rect = pygame.Rect(corner, (w, h))
            if taken.free(rect):
                taken.add(rect)
                surface.blit(picture, rect)
                drawn.append(rect)
                break
    return drawn


def _reach(zoom: Zoom, layout: Layout, wire: np.ndarray) -> np.ndarray:
    """Pixels from the middle of each packet to its side: packets of several words lie across their lines."""
    apart = pitch(layout.level.board.tracks) * zoom.tile
    return np.asarray(zoom.packet // 2 + np.rint((layout.ways.words[wire] - 1) * apart / 2).astype(np.int64))


def _ranks(wire: np.ndarray) -> np.ndarray:
    """Each packet's place in its wire, head 0."""
    first = np.flatnonzero(np.append(True, wire[1:] != wire[:-1]))
    return np.asarray(np.arange(len(wire)) - np.repeat(first, np.diff(np.append(first, len(wire)))))


def _words(scene: Scene, layout: Layout, packet: int, wire: int, rank: int) -> str:
    packets = scene.packets
    assert packets is not None
    is_float = layout.floats[wire]
    if layout.ways.words[wire] > 1 and scene.state is not None and wire < len(scene.state.wires):
        held = scene.state.wires[wire].packets
        if rank < len(held):
            return ", ".join(value_text(word, is_float, scene.base) for word in held[rank][0].words)
    return value_text(int(packets.value[packet]), is_float, scene.base)


class _Room:
    """Which parts of the screen are taken, in cells of one tile."""

    def __init__(self, cell: int) -> None:
        self._cell = max(cell, 16)
        self._rects: dict[tuple[int, int], list[pygame.Rect]] = {}

    def _cells(self, rect: pygame.Rect) -> list[tuple[int, int]]:
        c = self._cell
        return [
            (i, j)
            for i in range(rect.left // c, rect.right // c + 1)
            for j in range(rect.top // c, rect.bottom // c + 1)
        ]

    def free(self, rect: pygame.Rect) -> bool:
        return not any(rect.colliderect(other) for cell in self._cells(rect) for other in self._rects.get(cell, ()))

    def add(self, rect: pygame.Rect) -> None:
        for cell in self._cells(rect):
            self._rects.setdefault(cell, []).append(rect)
