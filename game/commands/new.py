"""``perwatt new``: the skeleton of a level that checks from the first minute."""

from __future__ import annotations

import json as jsonlib
import re
from pathlib import Path

from engine.errors import UsageError
from game.commands.output import command, say
from levels.codes import clean
from levels.lookup import FOLDER_NAME

SCHEMA = "perwatt-level.schema.json"
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")

LEVEL = """\
# yaml-language-server: $schema=./{schema}
# A level. Check it with: perwatt check {file}

perwatt: 1                      # version of the format
id: {id}
title: {title}
chapter: {chapter}
brief: |                        # at most 60 words, shown to the player
  Every word that comes from a leaves doubled at out.
hints:                          # two: where to look, then what to do
  - A wire costs power for its speed, used or not.
  - A word comes every 4 ns; nothing needs to be faster.
field_note: What is never waited for may as well be slow.
goal: speed                     # efficiency, limit or speed: what the level is about

kernel:                         # the truth: arrays with data are inputs, the others are outputs
  arrays:
    a: {{shape: [4], data: {{kind: distinct, low: 1, high: 99}}}}
    out: {{shape: [4]}}
  truth: out[i] = 2 * a[i]      # one equation per line

board: {{size: [9, 3], tracks: 2}}    # columns, rows; words that may cross a tile's edge
pads:                           # at the edge; positions are [column, row] from the top left
  - {{id: a, core: stream, at: [0, 1], every_ns: 4}}
  - {{id: out, core: sink, at: [8, 1]}}
parts: {{add: 1, relay: 2, "*": 0}}   # what may be placed; leave the key out to offer everything
standby_uw: 1000                # the chip's own power: makes time worth something
limits: {{time_us: 50}}           # enforced; see perwatt schema level for all of them

reference:                      # two machines that pass: what one builds first, and a good one
  naive: {stem}.naive.yaml
  best: {stem}.best.yaml
wrong:                          # machines that must fail, and how
  half: {{design: {stem}.wrong-half.yaml, verdict: fault, where: out, code: wrong-value}}
# medals are written by: perwatt check --bless {file}
"""

DESIGN = """\
perwatt: 1
level: {id}
name: {name}
note: "{note}"
cores:
  - {{id: sum, core: add, at: [4, 1]{settings}}}
wires:
  - {{from: a.value, to: {ends}, path: [[0, 1], [4, 1]], every_ns: {every}}}
  - {{from: sum.out, to: out.value, path: [[4, 1], [8, 1]], every_ns: {every}}}
"""

BOTH, ONE = "[sum.a, sum.b]", "sum.a"
DESIGNS = (
    ("naive", "first try", "As drawn by hand: all wires at speed 1.", BOTH, "", 1),
    ("best", "just in time", "Both wires carry a word every 4 ns, as the pad hands them out.", BOTH, "", 4),
    ("wrong-half", "adds nothing", "Adds 0 in place of the word itself.", ONE, ", set: {b: 0}", 4),
)
"""(role, name, note, where the first wire ends, settings, ns per word) of the designs beside the level."""


@command
def new(name: str) -> int:
    """Write the level, its designs and the schema for editors here; refuses to overwrite any of them."""
    if not NAME.fullmatch(name):
        raise UsageError(f"'{clean(name, 60)}' is no name for a level: give small letters, digits and hyphens")
    same = [path for path in Path().glob("*.yaml") if re.fullmatch(rf"\d{{1,3}}[a-z]?-{name}\.yaml", path.name)]
    if same:
        raise UsageError(f"{same[0]} exists already: choose another name, or work in another folder")
    stem, identity, chapter = names(name, Path.cwd().name, _next_number())
    title = re.sub(r"^\d+[a-z]?-", "", name).replace("-", " ").capitalize()
    level = LEVEL.format(schema=SCHEMA, file=f"{stem}.yaml", id=identity, title=title, chapter=chapter, stem=stem)
    files = {Path(f"{stem}.yaml"): level}
    for role, design, note, ends, settings, every in DESIGNS:
        files[Path(f"{stem}.{role}.yaml")] = DESIGN.format(
            id=identity, name=design, note=note, ends=ends, settings=settings, every=every
        )
    if taken := [path for path in files if path.exists()]:
        raise UsageError(f"{taken[0]} exists already: choose another name, or work in another folder")
    if not Path(SCHEMA).exists():
        from levels.schema import json_schema

        files[Path(SCHEMA)] = jsonlib.dumps(json_schema("level"), indent=1) + "\n"
    for path, text in files.items():
        with path.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
        say(f"wrote {path}")
    say(f"now: perwatt check {stem}.yaml")
    return 0


def _next_number() -> int:
    """The number after the highest of the levels in this folder; 1 in an empty one."""
    numbers = [int(found[0]) for path in Path().glob("*.yaml") if (found := re.match(r"\d{1,3}(?=[a-z]?-)", path.name))]
    return max(numbers, default=0) + 1


def names(name: str, folder: str, number: int = 1) -> tuple[str, str, str]:
    """(file stem, id, chapter) of a level called ``name`` in a folder: in ``3-my-chapter`` the chapter is given.

    A name without a number becomes ``number``.
    """
    chapter = found["slug"] if (found := FOLDER_NAME.match(folder)) else "mine"
    stem = name if re.match(r"\d{1,3}[a-z]?-", name) else f"{number:02d}-{name}"
    return stem, f"{chapter}-{stem}", chapter
