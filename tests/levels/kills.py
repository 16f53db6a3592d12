"""Kill processes at random moments of saving, and look at what stands. Prints one JSON object of counts.

``python -m tests.levels.kills saves|moves|runs KILLS SEED FOLDER``. One process imports everything and forks the
victims, so that a kill costs milliseconds. Whatever breaks the promise raises.
"""

from __future__ import annotations

import json
import os
import random
import signal
import struct
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from engine.model import Latency, Metrics, Report
from levels.shelf import Item, Shelf
from levels.store import Progress, read_bests
from tests.levels.shelf_designs import LEVEL, design, state_of

LONGEST_S = 0.025


def victim(work: Callable[[Callable[[int], None]], None], life_s: float) -> list[int]:
    """Fork a process that does ``work``, kill it after ``life_s``; returns the numbers that it reported."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            work(lambda number: os.write(writing, struct.pack("q", number)) and None)
        finally:
            os._exit(3)  # the work never ends by itself
    os.close(writing)
    time.sleep(life_s)
    os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    assert os.WIFSIGNALED(status), "the victim failed before it was killed"
    with os.fdopen(reading, "rb") as pipe:
        data = pipe.read()
    return [number for (number,) in struct.iter_unpack("q", data[: len(data) // 8 * 8])]


def saves(kills: int, chance: random.Random, data: Path) -> Counter[str]:
    """Save in a tight loop: the last state stands, or the one that was just being saved; its forebears load too."""
    counts: Counter[str] = Counter()
    item = Shelf(data).create(design(0))
    other = Shelf(data).create(design(77), "bystander")
    folder = Shelf(data).path(item).parent
    last = 0
    for _ in range(kills):

        def work(report: Callable[[int], None], start: int = last) -> None:
            shelf = Shelf(data)
            for state in range(start + 1, sys.maxsize):
                shelf.save(item, design(state))
                report(state)

        done = victim(work, chance.uniform(0, LONGEST_S))
        counts["left over"] += any(p.name.startswith(".") for p in folder.iterdir())
        shelf = Shelf(data)
        assert shelf.designs(LEVEL) == [item, other]
        state = state_of(shelf.load(item))
        sure = max([last, *done])
        assert state in (sure, sure + 1), (sure, state)
        assert state_of(shelf.load(other)) == 77
        # Of a killed save its older version may already stand: then it equals the present one.
        older = [state_of(version.design) for version in shelf.older(item)]
        assert older == sorted(older, reverse=True)
        assert not older or older[0] in (state - 1, state), (state, older)
        assert shelf.take_notices() == []
        assert not (data / "set-aside").exists()
        counts["saves"] += len(done)
        counts["not yet reported"] += state != sure
        last = state
    Shelf(data).save(item, design(last + 1))
    assert not [path for path in folder.iterdir() if path.name.startswith(".")], "what the killed left is not cleared"
    return counts


def moves(kills: int, chance: random.Random, data: Path) -> Counter[str]:
    """Create, rename, duplicate, delete, restore and mend in a tight loop: every design is in one place and loads."""
    counts: Counter[str] = Counter()
    made = set()
    for state in range(3):
        made.add(Shelf(data).create(design(state), f"d{state}").key)
    for _ in range(kills):
        seed = chance.random()

        def work(report: Callable[[int], None], seed: float = seed) -> None:
            shelf, order = Shelf(data), random.Random(seed)
            while True:
                items = shelf.designs(LEVEL)
                item = order.choice(items)
                act = order.choice(("rename", "copy", "trash", "damage"))
                if act == "rename":
                    shelf.rename(item, f"d{order.randrange(100)}")
                elif act == "copy":
                    if len(items) < 8:
                        shelf.duplicate(item)
                elif act == "trash":
                    shelf.restore(shelf.delete(item))
                else:
                    shelf.save(item, design(state_of(shelf.load(item)) + 3))
                    shelf.path(item).write_bytes(b"")
                    shelf.load(item)
                report(1)

        counts["acts"] += len(victim(work, chance.uniform(0, LONGEST_S)))
        shelf = Shelf(data)
        there = shelf.designs(LEVEL)
        gone = shelf.trashed(LEVEL)
        keys = [item.key for item in (*there, *gone)]
        assert made <= set(keys), made - set(keys)
        assert len(keys) == len(set(keys))
        made = set(keys)
        for item in there:
            state_of(shelf.load(item))
        for item in gone:
            counts["killed in the trash"] += 1
            state_of(shelf.load(shelf.restore(item)))
    return counts


def report_of(number: int, **more: object) -> Report:
    metrics = Metrics(
        efficiency_launches_per_nj=float(number),
        throughput_launches_per_us=1.0,
        power_mw=1.0,
        latency_ns=Latency(median=1.0, worst=1.0),
        footprint_tiles=9,
        cores=1,
        wire_tiles=1,
        launches=12,
    )
    return Report(verdict="pass", level=LEVEL, design="x", metrics=metrics, level_hash="l", design_hash="d").model_copy(
        update=more
    )


def runs(kills: int, chance: random.Random, data: Path) -> Counter[str]:
    """Record runs in a tight loop: every run that was reported is there, and at most one more."""
    counts: Counter[str] = Counter()
    last = 0
    for _ in range(kills):

        def work(report: Callable[[int], None], start: int = last) -> None:
            progress = Progress(data)
            for number in range(start + 1, sys.maxsize):
                progress.record(design(number), report_of(number))
                report(number)

        done = victim(work, chance.uniform(0, LONGEST_S))
        sure = max([last, *done])
        counts["journals"] += (data / "progress.sqlite-journal").exists()
        if sure:
            assert read_bests(data)[LEVEL][0] in (sure, sure + 1)
        progress = Progress(data)
        found = [run.efficiency for run in progress.runs(LEVEL)]
        assert found in ([float(n) for n in range(1, m + 1)] for m in (sure, sure + 1)), (sure, found[-3:])
        assert progress.take_notices() == []
        progress.close()
        counts["runs"] += len(done)
        last = len(found)
    return counts


def together(_: int, chance: random.Random, data: Path) -> Counter[str]:
    """Two processes save one design 60 times each while a third reads: nothing fails, no state goes unkept."""
    first = Shelf(data).create(design(0))
    pids = []
    for who in (1, 2, 3):
        pid = os.fork()
        if pid == 0:
            code = 3
            try:
                _save_or_read(who, data, first)
                code = 0
            finally:
                os._exit(code)
        pids.append(pid)
    codes = [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in pids]
    assert codes == [0, 0, 0], codes
    shelf = Shelf(data)
    (item,) = shelf.designs(LEVEL)
    assert state_of(shelf.load(item)) in (160, 260)
    newest = max(path.name for path in shelf.path(item).parent.glob("older-*"))
    assert shelf.take_notices() == []
    return Counter({"versions": int(newest[6:12]), "runs": len(Progress(data).runs(LEVEL))})


def _save_or_read(who: int, data: Path, item: Item) -> None:
    shelf, progress = Shelf(data), Progress(data)
    for n in range(1, 61):
        if who == 3:
            assert shelf.designs(LEVEL) == [item]
            state_of(shelf.load(item))
            progress.runs(LEVEL)
        else:
            shelf.save(item, design(100 * who + n))
            progress.record(design(n), report_of(n))
    assert progress.take_notices() == []
    assert all("changed elsewhere" in notice.message for notice in shelf.take_notices())


if __name__ == "__main__":
    kind, kills, seed, folder = sys.argv[1:]
    kinds = {"saves": saves, "moves": moves, "runs": runs, "together": together}
    print(json.dumps(kinds[kind](int(kills), random.Random(int(seed)), Path(folder))))
