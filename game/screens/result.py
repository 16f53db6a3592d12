"""After a launch: the sky, the figures among the house's machines, what could be saved; or why it failed."""

from __future__ import annotations

from functools import partial

import pygame

from game.background import Background
from game.panels.blocks import Block
from game.panels.kit import Action
from game.panels.sheet import Sheet
from game.panels.sky import Sky
from game.screens.base import Context
from game.screens.failed import Failed
from game.screens.flight import Flight
from game.screens.page import Page
from game.screens.passed import Passed
from game.shell.account import Account, account
from game.shell.doors import after
from game.shell.launching import Launch
from game.theme import (
    PACKET,
    PANEL,
)
from levels.lookup import campaign

SOUNDS = ("medal-bronze", "medal-silver", "medal-gold")


class Result(Page):
    """The result of a launch. ``launch`` comes from :func:`game.shell.launching.launch`."""

    first = "next"

    def __init__(self, context: Context, launch: Launch) -> None:
        super().__init__(context)
        self.launch = launch
        self.account = Account()
        self._sky = Sky()
        self._rung = 0
        self._begun = False
        self._skipped = False
        self._cards_rung = False
        self._down: set[int] = set()
        self._failed = Failed(launch)
        self._work: Background[Launch, Account] = Background(partial(account, context.aside), "account")
        self._work.submit(launch)
        solved = {*context.progress.bests(), launch.level.id} if launch.passed else set(context.progress.bests())
        following = after(campaign(), launch.level.id, solved)
        self.next_level = following.id if following and launch.passed and launch.level.id != "sandbox" else None
        self._next_title = following.title if following else ""
        if not self.next_level:
            self.first = "improve"

    # --- a screen ----------------------------------------------------------------------------------------

    @property
    def flight(self) -> Flight:
        metrics = self.launch.report.metrics
        score = metrics.efficiency_launches_per_nj if metrics else 0.0
        failed = not self.launch.passed
        best = self.launch.best_before or 0.0
        least = self.launch.report.energy_limit
        limit = least.launches_per_nj if least else None
        return Flight(self.launch.level.medals, score, best, self.account.rockets, self.account.beyond, failed, limit)

    def wait(self, seconds: float) -> bool:
        """Wait for what is made in the background. For tests and pictures."""
        done = self._work.wait(seconds)
        self._poll()
        return done

    def _poll(self) -> None:
        for found in self._work.poll():
            self.account = found
            if found.hazard:
                self.context.hazard = (self.launch.design, found.hazard)

    def skip(self) -> None:
        """Show the end of the launch at once."""
        self._skipped = True

    def close(self) -> None:
        self._work.close()

    def update(self, seconds: float) -> None:
        super().update(min(seconds, 0.1) if self.seconds < 1 else seconds)
        self._poll()
        sounds = self.context.sounds
        if not self._begun:
            self._begun = True
            if not self.launch.passed:
                sounds.play("fault")
        crossed = self.flight.crossed(self._now)
        if crossed > self._rung and self.launch.passed:
            self._rung = crossed
            sounds.play(SOUNDS[crossed - 1])
        if self.launch.cards and not self._cards_rung and self._now > 1.5:
            self._cards_rung = True
            sounds.play("card")

    @property
    def _now(self) -> float:
        still = self._skipped or self.theme.reduced_motion
        return self.seconds + (self.flight.seconds if still else 0.0)

    def handle(self, event: pygame.event.Event) -> None:
        if event.type == pygame.KEYUP:
            self._down.discard(event.key)
        if event.type not in (pygame.KEYDOWN, pygame.MOUSEBUTTONDOWN):
            super().handle(event)
            return
        flying = self._now < self.flight.seconds
        if event.type == pygame.KEYDOWN and event.key in (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE):
            # The first press shows the end of the launch, the next one goes on; a key that is held does neither.
            if event.key in self._down:
                return
            self._down.add(event.key)
            self.skip()
            if flying:
                return
        self.skip()
        super().handle(event)

    def act(self, action: Action) -> None:
        match action:
            case ("next",):
                self.context.progress.put_setting("last_level", self.next_level)
                self.context.ask("back")
                self.context.ask("replace", "workbench", self.next_level)
            case ("show", element):
                self.context.look_at = element
                self.context.ask("back")
            case ("campaign",):
                self.context.ask("to", "campaign")
            case ("book",):
                self.context.to_book = True
                self.context.ask("to", "campaign")
            case _:
                self.context.ask("back")

    # --- drawing -----------------------------------------------------------------------------------------

    def paint(self, sheet: Sheet) -> None:
        px, bounds = sheet.px, sheet.bounds
        scale = self.theme.font_scale
        bar = round(px(60) * scale)
        wide = bounds.width >= px(1100) * scale
        strip = px(190 if wide else 110)
        self._strip(sheet, pygame.Rect(0, 0, strip, bounds.height))
        self._buttons(sheet, pygame.Rect(strip, bounds.height - bar, bounds.width - strip, bar))
        view = pygame.Rect(strip, 0, bounds.width - strip, bounds.height - bar)
        pad = px(28 if wide else 16)
        inner = view.inflate(-2 * pad, -2 * px(20 if wide else 12))
        each = (inner.width - pad) // 2 if wide else inner.width
        if self.launch.passed:
            columns = Passed(self.launch, self.account).columns(sheet, each, wide)
        else:
            self._failed.account = self.account
            columns = self._failed.columns(sheet, each, wide)
        self._columns(sheet, view, inner, columns, pad)

    def _columns(
        self, sheet: Sheet, view: pygame.Rect, inner: pygame.Rect, columns: list[list[Block]], pad: int
    ) -> None:
        """Blocks below each other, in columns beside each other; charts take what is left of the height."""
        gap = sheet.px(24)
        heights = [sum(b.height for b in column) + gap * (len(column) - 1) for column in columns]
        margin = inner.top - view.top
        total = max(*heights, inner.height) + 2 * margin
        top = self.scrolling(sheet, view, total) + margin
        each = (inner.width - pad * (len(columns) - 1)) // len(columns)
        for n, column in enumerate(columns):
            y = top
            spare = (total - 2 * margin - heights[n]) // max(sum(b.grows for b in column), 1)
            for block in column:
                height = block.height + (min(spare, block.height) if block.grows else 0)
                block.draw(pygame.Rect(inner.left + n * (each + pad), y, each, height))
                y += height + gap
        self.scrolled(sheet)

    def _strip(self, sheet: Sheet, place: pygame.Rect) -> None:
        px, flight = sheet.px, self.flight
        self._sky.draw(sheet.surface, place, self.theme, flight.model(self._now), (-1, -1))
        sheet.written += self._sky.written
        ground = place.bottom - px(30)
        for n, share in enumerate(flight.landed(self._now)):
            # Beside the rockets' way, so that each launch keeps a mark of its own.
            x = place.right - px(16) - (n % 5) * px(5)
            y = round(ground - share * (ground - px(16)))
            pygame.draw.aacircle(sheet.surface, PACKET, (x, y), px(2))

    def _buttons(self, sheet: Sheet, bar: pygame.Rect) -> None:
        px, scale = sheet.px, self.theme.font_scale
        sheet.surface.fill(PANEL, bar)
        sheet.hairline(bar.left, bar.top, bar.width)
        height = bar.height - px(20)
        right = bar.right - px(16)
        short = bar.width < px(760) * scale
        if self.next_level:
            words = "Next" if short else f"Next: {self._next_title}"
            width = min(self.theme.font("semibold", 15).size(words)[0] + px(40), px(300))
            button = pygame.Rect(right - width, bar.top + px(10), width, height)
            sheet.button("next", button, words, ("next",), main=True, size=15)
            right = button.left - px(12)
        width = round(px(120) * scale)
        button = pygame.Rect(right - width, bar.top + px(10), width, height)
        words = "Improve" if self.launch.passed else "To the board"
        sheet.button("improve", button, words, ("back",), main=not self.next_level, size=15)
        if button.left - px(12) - bar.left - px(16) >= width:
            button = pygame.Rect(bar.left + px(16), bar.top + px(10), width, height)
            sheet.button("campaign", button, "Campaign", ("campaign",), size=15)
        else:
            button = pygame.Rect(bar.left + px(12), bar.top + px(10), height, height)
            sheet.icon_button("campaign", button, "back", ("campaign",), tip="Campaign")
