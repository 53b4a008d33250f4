"""The idempotency key of a call: a retry with the same key gets the first result and never causes a second run.

Shape: the caller's own key; else SHA-256 of tool call id, tool and arguments as 64 hexadecimal digits if the id is
    globally unique; else 128 random bits as 32 hexadecimal digits.
"""

import hashlib
import secrets

from svc.protocol.ids import MAX_IDEMPOTENCY_KEY_CHARS, check_header_text
from svc.tools.canonical_json import to_canonical_json
from svc.tools.globally_unique import is_globally_unique


def idempotency_key_of(own_key: str | None, *, tool_call_id: str | None, tool: str, arguments: object) -> str:
    """The key of a model's call.

    Raises:
        SvcError: INVALID_REQUEST for an own key that a header cannot hold
    """
    if own_key is not None or tool_call_id is None or not is_globally_unique(tool_call_id):
        return own_or_fresh_key(own_key)
    try:
        call = to_canonical_json([tool_call_id, tool, to_canonical_json(arguments)])
    except RecursionError:
        # The service refuses arguments with that many levels.
        return own_or_fresh_key(None)
    return hashlib.sha256(call.encode()).hexdigest()


def own_or_fresh_key(own_key: str | None) -> str:
    """The caller's own key, or a fresh one.

    Raises:
        SvcError: INVALID_REQUEST for an own key that a header cannot hold
    """
    if own_key is None:
        return secrets.token_hex(16)
    check_header_text("idempotency_key", own_key, MAX_IDEMPOTENCY_KEY_CHARS)
    return own_key
