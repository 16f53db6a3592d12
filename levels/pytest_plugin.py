"""A pytest plugin: every level file in a folder becomes tests, one per claim.

``pytest my-levels/`` collects ``01-map.yaml::schema``, ``::reference[naive]``, ``::wrong[x]``, ``::medals`` and
``::levers``. Only pytest and the standard library are imported here, since every pytest run on a machine where
Perwatt is installed imports this module; and only files that look like levels are opened further.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from engine.errors import Problem
    from levels.check import Checker

HEAD_BYTES = 4096
_LEVEL = re.compile(rb"^perwatt[ \t]*:", re.MULTILINE), re.compile(rb"^kernel[ \t]*:", re.MULTILINE)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a YAML file with ``perwatt:`` and ``kernel:`` at the start of lines in its first 4 kB."""
    if file_path.suffix != ".yaml" or not _looks_like_level(file_path):
        return None
    return LevelFile.from_parent(parent, path=file_path)


def _looks_like_level(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            head = stream.read(HEAD_BYTES)
    except OSError:
        return False
    return all(pattern.search(head) for pattern in _LEVEL)


class LevelFile(pytest.File):
    """A level. Its items share one checker, so that every design runs once."""

    def collect(self) -> Iterable[pytest.Item]:
        from levels.check import Checker

        checker = Checker(self.path)
        yield self._item("schema", checker.schema)
        if checker.loaded is None:
            return
        level = checker.loaded.level
        for role in checker.roles():
            yield self._item(f"reference[{role}]", partial(checker.reference, role), checker)
        for name in level.wrong:
            yield self._item(f"wrong[{name}]", partial(checker.wrong_problems, name), checker)
        if level.reference:
            yield self._item("medals", checker.medals, checker)
        if level.levers:
            yield self._item("levers", checker.lever_problems, checker)

    def _item(self, name: str, find: Callable[[], Any], checker: Checker | None = None) -> ClaimItem:
        item: ClaimItem = ClaimItem.from_parent(self, name=name)
        item.find, item.checker = find, checker
        return item


class ClaimItem(pytest.Item):
    """One claim of a level: it holds if ``find`` finds no error. Warnings become pytest's."""

    find: Callable[[], list[Problem]]
    checker: Checker | None
    """Set where the claim can only be looked at if the level itself is sound."""

    def runtest(self) -> None:
        if self.checker and not self.checker.sound:
            pytest.skip("the level itself is not sound: see ::schema")
        errors = list(self._errors())
        if errors:
            raise ClaimError(errors)

    def _errors(self) -> Iterator[Problem]:
        for problem in self.find():
            if problem.severity == "error":
                yield problem
            else:
                self.warn(pytest.PytestWarning(str(problem)))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, ClaimError):
            return "\n".join(str(problem) for problem in excinfo.value.problems)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, self.name


class ClaimError(Exception):
    """A claim of a level does not hold."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__(problems)
        self.problems = problems
