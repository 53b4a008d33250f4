"""Checks ``auth`` of toolkits and actions, in words for their developers. The service checks lengths too.

No sentence has a value of ``auth``, which may be a secret at the wrong place.
"""

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

_TYPES = ("bearer", "basic", "apiKey", "oauth2")
_SOURCES = ("caller", "user", "agent", "everyone")
_ADDRESSES = ("authorizationUrl", "tokenUrl", "revocationUrl", "issuer", "server")
_OF_OAUTH = ("server", "authorizationUrl", "tokenUrl", "revocationUrl", "scopes")
_OF_API_KEY = ("in", "name")
_SCOPE = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]+")


def toolkit_auth_problem(auth: object) -> str | None:
    """A sentence; None for a valid ``auth`` of a toolkit."""
    if not isinstance(auth, Mapping):
        return 'it is an object such as {"type": "bearer", "from": "caller"}'
    if auth.get("type") not in _TYPES:
        return f"type is one of {', '.join(_TYPES)}"
    if auth.get("from") not in _SOURCES:
        return f"from is one of {', '.join(_SOURCES)}"
    if "help" in auth and not isinstance(auth["help"], str):
        return "help is a text"
    if wrong := next((name for name in _ADDRESSES if name in auth and not _is_address(auth[name])), None):
        return f"{wrong} is an https:// or http:// address"
    if "scopes" in auth and (problem := _scopes_problem(auth["scopes"])):
        return problem
    return _combination_problem(auth)


def action_auth_problem(auth: object) -> str | None:
    """A sentence; None for a valid ``auth`` of an action."""
    if auth is False:
        return None
    return _scopes_problem(auth.get("scopes")) if isinstance(auth, Mapping) else 'auth is False, or {"scopes": […]}'


def _combination_problem(auth: Mapping[str, object]) -> str | None:
    """Members that exclude or need each other."""
    kind = auth["type"]
    has_endpoints = "authorizationUrl" in auth and "tokenUrl" in auth
    if kind == "oauth2" and auth["from"] != "caller" and has_endpoints == ("server" in auth):
        return "oauth2 needs authorizationUrl and tokenUrl, or server (the URL of a remote MCP server)"
    if kind != "oauth2" and any(name in auth for name in _OF_OAUTH):
        return f"Only oauth2 has endpoints and scopes, and this is {kind}"
    if kind != "apiKey" and any(name in auth for name in _OF_API_KEY):
        return f'Only apiKey has "in" and "name", and this is {kind}'
    return None


def _scopes_problem(scopes: object) -> str | None:
    listed = scopes if isinstance(scopes, list | tuple) else (None,)
    if all(isinstance(scope, str) and _SCOPE.fullmatch(scope) for scope in listed):
        return None
    return "scopes is a list of texts without spaces, quotes and backslashes"


def _is_address(value: object) -> bool:
    try:
        url = urlsplit(value) if isinstance(value, str) else None
        return url is not None and url.scheme in ("http", "https") and bool(url.hostname) and (url.port or 1) > 0
    except ValueError:
        return False
