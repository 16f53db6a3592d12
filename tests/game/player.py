"""Somebody at the mouse and the keys: posts events where things are on the screen, and lets frames pass."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pygame

from game.app import App, theme_for
from game.screens.registry import SCREENS
from game.screens.workbench import Workbench
from game.view.layout import Notch

Tile = tuple[int, int]
FRAME = 1 / 60


class Player:
    """Plays through the application with posted events alone; places are read off what is shown."""

    def __init__(
        self, data: Path, size: tuple[int, int] = (1920, 1080), settings: dict[str, Any] | None = None
    ) -> None:
        self.app = App(SCREENS, data=data, size=size)
        for key, value in (settings or {}).items():
            self.app.progress.put_setting(key, value)
        self.app.context.theme = theme_for(self.app.progress, size)
        self.surface = pygame.Surface(size)
        self.at: tuple[int, int] = (0, 0)
        self.held: set[int] = set()

    def open(self, level: str) -> Workbench:
        self.app.show("workbench", level)
        self.frames(2)
        return self.bench

    @property
    def bench(self) -> Workbench:
        assert isinstance(self.app.screen, Workbench)
        return self.app.screen

    def frames(self, count: int = 1) -> None:
        for _ in range(count):
            self.app.frame(FRAME, self.surface)

    def close(self) -> None:
        self.app.close()

    # --- the mouse ---------------------------------------------------------------------------------------

    def post(self, kind: int, **values: Any) -> None:
        if kind == pygame.MOUSEBUTTONDOWN:
            self.held.add(values["button"])
        elif kind == pygame.MOUSEBUTTONUP:
            self.held.discard(values["button"])
        pygame.event.post(pygame.event.Event(kind, **values))

    def tile(self, column: float, row: float) -> tuple[int, int]:
        """The middle of a tile on the screen."""
        x, y = self.bench.camera.to_screen(column + 0.5, row + 0.5)
        return round(x), round(y)

    def port(self, element: str, port: str, *, output: bool = False) -> tuple[int, int]:
        """A port on the screen; ``output`` where an input has the same name."""
        notches = [n for n in self.bench.tools.hits().layout.notches if (n.element, n.port) == (element, port)]
        notch: Notch = next((n for n in notches if n.is_input != output), notches[0])
        x, y = self.bench.camera.to_screen(notch.x, notch.y)
        return round(x), round(y)

    def on_wire(self, wire: int) -> tuple[int, int]:
        """The middle of a wire's longest run."""
        path = self.bench.session.design.wires[wire].path
        (ax, ay), (bx, by) = max(pairwise(path), key=lambda r: abs(r[1][0] - r[0][0]) + abs(r[1][1] - r[0][1]))
        place = self.bench.camera.to_screen((ax + bx) / 2 + 0.5, (ay + by) / 2 + 0.5)
        return round(place[0]), round(place[1])

    def zone(self, name: str) -> tuple[int, int]:
        """The middle of a named place of a panel."""
        bench = self.bench
        panels = (
            bench.header,
            bench.palette,
            bench.inspector,
            bench.transport,
            bench.timeline,
            bench.plots,
            bench.sky,
            bench.brief_card,
            bench.why_card,
            bench.toast_card,
            bench.chips,
            bench.map,
        )
        names = [zone.name for panel in panels for zone in panel.zones]
        assert name in names, f"{name} is not among {names}"
        zone = next(zone for panel in panels for zone in panel.zones if zone.name == name)
        return zone.rect.center

    def move(self, pos: tuple[int, int]) -> None:
        rel = (pos[0] - self.at[0], pos[1] - self.at[1])
        self.post(pygame.MOUSEMOTION, pos=pos, rel=rel, buttons=tuple(int(b in self.held) for b in (1, 2, 3)))
        self.at = pos

    def click(self, pos: tuple[int, int], button: int = 1) -> None:
        self.move(pos)
        self.post(pygame.MOUSEBUTTONDOWN, pos=pos, button=button)
        self.post(pygame.MOUSEBUTTONUP, pos=pos, button=button)
        self.frames()

    def drag(self, *places: tuple[int, int], button: int = 1) -> None:
        """Press at the first place, pass the others, release at the last: all within one frame."""
        self.move(places[0])
        self.post(pygame.MOUSEBUTTONDOWN, pos=places[0], button=button)
        for place in places[1:]:
            self.move(place)
        self.post(pygame.MOUSEBUTTONUP, pos=places[-1], button=button)
        self.frames()

    def wheel(self, notches: int, pos: tuple[int, int]) -> None:
        self.move(pos)
        self.post(pygame.MOUSEWHEEL, x=0, y=notches, flipped=False, which=0)
        self.frames()

    # --- the keys ----------------------------------------------------------------------------------------

    def key(self, name: str, *, ctrl: bool = False, shift: bool = False, unicode: str = "") -> None:
        mod = (pygame.KMOD_LCTRL if ctrl else 0) | (pygame.KMOD_LSHIFT if shift else 0)
        code = pygame.key.key_code(name)
        self.post(pygame.KEYDOWN, key=code, mod=mod, unicode=unicode, scancode=0)
        self.post(pygame.KEYUP, key=code, mod=mod, scancode=0)
        self.frames()

    def type(self, text: str) -> None:
        """Type into the field that is open, and end with Enter."""
        for letter in text:
            self.post(pygame.KEYDOWN, key=ord(letter.lower()), mod=0, unicode=letter, scancode=0)
            self.post(pygame.KEYUP, key=ord(letter.lower()), mod=0, scancode=0)
        self.key("return", unicode="\r")

    # --- what a player does ------------------------------------------------------------------------------

    def place(self, core: str, at: Tile, **inputs: int) -> str:
        """Take a part from the palette, put it down, and type the numbers of its inputs; returns its name."""
        self.click(self.zone(f"part.{core}"))
        self.click(self.tile(*at))
        if self.bench.tools.hand is not None:
            self.click(self.tile(*at), button=3)
        name = next(c.id for c in self.bench.session.design.cores if tuple(c.at) == at)
        if inputs:
            self.click(self.tile(*at))
            for port, value in inputs.items():
                self.click(self.zone(f"port.{name}.{port}"))
                self.type(str(value))
        return name

    def wire(self, source: tuple[int, int], target: tuple[int, int], *via: Tile) -> None:
        """Drag a wire; with bends, click them."""
        if not via:
            self.drag(source, target)
            return
        self.drag(source, self.tile(*via[0]))
        for tile in via[1:]:
            self.click(self.tile(*tile))
        self.click(target)

    def speed(self, wire: int, text: str) -> None:
        """Select a wire and type its speed."""
        self.click(self.on_wire(wire))
        assert self.bench.tools.selection == {wire}, self.bench.tools.selection
        self.click(self.zone(f"speed.{wire}"))
        self.type(text)

    def settle(self) -> None:
        """Wait for the background: a player would look at the score box."""
        self.frames(2)
        self.bench.session.settle()
        self.frames(2)
