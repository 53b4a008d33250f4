from typing import Any

import pytest
from google.adk.agents import Agent
from google.adk.events import Event
from google.adk.models import Gemini
from google.adk.runners import InMemoryRunner
from google.genai import types

from svc.ai.google_adk import load_svc_tools, svc_tools
from tests.ai.contract import contract_of
from tests.ai.driver import Conversing, Driver, ShownImage
from tests.ai.example import asks_before_it_erases, runs_programs
from tests.ai.stage import PNG

CONFIRMATION = "adk_request_confirmation"


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_API_KEY", "any")


async def converse(conversing: Conversing) -> str:
    options = conversing.options
    tools = await load_svc_tools(**options) if conversing.static else svc_tools(**options)
    model = Gemini(model="scripted-model", base_url=conversing.model.origin)
    agent = Agent(name="agent", model=model, tools=[*tools])
    async with InMemoryRunner(agent) as runner:
        session = await runner.session_service.create_session(app_name=runner.app_name, user_id="ada")
        message = types.UserContent(conversing.question)
        while True:
            events = [
                event async for event in runner.run_async(user_id="ada", session_id=session.id, new_message=message)
            ]
            answers = [
                types.Part(function_response=answer_to(call, conversing))
                for event in events
                for call in event.get_function_calls()
                if call.name == CONFIRMATION
            ]
            if not answers:
                return text_of(events[-1])
            message = types.UserContent(answers)


def answer_to(call: types.FunctionCall, conversing: Conversing) -> types.FunctionResponse:
    assert call.args
    asked = call.args["toolConfirmation"].get("payload")
    return types.FunctionResponse(id=call.id, name=call.name, response={"confirmed": conversing.approve(asked)})


def text_of(event: Event) -> str:
    parts: Any = event.content and event.content.parts
    return "".join(part.text or "" for part in parts or ())


#: The SDK writes bytes in this alphabet, and the API accepts both alphabets.
URL_SAFE_PNG = PNG.replace("+", "-").replace("/", "_")
NOT_ON_THE_WIRE = "The arguments are an object on this wire"

test_contract = contract_of(
    Driver(
        adapter="google_adk",
        use="Agent with Gemini",
        package="google-adk",
        converse=converse,
        cannot={
            "empty_arguments": NOT_ON_THE_WIRE,
            "null_arguments": NOT_ON_THE_WIRE,
            "cut_arguments": NOT_ON_THE_WIRE,
            "progress": "A tool returns once",
            "payments": "ADK keeps only the value of a result",
        },
        image=ShownImage(block={"inline_data": {"mime_type": "image/png", "data": URL_SAFE_PNG}}, data=URL_SAFE_PNG),
    )
)

test_program = runs_programs("google-adk", "google_adk_ask")

test_question = asks_before_it_erases("google_adk_ask")
