"""perwatt trace: the file that is asked for, or what is wrong with the question."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from game.commands import trace as command
from tests.game.conftest import Perwatt


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
        (("--engine", "fast"), "auto, plain or compiled"),
        (("-o", "nowhere/a.vcd"), "nowhere"),
    ],
)
def test_wrong_questions(perwatt: Perwatt, folder: Path, arguments: tuple[str, ...], said: str) -> None:
    answer = perwatt("trace", "first-light/05", "best", *arguments)
    assert answer.code == 2
    assert said in answer.err
    assert not list(folder.glob("*.vcd"))
