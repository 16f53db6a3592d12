"""Names to choose from over the workbench: what is on the board, and the designs of the level."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pygame

from game.panels.kit import Action

if TYPE_CHECKING:
    from game.forms.chooser import Chooser
    from game.screens.workbench import Workbench


class Choosing:
    """At most one list is open; while it is, the keys are its own."""

    def __init__(self, bench: Workbench) -> None:
        self.bench = bench
        self.chooser: Chooser | None = None

    def find(self) -> None:
        """Ctrl+F: a pad or core by its name; it is selected and brought into sight."""
        bench = self.bench
        parts = [*bench.level.pads, *bench.session.design.cores]
        self._open("Find on the board", [(f"{part.id}  ·  {part.core}", ("show", part.id)) for part in parts])

    def designs(self) -> None:
        """A design of the level by its name."""
        tabs = self.bench.session.tabs
        self._open("Designs", [(tab.item.name, ("tab", n)) for n, tab in enumerate(tabs)], self.bench.session.current)

    def _open(self, title: str, items: list[tuple[str, Action]], at: int = 0) -> None:
        from game.forms.chooser import Chooser

        bench = self.bench
        self.close()
        bench.commit_field()
        bench.close_field()
        gap = bench.context.theme.px(16)
        window = pygame.Rect((0, 0), bench.context.size)
        area = bench.regions.board.inflate(-2 * gap, -2 * gap)
        if area.width < 20 * gap or area.height < 14 * gap:
            area = window.inflate(-2 * gap, -2 * gap)
        self.chooser = Chooser(bench.desk, title, items, area, at)

    def close(self) -> bool:
        """Shut the list; whether one was open."""
        chooser, self.chooser = self.chooser, None
        if chooser is not None:
            chooser.kill()
        return chooser is not None

    def handle(self, event: pygame.event.Event) -> bool:
        """An event while a list is open; whether it was the list's. A press elsewhere shuts it."""
        if self.chooser is None:
            return False
        chosen: Any = None
        if event.type == pygame.KEYDOWN:
            if event.key == pygame.K_ESCAPE:
                return self.close()
            chosen = self.chooser.key(event)
        elif event.type in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP, pygame.MOUSEWHEEL, pygame.TEXTINPUT):
            place = getattr(event, "pos", self.bench.mouse)
            if not self.chooser.rect.collidepoint(place):
                if event.type == pygame.MOUSEBUTTONDOWN:
                    self.close()
                return False
            _, said = self.bench.desk.handle(event)
            chosen = self.chooser.heard(said)
        else:
            return False
        if chosen is not None:
            self.close()
            self.bench.deeds.do(chosen)
        return True
