"""Printing: tables, figures, problems and JSON, on a terminal and in a pipe.

rich is imported only where the output is a terminal. Text from files is never read as markup, and its control and
bidirectional characters are escaped.
"""

from __future__ import annotations

import functools
import json as jsonlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ParamSpec

from engine.errors import InvalidError, Problem, UsageError
from levels.codes import clean, tidy

P = ParamSpec("P")

# fmt: off
UNREADABLE = frozenset((
    "usage", "unknown-level", "no-such-file", "not-a-file", "unreadable-file", "file-too-large", "file-outside",
    "not-utf8", "control-character", "empty-file", "syntax", "tab", "many-documents", "too-deep", "too-many-nodes",
    "text-prefix", "text-size", "text-base64", "text-zlib", "text-expands", "text-trailing", "text-json",
))
# fmt: on
"""Codes of problems that leave no document to judge: exit code 2. All others are exit code 1."""


# --- JSON and problems -----------------------------------------------------------------------------------


def emit(document: dict[str, Any]) -> None:
    """Print one JSON object. Not-a-numbers are a defect and raise ValueError."""
    print(jsonlib.dumps(document, allow_nan=False, indent=1))


def as_json(problem: Problem) -> dict[str, Any]:
    """A problem as the JSON contract has it."""
    return {
        "file": problem.file,
        "line": problem.line,
        "column": problem.column,
        "path": problem.where,
        "code": problem.code,
        "message": problem.message,
    }


def exit_code(problems: Sequence[Problem]) -> int:
    """2 where a file could not be read (or the command was used wrongly), 1 where its content is wrong, else 0."""
    errors = [p for p in problems if p.severity == "error"]
    return 2 if any(p.code in UNREADABLE for p in errors) else 1 if errors else 0


def complain(problems: Sequence[Problem], json: bool) -> int:
    """Tell what is wrong, on stderr or as JSON, and return the exit code."""
    if json:
        split = split_problems(problems)
        emit({"format": 1, "verdict": "invalid", **split})
    else:
        print_problems(problems)
    return exit_code(problems)


def split_problems(problems: Sequence[Problem]) -> dict[str, list[dict[str, Any]]]:
    """Problems and warnings, as JSON has them beside each other."""
    return {
        "problems": [as_json(p) for p in problems if p.severity == "error"],
        "warnings": [as_json(p) for p in problems if p.severity != "error"],
    }


def print_problems(problems: Sequence[Problem]) -> None:
    """One line per problem on stderr: ``file:line:column: path: message``."""
    for problem in map(tidy, problems):
        word = "" if problem.severity == "error" else "warning: "
        print(f"{word}{problem}", file=sys.stderr)
        if os.environ.get("GITHUB_ACTIONS") == "true":
            print(annotation(problem))


def annotation(problem: Problem) -> str:
    """The problem as a workflow command, which GitHub shows beside the line in question."""

    def data(text: str) -> str:
        return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")

    def attribute(text: str) -> str:
        return data(text).replace(":", "%3A").replace(",", "%2C")

    level = "error" if problem.severity == "error" else "warning"
    place = f"file={attribute(problem.file)}" + (f",line={problem.line},col={problem.column}" if problem.line else "")
    return f"::{level} {place}::{data(': '.join(p for p in (problem.where, problem.message) if p))}"


CLOSED_PIPE = 141
"""The exit code by which shells tell that a reader has gone: no verdict of a design or level."""


def command(function: Callable[P, int]) -> Callable[P, int]:
    """Make a command tell what is wrong with its files and arguments instead of raising it."""

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> int:
        json = bool(kwargs.get("json"))
        try:
            code = function(*args, **kwargs)
            sys.stdout.flush()
            return code
        except InvalidError as error:
            return complain(error.problems, json)
        except UsageError as error:
            return complain([Problem("usage", str(error))], json)
        except BrokenPipeError:
            # The reader has gone (perwatt levels | head): be silent, also when Python closes stdout.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return CLOSED_PIPE
        except OSError as error:
            return complain([Problem("usage", error.strerror or str(error), file=str(error.filename or ""))], json)

    return call


# --- Text ------------------------------------------------------------------------------------------------


def is_terminal() -> bool:
    return sys.stdout.isatty()


@functools.cache
def console() -> Any:
    """The rich console for standard output; colours follow NO_COLOR and the terminal."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False)


def say(text: str = "", style: str = "") -> None:
    """Print a line. The style counts on a terminal only; ``text`` is never markup."""
    if style and is_terminal():
        console().print(text, style=style, soft_wrap=True)
    else:
        print(text)


def table(headers: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[int] = ()) -> None:
    """Print a table; the columns ``numbers`` are set flush right."""
    rows = [[clean(cell, 200) for cell in row] for row in rows]
    if is_terminal():
        from rich.table import Table
        from rich.text import Text

        grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
        for i, header in enumerate(headers):
            grid.add_column(header, justify="right" if i in numbers else "left", overflow="fold")
        for row in rows:
            grid.add_row(*(Text(cell) for cell in row))
        console().print(grid)
        return
    widths = [max([len(header), *(len(row[i]) for row in rows)]) for i, header in enumerate(headers)]
    for line in (headers, *rows):
        cells = [c.rjust(w) if i in numbers else c.ljust(w) for i, (c, w) in enumerate(zip(line, widths, strict=True))]
        print("  ".join(cells).rstrip())


def figure(value: float, digits: int = 3) -> str:
    """``value`` to so many significant digits, without exponent from 0.001 up: 1.00, 250, 12345."""
    if value == 0:
        return "0"
    if abs(value) >= 10**digits:
        return f"{value:.0f}"
    if abs(value) < 0.001:
        return f"{value:.{digits - 1}e}"
    text = f"{value:#.{digits}g}"
    # Rounding may have carried 999.96 over to 1.000e+03.
    return f"{float(text):.0f}" if "e" in text else text.rstrip(".")


def share(value: float) -> str:
    """A share of 1 in per cent."""
    return f"{100 * value:.0f} %"


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[..., None]]:
    """A progress bar on stderr where that is a terminal. Call what is yielded once per piece of work done, or with the
    number of pieces."""
    if not sys.stderr.isatty():
        yield lambda _, pieces=1: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)

        def advance(done: str, pieces: int = 1) -> None:
            bar.update(task, advance=pieces, description=f"{what} {clean(done, 40)}")

        yield advance
