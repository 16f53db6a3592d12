"""Level and design files: read, check, and point at what is wrong.

A file is read within bounds (:mod:`levels.reader`), brought to the present version (:mod:`levels.migrate`) and
turned into its model (:mod:`levels.validate`); whatever is wrong is told at once, each with line and column. What
needs the engine to be found is found later and pointed at through :meth:`Source.locate`.
"""

from __future__ import annotations

import re
import stat
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from engine.errors import InvalidError, Path, Problem, raise_if_any
from levels.codes import bounded, problem, tidy
from levels.lookup import FOLDER_NAME, LEVEL_NAME, find_level
from levels.migrate import Kind, migrate
from levels.reader import Document, Mark, read_yaml

if TYPE_CHECKING:
    from engine.model import Design, Level

LEVEL_BYTES = 256 * 1024
DESIGN_BYTES = 1024 * 1024
BRIEF_WORDS = 60
HINTS = 2


@dataclass
class Source:
    """Where the parts of a document stand in its file."""

    file: str = ""
    values: dict[Path, Mark] = field(default_factory=dict)
    keys: dict[Path, Mark] = field(default_factory=dict)

    def locate(self, found: Problem) -> Problem:
        """The problem with file, line and column filled in, as near to its path as the text goes.

        A problem that already has a line keeps it. The texts of the result are safe to print.
        """
        file = found.file or self.file
        if found.line:
            return tidy(replace(found, file=file))
        for n in range(len(found.path), -1, -1):
            path = found.path[:n]
            key, value = self.keys.get(path), self.values.get(path)
            # A block below its key is pointed at by the key, and so is a key that should not be there at all.
            mark = value if value and (not key or (value[0] == key[0] and found.code != "unknown-key")) else key
            if mark:
                return tidy(replace(found, file=file, line=mark[0], column=mark[1]))
        return tidy(replace(found, file=file))


@dataclass
class LoadedLevel:
    """A level, where its parts stand, and what is unusual about it (``warnings``)."""

    level: Level
    source: Source
    path: FilePath
    warnings: list[Problem]


@dataclass
class LoadedDesign:
    """A design and where its parts stand; ``path`` is None for a design that came as text."""

    design: Design
    source: Source
    path: FilePath | None


def load_level(ref: str | FilePath, packs: Sequence[FilePath] = ()) -> Level:
    """The level that ``ref`` names: a file, an id, or ``<chapter>/<number>``, of the campaign or of ``packs``.

    Raises :class:`engine.errors.InvalidError` with every problem of the file, or where no such level is.
    """
    return load_level_file(find_level(ref, packs)).level


def load_design(ref: str | FilePath) -> Design:
    """The design of a file, or of a text that begins with ``PW1:``.

    Raises :class:`engine.errors.InvalidError` with every problem.
    """
    return load_design_file(ref).design


def load_level_file(path: str | FilePath) -> LoadedLevel:
    """Read a level file. Raises :class:`engine.errors.InvalidError` with every problem."""
    path = FilePath(path)
    document = read_yaml(read_file(path, LEVEL_BYTES), str(path))
    level, problems = build(document, "level")
    source = Source(document.file, document.values, document.keys)
    if level is not None:
        problems += [source.locate(p) for p in _level_problems(level, path)]
    raise_if_any(bounded(problems))
    assert level is not None
    return LoadedLevel(level, source, path, problems)


def load_design_file(ref: str | FilePath) -> LoadedDesign:
    """Read a design file, or a design as text. Raises :class:`engine.errors.InvalidError` with every problem."""
    if isinstance(ref, str) and re.match(r"\s*PW\d*:", ref):
        from levels.textform import decode

        return LoadedDesign(decode(ref), Source("text"), None)
    path = FilePath(ref)
    document = read_yaml(read_file(path, DESIGN_BYTES), str(path))
    design, problems = build(document, "design")
    raise_if_any(bounded(problems))
    assert design is not None
    return LoadedDesign(design, Source(document.file, document.values, document.keys), path)


