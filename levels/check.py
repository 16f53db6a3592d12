"""The level checker: whatever a level claims is run and compared.

:class:`Checker` looks at one level, part by part (the pytest plugin asks for the parts one at a time);
:func:`check_level` takes all of them together. Some rules are for the campaign only; other levels get them as
warnings.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from pathlib import Path as FilePath
from string import ascii_lowercase
from typing import TYPE_CHECKING, Literal

from engine.errors import InvalidError, Path, Problem
from levels.files import LoadedDesign, LoadedLevel, load_design_file, load_level_file
from levels.findings import CODES, LevelCheck, Lever, Reference, Wrong, efficiency, named_codes, named_places, outcome
from levels.lookup import campaign_root, kind_of, sibling

if TYPE_CHECKING:
    from engine.model import Design, Report, WrongSpec
    from engine.truth import Workload

JITTER_RUNS = 3
MIN_SHARE = 0.25
MIN_LEVER = 0.08
MAX_EDITS = 3
MOST_AHEAD = 1.01
"""So much better than the limits of the long run a reference's window may be by the launches under way before it."""

UNFINISHED = {"missing-input", "output-unwired", "unused-core", "only-immediates", "unused-choice"}
"""Problems that a start design may have: the player is there to mend them."""


def check_level(path: FilePath, *, campaign: bool = False, bless: bool = False) -> LevelCheck:
    """Check the level in the file ``path`` and all its designs.

    ``campaign`` holds it to the campaign's rules, as every packaged level is. ``bless`` writes its medals if
    nothing else is wrong with the references.
    """
    return Checker(path, campaign=campaign, bless=bless).result()


def in_campaign(path: FilePath) -> bool:
    """Whether a file belongs to the packaged campaign."""
    return path.resolve().is_relative_to(campaign_root().resolve())


def display_name(path: FilePath) -> str:
    """The file relative to the campaign's root, with ``/``; as it was given if it lies elsewhere."""
    return path.resolve().relative_to(campaign_root().resolve()).as_posix() if in_campaign(path) else path.as_posix()


def least_ratio(chapter: str, number: str) -> float:
    """What best over naive must be at least, by the campaign's rule; 1 where it has none."""
    match chapter:
        case "first-light":
            return 1.3
        case "gpu-puzzles":
            return 1.3 if int(number.rstrip(ascii_lowercase) or 0) <= 8 else 1.5
        case _:
            return 1.0


