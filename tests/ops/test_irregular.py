"""Scatter, sort and unique as machine code on adversarial data, against numpy.

Sorts: every element type, rows full of ties, both zeros, infinities and NaN, by insertion, by
merging, by bytes (radix), by selection and by networks, in several tasks.  Unique elements: of the
same rows.
Scatters: every kind, many updates per element and some out of bounds, in vectors and in tasks.  The
data lies between inaccessible pages.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import onnx
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp

import tilewright
from tilewright.dialects.dtypes import element_type
from tilewright.dialects.graph import (
    AddOp,
    GatherOp,
    ScatterElementsOp,
    ScatterNdOp,
    TopKOp,
    UniqueOp,
)
from tilewright.dialects.loop import ReduceOp
from tilewright.dialects.shape import tensor_type
from tilewright.dialects.te import ScatterOp, SortOp
from tilewright.driver.passes.pipeline import run_pipeline
from tilewright.machines.target import Target
from tilewright.support.registry import new_context
from tilewright.testing.native import Native

from .case import Array, np_dtype

TYPES = (
    "float64", "float32", "float16", "bfloat16", "int8", "int16", "int32", "int64", "uint8",
    "uint16", "uint32", "uint64",
)  # fmt: skip
ROWS, LENGTH, FEW = 300, 45, 5
LONG_ROWS, LONG_LENGTH = 30, 450
"""Number and length of rows that are sorted by their bytes."""
SELECTED, SELECTED_LENGTH = 40, 3007
"""Number of results and length of rows that are compared with a threshold."""


@pytest.fixture(scope="module")
def run() -> Iterator[object]:
    """Yield a function that compiles a module and runs it on arrays in a worker process."""
    with Native() as native:
        yield lambda module, *arrays, target="native": native(module, arrays, str(Target(target)))


def function(*arrays: Array) -> FuncOp:
    types = [tensor_type(element_type(a.dtype), a.shape) for a in arrays]
    return FuncOp("main", (types, []))


def module_of(func: FuncOp, *ops) -> ModuleOp:
    results = [r for op in ops for r in op.results]
    func.body.block.add_ops([*ops, ReturnOp(*results)])
    func.update_function_type()
    return ModuleOp([func])


def hard_rows(dtype: np.dtype, shape: tuple[int, ...] = (ROWS, LENGTH)) -> Array:
    """Return rows of few different values, including the extreme values of the type."""
    rng = np.random.default_rng(7)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        values = np.array([0, 1, 2, info.max, info.min, info.max - 1], dtype)
    else:
        values = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan]).astype(dtype)
    return values[rng.integers(0, len(values), shape)]


def stable(x: Array, *, largest: bool) -> Array:
    """Return positions by numpy's stable sort, which puts NaN last; descending is mirrored."""
    keys = x if x.dtype.kind in "iuf" else x.astype(np.float64)
    if not largest:
        return np.argsort(keys, 1, kind="stable")
    return x.shape[1] - 1 - np.argsort(keys[:, ::-1], 1, kind="stable")[:, ::-1]


@pytest.mark.parametrize("name", TYPES)
def test_sorts_are_stable_for_every_type(name, run) -> None:
    both = [hard_rows(np_dtype(name), s) for s in ((ROWS, LENGTH), (LONG_ROWS, LONG_LENGTH))]
    func = function(*both)
    ops = [
        each
        for arg, x in zip(func.body.block.args, both, strict=True)
        for each in (TopKOp(arg, FEW, 1), TopKOp(arg, x.shape[1], 1, largest=False))
    ]
    for results in run(module_of(func, *ops), *both):
        for x, given in zip(both, (results[:4], results[4:]), strict=True):
            orders = stable(x, largest=True)[:, :FEW], stable(x, largest=False)
            for got, where, order in zip(given[::2], given[1::2], orders, strict=True):
                np.testing.assert_array_equal(where, order)
                wanted = np.take_along_axis(x, order, 1)
                np.testing.assert_array_equal(got.view(np.uint8), wanted.view(np.uint8))


