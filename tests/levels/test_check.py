"""The level checker: a sound level, and for each of its codes one that is not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from levels import load_level
from levels.check import check_level, least_ratio
from levels.check_many import check_levels, files_to_check, stray_designs
from levels.findings import CODES, LevelCheck

LEVEL = """\
perwatt: 1
id: probe-05-double   # by hand
title: Double
chapter: probe
brief: Every word that comes leaves doubled.
hints: [Look at the pads., Set the wires to 0.25.]
field_note: What is never waited for may as well be slow.
goal: speed
kernel:
  arrays:
    a: {shape: [4], data: {kind: distinct, low: 1, high: 99}}
    out: {shape: [4]}
  truth: out[i] = 2 * a[i]
board: {size: [9, 3], tracks: 2}
pads:
  - {id: a, core: stream, at: [0, 1], every_ns: 4}
  - {id: out, core: sink, at: [8, 1]}
standby_uw: 1000
limits: {time_us: 50}
reference: {naive: 05-double.naive.yaml, best: 05-double.best.yaml}
wrong:
  half: {design: 05-double.wrong-half.yaml, verdict: fault, where: out, code: wrong-value}
levers:
  first: 05-double.without-first.yaml
  second: 05-double.without-second.yaml
"""

DESIGN = """\
perwatt: 1
level: probe-05-double
note: Because.
cores:
  - {{id: sum, core: add, at: [4, 1]{settings}}}
wires:
  - {{from: a.value, to: {ends}, path: [[0, 1], [4, 1]], every_ns: {first}}}
  - {{from: sum.out, to: out.value, path: [[4, 1], [8, 1]], every_ns: {second}}}
