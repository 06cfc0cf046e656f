"""Sessions: upload modules to another process, and run them there.

    remote = rpc.connect("127.0.0.1", 9090, token="…")
    remote.upload("m.tar")
    module = remote.load_module("m.tar")
    y = module(x)

    LocalSession()       the same in this process
    PopenSession()       in a new process, which a crash of a kernel may end

In: an address, or nothing. Out: an `RPCSession`, whose devices, arrays, modules and functions are
those of the other process.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from ..abi.device import Device, device
from ..module.exported_files import named_weights_file
from .addresses import Address, dialed, is_local_socket, local_channel
from .channels import PipeChannel
from .connection import Connection
from .functions import RemoteFunc
from .host import Host
from .local_host import LocalHost
from .module import RemoteModule
from .remote_host import RemoteHost

_WAIT_MS = 20_000
"""How long a proxy waits for a server that becomes free."""


class RPCSession:
    """A session with a host, which provides its files, devices, modules and functions.

    It is a context manager, which closes the session.
    """

    def __init__(self, host: Host) -> None:
        self._host, self._connection = host, Connection(host)

    @property
    def facts(self) -> Mapping[str, Any]:
        """The server's description of itself: processor, limits, and what its sandbox lacks."""
        return self._host.facts if isinstance(self._host, RemoteHost) else {}

    def upload(
        self,
        data: str | PathLike[str] | bytes,
        target: str | None = None,
        *,
        progress: Callable[[int, int], None] | None = None,
    ) -> str:
        """Send a file to the session; return the name of the file there.

        If ``data`` is the path of a library that keeps its weights in a file next to it, this
        weights file is sent, too, under its own name.
        data: the path of the file, or its contents as bytes.
        target: the name of the file in the session; by default the name of the path, or ``module``
        for bytes.
        progress: a function that is called with the number of bytes sent so far, and the number of
        all bytes.

        Errors: OSError for a file that cannot be read; ArgumentError for a name with a folder.
        """
        if isinstance(data, bytes):
            return self._send(target or "module", data, progress)
        path = Path(data)
        if weights := named_weights_file(path):
            self._send(weights, path.with_name(weights).read_bytes(), progress)
        return self._send(target or path.name, path.read_bytes(), progress)

    def _send(self, name: str, data: bytes, progress: Callable[[int, int], None] | None) -> str:
        self._host.upload(name, 0, data, progress)
        return name

    def download(self, path: str) -> bytearray:
        """Return the contents of a file of the session.

        Errors: UnknownFunction, a KeyError, if there is no such file.
        """
        return bytearray(self._host.download(path, 0, self._host.file_size(path)))

    def remove(self, path: str) -> None:
        """Remove a file of the session.

        Errors: UnknownFunction, a KeyError, if there is no such file.
        """
        self._host.remove(path)

    def load_module(self, path: str, *, threads: int | None = None) -> RemoteModule:
        """Load an uploaded library or archive in the other process; return its module.

        threads: the number of threads of calls; None: all that the other process may use.

        Errors: LoadError for a file with wrong digests, or that the processor cannot run.
        """
        handle, manifest = self._host.load(path, threads or 0)
        return RemoteModule.of_handle(self._connection, handle, manifest)

    def get_function(self, name: str) -> RemoteFunc:
        """Return a global function of the other process.

        Errors: UnknownFunction, a KeyError, if no function has the name.
        """
        return RemoteFunc.of_handle(self._connection, self._host.find(0, name), name)

    def device(self, kind: str, index: int = 0) -> Device:
        """Return a device of the other process by the name of its kind; it need not exist."""
        return self._connection.devices.device(device(kind, index))

    def cpu(self, index: int = 0) -> Device:
        """Return the device for the processors of the other machine."""
        return self.device("cpu", index)

    def cuda(self, index: int = 0) -> Device:
        """Return a GPU of NVIDIA in the other machine."""
        return self.device("cuda", index)

    def opencl(self, index: int = 0) -> Device:
        """Return a device of the OpenCL drivers of the other machine."""
        return self.device("opencl", index)

    @property
    def is_open(self) -> bool:
        """Whether the session can still send requests."""
        return not isinstance(self._host, RemoteHost) or self._host.is_open

    def round_trip_s(self) -> float:
        """Measure the round-trip time of the connection in seconds: the shortest of some pings."""
        return self._connection.round_trip_s()

    def close(self) -> None:
        """End the session: its memory, files and modules are freed."""
        self._connection.devices.close()
        if isinstance(self._host, RemoteHost):
            self._host.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class LocalSession(RPCSession):
    """A session in this process, for programs that may also run without a server."""

    def __init__(self) -> None:
        super().__init__(LocalHost())


class PopenSession(RPCSession):
    """A session in a new process of this machine; a crash of that process ends nothing else.

    command: a server that uses its standard streams as the connection; by default the Python
    server.
    """

    def __init__(self, command: Sequence[str] | None = None) -> None:
        own = (sys.executable, "-m", "tilewright.rpc_server", "--stdio")
        super().__init__(RemoteHost(PipeChannel.of_command([*(command or own)])))


def connect(
    url: str,
    port: int = 0,
    key: str = "",
    session_timeout: float = 0,
    *,
    token: str = "",
    authority: str = "",
) -> RPCSession:
    """Begin a session with a server.

    url: a host, ``HOST:PORT``, or ``unix:`` and the path of a socket, of a server or of a proxy.
    key: the name under which a proxy knows the server. session_timeout: the longest duration of the
    session in seconds; 0: what the server allows. token: the secret of the server; without one,
    only servers on this machine accept clients. authority: a file of certificates, one of which
    must have signed the certificate of a proxy; it may be this certificate. The connection is then
    encrypted.

    Errors: RpcError if there is no server, or it refuses the token; UnknownFunction, a KeyError,
    if no server waits at the proxy for the key.
    """
    return RPCSession(
        host_at(Address.of(url, port), key, token, timeout_s=session_timeout, authority=authority)
    )


def host_at(
    address: Address, key: str, token: str, *, timeout_s: float = 0, authority: str = ""
) -> RemoteHost:
    """Begin a session with a server, or with a server that waits at a proxy; return its host.

    A session by TCP with a server on this machine moves to a Unix socket, which is faster.

    key: the name under which a proxy knows the server, unless the address contains one.  token: the
    secret of the server.  timeout_s: the longest duration of the session; 0: what the server
    allows. authority: a file of certificates, as for `connect`.

    Errors: those of `connect`.
    """
    with dialed(address, "tw rpc-server", authority) as channel:
        host = RemoteHost(channel, key=key, token=token, timeout_s=timeout_s)
        if host.facts["server"] == "proxy":
            try:
                host.request("attach", address.waiting or key, _WAIT_MS)
            except BaseException:
                host.close()
                raise
            host = RemoteHost(channel, key=key, token=token, timeout_s=timeout_s)
            return host
    name = host.facts.get("local")
    if not (name and address.is_own and is_local_socket(name)):
        return host
    channel.finish()  # so that the server has room for the next session
    host.close()
    return RemoteHost(local_channel(name), key=key, token=token, timeout_s=timeout_s)
