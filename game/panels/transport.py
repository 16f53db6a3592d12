"""The transport bar: time and what it does, the pace, and the way to launches and faults."""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from game.panels.kit import Canvas, Panel
from game.playback import PACES
from game.theme import EDGE, GREEN_TEXT, ORANGE, PANEL_2, SKY, TEXT, TEXT_2, TEXT_3, VERMILLION_TEXT, Colour

TONES: dict[str, Colour] = {"quiet": TEXT_2, "good": GREEN_TEXT, "bad": VERMILLION_TEXT, "warm": ORANGE, "sky": SKY}


@dataclass(frozen=True, slots=True)
class TransportModel:
    """``state`` is a sentence in tone ``tone``; ``can_run`` False while nothing can be built; ``fault`` where the run
    ends in one."""

    playing: bool
    can_run: bool
    time: str
    pace: int
    pace_text: str
    bound: bool
    state: str
    tone: str
    fault: bool
    launches: str


def pace_index(pace: float) -> int:
    """The stop of the pace slider that is nearest to ``pace`` ns/s."""
    return min(range(len(PACES)), key=lambda i: abs(PACES[i] - pace))


def pace_text(pace: float) -> str:
    if pace >= 1e8:
        return "max"
    return f"{pace / 1000:g} µs/s" if pace >= 1000 else f"{pace:g} ns/s"


class Transport(Panel):
    """The transport bar."""

    def paint(self, canvas: Canvas, model: TransportModel) -> None:
        px, middle, width = canvas.px, canvas.bounds.height // 2, canvas.bounds.width
        canvas.rule(0)
        wide = width >= px(1500)
        tight = width < px(1000)
        running = model.playing and model.can_run
        x = px(12)
        buttons = (
            ("start", "start", "To the start (Home)"),
            ("launch-back", "previous", "Previous launch (P)"),
            ("step-back", "step-back", "One event back (,)"),
            ("play", "pause" if running else "play", "Pause (Space)" if running else "Play (Space)"),
            ("step", "step", "One event forward (.)"),
            ("launch-next", "next", "Next launch (N)"),
            ("fault", "fault", "Run to the fault (G)"),
        )
        for name, icon, tip in buttons:
            side = px(36)
            rect = pygame.Rect(x, middle - side // 2 + px(1), side, side)
            if name == "play":
                canvas.box(rect, PANEL_2)
            enabled = model.can_run and (model.fault or name != "fault")
            on = name == "play" and running
            canvas.icon_button(name, rect, icon, (name,), tip=tip, on=on, enabled=enabled)
            if name == "fault" and model.can_run and not model.fault:
                canvas.zone(name, rect, ("nothing",), "No fault to go to")
            x += side + px(4)
        x += px(12)
        time, tone = f"t = {model.time} ns", TEXT if model.can_run else TEXT_3
        room = min(px(126 if tight else 150), width - x - px(12))
        rect = canvas.text(time, x, middle, face="mono", colour=tone, width=room)
        x += px(134 if tight else 160)
        track = px(180 if wide else 110)
        if not tight:
            canvas.text("pace", x, middle, size=12, colour=TEXT_2)
            x += px(40)
            line = pygame.Rect(x, middle - px(1), track, max(1, px(2)))
            canvas.surface.fill(EDGE, line)
            step = track / (len(PACES) - 1)
            for i in range(len(PACES)):
                mark = x + round(i * step)
                canvas.surface.fill(EDGE, (mark, middle - px(4), max(1, px(1)), px(8)))
            centre = (x + round(model.pace * step), middle)
            pygame.draw.circle(canvas.surface, SKY if running else TEXT_2, centre, px(6))
            canvas.zone(
                "pace",
                pygame.Rect(x - px(8), middle - px(14), track + px(16), px(28)),
                ("pace",),
                "Pace (− and =)",
                drag=True,
            )
            x += track + px(16)
            canvas.text(model.pace_text, x, middle, face="mono", colour=ORANGE if model.bound else TEXT, width=px(90))
            x += px(96)
        elif width - x >= px(88):
            button = pygame.Rect(x, middle - px(14), px(80), px(28))
            canvas.button("pace", button, model.pace_text, ("paces",), tip="Pace (− and =)", size=12)
            x += px(88)
        right = width - px(16)
        if model.launches and right - x >= canvas.theme.font("mono", 13).size(model.launches)[0]:
            right = canvas.text(model.launches, right, middle, face="mono", align="right", colour=TEXT_2).left - px(20)
        if model.state and right - x > px(60):
            rect = canvas.text(model.state, x, middle, colour=TONES[model.tone], width=right - x)
            canvas.zone("state", rect, ("nothing",), model.state)
