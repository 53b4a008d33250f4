"""Requests to X: signatures, waits, errors, and the messages about wrong options."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from svc.client.exchange import open_http
from svc.client.x import XClient, x_api
from svc.client.x.oauth import XCredentials, authorization_header
from svc.client.x.x_api import XApi, XRefusedError, rate_limit_wait
from tests.client.conftest import MakeClient
from tests.client.fake_platform import FakePlatform, until

OPTIONS: dict[str, Any] = {
    "api_key": "the-api-key",
    "api_secret": "api-secret",
    "access_token": "123456-the-token",
    "access_secret": "access-secret",
}
CREDENTIALS = XCredentials(**OPTIONS)
AT = 1_795_000_000.0
DATE = "Sun, 22 Nov 2026 12:00:00 GMT"


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Records the waits between tries, and ends them at once."""
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(x_api, "sleep", sleep)
    return waited


@pytest.fixture
def fake(open_fake: Callable[..., FakePlatform]) -> FakePlatform:
    return open_fake("x")


@pytest.fixture
async def api_at() -> AsyncIterator[Callable[[str], XApi]]:
    async with open_http() as http:
        yield lambda address: XApi(http, CREDENTIALS, address)


@pytest.fixture
async def fake_api(fake: FakePlatform) -> AsyncIterator[XApi]:
    options = {name: value for name, value in fake.client_options.items() if name in OPTIONS}
    async with open_http() as http:
        # An address may have a slash at its end.
        yield XApi(http, XCredentials(**options), f"{fake.origin}/")


