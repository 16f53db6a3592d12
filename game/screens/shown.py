"""What the panels of the workbench show: models made from its state, nothing that draws or changes anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from engine.fingerprint import level_hash
from engine.machine import Stop
from engine.model import Hazard, Level
from game.describe import describe
from game.editor.hand import PartHand, ShieldHand
from game.entries import every_text
from game.panels.cards import BriefModel
from game.panels.corner import LARGE, ChipsModel, MapModel
from game.panels.header import HeaderModel, ScoreModel, medal_count
from game.panels.inspector import InspectorModel
from game.panels.keys import KeysModel
from game.panels.kit import Typed
from game.panels.palette import PaletteModel, parts_of
from game.panels.plots import PlotsModel
from game.panels.sky import Rocket, SkyModel
from game.panels.timeline import TimelineModel
from game.panels.transport import TransportModel, pace_index, pace_text
from game.rows import Subject
from game.said import limit_name, plain, said
from game.shell.keys_said import GROUPS, MOUSE, key_name
from game.text import number
from game.theme import CAUSE_COLOURS
from game.view.layout import pad_pace
from game.view.scene import OVERLAYS, PHYSICS_OVERLAYS, SHIELD, overlays_of
from levels.refusals import refusal

if TYPE_CHECKING:
    from game.screens.workbench import Workbench
MANY_TICKS = 2_000

KEY_OVERLAYS = (*OVERLAYS, *PHYSICS_OVERLAYS)
"""Overlays by F1 … F8."""


def hash_of(level: Level) -> str:
    """The hash under which the level's runs are kept."""
    return level_hash(level)


def bindings_of(setting: Any) -> dict[str, tuple[str, ...]]:
    """Keys that the player has set, as far as they make sense."""
    if not isinstance(setting, dict):
        return {}
    return {str(meaning): tuple(map(str, keys)) for meaning, keys in setting.items() if isinstance(keys, list) and keys}


def has_tool(bench: Workbench, tool: str) -> bool:
    """Whether a tool is offered: by the level, or because it was met before. A level without a list has all."""
    tools = bench.level.tools
    return tools is None or tool in tools or tool in bench.known_tools


def typed(bench: Workbench, *prefixes: str) -> Typed | None:
    """The field that is being typed, where it belongs to the panel that asks."""
    field = bench.field
    return Typed(field.name, field.wrong) if field and field.name.split(".")[0] in prefixes else None


# --- the top bar ----------------------------------------------------------------------------------------------


def header(bench: Workbench) -> HeaderModel:
    session = bench.session
    history = session.history
    return HeaderModel(
        bench.level.number,
        bench.level.title,
        tuple(tab.item.name for tab in session.tabs),
        session.current,
        history.undo_label,
        history.redo_label,
        score(bench),
        session.playback.simulation is not None,
        typed(bench, "rename"),
        session.has_deleted,
    )


def score(bench: Workbench) -> ScoreModel:
    session = bench.session
    scored = session.score.figure
    stale = session.score.stale
    if session.problems:
        message = said(session.problems[0]).split(":")[0]
        return ScoreModel(sentence=message[:1].upper() + message[1:], stale=False)
    if scored is None:
        return ScoreModel(value="…")
    figure = scored.figure
    sentence = _failure(bench) if not stale else ""
    if figure.measured is None:
        return ScoreModel(sentence=sentence or "running …", stale=stale, wrong=True)
    change = session.score.change
    shown = ""
    if change is not None and abs(change) >= 0.0005 * max(figure.efficiency, 1e-9):
        shown = number(abs(change), 2)
    launches = figure.measured.launches
    value = figure.efficiency
    tip = f"Mean of {launches} launch{'es' if launches != 1 else ''}, seed 0"
    return ScoreModel(
        number(value, 4) if value < 1000 else number(value),
        stale,
        shown,
        (change or 0) > 0,
        medal_count(figure.medal),
        f"{number(figure.measured.throughput)} /µs",
        f"{number(figure.measured.power)} mW",
        sentence,
        bool(sentence),
        tip,
    )


