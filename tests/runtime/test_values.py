"""Values of every kind through packed functions, keep type and identity; also through tvm-ffi.

apache-tvm-ffi is an independent implementation of the ABI: its functions are called by ours, and
call ours.
"""

from __future__ import annotations

import ctypes
import gc
import traceback
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import tvm_ffi
from xdsl.dialects.builtin import ModuleOp, i32

import tilewright
from tilewright import Shape, te
from tilewright.runtime.abi.constants import DeviceType, PackedCFunction
from tilewright.runtime.abi.ndarray import Device, NDArray
from tilewright.runtime.abi.objects import object_table
from tilewright.runtime.abi.packed import PackedFunc
from tilewright.runtime.errors import KernelError


def identity(x: object) -> object:
    return x


def ours(function: tvm_ffi.Function) -> PackedFunc:
    """Return a function of tvm-ffi as one of ours."""
    address: int = function.__chandle__()
    object_table().retain(address)
    return PackedFunc.of_object(address)


@pytest.fixture(scope="module")
def mlp() -> tilewright.Module:
    x = te.placeholder((4,), name="X")
    return tilewright.build([x, te.compute((4,), lambda i: x[i] + 1, name="Y")])


@pytest.fixture(params=["registered", "tvm_ffi in C++", "tvm_ffi in Python"])
def echo(request: pytest.FixtureRequest) -> Iterator[PackedFunc]:
    """Return functions that return their argument."""
    if request.param == "registered":
        tilewright.register_func("test.echo", identity)
        yield tilewright.get_global_func("test.echo")
        tilewright.remove_global_func("test.echo")
    elif request.param == "tvm_ffi in C++":
        yield ours(tvm_ffi.get_global_func("testing.echo"))
    else:
        yield ours(tvm_ffi.convert(identity))


PLAIN = [
    None, True, False, 0, -7, 2**63 - 1, -(2**63), 0.5, float("inf"), "", "short", "a longer ü",
    b"", b"\0", b"longer than seven", np.dtype("int8"), np.dtype("bool"),
    np.dtype(ml_dtypes.bfloat16), np.dtype(ml_dtypes.float8_e4m3fn), Device(),
    Device(DeviceType.CUDA, 3), Shape((2, 3)), Shape(()),
]  # fmt: skip


@pytest.mark.parametrize("value", PLAIN, ids=repr)
def test_plain_values_keep_type_and_value(echo: PackedFunc, value: object) -> None:
    result = echo(value)
    assert result == value
    assert type(result) is type(value)


@pytest.mark.parametrize(
    "value",
    [{"a": [1]}, {1}, 1j, object(), i32, ModuleOp([]), int, range(3), KeyError("x")],
    ids=lambda value: type(value).__name__,
)
def test_other_objects_are_passed_as_themselves(
    echo: PackedFunc, value: object, request: pytest.FixtureRequest
) -> None:
    is_read = "tvm_ffi in Python" in request.node.name and isinstance(value, (dict, type, KeyError))
    if is_read:
        pytest.skip("Python functions of tvm-ffi return a value of another kind")
    assert echo(value) is value


def test_ir_and_modules_are_passed_as_themselves(
    echo: PackedFunc, mlp: Any, request: pytest.FixtureRequest
) -> None:
    x = te.placeholder((4,), name="X")
    schedule = te.create_schedule(te.compute((4,), lambda i: x[i]))
    # Python functions of tvm-ffi return anything that can be called as a function.
    echo = PackedFunc.of_python(identity, "echo") if "Python" in request.node.name else echo
    for value in (x, te.var("n"), te.reduce_axis((0, 4)), schedule, mlp):
        assert echo(value) is value


@pytest.mark.parametrize("text", ["\0", "a\0b", "\0 longer than seven bytes \0", "seven\0\0"])
def test_texts_with_null_characters_keep_their_length(echo: PackedFunc, text: str) -> None:
    count = len(object_table())
    for value in (text, text.encode(), [text, text.encode()]):
        assert echo(value) == value
    assert len(object_table()) <= count


@pytest.mark.parametrize("function", [identity, len, [].append, partial(identity, 1)])
def test_functions_come_back_as_themselves(echo: PackedFunc, function: object) -> None:
    assert echo(function) is function


