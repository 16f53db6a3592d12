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
    """The top bar."""

    def paint(self, canvas: Canvas, model: HeaderModel) -> None:
        px, middle = canvas.px, canvas.bounds.height // 2
        width = canvas.bounds.width
        canvas.rule(canvas.bounds.height - px(1))
        wide = width >= px(1500)
        canvas.icon_button(
            "back", pygame.Rect(px(10), middle - px(16), px(32), px(32)), "back", ("back",), tip="Campaign (Esc)"
        )
        title = canvas.text(model.number, px(52), middle, size=13, face="mono", colour=TEXT_3)
        title = canvas.text(
            model.title, title.right + px(8), middle, size=15, face="semibold", width=px(200 if wide else 110)
        )
        right = self._score(canvas, model, wide)
        x = max(title.right + px(20), px(220) if wide else 0)
        x = self._tabs(canvas, model, x, right - px(82), wide)
        for name, icon, label in (("undo", "undo", model.undo), ("redo", "redo", model.redo)):
            if x + px(36) > right - px(8):
                break
            key = "Ctrl+Z" if name == "undo" else "Ctrl+Shift+Z"
            tip = f"{name.capitalize()}: {label} ({key})" if label else ""
            rect = pygame.Rect(x, middle - px(16), px(34), px(32))
            canvas.icon_button(name, rect, icon, (name,), tip=tip, enabled=label is not None)
            x += px(36)

    def _tabs(self, canvas: Canvas, model: HeaderModel, x: int, right: int, wide: bool) -> int:
        px, middle = canvas.px, canvas.bounds.height // 2
        least, gap = px(116 if wide else 96), px(4)
        buttons = px(96)
        room = max((right - x - buttons) // (least + gap), 0)
        if room < len(model.tabs) or model.deleted:
            # Not all have room: all of them in a list, and as many as there is room beside it.
            menu = pygame.Rect(x, middle - px(15), px(44), px(30))
            if menu.right > right:
                return x
            tip = "All designs, deleted ones too" if model.deleted else "All designs"
            canvas.button("tab.all", menu, f"all {len(model.tabs)}", ("tab.all",), tip=tip, size=12)
            x = menu.right + gap
            room = max((right - x - buttons) // (least + gap), 0)
        if not room:
            return x
        first = min(max(model.current - room + 1, 0), max(len(model.tabs) - room, 0))
        seen = range(first, min(first + room, len(model.tabs)))
        widths = _tab_widths(canvas, [model.tabs[i] for i in seen], least, right - x - buttons - gap * len(seen))
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
        for name, icon, tip in (
            ("tab.new", "plus", "New design"),
            ("tab.copy", "copy", "Duplicate this design"),
            ("tab.delete", "bin", "Delete this design; Ctrl+Z brings it back"),
        ):
            canvas.icon_button(name, pygame.Rect(x, middle - px(15), px(30), px(30)), icon, (name,), tip=tip)
            x += px(32)
        return x + px(8)

    def _score(self, canvas: Canvas, model: HeaderModel, wide: bool) -> int:
        """The right half, from the right; returns where it begins."""
        px, middle, score = canvas.px, canvas.bounds.height // 2, model.score
        x = canvas.bounds.width - px(12)
        button = pygame.Rect(x - px(104), middle - px(17), px(104), px(34))
        canvas.button(
            "launch", button, "Launch", ("launch",), main=True, enabled=model.can_launch, tip="Record this run (Enter)"
        )
        x = button.left - px(18)
        tone = TEXT_3 if score.stale else TEXT
        if score.sentence:
            left = px(760 if wide else 560)
            rect = canvas.text(
                score.sentence,
                x,
                middle,
                size=13,
                align="right",
                colour=TEXT_3 if score.stale else VERMILLION_TEXT if score.wrong else TEXT_2,
                width=max(x - max(left, canvas.bounds.width // 2), px(160)),
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
        colour = TEXT_3 if score.stale else GREEN_TEXT if score.gain else VERMILLION_TEXT
        slot = px(84)
        if score.change:
            sign = px(4)
            written = canvas.text(score.change, x, middle + px(1), face="mono", align="right", colour=colour)
            cx = written.left - px(9)
            up = ((cx - sign, middle + sign), (cx + sign, middle + sign), (cx, middle - sign))
            down = ((cx - sign, middle - sign + 1), (cx + sign, middle - sign + 1), (cx, middle + sign + 1))
            pygame.draw.polygon(canvas.surface, colour, up if score.gain else down)
        x -= slot
        unit = canvas.text("launches/nJ", x, middle + px(4), size=12, align="right", colour=TEXT_2)
        value = canvas.text(
            score.value or "–", unit.left - px(8), middle, size=28, face="mono", align="right", colour=tone
        )
        canvas.zone(
            "score", pygame.Rect(value.left, 0, end - value.left, canvas.bounds.height), ("nothing",), score.limit
        )
        return value.left - px(12)


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
