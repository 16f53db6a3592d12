"""From a plain tree to a model, or to everything that is wrong with it.

Two passes. The first walks tree and model side by side and finds unknown and missing keys and values of the wrong
kind; it is stricter than pydantic, which would take ``true`` for 1 and ``"8"`` for 8. The second is pydantic
itself, for ranges, patterns, lengths and the models' own rules. Both speak in sentences of our own.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from typing import Annotated, Any, Literal, TypeVar

import annotated_types
from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from engine.errors import Path, Problem, nearest
from engine.model import CORE_PHYSICS, ELEMENT_PATTERN, FILE_PATTERN, ID_PATTERN, CoreSpec, Design, WireSpec
from engine.problems import listed, plural
from engine.units import TICKS_PER_NS
from levels.codes import MAX_PROBLEMS, clean, problem, show

M = TypeVar("M", bound=BaseModel)

_NAMES = {
    "whole": "a whole number",
    "number": "a number",
    "text": "text",
    "bool": "true or false",
    "list": "a list",
    "mapping": "a mapping",
}
_PATTERNS = {
    ELEMENT_PATTERN: ("bad-name", "letters, digits and _, at most 32, not beginning with a digit"),
    ID_PATTERN: ("bad-name", "small letters, digits and hyphens, at most 64"),
    FILE_PATTERN: ("bad-file-name", "the bare name of a .yaml file in the same folder, in small letters"),
}


@dataclass
class Shape:
    """What may stand at one place of a document."""

    kinds: set[str] = field(default_factory=set)
    fixed: bool = False
    """Whether a mapping has fixed keys, be it none at all."""
    fields: dict[str, Shape] = field(default_factory=dict)
    """The keys of a mapping with fixed keys."""
    required: dict[str, str] = field(default_factory=dict)
    """Those of them that must stand there, and what they are."""
    values: Shape | None = None
    """What stands at every key of a mapping with free keys."""
    unset: tuple[str, ...] = ()
    """Free keys that may be null, which is as if they were not there."""
    items: Shape | None = None
    """What stands at every place of a list of any length."""
    places: list[Shape] = field(default_factory=list)
    """What stands at each place of a list of fixed length."""
    choices: list[Any] = field(default_factory=list)
    bounds: dict[str, float] = field(default_factory=dict)

    @property
    def allowed(self) -> str:
        """The kinds as a phrase: a whole number, text or a list."""
        kinds = self.kinds - ({"whole"} if "number" in self.kinds else set())
        names = [name for kind, name in _NAMES.items() if kind in kinds]
        return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def validate(model: type[M], tree: Any, file: str = "", lost: Collection[Path] = ()) -> tuple[M | None, list[Problem]]:
    """The model of a tree, or None and all its problems, without marks.

    ``lost`` are paths whose values the reader refused: nothing more is said about them, nor about what holds them.
    """
    shape = shape_of(model)
    refused = _Told(lost)
    found = (p for p in _misfits(tree, shape, (), file) if not refused.touches(p.path))
    problems = list(islice(found, MAX_PROBLEMS + 1))
    if len(problems) > MAX_PROBLEMS:
        return None, problems
    told = _Told([*lost, *(p.path for p in problems)])
    try:
        result = model.model_validate(tree)
    except ValidationError as error:
        errors = error.errors(include_url=False)
        rest = (e for e in _all_errors(errors) if not told.touches(_document_path(e["loc"], tree)))
        more = islice((p for e in rest if (p := _translate(dict(e), tree, shape, file))), MAX_PROBLEMS + 1)
        problems += {(p.path, p.code): p for p in more}.values()
        if not problems and not lost:
            path = _document_path(errors[0]["loc"], tree)
            value = show(_value_at(tree, path))
            problems.append(problem("bad-value", f"found {value}, which may not stand here", path, file=file))
        return None, problems
    return (None if told.paths else result), problems


def refusal(model: type[BaseModel], tree: dict[str, Any], key: str) -> str | None:
    """Why a tree that is right but for the value at ``key`` is no ``model``, in our words; None where it is one.

    The tree may have the keys of the model itself, which files have not.
    """
    shape = shape_of(model)
    for misfit in _misfits(tree[key], shape.fields.get(key, Shape({*_NAMES, "null"})), (key,), ""):
        return misfit.message
    try:
        model.model_validate(tree)
    except ValidationError as error:
        for each in error.errors(include_url=False):
            if told := _translate(dict(each), tree, shape, ""):
                return told.message
        return f"found {show(tree[key])}, which may not stand here"
    return None


class _Told:
    """Paths of which something was already said."""

    def __init__(self, paths: Iterable[Path]) -> None:
        self.paths = set(paths)
        self.above = {path[:n] for path in self.paths for n in range(len(path))}

    def touches(self, path: Path) -> bool:
        """Whether something was said about this path, about what holds it or about what it holds."""
        return path in self.above or any(path[:n] in self.paths for n in range(len(path) + 1))


# --- The shape of a model ---------------------------------------------------------------------------------


@cache
def shape_of(model: type[BaseModel]) -> Shape:
    """The shape of a model's file form."""
    shape = Shape()
    _add_model(shape, model)
    return shape


