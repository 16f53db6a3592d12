"""What somebody who has never played meets: by posted events, and by what is then said on the screen."""

from __future__ import annotations

import time
from pathlib import Path

import pygame
import pytest

from tests.game.player import Player


def said(player: Player) -> str:
    """The line at the bottom of the board."""
    player.frames()
    return " ".join(written.words for written in player.bench.toast_card.written)


def watch(player: Player) -> None:
    """Look on until the score is there: the frames go on as they do for a player."""
    end = time.monotonic() + 60
    player.frames(2)
    while player.bench.session.score.stale and time.monotonic() < end:
        player.frames()
        time.sleep(0.002)
    player.frames(2)
    assert not player.bench.session.score.stale


def adder(player: Player) -> str:
    """The second level, wired and not yet in step."""
    player.open("first-light-02-in-step")
    name = player.place("add", (7, 2), b=10)
    player.wire(player.tile(0, 2), player.port(name, "a"))
    player.wire(player.port(name, "out"), player.tile(13, 2))
    watch(player)
    return name


def hold(player: Player, name: str, repeats: int = 20) -> None:
    """A key goes down and stays: the system repeats it."""
    for _ in range(repeats):
        player.post(pygame.KEYDOWN, key=pygame.key.key_code(name), mod=0, unicode="", scancode=0)
        player.frames(2)


def let_go(player: Player, name: str) -> None:
    player.post(pygame.KEYUP, key=pygame.key.key_code(name), mod=0, scancode=0)
    player.frames()


# --- the line that says what is next ---------------------------------------------------------------------------


def test_the_second_level_is_led_until_it_is_wired(player: Player) -> None:
    bench = player.open("first-light-02-in-step")
    assert "Click add" in said(player)
    player.click(player.zone("part.add"))
    player.click(player.tile(6, 2))
    assert "Roll the mouse wheel over the adder" in said(player)
    for turned in range(1, 11):
        player.wheel(1, player.tile(6, 2))
        assert bench.session.design.cores[0].set == {"b": turned}
        assert "Roll the mouse wheel over the adder" in said(player)
    assert bench.session.design.cores[0].set == {"b": 10}
    assert "input b" in [written.words for written in bench.inspector.written]  # it is selected
    player.frames(60)
    assert "left pad to the adder" in said(player)
    player.wire(player.tile(0, 2), player.port("add1", "a"))
    assert "to the right pad" in said(player)
    player.wire(player.port("add1", "out"), player.tile(13, 2))
    watch(player)
    assert "adder" not in said(player)
    assert bench.session.report is not None and bench.session.report.verdict == "pass"


def test_a_medal_is_told_only_while_the_machine_has_it(player: Player) -> None:
    name = adder(player)
    bench = player.bench
    player.speed(0, "5ns")
    player.speed(1, "5ns")
    watch(player)
    assert said(player) == "Stars. Enter launches"
    player.key("z", ctrl=True)
    watch(player)
    assert bench.session.report is not None and bench.session.report.medal != "gold"
    assert "Stars" not in said(player)
    player.key("y", ctrl=True)
    watch(player)
    assert said(player) == "Stars. Enter launches"
    player.click(player.tile(7, 2))
    player.click(player.zone(f"port.{name}.b"))
    player.type("11")
    watch(player)
    assert bench.session.report.verdict == "fault"
    assert "launches" not in said(player)


def test_which_way_to_turn_comes_from_the_verdict(player: Player) -> None:
    bench = player.open("first-light-01-ignition")
    player.drag(player.tile(0, 2), player.tile(11, 2))
    assert "its speed is for you to find" in said(player)
    for speed, line in (("1", "Faster than the pad"), ("20ns", "every 20.0 ns. Turn it up"), ("10000ns", "Turn it up")):
        player.speed(0, speed)
        watch(player)
        bench.session.settle()
        assert line in said(player)
    assert bench.session.report is not None and bench.session.report.verdict == "timeout"


def test_what_beats_the_house_is_called_beyond(player: Player) -> None:
    adder(player)
    player.speed(0, "5ns")
    player.speed(1, "5ns")
    watch(player)
    house = player.bench.session._house
    assert house is not None and house.wait(60)
    player.frames(2)
    assert "Stars" in said(player)
    player.bench.session.best_known = player.bench.session.score.efficiency * 0.99
    assert said(player) == "Beyond. Enter launches"


