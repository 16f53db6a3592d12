"""Chapter 1, "GPU puzzles": the machines of levels 14a and 14b, about matrix products."""

from __future__ import annotations

from collections.abc import Callable

from engine.builder import Builder
from levels.house.registry import design

# --- 14a Matmul, 2 × 2 -------------------------------------------------------------------------------------

SMALL = "gpu-puzzles-14a-matmul"


def _small_by_rows(b: Builder) -> None:
    live = b.place("guard", (2, 15), "live", limits=[2, 2])
    step = b.place("repeat", (4, 15), "step", times=2, append=True)
    times = b.place("mul", (16, 8), "times")
    two = b.place("accumulate", (20, 8), "two", n=2)
    b.wire("t.token", live.in_)
    b.wire(live.out, step.in_)
    b.wire(step.out[0, 2], "a.at")
    b.wire(step.out[2, 1], "b.at")
    b.wire("a.value", times.a)
    b.wire("b.value", times.b)
    b.wire(times.out, two.in_)
    b.wire(two.out, "out.value")
    b.wire(live.out, "out.at")


@design(SMALL, "naive")
def small_naive(b: Builder) -> None:
    """Every thread walks along its row and down its column: sixteen reads, each of them 48 pJ."""
    _small_by_rows(b)


@design(SMALL, "start")
def small_start(b: Builder) -> None:
    """It works, and reads every number twice."""
    _small_by_rows(b)


def _outer(b: Builder, n: int, k: int) -> Callable[[], None]:
    """Places what follows the two loads: n words of a and n of b, k times over, into n × n sums. Returns the wiring."""
    rows = b.place("hold", (8, 6), "rows", n=n)
    columns = b.place("repeat", (8, 2), "columns", times=n, group=n)
    times = b.place("mul", (8, 4), "times")
    sums = b.place("accumulate", (10, 4), "sums", n=k, ways=n * n)

    def wire() -> None:
        b.wire("a.value", rows.in_)
        b.wire("b.value", columns.in_)
        b.wire(rows.out, times.a)
        b.wire(columns.out, times.b)
        b.wire(times.out, sums.in_)
        b.wire(sums.out, "out.value")

    return wire


def _small_outer(b: Builder, size: int = 2) -> None:
    live = b.place("guard", (1, 15), "live", limits=[size, size] + [None] * (2 if size == 3 else 0))
    wire_outer = _outer(b, size, size)
    b.wire("t.token", live.in_)
    b.wire(live.out[1, 0], "a.at")
    b.wire(live.out[0, 1], "b.at")
    wire_outer()
    b.wire("a.at[1,0]", "out.at")


def _in_step(b: Builder) -> None:
    """Nine tokens every 18 ns of which four are live: the roads are as slow as their bursts allow."""
    b.speed_all(every_ns=2)
    for source in ("live.out", "sums.out"):
        for line in b.find(source):
            b.speed(line, every_ns=3)
    for source in ("a.value", "b.value", "a.at"):
        for line in b.find(source):
            b.speed(line, every_ns=4)


@design(SMALL, "best")
def small_best(b: Builder) -> None:
    """k is the outer loop: thread (k, i) fetches a[i, k] and b[k, i]. Each word is read once and used twice, the four
    sums take turns, and the place to store at comes back with the word of a."""
    _small_outer(b)
    _in_step(b)


@design(SMALL, "without-reuse")
def small_without_reuse(b: Builder) -> None:
    """Sixteen reads, at speeds that suit them."""
    _small_by_rows(b)
    b.speed_all(every_ns=2)
    for line in b.find("live.out"):
        b.speed(line, every_ns=3)
    b.speed(b.find("live.out", "out.at")[0], every_ns=4)


@design(SMALL, "without-pace")
def small_without_pace(b: Builder) -> None:
    """Eight reads, and every wire as it came, at 1."""
    _small_outer(b)


@design(SMALL, "without-echo")
def small_without_echo(b: Builder) -> None:
    """The place to store at goes its own way, past the loads, and waits there for 40 ns more."""
    _small_outer(b)
    b.remove(b.find("a.at")[0])
    b.wire("live.out", "out.at")
    _in_step(b)


@design(SMALL, "wrong-a-times-a")
def small_a_times_a(b: Builder) -> None:
    """Multiplies every word of a by itself and never reads b."""
    _small_by_rows(b)
    for source in ("a.value", "b.value", "step.out[2,1]"):
        b.remove(next(line for line in b.lines if line.spec.source == source))
    b.wire("a.value", "times.a", "times.b")


@design(SMALL, "wrong-transposed")
def small_transposed(b: Builder) -> None:
    """Stores every sum on the wrong side of the diagonal."""
    _small_by_rows(b)
    b.words("out.at", 1, 0)


@design(SMALL, "wrong-out-of-step")
def small_out_of_step(b: Builder) -> None:
    """Both sides send each word twice in a row: a0 meets b0 only, and b1 meets a1."""
    small_best(b)
    b.set("columns", group=1)


