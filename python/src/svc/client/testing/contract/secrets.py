"""Searches the output of a client for the credentials of a fake platform."""

import traceback
from collections.abc import Iterable, Mapping
from urllib.parse import quote

from svc.client.testing.contract.check import check
from svc.client.testing.fake_platform import FakePlatform


class Secrets:
    """The right and the wrong credentials."""

    def __init__(self, fake: FakePlatform) -> None:
        texts = {fake.secret, *_texts_in(fake, "client_options"), *_texts_in(fake, "wrong_credentials")}
        self._secrets = texts | {quote(text, safe="") for text in texts}

    def check_absent(self, what: str, value: object) -> None:
        """Fails if a credential is in a value, or in the printable parts of an error."""
        shown = _shown(value) if isinstance(value, BaseException) else repr(value)
        check(
            not any(secret in shown for secret in self._secrets),
            f"{what} holds a credential of the platform: leave tokens and keys out of all that the client returns and "
            "raises",
        )


def _texts_in(fake: FakePlatform, member: str) -> Iterable[str]:
    options: object = getattr(fake, member, None)
    values = options.values() if isinstance(options, Mapping) else ()
    # An address is not a credential.
    return (value for value in values if isinstance(value, str) and "://" not in value)


def _shown(error: BaseException) -> str:
    """The printable parts of an error and of its causes, with the variables of its frames."""
    texts = []
    chain: BaseException | None = error
    while chain is not None:
        frames = traceback.TracebackException.from_exception(chain, capture_locals=True)
        texts += [repr(chain), str(chain), repr(vars(chain)), *frames.format()]
        chain = chain.__cause__ or chain.__context__
    return "\n".join(texts)
