"""Saving in the background: the newest state wins, a failed save waits and is tried again."""

from __future__ import annotations

import errno
import threading
from pathlib import Path

import pytest

from engine.model import Design
from levels.autosave import Autosave
from levels.shelf import Item, Shelf
from tests.levels.shelf_designs import LEVEL, design, state_of


class SlowShelf(Shelf):
    """A shelf that saves when it is told to, and can be made to refuse."""

    def __init__(self, data: Path) -> None:
        super().__init__(data)
        self.go = threading.Semaphore(0)
        self.begun = threading.Semaphore(0)
        self.refusal: Exception | None = None
        self.saves: list[int] = []

    def save(self, item: Item, design: Design) -> None:
        self.begun.release()
        assert self.go.acquire(timeout=10)
        if self.refusal:
            raise self.refusal
        super().save(item, design)
        self.saves.append(state_of(design))


def test_the_newest_state_wins_and_every_design_is_saved(tmp_path: Path) -> None:
    shelf = SlowShelf(tmp_path)
    one, two = shelf.create(design(0), "one"), shelf.create(design(0), "two")
    autosave = Autosave(shelf)
    assert autosave.saved
    autosave.put(one, design(1))
    assert shelf.begun.acquire(timeout=10)
    for state in range(2, 9):
        autosave.put(one, design(state))
    autosave.put(two, design(20))
    assert not autosave.saved
    shelf.go.release(3)
    assert autosave.close()
    assert shelf.saves == [1, 8, 20]
    assert [state_of(shelf.load(item)) for item in shelf.designs(LEVEL)] == [8, 20]
    assert autosave.saved
    assert not autosave._thread.is_alive()


@pytest.mark.parametrize("hand_over", ["again", "newer"])
def test_a_failed_save_waits(tmp_path: Path, hand_over: str) -> None:
    shelf = SlowShelf(tmp_path)
    item = shelf.create(design(0))
    shelf.refusal = OSError(errno.ENOSPC, "No space left on device")
    autosave = Autosave(shelf)
    shelf.go.release(100)
    autosave.put(item, design(1))
    assert not autosave.flush()
    assert "disk is full" in (autosave.error or "")
    assert not autosave.saved
    shelf.refusal = None
    if hand_over == "newer":
        autosave.put(item, design(2))
    assert autosave.flush()
    assert autosave.error is None
    assert state_of(shelf.load(item)) == (2 if hand_over == "newer" else 1)
    assert autosave.close()


def test_a_failed_save_is_tried_again_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("levels.autosave.RETRY_S", 0.01)
    shelf = SlowShelf(tmp_path)
    item = shelf.create(design(0))
    shelf.refusal = OSError(errno.ENOSPC, "No space left on device")
    autosave = Autosave(shelf)
    autosave.put(item, design(1))
    for _ in range(3):
        assert shelf.begun.acquire(timeout=10)
        shelf.go.release()
    shelf.refusal = None
    shelf.go.release(100)
    assert autosave.close()
    assert state_of(shelf.load(item)) == 1
