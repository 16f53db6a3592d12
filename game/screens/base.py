"""What a screen is, and what it may ask of the application."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import pygame

from game.aside import Aside

if TYPE_CHECKING:
    from engine.model import Design, Hazard
    from game.session import Histories
    from game.sound import Sounds
    from game.theme import Theme
    from levels.datafolder import Notice
    from levels.shelf import Shelf
    from levels.store import Progress


class Screen(Protocol):
    """One full-window screen. Events come one by one, each with its own position."""

    def enter(self) -> None:
        """Shown (again): the window's size or the settings may have changed."""
        ...

    def leave(self) -> None:
        """Hidden or closed: finish what is half done, flush what is unsaved."""
        ...

    def close(self) -> None:
        """Gone for good, after :meth:`leave`: end what runs in the background."""
        ...

    def resize(self, size: tuple[int, int]) -> None: ...

    def handle(self, event: pygame.event.Event) -> None: ...

    def update(self, seconds: float) -> None: ...

    def draw(self, surface: pygame.Surface) -> None: ...


@dataclass
class Context:
    """What screens share: the look, the player's data, and the way to other screens.

    ``go`` holds requests that the application carries out between two frames: ("title",), ("campaign",),
    ("workbench", level id), ("result", launch), ("settings",), ("back",), ("to", name), ("quit",).
    """

    theme: Theme
    size: tuple[int, int]
    shelf: Shelf
    progress: Progress
    sounds: Sounds
    go: list[tuple[object, ...]] = field(default_factory=list)
    look_at: str | int | None = None
    """What the workbench should select when it is shown again: a pad's or core's id, or a wire's number."""
    hazard: tuple[Design, Hazard] | None = None
    """The machine that was found to work by luck last, and where: marked on the board while that is the design."""
    to_book: bool = False
    """Whether the campaign should begin with its book of ideas in view."""
    histories: Histories = field(default_factory=dict)
    engine_ready: bool = False
    """False while the compiled engine is still being made: the plain one is in use."""
    aside: Aside = field(default_factory=Aside)

    def notices(self) -> list[Notice]:
        """What has happened to the data folder since the last call that the player should hear of."""
        return [*self.shelf.take_notices(), *self.progress.take_notices()]

    def ask(self, *request: object) -> None:
        """Ask the application for another screen."""
        self.go.append(request)
