"""Chapter 1, "GPU puzzles": the machines of levels 10, 12, 12b, 13 and 15, about sums."""

from __future__ import annotations

from engine.builder import Builder
from levels.house.registry import design

# --- 10 Dot ------------------------------------------------------------------------------------------------

DOT = "gpu-puzzles-10-dot"


def _dot(b: Builder, times: tuple[int, int], total: tuple[int, int], road: int | None = 17) -> None:
    """Both loads to a multiplier and an accumulate; the place to store at is known beforehand.

    The token's road to a has ``road`` tiles; b is 17 away.
    """
    b.pad("out", at=0)
    b.place("mul", times, "times")
    b.place("accumulate", total, "total", n=8)
    b.wire("t.token", "a.at", length=road)
    b.wire("t.token", "b.at")
    b.wire("a.value", "times.a")
    b.wire("b.value", "times.b")
    b.wire("times.out", "total.in")
    b.wire("total.out", "out.value")


def _dot_pace(b: Builder) -> None:
    """A near pad has a word every 4 ns; eight of them make one."""
    b.speed_all(every_ns=4)
    b.speed(b.find("total.out")[0], every_ns=32)


@design(DOT, "naive")
def dot_naive(b: Builder) -> None:
    """Multiplier in the middle, sum at the store, and the first token of eight walks along to say where."""
    first = b.place("take", (2, 11), "first", n=1, of=8)
    b.place("mul", (12, 6), "times")
    b.place("accumulate", (21, 6), "total", n=8)
    b.wire("t.token", "a.at")
    b.wire("t.token", "b.at")
    b.wire("t.token", first.in_)
    b.wire("a.value", "times.a")
    b.wire("b.value", "times.b")
    b.wire("times.out", "total.in")
    b.wire("total.out", "out.value")
    b.wire(first.out, "out.at", via=[(10, 11)])
    b.words("out.at", "0")


@design(DOT, "best")
def dot_best(b: Builder) -> None:
    """Product and sum between the two pads: one word of sixteen leaves, along a road for one word per launch."""
    _dot(b, (4, 4), (5, 4))
    _dot_pace(b)


@design(DOT, "without-near")
def dot_without_near(b: Builder) -> None:
    """The same, in step, with product and sum next to the store."""
    _dot(b, (21, 6), (22, 6))
    _dot_pace(b)


@design(DOT, "without-pace")
def dot_without_pace(b: Builder) -> None:
    """Well placed, and every wire at 1."""
    _dot(b, (4, 4), (5, 4))


@design(DOT, "wrong-a-times-a")
def dot_a_times_a(b: Builder) -> None:
    """Multiplies every word of a by itself and never reads b."""
    dot_best(b)
    for source in ("t.token", "a.value", "b.value"):
        b.remove(b.find(source)[-1])
    b.wire("a.value", "times.a", "times.b", every_ns=4)


@design(DOT, "wrong-skips-first")
def dot_skips_first(b: Builder) -> None:
    """Adds up seven products: the first one is let go."""
    dot_best(b)
    b.remove(b.find("times.out")[0])
    b.place("skip", (5, 5), "skip", n=1, of=8)
    b.wire("times.out", "skip.in", every_ns=4)
    b.wire("skip.out", "total.in", every_ns=4)
    b.set("total", n=7)


@design(DOT, "wrong-each-thread")
def dot_each_thread(b: Builder) -> None:
    """Every thread stores the sum."""
    dot_best(b)
    b.remove(b.find("total.out")[0])
    b.place("hold", (7, 5), "each", n=8)
    b.wire("total.out", "each.in", every_ns=4)
    b.wire("each.out", "out.value", every_ns=4)


@design(DOT, "wrong-seven")
def dot_seven(b: Builder) -> None:
    """Sums of seven where there are eight."""
    dot_best(b)
    b.set("total", n=7)


# --- 12 Block sum, 12b Ragged block sum --------------------------------------------------------------------

BLOCK = "gpu-puzzles-12-block-sum"
RAGGED = "gpu-puzzles-12b-ragged-block-sum"


def _through_shared(b: Builder, ragged: bool) -> None:
    """Every thread brings its word to shared memory; thread 0 of the block adds up when all are there."""
    if ragged:
        b.pad("a", other=0)
        b.place("guard", (2, 8), "rim", limits=[15, None, None], mode="mark")
    b.place("shared", (9, 6), "page", words=8)
    b.place("barrier", (9, 9), "full")
    b.place("guard", (12, 9), "first", limits=[1, None])
    b.place("repeat", (15, 9), "loop", times=8, append=True)
    b.place("accumulate", (18, 6), "sum", n=8)
    b.words("a.at", 0)
    b.words("page.write.at", 0)
    b.words("page.read.at", 2)
    if ragged:
        b.wire("t.token", "rim.in")
        b.wire("rim.out", "a.at")
        b.wire("t.token[1,2]", "page.write.at")
    else:
        b.wire("t.token", "a.at")
        b.wire("a.at[1,2]", "page.write.at")
    b.wire("a.value", "page.write.value")
    b.wire("page.write.done", "full.in")
    b.wire("full.out", "first.in")
    b.wire("first.out", "loop.in")
    b.wire("loop.out", "page.read.at")
    b.wire("page.read.value", "sum.in")
    b.wire("sum.out", "out.value")
    b.wire("first.out[1]", "out.at")


