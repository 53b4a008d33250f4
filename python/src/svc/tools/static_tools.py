"""Selected actions as separate tools: named by their ids, with unchanged payload schemas, sorted by id.

Errors: ACTION_NOT_FOUND, TOOLKIT_NOT_FOUND, with the service's ``didYouMean``; also for a toolkit without actions,
    because an agent does not notice a missing tool.
"""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from typing import Any
from urllib.parse import urlencode

from svc.errors import SvcError
from svc.protocol.http import ACTIONS_PATH, ActionInfo
from svc.protocol.ids import is_action_id, is_toolkit_id
from svc.protocol.json_text import quoted
from svc.tools.concurrency import map_concurrent
from svc.tools.definitions import ToolDefinition
from svc.tools.describe_action import describe_action

#: An action of ``GET /v1/actions``, with the members that ``ToolDefinition`` has.
ListedAction = dict[str, Any]
#: Returns one page of it.
PageReader = Callable[[str], Awaitable[dict[str, Any]]]

#: The wildcard for all toolkits.
_EVERY_TOOLKIT = "*"
#: 50 ids of 64 characters stay below 4 kB, which every server and proxy accepts as a URL.
_IDS_PER_REQUEST = 50
_PARALLEL_REQUESTS = 5


async def static_tools(toolkits: Iterable[str], actions: Iterable[str], read_page: PageReader) -> list[ToolDefinition]:
    """Creates one tool for each action of the toolkits and for each listed action."""
    ids = list(dict.fromkeys(actions))
    chunks = [ids[start : start + _IDS_PER_REQUEST] for start in range(0, len(ids), _IDS_PER_REQUEST)]
    readers = [
        *(partial(_actions_of_toolkit, toolkit, read_page) for toolkit in dict.fromkeys(toolkits)),
        *(partial(_actions_by_id, chunk, read_page) for chunk in chunks),
    ]
    found = await map_concurrent(readers, _PARALLEL_REQUESTS, lambda reader, _: reader())
    by_id = {action["action"]: action for actions_of_one in found for action in actions_of_one}
    return [_to_definition(by_id[action]) for action in sorted(by_id)]


def _to_definition(action: ListedAction) -> ToolDefinition:
    definition: ToolDefinition = {
        "name": action["action"],
        "description": describe_action(ActionInfo(action)),
        "parameters": action["payloadSchema"],
    }
    if action.get("title"):
        definition["title"] = action["title"]
    # Strict MCP clients refuse a result that does not fit its schema.
    if action.get("resultSchema") and not action.get("resultMisfits"):
        definition["resultSchema"] = action["resultSchema"]
    if action.get("annotations"):
        definition["annotations"] = action["annotations"]
    if action.get("meta"):
        definition["meta"] = action["meta"]
    if action.get("icons"):
        definition["icons"] = action["icons"]
    if action.get("payment"):
        definition["payment"] = action["payment"]
    return definition


async def _actions_of_toolkit(toolkit: str, read_page: PageReader) -> list[ListedAction]:
    every = toolkit == _EVERY_TOOLKIT
    if not every and not (isinstance(toolkit, str) and is_toolkit_id(toolkit)):
        raise SvcError(
            "TOOLKIT_NOT_FOUND",
            f'{quoted(toolkit)} is not a toolkit id; one looks like "weather" or "sample-database"',
        )
    actions = await _read_pages({} if every else {"toolkit": toolkit}, read_page)
    if actions:
        return actions
    subject = "No toolkit has an action" if every else f'Toolkit "{toolkit}" has no action'
    raise SvcError("ACTION_NOT_FOUND", f"{subject} that this key may use")


async def _actions_by_id(ids: Sequence[str], read_page: PageReader) -> list[ListedAction]:
    for each in ids:
        if not (isinstance(each, str) and is_action_id(each)):
            raise SvcError(
                "ACTION_NOT_FOUND", f'{quoted(each)} is not an action id; one looks like "weather__get_forecast"'
            )
    actions = await _read_pages({"ids": ",".join(ids)}, read_page)
    found = {action["action"] for action in actions}
    missing = [each for each in ids if each not in found]
    if not missing:
        return actions
    raise SvcError("ACTION_NOT_FOUND", f"No toolkit offers {', '.join(missing)}, or this key may not use it")


async def _read_pages(query: dict[str, str], read_page: PageReader) -> list[ListedAction]:
    actions: list[ListedAction] = []
    cursors: set[str] = set()
    cursor: str | None = None
    while True:
        page = await read_page(f"{ACTIONS_PATH}?{urlencode(query if cursor is None else {**query, 'cursor': cursor})}")
        actions += page["actions"]
        cursor = page.get("nextCursor")
        if cursor is None:
            return actions
        if cursor in cursors:
            raise SvcError("INTERNAL", f"The service returned the cursor {cursor} twice, so its pages would never end")
        cursors.add(cursor)