def test_packed_functions_come_back_as_themselves(echo: PackedFunc, mlp: Any) -> None:
    for function in (echo, mlp["main"], PackedFunc.of_python(identity, "identity")):
        assert echo(function) is function


def test_arrays_keep_their_memory(echo: PackedFunc) -> None:
    array = np.arange(12, dtype=np.float32).reshape(3, 4)
    for given in (array, NDArray(array), array[:, ::2]):
        result = echo(given)
        assert isinstance(result, NDArray)
        assert result.numpy().ctypes.data == array.ctypes.data
        assert result.shape == given.shape
    wrapped = NDArray(array)
    assert PackedFunc.of_python(identity, "identity")(wrapped) is wrapped


def test_results_on_memory_of_an_argument_live_as_long_as_they_are_used(echo: PackedFunc) -> None:
    result = echo(np.arange(100_000))
    gc.collect()
    other = np.full(100_000, -1)
    np.testing.assert_array_equal(result, np.arange(100_000))
    assert other[0] == -1


SEQUENCES = [
    [], (), [1, 2.5, "three"], (1, (2, [3, b"four"])), [None, True], (np.dtype("int8"), Device()),
    [Shape((1,)), "a longer text"], ({"a": 1}, identity),
]  # fmt: skip


@pytest.mark.parametrize("value", SEQUENCES, ids=range(len(SEQUENCES)))
def test_sequences_keep_their_elements(echo: PackedFunc, value: object) -> None:
    before = len(object_table())
    result = echo(value)
    assert result == value
    assert type(result) is type(value)
    gc.collect()
    assert len(object_table()) <= before


def test_arrays_in_sequences_keep_their_memory(echo: PackedFunc) -> None:
    arrays = [np.arange(3), np.ones((2, 2))]
    for result, given in zip(echo(arrays), arrays, strict=True):
        assert result.numpy().ctypes.data == given.ctypes.data
    before = len(object_table())
    kept = echo([np.arange(50_000)])
    gc.collect()
    np.testing.assert_array_equal(kept[0], np.arange(50_000))
    del kept
    gc.collect()
    assert len(object_table()) <= before


def test_read_only_arrays_stay_so_in_sequences() -> None:
    array = np.arange(3)
    array.flags.writeable = False
    seen: list[bool] = []

    def look(arrays: list[NDArray]) -> None:
        seen.append(arrays[0].numpy().flags.writeable)

    PackedFunc.of_python(look, "look")([array])
    assert seen == [False]


def test_functions_return_tuples() -> None:
    @tilewright.register_func("test.divmod", override=True)
    def divided(x: int, y: int) -> tuple[int, int]:
        return divmod(x, y)

    assert tilewright.get_global_func("test.divmod")(7, 3) == (2, 1)
    tilewright.remove_global_func("test.divmod")


# -- the same values, as tvm-ffi sees them ---------------------------------------------------------


def seen_by_tvm_ffi(value: object) -> object:
    """Return what a Python function of tvm-ffi receives for a value that we pass."""
    seen: list[object] = []
    ours(tvm_ffi.convert(seen.append))(value)
    return seen[0]


def test_tvm_ffi_reads_our_values() -> None:
    plain: list[object] = [None, True, 5, 2.5, "short", "a longer text", b"bytes, longer"]
    for value in plain:
        assert seen_by_tvm_ffi(value) == value
    assert seen_by_tvm_ffi(np.dtype("int8")) == tvm_ffi.dtype("int8")
    assert seen_by_tvm_ffi(Device(DeviceType.CUDA, 1)) == tvm_ffi.device("cuda", 1)
    assert seen_by_tvm_ffi(Shape((2, 3))) == tvm_ffi.Shape((2, 3))
    array = np.arange(6, dtype=np.int16).reshape(2, 3)
    got = np.from_dlpack(seen_by_tvm_ffi([array])[0])
    assert got.ctypes.data == array.ctypes.data
    assert list(seen_by_tvm_ffi((1, "a", (2,)))[2]) == [2]
    assert type(seen_by_tvm_ffi((1,))) is tvm_ffi.Array
    assert type(seen_by_tvm_ffi([1])) is tvm_ffi.List
    anything = object()
    assert seen_by_tvm_ffi(anything) is anything


