"""Uses the installed package, outside of the repository: `npm run check:python` runs it in an empty environment."""

import importlib.metadata
import importlib.resources
from pathlib import Path

import svc

MOST_PACKAGES = 10
#: The size of all packages, without pip's bytecode.
MOST_BYTES = 4_000_000
SOURCES = Path(__file__).parents[2] / "src"

installed = [each for each in importlib.metadata.distributions() if each.metadata["name"] not in ("pip", "setuptools")]
names = {each.metadata["name"] for each in installed}
assert len(names) <= MOST_PACKAGES, names
files = [file for each in installed for file in each.files or () if file.suffix != ".pyc"]
size = sum(Path(str(file.locate())).stat().st_size for file in files)
assert size <= MOST_BYTES, f"{size} bytes in {sorted(names)}"
own = {str(file) for file in importlib.metadata.distribution("svc-sdk").files or ()}
assert any(name.endswith("licenses/LICENSE") for name in own), own
missing = {
    str(path.relative_to(SOURCES)) for path in SOURCES.rglob("*") if path.is_file() and path.suffix != ".pyc"
} - own
assert not missing, missing
print(f"{len(names)} packages, {size / 1e6:.1f} MB")
assert svc.__version__ == importlib.metadata.version("svc-sdk")
assert importlib.resources.files("svc").joinpath("py.typed").is_file()
assert [tool["name"] for tool in svc.Tools().definitions()] == ["search_services", "invoke_service"]
toolkit = svc.Toolkit("svc_toolkit_x")
toolkit.action(action="a", action_description="A")(lambda ctx: 1)
assert importlib.import_module("websockets").__version__
assert importlib.import_module("httpx2").__version__
