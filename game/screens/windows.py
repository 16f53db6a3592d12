"""Windows over the workbench: names to choose from, and messages that have to be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pygame

from game.panels.kit import Action
from game.panels.transport import pace_index, pace_text
from game.playback import PACES

if TYPE_CHECKING:
    from game.forms.chooser import Chooser
    from game.forms.question import Question
    from game.screens.workbench import Workbench

_MOUSE = (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP, pygame.MOUSEWHEEL)
_READ = (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE, pygame.K_ESCAPE)


class Windows:
    """At most one is open; while it is, the keys are its own."""

    def __init__(self, bench: Workbench) -> None:
        self.bench = bench
        self.chooser: Chooser | None = None
        self.message: Question | None = None

    @property
    def open(self) -> bool:
        return self.chooser is not None or self.message is not None

    def find(self) -> None:
        """Ctrl+F: a pad or core by its name; it is selected and brought into sight."""
        bench = self.bench
        parts = [*bench.level.pads, *bench.session.design.cores]
        self._choose("Find on the board", [(f"{part.id}  ·  {part.core}", ("show", part.id)) for part in parts])

    def designs(self) -> None:
        """A design of the level by its name; those that were deleted come last, and come back."""
        session = self.bench.session
        items: list[tuple[str, Action]] = [(tab.item.name, ("tab", n)) for n, tab in enumerate(session.tabs)]
        trashed = session.shelf.trashed(session.level.id)
        items += [(f"{item.name}  ·  deleted", ("trash", item)) for item in reversed(trashed)]
        self._choose("Designs", items, session.current)

    def more(self) -> None:
        """What the top bar has no room for."""
        session = self.bench.session
        undo, redo = session.history.undo_label, session.history.redo_label
        items: list[tuple[str, Action]] = [(f"Undo: {undo}", ("undo",))] if undo else []
        items += [(f"Redo: {redo}", ("redo",))] if redo else []
        items += [
            ("New design", ("tab.new",)),
            ("Duplicate this design", ("tab.copy",)),
            ("Delete this design", ("tab.delete",)),
            ("Rename this design", ("rename",)),
            ("All designs, deleted ones too", ("tab.all",)),
            ("Pace", ("paces",)),
            ("Hide the plots" if self.bench.regions.plots.height else "Show the plots", ("plots",)),
            ("Hide the panels" if self.bench.panels_on else "Show the panels", ("panels",)),
        ]
        items += [
            (f"Design: {tab.item.name}", ("tab", n)) for n, tab in enumerate(session.tabs) if n != session.current
        ]
        self._choose("More", items)

    def paces(self) -> None:
        """How fast the machine runs on the screen."""
        items: list[tuple[str, Action]] = [(pace_text(pace), ("pace", n)) for n, pace in enumerate(PACES)]
        self._choose("Pace", items, pace_index(self.bench.session.playback.pace))

    def tell(self, title: str, words: str) -> None:
        """A message that stays until it is read."""
        from game.forms.question import Question

        self.bench.tools.settle()  # a release will go to the window
        self.close()
        self.message = Question(self.bench.desk, title, words, "Go on")

    def _choose(self, title: str, items: list[tuple[str, Action]], at: int = 0) -> None:
        from game.forms.chooser import Chooser

        bench = self.bench
        bench.tools.settle()  # a release will go to the window
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
        """Shut what is open; whether something was."""
        window: Chooser | Question | None = self.chooser or self.message
        self.chooser = self.message = None
        if window is not None:
            window.kill()
        return window is not None

    def handle(self, event: pygame.event.Event) -> bool:
        """An event; whether it was for the window that is open."""
        if self.message is not None:
            return self._read(event)
        return self.chooser is not None and self._chosen(self.chooser, event)

    def _read(self, event: pygame.event.Event) -> bool:
        if event.type in _MOUSE:
            _, said = self.bench.desk.handle(event)
            if said:
                self.close()
            return True
        if event.type == pygame.KEYDOWN and event.key in _READ:
            self.close()
        return event.type in (pygame.KEYDOWN, pygame.TEXTINPUT)

    def _chosen(self, chooser: Chooser, event: pygame.event.Event) -> bool:
        """A press beside the list shuts it, and counts."""
        chosen: Any = None
        if event.type == pygame.KEYDOWN:
            if event.key == pygame.K_ESCAPE:
                return self.close()
            chosen = chooser.key(event)
        elif event.type in _MOUSE or event.type == pygame.TEXTINPUT:
            if not chooser.rect.collidepoint(getattr(event, "pos", self.bench.mouse)) and event.type in _MOUSE:
                if event.type == pygame.MOUSEBUTTONDOWN:
                    self.close()
                return False
            _, said = self.bench.desk.handle(event)
            chosen = chooser.heard(said)
        else:
            return False
        if chosen is not None:
            self.close()
            self.bench.deeds.do(chosen)
        return True
