"""The values of a setting as they are written: ``1,2,4``, ``1..8``, ``0.5..8:log5``, ``mul,mul.serial``, ``[1, 2]``."""

from __future__ import annotations

import json
import re

Value = int | float | str | bool | tuple["int | float | str | None", ...]

MOST_VALUES = 10_000
"""Values of one setting."""

_RANGE = re.compile(
    r"(?P<low>-?\d+(?:\.\d+)?)\.\.(?P<high>-?\d+(?:\.\d+)?)(?::(?P<how>log|lin)?(?P<by>\d+(?:\.\d+)?))?\Z"
)


def parse_values(text: str) -> list[Value]:
    """All values, in order, each once. Raises ValueError with what is allowed.

    ``1..8`` are the whole numbers from 1 to 8, ``1..9:2`` every second of them, ``1..8:lin5`` five numbers at equal
    distance and ``1..100:log5`` five at equal ratio, rounded to 0.01, so that they are speeds of wires.
    """
    values: dict[tuple[type, Value], Value] = {}
    for part in _parts(text):
        for value in _range(part) if ".." in part else [_value(part)]:
            values.setdefault((type(value), value), value)
        if len(values) > MOST_VALUES:
            raise ValueError(f"these are more than {MOST_VALUES} values: give a range fewer of them, as in 1..100:log9")
    return list(values.values())


def _parts(text: str) -> list[str]:
    """Split at commas outside of brackets."""
    parts = [part.strip() for part in re.split(r",(?![^\[]*\])", text)]
    if not all(parts):
        raise ValueError(f"'{text}' lacks a value: write 1,2,4 or 1..8")
    return parts


def _value(text: str) -> Value:
    if text.startswith("["):
        try:
            items = json.loads(text)
        except ValueError:
            items = None
        if not isinstance(items, list) or any(isinstance(item, list | dict | bool) for item in items):
            raise ValueError(f"'{text}' is no list: write [4, 10]")
        return tuple(items)
    if text in ("true", "false"):
        return text == "true"
    for read in (int, float):
        try:
            number = read(text)
        except ValueError:
            continue
        if number - number != 0:
            break
        return number
    return text


def _range(text: str) -> list[Value]:
    match = _RANGE.match(text)
    if not match:
        raise ValueError(f"'{text}' is no range: write 1..8, 1..9:2, 1..8:lin5 or 1..100:log5")
    low, high, how, by = _number(match["low"]), _number(match["high"]), match["how"], match["by"]
    if low > high:
        raise ValueError(f"'{text}' runs backwards: write the least value first")
    if how:
        n = int(by) if by.isdigit() else 0
        if not 2 <= n <= MOST_VALUES:
            raise ValueError(f"'{text}': give 2 to {MOST_VALUES} values, as in 1..8:{how}5")
        if how == "log" and low <= 0:
            raise ValueError(f"'{text}' has equal ratios and must begin above 0")
        shares = [i / (n - 1) for i in range(n)]
        spread = [low * (high / low) ** s if how == "log" else low + (high - low) * s for s in shares]
        return [_number(f"{round(x, 2):g}") for x in spread]
    step = _number(by) if by else 1
    if step <= 0:
        raise ValueError(f"'{text}' has no step: give one above 0")
    count = int((high - low) / step + 1e-9) + 1
    if count > MOST_VALUES:
        raise ValueError(f"'{text}' has {count} values, allowed are {MOST_VALUES}: give a greater step, or 1..100:log9")
    return [_number(f"{round(low + i * step, 6)}") for i in range(count)]


def _number(text: str) -> int | float:
    value = float(text)
    return int(value) if value.is_integer() else value
