"""Settings of a server, and settings of one model, which are read from its `config.json`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from ..runtime.abi.library import LoadError
from ..runtime.errors import ArgumentError
from ..runtime.host import available_threads


@dataclass(frozen=True)
class Settings:
    """Settings of a server.

    threads: the threads of all calls together; None: as many as this process may use.
    max_body_bytes, max_requests: larger bodies get 413, more concurrent requests get 503. body_s,
    idle_s, request_s: limits in seconds: for receiving a request, for an idle connection, and from
    the whole request to its result.  drain_s: the limit for requests in progress after SIGTERM.
    drain_delay_s: the time between the failing readiness check and the end of the listening
    sockets. poll_s: interval between scans of the repository; 0: only the load API loads changes.
    trusted: paths of public keys (PEM), of which one must have signed each model.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    grpc_port: int | None = None
    threads: int | None = None
    max_body_bytes: int = 64 << 20
    max_requests: int = 1024
    max_connections: int = 4096
    max_sessions: int = 64
    session_idle_s: float = 300.0
    body_s: float = 30.0
    idle_s: float = 30.0
    request_s: float = 60.0
    drain_s: float = 30.0
    drain_delay_s: float = 0.0
    poll_s: float = 0.0
    trusted: tuple[str, ...] = ()

    @property
    def thread_budget(self) -> int:
        """Return the number of threads that all calls may use together."""
        return self.threads or available_threads()


@dataclass(frozen=True)
class ModelSettings:
    """Settings of one model.

    threads: the threads of one call; None: the budget of the server.  instances: concurrent calls.
    queue: the number of waiting requests beyond which a request gets 429.  max_batch: the rows that
    one call may combine; 1 turns dynamic batching off.  max_delay_ms: how long a request waits for
    others. versions: the number of newest versions that are served.
    """

    threads: int | None = None
    instances: int = 1
    queue: int = 256
    max_batch: int = 1
    max_delay_ms: float = 2.0
    versions: int = 1

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            is_delay = field.name == "max_delay_ms"
            allowed = (int, float) if is_delay else (int,)
            if field.name == "threads" and value is None:
                continue
            least = 0 if is_delay else 1
            if isinstance(value, bool) or not isinstance(value, allowed) or value < least:
                raise ArgumentError(
                    f"{field.name} of a served model is out of range",
                    expected=f"a number from {least} on",
                    got=repr(value),
                )

    @staticmethod
    def read(path: Path) -> ModelSettings:
        """Read `config.json`; a model without this file has the defaults.

        Errors: LoadError if the file is not JSON, or has an unknown or a wrong value.
        """
        try:
            text = path.read_text()
        except FileNotFoundError:
            return ModelSettings()
        known = [field.name for field in fields(ModelSettings)]
        try:
            given: Any = json.loads(text)
            if not isinstance(given, Mapping) or not {*given} <= {*known}:
                raise ArgumentError(
                    "the file has unknown settings", expected=", ".join(known), got=text.strip()
                )
            return ModelSettings(**given)
        except ValueError as err:  # an ArgumentError is a ValueError
            raise LoadError(f"{path} is no configuration of a model", got=err) from err