def _add_model(shape: Shape, model: type[BaseModel]) -> None:
    shape.kinds.add("mapping")
    shape.fixed = True
    for name, info in model.model_fields.items():
        key = info.alias or name
        inner = shape.fields[key] = Shape()
        _add(inner, info.annotation)
        _add_metadata(inner, info)
        if info.is_required():
            shape.required[key] = info.description or ""
    if model is WireSpec:
        # Files speak of every_ns or speed, and of one target without a list: see WireSpec itself.
        del shape.fields["every_ticks"], shape.required["every_ticks"]
        shape.fields["every_ns"] = Shape({"number"})
        shape.fields["speed"] = Shape({"number", "text"})
        shape.fields["to"].kinds.add("text")
    elif model is CoreSpec:
        shape.fields["set"].unset = CORE_PHYSICS
    elif model is Design and (of_pad := shape.fields["pads"].values):
        of_pad.unset = CORE_PHYSICS


def _add(shape: Shape, annotation: Any) -> None:
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is Annotated:
        _add(shape, args[0])
        for extra in args[1:]:
            _add_metadata(shape, extra)
    elif origin in (typing.Union, types.UnionType):
        for arm in args:
            _add(shape, arm)
    elif origin is Literal:
        shape.choices += args
        shape.kinds |= {"text" if isinstance(arg, str) else "whole" for arg in args}
    elif origin is list:
        shape.kinds.add("list")
        shape.items = Shape()
        _add(shape.items, args[0])
    elif origin is tuple:
        shape.kinds.add("list")
        shape.places = [Shape() for _ in args]
        for place, arg in zip(shape.places, args, strict=True):
            _add(place, arg)
    elif origin is dict:
        shape.kinds.add("mapping")
        shape.values = Shape()
        _add(shape.values, args[1])
    elif isinstance(annotation, type) and issubclass(annotation, BaseModel):
        _add_model(shape, annotation)
    elif annotation is Any:
        shape.kinds |= {*_NAMES, "null"}
        shape.values = shape.items = Shape({*_NAMES, "null"})
    else:
        shape.kinds.add({int: "whole", float: "number", str: "text", bool: "bool", type(None): "null"}[annotation])


def _add_metadata(shape: Shape, extra: Any) -> None:
    for item in extra.metadata if isinstance(extra, FieldInfo) else [extra]:
        for sign, kind in (
            ("ge", annotated_types.Ge),
            ("gt", annotated_types.Gt),
            ("le", annotated_types.Le),
            ("lt", annotated_types.Lt),
            ("multiple_of", annotated_types.MultipleOf),
        ):
            if isinstance(item, kind):
                shape.bounds[sign] = getattr(item, sign)


