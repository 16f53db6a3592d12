"""How the workbench is drawn: the board, then the panels, then the cards over the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pygame

from game.editor.hand import PartHand, PasteHand, ShieldHand
from game.entries import speed_entry
from game.panels.cards import BriefModel
from game.screens import shown
from game.screens.coach import coach, first_line, led_from
from game.text import line
from game.theme import BOARD, ORANGE, SKY, VERMILLION
from game.view.board import origin_of
from game.view.marks import middle_of
from game.view.scene import Scene

if TYPE_CHECKING:
    from game.screens.workbench import Workbench

TIP_S = 0.45
"""Seconds that the mouse rests before a word is said about what it rests on."""


def scene(bench: Workbench) -> Scene:
    """What the board shows now."""
    session, tools = bench.session, bench.tools
    playback = session.playback
    live = session.shows_design and not bench.comparing
    design = session.history.previous if bench.comparing else session.design
    insight = session.insight if len(session.insight.design.wires) == len(design.wires) else None
    report = session.last_report
    fault = playback.fault()
    hazard = shown.hazard(bench)
    port = tools.hover_port if tools.hand is None and not isinstance(tools.hover, int) else None
    return Scene(
        level=bench.level,
        design=design,
        netlist=playback.netlist if live else None,
        time_ns=playback.time_ns,
        packets=playback.packets() if live else None,
        state=playback.state() if live else None,
        figures=session.figures(report) if not bench.comparing else None,
        selection=frozenset(i for i in tools.selection if isinstance(i, str) or i < len(design.wires)),
        hover=tools.hover if port is None else None,
        port=port,
        offers=_offers(bench),
        ghosts=tools.ghosts(),
        ghost_wires=tools.ghost_wires(),
        marks={w: m for w, m in insight.marks.items() if w < len(design.wires)} if insight and live else {},
        overlay=bench.overlay,
        overlay_s=bench.clock - bench.overlay_since,
        chain=bench.why[1] if bench.why and live else None,
        bottleneck=session.bottleneck if insight else None,
        fault=fault.core if fault and live else None,
        hazard=(hazard.place, hazard.port) if hazard and not bench.comparing else None,
        wrong=(fault.core, fault.port) if fault and fault.port and live else None,
        followed=(bench.followed.wire, bench.followed.position) if bench.followed and live else None,
        clock=bench.clock,
        pace=playback.pace,
        placing=isinstance(tools.hand, PartHand | PasteHand | ShieldHand),
        ports=tools.fits(),
        differences=bench.before.differences() if bench.comparing else None,
        moment=bench.moments.moment() if live else None,
        box=tools.box_tiles(),
        base=bench.base,
        theme=bench.context.theme,
    )


def _offers(bench: Workbench) -> str | None:
    """The element whose free ports are shown: under the mouse, or else where the coach leads to."""
    tools = bench.tools
    if tools.hand is not None or tools.history.in_gesture or bench.comparing:
        return None
    if isinstance(tools.hover, str):
        return tools.hover
    return tools.hover_port.element if tools.hover_port and tools.hover is None else led_from(bench)


def draw(bench: Workbench, surface: pygame.Surface) -> None:
    """Draw the whole screen."""
    surface.fill(BOARD)
    place, theme, mouse = bench.regions, bench.context.theme, bench.mouse
    bench.view.draw(surface, bench.camera, scene(bench), budget_ms=8)
    _on_the_board(bench, surface)
    parts = place.palette
    over = bench.searching and place.narrow and parts.width > 0
    if over:  # the names of the parts, over the left edge of the board
        parts = pygame.Rect(parts.left, parts.top, theme.px(220), parts.height)
    bench.palette.draw(surface, parts, theme, shown.palette(bench), mouse)
    bench.sky.draw(surface, place.sky, theme, shown.sky(bench), mouse)
    bench.inspector.draw(surface, place.inspector, theme, shown.inspector(bench), mouse)
    bench.transport.draw(surface, place.transport, theme, shown.transport(bench), mouse)
    bench.timeline.draw(surface, place.timeline, theme, shown.timeline(bench), mouse)
    bench.plots.draw(surface, place.plots, theme, shown.plots(bench), mouse)
    bench.header.draw(surface, place.top, theme, shown.header(bench), mouse)
    nothing = pygame.Rect(0, 0, 0, 0)
    chips = shown.chips(bench)
    corner = nothing if over else bench.chips.place(theme, place.board, chips)
    if not chips.open:
        bench.chips.draw(surface, corner, theme, chips, mouse)
    board_map = shown.board_map(bench)
    rect = bench.map.place(theme, place.board, board_map) if board_map else nothing
    bench.map.draw(surface, rect, theme, board_map, mouse)
    brief: BriefModel = shown.brief(bench)
    rect = bench.briefing.place() if bench.briefing.open and not over else nothing
    bench.brief_card.draw(surface, rect, theme, brief, mouse)
    if chips.open:  # over the brief, which may reach down to it
        bench.chips.draw(surface, corner, theme, chips, mouse)
    versus = bench.before.model() if bench.comparing else None
    right = place.sky.union(place.inspector)
    rect = bench.versus_card.place(theme, place.board, right, versus) if versus else nothing
    bench.versus_card.draw(surface, rect, theme, versus, mouse)
    why = bench.why[0] if bench.why else None
    rect = bench.why_card.place(theme, place.board, why, _chain(bench)) if why else nothing
    bench.why_card.draw(surface, rect, theme, why, mouse)
    toast = bench.toast[0] if bench.toast else coach(bench)
    rect = bench.toast_card.place(theme, place.board, toast) if toast else nothing
    if rect.width and (bench.comparing or bench.why_card.rect.colliderect(rect)):
        rect = nothing
    bench.toast_card.draw(surface, rect, theme, toast, mouse)
    keys = shown.keys(bench) if bench.keys_open else None
    rect = bench.keys_card.place(theme, surface.get_rect(), keys) if keys else nothing
    bench.keys_card.draw(surface, rect, theme, keys, mouse)
    _forms(bench, surface)


def _chain(bench: Workbench) -> list[pygame.Rect]:
    """Where the links of the chain of waits stand on the screen: the card that tells of them hides none."""
    layout, chain = bench.tools.hits().layout, bench.why[1] if bench.why else None
    middles = [middle_of(layout, item) for item in chain.items] if chain else []
    tile = bench.camera.tile
    found = []
    for middle in middles:
        if middle is not None:
            rect = pygame.Rect(0, 0, tile, tile)
            rect.center = tuple(map(round, bench.camera.to_screen(*middle)))
            found.append(rect)
    return found


def _on_the_board(bench: Workbench, surface: pygame.Surface) -> None:
    """What the workbench itself draws on the board: a selection's box, breakpoints, the first line to draw."""
    clip = surface.get_clip()
    surface.set_clip(bench.regions.board)
    px = bench.context.theme.px
    ox, oy = origin_of(bench.camera)
    tile = bench.camera.tile
    breakpoints, netlist = bench.session.playback.breakpoints, bench.session.playback.netlist
    for element in sorted(breakpoints.elements):
        at = shown.place_of(bench, element)
        if at:
            centre = (ox + round((at[0] + 0.86) * tile), oy + round((at[1] + 0.14) * tile))
            pygame.draw.circle(surface, VERMILLION, centre, px(5))
    for name in sorted({name for name, _ in breakpoints.values}) if netlist is not None else ():
        wire = next((i for i, other in enumerate(netlist.wires) if other.id == name), -1)
        middle = middle_of(bench.tools.hits().layout, wire) if wire >= 0 else None
        if middle:
            centre = (ox + round(middle[0] * tile), oy + round(middle[1] * tile))
            pygame.draw.circle(surface, VERMILLION, centre, px(5))
    if bench.followed is not None:
        centre = (ox + round(bench.followed.x * tile), oy + round(bench.followed.y * tile))
        pygame.draw.circle(surface, SKY, centre, px(11), max(1, px(2)))
    if bench.tools.brush and bench.panel_at(bench.mouse) is None:
        _brush(bench, surface)
    line_to = first_line(bench)
    if line_to:
        (ax, ay), (bx, by), run = line_to
        steps = max(int((abs(bx - ax) + abs(by - ay)) * tile / px(10)), 1)
        for k in range(steps):
            share = k / steps
            if share > run:
                break
            x, y = ox + (ax + (bx - ax) * share) * tile, oy + (ay + (by - ay) * share) * tile
            pygame.draw.circle(surface, ORANGE, (round(x), round(y)), px(2))
    surface.set_clip(clip)


