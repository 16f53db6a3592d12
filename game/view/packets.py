"""Drawing packets: the brightest thing on the board. Far away as pixels, near as cached pictures, thousands at once."""

from __future__ import annotations

from functools import lru_cache
from itertools import repeat
from math import ceil

import numpy as np
import pygame
from numpy.typing import NDArray

from engine.machine import PacketArrays
from engine.netlist import Netlist
from game.theme import (
    BLUE_TEXT,
    BOARD,
    LAUNCH_COLOURS,
    LAUNCH_LETTERS,
    PACKET,
    PURPLE,
    TEXT_2,
    Colour,
    Theme,
    mix,
)
from game.view.badges import draw_badges, reach_of
from game.view.layout import PREDICATE, TOKEN, Layout
from game.view.motion import BREATH_STEPS, breath, wobble, wrong_sprite
from game.view.roads import pitch
from game.view.scene import Scene
from game.view.sprites import disc_mask, polygon_mask, rounded_mask, text, tinted
from game.view.zoom import Zoom

MOST_CELLS = 31
LAUNCH, MASKED = 2**9, 2**12
"""Where the launch's colour and the masked cells are in a look."""


def masked_cells(netlist: Netlist, wire: NDArray[np.int32], live: NDArray[np.uint8]) -> NDArray[np.int64]:
    """For packets on these wires the values of masked lanes, as bits; none of packets that are masked whole."""
    found = np.zeros(len(wire), np.int64)
    for w in np.unique(wire).tolist():
        road = netlist.wires[w]
        if road.lanes == 1:
            continue
        here = (wire == w) & (live > 0)
        cell = 0
        for form in road.forms:
            for lane in range(road.lanes) if form is None else ():
                found[here] |= (1 - (live[here].astype(np.int64) >> lane & 1)) << (cell + lane)
            cell += road.lanes if form is None else 1
    return found


