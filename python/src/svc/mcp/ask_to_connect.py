"""Asks a client's user to connect an account that a call needs: the page by URL elicitation, then a form that the user
sends when the account is connected, with the code if the page shows one. The client makes the same call again after
each answer, so nothing is kept between.

Shape: a result with ``inputRequests``. On revision 2026-07-28 it is the result of the call; before, the connection
    sends its requests.
"""

from dataclasses import dataclass
from typing import Literal

from svc.errors import SvcError

_PAGE: Literal["connect"] = "connect"
_FORM: Literal["connected"] = "connected"


@dataclass(frozen=True, slots=True)
class ConnectAnswer:
    """The answer of the client's user, with which the call is made again."""

    question: Literal["connect", "connected"]
    #: The code that the page showed, as the user typed it.
    code: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientUser:
    """The user of the client: the answers that came with the call, and the questions that the client can ask."""

    #: ``inputResponses`` of the call.
    responses: object = None
    #: The capability ``elicitation`` of the client.
    elicitation: object = None
    #: The client makes a call again that is answered with ``input_required``: revision 2026-07-28.
    has_rounds: bool = False
    #: The client polls a call that takes long.
    has_tasks: bool = False
    #: ``requestState`` of the call.
    state: object = None

    def read_connect_answer(self) -> ConnectAnswer | None:
        """None for a call that is not made again.

        Raises:
            SvcError: CONNECTION_REQUIRED if the user refused.
        """
        responses = self.responses if isinstance(self.responses, dict) else {}
        for question in (_FORM, _PAGE):
            match responses.get(question):
                case {"action": "accept", **answer}:
                    content = answer.get("content")
                    code = content.get("code") if isinstance(content, dict) else None
                    return ConnectAnswer(question, None if code is None else str(code))
                case {"action": str()}:
                    raise SvcError(
                        "CONNECTION_REQUIRED",
                        "The user did not connect the account, so the call did not run. "
                        "Make the call again only if the user asks for it",
                    )
        return None

    def ask_to_connect(self, error: SvcError, answered: ConnectAnswer | None) -> dict[str, object] | None:
        """The result with the next question. None if the client cannot ask it, or has asked all: the model then reads
        the error with its link.
        """
        connect = error.details.get("connect") or {}
        if error.code != "CONNECTION_REQUIRED" or connect.get("url") is None:
            return None
        toolkit = connect["toolkit"]
        if answered is None and self.can_ask("url"):
            message = f'"{toolkit}" needs an account: connect it on this page'
            return _ask(_PAGE, {"mode": "url", "message": message, "url": connect["url"]})
        if answered is None or answered.question != _PAGE or not self.can_ask("form"):
            return None
        return _ask(_FORM, _code_form(toolkit) if connect.get("confirm") else _connected_form(toolkit))

    def can_ask(self, mode: Literal["url", "form"]) -> bool:
        """True if the client can ask its user in this way."""
        return isinstance(self.elicitation, dict) and self.elicitation.get(mode) is not None


def _ask(question: str, params: dict[str, object]) -> dict[str, object]:
    return {
        "resultType": "input_required",
        "inputRequests": {question: {"method": "elicitation/create", "params": params}},
    }


def _code_form(toolkit: str) -> dict[str, object]:
    schema = {"type": "object", "properties": {"code": {"type": "string", "title": "Code"}}, "required": ["code"]}
    message = f'Enter the code that the page of "{toolkit}" shows when the account is connected'
    return {"mode": "form", "message": message, "requestedSchema": schema}


def _connected_form(toolkit: str) -> dict[str, object]:
    message = f'Go on when the page says that the account of "{toolkit}" is connected'
    return {"mode": "form", "message": message, "requestedSchema": {"type": "object", "properties": {}}}
