"""The JSON form holds to its published schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_graphs import random_graph
from test_exhaustive import TYPES

from jit_lsp.ir import Module, Type, parse
from jit_lsp.ir.jsonform import to_json

SCHEMA = json.loads(
    (Path(__file__).parents[3] / "docs" / "schema" / "trace.schema.json").read_text()
)
GRAPHS = sorted((Path(__file__).parent / "data" / "graphs").glob("*.ir"))
KINDS = {
    "null": type(None),
    "boolean": bool,
    "integer": int,
    "number": (int, float),
    "string": str,
    "array": list,
    "object": dict,
}


@pytest.mark.parametrize("path", GRAPHS, ids=lambda path: path.stem)
def test_files_hold_to_the_schema(path: Path) -> None:
    check(parse(path.read_text()))


@given(st.integers(0, 2**32))
@settings(max_examples=30, deadline=None, derandomize=True)
def test_random_graphs_hold_to_the_schema(seed: int) -> None:
    check(random_graph(seed))


@pytest.mark.parametrize("type_", TYPES.values(), ids=lambda t: type(t).__name__)
def test_every_type_holds_to_the_schema(type_: Type) -> None:
    module = Module()
    module.add_graph("main").body.add_parameter(type_)
    check(module)


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data.pop("version"),
        lambda data: data.update(more=1),
        lambda data: data["graphs"][0]["nodes"][0].update(op=1),
        lambda data: data["graphs"][0]["parameters"][0]["type"].pop("sizes"),
        lambda data: data["graphs"][0]["nodes"][0]["operands"].append({"pack": "set", "items": []}),
    ],
)
def test_the_schema_can_fail(damage: Any) -> None:
    data = to_json(parse(GRAPHS[0].read_text()))
    damage(data)
    assert not fits(data, SCHEMA)


def check(module: Module) -> None:
    data = to_json(module)
    assert fits(data, SCHEMA)
    assert json.loads(json.dumps(data, allow_nan=False)) == data


def fits(data: Any, schema: dict[str, Any]) -> bool:
    """The part of JSON Schema that ours uses; a keyword it doesn't know fails loudly."""
    if "$ref" in schema:
        return fits(data, SCHEMA["$defs"][schema["$ref"].removeprefix("#/$defs/")])
    unknown = set(schema) - {
        *("$schema", "$defs", "title", "description", "type", "const", "enum", "anyOf"),
        *("properties", "required", "additionalProperties", "items"),
    }
    assert not unknown, f"the test doesn't know {unknown}"
    wanted = schema.get("type", [])
    kinds = [wanted] if isinstance(wanted, str) else wanted
    if kinds and not any(isinstance(data, KINDS[kind]) for kind in kinds):
        return False
    if isinstance(data, bool) and kinds and "boolean" not in kinds:
        return False
    if "const" in schema and data != schema["const"]:
        return False
    if "enum" in schema and data not in schema["enum"]:
        return False
    if "anyOf" in schema and not any(fits(data, one) for one in schema["anyOf"]):
        return False
    if isinstance(data, list):
        return all(fits(item, schema.get("items", {})) for item in data)
    return not isinstance(data, dict) or fits_object(data, schema)


def fits_object(data: dict[str, Any], schema: dict[str, Any]) -> bool:
    known, others = schema.get("properties", {}), schema.get("additionalProperties", {})
    if any(name not in data for name in schema.get("required", [])):
        return False
    for name, item in data.items():
        part = known.get(name, others)
        if part is False or not fits(item, part):
            return False
    return True
