"""Progress: what is solved follows from the runs, and a broken database costs a session at most."""

from __future__ import annotations

import errno
import sqlite3
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.model import SCORE_VERSION, Latency, Metrics, Report
from levels.database import Database
from levels.store import FILE, MIGRATIONS, Best, Progress, Run, read_bests
from tests.levels.shelf_designs import LEVEL, design


def report(efficiency: float = 1.0, throughput: float = 1.0, footprint: int = 10, **more: Any) -> Report:
    metrics = Metrics(
        efficiency_launches_per_nj=efficiency,
        throughput_launches_per_us=throughput,
        power_mw=2.5,
        latency_ns=Latency(median=40.5, worst=50.0),
        footprint_tiles=footprint,
        cores=1,
        wire_tiles=1,
        launches=12,
    )
    given_values = {"verdict": "pass", "level_hash": "now", "design_hash": "d", "engine_version": "0.1.0", "seed": 7}
    return Report(**{"level": LEVEL, "design": "x", "metrics": metrics, **given_values, **more})


def test_reading_creates_nothing(tmp_path: Path) -> None:
    data = tmp_path / "data"
    progress = Progress(data)
    assert progress.runs(LEVEL) == progress.discoveries() == progress.tools() == []
    assert progress.best(LEVEL, "now") is None
    assert progress.setting("volume", 0.5) == 0.5
    assert read_bests(data) == {}
    assert not data.exists()
    data.mkdir()
    assert read_bests(data) == {}
    assert list(data.iterdir()) == []


def test_a_run_is_kept_with_its_design(tmp_path: Path) -> None:
    progress = Progress(tmp_path)
    time = datetime(2026, 5, 17, 9, 30, 1, 250_000, tzinfo=UTC)
    mine = design(3, "näme ☃")
    progress.record(mine, report(0.2439, 18.5, 42, medal="silver", seed=2**63 - 1), time)
    progress.record(mine, Report(verdict="deadlock", level=LEVEL, design="x", level_hash="now", design_hash="d"))
    first, second = Progress(tmp_path).runs(LEVEL)
    assert first == Run(
        id=1,
        time=time,
        level=LEVEL,
        level_hash="now",
        score_version=SCORE_VERSION,
        design_hash="d",
        name="näme ☃",
        verdict="pass",
        medal="silver",
        efficiency=0.2439,
        throughput=18.5,
        power=2.5,
        latency=40.5,
        footprint=42,
        engine_version="0.1.0",
        seed=2**63 - 1,
    )
    assert progress.design(first) == progress.design(second) == mine
    assert (second.verdict, second.efficiency, second.medal) == ("deadlock", None, None)
    assert second.time - datetime.now(UTC) < timedelta(seconds=60)


def test_the_best_is_of_passing_runs_on_this_version(tmp_path: Path) -> None:
    progress = Progress(tmp_path)
    progress.record(design(1), report(0.1, medal="bronze"))
    progress.record(design(2), report(0.3, medal="gold"))
    progress.record(design(3), report(0.2, medal="silver"))
    progress.record(design(4), report(0.9, verdict="limit"))
    progress.record(design(5), report(0.8, level_hash="before", medal="gold"))
    progress.record(design(6), report(0.7, score_version=SCORE_VERSION + 1))
    progress.record(design(7), report(0.5, level="other", level_hash="o"))
    assert progress.best(LEVEL, "now") == Best(0.3, "gold")
    assert progress.best(LEVEL, "before") == Best(0.8, "gold")
    assert progress.best(LEVEL, "never") is None
    assert [run.efficiency for run in progress.runs(LEVEL, "now")] == [0.1, 0.3, 0.2, 0.9]
    assert len(progress.runs(LEVEL)) == 6
    progress.close()
    present = {LEVEL: "now", "other": "o"}
    assert read_bests(tmp_path, present) == {LEVEL: (0.3, "gold"), "other": (0.5, None)}
    # Without hashes: the version that was solved last.
    assert read_bests(tmp_path) == {LEVEL: (0.8, "gold"), "other": (0.5, None)}
    assert read_bests(tmp_path, {"other": "changed"}) == {}


def test_no_bests_from_what_is_no_database(tmp_path: Path) -> None:
    for data in (b"", b"no database", bytes(8192)):
        (tmp_path / FILE).write_bytes(data)
        assert read_bests(tmp_path) == {}
        assert [path.name for path in tmp_path.iterdir()] == [FILE]
        assert (tmp_path / FILE).read_bytes() == data


POINT = st.tuples(st.integers(1, 5), st.integers(1, 5), st.integers(1, 5))


