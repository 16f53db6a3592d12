"""Progress: every scored run, and through it what is solved, the best scores, the medals and the Pareto points.

A run belongs to a level as it was: its hash and the score's version are kept with it, so that scores are only compared
where they mean the same. Nothing is stored that follows from the runs.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from levels.database import Database, connect
from levels.datafolder import Notice, data_folder

if TYPE_CHECKING:
    from engine.model import Design, Report

FILE = "progress.sqlite"
MEDALS = ("bronze", "silver", "gold")

MIGRATIONS = (
    (
        "CREATE TABLE texts (hash TEXT PRIMARY KEY, text TEXT NOT NULL)",
        "CREATE TABLE runs (id INTEGER PRIMARY KEY, time TEXT NOT NULL, level TEXT NOT NULL, level_hash TEXT NOT NULL,"
        " score_version INTEGER NOT NULL, design_hash TEXT NOT NULL, name TEXT NOT NULL,"
        " text_hash TEXT NOT NULL REFERENCES texts, verdict TEXT NOT NULL, medal TEXT, efficiency REAL,"
        " throughput REAL, power REAL, latency REAL, footprint INTEGER, engine_version TEXT NOT NULL,"
        " seed INTEGER NOT NULL)",
        "CREATE INDEX runs_by_level ON runs (level, level_hash, score_version)",
        "CREATE TABLE discoveries (card TEXT NOT NULL, level TEXT NOT NULL, time TEXT NOT NULL,"
        " PRIMARY KEY (card, level))",
        "CREATE TABLE tools (tool TEXT PRIMARY KEY, time TEXT NOT NULL)",
        "CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    ),
)
"""By version, from 0: what leads to the next. Never changed once it was released; only added to."""


@dataclass(frozen=True, slots=True)
class Run:
    """A scored run: launches/nJ, launches/µs, mW, ns (median), tiles; None where the machine did not finish."""

    id: int
    time: datetime
    level: str
    level_hash: str
    score_version: int
    design_hash: str
    name: str
    verdict: str
    medal: str | None
    efficiency: float | None
    throughput: float | None
    power: float | None
    latency: float | None
    footprint: int | None
    engine_version: str
    seed: int


@dataclass(frozen=True, slots=True)
class Best:
    """What was reached on one version of a level: launches/nJ, and bronze, silver, gold or None."""

    efficiency: float
    medal: str | None


@dataclass(frozen=True, slots=True)
class Discovery:
    """A discovery card that was found on a level."""

    card: str
    level: str
    time: datetime


class Progress:
    """The progress kept in a data folder, made on the first write. Threads and processes may share it.

    A database that is broken, or of a newer Perwatt, is set aside with a notice. Methods raise OSError where the disk
    refuses; with ``spare`` they go on in memory, :attr:`refused` says so, and :meth:`retry` asks the disk again.
    """

    def __init__(self, data: str | FilePath | None = None, *, spare: bool = False) -> None:
        self._database = Database(data_folder(data), FILE, MIGRATIONS, spare=spare)

    @property
    def refused(self) -> OSError | None:
        """Why nothing can be recorded now; None while the disk takes everything."""
        return self._database.refused

    def probe(self) -> None:
        """Find out whether anything can be recorded, without writing anything."""
        self._database.probe()

    def retry(self) -> bool:
        """Record what waits, if the disk takes it again; whether nothing waits."""
        return self._database.retry()

    def close(self) -> None:
        """Close the file; the next call opens it again."""
        self._database.close()

    def take_notices(self) -> list[Notice]:
        """What happened since the last call that the player should hear of."""
        taken, self._database.notices = self._database.notices, []
        return taken

    # --- runs --------------------------------------------------------------------------------------------

    def record(self, design: Design, report: Report, time: datetime | None = None) -> None:
        """Keep a scored run: the report of ``design``, launched at ``time`` (default: now)."""
        from levels.save import design_text

        text = design_text(design)
        text_hash = hashlib.sha256(text.encode()).hexdigest()
        figures = report.metrics
        values = {
            "time": _written(time or datetime.now(UTC)),
            "level": report.level,
            "level_hash": report.level_hash,
            "score_version": report.score_version,
            "design_hash": report.design_hash,
            "name": design.name,
            "text_hash": text_hash,
            "verdict": report.verdict,
            "medal": report.medal,
            "efficiency": figures and figures.efficiency_launches_per_nj,
            "throughput": figures and figures.throughput_launches_per_us,
            "power": figures and figures.power_mw,
            "latency": figures and figures.latency_ns.median,
            "footprint": figures and figures.footprint_tiles,
            "engine_version": report.engine_version,
            "seed": report.seed,
        }
        columns, marks = ", ".join(values), ", ".join("?" * len(values))
        self._database.write(
            ("INSERT OR IGNORE INTO texts VALUES (?, ?)", (text_hash, text)),
            (f"INSERT INTO runs ({columns}) VALUES ({marks})", list(values.values())),
        )

    def runs(self, level: str, level_hash: str | None = None) -> list[Run]:
        """The level's runs, oldest first: all of them, or those whose scores compare on this version of the level."""
        if level_hash is None:
            rows = self._database.rows("SELECT * FROM runs WHERE level = ? ORDER BY id", (level,))
        else:
            rows = self._database.rows(
                "SELECT * FROM runs WHERE level = ? AND level_hash = ? AND score_version = ? ORDER BY id",
                (level, level_hash, _score_version()),
            )
        return [_run(row) for row in rows]

    def design(self, run: Run) -> Design:
        """The design of a run, as it was then. Raises :class:`engine.errors.InvalidError` if it cannot be read."""
        from engine.errors import InvalidError
        from levels.codes import problem
        from levels.files import build
        from levels.reader import read_yaml

        rows = self._database.rows(
            "SELECT text FROM texts JOIN runs ON texts.hash = runs.text_hash WHERE runs.id = ?", (run.id,)
        )
        if not rows:
            raise InvalidError([problem("no-such-file", "the design of this run is not kept")])
        design, problems = build(read_yaml(rows[0]["text"].encode()), "design")
        if design is None:
            raise InvalidError(problems)
        result: Design = design
        return result

    def bests(self, hashes: Mapping[str, str] | None = None) -> dict[str, Best]:
        """The best of the passing runs, per solved level: on the versions that ``hashes`` gives by level id.

        Without ``hashes`` the version of a level that was solved last counts.
        """
        return _bests(self._database.rows(_BESTS, (_score_version(),)), hashes)

    def best(self, level: str, level_hash: str) -> Best | None:
        """The best of the passing runs on this version of the level; None while it is not solved."""
        return self.bests({level: level_hash}).get(level)

    def pareto(self, level: str, level_hash: str) -> list[Run]:
        """The passing runs that no other beats, in efficiency, throughput and footprint at once; best first.

        Of runs with equal figures the first counts. A point is shown under its
        :func:`levels.names.generated_name`, whatever the design was called then.
        """
        points: list[Run] = []
        passed = [run for run in self.runs(level, level_hash) if run.verdict == "pass" and run.efficiency is not None]
        # Whatever beats a run stands before it in this order.
        for run in sorted(passed, key=lambda run: (*(-x for x in _merits(run)), run.id)):
            if not any(all(a >= b for a, b in zip(_merits(p), _merits(run), strict=True)) for p in points):
                points.append(run)
        return points

    # --- cards, tools, settings --------------------------------------------------------------------------

    def discover(self, card: str, level: str) -> bool:
        """Keep that a card was found on a level; whether it is the first time that this card is found."""
        new = not self._database.rows("SELECT 1 FROM discoveries WHERE card = ?", (card,))
        statement = "INSERT OR IGNORE INTO discoveries VALUES (?, ?, ?)"
        added = self._database.write((statement, (card, level, _written(datetime.now(UTC)))))
        return new and added > 0

    def discoveries(self) -> list[Discovery]:
        """The cards that were found, each where it was found first, in that order."""
        rows = self._database.rows("SELECT * FROM discoveries ORDER BY time, rowid")
        first: dict[str, Discovery] = {}
        for row in rows:
            found = Discovery(row["card"], row["level"], datetime.fromisoformat(row["time"]))
            first.setdefault(found.card, found)
        return list(first.values())

    def unlock(self, tool: str) -> bool:
        """Keep that a tool was earned; whether it is new."""
        statement = "INSERT OR IGNORE INTO tools VALUES (?, ?)"
        return self._database.write((statement, (tool, _written(datetime.now(UTC))))) > 0

    def tools(self) -> list[str]:
        """The tools that were earned, in that order."""
        return [row["tool"] for row in self._database.rows("SELECT tool FROM tools ORDER BY time, rowid")]

    def setting(self, key: str, default: Any = None) -> Any:
        """A setting as it was put. What it may be is for the caller to check: players edit files."""
        for row in self._database.rows("SELECT value FROM settings WHERE key = ?", (key,)):
            with contextlib.suppress(ValueError):
                return json.loads(row["value"])
        return default

    def put_setting(self, key: str, value: Any) -> None:
        """Keep a setting: anything that JSON can say."""
        self.put_settings({key: value})

    def put_settings(self, values: Mapping[str, Any]) -> None:
        """Keep several settings in one write, which takes as long as one does; none where all are kept already."""
        new = {key: value for key, value in values.items() if self.setting(key) != value}
        if new:
            insert = "INSERT INTO settings VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
            self._database.write(*((insert, (key, json.dumps(new[key], allow_nan=False))) for key in new))