def _block_sum(b: Builder, column: int = 1) -> None:
    """An accumulate behind the load."""
    b.pad("out", at=0)
    b.place("accumulate", (column, 6), "sum", n=8)
    b.wire("t.token[0]", "a.at")
    b.wire("a.value", "sum.in")
    b.wire("sum.out", "out.value")


def _slow_exit(b: Builder) -> None:
    """A sum every 16 ns."""
    for end in ("out.value", "out.at"):
        for line in b.lines:
            if end in line.spec.to:
                b.speed(line, every_ns=16)


def _block_pace(b: Builder) -> None:
    """A token every 2 ns, a sum every 16."""
    b.speed_all(every_ns=2)
    _slow_exit(b)


@design(BLOCK, "naive")
def block_naive(b: Builder) -> None:
    """As on a GPU: eight words to shared memory, a barrier, and thread 0 adds them up."""
    _through_shared(b, ragged=False)


@design(BLOCK, "start")
def block_start(b: Builder) -> None:
    """It works: shared memory, a barrier, and thread 0 adds up."""
    _through_shared(b, ragged=False)


@design(BLOCK, "best")
def block_best(b: Builder) -> None:
    """The words of the block come in order, so one sum beside the load needs neither memory nor barrier."""
    _block_sum(b)
    _block_pace(b)


@design(BLOCK, "without-stream")
def block_without_stream(b: Builder) -> None:
    """Through shared memory, the roads out in step."""
    _through_shared(b, ragged=False)
    _slow_exit(b)


@design(BLOCK, "without-near")
def block_without_near(b: Builder) -> None:
    """The sum at the far end: eight words travel where one is needed."""
    _block_sum(b, column=22)
    _block_pace(b)


@design(BLOCK, "without-pace")
def block_without_pace(b: Builder) -> None:
    """The sum beside the load, and every wire at 1."""
    _block_sum(b)


@design(BLOCK, "wrong-seven")
def block_seven(b: Builder) -> None:
    """Sums of seven where there are eight."""
    block_best(b)
    b.set("sum", n=7)


@design(BLOCK, "wrong-running")
def block_running(b: Builder) -> None:
    """A running sum: the first word is handed out as the sum of all."""
    block_best(b)
    b.remove("sum")
    b.place("scan", (1, 6), "sum", n=8)
    b.wire("a.value", "sum.in", every_ns=2)
    b.wire("sum.out", "out.value", every_ns=2)


@design(BLOCK, "wrong-early")
def block_early(b: Builder) -> None:
    """Without the barrier, thread 0 adds up as soon as its own word is there."""
    block_naive(b)
    b.remove("full")
    b.wire("page.write.done", "first.in")


@design(BLOCK, "wrong-everyone")
def block_everyone(b: Builder) -> None:
    """All eight threads add up and store; and the page has been read by then."""
    block_naive(b)
    b.set("first", limits=[8, None])
    b.set("page", reads=64)


@design(RAGGED, "naive")
def ragged_naive(b: Builder) -> None:
    """As on a GPU, with a zero put into the page for the missing word: the cell's number goes round the load."""
    _through_shared(b, ragged=True)


def _ragged_sum(b: Builder, column: int = 1) -> None:
    """Marked before the load, zero at other, and an accumulate behind it."""
    b.pad("a", other=0)
    b.place("guard", (0, 10), "rim", limits=[15], mode="mark")
    b.place("take", (1, 11), "first", n=1, of=8)
    b.place("accumulate", (column, 6), "sum", n=8)
    b.wire("t.token[0]", "rim.in")
    b.wire("rim.out", "a.at")
    b.wire("a.value", "sum.in")
    b.wire("sum.out", "out.value")
    b.wire("t.token[2]", "first.in")
    b.wire("first.out", "out.at")


@design(RAGGED, "best")
def ragged_best(b: Builder) -> None:
    """The ragged thread goes on masked and counts as zero; one sum beside the load serves both blocks in turn."""
    _ragged_sum(b)
    _block_pace(b)


@design(RAGGED, "without-stream")
def ragged_without_stream(b: Builder) -> None:
    """Through shared memory, the roads out in step."""
    _through_shared(b, ragged=True)
    _slow_exit(b)


