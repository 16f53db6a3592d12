"""Chapter 2, "Wide roads": the machines of levels 7, 8 and 10, which turn a square of eight by eight words."""

from __future__ import annotations

from engine.builder import Builder
from levels.house.registry import design

COLUMNS, BANKS, PAGES = "wide-roads-07-columns", "wide-roads-08-nine-banks", "wide-roads-10-two-pages"

ROW, ACROSS = "8*w0 + w1", "w0 + 8*w1"
"""Places of warp w0 and lane w1: in a row, and across it in a column."""


def _far_turn(b: Builder, read: str, write: str, every_ns: float) -> None:
    """The turn is done by one of the two pads: a warp reads at ``read`` and writes at ``write``."""
    b.pad("t", lanes=8)
    at = b.place("address", (0, 6), "place", words=[read, write])
    b.wire("t.token", at.in_, every_ns=every_ns)
    b.wire(at.out, "a.at", every_ns=every_ns)
    b.words("a.at", 0)
    b.wire("a.value", "out.value", every_ns=every_ns)
    b.wire("a.at[1]", "out.at", via=[(0, 5), (19, 5)], every_ns=every_ns)


def _turn(
    b: Builder,
    every_ns: float = 1,
    quick: float | None = None,
    pad: int = 1,
    pages: int = 1,
    barrier: int | None = 64,
    read: str = ACROSS,
    words: int = 64,
    write: str = ROW,
) -> None:
    """Rows into a page, all wait, columns out of it. ``pad`` places are left out after each row of the page.

    Roads to the page and on to the barrier take a packet every ``quick`` ns, all others every ``every_ns``.
    """
    quick = quick or every_ns
    b.pad("t", lanes=8)
    at = b.place("address", (0, 7), "place", words=[ROW, read] if write == ROW else [ROW, read, write])
    row = {"row": 8, "pad": pad} if pad else {}
    page = b.place("shared", (2, 4), "page", words=words, **({"pages": pages} if pages > 1 else {}), **row)
    b.wire("t.token", at.in_, every_ns=every_ns)
    b.wire(at.out, "a.at", every_ns=every_ns)
    b.words("a.at", 0)
    b.wire("a.value", page.write.value, every_ns=quick)
    b.wire("a.at", page.write.at, via=[(0, 5), (2, 5)], every_ns=quick)
    b.words(page.write.at, 0 if write == ROW else 2)
    if barrier is None:
        b.wire(page.write.done, page.read.at, via=[(2, 3), (3, 3), (3, 4)], every_ns=quick)
    else:
        wait = b.place("barrier", (3, 5), "all", **({} if barrier == 64 else {"n": barrier}))
        b.wire(page.write.done, wait.in_, every_ns=quick)
        b.wire(wait.out, page.read.at, every_ns=quick)
    b.words(page.read.at, 1)
    b.wire(page.read.value, "out.value", every_ns=every_ns)
    b.wire("page.read.at[0]", "out.at", via=[(2, 6), (19, 6)], every_ns=every_ns)


# --- 07 Columns --------------------------------------------------------------------------------------------


@design(COLUMNS, "naive")
def columns_naive(b: Builder) -> None:
    """Rows are read, and columns are written: each warp writes eight lines."""
    _far_turn(b, ROW, ACROSS, 1)


@design(COLUMNS, "best")
def columns_best(b: Builder) -> None:
    """Rows on both sides: the square is turned in a page, behind a barrier, since a column has words of all warps. A
    second page lets the next square come in meanwhile."""
    _turn(b, 1.6, 1, pad=0, pages=2)


@design(COLUMNS, "without-turn")
def columns_without_turn(b: Builder) -> None:
    """Columns are written, at the best of speeds: eight lines take the pad 8 ns."""
    _far_turn(b, ROW, ACROSS, 8)


@design(COLUMNS, "without-pages")
def columns_without_pages(b: Builder) -> None:
    """One page, and roads as they come: while the page is emptied nobody reads."""
    _turn(b, pad=0)


@design(COLUMNS, "wrong-columns")
def columns_columns(b: Builder) -> None:
    """Columns are read, and rows are written: 64 lines."""
    _far_turn(b, ACROSS, ROW, 1)


