"""Which words of its inputs a kernel cannot do without: found by changing one word and looking at the outputs.

Where two launches differ in one word alone and their outputs differ, no machine can be right for both without reading
that word: otherwise it would do the same in both. So every word counted here is read by every right machine, in every
launch that was looked at; words that count in some of them only are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import InvalidError
from engine.truth import Bits, Workload

if TYPE_CHECKING:
    from engine.model import DataSpec, Level

DRAWS = 3
"""Launches that are looked at."""

CHANGES = 3
"""Other values that are tried for each word: a great one, a small one, any."""

MOST_WORDS = 1 << 21
"""Words of all changed launches together: in a larger kernel the last words of its arrays are not looked at."""


@dataclass(frozen=True, slots=True)
class Dependence:
    """What a kernel's outputs depend on.

    read
        By input: how many of its words must be read.
    computed
        By input: how many of its words, at least, change an output word that is equal to no word of this input, neither
        before nor after. A copy does not do for these: their values must go through a core.
    reached
        By input: the outputs in which a change was seen.
    varying
        By output: how many of its words were seen to change.
    """

    read: Mapping[str, int]
    computed: Mapping[str, int]
    reached: Mapping[str, frozenset[str]]
    varying: Mapping[str, int]


def dependence(level: Level) -> Dependence:
    """The words that matter, with the data of seed 0. Raises InvalidError as :class:`engine.truth.Workload`."""
    workload = Workload(level)
    arrays = workload.arrays
    inputs = workload.inputs(0, DRAWS)
    before = {name: words[:, None] for name, words in workload.expected(0, DRAWS).items()}
    total = sum(spec.words for spec in arrays.values())
    looked = max(1, MOST_WORDS // (total * DRAWS * CHANGES * max(1, len(inputs))))
    varying = {name: np.zeros(arrays[name].words, bool) for name in workload.output_names}
    read, computed, reached = {}, {}, {}
    for name, words in inputs.items():
        spec = arrays[name]
        assert spec.data is not None
        matters = np.zeros((DRAWS, min(spec.words, looked)), bool)
        new = np.zeros_like(matters)
        found: set[str] = set()
        for change in range(CHANGES):
            values, possible = _other_values(words, spec.data, matters.shape[1], change)
            after = _answers(workload, inputs, name, values)
            for output, told in after.items():
                slack = level.kernel.tolerance if arrays[output].dtype == "float32" else None
                differs = possible[:, :, None] & ~_near(told, before[output], slack)
                copied = _among(before[output], words, slack) | _among(told, words, slack)
                copied |= _near(told, values[:, :, None], slack)
                matters |= differs.any(axis=2)
                new |= (differs & ~copied).any(axis=2)
                varying[output] |= differs.any(axis=(0, 1))
                if differs.any():
                    found.add(output)
        read[name], computed[name] = int(matters.all(axis=0).sum()), int(new.sum(axis=1).min())
        reached[name] = frozenset(found)
    return Dependence(read, computed, reached, {name: int(seen.sum()) for name, seen in varying.items()})


def _other_values(words: Bits, data: DataSpec, count: int, change: int) -> tuple[Bits, NDArray[np.bool_]]:
    """For the first ``count`` words of each launch (rows) another value that the array's data may have there.

    And whether there is one: of a permutation, and where all values are in use, one word alone cannot change. Values
    are taken from the array's other launches, so that they are of its kind.
    """
    values = np.zeros((len(words), count), np.int32)
    possible = np.zeros((len(words), count), bool)
    for row, own in enumerate(words):
        used = set(own.tolist())
        others = np.delete(words, row, axis=0).reshape(-1).tolist()
        fresh = sorted(set(others) - used)
        if data.kind == "permutation" or not fresh:
            continue
        values[row] = [fresh[(-1, 0, place % len(fresh))[change]] for place in range(count)]
        possible[row] = True
    return values, possible


def _answers(workload: Workload, inputs: Mapping[str, Bits], name: str, values: Bits) -> dict[str, Bits]:
    """Outputs, (launches, changed words, words), with one word of ``name`` changed at a time; {} without a truth."""
    draws, count = values.shape
    changed = {key: np.repeat(words, count, axis=0) for key, words in inputs.items()}
    rows = np.arange(draws * count)
    changed[name][rows, np.tile(np.arange(count), draws)] = values.reshape(-1)
    try:
        found = workload.answers(changed)
    except InvalidError:
        return {}
    return {output: words.reshape(draws, count, -1) for output, words in found.items()}


def _numbers(words: Bits, slack: float | None) -> tuple[NDArray[Any], NDArray[Any]]:
    """The words as numbers, and how far two may be apart and both pass for one: floats twice their tolerance."""
    if slack is None:
        return words, np.zeros(1, np.int32)
    numbers = words.view(np.float32).astype(np.float64)
    return numbers, 2 * slack * np.maximum(1, np.abs(numbers))


def _near(one: Bits, other: Bits, slack: float | None) -> NDArray[np.bool_]:
    """Where one word would pass for both."""
    (a, apart), (b, apart_too) = _numbers(one, slack), _numbers(other, slack)
    return np.asarray(np.abs(a.astype(np.float64) - b) <= np.maximum(apart, apart_too))


def _among(values: Bits, words: Bits, slack: float | None) -> NDArray[np.bool_]:
    """Which of ``values``, (launches, …), would pass for one of the ``words`` of their launch, (launches, n)."""
    found = np.zeros(values.shape, bool)
    for row in range(len(words)):
        numbers, apart = _numbers(values[row], slack)
        known = np.sort(_numbers(words[row], slack)[0].astype(np.float64))
        place = np.searchsorted(known, numbers - apart)
        found[row] = known[np.minimum(place, len(known) - 1)] <= numbers + apart
        found[row] &= place < len(known)
    return found
