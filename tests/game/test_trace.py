"""perwatt trace: the file that is asked for, or what is wrong with the question."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from game.commands import trace as command
from tests.game.conftest import Perwatt

ROOT = Path(__file__).resolve().parent.parent.parent


def test_a_vcd_without_further_words(perwatt: Perwatt, folder: Path) -> None:
    answer = perwatt("trace", "first-light/05", "best")
    assert answer.code == 0
    assert "wrote first-light-05-two-roads.vcd: 0.00 to 191.00 ns, 20 launches, 6 cores and pads, 6 wires" in answer.out
    text = (folder / "first-light-05-two-roads.vcd").read_text(encoding="utf-8")
    assert "$timescale 10 ps $end" in text
    assert "$scope module a_value_to_fifteen_a $end" in text


def test_json_by_its_name_and_a_part_of_the_machine(perwatt: Perwatt, folder: Path) -> None:
    span = ("--from", 100, "--until", 150)
    answer = perwatt("trace", "first-light/05", "best", "-o", "a.json", *span, "--only", "out", "--only", "less.out")
    assert answer.code == 0 and "1 core and pad, 2 wires" in answer.out
    document = json.loads((folder / "a.json").read_text(encoding="utf-8"))
    times = [event["ts"] for event in document["traceEvents"] if "ts" in event]
    assert min(times) == 100 and max(times) <= 150
    again = perwatt("trace", "first-light/05", "best", "-o", "b.txt", "--format", "perfetto", *span)
    assert again.code == 0 and (folder / "b.txt").read_text(encoding="utf-8").startswith('{"displayTimeUnit"')


def test_engines_write_the_same_file(perwatt: Perwatt, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And so does the run that the plain engine begins and the compiled one does over."""
    pytest.importorskip("numba")
    monkeypatch.setattr(command, "SHORT_EVENTS", 500)
    monkeypatch.setattr(command, "STEP_TICKS", 500)
    for name in ("plain", "compiled", "auto"):
        answer = perwatt("trace", "gpu-puzzles/09", "best", "-o", f"{name}.vcd", "--engine", name, "--from", 20)
        assert answer.code == 0
    files = [(folder / f"{name}.vcd").read_bytes() for name in ("plain", "compiled", "auto")]
    assert files[0] == files[1] == files[2]
    assert len(files[0]) > 10_000


def test_how_a_run_ended_is_told(perwatt: Perwatt, folder: Path, doubling: Path) -> None:
    [wrong] = folder.glob("*.wrong-*.yaml")
    answer = perwatt("trace", doubling, wrong, "-o", "a.vcd")
    assert answer.code == 0
    assert "the run ends there, at" in answer.out and "with a fault:" in answer.out
    late = perwatt("trace", doubling, wrong, "-o", "b.vcd", "--from", 5000)
    assert late.code == 2 and "the run has ended before" in late.err
    assert not (folder / "b.vcd").exists() and not list(folder.glob(".b.vcd*"))


def test_a_file_is_not_overwritten(perwatt: Perwatt, folder: Path) -> None:
    (folder / "a.vcd").write_text("mine", encoding="utf-8")
    answer = perwatt("trace", "first-light/05", "best", "-o", "a.vcd")
    assert answer.code == 2 and "--force" in answer.err
    assert (folder / "a.vcd").read_text(encoding="utf-8") == "mine"
    assert perwatt("trace", "first-light/05", "best", "-o", "a.vcd", "--force").code == 0
    assert (folder / "a.vcd").read_text(encoding="utf-8").startswith("$version")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("-o", "a.txt"), "end it in .vcd or .json"),
        (("--format", "vdc"), "did you mean 'vcd'?"),
        (("--until", 5, "--launches", 3), "give one of them"),
        (("--from", 5, "--until", 5), "not after"),
        (("--only", "fiften"), "did you mean 'fifteen'?"),
        (("--only", "nope"), "give a pad, core or wire of the design: a, out, "),
        (("--engine", "fast"), "auto, plain or compiled"),
        (("-o", "nowhere/a.vcd"), "nowhere: there is no such folder; make it first\n"),
    ],
)
def test_wrong_questions(perwatt: Perwatt, folder: Path, arguments: tuple[str, ...], said: str) -> None:
    answer = perwatt("trace", "first-light/05", "best", *arguments)
    assert answer.code == 2
    assert said in answer.err
    assert not list(folder.glob("*.vcd"))


