"""What a kernel's outputs depend on: every word that matters, and none that does not."""

from __future__ import annotations

from typing import Any

import pytest

from engine.dependence import dependence
from engine.model import Level
from tests.engine.roads import level


def kernel(truth: str, shape: int = 6, out: int = 6, **data: Any) -> Level:
    words = {"kind": "distinct", "low": 1, "high": 99, **data}
    arrays = {name: {"shape": [shape], "dtype": data.pop("dtype", "int32"), "data": words} for name in ("a", "b")}
    words.pop("dtype", None)
    dtype = arrays["a"]["dtype"]
    return level(kernel={"arrays": arrays | {"out": {"shape": [out], "dtype": dtype}}, "truth": truth})


@pytest.mark.parametrize(
    ("truth", "read", "computed"),
    [
        ("out[t] = a[t]", (6, 0), (0, 0)),
        ("out[t] = a[5 - t]", (6, 0), (0, 0)),
        ("out[t] = a[t] + b[0]", (6, 1), (6, 1)),
        ("out[t] = a[t] if t < 2 else b[t]", (2, 4), (0, 0)),
        ("out[t] = a[t] * 0 + 1000 * b[t]", (0, 6), (0, 6)),
        ("out[t] = sum(k, 0:6, a[k]*b[k])", (6, 6), (6, 6)),
        ("out[t] = 7", (0, 0), (0, 0)),
    ],
)
def test_words_that_matter(truth: str, read: tuple[int, int], computed: tuple[int, int]) -> None:
    found = dependence(kernel(truth))
    assert (found.read["a"], found.read["b"]) == read
    # A computed word may be equal to a word of the input by chance.
    assert found.computed["a"] <= computed[0] <= 2 * found.computed["a"]
    assert found.computed["b"] <= computed[1] <= 2 * found.computed["b"]
    assert found.varying["out"] == (0 if truth == "out[t] = 7" else 6)


def test_a_word_that_matters_only_at_times_is_not_counted() -> None:
    found = dependence(kernel("out[t] = a[t] if b[t] < 50 else 0", low=-99))
    assert found.read["b"] == 6
    assert found.read["a"] < 6


def test_a_change_within_the_tolerance_is_none() -> None:
    assert dependence(kernel("out[t] = a[t] + b[t]", dtype="float32")).read == {"a": 6, "b": 6}
    tiny = kernel("out[t] = a[t] + b[t] * 0.0000001", dtype="float32")
    assert dependence(tiny).read == {"a": 6, "b": 0}


def test_of_a_permutation_nothing_is_said() -> None:
    assert dependence(kernel("out[t] = a[t] + b[t]", kind="permutation", low=0, high=5)).read == {"a": 0, "b": 0}


def test_outputs_that_an_input_reaches() -> None:
    arrays = {name: {"shape": [4], "data": {"kind": "distinct"}} for name in ("a", "b")}
    outs = {name: {"shape": [4]} for name in ("out", "q")}
    pads = [
        {"id": name, "core": core, "at": [at, 0]}
        for name, core, at in (("a", "stream", 0), ("b", "stream", 2), ("out", "sink", 4), ("q", "sink", 6))
    ]
    found = dependence(level(kernel={"arrays": arrays | outs, "truth": "out[t] = a[t]\nq[t] = b[t] + 1"}, pads=pads))
    assert found.reached == {"a": {"out"}, "b": {"q"}}


def test_a_large_kernel_is_looked_at_in_part() -> None:
    found = dependence(kernel("out[t] = a[t] + b[t]", shape=4096, out=4096, low=1, high=1_000_000))
    assert 0 < found.read["a"] < 4096
