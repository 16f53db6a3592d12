"""Writing level and design files, so that a reader of the folder never sees half a file.

A design is written anew, in one fixed form. A level belongs to its author: only the keys that changed are touched;
comments, order and spacing of the rest stay.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable
from io import StringIO
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from engine.errors import InvalidError
from levels.codes import bounded, problem
from levels.files import DESIGN_BYTES, LEVEL_BYTES, build, load_level_file, read_file
from levels.migrate import Kind
from levels.reader import read_yaml
from levels.trees import design_tree
from levels.writing import write_file

if TYPE_CHECKING:
    from engine.model import Design, Level

# Words that some reader of YAML takes for something else than text.
_SPECIAL = {"y", "n", "yes", "no", "on", "off", "true", "false", "null"}
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_PLAIN_LINE = re.compile(r"[A-Za-z](?:[^:\s]|:(?=\S)| (?=[^#\s]))*")


def save_design(design: Design, path: str | FilePath) -> None:
    """Write a design file; what stood there is replaced in one step.

    Raises :class:`engine.errors.InvalidError`, and writes nothing, if reading it would not give this design again;
    OSError if it cannot be written.
    """
    _write_first([design_text(design)], design, "design", DESIGN_BYTES, FilePath(path))


def save_level(level: Level, path: str | FilePath) -> None:
    """Write a level into its file, which keeps everything but the keys that changed; or write a new file.

    Raises :class:`engine.errors.InvalidError`, and writes nothing, if the file that stands there, or the one that
    would be written, cannot be read; OSError if it cannot be written.
    """
    path = FilePath(path)
    if not path.exists():
        tree = level.model_dump(mode="json", by_alias=True, exclude_defaults=True)
        said = {key: value for key, value in tree.items() if value not in ({}, [])}
        _write_first([document_text(said)], level, "level", LEVEL_BYTES, path)
        return
    old, new = (
        each.model_dump(mode="json", by_alias=True, exclude_none=True) for each in (load_level_file(path).level, level)
    )
    if old == new:
        return
    before = read_file(path, LEVEL_BYTES).decode("utf-8-sig")
    texts = _edited(before.replace("\r\n", "\n"), old, new)
    if "\r\n" in before:
        texts = [text.replace("\n", "\r\n") for text in texts]
    _write_first(texts, level, "level", LEVEL_BYTES, path)


def design_text(design: Design) -> str:
    """The text of a design file: one row for each pad, core and wire."""
    return document_text(design_tree(design))


def document_text(tree: dict[str, Any]) -> str:
    """The text of a file: one row for each key, and for each entry of what holds lists or mappings."""
    lines = []
    for key, value in tree.items():
        if not value or not isinstance(value, dict | list) or not _has_rows(value):
            lines.append(f"{_text(key)}: {_value(value)}")
            continue
        lines.append(f"{_text(key)}:")
        if isinstance(value, list):
            lines += [f"  - {flow(row)}" for row in value]
        else:
            lines += [f"  {_text(name)}: {flow(row)}" for name, row in value.items()]
    return "\n".join(lines) + "\n"


def flow(value: Any) -> str:
    """A plain value as YAML on one line: {id: add1, at: [6, 7]}."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_text(key)}: {flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(flow(item) for item in value) + "]"
    if isinstance(value, str):
        return _text(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, float):
        return {"inf": ".inf", "-inf": "-.inf", "nan": ".nan"}.get(repr(value), repr(value))
    return repr(value)


def _write_first(texts: list[str], document: Level | Design, kind: Kind, limit: int, path: FilePath) -> None:
    """Write the first of the texts that reads as ``document``, so that no save loses or alters anything."""
    problems = []
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        if len(data) > limit:
            message = f"the file would have {len(data)} bytes; allowed are {limit}"
            problems = [problem("file-too-large", message, file=str(path))]
            continue
        try:
            found, problems = build(read_yaml(data, str(path)), kind)
        except InvalidError as error:
            problems = error.problems
        else:
            if found == document:
                write_file(path, data)
                return
    assert problems, f"the text of this {kind} reads as another {kind}"
    raise InvalidError(bounded(problems))


