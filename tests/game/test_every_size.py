"""At every size of window and interface all that is needed is there, and nothing stands on anything else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pygame
import pytest

from game.panels.kit import Written, Zone
from game.screens.page import Page
from game.screens.workbench import Workbench
from levels.files import load_design_file
from levels.lookup import campaign, designs_beside
from tests.game.player import Player

SIZES = [(size, scale) for size in ((1280, 720), (1920, 1080), (3840, 2160)) for scale in (100, 200)]
SMALLER = ((1280, 720), 300)
LEVEL = "first-light-05-two-roads"
TOP = {"undo", "redo", "tab.new", "tab.copy", "tab.delete"}


@pytest.fixture(params=[*SIZES, SMALLER], ids=lambda p: f"{p[0][0]}x{p[0][1]} at {p[1]} %")
def player(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Player]:
    size, scale = request.param
    player = Player(tmp_path, size, {"ui_scale": scale})
    yield player
    player.close()


def apart(zones: Sequence[Zone], written: Sequence[Written], window: pygame.Rect) -> None:
    """No button covers another one, no text another text, and none leaves the window."""
    buttons = [z for z in zones if z.action != ("nothing",)]
    for i, one in enumerate(buttons):
        for other in buttons[i + 1 :]:
            shared = one.rect.clip(other.rect)
            inside = one.rect.contains(other.rect) or other.rect.contains(one.rect)
            assert inside or shared.width <= 1 or shared.height <= 1, (one, other)
    seen = [w.rect.clip(w.bounds) for w in written]
    for i, rect in enumerate(seen):
        assert rect.left >= 0 and rect.right <= window.right, written[i]
        for k in range(i + 1, len(seen)):
            shared = rect.clip(seen[k])
            assert shared.width <= 1 or shared.height <= rect.height // 3, (written[i], written[k])


def names(zones: Sequence[Zone]) -> set[str]:
    return {zone.name for zone in zones}


def best(player: Player, level: str = LEVEL) -> Workbench:
    """The workbench with the best machine of a level."""
    path = next(entry.path for entry in campaign() if entry.id == level)
    player.app.show("workbench", level, load_design_file(designs_beside(path)["best"]).design)
    player.frames(2)
    player.settle()
    return player.bench


def test_the_workbench_has_all_that_edits_and_runs(player: Player) -> None:
    bench = best(player)
    bench.briefing.open = False
    bench.say("A short message of some words, as they come", seconds=60)
    player.frames(2)
    header = names(bench.header.zones)
    assert {"back", "score", "launch"} <= header
    if "more" in header:
        assert not header & TOP
    else:
        assert {"tab.new", "tab.copy", "tab.delete", "tab.0"} <= header
    running = {"start", "launch-back", "step-back", "play", "step", "launch-next"}
    assert running <= names(bench.transport.zones)
    window = pygame.Rect((0, 0), player.app.context.size)
    if window.width >= 2 * bench.context.theme.px(300):
        assert "pace" in names(bench.transport.zones)
    for panel in (bench.header, bench.transport):
        apart(panel.zones, panel.written, window)
        assert all(panel.rect.contains(written.rect) for written in panel.written if written.words), panel
    # A message and the buttons of the corner leave the machine free where the board has little height.
    toast, corner = bench.toast_card.rect, bench.chips.rect
    assert not toast.colliderect(corner)
    pads = [bench.tile_on_screen(pad.at) for pad in bench.level.pads]
    cores = [bench.tile_on_screen(core.at) for core in bench.session.design.cores]
    if bench.regions.board.height < bench.context.theme.px(300) and bench.regions.board.width > toast.width * 1.5:
        assert toast.collidelist([*pads, *cores]) < 0
    assert all(bench.regions.board.contains(tile) for tile in [*pads, *cores])


def test_what_the_top_bar_has_no_room_for_is_in_its_list(tmp_path: Path) -> None:
    player = Player(tmp_path, (1280, 720), {"ui_scale": 200})
    bench = best(player)
    bench.briefing.open = False

    def pick(words: str) -> None:
        player.click(player.zone("more"))
        chooser = bench.windows.chooser
        assert chooser is not None and any(said.startswith(words) for said, _ in chooser.items), chooser.items
        assert pygame.Rect(0, 0, 1280, 720).contains(chooser.rect)
        player.type(words)

    pick("Duplicate")
    assert len(bench.session.tabs) == 2 and bench.session.current == 1
    pick("New")
    assert len(bench.session.tabs) == 3
    pick("Design: ")
    assert bench.session.current == 0
    before = bench.session.design
    bench.session.history.do(before.model_copy(update={"cores": before.cores[:-1], "wires": []}), "remove")
    pick("Undo")
    assert bench.session.design == before
    pick("Redo")
    assert bench.session.design != before
    pick("Delete")
    assert len(bench.session.tabs) == 2
    assert not bench.regions.plots.height
    pick("Show the plots")
    assert bench.regions.plots.height
    player.click(player.zone("pace"))
    player.type("100 ns")
    assert bench.session.playback.pace == 100
    player.close()


def test_buttons_of_the_top_bar_keep_their_places(tmp_path: Path) -> None:
    for size in ((1280, 720), (1920, 1080)):
        player = Player(tmp_path / str(size[0]), size)
        bench = player.open(LEVEL)
        player.settle()
        place = {name: player.zone(name) for name in ("tab.new", "tab.copy", "tab.delete")}
        for n in range(5):
            player.click(place["tab.copy" if n % 2 else "tab.new"])
            player.settle()
            assert {name: player.zone(name) for name in place} == place
        assert len(bench.session.tabs) == 6
        assert bench.field is None
        player.close()


def test_where_nothing_can_run_play_is_no_pause(tmp_path: Path) -> None:
    player = Player(tmp_path, (1280, 720))
    bench = player.open(LEVEL)
    assert bench.session.playback.simulation is None
    bench.session.playback.playing = True
    player.frames(2)
    before = bench.transport._picture
    assert before is not None
    drawn = pygame.image.tobytes(before, "RGB")
    bench.session.playback.playing = False
    player.frames(2)
    assert bench.transport._picture is not None
    assert pygame.image.tobytes(bench.transport._picture, "RGB") == drawn
    player.close()


def page(player: Player) -> Page:
    player.frames(3)
    screen = player.app.screen
    assert isinstance(screen, Page)
    return screen


def test_title_campaign_and_settings(player: Player) -> None:
    window = pygame.Rect((0, 0), player.app.context.size)
    for name, needed in (("title", {"continue"}), ("campaign", {"back"}), ("settings", {"back"})):
        player.app.show(name)
        screen = page(player)
        found = names(screen.zones)
        assert needed <= found or (name == "title" and found), (name, found)
        apart([z for z in screen.zones if window.contains(z.rect)], [], window)


def test_two_designs_side_by_side_show_both_machines(player: Player) -> None:
    bench = best(player)
    bench.deeds.tabs.copy()
    bench.session.history.do(bench.session.design.model_copy(update={"wires": bench.session.design.wires[:-1]}), "x")
    player.key("c", shift=True)
    screen = page(player)
    assert {"back", "play", "swap"} <= names(screen.zones)
    window = pygame.Rect((0, 0), player.app.context.size)
    apart(screen.zones, screen.written, window)
    least = bench.context.theme.px(40)
    for side in screen.sides:  # type: ignore[attr-defined]
        assert side.place.height >= least


@pytest.mark.parametrize("passes", [True, False])
def test_the_result_leads_on_back_and_away(player: Player, passes: bool) -> None:
    bench = best(player)
    if not passes:
        wires = [wire.model_copy(update={"every_ticks": None}) for wire in bench.session.design.wires]
        bench.session.history.do(bench.session.design.model_copy(update={"wires": wires}), "stop")
    player.settle()
    player.key("return")
    screen = page(player)
    needed = {"campaign", "improve"} | ({"next"} if passes else set())
    assert needed <= names(screen.zones)
    window = pygame.Rect((0, 0), player.app.context.size)
    below = [zone for zone in screen.zones if zone.name in needed]
    apart(below, [], window)
    assert all(window.contains(zone.rect) for zone in below)
