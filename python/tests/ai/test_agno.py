import asyncio
from typing import Any

import pytest
from agno.agent import Agent
from agno.db.in_memory import InMemoryDb
from agno.models.openai import OpenAIChat, OpenAIResponses
from openai import AsyncOpenAI

from svc.ai.agno import load_svc_tools, svc_tools
from tests.ai.contract import contract_of
from tests.ai.driver import Conversing, Driver
from tests.ai.example import runs_programs
from tests.ai.stage import DONE, Stage
from tests.ai.stage_conversation import invoke

ERASE = {"name": "probe__erase", "arguments": {"name": "a"}}


async def converse_with(conversing: Conversing, make_model: Any) -> str:
    options = conversing.options
    tools = await load_svc_tools(**options) if conversing.static else svc_tools(**options)
    async with AsyncOpenAI(base_url=conversing.model.base_url, api_key="any", max_retries=0) as client:
        model = make_model(id="scripted-model", async_client=client)
        agent = Agent(model=model, tools=[*tools], telemetry=False)
        return str((await agent.arun(conversing.question)).content)


async def by_chat_completions(conversing: Conversing) -> str:
    return await converse_with(conversing, OpenAIChat)


async def by_responses(conversing: Conversing) -> str:
    return await converse_with(conversing, OpenAIResponses)


def database() -> InMemoryDb:
    return InMemoryDb()  # type: ignore[no-untyped-call]


CANNOT: Any = {
    "unknown_tools": "Agno answers, and does not name the tool",
    "approval": "Agno asks about a tool, not about a call",
    "progress": "Agno shows events of a generator, which it does not end when its run is cancelled",
    "payments": "Agno keeps only the value of a result",
    "images": "The image is a message of the user, after which the scripted model begins again",
}

test_contract = contract_of(
    Driver(
        adapter="agno",
        use="Agent with chat completions",
        package="agno",
        sorts_tools=True,
        converse=by_chat_completions,
        cannot=CANNOT,
    ),
    Driver(
        adapter="agno",
        use="Agent with the Responses API",
        package="agno",
        sorts_tools=True,
        converse=by_responses,
        cannot=CANNOT | {"call_ids": "Agno passes on the id of the item, which is new in each response"},
    ),
)

test_program = runs_programs("agno", "agno_ask")


@pytest.mark.parametrize("confirms", [True, False])
async def test_a_destructive_static_action_waits_for_a_confirmation(confirms: bool, stage: Stage) -> None:
    model = stage.open_model([[ERASE, {"name": "weather__today", "arguments": {"city": "Rome"}}]])
    tools = await load_svc_tools(stage.tools, static_actions=["probe__erase", "weather__today"], dynamic_tools=False)
    openai = OpenAIChat(id="scripted-model", base_url=model.base_url, api_key="any")
    agent = Agent(model=openai, tools=[*tools], db=database(), telemetry=False)
    paused = await agent.arun("Please do it.")
    [requirement] = paused.active_requirements
    assert requirement.tool_execution
    assert (requirement.tool_execution.tool_args, stage.erased) == ({"name": "a"}, [])
    if confirms:
        requirement.confirm()  # type: ignore[no-untyped-call]
    else:
        requirement.reject()
    run = await agent.acontinue_run(run_id=paused.run_id, requirements=paused.requirements)
    stage.close_model(model)
    assert (run.content, stage.erased) == (DONE, ["a"] if confirms else [])


async def test_a_blocking_agent_calls_and_pauses_before_a_tool_that_requires_it(stage: Stage) -> None:
    model = stage.open_model([[invoke("weather__today", {"city": "Rome"})]])
    tools = svc_tools(**stage.connection)
    tools[1].requires_confirmation = True
    openai = OpenAIChat(id="scripted-model", base_url=model.base_url, api_key="any")
    agent = Agent(model=openai, tools=[*tools], db=database(), telemetry=False)
    paused = await asyncio.to_thread(agent.run, "Please do it.")
    paused.active_requirements[0].confirm()  # type: ignore[no-untyped-call]
    run = await asyncio.to_thread(agent.continue_run, run_id=paused.run_id, requirements=paused.requirements)
    seen = stage.close_model(model)
    assert run.content == DONE
    assert seen["conversation"]["turns"][0][0]["output"] == {"city": "Rome", "celsius": 21}
