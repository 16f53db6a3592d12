"""A line of text that is being typed: one at a time on a screen, in whichever panel shows it."""

from __future__ import annotations

from dataclasses import dataclass

import pygame

MAX_LENGTH = 200


@dataclass(frozen=True, slots=True)
class Typed:
    """What a panel shows of the field that is being typed."""

    name: str
    text: str
    cursor: int
    fresh: bool
    wrong: str = ""


class Field:
    """Text with a cursor. ``fresh``: everything is selected, and the first key replaces it."""

    def __init__(self, name: str, text: str = "", fresh: bool = True) -> None:
        self.name = name
        self.text = text
        self.cursor = len(text)
        self.fresh = fresh and bool(text)
        self.wrong = ""

    @property
    def typed(self) -> Typed:
        return Typed(self.name, self.text, self.cursor, self.fresh, self.wrong)

    def key(self, key: int, unicode: str, ctrl: bool = False) -> str | None:
        """A key went down. "done" for Enter and Tab, "cancel" for Escape, else None."""
        self.wrong = ""
        match key:
            case pygame.K_RETURN | pygame.K_KP_ENTER | pygame.K_TAB:
                return "done"
            case pygame.K_ESCAPE:
                return "cancel"
            case pygame.K_BACKSPACE:
                if self.fresh:
                    self._replace("")
                elif self.cursor:
                    self.text = self.text[: self.cursor - 1] + self.text[self.cursor :]
                    self.cursor -= 1
            case pygame.K_DELETE:
                if self.fresh:
                    self._replace("")
                else:
                    self.text = self.text[: self.cursor] + self.text[self.cursor + 1 :]
            case pygame.K_LEFT:
                self.cursor = 0 if self.fresh else max(0, self.cursor - 1)
            case pygame.K_RIGHT:
                self.cursor = min(len(self.text), self.cursor + 1)
            case pygame.K_HOME:
                self.cursor = 0
            case pygame.K_END:
                self.cursor = len(self.text)
            case pygame.K_a if ctrl:
                self.fresh = bool(self.text)
                return None
            case _:
                if not ctrl:
                    self.insert(unicode)
                return None
        self.fresh = False
        return None

    def insert(self, words: str) -> None:
        """Type or paste; control characters are left out."""
        clean = "".join(c for c in words if c.isprintable())
        if not clean:
            return
        if self.fresh:
            self._replace("")
        room = MAX_LENGTH - len(self.text)
        clean = clean[:room]
        self.text = self.text[: self.cursor] + clean + self.text[self.cursor :]
        self.cursor += len(clean)

    def _replace(self, text: str) -> None:
        self.text, self.cursor, self.fresh = text, len(text), False