def test_a_design_that_is_only_shown_wins_nothing(player: Player) -> None:
    adder(player)
    player.speed(0, "5ns")
    player.speed(1, "5ns")
    watch(player)
    player.frames(600)
    assert "launches" not in said(player)
    player.click(player.zone("tab.new"))
    watch(player)
    player.key("tab")
    watch(player)
    assert player.bench.medal == 3
    assert "launches" not in said(player)


# --- keys ------------------------------------------------------------------------------------------------------


def test_the_speed_brush_is_on_while_its_key_is_held(player: Player) -> None:
    bench = player.open("first-light-03-side-by-side")
    player.wire(player.tile(0, 2), player.tile(15, 6))
    player.wire(player.tile(0, 6), player.tile(15, 2))
    player.speed(0, "1/5")
    hold(player, "v")
    assert bench.tools.brush
    assert "hold V and drag over wires" in said(player) and "0.2" in said(player)
    before = pygame.image.tobytes(player.surface, "RGB")
    player.move(player.tile(8, 0))
    player.frames()
    assert pygame.image.tobytes(player.surface, "RGB") != before  # the cursor goes with the mouse
    player.drag(player.tile(0, 5), player.tile(0, 5))
    assert [wire.every_ticks for wire in bench.session.design.wires] == [500, 500]
    let_go(player, "v")
    assert not bench.tools.brush
    player.key("v")  # a tap switches it on
    assert bench.tools.brush
    player.key("v")
    assert not bench.tools.brush


def test_a_key_that_is_held_switches_once(player: Player) -> None:
    bench = player.open("first-light-03-side-by-side")
    for _ in range(3):
        on = bench.panels_on
        hold(player, "h", 7)
        let_go(player, "h")
        assert bench.panels_on is not on
    hold(player, "=", 4)
    let_go(player, "=")
    assert bench.transport.zones


def test_m_matches_the_selection_while_the_mouse_is_on_a_pad(player: Player) -> None:
    bench = player.open("first-light-03-side-by-side")
    player.wire(player.tile(0, 2), player.tile(15, 6))
    player.wire(player.tile(0, 6), player.tile(15, 2))
    watch(player)
    player.click(player.tile(0, 5))
    player.move(player.tile(0, 2))
    player.key("m")
    assert [wire.every_ticks for wire in bench.session.design.wires] == [100, 200]


# --- nothing is lost -------------------------------------------------------------------------------------------


def names(player: Player) -> list[str]:
    return [tab.item.name for tab in player.bench.session.tabs]


def test_a_design_that_was_deleted_says_so_and_comes_back_with_its_past(player: Player) -> None:
    adder(player)
    player.speed(0, "5ns")
    player.speed(1, "5ns")
    watch(player)
    session = player.bench.session
    gold = session.design
    player.click(player.zone("tab.copy"))
    player.click(player.zone("tab.1"))
    player.type("second")
    assert names(player) == ["first try", "second"]
    player.key("tab")
    watch(player)
    player.click(player.zone("tab.delete"))
    watch(player)  # the other design is scored meanwhile, and has its own medal
    assert names(player) == ["second"]
    assert "Deleted first try; Ctrl+Z brings it back" in said(player)
    player.key("z", ctrl=True)
    assert names(player) == ["first try", "second"]
    assert session.current == 0 and session.design == gold
    assert said(player) == "first try is back"
    player.key("z", ctrl=True)  # and from there its own past
    assert session.design != gold
    assert [wire.every_ticks for wire in session.design.wires] == [500, 100]


def test_the_last_design_too_and_two_in_a_row(player: Player) -> None:
    adder(player)
    session = player.bench.session
    player.click(player.zone("tab.copy"))
    both = names(player)
    for _ in both:
        player.click(player.zone("tab.delete"))
    assert names(player) == ["first try"] and not session.design.cores
    player.click(player.zone("toast"))
    assert names(player) == both[:1] and session.design.cores
    player.key("z", ctrl=True)
    assert names(player) == both
    player.key("tab")
    player.key("z", ctrl=True)
    assert len(session.design.wires) == 1  # an ordinary step back
    player.click(player.zone("tab.delete"))
    player.click(player.tile(3, 2), button=3)
    player.key("z", ctrl=True)
    assert len(names(player)) == 1  # the deleting was not the last deed
    player.key("z", ctrl=True)
    assert len(names(player)) == 2  # and is again
    shelf = player.bench.context.shelf
    player.bench.leave()
    assert {item.name for item in shelf.designs(player.bench.level.id)} == set(names(player))


