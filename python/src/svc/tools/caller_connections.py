"""The connections of a caller's calls: the credentials that the application has, and the accounts that its users
connect.

Rule: a call that the service refuses with CONNECTION_REQUIRED is made again once, with the same idempotency key.
Errors: CONNECTION_REQUIRED if the application has no credential, or the user has not connected. The model then reads
    that the user was asked, and no link.
Source: docs/protocol.md, section 11.
"""

import inspect
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

from svc.errors import SvcError
from svc.protocol.connections import Credential, RequiredConnection
from svc.protocol.ids import toolkit_of
from svc.protocol.json_text import quoted
from svc.tools.credential_header import CredentialHeader, write_connection_names
from svc.tools.questions import Questions

Answer = TypeVar("Answer")

#: Returns the user's credential for a toolkit; None if there is none. Its arguments are the ids of toolkit and user.
ConnectionFunction = Callable[[str, str | None], Credential | Awaitable[Credential | None] | None]


class ConnectLink(RequiredConnection):
    """The argument of ``on_connection_required``."""

    #: The user of the call.
    user_id: str | None

    if TYPE_CHECKING:

        @overload  # type: ignore[override] # The keys of the former class, and more.
        def __getitem__(self, key: Literal["toolkit", "help", "url", "expiresAt"], /) -> str: ...
        @overload
        def __getitem__(self, key: Literal["confirm"], /) -> Literal[True]: ...
        @overload
        def __getitem__(self, key: Literal["connections"], /) -> list[str]: ...
        @overload
        def __getitem__(self, key: Literal["userId"], /) -> str | None: ...
        @overload
        def __getitem__(self, key: str, /) -> object: ...
        def __getitem__(self, key: str, /) -> object: ...


#: Asks the user to connect an account at ``url``. True: the user has connected it, so the call is made again.
ConnectionRequiredCallback = Callable[[ConnectLink], bool | Awaitable[bool | None] | None]


class CallerConnections:
    """The options of a ``Tools`` for connections.

    Args:
        give: returns credentials.
        names: toolkit id -> the connection to use.
        on_required: asks a user to connect an account.
        needing: toolkits that need a credential, the same for all users of a service.

    Raises:
        SvcError: INVALID_REQUEST
    """

    def __init__(
        self,
        give: Any,
        names: Any,
        on_required: Any,
        needing: set[str] | None = None,
    ) -> None:
        for name, option in (("connections", give), ("on_connection_required", on_required)):
            if option is not None and not callable(option):
                raise SvcError("INVALID_REQUEST", f"{name} is a function, not {type(option).__name__}")
        self._give: ConnectionFunction | None = give
        self._names: dict[str, str] = dict(names or {})
        self._on_required: ConnectionRequiredCallback | None = on_required
        self._needing = set() if needing is None else needing
        self._questions: Questions[bool] = Questions()
        write_connection_names(self._names)

    def changed(self, *, give: object, names: object, on_required: object) -> "CallerConnections":
        """The same with other options. None: unchanged."""
        return CallerConnections(
            self._give if give is None else give,
            self._names if names is None else names,
            self._on_required if on_required is None else on_required,
            self._needing,
        )

    def names_with(self, toolkit: str | None, name: str | None) -> str | None:
        """The header that names the connections to use.

        Args:
            toolkit: of the call.
            name: the connection to use in this call alone.
        """
        return write_connection_names(
            self._names if toolkit is None or name is None else {**self._names, toolkit: name}
        )

    async def call(
        self,
        action: object,
        user_id: str | None,
        own: CredentialHeader | None,
        send: Callable[[CredentialHeader | None], Awaitable[Answer]],
    ) -> Answer:
        """The answer to a call.

        Args:
            action: the id of the action. A model may write it at another place, where only the service finds it.
            user_id: the user of the call.
            own: the only credential of this call.
            send: makes the call.
        """
        toolkit, credential, may_ask = toolkit_of(action), own, own is None
        if may_ask and toolkit is not None and toolkit in self._needing:
            credential, may_ask = await self._credential(toolkit, user_id), False
        try:
            return await send(credential)
        except SvcError as error:
            required = _required_by(error)
            if required is None:
                raise
            if "url" in required:
                if self._on_required is None:
                    raise
                if not await self.is_connected(required, user_id):
                    raise _user_was_asked(required) from None
            elif "connections" in required or self._give is None:
                raise
            else:
                self._needing.add(required["toolkit"])
                credential = await self._credential(required["toolkit"], user_id) if may_ask else None
                if credential is None:
                    raise
        try:
            return await send(credential)
        except SvcError as error:
            required = _required_by(error)
            if required is None or "url" not in required or self._on_required is None:
                raise
            raise _user_was_asked(required) from None

    async def _credential(self, toolkit: str, user_id: str | None) -> CredentialHeader | None:
        assert self._give is not None
        given = await _from_application("connections", toolkit, self._give, toolkit, user_id)
        return None if given is None else CredentialHeader(toolkit, given)

    @property
    def asks_user(self) -> bool:
        """The application asks its user itself."""
        return self._on_required is not None

    async def is_connected(self, required: RequiredConnection, user_id: str | None) -> bool:
        """Asks the application. False if its user has not connected the account by now."""
        on_required = self._on_required
        if on_required is None:
            return False
        toolkit = required["toolkit"]

        async def question() -> bool:
            link = ConnectLink({**required, "userId": user_id})
            return await _from_application("on_connection_required", toolkit, on_required, link) is True

        return await self._questions.ask((toolkit, user_id), question())


async def _from_application(option: str, toolkit: str, function: Callable[..., object], *arguments: object) -> Any:
    """The model does not read the reason of a failure, which may have secrets of the application."""
    try:
        value = function(*arguments)
        return await value if inspect.isawaitable(value) else value
    except Exception as error:
        raise SvcError(
            "CONNECTION_REQUIRED",
            f"The application could not connect an account of {quoted(toolkit)}: {option} failed",
        ) from error


def _required_by(error: SvcError) -> RequiredConnection | None:
    required = error.details.get("connect")
    if error.code != "CONNECTION_REQUIRED" or not isinstance(required, dict):
        return None
    return RequiredConnection(required) if isinstance(required.get("toolkit"), str) else None


def _user_was_asked(required: RequiredConnection) -> SvcError:
    """The link is the application's, which has shown it to the user."""
    return SvcError(
        "CONNECTION_REQUIRED",
        f"The user was asked to connect an account of {quoted(required['toolkit'])}. "
        "Say so, and make the same call again when they have done it",
        {"connect": {name: value for name, value in required.items() if name not in ("url", "expiresAt", "confirm")}},
    )
