"""Converts the name and the JSON Schema of a tool to those of smolagents.

Shape: argument -> JSON Schema with ``type`` and ``description``, and ``nullable`` for an argument that may be absent.
    smolagents passes nothing else of the schema to the model, so definitions are written in the place of their
    references.
"""

from svc.protocol.http import JsonSchema

_TYPES = frozenset({"string", "boolean", "integer", "number", "array", "object", "null"})
_DEFINITIONS = "#/$defs/"


def to_identifier(name: str) -> str:
    """The name of a tool as code can call it: action ids may have a ``-`` or begin with a digit."""
    identifier = name.replace("-", "_")
    return identifier if identifier.isidentifier() else f"_{identifier}"


def to_inputs(parameters: JsonSchema) -> dict[str, JsonSchema]:
    """The inputs, in the order of the schema."""
    definitions, required = parameters.get("$defs", {}), parameters.get("required", ())
    return {
        name: _to_input(_without_references(schema, definitions, ()), name in required)
        for name, schema in parameters.get("properties", {}).items()
    }


def _to_input(schema: JsonSchema, is_required: bool) -> JsonSchema:
    # smolagents fails on an `anyOf` whose members have more than types.
    shown = {name: value for name, value in schema.items() if name != "anyOf"}
    made = {**shown, "type": _type_of(schema), "description": schema.get("description", "")}
    return made if is_required else {**made, "nullable": True}


def _type_of(schema: JsonSchema) -> str | list[str]:
    """``any`` for a schema without a type."""
    types = [kind for part in schema.get("anyOf", [schema]) for kind in _as_list(part.get("type", "any"))]
    if not types or not _TYPES.issuperset(types):
        return "any"
    return types[0] if len(types) == 1 else types


def _as_list(kind: str | list[str]) -> list[str]:
    return kind if isinstance(kind, list) else [kind]


def _without_references(schema: JsonSchema, definitions: JsonSchema, inside: tuple[str, ...]) -> JsonSchema:
    """The schema with its definitions in place; a definition inside itself may be anything."""
    reference = schema.get("$ref")
    if isinstance(reference, str):
        name = reference.removeprefix(_DEFINITIONS)
        if name in inside or name not in definitions:
            return {}
        rest = {key: value for key, value in schema.items() if key != "$ref"}
        return {**_without_references(definitions[name], definitions, (*inside, name)), **rest}
    return {key: _part_without_references(value, definitions, inside) for key, value in schema.items()}


def _part_without_references(part: object, definitions: JsonSchema, inside: tuple[str, ...]) -> object:
    if isinstance(part, list):
        return [_part_without_references(each, definitions, inside) for each in part]
    return _without_references(part, definitions, inside) if isinstance(part, dict) else part
