"""Cases about questions, and about texts that grow. For clients that have the optional members."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Literal

from svc.client.base import Question
from svc.client.testing.contract.check import check, check_same, plain_or_async
from svc.client.testing.contract.stage import Stage

#: An id of the maximum length.
_QUESTION_ID = "turn_0123456789abcdef01234567/12/3456789012345-"
_WRITER, _OTHER = "2000000102", "2000000103"
_PRESSES: tuple[tuple[Literal["yes", "no"], str], ...] = (("yes", _WRITER), ("no", _OTHER))


async def _question(stage: Stage) -> None:
    chat_id = stage.open_chat()
    client = await stage.client().start()
    ctx = (await client.receive_until(await stage.say(chat_id, user_id=_WRITER)))[-1]
    for button, user_id in _PRESSES:
        question = Question(id=f"{_QUESTION_ID}{button}", text=f"May I, {button}?")
        shown = await client.shown("ask_approval()", client.client.ask_approval(ctx, question))
        asked = stage.sent_in(chat_id)[-1]
        check_same("The question shows", (asked["text"], len(asked.get("buttons", ()))), (question.text, 2))
        await plain_or_async(stage.fake.press(button, chat_id=chat_id, user_id=user_id))
        press = await client.receive()
        check(press.answer is not None, "The press of a button came without an answer")
        answer = press.answer and (press.answer.question_id, press.answer.approved)
        expected = (chat_id, user_id, (question.id, button == "yes"))
        check_same("The press came as", (press.chat_id, press.user_id, answer), expected)
        await client.shown("end_question()", client.client.end_question(ctx, shown, f"Answered: {button}."))
    check_same(
        "After end_question() the chat shows",
        [(sent["text"], list(sent.get("buttons", ()))) for sent in stage.sent_in(chat_id)],
        [("Answered: yes.", []), ("Answered: no.", [])],
    )


async def _partial(stage: Stage) -> None:
    chat_id = stage.open_chat()
    client = await stage.client().start()
    ctx = (await client.receive_until(await stage.say(chat_id)))[-1]
    for text in ("An answer", "An answer that grows"):
        ctx = replace(ctx, partial=await client.shown("show_partial()", client.client.show_partial(ctx, text)))
        check_same("The chat shows", stage.texts_in(chat_id), [text])
    await client.reply(ctx, "An answer that has grown")
    check_same("The chat shows", stage.texts_in(chat_id), ["An answer that has grown"])


QUESTION_CASES: Mapping[str, Callable[[Stage], Awaitable[None]]] = {
    "a question shows two buttons, and a press comes back as its answer": _question,
}
PARTIAL_CASES: Mapping[str, Callable[[Stage], Awaitable[None]]] = {
    "a text that grows ends as one message": _partial,
}