@design(SMALL, "wrong-two-ways")
def small_two_ways(b: Builder) -> None:
    """Two sums take turns where there are four."""
    small_best(b)
    b.set("sums", ways=2)


@design(SMALL, "wrong-no-guard")
def small_no_guard(b: Builder) -> None:
    """Nine threads, and a matrix of four."""
    small_best(b)
    b.remove("live")
    b.wire("t.token[1,0]", "a.at", every_ns=2)
    b.wire("t.token", "b.at", every_ns=2)


# --- 14b Matmul, 8 × 8 in tiles ----------------------------------------------------------------------------

TILES = "gpu-puzzles-14b-matmul-tiles"


@design(TILES, "naive")
def tiles_naive(b: Builder) -> None:
    """As the textbook has it: every thread brings one word of either tile to shared memory, waits for the others, and
    takes its three products. A second barrier keeps the next tile out until this one has been read."""
    b.pad("a", other=0)
    b.pad("b", other=0)
    walk = b.place("repeat", (2, 15), "walk", times=3, group=9, append=True)
    at_a = b.place("address", (2, 10), "at_a", words=["w0", "3*w4 + w3"])
    rim_a = b.place("guard", (2, 7), "rim_a", limits=[8, 8], mode="mark")
    at_b = b.place("address", (6, 2), "at_b", words=["3*w4 + w2", "w1"])
    rim_b = b.place("guard", (8, 2), "rim_b", limits=[8, 8], mode="mark")
    empty = b.place("barrier", (4, 13), "empty", n=9, ahead=1)
    cell = b.place("address", (9, 10), "cell", words=["3*w0 + w1", "3*w0 + w1 + 9"])
    tile = b.place("shared", (12, 7), "tile", words=18, reads=54, ports={"write": 2, "read": 2})
    both = b.place("tuple", (12, 10), "both")
    full = b.place("barrier", (16, 13), "full", n=9)
    step = b.place("repeat", (19, 13), "step", times=3, append=True)
    pick = b.place("address", (19, 10), "pick", words=["3*w0 + w2", "3*w2 + w1 + 9"])
    times = b.place("mul", (18, 7), "times")
    three = b.place("accumulate", (21, 7), "three", n=3)
    tiles = b.place("accumulate", (24, 7), "tiles", n=3, ways=9)
    rim = b.place("guard", (28, 15), "rim", limits=[8, 8], mode="mark")

    b.wire("t.token", walk.in_)
    b.wire(walk.out, at_a.in_)
    b.wire(at_a.out, rim_a.in_)
    b.wire(rim_a.out, "a.at")
    b.wire(walk.out, at_b.in_)
    b.wire(at_b.out, rim_b.in_)
    b.wire(rim_b.out, "b.at")
    b.wire(walk.out[2, 3], empty.in_)

    b.wire(empty.out, full.in_)
    b.wire(empty.out, cell.in_)
    b.wire(cell.out[0], tile.write.at)
    b.wire(cell.out[1], tile.write2.at)
    b.wire("a.value", tile.write.value)
    b.wire("b.value", tile.write2.value)
    b.wire(tile.write.done, both.a)
    b.wire(tile.write2.done, both.b)
    b.wire(both.out, full.arrive)

    b.wire(full.out, step.in_)
    b.wire(step.out, pick.in_)
    b.wire(pick.out[0], tile.read.at)
    b.wire(pick.out[1], tile.read2.at)
    b.wire(tile.read.value, times.a)
    b.wire(tile.read2.value, times.b)
    b.wire(times.out, three.in_)
    b.wire(three.out, tiles.in_)
    b.wire(three.out, empty.arrive)

    b.wire("t.token[0,1]", rim.in_)
    b.wire(rim.out, "out.at")
    b.wire(tiles.out, "out.value")


@design(TILES, "start")
def tiles_start(b: Builder) -> None:
    """The machine of the last level with threes for twos: one tile of one block, taken for the whole."""
    _small_outer(b, 3)


def _walk(b: Builder, strip: bool) -> None:
    """Places the walk along the tiles with k outside, and wires it to both loads.

    The store needs no guard: a sum past the rim has had masked words only, and is masked itself. With ``strip`` a is
    read for the first block of a row of blocks only.
    """
    walk = b.place("repeat", (1, 15), "walk", times=3, append=True)
    if strip:
        first = b.place("take", (1, 14), "first", n=27, of=81)
    at_a = b.place("address", (1, 12), "at_a", words=["w0 - w2 + w4", "3*w2 + w3"])
    rim_a = b.place("guard", (1, 11), "rim_a", limits=[8, 8], mode="mark")
    at_b = b.place("address", (2, 15), "at_b", words=["3*w2 + w3", "w1 - w3 + w4"])
    rim_b = b.place("guard", (3, 15), "rim_b", limits=[8, 8], mode="mark")
    b.wire("t.token", walk.in_)
    b.wire(walk.out, "first.in" if strip else at_a.in_)
    if strip:
        b.wire(first.out, at_a.in_)
    b.wire(walk.out, at_b.in_)
    b.wire(at_a.out, rim_a.in_)
    b.wire(at_b.out, rim_b.in_)
    b.wire(rim_a.out, "a.at")
    b.wire(rim_b.out, "b.at")


