"""CrewAI: ``Agent(role=…, goal=…, backstory=…, tools=svc_tools())``.

Translation only; search, retries and limits are the client's.
"""

import json
from typing import Any, Unpack

from svc.ai.agent_tool import (
    AgentTool,
    LoadSvcToolsOptionsWithoutApproval,
    SvcToolsOptionsWithoutApproval,
    agent_tools,
    load_agent_tools,
    read_options,
    run_blocking,
)
from svc.ai.framework import framework
from svc.protocol.http import JsonSchema
from svc.tools import ToolAnswer, Tools

with framework("CrewAI", "crewai"):
    from crewai.tools import BaseTool
    from crewai.tools.tool_failure import ToolFailure
    from pydantic import PrivateAttr

    from svc.ai.arguments_model import arguments_model

__all__ = ["SvcTool", "load_svc_tools", "svc_tools"]

_NAME = "CrewAI"


def never_cached(arguments: Any = None, result: Any = None) -> bool:
    """CrewAI's cache would answer a second, equal call without a run: with old data, or without a second order."""
    return False


class SvcTool(BaseTool):
    """A tool of CrewAI. Its result is the text for the model, or a ``ToolFailure`` with that text."""

    _tool: AgentTool = PrivateAttr()

    @classmethod
    def of(cls, tool: AgentTool) -> "SvcTool":
        made = cls(
            name=tool.name,
            description=tool.description,
            args_schema=arguments_model(tool.name, strict_parameters(tool.parameters)),
            cache_function=never_cached,
        )
        made._tool = tool
        return made

    def _run(self, **arguments: Any) -> str | ToolFailure:
        return _result(run_blocking(self._tool.answer(_as_meant(self._tool.parameters, arguments))))

    async def _arun(self, **arguments: Any) -> str | ToolFailure:
        return _result(await self._tool.answer(_as_meant(self._tool.parameters, arguments)))


def svc_tools(tools: Tools | None = None, **options: Unpack[SvcToolsOptionsWithoutApproval]) -> list[SvcTool]:
    """``search_services`` and ``invoke_service`` as CrewAI tools. Makes no network call.

    Args:
        tools: a ``Tools`` to share.
        options: of a new one; ``api_key`` defaults to ``SVC_AGENT_API_KEY``.
    """
    return [SvcTool.of(tool) for tool in agent_tools(read_options(tools, options, without_approval=_NAME))]


async def load_svc_tools(
    tools: Tools | None = None, **options: Unpack[LoadSvcToolsOptionsWithoutApproval]
) -> list[SvcTool]:
    """The same with static toolkits and actions, each a tool of its own, named by its action id.

    Raises:
        SvcError: ACTION_NOT_FOUND, TOOLKIT_NOT_FOUND for an id that the service does not have.
    """
    return [SvcTool.of(tool) for tool in await load_agent_tools(read_options(tools, options, without_approval=_NAME))]


def strict_parameters(parameters: JsonSchema) -> JsonSchema:
    """The parameters, so that they keep their meaning in strict mode, which CrewAI always requests.

    In strict mode an object has only the properties of its schema, and all of them. So an object of any properties
    becomes JSON text, and an optional property can be null.
    """
    properties = {
        name: _strict_property(schema, name in parameters.get("required", ()))
        for name, schema in parameters.get("properties", {}).items()
    }
    return {**parameters, "properties": properties}


def _strict_property(schema: JsonSchema, is_required: bool) -> JsonSchema:
    if _is_free_form(schema):
        schema = {"type": "string", "description": f"JSON text of an object. {schema.get('description', '')}".strip()}
    return schema if is_required else {"anyOf": [schema, {"type": "null"}]}


def _is_free_form(schema: JsonSchema) -> bool:
    return schema.get("type") == "object" and not schema.get("properties")


def _as_meant(parameters: JsonSchema, arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments, as the schema of the tool describes them."""
    properties, required = parameters.get("properties", {}), parameters.get("required", ())
    return {
        name: _parsed(value) if _is_free_form(properties.get(name, {})) else value
        for name, value in arguments.items()
        if value is not None or name in required or name not in properties
    }


def _parsed(value: Any) -> Any:
    """The service explains what is wrong with a text that is not JSON."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value


def _result(answer: ToolAnswer) -> str | ToolFailure:
    if answer.error is None:
        return answer.content
    # No `code`, which CrewAI would write behind the JSON.
    return ToolFailure(message=answer.content, retryable=answer.error.retryable, details=answer.error.to_json())
