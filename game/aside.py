"""Work in a process of its own: it cannot hold up a frame, as a thread of this process would.

A thread that computes in Python shares one interpreter with the frames and the score, and makes both take twice as
long. Here the thread only waits for an answer.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Overtaken(Exception):
    """The process was told to leave off."""


class Aside:
    """Calls functions in a process that waits for them; in this one until :meth:`start`, or if that process is lost."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._guard = threading.Lock()
        """Of what follows."""
        self._process: subprocess.Popen[bytes] | None = None
        self._dropped: subprocess.Popen[bytes] | None = None
        self._since: float | None = None

    def start(self) -> None:
        """Start the process. It ends with this one, however this one ends: nothing is left for it to read then."""
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "game.aside"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environment,
            )
        except OSError:
            self._process = None

    def call(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """What a module's function returns or raises; arguments and result are copies. Waits for its turn.

        Raises :class:`Overtaken` where :meth:`drop` or :meth:`close` was called meanwhile.
        """
        with self._turn:
            if self._process is not None and self._process is self._dropped:
                self._renew()
            process = self._process
            if process is not None and process.stdin and process.stdout:
                asked = pickle.dumps((function, args, kwargs))
                with self._guard:
                    self._since = time.monotonic()
                try:
                    process.stdin.write(asked)
                    process.stdin.flush()
                    good, answer = pickle.load(process.stdout)
                except (OSError, EOFError, ValueError, pickle.PickleError):
                    if process is self._dropped:
                        self._renew()
                    elif self._process is process:  # lost: the work is done here
                        self._end()
                        return function(*args, **kwargs)
                    raise Overtaken from None
                else:
                    if good:
                        found: R = answer
                        return found
                    raise answer
                finally:
                    with self._guard:
                        self._since = None
        return function(*args, **kwargs)

    def drop(self, after: float) -> None:
        """End what the process has been at for more than ``after`` seconds: nobody waits for it any more."""
        with self._guard:
            if self._process is not None and self._since is not None and time.monotonic() - self._since > after:
                self._dropped = self._process
                self._process.kill()

    def _renew(self) -> None:
        self._end()
        self.start()

    def close(self) -> None:
        """End the process, and with :class:`Overtaken` the call that waits for it."""
        self._end()

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()


def serve() -> None:
    """Answer calls until there is nobody left who could ask."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library may print is no answer
    while True:
        try:
            function, args, kwargs = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        answer: tuple[bool, Any]
        try:
            answer = True, function(*args, **kwargs)
        except Exception as error:
            answer = False, error
        answers.write(pickle.dumps(answer))
        answers.flush()


if __name__ == "__main__":
    serve()
