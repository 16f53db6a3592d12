"""Chapter 1, "GPU puzzles": the machines of levels 01 to 03, where the token is the thread."""

from __future__ import annotations

from engine.builder import Builder
from levels.house.registry import design

# --- 01 Map ------------------------------------------------------------------------------------------------

MAP = "gpu-puzzles-01-map"


def _map(b: Builder) -> None:
    """The token goes in, word and address come out; a wire carries the one word that is wanted."""
    b.place("add", (8, 3), "ten", b=10)
    b.wire("threads.token[0]", "a.at")
    b.wire("a.value", "ten.a")
    b.wire("ten.out", "out.value")
    b.wire("a.at", "out.at")


@design(MAP, "naive")
def map_naive(b: Builder) -> None:
    """The whole token goes to both pads, which take one of its two words, and every road runs at 1."""
    b.place("add", (8, 3), "ten", b=10)
    b.wire("threads.token", "a.at")
    b.words("a.at", 0)
    b.wire("threads.token", "out.at", via=[(15, 8)])
    b.words("out.at", 0)
    b.wire("a.value", "ten.a")
    b.wire("ten.out", "out.value")


@design(MAP, "best")
def map_best(b: Builder) -> None:
    """One word of the token, one road to the memory, and the address comes back with the data. Everything keeps the
    memory's pace of a word every 4 ns."""
    _map(b)
    b.speed_all(every_ns=4)


@design(MAP, "without-pace")
def map_without_pace(b: Builder) -> None:
    """The right roads, four times as fast as the memory."""
    _map(b)


@design(MAP, "without-choice")
def map_without_choice(b: Builder) -> None:
    """In step, and both words of the token travel all the way, one of them for nothing."""
    map_naive(b)
    b.speed_all(every_ns=4)


@design(MAP, "wrong-index")
def map_index(b: Builder) -> None:
    """Adds ten to the address, and not to what lies there."""
    map_best(b)
    b.remove(b.find("a.value")[0])
    b.wire("a.at", "ten.a", every_ns=4)


@design(MAP, "wrong-first-word")
def map_first_word(b: Builder) -> None:
    """Asks for word 0 every time."""
    map_best(b)
    b.words("a.at", "0")


@design(MAP, "wrong-one-place")
def map_one_place(b: Builder) -> None:
    """Writes everything to place 0."""
    map_best(b)
    b.words("a.at", 0)
    b.words("out.at", "0")


@design(MAP, "wrong-copies")
def map_copies(b: Builder) -> None:
    """Past the adder."""
    map_best(b)
    b.remove("ten")
    b.wire("a.value", "out.value", every_ns=4)


@design(MAP, "wrong-stopped")
def map_stopped(b: Builder) -> None:
    """The way home of the address stands still."""
    map_best(b)
    b.speed(b.find("a.at")[0], 0)


# --- 02 Zip ------------------------------------------------------------------------------------------------

ZIP = "gpu-puzzles-02-zip"


def _zip(b: Builder, equal: bool) -> None:
    """Two loads and an adder; ``equal``: by way of a it is as far as by way of b."""
    b.place("add", (8, 4), "sum")
    b.wire("threads.token", "a.at")
    b.wire("threads.token", "b.at", path=[(0, 8), (7, 8), (7, 0), (8, 0)])
    b.wire("a.value", "sum.a", path=[(0, 4), (2, 4), (2, 0), (5, 0), (5, 4), (8, 4)] if equal else None)
    b.wire("b.value", "sum.b")
    b.wire("sum.out", "out.value")


@design(ZIP, "naive")
def zip_naive(b: Builder) -> None:
    """The shortest roads, all of them at 1, where the difference between them does not matter yet."""
    _zip(b, False)
    b.wire("a.at", "out.at")


@design(ZIP, "best")
def zip_best(b: Builder) -> None:
    """In step with the memories, which makes roads slow and differences long. So the road by a makes a detour of eight
    tiles, and it is the later echo, b's, that goes home with the sum."""
    _zip(b, True)
    b.wire("b.at", "out.at")
    b.speed_all(every_ns=4)


@design(ZIP, "without-pace")
def zip_without_pace(b: Builder) -> None:
    """Equal roads, four times as fast as the memories."""
    _zip(b, True)
    b.wire("b.at", "out.at")


@design(ZIP, "without-detour")
def zip_without_detour(b: Builder) -> None:
    """In step, and eight tiles short: the road by a is full, and the token waits at the fork."""
    _zip(b, False)
    b.wire("b.at", "out.at")
    b.speed_all(every_ns=4)


@design(ZIP, "wrong-twice-a")
def zip_twice_a(b: Builder) -> None:
    """Adds a to itself; b is read, and nobody wants to know."""
    zip_best(b)
    for line in (b.find("a.value")[0], b.find("b.value")[0]):
        b.remove(line)
    b.wire("a.value", "sum.a", "sum.b", every_ns=4)


