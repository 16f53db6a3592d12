"""Chapter 1, "GPU puzzles": the machines of levels 09 and 09b, sums over neighbours."""

from __future__ import annotations

from engine.builder import Builder
from levels.house.registry import design

# --- 09 Pooling --------------------------------------------------------------------------------------------

POOLING = "gpu-puzzles-09-pooling"


def _page(b: Builder, pages: int = 1) -> None:
    """Everyone's word goes into a page; behind the barrier each thread reads three cells and sums them."""
    b.place("shared", (6, 6), "page", words=8, pages=pages, reads=24)
    b.place("barrier", (6, 10), "all")
    b.place("repeat", (8, 10), "window", times=3, append=True)
    b.place("address", (10, 10), "cell", words=["w0 + w1 - 2", "w0"])
    b.place("guard", (10, 8), "cut", limits=[8, None], mode="mark")
    b.place("accumulate", (10, 6), "sum", n=3)
    b.place("skip", (10, 4), "last", n=2, of=3)
    b.wire("threads.token", "a.at")
    b.wire("a.value", "page.write.value")
    b.wire("a.at", "page.write.at")
    b.wire("page.write.done", "all.in")
    b.wire("all.out", "window.in")
    b.wire("window.out", "cell.in")
    b.wire("cell.out", "cut.in")
    b.wire("cut.out", "page.read.at")
    b.words("page.read.at", 0)
    b.wire("page.read.value", "sum.in")
    b.wire("page.read.at[1]", "last.in")
    b.wire("sum.out", "out.value")
    b.wire("last.out", "out.at")


def _delays(b: Builder, every: int) -> None:
    """The word, the one before it and the one before that, by three roads of equal room, to two adders; the index
    goes home beside the sum, and takes as long."""
    b.place("delay", (1, 6), "one", slots=1, every=every)
    b.place("delay", (2, 6), "two", slots=2, every=every)
    b.place("add", (1, 5), "pair")
    b.place("add", (2, 5), "sum")
    b.wire("a.value", "pair.a", via=[(0, 5)])
    b.wire("a.value", "one.in")
    b.wire("a.value", "two.in", via=[(0, 7), (2, 7)])
    b.wire("one.out", "pair.b")
    b.wire("pair.out", "sum.a")
    b.wire("two.out", "sum.b")
    b.wire("sum.out", "out.value", via=[(23, 5)])
    b.wire("a.at", "out.at", via=[(0, 7), (22, 7), (22, 8), (23, 8)])


def _pooling(b: Builder) -> None:
    b.wire("threads.token", "a.at")
    _delays(b, 8)


@design(POOLING, "start")
def pooling_start(b: Builder) -> None:
    """As on a GPU: copy a word each into shared memory, wait for all, read three."""
    _page(b)


@design(POOLING, "naive")
def pooling_naive(b: Builder) -> None:
    """The machine as it was found: one read a word, and one page, so that launches wait for each other."""
    _page(b)


@design(POOLING, "best")
def pooling_best(b: Builder) -> None:
    """Two delays keep the two words that have just passed. No page, no barrier, nobody waits; and the delays' own
    zeros, at the head of each launch, are the cut at 0."""
    _pooling(b)


@design(POOLING, "without-line")
def pooling_without_line(b: Builder) -> None:
    """Shared memory with three pages, so that launches overlap; each word is still written once and read thrice."""
    _page(b, pages=3)


@design(POOLING, "without-echo")
def pooling_without_echo(b: Builder) -> None:
    """The index goes home on a road of its own, which is too short for all that the far memory has in flight."""
    _pooling(b)
    b.remove(b.find("a.at")[0])
    b.wire("threads.token", "out.at")


@design(POOLING, "wrong-restarts")
def pooling_restarts(b: Builder) -> None:
    """The delays start afresh after four words, as at the edge of a block that is not there."""
    _pooling(b)
    b.set("one", every=4)
    b.set("two", every=4)


@design(POOLING, "wrong-next-launch")
def pooling_next_launch(b: Builder) -> None:
    """The delays count sixteen words, two launches: the cut at 0 is forgotten where a launch begins."""
    _pooling(b)
    b.set("one", every=16)
    b.set("two", every=16)


@design(POOLING, "wrong-two-words")
def pooling_two_words(b: Builder) -> None:
    """Both delays shift by one: a[i−1] twice, and a[i−2] not at all."""
    _pooling(b)
    b.set("two", slots=1)


