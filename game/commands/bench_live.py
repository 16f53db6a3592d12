"""``perwatt bench --live``: how soon after a notch of the wheel the score box shows a figure, level by level."""

from __future__ import annotations

from engine.errors import UsageError
from game.commands.compiling import announce
from game.commands.output import command, emit, table
from game.commands.render import without_screen


@command
def bench_live(level: str | None, *, json: bool) -> int:
    """Measure ``level``, or all levels of the campaign, and print medians and 95th percentiles in ms."""
    without_screen()
    announce()
    from game.bench import live
    from levels.lookup import campaign, find_level

    wanted = None if level is None else find_level(level)
    ids = [entry.id for entry in campaign() if wanted is None or entry.path == wanted]
    if not ids:
        raise UsageError(f"'{level}' is not of the campaign, and has no best design to measure")
    levels = live.measure(levels=ids)
    if json:
        emit({"format": 1, "levels": levels})
        return 0
    rows = [
        (name, *(f"{found[kind][key]:.1f}" for kind in ("first", "final", "frame") for key in ("median_ms", "p95_ms")))
        for name, found in levels.items()
    ]
    titles = [f"{kind} {key}" for kind in ("first", "final", "frame") for key in ("median", "95 %")]
    table(("level", *titles), rows, numbers=range(1, 7))
    return 0
