import asyncio
from copy import deepcopy
from typing import Any

from openai import AsyncOpenAI
from strands import Agent
from strands.models.model import Model
from strands.models.openai import OpenAIModel
from strands.models.openai_responses import OpenAIResponsesModel
from strands.tools.registry import ToolRegistry
from strands.types.tools import ToolSpec

from svc.ai.strands import load_svc_tools, svc_tools
from tests.ai.contract import contract_of
from tests.ai.driver import Conversing, Driver, ShownImage
from tests.ai.example import asks_before_it_erases, runs_programs
from tests.ai.stage import PNG, Stage
from tests.ai.stage_conversation import converse, invoke
from tests.support.waiting import until


async def make_agent(conversing: Conversing, model: Model) -> Agent:
    options = conversing.options
    tools = await load_svc_tools(**options) if conversing.static else svc_tools(**options)
    return Agent(model=model, tools=[*tools], callback_handler=None)


async def run(agent: Agent, conversing: Conversing) -> str:
    prompt: Any = conversing.question
    while True:
        async for event in agent.stream_async(prompt):
            if "tool_stream_event" in event:
                show(event["tool_stream_event"]["data"], conversing)
            if "result" in event:
                result = event["result"]
        if not result.interrupts:
            break
        prompt = [
            {"interruptResponse": {"interruptId": each.id, "response": conversing.approve(each.reason)}}
            for each in result.interrupts
        ]
    return str(result).strip()


def show(data: dict[str, Any], conversing: Conversing) -> None:
    if "progress" in data:
        conversing.on_progress(data["progress"])
    if "payment" in data:
        conversing.on_payment(data["payment"])


def client_of(conversing: Conversing) -> AsyncOpenAI:
    return AsyncOpenAI(base_url=conversing.model.base_url, api_key="any", max_retries=0)


async def by_chat_completions(conversing: Conversing) -> str:
    async with client_of(conversing) as client:
        model = OpenAIModel(client, model_id="scripted-model")
        return await run(await make_agent(conversing, model), conversing)


async def by_responses(conversing: Conversing) -> str:
    arguments = {"base_url": conversing.model.base_url, "api_key": "any", "max_retries": 0}
    model = OpenAIResponsesModel(client_args=arguments, model_id="scripted-model")
    return await run(await make_agent(conversing, model), conversing)


def as_offered(parameters: dict[str, Any]) -> dict[str, Any]:
    spec = ToolSpec(name="any", description="", inputSchema={"json": deepcopy(parameters)})
    ToolRegistry().validate_tool_spec(spec)
    offered: dict[str, Any] = spec["inputSchema"]["json"]
    return offered


test_contract = contract_of(
    Driver(
        adapter="strands",
        use="Agent with chat completions",
        package="strands-agents",
        asks_anew=True,
        as_offered=as_offered,
        converse=by_chat_completions,
        cannot={"images": "The image is a message of the user, after which the scripted model begins again"},
    ),
    Driver(
        adapter="strands",
        use="Agent with the Responses API",
        package="strands-agents",
        asks_anew=True,
        as_offered=as_offered,
        converse=by_responses,
        image=ShownImage(block={"type": "input_image", "image_url": f"data:image/png;base64,{PNG}"}),
    ),
)

test_program = runs_programs("strands", "strands_ask")

test_question = asks_before_it_erases("strands_ask")


async def test_cancel_of_the_agent_ends_its_calls(stage: Stage) -> None:
    agents: list[Agent] = []

    async def cancelled_meanwhile(conversing: Conversing) -> str:
        async with client_of(conversing) as client:
            agents.append(await make_agent(conversing, OpenAIModel(client, model_id="scripted-model")))
            return await run(agents[0], conversing)

    driver = Driver(adapter="strands", use="cancel", package="strands-agents", converse=cancelled_meanwhile)
    running = asyncio.create_task(converse(stage, driver, [[invoke("probe__hang", {})]]))
    await until(lambda: stage.hangs["begun"])
    agents[0].cancel()
    await until(lambda: stage.hangs["aborted"])
    await running
    contents = [content for message in agents[0].messages for content in message["content"]]
    [result] = [content["toolResult"] for content in contents if "toolResult" in content]
    assert (result["status"], result["content"]) == ("error", [{"text": "Cancelled"}])
