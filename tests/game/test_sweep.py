"""``perwatt sweep`` and ``perwatt tune`` on the command line."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from levels.files import load_design
from tests.game.conftest import Perwatt

ROOT = Path(__file__).resolve().parent.parent.parent


def read(path: str) -> list[dict[str, str]]:
    with Path(path).open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def test_a_sweep_writes_a_table_and_prints_the_front(perwatt: Perwatt, folder: Path) -> None:
    answer = perwatt("sweep", "first-light/01", "naive", "--set", "a.value->out.value.every_ns=1..8", "-j", 1)
    assert answer.code == 0, answer.err
    assert "Pareto front" in answer.out
    assert "8 points: 8 pass" in answer.out
    rows = read("first-light-01-ignition.sweep.csv")
    assert [row["a.value->out.value.every_ns"] for row in rows] == [str(n) for n in range(1, 9)]
    best = max(rows, key=lambda row: float(row["efficiency_launches_per_nj"]))
    assert (best["a.value->out.value.every_ns"], best["pareto"], best["medal"]) == ("4", "true", "gold")
    assert list(folder.glob("*.journal")) == []


def test_outputs_are_named_by_their_ends(perwatt: Perwatt, folder: Path) -> None:
    pytest.importorskip("pyarrow")
    for name in ("x.csv", "x.json", "x.parquet"):
        command = ("sweep", "first-light/02", "best", "--set", "add1.b=9..11", "-o", name)
        assert perwatt(*command).code == 0
        again = perwatt(*command)
        assert (again.code, "--force" in again.err) == (2, True)
        assert perwatt(*command, "--force").code == 0
    document = json.loads(Path("x.json").read_text())
    assert [row["verdict"] for row in document["rows"]] == ["fault", "pass", "fault"]
    assert Path("x.parquet").read_bytes()[:4] == b"PAR1"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "--set"),
        (("--set", "add1.b=1", "-o", "x.txt"), ".parquet"),
        (("--set", "add1.b=1", "--set", "add1.b=2"), "twice"),
        (("--set", "add9.b=1"), "add1"),
        (("--set", "add1.b=1..9999", "--set", "*.every_ns=1..9999"), "--random"),
    ],
)
def test_wrong_use_is_told(perwatt: Perwatt, folder: Path, arguments: tuple[str, ...], told: str) -> None:
    answer = perwatt("sweep", "first-light/02", "naive", *arguments)
    assert answer.code == 2
    assert told in answer.err
    assert list(folder.glob("*sweep*")) == []


def test_a_draw_is_the_same_again(perwatt: Perwatt, folder: Path) -> None:
    for name in ("a.csv", "b.csv"):
        grid = ("--set", "*.every_ns=1..9:lin99", "--set", "add1.b=1..99", "--random", 20, "--seed", 4)
        assert perwatt("sweep", "first-light/02", "naive", *grid, "-o", name).code == 0
    assert Path("a.csv").read_bytes() == Path("b.csv").read_bytes()
    assert len(read("a.csv")) == 20


@pytest.mark.skipif(os.name == "nt", reason="kills by signal")
def test_a_sweep_that_is_killed_goes_on_without_loss_or_repetition(perwatt: Perwatt, folder: Path) -> None:
    grid = ("--set", "*.every_ns=1..2:lin20", "--set", "t.token*.every_ns=1..20")
    command = ["sweep", "gpu-puzzles/14b", "naive", *grid]
    journal = folder / "out.csv.journal"
    with subprocess.Popen(
        [sys.executable, "-m", "game.cli", *command, "-o", "out.csv", "-j", "2"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        deadline = time.monotonic() + 300
        while not journal.exists() or journal.read_bytes().count(b"\n") < 4:
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    assert not Path("out.csv").exists()
    kept = [json.loads(line[9:]) for line in journal.read_bytes().split(b"\n")[:-1]][1:]
    known = sum(len(line) for line in kept if "process" not in line)
    assert 0 < known < 400
    answer = perwatt(*command, "-o", "out.csv", "-j", 1)
    assert answer.code == 0, answer.err
    assert f"{known} of 400 points were in the journal" in answer.out
    assert perwatt(*command, "-o", "whole.csv", "-j", 1).code == 0
    assert Path("out.csv").read_bytes() == Path("whole.csv").read_bytes()
    assert len(read("out.csv")) == 400
    assert not journal.exists()


def test_the_journal_of_another_sweep_is_not_taken(perwatt: Perwatt, folder: Path) -> None:
    from levels.search.journal import Journal

    Journal(folder / "x.csv.journal", {"search": "another"}).close()
    command = ("sweep", "first-light/02", "best", "--set", "add1.b=9..11", "-o", "x.csv")
    answer = perwatt(*command)
    assert (answer.code, "another search" in answer.err) == (2, True)
    assert perwatt(*command, "--force").code == 0


@pytest.mark.parametrize("force", [(), ("--force",)])
@pytest.mark.parametrize("text", ["mine", "mine\n", "a,b\n1,2\n", '{"format":1}'])
def test_a_file_that_is_no_journal_is_not_touched(
    perwatt: Perwatt, folder: Path, text: str, force: tuple[str, ...]
) -> None:
    (folder / "x.csv.journal").write_text(text)
    answer = perwatt("sweep", "first-light/02", "best", "--set", "add1.b=9..11", "-o", "x.csv", *force)
    assert (answer.code, "is no journal of a search: move it away" in answer.err) == (2, True)
    assert (folder / "x.csv.journal").read_text() == text
    assert not (folder / "x.csv").exists()


def test_a_first_line_that_a_kill_cut_off_is_ours(perwatt: Perwatt, folder: Path) -> None:
    from levels.search.journal import Journal

    Journal(folder / "x.csv.journal", {"search": "sweep"}).close()
    cut = (folder / "x.csv.journal").read_bytes().split(b"\n")[0][:-3]
    for left in (b"", cut):
        (folder / "x.csv.journal").write_bytes(left)
        assert perwatt("sweep", "first-light/02", "best", "--set", "add1.b=9..11", "-o", "x.csv", "--force").code == 0
        assert not (folder / "x.csv.journal").exists()


@pytest.mark.parametrize("force", [(), ("--force",)])
def test_two_at_once_do_not_work_on_one_output(perwatt: Perwatt, folder: Path, force: tuple[str, ...]) -> None:
    from levels.search.journal import Journal

    with Journal(folder / "x.csv.journal", {"search": "another"}) as journal:
        before = journal.path.read_bytes()
        answer = perwatt("sweep", "first-light/02", "best", "--set", "add1.b=9..11", "-o", "x.csv", *force)
        assert answer.code == 2
        assert f"another search is at work (pid {os.getpid()}) on x.csv.journal: wait for it" in answer.err
        assert journal.path.read_bytes() == before
    assert not (folder / "x.csv").exists()


def test_who_finished_meanwhile_is_not_replaced(
    perwatt: Perwatt, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other one ends between this one's first look and its turn at the journal."""
    from levels.search import journal as module

    opened = module._opened

    def late(path: Path) -> int:
        (folder / "x.csv").write_text("theirs")
        return opened(path)

    monkeypatch.setattr(module, "_opened", late)
    answer = perwatt("sweep", "first-light/02", "best", "--set", "add1.b=9..11", "-o", "x.csv")
    assert (answer.code, "exists already" in answer.err) == (2, True)
    assert (folder / "x.csv").read_text() == "theirs"


