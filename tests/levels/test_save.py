"""Saving: designs come back exactly, levels keep what their authors wrote, and no save is half done."""

from __future__ import annotations

import difflib
import os
import string
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import InvalidError
from engine.fingerprint import design_hash, level_hash
from engine.model import Design, MedalSpec
from levels import decode, encode, load_design, load_level, save_design, save_level
from levels.save import design_text, flow
from levels.writing import write_file

LEVEL = """\
# yaml-language-server: $schema=level.json
perwatt: 1                       # format version
id: probe-08b-mirror
title: "Mirror"
chapter: probe
brief: |                         # shown to the player
  Every output is the input,
    seen from the other side.
hints: ["Where?",   "Then?"]
kernel:                          # ground truth
  arrays:
    a:   {shape: [012], memory: far, data: {kind: distinct, low: -99, high: 99}}
    out: {shape: [12]}

  truth: "out[i] = a[3 - i]"     # backwards
threads: {block: [4], grid: [3]}
board: {size: [24, 14], blocked: [[10, 0, 2, 5]]}   # columns × rows
pads:                                               # from the top left
  - {id: t,   core: threads, at: [0, 3], every_ns: 2}
  # the far one
  - {id: a,   core: load,    at: [0, 7]}
  - {id: out, core: store,   at: [23, 7]}
parts: {add: 8, "*": 0}          # what may be placed
standby_uw: 4e3
limits: {time_us: 50, accesses: {a: 20}}   # enforced
medals: {bronze: 0.1882, silver: 0.2439, gold: 0.3053}   # launches/nJ
reference: {naive: 08b-mirror.naive.yaml, best: 08b-mirror.best.yaml}
# the end
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "08b-mirror.yaml"
    path.write_text(LEVEL)
    return path


def changed(before: str, after: str) -> list[str]:
    """Lines taken out (-) and put in (+)."""
    lines = difflib.unified_diff(before.split("\n"), after.split("\n"), n=0, lineterm="")
    return [line for line in lines if line[:2] not in ("--", "++", "@@")]


def test_new_medals_change_one_line_of_a_level(path: Path) -> None:
    level = load_level(path)
    level.medals = MedalSpec(bronze=0.1, silver=0.2, gold=0.4)
    save_level(level, path)
    assert changed(LEVEL, path.read_text()) == [
        "-medals: {bronze: 0.1882, silver: 0.2439, gold: 0.3053}   # launches/nJ",
        "+medals: {bronze: 0.1, silver: 0.2, gold: 0.4}            # launches/nJ",
    ]
    assert load_level(path) == level


def test_all_kinds_of_change_touch_their_own_keys(path: Path) -> None:
    level = load_level(path)
    level.title = "no: it is #2"
    level.pads[1].at = (0, 8)
    level.launches.warmup = 8
    level.limits.power_mw = 3.5
    level.parts = {"add": 9, "mul": 1}
    level.medals = None
    level.hints = ["one"]
    level.kernel.truth = "out[i] = a[i]\nout[i] = 2"
    save_level(level, path)
    assert load_level(path) == level
    after = path.read_text()
    assert [line[0] + line[1:].split(":")[0] for line in changed(LEVEL, after) if line.startswith("-")] == [
        "-title",
        "-hints",
        "-  truth",
        "-  - {id",
        "-parts",
        "-limits",
        "-medals",
    ]
    assert "    a:   {shape: [012], memory: far," in after and "# the far one\n" in after and "# the end" in after
    assert "launches: {warmup: 8, measured: 12}\n" in after


def test_medals_are_added_where_there_were_none(path: Path) -> None:
    text = "".join(line for line in LEVEL.splitlines(keepends=True) if not line.startswith("medals"))
    path.write_text(text)
    level = load_level(path)
    level.medals = MedalSpec(bronze=0.1, silver=0.2, gold=0.4)
    save_level(level, path)
    assert changed(text, path.read_text()) == ["+medals: {bronze: 0.1, silver: 0.2, gold: 0.4}"]


def test_nothing_is_written_where_nothing_changed(path: Path) -> None:
    before = path.stat()
    save_level(load_level(path), path)
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_line_ends_and_flush_lists_are_kept(path: Path) -> None:
    text = LEVEL.replace("  - {", "- {").replace("  # the far one", "# the far one").replace("\n", "\r\n")
    path.write_bytes(text.encode())
    level = load_level(path)
    level.standby_uw = 5
    save_level(level, path)
    after = path.read_bytes().decode()
    assert after.count("\n") == after.count("\r\n")
    assert changed(text, after) == ["-standby_uw: 4e3\r", "+standby_uw: 5.0\r"]


def test_a_new_level_file_is_readable_and_exact(path: Path) -> None:
    level = load_level(path)
    new = path.with_name("09-new.yaml")
    save_level(level, new)
    assert load_level(new) == level
    assert "pads:\n  - {id: t, core: threads, at: [0, 3], every_ns: 2.0}\n" in new.read_text()


def test_a_broken_level_file_is_not_overwritten(path: Path) -> None:
    level = load_level(path)
    path.write_text("perwatt: 1\n")
    with pytest.raises(InvalidError):
        save_level(level, path)
    assert path.read_text() == "perwatt: 1\n"


DESIGN: dict[str, Any] = {
    "perwatt": 1,
    "level": "probe-08b-mirror",
    "name": "three taps",
    "note": "First this,\nthen: that.\n",
    "pads": {"a": {"at": {"words": [0, "0"]}, "other": 0}},
    "cores": [
        {"id": "add1", "core": "add", "at": [6, 7], "set": {"b": 10}},
        {
            "id": "no",
            "core": "shared",
            "at": [7, 7],
            "set": {"ports": {"write": 1, "read": 2}, "x": [1, 2.0, None, "y"]},
        },
        {"id": "plain", "core": "mul", "at": [8, 7]},
    ],
    "wires": [
        {"from": "a.value", "to": "add1.a", "path": [[0, 7], [6, 7]], "every_ns": 1},
        {"from": "t.token[0,2]", "to": ["add1.a", "add1.b"], "path": [[0, 7], [6, 7]], "every_ns": 1.33},
        {"from": "t.token", "to": "no.in", "path": [[0, 7], [6, 7]], "speed": 0},
    ],
}


def test_a_design_is_written_in_one_readable_form(tmp_path: Path) -> None:
    save_design(Design.model_validate(DESIGN), tmp_path / "x.yaml")
    assert (
        (tmp_path / "x.yaml").read_text()
        == """\
