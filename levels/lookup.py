"""Which levels there are, and what their files are called.

::

    levels/1-gpu-puzzles/08b-mirror.yaml             the level gpu-puzzles-08b-mirror
    levels/1-gpu-puzzles/08b-mirror.best.yaml        one of its designs; the role is start, naive, best,
                                                     wrong-… or without-…

A pack is another folder with the same layout. Nothing here reads more of a file than its first lines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path as FilePath
from typing import NoReturn

from engine.errors import InvalidError, nearest
from levels.codes import clean, problem

FOLDER_NAME = re.compile(r"(?P<number>\d{1,3})-(?P<slug>[a-z0-9][a-z0-9-]*)\Z")
LEVEL_NAME = re.compile(r"(?P<number>\d{1,3}[a-z]?)-(?P<slug>[a-z0-9][a-z0-9-]*)\.yaml\Z")
DESIGN_NAME = re.compile(
    r"(?P<stem>\d{1,3}[a-z]?-[a-z0-9][a-z0-9-]*)\.(?P<role>start|naive|best|wide|(wrong|without)-[a-z0-9-]+)\.yaml\Z"
)
FILE_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,99}\.yaml\Z")
SIBLING_BYTES = 1024 * 1024
HEAD_BYTES = 4096

_HEAD_KEY = re.compile(r"^(?:id|title):.*$", re.MULTILINE)
_KIND = re.compile(rb"^(kernel|cores)\s*:", re.MULTILINE)


@dataclass(frozen=True)
class Entry:
    """A level of the campaign or of a pack. ``file`` is relative to ``root``, with ``/``."""

    id: str
    chapter: int
    chapter_slug: str
    number: str
    title: str
    file: str
    root: FilePath

    @property
    def path(self) -> FilePath:
        return self.root / self.file


def campaign_root() -> FilePath:
    """The folder of the packaged levels."""
    return FilePath(str(files("levels")))


def campaign(packs: Sequence[FilePath] = ()) -> list[Entry]:
    """All levels by chapter and number, those of ``packs`` after the campaign's.

    Of each file only the first lines are read, and files without a readable id take it from their name: an entry
    says where a level is, not that it is valid. Of two levels with one id the first counts.
    """
    entries: dict[str, Entry] = {}
    for root in (campaign_root(), *packs):
        for folder in sorted((p for p in _listed(root) if p.is_dir()), key=_natural):
            name = FOLDER_NAME.match(folder.name)
            if not name:
                continue
            for path in sorted(_listed(folder), key=_natural):
                if (level := LEVEL_NAME.match(path.name)) and path.is_file():
                    head = _head(path)
                    entry = Entry(
                        head.get("id", f"{name['slug']}-{path.stem}"),
                        int(name["number"]),
                        name["slug"],
                        level["number"],
                        head.get("title", path.stem),
                        f"{folder.name}/{path.name}",
                        root,
                    )
                    entries.setdefault(entry.id, entry)
    return list(entries.values())


def find_level(ref: str | FilePath, packs: Sequence[FilePath] = ()) -> FilePath:
    """The file of a level: an existing path, else an id, else ``<chapter>/<number>`` such as ``gpu-puzzles/08b``.

    Raises :class:`engine.errors.InvalidError` where there is none.
    """
    path = FilePath(ref)
    if isinstance(ref, FilePath) or _exists(path):
        return path
    entries = campaign(packs)
    for entry in entries:
        if entry.id == ref or _is_number(entry, ref):
            return entry.path
    _unknown(ref, [entry.id for entry in entries])


def iter_level_files(ref: str | FilePath, packs: Sequence[FilePath] = ()) -> tuple[FilePath, list[FilePath]]:
    """The root and the level files that ``ref`` means, in order.

    ``ref`` is an existing file or folder (searched to the bottom), else the word ``levels`` for the packaged campaign,
    else a chapter (its number or name) or a level, of the campaign or of ``packs``. Raises
    :class:`engine.errors.InvalidError` where it is none of these.
    """
    path = FilePath(ref)
    if path.is_dir():
        found = (p for p in path.rglob("*.yaml") if not any(part.startswith(".") for part in p.relative_to(path).parts))
        return path, sorted((p for p in found if is_level_file(p)), key=_natural)
    if isinstance(ref, FilePath) or _exists(path):
        return path.parent, [path]
    if ref == "levels":
        return campaign_root(), [entry.path for entry in campaign()]
    entries = campaign(packs)
    chosen = [e for e in entries if ref in (e.id, e.chapter_slug, str(e.chapter)) or _is_number(e, ref)]
    if not chosen:
        _unknown(ref, ["levels", *{e.chapter_slug: None for e in entries}, *(e.id for e in entries)])
    return chosen[0].root, [entry.path for entry in chosen]


def is_level_file(path: FilePath) -> bool:
    """Whether a folder's search should take this for a level: by its name, else by its key ``kernel``."""
    if not path.is_file() or DESIGN_NAME.match(path.name):
        return False
    return bool(LEVEL_NAME.match(path.name)) or kind_of(path) == "level"


