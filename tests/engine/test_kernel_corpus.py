"""The corpus of wrong kernels: every code of data and truth, with its place and its exact message.

A file of ``tests/corpus/kernels`` is a level that is sound but for its kernel; its first lines say what is found:
``# expect: code | place | message``.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from engine.model import Level
from engine.truth import check_kernel

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / "tests" / "corpus" / "kernels"
FILES = sorted(FOLDER.glob("*.yaml"))
EXPECT = "# expect: "

SOURCES = ("expr.py", "expr_parse.py", "expr_scope.py", "expr_tree.py", "data.py", "named.py", "truth.py")
FAMILIES = re.compile(r'"((?:truth|data|named|array|arrays|no|unused)-[a-z-]+)"')

NOT_OF_FILES = {"data-missing"}
"""Only a library call can ask for words of an array that has none to draw: in a file such an array is an output."""


def expected(path: Path) -> list[str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.removeprefix(EXPECT) for line in lines if line.startswith(EXPECT)]


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_a_wrong_kernel_is_told_in_exactly_these_words(path: Path) -> None:
    level = Level.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    found = [f"{p.code} | {p.where} | {p.message}" for p in check_kernel(level)]
    assert found == expected(path)
    assert any(line.startswith(f"{code} | ") for line in found for code in [path.stem, path.stem.rsplit("-", 1)[0]])


def test_every_code_of_data_and_truth_has_a_file() -> None:
    codes = {code for name in SOURCES for code in FAMILIES.findall((ROOT / "engine" / name).read_text("utf-8"))}
    told = {line.split(" | ")[0] for path in FILES for line in expected(path)}
    assert len(codes) > 20
    assert told == codes - NOT_OF_FILES
