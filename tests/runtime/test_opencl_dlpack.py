"""DLPack of arrays on OpenCL devices: memory is lent and borrowed as buffers with offsets."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest

import tilewright
from tilewright import Device, DeviceArray, nd, te
from tilewright.runtime.abi.capsules import capsule_of, dense_tensor, tensor_in
from tilewright.runtime.abi.constants import DeviceType

from ..opencl_device import opencl_device


@pytest.fixture
def gpu() -> Device:
    return opencl_device()


class Foreign:
    """A tensor of another library: what it names as data, an offset, steps in elements."""

    def __init__(self, alive: Any, data: int, shape: tuple[int, ...], **facts: Any) -> None:
        self._alive, self._data, self._shape = alive, data, shape
        self._steps = facts.get("steps", [1] * len(shape))
        self._offset_bytes = facts.get("offset_bytes", 0)
        self.returned = 0

    def __dlpack_device__(self) -> tuple[int, int]:
        return (DeviceType.OPENCL, 0)

    def __dlpack__(self, *, stream: int | None = None) -> Any:
        tensor, sizes = dense_tensor(self._data, self._shape, self._steps, "float32")
        tensor.byte_offset = self._offset_bytes
        tensor.device.kind = DeviceType.OPENCL
        return capsule_of(tensor, (self, sizes))


def lent(array: Any) -> tuple[int, int]:
    """Return what a capsule of an array names as data, and its offset."""
    capsule = array.__dlpack__(stream=None)
    tensor = tensor_in(capsule)
    assert (tensor.device.kind, tensor.device.index) == (DeviceType.OPENCL, 0)
    return tensor.data or 0, tensor.byte_offset


def floats(*shape: int) -> np.ndarray:
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)


def test_memory_goes_from_array_to_array(gpu: Device) -> None:
    x = nd.array(floats(3, 4), gpu)
    y = nd.from_dlpack(x)
    assert isinstance(y, DeviceArray)
    assert (y.device, y.address, y.shape, y.dtype) == (gpu, x.address, x.shape, x.dtype)
    y[0] = 7
    np.testing.assert_array_equal(x.numpy()[0], [7] * 4)
    del x
    gc.collect()
    np.testing.assert_array_equal(y.numpy()[1:], floats(3, 4)[1:])


def test_a_capsule_names_the_buffer_of_the_driver(gpu: Device) -> None:
    x, y = nd.array(floats(4), gpu), nd.array(floats(4), gpu)
    (data, offset), (other, _) = lent(x), lent(y)
    assert data not in (x.address, other)
    assert (data, offset) == lent(nd.from_dlpack(x)) == (data, 0)


@pytest.mark.parametrize("first", [0, 3, 128])
def test_a_tensor_may_begin_inside_a_buffer(gpu: Device, first: int) -> None:
    """Kernels take starts at any multiple of the element, too."""
    x = nd.array(floats(256), gpu)
    part = Foreign(x, lent(x)[0], (64,), offset_bytes=4 * first)
    y = nd.from_dlpack(part)
    np.testing.assert_array_equal(y.numpy(), floats(256)[first : first + 64])
    assert lent(y)[1] == 4 * first
    a = te.placeholder((64,), name="A")
    mod = tilewright.build([a, te.compute((64,), lambda i: a[i] + 1, name="B")], target="opencl")
    made = mod(part)
    assert made.device == gpu
    np.testing.assert_array_equal(made.numpy(), floats(256)[first : first + 64] + 1)


def test_a_buffer_of_another_context_is_refused(gpu: Device) -> None:
    cl = pytest.importorskip("pyopencl")
    context = cl.Context(cl.get_platforms()[0].get_devices()[:1])
    buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE, 64)
    with pytest.raises(BufferError, match=r"no buffer of this process's OpenCL context(?s:.*)copy"):
        nd.from_dlpack(Foreign(buffer, buffer.int_ptr, (4,)))


def test_tensors_that_leave_their_buffer_or_have_gaps_are_refused(gpu: Device) -> None:
    x = nd.array(floats(8), gpu)
    data = lent(x)[0]
    for facts in ({"offset_bytes": 4}, {"offset_bytes": 64}):
        with pytest.raises(BufferError, match="no buffer of this process"):
            nd.from_dlpack(Foreign(x, data, (8,), **facts))
    with pytest.raises(BufferError, match="not stored row by row"):
        nd.from_dlpack(Foreign(x, data, (4,), steps=[2]))


def test_a_freed_buffer_is_not_known(gpu: Device) -> None:
    x = nd.array(floats(8), gpu)
    foreign = Foreign(None, lent(x)[0], (8,))
    del x
    gc.collect()
    with pytest.raises(BufferError, match="no buffer of this process"):
        nd.from_dlpack(foreign)


def test_other_libraries_get_an_error_that_says_what_to_do(gpu: Device) -> None:
    x = nd.array(floats(4), gpu)
    message = r"in the memory of opencl:0(?s:.*)x.numpy\(\)"
    with pytest.raises(BufferError, match=message):
        np.from_dlpack(x)
    with pytest.raises(BufferError, match=message):
        x.__dlpack__(stream=None, dl_device=(DeviceType.CPU, 0))
