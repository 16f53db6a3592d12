"""Chapter 2, "Wide roads": the machines of levels 1, 2 and 6, about lanes, their number and their lines."""

from __future__ import annotations

from engine.builder import Builder
from engine.handles import PortRef
from levels.house.registry import design

# --- 01 Four abreast ---------------------------------------------------------------------------------------

ABREAST = "wide-roads-01-four-abreast"


def _five(b: Builder, lanes: int, every_ns: float, packed: bool = False, less: int = 20) -> PortRef | str:
    """Five operations in a row between the pads, by warps of ``lanes``; with ``packed`` scalars are packed behind the
    load, and unpacked in front of the store. A road takes a packet ``every_ns``. Returns where the row ends."""
    b.pad("t", lanes=lanes)
    b.wire("t.token", "a.at", every_ns=every_ns)
    b.wire("a.at", "out.at", via=[(0, 6), (11, 6)], every_ns=every_ns)
    slow = every_ns * 4 if packed else every_ns
    end: PortRef | str = "a.value"
    if packed:
        pack = b.place("pack", (1, 4), "pack", n=4)
        b.wire(end, pack.in_, every_ns=every_ns)
        end = pack.out
    for n, (kind, name, number) in enumerate(
        (("add", "more", 37), ("xor", "mixed", 85), ("shl", "twice", 1), ("sub", "less", less), ("max", "least", 300))
    ):
        placed = b.place(kind, (2 + n, 4), name, b=number)
        b.wire(end, placed.a, every_ns=slow)
        end = placed.out
    if packed:
        unpack = b.place("unpack", (7, 4), "unpack")
        b.wire(end, unpack.in_, every_ns=slow)
        end = unpack.out
    return end


def _abreast(b: Builder, lanes: int, every_ns: float, packed: bool = False, less: int = 20) -> None:
    b.wire(_five(b, lanes, every_ns, packed, less), "out.value", every_ns=every_ns)


@design(ABREAST, "naive")
def abreast_naive(b: Builder) -> None:
    """One thread, one word: every word is five orders, and every access pays for four words."""
    _abreast(b, 1, 1)


@design(ABREAST, "best")
def abreast_best(b: Builder) -> None:
    """Warps of four from the pad to the store: an order serves four words, and an access is a whole line."""
    _abreast(b, 4, 1)


@design(ABREAST, "without-warps")
def abreast_without_warps(b: Builder) -> None:
    """Scalars at the best of speeds for them."""
    _abreast(b, 1, 1)


@design(ABREAST, "without-line")
def abreast_without_line(b: Builder) -> None:
    """Four words are packed when they have come: the orders are shared, and each line is still fetched four times."""
    _abreast(b, 1, 1, packed=True)


@design(ABREAST, "without-width")
def abreast_without_width(b: Builder) -> None:
    """Warps of two: half of each line is fetched for nothing, and there are twice as many orders."""
    _abreast(b, 2, 1)


@design(ABREAST, "wrong-reversed")
def abreast_reversed(b: Builder) -> None:
    """The lanes come home in reverse."""
    back = b.place("shuffle", (9, 4), "back", pattern="xor", k=3)
    b.wire(_five(b, 4, 1), back.in_, every_ns=1)
    b.wire(back.out, "out.value", every_ns=1)


@design(ABREAST, "wrong-first-lane")
def abreast_first_lane(b: Builder) -> None:
    """Every lane takes the word of lane 0, as if one address were enough for the values as well."""
    down = b.place("shuffle", (9, 4), "first", pattern="up", k=1)
    b.wire(_five(b, 4, 1), down.in_, every_ns=1)
    b.wire(down.out, "out.value", every_ns=1)


@design(ABREAST, "wrong-nineteen")
def abreast_nineteen(b: Builder) -> None:
    """One too little is taken off."""
    _abreast(b, 4, 1, less=19)


# --- 02 How wide? ------------------------------------------------------------------------------------------

WIDE = "wide-roads-02-how-wide"


def _ten(b: Builder, lanes: int, every_ns: float, words: int | None = 30, ten: int = 10) -> None:
    """Ten more for each, by warps of ``lanes``; a guard for ``words`` words beside the pad."""
    b.pad("t", lanes=lanes)
    if words is None:
        b.wire("t.token", "a.at", every_ns=every_ns)
    else:
        guard = b.place("guard", (0, 7), "inside", limits=[words], mode="mark")
        b.wire("t.token", guard.in_, every_ns=every_ns)
        b.wire(guard.out, "a.at", every_ns=every_ns)
    add = b.place("add", (2, 4), "ten", b=ten)
    b.wire("a.value", add.a, every_ns=every_ns)
    b.wire(add.out, "out.value", every_ns=every_ns)
    b.wire("a.at", "out.at", via=[(0, 5), (19, 5)], every_ns=every_ns)


