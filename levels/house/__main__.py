"""``python -m levels.house [ids…]`` writes the design files of these levels, or of all."""

from __future__ import annotations

import sys

from levels.house.registry import design_path, make, recipes
from levels.save import save_design


def main(levels: list[str]) -> int:
    """Write the designs of ``levels`` (ids; none: all) and print each file's name. Returns the exit code."""
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


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
