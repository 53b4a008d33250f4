"""The tools that a program of the model's provider may call, with ``programmatic``."""

import re
from dataclasses import dataclass

from svc.ai.agent_tool.options import Rules
from svc.protocol.http import JsonSchema
from svc.protocol.json_text import to_json
from svc.protocol.program_calls import may_program_call
from svc.protocol.to_type import short_type
from svc.tools.definitions import INVOKE_TOOL, SEARCH_TOOL, ToolDefinition


@dataclass(frozen=True, slots=True)
class ProgramTool:
    """A tool as programs see it."""

    #: Ends with the type of the result where it is known.
    description: str
    #: JSON Schema of the texts that the tool answers with: the result, or an error. None: the result is not known.
    output_schema: JsonSchema | None = None


_FAILED: JsonSchema = {"type": "object", "properties": {"error": {"type": "object"}}, "required": ["error"]}
_ROOT_KEYWORDS = ("$schema", "$defs", "definitions")
#: A reference to a place outside of the definitions leads elsewhere once the schema is inside of another.
_MOVED_REFERENCE = re.compile(r'"\$ref":"(?!#/(?:\$defs|definitions)/)')


def program_tool(definition: ToolDefinition, rules: Rules) -> ProgramTool | None:
    """None for a tool that only the model itself may call: a program does not wait for a human, and may make a call
    twice.
    """
    if not rules.programmatic or _may_ask(definition, rules):
        return None
    description = definition["description"]
    if definition["name"] == SEARCH_TOOL:
        return ProgramTool(description)
    if definition["name"] == INVOKE_TOOL:
        # The service refuses its calls of other actions, but a framework that asks would have asked a human before.
        asks_never = rules.needs_approval is False and rules.ask_above is None
        return ProgramTool(description) if asks_never else None
    if not may_program_call(definition.get("annotations")):
        return None
    result = definition.get("resultSchema")
    if result is None:
        return ProgramTool(description)
    type_of_result = short_type(result)
    returns = "" if type_of_result == "any" else f"\nReturns {type_of_result}"
    return ProgramTool(description + returns, _output_schema(result))


def _may_ask(definition: ToolDefinition, rules: Rules) -> bool:
    asks = rules.needs_approval is True or callable(rules.needs_approval)
    return asks or (definition.get("payment") is not None and rules.ask_above is not None)


def _output_schema(result: JsonSchema) -> JsonSchema | None:
    shape = {keyword: value for keyword, value in result.items() if keyword not in _ROOT_KEYWORDS}
    if shape.keys() <= {"description"} or _MOVED_REFERENCE.search(to_json(result)):
        return None
    definitions: JsonSchema = {keyword: result[keyword] for keyword in ("$defs", "definitions") if keyword in result}
    return {"anyOf": [shape, _FAILED], **definitions}
