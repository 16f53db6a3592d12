"""What a fault means, in a sentence: where, what was expected, what was found."""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence

from engine.machine import Cause, FaultInfo, LateWord
from engine.model import Fault, Number
from engine.netlist import Netlist, Node, Wire
from engine.problems import listed
from engine.technology import technology
from engine.units import ns_from_ticks


def as_number(bits: int, is_float: bool) -> Number:
    """The value of a signed 32-bit pattern."""
    if not is_float:
        return bits
    value: float = struct.unpack("<f", struct.pack("<i", bits))[0]
    return value


def explain_fault(netlist: Netlist, info: FaultInfo, late: Sequence[LateWord] = ()) -> Fault:
    """A fault as the engine saw it, as a person should read it.

    ``late`` are the machine's words with late bits: the first of the fault's launch is named as the reason.
    """
    node = netlist.nodes[info.node]
    name = _port_name(node)
    array = netlist.arrays[node.params["array"]] if "array" in node.params else None
    is_float = array.is_float if array else node.is_float
    expected: Number | None = None
    got: Number | None = None
    index = list(info.index)
    if array is not None and len(index) == 1 and info.code != "outside":
        index = _unflatten(index[0], array.shape)
    place = f"{array.name}[{', '.join(map(str, index))}]" if array else ""
    block = f" of block {info.block}" if info.block >= 0 else ""
    launch = f" of launch {info.launch}" if info.launch >= 0 else ""
    others: list[str] = []
    if info.other_node >= 0:
        others.append(netlist.nodes[info.other_node].id)
    writer = _port_name(netlist.nodes[info.other_node]) if info.other_node >= 0 else ""
    port = node.inputs[info.port].name if 0 <= info.port < len(node.inputs) else None

    match info.code:
        case "wrong-value":
            expected, got = as_number(info.expected, is_float), as_number(info.got, is_float)
            text = f"{place}{launch}: expected {expected}, got {got}"
        case "outside" if array is not None:
            shape = " × ".join(f"0 … {n - 1}" for n in array.shape)
            dims = _dimensions(len(array.shape))
            text = (
                f"{name} was asked for {array.name}[{', '.join(map(str, index))}]{launch}, which is outside: "
                f"{dims} {shape}"
            )
        case "written-twice":
            text = f"{place}{launch} was written a second time"
        case "extra-word":
            words = array.words if array else 0
            text = f"{name} got word {info.other + 1}{launch}, which has only {words}"
        case "unwritten":
            text = f"{place}{launch} was read before it was written"
        case "no-launch":
            text = f"{name} got a delay's first word, which belongs to no launch"
        case "mixed-launches":
            text = f"{name} got words of two launches at once: launch {info.launch} and, at {port}, launch {info.other}"
        case "open-group":
            full = _group_size(node)
            text = (
                f"{name} had {info.other} of {full} packets when one of launch {info.launch} came: "
                "a group never spans two launches"
            )
        case "lost-words":
            text = f"launch {info.launch} lost {info.other} output word{'s' if info.other != 1 else ''}: " + (
                f"the last packet went at {netlist.nodes[info.other_node].id}"
                if info.other_node >= 0
                else f"no packet of it is left{_maskers(netlist)}"
            )
            others += [n.id for n in netlist.nodes if info.other_node < 0 and _masks(n)]
        case "divide-by-zero":
            text = f"{name} was asked to divide by zero"
        case "not-finite":
            text = f"{name} made a number that is not finite"
        case "shared-outside":
            text = f"{name} was asked for word {index[0]}, which is outside 0 … {_memory_words(netlist, node) - 1}"
        case "read-before-write":
            text = f"{name} read word {index[0]}{block} before anything was written there: is a barrier missing?"
        case "given-back":
            text = f"{name} read word {index[0]}{block} after the page had its reads and was given back"
        case "overwrite":
            text = (
                f"{name} wrote word {index[0]}{block}, which {_who(info.other)} had written at {writer} and which may "
                "still be needed: is a barrier missing?"
            )
        case "race":
            text = (
                f"{name} read word {index[0]}{block}, which {_who(info.other)} wrote at {writer}, and no barrier lies "
                "between: it came out in time by luck"
            )
        case "deep-split":
            text = f"{name} was to split a packet that is split {info.other} times already: join halves before"
        case "other-half" if info.other == info.thread:
            text = f"{name} got halves of different packets: wire the switch's order to it, and drop none on the way"
        case "other-half":
            text = f"{name} got halves of {_warp(netlist, node, info.thread)} and {_warp(netlist, node, info.other)}"
            text += ": wire the switch's order to it, and let no arm drop or reorder packets"
        case "lane-twice":
            text = f"{name} got lane {info.lane} of {_warp(netlist, node, info.thread)} from both sides"
            text += ": wire each side of one switch to it, once"
        case "not-split":
            text = f"{name} got a packet at {port} that no switch has split: "
            text += "wire both sides of a switch of lanes to it, or leave the join out"
        case "lanes-missing":
            text = (
                f"{name} lacks lane {info.lane} of {_warp(netlist, node, info.thread)}, which was masked on the way: "
                "a lane that is not wanted goes on as live, and is selected away behind the join"
            )
        case "burnt-out":
            ambient = technology(netlist.technology).heat.ambient_c
            text = (
                f"{name} burnt out: {info.got // 1_000_000} K above {ambient} °C is too hot; put what is busy further "
                "apart, or let it do less"
            )
        case "parity-error":
            text = f"{name} got a word over the wire {netlist.wires[info.other].id} with a parity error"
            others.append(netlist.wires[info.other].id)
        case "uncorrectable":
            wire = netlist.wires[info.other].id
            text = f"{name} got a word over the wire {wire} that is uncorrectable: more than one of its lines is wrong"
            others.append(wire)
        case _:
            text = info.code
    undecoded = _undecoded(netlist, info.node) if info.code in VALUES else []
    others += [wire.id for wire in undecoded]
    if info.code in ("read-before-write", "overwrite", "race", "given-back"):
        others = sorted({*others, *_memory_peers(netlist, node)} - {node.id})
    message = sentence(netlist, text)
    if info.lane >= 0 and node.kind != "join":
        of = f", thread {info.thread + info.lane}" if info.thread >= 0 else ""
        message = f"{message} It was lane {info.lane}{of}."
    for raw in undecoded:
        message = f"{message} What came over the wire {raw.id} are lines of {raw.encoding}: its receiver is raw, so no "
        message += "decoder made words of them."
    first = next((word for word in late if word.launch == info.launch >= 0), None)
    if first is not None:
        culprit, why = _late(netlist, first)
        message = f"{message} {why}"
        if culprit != node.id and culprit not in others:
            others.append(culprit)
    return Fault(
        code=info.code,
        message=message,
        core=node.id,
        port=port,
        packet=[as_number(w, False) for w in info.words] or None,
        launch=info.launch if info.launch >= 0 else None,
        block=info.block if info.block >= 0 else None,
        index=index or None,
        expected=expected,
        got=got,
        time_ns=ns_from_ticks(info.tick),
        others=others,
    )


