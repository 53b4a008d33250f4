"""Tools and results in the words of MCP."""

from svc.errors import SvcError
from svc.mcp.dynamic_tools import DYNAMIC_TOOLS
from svc.mcp.mcp_error import INVALID_PARAMS, McpError
from svc.protocol.http import JsonSchema
from svc.protocol.json_text import quoted, to_json
from svc.tools.definitions import INVOKE_TOOL, SEARCH_TOOL, ToolDefinition
from svc.tools.tool_answer import ToolAnswer

#: Member of ``_meta``: the payment of a result, the price of a tool.
_PAYMENT = "svc-sdk/payment"


def to_mcp_tool(definition: ToolDefinition) -> dict[str, object]:
    tool: dict[str, object] = {
        "name": definition["name"],
        "description": definition["description"],
        "inputSchema": _to_input_schema(definition["parameters"]),
    }
    if title := definition.get("title"):
        tool["title"] = title
    if result_schema := _output_schema(definition):
        tool["outputSchema"] = _to_input_schema(result_schema)
    if annotations := definition.get("annotations"):
        tool["annotations"] = {f"{hint}Hint": value for hint, value in annotations.items()}
    if icons := definition.get("icons"):
        tool["icons"] = icons
    tool.update(_meta_of(definition.get("meta"), definition.get("payment")))
    return {**tool, **DYNAMIC_TOOLS.get(definition["name"], {})}


def _output_schema(definition: ToolDefinition) -> JsonSchema | None:
    """MCP before 2026-07-28 knows structured results that are objects alone, and clients refuse another root."""
    schema = definition.get("resultSchema")
    return schema if schema and schema.get("type") == "object" else None


def to_result(answer: ToolAnswer, tool: ToolDefinition | None = None) -> dict[str, object]:
    """The result of a call.

    Args:
        answer: of the call.
        tool: the called tool, if there is one.
    """
    result: dict[str, object] = {
        "content": list(answer.blocks) if answer.blocks else [{"type": "text", "text": answer.content}],
        **_structured(answer, tool),
    }
    return {**result, **_meta_of(answer.meta, answer.payment)}


def _meta_of(meta: dict[str, object] | None, payment: object) -> dict[str, object]:
    """A payment is the service's alone."""
    if not meta and not payment:
        return {}
    rest = {name: value for name, value in (meta or {}).items() if name != _PAYMENT}
    return {"_meta": {**rest, _PAYMENT: payment} if payment else rest}


def _structured(answer: ToolAnswer, tool: ToolDefinition | None) -> dict[str, object]:
    """Clients check an answer against the output schema of its tool, and refuse one without ``structuredContent`` that
    is not an error.
    """
    failed: dict[str, object] = {"isError": True} if answer.error else {}
    if tool is not None and _output_schema(tool):
        is_shaped = not answer.error and isinstance(answer.result, dict)
        return {"structuredContent": answer.result} if is_shaped else {"isError": True}
    # Some clients would show a model only the structured content, and no image.
    if isinstance(answer.value, dict) and not answer.blocks:
        return {"structuredContent": answer.value, **failed}
    return failed


def to_error_result(error: SvcError) -> dict[str, object]:
    value = {"error": error.to_json()}
    return to_result(ToolAnswer(value=value, content=to_json(value), error=error))


def not_offered(name: str, *, dynamic_tools: bool) -> McpError:
    """The error for an unknown tool; also for an action that exists but is not offered as a tool here."""
    advice = (
        f"Find actions with {SEARCH_TOOL}, run one with {INVOKE_TOOL}."
        if dynamic_tools
        else "List the tools to see which ones exist."
    )
    error = SvcError("UNKNOWN_TOOL", f"There is no tool {quoted(name)} here. {advice}")
    return McpError(INVALID_PARAMS, error.message, error.to_json())


def _to_input_schema(schema: JsonSchema) -> JsonSchema:
    """Replaces ``true`` and ``false`` as the schema of a property: official clients refuse a whole list of tools
    because of one such schema.
    """
    properties = schema.get("properties") or {}
    if not any(isinstance(part, bool) for part in properties.values()):
        return schema
    as_objects = {name: _to_object(part) if isinstance(part, bool) else part for name, part in properties.items()}
    return {**schema, "type": "object", "properties": as_objects}


def _to_object(part: bool) -> JsonSchema:
    return {} if part else {"not": {}}
