"""``perwatt bench --start``: how long it takes until the first picture is shown."""

from __future__ import annotations

from game.commands.output import command, emit, table


@command
def bench_start(level: str | None, *, json: bool) -> int:
    """Measure the title, and the workbench of ``level`` if one is given."""
    from game.bench.start import measure

    found = {"title": measure()} | ({level: measure(level)} if level else {})
    if json:
        emit({"format": 1, "screens": found})
        return 0
    rows = [(name, f"{times['wall_s']:.2f}", f"{times['cpu_s']:.2f}") for name, times in found.items()]
    table(("screen", "seconds", "of the processor"), rows, numbers=(1, 2))
    return 0
