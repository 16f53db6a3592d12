"""The words of a level's input arrays, launch by launch.

Every word is a pure function of (seed, array's name, launch, place in the array): a counter-based hash, written
out here in 64-bit integer arithmetic. So the data is the same on every machine and with every version of
numpy, and a launch has the same words whichever launches are drawn with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.errors import Problem, raise_if_any

if TYPE_CHECKING:
    from engine.model import ArraySpec

MAX_FLOAT_INTEGER = 2**22
"""Greatest integer behind a float32 word: neighbours stay apart by more than one rounding, whatever the scale."""

MIN_SCALE = 1e-30
"""Smallest scale of a float array: float32 is full precision above 1.2e-38."""

MAX_WORDS = 2**16
"""Words of all arrays of a kernel together, in one launch."""

_MASK = 2**64 - 1
_GOLDEN = 0x9E3779B97F4A7C15
_LEAST_CELLS = 256
_PART_WORDS = 2**18
"""Words drawn in one go, so that hostile shapes need little memory."""

Words64 = NDArray[np.uint64]


def name_hash(name: str) -> int:
    """64-bit FNV-1a of the name's UTF-8 bytes (Fowler, Noll, Vo): Python's own ``hash`` differs by process."""
    value = 0xCBF29CE484222325
    for byte in name.encode():
        value = (value ^ byte) * 0x100000001B3 & _MASK
    return value


def mix(words: Words64) -> Words64:
    """The finaliser of SplitMix64 (Steele, Lea, Flood 2014), word by word: a bijection on 64 bits."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def draw(spec: ArraySpec, name: str, seed: int, launches: range) -> NDArray[np.int32] | NDArray[np.float32]:
    """Words of the input array ``name`` for ``launches`` (numbers >= 0), as ``spec.data`` says.

    Shape ``(launches, *spec.shape)``, dtype int32 or float32. ``distinct`` takes different values of low … high
    without 0; ``any`` takes each word by itself; ``permutation`` takes low … high once each. Float words are
    the integer times ``scale``, rounded once. Raises InvalidError as :func:`check_size` and :func:`check_data`
    say.
    """
    raise_if_any(check_size({name: spec}) or check_data(name, spec))
    step = max(1, _PART_WORDS // spec.words)
    parts = [launches[first : first + step] for first in range(0, len(launches), step)] or [launches]
    return np.concatenate([_draw(spec, name, seed, part) for part in parts])


def check_size(arrays: Mapping[str, ArraySpec]) -> list[Problem]:
    """Whether the arrays fit in :data:`MAX_WORDS`: nothing should be allocated for them before."""
    words = sum(spec.words for spec in arrays.values())
    if words <= MAX_WORDS:
        return []
    largest = max(arrays, key=lambda name: arrays[name].words)
    return [
        Problem(
            "arrays-too-large",
            f"the arrays have {words} words in a launch and {MAX_WORDS} are allowed: make {largest} smaller, which has "
            f"shape {arrays[largest].shape}",
            ("kernel", "arrays", largest, "shape"),
        )
    ]


def check_data(name: str, spec: ArraySpec) -> list[Problem]:
    """What is wrong with how the array ``name`` is drawn; empty when :func:`draw` will succeed."""
    path = ("kernel", "arrays", name, "data")
    data = spec.data
    if data is None:
        return [Problem("data-missing", f"{name} has no data: add data: {{kind: distinct}} to draw it", path)]
    problems = []
    values = data.high - data.low + 1
    span = f"{data.low} … {data.high}"
    if data.kind == "permutation" and values != spec.words:
        problems.append(
            Problem(
                "data-range",
                f"{name} has {spec.words} words and {span} has {values} values: a permutation uses each value "
                f"once; set high to {data.low + spec.words - 1}",
                path,
            )
        )
    usable = values - (data.low <= 0 <= data.high)
    if data.kind == "distinct" and usable < spec.words:
        problems.append(
            Problem(
                "data-range",
                f"{name} has {spec.words} words and {span} has only {usable} values other than 0: distinct data "
                "needs a value for each word; widen low … high, or use kind: any",
                path,
            )
        )
    if spec.dtype == "float32":
        if max(abs(data.low), abs(data.high)) > MAX_FLOAT_INTEGER:
            problems.append(
                Problem(
                    "data-range",
                    f"{name} is float32 and {span} leaves -{MAX_FLOAT_INTEGER} … {MAX_FLOAT_INTEGER}, where float32 "
                    "tells integers apart: narrow it, and use scale for large values",
                    path,
                )
            )
        if data.scale < MIN_SCALE:
            problems.append(
                Problem(
                    "data-scale",
                    f"{name} has scale {data.scale}: float32 needs at least {MIN_SCALE}",
                    (*path, "scale"),
                )
            )
    return problems


def _draw(spec: ArraySpec, name: str, seed: int, launches: range) -> NDArray[np.int32] | NDArray[np.float32]:
    data = spec.data
    assert data is not None
    key = np.arange(launches.start, launches.stop, launches.step, dtype=np.uint64)
    key = mix(key * np.uint64(_GOLDEN) + np.uint64(name_hash(name)))
    key = mix(key + np.uint64(seed * _GOLDEN & _MASK))
    low, values = data.low, data.high - data.low + 1
    if data.kind == "any":
        offsets = _below(_stream(key, spec.words, 1), values)
    elif data.kind == "permutation":
        offsets = _choose(key, spec.words, values)
    else:
        has_zero = data.low <= 0 <= data.high
        offsets = _choose(key, spec.words, values - has_zero)
        if has_zero:
            offsets += offsets >= np.uint64(-low)
    words = offsets.astype(np.int64) + low
    shape = (len(launches), *spec.shape)
    if spec.dtype == "float32":
        return (words * data.scale).astype(np.float32).reshape(shape)
    return words.astype(np.int32).reshape(shape)


def _stream(key: Words64, count: int, purpose: int) -> Words64:
    """Hashes for each key and each place 0 … count - 1, shape (keys, count); streams of a purpose are apart."""
    place = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(_GOLDEN) + np.uint64(purpose << 56)
    return mix(key[:, None] + place)


def _below(hashes: Words64, count: int) -> Words64:
    """Hashes scaled to 0 … count - 1, count <= 2^32, by multiply and shift (Lemire 2019, without rejection)."""
    return (hashes >> np.uint64(32)) * np.uint64(count) >> np.uint64(32)


def _choose(key: Words64, count: int, values: int) -> Words64:
    """``count`` different numbers of 0 … values - 1 for each key, in random order, shape (keys, count).

    The numbers are dealt into equal cells; sorting hashes shuffles the cells, and each of the first ``count``
    gives one of its numbers. With up to 256 values (or twice ``count``) a cell is one number, so every choice
    is equally likely; with more, sorting all values would cost too much. A random rotation reaches the
    numbers that the division into cells leaves over.
    """
    cells = min(values, max(_LEAST_CELLS, 2 * count))
    index_bits = np.uint64((1 << cells.bit_length()) - 1)
    # The cell's number in the low bits makes all sort keys different, so no sorting method can matter.
    ranked = _stream(key, cells, 2) & ~index_bits | np.arange(cells, dtype=np.uint64)
    ranked.sort(axis=1)
    chosen = ranked[:, :count] & index_bits
    width = values // cells
    if width > 1:
        chosen = chosen * np.uint64(width) + _below(_stream(key, count, 3), width)
    if values > cells * width:
        chosen = (chosen + _below(_stream(key, 1, 4), values)) % np.uint64(values)
    return chosen