perwatt: 1
level: probe-08b-mirror
name: three taps
note: |
  First this,
  then: that.
pads:
  a: {at: {words: [0, "0"]}, other: 0}
cores:
  - {id: add1, core: add, at: [6, 7], set: {b: 10}}
  - {id: "no", core: shared, at: [7, 7], set: {ports: {write: 1, read: 2}, x: [1, 2.0, null, "y"]}}
  - {id: plain, core: mul, at: [8, 7]}
wires:
  - {from: a.value, to: add1.a, path: [[0, 7], [6, 7]], every_ns: 1}
  - {from: "t.token[0,2]", to: [add1.a, add1.b], path: [[0, 7], [6, 7]], every_ns: 1.33}
  - {from: t.token, to: no.in, path: [[0, 7], [6, 7]], speed: 0}
"""
    )


def test_an_empty_design_is_a_design(tmp_path: Path) -> None:
    design = Design(perwatt=1, level="probe-01-map")
    save_design(design, tmp_path / "x.yaml")
    assert (tmp_path / "x.yaml").read_text() == "perwatt: 1\nlevel: probe-01-map\ncores: []\nwires: []\n"
    assert load_design(tmp_path / "x.yaml") == design


ids = st.one_of(
    st.sampled_from(["no", "y", "null", "True", "on", "add1", "_", "e5"]),
    st.text(string.ascii_letters + string.digits + "_", max_size=31).map(lambda s: "_" + s),
)
prose = st.one_of(
    st.text(st.characters(exclude_categories=["C", "Zl", "Zp"]), max_size=40),
    st.text(" \n\t:#-'\"\\{}[],|>&*!%@`~?ab01é", max_size=40),
)
scalars = st.one_of(
    st.booleans(),
    st.integers(-(10**19), 10**19),
    st.floats(allow_nan=False, allow_infinity=False),
    prose,
)
words = st.lists(st.one_of(st.integers(0, 15), st.integers(-(10**9), 10**9).map(str)), min_size=1, max_size=6)
values = st.one_of(
    scalars,
    st.lists(st.one_of(st.none(), st.integers(-5, 5), st.floats(-1, 1), prose), max_size=4),
    words.map(lambda w: {"words": w}),
    st.dictionaries(st.sampled_from(["write", "read"]), st.integers(0, 64)),
)
keys = st.text(st.characters(exclude_categories=["C", "Zl", "Zp"]), min_size=1, max_size=20)
tiles = st.lists(st.integers(0, 255), min_size=2, max_size=2)
sets = st.dictionaries(keys, values, max_size=4)
cores = st.fixed_dictionaries({"id": ids, "core": st.sampled_from(["add", "delay"]), "at": tiles, "set": sets})
wires = st.fixed_dictionaries(
    {
        "from": st.sampled_from(["a.value", "t.token[0,2]", "no.out", "s.write2.done"]),
        "to": st.sampled_from(["add1.a", ["add1.a", "add1.b"], ["x.in"]]),
        "path": st.lists(tiles, min_size=2, max_size=5),
        "every_ticks": st.one_of(st.none(), st.integers(10, 1_000_000)),
    }
)
designs = st.builds(
    Design,
    perwatt=st.just(1),
    level=st.just("probe-01-map"),
    name=prose,
    note=prose,
    pads=st.dictionaries(ids, sets, max_size=3),
    cores=st.lists(cores, max_size=4),
    wires=st.lists(wires, max_size=4),
)


@settings(max_examples=150, deadline=None)
@given(design=designs)
def test_whatever_is_saved_or_encoded_comes_back_exactly(
    design: Design, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "design.yaml"
    save_design(design, path)
    for found in (load_design(path), decode(encode(design)), load_design("  " + encode(design) + "\n")):
        assert found == design
        assert found.model_dump_json() == design.model_dump_json()  # 1 is not 1.0
        assert design_text(found) == design_text(design)
        assert design_hash(found) == design_hash(design)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "a\x1bb", "\ud800", "x" * 20_000, 10**25])
def test_what_no_load_would_take_is_not_saved(value: Any, tmp_path: Path) -> None:
    design = Design.model_validate({**DESIGN, "cores": [{"id": "a", "core": "add", "at": [1, 1], "set": {"b": value}}]})
    path = tmp_path / "x.yaml"
    path.write_text("old")
    with pytest.raises(InvalidError):
        save_design(design, path)
    with pytest.raises(InvalidError):
        encode(design)
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["x.yaml"]


def test_a_failed_write_leaves_the_old_file_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.yaml"
    path.write_text("old")

    def full(handle: int) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space"):
        write_file(path, b"new")
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["x.yaml"]


def test_a_write_keeps_rights_and_follows_links(tmp_path: Path) -> None:
    real, link = tmp_path / "real.yaml", tmp_path / "link.yaml"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    write_file(link, b"new")
    assert link.is_symlink() and real.read_text() == "new"
    assert real.stat().st_mode & 0o777 == 0o640


def test_flow_quotes_what_another_reader_would_misread() -> None:
    assert flow(["y", "NO", "a.b", "a b", "1", "", "é", None, True, 1e-7]) == (
        '["y", "NO", a.b, "a b", "1", "", "é", null, true, 1e-07]'
    )


def test_hashes_see_the_machine_and_nothing_else(path: Path) -> None:
    level, design = load_level(path), Design.model_validate(DESIGN)
    first, second = level_hash(level), design_hash(design)
    assert len(first) == len(second) == 16
    level.title, level.medals, level.hints, level.tools = "Other", None, [], ["why"]
    design.name = design.note = "other"
    assert (level_hash(level), design_hash(design)) == (first, second)
    path.write_text(LEVEL.replace("shape: [12]}", "dtype: int32, shape: [12]}").replace("4e3", "4000"))
    assert level_hash(load_level(path)) == first
    level.pads[0].every_ns = 3
    design.cores[0].set["b"] = 11
    assert level_hash(level) != first
    assert design_hash(design) != second
