"""Designs as one line of text: hostile ones cost little, damaged ones are named."""

from __future__ import annotations

import base64
import json
import random
import time
import zlib

import pytest

from engine.errors import InvalidError
from engine.model import Design
from levels import decode, encode
from levels.codes import CODES
from levels.textform import MAX_BYTES, MAX_CHARACTERS

TREE = {
    "perwatt": 1,
    "level": "probe-01-map",
    "cores": [{"id": "add1", "core": "add", "at": [3, 1], "set": {"b": 10}}],
    "wires": [{"from": "a.value", "to": "add1.a", "path": [[0, 1], [3, 1]], "every_ns": 1.25}],
}


def pack(data: bytes) -> str:
    return "PW1:" + base64.b64encode(zlib.compress(data, 9)).decode()


def test_a_text_is_one_line_that_holds_the_files_tree() -> None:
    design = Design.model_validate(TREE)
    text = encode(design)
    assert text.startswith("PW1:") and text.isascii() and len(text.split()) == 1
    assert json.loads(zlib.decompress(base64.b64decode(text[4:]))) == TREE
    assert decode(text) == design


def test_white_space_of_any_kind_is_ignored() -> None:
    text = encode(Design.model_validate(TREE))
    assert decode("\n " + "\r\n\t".join(text[i : i + 10] for i in range(0, len(text), 10))) == decode(text)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("brackets", b"[" * MAX_BYTES),
        ("pairs", b"[]" * (MAX_BYTES // 2)),
        ("empty lists", b"[" + b"[]," * 300_000 + b"[]]"),
        ("quotes", b'"' * MAX_BYTES),
        ("escaped quotes", b'"' + b'\\"' * (MAX_BYTES // 2 - 1)),
        ("one text", b'"' + b"x" * (MAX_BYTES - 2) + b'"'),
        ("digits", b"9" * MAX_BYTES),
        ("exponent", b"1e" + b"9" * (MAX_BYTES - 2)),
        ("keys", b"{" + b",".join(b'"k%d":1' % i for i in range(19_000)) + b"}"),
        ("equal keys", b"{" + b",".join(b'"k%d":1' % (i // 2) for i in range(19_000)) + b"}"),
        ("spaces", b" " * MAX_BYTES),
        ("more than allowed", b" " * (400 * MAX_BYTES)),
    ],
)
def test_a_hostile_text_costs_little_more_than_an_ordinary_one(name: str, data: bytes) -> None:
    tree = {**TREE, "wires": TREE["wires"] * 1_500}  # type: ignore[operator]
    ordinary, hostile = pack(json.dumps(tree).encode()), pack(data)

    def seconds(text: str) -> float:
        start = time.process_time()
        try:
            decode(text)
        except InvalidError as error:
            assert text is hostile
            assert {p.code for p in error.problems} <= set(CODES)
        else:
            assert text is ordinary
        return time.process_time() - start

    if len(hostile) <= MAX_CHARACTERS:
        assert min(seconds(hostile) for _ in range(3)) < 4 * min(seconds(ordinary) for _ in range(3))


def test_any_damage_is_a_problem_or_changes_nothing() -> None:
    text = encode(Design.model_validate(TREE))
    draw = random.Random(7)
    codes = {"text-prefix", "text-base64", "text-zlib", "text-trailing", "newer-format"}
    refused = 0
    for _ in range(400):
        at = draw.randrange(len(text))
        damaged = text[:at] + draw.choice(["", chr(draw.randrange(33, 127)), "é", "="]) + text[at + 1 :]
        try:
            assert decode(damaged) == decode(text)
        except InvalidError as error:
            refused += 1
            assert {p.code for p in error.problems} <= codes
    assert refused > 300
