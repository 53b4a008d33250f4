"""The Python blocks of Markdown pages, and a runner that runs them like a reader."""

import ast
import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tests.support.repository import REPOSITORY
from tests.support.waiting import until


@dataclass(frozen=True)
class Block:
    #: The name after ``file=``.
    file: str | None
    code: str


def python_blocks(page: str) -> list[Block]:
    """The blocks of a page, by its path in the repository."""
    text = (REPOSITORY / page).read_text()
    return [
        Block(file or None, code)
        for file, code in re.findall(r"^```python(?: file=(\S+))?\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    ]


class PageProgram:
    """Blocks of a page in one namespace, one after the other. Each block may be the body of a coroutine.

    Attributes:
        names: the names that the blocks use and define.
    """

    def __init__(
        self, page: str, names: Mapping[str, Any] | None = None, *, blocks: Sequence[str] | None = None
    ) -> None:
        """
        Args:
            page: path in the repository.
            names: names defined before the first block.
            blocks: the code of some blocks. Default: all blocks of the page.
        """
        self._page = page
        self._left = [block.code for block in python_blocks(page)] if blocks is None else list(blocks)
        self._replacements: dict[str, str] = {}
        self.names: dict[str, Any] = {"asyncio": asyncio, **(names or {})}

    def __getitem__(self, name: str) -> Any:
        return self.names[name]

    def replace(self, written: str, real: str) -> None:
        """Replaces a text of the next block, such as an address."""
        assert any(written in code for code in self._left), f"{self._page} does not have {written}"
        self._replacements[written] = real

    async def run_next(self) -> None:
        """Runs the next block to its end."""
        code = self._left.pop(0)
        for written, real in self._replacements.items():
            code = code.replace(written, real)
        compiled = compile(code, self._page, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        coroutine = eval(compiled, self.names)
        if coroutine is not None:
            await coroutine

    async def run(self) -> None:
        """Runs the remaining blocks."""
        while self._left:
            await self.run_next()

    async def start_next(self, name: str) -> "asyncio.Task[None]":
        """Starts a block that serves, and returns when the block has defined the name."""
        task = asyncio.create_task(self.run_next())
        await until(lambda: task.done() or name in self.names)
        if task.done():
            task.result()
        return task


@contextmanager
def page_program(page: str, names: Mapping[str, Any] | None = None) -> Iterator[PageProgram]:
    """A program that has to be run to its end."""
    program = PageProgram(page, names)
    yield program
    assert program._left == [], "Blocks of the page were not run"


def pages_with_python() -> list[str]:
    """Paths in the repository. Pages of adapters are tested with the adapters."""
    pages = [*REPOSITORY.glob("python/*.md"), *REPOSITORY.glob("docs/**/*.md")]
    paths = [str(page.relative_to(REPOSITORY)) for page in pages]
    return sorted(path for path in paths if not path.startswith("docs/adapters/") and python_blocks(path))
