"""The YAML reader: scalars of YAML 1.2, marks, bounds, and both parsers alike."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from engine.errors import InvalidError
from levels import reader
from levels.codes import MAX_PROBLEMS
from levels.reader import Document, read_yaml

FILES = Path(__file__).parents[1] / "corpus" / "files"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("no", "no"),
        ("yes", "yes"),
        ("on", "on"),
        ("True", True),
        ("false", False),
        ("~", None),
        ("", None),
        ("null", None),
        ("012", 12),
        ("-7", -7),
        ("+7", 7),
        ("0x1F", 31),
        ("0o17", 15),
        ("0b1", "0b1"),
        ("1_000", "1_000"),
        ("1:30", "1:30"),
        ("2024-01-01", "2024-01-01"),
        ("1e3", 1000.0),
        ("1.", 1.0),
        (".5", 0.5),
        ("-1.5E-2", -0.015),
        ("'12'", "12"),
        ('"true"', "true"),
        ('"a\\nb"', "a\nb"),
        ("99999999999999999999", 99999999999999999999),
        ("plain text", "plain text"),
    ],
)
def test_scalars_follow_yaml_1_2(text: str, value: object) -> None:
    document = read_yaml(f"key: {text}".encode())
    assert document.problems == []
    assert document.tree == {"key": value}
    assert type(document.tree["key"]) is type(value)


def test_keys_are_text() -> None:
    assert read_yaml(b"1: a\nno: b\nnull: c\n'': d").tree == {"1": "a", "no": "b", "null": "c"}
    assert read_yaml(b"true: a").tree == {"true": "a"}


def test_marks_of_keys_and_values() -> None:
    document = read_yaml("a: ü\nb:\n  - 1\n  - {c: 'x', d: [2]}\n".encode())
    assert document.tree == {"a": "ü", "b": [1, {"c": "x", "d": [2]}]}
    assert document.keys == {
        ("a",): (1, 1),
        ("b",): (2, 1),
        ("b", 1, "c"): (4, 6),
        ("b", 1, "d"): (4, 14),
    }
    assert document.values[("b",)] == (3, 3)
    assert document.values[("b", 1, "c")] == (4, 9)
    assert document.values[("b", 1, "d", 0)] == (4, 18)


def test_of_two_equal_keys_the_first_counts_and_reading_goes_on() -> None:
    document = read_yaml(b"a: {x: 1}\na: {x: 2, x: 3}\nb: .nan")
    assert [(p.code, p.line) for p in document.problems] == [
        ("duplicate-key", 2),
        ("duplicate-key", 2),
        ("not-finite", 3),
    ]
    assert document.tree == {"a": {"x": 1}, "b": None}
    assert document.values[("a", "x")] == (1, 8)
    assert document.lost == {("b",)}


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("brackets", b"[" * 1_000_000),
        ("braces", b"{" * 1_000_000),
        ("flow keys", b"{a: " * 250_000),
        ("dashes", b"- " * 500_000),
        ("question marks", b"? " * 500_000),
        ("empty lists", b"[" + b"[]," * 300_000),
        ("keys", b"".join(b"k%d: 1\n" % i for i in range(100_000))),
        ("equal keys", b"k: 1\n" * 200_000),
        ("aliases", b"a: &a [x]\nb: [" + b"*a," * 300_000 + b"]"),
        ("comment", b"#" * 1_000_000),
        ("one scalar", b"a: " + b"x" * 1_000_000),
        ("words", b"a: " + b"x " * 500_000),
        ("open quote", b'a: "' + b"x" * 1_000_000),
        ("anchor", b"a: &" + b"a" * 1_000_000 + b" 1"),
        ("digits", b"a: " + b"9" * 1_000_000),
        ("lines", b"\n" * 1_000_000),
    ],
)
def test_a_hostile_megabyte_costs_little_more_than_an_ordinary_file(name: str, data: bytes) -> None:
    ordinary = b"cores:\n" + b"".join(b"  - {id: add%d, at: [1, 2]}\n" % i for i in range(3_000))

    def seconds(data: bytes) -> float:
        start = time.process_time()
        try:
            document = read_yaml(data)
        except InvalidError as error:
            assert 0 < len(error.problems) <= MAX_PROBLEMS + 1
        else:
            assert data is ordinary or document.problems
        return time.process_time() - start

    assert min(seconds(data) for _ in range(3)) < 4 * min(seconds(ordinary) for _ in range(3))


def test_both_parsers_read_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    def outcome(data: bytes) -> tuple[Document | None, list[str]]:
        try:
            document = read_yaml(data)
        except InvalidError as error:
            return None, [p.code for p in error.problems]
        return document, [str(p) for p in document.problems]

    files = [p.read_bytes() for p in sorted(FILES.rglob("*.yaml"))]
    fast = [outcome(data) for data in files]
    monkeypatch.setattr(reader, "_new_parser", reader.plain_parser)
    assert [outcome(data) for data in files] == fast
    assert sum(document is not None for document, _ in fast) > 20


def test_control_characters_are_refused_raw_and_escaped() -> None:
    for text in ("a: \x07", 'a: "\\a"', 'a: "\\u2028"', 'a: "\\r"', "a: \x85"):
        try:
            problems = read_yaml(text.encode()).problems
        except InvalidError as error:
            problems = error.problems
        assert [p.code for p in problems] == ["control-character"], text
