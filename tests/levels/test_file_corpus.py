"""Every file of the corpus gives exactly the messages written beside it, and every code has a file."""

from __future__ import annotations

import base64
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from engine.errors import InvalidError, Problem
from levels import decode, find_level, load_design_file, load_level_file, sibling
from levels.codes import CODES, MAX_MESSAGE

FILES = Path(__file__).parents[1] / "corpus" / "files"
CASES = sorted(p for p in FILES.rglob("*") if p.suffix in {".yaml", ".txt"})


def problems_of(call: Callable[[], object]) -> list[Problem]:
    try:
        result = call()
    except InvalidError as error:
        return error.problems
    return getattr(result, "warnings", [])


def read(path: Path) -> list[Problem]:
    if path.suffix == ".txt":
        return problems_of(lambda: decode(path.read_text(encoding="utf-8")))
    return problems_of(lambda: load_design_file(path) if ".design." in path.name else load_level_file(path))


def lines_of(problems: list[Problem]) -> str:
    return "".join(
        f"{p.severity} {p.code} {p.line}:{p.column} {p.where + ': ' if p.where else ''}{p.message}\n" for p in problems
    )


def expectation(path: Path) -> Path:
    return path.with_name(path.name + ".expected")


@pytest.mark.parametrize("path", CASES, ids=lambda p: p.name)
def test_file_gives_exactly_the_expected_messages(path: Path) -> None:
    problems = read(path)
    assert lines_of(problems) == expectation(path).read_text(encoding="utf-8")
    assert not (path.name.startswith("ok") and problems)
    assert all(p.code in CODES and len(p.message) <= MAX_MESSAGE for p in problems)
    assert all(p.file == ("text" if path.suffix == ".txt" else str(path)) for p in problems)
    assert all(text.isprintable() for p in problems for text in (str(p), p.message))


def test_corpus_is_large_enough_and_complete() -> None:
    assert sum(bool(expectation(p).read_text(encoding="utf-8")) for p in CASES) >= 60
    assert {p.name for p in FILES.rglob("*.expected")} == {expectation(p).name for p in CASES}


def _pack(data: bytes) -> str:
    return "PW1:" + base64.b64encode(zlib.compress(data, 9)).decode()


def _link_out(folder: Path) -> object:
    (folder / "in").mkdir()
    (folder / "out.yaml").write_text("perwatt: 1\n")
    (folder / "in" / "link.yaml").symlink_to(folder / "out.yaml")
    return sibling(folder / "in" / "01-map.yaml", "link.yaml")


def _large(folder: Path) -> object:
    path = folder / "large.yaml"
    with path.open("wb") as stream:
        stream.truncate(10**9)  # a hole: nothing is written
    return load_level_file(path)


def _written(folder: Path, text: str) -> object:
    path = folder / "made.yaml"
    path.write_text(text)
    return load_level_file(path)


MADE: dict[str, tuple[Callable[[Path], object], str]] = {
    "no-such-file": (
        lambda folder: load_level_file(folder / "none.yaml"),
        "there is no such file: check its name and folder",
    ),
    "no-such-file-as-name": (
        lambda folder: find_level("nowhere/none.yaml"),
        "there is no such file, nor a level of this name: check the folder, or see perwatt levels",
    ),
    "not-a-file": (lambda folder: load_level_file(folder), "this is a folder: name a .yaml file"),
    "unreadable-file": (
        lambda folder: load_level_file(folder / "nul\0.yaml"),
        "the file cannot be read (embedded null byte): check its name and rights",
    ),
    "file-too-large": (_large, "the file has 1000000000 bytes; allowed are 262144"),
    "file-outside": (_link_out, "link.yaml is a link that leads out of the level's folder: put the file itself there"),
    "unknown-level": (
        lambda folder: find_level("frist-ligt-99"),
        "there is no level 'frist-ligt-99': see perwatt levels",
    ),
    "too-many-nodes": (
        lambda folder: _written(folder, "cores: [" + "[]," * 60_000 + "]"),
        "the file has more than 50000 values; that is the most allowed",
    ),
    "too-many-nodes-without-commas": (
        lambda folder: _written(folder, "- [[[[[[]]]]]]\n" * 12_000),
        "the file has more than 50000 values; that is the most allowed",
    ),
    "text-size": (lambda folder: decode("PW1:" + "A" * 300_000), "the text has 300004 characters; allowed are 262144"),
    "text-expands": (
        lambda folder: decode(_pack(b" " * 100_000_000)),
        "the text unpacks to more than 1048576 bytes; that is the most allowed",
    ),
    "text-expands-by-one": (
        lambda folder: decode(_pack(b" " * (1024 * 1024 + 1))),
        "the text unpacks to more than 1048576 bytes; that is the most allowed",
    ),
}


@pytest.mark.parametrize("name", MADE)
def test_made_file_gives_exactly_the_expected_message(name: str, tmp_path: Path) -> None:
    call, message = MADE[name]
    (found,) = problems_of(lambda: call(tmp_path))
    assert found.message == message
    assert name.startswith(found.code)


def test_every_code_has_a_file() -> None:
    shown = {code for code in CODES for name in MADE if name.startswith(code)}
    for path in CASES:
        shown |= {line.split()[1] for line in expectation(path).read_text(encoding="utf-8").splitlines()}
    assert shown == set(CODES)


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        sys.stdout.write(lines_of(read(Path(argument).resolve())))
