import asyncio
from typing import Any

import httpx
from llama_index.core.agent.workflow import FunctionAgent, ToolCallResult
from llama_index.llms.openai import OpenAI, OpenAIResponses

from svc.ai.llamaindex import ApprovalRequestEvent, SvcProgressEvent, load_svc_tools, svc_tools
from tests.ai.contract import contract_of
from tests.ai.driver import Conversing, Driver, ShownImage
from tests.ai.example import asks_before_it_erases, runs_programs
from tests.ai.stage import PNG, Stage


async def make_tools(conversing: Conversing) -> Any:
    options = conversing.options
    return await load_svc_tools(**options) if conversing.static else svc_tools(**options)


async def converse_with(conversing: Conversing, make_model: Any) -> str:
    async with httpx.AsyncClient() as client:
        # LlamaIndex accepts only known names of models.
        llm = make_model(
            "gpt-5-mini",
            api_base=conversing.model.base_url,
            api_key="any",
            max_retries=0,
            async_http_client=client,
        )
        agent = FunctionAgent(llm=llm, tools=await make_tools(conversing), streaming=False)
        return await run(agent, conversing)


async def run(agent: FunctionAgent, conversing: Conversing) -> str:
    handler = agent.run(conversing.question)
    try:
        async for event in handler.stream_events():
            if isinstance(event, SvcProgressEvent):
                conversing.on_progress(event.progress)
            if isinstance(event, ApprovalRequestEvent):
                approved = conversing.approve({"action": event.action, "payload": event.payload})
                handler.ctx.send_event(event.approve() if approved else event.reject())
            if isinstance(event, ToolCallResult) and event.tool_output.raw_output:
                payment = event.tool_output.raw_output["payment"]
                if payment:
                    conversing.on_payment(payment)
    except asyncio.CancelledError:
        await handler.cancel_run()
        raise
    return str(await handler)


async def by_chat_completions(conversing: Conversing) -> str:
    return await converse_with(conversing, OpenAI)


async def by_responses(conversing: Conversing) -> str:
    return await converse_with(conversing, OpenAIResponses)


def as_offered(parameters: dict[str, Any]) -> dict[str, Any]:
    kept = ("type", "properties", "required", "definitions", "$defs")
    return {name: value for name, value in parameters.items() if name in kept}


def as_offered_in_chat_completions(parameters: dict[str, Any]) -> dict[str, Any]:
    return {**as_offered(parameters), "additionalProperties": False}


CANNOT: Any = {"call_ids": "LlamaIndex does not pass the id to a tool"}
TEXT_ONLY = {"images": "Chat completions take only text in the result of a tool"}

test_contract = contract_of(
    Driver(
        adapter="llamaindex",
        use="FunctionAgent",
        package="llama-index-core",
        asks_anew=True,
        as_offered=as_offered_in_chat_completions,
        converse=by_chat_completions,
        cannot=CANNOT | TEXT_ONLY,
    ),
    Driver(
        adapter="llamaindex",
        use="FunctionAgent with the Responses API",
        package="llama-index-core",
        asks_anew=True,
        as_offered=as_offered,
        converse=by_responses,
        cannot=CANNOT,
        image=ShownImage(block={"type": "input_image", "image_url": f"data:image/png;base64,{PNG}", "detail": "auto"}),
    ),
)

test_program = runs_programs("llamaindex", "llamaindex_ask")

test_question = asks_before_it_erases("llamaindex_ask")


async def test_outside_of_an_agent_a_call_that_needs_approval_fails(stage: Stage) -> None:
    [_, invoke] = svc_tools(stage.tools)
    erased = await invoke.acall(action="probe__erase", payload={"name": "a"})
    assert (erased.is_error, "did not approve" in erased.content, stage.erased) == (True, True, [])
    found = await invoke.acall(action="weather__today", payload={"city": "Rome"})
    assert (found.is_error, found.raw_output["value"]) == (False, {"city": "Rome", "celsius": 21})


async def test_a_blocking_caller_gets_the_result(stage: Stage) -> None:
    [_, invoke] = svc_tools(**stage.connection)
    found = await asyncio.to_thread(invoke.call, action="weather__today", payload={"city": "Rome"})
    assert found.raw_output["value"] == {"city": "Rome", "celsius": 21}
