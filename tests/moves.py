"""How a random graph grows: each move adds one core, or a small figure of cores that belong together.

A move takes outputs that are there and gives new ones; :meth:`tests.draft.Draft.attempt` takes it back where the first
launches would fault. So most graphs run for long, and what spoils them is put in on purpose (:mod:`tests.graphs`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tests.draft import LOOK, Draft, Feed, Handle

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

    def as_bits(self, kind: str) -> int:
        """An immediate of a type."""
        from tests.flow import bits

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
    like = rng.choice([0, 0, 1, 2, 3, 4, 5, 6, 8])
    if not like and g.pool:
        like = g.d.count(rng.choice(g.pool))
    shape: tuple[int, ...] = (like or 4,)
    if shape[0] in (4, 6, 8) and rng.random() < 0.3:
        shape = (2, shape[0] // 2)
    is_float = rng.random() < 0.35
    array = g.d.array(shape, is_float=is_float)
    burst = (rng.randint(1, 5), rng.choice([100, 330, 1500])) if rng.random() < 0.3 else None
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
        feeds: dict[str, Feed] = dict(zip(("cond", "a", "b"), words, strict=True))
        return g.one("select", feeds, [kinds[-1]])
    is_float = set(kinds) == {"f"}
    feeds = dict(zip("abc", words, strict=True))
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
    b_or: Feed = g.small() if g.rng.random() < 0.3 else b
    return g.one("mux", {"cond": cond, "a": a, "b": b_or}, [g.kind(a)])


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


# --- storage ---------------------------------------------------------------------------------------------


@move(5)
def buffer(g: Growth) -> list[Handle] | None:
    first = g.handle()
    if first is None:
        return None
    source = g.some(first)
    return g.one("buffer", {"in": source}, g.d.kinds(source), slots=g.rng.choice([1, 2, 3, 5, 16, 64]))


@move(3)
def delay(g: Growth) -> list[Handle] | None:
    """A stream shifted back, joined with itself: a difference of neighbours."""
    first = g.handle(ordered=True, counted=True)
    if first is None:
        return None
    word = g.word(first)
    count = g.d.count(first)
    slots = g.rng.randint(1, min(count, 3))
    back = g.one("delay", {"in": word}, [g.kind(word)], slots=slots, every=count, init=(g.as_bits(g.kind(word)),))
    is_float = g.kind(word) == "f"
    if g.rng.random() < 0.15:
        return back
    return g.one(g.rng.choice(["sub", "max"]), {"a": word, "b": back[0]}, [g.kind(word)], is_float=is_float)


@move(5)
def barrier(g: Growth) -> list[Handle] | None:
    first = g.handle(ordered=True)
    if first is None:
        return None
    source = g.some(first)
    n = _per_block(g, first)
    if not n:
        return None
    if g.rng.random() < 0.35:
        other = g.beside(first)
        feeds: dict[str, Feed] = {"in": source, "arrive": g.some(other)}
        return g.one("barrier", feeds, g.d.kinds(source), n=n, ahead=g.rng.choice([0, 0, 1]), has_arrive=True)
    return g.one("barrier", {"in": source}, g.d.kinds(source), n=n, ahead=0, has_arrive=False)


def _per_block(g: Growth, handle: Handle) -> int:
    """Packets of each block and launch, where they are equally many, else 0."""
    counts: dict[tuple[int, int], int] = {}
    for p in g.d.packets(handle):
        counts[p.launch, p.block] = counts.get((p.launch, p.block), 0) + 1
    same = set(counts.values())
    return same.pop() if len(same) == 1 and g.d.count(handle) else 0


@move(5)
def shared(g: Growth) -> list[Handle] | None:
    """Threads write their cells, meet at a barrier, and read each other's."""
    first = g.handle(ordered=True, counted=True)
    if first is None:
        return None
    rng, d = g.rng, g.d
    packets = d.packets(first)
    n = _per_block(g, first)
    cells = [
        k
        for k in range(len(first.words))
        if n
        and all(
            sorted(p.words[k] for p in packets if (p.launch, p.block) == key) == list(range(n))
            for key in {(p.launch, p.block) for p in packets}
        )
    ]
    if not cells:
        return None
    at = first.of(rng.choice(cells))
    value = g.word(g.beside(first))
    reads = rng.choice([1, 1, 2])
    words = n + rng.choice([0, 0, 3])
    from engine.netlist import Memory

    memory = len(d.memories)
    element, d.elements = d.elements, d.elements + 1
    d.memories.append(Memory(element, words, rng.choice([1, 2, 3, 4]), reads * n))
    split = n % 2 == 0 and d.count(first) == len(packets) // LOOK and rng.random() < 0.3
    writers = []
    for _ in range(2 if split else 1):
        writers.append(d.add("shared.write", element=element, memory=memory))
    readers = [
        d.add(
            "shared.read",
            element=element,
            memory=memory,
            kinds=[g.kind(value), "i"],
            outputs=[("value", 0, 1), ("at", 1, 1)],
        )
        for _ in range(reads)
    ]
    if split:
        done = []
        deals = [d.add("deal", {"in": h}, kinds=d.kinds(h), n=2) for h in (at, value)]
        for k, writer in enumerate(writers):
            d.attach(writer, {"at": g.out(deals[0], k), "value": g.out(deals[1], k)})
            done.append(d.echo(writer))
        gathered = g.one("collect", {"i0": done[0], "i1": done[1]}, n=2)[0]
    else:
        d.attach(writers[0], {"at": at, "value": value})
        gathered = d.echo(writers[0])
    if rng.random() < 0.4:
        met = d.add("barrier", {"in": at, "arrive": gathered}, n=n, ahead=0, has_arrive=True)
    else:
        met = d.add("barrier", {"in": gathered}, n=n, ahead=0, has_arrive=False)
    made = []
    for k, reader in enumerate(readers):
        index = g.out(met)
        if k or rng.random() < 0.3:
            other = g.one("sub", {"a": n - 1, "b": index})[0]
            index = other
        d.attach(reader, {"at": index})
        made.append(g.out(reader, 0))
        if rng.random() < 0.3:
            made.append(d.echo(reader, 1) if rng.random() < 0.5 else g.out(reader, 1))
    return made


