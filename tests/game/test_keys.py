"""Every key of the workbench does what the list in the settings says, on the machine of a level."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from game import clipboard
from game.editor.hand import PartHand, PasteHand, WireHand
from game.keys import DEFAULTS, Bindings
from game.pictures import house
from game.playback import PACES
from game.screens import shown
from game.screens.workbench import Workbench
from game.shell.keys_said import MEANINGS
from game.view.scene import overlays_of
from tests.game.player import Player

LEVEL = "first-light-06-the-jam"


@pytest.fixture
def bench(player: Player) -> Workbench:
    """The jam with the house's naive machine, paused at 40 ns, with the mouse on free board."""
    bench = player.open(LEVEL)
    bench.session.new_tab(house(LEVEL, "naive")[1], "naive")
    player.settle()
    player.key("space")
    assert not bench.session.playback.playing
    bench.session.playback.seek(4_000)
    bench.briefing.open = False
    player.move(player.tile(1, 1))
    player.frames()
    return bench


def press(player: Player, key: str, on: tuple[int, int] | None = None) -> None:
    """A key as it is written in the table of keys."""
    if on:
        player.move(on)
        player.frames()
    *mods, name = key.split("+") if key != "+" else ["+"]
    player.key(name, ctrl="ctrl" in mods, shift="shift" in mods)


def test_every_meaning_has_a_key_and_words(bench: Workbench) -> None:
    assert set(DEFAULTS) == set(MEANINGS)
    keys = [key for meaning, keys in DEFAULTS.items() if meaning != "mirror" for key in keys]
    assert len(keys) == len(set(keys))
    doable = set(bench.deeds._simple) | {"mirror", *(f"slot-{n}" for n in range(1, 10))}
    assert set(DEFAULTS) - doable == {f"overlay-{n}" for n in range(1, 9)}


def test_time(player: Player, bench: Workbench) -> None:
    playback = bench.session.playback
    trace = bench.session.trace
    assert trace is not None
    press(player, "shift+.")
    assert playback.tick == 4_100
    press(player, "shift+,")
    assert playback.tick == 4_000
    press(player, ".")
    ahead = playback.tick
    assert ahead > 4_000
    press(player, ",")
    assert playback.tick <= 4_000
    press(player, "n")
    launched = playback.tick
    assert launched in trace.completions
    press(player, "n")
    press(player, "p")
    assert playback.tick == launched
    press(player, "end")
    assert playback.tick == trace.end
    press(player, "home")
    assert playback.tick == 0
    pace = PACES.index(playback.pace)
    press(player, "=")
    assert PACES.index(playback.pace) == pace + 1
    press(player, "-")
    assert PACES.index(playback.pace) == pace
    press(player, "space")
    assert playback.playing
    press(player, "space")
    assert not playback.playing
    press(player, "g")
    assert bench.toast is not None and "No fault" in bench.toast[0].text


def test_looking(player: Player, bench: Workbench) -> None:
    camera = bench.camera
    for keys, sign in (
        (("d", "right"), (1, 0)),
        (("a", "left"), (-1, 0)),
        (("s", "down"), (0, 1)),
        (("w", "up"), (0, -1)),
    ):
        for key in keys:
            press(player, "f")
            camera.step += 2
            x, y = camera.x, camera.y
            press(player, key)
            moved = (camera.x > x) - (camera.x < x), (camera.y > y) - (camera.y < y)
            assert moved == sign, key
    press(player, "f")
    fitted = camera.step
    bench.tools.selection = {bench.session.design.cores[0].id}
    press(player, "f")
    assert camera.step > fitted
    press(player, "escape")
    assert not bench.tools.selection
    press(player, "h")
    assert not bench.panels_on
    press(player, "h")
    press(player, "shift+h")
    assert bench.panels_on and not bench.plots_on
    press(player, "shift+h")
    press(player, "shift+/")
    assert bench.briefing.open
    offered = overlays_of(bench.level)
    for n, name in enumerate(shown.KEY_OVERLAYS, 1):
        before = bench.overlay
        press(player, f"f{n}")
        assert bench.overlay == (name if name in offered else before)
    press(player, "`")
    assert bench.overlay is None
    press(player, "`")
    assert bench.overlay == offered[-1]
    press(player, "l")
    assert bench.overlay == "launches"
    press(player, "l")
    assert bench.overlay is None


def test_speeds(player: Player, bench: Workbench) -> None:
    def every() -> list[int | None]:
        return [wire.every_ticks for wire in bench.session.design.wires]

    start = every()
    on = player.on_wire(1)
    press(player, "[", on)
    assert every()[1] == 2 * (start[1] or 0) and every()[0] == start[0]
    press(player, "]", on)
    assert every() == start
    press(player, "0", on)
    assert every()[1] is None
    press(player, "0", on)
    assert every() == start
    press(player, "m", on)
    player.frames()
    asked = bench.session.insight.detents[1]
    assert every()[1] == asked and every()[0] == start[0]
    press(player, "ctrl+z")
    assert every() == start
    press(player, "ctrl+m")
    assert every()[1] == asked and every() != start
    press(player, "ctrl+z")
    # The brush paints the speed that a pipette took.
    press(player, "q", player.on_wire(0))
    assert bench.tools.speed == start[0]
    bench.tools.speed = 250
    press(player, "v")
    assert bench.tools.brush
    player.drag(player.on_wire(1), player.on_wire(2))
    assert every()[1] == every()[2] == 250 and every()[0] == start[0]
    while bench.tools.brush:
        press(player, "escape")


