"""What moves in cores: results in flight along the lower edge, and from tile 96 the shares of time."""

from __future__ import annotations

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
    if not zoom.glyph:
        return
    nodes = _nodes_of(layout, scene)
    if not nodes and not zoom.stages:
        return
    for element in seen:
        left, top = origin[0] + element.at[0] * zoom.tile, origin[1] + element.at[1] * zoom.tile
        mine = nodes.get(element.id)
        if mine and element.core == "buffer":
            _fill(surface, left, top, zoom, element, scene, mine)
        elif mine and fires(scene, element.id, mine):
            _light(surface, left, top, zoom, element)
        if element.pad or not zoom.stages:
            continue
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
        if mine:
            _draw_stages(surface, pygame.Rect(left + inset + side, y, width, height), scene, mine)


def fires(scene: Scene, name: str, nodes: list[int]) -> bool:
    """Whether an element's sign is lit: for a while after each firing, and always where these come too fast to see."""
    assert scene.state is not None
    last = max(scene.state.nodes[i].last_firing for i in nodes)
    if last < 0:
        return False
    figure = scene.figures.cores.get(name) if scene.figures else None
    if figure is not None and figure.rate * scene.pace > MOST_LIT:
        return True
    # Half of the shortest distance of two lights.
    return 0 <= scene.time_ns - last / 100 < scene.pace / MOST_LIT / 2


def _light(surface: pygame.Surface, left: int, top: int, zoom: Zoom, element: Body) -> None:
    name = glyph_of(element.core, dict(element.settings))
    if name in GLYPHS:
        x, y, size = glyph_place(element, zoom)
        surface.blit(glyph(name, size, TEXT), (left + x, top + y))


def _fill(
    surface: pygame.Surface, left: int, top: int, zoom: Zoom, element: Body, scene: Scene, nodes: list[int]
) -> None:
    """How full a buffer is: a level behind its sign, with a line at every slot where there is room for lines."""
    assert scene.state is not None and scene.netlist is not None
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
