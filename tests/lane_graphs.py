"""Random machines with lanes for the comparison of the engines.

:func:`lane_graph` gives a :class:`tests.graphs.Case`. Threads come as warps; what is made of them stays in step as long
as it can, so that it may meet again. The right words of the outputs are those that the plain engine stores when nobody
looks: the comparison is of the two engines, and of nothing else. Most machines work; the rest are spoiled in one place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from engine.machine import Options
from engine.netlist import Memory, Netlist
from engine.plain import PlainMachine
from engine.plain.memory import ArrayPad
from engine.words import nodes_led_by_data
from tests.draft import CORES_PADS, Draft, Feed, Handle
from tests.graphs import Case, supplied
from tests.lanes import laned
from tests.spoils import SPOILS, spoil

INT_OPS = ("add", "add", "sub", "mul", "mul.serial", "min", "max", "and", "or", "xor", "shl", "shr")
RELATIONS = ("lt", "le", "eq", "ne", "ge", "gt")
KINDS = ("pack", "unpack", "shuffle", "reduce", "compact", "join", "switch")
"""Kinds of which a graph must have one."""


@dataclass(frozen=True)
class Word:
    """One or more words of an output that flow in step with others of the same ``beat``.

    ``count`` is packets per launch; ``whole``: whatever is a thread is live; ``uniform``: the same in all lanes;
    ``key``: numbers the threads of a launch, each once.
    """

    handle: Handle
    lanes: int
    beat: int
    count: int
    whole: bool = True
    uniform: bool = False
    key: bool = False

    def of(self, *words: int) -> Word:
        return replace(self, handle=self.handle.of(*words))


class Lanes:
    """A machine with lanes in the making."""

    def __init__(self, rng: Any) -> None:
        self.rng = rng
        self.lanes: int = rng.choice([2, 4, 4, 8])
        block = rng.choice([self.lanes, 2 * self.lanes, self.lanes + 1, 3, 6, 4])
        self.d = Draft(rng, rng.randrange(2**31), block, rng.choice([1, 1, 2]), 3)
        self.d.flow.launches = 0
        self.warps = -(-block // self.lanes) * self.d.blocks
        self.pool: list[Word] = []
        self.beats = 1
        self.notes: set[str] = set()
        threads = self.d.add("threads", kinds=["i"] * 3, lanes=self.lanes)
        whole = Word(Handle(threads, 0, (0, 1, 2)), self.lanes, 0, self.warps)
        self.pool += [replace(whole.of(2), key=True), whole.of(1), replace(whole.of(0), uniform=True), whole]

    # --- choices ---------------------------------------------------------------------------------------------

    def pick(self, fit: Callable[[Word], bool] = lambda _: True, single: bool = True) -> Word | None:
        found = [w for w in self.pool if fit(w) and (len(w.handle.words) == 1 or not single)]
        return self.rng.choice(found[-7:] if self.rng.random() < 0.6 else found) if found else None

    def beside(self, word: Word, single: bool = True) -> Word:
        """A word that flows in step with another."""
        return self.pick(lambda w: w.beat == word.beat, single) or word

    def new_beat(self) -> int:
        self.beats += 1
        return self.beats - 1

    def small(self) -> int:
        return int(self.rng.choice([-7, -1, 0, 1, 2, 3, 5, 31, 1000]))

    def one(self, kind: str, feeds: dict[str, Feed], *of: Word, width: int = 1, **params: Any) -> Word:
        """Add a core of words in step; its output."""
        node = self.d.add(kind, feeds, kinds=["i"] * width, **params)
        return Word(
            Handle(node, 0, tuple(range(width))),
            max(w.lanes for w in of),
            of[0].beat,
            of[0].count,
            all(w.whole for w in of),
            all(w.uniform for w in of),
        )

    # --- moves -----------------------------------------------------------------------------------------------

    def arithmetic(self) -> None:
        a = self.pick()
        if a is None:
            return
        other = self.beside(a)
        if self.rng.random() < 0.45:
            feeds: dict[str, Feed] = {"a": a.handle, "b": self.small()}
            if self.rng.random() < 0.2:
                feeds = {"a": self.small(), "b": a.handle}
            self.pool.append(self.one(self.rng.choice(INT_OPS), feeds, a))
        else:
            self.pool.append(self.one(self.rng.choice(INT_OPS), {"a": a.handle, "b": other.handle}, a, other))

    def divide(self) -> None:
        a = self.pick()
        if a is not None:
            rare = self.rng.random() < 0.08
            b: Feed = self.beside(a).handle if rare else self.rng.choice([3, 7, -5])
            kind = self.rng.choice(["div", "mod"])
            others = [a] if not rare else [a, self.beside(a)]
            self.pool.append(self.one(kind, {"a": a.handle, "b": b}, *others))

    def compare(self) -> None:
        a = self.pick()
        if a is not None:
            b: Feed = self.small() if self.rng.random() < 0.5 else self.beside(a).handle
            others = [a] if isinstance(b, int) else [a, replace(a, uniform=False)]
            self.pool.append(self.one("compare", {"a": a.handle, "b": b}, *others, op=self.rng.choice(RELATIONS)))

    def select(self) -> None:
        c = self.pick()
        if c is not None:
            a, b = self.beside(c), self.beside(c)
            self.pool.append(self.one("select", {"cond": c.handle, "a": a.handle, "b": b.handle}, c, a, b))

    def address(self) -> None:
        a = self.pick(single=False)
        if a is not None:
            width = len(a.handle.words)
            sums = tuple(
                (self.small(), tuple(self.rng.choice([0, 1, 1, 2, -3]) if k < width else 0 for k in range(6)))
                for _ in range(self.rng.choice([1, 1, 2]))
            )
            made = self.one("address", {"in": a.handle}, a, width=len(sums), words=sums)
            self.pool += [made, made.of(0)]

    def steer(self) -> None:
        """relay, buffer, tuple."""
        a = self.pick(single=False)
        if a is None:
            return
        if self.rng.random() < 0.3:
            b = self.beside(a, single=False)
            width = len(a.handle.words) + len(b.handle.words)
            if width <= 4:
                made = self.one("tuple", {"a": a.handle, "b": b.handle}, a, b, width=width)
                self.pool += [made, made.of(self.rng.randrange(width))]
            return
        kind = self.rng.choice(["relay", "buffer"])
        width = len(a.handle.words)
        made = self.one(kind, {"in": a.handle}, a, width=width, **({"slots": 3} if kind == "buffer" else {}))
        self.pool += [replace(made, key=a.key), replace(made.of(0), key=a.key and width == 1)]

    def shuffle(self) -> None:
        a = self.pick(single=False)
        if a is not None:
            rng, width = self.rng, len(a.handle.words)
            pattern, k = rng.choice(["up", "down", "xor"]), rng.choice([1, 1, 2, 3, 4])
            fill = tuple(self.small() for _ in range(width))
            made = self.one("shuffle", {"in": a.handle}, a, width=width, pattern=pattern, k=k, fill=fill)
            self.pool.append(replace(made.of(0), uniform=False))

    def reduce(self) -> None:
        a = self.pick()
        if a is not None:
            op = self.rng.choice(["add", "min", "max", "and", "or", "any", "all", "count", "first"])
            made = self.one("reduce", {"in": a.handle}, a, op=op)
            self.pool.append(replace(made, lanes=1, uniform=True))

    def load(self) -> None:
        a = self.pick()
        if a is None:
            return
        rng = self.rng
        at = self.one("and", {"a": a.handle, "b": rng.choice([7, 15, 3])}, a)
        if rng.random() < 0.2 and a.key:
            at = a
        array = self.d.array((16,) if not a.key else (max(16, self.d.block * self.d.blocks),))
        self.d.arrays[array] = replace(self.d.arrays[array], line=rng.choice([1, 4, 8]), far=rng.random() < 0.5)
        feeds: dict[str, Feed] = {"at": at.handle}
        more = [at]
        if rng.random() < 0.35:
            feeds["other"] = self.small() if rng.random() < 0.6 else self.beside(a).handle
            more = [replace(at, whole=True)] if isinstance(feeds["other"], int) else more
        node = self.d.add("load", feeds, kinds=["i", "i"], array=array, outputs=[("value", 0, 1), ("at", 1, 1)])
        uniform = at.uniform and len(feeds) == 1
        self.pool.append(replace(more[0], handle=Handle(node, 0, (0,)), uniform=uniform, key=False))
        if rng.random() < 0.3:
            self.pool.append(replace(at, handle=self.d.echo(node, 1)))

    def mask(self) -> None:
        """guard with mark keeps the beat; gate and guard with drop make another."""
        a = self.pick(single=False)
        if a is None:
            return
        rng = self.rng
        if rng.random() < 0.35:
            b = self.beside(a)
            made = self.one("gate", {"in": a.handle, "cond": b.handle}, a, b, width=len(a.handle.words))
            self.pool.append(replace(made.of(0), beat=self.new_beat(), count=0, whole=False))
            return
        mode = rng.choice(["mark", "mark", "mark", "drop"])
        limits = tuple(rng.choice([-1, 2, 5, 100]) for _ in a.handle.words)
        made = self.one("guard", {"in": a.handle}, a, width=len(limits), limits=limits, mode=mode)
        made = replace(made.of(0), whole=False, key=False)
        self.pool.append(made if mode == "mark" else replace(made, beat=self.new_beat(), count=0))

    def by_packet(self) -> None:
        """take or skip, deal and collect, repeat, counter, delay, mux."""
        rng = self.rng
        a = self.pick(lambda w: w.count > 0)
        if a is None:
            return
        count = a.count
        how = rng.choice(["take", "deal", "repeat", "counter", "delay", "mux", "mux"])
        if how == "take" and count > 1:
            n = rng.randint(1, count - 1)
            kind = rng.choice(["take", "skip"])
            made = self.one(kind, {"in": a.handle}, a, n=n, of=count)
            left = n if kind == "take" else count - n
            self.pool.append(replace(made, beat=self.new_beat(), count=left))
        elif how == "deal" and count % 2 == 0:
            deal = self.d.add("deal", {"in": a.handle}, kinds=["i"], n=2)
            feeds: dict[str, Feed] = {f"i{k}": Handle(deal, k, (0,)) for k in range(2)}
            if rng.random() < 0.4:
                back = self.d.add("xor", {"a": Handle(deal, 1, (0,)), "b": 5})
                feeds["i1"] = Handle(back, 0, (0,))
            self.pool.append(self.one("collect", feeds, a, n=2))
        elif how == "repeat":
            group = rng.choice([k for k in range(1, count + 1) if count % k == 0])
            append = rng.random() < 0.6
            width = 1 + append
            made = self.one("repeat", {"in": a.handle}, a, width=width, times=2, group=group, append=append)
            self.pool.append(replace(made.of(width - 1), beat=self.new_beat(), count=2 * count, uniform=append))
        elif how == "counter":
            made = self.one("counter", {"go": a.handle}, a, start=self.small(), n=2, step=3)
            self.pool.append(replace(made, beat=self.new_beat(), count=2 * count, uniform=True))
        elif how == "delay":
            self.pool.append(
                replace(
                    self.one("delay", {"in": a.handle}, a, slots=1, every=count, init=(self.small(),)), uniform=False
                )
            )
        elif how == "mux":
            cond = self.pick(lambda w: w.beat == a.beat and w.uniform)
            if cond is not None:
                b = self.beside(a)
                made = self.one("select", {"cond": cond.handle, "a": a.handle, "b": b.handle}, cond, a, b)
                split = [self._part(x, cond) for x in (a, made)]
                self.pool.append(self.one("mux", {"cond": cond.handle, "a": split[0], "b": split[1]}, cond, a, made))

    def _part(self, word: Word, cond: Word) -> Handle:
        """What of a word comes at one side of a switch by packet: true for the first call, false for the second."""
        node = self.d.add("switch", {"in": word.handle, "cond": cond.handle}, kinds=["i"], outputs=_sides(1))
        self._turn = not getattr(self, "_turn", False)
        return Handle(node, 0 if self._turn else 1, (0,))

    def sums(self) -> None:
        a = self.pick(lambda w: w.count > 0)
        if a is None:
            return
        op = self.rng.choice(["add", "min", "max", "xor"])
        if self.rng.random() < 0.5:
            self.pool.append(
                replace(self.one("scan", {"in": a.handle}, a, op=op, n=a.count), uniform=False, whole=False)
            )
            return
        ways = self.rng.choice([w for w in (1, 1, 2) if a.count % w == 0])
        made = self.one("accumulate", {"in": a.handle}, a, op=op, n=a.count // ways, ways=ways)
        self.pool.append(replace(made, beat=self.new_beat(), count=ways, uniform=False, whole=False))

    def packing(self) -> None:
        """unpack, and often pack again in another width."""
        rng = self.rng
        a = self.pick(lambda w: w.lanes > 1 and w.count > 0)
        if a is None:
            return
        drop = rng.random() < 0.25
        flat = replace(self.one("unpack", {"in": a.handle}, a, drop=drop), lanes=1, beat=self.new_beat(), uniform=True)
        flat = replace(flat, count=0 if drop else a.count * a.lanes, whole=False)
        self.pool.append(flat)
        if not drop and rng.random() < 0.7:
            n = rng.choice([2, 4, 8])
            made = self.one("pack", {"in": flat.handle}, flat, n=n, every=flat.count)
            self.pool.append(replace(made, lanes=n, beat=self.new_beat(), count=-(-flat.count // n), uniform=False))

    def diverge(self) -> None:
        """A switch: joined with or without order, gathered by compact, or left as two branches."""
        rng = self.rng
        a = self.pick(lambda w: w.lanes > 1)
        if a is None:
            return
        cond = self.pick(lambda w: w.beat == a.beat and rng.random() < 0.6) or self.beside(a)
        if rng.random() < 0.5:
            test = self.one("and", {"a": cond.handle, "b": rng.choice([1, 2, 4])}, cond)
            cond = test
        how = rng.choice(["order", "order", "order", "free", "compact", "branches"])
        keep = how == "compact" or rng.random() < 0.1
        ordered = how == "order"
        kinds = ["i"] * (1 + ordered)
        node = self.d.add("switch", {"in": a.handle, "cond": cond.handle}, kinds=kinds, outputs=_sides(1), keep=keep)
        arms = [Handle(node, side, (0,)) for side in range(2)]
        for side in range(2):
            for _ in range(rng.choice([0, 1, 1, 2])):
                arms[side] = self._arm(arms[side])
        whole = a.whole and cond.whole
        lanes = max(a.lanes, cond.lanes)
        if how in ("order", "free"):
            feeds: dict[str, Feed] = {"true": arms[0], "false": arms[1]}
            if ordered:
                feeds["order"] = Handle(node, 2, (0,))
            join = self.d.add("join", feeds)
            made = Word(Handle(join, 0, (0,)), lanes, a.beat, a.count, whole)
            self.pool.append(made if ordered else replace(made, beat=self.new_beat()))
        elif how == "compact" and a.count:
            gathered = self.d.add(
                "compact", {"in": arms[0]}, n=rng.choice([n for n in (2, 4, 8) if n >= lanes]), every=a.count
            )
            n = self.d.nodes[gathered].params["n"]
            self.pool.append(Word(Handle(gathered, 0, (0,)), n, self.new_beat(), 0, False))
        else:
            for arm in arms:
                self.pool.append(Word(arm, lanes, self.new_beat(), 0, False))

    def _arm(self, handle: Handle) -> Handle:
        """A core in an arm."""
        rng = self.rng
        kind = rng.choice(["add", "xor", "mod", "mul", "relay", "buffer", "abs", "shuffle"])
        if kind in ("relay", "buffer", "shuffle"):
            params: dict[str, Any] = {"relay": {}, "buffer": {"slots": 4}}.get(
                kind, {"pattern": "xor", "k": 1, "fill": (9,)}
            )
            return Handle(self.d.add(kind, {"in": handle}, **params), 0, (0,))
        feeds: dict[str, Feed] = {"a": handle} if kind == "abs" else {"a": handle, "b": rng.choice([1, 3, 5])}
        return Handle(self.d.add(kind, feeds), 0, (0,))

    def nested(self) -> None:
        """A switch inside an arm of another, both joined in order."""
        rng = self.rng
        a = self.pick(lambda w: w.lanes > 1)
        if a is None:
            return
        cond = self.one("and", {"a": self.beside(a).handle, "b": 1}, a)
        outer = self.d.add("switch", {"in": a.handle, "cond": cond.handle}, kinds=["i", "i"], outputs=_sides(1))
        arm = Handle(outer, 0, (0,))
        test = self.d.add("and", {"a": arm, "b": rng.choice([2, 4])})
        inner = self.d.add("switch", {"in": arm, "cond": Handle(test, 0, (0,))}, kinds=["i", "i"], outputs=_sides(1))
        feeds: dict[str, Feed] = {
            f"{side}": self._arm(Handle(inner, k, (0,))) for k, side in enumerate(("true", "false"))
        }
        back = self.d.add("join", {**feeds, "order": Handle(inner, 2, (0,))})
        feeds = {"true": Handle(back, 0, (0,)), "false": Handle(outer, 1, (0,)), "order": Handle(outer, 2, (0,))}
        join = self.d.add("join", feeds)
        self.pool.append(Word(Handle(join, 0, (0,)), max(a.lanes, cond.lanes), a.beat, a.count, False))

    def share(self) -> None:
        """Each thread writes its cell, all meet at a barrier, and read another's."""
        rng, d = self.rng, self.d
        place = next(w for w in self.pool if w.beat == 0 and w.handle.words == (1,))
        value = self.pick(lambda w: w.beat == 0 and w.lanes in (1, self.lanes))
        if value is None or not value.whole:
            return
        reads = rng.choice([1, 1, 2])
        # A read counts all threads of its packet.
        memory, element = len(d.memories), d.elements
        d.elements += 1
        banks = rng.choice([0, 2, 8, 8])
        row, pad = rng.choice([(0, 0), (0, 0), (2, 1), (4, 1)]) if banks else (0, 0)
        words = d.block + rng.choice([0, 3])
        d.memories.append(Memory(element, words, rng.choice([1, 2]), reads * d.block, banks, row, pad))
        write = d.add("shared.write", {"at": place.handle, "value": value.handle}, element=element, memory=memory)
        n = d.block
        met = d.add("barrier", {"in": d.echo(write)}, n=n, ahead=0, has_arrive=False)
        for _ in range(reads):
            at: Handle = Handle(met, 0, (0,))
            how = rng.random()
            if how < 0.5:
                at = Handle(d.add("sub", {"a": n - 1, "b": at}), 0, (0,))
            elif how < 0.8:
                times = d.add("mul", {"a": at, "b": rng.choice([2, 3, 5])})
                at = Handle(d.add("mod", {"a": Handle(times, 0, (0,)), "b": n}), 0, (0,))
            outputs = [("value", 0, 1), ("at", 1, 1)]
            read = d.add("shared.read", {"at": at}, element=element, memory=memory, kinds=["i", "i"], outputs=outputs)
            self.pool.append(Word(Handle(read, 0, (0,)), self.lanes, self.new_beat(), self.warps))
        self.notes.add("shared")

    # --- outputs -----------------------------------------------------------------------------------------------

    def finish(self) -> bool:
        """Stores of whole words by the numbers of their threads; a sink for what a launch has of scalars."""
        d, rng = self.d, self.rng
        keys = [w for w in self.pool if w.key and w.beat == 0 and len(w.handle.words) == 1]
        done = 0
        fit = [w for w in self.pool if w.beat == 0 and w.whole and len(w.handle.words) == 1 and w.count == self.warps]
        for value in rng.sample(fit, min(len(fit), rng.choice([1, 2, 3]))):
            shape = (d.block * d.blocks,)
            array = d.array(shape, output=True)
            d.arrays[array] = replace(d.arrays[array], line=rng.choice([1, 4, 8]), far=rng.random() < 0.4)
            d.add("store", {"at": rng.choice(keys).handle, "value": value.handle}, kinds=["i"], array=array)
            done += 1
        scalars = [w for w in self.pool if w.lanes == 1 and w.whole and w.count and len(w.handle.words) == 1]
        if scalars and rng.random() < 0.5:
            value = rng.choice(scalars)
            array = d.array((value.count,), output=True)
            d.add("sink", {"value": value.handle}, kinds=[], array=array)
            done += 1
        for word in self.pool:
            port = d.nodes[word.handle.node].outputs[word.handle.port]
            if not port.wires and rng.random() < 0.7:
                d.add("relay", {"in": word.handle}, kinds=["i"] * len(word.handle.words))
        return done > 0


