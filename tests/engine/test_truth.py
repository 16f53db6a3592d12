"""Checked kernels, named kernels against equations, and the words of launches as an engine sees them."""

from __future__ import annotations

import math
import struct
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.data import draw
from engine.errors import InvalidError
from engine.expr import CHUNK, Truth
from engine.expr_scope import MAX_WORK
from engine.model import Level
from engine.named import NAMED
from engine.truth import LEAST_CHUNKS, Workload, check_kernel, float_close

DATA = {"low": 1, "high": 99}


def level(arrays: dict[str, Any], truth: str | None = None, named: str | None = None, dtype: str = "int32") -> Level:
    """A level with this kernel: arrays by name and shape; those called out… are outputs."""
    full = {}
    for name, shape in arrays.items():
        full[name] = {"shape": shape, "dtype": dtype} if isinstance(shape, list) else dict(shape)
        if not name.startswith("out"):
            full[name].setdefault("data", DATA)
    return Level.model_validate(
        {
            "perwatt": 1,
            "id": "test-01-kernel",
            "title": "Kernel",
            "chapter": "test",
            "brief": "",
            "kernel": {"arrays": full, "truth": truth, "named": named},
            "board": {"size": [12, 5]},
            "pads": [{"id": "out", "core": "sink", "at": [11, 2]}],
            "standby_uw": 500,
        }
    )


MATMUL = "out[i,j] = sum(k, 0:5, a[i,k]*b[k,j])"
EQUATIONS = {
    "matmul": (MATMUL, {"a": [3, 5], "b": [5, 4], "out": [3, 4]}),
    "dot": ("out[0] = sum(i, 0:8, a[i]*b[i])", {"a": [8], "b": [8], "out": [1]}),
    "convolution": (
        "out[i] = sum(j, 0:4, a[i+j]*b[j] if i+j < 15 else 0)",
        {"a": [15], "b": [4], "out": [15]},
    ),
    "pooling": ("out[i] = sum(t, 0:3, a[i-t] if i-t >= 0 else 0)", {"a": [20], "out": [20]}),
    "prefix-sum": ("out[i] = sum(s, 0:i+1, a[s])", {"a": [16], "out": [16]}),
    "axis-sum": ("out[b,0] = sum(j, 0:6, a[b,j])", {"a": [4, 6], "out": [4, 1]}),
}


@pytest.mark.parametrize("dtype", ["int32", "float32"])
@pytest.mark.parametrize("name", NAMED)
def test_named_kernels_agree_with_equations(name: str, dtype: str) -> None:
    text, arrays = EQUATIONS[name]
    by_name, by_text = level(arrays, named=name, dtype=dtype), level(arrays, truth=text, dtype=dtype)
    assert check_kernel(by_name) == check_kernel(by_text) == []
    words = Workload(by_name).expected(0, 70)["out"]
    # In bits: also the order of a float sum and each of its roundings.
    np.testing.assert_array_equal(words, Workload(by_text).expected(0, 70)["out"])


def test_named_integer_kernels_wrap() -> None:
    arrays = {n: [2, 2] if n == "out" else {"shape": [2, 2], "data": {"low": 2**30, "high": 2**31 - 1}} for n in "ab"}
    made = Workload(level({**arrays, "out": [2, 2]}, named="matmul"))
    exact = made.inputs(0, 8)["a"].reshape(8, 2, 2).astype(object) @ made.inputs(0, 8)["b"].reshape(8, 2, 2)
    wrapped = [(int(word) + 2**31) % 2**32 - 2**31 for word in exact.ravel()]
    assert made.expected(0, 8)["out"].ravel().tolist() == wrapped


