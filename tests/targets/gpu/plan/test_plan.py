"""The plan of GPU kernels: legal for every operator, and schedules of users, on OpenCL devices."""

from __future__ import annotations

import re

import numpy as np
import onnx
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

import tilewright
from tilewright import te
from tilewright.analysis.bounds.positions import verify_positions
from tilewright.analysis.verify import verify_module
from tilewright.dialects.loop import AllocOp, LoadOp, StoreOp
from tilewright.dialects.simt import BarrierOp, LaunchSizes, launch_of
from tilewright.driver.passes.pipeline import run_pipeline
from tilewright.frontend.onnx.importer import import_model
from tilewright.interp import packed
from tilewright.interp.compare import expect_close
from tilewright.interp.simt import Race
from tilewright.machines.gpu import GpuLimits
from tilewright.machines.gpu_limits import gpu_limits
from tilewright.machines.target import Target
from tilewright.support.diagnostics import ScheduleError, TargetError
from tilewright.support.entry import kernel_functions
from tilewright.support.registry import new_context
from tilewright.targets.gpu.plan.thread_per_point import grid_of, threads_of
from tilewright.testing import models

from ....opencl_device import opencl_device
from ....ops.case import OpCase, interpreted
from ....ops.cases import CASES
from ....passes.simt.schedules import matmul, softmax
from ....sweeps import sampled

TARGET = Target("opencl")
RNG = np.random.default_rng(0)


def lowered(module: ModuleOp, target: Target = TARGET) -> ModuleOp:
    run_pipeline(module, new_context(), target, to="simt")
    verify_module(module)
    verify_positions(module)
    return module


def kernels_of_te(m: int, n: int, k: int) -> list[FuncOp]:
    a, b = te.placeholder((m, k), name="A"), te.placeholder((k, n), name="B")
    r = te.reduce_axis((0, k), name="k")
    c = te.compute((m, n), lambda i, j: te.sum(a[i, r] * b[r, j], axis=r), name="C")
    module = tilewright.build([a, b, c], target="opencl", cache=False)
    return kernel_functions(_parsed(module.get_source("simt")))


def _parsed(text: str) -> ModuleOp:
    from xdsl.parser import Parser

    return Parser(new_context(), text).parse_module()


def test_the_unused_maximum_of_argmax_has_no_buffer() -> None:
    text = """<ir_version: 10, opset_import: ["": 22]>
        g (float[16, 3, 9, 61] x) => (int64[16, 1, 9, 61] y) { y = ArgMax <axis = 1> (x) }"""
    module = lowered(import_model(onnx.parser.parse_model(text)))
    (kernel,) = kernel_functions(module)
    assert not any(isinstance(op, AllocOp) for op in kernel.walk())
    x = RNG.integers(0, 4, (16, 3, 9, 61)).astype(np.float32)
    (got,) = packed.run(module, x)
    np.testing.assert_array_equal(got, x.argmax(1, keepdims=True))


@pytest.mark.parametrize("case", sampled(CASES, lambda case: case.name, one_in=10))
def test_every_operator_has_a_legal_plan(case: OpCase) -> None:
    lowered(case.function()[0])


@pytest.mark.parametrize("name", ["matmul", "softmax", "add", "pool_max", "conv2d"])
def test_mapped_kernels_compute_what_the_graph_does(name: str) -> None:
    case = next(case for case in CASES if case.name.startswith(name))
    module, arrays, expected = interpreted(case)
    for got, want in zip(packed.run(lowered(module), *arrays), expected, strict=True):
        expect_close(got, want, case.name)


def test_a_product_has_tiles_in_shared_memory() -> None:
    (kernel,) = kernels_of_te(128, 64, 48)
    assert launch_of(kernel) == LaunchSizes.of([1, 2], [16, 16], (64 + 64) * 16 * 4)
    scopes = [op.scope.data for op in kernel.walk() if isinstance(op, AllocOp)]
    assert sorted(scopes) == ["local", "shared", "shared"]
    assert sum(isinstance(op, BarrierOp) for op in kernel.walk()) == 2


