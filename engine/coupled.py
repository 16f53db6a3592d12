"""Crosstalk of a design, from its wires and shields to what the engines run: tracks, stretches, figures per wire."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.board import Board, Tile, at
from engine.encodings import tracks_of
from engine.model import CrosstalkSpec, Design, Level
from engine.netlist import Coupling, Stretch, Wire
from engine.problems import Problems, plural
from engine.stretches import Ribbon, faces_on_shields, sides
from engine.technology import Technology
from engine.tracks import Conflict, Edge, Lane, Tracks, edges, lay
from engine.wiring import Wiring


@dataclass(frozen=True, slots=True)
class Layout:
    """The tracks of all wires, by edge, and of all shields, with the tiles of those."""

    wires: Sequence[Sequence[Tracks]]
    shields: Sequence[tuple[tuple[Tile, ...], Sequence[Tracks]]]


def check_crosstalk(level: Level, design: Design, wiring: Wiring, board: Board, problems: Problems) -> Layout | None:
    """The tracks of a checked design; None where crosstalk is off or something is wrong, which is noted."""
    spec = level.physics.crosstalk
    _check_offered(spec, design, problems)
    if spec is None:
        return None
    shields = [_shield(wiring, board, design, i, problems) for i in range(len(design.shields))]
    if problems.fatal:
        return None
    lanes = [
        Lane(link.tiles, tracks_of(link.width or 1, link.spec.encoding or "raw", link.spec.gap or 100), link.spec.track)
        for link in wiring.links
        if link is not None
    ]
    lanes += [Lane(tiles, 1, shield.track) for tiles, shield in zip(shields, design.shields, strict=True)]
    tracks, conflicts = lay(lanes, board.tracks)
    for conflict in conflicts:
        _taken(conflict, lanes, design, board.tracks, problems)
    count = len(design.wires)
    return Layout(tracks[:count], list(zip(shields, tracks[count:], strict=True)))


def _check_offered(spec: CrosstalkSpec | None, design: Design, problems: Problems) -> None:
    for i, wire in enumerate(design.wires):
        if wire.track is not None and (spec is None or "track" not in spec.wires):
            problems.add(
                "not-offered",
                ("wires", i, "track"),
                f"{wire.label}: this level does not let you set the track of a wire: leave it out",
            )
    most = 0 if spec is None else spec.shields
    if most is not None and len(design.shields) > most:
        have = f"offers {plural(most, 'shield')}, and there are {len(design.shields)}" if most else "offers no shields"
        problems.add("not-offered", ("shields", most), f"this level {have}: take away what is too much")


def _shield(wiring: Wiring, board: Board, design: Design, index: int, problems: Problems) -> tuple[Tile, ...]:
    """The tiles of a shield, laid on the board; empty where its path is wrong."""
    where, spec = ("shields", index), design.shields[index]
    tiles = wiring.path(tuple(spec.path), where)
    for end in {tiles[0], tiles[-1]} & board.blocked if tiles else ():
        problems.add("path-crosses", (*where, "path"), f"the shield ends at {at(end)}, where the board is blocked")
        return ()
    passed: set[Edge] = set()
    for edge in edges(tiles):
        if edge in passed:
            problems.add(
                "track-taken",
                (*where, "path"),
                f"the shield passes the edge of {at(edge[0])} and {at(edge[1])} twice, and has one track there: "
                "do not let it turn back on itself",
            )
            return ()
        passed.add(edge)
    over = board.lay(tiles, 1) if tiles else []
    if over:
        a, b = over[0]
        problems.add(
            "tracks",
            (*where, "path"),
            f"{board.crossing[over[0]]} words and shields cross the edge of {at(a)} and {at(b)}, which has "
            f"{plural(board.tracks, 'track')}: make the shield shorter, or lead a wire another way",
        )
    return tiles


def _taken(conflict: Conflict, lanes: Sequence[Lane], design: Design, tracks: int, problems: Problems) -> None:
    """Say which track cannot be had, and why."""
    number, wires, lane = conflict.lane, len(design.wires), lanes[conflict.lane]

    def name(lane: int) -> str:
        return design.wires[lane].label if lane < wires else f"shield {lane - wires + 1}"

    assert lane.track is not None
    a, b = conflict.edge
    wanted = f"track {lane.track}" if lane.count == 1 else f"tracks {lane.track} to {lane.track + lane.count - 1}"
    why = "are not all there" if conflict.other is None and lane.count > 1 else "is not there"
    if conflict.other is not None:
        why = f"{'is' if lane.count == 1 else 'are'} taken by {name(conflict.other)}"
    ways = "name another one" + (", or none" if number < wires else "")
    if conflict.other == number:
        why, ways = "would be passed twice by the wire itself", "name none, or do not let it turn back"
    problems.add(
        "track-taken",
        ("wires", number, "track") if number < wires else ("shields", number - wires, "track"),
        f"{name(number)}: at the edge of {at(a)} and {at(b)}, {wanted} {why}: tracks are 0 to {tracks - 1}; {ways}",
    )


def coupled(
    spec: CrosstalkSpec, technology: Technology, layout: Layout, wires: Sequence[Wire]
) -> tuple[tuple[Wire, ...], tuple[Stretch, ...]]:
    """The wires with what crosstalk adds to them, and the stretches where their words couple."""
    figures, supply = technology.crosstalk, technology.supply
    part = technology.event_aj["switching"] * spec.switching // figures.parts
    ribbons = [_ribbon(wire, tracks) for wire, tracks in zip(wires, layout.wires, strict=True)]
    made = []
    for wire, ribbon in zip(wires, ribbons, strict=True):
        mv, length = wire.voltage_mv, wire.length
        whole = supply.dynamic(part * length, mv)
        shield = supply.dynamic(figures.shield_aj * spec.switching, mv)
        coupling = Coupling(
            tracks=tuple(ribbon.tracks),
            side_aj=whole * 100 // wire.gap,
            face_aj=2 * whole,
            shield_aj=tuple(shield * faces for faces in faces_on_shields(ribbon, layout.shields)),
            side_uv=figures.noise_uv * length * mv * 100 // (supply.nominal_mv * wire.gap),
            margin_uv=figures.margin_uv(mv),
        )
        made.append(replace(wire, toggle_aj=whole, coupling=coupling))

    def pair(v: int, w: int) -> int:
        nominal = supply.nominal_mv**2
        return (2 * part * wires[v].voltage_mv * wires[w].voltage_mv + nominal) // (2 * nominal)

    def noise(w: int) -> int:
        return figures.noise_uv * wires[w].voltage_mv // supply.nominal_mv

    stretches = tuple(
        Stretch(s.wires, s.words, s.starts, s.tiles, s.share, pair(*s.wires), (noise(s.wires[1]), noise(s.wires[0])))
        for s in sides(ribbons, layout.shields)
    )
    return tuple(made), stretches


def track_of(wire: Wire, edge: int, word: int) -> int:
    """The track of a word of a wire, of a machine with crosstalk, at an edge of its path."""
    assert wire.coupling is not None
    return _ribbon(wire, wire.coupling.tracks).track(edge, word)


def _ribbon(wire: Wire, tracks: Sequence[Tracks]) -> Ribbon:
    """The words of a wire on its tracks: as many to a track as find room there; tracks of extra lines come last."""
    words = len(wire.words)
    per_track = max(3200 // wire.gap // wire.lines, -(-words // len(tracks[0])), 1)
    return Ribbon(wire.tiles, tracks, words, per_track)