@design(WIDE, "naive")
def wide_naive(b: Builder) -> None:
    """As wide as the level allows: four of eight lanes have no thread, and every road has eight tracks."""
    _ten(b, 8, 0.67)


@design(WIDE, "best")
def wide_best(b: Builder) -> None:
    """Four lanes for blocks of four: no lane is empty, but in the ragged block."""
    _ten(b, 4, 1)


@design(WIDE, "without-four")
def wide_without_four(b: Builder) -> None:
    """Eight lanes, at the best of speeds for them."""
    _ten(b, 8, 1)


@design(WIDE, "without-two")
def wide_without_two(b: Builder) -> None:
    """Two lanes: no lane is empty either, and there are twice as many orders and lines."""
    _ten(b, 2, 1)


@design(WIDE, "wrong-no-guard")
def wide_no_guard(b: Builder) -> None:
    """The last block's last lanes read behind the end."""
    _ten(b, 4, 1, None)


@design(WIDE, "wrong-drops-ragged")
def wide_drops_ragged(b: Builder) -> None:
    """The ragged block is sent home whole."""
    _ten(b, 4, 1, 28)


@design(WIDE, "wrong-one-more")
def wide_one_more(b: Builder) -> None:
    """One lane too many goes on."""
    _ten(b, 4, 1, 31)


@design(WIDE, "wrong-eleven")
def wide_eleven(b: Builder) -> None:
    """Eleven more."""
    _ten(b, 4, 1, ten=11)


# --- 06 Neighbours -----------------------------------------------------------------------------------------

NEIGHBOURS = "wide-roads-06-neighbours"


def _lines(b: Builder, place: str, lanes: int = 8, every_ns: float = 1) -> None:
    """Ten more for each; a thread of warp w0 and lane w1 works at ``place``."""
    b.pad("t", lanes=lanes)
    at = b.place("address", (0, 7), "place", words=[place])
    add = b.place("add", (2, 4), "ten", b=10)
    b.wire("t.token", at.in_, every_ns=every_ns)
    b.wire(at.out, "a.at", every_ns=every_ns)
    b.wire("a.value", add.a, every_ns=every_ns)
    b.wire(add.out, "out.value", every_ns=every_ns)
    b.wire("a.at", "out.at", via=[(0, 5), (19, 5)], every_ns=every_ns)


@design(NEIGHBOURS, "start")
def lines_start(b: Builder) -> None:
    """Each lane walks a row of its own."""
    _lines(b, "w0 + 8*w1")


@design(NEIGHBOURS, "naive")
def lines_naive(b: Builder) -> None:
    """The machine as it was found: each lane walks a row of its own, and each access takes eight lines."""
    _lines(b, "w0 + 8*w1")


@design(NEIGHBOURS, "best")
def lines_best(b: Builder) -> None:
    """Neighbouring lanes want neighbouring words: a warp is a line."""
    _lines(b, "8*w0 + w1")


@design(NEIGHBOURS, "without-neighbours")
def lines_without_neighbours(b: Builder) -> None:
    """Strided, at the best of speeds: the pads take 8 ns for a warp."""
    _lines(b, "w0 + 8*w1", every_ns=8)


@design(NEIGHBOURS, "without-lanes")
def lines_without_lanes(b: Builder) -> None:
    """Neighbours, four at a time: each line is fetched twice."""
    _lines(b, "4*w0 + w1", lanes=4)


@design(NEIGHBOURS, "wrong-overlap")
def lines_overlap(b: Builder) -> None:
    """Warps seven words apart."""
    _lines(b, "7*w0 + w1")


@design(NEIGHBOURS, "wrong-beyond")
def lines_beyond(b: Builder) -> None:
    """Counts places from 1."""
    _lines(b, "8*w0 + w1 + 1")


@design(NEIGHBOURS, "wrong-turned")
def lines_turned(b: Builder) -> None:
    """Reads by lines and writes by columns: the square is turned."""
    _lines(b, "8*w0 + w1")
    b.set("place", words=["8*w0 + w1", "w0 + 8*w1"])
    b.words("a.at", 0)
    b.words("out.at", 1)