# --- check_kernel -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kernel", "code", "words"),
    [
        (level({"a": [4], "out": [4]}, "out[i] = a[i]+"), "truth-syntax", "line 1"),
        (level({"a": [4], "out": [4]}, "out[i] = a[i+1]"), "truth-index", "outside shape [4]"),
        (level({"a": [100], "out": [100]}, "out[i] = a[i]"), "data-range", "only 99 values"),
        (level({"a": [4], "b": [4], "out": [4]}, "out[i] = a[i]"), "unused-input", "no equation reads b"),
        (level({"a": [4], "out": [4], "out2": [4]}, "out[i] = a[i]"), "truth-coverage", "out2[0]"),
        (level({"else": [4], "out": [4]}, "out[i] = i"), "array-name", "another name"),
        (level({"a": [256, 256], "out": [1]}, "out[i] = a[0,0]"), "arrays-too-large", "make a smaller"),
        (level({"a": [4], "out": [4]}, named="poolin"), "named-unknown", "did you mean 'pooling'?"),
        (level({"b": [4], "out": [4]}, named="pooling"), "named-arrays", "Its inputs are a"),
        (level({"a": [4], "out": [4], "out2": [1]}, named="pooling"), "named-arrays", "out2 (output)"),
        (level({"a": [4], "out": [5]}, named="pooling"), "named-shape", "should have [4]"),
        (level({"a": [2, 2], "out": [4]}, named="pooling"), "named-shape", "needs 1 dimensions"),
        (level({"a": [2, 3], "b": [2, 3], "out": [2, 3]}, named="matmul"), "named-shape", "must be equal"),
        (level({"a": [3], "b": [4], "out": [1]}, named="dot"), "named-shape", "must be equal"),
        (
            level({"a": {"shape": [4], "dtype": "float32"}, "out": [4]}, named="pooling"),
            "named-dtype",
            "all float32",
        ),
    ],
)
def test_problems_of_kernels(kernel: Level, code: str, words: str) -> None:
    found = check_kernel(kernel)
    assert code in [problem.code for problem in found]
    problem = next(problem for problem in found if problem.code == code)
    assert words in problem.message
    assert problem.path[0] == "kernel"
    if problem.severity == "error" and code != "truth-index":
        with pytest.raises(InvalidError):
            Workload(kernel)


def test_a_kernel_without_an_output_is_refused() -> None:
    kernel = level({"a": [4], "b": [4]}, "b[i] = a[i]")
    assert [problem.code for problem in check_kernel(kernel)] == ["no-output", "truth-name"]


def test_an_unused_input_is_only_a_warning() -> None:
    kernel = level({"a": [4], "b": [4], "out": [4]}, "out[i] = a[i]")
    assert [problem.severity for problem in check_kernel(kernel)] == ["warning"]
    assert Workload(kernel).expected(0, 1)["out"].tolist() == Workload(kernel).inputs(0, 1)["a"].tolist()


# --- Workload ---------------------------------------------------------------------------------------------


def test_names_are_in_the_order_of_the_file() -> None:
    made = Workload(level({"out2": [2], "b": [2], "a": [2], "out1": [2]}, "out1[i] = a[i]\nout2[i] = b[i]"))
    assert list(made.arrays) == ["out2", "b", "a", "out1"]
    assert made.input_names == ("b", "a")
    assert made.output_names == ("out2", "out1")
    assert list(made.inputs(0, 1)) == ["b", "a"]
    assert list(made.expected(0, 1)) == ["out2", "out1"]


@given(st.lists(st.tuples(st.integers(0, 1000), st.integers(1, 200)), min_size=1, max_size=6))
@settings(max_examples=20, deadline=None)
def test_words_do_not_depend_on_what_was_asked_before(asked: list[tuple[int, int]]) -> None:
    kernel = level(EQUATIONS["matmul"][1], MATMUL)
    made = Workload(kernel, seed=5)
    for first, count in asked:
        inputs, expected = made.inputs(first, count), made.expected(first, count)
        assert inputs["a"].shape == (count, 15) and expected["out"].shape == (count, 12)
        a = draw(kernel.kernel.arrays["a"], "a", 5, range(first, first + count))
        assert (inputs["a"] == a.reshape(count, 15)).all()
        product = a @ inputs["b"].reshape(count, 5, 4)
        assert (expected["out"] == product.reshape(count, 12)).all()


