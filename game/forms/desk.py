"""pygame_gui's manager, made to keep our rules: every event has its own position, and is answered when it comes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import i18n
import pygame
import pygame_gui

from game.forms.controls import Menu
from game.forms.look import look
from game.forms.tips import Tip
from game.theme import Theme

_MOUSE = (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP)
_NEWS = tuple(value for name, value in vars(pygame_gui).items() if name.startswith("UI_") and isinstance(value, int))
_SAID = (
    pygame_gui.UI_BUTTON_PRESSED,
    pygame_gui.UI_HORIZONTAL_SLIDER_MOVED,
    pygame_gui.UI_DROP_DOWN_MENU_CHANGED,
    pygame_gui.UI_SELECTION_LIST_NEW_SELECTION,
    pygame_gui.UI_SELECTION_LIST_DROPPED_SELECTION,  # a press on what is chosen already
)
_UNHEARD = (pygame.USEREVENT, pygame_gui.UI_BUTTON_ON_HOVERED, pygame_gui.UI_BUTTON_ON_UNHOVERED)
"""Posted by pygame_gui with every move of the mouse, or for the sake of old programs."""


@dataclass(frozen=True, slots=True)
class Said:
    """What the element called ``name`` says: None for a press, a slider's number, a list's word."""

    name: str
    value: Any = None


class Desk(pygame_gui.UIManager):
    """The elements of one screen.

    Elements are found by name (:meth:`element`). What they have to say is taken from the queue at once and returned by
    :meth:`handle`, so that the events of one frame are answered in their order.
    """

    def __init__(self, size: tuple[int, int], theme: Theme) -> None:
        super().__init__(size, look(theme), enable_live_theme_updates=False)
        # Texts are said as they are. A translation would be looked up in files that a text may name.
        i18n.load_path.clear()
        pygame.event.set_blocked(_UNHEARD)
        self.theme = theme
        self.place: tuple[float, float] = (-1, -1)
        self._down = False
        self._letters = ""
        self._tip: Tip | None = None

    # --- events ------------------------------------------------------------------------------------------

    def handle(self, event: pygame.event.Event) -> tuple[bool, list[Said]]:
        """One event: whether an element took it, and what the elements say to it."""
        if event.type in _MOUSE:
            self.place = event.pos
            if event.type == pygame.MOUSEMOTION and not self._down:
                return False, []
            self.update(0.0)  # a drag within one frame passes all its places
        elif event.type == pygame.MOUSEWHEEL:
            self.update(0.0)
        elif event.type == pygame.KEYDOWN:
            self.heard(event)
        elif event.type == pygame.TEXTINPUT and event.text == self._letters:
            self._letters = ""
            return True, []
        taken = self.process_events(event)
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self._down = True
            self.update(0.0)
        elif event.type == pygame.MOUSEBUTTONUP and event.button == 1:
            self._down = False
        return taken, self._news()

    def heard(self, event: pygame.event.Event) -> None:
        """A key went down: the letters that SDL sends after it are known already."""
        self._letters = getattr(event, "unicode", "")

    def _news(self) -> list[Said]:
        told: list[pygame.event.Event] = []
        while new := pygame.event.get(_NEWS, pump=False):
            for event in new:
                self.process_events(event)  # a slider hears of its own arrows in this way
            told += [event for event in new if event.type in _SAID and hasattr(event.ui_element, "name")]
        told.sort(key=lambda event: _SAID.index(event.type))  # what is chosen before what is given up for it
        return [Said(e.ui_element.name, getattr(e, "value", getattr(e, "text", None))) for e in told]

    def _update_mouse_position(self) -> None:
        self.mouse_position = self.calculate_scaled_mouse_position(self.place)

    # --- elements ----------------------------------------------------------------------------------------

    def element(self, name: str) -> Any:
        """The element of this name, or None."""
        return next((e for e in self.ui_group.sprites() if getattr(e, "name", None) == name), None)

    def shut_menus(self) -> bool:
        """Shut lists that are open; whether there was one."""
        menus = [e for e in self.ui_group.sprites() if isinstance(e, Menu) and e.shut()]
        return bool(menus)

    def tip(self, words: str, place: tuple[float, float], *, above: bool = False) -> None:
        """Say a word about what is at ``place``, below it or ``above``; nothing to be silent."""
        wanted = (words, (round(place[0]), round(place[1])))
        if self._tip is not None:
            if words and self._tip.told == wanted:
                return
            self._tip.kill()
            self._tip = None
        if words:
            self._tip = Tip(self, *wanted, above)
