"""Keys of a service, and other requests of an admin, over HTTP: the command takes half a second for each."""

import json
import urllib.request
from collections.abc import Sequence
from functools import cache
from typing import Any, Literal

from svc.testing import LocalService

#: Amounts of a budget.
_PER_CALL, _PER_DAY = "1", "100"


def create_key(
    service: LocalService,
    kind: Literal["agent", "toolkit"],
    name: str,
    *,
    budget: bool = False,
    rules: Sequence[dict[str, Any]] = (),
) -> str:
    """A new key; for an agent, optionally with a budget and rules."""
    body: dict[str, Any] = {"kind": kind, "name": name}
    if budget:
        body["budget"] = {"perCall": _PER_CALL, "perDay": _PER_DAY}
    if rules:
        body["rules"] = list(rules)
    made = admin_request(service, "POST", "/v1/keys", body)
    # The tests of a process share a service: the toolkit of a second key of that name has another id.
    if made.get("toolkit", name) != name:
        raise ValueError(f"Another test has a toolkit {name!r}: choose another name")
    return str(made["key"])


def admin_request(service: LocalService, method: str, path: str, body: Any = None) -> Any:
    """The answer to a request with an admin key."""
    headers = {"authorization": f"Bearer {_admin_key(service)}", "content-type": "application/json"}
    content = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(service.url + path, content, headers, method=method)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request) as response:
        return json.loads(response.read())


@cache
def _admin_key(service: LocalService) -> str:
    return service.create_key("admin", "tests")
