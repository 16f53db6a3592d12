"""The workbench by posted events: levels are played, nothing raises, texts fit, the live score is the final one."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest
from PIL import Image

from engine.simulation import simulate
from game import clipboard
from game.keys import DEFAULTS
from game.panels.regions import regions
from game.screens.base import Context
from game.screens.stage import TIP_S
from game.shell.launching import Launch
from game.theme import Theme
from tests.game.conftest import Perwatt
from tests.game.machines import in_step, side_by_side, ten_to_each, two_roads
from tests.game.player import Player


@pytest.fixture
def player(tmp_path: Path) -> Iterator[Player]:
    found = Player(tmp_path)
    yield found
    found.close()


def launched(player: Player) -> Launch:
    """Press Enter, and take what the result screen was asked for."""
    player.settle()
    asked: list[tuple[object, ...]] = []
    player.app._factories = {
        **player.app._factories,
        "result": lambda context, launch: asked.append(launch) or Silent(),
    }
    player.key("return", unicode="\r")
    player.frames(3)
    assert len(asked) == 1
    launch = asked[0]
    assert isinstance(launch, Launch)
    return launch


class Silent:
    """A screen that shows nothing."""

    def enter(self) -> None: ...
    def leave(self) -> None: ...
    def close(self) -> None: ...
    def resize(self, size: tuple[int, int]) -> None: ...
    def handle(self, event: object) -> None: ...
    def update(self, seconds: float) -> None: ...
    def draw(self, surface: object) -> None: ...


def test_ignition_is_played_to_stars_with_the_mouse_alone(player: Player) -> None:
    bench = player.open("first-light-01-ignition")
    player.drag(player.tile(0, 2), player.tile(5, 2), player.tile(11, 2))
    assert bench.session.design.wires[0].every_ticks is None
    player.wheel(1, player.tile(5, 2))
    player.settle()
    notches = 1
    while bench.session.design.wires[0].every_ticks != 400:
        player.wheel(1, player.tile(5, 2))
        player.frames(8)  # 6 or 7 notches a second
        notches += 1
        assert notches <= 25
    player.wheel(1, player.tile(5, 2))
    assert bench.session.design.wires[0].every_ticks == 400  # one notch too many changes nothing
    launch = launched(player)
    assert launch.report.medal == "gold"
    assert [run.medal for run in bench.context.progress.runs(bench.level.id)] == ["gold"]


def test_a_wheel_that_is_spun_stops_at_the_rate_that_is_asked(player: Player) -> None:
    bench = player.open("first-light-01-ignition")
    player.drag(player.tile(0, 2), player.tile(11, 2))
    player.wheel(1, player.tile(5, 2))
    player.settle()
    spins = 0
    while bench.session.design.wires[0].every_ticks != 400:
        player.wheel(1, player.tile(5, 2))  # a notch in every frame
        spins += 1
        assert spins <= 12  # faster than one by one
    for _ in range(6):
        player.wheel(1, player.tile(5, 2))
    assert bench.session.design.wires[0].every_ticks == 400
    player.frames(30)
    player.wheel(1, player.tile(5, 2))
    assert bench.session.design.wires[0].every_ticks == 364


def test_in_step_is_played_to_stars(player: Player) -> None:
    bench = player.open("first-light-02-in-step")
    in_step(player)
    assert [w.every_ticks for w in bench.session.design.wires] == [500, 500]
    assert launched(player).report.medal == "gold"
    assert "match" in bench.context.progress.tools()


def test_side_by_side_is_played_to_stars_with_match(player: Player) -> None:
    player.open("first-light-03-side-by-side")
    side_by_side(player)
    assert [w.every_ticks for w in player.bench.session.design.wires] == [200, 200]
    assert launched(player).report.medal == "gold"


def test_two_roads_is_played_to_a_medal(player: Player) -> None:
    player.open("first-light-05-two-roads")
    two_roads(player)
    assert launched(player).report.medal is not None


def test_map_is_played_to_a_medal(player: Player) -> None:
    player.open("gpu-puzzles-01-map")
    ten_to_each(player)
    assert launched(player).report.medal is not None


def test_the_live_score_is_that_of_a_run(player: Player) -> None:
    bench = player.open("first-light-02-in-step")
    add = player.place("add", (7, 2), b=10)
    player.wire(player.tile(0, 2), player.port(add, "a"))
    player.wire(player.port(add, "out"), player.tile(13, 2))
    player.wheel(3, player.tile(10, 2))
    player.click(player.tile(10, 2))
    player.click(player.zone("base=hex"))
    assert bench.base == "hex"
    player.settle()
    report = bench.session.report
    assert report is not None
    fresh = simulate(bench.level, bench.session.design, engine="plain")
    assert report == fresh.model_copy(update={"bound": None})
    assert bench.session.insight.bound == fresh.bound


SIZES = [((1280, 720), 100), ((1280, 720), 200), ((1920, 1080), 100), ((1920, 1080), 200), ((3840, 2160), 200)]


@pytest.mark.parametrize(("size", "scale"), SIZES)
@pytest.mark.parametrize("level", ["first-light-05-two-roads", "gpu-puzzles-14b-matmul-tiles", "sandbox"])
def test_no_text_leaves_its_panel_and_none_overlaps(
    tmp_path: Path, level: str, size: tuple[int, int], scale: int
) -> None:
    player = Player(tmp_path, size, {"ui_scale": scale})
    bench = player.open(level)
    player.settle()
    design = bench.session.design
    states: list[set[str | int]] = [set(), {bench.level.pads[0].id}]
    states += [{core.id} for core in design.cores[:2]] + [{0}] * bool(design.wires)
    for selection in states:
        bench.tools.selection = set(selection)
        player.frames()
        panels = (bench.header, bench.palette, bench.inspector, bench.transport, bench.timeline, bench.plots, bench.sky)
        for panel in (*panels, bench.brief_card, bench.toast_card):
            seen = [w for w in panel.written if panel.rect.colliderect(w.rect)]
            for written in seen:
                assert written.rect.left >= panel.rect.left - 1, (type(panel).__name__, written)
                assert written.rect.right <= panel.rect.right + 1, (type(panel).__name__, written)
            for i, one in enumerate(seen):
                for other in seen[i + 1 :]:
                    shared = one.rect.clip(other.rect)
                    slack = one.rect.height // 3
                    assert shared.width <= 1 or shared.height <= slack, (type(panel).__name__, one, other)
    player.close()


@pytest.mark.parametrize(("size", "scale"), SIZES)
def test_regions_tile_the_window(size: tuple[int, int], scale: int) -> None:
    for panels in (True, False):
        found = regions(size, Theme(scale / 100), panels=panels)
        parts = [found.top, found.palette, found.board, found.sky, found.inspector, found.transport, found.timeline]
        parts = [part for part in [*parts, found.plots] if part.width and part.height]
        assert sum(part.width * part.height for part in parts) == size[0] * size[1]
        for i, one in enumerate(parts):
            assert all(not one.colliderect(other) for other in parts[i + 1 :])


def test_undo_in_mid_drag_and_designs_are_kept(player: Player, tmp_path: Path) -> None:
    bench = player.open("first-light-02-in-step")
    add = player.place("add", (7, 2), b=10)
    player.post(pygame.MOUSEBUTTONDOWN, pos=player.tile(7, 2), button=1)
    player.move(player.tile(9, 3))
    player.frames()
    assert bench.session.design.cores[0].at == (9, 3)
    player.key("z", ctrl=True)
    assert bench.session.design.cores[0].at == (7, 2)
    player.post(pygame.MOUSEBUTTONUP, pos=player.tile(9, 3), button=1)
    player.frames()
    assert bench.session.design.cores[0].at == (7, 2)
    player.key("z", ctrl=True)
    assert bench.session.design.cores[0].set == {}
    player.key("z", ctrl=True, shift=True)
    assert bench.session.design.cores[0].set == {"b": 10}
    player.click(player.zone("tab.copy"))
    player.click(player.zone("tab.1"))
    player.type("second")
    assert [tab.item.name for tab in bench.session.tabs] == ["first try", "second"]
    player.click(player.zone("tab.delete"))
    assert [tab.item.name for tab in bench.session.tabs] == ["first try"]
    player.click(player.zone("toast"))
    assert [tab.item.name for tab in bench.session.tabs] == ["first try", "second"]
    bench.leave()
    shelf = bench.context.shelf
    assert [shelf.load(item).cores[0].id for item in shelf.designs(bench.level.id)] == [add, add]


def test_a_roll_of_the_wheel_is_one_entry(player: Player) -> None:
    bench = player.open("first-light-02-in-step")
    player.place("add", (7, 2), b=10)
    player.wire(player.tile(0, 2), player.port("add1", "a"))
    for _ in range(5):
        player.wheel(-1, player.tile(3, 2))
        player.frames(3)
    assert (bench.session.design.wires[0].every_ticks or 0) > 104
    player.key("z", ctrl=True)
    assert bench.session.design.wires[0].every_ticks == 100
    player.key("y", ctrl=True)
    assert (bench.session.design.wires[0].every_ticks or 0) > 104


def test_designs_go_through_text(player: Player) -> None:
    bench = player.open("first-light-02-in-step")
    player.place("add", (7, 2), b=10)
    player.key("c", ctrl=True)
    text = clipboard.get()
    assert text.startswith("PW1:")
    player.key("x")
    assert not bench.session.design.cores
    player.key("v", ctrl=True)
    player.click(player.tile(5, 1))
    assert [(c.core, c.at, c.set) for c in bench.session.design.cores] == [("add", (5, 1), {"b": 10})]
    pygame.scrap.put_text("PW1:junk")
    player.key("v", ctrl=True)
    assert bench.toast is not None and bench.toast[0].tone == "bad"


def test_time_goes_both_ways(player: Player) -> None:
    bench = player.open("first-light-02-in-step")
    player.place("add", (7, 2), b=10)
    player.wire(player.tile(0, 2), player.port("add1", "a"))
    player.wire(player.port("add1", "out"), player.tile(13, 2))
    player.settle()
    playback = bench.session.playback
    player.key("space")
    assert not playback.playing
    player.key("n")
    launched_at = playback.tick
    assert len(playback.completions()) == 1
    player.key(".")
    player.key(",")
    assert playback.tick == launched_at
    player.key("home")
    assert playback.tick == 0
    left, right = bench.timeline.zones[-1].rect.midleft, bench.timeline.zones[-1].rect.midright
    player.drag(left, ((left[0] + right[0]) // 2, left[1]))
    trace = bench.session.trace
    assert trace is not None
    assert abs(playback.tick - trace.end / 2) < trace.end / 50
    moment = playback.tick
    player.wheel(1, player.tile(10, 2))
    playback.catch_up()
    assert playback.tick == moment


def test_a_fault_is_shown_where_it_is(player: Player) -> None:
    bench = player.open("first-light-02-in-step")
    player.wire(player.tile(0, 2), player.tile(13, 2))
    player.settle()
    player.key("g")
    fault = bench.session.playback.fault()
    assert fault is not None and fault.core == "out"
    words = [written.words for written in bench.inspector.written]
    assert "expected" in words and "got" in words
    assert str(fault.expected) in words and str(fault.got) in words
    player.move(player.tile(13, 2))
    player.key("y")
    assert bench.why is not None


def test_keys_act_on_what_is_under_the_mouse(player: Player) -> None:
    bench = player.open("first-light-03-side-by-side")
    player.wire(player.tile(0, 2), player.tile(15, 6))
    player.wire(player.tile(0, 6), player.tile(15, 2))
    wires = bench.session.design.wires
    player.move(player.on_wire(0))
    player.key("[")
    assert [w.every_ticks for w in bench.session.design.wires] == [200, wires[1].every_ticks]
    player.key("0")
    assert bench.session.design.wires[0].every_ticks is None
    player.key("0")
    assert bench.session.design.wires[0].every_ticks == 200
    player.key("a", ctrl=True)
    assert bench.tools.selection == {0, 1}
    player.click(player.zone("speed.all"))
    player.type("nonsense")
    assert bench.field is not None and "1/4" in bench.field.wrong
    player.type("4ns")
    assert [w.every_ticks for w in bench.session.design.wires] == [400, 400]
    for name in ("f1", "f2", "f3", "f4", "f5", "f6"):
        player.key(name)
        assert bench.overlay is not None
    player.key("escape")
    player.key("escape")
    assert bench.overlay is None


def test_nonsense_never_raises(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Context, "ask", lambda self, *request: None)
    rng = random.Random(5)
    names = [name for keys in DEFAULTS.values() for name in keys if name not in ("escape", "return", "?", "f12")]
    for level in ("first-light-08-spring-cleaning", "gpu-puzzles-08-shared"):
        player.open(level)
        design = player.bench.session.empty()
        for _ in range(500):
            pos = (rng.randrange(-20, 1940), rng.randrange(-20, 1100))
            match rng.randrange(10):
                case 0 | 1:
                    player.post(pygame.MOUSEBUTTONDOWN, pos=pos, button=rng.choice((1, 1, 1, 2, 3, 4, 5)))
                case 2 | 3:
                    player.post(pygame.MOUSEBUTTONUP, pos=pos, button=rng.choice((1, 1, 1, 2, 3)))
                case 4 | 5:
                    player.move(pos)
                case 6:
                    player.post(pygame.MOUSEWHEEL, x=rng.randint(-1, 1), y=rng.randint(-3, 3))
                case 7 | 8:
                    *mods, name = rng.choice(names).split("+") if rng.random() < 0.9 else ["escape"]
                    mod = sum(pygame.KMOD_LCTRL if m == "ctrl" else pygame.KMOD_LSHIFT for m in mods)
                    code = pygame.key.key_code(name)
                    player.post(pygame.KEYDOWN, key=code, mod=mod, unicode=rng.choice("a0=.\x00é"), scancode=0)
                    player.post(pygame.KEYUP, key=code, mod=mod, scancode=0)
                case 9 if rng.random() < 0.5:
                    player.post(rng.choice((pygame.WINDOWFOCUSLOST, pygame.WINDOWENTER)))
                case 9:
                    width, height = rng.choice(((1920, 1080), (200, 100), (640, 360), (900, 1400)))
                    player.post(pygame.VIDEORESIZE, w=width, h=height, size=(width, height))
            if rng.random() < 0.3:
                player.frames()
        tools = player.bench.tools
        tools.cancel()
        while tools.undo():
            pass
        assert player.bench.session.design.level == design.level


def test_a_picture_of_a_state_without_a_screen(folder: Path, perwatt: Perwatt) -> None:
    answer = perwatt(
        "play", "first-light/05", "--design", "naive", "--screenshot", "a.png", "--frames", 5, "--size", "1280x720"
    )
    assert answer.code == 0
    assert Image.open(folder / "a.png").size == (1280, 720)
    again = perwatt("play", "first-light/05", "--screenshot", "a.png")
    assert again.code == 2 and "--force" in again.err
    assert perwatt("play", "--design", "naive").code == 2


def test_a_part_is_dragged_out_of_the_palette(player: Player) -> None:
    bench = player.open("first-light-02-in-step")
    player.drag(player.zone("part.add"), player.tile(4, 1), player.tile(6, 3))
    assert [core.at for core in bench.session.design.cores] == [(6, 3)]
    assert bench.tools.hand is None


def test_the_rate_that_is_asked_is_told_once_match_is_known(player: Player) -> None:
    bench = player.open("first-light-01-ignition")
    player.drag(player.tile(0, 2), player.tile(11, 2))
    player.settle()
    assert "asked of it" not in [written.words for written in bench.inspector.written]
    bench.context.progress.unlock("match")
    bench.enter()
    player.frames(2)
    assert "asked of it" in [written.words for written in bench.inspector.written]


def test_a_packet_is_followed_through_a_core(player: Player) -> None:
    bench = player.open("first-light-02-in-step")
    player.place("add", (7, 2), b=10)
    player.wire(player.tile(0, 2), player.port("add1", "a"))
    player.wire(player.port("add1", "out"), player.tile(13, 2))
    player.key("space")
    bench.session.playback.seek(300)
    packets = bench.session.playback.packets()
    assert packets is not None and packets.launch[0] == 0
    x, y = bench.camera.to_screen(float(packets.position[0]) + 0.5, 2.5)
    player.move((round(x), round(y)))
    player.key("k")
    assert bench.followed is not None and bench.followed.wire == 0
    places = []
    for tick in range(300, 1400, 25):
        bench.session.playback.seek(tick)
        player.frames()
        assert bench.followed is not None
        places.append(bench.followed.x)
    assert places == sorted(places)
    assert bench.followed.wire == 1
    assert bench.camera.x == pytest.approx(bench.followed.x)
    # The board moves under the mouse that rests: nothing is said of what was there.
    bench.tools.hover = "add1"
    bench.rested = 2 * TIP_S
    player.frames()
    assert bench.desk._tip is None
    player.key("k")
    assert bench.followed is None


def test_play_stops_at_a_breakpoint(player: Player) -> None:
    bench = player.open("first-light-02-in-step")
    player.place("add", (7, 2), b=10)
    player.wire(player.tile(0, 2), player.port("add1", "a"))
    player.wire(player.port("add1", "out"), player.tile(13, 2))
    player.key("space")
    player.key("home")
    player.move(player.tile(7, 2))
    player.key("b")
    player.key("space")
    player.frames(120)
    assert not bench.session.playback.playing
    assert bench.session.playback.broke_at == "add1"
    assert "Stopped at add1" in [written.words for written in bench.transport.written]


def test_breakpoints_at_values_and_launches_by_key(player: Player) -> None:
    bench = player.open("first-light-02-in-step")
    player.place("add", (7, 2), b=10)
    player.wire(player.tile(0, 2), player.port("add1", "a"))
    player.wire(player.port("add1", "out"), player.tile(13, 2))
    player.settle()
    player.key("space")
    playback = bench.session.playback
    playback.seek(300)
    packets = playback.packets()
    assert packets is not None
    x, y = bench.camera.to_screen(float(packets.position[0]) + 0.5, 2.5)
    player.move((round(x), round(y)))
    player.key("b")
    assert [value for _, value in playback.breakpoints.values] == [int(packets.value[0])]
    assert bench.toast is not None and str(int(packets.value[0])) in bench.toast[0].text
    player.key("b")
    assert not playback.breakpoints
    # At a launch, by pointing at the timeline.
    zone = next(zone for zone in bench.timeline.zones if zone.name == "timeline")
    trace = bench.session.trace
    assert trace is not None
    share = int(trace.completions[1]) / max(trace.end, playback.tick)
    player.move((zone.rect.left + round(share * zone.rect.width), zone.rect.centery))
    player.key("b")
    (launch,) = playback.breakpoints.launches
    player.key("home")
    playback.pace = 400.0
    player.key("space")
    for _ in range(600):
        player.frames()
        if not playback.playing:
            break
    assert playback.broke_at == f"launch {launch}" and len(playback.completions()) == launch


def test_beyond_the_house_there_is_a_fourth_line(player: Player) -> None:
    bench = player.open("first-light-01-ignition")
    player.drag(player.tile(0, 2), player.tile(11, 2))
    player.speed(0, "4ns")
    player.settle()
    player.frames()
    house = bench.session._house
    assert house is not None and house.wait(60)
    player.frames(2)
    best = bench.session.best_known
    assert best == pytest.approx(bench.session.score.efficiency)
    assert "Beyond" not in [written.words for written in bench.sky.written]
    bench.session.best_known = best * 0.99
    player.frames()
    assert "Beyond" in [written.words for written in bench.sky.written]


# --- names to choose from --------------------------------------------------------------------------------------


def test_an_element_is_found_by_its_name(player: Player) -> None:
    bench = player.open("first-light-02-in-step")
    name = player.place("add", (7, 2), b=10)
    player.key("f", ctrl=True)
    assert bench.windows.chooser is not None
    for letter in "ADD":  # letters are the list's own, whatever their case
        player.key(letter.lower(), unicode=letter)
    player.key("return", unicode="\r")
    assert bench.tools.selection == {name} and bench.windows.chooser is None
    player.key("f", ctrl=True)
    for letter in "nothing of this name":
        player.post(pygame.KEYDOWN, key=ord(letter), mod=0, unicode=letter, scancode=0)
    player.key("return", unicode="\r")
    assert bench.windows.chooser is not None  # nothing to choose
    player.key("escape")
    assert bench.windows.chooser is None and bench.tools.selection == {name}


def test_a_list_of_names_by_arrows_and_by_mouse(player: Player) -> None:
    bench = player.open("first-light-02-in-step")
    first, second = (pad.id for pad in bench.level.pads)
    player.key("f", ctrl=True)
    player.key("down")
    player.key("return", unicode="\r")
    assert bench.tools.selection == {second}
    player.key("f", ctrl=True)
    assert bench.windows.chooser is not None
    names = bench.windows.chooser._list
    assert names is not None
    player.click(names.item_list[0]["button_element"].rect.center)
    assert bench.tools.selection == {first} and bench.windows.chooser is None
    player.key("f", ctrl=True)
    player.click(bench.regions.board.move(8, -8).bottomleft)  # a press elsewhere shuts it and counts
    assert bench.windows.chooser is None and not bench.tools.selection


def test_more_designs_than_tabs_have_a_list(tmp_path: Path) -> None:
    player = Player(tmp_path, (1280, 720))
    bench = player.open("first-light-02-in-step")
    while not any(zone.name == "tab.all" for zone in bench.header.zones):
        assert len(bench.session.tabs) < 20
        player.click(player.zone("tab.new"))
    assert bench.session.current > 0
    player.click(player.zone("tab.all"))
    for _ in range(20):
        player.key("up")
    player.key("return", unicode="\r")
    assert bench.session.current == 0
    player.close()


def test_what_was_set_aside_is_said_until_it_is_read(player: Player, tmp_path: Path) -> None:
    player.app.show("title")
    bench = player.open("first-light-02-in-step")
    for k in range(2):
        player.click(player.zone("tab.new"))
        player.place("add", (5 + k, 2))
    player.app.back()
    broken = sorted((tmp_path / "designs").rglob("*.yaml"))[:2]
    for path in broken:
        path.write_text("cores: [<b>&", encoding="utf-8")
    for spare in [p for p in (tmp_path / "designs").rglob("*") if p.is_file() and p not in broken]:
        spare.unlink()
    bench = player.open("first-light-02-in-step")
    assert bench.windows.message is not None
    player.click(player.tile(6, 2))  # everything else waits
    assert not bench.tools.selection and bench.windows.message is not None
    player.key("x")
    player.key("escape")
    assert bench.windows.message is None and player.app.screen is bench
