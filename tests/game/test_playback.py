"""The picture is a function of (design, time): however one gets to a moment, the same machine stands there."""

from __future__ import annotations

import random

import numpy as np
import pytest

from engine import Simulation
from engine.log import INDEX, TICK, WHAT, WORDS, Log, What
from engine.machine import Stop
from engine.model import Design, Level
from engine.simulation import EngineName
from game.playback import Playback
from levels import load_design, load_level
from levels.lookup import find_level


def naive(level_id: str) -> tuple[Level, Design]:
    level = load_level(level_id)
    assert level.reference
    return level, load_design(find_level(level_id).parent / level.reference.naive)


LEVELS = ("first-light-05-two-roads", "first-light-09-merry-go-round")


def fresh(level: Level, design: Design, tick: int) -> Simulation:
    simulation = Simulation(level, design)
    while simulation.machine.run(tick) not in (Stop.UNTIL, Stop.FAULT, Stop.DEADLOCK, Stop.TIMEOUT):
        pass
    return simulation


@pytest.mark.parametrize("level_id", LEVELS)
@pytest.mark.parametrize("rate", [20, 60, 240])
def test_the_same_at_any_frame_rate(level_id: str, rate: int) -> None:
    level, design = naive(level_id)
    playback = Playback(level, design)
    playback.pace, playback.playing = 100.0, True
    for _ in range(rate * 2):
        playback.update(1 / rate)
    assert playback.tick == pytest.approx(20_000, abs=2)
    playback.seek(20_000)
    assert playback.state() == fresh(level, design, 20_000).state()
    assert playback.simulation
    assert playback.simulation.report() == Simulation(level, design).report()


@pytest.mark.parametrize("level_id", LEVELS)
def test_scrubbing_back_and_forth(level_id: str) -> None:
    level, design = naive(level_id)
    playback = Playback(level, design)
    rng = random.Random(3)
    for _ in range(40):
        tick = rng.randrange(60_000)
        playback.seek(tick)
        assert playback.tick == tick
        assert playback.state() == fresh(level, design, tick).state()


def test_steps_back_are_the_steps_forward_in_reverse() -> None:
    level, design = naive("first-light-05-two-roads")
    playback = Playback(level, design)
    seen = []
    for _ in range(40):
        playback.step()
        seen.append((playback.tick, playback.state()))
    for tick, state in reversed(seen[:-1]):
        playback.step_back()
        assert (playback.tick, playback.state()) == (tick, state)


def test_a_long_way_back_after_an_edit_is_left_to_the_next_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    level, design = naive("first-light-05-two-roads")
    playback = Playback(level, design)
    playback.seek(60_000)
    monkeypatch.setattr("game.playback.FRAME_SECONDS", 0.0)
    playback.set_design(design)
    assert playback.tick < 60_000
    playback.set_design(design)  # a second edit on the way: the moment stays the one that was shown before both
    shown = [playback.tick]
    while shown[-1] < 60_000:
        assert playback.state() == fresh(level, design, shown[-1]).state()
        playback.update(1 / 60)
        shown.append(playback.tick)
    assert len(shown) > 3 and shown == sorted(shown) and shown[-1] == 60_000
    assert playback.state() == fresh(level, design, 60_000).state()
    playback.set_design(design)
    playback.step_back()  # whoever asks for another moment does not wait for frames
    assert 59_000 < playback.tick < 60_000


def test_an_edit_keeps_the_time() -> None:
    level, design = naive("first-light-05-two-roads")
    playback = Playback(level, design)
    playback.seek(12_345)
    wires = [w.model_copy(update={"every_ticks": 150}) for w in design.wires]
    edited = design.model_copy(update={"wires": wires})
    playback.set_design(edited)
    playback.catch_up()
    assert playback.tick == 12_345
    assert playback.state() == fresh(level, edited, 12_345).state()
    playback.set_design(edited.model_copy(update={"wires": []}))
    assert playback.tick == 12_345
    assert playback.packets() is None
    assert playback.problems


def test_launches_forward_and_back() -> None:
    level, design = naive("first-light-09-merry-go-round")
    ticks = Simulation(level, design)
    ticks.report()
    counted = ticks.machine.completions().tolist()[:4]
    playback = Playback(level, design)
    for tick in counted:
        playback.next_launch()
        assert playback.tick == tick
    for tick in reversed(counted[:-1]):
        playback.previous_launch()
        assert playback.tick == tick
    playback.previous_launch()
    assert playback.tick == 0


def test_a_breakpoint_stops_at_the_firing() -> None:
    level, design = naive("first-light-05-two-roads")
    playback = Playback(level, design)
    playback.breakpoints.elements = {"out"}
    playback.pace, playback.playing = 400.0, True
    for _ in range(60):
        playback.update(1 / 60)
    assert playback.broke_at == "out"
    assert not playback.playing
    assert playback.netlist
    node = next(i for i, n in enumerate(playback.netlist.nodes) if n.id == "out")
    state = playback.state()
    assert state
    assert state.nodes[node].last_firing == playback.tick


@pytest.mark.parametrize("engine", ["plain", "compiled"])
@pytest.mark.parametrize("pace", [7.0, 400.0, 1e9])
def test_breakpoints_on_values_and_launches_are_never_missed(engine: EngineName, pace: float) -> None:
    level, design = naive("first-light-05-two-roads")
    watched = Simulation(level, design, engine="plain")
    rows: list[Log] = []
    watched.machine.watch(rows.append)
    watched.run_until(400)
    log, completions = np.concatenate(rows), watched.machine.completions()
    assert watched.netlist.wires[4].id
    entered = log[(log[:, WHAT] == What.ENTERED) & (log[:, INDEX] == 4)]
    value = int(entered[17, WORDS])
    at = entered[entered[:, WORDS] == value][:, TICK].tolist()

    def stop(playback: Playback) -> int:
        playback.pace, playback.playing = pace, True
        for _ in range(3000):
            playback.update(1 / 60)
            if not playback.playing:
                return playback.tick
        raise AssertionError("it did not stop")

    playback = Playback(level, design, engine=engine)
    playback.breakpoints.values = {(watched.netlist.wires[4].id, value)}
    assert stop(playback) == at[0]
    assert playback.broke_at == f"{value} on {watched.netlist.wires[4].id}"
    state = playback.state()
    assert state and state.wires[4].last_entry == at[0]
    # A launch that comes before the next such value stops play first; then the value again, or another launch.
    n = int(np.searchsorted(completions, at[0], side="right")) + 2
    playback.breakpoints.launches = {n}
    later = [tick for tick in (*at[1:], int(completions[n - 1])) if tick > at[0]]
    assert stop(playback) == min(later)
    playback.breakpoints.values.clear()
    playback.seek(0)
    assert stop(playback) == completions[n - 1] and playback.broke_at == f"launch {n}"
    assert len(playback.completions()) == n
    playback.playing = True
    playback.update(1 / 60)
    assert playback.broke_at is None and playback.playing


def test_a_fault_halts_and_one_can_step_back_from_it() -> None:
    level, design = naive("first-light-02-in-step")
    cores = [c.model_copy(update={"set": {"b": 11}}) for c in design.cores]
    playback = Playback(level, design.model_copy(update={"cores": cores}))
    playback.to_halt()
    assert playback.halted is Stop.FAULT
    fault = playback.fault()
    assert fault
    assert fault.code == "wrong-value"
    at = playback.tick
    playback.step_back()
    assert playback.halted is None
    assert playback.tick < at
    playback.to_halt()
    assert playback.tick == at
