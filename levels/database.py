"""An SQLite file that can be lost without losing much: opened with suspicion, set aside when broken, backed up.

The journal is a rollback journal, not a write-ahead log: rows are few, one file is easier to copy and to keep on a
network drive, and a reader needs nothing to be created beside it.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path as FilePath
from typing import TypeVar

from levels.datafolder import Notice, locked, make_folder, set_aside, sync_folder

BUSY_S = 5.0
"""Seconds to wait for another process that is writing."""

RETRY_S = 5.0
"""Seconds after which the disk is asked again, where what it refused is kept in memory."""

Statement = tuple[str, Sequence[object]]
Migration = Sequence[str]
"""The statements that lead from one ``user_version`` to the next."""

T = TypeVar("T")

_NUMBERS = {
    sqlite3.SQLITE_READONLY: errno.EACCES,
    sqlite3.SQLITE_CANTOPEN: errno.EACCES,
    sqlite3.SQLITE_PERM: errno.EACCES,
    sqlite3.SQLITE_FULL: errno.ENOSPC,
    sqlite3.SQLITE_BUSY: errno.EBUSY,
    sqlite3.SQLITE_LOCKED: errno.EBUSY,
}
"""What the system would have said."""

_BROKEN = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


class Database:
    """The database ``file`` in the folder ``data``, made on the first write.

    One connection, which threads take in turns. ``notices`` gathers what the player should hear of. Methods raise
    OSError where the disk refuses or another process holds the file for longer than :data:`BUSY_S`. Not so with
    ``spare``: then a copy in memory takes the place of the file, :attr:`refused` says why, and what was written
    meanwhile goes to the disk as soon as that takes it (:meth:`retry`).
    """

    def __init__(self, data: FilePath, file: str, migrations: Sequence[Migration], *, spare: bool = False) -> None:
        self.data = data
        self.path = data / file
        self.backup = self.path.with_suffix(".backup")
        self.migrations = migrations
        self.notices: list[Notice] = []
        self._connection: sqlite3.Connection | None = None
        self._backed_up = False
        self._mutex = threading.RLock()
        self.refused: OSError | None = None
        self._spare = spare
        self._memory: sqlite3.Connection | None = None
        self._waiting: list[tuple[Statement, ...]] = []
        self._again = 0.0

    def close(self) -> None:
        """Close the file; what waits in memory is tried a last time."""
        with self._mutex:
            if self._memory is not None and self._waiting:
                self._again = 0.0
                self.retry()
            self._shut()

    def _shut(self) -> None:
        if self._connection:
            self._connection.close()
        self._connection = None

    def rows(self, query: str, values: Sequence[object] = ()) -> list[sqlite3.Row]:
        """The rows of a query; none where there is no database yet."""

        def read(connection: sqlite3.Connection) -> list[sqlite3.Row]:
            return connection.execute(query, values).fetchall()

        with self._mutex:
            if self._memory is not None:
                return read(self._memory)
            try:
                if not (self._connection or self.path.exists() or self.backup.exists()):
                    return []
                return self._do(read)
            except OSError as error:
                if not self._spare:
                    raise
                return read(self._stand_in(error))

    def write(self, *statements: Statement) -> int:
        """Execute statements as one transaction; returns how many rows the last one changed."""
        with self._mutex:
            self.retry()
            if self._memory is None:
                try:
                    return self._write(statements)
                except OSError as error:
                    if not self._spare:
                        raise
                    self._stand_in(error)
            assert self._memory is not None
            self._waiting.append(statements)
            return _change(self._memory, statements)

    def retry(self) -> bool:
        """Bring what waits in memory to the disk, at most once in :data:`RETRY_S`; whether nothing waits any more."""
        with self._mutex:
            memory = self._memory
            if memory is None:
                return True
            if time.monotonic() < self._again:
                return False
            self._again = time.monotonic() + RETRY_S
            try:
                self._write(())  # opens the file, and asks whether it can be written
                while self._waiting:
                    self._write(self._waiting[0])
                    del self._waiting[0]
            except OSError as error:
                self.refused = error
                self._shut()
                return False
            memory.close()
            self._memory = self.refused = None
            return True

    def probe(self) -> None:
        """Find out, without writing anything, whether the folder can be written, and go over to memory if not."""
        with self._mutex:
            if self._memory is not None or not self._spare:
                return
            place = next(folder for folder in (self.data, *self.data.parents) if os.path.lexists(folder))
            if not place.is_dir():
                self._stand_in(OSError(errno.ENOTDIR, "not a folder", str(place)))
            elif not os.access(place, os.W_OK):
                self._stand_in(OSError(errno.EACCES, "not allowed", str(place)))

    def _stand_in(self, error: OSError) -> sqlite3.Connection:
        """A copy in memory takes the place of the file, as far as that can be read; without it a new one does."""
        self.refused, self._again = error, time.monotonic() + RETRY_S
        memory = connect_memory()
        with contextlib.suppress(sqlite3.Error, OSError):
            if self.path.exists():
                with contextlib.closing(connect(self.path, "ro")) as source:
                    source.backup(memory)
                if not self._version(memory) <= len(self.migrations):
                    raise sqlite3.DatabaseError("newer")
                self._migrate(memory)
                self._memory = memory
        if self._memory is None:
            memory.close()
            self._memory = memory = connect_memory()
            self._migrate(memory)
        self._shut()
        return memory

    def _write(self, statements: Sequence[Statement]) -> int:
        def change(connection: sqlite3.Connection) -> int:
            if not self._backed_up:
                self._back_up(connection)
            return _change(connection, statements)

        return self._do(change)

    def _do(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """``work`` with an open connection; again with a mended database where this one proves to be broken."""
        try:
            try:
                return work(self._connection or self._open())
            except sqlite3.DatabaseError as error:
                if not _is_broken(error):
                    raise
                self._shut()
                return work(self._open())
        except sqlite3.Error as error:
            number = _NUMBERS.get(getattr(error, "sqlite_errorcode", 0) & 0xFF, errno.EIO)
            raise OSError(number, str(error), str(self.path)) from error

    # --- opening -----------------------------------------------------------------------------------------

    def _open(self) -> sqlite3.Connection:
        make_folder(self.data)
        if self._trouble(self.path) is not None:
            with locked(self.data):
                trouble = self._trouble(self.path)  # another process may have mended it meanwhile
                if trouble is not None:
                    self._mend(trouble)
        # SQLite would make the file readable for everybody.
        os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
        connection = connect(self.path, "rw")
        try:
            self._migrate(connection)
        except BaseException:
            connection.close()
            raise
        self._connection = connection
        return connection

    def _trouble(self, path: FilePath) -> str | None:
        """Why a database cannot be used, or None. One that is missing or empty is trouble only if a backup exists."""
        if not path.exists() or path.stat().st_size == 0:
            return "is missing" if path != self.backup and self.backup.exists() else None
        try:
            with contextlib.closing(connect(path, "rw")) as connection:
                version: int = connection.execute("PRAGMA user_version").fetchone()[0]
                if version > len(self.migrations):
                    return f"was written by a newer Perwatt (version {version}; this one reads {len(self.migrations)})"
                found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
                tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
                if found != "ok":
                    return "is damaged"
                if not self._tables(version) <= tables or (version == 0 and tables):
                    return "is not one of Perwatt's"
        except sqlite3.DatabaseError as error:
            if not _is_broken(error):
                raise
            return "is damaged"
        return None

    def _tables(self, version: int) -> set[str]:
        with contextlib.closing(sqlite3.connect(":memory:")) as fresh:
            for migration in self.migrations[:version]:
                for statement in migration:
                    fresh.execute(statement)
            return {row[0] for row in fresh.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}

    def _mend(self, trouble: str) -> None:
        """Set the broken database aside and bring back the backup, if that is good. The folder is locked."""
        aside = None
        # The journals go first: left behind, they would be played into the next database of this name.
        for end in ("-journal", "-wal", "-shm", ""):
            path = self.path.with_name(self.path.name + end)
            if path.exists():
                aside = set_aside(self.data, path)
        moved = f" It is now {aside.relative_to(self.data).as_posix()}." if aside else ""
        after = "A new one begins."
        if self.backup.exists():
            if self._trouble(self.backup) is None:
                _replace(self.path, lambda new: new.write_bytes(self.backup.read_bytes()))
                after = "Its backup, made before the first change of an earlier session, is in its place."
            else:
                set_aside(self.data, self.backup)
        self.notices.append(Notice(f"The progress file {trouble}.{moved} {after}", aside))

    def _migrate(self, connection: sqlite3.Connection) -> None:
        if self._version(connection) == len(self.migrations):
            return
        with _transaction(connection):
            # Read again: another process may have been faster.
            version = self._version(connection)
            for migration in self.migrations[version:]:
                for statement in migration:
                    connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {len(self.migrations):d}")

    def _version(self, connection: sqlite3.Connection) -> int:
        version: int = connection.execute("PRAGMA user_version").fetchone()[0]
        return version

    def _back_up(self, connection: sqlite3.Connection) -> None:
        """Copy what stands before the first write of this session; without room for it the write still goes on."""
        self._backed_up = True

        def copy(new: FilePath) -> None:
            with contextlib.closing(sqlite3.connect(new)) as target:
                connection.backup(target)

        with contextlib.suppress(OSError, sqlite3.OperationalError):
            _replace(self.backup, copy)


def connect(path: FilePath, mode: str) -> sqlite3.Connection:
    """A connection in autocommit mode; ``mode`` is ro or rw. Raises :class:`sqlite3.Error`."""
    connection = sqlite3.connect(
        f"{path.as_uri()}?mode={mode}", uri=True, timeout=BUSY_S, isolation_level=None, check_same_thread=False
    )
    connection.row_factory = sqlite3.Row
    return connection


def connect_memory() -> sqlite3.Connection:
    """An empty database in memory, in autocommit mode."""
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    return connection


def _change(connection: sqlite3.Connection, statements: Sequence[Statement]) -> int:
    changed = 0
    with _transaction(connection):
        for statement, values in statements:
            changed = connection.execute(statement, values).rowcount
    return changed


def _is_broken(error: sqlite3.DatabaseError) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _BROKEN


@contextlib.contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _replace(path: FilePath, make: Callable[[FilePath], object]) -> None:
    """Let ``make`` write a new file beside ``path``, and give it that name in one step."""
    new = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    os.close(os.open(new, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        make(new)
        with new.open("rb+") as stream:
            os.fsync(stream.fileno())
        new.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            new.unlink()
        raise
    sync_folder(path.parent)