def test_floats_are_seen_through_their_bits() -> None:
    kernel = level({"a": [4], "out": [4]}, "out[i] = a[i] * 0.5", dtype="float32")
    made = Workload(kernel)
    a, out = made.inputs(3, 2)["a"], made.expected(3, 2)["out"]
    assert a.dtype == out.dtype == np.int32
    assert (a.view(np.float32) == draw(kernel.kernel.arrays["a"], "a", 0, range(3, 5))).all()
    assert (out.view(np.float32) == a.view(np.float32) / 2).all()


def test_seeds_differ_and_words_cannot_be_changed() -> None:
    kernel = level({"a": [8], "out": [8]}, "out[i] = a[i]")
    made = Workload(kernel)
    assert (made.inputs(0, 1)["a"] != Workload(kernel, seed=1).inputs(0, 1)["a"]).any()
    for words in (made.inputs(0, 1)["a"], made.expected(60, 10)["out"]):
        with pytest.raises(ValueError, match="read-only"):
            words[0, 0] = 0


def test_few_chunks_are_kept() -> None:
    for words, most in ((1024, LEAST_CHUNKS), (64, 32)):
        wide = {"shape": [words], "data": {"low": 1, "high": 2000}}
        made = Workload(level({"a": wide, "out": [words]}, "out[i] = a[i]"))
        found = made.expected(0, CHUNK * most * 3)["out"]
        assert len(found) == CHUNK * most * 3
        assert len(made._inputs) == len(made._expected) == made.chunks_kept == most


def test_a_launch_without_a_value_is_an_error_in_its_chunk() -> None:
    rare = {"shape": [1], "data": {"kind": "any", "low": 0, "high": 500}}
    kernel = level({"a": rare, "out": [1]}, "out[i] = 10 // a[i]")
    made = Workload(kernel)
    with pytest.raises(InvalidError, match="divides by zero"):
        made.expected(0, 5000)
    assert (made.inputs(0, 5000)["a"] == 0).any()


def test_work_is_bounded_for_a_whole_chunk() -> None:
    most = MAX_WORK // CHUNK - 1
    Truth(f"out[i] = sum(k, 0:{most}, a[0])", level({"a": [1], "out": [1]}, "out[i] = 1").kernel.arrays)
    assert [p.code for p in check_kernel(level({"out": [1]}, f"out[i] = sum(k, 0:{most + 1}, 1)"))] == ["truth-work"]


# --- Comparing floats -------------------------------------------------------------------------------------


def bits(x: float) -> int:
    return int(struct.unpack("<i", struct.pack("<f", x))[0])


def test_floats_are_near_relative_to_the_expected_or_to_one() -> None:
    assert float_close(bits(1000), bits(1000.5), 0.0005)
    assert not float_close(bits(1000), bits(1000.5625), 0.0005)
    assert float_close(bits(0), bits(0.0005), 0.001)
    assert not float_close(bits(0), bits(0.002), 0.001)
    # The bound is of the expected word alone: the two arguments are not alike.
    assert float_close(bits(4), bits(2), 0.5) and not float_close(bits(2), bits(4), 0.5)
    assert float_close(bits(0.0), bits(-0.0), 0)


def test_nan_and_infinity_are_near_nothing() -> None:
    for wrong in (math.nan, math.inf, -math.inf):
        assert not float_close(bits(1), bits(wrong), 1)
        assert not float_close(bits(wrong), bits(wrong), 1)


@given(st.integers(-(2**31), 2**31 - 1), st.integers(-(2**31), 2**31 - 1), st.floats(0, 1))
@settings(max_examples=200, deadline=None)
def test_comparison_is_that_of_numpy_in_double(expected: int, got: int, tolerance: float) -> None:
    with np.errstate(invalid="ignore"):
        e, g = np.array([expected, got], np.int32).view(np.float32).astype(np.float64)
        assert float_close(expected, got, tolerance) == bool(abs(g - e) <= tolerance * max(1.0, abs(e)))


def test_import_is_light() -> None:
    """The truth needs numpy, and neither the models nor a compiler."""
    heavy = "pydantic", "numba", "networkx", "yaml"
    code = f"import sys, engine.truth; sys.exit(bool(set(sys.modules) & {set(heavy)!r}))"
    assert subprocess.run([sys.executable, "-c", code], timeout=60, check=False).returncode == 0