"""


def design(ends: str = "[sum.a, sum.b]", settings: str = "", first: float = 1, second: float = 1) -> str:
    return DESIGN.format(ends=ends, settings=settings, first=first, second=second)


NAIVE, BEST = design(), design(first=4, second=4)
FILES = {
    "05-double.yaml": LEVEL,
    "05-double.naive.yaml": NAIVE,
    "05-double.best.yaml": BEST,
    "05-double.wrong-half.yaml": design("sum.a", ", set: {b: 0}", 4, 4),
    "05-double.without-first.yaml": design(first=1, second=4),
    "05-double.without-second.yaml": design(first=4, second=1),
}

Change = dict[str, str | tuple[str, str] | None]
"""By file: another text, (old, new) to replace, or None to leave the file out."""


def write(folder: Path, change: Change) -> Path:
    """The sound level with ``change`` applied; its file."""
    folder.mkdir(exist_ok=True)
    for name in FILES.keys() | change.keys():
        edit = change.get(name, FILES.get(name))
        if edit is None:
            (folder / name).unlink(missing_ok=True)
            continue
        if isinstance(edit, tuple):
            assert edit[0] in FILES[name]
            edit = FILES[name].replace(*edit)
        (folder / name).write_text(edit, encoding="utf-8")
    return folder / "05-double.yaml"


@pytest.fixture
def check(tmp_path: Path) -> Callable[..., LevelCheck]:
    """Check the sound level with a change, blessed before unless the medals are at stake."""

    def run(change: Change | None = None, *, campaign: bool = True, blessed: bool = True) -> LevelCheck:
        path = write(tmp_path / "9-probe", {})
        if blessed:
            blessing = check_level(path, bless=True)
            assert blessing.ok and blessing.blessed
            medals = path.read_text(encoding="utf-8").splitlines()[-1]
            assert medals.startswith("medals: {bronze: ")
        change = dict(change or {})
        level = change.get("05-double.yaml", LEVEL)
        if blessed and level is not None:
            level = LEVEL.replace(*level) if isinstance(level, tuple) else level
            change["05-double.yaml"] = level + medals + "\n"
        return check_level(write(path.parent, change), campaign=campaign)

    return run


def codes(check: LevelCheck) -> set[str]:
    return {p.code for p in check.problems}


def test_a_sound_level(check: Callable[..., LevelCheck]) -> None:
    found = check()
    assert found.found == []
    assert found.ok
    assert [(r.role, r.verdict, r.medal) for r in found.references] == [
        ("naive", "pass", None),
        ("best", "pass", "gold"),
    ]
    assert [(w.name, w.verdict, w.as_expected) for w in found.wrong] == [("half", "fault", True)]
    assert all(lever.worth is not None and lever.worth > 0.08 for lever in found.levers)
    assert found.ratio is not None
    assert found.avoidable_share == pytest.approx(1 - 1 / found.ratio)
    assert found.matched is not None
    assert found.matched >= 0.99 * (found.references[1].efficiency or 0)


LEVEL_FILE = "05-double.yaml"

CASES: list[tuple[str, str, Change]] = [
    ("no-field-note", "field_note", {LEVEL_FILE: ("field_note: What is never waited for may as well be slow.\n", "")}),
    ("few-hints", "hints", {LEVEL_FILE: (", Set the wires to 0.25.]", "]")}),
    ("no-note", "reference.best", {"05-double.best.yaml": ("note: Because.\n", "")}),
    ("other-level", "level", {"05-double.best.yaml": ("probe-05-double", "probe-06-triple")}),
    (
        "reference-fails",
        "reference.best",
        {"05-double.best.yaml": design("sum.a", ", set: {b: 0}", 4, 4)},
    ),
    ("reference-fails", "reference.best", {LEVEL_FILE: ("limits: {time_us: 50}", "limits: {power_mw: 0.001}")}),
    ("unknown-port", "wires[0].to", {"05-double.best.yaml": ("[sum.a, sum.b]", "[sum.a, sum.x]")}),
    ("best-below-naive", "reference.best", {"05-double.best.yaml": NAIVE, "05-double.naive.yaml": BEST}),
    ("no-wrong", "wrong", {LEVEL_FILE: (LEVEL[LEVEL.index("wrong:") : LEVEL.index("levers:")], "")}),
    ("no-such-file", "wrong.half.design", {"05-double.wrong-half.yaml": None}),
    ("no-such-file", "reference.best", {"05-double.best.yaml": None}),
    ("wrong-passes", "wrong.half", {"05-double.wrong-half.yaml": BEST}),
    ("wrong-verdict", "wrong.half.verdict", {LEVEL_FILE: ("verdict: fault", "verdict: limit")}),
    ("wrong-where", "wrong.half.where", {LEVEL_FILE: ("where: out", "where: a")}),
    ("wrong-code", "wrong.half.code", {LEVEL_FILE: ("code: wrong-value", "code: outside")}),
    ("bad-start", "start", {LEVEL_FILE: ("wrong:\n", "start: 05-double.best.yaml\nparts: {'*': 0}\nwrong:\n")}),
    (
        "lever-fails",
        "levers.first",
        {"05-double.without-first.yaml": design("sum.a", ", set: {b: 0}", 1, 4)},
    ),
    ("lever-weak", "levers", {"05-double.without-first.yaml": BEST}),
    ("match-reaches-silver", "reference.naive", {LEVEL_FILE: ("goal: speed", "goal: efficiency")}),
    ("orphan-design", "", {"05-double.without-care.yaml": BEST}),
    ("unknown-key", "wonders", {LEVEL_FILE: ("goal: speed", "goal: speed\nwonders: 7")}),
    ("unknown-array", "pads[0]", {LEVEL_FILE: ("{id: a, core: stream", "{id: a, array: zz, core: stream")}),
]


@pytest.mark.parametrize(("code", "where", "change"), CASES)
def test_what_is_wrong_is_found(check: Callable[..., LevelCheck], code: str, where: str, change: Change) -> None:
    found = check(change)
    assert not found.ok
    places = {p.where for p in found.problems if p.code == code}
    assert any(place.startswith(where) for place in places), [str(p) for p in found.problems]
    assert all(p.file for p in found.problems)


def test_lines_are_given(check: Callable[..., LevelCheck]) -> None:
    [problem] = check({LEVEL_FILE: ("where: out", "where: a")}).problems
    place = LEVEL.index("out, code")
    line_start = LEVEL.rindex("\n", 0, place)
    assert (problem.line, problem.column) == (LEVEL.count("\n", 0, place) + 1, place - line_start)


def test_medals_are_missing(check: Callable[..., LevelCheck]) -> None:
    assert codes(check(blessed=False)) == {"no-medals"}


def test_stale_medals(check: Callable[..., LevelCheck]) -> None:
    change: Change = {LEVEL_FILE: LEVEL + "medals: {bronze: 1, silver: 2, gold: 3}\n"}
    found = check(change, blessed=False)
    assert codes(found) == {"medals-stale"}
    assert found.problems[0].where.startswith("medals")


def test_reference_is_missing(check: Callable[..., LevelCheck]) -> None:
    change: Change = {LEVEL_FILE: LEVEL[: LEVEL.index("reference:")]}
    assert {"no-reference", "orphan-design", "no-wrong"} == codes(check(change, blessed=False))


def test_small_ratio_and_share(check: Callable[..., LevelCheck]) -> None:
    little: Change = {
        "05-double.best.yaml": design(first=1.1, second=1.1),
        LEVEL_FILE: ("goal: speed", "goal: efficiency"),
    }
    found = check(little)
    assert "small-share" in {p.code for p in found.warnings}
    assert found.avoidable_share is not None
    assert 0 < found.avoidable_share < 0.25


def test_a_small_ratio_is_not_for_the_campaign(tmp_path: Path) -> None:
    puzzle = LEVEL.replace("probe", "gpu-puzzles").replace("goal: speed\n", "")
    files = {name: text.replace("probe-05", "gpu-puzzles-05") for name, text in FILES.items()}
    little = design(first=1.1, second=1.1).replace("probe-05", "gpu-puzzles-05")
    path = write(tmp_path / "1-gpu-puzzles", {**files, LEVEL_FILE: puzzle, "05-double.best.yaml": little})
    assert "small-ratio" in codes(check_level(path, campaign=True, bless=True))
    write(
        path.parent,
        {**files, LEVEL_FILE: puzzle.replace("hints:", "goal: limit\nhints:"), "05-double.best.yaml": little},
    )
    assert "small-ratio" not in codes(check_level(path, campaign=True, bless=True))


@pytest.mark.parametrize(
    ("chapter", "number", "ratio"),
    [
        ("first-light", "10", 1.3),
        ("gpu-puzzles", "08b", 1.3),
        ("gpu-puzzles", "09", 1.5),
        ("gpu-puzzles", "14b", 1.5),
        ("mine", "01", 1.0),
    ],
)
def test_least_ratio(chapter: str, number: str, ratio: float) -> None:
    assert least_ratio(chapter, number) == ratio


def test_a_timing_hazard_is_a_warning(check: Callable[..., LevelCheck]) -> None:
    # Two multipliers take turns and meet at the sink: in order only as long as both take the same time.
    turns = (
        DESIGN[: DESIGN.index("cores:")].format()
        + """\
