"""The board: tiles, what stands on them, paths and tracks; and the checks of a level's own board.

Positions are (column, row) from the top left. A tile edge is the pair of the tiles on its two sides.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from engine.catalog import CORES
from engine.errors import Path, UsageError
from engine.model import BoardSpec, Level, PadSpec
from engine.problems import Problems, listed, plural
from engine.technology import technology
from engine.tokens import DEFAULT_WORDS, token_width, word_names

Tile = tuple[int, int]

MAX_WORDS = 6
"""Words in a packet at most."""


def at(tile: Tile) -> str:
    """How a message names a tile."""
    return f"[{tile[0]}, {tile[1]}]"


@lru_cache(maxsize=2048)
def expand(corners: tuple[Tile, ...]) -> tuple[Tile, ...] | None:
    """All tiles of a path in order, given its corners; None where two corners are in no common row or column.

    A corner that is given twice in a row adds nothing.
    """
    tiles = [corners[0]]
    x, y = corners[0]
    for to_x, to_y in corners[1:]:
        if x != to_x and y != to_y:
            return None
        step_x, step_y = (to_x > x) - (to_x < x), (to_y > y) - (to_y < y)
        while (x, y) != (to_x, to_y):
            x, y = x + step_x, y + step_y
            tiles.append((x, y))
    return tuple(tiles)


class Board:
    """Which tiles are taken and how many words cross each tile edge."""

    def __init__(self, spec: BoardSpec) -> None:
        self.columns, self.rows = spec.size
        self.tracks = spec.tracks
        self.blocked = _blocked_tiles(tuple(spec.blocked))
        self.elements: dict[Tile, str] = {}
        self.crossing: dict[tuple[Tile, Tile], int] = {}
        self.wired: set[Tile] = set()
        self.room = self.tracks * (self.columns * (self.rows - 1) + self.rows * (self.columns - 1))
        """Tile steps that fit on all tracks together, less those of the wires so far."""

    @classmethod
    def of(cls, level: Level) -> Board:
        """The board of a level that has passed :func:`check_board`, with its pads."""
        board = cls(level.board)
        board.elements = {pad.at: pad.id for pad in level.pads}
        return board

    def holds(self, tile: Tile) -> bool:
        """Whether the tile lies on the board."""
        return 0 <= tile[0] < self.columns and 0 <= tile[1] < self.rows

    def place(self, name: str, kind: str, tile: Tile, path: Path, problems: Problems) -> None:
        """Put an element on its tile, or say why it cannot stand there."""
        if not self.holds(tile):
            problems.add(
                "off-board",
                path,
                f"{name} stands at {at(tile)}, off the board: columns are 0 to {self.columns - 1}, "
                f"rows 0 to {self.rows - 1}",
            )
        elif tile in self.blocked:
            problems.add(
                "blocked-tile", path, f"{name} stands at {at(tile)}, which is blocked: move the {kind} to a free tile"
            )
        elif tile in self.elements:
            problems.add(
                "overlap",
                path,
                f"{name} stands at {at(tile)}, where {self.elements[tile]} is: one element to a tile, move one of them",
            )
        else:
            self.elements[tile] = name

    def obstacle(self, tile: Tile) -> str | None:
        """What bars a wire's way at this tile, or None."""
        if tile in self.blocked:
            return "the board is blocked"
        name = self.elements.get(tile)
        return f"{name} stands" if name else None

    def lay(self, tiles: tuple[Tile, ...], words: int) -> list[tuple[Tile, Tile]]:
        """Lay ``words`` tracks along a path; returns the edges that this wire is the first to overfill."""
        crossing, over = self.crossing, []
        previous = tiles[0]
        for tile in tiles[1:]:
            edge = (previous, tile) if previous < tile else (tile, previous)
            before = crossing.get(edge, 0)
            crossing[edge] = before + words
            if before <= self.tracks < before + words:
                over.append(edge)
            previous = tile
        self.wired.update(tiles)
        return over

    @property
    def footprint(self) -> int:
        """Distinct tiles under cores, pads and wires."""
        return len(self.wired | self.elements.keys())


@lru_cache(maxsize=64)
def _blocked_tiles(rectangles: tuple[tuple[int, int, int, int], ...]) -> frozenset[Tile]:
    grid = np.zeros((512, 512), bool)
    for x, y, width, height in rectangles:
        grid[x : x + width, y : y + height] = True
    return frozenset((x, y) for x, y in np.argwhere(grid).tolist())


