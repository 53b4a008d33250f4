"""The weight of a post, and the cut at its limit."""

import random

import pytest

from svc.client.x.post_text import fit_post, post_weight
from tests.support.typescript import from_typescript

FAMILY = "👨‍👩‍👧‍👦"
LINK = "https://example.com/where-to-read-on"
PUNCTUATION = (
    "This is a tweet with general punctuation characters: \u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
    "\u200a\u200b ‐ ‑ ‒ – — ― ‖  ‗ ‘ ’ ‚ ‛ “ ” „ ‟ ′ ″ ‴ ‵ ‶ ‷"
)
POST_TEXT = {"fitPost": "agent/clients/x/post-text.ts", "postWeight": "agent/clients/x/post-text.ts"}


# The first group: docs.x.com, "Counting characters". The second: `conformance/validate.yml` of twitter-text.
@pytest.mark.parametrize(
    ("text", "weight"),
    [
        ("a", 1),
        ("á", 1),
        ("ӑ", 1),
        ("👾", 2),
        ("🙋🏽", 2),
        ("👨‍🎤", 2),
        (FAMILY, 2),
        ("cafe\u0301", 4),
        ("Hi http://test.co", 26),
        ("http://test.co", 23),
        ("https://www.twitter.com/aloha " * 10, 240),
        ("故人西辞黄鹤楼，烟花三月下扬州。", 32),
        ("the故人", 7),
        ("A\u0301B", 2),
        ("A\u05e9\u05bc\u05c1", 4),
        ("😷👾😡🔥💩", 10),
        ("🙋🏽👨‍🎤", 4),
        (FAMILY * 140, 280),
        ("Unicode 10.0 emoji: 🤪; 🧕; 🧕🏾; 🏴󠁧󠁢󠁥󠁮󠁧󠁿", 34),
        (PUNCTUATION, 110),
    ],
)
def test_the_weight_of_a_text_equals_that_of_x(text: str, weight: int) -> None:
    assert post_weight(text) == weight


@pytest.mark.parametrize(
    ("text", "weight"),
    [
        ("http://example.com/a/very/long/path?with=a&query=and#fragment-that-goes-on", 23),
        ("http://example.com.", 24),
        ("(https://example.com/a)", 25),
        ("https://example.com/中文", 27),
        ("https://example.com中文", 27),
        ("http://münchen.de", 23),
        ("see example.com", 27),
        ("example.com/path-of-24-characters", 45),
        (f"http://{'a' * 64}.com", 75),
        ("http://localhost:3000", 21),
        ("me@example.com", 14),
        ("1.5 e.g. no", 11),
    ],
)
def test_a_link_weighs_at_least_as_much_as_at_x(text: str, weight: int) -> None:
    assert post_weight(text) == weight


def words(weight: int) -> str:
    return ("word " * (weight // 5 + 1))[: weight - 1] + "x"


@pytest.mark.parametrize(
    ("text", "post"),
    [
        (f"  {words(280)}\n", words(280)),
        ("中" * 140, "中" * 140),
        ("", ""),
        (f"{words(278)} end", f"{words(278)}…"),
        (f"{words(279)} end", f"{words(279)[:274]}…"),
        ("中" * 141, f"{'中' * 139}…"),
        ("a" * 281, f"{'a' * 278}…"),
        (FAMILY * 141, f"{FAMILY * 139}…"),
        (f"Hi {'中' * 200}", f"Hi {'中' * 137}…"),
        (f"{'a' * 257}\n{LINK}", f"{'a' * 257}…"),
        (f"{'a' * 254} {LINK}", f"{'a' * 254} {LINK}"),
        (f"{'a' * 250} {LINK} more words", f"{'a' * 250} {LINK}…"),
        ("one\n\ntwo", "one\n\ntwo"),
    ],
)
def test_a_post_is_cut_behind_a_word_and_never_within_a_link_or_a_character(text: str, post: str) -> None:
    assert fit_post(text) == post


@pytest.mark.parametrize(
    "text", ["a" * 200_000, "a." * 100_000, "http://" * 30_000, f"http://{'a.' * 100_000}"], ids=range(4)
)
def test_a_text_of_200000_characters_is_cut_quickly(text: str) -> None:
    assert post_weight(fit_post(text)) <= 280


def texts_by_chance(chance: random.Random, count: int) -> list[str]:
    """Texts of characters, emoji and links that X weighs in different ways, some too long."""
    skins = [chr(point) for point in range(0x1F3FB, 0x1F400)]
    people = [*"👨👩🧑👧👦🧒🤝💋🫱🫲🐰🎤🦯🌈", "❤\ufe0f"]
    joined = ["\u200d", "\ufe0f", "\u20e3", "➡\ufe0f", "♀\ufe0f", "♂\ufe0f", "⚕\ufe0f", "☠\ufe0f", "🏳\ufe0f"]
    flags = [chr(point) for point in range(0x1F1E6, 0x1F200)]
    plain = [*"abc xyz 12*# .…–\n", "é", "中", "\u0e01", "ß", "word ", " and ", "https://example.com/a ", "notes.md "]
    pools = [skins, people, people, joined, ["\u200d"], flags, plain, plain]

    def text(length: int) -> str:
        return "".join(chance.choice(chance.choice(pools)) for _ in range(length))

    return [text(chance.randrange(1, 12)) for _ in range(count)] + [text(300) for _ in range(count // 10)]


def test_posts_and_weights_equal_those_of_typescript() -> None:
    """X shows a reply that another language sends again only once if the text is the same."""
    texts = texts_by_chance(random.Random(20261124), 4_000)
    same = from_typescript("given.map((text) => [text, postWeight(text), fitPost(text)])", POST_TEXT, texts)
    assert [[text, post_weight(text), fit_post(text)] for text in texts] == same


def test_the_weights_of_emoji_equal_those_of_typescript() -> None:
    """Each emoji alone, and in its sequences."""
    points = "[...Array(0x20000).keys()].filter((point) => /\\p{Emoji}/u.test(String.fromCodePoint(point)))"
    ends = ["", "\ufe0f", "\ufe0f\u20e3", "🏽", "\u200d♀\ufe0f", "🏽\u200d♂\ufe0f", "\u200d🎤", "🏽\u200d🤝\u200d👨🏾"]
    texts = f"{points}.flatMap((point) => given.map((end) => String.fromCodePoint(point) + end))"
    weights = from_typescript(f"{texts}.map((text) => [text, postWeight(text)])", POST_TEXT, ends)
    assert len(weights) > 8_000
    assert [[text, post_weight(text)] for text, _ in weights] == weights
