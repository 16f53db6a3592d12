"""Which colours the game has. They are chosen before anything that draws is imported, and stay until the game ends.

Accents have the same hues in all palettes and mean the same; in each they are light or dark enough to be read on its
ground. Every meaning of a colour has a second sign besides.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

NAMES = ("dark", "high contrast", "light")
"""Palettes by the number under which the player's choice is kept."""

_DARK = {
    "board": "#0D1117",
    "board-2": "#10161E",
    "grid": "#2A3442",
    "grid-line": "#1B222C",
    "blocked": "#0A0D12",
    "hatch": "#171D26",
    "panel": "#151B23",
    "panel-2": "#1C2530",
    "edge": "#33404F",
    "text": "#E6EDF3",
    "text-2": "#9AA7B4",
    "text-3": "#7C8896",
    "sky": "#56B4E9",
    "green": "#009E73",
    "green-text": "#1FBF94",
    "vermillion": "#D55E00",
    "vermillion-text": "#F0763A",
    "orange": "#E69F00",
    "yellow": "#F0E442",
    "purple": "#CC79A7",
    "blue": "#0072B2",
    "blue-text": "#3D9BD6",
    "packet": "#F4F7FA",
    "wire-stopped": "#3A4452",
    "wire-slow": "#6F7F92",
    "wire-fast": "#E8C07A",
    "ramp": "#0D1117 #2B1E4E #7A2F63 #C9563C #F0A24A #FFF1C7",
}

_CONTRAST = {
    **_DARK,
    "board": "#000000",
    "board-2": "#0A0C0F",
    "grid": "#52606F",
    "grid-line": "#2C3540",
    "blocked": "#000000",
    "hatch": "#36414D",
    "panel": "#0A0D11",
    "panel-2": "#1B222B",
    "edge": "#7C8A99",
    "text": "#FFFFFF",
    "text-2": "#D5DCE3",
    "text-3": "#B4BFCA",
    "sky": "#7CCBFF",
    "green": "#00B987",
    "green-text": "#3DE0B4",
    "vermillion": "#FF7A1A",
    "vermillion-text": "#FF9A5C",
    "orange": "#FFB627",
    "yellow": "#FFF25C",
    "purple": "#F2A0CC",
    "blue": "#3AA0E8",
    "blue-text": "#6CBFFF",
    "packet": "#FFFFFF",
    "wire-stopped": "#6A7683",
    "wire-slow": "#9FACBA",
    "wire-fast": "#FFD68A",
    "ramp": "#000000 #2B1E4E #7A2F63 #C9563C #F0A24A #FFF1C7",
}

_LIGHT = {
    "board": "#F4F6F8",
    "board-2": "#EDF0F3",
    "grid": "#BCC5CE",
    "grid-line": "#DDE2E7",
    "blocked": "#DFE3E8",
    "hatch": "#C8CFD6",
    "panel": "#FFFFFF",
    "panel-2": "#E4E9EE",
    "edge": "#9AA6B2",
    "text": "#10161E",
    "text-2": "#46525F",
    "text-3": "#5F6B78",
    "sky": "#0B76B3",
    "green": "#009E73",
    "green-text": "#00755A",
    "vermillion": "#D55E00",
    "vermillion-text": "#B04700",
    "orange": "#9C6700",
    "yellow": "#857500",
    "purple": "#9B4A78",
    "blue": "#0072B2",
    "blue-text": "#0066A3",
    "packet": "#05080C",
    "wire-stopped": "#B0BAC4",
    "wire-slow": "#8391A0",
    "wire-fast": "#94611A",
    "ramp": "#F4F6F8 #D6CBE6 #C493BC #C9563C #8A2C1E #33080F",
}

_TABLES: Mapping[str, Mapping[str, str]] = dict(zip(NAMES, (_DARK, _CONTRAST, _LIGHT), strict=True))
_chosen = NAMES[0]


def choose(number: object) -> None:
    """Choose a palette by its number; what is none is the first. Without effect once colours are in use."""
    global _chosen
    if "game.theme" not in sys.modules:
        known = isinstance(number, int) and not isinstance(number, bool) and 0 <= number < len(NAMES)
        _chosen = NAMES[int(number)] if known else NAMES[0]  # type: ignore[call-overload]


def chosen() -> str:
    """The palette in use."""
    return _chosen


def table(name: str | None = None) -> Mapping[str, str]:
    """Colours by name as ``#RRGGBB``; "ramp" has several."""
    return _TABLES[name or _chosen]
