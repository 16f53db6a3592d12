"""One of many by its name: a line to type in, and below it the names that hold what is typed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pygame
from pygame_gui.elements import UILabel, UISelectionList, UIWindow

from game.forms.entry import Entry, kind
from game.text import fitted

if TYPE_CHECKING:
    from game.forms.desk import Desk, Said

ROWS = 8
_STEPS = {pygame.K_DOWN: 1, pygame.K_UP: -1, pygame.K_PAGEDOWN: ROWS, pygame.K_PAGEUP: -ROWS}


class Names(UISelectionList):
    """Names in a list, of which the chosen one is in sight."""

    name = "names"

    def rebuild(self) -> None:
        self.scroll_bar_width = self.ui_manager.theme.px(12)
        super().rebuild()
        if self.scroll_bar is not None and self.get_single_selection() is not None:
            self.scroll_bar.set_scroll_from_start_percentage(self.get_single_selection_start_percentage())


class Chooser(UIWindow):
    """Choose one of ``items``, (words, what is chosen by them), the one at ``at`` first. Its line is called "chooser".

    :meth:`key` and :meth:`heard` return what was chosen, or None while nothing is.
    """

    def __init__(
        self, desk: Desk, title: str, items: Sequence[tuple[str, Any]], area: pygame.Rect, at: int = 0
    ) -> None:
        px, scale = desk.theme.px, desk.theme.font_scale
        self.desk, self.items = desk, list(items)
        self.at = at
        pad, row = px(12), round(px(28) * max(scale, 1.0))
        self._row = px(28)
        width = min(round(px(320) * max(scale, 1.0)), area.width)
        rows = max(min(ROWS, len(items), (area.height - 3 * row - 3 * pad) // self._row), 1)
        size = (width, 2 * row + 3 * pad + rows * self._row + 2 * px(1))
        rect = pygame.Rect(area.centerx - width // 2, area.top, *size)
        super().__init__(rect, desk, draggable=False)
        inner = width - 2 * pad - 2 * px(1)
        UILabel(pygame.Rect(pad, pad // 2, inner, row), title, desk, self, object_id=kind("@heading"))
        self.entry = Entry(desk, "chooser", mono=False, within=self)
        self.entry.set_relative_position((pad, pad // 2 + row))
        self.entry.stretch((inner, row))
        self._place = pygame.Rect(pad, pad + pad // 2 + 2 * row, inner, rows * self._row + 2 * px(1))
        self._list: Names | None = None
        self._said: dict[str, Any] = {}
        self._fill()

    def _fill(self) -> None:
        """The names that hold what is typed; the one at ``self.at`` is chosen."""
        wanted = self.entry.text.strip().casefold()
        found = [(words, what) for words, what in self.items if wanted in words.casefold()]
        found.sort(key=lambda item: not item[0].casefold().startswith(wanted))
        room = self._place.width - 2 * self.desk.theme.px(16)
        self._said = {}
        for words, what in found:
            shown = fitted(self.desk.theme, "medium", 13, words, room)
            while shown in self._said:
                shown += "\u200b"  # the list tells its names apart by their letters
            self._said[shown] = what
        self.at = min(max(self.at, 0), max(len(found) - 1, 0))
        if self._list is not None:
            self._list.kill()
        names = list(self._said)
        self._list = Names(
            self._place,
            names,
            self.desk,
            container=self,
            allow_double_clicks=False,
            default_selection=names[self.at] if names else None,
        )

    def key(self, event: pygame.event.Event) -> Any:
        """A key went down."""
        if event.key in (pygame.K_RETURN, pygame.K_KP_ENTER):
            return next((what for n, what in enumerate(self._said.values()) if n == self.at), None)
        if event.key in _STEPS:
            self.at += _STEPS[event.key]
            self._fill()
            return None
        before = self.entry.text
        self.desk.handle(event)
        if self.entry.text != before:
            self.at = 0
            self._fill()
        return None

    def heard(self, said: Sequence[Said]) -> Any:
        """What the elements say to a press."""
        pressed = [one.value for one in said if one.name == Names.name]
        return self._said.get(pressed[0]) if pressed else None