def _failure(bench: Workbench) -> str:
    """Why the run does not pass, in a sentence; empty where it does."""
    scored = bench.session.score.figure
    report = scored.report if scored else None
    if report is None:
        return ""
    match report.verdict:
        case "fault" if report.fault:
            return report.fault.message
        case "deadlock" if report.deadlock:
            return f"Nothing moves. {report.deadlock.message}"
        case "timeout":
            return f"Too slow: {report.launches_completed} launches in {bench.level.limits.time_us:g} µs"
        case "limit":
            broken = next((limit for limit in report.limits if not limit.ok), None)
            if broken:
                return f"{limit_name(broken.limit)}: {number(broken.found)}, the limit is {number(broken.allowed)}"
    return ""


# --- left and right ---------------------------------------------------------------------------------------------


def palette(bench: Workbench) -> PaletteModel:
    hand = bench.tools.hand
    return PaletteModel(
        parts_of(bench.level, bench.session.design, bench.search),
        hand.core if isinstance(hand, PartHand) else SHIELD if isinstance(hand, ShieldHand) else None,
        bench.search,
        bench.regions.narrow and not bench.searching,
        bench.scroll["palette"],
        typed(bench, "search"),
        wire_text(bench.tools.speed),
    )


def wire_text(every_ticks: int | None) -> str:
    """A speed in tiles/ns, short."""
    if every_ticks is None:
        return "0"
    speed = 100 / every_ticks
    return f"{speed:.2f}" if speed >= 0.1 else f"{speed:.2g}"


def inspector(bench: Workbench) -> InspectorModel:
    return InspectorModel(
        subject(bench),
        typed(bench, "speed", "words", "wire", "supply", "set", "port", "ports", "pick", "name", "shield"),
        bench.scroll["inspector"],
    )


def subject(bench: Workbench) -> Subject:
    session = bench.session
    session_report = session.last_report if bench.tools.selection else session.report
    key = (
        id(session.design),
        frozenset(bench.tools.selection),
        id(session_report),
        id(session.insight),
        len(bench.known_tools),
        bench.base,
    )
    if bench.described is None or bench.described[0] != key:
        same = len(session.insight.design.wires) == len(session.design.wires)
        found = describe(
            bench.level,
            session.design,
            bench.tools.selection,
            netlist=session.playback.netlist if session.shows_design else None,
            report=session_report,
            detents=session.insight.detents if same else {},
            marks=session.insight.marks if same else {},
            can_match=has_tool(bench, "match"),
            base=bench.base,
            bound=session.insight.bound if same else None,
        )
        # The objects are kept, so that their ids stay theirs.
        bench.described = (key, found, (session.design, session_report, session.insight))
    return bench.described[1]


def sky(bench: Workbench) -> SkyModel:
    medals = bench.level.medals
    scored = bench.session.score.figure
    passes = scored is not None and scored.figure.verdict == "pass"
    halted = bench.session.playback.halted
    return SkyModel(
        (medals.bronze, medals.silver, medals.gold) if medals else None,
        bench.session.score.efficiency if passes else 0.0,
        bench.session.score.stale,
        bench.best,
        tuple(Rocket(round(r, 3), round(f, 3), round(w, 2)) for r, f, w in bench.rockets),
        bench.session.best_known,
        halted is Stop.FAULT,
        scored.report.energy_limit.launches_per_nj if scored and scored.report and scored.report.energy_limit else None,
        bench.moments.ring(),
    )


# --- below ------------------------------------------------------------------------------------------------------


def transport(bench: Workbench) -> TransportModel:
    session = bench.session
    playback = session.playback
    state, tone = _state(bench)
    done = len(playback.completions())
    return TransportModel(
        playback.playing,
        playback.simulation is not None,
        f"{playback.time_ns:.2f}",
        pace_index(playback.pace),
        pace_text(playback.pace),
        playback.playing and playback.engine_bound,
        state,
        tone,
        has_fault(bench),
        f"{done} launch{'es' if done != 1 else ''}" if playback.simulation else "",
    )


def has_fault(bench: Workbench) -> bool:
    """Whether the machine on the board comes to an end that can be gone to."""
    report = bench.session.report
    failed = report is not None and report.verdict in ("fault", "deadlock", "timeout")
    return failed or bench.session.playback.halted in (Stop.FAULT, Stop.DEADLOCK, Stop.TIMEOUT)


