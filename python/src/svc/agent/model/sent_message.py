"""The two forms of a message: for a model's server, and for the store."""

from svc.client.message import Message


def to_sent_message(message: Message, model: str) -> Message:
    """Removes svc-sdk's own members, and the members that another provider added.

    Some servers refuse a request for an unknown member (Mistral for ``reasoning_content``), and a signature is valid
    only at the provider that made it.
    """
    origin = message.get("svc_model")
    if not isinstance(origin, str) or _provider_of(origin) == _provider_of(model):
        return _without_own_members(message)
    sent: Message = {"role": message["role"], "content": message.get("content")}
    if calls := message.get("tool_calls"):
        sent["tool_calls"] = [_plain_call(call) for call in calls]
    return sent


def to_stored_message(message: Message, model: str) -> Message:
    """Adds the model that made the message. Server members with svc-sdk's own prefix are removed."""
    return {**_without_own_members(message), "role": "assistant", "svc_model": model}


def _plain_call(call: dict[str, object]) -> dict[str, object]:
    return {name: call[name] for name in ("id", "type", "function") if name in call}


def _without_own_members(message: Message) -> Message:
    return {name: value for name, value in message.items() if not name.startswith("svc_")}


def _provider_of(model_id: str) -> str:
    """The whole id if it has no provider."""
    return model_id.partition("/")[0]
