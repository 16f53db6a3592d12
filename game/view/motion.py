"""What moves beside the packets: heads of queues breathe, ports ring when a packet is taken, a wrong packet wobbles.

Every function gives a picture of one moment: the machine's time and state, and the player's clock, say all. Widths and
times are of the design: 1.2 s a breath, 90 ms a ring.
"""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sin

import numpy as np
import pygame

from game.theme import BOARD, PACKET, VERMILLION_TEXT
from game.view.layout import Layout
from game.view.scene import Scene
from game.view.sprites import disc_mask, stroke_mask, tinted
from game.view.zoom import Zoom

BREATH_S = 1.2
BREATH_STEPS = 6
"""Sizes of a breath: so many pictures of each packet are kept."""

RING_S = 0.09
RING_STEPS = 6
APART_S = 0.12
"""Packets that are taken closer together than this would keep their port's ring alight: it has none then."""

WOBBLE_S = 0.4


def breath(scene: Scene) -> int:
    """How far heads of queues have breathed in: 0 … :data:`BREATH_STEPS`."""
    if not scene.moves:
        return 0
    return round((1 - cos(2 * pi * scene.clock / BREATH_S)) / 2 * BREATH_STEPS)


def whole_breaths(seconds: float) -> float:
    """What a loop of ``seconds`` adds to the clock, so that it ends with the breath with which it begins."""
    return BREATH_S * max(1, round(seconds / BREATH_S))


def wobble(scene: Scene, zoom: Zoom) -> int:
    """Pixels by which a wrong packet is beside its place: one at UI scale 100 %."""
    return round(sin(2 * pi * scene.clock / WOBBLE_S) * zoom.scale) if scene.moves else 0


def draw_arrivals(surface: pygame.Surface, origin: tuple[int, int], zoom: Zoom, layout: Layout, scene: Scene) -> int:
    """A ring at every port that has just taken a packet; returns how many there are."""
    state = scene.state
    if state is None or not scene.moves or not zoom.notches or scene.pace <= 0:
        return 0
    view = surface.get_clip()
    tile = zoom.tile
    seen = layout.ways.in_view(view, origin, tile)
    now, span = scene.time_ns * 100, RING_S * scene.pace * 100
    exits = state.last_exits()[: len(seen)]
    chosen = np.flatnonzero(seen[: len(exits)] & (exits >= 0) & (now - exits >= 0) & (now - exits < span))
    least = APART_S * scene.pace * 100
    drawn = 0
    for w in chosen.tolist():
        every, road = layout.design.wires[w].every_ticks, layout.roads[w]
        if road is None or every is None or every < least:
            continue
        x, y = road.centre[-1]
        ring = _ring(zoom.packet, zoom.scale, int((now - int(exits[w])) / span * RING_STEPS))
        half = ring.get_width() // 2
        surface.blit(ring, (origin[0] + round(x * tile) - half, origin[1] + round(y * tile) - half))
        drawn += 1
    return drawn


@lru_cache(maxsize=128)
def _ring(packet: int, scale: float, step: int) -> pygame.Surface:
    """A ring that opens from the packet's rim and fades."""
    share = step / RING_STEPS
    size = packet + round((2 + 8 * share) * scale)
    box = size + 2 + (size % 2 != packet % 2)
    return tinted(disc_mask(size, box, size - 2 * max(1.5 * scale, 1.5)), PACKET, 0.85 * (1 - share))


@lru_cache(maxsize=64)
def wrong_sprite(size: int, scale: float) -> pygame.Surface:
    """A packet that holds a wrong word: a disc with a crack."""
    box = size + 2 + round(2 * scale)
    picture = tinted(disc_mask(box, box), BOARD, 0.9)
    picture.blit(tinted(disc_mask(size, box), VERMILLION_TEXT), (0, 0))
    middle, half = box / 2, size / 2
    crack = [(0.15, -1.1), (-0.22, -0.3), (0.25, 0.12), (-0.12, 1.1)]
    line = [(middle + x * half, middle + y * half) for x, y in crack]
    picture.blit(tinted(stroke_mask([line], max(1.2 * scale, size / 8), box, box), BOARD), (0, 0))
    return picture