@design(POOLING, "wrong-no-cut")
def pooling_no_cut(b: Builder) -> None:
    """The window is not cut at 0: thread 0 reads a cell that no page has."""
    _page(b)
    b.set("cut", limits=[None, None])


@design(POOLING, "wrong-drops-first")
def pooling_drops_first(b: Builder) -> None:
    """The cut is one word too late: whatever a[0] is in, it is left out."""
    _page(b)
    b.set("cell", words=["w0 + w1 - 2", "w0", "w0 + w1 - 3"])
    b.set("cut", limits=[8, None, 8])


@design(POOLING, "wrong-no-barrier")
def pooling_no_barrier(b: Builder) -> None:
    """Nobody waits for the neighbours' words."""
    _page(b)
    b.remove("all")
    b.wire("page.write.done", "window.in")


@design(POOLING, "wrong-three-reads")
def pooling_three_reads(b: Builder) -> None:
    """Every thread reads its three words from far memory: right, and 21 reads where 8 words are."""
    b.place("repeat", (2, 10), "window", times=3, append=True)
    b.place("address", (4, 10), "cell", words=["w0 + w1 - 2", "w0"])
    b.place("guard", (4, 8), "cut", limits=[8, None], mode="mark")
    b.place("accumulate", (6, 6), "sum", n=3)
    b.place("skip", (6, 8), "last", n=2, of=3)
    b.wire("threads.token", "window.in")
    b.wire("window.out", "cell.in")
    b.wire("cell.out", "cut.in")
    b.wire("cut.out", "a.at")
    b.words("a.at", 0)
    b.wire("a.value", "sum.in")
    b.wire("a.at[1]", "last.in")
    b.wire("sum.out", "out.value")
    b.wire("last.out", "out.at")


# --- 09b Pooling over blocks -------------------------------------------------------------------------------

BLOCKS = "gpu-puzzles-09b-pooling-over-blocks"


def _halo(b: Builder, pages: int = 1) -> None:
    """Pages of ten cells: a block's own words behind the two before them, read by threads 0 and 1 a second time."""
    b.place("repeat", (2, 10), "twice", times=2, append=True)
    # The word's index, its cell, and a number below 8 for own words (k = 0) and those of threads 0 and 1 (k = 1).
    b.place("address", (2, 8), "which", words=["8*w0 + w1 - 2*w2", "w1 + 2 - 2*w2", "w1 + 6*w2"])
    b.place("guard", (2, 6 + 1), "rim", limits=[20, None, 8], mode="mark")
    b.place("shared", (6, 6), "page", words=10, pages=pages, reads=24)
    b.place("barrier", (6, 10), "all", n=16)
    b.place("repeat", (8, 10), "window", times=3, append=True)
    b.place("address", (10, 10), "cell", words=["w1 + w2", "8*w0 + w1 + w2 - 2", "8*w0 + w1"])
    b.place("guard", (10, 8), "cut", limits=[None, 20, 20], mode="mark")
    b.place("accumulate", (10, 6), "sum", n=3)
    b.place("skip", (10, 4), "last", n=2, of=3)
    b.wire("threads.token", "twice.in")
    b.wire("twice.out", "which.in")
    b.wire("which.out", "rim.in")
    b.wire("rim.out[0,1]", "a.at")
    b.words("a.at", 0)
    b.wire("a.value", "page.write.value")
    b.wire("a.at", "page.write.at")
    b.words("page.write.at", 1)
    b.wire("page.write.done[0]", "all.arrive")
    b.wire("threads.token", "all.in", via=[(0, 12)])
    b.wire("all.out", "window.in")
    b.wire("window.out", "cell.in")
    b.wire("cell.out", "cut.in")
    b.wire("cut.out[0,2]", "page.read.at")
    b.words("page.read.at", 0)
    b.wire("page.read.value", "sum.in")
    b.wire("page.read.at[1]", "last.in")
    b.wire("sum.out", "out.value")
    b.wire("last.out", "out.at")


def _line(b: Builder) -> None:
    """Guard, load, two delays and two adders; the echo goes home beside the sums."""
    b.place("address", (0, 9), "index", words=["8*w0 + w1"])
    b.place("guard", (0, 8), "inside", limits=[20])
    b.wire("threads.token", "index.in")
    b.wire("index.out", "inside.in")
    b.wire("inside.out", "a.at")
    _delays(b, 20)


