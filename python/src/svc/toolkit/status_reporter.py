"""Reports the status of the connection to ``on_status``, and mistakes in calls to ``on_warning``.

Without ``on_status`` the logger ``svc`` logs a line after 3 s without a connection, and a line when the toolkit is
connected again. Without these lines a wrong address looks like a toolkit without calls. Python prints them on stderr if
the program does not set up logging.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import TypeVar

from svc.protocol.invisible_text import printable
from svc.toolkit.options import ToolkitOptions
from svc.toolkit.status import CallWarning, Connected, Connecting, Disconnected, RejectedAction, ToolkitStatus

Report = TypeVar("Report")

#: Seconds; longer than the reconnect after a restart of the service.
_PATIENCE = 3.0
_logger = logging.getLogger("svc")


class StatusReporter:
    """Calls the listeners. Their errors are ignored, so that they cannot disturb the connection."""

    def __init__(self, options: ToolkitOptions) -> None:
        self._listener = options.on_status or _ConnectionNotices(options.url, options.api_key).notice
        self._on_warning = options.on_warning
        self._logs_skipped = options.on_status is None and options.on_rejected == "skip"
        self._logged: set[str] = set()

    def report(self, status: ToolkitStatus) -> None:
        if isinstance(status, Connected) and self._logs_skipped:
            self._log_rejected(status.rejected)
        _call(self._listener, status)

    def warn(self, params: object) -> None:
        """Reports the params of a notification; malformed params are ignored."""
        members = params if isinstance(params, dict) else {}
        invocation_id, message = members.get("invocationId"), members.get("message")
        if self._on_warning and isinstance(invocation_id, str) and isinstance(message, str):
            _call(self._on_warning, CallWarning(invocation_id, message))

    def _log_rejected(self, rejected: list[RejectedAction]) -> None:
        """Logs each line once."""
        for each in rejected:
            line = f'svc-sdk: action "{each.action}" was rejected and is skipped: {each.message}'
            if line not in self._logged:
                self._logged.add(line)
                _log(line)


class _ConnectionNotices:
    def __init__(self, url: str, api_key: str) -> None:
        self._url = url
        self._api_key = api_key
        self._timer: asyncio.TimerHandle | None = None
        self._reported = False
        self._reason = self._no_answer = f"{url} has not answered yet"

    def notice(self, status: ToolkitStatus) -> None:
        if isinstance(status, Disconnected):
            self._reason = status.reason.message
        if isinstance(status, Connecting | Disconnected):
            if not self._reported and self._timer is None:
                self._timer = asyncio.get_running_loop().call_later(_PATIENCE, self._report)
            return
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if self._reported and isinstance(status, Connected):
            _log(f"svc-sdk: The toolkit is connected to {self._url}")
        self._reported = False
        self._reason = self._no_answer

    def _report(self) -> None:
        self._reported = True
        # A proxy's page is not logged: it has many lines and may repeat the request.
        reason = " ".join(self._reason.replace(self._api_key, "[key]").split())
        _log(
            f"svc-sdk: The toolkit is not connected: {reason}. Start the service there, or set SVC_BASE_URL (base_url) "
            "to its address; it tries again by itself"
        )


def _log(line: str) -> None:
    _logger.warning("%s", printable(line))


def _call(listener: Callable[[Report], None], report: Report) -> None:
    try:
        listener(report)
    except Exception:
        _logger.debug("A listener of the toolkit raised", exc_info=True)
