"""Plots below the timeline: power by cause, stacked, the rate of launches, and the lanes of probed wires."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pygame

from engine.model import Roofline
from game.insight import Trace
from game.panels.kit import Canvas, Panel
from game.panels.lanes import Lanes, LanesModel
from game.panels.roof import paint_roof, roof_text
from game.text import line, number
from game.theme import (
    BOARD,
    CAUSE_COLOURS,
    EDGE,
    GRID,
    PACKET,
    PANEL,
    PANEL_2,
    TEXT,
    TEXT_2,
    TEXT_3,
    YELLOW,
    Colour,
    Theme,
    mix,
)

ROOF_TIP = "How fast the arithmetic could go, by itself and for what the memories bring, and how fast it does"


@dataclass(frozen=True, eq=False)
class PlotsModel:
    """``span`` in ticks, ``scope`` what it is called, ``tab`` the plot that is shown where there is room for one
    (``single``). Compared by identity of the trace."""

    trace: Trace | None
    span: tuple[int, int]
    playhead: int
    single: bool
    tab: str
    scope: str
    energy: tuple[tuple[str, float], ...] = ()
    lanes: LanesModel | None = None
    """None while nothing is probed."""
    least: float = 0.0
    """pJ of a launch that no machine gets below; 0 where nothing is proved."""
    roof: Roofline | None = None
    """Of the run that ``energy`` is of."""

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
            and self.least == other.least
            and self.roof == other.roof
            and self.lanes == other.lanes
        )

    def __hash__(self) -> int:
        return hash((self.span, self.playhead, self.tab))


class Plots(Panel):
    """Power and rate over time, and the energy of a launch by cause."""

    def __init__(self) -> None:
        super().__init__()
        self._curves: tuple[object, ...] = ()
        self._pictures: dict[str, pygame.Surface] = {}
        self._lanes = Lanes()
        self._areas: dict[str, tuple[pygame.Rect, np.ndarray, float]] = {}
        """Of each curve that is shown: its place, its values by column, and its peak."""

    def draw(
        self, surface: pygame.Surface, rect: pygame.Rect, theme: Theme, model: PlotsModel, mouse: tuple[float, float]
    ) -> None:
        """The plots, and beside the mouse what it points at: the moment, and every cause by name and figure."""
        super().draw(surface, rect, theme, model, mouse)
        if not self.zones and not self.written:
            self._areas = {}
        for kind, (area, values, peak) in self._areas.items():
            here = area.move(rect.topleft)
            if here.collidepoint(mouse):
                above = here.bottom - mouse[1]
                said = told(kind, values, int(mouse[0]) - here.left, above, here.height, peak, model)
                _legend(surface, theme, mouse, said)
                return

    def paint(self, canvas: Canvas, model: PlotsModel) -> None:
        px, width, height = canvas.px, canvas.bounds.width, canvas.bounds.height
        self._areas = {}
        canvas.rule(0)
        if model.single:
            self._single(canvas, model)
            return
        shares = (0.42, 0.75, 1.0) if model.lanes is None else (0.21, 0.36, 0.56, 1.0)
        places, left = [], 0
        for share in shares:
            places.append(pygame.Rect(left, 0, round(width * share) - left, height))
            left = places[-1].right
        self._plot(canvas, model, "power", places[0])
        self._plot(canvas, model, "rate", places[1])
        self._share(canvas, model, places[2])
        if model.lanes is not None:
            self._probes(canvas, model, places[3])
        for x in (place.right for place in places[:-1]):
            canvas.surface.fill(EDGE, (x, px(10), max(1, px(1)), height - px(20)))

    def _single(self, canvas: Canvas, model: PlotsModel) -> None:
        """Tabs and what all plots show on the left, and one plot."""
        px, height = canvas.px, canvas.bounds.height
        left = px(16)
        for name in ("power", "rate", "energy", "roof", "probes"):
            button = pygame.Rect(left, px(8), px(46), px(22))
            canvas.button(f"plot.{name}", button, name, ("plot", name), on=model.tab == name, size=12)
            left += px(48)
        self._scope(canvas, model, pygame.Rect(px(16), px(38), px(84), px(20)))
        area = pygame.Rect(left + px(12), px(10), canvas.bounds.width - left - px(28), height - px(18))
        if model.tab == "energy":
            self._energy(canvas, model, pygame.Rect(area.left - px(16), 0, area.width + px(32), height))
        elif model.tab == "roof":
            self._roof(canvas, model, pygame.Rect(area.left - px(16), 0, area.width + px(32), height))
        elif model.tab != "probes":
            self._curve(canvas, model, model.tab, area, (left - px(4), px(48)))
        elif model.lanes is not None:
            self._lanes.paint(canvas, model.lanes, area, model.span, model.playhead)
        else:
            words = "Point at a wire, a port or a core and press T: what it does is shown here"
            canvas.text(words, area.left, area.centery, size=12, colour=TEXT_2)

    def _probes(self, canvas: Canvas, model: PlotsModel, rect: pygame.Rect) -> None:
        px = canvas.px
        canvas.text("PROBES", rect.left + px(16), rect.top + px(14), size=11, face="medium", colour=TEXT_3)
        first, last = (f"{tick / 100:g}" for tick in model.span)
        words = f"{first} – {last} ns"
        canvas.text(words, rect.right - px(16), rect.top + px(14), size=11, face="mono", align="right", colour=TEXT_2)
        area = pygame.Rect(rect.left + px(12), rect.top + px(26), rect.width - px(28), rect.height - px(30))
        assert model.lanes is not None
        self._lanes.paint(canvas, model.lanes, area, model.span, model.playhead)

    def _scope(self, canvas: Canvas, model: PlotsModel, rect: pygame.Rect) -> None:
        tip = "What the plots show: the whole run, the window that is scored, or some time round the playhead (wheel)"
        canvas.button("plot.scope", rect, model.scope, ("plot.scope",), size=11, tip=tip)

    def _plot(self, canvas: Canvas, model: PlotsModel, kind: str, rect: pygame.Rect) -> None:
        px = canvas.px
        top = rect.top + px(14)
        label = "POWER" if kind == "power" else "RATE"
        written = canvas.text(label, rect.left + px(16), top, size=11, face="medium", colour=TEXT_3)
        if kind == "power":
            self._scope(canvas, model, pygame.Rect(written.right + px(12), rect.top + px(5), px(84), px(18)))
        area = pygame.Rect(rect.left + px(16), rect.top + px(26), rect.width - px(32), rect.height - px(34))
        self._curve(canvas, model, kind, area, (rect.right - px(16), top))

    def _curve(
        self, canvas: Canvas, model: PlotsModel, kind: str, area: pygame.Rect, figure_at: tuple[int, int]
    ) -> None:
        """Power or rate over time in ``area``, its peak in words at ``figure_at``."""
        px, trace = canvas.px, model.trace
        if trace is None or area.width < 8 or area.height < 8:
            return
        first, last = model.span
        values = _values(trace, kind, first, last, area.width)
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
        self._areas[kind] = area, values, peak
        canvas.surface.fill(GRID, (area.left, area.bottom, area.width, max(1, px(1))))
        share = (model.playhead - first) / max(last - first, 1)
        if 0 <= share <= 1:
            canvas.surface.fill(PACKET, (area.left + round(area.width * share), area.top, max(1, px(1)), area.height))

    def _share(self, canvas: Canvas, model: PlotsModel, rect: pygame.Rect) -> None:
        """The energy of a launch, or in its place the roofline."""
        px, roofs = canvas.px, model.tab == "roof"
        if not roofs:
            free = self._energy(canvas, model, rect)
            button = pygame.Rect(free.left + px(8), rect.top + px(5), px(56), px(18))
            if button.right + px(8) > free.right:
                button = pygame.Rect(rect.right - px(72), rect.bottom - px(22), px(56), px(18))
            canvas.button("plot.roof", button, "roofline", ("plot", "roof"), size=11, tip=ROOF_TIP)
        else:
            self._roof(canvas, model, rect)
            button = pygame.Rect(rect.left + px(84), rect.top + px(5), px(56), px(18))
            canvas.button("plot.energy", button, "energy", ("plot", "energy"), size=11)

    def _roof(self, canvas: Canvas, model: PlotsModel, rect: pygame.Rect) -> None:
        px = canvas.px
        left, right, top = rect.left + px(16), rect.right - px(16), rect.top + px(14)
        canvas.text("ROOFLINE", left, top, size=11, face="medium", colour=TEXT_3)
        if model.roof is not None and model.roof.peak_per_ns > 0:
            words = roof_text(model.roof)
            canvas.text(words, right, top, size=11, align="right", colour=TEXT_2, width=rect.width - px(160))
        paint_roof(canvas, model.roof, pygame.Rect(left, rect.top + px(26), right - left, rect.height - px(30)))

    def _energy(self, canvas: Canvas, model: PlotsModel, rect: pygame.Rect) -> pygame.Rect:
        """Paints it, and returns what is free of the heading."""
        px = canvas.px
        left, right = rect.left + px(16), rect.right - px(16)
        title = canvas.text("ENERGY OF A LAUNCH", left, rect.top + px(14), size=11, face="medium", colour=TEXT_3)
        total = sum(pj for _, pj in model.energy)
        free = pygame.Rect(title.right, title.top, right - title.right, title.height)
        if total <= 0:
            return free
        sum_at = canvas.text(f"{number(total)} pJ", right, rect.top + px(14), size=12, face="mono", align="right")
        free.width = sum_at.left - title.right
        bar = pygame.Rect(left, rect.top + px(28), right - left, px(12))
        x = float(bar.left)
        for cause, pj in model.energy:
            width = bar.width * pj / total
            canvas.surface.fill(
                CAUSE_COLOURS[cause], (round(x), bar.top, max(round(x + width) - round(x), 0), bar.height)
            )
            x += width
        if 0 < model.least <= total:
            at = left + round(bar.width * model.least / total)
            canvas.surface.fill(PANEL, (at - px(2), bar.top - px(3), px(5), bar.height + px(6)))
            canvas.surface.fill(TEXT, (at - px(0.5), bar.top - px(4), px(2), bar.height + px(8)))
            words = f"The line: no machine takes less than {number(model.least)} pJ a launch, this is proved"
            canvas.zone("least", bar.inflate(0, px(10)), ("nothing",), words)
        largest = sorted(model.energy, key=lambda part: -part[1])[:8]
        columns = max((right - left) // px(124), 2)
        each = (right - left) // columns
        for i, (cause, pj) in enumerate(largest):
            x0, y = left + (i % columns) * each, rect.top + px(54) + (i // columns) * px(18)
            if y > rect.bottom - px(8):
                break
            canvas.surface.fill(CAUSE_COLOURS[cause], (x0, y - px(4), px(8), px(8)))
            value = canvas.text(number(pj), x0 + each - px(16), y, size=11, face="mono", align="right", colour=TEXT_2)
            canvas.text(cause, x0 + px(14), y, size=11, colour=TEXT_2, width=value.left - x0 - px(18))
        return free


@dataclass(frozen=True, slots=True)
class Told:
    """What is said of a place in a plot: a title, and rows of (cause, figure, whether the mouse is on it)."""

    title: str
    rows: tuple[tuple[str, str, bool], ...] = ()


def told(kind: str, values: np.ndarray, column: int, above: float, height: int, peak: float, model: PlotsModel) -> Told:
    """What stands at ``column`` of a plot; the mouse is ``above`` pixels over its ground of ``height`` pixels."""
    first, last = model.span
    width = values.shape[1]
    column = min(max(column, 0), width - 1)
    at = (first + (column + 0.5) * (last - first) / width) / 100
    parts = values[:, column]
    if kind == "rate":
        return Told(f"{number(float(parts[0]))} /µs at {number(at)} ns")
    tops = np.cumsum(parts) / peak * height
    under = int(np.searchsorted(tops, above)) if above <= tops[-1] else -1
    rows = [
        (cause, f"{number(float(parts[k]))} mW", k == under) for k, cause in enumerate(CAUSE_COLOURS) if parts[k] > 1e-9
    ]
    return Told(f"{number(float(parts.sum()))} mW at {number(at)} ns", tuple(reversed(rows)))


def _legend(surface: pygame.Surface, theme: Theme, mouse: tuple[float, float], said: Told) -> None:
    """A card above the mouse: causes from the top of the stack downwards, as they lie in the plot."""
    px, step = theme.px, round(theme.px(12) * theme.font_scale * 1.4)
    lines: list[tuple[pygame.Surface, tuple[pygame.Surface, Colour] | None]] = [
        (line(theme, "mono", 12, said.title, TEXT), None)
    ]
    wide = lines[0][0].get_width()
    for cause, figure, here in said.rows:
        name = line(theme, "semibold" if here else "text", 12, cause, TEXT if here else TEXT_2)
        value = line(theme, "mono", 12, figure, TEXT if here else TEXT_2)
        wide = max(wide, px(16) + name.get_width() + px(16) + value.get_width())
        lines.append((name, (value, CAUSE_COLOURS[cause])))
    card = pygame.Rect(0, 0, wide + px(20), len(lines) * step + px(12))
    card.midbottom = round(mouse[0]), round(mouse[1]) - px(14)
    card.clamp_ip(surface.get_rect().inflate(-px(8), -px(8)))
    pygame.draw.rect(surface, PANEL_2, card, border_radius=px(6))
    pygame.draw.rect(surface, EDGE, card, max(1, px(1)), border_radius=px(6))
    y = card.top + px(6)
    for name, more in lines:
        left = card.left + px(10)
        if more is not None:
            surface.fill(more[1], (left, y + step // 2 - px(4), px(8), px(8)))
            surface.blit(more[0], (card.right - px(10) - more[0].get_width(), y))
            left += px(16)
        surface.blit(name, (left, y))
        y += step


def _values(trace: Trace, kind: str, first: int, last: int, width: int) -> np.ndarray:
    """Rows by cause (power, mW) or one row (launches/µs), for each of ``width`` columns between two ticks."""
    edges = trace.edges
    moments = first + (np.arange(width) + 0.5) * (last - first) / width
    bins = np.clip(np.searchsorted(edges, moments, side="right") - 1, 0, max(len(edges) - 2, 0))
    known = moments < edges[-1]
    if kind == "power":
        nothing = np.zeros(len(edges))
        return np.array([np.where(known, trace.power.get(cause, nothing)[bins], 0.0) for cause in CAUSE_COLOURS])
    ticks = trace.completions
    if len(ticks) < 2:
        return np.zeros((1, width))
    # The rate at a moment: one launch over the time since the one before.
    middles = (edges[bins] + edges[bins + 1]) / 2
    at = np.searchsorted(ticks, middles)
    gaps = np.diff(np.concatenate(([0], ticks)))
    rates = np.where(known & (at < len(gaps)), 1e5 / np.maximum(gaps[np.minimum(at, len(gaps) - 1)], 1), 0.0)
    return rates[None, :]


def _picture(values: np.ndarray, peak: float, size: tuple[int, int], kind: str, thick: int) -> pygame.Surface:
    surface = pygame.Surface(size)
    surface.fill(PANEL)
    if not values.size or not values.shape[1]:
        return surface
    width, height = size
    if kind == "rate":
        ys = (height - 1 - values[0] / peak * (height - thick - 2)).round().astype(int).tolist()
        pygame.draw.lines(surface, mix(YELLOW, BOARD, 0.15), False, list(enumerate(ys)), thick)
        return surface
    tops = np.cumsum(values, axis=0) / peak * height
    pixels = pygame.surfarray.pixels3d(surface)
    rows = height - np.arange(height)[None, :]
    below = np.zeros(width)
    for level, colour in zip(tops, CAUSE_COLOURS.values(), strict=True):
        mask = (rows <= np.round(level)[:, None]) & (rows > np.round(below)[:, None])
        pixels[mask] = colour
        below = level
    del pixels
    return surface
