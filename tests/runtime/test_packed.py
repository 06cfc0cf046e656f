"""Packed functions: the values of each kind that cross the C ABI, and those that cannot."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
import pytest

import tilewright
from tilewright import te
from tilewright.codegen.linker import link
from tilewright.codegen.llvm import compile_ir
from tilewright.runtime.abi.constants import DataType, DLTensor, TypeIndex, Value
from tilewright.runtime.abi.library import Library
from tilewright.runtime.abi.ndarray import NDArray
from tilewright.runtime.abi.packed import PackedFunc
from tilewright.runtime.errors import ArgumentError, KernelError, error_channel

from .models import MACHINE

FUNCTIONS = """
%value = type { i32, i32, i64 }
define i32 @__tvm_ffi_echo(ptr %self, ptr %args, i32 %n, ptr %result) {
  %v = load %value, ptr %args
  store %value %v, ptr %result
  ret i32 0
}
define i32 @__tvm_ffi_kind(ptr %self, ptr %args, i32 %n, ptr %result) {
  %v = load i32, ptr %args
  %w = sext i32 %v to i64
  store i32 1, ptr %result
  %at = getelementptr %value, ptr %result, i32 0, i32 2
  store i64 %w, ptr %at
  ret i32 0
}
define i32 @__tvm_ffi_other(ptr %self, ptr %args, i32 %n, ptr %result) {
  store i32 7, ptr %result
  %at = getelementptr %value, ptr %result, i32 0, i32 2
  store ptr %args, ptr %at
  ret i32 0
}
define i32 @__tvm_ffi_raise(ptr %self, ptr %args, i32 %n, ptr %result) {
  %at = getelementptr %value, ptr %args, i32 0, i32 2
  %report = load ptr, ptr %at
  %next = getelementptr %value, ptr %args, i32 1, i32 2
  %kind = load ptr, ptr %next
  call void %report(ptr %kind, ptr %kind)
  ret i32 -1
}
define i32 @__tvm_ffi_five(ptr %self, ptr %args, i32 %n, ptr %result) {
  %at = getelementptr %value, ptr %args, i32 1, i32 2
  %tensor = load ptr, ptr %at
  %data = load ptr, ptr %tensor
  store float 5.0, ptr %data
  ret i32 0
}
define i32 @__tvm_ffi_fail(ptr %self, ptr %args, i32 %n, ptr %result) { ret i32 -1 }
"""


@pytest.fixture(scope="module")
def library() -> Library:
    return Library(link([compile_ir(FUNCTIONS, MACHINE)]))


def test_layouts_are_those_of_the_c_abi():
    assert ctypes.sizeof(Value) == 16
    assert Value.payload.offset == 8
    assert ctypes.sizeof(DLTensor) == 48
    assert (DLTensor.ndim.offset, DLTensor.dtype.offset, DLTensor.byte_offset.offset) == (
        16,
        20,
        40,
    )
    assert ctypes.sizeof(DataType) == 4


@pytest.mark.parametrize(
    "value",
    [None, True, False, 0, -1, 2**63 - 1, -(2**63), 1.5, "", "short", "seven77", "long ü text"],
)
def test_plain_values_go_there_and_back(library, value):
    result = PackedFunc.of_library(library, "__tvm_ffi_echo", "echo")(value, 1)
    assert result == value
    assert type(result) is type(value)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (np.zeros(3), TypeIndex.TENSOR_PTR),
        (NDArray(np.zeros(3)), TypeIndex.TENSOR_PTR),
        (b"bytes", TypeIndex.BYTES_PTR),
        ("short", TypeIndex.SMALL_STR),
        ("eight888", TypeIndex.RAW_STR),
    ],
)
def test_values_arrive_with_their_kind(library, value, kind):
    assert PackedFunc.of_library(library, "__tvm_ffi_kind", "kind")(value) == kind


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (2**63, "echo: argument 1 does not fit 64 bits"),
        (np.zeros(2, "U3"), "data type that cannot be passed"),
        (np.zeros(2, ">i4"), "data type that cannot be passed"),
        (np.zeros(2, np.dtype([("a", "i1"), ("b", "i4")]))["b"], "strides"),
    ],
)
def test_a_value_that_cannot_be_passed_is_named(library, value, message):
    with pytest.raises(ArgumentError, match=message):
        PackedFunc.of_library(library, "__tvm_ffi_echo", "echo")(1, value)


def test_a_failure_without_a_report_is_an_error_all_the_same(library):
    error_channel().take("an error that another test left in a host of this process")
    with pytest.raises(RuntimeError, match="fail failed with status -1"):
        PackedFunc.of_library(library, "__tvm_ffi_fail", "fail")()


@pytest.mark.parametrize(
    "kind",
    [TypeError, ValueError, IndexError, KeyError, AttributeError, AssertionError, MemoryError,
     RuntimeError, NotImplementedError],
)  # fmt: skip
def test_errors_of_compiled_code_keep_their_kind_and_message(library, kind):
    report = ctypes.c_void_p(error_channel().address)
    with pytest.raises(kind, match=kind.__name__):
        PackedFunc.of_library(library, "__tvm_ffi_raise", "raise")(report, kind.__name__)


def test_errors_of_an_unknown_kind_name_it(library):
    report = ctypes.c_void_p(error_channel().address)
    with pytest.raises(KernelError, match="OtherError: OtherError"):
        PackedFunc.of_library(library, "__tvm_ffi_raise", "raise")(report, "OtherError")


def test_a_tensor_of_an_argument_is_returned_as_the_argument(library):
    array = NDArray(np.zeros(1))
    assert PackedFunc.of_library(library, "__tvm_ffi_echo", "echo")(array) is array


def test_a_tensor_without_an_owner_cannot_be_returned(library):
    with pytest.raises(TypeError, match="type index 7"):
        PackedFunc.of_library(library, "__tvm_ffi_other", "other")(np.zeros(1), 7)


class OnDevice:
    def __dlpack__(self):
        raise AssertionError("must not be asked")

    def __dlpack_device__(self):
        return (2, 0)


def test_tensors_of_other_devices_are_refused(library):
    with pytest.raises(ArgumentError, match="not in CPU memory"):
        PackedFunc.of_library(library, "__tvm_ffi_kind", "kind")(OnDevice())


def test_what_is_read_only_stays_so_in_a_python_function(tmp_path: Path) -> None:
    """Test also memory that faults on writes: a file mapped for reading."""
    np.save(tmp_path / "x.npy", np.arange(4, dtype=np.float32))
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")

    def write(x: NDArray, y: NDArray) -> None:
        assert y.numpy().flags.writeable
        x.numpy()[0] = 1

    function = PackedFunc.of_python(write, "write")
    code = PackedFunc(function.code[0], "the same, through its code", alive=function)
    for call in (function, code):
        with pytest.raises(ValueError, match="read-only"):
            call(mapped, np.zeros(4))
    function(np.array(mapped), np.zeros(4))
    shown = PackedFunc.of_python(lambda x: x, "same")(mapped[::-1])
    np.testing.assert_array_equal(shown.numpy(), [3, 2, 1, 0])
    shown.numpy()[0] = 5


def test_inputs_stay_read_only_in_functions_that_a_module_calls() -> None:
    seen: list[bool] = []

    def keep(x: NDArray, y: NDArray) -> None:
        seen.extend([x.numpy().flags.writeable, y.numpy().flags.writeable])
        y.numpy()[...] = x.numpy()

    tilewright.register_func("packed.keep", keep)
    x = te.placeholder((4,), name="X")
    y = te.extern(x.shape, [x], lambda i, o: te.call_packed("packed.keep", i[0], o[0]), name="Y")
    made = tilewright.build([x, y], cache=False)
    given = np.arange(4, dtype=np.float32)
    made(given)
    given.flags.writeable = False
    np.testing.assert_array_equal(made(given).numpy(), given)
    assert seen == [True, True, False, True]
    tilewright.remove_global_func("packed.keep")


def test_modules_call_registered_functions_of_other_code(library: Library) -> None:
    five = PackedFunc.of_library(library, "__tvm_ffi_five", "five")
    tilewright.register_func("packed.five", five)
    assert tilewright.get_global_func("packed.five") is five
    x = te.placeholder((1,), name="X")
    y = te.extern((1,), [x], lambda i, o: te.call_packed("packed.five", i[0], o[0]), name="Y")
    made = tilewright.build([x, y], cache=False)
    tilewright.remove_global_func("packed.five")
    assert made(np.zeros(1, np.float32)).numpy() == 5
