"""What an equation is checked against before anything is evaluated: names, and the amount of work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from engine.errors import nearest

if TYPE_CHECKING:
    from engine.model import ArraySpec

Value = NDArray[Any]
"""int32 or float32, the last axis the launch: see :mod:`engine.expr_tree`."""

CHUNK = 64
"""Launches that are drawn and evaluated together; the bounds on work are for so many."""

MAX_WORK = 10**7
"""Passes through the bodies of all equations and ranges, times :data:`CHUNK`."""

MAX_OPERATIONS = 10**8
"""The same, each pass counted once for each operation in the body: about a second of numpy's time."""


class TruthError(Exception):
    """An equation that cannot be understood or evaluated; ``column`` counts from 1."""

    def __init__(self, code: str, message: str, column: int) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.column = column


@dataclass
class Budget:
    """Work of a whole truth for one launch, counted while it is bound, before anything is evaluated."""

    work: int = 0
    operations: int = 0

    def passes(self, count: int, column: int) -> None:
        """Count ``count`` more passes through a body."""
        self.work += count
        if self.work * CHUNK > MAX_WORK:
            raise TruthError(
                "truth-work",
                f"this needs {self.work * CHUNK} steps for {CHUNK} launches and {MAX_WORK} are allowed: "
                "the lengths of the left side's dimensions and of nested ranges multiply; shorten one",
                column,
            )

    def operation(self, size: int, column: int) -> None:
        """Count one operation on ``size`` values."""
        self.operations += size
        if self.operations * CHUNK > MAX_OPERATIONS:
            raise TruthError(
                "truth-work",
                f"this needs more than {MAX_OPERATIONS} operations for {CHUNK} launches: shorten a range, or the "
                "expression inside the longest one",
                column,
            )


@dataclass
class Scope:
    """What a node may refer to. ``size`` is how many values a node here has in one launch."""

    arrays: Mapping[str, ArraySpec]
    real: bool
    """The equation's output is float32."""
    size: int
    budget: Budget
    indices: dict[str, Value] = field(default_factory=dict)
    reads: set[str] = field(default_factory=set)
    in_bounds: bool = False

    def unknown(self, name: str, column: int) -> TruthError:
        """The error for a name that is no index here."""
        if name in self.arrays:
            return TruthError("truth-name", f"{name} is an array: read a word of it as {name}[…]", column)
        hint = nearest(name, self.indices)
        known = ", ".join(self.indices) or "none"
        return TruthError(
            "truth-name",
            f"'{name[:32]}' is no index here; known are: {known}"
            + (f"; did you mean '{hint}'?" if hint else "; a range names its own: sum(k, 0:8, …)"),
            column,
        )
