"""Numbers as people write and read them, and how what is typed into the inspector becomes an edit."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from engine.catalog import CORES, SUPPLY_SETTINGS, Setting
from engine.model import Design, Level, SettingValue, WordChoice, parse_speed
from engine.parts import DTYPE
from engine.units import MIN_EVERY_TICKS, ticks_from_ns
from game.editor import edits, shields
from game.offered import of_wires
from game.text import number
from game.view.scene import SHIELD, Item


def every_text(every_ticks: int | None) -> str:
    """Both halves of a speed: "0.25 · a word every 4 ns"."""
    if every_ticks is None:
        return "stopped"
    return f"{number(100 / every_ticks)} · a word every {every_ticks / 100:g} ns"


def speed_entry(every_ticks: int | None) -> str:
    return "0" if every_ticks is None else f"{100 / every_ticks:.4g}"


def parse_every(text: str) -> int | None:
    """Ticks per word of ``0.25``, ``1/4`` or ``4ns``; None for 0. Raises ValueError with what is allowed."""
    plain = text.strip().lower().replace(",", ".")
    if plain in ("stop", "stopped", "off"):
        return None
    if match := re.fullmatch(r"([0-9.]+)\s*ns", plain):
        try:
            ticks = ticks_from_ns(float(match[1]))
        except ValueError:
            raise ValueError(f"'{text}': write a number before ns") from None
        if not MIN_EVERY_TICKS <= ticks <= edits.MAX_EVERY_TICKS:
            raise ValueError("a word every 0.1 to 10000 ns")
        return ticks
    try:
        return parse_speed(plain)
    except ValueError:
        raise ValueError("write 0.25, 1/4 or 4ns; 0 stops") from None


def parse_words(text: str) -> list[int | str] | None:
    """Words of a choice: ``0, 2, =10`` (a number chooses a word, = makes a constant); None for all of them."""
    parts = [part for part in re.split(r"[\s,]+", text.strip()) if part]
    if not parts or parts == ["all"]:
        return None
    words: list[int | str] = []
    for part in parts:
        if re.fullmatch(r"\d{1,2}", part):
            words.append(int(part))
        elif re.fullmatch(r"=[-−]?\d{1,10}", part):
            words.append(part[1:].replace("−", "-"))
        else:
            raise ValueError("write word numbers, as 0, 2; a constant as =10")
    if len(words) > 6:
        raise ValueError("at most 6 words")
    return words


def words_text(words: Collection[int | str]) -> str:
    return ", ".join(f"={word}" if isinstance(word, str) else str(word) for word in words)


def parse_number(text: str, floats: bool) -> int | float:
    plain = text.strip().replace("−", "-")
    try:
        return float(plain) if floats else int(plain, 0)
    except ValueError:
        raise ValueError("write a number" if floats else "write a whole number") from None


def number_text(value: float) -> str:
    """A word's value: whole numbers as they are, floats with six digits; a true minus."""
    text = f"{value:.6g}" if isinstance(value, float) else str(value)
    return text.replace("-", "−")


def setting_text(value: Any) -> str:
    """A setting as it is typed."""
    if value is None:
        return ""
    if isinstance(value, list | tuple):
        return ", ".join("·" if v is None else str(v) for v in value)
    return str(value)


def parse_setting(setting: Setting, text: str) -> SettingValue | None:
    """The value of a setting; None takes it back to its default. Raises ValueError with what is allowed."""
    plain = text.strip()
    if not plain:
        if setting.default is None and setting.kind != "ints":
            raise ValueError(f"{setting.name} is needed: {setting.doc}")
        return None
    match setting.kind:
        case "int":
            value = parse_number(plain, False)
            if not setting.low <= value <= setting.high:
                raise ValueError(f"{setting.low} to {setting.high}")
            if (value - setting.low) % setting.step:
                raise ValueError(f"{setting.low} to {setting.high} in steps of {setting.step}")
            return value
        case "ints":
            values = [int(parse_number(part, False)) for part in re.split(r"[\s,]+", plain) if part]
            return values[0] if len(values) == 1 else list(values)
        case "limits":
            limits: list[int | float | str | None] = []
            for part in re.split(r"[\s,]+", plain):
                if part:
                    limits.append(None if part in ("·", "-", "any", "null") else parse_number(part, False))
            return limits
        case "sums":
            return [part.strip() for part in plain.split(",") if part.strip()]
        case _:
            if setting.choices and plain not in setting.choices:
                raise ValueError("one of " + ", ".join(setting.choices))
            return plain