def read_bests(
    data: str | FilePath | None = None, hashes: Mapping[str, str] | None = None
) -> dict[str, tuple[float, str | None]]:
    """Per solved level the best efficiency (launches/nJ) and medal, without creating anything.

    ``hashes`` gives the present hash of each level; without it the version of a level that was solved last counts.
    Runs of another score version never do. An unreadable database gives an empty result: the game will mend it.
    """
    path = data_folder(data) / FILE
    if not path.is_file():
        return {}
    # A game that was killed while it wrote leaves a journal that only a writer may play back.
    for mode in ("ro", "rw"):
        with contextlib.suppress(sqlite3.Error), contextlib.closing(connect(path, mode)) as connection:
            rows = connection.execute(_BESTS, (_score_version(),)).fetchall()
            return {level: (best.efficiency, best.medal) for level, best in _bests(rows, hashes).items()}
    return {}


_BESTS = """
    SELECT level, level_hash, max(efficiency) AS efficiency,
        max(CASE medal WHEN 'gold' THEN 3 WHEN 'silver' THEN 2 WHEN 'bronze' THEN 1 ELSE 0 END) AS medal
    FROM runs WHERE score_version = ? AND verdict = 'pass' AND efficiency IS NOT NULL
    GROUP BY level, level_hash ORDER BY max(id)
"""


def _bests(rows: Iterable[sqlite3.Row], hashes: Mapping[str, str] | None) -> dict[str, Best]:
    """Per level the row of its present version, or the last one; ``rows`` come in the order of time."""
    bests = {}
    for row in rows:
        if hashes is None or hashes.get(row["level"]) == row["level_hash"]:
            bests[row["level"]] = Best(row["efficiency"], (None, *MEDALS)[row["medal"]])
    return bests


def _score_version() -> int:
    from engine.model import SCORE_VERSION

    return SCORE_VERSION


def _written(time: datetime) -> str:
    return time.astimezone(UTC).isoformat(timespec="milliseconds")


def _run(row: sqlite3.Row) -> Run:
    values = {key: row[key] for key in Run.__slots__}
    return Run(**{**values, "time": datetime.fromisoformat(values["time"])})


def _merits(run: Run) -> tuple[float, float, float]:
    """What is better when it is greater."""
    return run.efficiency or 0.0, run.throughput or 0.0, -(run.footprint or 0)
