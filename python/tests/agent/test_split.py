"""The vectors of split.json, and the properties of every text."""

import random
import re
from typing import Any, get_args

import pytest

from svc.client.base import TextUnit, split
from svc.client.text_units import length_in
from tests.support.repository import vector

PARTS = ["word", "a", "\n", "\n\n", "  ", "```\n", "```1\n", "\n```\n", "\n~~~\n", "😀", "👩‍👩‍👧", "e\u0301", "x" * 30]


@pytest.mark.parametrize("case", vector("split"), ids=lambda case: case["name"])
def test_split_plays_the_vector(case: dict[str, Any]) -> None:
    assert split(case["text"], case["limit"], case["unit"]) == case["pieces"]


def test_every_piece_keeps_the_limit_and_no_word_of_the_text_is_lost() -> None:
    chance = random.Random(1)
    for _ in range(1_000):
        text = "".join(chance.choice(PARTS) for _ in range(chance.randrange(80)))
        limit = chance.randint(25, 60)
        unit: TextUnit = chance.choice(get_args(TextUnit))
        pieces = split(text, limit, unit)
        for piece in pieces:
            assert length_in(unit, piece) <= limit
            assert piece.strip()
        assert _words("".join(pieces)) == _words(text)


def test_each_piece_holds_as_many_lines_as_fit() -> None:
    text = "A sentence of some words.\n" * 2_000
    assert len(split(text, 4096)) == -(-len(text) // (157 * 26))


def _words(text: str) -> str:
    return re.sub(r"[`~1]|\s", "", text)
