"""Crosstalk in motion ("Physics: crosstalk" in docs/model.md): which words meet, what it costs, which lines flip."""

from __future__ import annotations

from collections import deque
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from engine.netlist import Netlist
from engine.plain.packets import Words, forget_window

if TYPE_CHECKING:
    from engine.plain.machine import PlainMachine

FULL = 64
"""Overlap of words that are side by side all the time."""
FACES = 2**32 - 1
"""Lines with faces: extra lines have none."""


class Met(NamedTuple):
    """What a word met on a face: the noise of one line in µV, and the other word's rising and falling lines."""

    uv: int
    rising: int
    falling: int


class Drive:
    """A packet that entered a wire: when, of which launch; by word, the lines that rose and fell, and what it met."""

    __slots__ = ("falling", "launch", "met", "rising", "tick")

    def __init__(self, tick: int, launch: int, rising: Words, falling: Words) -> None:
        self.tick, self.launch, self.rising, self.falling = tick, launch, rising, falling
        self.met: list[list[Met]] = [[] for _ in rising]

    def copy(self) -> Drive:
        """A copy of its own."""
        twin = Drive(self.tick, self.launch, self.rising, self.falling)
        twin.met = [met.copy() for met in self.met]
        return twin


class Field:
    """All wires of a machine as they act on each other. ``coupling``: aJ by wire and segment; ``closest``: by stretch,
    the largest overlap so far of words that did not move on the same lines, of 64."""

    def __init__(self, machine: PlainMachine, netlist: Netlist) -> None:
        self.machine = machine
        self.wires, self.stretches = netlist.wires, netlist.stretches
        self.coupling = [[0, 0, 0, 0] for _ in self.wires]
        self.closest = [0] * len(self.stretches)
        self._drives: list[deque[Drive]] = [deque(maxlen=wire.capacity + 1) for wire in self.wires]
        self._beside: list[list[tuple[int, int]]] = [[] for _ in self.wires]
        """By wire: its stretches, and which of the two words there is its own."""
        for number, stretch in enumerate(self.stretches):
            for own, wire in enumerate(stretch.wires):
                self._beside[wire].append((number, own))

    def entered(self, wire: int, tick: int, launch: int, rising: Words, falling: Words) -> None:
        """A packet that is not masked enters: by word, the lines that rise and fall (unsigned)."""
        drive = Drive(tick, launch, rising, falling)
        self._drives[wire].append(drive)
        self._charge(wire, drive, self._own_aj(wire, drive))
        for number, own in self._beside[wire]:
            self._meet(number, own, drive)

    def _charge(self, wire: int, drive: Drive, aj: int) -> None:
        self.coupling[wire][self.machine.segment(drive.launch)] += aj

    def _own_aj(self, wire: int, drive: Drive) -> int:
        """What the word's own lines and its quiet faces cost."""
        spec = self.wires[wire]
        coupling = spec.coupling
        assert coupling is not None
        energy = 0
        for rising, falling, shield_aj in zip(drive.rising, drive.falling, coupling.shield_aj, strict=True):
            changes = [0, *((rising >> i & 1) - (falling >> i & 1) for i in range(spec.lines)), 0]
            sides = sum((a - b) ** 2 for a, b in pairwise(changes))
            toggled = (rising | falling).bit_count()
            energy += sides * coupling.side_aj + toggled * (coupling.face_aj + shield_aj)
        return energy

    def _meet(self, number: int, own: int, drive: Drive) -> None:
        """Work out the pairs of a word that has just entered with all that it meets on a stretch."""
        stretch = self.stretches[number]
        wire, other = stretch.wires[own], stretch.wires[1 - own]
        times = self.wires[wire].every_ticks, self.wires[other].every_ticks
        both = min(times)
        here = drive.tick + self.wires[wire].encoder_ticks + stretch.starts[own] * times[0]
        lead = self.wires[other].encoder_ticks + stretch.starts[1 - own] * times[1]
        for past in reversed(self._drives[other]):
            there = past.tick + lead
            if there <= here - both:
                break
            if there >= here + both or (past is drive and own):
                continue
            overlap = FULL * (both - abs(here - there)) // both
            tiles = stretch.tiles
            if times[0] != times[1]:
                tiles = min(tiles, max(1, both // abs(times[0] - times[1])))
            self._pair(number, own, drive, past, tiles * overlap * stretch.share, overlap)

    def _pair(self, number: int, own: int, drive: Drive, past: Drive, weight: int, overlap: int) -> None:
        """Two words meet, ``weight`` in 1/4096 tiles."""
        stretch = self.stretches[number]
        k, j = stretch.words[own], stretch.words[1 - own]
        rising, falling = drive.rising[k] & FACES, drive.falling[k] & FACES
        up, down = past.rising[j] & FACES, past.falling[j] & FACES
        if rising | falling != up | down:
            self.closest[number] = max(self.closest[number], overlap)
        opposite = (rising & down | falling & up).bit_count()
        alike = (rising & up | falling & down).bit_count()
        aj = (opposite - alike) * (stretch.pair_aj * weight >> 12)
        self._charge(stretch.wires[own], drive, aj)
        self._charge(stretch.wires[1 - own], past, aj)
        drive.met[k].append(Met(stretch.face_uv[own] * weight >> 12, up, down))
        past.met[j].append(Met(stretch.face_uv[1 - own] * weight >> 12, rising, falling))

    def flips(self, wire: int, tick: int, lines: Words) -> Words:
        """By word, the lines that flip of the packet that entered at ``tick``; ``lines``: what was driven, unsigned.

        To be asked when the packet comes to the wire's end: no word that it meets enters later.
        """
        drive = next(drive for drive in self._drives[wire] if drive.tick == tick)
        return tuple([self._flipped(wire, drive, k, word) for k, word in enumerate(lines)])

    def _flipped(self, wire: int, drive: Drive, k: int, word: int) -> int:
        coupling, count = self.wires[wire].coupling, self.wires[wire].lines
        assert coupling is not None
        rising, falling, met = drive.rising[k], drive.falling[k], drive.met[k]
        if 2 * coupling.side_uv + sum(m.uv for m in met) <= coupling.margin_uv:
            return 0
        # Pushing a line away from its value: up where it is low, down where it is high.
        sides = [Met(coupling.side_uv, rising << 1, falling << 1), Met(coupling.side_uv, rising >> 1, falling >> 1)]
        flipped = 0
        for line in range(count):
            if (rising | falling) >> line & 1:
                continue
            sign = -1 if word >> line & 1 else 1
            noise = sum(m.uv * ((m.rising >> line & 1) - (m.falling >> line & 1)) for m in (*sides, *met))
            if sign * noise > coupling.margin_uv:
                flipped |= 1 << line
        return flipped

    # --- the window, and going back -----------------------------------------------------------------------

    def forget_window(self) -> None:
        """Another window: what segments 1 and 2 held is of before."""
        for counts in self.coupling:
            forget_window(counts)

    def save(self) -> tuple[list[list[int]], list[int], list[list[Drive]]]:
        """A copy of the state."""
        drives = [[drive.copy() for drive in drives] for drives in self._drives]
        return [counts.copy() for counts in self.coupling], self.closest.copy(), drives

    def load(self, saved: tuple[list[list[int]], list[int], list[list[Drive]]]) -> None:
        """Go back to a copied state."""
        coupling, closest, drives = saved
        self.coupling, self.closest = [counts.copy() for counts in coupling], closest.copy()
        for kept, before in zip(self._drives, drives, strict=True):
            kept.clear()
            kept.extend(drive.copy() for drive in before)
