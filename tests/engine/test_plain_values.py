"""Arithmetic of the plain engine against numpy's int32 and float32."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
import pytest

from engine.plain.values import BadValue, as_word, matches, operation
from tests.engine.netlists import bits

EDGES = [0, 1, -1, 2, -2, 3, 7, -7, 31, 32, 33, 100, 2**31 - 1, -(2**31), 2**30, -(2**30) - 1, 12345, -98765]
PAIRS = [(a, b) for a in EDGES for b in EDGES]


def int32(value: object) -> int:
    return int(np.int64(value).astype(np.int32))  # type: ignore[call-overload]


INTS: dict[str, Callable[[np.int64, np.int64], object]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: np.int32(a) * np.int32(b),
    "min": min,
    "max": max,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "shl": lambda a, b: np.left_shift(np.int32(a), np.int32(b % 32)),
    "shr": lambda a, b: np.right_shift(np.int32(a), np.int32(b % 32)),
    "div": lambda a, b: a // b,
    "mod": lambda a, b: a % b,
}


@pytest.mark.parametrize("kind", INTS)
def test_whole_numbers(kind: str) -> None:
    made = operation(kind, False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        for a, b in PAIRS:
            if kind in ("div", "mod") and b == 0:
                with pytest.raises(BadValue) as bad:
                    made(a, b)
                assert (bad.value.code, bad.value.port) == ("divide-by-zero", 1)
            else:
                assert made(a, b) == int32(INTS[kind](np.int64(a), np.int64(b))), (kind, a, b)


def test_whole_numbers_of_other_shapes() -> None:
    assert operation("abs", False)(-(2**31)) == -(2**31)
    assert operation("neg", False)(-(2**31)) == -(2**31)
    assert operation("mac", False)(2**31 - 1, 3, 5) == int32(3 * (2**31 - 1) + 5)
    assert operation("select", False)(-1, 5, 6) == 5
    assert operation("select", False)(0, 5, 6) == 6
    assert [operation("compare", False, op)(2, 3) for op in ("lt", "le", "eq", "ne", "ge", "gt")] == [1, 1, 0, 1, 0, 0]


def drawn(count: int) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    """Finite float32 of all magnitudes, subnormal ones among them."""
    rng = np.random.default_rng(5)
    words = rng.integers(0, 2**32, 2 * count, dtype=np.uint32).view(np.float32)
    return words[np.isfinite(words)][:count]


FLOATS: dict[str, Callable[[np.float32, np.float32], np.float32]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "min": lambda a, b: a if a <= b else b,
    "max": lambda a, b: a if a >= b else b,
}


@pytest.mark.parametrize("kind", FLOATS)
@pytest.mark.parametrize("near", [False, True])
def test_floats_are_rounded_once(kind: str, near: bool) -> None:
    """Of any magnitudes, and of near ones, where the last bits matter."""
    made = operation(kind, True)
    a, b = drawn(1000), drawn(2000)[1000:]
    if near:
        a, b = (np.ldexp(np.frexp(x)[0], 3).astype(np.float32) for x in (a, b))
    with np.errstate(all="ignore"):
        for x, y in zip(a, b, strict=True):
            right = FLOATS[kind](x, y)
            words = int(x.view(np.int32)), int(y.view(np.int32))
            if np.isfinite(right):
                assert made(*words) == int(right.view(np.int32)), (kind, x, y)
            else:
                with pytest.raises(BadValue):
                    made(*words)


def test_subnormal_quotients_and_products() -> None:
    made = operation("div", True), operation("mul", True)
    small = np.arange(1, 2000, 7, dtype=np.int32).view(np.float32)
    for x in small:
        for y in (np.float32(1.7), np.float32(0.3), np.float32(3.0)):
            words = int(x.view(np.int32)), int(y.view(np.int32))
            assert made[0](*words) == int((x / y).view(np.int32))
            assert made[1](*words) == int((x * y).view(np.int32))


def test_mac_is_rounded_twice() -> None:
    a, b, c = np.float32(1 + 2**-12), np.float32(1 + 2**-12), np.float32(-1 - 2**-11)
    words = [int(x.view(np.int32)) for x in (a, b, c)]
    assert operation("mac", True)(*words) == int((a * b + c).view(np.int32)) == 0


def exponential(x: np.float32) -> np.float32:
    """The recipe of docs/model.md, in numpy."""
    f = np.float32
    n = np.floor(x * f(1.44269504) + f(0.5))
    r = (x - n * f(0.693359375)) - n * f(-2.12194440e-4)
    p = f(1 / 720)
    for c in (1 / 120, 1 / 24, 1 / 6, 0.5, 1, 1):
        p = p * r + f(c)
    return f(p * f(2.0) ** n)


def test_exp_follows_its_recipe() -> None:
    made = operation("exp", True)
    for x in np.linspace(-87.2, 88.3, 3001).astype(np.float32):
        assert made(int(x.view(np.int32))) == int(exponential(x).view(np.int32)), x
        assert abs(float(exponential(x)) / np.exp(np.float64(x)) - 1) < 4e-7
    assert made(bits(-200.0)) == 0
    assert made(bits(-3e38)) == 0
    assert made(bits(0.0)) == bits(1.0)
    for high in (89.0, 3e38):
        with pytest.raises(BadValue) as bad:
            made(bits(high))
        assert bad.value.got == as_word(float("inf"))


def test_what_is_not_finite_never_leaves() -> None:
    """An integer that comes to a float core may be a NaN or an infinity; only the one NaN is ever named."""
    nan, infinity, one = -7, 0x7F800000, bits(1.0)
    for kind in ("add", "sub", "mul", "div"):
        for word, got in ((nan, 0x7FC00000), (infinity, infinity)):
            with pytest.raises(BadValue) as bad:
                operation(kind, True)(word, one)
            assert (bad.value.code, bad.value.port, bad.value.got) == ("not-finite", -1, got)
    for kind in ("abs", "exp", "neg"):
        for word, got in ((nan, 0x7FC00000), (infinity, infinity ^ (-(2**31) if kind == "neg" else 0))):
            with pytest.raises(BadValue) as bad:
                operation(kind, True)(word)
            assert (bad.value.code, bad.value.got) == ("not-finite", got)
    assert operation("min", True)(infinity, one) == one
    assert operation("min", True)(nan, one) == one  # a NaN is not less, so b is taken
    for kind in ("min", "max"):
        with pytest.raises(BadValue):
            operation(kind, True)(one, nan)
    assert operation("exp", True)(infinity ^ -(2**31)) == 0


def test_comparing_with_the_truth() -> None:
    assert matches(5, 5, False, 1.0)
    assert not matches(5, 6, False, 1.0)
    assert matches(bits(100.0), bits(100.5), True, 0.005)
    assert not matches(bits(100.0), bits(100.51), True, 0.005)
    assert matches(bits(0.01), bits(0.0), True, 0.01)  # below 1 the tolerance is absolute
    assert not matches(bits(1.0), 0x7FC00000, True, 1.0)