def _sides(width: int) -> list[tuple[str, int, int]]:
    return [("true", 0, width), ("false", 0, width), ("order", width, 1)]


MOVES: Sequence[tuple[int, Callable[[Lanes], None]]] = (
    (8, Lanes.arithmetic),
    (3, Lanes.divide),
    (3, Lanes.compare),
    (3, Lanes.select),
    (3, Lanes.address),
    (4, Lanes.steer),
    (3, Lanes.shuffle),
    (3, Lanes.reduce),
    (4, Lanes.load),
    (3, Lanes.mask),
    (6, Lanes.by_packet),
    (3, Lanes.sums),
    (3, Lanes.packing),
    (6, Lanes.diverge),
    (1, Lanes.nested),
    (2, Lanes.share),
)


class Stored:
    """Data of a draft, and as expected words those that a run has stored (0 where it has not)."""

    seed = 0

    def __init__(self, net: Netlist, draft: Draft, words: dict[tuple[int, int, int], int]) -> None:
        self.net, self.draft, self.words = net, draft, words

    def inputs(self, first: int, count: int) -> dict[str, NDArray[np.int32]]:
        return {
            array.name: np.stack([self.draft.data(index, k) for k in range(first, first + count)])
            for index, array in enumerate(self.net.arrays)
            if array.is_input
        }

    def expected(self, first: int, count: int) -> dict[str, NDArray[np.int32]]:
        found = {}
        for index, array in enumerate(self.net.arrays):
            if array.is_output:
                rows = np.zeros((count, array.words), np.int32)
                for row in range(count):
                    for place in range(array.words):
                        rows[row, place] = self.words.get((index, first + row, place), 0)
                found[array.name] = rows
        return found


