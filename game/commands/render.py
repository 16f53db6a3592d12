"""``perwatt render``: a picture of a machine, or a looping one."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from engine.errors import UsageError, nearest
from engine.model import Level
from game.commands.load import board_problems, level_and_design, writable
from game.commands.output import command, print_problems, progress, say

SIZES = {".png": (1920, 1080), ".gif": (960, 540)}
"""Default sizes by kind of file."""


@command
def render(
    level_ref: str,
    design_ref: str,
    out: Path,
    *,
    packs: Sequence[Path] | None,
    time: float | None,
    size: str | None,
    overlay: str | None,
    force: bool,
) -> int:
    """Run the design and write a PNG of one moment, or a GIF of one period."""
    kind = out.suffix.lower()
    if kind not in SIZES:
        raise UsageError(f"{out.name}: the name tells what is made: end it in .png or .gif")
    if time is not None and kind == ".gif":
        raise UsageError("--time is for a PNG: a GIF shows one period")
    width, height = size_of(size) if size else SIZES[kind]
    level, design = level_and_design(level_ref, design_ref, packs)
    if overlay is not None:
        _check_overlay(overlay, level.level)
    writable(out, force)
    problems = board_problems(level, design)
    if any(p.severity == "error" for p in problems):
        print_problems(problems)
        return 1
    without_screen()
    from game.commands.quick import simulate_quickly
    from game.export import Studio, gif, pixels_of, png
    from levels.writing import write_file

    report = simulate_quickly(level.level, design.design)
    studio = Studio(
        level.level,
        design.design,
        report,
        size=(width, height),
        overlay=overlay,
        engine="plain" if report.engine == "plain" else "auto",
    )
    if kind == ".png":
        moment = studio.moment if time is None else time
        write_file(out, png(pixels_of(studio.picture(moment))))
        say(f"wrote {out}: {width} × {height}, t = {moment:.2f} ns")
        return 0
    film = studio.film()
    # Each frame is drawn, and then packed.
    with progress("drawing", 2 * film.frames) as advance:
        write_file(out, gif(studio.frames(film), film.frame_ms, advance))
    what = "one period" if report.window and report.window.period_ns else "one launch" if report.window else "the end"
    say(f"wrote {out}: {width} × {height}, {film.frames} frames of {film.frame_ms} ms, {what}: {film.length_ns:.2f} ns")
    return 0


def without_screen() -> None:
    """Make pygame work where there is no screen, and say nothing. To be called before it is imported."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")


def size_of(text: str) -> tuple[int, int]:
    """Width and height of ``1920x1080``. Raises UsageError with what is allowed."""
    found = re.fullmatch(r"(\d{1,5})[x×](\d{1,5})", text.strip().lower())
    if found and all(64 <= int(side) <= 7680 for side in found.groups()):
        return int(found[1]), int(found[2])
    raise UsageError(f"--size is '{text}': give width and height in pixels, 64 to 7680 each, as 1920x1080")


def _check_overlay(overlay: str, level: Level) -> None:
    without_screen()
    from game.view.scene import overlays_of

    names = overlays_of(level)
    if overlay not in names:
        meant = nearest(overlay, names)
        hint = f"did you mean '{meant}'?" if meant else f"there are: {', '.join(names)}"
        raise UsageError(f"there is no overlay '{overlay}' in {level.id}: {hint}")
