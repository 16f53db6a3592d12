"""What moments of the game add to the board: the opening, words that wait in pads, results that close the ring of a
sink, the way of the first result, the flash of an undo, and the key that says why something waits."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

import numpy as np
import pygame

from game.theme import BOARD, EDGE, GREEN_TEXT, ORANGE, PACKET, TEXT, YELLOW, Colour, Theme, mix
from game.view.board import OUTSIDE
from game.view.differences import Differences
from game.view.layout import Body, Layout
from game.view.marks import draw_ghost_body, outline
from game.view.motion import BREATH_S
from game.view.roads import pitch
from game.view.scene import Moment, Scene
from game.view.sprites import OVER, badge, rounded_mask, text, tinted
from game.view.wires import WirePiece, draw_wire
from game.view.zoom import Zoom

Point = tuple[float, float]

CLOSE_S, FADE_S = 0.25, 0.65
"""In so many seconds the ring of a sink closes, and has gone again."""

COUNT_S = 1.2
RING_STEPS = 15


def draw_moment(surface: pygame.Surface, origin: tuple[int, int], zoom: Zoom, layout: Layout, scene: Scene) -> None:
    """Draw what the scene's moment adds, over everything else on the board."""
    moment = scene.moment
    if moment is None:
        return
    if moment.flash is not None:
        _flash(surface, origin, zoom, layout, moment.flash)
    if moment.dim > 0:
        veil = pygame.Surface(surface.get_clip().size, depth=32)
        veil.fill(BOARD)
        veil.set_alpha(round(255 * moment.dim))
        surface.blit(veil, surface.get_clip())
    if moment.lit and moment.lit_share > 0:
        _way(surface, origin, zoom, layout, moment)
    if moment.since_s is not None:
        _results(surface, origin, zoom, layout, scene.theme, moment)
    for pad, words in moment.words.items():
        _word(surface, origin, zoom, layout, scene, pad, words)
    if moment.ask is not None:
        _ask(surface, origin, zoom, layout, scene.theme, moment.ask)
    if moment.opened < 1:
        _curtain(surface, origin, zoom, layout, moment.opened)


def _curtain(surface: pygame.Surface, origin: tuple[int, int], zoom: Zoom, layout: Layout, opened: float) -> None:
    """The board draws itself from left to right."""
    columns, rows = layout.level.board.size
    reach = zoom.tile * 2
    left = origin[0] - reach + round((columns * zoom.tile + 2 * reach) * opened)
    view = surface.get_clip()
    covered = pygame.Rect(left, view.top, max(view.right - left, 0), view.height).clip(view)
    surface.fill(OUTSIDE, covered)
    front = pygame.Rect(left - zoom.px(2), origin[1], zoom.px(2), rows * zoom.tile).clip(view)
    surface.fill(mix(EDGE, TEXT, 0.3), front)


def _flash(surface: pygame.Surface, origin: tuple[int, int], zoom: Zoom, layout: Layout, changed: Differences) -> None:
    """What was changed lights up; what has gone is seen once more."""
    for item in sorted((*changed.only, *changed.otherwise), key=str):
        outline(surface, origin, zoom, layout, item, TEXT, 2.5, 1)
    for core in changed.cores:
        left, top = origin[0] + core.at[0] * zoom.tile, origin[1] + core.at[1] * zoom.tile
        draw_ghost_body(surface, (left, top), zoom, core.core)
    for wire in changed.wires:
        path = tuple((x + 0.5, y + 0.5) for x, y in wire.path)
        draw_wire(surface, None, origin, zoom, WirePiece((path,), path, mix(TEXT, BOARD, 0.55), True, 1 / 8))


def first_part(line: tuple[Point, ...], share: float) -> tuple[Point, ...]:
    """The first ``share`` of a polyline of level and upright runs."""
    left = sum(abs(bx - ax) + abs(by - ay) for (ax, ay), (bx, by) in pairwise(line)) * share
    points = [line[0]]
    for (ax, ay), (bx, by) in pairwise(line):
        length = abs(bx - ax) + abs(by - ay)
        if length >= left:
            part = left / length if length else 0.0
            points.append((ax + (bx - ax) * part, ay + (by - ay) * part))
            break
        points.append((bx, by))
        left -= length
    return tuple(points)


def _way(surface: pygame.Surface, origin: tuple[int, int], zoom: Zoom, layout: Layout, moment: Moment) -> None:
    roads = [layout.roads[w] for w in moment.lit if 0 <= w < len(layout.roads)]
    known = [road for road in roads if road is not None]
    left = sum(road.length for road in known) * moment.lit_share
    apart = pitch(layout.level.board.tracks)
    for road in known:
        if left <= 0:
            break
        share = min(left / max(road.length, 1), 1.0)
        lines = tuple(first_part(line, share) for line in road.lines)
        draw_wire(surface, None, origin, zoom, WirePiece(lines, first_part(road.centre, share), YELLOW, False, apart))
        left -= road.length


# --- results ---------------------------------------------------------------------------------------------------------


