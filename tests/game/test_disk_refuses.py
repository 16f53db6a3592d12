"""A disk that refuses: one plays on, is told so in words, and what was made is saved once that is possible."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.errors import UsageError
from game.screens.result import Result
from game.screens.title import Title
from levels import autosave, database
from levels.datafolder import Notice
from levels.refusals import PATH_CHARACTERS, refusal, shortened
from levels.shelf import Shelf
from levels.store import Progress
from tests.game.conftest import Perwatt
from tests.game.player import Player

LEVEL = "first-light-01-ignition"


class Disk:
    """Refuses every write below a folder while ``number`` is set: opening, making, renaming, and the database's."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.number = str(folder), 0
        real_open, real_mkdir, real_rename = os.open, Path.mkdir, Path.rename
        real_transaction = database._transaction

        def refuse(path: object) -> None:
            if self.number and str(path).startswith(self.folder):
                raise OSError(self.number, os.strerror(self.number), str(path))

        def open_(path: Any, flags: int, *rest: Any, **more: Any) -> int:
            if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
                refuse(path)
            return real_open(path, flags, *rest, **more)

        def mkdir(path: Path, *rest: Any, **more: Any) -> None:
            if not path.exists():
                refuse(path)
            real_mkdir(path, *rest, **more)

        def rename(path: Path, target: Any) -> Path:
            refuse(path)
            return real_rename(path, target)

        def transaction(connection: sqlite3.Connection) -> Any:
            on_disk = connection.execute("PRAGMA database_list").fetchone()[2]
            if self.number and on_disk.startswith(self.folder):
                error = sqlite3.OperationalError("attempt to write a readonly database")
                full = self.number == errno.ENOSPC
                error.sqlite_errorcode = sqlite3.SQLITE_FULL if full else sqlite3.SQLITE_READONLY
                raise error
            return real_transaction(connection)

        monkeypatch.setattr(os, "open", open_)
        monkeypatch.setattr(Path, "mkdir", mkdir)
        monkeypatch.setattr(Path, "rename", rename)
        monkeypatch.setattr(database, "_transaction", transaction)
        monkeypatch.setattr(database, "RETRY_S", 0.0)
        monkeypatch.setattr(autosave, "RETRY_S", 0.01)
        monkeypatch.setattr("game.session.SHELF_S", 0.0)


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(tmp_path, monkeypatch)


@pytest.fixture
def players() -> Iterator[list[Player]]:
    found: list[Player] = []
    yield found
    for player in found:
        player.close()


def state(player: Player) -> str:
    player.frames(2)
    return " ".join(written.words for written in player.bench.transport.written)


@pytest.mark.parametrize("number", [errno.EACCES, errno.ENOSPC, errno.EROFS])
def test_a_disk_that_refuses_in_mid_play(tmp_path: Path, disk: Disk, players: list[Player], number: int) -> None:
    player = Player(tmp_path, (1280, 720))
    players.append(player)
    player.app.show("title")
    bench = player.open(LEVEL)
    disk.number = number
    player.drag(player.tile(0, 2), player.tile(11, 2))
    made = bench.session.design
    assert len(made.wires) == 1
    bench.session.save()
    assert "Not saved" in state(player) and "Errno" not in state(player)
    # Every other way to write: a new design, a copy, another name, deleting, a picture, settings.
    bench.deeds.tabs.new()
    bench.deeds.tabs.copy()
    bench.deeds.typed("rename", "other")
    bench.deeds.keepsakes.picture()
    assert bench.toast is not None and "Errno" not in bench.toast[0].text
    bench.deeds.tabs.delete()
    bench.deeds.tabs.restore()
    bench.session.show_tab(0)
    player.app.progress.put_setting("volume_machine", 12)
    assert player.app.progress.setting("volume_machine") == 12
    player.settle()
    player.key("return", unicode="\r")
    player.frames(2)
    assert isinstance(player.app.screen, Result)
    assert any("Cannot save here" in written.words for written in player.app.screen.written)
    assert not any("Errno" in written.words for written in player.app.screen.written)
    player.app.back()
    player.frames(1)
    disk.number = 0
    player.frames(2)
    bench.session.save()
    assert "Not saved" not in state(player) and "Not recorded" not in state(player)
    assert player.app.progress.refused is None
    saved = Shelf(tmp_path)
    assert made.wires in [saved.load(item).wires for item in saved.designs(LEVEL)]
    assert len(saved.designs(LEVEL)) == len(bench.session.tabs)
    again = Progress(tmp_path)
    assert len(again.runs(LEVEL)) == 1 and again.setting("volume_machine") == 12
    again.close()


