"""``Tools`` for programs without ``async``."""

import inspect
from collections.abc import Callable, Coroutine, Mapping
from functools import update_wrapper
from types import TracebackType
from typing import TYPE_CHECKING, Concatenate, ParamSpec, Self, TypeVar, cast

from svc.blocking import run_blocking, run_in_thread
from svc.tools.api_key import KeyFunction
from svc.tools.caller_approvals import ApprovalMode, ApprovalRequiredCallback
from svc.tools.caller_connections import ConnectionFunction, ConnectionRequiredCallback
from svc.tools.definitions import ToolDefinition
from svc.tools.tools import Tools

if TYPE_CHECKING:
    import httpx2

Params = ParamSpec("Params")
Result = TypeVar("Result")
Option = TypeVar("Option")

_CALLBACKS = ("connections", "on_approval_required", "on_connection_required", "on_payment", "on_progress")


def _blocking(
    method: Callable[Concatenate[Tools, Params], Coroutine[object, object, Result]],
) -> Callable[Concatenate["SyncTools", Params], Result]:
    """A method of ``Tools`` for callers that block. Overloads keep their types."""

    def call(self: "SyncTools", /, *args: Params.args, **kwargs: Params.kwargs) -> Result:
        _move_callbacks(kwargs)
        return run_blocking(method(self.async_tools, *args, **kwargs))

    update_wrapper(call, method)
    return call


def _copying(
    method: Callable[Concatenate[Tools, Params], Tools],
) -> Callable[Concatenate["SyncTools", Params], "SyncTools"]:
    """A method of ``Tools`` that returns other tools."""

    def call(self: "SyncTools", /, *args: Params.args, **kwargs: Params.kwargs) -> "SyncTools":
        _move_callbacks(kwargs)
        return SyncTools.of(method(self.async_tools, *args, **kwargs))

    update_wrapper(call, method)
    return call


class SyncTools:
    """``Tools`` without ``await``, for scripts, Flask, plain views of Django, and notebooks.

    ```python
    tools = SyncTools()
    found = tools.search("weather in a city")
    answer = tools.invoke(found.actions[0].action, {"city": "Rome"})
    ```

    It has the options and the methods of ``Tools``. One event loop serves the whole process, in a thread of its own, so
    any number of threads may share one ``SyncTools``, a forked child may use it, and connections stay open between
    calls. A plain callback runs in a thread beside that loop, where it may block. An interrupt of the caller, such as
    Ctrl-C, cancels the call, and its handler too.

    Attributes:
        async_tools: the same tools for coroutines, such as asynchronous views of Django.
    """

    async_tools: Tools

    def __init__(
        self,
        api_key: str | KeyFunction | None = None,
        *,
        base_url: str | None = None,
        timeout: float = 60.0,
        concurrency: int = 10,
        max_result_chars: int = 40_000,
        max_search_tokens: int | None = None,
        max_payment: str | None = None,
        user_id: str | None = None,
        session_id: str | None = None,
        connections: ConnectionFunction | None = None,
        connection_names: Mapping[str, str] | None = None,
        on_connection_required: ConnectionRequiredCallback | None = None,
        approvals: ApprovalMode = "report",
        on_approval_required: ApprovalRequiredCallback | None = None,
        code: bool = False,
        http_client: "httpx2.AsyncClient | None" = None,
    ) -> None:
        self.async_tools = Tools(
            _beside_the_loop(api_key),
            base_url=base_url,
            timeout=timeout,
            concurrency=concurrency,
            max_result_chars=max_result_chars,
            max_search_tokens=max_search_tokens,
            max_payment=max_payment,
            user_id=user_id,
            session_id=session_id,
            connections=_beside_the_loop(connections),
            connection_names=connection_names,
            on_connection_required=_beside_the_loop(on_connection_required),
            approvals=approvals,
            on_approval_required=_beside_the_loop(on_approval_required),
            code=code,
            http_client=http_client,
        )

    __init__.__doc__ = Tools.__init__.__doc__

    @classmethod
    def of(cls, tools: Tools) -> Self:
        """Shares a ``Tools``, or an instance of a subclass.

        Its callbacks run in the event loop of all calls, so they must not block.
        """
        made = cls.__new__(cls)
        made.async_tools = tools
        return made

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def definitions(self) -> list[ToolDefinition]:
        return self.async_tools.definitions()

    definitions.__doc__ = Tools.definitions.__doc__

    close = _blocking(Tools.aclose)
    for_user = _copying(Tools.for_user)

    connect_url = _blocking(Tools.connect_url)
    confirm_connection = _blocking(Tools.confirm_connection)
    get_tools = _blocking(Tools.get_tools)
    load_definitions = _blocking(Tools.load_definitions)
    call_tools = _blocking(Tools.call_tools)
    answer_calls = _blocking(Tools.answer_calls)
    answer_tool = _blocking(Tools.answer_tool)
    call_tool = _blocking(Tools.call_tool)
    resolve = _blocking(Tools.resolve)
    search = _blocking(Tools.search)
    invoke = _blocking(Tools.invoke)
    run_code = _blocking(Tools.run_code)
    code_run = _blocking(Tools.code_run)
    result = _blocking(Tools.result)
    cancel = _blocking(Tools.cancel)
    report_usage = _blocking(Tools.report_usage)
    flush_usage = _blocking(Tools.flush_usage)
    decide_approval = _blocking(Tools.decide_approval)


def _move_callbacks(options: dict[str, object]) -> None:
    for name in _CALLBACKS:
        if name in options:
            options[name] = _beside_the_loop(options[name])


def _beside_the_loop(option: Option) -> Option:
    """A plain callback of a program that blocks may block too, which would stop the calls of all threads."""
    callback: object = option
    if not callable(callback) or inspect.iscoroutinefunction(callback):
        return option
    plain = callback

    async def call(*args: object) -> object:
        returned = await run_in_thread(plain, *args)
        return await returned if inspect.isawaitable(returned) else returned

    return cast(Option, call)
