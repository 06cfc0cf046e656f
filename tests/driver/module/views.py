"""Random views as arguments of compiled kernels, in a worker process on guarded memory.

For any view, a call gives the same result as for a contiguous copy, or raises a precise error; it
never reads or writes outside the view. Some calls have an argument that is no array of the host, or
one too many or too few. Calls go through the compiled module, the file that it exports, and the
function `main` of this file, which other hosts call too.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from functools import cache
from math import prod
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from onnx import TensorProto, helper
from onnx.helper import np_dtype_to_tensor_dtype

import tilewright
from tilewright.runtime import load_module
from tilewright.runtime.errors import ArgumentError
from tilewright.testing.guard import guarded_empty

SIMULATED = Path(__file__).parents[3] / "examples" / "simulated_device.py"
ARGUMENT_BYTES = 1 << 17
FLOAT, INT = ("float32", "float64", "float16"), ("int32", "int8", "uint16", "int64", "bool")
# Operator, attributes, dtype and shapes of the inputs.
KERNELS = [
    ("Add", {}, "float32", [(4, 6), (4, 6)]),
    ("Add", {}, "int64", [(3, 5), (5,)]),
    ("Mul", {}, "float16", [(7,), (7,)]),
    ("Relu", {}, "float64", [(2, 3, 4)]),
    ("Tanh", {}, "float32", [(33,)]),
    ("Softmax", {"axis": 1}, "float32", [(3, 17)]),
    ("MatMul", {}, "float32", [(5, 8), (8, 9)]),
    ("MatMul", {}, "float64", [(2, 3, 4), (4, 2)]),
    ("Conv", {"pads": [1, 1, 1, 1]}, "float32", [(1, 3, 5, 5), (4, 3, 3, 3)]),
    ("MaxPool", {"kernel_shape": [2, 2]}, "float32", [(1, 2, 4, 4)]),
    ("Transpose", {"perm": [1, 0]}, "int8", [(5, 9)]),
    ("ReduceSum", {"keepdims": 0}, "int32", [(4, 7)]),
    ("Concat", {"axis": 0}, "uint16", [(2, 3), (4, 3)]),
    ("And", {}, "bool", [(3, 4), (3, 4)]),
    ("Abs", {}, "int16", [()]),
    ("Neg", {}, "float32", [(0, 3)]),
    ("Identity", {}, "uint8", [(6,)]),
    ("LogSoftmax", {"axis": 0}, "float64", [(5, 3)]),
    ("Max", {}, "float32", [(9,), (1,), (9,)]),
    ("GlobalAveragePool", {}, "float32", [(1, 5, 3, 3)]),
    ("Gemm", {"transB": 1}, "float32", [(5, 8), (6, 8), (6,)]),
    ("ConvTranspose", {"strides": [2, 2]}, "float32", [(1, 3, 4, 4), (3, 2, 2, 2)]),
    ("LayerNormalization", {}, "float32", [(3, 9), (9,), (9,)]),
    ("DepthToSpace", {"blocksize": 2}, "float16", [(1, 8, 3, 3)]),
    ("Where", {}, "bool", [(3, 5), (3, 5), (5,)]),
]


@cache
def kernel(index: int):
    """Return the compiled kernel, and the dtype and shapes of its inputs."""
    operator, attributes, dtype, shapes = KERNELS[index]
    code = np_dtype_to_tensor_dtype(np.dtype(dtype))
    names = [f"x{i}" for i in range(len(shapes))]
    inputs = [helper.make_tensor_value_info(n, code, s) for n, s in zip(names, shapes, strict=True)]
    node = helper.make_node(operator, names, ["y"], **attributes)
    output = helper.make_tensor_value_info("y", TensorProto.UNDEFINED, None)
    output.type.tensor_type.elem_type = code
    graph = helper.make_graph([node], operator, inputs, [output])
    opset = [helper.make_opsetid("", 21)]
    model = helper.make_model(graph, opset_imports=opset, ir_version=10)
    return tilewright.compile(model, threads=1), np.dtype(dtype), shapes


@cache
def callers(index: int) -> tuple[Callable[..., Any], ...]:
    """Return the ways to call a kernel: its module, the exported one, and the latter's function."""
    module, *_ = kernel(index)
    with TemporaryDirectory() as folder:
        loaded = load_module(module.export_library(Path(folder) / "m.so")[0], threads=1)
    return module, loaded, loaded["main"]


@cache
def others() -> tuple[object, ...]:
    """Return values that are no arrays in the memory of the host."""
    spec = importlib.util.spec_from_file_location("simulated_device", SIMULATED)
    assert spec is not None
    assert spec.loader is not None
    package = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(package)
    package.register()
    there = tilewright.nd.array(np.ones((4, 6), "float32"), tilewright.device("npu", 1))
    return None, "text", b"bytes", 2.5, True, [1.5, 2], {}, there, tilewright.cpu(0)


