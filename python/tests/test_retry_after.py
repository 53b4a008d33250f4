"""The header that names a wait."""

import pytest

from svc.protocol.retry_after import read_retry_after


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("120", 120),
        (" 7 ", 7),
        ("0", 0),
        ("9" * 400, 2**31),
        ("Sun, 06 Nov 1994 08:49:47 GMT", 10),
        ("Sunday, 06-Nov-94 08:49:47 GMT", 10),
        ("Sun Nov  6 08:49:47 1994", 10),
        ("Sun, 06 Nov 1994 08:49:27 GMT", 0),
        ("Sun, 99 Abc 1994 08:49:27 GMT", None),
        ("-5", None),
        ("1.5", None),
        ("+5", None),
        ("1e3", None),
        ("\u0663", None),
        ("5 seconds", None),
        ("1994-11-06T08:49:47Z", None),
        ("Sun, 06 Nov 1994 08:49:47 +0100", None),
        ("soon", None),
        ("", None),
        (None, None),
    ],
)
def test_a_header_is_whole_seconds_or_a_date(
    header: str | None, seconds: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("svc.protocol.retry_after.time.time", lambda: 784111777.0)
    assert read_retry_after(header) == seconds