def test_escape_shuts_the_brief_before_it_leaves_and_the_past_is_kept(player: Player) -> None:
    player.app.show("campaign")
    name = adder(player)
    player.speed(0, "5ns")
    bench = player.bench
    design = bench.session.design
    player.click(player.tile(3, 0))
    player.key("?")
    assert bench.briefing.open
    player.key("escape")
    assert player.bench is bench and not bench.briefing.open
    player.key("escape")
    assert player.app.screen is not bench
    player.open("first-light-02-in-step")
    assert player.bench is not bench and player.bench.session.design == design
    player.key("z", ctrl=True)
    assert [wire.every_ticks for wire in player.bench.session.design.wires] == [100, 100]
    for _ in range(3):
        player.key("z", ctrl=True)
    assert not player.bench.session.design.wires and player.bench.session.design.cores[0].id == name
    for _ in range(4):
        player.key("y", ctrl=True)
    assert player.bench.session.design == design


def test_a_past_does_not_fit_what_was_changed_elsewhere(player: Player) -> None:
    player.app.show("campaign")
    adder(player)
    bench = player.bench
    item, shelf = bench.session.tab.item, bench.context.shelf
    player.app.back()
    changed = shelf.load(item).model_copy(update={"wires": []})
    shelf.save(item, changed)
    player.open("first-light-02-in-step")
    assert player.bench.session.design.wires == []
    assert player.bench.session.history.undo_label is None


def test_continue_leads_to_the_design_worked_on_last(player: Player) -> None:
    from game.screens.workbench import Workbench

    player.app.show("title")
    adder(player)
    player.click(player.zone("tab.copy"))
    player.click(player.zone("tab.new"))
    player.key("tab")
    player.key("tab")
    assert player.bench.session.current == 1
    for level in ("first-light-02-in-step", "sandbox"):
        if level == "sandbox":
            player.open(level)
        player.app.back_to("title")
        player.frames(2)
        place = next(zone.rect.center for zone in player.app.screen.zones if zone.name == "continue")  # type: ignore[attr-defined]
        player.click(place)
        assert isinstance(player.app.screen, Workbench)
        assert player.bench.level.id == "first-light-02-in-step"
        assert player.bench.session.current == 1


# --- the brief -------------------------------------------------------------------------------------------------

SMALL = [((1280, 720), 100), ((900, 600), 100), ((1280, 720), 125), ((1920, 1080), 150)]


def covered(player: Player) -> list[str]:
    """Pads that the brief lies over."""
    bench = player.bench
    card = bench.brief_card.rect
    return [pad.id for pad in bench.level.pads if card.colliderect(bench.tile_on_screen(pad.at))]


@pytest.mark.parametrize(("size", "scale"), SMALL)
def test_the_brief_lies_over_no_pad(tmp_path: Path, size: tuple[int, int], scale: int) -> None:
    player = Player(tmp_path, size, {"ui_scale": scale})
    names = ("01-ignition", "03-side-by-side", "04-three-inside", "05-two-roads", "09-merry-go-round")
    for level in (*(f"first-light-{name}" for name in names), "gpu-puzzles-01-map"):
        bench = player.open(level)
        assert bench.brief_card.rect.width
        assert covered(player) == [], level
        board = bench.regions.board
        pads = [bench.tile_on_screen(pad.at) for pad in bench.level.pads]
        assert all(board.contains(pad) for pad in pads)
        if size == (1280, 720) and scale == 100:
            player.click(player.zone("brief.hint"))
            player.click(player.zone("brief.hint"))
            assert covered(player) == [], level
    player.close()


def test_the_brief_opens_by_itself_only_once(player: Player) -> None:
    bench = player.open("first-light-03-side-by-side")
    assert bench.briefing.open
    player.wire(player.tile(0, 2), player.tile(15, 6))
    assert bench.session.design.wires
    assert not bench.briefing.open
    player.app.show("campaign")
    bench = player.open("first-light-03-side-by-side")
    assert not bench.briefing.open
    player.key("?")
    assert bench.briefing.open and not covered(player)
    beside = bench.camera.step
    player.click(player.zone("brief.close"))
    assert not bench.briefing.open
    assert bench.camera.step > beside


