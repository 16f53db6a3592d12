"""Settings, points, scores, fronts and tables of sweeps."""

from __future__ import annotations

import csv
import io
import json
import math
import pickle
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import UsageError
from engine.simulation import simulate
from levels.search.crew import Crew
from levels.search.journal import Journal
from levels.search.knobs import Knob, parse_setting, turned, wire_name
from levels.search.study import Study, identity
from levels.search.sweep import MOST_POINTS, cells, headers, pareto_front, points_of, rows_of
from levels.search.tables import harmless, table_bytes
from levels.search.task import Job, Score, Scorer, score_points
from levels.search.values import MOST_VALUES, parse_values
from tests.engine.test_limits_of_physics import everything, plan
from tests.levels.searching import job_of, load

# --- values ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1,2,4", [1, 2, 4]),
        ("1..8", [1, 2, 3, 4, 5, 6, 7, 8]),
        ("1..9:2,20", [1, 3, 5, 7, 9, 20]),
        ("-2..1", [-2, -1, 0, 1]),
        ("0.5..1.5:0.25", [0.5, 0.75, 1, 1.25, 1.5]),
        ("1..2:lin3", [1, 1.5, 2]),
        ("1..100:log3", [1, 10, 100]),
        ("mul, mul.serial", ["mul", "mul.serial"]),
        ("1/2,0.25", ["1/2", 0.25]),
        ("true,false", [True, False]),
        ("1,true", [1, True]),
        ("[4, 10],[3]", [(4, 10), (3,)]),
        ("2,2,1..2", [2, 1]),
    ],
)
def test_values(text: str, values: list[Any]) -> None:
    found = parse_values(text)
    assert found == values
    assert [type(a) for a in found] == [type(b) for b in values]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "lacks a value"),
        ("1,,2", "lacks a value"),
        ("8..1", "backwards"),
        ("1..", "no range"),
        ("0..8:log3", "above 0"),
        ("1..8:log1", "2 to"),
        ("1..8:0", "above 0"),
        ("1..999999", str(MOST_VALUES)),
        ("[1", "no list"),
        ("[[1]]", "no list"),
    ],
)
def test_wrong_values_are_told(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        parse_values(text)


# --- names -------------------------------------------------------------------------------------------------


def test_a_setting_turns_what_it_names_and_nothing_else() -> None:
    level, design = load("first-light/02")
    for text, value in (
        ("a.value->add1.a.every_ns=3", 300),
        ("a.value -> add1.a.speed=1/3", 300),
        ("a.value→add1.a.every_ns=3", 300),
    ):
        knob, [given] = parse_setting(text, level, design)
        after = turned(design, [knob], (given,))
        assert [wire.every_ticks for wire in after.wires] == [value, design.wires[1].every_ticks]
        assert after.wires[1] is design.wires[1]
        assert after.cores is design.cores, "a change of speeds is not elaborated anew"
    knob, given_all = parse_setting("*.every_ns=2,5", level, design)
    assert [w.every_ticks for w in turned(design, [knob], (given_all[1],)).wires] == [500, 500]
    knob, [eleven] = parse_setting("add1.b=11", level, design)
    assert turned(design, [knob], (eleven,)).cores[0].set == {"b": 11}
    knob, [other] = parse_setting("add1.core=sub", level, design)
    assert turned(design, [knob], (other,)).cores[0].core == "sub"
    assert design.cores[0].set == {"b": 10}, "the design itself stays"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a.value->add1.a.every_ns", "NAME=VALUES"),
        ("nonsense=1", "NAME=VALUES"),
        ("a.valu->add1.a.every_ns=1", "did you mean 'a.value->add1.a'"),
        ("a.value->add1.a.every_ns=0", "0.1 to 10000"),
        ("a.value->add1.a.every_ns=fast", "0.1 to 10000"),
        ("a.value->add1.a.speed=11", "0.0001 to 10"),
        ("add2.b=1", "did you mean 'add1'"),
        ("add1.q=1", "no setting and no input 'q'"),
        ("add1.core=adder", "did you mean 'add'"),
        ("a.core=add", "is a pad"),
    ],
)
def test_wrong_names_are_told(text: str, told: str) -> None:
    level, design = load("first-light/02")
    with pytest.raises(UsageError) as error:
        parse_setting(text, level, design)
    assert told in str(error.value)


