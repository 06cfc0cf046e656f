"""Global functions, and values of every kind through the C ABI in both directions."""

from __future__ import annotations

import ctypes
import gc
import traceback

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tilewright
from tilewright.codegen.linker import link
from tilewright.codegen.llvm import compile_ir
from tilewright.runtime.abi.constants import DTYPES, DeviceType
from tilewright.runtime.abi.library import Library
from tilewright.runtime.abi.ndarray import Device, NDArray, numpy_dtype
from tilewright.runtime.abi.objects import object_table
from tilewright.runtime.abi.packed import PackedFunc
from tilewright.runtime.errors import ArgumentError

from .models import MACHINE

# call: f(x) of its first argument, a function object, on its second one.
CALL = """
%value = type { i32, i32, i64 }
define i32 @__tvm_ffi_call(ptr %self, ptr %args, i32 %n, ptr %result) {
  %at = getelementptr %value, ptr %args, i32 0, i32 2
  %object = load ptr, ptr %at
  %slot = getelementptr i8, ptr %object, i64 24
  %function = load ptr, ptr %slot
  %rest = getelementptr %value, ptr %args, i32 1
  %left = sub i32 %n, 1
  %status = call i32 %function(ptr %object, ptr %rest, i32 %left, ptr %result)
  ret i32 %status
}
"""


@pytest.fixture(scope="module")
def call() -> PackedFunc:
    """Return a compiled function that calls its first argument on the others."""
    library = Library(link([compile_ir(CALL, MACHINE)]))
    return PackedFunc.of_library(library, "__tvm_ffi_call", "call")


def remove_all_functions():
    for name in tilewright.list_global_func_names():
        tilewright.remove_global_func(name)


@pytest.fixture(autouse=True)
def registers_no_other_functions():
    remove_all_functions()  # tests of other files register functions
    yield
    remove_all_functions()


def identity(x):
    return x


def test_functions_are_registered_found_listed_and_removed():
    @tilewright.register_func("test.add")
    def add(x, y):
        return x + y

    @tilewright.register_func
    def named(x):
        return x

    assert tilewright.list_global_func_names() == ["named", "test.add"]
    assert add(1, 2) == tilewright.get_global_func("test.add")(1, 2) == 3
    assert named(1) == 1
    tilewright.remove_global_func("test.add")
    assert tilewright.list_global_func_names() == ["named"]


def test_an_unknown_name_suggests_near_ones():
    tilewright.register_func("test.scale", identity)
    with pytest.raises(KeyError, match=r"'test.scal'\n    hint: did you mean test.scale\?"):
        tilewright.get_global_func("test.scal")
    wanted = r"'zzz'\n    expected: test.scale\n    hint: register it with register_func$"
    with pytest.raises(KeyError, match=wanted):
        tilewright.remove_global_func("zzz")


def test_an_unknown_name_lists_what_is_registered():
    for number in range(12):
        tilewright.register_func(f"many.{number:02}", identity)
    with pytest.raises(KeyError) as caught:
        tilewright.get_global_func("zzz")
    assert "expected: many.00, many.01" in str(caught.value)
    assert ", many.07, … (12 in all)" in str(caught.value)
    with pytest.raises(TypeError, match=r"is a text(?s:.*)got: NoneType None"):
        tilewright.get_global_func(None)  # pyright: ignore


def test_echo_returns_every_kind_of_value():
    echo = tilewright.get_global_func("testing.echo")
    for value in (*VALUES, *TEXTS, [*TEXTS], tilewright.cpu(0), np.dtype("int8"), (1, "a\0b")):
        result = echo(value)
        assert result == value
        assert type(result) is type(value)
    for value in (echo, len, identity, {}, object(), NDArray(np.zeros(2)), tilewright):
        assert echo(value) is value
    array = np.zeros(3)
    assert np.shares_memory(echo(array).numpy(), array)
    assert "testing.echo" not in tilewright.list_global_func_names()


def test_a_taken_name_needs_override():
    tilewright.register_func("f", identity)
    with pytest.raises(ValueError, match="override=True"):
        tilewright.register_func("f", lambda x: 2)
    tilewright.register_func("f", lambda x: 2, override=True)
    assert tilewright.get_global_func("f")(0) == 2


@pytest.mark.parametrize(("name", "function"), [("", identity), (3, identity), ("f", 3)])
def test_what_is_no_function_or_name_is_refused(name, function):
    with pytest.raises((TypeError, ValueError), match="global function"):
        tilewright.register_func(name, function)


