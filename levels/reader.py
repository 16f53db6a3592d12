"""A reader of YAML that gives up early.

Level and design files come from anywhere, so what a file can cost is bounded before it is paid: nesting, number
of values, length of texts and numbers. Anchors, aliases, tags, merge keys and further documents, which no level
needs and which make small files large, are refused. PyYAML's C parser gives events; this module makes a plain
tree of dict, list, str, int, float, bool and None from them, remembers where every key and value stood, and says
what is wrong in its own words.

Scalars follow the core schema of YAML 1.2: ``no`` is text, ``012`` is twelve, ``1e3`` is a number. Keys are
always text.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import Any

from yaml.error import MarkedYAMLError
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from engine.errors import InvalidError, Path, Problem
from levels.codes import MAX_PROBLEMS, bounded, problem, show

MAX_DEPTH = 32
MAX_NODES = 50_000
MAX_TEXT = 10_000
MAX_KEY = 128
MAX_DIGITS = 20

Mark = tuple[int, int]
"""Line and column, both from 1; columns count characters."""

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")
_INT = re.compile(r"[-+]?[0-9]+")
_BASED = re.compile(r"0o([0-7]+)|0x([0-9a-fA-F]+)")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_WORDS = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}


@dataclass
class Document:
    """What stood in a file: the plain tree, and where each part of it stood.

    ``values`` and ``keys`` give the mark of each value and of each key, by path. ``problems`` are those that left
    the rest of the document readable; ``lost`` are the paths of values that were refused: None in the tree.
    """

    tree: Any
    file: str = ""
    values: dict[Path, Mark] = field(default_factory=dict)
    keys: dict[Path, Mark] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    lost: set[Path] = field(default_factory=set)


def read_yaml(data: bytes, file: str = "") -> Document:
    """Read one YAML document.

    Raises :class:`engine.errors.InvalidError` where nothing can be made of the rest (no UTF-8, no YAML, a bound
    passed). Everything else that is wrong is in the result's ``problems``.
    """
    text = decode_utf8(data, file)
    # Commas and line ends bound the number of values from above well enough to refuse a flood without reading it.
    if text.count(",") + text.count("\n") > MAX_NODES:
        raise InvalidError([problem("too-many-nodes", _TOO_MANY, file=file)])
    composer = _Composer(text, file)
    try:
        return composer.document()
    except MarkedYAMLError as error:
        composer.problems.append(_syntax(error, text, file))
    except InvalidError as error:
        composer.problems += error.problems
    raise InvalidError(bounded(composer.problems))


def decode_utf8(data: bytes, file: str = "") -> str:
    """The text of a file: UTF-8, with or without a byte order mark, without control characters.

    Raises :class:`engine.errors.InvalidError`.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8-sig", "replace")
        message = f"found the byte 0x{data[error.start]:02x}, which is no UTF-8: save the file with the encoding UTF-8"
        raise InvalidError([problem("not-utf8", message, file=file, at=_mark(before, len(before)))]) from None
    if found := _CONTROL.search(text):
        at = _mark(text, found.start())
        raise InvalidError([problem("control-character", _control(found), file=file, at=at)])
    return text


def check_text(text: str, limit: int = MAX_TEXT) -> tuple[str, str] | None:
    """Why ``text`` may not be a value: (code, message), or None where it may."""
    if len(text) > limit:
        message = f"found a text of {len(text)} characters; allowed are {limit}: shorten it"
        return "text-too-long", message
    if found := _CONTROL.search(text) or re.search("\r", text):
        return "control-character", _control(found)
    return None


def check_digits(digits: str) -> tuple[str, str] | None:
    """Why a whole number may not have these ``digits``: (code, message), or None where it may."""
    if len(digits) <= MAX_DIGITS:
        return None
    message = f"found a number of {len(digits)} digits; allowed are {MAX_DIGITS}: write a smaller number"
    return "number-too-long", message


_TOO_MANY = f"the file has more than {MAX_NODES} values; that is the most allowed"

NOT_FINITE = "allowed is a number that is finite: leave the key out where nothing should limit it"


