"""The corpus of wrong boards and designs: every code of the checks, with its place and its exact message.

A file of ``tests/corpus/boards`` is a design for one of the levels ``level-*.yaml`` there (for the one that it names,
or that a line ``# on: id`` names), or a level of its own. Its first lines say what is found in it, in order:
``# expect: code | place | message``.
"""

from __future__ import annotations

import random
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import ValidationError

from engine.board import check_board
from engine.elaborate import check_design, elaborate
from engine.errors import InvalidError
from engine.model import Design, Level
from engine.problems import CODES

FOLDER = Path(__file__).parent.parent / "corpus" / "boards"
FILES = sorted(p for p in FOLDER.glob("*.yaml") if not p.name.startswith("level-"))
EXPECT = "# expect: "
ON = "# on: "


def read(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return document


LEVELS = {level.id: level for level in map(Level.model_validate, map(read, sorted(FOLDER.glob("level-*.yaml"))))}


def expected(path: Path) -> list[str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.removeprefix(EXPECT) for line in lines if line.startswith(EXPECT)]


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_a_wrong_file_is_told_in_exactly_these_words(path: Path) -> None:
    document = read(path)
    if "kernel" in document:
        found = list(check_board(Level.model_validate(document)))
    else:
        named = [line.removeprefix(ON) for line in path.read_text(encoding="utf-8").splitlines() if line.startswith(ON)]
        found = check_design(LEVELS[(named or [document["level"]])[0]], Design.model_validate(document))
    assert [f"{p.code} | {p.where} | {p.message}" for p in found] == expected(path)


def test_every_code_has_a_file_of_its_name() -> None:
    named = {code for code in CODES for path in FILES if path.stem.startswith(code) and expected(path)}
    told = {line.split(" | ")[0] for path in FILES for line in expected(path)}
    assert named == told == set(CODES)


def test_the_levels_of_the_corpus_are_sound() -> None:
    assert [p for level in LEVELS.values() for p in check_board(level)] == []


def test_elaborate_raises_all_problems_at_once_errors_first() -> None:
    design = Design.model_validate(read(FOLDER / "unused-core.yaml"))
    elaborate(LEVELS[design.level], design)  # a warning alone is no obstacle
    design.wires[0].path = [(0, 2), (3, 4), (11, 2)]
    design.cores[0].set = {"c": 1}
    with pytest.raises(InvalidError) as error:
        elaborate(LEVELS[design.level], design)
    assert [(p.code, p.severity) for p in error.value.problems] == [
        ("unknown-setting", "error"),
        ("path-bend", "error"),
        ("unused-core", "warning"),
    ]


def test_a_broken_level_is_told_before_its_design() -> None:
    level = Level.model_validate(read(FOLDER / "not-on-edge.yaml"))
    problems = check_design(level, Design.model_validate(read(FOLDER / "unknown-core.yaml")))
    assert [(p.code, p.where) for p in problems] == [("not-on-edge", "level.pads[1].at")]


def mutate(document: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """A copy with one to three places changed: a value for another one of the document, or taken away."""
    document = deepcopy(document)
    for _ in range(rng.randint(1, 3)):
        places: list[tuple[Any, Any]] = []

        def walk(value: Any, places: list[tuple[Any, Any]] = places) -> None:
            for key in list(value) if isinstance(value, dict) else range(len(value)):
                places.append((value, key))
                if isinstance(value[key], dict | list):
                    walk(value[key], places)

        walk(document)
        holder, key = rng.choice(places)
        if rng.random() < 0.3:
            del holder[key]
        else:
            other, name = rng.choice(places)
            holder[key] = deepcopy(rng.choice([other[name], other[name], 0, -1, 5, "in", [1, 2], 2.5, True]))
    return document


def test_no_design_however_wrong_breaks_the_checks() -> None:
    rng = random.Random(7)
    documents = [d for d in map(read, FILES) if "kernel" not in d]
    outcomes = {"well formed": 0, "told": 0}
    for _ in range(6000):
        document = mutate(rng.choice(documents), rng)
        try:
            design = Design.model_validate(document)
        except ValidationError:
            continue
        outcomes["well formed"] += 1
        level = LEVELS.get(design.level) or LEVELS["boards-01-stream"]
        problems = check_design(level, design)
        outcomes["told"] += any(p.severity == "error" for p in problems)
        if not any(p.severity == "error" for p in problems):
            elaborate(level, design)
    assert outcomes["well formed"] > 500 and outcomes["told"] > 400, outcomes
