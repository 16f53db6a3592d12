"""The command ``perwatt``.

Only typer is imported here: every command imports what it needs when it is called, so that ``--help`` is there
at once. Exit codes: 0 good, 1 the design or the level fails, 2 wrong use or a file that cannot be read.
"""

from __future__ import annotations

import gc
import signal
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any

import typer

TERMINATED = 128 + 15
"""The exit code by which shells tell that a process was asked to end."""

GARBAGE_AFTER = 20_000
"""Objects that are made before Python looks for unused cycles among them."""

app = typer.Typer(
    name="perwatt",
    help="A dataflow game about throughput per watt: run, check and study its levels and machines.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _time(*names: str, text: str, most: float = 1e8) -> Any:
    """An option that takes a time in ns."""

    def within(value: float | None) -> float | None:
        # Not-a-numbers are within no bounds, and beyond none.
        if value is not None and not 0 <= value <= most:
            raise typer.BadParameter(f"{value:g} is no time: give a finite number of ns from 0 to {most:.0f}")
        return value

    return typer.Option(*names, metavar="NS", help=text, callback=within)


LevelArg = Annotated[str, typer.Argument(metavar="LEVEL", help="A level file, an id, or <chapter>/<number>.")]
DesignArg = Annotated[
    str,
    typer.Argument(metavar="DESIGN", help="A design file; or naive, best or start: the level's own."),
]
LevelsOpt = Annotated[
    list[Path] | None,
    typer.Option("--levels", metavar="DIR", help="Look for levels in this folder as well; may be given again."),
]
JsonOpt = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
LaunchesOpt = Annotated[int | None, typer.Option(min=1, max=1_000_000, help="Measure at least so many launches.")]
SeedOpt = Annotated[int, typer.Option(min=0, max=2**63 - 1, help="Seed of the data.")]
DataSeedOpt = Annotated[int, typer.Option("--data-seed", min=0, max=2**63 - 1, help="Seed of the data.")]
JobsOpt = Annotated[
    int, typer.Option("--jobs", "-j", min=0, max=256, metavar="N", help="Processes; 0: one per processor.")
]
SchedulerOpt = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Let the workers of this Dask scheduler do the work, tcp://host:8786."),
]
EngineOpt = Annotated[str, typer.Option(help="auto, plain or compiled.")]


def _version(wanted: bool) -> None:
    if wanted:
        from engine.version import VERSION

        typer.echo(f"perwatt {VERSION}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


@app.command()
def run(
    level: LevelArg,
    design: DesignArg,
    json: JsonOpt = False,
    launches: LaunchesOpt = None,
    seed: SeedOpt = 0,
    jitter: Annotated[
        int | None,
        typer.Option(min=1, max=1000, metavar="K", help="Then also run K times with delays that vary."),
    ] = None,
    engine: EngineOpt = "auto",
    full: Annotated[bool, typer.Option("--full", help="Simulate every launch, also where periods repeat.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing; the exit code tells.")] = False,
    levels: LevelsOpt = None,
) -> None:
    """Run a design on its level and report: verdict, score, energy, waits."""
    from game.commands import run as command

    raise typer.Exit(
        command.run(
            level,
            design,
            packs=levels,
            json=json,
            quiet=quiet,
            launches=launches,
            seed=seed,
            jitter=jitter,
            engine=engine,
            full=full,
        )
    )


@app.command()
def why(
    level: LevelArg,
    design: DesignArg,
    json: JsonOpt = False,
    seed: SeedOpt = 0,
    of: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The pad, core or wire that waits, a.value -> add1.a; default: an output."),
    ] = None,
    at: Annotated[
        float | None,
        _time(text="From when on; default: the beginning of what is scored.", most=1e9),
    ] = None,
    levels: LevelsOpt = None,
) -> None:
    """Explain a run: who waits for whom, what was lost, what to change first, and where the energy goes."""
    from game.commands import run as command

    raise typer.Exit(command.why(level, design, packs=levels, json=json, seed=seed, of=of, at_ns=at))


@app.command()
def check(
    paths: Annotated[
        list[str],
        typer.Argument(metavar="PATH…", help="Level files or folders; or levels, a chapter or an id of the campaign."),
    ],
    json: JsonOpt = False,
    bless: Annotated[bool, typer.Option(help="Write the medals into the level files.")] = False,
    jobs: Annotated[
        int,
        typer.Option("--jobs", "-j", min=0, max=256, metavar="N", help="Processes; 0: as there is use for."),
    ] = 0,
    watch: Annotated[bool, typer.Option(help="Check again whenever a file changes, until Ctrl+C.")] = False,
    campaign: Annotated[bool, typer.Option(help="Hold the levels to the rules of the campaign.")] = False,
    levels: LevelsOpt = None,
) -> None:
    """Check levels: files, references, medals, known-wrong designs."""
    from game.commands import check as command

    raise typer.Exit(
        command.check(paths, packs=levels, json=json, bless=bless, jobs=jobs, watch=watch, campaign=campaign)
    )


