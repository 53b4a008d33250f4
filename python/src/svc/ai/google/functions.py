"""Functions for automatic function calling."""

# The SDK reads an `Annotated` of a parameter only from a text.
from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from pydantic import Field

from svc.ai.agent_tool import AgentTool
from svc.tools.definitions import INVOKE_TOOL, RUN_CODE_TOOL, SEARCH_TOOL, fresh_definitions

_PROPERTIES = {each["name"]: each["parameters"]["properties"] for each in fresh_definitions(code=True)}


def _described(tool: str, name: str) -> object:
    return Field(description=_PROPERTIES[tool][name]["description"])


_Query = Annotated[str, _described(SEARCH_TOOL, "query")]
_Limit = Annotated[int, _described(SEARCH_TOOL, "limit")]
_Action = Annotated[str, _described(INVOKE_TOOL, "action")]
#: A plain type: the SDK cannot check a value against a `dict[…]`, and would report that to the model.
_Payload = Annotated[dict, _described(INVOKE_TOOL, "payload")]
_Code = Annotated[str, _described(RUN_CODE_TOOL, "code")]
_Run = Annotated[str, _described(RUN_CODE_TOOL, "run")]


def to_functions(tools: list[AgentTool]) -> list[Callable[..., object]]:
    """The functions. The SDK derives their schemas from signature and docstring.

    They return a failure as a value: the SDK would show the model an exception as Python text, with the arguments in
    front.
    """
    search, invoke, *others = tools

    async def search_services(query: _Query, limit: _Limit = 10) -> object:
        return await _output(search, {"query": query, "limit": limit})

    async def invoke_service(action: _Action, payload: _Payload) -> object:  # type: ignore[type-arg]
        return await _output(invoke, {"action": action, "payload": payload})

    search_services.__doc__ = search.description
    invoke_service.__doc__ = invoke.description
    return [search_services, invoke_service, *map(_to_run_code, others)]


def _to_run_code(tool: AgentTool) -> Callable[..., object]:
    async def run_code(code: _Code = "", run: _Run = "") -> object:
        return await _output(tool, {"code": code, "run": run})

    run_code.__doc__ = tool.description
    return run_code


async def _output(tool: AgentTool, arguments: dict[str, object]) -> object:
    return (await tool.answer(arguments)).value