def test_a_product_without_such_tiles_has_a_thread_per_element() -> None:
    (kernel,) = kernels_of_te(6, 50, 7)
    assert launch_of(kernel) == LaunchSizes.of([2], [150])
    assert not any(isinstance(op, AllocOp | BarrierOp) for op in kernel.walk())


@pytest.mark.parametrize(
    ("points", "most", "threads"),
    [(7, 1024, 7), (256, 1024, 256), (1024, 1024, 256), (1000, 1024, 250), (1021, 1024, 256),
     (1024, 64, 64), (300, 32, 32)],
)  # fmt: skip
def test_blocks_divide_the_points_if_they_can(points: int, most: int, threads: int) -> None:
    assert threads_of(points, GpuLimits(threads=most)) == threads


PRODUCTS = {
    "ragged": ("float[50, 30] a, float[30, 41] b) => (float[50, 41] y)", {}),
    "batched": ("float[2, 3, 20, 24] a, float[2, 3, 24, 13] b) => (float[2, 3, 20, 13] y)", {}),
    "open": ("float[n, k] a, float[k, m] b) => (float[n, m] y)", {"n": 33, "k": 9, "m": 35}),
    "open batch": ("float[b, 2, n, k] a, float[b, 2, k, 16] b) => (float[b, 2, n, 16] y)",
                   {"b": 2, "n": 35, "k": 11}),
}  # fmt: skip
"""Signatures of products, and numbers for their open sizes."""


def product_model(signature: str) -> onnx.ModelProto:
    head = '<ir_version: 9, opset_import: ["": 18]> product ('
    return onnx.parser.parse_model(f"{head}{signature} {{ c = MatMul (a, b) y = Relu (c) }}")


