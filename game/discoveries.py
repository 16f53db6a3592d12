"""Discoveries: engineering ideas that a design uses, recognised from the design and its report.

Nobody is asked to use them; the first time one is seen in a passing machine its card slides in, with the name that
engineers use. Each predicate looks at an :class:`Evidence` and never at what the player was told to do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from engine.bounds import Demand, Mark, demand
from engine.model import Design, Level, Report
from engine.netlist import Netlist, Wire


@dataclass(frozen=True, slots=True)
class Card:
    """One discovery: its id, real name, what it is, and where it is used."""

    id: str
    name: str
    text: str
    where: str


@dataclass
class Evidence:
    """A passing run and the design before it (the level's start, or the player's last launch)."""

    level: Level
    design: Design
    netlist: Netlist
    report: Report
    before: Design | None = None
    before_report: Report | None = None

    def nodes(self, *kinds: str) -> list[int]:
        """Numbers of the nodes of these kinds."""
        return [i for i, node in enumerate(self.netlist.nodes) if node.kind in kinds]

    def had(self, *kinds: str) -> bool:
        """Whether the design before used one of these cores."""
        return self.before is not None and any(core.core in kinds for core in self.before.cores)

    def uses(self, *kinds: str) -> bool:
        return any(core.core in kinds for core in self.design.cores)

    @cached_property
    def asked(self) -> Demand:
        return demand(self.netlist)

    @cached_property
    def loops(self) -> list[int]:
        """Numbers of the wires that lie in a loop."""
        return [i for i, wire in enumerate(self.asked.wires) if wire.mark is Mark.LOOP]

    def outputs(self, node: int) -> list[Wire]:
        return [self.netlist.wires[w] for port in self.netlist.nodes[node].outputs for w in port.wires]

    def sources(self, node: int, port: str | None = None) -> list[int]:
        """Nodes that feed a node, or one of its ports."""
        wires = (w for p in self.netlist.nodes[node].inputs if port in (None, p.name) for w in p.wires)
        return [self.netlist.wires[w].source for w in wires]

    def words_per_launch(self, wire: Wire) -> float:
        for element in self.report.elements:
            if element.id == wire.id and self.report.metrics and self.report.window:
                span = self.report.window.end_ns - self.report.window.start_ns
                return element.rate_per_ns * span / self.report.metrics.launches
        return 0.0

    def array_words(self, name: str) -> int:
        return next(a.words for a in self.netlist.arrays if a.name == name)

    def upstream(self, node: int) -> set[int]:
        seen, todo = {node}, [node]
        while todo:
            for source in self.sources(todo.pop()):
                if source not in seen:
                    seen.add(source)
                    todo.append(source)
        return seen


def _in_step(e: Evidence) -> bool:
    """Every wire outside loops and bursts runs at its demand rate, to 1 %."""
    checked = 0
    for wire, need in zip(e.netlist.wires, e.asked.wires, strict=True):
        if need.mark in (Mark.LOOP, Mark.BURST) or not need.every_ticks or not wire.every_ticks:
            continue
        if abs(wire.every_ticks - need.every_ticks) > max(1, need.every_ticks // 100):
            return False
        checked += 1
    return checked > 0


def _slack_matched(e: Evidence) -> bool:
    """Roads from a fork meet again, and none of them is short: by a longer wire or a buffer."""
    joins = [
        i
        for i, node in enumerate(e.netlist.nodes)
        if sum(bool(port.wires) for port in node.inputs) > 1 and _roads_share_a_fork(e, i)
    ]
    short = any(wire.mark is Mark.ROADS for wire in e.asked.wires)
    room = e.uses("buffer") or any(_detour(w) for w in e.netlist.wires)
    return bool(joins) and room and not short


def _roads_share_a_fork(e: Evidence, node: int) -> bool:
    roads = [
        set().union(*(e.upstream(e.netlist.wires[w].source) for w in p.wires))
        for p in e.netlist.nodes[node].inputs
        if p.wires
    ]
    return len(roads) > 1 and bool(roads[0] & roads[1])


def _detour(wire: Wire) -> bool:
    (x0, y0), (x1, y1) = wire.tiles[0], wire.tiles[-1]
    return wire.length > max(1, abs(x1 - x0) + abs(y1 - y0)) + 1


def _reduces_before_travel(e: Evidence) -> bool:
    """An accumulator whose result travels at least twice as far as what came in."""
    for i in e.nodes("accumulate"):
        into = [e.netlist.wires[w].length for p in e.netlist.nodes[i].inputs for w in p.wires]
        out = [wire.length for wire in e.outputs(i)]
        if into and out and e.netlist.nodes[i].params["n"] > 1 and max(out) >= 2 * max(into):
            return True
    return False


def _splits_late(e: Evidence) -> bool:
    """A relay or core with several wires, closer to where they go than to where the word came from."""
    for i in e.nodes("relay"):
        out = e.outputs(i)
        into = [e.netlist.wires[w].length for p in e.netlist.nodes[i].inputs for w in p.wires]
        if len(out) > 1 and into and max(into) > max(wire.length for wire in out):
            return True
    return False


def _reduced_strength(e: Evidence) -> bool:
    """A shift does the work of a multiplier or divider that was there before."""
    return e.uses("shl", "shr") and e.had("mul", "div", "mod") and _fewer(e, "mul", "mul.serial", "div", "mod")


def _fewer(e: Evidence, *kinds: str) -> bool:
    assert e.before
    return sum(c.core in kinds for c in e.design.cores) < sum(c.core in kinds for c in e.before.cores)


def _dead_code(e: Evidence) -> bool:
    """Cores went, none came, and the answer is the same."""
    if e.before is None or e.before_report is None or e.before_report.verdict != "pass":
        return False
    now, then = {c.id for c in e.design.cores}, {c.id for c in e.before.cores}
    return now < then


def _retimed(e: Evidence) -> bool:
    """The same cores in other places, and the machine is faster."""
    if e.before is None or e.before_report is None or e.before_report.metrics is None or e.report.metrics is None:
        return False
    now, then = ({c.id: (c.core, c.set) for c in d.cores} for d in (e.design, e.before))
    moved = {c.id: c.at for c in e.design.cores} != {c.id: c.at for c in e.before.cores}
    faster = e.report.metrics.throughput_launches_per_us > 1.01 * e.before_report.metrics.throughput_launches_per_us
    return bool(e.loops) and now == then and moved and faster


def _tight_loop(e: Evidence) -> bool:
    """The wires of a loop are short, and faster than every wire outside."""
    inside = [e.netlist.wires[i] for i in e.loops if e.netlist.wires[i].every_ticks]
    outside = [w for i, w in enumerate(e.netlist.wires) if i not in e.loops and w.every_ticks]
    if not inside or not outside:
        return False
    return max(w.length for w in inside) <= 2 and max(w.every_ticks for w in inside) < min(
        w.every_ticks for w in outside
    )


def _line_buffer(e: Evidence) -> bool:
    """A delay outside any loop, beside the stream that it delays."""
    looped = {e.netlist.wires[i].source for i in e.loops}
    return any(i not in looped for i in e.nodes("delay"))


def _stationary(e: Evidence) -> bool:
    """Words of an array are read once each and used many times by a repeat or hold in front of a multiplier."""
    for i in e.nodes("mul", "mac", "mul.serial"):
        for source in e.sources(i):
            node = e.netlist.nodes[source]
            if (
                node.kind == "repeat"
                and node.params["times"] > 1
                and any(e.netlist.nodes[u].kind in ("load", "stream") for u in e.upstream(source))
            ):
                return True
    return False


def _reused(e: Evidence) -> bool:
    """Every word of an input in far memory is read at most once, and some are used more than once."""
    reads = {name: n for name, n in e.report.accesses.items() if e.level.kernel.arrays[name].data is not None}
    far = {name: n for name, n in reads.items() if e.level.kernel.arrays[name].memory == "far"}
    used_again = e.uses("repeat", "hold", "delay", "shared") or any(len(e.outputs(i)) > 1 for i in e.nodes("load"))
    return bool(far) and used_again and all(n <= e.array_words(name) for name, n in far.items())


def _hides_latency(e: Evidence) -> bool:
    """Ten and more words are inside a far load at once."""
    for element in e.report.elements:
        node = next((n for n in e.netlist.nodes if n.id == element.id and n.kind == "load"), None)
        if node and node.latency_ticks >= 4000 and element.rate_per_ns * node.latency_ticks / 100 >= 10:
            return True
    return False


def _no_barrier(e: Evidence) -> bool:
    return e.had("barrier") and not e.uses("barrier")


def _predicated(e: Evidence) -> bool:
    """Both arms are computed and one is selected, where a switch or gate did it before or would do."""
    return any(len(set(e.sources(i))) > 1 for i in e.nodes("select"))


def _recomputed(e: Evidence) -> bool:
    """Something that was kept before is computed again: fewer slots, more arithmetic."""
    if e.before is None:
        return False
    kept = ("buffer", "repeat", "hold")
    work = ("add", "sub", "mul", "mac", "shl", "shr", "xor", "and", "or", "address")
    fewer_kept = sum(c.core in kept for c in e.design.cores) < sum(c.core in kept for c in e.before.cores)
    more_work = sum(c.core in work for c in e.design.cores) > sum(c.core in work for c in e.before.cores)
    return fewer_kept and more_work


def _coalesced(e: Evidence) -> bool:
    """An input in far memory is walked word by word, in order: no address is made for it at all."""
    for i in e.nodes("load"):
        node = e.netlist.nodes[i]
        array = e.netlist.arrays[node.params["array"]]
        feeders = {e.netlist.nodes[s].kind for s in e.sources(i, "at")}
        if e.level.kernel.arrays[array.name].memory == "far" and feeders and feeders <= {"counter", "threads", "relay"}:
            return True
    return False


def _breathing(e: Evidence) -> bool:
    """A buffer right behind a bursting pad, and slower wires behind it."""
    for i in e.nodes("stream"):
        if not e.netlist.nodes[i].params.get("burst"):
            continue
        for wire in e.outputs(i):
            after = e.outputs(wire.target)
            is_lung = e.netlist.nodes[wire.target].kind == "buffer" and wire.length <= 2
            if is_lung and after and all(w.every_ticks > wire.every_ticks for w in after):
                return True
    return False


def _early_guard(e: Evidence) -> bool:
    """Threads without work leave right beside their pad."""
    for i in e.nodes("guard", "gate"):
        for p in e.netlist.nodes[i].inputs:
            for w in p.wires:
                wire = e.netlist.wires[w]
                if e.netlist.nodes[wire.source].kind == "threads" and wire.length <= 3:
                    return True
    return False


def _double_buffer(e: Evidence) -> bool:
    return any(memory.pages == 2 for memory in e.netlist.memories)


def _ways(e: Evidence) -> bool:
    return any(e.netlist.nodes[i].params["ways"] > 1 for i in e.nodes("accumulate"))


def _fused(e: Evidence) -> bool:
    return e.uses("mac") and e.before is not None and e.had("mul") and not e.had("mac")


def _counter_address(e: Evidence) -> bool:
    """Addresses come from a counter where a multiplication made them before."""
    return e.uses("counter") and e.had("mac", "mul", "address") and not e.uses("mac", "mul", "address")


CARDS: tuple[tuple[Card, Callable[[Evidence], bool]], ...] = (
    (
        Card(
            "rate-matching",
            "Rate matching",
            "Every wire runs just as fast as it is asked to.",
            "Clock domains on a chip are set this way.",
        ),
        _in_step,
    ),
    (
        Card(
            "slack-matching",
            "Slack matching",
            "Two roads that meet hold the same number of words.",
            "Dataflow compilers insert the buffers for you.",
        ),
        _slack_matched,
    ),
    (
        Card(
            "reduce-first",
            "Reduce before you move",
            "The sum travels, not the summands.",
            "Matrix engines keep partial sums where they are made.",
        ),
        _reduces_before_travel,
    ),
    (
        Card(
            "split-late", "Split late", "One wire goes most of the way for two.", "Multicast trees in networks on chip."
        ),
        _splits_late,
    ),
    (
        Card(
            "strength-reduction",
            "Strength reduction",
            "A cheap operation does the work of a dear one.",
            "Every compiler turns × 8 into a shift.",
        ),
        _reduced_strength,
    ),
    (
        Card(
            "dead-code",
            "Dead code elimination",
            "What cannot reach the answer was removed.",
            "Synthesis tools sweep it away.",
        ),
        _dead_code,
    ),
    (
        Card(
            "retiming",
            "Retiming",
            "The same cores in other places, and the loop is faster.",
            "Registers are moved through logic to shorten a cycle.",
        ),
        _retimed,
    ),
    (
        Card(
            "loop-initiation",
            "Loop initiation interval",
            "Only the loop is fast; the rest strolls.",
            "High-level synthesis reports it for every loop.",
        ),
        _tight_loop,
    ),
    (
        Card(
            "line-buffer",
            "Line buffer",
            "What passed a moment ago is still here.",
            "Cameras filter pictures with a few lines of memory.",
        ),
        _line_buffer,
    ),
    (
        Card(
            "stationary-weights",
            "Stationary weights",
            "The weights stay, the data walks past.",
            "Systolic arrays in neural accelerators.",
        ),
        _stationary,
    ),
    (
        Card(
            "register-reuse",
            "Register reuse",
            "Each word was read once and used often.",
            "Tiling in every fast matrix library.",
        ),
        _reused,
    ),
    (
        Card(
            "latency-hiding",
            "Latency hiding",
            "Many words are on their way from far memory at once.",
            "Thousands of threads on a GPU do just that.",
        ),
        _hides_latency,
    ),
    (
        Card(
            "needless-barrier",
            "A barrier that is not needed",
            "Nobody read what another thread wrote, so nobody had to wait.",
            "Removing one is a classic GPU optimisation.",
        ),
        _no_barrier,
    ),
    (
        Card(
            "predication", "Predication", "Both arms are computed and one is chosen.", "GPUs do it for short branches."
        ),
        _predicated,
    ),
    (
        Card(
            "rematerialisation",
            "Rematerialisation",
            "Computing it again was cheaper than keeping it.",
            "Compilers do it when registers run out.",
        ),
        _recomputed,
    ),
    (
        Card(
            "coalescing",
            "Walking in order",
            "Memory is read word after word, as it lies.",
            "Coalesced access: one line serves many threads.",
        ),
        _coalesced,
    ),
    (
        Card(
            "elastic-buffer",
            "Elastic buffer",
            "A lung beside a source that breathes.",
            "FIFOs stand behind every network port.",
        ),
        _breathing,
    ),
    (
        Card(
            "early-exit",
            "Early exit",
            "Threads without work leave at the door.",
            "The guard is the first line of most GPU kernels.",
        ),
        _early_guard,
    ),
    (
        Card(
            "double-buffering",
            "Double buffering",
            "One page fills while the other empties.",
            "Screens, disks and matrix tiles.",
        ),
        _double_buffer,
    ),
    (
        Card(
            "interleaving",
            "Interleaved sums",
            "Several sums take turns in one adder.",
            "The cure for an adder of many cycles.",
        ),
        _ways,
    ),
    (
        Card(
            "fused-multiply-add",
            "Multiply–accumulate",
            "Two operations in one core.",
            "The instruction that every DSP is built around.",
        ),
        _fused,
    ),
    (
        Card(
            "induction-variable",
            "Induction variable",
            "The next address is the last one and a step.",
            "Compilers take multiplications out of loops this way.",
        ),
        _counter_address,
    ),
)


def discover(evidence: Evidence, known: Iterable[str] = ()) -> list[Card]:
    """Cards that this passing run earns and that are not yet known, in the book's order."""
    seen = set(known)
    return [card for card, holds in CARDS if card.id not in seen and holds(evidence)]
