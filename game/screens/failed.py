"""The result of a machine that failed, in blocks: what happened, two values or a chain of waits, and the place."""

from __future__ import annotations

import pygame

from engine.errors import Problem
from engine.explain import fold
from game.panels.blocks import Block
from game.panels.charts import written
from game.panels.sheet import Sheet
from game.said import limit_name, said
from game.shell.account import Account
from game.shell.launching import Launch
from game.text import number
from game.theme import (
    BOARD_2,
    EDGE,
    GREEN_TEXT,
    ORANGE,
    PANEL_2,
    TEXT,
    TEXT_2,
    TILE_STEPS,
    VERMILLION_TEXT,
    mix,
)
from game.view.camera import Camera
from game.view.scene import Chain, Scene
from game.view.still import BoardView

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


class Failed:
    """Makes the blocks of a launch that failed; ``account`` is what is known of it by now."""

    def __init__(self, launch: Launch) -> None:
        self.launch = launch
        self.account = Account()
        self._view = BoardView()

    def columns(self, sheet: Sheet, width: int, wide: bool) -> list[list[Block]]:
        """Two columns of ``width`` pixels, the board in the second, or one."""
        words = [
            self._verdict(sheet, width),
            *self._two_values(sheet),
            *self._chain(sheet, width),
            *self._cure(sheet, width),
        ]
        board = Block(sheet.px(420 if wide else 220), lambda place: self._board(sheet, place), True)
        if wide:
            return [words, [board]]
        return [[*words, board] if self.account.ending else words]

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
            problems = (Problem(str(p.get("code", "")), str(p.get("message", ""))) for p in report.problems[:3])
            words = "; ".join(map(said, problems))
        words = words.strip()
        return words if words.endswith((".", "!", "?")) else f"{words}."

    def _verdict(self, sheet: Sheet, width: int) -> Block:
        px, words, verdict = sheet.px, self._sentence(), VERDICTS[self.launch.report.verdict]
        fits = (size for size in (24, 18, 15, 13) if sheet.theme.font("semibold", size).size(verdict)[0] <= width)
        size = next(fits, 11)
        button = round(px(36) * sheet.theme.font_scale)
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
                rect = pygame.Rect(place.left, y, min(round(px(150) * sheet.theme.font_scale), width), button)
                sheet.button("show", rect, "Show the place", ("show", place_of), size=13, on=True)

        height = sheet.line_height(13) + sheet.line_height(size) + px(22) + sheet.lines(words, width, 15)
        return Block(height + (button if place_of is not None else 0), draw)

    def _two_values(self, sheet: Sheet) -> list[Block]:
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
        return [Block(height, draw)]

    def _limits(self, sheet: Sheet) -> list[Block]:
        broken = [limit for limit in self.launch.report.limits if not limit.ok]
        if not broken:
            return []
        row = sheet.line_height(13) + sheet.px(4)

        def draw(place: pygame.Rect) -> None:
            y = place.top
            for limit in broken:
                name = LIMITS.get(limit.limit, f"{limit_name(limit.limit)}, at most")
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

        return [Block(row * len(broken), draw)]

    def _chain(self, sheet: Sheet, width: int) -> list[Block]:
        deadlock = self.launch.report.deadlock
        if deadlock is None:
            return []
        px = sheet.px
        steps = fold(deadlock.chain)
        words = [step.message for step in steps]
        links = [_element(self.launch, step.element) for step in steps]
        room = width - px(28)

        def draw(place: pygame.Rect) -> None:
            y = sheet.title("Who waits for whom", place.left, place.top, place.width)
            for n, sentence in enumerate(words):
                last = n == len(words) - 1
                spot = (place.left + px(8), y + sheet.line_height(13) // 2)
                colour = VERMILLION_TEXT if last else ORANGE
                pygame.draw.circle(sheet.surface, colour, spot, px(6), px(2) if not last else 0)
                lines = pygame.Rect(place.left, y, place.width, sheet.lines(sentence, room, 13))
                lit = links[n] is not None and sheet.zone(f"step {n}", lines, ("show", links[n]))
                below = sheet.paragraph(sentence, place.left + px(28), y, room, colour=TEXT if last or lit else TEXT_2)
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
        return [Block(height, draw)]

    def _cure(self, sheet: Sheet, width: int) -> list[Block]:
        """What the standstill means, and the smallest buffer that would break it, with a way to its wire."""
        deadlock, px = self.launch.report.deadlock, sheet.px
        if deadlock is None:
            return []
        found = self.account.deadlock
        cure = f"{found.cure[:1].upper()}{found.cure[1:]}." if found else "Looking for a buffer that would break it …"
        spots = [_element(self.launch, added.wire) for added in (found.buffers or [])] if found else []
        button = round(px(36) * sheet.theme.font_scale)

        def draw(place: pygame.Rect) -> None:
            y = place.top
            if deadlock.meaning:
                y = sheet.paragraph(deadlock.meaning, place.left, y, width, colour=TEXT_2) + px(6)
            y = sheet.paragraph(cure, place.left, y, width, colour=GREEN_TEXT if spots else TEXT) + px(8)
            each = min(round(px(150) * sheet.theme.font_scale), width)
            for n, spot in enumerate(spots):
                if spot is not None:
                    rect = pygame.Rect(place.left + n * (each + px(8)), y, each, button)
                    sheet.button(f"cure {n}", rect, "Show the wire", ("show", spot), size=13)

        height = sheet.lines(cure, width, 13) + px(8)
        if deadlock.meaning:
            height += sheet.lines(deadlock.meaning, width, 13) + px(6)
        return [Block(height + (button if spots else 0), draw)]

    def _board(self, sheet: Sheet, place: pygame.Rect) -> None:
        """The board at the moment of the failure, around its place."""
        sheet.surface.fill(BOARD_2, place)
        ending = self.account.ending
        if ending is None:
            return
        level, design = self.launch.level, self.launch.design
        camera = Camera(*level.board.size, tuple(place), scale=sheet.theme.scale)
        camera.fit()
        fault, deadlock = self.launch.report.fault, self.launch.report.deadlock
        chain = deadlock.chain if deadlock else []
        items = self._items([step.element for step in chain])
        way = self._items([name for step in chain for name in (step.element, step.wire) if name])
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
            chain=Chain(items, way) if items else None,
            theme=sheet.theme,
        )
        self._view.draw(sheet.surface, camera, scene)
        pygame.draw.rect(sheet.surface, EDGE, place, max(1, sheet.px(1)))

    def _items(self, names: list[str]) -> tuple[str | int, ...]:
        found = (_element(self.launch, name) for name in names)
        return tuple(dict.fromkeys(item for item in found if item is not None))

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
    wires = launch.design.wires
    exact = (n for n, wire in enumerate(wires) if name == f"{wire.source.replace(' ', '')} → {', '.join(wire.to)}")
    return next(exact, next((n for n, wire in enumerate(wires) if name.startswith(f"{wire.source} → ")), None))