@app.command()
def levels(json: JsonOpt = False, levels: LevelsOpt = None) -> None:
    """List the levels of the campaign."""
    from game.commands import levels as command

    raise typer.Exit(command.levels(packs=levels, json=json))


@app.command()
def cores(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="One core in full.")] = None,
    json: JsonOpt = False,
    markdown: Annotated[bool, typer.Option(help="Print docs/cores.md.")] = False,
) -> None:
    """List the cores: ports, settings, timing, energy."""
    from game.commands import cores as command

    raise typer.Exit(command.cores(name, json=json, markdown=markdown))


@app.command()
def new(name: Annotated[str, typer.Argument(metavar="NAME", help="The level's name, e.g. my-first-level.")]) -> None:
    """Write the skeleton of a level, with two designs that run, into this folder."""
    from game.commands import new as command

    raise typer.Exit(command.new(name))


@app.command()
def schema(
    kind: Annotated[str, typer.Argument(metavar="level|design|report", help="Which document.")],
) -> None:
    """Print the JSON Schema of a file format."""
    from game.commands import files as command

    raise typer.Exit(command.schema(kind))


@app.command()
def encode(design: Annotated[Path, typer.Argument(metavar="DESIGN", help="A design file.")]) -> None:
    """Print a design as one line of text, for the clipboard."""
    from game.commands import files as command

    raise typer.Exit(command.encode(design))


@app.command()
def decode(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="PW1:…, or - to read it from standard input.")],
    out: Annotated[Path | None, typer.Option("-o", "--out", metavar="FILE", help="Write this file.")] = None,
    force: Annotated[bool, typer.Option(help="Overwrite the file.")] = False,
) -> None:
    """Turn a line of text back into a design file."""
    from game.commands import files as command

    raise typer.Exit(command.decode(text, out, force=force))


@app.command()
def diff(
    a: Annotated[Path, typer.Argument(metavar="A", help="A design file.")],
    b: Annotated[Path, typer.Argument(metavar="B", help="Another design file.")],
    level: Annotated[str | None, typer.Option(metavar="LEVEL", help="Run both and tell how the figures moved.")] = None,
    json: JsonOpt = False,
    levels: LevelsOpt = None,
) -> None:
    """Tell what differs between two designs, and how much that is worth."""
    from game.commands import diff as command

    raise typer.Exit(command.diff(a, b, level=level, packs=levels, json=json))


@app.command("match")
def match_(
    level: LevelArg,
    design: DesignArg,
    out: Annotated[Path, typer.Option("-o", "--out", metavar="FILE", help="Write the matched design here.")],
    force: Annotated[bool, typer.Option(help="Overwrite the file.")] = False,
    levels: LevelsOpt = None,
) -> None:
    """Set every wire to the rate that is asked of it."""
    from game.commands import match as command

    raise typer.Exit(command.match(level, design, out, packs=levels, force=force))


@app.command()
def sweep(
    level: LevelArg,
    design: DesignArg,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUES",
            help="A setting and its values, 'a.value->sum.a.every_ns=1,2,4', buf1.slots=1..8; may be given again.",
        ),
    ] = None,
    random: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Draw so many points; without it, the whole grid.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, max=2**63 - 1, help="Seed of the draw.")] = 0,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", metavar="FILE", help="A .csv, .json or .parquet; without it LEVEL.sweep.csv."),
    ] = None,
    data_seed: DataSeedOpt = 0,
    jobs: JobsOpt = 0,
    scheduler: SchedulerOpt = None,
    force: Annotated[bool, typer.Option(help="Overwrite the file, and begin anew.")] = False,
    levels: LevelsOpt = None,
) -> None:
    """Score a design over a grid of settings, or a random part of it."""
    from game.commands import sweep as command

    raise typer.Exit(
        command.sweep(
            level,
            design,
            set_ or (),
            out=out,
            packs=levels,
            random=random,
            seed=seed,
            data_seed=data_seed,
            jobs=jobs,
            scheduler=scheduler,
            force=force,
        )
    )


@app.command()
def tune(
    level: LevelArg,
    design: DesignArg,
    out: Annotated[Path, typer.Option("-o", "--out", metavar="FILE", help="Write the tuned design here.")],
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="WHAT", help="Tune only speeds, slots, tracks or physics; may be given again."),
    ] = None,
    runs: Annotated[int, typer.Option(min=1, max=1_000_000, metavar="N", help="Runs at most.")] = 600,
    seed: Annotated[int, typer.Option(min=0, max=2**32 - 1, help="Seed of the search.")] = 0,
    data_seed: DataSeedOpt = 0,
    jobs: JobsOpt = 0,
    scheduler: SchedulerOpt = None,
    force: Annotated[bool, typer.Option(help="Overwrite the file, and begin anew.")] = False,
    levels: LevelsOpt = None,
) -> None:
    """Find better speeds, slots of buffers and roads for a design, whose wiring stays."""
    from game.commands import tune as command

    raise typer.Exit(
        command.tune(
            level,
            design,
            out,
            packs=levels,
            only=only or (),
            runs=runs,
            seed=seed,
            data_seed=data_seed,
            jobs=jobs,
            scheduler=scheduler,
            force=force,
        )
    )


