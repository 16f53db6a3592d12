"""Values beside their packets: none covers another or a body, and "+n" says how many had no room."""

from __future__ import annotations

import struct

import numpy as np
import pygame

from game.theme import BOARD, EDGE, TEXT, TEXT_2, TEXT_3, mix
from game.view.layout import Layout, number
from game.view.roads import pitch
from game.view.scene import Scene
from game.view.sprites import badge, text
from game.view.zoom import Zoom


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
    wrong: int | None = None,
) -> list[pygame.Rect]:
    """Values next to their packets, and where they are; "+n" after the last one where others have no room.

    None covers another, or a body; what is wrong or followed comes first, then the packet nearer to its wire's head.
    """
    packets = scene.packets
    assert packets is not None
    ahead = [k for k in (wrong, _followed(scene, index, wire)) if k is not None]
    if not zoom.bars:
        chosen = {item for item in (*scene.selection, scene.hover) if isinstance(item, int)}
        wanted = np.flatnonzero(np.isin(wire, list(chosen))) if chosen else np.zeros(0, np.int64)
    else:
        wanted = np.arange(len(index))
    if not len(wanted) and not ahead:
        return []
    left = layout.ways.length[wire[wanted]] - packets.position[index[wanted]]
    wanted = wanted[np.argsort(left, kind="stable")]
    order = [*ahead, *(k for k in wanted.tolist() if k not in ahead)]
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
    reach = reach_of(zoom, layout, wire)
    ranks = _ranks(packets.wire)
    last: dict[int, tuple[pygame.Rect, bool]] = {}
    hidden: dict[int, int] = {}
    for k in order:
        if not (view.left <= px[k] < view.right and view.top <= py[k] < view.bottom):
            continue
        words = _words(scene, layout, int(index[k]), int(wire[k]), int(ranks[index[k]]))
        masked = bool(packets.masked[index[k]])
        picture = badge(scene.theme, words, mix(TEXT, TEXT_2, 0.6) if masked else TEXT, BOARD, EDGE)
        w, h = picture.get_size()
        x, y, away = int(px[k]), int(py[k]), int(reach[k]) + zoom.px(3)
        if k in ahead:
            # Beside the body, if there is one: what is wrong stands at a port.
            places = [(left, top) for top in (y - away - h, y + away) for left in (x - w - zoom.px(2), x + zoom.px(2))]
            places = [p for p in places if taken.free(pygame.Rect(p, (w, h)))] or places
        elif level[k]:
            places = [(x - w // 2, y - away - h), (x - w // 2, y + away)]
        else:
            places = [(x + away, y - h // 2), (x - away - w, y - h // 2)]
        for corner in places:
            rect = pygame.Rect(corner, (w, h))
            if k in ahead or taken.free(rect):
                taken.add(rect)
                surface.blit(picture, rect)
                drawn.append(rect)
                last[int(wire[k])] = rect, bool(level[k])
                break
        else:
            hidden[int(wire[k])] = hidden.get(int(wire[k]), 0) + 1
    for w, count in hidden.items():
        if w in last:
            _write_hidden(surface, zoom, scene, taken, *last[w], count)
    return drawn


def _write_hidden(
    surface: pygame.Surface, zoom: Zoom, scene: Scene, taken: _Room, beside: pygame.Rect, level: bool, count: int
) -> None:
    """How many values of a wire had no room, beside the last one that had."""
    written = text(scene.theme, "mono", 11, f"+{count}", TEXT_3)
    rect = written.get_rect()
    gap = zoom.px(3)
    places = (
        {"midleft": (beside.right + gap, beside.centery)},
        {"midright": (beside.left - gap, beside.centery)},
        {"midbottom": (beside.centerx, beside.top)} if level else {"midtop": (beside.centerx, beside.bottom)},
    )
    for place in places:
        rect = written.get_rect(**place)
        if taken.free(rect):
            taken.add(rect)
            surface.blit(written, rect)
            return


def _followed(scene: Scene, index: np.ndarray, wire: np.ndarray) -> int | None:
    """Which of the packets shown is the one that the player follows."""
    if scene.followed is None:
        return None
    assert scene.packets is not None
    own, position = scene.followed
    mine = np.flatnonzero(wire == own)
    if not len(mine):
        return None
    away = np.abs(scene.packets.position[index[mine]] - position)
    return int(mine[np.argmin(away)]) if away.min() < 0.5 else None


def reach_of(zoom: Zoom, layout: Layout, wire: np.ndarray) -> np.ndarray:
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
