"""Chapter 2, "Wide roads": the machines of levels 9a, 9b, 11 and 12: keys made twice or kept, trees, and the roof."""

from __future__ import annotations

from typing import Literal

from engine.builder import Builder
from engine.handles import PortRef
from levels.house.registry import design

AGAIN, NOT_AGAIN = "wide-roads-09a-again", "wide-roads-09b-not-again"

Keeping = Literal["again", "shared", "buffer", "road"]
"""Where a key comes from when the sum is known: made again, or kept in a shared memory, a buffer or on its road."""

CHEAP = (("xor", 5), ("add", 3))
DEAR = (("add", 40), ("div", 3), ("mul", 7), ("mod", 50), ("mul", 11))


def _key(b: Builder, parts: tuple[tuple[str, int], ...], x: int, row: int, every_ns: float) -> PortRef:
    """The key of the place that the load echoes, made in ``row`` from column ``x`` on. Returns where it leaves."""
    end: PortRef | str = "a.at"
    for n, (kind, number) in enumerate(parts):
        placed = b.place(kind, (x + n, row), f"{'first' if x == 1 else 'second'}{n}", b=number)
        b.wire(end, placed.a, every_ns=every_ns)
        end = placed.out
    assert isinstance(end, PortRef)
    return end


def _keys(
    b: Builder,
    parts: tuple[tuple[str, int], ...],
    keeping: Keeping,
    every_ns: float,
    quick: float | None = None,
    lanes: int = 8,
    held: int = 1,
    slots: int = 2,
) -> None:
    """All words are mixed with their keys and summed; every place then gets the sum less its key.

    The long roads take a packet every ``every_ns``, those between neighbours every ``quick`` ns.
    """
    quick = quick or every_ns
    warps, x, last = 64 // lanes, len(parts) + 1, b.level.board.size[0] - 1
    b.pad("t", lanes=lanes)
    mix = b.place("xor", (x, 4), "mix")
    lane_sums = b.place("accumulate", (x + 1, 4), "sums", n=warps)
    total = b.place("reduce", (x + 2, 4), "total", op="add")
    again = b.place("hold", (x + 3, 4), "again", n=held * warps)
    less = b.place("sub", (last - 1, 4), "less")
    b.wire("t.token", "a.at", every_ns=every_ns)
    key = _key(b, parts, 1, 5, quick)
    b.wire("a.value", mix.a, every_ns=every_ns)
    b.wire(key, mix.b, every_ns=quick)
    b.wire(mix.out, lane_sums.in_, every_ns=quick)
    b.wire(lane_sums.out, total.in_, every_ns=quick)
    b.wire(total.out, again.in_, every_ns=quick)
    if keeping == "shared":
        keys = b.place("shared", (x + 1, 7), "keys", words=64, pages=2)
        pick = b.place("tuple", (x + 3, 7), "pick")
        b.wire(key, keys.write.value, every_ns=quick)
        b.wire("a.at", keys.write.at, via=[(0, 8)], every_ns=quick)
        b.wire(keys.write.done, pick.a, every_ns=quick)
        b.wire(again.out, pick.b, every_ns=quick)
        b.wire(pick.out, keys.read.at, every_ns=quick)
        b.words(keys.read.at, 0)
        b.wire("keys.read.at[1]", less.a, every_ns=every_ns)
        b.wire(keys.read.value, less.b, every_ns=every_ns)
        b.wire("keys.read.at[0]", "out.at", every_ns=every_ns)
    else:
        b.wire(again.out, less.a, every_ns=every_ns)
        b.wire("a.at", "out.at", via=[(0, 8), (last, 8)], every_ns=every_ns)
        match keeping:
            case "again":
                b.wire(_key(b, parts, last - 1 - len(parts), 6, every_ns), less.b, every_ns=every_ns)
            case "buffer":
                store = b.place("buffer", (x + 2, 6), "store", slots=slots)
                b.wire(key, store.in_, every_ns=every_ns)
                b.wire(store.out, less.b, every_ns=every_ns)
            case "road":
                b.wire(key, less.b, every_ns=every_ns)
    b.wire(less.out, "out.value", every_ns=every_ns)


# --- 09a Again ---------------------------------------------------------------------------------------------


@design(AGAIN, "start")
def again_start(b: Builder) -> None:
    """All keys wait in a shared memory until the sum is known."""
    _keys(b, CHEAP, "shared", 1)


