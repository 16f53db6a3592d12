"""``perwatt levels``: the campaign as a table, with one's best scores."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine.errors import Problem
from game.commands.load import all_packs
from game.commands.output import command, emit, figure, print_problems, say, table
from levels.lookup import campaign, campaign_root
from levels.store import read_bests

NOTHING_THERE = "there is no level here: a pack holds folders such as 1-my-chapter, and these 01-my-level.yaml"


@command
def levels(*, packs: Sequence[Path] | None, json: bool) -> int:
    """List the campaign's levels and those of packs, with what was reached on them."""
    entries = campaign(all_packs(packs))
    for folder in packs or ():
        if not any(entry.root == folder for entry in entries):
            print_problems([Problem("usage", NOTHING_THERE, file=str(folder), severity="warning")])
    bests = read_bests()
    if json:
        rows = []
        for e in entries:
            best, medal = bests.get(e.id, (None, None))
            rows.append(
                {
                    "id": e.id,
                    "chapter": e.chapter,
                    "number": e.number,
                    "title": e.title,
                    "file": e.file,
                    "medal": medal,
                    "best": best,
                }
            )
        emit({"format": 1, "levels": rows})
        return 0
    cells = []
    for e in entries:
        best, medal = bests.get(e.id, (None, None))
        cells.append([e.id, e.title, "" if best is None else figure(best, 4), medal or "", e.file])
    table(("level", "title", "best", "medal", "file"), cells, numbers=(2,))
    say(f"\n{len(entries)} levels in {campaign_root()}")
    return 0