@design(COLUMNS, "wrong-no-barrier")
def columns_no_barrier(b: Builder) -> None:
    """A warp reads its column when it has written its row."""
    _turn(b, 1.6, 1, pad=0, pages=2, barrier=None)


@design(COLUMNS, "wrong-own-row")
def columns_own_row(b: Builder) -> None:
    """Rows are read out of the page as they went in."""
    _turn(b, 1.6, 1, pad=0, pages=2, read=ROW)


# --- 08 Nine banks -----------------------------------------------------------------------------------------


@design(BANKS, "start")
def banks_start(b: Builder) -> None:
    """The machine of the last level."""
    _turn(b, 4, pad=0, pages=2)


@design(BANKS, "naive")
def banks_naive(b: Builder) -> None:
    """The machine as it was found: a column lies in one bank, and a warp takes eight cycles to read it."""
    _turn(b, 4, pad=0, pages=2)


@design(BANKS, "best")
def banks_best(b: Builder) -> None:
    """A word is left out after each row, so that a column lies in all eight banks."""
    _turn(b, 1.8, 1.3, pages=2)


@design(BANKS, "without-pad")
def banks_without_pad(b: Builder) -> None:
    """No padding, at the best of speeds."""
    _turn(b, 8, 5, pad=0, pages=2)


@design(BANKS, "without-pace")
def banks_without_pace(b: Builder) -> None:
    """Padded, and all roads twice as fast as the machine needs."""
    _turn(b, pages=2)


@design(BANKS, "wrong-no-barrier")
def banks_no_barrier(b: Builder) -> None:
    """A warp reads its column when it has written its row."""
    _turn(b, 1.8, 1.3, pages=2, barrier=None)


@design(BANKS, "wrong-by-luck")
def banks_by_luck(b: Builder) -> None:
    """A buffer where the barrier belongs, and a road so slow that all is written when the first warp comes to read: all
    words would be right, by luck."""
    _turn(b, 1.8, 1.3, pages=2)
    b.remove("all")
    queue = b.place("buffer", (3, 5), "queue", slots=8)
    b.wire("page.write.done", queue.in_, every_ns=1.3)
    b.wire(queue.out, "page.read.at", every_ns=40)


@design(BANKS, "wrong-one-side")
def banks_one_side(b: Builder) -> None:
    """Padded by hand in the address, when writing and not when reading."""
    _turn(b, 4, pad=0, pages=2, words=72, write="9*w0 + w1")


# --- 10 Two pages ------------------------------------------------------------------------------------------


@design(PAGES, "start")
def pages_start(b: Builder) -> None:
    """The machine of level 8, with one page."""
    _turn(b)


@design(PAGES, "naive")
def pages_naive(b: Builder) -> None:
    """The machine as it was found: while the page is emptied nobody may write."""
    _turn(b)


@design(PAGES, "best")
def pages_best(b: Builder) -> None:
    """Two pages: one is filled while the other is emptied, and the memory need not wait."""
    _turn(b, 1.6, 0.8, pages=2)


@design(PAGES, "without-pages")
def pages_without_pages(b: Builder) -> None:
    """One page, at the best of speeds."""
    _turn(b, 1.2, 0.4)


@design(PAGES, "without-pad")
def pages_without_pad(b: Builder) -> None:
    """Two pages, and columns that lie in one bank."""
    _turn(b, 8, 3, pad=0, pages=2)


@design(PAGES, "wrong-no-barrier")
def pages_no_barrier(b: Builder) -> None:
    """Two pages and no barrier: a warp reads what others have still to write."""
    _turn(b, 1.6, 0.8, pages=2, barrier=None)


@design(PAGES, "wrong-half-a-barrier")
def pages_half_a_barrier(b: Builder) -> None:
    """Half of the threads are waited for: the page is read while it is filled."""
    _turn(b, 1.6, 0.8, pages=2, barrier=32)


@design(PAGES, "wrong-three-pages")
def pages_three(b: Builder) -> None:
    """A third page: there is no room for it."""
    _turn(b, 1.6, 0.8, pages=3)
