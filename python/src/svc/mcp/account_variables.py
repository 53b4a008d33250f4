"""Reads from the environment the accounts with which calls act: credentials of the caller, and chosen connections.

Errors: INVALID_REQUEST, without the value, which may hold a secret.
Source: docs/protocol.md, section 11.
"""

import base64
import binascii
import re

from svc.errors import SvcError
from svc.protocol.connections import Credential
from svc.protocol.environment import from_environment

_MAX_CHARS = 8_192
_CREDENTIAL = re.compile(r"(\S+) (Bearer|Basic|ApiKey) ([\x21-\x2b\x2d-\x7e]+)")
_CHOICE = re.compile(r"(\S+) ([A-Za-z0-9._@-]{1,64})")
_BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")


def read_credentials() -> dict[str, Credential]:
    """The credentials of ``SVC_CONNECTIONS`` by toolkit."""
    name = "SVC_CONNECTIONS"
    error = _not_understood(name, "github Bearer <token>, shop Basic <base64>, maps ApiKey <key>")
    credentials: dict[str, Credential] = {}
    for entry in _entries(name, error):
        found = _CREDENTIAL.fullmatch(entry)
        credential = _to_credential(found[2], found[3]) if found else None
        if found is None or credential is None or found[1] in credentials:
            raise error
        credentials[found[1]] = credential
    return credentials


def read_connection_names() -> dict[str, str]:
    """The names of ``SVC_CONNECTION_NAMES`` by toolkit."""
    name = "SVC_CONNECTION_NAMES"
    error = _not_understood(name, "github work, shop main")
    names: dict[str, str] = {}
    for entry in _entries(name, error):
        found = _CHOICE.fullmatch(entry)
        if found is None or found[1] in names:
            raise error
        names[found[1]] = found[2]
    return names


def _entries(name: str, error: SvcError) -> list[str]:
    """Empty for an empty variable too."""
    text = (from_environment(name) or "").strip()
    if len(text) > _MAX_CHARS:
        raise error
    return [entry.strip() for entry in text.split(",")] if text else []


def _to_credential(scheme: str, text: str) -> Credential | None:
    if scheme == "Bearer":
        return {"bearer": text}
    return {"apiKey": text} if scheme == "ApiKey" else _read_basic(text)


def _read_basic(text: str) -> Credential | None:
    """RFC 7617."""
    if not _BASE64.fullmatch(text):
        return None
    try:
        decoded = base64.b64decode(text + "=" * (-len(text) % 4)).decode(errors="replace")
    except binascii.Error:
        return None
    username, colon, password = decoded.partition(":")
    return {"basic": {"username": username, "password": password}} if colon else None


def _not_understood(name: str, example: str) -> SvcError:
    message = f"{name} is not understood: write it as {example}; visible ASCII, each toolkit once"
    return SvcError("INVALID_REQUEST", message)
