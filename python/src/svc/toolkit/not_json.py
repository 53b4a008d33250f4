"""Finds the first value that is not plain JSON, such as the ``str`` in ``{"city": str}``."""

import math

_MAX_DEPTH = 300


def not_json(value: object, path: str = "", depth: int = 0) -> str | None:
    """A sentence; None for plain JSON."""
    if value is None or isinstance(value, bool | int | str):
        return None
    if isinstance(value, float):
        return None if math.isfinite(value) else f"{path} is {value}"
    if depth > _MAX_DEPTH:
        return f"it refers to itself, or is nested deeper than {_MAX_DEPTH} levels"
    if isinstance(value, dict):
        for name, member in value.items():
            if not isinstance(name, str):
                return f"{path} has the name {name!r}, which is not a text"
            if problem := not_json(member, f"{path}/{name}", depth + 1):
                return problem
        return None
    if isinstance(value, list | tuple):
        found = (not_json(item, f"{path}/{index}", depth + 1) for index, item in enumerate(value))
        return next((problem for problem in found if problem), None)
    kind = f"the class {value.__name__}" if isinstance(value, type) else f"of the type {type(value).__name__}"
    return f"{path} is {kind}"
