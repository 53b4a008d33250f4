"""The environment variables and the address of the service, as ``Tools`` and ``Toolkit`` read them.

Errors: INVALID_REQUEST. No message quotes the address: by mistake it may be the key.
"""

import os
from urllib.parse import SplitResult, urlsplit

from svc.errors import SvcError

DEFAULT_BASE_URL = "http://127.0.0.1:8787"


def from_environment(name: str) -> str | None:
    """None for an empty variable too."""
    return os.environ.get(name) or None


def read_base_url(option: object) -> SplitResult:
    """The address of the service, without a slash at its end. A path stays, for services behind a proxy."""
    text = from_environment("SVC_BASE_URL") or DEFAULT_BASE_URL if option is None else option
    url = _split(text) if isinstance(text, str) else None
    if url is None or url.scheme not in ("http", "https") or not url.hostname:
        raise SvcError(
            "INVALID_REQUEST",
            f"base_url (or SVC_BASE_URL) is not an http(s) URL; write one such as {DEFAULT_BASE_URL}",
        )
    if url.username or url.password or url.query or url.fragment:
        raise SvcError(
            "INVALID_REQUEST",
            f"base_url for {url.hostname} may have no user, password, query or fragment; the key is api_key",
        )
    return url._replace(path=url.path.rstrip("/"))


def _split(text: str) -> SplitResult | None:
    try:
        url = urlsplit(text.strip())
        _ = url.port  # Raises for a port that is not a number.
    except ValueError:
        return None
    return None if any(character.isspace() for character in url.netloc + url.path) else url
