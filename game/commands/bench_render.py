"""``perwatt bench --render``: how long a frame of the board takes on this machine."""

from __future__ import annotations

from game.commands.output import command, emit, table
from game.commands.render import without_screen


@command
def bench_render(*, json: bool) -> int:
    """Measure each scene, and print median and 95th percentile in ms."""
    without_screen()
    from game.bench_render import COLUMNS, PACKETS, ROWS, SIZE, WIRES, measure

    scenes = measure()
    if json:
        load = {"size": list(SIZE), "packets": PACKETS, "cores": COLUMNS * ROWS, "wires": WIRES}
        emit({"format": 1, **load, "scenes": scenes})
        return 0
    rows = [(name, f"{found['median_ms']:.1f}", f"{found['p95_ms']:.1f}") for name, found in scenes.items()]
    table(("scene", "median ms", "95 % ms"), rows, numbers=(1, 2))
    return 0
