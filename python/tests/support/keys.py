"""Keys of a service, made over HTTP: the command takes half a second for each."""

import json
import urllib.request
from functools import cache
from typing import Literal

from svc.testing import LocalService

#: Amounts of a budget.
_PER_CALL, _PER_DAY = "1", "100"


def create_key(service: LocalService, kind: Literal["agent", "toolkit"], name: str, *, budget: bool = False) -> str:
    """A new key; for an agent, optionally with a budget."""
    body = {"kind": kind, "name": name, **({"budget": {"perCall": _PER_CALL, "perDay": _PER_DAY}} if budget else {})}
    headers = {"authorization": f"Bearer {_admin_key(service)}", "content-type": "application/json"}
    request = urllib.request.Request(f"{service.url}/v1/keys", json.dumps(body).encode(), headers)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request) as response:
        return str(json.loads(response.read())["key"])


@cache
def _admin_key(service: LocalService) -> str:
    return service.create_key("admin", "tests")