@pytest.mark.parametrize("name", PRODUCTS)
def test_tiles_reach_beyond_products(name: str) -> None:
    """The interpreter reports races, and accesses outside of buffers."""
    signature, sizes = PRODUCTS[name]
    module = lowered(import_model(product_model(signature)))
    (kernel,) = kernel_functions(module)
    scopes = [op.scope.data for op in kernel.walk() if isinstance(op, AllocOp)]
    assert sorted(scopes) == ["local", "shared", "shared"]
    assert barriers_of(kernel) == 2
    a, b = operands(signature, sizes)
    (got,) = packed.run(module, a, b)
    np.testing.assert_allclose(got, np.maximum(a @ b, 0), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", ["ragged", "open"])
def test_products_of_any_size_run_on_a_device(name: str) -> None:
    opencl_device()
    signature, sizes = PRODUCTS[name]
    model = product_model(signature)
    module = tilewright.compile(model, target="opencl", strict_plan=True, cache=False)
    for numbers in (sizes, dict.fromkeys(sizes, 1), dict.fromkeys(sizes, 32)):
        a, b = operands(signature, numbers)
        np.testing.assert_allclose(module(a, b), np.maximum(a @ b, 0), rtol=1e-5, atol=1e-5)


def operands(signature: str, sizes: dict[str, int]) -> list[np.ndarray]:
    """Return random operands of the types in a signature."""
    shapes = re.findall(r"float\[(.*?)\]", signature)[:2]
    return [
        RNG.standard_normal([sizes.get(n) or int(n) for n in shape.split(", ")], np.float32)
        for shape in shapes
    ]


@pytest.mark.parametrize(
    ("sizes", "tile"),
    [((100, 128, 64), (16, 64)), ((50, 30, 64), (64, 32)), ((12, 17, 8), (16, 32))],
)
def test_tiles_compute_few_elements_beyond(sizes: tuple[int, ...], tile: tuple[int, int]) -> None:
    (kernel,) = kernels_of_te(*sizes)
    launch = launch_of(kernel)
    assert launch is not None
    assert launch.block == (tile[1] // 4, tile[0] // 4, 1)


def test_the_last_block_is_guarded_where_no_number_of_threads_divides() -> None:
    (kernel,) = kernels_of_te(1, 1021, 3)
    assert launch_of(kernel) == LaunchSizes.of([4], [256])


def test_an_axis_of_an_open_size_is_a_dimension_of_the_grid() -> None:
    n, m = te.var("n"), te.var("m")
    a = te.placeholder((3, n, 5, m, 2), name="A")
    b = te.compute((2, n, 5, m, 3), lambda i, j, k, x, o: a[o, j, k, x, i], name="B")
    module = tilewright.build([a, b], target="opencl", cache=False)
    (kernel,) = kernel_functions(_parsed(module.get_source("simt")))
    grid = ["floordiv(3 * m_from_0 + 255, 256)", "5 * n_from_0", 2]
    assert launch_of(kernel) == LaunchSizes.of(grid, [256])


@pytest.mark.parametrize(
    ("filters", "size", "points"), [(32, 28, 4), (32, 20, 1), (30, 64, 1)], ids=str
)
def test_a_thread_of_a_large_convolution_has_four_filters(
    filters: int, size: int, points: int
) -> None:
    """Small images have too few threads for it, and 4 does not divide 30 filters.

    No step of a product divides the 9 terms of one channel.
    """
    (kernel,) = kernels_of(models.conv_model(channels=1, filters=filters, size=size))
    stores = [op for op in kernel.walk() if isinstance(op, StoreOp)]
    loads = [op for op in kernel.walk() if isinstance(op, LoadOp) and op.pad is None]
    images = [op for op in loads if op.mem is kernel.body.block.args[0]]
    assert (len(stores), len(images)) == (points, 1)


@pytest.mark.parametrize(
    ("text", "grid"),
    [
        ("float[65536, 20, 24] a, float[65536, 24, 20] b) => (float[65536, 20, 20] y)",
         {"cuda": [65536, 1, 1], "opencl": [1, 1, 65536]}),
        ("float[4, 20, 24] a, float[4, 24, 20] b) => (float[4, 20, 20] y)",
         {"cuda": [1, 2, 4], "opencl": [1, 1, 4]}),
    ],
    ids=["many", "few"],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["cuda", "opencl"])
def test_the_largest_dimension_of_a_grid_is_x(
    text: str, grid: dict[str, list[int]], kind: str
) -> None:
    head = '<ir_version: 9, opset_import: ["": 18]> product ('
    model = onnx.parser.parse_model(f"{head}{text} {{ y = MatMul (a, b) }}")
    (kernel,) = kernel_functions(lowered(import_model(model), Target(kind)))
    launch = launch_of(kernel)
    assert launch is not None
    assert [size.value for size in launch.grid] == grid[kind]


def test_a_loop_of_many_blocks_takes_x() -> None:
    x, y, z = "blockIdx.x", "blockIdx.y", "blockIdx.z"
    limits, loops = gpu_limits(Target("cuda")), ["a", "b", "c"]
    assert grid_of(loops, [65536, 65535, 0], limits) == {"a": x, "b": y, "c": z}
    assert grid_of(loops, [5, 65536, 0], limits) == {"a": y, "b": x, "c": z}
    assert grid_of(loops[:2], [0, 65536], limits) == {"a": y, "b": x}
    assert grid_of(loops, [5, 6, 65536], limits) == {"a": z, "b": y, "c": x}


# -- rows ----------------------------------------------------------------------------------------


def kernels_of(model: onnx.ModelProto) -> list[FuncOp]:
    return kernel_functions(lowered(import_model(model)))


def barriers_of(kernel: FuncOp) -> int:
    return sum(isinstance(op, BarrierOp) for op in kernel.walk())


def test_a_row_of_a_softmax_is_a_block() -> None:
    (kernel,) = kernels_of(models.softmax_model(shape=(12, "n", 600)))
    threads, warps = 128, 4
    assert launch_of(kernel) == LaunchSizes.of(["12 * n"], [threads], 4 * 2 * (threads + warps))
    assert barriers_of(kernel) == 4


def test_a_normalization_reads_its_row_three_times() -> None:
    (kernel,) = kernels_of(models.layernorm_model(shape=(5, 1000)))
    launch = launch_of(kernel)
    assert launch is not None
    assert (launch.grid[0].value, launch.block[0], barriers_of(kernel)) == (5, 128, 4)


@pytest.mark.parametrize(
    ("text", "grid", "threads"),
    [
        ("float[7, 20] x) => (float[7] y) { y = ReduceSum <keepdims = 0> (x, last) }", 1, 7),
        ("float[7, 200] x) => (float[7] y) { y = ReduceSum <keepdims = 0> (x, last) }", 7, 32),
        ("float[200, 7] x) => (float[7] y) { y = ReduceSum <keepdims = 0> (x, first) }", 1, 7),
        ("float[200, 2048] x) => (float[2048] y) { y = ReduceSum <keepdims = 0> (x, first) }", 64,
         8),
        ("float[20, 70] x) => (float y) { y = ReduceSum <keepdims = 0> (x) }", 1, 128),
        ("float[n] x) => (float y) { y = ReduceMax <keepdims = 0> (x) }", 1, 128),
    ],
    ids=["short", "long", "few_columns", "columns", "all", "open"],
)  # fmt: skip
def test_long_rows_are_worth_a_block(text: str, grid: int, threads: int) -> None:
    """Neighboring columns are neighbors in memory: a thread for each reads them as well."""
    head = '<ir_version: 9, opset_import: ["": 18]> rows ('
    before, after = text.split("{")
    constants = "<int64[1] first = {0}, int64[1] last = {1}> {" if "y = ReduceSum" in after else "{"
    (kernel,) = kernels_of(onnx.parser.parse_model(f"{head}{before}{constants}{after}"))
    launch = launch_of(kernel)
    assert launch is not None
    assert (launch.grid[0].value, launch.block[0]) == (grid, threads)


def test_the_threads_of_a_block_find_the_first_maximum_of_a_row() -> None:
    module = irregular(
        "float[3, 700] x) => (int64[3] y) { y = ArgMax <axis = 1, keepdims = 0> (x) }"
    )
    (kernel,) = kernel_functions(module)
    assert launch_of(kernel) == LaunchSizes.of([3], [128], (4 + 8) * (128 + 16))
    x = RNG.integers(0, 5, (3, 700)).astype(np.float32)
    np.testing.assert_array_equal(packed.run(module, x)[0], x.argmax(1))


@pytest.mark.parametrize("columns", [1, 127, 128, 129, 300])
def test_rows_of_any_length_are_reduced(columns: int) -> None:
    """The interpreter reports races; a device computes the same."""
    model = models.softmax_model(shape=(2, "columns"))
    x = RNG.standard_normal((2, columns), np.float32)
    power = np.exp(x - x.max(1, keepdims=True))
    (got,) = packed.run(lowered(import_model(model)), x)
    np.testing.assert_allclose(got, power / power.sum(1, keepdims=True), rtol=1e-5)


def test_a_compilation_reduces_rows_of_all_lengths_on_a_device() -> None:
    opencl_device()
    model = models.softmax_model(shape=("rows", "columns"))
    module = tilewright.compile(model, target="opencl", strict_plan=True, cache=False)
    for rows, columns in ((3, 1), (1, 127), (2, 128), (2, 129), (4, 1000)):
        x = RNG.standard_normal((rows, columns), np.float32)
        power = np.exp(x - x.max(1, keepdims=True))
        got = np.asarray(module(x))
        np.testing.assert_allclose(got, power / power.sum(1, keepdims=True), rtol=1e-5)


def middle_softmax() -> onnx.ModelProto:
    head = '<ir_version: 9, opset_import: ["": 18]> middle ('
    text = "float[2, n, 3] x) => (float[2, n, 3] y) { y = Softmax <axis = 1> (x) }"
    return onnx.parser.parse_model(head + text)


@pytest.mark.parametrize("size", [1, 130])
def test_a_row_of_a_middle_axis_is_a_block(size: int) -> None:
    module = lowered(import_model(middle_softmax()))
    for kernel in kernel_functions(module):
        assert launch_of(kernel) == LaunchSizes.of([6], [128], 4 * (128 + 4))
    x = RNG.standard_normal((2, size, 3), np.float32)
    power = np.exp(x - x.max(1, keepdims=True))
    (got,) = packed.run(module, x)
    np.testing.assert_allclose(got, power / power.sum(1, keepdims=True), rtol=1e-5)


@pytest.mark.parametrize("size", [1, 127, 128, 300])
def test_a_mean_divides_by_an_open_size(size: int) -> None:
    """The one thread that divides reads a number that all threads compute."""
    model = rows_model("ReduceMean", "float[2, n] x) => (float[2] y)")
    x = RNG.standard_normal((2, size), np.float32)
    (got,) = packed.run(lowered(import_model(model)), x)
    np.testing.assert_allclose(got, x.mean(1), rtol=1e-5, atol=1e-6)


ROWS_AND_TILES = {
    "softmax": lambda: models.softmax_model(shape=(2, 130)),
    "normalization": lambda: models.layernorm_model(shape=(2, 100)),
    "open softmax": lambda: models.softmax_model(shape=(2, "columns")),
    "reduction": lambda: rows_model("ReduceSum", "float[2, 150] x) => (float[2] y)"),
    "open reduction": lambda: rows_model("ReduceMax", "float[2, n] x) => (float[2] y)"),
    "open mean": lambda: rows_model("ReduceMean", "float[2, n] x) => (float[2] y)"),
    "middle softmax": lambda: middle_softmax(),
    "first maximum": lambda: rows_model("ArgMax", "float[2, 150] x) => (int64[2] y)"),
    "product": lambda: product_model(PRODUCTS["ragged"][0]),
    "batched product": lambda: product_model(PRODUCTS["batched"][0]),
    "open product": lambda: product_model(PRODUCTS["open"][0]),
}
"""Models whose kernels have barriers."""
ARGUMENTS = {
    "open softmax": [(2, 130)],
    "open reduction": [(2, 130)],
    "open mean": [(2, 130)],
    "middle softmax": [(2, 130, 3)],
    "open product": [(33, 20), (20, 35)],
}


def rows_model(op: str, signature: str) -> onnx.ModelProto:
    """Return a model of a reduction of the last axis."""
    call = (
        "ArgMax <axis = 1, keepdims = 0> (x)" if op == "ArgMax" else f"{op} <keepdims = 0> (x, a)"
    )
    head = '<ir_version: 9, opset_import: ["": 18]> rows ('
    return onnx.parser.parse_model(f"{head}{signature} <int64[1] a = {{1}}> {{ y = {call} }}")


@pytest.mark.parametrize("name", ROWS_AND_TILES)
def test_each_barrier_of_a_plan_is_needed(name: str) -> None:
    """The interpreter reports a race without it."""
    model = ROWS_AND_TILES[name]()
    given = ARGUMENTS.get(name)
    inputs = (
        [RNG.standard_normal(shape, np.float32) for shape in given]
        if given
        else models.inputs_for(model)
    )
    planned = lowered(import_model(model))
    count = sum(map(barriers_of, kernel_functions(planned)))
    assert count
    for number in range(count):
        module = planned.clone()
        barriers = [op for op in module.walk() if isinstance(op, BarrierOp)]
        barriers[number].detach()
        with pytest.raises(Race):
            packed.run(module, *inputs)


def test_the_threads_of_a_sort_exchange_nothing() -> None:
    module = irregular(
        "float[70, 5] x) => (float[70, 3] y, int64[70, 3] p) <int64[1] three = {3}> "
        "{ y, p = TopK (x, three) }"
    )
    assert sum(map(barriers_of, kernel_functions(module))) == 0


# -- scatters and sorts --------------------------------------------------------------------------


def irregular(text: str) -> ModuleOp:
    head = '<ir_version: 9, opset_import: ["": 18]> irregular ('
    return lowered(import_model(onnx.parser.parse_model(head + text)))


def test_a_column_of_a_scatter_has_a_thread() -> None:
    """Its sums keep their order."""
    module = irregular(
        "float[6, 300] x, int64[9, 1] at, float[9, 300] u) => (float[6, 300] y) "
        '{ y = ScatterND <reduction = "add"> (x, at, u) }'
    )
    (kernel,) = kernel_functions(module)
    assert launch_of(kernel) == LaunchSizes.of([5], [64])
    x, u = RNG.standard_normal((6, 300), np.float32), RNG.standard_normal((9, 300), np.float32)
    at, expected = np.arange(9).reshape(9, 1) % 4, x.copy()
    np.add.at(expected, at[:, 0], u)
    (got,) = packed.run(module, x, at, u)
    np.testing.assert_array_equal(got, expected)


def test_a_row_of_a_sort_has_a_thread() -> None:
    module = irregular(
        "float[n, 5] x) => (float[n, 3] y, int64[n, 3] p) <int64[1] three = {3}> "
        "{ y, p = TopK (x, three) }"
    )
    (kernel,) = kernel_functions(module)
    assert launch_of(kernel) == LaunchSizes.of(["floordiv(n + 63, 64)"], [64])
    x = RNG.standard_normal((70, 5), np.float32)
    got, positions = packed.run(module, x)
    np.testing.assert_array_equal(got, -np.sort(-x, 1)[:, :3])
    np.testing.assert_array_equal(positions, np.argsort(-x, 1, kind="stable")[:, :3])


def test_tasks_with_large_buffers_stay_on_one_thread() -> None:
    """A full sort of 5000 elements needs a second buffer of this size."""
    module = irregular(
        "float[9, 5000] x) => (float[9, 5000] y, int64[9, 5000] p) <int64[1] all = {5000}> "
        "{ y, p = TopK (x, all) }"
    )
    (kernel,) = kernel_functions(module)
    assert launch_of(kernel) == LaunchSizes.of([1], [1])


# -- limits --------------------------------------------------------------------------------------


def test_options_of_the_target_limit_blocks() -> None:
    target = Target("opencl -max-threads=64 -shared-kib=4")
    assert gpu_limits(target) == GpuLimits(64, 4096)
    assert Target(str(target)) == target
    module = lowered(next(c for c in CASES if c.name.startswith("matmul")).function()[0], target)
    launches = [launch for f in kernel_functions(module) if (launch := launch_of(f)) is not None]
    assert all(launch.threads <= 64 and launch.shared_bytes <= 4096 for launch in launches)
    with pytest.raises(TargetError, match="max-threads"):
        gpu_limits(Target("opencl -max-threads=none"))


def test_a_schedule_beyond_the_target_is_refused() -> None:
    s, arguments = matmul(64, 32, 24)
    with pytest.raises(ScheduleError, match=r"compute_at.*too much shared memory") as caught:
        tilewright.build(s, arguments, target="opencl -shared-kib=1", cache=False)
    assert "expected: at most 1024 bytes" in str(caught.value)


@pytest.mark.parametrize(
    "options", [{}, {"transpose": True}, {"double": True}, {"stage": True}], ids=str
)
def test_schedules_of_products_run_on_a_device(options: dict[str, bool]) -> None:
    opencl_device()
    s, arguments = matmul(64, 32, 24, **options)
    module = tilewright.build(s, arguments, target="opencl", cache=False)
    a, b = RNG.standard_normal((64, 24), np.float32), RNG.standard_normal((24, 32), np.float32)
    np.testing.assert_allclose(np.asarray(module(a, b)), a @ b, rtol=2e-5, atol=2e-5)


def test_a_schedule_of_softmax_runs_on_a_device() -> None:
    opencl_device()
    s, arguments = softmax(3, 96, 32)
    module = tilewright.build(s, arguments, target="opencl", cache=False)
    x = RNG.standard_normal((3, 96), np.float32)
    power = np.exp(x - x.max(1, keepdims=True))
    np.testing.assert_allclose(np.asarray(module(x)), power / power.sum(1, keepdims=True), 1e-5)


@pytest.mark.slow
def test_squeezenet_runs_on_a_device() -> None:
    opencl_device()
    model = models.light_model("squeezenet")
    module = tilewright.compile(model, target="opencl", strict_plan=True, cache=False)
    x = RNG.standard_normal((1, 3, 224, 224), np.float32)
    got, again = np.asarray(module(x)), np.asarray(module(x))
    np.testing.assert_array_equal(got, again)
    np.testing.assert_allclose(
        got, np.asarray(tilewright.compile(model, cache=False)(x)), rtol=1e-4
    )
