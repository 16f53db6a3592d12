"""``python -m game.pictures [folder]`` makes a PNG of every screen, for the documentation: docs/pictures by default.

Nothing is staged: the house's machines are launched into a fresh data folder, and the screens show what follows.
"""

from __future__ import annotations

import io
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from game.app import App, theme_of
from game.screens.probing import PAGE
from game.screens.registry import SCREENS
from game.screens.workbench import Workbench
from game.shell.launching import Launch, launch
from game.shell.places import level_path

if TYPE_CHECKING:
    from engine.model import Design, Level

SIZE = (1280, 720)
COLOURS = 128
PLAYED = (
    ("first-light-01-ignition", ("naive", "best")),
    ("first-light-02-in-step", ("naive", "best")),
    ("first-light-03-side-by-side", ("best",)),
    ("first-light-04-three-inside", ("naive",)),
    ("gpu-puzzles-01-map", ("best",)),
)
RESULT = "first-light-05-two-roads", ("naive", "without-near", "best")
FAILURE = "first-light-08-spring-cleaning", "wrong-stopped"
BENCH = "gpu-puzzles-11-convolution", "best"
PROBED = (0, 8, 19)
"""Wires of that machine with a lane each."""


def house(level: str, role: str) -> tuple[Level, Design]:
    """A level and one of its own designs."""
    from levels.files import load_design_file, load_level_file
    from levels.lookup import designs_beside

    path = level_path(level)
    return load_level_file(path).level, load_design_file(designs_beside(path)[role]).design


def launched(app: App, level: str, role: str) -> Launch:
    """Launch one of the house's designs."""
    from engine.simulation import simulate

    on, design = house(level, role)
    return launch(app.progress, on, design, simulate(on, design))


def make(folder: Path, size: tuple[int, int] = SIZE, scale: int = 100) -> list[Path]:
    """Write the pictures of all screens into ``folder`` and return their paths."""
    with tempfile.TemporaryDirectory() as data:
        app = App(SCREENS, data=Path(data), size=size)
        try:
            app.progress.put_setting("ui_scale", scale)
            app.context.theme = theme_of(app.progress)
            app.context.engine_ready = True
            return [_take(app, folder, name, stage) for name, stage in STAGES.items()]
        finally:
            app.close()


def _take(app: App, folder: Path, name: str, stage: Callable[[App], None]) -> Path:
    stage(app)
    surface = pygame.Surface(app.context.size)
    app.frame(1 / 60, surface)
    while app.depth > 1:
        app.back()
    path = folder / f"{name}.png"
    folder.mkdir(parents=True, exist_ok=True)
    path.write_bytes(small_png(surface))
    return path


def small_png(surface: pygame.Surface) -> bytes:
    """A PNG with a palette: these pictures have few colours."""
    from PIL import Image

    image = Image.frombytes("RGB", surface.get_size(), pygame.image.tobytes(surface, "RGB"))
    stream = io.BytesIO()
    image.quantize(COLOURS, dither=Image.Dither.NONE).save(stream, "PNG", optimize=True)
    return stream.getvalue()


def _title(app: App) -> None:
    from game.screens.title import Title

    app.show("title")
    app.frame(0.0)
    assert isinstance(app.screen, Title)
    app.screen.machine.start(wait=True)


def _campaign(app: App) -> None:
    for level, roles in PLAYED:
        for role in roles:
            launched(app, level, role)
    app.show("campaign")


def _workbench(app: App) -> None:
    level, role = BENCH
    app.show("workbench", level, house(level, role)[1])
    bench = app.screen
    for _ in range(5):
        app.frame(1 / 60)
    bench.session.settle()  # type: ignore[attr-defined]
    bench.briefing.open = False  # type: ignore[attr-defined]
    bench.session.playback.seek(30_000)  # type: ignore[attr-defined]
    for _ in range(60):
        app.frame(1 / 60)


def _probes(app: App) -> None:
    """The same machine with three lanes: the tokens, the words that come, and the sums."""
    _workbench(app)
    bench = app.screen
    assert isinstance(bench, Workbench)
    probing = bench.probing
    probing.probes.toggle(bench.session.design, PROBED)
    bench.plot_tab, probing.page = "probes", PAGE
    for _ in range(20):
        app.frame(1 / 60)
    probing.wait(60)


def _result(app: App) -> None:
    from game.screens.result import Result

    level, roles = RESULT
    done = [launched(app, level, role) for role in roles]
    app.show("result", done[-1])
    assert isinstance(app.screen, Result)
    app.screen.wait(60)
    app.screen.skip()


def _failure(app: App) -> None:
    from game.screens.result import Result

    app.show("result", launched(app, *FAILURE))
    assert isinstance(app.screen, Result)
    app.screen.wait(60)


def _settings(app: App) -> None:
    from game.screens.settings import Settings

    app.show("settings")
    app.frame(0.0)
    assert isinstance(app.screen, Settings)
    app.screen.machine.start(wait=True)


def _versus(app: App) -> None:
    """Two machines of the house for one level."""
    from game.comparing import Pair
    from game.screens.versus import Versus

    name, (first, *_, second) = RESULT
    level = house(name, first)[0]
    designs = tuple((role, house(name, role)[1]) for role in (first, second))
    app.show("versus", Pair(level, designs, 0, 1))
    assert isinstance(app.screen, Versus)
    app.frame(0.0)
    app.screen.reports.wait(60)
    for _ in range(240):
        app.frame(1 / 60)


STAGES: dict[str, Callable[[App], None]] = {
    "title": _title,
    "campaign": _campaign,
    "workbench": _workbench,
    "probes": _probes,
    "versus": _versus,
    "result": _result,
    "failure": _failure,
    "settings": _settings,
}


def main(arguments: list[str]) -> int:
    """Make the pictures; returns the exit code."""
    folder = Path(arguments[0]) if arguments else Path(__file__).parent.parent / "docs" / "pictures"
    for path in make(folder):
        print(f"wrote {path}: {path.stat().st_size // 1024} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