def test_the_brief_is_dragged_and_then_stays(player: Player) -> None:
    bench = player.open("first-light-03-side-by-side")
    x, y = player.zone("brief.move")
    before = bench.brief_card.rect.copy()
    player.drag((x, y), (x + 40, y + 30), (x + 300, y + 200))
    after = bench.brief_card.rect
    assert (after.left - before.left, after.top - before.top) == (300, 200)
    player.drag(player.zone("brief.move"), (5, 5))
    assert bench.regions.board.contains(bench.brief_card.rect)
    player.drag(player.zone("brief.move"), (1200, 700))
    player.wire(player.tile(0, 2), player.tile(8, 2))
    player.key("escape")
    player.wire(player.tile(0, 2), player.tile(15, 6))
    assert bench.session.design.wires and bench.briefing.open


def test_the_board_stays_where_the_player_has_put_it(player: Player) -> None:
    bench = player.open("first-light-03-side-by-side")
    player.wheel(1, player.tile(8, 4))
    seen = bench.camera.x, bench.camera.y, bench.camera.step
    player.click(player.zone("brief.hint"))
    assert (bench.camera.x, bench.camera.y, bench.camera.step) == seen


# --- match, tabs, parts, faults --------------------------------------------------------------------------------


def test_match_names_what_it_leaves_and_why(player: Player) -> None:
    from game.pictures import house

    bench = player.open("first-light-09-merry-go-round")
    bench.session.new_tab(house(bench.level.id, "naive")[1], "naive")
    watch(player)
    bench.session.settle()
    loops = {wire for wire, mark in bench.session.insight.marks.items() if mark == "⟳"}
    assert loops
    player.key("m", ctrl=True)
    line = said(player)
    assert "Left to you: " in line and "⟳ in a loop" in line
    assert bench.session.design.wires[min(loops)].source.split(".")[0] in line
    player.click(player.zone("toast"))
    assert bench.tools.selection == loops
    player.key("m", ctrl=True)
    assert "Matched" not in said(player) and "⟳ in a loop" in said(player)


def test_match_praises_no_machine_that_fails(player: Player) -> None:
    bench = player.open("first-light-03-side-by-side")
    player.wire(player.tile(0, 2), player.tile(15, 2))  # each to the wrong pad
    player.wire(player.tile(0, 6), player.tile(15, 6))
    player.key("m", ctrl=True)
    assert said(player) == "Matched 2 wires"
    watch(player)
    assert bench.session.report is not None and bench.session.report.verdict == "fault"
    player.key("m", ctrl=True)
    assert "what is wrong lies elsewhere" in said(player)


def test_tabs_show_whole_names_where_there_is_room(player: Player) -> None:
    bench = player.open("first-light-02-in-step")
    player.click(player.zone("tab.0"))
    player.type("my two roads, folded once")
    assert "my two roads, folded once" in [written.words for written in bench.header.written]
    player.click(player.zone("tab.copy"))
    player.click(player.zone("tab.copy"))
    for n in range(3):
        zone = next(zone for zone in bench.header.zones if zone.name == f"tab.{n}")
        assert bench.session.tabs[n].item.name in zone.tip
    rects = [zone.rect for zone in bench.header.zones if zone.name.startswith("tab.")]
    assert all(not a.colliderect(b) for i, a in enumerate(rects) for b in rects[i + 1 :])


def test_deleted_designs_are_in_the_list_of_all(player: Player) -> None:
    adder(player)
    player.click(player.zone("tab.new"))
    assert not any(zone.name == "tab.all" for zone in player.bench.header.zones)
    player.click(player.zone("tab.0"))
    player.click(player.zone("tab.delete"))
    player.app.show("campaign")
    bench = player.open("first-light-02-in-step")
    assert not bench.session.design.cores
    player.click(player.zone("tab.all"))
    player.key("down")
    player.key("return", unicode="\r")
    assert names(player) == ["first try", "first try 2"] and bench.session.design.cores
    assert said(player) == "first try is back"


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_the_palette_tells_the_speed_of_new_wires(tmp_path: Path, size: tuple[int, int]) -> None:
    player = Player(tmp_path, size)
    for level, tip in (("01-ignition", "stopped"), ("03-side-by-side", "1.00 tiles/ns"), ("04-three-inside", "0.25")):
        bench = player.open(f"first-light-{level}")
        zone = next(zone for zone in bench.palette.zones if zone.name == "part.wire")
        assert tip in zone.tip
    player.wire(player.tile(0, 2), player.tile(13, 2))
    player.speed(0, "1/2")
    zone = next(zone for zone in bench.palette.zones if zone.name == "part.wire")
    assert "0.50 tiles/ns" in zone.tip
    player.close()


