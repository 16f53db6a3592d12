"""The line that says what to do next: derived from what stands on the board now and from its report, and from nothing
that was.

It never blocks, and it goes when it is done or no longer true.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from game.editor.hand import PartHand, PasteHand, WireHand
from game.entries import speed_entry
from game.panels.cards import ToastModel
from game.panels.header import medal_count
from game.screens.shown import has_tool
from game.text import number

if TYPE_CHECKING:
    from engine.model import CoreSpec, Level
    from game.screens.workbench import Workbench

Point = tuple[float, float]

MEDALS = ("", "Orbit", "Moon", "Stars")
FROM_ADDER = "Drag from the adder's output"
PRAISE_S = 4.0
"""So long is a medal told that was just reached, if it is not lost before."""


def coach(bench: Workbench) -> ToastModel | None:
    """What to do next, where something is due."""
    tools = bench.tools
    match tools.hand:
        case WireHand(via=bends):
            if bends:
                return ToastModel("Click tiles to bend the wire, a port to end it; Esc drops it")
            return None
        case PartHand() | PasteHand():
            return ToastModel("Click a tile to place it; hold Shift to place more; right click drops it")
    if tools.brush:
        speed = "stopped" if tools.speed is None else f"speed {speed_entry(tools.speed)}"
        return ToastModel(f"Speed brush, {speed}: hold V and drag over wires. Q takes the speed of a wire", "warm")
    return _first_steps(bench) or _praise(bench) or _news(bench) or _wait(bench)


def _praise(bench: Workbench) -> ToastModel | None:
    """A medal that was reached a moment ago and still is."""
    reached = medal(bench)
    return ToastModel(f"{reached}. Enter launches", "good") if reached and bench.clock < bench.praise_until else None


def medal(bench: Workbench) -> str:
    """The medal of the machine on the board as its final figure has it; "" while there is none."""
    score, report = bench.session.score, bench.session.report
    if report is None or report.verdict != "pass" or not medal_count(report.medal):
        return ""
    best = bench.session.best_known
    beyond = medal_count(report.medal) == 3 and best is not None and score.efficiency > best * (1 + 1e-9)
    return "Beyond" if beyond else MEDALS[medal_count(report.medal)]


def _news(bench: Workbench) -> ToastModel | None:
    return ToastModel(bench.news, "good") if bench.news and bench.clock < bench.news_until else None


def _wait(bench: Workbench) -> ToastModel | None:
    playing = bench.session.playback.playing
    if bench.waiting_s > 2 and has_tool(bench, "why") and not bench.asked_why and playing:
        return ToastModel("Something waits. Point at it and press Y: why?")
    return None


def _first_steps(bench: Workbench) -> ToastModel | None:
    """The first two levels."""
    level = bench.level
    if level.chapter != "first-light" or level.number not in ("01", "02"):
        return None
    first = level.number == "01"
    step = _to_wire(bench) if first else _to_add(bench)
    if step:
        return ToastModel(step)
    session, playback = bench.session, bench.session.playback
    if playback.simulation is None:
        return None
    if not playback.playing and playback.tick == 0 and not session.wants_to_play:
        return ToastModel("Space lets it run")
    return _pace(bench) if first else None


def _to_wire(bench: Workbench) -> str:
    wires = bench.session.design.wires
    if not wires:
        return "Drag from the left pad to the right one to lay a wire"
    if any(wire.every_ticks is None for wire in wires):
        return "The wire is stopped: its speed is for you to find. Roll the mouse wheel over it; Shift is finer"
    return ""


def _to_add(bench: Workbench) -> str:
    """Until the adder is wired: the next thing that is missing."""
    design = bench.session.design
    add = next((core for core in design.cores if core.core == "add"), None)
    if add is None:
        return "Click add in the palette, then a tile" if not design.wires else ""
    ends = {end for wire in design.wires for end in wire.ends}
    if _number_due(add, ends, _numbers(bench.level)) or (bench.tools.rolling and bench.tools.hover == add.id):
        return "Roll the mouse wheel over the adder: the number that it shows is what it adds"
    if not any(core == add.id for core, _ in ends):
        return "Drag from the left pad to the adder"
    if not any(wire.start[0] == add.id for wire in design.wires):
        return f"{FROM_ADDER}, the disc on its right side, to the right pad"
    if any(wire.every_ticks is None for wire in design.wires):
        return "A wire is stopped. Roll the mouse wheel over it"
    return ""


def led_from(bench: Workbench) -> str | None:
    """The core from whose output the coach asks for a wire."""
    level = bench.level
    if level.chapter != "first-light" or level.number != "02" or bench.tools.hand is not None:
        return None
    if not _to_add(bench).startswith(FROM_ADDER):
        return None
    return next(core.id for core in bench.session.design.cores if core.core == "add")


def first_line(bench: Workbench) -> tuple[Point, Point, float] | None:
    """The dotted line that shows the first moves of the first levels, and how much of it is drawn."""
    level = bench.level
    left, right = (pad.at for pad in level.pads[:2]) if len(level.pads) == 2 else ((0, 0), (0, 0))
    core = led_from(bench)
    if core is not None:
        notch = next((n for n in bench.tools.hits().layout.notches if n.element == core and not n.is_input), None)
        return ((notch.x + 0.9, notch.y), (right[0] + 0.1, right[1] + 0.5), 1.0) if notch else None
    if level.chapter != "first-light" or level.number != "01" or bench.session.design.wires or bench.tools.hand:
        return None
    run = 1.0 if bench.context.theme.reduced_motion else min(max(bench.clock - 0.4, 0.0) / 1.2, 1.0)
    return (left[0] + 0.9, left[1] + 0.5), (right[0] + 0.1, right[1] + 0.5), run


def _numbers(level: Level) -> set[int]:
    """Whole numbers that stand in what the level is to compute."""
    return {int(found) for found in re.findall(r"(?<![\w.])\d+(?![\w.])", level.kernel.truth or "")}


def _number_due(add: CoreSpec, ends: set[tuple[str, str]], asked: set[int]) -> bool:
    """Whether the adder has neither two wires nor a number; or, before any wire, one that is not asked for."""
    numbers = [add.set[port] for port in ("a", "b") if port in add.set]
    if not numbers:
        return not {(add.id, "a"), (add.id, "b")} <= ends
    return numbers[0] not in asked and not any(core == add.id for core, _ in ends)


def _pace(bench: Workbench) -> ToastModel | None:
    """Level 1 runs: which way to turn, from the verdict and the medal of the machine on the board."""
    session = bench.session
    report, wires = session.report, session.design.wires
    if report is None or not wires or not wires[0].every_ticks:
        return None
    if report.verdict == "pass" and report.medal == "gold":
        return ToastModel("In step. Press Enter to launch", "good")
    if report.verdict not in ("pass", "timeout"):
        return None
    every, asked = wires[0].every_ticks, session.insight.detents.get(0)
    if report.verdict == "timeout" or (asked is not None and every > asked):
        return ToastModel(f"a waits: the wire takes a word every {number(every / 100)} ns. Turn it up", "warm")
    if asked is not None and every < asked:
        return ToastModel("Faster than the pad: the wire moves air, and pays for it. Turn it down")
    return None
