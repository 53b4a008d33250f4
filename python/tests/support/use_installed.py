"""Uses the installed package, outside of the repository: `npm run check:python` runs it in an empty environment."""

import importlib.metadata
import importlib.resources

import svc

MOST_PACKAGES = 10

names = {each.metadata["name"] for each in importlib.metadata.distributions()} - {"pip", "setuptools"}
assert len(names) <= MOST_PACKAGES, names
assert svc.__version__ == importlib.metadata.version("svc-sdk")
assert importlib.resources.files("svc").joinpath("py.typed").is_file()
assert [tool["name"] for tool in svc.Tools().definitions()] == ["search_services", "invoke_service"]
toolkit = svc.Toolkit("svc_toolkit_x")
toolkit.action(action="a", action_description="A")(lambda ctx: 1)
assert importlib.import_module("websockets").__version__
assert importlib.import_module("httpx2").__version__
