"""Arithmetic on words for the tests: what each core computes, on signed 32-bit patterns, straight from the rules."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

Words = tuple[int, ...]


class Bad(Exception):
    """A fault; the argument is its code."""


def wrap(value: int) -> int:
    """``value`` as a signed 32-bit word."""
    return (value + 2**31) % 2**32 - 2**31


def bits(value: Any) -> int:
    """Bit pattern of a float32; raises Bad("not-finite")."""
    if not np.isfinite(value):
        raise Bad("not-finite")
    return int(np.float32(value).view(np.int32))


def real(word: int) -> np.float32:
    """The float32 with this bit pattern."""
    return np.int32(word).view(np.float32)


def exponential(word: int) -> int:
    """exp as docs/model.md writes it out, step by step in float32."""
    f = np.float32
    x = real(word)
    n = f(math.floor(f(x * f(1.44269504)) + f(0.5)))
    r = f(f(x - f(n * f(0.693359375))) - f(n * f(-2.12194440e-4)))
    p = f(1 / 720)
    for c in (1 / 120, 1 / 24, 1 / 6, 0.5, 1.0, 1.0):
        p = f(f(p * r) + f(c))
    if not n <= 127:
        raise Bad("not-finite")
    return bits(np.ldexp(p, int(n))) if n >= -126 else 0


def _divide(a: int, b: int) -> int:
    if b == 0:
        raise Bad("divide-by-zero")
    return wrap(a // b)


def _mod(a: int, b: int) -> int:
    if b == 0:
        raise Bad("divide-by-zero")
    return a % b


def _divide_real(a: np.float32, b: np.float32) -> Any:
    if b == 0:
        raise Bad("divide-by-zero")
    return a / b


_INT: dict[str, Callable[..., int]] = {
    "add": lambda a, b: wrap(a + b),
    "sub": lambda a, b: wrap(a - b),
    "mul": lambda a, b: wrap(a * b),
    "mul.serial": lambda a, b: wrap(a * b),
    "mac": lambda a, b, c: wrap(a * b + c),
    "div": _divide,
    "mod": _mod,
    "min": lambda a, b: a if a <= b else b,
    "max": lambda a, b: a if a >= b else b,
    "abs": lambda a: wrap(abs(a)),
    "neg": lambda a: wrap(-a),
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "shl": lambda a, b: wrap(a << b % 32),
    "shr": lambda a, b: a >> b % 32,
    "select": lambda c, a, b: a if c else b,
}
_REAL: dict[str, Callable[..., Any]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "mul.serial": lambda a, b: a * b,
    "mac": lambda a, b, c: np.float32(a * b) + c,
    "div": _divide_real,
    "min": lambda a, b: a if a <= b else b,
    "max": lambda a, b: a if a >= b else b,
    "abs": abs,
    "neg": lambda a: -a,
}
RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "ge": lambda a, b: a >= b,
    "gt": lambda a, b: a > b,
}


def compute(op: str, is_float: bool, words: Words) -> int:
    """One arithmetic operation on bit patterns; raises Bad."""
    with np.errstate(all="ignore"):
        if op == "exp":
            return exponential(words[0])
        if not is_float or op not in _REAL:
            return _INT[op](*words)
        return bits(_REAL[op](*map(real, words)))