SIDE_BY_SIDE = {
    (13, 7): (1, (1, 3, 7)), (3, 70): (1, (1, 9, 70)), (3, 19, 2): (1, (4, 19)),
    (35, 3, 7): (0, (8, 16, 35)), (41, 130): (0, (20,)), (2, 75, 5): (1, (40,)),
}  # fmt: skip
"""Axis and numbers of results of rows that are sorted at once, by shape."""


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("float32", "native"), ("bfloat16", "llvm -mcpu=x86-64-v3"), ("int8", "native"),
        ("uint32", "llvm -mcpu=x86-64-v3"),
    ],
)  # fmt: skip
def test_rows_side_by_side_are_stable(name, target, run) -> None:
    """Sort rows in vectors of 4 and of 8 rows: adjacent, strided, fewer, and some left over."""
    arrays = [hard_rows(np_dtype(name), shape) for shape in SIDE_BY_SIDE]
    func = function(*arrays)
    ops, wanted = [], []
    for arg, x in zip(func.body.block.args, arrays, strict=True):
        axis, counts = SIDE_BY_SIDE[x.shape]
        for count, largest in zip(counts, (True, False, True), strict=False):
            ops.append(TopKOp(arg, count, axis, largest=largest))
            rows = np.moveaxis(x, axis, -1)
            order = stable(rows.reshape(-1, x.shape[axis]), largest=largest)
            order = np.moveaxis(order.reshape(rows.shape)[..., :count], -1, axis)
            wanted += [np.take_along_axis(x, order, axis), order]
    for results in run(module_of(func, *ops), *arrays, target=target):
        for got, want in zip(results, wanted, strict=True):
            assert got.tobytes() == want.tobytes()


def test_long_rows_are_sorted_by_bytes_in_both_orders(run) -> None:
    """Sort random bits as floats, with denormals and many NaN, and the first half of the order."""
    x = np.random.default_rng(9).integers(-(2**31), 2**31, (3, 999)).astype(np.int32)
    x[:, ::5] &= -(2**23)
    x[0, ::3] |= 0x7F800000
    x = x.view(np.float32)
    func = function(x)
    arg = func.body.block.args[0]
    ops = TopKOp(arg, 500, 1), TopKOp(arg, 500, 1, largest=False)
    for results in run(module_of(func, *ops), x):
        for got, largest in zip((results[:2], results[2:]), (True, False), strict=True):
            order = stable(x, largest=largest)[:, :500]
            np.testing.assert_array_equal(got[1], order)
            bits = np.take_along_axis(x.view(np.int32), order, 1)
            np.testing.assert_array_equal(got[0].view(np.int32), bits)


def rows_for_thresholds(dtype: np.dtype) -> Array:
    """Return rows in both orders, of equal elements, of NaN, and in random order with ties."""
    hard = hard_rows(dtype, (2, SELECTED_LENGTH))
    x = np.random.default_rng(8).standard_normal((6, SELECTED_LENGTH)) * 50
    x[0].sort()
    x[1] = -np.sort(-x[1])
    x[2] = 1
    mostly = x[3:5]
    mostly[:, 100:] = np.nan if dtype.kind not in "iu" else 7
    mostly[1] = mostly[1, ::-1]
    x = x if dtype.kind not in "iu" else np.abs(x)
    return np.concatenate([x.astype(dtype), hard])


@pytest.mark.parametrize("name", TYPES)
def test_few_results_of_long_rows_are_stable_for_every_type(name, run) -> None:
    """Select along the last axis of rows, and along the first axis of their transpose."""
    rows = rows_for_thresholds(np_dtype(name))
    both = np.ascontiguousarray(rows.T), rows
    func = function(*both)
    ops = [
        TopKOp(arg, SELECTED, axis, largest=largest)
        for axis, arg in enumerate(func.body.block.args)
        for largest in (True, False)
    ]
    orders = [stable(rows, largest=b)[:, :SELECTED] for b in (True, False)] * 2
    for results in run(module_of(func, *ops), *both):
        for n, (values, positions) in enumerate(zip(results[::2], results[1::2], strict=True)):
            order, axis = orders[n], n // 2
            wanted = np.take_along_axis(rows, order, 1)
            np.testing.assert_array_equal(positions, order if axis else order.T)
            got = values if axis else np.ascontiguousarray(values.T)
            np.testing.assert_array_equal(got.view(np.uint8), wanted.view(np.uint8))


@pytest.mark.parametrize(
    ("length", "count", "selects"),
    [(3007, 40, True), (1_000_000, 1000, True), (300, 40, False), (3000, 3000, False)],
)
def test_few_results_of_long_rows_are_selected(length, count, selects) -> None:
    func = function(np.zeros((1, length), np.float32))
    module = module_of(func, TopKOp(func.body.block.args[0], count, 1))
    run_pipeline(module, new_context(), Target("llvm -mcpu=x86-64-v3"), to="loop")
    assert selects == any(isinstance(op, ReduceOp) for op in module.walk())


