"""Chapter 1, "GPU puzzles": the machines of levels 11 and 11b, about convolutions."""

from __future__ import annotations

from engine.builder import Builder
from levels.house.registry import design

# --- Data that walks past held weights ---------------------------------------------------------------------


def _walk_past(b: Builder, size: int, taps: int, echo: bool = True) -> None:
    """The last word of a first, past ``taps`` held weights: what comes out is out[i] when a[i] comes in."""
    b.place("guard", (0, 9), "live", limits=[size])
    b.place("address", (0, 8), "back", words=[f"{size - 1} - w0"])
    b.place("guard", (1, 11), "taps", limits=[taps])
    b.place("deal", (6, 2), "deal", n=taps)
    for tap in range(taps):
        x = 1 + 2 * (taps - tap)
        b.place("hold", (x, 4), f"hold{tap}", n=size)
        b.place("mac" if tap < taps - 1 else "mul", (x, 5), f"tap{tap}")
        if tap:
            b.place("delay", (x + 1, 5), f"delay{tap}", slots=1, every=size)
    b.wire("t.token[0]", "live.in")
    b.wire("t.token[0]", "taps.in")
    b.wire("live.out", "back.in")
    b.wire("back.out", "a.at")
    b.wire("taps.out", "b.at")
    b.wire("b.value", "deal.in")
    for tap in range(taps):
        b.wire(f"deal.o{tap}", f"hold{tap}.in")
        b.wire(f"hold{tap}.out", f"tap{tap}.b")
        b.wire("a.value", f"tap{tap}.a")
        if tap:
            b.wire(f"tap{tap}.out", f"delay{tap}.in")
            b.wire(f"delay{tap}.out", f"tap{tap - 1}.c")
    b.wire("tap0.out", "out.value")
    b.wire("a.at" if echo else "back.out", "out.at")


def _walk_pace(b: Builder) -> None:
    """A token every 2 ns; each hold needs a weight per launch, and not too late."""
    b.speed_all(every_ns=2)
    for line in b.lines:
        if line.source == "deal":
            b.speed(line, every_ns=4)


def _flip(b: Builder, taps: int) -> None:
    """Exchange the first and the last weight."""
    for tap, other in ((0, taps - 1), (taps - 1, 0)):
        b.remove(b.find(f"deal.o{tap}", f"hold{tap}.in")[0])
        b.wire(f"deal.o{tap}", f"hold{other}.in", every_ns=4)


# --- 11 Convolution ----------------------------------------------------------------------------------------

SHORT = "gpu-puzzles-11-convolution"


@design(SHORT, "start")
def short_start(b: Builder) -> None:
    """Three reads of a and three of b for each output. It is right, and reads twice as much as it may."""
    live = b.place("guard", (2, 11), "live", limits=[6])
    step = b.place("repeat", (4, 11), "step", times=3, append=True)
    pick = b.place("address", (6, 9), "pick", words=["w0 + w1", "w1"])
    rim = b.place("guard", (6, 6), "rim", limits=[6, None], mode="mark")
    times = b.place("mul", (13, 6), "times")
    total = b.place("accumulate", (17, 6), "sum", n=3)
    b.wire("t.token", live.in_)
    b.wire(live.out, step.in_)
    b.wire(step.out, pick.in_)
    b.wire(pick.out, rim.in_)
    b.wire(rim.out[0], "a.at")
    b.wire(rim.out[1], "b.at")
    b.wire("a.value", times.a)
    b.wire("b.value", times.b)
    b.wire(times.out, total.in_)
    b.wire(total.out, "out.value")
    b.wire(live.out, "out.at")


def _window(b: Builder) -> None:
    """Words and weights go to shared memory once; each thread goes round with its window."""
    b.place("guard", (2, 11), "live", limits=[6])
    b.place("guard", (4, 9), "taps", limits=[3])
    b.place("shared", (9, 6), "tile", words=6, reads=18)
    b.place("shared", (9, 3), "weights", words=3, reads=18)
    b.place("barrier", (12, 11), "full", n=9)
    b.place("repeat", (14, 11), "step", times=3, append=True)
    b.place("address", (16, 11), "pick", words=["w0 + w1", "w1"])
    b.place("guard", (16, 9), "rim", limits=[6, None], mode="mark")
    b.place("mul", (13, 4), "times")
    b.place("accumulate", (17, 6), "sum", n=3)
    b.wire("t.token", "live.in")
    b.wire("t.token", "taps.in")
    b.wire("live.out", "a.at")
    b.wire("taps.out", "b.at")
    b.wire("a.at", "tile.write.at")
    b.wire("a.value", "tile.write.value")
    b.wire("b.at", "weights.write.at")
    b.wire("b.value", "weights.write.value")
    b.wire("tile.write.done", "full.arrive")
    b.wire("weights.write.done", "full.arrive")
    b.wire("live.out", "full.in")
    b.wire("full.out", "step.in")
    b.wire("step.out", "pick.in")
    b.wire("pick.out", "rim.in")
    b.wire("rim.out[0]", "tile.read.at")
    b.wire("rim.out[1]", "weights.read.at")
    b.wire("tile.read.value", "times.a")
    b.wire("weights.read.value", "times.b")
    b.wire("times.out", "sum.in")
    b.wire("sum.out", "out.value")
    b.wire("live.out", "out.at")


