"""Sends ``register``: once on every connection, and again when the list of actions has changed.

One request at a time.
"""

import uuid
from collections.abc import Mapping

from svc.protocol.frames import PROTOCOL_VERSION
from svc.protocol.json_text import to_json
from svc.toolkit.action import Action
from svc.toolkit.action_list import ActionList
from svc.toolkit.details_updates import DetailsUpdates
from svc.toolkit.invocations import Invocations
from svc.toolkit.list_registration import ListRegistration
from svc.toolkit.socket_connection import Answer, Settle, SocketConnection
from svc.version import __version__


class Registrar:
    """The registrations of one instance."""

    def __init__(
        self,
        actions: Mapping[str, Action],
        concurrency: int,
        details: DetailsUpdates,
        invocations: Invocations,
    ) -> None:
        """
        Args:
            actions: live: each registration sends the current list.
            concurrency: invocations that run at a time.
            details: name, description and needed connection.
            invocations: for the list of unfinished ones.
        """
        self._actions = actions
        self._concurrency = concurrency
        self._details = details
        self._invocations = invocations
        self._instance = str(uuid.uuid4())
        self._connections = 0
        self._registered_on = 0
        self._registered_before = 0
        self._list_version = 0
        self._sent_version = 0
        #: The list of the last accepted registration.
        self._accepted: ActionList | None = None
        #: True while a request waits for its answer.
        self.under_way = False

    @property
    def is_outdated(self) -> bool:
        """True if the service has an older list, or none."""
        return self._sent_version != self._list_version

    def list_changed(self) -> None:
        self._list_version += 1

    def opened(self) -> None:
        """Counts a new connection, whose first request is ``register``."""
        self._connections += 1
        self._registered_before = self._registered_on

    def registered(self) -> None:
        """Counts a connection's first accepted registration."""
        self._registered_on += 1

    def register(self, connection: SocketConnection, on_answer: Settle) -> None:
        actions = ActionList(self._actions.values())
        self._sent_version = self._list_version
        self.under_way = True
        details = self._details.current

        def settle(answer: Answer) -> None:
            self.under_way = False
            # An update was refused in the meantime, and the service refused the list with it.
            if answer.error and details != self._details.current:
                self.list_changed()
            if not answer.error and not answer.is_lost:
                self._accepted = actions
            on_answer(answer)

        if actions.is_short:
            connection.request("register", self._params_with("actions", actions.json), settle)
        else:
            ListRegistration(actions, connection, self._params_with, settle).start(self._accepted)

    def _params_with(self, name: str, value_json: str) -> str:
        params: dict[str, object] = {
            "protocol": PROTOCOL_VERSION,
            "sdk": f"svc-sdk-py/{__version__}",
            "instance": self._instance,
            **({"toolkit": details} if (details := self._details.current) else {}),
            "concurrency": self._concurrency,
            "unfinished": self._invocations.unfinished(),
            "connection": self._connections,
            "registered": self._registered_before,
        }
        return f'{to_json(params)[:-1]},"{name}":{value_json}}}'
