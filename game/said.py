"""Problems and texts of files as the screen says them: what to do with mouse and keys, without a file's syntax."""

from __future__ import annotations

import re
from collections.abc import Callable

from engine.errors import Problem
from engine.model import EnergyLimitReport

PREPARED = "it is no whole period, and lies in a burst, or had launches under way when it began"
"""Why a window may be better than any steady state is."""

_SAID: dict[str, tuple[tuple[str, str], ...]] = {
    "missing-input": (
        (
            r"(\S+) \(.*?\) has nothing at (\S+): give it a wire, or .*",
            r"input \2 of \1 gets nothing: give it a wire or a number",
        ),
        (r"(\S+) \(.*?\) has nothing at (\S+): .*", r"input \2 of \1 gets nothing: give it a wire"),
    ),
    "only-immediates": (
        (
            r"(\S+) \((.*?)\) takes immediates only: .*",
            r"\1 (\2) gets numbers only: no packet ever starts it, give an input a wire",
        ),
    ),
    "output-unwired": ((r"no wire leads to (.*?): .*", r"no wire leads to \1: lead one there"),),
    "wire-and-immediate": (
        (r"a wire ends at (\S+), which has an immediate: .*", r"\1 has a wire and a number: remove one of them"),
    ),
    "bad-immediate": (
        (r"(\S+) has an immediate of (\d+) words? and takes (.*)", r"\1 has \2 numbers and takes \3"),
        (r"(.*): give a number, or for a packet of several words a list of them", r"\1: give a number"),
    ),
    "bad-setting": (
        (
            r"(.*?)(?: \(.*\))?: set it to a list of .* or null for .*",
            r"\1: give a whole number from 1 for each word, or · for a word without limit",
        ),
        (
            r"(.*?)(?: \(.*\))?: set it to a list of 1 to (\d+) sums.*",
            r"\1: give 1 to \2 sums with commas between, such as 3*w0 + w1 + 2, w1",
        ),
        (r"(\S+): ports is .*: set it to a map of 1 to (\d+) ports each.*", r"\1: 1 to \2 write ports and read ports"),
        (r"(.*): set it to a word, or a list of 1 to (\d+) of them", r"\1: give 1 to \2 numbers with commas between"),
        (r"(.*): set it to true or false", r"\1: choose yes or no"),
        (r"(.*), null for a word without limit", r"\1, · for a word without limit"),
        (r"(.*): leave dtype out", r"\1: choose that one"),
    ),
    "no-such-word": (
        (
            r"(\S+?)\.(\w+)\[.*\] chooses no words: .*",
            r"the wire from \1.\2 sends no words: type their numbers, such as 0, 2",
        ),
        (
            r"(.*): count from 0, and write constants as strings, '10'",
            r"\1: the first is 0, and a constant is typed as =10",
        ),
    ),
    "repeated-word": (
        (
            r"(\S+?)\[.*\] (chooses word \d+ twice): .*",
            r"the wire from \1 \2: send it once, and choose it twice at the input",
        ),
    ),
    "packet-width": (
        (
            r"(.*): choose (\w+), e\.g\. from: \S+\[(.*)\]",
            r"\1: select the wire and choose \2 of its words, such as \3",
        ),
        (
            r"(.*) at (\S+?)\.(\S+), which takes (.*): choose at the port, e\.g\. \S+ \{words: \[(.*)\]\}",
            r"\1 at \2.\3, which takes \4: select \2 and choose its words at \3, such as \5",
        ),
    ),
    "loop-without-token": (
        (
            r"(.*); put a delay into the loop, whose init is the first packet",
            r"\1; put a delay into the loop: its init is the first packet",
        ),
    ),
    "word-kind": (
        (r"(.*): set dtype: float32 for (\S+), or wire it (.*)", r"\1: choose float32 as dtype of \2, or wire it \3"),
    ),
    "other-level": ((r"(.*): run it there, or change its level", r"\1: open it there"),),
}
"""By code: how the engine's sentence is read, and what the screen says in its place."""


def said(problem: Problem) -> str:
    """What the screen says of a problem. Sentences that speak of no file are the engine's own."""
    words = problem.message
    for read, write in _SAID.get(problem.code, ()):
        if match := re.fullmatch(read, words):
            words = match.expand(write)
            break
    # A constant among chosen words is typed with an equals sign.
    return re.sub(r"'(-?\d+)'", r"=\1", words) if problem.code == "packet-width" else words


def plain(text: str) -> str:
    """A text with Markdown in it, without its signs: names in backticks stand in quotation marks."""
    text = re.sub(r"`+([^`]+)`+", r"“\1”", text)
    text = re.sub(r"\[([^\]\n]+)\]\([^)\s]+\)", r"\1", text)
    text = re.sub(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1", r"\2", text)
    text = re.sub(r"(?<![\w*])\*(?=[^\s*])([^*\n]+?)(?<=[^\s*])\*(?![\w*])", r"\1", text)
    return re.sub(r"(?m)^(#{1,6}|[-*]|>) +", "", text)


FIGURES = ("throughput", "latency", "power", "slots", "footprint", "cores")
"""Limits of a report that are called by what they are of; all others are named by an array."""


def limit_name(limit: str) -> str:
    """What a limit of a report is of, in words: ``power``, ``accesses to a``, ``words of a per thread``."""
    if limit in FIGURES:
        return limit
    array, _, of_words = limit.partition(" ")
    return of_words.replace("words", f"words of {array}", 1) if of_words else f"accesses to {array}"


def limit_is(limit: str) -> str:
    """The name of a limit with its verb."""
    several = limit not in FIGURES or limit in ("slots", "cores")
    return f"{limit_name(limit)} {'are' if several else 'is'}"


def within_limit(limit: EnergyLimitReport, write: Callable[[float], str]) -> str:
    """How near to the proven limit a run is, with figures as ``write`` puts them."""
    if limit.binding:
        return f"within {write(limit.within or 0.0)} × of the proven limit"
    return f"the window takes {write(limit.within or 0.0)} × of the limit of the long run"
