"""Settings: sizes with a specimen beside them, motion, sound, doors, and the keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pygame

from game.keys import CONTEXT, DEFAULTS
from game.panels.kit import Action
from game.panels.sheet import Sheet
from game.panels.showpiece import Showpiece
from game.screens.base import Context
from game.screens.page import Page
from game.screens.settings_form import ROWS, Form, Number, fits
from game.screens.shown import bindings_of
from game.shell.keys_said import MEANINGS
from game.theme import EDGE, PANEL, TEXT_3, VERMILLION_TEXT

if TYPE_CHECKING:
    from game.forms.desk import Desk, Said
    from game.forms.question import Question

SPECIMEN = "first-light-04-three-inside"
LOOK = ("ui_scale", "font_scale", "reduced_motion", "frame_rate")
SIZES = ("ui_scale", "font_scale")
STILL = 4
"""Pixels by which a mouse may move and still rests."""
NUMBERS = {row.key: row for row in ROWS if isinstance(row, Number)}


class Settings(Page):
    """Change settings; each counts at once, sizes when the handle is let go."""

    first = "more ui_scale"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.machine = Showpiece(SPECIMEN, begin_ns=60.0)
        self.desk: Desk | None = None
        self.form: Form | None = None
        self.question: Question | None = None
        self._drawn = False
        self._again: tuple[tuple[float, float], Action] | None = None
        """Where a size was stepped, and how: its button has gone from there, and a click there still means it."""
        self._asking: str | None = None
        self._said = ""

    def update(self, seconds: float) -> None:
        super().update(seconds)
        if self._drawn:
            self.machine.start()
        if not self.theme.reduced_motion:
            self.machine.update(seconds)
        if self.desk is not None:
            self.desk.update(seconds)

    def resize(self, size: tuple[int, int]) -> None:
        super().resize(size)
        if self.form is not None:
            self.offset = self.form.scroller.offset
        self.desk = self.form = self.question = None

    def value(self, key: str) -> int:
        """A setting as it counts, whatever stands in the file; switches are 0 or 1."""
        row = NUMBERS.get(key)
        if row is None:
            return int(bool(self.context.progress.setting(key, False)))
        found = self.context.progress.setting(row.key, row.default)
        sound = isinstance(found, int | float) and not isinstance(found, bool)
        return int(min(max(found, row.low), row.high)) if sound else row.default

    # --- events ------------------------------------------------------------------------------------------

    def handle(self, event: pygame.event.Event) -> None:
        """Controls come first; what they do not take is the page's."""
        if self._stepped_again(event):
            return
        if self.desk is None:
            super().handle(event)
            return
        if event.type in (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN):
            self.mouse, self.focus = event.pos, None
        taken, news = self.desk.handle(event)
        for said in news:
            self._heard(said)
        if event.type == pygame.MOUSEBUTTONUP:
            self._let_go()
        if (not taken and self.question is None) or event.type == pygame.KEYDOWN:
            super().handle(event)

    def _stepped_again(self, event: pygame.event.Event) -> bool:
        """Whether an event is a further click where a size was stepped, or the end of one."""
        mouse = event.type in (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP)
        if mouse and self._again is not None:
            (x, y), _ = self._again
            if max(abs(event.pos[0] - x), abs(event.pos[1] - y)) > STILL:
                self._again = None
        if event.type not in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP) or event.button != 1:
            return False
        if self._again is not None:
            if event.type == pygame.MOUSEBUTTONDOWN:
                self.act(self._again[1])
            return True
        zone = self.zone(self._name_at(event.pos) or "") if event.type == pygame.MOUSEBUTTONDOWN else None
        if zone is not None and zone.action[0] == "step" and zone.action[1].key in SIZES and self.question is None:
            self._again = event.pos, zone.action
            self.act(zone.action)
            return True
        return False

    def _heard(self, said: Said) -> None:
        key = said.name.rpartition(" ")[2]
        if said.value is None:
            self.press(said.name)
        elif not (key in LOOK and self._in_hand(key)):
            # With a size everything moves, the handle too: it counts when it is let go.
            self.act(("set", NUMBERS[key], NUMBERS[key].value_of(str(said.value))))

    def _in_hand(self, key: str) -> bool:
        slider = self.form.slider(NUMBERS[key]) if self.form else None
        return slider is not None and slider.held

    def _let_go(self) -> None:
        """Sizes that were dragged count now."""
        for row in NUMBERS.values():
            slider = self.form.slider(row) if self.form else None
            if slider is not None and not slider.held and slider.value != self.value(row.key):
                self.act(("set", row, slider.value))

    def act(self, action: Action) -> None:
        progress = self.context.progress
        match action:
            case ("step", Number() as row, int(way)):
                self.act(("set", row, self.value(row.key) + way * row.step))
            case ("next", Number() as row):
                value = self.value(row.key) + row.step
                self.act(("set", row, value if value <= row.high else row.low))
            case ("set", Number() as row, int(value)):
                progress.put_setting(row.key, min(max(value, row.low), row.high))
                self._changed(row.key)
            case ("turn", str() as key):
                progress.put_setting(key, not progress.setting(key, False))
                self._changed(key)
            case ("bind", str() as meaning):
                self._asking, self._said = meaning, ""
                self._name_keys()
            case ("defaults",):
                self._ask_whether()
            case ("yes",):
                progress.put_setting("keys", {})
                self._said = "All keys are as they were."
                self._name_keys()
                self._close_question()
            case ("no",):
                self._close_question()
            case _:
                self.context.ask(*action)

    def _changed(self, key: str) -> None:
        self._show(key)
        if key in LOOK:
            self.context.ask("theme")
        elif key.startswith("volume_"):
            from game.app import sounds_of

            self.context.sounds.volumes.update(sounds_of(self.context.progress).volumes)
            self.context.sounds.play("connect" if key == "volume_interface" else "launch")

    def _show(self, key: str) -> None:
        """Let the control of a setting tell its value."""
        if self.desk is None or self.form is None:
            return
        if key in NUMBERS:
            slider = self.form.slider(NUMBERS[key])
            if slider is not None and not slider.held:
                slider.set_current_value(self.value(key))
        elif switch := self.desk.element(f"turn {key}"):
            switch.turn(bool(self.value(key)))

    # --- a question --------------------------------------------------------------------------------------

    def _ask_whether(self) -> None:
        from game.forms.question import Question

        changed = {meaning: keys for meaning, keys in self._chosen().items() if keys != DEFAULTS[meaning]}
        if not changed:
            self.act(("yes",))
        elif self.desk is not None and self.question is None:
            words = ", ".join(f"{'  '.join(keys)} ({MEANINGS[meaning]})" for meaning, keys in changed.items())
            words = f"What you have chosen is given up: {words}."
            self.question = Question(self.desk, "Reset all keys?", words, "Reset", "Keep")
            self.focus = "no"

    def _close_question(self) -> None:
        if self.question is not None:
            self.question.kill()
            self.question = self.focus = None

    def escape(self) -> None:
        """One level back: the question, an open list, the screen."""
        if self.question is not None:
            self._close_question()
        elif self.desk is None or not self.desk.shut_menus():
            super().escape()

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
        self._name_keys()

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

    def _name_keys(self) -> None:
        """Let every button tell its key, or that it waits for one."""
        for meaning, keys in {**DEFAULTS, **self._chosen()}.items():
            if self.desk is not None and (button := self.desk.element(f"bind {meaning}")):
                button.on = self._asking == meaning
                button.set_text("Press a key" if button.on else "  ".join(keys))

    # --- scrolling ---------------------------------------------------------------------------------------

    def scroll(self, pixels: int) -> None:
        if self.form is not None:
            self.form.scroller.scroll_to(self.form.scroller.offset + pixels)

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
        wide = fits(self.theme, bounds.width)
        view = pygame.Rect(0, top, bounds.width * 3 // 5 if wide else bounds.width, bounds.height - top)
        if wide:
            beside = pygame.Rect(view.right, top, bounds.width - view.right, view.height)
            self._specimen(sheet, beside.inflate(-2 * px(24), -2 * px(24)))
        form = self._form(sheet, view, wide)
        self.offset = form.scroller.offset
        y = self.scrolling(sheet, view, form.height)
        form.draw(sheet, y, self.value)
        for place in form.gaps.values():
            self._specimen(sheet, place.move(view.left, y).inflate(0, -px(12)))
        saved = form.saved.move(view.left, y)
        sheet.note(self._notes()["saved"], saved.left, saved.top, saved.width)
        last = form.lines[-1]
        sheet.text(
            self._said,
            saved.left,
            last.rect.centery + y,
            size=12,
            colour=VERMILLION_TEXT if "already" in self._said else TEXT_3,
            width=last.controls[0][1].left - form.left - px(12),
        )
        self.scrolled(sheet, bar=False)
        if self.question is not None:
            sheet.zones = []
            for button in filter(None, (self.question.no, self.question.yes)):
                sheet.zone(button.name, button.rect.copy(), (button.name,))
        if self.desk is not None:
            self.desk.draw_ui(sheet.surface)

    def _form(self, sheet: Sheet, view: pygame.Rect, wide: bool) -> Form:
        if self.form is None:
            from game.forms.desk import Desk

            self.desk = Desk(self.context.size, self.theme)
            keys = {**DEFAULTS, **self._chosen()}
            gaps = {} if wide else {"font_scale": sheet.px(190)}
            self.form = Form(self.desk, sheet, view, self.value, keys, self._notes(), gaps)
            self.desk.update(0.0)
            self.form.scroller.scroll_to(self.offset)
            self._name_keys()
            self.desk.update(1.0)  # what was stretched is drawn in full only after a while
        return self.form

    def _notes(self) -> dict[str, str]:
        """What is said below a row, where there is something to say now."""
        notes = {
            "saved": f"Every change of a design is saved at once, with older versions, in {self.context.shelf.data}."
        }
        shown = round(self.theme.scale * 100)
        if shown < self.value("ui_scale"):
            notes["ui_scale"] = f"This window allows {shown} %."
        return notes

    def _specimen(self, sheet: Sheet, place: pygame.Rect) -> None:
        """A wire and a core at their real size."""
        sheet.box(place, PANEL, 6)
        self.machine.draw(sheet.surface, place.inflate(-sheet.px(2), -sheet.px(2)), self.theme)
        sheet.frame(place, EDGE, 6)
