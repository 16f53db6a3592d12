"""What the level checker finds: its codes, its rows, and how it reads a report."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine.errors import Problem

if TYPE_CHECKING:
    from engine.model import Report

CODES: dict[str, str] = {
    "no-field-note": "a level without a field note",
    "no-reference": "a level without reference designs: nobody knows whether it can be solved",
    "no-note": "a reference design that does not say why it is as it is",
    "reference-fails": "a reference design that does not pass",
    "short-window": "a reference design whose window is better than its machine can be in the long run",
    "timing-hazard": "a reference design that fails when delays vary",
    "best-below-naive": "a best reference that is not better than the naive one",
    "small-ratio": "a best reference that is too little better than the naive one",
    "small-share": "a level in which little of the energy can be avoided",
    "no-medals": "a level whose medals have not been written",
    "medals-stale": "medals that do not follow from the references",
    "no-wrong": "a level without a known-wrong design",
    "wrong-passes": "a known-wrong design that passes",
    "wrong-verdict": "a known-wrong design that fails otherwise than it should",
    "wrong-where": "a known-wrong design that fails elsewhere than it should",
    "wrong-code": "a known-wrong design that fails with another code than it should",
    "wrong-far": "a known-wrong design that is more than three edits away from every one that passes",
    "bad-start": "a start design that the board cannot show",
    "lever-fails": "a lever's design that does not pass",
    "lever-weak": "fewer than two levers that are worth 8 % each",
    "match-reaches-silver": "a naive reference that reaches silver when all its wires are matched",
    "same-id": "two levels of one id",
    "orphan-design": "a design file that no level refers to",
}
"""What each code of the checker means; those of files and boards stand in levels.codes and engine.problems."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference design's run. ``efficiency`` is in launches/nJ, None where it did not come to a figure."""

    role: str
    file: str
    verdict: str
    efficiency: float | None
    medal: str | None


@dataclass(frozen=True, slots=True)
class Wrong:
    """A known-wrong design's run."""

    name: str
    file: str
    verdict: str
    as_expected: bool


@dataclass(frozen=True, slots=True)
class Lever:
    """What an idea of the best reference is worth: 1 − efficiency without it / efficiency of the best."""

    name: str
    file: str
    verdict: str
    worth: float | None


@dataclass(slots=True)
class LevelCheck:
    """All that was found about one level. ``file`` is relative to the campaign, or as it was given."""

    id: str
    file: str
    found: list[Problem] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    wrong: list[Wrong] = field(default_factory=list)
    levers: list[Lever] = field(default_factory=list)
    ratio: float | None = None
    """Best over naive."""
    matched: float | None = None
    """Launches/nJ of the naive reference with all wires matched."""
    blessed: bool = False
    """Whether new medals have been written into its file."""

    @property
    def problems(self) -> list[Problem]:
        return [p for p in self.found if p.severity == "error"]

    @property
    def warnings(self) -> list[Problem]:
        return [p for p in self.found if p.severity != "error"]

    @property
    def ok(self) -> bool:
        return not self.problems

    @property
    def avoidable_share(self) -> float | None:
        """1 − energy per launch of the best / of the naive reference."""
        return None if self.ratio is None else 1 - 1 / self.ratio


# --- Reading a report ------------------------------------------------------------------------------------


def efficiency(report: Report) -> float | None:
    """Launches/nJ, None where the run did not come to a figure."""
    return report.metrics.efficiency_launches_per_nj if report.metrics else None


def outcome(report: Report) -> str:
    """How a run ended, in a few words."""
    if report.fault:
        return f"fault at {report.fault.core}: {report.fault.message}"
    if report.deadlock:
        return f"deadlock: {report.deadlock.message}"
    if report.verdict == "limit":
        missed = [f"{x.limit} {x.found:.6g}, allowed {x.allowed:g}" for x in report.limits if not x.ok]
        return f"limit: {'; '.join(missed)}"
    if report.verdict == "invalid":
        first: dict[str, Any] = report.problems[0] if report.problems else {}
        return f"invalid: {first.get('message', '')}"
    return report.verdict


def named_places(report: Report) -> list[str]:
    """The cores, pads, wires or limits that a failed run names."""
    if report.fault:
        return list(dict.fromkeys([report.fault.core, *report.fault.others]))
    if report.deadlock:
        return list(dict.fromkeys([report.deadlock.root, *(step.element for step in report.deadlock.chain)]))
    if report.verdict == "limit":
        return [limit.limit for limit in report.limits if not limit.ok]
    return [str(p["path"]) for p in report.problems]


def named_codes(report: Report) -> list[str]:
    """The codes with which a run failed."""
    if report.fault:
        return [report.fault.code]
    return list(dict.fromkeys(str(p["code"]) for p in report.problems))