def sentence(netlist: Netlist, text: str) -> str:
    """``text`` with a full stop and a capital, which the name of an element or array at its head does not get."""
    first = re.match(r"\w*", text)
    names = {element.id for element in netlist.elements} | {array.name for array in netlist.arrays}
    if first and first[0] not in names:
        text = text[0].upper() + text[1:]
    return text if text.endswith("?") else f"{text}."


VALUES = ("wrong-value", "outside", "shared-outside", "divide-by-zero", "not-finite")
"""Faults by the value of a word."""

PLAIN_LINES = ("raw", "parity", "secded")
"""Encodings of which lines 0 to 31 are the word."""


def _undecoded(netlist: Netlist, node: int) -> list[Wire]:
    """The wires on the way to a core whose lines are taken for words."""
    if not any(wire.raw_receiver for wire in netlist.wires):
        return []
    seen, todo = {node}, [node]
    found: list[Wire] = []
    while todo:
        target = todo.pop()
        for wire in netlist.wires:
            if wire.target == target:
                if wire.raw_receiver and wire.encoding not in PLAIN_LINES:
                    found.append(wire)
                if wire.source not in seen:
                    seen.add(wire.source)
                    todo.append(wire.source)
    return sorted(found, key=lambda wire: wire.id)[:2]


def _masks(node: Node) -> bool:
    """Whether a core masks lanes by itself; where packets meet, the masks of these meet."""
    return node.kind in ("gate", "guard") and node.lanes > 1


