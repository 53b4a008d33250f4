"""Asks a model until it answers: two retries, then the fallback model with two retries of its own. An answer with
neither text nor calls is asked for once more, without tools.

Units: seconds.
Errors: ModelRequestError; the reason of the signal; any other error of the developer's function, unchanged.
"""

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, cast

from svc.agent.abort_signal import AbortSignal
from svc.agent.model.ask_model import AskModel, CountedMessage, ModelRequest, TokenCount
from svc.agent.model.foreign_error import to_model_request_error
from svc.agent.model.model_request_error import ModelRequestError
from svc.client.message import Message, message_text
from svc.protocol.backoff import equal_jitter

_MAX_RETRIES = 2
#: A person waits in the chat, so a longer wait that the server asks for counts as a failure.
_MAX_WAIT = 20.0
_FIRST_WAIT = 1.0


@dataclass(frozen=True, kw_only=True)
class PatientRequest:
    """A request to a model, with its fallback and its error callback.

    Attributes:
        ask: The model function.
        request: The messages and the tools for the model.
        signal: Aborted when the turn ends early.
        fallback: Id of the model that is asked when the first cannot answer.
        on_error: Called with the error, the model, and whether another try follows.
        on_tokens: Called with the model and its tokens after each answer, an empty one too.
    """

    ask: AskModel
    request: ModelRequest
    signal: AbortSignal
    fallback: str | None = None
    on_error: Callable[[Exception, str, bool], None]
    on_tokens: Callable[[str, TokenCount], Awaitable[None]] | None = None


async def ask_patiently(options: PatientRequest) -> CountedMessage:
    """The model's message, which has text or calls."""
    first = await _ask_with_fallback(options, options.request)
    if not _is_empty(first.message):
        return first
    error = ModelRequestError(
        "The model answered with neither text nor tool calls. Try another model with set_model or SVC_MODEL."
    )
    options.on_error(error, options.request.model, True)
    second = await _ask_with_fallback(options, replace(options.request, tools=()))
    if _is_empty(second.message):
        options.on_error(error, options.request.model, False)
        raise error
    tokens = TokenCount(first.tokens.input + second.tokens.input, first.tokens.output + second.tokens.output)
    return CountedMessage(second.message, tokens)


async def _ask_with_fallback(options: PatientRequest, request: ModelRequest) -> CountedMessage:
    fallback = options.fallback if options.fallback != request.model else None
    try:
        return await _ask_with_retries(options, request, has_fallback=fallback is not None)
    except ModelRequestError as error:
        if fallback is None or not error.is_retryable:
            raise
    return await _ask_with_retries(options, replace(request, model=fallback), has_fallback=False)


async def _ask_with_retries(options: PatientRequest, request: ModelRequest, *, has_fallback: bool) -> CountedMessage:
    retries = 0
    while True:
        options.signal.raise_if_aborted()
        try:
            answer = _read_answer(await options.signal.race(_ask(options.ask, request)))
        except Exception as raised:
            options.signal.raise_if_aborted()
            error = to_model_request_error(raised)
            is_retryable = error is not None and error.is_retryable
            wait = (error.retry_after if error and is_retryable else None) or equal_jitter(
                retries + 1, first=_FIRST_WAIT, longest=_MAX_WAIT
            )
            will_retry = is_retryable and retries < _MAX_RETRIES and wait <= _MAX_WAIT
            options.on_error(error or raised, request.model, will_retry or (is_retryable and has_fallback))
            if not will_retry:
                if error is None or error is raised:
                    raise
                raise error from None
        else:
            if options.on_tokens:
                await options.on_tokens(request.model, answer.tokens)
            return answer
        await options.signal.pause(wait)
        retries += 1


async def _ask(ask: AskModel, request: ModelRequest) -> object:
    answer = cast(object, ask(request))
    if not inspect.isawaitable(answer):
        raise ModelRequestError("The model function must be an async function", status=400)
    return await answer


def _read_answer(answer: Any) -> CountedMessage:
    counted = answer if isinstance(answer, CountedMessage) else CountedMessage(answer, TokenCount())
    if not isinstance(counted.message, dict) or counted.message.get("role") != "assistant":
        # Status 400 prevents a retry: the same function would return the same value again.
        raise ModelRequestError(
            "The model function must return a message {'role': 'assistant', 'content': …, 'tool_calls': …}, or "
            f"CountedMessage(message, tokens), not {type(answer).__name__}",
            status=400,
        )
    return counted


def _is_empty(message: Message) -> bool:
    """Text of white space alone counts as none: platforms refuse it."""
    calls = message.get("tool_calls")
    return not (isinstance(calls, list) and calls) and not message_text(message).strip()