def kind_of(path: FilePath) -> str | None:
    """``"level"`` for a file with the top key kernel, ``"design"`` for one with cores, None for any other."""
    try:
        with path.open("rb") as stream:
            found = _KIND.search(stream.read(SIBLING_BYTES))
    except OSError:
        return None
    return {b"kernel": "level", b"cores": "design"}[found[1]] if found else None


def designs_beside(level: FilePath) -> dict[str, FilePath]:
    """The level's design files by their role: ``{"best": …, "wrong-reads": …}``."""
    stem = level.name.removesuffix(".yaml")
    names = ((DESIGN_NAME.match(p.name), p) for p in sorted(_listed(level.parent)))
    return {name["role"]: p for name, p in names if name and name["stem"] == stem}


def sibling(level: FilePath, name: str) -> FilePath:
    """The file ``name`` in the folder of ``level``, to which the level refers.

    Raises :class:`engine.errors.InvalidError` unless it is the bare name of a regular file of at most 1 MB that
    really lies there: no link leads out.
    """
    path = level.parent / name
    if not FILE_NAME.match(name):
        message = f"found '{clean(name, 60)}'; allowed is the bare name of a .yaml file in the same folder"
        raise InvalidError([problem("bad-file-name", message)])
    if not path.exists():
        guess = nearest(name, [p.name for p in _listed(level.parent) if p.suffix == ".yaml"])
        hint = f"did you mean {guess}?" if guess else "write it, or take its name out"
        raise InvalidError([problem("no-such-file", f"there is no file {name} in the level's folder: {hint}")])
    if path.resolve().parent != level.parent.resolve():
        message = f"{name} is a link that leads out of the level's folder: put the file itself there"
        raise InvalidError([problem("file-outside", message)])
    if not path.is_file():
        raise InvalidError([problem("not-a-file", f"{name} is no regular file: put a design there")])
    if (size := path.stat().st_size) > SIBLING_BYTES:
        message = f"{name} has {size} bytes; allowed are {SIBLING_BYTES}"
        raise InvalidError([problem("file-too-large", message)])
    return path


def _unknown(ref: str, known: list[str]) -> NoReturn:
    if "/" in ref or "\\" in ref or ref.endswith((".yaml", ".yml")):
        message = "there is no such file, nor a level of this name: check the folder, or see perwatt levels"
        raise InvalidError([problem("no-such-file", message, file=ref)])
    guess = nearest(ref, known)
    hint = f"did you mean {guess}?" if guess else "see perwatt levels"
    raise InvalidError([problem("unknown-level", f"there is no level '{clean(ref, 60)}': {hint}")])


def _is_number(entry: Entry, ref: str) -> bool:
    """Whether ``ref`` is the entry's ``<chapter>/<number>``; leading zeros do not matter."""
    chapter, _, number = ref.partition("/")
    same = number.lstrip("0") == entry.number.lstrip("0")
    return bool(number) and same and chapter in (entry.chapter_slug, str(entry.chapter))


def _head(path: FilePath) -> dict[str, str]:
    """``id`` and ``title`` from a level's first lines, as far as they are there and are text."""
    from levels.reader import read_yaml

    try:
        with path.open("rb") as stream:
            lines = _HEAD_KEY.findall(stream.read(HEAD_BYTES).decode("utf-8", "ignore"))
        tree = read_yaml("\n".join(lines).encode()).tree
    except (OSError, InvalidError):
        return {}
    return {key: value for key, value in tree.items() if isinstance(value, str)}


def _exists(path: FilePath) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # longer than a name can be, or with a NUL
        return False


def _listed(folder: FilePath) -> list[FilePath]:
    try:
        return [p for p in folder.iterdir() if not p.name.startswith(".")]
    except OSError:
        return []


def _natural(path: FilePath) -> list[tuple[int, str]]:
    """A key that sorts 2-… before 10-…, and 08 before 08b."""
    return [(int(n or 0), text) for n, text in re.findall(r"(\d*)(\D*)", path.as_posix())]
