import asyncio
import runpy
import sys
from pathlib import Path
from typing import Any

import pytest
from smolagents import (  # type: ignore[import-untyped]
    ChatMessage,
    ChatMessageToolCall,
    CodeAgent,
    MessageRole,
    Model,
    OpenAIModel,
    ToolCallingAgent,
)
from smolagents.models import (  # type: ignore[import-untyped]
    ChatMessageToolCallFunction,
    get_tool_json_schema,
)

from svc.ai.smolagents import load_svc_tools, svc_tools
from svc.ai.smolagents.inputs import to_identifier, to_inputs
from svc.ai.smolagents.printable import printable
from tests.ai.contract import contract_of
from tests.ai.driver import Conversing, Driver
from tests.ai.stage import Stage
from tests.support.repository import REPOSITORY

FINAL_ANSWER = "final_answer"
PROGRAMS = (REPOSITORY / "examples/python/smolagents_ask.py", REPOSITORY / "docs/adapters/smolagents.md")


class ReadingModel(OpenAIModel):  # type: ignore[misc] # smolagents has no types.
    """Parses the texts in which smolagents reports the results of calls, for the scripted model."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        #: The calls of each message of the scripted model.
        self._said: list[list[dict[str, Any]]] = []

    def _prepare_completion_kwargs(self, messages: list[Any], **options: Any) -> dict[str, Any]:
        tools = [tool for tool in options.pop("tools_to_call_from") if tool.name != FINAL_ANSWER]
        prepared = super()._prepare_completion_kwargs(messages=[], tools_to_call_from=tools, **options)
        return {**prepared, "messages": to_api_messages(messages, self._said), "tool_choice": "auto"}

    def generate(self, messages: list[Any], *args: Any, **options: Any) -> ChatMessage:
        said = super().generate(messages, *args, **options)
        self._said.append([to_api_call(call) for call in said.tool_calls or []])
        if not said.tool_calls:
            call = ChatMessageToolCallFunction(name=FINAL_ANSWER, arguments={"answer": said.content})
            said.tool_calls = [ChatMessageToolCall(function=call, id="final", type="function")]
        return said


def to_api_messages(messages: list[Any], said: list[list[dict[str, Any]]]) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = []
    turns = iter(said)
    for message in messages:
        text: str = message.content[0]["text"]
        if message.role == MessageRole.TOOL_RESPONSE:
            calls = next(turns)
            made.append({"role": "assistant", "content": None, "tool_calls": calls})
            made += to_tool_messages(sorted(call["id"] for call in calls), text)
        elif message.role != MessageRole.TOOL_CALL:
            made.append({"role": message.role.value, "content": text})
    return made


def to_tool_messages(ids: list[str], text: str) -> list[dict[str, Any]]:
    """A text has the results in the order of the ids, or one error."""
    results = text.removeprefix("Observation:\n")
    lines = results.split("\n") if len(ids) > 1 else [results]
    return [
        {"role": "tool", "tool_call_id": call_id, "content": line} for call_id, line in zip(ids, lines, strict=True)
    ]


def to_api_call(call: ChatMessageToolCall) -> dict[str, Any]:
    function = {"name": call.function.name, "arguments": call.function.arguments}
    return {"id": call.id, "type": "function", "function": function}


async def converse(conversing: Conversing) -> str:
    options = conversing.options
    tools: list[Any] = [*(await load_svc_tools(**options) if conversing.static else svc_tools(**options))]
    model = ReadingModel("scripted-model", api_base=conversing.model.base_url, api_key="any")
    agent = ToolCallingAgent(tools=tools, model=model, verbosity_level=0)
    return str(await asyncio.to_thread(agent.run, conversing.question))


def as_offered(parameters: dict[str, Any]) -> dict[str, Any]:
    class Shown:
        name = description = ""
        inputs = to_inputs(parameters)

    offered: dict[str, Any] = get_tool_json_schema(Shown())["function"]["parameters"]
    return offered


DRIVER = Driver(
    adapter="smolagents",
    use="ToolCallingAgent",
    package="smolagents",
    as_offered=as_offered,
    converse=converse,
    # Python's null.
    understand=lambda output: None if output == "None" else output,
    cannot={
        "approval": "smolagents has no approval before a call",
        "cancel": "smolagents blocks its thread, which nothing can end",
        "call_ids": "smolagents does not pass the id to a tool",
        "progress": "smolagents shows none",
        "payments": "smolagents keeps only the value of a result",
        "images": "smolagents stores an image for its own tools",
        "misfits": "smolagents refuses arguments that do not fit the schema, in its own words",
    },
)
test_contract = contract_of(DRIVER)


async def test_code_of_a_model_uses_results_as_values(stage: Stage) -> None:
    [_, invoke] = svc_tools(stage.tools)
    code = """
result = invoke_service(action="weather__today", payload={"city": "Rome"})
final_answer(result["celsius"] + 1)
"""

    class Coder(Model):  # type: ignore[misc] # smolagents has no types.
        def generate(self, messages: list[Any], **options: Any) -> ChatMessage:
            return ChatMessage(role=MessageRole.ASSISTANT, content=f"<code>{code}</code>")

    agent = CodeAgent(tools=[invoke], model=Coder(), verbosity_level=0)
    assert await asyncio.to_thread(agent.run, "Please do it.") == 22


def test_results_print_as_json() -> None:
    result: Any = printable({"found": [None, True]})
    assert f"{result} {result['found']}" == '{"found":[null,true]} [null,true]'


def test_a_schema_becomes_inputs_that_smolagents_accepts() -> None:
    point = {"type": "object", "properties": {"x": {"type": "number"}, "next": {"$ref": "#/$defs/point"}}}
    parameters = {
        "type": "object",
        "properties": {
            "where": {"$ref": "#/$defs/point"},
            "when": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}], "default": None},
            "extra": {},
        },
        "required": ["where"],
        "$defs": {"point": point},
    }
    assert to_inputs(parameters) == {
        "where": {"type": "object", "properties": {"x": {"type": "number"}, "next": {}}, "description": ""},
        "when": {"type": ["string", "null"], "default": None, "description": "", "nullable": True},
        "extra": {"type": "any", "description": "", "nullable": True},
    }


def test_an_action_id_becomes_a_name_that_code_can_call() -> None:
    assert [*map(to_identifier, ("my-kit__find", "3d__render"))] == ["my_kit__find", "_3d__render"]


def code_of(program: Path) -> str:
    """The program, or the Python block of a page."""
    text = program.read_text()
    return text if program.suffix == ".py" else text.partition("```python\n")[2].partition("```")[0]


@pytest.mark.parametrize("program", PROGRAMS, ids=str)
async def test_program_answers_by_code(
    program: Path, stage: Stage, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code = """
result = invoke_service(action="weather__today", payload={"city": "Rome"})
final_answer(result["celsius"])
"""
    model = stage.open_model([], says=f"<code>{code}</code>")
    environment = {
        "SVC_BASE_URL": stage.url,
        "SVC_AGENT_API_KEY": stage.api_key,
        "OPENAI_BASE_URL": model.base_url,
        "OPENAI_API_KEY": "any",
    }
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "argv", [str(program), "How warm is it in Rome?"])
    file = tmp_path / "program.py"
    file.write_text(code_of(program))
    await asyncio.to_thread(runpy.run_path, str(file), run_name="__main__")
    assert capsys.readouterr().out == "21\n"
