"""``perwatt tune``: better speeds, slots and roads for a design."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine.errors import Problem, UsageError
from engine.units import ns_from_ticks
from game.commands.compiling import announce
from game.commands.load import board_problems, level_and_design, writable_design
from game.commands.output import command, figure, print_problems, progress, say
from levels.codes import clean
from levels.writing import is_stream


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
    writable_design(out, force)
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
            if is_stream(out):
                return Study(job, crew)
            journals.append(Journal(out.with_name(f"{out.name}.journal"), same, anew=force))
            writable_design(out, force)  # somebody may have finished it meanwhile
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
            if found.score.verdict == "pass":
                save_design(found.design, out)
            for journal in journals:
                journal.remove()
        finally:
            for journal in journals:
                journal.close()
    before, after = found.before, found.score
    if after.verdict != "pass":
        why = f", {after.note}" if after.note else ""
        told = f"none of the {found.runs} designs that were tried passes; it ends with: {after.verdict}{why}"
        print_problems([Problem("usage", f"{out} is not written: {told}")])
        return 1
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
    if before.verdict != "pass":
        say(f"verdict {before.verdict} → pass")
    say(f"wrote {out}")
    return 0
