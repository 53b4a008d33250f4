"""Describes a call to the person who approves it: the action, the payload and the price. The payload is JSON on one
line, with escapes for the characters that no screen shows.

Shape: a payload that is too long shows the beginning of each member, at every depth, and counts what it leaves out:
    ``"abc"… 4990 more`` are characters, ``{"a":1,… 12 more}`` are members. Short members stay whole; the others share
    the rest. An author cannot imitate such a note, because it is outside of the quotes.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from svc.protocol.http import ResolveResponse
from svc.protocol.invisible_text import printable_json
from svc.protocol.json_text import to_json
from svc.tools.canonical_json import to_canonical_json

_MAX_CHARS = 3_000
#: The minimum length for a member; a member with less room is only counted.
_MIN_MEMBER_CHARS = 48
_NOTE_CHARS = 16


def describe_call(call: ResolveResponse, max_chars: int = _MAX_CHARS) -> str:
    """Such as ``shop__buy {"thing":"hat"}, for 0.05 USD``.

    Args:
        call: the result of ``tools.resolve()``.
        max_chars: the limit of the payload.
    """
    action = call["action"]
    payment = action.get("payment")
    price = f", for {payment['amount']} {payment['currency']}" if payment else ""
    return f"{action['action']} {_shorten(call['payload'], max_chars)}{price}"


class _Part(NamedTuple):
    #: The length of the whole part, or the total room if that is less.
    size: int
    shorten: Callable[[int], str]


def _shorten(value: object, room: int) -> str:
    whole = _printable(value)
    if len(whole) <= room:
        return whole
    if isinstance(value, str):
        return _beginning_of(value, room)
    if isinstance(value, list):
        return f"[{_shorten_parts([_item_part(item, room) for item in value], room - 2)}]"
    if isinstance(value, dict):
        return f"{{{_shorten_parts([_member_part(*member, room) for member in value.items()], room - 2)}}}"
    return whole


def _printable(value: object) -> str:
    return printable_json(_json(value))


def _json(value: object) -> str:
    """JSON as the TypeScript SDK writes it; a whole number has all of its digits."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{to_json(name)}:{_json(member)}" for name, member in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_json, value)) + "]"
    return to_canonical_json(value) if isinstance(value, float) else to_json(value)


def _item_part(item: object, room: int) -> _Part:
    return _Part(min(len(_printable(item)), room), lambda share: _shorten(item, share))


def _member_part(name: str, member: object, room: int) -> _Part:
    whole = f"{_printable(name)}:{_printable(member)}"

    def shorten(share: int) -> str:
        if len(whole) <= share:
            return whole
        shown_name = _shorten(name, share // 2)
        return f"{shown_name}:{_shorten(member, share - min(len(shown_name), share) - 1)}"

    return _Part(min(len(whole), room), shorten)


def _shorten_parts(parts: Sequence[_Part], room: int) -> str:
    needs = [min(part.size, _MIN_MEMBER_CHARS) + 1 for part in parts]
    most = room if sum(needs) <= room else room - _NOTE_CHARS
    count = used = 0
    for need in needs:
        used += need
        if used > most:
            break
        count += 1
    shown = parts[:count]
    texts = [part.shorten(share) for part, share in zip(shown, _share_out(shown, most - count), strict=True)]
    if count < len(parts):
        texts.append(f"… {len(parts) - count} more")
    return ",".join(texts)


def _share_out(parts: Sequence[_Part], room: int) -> list[int]:
    """The smallest parts get their full length, and the larger parts share the remaining room."""
    shares = [0] * len(parts)
    left = room
    for done, index in enumerate(sorted(range(len(parts)), key=lambda index: parts[index].size)):
        shares[index] = min(parts[index].size, left // (len(parts) - done))
        left -= shares[index]
    return shares


def _beginning_of(text: str, room: int) -> str:
    count = max(room - _NOTE_CHARS - 2, 1)
    while True:
        shown = _printable(text[:count])
        if len(shown) <= room - _NOTE_CHARS or count == 1:
            return f"{shown}… {len(text) - count} more"
        # Escapes are longer than the characters that they replace.
        count = max(count * (room - _NOTE_CHARS) // len(shown), 1)
