"""Tools whose key errors say where the user of an MCP client sets the key. The user sees only these errors, and only
the user can correct the key.
"""

from typing import Any

from svc.errors import SvcError
from svc.mcp.log import log
from svc.tools.definitions import ToolDefinition
from svc.tools.tools import Tools

_KEY_ERRORS = ("INVALID_KEY", "KEY_EXPIRED", "KEY_REVOKED", "WRONG_KEY_KIND")
_WHERE_THE_KEY_IS = (
    'The user can mend it: the key is SVC_AGENT_API_KEY in the "env" of this server in the MCP client\'s '
    "configuration; restart the client after a change."
)


class ExplainedTools(Tools):
    """``Tools`` for an MCP client. Unavailable static tools are also logged as an error."""

    async def call_tool(self, name: str, arguments: Any, **options: Any) -> Any:
        try:
            return await super().call_tool(name, arguments, **options)
        except SvcError as error:
            raise _explained(error) from error

    async def load_definitions(self, **selection: Any) -> list[ToolDefinition]:
        try:
            return await super().load_definitions(**selection)
        except SvcError as error:
            log(error)
            raise _explained(error) from error


def _explained(error: SvcError) -> SvcError:
    if error.code not in _KEY_ERRORS:
        return error
    return SvcError(error.code, f"{error.message}. {_WHERE_THE_KEY_IS}", error.details)
