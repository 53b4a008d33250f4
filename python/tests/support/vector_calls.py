"""Calls of the vectors, made with ``Tools``."""

import re
from typing import Any

from svc import SvcError, Tools

#: Method -> the number of arguments before the options.
METHODS = {
    "search": 1,
    "invoke": 2,
    "resolve": 2,
    "callTools": 1,
    "getTools": 0,
    "connectUrl": 0,
    "confirmConnection": 0,
    "result": 1,
    "cancel": 1,
    "decideApproval": 1,
}


def named(case: dict[str, Any]) -> str:
    return str(case["name"])


def snake_case(name: str) -> str:
    return re.sub(r"[A-Z]", lambda found: f"_{found[0].lower()}", name)


def options_of(options: dict[str, Any]) -> dict[str, Any]:
    """Options in the names and units of Python."""
    return {
        snake_case(name.removesuffix("Ms")): value / 1000 if name.endswith("Ms") else value
        for name, value in options.items()
    }


async def play(tools: Tools, call: dict[str, Any], progress: list[Any] | None = None) -> dict[str, Any]:
    """The outcome of a call: a value or an error.

    Args:
        progress: collects the reports, if the call is made with a listener.
    """
    arguments, before_options = list(call["args"]), METHODS[call["method"]]
    options = options_of(arguments.pop()) if len(arguments) > before_options else {}
    if progress is not None:
        options["on_progress"] = progress.append
    if call["method"] == "decideApproval":
        arguments.append(options.pop("decision"))
    try:
        return {"value": await getattr(tools, snake_case(call["method"]))(*arguments, **options)}
    except SvcError as error:
        return {"error": error.to_json()}