# --- First pass -------------------------------------------------------------------------------------------


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return "whole"
    if isinstance(value, float):
        return "number"
    if isinstance(value, str):
        return "text"
    return "list" if isinstance(value, list) else "mapping"


def _misfits(value: Any, shape: Shape, path: Path, file: str) -> Iterator[Problem]:
    """Unknown and missing keys and values of the wrong kind, in ``value`` and all it holds."""
    kind = _kind(value)
    if kind not in shape.kinds and not (kind == "whole" and "number" in shape.kinds):
        yield problem("wrong-type", _wrong_type(value, shape), path, file=file)
    elif kind == "mapping" and shape.fixed and not (shape.values and all(type(v) is int for v in value.values())):
        for key, item in value.items():
            if key in shape.fields:
                yield from _misfits(item, shape.fields[key], (*path, key), file)
            else:
                yield problem("unknown-key", _unknown_key(key, value, shape), (*path, key), file=file)
        for key, meaning in shape.required.items():
            if key not in value:
                what = f" ({meaning})" if meaning else ""
                yield problem("missing-key", f"the key '{key}' is missing: add it{what}", (*path, key), file=file)
    elif kind == "mapping" and shape.values:
        for key, item in value.items():
            if item is not None or key not in shape.unset:
                yield from _misfits(item, shape.values, (*path, key), file)
    elif kind == "list" and shape.places:
        if len(value) != len(shape.places):
            message = f"found {_entries(len(value))}; exactly {len(shape.places)} are needed here"
            yield problem("wrong-length", message, path, file=file)
        else:
            for i, (item, place) in enumerate(zip(value, shape.places, strict=True)):
                yield from _misfits(item, place, (*path, i), file)
    elif kind == "list" and shape.items:
        for i, item in enumerate(value):
            yield from _misfits(item, shape.items, (*path, i), file)


def _wrong_type(value: Any, shape: Shape) -> str:
    kind, numeric = _kind(value), shape.kinds & {"whole", "number"}
    if value is None:
        hint = "write it, or leave the key out"
    elif kind == "text" and numeric and (digits := value.replace("_", "")).lstrip("+-").isdigit():
        hint = f"write {clean(digits, 40)} without quotes or separators"
    elif kind in {"whole", "number"} and "text" in shape.kinds:
        hint = f"write '{show(value)}' in quotes"
    elif kind == "number" and numeric:
        hint = f"write {value:.0f}" if value.is_integer() and abs(value) < 1e15 else "round it"
    elif kind in {"whole", "number", "text"} and "list" in shape.kinds:
        hint = "put it in square brackets"
    elif shape.kinds & {"list", "mapping"}:
        hint = "write it below the key and further in, or on one line in brackets"
    else:
        kinds = shape.kinds - {"null"}
        hint = "write a number" if kinds <= {"whole", "number"} else "write a single value"
        hint = "write one of them" if kinds == {"bool"} else hint
    found = f"the text {show(value)}" if isinstance(value, str) else show(value)
    return f"found {found}; allowed is {shape.allowed}: {hint}"


def _unknown_key(key: str, value: dict[str, Any], shape: Shape) -> str:
    found = f"found the unknown key {show(key)}"
    if not shape.fields:
        return f"{found}; there are none here: write {{}}"
    if guess := nearest(key, shape.fields):
        return f"{found}: did you mean '{guess}'?"
    free = ", ".join(name for name in shape.fields if name not in value)
    return f"{found}; allowed here are also {free}: delete it" if free else f"{found}: delete it"


def _entries(n: int) -> str:
    return "1 entry" if n == 1 else f"{n} entries"


# --- Second pass ------------------------------------------------------------------------------------------


