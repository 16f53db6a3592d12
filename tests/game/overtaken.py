"""A process aside that is told to leave off: run by itself, it says ``answered`` at its end."""

from __future__ import annotations

import threading
import time

from game.aside import Aside, Overtaken


def main() -> None:
    """Drop a call, and close during another one."""
    busy = Aside()

    def pid() -> int | None:
        return busy._process.pid if busy._process else None

    busy.start()
    busy.drop(0.0)  # nothing is going on
    assert busy.call(divmod, 7, 2) == (3, 1)
    raised: list[type[Exception]] = []

    def wait() -> None:
        try:
            busy.call(time.sleep, 60)
        except Exception as error:
            raised.append(type(error))

    thread = threading.Thread(target=wait)
    thread.start()
    while busy._since is None:
        time.sleep(0.001)
    busy.drop(30.0)  # it may well take so long
    assert thread.is_alive()
    busy.drop(0.0)
    thread.join(20)
    assert raised == [Overtaken]
    before = pid()
    assert before is not None and busy.call(divmod, 7, 2) == (3, 1) and pid() == before
    thread = threading.Thread(target=wait)
    thread.start()
    while busy._since is None:
        time.sleep(0.001)
    busy.close()
    thread.join(20)
    assert raised == [Overtaken, Overtaken] and pid() is None
    print("answered")


if __name__ == "__main__":
    main()
