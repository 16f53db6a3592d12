"""Where words on wires lie side by side, so that they couple ("Physics: crosstalk" in docs/model.md).

Found once, when a design is compiled. Pure functions of paths and tracks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from engine.tracks import Edge, Tile, Tracks, edges

NEAR, FAR = 64, 16
"""Coupling on neighbouring tracks, and across an empty one, in units of 1/64."""


@dataclass(frozen=True, slots=True)
class Ribbon:
    """The words of a wire as they lie: ``tracks`` by edge, ``per_track`` words to a track, ``words`` in all."""

    tiles: tuple[Tile, ...]
    tracks: Sequence[Tracks]
    words: int
    per_track: int = 1

    def track(self, edge: int, word: int) -> int:
        """The track of a word at an edge of the path."""
        return self.tracks[edge][word // self.per_track]


@dataclass(frozen=True, slots=True)
class Side:
    """Two words side by side for ``tiles`` edges, in one direction: of wires ``wires``, words number ``words``, from
    ``starts`` tiles after the start of each. ``share`` is NEAR or FAR."""

    wires: tuple[int, int]
    words: tuple[int, int]
    starts: tuple[int, int]
    tiles: int
    share: int


def sides(ribbons: Sequence[Ribbon], shields: Sequence[tuple[tuple[Tile, ...], Sequence[Tracks]]]) -> list[Side]:
    """All stretches of ``ribbons``, among ``shields`` (tiles, tracks by edge), each as long as it goes."""
    full = _occupied(ribbons, shields)
    here: dict[tuple[Tile, Tile], list[tuple[int, int, int]]] = defaultdict(list)
    for wire, ribbon in enumerate(ribbons):
        for place, step in enumerate(pairwise(ribbon.tiles)):
            here[step] += [(wire, place, word) for word in range(ribbon.words)]
    found: dict[tuple[tuple[int, int], tuple[int, int], tuple[int, int], int], None] = {}
    for (a, b), words in here.items():
        taken = full[(a, b) if a < b else (b, a)]
        for one, other in combinations(words, 2):
            share = _share(ribbons, one, other, taken)
            if share:
                (w, place, word), (v, position, number) = one, other
                found[(w, v), (word, number), (place, position), share] = None
    result = []
    for wires, words_, starts, share in sorted(found):
        if (wires, words_, (starts[0] - 1, starts[1] - 1), share) in found:
            continue
        n = 1
        while (wires, words_, (starts[0] + n, starts[1] + n), share) in found:
            n += 1
        result.append(Side(wires, words_, starts, n, share))
    return result


def _share(ribbons: Sequence[Ribbon], one: tuple[int, int, int], other: tuple[int, int, int], taken: set[int]) -> int:
    """How strongly two words at an edge couple; 0: not at all."""
    (w, place, word), (v, position, number) = one, other
    a, b = ribbons[w], ribbons[v]
    if word % a.per_track != number % b.per_track:
        return 0
    low, high = sorted((a.track(place, word), b.track(position, number)))
    if high - low == 1:
        return NEAR
    return FAR if high - low == 2 and low + 1 not in taken else 0


def _occupied(
    ribbons: Sequence[Ribbon], shields: Sequence[tuple[tuple[Tile, ...], Sequence[Tracks]]]
) -> dict[Edge, set[int]]:
    full: dict[Edge, set[int]] = defaultdict(set)
    for tiles, tracks in [*((ribbon.tiles, ribbon.tracks) for ribbon in ribbons), *shields]:
        for edge, places in zip(edges(tiles), tracks, strict=True):
            full[edge].update(places)
    return full


def faces_on_shields(ribbon: Ribbon, shields: Sequence[tuple[tuple[Tile, ...], Sequence[Tracks]]]) -> tuple[int, ...]:
    """By word, how many faces of its edges lie on a shield's track, counted in edges."""
    at: dict[Edge, set[int]] = defaultdict(set)
    for tiles, tracks in shields:
        for edge, places in zip(edges(tiles), tracks, strict=True):
            at[edge].update(places)
    counts = [0] * ribbon.words
    for place, edge in enumerate(edges(ribbon.tiles)):
        for word in range(ribbon.words if at[edge] else 0):
            track = ribbon.track(place, word)
            counts[word] += (track - 1 in at[edge]) + (track + 1 in at[edge])
    return tuple(counts)
