"""Boards to draw, without a screen."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from engine.model import Design, Level
from engine.simulation import Simulation
from game.theme import TILE_STEPS, Theme
from game.view.camera import Camera
from game.view.scene import Scene, figures_of
from levels import load_design, load_level

CAMPAIGN = Path(__file__).parents[3] / "levels"
SIZE = (640, 400)


@dataclass
class Board:
    """A level and a design of the campaign, with its machine."""

    level: Level
    design: Design

    def camera(self, tile: int = 32, at: tuple[float, float] | None = None, scale: float = 1.0) -> Camera:
        camera = Camera(*self.level.board.size, (0, 0, *SIZE), scale=scale)
        camera.fit()
        camera.step = TILE_STEPS.index(tile)
        if at:
            camera.x, camera.y = at
        return camera

    def scene(self, ns: float = 60.0, **others: object) -> Scene:
        simulation = Simulation(self.level, self.design, engine="plain")
        simulation.run_until(ns)
        figures = figures_of(Simulation(self.level, self.design, engine="plain").report(), self.level.technology)
        moving = {"packets": simulation.packets(ns), "state": simulation.state(), "figures": figures}
        return Scene(self.level, self.design, simulation.netlist, ns, **{**moving, "theme": Theme(), **others})  # type: ignore[arg-type]


@lru_cache
def load(name: str, role: str) -> Board:
    """A board of chapter 0: ("05-two-roads", "best")."""
    folder = CAMPAIGN / "0-first-light"
    return Board(load_level(folder / f"{name}.yaml"), load_design(folder / f"{name}.{role}.yaml"))


@pytest.fixture
def board() -> Callable[[str, str], Board]:
    return load


@pytest.fixture
def roads() -> Board:
    """Two roads: four cores in a row, and a wire around them."""
    return load("05-two-roads", "best")


def surface(size: tuple[int, int] = SIZE) -> pygame.Surface:
    return pygame.Surface(size, depth=32)


def brightness(colour: tuple[int, ...]) -> float:
    """Relative luminance as WCAG 2 has it, 0 … 1."""

    def linear(value: int) -> float:
        share = value / 255
        return share / 12.92 if share <= 0.03928 else ((share + 0.055) / 1.055) ** 2.4

    r, g, b = (linear(v) for v in colour[:3])
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
