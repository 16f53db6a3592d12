"""``perwatt bench``: the engine's speed on this machine, or what the screen promises."""

from __future__ import annotations

from importlib.util import find_spec

from engine.errors import UsageError
from game.commands.compiling import announce
from game.commands.output import command, emit, figure, table

COLUMNS = (
    ("million events/s", "events_per_s", 1e-6),
    ("ns/event at 100 k", "ns_per_event_100k", 1),
    ("at 10 M", "ns_per_event_10m", 1),
    ("× SimPy", "times_simpy", 1),
    ("× plain Python", "times_python", 1),
    ("of C", "of_c", 1),
)


@command
def bench(level: str | None, *, json: bool, peers: bool, render: bool, live: bool, start: bool) -> int:
    """Measure the engine, or the one other thing that is asked for."""
    asked = {"--peers": peers, "--render": render, "--live": live, "--start": start}
    chosen = [option for option, on in asked.items() if on]
    if len(chosen) > 1:
        raise UsageError(f"{' and '.join(chosen)} measure different things: choose one of them")
    if level is not None and not (live or start):
        raise UsageError(f"'{level}': a level is measured with --live or --start")
    if render:
        from game.commands.bench_render import bench_render

        return bench_render(json=json)
    if live:
        from game.commands.bench_live import bench_live

        return bench_live(level, json=json)
    if start:
        from game.commands.bench_start import bench_start

        return bench_start(level, json=json)
    return _engine(json, peers)


def _engine(json: bool, peers: bool) -> int:
    """Medians of interleaved rounds."""
    if find_spec("numba") is None:
        raise UsageError("the compiled engine needs numba, which cannot be imported here: there is nothing to measure")
    announce()
    from engine.bench import run_bench

    document = run_bench(peers)
    if json:
        emit(document)
        return 0
    rows = []
    for name, figures in document["models"].items():
        cells = [figures[key] for _, key, _ in COLUMNS]
        values = zip(cells, COLUMNS, strict=True)
        rows.append([name, *("–" if value is None else figure(value * unit) for value, (_, _, unit) in values)])
    table(("model", *(title for title, _, _ in COLUMNS)), rows, numbers=range(1, len(COLUMNS) + 1))
    return 0