@design(AGAIN, "naive")
def again_naive(b: Builder) -> None:
    """The machine as it was found: all keys wait in a shared memory until the sum is known."""
    _keys(b, CHEAP, "shared", 1)


@design(AGAIN, "best")
def again_best(b: Builder) -> None:
    """Only places wait, one word for eight lanes, and the keys are made again from them."""
    _keys(b, CHEAP, "again", 1.4, 0.9)


@design(AGAIN, "without-again")
def again_without_again(b: Builder) -> None:
    """Keys in a shared memory, at the best of speeds."""
    _keys(b, CHEAP, "shared", 2.2, 0.9)


@design(AGAIN, "without-places")
def again_without_places(b: Builder) -> None:
    """Keys in a buffer, which is the cheapest way to keep them, and still eight tracks across the board."""
    _keys(b, CHEAP, "buffer", 1.6, 1, slots=4)


@design(AGAIN, "without-lanes")
def again_without_lanes(b: Builder) -> None:
    """Made again, by warps of four: each line is fetched twice, and there are twice as many orders."""
    _keys(b, CHEAP, "again", 1.6, 0.7, lanes=4)


@design(AGAIN, "wrong-no-sum")
def again_no_sum(b: Builder) -> None:
    """The keys are asked for when the place comes by, and the sum is not waited for."""
    _keys(b, CHEAP, "shared", 1)
    b.remove(b.find("keys.write.done")[0])
    b.wire("a.at", "pick.a")
    b.remove(b.find("again.out")[0])
    b.set("pick", b=0)


@design(AGAIN, "wrong-stale")
def again_stale(b: Builder) -> None:
    """The sum of a launch is held for sixteen warps, eight of them of the next launch."""
    _keys(b, CHEAP, "again", 1.4, 0.9, held=2)


@design(AGAIN, "wrong-four")
def again_four(b: Builder) -> None:
    """The key that is made again is another one."""
    _keys(b, CHEAP, "again", 1.4, 0.9)
    b.set("second1", b=4)


# --- 09b Not again -----------------------------------------------------------------------------------------


@design(NOT_AGAIN, "naive")
def not_again_naive(b: Builder) -> None:
    """The machine of the last level: every key is made twice."""
    _keys(b, DEAR, "again", 8)


@design(NOT_AGAIN, "best")
def not_again_best(b: Builder) -> None:
    """The keys of a launch wait in a buffer until the sum is known: they come back in the order in which they came."""
    _keys(b, DEAR, "buffer", 12, 6)


@design(NOT_AGAIN, "without-keep")
def not_again_without_keep(b: Builder) -> None:
    """Every key is made twice, at the best of speeds."""
    _keys(b, DEAR, "again", 12, 6)


@design(NOT_AGAIN, "without-order")
def not_again_without_order(b: Builder) -> None:
    """Keys in a shared memory: kept, and at a price that a buffer does not have."""
    _keys(b, DEAR, "shared", 12, 3)


@design(NOT_AGAIN, "wrong-reversed")
def not_again_reversed(b: Builder) -> None:
    """The kept keys are handed back in the reverse order of lanes."""
    _keys(b, DEAR, "buffer", 12, 6)
    b.remove(b.find("store.out")[0])
    back = b.place("shuffle", (10, 6), "back", pattern="xor", k=7)
    b.wire("store.out", back.in_, every_ns=12)
    b.wire(back.out, "less.b", every_ns=12)


@design(NOT_AGAIN, "wrong-shifted")
def not_again_shifted(b: Builder) -> None:
    """A delay in place of the buffer: each warp gets the key of the one before."""
    _keys(b, DEAR, "buffer", 12, 6)
    lines = [*b.find("store.out"), *[line for line in b.lines if "store.in" in line.spec.to]]
    paths = [line.spec for line in lines]
    b.remove("store")
    b.place("delay", (8, 6), "store", slots=1, every=8)
    for spec in paths:
        b.wire(spec.source, *spec.to, every_ns=12)


@design(NOT_AGAIN, "wrong-seconds")
def not_again_seconds(b: Builder) -> None:
    """The sum is held for seven warps: the eighth waits for that of the next launch."""
    _keys(b, DEAR, "buffer", 12, 6)
    b.set("again", n=7)


# --- 11 Log steps ------------------------------------------------------------------------------------------

