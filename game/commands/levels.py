"""``perwatt levels``: the campaign as a table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from game.commands.output import command, emit, say, table
from levels.lookup import campaign, campaign_root


@command
def levels(*, packs: Sequence[Path] | None, json: bool) -> int:
    """List the campaign's levels and those of packs."""
    entries = campaign(packs or ())
    if json:
        rows = [
            {
                "id": e.id,
                "chapter": e.chapter,
                "number": e.number,
                "title": e.title,
                "file": e.file,
                "medal": None,
                "best": None,
            }
            for e in entries
        ]
        emit({"format": 1, "levels": rows})
        return 0
    table(("level", "title", "file"), [[e.id, e.title, e.file] for e in entries])
    say(f"\n{len(entries)} levels in {campaign_root()}")
    return 0
