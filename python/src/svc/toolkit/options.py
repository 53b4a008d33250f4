"""The developer's options of a ``Toolkit``, checked and completed from the environment.

Errors: INVALID_KEY and WRONG_KEY_KIND for the key, INVALID_REQUEST for the rest. No message contains the key.
"""

import inspect
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal

from svc.errors import SvcError
from svc.protocol.environment import from_environment, read_base_url
from svc.protocol.http import TOOLKIT_PATH
from svc.toolkit.context import ActionContext
from svc.toolkit.status import StatusListener, WarningListener

#: Runs in place of every handler: it awaits ``call_next()`` once, which runs the handler, and returns its value.
Middleware = Callable[[ActionContext, Callable[[], Awaitable[Any]]], Awaitable[Any]]
OnRejected = Literal["fail", "skip"]

_MAX_CONCURRENCY = 10_000
_TOOLKIT_KEY = re.compile(r"svc_toolkit_[0-9A-Za-z]+")
_OTHER_KEY = re.compile(r"svc_(agent|admin)_")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolkitOptions:
    """Validated options."""

    api_key: str
    #: The address of the socket.
    url: str
    concurrency: int
    on_status: StatusListener | None
    on_warning: WarningListener | None
    on_rejected: OnRejected
    middleware: Middleware | None


def check_options(
    *,
    api_key: str | None,
    base_url: str | None,
    concurrency: int,
    on_status: StatusListener | None,
    on_warning: WarningListener | None,
    on_rejected: OnRejected,
    middleware: Middleware | None,
) -> ToolkitOptions:
    """Validates the options. The environment supplies options that the developer did not pass."""
    is_whole = isinstance(concurrency, int) and not isinstance(concurrency, bool)
    if not is_whole or not 1 <= concurrency <= _MAX_CONCURRENCY:
        raise SvcError(
            "INVALID_REQUEST", f"concurrency is a whole number from 1 to {_MAX_CONCURRENCY}, not {concurrency!r}"
        )
    _check_listener("on_status", on_status, "a ToolkitStatus")
    _check_listener("on_warning", on_warning, "a CallWarning")
    if on_rejected not in ("fail", "skip"):
        raise SvcError("INVALID_REQUEST", f'on_rejected is "fail" or "skip", not {on_rejected!r}')
    if middleware is not None and not callable(middleware):
        raise SvcError("INVALID_REQUEST", "middleware is an async function (ctx, call_next): return await call_next()")
    return ToolkitOptions(
        api_key=_check_key(from_environment("SVC_TOOLKIT_API_KEY") if api_key is None else api_key),
        url=_socket_url(base_url),
        concurrency=concurrency,
        on_status=on_status,
        on_warning=on_warning,
        on_rejected=on_rejected,
        middleware=middleware,
    )


def _check_listener(name: str, listener: object, argument: str) -> None:
    if listener is not None and (not callable(listener) or inspect.iscoroutinefunction(listener)):
        raise SvcError("INVALID_REQUEST", f"{name} is a plain function that gets {argument}")


def _check_key(key: object) -> str:
    if key is None or key == "":
        raise SvcError("INVALID_KEY", "A Toolkit needs a toolkit key: set SVC_TOOLKIT_API_KEY or pass api_key=…")
    text = key.strip() if isinstance(key, str) else ""
    if kind := _OTHER_KEY.match(text):
        raise SvcError("WRONG_KEY_KIND", f"A Toolkit needs a toolkit key (svc_toolkit_…); this is an {kind[1]} key")
    if _TOOLKIT_KEY.fullmatch(text):
        return text
    raise SvcError("INVALID_KEY", "The key is mistyped: a toolkit key is svc_toolkit_ and then letters and digits")


def _socket_url(base_url: str | None) -> str:
    url = read_base_url(base_url)
    scheme = "wss" if url.scheme == "https" else "ws"
    return url._replace(scheme=scheme, path=url.path + TOOLKIT_PATH).geturl()
