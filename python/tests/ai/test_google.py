from typing import Any

from google import genai
from google.genai import types

from svc.ai.google import load_svc_tools, svc_functions, svc_tools
from tests.ai.contract import contract_of
from tests.ai.driver import Conversing, Driver, ShownImage
from tests.ai.example import runs_programs
from tests.ai.stage import PNG


def client_of(conversing: Conversing) -> genai.Client:
    return genai.Client(api_key="any", http_options=types.HttpOptions(base_url=conversing.model.origin))


async def by_functions(conversing: Conversing) -> str:
    client = client_of(conversing)
    async with client.aio as asynchronous:
        config = types.GenerateContentConfig(tools=[*svc_functions(**conversing.options)])
        chat = asynchronous.chats.create(model="scripted-model", config=config)
        return (await chat.send_message(conversing.question)).text or ""


async def by_loop(conversing: Conversing) -> str:
    options = conversing.options
    tools = await load_svc_tools(**options) if conversing.static else svc_tools(**options)
    contents: list[Any] = [types.UserContent(conversing.question)]
    client = client_of(conversing)
    async with client.aio as asynchronous:
        while True:
            response = await asynchronous.models.generate_content(
                model="scripted-model", contents=contents, config=types.GenerateContentConfig(tools=tools)
            )
            parts = await tools.call_tools(
                response.function_calls,
                on_progress=lambda progress, _: conversing.on_progress(progress),
                on_payment=lambda payment, _: conversing.on_payment(payment),
            )
            if not parts:
                return response.text or ""
            assert response.candidates
            contents += [response.candidates[0].content, types.UserContent(parts)]


def with_default(parameters: dict[str, Any]) -> dict[str, Any]:
    """The SDK adds the default of a parameter."""
    if limit := parameters["properties"].get("limit"):
        limit["default"] = 10
    return parameters


#: The SDK writes bytes in this alphabet, and the API accepts both alphabets.
URL_SAFE_PNG = PNG.replace("+", "-").replace("/", "_")
NOT_ON_THE_WIRE = "The arguments are an object on this wire"
CANNOT: Any = {
    "empty_arguments": NOT_ON_THE_WIRE,
    "null_arguments": NOT_ON_THE_WIRE,
    "cut_arguments": NOT_ON_THE_WIRE,
}

test_contract = contract_of(
    Driver(
        adapter="google",
        use="automatic function calling",
        package="google-genai",
        converse=by_functions,
        cannot=CANNOT
        | {
            "static_tools": "The SDK derives schemas from functions",
            "images": "A function returns JSON alone",
            "approval": "The SDK has no approval before a call",
            "progress": "A function returns once",
            "payments": "A function returns JSON alone",
            "parallel": "The SDK awaits each call before the next",
            "call_ids": "A function gets its arguments alone",
            "unknown_tools": "The SDK ends the run with a KeyError",
        },
        as_offered=with_default,
        understand=lambda output: output.get("result", output),
    ),
    Driver(
        adapter="google",
        use="a loop around generate_content",
        package="google-genai",
        converse=by_loop,
        cannot=CANNOT | {"approval": "The loop is the user's own, which asks before call_tools"},
        image=ShownImage(block={"inline_data": {"mime_type": "image/png", "data": URL_SAFE_PNG}}, data=URL_SAFE_PNG),
    ),
)

test_program = runs_programs("google", "google_ask")
