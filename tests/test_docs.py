"""What README and tutorial state is tried out."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import typer.main

from game.cli import app
from tests.game.conftest import Perwatt, folder, perwatt

__all__ = ["folder", "perwatt"]  # fixtures

ROOT = Path(__file__).resolve().parent.parent
PAGES = (
    "README.md",
    "CONTRIBUTING.md",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "docs/first-level.md",
    "docs/model.md",
    "docs/screens.md",
    "docs/traces.md",
    "docs/search.md",
    "docs/agents.md",
)


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page: str, language: str) -> list[str]:
    """The fenced blocks of a page in this language."""
    found = re.findall(r"^```(\w*)\n(.*?)^```$", text_of(page), re.MULTILINE | re.DOTALL)
    return [block for kind, block in found if kind == language]


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    for target in re.findall(r"\]\(([^)#]+)", text_of(page)):
        assert ((ROOT / page).parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES)
def test_commands_that_are_mentioned_exist(page: str) -> None:
    commands = set(typer.main.get_command(app).commands)  # type: ignore[attr-defined]
    mentioned = set(re.findall(r"(?:^    |`)perwatt ([a-z]+)", text_of(page), re.MULTILINE))
    assert mentioned <= commands


def test_files_that_are_mentioned_exist() -> None:
    for page in ("ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"):
        for name in re.findall(r"`((?:engine|levels|game|assets|tests|docs|\.ci)/[\w./-]*)`", text_of(page)):
            assert (ROOT / name).exists() or (ROOT / f"{name}.py").exists(), f"{page}: {name}"


def test_the_readmes_report_is_what_is_printed(perwatt: Perwatt) -> None:
    [report] = [block for block in blocks("README.md", "") if block.startswith("PASS")]
    assert perwatt("run", "first-light/01", "naive").out.startswith(report)


def test_the_readmes_python_runs(perwatt: Perwatt, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    [design] = blocks("README.md", "yaml")
    Path("mine.yaml").write_text(design, encoding="utf-8")
    names: dict[str, object] = {}
    for block in blocks("README.md", "python"):
        exec(block, names)
    assert capsys.readouterr().out.startswith("pass ")


def test_the_random_agent_as_written(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("gymnasium")
    [example] = blocks("docs/agents.md", "python")
    exec(example, {})
    assert re.fullmatch(r"\w+ -?\d+\.\d\d -?\d+\.\d\d\n", capsys.readouterr().out)


def test_the_commands_on_searching_as_written(perwatt: Perwatt, folder: Path) -> None:
    for line in re.findall(r"^    perwatt ((?:sweep|tune) [^…\n]*)$", text_of("docs/search.md"), re.MULTILINE):
        answer = perwatt(*shlex.split(line))
        assert answer.code == 0, answer.err


def test_the_tutorial_as_written(perwatt: Perwatt, folder: Path) -> None:
    page = text_of("docs/first-level.md")
    truth, parts, naive, wrong = (
        next(block for block in blocks("docs/first-level.md", "yaml") if sign in block)
        for sign in ("+ 1", "add: 2", "id: one", "even:")
    )
    perwatt("new", "doubling")
    for name in re.findall(r"^\| `([\w.-]+)` \|", page, re.MULTILINE):
        assert Path(name).exists()
    assert perwatt("check", ".").code == 0
    assert perwatt("check", "--bless", ".").code == 0
    level = Path("01-doubling.yaml")
    assert "medals: {" in level.read_text()

    # 2: another truth makes the design fail.
    assert blocks("docs/first-level.md", "yaml")[0] in re.sub(r" +#.*", "", level.read_text())
    edited = re.sub(r"  truth: .*\n", truth, level.read_text())
    level.write_text(edited)
    [shown] = blocks("docs/first-level.md", "")
    assert perwatt("run", level, "best").out.startswith(shown)

    # 3, 4: another part and two new references.
    level.write_text(re.sub(r"parts: .*\n", parts, edited))
    Path("01-doubling.naive.yaml").write_text(naive)
    assert perwatt("match", level, "naive", "-o", "01-doubling.best.yaml", "--force").code == 0
    assert "launches/nJ" in perwatt("diff", "01-doubling.naive.yaml", "01-doubling.best.yaml", "--level", level).out
    best = Path("01-doubling.best.yaml").read_text()
    text = perwatt("encode", "01-doubling.best.yaml").out
    assert perwatt("decode", "-", stdin=text).out == best
    Path("01-doubling.wrong-even.yaml").write_text(best.replace("b: 1", "b: 0"))
    level.write_text(re.sub(r"wrong:.*\n  half: .*\n", wrong, level.read_text()))

    # 5: the one warning that the tutorial speaks of.
    answer = perwatt("check", "--bless", ".")
    assert answer.code == 0
    [warning] = answer.err.splitlines()
    assert "wrong.half: 5 edits away" in warning
    assert "five edits away" in page
