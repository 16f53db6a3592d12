"""Speed labels of wires: at the middle of a wire's longest level run, where nothing else is."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import pygame

from game.theme import TEXT_3, Theme
from game.view.layout import Layout
from game.view.roads import pitch
from game.view.scene import Figures
from game.view.sprites import text
from game.view.zoom import Zoom

LEAST_RUN = 1.5
"""Tiles of a straight run that carries a label."""

LONG_RUN = 5.0
"""Tiles of a level run with room for what is to be done."""


class WireLabel(NamedTuple):
    """A label below a level run, or right of an upright one: its place in tiles."""

    x: float
    y: float
    level: bool
    speed: str
    rate: str
    half: float
    """Tiles from the middle of the wire to its outermost line."""

    @property
    def boxes(self) -> Iterator[tuple[float, float, float, float]]:
        """The rectangle that it may touch."""
        yield self.x - 2.2, self.y - 0.5, self.x + 2.2, self.y + 0.5


def speed_text(every_ticks: int | None) -> str:
    """A speed for the board, in tiles/ns."""
    return "stopped" if every_ticks is None else rate_text(100 / every_ticks)


def rate_text(rate: float) -> str:
    """Words per ns: two decimals, or two significant figures where that is more."""
    return f"{rate:.2f}" if rate >= 0.1 or rate == 0 else f"{rate:.2g}"


def wire_labels(layout: Layout, figures: Figures | None = None) -> list[WireLabel]:
    """Labels of all wires that have room for one; with their rates where figures are known."""
    if "spots" not in layout.memo:
        layout.memo["spots"] = _spots(layout)
    found = []
    for w, x, y, level, half, run in layout.memo["spots"]:
        every = layout.design.wires[w].every_ticks
        rate = ""
        if figures and w < len(figures.wires) and every is not None:
            rate = f"{rate_text(figures.wires[w].rate)} of "
        speed = speed_text(every) if every is not None or run < LONG_RUN else "stopped · roll the wheel"
        found.append(WireLabel(x, y, level, speed, rate, half))
    return found


def _spots(layout: Layout) -> list[tuple[int, float, float, bool, float, float]]:
    """(wire, x, y, whether its run is level, half its width, tiles of a level run) of each label that has room."""
    apart = pitch(layout.level.board.tracks)
    found = []
    for w, road in enumerate(layout.roads):
        if road is None:
            continue
        runs = sorted(
            pairwise(road.centre),
            key=lambda run: -(abs(run[1][0] - run[0][0]) + abs(run[1][1] - run[0][1])),
        )
        for (ax, ay), (bx, by) in runs:
            if abs(bx - ax) + abs(by - ay) < LEAST_RUN:
                break
            level = abs(bx - ax) > abs(by - ay)
            # In the middle of a tile, where no grid dot is in the way.
            x, y = (ax + bx) / 2, (ay + by) / 2
            if level:
                x = int(x) + 0.5
            else:
                y = int(y) + 0.5
            if _free(layout, x, y, level, road.words):
                run = abs(bx - ax) if level else 0.0
                found.append((w, x, y, level, (road.words - 1) / 2 * apart, run))
                break
    return found


def _free(layout: Layout, x: float, y: float, level: bool, words: int) -> bool:
    """Whether only this wire runs on the tile, and no core's label comes near."""
    tile = (int(x), int(y))
    beside = (tile[0] + 1, tile[1]) if level else (tile[0], tile[1] + 1)
    edge = (min(tile, beside), max(tile, beside))
    if layout.used.get(edge, 0) != words or tile in layout.at:
        return False
    across = [(tile[0], tile[1] + 1)] if level else [(tile[0] + 1, tile[1])]
    return all(
        layout.used.get((min(tile, t), max(tile, t)), 0) == 0 and (t not in layout.at or not level) for t in across
    )


def draw_wire_label(
    surface: pygame.Surface, origin: tuple[int, int], zoom: Zoom, theme: Theme, label: WireLabel
) -> None:
    """Draw one label, from tile 48; from tile 96 with the rate."""
    if not zoom.names:
        return
    words = label.rate + label.speed if zoom.bars else label.speed
    written = text(theme, "mono", 12 if zoom.bars else 11, words, TEXT_3)
    x, y = origin[0] + label.x * zoom.tile, origin[1] + label.y * zoom.tile
    away = zoom.wire / 2 + zoom.px(5) + label.half * zoom.tile
    if label.level:
        surface.blit(written, (round(x - written.get_width() / 2), round(y + away)))
    else:
        surface.blit(written, (round(x + away), round(y - written.get_height() / 2)))
