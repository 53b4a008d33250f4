"""Texts that UTF-8 can hold."""

import re

_SURROGATE = re.compile("[\ud800-\udfff]")


def well_formed(text: str) -> str:
    """Half of a surrogate pair, which JSON may bring, becomes U+FFFD."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)
