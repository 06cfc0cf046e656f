"""Streams and events: several queues of work on one device.

    stream = DeviceStream(device("cuda", 0))
    with stream:                          # the copies, launches and calls of this thread
        y = mod(x)
        done = stream.record()
    other.wait(done)                      # later work of another stream starts after the event
    stream.sync()

Each device has a first stream, which threads use outside of ``with``. The work of one stream runs
in the order of the calls. Work of different streams has no order, unless a stream waits for an
event of another one. A kind of device with streams implements `StreamAPI`.
"""

from __future__ import annotations

import threading
import weakref
from abc import abstractmethod

from ..abi.device import Device
from ..errors import ArgumentError
from ..spelling import SuggestsNames
from .kernels import KernelAPI


class StreamPool:
    """The streams of one device.

    all: the first stream, which threads use that have entered no other one, and all others.
    idle: the streams that no object uses.
    """

    def __init__(self, first: int) -> None:
        self.all, self.idle = [first], list[int]()


class _ChosenStreams(threading.local):
    """The streams that a thread has entered, by the index of the device, innermost last."""

    def __init__(self) -> None:
        self.entered: dict[int, list[int]] = {}


class StreamAPI(KernelAPI):
    """A kind of device with streams; a thread's copies, launches and events use its current one.

    Streams and events are handles of the driver. In all methods ``index`` is the index of a device.
    """

    def __init__(self) -> None:
        self._chosen = _ChosenStreams()

    def current_stream(self, index: int) -> int:
        """Return the stream that this thread uses on a device."""
        entered = self._chosen.entered.get(index)
        return entered[-1] if entered else self.pool(index).all[0]

    def enter_stream(self, index: int, stream: int) -> None:
        """Let this thread use a stream, until `leave_stream`."""
        self._chosen.entered.setdefault(index, []).append(stream)

    def leave_stream(self, index: int) -> None:
        """Let this thread use the stream that it used before the last `enter_stream`."""
        self._chosen.entered[index].pop()

    def make_stream(self, index: int) -> int:
        """Return a stream of a device that no object uses, an idle one or a new one."""
        pool = self.pool(index)
        try:
            return pool.idle.pop()
        except IndexError:
            pool.all.append(self.new_stream(index))
            return pool.all[-1]

    def drop_stream(self, index: int, stream: int) -> None:
        """Take back a stream, for a later `make_stream`; its queued work goes on."""
        self.pool(index).idle.append(stream)

    @abstractmethod
    def pool(self, index: int) -> StreamPool:
        """Return the streams of a device."""

    @abstractmethod
    def new_stream(self, index: int) -> int:
        """Return a new stream of a device."""

    @abstractmethod
    def sync_stream(self, index: int, stream: int) -> None:
        """Wait until all work of a stream has ended."""

    @abstractmethod
    def wait_for(self, index: int, stream: int, event: int) -> None:
        """Let later work of a stream wait for an event; the host does not wait.

        event: a result of `record`.
        """

    @abstractmethod
    def sync_event(self, index: int, event: int) -> None:
        """Wait until an event has taken place."""

    @abstractmethod
    def elapsed_s(self, index: int, first: int, last: int) -> float:
        """Return the seconds between two events, which have taken place."""

    @abstractmethod
    def drop_event(self, index: int, event: int) -> None:
        """Free an event."""


class DeviceEvent(SuggestsNames):
    """A point in the work of a stream; `DeviceStream.record` makes it."""

    def __init__(self, device: Device, api: StreamAPI) -> None:
        self.device, self._api = device, api
        self.handle = api.record(device.index)
        """The driver's handle of the event."""
        weakref.finalize(self, api.drop_event, device.index, self.handle).atexit = False

    def sync(self) -> None:
        """Wait until the work before the event has ended."""
        self._api.sync_event(self.device.index, self.handle)

    def elapsed_s(self, since: DeviceEvent) -> float:
        """Wait for the event; return the seconds on the device since an earlier event.

        since: an event of the same device.

        Errors: ArgumentError for an event of another device.
        """
        _check_device(since, self.device)
        self.sync()
        return self._api.elapsed_s(self.device.index, since.handle, self.handle)


class DeviceStream(SuggestsNames):
    """A stream of a device; work that is queued in the stream outlives this object.

    Errors: ArgumentError if the device does not exist, or has no streams.
    """

    def __init__(self, device: Device) -> None:
        api = device.checked()
        if not isinstance(api, StreamAPI):
            raise ArgumentError(
                f"device {device} has no streams",
                expected="a device of CUDA, ROCm or OpenCL",
                got=device,
                hint="its work runs in the order of the calls; device.sync() waits for the work",
            )
        self.device, self._api = device, api
        self.handle = api.make_stream(device.index)
        """The driver's handle of the stream."""
        weakref.finalize(self, api.drop_stream, device.index, self.handle).atexit = False

    def __enter__(self) -> DeviceStream:
        self._api.enter_stream(self.device.index, self.handle)
        return self

    def __exit__(self, *raised: object) -> None:
        self._api.leave_stream(self.device.index)

    def sync(self) -> None:
        """Wait until all work of the stream has ended."""
        self._api.sync_stream(self.device.index, self.handle)

    def record(self) -> DeviceEvent:
        """Return an event that takes place when the work queued in the stream so far has ended."""
        with self:
            return DeviceEvent(self.device, self._api)

    def wait(self, event: DeviceEvent) -> None:
        """Let later work of this stream wait for an event; the host does not wait.

        Errors: ArgumentError for an event of another device.
        """
        _check_device(event, self.device)
        self._api.wait_for(self.device.index, self.handle, event.handle)


def _check_device(event: DeviceEvent, device: Device) -> None:
    if event.device != device:
        raise ArgumentError(
            "an event belongs to another device",
            expected=device,
            got=event.device,
            hint="wait for the event on the host: event.sync()",
        )
