"""From a level and a design to the netlist that both engines run, with every check on the way.

:func:`elaborate` gives the :class:`engine.netlist.Netlist`, :func:`check_design` what is wrong or odd,
:func:`retime` another speed for one wire. The steps: the level's board (:mod:`engine.board`), parts with their settings
(:mod:`engine.parts`), wires with their words (:mod:`engine.wiring`), ports (:mod:`engine.ports`), the nodes
(:mod:`engine.build`, which says what a node's params hold), loops (:mod:`engine.graph`) and kinds of words
(:mod:`engine.words`). Codes of all problems: :data:`engine.problems.CODES`.
"""

from __future__ import annotations

from dataclasses import replace

from engine.board import Board, check_board
from engine.build import Build
from engine.catalog import CORES, PAD_TYPES, VOLTAGE
from engine.coupled import check_crosstalk
from engine.errors import Problem, raise_if_any
from engine.graph import check_loops
from engine.lanes import spread_lanes
from engine.model import Design, Level
from engine.netlist import Netlist
from engine.parts import Part, PartReader, allowed, has_lanes, parts_allowed
from engine.ports import check_ports
from engine.problems import Problems, listed, plural, without_gate
from engine.technology import technology
from engine.units import NOMINAL_MV
from engine.wiring import Wiring
from engine.words import check_kinds


def elaborate(level: Level, design: Design) -> Netlist:
    """The machine of ``design`` on ``level``. Raises InvalidError with all problems if one of them is an error."""
    problems, build = _check(level, design)
    raise_if_any(problems)
    assert build is not None
    return build.netlist()


def check_design(level: Level, design: Design) -> list[Problem]:
    """All problems of a design on a level, warnings too, in the order in which they were found.

    Paths are the design's. What is wrong with the level itself is looked at first, and reported alone, with
    paths that begin with ``"level"``.
    """
    return list(_check(level, design)[0])


def retime(netlist: Netlist, wire_index: int, every_ticks: int) -> Netlist:
    """The same machine with another speed of one wire; ``every_ticks`` is 0 to stop it.

    The result equals what :func:`elaborate` makes of the design with that speed.
    """
    wire = netlist.wires[wire_index]
    figures = technology(netlist.technology).wire(
        wire.length, wire.tracks, every_ticks, wire.voltage_mv, lines=wire.lines, gap=wire.gap
    )
    wires = list(netlist.wires)
    wires[wire_index] = replace(wire, every_ticks=every_ticks, drive_nw=figures.drive_nw)
    return replace(netlist, wires=tuple(wires))


def _check(level: Level, design: Design) -> tuple[Problems, Build | None]:
    problems = check_board(level)
    if problems.fatal:
        return Problems(replace(p, path=("level", *p.path)) for p in problems), None
    if design.level != level.id:
        problems.add(
            "other-level",
            ("level",),
            f"the design is for {design.level}, not for {level.id}: run it there, or change its level",
        )
    board = Board.of(level)
    parts, broken = _place(level, design, board, problems)
    rank = len(level.threads.block) if level.threads else 1
    wiring = Wiring(design, parts, broken, board, rank, problems)
    lanes = has_lanes(parts.values())
    if not lanes:
        wiring.lay()
    _check_voltages(level, design, problems)
    layout = check_crosstalk(level, design, wiring, board, problems)
    _check_codes(level, design, problems)
    _check_gates(level, design, problems)
    check_ports(level, parts, wiring, problems)
    if problems.fatal:
        return problems, None
    build = Build(level, board, list(parts.values()), wiring, layout)
    if lanes:
        spread_lanes(build, problems)
        if problems.fatal:
            return problems, None
    check_loops(build.nodes, build.wires, problems)
    check_kinds(build.nodes, build.wires, problems)
    return problems, build


# --- elements ----------------------------------------------------------------------------------------------


def _place(level: Level, design: Design, board: Board, problems: Problems) -> tuple[dict[str, Part], set[str]]:
    """All parts by name, pads, then cores; and the names of those that are no core."""
    reader = PartReader(level, problems)
    parts: dict[str, Part] = {}
    for pad in level.pads:
        parts[pad.id] = reader.pad(len(parts), pad, design.pads.get(pad.id, {}))
    for name in design.pads:
        if name not in parts:
            problems.add("unknown-pad", ("pads", name), f"the level has no pad {name}: {problems.suggest(name, parts)}")
    counts: dict[str, int] = {}
    broken: set[str] = set()
    for i, spec in enumerate(design.cores):
        path = ("cores", i)
        core = CORES.get(spec.core)
        if core is None or core.family == "pad":
            _unknown_core(level, spec.core, spec.id, core is not None, i, problems)
        else:
            counts[spec.core] = counts.get(spec.core, 0) + 1
            _check_count(level, spec.core, spec.id, counts[spec.core], i, problems)
        if spec.id in parts:
            problems.add(
                "duplicate-id",
                (*path, "id"),
                f"there are two elements called {spec.id} (pads count): every one has its own name",
            )
            continue
        board.place(spec.id, "core", spec.at, (*path, "at"), problems)
        if core is None or core.family == "pad":
            broken.add(spec.id)
        else:
            parts[spec.id] = reader.core(len(parts), spec.id, core, spec.at, path, spec.set)
    return parts, broken


