"""Launches that are under way, with their words."""

from __future__ import annotations

from typing import Any

from engine.netlist import Netlist

CHUNK = 64
"""Launches that are drawn together."""

MAX_CHUNKS = 8
"""Chunks kept: the pads run at most 256 launches apart."""


class Launch:
    """A launch that has been issued and not let go. Rows of words are by array; ``stored`` has None where unwritten."""

    __slots__ = (
        "accesses",
        "done",
        "dropped",
        "expected",
        "inputs",
        "issued",
        "left",
        "packets",
        "stored",
        "sunk",
        "words",
    )

    def __init__(self, issued: int, left: int, arrays: int) -> None:
        self.issued = issued
        self.left = left
        """Output words that have not been written."""
        self.packets = 0
        self.done = -1
        """Latest tick at which a word written so far counts."""
        self.dropped = -1
        """The last node whose firing lost a packet of this launch."""
        self.accesses, self.words = [0] * arrays, [0] * arrays
        """Lines moved and words asked for, by array."""
        self.inputs: dict[int, list[int]] = {}
        self.expected: dict[int, list[int]] = {}
        self.stored: dict[int, list[int | None]] = {}
        self.sunk: dict[int, int] = {}

    def copy(self) -> Launch:
        """A copy; rows of drawn words are shared, since they do not change."""
        twin = Launch(self.issued, self.left, 0)
        twin.packets, twin.done, twin.dropped = self.packets, self.done, self.dropped
        twin.accesses, twin.words = self.accesses.copy(), self.words.copy()
        twin.inputs, twin.expected = self.inputs, self.expected
        twin.stored = {array: words.copy() for array, words in self.stored.items()}
        twin.sunk = self.sunk.copy()
        return twin


class Draws:
    """Rows of words of one launch, drawn in chunks from ``Workload.inputs`` or ``Workload.expected``."""

    def __init__(self, draw: Any, netlist: Netlist) -> None:
        self.draw, self.names = draw, [a.name for a in netlist.arrays]
        self.chunks: dict[int, Any] = {}

    def row(self, array: int, launch: int) -> list[int]:
        """The words of an array in a launch, flat."""
        number = launch // CHUNK
        if number not in self.chunks:
            if len(self.chunks) == MAX_CHUNKS:
                del self.chunks[min(self.chunks)]
            self.chunks[number] = self.draw(number * CHUNK, CHUNK)
        row: list[int] = self.chunks[number][self.names[array]][launch % CHUNK].tolist()
        return row