def given_by_tvm_ffi(value: object) -> object:
    """Return what a Python function of ours receives for a value that tvm-ffi passes."""
    seen: list[object] = []
    function = seen_by_tvm_ffi(PackedFunc.of_python(seen.append, "append"))
    assert isinstance(function, tvm_ffi.Function)
    function(value)
    return seen[0]


def test_we_read_the_values_of_tvm_ffi() -> None:
    for value in (None, True, 5, 2.5, "short", "a longer text", b"bytes, longer"):
        assert given_by_tvm_ffi(value) == value
    assert given_by_tvm_ffi(tvm_ffi.dtype("float16")) == np.float16
    assert given_by_tvm_ffi(tvm_ffi.device("cuda", 1)) == Device(DeviceType.CUDA, 1)
    assert given_by_tvm_ffi(tvm_ffi.Shape((4, 5))) == Shape((4, 5))
    assert given_by_tvm_ffi([1, (2, "x")]) == (1, (2, "x"))
    assert given_by_tvm_ffi(tvm_ffi.List([1, 2])) == [1, 2]
    assert given_by_tvm_ffi(tvm_ffi.convert(lambda x: x + 1))(3) == 4
    array = np.arange(3)
    assert given_by_tvm_ffi(tvm_ffi.from_dlpack(array)).numpy().ctypes.data == array.ctypes.data


def test_a_list_that_tvm_ffi_changes_is_released_once() -> None:
    before = len(object_table())

    def extend(values: tvm_ffi.List) -> tvm_ffi.List:
        values[0] = "another long text"
        for number in range(100):
            values.append(number)
        return values

    result = ours(tvm_ffi.convert(extend))(["a long text, on the heap", identity])
    assert result[0] == "another long text"
    assert result[2:] == list(range(100))
    assert result[1] is identity
    del result
    gc.collect()
    assert len(object_table()) <= before


def test_maps_of_tvm_ffi_are_refused() -> None:
    with pytest.raises(TypeError, match="argument 0 of append is a value of type index 72"):
        given_by_tvm_ffi({"a": 1})


# -- errors ----------------------------------------------------------------------------------------

KINDS = [TypeError, ValueError, IndexError, KeyError, AttributeError, AssertionError, MemoryError]


def failing(kind: type[Exception]) -> Callable[[], None]:
    def fail() -> None:
        raise kind("the reason")

    return fail


@pytest.mark.parametrize("kind", KINDS)
def test_errors_of_tvm_ffi_keep_kind_message_and_traceback(kind: type[Exception]) -> None:
    with pytest.raises(kind, match="the reason") as caught:
        ours(tvm_ffi.convert(failing(kind)))()
    assert "in fail" in caught.value.__notes__[0]
    assert caught.traceback[0].name == "test_errors_of_tvm_ffi_keep_kind_message_and_traceback"


@pytest.mark.parametrize("kind", KINDS)
def test_our_errors_keep_kind_message_and_traceback_in_tvm_ffi(kind: type[Exception]) -> None:
    function = seen_by_tvm_ffi(PackedFunc.of_python(failing(kind), "fail"))
    assert isinstance(function, tvm_ffi.Function)
    with pytest.raises(kind, match="the reason") as caught:
        function()
    assert "fail" in [f.name for f in traceback.extract_tb(caught.value.__traceback__)]


def test_an_exception_through_tvm_ffi_is_the_same_exception() -> None:
    class OwnError(Exception):
        pass

    error = OwnError("the reason")

    def fail() -> None:
        raise error

    call = ours(tvm_ffi.convert(lambda f: f()))
    with pytest.raises(OwnError) as caught:
        call(PackedFunc.of_python(fail, "fail"))
    assert caught.value is error
    assert ours(tvm_ffi.get_global_func("testing.echo"))(1) == 1


def test_opaque_pointers_keep_their_value(echo: PackedFunc) -> None:
    assert echo(ctypes.c_void_p(4096)).value == 4096


def test_a_failure_without_an_error_has_no_error_of_an_earlier_call() -> None:
    @PackedCFunction
    def fails(_self: object, _args: object, _count: int, _result: object) -> int:
        return -1

    address = ctypes.cast(fails, ctypes.c_void_p).value
    function = PackedFunc(address or 0, "silent", alive=fails)
    ctypes.CDLL(None).TVMFFIErrorSetRaisedFromCStr(b"KeyError", b"of an earlier call")
    with pytest.raises(KernelError, match="silent failed with status -1"):
        function()
