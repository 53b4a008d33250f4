"""Asks the model for the next message of a turn."""

from svc.agent.events import ModelErrorEvent
from svc.agent.model.ask_model import ModelRequest
from svc.agent.model.ask_patiently import PatientRequest, ask_patiently
from svc.agent.model.model_request_error import ModelRequestError
from svc.agent.turns.early_end import EarlyEnd
from svc.agent.turns.history import read_history, with_few_images
from svc.agent.turns.model_message import calls_of, read_model_message, steps_in
from svc.agent.turns.partial_reply import PartialReply
from svc.agent.turns.turn_scope import TurnScope
from svc.client.base import has_member
from svc.client.message import Message


class ModelStep:
    """The model's part in one turn."""

    def __init__(self, scope: TurnScope) -> None:
        self._scope = scope
        # Read once for a turn: no other turn of the chat can end meanwhile.
        self._history: list[Message] | None = None
        self._max_history_tokens: float = scope.setup.options.history_tokens

    async def run(self) -> None:
        """Writes the model's message. The last step offers no tools, so that the model has to answer with text."""
        scope = self._scope
        max_steps = scope.setup.options.max_steps
        step = steps_in(scope.messages)
        is_last = step >= max_steps - 1
        message = read_model_message(await self._ask(offers_tools=not is_last), step)
        has_calls = bool(calls_of([message]))
        if has_calls and is_last:
            raise EarlyEnd("step-limit", f"The model still calls tools after {max_steps} messages")
        await scope.save("running" if has_calls else "replying", [message])

    async def _ask(self, *, offers_tools: bool) -> Message:
        partial = self._partial_reply()
        try:
            try:
                return await self._request(partial, offers_tools=offers_tools)
            except ModelRequestError as error:
                if not error.is_too_long or not self._history:
                    raise
            self._max_history_tokens /= 2
            self._history = None
            return await self._request(partial, offers_tools=offers_tools)
        finally:
            if partial:
                await partial.end()

    async def _request(self, partial: PartialReply | None, *, offers_tools: bool) -> Message:
        scope = self._scope
        setup = scope.setup
        turn = scope.turn
        if self._history is None:
            finished = setup.store.turns.finished(turn.client_id, turn.ctx.chat_id)
            self._history = read_history(finished, self._max_history_tokens)
        model = setup.get_model("default")
        system: Message = {"role": "system", "content": scope.prompt("system")}
        request = ModelRequest(
            model=model,
            messages=[system, *with_few_images([*self._history, *scope.messages])],
            tools=await scope.tools.offered() if offers_tools else (),
            on_text=partial.update if partial else None,
        )
        answer = await ask_patiently(
            PatientRequest(
                ask=setup.ask,
                request=request,
                signal=scope.signal,
                fallback=setup.get_model("fallback"),
                on_error=self._report,
                on_tokens=scope.tools.report_tokens,
            )
        )
        scope.tokens.input += answer.tokens.input
        scope.tokens.output += answer.tokens.output
        return answer.message

    def _report(self, error: Exception, model: str, will_retry: bool) -> None:
        event = ModelErrorEvent(**self._scope.place, model=model, error=error, will_retry=will_retry)
        self._scope.setup.emit(event)

    def _partial_reply(self) -> PartialReply | None:
        scope = self._scope
        if not scope.setup.options.edit or not has_member(scope.client, "show_partial"):
            return None
        turns = scope.setup.store.turns
        return PartialReply(
            scope.client, scope.turn, save=lambda: turns.save_partial(scope.turn), on_error=scope.report_reply
        )
