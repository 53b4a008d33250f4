"""The variables of ``svc-tools-mcp`` are read as in TypeScript."""

import pytest

from svc import SvcError
from svc.mcp.account_variables import read_connection_names, read_credentials
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


def test_credentials_and_chosen_connections_are_read_and_empty_values_count_as_absent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert (read_credentials(), read_connection_names()) == ({}, {})
    monkeypatch.setenv("SVC_CONNECTIONS", " github Bearer gho_1, shop Basic YWRhOnB3,maps ApiKey k ")
    monkeypatch.setenv("SVC_CONNECTION_NAMES", "github work, shop main")
    assert read_credentials() == {
        "github": {"bearer": "gho_1"},
        "shop": {"basic": {"username": "ada", "password": "pw"}},
        "maps": {"apiKey": "k"},
    }
    assert read_connection_names() == {"github": "work", "shop": "main"}


@pytest.mark.parametrize("name", ["SVC_CONNECTIONS", "SVC_CONNECTION_NAMES"])
@pytest.mark.parametrize(
    "text",
    [
        "canary",
        "github canary extra word",
        "github Bearer canaryé",
        f"github Bearer {'canary' * 2_000}",
        "github Basic canary",
        "github Bearer canary, github Bearer canary",
    ],
)
def test_accounts_that_are_not_understood_are_refused_without_their_text(
    monkeypatch: pytest.MonkeyPatch, name: str, text: str
) -> None:
    monkeypatch.setenv(name, text)
    with pytest.raises(SvcError, match=rf"^{name} is not understood: write it as github") as raised:
        read_credentials() if name == "SVC_CONNECTIONS" else read_connection_names()
    assert "canary" not in raised.value.message
