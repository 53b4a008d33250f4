import asyncio
from typing import Any

from autogen_agentchat.agents import AssistantAgent
from autogen_core import CancellationToken
from autogen_core.models import ModelFamily
from autogen_ext.models.openai import OpenAIChatCompletionClient

from svc.ai.autogen import load_svc_tools, svc_tools
from tests.ai.contract import contract_of
from tests.ai.driver import Conversing, Driver
from tests.ai.example import runs_programs


async def converse(conversing: Conversing) -> str:
    options = conversing.options
    tools: list[Any] = [*(await load_svc_tools(**options) if conversing.static else svc_tools(**options))]
    model = OpenAIChatCompletionClient(
        model="scripted-model",
        base_url=conversing.model.base_url,
        api_key="any",
        max_retries=0,
        model_info={
            "vision": False,
            "function_calling": True,
            "json_output": False,
            "family": ModelFamily.UNKNOWN,
            "structured_output": False,
        },
    )
    agent = AssistantAgent("assistant", model, tools=tools, max_tool_iterations=20)
    cancellation = CancellationToken()
    try:
        result = await agent.run(task=conversing.question, cancellation_token=cancellation)
    except asyncio.CancelledError:
        cancellation.cancel()
        raise
    finally:
        await model.close()
    return result.messages[-1].to_text()


test_contract = contract_of(
    Driver(
        adapter="autogen",
        use="AssistantAgent",
        package="autogen-agentchat",
        converse=converse,
        cannot={
            "approval": "AutoGen has no approval before a call",
            "progress": "Teams refuse events of a type that they do not know",
            "payments": "The result of a tool is a text",
            "empty_arguments": "AutoGen answers invalid JSON itself, in the words of the parser",
            "cut_arguments": "AutoGen answers invalid JSON itself, in the words of the parser",
            "images": "AutoGen sends only text in the result of a tool",
        },
    )
)

test_program = runs_programs("autogen", "autogen_ask")
