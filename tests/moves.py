"""How a random graph grows: each move adds one core, or a small figure of cores that belong together.

A move takes outputs that are there and gives new ones; :meth:`tests.draft.Draft.attempt` takes it back where the first
launches would fault. So most graphs run for long, and what spoils them is put in on purpose (:mod:`tests.graphs`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tests.draft import Draft, Feed, Handle
from tests.words import bits

Move = Callable[["Growth"], "list[Handle] | None"]
MOVES: dict[str, tuple[int, Move]] = {}
"""Moves by name, with weights."""

BINARY = ("add", "sub", "mul", "mul.serial", "min", "max", "div")
INT_BINARY = ("mod", "and", "or", "xor", "shl", "shr")
RELATIONS = ("lt", "le", "eq", "ne", "ge", "gt")
FOLDS = ("add", "mul", "min", "max")
INT_FOLDS = ("and", "or", "xor")


def move(weight: int) -> Callable[[Move], Move]:
    def note(function: Move) -> Move:
        MOVES[function.__name__] = weight, function
        return function

    return note


class Growth:
    """A draft, what may be used of it, and the choices."""

    def __init__(self, draft: Draft, rng: Any) -> None:
        self.d, self.rng = draft, rng
        self.pool: list[Handle] = []
        self.used: set[Handle] = set()

    def handle(self, *, ordered: bool = False, counted: bool = False, most: int = 99) -> Handle | None:
        """An output, more likely a fresh one that nobody has taken yet."""
        fit = [h for h in self.pool if (h.ordered or not ordered) and (not counted or 0 < self.d.count(h) <= most)]
        if not fit:
            return None
        fresh = [h for h in fit if h not in self.used]
        found: Handle = self.rng.choice(fresh if fresh and self.rng.random() < 0.75 else fit[-8:])
        self.used.add(found)
        return found

    def word(self, handle: Handle) -> Handle:
        """One of its words."""
        return handle.of(self.rng.randrange(len(handle.words)))

    def some(self, handle: Handle) -> Handle:
        """Some of its words, in any order."""
        words = list(range(len(handle.words)))
        self.rng.shuffle(words)
        return handle.of(*words[: self.rng.randint(1, len(words))])

    def beside(self, handle: Handle) -> Handle:
        """An output whose packets come one by one with those of ``handle``; itself where there is no other."""
        if not handle.ordered:
            return handle
        mine = [p.launch for p in self.d.packets(handle)]
        fit = [h for h in self.pool if h.ordered and [p.launch for p in self.d.packets(h)] == mine]
        found: Handle = self.rng.choice(fit) if fit else handle
        self.used.add(found)
        return found

    def kind(self, handle: Handle) -> str:
        """Type of the first word."""
        return self.d.kinds(handle)[0]

    def out(self, node: int, port: int = 0, ordered: bool = True) -> Handle:
        """All words of an output."""
        return Handle(node, port, tuple(range(self.d.nodes[node].outputs[port].width)), ordered)

    def one(self, kind: str, feeds: dict[str, Feed], kinds: Sequence[str] = ("i",), **more: Any) -> list[Handle]:
        """Add a core; its first output. Ordered if everything that it takes is."""
        node = self.d.add(kind, feeds, kinds=kinds, **more)
        handles = [f for f in feeds.values() if isinstance(f, Handle)]
        lists = [f for f in feeds.values() if isinstance(f, list)]
        return [self.out(node, 0, all(h.ordered for h in handles) and not lists)]

    def grown(self, made: list[Handle] | None) -> list[Handle] | None:
        """Note what a move has made."""
        if made:
            self.pool += made
        return made

    def small(self) -> int:
        return int(self.rng.choice([-7, -1, 0, 1, 2, 3, 5, 31, 1000]))

    def common(self, *feeds: Feed) -> str:
        """The type of a word that may be any of these: float only if all are, since bits of an integer may be NaN."""
        return "f" if {self.kind(feed) for feed in feeds if isinstance(feed, Handle)} == {"f"} else "i"

    def as_bits(self, kind: str) -> int:
        """An immediate of a type."""
        if kind == "f":
            return bits(self.rng.choice([0.5, -1.25, 3.0, 1e-3]))
        return self.small()


# --- sources ---------------------------------------------------------------------------------------------


def threads(g: Growth) -> list[Handle]:
    width = g.d.tokens.shape[1]
    node = g.d.add("threads", kinds=["i"] * width)
    return [g.out(node)]


@move(2)
def stream(g: Growth) -> list[Handle]:
    rng = g.rng
    like = rng.choice([0, 0, 1, 1, 2] if g.d.calm else [0, 0, 1, 2, 3, 4, 5, 6, 8])
    if not like and g.pool:
        like = g.d.count(rng.choice(g.pool))
    shape: tuple[int, ...] = (like or 2,)
    if shape[0] in (4, 6, 8) and rng.random() < 0.3:
        shape = (2, shape[0] // 2)
    is_float = rng.random() < 0.35
    array = g.d.array(shape, is_float=is_float)
    burst = (rng.randint(1, 5), rng.choice([100, 330, 1500])) if rng.random() < (0.05 if g.d.calm else 0.3) else None
    node = g.d.add("stream", kinds=["f" if is_float else "i"], array=array, burst=burst)
    return [g.out(node)]


# --- arithmetic ------------------------------------------------------------------------------------------


@move(9)
def binary(g: Growth) -> list[Handle] | None:
    first = g.handle()
    if first is None:
        return None
    a = g.word(first)
    b: Feed = g.word(g.beside(first)) if g.rng.random() < 0.65 else g.as_bits(g.kind(a))
    is_float = g.kind(a) == "f" and (not isinstance(b, Handle) or g.kind(b) == "f")
    op = g.rng.choice(BINARY + (() if is_float else INT_BINARY))
    if op in ("div", "mod") and not isinstance(b, Handle):
        b = b or 3
    feeds = {"a": a, "b": b} if g.rng.random() < 0.8 or isinstance(b, Handle) else {"a": b, "b": a}
    made = g.one(op, feeds, ["f" if is_float else "i"], is_float=is_float)
    if isinstance(b, Handle) and g.rng.random() < 0.05:
        g.d.constant(made[0].node, 1, g.as_bits(g.kind(a)) or 1)
    return made


@move(4)
def unary(g: Growth) -> list[Handle] | None:
    first = g.handle()
    if first is None:
        return None
    a = g.word(first)
    is_float = g.kind(a) == "f"
    op = g.rng.choice(("exp", "exp", "abs", "neg") if is_float else ("abs", "neg"))
    return g.one(op, {"a": a}, [g.kind(a)], is_float=is_float)


@move(4)
def ternary(g: Growth) -> list[Handle] | None:
    first = g.handle()
    if first is None:
        return None
    words: list[Feed] = [g.word(first), g.word(g.beside(first)), g.word(g.beside(first))]
    kinds = [g.kind(w) for w in words if isinstance(w, Handle)]
    if g.rng.random() < 0.5:
        words[g.rng.randint(1, 2)] = g.as_bits(kinds[0])
    if g.rng.random() < 0.5:
        a, b = words[1:]
        kind = g.common(a, b)
        if not isinstance(a, Handle):
            a = g.as_bits(kind)
        if not isinstance(b, Handle):
            b = g.as_bits(kind)
        return g.one("select", {"cond": words[0], "a": a, "b": b}, [kind])
    is_float = set(kinds) == {"f"}
    feeds: dict[str, Feed] = dict(zip("abc", words, strict=True))
    return g.one("mac", feeds, ["f" if is_float else "i"], is_float=is_float)


@move(4)
def compare(g: Growth) -> list[Handle] | None:
    first = g.handle()
    if first is None:
        return None
    a = g.word(first)
    b: Feed = g.word(g.beside(first)) if g.rng.random() < 0.3 else g.as_bits(g.kind(a))
    is_float = g.kind(a) == "f" and (not isinstance(b, Handle) or g.kind(b) == "f")
    return g.one("compare", {"a": a, "b": b}, op=g.rng.choice(RELATIONS), is_float=is_float)


@move(4)
def address(g: Growth) -> list[Handle] | None:
    first = g.handle()
    if first is None:
        return None
    source = g.some(first)
    width = len(source.words)
    sums = []
    for _ in range(g.rng.randint(1, 3)):
        factors = [g.rng.choice([0, 0, 1, 1, 2, -3]) if k < width else 0 for k in range(6)]
        sums.append((g.small(), tuple(factors)))
    return g.one("address", {"in": source}, ["i"] * len(sums), words=tuple(sums))


# --- steering --------------------------------------------------------------------------------------------


@move(4)
def relay(g: Growth) -> list[Handle] | None:
    first = g.handle()
    if first is None:
        return None
    source = g.some(first)
    return g.one("relay", {"in": source}, g.d.kinds(source))


@move(4)
def joined(g: Growth) -> list[Handle] | None:
    """tuple"""
    first = g.handle()
    if first is None:
        return None
    feeds: dict[str, Feed] = {}
    kinds: list[str] = []
    for name in "abcdef"[: g.rng.choice([2, 2, 2, 3, 4])]:
        part: Feed = g.some(g.beside(first)) if feeds and g.rng.random() < 0.8 else g.some(first)
        if feeds and g.rng.random() < 0.15:
            part = g.small()
        more = g.d.kinds(part) if isinstance(part, Handle) else ["i"]
        if len(kinds) + len(more) > 6:
            break
        feeds[name] = part
        kinds += more
    return g.one("tuple", feeds, kinds) if len(feeds) > 1 else None


def _condition(g: Growth, first: Handle) -> Handle:
    """A word beside ``first`` that is sometimes 0 and sometimes not, if there is one."""
    beside = [g.beside(first) for _ in range(3)]
    for handle in [*beside, first]:
        for k in range(len(handle.words)):
            if len({bool(p.words[0]) for p in g.d.packets(handle.of(k))}) == 2:
                return handle.of(k)
    word = g.word(first)
    relation = g.rng.choice(RELATIONS)
    middle = g.d.packets(word)[0].words[0]
    node = g.d.add("compare", {"a": word, "b": middle}, op=relation)
    return g.out(node, 0, first.ordered)


@move(4)
def gate(g: Growth) -> list[Handle] | None:
    first = g.handle(ordered=True)
    if first is None:
        return None
    source = g.some(first)

    def build() -> list[Handle]:
        return g.one("gate", {"in": source, "cond": _condition(g, first)}, g.d.kinds(source))

    return build()


@move(5)
def switch(g: Growth) -> list[Handle] | None:
    """A switch, and often its two branches brought together again, by fan-in or by a mux."""
    first = g.handle(ordered=True)
    if first is None:
        return None
    rng = g.rng
    source = g.some(first)
    kinds = g.d.kinds(source)
    cond = _condition(g, first)
    node = g.d.add("switch", {"in": source, "cond": cond}, kinds=kinds)
    branches = [g.out(node, 0), g.out(node, 1)]
    g.d.flow.grow()
    how = rng.random()
    if how < 0.35:
        return branches
    for k in range(2):
        if rng.random() < 0.6:
            kind = rng.choice(["relay", "buffer"])
            more = {"slots": rng.choice([1, 2, 16])} if kind == "buffer" else {}
            branches[k] = g.one(kind, {"in": branches[k]}, kinds, **more)[0]
    if how < 0.7:
        return g.one(rng.choice(["relay", "relay", "buffer"]), {"in": branches}, kinds, slots=3)
    return g.one("mux", {"cond": cond, "a": branches[0], "b": branches[1]}, kinds)


@move(3)
def mux(g: Growth) -> list[Handle] | None:
    first = g.handle(ordered=True)
    if first is None:
        return None
    cond = _condition(g, first)
    a, b = g.word(g.beside(first)), g.word(g.beside(first))
    b_or: Feed = g.as_bits(g.kind(a)) if g.rng.random() < 0.3 else b
    return g.one("mux", {"cond": cond, "a": a, "b": b_or}, [g.common(a, b_or)])


@move(6)
def guard(g: Growth) -> list[Handle] | None:
    first = g.handle()
    if first is None:
        return None
    source = g.some(first)
    packets = g.d.packets(source)
    limits = []
    for k in range(len(source.words)):
        values = sorted(p.words[k] for p in packets)
        middle = values[len(values) // 2]
        limits.append(g.rng.choice([-1, max(1, middle), max(1, values[-1])]))
    mode = g.rng.choice(["drop", "mark", "mark"])
    return g.one("guard", {"in": source}, g.d.kinds(source), limits=tuple(limits), mode=mode)


@move(5)
def repeat(g: Growth) -> list[Handle] | None:
    first = g.handle(ordered=True, counted=True, most=8)
    if first is None:
        return None
    source = g.some(first)
    count, kinds = g.d.count(first), g.d.kinds(source)
    group = g.rng.choice([k for k in range(1, count + 1) if count % k == 0])
    append = len(kinds) < 6 and g.rng.random() < 0.5
    times = g.rng.choice([2, 2, 3, 1])
    if g.rng.random() < 0.3:
        return g.one("repeat", {"in": source}, kinds, times=times, group=1, append=False)
    return g.one("repeat", {"in": source}, [*kinds, "i"] if append else kinds, times=times, group=group, append=append)


@move(5)
def take_or_skip(g: Growth) -> list[Handle] | None:
    first = g.handle(ordered=True, counted=True)
    if first is None:
        return None
    source = g.some(first)
    count = g.d.count(first)
    of = g.rng.choice([k for k in range(1, count + 1) if count % k == 0])
    n = g.rng.randint(1, of)
    kind = g.rng.choice(["take", "skip"]) if n < of else "take"
    return g.one(kind, {"in": source}, g.d.kinds(source), n=n, of=of)


@move(3)
def counter(g: Growth) -> list[Handle] | None:
    first = g.handle(ordered=True, counted=True, most=4)
    if first is None:
        return None
    n = g.rng.randint(1, 5)
    return g.one("counter", {"go": g.some(first)}, start=g.small(), n=n, step=g.rng.choice([1, 1, -2, 0]))


@move(4)
def deal(g: Growth) -> list[Handle] | None:
    """deal, something on each branch, and collect, fan-in or nothing."""
    first = g.handle(ordered=True, counted=True)
    if first is None:
        return None
    rng = g.rng
    source = g.some(first)
    count, kinds = g.d.count(first), g.d.kinds(source)
    ways = [k for k in (2, 3, 4) if count % k == 0]
    if not ways:
        return None
    n = rng.choice(ways)
    node = g.d.add("deal", {"in": source}, kinds=kinds, n=n)
    branches = [g.out(node, k) for k in range(n)]
    if rng.random() < 0.4:
        op = rng.choice(["relay", "mul.serial", "add"])
        for k in range(n):
            if op == "relay":
                branches[k] = g.one("relay", {"in": branches[k]}, kinds)[0]
            else:
                branches[k] = g.one(op, {"a": branches[k].of(0), "b": 3})[0]
        if op != "relay":
            kinds = ["i"]
    how = rng.random()
    if how < 0.5:
        return g.one("collect", {f"i{k}": branches[k] for k in range(n)}, kinds, n=n)
    if how < 0.75:
        return g.one("relay", {"in": branches}, kinds)
    return branches


@move(2)
def collect(g: Growth) -> list[Handle] | None:
    first = g.handle(ordered=True, counted=True)
    if first is None:
        return None
    words = [g.word(first), *(g.word(g.beside(first)) for _ in range(g.rng.choice([1, 1, 2])))]
    feeds: dict[str, Feed] = {f"i{k}": word for k, word in enumerate(words)}
    return g.one("collect", feeds, ["i"], n=len(words))


@move(0)
def fan_in(g: Growth) -> list[Handle] | None:
    """Two streams that have nothing to do with each other, at one port."""
    first, second = g.handle(), g.handle()
    if first is None or second is None or first.node == second.node:
        return None
    return g.one("relay", {"in": [g.word(first), g.word(second)]})
