"""JSON Schema of the three documents, made from the models, for editors and for other programs."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel

from engine.model import Design, Level, Report

Document = Literal["level", "design", "report"]

_MODELS: dict[str, type[BaseModel]] = {"level": Level, "design": Design, "report": Report}


def json_schema(document: Document) -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a level file, a design file, or a report.

    It describes the form that files have: a wire says ``every_ns`` or ``speed``. Names of cores come from the
    catalogue.
    """
    result = _MODELS[document].model_json_schema(by_alias=True, mode="validation")
    if document == "design":
        _file_form(result["$defs"]["WireSpec"])
        _core_names(result["$defs"]["CoreSpec"])
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Perwatt {document}",
        **{key: value for key, value in result.items() if key != "title"},
    }


def _file_form(wire: dict[str, Any]) -> None:
    properties = wire["properties"]
    del properties["every_ticks"]
    wire["required"].remove("every_ticks")
    targets = properties["to"]
    target = targets["items"]
    properties["to"] = {"anyOf": [target, targets], "description": targets["description"]}
    properties["every_ns"] = {
        "type": "number",
        "minimum": 0.1,
        "maximum": 10_000,
        "multipleOf": 0.01,
        "description": "ns per word, at most two decimals",
    }
    properties["speed"] = {
        "anyOf": [{"type": "number", "minimum": 0, "maximum": 10}, {"type": "string"}],
        "description": "tiles per ns: 0.25 or '1/4', rounded to the nearest 0.01 ns per word; 0 is stopped",
    }
    wire["oneOf"] = [{"required": ["every_ns"]}, {"required": ["speed"]}]


def _core_names(core: dict[str, Any]) -> None:
    from engine.catalog import CORES

    core["properties"]["core"]["enum"] = sorted(name for name, entry in CORES.items() if entry.family != "pad")
