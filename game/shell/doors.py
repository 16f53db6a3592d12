"""Which levels are open, and where to go on: a pure function of what was solved.

The first chapter is one road: the two next levels after the solved ones are open, so nobody is stuck. In the second,
any two of 1 to 3 open 4 to 7, any three of these open the eighth, and from there two more are open than are solved. The
chapters on wide roads and on physics are roads that open with the second one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby

from levels.lookup import Entry

BEHIND_THE_FIRST = ("gpu-puzzles", "wide-roads", "physics")
"""Chapters that are shut until some of the first chapter is solved."""

AHEAD = 2
"""Unsolved levels that are open on a road."""


def chapters(entries: Sequence[Entry]) -> list[tuple[str, list[Entry]]]:
    """Levels by chapter, in order. A pack's chapter of the same number and name joins the campaign's."""
    ordered = sorted(entries, key=lambda entry: (entry.chapter, entry.chapter_slug))
    return [(slug, list(group)) for (_, slug), group in groupby(ordered, key=lambda e: (e.chapter, e.chapter_slug))]


def open_levels(entries: Sequence[Entry], solved: Collection[str], all_open: bool = False) -> set[str]:
    """Ids of the levels that can be played. What was solved stays open."""
    if all_open:
        return {entry.id for entry in entries}
    found = {entry.id for entry in entries if entry.id in solved}
    roads = chapters(entries)
    for number, (slug, road) in enumerate(roads):
        first = roads[0][1]
        ready = number == 0 or sum(e.id in solved for e in first) >= min(AHEAD, len(first))
        if slug not in BEHIND_THE_FIRST:
            found |= set(_road(road, solved))
        elif ready:
            found |= set((_puzzles if slug == "gpu-puzzles" else _road)(road, solved))
    return found


def what_opens(entries: Sequence[Entry], level: str, solved: Collection[str]) -> str:
    """What has to be solved before a closed level opens, in a sentence; empty where it is open or is none."""
    own = next((entry.chapter_slug for entry in entries if entry.id == level), None)
    done, steps = set(solved), 0
    ahead = [entry for entry in entries if entry.id in open_levels(entries, done) and entry.id not in done]
    here = [entry for entry in ahead if entry.chapter_slug == own] or ahead
    while own is not None and level not in open_levels(entries, done):
        doors = [entry for entry in entries if entry.id in open_levels(entries, done) and entry.id not in done]
        useful = [entry for entry in doors if entry.chapter_slug == own] or doors
        if not useful:
            return ""
        done.add(useful[-1].id)  # the last one: of three alike it needs two, whichever
        steps += 1
    names = [f"{entry.number.lstrip('0')} {entry.title}" for entry in here[:3]]
    if not steps or not names:
        return ""
    if steps == 1:
        return f"It opens when you have solved {' or '.join(names)}."
    following = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
    return f"It opens when you have solved {steps} more levels: {following} can be played now."


def _road(road: Sequence[Entry], solved: Collection[str]) -> Iterator[str]:
    ahead = [entry.id for entry in road if entry.id not in solved]
    yield from ahead[:AHEAD]


def _puzzles(road: Sequence[Entry], solved: Collection[str]) -> Iterator[str]:
    first = [e for e in road if _number(e) <= 3]
    second = [e for e in road if 4 <= _number(e) <= 7]
    rest = [e for e in road if _number(e) >= 8]
    yield from (e.id for e in first)
    if sum(e.id in solved for e in first) >= min(2, len(first)):
        yield from (e.id for e in second)
        if sum(e.id in solved for e in second) >= min(3, len(second)):
            yield from _road(rest, solved)


def _number(entry: Entry) -> int:
    return int(entry.number.rstrip("abcdefghijklmnopqrstuvwxyz") or 0)


def to_continue(entries: Sequence[Entry], solved: Collection[str], last: str | None = None) -> Entry | None:
    """Where "continue" leads: the level worked on last, solved or not; before any, the first open unsolved one."""
    found = next((entry for entry in entries if entry.id == last), None)
    if found is not None:
        return found
    doors = open_levels(entries, solved)
    return next((e for e in entries if e.id in doors and e.id not in solved), entries[0] if entries else None)


def after(entries: Sequence[Entry], level: str, solved: Collection[str]) -> Entry | None:
    """The next open level that is not solved: first behind ``level``, then from the start; None when all are."""
    doors = open_levels(entries, solved)
    at = next((n for n, entry in enumerate(entries) if entry.id == level), -1)
    for entry in (*entries[at + 1 :], *entries[: at + 1]):
        if entry.id in doors and entry.id not in solved and entry.id != level:
            return entry
    return None
