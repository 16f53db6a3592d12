"""The expression language of a kernel's ground truth: one equation in index notation on each line.

::

    out[i,j] = sum(k, 0:8, a[i,k]*b[k,j])
    out[i] = sum(t, 0:3, a[i-t] if i-t >= 0 else 0)

Nothing in an equation can run code or loop without bound: :mod:`engine.expr_parse` reads it, and
:mod:`engine.expr_tree` checks names, types, ranges and the amount of work (:mod:`engine.expr_scope`) before
anything is evaluated.

int32 wraps, ``//`` and ``%`` floor, shift counts are taken mod 32, comparisons give 0 or 1. float32 operations are
rounded one by one; sums and products go in ascending order of their range's name. An integer among floats becomes a
float. Blank lines and comments from ``#`` to the line's end are skipped.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.data import check_size
from engine.errors import InvalidError, Problem, nearest, raise_if_any
from engine.expr_parse import Equation, parse_equation
from engine.expr_scope import CHUNK, Budget, Scope, TruthError, Value

if TYPE_CHECKING:
    from engine.model import ArraySpec

MAX_TEXT = 8000
"""Characters of all equations together, as in the level's format."""

MAX_PROBLEMS = 20

_SLICE_WORK = 2**19
"""Values that one step of evaluation may have: few enough for the cache and for a small memory."""

_PATH = ("kernel", "truth")


