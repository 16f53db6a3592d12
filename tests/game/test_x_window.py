"""The game in a real X window: Xvfb is the screen, xdotool the hand, and the data folder tells what came of it."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from engine.model import Design, Level
from engine.simulation import simulate
from game.panels.regions import regions
from game.theme import Theme
from game.view.camera import Camera
from levels import load_level
from levels.shelf import Shelf
from levels.store import Progress

MISSING = [tool for tool in ("Xvfb", "xdotool") if shutil.which(tool) is None]
pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"needs {' and '.join(MISSING)} (Debian: xvfb, xdotool)")

ROOT = Path(__file__).resolve().parents[2]
LEVEL = "first-light/01"
SIZE = (1280, 720)
PATIENCE_S = 60.0
"""For each thing that is waited for; only what does not answer at all takes so long."""

IMPORTS = 30
"""A first frame comes within so many times ``import pygame``; six are usual, up to fifteen on a busy machine."""

T = TypeVar("T")


def until(what: str, find: Callable[[], T]) -> T:
    """What ``find`` gives, as soon as it is true."""
    end = time.monotonic() + PATIENCE_S
    while not (found := find()):
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(0.01)
    return found


def stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class Desk:
    """An X server of our own on a free display, and the games that were started on it."""

    def __init__(self, folder: Path, cache: Path) -> None:
        self.folder = folder
        self.games: list[subprocess.Popen[bytes]] = []
        reading, writing = os.pipe()
        # -fbdir: the picture is a file, of the XWD format, so that no tool is needed to look at it.
        size = f"{SIZE[0]}x{SIZE[1]}x24"
        command = ["Xvfb", "-displayfd", str(writing), "-br", "-noreset", "-nolisten", "tcp", "-fbdir", str(folder)]
        with (folder / "xvfb.log").open("wb") as log:
            self.server = subprocess.Popen([*command, "-screen", "0", size], pass_fds=(writing,), stderr=log)
        os.close(writing)
        with os.fdopen(reading) as number:
            display = number.readline().strip()
        assert display, (folder / "xvfb.log").read_text()
        # A cache of our own keeps the compiled modules even where the environment forbids to write any.
        self.environment = {
            **{k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE" and not k.startswith("SDL_")},
            "DISPLAY": f":{display}",
            "SDL_VIDEODRIVER": "x11",
            "SDL_AUDIODRIVER": "dummy",
            "PYGAME_HIDE_SUPPORT_PROMPT": "1",
            "PYTHONPYCACHEPREFIX": str(cache),
        }

    def close(self) -> None:
        for process in (*self.games, self.server):
            stop(process)

    def python(self, *arguments: str) -> subprocess.Popen[bytes]:
        with (self.folder / "game.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, *arguments], cwd=ROOT, env=self.environment, stdout=log, stderr=log
            )

    def play(self, data: Path) -> subprocess.Popen[bytes]:
        """Start the game, and wait for its first frame."""
        assert self.is_dark()
        game = self.python("-m", "game.cli", "play", LEVEL, "--data", str(data))
        self.games.append(game)
        until("the first frame", lambda: game.poll() is not None or not self.is_dark())
        assert game.poll() is None, self.said()
        return game

    def said(self) -> str:
        """What the games have printed: nothing, if all is well."""
        return (self.folder / "game.log").read_text()

    def hand(self, *words: str | int) -> str:
        """Use the mouse or the keys."""
        command = ["xdotool", *map(str, words)]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=PATIENCE_S)
        assert done.returncode == 0, (words, done.stderr)
        return done.stdout

    def focus(self, game: subprocess.Popen[bytes]) -> None:
        """Give the window the keys, which a window manager would do."""
        window = self.hand("search", "--sync", "--onlyvisible", "--pid", game.pid).split()[0]
        assert self.hand("getwindowname", window).strip() == "Perwatt"
        self.hand("windowfocus", "--sync", window)

    def drag(self, *places: tuple[int, int]) -> None:
        self.hand("mousemove", *places[0], "mousedown", 1)
        for place in places[1:]:
            self.hand("mousemove", *place)
        self.hand("mouseup", 1)

    def leave(self, game: subprocess.Popen[bytes]) -> None:
        """Back to the title, where Escape does nothing, and to its last button, which is Quit."""
        keys = ["Escape"] * 4, ["shift+Tab"], ["Return"]

        def over() -> bool:
            # A screen takes keys once it has been drawn; how long that takes is for the machine to say.
            for pressed in keys:
                self.hand("key", *pressed)
                time.sleep(0.5)
            return game.poll() is not None

        until("the game to end", over)
        assert game.returncode == 0
        assert self.said() == ""

    # --- looking -----------------------------------------------------------------------------------------

    def is_dark(self) -> bool:
        """Whether nothing has been drawn in the middle: no colour of the game is quite black."""
        with (self.folder / "Xvfb_screen0").open("rb") as screen:
            header = struct.unpack(">25I", screen.read(100))
            length, bits, pitch, colours = header[0], header[11], header[12], header[19]
            assert bits == 32
            screen.seek(length + 12 * colours + SIZE[1] // 2 * pitch + SIZE[0] // 2 * bits // 8)
            return not any(screen.read(3))  # the fourth byte says nothing


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pycache")


@pytest.fixture
def desk(tmp_path: Path, cache: Path) -> Iterator[Desk]:
    folder = tmp_path / "desk"
    folder.mkdir()
    found = Desk(folder, cache)
    yield found
    found.close()


@pytest.fixture
def level() -> Level:
    return load_level(LEVEL)


def tile(level: Level, column: int, row: int) -> tuple[int, int]:
    """The middle of a tile on the screen, in a window that has just been opened."""
    board = regions(SIZE, Theme()).board
    camera = Camera(*level.board.size, (board.x, board.y, board.width, board.height))
    camera.fit()
    x, y = camera.to_screen(column + 0.5, row + 0.5)
    return round(x), round(y)


def saved(data: Path, level: Level) -> Design:
    """The design on the board, as the game has saved it."""
    shelf = Shelf(data)
    return shelf.load(shelf.designs(level.id)[-1])


def test_the_first_level_is_built_and_launched_with_mouse_and_keys(desk: Desk, tmp_path: Path, level: Level) -> None:
    data = tmp_path / "data"
    progress = Progress(data)
    progress.put_setting("briefs", [level.id])  # it was read: the board has the window to itself
    progress.close()
    game = desk.play(data)
    desk.focus(game)
    places = {pad.id: tile(level, *pad.at) for pad in level.pads}
    middle = tile(level, level.board.size[0] // 2, level.pads[0].at[1])

    desk.drag(places["a"], middle, places["out"])
    until("the wire", lambda: len(saved(data, level).wires) == 1)
    assert saved(data, level).wires[0].every_ticks is None
    assert simulate(level, saved(data, level), engine="plain").verdict == "deadlock"

    desk.hand("mousemove", *middle)
    for _ in range(12):
        before = saved(data, level)
        desk.hand("click", "--repeat", 10, "--delay", 60, 4)
        until("the speed", lambda before=before: saved(data, level).wires != before.wires)  # type: ignore[misc]
        if simulate(level, saved(data, level), engine="plain").medal:
            break
    report = simulate(level, saved(data, level), engine="plain")
    assert report.medal and report.metrics

    desk.hand("key", "Return")
    run, *others = until("the launch", lambda: Progress(data).runs(level.id))
    assert not others
    assert (run.verdict, run.medal, run.design_hash) == ("pass", report.medal, report.design_hash)
    assert run.efficiency == report.metrics.efficiency_launches_per_nj

    desk.leave(game)
    assert saved(data, level).wires[0].every_ticks


def test_the_first_frame_comes_soon(desk: Desk, tmp_path: Path) -> None:
    def game() -> float:
        before = time.perf_counter()
        process = desk.play(tmp_path / "data")
        taken = time.perf_counter() - before
        desk.focus(process)
        desk.leave(process)
        return taken

    def imported() -> float:
        before = time.perf_counter()
        assert desk.python("-c", "import pygame").wait(PATIENCE_S) == 0
        return time.perf_counter() - before

    game(), imported()  # the caches are cold
    pairs = [(game(), imported()) for _ in range(2)]  # side by side, under much the same load
    frame, unit = min(pairs, key=lambda pair: pair[0] / pair[1])
    print(f"first frame after {frame:.2f} s, import pygame {unit:.2f} s: {frame / unit:.1f} times")
    assert frame < IMPORTS * unit
