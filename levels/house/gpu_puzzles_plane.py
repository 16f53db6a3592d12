"""Chapter 1, "GPU puzzles": the machines of levels 04 and 05, where a token has a row and a column."""

from __future__ import annotations

from engine.builder import Builder
from levels.house.registry import design

# --- 04 Map 2D ---------------------------------------------------------------------------------------------

MAP_2D = "gpu-puzzles-04-map-2d"


def _map_2d(b: Builder) -> None:
    """One guard beside the pad, one road, and the echo. All three columns are there, so only the row has a limit."""
    b.place("guard", (0, 9), "inside", limits=[2, None])
    b.place("add", (10, 3), "ten", b=10)
    b.wire("threads.token", "inside.in")
    b.wire("inside.out", "a.at")
    b.wire("a.value", "ten.a")
    b.wire("ten.out", "out.value")
    b.wire("a.at", "out.at")


@design(MAP_2D, "naive")
def map_2d_naive(b: Builder) -> None:
    """A road to the load and one to the store, each with its guard where it ends."""
    b.place("guard", (0, 4), "may_read", limits=[2, 3])
    b.place("guard", (19, 4), "may_write", limits=[2, 3])
    b.place("add", (10, 3), "ten", b=10)
    b.wire("threads.token", "may_read.in")
    b.wire("may_read.out", "a.at")
    b.wire("threads.token", "may_write.in")
    b.wire("may_write.out", "out.at")
    b.wire("a.value", "ten.a")
    b.wire("ten.out", "out.value")


@design(MAP_2D, "best")
def map_2d_best(b: Builder) -> None:
    """Guarded beside the pad: six of nine travel, on one road to the memory, and home with their word. Up to the guard
    at the pad's pace, behind it at the memory's. Every thread has a column, so the guard looks at the row alone."""
    _map_2d(b)
    b.speed_all(every_ns=4)
    b.speed(b.find("threads.token")[0], every_ns=2)


@design(MAP_2D, "without-echo")
def map_2d_without_echo(b: Builder) -> None:
    """Two roads and two guards, all at a pace that the nine threads of a launch can keep."""
    map_2d_naive(b)
    b.speed_all(every_ns=3)


@design(MAP_2D, "without-pace")
def map_2d_without_pace(b: Builder) -> None:
    """One guard and one road, and everything at 1."""
    _map_2d(b)


@design(MAP_2D, "wrong-column-only")
def map_2d_column_only(b: Builder) -> None:
    """Guards the column, and lets the third row through."""
    map_2d_best(b)
    b.set("inside", limits=[None, 3])


@design(MAP_2D, "wrong-limits-swapped")
def map_2d_limits_swapped(b: Builder) -> None:
    """Three rows, two columns: it is the other way round."""
    map_2d_best(b)
    b.set("inside", limits=[3, 2])


@design(MAP_2D, "wrong-transposed")
def map_2d_transposed(b: Builder) -> None:
    """The store takes the column for the row."""
    map_2d_best(b)
    b.words("out.at", 1, 0)


@design(MAP_2D, "wrong-transposed-read")
def map_2d_transposed_read(b: Builder) -> None:
    """The load takes the column for the row, and there is no third one."""
    map_2d_best(b)
    b.words("a.at", 1, 0)


@design(MAP_2D, "wrong-row-only")
def map_2d_row_only(b: Builder) -> None:
    """Reads the first word of each row, whatever the column."""
    map_2d_best(b)
    b.words("a.at", 0, "0")


# --- 05 Broadcast ------------------------------------------------------------------------------------------

BROADCAST = "gpu-puzzles-05-broadcast"


def _ask_always(b: Builder) -> None:
    b.place("guard", (2, 8), "inside", limits=[2, 3])
    b.place("add", (8, 5), "sum")
    b.wire("threads.token", "inside.in")
    b.wire("inside.out", "a.at")
    b.words("a.at", 0, "0")
    b.wire("inside.out", "b.at")
    b.words("b.at", "0", 1)
    b.wire("a.value", "sum.a")
    b.wire("b.value", "sum.b")
    b.wire("a.at", "out.at")
    b.wire("sum.out", "out.value")


