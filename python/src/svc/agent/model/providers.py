"""The model servers that speak chat completions, and the resolution of a model id to its server.

Shape: an id is ``provider/model``, split at the first slash: ``openrouter/qwen/qwen3`` is the model ``qwen/qwen3`` of
    ``openrouter``.
Errors: ModelRequestError with status 400, so that no retry follows. Their messages never hold a key.
Source: the providers' own pages, read in November 2026; ``test/vectors/providers.json`` has the same table.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from svc.agent.model.model_request_error import ModelRequestError
from svc.protocol.json_text import quoted


@dataclass(frozen=True)
class Provider:
    """A row of the table.

    Attributes:
        base_url: The address before ``/chat/completions``.
        key_variable: Environment variable of the key; None if the server needs none.
        refuses_stream_options: True if the server refuses ``stream_options``, and counts the tokens of a stream without
            it.
    """

    base_url: str
    key_variable: str | None = None
    refuses_stream_options: bool = False


PROVIDERS: Mapping[str, Provider] = {
    "openai": Provider("https://api.openai.com/v1", "OPENAI_API_KEY"),
    "anthropic": Provider("https://api.anthropic.com/v1", "ANTHROPIC_API_KEY"),
    "google": Provider("https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"),
    "openrouter": Provider("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    "groq": Provider("https://api.groq.com/openai/v1", "GROQ_API_KEY"),
    "mistral": Provider("https://api.mistral.ai/v1", "MISTRAL_API_KEY", refuses_stream_options=True),
    "deepseek": Provider("https://api.deepseek.com", "DEEPSEEK_API_KEY"),
    "xai": Provider("https://api.x.ai/v1", "XAI_API_KEY"),
    "ollama": Provider("http://127.0.0.1:11434/v1"),
}

_HOW = "A model id is written provider/model, such as openai/gpt-5-mini. Set it with set_model or SVC_MODEL"
_KEY = re.compile(r"[\x21-\x7e]+")


@dataclass(frozen=True, kw_only=True)
class ModelServer:
    """The server of one model.

    Attributes:
        url: The address of its chat completions.
        model: The model's name in the request.
        key_variable: Environment variable of the key.
        key: None if the server needs none.
        takes_stream_options: False if the server refuses them.
    """

    url: str
    model: str
    key_variable: str | None
    key: str | None
    takes_stream_options: bool

    @property
    def host(self) -> str:
        """The server's name in messages."""
        return urlsplit(self.url).netloc


def find_model_server(model_id: str, env: Mapping[str, str]) -> ModelServer:
    """The server of a model.

    Raises:
        ModelRequestError: for an id without a server, and for a key that is missing
    """
    name, slash, rest = model_id.partition("/")
    provider = PROVIDERS.get(name) if slash else None
    own_url = env.get("OPENAI_BASE_URL", "").strip()
    if model_id == "" or (provider and rest == ""):
        raise _refused(f"The model id {quoted(model_id)} names no model. {_HOW}.")
    # The developer's own server may need no key.
    if own_url and (provider is None or name == "openai"):
        return ModelServer(
            url=_read_own_url(own_url),
            model=rest if provider else model_id,
            key_variable="OPENAI_API_KEY",
            key=_read_key("OPENAI_API_KEY", env),
            takes_stream_options=True,
        )
    if not slash:
        raise _refused(
            f"The model id {quoted(model_id)} has no provider. {_HOW}, or set OPENAI_BASE_URL to a server of your own."
        )
    if provider is None:
        raise _refused(
            f"The provider {quoted(name)} is unknown. Known are {', '.join(PROVIDERS)}. For another server that speaks "
            "chat completions, set OPENAI_BASE_URL."
        )
    key = _read_key(provider.key_variable, env) if provider.key_variable else None
    if provider.key_variable and not key:
        raise _refused(f"The model {model_id} needs a key: set the environment variable {provider.key_variable}.")
    return ModelServer(
        url=f"{provider.base_url}/chat/completions",
        model=rest,
        key_variable=provider.key_variable,
        key=key,
        takes_stream_options=not provider.refuses_stream_options,
    )


def _read_key(variable: str, env: Mapping[str, str]) -> str | None:
    key = env.get(variable, "").strip()
    if key and not _KEY.fullmatch(key):
        raise _refused(f"{variable} has characters that no key has. Copy the key again, as one line.")
    return key or None


def _read_own_url(text: str) -> str:
    url = _split(text)
    if url is None or url.scheme not in ("http", "https") or not url.hostname or url.username or url.password:
        raise _refused(
            "OPENAI_BASE_URL must be an http or https address without a password, such as http://127.0.0.1:8000/v1."
        )
    return url._replace(path=f"{url.path.rstrip('/')}/chat/completions").geturl()


def _split(text: str) -> SplitResult | None:
    try:
        url = urlsplit(text)
        _ = url.port  # Raises for a port that is not a number.
    except ValueError:
        return None
    return url


def _refused(message: str) -> ModelRequestError:
    return ModelRequestError(message, status=400)
