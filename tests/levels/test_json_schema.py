"""The JSON Schemas describe files as they are written."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.catalog import CORES
from engine.model import WIRE_PHYSICS, Design, Level, Report
from levels import json_schema


def test_schemas_are_json_and_name_every_key() -> None:
    for name, model in (("level", Level), ("design", Design), ("report", Report)):
        schema = json_schema(name)  # type: ignore[arg-type]
        assert json.loads(json.dumps(schema, allow_nan=False)) == schema
        assert schema["$schema"].endswith("2020-12/schema")
        assert set(schema["properties"]) == {info.alias or key for key, info in model.model_fields.items()}


def test_keys_are_closed_and_described() -> None:
    level = json_schema("level")
    assert level["additionalProperties"] is False
    assert level["properties"]["standby_uw"]["description"] == "the chip's own power, always on"
    assert level["$defs"]["BoardSpec"]["properties"]["size"]["prefixItems"][0] == {
        "maximum": 256,
        "minimum": 2,
        "type": "integer",
    }


def test_wires_have_the_form_of_files_and_cores_the_names_of_the_catalogue() -> None:
    definitions: dict[str, Any] = json_schema("design")["$defs"]
    wire, core = definitions["WireSpec"], definitions["CoreSpec"]
    assert set(wire["properties"]) == {"from", "to", "path", "every_ns", "speed", *WIRE_PHYSICS}
    assert sorted(wire["required"]) == ["from", "path", "to"]
    assert wire["oneOf"] == [{"required": ["every_ns"]}, {"required": ["speed"]}]
    assert {kind["type"] for kind in wire["properties"]["to"]["anyOf"]} == {"string", "array"}
    names = core["properties"]["core"]["enum"]
    assert set(names) | {name for name, entry in CORES.items() if entry.family == "pad"} == set(CORES)
    assert "add" in names and "stream" not in names


def test_a_schema_is_the_callers_own() -> None:
    json_schema("design")["$defs"].clear()
    assert json_schema("design")["$defs"]


@pytest.mark.parametrize("name", ["Level", "designs", ""])
def test_other_documents_have_no_schema(name: Any) -> None:
    with pytest.raises(KeyError):
        json_schema(name)
