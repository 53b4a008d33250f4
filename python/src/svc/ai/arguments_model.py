"""Arguments for frameworks that take a pydantic model in place of a JSON Schema."""

from copy import deepcopy

from pydantic import BaseModel, ConfigDict

from svc.protocol.http import JsonSchema


class AnyArguments(BaseModel):
    """Accepts all arguments: the service corrects small mistakes that a schema refuses, and explains the other mistakes
    better.
    """

    model_config = ConfigDict(extra="allow")


def arguments_model(name: str, parameters: JsonSchema) -> type[AnyArguments]:
    """A pydantic model with exactly this JSON Schema."""

    def model_json_schema(*args: object, **kwargs: object) -> JsonSchema:
        return deepcopy(parameters)

    return type(name, (AnyArguments,), {"__module__": __name__, "model_json_schema": staticmethod(model_json_schema)})
