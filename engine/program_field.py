"""Crosstalk as flat record arrays: what the compiled engine knows of wires side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.crosstalk import FULL, tiles_together
from engine.netlist import Netlist, Stretch

Array = NDArray[Any]

WIRE_FIELD = np.dtype(
    [(name, "i8") for name in ("side_aj", "face_aj", "side_uv", "margin_uv", "seen")]
    + [("lines", "u8")]
    + [(name, "i4") for name in ("beside", "sides", "met", "room", "shield")],
    align=True,
)
"""A wire. ``seen``: the tick of the last packet that has been looked at; ``beside``, ``sides``: its rows in BESIDE;
``lines``: a bit for each; ``met``: where in ``met`` its words have ``room`` rows each, −1 where no line of it can flip;
``shield``: where its words are in ``shields``. The rest: see :class:`engine.netlist.Coupling`."""

BESIDE = np.dtype(
    [(name, "i8") for name in ("lead", "lead_other", "both", "pair_aj", "uv", "uv_other")]
    + [(name, "i4") for name in ("stretch", "own", "other", "word", "word_other", "tiles", "share")],
    align=True,
)
"""A stretch as one of its two words sees it. ``lead``: ticks from an entry to the stretch; ``both``: T_m, 0 where one
of the wires stands still; ``own``: which of the two words it is; ``tiles``: for how many they stay together. The rest:
see :class:`engine.netlist.Stretch`."""


MET = np.dtype([("uv", "i8"), ("rising", "u8"), ("falling", "u8")], align=True)
"""What a word met on a face: the noise that one line makes, and the lines that rose and fell."""


class FieldArrays(NamedTuple):
    """Arrays of crosstalk, all without rows where it is off.

    ``shields``: aJ per toggled line, by word. ``closest`` by stretch; ``coupling`` in aJ by wire and segment. ``rose``
    and ``fell``: lines of the words on wires that did, in their places in ``words``. ``meetings``: how many rows
    of ``met`` each of these words has, on wires whose lines can flip.
    """

    wires: Array
    beside: Array
    shields: Array
    closest: Array
    coupling: Array
    rose: Array
    fell: Array
    meetings: Array
    met: Array

    def moving(self) -> tuple[Array, ...]:
        """What changes while the machine runs."""
        return self.wires, self.closest, self.coupling, self.rose, self.fell, self.meetings, self.met

    def begin(self) -> None:
        """Back to tick 0."""
        self.wires["seen"] = -1
        self.closest.fill(0)
        self.coupling.fill(0)

    def retime(self, net: Netlist) -> None:
        """The wires of the machine have other speeds."""
        rows = [row for wire in range(len(net.wires)) for row in _beside(net, wire)]
        if rows:
            np.copyto(self.beside, np.array(rows, BESIDE))


def field_arrays(net: Netlist, words: int, rings: Sequence[int]) -> FieldArrays:
    """The arrays of a machine at tick 0, which has room for ``words`` words, and on each wire for so many packets."""
    wires = net.wires if net.noisy else ()
    rows = np.zeros(len(wires), WIRE_FIELD)
    beside: list[tuple[int, ...]] = []
    shields: list[int] = []
    room = 0
    noisy = can_flip(net)
    for index, (wire, row) in enumerate(zip(wires, rows, strict=True)):
        coupling = wire.coupling
        assert coupling is not None
        row["side_aj"], row["face_aj"] = coupling.side_aj, coupling.face_aj
        row["side_uv"], row["margin_uv"] = coupling.side_uv, coupling.margin_uv
        row["lines"], row["shield"], row["beside"] = 2**wire.lines - 1, len(shields), len(beside)
        shields += coupling.shield_aj
        beside += _beside(net, index)
        row["sides"] = len(beside) - row["beside"]
        row["met"] = -1
        if noisy[index]:
            # Two words of another wire fit into the time in which they meet one.
            row["met"], row["room"] = room, 2 * row["sides"]
            room += rings[index] * len(wire.words) * int(row["room"])
    words = words if net.noisy else 0
    made = FieldArrays(
        wires=rows,
        beside=np.array(beside, BESIDE),
        shields=np.array(shields, np.int64),
        closest=np.zeros(len(net.stretches), np.int64),
        coupling=np.zeros(4 * len(wires), np.int64),
        rose=np.zeros(words, np.uint64),
        fell=np.zeros(words, np.uint64),
        meetings=np.zeros(words, np.int32),
        met=np.zeros(room, MET),
    )
    made.begin()
    return made


def can_flip(net: Netlist) -> list[bool]:
    """By wire, whether there may be more noise than a line bears, whatever the speeds."""
    found = [False] * len(net.wires)
    faces: dict[tuple[int, int], int] = {}
    for stretch in net.stretches:
        for place, uv in zip(zip(stretch.wires, stretch.words, strict=True), stretch.face_uv, strict=True):
            faces[place] = faces.get(place, 0) + (uv * stretch.tiles * FULL * stretch.share >> 12)
    for index, wire in enumerate(net.wires):
        if wire.coupling is not None:
            most = max(faces.get((index, word), 0) for word in range(len(wire.words)))
            found[index] = 2 * wire.coupling.side_uv + most > wire.coupling.margin_uv
    return found


def _beside(net: Netlist, wire: int) -> list[tuple[int, ...]]:
    """The stretches of a wire as its words see them."""
    return [
        _row(net, number, stretch, own)
        for number, stretch in enumerate(net.stretches)
        for own in (0, 1)
        if stretch.wires[own] == wire
    ]


def _row(net: Netlist, number: int, stretch: Stretch, own: int) -> tuple[int, ...]:
    other = 1 - own
    ends = [net.wires[w] for w in stretch.wires]
    leads = [end.encoder_ticks + start * end.every_ticks for end, start in zip(ends, stretch.starts, strict=True)]
    both = min(end.every_ticks for end in ends)
    return (
        *(leads[own], leads[other], both, stretch.pair_aj, stretch.face_uv[own], stretch.face_uv[other]),
        *(number, own, stretch.wires[other], stretch.words[own], stretch.words[other]),
        *(tiles_together(net, stretch) if both else 0, stretch.share),
    )