TEXTS = ["\0", "a\0b", "seven\0\0", "\0 a longer text \0 with null characters\0"]
VALUES = [
    *TEXTS, b"\0", b"a\0 longer than seven bytes\0",
    None, True, False, 0, -5, 2**63 - 1, 1.5, "", "short", "seven77", "a longer text ü", b"",
    b"\0b", b"longer than seven", np.dtype("float32"), np.dtype(ml_dtypes.bfloat16),
    Device(DeviceType.CUDA, 2),
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_values_reach_python_functions_and_come_back(call, value):
    seen = []

    def note(x):
        seen.append(x)
        return x

    result = call(note, value)
    assert result == seen[0] == value
    assert type(result) is type(seen[0]) is type(value)


@pytest.mark.parametrize(
    ("given", "expected"),
    [(np.float32(1.5), 1.5), (np.int8(-3), -3), (np.bool_(True), True), (np.uint64(7), 7),
     (ml_dtypes.bfloat16(2), 2.0), (np.float16(0.5), 0.5), (np.int16, np.dtype("int16"))],
)  # fmt: skip
def test_numpy_scalars_and_types_become_plain_values(call, given, expected):
    result = call(identity, given)
    assert result == expected
    assert type(result) is type(expected)


@pytest.mark.parametrize("dtype", DTYPES)
def test_arrays_of_every_dtype_are_passed_on_their_own_memory(call, dtype):
    array = np.zeros((2, 3), numpy_dtype(dtype))

    def fill(x):
        assert isinstance(x, NDArray)
        assert (x.shape, x.dtype) == ((2, 3), array.dtype)
        x.numpy()[1, 2] = 1

    call(fill, array)
    assert array[1, 2] == array.dtype.type(1)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "bool", "complex64"])
def test_returned_arrays_own_their_memory(call, dtype):
    gc.collect()  # objects of earlier tests
    count = len(object_table())
    result = call(lambda: np.arange(6).reshape(2, 3).astype(numpy_dtype(dtype)))
    view = result.numpy()[1:]
    del result
    gc.collect()
    assert len(object_table()) > count
    np.testing.assert_array_equal(view.astype(complex), np.array([[3, 4, 5]], dtype).astype(complex)
                                  if dtype != "bfloat16" else [[3, 4, 5]])  # fmt: skip
    del view
    gc.collect()
    assert len(object_table()) <= count


@given(
    st.lists(st.integers(0, 4), max_size=4),
    st.lists(st.sampled_from([1, 2, -1, -2]), min_size=4, max_size=4),
)
def test_strided_and_empty_views_are_passed_as_they_are(shape, steps):
    base = np.arange(np.prod([2 * n + 1 for n in shape]), dtype=np.int32)
    base = base.reshape([2 * n + 1 for n in shape])
    view = base[(*(slice(None, None, steps[i]) for i in range(len(shape))), ...)]
    echo = PackedFunc.of_python(lambda x: np.array(x.numpy()), "echo")
    np.testing.assert_array_equal(echo(view).numpy(), view)


def test_functions_are_values(call):
    inner = call(lambda: lambda x: x + 1)
    assert inner(3) == 4
    assert call(inner, 4) == 5
    assert call(call, call, identity, 6) == 6
    assert call(lambda f: f(2), lambda x: 10 * x) == 20


def test_objects_go_when_nobody_refers_to_them(call):
    gc.collect()
    count = len(object_table())
    for _ in range(5):
        call(identity, "a long text that needs an object")
        call(identity, np.ones(3))
        call(lambda: identity)(1)
    gc.collect()
    assert len(object_table()) <= count + 1


class Broken(Exception):
    """An exception type that no runtime knows."""


def raiser(x):
    raise Broken(f"no {x}")


def test_exceptions_come_out_as_themselves_with_both_tracebacks(call):
    with pytest.raises(Broken, match="no 3") as caught:
        call(raiser, 3)
    names = [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert names[0] == "test_exceptions_come_out_as_themselves_with_both_tracebacks"
    assert names[-1] == "raiser"
    assert call(identity, 1) == 1


@pytest.mark.parametrize("exception", [KeyboardInterrupt, SystemExit, MemoryError, StopIteration])
def test_interrupts_cross_too(call, exception):
    def stop():
        raise exception

    with pytest.raises(exception):
        call(stop)


def test_an_inner_failure_may_be_handled_by_python(call):
    def careful():
        try:
            call(raiser, 1)
        except Broken:
            return "handled"

    assert call(careful) == "handled"


@pytest.mark.parametrize(
    ("value", "where"),
    [(2**63, ""), ([1, 2**63], r"\[1\]"), (((np.zeros(1, "U3"),),), r"\[0\]\[0\]")],
)
def test_what_cannot_be_passed_is_named(call, value, where):
    count = len(object_table())
    with pytest.raises(ArgumentError, match=f"call: argument 1{where} "):
        call(identity, value)
    with pytest.raises(ArgumentError, match=f"the result of call: argument 0{where} "):
        call(lambda: value)
    gc.collect()
    assert len(object_table()) <= count


def test_opaque_pointers_keep_their_value(call):
    assert call(lambda p: p.value, ctypes.c_void_p(4096)) == 4096
