"""Imports a framework. The error for a missing framework says what to install."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def framework(name: str, extra: str) -> Iterator[None]:
    """The block imports the framework.

    Args:
        name: the framework as people know it.
        extra: of this package, which installs the framework in a version that works.

    Raises:
        ImportError: with the command that installs it, and what was missing.
    """
    try:
        yield
    except ImportError as error:
        raise ImportError(
            f"svc.ai for {name} needs the framework: pip install 'svc-sdk[{extra}]' ({error})", name=error.name
        ) from None