# --- memory ----------------------------------------------------------------------------------------------


@move(7)
def load(g: Growth) -> list[Handle] | None:
    """A load whose addresses stay inside, of one or two dimensions, sometimes with what masked ones give."""
    first = g.handle()
    if first is None:
        return None
    rng = g.rng
    packets = [p for p in g.d.packets(first) if not p.masked]
    fit = [k for k in range(len(first.words)) if all(0 <= p.words[k] < 64 for p in packets)]
    made = first
    if not fit:
        word = g.word(first)
        node = g.d.add("mod" if rng.random() < 0.3 else "and", {"a": word, "b": 7})
        made, fit = g.out(node, 0, first.ordered), [0]
        g.d.flow.grow()
    at = made.of(*(rng.choice(fit) for _ in range(rng.choice([1, 1, 2]))))
    g.d.flow.settle(0)
    sizes = [max([p.words[k] for p in g.d.packets(at)] + [0]) + 1 for k in range(len(at.words))]
    is_float = rng.random() < 0.3
    array = g.d.array(tuple(sizes), is_float=is_float)
    kind = "f" if is_float else "i"
    feeds: dict[str, Feed] = {"at": at}
    if rng.random() < 0.4:
        feeds["other"] = g.word(g.beside(made)) if rng.random() < 0.4 else g.as_bits(kind)
    width = len(at.words)
    node = g.d.add(
        "load",
        feeds,
        kinds=[kind, *["i"] * width],
        outputs=[("value", 0, 1), ("at", 1, width)],
        array=array,
    )
    outs = [g.out(node, 0, at.ordered)]
    if rng.random() < 0.35:
        outs.append(g.out(node, 1, at.ordered))
    return outs


# --- reduction -------------------------------------------------------------------------------------------


