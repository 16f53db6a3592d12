"""The sentences of :mod:`engine.explain`: what waits at what, what a root does, and what it means."""

from __future__ import annotations

from collections.abc import Sequence

from engine.machine import NodeView, StateView
from engine.model import WaitKind
from engine.netlist import Netlist, Node
from engine.score import SHARED
from engine.units import ns_from_ticks
from engine.wait_state import Look

_DROPPING = ("gate", "take", "skip")


def listed(names: Sequence[str]) -> str:
    """ "a, b and c", each name once."""
    unique = list(dict.fromkeys(names))
    return unique[0] if len(unique) == 1 else ", ".join(unique[:-1]) + " and " + unique[-1]


def wire_name(netlist: Netlist, wire: int) -> str:
    """ "mul1 → add2"."""
    found = netlist.wires[wire]
    return f"{netlist.nodes[found.source].id} → {netlist.nodes[found.target].id}"


def port_name(name: str) -> str:
    """A port's name behind "at": one is itself called so."""
    return "port at" if name == "at" else name


def stopped(netlist: Netlist, wire: int) -> str:
    """The reason of a stopped wire."""
    return f"the wire {wire_name(netlist, wire)} is stopped"


def branch(netlist: Netlist, node: int, wire: int) -> str:
    """ " to add2", where the node forks and it must be said which branch is meant."""
    outputs = netlist.nodes[node].outputs
    return f" to {netlist.nodes[netlist.wires[wire].target].id}" if sum(len(p.wires) for p in outputs) > 1 else ""


def wants(netlist: Netlist, state: StateView, node: int, port: int) -> str:
    """ "waits at b", with what a join has at its other ports, or what a group has so far."""
    found, view = netlist.nodes[node], state.nodes[node]
    text = f"waits at {port_name(found.inputs[port].name)}"
    if found.kind == "accumulate" and view.count:
        return f"has {view.count} of {found.params['n'] * found.params['ways']} and {text}"
    if found.kind == "barrier" and view.slots:
        threads = " threads" if found.breadth > 1 else ""
        return f"has {Look(netlist, state).threads_inside(view)} of {found.params['n']}{threads} and {text}"
    if found.kind == "join":
        return _half(netlist, state, node, port, text)
    if found.kind in ("pack", "compact") and view.count:
        return f"has {view.count} of {found.params['every'] or found.params['n']} and {text}"
    if found.kind == "mux" and port:
        return f"{text}, as cond says,"
    if found.kind == "collect":
        return f"{text}, whose turn it is,"
    at_hand = [
        f"{counted(there, 'word')} at {port_name(other.name)}"
        for p, other in enumerate(found.inputs)
        if p != port and (there := sum(len(state.wires[w].packets) for w in other.wires))
    ]
    return f"has {listed(at_hand)} and {text}" if at_hand else text


def _half(netlist: Netlist, state: StateView, index: int, port: int, text: str) -> str:
    """What a join has of the packet of which it lacks a half."""
    node, look = netlist.nodes[index], Look(netlist, state)
    half = next((head for side in (0, 1) if side != port and (head := look.head(node, side))), None)
    if port == 2 or half is None or not half.stack:
        return text
    lanes = (half.stack[-1] & ~half.live).bit_count()
    warp = f" of warp {half.thread % netlist.threads_per_block // half.lanes}" if half.thread >= 0 else ""
    block = f" of block {half.block}" if half.block >= 0 else ""
    dropping = droppers(netlist, index)
    lost = f" (dropped at {listed(dropping)})" if dropping else ""
    return f"lacks {counted(lanes, 'lane')}{warp}{block}{lost} and {text}"


