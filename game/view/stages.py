"""What moves in cores: results in flight along the lower edge, and from tile 96 the shares of time."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pygame

from game.theme import (
    BOARD,
    GREEN,
    LAUNCH_COLOURS,
    LIGHT,
    PACKET,
    PANEL_2,
    SKY,
    TEXT,
    TEXT_3,
    VERMILLION,
    Colour,
    mix,
)
from game.view.cores import glyph_place
from game.view.glyphs import GLYPHS, glyph, glyph_of
from game.view.layout import Body, Layout
from game.view.scene import Figure, Scene
from game.view.shapes import family_of
from game.view.sprites import text
from game.view.zoom import Zoom

LIT_FROM = 24
"""Zoom step from which signs light up and buffers show their level."""

MOST_LIT = 8
"""Lights of a sign in one second of the player: above, it is lit steadily."""

LEVEL: Colour = (14, 40, 52)
LEVEL_LINE: Colour = (12, 26, 36)
_LEVEL_BLEND = pygame.BLEND_RGB_SUB if LIGHT else pygame.BLEND_RGB_ADD
"""Light that a buffer's level adds to its body, and that the lines between its slots take."""


def draw_moving(
    surface: pygame.Surface, origin: tuple[int, int], zoom: Zoom, layout: Layout, scene: Scene, seen: list[Body]
) -> None:
    """What fires and what is held: signs that light up, levels of buffers, and from tile 48 results in flight along
    the lower edge of each core; from tile 96 its share of time."""
    nodes = _nodes_of(layout, scene) if zoom.nominal >= LIT_FROM else {}
    if nodes:
        shown = {element.id for element in seen}
        _lights(surface, origin, zoom, layout, lit(scene, nodes) & shown)
        for name in (name for name in _buffers(layout) if name in shown and name in nodes):
            _fill(surface, origin, zoom, layout.bodies[name], scene, nodes[name])
    for element in seen if zoom.stages else ():
        if element.pad:
            continue
        left, top = origin[0] + element.at[0] * zoom.tile, origin[1] + element.at[1] * zoom.tile
        inset, side = round(zoom.units(3)), round(zoom.units(5 if family_of(element.core) == "steering" else 3.5))
        width = zoom.tile - 2 * inset - 2 * side
        bottom = top + zoom.tile - inset - round(zoom.units(2))
        height = zoom.grown(2)
        if zoom.bars:
            if scene.figures and element.id in scene.figures.cores:
                bar = pygame.Rect(left + inset + side, bottom - zoom.px(3), width, zoom.px(3))
                figure = scene.figures.cores[element.id]
                draw_bar(surface, bar, figure)
                if zoom.nominal >= 128:
                    written = text(scene.theme, "mono", 11, f"{figure.energy_share:.0%}".replace("%", " %"), TEXT_3)
                    away = round(zoom.units(1.5)) + zoom.px(2)
                    surface.blit(written, (left + inset + away, top + inset + away))
            bottom -= zoom.px(6)
        y = bottom - height
        mine = nodes.get(element.id)
        if mine:
            _draw_stages(surface, pygame.Rect(left + inset + side, y, width, height), scene, mine)


def lit(scene: Scene, nodes: Mapping[str, list[int]]) -> set[str]:
    """Elements whose sign is lit: for a while after each firing, and always where these come too fast to see."""
    assert scene.state is not None and scene.netlist is not None
    last = scene.state.last_firings()
    # Half of the shortest distance of two lights.
    age = scene.time_ns * 100 - last
    young = np.flatnonzero((last >= 0) & (age >= 0) & (age < scene.pace * 100 / MOST_LIT / 2)).tolist()
    netlist = scene.netlist
    found = {netlist.elements[netlist.nodes[i].element].id for i in young}
    if scene.figures is not None:
        many = MOST_LIT / scene.pace if scene.pace > 0 else float("inf")
        begun = {netlist.elements[netlist.nodes[i].element].id for i in np.flatnonzero(last >= 0).tolist()}
        found |= {name for name in begun if (f := scene.figures.cores.get(name)) is not None and f.rate > many}
    return found


def _lights(surface: pygame.Surface, origin: tuple[int, int], zoom: Zoom, layout: Layout, names: set[str]) -> None:
    """Signs at full brightness."""
    known = layout.memo.setdefault(f"signs {zoom.tile} {zoom.nominal}", {})
    pictures = []
    for name in names:
        found = known.get(name)
        if found is None:
            element = layout.bodies[name]
            x, y, size = glyph_place(element, zoom)
            sign = glyph_of(element.core, dict(element.settings))
            at = (element.at[0] * zoom.tile + x, element.at[1] * zoom.tile + y)
            found = known[name] = (glyph(sign, size, TEXT) if sign in GLYPHS else None, at)
        if found[0] is not None:
            pictures.append((found[0], (origin[0] + found[1][0], origin[1] + found[1][1])))
    surface.fblits(pictures)


