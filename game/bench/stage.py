"""The application without a screen, for measurements."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from game.app import App

SIZE = (1920, 1080)
FRAME_S = 1 / 60


@contextmanager
def application() -> Iterator[App]:
    """With an empty data folder and the compiled engine."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
    from game.app import App
    from game.screens.registry import SCREENS
    from game.shell.warm import warm_up

    with tempfile.TemporaryDirectory() as folder:
        app = App(SCREENS, data=Path(folder), size=SIZE)
        app.context.engine_ready = warm_up()
        app.context.aside.start()
        try:
            yield app
        finally:
            app.close()
