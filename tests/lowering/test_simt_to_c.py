"""Kernels of the simt level as C: their text, and their results on an OpenCL device."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects import math
from xdsl.ir import Operation

from tilewright import Device
from tilewright.interp import packed
from tilewright.interp.compare import expect_close
from tilewright.interp.graph import run_graph
from tilewright.lowering.loop_to_llvm.math_table import MATH
from tilewright.lowering.simt_to_c import CUDA, METAL, OPENCL, CDialect, emit_program
from tilewright.support.diagnostics import LoweringError
from tilewright.support.lazy import load
from tilewright.support.registry import PASSES

from ..opencl_device import opencl_device
from ..ops.case import OpCase
from ..ops.cases import CASES
from ..sweeps import sampled
from .device_kernels import OneThread, run_kernel
from .native import AVX2, Kernel, only_function

LAUNCH = "attributes {tw.launch = #simt.launch<grid [%s], block [%s], shared 0>}"
ONE = LAUNCH % (1, 1)


@pytest.fixture(scope="module")
def gpu() -> Device:
    return opencl_device()


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def random(*shape: int) -> np.ndarray:
    return rng().standard_normal(shape).astype(np.float32)


REVERSE = """
func.func @reverse(%x: memref<1024xf32>, %y: memref<1024xf32>)
    attributes {tw.launch = #simt.launch<grid [8], block [128], shared 512>} {
  %bx = simt.block_id x below 8
  %tx = simt.thread_id x below 128
  %s = loop.alloc "shared" : memref<128xf32>
  %v = loop.load %x[%bx * 128 + %tx] : memref<1024xf32>, f32
  loop.store %v, %s[%tx] : memref<128xf32>, f32
  simt.barrier shared
  %w = loop.load %s[%tx * -1 + 127] : memref<128xf32>, f32
  loop.store %w, %y[%bx * 128 + %tx] : memref<1024xf32>, f32
  func.return
}
"""

TEXTS = {
    OPENCL.name: """\
#pragma OPENCL FP_CONTRACT OFF

__kernel __attribute__((reqd_work_group_size(128, 1, 1)))
void reverse(const __global float *restrict p0, __global float *restrict p1) {
    int bx_1 = get_group_id(0);
    int tx_2 = get_local_id(0);
    __local float s3[128] __attribute__((aligned(16)));
    float t4 = p0[bx_1 * 128 + tx_2];
    s3[tx_2] = t4;
    barrier(CLK_LOCAL_MEM_FENCE);
    float t5 = s3[tx_2 * -1 + 127];
    p1[bx_1 * 128 + tx_2] = t5;
}
""",
    CUDA.name: """\
// Compile with -fmad=false.

extern "C" __global__ void __launch_bounds__(128)
reverse(const float *__restrict__ p0, float *__restrict__ p1) {
    int bx_1 = blockIdx.x;
    int tx_2 = threadIdx.x;
    __shared__ __align__(16) float s3[128];
    float t4 = p0[bx_1 * 128 + tx_2];
    s3[tx_2] = t4;
    __syncthreads();
    float t5 = s3[tx_2 * -1 + 127];
    p1[bx_1 * 128 + tx_2] = t5;
}
""",
    METAL.name: """\
#include <metal_stdlib>
using namespace metal;
#pragma METAL fp contract(off)

[[max_total_threads_per_threadgroup(128)]]
kernel void reverse(const device float *p0 [[buffer(0)]], device float *p1 [[buffer(1)]], \
uint3 block [[threadgroup_position_in_grid]], uint3 thread_ [[thread_position_in_threadgroup]]) {
    int bx_1 = block.x;
    int tx_2 = thread_.x;
    alignas(16) threadgroup float s3[128];
    float t4 = p0[bx_1 * 128 + tx_2];
    s3[tx_2] = t4;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    float t5 = s3[tx_2 * -1 + 127];
    p1[bx_1 * 128 + tx_2] = t5;
}
""",
}


@pytest.mark.parametrize("dialect", [OPENCL, CUDA, METAL], ids=lambda dialect: dialect.name)
def test_each_language_has_its_spelling(dialect: CDialect) -> None:
    source = emit_program([("reverse", only_function(REVERSE))], dialect)
    assert source == TEXTS[dialect.name]


# -- memory --------------------------------------------------------------------------------------


def test_aligned_vectors_are_accessed_whole(gpu: Device) -> None:
    function = only_function(f"""
