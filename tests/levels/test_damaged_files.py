"""Whatever is done to a file, it loads or gives listed problems with their lines: never another exception."""

from __future__ import annotations

import random
from pathlib import Path

from engine.errors import InvalidError
from levels.codes import CODES
from levels.files import build
from levels.reader import read_yaml

FILES = Path(__file__).parents[1] / "corpus" / "files"
PIECES = [
    *(b"[", b"]", b"{", b"}", b": ", b"- ", b"\n", b"  ", b"'", b'"', b"|", b">", b"#", b"? ", b"\t", b"\xff"),
    *(b"null", b"true", b"1e9", b"-1", b"9999999999", b".nan", b"&a", b"*a", b"!t ", b"x", b"1.5"),
    *(b"words", b"set: ", b"from", b"id", b"at", b"speed"),
]


def damaged(data: bytes, draw: random.Random) -> bytes:
    """The file with one to four short stretches replaced by pieces of YAML."""
    text = bytearray(data)
    for _ in range(draw.randint(1, 4)):
        start = draw.randrange(len(text) + 1)
        text[start : start + draw.choice([0, 0, 1, 3, 8])] = draw.choice(PIECES)
    return bytes(text)


def test_damaged_files_load_or_give_listed_problems() -> None:
    draw = random.Random(11)
    every = [p.read_bytes() for p in sorted(FILES.rglob("*.yaml"))]
    sound = [p.read_bytes() for p in sorted(FILES.glob("ok-*.yaml"))]
    loaded = 0
    for n in range(3_000):
        data = damaged(draw.choice(sound if n % 2 else every), draw)
        try:
            model, problems = build(read_yaml(data, "file.yaml"), "design" if b"\ncores" in data else "level")
            loaded += model is not None
            assert problems or model is not None
        except InvalidError as error:
            problems = error.problems
            assert problems
        for found in problems:
            assert found.code in CODES
            assert found.code == "many-problems" or (found.line and found.column and found.file == "file.yaml")
    assert loaded > 50
