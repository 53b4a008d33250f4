"""Joins the pieces of a streamed message, including members that svc-sdk does not know.

Shape: texts are joined, except names, ids and signatures, which arrive whole; objects are merged; elements of arrays
    with the same ``index`` are one element, unless their ids or types differ (some servers give several calls the same
    index); null adds nothing.
"""

_WHOLE = frozenset(("id", "type", "role", "name", "format", "signature", "thought_signature"))


def merge_delta(target: dict[str, object], delta: dict[str, object]) -> None:
    """Adds a piece to the message so far."""
    for name, value in delta.items():
        target[name] = _merged(name, target.get(name), value)


def _merged(name: str, before: object, value: object) -> object:
    if value is None:
        return before
    if isinstance(value, str):
        if not isinstance(before, str):
            return value
        return (value or before) if name in _WHOLE else before + value
    if isinstance(value, list):
        elements = before if isinstance(before, list) else []
        for element in value:
            _add_element(elements, element)
        return elements
    if not isinstance(value, dict):
        return value
    merged = before if isinstance(before, dict) else {}
    merge_delta(merged, value)
    return merged


def _add_element(elements: list[object], element: object) -> None:
    if not isinstance(element, dict):
        elements.append(element)
        return
    for other in reversed(elements):
        if isinstance(other, dict) and _continues(other, element):
            merge_delta(other, element)
            return
    elements.append(_merged("", None, element))


def _continues(before: dict[str, object], piece: dict[str, object]) -> bool:
    index = piece.get("index")
    if not isinstance(index, int) or index != before.get("index"):
        return False
    return all(not piece.get(name) or not before.get(name) or piece[name] == before[name] for name in ("id", "type"))
