"""Probes: a lane shows what passes its wire, outlives edits, and obeys T, its cross, the mouse and the wheel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pygame
import pytest

from engine.follow import NodeTrack, WireTrack
from engine.machine import Options, PacketView
from engine.model import Design, Level
from engine.plain import PlainMachine
from engine.simulation import Simulation
from engine.trace import Chosen, record
from game.editor import edits
from game.panels.lanes import _cover, room_for
from game.probes import MOST_LANES, Probes, names_of
from game.recorder import NEVER, Recorder, States, Wave, Wish
from game.screens.probing import PAGE
from levels import find_level, load_design, load_level
from tests.game.player import Player


def level_of(name: str, role: str = "best") -> tuple[Level, Design]:
    path = find_level(name)
    level = load_level(path)
    assert level.reference
    return level, load_design(path.parent / getattr(level.reference, role))


# --- what is recorded --------------------------------------------------------------------------------------


class Watched:
    """What a follower tells: by tick of a wire what is at its end and whether that waits, of a node its state."""

    def __init__(self) -> None:
        self.seen: list[tuple[int, PacketView | None, bool]] = []
        self.states: list[tuple[int, str]] = []

    def attach(self, follower: object) -> None: ...

    def close(self) -> None: ...

    def at(self, tick: int, nodes: Sequence[NodeTrack], wires: Sequence[WireTrack]) -> None:
        for wire in wires:
            self.seen.append((tick, wire.shown(tick), wire.blocked(tick)))
        for node in nodes:
            self.states.append((tick, ("starved", "busy", "blocked")[node.state(tick)]))


@pytest.mark.parametrize("name", ["first-light/05", "first-light/06", "gpu-puzzles/09"])
@pytest.mark.parametrize("role", ["naive", "best"])
def test_a_wave_is_what_a_trace_shows(name: str, role: str) -> None:
    """Two ways from the log to the words at a wire's end: both say the same at every tick at which one changes."""
    level, design = level_of(name, role)
    wires = tuple(range(len(design.wires)))
    until = 15_000
    [*_, recording] = Recorder(level, "plain").work(Wish(design, wires, until))
    assert recording.until == until
    simulation = Simulation(level, design, engine="plain")
    words = 0
    for w, wire_name in enumerate(names_of(design)):
        net = simulation.netlist
        watched = Watched()
        machine = PlainMachine(net, simulation.workload, Options())
        record(machine, watched, Chosen((), (w,)), until=until)
        wave = recording.waves[w]
        assert isinstance(wave, Wave)
        assert len(wave.at) == len(wave.taken) == len(wave.gone) == len(wave.launch)
        assert (np.diff(wave.at) > 0).all() and (wave.gone[:-1] <= wave.at[1:]).all()
        for tick, packet, blocked in watched.seen:
            k = wave.index_at(tick)
            assert (k is None) == (packet is None), (wire_name, tick)
            if k is not None and packet is not None:
                assert tuple(wave.words[k].tolist()) == packet.words
                launch = -1 if packet.any else packet.launch
                assert (wave.launch[k], wave.masked[k]) == (launch, packet.masked)
                assert (wave.at[k] <= tick < wave.taken[k]) == blocked
                words += 1
    assert words > 100


@pytest.mark.parametrize("name", ["first-light/05", "first-light/06", "gpu-puzzles/09", "gpu-puzzles/12"])
@pytest.mark.parametrize("role", ["naive", "best"])
def test_states_are_those_that_a_trace_shows(name: str, role: str) -> None:
    level, design = level_of(name, role)
    simulation = Simulation(level, design, engine="plain")
    net, until = simulation.netlist, 12_000
    elements = [element.id for element in net.elements]
    [*_, recording] = Recorder(level, "plain").work(Wish(design, tuple(elements), until))
    seen: set[str] = set()
    for i, node in enumerate(net.nodes):
        states = recording.waves.get(elements[node.element])
        if states is None:
            assert sum(n.element == node.element for n in net.nodes) > 1
            continue
        assert isinstance(states, States)
        watched = Watched()
        record(PlainMachine(net, simulation.workload), watched, Chosen((i,), ()), until=until)
        for tick, state in watched.states:
            assert states.state_at(tick) == state, (node.id, tick)
        seen |= {state for _, state in watched.states}
    assert len(seen) == 3 or (len(seen) == 2 and (name, role) != ("first-light/06", "naive"))