func.func @f(%x: memref<8x24xf32>, %y: memref<8x24xf32>) {LAUNCH % (8, 6)} {{
  %b = simt.block_id x below 8
  %t = simt.thread_id x below 6
  %v = loop.load %x[%b, %t * 4] : memref<8x24xf32>, vector<4xf32>
  %w = arith.addf %v, %v : vector<4xf32>
  loop.store %w, %y[%b, %t * 4] : memref<8x24xf32>, vector<4xf32>
  func.return
}}""")
    source = emit_program([("f", function)], OPENCL)
    assert "float4 v3 = *(const __global float4 *)(p0 + (b" in source
    assert "*(__global float4 *)(p1 + (b" in source
    x = random(8, 24)
    np.testing.assert_array_equal(run_kernel(function, gpu, [x, x * 0])[1], 2 * x)


def test_other_vectors_are_accessed_by_lane(gpu: Device) -> None:
    function = only_function(f"""
func.func @f(%x: memref<8x9xf32>, %y: memref<8x9xf32>, %z: memref<8x3xf32>) {LAUNCH % (8, 3)} {{
  %b = simt.block_id x below 8
  %t = simt.thread_id x below 3
  %v = loop.load %x[%b, %t * 3] : memref<8x9xf32>, vector<3xf32>
  loop.store %v, %y[%b, %t] stride 3 : memref<8x9xf32>, vector<3xf32>
  %c = loop.load %x[%b, %t] lanes 2 stride 3 : memref<8x9xf32>, vector<4xf32>
  %s = loop.reduce "add" %c : vector<4xf32> to f32
  loop.store %s, %z[%b, %t] : memref<8x3xf32>, f32
  func.return
}}""")
    x = random(8, 9)
    _, y, z = run_kernel(function, gpu, [x, x * 0, x[:, :3] * 0])
    np.testing.assert_array_equal(y, x.reshape(8, 3, 3).swapaxes(1, 2).reshape(8, 9))
    np.testing.assert_array_equal(z, x[:, :3] + x[:, 3:6])


def test_bools_are_bytes_in_memory(gpu: Device) -> None:
    function = only_function(f"""
func.func @f(%x: memref<64xi1>, %y: memref<64xi1>, %z: memref<64xi32>) {LAUNCH % (1, 16)} {{
  %t = simt.thread_id x below 16
  %v = loop.load %x[%t * 4] : memref<64xi1>, vector<4xi1>
  %w = loop.load %y[%t * 4] : memref<64xi1>, vector<4xi1>
  %b = arith.xori %v, %w : vector<4xi1>
  loop.store %b, %y[%t * 4] : memref<64xi1>, vector<4xi1>
  %c = loop.cast "extui" %b : vector<4xi1> to vector<4xi32>
  loop.store %c, %z[%t * 4] : memref<64xi32>, vector<4xi32>
  func.return
}}""")
    x, y = rng().integers(0, 2, (2, 64)).astype(bool)
    _, b, c = run_kernel(function, gpu, [x, y, np.zeros(64, np.int32)])
    np.testing.assert_array_equal(b, x ^ y)
    np.testing.assert_array_equal(c, (x ^ y).astype(np.int32))


# -- loops and positions -------------------------------------------------------------------------


def test_loops_have_several_bounds_and_unroll(gpu: Device) -> None:
    function = only_function(f"""
func.func @f(%x: memref<100xi32>) {LAUNCH % (7, 2)} {{
  %b = simt.block_id x below 7
  %t = simt.thread_id x below 2
  loop.for %i = max(0, %t * 3) to min(16, %b * -16 + 100) {{
    loop.for %j = 0 to 1 unroll 1 {{
      %n = loop.index [%i + %t * 1000] : index
      %m = arith.index_cast %n : index to i32
      loop.store %m, %x[%b * 16 + %i] : memref<100xi32>, i32
    }}
  }}
  func.return
}}""")
    # Both threads store to the same places; this one is run by one of them.
    source = emit_program([("f", function)], OPENCL)
    assert "> tx_2 * 3 ?" in source
    assert "< bx_1 * -16 + 100 ?" in source


def test_divisions_of_positions_round_down(gpu: Device) -> None:
    function = only_function(f"""
