"""``perwatt play``: the game in its window, or a picture of a given state without one."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import UsageError
from game.commands.load import all_packs, level_and_design, writable
from game.commands.output import command, say
from game.commands.render import size_of, without_screen

if TYPE_CHECKING:
    from engine.model import Design
    from levels.store import Progress

FRAME_S = 1 / 60


@command
def play(
    level: str | None,
    *,
    design: str | None,
    data: Path | None,
    packs: Sequence[Path] | None,
    size: str,
    fullscreen: bool,
    screenshot: Path | None,
    frames: int,
    scale: int | None,
    force: bool,
) -> int:
    """Open the title, or the workbench of ``level``; with ``screenshot`` show ``frames`` frames and save the last."""
    if level is None and design is not None:
        raise UsageError("--design needs the level that it is for: perwatt play LEVEL --design DESIGN")
    window = size_of(size)
    wanted, given = _resolve(level, design, packs)
    if screenshot is not None:
        if screenshot.suffix.lower() != ".png":
            raise UsageError(f"{screenshot.name}: a screenshot is a .png")
        writable(screenshot, force)
        without_screen()
        with tempfile.TemporaryDirectory() as empty:
            if data is not None:
                _copy(data, Path(empty))
            _picture(wanted, given, Path(empty), window, screenshot, frames, scale)
        say(f"wrote {screenshot}: {window[0]} × {window[1]}")
        return 0
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    progress = _coloured(data)
    from game.app import App
    from game.screens.registry import SCREENS

    app = App(SCREENS, data=data, size=window, fullscreen=fullscreen, progress=progress)
    app.show("title")
    if wanted is not None:
        app.show("workbench", wanted, given)
    app.run()
    return 0


def _resolve(level: str | None, design: str | None, packs: Sequence[Path] | None) -> tuple[str | None, Design | None]:
    """The level as the workbench takes it, and the design. Raises InvalidError where one is not good."""
    if level is None:
        return None, None
    if design is not None:
        loaded, found = level_and_design(level, design, packs)
        return str(loaded.path), found.design
    from game.shell.places import SANDBOX, level_path
    from levels.files import load_level_file
    from levels.lookup import find_level

    path = level_path(level) if level == SANDBOX else find_level(level, all_packs(packs))
    return str(load_level_file(path).path), None


def _copy(data: Path, to: Path) -> None:
    """What a picture shows of a data folder. The picture is made of a copy: looking changes nothing that is kept."""
    from levels.datafolder import DESIGNS
    from levels.store import FILE

    wanted = [data / FILE, *(data / DESIGNS).rglob("*.yaml"), *(data / "levels").rglob("*")]
    for path in wanted:
        if path.is_file():
            there = to / path.relative_to(data)
            there.parent.mkdir(parents=True, exist_ok=True)
            with suppress(OSError):
                there.write_bytes(path.read_bytes())


def _coloured(data: Path | None) -> Progress:
    """The player's progress and settings, with the colours chosen that stand there: before anything that draws."""
    from game import palette
    from levels.store import Progress

    progress = Progress(data, spare=True)
    palette.choose(progress.setting("palette", 0))
    return progress


def _picture(
    level: str | None,
    design: Design | None,
    data: Path,
    size: tuple[int, int],
    out: Path,
    frames: int,
    scale: int | None,
) -> None:
    import pygame

    progress = _coloured(data)
    from game.app import App, theme_for
    from game.export import pixels_of, png
    from game.screens.registry import SCREENS
    from game.screens.workbench import Workbench
    from levels.writing import write_file

    app = App(SCREENS, data=data, size=size, progress=progress)
    if scale is not None:
        app.progress.put_setting("ui_scale", scale)
        app.context.theme = theme_for(app.progress, size)
    surface = pygame.Surface(size, depth=32)
    try:
        if level is None:
            app.show("title")
        else:
            app.show("workbench", level, design)
            # The background's results come at no particular frame: a picture waits for them.
            if isinstance(app.screen, Workbench):
                app.screen.session.settle()
        for _ in range(frames):
            app.frame(FRAME_S, surface)
        write_file(out, png(pixels_of(surface)))
    finally:
        app.close()
