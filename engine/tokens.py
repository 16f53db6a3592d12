"""The tokens of a launch: the words that the ``threads`` pad hands out, in its order, one by one or as warps."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.model import ThreadSpec
from engine.netlist import Form

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
    return [*names, "thread", "blocknumber", "warp", "lane"]


def token_width(words: tuple[str, ...], rank: int) -> int:
    """Words in a token: ``block``, ``local`` and ``index`` give one per dimension, all others one."""
    return sum(rank if word in ("block", "local", "index") else 1 for word in words)


def no_tokens() -> Tokens:
    """The tokens of a level without threads."""
    none = np.zeros(0, np.int32)
    return np.zeros((0, 0), np.int32), none, none


@dataclass(frozen=True, slots=True)
class Warps:
    """The warps of a launch: values stored in each packet, block, first thread and live mask, one row per warp.

    ``forms`` are those of the words: a word that has one step in all warps is linear. Read-only.
    """

    values: NDArray[np.int32]
    block: NDArray[np.int32]
    thread: NDArray[np.int32]
    live: NDArray[np.int32]
    forms: tuple[Form, ...]


def warps_of(tokens: Tokens, per_block: int, lanes: int) -> Warps:
    """The warps of tokens that stand block by block: ``lanes`` consecutive threads of a block each."""
    words, block, thread = tokens
    warps, blocks = -(-per_block // lanes), len(block) // per_block
    number = np.arange(warps * lanes).reshape(warps, lanes)
    threads = np.minimum(number, per_block - 1)[None] + np.arange(blocks)[:, None, None] * per_block
    threads = threads.reshape(blocks * warps, lanes)
    there = np.tile(number < per_block, (blocks, 1))
    columns: list[NDArray[np.int32]] = []
    forms: list[Form] = []
    for word in words.T:
        rows = np.where(there, word[threads], 0).astype(np.int32)
        steps = np.unique(np.diff(word[threads], axis=1)[there[:, 1:]])
        forms.append(int(steps[0]) if len(steps) == 1 else None if len(steps) else 0)
        columns.append(rows if forms[-1] is None else rows[:, :1])
    live = (there << np.arange(lanes)).sum(axis=1).astype(np.int32)
    made = Warps(np.concatenate(columns, axis=1), block[threads[:, 0]], thread[threads[:, 0]], live, tuple(forms))
    for array in (made.values, made.block, made.thread, made.live):
        array.flags.writeable = False
    return made


@lru_cache(maxsize=64)
def _warps(grid: tuple[int, ...], size: tuple[int, ...], words: tuple[str, ...], lanes: int) -> Warps:
    return warps_of(_tokens(grid, size, words, lanes), int(np.prod(size)), lanes)


def make_warps(threads: ThreadSpec, words: tuple[str, ...], lanes: int) -> Warps:
    """The warps of one launch: ``lanes`` consecutive threads of a block each, in the order of :func:`make_tokens`.

    The lanes of a block's last warp that are no threads are not live, and their values 0.
    """
    return _warps(tuple(threads.grid), tuple(threads.block), words, lanes)


def make_tokens(threads: ThreadSpec, words: tuple[str, ...]) -> Tokens:
    """The tokens of one launch: block by block in row-major order, and row-major inside a block.

    ``words`` are names out of :func:`word_names`. Coordinates are [row, column]; ``index`` is
    block × block size + local, ``thread`` the linear number in the block, ``blocknumber`` that of the block; ``warp``
    is the number in the block of the warp, here a thread, and ``lane`` that in the warp, here 0.
    """
    return _tokens(tuple(threads.grid), tuple(threads.block), words, 1)


@lru_cache(maxsize=64)
def _tokens(grid: tuple[int, ...], size: tuple[int, ...], words: tuple[str, ...], lanes: int) -> Tokens:
    rank, per_block, blocks = len(size), int(np.prod(size)), int(np.prod(grid))
    blocknumber = np.repeat(np.arange(blocks), per_block)
    thread = np.tile(np.arange(per_block), blocks)
    block = np.stack(np.unravel_index(blocknumber, grid), axis=1)
    local = np.stack(np.unravel_index(thread, size), axis=1)
    vectors = {"block": block, "local": local, "index": block * np.array(size) + local}
    numbers = {"thread": thread, "blocknumber": blocknumber, "warp": thread // lanes, "lane": thread % lanes}
    columns: list[NDArray[np.int64]] = []
    for word in words:
        name, _, dimension = word.partition(".")
        if name in numbers:
            columns.append(numbers[name])
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
