"""The pages of MCP Apps: resources that static tools name in ``_meta``. The service reads them.

Source: MCP Apps 2026-01-26, https://github.com/modelcontextprotocol/ext-apps
"""

from collections.abc import Iterable

from svc.errors import SvcError
from svc.mcp.mcp_error import INTERNAL_ERROR, INVALID_PARAMS, McpError
from svc.tools.definitions import ToolDefinition
from svc.tools.tools import Tools

_READ_RESOURCE = "svc__read_resource"
_SCHEME = "ui://"
_PAGE = "text/html;profile=mcp-app"
_NOT_FOUND = ("NOT_FOUND", "ACTION_NOT_FOUND", "ACTION_NOT_ALLOWED")


def pages_of(tools: Iterable[ToolDefinition]) -> list[dict[str, object]]:
    pages: dict[str, dict[str, object]] = {}
    for tool in tools:
        meta = tool.get("meta", {})
        ui = meta.get("ui")
        uri = ui.get("resourceUri") if isinstance(ui, dict) else meta.get("ui/resourceUri")
        if isinstance(uri, str) and uri not in pages:
            title = {"title": tool["title"]} if "title" in tool else {}
            pages[uri] = {"uri": uri, "name": tool["name"], **title, "mimeType": _PAGE}
    return list(pages.values())


async def read_page(tools: Tools, uri: str) -> dict[str, object]:
    """The contents of a page.

    Raises:
        McpError: for a page that the key may not read, and for a failure.
    """
    try:
        answer = await tools.invoke(_READ_RESOURCE, {"uri": uri})
    except SvcError as error:
        if error.code in _NOT_FOUND:
            raise McpError(INVALID_PARAMS, f"Resource not found: {uri}", {"uri": uri}) from error
        raise refused(error) from error
    result: object = answer.get("result")
    if isinstance(result, dict) and isinstance(result.get("contents"), list):
        return {"contents": [_at_service(uri, content) for content in result["contents"]]}
    cut = answer.get("cut")
    reason = (
        f"it has {cut['totalBytes']} bytes, more than the service passes on" if cut else "its toolkit gave no contents"
    )
    raise McpError(INTERNAL_ERROR, f"The resource cannot be read: {reason}")


def refused(error: SvcError) -> McpError:
    return McpError(INTERNAL_ERROR, error.message, error.to_json())


def _at_service(uri: str, content: object) -> object:
    """The content with its address at the service: the toolkit names its own."""
    if not isinstance(content, dict):
        return content
    own = str(content.get("uri"))
    toolkit = uri[: uri.index("/", len(_SCHEME)) + 1]
    return {**content, "uri": toolkit + own.removeprefix(_SCHEME) if own.startswith(_SCHEME) else own}
