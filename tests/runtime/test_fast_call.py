"""Fast calls equal the same calls in Python: results, errors, references."""

from __future__ import annotations

import gc
import re
import sys
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import onnx.parser
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tilewright
from tilewright import te
from tilewright.runtime.abi import fast_call
from tilewright.runtime.abi.fast_call import FastCalls
from tilewright.runtime.abi.ndarray import NDArray
from tilewright.runtime.abi.packed import PackedFunc
from tilewright.runtime.call import output_buffers
from tilewright.runtime.module.module import Module
from tilewright.testing import models

NATIVE = Path(__file__).parents[2] / "runtime" / "native"
SHAPE = (3, 4)


def built(dtype: str = "float32") -> Module:
    a = te.placeholder(SHAPE, dtype, name="a")
    b = te.placeholder(SHAPE, dtype, name="b")
    total = te.compute(SHAPE, lambda i, j: a[i, j] + b[i, j], name="total")
    half = te.compute(SHAPE, lambda i, j: a[i, j] - b[i, j], name="difference")
    return tilewright.build([a, b, total, half], name="both", threads=1)


MODULE = built()


def numbers(start: float = 0, dtype: str = "float32") -> np.ndarray[Any, Any]:
    return (np.arange(12).reshape(SHAPE) + start).astype(dtype)


def test_a_module_is_bound_to_machine_code():
    assert type(MODULE) is not tilewright.CompiledModule
    assert isinstance(MODULE, tilewright.CompiledModule)
    assert type(MODULE).__name__ == "CompiledModule"


def test_python_and_c_have_the_same_numbers():
    names = {
        "TW_DTYPES": fast_call._DTYPES,
        "TW_EXCHANGES": fast_call._EXCHANGES,
        "TW_KEPT_MEMORIES": output_buffers.KEPT_MEMORIES,
        "REUSED_BYTES": output_buffers._REUSED_BYTES,
        "MOST_SPARE": output_buffers._MOST_SPARE,
    }
    text = "".join((NATIVE / name).read_text() for name in ("python.h", "python.c"))
    found = re.findall(r"\b([A-Z_]+) = (\d+)(?: << (\d+))?[,\s]", text)
    in_c = {name: int(number) << int(shift or 0) for name, number, shift in found}
    assert {name: in_c.get(name) for name in names} == names


def test_results_are_new_and_aligned():
    a, b = numbers(), numbers(5)
    first, second = MODULE(a, b), MODULE(a, b)
    assert isinstance(first, tuple)
    for got, wanted in zip(first, (a + b, a - b), strict=True):
        assert isinstance(got, NDArray)
        np.testing.assert_array_equal(got.numpy(), wanted)
        assert got.numpy().flags.writeable
        assert got.numpy().flags.c_contiguous
        assert got.numpy().__array_interface__["data"][0] % 64 == 0
    assert isinstance(second, tuple)
    assert not np.shares_memory(np.asarray(first[0]), np.asarray(second[0]))


def test_outputs_are_filled():
    a, b, total, difference = numbers(), numbers(2), numbers(), numbers()
    assert MODULE(a, b, total, NDArray(difference)) is None
    np.testing.assert_array_equal(total, a + b)
    np.testing.assert_array_equal(difference, a - b)


def test_one_result_is_no_tuple():
    x = te.placeholder(SHAPE, name="x")
    module = tilewright.build([x, te.compute(SHAPE, lambda i, j: x[i, j] * 2, name="y")])
    result = module(NDArray(numbers()))
    assert isinstance(result, NDArray)
    np.testing.assert_array_equal(result.numpy(), numbers() * 2)


def test_tensors_of_the_exchange_api_are_read_in_place():
    tvm_ffi = pytest.importorskip("tvm_ffi", reason="needs apache-tvm-ffi")
    a, b, total, difference = numbers(), numbers(2), numbers(), numbers()
    given = [tvm_ffi.from_dlpack(each) for each in (a, b, total, difference)]
    MODULE(*given)  # learns the type
    total[:] = 0
    assert MODULE(*given) is None
    np.testing.assert_array_equal(total, a + b)


_ARRAYS = {
    "right": numbers,
    "tensor": lambda: NDArray(numbers()),
    "read-only": lambda: _read_only(numbers()),
    "reversed": lambda: numbers()[::-1],
    "transposed": lambda: np.asfortranarray(numbers()),
    "strided": lambda: np.zeros((3, 8), np.float32)[:, ::2],
    "unaligned": lambda: np.zeros(49, np.uint8)[1:].view(np.float32).reshape(SHAPE),
    "big-endian": lambda: numbers(dtype=">f4"),
    "float64": lambda: numbers(dtype="float64"),
    "int32": lambda: numbers(dtype="int32"),
    "bool": lambda: numbers(dtype="bool"),
    "subclass": lambda: numbers().view(np.matrix),
    "short": lambda: np.zeros((3, 3), np.float32),
    "flat": lambda: np.zeros(12, np.float32),
    "empty": lambda: np.zeros((0, 4), np.float32),
    "scalar": lambda: np.float32(3),
    "list": lambda: numbers().tolist(),
    "none": lambda: None,
    "int": lambda: 3,
    "text": lambda: "x",
}


