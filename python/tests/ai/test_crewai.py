import asyncio
import os
import tempfile
from typing import Any

#: CrewAI sends telemetry, and stores runs in the user's home folder.
os.environ.update(
    CREWAI_DISABLE_TELEMETRY="true",
    CREWAI_TRACING_ENABLED="false",
    CREWAI_STORAGE_DIR=tempfile.mkdtemp(prefix="svc-crewai-"),
    OTEL_SDK_DISABLED="true",
)

from crewai import LLM, Agent, Crew, Task
from crewai.utilities.pydantic_schema_utils import generate_model_description, sanitize_tool_params_for_openai_strict
from crewai.utilities.string_utils import sanitize_tool_name

from svc.ai.arguments_model import arguments_model
from svc.ai.crewai import load_svc_tools, svc_tools
from svc.ai.crewai.svc_tool import strict_parameters
from tests.ai.contract import contract_of
from tests.ai.driver import Conversing, Driver
from tests.ai.example import runs_programs
from tests.ai.stage import Stage
from tests.ai.stage_conversation import converse as converse_on


async def converse(conversing: Conversing) -> str:
    options = conversing.options
    tools: list[Any] = [*(await load_svc_tools(**options) if conversing.static else svc_tools(**options))]
    llm = LLM(model="openai/scripted-model", base_url=conversing.model.base_url, api_key="any", max_retries=0)
    # CrewAI's default stores a long result, and offers the model a tool to read it in parts.
    whole = {"use_better_compaction": False}
    agent = Agent(role="Assistant", goal="Help", backstory="An assistant.", llm=llm, tools=tools, cache=True, **whole)
    task = Task(description=conversing.question, expected_output="The answer.", agent=agent)
    crew = Crew(agents=[agent], tasks=[task])
    return str(await asyncio.to_thread(crew.kickoff))


def as_offered(parameters: dict[str, Any]) -> dict[str, Any]:
    """CrewAI makes every schema strict."""
    model = arguments_model("any", strict_parameters(parameters))
    described: Any = generate_model_description(model, strip_null_types=False)["json_schema"]["schema"]
    return sanitize_tool_params_for_openai_strict(described)


DRIVER = Driver(
    adapter="crewai",
    use="Agent in a Crew",
    package="crewai",
    as_offered=as_offered,
    as_named=sanitize_tool_name,
    converse=converse,
    cannot={
        "approval": "CrewAI has no approval before a call",
        "cancel": "CrewAI runs in threads, which nothing can end",
        "call_ids": "CrewAI does not pass the id to a tool",
        "progress": "CrewAI shows none",
        "payments": "CrewAI keeps only the text of a result",
        "unknown_tools": "CrewAI answers it, without the name of the tool",
        "images": "CrewAI sends only text in the result of a tool",
    },
)
test_contract = contract_of(DRIVER)


async def test_in_strict_mode_the_payload_is_json_text_and_the_limit_can_be_null(stage: Stage) -> None:
    told = await converse_on(stage, DRIVER, [])
    search, invoke = (tool["parameters"]["properties"] for tool in told.offered)
    assert search["limit"]["anyOf"] == [{"type": "integer", "description": "At most 50; default 10"}, {"type": "null"}]
    assert invoke["payload"]["type"] == "string"

    arguments = {"action": "weather__today", "payload": '{"city": "Rome"}'}
    told = await converse_on(
        stage,
        DRIVER,
        [
            [{"name": "search_services", "arguments": {"query": "weather of today", "limit": None}}],
            [{"name": "invoke_service", "arguments": arguments}],
        ],
    )
    assert told.outputs[0]["actions"][0]["action"] == "weather__today"
    assert told.outputs[1] == {"city": "Rome", "celsius": 21}


async def test_null_means_an_absent_argument(stage: Stage) -> None:
    call = {"name": "schemas__nested", "arguments": {"where": {"x": 1}, "tags": None, "when": "2026-03-10"}}
    options = {"tools": stage.tools, "static_actions": ["schemas__nested"]}
    told = await converse_on(stage, DRIVER, [[call]], options=options)
    assert told.outputs == [{"where": {"x": 1}, "when": "2026-03-10"}]


async def test_an_equal_call_runs_again(stage: Stage) -> None:
    count = {"name": "invoke_service", "arguments": {"action": "probe__count", "payload": "{}"}}
    told = await converse_on(stage, DRIVER, [[count], [count]])
    assert told.outputs[1]["count"] == told.outputs[0]["count"] + 1


test_program = runs_programs("crewai", "crewai_ask")
