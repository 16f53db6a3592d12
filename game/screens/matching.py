"""M and Ctrl+M on the workbench: what Match does is the engine's; here is what is said about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.bounds import Mark
from engine.errors import InvalidError
from engine.match import Skipped, match
from game.said import said
from game.screens import shown

if TYPE_CHECKING:
    from game.screens.workbench import Workbench

REASONS = {
    Mark.LOOP: "in a loop",
    Mark.BURST: "behind a burst",
    Mark.ROADS: "on roads that meet, where slower holds up the other",
    Mark.STOPPED: "stopped",
}
NAMED = 3
"""Wires that are named; of more, how many there are."""
SAID_S = 8.0


def match_wires(bench: Workbench, everything: bool) -> None:
    """Wires at the rate that is asked of them: those that a key acts on, or all."""
    if not shown.has_tool(bench, "match"):
        bench.say("Match is earned at the end of In step: by hand first")
        return
    wires = None if everything else set(bench.tools.wires_meant())
    if wires is not None and not wires:
        bench.say("Select wires, or point at one; Ctrl+M matches all")
        return
    bench.tools.settle()
    before = bench.session.design
    try:
        design, left = match(bench.level, before, wires)
    except InvalidError as invalid:
        bench.say(f"Match needs a machine that can run: {said(invalid.problems[0])}", "bad")
        return
    changed = sum(a.every_ticks != b.every_ticks for a, b in zip(before.wires, design.wires, strict=True))
    if changed:
        bench.session.history.do(design, "match")
        bench.context.sounds.play("detent")
    done = f"Matched {changed} wire{'s' if changed != 1 else ''}" if changed else ""
    if left:
        action = ("select", *(wire.wire for wire in left))
        bench.say(f"{done}{'. ' if done else ''}{yours(left)}", "", action, "Show me", seconds=SAID_S)
    elif changed:
        bench.say(done, "good")
    else:
        _nothing(bench)


def _nothing(bench: Workbench) -> None:
    """Every wire has its rate already: good news only where the machine does what it should."""
    report = bench.session.report
    if report is not None and report.verdict == "pass":
        bench.say("Everything is in step", "good")
    else:
        bench.say("Every wire has the rate that is asked of it; what is wrong lies elsewhere")


def yours(left: Sequence[Skipped]) -> str:
    """Which wires were left to the player, each with the sign that it bears and what this means."""
    named = [f"{wire.id} {wire.mark.value} {REASONS[wire.mark]}" for wire in left[:NAMED]]
    if len(left) > NAMED:
        named.append(f"and {len(left) - NAMED} more")
    return f"Left to you: {', '.join(named)}"