class _Composer:
    """Turns the event stream into a tree, by recursion that :data:`MAX_DEPTH` bounds."""

    def __init__(self, text: str, file: str) -> None:
        self.parser = _new_parser(text)
        self.file = file
        self.nodes = 0
        self.result = Document(None, file)
        self.problems = self.result.problems

    def document(self) -> Document:
        self.parser.get_event()
        start = self.parser.get_event()
        if isinstance(start, StreamEndEvent):
            message = "the file is empty: a level or design begins with perwatt: 1"
            raise InvalidError([problem("empty-file", message, file=self.file, at=(1, 1))])
        self.result.tree = self.node(self.parser.get_event(), (), 0)
        self.parser.get_event()
        after = self.parser.get_event()
        if isinstance(after, DocumentStartEvent):
            message = "a second document begins here: a file holds one level or one design"
            self.fail("many-documents", message, (), after)
        return self.result

    def add(self, found: Problem) -> None:
        """Keep a problem; a file that gathers them by the thousand is not worth reading on."""
        self.problems.append(found)
        if len(self.problems) > MAX_PROBLEMS:
            raise InvalidError([])

    def say(self, code: str, message: str, path: Path, event: Any) -> None:
        self.add(problem(code, message, path, file=self.file, at=_at(event)))

    def fail(self, code: str, message: str, path: Path, event: Any) -> None:
        raise InvalidError([problem(code, message, path, file=self.file, at=_at(event))])

    def node(self, event: Any, path: Path, depth: int) -> Any:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            self.fail("too-many-nodes", _TOO_MANY, (), event)
        self.result.values[path] = _at(event)
        if event.anchor is not None or isinstance(event, AliasEvent):
            sign = "the alias" if isinstance(event, AliasEvent) else "the anchor"
            message = f"found {sign} {show(event.anchor)}; such are not allowed: write the value out"
            self.say("alias", message, path, event)
            if isinstance(event, AliasEvent):
                self.result.lost.add(path)
                return None
        if event.tag is not None:
            message = f"found the tag {show(event.tag)}; tags are not allowed: write the plain value"
            self.say("tag", message, path, event)
            self.result.lost.add(path)
        if isinstance(event, ScalarEvent):
            return self.scalar(event, path)
        if depth >= MAX_DEPTH:
            message = f"nested more than {MAX_DEPTH} deep; that is the most allowed"
            self.fail("too-deep", message, path[:4], event)
        if isinstance(event, SequenceStartEvent):
            return self.sequence(path, depth + 1)
        assert isinstance(event, MappingStartEvent)
        return self.mapping(path, depth + 1)

    def sequence(self, path: Path, depth: int) -> list[Any]:
        items: list[Any] = []
        while not isinstance(event := self.parser.get_event(), SequenceEndEvent):
            items.append(self.node(event, (*path, len(items)), depth))
        return items

    def mapping(self, path: Path, depth: int) -> dict[str, Any]:
        result: dict[str, Any] = {}
        while not isinstance(event := self.parser.get_event(), MappingEndEvent):
            key = self.key(event, path)
            if key is None or key in result:
                # Read on, so that the rest of the file is checked, but keep nothing of the value.
                kept = self.result.values, self.result.keys
                self.result.values, self.result.keys = {}, {}
                if not isinstance(event, ScalarEvent):
                    self.node(event, path, depth)
                self.node(self.parser.get_event(), (*path, key or "?"), depth)
                self.result.values, self.result.keys = kept
                continue
            self.result.keys[(*path, key)] = _at(event)
            result[key] = None
            result[key] = self.node(self.parser.get_event(), (*path, key), depth)
        return result

    def key(self, event: Any, path: Path) -> str | None:
        """The text of a key, or None (and a problem) where it is none or stood before."""
        if not isinstance(event, ScalarEvent) or event.tag is not None or event.anchor is not None:
            self.say("bad-key", "a key is plain text: write name: value", path, event)
            return None
        text: str = event.value
        if text == "<<" and not event.style:
            self.say("merge-key", "the merge key << is not allowed: write the keys out", path, event)
        elif text == "":
            self.say("bad-key", "a key is missing before the colon: write name: value", path, event)
        elif wrong := check_text(text, MAX_KEY):
            self.say(*wrong, path, event)
        else:
            if first := self.result.keys.get((*path, text)):
                message = f"the key {show(text)} stands here a second time, first on line {first[0]}: keep one of them"
                self.say("duplicate-key", message, (*path, text), event)
            return text
        return None

    def scalar(self, event: Any, path: Path) -> Any:
        text: str = event.value
        wrong = check_text(text)
        if wrong is None and not event.style:
            if text in _WORDS:
                return _WORDS[text]
            if _INT.fullmatch(text):
                wrong = check_digits(text.lstrip("+-"))
                if wrong is None:
                    return int(text)
            elif based := _BASED.fullmatch(text):
                wrong = check_digits(text[2:])
                if wrong is None:
                    return int(based[1], 8) if based[1] else int(based[2], 16)
            elif _FLOAT.fullmatch(text):
                if len(text) > 2 * MAX_DIGITS:
                    message = f"found a number of {len(text)} characters; allowed are {2 * MAX_DIGITS}: round it"
                    wrong = "number-too-long", message
                elif math.isfinite(value := float(text)):
                    return value
                else:
                    wrong = "not-finite", f"found {text}, which is beyond what a number can hold; {NOT_FINITE}"
            elif _NOT_FINITE.fullmatch(text):
                wrong = "not-finite", f"found {text}; {NOT_FINITE}"
        if wrong is None:
            return text
        self.say(*wrong, path, event)
        self.result.lost.add(path)
        return None


