"""Overlays: one idea each, drawn on the dimmed board; and the line that says how to read them.

An overlay is a list of pieces for the board's cached chunks (:func:`overlay_pieces`), made once per figures, so that a
frame costs no more with an overlay than without.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
import pygame

from game.theme import (
    BOARD,
    EDGE,
    GREEN,
    GREEN_TEXT,
    LAUNCH_COLOURS,
    LAUNCH_LETTERS,
    ORANGE,
    PACKET,
    PANEL,
    PANEL_2,
    SKY,
    TEXT,
    TEXT_2,
    TEXT_3,
    VERMILLION,
    VERMILLION_TEXT,
    WIRE_SLOW,
    Colour,
    Theme,
    mix,
    ramp,
)
from game.view.camera import Camera
from game.view.cores import body_mask, glyph_place
from game.view.glyphs import GLYPHS, glyph, glyph_of
from game.view.layout import Body, Layout
from game.view.roads import pitch
from game.view.scene import Figure, Scene
from game.view.shapes import corner_radius
from game.view.sprites import OVER, Mask, rounded_mask, text, tinted
from game.view.wires import WirePiece, wire_piece
from game.view.zoom import Zoom

POWER_FULL_UW = 5000.0
"""µW per tile at the bright end of the ramp; the scale never moves, so that two designs can be compared."""

Tile = tuple[int, int]
Point = tuple[float, float]
DIMMED = ("stalls", "utilisation", "power", "bottleneck", "tracks")


def power_share(uw_per_tile: float) -> float:
    """Place on the power ramp, on a square-root scale: 0 … 1."""
    return min(sqrt(max(uw_per_tile, 0.0) / POWER_FULL_UW), 1.0)


def power_text(uw: float) -> str:
    """A power for a person: three significant figures, µW below 1 mW."""
    return f"{uw / 1000:.3g} mW" if uw >= 1000 else f"{uw:.3g} µW"


def overlay_pieces(layout: Layout, scene: Scene) -> list[Any]:
    """What the scene's overlay adds above the dimmed board, wires first; empty where there are no figures."""
    if scene.flows:
        return _flow(layout, scene)
    match scene.overlay:
        case "stalls":
            return _stalls(layout, scene)
        case "utilisation":
            return _utilisation(layout, scene)
        case "power":
            return _power(layout, scene)
        case "bottleneck":
            return _bottleneck(layout, scene)
        case "tracks":
            return _tracks(layout)
    return []


# --- pieces ------------------------------------------------------------------------------------------------------


