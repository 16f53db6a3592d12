"""The timeline: launches, the window, the fault, and the playhead, which can be dragged."""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from game.panels.kit import Canvas, Panel
from game.theme import BOARD, EDGE, PACKET, PANEL_2, TEXT_3, VERMILLION, YELLOW, mix


@dataclass(frozen=True, slots=True)
class TimelineModel:
    """Places are shares 0 … 1 of the time shown. ``fault`` is None where there is none."""

    playhead: float
    launches: tuple[float, ...]
    window: tuple[float, float] | None
    fault: float | None
    reviewing: bool
    end: str
    stops: tuple[float, ...] = ()
    """Launches at which play stops."""


class Timeline(Panel):
    """The timeline. All but the playhead is kept from frame to frame: a run may have a thousand launches."""

    ground = BOARD

    def __init__(self) -> None:
        super().__init__()
        self._still: tuple[tuple[object, ...], pygame.Surface, pygame.Rect] | None = None

    def paint(self, canvas: Canvas, model: TimelineModel) -> None:
        px, height = canvas.px, canvas.bounds.height
        left, right = px(16), canvas.bounds.width - px(16)
        written = canvas.text(model.end, right, height // 2, size=11, face="mono", align="right", colour=TEXT_3)
        line = pygame.Rect(left, 0, max(written.left - px(12) - left, 1), height)
        key = (canvas.theme, canvas.bounds.size, model.launches, model.window, model.fault, model.end, model.stops)
        if self._still is None or self._still[0] != key:
            self._still = key, _still(canvas, model, line), line
        around = line.inflate(px(12), 0)
        canvas.surface.blit(self._still[1], around, around)
        canvas.rule(0)
        x = left + round(line.width * model.playhead)
        canvas.surface.fill(PACKET, (x - px(0.5), px(2), max(1, px(2)), height - px(2)))
        knob = pygame.Rect(x - px(4), px(2), px(9), px(6))
        if model.reviewing:
            pygame.draw.rect(canvas.surface, PACKET, knob, max(1, px(1)))
        else:
            canvas.surface.fill(PACKET, knob)
        canvas.zone("timeline", line, ("seek",), "Drag to any moment; B: play stops at this launch", drag=True)


def _still(canvas: Canvas, model: TimelineModel, line: pygame.Rect) -> pygame.Surface:
    """Launches, window and fault along ``line``."""
    px, left, width, height = canvas.px, line.left, line.width, line.height
    surface = pygame.Surface(canvas.bounds.size)
    surface.fill(BOARD)
    if model.window:
        a, b = (left + round(width * share) for share in model.window)
        surface.fill(PANEL_2, (a, px(1), max(b - a, 1), height))
    surface.fill(EDGE, (left, height // 2, width, max(1, px(1))))
    colour, thick, last = mix(YELLOW, BOARD, 0.2), max(1, px(2)), -9
    for share in model.launches:
        x = left + round(width * share)
        if x - last >= thick:
            last = x
            surface.fill(colour, (x, px(7), thick, height - px(14)))
    for share in model.stops:
        pygame.draw.circle(surface, VERMILLION, (left + round(width * share), height // 2), px(4))
    if model.fault is not None:
        x, y, r = left + round(width * model.fault), height // 2, px(5)
        pygame.draw.polygon(surface, VERMILLION, ((x, y - r), (x + r, y), (x, y + r), (x - r, y)))
    return surface
