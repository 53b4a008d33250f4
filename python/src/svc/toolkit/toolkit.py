"""The toolkit developer's client: define actions, call ``run()``, and agents can use them. Needs no inbound port: the
toolkit opens one WebSocket to the service.
"""

import sys
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from os import PathLike
from types import EllipsisType
from typing import TypeVar, overload

from svc.errors import SvcError
from svc.protocol.connections import ActionAuth, ToolkitAuth
from svc.protocol.event_loop import require_asyncio
from svc.protocol.http import ActionAnnotations
from svc.protocol.toolkit_profile import ToolkitCategory
from svc.toolkit.action import Action, ActionWithHandler, Handler, define_action
from svc.toolkit.deferred import Deferred
from svc.toolkit.options import Middleware, OnRejected, check_options
from svc.toolkit.session import ToolkitSession
from svc.toolkit.status import Registration, StatusListener, WarningListener
from svc.toolkit.toolkit_details import check_details, check_profile
from svc.toolkit.typed_decorator import TypedDecorator

HandlerT = TypeVar("HandlerT", bound=Handler)
PayloadT = TypeVar("PayloadT")


class Toolkit:
    """A toolkit that serves actions to agents.

    ```python
    toolkit = Toolkit()

    @toolkit.action
    async def today(city: str) -> dict[str, str]:
        "Weather of today for a city"
        return {"sky": "clear"}

    asyncio.run(toolkit.run())
    ```
    """

    def __init__(
        self,
        api_key: str | None = None,
        *,
        base_url: str | None = None,
        concurrency: int = 100,
        on_status: StatusListener | None = None,
        on_warning: WarningListener | None = None,
        on_rejected: OnRejected = "fail",
        middleware: Middleware | None = None,
    ) -> None:
        """Opens no connection yet.

        Args:
            api_key: toolkit key, ``svc_toolkit_…``. Default: ``SVC_TOOLKIT_API_KEY``.
            base_url: address of the service. Default: ``SVC_BASE_URL``, then ``http://127.0.0.1:8787``.
            concurrency: invocations that run at a time, 1 to 10,000; the service queues the rest.
            on_status: called with every change of the connection; its errors are ignored. Without it, the logger
                ``svc`` logs a line after 3 s without a connection.
            on_warning: called with mistakes in calls that have ended, such as a charge that the service cannot read.
            on_rejected: when the service rejects an action of the first registration, ``fail`` makes ``run()`` raise
                INVALID_ACTION; ``skip`` serves the other actions.
            middleware: ``async (ctx, call_next)``: wraps every handler, for traces, logs and state per call.

        Raises:
            SvcError: INVALID_KEY, WRONG_KEY_KIND or INVALID_REQUEST for invalid options.
        """
        self._options = check_options(
            api_key=api_key,
            base_url=base_url,
            concurrency=concurrency,
            on_status=on_status,
            on_warning=on_warning,
            on_rejected=on_rejected,
            middleware=middleware,
        )
        self._actions: dict[str, Action] = {}
        self._details: dict[str, object] = {}
        self._ready: Deferred[Registration] = Deferred()
        self._session: ToolkitSession | None = None

    async def ready(self) -> Registration:
        """Returns when the service has accepted the first registration.

        Raises:
            SvcError: like ``run()``, and when stopped before.
        """
        return await self._ready.wait()

    async def update_toolkit(
        self,
        name: str | None = None,
        description: str | None = None,
        auth: ToolkitAuth | EllipsisType | None = ...,
        *,
        readme: str | EllipsisType | None = ...,
        icon: str | bytes | PathLike[str] | EllipsisType | None = ...,
        homepage: str | EllipsisType | None = ...,
        category: ToolkitCategory | EllipsisType | None = ...,
        version: str | EllipsisType | None = ...,
    ) -> None:
        """Sets the display name, the description, the connection that the calls need, and the page for people.

        Before ``run()`` they are sent with the registration. Later this returns when the service has accepted them, and
        waits for a connection if there is none.

        Args:
            name: the display name.
            description: of the toolkit, for agents.
            auth: the account with which the calls act, such as ``{"type": "bearer", "from": "user"}``: handlers get it
                as ``ctx.connection``, and a call without it runs nothing. None: the calls need none.
            readme: Markdown for people, at most 65,536 bytes. None removes it, here and below.
            icon: the bytes of a PNG, JPEG or WebP, its path, or ``data:image/png;base64,…``; at most 65,536 bytes.
            homepage: ``https://…`` or ``http://…``.
            category: ``data``, ``developer``, ``travel`` or another one of docs/toolkit.md.
            version: of the toolkit, at most 64 characters.

        Raises:
            SvcError: INVALID_REQUEST for an invalid value; nothing is changed then.
            OSError: the file of the icon cannot be read.
        """
        profile = {"readme": readme, "icon": icon, "homepage": homepage, "category": category, "version": version}
        details = check_details(name, description, auth) | check_profile(profile)
        if self._session:
            await self._session.update_toolkit(details)
        else:
            self._details |= details

    @overload
    def action(self, handler: HandlerT, /) -> HandlerT: ...

    @overload
    def action(
        self,
        handler: None = None,
        /,
        *,
        payload_description: type[PayloadT],
        action: str | None = None,
        action_description: str | None = None,
        result_description: object = None,
        annotations: ActionAnnotations | None = None,
        payment: dict[str, str] | None = None,
        auth: ActionAuth | None = None,
        long: bool = False,
    ) -> TypedDecorator[PayloadT]: ...

    @overload
    def action(
        self,
        handler: None = None,
        /,
        *,
        payload_description: Mapping[str, object] | str | None = None,
        action: str | None = None,
        action_description: str | None = None,
        result_description: object = None,
        annotations: ActionAnnotations | None = None,
        payment: dict[str, str] | None = None,
        auth: ActionAuth | None = None,
        long: bool = False,
    ) -> Callable[[HandlerT], HandlerT]: ...

    def action(
        self,
        handler: Handler | None = None,
        /,
        *,
        action: str | None = None,
        action_description: str | None = None,
        payload_description: object = None,
        result_description: object = None,
        annotations: ActionAnnotations | None = None,
        payment: dict[str, str] | None = None,
        auth: ActionAuth | None = None,
        long: bool = False,
    ) -> object:
        """Decorates a handler: adds an action, before ``run()`` or while it runs.

        ```python
        @toolkit.action
        async def today(city: str, days: int = 1) -> list[Weather]:
            "Weather of a city, for the next days"
        ```

        The name, the docstring, the parameters and the return type of the function are those of the action.
        ``Annotated[int, Field(ge=1)]`` adds constraints. A parameter of type ``ActionContext``, or named ``ctx``, gets
        the context of the call; a parameter named ``payload`` the whole payload. With ``payload_description``, or
        without types and with a name and a description, a handler is ``(ctx)`` or ``(ctx, payload)``.

        A plain function runs in a thread, a coroutine function in the event loop. Its return value is the result; None
        means the last value of ``ctx.Result``, or null. An error that the handler raises or returns is the failure that
        the agent sees.

        Args:
            handler: the function, when the decorator has no arguments.
            action: name, ``[A-Za-z0-9_-]+``, unique within the toolkit. Default: that of the function.
            action_description: the effect of the action and when to use it, because models choose by this text.
                Default: the docstring of the function.
            payload_description: a pydantic model, a dataclass or a TypedDict, which the payload is converted to; or a
                JSON Schema, the short form ``{"city": {"type": "string", "required": True}}``, or a text. Default: the
                parameters of the function.
            result_description: any type, such as ``list[Order]``; or a JSON Schema of any root, the short form, or a
                text. Default: the return type of the handler; ``typing.Any``: unknown. It describes the result for
                agents, and is left out with a UserWarning if it cannot be used.
            annotations: ``readOnly``, ``destructive``, ``idempotent``, ``openWorld``, as in MCP.
            payment: the most that one call costs, ``{"amount": "0.05"}``; ``ctx.charge`` charges less. Default: free.
            auth: where it differs from ``auth`` of the toolkit: ``False`` for an action that needs no connection, or
                ``{"scopes": […]}``, those that it needs of its toolkit's.
            long: the calls may take up to a day. A caller gets a handle when it does not wait for the result.

        Raises:
            SvcError: INVALID_ACTION, also for the name of an existing action; in an interactive session, such as a
                notebook, the existing action is replaced.
        """
        define = partial(
            define_action,
            action=action,
            action_description=action_description,
            payload_description=payload_description,
            result_description=result_description,
            annotations=annotations,
            payment=payment,
            auth=auth,
            long=long,
        )

        # The annotations of a nested function may name types of the scope that decorates it.
        def decorate(decorated: Handler) -> Handler:
            self._add(define(decorated, local_names=sys._getframe(1).f_locals))
            return decorated

        if handler is None:
            return decorate
        self._add(define(handler, local_names=sys._getframe(1).f_locals))
        return handler

    def _add(self, action: Action) -> None:
        # A notebook cell runs again after each change.
        if action.name in self._actions and not _is_interactive():
            raise _twice(action.name)
        self._actions[action.name] = action
        self._actions_changed()

    def remove_action(self, name: str) -> bool:
        """Removes an action. Agents cannot call it any more; running calls continue.

        Returns:
            False if there is no such action.
        """
        removed = self._actions.pop(name, None) is not None
        if removed:
            self._actions_changed()
        return removed

    def set_actions(self, actions: Iterable[ActionWithHandler]) -> None:
        """Replaces all actions at once, for a list from another source.

        Raises:
            SvcError: INVALID_ACTION if one of them is invalid; no action is then changed.
        """
        defined: dict[str, Action] = {}
        for each in actions:
            action = define_action(
                each["handler"],
                action=each["action"],
                action_description=each["action_description"],
                payload_description=each.get("payload_description"),
                result_description=each.get("result_description"),
                annotations=each.get("annotations"),
                payment=each.get("payment"),
                auth=each.get("auth"),
                long=each.get("long", False),
                local_names={},
            )
            if action.name in defined:
                raise _twice(action.name)
            defined[action.name] = action
        # The session reads this dictionary.
        self._actions.clear()
        self._actions |= defined
        self._actions_changed()

    def _actions_changed(self) -> None:
        if self._session:
            self._session.actions_changed()

    async def run(self) -> None:
        """Connects, registers, and serves until ``stop()``; reconnects after every loss of the connection.

        A Toolkit runs once: later calls wait for the same end. A cancellation cancels the handlers and ends the
        toolkit.

        Raises:
            SvcError: if the key or the first registration is refused: INVALID_ACTION lists every action
                that the service rejected, unless ``on_rejected`` is ``skip``.
        """
        require_asyncio()
        if self._session:
            await self._session.ended()
            return
        self._session = ToolkitSession(self._options, self._actions, self._details, self._ready)
        await self._session.run()

    async def stop(self, *, timeout: float | None = None) -> None:
        """Stops accepting invocations, waits for the running ones, delivers their results, and closes the connection.

        Has no effect before ``run()``. Do not await this inside a handler without a timeout, because it waits for
        that handler.

        Args:
            timeout: seconds that running handlers have; then ``ctx.cancelled`` is set, and a second later they are
                abandoned. Default: no limit.
        """
        if self._session:
            await self._session.stop(timeout)


def _is_interactive() -> bool:
    """True in a notebook, in IPython and at Python's prompt, where ``sys.ps1`` exists."""
    return hasattr(sys, "ps1")


def _twice(name: str) -> SvcError:
    return SvcError("INVALID_ACTION", f'There is an action "{name}" already; give this one another name')
