"""Every best reference of the campaign is tight: one number or one port changed, and it no longer passes.

Where a change leaves a design that passes, it is harmless for a reason that is written here, and never scores better:
otherwise the level's data would not show a mistake, or its best reference would not be the best.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import Any

import pytest

from engine.catalog import CORES
from engine.model import CoreSpec, Design, Level, WordChoice
from engine.simulation import simulate
from engine.truth import Workload
from levels.files import load_design_file, load_level_file
from levels.lookup import campaign, designs_beside

COMMUTATIVE = {"add", "mul", "mul.serial", "min", "max", "and", "or", "xor", "mac"}
"""Cores whose inputs a and b may change places."""

TIMING_ONLY = {
    ("buffer", "slots"): "room for words changes when they move, not what they are",
    ("shared", "pages"): "a page more lets more blocks in at once, and one less keeps them waiting",
    ("shared", "row"): "padding puts a cell into another bank, and whoever asks for it finds it there",
    ("shared", "pad"): "as row",
}
"""(core, setting): why another number is harmless wherever it passes. So is the clock of any core: too fast, it fails
where it matters, and else it changes when words move. And so is when whatever sleeps falls asleep and wakes."""

TIMING_OF_ANY = ("clock_ticks:", "sleep_after:", "ahead:")

EQUIVALENT: dict[tuple[str, str], str] = {
    ("gpu-puzzles-07-blocks-2d", "both.a ↔ b"): "each thread then does the work of the one across the diagonal",
    ("gpu-puzzles-08b-mirror", "page.words: 4 → 5"): "the fifth cell is never asked for",
    ("wide-roads-07-columns", "page.words: 64 → 65"): "the last cell is never asked for",
}
"""(level, mutation): why this one is harmless."""

BEST = {entry.id: path for entry in campaign() if (path := designs_beside(entry.path).get("best"))}


@lru_cache(maxsize=1)
def _level(level: str) -> tuple[Level, Workload]:
    path = next(entry.path for entry in campaign() if entry.id == level)
    loaded = load_level_file(path).level
    return loaded, Workload(loaded)


def _numbers(value: Any) -> Iterator[tuple[str, Any]]:
    """Every value that differs from a setting's value in one number, by one; and, of two words chosen, the exchange."""
    if isinstance(value, WordChoice):
        for how, words in _numbers(value.words):
            if -1 not in words:  # a packet's words are numbered from 0
                yield how, WordChoice(words=words)
        chosen = [n for n, word in enumerate(value.words) if isinstance(word, int)]
        for m, n in combinations(chosen, 2):
            words = list(value.words)
            words[m], words[n] = words[n], words[m]
            yield f"words {m} and {n} exchanged", WordChoice(words=words)
    elif isinstance(value, list):
        for n, item in enumerate(value):
            for how, other in _numbers(item):
                yield f"[{n}] {how}", [*value[:n], other, *value[n + 1 :]]
    elif isinstance(value, str):
        # Sums of words, and constants in a choice of words; the names of words are not numbers.
        for found in re.finditer(r"(?<![\w-])-?\d+", value):
            for step in (1, -1):
                number = int(found[0]) + step
                yield f"{found[0]} → {number}", f"{value[: found.start()]}{number}{value[found.end() :]}"
    elif isinstance(value, int) and not isinstance(value, bool):
        for step in (1, -1):
            yield f"{value} → {value + step}", value + step


def _settings(level: Level, design: Design) -> Iterator[tuple[str, str, str, Design]]:
    """(element, core, what, design) for each number that is one more or one less."""
    for n, core in enumerate(design.cores):
        for key, value in core.set.items():
            for how, other in _numbers(value):
                changed = design.model_copy(deep=True)
                changed.cores[n].set[key] = other
                yield core.id, core.core, f"{key}: {how}", changed
    kinds = {pad.id: pad.core for pad in level.pads}
    for pad, settings in design.pads.items():
        for key, value in settings.items():
            for how, other in _numbers(value):
                changed = design.model_copy(deep=True)
                changed.pads[pad][key] = other
                yield pad, kinds[pad], f"{key}: {how}", changed


