"""Which tracks of every tile edge each wire and shield lies on ("Physics: crosstalk" in docs/model.md).

The tracks of an edge have fixed positions, numbered from north to south, or from west to east; both directions share
them. Pure functions: no levels, no designs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

Tile = tuple[int, int]
Edge = tuple[Tile, Tile]
Tracks = tuple[int, ...]
"""The tracks that something lies on, at one edge: its words' in order, then those of extra lines."""


@dataclass(frozen=True, slots=True)
class Lane:
    """What is laid: along ``tiles``, on ``count`` tracks side by side, the lowest being ``track`` where that is set."""

    tiles: tuple[Tile, ...]
    count: int = 1
    track: int | None = None


@dataclass(frozen=True, slots=True)
class Conflict:
    """A lane whose track is not free at an edge: taken by lane ``other``, or off the edge (None)."""

    lane: int
    edge: Edge
    other: int | None


def edges(tiles: Sequence[Tile]) -> list[Edge]:
    """The edges of a path, without direction, in order."""
    return [(a, b) if a < b else (b, a) for a, b in pairwise(tiles)]


def lay(lanes: Sequence[Lane], tracks: int) -> tuple[list[list[Tracks]], list[Conflict]]:
    """The tracks of every lane, edge by edge, where each edge has ``tracks``; and what could not be had.

    Lanes that name their track come first. Each of the others takes the lowest place that is free along its whole path,
    else along each straight run, else at each edge, else the lowest single tracks.
    """
    found: list[list[Tracks]] = [[] for _ in lanes]
    taken: dict[Edge, int] = {}
    owner: dict[tuple[Edge, int], int] = {}
    conflicts: list[Conflict] = []

    def take(number: int, run: Sequence[Edge], places: Tracks) -> None:
        for edge in run:
            found[number].append(places)
            taken[edge] = taken.get(edge, 0) | sum(1 << place for place in places)
            owner.update(dict.fromkeys([(edge, place) for place in places], number))

    for number, lane in enumerate(lanes):
        if lane.track is None:
            continue
        places = tuple(range(lane.track, lane.track + lane.count))
        for edge in edges(lane.tiles):
            if places[-1] >= tracks:
                conflicts.append(Conflict(number, edge, None))
                break
            other = next((owner[edge, place] for place in places if (edge, place) in owner), None)
            if other is not None:
                conflicts.append(Conflict(number, edge, other))
                break
            take(number, [edge], places)
    for number, lane in enumerate(lanes):
        if lane.track is None:
            _settle(number, lane, tracks, taken, take)
    return found, conflicts


def _settle(number: int, lane: Lane, tracks: int, taken: dict[Edge, int], take: object) -> None:
    """Find a place for a lane that names none."""
    assert callable(take)
    path = edges(lane.tiles)
    whole = _lowest(path, lane.count, tracks, taken) if len(set(path)) == len(path) else None
    if whole is not None:
        take(number, path, whole)
        return
    for run in _straight(lane.tiles):
        places = _lowest(run, lane.count, tracks, taken)
        for edge in run:
            here = places or _lowest([edge], lane.count, tracks, taken)
            take(number, [edge], here or _singles(taken.get(edge, 0), lane.count))


def _lowest(path: Sequence[Edge], count: int, tracks: int, taken: dict[Edge, int]) -> Tracks | None:
    """The lowest ``count`` neighbouring tracks that are free at all these edges."""
    mask = 0
    for edge in path:
        mask |= taken.get(edge, 0)
    block = (1 << count) - 1
    for track in range(tracks - count + 1):
        if not mask >> track & block:
            return tuple(range(track, track + count))
    return None


def _singles(mask: int, count: int) -> Tracks:
    """The lowest free tracks, wherever they are; beyond the edge's last one where too much crosses it."""
    free = (track for track in range(mask.bit_length() + count) if not mask >> track & 1)
    return tuple(next(free) for _ in range(count))


def _straight(tiles: Sequence[Tile]) -> list[list[Edge]]:
    """The edges of a path by straight runs."""
    runs: list[list[Edge]] = []
    before: Tile | None = None
    for (a, b), edge in zip(pairwise(tiles), edges(tiles), strict=True):
        step = b[0] - a[0], b[1] - a[1]
        if step != before:
            runs.append([])
        runs[-1].append(edge)
        before = step
    return runs
