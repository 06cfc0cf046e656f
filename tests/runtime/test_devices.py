"""Devices and their arrays: the host, a simulated device of another package, absent ones."""

from __future__ import annotations

import gc
import importlib.util
import subprocess
import sys
import threading
from pathlib import Path
from types import ModuleType
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import tilewright
from tilewright import DeviceArray, NDArray, cpu, device, nd, te
from tilewright.runtime.abi.constants import DTYPES
from tilewright.runtime.abi.ndarray import numpy_dtype
from tilewright.runtime.abi.packed import PackedFunc
from tilewright.runtime.errors import ArgumentError

from ..opencl_device import opencl_device

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "simulated_device.py"


@pytest.fixture(scope="module")
def package() -> ModuleType:
    """Return the package of a simulated device."""
    spec = importlib.util.spec_from_file_location("simulated_device", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@pytest.fixture
def npu(package: ModuleType) -> Any:
    return package.register(size_bytes=1 << 20)


@pytest.fixture(params=["cpu", "npu", "opencl"])
def either(request: pytest.FixtureRequest, package: ModuleType) -> tilewright.Device:
    if request.param == "opencl":
        return opencl_device()
    return cpu(0) if request.param == "cpu" else package.register()


@pytest.mark.parametrize("dtype", DTYPES)
def test_arrays_go_there_and_back(either: tilewright.Device, dtype: str) -> None:
    data = np.array([[0, 1, 1], [1, 0, 1]]).astype(numpy_dtype(dtype))
    array = nd.array(data, either)
    assert (array.shape, array.dtype, array.device) == ((2, 3), data.dtype, either)
    assert array.numpy().tobytes() == data.tobytes()
    again = nd.empty((2, 3), dtype, either).copyfrom(array)
    assert again.copyto(cpu(0)).numpy().tobytes() == data.tobytes()


def test_arrays_are_made_from_anything(either: tilewright.Device) -> None:
    assert nd.array([1, 2], either, "int8").numpy().tolist() == [1, 2]
    assert nd.array(nd.array([1.5]), either).numpy().tolist() == [1.5]
    assert nd.zeros((2, 2), device=either).numpy().tolist() == [[0, 0], [0, 0]]
    assert nd.zeros(3, "bfloat16", either).dtype == ml_dtypes.bfloat16
    assert nd.empty((), "bool", either).shape == ()
    assert nd.empty((0, 4), device=either).numpy().shape == (0, 4)


def test_elements_are_assigned(either: tilewright.Device) -> None:
    array = nd.zeros((2, 3), "int32", either)
    array[0] = [1, 2, 3]
    array[1, 1:] = nd.array([7, 8], either, "int32")
    assert array.numpy().tolist() == [[1, 2, 3], [0, 7, 8]]
    assert array[1].tolist() == [0, 7, 8]
    array[:] = 5
    assert array.numpy().sum() == 30
    assert len(array) == 2
    assert repr(array).startswith(f"NDArray(int32[2, 3], {either},")


def test_copies_go_between_arrays_of_all_devices(npu: tilewright.Device) -> None:
    other = device("npu", 1)
    places = [cpu(0), npu, npu, other]
    for source in places:
        for target in places:
            made = nd.empty((3,), "int64", target)
            x = nd.array(np.arange(3), source)
            assert x.copyto(made) is made
            assert made.numpy().tolist() == [0, 1, 2]
            assert x.copyto(target).device == target


def test_the_host_s_arrays_are_not_copied() -> None:
    array = nd.array([1, 2, 3])
    assert np.shares_memory(array.numpy(), array.numpy())
    assert array.numpy().ctypes.data % 64 == 0
    assert nd.from_dlpack(array).numpy().ctypes.data == array.numpy().ctypes.data


@pytest.mark.parametrize(
    ("source", "got"),
    [(np.zeros(3, np.float32), r"float32\[3\]"), (np.zeros(4), r"float64\[4\]"),
     ([1, 2], r"float32\[2\]")],
)  # fmt: skip
def test_copies_of_another_type_are_refused(
    either: tilewright.Device, source: object, got: str
) -> None:
    with pytest.raises(ArgumentError, match=rf"expected: float32\[4\]\n    got: {got}"):
        nd.empty(4, "float32", either).copyfrom(source)


def test_read_only_arrays_are_not_filled() -> None:
    array = np.zeros(2)
    array.flags.writeable = False
    with pytest.raises(ArgumentError, match="read-only"):
        NDArray(array).copyfrom([1, 2])


# -- devices -------------------------------------------------------------------------------------


def test_the_host_exists_once() -> None:
    assert cpu(0).exist
    assert not cpu(1).exist
    assert cpu(0) == device("cpu") == tilewright.Device()
    assert cpu(0).attributes["threads"] >= 1
    assert int(cpu(0).attributes["memory_bytes"]) > 1 << 20
    cpu(0).sync()


@pytest.mark.parametrize("use", ["attributes", "empty", "array", "sync"])
@pytest.mark.parametrize("absent", [device("cuda", 3), cpu(1)])
def test_absent_devices_are_refused(absent: tilewright.Device, use: str) -> None:
    uses = {
        "attributes": lambda: absent.attributes,
        "empty": lambda: nd.empty(1, device=absent),
        "array": lambda: nd.array([1], absent),
        "sync": absent.sync,
    }
    assert not absent.exist
    with pytest.raises(ArgumentError, match=rf"device {absent} does not exist here\n.*cpu \(1\)"):
        uses[use]()


def test_unknown_kinds_suggest_near_ones() -> None:
    with pytest.raises(ArgumentError, match=r"(?s)named 'cudaa'.*did you mean cuda\?"):
        device("cudaa")


def test_an_array_has_no_label_but_that_of_its_device(npu: tilewright.Device) -> None:
    for other in (npu, device("cuda"), cpu(1)):
        with pytest.raises(ArgumentError, match=f"expected: cpu:0\n    got: {other}"):
            NDArray(np.zeros(2), other)


def test_kinds_have_names_and_numbers_of_their_own(package: ModuleType) -> None:
    api = package.SimulatedDevices()
    for name, kind in (("cuda", 12), ("other", 2), ("cpu", 1), ("fpga", 1), ("npu", 99)):
        package.register()
        with pytest.raises(ArgumentError, match=rf"device kind {name} \({kind}\) has the name"):
            tilewright.register_device(name, api, kind=kind)
    with pytest.raises(ArgumentError, match="no DeviceAPI"):
        tilewright.register_device("other", object(), kind=77)  # pyright: ignore


# -- the simulated device ------------------------------------------------------------------------


def test_kernels_run_on_the_device_in_order(package: ModuleType, npu: tilewright.Device) -> None:
    a, b = te.placeholder((64,), name="A"), te.placeholder((64,), name="B")
    mod = tilewright.build([a, b, te.compute((64,), lambda i: a[i] + b[i], name="C")])
    x, y = nd.array(np.arange(64, dtype=np.float32), npu), nd.zeros(64, device=npu)
    start = threading.Event()
    npu.api.queues[0].add(start.wait)
    for _ in range(3):
        package.launch(mod["main"], x, y, z := nd.empty(64, device=npu))
        y = z
    start.set()
    np.testing.assert_array_equal(y.numpy(), 3 * np.arange(64))


def test_the_queue_reports_errors_at_the_next_wait(
    package: ModuleType, npu: tilewright.Device
) -> None:
    x = nd.zeros(4, device=npu)
    package.launch(lambda _: 1 / 0, x)
    with pytest.raises(ZeroDivisionError):
        npu.sync()
    npu.sync()
    package.launch(lambda _: 1 / 0, x)
    with pytest.raises(ZeroDivisionError):
        x.numpy()


def test_memory_is_given_back(npu: tilewright.Device) -> None:
    arrays = [nd.zeros(1000, device=npu) for _ in range(3)]
    assert npu.attributes["used_bytes"] == 12_000
    del arrays
    gc.collect()
    npu.sync()
    assert npu.attributes["used_bytes"] == 0
    with pytest.raises(MemoryError, match="do not fit"):
        nd.empty(1 << 20, device=npu)


def test_compiled_code_for_the_host_refuses_arrays_of_the_device(npu: tilewright.Device) -> None:
    a = te.placeholder((4,), name="A")
    mod = tilewright.build([a, te.compute((4,), lambda i: a[i] + 1, name="B")])
    x = nd.zeros(4, device=npu)
    with pytest.raises(
        ArgumentError,
        match="is not in CPU memory\n    expected: an array on cpu:0\n    got: an array on npu:0",
    ):
        mod(x)
    with pytest.raises(ArgumentError, match=r"argument 0 \(A\) is not in CPU memory"):
        mod["main"](x, np.zeros(4, np.float32))


def test_arrays_of_the_device_are_values(npu: tilewright.Device) -> None:
    x = nd.array([1, 2], npu)
    echo = PackedFunc.of_python(lambda value: value, "echo")
    assert echo(x) is x
    assert echo([x, 1])[0] is x
    assert echo(npu) == npu
    seen: list[tuple[bool, str]] = []
    PackedFunc.of_python(lambda v: seen.append((type(v) is DeviceArray, str(v.device))), "f")(x)
    assert seen == [(True, "npu:0")]


def test_kernels_need_a_device_that_runs_them(npu: tilewright.Device) -> None:
    with pytest.raises(ArgumentError, match="npu:0 runs no kernels"):
        tilewright.KernelProgram(npu, "", [])


@pytest.mark.parametrize("use", [np.asarray, np.from_dlpack, lambda x: np.add(x, x), abs])
def test_the_host_does_not_read_the_device_unasked(npu: tilewright.Device, use: Any) -> None:
    with pytest.raises((TypeError, BufferError, RuntimeError), match=r"npu:0|device"):
        use(nd.array([1, 2], npu))


def test_memory_that_no_library_can_share_is_not_lent(npu: tilewright.Device) -> None:
    x = nd.zeros(4, "float32", npu)
    with pytest.raises(BufferError, match="in the memory of npu:0"):
        x.__dlpack__()
    with pytest.raises(BufferError, match="memory of npu:0 cannot be borrowed"):
        nd.from_dlpack(x)


def test_the_host_faults_on_addresses_of_the_device() -> None:
    code = (
        f"import sys, ctypes; sys.path.insert(0, {str(EXAMPLE.parent)!r})\n"
        "import simulated_device, tilewright\n"
        "x = tilewright.nd.zeros(4, device=simulated_device.register())\n"
        "ctypes.string_at(x.address, 1)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == -11


def test_devices_are_made_by_the_name_of_their_kind() -> None:
    for make in (
        tilewright.cuda,
        tilewright.opencl,
        tilewright.rocm,
        tilewright.vulkan,
        tilewright.webgpu,
        cpu,
    ):
        assert make() == device(make.__name__) == make(0)
        assert make(np.int64(2)) == device(make.__name__, 2)
        assert type(make(np.int64(2)).index) is int
    assert cpu(0).attrs == cpu(0).attributes


@pytest.mark.parametrize("index", [-1, "a", None, 1.5, [0]], ids=repr)
def test_a_number_that_no_device_has_is_refused_when_it_is_made(index: Any) -> None:
    for make in (cpu, tilewright.cuda, lambda number: device("opencl", number)):
        with pytest.raises(ArgumentError, match="a device has no such index"):
            make(index)


def test_a_kind_that_is_no_name_is_refused() -> None:
    for kind in (None, 3, ["cpu"]):
        with pytest.raises(ArgumentError, match="no kind of device is named"):
            device(kind)  # pyright: ignore[reportArgumentType]
    with pytest.raises(ArgumentError, match="a device has no such kind"):
        tilewright.Device("cpu")  # pyright: ignore[reportArgumentType]
