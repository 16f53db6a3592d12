"""The result of a machine that passed, in blocks: figures, the house's machines, the receipt, cards, the note."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import pygame

from game.panels.blocks import Block
from game.panels.charts import Diagonal, Histogram, Point, draw_histogram, draw_plot
from game.panels.sheet import Sheet
from game.said import plain, within_limit
from game.shell.account import Account
from game.shell.launching import Launch
from game.shell.receipt import receipt
from game.shell.tools_said import TOOLS
from game.text import number
from game.theme import EDGE, GREEN_TEXT, ORANGE, PANEL_2, TEXT, TEXT_2, TEXT_3, VERMILLION_TEXT, YELLOW, mix

MEDALS = {None: "Solved", "bronze": "Orbit", "silver": "Moon", "gold": "Stars"}


@dataclass(frozen=True)
class Passed:
    """Makes the blocks of a launch that passed; ``account`` is what is known of it by now."""

    launch: Launch
    account: Account

    def columns(self, sheet: Sheet, width: int, wide: bool) -> list[list[Block]]:
        """Two columns of ``width`` pixels, or one."""
        figures = [self._head(sheet, width), *self._hazard(sheet, width)]
        charts, cards = self._histograms(sheet), self._cards(sheet, width)
        losses = [self._receipt(sheet, width), *self._lost_time(sheet, width)]
        rest = [*losses, self._plot(sheet), *self._note(sheet, width)]
        if wide:
            return [[*figures, *charts], [*cards, *rest]]
        return [[*figures, *cards, *charts, *rest]]

    def _head(self, sheet: Sheet, width: int) -> Block:
        launch, px = self.launch, sheet.px
        metrics, least = launch.report.metrics, launch.report.energy_limit
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
            font = sheet.theme.font("mono-semibold", 36)
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
            size = 13 if sheet.theme.font("mono", 13).size(words)[0] <= width else 11
            if sheet.theme.font("mono", size).size(words)[0] > width:
                words = f"{number(rate)}/µs ÷ {number(power)} mW = {value}/nJ"
            y = sheet.words(words, place.left, y, size=size, face="mono", colour=TEXT_2, width=width)
            if least is not None and least.within is not None:
                most = number(least.launches_per_nj)
                short = within_limit(least, number)
                words = f"{short}, {most} launches/nJ"
                if sheet.theme.font("text", 13).size(words)[0] > width:
                    words = short
                sheet.words(words, place.left, y + px(2), colour=TEXT_2, width=width)

        height = sum(sheet.line_height(size) for size in (13, 36, 18, 13)) + px(4)
        height += sheet.line_height(13) + px(2) if least is not None else 0
        return Block(height, draw)

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
        if sheet.theme.font("text", 13).size(words)[0] > place.width // 2:
            words = words.removesuffix(" over your best").removesuffix(" under your best")
        sheet.words(words, place.right, y + sheet.px(3), colour=colour, width=place.width // 2, align="right")

    def _histograms(self, sheet: Sheet) -> list[Block]:
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
        return [Block(height, partial(draw_histogram, sheet, chart=chart), True) for chart in charts]

    def _plot(self, sheet: Sheet) -> Block:
        metrics, medals = self.launch.report.metrics, self.launch.level.medals
        assert metrics
        lines = []
        if medals:
            lines = [Diagonal("Orbit", medals.bronze), Diagonal("Moon", medals.silver), Diagonal("Stars", medals.gold)]
        least = self.launch.report.energy_limit
        if least is not None:
            lines.append(Diagonal("proven limit", least.launches_per_nj, proven=True))
        own = [Point(r.power, r.throughput) for r in self.launch.runs if r.power and r.throughput]
        crowd = [Point(m.power, m.throughput) for m in self.account.crowd]
        now = Point(metrics.power_mw, metrics.throughput_launches_per_us)
        return Block(sheet.px(250), lambda place: draw_plot(sheet, place, now, own, crowd, lines), True)

    def _receipt(self, sheet: Sheet, width: int) -> Block:
        """What a launch paid for and need not have, and what else was most of it."""
        metrics = self.launch.report.metrics
        assert metrics
        total = 1000 / metrics.efficiency_launches_per_nj
        known = self.account.losses is not None
        lines = receipt(self.launch.report, self.account.items, self.account.time) if known else []
        rows = [
            _Row(
                f"{number(item.pj)} pJ",
                f"{100 * item.pj / total:.0f} % of a launch",
                _sentence(item.message, item.cure),
                self._place(item.wire, item.element),
            )
            for item in lines
        ]
        rest = total - sum(item.pj for item in lines)
        if lines and rest > 0.0005 * total:
            share = f"{100 * rest / total:.0f} % of a launch"
            rows.append(_Row(f"{number(rest)} pJ", share, "Everything else", None))
        head = f"{number(total)} pJ per launch"
        return _table(sheet, width, "Energy receipt", head, rows, "Adding up …")

    def _lost_time(self, sheet: Sheet, width: int) -> list[Block]:
        """What stands between a launch and the pace of the pads, in the order in which it has to go."""
        losses = self.account.losses
        if losses is None or not losses.time:
            return []
        rows = [
            _Row(
                f"{number(item.ns)} ns",
                f"{100 * item.ns / losses.period_ns:.0f} % of a launch",
                _sentence(item.message, item.cure),
                self._place(item.wire, item.elements[0] if item.elements else ""),
            )
            for item in losses.time
        ]
        head = f"{number(losses.period_ns)} ns per launch, {losses.least_by} allows {number(losses.least_ns)}"
        return [_table(sheet, width, "Lost time", head, rows)]

    def _place(self, wire: int | None, element: str) -> int | str | None:
        """What to select for an element that is named; None where it is none."""
        names = {core.id for core in self.launch.design.cores} | {pad.id for pad in self.launch.level.pads}
        return wire if wire is not None else element if element in names else None

    def _cards(self, sheet: Sheet, width: int) -> list[Block]:
        """What is new: tools that were earned, and ideas; a card of an idea leads to the book."""
        px = sheet.px

        def block(kind: str, name: str, words: str, zone: str = "") -> Block:
            inner = width - px(32)

            def draw(place: pygame.Rect) -> None:
                tile = pygame.Rect(place.left, place.top, place.width, height)
                lit = bool(zone) and sheet.zone(zone, tile, ("book",), "Open the book of ideas")
                sheet.box(tile, mix(PANEL_2, EDGE, 0.5) if lit else PANEL_2, 6)
                sheet.surface.fill(YELLOW, (tile.left, tile.top + px(6), px(3), tile.height - px(12)))
                y = sheet.words(kind, tile.left + px(16), tile.top + px(8), size=12, colour=TEXT_2, width=inner)
                y = sheet.words(name, tile.left + px(16), y, size=15, face="semibold", width=inner)
                sheet.note(words, tile.left + px(16), y, inner)

            height = px(18) + sheet.line_height(12) + sheet.line_height(15) + sheet.lines(words, inner, 12)
            return Block(height, draw)

        tools = [block("A new tool", *TOOLS[tool]) for tool in self.launch.tools if tool in TOOLS]
        cards = self.launch.cards
        return tools + [
            block("New in your book", card.name, f"{card.text} {card.where}", f"book {card.id}") for card in cards
        ]

    def _hazard(self, sheet: Sheet, width: int) -> list[Block]:
        """That the machine works by luck, why, and a button that goes to the place."""
        hazard = self.account.hazard
        if hazard is None:
            return []
        luck = "It will not work for ever" if hazard.kind == "later" else "It works by luck"
        words = f"{luck}: {hazard.message}"
        if self.launch.report.medal:
            words += " The medal is hollow until that is mended."
        target = self._place(None, hazard.place)
        size = (round(sheet.px(84) * sheet.theme.font_scale), round(sheet.px(28) * sheet.theme.font_scale))
        room = width - (size[0] + sheet.px(16) if target is not None else 0)

        def draw(place: pygame.Rect) -> None:
            sheet.paragraph(words, place.left, place.top, room, size=13, colour=VERMILLION_TEXT)
            if target is not None:
                rect = pygame.Rect((place.right - size[0], place.top), size)
                sheet.button("show hazard", rect, "Show me", ("show", target), size=12)

        return [Block(max(sheet.lines(words, room, 13), size[1]), draw)]

    def _note(self, sheet: Sheet, width: int) -> list[Block]:
        level = self.launch.level
        if not level.field_note.strip():
            return []
        words = plain(" ".join(level.field_note.split()))

        def draw(place: pygame.Rect) -> None:
            y = sheet.title("Field note", place.left, place.top, place.width)
            y = sheet.note(words, place.left, y, place.width, 13)
            if level.signed:
                sheet.words(level.signed, place.left, y + sheet.px(2), size=12, colour=TEXT_3, width=place.width)

        height = sheet.line_height(15) + sheet.px(10) + sheet.lines(words, width, 13) + sheet.line_height(12)
        return [Block(height, draw)]


@dataclass(frozen=True, slots=True)
class _Row:
    """A loss: how much, what share, what to do, and what to show."""

    figure: str
    share: str
    sentence: str
    target: int | str | None


def _sentence(message: str, cure: str) -> str:
    # A name at the beginning of a sentence is written as on the board.
    return f"{message}. {cure[:1].upper()}{cure[1:]}."


def _table(sheet: Sheet, width: int, title: str, head: str, rows: list[_Row], nothing: str = "") -> Block:
    """A block of losses, each with a button that goes to its place."""
    px = sheet.px
    button = round(px(84) * sheet.theme.font_scale)
    room = width - button - px(16)
    heights = [max(sheet.lines(r.sentence, room, 12), px(28)) + sheet.line_height(13) + px(14) for r in rows]

    def draw(place: pygame.Rect) -> None:
        y = place.top + sheet.line_height(15) // 2
        left = place.width * 2 // 5
        sheet.text(title, place.left, y, size=15, face="semibold", width=left)
        sheet.text(head, place.right, y, size=13, face="mono", align="right", width=place.width - left)
        y = place.top + sheet.line_height(15) + px(6)
        if not rows:
            sheet.note(nothing, place.left, y, place.width, 13)
        for n, (row, height) in enumerate(zip(rows, heights, strict=True)):
            sheet.hairline(place.left, y, place.width)
            top = y + px(6)
            part = sheet.theme.font("mono", 13).size(row.figure)[0] + px(10)
            sheet.words(row.figure, place.left, top, face="mono", colour=ORANGE, width=room)
            sheet.words(row.share, place.left + part, top, size=12, colour=TEXT_2, width=room - part)
            sheet.paragraph(row.sentence, place.left, top + sheet.line_height(13), room, size=12)
            if row.target is not None:
                rect = pygame.Rect(place.right - button, top, button, round(px(28) * sheet.theme.font_scale))
                name = f"show {n}" if title == "Energy receipt" else f"show {title} {n}"
                sheet.button(name, rect, "Show me", ("show", row.target), size=12)
            y += height

    return Block(sheet.line_height(15) + px(6) + (sum(heights) if rows else 2 * sheet.line_height(13)), draw)
