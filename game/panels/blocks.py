"""A block: a part of a column of text and charts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pygame


@dataclass(frozen=True, slots=True)
class Block:
    """How high a part is at its column's width, how it is drawn, and whether it takes more height gladly."""

    height: int
    draw: Callable[[pygame.Rect], None]
    grows: bool = False
