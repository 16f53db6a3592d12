"""A command line inside the test's process, a level made by ``perwatt new`` to use it on, and somebody who plays."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from game.cli import app

if TYPE_CHECKING:
    from tests.game.player import Player


@pytest.fixture(scope="session", autouse=True)
def _fonts() -> None:
    """Texts can be measured in every test, whichever comes first."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    import pygame

    pygame.font.init()


@dataclass
class Answer:
    """What a command said: exit code, standard output and standard error."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """The one JSON object that was printed; not-a-numbers are refused."""

        def refuse(word: str) -> None:
            raise AssertionError(f"{word} in JSON")

        document = json.loads(self.out, parse_constant=refuse)
        assert document["format"] == 1
        return dict(document)


Perwatt = Callable[..., Answer]


@pytest.fixture
def perwatt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Perwatt:
    """Call a command: ``perwatt("run", level, design, "--json")``, as somebody who has not played yet."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))

    def call(*args: object, stdin: str | None = None) -> Answer:
        result = CliRunner().invoke(app, [str(arg) for arg in args], input=stdin)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Answer(result.exit_code, result.stdout, result.stderr)

    return call


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    return tmp_path


@pytest.fixture
def doubling(folder: Path, perwatt: Perwatt) -> Path:
    """The level that ``perwatt new doubling`` writes, with its designs beside it."""
    assert perwatt("new", "doubling").code == 0
    return folder / "01-doubling.yaml"


@pytest.fixture
def player(tmp_path: Path) -> Iterator[Player]:
    """A player in a window of 1280×720, with an empty data folder."""
    from tests.game.player import Player  # with pygame, which commands do without

    found = Player(tmp_path, (1280, 720))
    yield found
    found.close()
