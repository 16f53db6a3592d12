"""Ports have names, and a wire that is let go on a body finds the port that fits, whichever way it is drawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from game.editor.fitting import End, Ends, ways
from game.editor.hand import WireHand
from game.view.layout import DATA, PREDICATE, TOKEN
from tests.game.player import Player

LOAD = ["at", "other"], ["value", "at"]
STORE = ["at", "value"], ["done"]
KINDS = {("a", "value"): DATA, ("a", "at"): TOKEN, ("out", "done"): TOKEN, ("t", "token"): TOKEN}


def kind(element: str, port: str) -> int:
    return KINDS.get((element, port), PREDICATE if element == "less" else DATA)


@pytest.mark.parametrize(
    ("start", "backwards", "there", "here_ports", "there_ports", "wanted"),
    [
        (End("add1", "out"), False, "out", (["a", "b"], ["out"]), STORE, "add1.out → out.value"),
        (End("a", "at"), False, "out", LOAD, STORE, "a.at → out.at"),
        (End("t", "token"), False, "a", ([], ["token"]), LOAD, "t.token → a.at"),
        (End("add1", "b"), True, "a", (["a", "b"], ["out"]), LOAD, "a.value → add1.b"),
        (End("out", "at"), True, "a", STORE, LOAD, "a.at → out.at"),
        # Begun at an input, and meant the other way round.
        (End("a", "other"), True, "out", LOAD, STORE, "a.value → out.value"),
        (End("add1", "a"), True, "out", (["a", "b"], ["out"]), STORE, "add1.out → out.value"),
        # An output that is led to what has outputs only.
        (End("add1", "out"), False, "in", (["a", "b"], ["out"]), ([], ["value"]), "in.value → add1.a"),
        (End("less", "out"), False, "p", (["a", "b"], ["out"]), (["a", "b", "cond"], ["out"]), "less.out → p.cond"),
        (End("add1", "out"), False, "m", ([], ["out"]), (["write.at", "write.value"], []), "add1.out → m.write.value"),
    ],
)  # fmt: skip
def test_the_port_that_fits_is_found(
    start: End,
    backwards: bool,
    there: str,
    here_ports: tuple[list[str], list[str]],
    there_ports: tuple[list[str], list[str]],
    wanted: str,
) -> None:
    best: Ends = ways(start, backwards, there, here_ports, there_ports, kind)[0]
    assert f"{best.source.element}.{best.source.port} → {best.target.element}.{best.target.port}" == wanted


def test_tab_goes_through_the_ports_of_one_way() -> None:
    found = ways(End("a", "value"), False, "out", LOAD, STORE, kind)
    assert [ends.target.port for ends in found] == ["value", "at"]
    assert ways(End("a", "value"), False, "x", LOAD, ([], []), kind) == []


@pytest.fixture
def player(tmp_path: Path) -> Player:
    return Player(tmp_path, (1280, 720))


def test_a_wire_dropped_on_a_body_takes_the_data_port(player: Player) -> None:
    bench = player.open("gpu-puzzles-01-map")
    name = player.place("add", (6, 4), b=10)
    out = next(pad for pad in bench.level.pads if pad.id == "out")
    player.drag(player.port(name, "out", output=True), player.tile(*out.at))
    assert bench.session.design.wires[-1].to == ["out.value"]
    player.close()


def test_a_wire_begun_at_the_wrong_port_is_turned(player: Player) -> None:
    bench = player.open("gpu-puzzles-01-map")
    a, out = (next(pad for pad in bench.level.pads if pad.id == name) for name in ("a", "out"))
    player.drag(player.port("a", "other"), player.tile(*out.at))
    wire = bench.session.design.wires[-1]
    assert (wire.source, wire.to) == ("a.value", ["out.value"])
    assert tuple(wire.path[0]) == a.at and tuple(wire.path[-1]) == out.at
    player.close()


def test_the_wire_in_the_hand_tells_its_ends_and_tab(player: Player) -> None:
    bench = player.open("gpu-puzzles-01-map")
    name = player.place("add", (6, 4))
    player.move(player.tile(3, 3))
    bench.tools.hand = WireHand("a", "value", False)
    player.move(player.tile(6, 4))
    player.frames(2)
    (ghost,) = bench.tools.ghost_wires()
    assert f"a.value → {name}.a" in ghost.note and "Tab: next port" in ghost.note
    player.key("tab")
    (ghost,) = bench.tools.ghost_wires()
    assert f"a.value → {name}.b" in ghost.note
    player.move(player.tile(3, 3))
    player.frames()
    player.move(player.tile(6, 4))
    player.frames()
    (ghost,) = bench.tools.ghost_wires()
    assert f"a.value → {name}.a" in ghost.note
    player.close()


def test_the_port_under_the_mouse_has_a_name_on_the_screen(player: Player) -> None:
    from game.screens.stage import scene

    bench = player.open("gpu-puzzles-01-map")
    for port, output in (("at", False), ("at", True), ("other", False), ("value", True)):
        player.move(player.port("a", port, output=output))
        player.frames(2)
        found = scene(bench).port
        assert found is not None and (found.element, found.port, found.is_input) == ("a", port, not output)
    player.close()
