"""Drawing pads and cores: body by family, sign by function, notches, labels."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pygame

from game.theme import (
    BLUE_TEXT,
    BOARD,
    EDGE,
    PANEL_2,
    TEXT,
    TEXT_2,
    TEXT_3,
    VERMILLION_TEXT,
    YELLOW,
    Colour,
    Theme,
    mix,
)
from game.view.glyphs import GLYPHS, glyph, glyph_of
from game.view.layout import Body, Layout, Notch
from game.view.roads import pitch
from game.view.shapes import HALF, body, corner_radius, family_of, rounded, tint_of
from game.view.sprites import Mask, disc_mask, polygon_mask, text, tinted
from game.view.zoom import Zoom

Tile = tuple[int, int]

FAMILY_EDGE = {"pad": mix(YELLOW, BOARD, 0.42)}
TINT = 0.18
TIGHT = 0.86
"""Tiles that a label may be wide between neighbours."""
_ARROWS = {(1, 0): "→", (-1, 0): "←", (0, 1): "↓", (0, -1): "↑"}
_Letter = tuple[float, float, Tile, str, bool]


class CorePiece(NamedTuple):
    """One pad or core as a chunk draws it: a value, so that two pictures can be compared.

    ``far``, ``middle`` and ``near`` are where its name goes below tile 32, at 32 and above: "above", "below", "left",
    "right" or "" for nowhere. ``notches`` are
    (x, y, side, is input, colour), one per line, in tiles about the tile's middle; letters are
    (x, y, side, text, whether a wire is there). A label
    near the body may be ``room`` tiles wide.
    """

    body: Body
    far: str
    middle: str
    near: str
    notches: tuple[tuple[float, float, Tile, bool, Colour], ...]
    letters: tuple[_Letter, ...]
    apart: float
    room: float

    @property
    def boxes(self) -> Iterator[tuple[float, float, float, float]]:
        """The rectangle that it may touch with its labels."""
        x, y = self.body.at
        wide = 2.5 if self.body.pad else 1.0
        yield x - wide, y - 1.0, x + 1 + wide, y + 2.0

    def label(self, zoom: Zoom) -> str:
        """Where its name goes at this zoom."""
        return self.near if zoom.names else self.middle if zoom.notches else self.far


def core_pieces(layout: Layout, colours: list[Colour]) -> list[CorePiece]:
    """Pieces of all elements; ``colours`` are those of the wires."""
    if "cores" not in layout.memo:
        layout.memo["cores"] = _still_parts(layout)
    apart = pitch(layout.level.board.tracks)
    return [
        CorePiece(
            body,
            far,
            middle,
            near,
            tuple((*end, EDGE if w < 0 else colours[w]) for w, end in ends),
            letters,
            apart,
            _room(layout, body),
        )
        for body, (far, middle, near), ends, letters in layout.memo["cores"]
    ]


def _room(layout: Layout, element: Body) -> float:
    """How wide a label above or below may be, in tiles: a pad's reaches over free tiles beside it.

    Between neighbours a little is left free, so that their labels do not read as one.
    """
    x, y = element.at
    beside = [n for n in (-1, 1) if (x + n, y) in layout.at]
    if not element.pad:
        return TIGHT if beside else 1.0
    if element.edge is None or not element.edge[0]:
        return TIGHT if beside else 2.4
    inwards = -element.edge[0]
    return next((n - 1 + TIGHT for n in (1, 2) if (x + n * inwards, y) in layout.at), 2.4)


_End = tuple[int, tuple[float, float, Tile, bool]]


def _still_parts(
    layout: Layout,
) -> list[tuple[Body, tuple[str, str, str], list[_End], tuple[_Letter, ...]]]:
    """(body, places of its label, (wire, (x, y, side, is input)) of each line, letters) of each element."""
    by_element: dict[str, list[Notch]] = {name: [] for name in layout.bodies}
    for notch in layout.notches:
        by_element[notch.element].append(notch)
    found = []
    for element in layout.bodies.values():
        x, y = element.at[0] + 0.5, element.at[1] + 0.5
        notches = by_element[element.id]
        ends = [(n.wire, (px - x, py - y, n.side, n.is_input)) for n in notches for px, py in _line_ends(layout, n)]
        found.append((element, _label_places(layout, element), ends, _letters(notches, x, y, element.pad)))
    return found


def _line_ends(layout: Layout, notch: Notch) -> list[tuple[float, float]]:
    """Where each line of the notch's wire ends."""
    road = layout.roads[notch.wire] if notch.wire >= 0 else None
    if road is None:
        return [(notch.x, notch.y)]
    return [line[-1 if notch.is_input else 0] for line in road.lines]


