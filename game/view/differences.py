"""What differs between two designs, on the board of one of them: what the other lacks, has besides, or has otherwise.

Every kind has a sign and a colour: minus for what only the shown design has, plus for what only the other has (drawn as
a ghost), and a word for what both have with another number.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import pygame

from engine.model import CoreSpec, Design, WireSpec
from game.theme import BOARD, GREEN_TEXT, ORANGE, VERMILLION_TEXT, Colour, Theme, mix
from game.view.labels import speed_text
from game.view.layout import Layout, labels_of
from game.view.marks import draw_ghost_body, middle_of, outline
from game.view.scene import Item
from game.view.shapes import HALF
from game.view.sprites import rounded_mask, text, tinted
from game.view.wires import WirePiece, draw_wire
from game.view.zoom import Zoom

LEAST_TAGGED = 3
"""Tiles of a wire that has room for a sign."""

Key = tuple[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Differences:
    """Of a shown design against another one. Wires are numbers in the shown design.

    ``only`` stands on the board and not in the other design; ``cores`` and ``wires`` are the other's; ``otherwise``
    says what is different about what both have at the same place. ``new``: the shown design is the newer one, so what
    it alone has was added, and what only the other has is not shown.
    """

    only: frozenset[Item] = frozenset()
    cores: tuple[CoreSpec, ...] = ()
    wires: tuple[WireSpec, ...] = ()
    otherwise: Mapping[Item, str] = field(default_factory=dict)
    new: bool = False

    def __len__(self) -> int:
        return len(self.only) + len(self.cores) + len(self.wires) + len(self.otherwise)


def differences_of(shown: Design, other: Design, new: bool = False) -> Differences:
    """Cores are told apart by name, wires by their ends; several of the same ends in the order of the file.

    What is otherwise is told from the older design to the newer one.
    """
    mine, theirs = {core.id: core for core in shown.cores}, {core.id: core for core in other.cores}
    only: set[Item] = set()
    otherwise: dict[Item, str] = {}
    cores: list[CoreSpec] = []
    for name, core in mine.items():
        twin = theirs.get(name)
        if twin is None:
            only.add(name)
        elif twin.core != core.core or twin.at != core.at:
            only.add(name)
            cores.append(twin)
        elif twin.set != core.set:
            otherwise[name] = _step(_settings(core), _settings(twin), new)
    cores += [core for name, core in theirs.items() if name not in mine]
    left = defaultdict(list)
    for wire in other.wires:
        left[_ends(wire)].append(wire)
    wires: list[WireSpec] = []
    for w, wire in enumerate(shown.wires):
        same = left.get(_ends(wire))
        if not same:
            only.add(w)
            continue
        twin_wire = same.pop(0)
        if twin_wire.path != wire.path:
            only.add(w)
            wires.append(twin_wire)
        elif twin_wire.every_ticks != wire.every_ticks:
            otherwise[w] = _step(speed_text(wire.every_ticks), speed_text(twin_wire.every_ticks), new)
    wires += [wire for same in left.values() for wire in same]
    return Differences(frozenset(only), tuple(cores), tuple(wires), otherwise, new)


def _step(shown: str, other: str, new: bool) -> str:
    return f"{other} → {shown}" if new else f"{shown} → {other}"


def _ends(wire: WireSpec) -> Key:
    return wire.source, tuple(sorted(wire.to))


def _settings(core: CoreSpec) -> str:
    return " ".join(filter(None, labels_of(core.core, dict(core.set)))) or "–"


def draw_different_wires(
    surface: pygame.Surface, origin: tuple[int, int], zoom: Zoom, layout: Layout, found: Differences
) -> None:
    """Wires that only one of the designs has. To be drawn below the packets."""
    for wire in () if found.new else found.wires:
        _ghost_wire(surface, origin, zoom, layout, wire)
    for item in sorted(item for item in found.only if isinstance(item, int)):
        outline(surface, origin, zoom, layout, item, GREEN_TEXT if found.new else VERMILLION_TEXT, 2, 2)


def draw_differences(
    surface: pygame.Surface, origin: tuple[int, int], zoom: Zoom, layout: Layout, theme: Theme, found: Differences
) -> None:
    """Cores that only one of the designs has, and all signs and words."""
    for core in () if found.new else found.cores:
        left, top = origin[0] + core.at[0] * zoom.tile, origin[1] + core.at[1] * zoom.tile
        draw_ghost_body(surface, (left, top), zoom, core.core)
        frame = pygame.Rect(left, top, zoom.tile, zoom.tile).inflate(-zoom.px(2), -zoom.px(2))
        _dashed_frame(surface, frame, zoom, GREEN_TEXT)
        if zoom.notches:
            _tag(surface, zoom, theme, "+", frame.right, frame.top, GREEN_TEXT)
    for name in sorted(item for item in found.only if isinstance(item, str)):
        outline(surface, origin, zoom, layout, name, GREEN_TEXT if found.new else VERMILLION_TEXT, 2, 2)
    for place, words, colour in _tags(layout, found, zoom.notches):
        x, y = origin[0] + round(place[0] * zoom.tile), origin[1] + round(place[1] * zoom.tile)
        _tag(surface, zoom, theme, words, x, y, colour)


def _tags(layout: Layout, found: Differences, signs: bool) -> Iterator[tuple[tuple[float, float], str, Colour]]:
    """Signs and words with their places in tiles; far away there is no room for the signs."""
    for item in sorted(found.only, key=str) if signs else ():
        place, road = middle_of(layout, item), layout.roads[item] if isinstance(item, int) else None
        if place is not None and (road is None or road.length >= LEAST_TAGGED):
            corner = place if isinstance(item, int) else (place[0] + 0.45, place[1] - 0.45)
            yield corner, *(("+", GREEN_TEXT) if found.new else ("−", VERMILLION_TEXT))
    for item, words in sorted(found.otherwise.items(), key=lambda pair: str(pair[0])):
        place = middle_of(layout, item)
        if place is not None:
            yield (place[0], place[1] + (0.0 if isinstance(item, int) else 0.62)), words, ORANGE


def _tag(surface: pygame.Surface, zoom: Zoom, theme: Theme, words: str, x: int, y: int, colour: Colour) -> None:
    written = text(theme, "mono-semibold", 12, words, colour)
    ground = written.get_rect(center=(x, y)).inflate(zoom.px(8), zoom.px(2))
    surface.blit(tinted(rounded_mask(ground.width, ground.height, zoom.px(4)), BOARD, 0.94), ground)
    surface.blit(written, written.get_rect(center=(x, y)))


def _ghost_wire(surface: pygame.Surface, origin: tuple[int, int], zoom: Zoom, layout: Layout, wire: WireSpec) -> None:
    path = [(x + 0.5, y + 0.5) for x, y in wire.path]
    for end, beside in ((0, 1), (-1, -2)):  # from body to body
        (x, y), (u, v) = path[end], path[beside]
        path[end] = x + HALF * ((u > x) - (u < x)), y + HALF * ((v > y) - (v < y))
    line = tuple(path)
    apart = 1 / max(layout.level.board.tracks, 1)
    draw_wire(surface, None, origin, zoom, WirePiece((line,), line, mix(GREEN_TEXT, BOARD, 0.15), True, apart))


def _dashed_frame(surface: pygame.Surface, rect: pygame.Rect, zoom: Zoom, colour: Colour) -> None:
    dash, line = zoom.px(4), zoom.px(1.5)
    for at in range(0, rect.width, 2 * dash):
        wide = min(dash, rect.width - at)
        surface.fill(colour, (rect.left + at, rect.top, wide, line))
        surface.fill(colour, (rect.left + at, rect.bottom - line, wide, line))
    for at in range(0, rect.height, 2 * dash):
        high = min(dash, rect.height - at)
        surface.fill(colour, (rect.left, rect.top + at, line, high))
        surface.fill(colour, (rect.right - line, rect.top + at, line, high))
