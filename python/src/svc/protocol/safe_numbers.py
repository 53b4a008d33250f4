"""Numbers that no payload may have: docs/protocol.md, section 3 "Numbers"."""

import json
from collections.abc import Iterator

from svc.errors import SvcError
from svc.protocol.number_digits import is_unsafe_number, may_have_large_numbers

_MAX_ISSUES = 8
_MAX_SHOWN_DIGITS = 60


def require_safe_numbers(text: str) -> None:
    """Refuses a number that no payload may have.

    Args:
        text: the valid JSON of a payload, or of the body of a call, whose payload is a member

    Raises:
        SvcError: INVALID_PAYLOAD
    """
    if not may_have_large_numbers(text):
        return
    value = json.loads(text, parse_int=_read_number, parse_float=_read_number)
    issues = [_issue(digits, path) for digits, path in _unsafe_numbers(value)][:_MAX_ISSUES]
    if not issues:
        return
    payload = value.get("payload", value) if isinstance(value, dict) else value
    said = "; ".join(f"{issue['path']}: {issue['message']}" if issue["path"] else issue["message"] for issue in issues)
    received = list(payload)[:100] if isinstance(payload, dict) else []
    raise SvcError("INVALID_PAYLOAD", f"The payload loses digits: {said}", {"issues": issues, "received": received})


class _UnsafeNumber(str):
    __slots__ = ()


def _read_number(literal: str) -> object:
    return _UnsafeNumber(literal) if is_unsafe_number(literal) else 0


def _unsafe_numbers(value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, _UnsafeNumber):
        yield value, ""
    opened = [("", value)]
    for path, holder in opened:
        members = holder.items() if isinstance(holder, dict) else enumerate(holder) if isinstance(holder, list) else ()
        for name, member in members:
            place = f"{path}/{str(name).replace('~', '~0').replace('/', '~1')}"
            if isinstance(member, _UnsafeNumber):
                yield member, place
            else:
                opened.append((place, member))


def _issue(digits: str, path: str) -> dict[str, str]:
    shown = digits if len(digits) <= _MAX_SHOWN_DIGITS else f"{digits[:_MAX_SHOWN_DIGITS]}…"
    message = f"{shown} has more digits than JSON numbers keep; send its exact digits as a text, in quotes"
    return {"path": path.removeprefix("/payload") if path.startswith("/payload/") else path, "message": message}
