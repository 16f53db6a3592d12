"""The window, the loop, and which screen is shown.

Events are handed on one by one, each with its own position. What a frame shows depends on the machine's time and the
design alone, so a slow frame loses nothing but smoothness.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pygame

from game.screens.base import Context, Screen
from game.sound import Sounds
from game.theme import BOARD, Theme
from levels.shelf import Shelf
from levels.store import Progress

FRAMES_PER_SECOND = 60
SWITCH_S = 0.001
"""So long may a thread that works in the background keep a frame waiting when it wants to go on: the interpreter's own
5 ms, several times in a frame, are seen."""
LEAST_SIZE = (640, 360)
"""Smaller windows are drawn at this size and cut off."""

MOUSE = (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP)
INPUT = (*MOUSE, pygame.MOUSEWHEEL, pygame.KEYDOWN, pygame.KEYUP)

Factory = Callable[..., Screen]


class App:
    """One run of the game. ``screens`` makes a screen by name: factory(context, *arguments)."""

    def __init__(
        self,
        screens: dict[str, Factory],
        *,
        data: Path | None = None,
        size: tuple[int, int] = (1280, 720),
        fullscreen: bool = False,
        progress: Progress | None = None,
    ) -> None:
        if not getattr(pygame, "IS_CE", False):
            raise RuntimeError("this is pygame; Perwatt needs pygame-ce, which has the same import name: reinstall it")
        sys.setswitchinterval(SWITCH_S)
        pygame.display.init()
        pygame.font.init()
        pygame.display.set_caption("Perwatt")
        flags = pygame.RESIZABLE | (pygame.FULLSCREEN if fullscreen else 0)
        self.window = pygame.display.set_mode(size, flags)
        pygame.key.set_repeat(300, 40)
        self.progress = progress or Progress(data, spare=True)
        self.progress.probe()
        self.context = Context(
            theme=theme_for(self.progress, self.window.get_size()),
            size=self.window.get_size(),
            shelf=Shelf(data),
            progress=self.progress,
            sounds=sounds_of(self.progress),
        )
        self._factories = screens
        self._stack: list[tuple[tuple[object, ...], Screen]] = []
        self._drawn: Screen | None = None
        self._mouse: tuple[int, int] | None = None
        self._new = False
        self._down: dict[int, Screen] = {}
        """Keys that are down, and the screen where each was pressed: held on, it means nothing on another one."""
        self.running = True
        self._frame_rate = frame_rate_of(self.progress)

    @property
    def screen(self) -> Screen:
        """The screen that is shown."""
        return self._stack[-1][1]

    @property
    def depth(self) -> int:
        """Screens on the stack."""
        return len(self._stack)

    def show(self, name: str, *arguments: object) -> None:
        """Put a screen on top."""
        if self._stack:
            self.screen.leave()
        screen = self._factories[name](self.context, *arguments)
        self._stack.append(((name, *arguments), screen))
        self._new = True
        screen.enter()

    def back(self) -> None:
        """Close the screen on top; the last one ends the game."""
        self._end()
        if self._stack:
            self.screen.enter()
        else:
            self.running = False

    def back_to(self, name: str) -> None:
        """Close screens until the one of this name is on top; if there is none, show it above the first."""
        while len(self._stack) > 1 and self._stack[-1][0][0] != name:
            self._end()
        if self._stack[-1][0][0] == name:
            self.screen.enter()
        else:
            self.show(name)

    def _end(self) -> None:
        """Take the screen on top away for good."""
        _, screen = self._stack.pop()
        screen.leave()
        screen.close()

    def dispatch(self, event: pygame.event.Event) -> None:
        """Hand one event on."""
        if event.type == pygame.QUIT:
            self.running = False
        elif event.type == pygame.VIDEORESIZE:
            size = (max(event.w, LEAST_SIZE[0]), max(event.h, LEAST_SIZE[1]))
            self.context.size = size
            self.context.theme = theme_for(self.progress, size)
            self.screen.resize(size)
            self._drawn = None
        elif event.type == pygame.KEYDOWN and event.key == pygame.K_F11:
            pygame.display.toggle_fullscreen()
        else:
            if event.type in INPUT and self._drawn is not self.screen:
                self.draw()  # a screen knows from drawing what lies where: no key or click comes too early
            if event.type in MOUSE:
                self._mouse = event.pos
            if event.type == pygame.WINDOWFOCUSLOST:
                self._down.clear()
            elif event.type == pygame.KEYUP:
                self._down.pop(event.key, None)
            elif event.type == pygame.KEYDOWN and self._down.setdefault(event.key, self.screen) is not self.screen:
                return
            self.screen.handle(event)

    def frame(self, seconds: float, target: pygame.Surface | None = None) -> None:
        """Take what has happened, let ``seconds`` pass, and draw, into ``target`` or the window."""
        for event in pygame.event.get():
            self.dispatch(event)
            self._carry_out()
            if not self.running:
                return
        self.progress.retry()
        self.screen.update(seconds)
        self._carry_out()
        if not self.running:
            return
        self.draw(target)

    def draw(self, target: pygame.Surface | None = None) -> None:
        """Draw the screen that is shown. A new one is told then where the mouse stands."""
        surface = target or self.window
        if surface.get_size() == self.context.size:
            self.screen.draw(surface)
        else:
            whole = pygame.Surface(self.context.size)
            self.screen.draw(whole)
            surface.fill(BOARD)
            surface.blit(whole, (0, 0))
        self._drawn = self.screen
        if self._new and self._mouse is not None:
            place = {"pos": self._mouse, "rel": (0, 0), "buttons": (0, 0, 0)}
            self.screen.handle(pygame.event.Event(pygame.MOUSEMOTION, place))
        self._new = False

    def run(self, frames: int | None = None) -> None:
        """The loop: until the player quits, or for so many frames. The first is shown before anything else begins."""
        clock = pygame.time.Clock()
        count = 0
        try:
            while self.running and (frames is None or count < frames):
                self.frame(clock.tick(self._frame_rate) / 1000)
                pygame.display.flip()
                count += 1
                if count == 1 and frames != 1:
                    self._warm_up()
        finally:
            self.close()

    def close(self) -> None:
        """Flush what is unsaved and let the window go."""
        while self._stack:
            self._end()
        self.context.aside.close()
        self.progress.close()
        pygame.display.quit()

    def _carry_out(self) -> None:
        """Screens ask for other screens; they get them between two events."""
        while self.context.go and self.running:
            request = self.context.go.pop(0)
            match request:
                case ("back",):
                    self.back()
                case ("quit",):
                    self.running = False
                case ("to", str() as name):
                    self.back_to(name)
                case ("theme",):
                    self.context.theme = theme_for(self.progress, self.context.size)
                    self._frame_rate = frame_rate_of(self.progress)
                    for _, screen in self._stack:
                        screen.resize(self.context.size)
                    self._drawn = None
                case (str() as name, *arguments):
                    if name == "replace":
                        self._end()
                        name, *arguments = [str(arguments[0]), *arguments[1:]]
                    self.show(name, *arguments)

    def _warm_up(self) -> None:
        """Make the compiled engine in the background; the plain one is in use until then."""

        def work() -> None:
            from game.shell.warm import warm_up

            self.context.engine_ready = warm_up()

        self.context.aside.start()
        threading.Thread(target=work, name="engine", daemon=True).start()


def theme_of(progress: Progress) -> Theme:
    """The look that the player has set."""
    return Theme(
        scale=_number(progress.setting("ui_scale", 100), 75, 300) / 100,
        font_scale=_number(progress.setting("font_scale", 100), 75, 200) / 100,
        reduced_motion=bool(progress.setting("reduced_motion", False)),
    )


def frame_rate_of(progress: Progress) -> float:
    """Frames per second that the player has set."""
    return _number(progress.setting("frame_rate", FRAMES_PER_SECOND), 30, 120)


def theme_for(progress: Progress, size: tuple[int, int]) -> Theme:
    """The look that the player has set, at most as large as leaves the least size to a window of this size."""
    theme = theme_of(progress)
    most = max(min(size[0] / LEAST_SIZE[0], size[1] / LEAST_SIZE[1]), 0.75)
    return replace(theme, scale=min(theme.scale, most))


def sounds_of(progress: Progress) -> Sounds:
    """The volumes that the player has set."""
    return Sounds(
        _number(progress.setting("volume_interface", 70), 0, 100) / 100,
        _number(progress.setting("volume_machine", 50), 0, 100) / 100,
    )


def _number(value: object, low: float, high: float) -> float:
    return min(max(float(value), low), high) if isinstance(value, int | float) else low
