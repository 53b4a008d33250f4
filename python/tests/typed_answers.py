"""The types of answers and of ``SyncTools``: mypy and pyright fail for an ignored line that has no error."""

from typing import Any, assert_type

from svc import InvokeResponse, SearchResponse, SyncTools, Tools, UnfinishedInvocation
from svc.tools import CallPayment, DoneRun, FailedRun, FoundAction, MoreAction, RunningRun, WaitingRun


async def answers_of_tools(tools: Tools) -> None:
    found = await tools.search("weather")
    assert_type(found, SearchResponse)
    assert_type(found.actions, list[FoundAction])
    assert_type(found["actions"][0].action, str)
    assert_type(found.actions[0]["action"], str)
    assert_type(found.more, list[MoreAction] | None)
    run = await tools.run_code("return 1")
    assert_type(run, DoneRun | FailedRun | WaitingRun | RunningRun)
    if run.status == "done":
        assert_type(run.calls, int)


def answers_of_sync_tools(tools: SyncTools) -> None:
    answer = tools.for_user("ann").invoke("weather__today", {"city": "Rome"}, timeout=5)
    assert_type(answer, InvokeResponse)
    assert_type(answer.invocation_id, str)
    assert_type(answer["invocationId"], str)
    assert_type(answer.result, Any)
    assert_type(answer.payment, CallPayment | None)
    assert_type(answer["payment"].charged, str)
    assert_type(answer["newField"], object)
    assert_type(dict(answer), dict[str, Any])
    print(answer.invocationId)  # type: ignore
    assert_type(tools.invoke("films__render", wait=bool(answer)), InvokeResponse | UnfinishedInvocation)
    with SyncTools("svc_agent_a", base_url="http://svc.test") as own:
        own.search(1)  # type: ignore
        own.search("weather", most=1)  # type: ignore
    SyncTools(address="http://svc.test")  # type: ignore
