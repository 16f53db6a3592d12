"""``perwatt match``: every wire at the rate that is asked of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from game.commands.load import board_problems, level_and_design, writable_design
from game.commands.output import command, print_problems, say


@command
def match(level_ref: str, design_ref: str, out: Path, *, packs: Sequence[Path] | None, force: bool) -> int:
    """Write the matched design to ``out`` and tell which wires changed."""
    from engine.match import match as matched
    from levels.compare import differences
    from levels.save import save_design

    level, design = level_and_design(level_ref, design_ref, packs)
    writable_design(out, force)
    problems = board_problems(level, design)
    if any(p.severity == "error" for p in problems):
        print_problems(problems)
        return 1
    result, skipped = matched(level.level, design.design)
    save_design(result, out)
    for change in differences(design.design, result):
        say(change.message)
    for wire in skipped:
        say(f"left alone: {wire.id} {wire.mark.value}")
    say(f"wrote {out}")
    return 0
