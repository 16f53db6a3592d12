"""What the inspector tells of an element, as rows of plain values."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import pairwise
from typing import Any

from engine.catalog import CORES, ports_of
from engine.model import (
    MODULES,
    BoundReport,
    Design,
    ElementReport,
    Level,
    PadSpec,
    Report,
    WordChoice,
    causes_with,
)
from engine.netlist import Netlist
from engine.parts import DTYPE, has_buffers
from engine.tokens import DEFAULT_WORDS, DIMENSIONS
from game.describe_level import describe_level
from game.entries import every_text, setting_text, speed_entry, words_text
from game.margins import margins_of
from game.offered import Offered, in_common, of_cores, of_pad, of_wires
from game.rows import Causes, Choice, Entry, Head, Held, Note, Press, Row, Shares, Subject, Value
from game.said import plain
from game.supply import SafeRegion, core_region, margin, wire_region
from game.text import number
from game.view.layout import pad_pace, ports_of_core, wire_words
from game.view.scene import SHIELD, Item, shield_index, shield_name

BASES = {"dec": "decimal", "hex": "hex", "bin": "binary"}
"""How values of packets are shown: what the inspector calls it, and the scene."""

_PROBE = Press("probe", "Probe it, or no longer (T)", ("probe",))


# --- subjects ---------------------------------------------------------------------------------------------------


SHIELD_SENTENCE = (
    "A grounded track: no words couple through it. It takes a track, and a little energy of every bit that toggles "
    "beside it. Tracks count from the north, or from the west."
)


def describe(
    level: Level,
    design: Design,
    selection: Collection[Item],
    *,
    netlist: Netlist | None = None,
    report: Report | None = None,
    detents: Mapping[int, int] | None = None,
    marks: Mapping[int, str] | None = None,
    can_match: bool = True,
    can_why: bool = True,
    base: str = "decimal",
    bound: BoundReport | None = None,
) -> Subject:
    """Rows for what is selected: one core, pad or wire, several things, or nothing: then the level.

    ``bound`` is what the wiring allows, known before any run.
    """
    only = next(iter(selection)) if len(selection) == 1 else None
    if isinstance(only, int) and only < len(design.wires):
        return _wire(level, design, only, netlist, report, detents or {}, marks or {}, can_match, can_why, base)
    if (shield := shield_index(only)) is not None and shield < len(design.shields):
        return _shield(design, shield)
    if isinstance(only, str):
        pad = next((pad for pad in level.pads if pad.id == only), None)
        if pad is not None:
            return _pad(level, design, pad, netlist, report, can_why)
        if any(core.id == only for core in design.cores):
            return _core(level, design, only, netlist, report, can_why)
    if len(selection) > 1:
        return _several(level, design, selection, can_match)
    return describe_level(level, design, report, bound)


def _element(report: Report | None, name: str, wire: int | None = None) -> ElementReport | None:
    if report is None:
        return None
    if wire is not None:
        wires = [element for element in report.elements if element.kind == "wire"]
        return wires[wire] if wire < len(wires) else None
    return next((element for element in report.elements if element.id == name and element.kind != "wire"), None)


def _flow(element: ElementReport | None, report: Report | None, asked: str = "") -> list[Row]:
    if element is None or report is None or report.metrics is None or report.window is None:
        return []
    rows: list[Row] = [Head("Flow", f"{number(element.rate_per_ns)} /ns{asked}")]
    time = element.busy_ns + element.starved_ns + element.blocked_ns
    if element.kind != "wire" and time > 0:
        rows.append(Shares(element.busy_ns / time, element.starved_ns / time, element.blocked_ns / time))
    elif element.kind == "wire":
        rows.append(Value("in use", f"{element.utilisation:.0%}"))
        if element.blocked_ns:
            span = report.window.end_ns - report.window.start_ns
            rows.append(Value("head waits", f"{min(element.blocked_ns / max(span, 1e-9), 1):.0%}", "blocked"))
    launches = report.metrics.launches
    spent = element.energy_pj
    parts = tuple((c, spent[c] / launches) for c in causes_with(MODULES) if spent.get(c, 0.0) > 0)
    if parts:
        rows.append(Head("Its share of a launch", f"{number(sum(pj for _, pj in parts))} pJ"))
        rows.append(Causes(parts))
    return rows


def _wire_id(report: Report | None, index: int) -> str:
    """How reports call a wire; nothing where there was no window."""
    found = _element(report, "", index)
    return found.id if found else ""


def _wire(
    level: Level,
    design: Design,
    index: int,
    netlist: Netlist | None,
    report: Report | None,
    detents: Mapping[int, int],
    marks: Mapping[int, str],
    can_match: bool,
    can_why: bool,
    base: str,
) -> Subject:
    wire = design.wires[index]
    core, port, chosen = wire.start
    ends = ", ".join(wire.to)
    tiles = sum(abs(b[0] - a[0]) + abs(b[1] - a[1]) for a, b in zip(wire.path, wire.path[1:], strict=False))
    rows: list[Row] = [
        Entry(f"speed.{index}", "speed", speed_entry(wire.every_ticks), unit="tiles/ns"),
        Note(
            every_text(wire.every_ticks) if wire.every_ticks else "stopped: it takes nothing. Roll the wheel over it."
        ),
    ]
    rows += [_offer(f"wire.{index}.{one.name}", one, in_common([wire], one)) for one in of_wires(level)]
    rows += _margin(wire_region(level, wire))
    rows += margins_of(report, _wire_id(report, index), index)
    detent = detents.get(index)
    if detent is not None and can_match:
        rows.append(
            Value("asked of it", every_text(detent).split(" · ")[1], "" if wire.every_ticks != detent else "good")
        )
    words = wire_words(level, design, netlist)[index]
    whole = wire_words(
        level, design.model_copy(update={"wires": [wire.model_copy(update={"source": f"{core}.{port}"})]}), None
    )[0]
    if chosen is not None or whole > 1 or words > 1:
        text = words_text(chosen) if chosen is not None else ""
        rows.append(Entry(f"words.{index}", "words sent", text, hint="all"))
    rows.append(Choice("base", "values", tuple(BASES), next(short for short, name in BASES.items() if name == base)))
    rows.append(Value("length", f"{tiles} tile{'s' if tiles != 1 else ''}"))
    rows += _lanes(netlist, index)
    if index in marks:
        rows.append(Note(_mark_sentence(level, marks[index]), "warm"))
    buttons: list[Row] = []
    if can_match and index not in marks:
        buttons.append(Press("match", "Match (M)", ("match",)))
    if can_why:
        buttons.append(Press("why", "Why is it waiting? (Y)", ("why",)))
    buttons.append(_PROBE)
    return Subject(
        f"{core} → {wire.ends[0][0]}",
        "",
        f"Wire from {wire.source} to {ends}",
        (*rows, *_flow(_element(report, "", index), report), *buttons),
    )


def _lanes(netlist: Netlist | None, index: int) -> list[Row]:
    """How wide the packets of a wire of lanes are; the board shows its tracks, and here is why they are so many."""
    if netlist is None or index >= len(netlist.wires) or netlist.wires[index].lanes == 1:
        return []
    wire = netlist.wires[index]
    return [Value("lanes", str(wire.lanes)), Value("values per packet", str(wire.tracks))]


def _mark_sentence(level: Level, mark: str) -> str:
    if mark.startswith("⟳"):
        return "In a loop: its speed is yours to choose."
    if mark.startswith("≋"):
        return "Behind a burst: its speed is yours to choose."
    missing = mark.split()[1]
    buffer = f", or a buffer of {missing}" if has_buffers(level) else ""
    return f"The shorter of two roads that meet: {missing} more tiles{buffer}."


def _core(
    level: Level, design: Design, name: str, netlist: Netlist | None, report: Report | None, can_why: bool
) -> Subject:
    spec = next(core for core in design.cores if core.id == name)
    kind = CORES.get(spec.core)
    if kind is None:
        return Subject(name, "", f"unknown core {spec.core}", ())
    rows: list[Row] = [Entry(f"name.{name}", "name", name)]
    floats = any(array.dtype == "float32" for array in level.kernel.arrays.values())
    settings = [*kind.settings, *([DTYPE] if kind.floats and floats else [])]
    for setting in settings:
        given = spec.set.get(setting.name, setting.default)
        if setting.kind == "choice":
            current = str(given if given is not None else setting.choices[0])
            rows.append(Choice(f"set.{name}.{setting.name}", setting.name, setting.choices, current))
        elif setting.kind == "bool":
            rows.append(Choice(f"set.{name}.{setting.name}", setting.name, ("no", "yes"), "yes" if given else "no"))
        elif setting.kind == "ports":
            counts = given if isinstance(given, Mapping) else {}
            for word in ("write", "read"):
                rows.append(Entry(f"ports.{name}.{word}", f"{word} ports", str(counts.get(word, 1))))
        else:
            text = setting_text(spec.set.get(setting.name))
            hint = "" if setting.default is None else setting_text(setting.default)
            rows.append(Entry(f"set.{name}.{setting.name}", setting.name, text, hint=hint))
    offered = of_cores(level, spec.core)
    rows += [_offer(f"set.{name}.{one.name}", one, setting_text(spec.set.get(one.name))) for one in offered]
    rows += _margin(core_region(level, spec))
    rows += margins_of(report, name)
    inputs, _ = ports_of_core(spec.core, spec.set)
    rows += _ports(level, design, name, [p.name for p in inputs], spec.set, netlist)
    latency = f"{kind.latency} cycle{'s' if kind.latency != 1 else ''}"
    every = "one per cycle" if kind.interval == 1 else f"one per {kind.interval}"
    rows.append(Value("takes", f"{latency}, {every}"))
    rows_end: list[Row] = [Press("why", "Why is it waiting? (Y)", ("why",))] if can_why else []
    if spec.core != "shared":
        rows_end.append(_PROBE)
    flow = _flow(_element(report, name), report)
    return Subject(spec.core, spec.core, plain(kind.summary), (*rows, *flow, *rows_end))


def _shield(design: Design, index: int) -> Subject:
    spec = design.shields[index]
    tiles = sum(abs(b[0] - a[0]) + abs(b[1] - a[1]) for a, b in pairwise(spec.path))
    rows: tuple[Row, ...] = (
        Entry(f"{SHIELD}.{index}", "track", str(spec.track)),
        Value("length", f"{tiles} tile{'s' if tiles != 1 else ''}"),
        Press("remove", "Remove (X)", ("remove",)),
    )
    return Subject(shield_name(index), SHIELD, SHIELD_SENTENCE, rows)


def _offer(name: str, one: Offered, text: str, several: str = "") -> Row:
    """A setting that the level's physics offers; ``several`` is its label where it is of more than one element."""
    label, default = several or one.label, one.default
    if one.setting.kind == "bool":
        return Choice(name, label, ("no", "yes"), {"True": "yes", "False": "no", "": "no"}.get(text, text))
    if one.setting.kind == "choice":
        return Choice(name, label, one.setting.choices, text or ("" if several else default))
    hint = f"mixed, or {default}" if several and default else "mixed" if several else default or "free"
    return Entry(name, label, text, hint=hint, unit=one.unit)


