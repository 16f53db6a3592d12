"""Arithmetic on 32-bit words: whole numbers that wrap, and float32 with every operation rounded once.

Words are signed 32-bit patterns. A float32 operation is done in double precision and rounded: for + − × ÷ of two
float32 the double result is near enough that the second rounding gives what a single one would (Figueroa 1995).
"""

from __future__ import annotations

import math
import operator
import struct
from collections.abc import Callable
from functools import partial
from typing import Any

Operation = Callable[..., int]
"""Words to a word; raises :class:`BadValue`."""

_INT_MIN = -(2**31)
_SIGN = 2**31
_MASK = 2**32 - 1
_TO_FLOAT = struct.Struct("<f")
_TO_INT = struct.Struct("<i")


class BadValue(Exception):
    """There is no result: ``code`` is divide-by-zero (the fault of input ``port``) or not-finite (``got``)."""

    def __init__(self, code: str, port: int = -1, got: int = 0) -> None:
        super().__init__(code)
        self.code, self.port, self.got = code, port, got


def wrap(value: int) -> int:
    """The low 32 bits as a signed number."""
    return ((value + _SIGN) & _MASK) - _SIGN


def as_float(word: int) -> float:
    """The float32 with this pattern."""
    value: float = _TO_FLOAT.unpack(_TO_INT.pack(word))[0]
    return value


_NAN = 0x7FC00000


def as_word(value: float) -> int:
    """The pattern of ``value`` rounded to float32, to nearest even; infinite where it is too large."""
    try:
        packed = _TO_FLOAT.pack(value)
    except OverflowError:
        packed = _TO_FLOAT.pack(math.copysign(math.inf, value))
    word: int = _TO_INT.unpack(packed)[0]
    return word


def _rounded(value: float) -> float:
    return as_float(as_word(value))


def finite_word(word: int) -> int:
    """The float32 ``word``, which must be finite."""
    if word & 0x7F800000 == 0x7F800000:
        # Which NaN an operation gives differs from one processor to the next.
        raise BadValue("not-finite", got=_NAN if word & 0x007FFFFF else word)
    return word


def _finite(value: float) -> int:
    return finite_word(as_word(value))


# --- operations on whole numbers ----------------------------------------------------------------------------


def _divide(a: int, b: int) -> int:
    if b == 0:
        raise BadValue("divide-by-zero", 1)
    return wrap(a // b)


def _modulo(a: int, b: int) -> int:
    if b == 0:
        raise BadValue("divide-by-zero", 1)
    return a % b


_RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "lt": operator.lt,
    "le": operator.le,
    "eq": operator.eq,
    "ne": operator.ne,
    "ge": operator.ge,
    "gt": operator.gt,
}

_ON_INTS: dict[str, Operation] = {
    "add": lambda a, b: wrap(a + b),
    "sub": lambda a, b: wrap(a - b),
    "mul": lambda a, b: wrap(a * b),
    "mul.serial": lambda a, b: wrap(a * b),
    "mac": lambda a, b, c: wrap(a * b + c),
    "div": _divide,
    "mod": _modulo,
    "min": lambda a, b: a if a <= b else b,
    "max": lambda a, b: a if a >= b else b,
    "abs": lambda a: wrap(abs(a)),
    "neg": lambda a: wrap(-a),
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    "shl": lambda a, b: wrap(a << (b & 31)),
    "shr": lambda a, b: a >> (b & 31),
    "select": lambda cond, a, b: a if cond else b,
}


# --- operations on float32 ----------------------------------------------------------------------------------


def _divide_floats(a: int, b: int) -> int:
    divisor = as_float(b)
    if divisor == 0.0:
        raise BadValue("divide-by-zero", 1)
    return _finite(as_float(a) / divisor)


def _multiply_add(a: int, b: int, c: int) -> int:
    product = _finite(as_float(a) * as_float(b))
    return _finite(as_float(product) + as_float(c))


_LOG2_E = _rounded(1.44269504)
_LN2_HIGH = _rounded(0.693359375)
_LN2_LOW = _rounded(-2.12194440e-4)
_TAYLOR = tuple(_rounded(x) for x in (1 / 120, 1 / 24, 1 / 6, 0.5, 1.0, 1.0))
_TAYLOR_FIRST = _rounded(1 / 720)


def _exponential(a: int) -> int:
    """See "Floats" in docs/model.md: the argument is reduced by n · ln 2, the rest by a polynomial."""
    x = as_float(a)
    scaled = _rounded(_rounded(x * _LOG2_E) + 0.5)
    if math.isnan(scaled) or scaled >= 128.0:
        return _finite(scaled * math.inf)
    if scaled < -126.0:
        return 0
    n = math.floor(scaled)
    rest = _rounded(_rounded(x - _rounded(n * _LN2_HIGH)) - _rounded(n * _LN2_LOW))
    p = _TAYLOR_FIRST
    for coefficient in _TAYLOR:
        p = _rounded(_rounded(p * rest) + coefficient)
    return _finite(math.ldexp(p, n))


_ON_FLOATS: dict[str, Operation] = _ON_INTS | {
    "add": lambda a, b: _finite(as_float(a) + as_float(b)),
    "sub": lambda a, b: _finite(as_float(a) - as_float(b)),
    "mul": lambda a, b: _finite(as_float(a) * as_float(b)),
    "mul.serial": lambda a, b: _finite(as_float(a) * as_float(b)),
    "mac": _multiply_add,
    "div": _divide_floats,
    "min": lambda a, b: finite_word(a if as_float(a) <= as_float(b) else b),
    "max": lambda a, b: finite_word(a if as_float(a) >= as_float(b) else b),
    "abs": lambda a: finite_word(a & 0x7FFFFFFF),
    "neg": lambda a: finite_word(a ^ _INT_MIN),
    "exp": _exponential,
}

ARITHMETIC = frozenset(_ON_FLOATS) | {"compare"}
"""Kinds that make one word of one word per input."""


def _compare(relation: Callable[[Any, Any], bool], a: int, b: int) -> int:
    return int(relation(a, b))


def _compare_floats(relation: Callable[[Any, Any], bool], a: int, b: int) -> int:
    return int(relation(as_float(a), as_float(b)))


def operation(kind: str, is_float: bool, relation: str = "") -> Operation:
    """What a core of ``kind`` makes of its words; ``relation`` is the setting ``op`` of compare."""
    if kind == "compare":
        return partial(_compare_floats if is_float else _compare, _RELATIONS[relation])
    return (_ON_FLOATS if is_float else _ON_INTS)[kind]


def matches(expected: int, got: int, is_float: bool, tolerance: float) -> bool:
    """Whether a word is right: bit for bit, floats within ``tolerance`` × max(1, abs(expected))."""
    if not is_float:
        return expected == got
    right = as_float(expected)
    return abs(as_float(got) - right) <= tolerance * max(1.0, abs(right))