def _letters(notches: list[Notch], x: float, y: float, pad: bool) -> tuple[_Letter, ...]:
    """Letters of the ports of an element that has several inputs or several outputs; on a pad, where both stand on one
    side, with the way that words go."""
    names = {(n.is_input, n.port) for n in notches}
    several = {way for way in (True, False) if sum(is_input == way for is_input, _ in names) > 1}
    if pad and several:
        several = {True, False}
    found: dict[tuple[bool, str], _Letter] = {}
    for n in notches:
        if n.is_input not in several:
            continue
        short = n.port if len(n.port) <= 2 else n.port[0]
        if pad:
            onwards = n.side if not n.is_input else (-n.side[0], -n.side[1])
            arrow = _ARROWS[onwards]
            short = f"{short}{arrow}" if n.side[0] < 0 else f"{arrow}{short}"
        found.setdefault((n.is_input, n.port), (n.x - x, n.y - y, n.side, short, n.wire >= 0))
    return tuple(found.values())


def _wide_road(layout: Layout, tile: Tile) -> bool:
    """Whether a road runs over the tile that is too wide for words beside it."""
    x, y = tile
    sides = ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
    most = max(layout.used.get((min(tile, side), max(tile, side)), 0) for side in sides)
    return (most - 1) * pitch(layout.level.board.tracks) > 0.3


def _label_places(layout: Layout, element: Body) -> tuple[str, str, str]:
    x, y = element.at
    free, open_ = [], []
    for place, dy in (("above", -1), ("below", 1)):
        over = (x, y + dy)
        edge = (min(element.at, over), max(element.at, over))
        if over not in layout.at and not layout.used.get(edge) and not _wide_road(layout, over):
            open_.append(place)
            if over not in layout.wired:
                free.append(place)
    near = next(iter((*free, *open_)), "")
    if element.pad:
        match element.edge:
            case (-1, 0):
                side = "left"
            case (1, 0):
                side = "right"
            case (0, 1):
                side = "below"
            case _:
                side = "above"
        return side, side, near
    # Close to the body there is no room for a wire and a number at tile 32.
    return "", next(iter(free), "") if element.values or element.setting else "", near