def _margin(region: SafeRegion | None) -> list[Row]:
    """The safe region and what it means, where there is one."""
    if region is None:
        return []
    found = margin(region)
    return [region, Note(found.text, "good" if found.good else "bad")]


def _ports(
    level: Level, design: Design, name: str, ports: list[str], given: Mapping[str, Any], netlist: Netlist | None
) -> list[Row]:
    """A row for every input, whatever it has: its number, its wire, or the words that are chosen of several."""
    rows: list[Row] = []
    words = wire_words(level, design, netlist)
    for port in ports:
        into = [i for i, wire in enumerate(design.wires) if (name, port) in wire.ends]
        value = given.get(port)
        if not into and not isinstance(value, WordChoice):
            text = "" if value is None else setting_text(value)
            rows.append(Entry(f"port.{name}.{port}", f"input {port}", text, hint="wire or number"))
        elif isinstance(value, WordChoice) or any(words[i] > 1 for i in into):
            text = words_text(value.words) if isinstance(value, WordChoice) else ""
            rows.append(Entry(f"pick.{name}.{port}", f"words at {port}", text, hint="all"))
        else:
            rows.append(Held(f"input {port}", f"from {', '.join(design.wires[i].source for i in into)}"))
    return rows


def _pad(
    level: Level, design: Design, pad: PadSpec, netlist: Netlist | None, report: Report | None, can_why: bool
) -> Subject:
    kind = CORES[pad.core]
    rows: list[Row] = []
    pace = pad_pace(pad)
    array = level.kernel.arrays.get(pad.array or pad.id)
    if pace:
        rows.append(Value("a word every", pace))
    elif array is not None and pad.core in ("load", "store"):
        every = array.every_ns or (4 if array.memory == "near" else 1)
        rows.append(Value("memory", "near, on the chip" if array.memory == "near" else "far: VRAM"))
        rows.append(Value("an access every", f"{every:g} ns"))
    elif pad.core in ("stream", "sink"):
        rows.append(Value("a word every", "1 ns"))
    if pad.core == "threads" and level.threads:
        rows.append(Value("block", " × ".join(map(str, level.threads.block))))
        rows.append(Value("grid", " × ".join(map(str, level.threads.grid))))
        rows += _token(pad, len(level.threads.block))
    if array is not None:
        shape = " × ".join(map(str, array.shape))
        rows.append(Value("array", f"{pad.array or pad.id}[{shape}]"))
    inputs, _ = ports_of(kind, {})
    given = design.pads.get(pad.id, {})
    rows += [_offer(f"set.{pad.id}.{one.name}", one, setting_text(given.get(one.name))) for one in of_pad(level, pad)]
    rows += margins_of(report, pad.id)
    if pad.core in ("load", "store"):
        rows += _ports(level, design, pad.id, [p.name for p in inputs], given, netlist)
    flow = _flow(_element(report, pad.id), report)
    end: list[Row] = [*([Press("why", "Why is it waiting? (Y)", ("why",))] if can_why else []), _PROBE]
    return Subject(pad.id, pad.core, plain(kind.summary), (*rows, *flow, *end))


