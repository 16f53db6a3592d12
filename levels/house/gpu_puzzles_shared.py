"""Chapter 1, "GPU puzzles": the machines of levels 08 and 08b, with shared memory and a barrier."""

from __future__ import annotations

from engine.builder import Builder
from levels.house.registry import design

# --- 08 Shared ---------------------------------------------------------------------------------------------

SHARED = "gpu-puzzles-08-shared"


def _classic(b: Builder) -> None:
    """Load, write into the page, wait, read it back, add, store."""
    b.place("shared", (8, 5), "page", words=4)
    b.place("barrier", (8, 8), "all")
    b.place("add", (13, 5), "ten", b=10)
    b.wire("threads.token", "a.at")
    b.words("a.at", 0)
    b.wire("a.value", "page.write.value")
    b.wire("a.at", "page.write.at")
    b.words("page.write.at", 1)
    b.wire("page.write.done", "all.in")
    b.wire("all.out", "page.read.at")
    b.words("page.read.at", 1)
    b.wire("page.read.value", "ten.a")
    b.wire("page.read.at[0]", "out.at")
    b.wire("ten.out", "out.value")


def _near(b: Builder, pages: int, barrier: bool = False) -> None:
    """The same close to the load, with or without the barrier, all roads at the pad's pace."""
    b.place("shared", (2, 5), "page", words=4, pages=pages)
    b.place("add", (3, 5), "ten", b=10)
    b.wire("threads.token", "a.at")
    b.words("a.at", 0)
    b.wire("a.value", "page.write.value")
    b.wire("a.at", "page.write.at")
    b.words("page.write.at", 1)
    if barrier:
        b.place("barrier", (2, 7), "all")
        b.wire("page.write.done", "all.in")
        b.wire("all.out", "page.read.at")
    else:
        b.wire("page.write.done", "page.read.at")
    b.words("page.read.at", 1)
    b.wire("page.read.value", "ten.a")
    b.wire("page.read.at[0]", "out.at")
    b.wire("ten.out", "out.value")
    b.speed_all(every_ns=2)


def _own_cell(b: Builder, pages: int = 3) -> None:
    """Without the barrier: what a thread has written it reads at once."""
    _near(b, pages)


@design(SHARED, "start")
def shared_start(b: Builder) -> None:
    """The classic machine: a page, a barrier, and everyone waits for the block."""
    _classic(b)


@design(SHARED, "naive")
def shared_naive(b: Builder) -> None:
    """The machine as it was found. Words go by fours, and the next block waits until the page is free."""
    _classic(b)


@design(SHARED, "best")
def shared_best(b: Builder) -> None:
    """Each thread reads the cell that it has written, so nobody need wait, and the barrier is gone. Its slots are
    worth two more pages: no block waits for another, and all roads keep the pad's pace."""
    _own_cell(b)


@design(SHARED, "without-freedom")
def shared_without_freedom(b: Builder) -> None:
    """Everything close together, and the barrier still there: its eight slots leave room for one page."""
    _near(b, 1, barrier=True)
    b.speed_all(speed=1)


@design(SHARED, "without-pages")
def shared_without_pages(b: Builder) -> None:
    """No barrier, and one page, which the second block waits for; a quick way from the write to the read helps."""
    _own_cell(b, pages=1)
    b.speed(b.find("page.write.done")[0], 2)


@design(SHARED, "wrong-block-ignored")
def shared_block_ignored(b: Builder) -> None:
    """Loads by the place in the block: the second block gets the first one's words."""
    _own_cell(b)
    b.words("a.at", 1)


@design(SHARED, "wrong-neighbour")
def shared_neighbour(b: Builder) -> None:
    """Everyone reads cell 0, which is the neighbour's: what comes out came in time by luck."""
    _own_cell(b)
    b.words("page.read.at", "0")


@design(SHARED, "wrong-first-word")
def shared_first_word(b: Builder) -> None:
    """The same behind the barrier, where it is allowed and wrong: the block's first word for all."""
    _classic(b)
    b.words("page.read.at", "0")


@design(SHARED, "wrong-global-index")
def shared_global_index(b: Builder) -> None:
    """A page has four cells; the index of the whole array does not fit."""
    _own_cell(b)
    b.words("page.write.at", 0)


@design(SHARED, "wrong-two-pages")
def shared_two_pages(b: Builder) -> None:
    """A second page beside the barrier: more storage than there is."""
    _classic(b)
    b.set("page", pages=2)