def check_board(level: Level) -> Problems:
    """Everything that is wrong with a level's board, pads and parts, whatever the design; paths are the level's."""
    problems = Problems()
    try:
        technology(level.technology)
    except UsageError as error:
        problems.add("unknown-technology", ("technology",), str(error))
    board = Board(level.board)
    for i, (x, y, width, height) in enumerate(level.board.blocked):
        if x + width > board.columns or y + height > board.rows:
            problems.add(
                "blocked-outside",
                ("board", "blocked", i),
                f"the rectangle at {at((x, y))}, {width} wide and {height} high, leaves the board of "
                f"{board.columns} × {board.rows} tiles: make it smaller",
            )
    names: set[str] = set()
    sources: list[str] = []
    for i, pad in enumerate(level.pads):
        path: Path = ("pads", i)
        if pad.id in names:
            problems.add("duplicate-id", (*path, "id"), f"two pads are called {pad.id}: every element has its own name")
        names.add(pad.id)
        board.place(pad.id, "pad", pad.at, (*path, "at"), problems)
        x, y = pad.at
        if board.holds(pad.at) and 0 < x < board.columns - 1 and 0 < y < board.rows - 1:
            problems.add(
                "not-on-edge",
                (*path, "at"),
                f"{pad.id} stands at {at(pad.at)}, inside the board: pads stand in the first or last column or row",
            )
        if pad.core == "threads":
            sources.append(pad.id)
            if len(sources) == 2:
                problems.add(
                    "many-threads-pads",
                    path,
                    f"{listed(sources)} are both threads pads: a level has one, and its wires may fork",
                )
        _check_pad(level, pad, path, problems)
    _check_arrays(level, problems)
    _check_parts(level, problems)
    return problems


def _check_pad(level: Level, pad: PadSpec, path: Path, problems: Problems) -> None:
    belongs = {
        "array": ("stream", "load", "store", "sink"),
        "words": ("threads",),
        "burst": ("stream",),
    }
    for key, kinds in belongs.items():
        if getattr(pad, key) is not None and pad.core not in kinds:
            problems.add(
                "pad-key",
                (*path, key),
                f"{pad.id} is a {pad.core} pad and has no {key}: that is for {listed(kinds)}",
            )
    if pad.core == "threads":
        _check_token(level, pad, path, problems)
        return
    name = pad.array or pad.id
    array = level.kernel.arrays.get(name)
    where = (*path, "array") if pad.array else (*path, "id")
    if array is None:
        hint = problems.suggest(name, level.kernel.arrays)
        problems.add("unknown-array", where, f"{pad.id} works on array {name}, which the kernel does not have: {hint}")
    elif array.data is None and pad.core == "stream":
        problems.add(
            "array-role",
            where,
            f"{pad.id} streams {name}, an output: only an input can be streamed; use load to read back",
        )
    elif array.data is not None and pad.core in ("store", "sink"):
        problems.add(
            "array-role",
            where,
            f"{pad.id} is a {pad.core} pad and {name} an input: outputs are the arrays without data",
        )


def _check_token(level: Level, pad: PadSpec, path: Path, problems: Problems) -> None:
    if level.threads is None:
        problems.add(
            "no-grid", (*path, "core"), f"{pad.id} hands out threads and the level has none: add threads with a grid"
        )
        return
    words = tuple(pad.words or DEFAULT_WORDS)
    rank = len(level.threads.block)
    allowed = word_names(rank)
    for j, word in enumerate(words):
        if word not in allowed:
            problems.add(
                "unknown-word",
                (*path, "words", j),
                f"{pad.id} has no word '{word}' in a grid of {plural(rank, 'dimension')}: "
                f"{problems.suggest(word, allowed)}",
            )
    width = token_width(words, rank)
    if width > MAX_WORDS:
        problems.add(
            "packet-too-wide",
            (*path, "words"),
            f"a token of {pad.id} would have {width} words: a packet has at most {MAX_WORDS}; leave some out",
        )


def _check_arrays(level: Level, problems: Problems) -> None:
    arrays = level.kernel.arrays
    written = {pad.array or pad.id for pad in level.pads if pad.core in ("store", "sink")}
    for name, array in arrays.items():
        if array.data is None and name not in written:
            problems.add(
                "no-output-pad",
                ("kernel", "arrays", name),
                f"{name} is an output (it has no data) and no store or sink pad writes it: add one, or give it data",
            )
    limits = level.limits
    for key, names in (
        ("accesses", limits.accesses),
        ("words", limits.words),
        ("words_per_thread", limits.words_per_thread),
    ):
        for name in names:
            if name not in arrays:
                problems.add(
                    "unknown-array",
                    ("limits", key, name),
                    f"the limit is on array {name}, which the kernel does not have: {problems.suggest(name, arrays)}",
                )
    if limits.words_per_thread and level.threads is None:
        problems.add(
            "no-grid",
            ("limits", "words_per_thread"),
            "the limit is by thread, and this level has no threads: limit words instead",
        )


def _check_parts(level: Level, problems: Problems) -> None:
    placeable = [core.name for core in CORES.values() if core.family != "pad"]
    for name in level.parts or ():
        if name not in placeable and name != "*":
            problems.add(
                "unknown-core",
                ("parts", name),
                f"the parts name '{name}', which is no core: {problems.suggest(name, placeable)}",
            )