STEPS = "wide-roads-11-log-steps"


def _home(b: Builder, every_ns: float, slow: float) -> None:
    """The echoed place goes home, lane 0 alone."""
    lone = b.place("guard", (1, 6), "lone", limits=[None, 1], mode="mark")
    b.wire("a.at", lone.in_, via=[(0, 6)], every_ns=every_ns)
    b.wire("lone.out[0]", "out.at", via=[(11, 6)], every_ns=slow)


def _tree(b: Builder, every_ns: float, slow: float, distances: tuple[int, ...] = (4, 2, 1), lanes: int = 8) -> None:
    """Each lane takes the word of the lane so far up, and adds it; three times."""
    b.pad("t", lanes=lanes)
    b.wire("t.token", "a.at", every_ns=slow)
    end: PortRef | str = "a.value"
    for n, k in enumerate(distances):
        moved = b.place("shuffle", (1 + 2 * n, 3), f"down{n}", pattern="down", k=k)
        add = b.place("add", (2 + 2 * n, 4), f"add{n}")
        b.wire(end, moved.in_, every_ns=every_ns)
        b.wire(end, add.a, every_ns=every_ns)
        b.wire(moved.out, add.b, every_ns=every_ns)
        end = add.out
    b.wire(end, "out.value", every_ns=slow)
    _home(b, every_ns, slow)


@design(STEPS, "naive")
def steps_naive(b: Builder) -> None:
    """As in the last chapter: the lanes go one by one to an adder beside the memory, 64 ns for a launch."""
    _one_by_one(b, 0.8, 0.8)


def _one_by_one(b: Builder, every_ns: float, slow: float) -> None:
    b.pad("t", lanes=8)
    apart = b.place("unpack", (1, 4), "apart")
    total = b.place("accumulate", (2, 4), "total", n=8)
    b.wire("t.token", "a.at", every_ns=slow)
    b.wire("a.value", apart.in_, every_ns=slow)
    b.wire(apart.out, total.in_, every_ns=every_ns)
    b.wire(total.out, "out.value", every_ns=slow)
    _home(b, slow, slow)


@design(STEPS, "best")
def steps_best(b: Builder) -> None:
    """Three steps of a shuffle and an addition; the sum is right in lane 0, and the guard lets that one store it."""
    _tree(b, 0.8, 1.4)


@design(STEPS, "without-tree")
def steps_without_tree(b: Builder) -> None:
    """One lane behind the other, at the best of speeds."""
    _one_by_one(b, 0.85, 6.8)


@design(STEPS, "wrong-distance")
def steps_distance(b: Builder) -> None:
    """The last step goes too far: odd lanes are left out."""
    _tree(b, 0.8, 1.4, (4, 2, 2))


@design(STEPS, "wrong-everyone")
def steps_everyone(b: Builder) -> None:
    """Nobody is held back from storing: eight lanes want one word."""
    _tree(b, 0.8, 1.4)
    b.set("lone", limits=[None, 8])


@design(STEPS, "wrong-up")
def steps_up(b: Builder) -> None:
    """The first step goes the other way: lane 0 gets the sum of four."""
    _tree(b, 0.8, 1.4)
    b.set("down0", pattern="up")


@design(STEPS, "without-mask")
def steps_without_mask(b: Builder) -> None:
    """The tree, and all roads at the same pace."""
    _tree(b, 1, 1)


@design(STEPS, "without-width")
def steps_without_width(b: Builder) -> None:
    """Half a row at a time, two steps for each, and an adder for the halves: every line is read twice."""
    _tree(b, 0.8, 1.4, (2, 1), lanes=4)
    b.remove(b.find("add1.out")[0])
    b.remove(b.find("lone.out")[0])
    halves = b.place("accumulate", (6, 4), "halves", n=2)
    once = b.place("take", (3, 6), "once", n=1, of=2)
    b.wire("add1.out", halves.in_, every_ns=1.4)
    b.wire(halves.out, "out.value", every_ns=2.8)
    b.wire("lone.out[0]", once.in_, every_ns=1.4)
    b.wire(once.out, "out.at", via=[(11, 6)], every_ns=2.8)


# --- 12 The roof -------------------------------------------------------------------------------------------

ROOF = "wide-roads-12-the-roof"


