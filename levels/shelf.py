"""The player's designs: any number for each level, each in a folder of its own, saved after every change.

::

    designs/<level id>/003-three-taps-1a2b3c4d/design.yaml          the design, as any design file
                                               older-000041.yaml    what it was before

A folder's name is made once, from a running number (the order on the shelf), the design's first name and a hash of
that name. It stays when the design gets another name: the name that counts stands in the file. So a rename is a save
like any other, and deleting, restoring and creating are each one atomic rename of a folder.

A file that cannot be read is never written over and never hides the others: it is set aside, the newest older version
that is good takes its place, and a :class:`levels.datafolder.Notice` says so.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import secrets
import shutil
import threading
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import TYPE_CHECKING

from engine.errors import InvalidError, UsageError
from levels.codes import clean, problem
from levels.datafolder import DESIGNS, TRASH, Notice, data_folder, locked, make_folder, set_aside, sync_folder
from levels.files import DESIGN_BYTES, build, read_file
from levels.generations import keep, older_versions, sweep, thin
from levels.names import KEY, clean_name, free_name, key_of, number_of
from levels.reader import read_yaml
from levels.save import design_text, save_design
from levels.writing import write_file

if TYPE_CHECKING:
    from engine.model import Design

CURRENT = "design.yaml"

_LEVEL = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_NEW = ".new-"


@dataclass(frozen=True, slots=True)
class Item:
    """A design on the shelf. ``key`` is its folder's name, and stays as long as the design does."""

    level: str
    key: str
    name: str


@dataclass(frozen=True, slots=True)
class Version:
    """What a design was before; ``saved`` is when, in seconds since 1970."""

    saved: float
    design: Design