@given(st.lists(POINT, max_size=14))
@settings(max_examples=30, deadline=None)
def test_pareto_points_are_what_nothing_beats(
    tmp_path_factory: pytest.TempPathFactory, points: list[tuple[int, int, int]]
) -> None:
    progress = Progress(tmp_path_factory.mktemp("data"))
    for e, t, f in points:
        progress.record(design(0), report(e, t, f))
    progress.record(design(0), report(9, 9, 1, verdict="limit"))
    found = progress.pareto(LEVEL, "now")

    def beaten(p: tuple[int, int, int]) -> bool:
        return any(q != p and q[0] >= p[0] and q[1] >= p[1] and q[2] <= p[2] for q in points)

    expected = sorted({p for p in points if not beaten(p)}, key=lambda p: (-p[0], -p[1], p[2]))
    assert [(run.efficiency, run.throughput, run.footprint) for run in found] == expected
    # Of equals the first counts.
    assert [points[run.id - 1] for run in found] == expected
    assert all(points.index(points[run.id - 1]) == run.id - 1 for run in found)
    progress.close()


def test_cards_tools_and_settings(tmp_path: Path) -> None:
    progress = Progress(tmp_path)
    assert progress.discover("matched", LEVEL)
    assert not progress.discover("matched", LEVEL)
    assert not progress.discover("matched", "other")
    assert progress.discover("a-first", "other")
    assert [(d.card, d.level) for d in progress.discoveries()] == [("matched", LEVEL), ("a-first", "other")]
    assert progress.unlock("match")
    assert not progress.unlock("match")
    assert progress.unlock("brush")
    assert progress.tools() == ["match", "brush"]
    progress.put_setting("keys", {"play": ["Space", "é"]})
    progress.put_setting("ui_scale", 1.25)
    progress.put_setting("ui_scale", 2)
    again = Progress(tmp_path)
    assert again.setting("keys") == {"play": ["Space", "é"]}
    assert again.setting("ui_scale") == 2
    with pytest.raises(ValueError, match="JSON"):
        progress.put_setting("bad", float("nan"))


def test_text_is_never_sql(tmp_path: Path) -> None:
    progress = Progress(tmp_path)
    evil = "x'); DROP TABLE runs; --"
    progress.record(design(1, evil), report(level=evil, level_hash=evil))
    progress.discover(evil, evil)
    progress.put_setting(evil, evil)
    assert [run.name for run in progress.runs(evil, evil)] == [evil]
    assert progress.setting(evil) == evil


# --- what goes wrong -------------------------------------------------------------------------------------


def noise(path: Path) -> None:
    path.write_bytes(b"no database at all " * 500)