def damaged(rng: np.random.Generator, arguments: list[Any]) -> list[Any]:
    """Return arguments of which one is no array of the host, too many or too few, or missing."""
    at, kind = int(rng.integers(len(arguments))), rng.integers(3)
    if kind == 0:
        return [*arguments[:at], *arguments[at + 1 :]]
    if kind == 1:
        return [*arguments, *arguments[: at + 1]]
    other = others()[rng.integers(len(others()))]
    return [*arguments[:at], other, *arguments[at + 1 :]]


@cache
def memory(argument: int, *, at_start: bool) -> np.ndarray:
    """Return the bytes of one argument, which end or start at an inaccessible page."""
    return guarded_empty((ARGUMENT_BYTES,), np.uint8, at_start=at_start)


def view(
    rng: np.random.Generator,
    argument: int,
    dtype: np.dtype,
    shape: tuple[int, ...],
    *,
    output: bool,
) -> np.ndarray:
    """Return a view in guarded memory, sometimes with a slightly wrong type, shape or layout."""
    if rng.random() < 0.1:
        dtype = np.dtype(str(rng.choice([*FLOAT, *INT])))
    if rng.random() < 0.1:
        shape = wrong_shape(rng, shape)
    if rng.random() < 0.05:
        dtype = dtype.newbyteorder()
    steps = [int(rng.choice([1, 1, 1, 2, -1, -2])) for _ in shape] if rng.random() < 0.4 else None
    order = rng.permutation(len(shape)) if rng.random() < 0.2 else np.arange(len(shape))
    spread = [n * (abs(steps[i]) if steps else 1) for i, n in enumerate(shape)]
    base = place(rng, argument, dtype, tuple(spread[axis] for axis in order))
    array = base.transpose(np.argsort(order)) if len(shape) else base
    if steps:
        array = array[(*(slice(None, None, step) for step in steps), ...)]
    fill(rng, array)
    if rng.random() < 0.1 and not output and array.ndim and array.shape[0]:
        array = np.broadcast_to(array[:1], array.shape)
    if rng.random() < 0.05:
        array.flags.writeable = False
    return array


def wrong_shape(rng: np.random.Generator, shape: tuple[int, ...]) -> tuple[int, ...]:
    choices = [(*shape, 1), shape[1:], shape[::-1], tuple(n + 1 for n in shape), (0, *shape[1:])]
    return choices[rng.integers(len(choices))]


def place(
    rng: np.random.Generator, argument: int, dtype: np.dtype, shape: tuple[int, ...]
) -> np.ndarray:
    """Return an array that touches a guard page, or is unaligned, one byte away from it."""
    at_start = bool(rng.random() < 0.5)
    away = int(rng.random() < 0.1)
    offset = away if at_start else ARGUMENT_BYTES - prod(shape) * dtype.itemsize - away
    return np.ndarray(shape, dtype, memory(argument, at_start=at_start), offset)


def fill(rng: np.random.Generator, array: np.ndarray) -> None:
    array[...] = rng.integers(0, 2 if array.dtype == bool else 5, array.shape).astype(array.dtype)


def check_views(index: int, count: int) -> tuple[int, int]:
    """Call a kernel on random views; return the numbers of completed and of rejected calls."""
    module, dtype, shapes = kernel(index)
    out_shape, out_dtype = module.outputs[0].shape, np.dtype(module.outputs[0].dtype)
    rng = np.random.default_rng(index)
    ran = refused = 0
    for _ in range(count):
        way = int(rng.integers(3))
        inputs = [view(rng, i, dtype, shape, output=False) for i, shape in enumerate(shapes)]
        is_filling = way == 2 or rng.random() < 0.3
        given = [view(rng, -1, out_dtype, out_shape, output=True)] if is_filling else []
        copies = [np.array(x) for x in inputs]
        fits = all(
            x.dtype.newbyteorder("=") == dtype and x.shape == s
            for x, s in zip(inputs, shapes, strict=True)
        )
        arguments, is_damaged = [*inputs, *given], bool(rng.random() < 0.05)
        try:
            made = damaged(rng, arguments) if is_damaged else arguments
            result = callers(index)[way](*made)
        except ArgumentError as err:
            text = str(err)
            check_text(text)
            assert given or is_damaged or not fits, text
            refused += 1
            continue
        if is_damaged:  # without its output, or a list of numbers that is an array
            ran += 1
            continue
        assert fits, [(x.dtype, x.shape) for x in inputs]
        got = given[0] if given else result.numpy()
        assert np.array_equal(got, module(*(x.astype(dtype) for x in copies)).numpy())
        assert all(np.array_equal(x, copy) for x, copy in zip(inputs, copies, strict=True))
        ran += 1
    return ran, refused


def check_text(text: str) -> None:
    """Check that an error names the argument or their number, what was expected, what was given."""
    assert "argument " in text or "number of arguments" in text, text
    lines = dict(line.strip().partition(": ")[::2] for line in text.splitlines()[1:])
    assert lines["expected"] != lines["got"], text