@app.command()
def render(
    level: LevelArg,
    design: DesignArg,
    out: Annotated[
        Path, typer.Option("-o", "--out", metavar="FILE", help="A .png of a moment, or a .gif of one period.")
    ],
    time: Annotated[float | None, _time(text="The moment, for a PNG.")] = None,
    size: Annotated[str | None, typer.Option(metavar="WxH", help="Size in pixels, e.g. 1920x1080.")] = None,
    overlay: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="stalls, utilisation, power, bottleneck, launches or tracks; coupling or heat in levels with them.",
        ),
    ] = None,
    force: Annotated[bool, typer.Option(help="Overwrite the file.")] = False,
    levels: LevelsOpt = None,
) -> None:
    """Draw a running design, without a screen: one picture, or a looping one."""
    from game.commands import render as command

    raise typer.Exit(
        command.render(level, design, out, packs=levels, time=time, size=size, overlay=overlay, force=force)
    )


@app.command()
def trace(
    level: LevelArg,
    design: DesignArg,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", metavar="FILE", help="A .vcd or .json, or - for standard output."),
    ] = None,
    format: Annotated[
        str | None, typer.Option(metavar="NAME", help="vcd or perfetto; without it as the file is named.")
    ] = None,
    start: Annotated[float, _time("--from", text="Begin here.")] = 0.0,
    until: Annotated[float | None, _time(text="End here.")] = None,
    launches: Annotated[
        int | None, typer.Option(min=1, max=1_000_000, metavar="N", help="End when so many more have counted (20).")
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ELEMENT", help="Only this core or pad with its wires, port, or wire; may be given again."
        ),
    ] = None,
    seed: SeedOpt = 0,
    engine: EngineOpt = "auto",
    force: Annotated[bool, typer.Option(help="Overwrite the file.")] = False,
    levels: LevelsOpt = None,
) -> None:
    """Write what happens in a run, for waveform viewers (GTKWave, Surfer) or for Perfetto."""
    from game.commands import trace as command

    raise typer.Exit(
        command.trace(
            level,
            design,
            out,
            packs=levels,
            format=format,
            start=start,
            until=until,
            launches=launches,
            only=only or (),
            seed=seed,
            engine=engine,
            force=force,
        )
    )


@app.command()
def play(
    level: Annotated[
        str | None,
        typer.Argument(metavar="[LEVEL]", help="Open this level: a file, an id, <chapter>/<number>, sandbox."),
    ] = None,
    design: Annotated[
        str | None, typer.Option(metavar="DESIGN", help="Show this design: a file; or naive, best or start.")
    ] = None,
    data: Annotated[Path | None, typer.Option(metavar="DIR", help="Keep progress and designs in this folder.")] = None,
    size: Annotated[str, typer.Option(metavar="WxH", help="Size of the window in pixels.")] = "1280x720",
    fullscreen: Annotated[bool, typer.Option(help="Fill the screen.")] = False,
    screenshot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Save a picture, without a window, and end.")
    ] = None,
    frames: Annotated[int, typer.Option(min=1, max=100_000, metavar="N", help="Frames before the picture.")] = 60,
    scale: Annotated[
        int | None, typer.Option(min=75, max=300, metavar="PERCENT", help="UI scale of the picture.")
    ] = None,
    force: Annotated[bool, typer.Option(help="Overwrite the picture.")] = False,
    levels: LevelsOpt = None,
) -> None:
    """Play: the title, or the workbench of a level."""
    from game.commands import play as command

    raise typer.Exit(
        command.play(
            level,
            design=design,
            data=data,
            packs=levels,
            size=size,
            fullscreen=fullscreen,
            screenshot=screenshot,
            frames=frames,
            scale=scale,
            force=force,
        )
    )


@app.command()
def bench(
    level: Annotated[str | None, typer.Argument(help="Of --live and --start: this level alone.")] = None,
    json: JsonOpt = False,
    peers: Annotated[bool, typer.Option(help="Also measure SimPy, the plain engine and a C loop.")] = False,
    render: Annotated[bool, typer.Option("--render", help="Measure frames: of the board, and of play.")] = False,
    live: Annotated[bool, typer.Option("--live", help="Measure how soon an edit's score is shown.")] = False,
    start: Annotated[bool, typer.Option("--start", help="Measure how soon the first picture is shown.")] = False,
) -> None:
    """Measure the engine on this machine, or what the screen promises."""
    from game.commands import bench as command

    raise typer.Exit(command.bench(level, json=json, peers=peers, render=render, live=live, start=start))


def main() -> None:
    """The entry point of the command."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a sign should not end the run.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _terminate)
    # Imports make many objects that stay: looking through them again and again takes a tenth of a short run.
    gc.set_threshold(GARBAGE_AFTER)
    app()


def _terminate(*_: object) -> None:
    """End as by an exception, so that half-written files are removed and processes are stopped on the way out."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise SystemExit(TERMINATED)


if __name__ == "__main__":
    main()
