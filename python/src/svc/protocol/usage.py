"""The tokens that a model used, in the header ``Svc-Usage``: ``"gpt-6";id="u1";input=1200;cached=1024;output=86``.

docs/protocol.md, section 5, "Tokens of the model".
"""

import re

USAGE_HEADER = "svc-usage"
USAGE_PATH = "/v1/usage"

MAX_USAGE_CHARS = 1_024
MAX_USAGE_REPORTS = 8
MAX_MODEL_CHARS = 128
MAX_USAGE_TOKENS = 1_000_000_000


def write_report(model: str, report_id: str, input_tokens: int, output_tokens: int, cached_tokens: int | None) -> str:
    """One item of the header.

    Args:
        model: printable ASCII.
        report_id: unique for each report: a repeated one counts once.
        input_tokens: all of the input.
        output_tokens: of the answer.
        cached_tokens: the part of the input that came from the provider's cache.
    """
    name = re.sub(r'["\\]', r"\\\g<0>", model)
    cached = "" if cached_tokens is None else f";cached={cached_tokens}"
    return f'"{name}";id="{report_id}";input={input_tokens}{cached};output={output_tokens}'