def _maskers(netlist: Netlist) -> str:
    """Where lanes may have been masked, whose words then never come; "" where no core masks lanes."""
    names = [node.id for node in netlist.nodes if _masks(node)]
    each = "masks lanes" if len(names) == 1 else "mask lanes"
    return f", and {listed(names)} {each}, whose words are never stored" if names else ""


def _who(thread: int) -> str:
    """The thread that wrote a word, as far as it is known."""
    return f"thread {thread}" if thread >= 0 else "another packet"


def _warp(netlist: Netlist, node: Node, thread: int) -> str:
    """The warp whose first thread this is."""
    if thread < 0:
        return "a packet without threads"
    block, first = divmod(thread, max(netlist.threads_per_block, 1))
    return f"warp {first // node.lanes}" + (f" of block {block}" if netlist.blocks > 1 else "")


def _late(netlist: Netlist, word: LateWord) -> tuple[str, str]:
    """The core or wire at which bits of a word came late, and the sentence that says so."""
    element = netlist.nodes[word.index] if word.cause is Cause.LATE_BITS else netlist.wires[word.index]
    bits = [str(bit) for bit in range(63, -1, -1) if word.bits >> bit & 1]
    what = "Line" if isinstance(element, Wire) and element.encoding != "raw" else "Bit"
    which = f"{what} {bits[0]}" if len(bits) == 1 else f"{what}s {', '.join(bits[:-1])} and {bits[-1]}"
    if word.cause is Cause.STRAY and isinstance(element, Wire):
        time = f"{ns_from_ticks(element.retention_ticks):g} ns"
        return element.id, f"{which} on the wire {element.id} leaked away: its walls keep a charge for {time}."
    if word.cause is Cause.NOISE and isinstance(element, Wire) and element.coupling:
        margin = f"{element.coupling.margin_uv / 1000:g} mV"
        beside = listed(_beside(netlist, word))
        return element.id, f"{which} on the wire {element.id} flipped: the noise of {beside} was above {margin}."
    fast = f"{element.overshoot_ppm / 10_000:.2g} % too fast at {element.voltage_mv} mV"
    if isinstance(element, Node):
        return element.id, f"{which} of {element.id} came late: its clock is {fast}."
    return element.id, f"{which} on the wire {element.id} came late: it is {fast}."


def _beside(netlist: Netlist, word: LateWord) -> list[str]:
    """The wires beside a word, and its own lines, which always are."""
    wires: set[int] = set()
    for stretch in netlist.stretches:
        ends = list(zip(stretch.wires, stretch.words, strict=True))
        for own, (other, _) in (ends, ends[::-1]):
            if own == (word.index, word.word) and other != word.index:
                wires.add(other)
    return [*(netlist.wires[wire].id for wire in sorted(wires)), "its own lines"]


def _port_name(node: Node) -> str:
    """A shared memory's port says which one it is: "sh (read2)"."""
    side = node.params.get("port_name")
    return f"{node.id} ({side})" if side else node.id


def _unflatten(flat: int, shape: tuple[int, ...]) -> list[int]:
    index: list[int] = []
    for length in reversed(shape):
        index.append(flat % length)
        flat //= length
    return index[::-1]


def _dimensions(rank: int) -> str:
    return {1: "index", 2: "[row, column]", 3: "[plane, row, column]"}.get(rank, "index")


def _group_size(node: Node) -> int:
    p = node.params
    match node.kind:
        case "accumulate":
            return int(p["n"] * p["ways"])
        case "take" | "skip":
            return int(p["of"])
        case "repeat":
            return int(p["group"])
        case "delay" | "pack" | "compact":
            return int(p["every"])
        case _:
            return int(p["n"])


def _memory_words(netlist: Netlist, node: Node) -> int:
    memory: int = node.params["memory"]
    return netlist.memories[memory].words


def _memory_peers(netlist: Netlist, node: Node) -> list[str]:
    """What feeds the ports of the same memory: the cores between which a barrier would have to stand."""
    found = []
    for other in netlist.nodes:
        if other.kind.startswith("shared.") and other.params["memory"] == node.params["memory"]:
            for port in other.inputs:
                found += [netlist.nodes[netlist.wires[w].source].id for w in port.wires]
    return found
