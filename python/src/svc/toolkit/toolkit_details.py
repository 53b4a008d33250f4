"""The name, the description and the needed connection of a toolkit, checked before they are sent.

Errors: INVALID_REQUEST
"""

from types import EllipsisType
from typing import Any

from svc.errors import SvcError
from svc.protocol.auth_problem import toolkit_auth_problem
from svc.protocol.connections import ToolkitAuth
from svc.protocol.json_text import from_json, to_json
from svc.toolkit.not_json import not_json


def check_details(name: object, description: object, auth: ToolkitAuth | EllipsisType | None) -> dict[str, Any]:
    """The members of an update. A member that does not change is absent.

    Args:
        name: None: unchanged.
        description: None: unchanged.
        auth: ``...``: unchanged; None: the toolkit needs no connection.
    """
    details: dict[str, Any] = {}
    if name is not None:
        if not isinstance(name, str) or not name.strip():
            raise _invalid('The name of a toolkit is a text that is not empty: update_toolkit(name="Weather")')
        details["name"] = name
    if description is not None:
        if not isinstance(description, str):
            raise _invalid("The description of a toolkit is a text")
        details["description"] = description
    if auth is None:
        details["auth"] = None
    elif not isinstance(auth, EllipsisType):
        if problem := toolkit_auth_problem(auth) or not_json(dict(auth), "auth"):
            raise _invalid(f"update_toolkit(auth=…): {problem}")
        # A copy, so that a later change of the object does not change a registration after a reconnect.
        details["auth"] = from_json(to_json(auth))
    return details


def _invalid(message: str) -> SvcError:
    return SvcError("INVALID_REQUEST", message)
