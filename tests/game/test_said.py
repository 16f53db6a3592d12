"""What is wrong is said on the screen in the words of the screen: no syntax of files, no Markdown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.catalog import CORES
from engine.errors import Problem
from engine.problems import CODES
from game import clipboard
from game.said import limit_is, limit_name, plain, said
from levels.files import load_level_file
from tests.game.player import Player

BOARDS = Path(__file__).parent.parent / "corpus" / "boards"
OF_LEVELS = {
    *("unknown-technology", "blocked-outside", "not-on-edge", "unknown-array", "array-role", "pad-key", "no-grid"),
    *("many-threads-pads", "unknown-word", "no-output-pad"),
}
"""What only the author of a level meets; unknown names and paths are met by nobody who draws."""
FILE_SYNTAX = re.compile(r"set: ?\{|\{|\bnull\b|\bfrom: |pads: |words: \[|\bimmediate|`|e\.g\. \w+:")


def expected() -> list[tuple[str, str]]:
    found = []
    for path in sorted(BOARDS.glob("*.yaml")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("# expect: "):
                code, _, message = line.removeprefix("# expect: ").split(" | ", 2)
                if code not in OF_LEVELS:
                    found.append((code, message))
    return found


@pytest.mark.parametrize(("code", "message"), expected())
def test_no_problem_is_said_in_the_syntax_of_a_file(code: str, message: str) -> None:
    words = said(Problem(code, message))
    assert not FILE_SYNTAX.search(words), words
    assert not re.search(r"\w\[", words), words


def test_every_code_that_is_met_on_the_workbench_is_tried() -> None:
    assert {code for code, _ in expected()} == set(CODES) - OF_LEVELS


def test_a_missing_input_asks_for_a_wire_or_a_number() -> None:
    told = {message: said(Problem(code, message)) for code, message in expected() if code == "missing-input"}
    assert "input b of x1 gets nothing: give it a wire or a number" in told.values()
    lone = Problem("missing-input", "x1 (relay) has nothing at in: give it a wire")
    assert said(lone) == "input in of x1 gets nothing: give it a wire"


def test_chosen_words_are_said_as_they_are_typed() -> None:
    told = [said(Problem(code, message)) for code, message in expected() if code == "packet-width"]
    assert (
        "a packet of 3 words at add1.a, which takes 1: select the wire and choose one of its words, such as 0" in told
    )
    assert any(words.endswith("select b and choose its words at at, such as 0, =0") for words in told)


def test_markdown_is_taken_off() -> None:
    assert (
        plain("Holds up to `slots` packets, **first** in, *first* out")
        == "Holds up to “slots” packets, first in, first out"
    )
    assert plain("a * b * c and x_1 and 3*a - 20*b") == "a * b * c and x_1 and 3*a - 20*b"
    assert plain("[the page](docs/a.md) says so") == "the page says so"
    assert not any("`" in plain(core.summary) for core in CORES.values())


def test_no_brief_hint_or_note_needs_markdown() -> None:
    for path in sorted((Path(__file__).parent.parent.parent / "levels").glob("*/**/[0-9]*.yaml")):
        if path.name.count(".") > 1:
            continue
        level = load_level_file(path).level
        for text in (level.brief, level.field_note, *level.hints):
            assert "`" not in plain(text) and "**" not in plain(text), (path.name, text)


def test_junk_in_the_clipboard_is_told_and_pastes_nothing(tmp_path: Path) -> None:
    player = Player(tmp_path)
    bench = player.open("first-light-05-two-roads")
    player.place("mul", (5, 4))
    player.click(player.tile(5, 4))
    player.key("c", ctrl=True)
    clipboard.put("{not: a design}")
    player.key("v", ctrl=True)
    assert bench.tools.hand is None
    assert bench.toast is not None and "no design in the clipboard" in bench.toast[0].text
    player.close()


def test_a_paste_that_is_refused_says_why(tmp_path: Path) -> None:
    player = Player(tmp_path)
    bench = player.open("first-light-05-two-roads")
    player.place("max", (5, 4))
    player.click(player.tile(5, 4))
    player.key("c", ctrl=True)
    player.key("v", ctrl=True)
    assert bench.tools.hand is not None
    before = bench.session.design
    player.click(player.tile(9, 4))
    assert bench.session.design == before
    assert bench.toast is not None and "no max left" in bench.toast[0].text
    player.close()


def test_limits_are_called_by_what_they_are_of() -> None:
    assert [limit_is(name) for name in ("power", "cores", "a", "a words")] == [
        *("power is", "cores are", "accesses to a are", "words of a are"),
    ]
    assert limit_name("a words per thread") == "words of a per thread"
