"""Remote procedure calls: run, time and tune modules on other machines; see docs/rpc.md."""

from __future__ import annotations

from ..runtime.rpc.errors import RpcError
from ..runtime.rpc.functions import RemoteFunc
from ..runtime.rpc.module import RemoteBenchmarkResult, RemoteModule
from ..runtime.rpc.session import LocalSession, PopenSession, RPCSession, connect
from ..runtime.rpc.tracker_session import TrackerSession, connect_tracker

__all__ = [
    "LocalSession",
    "PopenSession",
    "RPCSession",
    "RemoteBenchmarkResult",
    "RemoteFunc",
    "RemoteModule",
    "RpcError",
    "TrackerSession",
    "connect",
    "connect_tracker",
]