@move(6)
def accumulate(g: Growth) -> list[Handle] | None:
    first = g.handle(counted=True)
    if first is None:
        return None
    rng = g.rng
    word = g.word(first)
    count, kind = g.d.count(first), g.kind(word)
    op = rng.choice(FOLDS + (() if kind == "f" else INT_FOLDS))
    ways = rng.choice([w for w in (1, 1, 2, 3) if count % w == 0])
    if rng.random() < 0.3:
        last = _last(g, first, count)
        if last is None:
            return None
        feeds: dict[str, Feed] = {"in": word, "last": last}
        return g.one("accumulate", feeds, [kind], is_float=kind == "f", op=op, n=1, ways=ways)
    n = rng.choice([k for k in range(1, count // ways + 1) if count // ways % k == 0])
    return g.one("accumulate", {"in": word}, [kind], is_float=kind == "f", op=op, n=n, ways=ways)


def _last(g: Growth, first: Handle, count: int) -> Handle | None:
    """A word beside ``first`` that is true at the last packet of each launch: its thread's or pass's number."""
    if not first.ordered:
        return None
    for handle in [g.beside(first) for _ in range(3)] + [first]:
        packets = g.d.packets(handle)
        for k in range(len(handle.words)):
            ends = {p.words[k] for i, p in enumerate(packets) if i % count == count - 1}
            if len(ends) == 1:
                node = g.d.add("compare", {"a": handle.of(k), "b": ends.pop()}, op="eq")
                return g.out(node)
    return None


@move(4)
def scan(g: Growth) -> list[Handle] | None:
    first = g.handle(ordered=True, counted=True)
    if first is None:
        return None
    word = g.word(first)
    count, kind = g.d.count(first), g.kind(word)
    op = g.rng.choice(FOLDS + (() if kind == "f" else INT_FOLDS))
    n = g.rng.choice([k for k in range(1, count + 1) if count % k == 0])
    return g.one("scan", {"in": word}, [kind], is_float=kind == "f", op=op, n=n)


# --- loops -----------------------------------------------------------------------------------------------


@move(0)
def token_loop(g: Growth) -> list[Handle] | None:
    """x[i] = op(x[i - slots], in[i]): a loop around a delay, which may hold more cores."""
    first = g.handle(ordered=True, counted=True)
    if first is None:
        return None
    rng, d = g.rng, g.d
    word = g.word(first)
    count, kind = d.count(first), g.kind(word)
    slots = rng.randint(1, min(count, 3))
    op = rng.choice(["add", "sub", "max", "min", "mul", "mac"] + ([] if kind == "f" else ["xor"]))
    is_float = kind == "f"
    feeds: dict[str, Feed] = {"b": word} | ({"c": g.as_bits(kind)} if op == "mac" else {})
    node = d.add(op, feeds, kinds=[kind], is_float=is_float)
    result = g.out(node)
    turn = result
    if rng.random() < 0.4:
        more = {"slots": rng.choice([1, 4])}
        turn = g.one("buffer", {"in": turn}, [kind], **more)[0]
    if rng.random() < 0.3:
        turn = g.one("abs", {"a": turn}, [kind], is_float=is_float)[0]
    back = d.add("delay", {"in": turn}, kinds=[kind], slots=slots, every=count, init=(g.as_bits(kind),))
    d.attach(node, {"a": g.out(back)})
    return [rng.choice([result, turn])]


@move(0)
def counted_loop(g: Growth) -> list[Handle] | None:
    """Every packet goes round k times through a mux and a switch that a counter drives."""
    first = g.handle(ordered=True, counted=True, most=6)
    if first is None:
        return None
    rng, d = g.rng, g.d
    word = g.word(first)
    k = rng.randint(1, 3)
    turns = d.add("counter", {"go": g.some(first)}, start=0, n=k + 1, step=1)
    enter = d.add("compare", {"a": g.out(turns), "b": 0}, op="eq")
    leave = d.add("compare", {"a": g.out(turns), "b": k}, op="eq")
    head = d.add("mux", {"cond": g.out(enter), "a": word}, kinds=["i"])
    body = g.one(rng.choice(["add", "mul", "xor"]), {"a": g.out(head), "b": 3})[0]
    if rng.random() < 0.5:
        body = g.one("buffer", {"in": body}, slots=rng.choice([1, 2, 8]))[0]
    tail = d.add("switch", {"in": body, "cond": g.out(leave)}, kinds=["i"])
    d.attach(head, {"b": g.out(tail, 1)})
    return [g.out(tail, 0)]


@move(0)
def while_loop(g: Growth) -> list[Handle] | None:
    """Packets go round, each as often as its value asks, through a port with fan-in; a number goes with them."""
    first = g.handle(ordered=True, counted=True, most=8)
    if first is None:
        return None
    rng, d = g.rng, g.d
    value = g.word(first)
    if rng.random() < 0.7:
        node = d.add("and", {"a": value, "b": 15})
        value = g.out(node)
    key = g.word(first)
    pair = d.add("tuple", {"a": key, "b": value}, kinds=["i", "i"])
    head = d.add("relay", kinds=["i", "i"])
    again = g.out(head, 0, False)
    step = d.add("add", {"a": again.of(1), "b": 6})
    body = d.add("tuple", {"a": again.of(0), "b": g.out(step, 0, False)}, kinds=["i", "i"])
    new = g.out(body, 0, False)
    if rng.random() < 0.6:
        new = g.one("buffer", {"in": new}, ["i", "i"], slots=rng.choice([4, 16]))[0]
    test = d.add("compare", {"a": new.of(1), "b": 20}, op="lt")
    tail = d.add("switch", {"in": new, "cond": g.out(test, 0, False)}, kinds=["i", "i"])
    d.attach(head, {"in": [g.out(pair), g.out(tail, 0, False)]})
    return [g.out(tail, 1, False)]
