"""How far the quiet lines of each wire are from flipping, told before one does ("Physics: crosstalk" in docs/model.md).

A line flips where its noise is greater than its margin. *Reach* is the greatest noise that words can make on a line of
a wire as its neighbours move now: both side neighbours pushing, and on every stretch the words that came closest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.netlist import Netlist, Stretch

FULL = 64
"""Overlap of words that are side by side all the time."""


@dataclass(frozen=True, slots=True)
class Reach:
    """A word of a wire: what its quiet lines bear, and the noise that they may meet, in µV.

    ``side_uv`` is that of the word's own lines, ``faces``: (number of a stretch, noise from it).
    """

    wire: int
    word: int
    margin_uv: int
    side_uv: int
    faces: tuple[tuple[int, int], ...]

    @property
    def reach_uv(self) -> int:
        """The greatest noise."""
        return self.side_uv + sum(uv for _, uv in self.faces)

    @property
    def spare_uv(self) -> int:
        """What is left of the margin: below 0, lines may flip."""
        return self.margin_uv - self.reach_uv


def tiles_together(netlist: Netlist, stretch: Stretch) -> int:
    """For how many tiles two words stay side by side on a stretch: all of them, or until the faster one has passed."""
    one, other = (netlist.wires[wire].every_ticks for wire in stretch.wires)
    if one == other:
        return stretch.tiles
    return min(stretch.tiles, max(1, min(one, other) // abs(one - other)))


def reaches(netlist: Netlist, closest: Sequence[int] | None = None) -> list[Reach]:
    """The reach of every word of every wire, in order; none where crosstalk is off.

    ``closest``: by stretch, the largest overlap of words seen in a run (:meth:`engine.machine.Machine.closest`), of 64;
    None: the largest that there could be, which every run keeps within.
    """
    faces: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for number, stretch in enumerate(netlist.stretches):
        if not all(netlist.wires[w].every_ticks for w in stretch.wires):
            continue
        weight = tiles_together(netlist, stretch) * (FULL if closest is None else int(closest[number])) * stretch.share
        for place, uv in zip(zip(stretch.wires, stretch.words, strict=True), stretch.face_uv, strict=True):
            faces.setdefault(place, []).append((number, uv * weight >> 12))
    found = []
    for index, wire in enumerate(netlist.wires):
        if wire.coupling is None:
            continue
        # Of no-lone-bits a quiet line has a neighbour of its own value that is quiet, or moves away from it.
        neighbours = 1 if wire.encoding == "no-lone-bits" else 2
        for word in range(len(wire.words)):
            side = neighbours * wire.coupling.side_uv
            found.append(Reach(index, word, wire.coupling.margin_uv, side, tuple(faces.get((index, word), ()))))
    return found


def worst(netlist: Netlist, closest: Sequence[int] | None = None) -> list[Reach]:
    """For each wire the word with the least to spare, in order."""
    least: dict[int, Reach] = {}
    for reach in reaches(netlist, closest):
        if reach.wire not in least or reach.spare_uv < least[reach.wire].spare_uv:
            least[reach.wire] = reach
    return list(least.values())
