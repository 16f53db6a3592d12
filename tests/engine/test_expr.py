"""The expression language: campaign kernels against numpy, random expressions against Python, hostile text."""

from __future__ import annotations

import inspect
import struct
import sys
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.data import draw
from engine.errors import InvalidError
from engine.expr import MAX_TEXT, Truth
from engine.expr_parse import MAX_DEPTH, MAX_LENGTH
from engine.model import ArraySpec, DataSpec

Arrays = dict[str, ArraySpec]


def made(dtype: str = "int32", low: int = 1, high: int = 99, **shapes: list[int]) -> Arrays:
    """Arrays by name and shape: those of one lower-case letter are inputs, the others outputs (p and q as well)."""
    scale = 0.125 if dtype == "float32" else 1.0
    data = DataSpec(low=low, high=high, scale=scale)
    return {
        name: ArraySpec(shape=shape, dtype=dtype, data=data if len(name) == 1 and name not in "pq" else None)
        for name, shape in shapes.items()
    }


def drawn(arrays: Arrays, launches: int = 64, seed: int = 0) -> dict[str, np.ndarray]:
    return {n: draw(a, n, seed, range(launches)) for n, a in arrays.items() if a.data is not None}


def problems(text: str, arrays: Arrays | None = None) -> list[tuple[str, str]]:
    """Codes and messages of what is wrong with a truth, checked and evaluated for a few launches."""
    arrays = arrays or made(a=[8], b=[8], out=[8])
    try:
        Truth(text, arrays)(drawn(arrays, 3))
    except InvalidError as error:
        assert all(problem.path[0] == "kernel" for problem in error.problems)
        return [(problem.code, problem.message) for problem in error.problems]
    return []


# --- Campaign kernels against numpy -----------------------------------------------------------------------

D = dict[str, np.ndarray]


def shifted(a: np.ndarray, by: int) -> np.ndarray:
    """Words moved ``by`` places towards the end (or the start, if negative), with zeros moved in."""
    result = np.zeros_like(a)
    if by >= 0:
        result[:, by:] = a[:, : a.shape[1] - by]
    else:
        result[:, :by] = a[:, -by:]
    return result


