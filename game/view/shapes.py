"""Outlines of pads and cores by family, in tiles about the middle of their tile."""

from __future__ import annotations

from collections.abc import Sequence

from engine.catalog import CORES
from game.theme import BLUE, FAMILY_TINT, Colour

Point = tuple[float, float]
Tile = tuple[int, int]

HALF = 13 / 32
"""A body is its tile less 3 px on each side, at tile 32."""

EAST, SOUTH, WEST, NORTH = (1, 0), (0, 1), (-1, 0), (0, -1)


def family_of(core: str) -> str:
    """The family of a core, addresses being one of their own; "unknown" for what is in no catalogue."""
    if core == "address":
        return "address"
    return CORES[core].family if core in CORES else "unknown"


def tint_of(core: str) -> Colour | None:
    """What the body of a core is tinted with."""
    return BLUE if core == "address" else FAMILY_TINT.get(family_of(core))


def edge_of(at: Tile, size: Tile) -> Tile | None:
    """The direction in which the board ends right behind a tile, None inside; left and right before top and bottom."""
    (x, y), (columns, rows) = at, size
    if x == 0:
        return WEST
    if x == columns - 1:
        return EAST
    if y == 0:
        return NORTH
    return SOUTH if y == rows - 1 else None


def turned(points: Sequence[Point], towards: Tile) -> tuple[Point, ...]:
    """Points made for the direction east, for another one; they stay in clockwise order."""
    dx, dy = towards
    return tuple((x * dx - y * dy, x * dy + y * dx) for x, y in points)


def body(core: str, towards: Tile = EAST, edge: Tile | None = None, inset: float = 0.0) -> tuple[Point, ...]:
    """Corners of the body, clockwise.

    towards
        The side at which results leave: a reduction narrows to it.
    edge
        For pads: where the board ends.
    inset
        Tiles by which the outline is drawn in.
    """
    h = HALF - inset
    match family_of(core):
        case "pad":
            c = 7 / 32 - inset * 0.41
            if edge is None:
                return (
                    (-h + c, -h),
                    (h - c, -h),
                    (h, -h + c),
                    (h, h - c),
                    (h - c, h),
                    (-h + c, h),
                    (-h, h - c),
                    (-h, -h + c),
                )
            back = -0.5 + inset
            inner = (-edge[0], -edge[1])
            return turned(((back, -h), (h - c, -h), (h, -h + c), (h, h - c), (h - c, h), (back, h)), inner)
        case "steering":
            c = 5 / 32
            return ((-h + c, -h), (h - c, -h), (h, 0), (h - c, h), (-h + c, h), (-h, 0))
        case "reduction":
            return turned(((-h, -h), (h, -h * 0.62), (h, h * 0.62), (-h, h)), towards)
        case "address":
            c = 6 / 32
            return ((-h, -h), (h - c, -h), (h, -h + c), (h, h), (-h, h))
        case _:
            return ((-h, -h), (h, -h), (h, h), (-h, h))


def corner_radius(core: str) -> float:
    """How round the corners of a body are, in tiles."""
    match family_of(core):
        case "arithmetic":
            return 5 / 32
        case "steering" | "reduction" | "unknown":
            return 2 / 32
        case _:
            return 1 / 32


def rounded(points: Sequence[Point], radius: float) -> list[Point]:
    """A convex outline with its corners cut to arcs (quadratic Bézier curves) that begin ``radius`` before them."""
    result: list[Point] = []
    n = len(points)
    for i, (x, y) in enumerate(points):
        (ax, ay), (bx, by) = points[i - 1], points[(i + 1) % n]
        la, lb = ((ax - x) ** 2 + (ay - y) ** 2) ** 0.5, ((bx - x) ** 2 + (by - y) ** 2) ** 0.5
        ra, rb = min(radius, la / 2), min(radius, lb / 2)
        sx, sy = x + (ax - x) * ra / la, y + (ay - y) * ra / la
        ex, ey = x + (bx - x) * rb / lb, y + (by - y) * rb / lb
        for k in range(7):
            t = k / 6
            u = 1 - t
            result.append((u * u * sx + 2 * u * t * x + t * t * ex, u * u * sy + 2 * u * t * y + t * t * ey))
    return result


def reach(outline: Sequence[Point], side: Tile, beside: float) -> float:
    """Tiles from the middle to the outline on one side, on a line ``beside`` the middle (east or south of it)."""
    best = None
    for (ax, ay), (bx, by) in zip(outline, [*outline[1:], outline[0]], strict=True):
        # Along: towards the side; across: beside the middle.
        a_along, b_along = ax * side[0] + ay * side[1], bx * side[0] + by * side[1]
        a_across, b_across = (ay, by) if side[0] else (ax, bx)
        low, high = sorted((a_across, b_across))
        if low - 1e-9 <= beside <= high + 1e-9:
            share = 0.0 if high - low < 1e-9 else (beside - a_across) / (b_across - a_across)
            found = a_along + (b_along - a_along) * share
            if high - low < 1e-9:
                found = max(a_along, b_along)
            best = found if best is None else max(best, found)
    return HALF if best is None else best
