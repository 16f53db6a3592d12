"""Chapter 2, "Wide roads": the machines of levels 3 to 5, about branches."""

from __future__ import annotations

from typing import Literal

from engine.builder import Builder
from engine.handles import PortRef
from levels.house.registry import design

# --- 03 The fork -------------------------------------------------------------------------------------------

FORK = "wide-roads-03-the-fork"

AGREE, MIXED = "8*w0 + w1 + 2*w2", "8*w0 + 4*w1 + w2"
"""Places of block w0, warp w1 and lane w2: even and odd ones in different warps, or four neighbours in one."""


def _fork(b: Builder, place: str, slow: float, quick: float | None = None, joined: bool = True) -> None:
    """A warp is split by the lowest bit of its places, odd ones go to mod and even ones to div, and meet again.

    Roads to the split and from the join take a packet every ``slow`` ns, those between and the addresses' every
    ``quick`` ns.
    """
    quick = quick or slow
    b.pad("t", lanes=4)
    at = b.place("address", (0, 6), "place", words=[place])
    odd = b.place("and", (1, 5), "odd", b=1)
    fork = b.place("switch", (2, 4), "fork")
    mod = b.place("mod", (4, 3), "mod", b=5)
    div = b.place("div", (4, 5), "div", b=3)
    b.wire("t.token", at.in_, every_ns=slow)
    b.wire(at.out, "a.at", every_ns=slow)
    b.wire("a.value", fork.in_, every_ns=slow)
    b.wire("a.at", odd.a, every_ns=quick)
    b.wire(odd.out, fork.cond, every_ns=quick)
    b.wire(fork.true, mod.a, every_ns=quick)
    b.wire(fork.false, div.a, every_ns=quick)
    b.wire("a.at", "out.at", via=[(1, 4), (1, 7), (11, 7)], every_ns=quick)
    if joined:
        meet = b.place("join", (6, 4), "meet")
        b.wire(mod.out, meet.true, every_ns=quick)
        b.wire(div.out, meet.false, every_ns=quick)
        b.wire(fork.order, meet.order, every_ns=quick)
        b.wire(meet.out, "out.value", every_ns=slow)
    else:
        b.wire(mod.out, "out.value", every_ns=slow)
        b.wire(div.out, "out.value", every_ns=slow)


@design(FORK, "naive")
def fork_naive(b: Builder) -> None:
    """Four neighbours ride together, two of them odd and two even: every warp goes through both arms."""
    _fork(b, MIXED, 8)


@design(FORK, "best")
def fork_best(b: Builder) -> None:
    """Even places in one warp, odd ones in the next: every warp takes one arm, with all its lanes."""
    _fork(b, AGREE, 6, 3.3)


@design(FORK, "without-agree")
def fork_without_agree(b: Builder) -> None:
    """Four neighbours ride together, at the best of speeds for them: a dividing core is held twice as often."""
    _fork(b, MIXED, 10, 7)


@design(FORK, "without-quick")
def fork_without_quick(b: Builder) -> None:
    """Lanes agree, and all roads keep the same pace: those beside the slow arms hold too little."""
    _fork(b, AGREE, 6)


@design(FORK, "wrong-both-arms")
def fork_both_arms(b: Builder) -> None:
    """Without the join: both arms write when they are ready, each with whatever addresses come."""
    _fork(b, MIXED, 8, joined=False)


@design(FORK, "wrong-lane-0")
def fork_lane_0(b: Builder) -> None:
    """Lane 0 decides for its warp: nobody is split, and half of the lanes take the wrong arm."""
    _fork(b, MIXED, 8)
    b.remove(b.find("odd.out")[0])
    first = b.place("reduce", (2, 5), "first", op="first")
    b.wire("odd.out", first.in_)
    b.wire(first.out, "fork.cond")


@design(FORK, "wrong-masked")
def fork_masked(b: Builder) -> None:
    """A guard in an arm masks lanes, and at the join they are missing."""
    _fork(b, MIXED, 8)
    b.remove(b.find("mod.out")[0])
    small = b.place("guard", (5, 3), "small", limits=[4], mode="mark")
    b.wire("mod.out", small.in_)
    b.wire(small.out, "meet.true")


