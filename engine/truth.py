"""What a level's machine is given and what it must answer: words of every launch, as bit patterns.

A :class:`Workload` is all that an engine sees of a kernel. It is lazy, keeps only a few chunks of launches, and a
launch's words do not depend on which others were asked for.
"""

from __future__ import annotations

import struct
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.data import check_data, check_size, draw
from engine.errors import InvalidError, Problem, raise_if_any
from engine.expr import CHUNK, Truth
from engine.expr_parse import WORDS
from engine.expr_scope import Value
from engine.named import find

if TYPE_CHECKING:
    from engine.model import KernelSpec, Level

Bits = NDArray[np.int32]
"""32-bit words as signed integers; a float32 is seen through its bits."""

LEAST_CHUNKS = 8
"""Chunks always kept: pads run at most 256 launches apart, which is five of them, on each side of an edge."""

KEPT_WORDS = 1 << 18
"""Words that are kept of each side where chunks are small: a short level is drawn once for a thousand edits."""

_Function = Callable[[Mapping[str, Value]], dict[str, Value]]


def check_kernel(level: Level) -> list[Problem]:
    """Everything that is wrong with the kernel of ``level``: names, sizes, data, truth; [] when nothing is.

    The truth is also evaluated for the first launches with seed 0, which finds reads outside an array and
    divisions by zero. Inputs that no equation reads are warnings.
    """
    function, problems = _compile(level.kernel)
    if function is not None and not any(p.severity == "error" for p in problems):
        try:
            Workload(level).expected(0, CHUNK)
        except InvalidError as error:
            problems += error.problems
    return problems


class Workload:
    """Inputs and expected outputs of every launch of ``level`` with ``seed``.

    ``arrays``, ``input_names`` and ``output_names`` are in the order of the file. Raises InvalidError with
    the errors that :func:`check_kernel` finds without data. Arrays that are handed out are read-only.
    """

    def __init__(self, level: Level, seed: int = 0) -> None:
        function, problems = _compile(level.kernel)
        raise_if_any(problems)
        assert function is not None
        self._function = function
        self.seed = seed
        self.arrays = dict(level.kernel.arrays)
        self.input_names = tuple(name for name, spec in self.arrays.items() if spec.data is not None)
        self.output_names = tuple(name for name, spec in self.arrays.items() if spec.data is None)
        words = CHUNK * sum(spec.words for spec in self.arrays.values())
        self.chunks_kept = max(LEAST_CHUNKS, KEPT_WORDS // words)
        self._inputs: OrderedDict[int, dict[str, Value]] = OrderedDict()
        self._expected: OrderedDict[int, dict[str, Value]] = OrderedDict()

    def inputs(self, first: int, count: int) -> dict[str, Bits]:
        """Words of each input for launches ``first`` … ``first + count - 1``: (count, words), row-major."""
        return self._gather(self.input_names, self._input_chunk, first, count)

    def expected(self, first: int, count: int) -> dict[str, Bits]:
        """Words that each output must have, as :meth:`inputs`.

        Raises InvalidError where the truth has no value for the data: an index outside, a division by
        zero, a float that is not finite.
        """
        return self._gather(self.output_names, self._expected_chunk, first, count)

    def answers(self, inputs: Mapping[str, Bits]) -> dict[str, Bits]:
        """Words that each output must have for any inputs, which are as :meth:`inputs` gives them."""
        arrays = {
            name: words.view(self.arrays[name].dtype).reshape(-1, *self.arrays[name].shape)
            for name, words in inputs.items()
        }
        return {name: words.reshape(len(words), -1).view(np.int32) for name, words in self._function(arrays).items()}

    def _gather(
        self, names: tuple[str, ...], chunk: Callable[[int], dict[str, Value]], first: int, count: int
    ) -> dict[str, Bits]:
        parts: dict[str, list[Bits]] = {name: [] for name in names}
        for number in range(first // CHUNK, -(-(first + count) // CHUNK)):
            rows = slice(max(first - number * CHUNK, 0), first + count - number * CHUNK)
            for name, array in chunk(number).items():
                parts[name].append(array.reshape(CHUNK, -1)[rows].view(np.int32))
        result = {}
        for name, found in parts.items():
            result[name] = found[0] if len(found) == 1 else np.concatenate(found)
            result[name].flags.writeable = False
        return result

    def _input_chunk(self, number: int) -> dict[str, Value]:
        launches = range(number * CHUNK, (number + 1) * CHUNK)
        return _cached(
            self._inputs,
            self.chunks_kept,
            number,
            lambda: {name: draw(self.arrays[name], name, self.seed, launches) for name in self.input_names},
        )

    def _expected_chunk(self, number: int) -> dict[str, Value]:
        return _cached(self._expected, self.chunks_kept, number, lambda: self._function(self._input_chunk(number)))


def float_close(expected_bits: int, got_bits: int, tolerance: float) -> bool:
    """Whether a float32 word is near enough: ``|got - expected| <= tolerance * max(1, |expected|)``.

    The words are given as signed 32-bit patterns; the arithmetic is in double precision, in this order. What
    is expected is finite; infinities and NaN are not near it.
    """
    expected, got = struct.unpack("<ff", struct.pack("<ii", expected_bits, got_bits))
    return bool(abs(got - expected) <= tolerance * max(1.0, abs(expected)))


def _cached(
    cache: OrderedDict[int, dict[str, Value]], most: int, number: int, make: Callable[[], dict[str, Value]]
) -> dict[str, Value]:
    if number in cache:
        cache.move_to_end(number)
    else:
        cache[number] = make()
        if len(cache) > most:
            cache.popitem(last=False)
    return cache[number]


def _compile(kernel: KernelSpec) -> tuple[_Function | None, list[Problem]]:
    """The truth as a function, None if there are errors in it; and what is wrong with it and the arrays."""
    problems = check_size(kernel.arrays)
    if problems:
        return None, problems
    inputs = [name for name, spec in kernel.arrays.items() if spec.data is not None]
    for name in kernel.arrays:
        if name in WORDS:
            problems.append(
                Problem(
                    "array-name",
                    f"an array cannot be called {name}, which is a word of equations: choose another name",
                    ("kernel", "arrays", name),
                )
            )
    for name in inputs:
        problems += check_data(name, kernel.arrays[name])
    if len(inputs) == len(kernel.arrays):
        message = "no array is an output: leave out data: for what the machine must write"
        problems.append(Problem("no-output", message, ("kernel", "arrays")))
    if kernel.truth is None:
        named, found = find(kernel.named or "", kernel.arrays)
        return named.function if named and not found else None, problems + found
    try:
        truth = Truth(kernel.truth, kernel.arrays)
    except InvalidError as error:
        return None, problems + error.problems
    for name in inputs:
        if name not in truth.used:
            message = f"no equation reads {name}: leave it out, or use it"
            problems.append(Problem("unused-input", message, ("kernel", "arrays", name), severity="warning"))
    return truth, problems
