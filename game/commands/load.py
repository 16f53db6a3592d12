"""Finding what a command's arguments name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine.errors import Problem, UsageError, nearest
from levels.codes import clean
from levels.files import LoadedDesign, LoadedLevel, load_design_file, load_level_file
from levels.lookup import find_level, sibling
from levels.writing import is_stream, need_place

ROLES = ("naive", "best", "start")


def all_packs(given: Sequence[Path] | None) -> list[Path]:
    """Where levels are looked for beside the campaign: ``--levels``, then ``levels`` in the data folder.

    Raises UsageError for a folder that is not there.
    """
    from levels.datafolder import data_folder

    for folder in given or ():
        if not folder.is_dir():
            raise UsageError(f"--levels {folder}: there is no such folder")
    return [*(given or ()), data_folder() / "levels"]


def level_and_design(level: str, design: str, packs: Sequence[Path] | None) -> tuple[LoadedLevel, LoadedDesign]:
    """The level and design of a command line. Raises InvalidError with the problems of both files.

    ``design`` is a file, a text ``PW1:…``, or the role of one of the level's own designs.
    """
    loaded = load_level_file(find_level(level, all_packs(packs)))
    is_file = design.startswith("PW") or "/" in design or "." in design or Path(design).exists()
    if not is_file and design not in ROLES:
        near = nearest(design, ROLES)
        raise UsageError(
            f"there is no design '{clean(design, 60)}': give a .yaml file, a text PW1:…, or {', '.join(ROLES)}"
            + (f"; did you mean {near}?" if near else "")
        )
    own = own_design(loaded, design) if design in ROLES and not Path(design).exists() else None
    return loaded, load_design_file(own or design)


def own_design(level: LoadedLevel, role: str) -> Path:
    """The level's design in this role. Raises UsageError if it has none."""
    reference = level.level.reference
    names = {"start": level.level.start}
    if reference:
        names |= {"naive": reference.naive, "best": reference.best, "wide": reference.wide}
    name = names.get(role)
    if name is None:
        raise UsageError(f"the level {level.level.id} has no {role} design")
    return sibling(level.path, name)


def board_problems(level: LoadedLevel, design: LoadedDesign) -> list[Problem]:
    """What keeps the design from being built on the level's board, pointed at in the files' text."""
    from engine.board import check_board
    from engine.elaborate import check_design

    found = [level.source.locate(p) for p in check_board(level.level)]
    if not any(p.severity == "error" for p in found):
        found += [design.source.locate(p) for p in check_design(level.level, design.design)]
    return found


def writable(path: Path, force: bool) -> Path:
    """``path``, unless it exists and may not be overwritten, or its folder is not there. Raises UsageError, OSError.

    Pipes and devices are written as they are: there is nothing to overwrite.
    """
    need_place(path)
    if path.exists() and not is_stream(path) and not force:
        raise UsageError(f"{path} exists already: choose another name, or give --force")
    return path


def writable_design(path: Path, force: bool) -> Path:
    """As :func:`writable`, of a design: a file that is read as one again."""
    if path.suffix.lower() not in (".yaml", ".yml") and not is_stream(path):
        raise UsageError(f"{path.name}: a design is a .yaml file: end the name in .yaml")
    return writable(path, force)