@design(FORK, "wrong-barrier")
def fork_barrier(b: Builder) -> None:
    """A barrier in an arm waits for the threads that took the other one."""
    _fork(b, MIXED, 8)
    b.remove(b.find("div.out")[0])
    wait = b.place("barrier", (5, 5), "all")
    b.wire("div.out", wait.in_)
    b.wire(wait.out, "meet.false")


@design(FORK, "wrong-swapped")
def fork_swapped(b: Builder) -> None:
    """Odd ones to the division, even ones to the remainder."""
    _fork(b, MIXED, 8)
    for name, arm in (("fork.true", "div.a"), ("fork.false", "mod.a")):
        b.remove(b.find(name)[0])
        b.wire(name, arm)


# --- 04 Both arms ------------------------------------------------------------------------------------------

BOTH = "wide-roads-04-both-arms"


Way = Literal["split", "both", "number"]
"""A branch by switch and join; with both arms for all lanes and a select; or with a select of the number to add."""

_BRANCHES: tuple[tuple[str, dict[str, object], int, int], ...] = (
    ("and", {"b": 1}, 100, -20),
    ("compare", {"op": "gt", "b": 500}, -300, 40),
)
"""Test, its settings, and what is added where it holds and where not."""


def _branch(b: Builder, start: PortRef | str, x: int, n: int, way: Way, every_ns: float) -> PortRef:
    """The branch ``n`` from column ``x`` on. Returns where its answer leaves."""
    test, settings, yes, no = _BRANCHES[n]
    asked = b.place(test, (x, 5), f"test{n}", **settings)
    if way == "number":
        number = b.place("select", (x + 1, 5), f"number{n}", a=yes, b=no)
        add = b.place("add", (x + 1, 4), f"add{n}")
        b.wire(start, asked.a, every_ns=every_ns)
        b.wire(asked.out, number.cond, every_ns=every_ns)
        b.wire(number.out, add.b, every_ns=every_ns)
        b.wire(start, add.a, every_ns=every_ns)
        return add.out
    if way == "both":
        true = b.place("add", (x, 4), f"yes{n}", b=yes)
        false = b.place("add", (x, 3), f"no{n}", b=no)
        pick = b.place("select", (x + 1, 4), f"pick{n}")
        b.wire(start, asked.a, every_ns=every_ns)
        b.wire(start, true.a, every_ns=every_ns)
        b.wire(start, false.a, every_ns=every_ns)
        b.wire(asked.out, pick.cond, every_ns=every_ns)
        b.wire(true.out, pick.a, every_ns=every_ns)
        b.wire(false.out, pick.b, every_ns=every_ns)
        return pick.out
    fork = b.place("switch", (x, 4), f"fork{n}")
    true = b.place("add", (x + 1, 3), f"yes{n}", b=yes)
    false = b.place("add", (x + 1, 5), f"no{n}", b=no)
    meet = b.place("join", (x + 2, 4), f"meet{n}")
    b.wire(start, fork.in_, every_ns=every_ns)
    b.wire(start, asked.a, every_ns=every_ns)
    b.wire(asked.out, fork.cond, every_ns=every_ns)
    b.wire(fork.true, true.a, every_ns=every_ns)
    b.wire(fork.false, false.a, every_ns=every_ns)
    b.wire(fork.order, meet.order, every_ns=every_ns)
    b.wire(true.out, meet.true, every_ns=every_ns)
    b.wire(false.out, meet.false, every_ns=every_ns)
    return meet.out


def _arms(b: Builder, first: Way, second: Way, every_ns: float, slow: float | None = None) -> None:
    """Both branches in a row. Long roads take a packet every ``slow`` ns, those between cores every ``every_ns``."""
    slow = slow or every_ns
    b.pad("t", lanes=4)
    b.wire("t.token", "a.at", every_ns=slow)
    middle = _branch(b, "a.value", 1, 0, first, every_ns)
    end = _branch(b, middle, 4 if first == "split" else 3, 1, second, every_ns)
    b.wire(end, "out.value", every_ns=slow)
    b.wire("a.at", "out.at", via=[(0, 6), (19, 6)], every_ns=slow)


