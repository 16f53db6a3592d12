"""Routes of wires over the board: shortest paths within track capacity, detours of a given length, tracks.

A path is written as its corners, both ends included (:class:`engine.model.WireSpec`); between them lie all its
tiles. Positions are (column, row). A route never crosses itself, a core, a pad or a blocked tile; its own two
ends are the only ones that it touches. Among the shortest routes the one with the fewest bends is taken, among
those the one whose first steps come first in the order east, south, west, north: the same board always gives
the same route.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from heapq import heappop, heappush
from itertools import pairwise
from typing import TYPE_CHECKING

from engine.board import Tile, expand
from engine.errors import UsageError

if TYPE_CHECKING:
    from engine.model import BoardSpec

_STEPS: tuple[Tile, ...] = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""East, south, west, north; the opposite of direction d is d ^ 2."""

_STEP_COST = 1 << 20
"""Cost of a tile step in units of a bend: length is compared first, as no path has so many bends."""

_MOST_DETOURS = 24
"""Turning points tried for a detour before it is folded up instead."""


class NoRoute(UsageError):
    """There is no such route. ``next_length`` is the nearest greater length that can be had, if known."""

    def __init__(self, message: str, next_length: int | None = None) -> None:
        super().__init__(message)
        self.next_length = next_length


def tiles_of(path: Sequence[Tile]) -> tuple[Tile, ...]:
    """All tiles of a path given by its corners. Raises UsageError where a leg is not straight or does not move."""
    tiles = expand(tuple((x, y) for x, y in path))
    if tiles is None or len(tiles) < 2 or any(here == there for here, there in pairwise(path)):
        raise UsageError(
            f"the path {[list(tile) for tile in path]} is none: each leg runs along one column or one row, "
            "by at least one tile"
        )
    return tiles


def corners(tiles: Sequence[Tile]) -> list[Tile]:
    """The ends of a path of neighbouring tiles and every tile at which it turns: the inverse of :func:`tiles_of`."""
    path = [tiles[0]]
    for before, here, after in zip(tiles, tiles[1:], tiles[2:], strict=False):
        if (here[0] - before[0], here[1] - before[1]) != (after[0] - here[0], after[1] - here[1]):
            path.append(here)
    path.append(tiles[-1])
    return path


class Tracks:
    """How many words cross each tile edge of a board, in both directions together.

    The edge between a tile and its eastern neighbour, or its southern one, is numbered from the tile: see
    :meth:`edge`. Capacity is not enforced here, so that a board may be looked at that breaks it: :meth:`over`.
    """

    def __init__(self, size: Tile, capacity: int) -> None:
        self.columns, self.rows = size
        self.capacity = capacity
        self.used = [0] * (2 * self.columns * self.rows)

    @classmethod
    def of(cls, board: BoardSpec) -> Tracks:
        """No wires yet on ``board``."""
        return cls(board.size, board.tracks)

    def edge(self, here: Tile, there: Tile) -> int:
        """Number of the edge between two neighbouring tiles."""
        x, y = min(here[0], there[0]), min(here[1], there[1])
        return 2 * (y * self.columns + x) + (here[0] == there[0])

    def add(self, tiles: Sequence[Tile], words: int) -> None:
        """Lay a wire of ``words`` words over neighbouring ``tiles``."""
        for here, there in pairwise(tiles):
            self.used[self.edge(here, there)] += words

    def remove(self, tiles: Sequence[Tile], words: int) -> None:
        """Take up a wire laid by :meth:`add`."""
        self.add(tiles, -words)

    def over(self) -> list[tuple[Tile, Tile, int]]:
        """Edges that carry more than the board allows, as (tile, its neighbour, words)."""
        found = []
        for number, words in enumerate(self.used):
            if words > self.capacity:
                tile, south = divmod(number, 2)
                y, x = divmod(tile, self.columns)
                found.append(((x, y), (x + 1 - south, y + south), words))
        return found


def assign(wires: Iterable[tuple[Sequence[Tile], int]]) -> list[list[tuple[int, ...]]]:
    """Track numbers from 0 for each wire, given as (all its tiles, words), on each edge of its path.

    A straight run keeps the lowest tracks that are free all along it; where there are none, each of its edges
    takes the lowest free ones. Wires are served in order.
    """
    taken: dict[tuple[Tile, Tile], set[int]] = {}
    result = []
    for tiles, words in wires:
        tracks: list[tuple[int, ...]] = []
        turns = corners(tiles)
        for start, end in pairwise(turns):
            run = tiles_of((start, end))
            edges = [taken.setdefault((min(pair), max(pair)), set()) for pair in pairwise(run)]
            together = set().union(*edges)
            limit = max((len(edge) for edge in edges), default=0) + words
            chosen = _lowest_free(together, words)
            picks = [chosen] * len(edges) if chosen[-1] < limit else [_lowest_free(edge, words) for edge in edges]
            for edge, pick in zip(edges, picks, strict=True):
                edge.update(pick)
            tracks += picks
        result.append(tracks)
    return result


