"""What is drawn above all else: selection, what is under the mouse, ghosts, marks on wires, and the chain of waits."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

import pygame

from game.theme import (
    BOARD,
    GREEN_TEXT,
    ORANGE,
    SKY,
    TEXT,
    TEXT_2,
    TEXT_3,
    VERMILLION,
    VERMILLION_TEXT,
    YELLOW,
    Colour,
    mix,
)
from game.view.cores import body_sprite, glyph_place
from game.view.flags import Flag
from game.view.glyphs import GLYPHS, glyph, glyph_of
from game.view.layout import Body, Layout, Notch
from game.view.overlay_marks import Note
from game.view.roads import Road, pitch
from game.view.scene import Ghost, GhostWire, Item, Scene, shield_index
from game.view.shapes import EAST, Tile, body, corner_radius, rounded
from game.view.sprites import disc_mask, polygon_mask, rounded_mask, stroke_mask, text, tinted
from game.view.wires import WirePiece, draw_wire, wire_piece
from game.view.zoom import Zoom


def draw_highlights(
    surface: pygame.Surface,
    origin: tuple[int, int],
    zoom: Zoom,
    layout: Layout,
    scene: Scene,
    above: Sequence[Any] = (),
) -> None:
    """Wires and cores that stand out, below the packets: selection, what is under the mouse, the chain of waits.

    ``above``: the overlay's pieces. What they tell of a wire by its colour stays in sight within its outline, and their
    words stay above it.
    """
    if scene.chain is not None:
        for item in scene.chain.way or scene.chain.items:
            element = layout.bodies.get(item) if isinstance(item, str) else None
            if element is not None:
                _body(surface, origin, zoom, element)
            outline(surface, origin, zoom, layout, item, ORANGE, 2, 1)
    for item in sorted(scene.selection, key=str):
        outline(surface, origin, zoom, layout, item, SKY, 2, 1)  # close, as labels stand right above
    if scene.hover is not None and scene.hover not in scene.selection:
        outline(surface, origin, zoom, layout, scene.hover, TEXT_2, 1.5, 0)
    chosen = {item for item in (*scene.selection, scene.hover) if isinstance(item, int)}
    roads = {w: layout.roads[w] for w in sorted(chosen) if 0 <= w < len(layout.roads)}
    of = {wire_piece(layout, road, SKY).centre: (w, road) for w, road in roads.items() if road is not None}
    if not of:
        return
    for piece in above:
        if isinstance(piece, WirePiece) and piece.centre in of:
            wire, road = of[piece.centre]
            _rim(surface, origin, zoom, road, SKY if wire in scene.selection else TEXT_2)
            draw_wire(surface, None, origin, zoom, piece._replace(lines=road.lines, centre=road.centre))
    for piece in above:
        if isinstance(piece, Note | Flag):
            piece.draw(surface, origin, zoom, scene.theme)


def _rim(surface: pygame.Surface, origin: tuple[int, int], zoom: Zoom, road: Road, colour: Colour) -> None:
    """A band along a wire that is broader than its lines, at any zoom."""
    wide = zoom.wire + 2 * zoom.px(1)
    across = road.lines if zoom.lines else (road.centre,)
    for (ax, ay), (bx, by) in (run for line in across for run in pairwise(line)):
        (x, y), (u, v) = sorted(((ax, ay), (bx, by)))
        left, top = origin[0] + round(x * zoom.tile), origin[1] + round(y * zoom.tile)
        right, bottom = origin[0] + round(u * zoom.tile), origin[1] + round(v * zoom.tile)
        half = wide // 2
        surface.fill(colour, (left - half, top - half, right - left + wide, bottom - top + wide))


def draw_marks(surface: pygame.Surface, origin: tuple[int, int], zoom: Zoom, layout: Layout, scene: Scene) -> None:
    """Everything above the packets: beads of the chain, ports under the mouse, the fault, marks on wires, ghosts."""
    if scene.chain is not None:
        _beads(surface, origin, zoom, layout, scene, scene.chain.items)
    # A wire in the hand tells its ends itself.
    if isinstance(scene.hover, str) and scene.hover in layout.bodies and zoom.nominal < 48 and not scene.ghost_wires:
        x, y = layout.bodies[scene.hover].at
        name = text(scene.theme, "text", 12, scene.hover, TEXT)
        left = origin[0] + x * zoom.tile + (zoom.tile - name.get_width()) // 2
        _caption(surface, zoom, scene, scene.hover, left, origin[1] + y * zoom.tile - zoom.px(9), TEXT)
    if scene.offers is not None:
        _free_ports(surface, origin, zoom, layout, scene, scene.offers)
    if scene.port is not None:
        _port(surface, origin, zoom, layout, scene, scene.port)
    _ports_that_fit(surface, origin, zoom, layout, scene)
    if scene.box is not None:
        _selection_box(surface, origin, zoom, scene.box)
    if scene.fault is not None and scene.fault in layout.bodies:
        outline(surface, origin, zoom, layout, scene.fault, VERMILLION, 2, 3)
        outline(surface, origin, zoom, layout, scene.fault, VERMILLION, 1, 6.5)
    if scene.hazard is not None:
        _hollow(surface, origin, zoom, layout, *scene.hazard)
    for wire, words in scene.marks.items():
        _mark(surface, origin, zoom, layout, scene, wire, words)
    for ghost_wire in scene.ghost_wires:
        _ghost_wire(surface, origin, zoom, scene, ghost_wire)
    for ghost in scene.ghosts:
        _ghost(surface, origin, zoom, scene, ghost)


def outline(
    surface: pygame.Surface,
    origin: tuple[int, int],
    zoom: Zoom,
    layout: Layout,
    item: Item,
    colour: Colour,
    thick: float,
    away: float,
) -> None:
    """A ring round a body at a distance in px, or the wire drawn in this colour with a rim."""
    if isinstance(item, int):
        road = layout.roads[item] if 0 <= item < len(layout.roads) else None
        if road is not None:
            stopped = layout.design.wires[item].every_ticks is None
            _bright_wire(surface, origin, zoom, layout, road, colour, stopped)
        return
    element = layout.bodies.get(item)
    if element is not None:
        _ring(surface, origin, zoom, element, colour, thick, away)
    elif (shield := shield_of(layout, item)) is not None:
        _bright_wire(surface, origin, zoom, layout, shield, colour)


def shield_of(layout: Layout, item: Item) -> Road | None:
    """The way of a shield by what it is called, or None."""
    index = shield_index(item)
    return layout.shields[index] if index is not None and index < len(layout.shields) else None


def _ring(
    surface: pygame.Surface,
    origin: tuple[int, int],
    zoom: Zoom,
    element: Body,
    colour: Colour,
    thick: float,
    away: float,
) -> None:
    ring = ring_sprite(element.core, element.towards, element.edge, zoom.tile, zoom.scale, colour, thick, away)
    left, top = origin[0] + element.at[0] * zoom.tile, origin[1] + element.at[1] * zoom.tile
    surface.blit(ring, (left - zoom.tile // 2, top - zoom.tile // 2))


@lru_cache(maxsize=256)
def ring_sprite(
    core: str, towards: Tile, edge: Tile | None, tile: int, scale: float, colour: Colour, thick: float, away: float
) -> pygame.Surface:
    """A ring round a body, in the middle of a square of two tiles; ``thick`` and ``away`` in px at scale 1."""
    grown, inner = (away + thick) * scale / tile, away * scale / tile
    size = tile * 2
    outline = []
    for amount in (grown, inner):
        points = rounded(body(core, towards, edge, -amount), corner_radius(core) + amount)
        outline.append(polygon_mask([((x + 1) * tile, (y + 1) * tile) for x, y in points], size, size))
    return tinted((outline[0] - outline[1]).clip(0, 1), colour)


def _bright_wire(
    surface: pygame.Surface,
    origin: tuple[int, int],
    zoom: Zoom,
    layout: Layout,
    road: Road,
    colour: Colour,
    dashed: bool = False,
) -> None:
    piece = WirePiece(road.lines, road.centre, colour, dashed, pitch(layout.level.board.tracks))
    draw_wire(surface, None, origin, zoom, piece)


def _port_ring(
    surface: pygame.Surface,
    origin: tuple[int, int],
    zoom: Zoom,
    layout: Layout,
    port: tuple[str, str],
    colour: Colour,
) -> None:
    for notch in layout.notches:
        if (notch.element, notch.port) == port:
            _ring_at(surface, origin, zoom, notch, colour)


def _ring_at(surface: pygame.Surface, origin: tuple[int, int], zoom: Zoom, notch: Notch, colour: Colour) -> None:
    size = zoom.px(18)
    ring = tinted(disc_mask(size - 1, size, size - 1 - 3 * zoom.scale), colour)
    x, y = origin[0] + notch.x * zoom.tile, origin[1] + notch.y * zoom.tile
    surface.blit(ring, (round(x - size / 2), round(y - size / 2)))


def _free_ports(
    surface: pygame.Surface, origin: tuple[int, int], zoom: Zoom, layout: Layout, scene: Scene, element: str
) -> None:
    """Ports of an element to which no wire goes yet: outputs as discs, inputs as rings, with their names."""
    names: dict[Tile, list[tuple[int, int, str]]] = {}
    size = zoom.px(12)
    for notch in layout.notches:
        if notch.element != element or notch.wire >= 0:
            continue
        x, y = round(origin[0] + notch.x * zoom.tile), round(origin[1] + notch.y * zoom.tile)
        corner = x - size // 2, y - size // 2
        surface.blit(tinted(disc_mask(size - 1, size), BOARD), corner)
        hole = size - 1 - 4 * zoom.scale if notch.is_input else 0.0
        surface.blit(tinted(disc_mask(size - 1, size, hole), SKY), corner)
        names.setdefault(notch.side, []).append((x, y, notch.port))
    if scene.port is not None:
        return  # whose name and way are told
    away, step = zoom.px(16), zoom.px(20)
    for side, found in names.items():
        found.sort(key=lambda port: (port[1], port[0]))
        middle = sum(y for _, y, _ in found) // len(found)
        for k, (x, y, name) in enumerate(found):
            wide = text(scene.theme, "text", 12, name, TEXT).get_width()
            # Ports lie closer together than lines of text.
            height = middle + round((k - (len(found) - 1) / 2) * step) if len(found) > 1 else y
            if side[0]:
                left = x + away if side[0] > 0 else x - away - wide
            else:
                left, height = x - wide // 2, height + side[1] * away
            _caption(surface, zoom, scene, name, left, height, TEXT)


def _port(
    surface: pygame.Surface, origin: tuple[int, int], zoom: Zoom, layout: Layout, scene: Scene, port: Notch
) -> None:
    """The port under the mouse: a ring, its name, and which way words go."""
    alike = [n for n in layout.notches if (n.element, n.port, n.is_input) == (port.element, port.port, port.is_input)]
    for notch in alike:
        _ring_at(surface, origin, zoom, notch, SKY)
    words = f"{'input' if port.is_input else 'output'} {port.port} of {port.element}"
    x, y = origin[0] + port.x * zoom.tile, origin[1] + port.y * zoom.tile
    wide = text(scene.theme, "text", 12, words, TEXT).get_width()
    left = x + zoom.px(16) if port.side[0] >= 0 else x - zoom.px(16) - wide
    _caption(surface, zoom, scene, words, round(left), round(y - zoom.px(18)), TEXT)


def _hollow(
    surface: pygame.Surface, origin: tuple[int, int], zoom: Zoom, layout: Layout, element: str, port: str | None
) -> None:
    """What works by luck: a ring round the port where wires meet, or a hollow medal at the body's corner."""
    place = layout.bodies.get(element)
    if place is None:
        return
    if port is not None:
        _port_ring(surface, origin, zoom, layout, (element, port), YELLOW)
        return
    size = zoom.px(15)
    x, y = origin[0] + (place.at[0] + 0.14) * zoom.tile, origin[1] + (place.at[1] + 0.14) * zoom.tile
    corner = (round(x - size / 2), round(y - size / 2))
    surface.blit(tinted(disc_mask(size - 1, size), BOARD), corner)
    surface.blit(tinted(disc_mask(size - 3, size, size - 3 - 4 * zoom.scale), YELLOW), corner)