@design(RAGGED, "without-near")
def ragged_without_near(b: Builder) -> None:
    """The sum at the far end."""
    _ragged_sum(b, column=22)
    _block_pace(b)


@design(RAGGED, "without-pace")
def ragged_without_pace(b: Builder) -> None:
    """The sum beside the load, and every wire at 1."""
    _ragged_sum(b)


@design(RAGGED, "wrong-dropped")
def ragged_dropped(b: Builder) -> None:
    """Drops the thread without a word: the sum of its block has seven, and the next launch knocks."""
    ragged_best(b)
    b.set("rim", mode="drop")


@design(RAGGED, "wrong-grand-total")
def ragged_grand_total(b: Builder) -> None:
    """One sum over both blocks."""
    ragged_best(b)
    b.set("sum", n=16)


@design(RAGGED, "wrong-unguarded")
def ragged_unguarded(b: Builder) -> None:
    """Asks for a sixteenth word."""
    ragged_best(b)
    b.remove("rim")
    b.wire("t.token[0]", "a.at", every_ns=2)


@design(RAGGED, "wrong-block-ignored")
def ragged_block_ignored(b: Builder) -> None:
    """Reads by the local number: both blocks sum the first eight words."""
    ragged_best(b)
    b.remove(b.find("t.token")[0])
    b.wire("t.token[1]", "rim.in", every_ns=2)


# --- 13 Axis sum -------------------------------------------------------------------------------------------

AXIS = "gpu-puzzles-13-axis-sum"


def _axis_place(b: Builder) -> None:
    b.place("guard", (0, 10), "live", limits=[None, 6])
    b.words("a.at", 0, 1)
    b.words("out.at", 0, "0")


def _one_worker(b: Builder, column: int = 1) -> None:
    """Idle threads leave at the pad; one accumulate takes row after row."""
    _axis_place(b)
    b.place("take", (1, 10), "first", n=1, of=6)
    b.place("accumulate", (column, 6), "sum", n=6)
    b.wire("t.token", "live.in")
    b.wire("live.out", "a.at")
    b.wire("live.out[0]", "first.in")
    b.wire("a.value", "sum.in")
    b.wire("sum.out", "out.value")
    b.wire("first.out", "out.at")


def _four_workers(b: Builder) -> None:
    """Every row has its own sum; a comparison and a gate in front of it let the words of that row in."""
    _axis_place(b)
    b.place("take", (3, 10), "first", n=1, of=6)
    for row in range(4):
        y = 3 + 2 * row
        b.place("compare", (6, y), f"row{row}", op="eq", b=row)
        b.place("gate", (9, y), f"gate{row}")
        b.place("accumulate", (12, y), f"sum{row}", n=6)
    b.place("collect", (16, 6), "collect", n=4)
    b.wire("t.token", "live.in")
    b.wire("live.out", "a.at")
    b.wire("live.out[0]", "first.in")
    for row in range(4):
        b.wire("a.at[0]", f"row{row}.a")
        b.wire(f"row{row}.out", f"gate{row}.cond")
        b.wire("a.value", f"gate{row}.in")
        b.wire(f"gate{row}.out", f"sum{row}.in")
        b.wire(f"sum{row}.out", f"collect.i{row}")
    b.wire("collect.out", "out.value")
    b.wire("first.out", "out.at")


@design(AXIS, "naive")
def axis_naive(b: Builder) -> None:
    """Four rows, four sums: every word knocks at four gates, and three times it is not let in."""
    _four_workers(b)


def _axis_pace(b: Builder) -> None:
    """Six live tokens in 8 ns, and a sum in 8 ns."""
    for source in ("sum.out", "first.out"):
        for line in b.find(source):
            b.speed(line, every_ns=8)


@design(AXIS, "best")
def axis_best(b: Builder) -> None:
    """Rows come one behind the other: one sum beside the load takes them in turn, and hands out a word per row."""
    _one_worker(b)
    _axis_pace(b)


@design(AXIS, "without-one")
def axis_without_one(b: Builder) -> None:
    """Four sums, the roads behind them in step."""
    _four_workers(b)
    for row in range(4):
        b.speed(b.find(f"sum{row}.out")[0], every_ns=32)
    b.speed(b.find("collect.out")[0], every_ns=8)


@design(AXIS, "without-near")
def axis_without_near(b: Builder) -> None:
    """One sum, at the far end."""
    _one_worker(b, column=22)
    _axis_pace(b)


@design(AXIS, "without-pace")
def axis_without_pace(b: Builder) -> None:
    """One sum beside the load, and every wire at 1."""
    _one_worker(b)


