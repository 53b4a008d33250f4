import asyncio
from typing import Any

from haystack.components.agents import Agent
from haystack.components.generators.chat import OpenAIChatGenerator, OpenAIResponsesChatGenerator
from haystack.dataclasses import ChatMessage, StreamingChunk
from haystack.hooks.human_in_the_loop import ConfirmationUIResult
from haystack.hooks.human_in_the_loop.types import ConfirmationUI
from haystack.utils import Secret

from svc.ai.haystack import SvcTool, ask_before_calls, load_svc_tools, svc_tools
from tests.ai.contract import contract_of
from tests.ai.driver import Conversing, Driver, ShownImage
from tests.ai.example import asks_before_it_erases, runs_programs
from tests.ai.stage import PNG, Model, Stage
from tests.ai.stage_conversation import DONE, invoke


class Human(ConfirmationUI):
    def __init__(self, conversing: Conversing) -> None:
        self._conversing = conversing

    def get_user_confirmation(
        self, tool_name: str, tool_description: str, tool_params: dict[str, Any]
    ) -> ConfirmationUIResult:
        return ConfirmationUIResult("confirm" if self._conversing.approve(tool_params) else "reject")


def agent_of(model: Model, tools: list[SvcTool], ui: ConfirmationUI, generator: Any = OpenAIChatGenerator) -> Agent:
    return Agent(
        chat_generator=generator(
            api_key=Secret.from_token("any"), model="scripted-model", api_base_url=model.base_url, max_retries=0
        ),
        tools=[*tools],
        tool_streaming_callback_passthrough=True,
        hooks={"before_tool": [ask_before_calls(tools, ui)]},
    )


async def converse_with(conversing: Conversing, generator: Any, *, streams: bool) -> str:
    options = conversing.options
    tools = await load_svc_tools(**options) if conversing.static else svc_tools(**options)

    async def on_chunk(chunk: StreamingChunk) -> None:
        if "progress" in chunk.meta:
            conversing.on_progress(chunk.meta["progress"])

    agent = agent_of(conversing.model, tools, Human(conversing), generator)
    question = ChatMessage.from_user(conversing.question)
    result = await agent.run_async([question], streaming_callback=on_chunk if streams else None)
    return str(result["last_message"].text)


async def by_chat_completions(conversing: Conversing) -> str:
    return await converse_with(conversing, OpenAIChatGenerator, streams=True)


async def by_responses(conversing: Conversing) -> str:
    return await converse_with(conversing, OpenAIResponsesChatGenerator, streams=False)


CANNOT: Any = {
    "call_ids": "Haystack does not pass the id to a tool",
    "payments": "Haystack keeps only the text of a result",
    "null_arguments": "Haystack ends the run with a TypeError",
    "cut_arguments": "Haystack drops the call, and the run ends",
}

test_contract = contract_of(
    Driver(
        adapter="haystack",
        use="Agent with chat completions",
        package="haystack-ai",
        converse=by_chat_completions,
        cannot=CANNOT | {"images": "Chat completions take only text in the result of a tool"},
    ),
    Driver(
        adapter="haystack",
        use="Agent with the Responses API",
        package="haystack-ai",
        as_offered=lambda parameters: {**parameters, "additionalProperties": False},
        converse=by_responses,
        cannot=CANNOT
        | {"progress": "Haystack sorts the streamed calls of a message by ids, so the driver does not stream"},
        image=ShownImage(block={"type": "input_image", "image_url": f"data:image/png;base64,{PNG}"}),
    ),
)

test_program = runs_programs("haystack", "haystack_ask")

test_question = asks_before_it_erases("haystack_ask")


class Editor(ConfirmationUI):
    def get_user_confirmation(
        self, tool_name: str, tool_description: str, tool_params: dict[str, Any]
    ) -> ConfirmationUIResult:
        assert (tool_name, tool_params) == ("probe__erase", {"name": "a"})
        return ConfirmationUIResult("modify", new_tool_params={"name": "b"})


async def test_a_blocking_agent_asks_and_runs_the_call_as_the_human_has_changed_it(stage: Stage) -> None:
    model = stage.open_model([[invoke("probe__erase", {"name": "a"})]])
    agent = agent_of(model, svc_tools(**stage.connection), Editor())
    result = await asyncio.to_thread(agent.run, [ChatMessage.from_user("Please do it.")])
    stage.close_model(model)
    assert (stage.erased, result["last_message"].text) == (["b"], DONE)


async def test_without_the_hook_a_call_that_needs_approval_does_not_run(stage: Stage) -> None:
    [_, invoke_service] = svc_tools(stage.tools)
    answer = await invoke_service.invoke_async(action="probe__erase", payload={"name": "a"})
    assert "APPROVAL_REQUIRED" in answer
    assert stage.erased == []
