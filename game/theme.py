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

from game import palette

Colour = tuple[int, int, int]


def _rgb(text: str) -> Colour:
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


_TABLE = {name: tuple(map(_rgb, text.split())) for name, text in palette.table().items()}

BOARD = _TABLE["board"][0]
BOARD_2 = _TABLE["board-2"][0]
GRID = _TABLE["grid"][0]
GRID_LINE = _TABLE["grid-line"][0]
BLOCKED = _TABLE["blocked"][0]
BLOCKED_HATCH = _TABLE["hatch"][0]
PANEL = _TABLE["panel"][0]
PANEL_2 = _TABLE["panel-2"][0]
EDGE = _TABLE["edge"][0]
TEXT = _TABLE["text"][0]
TEXT_2 = _TABLE["text-2"][0]
TEXT_3 = _TABLE["text-3"][0]

SKY = _TABLE["sky"][0]
GREEN = _TABLE["green"][0]
GREEN_TEXT = _TABLE["green-text"][0]
VERMILLION = _TABLE["vermillion"][0]
VERMILLION_TEXT = _TABLE["vermillion-text"][0]
ORANGE = _TABLE["orange"][0]
YELLOW = _TABLE["yellow"][0]
PURPLE = _TABLE["purple"][0]
BLUE = _TABLE["blue"][0]
BLUE_TEXT = _TABLE["blue-text"][0]
PACKET = _TABLE["packet"][0]

WIRE_STOPPED = _TABLE["wire-stopped"][0]
WIRE_SLOW = _TABLE["wire-slow"][0]
WIRE_FAST = _TABLE["wire-fast"][0]

POWER_RAMP = _TABLE["ramp"]
"""Monotone in lightness from the board's on, readable with each of the three colour deficiencies."""

LIGHT = sum(BOARD) > sum(TEXT)
"""Whether things are drawn dark on light: what stands out most is then the darkest."""

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
    "shifting": _rgb("#8E8BD8"),
    "coupling": VERMILLION,
    "encoding": _rgb("#B7A05A"),
    "tunnelling": _rgb("#A85C86"),
    "wake-up": _rgb("#7FA3A8"),
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
