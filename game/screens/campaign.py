"""The campaign: chapters as chips on a board, levels as pads joined by wires, and the book of ideas."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import pygame

from game.panels.book import book_height, draw_book, draw_chip
from game.panels.kit import Action
from game.panels.sheet import Sheet, dashed
from game.said import plain
from game.screens.base import Context
from game.screens.page import Page
from game.shell.doors import after, chapters, open_levels, what_opens
from game.text import number
from game.theme import (
    BOARD,
    BOARD_2,
    EDGE,
    GRID,
    PACKET,
    PANEL,
    PANEL_2,
    TEXT,
    TEXT_2,
    TEXT_3,
    WIRE_FAST,
    WIRE_STOPPED,
    YELLOW,
    Colour,
    mix,
)

if TYPE_CHECKING:
    from engine.model import Level
    from levels.lookup import Entry
    from levels.store import Best

NAMES = {
    "first-light": "First light",
    "gpu-puzzles": "GPU puzzles",
    "wide-roads": "Wide roads",
    "physics": "Thin ice",
}
MEDALS = ("bronze", "silver", "gold")


@dataclass(frozen=True, slots=True)
class _Node:
    """A level's pad on the board."""

    entry: Entry
    x: int
    y: int
    column: int
    row: int


class Campaign(Page):
    """Choose a level."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._entries: list[Entry] = []
        self._bests: dict[str, Best] = {}
        self._open: set[str] = set()
        self._found: set[str] = set()
        self._chosen: str | None = None
        self._levels: dict[str, Level | None] = {}
        self._pareto: dict[str, int] = {}
        self._placed = False

    def enter(self) -> None:
        super().enter()
        from levels.lookup import campaign

        progress = self.context.progress
        self._entries = campaign([self.context.shelf.data / "levels"])
        self._bests = progress.bests()
        self._open = open_levels(self._entries, self._bests, bool(progress.setting("open_all", False)))
        self._found = {card.card for card in progress.discoveries()}
        self._pareto.clear()
        last = progress.setting("last_level")
        if self._chosen is None:
            self._chosen = last if isinstance(last, str) and last in self._open else None
        if self._chosen is None and self._entries:
            goal = after(self._entries, "", self._bests)
            self._chosen = (goal or self._entries[0]).id
        self._placed = self.context.to_book
        if self.context.to_book:
            self.offset = 1 << 20  # the book is at the end
            self.context.to_book = False

    def act(self, action: Action) -> None:
        match action:
            case ("choose", str() as level):
                if level == self._chosen:
                    self.act(("play",))
                self._chosen = level
            case ("play",):
                entry = next((e for e in self._entries if e.id == self._chosen), None)
                if entry and entry.id in self._open:
                    self.play(entry.id, entry.path)
            case _:
                self.context.ask(*action)

    def key(self, event: pygame.event.Event) -> None:
        super().key(event)
        # The level with the focus is the one that the card below tells about.
        if self.focus and self.focus.startswith("level "):
            self._chosen = self.focus.removeprefix("level ")

    # --- drawing -----------------------------------------------------------------------------------------

    def paint(self, sheet: Sheet) -> None:
        px, bounds = sheet.px, sheet.bounds
        scale = self.theme.font_scale
        top = round(px(52) * scale)
        short = bounds.height < px(480) * scale
        card = round(px(84 if short else 128) * scale)
        self._head(sheet, bounds.clip((0, 0, bounds.width, top)))
        view = pygame.Rect(0, top, bounds.width, bounds.height - top - card)
        self._chips(sheet, view)
        self._card(sheet, pygame.Rect(0, bounds.height - card, bounds.width, card), short)
        if not self._placed and (zone := self.zone(f"level {self._chosen}")):
            self._placed = True
            if zone.rect.height == 0:
                self._look_at(zone.name)
                self.focus = None
        self.first = f"level {self._chosen}"

    def _head(self, sheet: Sheet, bar: pygame.Rect) -> None:
        px = sheet.px
        sheet.surface.fill(PANEL, bar)
        sheet.hairline(bar.left, bar.bottom - 1, bar.width)
        side = bar.height - px(12)
        back = pygame.Rect(px(8), px(6), side, side)
        sheet.icon_button("back", back, "back", ("back",), tip="back")
        solved, gold = len(self._bests), sum(best.medal == "gold" for best in self._bests.values())
        words = f"{solved} of {len(self._entries)} solved, {gold} with Stars"
        room = bar.width // 2 - px(24)
        sheet.text(words, bar.right - px(16), bar.centery, colour=TEXT_2, align="right", width=room)
        left = back.right + px(8)
        sheet.text("Campaign", left, bar.centery, size=20, face="semibold", width=bar.width // 2 - left)

    def _chips(self, sheet: Sheet, view: pygame.Rect) -> None:
        px, scale = sheet.px, self.theme.font_scale
        margin, inner = px(24), px(16)
        cell_width, cell_height = round(px(196) * scale), px(58) + round(px(50) * scale)
        columns = max(2, min(6, (view.width - 2 * margin - 2 * inner) // cell_width))
        roads = chapters(self._entries)
        head = sheet.line_height(15) + px(28)
        heights = [head + -(-len(road) // columns) * cell_height + inner for _, road in roads]
        book = book_height(sheet, view.width - 2 * margin - 2 * inner)
        gap = px(24)
        total = margin + sum(h + gap for h in heights) + book + margin
        y = self.scrolling(sheet, view, total) + margin
        self._ground(sheet, view)
        width = view.width - 2 * margin
        for (slug, road), height in zip(roads, heights, strict=True):
            chip = pygame.Rect(margin, y, width, height)
            draw_chip(sheet, chip)
            name = NAMES.get(slug, slug.replace("-", " ").capitalize())
            solved = sum(e.id in self._bests for e in road)
            middle = chip.top + px(14) + sheet.line_height(15) // 2
            sheet.text(name, chip.left + inner, middle, size=15, face="semibold", width=width // 2 - inner)
            sheet.text(
                f"{solved} of {len(road)}",
                chip.right - inner,
                middle,
                size=12,
                face="mono",
                colour=TEXT_2,
                align="right",
                width=width // 2 - inner,
            )
            step = (width - 2 * inner) // columns
            nodes = []
            for n, entry in enumerate(road):
                row, column = divmod(n, columns)
                if row % 2:
                    column = columns - 1 - column
                x = chip.left + inner + step * column + step // 2
                nodes.append(_Node(entry, x, chip.top + head + row * cell_height + px(24), column, row))
            self._wires(sheet, nodes, step, cell_height)
            for node in nodes:
                self._pad(sheet, node, step)
            y += height + gap
        draw_book(sheet, pygame.Rect(margin, y, width, book), self._found)
        self.scrolled(sheet)

    def _ground(self, sheet: Sheet, view: pygame.Rect) -> None:
        step = sheet.px(32)
        offset = self.offset % step
        for y in range(view.top - offset, view.bottom, step):
            for x in range(view.left + step // 2, view.right, step):
                sheet.surface.fill(GRID, (x, y, 1, 1))

    def _wires(self, sheet: Sheet, nodes: list[_Node], step: int, cell_height: int) -> None:
        """From pad to pad. Behind a solved level the wire runs."""
        px = sheet.px
        reach = px(20)
        for a, b in pairwise(nodes):
            if a.row == b.row:
                way = 1 if b.x > a.x else -1
                points = [(a.x + way * reach, a.y), (b.x - way * reach, b.y)]
            else:
                # Around the texts under the pad, in the channel at the chip's side.
                way = 1 if a.row % 2 == 0 else -1
                side = a.x + way * (step // 2 - px(6))
                points = [(a.x + way * reach, a.y), (side, a.y), (side, b.y), (b.x + way * reach, b.y)]
            if a.entry.id not in self._bests:
                for p, q in pairwise(points):
                    dashed(sheet.surface, WIRE_STOPPED, p, q, px(4), px(2))
                continue
            for p, q in pairwise(points):
                pygame.draw.line(sheet.surface, mix(WIRE_FAST, BOARD, 0.35), p, q, px(2))
            self._packets(sheet, points)

    def _packets(self, sheet: Sheet, points: list[tuple[int, int]]) -> None:
        """Words on the way; with reduced motion they stand."""
        px = sheet.px
        spacing, speed = px(44), px(22)
        at = spacing / 2 if self.theme.reduced_motion else (self.seconds * speed) % spacing
        for p, q in pairwise(points):
            length = abs(q[0] - p[0]) + abs(q[1] - p[1])
            while at <= length:
                share = at / max(length, 1)
                x, y = p[0] + (q[0] - p[0]) * share, p[1] + (q[1] - p[1]) * share
                pygame.draw.aacircle(sheet.surface, PACKET, (round(x), round(y)), px(3))
                at += spacing
            at -= length

    def _pad(self, sheet: Sheet, node: _Node, step: int) -> None:
        px, entry = sheet.px, node.entry
        best, door = self._bests.get(entry.id), entry.id in self._open
        half = px(20)
        body = pygame.Rect(node.x - half, node.y - half, 2 * half, 2 * half)
        under = sheet.line_height(13) + sheet.line_height(12)
        cell = pygame.Rect(node.x - step // 2 + px(8), body.top - px(4), step - px(16), 2 * half + px(14) + under)
        lit = sheet.zone(f"level {entry.id}", cell, ("choose", entry.id))
        chosen = entry.id == self._chosen
        cut = px(9)
        x0, y0, x1, y1 = body.left, body.top, body.right - 1, body.bottom - 1
        shape = [(x0 + cut, y0), (x1 - cut, y0), (x1, y0 + cut), (x1, y1 - cut)]
        shape += [(x1 - cut, y1), (x0 + cut, y1), (x0, y1 - cut), (x0, y0 + cut)]
        fill: Colour = mix(PANEL_2, YELLOW, 0.18) if best else PANEL_2 if door else BOARD_2
        line = YELLOW if best else TEXT_2 if door else EDGE
        pygame.draw.polygon(sheet.surface, fill, shape)
        pygame.draw.aalines(sheet.surface, line if door or best else EDGE, True, shape)
        pygame.draw.polygon(sheet.surface, line, shape, px(1.5))
        if chosen or lit:
            gap = px(4)
            pygame.draw.rect(
                sheet.surface,
                TEXT if chosen else TEXT_2,
                body.inflate(2 * gap, 2 * gap),
                px(2 if chosen else 1),
                border_radius=px(8),
            )
        colour = TEXT if door else TEXT_3
        sheet.text(
            entry.number.lstrip("0"),
            node.x,
            node.y,
            size=14,
            face="mono-semibold",
            colour=colour,
            align="centre",
            width=step,
        )
        y = body.bottom + px(8)
        y = sheet.words(entry.title, node.x, y, size=13, colour=colour, width=cell.width, align="centre")
        if best:
            words = number(best.efficiency)
            room = self.theme.font("mono", 12).size(words)[0]
            dots = 3 * px(12)
            left = node.x - (dots + px(6) + room) // 2
            self._dots(sheet, left + px(4), y + sheet.line_height(12) // 2, best.medal)
            sheet.words(words, left + dots + px(6), y, size=12, face="mono", colour=TEXT_2, width=room + px(4))

    def _dots(self, sheet: Sheet, x: int, y: int, medal: str | None) -> None:
        """Three lights: Orbit, Moon, Stars."""
        reached = MEDALS.index(medal) + 1 if medal in MEDALS else 0
        for n in range(3):
            centre = (x + n * sheet.px(12), y)
            if n < reached:
                pygame.draw.aacircle(sheet.surface, YELLOW, centre, sheet.px(4))
            else:
                pygame.draw.circle(sheet.surface, TEXT_3, centre, sheet.px(4), max(1, sheet.px(1)))

    # --- the card of the chosen level --------------------------------------------------------------------

    def _card(self, sheet: Sheet, bar: pygame.Rect, short: bool) -> None:
        px = sheet.px
        sheet.surface.fill(PANEL, bar)
        sheet.hairline(bar.left, bar.top, bar.width)
        entry = next((e for e in self._entries if e.id == self._chosen), None)
        if entry is None:
            return
        pad = px(16)
        button_width = round(px(120) * self.theme.font_scale)
        button = pygame.Rect(bar.right - pad - button_width, 0, button_width, round(px(36) * self.theme.font_scale))
        button.centery = bar.centery
        door = entry.id in self._open
        sheet.button("play", button, "Play" if door else "Closed", ("play",), main=True, enabled=door, size=15)
        left, width = pad + px(8), button.left - pad - px(24)
        level = self._level(entry)
        wide = width > px(760) * self.theme.font_scale
        text_width = width * 3 // 5 if wide else width - left
        y = bar.top + (px(8) if short else px(14))
        y = sheet.words(
            f"{entry.number.lstrip('0')}  {entry.title}", left, y, size=18, face="semibold", width=text_width
        ) + px(2)
        if not door:
            sheet.note(what_opens(self._entries, entry.id, self._bests), left, y, text_width, 13)
            return
        if short or not wide:
            if level:
                words = self._medal_words(entry, level)
                sheet.words(words, left, y, size=12, face="text", colour=TEXT_2, width=text_width)
            return
        if level:
            room = max(1, (bar.bottom - px(10) - y) // sheet.line_height(13))
            sheet.paragraph(plain(" ".join(level.brief.split())), left, y, text_width, size=13, most=room)
            self._facts(
                sheet, entry, level, pygame.Rect(left + text_width + px(32), bar.top + px(16), 0, 0), button.left
            )

    def _facts(self, sheet: Sheet, entry: Entry, level: Level, at: pygame.Rect, right: int) -> None:
        px = sheet.px
        width = right - at.left - px(24)
        best = self._bests.get(entry.id)
        x, y = at.topleft
        if best is None:
            y = sheet.words("Not launched yet", x, y, colour=TEXT_2, width=width)
        else:
            points = self._points(entry, level)
            y = sheet.words(f"{number(best.efficiency)} launches/nJ", x, y, size=15, face="mono", width=width)
            words = "one machine, best in every way" if points == 1 else f"{points} machines, each best in its own way"
            y = sheet.words(words, x, y, size=12, colour=TEXT_2, width=width)
        if level.medals:
            y += px(4)
            for n, (name, key) in enumerate((("Orbit", "bronze"), ("Moon", "silver"), ("Stars", "gold"))):
                row = y + n * sheet.line_height(12)
                value = getattr(level.medals, key)
                won = best is not None and best.efficiency >= value
                middle = row + sheet.line_height(12) // 2
                if won:
                    pygame.draw.aacircle(sheet.surface, YELLOW, (x + px(4), middle), px(4))
                else:
                    pygame.draw.circle(sheet.surface, TEXT_3, (x + px(4), middle), px(4), px(1))
                sheet.words(name, x + px(16), row, size=12, colour=TEXT_2, width=px(60 * self.theme.font_scale))
                sheet.words(
                    number(value, 4),
                    x + px(16 + 60 * self.theme.font_scale),
                    row,
                    size=12,
                    face="mono",
                    colour=TEXT if won else TEXT_2,
                    width=width - px(80),
                )

    def _medal_words(self, entry: Entry, level: Level) -> str:
        best = self._bests.get(entry.id)
        words = [f"{number(best.efficiency)} launches/nJ" if best else "Not launched yet"]
        if level.medals:
            words.append(f"Stars from {number(level.medals.gold, 4)}")
        return " · ".join(words)

    def _level(self, entry: Entry) -> Level | None:
        if entry.id not in self._levels:
            from engine.errors import InvalidError
            from levels.files import load_level_file

            try:
                self._levels[entry.id] = load_level_file(entry.path).level
            except InvalidError:
                self._levels[entry.id] = None
        return self._levels[entry.id]

    def _points(self, entry: Entry, level: Level) -> int:
        if entry.id not in self._pareto:
            from engine.fingerprint import level_hash

            self._pareto[entry.id] = len(self.context.progress.pareto(entry.id, level_hash(level)))
        return self._pareto[entry.id]