cores:
  - {id: turns, core: deal, at: [2, 1], set: {n: 2}}
  - {id: up, core: mul, at: [4, 0], set: {b: 2}}
  - {id: down, core: mul, at: [4, 2], set: {b: 2}}
wires:
  - {from: a.value, to: turns.in, path: [[0, 1], [2, 1]], every_ns: 1}
  - {from: turns.o0, to: up.a, path: [[2, 1], [2, 0], [4, 0]], every_ns: 1}
  - {from: turns.o1, to: down.a, path: [[2, 1], [2, 2], [4, 2]], every_ns: 1}
  - {from: up.out, to: out.value, path: [[4, 0], [8, 0], [8, 1]], every_ns: 1}
  - {from: down.out, to: out.value, path: [[4, 2], [8, 2], [8, 1]], every_ns: 1}
"""
    )
    found = check({"05-double.naive.yaml": turns, LEVEL_FILE: ("every_ns: 4}", "every_ns: 1}")})
    assert found.references[0].verdict == "pass"
    assert "timing-hazard" in {p.code for p in found.warnings}


def test_a_window_within_a_burst_is_a_warning(check: Callable[..., LevelCheck]) -> None:
    """One burst is longer than all launches that are measured: in the long run the stream is half as fast."""
    assert "short-window" not in {p.code for p in check().warnings}
    long = "every_ns: 1, burst: [4000, 4000]}"
    found = check({LEVEL_FILE: ("every_ns: 4}", long), "05-double.best.yaml": design(first=1.1, second=1.1)})
    assert "short-window" in {p.code for p in found.warnings}


def test_a_far_wrong_design_is_a_warning(check: Callable[..., LevelCheck]) -> None:
    far = design("sum.a", ", set: {b: 0}", 7, 7).replace("[4, 1]", "[5, 1]")
    found = check({"05-double.wrong-half.yaml": far})
    assert found.ok
    assert [p.code for p in found.warnings] == ["wrong-far"]


def test_campaign_rules_are_warnings_elsewhere(check: Callable[..., LevelCheck]) -> None:
    change: Change = {
        LEVEL_FILE: LEVEL.replace("hints: [Look at the pads., ", "hints: ["),
        "05-double.without-first.yaml": BEST,
    }
    assert codes(check(change)) == {"few-hints", "lever-weak"}
    elsewhere = check(change, campaign=False)
    assert elsewhere.ok
    assert {p.code for p in elsewhere.warnings} == {"few-hints", "lever-weak"}


def test_only_the_campaign_must_name_levers(check: Callable[..., LevelCheck]) -> None:
    change: Change = {
        LEVEL_FILE: LEVEL[: LEVEL.index("levers:")],
        "05-double.without-first.yaml": None,
        "05-double.without-second.yaml": None,
    }
    assert codes(check(change)) == {"lever-weak"}
    assert check(change, campaign=False).found == []


def test_bless_keeps_comments_and_is_stable(tmp_path: Path) -> None:
    path = write(tmp_path, {})
    assert check_level(path, bless=True).ok
    text = path.read_text(encoding="utf-8")
    assert text.startswith(LEVEL)
    assert load_level(path).medals is not None
    assert check_level(path, bless=True).ok
    assert path.read_text(encoding="utf-8") == text


def test_bless_writes_nothing_for_references_that_fail(tmp_path: Path) -> None:
    path = write(tmp_path, {"05-double.best.yaml": design("sum.a", ", set: {b: 0}", 4, 4)})
    check_level(path, bless=True)
    assert path.read_text(encoding="utf-8") == LEVEL


def test_results_do_not_depend_on_order_or_processes(tmp_path: Path) -> None:
    files = [write(tmp_path / name, {}) for name in ("one", "two", "three")]
    for i, file in enumerate(files):
        file.write_text(file.read_text().replace("standby_uw: 1000", f"standby_uw: {1000 + i}"))
    one = check_levels(files, jobs=1)
    other = check_levels(files[::-1], jobs=2)[::-1]
    # Of several levels with one id the first is right: which one that is does depend on the order.
    assert [codes(c) for c in one] == [set(), {"same-id"}, {"same-id"}]
    assert [(c.references, c.wrong, c.levers, c.matched) for c in one] == [
        (c.references, c.wrong, c.levers, c.matched) for c in other
    ]


def test_a_file_is_checked_once(tmp_path: Path) -> None:
    path = write(tmp_path, {})
    roots, files = files_to_check([str(tmp_path), str(path)])
    assert roots == [tmp_path]
    assert files == [path]


def test_stray_designs(tmp_path: Path) -> None:
    path = write(tmp_path, {"06-nobody.best.yaml": BEST})
    [stray] = stray_designs(tmp_path, [path])
    assert stray.file.endswith("06-nobody.best.yaml")
    assert codes(stray) == {"orphan-design"}


def test_every_code_has_a_test() -> None:
    import inspect
    import sys

    source = inspect.getsource(sys.modules[__name__])
    assert [code for code in CODES if f'"{code}"' not in source] == []