def _results(
    surface: pygame.Surface, origin: tuple[int, int], zoom: Zoom, layout: Layout, theme: Theme, moment: Moment
) -> None:
    """Where a launch has just counted: a ring that closes, and which launch it was."""
    since = moment.since_s
    assert since is not None
    sinks = [body for body in layout.bodies.values() if body.pad and body.core in ("sink", "store")]
    for body in sinks if since < FADE_S else ():
        share = min(since / CLOSE_S, 1.0)
        fade = 1 - max(since - CLOSE_S, 0.0) / (FADE_S - CLOSE_S)
        size = round(zoom.tile * 1.12)
        ring = _closing_ring(size, zoom.px(2), round(share * RING_STEPS), round(fade * 8))
        x, y = origin[0] + (body.at[0] + 0.5) * zoom.tile, origin[1] + (body.at[1] + 0.5) * zoom.tile
        surface.blit(ring, (round(x - size / 2), round(y - size / 2)))
    if sinks and since < COUNT_S and zoom.nominal >= 24:
        _count(surface, origin, zoom, theme, sinks[0], moment.launches)


def _count(
    surface: pygame.Surface, origin: tuple[int, int], zoom: Zoom, theme: Theme, body: Body, launches: int
) -> None:
    written = text(theme, "semibold", 12, f"{launches} ✓", GREEN_TEXT)
    rect = written.get_rect()
    # Off the side where words come in, and how many wait there.
    rect.topleft = (
        origin[0] + round((body.at[0] + 0.5) * zoom.tile) - zoom.px(4),
        origin[1] + (body.at[1] + 1) * zoom.tile + zoom.px(2),
    )
    ground = rect.inflate(zoom.px(8), zoom.px(2))
    surface.blit(tinted(rounded_mask(ground.width, ground.height, zoom.px(4)), BOARD, 0.85), ground)
    surface.blit(written, rect)


@lru_cache(maxsize=256)
def _closing_ring(size: int, line: int, step: int, fade: int) -> pygame.Surface:
    """The part ``step`` of a circle, clockwise from the top."""
    samples = (np.arange(size * OVER, dtype=np.float32) + 0.5) / OVER - size / 2
    x, y = samples[:, None], samples[None, :]
    distance = np.hypot(x, y)
    turn = (np.arctan2(x, -y) / (2 * np.pi)) % 1.0
    inside = (distance <= size / 2) & (distance >= size / 2 - line) & (turn <= step / RING_STEPS)
    mask = inside.reshape(size, OVER, size, OVER).mean(axis=(1, 3), dtype=np.float32)
    return tinted(np.asarray(mask), YELLOW, fade / 8)


# --- words -----------------------------------------------------------------------------------------------------------


def _word(
    surface: pygame.Surface, origin: tuple[int, int], zoom: Zoom, layout: Layout, scene: Scene, pad: str, words: str
) -> None:
    """A word that waits in a pad, beside the port where it will leave."""
    body = layout.bodies.get(pad)
    if body is None:
        return
    picture = badge(scene.theme, words, TEXT, BOARD, EDGE)
    sprite = pygame.Surface((zoom.packet + 2, zoom.packet + 2), pygame.SRCALPHA, 32)
    pygame.draw.circle(sprite, PACKET, (sprite.get_width() / 2, sprite.get_height() / 2), zoom.packet / 2)
    x = origin[0] + (body.at[0] + 0.5 + 0.42 * body.towards[0]) * zoom.tile
    y = origin[1] + (body.at[1] + 0.5 + 0.42 * body.towards[1]) * zoom.tile
    surface.blit(sprite, sprite.get_rect(center=(round(x), round(y))))
    place = picture.get_rect(midbottom=(round(x), round(y) - zoom.packet))
    away = zoom.packet + zoom.px(4)
    if body.towards[0] > 0:  # before the pad: above it stand its name and its rate
        place.midleft = round(x) + away, round(y)
    elif body.towards[0] < 0:
        place.midright = round(x) - away, round(y)
    surface.blit(picture, place)


def _ask(surface: pygame.Surface, origin: tuple[int, int], zoom: Zoom, layout: Layout, theme: Theme, wire: int) -> None:
    """Which key says why this head waits, beside it."""
    road = layout.roads[wire] if 0 <= wire < len(layout.roads) else None
    if road is None:
        return
    x, y = road.centre[-1]
    back = max(zoom.tile, zoom.px(46))  # clear of the body at which the head waits, and of its name
    at = round(x * zoom.tile) - road.end[0] * back, round(y * zoom.tile) - road.end[1] * back
    _tag(surface, zoom, theme, "Y: why?", (origin[0] + at[0], origin[1] + at[1]), ORANGE)


def _tag(surface: pygame.Surface, zoom: Zoom, theme: Theme, words: str, at: tuple[int, int], colour: Colour) -> None:
    written = text(theme, "semibold", 12, words, colour)
    rect = written.get_rect(midbottom=(at[0], at[1] - zoom.packet - zoom.px(6)))
    ground = rect.inflate(zoom.px(12), zoom.px(6))
    surface.blit(tinted(rounded_mask(ground.width, ground.height, zoom.px(4)), BOARD, 0.94), ground)
    pygame.draw.rect(surface, mix(colour, BOARD, 0.4), ground, zoom.px(1), border_radius=zoom.px(4))
    surface.blit(written, rect)


def blinks(seconds: float) -> bool:
    """Whether a word that blinks is seen so long after it began: it blinks twice, and stays then."""
    return seconds >= 0 and (seconds >= BREATH_S or seconds % (BREATH_S / 2) < BREATH_S / 4)
