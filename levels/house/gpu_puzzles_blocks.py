"""Chapter 1, "GPU puzzles": the machines of levels 06 and 07, where the index is made of block and place."""

from __future__ import annotations

from engine.builder import Builder
from levels.house.registry import design

# --- 06 Blocks ---------------------------------------------------------------------------------------------

BLOCKS = "gpu-puzzles-06-blocks"


def _blocks(b: Builder, near: bool) -> None:
    """Multiply-add and guard, beside the threads or in front of the memory, at the two ends of a long road."""
    b.place("mac", (0, 9) if near else (2, 3), "index", b=4)
    b.place("guard", (1, 9) if near else (1, 3), "inside", limits=[9])
    b.place("add", (10, 2), "ten", b=10)
    b.wire("threads.token", "index.a", "index.c")
    b.words("index.a", 0)
    b.words("index.c", 1)
    b.wire("index.out", "inside.in")
    b.wire("inside.out", "a.at")
    b.wire("a.value", "ten.a")
    b.wire("ten.out", "out.value")
    b.wire("a.at", "out.at")


def _in_step(b: Builder, near: bool) -> None:
    """Up to the guard at the threads' pace, behind it at the memory's."""
    _blocks(b, near)
    b.speed_all(every_ns=4)
    for source in ("threads.token", "index.out"):
        b.speed(b.find(source)[0], every_ns=2)


@design(BLOCKS, "naive")
def blocks_naive(b: Builder) -> None:
    """The index is made where it is wanted, in front of the memory: block and place walk there side by side, also those
    of three threads without work."""
    _blocks(b, near=False)


@design(BLOCKS, "best")
def blocks_best(b: Builder) -> None:
    """Made and guarded beside the threads: one word of nine threads walks the long road, where it were two of twelve,
    and from there everything has the memory's pace."""
    _in_step(b, near=True)


@design(BLOCKS, "without-near")
def blocks_without_near(b: Builder) -> None:
    """In step, and the index is made at the far end."""
    _in_step(b, near=False)


@design(BLOCKS, "without-pace")
def blocks_without_pace(b: Builder) -> None:
    """Beside the threads, and all roads twice as fast as the memory."""
    _blocks(b, near=True)


@design(BLOCKS, "wrong-block-ignored")
def blocks_block_ignored(b: Builder) -> None:
    """Zero times the block: the second block does the first one's work again."""
    _in_step(b, near=True)
    b.set("index", b=0)


@design(BLOCKS, "wrong-swapped")
def blocks_swapped(b: Builder) -> None:
    """Four times the place, plus the block: some words twice, others never."""
    _in_step(b, near=True)
    b.words("index.a", 1)
    b.words("index.c", 0)


@design(BLOCKS, "wrong-unguarded")
def blocks_unguarded(b: Builder) -> None:
    """The last three threads have no word, and ask for one."""
    _in_step(b, near=True)
    b.set("inside", limits=[None])


@design(BLOCKS, "wrong-blocks-of-three")
def blocks_of_three(b: Builder) -> None:
    """Three times the block: its first thread repeats the last one of the block before."""
    _in_step(b, near=True)
    b.set("index", b=3)


@design(BLOCKS, "wrong-eight")
def blocks_eight(b: Builder) -> None:
    """One word too few is let through, and a launch never ends."""
    _in_step(b, near=True)
    b.set("inside", limits=[8])


# --- 07 Blocks 2D ------------------------------------------------------------------------------------------

BLOCKS_2D = "gpu-puzzles-07-blocks-2d"


def _blocks_2d(b: Builder, near: bool) -> None:
    """A multiply-add for the row and one for the column, joined and guarded, at one end of the road or the other."""
    b.place("mac", (1, 9) if near else (2, 3), "row", b=3)
    b.place("mac", (1, 10) if near else (3, 4), "column", b=3)
    b.place("tuple", (2, 9) if near else (2, 4), "both")
    b.place("guard", (3, 9) if near else (1, 3), "inside", limits=[5, 5])
    b.place("add", (10, 3), "ten", b=10)
    b.wire("threads.token[0,2]", "row.a", "row.c")
    b.wire("threads.token[1,3]", "column.a", "column.c")
    for core in ("row", "column"):
        b.words(f"{core}.a", 0)
        b.words(f"{core}.c", 1)
    b.wire("row.out", "both.a")
    b.wire("column.out", "both.b")
    b.wire("both.out", "inside.in")
    b.wire("inside.out", "a.at")
    b.wire("a.value", "ten.a")
    b.wire("ten.out", "out.value")
    b.wire("a.at", "out.at")


def _in_step_2d(b: Builder, near: bool) -> None:
    """Up to the guard at the threads' pace, behind it at the memory's."""
    _blocks_2d(b, near)
    b.speed_all(every_ns=4)
    for source in ("threads.token", "row.out", "column.out", "both.out"):
        for line in b.find(source):
            b.speed(line, every_ns=2)


@design(BLOCKS_2D, "naive")
def blocks_2d_naive(b: Builder) -> None:
    """Row and column are made in front of the memory: four words of thirty-six threads walk there, eleven threads in
    vain."""
    _blocks_2d(b, near=False)


@design(BLOCKS_2D, "best")
def blocks_2d_best(b: Builder) -> None:
    """Made, joined and guarded beside the threads: two words of twenty-five threads travel, and behind the guard all
    has the memory's pace."""
    _in_step_2d(b, near=True)


@design(BLOCKS_2D, "without-near")
def blocks_2d_without_near(b: Builder) -> None:
    """In step, and everything is made at the far end."""
    _in_step_2d(b, near=False)


@design(BLOCKS_2D, "without-pace")
def blocks_2d_without_pace(b: Builder) -> None:
    """Beside the threads, and all roads twice as fast as the memory."""
    _blocks_2d(b, near=True)


@design(BLOCKS_2D, "wrong-transposed-read")
def blocks_2d_transposed_read(b: Builder) -> None:
    """Reads the word on the other side of the diagonal."""
    _in_step_2d(b, near=True)
    b.words("a.at", 1, 0)


@design(BLOCKS_2D, "wrong-swapped")
def blocks_2d_swapped(b: Builder) -> None:
    """For the row three times the place, plus the block: rows come twice, or not at all."""
    _in_step_2d(b, near=True)
    b.words("row.a", 1)
    b.words("row.c", 0)


@design(BLOCKS_2D, "wrong-corner")
def blocks_2d_corner(b: Builder) -> None:
    """Reads a[0, 0] for everyone."""
    _in_step_2d(b, near=True)
    b.words("a.at", "0", "0")


@design(BLOCKS_2D, "wrong-block-row-ignored")
def blocks_2d_block_row_ignored(b: Builder) -> None:
    """Zero times the block's row: the lower blocks do the upper ones' work again."""
    _in_step_2d(b, near=True)
    b.set("row", b=0)


@design(BLOCKS_2D, "wrong-column-unguarded")
def blocks_2d_column_unguarded(b: Builder) -> None:
    """Only the row is guarded."""
    _in_step_2d(b, near=True)
    b.set("inside", limits=[5, None])