@pytest.mark.parametrize("name", ["sweep", "tune"])
def test_a_folder_that_is_not_there_is_told(perwatt: Perwatt, folder: Path, name: str) -> None:
    more = ("--set", "add1.b=9..11", "-o", "no/x.csv") if name == "sweep" else ("-o", "no/x.yaml")
    answer = perwatt(name, "first-light/02", "best", *more)
    assert (answer.code, answer.err) == (2, "no: there is no such folder; make it first\n")


# --- tune --------------------------------------------------------------------------------------------------


def test_tune_writes_a_better_design(perwatt: Perwatt, folder: Path) -> None:
    answer = perwatt("tune", "first-light/02", "naive", "-o", "out.yaml", "--runs", 60, "-j", 1)
    assert answer.code == 0, answer.err
    assert "a.value->add1.a.every_ns: 1 → " in answer.out
    assert "15.24 → 3" in answer.out
    report = perwatt("run", "first-light/02", "out.yaml", "--json").json
    assert report["metrics"]["efficiency_launches_per_nj"] > 1.9 * 15.24
    assert perwatt("tune", "first-light/02", "naive", "-o", "out.yaml").code == 2
    assert load_design("out.yaml").name == "naive"
    assert list(folder.glob("*.journal")) == []


def test_tune_says_what_it_cannot_do(perwatt: Perwatt, folder: Path) -> None:
    answer = perwatt("tune", "first-light/02", "naive", "-o", "x.yaml", "--only", "colours")
    assert (answer.code, "speeds, slots, tracks" in answer.err) == (2, True)
    answer = perwatt("tune", "first-light/02", "naive", "-o", "x.yaml", "--only", "slots")
    assert (answer.code, "nothing to tune" in answer.err) == (2, True)
    assert list(folder.glob("x.*")) == []


def test_tune_writes_designs_only(perwatt: Perwatt, folder: Path) -> None:
    for name in ("tune", "match"):
        answer = perwatt(name, "first-light/02", "naive", "-o", "t3.txt")
        assert (answer.code, "end the name in .yaml" in answer.err) == (2, True)
    assert list(folder.glob("t3*")) == []


def test_a_design_that_cannot_be_made_to_pass_is_not_written(perwatt: Perwatt, doubling: Path) -> None:
    folder = doubling.parent
    wrong = folder / "01-doubling.wrong-half.yaml"
    answer = perwatt("tune", doubling, wrong, "-o", "out.yaml", "--runs", 12, "-j", 1)
    assert answer.code == 1
    assert "out.yaml is not written: none of the 12 designs that were tried passes; it ends with: fault" in answer.err
    assert "wrote" not in answer.out
    assert list(folder.glob("out.*")) == []