@design(SHORT, "naive")
def short_naive(b: Builder) -> None:
    """As on a GPU: words and weights go to shared memory once, and after a barrier each thread reads its window."""
    _window(b)


@design(SHORT, "best")
def short_best(b: Builder) -> None:
    """Each weight is held for six words, and the words walk past from the last to the first: the right neighbour has
    just been here, and past the end a delay gives the zero. The echo says where to store."""
    _walk_past(b, 6, 3)
    _walk_pace(b)


@design(SHORT, "without-still")
def short_without_still(b: Builder) -> None:
    """Through shared memory, with two pages, so that one launch fills them while the one before reads."""
    _window(b)
    b.set("tile", pages=2)
    b.set("weights", pages=2)


@design(SHORT, "without-pace")
def short_without_pace(b: Builder) -> None:
    """Weights held, and every wire at 1."""
    _walk_past(b, 6, 3)


@design(SHORT, "without-echo")
def short_without_echo(b: Builder) -> None:
    """Weights held, and the address has its own road to the store, on which it waits for the load."""
    _walk_past(b, 6, 3, echo=False)
    _walk_pace(b)


def _sent_again(b: Builder) -> None:
    """One repeat in front of the deal, in place of three holds behind it."""
    short_best(b)
    for tap in range(3):
        b.remove(f"hold{tap}")
    b.remove(b.find("b.value")[0])
    again = b.place("repeat", (6, 1), "again", times=6, group=3)
    b.wire("b.value", again.in_, every_ns=2)
    b.wire(again.out, "deal.in", every_ns=0.67)
    for tap in range(3):
        b.wire(f"deal.o{tap}", f"tap{tap}.b", every_ns=2)


@design(SHORT, "without-holds")
def short_without_holds(b: Builder) -> None:
    """The three weights are sent six times by one repeat: fewer cores, and the deal works six times as often."""
    _sent_again(b)


@design(SHORT, "wrong-reads-again")
def short_reads_again(b: Builder) -> None:
    """Repeats the addresses where it should repeat the words: the weights are fetched for every output."""
    _sent_again(b)
    for source in ("taps.out", "b.value", "again.out"):
        b.remove(b.find(source)[0])
    b.wire("taps.out", "again.in", every_ns=2)
    b.wire("again.out", "b.at", every_ns=0.67)
    b.wire("b.value", "deal.in", every_ns=2)


@design(SHORT, "wrong-flipped")
def short_flipped(b: Builder) -> None:
    """The weights in the wrong order: a convolution as in books, where the puzzle wants a correlation."""
    short_best(b)
    _flip(b, 3)


@design(SHORT, "wrong-wraps")
def short_wraps(b: Builder) -> None:
    """Past the end it goes on at the beginning."""
    short_naive(b)
    b.remove("rim")
    b.place("mod", (16, 9), "wrap", b=6)
    b.wire("pick.out[0]", "wrap.a")
    b.wire("wrap.out", "tile.read.at")
    b.wire("pick.out[1]", "weights.read.at")


@design(SHORT, "wrong-no-rim")
def short_no_rim(b: Builder) -> None:
    """Reads on past the end of the page."""
    short_naive(b)
    b.remove("rim")
    b.wire("pick.out[0]", "tile.read.at")
    b.wire("pick.out[1]", "weights.read.at")


@design(SHORT, "wrong-early")
def short_early(b: Builder) -> None:
    """No barrier: the first thread looks for its neighbours before they have come."""
    short_naive(b)
    b.remove("full")
    b.wire("live.out", "step.in")


@design(SHORT, "wrong-skips-tap")
def short_skips_tap(b: Builder) -> None:
    """Leaves the first weight out of every sum."""
    short_naive(b)
    b.remove(b.find("times.out")[0])
    b.place("skip", (15, 4), "skip", n=1, of=3)
    b.wire("times.out", "skip.in")
    b.wire("skip.out", "sum.in")
    b.set("sum", n=2)