def _all_errors(errors: Iterable[Any]) -> Iterator[Any]:
    """pydantic's errors, and those that it would find in a wire if the wire's speed were right."""
    for error in errors:
        yield error
        wire = error["input"]
        if error["type"] != "value_error" or error["loc"][:1] != ("wires",) or not isinstance(wire, dict):
            continue
        rest = {key: value for key, value in wire.items() if key not in ("every_ns", "speed")}
        try:
            WireSpec.model_validate({**rest, "every_ticks": TICKS_PER_NS})
        except ValidationError as more:
            for each in more.errors(include_url=False):
                yield {**each, "loc": (*error["loc"], *each["loc"])}


def _translate(error: dict[str, Any], tree: Any, shape: Shape, file: str) -> Problem | None:
    """pydantic's error in our words, or None for kinds that the first pass has told."""
    kind, ctx = error["type"], error.get("ctx", {})
    path = _document_path(error["loc"], tree)
    value = error["input"]
    if kind == "string_pattern_mismatch":
        code, allowed = _PATTERNS[ctx["pattern"]]
        message = f"found {show(value)}; allowed are {allowed}: rename it"
        if code == "bad-file-name":
            message = f"found {show(value)}; allowed is {allowed}: put the file there"
        return problem(code, message, path, file=file)
    if kind in {"greater_than", "greater_than_equal", "less_than", "less_than_equal", "multiple_of"}:
        bounds = _shape_at(shape, path).bounds
        return problem("out-of-range", f"found {show(value)}; allowed is {_range(bounds)}", path, file=file)
    if kind in {"too_short", "too_long", "string_too_short", "string_too_long"}:
        found = plural(len(value), "character") if isinstance(value, str) else _entries(len(value))
        limit, sign = (ctx["min_length"], "least") if "short" in kind else (ctx["max_length"], "most")
        hint = "add some" if sign == "least" else "take some out"
        message = f"found {found}; allowed are at {sign} {limit}: {hint}"
        return problem("wrong-length", message, path, file=file)
    if kind == "literal_error":
        choices = _shape_at(shape, path).choices
        guess = nearest(value, choices) if isinstance(value, str) else None
        message = f"found {show(value)}; allowed is {listed([str(c) for c in choices], 'or')}"
        return problem("not-allowed", message + (f": did you mean '{guess}'?" if guess else ""), path, file=file)
    if kind == "value_error":
        message = str(ctx["error"])
        key = message.split(" ", 1)[0]
        if isinstance(value, dict) and key in value:
            path = (*path, key)
        return problem("bad-value", message, path, file=file)
    return None


def _range(bounds: dict[str, float]) -> str:
    """What a number may be: from where to where, in which steps."""

    def of(sign: str) -> str:
        return f"{bounds[sign]:.12g}" if sign in bounds else ""

    steps = f" in steps of {of('multiple_of')}" if "multiple_of" in bounds else ""
    if "ge" in bounds and "le" in bounds:
        return f"{of('ge')} to {of('le')}{steps}"
    low = f"at least {of('ge')}" if "ge" in bounds else f"more than {of('gt')}" if "gt" in bounds else ""
    high = f"at most {of('le')}" if "le" in bounds else f"less than {of('lt')}" if "lt" in bounds else ""
    return (" and ".join(part for part in (low, high) if part) + steps).strip()


def _document_path(loc: tuple[Any, ...], tree: Any) -> Path:
    """pydantic's place as a path of the document: without the names of a union's arms."""
    path: list[str | int] = []
    for part in loc:
        here = isinstance(tree, list) and isinstance(part, int) and part < len(tree)
        if here or (isinstance(tree, dict) and part in tree):
            tree = tree[part]
            path.append(part)
    return tuple(path)


def _value_at(tree: Any, path: tuple[Any, ...]) -> Any:
    found = tree
    for part in path:
        found = found[part]
    return found


def _shape_at(shape: Shape, path: Path) -> Shape:
    for part in path:
        if isinstance(part, int):
            inner = shape.places[part] if shape.places else shape.items
        else:
            inner = shape.fields.get(part, shape.values)
        if inner is None:
            return Shape()
        shape = inner
    return shape
