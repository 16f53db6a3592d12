"""Charts of the result screen: histograms of the house's machines with one's own as dots, and the log–log plot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log10

import pygame

from game.panels.sheet import Sheet, dashed
from game.text import number
from game.theme import BOARD, BOARD_2, EDGE, GRID_LINE, PANEL_2, SKY, TEXT_2, TEXT_3, YELLOW, mix

BARS = 28


@dataclass(frozen=True, slots=True)
class Histogram:
    """One figure over all machines. ``own`` are one's earlier runs, ``now`` the present one."""

    title: str
    unit: str
    crowd: Sequence[float]
    own: Sequence[float]
    now: float
    lower_is_better: bool = False

    @property
    def share_beaten(self) -> float:
        """Share of the crowd that ``now`` is better than; equal ones count half."""
        now = float(f"{self.now:.4g}")  # the crowd's figures are kept with as many digits
        better = sum((x > now) if self.lower_is_better else (x < now) for x in self.crowd)
        equal = sum(x == now for x in self.crowd)
        return (better + equal / 2) / len(self.crowd)


@dataclass(frozen=True, slots=True)
class Scale:
    """A logarithmic axis from ``low`` to ``high`` over pixels ``start`` … ``end``."""

    low: float
    high: float
    start: int
    end: int

    @classmethod
    def over(cls, values: Sequence[float], start: int, end: int, least: float = 1.6) -> Scale:
        """An axis that holds ``values``, all above 0, with some air, at least a factor of ``least`` long."""
        low, high = min(values), max(values)
        air = max((least / (high / low)) ** 0.5, (high / low) ** 0.08, 1.02)
        return cls(low / air, high * air, start, end)

    def at(self, value: float) -> float:
        share = (log10(value) - log10(self.low)) / (log10(self.high) - log10(self.low))
        return self.start + share * (self.end - self.start)

    def share(self, value: float) -> float:
        return (self.at(value) - self.start) / (self.end - self.start)

    def ticks(self, most: int, least: int = 2) -> list[float]:
        """Round numbers on the axis: 1, 2 and 5 times powers of ten, or finer where fewer than ``least`` fit."""
        for steps in ((1,), (1, 3), (1, 2, 5), (1, 1.5, 2, 3, 4, 5, 7), tuple(1 + n / 10 for n in range(90))):
            powers = range(floor(log10(self.low)) - 1, floor(log10(self.high)) + 2)
            found = [s * 10.0**p for p in powers for s in steps]
            found = [round(x, 9) for x in found if self.low <= x <= self.high]
            if len(found) >= least:
                return found[:: -(-len(found) // most)]
        return []


def draw_histogram(sheet: Sheet, place: pygame.Rect, chart: Histogram) -> None:
    """A title line, bars, and dots on the axis."""
    px = sheet.px
    value = f"{written(chart.now)} {chart.unit}"
    half = place.width // 2
    y = place.top + sheet.line_height(13) // 2
    sheet.text(chart.title, place.left, y, size=13, face="semibold", width=half)
    sheet.text(value, place.right, y, size=13, face="mono", align="right", width=half)
    top = place.top + sheet.line_height(13) + px(4)
    tick_height = sheet.line_height(11)
    base = place.bottom - tick_height - sheet.line_height(12) - px(8)
    values = [*chart.crowd, *chart.own, chart.now]
    axis = Scale.over(values, place.left + px(4), place.right - px(4))
    bars = [0] * BARS
    for x in chart.crowd:
        bars[min(int(axis.share(x) * BARS), BARS - 1)] += 1
    highest = max(bars) or 1
    mine = min(int(axis.share(chart.now) * BARS), BARS - 1)
    for n, count in enumerate(bars):
        left = round(axis.start + (axis.end - axis.start) * n / BARS)
        right = round(axis.start + (axis.end - axis.start) * (n + 1) / BARS) - max(1, px(1))
        height = round((base - top) * (count / highest) ** 0.5)
        if count:
            colour = mix(PANEL_2, TEXT_2, 0.55 if n == mine else 0.28)
            sheet.surface.fill(colour, (left, base - height, max(right - left, 1), height))
    sheet.hairline(place.left, base, place.width)
    for x in chart.own:
        pygame.draw.circle(sheet.surface, mix(YELLOW, BOARD_2, 0.35), (round(axis.at(x)), base), px(3))
    x = round(axis.at(chart.now))
    pygame.draw.line(sheet.surface, YELLOW, (x, top), (x, base), px(1))
    pygame.draw.aacircle(sheet.surface, YELLOW, (x, base), px(5))
    for n, tick in enumerate((min(values), max(values))):
        words = written(tick)
        middle = base + px(8) + tick_height // 2
        if min(values) == max(values) and n:
            break
        sheet.text(
            words,
            place.right if n else place.left,
            middle,
            size=11,
            face="mono",
            colour=TEXT_3,
            align="right" if n else "left",
            width=place.width // 3,
        )
    if chart.crowd:
        words = f"better than {int(chart.share_beaten * 100)} % of {len(chart.crowd)} machines made by the computer"
        if all(float(f"{chart.now:.4g}") == other for other in chart.crowd):
            words = f"like all {len(chart.crowd)} machines made by the computer"
    else:
        words = "no machines were made here to compare with"
    sheet.words(words, place.left, place.bottom - sheet.line_height(12), size=12, colour=TEXT_2, width=place.width)


def written(value: float) -> str:
    """Whole numbers as they are, others with three significant digits."""
    return f"{value:.0f}" if value == int(value) and abs(value) < 1e6 else number(value)


@dataclass(frozen=True, slots=True)
class Point:
    """A machine in the plot: mW and launches/µs."""

    power: float
    rate: float


@dataclass(frozen=True, slots=True)
class Diagonal:
    """A line of equal efficiency, launches/nJ; ``proven``: no machine is beyond it."""

    name: str
    efficiency: float
    proven: bool = False


def draw_plot(
    sheet: Sheet,
    place: pygame.Rect,
    now: Point,
    own: Sequence[Point],
    crowd: Sequence[Point],
    lines: Sequence[Diagonal],
) -> None:
    """Throughput upward, power to the right, both logarithmic: equal efficiency is a diagonal."""
    px = sheet.px
    y = sheet.words("Throughput against power", place.left, place.top, face="semibold", width=place.width)
    y = sheet.words("launches/µs", place.left, y, size=11, colour=TEXT_3, width=place.width // 2) + px(4)
    left = place.left + round(px(44) * sheet.theme.font_scale)
    bottom = place.bottom - sheet.line_height(11) - px(6)
    area = pygame.Rect(left, y, place.right - left, max(bottom - y, 1))
    if area.height < px(60) or area.width < px(80):
        return
    every = [now, *own, *crowd]
    # The axes reach past the limit: to where the present machine would be if it took even less than it must.
    least = [0.8 * now.rate / line.efficiency for line in lines if line.proven]
    across = Scale.over([*(p.power for p in every), *least], area.left, area.right)
    up = Scale.over([p.rate for p in every], area.bottom, area.top)
    sheet.surface.fill(BOARD_2, area)
    room = sheet.line_height(11)
    for tick in up.ticks(max(2, area.height // (2 * room))):
        at = round(up.at(tick))
        sheet.surface.fill(GRID_LINE, (area.left, at, area.width, 1))
        if area.top + room // 2 <= at <= area.bottom - room // 2:
            sheet.text(
                number(tick),
                area.left - px(6),
                at,
                size=11,
                face="mono",
                colour=TEXT_3,
                align="right",
                width=area.left - px(6) - place.left,
            )
    label = round(px(56) * sheet.theme.font_scale)
    unit = round(px(30) * sheet.theme.font_scale)
    for tick in across.ticks(max(2, (area.width - unit) // (label * 2))):
        at = round(across.at(tick))
        sheet.surface.fill(GRID_LINE, (at, area.top, 1, area.height))
        if area.left + label // 2 <= at <= area.right - label // 2 - unit:
            sheet.text(
                number(tick),
                at,
                bottom + px(4) + room // 2,
                size=11,
                face="mono",
                colour=TEXT_3,
                align="centre",
                width=label,
            )
    sheet.text("mW", area.right, bottom + px(4) + room // 2, size=11, colour=TEXT_3, align="right", width=unit)
    clip = sheet.surface.get_clip()
    sheet.surface.set_clip(area.clip(clip))
    ends: list[tuple[str, tuple[int, int], tuple[int, int]]] = []
    for line in lines:
        (x0, y0), (x1, y1) = ((across.at(p), up.at(line.efficiency * p)) for p in (across.low, across.high))
        if line.proven:
            beyond = ((x0, y0), (x1, y1), (x1, y1 - area.height), (x0, y1 - area.height), (x0, y0))
            pygame.draw.polygon(sheet.surface, BOARD, beyond)
            pygame.draw.aaline(sheet.surface, TEXT_2, (x0, y0), (x1, y1))
        else:
            dashed(sheet.surface, mix(YELLOW, BOARD_2, 0.55), (x0, y0), (x1, y1), px(4), max(1, px(1)))
        if seen := area.clipline((x0, y0), (x1, y1)):
            ends.append((line.name, min(seen), max(seen)))
    spots = [_spot(across, up, p) for p in every]
    taken: list[pygame.Rect] = []
    for name, low, high in ends:
        width = sheet.theme.font("text", 11).size(name)[0]
        above = pygame.Rect(high[0] - width - px(8), high[1] + px(3), width, room).clamp(area)
        below = pygame.Rect(low[0] + px(8), low[1] - room - px(3), width, room).clamp(area)
        along = [
            pygame.Rect(
                round(low[0] + (high[0] - low[0]) * t) + px(6),
                round(low[1] + (high[1] - low[1]) * t) + px(3),
                width,
                room,
            ).clamp(area)
            for t in (0.75, 0.5, 0.25)
        ]
        # At the end of the line where fewer machines stand, or else on the way.
        places = [place for place in (above, below, *along) if place.collidelist(taken) < 0]
        if places:
            free = min(places, key=lambda rect: sum(rect.inflate(px(8), px(8)).collidepoint(s) for s in spots))
            taken.append(free)
            sheet.surface.fill(BOARD_2, free.inflate(px(4), 0))
            sheet.text(name, free.left, free.centery, size=11, colour=TEXT_2, width=width + 1)
    for point in crowd:
        sheet.surface.fill(mix(TEXT_3, BOARD_2, 0.35), (*_corner(across, up, point, px(2)), px(2), px(2)))
    for point in own:
        pygame.draw.circle(sheet.surface, mix(YELLOW, BOARD_2, 0.35), _spot(across, up, point), px(3))
    if own:
        pygame.draw.aaline(sheet.surface, SKY, _spot(across, up, own[-1]), _spot(across, up, now))
    pygame.draw.aacircle(sheet.surface, YELLOW, _spot(across, up, now), px(5))
    sheet.surface.set_clip(clip)
    pygame.draw.rect(sheet.surface, EDGE, area, max(1, px(1)))


def _spot(across: Scale, up: Scale, point: Point) -> tuple[int, int]:
    return round(across.at(point.power)), round(up.at(point.rate))


def _corner(across: Scale, up: Scale, point: Point, size: int) -> tuple[int, int]:
    x, y = _spot(across, up, point)
    return x - size // 2, y - size // 2
