"""F12 and Shift F12: a picture of the screen, and the machine's loop as a GIF, into the data folder's ``pictures``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pygame

from engine.errors import InvalidError
from engine.model import Design, Level, Report
from game.background import Background
from game.said import said
from levels.refusals import refusal, shortened

if TYPE_CHECKING:
    from game.screens.workbench import Workbench

LOOP_SIZE = (960, 540)
MOST = 10_000
"""Files of one name that are looked for at most."""


@dataclass(frozen=True)
class _Wish:
    level: Level
    design: Design
    report: Report | None
    overlay: str | None
    folder: Path


def save_new(folder: Path, name: str, suffix: str, data: bytes) -> Path:
    """Write ``name-001.png`` or the first number that is free. No file is ever overwritten. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(1, MOST):
        path = folder / f"{name}-{number:03d}{suffix}"
        try:
            with path.open("xb") as stream:
                stream.write(data)
        except FileExistsError:
            continue
        return path
    raise OSError(f"{folder} holds {MOST - 1} pictures of {name} already")


class Keepsakes:
    """Saves pictures of one workbench. Loops are made in the background: they take a few seconds."""

    def __init__(self, bench: Workbench) -> None:
        self.bench = bench
        self.making = False
        self._worker: Background[_Wish, str | Path | OSError | InvalidError] | None = None

    @property
    def folder(self) -> Path:
        return self.bench.context.shelf.data / "pictures"

    def picture(self) -> None:
        """The screen as it is, as a PNG."""
        from game.export import pixels_of, png

        bench = self.bench
        surface = pygame.Surface(bench.context.size)
        bench.draw(surface)
        try:
            path = save_new(self.folder, bench.level.id, ".png", png(pixels_of(surface)))
        except OSError as error:
            bench.say(f"The picture could not be saved: {refusal(error)}", "bad")
            return
        bench.say(f"Saved as {shortened(str(path), 100)}", "good")

    def loop(self) -> None:
        """One period of the machine, or one launch, as a GIF that repeats, with its score on a plate."""
        bench, session = self.bench, self.bench.session
        bench.tools.settle()
        if session.problems:
            bench.say(f"There is no loop to save: {said(session.problems[0])}", "bad")
            return
        if self.making:
            bench.say("A loop is being made already")
            return
        if self._worker is None:
            self._worker = Background(_make, "loop")
        self.making = True
        self._worker.submit(_Wish(bench.level, session.design, session.report, bench.overlay, self.folder))
        bench.say("The loop is being made …", seconds=60)

    def update(self) -> None:
        """Tell how far the loop is, and where it was saved."""
        for news in self._worker.poll() if self._worker is not None else ():
            self.making = isinstance(news, str)
            match news:
                case Path():
                    self.bench.say(f"Saved as {shortened(str(news), 100)}", "good")
                case str():
                    self.bench.say(news, seconds=60)
                case _:
                    self.bench.say(
                        f"The loop could not be saved: {refusal(news) if isinstance(news, OSError) else news}", "bad"
                    )

    def wait(self, seconds: float) -> bool:
        """Wait for the loop. For tests."""
        return self._worker is None or self._worker.wait(seconds)

    def close(self) -> None:
        """A loop that is not done is given up."""
        if self._worker is not None:
            self._worker.close()


def _make(wish: _Wish) -> Iterator[str | Path | OSError | InvalidError]:
    from engine.simulation import simulate
    from game.export import Studio, gif

    try:
        report = wish.report or simulate(wish.level, wish.design)
        studio = Studio(wish.level, wish.design, report, size=LOOP_SIZE, overlay=wish.overlay)
        film = studio.film()
        frames = []
        for k, frame in enumerate(studio.frames(film)):
            frames.append(frame)
            if k % 10 == 9:
                yield f"The loop is being made: {k + 1} of {film.frames} frames"
        yield save_new(wish.folder, wish.level.id, ".gif", gif(iter(frames), film.frame_ms))
    except (OSError, InvalidError) as error:
        yield error