def test_a_recording_goes_on_where_it_ended() -> None:
    level, design = level_of("first-light/05")
    recorder = Recorder(level, "plain")
    [*_, first] = recorder.work(Wish(design, (0, 2), 4_000))
    simulation = recorder._simulation
    [*_, second] = recorder.work(Wish(design, (0, 2), 9_000))
    assert recorder._simulation is simulation
    [*_, whole] = Recorder(level, "plain").work(Wish(design, (0, 2), 9_000))
    for item, wave in whole.waves.items():
        begun, again = first.waves[item], second.waves[item]
        assert isinstance(wave, Wave) and isinstance(begun, Wave) and isinstance(again, Wave)
        assert np.array_equal(again.at, wave.at) and np.array_equal(again.words, wave.words)
        assert len(begun.at) < len(wave.at)


def test_a_machine_that_hangs_stays_as_it_is() -> None:
    level, design = level_of("first-light/05", "naive")
    stopped = design.model_copy(
        update={"wires": [*design.wires[:-1], design.wires[-1].model_copy(update={"every_ticks": None})]}
    )
    [*_, recording] = Recorder(level, "plain").work(Wish(stopped, tuple(range(len(stopped.wires))), 20_000))
    assert recording.until == NEVER
    waves = [wave for wave in recording.waves.values() if isinstance(wave, Wave)]
    waiting = [wave for wave in waves if len(wave.at) and wave.taken[-1] == NEVER]
    assert waiting and all(wave.gone[-1] == NEVER and wave.index_at(10**9) == len(wave.at) - 1 for wave in waiting)


def test_a_design_that_cannot_run_has_no_recording() -> None:
    level, design = level_of("first-light/05")
    broken = design.model_copy(update={"cores": design.cores[:-1]})
    assert list(Recorder(level, "plain").work(Wish(broken, (0,), 1_000))) == []


# --- which wires --------------------------------------------------------------------------------------------


def test_lanes_go_by_name() -> None:
    level, design = level_of("first-light/05")
    probes = Probes(level, "plain")
    assert probes.toggle(design, [2]) is True and probes.toggle(design, [0, 2]) is True
    assert probes.places(design) == [2, 0]
    fewer = design.model_copy(update={"wires": design.wires[1:]})
    assert probes.places(fewer) == [1, None]
    assert probes.places(design) == [2, 0]
    assert probes.toggle(design, [2]) is False
    assert probes.places(design) == [0]


def test_a_renamed_core_keeps_its_lanes_and_so_does_undo() -> None:
    level, design = level_of("first-light/05")
    probes = Probes(level, "plain")
    wire = next(w for w, spec in enumerate(design.wires) if spec.source.startswith("less."))
    into = next(w for w, spec in enumerate(design.wires) if spec.to[0].startswith("less."))
    probes.toggle(design, [wire, into])
    probes.rename("less", "minus")
    renamed = edits.rename(level, design, "less", "minus")
    assert probes.places(renamed) == probes.places(design) == [wire, into]


def test_there_is_an_end_to_lanes() -> None:
    level, design = level_of("first-light/05")
    design = design.model_copy(update={"wires": design.wires * 3})
    probes = Probes(level, "plain")
    assert probes.toggle(design, range(MOST_LANES)) is True
    assert probes.toggle(design, [MOST_LANES]) is None
    assert len(probes.lanes) == MOST_LANES


def test_names_are_all_different() -> None:
    _, design = level_of("first-light/05")
    twice = design.model_copy(update={"wires": [design.wires[0], *design.wires]})
    assert len(set(names_of(twice))) == len(twice.wires)


