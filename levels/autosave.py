"""Saving in the background, so that no frame waits for the disk."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from engine.errors import PerwattError
from levels.refusals import refusal

if TYPE_CHECKING:
    from engine.model import Design
    from levels.shelf import Item, Shelf

RETRY_S = 5.0
"""Seconds after which a save that failed is tried again."""


class Autosave:
    """Saves designs on a thread of its own; of several states of one design that wait, the newest is saved.

    Designs are taken as values: the caller changes none that it has handed over. A save that fails stays waiting and
    is tried again; :attr:`error` says why in the meantime. Call :meth:`flush` before a design is renamed or deleted: a
    state that still waits would bring it back under its old name.
    """

    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf
        self._waiting: dict[tuple[str, str], tuple[Item, Design]] = {}
        self._error: str | None = None
        self._busy = self._hurry = self._closed = False
        self._change = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="autosave", daemon=True)
        self._thread.start()

    @property
    def error(self) -> str | None:
        """Why the last save failed, or None."""
        return self._error

    @property
    def saved(self) -> bool:
        """Whether everything that was handed over is on the disk."""
        with self._change:
            return not self._waiting and not self._busy

    def put(self, item: Item, design: Design) -> None:
        """Have ``design`` saved as ``item``; returns at once."""
        with self._change:
            self._waiting[item.level, item.key] = (item, design)
            self._hurry = True
            self._change.notify_all()

    def flush(self, timeout: float = 10.0) -> bool:
        """Wait until everything is on the disk or a save fails; whether all is saved."""
        end = time.monotonic() + timeout
        with self._change:
            self._hurry = True
            self._change.notify_all()
            while (self._busy or (self._waiting and self._hurry)) and (left := end - time.monotonic()) > 0:
                self._change.wait(left)
            return not self._waiting and not self._busy

    def close(self, timeout: float = 10.0) -> bool:
        """Save what waits and end the thread; whether all is saved."""
        done = self.flush(timeout)
        with self._change:
            self._closed = True
            self._change.notify_all()
        self._thread.join(timeout)
        return done

    def _run(self) -> None:
        while True:
            with self._change:
                while not self._closed and not (self._waiting and self._hurry):
                    # What failed is tried again after a while, even if nobody asks.
                    if not self._change.wait(RETRY_S if self._waiting else None):
                        self._hurry = True
                if self._closed:
                    return
                todo, self._waiting = self._waiting, {}
                self._busy, self._hurry = True, False
            failed, error = {}, None
            for key, (item, design) in todo.items():
                try:
                    self.shelf.save(item, design)
                except (OSError, PerwattError) as refused:
                    failed[key], error = (item, design), refusal(refused)
            with self._change:
                self._waiting = {**failed, **self._waiting}
                self._error, self._busy = error, False
                self._change.notify_all()