def _brush(bench: Workbench, surface: pygame.Surface) -> None:
    """The speed brush at the mouse: a ring as wide as what it paints, and the speed that it leaves."""
    theme, (x, y) = bench.context.theme, bench.mouse
    px = theme.px
    pygame.draw.aacircle(surface, BOARD, (x, y), px(12), px(4))
    pygame.draw.aacircle(surface, ORANGE, (x, y), px(11), px(2))
    words = line(theme, "mono-semibold", 12, speed_entry(bench.tools.speed), ORANGE)
    place = words.get_rect(midleft=(x + px(18), y - px(14)))
    surface.fill(BOARD, place.inflate(px(6), px(2)))
    surface.blit(words, place)


def _forms(bench: Workbench, surface: pygame.Surface) -> None:
    """The field that is being typed, over its place in a panel, and a word about what the mouse rests on."""
    if field := bench.field:
        place = next(
            (
                (zone.rect, panel.rect)
                for panel in (bench.header, bench.palette, bench.inspector)
                for zone in panel.zones
                if zone.action == ("type", field.name)
            ),
            None,
        )
        if place:
            field.put(*place)
        else:
            field.hide()
    words, zone = "", None
    if bench.rested >= TIP_S and not bench.windows.open:
        panel = bench.panel_at(bench.mouse)
        zone = panel.zone_at(bench.mouse) if panel else None
        still = panel is None and bench.followed is None  # a board that moves under the mouse is not pointed at
        words = zone.tip if zone else shown.board_tip(bench) if still else ""
    if words or bench.has_desk:
        # On the board above the mouse: a wire has its speed, and its packets, below.
        bench.desk.tip(words, bench.mouse, above=zone is None)
        bench.desk.draw_ui(surface)