def _check_voltages(level: Level, design: Design, problems: Problems) -> None:
    """The voltages of wires."""
    dvfs = level.physics.dvfs
    voltages = technology(level.technology).supply.safe_millitick
    for i, wire in enumerate(design.wires):
        if wire.voltage_mv is None:
            continue
        where = ("wires", i, "voltage_mv")
        if dvfs is None or not dvfs.wires:
            problems.add(
                "not-offered",
                where,
                f"{wire.label}: this level does not let you set voltage_mv of a wire: its wires run at "
                f"{NOMINAL_MV} mV, so leave it out",
            )
        elif wire.voltage_mv not in voltages:
            problems.add(
                "bad-setting",
                where,
                f"{wire.label}: voltage_mv is {wire.voltage_mv}: set it to {allowed(VOLTAGE)}",
            )


def _check_codes(level: Level, design: Design, problems: Problems) -> None:
    """Encodings, receivers and gaps of wires: what the level offers of them."""
    codes, tunnelling = level.physics.encoding, level.physics.tunnelling
    for i, wire in enumerate(design.wires):
        name = wire.label
        if wire.encoding is not None and (codes is None or wire.encoding not in codes.offered):
            have = "its wires are raw, so leave it out"
            if codes is not None:
                have = f"it offers {listed(codes.offered)}, so name one of these or leave it out"
            problems.add(
                "not-offered",
                ("wires", i, "encoding"),
                f"{name}: this level does not offer the encoding {wire.encoding}: {have}",
            )
        elif wire.receiver is not None and codes is not None and codes.raw_receiver and wire.encoding is None:
            problems.add(
                "no-effect",
                ("wires", i, "receiver"),
                f"{name}: it has no encoding, so nothing is decoded with or without receiver: name an encoding, or "
                "leave receiver out",
                "warning",
            )
        if wire.receiver is not None and (codes is None or not codes.raw_receiver):
            problems.add(
                "not-offered",
                ("wires", i, "receiver"),
                f"{name}: this level does not let you leave out the decoder: leave receiver out",
            )
        if wire.gap is not None and (tunnelling is None or not tunnelling.wires):
            problems.add(
                "not-offered",
                ("wires", i, "gap"),
                f"{name}: this level does not let you set gap of a wire: its wires have the full gap, so leave it out",
            )


def _check_gates(level: Level, design: Design, problems: Problems) -> None:
    """That wires sleep only where the level lets them, and that what is said of their sleep counts."""
    gating = level.physics.gating
    offered = gating is not None and "wires" in gating.offered
    for i, wire in enumerate(design.wires):
        for name in ("gate", "sleep_after", "ahead"):
            if getattr(wire, name) is None:
                continue
            if offered and wire.gate is None:
                problems.add("no-effect", ("wires", i, name), f"{wire.label}: {without_gate(name)}", "warning")
            elif not offered:
                problems.add(
                    "not-offered",
                    ("wires", i, name),
                    f"{wire.label}: this level does not let wires sleep, so leave {name} out",
                )


def _offered(level: Level) -> list[str]:
    """The cores that a level lets the player place."""
    return [name for name in CORES if name not in PAD_TYPES and parts_allowed(level, name) != 0]


def _unknown_core(level: Level, core: str, name: str, is_pad: bool, index: int, problems: Problems) -> None:
    where = ("cores", index, "core")
    if is_pad:
        problems.add(
            "pad-as-core", where, f"{name} is a {core} pad: pads are placed by the level; wire to one of its pads"
        )
    else:
        problems.add(
            "unknown-core", where, f"{name}: there is no core '{core}': {problems.suggest(core, _offered(level))}"
        )


def _check_count(level: Level, core: str, name: str, count: int, index: int, problems: Problems) -> None:
    """A level's parts: a number per core, '*' for each of the others."""
    allowed = parts_allowed(level, core)
    if allowed is None:
        return
    where = ("cores", index, "core")
    if allowed == 0:
        offered = _offered(level)
        if CORES[core].lanes and level.lanes == 1:
            have = "it is for packets of several lanes, and there are none here"
        elif level.parts and level.parts.get("*"):
            have = f"it offers all but {listed(n for n, count in level.parts.items() if not count)}"
        else:
            have = f"it offers {listed(offered)}" if offered else "it is solved with wires only"
        problems.add("part-not-allowed", where, f"{name}: this level does not offer {core}: {have}")
    elif count == allowed + 1:
        problems.add(
            "too-many-parts", where, f"{name} is number {count} of its kind: this level offers {plural(allowed, core)}"
        )
