"""Wave lanes of probes: what is at a wire's end over time, and what a core does, as a logic analyser shows it.

A word is a segment with its value in it, as long as there is room; while it could be taken and is not, the segment is
hatched. A core is busy where its lane is green, blocked where it is hatched, else starved. Where all this lies too
close to be told apart, a lane shows how much of the time there is a word, or the core is busy, and hatched above it how
much of the time is spent waiting.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pygame

from game.panels.kit import Canvas
from game.recorder import States, Wave
from game.text import line
from game.theme import (
    EDGE,
    GREEN,
    GRID,
    LAUNCH_COLOURS,
    PACKET,
    PANEL,
    PANEL_2,
    SKY,
    TEXT,
    TEXT_2,
    TEXT_3,
    VERMILLION,
    Colour,
    Theme,
    mix,
)
from game.view.badges import value_text

NAMES, VALUES = 132, 76
"""Widths of the columns before the waves."""
LANE = 18
DENSE = 4
"""Words this narrow, in pixels, are not drawn one by one."""


@dataclass(frozen=True)
class Lane:
    """One lane. ``wave`` is compared by identity; ``gone``: the design has no such wire or core."""

    name: str
    tip: str
    wave: Wave | States | None
    is_float: bool
    value: str
    gone: bool = False


@dataclass(frozen=True)
class LanesModel:
    """``until``: the tick up to which is known what happens. ``stale``: the waves are of the design before."""

    lanes: tuple[Lane, ...]
    first: int
    until: int
    stale: bool
    base: str
    coloured: bool


class Lanes:
    """Draws lanes; the waves are kept while only the playhead moves."""

    def __init__(self) -> None:
        self._key: tuple[object, ...] = ()
        self._picture: pygame.Surface | None = None

    def paint(self, canvas: Canvas, model: LanesModel, rect: pygame.Rect, span: tuple[int, int], playhead: int) -> None:
        """Draw as many lanes as there is room for, from number ``model.first`` on."""
        px = canvas.px
        pitch = max(min(px(LANE), rect.height), 1)
        room = room_for(canvas.theme, rect.height)
        first = min(model.first, max(len(model.lanes) - room, 0))
        shown = model.lanes[first : first + room]
        before = px(NAMES) + px(VALUES)
        area = pygame.Rect(rect.left + before, rect.top, max(rect.width - before, 1), pitch * len(shown))
        for row, lane in enumerate(shown):
            self._name(canvas, lane, first + row, pygame.Rect(rect.left, rect.top + row * pitch, before, pitch))
        waves = tuple(id(lane.wave) for lane in shown)
        key = (canvas.theme, waves, area.size, span, model.until, model.stale, model.base, model.coloured, shown)
        if key != self._key or self._picture is None:
            self._key, self._picture = key, _picture(canvas.theme, model, shown, area.size, pitch, span)
        canvas.surface.blit(self._picture, area)
        for row in range(len(shown)):
            place = pygame.Rect(area.left, area.top + row * pitch, area.width, pitch)
            canvas.zone(f"lane.{first + row}.wave", place, ("seek.lanes",), "Drag to any moment", drag=True)
        share = (playhead - span[0]) / max(span[1] - span[0], 1)
        if 0 <= share <= 1 and shown:
            x = area.left + min(round(area.width * share), area.width - 1)
            canvas.surface.fill(PACKET, (x, area.top, max(1, px(1)), area.height))
        if len(model.lanes) > room:
            self._bar(canvas, rect, first, room, len(model.lanes))

    def _name(self, canvas: Canvas, lane: Lane, number: int, rect: pygame.Rect) -> None:
        """Cross, name, and the value at the playhead."""
        px = canvas.px
        lit = canvas.zone(f"lane.{number}", rect, ("lane.show", number), lane.tip)
        cross = pygame.Rect(rect.left, rect.top, px(16), rect.height)
        near = canvas.zone(f"lane.{number}.close", cross, ("lane.remove", number), "Probe it no longer (right click)")
        colour = TEXT if near else TEXT_2 if lit else TEXT_3
        middle, arm = cross.center, px(3)
        for sign in (1, -1):
            ends = (middle[0] - arm, middle[1] - sign * arm), (middle[0] + arm, middle[1] + sign * arm)
            pygame.draw.line(canvas.surface, colour, *ends, max(1, px(1.5)))
        left, right = cross.right + px(4), rect.left + px(NAMES)
        name = TEXT_3 if lane.gone else TEXT if lit else TEXT_2
        canvas.text(lane.name, left, rect.centery, size=11, colour=name, width=right - left - px(4))
        value = TEXT if lane.value and not lane.gone else TEXT_3
        canvas.text(
            "gone" if lane.gone else lane.value or "–",
            rect.right - px(8),
            rect.centery,
            size=11,
            face="text" if lane.gone else "mono",
            colour=value,
            align="right",
            width=px(VALUES) - px(12),
        )

    def _bar(self, canvas: Canvas, rect: pygame.Rect, first: int, room: int, count: int) -> None:
        """Where the lanes that are shown lie among all of them."""
        px = canvas.px
        track = pygame.Rect(rect.left - px(6), rect.top, px(3), rect.height)
        canvas.surface.fill(GRID, track)
        top = track.top + round(track.height * first / count)
        canvas.surface.fill(TEXT_3, (track.left, top, track.width, max(round(track.height * room / count), px(4))))


def room_for(theme: Theme, height: int) -> int:
    """Lanes that fit into ``height`` pixels; always one."""
    return max(height // max(theme.px(LANE), 1), 1)


def _picture(
    theme: Theme, model: LanesModel, lanes: tuple[Lane, ...], size: tuple[int, int], pitch: int, span: tuple[int, int]
) -> pygame.Surface:
    surface = pygame.Surface(size)
    surface.fill(PANEL)
    for row, lane in enumerate(lanes):
        place = pygame.Rect(0, row * pitch + theme.px(2), size[0], max(pitch - theme.px(4), 3))
        _Row(theme, surface, place, span, model).draw(lane)
    return surface


class _Row:
    """One lane's waves being drawn."""

    def __init__(
        self, theme: Theme, surface: pygame.Surface, rect: pygame.Rect, span: tuple[int, int], model: LanesModel
    ) -> None:
        self.theme, self.surface, self.rect, self.span, self.model = theme, surface, rect, span, model
        self.end = min(span[1], model.until)
        self.thick = max(1, theme.px(1))

    def x(self, tick: int) -> int:
        first, last = self.span
        return self.rect.left + round(self.rect.width * (tick - first) / max(last - first, 1))

    def draw(self, lane: Lane) -> None:
        rect, wave, end = self.rect, lane.wave, self.end
        if wave is None or lane.gone:
            self.surface.fill(GRID, (rect.left, rect.centery, rect.width, self.thick))
            return
        if isinstance(wave, States):
            self._states(wave)
            return
        first = self.span[0]
        low = int(np.searchsorted(wave.gone, first, side="right"))
        high = int(np.searchsorted(wave.at, end, side="left"))
        if (high - low) * self.theme.px(DENSE) > rect.width:
            self._dense(wave, low, high)
            return
        self.surface.fill(EDGE, (rect.left, rect.centery, max(self.x(end) - rect.left, 0), self.thick))
        for k in range(low, high):
            at, taken, gone = int(wave.at[k]), min(int(wave.taken[k]), end), min(int(wave.gone[k]), end)
            self._word(lane, wave, k, self.x(at), self.x(taken), self.x(gone))

    def _states(self, states: States) -> None:
        """A core: green while it is busy, hatched while it is blocked, a line while it is starved."""
        rect, (first, last) = self.rect, self.span
        busy, blocked = (
            spans[(spans[:, 1] > first) & (spans[:, 0] < self.end)] for spans in (states.busy, states.blocked)
        )
        if (len(busy) + len(blocked)) * self.theme.px(DENSE) > rect.width:
            per = max(last - first, 1) / rect.width
            works, waits = (
                _cover(spans[:, 0], np.minimum(spans[:, 1], self.end), first, per, rect.width)
                for spans in (busy, blocked)
            )
            self._columns(np.minimum(works, 1 - waits), waits, GREEN)
            return
        self.surface.fill(EDGE, (rect.left, rect.centery, max(self.x(self.end) - rect.left, 0), self.thick))
        colour = mix(GREEN, PANEL, 0.75 if self.model.stale else 0.3)
        for start, end in busy.tolist():
            left, right = self.x(start), self.x(min(end, self.end))
            gap = self.thick if right - left > 3 * self.thick else 0
            self.surface.fill(colour, (left, rect.top, max(right - left - gap, 1), rect.height))
        edge = EDGE if self.model.stale else VERMILLION
        for start, end in blocked.tolist():
            left, right = self.x(start), self.x(min(end, self.end))
            place = pygame.Rect(left, rect.top, max(right - left, 1), rect.height).clip(self.surface.get_rect())
            self.surface.fill(PANEL, place)
            self._hatch(self.surface, place)
            pygame.draw.rect(self.surface, edge, place, self.thick)

    def _colours(self, wave: Wave, k: int) -> tuple[Colour, Colour, Colour]:
        """Of a word's edge, ground and text."""
        if self.model.stale:
            return EDGE, PANEL, TEXT_3
        if wave.masked[k]:
            return EDGE, PANEL, TEXT_3
        launch = int(wave.launch[k])
        if self.model.coloured and launch >= 0:
            colour = LAUNCH_COLOURS[launch % len(LAUNCH_COLOURS)]
            return colour, mix(colour, PANEL, 0.8), TEXT
        return TEXT_3, PANEL_2, TEXT

    def _word(self, lane: Lane, wave: Wave, k: int, left: int, taken: int, right: int) -> None:
        rect = self.rect
        edge, ground, ink = self._colours(wave, k)
        right = max(right, left + 2)
        bevel = min(self.theme.px(3), (right - left) // 2)
        top, bottom, middle = rect.top, rect.bottom - 1, rect.centery
        shape = (
            (left, middle),
            (left + bevel, top),
            (right - bevel, top),
            (right, middle),
            (right - bevel, bottom),
            (left + bevel, bottom),
        )
        pygame.draw.polygon(self.surface, ground, shape)
        if taken > left:
            waits = pygame.Rect(left + bevel, top, max(taken - left - bevel, 1), rect.height)
            self._hatch(self.surface, waits.clip(self.surface.get_rect()))
        pygame.draw.polygon(
            self.surface, VERMILLION if taken > left and not self.model.stale else edge, shape, self.thick
        )
        seen = pygame.Rect(max(left, rect.left), top, 0, rect.height)
        seen.width = min(right, rect.right) - seen.left - 2 * bevel
        words = " ".join(value_text(int(word), lane.is_float, self.model.base) for word in wave.words[k])
        picture = line(self.theme, "mono", 10.5, words, ink)
        if picture.get_width() <= seen.width:
            place = picture.get_rect(center=(seen.left + bevel + seen.width // 2, middle))
            if taken > left:  # the hatch must not run through the digits
                self.surface.fill(ground, place.inflate(self.theme.px(4), -self.theme.px(2)).clip(rect))
            self.surface.blit(picture, place)

    def _hatch(self, surface: pygame.Surface, rect: pygame.Rect) -> None:
        """Strokes of vermillion: a word that waits."""
        colour = mix(VERMILLION, PANEL, 0.6 if self.model.stale else 0.25)
        clip = surface.get_clip()
        surface.set_clip(rect)
        step = self.theme.px(6)
        start = (rect.left - rect.height) // step * step
        for x in range(start, rect.right + step, step):
            pygame.draw.line(surface, colour, (x, rect.bottom), (x + rect.height, rect.top), self.thick)
        surface.set_clip(clip)

    def _dense(self, wave: Wave, low: int, high: int) -> None:
        """By column: how much of its time a word is there; the upper, hatched part is the time in which it waits."""
        (first, last), width = self.span, self.rect.width
        per = max(last - first, 1) / width
        there = _cover(wave.at[low:high], np.minimum(wave.gone[low:high], self.end), first, per, width)
        waits = _cover(wave.at[low:high], np.minimum(wave.taken[low:high], self.end), first, per, width)
        self._columns(there - waits, waits, SKY)

    def _columns(self, works: np.ndarray, waits: np.ndarray, colour: Colour) -> None:
        """Shares of each column in which something is done, in ``colour``, and hatched above it in which it waits."""
        rect = self.rect
        colour = mix(colour, PANEL, 0.75 if self.model.stale else 0.45)
        hatched = pygame.Surface(rect.size)
        hatched.fill(mix(VERMILLION, PANEL, 0.85))
        self._hatch(hatched, hatched.get_rect())
        tops = np.ceil((works + waits) * rect.height).astype(int).tolist()
        steps = np.ceil(works * rect.height).astype(int).tolist()
        for x, (top, step) in enumerate(zip(tops, steps, strict=True)):
            if top > step:
                self.surface.blit(hatched, (rect.left + x, rect.bottom - top), (x, rect.height - top, 1, top - step))
            if step > 0:
                self.surface.fill(colour, (rect.left + x, rect.bottom - step, 1, step))


def _cover(starts: np.ndarray, ends: np.ndarray, first: int, per: float, width: int) -> np.ndarray:
    """Share of each of ``width`` columns, of ``per`` ticks each from ``first`` on, that intervals cover."""
    if not len(starts):
        return np.zeros(width)
    # The covered time up to a column's edge, from the sums of the intervals that lie before it.
    edges = first + per * np.arange(width + 1)
    sums = np.concatenate(([0.0], np.cumsum(np.maximum(ends - starts, 0))))
    begun = np.searchsorted(starts, edges, side="right")
    done = np.searchsorted(ends, edges, side="right")
    open_ = begun > done
    last = np.maximum(begun - 1, 0)
    total = sums[done] + np.where(open_, edges - starts[last], 0.0)
    covered: np.ndarray = np.clip(np.diff(total) / per, 0.0, 1.0)
    return covered
