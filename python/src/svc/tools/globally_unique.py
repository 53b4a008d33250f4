"""Decides whether a tool call id is globally unique.

Such an id may name the call in its idempotency key; any other may not, because today's ``call_0`` would get the stored
answer of yesterday's. An id does not name its author, so its last run of letters and digits must look random, in one
of two ways:

- hexadecimal, at least 16 digits: UUIDs, ``chatcmpl-tool-<16 or 32>`` of vLLM, ``fc_<48>`` of OpenAI's Responses
- capitals, small letters and digits mixed, at least 12: ``call_<24>`` of OpenAI, ``toolu_01<22>`` of Anthropic

Counters (``call_0``), names, dates and times are neither. An id of the right shape that is padded (``000000000001``)
or counted (``a1B2c3D4e5F6``, as models invent it) is refused too. A random id that is refused here, a few in a
hundred, gets a fresh key: its call is still retried safely, only not across processes.
"""

import re
from itertools import pairwise

_UUID_AT_END = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\Z")
_TOKEN_AT_END = re.compile(r"[0-9A-Za-z]+\Z")
#: Exactly the format of a provider: a match is rarely a coincidence, so weaker randomness is enough.
_PROVIDER_FORMAT = re.compile(r"(?:call_[0-9A-Za-z]{24}|toolu_(?:[a-z]+_)?01[0-9A-Za-z]{22})")
_HEX = re.compile(r"[0-9a-f]{16,}|[0-9A-F]{16,}")
_CHANGE = re.compile(r"[0-9](?=[^0-9])|[^0-9](?=[0-9])")
_PIECE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_VOWEL = re.compile(r"[aeiouy]", re.IGNORECASE)
_PADDING = re.compile(r"(.)\1{3}")
#: More characters add no evidence, and an id of a megabyte should not cost time.
_MAX_TOKEN_CHARS = 64
_COUNTED = 5


def is_globally_unique(tool_call_id: str) -> bool:
    """True for a globally unique id."""
    end = tool_call_id[-_MAX_TOKEN_CHARS:]
    found = _UUID_AT_END.search(end) or _TOKEN_AT_END.search(end)
    token = found[0].replace("-", "") if found else ""
    unspeakable_needed = 2 if _PROVIDER_FORMAT.fullmatch(end) else 4
    is_random = _is_random_hex(token) or _is_random_mixed_case(token, unspeakable_needed)
    return is_random and not _PADDING.search(token) and not _is_counted(token)


def _is_random_hex(token: str) -> bool:
    """Names rarely alternate between letters and digits; 16 random digits do so 7 times on average."""
    return bool(_HEX.fullmatch(token)) and len(_CHANGE.findall(token)) >= 4 and len(set(token)) >= 7


def _is_random_mixed_case(token: str, unspeakable_needed: int) -> bool:
    """Random text has many unpronounceable pieces (``Kq``, ``xT``); a name such as ``getWeatherV2`` has few."""
    kinds = (r"[a-z]", r"[A-Z]", r"[0-9]")
    if len(token) < 12 or not all(re.search(kind, token) for kind in kinds):
        return False
    return sum(not _VOWEL.search(piece) for piece in _PIECE.findall(token)) >= unspeakable_needed


def _is_counted(token: str) -> bool:
    """Five digits, or five letters, in ascending order, with any characters in between."""
    digits = "".join(each for each in token if each.isdigit())
    letters = "".join(each for each in token if not each.isdigit()).lower()
    return _has_run(digits) or _has_run(letters)


def _has_run(characters: str) -> bool:
    in_order = 1
    for before, after in pairwise(characters):
        in_order = in_order + 1 if ord(after) == ord(before) + 1 else 1
        if in_order == _COUNTED:
            return True
    return False
