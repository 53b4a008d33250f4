"""The name, the description, the needed connection and the profile of a toolkit, checked before they are sent.

Errors: INVALID_REQUEST
"""

import base64
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from types import EllipsisType

from svc.errors import SvcError
from svc.protocol.auth_problem import toolkit_auth_problem
from svc.protocol.connections import ToolkitAuth
from svc.protocol.json_text import from_json, to_json
from svc.protocol.toolkit_profile import icon_size_problem, icon_type_of, profile_problem
from svc.toolkit.not_json import not_json


def check_details(name: object, description: object, auth: ToolkitAuth | EllipsisType | None) -> dict[str, object]:
    """The members of an update. A member that does not change is absent.

    Args:
        name: None: unchanged.
        description: None: unchanged.
        auth: ``...``: unchanged; None: the toolkit needs no connection.
    """
    details: dict[str, object] = {}
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


def check_profile(profile: Mapping[str, object]) -> dict[str, object]:
    """The members of a profile for an update. ``...``: unchanged, so it is absent; None removes a member."""
    details: dict[str, object] = {}
    for member, given in profile.items():
        if isinstance(given, EllipsisType):
            continue
        value = _data_url(given) if member == "icon" and isinstance(given, bytes | PathLike) else given
        problem = value is not None and profile_problem(member, value)
        if problem:
            raise _invalid_member(member, problem)
        details[member] = value
    return details


def _data_url(icon: bytes | PathLike[str]) -> str:
    data = icon if isinstance(icon, bytes) else Path(icon).read_bytes()
    if problem := icon_size_problem(len(data)):
        raise _invalid_member("icon", problem)
    icon_type = icon_type_of(data)
    if not icon_type:
        raise _invalid_member("icon", "its bytes are none of PNG, JPEG and WebP; convert it to one")
    return f"data:{icon_type};base64,{base64.b64encode(data).decode()}"


def _invalid_member(member: str, problem: str) -> SvcError:
    return _invalid(f"update_toolkit({member}=…): {problem}")


def _invalid(message: str) -> SvcError:
    return SvcError("INVALID_REQUEST", message)
