"""The heartbeats of a registered connection. Each answer confirms the results that were sent before it, and they are
released.
"""

from collections.abc import Callable

from svc.toolkit.heartbeat import Heartbeat
from svc.toolkit.invocations import Invocations
from svc.toolkit.socket_connection import Answer, SocketConnection

#: Seconds from a result to the heartbeat that confirms it: an idle toolkit has no result to confirm.
_CONFIRM_TIME = 0.5


class Confirmations:
    """Heartbeats, early ones while results are not confirmed."""

    def __init__(self, invocations: Invocations) -> None:
        self._invocations = invocations
        self._heartbeat: Heartbeat | None = None

    def start(self, connection: SocketConnection, every: float) -> None:
        def beat(answered: Callable[[], None]) -> None:
            sent = self._invocations.take_sent()

            def settle(answer: Answer) -> None:
                if not answer.is_lost:
                    answered()
                    self._invocations.confirm(sent)

            connection.request("heartbeat", "{}", settle)

        def lost() -> None:
            connection.cut_off(f"no answer to a heartbeat within {every:g} s")

        self._heartbeat = Heartbeat(every, beat, lost)

    def stop(self) -> None:
        if self._heartbeat:
            self._heartbeat.stop()
        self._heartbeat = None

    def now(self) -> None:
        if self._heartbeat:
            self._heartbeat.now()

    def invocations_changed(self) -> None:
        """Plans an early heartbeat for sent results."""
        if self._heartbeat is None:
            return
        if self._invocations.much_unconfirmed:
            self._heartbeat.now()
        elif self._invocations.unconfirmed:
            self._heartbeat.within(_CONFIRM_TIME)