def test_settings_of_pads_and_ports_with_dots() -> None:
    level, design = load("gpu-puzzles/14b")
    shared = next(core for core in design.cores if core.core == "shared")
    pages, given = parse_setting(f"{shared.id}.pages=1,2", level, design)
    assert turned(design, [pages], (given[1],)).cores[int(pages.places[0])].set["pages"] == 2
    pad = next(iter(design.pads))
    port = next(iter(design.pads[pad]))
    knob, [value] = parse_setting(f"{pad}.{port}=[0, 1]", level, design)
    after = turned(design, [knob], (value,))
    assert after.pads[pad][port] == [0, 1]
    assert design.pads[pad][port] != [0, 1]


# --- points ------------------------------------------------------------------------------------------------


def test_a_grid_has_every_point_once() -> None:
    points = points_of([[1, 2], ["a", "b", "c"]])
    assert points == [(1, "a"), (1, "b"), (1, "c"), (2, "a"), (2, "b"), (2, "c")]
    assert points_of([[1, 2], ["a", "b", "c"]], random=6) == points


@given(st.lists(st.integers(1, 40), min_size=1, max_size=30), st.integers(1, 50), st.integers(0, 9))
@settings(max_examples=40, deadline=None)
def test_a_draw_has_different_points_and_is_the_same_again(sizes: list[int], count: int, seed: int) -> None:
    values = [list(range(size)) for size in sizes]
    points = points_of(values, count, seed)
    assert len(set(points)) == len(points) == min(count, math.prod(sizes))
    assert all(v in have for point in points for v, have in zip(point, values, strict=True))
    assert points == points_of(values, count, seed)


def test_another_seed_draws_other_points() -> None:
    values = [list(range(100))] * 3
    assert points_of(values, 20, 1) != points_of(values, 20, 2)


def test_a_grid_that_is_too_large_is_told() -> None:
    with pytest.raises(UsageError, match="--random"):
        points_of([list(range(1001))] * 2)
    with pytest.raises(UsageError, match=str(MOST_POINTS)):
        points_of([list(range(10_000))] * 3, MOST_POINTS + 1)


# --- scores ------------------------------------------------------------------------------------------------


def test_a_score_is_that_of_a_fresh_run_whatever_was_scored_before() -> None:
    job, points = job_of(
        "first-light/10", "*.every_ns=1,2,3", "a.value->mul.a.every_ns=1,2", "sum.n=8,7", "mul.core=mul,sub"
    )
    level, design = job.documents()
    scorer = Scorer(job)
    forwards = [scorer.score(point) for point in points]
    assert [scorer.score(point) for point in points[::-1]] == forwards[::-1]
    assert {score.verdict for score in forwards} >= {"pass", "fault", "invalid"}
    for point, score in zip(points, forwards, strict=True):
        report = simulate(level, turned(design, job.knobs, point), bound=False)
        assert report.verdict == score.verdict
        if report.metrics:
            m = report.metrics
            assert m.efficiency_launches_per_nj == score.efficiency
            assert (m.throughput_launches_per_us, m.power_mw) == (score.throughput, score.power)
            assert (m.latency_ns.median, m.footprint_tiles, m.cores) == (score.latency, score.footprint, score.cores)
            assert report.medal == score.medal


def test_what_no_file_may_hold_is_an_invalid_point() -> None:
    level, design = load("first-light/02")
    score = Scorer(Job.of(level, design, [Knob("in", "every_ns", (0,))])).score((0,))
    assert score.verdict == "invalid"
    assert "0.1 to 10000" in score.note


def test_a_missed_limit_says_by_how_much() -> None:
    job, points = job_of("first-light/01", "*.every_ns=4,8,100")
    level, _ = job.documents()
    level.limits.throughput_per_us = 100
    tight = type(job)(level.model_dump_json(by_alias=True), job.design, job.knobs)
    scores = score_points(tight, points).scores
    assert [score.verdict for score in scores] == ["pass", "pass", "limit"]
    assert scores[2].excess == pytest.approx(math.log(100 / 10), rel=0.05)
    assert scores[2].note == "limit: throughput"


def test_jobs_and_scores_travel() -> None:
    job, points = job_of("first-light/02", "add1.b=10,11")
    assert pickle.loads(pickle.dumps(job)) == job
    for score in score_points(job, points).scores:
        assert Score.of(json.loads(json.dumps(score.row()))) == score


def test_a_worker_of_another_version_is_refused() -> None:
    job, points = job_of("first-light/02", "add1.b=10")
    with pytest.raises(UsageError, match=r"0\.0\.0\.old"):
        score_points(replace(job, version="0.0.0.old"), points)