@asynccontextmanager
async def server(status: int, body: str, **headers: str) -> AsyncIterator[str]:
    """Answers of a server that is not X, or of an app with wrong settings."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        lines = [f"HTTP/1.1 {status} Words", f"content-length: {len(body)}", "connection: close"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        writer.write("\r\n".join([*lines, "", body]).encode())
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as listening:
        yield f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"


def test_the_header_of_the_documented_example_is_as_documented() -> None:
    """The example of docs.x.com, "Creating a signature"."""
    credentials = XCredentials(
        api_key="xvz1evFS4wEEPTGEFPHBog",
        api_secret="kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw",
        access_token="370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb",
        access_secret="LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE",
    )
    query = {"include_entities": "true", "status": "Hello Ladies + Gentlemen, a signed OAuth request!"}
    nonce, timestamp = "kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg", 1_318_622_958

    def header(host: str) -> str:
        url = f"https://{host}/1.1/statuses/update.json"
        return authorization_header(credentials, "POST", url, query, nonce=nonce, timestamp=timestamp)

    assert header("api.x.com") == (
        'OAuth oauth_consumer_key="xvz1evFS4wEEPTGEFPHBog", oauth_nonce="kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg", '
        'oauth_signature_method="HMAC-SHA1", oauth_timestamp="1318622958", '
        'oauth_token="370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb", oauth_version="1.0", '
        'oauth_signature="Ls93hJiZbQ3akF3HF3x1Bz8%2FzU4%3D"'
    )
    # The host is signed: the example on the earlier domain has its own signature.
    assert 'oauth_signature="hCtSmYh%2BiHYCEqBWrE7C7hYmtUk%3D"' in header("api.twitter.com")


def test_two_headers_of_one_request_have_different_nonces() -> None:
    headers = {authorization_header(CREDENTIALS, "GET", "https://api.x.com/2/users/me", {}) for _ in range(2)}
    assert len(headers) == 2


@pytest.mark.parametrize(
    ("reset", "wait"),
    [
        (str(AT + 90), 90),
        (str(AT), 1),
        (str(AT - 3_600), 1),
        (str(AT + 900), 900),
        (str(AT + 86_400), 960),
        (None, 60),
        ("soon", 60),
        ("nan", 60),
    ],
)
def test_a_rate_limit_waits_for_its_reset_by_the_clock_of_x(reset: str | None, wait: float) -> None:
    assert rate_limit_wait(reset, AT) == wait


async def test_waits_double_up_to_a_minute_each_times_a_random_number(
    fake: FakePlatform, fake_api: XApi, waits: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("random.random", lambda: 0.5)
    fake.fault(status=503, times=8)
    answer = await fake_api.get("/2/users/me")
    assert answer.body["data"]["username"] == "svc_fake"
    assert waits == [0.5, 1, 2, 4, 8, 16, 30, 30]


async def test_a_rate_limit_waits_for_its_reset_and_not_for_a_doubled_time(
    fake: FakePlatform, fake_api: XApi, waits: list[float]
) -> None:
    fake.fault(status=429, retry_after=600)
    await fake_api.get("/2/users/me")
    # The reset and the header with the date are whole seconds.
    assert waits in ([600], [601])


async def test_an_unused_address_is_an_error_with_a_reason(api_at: Callable[[str], XApi], waits: list[float]) -> None:
    words = r"^X did not take POST /2/tweets in 2 tries\. The last time: it cannot be reached$"
    with pytest.raises(Exception, match=words):
        await api_at("http://127.0.0.1:1").post("/2/tweets", {}, tries=2)
    assert len(waits) == 1


@pytest.mark.parametrize("body", ["<html>", '"text"', "null", "[]", ""])
async def test_an_answer_that_is_not_an_object_is_retried(api_at: Callable[[str], XApi], body: str) -> None:
    async with server(200, body) as address:
        with pytest.raises(Exception, match=r"The last time: an answer that is not a JSON object$"):
            await api_at(address).post("/2/tweets", {}, tries=1)


async def test_the_time_of_an_answer_is_the_time_at_x(api_at: Callable[[str], XApi]) -> None:
    async with server(200, "{}", date=DATE) as address:
        assert (await api_at(address).get("/2/users/me")).at == 1_795_348_800


async def test_the_error_for_a_wrong_clock_names_the_difference(
    api_at: Callable[[str], XApi], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "time", lambda: 1_795_348_800 + 600.0)
    async with server(401, "{}", date=DATE) as address:
        with pytest.raises(XRefusedError, match=r": 401\. The clock of this machine is off by 600 s, and X accepts"):
            await api_at(address).get("/2/users/me")


async def test_a_redirect_is_not_followed(api_at: Callable[[str], XApi]) -> None:
    """The signature is for one address."""
    async with server(302, "", location="/elsewhere") as address:
        with pytest.raises(XRefusedError, match=r"^X refused GET /2/users/me: 302$"):
            await api_at(address).get("/2/users/me")


async def test_an_error_shows_no_credential_that_the_answer_repeats(api_at: Callable[[str], XApi]) -> None:
    async with server(400, f'{{"detail": "{" ".join(OPTIONS.values())}"}}') as address:
        with pytest.raises(XRefusedError, match=r"^X refused GET /2/users/me: 400 \*{3} \*{3} \*{3} \*{3}$"):
            await api_at(address).get("/2/users/me")


@pytest.mark.parametrize(("status", "is_duplicate"), [(403, True), (400, False)])
async def test_the_word_duplicate_in_a_403_means_a_text_that_was_sent_before(
    api_at: Callable[[str], XApi], status: int, is_duplicate: bool
) -> None:
    async with server(status, '{"detail":"You are not allowed to create a Tweet with duplicate content."}') as address:
        with pytest.raises(XRefusedError) as caught:
            await api_at(address).post("/2/tweets", {}, tries=1)
    assert caught.value.is_duplicate is is_duplicate


async def expect_error(work: Awaitable[Any], words: str) -> None:
    with pytest.raises(Exception, match=words):
        await work


async def test_the_error_for_wrong_credentials_names_the_next_step(fake: FakePlatform, make_client: MakeClient) -> None:
    words = (
        r"^X refused GET /2/users/me: 401 Unauthorized\. Copy api_key, api_secret, access_token and access_secret again"
        r' from the developer portal of X, "Keys and tokens", all four from one app$'
    )
    await expect_error(make_client(fake, wrong=True).start(), words)


async def test_the_error_for_an_app_without_write_permission_says_where_to_set_it(
    fake: FakePlatform, make_client: MakeClient
) -> None:
    fake.fault(status=403)
    await expect_error(make_client(fake).start(), "403 Forbidden. Check in the developer portal of X that the app may")


async def test_a_start_waits_for_x(fake: FakePlatform, start_client: Any) -> None:
    fake.fault(cut=True)
    fake.fault(status=503)
    fake.fault(status=429)
    await start_client(fake)
    assert [request["status"] for request in fake.requests] == [0, 503, 429, 200]


async def test_stop_ends_a_start_that_waits(fake: FakePlatform, make_client: MakeClient) -> None:
    fake.fault(status=429, retry_after=900)
    client = make_client(fake)
    starting = asyncio.create_task(client.start())
    await until(lambda: [request["status"] for request in fake.requests] == [429])
    await client.stop()
    await expect_error(starting, "^x-7000000003 was stopped$")


async def test_a_revoked_token_ends_the_client_with_an_error(fake: FakePlatform, start_client: Any) -> None:
    client = await start_client(fake)
    await client.receive_message()
    fake.fault(on="/mentions", status=401)
    await expect_error(
        client.receive_message(), r"^X refused GET /2/users/7000000003/mentions: 401 Unauthorized\. Copy api_key"
    )


def test_credentials_are_not_part_of_their_repr() -> None:
    assert repr(CREDENTIALS) == "XCredentials()"


def test_the_client_id_is_the_account_of_the_access_token() -> None:
    assert XClient(**OPTIONS).client_id == "x-123456"


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("value", ["", None, "two words", "line\n", 12, "é"])
def test_a_credential_must_be_a_text_without_spaces(name: str, value: Any) -> None:
    words = f'^{name} must be a text without spaces. Copy it from the developer portal of X, "Keys and tokens"$'
    with pytest.raises(ValueError, match=words):
        XClient(**{**OPTIONS, name: value})


@pytest.mark.parametrize("token", ["123456", "AAAAAAAA-bearer", "123456-", "-token"])
def test_a_token_of_another_kind_is_refused_and_the_right_kind_is_named(token: str) -> None:
    words = '^access_token must be digits, a dash and letters: the "Access Token" of OAuth 1.0a'
    with pytest.raises(ValueError, match=words) as caught:
        XClient(**{**OPTIONS, "access_token": token})
    assert token not in str(caught.value)


@pytest.mark.parametrize("address", ["api.x.com", "ftp://api.x.com", ""])
def test_another_text_is_not_an_address_of_an_api(address: str) -> None:
    with pytest.raises(ValueError, match=r"^base_url must be an address with http or https\. Leave it out for"):
        XClient(**OPTIONS, base_url=address)


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), 86_401])
def test_another_number_is_not_an_interval_between_two_polls(seconds: float) -> None:
    with pytest.raises(ValueError, match=r"^poll_seconds must be a number above 0, up to 86,400$"):
        XClient(**OPTIONS, poll_seconds=seconds)
