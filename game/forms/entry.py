"""A line of text that is being typed: pygame_gui's, with our keys and our clipboard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pygame
from pygame_gui.core import ObjectID
from pygame_gui.elements import UITextEntryLine

from game import clipboard

if TYPE_CHECKING:
    from game.forms.desk import Desk

MAX_LENGTH = 200
_CTRL = pygame.KMOD_CTRL | pygame.KMOD_META


def kind(name: str) -> ObjectID:
    """A class of the theme. Elements have no id there: the time of a look-up grows with the lengths of ids."""
    return ObjectID(None, name)


class Entry(UITextEntryLine):
    """Text with a cursor, a selection and a clipboard; everything is selected at first.

    ``name`` says what is typed, ``wrong`` what is wrong with it. The screen decides what Enter, Tab and Escape mean.
    """

    def __init__(self, desk: Desk, name: str, text: str = "", *, mono: bool = True, within: Any = None) -> None:
        self.name = name
        self.wrong = ""
        self._kind = "@value" if mono else "@words"
        shown = int(within is not None)
        super().__init__(pygame.Rect(0, 0, 64, 24), desk, within, object_id=kind(self._kind), visible=shown)
        self.set_text_length_limit(MAX_LENGTH)
        self.set_text(_clean(text)[:MAX_LENGTH])
        desk.set_focus_set(self.get_focus_set())
        self.select_all()

    def select_all(self) -> None:
        """The next letter replaces everything."""
        self.select_range = [0, len(self.text)]
        self.edit_position = len(self.text)
        self.cursor_has_moved_recently = True

    def refuse(self, wrong: str) -> None:
        """Say that the text cannot be taken, and why; empty takes it back."""
        if bool(wrong) != bool(self.wrong):
            self.change_object_id(kind("@wrong" if wrong else self._kind))
            self._lay_out()
        self.wrong = wrong
        if wrong:
            self.select_all()

    def put(self, rect: pygame.Rect, within: pygame.Rect) -> None:
        """Show it at ``rect``, as far as that lies ``within``."""
        if self.rect.size != rect.size:
            self.stretch(rect.size)
        if self.rect.topleft != rect.topleft:
            self.set_position(rect.topleft)
        seen = rect.clip(within).move(-rect.left, -rect.top)
        self._set_image_clip(None if seen.size == rect.size else seen)
        if not self.visible:
            self.show()

    def stretch(self, size: tuple[int, int]) -> None:
        """Take another size."""
        self.set_dimensions(size)
        self.rebuild()
        self._lay_out()

    def rebuild(self) -> None:
        super().rebuild()
        self.drawable_shape.text_box_layout.edit_cursor_width = self.ui_manager.theme.px(1.5)

    def _lay_out(self) -> None:
        """Text, cursor and selection once more, on a picture that was made anew."""
        cursor, selected = self.edit_position, self.select_range
        self.set_text(self.text)
        self.edit_position, self.select_range = cursor, selected
        self.cursor_has_moved_recently = True

    # --- what is ours ------------------------------------------------------------------------------------

    def process_event(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.KEYDOWN and self.is_focused:
            letters = "" if event.mod & _CTRL else _clean(getattr(event, "unicode", ""))
            low, high = self._selected()
            if letters:
                return self.insert(letters)
            if event.key == pygame.K_BACKSPACE:
                return self._replace(low - 1 if low == high else low, high, "")
            if event.key == pygame.K_DELETE:
                return self._replace(low, high + 1 if low == high else high, "")
        elif event.type == pygame.TEXTINPUT and self.is_focused:
            return self.insert(event.text)
        return bool(super().process_event(event))

    def insert(self, words: str) -> bool:
        """Type or paste, in place of what is selected; as much as there is room for."""
        low, high = self._selected()
        words = _clean(words)[: MAX_LENGTH - len(self.text) + high - low]
        return bool(words) and self._replace(low, high, words)

    def _selected(self) -> tuple[int, int]:
        """Where the selection begins and ends; both at the cursor where there is none."""
        low, high = sorted(self.select_range)
        return (low, high) if low < high else (self.edit_position, self.edit_position)

    def _replace(self, low: int, high: int, words: str) -> bool:
        # The whole line is laid out anew: pygame_gui's own way of changing a part of it loses step now and then.
        low = max(low, 0)
        if (low, words) != (high, ""):
            self.refuse("")
            self.set_text(self.text[:low] + words + self.text[high:])
            self.select_range = [0, 0]
            self.edit_position = low + len(words)
            self.cursor_has_moved_recently = True
        return True

    def _do_paste(self) -> None:
        self.insert(clipboard.get())

    def _do_copy(self) -> None:
        low, high = self._selected()
        if low < high:
            clipboard.put(self.text[low:high])

    def _do_cut(self) -> None:
        self._do_copy()
        self._replace(*self._selected(), "")

    def focus(self) -> None:
        repeat = pygame.key.get_repeat()
        super().focus()
        pygame.key.set_repeat(*repeat)

    def unfocus(self) -> None:
        repeat = pygame.key.get_repeat()
        super().unfocus()
        pygame.key.set_repeat(*repeat)


def _clean(text: str) -> str:
    """Without what cannot be shown in a line."""
    return "".join(c for c in text if c.isprintable())
