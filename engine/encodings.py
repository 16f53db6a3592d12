"""Codes for the words on a wire: from a word to its lines and back ("Physics: encodings" in docs/model.md).

A word is an unsigned number of 32 bits; the lines of its code word are an unsigned number of :data:`LINES` bits, bit i
for line i. Everything here is a pure function; energies, ticks and leakage stand in the technology file. The compiled
engine has code of its own.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

WORD = 2**32 - 1

ENCODINGS = ("raw", "gray", "bus-invert", "bus-invert-4", "parity", "secded", "no-opposites", "no-lone-bits")
"""All encodings; bus-invert-4 does by byte what bus-invert does by word."""

LINES = dict(zip(ENCODINGS, (32, 32, 33, 36, 33, 39, 46, 46), strict=True))
"""Lines of a word in each encoding; the data bits of parity, secded and the two bus-inverts are lines 0 to 31."""

CROSSTALK_CODES = ("no-opposites", "no-lone-bits")
"""Encodings made against neighbouring lines."""

PARITY, UNCORRECTABLE = "parity-error", "uncorrectable"
"""Faults of a decoder."""


def tracks_of(words: int, encoding: str = "raw", gap: int = 100) -> int:
    """Tracks that a wire takes: of 32 lines each at the full ``gap``, in percent, and of more where it is smaller."""
    return -(-words * LINES[encoding] // (3200 // gap))


class Received(NamedTuple):
    """What a decoder makes of lines: the word, whether it mended one line, and the code of its fault, "" if none."""

    word: int
    corrected: bool = False
    fault: str = ""


def encode(encoding: str, word: int, before: int = 0) -> int:
    """The lines of a word. ``before`` are those of the word before on the same wire, which bus-invert looks at."""
    match encoding:
        case "gray":
            return word ^ word >> 1
        case "bus-invert":
            return _invert(word, before, 32, 32)
        case "bus-invert-4":
            return _invert_bytes(word, before)
        case "parity":
            return word | (word.bit_count() & 1) << 32
        case "secded":
            return word | _checks(word) << 32
        case "no-opposites":
            return _zeckendorf(word) ^ _EVEN
        case "no-lone-bits":
            return _without_lone_bits(word)
        case _:
            return word


def decode(encoding: str, lines: int) -> Received:
    """The word that lines stand for, which may be wrong ones."""
    match encoding:
        case "gray":
            for step in (1, 2, 4, 8, 16):
                lines ^= lines >> step
            return Received(lines)
        case "bus-invert":
            return Received((lines ^ WORD if lines >> 32 else lines) & WORD)
        case "bus-invert-4":
            inverted = sum(0xFF << 8 * byte for byte in range(4) if lines >> 32 + byte & 1)
            return Received((lines ^ inverted) & WORD)
        case "parity":
            return Received(lines & WORD, fault=PARITY if lines.bit_count() & 1 else "")
        case "secded":
            return _mend(lines)
        case "no-opposites":
            return Received(_sum(lines ^ _EVEN, first=2))
        case "no-lone-bits":
            return Received(_sum(lines, first=1))
        case _:
            return Received(lines & WORD)


def hit(encoding: str, lines: int, word: int, late: int) -> int:
    """The lines of a word, ``lines``, when its bits ``late`` are inverted behind the register in front of the encoder.

    Check bits and the choice to invert are those of the true word; elsewhere the encoder gets the wrong one.
    """
    if encoding in ("gray", *CROSSTALK_CODES):
        return encode(encoding, word ^ late)
    return lines ^ late


@cache
def start_lines(encoding: str) -> int:
    """The lines that a wire starts with: those of the word 0."""
    return encode(encoding, 0)


# --- bus-invert ---------------------------------------------------------------------------------------------


def _invert(word: int, before: int, bits: int, flag: int) -> int:
    """``word`` or its inverse with a one at ``flag``, whichever toggles fewer lines than the other; else ``word``."""
    inverse = word ^ (1 << bits) - 1 | 1 << flag
    return inverse if (inverse ^ before).bit_count() < (word ^ before).bit_count() else word


def _invert_bytes(word: int, before: int) -> int:
    lines = 0
    for byte in range(4):
        old = before >> 8 * byte & 0xFF | (before >> 32 + byte & 1) << 8
        new = _invert(word >> 8 * byte & 0xFF, old, 8, 8)
        lines |= (new & 0xFF) << 8 * byte | new >> 8 << 32 + byte
    return lines


# --- secded -------------------------------------------------------------------------------------------------

_COLUMNS = [n for n in range(128) if n.bit_count() == 3][:32] + [1 << k for k in range(7)]
"""Check bits that each line takes part in: three for a data bit, one for a check bit."""


def _checks(word: int) -> int:
    """The seven check bits of a word: each the parity of the data bits that it looks at."""
    checks = 0
    for bit in range(32):
        if word >> bit & 1:
            checks ^= _COLUMNS[bit]
    return checks


def _mend(lines: int) -> Received:
    syndrome = _checks(lines & WORD) ^ lines >> 32
    if not syndrome:
        return Received(lines & WORD)
    if syndrome not in _COLUMNS:
        return Received(lines & WORD, fault=UNCORRECTABLE)
    return Received((lines ^ 1 << _COLUMNS.index(syndrome)) & WORD, corrected=True)


# --- codes of Fibonacci numbers -----------------------------------------------------------------------------

_FIBONACCI = [0, 1]
while len(_FIBONACCI) < 48:
    _FIBONACCI.append(_FIBONACCI[-1] + _FIBONACCI[-2])

_EVEN = sum(1 << line for line in range(0, 46, 2))


def _zeckendorf(word: int) -> int:
    """The word as a sum of Fibonacci numbers, no two of them neighbours; line i stands for F(i + 2)."""
    lines = 0
    for line in range(45, -1, -1):
        if word >= _FIBONACCI[line + 2]:
            word -= _FIBONACCI[line + 2]
            lines |= 1 << line
    return lines


def _without_lone_bits(word: int) -> int:
    """The word as a sum of Fibonacci numbers in which no line differs from both its neighbours; line i: F(i + 1)."""
    lines, above = 0, int(word >= _FIBONACCI[47])
    for k in range(46, 0, -1):
        if k < 46 and word >= _FIBONACCI[k + 1]:
            above = 1
        elif k < 46 and word < _FIBONACCI[k]:
            above = 0
        word -= above * _FIBONACCI[k]
        lines |= above << k - 1
    return lines


def _sum(lines: int, first: int) -> int:
    """The Fibonacci numbers of the lines that are set, from F(first) on, modulo 2 ** 32."""
    return sum(_FIBONACCI[line + first] for line in range(46) if lines >> line & 1) & WORD