func.func @f(%x: memref<6x41xi64>) {ONE} {{
  loop.for %i = 0 to 41 {{
    %a = loop.index [(%i - 20) floordiv 4] : index
    %b = loop.index [(%i - 20) mod 4] : index
    %c = loop.index [(%i - 20) floordiv 7] : index
    %d = loop.index [(%i - 20) mod 7] : index
    %e = loop.index [%i floordiv 7] : index
    %f = loop.index [%i * 4000000000] : index
    %0 = arith.index_cast %a : index to i64
    %1 = arith.index_cast %b : index to i64
    %2 = arith.index_cast %c : index to i64
    %3 = arith.index_cast %d : index to i64
    %4 = arith.index_cast %e : index to i64
    %5 = arith.index_cast %f : index to i64
    loop.store %0, %x[0, %i] : memref<6x41xi64>, i64
    loop.store %1, %x[1, %i] : memref<6x41xi64>, i64
    loop.store %2, %x[2, %i] : memref<6x41xi64>, i64
    loop.store %3, %x[3, %i] : memref<6x41xi64>, i64
    loop.store %4, %x[4, %i] : memref<6x41xi64>, i64
    loop.store %5, %x[5, %i] : memref<6x41xi64>, i64
  }}
  func.return
}}""")
    i = np.arange(41)
    n = i - 20
    (x,) = run_kernel(function, gpu, [np.zeros((6, 41), np.int64)])
    np.testing.assert_array_equal(x, [n // 4, n % 4, n // 7, n % 7, i // 7, i * 4_000_000_000])


SYMBOLIC = """
func.func @f(%x: memref<?x?xf32, #te.dims<n, m + 1>>, %y: memref<?xf32, #te.dims<n>>)
    attributes {sizes = ["n", "m"], tw.launch = #simt.launch<grid [n], block [4], shared 0>} {
  %b = simt.block_id x below n
  %t = simt.thread_id x below 4
  %z = arith.constant 0.0 : f32
  %m = loop.size m + 1
  %s = loop.for %i = 0 to %m iter_args(%a = %z : f32) {
    %v = loop.load %x[%b, %i] : memref<?x?xf32, #te.dims<n, m + 1>>, f32
    %w = arith.addf %a, %v : f32
    loop.yield %w : f32
  }
  %0 = arith.constant 0 : index
  %i = loop.index [%t] : index
  %c = loop.cmp "eq" %i, %0 : index, index, i1
  loop.if %c {
    loop.store %s, %y[%b] : memref<?xf32, #te.dims<n>>, f32
  }
  func.return
}
"""


@pytest.mark.parametrize("shape", [(1, 1), (5, 9), (64, 2)])
def test_sizes_are_parameters(gpu: Device, shape: tuple[int, int]) -> None:
    x = rng().integers(-8, 8, shape).astype(np.float32)
    n, m = shape
    arrays = [x, np.zeros(n, np.float32)]
    _, y = run_kernel(only_function(SYMBOLIC), gpu, arrays, n=n, m=m - 1)
    np.testing.assert_array_equal(y, x.sum(1))


def test_cuda_exchanges_dimensions_of_a_grid() -> None:
    text = SYMBOLIC.replace("grid [n]", "grid [7, n, m]").replace(
        "%b = simt.block_id x below n",
        "%b = simt.block_id y below n %o = simt.block_id x below 7 %p = simt.block_id z below m",
    )
    kernels = [("f", only_function(text))]
    source = emit_program(kernels, CUDA)
    y, z = "(size0) > 65535", "!((size0) > 65535) && (size1) > 65535"
    assert f"= {y} ? blockIdx.x : blockIdx.y;" in source
    assert f"= {y} ? blockIdx.y : {z} ? blockIdx.z : blockIdx.x;" in source
    assert f"= {z} ? blockIdx.x : blockIdx.z;" in source
    assert "65535" not in emit_program(kernels, METAL)


# -- arithmetic ----------------------------------------------------------------------------------


def math_kernel(op: type[Operation], dtype: str) -> str:
    """Return the text of a kernel that computes a function of one or two rows."""
    arity = len(op.get_irdl_definition().operands)  # type: ignore[attr-defined]
    operands = ", ".join(("%a", "%b")[:arity])
    row = f"memref<2000x{dtype}>"
    return f"""
func.func @f(%x: {row}, %y: {row}, %z: {row}) {ONE} {{
  loop.for %i = 0 to 2000 {{
    %a = loop.load %x[%i] : {row}, {dtype}
    %b = loop.load %y[%i] : {row}, {dtype}
    %c = {op.name} {operands} : {dtype}
    loop.store %c, %z[%i] : {row}, {dtype}
  }}
  func.return
}}"""


def math_inputs(dtype: type[np.floating]) -> list[np.ndarray]:
    """Return numbers of all sizes, and special ones."""
    special = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 0.5, 1e-40, 88.7, -103.9, 710.0]
    small = rng().uniform(-4, 4, (2, 1000))
    large = rng().standard_normal((2, 1000)) * np.exp(rng().uniform(-60, 60, (2, 1000)))
    x, y = np.concatenate([small, large], axis=1)
    x[: len(special)] = special
    y[: len(special)] = special[::-1]
    with np.errstate(over="ignore"):
        return [each.astype(dtype) for each in (x, y, np.zeros(2000))]


@pytest.mark.parametrize("op", sorted(MATH, key=lambda op: op.name), ids=lambda op: op.name)
def test_functions_have_the_bits_of_a_cpu(gpu: Device, op: type[Operation]) -> None:
    arrays = math_inputs(np.float32)
    function = only_function(math_kernel(op, "f32"))
    *_, got = run_kernel(function, gpu, arrays)
    Kernel(function, AVX2)(*arrays)
    nans = np.isnan(arrays[2])
    np.testing.assert_array_equal(np.isnan(got), nans)
    np.testing.assert_array_equal(got.view(np.uint32)[~nans], arrays[2].view(np.uint32)[~nans])


@pytest.mark.parametrize("op", [math.ExpOp, math.LogOp, math.SinOp, math.PowFOp])
def test_functions_of_f64_have_the_bits_of_a_cpu(gpu: Device, op: type[Operation]) -> None:
    arrays = math_inputs(np.float64)
    function = only_function(math_kernel(op, "f64"))
    *_, got = run_kernel(function, gpu, arrays)
    Kernel(function, AVX2)(*arrays)
    nans = np.isnan(arrays[2])
    np.testing.assert_array_equal(np.isnan(got), nans)
    np.testing.assert_array_equal(got.view(np.uint64)[~nans], arrays[2].view(np.uint64)[~nans])


def loops_of(case: OpCase) -> tuple[object, list[np.ndarray], tuple[np.ndarray, ...]]:
    """Return the module of a case at the loop level, its operands and its results."""
    module, func = case.function()
    arrays = list(case.arrays())
    expected = run_graph(func, *arrays)
    for name in (
        "graph-simplify", "graph-fold-constants", "graph-dce", "graph-to-te", "te-fuse-elementwise",
        "te-outline", "te-bufferize", "te-deduplicate", "te-record-costs", "te-apply-schedule",
        "packed-pack-constants", "te-to-loop",
    ):  # fmt: skip
        load(PASSES[name])().apply(case.context(), module)
    return module, arrays, expected


PARALLEL = ("nms",)
"""Cases whose loops are parallel without a schedule."""


@pytest.mark.parametrize(
    "case",
    sampled(
        [case for case in CASES if not case.name.startswith(PARALLEL)],
        lambda case: case.name,
        one_in=8,
    ),
)
def test_kernels_of_all_operators_run_on_one_thread(gpu: Device, case: OpCase) -> None:
    module, arrays, expected = loops_of(case)
    kernels = OneThread(module, gpu)
    results = packed.run(module, *arrays, call=kernels.call)
    for got, want in zip(results, expected, strict=True):
        expect_close(got, want, case.name)


# -- errors --------------------------------------------------------------------------------------


def test_a_kernel_has_a_launch() -> None:
    function = only_function("func.func @f(%x: memref<4xf32>) { func.return }")
    with pytest.raises(LoweringError, match="a kernel of a GPU has a launch"):
        emit_program([("f", function)], OPENCL)


def test_bound_loops_are_refused() -> None:
    function = only_function(f"""
func.func @f(%x: memref<4xf32>) {ONE} {{
  loop.for bind threadIdx.x %i = 0 to 4 {{
  }}
  func.return
}}""")
    with pytest.raises(LoweringError, match=r"serial loops only(?s:.*)got: threadIdx.x"):
        emit_program([("f", function)], OPENCL)


def test_types_that_a_language_lacks_are_refused() -> None:
    function = only_function(f"""
func.func @f(%x: memref<4xf64>) {ONE} {{
  %v = loop.load %x[0] : memref<4xf64>, f64
  loop.store %v, %x[1] : memref<4xf64>, f64
  func.return
}}""")
    with pytest.raises(LoweringError, match=r"metal has no such type(?s:.*)got: f64"):
        emit_program([("f", function)], METAL)