def cut(path: Path) -> None:
    with path.open("rb+") as stream:
        stream.truncate(path.stat().st_size * 2 // 3)


def nulls(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def torn(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:4096] + bytes(4096) + data[8192:])


def newer(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    connection.close()


def foreign(path: Path) -> None:
    path.unlink()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE bookmarks (url TEXT)")
    connection.close()


@pytest.mark.parametrize("spoil", [noise, cut, nulls, torn, newer, foreign])
@pytest.mark.parametrize("backed_up", [False, True])
def test_a_broken_database_is_set_aside(tmp_path: Path, spoil: Any, backed_up: bool) -> None:
    progress = Progress(tmp_path)
    progress.record(design(1), report(0.1))
    progress.close()
    if backed_up:
        progress = Progress(tmp_path)
        progress.record(design(2), report(0.2))  # the first write of a session keeps what was there before
        progress.close()
    else:
        (tmp_path / "progress.backup").unlink()
    spoil(tmp_path / FILE)
    spoiled = (tmp_path / FILE).read_bytes()

    progress = Progress(tmp_path)
    assert [run.efficiency for run in progress.runs(LEVEL)] == ([0.1] if backed_up else [])
    (notice,) = progress.take_notices()
    assert notice.aside is not None
    assert notice.aside.read_bytes() == spoiled
    assert notice.aside.name in notice.message
    assert ("newer" in notice.message) == (spoil is newer)
    progress.record(design(3), report(0.3))
    assert read_bests(tmp_path)[LEVEL][0] == 0.3
    progress.close()
    assert Progress(tmp_path).runs(LEVEL)[-1].efficiency == 0.3
    assert progress.take_notices() == []


def test_a_broken_backup_is_set_aside_as_well(tmp_path: Path) -> None:
    for n in (1, 2):
        progress = Progress(tmp_path)
        progress.record(design(n), report(n))
        progress.close()
    for name in (FILE, "progress.backup"):
        noise(tmp_path / name)
    progress = Progress(tmp_path)
    assert progress.runs(LEVEL) == []
    assert "A new one begins" in progress.take_notices()[0].message
    assert len(list((tmp_path / "set-aside").iterdir())) == 2


def test_a_lost_database_comes_back_from_its_backup(tmp_path: Path) -> None:
    for n in (1, 2):
        progress = Progress(tmp_path)
        progress.record(design(n), report(n))
        progress.close()
    (tmp_path / FILE).unlink()
    progress = Progress(tmp_path)
    assert [run.efficiency for run in progress.runs(LEVEL)] == [1]
    assert "is missing" in progress.take_notices()[0].message


def test_a_database_that_breaks_while_it_is_open(tmp_path: Path) -> None:
    progress = Progress(tmp_path)
    for n in range(1, 40):
        progress.record(design(n), report(n))
    with (tmp_path / FILE).open("rb+") as stream:
        stream.write(bytes(3 * 4096))
    progress.record(design(50), report(50.0))
    assert progress.runs(LEVEL)[-1].efficiency == 50.0
    assert len(progress.take_notices()) == 1


def test_an_old_journal_is_not_played_into_the_next_database(tmp_path: Path) -> None:
    progress = Progress(tmp_path)
    for n in range(30):
        progress.record(design(n), report(0.1))
    progress.close()
    # A journal as a killed process leaves it: the pages as they were, on the disk and valid.
    writer = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    writer.execute("PRAGMA cache_size = 1")
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("UPDATE runs SET name = name || 'x'")
    writer.execute("UPDATE texts SET text = text || 'x'")
    journal = (tmp_path / f"{FILE}-journal").read_bytes()
    writer.execute("ROLLBACK")
    writer.close()
    assert len(journal) > 4096
    (tmp_path / "progress.backup").unlink()
    noise(tmp_path / FILE)
    (tmp_path / f"{FILE}-journal").write_bytes(journal)

    progress = Progress(tmp_path)
    progress.record(design(2), report(0.2))
    assert [run.efficiency for run in progress.runs(LEVEL)] == [0.2]
    assert len(progress.take_notices()) == 1
    assert not (tmp_path / f"{FILE}-journal").exists()
    progress.close()
    again = Progress(tmp_path)
    assert [run.efficiency for run in again.runs(LEVEL)] == [0.2]
    assert again.take_notices() == []


def test_migrations_go_step_by_step(tmp_path: Path) -> None:
    first = Database(tmp_path, "x.sqlite", [["CREATE TABLE a (n INTEGER)"]])
    first.write(("INSERT INTO a VALUES (?)", (5,)))
    first.close()
    steps = [["CREATE TABLE a (n INTEGER)"], ["ALTER TABLE a ADD m INTEGER", "UPDATE a SET m = n + 1"]]
    second = Database(tmp_path, "x.sqlite", steps)
    assert [tuple(row) for row in second.rows("SELECT n, m FROM a")] == [(5, 6)]
    assert second.notices == []
    second.close()
    assert Database(tmp_path, "x.sqlite", steps).rows("PRAGMA user_version")[0][0] == 2


def test_a_failing_transaction_changes_nothing(tmp_path: Path) -> None:
    progress = Progress(tmp_path)
    progress.unlock("match")
    with pytest.raises(OSError, match="no such table"):
        progress._database.write(("DELETE FROM tools", ()), ("DELETE FROM nowhere", ()))
    assert progress.tools() == ["match"]


def test_a_disk_that_refuses_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    progress = Progress(tmp_path)
    progress.unlock("match")
    # A limit on the pages is SQLite's own way to a full disk.
    progress._database.rows("PRAGMA max_page_count = 1")
    with pytest.raises(OSError, match="full"):
        for n in range(50):
            progress.record(design(n, cores=60), report(n))
    assert progress.tools() == ["match"]
    progress.close()

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    # No room for the backup: the write itself is tried all the same.
    again = Progress(tmp_path)
    monkeypatch.setattr(Path, "replace", full)
    assert again.unlock("brush")
    assert again.tools() == ["match", "brush"]


def test_threads_share_one_progress(tmp_path: Path) -> None:
    progress, others, failures = Progress(tmp_path), Progress(tmp_path), []

    def work(mine: Progress, start: int) -> None:
        try:
            for n in range(start, start + 10):
                mine.record(design(n), report(n + 1))
                mine.runs(LEVEL)
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(p, 10 * n)) for n, p in enumerate((progress, progress, others))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert sorted(run.efficiency or 0 for run in progress.runs(LEVEL)) == list(range(1, 31))
    assert progress.take_notices() == others.take_notices() == []
