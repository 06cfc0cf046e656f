"""Kernels in MLIR's own dialects: verified by xDSL, read by MLIR, run by an interpreter of xDSL."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects import gpu as upstream
from xdsl.dialects.builtin import ModuleOp, bf16, f16, f32, i8
from xdsl.dialects.test import Test
from xdsl.ir import Attribute
from xdsl.parser import Parser
from xdsl.printer import Printer

import tilewright
from tilewright import te
from tilewright.dialects import gpu, nvgpu, simt
from tilewright.dialects.dtypes import numpy_dtype
from tilewright.dialects.loop import SizeOp
from tilewright.driver.passes.pipeline import run_pipeline
from tilewright.frontend.onnx.importer import import_model
from tilewright.interp import packed
from tilewright.interp.compare import expect_close
from tilewright.interp.graph import run_graph
from tilewright.interp.simt import run_kernel
from tilewright.lowering.simt_to_gpu import SimtToGpu, kernel_module
from tilewright.machines.target import Target
from tilewright.support.diagnostics import LoweringError, TypeMismatch
from tilewright.support.entry import kernel_functions
from tilewright.support.registry import new_context
from tilewright.testing import models

from ..ops.case import OpCase
from ..ops.cases import CASES
from ..passes.simt import test_load_matrices as load_matrices
from ..passes.te.ir import parse
from .gpu_interpreter import GpuKernels, run_gpu
from .mlir_opt import needs_opt, run_opt


def lowered(module: ModuleOp, target: str = "opencl") -> ModuleOp:
    """Return a module of the simt level."""
    run_pipeline(module, new_context(), Target(target), to="simt")
    return module


def exported(module: ModuleOp) -> ModuleOp:
    """Return the kernels of a module of the simt level, verified, as a printed text reads."""
    kernels = [(f.sym_name.data, f) for f in kernel_functions(module)]
    made = kernel_module(kernels)
    made.verify()
    read = Parser(new_context(), str(made)).parse_module()
    read.verify()
    assert str(read) == str(made)
    names = {op.name.partition(".")[0] for op in made.walk()}
    assert names <= {"builtin", "gpu", "scf", "memref", "arith", "math", "vector", "nvgpu"}
    return made


SAMPLE = (
    "add_f32", "matmul", "softmax", "conv2d_bias", "pool_max", "cast_i32", "div_i32", "shl_i32",
    "quantize_f8", "top_k_of_ties",
)  # fmt: skip
"""The cases that are not left to the night."""


def sample() -> list[OpCase]:
    return [case for case in CASES if case.name in SAMPLE]


def check_whole(cases: Sequence[OpCase]) -> None:
    """Check that xDSL verifies, and MLIR reads, the kernels of cases."""
    texts = [str(exported(lowered(case.function()[0]))) for case in cases]
    run_opt("\n// -----\n".join(texts), "--split-input-file")


def test_kernels_have_a_form_upstream() -> None:
    for case in sample():
        module = lowered(case.function()[0])
        exported(module)
        SimtToGpu().apply(Context(), module)
        module.verify()


@needs_opt
def test_mlir_reads_kernels() -> None:
    check_whole(sample())


@needs_opt
@pytest.mark.nightly
@pytest.mark.parametrize("start", range(0, len(CASES), 40))
def test_mlir_reads_the_kernels_of_every_operator(start: int) -> None:
    check_whole(CASES[start : start + 40])


# -- results -------------------------------------------------------------------------------------


RUN = ("add_f32", "tanh_f32", "matmul", "pad_constant", "softmax", "cast_i32")


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=case.name, marks=[pytest.mark.nightly] * (case.name not in RUN))
        for case in CASES
    ],
)
def test_an_interpreter_of_xdsl_computes_what_the_graph_does(case: OpCase) -> None:
    module, function = case.function()
    arrays = case.arrays()
    expected = run_graph(function, *arrays)
    kernels = GpuKernels(lowered(module))
    with np.errstate(all="ignore"):
        results = packed.run(module, *arrays, call=kernels.call)
    for got, want in zip(results, expected, strict=True):
        expect_close(got, want, case.name)


REVERSE = """
func.func @reverse(%x: memref<48xf32>, %y: memref<48xf32>)
    attributes {tw.launch = #simt.launch<grid [3], block [16], shared 64>} {
  %bx = simt.block_id x below 3
  %tx = simt.thread_id x below 16
  %s = loop.alloc "shared" : memref<16xf32>
  %v = loop.load %x[%bx * 16 + %tx] : memref<48xf32>, f32
  loop.store %v, %s[%tx] : memref<16xf32>, f32
  simt.barrier shared
  %w = loop.load %s[%tx * -1 + 15] : memref<16xf32>, f32
  loop.store %w, %y[%bx * 16 + %tx] : memref<48xf32>, f32
  func.return
}
"""
TEXT = """\
builtin.module attributes {gpu.container_module} {
  "gpu.module"() <{sym_name = "kernels"}> ({
    gpu.func @reverse(%x : memref<48xf32>, %y : memref<48xf32>) \
workgroup(%s : memref<16xf32, #gpu.address_space<workgroup>>) kernel \
attributes {known_block_size = array<i32: 16, 1, 1>, known_grid_size = array<i32: 3, 1, 1>} {
      %0 = arith.constant 16 : index
      %1 = arith.constant -1 : index
      %2 = arith.constant 15 : index
      %bx = gpu.block_id x
      %tx = gpu.thread_id x
      %3 = arith.muli %bx, %0 : index
      %4 = arith.addi %3, %tx : index
      %v = memref.load %x[%4] : memref<48xf32>
      memref.store %v, %s[%tx] : memref<16xf32, #gpu.address_space<workgroup>>
      "gpu.barrier"() : () -> ()
      %5 = arith.muli %tx, %1 : index
      %6 = arith.addi %5, %2 : index
      %w = memref.load %s[%6] : memref<16xf32, #gpu.address_space<workgroup>>
      memref.store %w, %y[%4] : memref<48xf32>
      gpu.return
    }
  }) : () -> ()
}"""


def kernel(text: str) -> gpu.FuncOp:
    """Return the only kernel of a text of the simt level, exported."""
    (made,) = (op for op in exported(parse(text)).walk() if isinstance(op, gpu.FuncOp))
    return made


def test_a_kernel_is_printed_as_mlir_reads_it() -> None:
    assert str(exported(parse(REVERSE))) == TEXT


def test_threads_of_a_block_share_memory() -> None:
    x, y = np.arange(48, dtype=np.float32), np.zeros(48, np.float32)
    run_gpu(kernel(REVERSE), (3, 1, 1), [x, y])
    np.testing.assert_array_equal(y, x.reshape(3, 16)[:, ::-1].ravel())


OPEN = """
func.func @shift(%x: memref<?x4xf32, #te.dims<n, 4>>, %y: memref<?x4xf32, #te.dims<n + 1, 4>>)
    attributes {sizes = ["n"], tw.launch = #simt.launch<grid [n + 1], block [2], shared 0>} {
  %b = simt.block_id x below n + 1
  %t = simt.thread_id x below 2
  %v = loop.load %x[%b - 1, %t * 2] pad -1.0 : memref<?x4xf32, #te.dims<n, 4>>, vector<2xf32>
  %p = loop.alloc "local" : memref<2xf32>
  loop.store %v, %p[0] : memref<2xf32>, vector<2xf32>
  %w = loop.load %p[0] : memref<2xf32>, vector<2xf32>
  loop.store %w, %y[%b, %t * 2] clip [0 to n, 0 to 4] : \
memref<?x4xf32, #te.dims<n + 1, 4>>, vector<2xf32>
  func.return
}
func.func @main(%x: memref<?x4xf32, #te.dims<m, 4>>, %y: memref<?x4xf32, #te.dims<m + 1, 4>>)
    attributes {sizes = ["m"]} {
  packed.call @shift(%x, %y) sizes [m] : (memref<?x4xf32, #te.dims<m, 4>>,
    memref<?x4xf32, #te.dims<m + 1, 4>>) -> ()
  func.return
}
"""


def test_open_sizes_are_arguments_of_a_kernel() -> None:
    x, y = np.arange(12, dtype=np.float32).reshape(3, 4), np.full((4, 4), 7, np.float32)
    made = kernel(OPEN)
    assert [str(t) for t in made.function_type.inputs] == ["memref<?x4xf32>"] * 2 + ["index"]
    assert made.known_grid_size is None
    run_gpu(made, (4, 1, 1), [x, y, 3])
    np.testing.assert_array_equal(y, [[-1] * 4, *x[:2].tolist(), [7] * 4])


@needs_opt
def test_mlir_reads_kernels_of_open_sizes() -> None:
    run_opt(str(exported(parse(OPEN))))


def test_main_launches_its_kernels() -> None:
    module = parse(OPEN)
    SimtToGpu().apply(Context(), module)
    module.verify()
    (launch,) = (op for op in module.walk() if isinstance(op, upstream.LaunchFuncOp))
    assert str(launch.kernel) == "@kernels::@shift"
    grid, block = launch.gridSizeX.owner, launch.blockSizeX.owner
    assert isinstance(grid, SizeOp)
    assert str(grid.dim) == "m + 1"
    assert isinstance(block, arith.ConstantOp)
    assert str(block.value) == "2 : index"
    assert [str(v.type) for v in launch.kernelOperands] == ["memref<?x4xf32>"] * 2 + ["index"]


@needs_opt
def test_mlir_reads_launches() -> None:
    """A main without buffers of its own has only ops of MLIR's dialects."""
    main = """
func.func @main(%x: memref<48xf32>, %y: memref<48xf32>) {
  packed.call @reverse(%x, %y) : (memref<48xf32>, memref<48xf32>) -> ()
  func.return
}"""
    module = parse(REVERSE + main)
    SimtToGpu().apply(Context(), module)
    assert "blocks in (%c3, %c1, %c1) threads in (%c16, %c1, %c1)" in run_opt(
        str(module), "--canonicalize"
    )


ROWS = """
func.func @rows(%x: memref<4x6xf32>, %y: memref<4x6xf32>)
    attributes {tw.launch = #simt.launch<grid [1], block [3], shared 0>} {
  %t = simt.thread_id x below 3
  %v = loop.load %x[(%t * 8) floordiv 6, (%t * 8) mod 6] : memref<4x6xf32>, vector<8xf32>
  loop.store %v, %y[(%t * 8) floordiv 6, (%t * 8) mod 6] : memref<4x6xf32>, vector<8xf32>
  func.return
}
"""


def test_lanes_that_continue_in_the_next_row_are_accessed_one_by_one() -> None:
    x, y = np.arange(24, dtype=np.float32).reshape(4, 6), np.zeros((4, 6), np.float32)
    run_gpu(kernel(ROWS), (1, 1, 1), [x, y])
    np.testing.assert_array_equal(y, x)


EDGES = """
func.func @edges(%x: memref<8xi32>, %f: memref<8xf32>, %y: memref<5x8xi32>)
    attributes {tw.launch = #simt.launch<grid [1], block [8], shared 0>} {
  %t = simt.thread_id x below 8
  %seven = arith.constant -7 : i32
  %d = loop.load %x[%t] : memref<8xi32>, i32
  %q = arith.divsi %seven, %d : i32
  loop.store %q, %y[0, %t] : memref<5x8xi32>, i32
  %r = arith.remsi %seven, %d : i32
  loop.store %r, %y[1, %t] : memref<5x8xi32>, i32
  %l = arith.shli %seven, %d : i32
  loop.store %l, %y[2, %t] : memref<5x8xi32>, i32
  %s = arith.shrsi %seven, %d : i32
  loop.store %s, %y[3, %t] : memref<5x8xi32>, i32
  %v = loop.load %f[%t] : memref<8xf32>, f32
  %i = arith.fptosi %v : f32 to i32
  loop.store %i, %y[4, %t] : memref<5x8xi32>, i32
  func.return
}
"""


def test_results_that_upstream_leaves_open_are_those_of_the_loop_level() -> None:
    """Quotients by 0, shifts by more than 31 bits, integers of floats beyond their range."""
    x = np.array([0, -1, 2, 31, 32, 99, -5, 3], np.int32)
    f = np.array([np.nan, np.inf, -np.inf, 3e9, -3e9, 2.7, -2.7, 0], np.float32)
    expected, got = np.zeros((5, 8), np.int32), np.zeros((5, 8), np.int32)
    function = kernel_functions(parse(EDGES))[0]
    run_kernel(function, x, f, expected)
    run_gpu(kernel(EDGES), (1, 1, 1), [x, f, got])
    np.testing.assert_array_equal(got, expected)
    assert expected[0, 0] == expected[1, 0] == expected[2, 4] == expected[4, 0] == 0
    assert expected[4, 1] == expected[4, 3] == np.iinfo(np.int32).max


WARP = """
func.func @sums(%x: memref<2x32xf32>, %y: memref<2x32xf32>)
    attributes {tw.launch = #simt.launch<grid [1], block [64], shared 0>} {
  %t = simt.thread_id x below 64
  %v = loop.load %x[%t floordiv 32, %t mod 32] : memref<2x32xf32>, f32
  %w = simt.shuffle xor 16 %v : f32
  %a = arith.addf %v, %w : f32
  %u = simt.shuffle xor 3 %a : f32
  %b = arith.subf %a, %u : f32
  loop.store %b, %y[%t floordiv 32, %t mod 32] : memref<2x32xf32>, f32
  func.return
}
"""


def test_threads_of_a_warp_exchange_values() -> None:
    x, y = np.arange(64, dtype=np.float32).reshape(2, 32) ** 2, np.zeros((2, 32), np.float32)
    run_gpu(kernel(WARP), (1, 1, 1), [x, y])
    lanes = np.arange(32)
    sums = x + x[:, lanes ^ 16]
    np.testing.assert_array_equal(y, sums - sums[:, lanes ^ 3])


COPY = """
func.func @copy(%x: memref<64xf32>, %y: memref<64xf32>)
    attributes {tw.launch = #simt.launch<grid [1], block [16], shared 256>} {
  %t = simt.thread_id x below 16
  %s = loop.alloc "shared" : memref<64xf32>
  simt.async_copy {
    %v = loop.load %x[%t * 4] : memref<64xf32>, vector<4xf32>
    loop.store %v, %s[%t * 4] : memref<64xf32>, vector<4xf32>
  }
  simt.async_commit
  simt.async_wait 0
  simt.barrier shared
  %w = loop.load %s[%t * -4 + 60] : memref<64xf32>, vector<4xf32>
  loop.store %w, %y[%t * 4] : memref<64xf32>, vector<4xf32>
  func.return
}
"""


def test_asynchronous_copies_are_done_at_once() -> None:
    x, y = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    run_gpu(kernel(COPY), (1, 1, 1), [x, y])
    np.testing.assert_array_equal(y.reshape(16, 4), x.reshape(16, 4)[::-1])


@needs_opt
def test_mlir_reads_shuffles_and_copies() -> None:
    assert run_opt(str(exported(parse(WARP)))).count("gpu.shuffle") == 2
    run_opt(str(exported(parse(COPY))))


# -- matrix instructions -------------------------------------------------------------------------


def fragments(element: Attribute) -> str:
    """Return a kernel of one warp that multiplies the fragments of its threads."""
    lhs, rhs, sums, _ = simt.SHAPES[element].types(element)
    types = [f"memref<32x{t.get_shape()[0]}x{t.element_type}>" for t in (lhs, rhs, sums)]
    names = [f"%{name}: {type_}" for name, type_ in zip("abc", types, strict=True)]
    loads = [
        f"%v{name} = loop.load %{name}[%t, 0] : {type_}, {held}"
        for name, type_, held in zip("abc", types, (lhs, rhs, sums), strict=True)
    ]
    return f"""
func.func @mm({", ".join(names)})
    attributes {{tw.launch = #simt.launch<grid [1], block [32], shared 0>}} {{
  %t = simt.thread_id x below 32
  {" ".join(loads)}
  %d = simt.mma %va, %vb, %vc : {lhs}, {rhs}, {sums} -> {sums}
  loop.store %d, %c[%t, 0] : {types[2]}, {sums}
  func.return
}}"""


def held(matrix: np.ndarray, fragment: simt.Fragment) -> np.ndarray:
    """Return the parts of the threads of a matrix."""
    rows, columns = np.moveaxis(np.array(fragment.places()), -1, 0)
    return np.ascontiguousarray(matrix[rows, columns])


@pytest.mark.parametrize("element", [f16, bf16, i8, f32], ids=str)
def test_matrix_instructions_are_those_of_nvgpu(element: Attribute) -> None:
    rng, shape, dtype = np.random.default_rng(1), simt.SHAPES[element], numpy_dtype(element)
    a = rng.uniform(-9, 9, (shape.lhs.rows, shape.lhs.columns)).astype(dtype)
    b = rng.uniform(-9, 9, (shape.rhs.rows, shape.rhs.columns)).astype(dtype)
    c = rng.uniform(-9, 9, (shape.out.rows, shape.out.columns)).astype(numpy_dtype(shape.sums))
    parts = [held(a, shape.lhs), held(b, shape.rhs), held(c, shape.out)]
    got, expected = parts[2].copy(), parts[2].copy()
    run_gpu(kernel(fragments(element)), (1, 1, 1), [*parts[:2], got])
    run_kernel(kernel_functions(parse(fragments(element)))[0], *parts[:2], expected)
    np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-4)
    exact = held(np.matmul(a.astype(np.float64), b.astype(np.float64)) + np.float64(c), shape.out)
    np.testing.assert_allclose(got, exact, rtol=2e-2, atol=0.1)


@pytest.mark.parametrize("order", ["rows", "columns"])
def test_threads_load_matrices_by_nvgpu(order: str) -> None:
    function = load_matrices.kernel(24, order)
    assert load_matrices.loads(function)
    made = next(op for op in kernel_module([("mm", function)]).walk() if isinstance(op, gpu.FuncOp))
    assert any(isinstance(op, nvgpu.LdMatrixOp) for op in made.walk())
    a, b = np.random.default_rng(0).standard_normal((2, 16, 16)).astype(np.float16)
    got, expected = np.zeros((2, 16, 8), np.float32)
    run_gpu(made, (1, 1, 1), [a, b, got])
    run_kernel(function, a, b, expected)
    np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-5)


@needs_opt
def test_mlir_reads_matrix_instructions() -> None:
    texts = [str(exported(parse(fragments(element)))) for element in simt.SHAPES]
    texts.append(str(kernel_module([("mm", load_matrices.kernel(24, "rows"))])))
    run_opt("\n// -----\n".join(texts), "--split-input-file")


def test_units_of_other_gpus_and_unsigned_bytes_are_refused() -> None:
    text = fragments(i8).replace("%vc :", "%vc {lhs_unsigned} :")
    with pytest.raises(LoweringError, match=r"simt\.mma with unsigned bytes"):
        exported(parse(text))


# -- errors --------------------------------------------------------------------------------------


def test_an_op_without_upstream_form_is_refused_by_its_name() -> None:
    barrier = '"test.op"() : () -> ()'
    context = new_context()
    context.load_dialect(Test)
    module = Parser(context, REVERSE.replace("simt.barrier shared", barrier)).parse_module()
    with pytest.raises(LoweringError, match=r"test\.op: no op of MLIR's own dialects"):
        exported(module)


def test_a_kernel_without_a_launch_is_refused() -> None:
    with pytest.raises(LoweringError, match="a kernel of a GPU has a launch"):
        exported(parse("func.func @f(%x: memref<4xf32>) { func.return }"))


def test_a_call_under_a_condition_has_no_launch() -> None:
    module = parse(OPEN.replace("packed.call @shift", "packed.call when <m> @shift"))
    with pytest.raises(LoweringError, match="a launch has no results and no condition"):
        SimtToGpu().apply(Context(), module)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("gpu.thread_id x", "gpu.thread_id w", "a thread has no such dimension"),
        ("%s : memref<16xf32, #gpu.address_space<workgroup>>", "%s : memref<16xf32>",
         "an attribution is in other memory"),
    ],
)  # fmt: skip
def test_wrong_kernels_are_refused(old: str, new: str, message: str) -> None:
    text = TEXT.replace(", #gpu.address_space<workgroup>>\n", ">\n") if "memref" in new else TEXT
    with pytest.raises(TypeMismatch, match=message):
        Parser(new_context(), text.replace(old, new)).parse_module().verify()