@design(BLOCKS, "naive")
def blocks_naive(b: Builder) -> None:
    """As on a GPU: each block copies its words and the two before them into a page, waits for all, and every thread
    sums three cells. With one page, the next block waits until the last one has read."""
    _halo(b)


@design(BLOCKS, "best")
def blocks_best(b: Builder) -> None:
    """The word of two threads ago has just passed here: two delays keep it, and each word is read once. No page, no
    barrier, and a block's edge is a word like any other."""
    _line(b)


@design(BLOCKS, "without-line")
def blocks_without_line(b: Builder) -> None:
    """Pages with a halo once more, but three of them, and room for the threads that wait: no block waits for another.
    Still four reads more, and twenty-four words written and fifty-seven read where two delays would do."""
    _halo(b, pages=3)
    b.insert("buffer", b.find("threads.token", "all.in")[0], "room", slots=24)


@design(BLOCKS, "without-echo")
def blocks_without_echo(b: Builder) -> None:
    """The index goes home on a road of its own, which is too short for all that the far memory has in flight."""
    _line(b)
    b.remove(b.find("a.at")[0])
    b.wire("inside.out", "out.at")


@design(BLOCKS, "wrong-edges")
def blocks_edges(b: Builder) -> None:
    """The delays start afresh with every block, as pages do: sums at an edge lack words, and the last group, of four,
    is never full."""
    _line(b)
    b.set("one", every=8)
    b.set("two", every=8)


@design(BLOCKS, "wrong-next-launch")
def blocks_next_launch(b: Builder) -> None:
    """The delays count forty words, two launches: the cut at 0 is forgotten where a launch begins."""
    _line(b)
    b.set("one", every=40)
    b.set("two", every=40)


@design(BLOCKS, "wrong-no-cut")
def blocks_no_cut(b: Builder) -> None:
    """The window is not cut at 0: thread 0 reads two cells that nobody wrote."""
    _halo(b)
    b.set("cut", limits=[None, None, 20])


@design(BLOCKS, "wrong-drops-first")
def blocks_drops_first(b: Builder) -> None:
    """The cut is one word too late, and a[0] is in no sum."""
    _halo(b)
    b.set("cell", words=["w1 + w2", "8*w0 + w1 + w2 - 3", "8*w0 + w1"])


@design(BLOCKS, "wrong-no-barrier")
def blocks_no_barrier(b: Builder) -> None:
    """Nobody waits: the first thread reads while the page is still to be written."""
    _halo(b)
    b.remove("all")
    b.wire("threads.token", "window.in")


@design(BLOCKS, "wrong-block-ignored")
def blocks_ignored(b: Builder) -> None:
    """The index is the thread's place in its block: the second block writes where the first one has."""
    _line(b)
    b.set("index", words=["w1"])
    for delay in ("one", "two"):
        b.set(delay, every=24)


@design(BLOCKS, "wrong-unguarded")
def blocks_unguarded(b: Builder) -> None:
    """The last four threads have no word, and read past the end."""
    _line(b)
    b.set("inside", limits=[None])


@design(BLOCKS, "wrong-three-reads")
def blocks_three_reads(b: Builder) -> None:
    """Every thread reads its three words from far memory: right, and 57 reads where 20 words are."""
    b.place("address", (0, 9), "index", words=["8*w0 + w1"])
    b.place("guard", (0, 8), "inside", limits=[20])
    b.place("repeat", (2, 8), "window", times=3, append=True)
    b.place("address", (4, 8), "back", words=["w0 + w1 - 2", "w0"])
    b.place("guard", (4, 6), "cut", limits=[20, None], mode="mark")
    b.place("accumulate", (6, 5), "sum", n=3)
    b.place("skip", (6, 7), "last", n=2, of=3)
    b.wire("threads.token", "index.in")
    b.wire("index.out", "inside.in")
    b.wire("inside.out", "window.in")
    b.wire("window.out", "back.in")
    b.wire("back.out", "cut.in")
    b.wire("cut.out", "a.at")
    b.words("a.at", 0)
    b.wire("a.value", "sum.in")
    b.wire("a.at[1]", "last.in")
    b.wire("sum.out", "out.value")
    b.wire("last.out", "out.at")


@design(BLOCKS, "wrong-no-halo")
def blocks_no_halo(b: Builder) -> None:
    """Each block copies its own words only; the first thread of the second block looks for two that are not there."""
    _halo(b)
    b.set("which", words=["8*w0 + w1 - 2*w2", "w1 + 2 - 2*w2", "w1 + 8*w2"])