def _exchanged(level: Level, design: Design) -> Iterator[tuple[str, str, str, Design]]:
    """(element, core, what, design) for every two inputs, or two outputs, of an element that change places."""
    kinds = {pad.id: pad.core for pad in level.pads} | {core.id: core.core for core in design.cores}
    settings: dict[str, dict[str, Any]] = {**design.pads, **{core.id: core.set for core in design.cores}}
    for element, kind in kinds.items():
        wired = {port for wire in design.wires for core, port in wire.ends if core == element}
        immediate = {key for key in settings.get(element, {}) if key in {port.name for port in CORES[kind].inputs}}
        for p, q in combinations(sorted(wired | immediate), 2):
            if kind in COMMUTATIVE and {p, q} == {"a", "b"}:
                continue
            yield element, kind, f"{p} ↔ {q}", _swap(design, element, p, q, "to")
        for p, q in combinations(sorted({wire.start[1] for wire in design.wires if wire.start[0] == element}), 2):
            yield element, kind, f"{p} ↔ {q}", _swap(design, element, p, q, "from")


def _swap(design: Design, element: str, p: str, q: str, side: str) -> Design:
    other = {f"{element}.{p}": f"{element}.{q}", f"{element}.{q}": f"{element}.{p}"}
    changed = design.model_copy(deep=True)
    for wire in changed.wires:
        if side == "to":
            wire.to = [other.get(end, end) for end in wire.to]
        else:
            port, bracket, words = wire.source.partition("[")
            wire.source = other.get(port, port) + bracket + words
    owners = [core.set for core in changed.cores if core.id == element] or [changed.pads.get(element, {})]
    if side == "to":
        for owner in owners:
            moved = {{p: q, q: p}.get(key, key): value for key, value in owner.items()}
            owner.clear()
            owner.update(moved)
    return changed


def _guards(design: Design) -> Iterator[tuple[str, str, str, Design]]:
    """(element, core, what, design) without one of the guards: a relay stands in its place."""
    for n, core in enumerate(design.cores):
        if core.core == "guard":
            changed = design.model_copy(deep=True)
            changed.cores[n] = CoreSpec(id=core.id, core="relay", at=core.at)
            yield core.id, core.core, "removed", changed


@pytest.mark.parametrize("level_id", BEST)
def test_best_reference_has_no_spare_number_or_port(level_id: str) -> None:
    level, workload = _level(level_id)
    design = load_design_file(BEST[level_id]).design
    best = simulate(level, design, workload=workload)
    assert best.verdict == "pass" and best.metrics
    unseen, better, listed = [], [], set()
    for element, core, what, changed in [*_settings(level, design), *_exchanged(level, design), *_guards(design)]:
        report = simulate(level, changed, workload=workload)
        if report.verdict != "pass":
            continue
        name = f"{element}.{what}"
        if (level_id, name) in EQUIVALENT:
            listed.add((level_id, name))
        elif (core, what.partition(":")[0]) not in TIMING_ONLY and not what.startswith(TIMING_OF_ANY):
            unseen.append(name)
        if report.metrics and report.metrics.efficiency_launches_per_nj > best.metrics.efficiency_launches_per_nj:
            better.append(name)
    assert not unseen, f"these changes of the best design pass as well: {', '.join(unseen)}"
    assert not better, f"these changes of the best design score better: {', '.join(better)}"
    assert listed == {key for key in EQUIVALENT if key[0] == level_id}, "a change that is listed as harmless fails"


def test_numbers_change_one_at_a_time() -> None:
    assert [other for _, other in _numbers(3)] == [4, 2]
    assert [other for _, other in _numbers([8, None])] == [[9, None], [7, None]]
    assert [other for _, other in _numbers("3*w0 - 1")] == ["4*w0 - 1", "2*w0 - 1", "3*w0 - 2", "3*w0 - 0"]
    assert [other.words for _, other in _numbers(WordChoice(words=[1, "5", 0]))] == [
        [2, "5", 0],
        [0, "5", 0],
        [1, "6", 0],
        [1, "4", 0],
        [1, "5", 1],
        [0, "5", 1],
    ]
    assert list(_numbers(True)) == []


def test_exchanged_ports_take_their_wires_and_immediates_along() -> None:
    level, _ = _level("first-light-05-two-roads")
    design = load_design_file(BEST["first-light-05-two-roads"]).design
    found = {f"{element}.{what}": changed for element, _, what, changed in _exchanged(level, design)}
    assert set(found) == {"less.a ↔ b"}, "all other cores are commutative, or have one input"
    changed = found["less.a ↔ b"]
    assert [core.set for core in changed.cores if core.id == "less"] == [{"a": 100}]
    assert [wire.to for wire in changed.wires if wire.source == "fifteen.out"] == [["less.b"]]