def _state(bench: Workbench) -> tuple[str, str]:
    session = bench.session
    playback = session.playback
    if session.unsaved:
        return f"Not saved: {session.unsaved}", "bad"
    if bench.context.progress.refused is not None:
        return f"Not recorded: {refusal(bench.context.progress.refused)}", "bad"
    if playback.simulation is None:
        message = said(session.problems[0]) if session.problems else "nothing can run"
        return message, "quiet"
    if playback.halted is Stop.FAULT:
        fault = playback.fault()
        return (f"Fault: {fault.message}" if fault else "Fault"), "bad"
    if playback.halted is Stop.DEADLOCK:
        return "Nothing can move any more: press Y on what waits", "bad"
    if playback.halted is Stop.TIMEOUT:
        return "The time limit is reached", "warm"
    if playback.broke_at:
        return f"Stopped at {playback.broke_at}", "sky"
    if bench.comparing:
        return "The version before", "sky"
    if bench.tools.brush:
        speed = every_text(bench.tools.speed)
        return f"Speed brush: {speed}", "warm"
    if session.engine == "plain" and not bench.context.engine_ready:
        return "Engine warming up, reference engine in use", "quiet"
    return "", "quiet"


def span(bench: Workbench) -> tuple[int, int]:
    """Ticks that the timeline shows."""
    trace = bench.session.trace
    end = trace.end if trace is not None else 0
    return 0, max(end, bench.session.playback.tick, MANY_TICKS)


def timeline(bench: Workbench) -> TimelineModel:
    session = bench.session
    _, end = span(bench)
    trace = session.trace
    known = np.zeros(0, np.int64) if trace is None else trace.completions
    beyond = trace.end if trace is not None else -1
    if session.playback.tick > beyond:
        seen = session.playback.completions()
        known = np.concatenate((known, seen[np.searchsorted(seen, beyond, side="right") :]))
    report = session.report
    window = None
    if report is not None and report.window is not None:
        window = (report.window.start_ns * 100 / end, min(report.window.end_ns * 100 / end, 1.0))
    fault = None
    if report is not None and report.verdict in ("fault", "deadlock"):
        fault = min(report.time_ns * 100 / end, 1.0)
    width = max(bench.regions.timeline.width, 1)
    return TimelineModel(
        round(session.playback.tick / end * width) / width,
        tuple((np.unique(np.rint(known / end * width)) / width).tolist()),
        window,
        fault,
        not session.playback.playing and session.playback.tick < beyond,
        f"{end / 100:g} ns",
        tuple(int(known[n - 1]) / end for n in sorted(session.playback.breakpoints.launches) if n <= len(known)),
    )


