"""Both SDKs do the same, byte by byte: the TypeScript sources run beside this package."""

import json
import random
from typing import Any

from svc import Tools, describe_action
from svc.errors import ERRORS, SvcError
from svc.protocol import unicode_ranges
from svc.protocol.amount import to_millionths
from svc.protocol.auth_problem import action_auth_problem, toolkit_auth_problem
from svc.protocol.content import describe_block
from svc.protocol.estimate_tokens import estimate_tokens
from svc.protocol.invisible_text import printable, readable_text
from svc.tools.canonical_json import to_canonical_json
from svc.tools.globally_unique import is_globally_unique
from svc.tools.idempotency_key import idempotency_key_of
from svc.tools.model_arguments import read_search_arguments
from svc.tools.model_media import model_media
from svc.tools.model_text import to_model_result
from tests.support.typescript import from_typescript

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
BLOCKS: list[dict[str, Any]] = [
    {"type": "text", "text": "a\x1b[31mred\u200b"},
    {"type": "image", "data": PNG, "mimeType": "image/png"},
    {"type": "image", "data": "AAAA", "mimeType": "image/png"},
    {"type": "audio", "data": "A" * 4000, "mimeType": "audio/mpeg"},
    {"type": "resource", "resource": {"uri": "svc://inv_1/a%20b.csv", "mimeType": "text/csv", "text": "a,b"}},
    {"type": "resource", "resource": {"uri": "svc://inv_1/100%", "blob": "JVBERi0xLjcK" + "A" * 2_000_000}},
    {"type": "resource_link", "uri": "https://example.com/", "name": "n", "title": "t", "description": "d", "size": 2},
    {"type": "resource_link", "uri": "https://example.com/r.pdf", "name": "r.pdf", "mimeType": "application/pdf"},
]


JOINING_SCRIPTS = [
    *("Arabic", "Syriac", "Nko", "Mandaic", "Mongolian", "Phags_Pa", "Devanagari", "Bengali", "Gurmukhi", "Gujarati"),
    *("Oriya", "Tamil", "Telugu", "Kannada", "Malayalam", "Sinhala", "Khmer", "Myanmar", "Tibetan"),
]


def test_the_two_tools() -> None:
    wanted = from_typescript("DEFINITIONS", {"DEFINITIONS": "tools/definitions.ts"})
    assert json.dumps(Tools().definitions()) == json.dumps(wanted)


async def test_the_two_tools_in_the_shape_of_chat_completions() -> None:
    imports = {"DEFINITIONS": "tools/definitions.ts", "toChatCompletionTool": "tools/chat-completions.ts"}
    wanted = from_typescript("DEFINITIONS.map(toChatCompletionTool)", imports)
    assert json.dumps(await Tools().get_tools()) == json.dumps(wanted)


def test_the_errors() -> None:
    wanted = from_typescript("ERRORS", {"ERRORS": "protocol/errors.ts"})
    assert {code: facts._asdict() for code, facts in ERRORS.items()} == {
        code: {"status": facts["status"], "retryable": facts["retryable"]} for code, facts in wanted.items()
    }


def test_the_json_of_an_error() -> None:
    problem = {"code": "RATE_LIMITED", "detail": "Wait", "retryAfterMs": 1500, "didYouMean": ["a__b"], "status": 429}
    wanted = from_typescript("SvcError.fromProblem(given)", {"SvcError": "protocol/errors.ts"}, problem)
    error = SvcError.from_problem(problem)
    assert error is not None
    assert json.dumps(error.to_json()) == json.dumps(wanted)
    assert error.retry_after == 1.5


def test_the_ranges_of_unicode() -> None:
    sets = from_typescript(
        """Object.fromEntries(Object.entries(given).map(([name, pattern]) => {
          const ranges = [];
          const expression = new RegExp(pattern, 'u');
          for (let code = 0, begun = -1; code <= 0x110000; code++) {
            const isCharacter = code < 0x110000 && (code & 0x1ff800) !== 0xd800;
            const found = isCharacter && expression.test(String.fromCodePoint(code));
            if (found && begun < 0) begun = code;
            if (!found && begun >= 0) {
              ranges.push(begun === code - 1 ? begun.toString(16) : `${begun.toString(16)}-${(code - 1).toString(16)}`);
              begun = -1;
            }
          }
          return [name, ranges.join(' ')];
        }))""",
        {},
        {
            "PICTOGRAPH": r"\p{Extended_Pictographic}",
            "HAN": r"\p{Script=Han}",
            "MONGOLIAN": r"\p{Script=Mongolian}",
            "IGNORABLE": r"\p{Default_Ignorable_Code_Point}",
            "JOINING_LETTER": "[" + "".join(rf"\p{{Script={script}}}" for script in JOINING_SCRIPTS) + "]",
        },
    )
    assert {name: getattr(unicode_ranges, name) for name in sets} == sets