def _column_once(b: Builder) -> None:
    """The first thread of each row asks for the column's word; at ``out`` it is repeated, and so is its index."""
    b.place("take", (1, 6), "heads", n=1, of=3)
    b.place("hold", (17, 5), "thrice", n=3)
    b.place("repeat", (18, 6), "columns", times=3, append=True)
    b.wire("inside.out", "heads.in", every_ns=2)
    b.wire("heads.out", "a.at", every_ns=6)
    b.wire("a.value", "thrice.in", every_ns=6)
    b.wire("thrice.out", "sum.a", every_ns=2)
    b.wire("a.at[0]", "columns.in", every_ns=6)
    b.wire("columns.out", "out.at", every_ns=2)


def _row_once(b: Builder) -> None:
    """The first three threads ask for the row's words, which are repeated as a group."""
    b.place("take", (3, 8), "top", n=3, of=6)
    b.place("repeat", (18, 4), "again", times=2, group=3)
    b.wire("inside.out", "top.in", every_ns=2)
    b.wire("top.out", "b.at", every_ns=4)
    b.wire("b.value", "again.in", every_ns=4)
    b.wire("again.out", "sum.b", every_ns=2)


def _reuse(b: Builder, column: bool = True, row: bool = True) -> None:
    """Asks once for the column's words and once for the row's; the adder stands at ``out``."""
    b.place("guard", (1, 8), "inside", limits=[2, None])
    b.place("add", (18, 5), "sum")
    b.words("a.at", 0, "0")
    b.words("b.at", "0", 1)
    b.wire("threads.token", "inside.in", every_ns=2)
    if column:
        _column_once(b)
    else:
        b.wire("inside.out", "a.at", every_ns=2)
        b.wire("a.value", "sum.a", every_ns=3)
        b.wire("a.at", "out.at", every_ns=3)
    if row:
        _row_once(b)
    else:
        b.wire("inside.out", "b.at", every_ns=2)
        b.wire("b.value", "sum.b", every_ns=3)
    b.wire("sum.out", "out.value", every_ns=2)


@design(BROADCAST, "naive")
def broadcast_naive(b: Builder) -> None:
    """As it is written: every thread that has work asks for both of its words. Twelve reads, five of them needed."""
    _ask_always(b)


@design(BROADCAST, "best")
def broadcast_best(b: Builder) -> None:
    """Five reads. One word of the column serves three threads, and three of the row serve two rows. They are repeated
    at the far end, beside the adder, so that the long roads carry each word once and may be slow."""
    _reuse(b)


@design(BROADCAST, "without-column")
def broadcast_without_column(b: Builder) -> None:
    """Every thread asks for its row's word of the column: four reads more."""
    _reuse(b, column=False)


@design(BROADCAST, "without-row")
def broadcast_without_row(b: Builder) -> None:
    """Every thread asks for its column's word of the row: three reads more."""
    _reuse(b, row=False)


@design(BROADCAST, "wrong-swapped")
def broadcast_swapped(b: Builder) -> None:
    """Row and column change places on the way out."""
    _reuse(b)
    b.words("out.at", 1, 0)


@design(BROADCAST, "wrong-indices")
def broadcast_indices(b: Builder) -> None:
    """Adds the row's number and the column's, and not what lies there."""
    _ask_always(b)
    for line in (*b.find("a.value"), *b.find("b.value")):
        b.remove(line)
    b.wire("inside.out[0]", "sum.a")
    b.wire("inside.out[1]", "sum.b")


@design(BROADCAST, "wrong-first-word")
def broadcast_first_word(b: Builder) -> None:
    """The column's first word for all rows."""
    _reuse(b)
    b.words("a.at", "0", "0")


@design(BROADCAST, "wrong-never-reads-b")
def broadcast_never_reads_b(b: Builder) -> None:
    """Adds the column's word to itself."""
    _ask_always(b)
    for line in (b.find("inside.out", "b.at")[0], b.find("a.value")[0], b.find("b.value")[0]):
        b.remove(line)
    b.wire("a.value", "sum.a", "sum.b")


@design(BROADCAST, "wrong-twice")
def broadcast_twice(b: Builder) -> None:
    """The column's word is sent twice, and three are wanted: the next row's comes too early."""
    _reuse(b)
    b.set("thrice", n=2)


@design(BROADCAST, "wrong-pairs")
def broadcast_pairs(b: Builder) -> None:
    """Groups of two, three times: the row comes round at the wrong moment."""
    _reuse(b)
    b.set("again", times=3, group=2)


@design(BROADCAST, "wrong-unguarded-row")
def broadcast_unguarded_row(b: Builder) -> None:
    """The threads of the third row have no work, and ask for it."""
    _ask_always(b)
    b.set("inside", limits=[None, 3])
