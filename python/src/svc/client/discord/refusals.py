"""Permanent refusals, each with the next step."""

_PORTAL = "https://discord.com/developers/applications"
_TOKEN_REFUSED = f"the bot token: copy a new one from {_PORTAL}, page Bot, Reset Token, and set bot_token"
_CLOSE_CODES = {
    4004: _TOKEN_REFUSED,
    4010: "the shard: update svc-sdk",
    4011: "one connection for a bot in so many servers: this client has no shards; take the bot out of servers, or use "
    "a bot for each group of them",
    4012: "version 10 of its gateway: update svc-sdk",
    4013: "the intents: update svc-sdk",
    4014: f"the intents of messages: look at the page Bot of {_PORTAL} for what the application is not allowed, or "
    "make a new one",
}


class DiscordBotRefusedError(Exception):
    """Discord refuses the bot itself, and would refuse every retry."""


def refusal_of(close_code: int, client_id: str) -> DiscordBotRefusedError | None:
    """The error for a close code after which every new connection would fail."""
    what = _CLOSE_CODES.get(close_code)
    return DiscordBotRefusedError(f"{client_id}: Discord refuses {what} (close code {close_code})") if what else None


def token_refusal(client_id: str) -> DiscordBotRefusedError:
    return DiscordBotRefusedError(f"{client_id}: Discord refuses {_TOKEN_REFUSED} (status 401)")
