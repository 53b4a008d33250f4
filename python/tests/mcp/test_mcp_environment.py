"""The variables of ``svc-tools-mcp`` are read as in TypeScript."""

import pytest

from svc import SvcError
from svc.mcp.environment import (
    ToolSelection,
    read_max_payment,
    read_selection,
    read_session_id,
    read_user_id,
)
from svc.mcp.help import HELP
from tests.support.typescript import from_typescript


@pytest.mark.parametrize(
    ("text", "flag"),
    [
        *((text, True) for text in ("true", "1", "yes", "on", "True", "YES", " On ", "", " ")),
        *((text, False) for text in ("false", "0", "no", "off", "False", "NO", " oFF ")),
    ],
)
def test_a_flag_is_read_in_any_case(monkeypatch: pytest.MonkeyPatch, text: str, flag: bool) -> None:
    monkeypatch.setenv("SVC_DYNAMIC_TOOLS", text)
    assert read_selection().dynamic_tools is flag


@pytest.mark.parametrize("text", ["maybe", "y", "2", "true,"])
def test_the_error_for_a_misspelled_flag_quotes_its_value(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("SVC_DYNAMIC_TOOLS", text)
    with pytest.raises(SvcError) as raised:
        read_selection()
    assert (raised.value.code, raised.value.message) == (
        "INVALID_REQUEST",
        f'SVC_DYNAMIC_TOOLS is "{text}": write true or false',
    )


def test_blank_items_of_a_list_are_ignored_and_spaces_around_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_selection() == ToolSelection()
    monkeypatch.setenv("SVC_STATIC_TOOLKITS", " weather,, shop ,")
    monkeypatch.setenv("SVC_STATIC_ACTIONS", "\n")
    assert read_selection() == ToolSelection(static_toolkits=("weather", "shop"))


def test_a_payment_and_ids_are_read_and_empty_values_count_as_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (read_max_payment(), read_user_id(), read_session_id()) == (None, None, None)
    monkeypatch.setenv("SVC_MAX_PAYMENT", " 0.05 ")
    monkeypatch.setenv("SVC_USER_ID", " ada@example.com ")
    monkeypatch.setenv("SVC_SESSION_ID", " ")
    assert (read_max_payment(), read_user_id(), read_session_id()) == ("0.05", "ada@example.com", None)


@pytest.mark.parametrize("amount", ["5 USD", "-1", "1e3", "0,05", "0.0000001", "1000000000000"])
def test_an_invalid_payment_is_refused_by_its_name(monkeypatch: pytest.MonkeyPatch, amount: str) -> None:
    monkeypatch.setenv("SVC_MAX_PAYMENT", amount)
    with pytest.raises(SvcError, match=r"^SVC_MAX_PAYMENT must be a decimal text"):
        read_max_payment()


@pytest.mark.parametrize("text", ["two words", "ä", "x" * 201])
def test_an_invalid_id_is_refused_by_its_name(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("SVC_SESSION_ID", text)
    with pytest.raises(SvcError, match=r"^SVC_SESSION_ID must be 1 to 200 visible ASCII"):
        read_session_id()


def test_the_help_equals_that_of_typescript_except_for_the_command() -> None:
    typescript = from_typescript("HELP", {"HELP": "mcp/help.ts"})
    configured = typescript.replace('"command": "npx"', '"command": "uvx"').replace(
        '"args": ["-y", "-p", "svc-sdk", "svc-tools-mcp"]', '"args": ["--from", "svc-sdk", "svc-tools-mcp"]'
    )
    assert configured.replace("npx -y -p svc-sdk svc-tools-mcp", "uvx --from svc-sdk svc-tools-mcp") == HELP