def correlation(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return sum(shifted(a, -j) * b[:, j : j + 1] for j in range(b.shape[1]))  # type: ignore[return-value]


def mirrored(d: D) -> np.ndarray:
    return d["a"].reshape(64, 3, 4)[:, :, ::-1].reshape(64, 12)


CAMPAIGN: list[tuple[str, str, Arrays, Callable[[D], Any]]] = [
    # First light
    ("0-01", "out[t] = a[t]", made(a=[1], out=[1]), lambda d: d["a"]),
    ("0-02", "out[t] = a[t] + 10", made(a=[4], out=[4]), lambda d: d["a"] + 10),
    (
        "0-03",
        "p[t] = a[t]\nq[t] = b[t]",
        made(a=[4], b=[4], p=[4], q=[4]),
        lambda d: {"p": d["a"], "q": d["b"]},
    ),
    ("0-04", "out[t] = a[t] * 7", made(a=[8], out=[8]), lambda d: d["a"] * 7),
    (
        "0-05",
        "out[t] = max(3*a[t] - 20, 0) * 5 + a[t]",
        made(a=[8], out=[8]),
        lambda d: np.maximum(3 * d["a"] - 20, 0) * 5 + d["a"],
    ),
    ("0-06", "out[t] = (3*a[t] + 5) // 8", made(a=[8], out=[8]), lambda d: (3 * d["a"] + 5) >> 3),
    ("0-07", "out[t] = a[t]", made(a=[8], out=[8]), lambda d: d["a"]),
    ("0-08", "out[t] = 9 * a[t]", made(a=[4], out=[4]), lambda d: 9 * d["a"]),
    (
        "0-09",
        "out[t] = sum(s, 0:t+1, a[s])",
        made(a=[16], out=[16]),
        lambda d: np.cumsum(d["a"], axis=1),
    ),
    (
        "0-10",
        "out[0] = sum(t, 0:8, a[t]*b[t])",
        made(a=[8], b=[8], out=[1]),
        lambda d: (d["a"] * d["b"]).sum(axis=1, keepdims=True),
    ),
    # GPU puzzles
    ("1-01 map", "out[i] = a[i] + 10", made(a=[4], out=[4]), lambda d: d["a"] + 10),
    ("1-02 zip", "out[i] = a[i] + b[i]", made(a=[4], b=[4], out=[4]), lambda d: d["a"] + d["b"]),
    ("1-03 guards", "out[i] = a[i] + 10", made(a=[4], out=[4]), lambda d: d["a"] + 10),
    ("1-04 map 2D", "out[i,j] = a[i,j] + 10", made(a=[2, 3], out=[2, 3]), lambda d: d["a"] + 10),
    (
        "1-05 broadcast",
        "out[i,j] = a[i,0] + b[0,j]",
        made(a=[2, 1], b=[1, 3], out=[2, 3]),
        lambda d: d["a"] + d["b"],
    ),
    ("1-06 blocks", "out[i] = a[i] + 10", made(a=[9], out=[9]), lambda d: d["a"] + 10),
    ("1-07 blocks 2D", "out[i,j] = a[i,j] + 10", made(a=[5, 5], out=[5, 5]), lambda d: d["a"] + 10),
    ("1-08 shared", "out[i] = a[i] + 10", made(a=[8], out=[8]), lambda d: d["a"] + 10),
    (
        "1-08b mirror",
        "out[i] = a[4*(i//4) + 3 - i%4] + 10",
        made(a=[12], out=[12]),
        lambda d: mirrored(d) + 10,
    ),
    (
        "1-09 pooling",
        "out[i] = sum(t, 0:3, a[i-t] if i-t >= 0 else 0)",
        made(a=[8], out=[8]),
        lambda d: d["a"] + shifted(d["a"], 1) + shifted(d["a"], 2),
    ),
    (
        "1-09b pooling over blocks",
        "out[i] = sum(t, max(i-2, 0):i+1, a[t])",
        made(low=-99, a=[20], out=[20]),
        lambda d: d["a"] + shifted(d["a"], 1) + shifted(d["a"], 2),
    ),
    (
        "1-10 dot",
        "out[0] = sum(i, 0:8, a[i]*b[i])",
        made(a=[8], b=[8], out=[1]),
        lambda d: np.einsum("li,li->l", d["a"], d["b"])[:, None],
    ),
    (
        "1-11 convolution",
        "out[i] = sum(j, 0:3, a[i+j]*b[j] if i+j < 6 else 0)",
        made(a=[6], b=[3], out=[6]),
        lambda d: correlation(d["a"], d["b"]),
    ),
    (
        "1-11b long convolution",
        "out[i] = sum(j, 0:min(4, 15-i), a[i+j]*b[j])",
        made(a=[15], b=[4], out=[15]),
        lambda d: correlation(d["a"], d["b"]),
    ),
    (
        "1-12 block sum",
        "out[B] = sum(k, 0:8, a[8*B+k])",
        made(a=[8], out=[1]),
        lambda d: d["a"].sum(axis=1, keepdims=True),
    ),
    (
        "1-12b ragged block sum",
        "out[B] = sum(k, 0:8, a[8*B+k] if 8*B+k < 15 else 0)",
        made(a=[15], out=[2]),
        lambda d: np.stack([d["a"][:, :8].sum(axis=1), d["a"][:, 8:].sum(axis=1)], axis=1),
    ),
    (
        "1-13 axis sum",
        "out[b,0] = sum(j, 0:6, a[b,j])",
        made(a=[4, 6], out=[4, 1]),
        lambda d: d["a"].sum(axis=2, keepdims=True),
    ),
    (
        "1-14a matmul 2x2",
        "out[i,j] = sum(k, 0:2, a[i,k]*b[k,j])",
        made(a=[2, 2], b=[2, 2], out=[2, 2]),
        lambda d: d["a"] @ d["b"],
    ),
    (
        "1-14b matmul 8x8",
        "out[i,j] = sum(k, 0:8, a[i,k]*b[k,j])",
        made(low=-99, a=[8, 8], b=[8, 8], out=[8, 8]),
        lambda d: d["a"] @ d["b"],
    ),
    (
        "1-15 running sum",
        "out[i] = sum(s, 0:i+1, a[s])",
        made(a=[16], out=[16]),
        lambda d: np.cumsum(d["a"], axis=1),
    ),
]


@pytest.mark.parametrize(("name", "text", "arrays", "direct"), CAMPAIGN, ids=[row[0] for row in CAMPAIGN])
def test_campaign_kernels(name: str, text: str, arrays: Arrays, direct: Callable[[D], Any]) -> None:
    data = drawn(arrays)
    expected = direct(data)
    if not isinstance(expected, dict):
        expected = {"out": expected}
    truth = Truth(text, arrays)
    results = truth(data)
    assert list(results) == list(expected)
    for output, words in expected.items():
        assert results[output].dtype == np.int32
        np.testing.assert_array_equal(results[output], words)
    assert truth.used == set(data)


# --- Random expressions against Python --------------------------------------------------------------------


class Word:
    """A 32-bit integer as Python would have it: slow, one at a time, and plainly right."""

    def __init__(self, value: int) -> None:
        self.value = (int(value) + 2**31) % 2**32 - 2**31

    def _with(self, other: Word, function: Callable[[int, int], int]) -> Word:
        return Word(function(self.value, other.value))

    __add__ = lambda a, b: a._with(b, lambda x, y: x + y)  # noqa: E731
    __sub__ = lambda a, b: a._with(b, lambda x, y: x - y)  # noqa: E731
    __mul__ = lambda a, b: a._with(b, lambda x, y: x * y)  # noqa: E731
    __floordiv__ = lambda a, b: a._with(b, lambda x, y: x // y)  # noqa: E731
    __mod__ = lambda a, b: a._with(b, lambda x, y: x % y)  # noqa: E731
    __and__ = lambda a, b: a._with(b, lambda x, y: x & y)  # noqa: E731
    __or__ = lambda a, b: a._with(b, lambda x, y: x | y)  # noqa: E731
    __xor__ = lambda a, b: a._with(b, lambda x, y: x ^ y)  # noqa: E731
    __lshift__ = lambda a, b: a._with(b, lambda x, y: x << y % 32)  # noqa: E731
    __rshift__ = lambda a, b: a._with(b, lambda x, y: x >> y % 32)  # noqa: E731

    def __neg__(self) -> Word:
        return Word(-self.value)

    def __bool__(self) -> bool:
        return self.value != 0

    def __lt__(self, other: Word) -> bool:
        return self.value < other.value

    def __le__(self, other: Word) -> bool:
        return self.value <= other.value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Word) and self.value == other.value

    __hash__ = None  # type: ignore[assignment]


class Words:
    def __init__(self, words: list[Any]) -> None:
        self.words = words

    def __getitem__(self, at: Word) -> Any:
        if not 0 <= at.value < len(self.words):
            raise IndexError
        return self.words[at.value]


def over(function: str, low: Word, high: Word, body: Callable[[Word], Word]) -> Word:
    values = [body(Word(k)) for k in range(low.value, high.value)]
    if function in ("max", "min"):
        return {"max": max, "min": min}[function](values)  # ValueError when empty
    result = Word(0 if function == "sum" else 1)
    for value in values:
        result = result + value if function == "sum" else result * value
    return result


@st.composite
def expressions(draw_: st.DrawFn, names: tuple[str, ...] = ("i", "j"), depth: int = 3) -> tuple[str, str]:
    """An expression in our language, and the same in Python with :class:`Word` for every number."""

    def part(deeper: tuple[str, ...] = names) -> tuple[str, str]:
        return draw_(expressions(deeper, depth - 1))

    if depth == 0 or draw_(st.integers(0, 5)) == 0:
        if draw_(st.booleans()):
            name = draw_(st.sampled_from(names))
            return name, name
        number = draw_(st.sampled_from([0, 1, 2, 3, 7, 31, 33, 65535, 2**31 - 1]))
        return str(number), f"Word({number})"
    kind = draw_(st.sampled_from(["binary"] * 4 + ["read", "unary", "compare", "logic", "choice", "call", "range"]))
    if kind == "read":
        ours, theirs = part()
        wrap = draw_(st.booleans())  # half of the indices are made to fit, the others may be outside
        return (f"a[({ours}) % 5]", f"a[({theirs}) % Word(5)]") if wrap else (f"a[{ours}]", f"a[{theirs}]")
    if kind == "unary":
        ours, theirs = part()
        operator = draw_(st.sampled_from(["-", "not "]))
        return f"({operator}({ours}))", f"(-({theirs}))" if operator == "-" else f"Word(not ({theirs}))"
    (a, pa), (b, pb) = part(), part()
    if kind == "compare":
        operator = draw_(st.sampled_from(["<", "<=", "==", "!=", ">=", ">"]))
        return f"({a} {operator} {b})", f"Word({pa} {operator} {pb})"
    if kind == "logic":
        operator = draw_(st.sampled_from(["and", "or"]))
        return f"({a} {operator} {b})", f"Word(bool({pa}) {operator} bool({pb}))"
    if kind == "choice":
        c, pc = part()
        return f"({a} if {c} else {b})", f"({pa} if {pc} else {pb})"
    if kind == "call":
        function = draw_(st.sampled_from(["max", "min", "abs"]))
        if function == "abs":
            return f"abs({a})", f"(lambda w: -w if w < Word(0) else w)({pa})"
        return f"{function}({a}, {b})", f"{function}({pa}, {pb})"
    if kind == "range" and len(names) < 4:
        function, name = draw_(st.sampled_from(["sum", "prod", "max", "min"])), "klmn"[len(names) - 2]
        low, high = draw_(st.sampled_from([("0", "3"), ("i", "4"), ("-1", "j + 1"), ("j", "i"), ("2", "2")]))
        body, python = part((*names, name))
        bounds = [f"({text.replace('4', 'W4')})" for text in (low, high)]
        ends = [b.replace("W4", "4") for b in bounds]
        python_ends = ["".join(f"Word({c})" if c.isdigit() else c for c in end) for end in ends]
        return (
            f"{function}({name}, {low}:{high}, {body})",
            f"over('{function}', {python_ends[0]}, {python_ends[1]}, lambda {name}: {python})",
        )
    operator = draw_(st.sampled_from(["+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>"]))
    return f"({a} {operator} {b})", f"({pa} {operator} {pb})"


@given(expressions())
@settings(max_examples=150, deadline=None)
def test_random_expressions_agree_with_python(pair: tuple[str, str]) -> None:
    ours, theirs = pair
    arrays = made(low=-40, high=40, a=[5], out=[3, 4])
    data = drawn(arrays, 3)
    code = compile(theirs, "expression", "eval")
    expected: np.ndarray | None = np.zeros((3, 3, 4), np.int32)
    try:
        for launch, i, j in np.ndindex(3, 3, 4):
            scope = {"Word": Word, "over": over, "i": Word(i), "j": Word(j)}
            scope["a"] = Words([Word(w) for w in data["a"][launch]])
            expected[launch, i, j] = eval(code, scope).value
    except (IndexError, ZeroDivisionError, ValueError):
        expected = None
    try:
        result = Truth(f"out[i,j] = {ours}", arrays)(data)["out"]
    except InvalidError as error:
        codes = {problem.code for problem in error.problems}
        assert expected is None and codes <= {"truth-index", "truth-zero", "truth-range"}, (ours, codes)
    else:
        assert expected is not None, ours
        np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize(
    "text",
    [
        "1 + 2 * 3 - 4 // 3 % 2",
        "-7 // 2 + -7 % 3 - -2 * 5",
        "1 | 2 ^ 3 & 6 << 1 + 1 >> 1",
        "10 - 3 - 2 - 1",
        "100 // 7 // 2 * 3 % 5",
        "0 < 1 < 2 == 2 != 3",
        "not 1 < 2 or 3 and not 0",
        "not not 5",
        "1 if 0 else 2 if 0 else 3",
        "1 if 0 else (2 if 1 else 3)",
        "--5 - - - 5",
        "2 * -3",
        "1 << 2 << 3 >> 1",
        "3 > 2 >= 2",
        "1 or 0 and 0",
        "5 & 3 == 3",
        "max(1, 5, 3) - min(4, 2)",
    ],
)
def test_operators_rank_as_in_python(text: str) -> None:
    arrays = made(out=[1])
    assert Truth(f"out[i] = {text}", arrays)({})["out"].item() == int(eval(text))


def test_words_wrap_at_32_bits() -> None:
    arrays = made(out=[1])

    def value(text: str) -> int:
        return int(Truth(f"out[i] = {text}", arrays)({})["out"].item())

    assert value("2147483647 + 1") == -(2**31)
    assert value("-2147483648") == -(2**31)
    assert value("-(-2147483648)") == -(2**31)
    assert value("abs(-2147483648)") == -(2**31)
    assert value("-2147483648 // -1") == -(2**31)
    assert value("-2147483648 % -1") == 0
    assert value("65536 * 65537") == 65536
    assert value("1 << 31") == -(2**31)
    assert value("3 << 33") == 6
    assert value("-8 >> 33") == -4
    assert value("prod(k, 1:20, k)") == Word(121645100408832000).value
    assert value("sum(k, 0:4, 1073741824 + k)") == 6


# --- Floats -----------------------------------------------------------------------------------------------


def rounded(x: float) -> float:
    """The float32 next to a double. One operation in double, then this, rounds as one operation in float32."""
    return float(struct.unpack("<f", struct.pack("<f", x))[0])


@given(
    st.lists(st.floats(-1e3, 1e3, width=32), min_size=9, max_size=9),
    st.lists(st.floats(-1e3, 1e3, width=32), min_size=9, max_size=9),
)
@settings(max_examples=60, deadline=None)
def test_float_sums_go_in_order_and_round_each_time(a: list[float], b: list[float]) -> None:
    arrays = made("float32", a=[9], b=[9], out=[3])
    text = "out[0] = sum(k, 0:9, a[k]*b[k])\nout[1] = prod(k, 0:4, a[k])\nout[2] = a[0]/(abs(b[0]) + 1) - 3*a[1]"
    data = {"a": np.array([a], np.float32), "b": np.array([b], np.float32)}
    total, product = 0.0, 1.0
    for x, y in zip(a, b, strict=True):
        total = rounded(total + rounded(x * y))
    for x in a[:4]:
        product = rounded(product * x)
    last = rounded(rounded(a[0] / rounded(abs(b[0]) + 1)) - rounded(3 * a[1]))
    result = Truth(text, arrays)(data)["out"][0]
    assert result.dtype == np.float32
    assert result.tolist() == [total, product, last]


def test_long_float_sums_are_not_pairwise() -> None:
    arrays = made("float32", high=10_000, a=[4096], out=[1])
    data = drawn(arrays, 2)
    data["a"] = data["a"] * np.float32(1.1)
    expected = np.zeros(2, np.float32)
    for k in range(4096):
        expected += data["a"][:, k]
    assert (expected != data["a"].sum(axis=1)).any()
    for text in ("sum(k, 0:4096, a[k])", "sum(k, 0:4100+i, a[k] if k < 4096 else 0)"):
        assert (Truth(f"out[i] = {text}", arrays)(data)["out"][:, 0] == expected).all()


def test_a_ragged_float_sum_starts_at_its_own_low_end() -> None:
    arrays = made("float32", a=[6], out=[6])
    data = {"a": np.array([[3e38, 1, 2, 3, 4, 5]], np.float32)}
    result = Truth("out[i] = sum(k, i:6, a[k])\n", arrays)(data)["out"]
    assert result[0, 1:].tolist() == [15, 14, 12, 9, 5]


def test_integers_become_floats_beside_floats() -> None:
    arrays = made("float32", a=[4], out=[4])
    data = drawn(arrays, 2)
    result = Truth("out[i] = a[i]*i + 1/4 + (1 if a[i] > 2 else 0.5) + max(a[i], 3)", arrays)(data)["out"]
    a, i = data["a"], np.arange(4, dtype=np.float32)
    one = np.float32(1)
    expected = a * i + one / 4 + np.where(a > 2, one, one / 2) + np.maximum(a, np.float32(3))
    assert result.tolist() == expected.tolist()


def test_exp_is_right_to_the_last_bit_almost_always() -> None:
    arrays = made("float32", a=[2000], out=[2000])
    x = np.linspace(-100, 88, 2000).astype(np.float32)
    result = Truth("out[i] = exp(a[i])", arrays)({"a": x[None]})["out"][0]
    exact = np.exp(x.astype(np.float64)).astype(np.float32)
    assert np.abs(result.view(np.int32).astype(np.int64) - exact.view(np.int32)).max() <= 1
    assert (result == exact).mean() > 0.999


def test_integer_arrays_may_stand_in_float_kernels() -> None:
    arrays = made(low=0, high=15, w=[4]) | made("float32", a=[4], out=[4])
    data = drawn(arrays, 2)
    result = Truth("out[i] = a[i] * ((w[i] >> 2 & 3) - 1)", arrays)(data)["out"]
    assert (result == data["a"] * ((data["w"] >> 2 & 3) - 1).astype(np.float32)).all()


# --- Reading by data, many launches, coverage -------------------------------------------------------------


def test_indices_may_come_from_data() -> None:
    arrays = made(a=[8], out=[8])
    arrays["i"] = ArraySpec(shape=[8], data=DataSpec(kind="permutation", low=0, high=7))
    data = drawn(arrays, 70)
    result = Truth("out[t] = a[i[t]] + sum(k, 0:8, 1 if i[k] < t else 0)", arrays)(data)["out"]
    assert (result == np.take_along_axis(data["a"], data["i"], axis=1) + np.arange(8)).all()


def test_a_launch_does_not_depend_on_its_neighbours() -> None:
    arrays = made(high=10_000, a=[64, 16], b=[16, 64], out=[64, 64])
    truth = Truth("out[i,j] = sum(k, 0:16, a[i,k]*b[k,j])", arrays)
    data = drawn(arrays, 20)  # more than one step of evaluation
    result = truth(data)["out"]
    assert (result == data["a"] @ data["b"]).all()
    assert (truth({name: words[19:] for name, words in data.items()})["out"] == result[19:]).all()


def test_equations_may_share_an_output() -> None:
    arrays = made(a=[2], out=[2, 2])
    text = "# two rows\nout[0,j] = a[j]\n\n  out[1,j] = -a[j]  # the second\n"
    data = drawn(arrays, 2)
    assert (Truth(text, arrays)(data)["out"] == np.stack([data["a"], -data["a"]], axis=1)).all()


def test_arms_that_are_not_chosen_do_not_matter() -> None:
    assert problems("out[i] = a[i-1] if i > 0 else 0") == []
    assert problems("out[i] = i > 0 and a[i-1] > 3") == []
    assert problems("out[i] = i == 0 or a[i-1] > 3") == []
    assert problems("out[i] = 8 // i if i else 0") == []
    assert problems("out[i] = max(k, 0:i, a[k]) if i else 0") == []
    assert problems("out[i] = sum(k, 0:0, a[k+99])") == []
    assert problems("out[i] = sum(k, 0:0, sum(j, 0:k, a[j]))") == []
    assert problems("out[i] = sum(k, 5:i, a[k-5] if k >= 5 and k-5 < 8 else 0)") == []


# --- What is refused --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("out[i] = a[i] +", "truth-syntax", "the line ends: expected a number"),
        ("out[i] = (a[i]", "truth-syntax", "expected ')'"),
        ("out[i] = a[i]) ", "truth-syntax", "found ')'"),
        ("out[i] a[i]", "truth-syntax", "expected '='"),
        ("= a[i]", "truth-syntax", "an equation begins with an output"),
        ("out = a[i]", "truth-syntax", "out[i] = …"),
        ("out[i+1] = a[i]", "truth-syntax", "plain names"),
        ("out[-1] = a[0]", "truth-syntax", "names or whole numbers"),
        ("out[i] = a[i] = 3", "truth-syntax", "equality is '=='"),
        ("out[i] = a[i] b[i]", "truth-syntax", "expected an operator"),
        ("out[i] = a[0:3]", "truth-syntax", "a range stands in sum"),
        ("out[i] = sum(a[i])", "truth-syntax", "a range is written sum(k, 0:8, a[k])"),
        ("out[i] = sum(k, 8, a[k])", "truth-syntax", "a range is written"),
        ("out[i] = 1 + not 2", "truth-syntax", "in brackets"),
        ("out[i] = a[i] if i", "truth-syntax", "x if condition else y"),
        ("out[i] = else", "truth-syntax", "found 'else'"),
        ("out[i] = a[i]**2", "truth-operator", "a[i]*a[i]"),
        ("out[i] = a.b", "truth-operator", "no attributes"),
        ("out[i] = ~a[i]", "truth-operator", "-1 - x"),
        ("out[i] = a[i] − 3", "truth-operator", "minus sign of the keyboard"),
        ("out[i] = a[i]; out[i] = 2", "truth-operator", "a line of its own"),
        ("out[i] = 'x'", "truth-operator", "not allowed"),
        ("out[i] = a[i] / 2", "truth-operator", "'//'"),
        ("out[i] = a[i] + 1.5", "truth-type", "int32"),
        ("out[i] = a[0.5]", "truth-type", "whole number"),
        ("out[i] = exp(a[i])", "truth-type", "float32"),
        ("out[i] = 1.5 & 3", "truth-operator", "'and'"),
        ("out[i] = lambda", "truth-name", "no index here"),
        ("out[i] = ii", "truth-name", "did you mean 'i'?"),
        ("out[i] = a", "truth-name", "a is an array"),
        ("out[i] = c[i]", "truth-name", "inputs are: a, b"),
        ("out[i] = out[i]", "truth-name", "is an output"),
        ("a[i] = b[i]", "truth-name", "a is an input"),
        ("ouf[i] = a[i]", "truth-name", "did you mean 'out'?"),
        ("out[a] = 3", "truth-name", "name the index otherwise"),
        ("out[i] = sum(i, 0:3, a[i])", "truth-name", "choose another"),
        ("out[i] = sum(a, 0:3, 1)", "truth-name", "choose another"),
        ("out[i] = print(3)", "truth-function", "known are: abs, exp, max"),
        ("out[i] = summ(k, 0:3, 1)", "truth-function", "did you mean 'sum'?"),
        ("out[i] = max(a[i])", "truth-function", "write max(a, b)"),
        ("out[i] = abs(1, 2)", "truth-function", "write abs(a)"),
        ("out[i] = a[i+1]", "truth-index", "a[8] is outside shape [8] (where i = 7)"),
        ("out[i] = sum(t, 0:3, a[i-t])", "truth-index", "a[-1] is outside shape [8] (where t = 1, i = 0)"),
        ("out[i] = a[a[i]]", "truth-index", "is outside shape [8]"),
        ("out[i] = a[9]", "truth-index", "a[9] is outside"),
        ("out[i] = a[i,i]", "truth-index", "takes 1 indices, not 2"),
        ("out[i,j] = a[i]", "truth-index", "takes 1 indices, not 2"),
        ("out[8] = 1", "truth-index", "8 is outside"),
        ("out[i] = 8 // i", "truth-zero", "divides by zero"),
        ("out[i] = a[i] % (b[i] - b[i])", "truth-zero", "divides by zero"),
        ("out[i] = sum(k, 0:a[i], 1)", "truth-bounds", "depend on data"),
        ("out[i] = sum(k, 0:8//i, 1)", "truth-zero", "divides by zero"),
        ("out[i] = sum(k, 0:1.5, 1)", "truth-bounds", "whole numbers"),
        ("out[i] = max(k, 0:i, a[k])", "truth-range", "empty range"),
        ("out[0] = a[0]", "truth-coverage", "out[1] has no equation"),
        ("out[i] = a[i]\nout[3] = 1", "truth-coverage", "out[3] has 2 equations"),
        ("", "truth-coverage", "write out[i] = …"),
        ("out[i] = 2147483648", "truth-number", "32-bit word"),
        ("out[i] = " + "9" * 1500, "truth-number", "32-bit word"),
        ("out[i] = 1e999999999", "truth-number", "float32"),
        ("out[i] = sum(k, 0:2000000000, 1)", "truth-work", "10000000 are allowed"),
        ("out[i] = sum(k, -2147483648:2147483647, 1)", "truth-work", "are allowed"),
        ("out[i] = sum(k, 0:300, sum(l, 0:300, sum(m, 0:300, 1)))", "truth-work", "shorten"),
        ("out[i] = sum(k, 0:19000, " + "+".join(["a[0]"] * 60) + ")", "truth-work", "operations"),
    ],
)
def test_errors_say_what_was_found_and_what_to_try(text: str, code: str, words: str) -> None:
    (found,) = problems(text)
    assert found[0] == code
    assert words in found[1]


