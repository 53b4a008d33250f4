"""Calls that a program of the model's provider makes: ``svc-caller: program``. A provider that ends a call early lets
the program make it again under another id, so a program makes only calls whose second run changes nothing more.
"""

from typing import Final, Literal

from svc.protocol.http import ActionAnnotations

PROGRAM: Final[Literal["program"]] = "program"


def may_program_call(annotations: ActionAnnotations | None) -> bool:
    """Whether a program may call an action with these annotations."""
    hints: ActionAnnotations = annotations or {}
    return hints.get("readOnly") is True or (hints.get("idempotent") is True and not hints.get("destructive"))
