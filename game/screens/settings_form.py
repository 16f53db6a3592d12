"""What stands on the settings screen: rows of words that we draw, and controls beside them from pygame_gui."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pygame

from game.forms.controls import Button, Menu, Scroller, Slider, Switch
from game.forms.desk import Desk
from game.palette import NAMES
from game.panels.kit import Action
from game.panels.sheet import Sheet
from game.shell.keys_said import MEANINGS
from game.theme import TEXT, TEXT_2, Theme


@dataclass(frozen=True, slots=True)
class Number:
    """A setting in steps; few of them are a list to choose from."""

    key: str
    words: str
    default: int
    low: int
    high: int
    step: int
    unit: str = " %"
    note: str = ""
    names: tuple[str, ...] = ()
    """Words for the values from ``low`` on, where they are no numbers."""

    @property
    def values(self) -> range:
        return range(self.low, self.high + 1, self.step)

    def words_of(self, value: int) -> str:
        """How a value stands in a list."""
        return self.names[value - self.low] if self.names else str(value)

    def value_of(self, words: str) -> int:
        """The value that stands in a list like this."""
        return self.names.index(words) + self.low if self.names else int(words)


@dataclass(frozen=True, slots=True)
class Turn:
    """A setting that is on or off."""

    key: str
    words: str
    note: str = ""


ROWS: tuple[str | Number | Turn, ...] = (
    "Look",
    Number("ui_scale", "Size of everything", 100, 75, 300, 25),
    Number("font_scale", "Size of text beyond that", 100, 75, 200, 25),
    Number("palette", "Colours", 0, 0, len(NAMES) - 1, 1, "", "They change with the next start.", NAMES),
    Turn("reduced_motion", "Less motion", "Nothing flies, slides or breathes; packets still move while you play."),
    Number("frame_rate", "Frames per second", 60, 30, 120, 30, ""),
    "Sound",
    Number("volume_interface", "Interface", 70, 0, 100, 10),
    Number("volume_machine", "Machine", 50, 0, 100, 10),
    "Play",
    Turn("trackpad", "Trackpad", "The wheel zooms everywhere, and changes speeds only with Alt."),
    Turn("open_all", "All levels open", "For those who have been here before."),
)
FEW = 4
"""As many values are chosen from a list."""


@dataclass
class Line:
    """One row: its words, and the controls beside them, by name, with what a key does to each."""

    rect: pygame.Rect
    words: str
    note: str = ""
    heading: bool = False
    row: Number | Turn | None = None
    controls: list[tuple[str, pygame.Rect, Action]] = field(default_factory=list)


class Form:
    """All rows and controls, for one size of the window and one look. Rectangles count from the column's top."""

    def __init__(
        self,
        desk: Desk,
        sheet: Sheet,
        view: pygame.Rect,
        value: Callable[[str], int],
        keys: Mapping[str, tuple[str, ...]],
        notes: Mapping[str, str],
        gap_after: Mapping[str, int],
    ) -> None:
        self.desk, self.sheet, self.view = desk, sheet, view
        px, scale = sheet.px, desk.theme.font_scale
        self.left, self.width = px(32), min(view.width - 2 * px(32), round(px(880) * scale))
        self.side = round(px(28) * max(scale, 1.0))
        self.value_room = round(px(56) * scale)
        self.column = min(round(px(264) * max(scale, 1.0)), self.width // 2)
        self.lines: list[Line] = []
        self.gaps: dict[str, pygame.Rect] = {}
        self.height = px(24)
        for row in ROWS:
            self._row(row, notes)
            key = getattr(row, "key", "")
            if key in gap_after:
                self.gaps[key] = pygame.Rect(self.left, self.height, self.width, gap_after[key])
                self.height += gap_after[key]
        self._row("Keys", notes)
        button = min(round(px(150) * scale), self.width // 3)
        for meaning in keys:
            self._key(f"bind {meaning}", MEANINGS[meaning], ("bind", meaning), button)
        self._key("defaults", "", ("defaults",), button)
        self.saved = pygame.Rect(self.left, self.height + px(12), self.width, 0)
        self.height += sheet.lines(notes["saved"], self.width, 12) + px(48)
        self.scroller = Scroller(desk, view, self.height)
        self._controls(value, keys)

    # --- places ------------------------------------------------------------------------------------------

    def _row(self, row: str | Number | Turn, notes: Mapping[str, str]) -> None:
        px, sheet = self.sheet.px, self.sheet
        if isinstance(row, str):
            height = sheet.line_height(15) + px(26)
            self._add(Line(pygame.Rect(0, 0, 0, height), row, heading=True))
            return
        note = notes.get(row.key) or getattr(row, "note", "")
        room = self.width - self.column - px(16)
        words = sheet.lines(row.words, room, 13) + (sheet.lines(note, room, 12) if note else 0)
        line = Line(pygame.Rect(0, 0, 0, max(words, self.side) + px(12)), row.words, note, row=row)
        self._add(line)
        place = pygame.Rect(self.left + self.width - self.column, 0, self.column - self.value_room, self.side)
        place.centery = line.rect.centery
        if isinstance(row, Turn):
            place.width = self.side * 7 // 4
            line.controls = [(f"turn {row.key}", place, ("turn", row.key))]
        elif len(row.values) <= FEW:
            wide = px(150 if row.names else 104) * max(self.desk.theme.font_scale, 1.0)
            place.width = min(round(wide), place.width)
            line.controls = [(f"choose {row.key}", place, ("next", row))]
        else:
            less = pygame.Rect(place.topleft, (self.side, self.side))
            more = less.move(place.width - self.side, 0)
            line.controls = [(f"less {row.key}", less, ("step", row, -1)), (f"more {row.key}", more, ("step", row, 1))]

    def _key(self, name: str, words: str, action: Action, width: int) -> None:
        room = self.width - width - self.sheet.px(16)
        height = max(self.side, self.sheet.lines(words, room, 13)) + self.sheet.px(4)
        line = Line(pygame.Rect(0, 0, 0, height), words)
        self._add(line)
        place = pygame.Rect(self.left + self.width - width, 0, width, self.side)
        place.centery = line.rect.centery
        line.controls = [(name, place, action)]

    def _add(self, line: Line) -> None:
        line.rect = pygame.Rect(self.left, self.height, self.width, line.rect.height)
        self.height += line.rect.height
        self.lines.append(line)

    # --- controls ----------------------------------------------------------------------------------------

    def _controls(self, value: Callable[[str], int], keys: Mapping[str, tuple[str, ...]]) -> None:
        for line in self.lines:
            for name, rect, action in line.controls:
                match action:
                    case ("turn", str() as key):
                        Switch(self.desk, name, rect, bool(value(key)), self.scroller)
                    case ("next", Number() as row):
                        words = [row.words_of(v) for v in row.values]
                        Menu(self.desk, name, rect, words, row.words_of(value(row.key)), self.scroller)
                    case ("step", Number() as row, 1):
                        whole = rect.union(line.controls[0][1])
                        steps = (row.low, row.high, row.step)
                        Slider(self.desk, f"slide {row.key}", whole, value(row.key), steps, self.scroller)
                    case ("bind", str() as meaning):
                        Button(self.desk, name, rect, "  ".join(keys[meaning]), self.scroller, "@key")
                    case ("defaults",):
                        Button(self.desk, name, rect, "Reset all keys", self.scroller)

    def slider(self, row: Number) -> Slider | None:
        """The slider of a setting."""
        found: Slider | None = self.desk.element(f"slide {row.key}")
        return found

    # --- drawing -----------------------------------------------------------------------------------------

    def draw(self, sheet: Sheet, top: int, value: Callable[[str], int]) -> None:
        """Words and zones; ``top`` is where the column's upper edge is on the screen."""
        px = sheet.px
        for line in self.lines:
            rect = line.rect.move(self.view.left, top)
            if line.heading:
                y = rect.top + px(16)
                sheet.words(line.words, rect.left, y, size=15, face="semibold", width=self.width)
                continue
            room = line.controls[0][1].left - self.left - px(16)
            height = sheet.lines(line.words, room, 13) + (sheet.lines(line.note, room, 12) if line.note else 0)
            top_of_words = rect.top + (rect.height - height) // 2
            y = sheet.paragraph(line.words, rect.left, top_of_words, room, colour=TEXT)
            if line.note:
                sheet.note(line.note, rect.left, y, room)
            if isinstance(line.row, Number) and (slider := self.slider(line.row)):
                words = f"{slider.value}{line.row.unit}"
                sheet.text(words, rect.right, rect.centery, face="mono", align="right", width=self.value_room)
            elif isinstance(line.row, Turn):
                words, x = "on" if value(line.row.key) else "off", line.controls[0][1].right + self.view.left + px(10)
                sheet.text(words, x, rect.centery, size=12, colour=TEXT_2, width=self.value_room)
            for name, place, action in line.controls:
                if self._offered(action, value):
                    sheet.zone(name, place.move(self.view.left, top), action)

    def _offered(self, action: Action, value: Callable[[str], int]) -> bool:
        match action:
            case ("step", Number() as row, way):
                return row.low < value(row.key) if way < 0 else value(row.key) < row.high
        return True


def fits(theme: Theme, width: int) -> bool:
    """Whether there is room for a specimen beside the rows."""
    return width >= theme.px(900) * theme.font_scale
