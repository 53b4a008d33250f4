"""Asks a model by OpenAI chat completions, which most servers speak: ``POST <base>/chat/completions``.

Errors: ModelRequestError. Their messages never hold the key.
Source: https://platform.openai.com/docs/api-reference/chat/create
"""

import asyncio
import os
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from svc.agent.model.ask_model import AskModel, CountedMessage, ModelRequest, TokenCount
from svc.agent.model.completion_stream import read_completion_stream
from svc.agent.model.model_request_error import ModelRequestError
from svc.agent.model.providers import ModelServer, find_model_server
from svc.agent.model.refused_request import read_error_member, refused_request
from svc.agent.model.sent_message import to_sent_message, to_stored_message
from svc.protocol.answer_body import (
    ACCEPT_ENCODING,
    AnswerTooLargeError,
    UnknownEncodingError,
    read_body,
    read_chunks,
)
from svc.protocol.json_text import from_json, to_json

if TYPE_CHECKING:
    import httpx2

#: Seconds of one request.
_MODEL_TIMEOUT = 120.0
_EVENT_STREAM = re.compile(r"text/event-stream\b", re.IGNORECASE)


def chat_completions_model(http_client: "httpx2.AsyncClient", *, timeout: float = _MODEL_TIMEOUT) -> AskModel:
    """A model function that reads the address and the key from the environment at each request.

    Args:
        http_client: stays open
        timeout: seconds that one request may take
    """

    async def ask(request: ModelRequest) -> CountedMessage:
        server = find_model_server(request.model, os.environ)
        try:
            async with asyncio.timeout(timeout) as deadline:
                completion = await _exchange(http_client, server, request)
        except TimeoutError:
            if not deadline.expired():
                raise
            raise ModelRequestError(f"The model did not answer in {timeout:g} seconds") from None
        return _read_answer(completion, server, request.model)

    return ask


async def _exchange(http_client: "httpx2.AsyncClient", server: ModelServer, request: ModelRequest) -> dict[str, object]:
    import httpx2

    sent = http_client.build_request(
        "POST",
        server.url,
        content=to_json(_body_of(request, server)).encode(),
        headers={"content-type": "application/json", **ACCEPT_ENCODING}
        | ({"authorization": f"Bearer {server.key}"} if server.key else {}),
        timeout=httpx2.Timeout(None),
    )
    try:
        response = await http_client.send(sent, stream=True, follow_redirects=False)
        try:
            if response.status_code != 200:
                raise refused_request(server, response.status_code, response.headers, await _read_refusal(response))
            return await _read_completion(response, server, request.on_text)
        finally:
            await response.aclose()
    except (AnswerTooLargeError, UnknownEncodingError) as error:
        raise ModelRequestError(f"{server.host} sent an answer that cannot be read: {error}", status=502) from None
    except httpx2.TransportError as error:
        # The cause is dropped: another client's error may hold the whole request, with the key.
        raise ModelRequestError(f"No answer from {server.host}: {type(error).__name__}") from None


async def _read_refusal(response: "httpx2.Response") -> str:
    try:
        return (await read_body(response)).decode(errors="replace")
    except (AnswerTooLargeError, UnknownEncodingError):
        return ""  # The status is enough for the error.


def _body_of(request: ModelRequest, server: ModelServer) -> dict[str, object]:
    body: dict[str, object] = {
        "model": server.model,
        "messages": [to_sent_message(message, request.model) for message in request.messages],
    }
    if request.tools:
        body["tools"] = request.tools
    if request.on_text:
        body["stream"] = True
        if server.takes_stream_options:
            body["stream_options"] = {"include_usage": True}
    return body


async def _read_completion(
    response: "httpx2.Response", server: ModelServer, on_text: Callable[[str], None] | None
) -> dict[str, object]:
    if _EVENT_STREAM.match(response.headers.get("content-type", "")):
        return await read_completion_stream(read_chunks(response), server, on_text or (lambda _: None))
    try:
        completion = from_json(await read_body(response))
    except ValueError:
        raise ModelRequestError(
            f"{server.host} answered something else than JSON. Check the address.", status=502
        ) from None
    if not isinstance(completion, dict):
        return {}
    content = (_message_in(completion) or {}).get("content")
    # Some servers answer with one JSON document in place of a stream.
    if on_text and isinstance(content, str):
        on_text(content)
    return completion


def _read_answer(completion: dict[str, object], server: ModelServer, model: str) -> CountedMessage:
    message = _message_in(completion)
    error = completion.get("error")
    if error and message is None:
        raise read_error_member(error, server)
    if message is None:
        raise ModelRequestError(
            f"{server.host} answered without a message. Check that it speaks chat completions.", status=502
        )
    usage = completion.get("usage")
    counts = usage if isinstance(usage, dict) else {}
    tokens = TokenCount(_count_of(counts.get("prompt_tokens")), _count_of(counts.get("completion_tokens")))
    return CountedMessage(to_stored_message(message, model), tokens)


def _message_in(completion: dict[str, object]) -> dict[str, object] | None:
    choices = completion.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    return message if isinstance(message, dict) else None


def _count_of(value: object) -> int:
    return int(value) if isinstance(value, int | float) and value >= 0 else 0
