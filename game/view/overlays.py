"""Overlays: one idea each, drawn on the dimmed board.

An overlay is a list of pieces for the board's cached chunks (:func:`overlay_pieces`), made once per figures, so that a
frame costs no more with an overlay than without.
"""

from __future__ import annotations

from itertools import pairwise
from math import sqrt
from typing import Any

from game.theme import (
    BOARD,
    EDGE,
    GREEN_TEXT,
    ORANGE,
    PACKET,
    TEXT,
    TEXT_2,
    TEXT_3,
    VERMILLION,
    WIRE_SLOW,
    mix,
    ramp,
)
from game.view.coupling import coupling_pieces
from game.view.heat import heat_pieces
from game.view.layout import Layout
from game.view.overlay_marks import CoreMark, EdgeBar, note_at, paler, spaced
from game.view.roads import pitch
from game.view.roots import FARTHEST, GOOD_PART, stall_steps
from game.view.scene import Figure, Scene
from game.view.wires import WirePiece, wire_piece

Point = tuple[float, float]
POWER_FULL_UW = 5000.0
"""µW per tile at the bright end of the ramp; the scale never moves, so that two designs can be compared."""

DIMMED = ("stalls", "utilisation", "power", "bottleneck", "tracks", "heat", "coupling")


def power_share(uw_per_tile: float) -> float:
    """Place on the power ramp, on a square-root scale: 0 … 1."""
    return min(sqrt(max(uw_per_tile, 0.0) / POWER_FULL_UW), 1.0)


def power_text(uw: float) -> str:
    """A power for a person: three significant figures, µW below 1 mW."""
    return f"{uw / 1000:.3g} mW" if uw >= 1000 else f"{uw:.3g} µW"


def overlay_pieces(layout: Layout, scene: Scene) -> list[Any]:
    """What the scene's overlay adds above the dimmed board, wires first; empty where there are no figures."""
    if scene.flows:
        return _flow(layout, scene)
    match scene.overlay:
        case "stalls":
            return _stalls(layout, scene)
        case "utilisation":
            return _utilisation(layout, scene)
        case "power":
            return _power(layout, scene)
        case "bottleneck":
            return _bottleneck(layout, scene)
        case "tracks":
            return _tracks(layout)
        case "heat":
            return heat_pieces(layout, scene)
        case "coupling":
            return coupling_pieces(layout, scene)
    return []


def _percent(share: float) -> int:
    return round(min(max(share, 0.0), 1.0) * 100)


def _last_part(line: tuple[Point, ...], share: float) -> tuple[Point, ...]:
    """The last ``share`` of a polyline."""
    total = sum(abs(bx - ax) + abs(by - ay) for (ax, ay), (bx, by) in pairwise(line))
    left = total * share
    points = [line[-1]]
    for (ax, ay), (bx, by) in reversed(list(pairwise(line))):
        length = abs(bx - ax) + abs(by - ay)
        if length >= left:
            part = left / length if length else 0
            points.append((bx + (ax - bx) * part, by + (ay - by) * part))
            break
        points.append((ax, ay))
        left -= length
    return tuple(reversed(points))


def _figure(scene: Scene, name: str) -> Figure | None:
    return scene.figures.cores.get(name) if scene.figures else None


def _stalls(layout: Layout, scene: Scene) -> list[Any]:
    """Rings and bands, the paler the farther they are from what all wait for in the end."""
    pieces: list[Any] = []
    apart = pitch(layout.level.board.tracks)
    steps = stall_steps(layout, scene.figures) if scene.figures else {}
    beside = FARTHEST if steps else 0
    for w, (road, figure) in enumerate(zip(layout.roads, scene.figures.wires if scene.figures else (), strict=False)):
        if road is not None and steps.get(w) == 0 and figure.blocked < GOOD_PART:
            pieces.append(wire_piece(layout, road, ORANGE))  # all wait for its next place
        # The share of packets' time that a wire's head waited.
        if road is not None and figure.blocked >= 0.01:
            lines = tuple(_last_part(line, min(figure.blocked, 1.0)) for line in road.lines)
            centre = _last_part(road.centre, min(figure.blocked, 1.0))
            pieces.append(WirePiece(lines, centre, paler(VERMILLION, steps.get(w, beside)), False, apart))
    sides = {(n.element, n.port): n.side for n in layout.notches if n.is_input}
    for body in layout.bodies.values():
        found = _figure(scene, body.id)
        if found is not None:
            towards = sides.get((body.id, found.port or ""))
            shares = (_percent(found.busy), _percent(found.starved), _percent(found.blocked))
            pieces.append(CoreMark(body, "stalls", shares, towards, far=steps.get(body.id, beside)))
    return pieces


