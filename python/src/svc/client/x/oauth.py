"""The ``Authorization`` header of a request that an app makes for an account.

Source: OAuth 1.0a, RFC 5849, section 3 (HMAC-SHA1). Bodies of JSON and of ``multipart/form-data`` are not signed.
"""

import base64
import hashlib
import hmac
import secrets
import time
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, field
from urllib.parse import quote


@dataclass(frozen=True, slots=True)
class XCredentials:
    """The four texts of the developer portal of X, "Keys and tokens"."""

    api_key: str = field(repr=False)
    api_secret: str = field(repr=False)
    access_token: str = field(repr=False)
    access_secret: str = field(repr=False)

    def removed_from(self, text: str) -> str:
        for secret in astuple(self):
            text = text.replace(secret, "***")
        return text


def authorization_header(
    credentials: XCredentials,
    method: str,
    url: str,
    query: Mapping[str, str],
    *,
    nonce: str | None = None,
    timestamp: int | None = None,
) -> str:
    """The header.

    Args:
        url: without a query; scheme and host in small letters, without the scheme's own port
        nonce: only for tests, like ``timestamp``
    """
    oauth = {
        "oauth_consumer_key": credentials.api_key,
        "oauth_nonce": nonce or secrets.token_hex(16),
        "oauth_signature_method": "HMAC-SHA1",
        "oauth_timestamp": str(int(time.time()) if timestamp is None else timestamp),
        "oauth_token": credentials.access_token,
        "oauth_version": "1.0",
    }
    parameters = sorted(f"{encode(name)}={encode(value)}" for name, value in (*oauth.items(), *query.items()))
    base = _joined((method, url, "&".join(parameters)))
    key = _joined((credentials.api_secret, credentials.access_secret))
    digest = hmac.digest(key.encode(), base.encode(), hashlib.sha1)
    oauth["oauth_signature"] = base64.b64encode(digest).decode()
    return "OAuth " + ", ".join(f'{name}="{encode(value)}"' for name, value in oauth.items())


def encode(text: str) -> str:
    """Each byte that is not unreserved, RFC 5849, section 3.6."""
    return quote(text, safe="")


def _joined(texts: Iterable[str]) -> str:
    return "&".join(map(encode, texts))
