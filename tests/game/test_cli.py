"""The command line: help without heavy imports, and every command that needs no engine."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from engine.errors import Problem
from game.commands.output import UNREADABLE, annotation, figure
from levels import load_design
from levels.codes import CODES
from tests.game.conftest import Perwatt

HEAVY = ("numba", "numpy", "pydantic", "rich", "pygame", "networkx", "yaml", "ruamel")


def heavy_after(*args: str) -> list[str]:
    """The heavy modules that a process has imported after a command."""
    code = (
        "import sys; from game.cli import app\n"
        f"try: app({list(args)!r})\nexcept SystemExit: pass\n"
        f"print('heavy:', *[m for m in {HEAVY!r} if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    return done.stderr.split("heavy:")[1].split()


@pytest.mark.parametrize("args", [("--help",), ("--version",)])
def test_help_imports_nothing_heavy(args: tuple[str, ...]) -> None:
    assert heavy_after(*args) == []


@pytest.mark.parametrize("args", [("run", "--help"), ("check", "--help"), ("levels", "--json")])
def test_commands_import_what_they_need(args: tuple[str, ...]) -> None:
    # Newer versions of typer read a command's arguments with pydantic.
    assert set(heavy_after(*args)) <= {"pydantic", "yaml"}


def test_a_wrong_command_is_wrong_use(perwatt: Perwatt) -> None:
    answer = perwatt("rum")
    assert answer.code == 2
    assert "rum" in answer.err


def test_levels(perwatt: Perwatt) -> None:
    answer = perwatt("levels", "--json")
    first = answer.json["levels"][0]
    assert first == {
        "id": "first-light-01-ignition",
        "chapter": 0,
        "number": "01",
        "title": "Ignition",
        "file": "0-first-light/01-ignition.yaml",
        "medal": None,
        "best": None,
    }
    assert "first-light-01-ignition" in perwatt("levels").out


def test_levels_of_a_pack(perwatt: Perwatt, folder: Path) -> None:
    chapter = folder / "7-mine"
    chapter.mkdir()
    (chapter / "01-a.yaml").write_text("perwatt: 1\nid: mine-01-a\ntitle: 'A [red]b'\nkernel: {}\n")
    rows = perwatt("levels", "--json", "--levels", folder).json["levels"]
    assert (rows[-1]["id"], rows[-1]["chapter"]) == ("mine-01-a", 7)
    assert "A [red]b" in perwatt("levels", "--levels", folder).out


def test_a_pack_that_is_not_there(perwatt: Perwatt, folder: Path) -> None:
    answer = perwatt("levels", "--levels", "nowhere")
    assert answer.code == 2
    assert "no such folder" in answer.err


def test_a_pack_without_levels_is_said_to_be_one(perwatt: Perwatt, folder: Path) -> None:
    answer = perwatt("levels", "--levels", folder)
    assert answer.code == 0
    assert "no level here" in answer.err


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the data folder is not told by a variable")
def test_levels_show_what_was_reached(perwatt: Perwatt, doubling: Path) -> None:
    from engine.simulation import simulate
    from levels import load_level
    from levels.datafolder import data_folder
    from levels.store import Progress

    level = load_level("first-light/01")
    design = load_design(Path(__file__).parents[2] / "levels/0-first-light/01-ignition.best.yaml")
    report = simulate(level, design, engine="plain")
    progress = Progress()
    progress.record(design, report)
    progress.close()
    rows = perwatt("levels", "--json").json["levels"]
    assert report.metrics is not None
    assert (rows[0]["medal"], rows[0]["best"]) == ("gold", report.metrics.efficiency_launches_per_nj)
    assert "203.5  gold" in perwatt("levels").out

    # A folder of levels beside the progress is a pack.
    chapter = data_folder() / "levels" / "8-more"
    chapter.mkdir(parents=True)
    (chapter / "01-double.yaml").write_text(doubling.read_text().replace("mine-01-doubling", "more-01-double"))
    assert perwatt("levels", "--json").json["levels"][-1]["id"] == "more-01-double"


def test_listing_creates_no_data_folder(perwatt: Perwatt, doubling: Path) -> None:
    perwatt("levels")
    perwatt("run", doubling, "best")
    perwatt("check", doubling)
    assert not (doubling.parent / "data").exists()


def test_new_refuses_to_overwrite(perwatt: Perwatt, doubling: Path) -> None:
    before = doubling.read_text()
    answer = perwatt("new", "doubling")
    assert answer.code == 2
    assert "exists already" in answer.err
    assert doubling.read_text() == before


def test_new_counts_on(perwatt: Perwatt, doubling: Path) -> None:
    assert perwatt("new", "halving").code == 0
    assert Path("02-halving.yaml").exists()


def test_new_takes_the_chapter_from_the_folder(perwatt: Perwatt, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "3-my-chapter").mkdir()
    monkeypatch.chdir(folder / "3-my-chapter")
    assert perwatt("new", "04b-halving").code == 0
    text = Path("04b-halving.yaml").read_text()
    assert "id: my-chapter-04b-halving" in text
    assert "title: Halving" in text
    assert text.startswith("# yaml-language-server: $schema=./perwatt-level.schema.json\n")
    assert Path("perwatt-level.schema.json").exists()


@pytest.mark.parametrize("name", ["../up", "Upper", "a b", "x" * 60, "", "-x"])
def test_new_refuses_odd_names(perwatt: Perwatt, folder: Path, name: str) -> None:
    assert perwatt("new", "--", name).code == 2
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("kind", ["level", "design", "report"])
def test_schema(perwatt: Perwatt, kind: str) -> None:
    import json

    document = json.loads(perwatt("schema", kind).out)
    assert document["type"] == "object"
    assert document["$schema"]


def test_schema_of_something_else(perwatt: Perwatt) -> None:
    assert perwatt("schema", "world").code == 2


def test_text_and_back(perwatt: Perwatt, doubling: Path) -> None:
    design = doubling.with_suffix(".best.yaml")
    text = perwatt("encode", design).out
    assert text.startswith("PW1:")
    assert text.count("\n") == 1
    assert perwatt("decode", text, "-o", "copy.yaml").code == 0
    assert load_design("copy.yaml") == load_design(design)
    assert perwatt("decode", "-", stdin=text).out == Path("copy.yaml").read_text()


def test_decode_does_not_overwrite(perwatt: Perwatt, doubling: Path) -> None:
    design = doubling.with_suffix(".best.yaml")
    text = perwatt("encode", design).out
    assert perwatt("decode", text, "-o", doubling).code == 2
    assert "kernel" in doubling.read_text()
    assert perwatt("decode", text, "-o", doubling, "--force").code == 0
    assert "kernel" not in doubling.read_text()


def test_damaged_text_is_unreadable(perwatt: Perwatt) -> None:
    assert perwatt("decode", "PW1:!!!").code == 2
    assert perwatt("decode", "hello").code == 2


def test_diff(perwatt: Perwatt, doubling: Path) -> None:
    naive, best = (doubling.with_suffix(f".{role}.yaml") for role in ("naive", "best"))
    changes = perwatt("diff", naive, best, "--json").json["changes"]
    assert [c["kind"] for c in changes] == ["speed", "speed"]
    assert "every 4 ns" in changes[0]["message"]
    assert "the same machine" in perwatt("diff", best, best).out


def test_diff_says_why_a_design_cannot_be_run(perwatt: Perwatt, doubling: Path) -> None:
    best = doubling.with_suffix(".best.yaml")
    answer = perwatt("diff", best, best, "--level", "first-light/01")
    assert "the design is for" in answer.err


def test_cores(perwatt: Perwatt) -> None:
    cores = {c["name"]: c for c in perwatt("cores", "--json").json["cores"]}
    assert cores["add"]["operation_fj"] == {"int32": 100, "float32": 900}
    assert (cores["mul"]["latency_cycles"], cores["mul"]["interval_cycles"]) == (3, 1)
    assert "lock chamber" in perwatt("cores", "barrier").out
    wrong = perwatt("cores", "barier")
    assert wrong.code == 2
    assert "barrier" in wrong.err


def test_the_page_of_cores_is_up_to_date(perwatt: Perwatt) -> None:
    page = Path(__file__).parents[2] / "docs" / "cores.md"
    assert perwatt("cores", "--markdown").out == page.read_text(encoding="utf-8")


def test_every_fault_of_the_catalogue_has_a_meaning() -> None:
    from engine.catalog import CORES
    from game.commands.cores import ANYWHERE, FAULTS

    assert {code for core in CORES.values() for code in core.faults} == FAULTS.keys() - set(ANYWHERE)


# --- Files that cannot be read, and wrong ones -----------------------------------------------------------


def test_codes_of_unreadable_files_exist() -> None:
    assert UNREADABLE - {"usage"} <= CODES.keys()


def test_a_missing_file_as_json(perwatt: Perwatt, folder: Path) -> None:
    answer = perwatt("run", "nowhere/x.yaml", "y.yaml", "--json")
    assert answer.code == 2
    assert answer.json["verdict"] == "invalid"
    [problem] = answer.json["problems"]
    assert problem.keys() == {"file", "line", "column", "path", "code", "message"}
    assert problem["code"] == "no-such-file"


def test_a_broken_file_names_line_and_column(perwatt: Perwatt, doubling: Path) -> None:
    doubling.write_text("perwatt: 1\nid: [\n")
    answer = perwatt("run", doubling, "naive")
    assert answer.code == 2
    assert answer.err.startswith(f"{doubling}:3:1: ")


def test_a_schema_error_is_the_files_fault(perwatt: Perwatt, doubling: Path) -> None:
    doubling.write_text(doubling.read_text().replace("standby_uw: 1000", "standby_uv: 1000"))
    answer = perwatt("run", doubling, "naive", "--json")
    assert answer.code == 1
    found = {p["code"]: p for p in answer.json["problems"]}
    assert found["unknown-key"]["line"] > 1
    assert found["missing-key"]["path"] == "standby_uw"


def test_messages_are_made_safe_to_print(perwatt: Perwatt, folder: Path) -> None:
    answer = perwatt("run", "evil\x1b[31m\u202e.yaml", "x.yaml")
    assert answer.code == 2
    assert "\x1b" not in answer.err
    assert "\u202e" not in answer.err


def test_a_place_that_cannot_be_written(perwatt: Perwatt, doubling: Path) -> None:
    text = perwatt("encode", doubling.with_suffix(".best.yaml")).out
    answer = perwatt("decode", text, "-o", "no/such/folder.yaml")
    assert answer.code == 2
    assert answer.err == "no/such: there is no such folder; make it first\n"


def test_annotations_under_github(perwatt: Perwatt, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    assert "::error file=none.yaml::there is no such file" in perwatt("run", "none.yaml", "x.yaml").out


def test_annotation_escapes() -> None:
    problem = Problem("x", "50 % of\nall", ("wires", 2), "a,b:c.yaml", 3, 4)
    assert annotation(problem) == "::error file=a%2Cb%3Ac.yaml,line=3,col=4::wires[2]: 50 %25 of%0Aall"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1.00"),
        (250, "250"),
        (999.96, "1000"),
        (12345.6, "12346"),
        (0.18825, "0.188"),
        (0, "0"),
        (0.00012, "1.20e-04"),
    ],
)
def test_figures(value: float, text: str) -> None:
    assert figure(value) == text


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(("colour", "green"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_colour_is_for_terminals_and_can_be_switched_off(colour: dict[str, str], green: bool) -> None:
    import os
    import pty

    master, slave = pty.openpty()
    command = [sys.executable, "-m", "game.cli", "run", "first-light/01", "best"]
    env = {**{k: v for k, v in os.environ.items() if k != "NO_COLOR"}, "TERM": "xterm", **colour}
    process = subprocess.Popen(command, cwd=Path(__file__).parents[2], env=env, stdout=slave)
    os.close(slave)
    out = b""
    try:
        while chunk := os.read(master, 65536):
            out += chunk
    except OSError:  # the terminal is gone
        pass
    os.close(master)
    assert process.wait(timeout=60) == 0
    assert (b"32mPASS" in out) == green
    assert b"launches/nJ" in out