def read_file(path: FilePath, limit: int) -> bytes:
    """The bytes of a regular file of at most ``limit`` bytes, whose size is asked for before it is opened.

    Raises :class:`engine.errors.InvalidError`.
    """
    file = str(path)
    try:
        info = path.stat()
        if not stat.S_ISREG(info.st_mode):
            what = "a folder" if stat.S_ISDIR(info.st_mode) else "no regular file"
            raise InvalidError([problem("not-a-file", f"this is {what}: name a .yaml file", file=file)])
        with path.open("rb") as stream:
            data = stream.read(limit + 1)
    except FileNotFoundError:
        message = "there is no such file: check its name and folder"
        raise InvalidError([problem("no-such-file", message, file=file)]) from None
    except (OSError, ValueError) as error:
        message = f"the file cannot be read ({getattr(error, 'strerror', None) or error}): check its name and rights"
        raise InvalidError([problem("unreadable-file", message, file=file)]) from None
    if max(info.st_size, len(data)) > limit:
        message = f"the file has {max(info.st_size, len(data))} bytes; allowed are {limit}"
        raise InvalidError([problem("file-too-large", message, file=file)])
    return data


def build(document: Document, kind: Kind) -> tuple[Any, list[Problem]]:
    """The Level or Design of a document, or None, and the problems with their marks.

    The models, and pydantic with them, are imported only for a document that has the right kind and version.
    Raises :class:`engine.errors.InvalidError` where it has not.
    """
    source = Source(document.file, document.values, document.keys)
    tree = document.tree
    if not isinstance(tree, dict):
        message = f"a {kind} is a mapping of keys to values: begin with perwatt: 1"
        raise InvalidError([source.locate(problem("not-a-mapping", message))])
    if kind == "level" and "kernel" not in tree and ("cores" in tree or "wires" in tree):
        message = "this is a design, and a level is wanted here: name a file with the key kernel"
        raise InvalidError([source.locate(problem("not-a-level", message))])
    if kind == "design" and "kernel" in tree:
        message = "this is a level, and a design is wanted here: name a file with the key cores"
        raise InvalidError([source.locate(problem("not-a-design", message))])
    try:
        tree = migrate(tree, kind, document.file)
    except InvalidError as error:
        raise InvalidError([source.locate(p) for p in error.problems]) from None

    from engine import model
    from levels.validate import validate

    result, found = validate(model.Level if kind == "level" else model.Design, tree, document.file, document.lost)
    return (None if document.problems else result), document.problems + [source.locate(p) for p in found]


def _level_problems(level: Level, path: FilePath) -> list[Problem]:
    """What the model cannot see: names of files and folders, and counts of words."""
    problems = []
    name, folder = LEVEL_NAME.match(path.name), FOLDER_NAME.match(path.absolute().parent.name)
    if folder and level.chapter != folder["slug"]:
        message = f"found '{level.chapter}'; the folder is {folder[0]}: write {folder['slug']}"
        problems.append(problem("id-mismatch", message, ("chapter",)))
    if folder and name:
        expected = f"{folder['slug']}-{path.name.removesuffix('.yaml')}"
        if level.id != expected:
            message = f"found '{level.id}'; folder and file make it {expected}: write that, or rename the file"
            problems.append(problem("id-mismatch", message, ("id",)))
    elif not level.number:
        message = f"found '{level.id}'; an id is <chapter>-<number>-<name>, e.g. {level.chapter}-01-map"
        problems.append(problem("id-mismatch", message, ("id",), severity="warning"))
    words = len(level.brief.split())
    if words > BRIEF_WORDS:
        message = f"found {words} words; allowed are {BRIEF_WORDS}: move the rest to field_note"
        problems.append(problem("long-brief", message, ("brief",)))
    if len(level.hints) != HINTS:
        message = f"found {len(level.hints)} hints; a level has {HINTS}: where to look, then what to do"
        problems.append(problem("few-hints", message, ("hints",), severity="warning"))
    return problems