def _utilisation(layout: Layout, scene: Scene) -> list[Any]:
    pieces: list[Any] = []
    for wire, road, figure in zip(
        layout.design.wires, layout.roads, scene.figures.wires if scene.figures else (), strict=False
    ):
        if road is None or wire.every_ticks is None:
            continue
        used = min(figure.rate * wire.every_ticks / 100, 1.0)
        pieces.append(wire_piece(layout, road, EDGE, width=6))
        pieces.append(wire_piece(layout, road, GREEN_TEXT, width=max(1, round(6 * used))))
    for body in layout.bodies.values():
        found = _figure(scene, body.id)
        if found is not None:
            pieces.append(CoreMark(body, "utilisation", (_percent(found.busy),)))
    return pieces


def _power(layout: Layout, scene: Scene) -> list[Any]:
    pieces: list[Any] = []
    items: list[tuple[float, int | str]] = []
    for w, (road, figure) in enumerate(zip(layout.roads, scene.figures.wires if scene.figures else (), strict=False)):
        if road is not None:
            share = power_share(figure.power_uw / road.length / road.words)
            pieces.append(wire_piece(layout, road, ramp(max(share, 0.12)), width=3))
            items.append((figure.power_uw, w))
    for name in layout.bodies:
        found = _figure(scene, name)
        if found is not None:
            items.append((found.power_uw, name))
    top = sorted(items, key=lambda pair: -pair[0])[:3]
    for body in layout.bodies.values():
        found = _figure(scene, body.id)
        if found is not None:
            pieces.append(CoreMark(body, "power", (_percent(power_share(found.power_uw)),)))
    return pieces + spaced([note_at(layout, item, power_text(uw), TEXT, 24) for uw, item in top], scene.theme)


def _flow(layout: Layout, scene: Scene) -> list[Any]:
    """Wires as bright as words come along, on a square-root scale up to one per ns."""
    pieces: list[Any] = []
    for road, figure in zip(layout.roads, scene.figures.wires if scene.figures else (), strict=False):
        if road is not None and figure.rate > 0:
            colour = mix(WIRE_SLOW, PACKET, min(sqrt(figure.rate), 1.0))
            pieces.append(WirePiece(road.lines, road.centre, colour, False, pitch(layout.level.board.tracks)))
    return pieces


def _bottleneck(layout: Layout, scene: Scene) -> list[Any]:
    found = scene.bottleneck
    if found is None:
        return []
    pieces: list[Any] = []
    for w in found.wires:
        road = layout.roads[w] if w < len(layout.roads) else None
        if road is not None:
            pieces.append(wire_piece(layout, road, ORANGE))
    slack = sorted((slower, w) for w, slower in found.slack.items() if w not in found.wires and slower >= 1.05)
    known = [(slower, w) for slower, w in slack if w < len(layout.roads) and layout.roads[w] is not None]
    pieces += spaced([note_at(layout, w, f"{slower:.2g} ×", TEXT_2, 32) for slower, w in known], scene.theme)
    pieces += [CoreMark(layout.bodies[name], "bottleneck", ()) for name in found.cores if name in layout.bodies]
    return pieces


def _tracks(layout: Layout) -> list[Any]:
    tracks = layout.level.board.tracks
    pieces: list[Any] = [wire_piece(layout, road, mix(TEXT_3, BOARD, 0.2)) for road in layout.roads if road is not None]
    for ((ax, ay), (bx, by)), used in layout.used.items():
        upright = ay == by
        x, y = (max(ax, bx), ay + 0.5) if upright else (ax + 0.5, max(ay, by))
        pieces.append(EdgeBar(x, y, upright, used, tracks))
    return pieces
