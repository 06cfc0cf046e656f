"""Kernels of the simt level as WGSL and SPIR-V: their text, and their results on devices."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from xdsl.dialects import math
from xdsl.ir import Operation

from tilewright import Device, DeviceError
from tilewright.lowering import simt_to_spirv, simt_to_wgsl
from tilewright.lowering.loop_to_llvm.math_table import MATH
from tilewright.lowering.simt_to_wgsl.text import WgslText
from tilewright.support.diagnostics import LoweringError

from ..vulkan_device import vulkan_device
from ..webgpu_device import webgpu_device
from .device_kernels import run_kernel
from .native import AVX2, Kernel, only_function
from .test_simt_to_c import LAUNCH, ONE, REVERSE, SYMBOLIC, math_inputs, math_kernel


@pytest.fixture(params=[webgpu_device, vulkan_device], ids=["webgpu", "vulkan"])
def gpu(request: pytest.FixtureRequest) -> Device:
    return request.param()


LANGUAGES = {"WGSL": simt_to_wgsl, "SPIR-V": simt_to_spirv}
wgsl_and_spirv = pytest.mark.parametrize("name", LANGUAGES)


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


TEXT = """\
@group(0) @binding(0) var<storage, read_write> reverse_p0: array<f32>;
@group(0) @binding(1) var<storage, read_write> reverse_p1: array<f32>;
var<workgroup> reverse_s3: array<f32, 128>;
@compute @workgroup_size(128, 1, 1)
fn reverse(@builtin(workgroup_id) group_id: vec3<u32>, \
@builtin(local_invocation_id) thread_id: vec3<u32>) {
    let bx_1: i32 = i32(group_id.x);
    let tx_2: i32 = i32(thread_id.x);
    let t4: f32 = reverse_p0[bx_1 * 128 + tx_2];
    reverse_s3[tx_2] = t4;
    workgroupBarrier();
    let t5: f32 = reverse_s3[tx_2 * -1 + 127];
    reverse_p1[bx_1 * 128 + tx_2] = t5;
}
"""


def test_a_kernel_is_printed() -> None:
    assert simt_to_wgsl.emit_program([("reverse", only_function(REVERSE))]) == TEXT


# -- memory --------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["i1", "i8", "i16", "i32"])
def test_threads_store_parts_of_words(gpu: Device, dtype: str) -> None:
    """Neighbors of a word are stored by other threads at the same time, and keep their bits."""
    row, part = f"memref<2x61x{dtype}>", f"memref<61x{dtype}>"
    function = only_function(
        f"""
func.func @f(%x: {row}, %y: {row}, %z: {part}) {LAUNCH % (2, 61)} {{
  %b = simt.block_id x below 2
  %t = simt.thread_id x below 61
  %v = loop.load %x[%b, %t] : {row}, {dtype}
  %w = loop.load %y[%b, %t] : {row}, {dtype}
  %s = arith.addi %v, %w : {dtype}
  loop.store %s, %y[%b, %t] : {row}, {dtype}
  loop.store %s, %z[%t] clip [%b * 61 to 61] : {part}, {dtype}
  func.return
}}""".replace(" clip [%b * 61 to 61]", "")
    )
    kind = {"i1": np.dtype(bool)}.get(dtype, np.dtype(f"int{dtype[1:]}"))
    high = 2 if dtype == "i1" else np.iinfo(kind).max
    x, y = rng().integers(0, high, (2, 2, 61)).astype(kind)
    _, got, part_of = run_kernel(function, gpu, [x, y, np.ones(61, kind)])
    with np.errstate(over="ignore"):
        expected = x ^ y if dtype == "i1" else x + y
    np.testing.assert_array_equal(got, expected)
    assert np.all((part_of == expected[0]) | (part_of == expected[1]))


# -- loops, positions, launches ------------------------------------------------------------------


def test_divisions_of_positions_round_down(gpu: Device) -> None:
    rows = ("(%i - 20) floordiv 4", "(%i - 20) mod 4", "(%i - 20) floordiv 7", "(%i - 20) mod 7",
            "%i floordiv 7")  # fmt: skip
    lines = "".join(
        f"""
    %i{n} = loop.index [{text}] : index
    %c{n} = arith.index_cast %i{n} : index to i32
    loop.store %c{n}, %x[{n}, %i] : memref<5x41xi32>, i32"""
        for n, text in enumerate(rows)
    )
    function = only_function(f"""
