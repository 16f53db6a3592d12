"""Tokens: order of blocks and threads, and what each word says."""

from __future__ import annotations

import numpy as np
import pytest

from engine.model import ThreadSpec
from engine.tokens import make_tokens, token_width, word_names


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
    assert word_names(1) == ["block", "local", "index", "thread", "blocknumber"]
    assert "local.row" in word_names(2) and "local.plane" not in word_names(2)
    assert "index.plane" in word_names(3)


def test_tokens_are_shared_and_cannot_be_changed() -> None:
    words, _, _ = make_tokens(ThreadSpec(block=[2], grid=[1]), ("index",))
    with pytest.raises(ValueError, match="read-only"):
        words[0, 0] = 1