def busy(node: Node, view: NodeView, tick: int) -> tuple[str, int] | None:
    """What a node that is at work does, and the ticks per word that it allows; None where it is not at work."""
    every = ns_from_ticks(node.interval_ticks)
    within = view.last_firing >= 0 and tick < view.last_firing + node.interval_ticks
    burst = node.params.get("burst")
    if node.kind in ("threads", "stream"):
        if within:
            return f"{node.id} has a word every {every:g} ns", node.interval_ticks
        if burst and view.last_firing >= 0 and tick < view.last_firing + node.interval_ticks + burst[1]:
            return f"{node.id} sends {burst[0]} words and rests for {ns_from_ticks(burst[1]):g} ns", 0
        return None
    sending = within or len(view.slots) >= node.params.get("group", 1)
    if node.kind == "repeat" and sending and node.params["times"] > 1:
        kept = "each word" if node.params["group"] == 1 else f"each {node.params['group']} words"
        return f"{node.id} sends {kept} {node.params['times']} times, one every {every:g} ns", node.interval_ticks
    if node.kind == "counter" and sending:
        return f"{node.id} counts {node.params['n']} words, one every {every:g} ns", node.interval_ticks
    if within:
        return f"{node.id} takes a word every {every:g} ns", node.interval_ticks
    if view.results and view.results[0][1] > tick and len(view.results) >= node.room:
        latency = ns_from_ticks(node.latency_ticks)
        ticks = max(node.interval_ticks, node.latency_ticks // node.room)
        return f"{node.id} holds {node.room} at a time, each for {latency:g} ns", ticks
    return None


def at_work(netlist: Netlist, node: Node) -> str:
    """What holds a pad or memory that has all that it needs, where an access may take several intervals; else ""."""
    every = ns_from_ticks(node.interval_ticks)
    if node.kind in ("load", "store") and node.breadth > 1:
        return f"{node.id} moves one line after the other of an access, one every {every:g} ns"
    if node.kind in SHARED and netlist.memories[node.params["memory"]].banks:
        return f"{node.id} waits for a bank: an access takes {every:g} ns for each word that it needs in one bank"
    return ""


def barrier(netlist: Netlist, state: StateView, index: int) -> str:
    """A barrier that waits for more of its block, and who may have dropped them."""
    node, view = netlist.nodes[index], state.nodes[index]
    text = f"{node.id} has {Look(netlist, state).threads_inside(view)} of {node.params['n']}"
    if view.slots:
        inside = view.slots[0]
        text += f"{' threads' if node.breadth > 1 else ''} of block {inside.block} of launch {inside.launch}"
    if any(packet.stack for packet in view.slots):
        switches = [netlist.nodes[i].id for i in upstream(netlist, index) if netlist.nodes[i].kind == "switch"]
        text += f"; the others went the other way at {listed(switches)}" if switches else ""
    dropping = droppers(netlist, index)
    if dropping:
        text += f"; the others were dropped at {listed(dropping)}"
    return text


def droppers(netlist: Netlist, index: int) -> list[str]:
    """Cores that may drop packets: this one, or upstream."""
    return [netlist.nodes[i].id for i in upstream(netlist, index) if _drops(netlist.nodes[i])]


def upstream(netlist: Netlist, index: int) -> list[int]:
    """A node and all from which packets come to it, in order."""
    seen, todo = {index}, [index]
    while todo:
        for port in netlist.nodes[todo.pop()].inputs:
            for w in port.wires:
                source = netlist.wires[w].source
                if source not in seen:
                    seen.add(source)
                    todo.append(source)
    return sorted(seen)


def _drops(node: Node) -> bool:
    return node.kind in _DROPPING or (node.kind == "guard" and node.params["mode"] == "drop")


def pages(netlist: Netlist, state: StateView, index: int) -> str:
    """A write that finds no free page, and what the blocks that hold them still owe."""
    node = netlist.nodes[index]
    memory = netlist.memories[node.params["memory"]]
    held = ", ".join(
        f"block {block} of launch {launch} has had {reads} of {memory.reads} reads"
        for launch, block, reads, _ in state.pages[node.params["memory"]]
    )
    return f"{node.id} has no free page: {held}"


def pace(node: Node, every_ticks: int, way: str | None) -> int:
    """Ticks per word for those before a node (``way`` down) or after it: a repeat takes seldom what it sends often."""
    if way != "down" or node.kind not in ("repeat", "counter"):
        return every_ticks
    times: int = node.params["times" if node.kind == "repeat" else "n"]
    return every_ticks * times


# --- What it means ---------------------------------------------------------------------------------------


def rate(every_ticks: int) -> str:
    """ "0.20 words per ns"."""
    figure = f"{100 / every_ticks:.2g}"
    return f"{figure} {'word' if figure == '1' else 'words'} per ns"


def meaning(kind: WaitKind, root: str, way: str | None, every_ticks: int) -> str:
    """What a root means for those that wait for it; ``way`` is how the last of them waits."""
    match kind:
        case "stopped":
            return "nothing gets past a wire that is stopped: give it a speed"
        case "barrier":
            return "the barrier opens when all of a block have come: count what each block sends"
        case "page":
            return "every block gives its page back after so many reads: count them, or give the memory another page"
        case "ahead":
            return ""
    if way is None:
        return f"{root} waits for nobody: this is its own pace"
    side = "before" if way == "down" else "after"
    if every_ticks:
        return f"nothing {side} this point can be faster than {rate(every_ticks)}"
    return f"nothing {side} {root} can be faster"


def ring(netlist: Netlist, state: StateView, steps: Sequence[tuple[int, str, int | None]]) -> tuple[WaitKind, str, str]:
    """Kind, root and meaning of a ring of waits: (node, how it waits for the next one, over which wire).

    Only up: a loop, in which a word takes long to come round, or has none. Only down: a loop with every place taken.
    Both: two roads that meet; the root is the last full wire of the short one.
    """
    ways = {way for _, way, _ in steps}
    if "page" in ways:
        memory = next(node for node, way, _ in steps if way == "page")
        return "page", netlist.nodes[memory].id, meaning("page", "", None, 0)
    for node, way, _ in steps:
        arrivals = netlist.nodes[node].inputs[-1].wires if netlist.nodes[node].params.get("has_arrive") else ()
        lost = droppers(netlist, netlist.wires[arrivals[0]].source) if arrivals and way == "up" else []
        if lost and Look(netlist, state).still():
            name = netlist.nodes[node].id
            return "barrier", name, f"{meaning('barrier', '', None, 0)}; some are dropped at {listed(lost)}"
    if ways == {"down"}:
        root = min(node for node, _, _ in steps)
        return "full", netlist.nodes[root].id, "every place in the ring is taken: no word can move on"
    if "down" in ways:
        at = _join(steps)
        wire = steps[at][2]
        assert wire is not None
        text = f"the short road is full: it holds {counted(holds(netlist, steps), 'word')}, and the other needs more"
        return "roads", netlist.wires[wire].id, text
    return _loop(netlist, state, steps)


def holds(netlist: Netlist, steps: Sequence[tuple[int, str, int | None]]) -> int:
    """Words that the full wires of a ring hold, and the cores between them."""
    down = [(node, wire) for node, way, wire in steps if way == "down" and wire is not None]
    ends = {netlist.wires[wire].target for _, wire in down}
    return sum(netlist.wires[w].capacity for _, w in down) + sum(netlist.nodes[n].room for n, _ in down if n in ends)


def _join(steps: Sequence[tuple[int, str, int | None]]) -> int:
    """The last step down before one up: the full wire that ends where the roads meet (the least wire of several)."""
    joins = [
        (wire, n)
        for n, (_, way, wire) in enumerate(steps)
        if way == "down" and wire is not None and steps[(n + 1) % len(steps)][1] != "down"
    ]
    return min(joins)[1]


def short_road(holds: int, missing: int, buffers: bool = True) -> str:
    """ "the short road is full: it holds 5 words, the other needs 11. Six more tiles, or a buffer of six".

    Without ``buffers``, where there are none to be had, only the tiles.
    """
    more = missing + missing % 2  # two ways between two tiles differ by an even number
    return (
        f"the short road is full: it holds {counted(holds, 'word')}, the other needs {holds + missing}. "
        f"{number(more).capitalize()} more tiles{f', or a buffer of {number(missing)}' if buffers else ''}"
    )


def _loop(
    netlist: Netlist, state: StateView, steps: Sequence[tuple[int, str, int | None]]
) -> tuple[WaitKind, str, str]:
    groups = [n for n, _, _ in steps if netlist.nodes[n].kind in ("accumulate", "barrier") and _inside(state, n)]
    around = sum(
        len(state.wires[w].packets) + len(state.nodes[n].results)
        for n, way, w in steps
        if w is not None and way == "up"
    )
    if groups and not around:
        node = netlist.nodes[groups[0]]
        return "loop", node.id, f"{node.id} waits for the rest of its group, which comes only after its result"
    if not around:
        root = min(n for n, _, _ in steps)
        return "loop", netlist.nodes[root].id, "no word is on its way round: a delay that starts with one would move it"
    delays = [(netlist.nodes[n].latency_ticks, netlist.nodes[n].id) for n, _, _ in sorted(steps)]
    delays += [(_transit(netlist, w), netlist.wires[w].id) for w in sorted(w for _, _, w in steps if w is not None)]
    whole = ns_from_ticks(sum(ticks for ticks, _ in delays))
    root_id = max(delays, key=lambda d: d[0])[1]
    return "loop", root_id, f"each word takes {whole:g} ns to go round: only a shorter or faster loop helps"


def _inside(state: StateView, node: int) -> bool:
    return bool(state.nodes[node].count or state.nodes[node].slots)


def _transit(netlist: Netlist, wire: int) -> int:
    return netlist.wires[wire].transit_ticks


_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def number(n: int) -> str:
    """Small numbers as words."""
    return _NUMBERS[n] if 0 <= n < len(_NUMBERS) else str(n)


def counted(n: int, what: str) -> str:
    """ "1 word", "3 words"."""
    return f"{n} {what}{'' if n == 1 else 's'}"
