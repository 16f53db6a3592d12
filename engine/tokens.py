"""The tokens of a launch: the words that the ``threads`` pad hands out, in its order."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.model import ThreadSpec

DIMENSIONS = {1: (), 2: ("row", "col"), 3: ("plane", "row", "col")}
"""Names of a grid's dimensions, by rank; a grid of one dimension needs none."""

DEFAULT_WORDS = ("index",)

Tokens = tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]
"""(words, block numbers, thread numbers within the launch), one row per thread; read-only."""


def word_names(rank: int) -> list[str]:
    """All words that a token of a grid of this rank may have."""
    names = []
    for name in ("block", "local", "index"):
        names += [name, *(f"{name}.{dimension}" for dimension in DIMENSIONS[rank])]
    return [*names, "thread", "blocknumber"]


def token_width(words: tuple[str, ...], rank: int) -> int:
    """Words in a token: ``block``, ``local`` and ``index`` give one per dimension, all others one."""
    return sum(rank if word in ("block", "local", "index") else 1 for word in words)


def no_tokens() -> Tokens:
    """The tokens of a level without threads."""
    none = np.zeros(0, np.int32)
    return np.zeros((0, 0), np.int32), none, none


def make_tokens(threads: ThreadSpec, words: tuple[str, ...]) -> Tokens:
    """The tokens of one launch: block by block in row-major order, and row-major inside a block.

    ``words`` are names out of :func:`word_names`. Coordinates are [row, column]; ``index`` is
    block × block size + local, ``thread`` the linear number in the block, ``blocknumber`` that of the block.
    """
    return _tokens(tuple(threads.grid), tuple(threads.block), words)


@lru_cache(maxsize=64)
def _tokens(grid: tuple[int, ...], size: tuple[int, ...], words: tuple[str, ...]) -> Tokens:
    rank, per_block, blocks = len(size), int(np.prod(size)), int(np.prod(grid))
    blocknumber = np.repeat(np.arange(blocks), per_block)
    thread = np.tile(np.arange(per_block), blocks)
    block = np.stack(np.unravel_index(blocknumber, grid), axis=1)
    local = np.stack(np.unravel_index(thread, size), axis=1)
    vectors = {"block": block, "local": local, "index": block * np.array(size) + local}
    columns: list[NDArray[np.int64]] = []
    for word in words:
        name, _, dimension = word.partition(".")
        if name not in vectors:
            columns.append(thread if name == "thread" else blocknumber)
        elif dimension:
            columns.append(vectors[name][:, DIMENSIONS[rank].index(dimension)])
        else:
            columns += list(vectors[name].T)
    made = (
        np.stack(columns, axis=1).astype(np.int32),
        blocknumber.astype(np.int32),
        (blocknumber * per_block + thread).astype(np.int32),
    )
    for array in made:
        array.flags.writeable = False
    return made