TOKEN_WORDS = {
    "index": "place in the grid",
    "block": "which block",
    "local": "place in the block",
    "thread": "number in the block",
    "blocknumber": "number of the block",
}


def _token(pad: PadSpec, rank: int) -> list[Row]:
    """The words that go with every thread, counted from 0 as a wire counts them."""
    rows: list[Row] = [Head("Words of a token")]
    number = 0
    for name in pad.words or DEFAULT_WORDS:
        whole, _, dimension = name.partition(".")
        several = DIMENSIONS[rank] if whole in ("index", "block", "local") and not dimension else ()
        for part in several or (dimension,):
            rows.append(Value(f"{number}  {whole}{'.' + part if part else ''}", TOKEN_WORDS.get(whole, "")))
            number += 1
    return rows


def _several(level: Level, design: Design, selection: Collection[Item], can_match: bool) -> Subject:
    wires = sorted(item for item in selection if isinstance(item, int) and item < len(design.wires))
    cores = len(selection) - len(wires)
    rows: list[Row] = []
    if wires:
        speeds = {design.wires[i].every_ticks for i in wires}
        text = speed_entry(next(iter(speeds))) if len(speeds) == 1 else ""
        rows.append(Entry("speed.all", f"speed of {len(wires)}", text, hint="mixed", unit="tiles/ns"))
        for one in of_wires(level):
            text = in_common([design.wires[i] for i in wires], one)
            rows.append(_offer(f"wire.all.{one.name}", one, text, f"wire {one.label}"))
        if can_match:
            rows.append(Press("match", "Match them (M)", ("match",)))
    chosen = [core for core in design.cores if core.id in selection]
    for one in of_cores(level) if chosen else ():
        values = {core.set.get(one.name, one.setting.default) for core in chosen}  # type: ignore[arg-type]
        text = str(next(iter(values))) if len(values) == 1 else ""
        rows.append(_offer(f"supply.{one.name}", one, text, f"core {one.label}"))
    rows.append(Press("copy", "Copy as text (Ctrl+C)", ("copy",)))
    rows.append(Press("remove", "Remove (X)", ("remove",)))
    parts = [f"{n} {word}{'s' if n != 1 else ''}" for n, word in ((cores, "core"), (len(wires), "wire")) if n]
    return Subject(" and ".join(parts), "", "Wheel over one of the wires: all of them turn.", tuple(rows))