# --- fronts ------------------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6), st.booleans()), max_size=25))
@settings(max_examples=100, deadline=None)
def test_the_front_is_what_nothing_dominates(drawn: list[tuple[int, int, bool]]) -> None:
    scores = [Score("pass" if good else "limit", t / p, float(t), float(p)) for t, p, good in drawn]
    passing = [(i, t, p) for i, (t, p, good) in enumerate(drawn) if good]
    expected = {
        i for i, t, p in passing if not any((t2 >= t and p2 <= p) and (t2, p2) != (t, p) for _, t2, p2 in passing)
    }
    front = pareto_front(scores)
    assert front == expected
    if passing:
        best = max(passing, key=lambda x: x[1] / x[2])
        assert any(scores[i].efficiency == scores[best[0]].efficiency for i in front)


# --- tables ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["=1+1", "+1", "-x", "@SUM(A1)", "\t=1", "\r=1", "\n=1"])
def test_no_cell_begins_a_formula(text: str) -> None:
    assert harmless(text) == f"'{text}"


@pytest.mark.parametrize(("cell", "text"), [(None, ""), (True, "true"), (-5, -5), (0.5, 0.5), ([4, 10], "[4, 10]")])
def test_plain_cells_stay(cell: object, text: object) -> None:
    assert harmless(cell) == text


def swept() -> tuple[list[str], list[list[object]]]:
    job, points = job_of("first-light/02", "add1.b=10,11,-3", "*.speed=1/2,0.25")
    rows = rows_of(points, score_points(job, points).scores)
    return headers(job.knobs), [cells(row) for row in rows]


def test_csv_reads_back() -> None:
    names, rows = swept()
    read = list(csv.reader(io.StringIO(table_bytes("csv", names, rows, {}).decode())))
    assert read[0] == names
    assert len(read) == 7
    efficiency = names.index("efficiency_launches_per_nj")
    for row, line in zip(rows, read[1:], strict=True):
        assert line[efficiency] == ("" if row[efficiency] is None else repr(row[efficiency]))


def test_json_reads_back() -> None:
    names, rows = swept()
    document = json.loads(table_bytes("json", names, rows, {"level": "x"}))
    assert (document["format"], document["level"]) == (1, "x")
    assert [list(row.values()) for row in document["rows"]] == rows


def test_parquet_reads_back() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    names, rows = swept()
    table = parquet.read_table(pyarrow.BufferReader(table_bytes("parquet", names, rows, {"level": "x"})))
    assert table.column_names == names
    assert json.loads(table.schema.metadata[b"perwatt"]) == {"level": "x"}
    speed = names.index("*.speed")
    assert table.column("add1.b").to_pylist() == [row[0] for row in rows]
    assert table.column("*.speed").to_pylist() == [str(row[speed]) for row in rows], "what is mixed is text"
    assert table.column("efficiency_launches_per_nj").to_pylist() == [
        row[names.index("efficiency_launches_per_nj")] for row in rows
    ]


def test_parquet_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(UsageError, match=r"perwatt\[parquet\]"):
        table_bytes("parquet", ["a"], [[1]], {})


# --- journals ----------------------------------------------------------------------------------------------


def test_a_journal_keeps_what_was_added(tmp_path: Any) -> None:
    path = tmp_path / "x.journal"
    with Journal(path, {"search": "a"}) as journal:
        journal.add([("1", [1, 0.1]), ("2", [2])])
        journal.add([])
        journal.add([("3", [3])])
    with Journal(path, {"search": "a"}) as again:
        assert again.known == {"1": [1, 0.1], "2": [2], "3": [3]}
        again.remove()
    assert not path.exists()


def test_a_journal_that_was_cut_off_anywhere_is_a_prefix(tmp_path: Any) -> None:
    path = tmp_path / "x.journal"
    with Journal(path, {"search": "a"}) as journal:
        for i in range(3):
            journal.add([(str(i), [i])])
    whole = path.read_bytes()
    ends = [i + 1 for i, byte in enumerate(whole) if byte == 10]
    for cut in range(len(whole) + 1):
        path.write_bytes(whole[:cut])
        tasks = sum(end <= cut for end in ends) - 2  # after the head and the line of the process
        with Journal(path, {"search": "a"}) as journal:
            assert list(journal.known) == [str(i) for i in range(max(tasks, 0))]
            journal.add([("9", [9])])
        with Journal(path, {"search": "a"}) as journal:
            assert "9" in journal.known, "what follows a cut is kept as well"


