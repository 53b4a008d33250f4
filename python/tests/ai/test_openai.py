from typing import Any

from openai import AsyncOpenAI

from svc.ai.openai import load_svc_tools, svc_tools
from tests.ai.contract import contract_of
from tests.ai.driver import Conversing, Driver


async def converse(conversing: Conversing) -> str:
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


test_contract = contract_of(
    Driver(
        adapter="openai",
        use="a loop around chat completions",
        package="openai",
        converse=converse,
        cannot={
            "approval": "The loop is the user's own, which asks before call_tools",
            "images": "The API takes only text in the result of a tool",
        },
    )
)
