"""``python -m levels.house [ids…]`` writes the design files of these levels, or of all; with ``crowd`` before the
ids, the files of the house's machines (:mod:`levels.house.crowd`)."""

from __future__ import annotations

import sys

from levels.house.registry import design_path, make, recipes
from levels.save import save_design
from levels.writing import write_file


def main(levels: list[str]) -> int:
    """Write the designs of ``levels`` (ids; none: all) and print each file's name. Returns the exit code."""
    if levels[:1] == ["crowd"]:
        return crowd(levels[1:])
    known = recipes()
    if unknown := [level for level in levels if level not in known]:
        print(f"no recipes for {', '.join(unknown)}; there are: {', '.join(known)}", file=sys.stderr)
        return 2
    for level in levels or known:
        for role in known[level]:
            path = design_path(level, role)
            save_design(make(level, role), path)
            print(path.name)
    return 0


def crowd(levels: list[str]) -> int:
    """Write the crowds of ``levels`` (ids; none: all) and print each file's name. Returns the exit code."""
    from levels.crowd import crowd_path, crowd_text
    from levels.house.crowd import make_crowd
    from levels.lookup import campaign

    known = {entry.id: entry.path for entry in campaign()}
    if unknown := [level for level in levels if level not in known]:
        print(f"no level {', '.join(unknown)}; there are: {', '.join(known)}", file=sys.stderr)
        return 2
    for level in levels or known:
        made, path = make_crowd(known[level]), crowd_path(known[level])
        write_file(path, crowd_text(level, made).encode())
        print(f"{path.name}: {len(made.machines)} machines")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
