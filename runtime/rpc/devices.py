"""Devices of another process, as kinds of devices of this process.

    device = remote.cpu(0)                       a Device, whose kind belongs to the session
    x = nd.array(numbers, device)                allocates and fills memory in the other process

In: a session and a kind of its devices. Out: a `DeviceAPI`, whose addresses are handles of memory.
"""

from __future__ import annotations

import ctypes
import json
from collections.abc import Mapping
from functools import cached_property
from itertools import count
from typing import Any

from ..abi.device import Device, DeviceAPI, register_device, unregister_device
from .host import Host

_KINDS = 128
"""The numbers of kinds of one session: DLPack's numbers are smaller."""
_sessions = count(1)


class RemoteDevices(DeviceAPI):
    """The devices of one kind in another process.

    host: the other process.  kind: DLPack's number of the kind there.
    """

    needs = "the server has no device of this kind"

    def __init__(self, host: Host, kind: int) -> None:
        self._host, self._kind = host, kind

    @cached_property
    def _known(self) -> list[Mapping[str, int | str]]:
        return json.loads(self._host.devices(self._kind)[1])

    def count(self) -> int:
        """Return the number of devices of the kind in the other process."""
        return len(self._known)

    def attributes(self, index: int) -> Mapping[str, int | str]:
        """Return the properties of a device, as the other process reports them."""
        return self._known[index]

    def sync(self, index: int) -> None:
        """Wait until a device has done all queued work."""
        self._host.synchronize(self._kind, index)

    def allocate(self, index: int, size_bytes: int) -> int:
        """Return a handle of new memory."""
        return self._host.allocate(self._kind, index, size_bytes)

    def free(self, index: int, address: int) -> None:
        """Free memory; if the host is another process, the next request sends the message."""
        self._host.drop_later("free", address)

    def write(self, index: int, address: int, host: int, size_bytes: int) -> None:
        """Copy memory of this process to memory of the other process."""
        self._host.write(address, 0, _memory(host, size_bytes))

    def read(self, index: int, address: int, host: int, size_bytes: int) -> None:
        """Copy memory of the other process to memory of this process."""
        self._host.read_into(address, 0, _memory(host, size_bytes))

    def copy(self, index: int, target: int, source: int, size_bytes: int) -> None:
        """Copy memory within the other process."""
        self._host.copy(target, 0, source, 0, size_bytes)


class SessionDevices:
    """The kinds of devices of a session, which are registered in this process until `close`.

    In this process, such a kind has another number than in the other process: the sum of that
    number and a number of the session.
    """

    def __init__(self, host: Host) -> None:
        self._host, self._number = host, next(_sessions)
        self._kinds: set[int] = set()

    def device(self, local: Device) -> Device:
        """Return the session's device for a device of the other process.

        local: the kind and index by which the other process names the device.
        """
        kind = _KINDS * self._number + local.kind
        if local.kind not in self._kinds:
            name = f"rpc{self._number}-{str(local).partition(':')[0]}"
            register_device(name, RemoteDevices(self._host, local.kind), kind=kind)
            self._kinds.add(local.kind)
        return Device(kind, local.index)

    def has(self, device: Device) -> bool:
        """Return whether a device belongs to the session."""
        return device.kind // _KINDS == self._number

    def local(self, device: Device) -> Device | None:
        """Return the kind and index by which the other process names a device of the session.

        Return None for a device that does not belong to the session.
        """
        number, kind = divmod(device.kind, _KINDS)
        return Device(kind, device.index) if number == self._number else None

    def close(self) -> None:
        """Unregister the session's kinds of devices in this process."""
        for kind in self._kinds:
            unregister_device(_KINDS * self._number + kind)


def _memory(address: int, size_bytes: int) -> memoryview:
    block: Any = (ctypes.c_char * size_bytes).from_address(address) if size_bytes else b""
    return memoryview(block).cast("B")
