"""Tokens: order of blocks and threads, and what each word says."""

from __future__ import annotations

import numpy as np
import pytest

from engine.model import ThreadSpec
from engine.tokens import make_tokens, make_warps, token_width, word_names


def test_two_dimensions_row_major_block_by_block() -> None:
    threads = ThreadSpec(block=[2, 3], grid=[1, 2])
    words, block, thread = make_tokens(threads, ("index", "block.col", "thread", "blocknumber"))
    assert words.tolist() == [
        [0, 0, 0, 0, 0],
        [0, 1, 0, 1, 0],
        [0, 2, 0, 2, 0],
        [1, 0, 0, 3, 0],
        [1, 1, 0, 4, 0],
        [1, 2, 0, 5, 0],
        [0, 3, 1, 0, 1],
        [0, 4, 1, 1, 1],
        [0, 5, 1, 2, 1],
        [1, 3, 1, 3, 1],
        [1, 4, 1, 4, 1],
        [1, 5, 1, 5, 1],
    ]
    assert block.tolist() == [0] * 6 + [1] * 6 and thread.tolist() == list(range(12))
    assert words.dtype == block.dtype == thread.dtype == np.int32


@pytest.mark.parametrize(("block", "grid"), [([5], [3]), ([2, 3], [3, 2]), ([2, 1, 3], [1, 2, 2])])
def test_words_agree_with_each_other(block: list[int], grid: list[int]) -> None:
    rank = len(block)
    threads = ThreadSpec(block=block, grid=grid)
    block_of, local, index = (make_tokens(threads, (name,))[0] for name in ("block", "local", "index"))
    assert np.array_equal(index, block_of * np.array(block) + local)
    linear, numbers, _ = make_tokens(threads, ("thread", "blocknumber"))
    assert np.array_equal(linear[:, 0], np.ravel_multi_index(tuple(local.T), tuple(block)))
    assert np.array_equal(linear[:, 1], np.ravel_multi_index(tuple(block_of.T), tuple(grid)))
    assert np.array_equal(linear[:, 1], numbers)
    assert len({tuple(row) for row in index}) == threads.threads_per_block * threads.blocks
    for name in word_names(rank):
        assert make_tokens(threads, (name,))[0].shape[1] == token_width((name,), rank)


def test_names_of_dimensions() -> None:
    assert word_names(1) == ["block", "local", "index", "thread", "blocknumber", "warp", "lane"]
    assert "local.row" in word_names(2) and "local.plane" not in word_names(2)
    assert "index.plane" in word_names(3)


def test_a_thread_alone_is_a_warp_of_one_lane() -> None:
    words, _, thread = make_tokens(ThreadSpec(block=[3], grid=[2]), ("warp", "lane"))
    assert words.tolist() == [[k % 3, 0] for k in thread.tolist()]


def test_warps_of_a_row() -> None:
    """Blocks of 6 in warps of 4: threads 0 to 3, then 4 and 5 with two lanes that are no threads."""
    warps = make_warps(ThreadSpec(block=[6], grid=[2]), ("index", "block", "warp", "lane"), 4)
    assert warps.forms == (1, 0, 0, 1)
    assert warps.values.tolist() == [[0, 0, 0, 0], [4, 0, 1, 0], [6, 1, 0, 0], [10, 1, 1, 0]]
    assert warps.block.tolist() == [0, 0, 1, 1]
    assert warps.thread.tolist() == [0, 4, 6, 10]
    assert warps.live.tolist() == [0b1111, 0b0011, 0b1111, 0b0011]


def test_a_word_is_linear_where_it_has_one_step_in_all_warps() -> None:
    """Rows of 6: a warp of 4 runs over the end of a row, one of 2 never does."""
    threads = ThreadSpec(block=[4, 6], grid=[1, 2])
    fours = make_warps(threads, ("local.row", "local.col", "block.col", "thread"), 4)
    assert fours.forms == (None, None, 0, 1)
    assert fours.values[1].tolist() == [0, 0, 1, 1, 4, 5, 0, 1, 0, 4]
    assert make_warps(threads, ("local.row", "local.col"), 2).forms == (0, 1)
    assert make_warps(ThreadSpec(block=[1], grid=[4]), ("index", "block"), 8).forms == (0, 0)


def test_a_warp_has_values_of_no_thread_as_0() -> None:
    ragged = make_warps(ThreadSpec(block=[2, 3], grid=[1, 1]), ("local.col",), 4)
    assert ragged.forms == (None,)
    assert ragged.values.tolist() == [[0, 1, 2, 0], [1, 2, 0, 0]]


def test_tokens_are_shared_and_cannot_be_changed() -> None:
    words, _, _ = make_tokens(ThreadSpec(block=[2], grid=[1]), ("index",))
    with pytest.raises(ValueError, match="read-only"):
        words[0, 0] = 1
