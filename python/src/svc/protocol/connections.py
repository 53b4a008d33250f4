"""Connections: the account with which a call acts at the API behind a toolkit. docs/protocol.md, section 11.

A toolkit asks for a connection in its registration. The connection comes from the caller, with each call, or from the
service, which keeps it for everyone, for an agent key, or for a user.
"""

import re
from typing import TYPE_CHECKING, Literal, Required, TypedDict, overload

from svc.protocol.answer import Answer

#: The owner of the account. ``caller``: the caller sends it with each call. The service keeps the others.
ConnectionSource = Literal["caller", "user", "agent", "everyone"]


class AccountQuestion(TypedDict):
    """The address that says whose account it is, and the place of the name in its answer."""

    url: str
    #: A JSON Pointer.
    field: str


ToolkitAuth = TypedDict(
    "ToolkitAuth",
    {
        #: ``oauth2``: the handler gets an access token, as for ``bearer``.
        "type": Required[Literal["bearer", "basic", "apiKey", "oauth2"]],
        "from": Required[ConnectionSource],
        #: The credential that a person has to bring, such as "A GitHub token with the scope repo".
        "help": str,
        #: Place of an ``apiKey``. Default: ``header``.
        "in": Literal["header", "query"],
        #: Name of the header or of the query parameter of an ``apiKey``. Default: ``X-API-Key``.
        "name": str,
        #: The endpoints of an ``oauth2`` provider, or ``server``.
        "authorizationUrl": str,
        "tokenUrl": str,
        #: RFC 7009.
        "revocationUrl": str,
        #: The provider's issuer identifier, RFC 9207.
        "issuer": str,
        "scopes": list[str],
        #: A remote MCP server: the service discovers its authorization server.
        "server": str,
        #: ``dcr``: the service registers itself by RFC 7591, even if the server reads client ID metadata documents.
        "registration": Literal["dcr"],
        "account": AccountQuestion,
    },
    total=False,
)
ToolkitAuth.__doc__ = "The connection that a toolkit needs for its calls, with the names of the wire."


class ActionScopes(TypedDict):
    """The scopes that an action needs of its toolkit's."""

    scopes: list[str]


#: ``False``: the action needs no connection.
ActionAuth = Literal[False] | ActionScopes


class BearerCredential(TypedDict):
    """An access token."""

    bearer: str


class UserPassword(TypedDict):
    """A user name and a password, RFC 7617."""

    username: str
    password: str


class BasicCredential(TypedDict):
    """A user name and a password."""

    basic: UserPassword


class ApiKeyCredential(TypedDict):
    """An API key."""

    apiKey: str


#: A caller's credential for one toolkit.
Credential = BearerCredential | BasicCredential | ApiKeyCredential


class RequiredConnection(Answer):
    """``connect`` of the error CONNECTION_REQUIRED: how to connect."""

    toolkit: str
    help: str | None
    #: A page on which the user connects the account. Absent: the caller sends the credential.
    url: str | None
    #: End of ``url``, RFC 3339.
    expires_at: str | None
    #: The page ends with a code. The user hands it to the caller, who confirms with it that the account is this user's.
    confirm: Literal[True] | None
    #: Names of the user's connections, when the caller has to choose one.
    connections: list[str] | None

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, key: Literal["toolkit", "help", "url", "expiresAt"], /) -> str: ...
        @overload
        def __getitem__(self, key: Literal["confirm"], /) -> Literal[True]: ...
        @overload
        def __getitem__(self, key: Literal["connections"], /) -> list[str]: ...
        @overload
        def __getitem__(self, key: str, /) -> object: ...
        def __getitem__(self, key: str, /) -> object: ...


class ConnectPage(Answer):
    """A page on which a user connects accounts."""

    url: str
    #: RFC 3339.
    expires_at: str

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, key: Literal["url", "expiresAt"], /) -> str: ...
        @overload
        def __getitem__(self, key: str, /) -> object: ...
        def __getitem__(self, key: str, /) -> object: ...


class ConfirmedConnection(Answer):
    """The connection that a user's app confirmed."""

    toolkit: str
    #: The name of the connection.
    name: str
    #: The name of the account at the provider.
    account: str | None

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, key: Literal["toolkit", "name", "account"], /) -> str: ...
        @overload
        def __getitem__(self, key: str, /) -> object: ...
        def __getitem__(self, key: str, /) -> object: ...


#: Ten digits and capital letters without 0, 1, I and O. The page shows them in two halves, such as 7KQ2M-9XWPT.
_CONFIRMATION_CODE = re.compile(r"([2-9A-HJ-NP-Z]{5})-?([2-9A-HJ-NP-Z]{5})")


def read_confirmation_code(text: str) -> str | None:
    """The code of a connect page, as the page shows it, in a text that a user typed. None for any other text."""
    halves = _CONFIRMATION_CODE.fullmatch(text.strip().upper())
    return f"{halves[1]}-{halves[2]}" if halves else None
