from typing import Any

from openai import AsyncOpenAI
from openai.types.responses import ResponseFunctionToolCall

from svc.ai.openai import load_svc_responses_tools, load_svc_tools, svc_responses_tools, svc_tools
from tests.ai.contract import contract_of
from tests.ai.driver import Conversing, Driver, ShownImage
from tests.ai.example import runs_programs
from tests.ai.stage import PNG, Stage


async def by_chat_completions(conversing: Conversing) -> str:
    options = conversing.options
    tools = await load_svc_tools(**options) if conversing.static else svc_tools(**options)
    messages: list[Any] = [{"role": "user", "content": conversing.question}]
    async with AsyncOpenAI(base_url=conversing.model.base_url, api_key="any", max_retries=0) as openai:
        while True:
            completion = await openai.chat.completions.create(model="scripted-model", messages=messages, tools=tools)
            message = completion.choices[0].message
            messages.append(message)
            messages += await tools.call_tools(
                message.tool_calls,
                on_progress=lambda progress, _: conversing.on_progress(progress),
                on_payment=lambda payment, _: conversing.on_payment(payment),
            )
            if not message.tool_calls:
                return message.content or ""


async def by_responses(conversing: Conversing) -> str:
    options = conversing.options
    tools = await load_svc_responses_tools(**options) if conversing.static else svc_responses_tools(**options)
    request: dict[str, Any] = {"model": "scripted-model", "tools": tools}
    async with AsyncOpenAI(base_url=conversing.model.base_url, api_key="any", max_retries=0) as openai:
        response = await openai.responses.create(**request, input=conversing.question)
        while answers := await tools.call_tools(
            response.output,
            on_progress=lambda progress, _: conversing.on_progress(progress),
            on_payment=lambda payment, _: conversing.on_payment(payment),
        ):
            response = await openai.responses.create(**request, input=answers, previous_response_id=response.id)
        return str(response.output_text)


ASKS_ITSELF = "The loop is the user's own, which asks before call_tools"

test_contract = contract_of(
    Driver(
        adapter="openai",
        use="a loop around chat completions",
        package="openai",
        converse=by_chat_completions,
        cannot={
            "approval": ASKS_ITSELF,
            "images": "The API takes only text in the result of a tool",
        },
    ),
    Driver(
        adapter="openai",
        use="a loop around the Responses API",
        package="openai",
        converse=by_responses,
        cannot={"approval": ASKS_ITSELF},
        image=ShownImage(block={"type": "input_image", "image_url": f"data:image/png;base64,{PNG}", "detail": "auto"}),
    ),
)

test_program = runs_programs("openai", "openai_chat", "openai_responses")


async def test_the_item_of_a_call_that_a_program_made_goes_to_that_program_as_a_text(stage: Stage) -> None:
    arguments = '{"action": "probe__show", "payload": {}}'
    call = {"type": "function_call", "name": "invoke_service", "arguments": arguments}
    caller = {"type": "program", "caller_id": "call_program"}
    output = [
        {"type": "program", "id": "prog_1", "call_id": "call_program", "code": "", "fingerprint": "f"},
        ResponseFunctionToolCall.model_validate({**call, "call_id": "call_1", "caller": caller}),
        {**call, "call_id": "call_2", "caller": {"type": "direct"}},
        {**call, "call_id": "call_3"},
    ]
    tools = svc_responses_tools(stage.tools, images=True)
    of_program, direct, plain = await tools.call_tools(output)
    assert of_program["caller"] == caller
    assert "[image image/png" in of_program["output"]
    assert direct["caller"] == {"type": "direct"}
    assert [part["type"] for part in direct["output"]] == ["input_text", "input_image"]
    assert "caller" not in plain