func.func @f(%x: memref<5x41xi32>) {ONE} {{
  loop.for %i = max(0, -3) to min(41, 50) {{{lines}
  }}
  func.return
}}""")
    i = np.arange(41)
    n = i - 20
    (x,) = run_kernel(function, gpu, [np.zeros((5, 41), np.int32)])
    np.testing.assert_array_equal(x, [n // 4, n % 4, n // 7, n % 7, i // 7])


@pytest.mark.parametrize("shape", [(1, 1), (5, 9), (64, 2)])
def test_sizes_are_numbers_of_the_launch(gpu: Device, shape: tuple[int, int]) -> None:
    x = rng().integers(-8, 8, shape).astype(np.float32)
    n, m = shape
    function = only_function(SYMBOLIC)
    _, y = run_kernel(function, gpu, [x, np.zeros(n, np.float32)], n=n, m=m - 1)
    np.testing.assert_array_equal(y, x.sum(1))
    for language in (simt_to_wgsl, simt_to_spirv):
        assert [str(number) for number in language.numbers_of(function)] == ["n", "m + 1"]
    text = simt_to_wgsl.emit_program([("k", function)])
    assert "struct k_Sizes { n0: i32, n1: i32 }" in text


@pytest.mark.parametrize("blocks", [5, 65535, 65536, 70001])
def test_long_grids_have_two_dimensions(gpu: Device, blocks: int) -> None:
    function = only_function("""