def _read_only(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    array.flags.writeable = False
    return array


def outcome(call: Any, arguments: list[Any]) -> tuple[str, list[Any]]:
    """Return the error of a call, or its results and what its arguments hold afterwards."""
    try:
        made = call(*arguments)
    except Exception as err:  # the kinds of errors are what the test compares
        return f"{type(err).__name__}: {err}", []
    results = made if isinstance(made, tuple) else (made,)
    held = [each for each in (*results, *arguments) if isinstance(each, (np.ndarray, NDArray))]
    return "", [np.array(each) for each in held]


@given(st.lists(st.sampled_from(sorted(_ARRAYS)), max_size=6))
def test_any_arguments_have_the_outcome_of_the_call_in_python(kinds):
    fast = outcome(MODULE, [_ARRAYS[kind]() for kind in kinds])
    slow = outcome(
        lambda *given: tilewright.CompiledModule.__call__(MODULE, *given),
        [_ARRAYS[kind]() for kind in kinds],
    )
    assert fast[0] == slow[0]
    for got, wanted in zip(fast[1], slow[1], strict=True):
        np.testing.assert_array_equal(got, wanted)


def test_names_are_taken():
    a, b = numbers(), numbers(2)
    total, _ = MODULE(b=b, a=a)
    np.testing.assert_array_equal(np.asarray(total), a + b)
    total, _ = MODULE(a, b=b)
    np.testing.assert_array_equal(np.asarray(total), a + b)


def test_calls_keep_no_references():
    a, b, total, difference = numbers(), numbers(2), numbers(), numbers()
    held = [a, b, total, a.dtype, MODULE, None]
    for _ in range(10):
        MODULE(a, b)
    before = [sys.getrefcount(each) for each in held]
    for _ in range(1000):
        MODULE(a, b)
        MODULE(a, b, total, difference)
        with pytest.raises(TypeError):
            MODULE(a, b[:2])
    after = [sys.getrefcount(each) for each in held]
    assert max(y - x for x, y in zip(before, after, strict=True)) < 50, (before, after)


def test_a_module_is_freed_without_the_garbage_collector():
    module = built()
    gone = weakref.ref(module)
    module(numbers(), numbers())
    gc.disable()
    try:
        del module
        assert gone() is None
    finally:
        gc.enable()


def test_threads_call_at_once():
    def work(_: int) -> None:
        for start in range(200):
            total, _ = MODULE(numbers(start), numbers(1))
            if not (np.asarray(total) == numbers(start) + numbers(1)).all():
                wrong.append(start)

    wrong: list[int] = []
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(work, range(4)))
    assert not wrong


def test_other_layouts_are_noticed(monkeypatch):
    assert fast_call._layouts_fit()
    monkeypatch.setattr(fast_call, "_HEAD_BYTES", 32)
    assert FastCalls.of(MODULE._library) is None


def test_symbolic_sizes_are_found_without_python():
    rows = te.var("rows", "int64")
    x = te.placeholder((rows, 4), name="x")
    y = te.compute((rows, 4), lambda i, j: x[i, j] * 2, name="y")
    module = tilewright.build([x, y], threads=1)
    for count in (1, 7, 3, 7):
        given = np.ones((count, 4), np.float32)
        result = module(given)
        assert isinstance(result, NDArray)
        np.testing.assert_array_equal(result.numpy(), given * 2)
        np.testing.assert_array_equal(module(x=given), given * 2)
        for inputs in ({"x": given}, [given]):
            (result,) = module.run(inputs)
            np.testing.assert_array_equal(result, given * 2)
    assert not module._layouts
    module(np.ones((300_000, 4), np.float32))
    assert not module._layouts
    for wrong in (np.ones((3, 5), np.float32), np.ones(3, np.float32)):
        got = outcome(module, [wrong])
        assert got == outcome(
            lambda each: tilewright.CompiledModule.__call__(module, each), [wrong]
        )
        assert got[0]


@pytest.mark.parametrize("named", [False, True], ids=["machine", "python"])
def test_large_outputs_use_memory_again_when_nobody_holds_it(named: bool):
    rows = te.var("rows", "int64")
    x = te.placeholder((rows, 4), name="x")
    y = te.compute((rows, 4), lambda i, j: x[i, j] * 2, name="y")
    module = tilewright.build([x, y], threads=1)

    def called(count: int, value: float) -> np.ndarray[Any, Any]:
        inputs = np.full((count, 4), value, np.float32)
        results = module.run([inputs], threads=2) if named else (module(inputs),)
        return np.asarray(results[0])

    def place(array: np.ndarray[Any, Any]) -> int:
        return array.__array_interface__["data"][0]

    held = [called(20_000 + n, n) for n in range(5)]
    assert len({place(array) for array in held}) == 5
    assert all((array == 2 * n).all() for n, array in enumerate(held))
    part, first = held[-1][:, 1:], place(held[-1])
    del held
    others = {place(called(count, 1)) for count in (19_000, 20_000, 21_000, 10_000)}
    assert len(others) == 1
    assert first not in others
    assert (part == 8).all()


