from typing import Any

from openai import AsyncOpenAI
from pydantic_ai import Agent, AgentRunResultEvent, DeferredToolRequests, DeferredToolResults, ToolReturnPart
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.profiles.openai import OpenAIJsonSchemaTransformer
from pydantic_ai.providers.openai import OpenAIProvider

from svc.ai.pydantic_ai import SvcProgressEvent, load_svc_tools, svc_tools
from tests.ai.contract import contract_of
from tests.ai.driver import Conversing, Driver, ShownImage
from tests.ai.example import asks_before_it_erases, runs_programs
from tests.ai.stage import PNG


async def converse_with(conversing: Conversing, make_model: Any) -> str:
    options = conversing.options
    tools = await load_svc_tools(**options) if conversing.static else svc_tools(**options)
    async with AsyncOpenAI(base_url=conversing.model.base_url, api_key="any", max_retries=0) as client:
        model = make_model("scripted-model", provider=OpenAIProvider(openai_client=client))
        return await run(Agent(model, tools=tools, output_type=[str, DeferredToolRequests]), conversing)


async def run(agent: Agent[None, Any], conversing: Conversing) -> str:
    state: dict[str, Any] = {"user_prompt": conversing.question}
    while True:
        result: Any = None
        async with agent.run_stream_events(**state) as events:
            async for event in events:
                if isinstance(event, SvcProgressEvent):
                    conversing.on_progress(event.progress)
                if isinstance(event, AgentRunResultEvent):
                    result = event.result
        if not isinstance(result.output, DeferredToolRequests):
            break
        approvals: dict[str, Any] = {
            call.tool_call_id: conversing.approve(call.args_as_dict()) for call in result.output.approvals
        }
        state = {
            "message_history": result.all_messages(),
            "deferred_tool_results": DeferredToolResults(approvals=approvals),
        }
    for message in result.all_messages():
        for part in message.parts:
            if isinstance(part, ToolReturnPart) and part.metadata and "payment" in part.metadata:
                conversing.on_payment(part.metadata["payment"])
    return str(result.output)


async def by_chat_completions(conversing: Conversing) -> str:
    return await converse_with(conversing, OpenAIChatModel)


async def by_responses(conversing: Conversing) -> str:
    return await converse_with(conversing, OpenAIResponsesModel)


def as_offered(parameters: dict[str, Any]) -> dict[str, Any]:
    return OpenAIJsonSchemaTransformer(parameters, strict=False).walk()


test_contract = contract_of(
    Driver(
        adapter="pydantic_ai",
        use="Agent with chat completions",
        package="pydantic-ai-slim",
        as_offered=as_offered,
        converse=by_chat_completions,
        cannot={"images": "The image is a message of the user, after which the scripted model begins again"},
    ),
    Driver(
        adapter="pydantic_ai",
        use="Agent with the Responses API",
        package="pydantic-ai-slim",
        as_offered=as_offered,
        converse=by_responses,
        image=ShownImage(block={"type": "input_image", "image_url": f"data:image/png;base64,{PNG}", "detail": "auto"}),
    ),
)

test_program = runs_programs("pydantic-ai", "pydantic_ai_ask")

test_question = asks_before_it_erases("pydantic_ai_ask")