@design(BOTH, "naive")
def both_naive(b: Builder) -> None:
    """As the rule is told: a warp is split, each half gets its number, and they meet again; twice."""
    _arms(b, "split", "split", 1)


@design(BOTH, "best")
def both_best(b: Builder) -> None:
    """Nobody is sent anywhere: select gives each lane its number, and one addition serves all."""
    _arms(b, "number", "number", 1, 2.2)


@design(BOTH, "without-select")
def both_without_select(b: Builder) -> None:
    """Both branches by switch and join, at the best of speeds."""
    _arms(b, "split", "split", 1.2, 2.6)


@design(BOTH, "without-number")
def both_without_number(b: Builder) -> None:
    """Both arms for every lane, and a select between two answers instead of two numbers."""
    _arms(b, "both", "both", 1.5, 2)


@design(BOTH, "wrong-lane-0")
def both_lane_0(b: Builder) -> None:
    """Lane 0 decides for all."""
    _arms(b, "number", "number", 1, 2.2)
    b.remove(b.find("test0.out")[0])
    first = b.place("reduce", (1, 7), "first", op="first")
    b.wire("test0.out", first.in_)
    b.wire(first.out, "number0.cond")


@design(BOTH, "wrong-swapped")
def both_swapped(b: Builder) -> None:
    """The numbers change places at the first select."""
    _arms(b, "number", "number", 1, 2.2)
    b.set("number0", a=-20, b=100)


@design(BOTH, "wrong-no-join")
def both_no_join(b: Builder) -> None:
    """The halves of the second branch go home by themselves."""
    _arms(b, "split", "split", 1.2, 2.6)
    b.remove("meet1")
    b.wire("yes1.out", "out.value", every_ns=2.6)
    b.wire("no1.out", "out.value", every_ns=2.6)


# --- 05 The rare arm ---------------------------------------------------------------------------------------

RARE = "wide-roads-05-the-rare-arm"


def _everyone(b: Builder, every_ns: float) -> None:
    """Both answers for every lane; the divider is held by all sixteen warps."""
    b.pad("t", lanes=4)
    most = b.place("and", (1, 5), "most", b=15)
    three = b.place("add", (3, 3), "three", b=3)
    div = b.place("div", (3, 4), "div", b=5)
    pick = b.place("select", (5, 4), "pick")
    b.wire("t.token", "a.at", every_ns=every_ns)
    b.wire("a.value", most.a, every_ns=every_ns)
    b.wire("a.value", three.a, every_ns=every_ns)
    b.wire("a.value", div.a, every_ns=every_ns)
    b.wire(most.out, pick.cond, every_ns=every_ns)
    b.wire(three.out, pick.a, every_ns=every_ns)
    b.wire(div.out, pick.b, every_ns=every_ns)
    b.wire(pick.out, "out.value", every_ns=every_ns)
    b.wire("a.at", "out.at", via=[(0, 7), (11, 7)], every_ns=every_ns)


def _some(b: Builder, every_ns: float, slots: int = 8, joined: bool = True) -> None:
    """Only rare lanes go to the divider; the quick arm, the order and the addresses wait in buffers."""
    b.pad("t", lanes=4)
    most = b.place("and", (1, 5), "most", b=15)
    fork = b.place("switch", (2, 4), "fork")
    three = b.place("add", (4, 3), "three", b=3)
    div = b.place("div", (4, 6), "div", b=5)
    wait = b.place("buffer", (5, 3), "wait", slots=slots)
    turn = b.place("buffer", (5, 4), "turn", slots=slots)
    home = b.place("buffer", (5, 8), "home", slots=slots)
    b.wire("t.token", "a.at", every_ns=every_ns)
    b.wire("a.value", fork.in_, every_ns=every_ns)
    b.wire("a.value", most.a, every_ns=every_ns)
    b.wire(most.out, fork.cond, every_ns=every_ns)
    b.wire(fork.true, three.a, every_ns=every_ns)
    b.wire(three.out, wait.in_, every_ns=every_ns)
    b.wire(fork.false, div.a, every_ns=every_ns)
    b.wire("a.at", home.in_, via=[(0, 8)], every_ns=every_ns)
    b.wire(home.out, "out.at", via=[(11, 8)], every_ns=every_ns)
    b.wire(fork.order, turn.in_, every_ns=every_ns)
    if joined:
        meet = b.place("join", (7, 4), "meet")
        b.wire(turn.out, meet.order, every_ns=every_ns)
        b.wire(wait.out, meet.true, every_ns=every_ns)
        b.wire(div.out, meet.false, every_ns=every_ns)
        b.wire(meet.out, "out.value", every_ns=every_ns)


