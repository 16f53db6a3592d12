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


class Timeline(Panel):
    """The timeline."""

    ground = BOARD

    def paint(self, canvas: Canvas, model: TimelineModel) -> None:
        px, height = canvas.px, canvas.bounds.height
        left, right = px(16), canvas.bounds.width - px(16)
        canvas.rule(0)
        written = canvas.text(model.end, right, height // 2, size=11, face="mono", align="right", colour=TEXT_3)
        right = written.left - px(12)
        width = max(right - left, 1)
        if model.window:
            a, b = (left + round(width * share) for share in model.window)
            canvas.surface.fill(PANEL_2, (a, px(1), max(b - a, 1), height))
        canvas.surface.fill(EDGE, (left, height // 2, width, max(1, px(1))))
        last = -9
        for share in model.launches:
            x = left + round(width * share)
            if x - last < px(2):
                continue
            last = x
            canvas.surface.fill(mix(YELLOW, BOARD, 0.2), (x, px(7), max(1, px(2)), height - px(14)))
        if model.fault is not None:
            x, y, r = left + round(width * model.fault), height // 2, px(5)
            pygame.draw.polygon(canvas.surface, VERMILLION, ((x, y - r), (x + r, y), (x, y + r), (x - r, y)))
        x = left + round(width * model.playhead)
        canvas.surface.fill(PACKET, (x - px(0.5), px(2), max(1, px(2)), height - px(2)))
        knob = pygame.Rect(x - px(4), px(2), px(9), px(6))
        if model.reviewing:
            pygame.draw.rect(canvas.surface, PACKET, knob, max(1, px(1)))
        else:
            canvas.surface.fill(PACKET, knob)
        canvas.zone("timeline", pygame.Rect(left, 0, width, height), ("seek",), "Drag to any moment", drag=True)