func.func @f(%x: memref<?xi32, #te.dims<n>>)
    attributes {sizes = ["n"], tw.launch = #simt.launch<grid [n], block [1], shared 0>} {
  %b = simt.block_id x below n
  %i = arith.index_cast %b : index to i32
  loop.store %i, %x[%b] : memref<?xi32, #te.dims<n>>, i32
  func.return
}""")
    (x,) = run_kernel(function, gpu, [np.zeros(blocks, np.int32)], n=blocks)
    np.testing.assert_array_equal(x, np.arange(blocks))


def test_numbers_beyond_positions_are_refused(gpu: Device) -> None:
    function = only_function("""
func.func @f(%x: memref<1xi32>)
    attributes {sizes = ["n"], tw.launch = #simt.launch<grid [1], block [1], shared 0>} {
  %n = loop.size n
  %i = arith.index_cast %n : index to i32
  loop.store %i, %x[0] : memref<1xi32>, i32
  func.return
}""")
    (x,) = run_kernel(function, gpu, [np.zeros(1, np.int32)], n=(1 << 31) - (1 << 16) - 1)
    assert x[0] == (1 << 31) - (1 << 16) - 1
    with pytest.raises(DeviceError, match="a number of a launch does not fit its field"):
        run_kernel(function, gpu, [x], n=(1 << 31) - (1 << 16))


# -- arithmetic ----------------------------------------------------------------------------------

_INEXACT = (math.SinOp, math.CosOp, math.TanOp)
"""Functions whose arguments are reduced in f32."""


@pytest.mark.parametrize("op", sorted(MATH, key=lambda op: op.name), ids=lambda op: op.name)
def test_functions_are_nearly_those_of_a_cpu(gpu: Device, op: type[Operation]) -> None:
    """Devices may replace sums of products by others, so large results of exp lose some bits."""
    arrays = math_inputs(np.float32)
    if op in _INEXACT:
        arrays[0] = np.where(np.abs(arrays[0]) < 1e4, arrays[0], np.float32(1))
    function = only_function(math_kernel(op, "f32"))
    *_, got = run_kernel(function, gpu, arrays)
    Kernel(function, AVX2)(*arrays)
    normal = (np.abs(arrays[0]) > 2e-38) & (np.abs(arrays[2]) > 2e-38) | (arrays[0] == 0)
    np.testing.assert_allclose(got[normal], arrays[2][normal], rtol=1e-5, atol=2e-7)


@pytest.mark.parametrize("dtype", ["i8", "i16", "i32", "i64"])
def test_integers_wrap_and_divide_as_on_a_cpu(gpu: Device, dtype: str) -> None:
    ops = ("addi", "subi", "muli", "divsi", "divui", "remsi", "remui", "maxsi", "minui", "shli",
           "shrsi", "shrui", "xori", "floordivsi")  # fmt: skip
    row = f"memref<200x{dtype}>"
    lines = "".join(
        f"""
    %r{n} = arith.{op} %a, %b : {dtype}
    loop.store %r{n}, %z[{n}, %i] : memref<{len(ops)}x200x{dtype}>, {dtype}"""
        for n, op in enumerate(ops)
    )
    function = only_function(f"""
func.func @f(%x: {row}, %y: {row}, %z: memref<{len(ops)}x200x{dtype}>) {ONE} {{
  loop.for %i = 0 to 200 {{
    %a = loop.load %x[%i] : {row}, {dtype}
    %b = loop.load %y[%i] : {row}, {dtype}{lines}
  }}
  func.return
}}""")
    kind = np.dtype(f"int{dtype[1:]}")
    limits = np.iinfo(kind)
    x, y = rng().integers(limits.min, limits.max, (2, 200), kind, endpoint=True)
    x[:4], y[:8] = limits.min, [-1, 0, 1, limits.min, 3, 7, 2, 5]
    y[8:80] = np.arange(-1, 71)
    x[120:], y[120:160] = x[120:] >> kind.itemsize * 4, y[120:160] >> kind.itemsize * 5
    arrays = [x, y, np.zeros((len(ops), 200), kind)]
    *_, got = run_kernel(function, gpu, arrays)
    Kernel(function, AVX2)(*arrays)
    for name, ours, expected in zip(ops, got, arrays[2], strict=True):
        np.testing.assert_array_equal(ours, expected, name)


def test_integers_of_64_bits_are_converted(gpu: Device) -> None:
    """Positions saturate: a number that is no i32 lies outside of every buffer."""
    rows = {
        "trunci": "i8", "sitofp": "f32", "uitofp": "f32", "index_cast": "index",
    }  # fmt: skip
    stores = {"i8": "i8", "f32": "f32", "index": "i32"}
    lines, arguments = "", ""
    for n, (op, to) in enumerate(rows.items()):
        row = f"memref<300x{stores[to]}>"
        arguments += f", %z{n}: {row}"
        lines += f"""
    %r{n} = arith.{op} %a : i64 to {to}"""
        if to == "index":
            lines += f"""
    %s{n} = arith.index_cast %r{n} : index to i32"""
        value = f"%s{n}" if to == "index" else f"%r{n}"
        lines += f"""
    loop.store {value}, %z{n}[%i] : {row}, {stores[to]}"""
    function = only_function(f"""
func.func @f(%x: memref<300xi64>, %y: memref<300xf32>, %w: memref<300xi64>,
    %b: memref<300xi8>, %c: memref<300xi64>{arguments}) {ONE} {{
  loop.for %i = 0 to 300 {{
    %a = loop.load %x[%i] : memref<300xi64>, i64
    %f = loop.load %y[%i] : memref<300xf32>, f32
    %k = arith.fptosi %f : f32 to i64
    loop.store %k, %w[%i] : memref<300xi64>, i64
    %d = loop.load %b[%i] : memref<300xi8>, i8
    %e = arith.extsi %d : i8 to i64
    loop.store %e, %c[%i] : memref<300xi64>, i64{lines}
  }}
  func.return
}}""")
    limits = np.iinfo(np.int64)
    x = rng().integers(limits.min, limits.max, 300) >> rng().integers(0, 63, 300)
    x[:6] = [0, -1, limits.min, limits.max, 1 << 31, -(1 << 31) - 1]
    y = (rng().standard_normal(300) * 2.0 ** rng().integers(-3, 70, 300)).astype(np.float32)
    y[:4] = [np.nan, np.inf, -np.inf, -0.75]
    b = rng().integers(-128, 128, 300).astype(np.int8)
    empty = [np.zeros(300, t) for t in (np.int8, np.float32, np.float32, np.int32)]
    arrays = [x, y, np.zeros(300, np.int64), b, np.zeros(300, np.int64), *empty]
    _, _, whole, _, wide, low, signed, unsigned, position = run_kernel(function, gpu, arrays)
    with np.errstate(invalid="ignore"):
        inside = np.abs(y) < 2.0**63
        expected = np.where(inside, y.astype(np.int64), np.where(y > 0, limits.max, limits.min))
    np.testing.assert_array_equal(whole, np.where(np.isnan(y), 0, expected))
    np.testing.assert_array_equal(wide, b)
    np.testing.assert_array_equal(low, x.astype(np.int8))
    np.testing.assert_array_equal(signed, x.astype(np.float32))
    np.testing.assert_array_equal(unsigned, x.astype(np.uint64).astype(np.float32))
    np.testing.assert_array_equal(position, np.clip(x, -(1 << 31), (1 << 31) - 1))


@pytest.mark.parametrize(("dtype", "kind"), [("f16", np.float16), ("bf16", ml_dtypes.bfloat16)])
def test_halves_are_widened(gpu: Device, dtype: str, kind: type[np.floating]) -> None:
    row = f"memref<501x{dtype}>"
    function = only_function(f"""
func.func @f(%x: {row}, %y: {row}) {LAUNCH % (1, 167)} {{
  %t = simt.thread_id x below 167
  %v = loop.load %x[%t * 3] : {row}, vector<3x{dtype}>
  %w = arith.addf %v, %v : vector<3x{dtype}>
  loop.store %w, %y[%t * 3] : {row}, vector<3x{dtype}>
  func.return
}}""")
    x = rng().standard_normal(501).astype(kind)
    x[:6] = [np.inf, -np.inf, np.nan, 60000, 2e-7, -3e-5]
    _, y = run_kernel(function, gpu, [x, np.zeros_like(x)])
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(y.astype(np.float32), (x + x).astype(np.float32))


# -- errors --------------------------------------------------------------------------------------


def test_no_name_is_that_of_a_type() -> None:
    text = WgslText()
    names = [text.name("i") for _ in range(40)]
    assert len({*names}) == 40
    assert "i32" not in names


def test_types_that_wgsl_lacks_are_refused() -> None:
    function = only_function(f"""
func.func @f(%x: memref<4xf64>) {ONE} {{
  %v = loop.load %x[0] : memref<4xf64>, f64
  loop.store %v, %x[1] : memref<4xf64>, f64
  func.return
}}""")
    with pytest.raises(LoweringError, match=r"@f(?s:.*)WGSL has no such type(?s:.*)got: f64"):
        simt_to_wgsl.emit_program([("f", function)])


def test_shared_memory_of_small_elements_is_counted_in_words() -> None:
    function = only_function(f"""
func.func @f(%x: memref<4xi8>) {LAUNCH % (1, 1)} {{
  %s = loop.alloc "shared" : memref<5000xi8>
  func.return
}}""")
    with pytest.raises(LoweringError, match=r"@f: a block has too much shared(?s:.*)20000 bytes"):
        simt_to_wgsl.emit_program([("f", function)])
    text = simt_to_wgsl.emit_program([("f", function)], shared_bytes=20000)
    assert "array<u32, 5000>" in text
    text = simt_to_spirv.emit_program([("f", function)])
    assert "%arr_i8_5000 = OpTypeArray %i8 %c_i32_5000" in text


@wgsl_and_spirv
def test_positions_beyond_32_bits_are_refused(name: str) -> None:
    function = only_function(f"""
func.func @f(%x: memref<8xi32>) {ONE} {{
  loop.for %i = 0 to 8 {{
    %f = loop.index [%i * 4000000000] : index
    %n = arith.index_cast %f : index to i32
    loop.store %n, %x[%i] : memref<8xi32>, i32
  }}
  func.return
}}""")
    with pytest.raises(LoweringError, match=f"{name} has no integer for this position"):
        LANGUAGES[name].emit_program([("f", function)])


@wgsl_and_spirv
def test_bound_loops_are_refused(name: str) -> None:
    function = only_function(f"""
func.func @f(%x: memref<4xf32>) {ONE} {{
  loop.for bind threadIdx.x %i = 0 to 4 {{
  }}
  func.return
}}""")
    with pytest.raises(LoweringError, match=r"serial loops only(?s:.*)got: threadIdx.x"):
        LANGUAGES[name].emit_program([("f", function)])