class Shelf:
    """The designs in a data folder. Safe to use from several threads and, beside others, from several processes.

    Methods raise :class:`engine.errors.InvalidError` for a design that cannot be read or written as a file, and
    OSError where the disk refuses; what was saved before then still stands.
    """

    def __init__(self, data: str | FilePath | None = None) -> None:
        self.data = data_folder(data)
        self._good: dict[FilePath, bytes] = {}  # digest of what was last read or written there
        self._names: dict[FilePath, tuple[tuple[int, int, int], str]] = {}
        self._notices: list[Notice] = []
        self._told: set[str] = set()
        self._mutex = threading.RLock()

    # --- looking -----------------------------------------------------------------------------------------

    def designs(self, level: str) -> list[Item]:
        """The level's designs, oldest first. Broken files are set aside on the way."""
        with self._mutex:
            found = ((key, self._name(level, key)) for key in _keys(self._place(DESIGNS, level)))
            return [Item(level, key, name) for key, name in found if name is not None]

    def load(self, item: Item) -> Design:
        """The design as it was last saved; where that cannot be read, the newest older version that can."""
        with self._mutex:
            design = self._open(item.level, item.key)
        if design is None:
            message = f"the design '{clean(item.name)}' is not there, or cannot be read any more"
            raise InvalidError([problem("no-such-file", message, file=str(self.path(item)))])
        return design

    def older(self, item: Item) -> list[Version]:
        """What the design was before, newest first, as far as it is kept."""
        versions = []
        for path in older_versions(self.path(item).parent):
            with contextlib.suppress(InvalidError, OSError):
                saved = path.stat().st_mtime
                versions.append(Version(saved, self._read(path, item.level)))
        return versions

    def trashed(self, level: str) -> list[Item]:
        """Deleted designs of the level that can be restored, in the order of the shelf."""
        items = []
        for key in _keys(self._place(TRASH, level)):
            folder = self._place(TRASH, level, key)
            name = key.split("-", 1)[1].rsplit("-", 1)[0]
            for path in (folder / CURRENT, *older_versions(folder)):
                with contextlib.suppress(InvalidError):
                    name = self._read(path, level).name
                    break
            items.append(Item(level, key, name))
        return items

    def has_trash(self, level: str) -> bool:
        """Whether :meth:`trashed` finds any, without reading them."""
        return bool(_keys(self._place(TRASH, level)))

    def path(self, item: Item) -> FilePath:
        """The design's file."""
        return self._place(DESIGNS, item.level, item.key) / CURRENT

    def take_notices(self) -> list[Notice]:
        """What happened since the last call that the player should hear of."""
        with self._mutex:
            taken, self._notices = self._notices, []
            return taken

    # --- changing ----------------------------------------------------------------------------------------

    def create(self, design: Design, name: str = "") -> Item:
        """Put a design on the shelf of its level, last in order, as ``name`` (default: its own) or "name 2", …"""
        with self._mutex:
            name = self._free_name(design.level, name or design.name)
            return Item(design.level, self._put(design.level, None, _named(design, name)), name)

    def save(self, item: Item, design: Design) -> None:
        """Replace the design in one step, and keep what it was as an older version. Its name stays the item's."""
        if design.level != item.level:
            raise UsageError(f"a design for {design.level} cannot be saved as one of {item.level}")
        design = _named(design, item.name)
        with self._mutex:
            path = self.path(item)
            if not path.parent.is_dir():
                self._put(item.level, item.key, design)
                self._tell(f"The design '{clean(item.name)}' had been deleted elsewhere; it is saved again.")
                return
            with locked(path.parent.parent) as held:
                if held:
                    sweep(path.parent)
                data = _bytes(design)
                if self._guard(path, item) == data:
                    return
                kept = keep(path)
                try:
                    save_design(design, path)
                except BaseException:
                    if kept:
                        kept.unlink()
                    raise
                sync_folder(path.parent)
                self._good[path] = _digest(data)
                thin(path.parent)

    def rename(self, item: Item, name: str) -> Item:
        """Give a design another name, or "name 2", … where another design of the level has that."""
        with self._mutex:
            name = clean_name(name)
            if name == item.name:
                return item
            renamed = Item(item.level, item.key, self._free_name(item.level, name, item.key))
            self.save(renamed, self.load(item))
            return renamed

    def duplicate(self, item: Item) -> Item:
        """A copy of a design under the next free name, last in order."""
        return self.create(self.load(item), item.name)

    def delete(self, item: Item) -> Item:
        """Move a design, with its older versions, to the trash; the result is what :meth:`restore` takes."""
        return self._move(item, DESIGNS, TRASH)

    def restore(self, item: Item) -> Item:
        """Take a design of :meth:`trashed` back to its place on the shelf."""
        with self._mutex:
            back = self._move(item, TRASH, DESIGNS)
            name = self._free_name(back.level, item.name, back.key)
            return back if name == back.name else self.rename(back, name)

    # --- inside ------------------------------------------------------------------------------------------

    def _place(self, part: str, level: str, key: str | None = None) -> FilePath:
        """A level's folder, or a design's. Nothing but ids and keys ever becomes part of a path."""
        if not _LEVEL.fullmatch(level):
            raise UsageError(f"'{clean(level, 80)}' is not the id of a level")
        if key is not None and not KEY.fullmatch(key):
            raise UsageError(f"'{clean(key, 80)}' is not the key of a design")
        return self.data / part / level / (key or "")

    def _read(self, path: FilePath, level: str) -> Design:
        data = read_file(path, DESIGN_BYTES)
        design = _parse(data, path, level)
        self._good[path] = _digest(data)
        return design

    def _open(self, level: str, key: str) -> Design | None:
        """The design in a folder, mended if need be; None where there is no good version."""
        path = self._place(DESIGNS, level, key) / CURRENT
        try:
            return self._read(path, level)
        except InvalidError as error:
            if not path.parent.is_dir():
                return None
            try:
                with locked(path.parent.parent):
                    return self._mend(path, level)
            except OSError as refused:
                self._tell(f"A design of {level} cannot be read ({_reason(error)}), nor mended ({_said(refused)}).")
                return None

    def _mend(self, path: FilePath, level: str) -> Design | None:
        """Set a broken file aside and bring the newest good older version back. The level's folder is locked."""
        problem_was, aside = "its file is missing", None
        try:
            return self._read(path, level)  # another process may have mended it
        except InvalidError as error:
            if _has(error, "unreadable-file"):
                self._tell(f"A design of {level} cannot be read: {clean(str(path))}: {_reason(error)}.")
                return None
            if not _has(error, "no-such-file"):
                problem_was, aside = _reason(error), set_aside(self.data, path)
        moved = f" The file is now {aside.relative_to(self.data).as_posix()}." if aside else ""
        for older in older_versions(path.parent):
            try:
                design = self._read(older, level)
            except InvalidError as error:
                if not _has(error, "unreadable-file"):
                    set_aside(self.data, older)
                continue
            # A copy and no link, so that the two files cannot be damaged at once.
            write_file(path, older.read_bytes())
            sync_folder(path.parent)
            name = clean(design.name)
            self._tell(f"The design '{name}' could not be read: {problem_was}.{moved} Its last version is back.", aside)
            return design
        if aside:
            self._tell(f"A design of {level} could not be read: {problem_was}.{moved} No older version is good.", aside)
        with contextlib.suppress(OSError):
            path.parent.rmdir()
        return None

    def _guard(self, path: FilePath, item: Item) -> bytes | None:
        """What stands in the file that is about to be replaced, or None; a broken file is set aside first."""
        try:
            data = read_file(path, DESIGN_BYTES)
            if _digest(data) != self._good.get(path):
                _parse(data, path, item.level)
                if path in self._good:
                    message = "was changed elsewhere as well; that state is kept as an older version"
                    self._tell(f"The design '{clean(item.name)}' {message}.")
            return data
        except InvalidError as error:
            if _has(error, "unreadable-file"):
                raise OSError(f"{path}: {_reason(error)}") from None
            if not _has(error, "no-such-file"):
                aside = set_aside(self.data, path)
                where = aside.relative_to(self.data).as_posix()
                self._tell(f"The file of '{clean(item.name)}' had been damaged. It is now {where}.", aside)
            return None

    def _put(self, level: str, key: str | None, design: Design) -> str:
        """Make a design's folder, complete before it is seen; returns its key."""
        shelf = make_folder(self.data, DESIGNS, level)
        with locked(shelf) as held:
            if held:
                for left in shelf.glob(f"{_NEW}*"):
                    shutil.rmtree(left, ignore_errors=True)
            new = shelf / f"{_NEW}{secrets.token_hex(4)}"
            new.mkdir(mode=0o700)
            try:
                save_design(design, new / CURRENT)
                sync_folder(new)
                key = self._rename(new, shelf, level, key or key_of(design.name))
            except BaseException:
                shutil.rmtree(new, ignore_errors=True)
                raise
            self._good[shelf / key / CURRENT] = _digest(_bytes(design))
            return key

    def _move(self, item: Item, start: str, end: str) -> Item:
        with self._mutex:
            folder = self._place(start, item.level, item.key)
            target = make_folder(self.data, end, item.level)
            with locked(make_folder(self.data, DESIGNS, item.level)):
                key = self._rename(folder, target, item.level, item.key)
            sync_folder(folder.parent)
            return Item(item.level, key, item.name)

    def _rename(self, folder: FilePath, target: FilePath, level: str, key: str) -> str:
        """Move a design's folder into ``target`` as ``key``, with the next free number where that is taken."""
        if number_of(key) == 0 or (target / key).exists():
            taken = [*_keys(self._place(DESIGNS, level)), *_keys(self._place(TRASH, level))]
            number = 1 + max((number_of(k) for k in taken), default=0)
            key = f"{number:03d}-{key.split('-', 1)[1]}"
        folder.rename(target / key)
        sync_folder(target)
        return key

    def _name(self, level: str, key: str) -> str | None:
        """The name of a design, from the file only if that changed since the last time."""
        path = self._place(DESIGNS, level, key) / CURRENT
        seen = _signature(path)
        known = self._names.get(path)
        if seen and known and known[0] == seen:
            return known[1]
        design = self._open(level, key)
        if design is None:
            return None
        name = clean_name(design.name)
        if seen and seen == _signature(path):
            self._names[path] = (seen, name)
        return name

    def _free_name(self, level: str, text: str, key: str | None = None) -> str:
        """The name, or "name 2", … where a design of the level other than ``key`` has it."""
        return free_name(text, [item.name for item in self.designs(level) if item.key != key])

    def _tell(self, message: str, aside: FilePath | None = None) -> None:
        if message not in self._told:
            self._told.add(message)
            self._notices.append(Notice(message, aside))


