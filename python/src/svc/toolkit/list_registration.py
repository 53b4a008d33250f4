"""One registration of a long list: by its name, then with the parts that the service lacks.

Shape: ``register`` with the list's name; after LIST_NOT_FOUND the whole list in ``actions`` requests, then ``register``
    again. When the service has an earlier list, its changes come first, as ``actions`` requests. An older service
    without lists answers INVALID_REQUEST and then gets the actions inside ``register``.
Source: docs/protocol.md, section 6, "Long lists".
"""

from collections.abc import Callable, Iterable

from svc.errors import SvcError
from svc.protocol.json_text import to_json
from svc.toolkit.action_list import ActionList
from svc.toolkit.socket_connection import Answer, Settle, SocketConnection

#: The text of the params of ``register``, with a further member: its name and its JSON.
ParamsWith = Callable[[str, str], str]


class ListRegistration:
    """The requests of one registration."""

    def __init__(
        self, list_: ActionList, connection: SocketConnection, params_with: ParamsWith, on_answer: Settle
    ) -> None:
        self._list = list_
        self._connection = connection
        self._params_with = params_with
        self._on_answer = on_answer
        #: The error of a refused part of the list.
        self._refused_part: SvcError | None = None

    def start(self, base: ActionList | None) -> None:
        """
        Args:
            base: the earlier list that the service has from this instance.
        """
        if base is not None and base.id != self._list.id:
            self._send_parts(self._list.parts_since(base))
            change: dict[str, object] = {"base": base.id, "remove": self._list.removed_since(base)}
            self._register(change, self._on_first_answer)
        else:
            self._register({}, self._on_first_answer)

    def _on_first_answer(self, answer: Answer) -> None:
        code = answer.error.code if answer.error and not self._refused_part else None
        if code == "LIST_NOT_FOUND":
            self._send_parts(self._list.parts_since())
            self._register({}, self._on_answer)
        elif code == "INVALID_REQUEST":
            self._connection.request("register", self._params_with("actions", self._list.json), self._on_answer)
        else:
            self._on_answer(answer)

    def _send_parts(self, parts: Iterable[str]) -> None:
        for part in parts:
            self._connection.request("actions", f'{{"actions":{part}}}', self._on_part_answer)

    def _on_part_answer(self, answer: Answer) -> None:
        if answer.error and not self._refused_part:
            self._refused_part = answer.error

    def _register(self, change: dict[str, object], on_answer: Settle) -> None:
        def settle(answer: Answer) -> None:
            # A refused part is the reason why the list is not complete.
            on_answer(Answer(error=self._refused_part) if answer.error and self._refused_part else answer)

        name = {"id": self._list.id, "size": self._list.size, **change}
        self._connection.request("register", self._params_with("list", to_json(name)), settle)