def _buffers(layout: Layout) -> list[str]:
    if "buffers" not in layout.memo:
        layout.memo["buffers"] = [name for name, body in layout.bodies.items() if body.core == "buffer"]
    found: list[str] = layout.memo["buffers"]
    return found


def _fill(
    surface: pygame.Surface, origin: tuple[int, int], zoom: Zoom, element: Body, scene: Scene, nodes: list[int]
) -> None:
    """How full a buffer is: a level behind its sign, with a line at every slot where there is room for lines."""
    assert scene.state is not None and scene.netlist is not None
    left, top = origin[0] + element.at[0] * zoom.tile, origin[1] + element.at[1] * zoom.tile
    room = max(scene.netlist.nodes[nodes[0]].room, 1)
    held = min(len(scene.state.nodes[nodes[0]].results), room)
    edge = round(zoom.units(3)) + zoom.px(2)
    span = zoom.tile - 2 * edge
    high = round(span * held / room)
    surface.fill(LEVEL, (left + edge, top + edge + span - high, span, high), _LEVEL_BLEND)
    for k in range(1, room) if span / room >= 4 * zoom.scale else ():
        y = top + edge + span - round(span * k / room)
        surface.fill(LEVEL_LINE, (left + edge, y, span, 1), pygame.BLEND_RGB_SUB)


def draw_bar(surface: pygame.Surface, rect: pygame.Rect, figure: Figure) -> None:
    """Busy solid green, starved hollow sky, blocked hatched vermillion."""
    busy = round(rect.width * figure.busy)
    blocked = round(rect.width * figure.blocked)
    starved = max(rect.width - busy - blocked, 0)
    surface.fill(GREEN, (rect.left, rect.top, busy, rect.height))
    if starved:
        hollow = pygame.Rect(rect.left + busy, rect.top, starved, rect.height)
        surface.fill(BOARD, hollow)
        pygame.draw.rect(surface, mix(SKY, BOARD, 0.35), hollow, 1)
    if blocked:
        part = pygame.Rect(rect.left + busy + starved, rect.top, blocked, rect.height)
        surface.fill(mix(VERMILLION, BOARD, 0.55), part)
        clip = surface.get_clip()
        surface.set_clip(part.clip(clip))
        for x in range(part.left - part.height, part.right, 4):
            pygame.draw.line(surface, VERMILLION, (x, part.bottom), (x + part.height, part.top))
        surface.set_clip(clip)


def _nodes_of(layout: Layout, scene: Scene) -> dict[str, list[int]]:
    """Nodes by element, worked out once per netlist; none where nothing of the machine's state is known."""
    if scene.state is None or scene.netlist is None:
        return {}
    known = layout.memo.get("nodes")
    if known is None or known[0] is not scene.netlist:
        found: dict[str, list[int]] = {}
        for i, node in enumerate(scene.netlist.nodes):
            found.setdefault(scene.netlist.elements[node.element].id, []).append(i)
        known = layout.memo["nodes"] = (scene.netlist, found)
    nodes: dict[str, list[int]] = known[1]
    return nodes


def _draw_stages(surface: pygame.Surface, rect: pygame.Rect, scene: Scene, nodes: list[int]) -> None:
    assert scene.state is not None and scene.netlist is not None
    now = scene.time_ns * 100
    node, view = scene.netlist.nodes[nodes[0]], scene.state.nodes[nodes[0]]
    if not node.room:
        return
    kept = len(view.slots) if node.kind in ("repeat", "barrier") else 0
    room = max(node.room, kept, 1)
    cells = min(room, 16, max(1, rect.width // 3))
    live: dict[int, Colour] = {}
    latest = cells
    for packet, ready, _ in view.results:
        left = max(ready - now, 0) / max(node.latency_ticks, 1)
        place = min(int((1 - min(left, 1)) * cells), cells - 1)
        if room > cells:
            place = cells - 1
        latest = min(place, latest - 1)
        if latest < 0:
            break
        colour = LAUNCH_COLOURS[packet.launch % 6] if scene.overlay == "launches" else PACKET
        live[latest] = mix(colour, TEXT_3, 0.55) if packet.masked else colour
    gap = 1 if rect.width // cells < 8 else 2
    for k in range(cells):
        x0 = rect.left + round(k * (rect.width + gap) / cells)
        x1 = rect.left + round((k + 1) * (rect.width + gap) / cells) - gap
        cell = pygame.Rect(x0, rect.top, max(x1 - x0, 1), rect.height)
        if k in live:
            surface.fill(live[k], cell)
        else:
            surface.fill(mix(BOARD, PANEL_2, 0.35), cell)