def _lowest_free(taken: set[int], words: int) -> tuple[int, ...]:
    free: list[int] = []
    track = 0
    while len(free) < words:
        if track not in taken:
            free.append(track)
        track += 1
    return tuple(free)


def route(
    tracks: Tracks,
    taken: AbstractSet[Tile],
    start: Tile,
    end: Tile,
    *,
    words: int = 1,
    via: Sequence[Tile] = (),
    length: int | None = None,
) -> list[Tile]:
    """Corners of the route from ``start`` to ``end``, which may be the same tile (a ring).

    taken
        Tiles of cores, pads and blocked rectangles; the two ends may be among them.
    words
        Tracks that the wire needs on every edge.
    via
        Tiles that the route passes, in this order; each stretch is the shortest that the earlier ones leave.
    length
        Exactly so many tile steps, by a detour where that is more than the shortest.

    Raises NoRoute. Finding the longest route is hard in general (it contains the Hamiltonian path), so a very
    long ``length`` may be refused on a crowded board though a route exists.
    """
    field = _Field(tracks, taken, start, end, words)
    for tile in via:
        if not field.inside(tile) or field.wall[field.index(tile)]:
            raise NoRoute(f"[{tile[0]}, {tile[1]}] cannot be passed: it is off the board, or stands full")
    tiles = field.through([start, *via, end])
    if tiles is None:
        passing = " by the given tiles" if via else ""
        raise NoRoute(
            f"there is no way from [{start[0]}, {start[1]}] to [{end[0]}, {end[1]}]{passing} "
            f"with {words} free track{'s' * (words > 1)} on every edge: move a core, or wires"
        )
    if length is not None and length != len(tiles) - 1:
        tiles = _with_length(field, tiles, length, bool(via))
    return corners(tiles)


def _with_length(field: _Field, shortest: list[Tile], length: int, fixed: bool) -> list[Tile]:
    """``shortest`` made longer to exactly ``length`` steps; raises NoRoute with the next length that can be had."""
    least = len(shortest) - 1
    if length < least:
        raise NoRoute(f"a length of {length} is asked for and the shortest way is {least}", least)
    wanted = length + (length - least) % 2
    found = None if fixed else field.by_turning_point(shortest[0], shortest[-1], wanted)
    found = found or field.fold(shortest, wanted)
    if found is None:
        raise NoRoute(f"there is no room for a detour of {wanted} tiles: a shorter one, or a buffer, may do")
    if wanted != length:
        raise NoRoute(
            f"a length of {length} is asked for: two ways between the same tiles differ by an even number, "
            f"so it is {length - 1} or {wanted}; a relay adds one tile and one cycle",
            wanted,
        )
    return found


