"""Where everything stands on the workbench, for any size of window and UI scale."""

from __future__ import annotations

from dataclasses import dataclass

from pygame import Rect

from game.theme import Theme


@dataclass(frozen=True)
class Regions:
    """Rectangles on the screen; empty ones are not shown. ``narrow``: the palette shows signs only."""

    top: Rect
    palette: Rect
    board: Rect
    sky: Rect
    inspector: Rect
    transport: Rect
    timeline: Rect
    plots: Rect
    narrow: bool


def regions(size: tuple[int, int], theme: Theme, *, panels: bool = True, plots: bool | None = None) -> Regions:
    """The regions of a window. ``panels``: palette and inspector; ``plots``: the plots; None: where there is room."""
    width, height = size
    px = theme.px
    logical = width / theme.scale / max(1.0, theme.font_scale), height / theme.scale
    narrow = logical[0] < 1500
    tight = logical[0] < 1000
    top = px(52)
    transport, timeline = px(48), px(24)
    shown = logical[1] >= 500 if plots is None else plots
    below = px(104 if logical[1] >= 800 else 72) if shown else 0
    left = px(64 if narrow else 220) if panels else 0
    right = px(220 if tight else 280 if narrow else 360) if panels else 0
    strip = px(0 if tight else 80 if narrow else 120)
    middle = max(height - top - transport - timeline - below, 1)
    y = top + middle
    return Regions(
        Rect(0, 0, width, top),
        Rect(0, top, left, middle),
        Rect(left, top, max(width - left - right - strip, 1), middle),
        Rect(width - right - strip, top, strip, middle),
        Rect(width - right, top, right, middle),
        Rect(0, y, width, transport),
        Rect(0, y + transport, width, timeline),
        Rect(0, y + transport + timeline, width, below),
        narrow,
    )
