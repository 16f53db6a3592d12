"""The top bar: the way back, the level, its designs as tabs, undo and redo, the score, and Launch."""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from game.panels.kit import Canvas, Panel, Typed
from game.theme import (
    EDGE,
    GREEN_TEXT,
    ORANGE,
    PANEL,
    TEXT,
    TEXT_2,
    TEXT_3,
    VERMILLION_TEXT,
    YELLOW,
    mix,
)

UNIT = "launches/nJ"


@dataclass(frozen=True, slots=True)
class ScoreModel:
    """The score box. ``medals`` won 0 … 3; ``sentence`` in place of a figure where the machine does not pass."""

    value: str = ""
    stale: bool = True
    change: str = ""
    gain: bool = False
    medals: int = 0
    rate: str = ""
    power: str = ""
    sentence: str = ""
    wrong: bool = False
    limit: str = ""


@dataclass(frozen=True, slots=True)
class HeaderModel:
    number: str
    title: str
    tabs: tuple[str, ...]
    current: int
    undo: str | None
    redo: str | None
    score: ScoreModel
    can_launch: bool
    typed: Typed | None = None
    deleted: bool = False


class Header(Panel):
    """The top bar. What does not fit is in the list of the "…" button: designs and steps first, then the units, then
    the level's title."""

    def paint(self, canvas: Canvas, model: HeaderModel) -> None:
        px, middle = canvas.px, canvas.bounds.height // 2
        width = canvas.bounds.width
        canvas.rule(canvas.bounds.height - px(1))
        wide = width >= px(1500) and self._needs(canvas, True, short=False) + px(470) <= width
        canvas.icon_button(
            "back", pygame.Rect(px(10), middle - px(16), px(32), px(32)), "back", ("back",), tip="Campaign (Esc)"
        )
        mono, title = canvas.theme.font("mono", 13), canvas.theme.font("semibold", 15)
        number = px(52) + mono.size(model.number)[0] + px(8)
        named = number + min(title.size(model.title)[0], px(200 if wide else 110))
        tools = max(named + px(20), px(220) if wide else 0)
        room = width - self._needs(canvas, wide, short=False) - tools
        if room >= px(5 * 34 + 8 + 96):
            self._title(canvas, model, px(200 if wide else 110))
            right = self._score(canvas, model, wide, tools + px(5 * 34 + 8 + 96))
            self._tabs(canvas, model, self._tools(canvas, model, tools), right - px(8), wide)
            return
        most = width - self._needs(canvas, False, short=True)
        more = pygame.Rect(min(named + px(8), max(most - px(40), px(46))), middle - px(16), px(36), px(32))
        self._title(canvas, model, more.left - px(6) - number)
        canvas.button("more", more, "…", ("more",), tip="Designs, undo and redo, and what else has no room here")
        self._score(canvas, model, False, more.right + px(8), short=True)

    def _title(self, canvas: Canvas, model: HeaderModel, width: int) -> None:
        """The level's number and title; neither where there is no room."""
        if width < canvas.px(12):
            return
        middle = canvas.bounds.height // 2
        number = canvas.text(model.number, canvas.px(52), middle, size=13, face="mono", colour=TEXT_3)
        canvas.text(model.title, number.right + canvas.px(8), middle, size=15, face="semibold", width=width)

    def _tools(self, canvas: Canvas, model: HeaderModel, x: int) -> int:
        """Steps back and forth, and what makes designs: in front of the tabs, so that they keep their places."""
        px, middle = canvas.px, canvas.bounds.height // 2
        for name, label, key in (("undo", model.undo, "Ctrl+Z"), ("redo", model.redo, "Ctrl+Shift+Z")):
            tip = f"{name.capitalize()}: {label} ({key})" if label else ""
            rect = pygame.Rect(x, middle - px(16), px(32), px(32))
            canvas.icon_button(name, rect, name, (name,), tip=tip, enabled=label is not None)
            x += px(34)
        x += px(8)
        for name, icon, tip in (
            ("tab.new", "plus", "New design"),
            ("tab.copy", "copy", "Duplicate this design"),
            ("tab.delete", "bin", "Delete this design; Ctrl+Z brings it back"),
        ):
            rect = pygame.Rect(x, middle - px(15), px(32), px(30))
            canvas.icon_button(name, rect, icon, (name,), tip=tip)
            x += px(34)
        return x + px(4)

    def _tabs(self, canvas: Canvas, model: HeaderModel, x: int, right: int, wide: bool) -> None:
        px, middle = canvas.px, canvas.bounds.height // 2
        least, gap = px(116 if wide else 88), px(4)
        room = max((right - x + gap) // (least + gap), 0)
        if room < len(model.tabs) or model.deleted:
            # Not all have room: all of them in a list, and as many as there is room beside it.
            menu = pygame.Rect(x, middle - px(15), px(44), px(30))
            tip = "All designs, deleted ones too" if model.deleted else "All designs"
            canvas.button("tab.all", menu, f"all {len(model.tabs)}", ("tab.all",), tip=tip, size=12)
            x = menu.right + gap
            room = max((right - x + gap) // (least + gap), 0)
        if not room:
            return
        first = min(max(model.current - room + 1, 0), max(len(model.tabs) - room, 0))
        seen = range(first, min(first + room, len(model.tabs)))
        widths = _tab_widths(canvas, [model.tabs[i] for i in seen], least, right - x - gap * (len(seen) - 1))
        for i, each in zip(seen, widths, strict=True):
            rect = pygame.Rect(x, middle - px(15), each, px(30))
            name = f"tab.{i}"
            if model.typed and model.typed.name == "rename" and i == model.current:
                canvas.field("rename", rect, model.tabs[i], mono=False)
            else:
                on = i == model.current
                tip = f"{model.tabs[i]}: click to rename" if on else f"Show {model.tabs[i]} (Tab)"
                canvas.button(name, rect, model.tabs[i], ("rename",) if on else ("tab", i), tip=tip, on=on, size=12)
            x += each + gap

    def _needs(self, canvas: Canvas, wide: bool, *, short: bool) -> int:
        """Pixels that Launch, medals and score take at the right, whatever the figure is."""
        px, font = canvas.px, canvas.theme.font
        unit = font("text", 12).size(UNIT)[0]
        lights = px(12 + 104 + 18 + 3 * 21 + 16)
        figure = font("mono", 24 if short else 28).size("0.0000")[0]
        if short:
            room = canvas.bounds.width - lights - figure - px(8) - px(46 + 40 + 8)
            return lights + figure + px(8) + (unit + px(8) if room >= unit + px(8) else 0)
        powers = font("mono", 13).size("000 /µs÷00.0 mW")[0] + px(36) if wide else 0
        return lights + powers + px(84) + unit + px(8) + figure + px(12)

    def _score(self, canvas: Canvas, model: HeaderModel, wide: bool, least: int, *, short: bool = False) -> int:
        """The right half, from the right, not left of ``least``; returns where it begins. ``short``: the change stands
        above its unit, and both only where there is room."""
        px, middle, score = canvas.px, canvas.bounds.height // 2, model.score
        x = canvas.bounds.width - px(12)
        button = pygame.Rect(x - px(104), middle - px(17), px(104), px(34))
        canvas.button(
            "launch", button, "Launch", ("launch",), main=True, enabled=model.can_launch, tip="Record this run (Enter)"
        )
        x = button.left - px(18)
        tone = TEXT_3 if score.stale else TEXT
        if score.sentence:
            rect = canvas.text(
                score.sentence,
                x,
                middle,
                size=13,
                align="right",
                colour=TEXT_3 if score.stale else VERMILLION_TEXT if score.wrong else TEXT_2,
                width=x - (least if short else max(least, canvas.bounds.width // 2)),
            )
            canvas.zone("score", rect, ("nothing",), score.limit or score.sentence)
            return rect.left - px(16)
        end = x
        if wide and score.power:
            rect = canvas.text(
                score.power, x, middle, face="mono", align="right", colour=TEXT_3 if score.stale else ORANGE
            )
            rect = canvas.text("÷", rect.left - px(8), middle, align="right", colour=TEXT_2)
            rect = canvas.text(
                score.rate,
                rect.left - px(8),
                middle,
                face="mono",
                align="right",
                colour=TEXT_3 if score.stale else YELLOW,
            )
            x = rect.left - px(20)
        for i in reversed(range(3)):
            centre = (x - px(8), middle)
            won = i < score.medals
            colour = YELLOW if won and not score.stale else mix(YELLOW, PANEL, 0.6) if won else EDGE
            pygame.draw.circle(canvas.surface, colour, centre, px(7), 0 if won else max(1, px(1.5)))
            x -= px(21)
        x -= px(16)
        size = 24 if short else 28
        figure = canvas.theme.font("mono", size).size(score.value or "–")[0]
        unit = canvas.theme.font("text", 12).size(UNIT)[0]
        if not short:
            self._change(canvas, score, x, middle + px(1))
            x = canvas.text(UNIT, x - px(84), middle + px(4), size=12, align="right", colour=TEXT_2).left - px(8)
        elif x - unit - px(8) - figure >= least:
            self._change(canvas, score, x, middle - px(10))
            x = canvas.text(UNIT, x, middle + px(9), size=12, align="right", colour=TEXT_2).left - px(8)
        value = canvas.text(
            score.value or "–", x, middle, size=size, face="mono", align="right", colour=tone, width=x - least
        )
        canvas.zone(
            "score", pygame.Rect(value.left, 0, end - value.left, canvas.bounds.height), ("nothing",), score.limit
        )
        return value.left - px(12)

    def _change(self, canvas: Canvas, score: ScoreModel, x: int, middle: int) -> None:
        """What the last edit has changed, and which way."""
        if not score.change:
            return
        sign = canvas.px(4)
        colour = TEXT_3 if score.stale else GREEN_TEXT if score.gain else VERMILLION_TEXT
        written = canvas.text(score.change, x, middle, face="mono", align="right", colour=colour)
        cx, cy = written.left - canvas.px(9), middle - canvas.px(1)
        up = ((cx - sign, cy + sign), (cx + sign, cy + sign), (cx, cy - sign))
        down = ((cx - sign, cy - sign + 1), (cx + sign, cy - sign + 1), (cx, cy + sign + 1))
        pygame.draw.polygon(canvas.surface, colour, up if score.gain else down)


def _tab_widths(canvas: Canvas, names: list[str], least: int, room: int) -> list[int]:
    """A width for every tab: ``least`` and, as far as there is room, what its name needs, the shortest names first."""
    font = canvas.theme.font("medium", 12)
    widths = [least] * len(names)
    spare = room - sum(widths)
    wanted = [max(font.size(name)[0] + canvas.px(20) - least, 0) for name in names]
    for rank, i in enumerate(sorted(range(len(names)), key=lambda i: wanted[i])):
        more = min(wanted[i], max(spare, 0) // (len(names) - rank))
        widths[i] += more
        spare -= more
    return widths


def medal_count(medal: str | None) -> int:
    """0 … 3 for none, bronze, silver, gold."""
    return {"bronze": 1, "silver": 2, "gold": 3}.get(medal or "", 0)