@pytest.mark.parametrize("value", ["nan", "inf", "-1"])
@pytest.mark.parametrize(
    "command",
    [("trace", "--from"), ("trace", "--until"), ("why", "--at"), ("render", "--time")],
)
def test_a_time_is_finite(perwatt: Perwatt, folder: Path, command: tuple[str, str], value: str) -> None:
    out = () if command[0] == "why" else ("-o", "x.png" if command[0] == "render" else "x.vcd")
    answer = perwatt(command[0], "first-light/01", "best", *out, command[1], value)
    assert answer.code == 2
    assert f"{value} is no time: give a finite number of ns from 0 to" in " ".join(answer.err.split())
    assert not list(folder.glob("x.*"))


def test_more_launches_have_more_time(perwatt: Perwatt, doubling: Path) -> None:
    """As many as are asked for, also where they do not fit into the level's time limit."""
    level = doubling.read_text(encoding="utf-8")
    assert "time_us: 50}" in level
    doubling.write_text(level.replace("time_us: 50}", "time_us: 1}"), encoding="utf-8")
    command = ("trace", doubling, "best", "--engine", "plain", "--only", "out")
    short = perwatt(*command, "-o", "a.vcd", "--until", 5000)
    assert "the time is up" in short.out
    long = perwatt(*command, "-o", "b.vcd", "--launches", 500)
    assert long.code == 0 and " 500 launches" in long.out and "time is up" not in long.out
    late = perwatt(*command, "-o", "c.vcd", "--launches", 5, "--from", 3000)
    assert late.code == 0 and " 5 launches" in late.out and "wrote c.vcd: 3000.00 to" in late.out


# --- where it goes ---------------------------------------------------------------------------------------


def run(*command: object, **more: object) -> subprocess.Popen[bytes]:
    """The command in a process of its own, in the present folder."""
    return subprocess.Popen(  # type: ignore[call-overload, no-any-return]
        [sys.executable, "-m", "game.cli", *map(str, command)], env={**os.environ, "PYTHONPATH": str(ROOT)}, **more
    )


@pytest.mark.parametrize("name", ["-", "/dev/stdout"])
def test_standard_output_holds_the_trace_and_nothing_else(perwatt: Perwatt, folder: Path, name: str) -> None:
    if os.name == "nt" and name != "-":
        pytest.skip("a device by its path")
    assert perwatt("trace", "first-light/05", "best", "-o", "a.vcd").code == 0
    with run("trace", "first-light/05", "best", "-o", name, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        out, err = process.communicate(timeout=120)
    assert process.returncode == 0
    assert out == (folder / "a.vcd").read_bytes()
    assert b"wrote /dev/stdout" in err
    assert [path.name for path in folder.glob("*.vcd")] == ["a.vcd"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes")
@pytest.mark.parametrize("force", [(), ("--force",)])
def test_a_pipe_stays_one(perwatt: Perwatt, folder: Path, force: tuple[str, ...]) -> None:
    assert perwatt("trace", "first-light/05", "best", "-o", "a.json").code == 0
    os.mkfifo("pipe")
    heard: list[bytes] = []
    reader = threading.Thread(target=lambda: heard.append(Path("pipe").read_bytes()))
    reader.start()
    answer = perwatt("trace", "first-light/05", "best", "-o", "pipe", "--format", "perfetto", *force)
    reader.join(10)
    assert answer.code == 0 and Path("pipe").is_fifo()
    assert heard == [(folder / "a.json").read_bytes()]


@pytest.mark.skipif(os.name == "nt", reason="ends by signal")
@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_who_ends_it_finds_no_half_file(folder: Path, sent: signal.Signals) -> None:
    (folder / "a.vcd").write_text("mine", encoding="utf-8")
    command = ("trace", "first-light/05", "best", "-o", "a.vcd", "--force", "--until", 1e8, "--engine", "plain")
    # A shell that put these tests into the background has made them, and all that they start, deaf to Ctrl+C.
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with run(*command, **quiet, preexec_fn=lambda: signal.signal(sent, signal.SIG_DFL)) as process:
        deadline = time.monotonic() + 120
        while not list(folder.glob(".a.vcd.*")):
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.01)
        process.send_signal(sent)
        assert process.wait(60) == 128 + sent
    assert [path.name for path in folder.iterdir()] == ["a.vcd"]
    assert (folder / "a.vcd").read_text(encoding="utf-8") == "mine"