@design(AXIS, "wrong-columns")
def axis_columns(b: Builder) -> None:
    """Six sums that take turns, one for each column."""
    axis_best(b)
    b.set("sum", n=4, ways=6)


@design(AXIS, "wrong-first-row")
def axis_first_row(b: Builder) -> None:
    """Ignores the block: the first row is summed four times."""
    axis_best(b)
    b.words("a.at", "0", 1)


@design(AXIS, "wrong-unguarded")
def axis_unguarded(b: Builder) -> None:
    """Eight threads read six words."""
    axis_best(b)
    b.set("live", limits=[None, 8])


@design(AXIS, "wrong-eight")
def axis_eight(b: Builder) -> None:
    """Sums of eight, and a row has six: two words of the next row are in it."""
    axis_best(b)
    b.set("sum", n=8)


# --- 15 Running sum ----------------------------------------------------------------------------------------

RUNNING = "gpu-puzzles-15-running-sum"


def _loop(b: Builder, column: int, gap: int, every_ns: float = 1) -> None:
    """The sum so far goes round a delay ``gap`` tiles below, and is 0 again after 16 words."""
    b.place("add", (column, 6), "add")
    b.place("delay", (column, 6 + gap), "back", slots=1, every=16)
    b.wire("add.out", "back.in", every_ns=every_ns)
    b.wire("back.out", "add.b", every_ns=every_ns)
    b.wire("a.value", "add.a")
    b.wire("add.out", "out.value")


def _ladder(b: Builder, column: int = 0, road: int | None = None) -> None:
    """Each rung adds what stands 1, 2, 4 and 8 places back; ``road`` is the length of the echo's way to the store."""
    for rung in range(4):
        b.place("delay", (column + rung, 5 - rung), f"back{rung}", slots=2**rung, every=16)
        b.place("add", (column + rung + 1, 5 - rung), f"add{rung}")
    b.wire("t.token", "a.at")
    source = "a.value"
    for rung in range(4):
        b.wire(source, f"back{rung}.in")
        b.wire(source, f"add{rung}.a")
        b.wire(f"back{rung}.out", f"add{rung}.b")
        source = f"add{rung}.out"
    b.wire(source, "out.value")
    b.wire("a.at", "out.at", length=road)


@design(RUNNING, "naive")
def running_naive(b: Builder) -> None:
    """The loop in the middle of the board, as wires come: 6 ns for each round, while six words could have come."""
    _loop(b, 11, gap=2)
    b.wire("t.token", "a.at")
    b.wire("t.token", "out.at")


@design(RUNNING, "best")
def running_best(b: Builder) -> None:
    """The ladder keeps the pace of the tokens, a word per ns; its four adders cost less than two far pads and the chip
    standing by while a loop goes round. The echo takes twelve tiles more, so that both roads hold as many words."""
    _ladder(b, road=35)


@design(RUNNING, "without-road")
def running_without_road(b: Builder) -> None:
    """The ladder, and the echo's shortest way to the store: it is full while sums are still on theirs."""
    _ladder(b)


@design(RUNNING, "without-echo")
def running_without_echo(b: Builder) -> None:
    """The ladder, with the token's own road to the store, which waits for the load as well."""
    _ladder(b)
    b.remove(b.find("a.at")[0])
    b.wire("t.token", "out.at")


def _near_loop(b: Builder) -> None:
    _loop(b, 1, gap=1, every_ns=0.15)
    b.wire("t.token", "a.at")
    b.wire("a.at", "out.at")
    for source in ("a.value", "a.at", "t.token"):
        b.speed(b.find(source)[0], every_ns=2.3)
    b.speed(b.find("add.out", "out.value")[0], every_ns=2.3)


@design(RUNNING, "without-ladder")
def running_without_ladder(b: Builder) -> None:
    """The loop at its best: as close and as fast as pays. A word every 2.3 ns."""
    _near_loop(b)


@design(RUNNING, "wrong-exclusive")
def running_exclusive(b: Builder) -> None:
    """Hands out the sum before the word is added."""
    _near_loop(b)
    b.remove(b.find("add.out", "out.value")[0])
    b.wire("back.out", "out.value", every_ns=2.3)


@design(RUNNING, "wrong-by-block")
def running_by_block(b: Builder) -> None:
    """Starts afresh with every block."""
    _near_loop(b)
    b.set("back", every=8)


@design(RUNNING, "wrong-one-rung-less")
def running_one_rung_less(b: Builder) -> None:
    """The last rung adds nothing: sums of the last eight words."""
    running_best(b)
    b.remove("back3")
    b.set("add3", b=0)


@design(RUNNING, "wrong-carry")
def running_carry(b: Builder) -> None:
    """The last delay starts afresh after every block: nothing is carried over."""
    running_best(b)
    b.set("back3", every=8)
