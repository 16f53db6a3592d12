"""perwatt bench --live: every notch turns its wire, however slow the machine is that measures."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from engine.model import Design
from game.bench import live
from game.bench.stage import application
from game.screens.workbench import Workbench
from levels.files import load_design_file
from levels.lookup import campaign, designs_beside


def test_under_load_every_notch_turns_its_wire(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = next(entry for entry in campaign() if entry.id == "first-light-02-in-step")
    with application() as app:
        app.show("workbench", entry.id, load_design_file(designs_beside(Path(entry.path))["best"]).design)
        bench = app.screen
        assert isinstance(bench, Workbench)
        bench.briefing.open = False
        bench.session.settle()
        player = live._Player(app, bench)
        # Each frame takes four times as long as it tells the game: the clock runs ahead of the game's own time.
        moment = [0.0]
        monkeypatch.setattr(live, "perf_counter", lambda: moment[0])
        monkeypatch.setattr(live, "sleep", lambda seconds: None)
        frame = app.frame

        def slow(seconds: float) -> None:
            frame(seconds)
            bench.session.settle()
            moment[0] += 4 * seconds

        monkeypatch.setattr(app, "frame", slow)
        wires = [i for i, wire in enumerate(bench.session.design.wires) if wire.every_ticks]
        seen: list[Design] = [bench.session.design]
        for k in range(12):
            player.turn(wires[0], -1 if k % 2 else 1, 0.5)
            seen.append(bench.session.design)
        assert all(before != after for before, after in pairwise(seen))
        assert len(player.first) == len(player.final) == 12