def _ports_that_fit(surface: pygame.Surface, origin: tuple[int, int], zoom: Zoom, layout: Layout, scene: Scene) -> None:
    """While a wire is in the hand: a wide green ring where it fits, a small grey one where it does not."""
    if not scene.ports:
        return
    view = surface.get_clip()
    for notch in layout.notches:
        fits = scene.ports.get((notch.element, notch.port))
        if fits is None:
            continue
        x, y = round(origin[0] + notch.x * zoom.tile), round(origin[1] + notch.y * zoom.tile)
        if not view.collidepoint(x, y):
            continue
        size = zoom.px(16 if fits else 10)
        hole = size - 1 - (4 if fits else 3) * zoom.scale
        ring = tinted(disc_mask(size - 1, size, hole), GREEN_TEXT if fits else TEXT_3)
        surface.blit(ring, (x - size // 2, y - size // 2))


def _selection_box(
    surface: pygame.Surface, origin: tuple[int, int], zoom: Zoom, box: tuple[float, float, float, float]
) -> None:
    left, top, right, bottom = (round(origin[i % 2] + v * zoom.tile) for i, v in enumerate(box))
    rect = pygame.Rect(left, top, right - left, bottom - top)
    rect.normalize()
    seen = rect.clip(surface.get_clip())
    if seen.width and seen.height:
        veil = pygame.Surface(seen.size, depth=32)
        veil.fill(SKY)
        veil.set_alpha(20)
        surface.blit(veil, seen)
    pygame.draw.rect(surface, SKY, rect, zoom.px(1))


# --- marks on wires ------------------------------------------------------------------------------------------------

_SIGNS = {
    "⟳": (
        (12.5, 5.5),
        (13.6, 8),
        (12.4, 11.4),
        (9.4, 13.4),
        (6.2, 13.2),
        (3.4, 11),
        (2.6, 7.6),
        (4, 4.4),
        (7, 2.6),
        (10.4, 3),
    ),
    "⇄": ((2.5, 5.2), (13.5, 5.2), (10.6, 2.6)),
}
_MORE = {
    "⟳": (((13.6, 1.8), (13.2, 5.8), (9.4, 5.4)),),
    "⇄": (((13.5, 10.8), (2.5, 10.8), (5.4, 13.4)),),
    "≋": (
        ((2, 4.6), (4.6, 3), (8, 5), (11.4, 3), (14, 4.4)),
        ((2, 8.6), (4.6, 7), (8, 9), (11.4, 7), (14, 8.4)),
        ((2, 12.6), (4.6, 11), (8, 13), (11.4, 11), (14, 12.4)),
    ),
    "■": (((4, 4), (12, 4), (12, 12), (4, 12), (4, 4)),),
}


def _mark(
    surface: pygame.Surface, origin: tuple[int, int], zoom: Zoom, layout: Layout, scene: Scene, wire: int, words: str
) -> None:
    """A sign and words beside the middle of a wire's longest run."""
    road = layout.roads[wire] if 0 <= wire < len(layout.roads) else None
    if road is None or zoom.nominal < 24 or not words:
        return
    sign, _, rest = words.partition(" ")
    (ax, ay), (bx, by) = max(pairwise(road.centre), key=lambda r: abs(r[1][0] - r[0][0]) + abs(r[1][1] - r[0][1]))
    x, y = round(origin[0] + (ax + bx) / 2 * zoom.tile), round(origin[1] + (ay + by) / 2 * zoom.tile)
    size = zoom.px(13)
    strokes = [s for s in (_SIGNS.get(sign), *_MORE.get(sign, ())) if s]
    unit = size / 16
    picture = tinted(
        stroke_mask([[(px * unit, py * unit) for px, py in s] for s in strokes], max(1.75 * unit, 1.2), size, size),
        ORANGE,
    )
    written = text(scene.theme, "semibold", 12, rest, ORANGE) if rest else None
    width = size + (zoom.px(4) + written.get_width() if written else 0)
    level = abs(bx - ax) >= abs(by - ay)
    left = x - width // 2 if level else x + zoom.px(10)
    # Below the wire, and below its speed where that is written.
    middle = (
        y + zoom.wire // 2 + zoom.px(14) + (zoom.px(14) if zoom.names else 0)
        if level
        else y + (zoom.px(16) if zoom.names else 0)
    )
    ground = pygame.Rect(left, middle - size // 2, width, size).inflate(zoom.px(8), zoom.px(4))
    surface.blit(tinted(rounded_mask(ground.width, ground.height, zoom.px(4)), BOARD, 0.85), ground)
    surface.blit(picture, (left, middle - size // 2))
    if written:
        surface.blit(written, (left + size + zoom.px(4), middle - written.get_height() // 2))


# --- ghosts --------------------------------------------------------------------------------------------------------


def draw_ghost_body(surface: pygame.Surface, at: tuple[int, int], zoom: Zoom, core: str) -> None:
    """A core that is not on the board, in a tile with this corner."""
    sprite = body_sprite(core, EAST, None, zoom.tile, zoom.nominal, zoom.scale).copy()
    if zoom.glyph and core in GLYPHS:
        sprite.blit(glyph(core, zoom.glyph, TEXT), ((zoom.tile - zoom.glyph) // 2,) * 2)
    sprite.set_alpha(115)
    surface.blit(sprite, at)


def _ghost(surface: pygame.Surface, origin: tuple[int, int], zoom: Zoom, scene: Scene, ghost: Ghost) -> None:
    left, top = origin[0] + ghost.at[0] * zoom.tile, origin[1] + ghost.at[1] * zoom.tile
    draw_ghost_body(surface, (left, top), zoom, ghost.core)
    if ghost.reason is None:
        return
    clip = surface.get_clip()
    surface.set_clip(pygame.Rect(left, top, zoom.tile, zoom.tile).clip(clip))
    for at in range(-zoom.tile, zoom.tile, zoom.px(6)):
        pygame.draw.line(surface, VERMILLION, (left + at, top + zoom.tile), (left + at + zoom.tile, top), zoom.px(1))
    surface.set_clip(clip)
    _caption(surface, zoom, scene, ghost.reason, left + zoom.tile + zoom.px(8), top + zoom.tile // 2, VERMILLION_TEXT)


def _ghost_wire(surface: pygame.Surface, origin: tuple[int, int], zoom: Zoom, scene: Scene, ghost: GhostWire) -> None:
    colour = SKY if ghost.fits else VERMILLION_TEXT
    if len(ghost.path) >= 2:
        draw_wire(
            surface,
            None,
            origin,
            zoom,
            WirePiece((ghost.path,), ghost.path, mix(colour, BOARD, 0.2), not ghost.fits, 1 / 8),
        )
    if ghost.note and ghost.path:
        x, y = ghost.path[-1]
        where = round(origin[0] + x * zoom.tile) + zoom.px(14), round(origin[1] + y * zoom.tile)
        where = where[0], where[1] - max(zoom.px(14), zoom.tile // 2 + zoom.px(8))
        _caption(surface, zoom, scene, ghost.note, *where, TEXT if ghost.fits else VERMILLION_TEXT)


def _caption(surface: pygame.Surface, zoom: Zoom, scene: Scene, words: str, x: int, y: int, colour: Colour) -> None:
    written = text(scene.theme, "text", 12, words, colour)
    rect = written.get_rect(midleft=(x, y))
    ground = rect.inflate(zoom.px(12), zoom.px(6))
    view = surface.get_clip()
    if ground.colliderect(view):  # what is in sight is in sight as a whole
        ground.clamp_ip(view)
        rect.center = ground.center
    surface.blit(tinted(rounded_mask(ground.width, ground.height, zoom.px(4)), BOARD, 0.9), ground)
    surface.blit(written, rect)


# --- the chain of waits ----------------------------------------------------------------------------------------------


def _body(surface: pygame.Surface, origin: tuple[int, int], zoom: Zoom, element: Body) -> None:
    """A core at full brightness on the dimmed board."""
    left, top = origin[0] + element.at[0] * zoom.tile, origin[1] + element.at[1] * zoom.tile
    surface.blit(
        body_sprite(element.core, element.towards, element.edge, zoom.tile, zoom.nominal, zoom.scale), (left, top)
    )
    name = glyph_of(element.core, dict(element.settings))
    if zoom.glyph and name in GLYPHS:
        x, y, size = glyph_place(element, zoom)
        surface.blit(glyph(name, size, TEXT), (left + x, top + y))


def _beads(
    surface: pygame.Surface,
    origin: tuple[int, int],
    zoom: Zoom,
    layout: Layout,
    scene: Scene,
    items: tuple[Item, ...],
) -> None:
    """Numbers along the chain; its root has a double ring."""
    root = items[-1] if items else None
    if isinstance(root, str) and root in layout.bodies:
        for away in (3.0, 6.5):
            _ring(surface, origin, zoom, layout.bodies[root], VERMILLION, 1.5, away)
    for k, item in enumerate(items, 1):
        place = middle_of(layout, item)
        if place is None:
            continue
        x, y = round(origin[0] + place[0] * zoom.tile), round(origin[1] + place[1] * zoom.tile)
        if isinstance(item, str):
            # At the upper left corner of the body, so that its sign stays in view.
            x, y = x - round(zoom.units(13)), y - round(zoom.units(13))
        size = zoom.px(17)
        colour = VERMILLION if k == len(items) else ORANGE
        surface.blit(tinted(disc_mask(size, size + 2), colour), (x - size // 2 - 1, y - size // 2 - 1))
        written = text(scene.theme, "mono-semibold", 11, str(k), BOARD)
        surface.blit(written, written.get_rect(center=(x, y)))


def middle_of(layout: Layout, item: Item) -> tuple[float, float] | None:
    """A place in tiles that stands for an element; for a wire the middle of its longest run."""
    if isinstance(item, str):
        element = layout.bodies.get(item)
        if element is not None:
            return element.at[0] + 0.5, element.at[1] + 0.5
        road = shield_of(layout, item)
    else:
        road = layout.roads[item] if 0 <= item < len(layout.roads) else None
    if road is None:
        return None
    (ax, ay), (bx, by) = max(pairwise(road.centre), key=lambda r: abs(r[1][0] - r[0][0]) + abs(r[1][1] - r[0][1]))
    return (ax + bx) / 2, (ay + by) / 2
