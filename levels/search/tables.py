"""The rows of a sweep as CSV, JSON or Parquet."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from typing import Any

from engine.errors import UsageError

FORMATS = {"csv": ".csv", "json": ".json", "parquet": ".parquet"}
"""Formats, and how their files end."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def table_bytes(kind: str, headers: Sequence[str], rows: Sequence[Sequence[Any]], about: dict[str, Any]) -> bytes:
    """The file's content. ``about`` says what was swept; CSV has no place for it.

    Raises UsageError for Parquet where pyarrow is missing.
    """
    if kind == "csv":
        return _csv(headers, rows)
    if kind == "json":
        document = {"format": 1, **about, "rows": [dict(zip(headers, row, strict=True)) for row in rows]}
        return (json.dumps(document, allow_nan=False, indent=1) + "\n").encode()
    return _parquet(headers, rows, about)


def _csv(headers: Sequence[str], rows: Sequence[Sequence[Any]]) -> bytes:
    stream = io.StringIO(newline="")
    writer = csv.writer(stream)
    writer.writerow([harmless(header) for header in headers])
    for row in rows:
        writer.writerow([harmless(cell) for cell in row])
    return stream.getvalue().encode()


def harmless(cell: Any) -> Any:
    """A cell that no spreadsheet takes for a formula: text that might be one begins with an apostrophe."""
    if cell is None or isinstance(cell, int | float):
        return "" if cell is None else str(cell).lower() if isinstance(cell, bool) else cell
    text = json.dumps(cell) if isinstance(cell, list) else str(cell)
    return f"'{text}" if text.startswith(_FORMULA) else text


def need_parquet() -> None:
    """Raise UsageError where Parquet cannot be written: better before a long sweep than after."""
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        raise UsageError(
            "Parquet needs pyarrow: pip install 'perwatt[parquet]', or choose an output that ends in .csv or .json"
        ) from None


def _parquet(headers: Sequence[str], rows: Sequence[Sequence[Any]], about: dict[str, Any]) -> bytes:
    need_parquet()
    import pyarrow
    import pyarrow.parquet

    columns = {header: _column([row[i] for row in rows]) for i, header in enumerate(headers)}
    table = pyarrow.table(columns).replace_schema_metadata({"perwatt": json.dumps(about)})
    stream = io.BytesIO()
    pyarrow.parquet.write_table(table, stream)
    return stream.getvalue()


def _column(values: list[Any]) -> list[Any]:
    """A column of one type: numbers stay numbers, what is mixed becomes text."""
    kinds = {type(value) for value in values if value is not None}
    if len(kinds) <= 1 and list not in kinds:
        return values
    if kinds <= {int, float}:
        return [None if value is None else float(value) for value in values]
    return [value if value is None or isinstance(value, str) else json.dumps(value) for value in values]
