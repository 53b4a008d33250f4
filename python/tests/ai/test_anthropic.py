from typing import Any

from anthropic import AsyncAnthropic

from svc.ai.anthropic import SvcTools, load_svc_tools, svc_tools
from tests.ai.contract import contract_of
from tests.ai.driver import Conversing, Driver, ShownImage
from tests.ai.example import runs_programs
from tests.ai.stage import PNG, Stage


async def make_tools(conversing: Conversing) -> SvcTools:
    options = conversing.options
    return await load_svc_tools(**options) if conversing.static else svc_tools(**options)


def client_of(conversing: Conversing) -> AsyncAnthropic:
    return AsyncAnthropic(base_url=conversing.model.origin, api_key="any", max_retries=0)


def text_of(content: Any) -> str:
    return "".join(block.text for block in content if block.type == "text")


async def by_runner(conversing: Conversing) -> str:
    tools = await make_tools(conversing)
    async with client_of(conversing) as anthropic:
        runner = anthropic.beta.messages.tool_runner(
            model="scripted-model",
            max_tokens=1_000,
            messages=[{"role": "user", "content": conversing.question}],
            tools=tools,
            max_iterations=10,
            thread=False,
        )
        return text_of((await runner.until_done()).content)


async def by_loop(conversing: Conversing) -> str:
    tools = await make_tools(conversing)
    messages: list[Any] = [{"role": "user", "content": conversing.question}]
    async with client_of(conversing) as anthropic:
        while True:
            message = await anthropic.messages.create(
                model="scripted-model", max_tokens=1_000, messages=messages, tools=tools
            )
            results = await tools.call_tools(
                message.content,
                on_progress=lambda progress, _: conversing.on_progress(progress),
                on_payment=lambda payment, _: conversing.on_payment(payment),
            )
            if not results:
                return text_of(message.content)
            messages += [
                {"role": "assistant", "content": message.content},
                {"role": "user", "content": results},
            ]


NOT_ON_THE_WIRE = "The arguments are an object on this wire"
CANNOT: Any = {
    "empty_arguments": NOT_ON_THE_WIRE,
    "null_arguments": NOT_ON_THE_WIRE,
    "cut_arguments": NOT_ON_THE_WIRE,
}
IMAGE = ShownImage(
    block={"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}, always=True
)

test_contract = contract_of(
    Driver(
        adapter="anthropic",
        use="a tool runner",
        package="anthropic",
        converse=by_runner,
        cannot=CANNOT
        | {
            "approval": "A runner has no approval before a call",
            "progress": "A runner shows nothing of a tool while it runs",
            "payments": "A runner accepts only the content of a result",
            "parallel": "A runner runs the calls of a message one after the other",
            "call_ids": "A runner passes the arguments alone",
        },
        image=IMAGE,
    ),
    Driver(
        adapter="anthropic",
        use="a loop around messages.create",
        package="anthropic",
        converse=by_loop,
        cannot=CANNOT | {"approval": "The loop is the user's own, which asks before call_tools"},
        image=IMAGE,
    ),
)

test_program = runs_programs("anthropic", "anthropic_runner")


async def test_the_result_of_a_call_that_code_made_is_a_text(stage: Stage) -> None:
    block = {"type": "tool_use", "name": "invoke_service", "input": {"action": "probe__show", "payload": {}}}
    code = {"type": "code_execution_20260120", "tool_id": "srvtoolu_1"}
    content = [
        {**block, "id": "toolu_1", "caller": code},
        {**block, "id": "toolu_2", "caller": {"type": "direct"}},
    ]
    of_code, direct = await svc_tools(stage.tools).call_tools(content)
    assert "[image image/png" in of_code["content"]
    assert [part["type"] for part in direct["content"]] == ["text", "image"]