class CoreMark(NamedTuple):
    """A mark on a core or pad. ``kind`` is an overlay's name, ``shares`` up to three numbers 0 … 100."""

    body: Body
    kind: str
    shares: tuple[int, ...]
    towards: Tile | None = None
    note: str = ""

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
            case "power":
                self._heat(surface, left, top, zoom, theme)
            case _:
                self._frame(surface, left, top, zoom)

    def _ring(self, surface: pygame.Surface, left: int, top: int, zoom: Zoom) -> None:
        busy, starved, blocked = self.shares
        if zoom.nominal < 16:
            most = max((busy, GREEN), (starved, SKY), (blocked, VERMILLION), key=lambda pair: pair[0])[1]
            self._fill(surface, left, top, zoom, most)
            return
        self._fill(surface, left, top, zoom, mix(PANEL_2, BOARD, 0.5))
        # The ring fills the body, and its middle is for the sign.
        size = zoom.tile - 2 * round(zoom.units(4))
        picture = _three_part_ring(size, busy, blocked, self.towards, max(1, zoom.px(1)))
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
        if self.note and zoom.nominal >= 32:
            _tag(surface, theme, self.note, left + zoom.tile // 2, top + zoom.tile + zoom.px(5))

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


class Note(NamedTuple):
    """A word at a place on the board, in tiles."""

    x: float
    y: float
    words: str
    colour: Colour
    least: int
    """Zoom step from which it is shown."""

    @property
    def boxes(self) -> Iterator[tuple[float, float, float, float]]:
        """The rectangle that it may touch."""
        yield self.x - 1.6, self.y - 0.6, self.x + 1.6, self.y + 0.6

    def draw(self, surface: pygame.Surface, origin: tuple[int, int], zoom: Zoom, theme: Theme) -> None:
        if zoom.nominal >= self.least:
            _tag(
                surface,
                theme,
                self.words,
                round(origin[0] + self.x * zoom.tile),
                round(origin[1] + self.y * zoom.tile) + zoom.packet // 2 + zoom.px(10),
                self.colour,
            )


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
            _tag(surface, theme, f"{self.used}/{self.tracks}", x, y, colour)


def _tag(surface: pygame.Surface, theme: Theme, words: str, x: int, y: int, colour: Colour = TEXT) -> None:
    written = text(theme, "mono", 11, words, colour)
    rect = written.get_rect(center=(x, y))
    ground = rect.inflate(theme.px(6), theme.px(1))
    surface.blit(tinted(rounded_mask(ground.width, ground.height, theme.px(3)), BOARD, 0.88), ground)
    surface.blit(written, rect)


@lru_cache(maxsize=1024)
def _three_part_ring(size: int, busy: int, blocked: int, towards: Tile | None, line: int) -> pygame.Surface:
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
                _layer(picture, band & part, GREEN)
            case "starved":
                _layer(picture, rim & part, SKY)
                if towards and 0 < share < 100:
                    continue
            case _:
                _layer(picture, band & part, mix(VERMILLION, BOARD, 0.55))
                period = max(4, round(size / 8))
                _layer(picture, band & part & ((x + y) % period < period / 2), VERMILLION)
    return picture


def _layer(picture: pygame.Surface, inside: np.ndarray, colour: Colour) -> None:
    size = picture.get_width()
    mask = (
        np.broadcast_to(inside, (size * OVER, size * OVER))
        .reshape(size, OVER, size, OVER)
        .mean(axis=(1, 3), dtype=np.float32)
    )
    picture.blit(tinted(mask, colour), (0, 0))


# --- the overlays ------------------------------------------------------------------------------------------------


def _percent(share: float) -> int:
    return round(min(max(share, 0.0), 1.0) * 100)


def _last_part(line: tuple[Point, ...], share: float) -> tuple[Point, ...]:
    """The last ``share`` of a polyline."""
    total = sum(abs(bx - ax) + abs(by - ay) for (ax, ay), (bx, by) in pairwise(line))
    left = total * share
    points = [line[-1]]
    for (ax, ay), (bx, by) in reversed(list(pairwise(line))):
        length = abs(bx - ax) + abs(by - ay)
        if length >= left:
            part = left / length if length else 0
            points.append((bx + (ax - bx) * part, by + (ay - by) * part))
            break
        points.append((ax, ay))
        left -= length
    return tuple(reversed(points))


def _figure(scene: Scene, name: str) -> Figure | None:
    return scene.figures.cores.get(name) if scene.figures else None


def _stalls(layout: Layout, scene: Scene) -> list[Any]:
    pieces: list[Any] = []
    apart = pitch(layout.level.board.tracks)
    for road, figure in zip(layout.roads, scene.figures.wires if scene.figures else (), strict=False):
        # The share of packets' time that a wire's head waited.
        if road is not None and figure.blocked >= 0.01:
            lines = tuple(_last_part(line, min(figure.blocked, 1.0)) for line in road.lines)
            centre = _last_part(road.centre, min(figure.blocked, 1.0))
            pieces.append(WirePiece(lines, centre, VERMILLION, False, apart))
    sides = {(n.element, n.port): n.side for n in layout.notches if n.is_input}
    for body in layout.bodies.values():
        found = _figure(scene, body.id)
        if found is not None:
            towards = sides.get((body.id, found.port or ""))
            shares = (_percent(found.busy), _percent(found.starved), _percent(found.blocked))
            pieces.append(CoreMark(body, "stalls", shares, towards))
    return pieces


def _utilisation(layout: Layout, scene: Scene) -> list[Any]:
    pieces: list[Any] = []
    for wire, road, figure in zip(
        layout.design.wires, layout.roads, scene.figures.wires if scene.figures else (), strict=False
    ):
        if road is None or wire.every_ticks is None:
            continue
        used = min(figure.rate * wire.every_ticks / 100, 1.0)
        pieces.append(wire_piece(layout, road, EDGE, width=6))
        pieces.append(wire_piece(layout, road, GREEN_TEXT, width=max(1, round(6 * used))))
    for body in layout.bodies.values():
        found = _figure(scene, body.id)
        if found is not None:
            pieces.append(CoreMark(body, "utilisation", (_percent(found.busy),)))
    return pieces


def _power(layout: Layout, scene: Scene) -> list[Any]:
    pieces: list[Any] = []
    items: list[tuple[float, int | str]] = []
    for w, (road, figure) in enumerate(zip(layout.roads, scene.figures.wires if scene.figures else (), strict=False)):
        if road is not None:
            share = power_share(figure.power_uw / road.length / road.words)
            pieces.append(wire_piece(layout, road, ramp(max(share, 0.12)), width=3))
            items.append((figure.power_uw, w))
    for name in layout.bodies:
        found = _figure(scene, name)
        if found is not None:
            items.append((found.power_uw, name))
    top = {item for _, item in sorted(items, key=lambda pair: -pair[0])[:3]}
    for body in layout.bodies.values():
        found = _figure(scene, body.id)
        if found is not None:
            note = power_text(found.power_uw) if body.id in top else ""
            pieces.append(CoreMark(body, "power", (_percent(power_share(found.power_uw)),), None, note))
    for w, road in enumerate(layout.roads):
        if road is not None and w in top and scene.figures:
            (ax, ay), (bx, by) = max(
                pairwise(road.centre), key=lambda r: abs(r[1][0] - r[0][0]) + abs(r[1][1] - r[0][1])
            )
            pieces.append(Note((ax + bx) / 2, (ay + by) / 2, power_text(scene.figures.wires[w].power_uw), TEXT, 24))
    return pieces


def _flow(layout: Layout, scene: Scene) -> list[Any]:
    """Wires as bright as words come along, on a square-root scale up to one per ns."""
    pieces: list[Any] = []
    for road, figure in zip(layout.roads, scene.figures.wires if scene.figures else (), strict=False):
        if road is not None and figure.rate > 0:
            colour = mix(WIRE_SLOW, PACKET, min(sqrt(figure.rate), 1.0))
            pieces.append(WirePiece(road.lines, road.centre, colour, False, pitch(layout.level.board.tracks)))
    return pieces


def _bottleneck(layout: Layout, scene: Scene) -> list[Any]:
    found = scene.bottleneck
    if found is None:
        return []
    pieces: list[Any] = []
    for w in found.wires:
        road = layout.roads[w] if w < len(layout.roads) else None
        if road is not None:
            pieces.append(wire_piece(layout, road, ORANGE))
    for w, slower in found.slack.items():
        road = layout.roads[w] if w < len(layout.roads) else None
        if road is not None and w not in found.wires and slower >= 1.05:
            (ax, ay), (bx, by) = max(
                pairwise(road.centre), key=lambda r: abs(r[1][0] - r[0][0]) + abs(r[1][1] - r[0][1])
            )
            pieces.append(Note((ax + bx) / 2, (ay + by) / 2, f"{slower:.2g} ×", TEXT_2, 32))
    pieces += [CoreMark(layout.bodies[name], "bottleneck", ()) for name in found.cores if name in layout.bodies]
    return pieces


def _tracks(layout: Layout) -> list[Any]:
    tracks = layout.level.board.tracks
    pieces: list[Any] = [wire_piece(layout, road, mix(TEXT_3, BOARD, 0.2)) for road in layout.roads if road is not None]
    for ((ax, ay), (bx, by)), used in layout.used.items():
        upright = ay == by
        x, y = (max(ax, bx), ay + 0.5) if upright else (ax + 0.5, max(ay, by))
        pieces.append(EdgeBar(x, y, upright, used, tracks))
    return pieces


# --- legend ------------------------------------------------------------------------------------------------------


def legend(scene: Scene) -> tuple[tuple[str, tuple[tuple[str, str, Colour], ...]], str] | None:
    """((title, entries of (sign, words, colour)), note) of the overlay's line; None without an overlay."""
    match scene.overlay:
        case "stalls":
            return (
                "stalls",
                (("solid", "busy", GREEN), ("hollow", "starved", SKY), ("hatched", "blocked", VERMILLION)),
            ), ""
        case "utilisation":
            return (
                "utilisation",
                (("solid", "busy share, %", mix(GREEN, BOARD, 0.35)), ("thin", "rate in speed", GREEN_TEXT)),
            ), ""
        case "power":
            return ("power", (("ramp", f"0 … {power_text(POWER_FULL_UW)} per tile", TEXT),)), ""
        case "bottleneck":
            note = scene.bottleneck.sentence if scene.bottleneck else "no bound: nothing runs"
            return ("bottleneck", (("solid", "sets the pace", ORANGE),)), note
        case "tracks":
            return ("tracks", (("thin", "in use", TEXT_3), ("thin", "full", VERMILLION_TEXT))), ""
        case "launches":
            entries = tuple(("solid", letter, c) for letter, c in zip(LAUNCH_LETTERS, LAUNCH_COLOURS, strict=True))
            return ("launches", entries), ""
    return None


def draw_legend(surface: pygame.Surface, camera: Camera, scene: Scene) -> pygame.Rect | None:
    """One line at the bottom left of the view; returns where."""
    found = legend(scene)
    if found is None:
        return None
    (title, entries), note = found
    theme = scene.theme
    parts: list[tuple[str, pygame.Surface, Colour]] = [("", text(theme, "medium", 12, title, TEXT), TEXT)]
    parts += [(sign, text(theme, "text", 12, words, TEXT_2), colour) for sign, words, colour in entries]
    if note:
        parts.append(("", text(theme, "text", 12, note, TEXT_2), TEXT_2))
    swatch, gap, space = theme.px(12), theme.px(6), theme.px(14)
    ramp_width = theme.px(96)
    width = 2 * space - gap
    for sign, written, _ in parts:
        width += written.get_width() + space + ((ramp_width if sign == "ramp" else swatch) + gap if sign else 0)
    height = theme.px(28)
    left, top = camera.view[0] + theme.px(12), camera.view[1] + camera.view[3] - height - theme.px(12)
    rect = pygame.Rect(left, top, min(width - space, camera.view[2] - theme.px(24)), height)
    surface.blit(tinted(rounded_mask(rect.width, rect.height, theme.px(6)), PANEL, 0.94), rect)
    x = rect.left + space
    for sign, written, colour in parts:
        if sign:
            mark = pygame.Rect(x, rect.centery - swatch // 2, ramp_width if sign == "ramp" else swatch, swatch)
            _swatch(surface, sign, mark, colour, theme)
            x = mark.right + gap
        surface.blit(written, (x, rect.centery - written.get_height() // 2))
        x += written.get_width() + space
    return rect


def _swatch(surface: pygame.Surface, sign: str, mark: pygame.Rect, colour: Colour, theme: Theme) -> None:
    match sign:
        case "solid":
            surface.blit(tinted(rounded_mask(mark.width, mark.height, theme.px(3)), colour), mark)
        case "hollow":
            pygame.draw.rect(surface, colour, mark, theme.px(1), theme.px(3))
        case "hatched":
            surface.fill(mix(colour, BOARD, 0.55), mark)
            clip = surface.get_clip()
            surface.set_clip(mark.clip(clip))
            for x in range(mark.left - mark.height, mark.right, theme.px(4)):
                pygame.draw.line(surface, colour, (x, mark.bottom), (x + mark.height, mark.top), theme.px(1))
            surface.set_clip(clip)
        case "thin":
            surface.fill(colour, (mark.left, mark.centery - theme.px(1), mark.width, theme.px(2)))
        case "ramp":
            for k in range(mark.width):
                surface.fill(ramp(k / max(mark.width - 1, 1)), (mark.left + k, mark.top, 1, mark.height))
