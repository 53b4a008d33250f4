"""A tool of CrewAI."""

import json

from crewai.tools import BaseTool
from crewai.tools.tool_failure import ToolFailure
from pydantic import PrivateAttr

from svc.ai.agent_tool import AgentTool, run_blocking
from svc.ai.arguments_model import arguments_model
from svc.protocol.http import JsonSchema
from svc.tools import ToolAnswer


def never_cached(arguments: object = None, result: object = None) -> bool:
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

    def _run(self, **arguments: object) -> str | ToolFailure:
        return _result(run_blocking(self._tool.answer(_as_meant(self._tool.parameters, arguments))))

    async def _arun(self, **arguments: object) -> str | ToolFailure:
        return _result(await self._tool.answer(_as_meant(self._tool.parameters, arguments)))


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


def _as_meant(parameters: JsonSchema, arguments: dict[str, object]) -> dict[str, object]:
    """The arguments, as the schema of the tool describes them."""
    properties, required = parameters.get("properties", {}), parameters.get("required", ())
    return {
        name: _parsed(value) if _is_free_form(properties.get(name, {})) else value
        for name, value in arguments.items()
        if value is not None or name in required or name not in properties
    }


def _parsed(value: object) -> object:
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
