import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from svc.testing import LocalService, start_service
from tests.client.fake_platform import FakePlatform, FakeProcess
from tests.docs.stage import Stage
from tests.support.repository import COMMAND, NODE, REPOSITORY


@pytest.fixture(scope="session")
def service() -> Iterator[LocalService]:
    """A separate service for the pages, because other tests use the names of their toolkits."""
    with start_service(COMMAND, ["--log-level", "silent"]) as running:
        yield running


@pytest.fixture(scope="session")
def model_url() -> Iterator[str]:
    """The scripted model of examples/."""
    command = [NODE, "examples/scripted-model.ts"]
    with subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        yield process.stdout.readline().split()[-1]
        process.kill()


@pytest.fixture(scope="session")
def whole_stage(service: LocalService, model_url: str) -> Stage:
    return Stage(service, model_url)


@pytest.fixture
def stage(whole_stage: Stage, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Stage:
    """The stage, with its variables in the environment and an empty working directory."""
    for name, value in whole_stage.environment().items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("SVC_COMMAND", " ".join(COMMAND))
    monkeypatch.chdir(tmp_path)
    return whole_stage


@pytest.fixture(scope="session")
def fake_process() -> Iterator[FakeProcess]:
    process = FakeProcess()
    yield process
    process.close()


@pytest.fixture
def open_fake(fake_process: FakeProcess) -> Callable[..., FakePlatform]:
    return lambda platform, **options: FakePlatform(fake_process, platform, **options)
