"""Loading level and design files, and pointing into them afterwards."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engine.errors import InvalidError, Problem
from engine.model import WIRE_PHYSICS
from levels import load_design, load_design_file, load_level, load_level_file
from levels.codes import CODES, bounded, clean, problem, tidy
from levels.validate import shape_of, validate

LEVEL = """\
perwatt: 1
id: probe-03-map  # a comment
title: Map
chapter: probe
brief: Add ten.
hints: [one, two]
kernel:
  arrays:
    a: {shape: [4], data: {low: 1, high: 9}}
    out: {shape: [4]}
  truth: "out[i] = a[i] + 10"
board: {size: [8, 4]}
pads:
  - {id: a, core: stream, at: [0, 1]}
  - id: out
    core: sink
    at: [7, 1]
standby_uw: 100
"""
DESIGN = """\
perwatt: 1
level: probe-03-map
cores:
  - {id: add1, core: add, at: [3, 1], set: {b: 10, c: 1.0, d: {words: [0, '0']}, ports: {write: 1, read: 2}}}
wires:
  - {from: a.value, to: add1.a, path: [[0, 1], [3, 1]], speed: 1/3}
  - from: "add1.out[0]"
    to: [out.in]
    path: [[3, 1], [7, 1]]
    every_ns: 1.25
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "4-probe"
    folder.mkdir()
    (folder / "03-map.yaml").write_text(LEVEL)
    (folder / "03-map.best.yaml").write_text(DESIGN)
    return folder


def test_level_and_design_are_loaded(folder: Path) -> None:
    level = load_level(folder / "03-map.yaml")
    assert (level.id, level.number, level.board.size, level.pads[1].at) == ("probe-03-map", "03", (8, 4), (7, 1))
    assert load_level(str(folder / "03-map.yaml")) == level
    assert load_level("probe-03-map", [folder.parent]) == load_level("4/3", [folder.parent]) == level
    design = load_design(str(folder / "03-map.best.yaml"))
    assert [wire.every_ticks for wire in design.wires] == [300, 125]
    settings = design.cores[0].set
    assert type(settings["b"]) is int and type(settings["c"]) is float
    assert settings["ports"] == {"write": 1, "read": 2}
    assert settings["d"].words == [0, "0"]  # type: ignore[union-attr]


def test_later_problems_are_located(folder: Path) -> None:
    source = load_level_file(folder / "03-map.yaml").source
    design = load_design_file(folder / "03-map.best.yaml").source

    def place(source: object, code: str, *path: str | int) -> tuple[int, int]:
        found = source.locate(Problem(code, "message", path))  # type: ignore[attr-defined]
        assert found.path == path and found.file.endswith(".yaml")
        return found.line, found.column

    assert place(source, "x", "pads", 0, "at") == (14, 31)
    assert place(source, "x", "pads", 1, "at", 1) == (17, 13)
    assert place(source, "x", "pads", 1) == (15, 5)
    assert place(source, "x", "kernel") == (7, 1)
    assert place(source, "x", "board", "tracks") == (12, 8)
    assert place(source, "x", "nothing", "of", "this") == (1, 1)
    assert place(source, "unknown-key", "id") == (2, 1)
    assert place(design, "x", "wires", 1, "to", 0) == (8, 10)
    assert place(design, "x", "wires", 0, "from") == (6, 12)
    located = Problem("x", "message", ("id",), "other.yaml", 9, 9)
    assert source.locate(located) == located


def test_an_engines_texts_are_made_safe_when_located(folder: Path) -> None:
    source = load_level_file(folder / "03-map.yaml").source
    found = source.locate(Problem("x", "an \x1b[31mevil\u202e text " + "x" * 10_000, ("pads", "\u2066")))
    assert found.message.startswith("an \\u001b[31mevil\\u202e text ") and len(found.message) <= 500
    assert found.path == ("pads", "\\u2066")
    assert found.line == 13


def test_names_of_file_and_folder_count_only_in_a_campaign(folder: Path, tmp_path: Path) -> None:
    other = folder / "04-other.yaml"
    other.write_text(LEVEL)
    with pytest.raises(InvalidError, match=r"04-other\.yaml:2:5: id: .*probe-04-other"):
        load_level(other)
    loose = tmp_path / "04-other.yaml"
    loose.write_text(LEVEL.replace("id: probe-03-map", "id: anything"))
    assert [p.code for p in load_level_file(loose).warnings] == ["id-mismatch"]


def test_errors_come_before_warnings_and_all_at_once(folder: Path) -> None:
    path = folder / "03-map.yaml"
    path.write_text(LEVEL.replace("hints: [one, two]\n", "").replace("brief: Add ten.", "brief: " + "word " * 61))
    with pytest.raises(InvalidError) as caught:
        load_level(path)
    assert [(p.severity, p.code) for p in caught.value.problems] == [("error", "long-brief"), ("warning", "few-hints")]


def test_special_files_are_not_opened(tmp_path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("no named pipes here")
    pipe = tmp_path / "pipe.yaml"
    os.mkfifo(pipe)
    with pytest.raises(InvalidError, match="no regular file"):
        load_level(pipe)


def test_codes_are_a_closed_set_and_texts_are_bounded() -> None:
    with pytest.raises(AssertionError):
        problem("no-such-code", "message")
    assert all(meaning for meaning in CODES.values())
    assert clean("a\nb\x00\u202e\ud800é") == "a\\nb\\u0000\\u202e\\ud800é"
    assert len(clean("\u202e" * 1000)) == 500
    assert tidy(Problem("x", "m", ("k" * 100,))).path == ("k" * 63 + "…",)
    assert len(bounded([Problem("x", "m")] * 1000)) == 51


def test_validation_is_stricter_than_pydantic() -> None:
    from engine.model import Design

    tree = {
        "perwatt": 1,
        "level": "probe-03-map",
        "cores": [{"id": "a", "core": "add", "at": ["1", True], "set": {"b": {"wods": [1]}}}],
        "wires": [{"from": "a.out", "to": "b.in", "path": [[1, 2], [3.0, 4]], "every_ticks": 100}],
    }
    model, problems = validate(Design, tree)
    assert model is None
    assert sorted((p.where, p.code) for p in problems) == [
        ("cores[0].at[0]", "wrong-type"),
        ("cores[0].at[1]", "wrong-type"),
        ("cores[0].set.b.wods", "unknown-key"),
        ("cores[0].set.b.words", "missing-key"),
        ("wires[0].every_ticks", "unknown-key"),
        ("wires[0].path[1][0]", "wrong-type"),
    ]


def test_shapes_cover_every_key_of_the_models() -> None:
    from engine.model import Design, Level

    level = shape_of(Level)
    assert set(level.fields) == set(Level.model_fields)
    assert level.fields["board"].fields["size"].places[1].bounds == {"ge": 1, "le": 256}
    assert level.fields["limits"].fields["time_us"].bounds == {"gt": 0, "le": 20_000}
    wire = shape_of(Design).fields["wires"].items
    assert wire is not None and set(wire.fields) == {"from", "to", "path", "every_ns", "speed", *WIRE_PHYSICS}
    assert set(wire.required) == {"from", "to", "path"}
