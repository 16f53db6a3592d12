"""More moves (:mod:`tests.moves`): storage, memories, reductions, and loops, most of them several cores."""

from __future__ import annotations

from engine.netlist import Memory
from tests.draft import LOOK, Feed, Handle
from tests.moves import FOLDS, INT_FOLDS, MOVES, Growth, move

__all__ = ["MOVES"]

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


@move(8)
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
    made, sizes = first, _sizes(g, first)
    if not sizes:
        node = g.d.add(*rng.choice([("mod", {"a": g.word(first), "b": 7}), ("and", {"a": g.word(first), "b": 7})]))
        made, sizes = g.out(node, 0, first.ordered), {0: 8}
    words = [rng.choice(list(sizes)) for _ in range(rng.choice([1, 1, 2]))]
    at, shape = made.of(*words), tuple(sizes[k] for k in words)
    is_float = rng.random() < 0.3
    array = g.d.array(shape, is_float=is_float)
    kind = "f" if is_float else "i"
    feeds: dict[str, Feed] = {"at": at}
    if rng.random() < 0.4:
        feeds["other"] = g.word(g.beside(first)) if rng.random() < 0.4 else g.as_bits(kind)
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


def _sizes(g: Growth, handle: Handle) -> dict[int, int]:
    """Words that are the same numbers in every launch, not below 0, as indices: word to the size that they need."""
    packets = g.d.packets(handle)
    found = {}
    for k in range(len(handle.words)):
        values = [sorted(p.words[k] for p in packets if p.launch == launch and not p.masked) for launch in range(LOOK)]
        if all(v == values[0] for v in values) and all(0 <= w < 64 for w in values[0]):
            found[k] = max([*values[0], 0]) + 1
    return found


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