def _gathered(b: Builder, every: int = 16, keep: bool = True) -> None:
    """Rare lanes of ``every`` warps are gathered, and go to the divider with their addresses.

    Everyone gets 3 more first; who is gathered gives them back. The switch sends a warp both ways even where one side
    is empty (``keep``), so that warps can be counted.
    """
    b.pad("t", lanes=4)
    three = b.place("add", (1, 3), "three", b=3)
    most = b.place("and", (1, 5), "most", b=15)
    pair = b.place("tuple", (2, 4), "pair")
    fork = b.place("switch", (3, 4), "fork", **({"keep": True} if keep else {}))
    gather = b.place("compact", (4, 6), "gather", n=4, every=every)
    less = b.place("sub", (5, 6), "less", b=3)
    div = b.place("div", (6, 6), "div", b=5)
    again = b.place("tuple", (7, 6), "again")
    home = b.place("relay", (8, 4), "home")
    b.wire("t.token", "a.at", every_ns=1.4)
    b.wire("a.value", three.a, every_ns=0.8)
    b.wire("a.value", most.a, every_ns=1.4)
    b.wire(three.out, pair.a, every_ns=0.9)
    b.wire("a.at", pair.b, every_ns=0.8)
    b.wire(pair.out, fork.in_, every_ns=1.4)
    b.wire(most.out, fork.cond, every_ns=1.1)
    b.wire(fork.true, home.in_, every_ns=1.3)
    b.wire(fork.false, gather.in_, every_ns=1.4)
    b.wire(gather.out[0], less.a, every_ns=12)
    b.wire(less.out, div.a, every_ns=12)
    b.wire(div.out, again.a, every_ns=12)
    b.wire(gather.out[1], again.b, via=[(4, 7), (7, 7)], every_ns=18)
    b.wire(again.out, home.in_, every_ns=22)
    b.wire(home.out, "out.value", "out.at", every_ns=1.1)
    b.words("out.value", 0)
    b.words("out.at", 1)


@design(RARE, "naive")
def rare_naive(b: Builder) -> None:
    """Both answers for every lane, as in the last level: sixteen warps of twelve cycles."""
    _everyone(b, 1)


@design(RARE, "best")
def rare_best(b: Builder) -> None:
    """The four rare lanes of a launch are gathered, with their addresses, and go through the divider as one warp."""
    _gathered(b)


@design(RARE, "without-gather")
def rare_without_gather(b: Builder) -> None:
    """Branching: warps with a rare lane are split, and their halves wait for each other, with room beside them."""
    _some(b, 2.2, 12)


@design(RARE, "without-branch")
def rare_without_branch(b: Builder) -> None:
    """Both answers for every lane, at the best of speeds."""
    _everyone(b, 10)


@design(RARE, "wrong-order-lost")
def rare_order_lost(b: Builder) -> None:
    """No join: halves are stored as they come, each at whichever address is next."""
    _some(b, 2.2, 12, joined=False)
    b.wire("wait.out", "out.value", every_ns=2.2)
    b.wire("div.out", "out.value", every_ns=2.2)


@design(RARE, "wrong-no-keep")
def rare_no_keep(b: Builder) -> None:
    """Warps without a rare lane do not come to the gatherer, which counts sixteen all the same."""
    _gathered(b, keep=False)


@design(RARE, "wrong-fifteen")
def rare_fifteen(b: Builder) -> None:
    """The gatherer counts fifteen warps, and finds the next launch among them."""
    _gathered(b, every=15)


@design(RARE, "wrong-not-given-back")
def rare_not_given_back(b: Builder) -> None:
    """The rare ones keep one of the three that everyone got."""
    _gathered(b)
    b.set("less", b=2)
