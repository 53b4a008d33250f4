"""Files and programs of the repository around this package."""

import json
import subprocess
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).parents[3]
NODE = str(REPOSITORY / "node_modules" / ".bin" / "node")
#: The command as it is built.
COMMAND = (NODE, str(REPOSITORY / "dist" / "cli.js"))


def vector(name: str) -> Any:
    """A file of test/vectors."""
    return json.loads((REPOSITORY / "test" / "vectors" / f"{name}.json").read_text())


def from_typescript(expression: str, imports: dict[str, str], given: Any = None) -> Any:
    """The JSON of an expression with names of the TypeScript sources.

    Args:
        expression: JavaScript; ``given`` is a name in it.
        imports: name -> file below src/.
        given: JSON.
    """
    lines = [f"import {{ {name} }} from './src/{path}';" for name, path in imports.items()]
    program = "\n".join(
        [
            *lines,
            "let text = ''; for await (const chunk of process.stdin) text += chunk;",
            "const given = JSON.parse(text);",
            f"console.log(JSON.stringify(await ({expression})));",
        ]
    )
    command = [NODE, "--import", "./scripts/source-imports.ts", "--input-type=module-typescript", "--eval", program]
    run = subprocess.run(command, cwd=REPOSITORY, input=json.dumps(given), capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)
