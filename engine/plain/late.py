"""Bits that come too late ("Physics: voltage and clock" in docs/model.md): which ones, by a counter-based generator."""

from __future__ import annotations

from engine.plain.packets import Words
from engine.plain.values import wrap

GOLDEN = 0x9E3779B97F4A7C15
MASK = 2**64 - 1

CORE, WIRE, LINES = 0, 1, 2
"""Kinds of chance: bits of a core, lines of a wire, and which lines of a wire are slow."""

PPM = 1_000_000
STEP_PPM, FIRST_PPM, SLOPE, MOST_PPM = 200_000, 125_000, 4, 500_000


def mix(z: int) -> int:
    """The finaliser of SplitMix64 (Steele, Lea, Flood 2014)."""
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


def chance(*numbers: int) -> int:
    """A 64-bit number that looks drawn at random, from a seed and the numbers of what it is drawn for."""
    z = 0
    for number in numbers:
        z = mix(z + number & MASK)
    return z


class Lateness:
    """Which bits of a core or wire come late; ``rank`` is its place in the netlist, ``overshoot`` in ppm.

    ``lines`` is how many bits of a word there are.
    """

    def __init__(self, seed: int, kind: int, rank: int, overshoot: int, lines: int = 32) -> None:
        self.start = seed + GOLDEN * (4 * rank + kind + 1)
        self.overshoot, self.lines = overshoot, lines

    def ranks(self, event: int, word: int) -> list[int]:
        """Ranks of the late bits of a word in a firing or entry, both counted from 0; rank 0 is the slowest bit."""
        late = []
        for rank in range(self.lines):
            beyond = self.overshoot - STEP_PPM * rank
            if beyond <= 0:
                break
            probability = min(MOST_PPM, FIRST_PPM + SLOPE * beyond)
            drawn = chance(self.start, GOLDEN * (event + 1), GOLDEN * (self.lines * word + rank + 1)) >> 32
            if drawn < (probability << 32) // PPM:
                late.append(rank)
        return late


class LateBits(Lateness):
    """Of a core: its highest bits are the slowest."""

    def masks(self, event: int, width: int) -> Words:
        """Bits of each word of a result that are inverted, as unsigned numbers."""
        return tuple([sum(1 << 31 - rank for rank in self.ranks(event, word)) for word in range(width)])


class LateLines(Lateness):
    """Of a wire: which lines are slow differs from wire to wire."""

    def __init__(self, seed: int, rank: int, overshoot: int, width: int, lines: int = 32) -> None:
        super().__init__(seed, WIRE, rank, overshoot, lines)
        place = seed + GOLDEN * (4 * rank + LINES + 1)
        self.order = [
            sorted(range(lines), key=lambda line: (chance(place, GOLDEN * (lines * word + line + 1)), line))
            for word in range(width)
        ]

    def masks(self, event: int, words: Words, before: Words) -> Words:
        """Lines of each word that should change and stay what they were, as unsigned numbers."""
        found = []
        for k, (word, old) in enumerate(zip(words, before, strict=True)):
            late = sum(1 << self.order[k][rank] for rank in self.ranks(event, k))
            found.append(late & (word ^ old))
        return tuple(found)


def spoiled(words: Words, wrong: Words) -> Words:
    """Words with the bits of the masks inverted."""
    return tuple([wrap(word ^ mask) for word, mask in zip(words, wrong, strict=True)])