def test_another_way_for_a_wire(player: Player, bench: Workbench) -> None:
    before = bench.session.design.wires[1].path
    seen = [before]
    for _ in range(12):
        press(player, "r", player.on_wire(1))
        after = bench.session.design.wires[1].path
        assert after != seen[-1] and (after[0], after[-1]) == (before[0], before[-1])
        seen.append(after)
        if after == before:
            break
    assert seen[-1] == before and len(seen) >= 4  # after the last of them comes the shortest again


def test_parts_and_selections(player: Player, bench: Workbench) -> None:
    cores = lambda: [core.id for core in bench.session.design.cores]  # noqa: E731
    first = bench.session.design.cores[0]
    press(player, "q", player.tile(*first.at))
    assert isinstance(bench.tools.hand, PartHand) and bench.tools.hand.core == first.core
    press(player, "escape")
    slots = {part.slot: part.core for part in shown.palette(bench).parts if part.slot}
    for slot, core in slots.items():
        press(player, str(slot))
        assert isinstance(bench.tools.hand, PartHand) and bench.tools.hand.core == core
        press(player, "escape")
    press(player, "ctrl+a")
    assert set(cores()) <= bench.tools.selection
    press(player, "ctrl+c")
    assert clipboard.get().startswith("PW1:")
    press(player, "escape")
    bench.tools.selection = {first.id}
    press(player, "ctrl+d", player.tile(1, 1))
    assert isinstance(bench.tools.hand, PasteHand)
    press(player, "h")
    assert bench.panels_on and isinstance(bench.tools.hand, PasteHand)
    press(player, "escape")
    bench.tools.selection = {first.id}
    press(player, "ctrl+x")
    assert first.id not in cores()
    press(player, "ctrl+v")
    assert isinstance(bench.tools.hand, PasteHand)
    press(player, "escape")
    press(player, "ctrl+z")
    for key in ("x", "delete"):
        press(player, key, player.tile(*first.at))
        assert first.id not in cores()
        press(player, "ctrl+z")
        assert first.id in cores()
    press(player, "ctrl+y")
    assert first.id not in cores()
    press(player, "ctrl+z")
    press(player, "ctrl+shift+z")
    assert first.id not in cores()


def test_a_wire_in_the_hand_takes_space_and_tab(player: Player, bench: Workbench) -> None:
    core = bench.session.design.cores[0]
    bench.tools.hand = WireHand(core.id, "out", False)
    press(player, "space", player.tile(3, 0))
    assert isinstance(bench.tools.hand, WireHand) and bench.tools.hand.via == [(3, 0)]
    other = bench.session.design.cores[1]
    press(player, "tab", player.tile(*other.at))
    assert bench.tools.hand.port_choice == 1
    press(player, "escape")
    tab = bench.session.current
    press(player, "tab")
    assert bench.session.current != tab


def test_asking_and_stopping(player: Player, bench: Workbench) -> None:
    core = bench.session.design.cores[0]
    press(player, "y", player.tile(*core.at))
    player.frames(2)
    assert bench.why is not None
    press(player, "escape")
    press(player, "b", player.tile(*core.at))
    assert bench.session.playback.breakpoints.elements == {core.id}
    packets = bench.session.playback.packets()
    assert packets is not None
    layout = bench.tools.hits().layout
    x, y, _ = layout.ways.locate(packets.wire[:1], packets.position[:1])
    sx, sy = bench.camera.to_screen(float(x[0]), float(y[0]))
    press(player, "k", (round(sx), round(sy)))
    assert bench.followed is not None and bench.followed.wire == packets.wire[0]
    press(player, "k")
    assert bench.followed is None
    press(player, "t", player.on_wire(1))
    assert bench.probing.probes.lanes


def test_fields_and_launch(player: Player, bench: Workbench) -> None:
    asked: list[tuple[object, ...]] = []
    for key, name in (("e", "search"), ("/", "search")):
        press(player, key)
        assert bench.field is not None and bench.field.name == name
        press(player, "escape")
        assert bench.field is None
    bench.context.ask = lambda *request: asked.append(request)  # type: ignore[method-assign]
    press(player, "return")
    player.settle()
    assert [request[0] for request in asked] == ["result"]
    press(player, "escape")
    press(player, "escape")
    assert asked[-1] == ("back",)


def test_the_whole_screen(player: Player, bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    import pygame

    calls: list[int] = []
    toggled: Callable[[], int] = lambda: calls.append(1) or 1  # noqa: E731
    monkeypatch.setattr(pygame.display, "toggle_fullscreen", toggled)
    press(player, "f11")
    assert calls == [1]


def test_keys_that_a_player_sets_are_used(player: Player, bench: Workbench) -> None:
    bench.bindings = Bindings({"play": ("j",)})
    press(player, "j")
    assert bench.session.playback.playing
    press(player, "space")
    assert bench.session.playback.playing
