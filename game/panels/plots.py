"""Plots below the timeline: power by cause, stacked, and the rate of launches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pygame

from game.insight import Trace
from game.panels.kit import Canvas, Panel
from game.text import number
from game.theme import BOARD, CAUSE_COLOURS, EDGE, GRID, PACKET, PANEL, TEXT_2, TEXT_3, YELLOW, mix


@dataclass(frozen=True, eq=False)
class PlotsModel:
    """``span`` in ticks; ``window``: whether only the scored window is shown. Compared by identity of the trace."""

    trace: Trace | None
    span: tuple[int, int]
    playhead: int
    single: bool
    tab: str
    scope: str
    energy: tuple[tuple[str, float], ...] = ()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PlotsModel):
            return NotImplemented
        same = self.trace is other.trace and self.span == other.span and self.tab == other.tab
        return (
            same
            and self.playhead == other.playhead
            and self.single == other.single
            and self.scope == other.scope
            and self.energy == other.energy
        )

    def __hash__(self) -> int:
        return hash((self.span, self.playhead, self.tab))


class Plots(Panel):
    """Power and rate over time, and the energy of a launch by cause."""

    def __init__(self) -> None:
        super().__init__()
        self._curves: tuple[object, ...] = ()
        self._pictures: dict[str, pygame.Surface] = {}

    def paint(self, canvas: Canvas, model: PlotsModel) -> None:
        px, width, height = canvas.px, canvas.bounds.width, canvas.bounds.height
        canvas.rule(0)
        if model.single:
            rect = pygame.Rect(0, 0, width, height)
            self._plot(canvas, model, model.tab, rect, tabs=True)
            return
        a, b = round(width * 0.42), round(width * 0.75)
        self._plot(canvas, model, "power", pygame.Rect(0, 0, a, height))
        self._plot(canvas, model, "rate", pygame.Rect(a, 0, b - a, height))
        self._energy(canvas, model, pygame.Rect(b, 0, width - b, height))
        for x in (a, b):
            canvas.surface.fill(EDGE, (x, px(10), max(1, px(1)), height - px(20)))

    def _plot(self, canvas: Canvas, model: PlotsModel, kind: str, rect: pygame.Rect, tabs: bool = False) -> None:
        px, trace = canvas.px, model.trace
        top = rect.top + px(14)
        label = "POWER" if kind == "power" else "RATE"
        left = rect.left + px(16)
        if tabs:
            for name in ("power", "rate"):
                button = pygame.Rect(left, rect.top + px(8), px(56), px(22))
                canvas.button(f"plot.{name}", button, name, ("plot", name), on=model.tab == name, size=12)
                left += px(60)
            area = pygame.Rect(left + px(60), rect.top + px(10), rect.right - left - px(76), rect.height - px(18))
            figure_at = (left + px(52), rect.bottom - px(16))
        else:
            written = canvas.text(label, left, top, size=11, face="medium", colour=TEXT_3)
            if kind == "power":
                button = pygame.Rect(written.right + px(12), rect.top + px(5), px(84), px(18))
                canvas.button(
                    "plot.scope",
                    button,
                    model.scope,
                    ("plot.scope",),
                    size=11,
                    tip="What the plots show: the whole run, or the window that is scored",
                )
            area = pygame.Rect(rect.left + px(16), rect.top + px(26), rect.width - px(32), rect.height - px(34))
            figure_at = (rect.right - px(16), top)
        if trace is None or area.width < 8 or area.height < 8:
            return
        first, last = model.span
        values = _values(trace, kind, first, last)
        peak = max(float(values.sum(axis=0).max()), 1e-9) if values.size else 1e-9
        unit = "mW" if kind == "power" else "/µs"
        said = f"{number(peak)} {unit}" if peak > 1e-6 else "no launches"
        canvas.text(said, *figure_at, size=11, face="mono", align="right", colour=TEXT_2)
        key = (id(trace), first, last, kind, area.size)
        if self._curves[:1] != (key[:3],):
            self._curves, self._pictures = (key[:3],), {}
        name = f"{kind}{area.size}"
        if name not in self._pictures:
            self._pictures[name] = _picture(values, peak, area.size, kind, px(1.5))
        canvas.surface.blit(self._pictures[name], area)
        canvas.surface.fill(GRID, (area.left, area.bottom, area.width, max(1, px(1))))
        share = (model.playhead - first) / max(last - first, 1)
        if 0 <= share <= 1:
            canvas.surface.fill(PACKET, (area.left + round(area.width * share), area.top, max(1, px(1)), area.height))

    def _energy(self, canvas: Canvas, model: PlotsModel, rect: pygame.Rect) -> None:
        px = canvas.px
        left, right = rect.left + px(16), rect.right - px(16)
        canvas.text("ENERGY OF A LAUNCH", left, rect.top + px(14), size=11, face="medium", colour=TEXT_3)
        total = sum(pj for _, pj in model.energy)
        if total <= 0:
            return
        canvas.text(f"{number(total)} pJ", right, rect.top + px(14), size=12, face="mono", align="right")
        bar = pygame.Rect(left, rect.top + px(28), right - left, px(12))
        x = float(bar.left)
        for cause, pj in model.energy:
            width = bar.width * pj / total
            canvas.surface.fill(
                CAUSE_COLOURS[cause], (round(x), bar.top, max(round(x + width) - round(x), 0), bar.height)
            )
            x += width
        largest = sorted(model.energy, key=lambda part: -part[1])[:6]
        columns = 2
        each = (right - left) // columns
        for i, (cause, pj) in enumerate(largest):
            x0, y = left + (i % columns) * each, rect.top + px(54) + (i // columns) * px(18)
            if y > rect.bottom - px(8):
                break
            canvas.surface.fill(CAUSE_COLOURS[cause], (x0, y - px(4), px(8), px(8)))
            value = canvas.text(number(pj), x0 + each - px(16), y, size=11, face="mono", align="right", colour=TEXT_2)
            canvas.text(cause, x0 + px(14), y, size=11, colour=TEXT_2, width=value.left - x0 - px(18))


def _values(trace: Trace, kind: str, first: int, last: int) -> np.ndarray:
    """Rows by cause (power, mW) or one row (launches/µs), a column for each bin between two ticks."""
    edges = trace.edges
    inside = (edges[:-1] < last) & (edges[1:] > first)
    if kind == "power":
        return np.array([trace.power[cause][inside] for cause in CAUSE_COLOURS])
    ticks = trace.completions
    if len(ticks) < 2:
        return np.zeros((1, max(int(inside.sum()), 1)))
    # The rate at a moment: one launch over the time since the one before.
    middles = (edges[:-1][inside] + edges[1:][inside]) / 2
    at = np.searchsorted(ticks, middles)
    gaps = np.diff(np.concatenate(([0], ticks)))
    rates = np.where(at < len(gaps), 1e5 / np.maximum(gaps[np.minimum(at, len(gaps) - 1)], 1), 0.0)
    return rates[None, :]


def _picture(values: np.ndarray, peak: float, size: tuple[int, int], kind: str, thick: int) -> pygame.Surface:
    surface = pygame.Surface(size)
    surface.fill(PANEL)
    if not values.size or not values.shape[1]:
        return surface
    width, height = size
    columns = np.minimum(np.arange(width) * values.shape[1] // width, values.shape[1] - 1)
    if kind == "rate":
        ys = (height - 1 - values[0][columns] / peak * (height - thick - 2)).round().astype(int).tolist()
        pygame.draw.lines(surface, mix(YELLOW, BOARD, 0.15), False, list(enumerate(ys)), thick)
        return surface
    tops = np.cumsum(values[:, columns], axis=0) / peak * height
    pixels = pygame.surfarray.pixels3d(surface)
    rows = height - np.arange(height)[None, :]
    below = np.zeros(width)
    for level, colour in zip(tops, CAUSE_COLOURS.values(), strict=True):
        mask = (rows <= np.round(level)[:, None]) & (rows > np.round(below)[:, None])
        pixels[mask] = colour
        below = level
    del pixels
    return surface
