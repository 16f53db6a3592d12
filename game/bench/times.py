"""Figures of many times."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import TypedDict


class Times(TypedDict):
    """Milliseconds."""

    median_ms: float
    p95_ms: float


def times(seconds: Sequence[float]) -> Times:
    """Median and 95th percentile of times in seconds, at least one."""
    ordered = sorted(seconds)
    return {"median_ms": median(ordered) * 1000, "p95_ms": ordered[int(len(ordered) * 0.95)] * 1000}