class _Field:
    """The board as one search sees it: flat arrays of what cannot be entered and crossed."""

    def __init__(self, tracks: Tracks, taken: AbstractSet[Tile], start: Tile, end: Tile, words: int) -> None:
        self.columns, self.rows = tracks.columns, tracks.rows
        for tile in (start, end):
            if not self.inside(tile):
                raise NoRoute(f"[{tile[0]}, {tile[1]}] is off the board of {self.columns} columns and {self.rows} rows")
        self.used = tracks.used
        self.most = tracks.capacity - words
        self.words = words
        # One column of wall on the right: a step west from column 0, or east from the last, meets it.
        self.width = self.columns + 1
        self.wall = bytearray(self.width * (self.rows + 2))
        self.wall[: self.width] = self.wall[-self.width :] = b"\1" * self.width
        self.wall[self.width - 1 :: self.width] = b"\1" * (self.rows + 2)
        for tile in taken:
            if self.inside(tile):
                self.wall[self.index(tile)] = 1
        self.steps = (1, self.width, -1, -self.width)

    def inside(self, tile: Tile) -> bool:
        return 0 <= tile[0] < self.columns and 0 <= tile[1] < self.rows

    def index(self, tile: Tile) -> int:
        return (tile[1] + 1) * self.width + tile[0]

    def tile(self, index: int) -> Tile:
        row, column = divmod(index, self.width)
        return column, row - 1

    def crossable(self, here: int, direction: int) -> bool:
        """Whether the edge of the tile ``here`` in ``direction`` has tracks left."""
        if direction >= 2:
            here += self.steps[direction]
        row, column = divmod(here, self.width)
        return self.used[2 * ((row - 1) * self.columns + column) + (direction & 1)] <= self.most

    def through(self, stops: Sequence[Tile]) -> list[Tile] | None:
        """Shortest stretches from stop to stop, none of which touches an earlier one or a later stop."""
        cells = [self.index(stop) for stop in stops]
        closed: list[int] = []
        tiles = [stops[0]]
        heading = -1
        try:
            for here, there in pairwise(cells):
                for later in cells:
                    if not self.wall[later]:
                        self.wall[later] = 1
                        closed.append(later)
                stretch = self.shortest(here, there, heading)
                if stretch is None:
                    return None
                for cell in stretch[1:]:
                    if not self.wall[cell]:
                        self.wall[cell] = 1
                        closed.append(cell)
                    tiles.append(self.tile(cell))
                heading = self.steps.index(stretch[-1] - stretch[-2])
            return tiles
        finally:
            for cell in closed:
                self.wall[cell] = 0

    def shortest(self, start: int, end: int, heading: int = -1) -> list[int] | None:
        """Cells of the best route; a first step out of ``heading`` counts as a bend.

        A* (Hart, Nilsson, Raphael 1968) backwards from the end over (cell, direction of the next step), with the
        steps and bends of an empty board as the estimate. Every state as good as the best is worked out, so that
        walking forwards can follow the order of directions.
        """
        steps, wall, width = self.steps, self.wall, self.width
        start_row, start_column = divmod(start, width)

        def estimate(cell: int, direction: int) -> int:
            row, column = divmod(cell, width)
            dx, dy = column - start_column, row - start_row
            step_x, step_y = _STEPS[direction]
            along = dx * step_x + dy * step_y
            sideways = dx * step_y + dy * step_x
            bends = 2 if along < 0 else (1 if sideways else 0)
            return (abs(dx) + abs(dy)) * _STEP_COST + bends

        to_go: dict[int, int] = {}
        best = -1
        queue: list[tuple[int, int, int]] = []

        def reach(cell: int, direction: int, cost: int) -> None:
            state = 4 * cell + direction
            if cost < to_go.get(state, cost + 1):
                to_go[state] = cost
                heappush(queue, (cost + estimate(cell, direction), -cost, state))

        for direction in range(4):
            before = end - steps[direction]
            if (not wall[before] or before == start) and self.crossable(before, direction):
                reach(before, direction, _STEP_COST)
        while queue:
            total, cost, state = heappop(queue)
            if 0 <= best < total - (heading >= 0):
                break
            cost = -cost
            cell, direction = divmod(state, 4)
            if cost > to_go[state]:
                continue
            if cell == start:
                best = total if best < 0 else best
                continue
            for turn in range(4):
                before = cell - steps[turn]
                if turn ^ direction == 2 or (wall[before] and before != start) or not self.crossable(before, turn):
                    continue
                reach(before, turn, cost + _STEP_COST + (turn != direction))
        return self._walk(start, end, heading, to_go)

    def _walk(self, start: int, end: int, heading: int, to_go: dict[int, int]) -> list[int] | None:
        cells = [start]
        cell = start
        while cell != end or len(cells) == 1:
            choices = [
                (to_go[4 * cell + d] + (d != heading >= 0), d)
                for d in range(4)
                if 4 * cell + d in to_go and (heading < 0 or d ^ heading != 2)
            ]
            if not choices:
                return None
            _, heading = min(choices)
            cell += self.steps[heading]
            cells.append(cell)
        return cells

    def distances(self, start: int, end: int) -> dict[int, int]:
        """Tile steps from ``start`` to every cell that can be reached without passing ``end``."""
        distance = {start: 0}
        frontier = [start]
        while frontier:
            following = []
            for cell in frontier:
                for direction, step in enumerate(self.steps):
                    there = cell + step
                    if there not in distance and not self.wall[there] and self.crossable(cell, direction):
                        distance[there] = distance[cell] + 1
                        if there != end:
                            following.append(there)
            frontier = following
        return distance

    def by_turning_point(self, start: Tile, end: Tile, length: int) -> list[Tile] | None:
        """A route of this length as two shortest stretches: the one with the fewest bends, of those tried."""
        first, last = self.index(start), self.index(end)
        there, back = self.distances(first, last), self.distances(last, first)
        turning = [c for c in there if c not in (first, last) and there[c] + back.get(c, length) == length]
        # Far from the straight line first: such a detour has the fewest bends.
        turning.sort(key=lambda c: (-abs(there[c] - back[c]), c))
        best: tuple[int, list[Tile]] | None = None
        for cell in turning[:_MOST_DETOURS]:
            tiles = self.through([start, self.tile(cell), end])
            if tiles is not None and len(tiles) == length + 1:
                bends = len(corners(tiles))
                if best is None or bends < best[0]:
                    best = (bends, tiles)
                if bends <= 4:
                    break
        return best[1] if best else None

    def fold(self, tiles: Sequence[Tile], length: int) -> list[Tile] | None:
        """The route made longer by pushing single steps out sideways, two tiles at a time."""
        cells = [self.index(tile) for tile in tiles]
        inside = set(cells)
        place = 0
        misses = 0
        while len(cells) - 1 < length:
            if misses >= len(cells):
                return None
            place %= len(cells) - 1
            here, there = cells[place], cells[place + 1]
            direction = self.steps.index(there - here)
            for side in ((direction + 1) % 4, (direction + 3) % 4):
                out, over = here + self.steps[side], there + self.steps[side]
                if (
                    not (self.wall[out] or self.wall[over] or out in inside or over in inside)
                    and self.crossable(here, side)
                    and self.crossable(there, side)
                    and self.crossable(out, direction)
                ):
                    cells[place + 1 : place + 1] = [out, over]
                    inside.update((out, over))
                    # The pushed-out step is the next to be pushed: a deep fold has fewer bends than many flat ones.
                    place += 1
                    misses = 0
                    break
            else:
                place += 1
                misses += 1
        return [self.tile(cell) for cell in cells]