def test_results_of_rows_of_symbolic_length_are_stable() -> None:
    model = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 17]>
    g (float[2,n] x) => (float[2,40] v, int64[2,40] i) {
      k = Constant<value = int64[1] {40}>()
      v, i = TopK<axis = 1>(x, k)
    }""")
    module = tilewright.compile(model)
    for length in (40, 41, 57, 300):
        x = np.random.default_rng(length).integers(0, 20, (2, length)).astype(np.float32)
        values, positions = module(x)
        order = stable(x, largest=True)[:, :40]
        np.testing.assert_array_equal(positions, order)
        np.testing.assert_array_equal(values, np.take_along_axis(x, order, 1))


@pytest.mark.parametrize("name", TYPES)
def test_unique_elements_are_the_first_of_their_equals_for_every_type(name, run) -> None:
    x = hard_rows(np_dtype(name))[:20]
    keys = x if x.dtype.kind in "iu" else x.astype(np.float64)
    _, first, inverse, counts = np.unique(
        keys, return_index=True, return_inverse=True, return_counts=True
    )
    order = np.argsort(first)
    func = function(x)
    arg = func.body.block.args[0]
    ops = UniqueOp(arg, "u0"), UniqueOp(arg, "u1", unsorted=True)
    wanted = (first, inverse, counts), (first[order], np.argsort(order)[inverse], counts[order])
    for results in run(module_of(func, *ops), x):
        for got, (where, which, often) in zip((results[:4], results[4:]), wanted, strict=True):
            np.testing.assert_array_equal(got[0].view(np.uint8), x.ravel()[where].view(np.uint8))
            np.testing.assert_array_equal(got[1], where)
            np.testing.assert_array_equal(got[2], which.ravel())
            np.testing.assert_array_equal(got[3], often)


def test_slices_compare_by_their_first_element_that_differs(run) -> None:
    x = np.random.default_rng(11).integers(0, 3, (2, 70, 2)).astype(np.float32)
    x[x == 2] = np.nan
    keys = np.moveaxis(np.nan_to_num(x, nan=2), 1, 0).reshape(70, 4)
    _, first, inverse, counts = np.unique(
        keys, axis=0, return_index=True, return_inverse=True, return_counts=True
    )
    func = function(x)
    op = UniqueOp(func.body.block.args[0], "u0", axis=1)
    for got in run(module_of(func, op), x):
        for array, want in zip(got, (x[:, first], first, inverse, counts), strict=True):
            np.testing.assert_array_equal(array, want.reshape(array.shape))


SCATTERS = [
    ("none", "float32", 0), ("add", "int8", 1), ("max", "float16", 0), ("min", "uint16", 1),
    ("mul", "bfloat16", 1), ("add", "float64", 0),
]  # fmt: skip
UFUNCS = {"add": np.add, "mul": np.multiply, "max": np.maximum, "min": np.minimum}


@pytest.mark.parametrize(("kind", "name", "axis"), SCATTERS)
def test_updates_of_one_element_follow_each_other(kind, name, axis, run) -> None:
    rng = np.random.default_rng(3)
    dtype, shape = np_dtype(name), (ROWS, 40)
    x, updates = (rng.integers(-3, 4, shape).astype(dtype) for _ in range(2))
    if dtype.kind == "f":
        updates[::7] = np.nan
    indices = rng.integers(-2, 6, shape)
    expected, at = x.copy(), np.indices(shape)
    inside = (indices >= 0) & (indices < shape[axis])
    at[axis] = indices
    places = tuple(p[inside] for p in at)
    if kind == "none":
        # Updates are written in row-major order; the last one wins.
        for *place, update in zip(*places, updates[inside], strict=True):
            expected[tuple(place)] = update
    else:
        UFUNCS[kind].at(expected, places, updates[inside])
    func = function(x, indices, updates)
    op = ScatterElementsOp(*func.body.block.args, axis, kind)
    for (got,) in run(module_of(func, op), x, indices, updates):
        np.testing.assert_array_equal(got, expected)


def test_rows_are_added_in_vectors_to_a_base_that_is_not_copied(run) -> None:
    rng = np.random.default_rng(5)
    x, updates = (rng.integers(-9, 9, s).astype(np.float32) for s in ((50, 37), (90, 37)))
    indices = rng.integers(-1, 52, (90, 1))
    func = function(x, indices, updates)
    block = func.body.block
    double = AddOp(block.args[0], block.args[0])
    first = ScatterNdOp(double.results[0], block.args[1], block.args[2], "add")
    second = ScatterNdOp(first.out, block.args[1], block.args[2])
    block.add_ops([double, first])
    module = module_of(func, second)
    lowered = module.clone()
    run_pipeline(lowered, new_context(), Target("llvm -mcpu=x86-64-v3"), to="scheduled")
    assert "packed.copy" not in str(lowered)
    assert sum("vec = " in str(op) for op in lowered.walk() if isinstance(op, ScatterOp)) == 2
    expected = x + x
    inside = (indices[:, 0] >= 0) & (indices[:, 0] < 50)
    np.add.at(expected, indices[inside, 0], updates[inside])
    for row, update in zip(indices[inside, 0], updates[inside], strict=True):
        expected[row] = update
    for (got,) in run(module, x, indices, updates):
        np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize(
    ("kind", "updates", "slice_", "has_tasks"),
    [
        ("none", 40, (5, 1, 65, 2), True),  # rows of 130 in 5 tasks
        ("add", 90, (3, 37, 1, 2), True),
        ("max", 12, (3, 5, 2), False),  # a whole slice is one axis
        ("mul", 7, (9, 3), False),
    ],
)
def test_slices_of_short_rows_are_written_in_vectors(run, kind, updates, slice_, has_tasks) -> None:
    """Merge narrow last dimensions with the previous ones; keep the order of updates."""
    rng = np.random.default_rng(8)
    x, new = (rng.integers(-2, 3, (n, *slice_)).astype(np.float32) for n in (4, updates))
    indices = rng.integers(-1, 5, (updates, 1))
    func = function(x, indices, new)
    module = module_of(func, ScatterNdOp(*func.body.block.args, kind))
    lowered = module.clone()
    run_pipeline(lowered, new_context(), Target("llvm -mcpu=x86-64-v3"), to="scheduled")
    (scatter,) = [op for op in lowered.walk() if isinstance(op, ScatterOp)]
    assert "vec = " in str(scatter.tile)
    assert "floordiv" in str(scatter)
    assert ("parallel" in str(scatter.tile)) is has_tasks
    expected = x.copy()
    for (row,), update in zip(indices, new, strict=True):
        if 0 <= row < 4:
            expected[row] = update if kind == "none" else UFUNCS[kind](expected[row], update)
    for (got,) in run(module, x, indices, new):
        np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("columns", [7, 37])
def test_gathered_rows_are_added_in_vectors(run, columns: int) -> None:
    """Vectorize a gather inside the scatter: messages along the edges of a graph."""
    rng = np.random.default_rng(6)
    x, base = (rng.integers(-9, 9, (20, columns)).astype(np.float32) for _ in range(2))
    sources, targets = rng.integers(0, 20, 90), rng.integers(0, 20, (90, 1))
    func = function(base, x, sources, targets)
    block = func.body.block
    rows = GatherOp(block.args[1], block.args[2], 0)
    block.add_op(rows)
    module = module_of(func, ScatterNdOp(block.args[0], block.args[3], rows.out, "add"))
    lowered = module.clone()
    run_pipeline(lowered, new_context(), Target("llvm -mcpu=x86-64-v3"), to="scheduled")
    (scatter,) = [op for op in lowered.walk() if isinstance(op, ScatterOp)]
    assert "vec = " in str(scatter)
    assert "te.at" in str(scatter), "the gather is in the scatter"
    expected = base.copy()
    np.add.at(expected, targets[:, 0], x[sources])
    for (got,) in run(module, base, x, sources, targets):
        np.testing.assert_array_equal(got, expected)


def test_a_base_that_is_read_again_is_copied(run) -> None:
    x, updates = np.arange(6, dtype=np.float32), np.full(2, 9, np.float32)
    indices = np.array([[4], [1]])
    func = function(x, indices, updates)
    block = func.body.block
    double = AddOp(block.args[0], block.args[0])
    changed = ScatterNdOp(double.results[0], block.args[1], block.args[2])
    block.add_ops([double, changed])
    module = module_of(func, AddOp(double.results[0], changed.out))
    expected = x + x
    expected[[1, 4]] = 9
    for (got,) in run(module, x, indices, updates):
        np.testing.assert_array_equal(got, expected + x + x)


def test_large_sorts_and_scatters_are_divided_into_tasks() -> None:
    x = np.zeros((ROWS, LENGTH), np.float32)
    func = function(x, x.astype(np.int64))
    block = func.body.block
    sort = TopKOp(block.args[0], FEW, 1)
    scatter = ScatterElementsOp(block.args[0], block.args[1], block.args[0], 1)
    module = module_of(func, sort, scatter)
    run_pipeline(module, new_context(), Target("llvm -mcpu=x86-64-v3"), to="scheduled")
    tiles = {type(op): str(op.tile) for op in module.walk() if isinstance(op, ScatterOp | SortOp)}
    assert "chunk" in tiles[SortOp]
    assert "parallel" in tiles[ScatterOp]