def _has_rows(value: dict[str, Any] | list[Any]) -> bool:
    """Whether the entries of a list or mapping get a row each: where some of them are mappings."""
    items: Iterable[Any] = value.values() if isinstance(value, dict) else value
    return any(isinstance(item, dict) for item in items)


def _text(text: str) -> str:
    if _PLAIN.fullmatch(text) and text.lower() not in _SPECIAL:
        return text
    # A JSON string is a YAML string.
    return json.dumps(text, ensure_ascii=False)


def _value(value: Any) -> str:
    """A value behind ``key: `` at the left margin; texts of several lines as a block."""
    if not isinstance(value, str):
        return flow(value)
    if _PLAIN_LINE.fullmatch(value) and value.lower() not in _SPECIAL:
        return value
    lines = value.split("\n")
    if len(lines) == 1 or value[0].isspace() or not all(line.isprintable() for line in lines):
        return json.dumps(value, ensure_ascii=False)
    chomp = "-" if lines[-1] else "" if lines[-2] else "+"
    body = lines if lines[-1] else lines[:-1]
    return f"|{chomp}\n" + "\n".join(f"  {line}" if line else "" for line in body)


def _edited(before: str, old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """The text of a level with the keys in which ``new`` differs from ``old`` changed; the best one first."""
    from ruamel.yaml import YAML

    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = 10_000
    entry = re.search(r"^\w+:[^\S\n]*(?:#.*)?\n( *)- ", before, re.MULTILINE)
    offset = len(entry[1]) if entry else 2
    yaml.indent(mapping=2, sequence=offset + 2, offset=offset)
    tree = yaml.load(before)
    _change(tree, old, new)
    stream = StringIO()
    yaml.dump(tree, stream)
    after = stream.getvalue()
    return [_respaced(before, after), after]


def _change(tree: Any, old: Any, new: Any) -> None:
    """Carry the differences between two plain mappings, or lists of one length, into ruamel's tree of the first.

    A key of ``old`` may be missing in the tree, where the file leaves a default out.
    """
    if isinstance(new, dict):
        for key in [key for key in old if key not in new and key in tree]:
            del tree[key]
    for key, value in new.items() if isinstance(new, dict) else enumerate(new):
        before = old.get(key) if isinstance(old, dict) else old[key]
        if before == value:
            continue
        alike = isinstance(before, dict) and isinstance(value, dict)
        alike |= isinstance(before, list) and isinstance(value, list) and len(before) == len(value)
        if alike and (isinstance(new, list) or key in tree):
            _change(tree[key], before, value)
        else:
            tree[key] = _rows(value)


def _rows(value: Any) -> Any:
    """The value for ruamel: on one line, or with a row for each entry as :func:`document_text` has it."""
    from ruamel.yaml.comments import CommentedMap, CommentedSeq

    def on_one_line(value: Any) -> Any:
        result: Any
        if isinstance(value, dict):
            result = CommentedMap((key, on_one_line(item)) for key, item in value.items())
        elif isinstance(value, list):
            result = CommentedSeq(on_one_line(item) for item in value)
        else:
            return value
        result.fa.set_flow_style()
        return result

    result = on_one_line(value)
    if isinstance(value, dict | list) and _has_rows(value):
        result.fa.set_block_style()
    return result


def _respaced(before: str, after: str) -> str:
    """``after`` with the lines of ``before`` wherever both differ in white space alone: ruamel aligns nothing."""
    old, new = before.split("\n"), after.split("\n")

    def bare(lines: list[str]) -> list[str]:
        return ["".join(line.split()) for line in lines]

    lines: list[str] = []
    for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, bare(old), bare(new), autojunk=False).get_opcodes():
        lines += old[i1:i2] if tag == "equal" else new[j1:j2]
    return "\n".join(lines)