def test_a_folder_that_refuses_from_the_start(tmp_path: Path, disk: Disk, players: list[Player]) -> None:
    before = Progress(tmp_path)
    before.put_setting("ui_scale", 125)
    before.close()
    disk.number = errno.EROFS
    player = Player(tmp_path, (1280, 720))
    players.append(player)
    assert player.app.context.theme.scale > 1  # what stands there is read
    player.app.show("title")
    player.app.progress.put_setting("last_level", LEVEL)
    player.frames(2)
    assert isinstance(player.app.screen, Title)
    assert any("Cannot save here" in written.words for written in player.app.screen.written)
    bench = player.open(LEVEL)
    assert "Not saved" in state(player)
    player.drag(player.tile(0, 2), player.tile(11, 2))
    assert len(bench.session.design.wires) == 1


def test_a_file_where_the_folder_should_be_is_told_before_anything_is_made(
    tmp_path: Path, players: list[Player]
) -> None:
    (tmp_path / "data").write_text("")
    player = Player(tmp_path / "data", (1280, 720))
    players.append(player)
    player.app.show("title")
    player.frames(2)
    assert isinstance(player.app.screen, Title)
    assert any("a file stands where the data folder" in written.words for written in player.app.screen.written)
    player.open(LEVEL)
    assert "Not saved" in state(player)
    player.app.back()
    player.frames(1)
    assert (tmp_path / "data").is_file()


def test_what_happens_to_the_folder_is_told_when_it_happens(tmp_path: Path, players: list[Player]) -> None:
    player = Player(tmp_path, (1280, 720))
    players.append(player)
    bench = player.open(LEVEL)
    player.drag(player.tile(0, 2), player.tile(11, 2))
    bench.session.save()
    other = Shelf(tmp_path)
    item = other.designs(LEVEL)[0]
    other.save(item, other.load(item).model_copy(update={"note": "from elsewhere"}))
    bench.tools.select_all()
    player.key("x")
    bench.session.save()
    player.frames(2)
    assert bench.toast is not None and "changed elsewhere" in bench.toast[0].text


def test_a_lost_database_is_told_on_the_title(tmp_path: Path, players: list[Player]) -> None:
    (tmp_path / "progress.sqlite").write_bytes(b"no database at all" * 100)
    player = Player(tmp_path, (1280, 720))
    players.append(player)
    player.app.show("title")
    player.frames(2)
    assert isinstance(player.app.screen, Title)
    assert any("progress file" in told for told in player.app.screen.told)
    assert any("progress file" in written.words for written in player.app.screen.written)


def test_a_picture_leaves_the_folder_alone(folder: Path, perwatt: Perwatt) -> None:
    data = folder / "D"
    data.mkdir()
    assert perwatt("play", LEVEL, "--data", data, "--screenshot", "a.png", "--frames", 2, "--scale", 300).code == 0
    assert list(data.iterdir()) == []
    answer = perwatt("play", "--screenshot", folder / "nowhere" / "a.png")
    assert answer.code == 2 and "nowhere: there is no such folder" in answer.err.replace("\n", " ")


def test_a_refusal_is_said_in_words() -> None:
    long = "/home/" + "very/" * 40 + "progress.sqlite"
    said = refusal(OSError(errno.EACCES, "Permission denied", long))
    assert said.startswith("writing is not allowed") and said.endswith("progress.sqlite)")
    assert len(shortened(long)) == PATH_CHARACTERS and shortened("/a/b") == "/a/b"
    assert refusal(UsageError("no")) == "no"
    assert Notice("x").aside is None