# -- listings ------------------------------------------------------------------------------------


def test_a_module_shows_its_kernels() -> None:
    a = te.placeholder((64,), name="A")
    module = tilewright.build(
        [a, te.compute((64,), lambda i: a[i] * 2, name="B")], target="opencl", cache=False
    )
    text = module.get_source("gpu")
    assert text.startswith("builtin.module")
    Parser(new_context(), text).parse_module().verify()
    assert text.count("gpu.func @tw_k0(") == 1
    assert "gpu.thread_id x" in text
    assert module.get_source("gpu", kernel=module.kernels[0].name) == text


# -- models --------------------------------------------------------------------------------------

MODELS = {
    "encoder": lambda: models.encoder_model(layers=1, hidden=64, heads=2, ffn=128, seq=32),
    "open encoder": lambda: models.encoder_model(layers=1, hidden=64, heads=2, ffn=128, seq="s"),
    "conv": lambda: models.conv_model(channels=8, filters=16, size=12),
}


@needs_opt
@pytest.mark.nightly
@pytest.mark.parametrize("target", ["opencl", "cuda -arch=sm_90"])
@pytest.mark.parametrize("name", MODELS)
def test_mlir_reads_the_kernels_of_models(name: str, target: str) -> None:
    made = exported(lowered(import_model(MODELS[name]()), target))
    kernels = [op for op in made.walk() if isinstance(op, gpu.FuncOp)]
    assert any(op.workgroup for op in kernels) == ("encoder" in name), "tiles in shared memory"
    run_opt(str(made), "--cse", "--canonicalize", "--convert-scf-to-cf")


LEVELS = ("graph", "te", "scheduled", "loop", "simt", "packed")
"""The levels of a GPU that MLIR reads; docs/limits.md says why it does not read all."""


@needs_opt
@pytest.mark.nightly
@pytest.mark.parametrize("level", LEVELS)
def test_mlir_reads_levels_in_the_generic_form(level: str) -> None:
    """Our dialects are unregistered there; upstream ops and types among them are checked."""
    module = import_model(MODELS["open encoder"]())
    run_pipeline(module, new_context(), Target("opencl"), to=level)
    text = StringIO()
    Printer(stream=text, print_generic_format=True).print_op(module)
    run_opt(text.getvalue(), "--allow-unregistered-dialect")