def _product(
    b: Builder,
    row_of_a: bool,
    keep_b: bool,
    every_ns: float,
    slow: float,
    *,
    ahead: bool = True,
    at_a: str = "8*w0 + w2",
    at_b: str = "8*w2 + w1",
    at_out: str = "8*w0 + w1",
) -> None:
    """Row w0 of the product, lane by lane, as eight products of a word of a (w2) and a row of b.

    ``row_of_a``: a row of a is read once and handed out word by word. ``keep_b``: all rows of b are read once, and
    played eight times. What comes eight times as often takes a road every ``every_ns``, all else every ``slow`` ns.
    ``ahead``: the next launch's rows of b wait in a buffer.
    """
    b.pad("t", lanes=8)
    times = b.place("mul", (5, 4), "times")
    total = b.place("accumulate", (6, 4), "total", n=8)
    home = b.place("address", (4, 9), "home", words=[at_out])
    place_a = b.place("address", (1, 5), "place_a", words=["8*w0 + w1" if row_of_a else at_a])
    place_b = b.place("address", (1, 8), "place_b", words=["8*w0 + w1" if keep_b else at_b])
    if row_of_a:
        b.place("unpack", (2, 3), "apart")
    if keep_b:
        b.place("repeat", (3, 7), "play", times=8, group=8)
        if ahead:
            b.place("buffer", (2, 7), "ahead", slots=5)
    if not (row_of_a and keep_b):
        steps = b.place("repeat", (1, 9), "steps", times=8, append=True)
        b.wire("t.token", steps.in_, every_ns=slow)
    for name, whole, place in (("a", row_of_a, place_a), ("b", keep_b, place_b)):
        pace = slow if whole else every_ns
        b.wire("t.token" if whole else "steps.out", place.in_, every_ns=pace)
        b.wire(place.out, f"{name}.at", every_ns=pace)
    if row_of_a:
        b.wire("a.value", "apart.in", every_ns=slow)
    if keep_b:
        if ahead:
            b.wire("b.value", "ahead.in", every_ns=slow)
            b.wire("ahead.out", "play.in", every_ns=every_ns)
        else:
            b.wire("b.value", "play.in", every_ns=every_ns)
    b.wire("apart.out" if row_of_a else "a.value", times.a, every_ns=every_ns)
    b.wire("play.out" if keep_b else "b.value", times.b, every_ns=every_ns)
    b.wire(times.out, total.in_, every_ns=every_ns)
    b.wire(total.out, "out.value", every_ns=slow)
    b.wire("t.token", home.in_, every_ns=slow)
    b.wire(home.out, "out.at", every_ns=slow)


@design(ROOF, "start")
def roof_start(b: Builder) -> None:
    """A word of a and a row of b for each of 64 steps: 136 lines."""
    _product(b, False, False, 1, 8)


@design(ROOF, "naive")
def roof_naive(b: Builder) -> None:
    """The machine as it was found: 136 lines for 1024 operations, and the multiplier waits for the memory."""
    _product(b, False, False, 1, 8)


@design(ROOF, "best")
def roof_best(b: Builder) -> None:
    """Every line is read once, 24 in all: b's rows are played eight times, a's are handed out word by word. Now the
    multiplier is the roof, and it is never idle."""
    _product(b, True, True, 1, 5.5)


@design(ROOF, "without-b")
def roof_without_b(b: Builder) -> None:
    """Rows of b are read again for each row of a."""
    _product(b, True, False, 6, 12)


@design(ROOF, "without-a")
def roof_without_a(b: Builder) -> None:
    """Rows of b are kept, and a line of a is read for each of its words."""
    _product(b, False, True, 4, 5.5)


@design(ROOF, "wrong-columns")
def roof_columns(b: Builder) -> None:
    """Lanes stand for rows of the product: each reads its own line of a, 512 in all."""
    _product(b, False, False, 1, 8, at_a="8*w1 + w2", at_b="8*w2 + w0", at_out="w0 + 8*w1")


@design(ROOF, "wrong-seven")
def roof_seven(b: Builder) -> None:
    """The rows of b are played seven times."""
    _product(b, True, True, 1, 5.5)
    b.set("play", times=7)


@design(ROOF, "wrong-transposed")
def roof_transposed(b: Builder) -> None:
    """A column of b for each step, where a row belongs: 512 lines, and wrong."""
    _product(b, False, False, 1, 8, at_b="8*w1 + w2")
