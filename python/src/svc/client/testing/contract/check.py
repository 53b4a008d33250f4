"""Checks for the contract. A failed check names the client's behaviour and the expected one, so that no test runner is
needed.
"""

import json
from collections.abc import Awaitable


def check(is_right: bool, problem: str) -> None:
    """Raises AssertionError with the problem."""
    if not is_right:
        raise AssertionError(problem)


def check_same(what: str, actual: object, expected: object) -> None:
    """
    Args:
        what: such as ``The client returned``
        actual: of the client
        expected: by the contract
    """
    check(actual == expected, f"{what} {actual!r}, and should be {expected!r}")


def check_json(what: str, value: object) -> None:
    """Checks that a value survives JSON unchanged, since it is stored."""
    try:
        is_json = json.loads(json.dumps(value)) == value
    except (TypeError, ValueError):
        is_json = False
    check(is_json, f"{what} has to be JSON, for it is stored, and is {value!r}")


async def plain_or_async(result: Awaitable[object] | object) -> None:
    """Waits for the result of a function that may be asynchronous."""
    if isinstance(result, Awaitable):
        await result
