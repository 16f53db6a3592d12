"""A design as one line of text, for the clipboard: ``PW1:`` + base64(zlib(JSON)).

The JSON is the tree that a design file holds. Such a text comes from strangers, so every step of unpacking it is
bounded before it is taken: characters, unpacked bytes, values, nesting, digits.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
import re
import zlib
from collections import Counter
from typing import TYPE_CHECKING, Any, NoReturn

from engine.errors import InvalidError
from levels.codes import bounded, problem, show
from levels.files import build
from levels.reader import MAX_DEPTH, MAX_DIGITS, MAX_NODES, NOT_FINITE, Document, check_digits, tree_problems

if TYPE_CHECKING:
    from engine.model import Design

PREFIX = "PW1:"
MAX_CHARACTERS = 256 * 1024
MAX_BYTES = 1024 * 1024
FILE = "text"
"""What messages call the place that the text came from."""

# Matches at every quotation mark, closed or not: a pattern that could fail there would be tried again from the next.
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)', re.DOTALL)


def encode(design: Design) -> str:
    """The design as one line of text.

    Raises :class:`engine.errors.InvalidError` for a design that :func:`decode` would refuse.
    """
    from levels.trees import design_tree

    text = json.dumps(design_tree(design), separators=(",", ":"), ensure_ascii=False, allow_nan=True)
    packed = base64.b64encode(zlib.compress(text.encode("utf-8", "surrogatepass"), 9)).decode()
    line = PREFIX + packed
    decode(line)
    return line


def decode(text: str) -> Design:
    """The design of a text; white space is ignored, for texts that were wrapped on their way.

    Raises :class:`engine.errors.InvalidError` with codes ``text-…``, or with those of design files.
    """
    document = Document(_json(_unpack(text)), FILE)
    if problems := tree_problems(document.tree, FILE):
        raise InvalidError(bounded(problems))
    design, problems = build(document, "design")
    if design is None:
        raise InvalidError(bounded(problems))
    result: Design = design
    return result


def _fail(code: str, message: str) -> NoReturn:
    raise InvalidError([problem(code, message, file=FILE)])


def _unpack(text: str) -> bytes:
    if len(text) > MAX_CHARACTERS:
        _fail("text-size", f"the text has {len(text)} characters; allowed are {MAX_CHARACTERS}")
    begins, text = text.strip()[:12], "".join(text.split())
    if not text.startswith(PREFIX):
        if newer := re.match(r"PW(\d{1,9}):", text):
            message = f"this is a text of version {newer[1]}; this Perwatt reads {PREFIX[2:-1]}: update Perwatt"
            _fail("newer-format", message)
        _fail("text-prefix", f"a design as text begins with {PREFIX}; found {show(begins)}: copy the whole line")
    try:
        packed = base64.b64decode(text[len(PREFIX) :], validate=True)
    except (binascii.Error, ValueError):
        _fail("text-base64", "the text is damaged: characters are missing or were changed; copy the whole line")
    unpacker = zlib.decompressobj()
    try:
        data = unpacker.decompress(packed, MAX_BYTES)
    except zlib.error:
        _fail("text-zlib", "the text is damaged: it does not unpack; copy the whole line")
    if not unpacker.eof and (unpacker.unconsumed_tail or len(data) == MAX_BYTES):
        _fail("text-expands", f"the text unpacks to more than {MAX_BYTES} bytes; that is the most allowed")
    if not unpacker.eof:
        _fail("text-zlib", "the text is cut off: its end is missing; copy the whole line")
    if unpacker.unused_data:
        _fail("text-trailing", f"{len(unpacker.unused_data)} bytes follow the design's end: copy one line only")
    return data


def _json(data: bytes) -> Any:
    """Parse JSON whose size and depth are measured first, since the parser recurses."""
    bare = _STRING.sub(b'""', data)
    if bare.count(b",") + bare.count(b"[") + bare.count(b"{") > MAX_NODES:
        _fail("too-many-nodes", f"the text has more than {MAX_NODES} values; that is the most allowed")
    depth = 0
    for bracket in re.findall(rb"[\[\]{}]", bare):
        depth += 1 if bracket in b"[{" else -1
        if depth > MAX_DEPTH:
            _fail("too-deep", f"nested more than {MAX_DEPTH} deep; that is the most allowed")
    try:
        return json.loads(
            data.decode("utf-8"),
            object_pairs_hook=_object,
            parse_int=_int,
            parse_float=_float,
            parse_constant=_constant,
        )
    except UnicodeDecodeError:
        _fail("not-utf8", "the unpacked text is no UTF-8: copy the whole line")
    except json.JSONDecodeError as error:
        _fail("text-json", f"the unpacked text is no JSON ({error.msg}, character {error.pos}): copy the whole line")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        _fail("duplicate-key", f"the key {show(twice)} stands twice in one mapping: keep one of them")
    return result


def _int(digits: str) -> int:
    if wrong := check_digits(digits.lstrip("-")):
        _fail(*wrong)
    return int(digits)


def _float(digits: str) -> float:
    if len(digits) > 2 * MAX_DIGITS:
        message = f"found a number of {len(digits)} characters; allowed are {2 * MAX_DIGITS}: round it"
        _fail("number-too-long", message)
    if not math.isfinite(value := float(digits)):
        _fail("not-finite", f"found {digits}, which is beyond what a number can hold; {NOT_FINITE}")
    return value


def _constant(name: str) -> NoReturn:
    _fail("not-finite", f"found {name}; {NOT_FINITE}")