def found_positions() -> tilewright.CompiledModule:
    """Return a module with two outputs whose sizes follow from elements."""
    text = """
        <ir_version: 10, opset_import: ["": 21]>
        find (float[n] x) => (int64[1, k] at, float[k] y) <int64[1] flat = {-1}> {
          at = NonZero (x)  f = Reshape (at, flat)  y = Gather (x, f)
        }"""
    return tilewright.compile(onnx.parser.parse_model(text), threads=1, cache=False)


def test_computed_sizes_are_allocated_without_python(monkeypatch: pytest.MonkeyPatch):
    module = found_positions()
    inputs = [np.arange(count, dtype=np.float32) % 3 for count in (1, 7, 100, 7)]
    wanted = [module.run([x], threads=2) for x in inputs]  # another number of threads: in Python
    monkeypatch.setattr(type(module), "_run_allocating", None)
    for x, (at, y) in zip(inputs, wanted, strict=True):
        results = module(x)
        assert isinstance(results, tuple)
        np.testing.assert_array_equal(results[0], np.array(np.nonzero(x)))
        np.testing.assert_array_equal(results[0], at)
        np.testing.assert_array_equal(results[1], y)
        np.testing.assert_array_equal(results[1], x[x != 0])
        assert results[1].numpy().__array_interface__["data"][0] % 64 == 0


def test_large_outputs_of_computed_sizes_are_allocated_without_python():
    module, x = found_positions(), np.ones(600_000, np.float32)
    for part in (x, x[:5], x):
        results = module(part)
        assert isinstance(results, tuple)
        np.testing.assert_array_equal(results[1], part)
    assert not module._layouts


def test_a_wrong_call_of_computed_sizes_has_the_error_of_python():
    module = found_positions()
    for wrong in (np.ones((3, 5), np.float32), np.float32(1)):
        got = outcome(module, [wrong])
        assert got == outcome(
            lambda each: tilewright.CompiledModule.__call__(module, each), [wrong]
        )
        assert got[0]


def test_threads_get_outputs_of_computed_sizes_at_once():
    module, failures = found_positions(), list[str]()

    def work(count: int) -> None:
        given = np.arange(count, dtype=np.float32) % 2
        for _ in range(300):
            results = module(given)
            assert isinstance(results, tuple)
            if not np.array_equal(results[1], given[given != 0]):
                failures.append(f"{count}")

    with ThreadPoolExecutor(3) as threads:
        list(threads.map(work, (10, 1000, 30_000)))
    assert failures == []


def test_outputs_of_computed_sizes_keep_no_references():
    module, x = found_positions(), np.ones(50, np.float32)
    module(x)
    before = sys.getrefcount(x.dtype), sys.getrefcount(None)
    for _ in range(1000):
        module(x)
    after = sys.getrefcount(x.dtype), sys.getrefcount(None)
    assert all(abs(b - a) < 100 for a, b in zip(before, after, strict=True))


def test_many_arguments_are_read_without_python():
    rows = te.var("rows", "int64")
    xs = [te.placeholder((rows, 2, 2, 2), name=f"x{n}") for n in range(40)]
    ys = [
        te.compute((rows, 2, 2, 2), lambda *at, x=x: x[at] * 2, name=f"y{n}")
        for n, x in enumerate(xs)
    ]
    module = tilewright.build([*xs, *ys], threads=1)
    given = [np.full((3, 2, 2, 2), n, np.float32) for n in range(40)]
    for result, x in zip(module(*given), given, strict=True):
        np.testing.assert_array_equal(result, 2 * x)
    assert not module._layouts


def test_a_function_of_a_module_runs_machine_code_and_keeps_the_weights():
    module = tilewright.compile(models.ffn_model(m=4, k=256, n=256), threads=1)
    x = np.ones((4, 256), np.float32)
    wanted = np.array(module(x))
    function = module["main"]
    assert function is module.get_function("main")
    assert type(function) is not PackedFunc
    gone = weakref.ref(module)
    del module
    assert gone() is None
    rest = [np.full(1 << 18, 7, np.uint8) for _ in range(16)]  # takes the memory, if it was freed
    out = np.zeros_like(wanted)
    assert function(x, out) is None
    np.testing.assert_array_equal(out, wanted)
    with pytest.raises(TypeError, match="wrong shape"):
        function(x[:2], out)
    assert len(rest) == 16