def test_there_is_nothing_to_go_to_without_a_fault(player: Player) -> None:
    name = adder(player)
    bench = player.bench
    bench.session.playback.seek(300)
    player.key("space")
    tick = bench.session.playback.tick
    player.click(player.zone("fault"))
    player.key("g")
    assert said(player) == "No fault: there is nothing to go to"
    assert bench.session.playback.tick == tick
    player.click(player.tile(7, 2))
    player.click(player.zone(f"port.{name}.b"))
    player.type("11")
    watch(player)
    player.click(player.zone("fault"))
    assert bench.session.playback.fault() is not None


def test_the_view_goes_back_when_a_followed_packet_has_arrived(player: Player) -> None:
    adder(player)
    bench = player.bench
    playback = bench.session.playback
    player.key("space")
    playback.seek(300)
    home = bench.camera.x, bench.camera.y, bench.camera.step
    packets = playback.packets()
    assert packets is not None
    x, y = bench.camera.to_screen(float(packets.position[0]) + 0.5, 2.5)
    player.move((round(x), round(y)))
    player.key("k")
    assert bench.followed is not None
    for tick in range(300, 4000, 25):
        playback.seek(tick)
        player.frames()
        if bench.followed is None:
            break
    assert bench.followed is None
    player.frames(30)
    assert (bench.camera.x, bench.camera.y, bench.camera.step) == pytest.approx(home)


# --- what is new -----------------------------------------------------------------------------------------------


def test_a_tool_that_was_earned_is_told_and_a_card_leads_to_the_book(player: Player) -> None:
    from game.screens.campaign import Campaign
    from game.screens.result import Result

    player.app.show("campaign")
    adder(player)
    player.speed(0, "5ns")
    player.speed(1, "5ns")
    watch(player)
    player.key("return", unicode="\r")
    result = player.app.screen
    assert isinstance(result, Result)
    assert result.launch.tools == ("match",) and result.launch.cards
    player.frames(3)
    words = " ".join(written.words for written in result.written)
    assert "A new tool Match" in words and "Ctrl+M all wires" in words
    zone = result.zone(f"book {result.launch.cards[0].id}")
    assert zone is not None
    player.click(zone.rect.center)
    player.frames(2)
    page = player.app.screen
    assert isinstance(page, Campaign)
    seen = [written.words for written in page.written if written.rect.height > 5]
    assert "Book of ideas" in seen and result.launch.cards[0].name in seen
    player.app.show("title")
    player.app.back()
    player.frames(2)
    assert not player.app.context.to_book


def test_new_tools_are_told_once_and_give_way(player: Player) -> None:
    bench = player.open("first-light-03-side-by-side")
    assert said(player).startswith("New. Match: M sets a wire") and "Hold V and drag" in said(player)
    assert bench.panel_at(bench.toast_card.rect.center) is None  # the board below it is still there
    player.drag(player.tile(0, 2), player.tile(8, 1))
    assert "bend the wire" in said(player)
    player.key("escape")
    player.frames(25 * 60)
    assert said(player) == ""
    bench = player.open("first-light-05-two-roads")
    assert said(player).startswith("New. Branch: ")
    assert "Match" not in bench.news


def test_news_of_tools_leave_the_board_to_whoever_goes_on(player: Player) -> None:
    player.open("first-light-03-side-by-side")
    player.frames(4 * 60)
    assert said(player).startswith("New. ")
    player.click(player.tile(4, 2))
    player.frames(70)
    assert not said(player).startswith("New. ")


def test_what_cannot_run_leaves_no_plots(player: Player) -> None:
    name = adder(player)
    bench = player.bench
    bench.session.settle()
    player.frames()
    assert bench.session.trace is not None
    player.click(player.tile(7, 2), button=3)
    assert not bench.session.design.cores
    player.frames(2)
    assert bench.session.trace is None
    player.key("z", ctrl=True)
    player.frames(20)
    bench.session.settle()
    assert bench.session.trace is not None and bench.session.design.cores[0].id == name
