import json
from typing import Any

from agents import (
    Agent,
    FunctionTool,
    Model,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    ProgrammaticToolCallingTool,
    RunConfig,
    Runner,
    set_tracing_disabled,
)
from agents.items import ToolCallOutputItem
from agents.tool_context import ToolContext
from openai import AsyncOpenAI
from openai.types.responses import ResponseFunctionToolCall

from svc.ai.openai_agents import load_svc_tools, svc_tools
from tests.ai.contract import contract_of
from tests.ai.driver import Conversing, Driver, ShownImage
from tests.ai.example import asks_before_it_erases, runs_programs
from tests.ai.stage import PNG, Stage

set_tracing_disabled(True)


async def converse(conversing: Conversing, model: Model) -> str:
    options = conversing.options
    tools = await load_svc_tools(**options) if conversing.static else svc_tools(**options)
    agent = Agent(name="agent", model=model, tools=tools)
    # Otherwise a call of a tool that does not exist ends the run.
    run_config = RunConfig(tool_not_found_behavior="return_error_to_model")
    result = await Runner.run(agent, conversing.question, run_config=run_config)
    while result.interruptions:
        state = result.to_state()
        for item in result.interruptions:
            if conversing.approve(item.arguments):
                state.approve(item)
            else:
                state.reject(item)
        result = await Runner.run(agent, state, run_config=run_config)
    for output in result.new_items:
        if isinstance(output, ToolCallOutputItem) and output.custom_data:
            conversing.on_payment(output.custom_data["payment"])
    return str(result.final_output)


async def by_chat_completions(conversing: Conversing) -> str:
    async with AsyncOpenAI(base_url=conversing.model.base_url, api_key="any", max_retries=0) as openai:
        return await converse(conversing, OpenAIChatCompletionsModel("scripted-model", openai))


async def by_responses(conversing: Conversing) -> str:
    async with AsyncOpenAI(base_url=conversing.model.base_url, api_key="any", max_retries=0) as openai:
        return await converse(conversing, OpenAIResponsesModel("scripted-model", openai))


CANNOT: Any = {"progress": "A function tool cannot report before it returns"}

test_contract = contract_of(
    Driver(
        adapter="openai_agents",
        use="chat completions",
        package="openai-agents",
        converse=by_chat_completions,
        cannot=CANNOT | {"images": "Chat completions take only text in the result of a tool"},
    ),
    Driver(
        adapter="openai_agents",
        use="the Responses API",
        package="openai-agents",
        converse=by_responses,
        cannot=CANNOT,
        image=ShownImage(block={"type": "input_image", "image_url": f"data:image/png;base64,{PNG}"}),
    ),
)

test_program = runs_programs("openai-agents", "openai_agents_ask")

test_question = asks_before_it_erases("openai_agents_ask")


async def test_programs_call_what_may_run_twice(stage: Stage) -> None:
    asking = svc_tools(tools=stage.tools, programmatic=True)
    assert [getattr(tool, "allowed_callers", None) for tool in asking] == [None, ["direct", "programmatic"], None]
    hosted, search, invoke = svc_tools(tools=stage.tools, programmatic=True, needs_approval=False)
    assert isinstance(hosted, ProgrammaticToolCallingTool)
    assert isinstance(search, FunctionTool)
    assert isinstance(invoke, FunctionTool)
    assert search.allowed_callers == invoke.allowed_callers == ["direct", "programmatic"]

    async def answer(action: str, caller: Any) -> Any:
        arguments = json.dumps({"action": action, "payload": {"name": "all", "kind": "text", "city": "Rome"}})
        call = {"type": "function_call", "call_id": f"call_{action}", "name": invoke.name, "arguments": arguments}
        made = ResponseFunctionToolCall.model_validate({**call, "caller": caller})
        context = ToolContext(
            None, tool_name=invoke.name, tool_call_id=made.call_id, tool_arguments=arguments, tool_call=made
        )
        return await invoke.on_invoke_tool(context, arguments)

    program = {"type": "program", "caller_id": "call_program"}
    assert await answer("weather__today", program) == '{"city":"Rome","celsius":21}'
    refused = json.loads(await answer("probe__erase", program))
    assert refused["error"]["code"] == "CALL_DIRECTLY"
    assert stage.erased == []
    await answer("probe__erase", {"type": "direct"})
    assert stage.erased == ["all"]
