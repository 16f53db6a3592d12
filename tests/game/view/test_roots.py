"""Where stalls begin: the root of a jam, and how much paler the rest is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pygame
import pytest

from engine.model import Design
from engine.simulation import simulate
from game.theme import GREEN, ORANGE, VERMILLION
from game.view.board import origin_of
from game.view.layout import make_layout
from game.view.overlay_marks import paler
from game.view.overlays import overlay_pieces
from game.view.roots import FARTHEST, stall_steps
from game.view.scene import Figure, Figures, figures_of
from game.view.still import draw_board
from tests.game.view.conftest import load, surface


def colourful(colour: tuple[int, int, int]) -> float:
    """Saturation as HSV has it."""
    return (max(colour) - min(colour)) / max(colour)


@pytest.mark.parametrize(
    ("level", "role", "root", "behind"),
    [
        ("06-the-jam", "naive", "div", "stream"),  # a division takes its time, and all before it waits
        ("02-in-step", "naive", "sink", "stream"),  # the sink takes one word in 5 ns
    ],
)
def test_a_jam_begins_at_its_root(level: str, role: str, root: str, behind: str) -> None:
    board = load(level, role)
    figures = figures_of(simulate(board.level, board.design, engine="plain"), "n45")
    assert figures is not None
    layout = make_layout(board.level, board.design)
    steps = stall_steps(layout, figures)
    kinds = {name: body.core for name, body in layout.bodies.items()}
    found = [kinds[item] for item, n in steps.items() if n == 0 and isinstance(item, str)]
    assert found == [root]
    (first,) = (n for item, n in steps.items() if isinstance(item, str) and kinds[item] == behind)
    assert first == max(steps.values()) >= 3
    # Upstream along the row every element is one step farther.
    row = [body.id for body in sorted(layout.bodies.values(), key=lambda body: body.at)]
    before = [steps[name] for name in row[: [kinds[name] for name in row].index(root) + 1]]
    assert before == sorted(before, reverse=True) and len(set(before)) >= 3


def test_a_wire_that_all_wait_for_is_a_root_and_drawn() -> None:
    board = load("05-two-roads", "without-detour")
    scene = board.scene(60.0, overlay="stalls")
    layout = make_layout(board.level, board.design, scene.netlist)
    assert scene.figures is not None
    roots = {item for item, n in stall_steps(layout, scene.figures).items() if n == 0}
    assert roots and all(isinstance(item, int) for item in roots)
    colours = [piece.colour for piece in overlay_pieces(layout, scene) if hasattr(piece, "colour")]
    assert colours.count(ORANGE) == len(roots)


def test_a_ring_of_waits_has_no_pale_part_and_calm_has_no_steps() -> None:
    level = load("05-two-roads", "best").level
    relays = [{"id": name, "core": "relay", "at": at} for name, at in (("one", (3, 3)), ("two", (7, 3)))]
    there = {"from": "one.out", "to": "two.in", "path": [(3, 3), (7, 3)], "speed": 1}
    back = {"from": "two.out", "to": "one.in", "path": [(7, 3), (7, 5), (3, 5), (3, 3)], "speed": 1}
    ring = Design.model_validate({"perwatt": 1, "level": level.id, "cores": relays, "wires": [there, back]})
    layout = make_layout(level, ring)
    held = Figures({name: Figure(blocked=1.0) for name in ("one", "two")}, [Figure(blocked=1.0)] * 2)
    assert stall_steps(layout, held) == {"one": 0, "two": 0, 0: 0, 1: 0}
    calm = Figures({name: Figure(busy=1.0) for name in ("one", "two")}, [Figure()] * 2)
    assert stall_steps(layout, calm) == {}


def test_colours_fade_with_every_step() -> None:
    for colour in (GREEN, VERMILLION):
        shades = [colourful(paler(colour, n)) for n in range(FARTHEST + 1)]
        assert shades == sorted(shades, reverse=True) and len(set(shades)) == len(shades)
        assert paler(colour, 0) == colour


def test_the_root_is_the_most_colourful_spot() -> None:
    board = load("06-the-jam", "naive")
    scene, camera = board.scene(300.0, overlay="stalls"), board.camera(32, (10, 2))
    scene = replace(scene, packets=None)
    drawn = surface()
    draw_board(drawn, camera, scene)
    pixels = pygame.surfarray.array3d(drawn).astype(int)
    layout = make_layout(board.level, board.design, scene.netlist)
    found = {}
    for body in layout.bodies.values():
        x, y = np.array(body.at) * 32 + origin_of(camera)
        part = pixels[max(x, 0) : x + 32, max(y, 0) : y + 32].reshape(-1, 3)
        if len(part):
            found[body.core] = float(((part.max(axis=1) - part.min(axis=1)) ** 2).mean())
    assert max(found, key=lambda core: found[core]) == "div"
