"""Settings: sizes with a specimen beside them, motion, sound, doors, and the keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pygame

from game.keys import CONTEXT, DEFAULTS
from game.panels.kit import Action
from game.panels.sheet import Sheet
from game.panels.showpiece import Showpiece
from game.screens.base import Context
from game.screens.page import Page
from game.screens.shown import bindings_of
from game.shell.keys_said import MEANINGS
from game.theme import EDGE, PANEL, PANEL_2, SKY, TEXT, TEXT_2, TEXT_3, VERMILLION_TEXT, mix

SPECIMEN = "first-light-04-three-inside"


@dataclass(frozen=True, slots=True)
class _Number:
    """A setting in steps."""

    key: str
    words: str
    default: int
    low: int
    high: int
    step: int
    unit: str = " %"


@dataclass(frozen=True, slots=True)
class _Switch:
    """A setting that is on or off."""

    key: str
    words: str
    note: str = ""


ROWS: tuple[str | _Number | _Switch, ...] = (
    "Look",
    _Number("ui_scale", "Size of everything", 100, 75, 300, 25),
    _Number("font_scale", "Size of text beyond that", 100, 75, 200, 25),
    _Switch("reduced_motion", "Less motion", "Nothing flies, slides or breathes; packets still move while you play."),
    _Number("frame_rate", "Frames per second", 60, 30, 120, 30, ""),
    "Sound",
    _Number("volume_interface", "Interface", 70, 0, 100, 10),
    _Number("volume_machine", "Machine", 50, 0, 100, 10),
    "Play",
    _Switch("trackpad", "Trackpad", "The wheel zooms everywhere, and changes speeds only with Alt."),
    _Switch("open_all", "All levels open", "For those who have been here before."),
)


class Settings(Page):
    """Change settings; each counts at once."""

    first = "more ui_scale"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.machine = Showpiece(SPECIMEN, begin_ns=60.0)
        self._drawn = False
        self._asking: str | None = None
        self._said = ""

    def update(self, seconds: float) -> None:
        super().update(seconds)
        if self._drawn:
            self.machine.start()
        if not self.theme.reduced_motion:
            self.machine.update(seconds)

    def value(self, row: _Number) -> int:
        found = self.context.progress.setting(row.key, row.default)
        sound = isinstance(found, int | float) and not isinstance(found, bool)
        return int(min(max(found, row.low), row.high)) if sound else row.default

    def act(self, action: Action) -> None:
        progress = self.context.progress
        match action:
            case ("step", _Number() as row, int(way)):
                progress.put_setting(row.key, min(max(self.value(row) + way * row.step, row.low), row.high))
                self._changed(row.key)
            case ("turn", str() as key):
                progress.put_setting(key, not progress.setting(key, False))
                self._changed(key)
            case ("bind", str() as meaning):
                self._asking, self._said = meaning, ""
            case ("defaults",):
                progress.put_setting("keys", {})
                self._said = "All keys are as they were."
            case _:
                self.context.ask(*action)

    def _changed(self, key: str) -> None:
        if key in ("ui_scale", "font_scale", "reduced_motion", "frame_rate"):
            self.context.ask("theme")
        elif key.startswith("volume_"):
            from game.app import sounds_of

            self.context.sounds.volumes.update(sounds_of(self.context.progress).volumes)
            self.context.sounds.play("connect" if key == "volume_interface" else "launch")

    # --- keys --------------------------------------------------------------------------------------------

    def key(self, event: pygame.event.Event) -> None:
        if self._asking is None:
            super().key(event)
            return
        name = pygame.key.name(event.key)
        if event.key == pygame.K_ESCAPE:
            self._asking = None
        elif name and not name.endswith(("shift", "ctrl", "alt", "meta")):
            held = ((pygame.KMOD_CTRL, "ctrl+"), (pygame.KMOD_SHIFT, "shift+"), (pygame.KMOD_ALT, "alt+"))
            self._bind(self._asking, "".join(word for mask, word in held if event.mod & mask) + name)
            self._asking = None

    def _bind(self, meaning: str, key: str) -> None:
        chosen = self._chosen()
        keys = {**DEFAULTS, **chosen}
        # "mirror" shares its key on purpose: what is in the hand decides.
        shared = {meaning, *CONTEXT}
        taken = next((m for m, k in keys.items() if key in k and m not in shared), None)
        if taken and meaning not in CONTEXT:
            self._said = f"{key} already means: {MEANINGS[taken]}"
            return
        chosen[meaning] = (key,)
        kept = {m: list(k) for m, k in chosen.items() if DEFAULTS[m] != k}
        self.context.progress.put_setting("keys", kept)

    def _chosen(self) -> dict[str, tuple[str, ...]]:
        found = bindings_of(self.context.progress.setting("keys", {}))
        return {meaning: keys for meaning, keys in found.items() if meaning in DEFAULTS}

    # --- drawing -----------------------------------------------------------------------------------------

    def paint(self, sheet: Sheet) -> None:
        self._drawn = True
        px, bounds, scale = sheet.px, sheet.bounds, self.theme.font_scale
        top = round(px(52) * scale)
        bar = pygame.Rect(0, 0, bounds.width, top)
        sheet.surface.fill(PANEL, bar)
        sheet.hairline(0, top - 1, bounds.width)
        side = top - px(12)
        back = pygame.Rect(px(8), px(6), side, side)
        sheet.icon_button("back", back, "back", ("back",), tip="back")
        left = back.right + px(8)
        sheet.text("Settings", left, bar.centery, size=20, face="semibold", width=bounds.width - left)
        wide = bounds.width >= px(900) * scale
        view = pygame.Rect(0, top, bounds.width * 3 // 5 if wide else bounds.width, bounds.height - top)
        if wide:
            beside = pygame.Rect(view.right, top, bounds.width - view.right, view.height)
            self._specimen(sheet, beside.inflate(-2 * px(24), -2 * px(24)))
        parts = self._parts(sheet, view.width - 2 * px(32), wide)
        y = self.scrolling(sheet, view, sum(height for height, _ in parts) + 2 * px(24)) + px(24)
        for height, draw in parts:
            draw(pygame.Rect(view.left + px(32), y, view.width - 2 * px(32), height))
            y += height
        self.scrolled(sheet)

    def _parts(self, sheet: Sheet, width: int, wide: bool) -> list[tuple[int, Callable[[pygame.Rect], None]]]:
        px = sheet.px
        parts: list[tuple[int, Callable[[pygame.Rect], None]]] = []
        for row in ROWS:
            parts.append(self._row(sheet, row, width))
            if isinstance(row, _Number) and row.key == "font_scale" and not wide:
                parts.append((px(190), lambda place: self._specimen(sheet, place.inflate(0, -px(12)))))
        parts += self._keys(sheet, width)
        saved = f"Every change of a design is saved at once, with older versions, in {self.context.shelf.data}."
        height = sheet.lines(saved, width, 12) + px(24)
        parts.append((height, lambda place: _ignore(sheet.note(saved, place.left, place.top + px(12), width))))
        return parts

    def _row(self, sheet: Sheet, row: str | _Number | _Switch, width: int) -> tuple[int, Callable[[pygame.Rect], None]]:
        px, scale = sheet.px, self.theme.font_scale
        if isinstance(row, str):
            height = sheet.line_height(15) + px(26)
            return height, lambda place: _ignore(
                sheet.words(row, place.left, place.top + px(16), size=15, face="semibold", width=width)
            )
        side = round(px(32) * scale)
        room = width - (2 * side + round(px(84) * scale)) - px(12)
        note = row.note if isinstance(row, _Switch) else self._limited(row)
        height = max(sheet.line_height(13) + (sheet.lines(note, room, 12) if note else 0), side) + px(10)

        def draw(place: pygame.Rect) -> None:
            words_height = sheet.line_height(13) + (sheet.lines(note, room, 12) if note else 0)
            y = place.top + (place.height - px(10) - words_height) // 2
            y = sheet.words(row.words, place.left, y, width=room)
            if note:
                sheet.note(note, place.left, y, room)
            middle = place.top + (place.height - px(10)) // 2
            if isinstance(row, _Number):
                self._stepper(sheet, row, place.right, middle, side)
            else:
                self._switch(sheet, row, place.right, middle, side)

        return height, draw

    def _limited(self, row: _Number) -> str:
        """What to say where the window is too small for the size that is set."""
        shown = round(self.theme.scale * 100)
        return f"This window allows {shown} %." if row.key == "ui_scale" and shown < self.value(row) else ""

    def _stepper(self, sheet: Sheet, row: _Number, right: int, middle: int, side: int) -> None:
        value, gap = self.value(row), round(sheet.px(84) * self.theme.font_scale)
        top = middle - side // 2
        more = pygame.Rect(right - side, top, side, side)
        less = pygame.Rect(more.left - gap - side, top, side, side)
        sheet.button(f"less {row.key}", less, "−", ("step", row, -1), enabled=value > row.low, size=15)
        sheet.button(f"more {row.key}", more, "+", ("step", row, 1), enabled=value < row.high, size=15)
        centre = (less.right + more.left) // 2
        sheet.text(f"{value}{row.unit}", centre, middle - sheet.px(3), face="mono", align="centre", width=gap)
        track = pygame.Rect(less.right + sheet.px(10), less.bottom - sheet.px(5), gap - sheet.px(20), sheet.px(2))
        sheet.surface.fill(EDGE, track)
        track.width = round(track.width * (value - row.low) / (row.high - row.low))
        sheet.surface.fill(SKY, track)

    def _switch(self, sheet: Sheet, row: _Switch, right: int, middle: int, side: int) -> None:
        px = sheet.px
        on = bool(self.context.progress.setting(row.key, False))
        width = side * 7 // 4
        rect = pygame.Rect(right - width, middle - side // 2 + px(3), width, side - px(6))
        lit = sheet.zone(f"turn {row.key}", rect, ("turn", row.key))
        ground = mix(SKY, PANEL_2, 0.35) if on else mix(PANEL_2, EDGE, 0.5 if lit else 0.0)
        sheet.box(rect, ground, 16)
        radius = rect.height // 2 - px(4)
        x = rect.right - radius - px(4) if on else rect.left + radius + px(4)
        pygame.draw.aacircle(sheet.surface, TEXT if on else TEXT_2, (x, rect.centery), radius, 0 if on else px(2))
        words = "on" if on else "off"
        room = sheet.theme.font("text", 12).size("off")[0] + px(2)
        sheet.text(words, rect.left - px(10), rect.centery, size=12, colour=TEXT_2, align="right", width=room)

    def _keys(self, sheet: Sheet, width: int) -> list[tuple[int, Callable[[pygame.Rect], None]]]:
        px, scale = sheet.px, self.theme.font_scale
        parts = [self._row(sheet, "Keys", width)]
        now = {**DEFAULTS, **self._chosen()}
        button = min(round(px(150) * scale), width // 3)
        height = round(px(28) * scale) + px(4)

        def row(meaning: str, key: str) -> Callable[[pygame.Rect], None]:
            def draw(place: pygame.Rect) -> None:
                rect = pygame.Rect(place.right - button, place.top, button, place.height - px(4))
                sheet.text(MEANINGS[meaning], place.left, rect.centery, width=width - button - px(12))
                asking = self._asking == meaning
                shown = "Press a key" if asking else key
                sheet.button(f"bind {meaning}", rect, shown, ("bind", meaning), on=asking, size=12)

            return draw

        parts += [(height, row(meaning, "  ".join(keys))) for meaning, keys in now.items()]

        def last(place: pygame.Rect) -> None:
            rect = pygame.Rect(place.right - button, place.top + px(6), button, round(px(28) * scale))
            sheet.button("defaults", rect, "Reset all keys", ("defaults",), size=12)
            sheet.text(
                self._said,
                place.left,
                rect.centery,
                size=12,
                colour=VERMILLION_TEXT if "already" in self._said else TEXT_3,
                width=width - button - px(12),
            )

        parts.append((height + px(10), last))
        return parts

    def _specimen(self, sheet: Sheet, place: pygame.Rect) -> None:
        """A wire and a core at their real size."""
        sheet.box(place, PANEL, 6)
        self.machine.draw(sheet.surface, place.inflate(-sheet.px(2), -sheet.px(2)), self.theme)
        sheet.frame(place, EDGE, 6)


def _ignore(_: int) -> None:
    """For drawing whose lower edge nobody asks for."""
