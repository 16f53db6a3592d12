"""The campaign's levels and designs, and everything that reads, checks and writes such files.

>>> from levels import load_level, load_design

Names are imported when they are first used: ``import levels`` alone costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from levels.files import (
        LoadedDesign,
        LoadedLevel,
        Source,
        load_design,
        load_design_file,
        load_level,
        load_level_file,
    )
    from levels.lookup import Entry, campaign, designs_beside, find_level, iter_level_files, sibling
    from levels.save import design_text, save_design, save_level
    from levels.schema import json_schema
    from levels.textform import decode, encode

_HOME = {
    "Entry": "lookup",
    "campaign": "lookup",
    "designs_beside": "lookup",
    "find_level": "lookup",
    "iter_level_files": "lookup",
    "sibling": "lookup",
    "LoadedDesign": "files",
    "LoadedLevel": "files",
    "Source": "files",
    "load_design": "files",
    "load_design_file": "files",
    "load_level": "files",
    "load_level_file": "files",
    "design_text": "save",
    "save_design": "save",
    "save_level": "save",
    "json_schema": "schema",
    "decode": "textform",
    "encode": "textform",
}

__all__ = [
    "Entry",
    "LoadedDesign",
    "LoadedLevel",
    "Source",
    "campaign",
    "decode",
    "design_text",
    "designs_beside",
    "encode",
    "find_level",
    "iter_level_files",
    "json_schema",
    "load_design",
    "load_design_file",
    "load_level",
    "load_level_file",
    "save_design",
    "save_level",
    "sibling",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'levels' has no attribute '{name}'")
    value = getattr(import_module(f"levels.{_HOME[name]}"), name)
    globals()[name] = value
    return value
