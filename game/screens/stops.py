"""B: breakpoints on and off, at what the mouse points to. Each function says what it did, or nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game.follow import pick
from game.screens import shown
from game.view.badges import value_text

if TYPE_CHECKING:
    from game.screens.workbench import Workbench


def at_launch(bench: Workbench) -> str:
    """The launch nearest to the mouse in the timeline."""
    zone, trace = bench.timeline.zone_at(bench.mouse), bench.session.trace
    if zone is None or zone.action != ("seek",) or trace is None or not len(trace.completions):
        return ""
    share = (bench.mouse[0] - zone.rect.left) / max(zone.rect.width, 1)
    _, end = shown.span(bench)
    nearest = min(range(len(trace.completions)), key=lambda k: abs(int(trace.completions[k]) - share * end))
    launches = bench.session.playback.breakpoints.launches
    launches ^= {nearest + 1}
    return f"Play stops at launch {nearest + 1}" if nearest + 1 in launches else f"Launch {nearest + 1} is passed"


def at_value(bench: Workbench) -> str:
    """The value of the packet under the mouse, whenever it comes along that wire; again, or without one: no longer."""
    wire, playback = bench.tools.hover, bench.session.playback
    netlist, packets = playback.netlist, playback.packets()
    if not isinstance(wire, int) or netlist is None or packets is None or wire >= len(netlist.wires):
        return ""
    name = netlist.wires[wire].id
    set_here = {stop for stop in playback.breakpoints.values if stop[0] == name}
    layout = bench.tools.hits().layout
    found = pick(layout, packets, *bench.camera.to_board(*bench.mouse))
    if found is None or found.wire != wire:
        playback.breakpoints.values -= set_here
        return f"{name} is passed" if set_here else ""
    at = int(abs(packets.position - found.position + 1e6 * (packets.wire != wire)).argmin())
    stop = (name, int(packets.value[at]))
    playback.breakpoints.values ^= {stop}
    words = value_text(stop[1], layout.floats[wire], bench.base)
    on = stop in playback.breakpoints.values
    return f"Play stops when {words} comes along {name}" if on else f"{words} is passed on {name}"


def at_elements(bench: Workbench) -> str:
    """The firings of the pad or core under the mouse, else of those that are selected."""
    watched, said = bench.session.playback.breakpoints.elements, ""
    for item in bench.tools.subjects(lambda item: isinstance(item, str)):
        if isinstance(item, str):
            watched ^= {item}
            said = f"Play stops when {item} fires" if item in watched else f"{item} is passed"
    return said
