"""Following one packet with the eye: along its wire, through the core at its end, and on along the next one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.machine import PacketArrays
from engine.netlist import Netlist
from game.view.layout import Layout

REACH = 1.0
"""Tiles from the mouse within which a packet is taken."""


@dataclass(frozen=True, slots=True)
class Followed:
    """The packet where it was seen last: wire, position along it in tiles, launch, and its place on the board."""

    wire: int
    position: float
    launch: int
    x: float
    y: float


def pick(layout: Layout, packets: PacketArrays, x: float, y: float) -> Followed | None:
    """The packet nearest to a place on the board; None where none is near."""
    drawn = np.flatnonzero(layout.ways.drawn[packets.wire])
    if not len(drawn):
        return None
    xs, ys, _ = layout.ways.locate(packets.wire[drawn], packets.position[drawn])
    distance = np.hypot(xs - x, ys - y)
    k = int(np.argmin(distance))
    return _at(layout, packets, int(drawn[k])) if distance[k] <= REACH else None


def follow(layout: Layout, netlist: Netlist, packets: PacketArrays, before: Followed) -> Followed | None:
    """Where the packet is now. While it is inside a core, where it went in; None once it has arrived at a pad."""
    same = packets.launch == before.launch
    ahead = np.flatnonzero(same & (packets.wire == before.wire) & (packets.position >= before.position - 0.01))
    if len(ahead):
        return _at(layout, packets, int(ahead[np.argmin(packets.position[ahead])]))
    if before.wire >= len(netlist.wires):
        return before
    core = netlist.wires[before.wire].target
    leaving = [w for w, wire in enumerate(netlist.wires) if wire.source == core]
    if not leaving:
        return None
    out = np.flatnonzero(same & np.isin(packets.wire, leaving))
    if len(out):
        return _at(layout, packets, int(out[np.argmin(packets.position[out])]))
    return before


def _at(layout: Layout, packets: PacketArrays, k: int) -> Followed:
    xs, ys, _ = layout.ways.locate(packets.wire[k : k + 1], packets.position[k : k + 1])
    return Followed(
        int(packets.wire[k]), float(packets.position[k]), int(packets.launch[k]), float(xs[0]), float(ys[0])
    )
