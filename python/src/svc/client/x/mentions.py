"""The posts that mention an account.

Shape: each mention once, the oldest first. X has pages, the newest first.
Source: docs.x.com, "Get mentions": ``GET /2/users/:id/mentions``. X finds the last 800.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from svc.client.base import MessageContext
from svc.client.x.x_api import XApi

#: The position to continue from, in X's own parameters: ``since_id`` for posts after that one, or ``start_time`` for
#: posts since then.
MentionsCursor = dict[str, str]

_FIELDS = {
    "tweet.fields": "attachments,author_id,conversation_id,entities,note_tweet,referenced_tweets,reply_settings",
    "expansions": "attachments.media_keys,author_id",
    "media.fields": "type,url",
    "user.fields": "username",
    "max_results": "100",
}
_LEADING_NAMES = re.compile(r"(?:@(?a:\w+)\s+)*(?:@(?a:\w+)\s*\Z)?")
_ESCAPED = {"&lt;": "<", "&gt;": ">", "&amp;": "&"}


@dataclass(frozen=True, slots=True)
class Account:
    """The account that is mentioned. ``@`` is not part of the handle."""

    id: str
    user_name: str


@dataclass(frozen=True, slots=True)
class Mention:
    """A post that mentions the account."""

    id: str
    #: False for the account's own posts, for retweets, and for posts with restricted replies.
    is_for_us: bool
    ctx: MessageContext
    #: Addresses.
    photos: Sequence[str]


def cursor_from(started_at: float) -> MentionsCursor:
    """The cursor of a first start.

    Args:
        started_at: seconds since 1970
    """
    return {"start_time": datetime.fromtimestamp(started_at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")}


def read_cursor(cursor: object) -> MentionsCursor | None:
    """None for a cursor of another shape."""
    if not isinstance(cursor, dict):
        return None
    known = {name: cursor[name] for name in ("since_id", "start_time") if isinstance(cursor.get(name), str)}
    return known or None


async def read_mentions(api: XApi, account: Account, cursor: MentionsCursor) -> list[Mention]:
    mentions: dict[str, Mention] = {}
    token: str | None = ""
    while token is not None:
        query = {**_FIELDS, **cursor, **({"pagination_token": token} if token else {})}
        page = (await api.get(f"/2/users/{account.id}/mentions", query)).body
        for post in page.get("data", []):
            mentions[post["id"]] = _to_mention(post, page.get("includes", {}), account)
        token = page.get("meta", {}).get("next_token")
    return sorted(mentions.values(), key=lambda mention: int(mention.id))


def _to_mention(post: dict[str, Any], included: Mapping[str, Any], account: Account) -> Mention:
    author_id = post["author_id"]
    names = {user["id"]: user["username"] for user in included.get("users", [])}
    media = {item["media_key"]: item for item in included.get("media", [])}
    photos = [media[key] for key in post.get("attachments", {}).get("media_keys", []) if key in media]
    ctx = MessageContext(
        chat_id=post.get("conversation_id", post["id"]),
        user_id=author_id,
        message=_readable_text(post, account.user_name),
        message_id=post["id"],
        user_name=names.get(author_id),
        is_private=False,
    )
    return Mention(
        id=post["id"],
        is_for_us=author_id != account.id
        and post.get("reply_settings", "everyone") == "everyone"
        and not _refers(post, "retweeted"),
        ctx=ctx,
        photos=[item["url"] for item in photos if item.get("type") == "photo" and item.get("url")],
    )


def _refers(post: Mapping[str, Any], kind: str) -> bool:
    return any(reference["type"] == kind for reference in post.get("referenced_tweets", []))


def _readable_text(post: Mapping[str, Any], user_name: str) -> str:
    """The text as the person wrote it: without the account's name in front, with whole links, without escapes.

    X puts the names of all who take part in front of a reply, so a reply loses them all: ``yes`` must stay a yes.
    """
    # The whole of a post above 280 characters.
    note = post.get("note_tweet", {})
    whole: str = note.get("text", post["text"])
    for link in (*post.get("entities", {}).get("urls", []), *note.get("entities", {}).get("urls", [])):
        # X shortens each link. The link to a photo of the post itself has a `media_key`.
        full = "" if "media_key" in link else link.get("expanded_url", link["url"])
        whole = whole.replace(link["url"], full)
    match = _LEADING_NAMES.match(whole)
    names = match[0] if match else ""
    others = [name for name in names.split() if name.lower() != f"@{user_name}".lower()]
    rest = " ".join([*([] if _refers(post, "replied_to") else others), whole[len(names) :]]).strip() or whole.strip()
    return re.sub("&(?:amp|lt|gt);", lambda escaped: _ESCAPED[escaped[0]], rest)