def test_a_damaged_line_ends_what_counts(tmp_path: Any) -> None:
    path = tmp_path / "x.journal"
    with Journal(path, {"search": "a"}) as journal:
        for i in range(3):
            journal.add([(str(i), [i])])
    whole = path.read_bytes()
    assert whole.count(b"[1]") == 1
    path.write_bytes(whole.replace(b"[1]", b"[7]"))
    with Journal(path, {"search": "a"}) as journal:
        assert journal.known == {"0": [0]}


def test_the_journal_of_another_search_is_refused(tmp_path: Any) -> None:
    path = tmp_path / "x.journal"
    Journal(path, {"search": "a"}).close()
    with pytest.raises(UsageError, match="another search"):
        Journal(path, {"search": "b"})
    Journal(tmp_path / "lists.journal", {"values": [(4, 10), (3,)]}).close()
    Journal(tmp_path / "lists.journal", {"values": [(4, 10), (3,)]}).close()
    with Journal(path, {"search": "b"}, anew=True) as journal:
        assert journal.known == {}
    path.write_text("a letter\n")
    with pytest.raises(UsageError, match="no journal"):
        Journal(path, {"search": "a"})


def test_a_search_is_another_one_when_anything_differs_that_decides() -> None:
    job, _ = job_of("first-light/02", "add1.b=10,11")
    other, _ = job_of("first-light/02", "a.value->*.every_ns=10,11")
    seeded = type(job)(job.level, job.design, job.knobs, 1)
    best, _ = job_of("first-light/02", "add1.b=10,11", role="best")
    found = [identity("sweep", x, random=r) for x, r in ((job, 1), (job, 2), (other, 1), (seeded, 1), (best, 1))]
    assert all(a != b for i, a in enumerate(found) for b in found[:i])
    assert identity("sweep", job, random=1) == found[0]


def test_a_study_goes_on_where_it_ended(tmp_path: Any) -> None:
    job, points = job_of("first-light/02", "add1.b=1..20", "*.every_ns=2,5")
    expected = list(score_points(job, points).scores)
    with Journal(tmp_path / "x.journal", {}) as journal:
        first = Study(job, Crew(1), journal)
        first.scores(points[5:25])
        assert first.scored == 20
    told: list[int] = []
    with Journal(tmp_path / "x.journal", {}) as journal:
        second = Study(job, Crew(1), journal)
        assert second.known(points) == 20
        assert second.scores(points, told.append) == expected
        assert second.scored == len(points) - 20
        assert sum(told) == len(points)
        assert second.scores(points[::-1]) == expected[::-1]
        assert second.scored == len(points) - 20


def test_wires_are_called_as_the_command_line_has_them() -> None:
    _, design = load("gpu-puzzles/06")
    assert [wire_name(wire) for wire in design.wires][:2] == ["threads.token->index.a,index.c", "index.out->inside.in"]


def test_what_physics_sets_is_a_knob() -> None:
    level, design = everything(), plan(random.Random(3))
    for text, values in (
        ("*.encoding=raw,secded", [None, "secded"]),
        ("x.out->*.gap=100,75", [100, 75]),
        ("x.out->out.value.gate=false,true", [False, True]),
        ("*.sleep_after=0,50", [0, 50]),
        ("*.track=free,2", [None, 2]),
    ):
        knob, given = parse_setting(text, level, design)
        for value, meant in zip(given, values, strict=True):
            wires = turned(design, [knob], (value,)).wires
            assert getattr(wires[5], knob.setting) == meant
            assert all(getattr(wires[i], knob.setting) == meant for i in knob.places if isinstance(i, int))
    knob, given = parse_setting("x.oxide=standard,thin", level, design)
    assert turned(design, [knob], ("thin",)).cores[0].set["oxide"] == "thin"
    knob, given = parse_setting("far.gate=true", level, design)
    assert turned(design, [knob], (True,)).pads["far"]["gate"] is True
    for wrong in ("*.encoding=morse", "*.voltage_mv=610", "*.gap=20", "*.ahead=3"):
        with pytest.raises(UsageError):
            parse_setting(wrong, level, design)
    with pytest.raises(UsageError, match=r"allowed is raw, gray, .* or no-lone-bits: did you mean 'gray'\?"):
        parse_setting("*.encoding=grey", level, design)
    with pytest.raises(UsageError, match="allowed is 40 to 100 in steps of 5"):
        parse_setting("*.gap=42", level, design)
