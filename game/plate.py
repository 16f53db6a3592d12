"""The plate on a looping picture: which level, what it scores, and which medals that is worth."""

from __future__ import annotations

import pygame

from engine.model import Level, Report
from game.text import line, number
from game.theme import EDGE, PANEL, TEXT, TEXT_2, VERMILLION_TEXT, YELLOW, Theme
from game.view.sprites import disc_mask, rounded_mask, tinted

LIGHTS = ("bronze", "silver", "gold")


def plate(theme: Theme, level: Level, report: Report) -> pygame.Surface:
    """A small panel: the level's title, launches per nanojoule, and a light for each medal."""
    px = theme.px
    title = line(theme, "medium", 12, f"{level.number} {level.title}".strip(), TEXT_2)
    if report.metrics is not None and report.verdict == "pass":
        score = line(theme, "mono-semibold", 20, number(report.metrics.efficiency_launches_per_nj, 4), TEXT)
        unit = line(theme, "text", 12, "launches/nJ", TEXT_2)
    else:
        score, unit = line(theme, "semibold", 15, report.verdict, VERMILLION_TEXT), line(theme, "text", 12, "", TEXT_2)
    won = LIGHTS.index(report.medal) + 1 if report.medal in LIGHTS else 0
    light, gap, pad = px(11), px(5), px(12)
    lights = 3 * (light + gap)
    width = max(title.get_width() + 2 * gap + lights, score.get_width() + gap + unit.get_width()) + 2 * pad
    height = title.get_height() + score.get_height() + px(18)
    surface = tinted(rounded_mask(width, height, px(6)), EDGE)
    one = px(1)
    surface.blit(tinted(rounded_mask(width - 2 * one, height - 2 * one, px(5)), PANEL), (one, one))
    surface.blit(title, (pad, px(8)))
    for k in range(3):
        mask = disc_mask(light - 1, light) if k < won else disc_mask(light - 1, light, light - 1 - 2 * px(1.5))
        place = (width - pad - lights + gap + k * (light + gap), px(8) + (title.get_height() - light) // 2)
        surface.blit(tinted(mask, YELLOW if k < won else EDGE), place)
    base = height - px(8)
    surface.blit(score, (pad, base - score.get_height()))
    surface.blit(unit, (pad + score.get_width() + gap, base - unit.get_height() - px(3)))
    return surface
