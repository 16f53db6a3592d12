"""``perwatt bench --render``: how long a frame takes here, of the board alone and of the whole workbench."""

from __future__ import annotations

from game.commands.compiling import announce
from game.commands.output import command, emit, table
from game.commands.render import without_screen


@command
def bench_render(*, json: bool) -> int:
    """Measure each scene, and print median and 95th percentile in ms."""
    without_screen()
    announce()
    from game.bench import play, render
    from game.bench.board import COLUMNS, PACKETS, ROWS, WIRES
    from game.bench.stage import SIZE

    scenes = render.measure() | play.measure()
    if json:
        load = {"size": list(SIZE), "packets": PACKETS, "cores": COLUMNS * ROWS, "wires": WIRES}
        emit({"format": 1, **load, "scenes": scenes})
        return 0
    rows = [(name, f"{found['median_ms']:.1f}", f"{found['p95_ms']:.1f}") for name, found in scenes.items()]
    table(("scene", "median ms", "95 % ms"), rows, numbers=(1, 2))
    return 0