def plots(bench: Workbench) -> PlotsModel:
    session = bench.session
    first, last = bench.probing.span()
    energy: tuple[tuple[str, float], ...] = ()
    full = session.last_report
    if full is not None and full.energy_pj and full.metrics:
        launches = full.metrics.launches
        energy = tuple(
            (c, full.energy_pj.get(c, 0.0) / launches) for c in CAUSE_COLOURS if full.energy_pj.get(c, 0.0) > 0
        )
    step = max((last - first) // max(bench.regions.plots.width, 1), 1)
    return PlotsModel(
        session.trace,
        (first, last),
        session.playback.tick // step * step,
        bench.regions.narrow,
        bench.plot_tab,
        bench.probing.scope_text(),
        energy,
        bench.probing.model(),
        full.energy_limit.pj_per_launch if full and energy and full.energy_limit else 0.0,
        full.roofline if full else None,
    )


# --- cards and words ----------------------------------------------------------------------------------------------


def brief(bench: Workbench) -> BriefModel:
    hints = tuple(map(plain, bench.level.hints))
    return BriefModel(
        f"{bench.level.number} {bench.level.title}".strip(),
        plain(" ".join(bench.level.brief.split())),
        bench.level.signed,
        hints[: bench.briefing.hints],
        bench.briefing.hints < len(hints),
    )


def keys(bench: Workbench) -> KeysModel:
    """All keys as the player has set them."""
    groups = []
    for title, rows in GROUPS:
        named = [
            (" ".join(key_name(min(bench.bindings.keys(m), key=len)) for m in meanings), words)
            for meanings, words in rows
        ]
        groups.append(
            (title, tuple((keys.replace("1 9", "1 – 9").replace("F1 F8", "F1 – F8"), w) for keys, w in named))
        )
    return KeysModel((*groups, ("Mouse", MOUSE)))


def chips(bench: Workbench) -> ChipsModel:
    offered = overlays_of(bench.level)
    names = tuple((name, f"F{i + 1}") for i, name in enumerate(KEY_OVERLAYS) if name in offered)
    return ChipsModel(names, bench.overlay, bench.chips_open, bench.overlay is not None)


def board_map(bench: Workbench) -> MapModel | None:
    """The map of a large board, while not all of it is in view."""
    columns, rows = bench.level.board.size
    if max(columns, rows) <= LARGE:
        return None
    x, y, width, height = bench.camera.view
    left, top = bench.camera.to_board(x, y)
    right, bottom = bench.camera.to_board(x + width, y + height)
    if left <= 0 and top <= 0 and right >= columns and bottom >= rows:
        return None
    design = bench.session.design
    return MapModel(
        (columns, rows),
        tuple(pad.at for pad in bench.level.pads),
        tuple(core.at for core in design.cores),
        tuple(tuple(wire.path) for wire in design.wires),
        (
            max(left / columns, 0.0),
            max(top / rows, 0.0),
            min(right / columns, 1.0),
            min(bottom / rows, 1.0),
        ),
    )


def place_of(bench: Workbench, element: str) -> tuple[int, int] | None:
    """The tile of a pad or core."""
    for pad in bench.level.pads:
        if pad.id == element:
            return pad.at
    return next((core.at for core in bench.session.design.cores if core.id == element), None)


def hazard(bench: Workbench) -> Hazard | None:
    """Where the design works by luck, if its last launch has found that."""
    found = bench.context.hazard
    return found[1] if found and found[0] is bench.session.design else None


def board_tip(bench: Workbench) -> str:
    """A word about the element under the mouse."""
    luck = hazard(bench)
    if luck and bench.tools.hand is None and bench.tools.hover == luck.place:
        return _luck(luck)
    tools, session = bench.tools, bench.session
    if tools.hand is not None or not bench.regions.board.collidepoint(bench.mouse):
        return ""
    if isinstance(tools.hover, int) and tools.hover < len(session.design.wires):
        wire = session.design.wires[tools.hover]
        words = every_text(wire.every_ticks)
        figures = session.figures(session.last_report)
        if figures and wire.every_ticks and tools.hover < len(figures.wires):
            words += f" · carries {number(figures.wires[tools.hover].rate)} /ns"
        detent = tools.detents.get(tools.hover)
        if detent and detent != wire.every_ticks and wire.every_ticks and has_tool(bench, "match"):
            words += f", asked for one every {detent / 100:g} ns"
        return words
    if isinstance(tools.hover, str):
        pad = next((pad for pad in bench.level.pads if pad.id == tools.hover), None)
        if pad is not None:
            return _pad_tip(bench, pad)
        core = next((core for core in session.design.cores if core.id == tools.hover), None)
        if core is not None:
            return f"{core.id}: {core.core}"
    return ""


def _luck(hazard: Hazard) -> str:
    match hazard.kind:
        case "fan-in":
            return f"works by luck: where wires meet at {hazard.port}, words are taken as they come"
        case "memory":
            return "works by luck: it is written and read in whatever order words come"
        case "later":
            return f"will not work for ever: {hazard.reason}"
        case _:
            return f"works by luck: {hazard.reason}"


def _pad_tip(bench: Workbench, pad: Any) -> str:
    pace = pad_pace(pad) or ("1 ns" if pad.core in ("stream", "sink") else "")
    match pad.core:
        case "stream":
            return f"{pad.id}: one word every {pace}"
        case "sink":
            return f"{pad.id}: takes one word every {pace}"
        case "threads":
            return f"{pad.id}: one token per thread"
        case "load":
            return f"{pad.id}: give it an address, it gives the word and the address"
    return f"{pad.id}: writes a word at an address"
