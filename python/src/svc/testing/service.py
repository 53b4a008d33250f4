"""The real service as a process on a free port of this machine.

Errors: RuntimeError with the output of the command if it does not start.
"""

import os
import shlex
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from svc.protocol.environment import from_environment
from svc.protocol.json_text import from_json

#: Seconds. The first `npx` downloads the package.
_START_TIME = 120.0
_STOP_TIME = 30.0


class LocalService:
    """A running service with its own data directory.

    Attributes:
        url: for ``base_url`` or ``SVC_BASE_URL``; the same after ``start()``.
    """

    def __init__(self, command: Sequence[str], options: Sequence[str], data: Path) -> None:
        self._command = list(command)
        self._options = list(options)
        self._data = data
        self._process: subprocess.Popen[str] | None = None
        self.url = ""

    def start(self) -> None:
        """Starts the service; a restart uses the same port and data."""
        port = self.url.rpartition(":")[2] or "0"
        serve = ["serve", "--json", "--port", port, "--data", str(self._data), *self._options]
        with tempfile.TemporaryFile("w+") as errors:
            process = subprocess.Popen(
                [*self._command, *serve], stdout=subprocess.PIPE, stderr=errors, text=True, start_new_session=True
            )
            self._process = process
            watchdog = threading.Timer(_START_TIME, self.kill)
            watchdog.start()
            ready = _read_json(process)
            watchdog.cancel()
            if ready is None:
                self.kill()
                errors.seek(0)
                raise RuntimeError(f"{shlex.join(self._command)} serve did not start: {errors.read().strip()}")
        self.url = ready["url"]

    def create_key(self, kind: Literal["agent", "toolkit", "admin"], name: str, *options: str) -> str:
        """A new key.

        Args:
            kind: ``agent``, ``toolkit`` or ``admin``.
            name: of a toolkit key also the id of its toolkit.
            options: further options of ``svc-service keys create``, such as ``--budget-per-call``, ``0.10``.
        """
        create = ["keys", "create", "--kind", kind, "--name", name, "--data", str(self._data), *options]
        made = subprocess.run([*self._command, *create], capture_output=True, text=True, check=False)
        if made.returncode != 0:
            raise RuntimeError(f"svc-service keys create failed: {made.stderr.strip()}")
        return made.stdout.strip()

    def stop(self) -> None:
        """Stops the service gracefully: running calls may end."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """Kills the service like a crash. The data stay."""
        self._end(signal.SIGKILL if os.name == "posix" else signal.SIGTERM)

    def _end(self, sent: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        # `npx` does not forward a signal, so its whole process group is signalled.
        if os.name == "posix" and process.poll() is None:
            os.killpg(process.pid, sent)
        elif process.poll() is None:
            process.send_signal(sent)
        try:
            process.wait(_STOP_TIME)
        finally:
            if process.stdout:
                process.stdout.close()


@contextmanager
def start_service(command: Sequence[str] | None = None, options: Sequence[str] = ()) -> Iterator[LocalService]:
    """A service for a test.

    Args:
        command: how to call ``svc-service``. Default: the variable ``SVC_COMMAND``, then ``npx svc-service``.
        options: further options of ``svc-service serve``, such as ``--limit``, ``queueLength=9``.
    """
    if command is None:
        command = shlex.split(from_environment("SVC_COMMAND") or "npx svc-service")
    with tempfile.TemporaryDirectory(prefix="svc-testing-") as folder:
        service = LocalService(command, options, Path(folder) / "data")
        service.start()
        try:
            yield service
        finally:
            service.kill()


def _read_json(process: "subprocess.Popen[str]") -> Any:
    """The first JSON value that the process prints; None if it ends without one."""
    printed = ""
    for line in process.stdout or ():
        printed += line
        try:
            return from_json(printed)
        except ValueError:
            continue
    return None
