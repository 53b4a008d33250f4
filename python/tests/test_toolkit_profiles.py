"""The profile of a toolkit: the rules of test/vectors/toolkit-profiles.json, and what ``update_toolkit`` sends."""

import base64
from pathlib import Path
from typing import Any

import pytest

from svc import SvcError, Toolkit
from svc.protocol.toolkit_profile import TOOLKIT_CATEGORIES, icon_type_of, profile_problem
from svc.toolkit.toolkit_details import check_profile
from tests.support.repository import vector

PROFILES = vector("toolkit-profiles")
PNG = base64.b64decode(PROFILES["icons"][0]["base64"])
KEY = "svc_toolkit_a"


def value_of(value: dict[str, Any]) -> str:
    return str(value["text"]) if "text" in value else value.get("prefix", "") + str(value["repeat"]) * value["times"]


def test_the_categories_are_those_of_the_wire() -> None:
    assert list(TOOLKIT_CATEGORIES) == PROFILES["categories"]


@pytest.mark.parametrize("value", PROFILES["good"])
def test_a_good_member(value: dict[str, Any]) -> None:
    assert profile_problem(value["member"], value_of(value)) is None


@pytest.mark.parametrize("value", PROFILES["refused"], ids=lambda value: value["problem"])
def test_a_refused_member(value: dict[str, Any]) -> None:
    assert profile_problem(value["member"], value_of(value)) == value["problem"]


@pytest.mark.parametrize("icon", PROFILES["icons"])
def test_the_type_of_an_icon(icon: dict[str, str]) -> None:
    assert icon_type_of(base64.b64decode(icon["base64"])) == icon.get("type")


def test_bytes_and_paths_of_icons_become_data_urls_and_none_removes(tmp_path: Path) -> None:
    (tmp_path / "icon.png").write_bytes(PNG)
    url = "data:image/png;base64," + PROFILES["icons"][0]["base64"]
    for icon in (PNG, tmp_path / "icon.png", url):
        assert check_profile({"icon": icon, "readme": None, "version": ...}) == {"icon": url, "readme": None}


@pytest.mark.parametrize(
    ("profile", "message"),
    [
        ({"readme": "a" * 1_000_000}, "update_toolkit(readme=…): it has 1000000 bytes; at most 65536 are allowed"),
        (
            {"icon": b"<svg></svg>"},
            "update_toolkit(icon=…): its bytes are none of PNG, JPEG and WebP; convert it to one",
        ),
        ({"icon": bytes(65_537)}, "update_toolkit(icon=…): it has 65537 bytes; at most 65536 are allowed"),
        ({"homepage": "javascript:alert(1)"}, "update_toolkit(homepage=…): it is an address such as"),
        ({"version": 7}, "update_toolkit(version=…): it is a text, or None to remove it"),
    ],
)
async def test_a_wrong_profile_is_refused_before_it_is_sent(profile: dict[str, Any], message: str) -> None:
    with pytest.raises(SvcError) as refused:
        await Toolkit(KEY).update_toolkit(name="Weather", **profile)
    assert refused.value.code == "INVALID_REQUEST"
    assert str(refused.value).startswith(message)