def test_float_results_must_be_finite() -> None:
    arrays = made("float32", a=[4], out=[4])
    for text in ("exp(a[i] * 1000)", "a[i] * 3e38 * 10", "exp(1000) - exp(1000)"):
        assert [code for code, _ in problems(f"out[i] = {text}", arrays)] == ["truth-not-finite"]
    assert [code for code, _ in problems("out[i] = a[i] / (i - 2)", arrays)] == ["truth-zero"]
    assert [code for code, _ in problems("out[i] = a[i] % 2", arrays)] == ["truth-operator"]


def test_all_wrong_lines_are_reported_with_their_place() -> None:
    found = problems("out[i] = c[i]\n\n# fine\nout[i] = a[i] +* 2\nout[i] = a[i]")
    assert [message.split(":")[0] for _, message in found] == [
        "equation on line 1, column 10",
        "equation on line 4, column 16",
    ]


HOSTILE = {
    "long line": "out[i] = " + "1+" * (MAX_LENGTH // 2) + "1",
    "long text": "out[i] = 1\n" * (MAX_TEXT // 11 + 1),
    "a megabyte": "(" * 2**20,
    "a megabyte of digits": "out[i] = " + "9" * 2**20,
    "a megabyte of lines": "\n" * 2**20,
    "brackets": "out[i] = " + "(" * 900 + "1" + ")" * 900,
    "indices": "out[i] = " + "a[" * 600 + "0" + "]" * 600,
    "minus signs": "out[i] = " + "-" * 1900 + "1",
    "nots": "out[i] = " + "not " * 480 + "1",
    "arms": "out[i] = " + "1 if 1 else " * 160 + "1",
    "calls": "out[i] = " + "abs(" * 480,
    "ranges": "out[i] = " + "".join(f"sum(k{n}, 0:9, " for n in range(33)) + "1" + ")" * 33,
    "every rank at every depth": "out[i] = " + "1 or 1 and not 1<1|1^1&1<<1+1*-(" * 31 + "1" + ")" * 31,
    "ranges beside ranges": "out[i] = " + "+".join(["sum(k, 0:15000, k)"] * 90),
    "ranges in bounds": "out[i] = " + "sum(k, 0:sum(l, 0:9999, l), 1)",
    "control characters": "out[i] = \x00\u202e1",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_refused_in_little_memory(name: str) -> None:
    text, arrays = HOSTILE[name], made(a=[8], b=[8], out=[8])
    tracemalloc.start()
    try:
        with pytest.raises(InvalidError) as caught:
            Truth(text, arrays)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 8e6
    assert len(caught.value.problems) <= 20
    assert all(len(problem.message) < 500 for problem in caught.value.problems)


def test_hostile_arrays_are_refused_before_anything_is_made() -> None:
    arrays = made(a=[8]) | {"out": ArraySpec.model_construct(shape=[4096] * 4, dtype="int32", data=None)}
    assert [code for code, _ in problems("out[0,0,0,0] = 1", arrays)] == ["arrays-too-large"]


def test_the_deepest_and_the_longest_that_is_allowed() -> None:
    deep = "out[i] = " + "(" * MAX_DEPTH + "a[i]" + ")" * MAX_DEPTH
    assert problems(deep.replace("a[i]", "1")) == []
    assert [code for code, _ in problems(deep)] == ["truth-too-deep"]
    longest = "out[i] = " + "+".join(["a[i]"] * 398)
    assert MAX_LENGTH - 5 <= len(longest) <= MAX_LENGTH
    assert problems(longest) == []


def test_reading_and_evaluating_need_little_of_the_stack() -> None:
    """The parser recurses by bracket and rank: at its worst it must fit where a game's loop calls it."""
    text = "out[i] = " + "1 or 1 and not 1<1|1^1&1<<1+1*-(" * 31 + "1" + ")" * 31
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 600)
    try:
        assert [code for code, _ in problems(text)] == ["truth-too-deep"]
    finally:
        sys.setrecursionlimit(limit)
