"""The nodes of an equation: what each one means.

A tree is first bound to the arrays and indices of its equation (names, types, ranges, amount of work; no data
is needed), then evaluated for many launches at once. All values are arrays of int32 or float32 whose *last*
axis is the launch (length 1 where the value does not depend on it); before it come the indices on the
equation's left side, and before these the ranges that enclose the node, the innermost first. So a value of
an outer range stands for all values of an inner one by numpy's broadcasting, and one range is one leading axis.

``live`` is a mask of the same form, or None for "everywhere": where it is false the value will be thrown away, and
nothing that happens there is an error.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.errors import nearest
from engine.expr_scope import Scope, TruthError, Value

Mask = NDArray[np.bool_] | None
Data = Mapping[str, Value]
"""Input arrays by name, each (words, launches)."""

INT_MIN, INT_MAX = -(2**31), 2**31 - 1


@dataclass
class Node:
    """A part of an expression. ``column`` is where it stands in its line, ``depth`` how deep it nests."""

    column: int
    depth: int

    def bind(self, scope: Scope) -> bool:
        """Resolve names and ranges and count the work; True if the value is float32, False if int32."""
        raise NotImplementedError

    def value(self, data: Data, live: Mask) -> Value:
        """The value for all launches of ``data``."""
        raise NotImplementedError


@dataclass
class Number(Node):
    number: int | float

    def bind(self, scope: Scope) -> bool:
        return isinstance(self.number, float)

    def value(self, data: Data, live: Mask) -> Value:
        return np.array([self.number], dtype=np.float32 if isinstance(self.number, float) else np.int32)


@dataclass
class Index(Node):
    name: str
    values: Value = field(init=False, repr=False)

    def bind(self, scope: Scope) -> bool:
        if self.name not in scope.indices:
            raise scope.unknown(self.name, self.column)
        self.values = scope.indices[self.name]
        return False

    def value(self, data: Data, live: Mask) -> Value:
        return self.values


@dataclass
class Read(Node):
    """A word of an input array."""

    array: str
    places: tuple[Node, ...]
    shape: tuple[int, ...] = field(init=False)
    indices: dict[str, Value] = field(init=False, repr=False)

    def bind(self, scope: Scope) -> bool:
        spec = scope.arrays.get(self.array)
        inputs = [name for name, array in scope.arrays.items() if array.data is not None]
        if spec is None:
            hint = nearest(self.array, inputs)
            raise TruthError(
                "truth-name",
                f"there is no array '{self.array[:32]}'; inputs are: {', '.join(inputs) or 'none'}"
                + (f"; did you mean '{hint}'?" if hint else ""),
                self.column,
            )
        if spec.data is None:
            raise TruthError(
                "truth-name",
                f"{self.array} is an output and only inputs can be read; if it is an input, give it data: "
                "{kind: distinct}",
                self.column,
            )
        if scope.in_bounds:
            raise TruthError(
                "truth-bounds",
                f"a range's ends cannot depend on data ({self.array}): use indices and numbers, and choose with "
                "… if … else 0 inside",
                self.column,
            )
        if len(self.places) != len(spec.shape):
            raise TruthError(
                "truth-index",
                f"{self.array} has shape {spec.shape}, so it takes {len(spec.shape)} indices, not {len(self.places)}",
                self.column,
            )
        for place in self.places:
            if place.bind(scope):
                raise TruthError("truth-type", f"an index of {self.array} is a whole number, not a float", place.column)
        self.shape, self.indices = tuple(spec.shape), dict(scope.indices)
        scope.reads.add(self.array)
        scope.budget.operation(scope.size * (1 + len(self.places)), self.column)
        return spec.dtype == "float32"

    def value(self, data: Data, live: Mask) -> Value:
        words = data[self.array]
        places = [place.value(data, live) for place in self.places]
        flat = np.zeros(1, np.int32)
        for place, length in zip(places, self.shape, strict=True):
            outside = (place < 0) | (place >= length)
            if outside.any():
                wrong = outside if live is None else outside & live
                if wrong.any():
                    raise self._outside(places, wrong)
                place = np.clip(place, 0, length - 1)
            flat = flat * np.int32(length) + place
        if flat.shape[-1] == 1:
            return words.take(flat[..., 0], axis=0)
        return words[flat, np.arange(words.shape[1])]

    def _outside(self, places: list[Value], wrong: NDArray[np.bool_]) -> TruthError:
        where = np.unravel_index(int(wrong.argmax()), wrong.shape)
        index = ", ".join(str(_pick(place, where)) for place in places)
        # An index along whose axis nothing varies has no part in it.
        names = ", ".join(
            f"{name} = {_pick(values, where)}"
            for name, values in self.indices.items()
            if values.ndim <= wrong.ndim and wrong.shape[-values.ndim] == len(values)
        )
        return TruthError(
            "truth-index",
            f"{self.array}[{index}] is outside shape {list(self.shape)}"
            + (f" (where {names})" if names else "")
            + f": choose with {self.array}[…] if … else 0",
            self.column,
        )


@dataclass
class Prefix(Node):
    """``-x`` or ``not x``."""

    operator: str
    operand: Node

    def bind(self, scope: Scope) -> bool:
        real = self.operand.bind(scope)
        scope.budget.operation(scope.size, self.column)
        return real and self.operator == "-"

    def value(self, data: Data, live: Mask) -> Value:
        operand = self.operand.value(data, live)
        return -operand if self.operator == "-" else (operand == 0).astype(np.int32)


_WHOLE_ONLY = {"//": "/", "%": None, "&": "and", "|": "or", "^": None, "<<": None, ">>": None}
"""Operators of integers, and what does a similar thing for floats."""

_OPERATIONS: dict[str, Callable[[Value, Value], Value]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.true_divide,
    "//": np.floor_divide,
    "%": np.remainder,
    "&": np.bitwise_and,
    "|": np.bitwise_or,
    "^": np.bitwise_xor,
    # Shifted as unsigned words: what leaves at the top is lost, also where C says nothing about the sign.
    "<<": lambda a, b: (a.view(np.uint32) << (b & 31).view(np.uint32)).view(np.int32),
    ">>": lambda a, b: a >> (b & 31),
    "<": np.less,
    "<=": np.less_equal,
    "==": np.equal,
    "!=": np.not_equal,
    ">=": np.greater_equal,
    ">": np.greater,
    "max": np.maximum,
    "min": np.minimum,
}


@dataclass
class Chain(Node):
    """Operators of one rank, from left to right: one node however long, so that long sums do not nest."""

    first: Node
    rest: tuple[tuple[str, Node], ...]

    def bind(self, scope: Scope) -> bool:
        real = self.first.bind(scope)
        for operator, node in self.rest:
            real |= node.bind(scope)
            if operator in _WHOLE_ONLY and real:
                instead = _WHOLE_ONLY[operator]
                raise TruthError(
                    "truth-operator",
                    f"'{operator}' is for whole numbers, and one side of it is a float"
                    + (f"; write '{instead}'" if instead else ""),
                    node.column,
                )
            if operator == "/":
                if not (real or scope.real):
                    raise TruthError(
                        "truth-operator", "'/' is for floats; whole numbers divide by '//' (floor)", node.column
                    )
                real = True
        scope.budget.operation(scope.size * len(self.rest), self.column)
        return real

    def value(self, data: Data, live: Mask) -> Value:
        result = self.first.value(data, live)
        for operator, node in self.rest:
            other = node.value(data, live)
            if operator in ("/", "//", "%"):
                zero = other == 0
                if (zero if live is None else zero & live).any():
                    raise TruthError(
                        "truth-zero",
                        f"'{operator}' divides by zero: choose with … if … else 0, or keep 0 out of the data",
                        node.column,
                    )
            if operator == "/":
                result, other = result.astype(np.float32), other.astype(np.float32)
            result = _OPERATIONS[operator](*_alike(result, other))
        return result


@dataclass
class Compare(Node):
    """``a < b <= c``: 1 where every step holds, else 0."""

    first: Node
    rest: tuple[tuple[str, Node], ...]

    def bind(self, scope: Scope) -> bool:
        self.first.bind(scope)
        for _, node in self.rest:
            node.bind(scope)
        scope.budget.operation(scope.size * len(self.rest), self.column)
        return False

    def value(self, data: Data, live: Mask) -> Value:
        left = self.first.value(data, live)
        result: Mask = None
        for operator, node in self.rest:
            right = node.value(data, live)
            result = both(result, _OPERATIONS[operator](*_alike(left, right)))
            left = right
        assert result is not None
        return result.astype(np.int32)


@dataclass
class Logic(Node):
    """``and`` or ``or`` of terms: 1 or 0. A term that the ones before it decide is not live."""

    operator: str
    terms: tuple[Node, ...]

    def bind(self, scope: Scope) -> bool:
        for term in self.terms:
            term.bind(scope)
        scope.budget.operation(scope.size * len(self.terms), self.column)
        return False

    def value(self, data: Data, live: Mask) -> Value:
        undecided: Mask = None
        for term in self.terms:
            truth = term.value(data, both(live, undecided)) != 0
            undecided = both(undecided, truth if self.operator == "and" else ~truth)
        assert undecided is not None
        return (undecided if self.operator == "and" else ~undecided).astype(np.int32)


@dataclass
class Choice(Node):
    """``then if test else other``; each arm is live only where it is chosen."""

    then: Node
    test: Node
    other: Node

    def bind(self, scope: Scope) -> bool:
        self.test.bind(scope)
        then, other = self.then.bind(scope), self.other.bind(scope)
        scope.budget.operation(scope.size, self.column)
        return then or other

    def value(self, data: Data, live: Mask) -> Value:
        chosen = self.test.value(data, live) != 0
        then, other = _alike(self.then.value(data, both(live, chosen)), self.other.value(data, both(live, ~chosen)))
        return np.where(chosen, then, other)


@dataclass
class Call(Node):
    """``max(a, b, …)``, ``min(a, b, …)``, ``abs(a)``, ``exp(a)``."""

    function: str
    arguments: tuple[Node, ...]

    def bind(self, scope: Scope) -> bool:
        kinds = [argument.bind(scope) for argument in self.arguments]
        if self.function == "exp" and not (kinds[0] or scope.real):
            raise TruthError("truth-type", "exp is for float32 kernels", self.column)
        # exp is about twenty operations of numpy.
        scope.budget.operation(scope.size * (20 if self.function == "exp" else len(kinds)), self.column)
        return any(kinds) or self.function == "exp"

    def value(self, data: Data, live: Mask) -> Value:
        values = [argument.value(data, live) for argument in self.arguments]
        result = values[0]
        if self.function == "exp":
            return exp(result)
        if self.function == "abs":
            return np.abs(result)
        for other in values[1:]:
            result = _OPERATIONS[self.function](*_alike(result, other))
        return result


@dataclass
class Range(Node):
    """``sum(k, low:high, body)``, and prod, max, min: over low <= k < high, in ascending order of k."""

    function: str
    name: str
    low: Node
    high: Node
    body: Node
    values: Value = field(init=False, repr=False)
    inside: Mask = field(init=False, repr=False)
    real: bool = field(init=False)

    def bind(self, scope: Scope) -> bool:
        if self.name in scope.arrays or self.name in scope.indices:
            what = "an array" if self.name in scope.arrays else "an index in use"
            raise TruthError(
                "truth-name", f"the range's name {self.name[:32]} is {what} already: choose another", self.column
            )
        bounds = Scope(scope.arrays, False, scope.size, scope.budget, scope.indices, scope.reads, in_bounds=True)
        for node in (self.low, self.high):
            if node.bind(bounds):
                raise TruthError("truth-bounds", "a range's ends are whole numbers, not floats", node.column)
        low, high = self.low.value({}, None), self.high.value({}, None)
        # A range inside an empty one has no ends to look at, and is empty itself.
        first, past = (int(low.min()), int(high.max())) if scope.size else (0, 0)
        length = max(past - first, 0)
        scope.budget.passes(scope.size * length, self.column)
        rank = next(iter(scope.indices.values())).ndim if scope.indices else 1
        self.values = np.arange(first, first + length, dtype=np.int32).reshape(length, *(1,) * rank)
        self.inside = None
        if length and (low.min() != low.max() or high.min() != high.max()):
            self.inside = (self.values >= low) & (self.values < high)
        inner = Scope(
            scope.arrays,
            scope.real,
            scope.size * length,
            scope.budget,
            {self.name: self.values, **scope.indices},
            scope.reads,
            scope.in_bounds,
        )
        self.real = self.body.bind(inner)
        scope.budget.operation(inner.size, self.column)
        return self.real

    def value(self, data: Data, live: Mask) -> Value:
        if self.function in ("max", "min"):
            filled = np.array(self.values.size > 0) if self.inside is None else self.inside.any(axis=0)
            if (~filled if live is None else ~filled & live).any():
                message = f"{self.function} over an empty range has no value: it needs low < high"
                raise TruthError("truth-range", message, self.column)
        neutral = self._neutral()
        if self.values.size == 0:
            return np.array([neutral])
        body = self.body.value(data, both(live, self.inside))
        if self.inside is not None:
            body = np.where(self.inside, body, neutral)
        body = np.broadcast_to(body, np.broadcast_shapes(body.shape, self.values.shape))
        if self.function in ("max", "min"):
            reduce = np.maximum.reduce if self.function == "max" else np.minimum.reduce
            return np.asarray(reduce(body, axis=0))
        operation = np.add if self.function == "sum" else np.multiply
        if body.dtype == np.int32:
            return np.asarray(operation.reduce(body, axis=0, dtype=np.int32))
        # accumulate adds one by one in order; reduce is free to add in pairs.
        return np.asarray(operation.accumulate(body, axis=0)[-1])

    def _neutral(self) -> np.int32 | np.float32:
        """What changes nothing when it is added, multiplied or compared."""
        if self.function in ("sum", "prod"):
            number = 0 if self.function == "sum" else 1
            return np.float32(number) if self.real else np.int32(number)
        if self.real:
            return np.float32(-math.inf if self.function == "max" else math.inf)
        return np.int32(INT_MIN if self.function == "max" else INT_MAX)


def both(a: Mask, b: Mask) -> Mask:
    """Where both masks are true."""
    if a is None or b is None:
        return b if a is None else a
    return a & b


def exp(x: Value) -> Value:
    """e to the power of x as float32, rounded once from a double precision result with an error below 1e-13.

    Cody and Waite: x = n ln 2 + r, then Taylor's polynomial of e^r to r^13 by Horner's rule. Written out, since
    the last bit of numpy's and the C library's exp depends on the machine.
    """
    x = np.clip(x.astype(np.float64), -200.0, 200.0)
    n = np.rint(x * 1.4426950408889634)
    r = (x - n * 0.6931471803691238) - n * 1.9082149292705877e-10
    p = np.full_like(r, 1 / math.factorial(13))
    for k in range(12, -1, -1):
        p = p * r + 1 / math.factorial(k)
    return np.ldexp(p, np.nan_to_num(n).astype(np.int32)).astype(np.float32)


def _alike(a: Value, b: Value) -> tuple[Value, Value]:
    """Both as float32 if one of them is: numpy alone would widen int32 with float32 to double."""
    if a.dtype == b.dtype:
        return a, b
    return a.astype(np.float32), b.astype(np.float32)


def _pick(values: Value, where: tuple[np.intp, ...]) -> int:
    """The element that stands at ``where`` of a larger array when ``values`` is broadcast to it."""
    own = where[len(where) - values.ndim :]
    return int(values[tuple(min(at, length - 1) for at, length in zip(own, values.shape, strict=True))])