@design(ZIP, "wrong-late")
def zip_late(b: Builder) -> None:
    """Joins one thread late: a delay holds a's words back by one."""
    zip_best(b)
    b.remove(b.find("a.value")[0])
    b.place("delay", (4, 4), "late", slots=1, every=4)
    b.wire("a.value", "late.in", every_ns=4)
    b.wire("late.out", "sum.a", every_ns=4)


@design(ZIP, "wrong-first-word")
def zip_first_word(b: Builder) -> None:
    """Asks b for word 0 every time."""
    _zip(b, True)
    b.wire("a.at", "out.at")
    b.words("b.at", "0")


@design(ZIP, "wrong-value-as-place")
def zip_value_as_place(b: Builder) -> None:
    """What should be added is taken for the place: the sum goes home with a's word for an address."""
    zip_best(b)
    b.remove(b.find("b.at")[0])
    b.wire("a.value", "out.at", every_ns=4)


# --- 03 Guards ---------------------------------------------------------------------------------------------

GUARDS = "gpu-puzzles-03-guards"

Tile = tuple[int, int]


def _guards(b: Builder, work: Tile, gate: Tile, lung: Tile | None = None) -> None:
    """Compare and gate in front of the load; with ``lung`` a buffer behind them."""
    b.place("compare", work, "work", op="lt", b=4)
    b.place("gate", gate, "gate")
    b.place("add", (8, 2), "ten", b=10)
    b.wire("threads.token", "work.a")
    b.wire("threads.token", "gate.in")
    b.wire("work.out", "gate.cond")
    if lung:
        b.place("buffer", lung, "lung", slots=1)
        b.wire("gate.out", "lung.in")
        b.wire("lung.out", "a.at")
    else:
        b.wire("gate.out", "a.at")
    b.wire("a.value", "ten.a")
    b.wire("ten.out", "out.value")
    b.wire("a.at", "out.at")


def _at_the_threads(b: Builder) -> None:
    """Gate and buffer beside the pad: up to there at the pad's pace, from there at the memory's."""
    _guards(b, (0, 7), (1, 7), (2, 7))
    b.speed_all(every_ns=4)
    for source in ("threads.token", "work.out", "gate.out"):
        for line in b.find(source):
            b.speed(line, every_ns=2)


def _at_the_memory(b: Builder) -> None:
    _guards(b, (2, 3), (1, 3))


@design(GUARDS, "naive")
def guards_naive(b: Builder) -> None:
    """The guard where it is needed, in front of the memory: all eight walk there, twice over, as compare and gate both
    want the token."""
    _at_the_memory(b)


@design(GUARDS, "best")
def guards_best(b: Builder) -> None:
    """The guard beside the threads: four walk, and only once. A buffer turns their rush into the memory's pace,
    and all roads behind it run at that."""
    _at_the_threads(b)


@design(GUARDS, "without-early")
def guards_without_early(b: Builder) -> None:
    """In step, and the guard is at the far end of the road."""
    _at_the_memory(b)
    b.speed_all(every_ns=4)
    for source in ("threads.token", "work.out", "gate.out"):
        for line in b.find(source):
            b.speed(line, every_ns=2)


@design(GUARDS, "without-pace")
def guards_without_pace(b: Builder) -> None:
    """The guard beside the threads, and every road at 1."""
    _guards(b, (0, 7), (1, 7), (2, 7))


@design(GUARDS, "without-lung")
def guards_without_lung(b: Builder) -> None:
    """No buffer; the long road takes the rush and is twice as fast as its words need."""
    _guards(b, (0, 7), (1, 7))
    b.speed_all(every_ns=4)
    for source in ("threads.token", "work.out", "gate.out"):
        for line in b.find(source):
            b.speed(line, every_ns=2)


@design(GUARDS, "wrong-no-guard")
def guards_no_guard(b: Builder) -> None:
    """Everybody goes, and the fifth reads beyond the end."""
    _at_the_memory(b)
    b.remove("work")
    b.remove("gate")
    b.wire("threads.token", "a.at")


@design(GUARDS, "wrong-clamp")
def guards_clamp(b: Builder) -> None:
    """Sends those without work to the last word, which is then written five times."""
    _at_the_memory(b)
    b.remove("work")
    b.remove("gate")
    b.place("min", (1, 3), "clamp", b=3)
    b.wire("threads.token", "clamp.a")
    b.wire("clamp.out", "a.at")


@design(GUARDS, "wrong-at-the-store")
def guards_at_the_store(b: Builder) -> None:
    """Nobody may write outside; but to read outside is forbidden as well."""
    _at_the_memory(b)
    for line in (*b.find("threads.token", "gate.in"), *b.find("gate.out"), *b.find("a.at")):
        b.remove(line)
    b.wire("threads.token", "a.at")
    b.wire("a.at", "gate.in")
    b.wire("gate.out", "out.at")


@design(GUARDS, "wrong-one-more")
def guards_one_more(b: Builder) -> None:
    """Up to four, and four included."""
    _at_the_threads(b)
    b.set("work", op="le")


@design(GUARDS, "wrong-one-less")
def guards_one_less(b: Builder) -> None:
    """The last of the four is sent away as well, and its word never comes."""
    _at_the_threads(b)
    b.set("work", b=3)
