"""Notes that are kept in memory. Deleting them is declared ``destructive``, so an agent asks a person first.

```sh
SVC_TOOLKIT_API_KEY=… python examples/python/toolkits/notes.py
```
"""

from typing import Any

from serve import report_loss, serve

from svc import ActionContext, Toolkit

MAX_NOTES = 1_000

notes: list[str] = []
toolkit = Toolkit(on_status=report_loss)


@toolkit.action(
    payload_description={
        "text": {
            "type": "string",
            "minLength": 1,
            "maxLength": 1_000,
            "description": "The text of the note",
            "required": True,
        }
    },
)
async def write_note(ctx: ActionContext, payload: dict[str, str]) -> Any:
    """Writes a note: keeps a short text, such as a thing to buy or to do."""
    if len(notes) == MAX_NOTES:
        raise ctx.error("FULL", f"{MAX_NOTES} notes are kept at most. Delete them first")
    notes.append(payload["text"])
    return {"notes": len(notes)}


@toolkit.action(annotations={"readOnly": True})
async def list_notes() -> Any:
    """Lists all notes, oldest first."""
    return {"notes": notes}


@toolkit.action(annotations={"destructive": True})
async def delete_all_notes() -> Any:
    """Deletes all notes. They cannot be brought back."""
    deleted = len(notes)
    notes.clear()
    return {"deleted": deleted}


if __name__ == "__main__":
    serve(toolkit, name="Notes", description="Keeps short texts")
