"""The direction of imports: no module imports itself through others, not even inside a function or for a type."""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from tests.support.repository import REPOSITORY

SOURCES = REPOSITORY / "python" / "src"


def test_no_module_imports_itself_through_others() -> None:
    modules = {_name_of(path): path for path in SOURCES.rglob("*.py")}
    assert _circle_in({name: _imports_of(path, modules) for name, path in modules.items()}) == []


def test_a_circle_of_imports_is_found_wherever_the_import_is(tmp_path: Path) -> None:
    texts = {
        "a": "if TYPE_CHECKING:\n    from b import B",
        "b": "def later():\n    import c",
        "c": "from a import A",
        "d": "import a",
    }
    modules = {name: tmp_path / f"{name}.py" for name in texts}
    for name, path in modules.items():
        path.write_text(texts[name])
    assert set(_circle_in({name: _imports_of(path, modules) for name, path in modules.items()})) == {"a", "b", "c"}


def _circle_in(imports: dict[str, set[str]]) -> list[str]:
    """The modules of one circle, each imported by the next; empty if there is none."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def _imports_of(path: Path, modules: dict[str, Path]) -> set[str]:
    """Modules of this package that the file imports, at any place in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom):
            # The linter refuses relative imports. A package's member is a module or a name of its `__init__`.
            module = node.module or ""
            members = [f"{module}.{each.name}" for each in node.names]
            names |= {member if member in modules else module for member in members}
    return names & modules.keys()


def _name_of(path: Path) -> str:
    parts = path.relative_to(SOURCES).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
