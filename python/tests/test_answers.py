"""Answers of the service: dictionaries with attributes, and the types of both."""

import ast
import copy
import importlib
import json
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from svc import Tools
from svc.protocol.answer import Answer, to_attribute, to_key
from svc.protocol.http import InvokeResponse, SearchResponse, UnfinishedInvocation
from tests.support.repository import REPOSITORY
from tests.support.wire_server import Reply, wire_server

PAID = {"authorised": "0.05", "charged": "0.01", "currency": "USD"}
PLAIN = {"invocationId": "inv_1", "result": {"payment": {"a": [1]}}, "payment": PAID, "newField": {"b": 2}}
SEARCHED = {
    "actions": [
        {
            "action": "weather__today",
            "description": "The weather",
            "payloadSchema": {"type": "object"},
            "annotations": {"readOnly": True},
        }
    ],
    "more": [{"action": "weather__tomorrow", "mentionedBy": "weather__today"}],
}


def test_it_is_the_dictionary_that_the_service_sent() -> None:
    answer = InvokeResponse(PLAIN)
    assert isinstance(answer, dict)
    assert answer == PLAIN
    assert dict(answer) == {**answer} == PLAIN
    assert json.dumps(answer) == json.dumps(PLAIN)
    assert repr(answer) == repr(PLAIN)
    assert (lambda **members: members)(**answer) == PLAIN
    assert list(answer.items()) == list(PLAIN.items())


def test_its_members_are_attributes_and_its_result_stays_plain() -> None:
    answer = InvokeResponse(PLAIN)
    assert (answer.invocation_id, answer.result) == ("inv_1", {"payment": {"a": [1]}})
    assert answer.payment is not None
    assert answer.payment.charged == answer["payment"]["charged"] == "0.01"
    assert answer.result is PLAIN["result"]
    assert type(answer["newField"]) is dict
    assert PLAIN["payment"] is PAID


def test_the_objects_inside_have_attributes_too() -> None:
    found = SearchResponse(SEARCHED)
    assert [action.action for action in found.actions] == ["weather__today"]
    assert found["actions"][0].payload_schema == {"type": "object"}
    assert found.actions[0].annotations is not None
    assert (found.actions[0].annotations.read_only, found.actions[0].annotations.destructive) == (True, None)
    assert [action.mentioned_by for action in found.more or ()] == ["weather__today"]
    assert found == SEARCHED


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda answer: pickle.loads(pickle.dumps(answer))])
def test_a_copy_is_an_answer(copied: Any) -> None:
    again = copied(SearchResponse(SEARCHED))
    assert again == SEARCHED
    assert again.actions[0].action == "weather__today"


def test_an_absent_optional_member_reads_as_none() -> None:
    answer = InvokeResponse({"invocationId": "inv_1", "result": None})
    assert (answer.result, answer.payment, answer.content) == (None, None, None)
    with pytest.raises(KeyError):
        answer["payment"]
    with pytest.raises(AttributeError, match="InvokeResponse has no 'result': the service did not send it"):
        _ = InvokeResponse({"invocationId": "inv_1"}).result


def test_a_wrong_attribute_names_near_ones() -> None:
    answer = InvokeResponse(PLAIN)
    with pytest.raises(
        AttributeError, match="InvokeResponse has no attribute 'invocationId'; did you mean 'invocation_id'"
    ):
        _ = answer.invocationId  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match=r"has no attribute 'xyzzy'$"):
        _ = answer.xyzzy  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="Attributes are read-only"):
        answer.result = 1
    assert {"invocation_id", "payment", "result"} < set(dir(answer))


@pytest.mark.parametrize("odd", [{"actions": [1, None, "a"], "more": {}}, {"actions": [], "more": None}])
def test_members_of_another_shape_are_kept(odd: dict[str, Any]) -> None:
    assert SearchResponse(odd) == odd


async def test_the_methods_of_tools_return_answers() -> None:
    run = {"run": "run_1", "status": "running", "calls": 0}
    runs = {
        "done": {"run": "run_1", "status": "done", "result": 1, "calls": 2},
        "failed": {"run": "run_1", "status": "failed", "error": {"code": "TIMEOUT", "message": "late"}, "ran": []},
    }
    unfinished = {"invocationId": "inv_1", "status": "running"}
    bodies = [SEARCHED, PLAIN, unfinished, runs["done"], runs["failed"], run]
    async with (
        wire_server(*(Reply(body=body) for body in bodies)) as server,
        Tools("svc_agent_a", base_url=server.url) as tools,
    ):
        found = await tools.search("weather")
        assert found.actions[0].action == "weather__today"

        answer = await tools.invoke("a__b")
        assert answer.invocation_id == "inv_1"

        begun = await tools.invoke("a__b", wait=False)
        assert isinstance(begun, UnfinishedInvocation)
        assert (begun.status, begun.progress) == ("running", None)

        done, failed = await tools.run_code("return 1"), await tools.code_run("run_1")
        assert done.status == "done"
        assert (done.result, done.calls) == (1, 2)
        assert failed.status == "failed"
        assert failed.error.code == "TIMEOUT"
        assert (await tools.code_run("run_1", timeout=0.5)).status == "running"


def answer_classes(base: type[Answer] = Answer) -> Iterator[type[Answer]]:
    for subclass in base.__subclasses__():
        yield subclass
        yield from answer_classes(subclass)


def sources() -> Iterator[Path]:
    return (path for path in (REPOSITORY / "python/src/svc").rglob("*.py") if "Answer):" in path.read_text())


def test_each_key_has_the_type_of_its_attribute() -> None:
    classes: dict[str, ast.ClassDef] = {}
    for path in sources():
        importlib.import_module(".".join(path.relative_to(REPOSITORY / "python/src").with_suffix("").parts))
    for cls in answer_classes():
        path = REPOSITORY / "python/src" / (cls.__module__.replace(".", "/") + ".py")
        nodes = ast.parse(path.read_text()).body
        classes[cls.__name__] = next(
            node for node in nodes if isinstance(node, ast.ClassDef) and node.name == cls.__name__
        )
    assert len(classes) > 20
    for name, node in classes.items():
        assert keys_of(node) == types_of(node, classes), name


def types_of(node: ast.ClassDef, classes: dict[str, ast.ClassDef]) -> dict[str, str]:
    own = {
        to_key(each.target.id): ast.unparse(each.annotation).removesuffix(" | None")
        for each in node.body
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
    }
    base = node.bases[0]
    return {**(types_of(classes[base.id], classes) if isinstance(base, ast.Name) and base.id in classes else {}), **own}


def keys_of(node: ast.ClassDef) -> dict[str, str]:
    (block,) = (each for each in node.body if isinstance(each, ast.If))
    types: dict[str, str] = {}
    for method in block.body:
        assert isinstance(method, ast.FunctionDef)
        key = method.args.posonlyargs[1].annotation
        if isinstance(key, ast.Subscript):
            keys = key.slice.elts if isinstance(key.slice, ast.Tuple) else [key.slice]
            types.update(
                {ast.literal_eval(each): ast.unparse(method.returns or key).removesuffix(" | None") for each in keys}
            )
    return types


def test_names_of_members_translate_both_ways() -> None:
    for cls in answer_classes():
        names = [name for name in cls.__annotations__ if name[0] != "_"]
        assert [to_attribute(to_key(name)) for name in names] == names
        assert not set(names) & set(dir(dict)), cls