@design(SHARED, "wrong-forgets-ten")
def shared_forgets_ten(b: Builder) -> None:
    """Adds nothing."""
    _own_cell(b)
    b.set("ten", b=0)


# --- 08b Mirror --------------------------------------------------------------------------------------------

MIRROR = "gpu-puzzles-08b-mirror"


def _mirror(b: Builder, column: int, pages: int) -> None:
    """Write in order, wait, read from the other end. The page stands in ``column``, in the pads' row."""
    b.place("shared", (column, 5), "page", words=4, pages=pages)
    b.place("barrier", (column, 7), "all")
    b.place("address", (column + 2, 7), "turn", words=["3 - w1", "4*w0 + w1"])
    b.place("add", (column + 2, 5), "ten", b=10)
    b.wire("threads.token", "page.write.at")
    b.words("page.write.at", 1)
    b.wire("a.value", "page.write.value")
    b.wire("page.write.done", "all.in")
    b.wire("all.out", "turn.in")
    b.wire("turn.out", "page.read.at")
    b.words("page.read.at", 0)
    b.wire("page.read.value", "ten.a")
    b.wire("page.read.at[1]", "out.at")
    b.wire("ten.out", "out.value")


def _paced(b: Builder, pages: int = 3, turn: float = 1) -> None:
    """Near the pads, the long roads at the pad's pace, and those from page to barrier and back at ``turn`` tiles/ns."""
    _mirror(b, 2, pages)
    b.speed_all(0.5)
    for source in ("page.write.done", "all.out", "turn.out"):
        b.speed(b.find(source)[0], turn)


@design(MIRROR, "naive")
def mirror_naive(b: Builder) -> None:
    """One page in the middle of the board: it works, and between two blocks everybody waits for it."""
    _mirror(b, 8, 1)


@design(MIRROR, "best")
def mirror_best(b: Builder) -> None:
    """Three pages: one fills, one waits for its last word, one empties, and no block waits for another. The long roads
    keep the pad's pace; the round from page to barrier to page runs at 1, so that pages come back soon."""
    _paced(b)


@design(MIRROR, "without-pages")
def mirror_without_pages(b: Builder) -> None:
    """All roads as in the best one, and a single page."""
    _paced(b, pages=1)


@design(MIRROR, "without-third")
def mirror_without_third(b: Builder) -> None:
    """Two pages: while one fills and one empties, the next block stands at the door for a while."""
    _paced(b, pages=2)


@design(MIRROR, "without-quick-turn")
def mirror_without_quick_turn(b: Builder) -> None:
    """Three pages, and all roads at the pad's pace: the barrier lets four go at once, and they trickle."""
    _paced(b, turn=0.5)


@design(MIRROR, "wrong-no-barrier")
def mirror_no_barrier(b: Builder) -> None:
    """Nobody waits for the block: the first thread looks for a word that has not come yet."""
    _paced(b)
    b.remove("all")
    b.wire("page.write.done", "turn.in")


@design(MIRROR, "wrong-too-early")
def mirror_too_early(b: Builder) -> None:
    """The barrier stands in front of the page: all set out together, and none knows what the others have written."""
    _paced(b)
    b.remove(b.find("threads.token")[0])
    b.remove(b.find("page.write.done")[0])
    b.wire("threads.token", "all.in", speed=0.5)
    b.wire("all.out", "page.write.at", speed=1)


@design(MIRROR, "wrong-whole")
def mirror_whole(b: Builder) -> None:
    """Turns the whole array round, and not each block."""
    _paced(b)
    b.set("turn", words=["w1", "11 - 4*w0 - w1"])


@design(MIRROR, "wrong-own-cell")
def mirror_own_cell(b: Builder) -> None:
    """Everyone reads what it wrote: nothing is turned round."""
    _paced(b)
    b.set("turn", words=["w1", "4*w0 + w1"])


@design(MIRROR, "wrong-block-ignored")
def mirror_block_ignored(b: Builder) -> None:
    """The index on the way out is the place in the block: the second block writes over the first."""
    _paced(b)
    b.set("turn", words=["3 - w1", "w1"])


@design(MIRROR, "wrong-three-reads")
def mirror_three_reads(b: Builder) -> None:
    """The page is given back after three reads, and the fourth thread finds it gone."""
    _paced(b)
    b.set("page", reads=3)