def _new_parser(text: str) -> Any:
    """A parser with ``get_event``: libyaml's, or PyYAML's own where that was not built."""
    try:
        from yaml._yaml import CParser
    except ImportError:
        return plain_parser(text)
    return CParser(text)


def plain_parser(text: str) -> Any:
    """PyYAML's own parser, in Python: the same events, some fifty times slower."""
    from yaml.parser import Parser
    from yaml.reader import Reader
    from yaml.scanner import Scanner

    class PlainParser(Reader, Scanner, Parser):
        def __init__(self) -> None:
            Reader.__init__(self, text)
            Scanner.__init__(self)
            Parser.__init__(self)

    return PlainParser()


def _at(event: Any) -> Mark:
    return event.start_mark.line + 1, event.start_mark.column + 1


def _mark(text: str, index: int) -> Mark:
    """Line and column of a character of ``text``."""
    start = text.rfind("\n", 0, index) + 1
    return text.count("\n", 0, index) + 1, index - start + 1


def _control(found: re.Match[str]) -> str:
    return f"found the control character U+{ord(found[0]):04X}, which may not stand in a file: delete it"


# What the parsers say, in part (libyaml and PyYAML differ in a few words), and what it means to an author.
_SYNTAX = (
    ("mapping values are not allowed", "a colon that cannot begin a value: quote text that holds ': '"),
    ("expected key", "a line that does not fit those above: check its indentation and the quotes before it"),
    (
        "expected <block end>",
        "a line that does not fit those above: check its indentation and the quotes before it",
    ),
    ("expected ',' or ']'", "a list that is not closed or lacks a comma: write [1, 2]"),
    ("expected ',' or '}'", "a mapping that is not closed or lacks a comma: write {a: 1, b: 2}"),
    ("expected node content", "a comma or bracket where a value is missing: write the value"),
    ("unexpected end of stream", "a quotation mark that is not closed: close it"),
    ("could not find expected ':'", "a line without a colon after its key: write key: value"),
    ("expected '-' indicator", "a line that is no entry of the list above: check its indentation"),
    ("sequence entries are not allowed", "a list that cannot begin here: begin it on a new line below its key"),
    ("escape", "an unknown escape in double quotes: write \\\\ for a backslash, or use single quotes"),
)


def _syntax(error: MarkedYAMLError, text: str, file: str) -> Problem:
    """The parser's complaint in our words."""
    said = str(error.problem or error.context or "no YAML")
    mark = error.problem_mark or error.context_mark
    if "could not find expected ':'" in said:
        mark = error.context_mark or mark  # the key itself; the problem is noticed on the next line
    at = (mark.line + 1, mark.column + 1) if mark else (0, 0)
    lines = text.split("\n")
    line = lines[at[0] - 1] if 0 < at[0] <= len(lines) else ""
    here = line[at[1] - 1 : at[1]]
    if "tab" in said or here == "\t" or (at[1] > 1 and not line[: at[1] - 1].strip() and "\t" in line[: at[1] - 1]):
        return problem("tab", "found a tab; lines are indented with spaces: replace it", file=file, at=at)
    if "cannot start any token" in said:
        message = f"a value cannot begin with {show(here)}: put the text in quotes"
        return problem("syntax", message, file=file, at=at)
    for part, message in _SYNTAX:
        if part in said:
            return problem("syntax", f"found {message}", file=file, at=at)
    return problem("syntax", f"this is not YAML ({said}): check the line and the one above", file=file, at=at)


def tree_problems(tree: Any, file: str = "") -> list[Problem]:
    """What the reader would say of the texts of a tree that came from elsewhere (JSON), without marks."""
    problems: list[Problem] = []
    todo: list[tuple[Path, Any]] = [((), tree)]
    while todo and len(problems) <= MAX_PROBLEMS:
        path, value = todo.pop()
        if isinstance(value, dict):
            for key in value:
                if wrong := check_text(key, MAX_KEY):
                    problems.append(problem(*wrong, path, file=file))
            todo += [((*path, key), item) for key, item in value.items()]
        elif isinstance(value, list):
            todo += [((*path, i), item) for i, item in enumerate(value)]
        elif isinstance(value, str) and (wrong := check_text(value)):
            problems.append(problem(*wrong, path, file=file))
    return problems
