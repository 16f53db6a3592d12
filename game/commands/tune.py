"""``perwatt tune``: better speeds, slots and roads for a design."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine.errors import UsageError
from engine.units import ns_from_ticks
from game.commands.compiling import announce
from game.commands.load import board_problems, level_and_design, writable
from game.commands.output import command, figure, print_problems, progress, say
from levels.codes import clean


@command
def tune(
    level_ref: str,
    design_ref: str,
    out: Path,
    *,
    packs: Sequence[Path] | None,
    only: Sequence[str],
    runs: int,
    seed: int,
    data_seed: int,
    jobs: int,
    scheduler: str | None,
    force: bool,
) -> int:
    """Write the tuned design to ``out`` and tell what changed and what that is worth."""
    from levels.save import save_design
    from levels.search.crew import Crew
    from levels.search.journal import Journal
    from levels.search.study import Study, identity
    from levels.search.task import Job
    from levels.search.tune import WHAT
    from levels.search.tune import tune as tuned

    for word in only:
        if word not in WHAT:
            raise UsageError(f"--only is '{clean(word, 40)}': give {', '.join(WHAT)}")
    level, design = level_and_design(level_ref, design_ref, packs)
    writable(out, force)
    problems = board_problems(level, design)
    if any(p.severity == "error" for p in problems):
        print_problems(problems)
        return 1
    what = [word for word in WHAT if not only or word in only]
    announce()
    journals: list[Journal] = []
    with Crew(jobs, scheduler) as crew, progress("tune", runs) as advance:

        def study(job: Job) -> Study:
            same = identity("tune", job, what=what, runs=runs, search_seed=seed)
            journals.append(Journal(out.with_name(f"{out.name}.journal"), same, anew=force))
            return Study(job, crew, journals[-1])

        try:
            found = tuned(
                level.level,
                design.design,
                study,
                what=what,
                runs=runs,
                seed=seed,
                data_seed=data_seed,
                done=lambda pieces: advance("", pieces),
            )
            save_design(found.design, out)
            for journal in journals:
                journal.remove()
        finally:
            for journal in journals:
                journal.close()
    before, after = found.before, found.score
    for name, old, new in found.changes:
        if name.endswith(".every_ticks"):
            name = f"{name.removesuffix('ticks')}ns"
            old, new = (f"{ns_from_ticks(int(ticks)):g}" for ticks in (old, new))  # type: ignore[arg-type]
        say(f"  {name}: shorter" if name.endswith(".road") else f"  {name}: {old} → {new}")
    if before.efficiency and after.efficiency:
        medal = f", {after.medal}" if after.medal else ""
        times = after.efficiency / before.efficiency
        say(
            f"{figure(before.efficiency, 4)} → {figure(after.efficiency, 4)} launches/nJ, "
            f"{figure(times)} times{medal}, in {found.runs} runs"
        )
    if after.verdict != before.verdict or after.verdict != "pass":
        say(f"verdict {before.verdict} → {after.verdict}{f': {after.note}' if after.note else ''}")
    say(f"wrote {out}")
    return 0 if after.verdict == "pass" else 1