class Truth:
    """Equations, checked and ready to evaluate; they cover every word of every output exactly once.

    ``arrays`` are the kernel's: those with data are inputs, the others outputs. Raises InvalidError with a
    problem for each line that is wrong, at the path ("kernel", "truth"), the line and column in its message.
    ``used`` names the inputs that are read.
    """

    def __init__(self, text: str, arrays: Mapping[str, ArraySpec]) -> None:
        self.used: set[str] = set()
        self._arrays = arrays
        self._outputs = {name: spec for name, spec in arrays.items() if spec.data is None}
        self._equations: list[_Bound] = []
        if len(text) > MAX_TEXT:
            message = f"the truth has {len(text)} characters and {MAX_TEXT} are allowed: use ranges, sum(k, 0:8, …)"
            raise InvalidError([Problem("truth-too-long", message, _PATH)])
        raise_if_any(check_size(arrays))
        problems: list[Problem] = []
        budget = Budget()
        for number, line in enumerate(text.split("\n"), 1):
            code = line.split("#", 1)[0]
            if code.strip() and len(problems) < MAX_PROBLEMS:
                try:
                    self._equations.append(self._bind(number, parse_equation(code), budget))
                except TruthError as error:
                    problems.append(_problem(error, number))
        if not problems:
            problems = self._uncovered()
        if problems:
            raise InvalidError(problems)

    def __call__(self, inputs: Mapping[str, Value]) -> dict[str, Value]:
        """Outputs by name, ``(launches, *shape)``, from inputs of such shapes; dtypes as the arrays say.

        Raises InvalidError where a live index is outside, a live divisor zero, or a float not finite.
        """
        launches = next(iter(inputs.values())).shape[0] if inputs else 1
        words = {name: array.reshape(launches, -1).T for name, array in inputs.items()}
        results: dict[str, Value] = {
            name: np.empty((*spec.shape, launches), spec.dtype) for name, spec in self._outputs.items()
        }
        with np.errstate(all="ignore"):
            for equation in self._equations:
                step = max(1, _SLICE_WORK // equation.widest)
                for first in range(0, launches, step):
                    part = slice(first, min(first + step, launches))
                    # Contiguous rows of launches make a read a copy of one row for each word.
                    data = {name: np.ascontiguousarray(array[:, part]) for name, array in words.items()}
                    equation.store(data, part, results[equation.array])
        return {name: np.ascontiguousarray(np.moveaxis(array, -1, 0)) for name, array in results.items()}

    def _bind(self, line: int, equation: Equation, budget: Budget) -> _Bound:
        name = equation.array
        spec = self._outputs.get(name)
        if spec is None:
            if name in self._arrays:
                message = f"{name} is an input, since it has data; the left side is an output"
            else:
                hint = nearest(name[:32], self._outputs)
                message = f"there is no output '{name[:32]}'; outputs are: {', '.join(self._outputs) or 'none'}"
                message += f"; did you mean '{hint}'?" if hint else ""
            raise TruthError("truth-name", message, 1)
        if len(equation.places) != len(spec.shape):
            raise TruthError(
                "truth-index",
                f"{name} has shape {spec.shape}, so it takes {len(spec.shape)} indices, not {len(equation.places)}",
                1,
            )
        lengths: dict[str, int] = {}
        region: list[int | slice] = []
        for place, length in zip(equation.places, spec.shape, strict=True):
            if isinstance(place, int):
                if place >= length:
                    raise TruthError("truth-index", f"{name} has shape {spec.shape}: {place} is outside", 1)
                region.append(place)
                continue
            if place in self._arrays:
                raise TruthError("truth-name", f"{place} is an array: name the index otherwise", 1)
            if place in lengths:
                raise TruthError("truth-name", f"the index {place} stands twice on the left: use two names", 1)
            lengths[place] = length
            region.append(slice(None))
        size = prod(lengths.values())
        budget.passes(size, 1)
        scope = Scope(self._arrays, spec.dtype == "float32", size, budget, reads=self.used)
        for axis, (place, length) in enumerate(lengths.items()):
            form = [1] * (len(lengths) + 1)
            form[axis] = length
            scope.indices[place] = np.arange(length, dtype=np.int32).reshape(form)
        before = budget.work
        real = equation.expression.bind(scope)
        if real and not scope.real:
            raise TruthError("truth-type", f"{name} is int32 and its equation gives a float", 1)
        return _Bound(line, equation, tuple(lengths.values()), tuple(region), max(size, budget.work - before))

    def _uncovered(self) -> list[Problem]:
        problems = []
        for name, spec in self._outputs.items():
            times = np.zeros(spec.shape, np.uint16)
            for equation in self._equations:
                if equation.array == name:
                    times[equation.region] += 1
            wrong = np.argwhere(times != 1)
            if len(wrong):
                index = ",".join(map(str, wrong[0]))
                count = times[tuple(wrong[0])]
                found = "no equation" if count == 0 else f"{count} equations"
                message = f"{name}[{index}] has {found}: every word of an output needs exactly one"
                if count == 0:
                    names = ",".join("ijkl"[: len(spec.shape)])
                    message += f"; write {name}[{names}] = … for all of them"
                problems.append(Problem("truth-coverage", message, _PATH))
        return problems


class _Bound:
    """An equation bound to its arrays. ``widest`` is at least the values of any of its parts in one launch."""

    def __init__(
        self,
        line: int,
        equation: Equation,
        lengths: tuple[int, ...],
        region: tuple[int | slice, ...],
        widest: int,
    ) -> None:
        self.line = line
        self.array = equation.array
        self.expression = equation.expression
        self.lengths = lengths
        self.region = region
        self.widest = widest

    def store(self, data: Mapping[str, Value], part: slice, result: NDArray[Any]) -> None:
        """Evaluate for the launches in ``data`` and write them to ``part`` of the result's last axis."""
        try:
            value = self.expression.value(data, None).astype(result.dtype, copy=False)
            if result.dtype == np.float32 and not np.isfinite(value).all():
                raise TruthError(
                    "truth-not-finite",
                    "a result is infinite or not a number: keep exp's argument below 88, and the data small",
                    1,
                )
        except TruthError as error:
            raise InvalidError([_problem(error, self.line)]) from None
        result[(*self.region, ..., part)] = value


def _problem(error: TruthError, line: int) -> Problem:
    return Problem(error.code, f"equation on line {line}, column {error.column}: {error.message}", _PATH)


__all__ = ["CHUNK", "MAX_TEXT", "Truth"]
