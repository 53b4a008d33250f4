"""Texts that UTF-8 can hold."""

import re

_SURROGATE = re.compile("[\ud800-\udfff]")


def well_formed(text: str) -> str:
    """A lone surrogate, which JSON may contain, becomes U+FFFD."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)