def test_readable_and_printable_texts() -> None:
    pieces = [
        *("a", "b ", "\n", "\r\n", "\r", "\t", "\x00", "\x1b", "\x1b[31m", "\x1b]0;title\x07", "\x9b1m", "\x85"),
        *("\u200b", "\u200d", "\u200c", "\u202e", "\ufeff", "\u00ad", "\u2028", "\ufe0f", "\ufe0e", "\u3164"),
        *("👩", "👧", "👍", "🏽", "🏴", "❤", "#", "1", "\u20e3", "क", "्", "ष", "م", "葛", "\U000e0100", "ᠠ", "\u180b"),
        *("\U000e0067", "\U000e0062", "\U000e0065", "\U000e006e", "\U000e007f", "é", "日本", "\ufff9"),
    ]
    pick = random.Random(7)
    texts = ["".join(pick.choices(pieces, k=pick.randint(1, 9))) for _ in range(4_000)]
    texts += ["🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "👩🏽\u200d👧", "👩\ufe0f\u200d👧"]
    wanted = from_typescript(
        "given.map((text) => [readableText(text), printable(text)])",
        {"readableText, printable": "protocol/invisible-text.ts"},
        texts,
    )
    for text, (readable, printed) in zip(texts, wanted, strict=True):
        assert (readable_text(text), printable(text)) == (readable, printed), ascii(text)


def test_ids_that_are_globally_unique() -> None:
    pick = random.Random(11)
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    kinds = ("0123456789abcdef", letters, letters.lower(), "0123456789", "abc", "aeiouKL19")
    heads = ("", "call_", "toolu_01", "toolu_vrtx_01", "fc_", "chatcmpl-tool-", "functions.get:", "a-", "ä")
    ids = [
        pick.choice(heads) + "".join(pick.choices(pick.choice(kinds), k=pick.choice((1, 8, 9, 12, 16, 22, 24, 32, 99))))
        for _ in range(6_000)
    ]
    ids += ["3f2b8c1e-9d47-4a6b-8e15-7c0d2f9a4b63", "a1B2c3D4e5F6", "call_9fKq2LmZ7xTb4vWnR1sYc8Hd"]
    wanted = from_typescript("given.map(isGloballyUnique)", {"isGloballyUnique": "tools/globally-unique.ts"}, ids)
    assert [is_globally_unique(each) for each in ids] == wanted
    assert 0 < sum(wanted) < len(ids)


NUMBERS = [
    *(0, -0.0, 1, -1, 1.0, 1.5, 0.1, 1e-6, 1e-7, 1.5e-7, 123456789.125, 1e20, 1e21, 1.25e21, 1e22, 5e-324),
    *(2**53, 2**53 + 1, 2**64, -(2**63), 1.7976931348623157e308, 100, 1000000, 0.00001, 12345678901234567890),
]
VALUES = [
    *NUMBERS,
    {"b": 1, "a": {"d": [1, "é", None, True], "c": "\u2028\x07\x7f"}, "10": 1, "9": 2, "01": 3, "4294967295": 4},
    {"😀": 1, "\uffff": 2, "": 3},
    "half of a pair: \ud800",
    [],
    {},
]


def test_canonical_json() -> None:
    wanted = from_typescript("given.map(writeCanonicalJson)", {"writeCanonicalJson": "tools/json.ts"}, VALUES)
    assert [to_canonical_json(value) for value in VALUES] == wanted


def test_random_numbers_in_canonical_json() -> None:
    pick = random.Random(3)
    numbers = [pick.uniform(-1, 1) * 10 ** pick.randint(-30, 30) for _ in range(5_000)]
    wanted = from_typescript("given.map(writeCanonicalJson)", {"writeCanonicalJson": "tools/json.ts"}, numbers)
    assert [to_canonical_json(number) for number in numbers] == wanted


def test_the_idempotency_key_of_a_unique_tool_call_id() -> None:
    calls: list[dict[str, Any]] = [
        {"toolCallId": "call_9fKq2LmZ7xTb4vWnR1sYc8Hd", "tool": "a__b", "input": value} for value in VALUES
    ]
    wanted = from_typescript(
        "Promise.all(given.map(idempotencyKeyOf))", {"idempotencyKeyOf": "tools/idempotency-key.ts"}, calls
    )
    keys = [
        idempotency_key_of(None, tool_call_id=call["toolCallId"], tool=call["tool"], arguments=call["input"])
        for call in calls
    ]
    assert keys == wanted


def test_blocks_in_words_and_the_media_among_them() -> None:
    words, media = from_typescript(
        "[given.map(describeBlock), modelMedia(given)]",
        {"describeBlock": "protocol/content.ts", "modelMedia": "tools/model-media.ts"},
        BLOCKS,
    )
    assert [describe_block(block) for block in BLOCKS] == words
    shown = [{"mediaType": each.media_type, "data": each.data, "name": each.name} for each in model_media(BLOCKS)]
    assert shown == media


def test_results_for_a_model() -> None:
    responses: list[Any] = [
        {"invocationId": "inv_1", "result": result, **more}
        for result in ("text\u200b", {"a": "b\x1b[1m", "list": [1, None]}, None, "x" * 900, "x" + "😀" * 400)
        for more in (
            {},
            {"content": BLOCKS[:5]},
            {"repaired": ["One.", "Two."]},
            {"cut": {"totalBytes": 9, "keptBytes": 5}, "content": BLOCKS[4:5]},
        )
    ]
    wanted = from_typescript(
        "given.map((response) => toModelResult(response, 500))", {"toModelResult": "tools/model-text.ts"}, responses
    )
    for response, result in zip(responses, wanted, strict=True):
        made = to_model_result(response, 500)
        assert (made.value, list(made.blocks)) == (result["value"], result.get("blocks", []))


def test_search_arguments() -> None:
    limits: list[Any] = [None, 0, 1, 2.9, 50, 51, "3", "3.7", "many", -1, 1e99, [], {}, False]
    wanted = from_typescript(
        "given.map((limit) => readSearchArguments({ query: 'x', limit }).limit ?? null)",
        {"readSearchArguments": "tools/search-arguments.ts"},
        limits,
    )
    assert [read_search_arguments({"query": "x", "limit": limit})[1] for limit in limits] == wanted


def test_token_estimates() -> None:
    pick = random.Random(7)
    characters = [*'abZQ19 \n\t\\"{,ä漢', "\ua000", "\u2300", "\U0001f326", "\x7f", "\xa0", "\ufeff", "\uffff"]
    texts = ["".join(pick.choice(characters) * pick.randint(1, 9) for _ in range(30)) for _ in range(500)]
    wanted = from_typescript("given.map(estimateTokens)", {"estimateTokens": "protocol/estimate-tokens.ts"}, texts)
    assert [estimate_tokens(text) for text in texts] == wanted


def test_amounts() -> None:
    amounts: list[Any] = ["0", "0.05", "12.345678", "999999999999", "1.", ".5", "01", "1e3", "-1", "0.0000001", " 1", 1]
    amounts += ["1\n", "١"]
    wanted = from_typescript(
        "given.map((amount) => toMillionths(amount)?.toString() ?? null)",
        {"toMillionths": "protocol/amount.ts"},
        amounts,
    )
    assert [None if (found := to_millionths(each)) is None else str(found) for each in amounts] == wanted


def test_the_description_with_a_price() -> None:
    payment = {"amount": "0.05", "currency": "USD"}
    actions: list[Any] = [
        {"description": "Sells"},
        {"description": "Sells", "payment": payment},
        {"description": "Sells!", "payment": payment},
    ]
    wanted = from_typescript("given.map(describeAction)", {"describeAction": "tools/describe-action.ts"}, actions)
    assert [describe_action(action) for action in actions] == wanted


def test_the_checks_of_auth() -> None:
    url, scopes = "https://api.example/authorize", ["repo", "user:email"]
    members: list[dict[str, Any]] = [
        *({}, {"help": "A token"}, {"help": 7}, {"scopes": scopes}, {"scopes": "repo"}, {"scopes": ["a b"]}),
        *({"in": "query"}, {"name": "key"}, {"server": url}, {"server": "mcp.example"}, {"server": 7}),
        *({"authorizationUrl": url}, {"authorizationUrl": url, "tokenUrl": url}, {"revocationUrl": url}),
        {"authorizationUrl": url, "tokenUrl": url, "server": url},
    ]
    toolkits: list[Any] = [
        {"type": kind, "from": source, **more}
        for kind in ("bearer", "basic", "apiKey", "oauth2", "Bearer", None)
        for source in ("caller", "user", "agent", "everyone", "me")
        for more in members
    ]
    toolkits += ["bearer", 7, [], {}, {"type": "bearer"}]
    actions: list[Any] = [False, True, {}, {"scopes": scopes}, {"scopes": []}, {"scopes": ["a\\b"]}, "repo"]
    wanted, wanted_of_actions = from_typescript(
        "[given[0].map((auth) => toolkitAuthProblem(auth) ?? null), given[1].map((auth) => !actionAuthProblem(auth))]",
        {"toolkitAuthProblem, actionAuthProblem": "protocol/auth-problem.ts"},
        [toolkits, actions],
    )
    found = [toolkit_auth_problem(auth) for auth in toolkits]
    assert [text and text.partition("{")[0] for text in found] == [text and text.partition("{")[0] for text in wanted]
    assert [not action_auth_problem(auth) for auth in actions] == wanted_of_actions