# --- bodies ------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=2048)
def body_sprite(core: str, towards: Tile, edge: Tile | None, tile: int, nominal: int, scale: float) -> pygame.Surface:
    """The body of a core, as large as its tile."""
    surface = pygame.Surface((tile, tile), pygame.SRCALPHA, 32)
    tint = tint_of(core)
    fill = mix(PANEL_2, tint, TINT) if tint else PANEL_2
    outline = FAMILY_EDGE.get(family_of(core), mix(EDGE, tint, 0.28) if tint else EDGE)
    radius = corner_radius(core)
    if nominal < 16:
        fill = mix(fill, tint or TEXT_3, 0.35)
        surface.blit(tinted(body_mask(core, towards, edge, tile, 0.0, radius), fill), (0, 0))
        return surface
    # Lines are 1.5 px wide at tile 32 and grow slower than the tile.
    line = max(1.0 * scale, 1.5 * scale * (nominal / 32) ** 0.5)
    surface.blit(tinted(body_mask(core, towards, edge, tile, 0.0, radius), outline), (0, 0))
    inner = body_mask(core, towards, edge, tile, line / tile, max(radius - line / tile, 0.01))
    surface.blit(tinted(inner, fill), (0, 0))
    one = max(1, round(scale))
    lifted = np.clip(inner - np.roll(inner, one, axis=1), 0, 1)
    lifted[:, : one // 2] = 0
    surface.blit(tinted(lifted.astype(np.float32), mix(fill, TEXT, 0.10)), (0, 0))
    if family_of(core) == "pad" and nominal >= 24:
        second = 2.6 * line / tile
        ring = body_mask(core, towards, edge, tile, second, radius) - body_mask(
            core, towards, edge, tile, second + line * 0.7 / tile, radius
        )
        surface.blit(tinted(np.clip(ring, 0, 1), mix(fill, YELLOW, 0.28)), (0, 0))
    if core == "address" and nominal >= 24:
        size = max(4, round(5.5 * tile / 32))
        ring_at = (
            round(tile / 2 + (HALF - 5.2 / 32) * tile - size / 2),
            round(tile / 2 - (HALF - 5.2 / 32) * tile - size / 2),
        )
        surface.blit(tinted(disc_mask(size - 0.5, size, size - 0.5 - 2 * line), BLUE_TEXT, 0.8), ring_at)
    return surface


def body_mask(core: str, towards: Tile, edge: Tile | None, tile: int, inset: float, radius: float) -> Mask:
    """Coverage of a body in its tile, drawn in by ``inset`` tiles."""
    points = rounded(body(core, towards, edge, inset), radius)
    return polygon_mask([((x + 0.5) * tile, (y + 0.5) * tile) for x, y in points], tile, tile)


def draw_core(surface: pygame.Surface, origin: tuple[int, int], zoom: Zoom, theme: Theme, piece: CorePiece) -> None:
    """Draw one pad or core with its notches, sign and labels."""
    element = piece.body
    left, top = origin[0] + element.at[0] * zoom.tile, origin[1] + element.at[1] * zoom.tile
    if zoom.notches:
        for notch in piece.notches:
            if not notch[3]:
                _draw_notch(surface, left, top, zoom, piece.apart, *notch)
    sprite = body_sprite(element.core, element.towards, element.edge, zoom.tile, zoom.nominal, zoom.scale)
    surface.blit(sprite, (left, top))
    if zoom.notches:
        for notch in piece.notches:
            if notch[3]:
                _draw_notch(surface, left, top, zoom, piece.apart, *notch)
    if zoom.glyph:
        sign_x, sign_y, size = glyph_place(element, zoom)
        surface.blit(_sign(element, size), (left + sign_x, top + sign_y))
    if piece.letters and zoom.names:
        _draw_letters(surface, left, top, zoom, theme, piece)
    _draw_labels(surface, left, top, zoom, theme, piece)


def _draw_letters(surface: pygame.Surface, left: int, top: int, zoom: Zoom, theme: Theme, piece: CorePiece) -> None:
    """Letters of ports, outside of the body: in line with a free port, beside a wire. None covers another one."""
    taken: list[pygame.Rect] = []
    for x, y, side, letter, wired in piece.letters:
        written = text(theme, "text", 10 if zoom.nominal < 96 else 12, letter, TEXT_2)
        away = zoom.grown(3) + zoom.px(3)
        beside = (written.get_height() // 2 + zoom.wire // 2 + zoom.px(1)) if wired else 0
        px, py = left + round((x + 0.5) * zoom.tile), top + round((y + 0.5) * zoom.tile)
        if side[0]:
            place = written.get_rect(midleft=(px + away, py - beside))
            if side[0] < 0:
                place.right = px - away
        else:
            place = written.get_rect(midtop=(px, py + away))
            if side[1] < 0:
                place.bottom = py - away
            if wired:
                place.right = px - zoom.wire // 2 - zoom.px(3)
        core = place.inflate(0, -(place.height // 3))
        if core.collidelist(taken) < 0:
            taken.append(core)
            surface.blit(written, place)


def _sign(element: Body, size: int) -> pygame.Surface:
    name = glyph_of(element.core, dict(element.settings))
    if name not in GLYPHS:
        return text(Theme(), "semibold", size * 0.8, "?", VERMILLION_TEXT)
    return glyph(name, size, TEXT, 0.85)


def glyph_place(element: Body, zoom: Zoom) -> tuple[int, int, int]:
    """(x, y, size) of the sign within its tile."""
    size = zoom.glyph
    x = zoom.tile / 2
    y = zoom.tile / 2
    if element.pad and element.edge is not None:
        # The body is longer towards the edge.
        x += element.edge[0] * zoom.tile * (0.5 - HALF) / 2
        y += element.edge[1] * zoom.tile * (0.5 - HALF) / 2
    if family_of(element.core) == "reduction":
        x -= element.towards[0] * zoom.tile * 0.03
        y -= element.towards[1] * zoom.tile * 0.03
    if zoom.stages and not element.pad:
        y -= zoom.units(1.6)
    if zoom.bars and not element.pad:
        y -= zoom.units(2.4 if inside_text(element) else 1)
    return round(x - size / 2), round(y - size / 2), size


def inside_text(element: Body) -> str:
    """What stands inside of a body, from tile 96."""
    return " ".join(filter(None, (element.values, element.setting)))


@lru_cache(maxsize=512)
def icon(core: str, size: int, scale: float = 1.0) -> pygame.Surface:
    """A core or pad as the palette shows it: body and sign, ``size`` pixels wide and high."""
    tile = round(size * 32 / 26)
    picture = pygame.Surface((size, size), pygame.SRCALPHA, 32)
    picture.blit(body_sprite(core, (1, 0), None, tile, 32, scale), ((size - tile) // 2, (size - tile) // 2))
    if core in GLYPHS:
        sign = glyph(core, round(size * 0.66), TEXT, 0.85)
        picture.blit(sign, sign.get_rect(center=(size // 2, size // 2)))
    return picture


def short_text(element: Body) -> str:
    """What stands above a body at tile 32: the immediate, or the one number that matters most."""
    return element.values or element.setting.partition(" ")[0]


def _draw_notch(
    surface: pygame.Surface,
    left: int,
    top: int,
    zoom: Zoom,
    apart: float,
    x: float,
    y: float,
    side: Tile,
    is_input: bool,
    colour: Colour,
) -> None:
    depth = zoom.grown(3)
    # Narrow enough to leave something between neighbouring tracks.
    width = max(zoom.wire + 2 * zoom.px(1), min(zoom.grown(5), round(apart * zoom.tile) - zoom.px(1)))
    px, py = left + round((x + 0.5) * zoom.tile), top + round((y + 0.5) * zoom.tile)
    sx, sy = side
    if is_input:
        shade = mix(BOARD, PANEL_2, 0.2)
        x0 = px - depth * (sx > 0) if sx else px - width // 2
        y0 = py - depth * (sy > 0) if sy else py - width // 2
        surface.fill(shade, (x0, y0, depth if sx else width, width if sx else depth))
        if colour != EDGE:
            # The plug in the socket.
            half, length = zoom.wire // 2, max(1, depth - zoom.px(1))
            if sx:
                surface.fill(colour, (px - length * (sx > 0), py - half, length, zoom.wire))
            else:
                surface.fill(colour, (px - half, py - length * (sy > 0), zoom.wire, length))
    else:
        out = mix(EDGE, TEXT_3, 0.35)
        x0 = px - (depth if sx < 0 else 1) if sx else px - width // 2
        y0 = py - (depth if sy < 0 else 1) if sy else py - width // 2
        surface.fill(out, (x0, y0, depth + 1 if sx else width, width if sx else depth + 1))


# --- labels ------------------------------------------------------------------------------------------------------


def _draw_labels(surface: pygame.Surface, left: int, top: int, zoom: Zoom, theme: Theme, piece: CorePiece) -> None:
    element = piece.body
    size = 11 if zoom.nominal < 96 else 12
    inset = round(zoom.units(3))
    inside = inside_text(element) if zoom.bars and not element.pad else ""
    if inside:
        room = zoom.tile - 2 * inset - zoom.px(8) - round(zoom.units(5) if family_of(element.core) == "steering" else 0)
        if theme.font("mono", size).size(inside)[0] > room:
            inside = short_text(element)
        written = text(theme, "mono", size, _fitting(theme, size, inside, room), TEXT)
        surface.blit(
            written,
            (left + (zoom.tile - written.get_width()) // 2, top + round(zoom.units(23.4)) - written.get_height()),
        )
    parts: list[tuple[str, str, Colour]] = []
    if element.pad or zoom.names:
        parts.append(("medium" if element.pad else "text", element.id, TEXT_2))
    # Beside a pad at the left or right edge there is room for its rate at any zoom that has words.
    beside = element.edge is not None and element.edge[0] != 0 and zoom.nominal >= 16
    shown = (zoom.names or beside) if element.pad else zoom.notches
    extra = "" if inside or not shown else inside_text(element) if zoom.names or element.pad else short_text(element)
    if extra:
        parts.append(("mono", extra, mix(TEXT, TEXT_2, 0.25)))
    label = piece.label(zoom)
    if not parts or not label:
        return
    if zoom.nominal < 32:
        size = 11
    widest = round(zoom.tile * piece.room) + (zoom.px(14) if piece.room in (1.0, 2.4) else 0)
    pictures = [text(theme, face, size, words, colour) for face, words, colour in parts]
    space = zoom.px(5)
    total = sum(p.get_width() for p in pictures) + space * (len(pictures) - 1)
    if total > widest and len(pictures) == 2:
        # The number says more than the name of a core, and less than that of a pad.
        pictures = pictures[:1] if element.pad else pictures[1:]
        total = pictures[0].get_width()
    if total > widest and not element.pad:
        face, words, colour = parts[-1]
        if extra:
            words = short_text(element)
        pictures = [text(theme, face, size, _fitting(theme, size, words, widest, face), colour)]
        total = pictures[0].get_width()
    height = pictures[0].get_height()
    away = zoom.px(2)
    middle = left + zoom.tile // 2
    x, y = middle - total // 2, top + inset - away - height
    if element.edge == (-1, 0):
        x = max(x, left + zoom.px(2))
    elif element.edge == (1, 0):
        x = min(x, left + zoom.tile - total - zoom.px(2))
    match label:
        case "below":
            y = top + zoom.tile - inset + away
        case "left" | "right":
            outside = total + zoom.px(6) <= zoom.tile * 2.2
            if outside:
                y = top + (zoom.tile - height) // 2
                x = left - zoom.px(5) - total if label == "left" else left + zoom.tile + zoom.px(5)
            else:
                y = top + min(inset, zoom.px(3)) - height
                x = left if label == "left" else left + zoom.tile - total
                # It may lie over wires, which are not to strike it through.
                surface.fill(BOARD, (x - space // 2, y + height // 6, total + space, height - height // 3))
    for picture in pictures:
        surface.blit(picture, (x, y + (height - picture.get_height()) // 2))
        x += picture.get_width() + space


def _fitting(theme: Theme, size: float, words: str, width: int, face: str = "mono") -> str:
    if theme.font(face, size).size(words)[0] <= width:
        return words
    while words and theme.font(face, size).size(words + "…")[0] > width:
        words = words[:-1]
    return words + "…"
