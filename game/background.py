"""Work in a thread of its own, of which only the newest wish counts."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

W = TypeVar("W")
R = TypeVar("R")


class Background(Generic[W, R]):
    """Calls ``work(wish)`` in a thread and keeps what it yields; a wish that is overtaken ends at its next yield."""

    def __init__(self, work: Callable[[W], Iterator[R]], name: str) -> None:
        self._work = work
        self._changed = threading.Condition()
        self._wish: list[W] = []
        self._found: list[R] = []
        self._busy = self._closing = False
        self._error: Exception | None = None
        threading.Thread(target=self._run, name=name, daemon=True).start()

    def submit(self, wish: W) -> None:
        """Ask for ``wish`` in place of whatever waits; returns at once."""
        with self._changed:
            self._wish = [wish]
            self._changed.notify_all()

    def poll(self, seconds: float = 0.0) -> list[R]:
        """What was found since the last call; may wait ``seconds`` for it. Raises what went wrong in the thread."""
        with self._changed:
            self._changed.wait_for(lambda: self._found or self._error, seconds)
            if self._error:
                error, self._error = self._error, None
                raise error
            found, self._found = self._found, []
        return found

    @property
    def busy(self) -> bool:
        """Whether something is still to come."""
        with self._changed:
            return self._busy or bool(self._wish)

    def wait(self, seconds: float) -> bool:
        """Wait until nothing is left to do; False if that takes longer. For tests and pictures."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._busy and not self._wish, seconds)

    def close(self) -> None:
        """End the thread at its next yield."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._wish or self._closing)
                if self._closing:
                    return
                wish = self._wish.pop()
                self._busy = True
            try:
                for result in self._work(wish):
                    with self._changed:
                        if self._closing:
                            return
                        self._found.append(result)
                        self._changed.notify_all()
                        if self._wish:
                            break
            except Exception as error:  # raised again by the next poll, in the player's thread
                with self._changed:
                    self._error = error
            finally:
                with self._changed:
                    self._busy = False
                    self._changed.notify_all()