def record(net: Netlist, draft: Draft, options: Options) -> tuple[dict[tuple[int, int, int], int], PlainMachine]:
    """What a machine stores, by (array, launch, word), with nothing expected; and the machine at its end."""
    words: dict[tuple[int, int, int], int] = {}

    def note(pad: Any, port: int, launch: int, place: int, got: int, lane: int = -1) -> None:
        words[pad.array, launch, place] = got

    with patch.object(ArrayPad, "check_word", note):
        machine = PlainMachine(net, Stored(net, draft, {}), options)  # type: ignore[arg-type]
        for _ in range(3):
            machine.run()
    return words, machine


def lane_graph(rng: Any, size: int | None = None) -> Case:
    """A random machine with lanes; ``size`` moves at most (None: as many as it gets)."""
    while True:
        case = _graph(rng, size)
        if case is not None:
            return case


def _graph(rng: Any, size: int | None) -> Case | None:
    g = Lanes(rng)
    moves = [move for weight, move in MOVES for _ in range(weight)]
    for _ in range(rng.randint(6, 16) if size is None else size):
        g.rng.choice(moves)(g)
    if not g.finish():
        return None
    d = g.d
    launches = rng.choice([3, 8, 20])
    rough = d.netlist(
        warmup=rng.choice([1, 1, 2]),
        measured=rng.choice([1, 3, 8]),
        time_limit_ticks=4000 * launches,
        data_dependent=False,
    )
    if rng.random() < 0.5:
        rough = _slowed(rough, rng.choice([300, 1000, 3000]))
    notes = set(g.notes)
    if rng.random() < 0.3:
        how, changed = spoil(rng, rough, tuple(name for name in SPOILS if name not in ("array", "pick")))
        if changed is not None:
            rough, spoiled = changed, f"spoiled {how}"
            notes.add(spoiled)
    try:
        net = laned(rough)
    except ValueError:
        return None
    if any(node.kind in ("pack", "compact") and node.params["n"] not in (2, 4, 8) for node in net.nodes):
        return None
    led = bool(nodes_led_by_data(net.nodes, net.wires, net.memories))
    net = replace(net, data_dependent=led or rng.random() < 0.1, window_events=rng.choice([0, 0, 300]))
    seed = 0
    if rng.random() < 0.1:
        net, seed = supplied(rng, net), rng.randrange(2**40)
        notes.add("dvfs")
    options = Options(rng.randrange(2**20) if rng.random() < 0.25 else None, True, rng.random() < 0.95)
    words, machine = record(net, d, options)
    if (machine.fault or machine.completed < 2) and rng.random() < 0.7:
        return None
    if rng.random() < 0.04 and words:
        notes.add("spoiled truth")
        words[rng.choice(list(words))] = 77
    truth = Stored(net, d, words)
    truth.seed = seed
    kinds = {n.kind.split(".")[0] if n.kind.startswith("shared") else n.kind for n in net.nodes}
    if any(node.forms.count(None) for node in net.nodes):
        notes.add("per lane")
    if any(form for node in net.nodes for form in node.forms):
        notes.add("linear")
    cores = len({n.element for n in net.nodes if n.kind not in CORES_PADS})
    return Case(net, truth, options, cores, notes, kinds)  # type: ignore[arg-type]


def _slowed(net: Netlist, interval: int) -> Netlist:
    """The machine with slow threads: fewer launches are then under way, and periods are found."""
    nodes = [replace(n, interval_ticks=interval) if n.kind == "threads" else n for n in net.nodes]
    return replace(net, nodes=tuple(nodes))
