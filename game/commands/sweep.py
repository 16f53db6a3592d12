"""``perwatt sweep``: the scores of a design over many settings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import UsageError
from game.commands.compiling import announce
from game.commands.load import level_and_design, writable
from game.commands.output import command, figure, progress, say, table
from levels.codes import clean

if TYPE_CHECKING:
    from levels.search.sweep import Row

SHOWN = 20
"""Rows of the Pareto front that are printed; the file marks all."""


@command
def sweep(
    level_ref: str,
    design_ref: str,
    settings: Sequence[str],
    *,
    out: Path | None,
    packs: Sequence[Path] | None,
    random: int | None,
    seed: int,
    data_seed: int,
    jobs: int,
    scheduler: str | None,
    force: bool,
) -> int:
    """Score every point, write the table and print the Pareto front."""
    from levels.search.crew import Crew
    from levels.search.journal import Journal
    from levels.search.knobs import parse_setting
    from levels.search.study import Study, identity
    from levels.search.sweep import cells, headers, points_of, rows_of
    from levels.search.tables import FORMATS, need_parquet, table_bytes
    from levels.search.task import Job
    from levels.writing import write_file

    loaded, read = level_and_design(level_ref, design_ref, packs)
    level, design = loaded.level, read.design
    out = out or Path(f"{level.id}.sweep.csv")
    kind = next((name for name, suffix in FORMATS.items() if out.suffix.lower() == suffix), None)
    if kind is None:
        raise UsageError(f"{out.name}: the name tells what is written: end it in {', '.join(FORMATS.values())}")
    if kind == "parquet":
        need_parquet()
    if not settings:
        raise UsageError(
            "there is nothing to sweep: give --set NAME=VALUES, as in --set 'a.value->sum.a.every_ns=1,2,4'"
        )
    parsed = [parse_setting(text, level, design) for text in settings]
    knobs, values = [knob for knob, _ in parsed], [found for _, found in parsed]
    names = [knob.name for knob in knobs]
    if twice := [name for name in names if names.count(name) > 1]:
        raise UsageError(f"{clean(twice[0], 80)} is set twice: give all its values at once")
    points = points_of(values, random, seed)
    job = Job.of(level, design, knobs, data_seed)
    writable(out, force)
    announce()
    same = identity("sweep", job, values=values, random=random, draw=seed)
    with (
        Crew(jobs, scheduler) as crew,
        Journal(out.with_name(f"{out.name}.journal"), same, anew=force) as journal,
        progress("sweep", len(points)) as advance,
    ):
        writable(out, force)  # somebody may have finished it meanwhile
        study = Study(job, crew, journal)
        scores = study.scores(points, lambda pieces: advance("", pieces))
        rows = rows_of(points, scores)
        about = {"level": level.id, "design": design.name, "seed": data_seed, "points": len(points)}
        modules = level.physics.modules
        table = headers(knobs, modules), [cells(row, modules) for row in rows]
        write_file(out, table_bytes(kind, *table, about))
        journal.remove()
    if study.scored < len(points):
        say(f"{len(points) - study.scored} of {len(points)} points were in the journal")
    verdicts = Counter(score.verdict for score in scores)
    say(f"{len(points)} points: {', '.join(f'{n} {verdict}' for verdict, n in verdicts.most_common())}")
    _show_front(names, rows)
    say(f"wrote {out}")
    return 0


def _show_front(names: Sequence[str], rows: Sequence[Row]) -> None:
    """The Pareto front, from the most efficient point on."""
    front = [row for row in rows if row.front]
    if not front:
        say("no point passes")
        return
    front.sort(key=lambda row: -(row.score.efficiency or 0))
    say()
    say(f"Pareto front of throughput against power, {len(front)} points, most efficient first:")
    columns = [*names, "launches/nJ", "launches/µs", "mW"]
    table(
        columns,
        [
            [
                *(str(list(v) if isinstance(v, tuple) else v) for v in row.point),
                *(figure(x or 0, 4) for x in (row.score.efficiency, row.score.throughput, row.score.power)),
            ]
            for row in front[:SHOWN]
        ],
        numbers=range(len(columns)),
    )
    if len(front) > SHOWN:
        say(f"and {len(front) - SHOWN} more, marked in the file")
