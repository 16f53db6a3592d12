"""How long it takes from the start of the process to the first picture: of a process that shows it and ends."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from statistics import median
from time import perf_counter
from typing import TypedDict

ONE_FRAME = """
from functools import partialmethod
from game import app, cli
app.App.run = partialmethod(app.App.run, 1)
cli.app(["play", *__import__("sys").argv[1:]])
"""


class Start(TypedDict):
    """Seconds: of the clock, and of the processor where the system tells (else 0)."""

    wall_s: float
    cpu_s: float


def measure(level: str | None = None, rounds: int = 5) -> Start:
    """Medians, of the title or the workbench of ``level``, without a screen and with an empty data folder."""
    found = [_once(level) for _ in range(rounds)]
    return {"wall_s": median(wall for wall, _ in found), "cpu_s": median(cpu for _, cpu in found)}


def _once(level: str | None) -> tuple[float, float]:
    without = {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
    before, began = _cpu(), perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", ONE_FRAME, "--data", folder, *([level] if level else [])]
        subprocess.run(command, env={**os.environ, **without}, stdout=subprocess.DEVNULL, check=True, timeout=120)
    return perf_counter() - began, _cpu() - before


def _cpu() -> float:
    """Processor time of the processes that this one has waited for."""
    spent = os.times()
    return spent.children_user + spent.children_system