# --- 11b Long convolution ----------------------------------------------------------------------------------

LONG = "gpu-puzzles-11b-long-convolution"


def _tiles(b: Builder) -> None:
    """Every block brings its words, the halo and the weights to its pages; what lies past the end is masked."""
    b.place("guard", (2, 11), "live", limits=[15, None], mode="mark")
    b.place("repeat", (2, 9), "twice", times=2, append=True)
    b.place("address", (2, 8), "halo", words=["w0 + 8*w2", "w1 + 8*w2"])
    b.place("guard", (2, 6), "edge", limits=[15, 11], mode="mark")
    b.place("guard", (5, 9), "taps", limits=[None, 4])
    b.place("shared", (9, 6), "tile", words=11, reads=32)
    b.place("shared", (9, 3), "weights", words=4, reads=32)
    b.place("barrier", (12, 11), "full", n=20)
    b.place("repeat", (14, 11), "step", times=4, append=True)
    b.place("address", (16, 11), "pick", words=["w0 + w2", "w1 + w2", "w2"])
    b.place("guard", (16, 9), "rim", limits=[15, None, None], mode="mark")
    b.place("mul", (13, 4), "times")
    b.place("accumulate", (17, 6), "sum", n=4)
    b.words("a.at", 0)
    b.words("b.at", 1)
    b.words("tile.write.at", 1)
    b.words("weights.write.at", 1)
    b.wire("t.token", "live.in")
    b.wire("t.token", "twice.in")
    b.wire("t.token", "taps.in")
    b.wire("twice.out", "halo.in")
    b.wire("halo.out", "edge.in")
    b.wire("edge.out", "a.at")
    b.wire("taps.out", "b.at")
    b.wire("a.at", "tile.write.at")
    b.wire("a.value", "tile.write.value")
    b.wire("b.at", "weights.write.at")
    b.wire("b.value", "weights.write.value")
    b.wire("tile.write.done", "full.arrive")
    b.wire("weights.write.done", "full.arrive")
    b.wire("live.out", "full.in")
    b.wire("full.out", "step.in")
    b.wire("step.out", "pick.in")
    b.wire("pick.out", "rim.in")
    b.wire("rim.out[1]", "tile.read.at")
    b.wire("rim.out[2]", "weights.read.at")
    b.wire("tile.read.value", "times.a")
    b.wire("weights.read.value", "times.b")
    b.wire("times.out", "sum.in")
    b.wire("sum.out", "out.value")
    b.wire("live.out[0]", "out.at")


@design(LONG, "naive")
def long_naive(b: Builder) -> None:
    """As on a GPU: every block keeps its words, a halo of three and the weights in shared memory."""
    _tiles(b)


@design(LONG, "best")
def long_best(b: Builder) -> None:
    """Each weight is held for fifteen words that walk past from the last to the first; blocks do not matter, and no
    word is read twice."""
    _walk_past(b, 15, 4)
    _walk_pace(b)


@design(LONG, "without-still")
def long_without_still(b: Builder) -> None:
    """Through shared memory, with two pages, so that one block fills them while the other reads."""
    _tiles(b)
    b.set("tile", pages=2)
    b.set("weights", pages=2)


@design(LONG, "without-echo")
def long_without_echo(b: Builder) -> None:
    """Weights held, and the address has its own road to the store, on which it waits for the load."""
    _walk_past(b, 15, 4, echo=False)
    _walk_pace(b)


@design(LONG, "wrong-no-halo")
def long_no_halo(b: Builder) -> None:
    """Every block brings its own eight words only."""
    long_naive(b)
    b.set("edge", limits=[15, 8])


@design(LONG, "wrong-no-rim")
def long_no_rim(b: Builder) -> None:
    """Does not mask what lies past the end: those cells were never written."""
    long_naive(b)
    b.set("rim", limits=[None, None, None])


@design(LONG, "wrong-one-page")
def long_one_page(b: Builder) -> None:
    """Gives the page back after the reads of seven threads; the eighth finds it gone."""
    long_naive(b)
    b.set("tile", reads=28)


@design(LONG, "wrong-cut")
def long_cut(b: Builder) -> None:
    """The delays start afresh after eight words: neighbours across the edge of the block are forgotten."""
    long_best(b)
    for tap in range(1, 4):
        b.set(f"delay{tap}", every=8)


@design(LONG, "wrong-flipped")
def long_flipped(b: Builder) -> None:
    """The first and the last weight change places."""
    long_best(b)
    _flip(b, 4)
