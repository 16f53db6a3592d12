"""Colours, type and measures: one designed look, in one place.

Brightness has ranks, and nothing of a lower rank may be brighter than something above it: packets and the
playhead; a fault or root cause; what is selected or under the mouse; live wires by power; glyphs; values; labels;
core bodies; grid. Accents are from Okabe and Ito's palette ("Color Universal Design", 2008); every meaning of a colour
has a second sign as well (shape, hatch or letter).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

import pygame

Colour = tuple[int, int, int]


def _rgb(text: str) -> Colour:
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


BOARD = _rgb("#0D1117")
BOARD_2 = _rgb("#10161E")
GRID = _rgb("#2A3442")
GRID_LINE = _rgb("#1B222C")
BLOCKED = _rgb("#0A0D12")
BLOCKED_HATCH = _rgb("#171D26")
PANEL = _rgb("#151B23")
PANEL_2 = _rgb("#1C2530")
EDGE = _rgb("#33404F")
TEXT = _rgb("#E6EDF3")
TEXT_2 = _rgb("#9AA7B4")
TEXT_3 = _rgb("#7C8896")

SKY = _rgb("#56B4E9")
GREEN = _rgb("#009E73")
GREEN_TEXT = _rgb("#1FBF94")
VERMILLION = _rgb("#D55E00")
VERMILLION_TEXT = _rgb("#F0763A")
ORANGE = _rgb("#E69F00")
YELLOW = _rgb("#F0E442")
PURPLE = _rgb("#CC79A7")
BLUE = _rgb("#0072B2")
BLUE_TEXT = _rgb("#3D9BD6")
PACKET = _rgb("#F4F7FA")

WIRE_STOPPED = _rgb("#3A4452")
WIRE_SLOW = _rgb("#6F7F92")
WIRE_FAST = _rgb("#E8C07A")

POWER_RAMP = tuple(_rgb(c) for c in ("#0D1117", "#2B1E4E", "#7A2F63", "#C9563C", "#F0A24A", "#FFF1C7"))
"""Monotone in lightness, readable with each of the three colour deficiencies."""

LAUNCH_COLOURS = (SKY, ORANGE, GREEN_TEXT, YELLOW, PURPLE, VERMILLION_TEXT)
LAUNCH_LETTERS = "abcdef"

CAUSE_COLOURS: Mapping[str, Colour] = {
    "standby": _rgb("#4A5563"),
    "drive": ORANGE,
    "switching": _rgb("#C98A2B"),
    "compute": GREEN,
    "control": _rgb("#5FB89C"),
    "memory": SKY,
    "storage": _rgb("#3D7FB0"),
    "leakage": PURPLE,
}
"""Causes of energy, bottom to top in every bar and plot."""

FAMILY_TINT: Mapping[str, Colour | None] = {
    "pad": YELLOW,
    "arithmetic": None,
    "steering": PURPLE,
    "storage": SKY,
    "reduction": GREEN,
}

TILE_STEPS = (8, 12, 16, 24, 32, 48, 64, 96, 128)
"""Zoom steps: pixels per tile at UI scale 100 %."""


def mix(a: Colour, b: Colour, share: float) -> Colour:
    """``a`` with ``share`` (0 … 1) of ``b``."""
    return (
        round(a[0] + (b[0] - a[0]) * share),
        round(a[1] + (b[1] - a[1]) * share),
        round(a[2] + (b[2] - a[2]) * share),
    )


def ramp(value: float) -> Colour:
    """Colour of the power ramp for 0 … 1."""
    x = min(max(value, 0.0), 1.0) * (len(POWER_RAMP) - 1)
    i = min(int(x), len(POWER_RAMP) - 2)
    return mix(POWER_RAMP[i], POWER_RAMP[i + 1], x - i)


_FILES = {
    "text": "Inter-Regular.otf",
    "medium": "Inter-Medium.otf",
    "semibold": "Inter-SemiBold.otf",
    "mono": "JetBrainsMono-Regular.ttf",
    "mono-semibold": "JetBrainsMono-SemiBold.ttf",
}


@lru_cache(maxsize=64)
def _font(face: str, pixels: int) -> pygame.font.Font:
    path = resources.files("assets").joinpath("fonts", _FILES[face])
    with resources.as_file(path) as file:
        return pygame.font.Font(str(file), pixels)


@dataclass(frozen=True, slots=True)
class Theme:
    """The look at one UI scale (1.0 = 100 %) and font scale."""

    scale: float = 1.0
    font_scale: float = 1.0
    reduced_motion: bool = False

    def px(self, length: float) -> int:
        """Screen pixels of a length given at 100 %; at least 1 for anything above 0."""
        return max(1, round(length * self.scale)) if length > 0 else 0

    def pixels(self, size: float) -> int:
        """Pixels of type whose size is given at 100 %."""
        return max(6, round(size * self.scale * self.font_scale))

    def font(self, face: str, size: float) -> pygame.font.Font:
        """A face ("text", "medium", "semibold", "mono", "mono-semibold") at a size given at 100 %."""
        return _font(face, self.pixels(size))
