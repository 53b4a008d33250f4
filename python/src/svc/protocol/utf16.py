"""Texts in UTF-16 code units, as the wire and some platforms count their characters."""

_BYTES_OF_A_UNIT = 2


def utf16_length(text: str) -> int:
    """The number of code units."""
    return len(text) if text.isascii() else len(_encode(text)) // _BYTES_OF_A_UNIT


def first_utf16_units(text: str, limit: int) -> str:
    """The beginning of a text: at most that many code units, without half of a surrogate pair at the end."""
    if text.isascii():
        return text[:limit]
    units = _encode(text)
    end = limit * _BYTES_OF_A_UNIT
    last = int.from_bytes(units[max(0, end - _BYTES_OF_A_UNIT) : end], "little")
    if 0xD800 <= last <= 0xDBFF:
        end -= _BYTES_OF_A_UNIT
    return units[:end].decode("utf-16-le", "surrogatepass")


def _encode(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass")
