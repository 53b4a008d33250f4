"""Schemas that refer to themselves: the API refuses a tool for programs that has one."""

from urllib.parse import unquote

from svc.protocol.http import JsonSchema


def is_recursive(schema: JsonSchema) -> bool:
    """True if a reference of the schema leads back to itself."""
    open_refs: set[str] = set()
    done: set[str] = set()

    def leads_back(value: object) -> bool:
        if isinstance(value, list):
            return any(map(leads_back, value))
        if not isinstance(value, dict):
            return False
        ref = value.get("$ref")
        if isinstance(ref, str) and ref not in done:
            if ref in open_refs:
                return True
            open_refs.add(ref)
            if leads_back(_target(schema, ref)):
                return True
            open_refs.remove(ref)
            done.add(ref)
        return any(map(leads_back, value.values()))

    return leads_back(schema)


def _target(schema: JsonSchema, ref: str) -> object:
    """None for a reference to another document, or to an anchor."""
    document, *names = ref.split("/")
    if document != "#":
        return None
    value: object = schema
    for name in names:
        step = unquote(name).replace("~1", "/").replace("~0", "~")
        value = value.get(step) if isinstance(value, dict) else None
    return value
