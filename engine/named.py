"""Kernels that a level can name instead of writing equations, as plain numpy over all launches at once.

A named kernel takes inputs by name, each ``(launches, *shape)``, and gives outputs in the same form. int32 wraps;
float32 sums are taken in ascending order, every operation rounded once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import Problem, nearest

if TYPE_CHECKING:
    from engine.model import ArraySpec

Array = NDArray[Any]
Shape = tuple[int, ...]

_PATH = ("kernel", "named")


@dataclass(frozen=True, slots=True)
class NamedKernel:
    """A kernel with the formula in ``function``'s docstring.

    ``inputs`` gives each input's name and number of dimensions; the output is always ``out``. ``shape`` gives
    the output's shape from the inputs' (in the order of ``inputs``), or a sentence on what does not fit.
    """

    function: Callable[[Mapping[str, Array]], dict[str, Array]]
    inputs: dict[str, int]
    shape: Callable[..., Shape | str]

    def check(self, name: str, arrays: Mapping[str, ArraySpec]) -> list[Problem]:
        """Problems with the level's arrays, if they are not those of this kernel called ``name``."""
        formula = (self.function.__doc__ or "").split("\n")[0]
        wanted = f"{name} is {formula} Its inputs are {' and '.join(self.inputs)}, its output is out"
        given = {array for array, spec in arrays.items() if spec.data is not None}
        if given != set(self.inputs) or set(arrays) - given != {"out"}:
            found = ", ".join(f"{a} ({'input' if a in given else 'output'})" for a in arrays)
            return [Problem("named-arrays", f"{wanted}; found: {found}", ("kernel", "arrays"))]
        if len({spec.dtype for spec in arrays.values()}) > 1:
            message = f"{wanted}; they must all be int32 or all float32"
            return [Problem("named-dtype", message, ("kernel", "arrays"))]
        for array, rank in self.inputs.items():
            if len(arrays[array].shape) != rank:
                message = f"{wanted}; {array} has shape {arrays[array].shape} and needs {rank} dimensions"
                return [Problem("named-shape", message, ("kernel", "arrays", array, "shape"))]
        shape = self.shape(*(tuple(arrays[array].shape) for array in self.inputs))
        if isinstance(shape, str):
            return [Problem("named-shape", f"{wanted}; {shape}", ("kernel", "arrays"))]
        if list(shape) != arrays["out"].shape:
            message = f"{wanted}; out has shape {arrays['out'].shape} and should have {list(shape)}"
            return [Problem("named-shape", message, ("kernel", "arrays", "out", "shape"))]
        return []


def find(name: str, arrays: Mapping[str, ArraySpec]) -> tuple[NamedKernel | None, list[Problem]]:
    """The kernel called ``name``, and what is wrong with the name or the arrays."""
    kernel = NAMED.get(name)
    if kernel is None:
        hint = nearest(name, NAMED)
        message = f"there is no kernel '{name}'; known are: {', '.join(NAMED)}"
        return None, [Problem("named-unknown", message + (f"; did you mean '{hint}'?" if hint else ""), _PATH)]
    return kernel, kernel.check(name, arrays)


def matmul(inputs: Mapping[str, Array]) -> dict[str, Array]:
    """out[i,j] = sum over k of a[i,k] * b[k,j]."""
    return {"out": _sum(inputs["a"][:, :, :, None] * inputs["b"][:, None, :, :], axis=2)}


def dot(inputs: Mapping[str, Array]) -> dict[str, Array]:
    """out[0] = sum over i of a[i] * b[i]."""
    return {"out": _sum(inputs["a"] * inputs["b"], axis=1)[:, None]}


def convolution(inputs: Mapping[str, Array]) -> dict[str, Array]:
    """out[i] = sum over j of a[i+j] * b[j], with a zero past its end (a correlation)."""
    a, b = inputs["a"], inputs["b"]
    padded = np.pad(a, ((0, 0), (0, b.shape[1] - 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, b.shape[1], axis=1)
    return {"out": _sum(windows * b[:, None, :], axis=2)}


def pooling(inputs: Mapping[str, Array]) -> dict[str, Array]:
    """out[i] = a[i] + a[i-1] + a[i-2], with a zero before its start."""
    padded = np.pad(inputs["a"], ((0, 0), (2, 0)))
    return {"out": padded[:, 2:] + padded[:, 1:-1] + padded[:, :-2]}


def prefix_sum(inputs: Mapping[str, Array]) -> dict[str, Array]:
    """out[i] = sum of a[0] … a[i], inclusive."""
    return {"out": np.add.accumulate(inputs["a"], axis=1, dtype=inputs["a"].dtype)}


def axis_sum(inputs: Mapping[str, Array]) -> dict[str, Array]:
    """out[i,0] = sum over j of a[i,j]."""
    return {"out": _sum(inputs["a"], axis=2)[:, :, None]}


def _sum(terms: Array, axis: int) -> Array:
    """Sum in ascending order: numpy's own sum of floats adds in pairs, in an order that depends on the size."""
    return np.asarray(np.add.accumulate(terms, axis=axis, dtype=terms.dtype).take(-1, axis=axis))


def _matmul_shape(a: Shape, b: Shape) -> Shape | str:
    if a[1] != b[0]:
        return f"a has {a[1]} columns and b has {b[0]} rows: they must be equal"
    return a[0], b[1]


def _dot_shape(a: Shape, b: Shape) -> Shape | str:
    return (1,) if a == b else f"a has {a[0]} words and b has {b[0]}: they must be equal"


NAMED: dict[str, NamedKernel] = {
    "matmul": NamedKernel(matmul, {"a": 2, "b": 2}, _matmul_shape),
    "dot": NamedKernel(dot, {"a": 1, "b": 1}, _dot_shape),
    "convolution": NamedKernel(convolution, {"a": 1, "b": 1}, lambda a, b: a),
    "pooling": NamedKernel(pooling, {"a": 1}, lambda a: a),
    "prefix-sum": NamedKernel(prefix_sum, {"a": 1}, lambda a: a),
    "axis-sum": NamedKernel(axis_sum, {"a": 2}, lambda a: (a[0], 1)),
}
"""Named kernels by the word that a level writes in ``kernel: {named: …}``."""
