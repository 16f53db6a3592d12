"""The roofline of a machine: operations per byte against operations per ns, both logarithmic (Williams, Waterman,
Patterson 2009)."""

from __future__ import annotations

import pygame

from engine.model import MemoryRoof, Roofline
from game.margins import ROOFS
from game.panels.charts import Scale
from game.panels.kit import Canvas
from game.text import number
from game.theme import BOARD_2, EDGE, GRID_LINE, ORANGE, SKY, TEXT_2, TEXT_3, YELLOW, mix

LOW = 48
"""Pixels at UI scale 100 % from which there is room for the figures below the plot."""


def roof_text(roof: Roofline) -> str:
    """How near a machine is to its roof, and what the roof is made of."""
    share = roof.attained_per_ns / roof.roof_per_ns if roof.roof_per_ns else 0.0
    return f"{number(roof.attained_per_ns)} of {number(roof.roof_per_ns)} /ns, {share:.0%}: {ROOFS[roof.limited_by]}"


def paint_roof(canvas: Canvas, roof: Roofline | None, rect: pygame.Rect) -> None:
    """The plot in a rectangle, under its heading; nothing where nothing is known or nothing is computed."""
    if roof is None or roof.peak_per_ns <= 0:
        canvas.text("no arithmetic, no roof", rect.left, rect.centery, size=12, colour=TEXT_2, width=rect.width)
        return
    px = canvas.px
    slopes = [m for m in roof.memories if m.bandwidth_bytes_per_ns > 0 and m.intensity]
    low = rect.height < px(LOW)  # no room for the figures below
    area = pygame.Rect(rect.left + px(44), rect.top, rect.width - px(44), rect.height - (px(4) if low else px(16)))
    if area.width < px(80) or area.height < px(12):
        return
    ridges = [roof.peak_per_ns / m.bandwidth_bytes_per_ns for m in slopes] or [1.0]
    points = [m.intensity for m in slopes if m.intensity]
    across = Scale.over([*ridges, *points, min(ridges) / 2, max(ridges) * 2], area.left, area.right)
    heights = [roof.peak_per_ns, roof.peak_per_ns / 4, max(roof.attained_per_ns, roof.peak_per_ns / 1000)]
    heights += [m.bandwidth_bytes_per_ns * x for m in slopes for x in points]
    # Room for a whole point at the bottom, and for the figure of the peak above its line.
    up = Scale.over(heights, area.bottom - px(6), area.top + px(13))
    surface = canvas.surface
    surface.fill(BOARD_2, area)
    rows, columns = max(2, area.height // px(16)), max(2, area.width // px(60))
    told = area.bottom + px(26)
    for tick in up.ticks(rows, min(3, rows)):
        at = round(up.at(tick))
        surface.fill(GRID_LINE, (area.left, at, area.width, 1))
        if told - at >= canvas.line_height(11):  # in a low plot two figures have no room
            told = at
            canvas.text(number(tick), area.left - px(6), at, size=11, face="mono", align="right", colour=TEXT_3)
    for tick in across.ticks(columns, min(4, columns)):
        at = round(across.at(tick))
        surface.fill(GRID_LINE, (at, area.top, 1, area.height))
        if not low and area.left + px(20) <= at <= area.right - px(102):
            canvas.text(number(tick), at, area.bottom + px(8), size=11, face="mono", align="centre", colour=TEXT_3)
    if not low:
        canvas.text("operations/byte", area.right, area.bottom + px(8), size=11, align="right", colour=TEXT_3)
    clip = surface.get_clip()
    surface.set_clip(area)
    for memory in slopes:
        _slope(canvas, roof, memory, across, up, area)
    for memory in slopes:
        assert memory.intensity is not None
        spot = round(across.at(memory.intensity)), round(up.at(max(roof.attained_per_ns, up.low)))
        ceiling = min(roof.peak_per_ns, memory.bandwidth_bytes_per_ns * memory.intensity)
        pygame.draw.line(surface, mix(YELLOW, BOARD_2, 0.6), spot, (spot[0], round(up.at(ceiling))), max(1, px(1)))
        pygame.draw.aacircle(surface, YELLOW, spot, px(4))
    surface.set_clip(clip)
    peak = f"peak {number(roof.peak_per_ns)} /ns"
    canvas.text(peak, area.right - px(4), round(up.at(roof.peak_per_ns)) - px(7), size=11, align="right", colour=TEXT_2)
    pygame.draw.rect(surface, EDGE, area, max(1, px(1)))


def _slope(canvas: Canvas, roof: Roofline, memory: MemoryRoof, across: Scale, up: Scale, area: pygame.Rect) -> None:
    """Rising with the bandwidth of a memory to the peak, and level from there on."""
    ridge = roof.peak_per_ns / memory.bandwidth_bytes_per_ns
    binds = roof.limited_by == memory.kind
    colour = ORANGE if binds else mix(SKY, BOARD_2, 0.3)
    begin = round(across.at(across.low)), round(up.at(memory.bandwidth_bytes_per_ns * across.low))
    bend = round(across.at(ridge)), round(up.at(roof.peak_per_ns))
    wide = max(1, canvas.px(2))
    pygame.draw.line(canvas.surface, colour, begin, bend, wide)
    level = ORANGE if roof.limited_by == "peak" else mix(SKY, BOARD_2, 0.3)
    pygame.draw.line(canvas.surface, level, bend, (area.right, bend[1]), wide)
    low = max(across.low, up.low / memory.bandwidth_bytes_per_ns)
    seen = across.at(low), up.at(memory.bandwidth_bytes_per_ns * low)
    middle = round(seen[0] + bend[0]) // 2, round(seen[1] + bend[1]) // 2
    words = f"{memory.kind} {number(memory.bandwidth_bytes_per_ns)} B/ns"
    level_with = min(middle[1] + canvas.px(8), area.bottom - canvas.px(8))
    canvas.text(words, middle[0] + canvas.px(12), level_with, size=11, colour=TEXT_2)
