"""The data of launches: what each kind promises, and that it is the same everywhere and in every chunk."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.data import MAX_WORDS, check_data, check_size, draw, mix, name_hash
from engine.errors import InvalidError
from engine.model import ArraySpec, DataSpec


def spec(*shape: int, dtype: str = "int32", **data: object) -> ArraySpec:
    return ArraySpec(shape=list(shape), dtype=dtype, data=DataSpec(**data))


def test_hashes_are_the_published_ones() -> None:
    # The first two numbers of SplitMix64 seeded with 0, and test vectors of FNV-1a.
    golden = np.array([0x9E3779B97F4A7C15, 0x3C6EF372FE94F82A], dtype=np.uint64)
    assert mix(golden).tolist() == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4]
    assert name_hash("") == 0xCBF29CE484222325
    assert name_hash("a") == 0xAF63DC4C8601EC8C
    assert name_hash("foobar") == 0x85944171F73967E8


def test_words_never_change() -> None:
    """Scores depend on these words: if this fails, SCORE_VERSION must rise."""
    assert draw(spec(4), "a", 0, range(2)).tolist() == PINNED["distinct"]
    assert draw(spec(4, low=-3, high=3, kind="any"), "b", 1, range(2)).tolist() == PINNED["any"]
    assert draw(spec(2, 2, low=0, high=3, kind="permutation"), "c", 2, range(1)).tolist() == PINNED["permutation"]
    assert draw(spec(3, low=-(10**6), high=10**6), "d", -5, range(7, 8)).tolist() == PINNED["wide"]


@given(st.integers(1, 40), st.integers(-(2**31), 2**31 - 1), st.integers(0, 2000), st.booleans(), st.integers(0, 99))
@settings(max_examples=60, deadline=None)
def test_distinct_words_differ_and_are_not_zero(words: int, low: int, more: int, huge: bool, seed: int) -> None:
    high = 2**31 - 1 if huge else min(low + words + more, 2**31 - 1)
    array = spec(words, low=low, high=high)
    if check_data("a", array):
        assert high - low + 1 - (low <= 0 <= high) < words
        return
    drawn = draw(array, "a", seed, range(5))
    assert drawn.dtype == np.int32
    assert low <= drawn.min() and drawn.max() <= high
    assert (drawn != 0).all()
    assert all(len(set(row)) == words for row in drawn.tolist())


@pytest.mark.parametrize("kind", ["distinct", "any", "permutation"])
@pytest.mark.parametrize("dtype", ["int32", "float32"])
def test_a_launch_is_the_same_in_every_chunk(kind: str, dtype: str) -> None:
    array = spec(3, 4, dtype=dtype, kind=kind, low=1, high=12, scale=0.25)
    whole = draw(array, "a", 3, range(130))
    assert whole.shape == (130, 3, 4)
    assert (draw(array, "a", 3, range(64, 128)) == whole[64:128]).all()
    assert (draw(array, "a", 3, range(129, 130)) == whole[129]).all()
    assert (draw(array, "a", 3, range(0, 130, 3)) == whole[::3]).all()


def test_names_seeds_and_launches_give_other_words() -> None:
    array = spec(16)
    base = draw(array, "a", 0, range(2))
    assert (base[0] != base[1]).any()
    assert (base != draw(array, "b", 0, range(2))).any(axis=1).all()
    assert (base != draw(array, "a", 1, range(2))).any(axis=1).all()


def test_permutation_has_each_value_once() -> None:
    drawn = draw(spec(5, 4, kind="permutation", low=-3, high=16), "a", 0, range(50)).reshape(50, 20)
    assert (np.sort(drawn, axis=1) == np.arange(-3, 17)).all()
    assert len({tuple(row) for row in drawn.tolist()}) == 50


@pytest.mark.parametrize(("kind", "low", "high"), [("any", -2, 7), ("distinct", -50, 49), ("distinct", 1, 1000)])
def test_every_value_is_about_equally_frequent(kind: str, low: int, high: int) -> None:
    # 1000 values are drawn in cells, with numbers left over; 0 is left out of distinct data.
    drawn = draw(spec(4, kind=kind, low=low, high=high), "a", 0, range(20_000))
    values, counts = np.unique(drawn, return_counts=True)
    expected = [v for v in range(low, high + 1) if v or kind == "any"]
    assert values.tolist() == expected
    mean = drawn.size / len(expected)
    assert abs(counts - mean).max() < 6 * mean**0.5
    # Each place in the array by itself, too: its mean is the range's.
    spread = (high - low) / 12**0.5 / 20_000**0.5
    assert abs(drawn.mean(axis=0) - sum(expected) / len(expected)).max() < 5 * spread


def test_any_repeats_and_may_be_zero() -> None:
    drawn = draw(spec(64, kind="any", low=0, high=3), "a", 0, range(1))
    assert set(drawn[0].tolist()) == {0, 1, 2, 3}


@pytest.mark.parametrize(("low", "high"), [(-(2**31), 2**31 - 1), (2**31 - 300, 2**31 - 1), (-(2**31), -(2**31) + 9)])
@pytest.mark.parametrize("kind", ["any", "distinct"])
def test_the_whole_range_of_a_word_can_be_used(kind: str, low: int, high: int) -> None:
    drawn = draw(spec(8, kind=kind, low=low, high=high), "a", 0, range(300))
    assert low <= drawn.min() < drawn.max() <= high
    assert drawn.max() - drawn.min().astype(np.int64) > 0.8 * (high - low)


def test_floats_are_scaled_integers_rounded_once() -> None:
    whole = draw(spec(50, low=-100, high=100), "a", 0, range(3))
    drawn = draw(spec(50, dtype="float32", low=-100, high=100, scale=0.1), "a", 0, range(3))
    assert drawn.dtype == np.float32
    assert (drawn == np.float32(whole * 0.1)).all()


@pytest.mark.parametrize("scale", [1e-30, 1 / 3, 1.0, 1e6])
def test_distinct_floats_stay_distinct_at_the_edge(scale: float) -> None:
    array = spec(2000, dtype="float32", low=2**22 - 2000, high=2**22, scale=scale)
    assert len(np.unique(draw(array, "a", 0, range(1)))) == 2000


@pytest.mark.parametrize(
    ("array", "code", "text"),
    [
        (spec(100, low=1, high=99), "data-range", "only 99 values"),
        (spec(100, low=0, high=99), "data-range", "other than 0"),
        (spec(4, kind="permutation", low=1, high=5), "data-range", "set high to 4"),
        (spec(4, dtype="float32", low=0, high=2**23), "data-range", "tells integers apart"),
        (spec(4, dtype="float32", scale=1e-40), "data-scale", "at least"),
        (ArraySpec(shape=[4]), "data-missing", "has no data"),
        (
            ArraySpec.model_construct(shape=[4096] * 4, dtype="int32", data=DataSpec()),
            "arrays-too-large",
            "make a smaller",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused(array: ArraySpec, code: str, text: str) -> None:
    with pytest.raises(InvalidError, match=text) as caught:
        draw(array, "a", 0, range(64))
    (problem,) = caught.value.problems
    assert problem.code == code
    assert problem.path[:3] == ("kernel", "arrays", "a")


def test_large_arrays_are_drawn_in_parts() -> None:
    array = spec(256, 256, kind="permutation", low=0, high=65535)
    drawn = draw(array, "a", 0, range(6)).reshape(6, -1)
    assert (np.sort(drawn, axis=1) == np.arange(65536)).all()
    assert (draw(array, "a", 0, range(5, 6))[0].ravel() == drawn[5]).all()
    assert draw(array, "a", 0, range(0)).shape == (0, 256, 256)


def test_sizes_count_together() -> None:
    half = ArraySpec(shape=[MAX_WORDS // 2 // 8, 8])
    assert not check_size({"a": half, "b": half})
    (problem,) = check_size({"a": half, "b": half, "c": ArraySpec(shape=[1])})
    assert problem.code == "arrays-too-large"


PINNED = {
    "distinct": [[48, 75, 13, 49], [96, 45, 32, 29]],
    "any": [[-2, 2, -2, 0], [1, -1, -1, -2]],
    "permutation": [[[2, 0], [1, 3]]],
    "wide": [[268193, 336843, -44988]],
}