def draw_packets(surface: pygame.Surface, origin: tuple[int, int], zoom: Zoom, layout: Layout, scene: Scene) -> int:
    """Draw the scene's packets and their values; returns how many were inside the surface's clip."""
    packets = scene.packets
    if packets is None or not len(packets.wire) or not len(layout.ways.x):
        return 0
    view = surface.get_clip()
    tile = zoom.tile
    reach = zoom.packet / tile
    seen = layout.ways.in_view(view, origin, tile, reach)
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
    words = np.minimum(layout.ways.words[wire], MOST_CELLS)
    look = hollow + 2 * (~level & (words > 1)) + 4 * kinds + 16 * words
    if launches:
        look = look + LAUNCH * (packets.launch[index] % 6 + 1)
    if scene.netlist is not None and scene.netlist.wide:
        look = look + MASKED * masked_cells(scene.netlist, wire, packets.live[index])
    pitch_px = pitch(layout.level.board.tracks) * tile
    # The oldest packet of each wire comes first in the arrays and lies on top: draw backwards.
    looks, back_x, back_y = look[::-1], px[::-1], py[::-1]
    # Data is brighter than tokens and predicates, and lies above them.
    for value in sorted(np.unique(looks).tolist(), key=lambda v: -(v >> 2 & 3)):
        which = looks == value
        sprite = packet_sprite(value, zoom.packet, zoom.scale, round(pitch_px * 1000), zoom.nominal)
        half_w, half_h = sprite.get_width() // 2, sprite.get_height() // 2
        places = zip((back_x[which] - half_w).tolist(), (back_y[which] - half_h).tolist(), strict=True)
        surface.fblits(list(zip(repeat(sprite), places, strict=False)))
    heads, counts = _queues(packets, layout, index, wire)
    grown = breath(scene)
    for k in heads.tolist() if grown else ():
        sprite = packet_sprite(int(look[k]), zoom.packet, zoom.scale, round(pitch_px * 1000), zoom.nominal, grown)
        surface.blit(sprite, (int(px[k]) - sprite.get_width() // 2, int(py[k]) - sprite.get_height() // 2))
    if zoom.notches:
        _write_counts(surface, zoom, layout, scene, heads, counts, wire, level, px, py)
    wrong = _wrong(scene, layout, index, wire)
    if wrong is not None:
        sprite = wrong_sprite(zoom.packet + zoom.px(2), zoom.scale)
        left, top = int(px[wrong]) - sprite.get_width() // 2, int(py[wrong]) - sprite.get_height() // 2
        surface.blit(sprite, (left + wobble(scene, zoom), top))
    draw_badges(surface, origin, zoom, layout, scene, index, wire, level, px, py, wrong)
    return len(index)


def _wrong(scene: Scene, layout: Layout, index: np.ndarray, wire: np.ndarray) -> int | None:
    """Which of the packets shown is the one that the machine's fault is about: the first of the faulty port's wire."""
    if scene.wrong is None:
        return None
    at = next((n.wire for n in layout.notches if n.is_input and (n.element, n.port) == scene.wrong), -1)
    found = np.flatnonzero(wire == at)
    assert scene.packets is not None
    if not len(found) or scene.packets.position[index[found[0]]] < layout.ways.length[at] - 1e-3:
        return None
    return int(found[0])


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
def packet_sprite(look: int, size: int, scale: float, pitch_milli: int, nominal: int, grown: int = 0) -> pygame.Surface:
    """The picture of one packet.

    look
        hollow + 2 × upright + 4 × kind + 16 × words + 512 × (launch colour + 1) + 4096 × masked values as bits.
    size
        Diameter of a data word; ``pitch_milli`` is the distance of two lines in thousandths of a pixel.
    grown
        How far it has breathed in, 0 … BREATH_STEPS. At its largest it is 2 % wider, but by a pixel at least: less
        cannot be seen.
    """
    more = max(size * 0.02, scale) * grown / BREATH_STEPS
    hollow, upright, kind, words, launch = look & 1, look & 2, look >> 2 & 3, look >> 4 & 31, look >> 9 & 7
    own = {TOKEN: BLUE_TEXT, PREDICATE: PURPLE}.get(kind, PACKET)
    colour = LAUNCH_COLOURS[launch - 1] if launch else own
    line = max(1.0, (2.0 if nominal >= 48 else 1.5) * scale)
    ring = kind == TOKEN or bool(hollow)
    if words > 1:
        width = size + 2 * int(more / 2 + 0.75)
        faint = bool(hollow) and kind == TOKEN
        picture = _capsule(words, width, line, pitch_milli / 1000, colour, ring, faint, look >> 12)
        if upright:
            picture = pygame.transform.rotate(picture, 90)
    elif kind == PREDICATE:
        picture = _diamond(size + 2, line, colour, bool(hollow), more)
    else:
        width = size + (2 if kind == TOKEN else 0)
        picture = _disc(width, line, colour, ring, bool(hollow) and kind == TOKEN, more)
    if launch and nominal >= 48:
        letter = text(
            Theme(scale), "mono-semibold", size * 0.72 / scale, LAUNCH_LETTERS[launch - 1], colour if ring else BOARD
        )
        picture.blit(letter, letter.get_rect(center=picture.get_rect().center))
    return picture


def _disc(size: int, line: float, colour: Colour, ring: bool, faint: bool, more: float) -> pygame.Surface:
    """A disc or a ring, with a rim of board colour that parts it from its wire."""
    box = size + 2 + 2 * ceil(more / 2)
    picture = tinted(disc_mask(size + 2 + more, box), BOARD, 0.9)
    shade = mix(colour, BOARD, 0.35) if faint else colour
    hole = max(size + more - 2 * line, 0) if ring else 0.0
    picture.blit(tinted(disc_mask(size + more, box, hole), shade), (0, 0))
    return picture


def _diamond(size: int, line: float, colour: Colour, hollow: bool, more: float) -> pygame.Surface:
    box = size + 2 + 2 * ceil(more / 2)
    middle = box / 2
    wide = size + more

    def shape(radius: float) -> pygame.Surface | np.ndarray:
        points = [
            (middle, middle - radius),
            (middle + radius, middle),
            (middle, middle + radius),
            (middle - radius, middle),
        ]
        return polygon_mask(points, box, box)

    picture = tinted(np.asarray(shape(wide / 2 + 1)), BOARD, 0.9)
    mask = np.asarray(shape(wide / 2))
    if hollow:
        mask = np.clip(mask - np.asarray(shape(max(wide / 2 - line * 1.3, 0.5))), 0, 1)
    picture.blit(tinted(mask, colour), (0, 0))
    return picture


def _capsule(
    words: int, size: int, line: float, pitch_px: float, colour: Colour, ring: bool, faint: bool, masked: int = 0
) -> pygame.Surface:
    """One cell per word, across the lines of a level wire; the cells of masked lanes are hollow."""
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
    for k in range(words):
        if masked >> k & 1:
            top, bottom = (round(1 + size / 2 + (k + side) * pitch_px) for side in (-0.5, 0.5))
            inset = max(1, round(line))
            hole = pygame.Rect(1 + inset, top + 1, width - 2 * inset, max(bottom - top - 1, 1))
            picture.fill((*BOARD, 255), hole)
    return picture


# --- numbers -------------------------------------------------------------------------------------------------------


def _queues(
    packets: PacketArrays, layout: Layout, index: np.ndarray, wire: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Heads that wait with others closed up behind them, among the packets shown, and how many stand there."""
    heads = np.flatnonzero(packets.position[index] >= layout.ways.length[wire] - 1e-3)
    if not len(heads):
        return heads, heads
    closed = np.zeros(len(packets.wire), bool)
    same = packets.wire[1:] == packets.wire[:-1]
    closed[1:] = same & (packets.position[:-1] - packets.position[1:] <= 1.001)
    breaks = np.append(np.flatnonzero(~closed), len(closed))
    counts = breaks[np.searchsorted(breaks, index[heads], side="right")] - index[heads]
    return heads[counts > 1], counts[counts > 1]


def _write_counts(
    surface: pygame.Surface,
    zoom: Zoom,
    layout: Layout,
    scene: Scene,
    heads: np.ndarray,
    counts: np.ndarray,
    wire: np.ndarray,
    level: np.ndarray,
    px: np.ndarray,
    py: np.ndarray,
) -> None:
    """How many packets stand closed up, beside their head."""
    reach = reach_of(zoom, layout, wire)
    for k, count in zip(heads.tolist(), counts.tolist(), strict=True):
        written = text(scene.theme, "mono", 11, str(count), TEXT_2)
        w, h = written.get_size()
        away = int(reach[k]) + zoom.px(2)
        free = zoom.px(7)
        # Towards the packets behind, off the body that the head stands at.
        behind = k + 1 < len(wire) and wire[k + 1] == wire[k] and level[k + 1] == level[k]
        if level[k]:
            way = int(np.sign(px[k + 1] - px[k])) if behind else 0
            x = int(px[k]) - (w // 2 if not way else -free if way > 0 else w + free)
            surface.blit(written, (x, int(py[k]) + away))
        else:
            way = int(np.sign(py[k + 1] - py[k])) if behind else 0
            y = int(py[k]) - (h // 2 if not way else -free if way > 0 else h + free)
            surface.blit(written, (int(px[k]) + away + zoom.px(1), y))