def _lanes(b: Builder, room: int, strip: bool = True) -> None:
    """Three lanes, the word of a coming by a road of ``room`` tiles, which takes as long as that of b."""
    if strip:
        b.place("repeat", (1, 7), "strip", times=3, group=27)
    fork = b.place("relay", (8, 6), "fork")
    deal = b.place("deal", (8, 2), "deal", n=3)
    for lane in range(3):
        b.place("hold", (6 + 2 * lane, 3), f"hold{lane}", n=3)
        b.place("mul", (6 + 2 * lane, 4), f"times{lane}")
        b.place("accumulate", (7 + 2 * lane, 4), f"sum{lane}", n=9, ways=3)
    collect = b.place("collect", (13, 4), "collect", n=3)
    _walk(b, strip)
    if strip:
        b.wire("a.value", "strip.in")
    b.wire("strip.out" if strip else "a.value", fork.in_, length=room)
    b.wire("b.value", deal.in_)
    for lane in range(3):
        b.wire(fork.out, f"times{lane}.a")
        b.wire(deal[f"o{lane}"], f"hold{lane}.in")
        b.wire(f"hold{lane}.out", f"times{lane}.b")
        b.wire(f"times{lane}.out", f"sum{lane}.in")
        b.wire(f"sum{lane}.out", collect[f"i{lane}"])
    b.wire(collect.out, "out.value")
    b.wire("t.token[0,1]", "out.at", length=46, every_ns=3)


@design(TILES, "best")
def tiles_best(b: Builder) -> None:
    """Thread k of a block fetches three words of column k of a, and three of row k of b; each of the nine products
    goes to a sum of its own. Three lanes hold one word of b each while three of a go by, and a strip of a is kept for
    all three blocks of its row. No shared memory, no barrier; the tokens' road to the store is as long as the sums
    take."""
    _lanes(b, room=12)


@design(TILES, "without-strip")
def tiles_without_strip(b: Builder) -> None:
    """Every block reads its rows of a afresh."""
    _lanes(b, room=13, strip=False)


def _one_lane(b: Builder) -> None:
    wire_outer = _outer(b, 3, 9)
    _walk(b, strip=False)
    wire_outer()
    b.wire("t.token[0,1]", "out.at", every_ns=8)


@design(TILES, "without-lanes")
def tiles_without_lanes(b: Builder) -> None:
    """One multiplier for 729 products: three pads of far memory stand by for three times as long."""
    _one_lane(b)


@design(TILES, "wrong-reads-again")
def tiles_reads_again(b: Builder) -> None:
    """Holds the address where it should hold the word: every word of a is fetched three times."""
    _one_lane(b)
    for source in ("rim_a.out", "a.value", "rows.out"):
        b.remove(b.find(source)[0])
    b.wire("rim_a.out", "rows.in")
    b.wire("rows.out", "a.at")
    b.wire("a.value", "times.a")


@design(TILES, "wrong-two-tiles")
def tiles_two_tiles(b: Builder) -> None:
    """Walks two of three tiles; the sums close over what belongs to the next block."""
    tiles_naive(b)
    b.set("walk", times=2)


@design(TILES, "wrong-early")
def tiles_early(b: Builder) -> None:
    """Without the barrier in front of the reads: a thread picks up its neighbours' words before they are there."""
    tiles_naive(b)
    b.remove("full")
    b.remove("both")
    b.wire("empty.out", "step.in")


@design(TILES, "wrong-overrun")
def tiles_overrun(b: Builder) -> None:
    """Without the barrier at the end of a tile: the next tile comes while this one is still being read."""
    tiles_naive(b)
    b.remove("empty")
    b.wire("walk.out[2,3]", "full.in")
    b.wire("walk.out[2,3]", "cell.in")


@design(TILES, "wrong-locked-out")
def tiles_locked_out(b: Builder) -> None:
    """The barrier at the end of a tile lets not even the first one in."""
    tiles_naive(b)
    b.set("empty", ahead=0)


@design(TILES, "wrong-no-rim")
def tiles_no_rim(b: Builder) -> None:
    """Reads past the edge of a: the ninth row is not there."""
    tiles_naive(b)
    b.remove("rim_a")
    b.wire("at_a.out", "a.at")


@design(TILES, "wrong-a-times-at")
def tiles_a_times_at(b: Builder) -> None:
    """Both words come from the tile of a: the blocks on the diagonal become a·aᵀ."""
    tiles_naive(b)
    b.set("pick", words=["3*w0 + w2", "3*w1 + w2"])


@design(TILES, "wrong-transposed")
def tiles_transposed(b: Builder) -> None:
    """Stores every sum on the wrong side of the diagonal."""
    tiles_naive(b)
    b.words("out.at", 1, 0)