def _named(design: Design, name: str) -> Design:
    return design if design.name == name else design.model_copy(update={"name": name})


def _bytes(design: Design) -> bytes:
    return design_text(design).encode("utf-8", "surrogatepass")


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def _parse(data: bytes, path: FilePath, level: str) -> Design:
    design, problems = build(read_yaml(data, str(path)), "design")
    if design is None:
        raise InvalidError(problems)
    result: Design = design
    if result.level != level:
        message = f"it belongs to {result.level} and lies in the folder of {level}"
        raise InvalidError([problem("bad-value", message, ("level",), file=str(path))])
    return result


def _keys(folder: FilePath) -> list[str]:
    """The keys of the designs in a folder, in the order of the shelf."""
    try:
        with os.scandir(folder) as entries:
            found = [entry.name for entry in entries if KEY.fullmatch(entry.name) and entry.is_dir()]
    except OSError:
        return []
    return sorted(found, key=lambda key: (number_of(key), key))


def _signature(path: FilePath) -> tuple[int, int, int] | None:
    try:
        info = path.stat()
    except OSError:
        return None
    return info.st_mtime_ns, info.st_size, info.st_ino


def _has(error: InvalidError, code: str) -> bool:
    return any(p.code == code for p in error.problems)


def _reason(error: InvalidError) -> str:
    return error.problems[0].message.rstrip(".")


def _said(error: OSError) -> str:
    return error.strerror or str(error)