def test_cover_is_the_share_of_each_column() -> None:
    """Against a count tick by tick."""
    rng = np.random.default_rng(5)
    edges = np.unique(rng.integers(0, 3_000, 80))
    edges = edges[: len(edges) // 2 * 2]
    starts, ends = edges[::2], edges[1::2]
    ticks = np.zeros(3_000)
    for a, b in zip(starts, ends, strict=True):
        ticks[a:b] = 1
    found = _cover(starts, ends, 500, 25.0, 60)
    assert np.allclose(found, ticks[500:2_000].reshape(60, 25).mean(axis=1))
    assert not _cover(starts[:0], ends[:0], 500, 25.0, 60).any()


# --- on the workbench ----------------------------------------------------------------------------------------


SIZES = {"wide": ((1920, 1080), 100), "narrow": ((1280, 720), 100), "double": ((2560, 1440), 200)}
at_all_sizes = pytest.mark.parametrize("player", SIZES, indirect=True)


@pytest.fixture
def player(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Player]:
    size, scale = SIZES[getattr(request, "param", "narrow")]
    found = Player(tmp_path, size, {"ui_scale": scale})
    level, design = level_of("first-light/06", "naive")
    found.app.show("workbench", level.id, design)
    found.frames(2)
    found.bench.briefing.open = False
    found.settle()
    found.bench.session.playback.playing = found.bench.session.wants_to_play = False
    yield found
    found.close()


def lanes(player: Player) -> list[str]:
    return [names[-1] for names in player.bench.probing.probes.lanes]


def point(player: Player, wire: int) -> None:
    player.move(player.on_wire(wire))
    player.frames()


def recorded(player: Player) -> None:
    player.frames(12)
    player.bench.probing.wait(10)
    player.frames()


@at_all_sizes
def test_t_adds_a_lane_and_takes_it_away(player: Player) -> None:
    bench = player.bench
    names = names_of(bench.session.design)
    player.move((3, 3))
    player.frames()
    player.key("t")
    assert lanes(player) == [] and bench.toast and "press T" in bench.toast[0].text
    point(player, 1)
    player.key("t")
    assert lanes(player) == [names[1]]
    assert bench.probing.page == PAGE
    recorded(player)
    model = bench.probing.model()
    assert model is not None and not model.stale and model.lanes[0].wave is not None
    assert any(written.words == model.lanes[0].name for written in bench.plots.written)
    point(player, 1)
    player.key("t")
    assert lanes(player) == [] and bench.probing.model() is None


def test_t_at_a_port_probes_its_wire(player: Player) -> None:
    design = player.bench.session.design
    core = design.cores[0].id
    [name] = [n for n, wire in zip(names_of(design), design.wires, strict=True) if wire.ends[0][0] == core]
    player.move(player.port(core, "a"))
    player.frames()
    player.key("t")
    assert name in lanes(player)


def test_t_on_a_core_shows_what_it_does(player: Player) -> None:
    bench = player.bench
    core = bench.session.design.cores[1]
    player.move(player.tile(*core.at))
    player.frames()
    bench.tools.hover_port = None
    player.key("t")
    assert lanes(player) == [core.id]
    recorded(player)
    model = bench.probing.model()
    assert model is not None and isinstance(model.lanes[0].wave, States)
    assert model.lanes[0].value in ("busy", "blocked", "starved")
    player.click(player.zone("lane.0"))
    assert bench.tools.selection == {core.id}
    player.click(player.zone("lane.0.close"))
    assert lanes(player) == []


def test_cross_and_right_click_remove(player: Player) -> None:
    for wire in (0, 1):
        point(player, wire)
        player.key("t")
    recorded(player)
    player.click(player.zone("lane.0.close"))
    player.frames()
    assert lanes(player) == names_of(player.bench.session.design)[1:2]
    player.click(player.zone("lane.0.wave"), button=3)
    assert lanes(player) == []


def test_the_playhead_is_dragged_in_the_lanes(player: Player) -> None:
    bench = player.bench
    point(player, 1)
    player.key("t")
    recorded(player)
    zone = next(z for z in bench.plots.zones if z.name == "lane.0.wave")
    first, last = bench.probing.span()
    player.drag((zone.rect.left + zone.rect.width // 4, zone.rect.centery), (zone.rect.centerx, zone.rect.centery))
    assert abs(bench.session.playback.tick - (first + last) / 2) <= (last - first) / zone.rect.width + 1
    player.drag(zone.rect.center, (zone.rect.right + 500, zone.rect.centery))
    assert bench.session.playback.tick == last - 1
    assert bench.probing.span() == (first, last)
    player.click(player.zone("lane.0"))
    assert bench.tools.selection == {1}


def test_the_value_is_that_of_the_playhead(player: Player) -> None:
    bench = player.bench
    point(player, 3)
    player.key("t")
    bench.probing.page = 0
    recorded(player)
    model = bench.probing.model()
    assert model is not None
    wave = model.lanes[0].wave
    assert isinstance(wave, Wave)
    for k in (2, 5):
        bench.session.playback.seek(int(wave.at[k]))
        recorded(player)
        again = bench.probing.model()
        assert again is not None and again.lanes[0].value == str(wave.words[k, 0]).replace("-", "−")
    bench.base = "hex"
    again = bench.probing.model()
    assert again is not None and again.lanes[0].value == f"{int(wave.words[5, 0]) & 0xFFFFFFFF:#x}"


def test_the_wheel_shows_less_and_more_time(player: Player) -> None:
    bench = player.bench
    point(player, 1)
    player.key("t")
    recorded(player)
    place = player.zone("lane.0.wave")
    lengths = []
    for notches in (1, 1, 1, -1, -1, -1, -1):
        player.wheel(notches, place)
        first, last = bench.probing.span()
        lengths.append(last - first)
        assert first <= bench.session.playback.tick < last
    assert lengths == [1_000, 500, 500, 1_000, 2_000, 5_000, 10_000]
    for _ in range(8):
        player.wheel(-1, place)
    assert bench.probing.scope_text() == "whole run"
    seen = set()
    for _ in range(3):
        player.click(player.zone("plot.scope"))
        seen.add(bench.probing.scope_text())
    assert seen == {"window", "20 ns", "whole run"}


def test_lanes_outlive_edits_and_undo(player: Player) -> None:
    bench = player.bench
    point(player, 1)
    player.key("t")
    recorded(player)
    before = bench.probing.probes.recording
    bench.tools.selection = {1}
    bench.tools.remove()
    player.frames(2)
    model = bench.probing.model()
    assert model is not None and model.lanes[0].gone
    assert any(written.words == "gone" for written in bench.plots.written)
    player.key("z", ctrl=True)
    player.settle()
    recorded(player)
    model = bench.probing.model()
    assert model is not None and not model.lanes[0].gone and not model.stale
    after = bench.probing.probes.recording
    assert before is not None and after is not None
    waves = before.waves[1], after.waves[1]
    assert isinstance(waves[0], Wave) and isinstance(waves[1], Wave)
    count = min(len(waves[0].at), len(waves[1].at))
    assert count > 0 and np.array_equal(waves[0].words[:count], waves[1].words[:count])


@at_all_sizes
def test_many_lanes_are_scrolled_and_every_text_fits(player: Player) -> None:
    bench = player.bench
    for wire in range(len(bench.session.design.wires)):
        point(player, wire)
        player.key("t")
    recorded(player)
    shown = {zone.name for zone in bench.plots.zones if zone.name.endswith(".close")}
    count = len(bench.probing.probes.lanes)
    newest = f"lane.{count - 1}.close"
    assert newest in shown
    first = next(zone for zone in bench.plots.zones if zone.name in shown)
    if len(shown) < count:
        for _ in range(count):
            player.wheel(1, (first.rect.right + 20, first.rect.centery))
        assert "lane.0.close" in {zone.name for zone in bench.plots.zones}
    for written in bench.plots.written:
        assert written.bounds.contains(written.rect), written.words
    assert room_for(bench.context.theme, 1) == 1


def test_a_picture_of_lanes_has_words_and_hatches(player: Player) -> None:
    """The middle wires of this machine wait most of the time: there is vermillion, and without lanes there is none."""
    bench = player.bench
    bench.session.playback.seek(6_000)
    player.frames(3)

    def vermillion() -> int:
        area = player.surface.subsurface(bench.plots.rect.clip(player.surface.get_rect()))
        pixels = pygame.surfarray.array3d(area)
        return int((np.abs(pixels.astype(int) - (0xD5, 0x5E, 0x00)).sum(axis=2) < 6).sum())

    assert vermillion() == 0
    point(player, 1)
    player.key("t")
    recorded(player)
    assert vermillion() > 50
