"""The ids of a chat and of a person at the service: ``<client id>/<id>``, in characters that a header can hold."""

import hashlib
from urllib.parse import quote

from svc.agent.well_formed import well_formed

_MAX_CHARS = 200
#: Escapes like JavaScript's ``encodeURIComponent``: the same chat has the same id in all languages.
_UNQUOTED = "!*'()"


def conversation_id(client_id: str, part: str) -> str:
    """The id of a chat or of a person, 1 to 200 visible ASCII characters."""
    name = "/".join(quote(well_formed(text), safe=_UNQUOTED) for text in (client_id, part))
    return name if len(name) <= _MAX_CHARS else hashlib.sha256(name.encode()).hexdigest()
