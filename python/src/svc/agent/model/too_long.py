"""Recognizes the refusal of a conversation that is too long for the model.

Source: the providers' answers, as collected in ``packages/ai/src/utils/overflow.ts`` of badlogic/pi-mono and in
    ``packages/llm/src/provider-error.ts`` of opencode.
"""

import re

_WORDS = re.compile(
    "|".join(
        (
            r"context[_ ]length[_ ]exceeded",  # the code of OpenAI, Groq and most servers that copy it
            r"exceeds? the (?:model's )?context window",  # OpenAI
            r"maximum context length",  # OpenAI, OpenRouter, DeepSeek, Mistral, vLLM
            r"prompt is too long",  # Anthropic
            r"exceed context limit",  # Anthropic, with max_tokens
            r"request_too_large",  # Anthropic, status 413
            r"input token count.*exceeds the maximum",  # Google
            r"maximum prompt length is \d",  # xAI
            r"reduce the length of the messages",  # Groq
            r"input is too long for requested model",  # Bedrock
            r"exceeds the available context size",  # llama.cpp
            r"greater than the context length",  # LM Studio
            r"prompt too long; exceeded",  # Ollama
        )
    ),
    re.IGNORECASE,
)
#: 400 by most servers; 413 by Anthropic, 422 by Mistral.
_STATUSES = (400, 413, 422)


def is_too_long(status: int | None, text: str) -> bool:
    """True if an answer with this status and text reports a conversation that is too long."""
    return status in _STATUSES and _WORDS.search(text) is not None
