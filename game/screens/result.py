"""After a launch: the sky, the figures among the house's machines, what could be saved; or why it failed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import pygame

from game.background import Background
from game.panels.charts import Diagonal, Histogram, Point, draw_histogram, draw_plot, written
from game.panels.kit import Action
from game.panels.sheet import Sheet
from game.panels.sky import Sky
from game.screens.base import Context
from game.screens.flight import Flight
from game.screens.page import Page
from game.shell.account import Account, account
from game.shell.doors import after
from game.shell.launching import Launch
from game.text import number
from game.theme import (
    BOARD_2,
    EDGE,
    GREEN_TEXT,
    ORANGE,
    PACKET,
    PANEL,
    PANEL_2,
    TEXT,
    TEXT_2,
    TEXT_3,
    TILE_STEPS,
    VERMILLION_TEXT,
    YELLOW,
    mix,
)
from game.view.camera import Camera
from game.view.scene import Chain, Scene
from game.view.still import BoardView
from levels.lookup import campaign

MEDALS = {None: "Solved", "bronze": "Orbit", "silver": "Moon", "gold": "Stars"}
VERDICTS = {
    "fault": "A wrong word",
    "deadlock": "Nothing moves any more",
    "timeout": "Out of time",
    "limit": "Beyond a limit",
    "invalid": "Cannot be built",
    "pass": "",
}
LIMITS = {
    "throughput": "throughput, at least, launches/µs",
    "latency": "latency, at most, ns",
    "power": "power, at most, mW",
    "slots": "slots, at most",
    "footprint": "footprint, at most, tiles",
    "cores": "cores, at most",
}
REPEAT_S = 0.5
"""Presses that follow each other faster than this are one that is held."""

SOUNDS = ("medal-bronze", "medal-silver", "medal-gold")


@dataclass(frozen=True, slots=True)
class _Block:
    """A part of a column: how high it is at this width, how it is drawn, and whether it takes more height gladly."""

    height: int
    draw: Callable[[pygame.Rect], None]
    grows: bool = False


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
        self._pressed = 0.0
        self._view: BoardView | None = None
        self._work: Background[Launch, Account] = Background(account, "account")
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
        return Flight(self.launch.level.medals, score, best, self.account.rockets, self.account.beyond, failed)

    def wait(self, seconds: float) -> bool:
        """Wait for what is made in the background. For tests and pictures."""
        done = self._work.wait(seconds)
        for found in self._work.poll():
            self.account = found
        return done

    def skip(self) -> None:
        """Show the end of the launch at once."""
        self._skipped = True

    def close(self) -> None:
        self._work.close()

    def update(self, seconds: float) -> None:
        super().update(min(seconds, 0.1) if self.seconds < 1 else seconds)
        for found in self._work.poll():
            self.account = found
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
        if event.type not in (pygame.KEYDOWN, pygame.MOUSEBUTTONDOWN):
            super().handle(event)
            return
        flying = self._now < self.flight.seconds
        self.skip()
        if event.type == pygame.KEYDOWN and event.key in (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE):
            # The Enter that launched may still be held, and its repeats must not leave again.
            held = self.seconds - self._pressed < REPEAT_S
            self._pressed = self.seconds
            if flying or held:
                return
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
                self.context.ask("back")
                self.context.ask("replace", "campaign")
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
        if not self.launch.passed:
            columns = [self._failure(sheet, (inner.width - pad) // 2 if wide else inner.width, wide)]
            if wide:
                self._columns(sheet, view, inner, [columns[0][:-1], columns[0][-1:]], pad)
            else:
                self._columns(sheet, view, inner, columns, pad)
            return
        if wide:
            each = (inner.width - pad) // 2
            left = [self._head(sheet, each), *self._hazard(sheet, each), *self._histograms(sheet)]
            right = [*self._cards(sheet, each), self._receipt(sheet, each), self._plot(sheet), *self._note(sheet, each)]
            self._columns(sheet, view, inner, [left, right], pad)
        else:
            each = inner.width
            blocks = [
                self._head(sheet, each),
                *self._hazard(sheet, each),
                *self._cards(sheet, each),
                *self._histograms(sheet),
                self._receipt(sheet, each),
                self._plot(sheet),
                *self._note(sheet, each),
            ]
            self._columns(sheet, view, inner, [blocks], pad)

    def _columns(
        self, sheet: Sheet, view: pygame.Rect, inner: pygame.Rect, columns: list[list[_Block]], pad: int
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
        if not short:
            button = pygame.Rect(bar.left + px(16), bar.top + px(10), width, height)
            sheet.button("campaign", button, "Campaign", ("campaign",), size=15)

    # --- a machine that passed ---------------------------------------------------------------------------

    def _head(self, sheet: Sheet, width: int) -> _Block:
        launch, px = self.launch, sheet.px
        metrics = launch.report.metrics
        assert metrics

        def draw(place: pygame.Rect) -> None:
            y = sheet.words(launch.level.title, place.left, place.top, size=13, colour=TEXT_2, width=width)
            medal = launch.report.medal
            beyond = self.account.beyond
            score = metrics.efficiency_launches_per_nj
            name = MEDALS[medal]
            if beyond is not None and score > beyond * (1 + 1e-9):
                name = "Beyond"
            value = number(score)
            font = self.theme.font("mono-semibold", 36)
            sheet.words(value, place.left, y, size=36, face="mono-semibold", width=width * 2 // 3)
            middle = y + sheet.line_height(36) // 2
            x = place.left + font.size(value)[0] + px(12)
            sheet.text("launches/nJ", x, middle + px(5), size=13, colour=TEXT_2, width=place.right - x)
            y += sheet.line_height(36)
            reached = ("bronze", "silver", "gold").index(medal) + 1 if medal else 0
            for n in range(3):
                spot = (place.left + px(6) + n * px(18), y + sheet.line_height(18) // 2)
                if n < reached:
                    # A medal that depends on luck is hollow.
                    pygame.draw.aacircle(sheet.surface, YELLOW, spot, px(6), px(2) if self.account.hazard else 0)
                else:
                    pygame.draw.circle(sheet.surface, TEXT_3, spot, px(6), px(1))
            colour = YELLOW if medal else TEXT
            left = place.left + px(62)
            sheet.words(name, left, y, size=18, face="semibold", colour=colour, width=place.width // 3)
            self._change(sheet, place, y)
            y += sheet.line_height(18) + px(4)
            rate, power = metrics.throughput_launches_per_us, metrics.power_mw
            words = f"{number(rate)} launches/µs ÷ {number(power)} mW = {value} launches/nJ"
            size = 13 if self.theme.font("mono", 13).size(words)[0] <= width else 11
            if self.theme.font("mono", size).size(words)[0] > width:
                words = f"{number(rate)}/µs ÷ {number(power)} mW = {value}/nJ"
            sheet.words(words, place.left, y, size=size, face="mono", colour=TEXT_2, width=width)

        height = sum(sheet.line_height(size) for size in (13, 36, 18, 13)) + px(4)
        return _Block(height, draw)

    def _change(self, sheet: Sheet, place: pygame.Rect, y: int) -> None:
        before, metrics = self.launch.best_before, self.launch.report.metrics
        assert metrics
        if before is None:
            words, colour = "first launch", TEXT_2
        else:
            gain = metrics.efficiency_launches_per_nj / before - 1
            if abs(gain) < 0.0005:
                words, colour = "as good as your best", TEXT_2
            elif gain > 0:
                words, colour = f"▲ {number(100 * gain)} % over your best", GREEN_TEXT
            else:
                words, colour = f"▼ {number(-100 * gain)} % under your best", VERMILLION_TEXT
        if self.theme.font("text", 13).size(words)[0] > place.width // 2:
            words = words.removesuffix(" over your best").removesuffix(" under your best")
        sheet.words(words, place.right, y + sheet.px(3), colour=colour, width=place.width // 2, align="right")

    def _histograms(self, sheet: Sheet) -> list[_Block]:
        metrics, crowd, runs = self.launch.report.metrics, self.account.crowd, self.launch.runs
        assert metrics
        charts = [
            Histogram(
                "Efficiency",
                "launches/nJ",
                [m.efficiency for m in crowd],
                [r.efficiency for r in runs if r.efficiency],
                metrics.efficiency_launches_per_nj,
            ),
            Histogram(
                "Throughput",
                "launches/µs",
                [m.throughput for m in crowd],
                [r.throughput for r in runs if r.throughput],
                metrics.throughput_launches_per_us,
            ),
            Histogram(
                "Footprint",
                "tiles",
                [m.footprint for m in crowd],
                [r.footprint for r in runs if r.footprint],
                metrics.footprint_tiles,
                lower_is_better=True,
            ),
        ]
        height = sheet.line_height(13) + sheet.line_height(11) + sheet.line_height(12) + sheet.px(52)
        return [_Block(height, partial(draw_histogram, sheet, chart=chart), True) for chart in charts]

    def _plot(self, sheet: Sheet) -> _Block:
        metrics, medals = self.launch.report.metrics, self.launch.level.medals
        assert metrics
        lines = []
        if medals:
            lines = [Diagonal("Orbit", medals.bronze), Diagonal("Moon", medals.silver), Diagonal("Stars", medals.gold)]
        own = [Point(r.power, r.throughput) for r in self.launch.runs if r.power and r.throughput]
        crowd = [Point(m.power, m.throughput) for m in self.account.crowd]
        now = Point(metrics.power_mw, metrics.throughput_launches_per_us)
        return _Block(sheet.px(250), lambda place: draw_plot(sheet, place, now, own, crowd, lines), True)

    def _receipt(self, sheet: Sheet, width: int) -> _Block:
        px, items = sheet.px, self.account.items
        metrics = self.launch.report.metrics
        assert metrics
        total = 1000 / metrics.efficiency_launches_per_nj
        button = round(px(84) * self.theme.font_scale)
        room = width - button - px(16)
        # A name at the beginning of a sentence is written as on the board.
        sentences = [f"{item.message}. {item.cure[:1].upper()}{item.cure[1:]}." for item in items]
        heights = [max(sheet.lines(s, room, 12), px(28)) + sheet.line_height(13) + px(14) for s in sentences]

        def draw(place: pygame.Rect) -> None:
            half = place.width // 2
            y = place.top + sheet.line_height(15) // 2
            sheet.text("Energy receipt", place.left, y, size=15, face="semibold", width=half)
            sheet.text(
                f"{number(total)} pJ per launch", place.right, y, size=13, face="mono", align="right", width=half
            )
            y = place.top + sheet.line_height(15) + px(6)
            if not items:
                sheet.note(self._nothing_to_save(), place.left, y, place.width, 13)
            for n, (item, sentence, height) in enumerate(zip(items, sentences, heights, strict=True)):
                sheet.hairline(place.left, y, place.width)
                row = y + px(6)
                share = f"{number(item.pj)} pJ"
                part = sheet.theme.font("mono", 13).size(share)[0]
                sheet.words(share, place.left, row, face="mono", colour=ORANGE, width=room)
                sheet.words(
                    f"{100 * item.pj / total:.0f} % of a launch",
                    place.left + part + px(10),
                    row,
                    size=12,
                    colour=TEXT_2,
                    width=room - part - px(10),
                )
                sheet.paragraph(sentence, place.left, row + sheet.line_height(13), room, size=12)
                if item.kind != "waiting":
                    rect = pygame.Rect(place.right - button, row, button, round(px(28) * self.theme.font_scale))
                    target = item.wire if item.wire is not None else item.element
                    sheet.button(f"show {n}", rect, "Show me", ("show", target), size=12)
                y += height

        height = sheet.line_height(15) + px(6) + (sum(heights) if items else 2 * sheet.line_height(13))
        return _Block(height, draw)

    def _nothing_to_save(self) -> str:
        if self.account == Account():
            return "Adding up …"
        return "Nothing stands out: no wire is faster than it need be, no way longer, no core idle."

    def _cards(self, sheet: Sheet, width: int) -> list[_Block]:
        px = sheet.px

        def block(name: str, text: str, where: str) -> _Block:
            words = f"{text} {where}"
            inner = width - px(32)

            def draw(place: pygame.Rect) -> None:
                tile = pygame.Rect(place.left, place.top, place.width, height)
                sheet.box(tile, PANEL_2, 6)
                sheet.surface.fill(YELLOW, (tile.left, tile.top + px(6), px(3), tile.height - px(12)))
                y = sheet.words(
                    "New in your book", tile.left + px(16), tile.top + px(8), size=12, colour=TEXT_2, width=inner
                )
                y = sheet.words(name, tile.left + px(16), y, size=15, face="semibold", width=inner)
                sheet.note(words, tile.left + px(16), y, inner)

            height = px(18) + sheet.line_height(12) + sheet.line_height(15) + sheet.lines(words, inner, 12)
            return _Block(height, draw)

        return [block(card.name, card.text, card.where) for card in self.launch.cards]

    def _hazard(self, sheet: Sheet, width: int) -> list[_Block]:
        if self.account.hazard is None:
            return []
        words = f"It works by luck: {self.account.hazard.rstrip('.')}. The medal is hollow until that is mended."

        def draw(place: pygame.Rect) -> None:
            sheet.paragraph(words, place.left, place.top, width, size=13, colour=VERMILLION_TEXT)

        return [_Block(sheet.lines(words, width, 13), draw)]

    def _note(self, sheet: Sheet, width: int) -> list[_Block]:
        level = self.launch.level
        if not level.field_note.strip():
            return []
        words = " ".join(level.field_note.split())

        def draw(place: pygame.Rect) -> None:
            y = sheet.title("Field note", place.left, place.top, place.width)
            y = sheet.note(words, place.left, y, place.width, 13)
            if level.signed:
                sheet.words(level.signed, place.left, y + sheet.px(2), size=12, colour=TEXT_3, width=place.width)

        height = sheet.line_height(15) + sheet.px(10) + sheet.lines(words, width, 13) + sheet.line_height(12)
        return [_Block(height, draw)]

    # --- a machine that failed ---------------------------------------------------------------------------

    def _failure(self, sheet: Sheet, width: int, wide: bool) -> list[_Block]:
        blocks = [self._verdict(sheet, width)]
        blocks += self._two_values(sheet)
        blocks += self._chain(sheet, width)
        if self.account.ending or wide:
            blocks.append(_Block(sheet.px(420 if wide else 220), lambda place: self._board(sheet, place), True))
        return blocks

    @property
    def place(self) -> str | int | None:
        """The element at which the machine failed."""
        report = self.launch.report
        if report.fault:
            return report.fault.core
        if report.deadlock:
            return _element(self.launch, report.deadlock.root)
        return None

    def _sentence(self) -> str:
        report = self.launch.report
        if report.fault:
            words = report.fault.message
        elif report.deadlock:
            words = report.deadlock.message
        elif report.verdict == "timeout":
            words = (
                f"{report.launches_completed} launches were through when the time was up, "
                f"after {number(report.time_ns)} ns. Something is far too slow, or waits for ever"
            )
        elif report.verdict == "limit":
            words = "Every word is right, and the machine keeps running; but the level allows less"
        else:
            words = "; ".join(str(p.get("message", "")) for p in report.problems[:3])
        words = words.strip()
        return words if words.endswith((".", "!", "?")) else f"{words}."

    def _verdict(self, sheet: Sheet, width: int) -> _Block:
        px, words, verdict = sheet.px, self._sentence(), VERDICTS[self.launch.report.verdict]
        fits = (size for size in (24, 18, 15, 13) if self.theme.font("semibold", size).size(verdict)[0] <= width)
        size = next(fits, 11)
        button = round(px(36) * self.theme.font_scale)
        place_of = self.place

        def draw(place: pygame.Rect) -> None:
            y = sheet.words(self.launch.level.title, place.left, place.top, colour=TEXT_2, width=width)
            y = sheet.words(
                verdict,
                place.left,
                y,
                size=size,
                face="semibold",
                colour=VERMILLION_TEXT,
                width=width,
            ) + px(8)
            y = sheet.paragraph(words, place.left, y, width, size=15, colour=TEXT) + px(14)
            if place_of is not None:
                rect = pygame.Rect(place.left, y, min(round(px(150) * self.theme.font_scale), width), button)
                sheet.button("show", rect, "Show the place", ("show", place_of), size=13, on=True)

        height = sheet.line_height(13) + sheet.line_height(size) + px(22) + sheet.lines(words, width, 15)
        return _Block(height + (button if place_of is not None else 0), draw)

    def _two_values(self, sheet: Sheet) -> list[_Block]:
        px, fault = sheet.px, self.launch.report.fault
        if fault is None or fault.expected is None or fault.got is None:
            return self._limits(sheet)

        def draw(place: pygame.Rect) -> None:
            half = (place.width - px(12)) // 2
            for n, (name, value, colour) in enumerate(
                (("Expected", fault.expected, GREEN_TEXT), ("Got", fault.got, VERMILLION_TEXT))
            ):
                tile = pygame.Rect(place.left + n * (half + px(12)), place.top, half, height)
                sheet.box(tile, PANEL_2, 6)
                y = sheet.words(name, tile.left + px(16), tile.top + px(8), size=12, colour=TEXT_2, width=half - px(32))
                sheet.words(
                    f"{value:g}".replace("-", "−"),
                    tile.left + px(16),
                    y,
                    size=24,
                    face="mono-semibold",
                    colour=colour,
                    width=half - px(32),
                )

        height = px(18) + sheet.line_height(12) + sheet.line_height(24)
        return [_Block(height, draw)]

    def _limits(self, sheet: Sheet) -> list[_Block]:
        broken = [limit for limit in self.launch.report.limits if not limit.ok]
        if not broken:
            return []
        row = sheet.line_height(13) + sheet.px(4)

        def draw(place: pygame.Rect) -> None:
            y = place.top
            for limit in broken:
                name = LIMITS.get(limit.limit, f"accesses to {limit.limit}, at most")
                name = f"{name[:1].upper()}{name[1:]} {written(limit.allowed)}"
                sheet.words(name, place.left, y, width=place.width * 2 // 3, colour=TEXT_2)
                sheet.words(
                    written(limit.found),
                    place.right,
                    y,
                    face="mono",
                    align="right",
                    colour=VERMILLION_TEXT,
                    width=place.width // 3,
                )
                y += row

        return [_Block(row * len(broken), draw)]

    def _chain(self, sheet: Sheet, width: int) -> list[_Block]:
        deadlock = self.launch.report.deadlock
        if deadlock is None:
            return []
        px, steps = sheet.px, deadlock.chain
        if len(steps) > 5:
            folded = len(steps) - 4
            lines = [*steps[:2], None, *steps[-2:]]
        else:
            folded, lines = 0, list(steps)
        words = [f"and {folded} like it" if step is None else step.message for step in lines]
        room = width - px(28)

        def draw(place: pygame.Rect) -> None:
            y = sheet.title("Who waits for whom", place.left, place.top, place.width)
            for n, sentence in enumerate(words):
                last = n == len(words) - 1
                spot = (place.left + px(8), y + sheet.line_height(13) // 2)
                colour = VERMILLION_TEXT if last else ORANGE
                pygame.draw.circle(sheet.surface, colour, spot, px(6), px(2) if not last else 0)
                below = sheet.paragraph(sentence, place.left + px(28), y, room, colour=TEXT if last else TEXT_2)
                if not last:
                    pygame.draw.line(
                        sheet.surface,
                        mix(ORANGE, BOARD_2, 0.5),
                        (spot[0], spot[1] + px(8)),
                        (spot[0], below + px(6) + sheet.line_height(13) // 2 - px(8)),
                        px(1),
                    )
                y = below + px(6)

        height = sheet.line_height(15) + px(6) + sum(sheet.lines(s, room, 13) + px(6) for s in words)
        return [_Block(height, draw)]

    def _board(self, sheet: Sheet, place: pygame.Rect) -> None:
        """The board at the moment of the failure, around its place."""
        sheet.surface.fill(BOARD_2, place)
        ending = self.account.ending
        if ending is None:
            return
        level, design = self.launch.level, self.launch.design
        if self._view is None:
            self._view = BoardView()
        camera = Camera(*level.board.size, tuple(place), scale=self.theme.scale)
        camera.fit()
        fault, deadlock = self.launch.report.fault, self.launch.report.deadlock
        named = [_element(self.launch, step.element) for step in deadlock.chain] if deadlock else []
        items = tuple(dict.fromkeys(item for item in named if item is not None))
        where = {core.id: core.at for core in design.cores} | {pad.id: pad.at for pad in level.pads}
        spot = where.get(str(self.place))
        if spot is not None:
            camera.step = max(camera.step, TILE_STEPS.index(48))
            camera.x, camera.y = spot[0] + 0.5, spot[1] + 0.5
            self._within(camera)
        scene = Scene(
            level,
            design,
            ending.netlist,
            ending.time_ns,
            ending.packets,
            ending.state,
            fault=fault.core if fault else None,
            chain=Chain(items) if items else None,
            theme=self.theme,
        )
        self._view.draw(sheet.surface, camera, scene)
        pygame.draw.rect(sheet.surface, EDGE, place, max(1, sheet.px(1)))

    @staticmethod
    def _within(camera: Camera) -> None:
        """Do not look past the board where it fills the view."""
        for axis, size, length in (("x", camera.columns, camera.view[2]), ("y", camera.rows, camera.view[3])):
            half = length / 2 / camera.tile
            middle = size / 2 if 2 * half >= size + 2 else min(max(getattr(camera, axis), half - 1), size + 1 - half)
            setattr(camera, axis, middle)


def _element(launch: Launch, name: str) -> str | int | None:
    """The selection for an element of a report: a pad's or core's id, or a wire's number."""
    if any(core.id == name for core in launch.design.cores) or any(pad.id == name for pad in launch.level.pads):
        return name
    for n, wire in enumerate(launch.design.wires):
        if f"{wire.source} → {wire.to[0]}" == name or name.startswith(f"{wire.source} → "):
            return n
    return None