class Checker:
    """One level's check, part by part. Every part returns its problems; results are kept."""

    def __init__(self, path: FilePath, *, campaign: bool = False, bless: bool = False) -> None:
        self.path = path
        self.campaign = campaign or in_campaign(path)
        self.bless = bless
        self.blessed = False

    def result(self) -> LevelCheck:
        """All parts together."""
        check = LevelCheck("", display_name(self.path))
        check.found += self.schema()
        if self.loaded is None:
            return check
        level = self.loaded.level
        check.id = level.id
        if not self.sound:
            return check
        for role in self.roles():
            check.found += self.reference(role)
            check.references.append(self._reference_row(role))
        check.found += self.medals()
        for name in level.wrong:
            row, found = self.wrong(name)
            check.wrong.append(row)
            check.found += found
        rows, found = self.levers()
        check.levers = rows
        check.found += found
        check.ratio, check.matched = self.ratio(), self.matched()
        check.blessed = self.blessed
        return check

    # --- the level itself --------------------------------------------------------------------------------

    @cached_property
    def _load(self) -> tuple[LoadedLevel | None, list[Problem]]:
        try:
            loaded = load_level_file(self.path)
        except InvalidError as error:
            return None, error.problems
        return loaded, [self._rule(p) for p in loaded.warnings]

    @property
    def loaded(self) -> LoadedLevel | None:
        return self._load[0]

    @property
    def level(self) -> LoadedLevel:
        assert self.loaded is not None, "schema() has found the level unreadable"
        return self.loaded

    def _rule(self, found: Problem) -> Problem:
        """A problem that is an error in the campaign and a warning elsewhere."""
        return replace(found, severity="error" if self.campaign else "warning")

    def _say(self, code: str, message: str, path: Path, severity: Literal["error", "warning"] = "error") -> Problem:
        assert code in CODES, code
        return self.level.source.locate(Problem(code, message, path, severity=severity))

    @cached_property
    def _ground(self) -> list[Problem]:
        """What is wrong with the board and the kernel, on which every run stands."""
        from engine.board import check_board
        from engine.truth import check_kernel

        level, source = self.level.level, self.level.source
        return [source.locate(p) for p in [*check_board(level), *check_kernel(level)]]

    @property
    def sound(self) -> bool:
        """Whether designs can run on the level at all."""
        return self.loaded is not None and not any(p.severity == "error" for p in self._ground)

    def schema(self) -> list[Problem]:
        """The file, its texts, board and kernel, the start design, and designs that nobody refers to."""
        loaded, found = self._load
        if loaded is None:
            return found
        level = loaded.level
        problems = [*found, *self._ground]
        if not level.field_note.strip():
            problems.append(
                self._rule(self._say("no-field-note", "say what this is in real machines", ("field_note",)))
            )
        if level.reference is None:
            message = "name two designs that pass: reference: {naive: …, best: …}"
            problems.append(self._rule(self._say("no-reference", message, ("reference",))))
        if not level.wrong:
            message = "name a design that must fail: wrong: {name: {design: …, verdict: fault}}"
            problems.append(self._rule(self._say("no-wrong", message, ("wrong",))))
        return [*problems, *(self._start() if self.sound else ()), *self._orphans()]

    def _start(self) -> Iterator[Problem]:
        from engine.elaborate import check_design

        name = self.level.level.start
        if name is None:
            return
        loaded, found = self._design(name, ("start",))
        yield from found
        if loaded is not None:
            for problem in check_design(self.level.level, loaded.design):
                if problem.severity == "error" and problem.code not in UNFINISHED:
                    message = f"{name} cannot be shown on the board: {problem}"
                    yield self._say("bad-start", message, ("start",))

    def _orphans(self) -> Iterator[Problem]:
        level = self.level.level
        named = {level.start, *level.levers.values(), *(w.design for w in level.wrong.values())}
        if level.reference:
            named |= {level.reference.naive, level.reference.best, level.reference.wide}
        for path in sorted(self.path.parent.glob(f"{self.path.stem}.*.yaml")):
            if path.name not in named and kind_of(path) == "design":
                message = f"the level does not refer to {path.name}: name it, or delete the file"
                yield self._say("orphan-design", message, ())

    # --- designs -----------------------------------------------------------------------------------------

    def _design(self, name: str, path: Path) -> tuple[LoadedDesign | None, list[Problem]]:
        """The design file ``name`` that the level names at ``path``, and what is wrong with it."""
        try:
            loaded = load_design_file(sibling(self.path, name))
        except InvalidError as error:
            # A file that cannot be had is the level's problem; what stands in it, the file's.
            return None, [self.level.source.locate(p if p.line else replace(p, path=path)) for p in error.problems]
        return loaded, []

    @cached_property
    def _workload(self) -> Workload:
        from engine.truth import Workload

        return Workload(self.level.level)

    def _run(self, design: Design, jitter: int = 0, bound: bool = False) -> Report:
        from engine.simulation import simulate

        return simulate(self.level.level, design, jitter=jitter, workload=self._workload, bound=bound)

    def _board_problems(self, loaded: LoadedDesign) -> list[Problem]:
        from engine.elaborate import check_design

        return [loaded.source.locate(p) for p in check_design(self.level.level, loaded.design)]

    # --- references and medals ---------------------------------------------------------------------------

    def roles(self) -> dict[str, str]:
        """The reference designs' file names by role."""
        reference = self.level.level.reference
        if reference is None:
            return {}
        wide = {"wide": reference.wide} if reference.wide else {}
        return {"naive": reference.naive, "best": reference.best, **wide}

    @cached_property
    def _references(self) -> dict[str, tuple[LoadedDesign | None, Report | None, list[Problem]]]:
        found = {}
        for role, name in self.roles().items():
            loaded, problems = self._design(name, ("reference", role))
            report = self._run(loaded.design, JITTER_RUNS, bound=True) if loaded else None
            found[role] = (loaded, report, problems)
        return found

    def reference(self, role: str) -> list[Problem]:
        """A reference passes, also when delays vary, and says why it is as it is."""
        loaded, report, found = self._references[role]
        if loaded is None or report is None:
            return found
        path, name = ("reference", role), self.roles()[role]
        problems = list(found)
        if report.verdict == "invalid":
            problems += self._board_problems(loaded)
        if report.verdict != "pass":
            problems.append(self._say("reference-fails", f"{name} does not pass: {outcome(report)}", path))
        elif report.hazard:
            problems.append(self._say("timing-hazard", f"{name}: {report.hazard.message}", path, "warning"))
        elif (ahead := _ahead(report)) > MOST_AHEAD:
            message = (
                f"{name} is scored {ahead:.2f} × as good as its machine can be in the long run: "
                "its window lies in a burst, or had launches under way when it began; measure more launches, or give a "
                "stream shorter bursts"
            )
            problems.append(self._say("short-window", message, path, "warning"))
        if not loaded.design.note.strip():
            message = f"{name} has no note: say in a sentence why it is built so"
            problems.append(self._rule(self._say("no-note", message, path)))
        return problems

    def _reference_row(self, role: str) -> Reference:
        _, report, _ = self._references[role]
        name = self.roles()[role]
        if report is None:
            return Reference(role, name, "invalid", None, None)
        return Reference(role, name, report.verdict, efficiency(report), report.medal)

    def _scores(self) -> dict[str, float]:
        """Launches/nJ of the references that pass, by role."""
        reports = {role: report for role, (_, report, _) in self._references.items()}
        return {
            r: e for r, report in reports.items() if report and (e := efficiency(report)) and report.verdict == "pass"
        }

    def ratio(self) -> float | None:
        """Best over naive, None unless both pass."""
        scores = self._scores()
        return scores["best"] / scores["naive"] if {"naive", "best"} <= scores.keys() else None

    def medals(self) -> list[Problem]:
        """The medals follow from the references, and the best one is enough better than the naive one."""
        ratio, level = self.ratio(), self.level.level
        if ratio is None:
            return []
        scores = self._scores()
        if ratio <= 1:
            message = f"best scores {scores['best']:.4g} and naive {scores['naive']:.4g} launches/nJ: make best better"
            return [self._say("best-below-naive", message, ("reference", "best"))]
        problems = [*self._medals_by_rule(scores)]
        least = least_ratio(level.chapter, level.number)
        if ratio < least and level.goal != "limit":
            message = f"best / naive is {ratio:.2f}; wanted is {least:g} or more, unless the goal is a limit"
            problems.append(self._rule(self._say("small-ratio", message, ("reference",))))
        share = 1 - 1 / ratio
        if share < MIN_SHARE and level.goal == "efficiency":
            message = (
                f"only {share:.0%} of the naive reference's energy can be avoided; {MIN_SHARE:.0%} or more is wanted"
            )
            problems.append(self._say("small-share", message, ("reference",), "warning"))
        return problems

    def _medals_by_rule(self, scores: dict[str, float]) -> Iterator[Problem]:
        from levels.medals import medals_by_rule

        level = self.level.level
        wanted = medals_by_rule(scores["naive"], scores["best"])
        if level.medals == wanted:
            return
        if self.bless:
            from levels.save import save_level

            level.medals = wanted
            save_level(level, self.path)
            self.blessed = True
            for role, (loaded, _, problems) in self._references.items():
                if loaded is not None:
                    self._references[role] = (loaded, self._run(loaded.design, JITTER_RUNS), problems)
            return
        text = f"{{bronze: {wanted.bronze:g}, silver: {wanted.silver:g}, gold: {wanted.gold:g}}}"
        if level.medals is None:
            message = f"the medals are missing: perwatt check --bless writes {text}"
            yield self._rule(self._say("no-medals", message, ("medals",)))
        else:
            message = f"the references now give {text}: perwatt check --bless writes them"
            yield self._say("medals-stale", message, ("medals",))

    # --- designs that must fail --------------------------------------------------------------------------

    def wrong(self, name: str) -> tuple[Wrong, list[Problem]]:
        """The known-wrong design ``name`` fails as the level says."""
        spec, path = self.level.level.wrong[name], ("wrong", name)
        try:
            loaded = load_design_file(sibling(self.path, spec.design))
        except InvalidError as error:
            codes = {p.code for p in error.problems}
            if spec.verdict == "invalid" and spec.code in codes:
                return Wrong(name, spec.design, "invalid", True), []
            _, found = self._design(spec.design, (*path, "design"))
            return Wrong(name, spec.design, "invalid", False), found
        report = self._run(loaded.design)
        problems = [*self._misses(spec, report, path), *self._far(loaded.design, path)]
        as_expected = not any(p.severity == "error" for p in problems)
        return Wrong(name, spec.design, report.verdict, as_expected), problems

    def wrong_problems(self, name: str) -> list[Problem]:
        """What is wrong with the known-wrong design ``name``."""
        return self.wrong(name)[1]

    def _misses(self, spec: WrongSpec, report: Report, path: Path) -> Iterator[Problem]:
        how = outcome(report)
        if report.verdict == "pass":
            yield self._say("wrong-passes", f"{spec.design} passes; it should end in {spec.verdict}", path)
        elif report.verdict != spec.verdict:
            message = f"{spec.design} should end in {spec.verdict}; found: {how}"
            yield self._say("wrong-verdict", message, (*path, "verdict"))
        elif spec.where is not None and spec.where not in (places := named_places(report)):
            named = ", ".join(places) or "no element"
            message = f"{spec.design} should fail at {spec.where}; named are {named}: {how}"
            yield self._say("wrong-where", message, (*path, "where"))
        elif spec.code is not None and spec.code not in (codes := named_codes(report)):
            message = f"{spec.design} should fail with {spec.code}; found {', '.join(codes) or 'no code'}: {how}"
            yield self._say("wrong-code", message, (*path, "code"))

    def _far(self, design: Design, path: Path) -> Iterator[Problem]:
        from levels.compare import differences

        passing = [loaded.design for loaded, _, _ in self._references.values() if loaded]
        passing += [loaded.design for loaded, _ in self._lever_designs.values() if loaded]
        edits = [len(differences(other, design)) for other in passing]
        if edits and min(edits) > MAX_EDITS:
            message = f"{min(edits)} edits away from the nearest design that passes; {MAX_EDITS} or fewer are wanted"
            yield self._say("wrong-far", message, path, "warning")

    # --- levers and Match --------------------------------------------------------------------------------

    @cached_property
    def _lever_designs(self) -> dict[str, tuple[LoadedDesign | None, list[Problem]]]:
        return {name: self._design(file, ("levers", name)) for name, file in self.level.level.levers.items()}

    def levers(self) -> tuple[list[Lever], list[Problem]]:
        """What each idea is worth; the level needs an idea, and not only the right speeds."""
        rows, problems = [], []
        best = self._scores().get("best")
        for name, file in self.level.level.levers.items():
            loaded, found = self._lever_designs[name]
            problems += found
            if loaded is None:
                rows.append(Lever(name, file, "invalid", None))
                continue
            report = self._run(loaded.design)
            if report.verdict != "pass":
                problems.append(self._say("lever-fails", f"{file} does not pass: {outcome(report)}", ("levers", name)))
            without = efficiency(report)
            worth = 1 - without / best if best and without and report.verdict == "pass" else None
            rows.append(Lever(name, file, report.verdict, worth))
        # Whoever names levers wants to know; a level elsewhere need not name any.
        if best and self._wants_ideas() and (rows or self.campaign):
            strong = [row.name for row in rows if row.worth is not None and row.worth >= MIN_LEVER]
            if len(strong) < 2:
                worths = ", ".join(f"{r.name} {r.worth:.1%}" for r in rows if r.worth is not None) or "none is given"
                message = f"two levers of {MIN_LEVER:.0%} or more are wanted; found: {worths}"
                problems.append(self._rule(self._say("lever-weak", message, ("levers",))))
        problems += self._match()
        return rows, problems

    def lever_problems(self) -> list[Problem]:
        """What is wrong with the levers, and with the score of the naive reference when matched."""
        return self.levers()[1]

    def _wants_ideas(self) -> bool:
        """The campaign's first four levels teach wires and speeds; after them a level needs ideas."""
        level = self.level.level
        if level.chapter != "first-light":
            return True
        return not level.number.isdigit() or int(level.number) >= 5

    def matched(self) -> float | None:
        """Launches/nJ of the naive reference with every wire matched; None where that does not pass."""
        return self._matched

    @cached_property
    def _matched(self) -> float | None:
        from engine.match import match

        if "naive" not in self._scores():
            return None
        loaded, _, _ = self._references["naive"]
        assert loaded is not None
        design, _ = match(self.level.level, loaded.design)
        report = self._run(design)
        return efficiency(report) if report.verdict == "pass" else None

    def _match(self) -> Iterator[Problem]:
        level, score = self.level.level, self.matched()
        if score is None or level.goal == "speed" or not self._wants_ideas() or self.ratio() is None:
            return
        from levels.medals import medals_by_rule

        scores = self._scores()
        silver = medals_by_rule(scores["naive"], scores["best"]).silver
        if score >= silver:
            message = (
                f"with all wires matched the naive reference scores {score:.4g} launches/nJ and has silver "
                f"({silver:g}): the level needs an idea, or goal: speed"
            )
            yield self._rule(self._say("match-reaches-silver", message, ("reference", "naive")))


def _ahead(report: Report) -> float:
    """How much better the window is than the long run's limits allow; 1 or less where it keeps within them."""
    faster = report.metrics.throughput_launches_per_us if report.metrics else 0.0
    ahead = [faster / report.bound.launches_per_us] if report.bound and report.bound.launches_per_us else []
    if report.energy_limit and report.energy_limit.within:
        ahead.append(1 / report.energy_limit.within)
    return max(ahead, default=0.0)
