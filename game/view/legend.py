"""The line at the bottom left that says how to read an overlay."""

from __future__ import annotations

import pygame

from game.text import fitted
from game.theme import (
    BOARD,
    GREEN,
    GREEN_TEXT,
    LAUNCH_COLOURS,
    LAUNCH_LETTERS,
    ORANGE,
    PANEL,
    SKY,
    TEXT,
    TEXT_2,
    TEXT_3,
    VERMILLION,
    VERMILLION_TEXT,
    Colour,
    Theme,
    mix,
    ramp,
)
from game.view.camera import Camera
from game.view.heat import FULL_K
from game.view.overlays import POWER_FULL_UW, power_text
from game.view.scene import Scene
from game.view.sprites import rounded_mask, text, tinted


def legend(scene: Scene) -> tuple[tuple[str, tuple[tuple[str, str, Colour], ...]], str] | None:
    """((title, entries of (sign, words, colour)), note) of the overlay's line; None without an overlay."""
    match scene.overlay:
        case "stalls":
            return (
                "stalls",
                (("solid", "busy", GREEN), ("hollow", "starved", SKY), ("hatched", "blocked", VERMILLION)),
            ), "full colour: where it begins"
        case "utilisation":
            return (
                "utilisation",
                (("solid", "busy share, %", mix(GREEN, BOARD, 0.35)), ("thin", "rate in speed", GREEN_TEXT)),
            ), ""
        case "power":
            return ("power", (("ramp", f"0 … {power_text(POWER_FULL_UW)} per tile", TEXT),)), ""
        case "bottleneck":
            note = scene.bottleneck.sentence if scene.bottleneck else "no bound: nothing runs"
            return ("bottleneck", (("solid", "sets the pace", ORANGE),)), note
        case "tracks":
            return ("tracks", (("thin", "in use", TEXT_3), ("thin", "full", VERMILLION_TEXT))), ""
        case "coupling":
            left = (("solid", "may flip", VERMILLION), ("thin", "little left", ORANGE), ("thin", "ample", GREEN))
            return ("coupling", left), "mV left before a quiet line flips"
        case "heat":
            found = scene.figures.heat if scene.figures else None
            above = f" above {found.heat.ambient_c} °C" if found else ""
            return ("heat", (("ramp", f"0 … {FULL_K:.0f} K{above}", TEXT),)), "vermillion: slower for it"
        case "launches":
            entries = tuple(("solid", letter, c) for letter, c in zip(LAUNCH_LETTERS, LAUNCH_COLOURS, strict=True))
            return ("launches", entries), ""
    return None


def draw_legend(surface: pygame.Surface, camera: Camera, scene: Scene) -> pygame.Rect | None:
    """One line at the bottom left of the view; returns where."""
    found = legend(scene)
    if found is None:
        return None
    (title, entries), note = found
    theme = scene.theme
    parts: list[tuple[str, pygame.Surface, Colour]] = [("", text(theme, "medium", 12, title, TEXT), TEXT)]
    parts += [(sign, text(theme, "text", 12, words, TEXT_2), colour) for sign, words, colour in entries]
    swatch, gap, space = theme.px(12), theme.px(6), theme.px(14)
    ramp_width = theme.px(96)

    def wide() -> int:
        signs = sum((ramp_width if sign == "ramp" else swatch) + gap for sign, _, _ in parts if sign)
        return 2 * space - gap + signs + sum(written.get_width() + space for _, written, _ in parts)

    if note:
        room = camera.view[2] - theme.px(24) - wide()
        parts.append(("", text(theme, "text", 12, fitted(theme, "text", 12, note, max(room, 0)), TEXT_2), TEXT_2))
    width = wide()
    height = theme.px(28)
    left, top = camera.view[0] + theme.px(12), camera.view[1] + camera.view[3] - height - theme.px(12)
    rect = pygame.Rect(left, top, min(width - space, camera.view[2] - theme.px(24)), height)
    surface.blit(tinted(rounded_mask(rect.width, rect.height, theme.px(6)), PANEL, 0.94), rect)
    x = rect.left + space
    for sign, written, colour in parts:
        if sign:
            mark = pygame.Rect(x, rect.centery - swatch // 2, ramp_width if sign == "ramp" else swatch, swatch)
            _swatch(surface, sign, mark, colour, theme)
            x = mark.right + gap
        surface.blit(written, (x, rect.centery - written.get_height() // 2))
        x += written.get_width() + space
    return rect


def _swatch(surface: pygame.Surface, sign: str, mark: pygame.Rect, colour: Colour, theme: Theme) -> None:
    match sign:
        case "solid":
            surface.blit(tinted(rounded_mask(mark.width, mark.height, theme.px(3)), colour), mark)
        case "hollow":
            pygame.draw.rect(surface, colour, mark, theme.px(1), theme.px(3))
        case "hatched":
            surface.fill(mix(colour, BOARD, 0.55), mark)
            clip = surface.get_clip()
            surface.set_clip(mark.clip(clip))
            for x in range(mark.left - mark.height, mark.right, theme.px(4)):
                pygame.draw.line(surface, colour, (x, mark.bottom), (x + mark.height, mark.top), theme.px(1))
            surface.set_clip(clip)
        case "thin":
            surface.fill(colour, (mark.left, mark.centery - theme.px(1), mark.width, theme.px(2)))
        case "ramp":
            for k in range(mark.width):
                surface.fill(ramp(k / max(mark.width - 1, 1)), (mark.left + k, mark.top, 1, mark.height))
