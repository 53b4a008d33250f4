"""Writes the headers that name the accounts of a call.

Shape: ``github Bearer gho_…``: a toolkit id, a scheme, a text of visible ASCII without commas. ``github work`` names
    one of a user's connections.
Errors: INVALID_REQUEST. No message has a credential.
Source: docs/protocol.md, section 11.
"""

import base64
import re
from collections.abc import Mapping
from typing import Any

from svc.errors import SvcError
from svc.protocol.connections import Credential
from svc.protocol.ids import is_toolkit_id
from svc.protocol.json_text import quoted

_MAX_CHARS = 8_192
_TOKEN = re.compile(r"[\x21-\x2b\x2d-\x7e]+")
_NAME = re.compile(r"[A-Za-z0-9._@-]{1,64}")
_FORMS = '{"bearer": token}, {"basic": {"username": …, "password": …}} or {"apiKey": key}'


class CredentialHeader:
    """The header with a caller's credential. Prints as ``[connection]``.

    Attributes:
        text: the value of the header.
        secrets: the texts of the credential, for removal from errors.
    """

    __slots__ = ("secrets", "text")

    def __init__(self, toolkit: str, credential: Credential) -> None:
        if not is_toolkit_id(toolkit):
            raise _invalid(toolkit, "names no toolkit")
        scheme, *self.secrets = _parts_of(toolkit, credential)
        self.text = f"{toolkit} {scheme} {self.secrets[0]}"
        if len(self.text) > _MAX_CHARS:
            raise _invalid(toolkit, f"is longer than {_MAX_CHARS} characters")

    def __repr__(self) -> str:
        return "[connection]"


def write_connection_names(names: Mapping[str, str]) -> str | None:
    """The header that names the connections to use, by toolkit id. None without names."""
    for toolkit, name in names.items():
        if not is_toolkit_id(toolkit):
            raise SvcError(
                "INVALID_REQUEST", f"connection_names has {quoted(toolkit)}, which is not the id of a toolkit"
            )
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise SvcError(
                "INVALID_REQUEST",
                f"The name of a connection of {toolkit} has 1 to 64 of the characters A-Z a-z 0-9 . _ @ -",
            )
    text = ", ".join(f"{toolkit} {name}" for toolkit, name in sorted(names.items()))
    if len(text) > _MAX_CHARS:
        raise SvcError("INVALID_REQUEST", f"connection_names are longer than {_MAX_CHARS} characters together")
    return text or None


def _parts_of(toolkit: str, credential: Any) -> list[str]:
    """The scheme, the text of the header, and the further secrets."""
    match credential:
        case {"bearer": str(token)} if len(credential) == 1:
            return ["Bearer", _checked(toolkit, token)]
        case {"apiKey": str(key)} if len(credential) == 1:
            return ["ApiKey", _checked(toolkit, key)]
        case {"basic": {"username": str(username), "password": str(password)}} if len(credential) == 1:
            if ":" in username:
                raise _invalid(toolkit, "has a user name with a colon, RFC 7617")
            # Some APIs take a key as the user name, with an empty password.
            return ["Basic", base64.b64encode(f"{username}:{password}".encode()).decode(), password or username]
    raise _invalid(toolkit, f"is {_FORMS}, not {type(credential).__name__}")


def _checked(toolkit: str, text: str) -> str:
    if not _TOKEN.fullmatch(text):
        raise _invalid(toolkit, "has a text that is not visible ASCII without spaces and commas")
    return text


def _invalid(toolkit: str, problem: str) -> SvcError:
    return SvcError("INVALID_REQUEST", f"The connection of {toolkit} {problem}")