def _chosen(setting: Setting, text: str) -> SettingValue | None:
    """The value of a setting that was typed or clicked; one of two words for what is or is not."""
    return text == "yes" if setting.kind == "bool" else parse_setting(setting, text)


def typed(level: Level, design: Design, name: str, text: str, selection: Collection[Item]) -> tuple[Design, str] | None:
    """The design after ``text`` was typed into the field ``name``, and a label; None where nothing is to be done.

    Raises ValueError (or :class:`game.editor.edits.Refused`) with what is allowed.
    """
    kind, _, rest = name.partition(".")
    value: SettingValue | None
    if kind == "speed":
        wires = [i for i in selection if isinstance(i, int)] if rest == "all" else [int(rest)]
        every = parse_every(text)
        return edits.set_speeds(design, {i: every for i in wires if i < len(design.wires)}), "speed"
    if kind == "wire":
        which, _, field = rest.partition(".")
        wires = [i for i in selection if isinstance(i, int)] if which == "all" else [int(which)]
        one = next(offer for offer in of_wires(level) if offer.name == field)
        value = _chosen(one.setting, text) if text.strip() else None
        assert value is None or isinstance(value, int | str)
        if value == one.setting.default:
            value = None
        return edits.set_wires(design, [i for i in wires if i < len(design.wires)], field, value), one.label
    if kind == "supply":
        value = _chosen(SUPPLY_SETTINGS[rest], text)
        for core in design.cores:
            if core.id in selection:
                design = edits.set_value(design, core.id, rest, value)
        return design, f"set {rest}"
    if kind == "words":
        words = parse_words(text)
        if words is not None and any(isinstance(word, str) for word in words):
            raise ValueError("a wire sends words by number, as 0, 2")
        return edits.choose_words(design, int(rest), None if words is None else [int(w) for w in words]), "words"
    if kind == SHIELD:
        return shields.move(level, design, int(rest), int(parse_number(text, False))), "track"
    element, _, key = rest.partition(".")
    if kind == "name":
        return edits.rename(level, design, rest, text.strip()), "rename"
    core = next((c for c in design.cores if c.id == element), None)
    if kind == "set" and core is not None:
        settings = [*CORES[core.core].settings, DTYPE, *SUPPLY_SETTINGS.values()]
        setting = next(s for s in settings if s.name == key)
        return edits.set_value(design, element, key, _chosen(setting, text)), f"set {key}"
    if kind == "set":  # of a pad
        return edits.set_value(design, element, key, _chosen(SUPPLY_SETTINGS[key], text)), f"set {key}"
    if kind == "ports" and core is not None:
        now = core.set.get("ports", {"write": 1, "read": 1})
        count = int(parse_number(text, False))
        if not 1 <= count <= 8:
            raise ValueError("1 to 8")
        counts = {**(dict(now) if isinstance(now, Mapping) else {}), key: count}
        return edits.set_value(design, element, "ports", counts), "set ports"
    if kind == "port":
        if not text.strip():
            return edits.set_value(design, element, key, None), f"clear {key}"
        floats = core is not None and core.set.get("dtype") == "float32"
        floats |= core is None and any(
            a.dtype == "float32" for n, a in level.kernel.arrays.items() if n == element and key != "at"
        )
        return edits.set_value(design, element, key, parse_number(text, floats)), f"set {key}"
    if kind == "pick":
        words = parse_words(text)
        value = None if words is None else WordChoice(words=words)
        return edits.set_value(design, element, key, value), f"words at {key}"
    return None
