"""Products of warpgroups: results, reported races, and what ptxas makes of them."""

from __future__ import annotations

import random
import re
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import ml_dtypes
import numpy as np
import onnx
import pytest
from xdsl.dialects.builtin import MemRefType, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

import tilewright
from tilewright.analysis.bounds.positions import verify_positions
from tilewright.analysis.verify import verify_module
from tilewright.codegen.ptx import assemble, emit_ptx, find_ptxas
from tilewright.dialects import simt
from tilewright.driver.passes.pipeline import run_pipeline
from tilewright.frontend.onnx.importer import import_model
from tilewright.interp import packed
from tilewright.interp.simt import Race, run_kernel
from tilewright.lowering.simt_to_c import CUDA, OPENCL, emit_program
from tilewright.lowering.simt_to_llvm import AMDGPU, emit_module
from tilewright.machines.target import Target
from tilewright.support.diagnostics import LoweringError, TargetError, TilewrightError
from tilewright.support.entry import kernel_functions
from tilewright.support.registry import new_context
from tilewright.targets.gpu.plan import tensor_product
from tilewright.targets.gpu.plan.tensor_tiles import TensorProduct, group_tiles

from ...passes.te.ir import parse

TARGET = Target("cuda -arch=sm_90a")
TYPES = {"float16": np.dtype(np.float16), "bfloat16": np.dtype(ml_dtypes.bfloat16)}
BOUNDS = {"float16": 2e-3, "bfloat16": 2e-2}
"""Errors of results of 16 bits, relative to the largest one: two units of the last place."""


# -- one product, written by hand


def tile(name: str, memory: str) -> str:
    """Return the copy of a matrix of 64 x 64 elements to a swizzled tile by 128 threads."""
    return f"""
  %{memory} = loop.alloc "shared" : memref<1x64x64xf16>
  loop.for %i{name} = 0 to 4 {{
    %p{name} = loop.index [%t mod 8] : index
    %r{name} = loop.index [(%t floordiv 8) mod 8] : index
    %x{name} = arith.xori %p{name}, %r{name} : index
    %v{name} = loop.load %{name}[%i{name} * 16 + %t floordiv 8, %t mod 8 * 8]
        : memref<64x64xf16>, vector<8xf16>
    loop.store %v{name}, %{memory}[0, %i{name} * 16 + %t floordiv 8, %x{name} * 8]
        : memref<1x64x64xf16>, vector<8xf16>
  }}"""


def by_hand(*, rows: bool = True, columns: int = 64) -> str:
    """Return a kernel that multiplies 64 x 32 by 32 x ``columns`` elements of two matrices.

    rows: whether the right operand is stored by rows, else by columns.
    """
    count = columns // 8
    sides = {"d": ("s", "0, 0, {k}"), "e": ("u", "0, {k}, 0" if rows else "0, 0, {k}")}
    descriptors = "\n".join(
        f"  %{name}{n} = simt.matrix_descriptor %{memory}[{place.format(k=16 * n)}]"
        " : memref<1x64x64xf16>"
        for name, (memory, place) in sides.items()
        for n in range(2)
    )
    sums = [", ".join(f"%{name}{n}" for n in range(count)) for name in ("f", "g")]
    flag, zeros = " rows" * rows, ", ".join(["%z"] * count)
    stores = "\n".join(
        f"  %h{n}_{r} = loop.extract %g{n} {r} : vector<4xf32>\n"
        f"  loop.store %h{n}_{r}, %c[%t floordiv 32 * 16 + (%t mod 32) floordiv 4 + {r // 2 * 8}, "
        f"{8 * n} + (%t mod 4) * 2 + {r % 2}] : memref<64x{columns}xf32>, f32"
        for n in range(count)
        for r in range(4)
    )
    return f"""
func.func @mm(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x{columns}xf32>)
    attributes {{tw.launch = #simt.launch<grid [1], block [128], shared 16384>}} {{
  %t = simt.thread_id x below 128{tile("a", "s")}{tile("b", "u")}
  simt.barrier async
  %z = arith.constant dense<0.0> : vector<4xf32>
{descriptors}
  {sums[0]} = simt.warpgroup_mma f16 [%d0, %d1], [%e0, %e1]{flag}, {zeros}
  {sums[1]} = simt.warpgroup_wait 0 {sums[0]}
{stores}
  func.return
}}
"""


def kernel_of(text: str) -> FuncOp:
    module = parse(text)
    verify_module(module)
    verify_positions(module)
    assert str(parse(str(module))) == str(module)
    (function,) = module.ops
    assert isinstance(function, FuncOp)
    return function


def multiplied(function: FuncOp, *, rows: bool = True, columns: int = 64) -> None:
    """Run a kernel of `by_hand` and compare its result with that of numpy."""
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal((64, 64)).astype(np.float16) for _ in range(2))
    c = np.full((64, columns), np.nan, np.float32)
    run_kernel(function, a, b, c)
    lhs, rhs = (x.astype(np.float64) for x in (a[:, :32], b[:32] if rows else b[:, :32].T))
    np.testing.assert_allclose(c, (lhs @ rhs)[:, :columns], rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize("rows", [True, False])
@pytest.mark.parametrize("columns", [64, 24])
def test_a_descriptor_finds_the_elements_of_a_swizzled_tile(rows: bool, columns: int) -> None:
    function = kernel_of(by_hand(rows=rows, columns=columns))
    multiplied(function, rows=rows, columns=columns)


def without_swizzle(text: str) -> str:
    return text.replace("%xa * 8", "%pa * 8")


def without_fence(text: str) -> str:
    return text.replace("simt.barrier async", "simt.barrier shared")


def without_barrier(text: str) -> str:
    return text.replace("simt.barrier async", "")


def with_early_store(text: str) -> str:
    place = text.index("  %g0")
    store = """  simt.barrier async
  %o = arith.constant 1.0 : f16
  loop.store %o, %s[0, %t floordiv 64, %t mod 64] : memref<1x64x64xf16>, f16
"""
    return text[:place] + store + text[place:]


MUTANTS: dict[str, tuple[Callable[[str], str], str]] = {
    "without_fence": (without_fence, "may not be visible"),
    "without_barrier": (without_barrier, "without a barrier"),
    "with_early_store": (with_early_store, "a product in flight reads"),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_races_with_a_product_are_reported(name: str) -> None:
    change, words = MUTANTS[name]
    with pytest.raises(Race, match=words):
        multiplied(kernel_of(change(by_hand())))


def test_a_tile_that_is_not_swizzled_gives_other_sums() -> None:
    with pytest.raises(AssertionError):
        multiplied(kernel_of(without_swizzle(by_hand())))


REFUSED = {
    "a dropped wait": (
        lambda text: text.replace("loop.extract %g0 0", "loop.extract %f0 0"),
        "before the warpgroup has waited",
    ),
    "values of a wait 1": (
        lambda text: text.replace("warpgroup_wait 0", "warpgroup_wait 1"),
        "waits for no such products",
    ),
    "a warp": (
        lambda text: text.replace("block [128]", "block [64]").replace("below 128", "below 64"),
        "no whole warps",
    ),
    "rows of 144 bytes": (
        lambda text: text.replace("1x64x64xf16>", "2x64x32xf16>").replace(
            "64x64xf16>,", "64x64xf16>,"
        ),
        "reads operands from such a buffer",
    ),
    "other accumulators": (
        lambda text: text.replace("warpgroup_mma f16", "warpgroup_mma f32"),
        "computes such a product",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_the_verifier_refuses(name: str) -> None:
    change, words = REFUSED[name]
    with pytest.raises(TilewrightError, match=words):
        verify_module(parse(change(by_hand())))


def test_other_targets_have_no_warpgroups() -> None:
    kernels = [("mm", kernel_of(by_hand()))]
    with pytest.raises(LoweringError, match="no warpgroups"):
        emit_program(kernels, OPENCL)
    with pytest.raises(LoweringError, match="no warpgroups"):
        emit_module(kernels, Target("rocm"), AMDGPU)
    with pytest.raises(TargetError, match=r"unknown feature of sm_80"):
        Target("cuda -arch=sm_80 -mattr=+wgmma")
    assert TARGET.has("wgmma")
    assert not Target("cuda -arch=sm_90a -mattr=-wgmma").has("wgmma")


def test_ptxas_takes_the_product() -> None:
    function = kernel_of(by_hand())
    text = emit_ptx(emit_module([("mm", function)], TARGET), "sm_90a")
    assert text.count("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16") == 2
    assert "wgmma.mma_async" in emit_program([("mm", function)], CUDA)
    if find_ptxas() is None:
        pytest.skip("no ptxas: pip install tilewright[cuda]")
    (used,) = assemble(text, "sm_90a").values()
    assert used.spill_bytes == 0


# -- planned products


CASES: dict[str, tuple[str, str]] = {
    "whole": ("T[64, 128] a, T[128, 64] b) => (T[64, 64] y)", "y = MatMul (a, b)"),
    "long": ("T[64, 448] a, T[448, 64] b) => (T[64, 64] y)", "y = MatMul (a, b)"),
    "ragged": ("T[72, 136] a, T[136, 72] b) => (T[72, 72] y)", "c = MatMul (a, b) y = Relu (c)"),
    "batched": ("T[2, 64, 128] a, T[2, 128, 64] b) => (T[2, 64, 64] y)", "y = MatMul (a, b)"),
    "transposed": ("T[128, 64] a, T[64, 128] b) => (T[64, 64] y)",
                   "y = Gemm <transA = 1, transB = 1> (a, b)"),
}  # fmt: skip


def planned(name: str, dtype: str) -> ModuleOp:
    signature, body = CASES[name]
    head = '<ir_version: 9, opset_import: ["": 18]> product ('
    text = f"{head}{signature} {{ {body} }}".replace("T[", f"{dtype}[")
    module = import_model(onnx.parser.parse_model(text))
    run_pipeline(module, new_context(), TARGET, to="simt")
    verify_module(module)
    verify_positions(module)
    return module


@pytest.fixture
def only_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the plan no other tiles of small products, which take longer by warpgroups."""
    monkeypatch.setattr(tensor_product, "tensor_tiles", lambda *_: ())


def result_of(module: ModuleOp, name: str, dtype: str) -> None:
    """Run a planned product and compare it with numpy."""
    (kernel,) = kernel_functions(module)
    types = [cast(MemRefType, argument.type) for argument in kernel.body.block.args]
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal(type_.get_shape()).astype(TYPES[dtype]) for type_ in types[:2])
    (got,) = packed.run(module, a, b)
    lhs, rhs = a.astype(np.float64), b.astype(np.float64)
    exact = lhs.T @ rhs.T if name == "transposed" else lhs @ rhs
    exact = np.maximum(exact, 0) if name == "ragged" else exact
    bound = BOUNDS[dtype] * float(np.abs(exact).max())
    np.testing.assert_allclose(got.astype(np.float64).reshape(exact.shape), exact, atol=bound)


@pytest.mark.usefixtures("only_groups")
@pytest.mark.parametrize(
    ("name", "dtype"),
    [(name, "bfloat16" if name == "ragged" else "float16") for name in CASES],
)
def test_planned_products_multiply(name: str, dtype: str) -> None:
    """The interpreter decodes descriptors, and reports races with copies and products."""
    module = planned(name, dtype)
    (kernel,) = kernel_functions(module)
    kinds = [type(op) for op in kernel.walk()]
    assert simt.WarpgroupMmaOp in kinds
    assert simt.MmaOp not in kinds
    assert simt.AsyncCopyOp in kinds
    result_of(module, name, dtype)


@pytest.mark.nightly
@pytest.mark.parametrize("rows", [64, 128, 256])
@pytest.mark.parametrize("columns", [64, 128, 192, 256])
def test_threads_copy_every_tile_asynchronously(
    rows: int, columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The accesses of a thread are digits of its number, so one barrier per step is enough."""
    tiles = group_tiles

    def chosen(*arguments: Any) -> Iterator[TensorProduct]:
        found = tiles(*arguments)
        return (p for p in found if (p.rows, p.columns, p.stages) == (rows, columns, 2))

    monkeypatch.setattr(tensor_product, "tensor_tiles", lambda *_: ())
    monkeypatch.setattr(tensor_product, "group_tiles", chosen)
    text = "(float16[768, 512] a, float16[512, 768] b) => (float16[768, 768] y)"
    text = f'<ir_version: 9, opset_import: ["": 18]> product {text} {{ y = MatMul (a, b) }}'
    module = import_model(onnx.parser.parse_model(text))
    run_pipeline(module, new_context(), TARGET, to="simt")
    (kernel,) = kernel_functions(module)
    kinds = Counter(type(op) for op in kernel.walk())
    assert kinds[simt.AsyncCopyOp] > 0
    assert kinds[simt.BarrierOp] == kinds[simt.WarpgroupMmaOp] == 2


SYNCHRONIZATION = (simt.AsyncCommitOp, simt.AsyncWaitOp, simt.BarrierOp, simt.WarpgroupWaitOp)
"""The ops by which the threads of a product wait for its copies, for each other and for it."""


def drop(op: Operation) -> None:
    """Remove an op; the accumulators of a wait are then those of the product."""
    for result, operand in zip(op.results, op.operands, strict=True):
        result.replace_all_uses_with(operand)
    Rewriter.erase_op(op)


def drop_fence(op: Operation) -> None:
    op.properties["fence"] = StringAttr("shared")


def check(mutant: ModuleOp) -> None:
    verify_module(mutant)
    result_of(mutant, "long", "float16")


@pytest.mark.usefixtures("only_groups")
def test_each_dropped_wait_arrival_fence_and_barrier_of_a_plan_is_reported() -> None:
    """A commit is the arrival of a group of copies."""
    module = planned("long", "float16")
    ops = [(place, type(op)) for place, op in enumerate(module.walk())]
    changes = [(place, drop) for place, kind in ops if issubclass(kind, SYNCHRONIZATION)]
    changes += [(place, drop_fence) for place, kind in ops if kind is simt.BarrierOp]
    assert {kind for _, kind in ops} >= set(SYNCHRONIZATION)
    for place, change in changes:
        mutant = module.clone()
        change(list(mutant.walk())[place])
        with pytest.raises((Race, TilewrightError)):
            check(mutant)


def test_a_large_product_is_one_of_warpgroups(tmp_path: Path) -> None:
    """ptxas reports spills, and products between which it must wait (C7510)."""
    text = '<ir_version: 9, opset_import: ["": 18]> product (float16[4096, 1024] a, '
    text += "float16[1024, 4096] b) => (float16[4096, 4096] y) { y = MatMul (a, b) }"
    module = tilewright.compile(onnx.parser.parse_model(text), target=str(TARGET), cache=False)
    ptx = module.get_source("ptx")
    assert "wgmma.mma_async" in ptx
    assert "mma.sync" not in ptx
    # One barrier per step is enough, because threads copy the tiles asynchronously.
    assert "cp.async.cg.shared.global" in ptx
    assert ptx.count("bar.sync") + ptx.count("barrier.sync") == 2
    if find_ptxas() is None:
        pytest.skip("no ptxas: pip install tilewright[cuda]")
    expect_no_waits(ptx, tmp_path)


def expect_no_waits(ptx: str, folder: Path) -> None:
    """Assemble products of warpgroups, and check that ptxas has neither spills nor warnings."""
    source = folder / "kernels.ptx"
    source.write_text(ptx)
    command = [str(find_ptxas()), "-v", "-arch=sm_90a", str(source), "-o", str(folder / "k.cubin")]
    log = subprocess.run(command, check=True, capture_output=True, text=True).stderr
    assert set(re.findall(r"(\d+) bytes spill", log)) == {"0"}
    assert "C75" not in log


def drawn(seed: int) -> str:
    """Draw a product of warpgroups: its sizes, types, stored order of operands, and an epilogue."""
    draw = random.Random(seed)
    m, n, k = (8 * draw.randint(8, 300) for _ in range(3))
    batch = draw.choice([(), (), (draw.randint(2, 6),)])
    if not batch and draw.randint(0, 1):
        flags = draw.randint(0, 1), draw.randint(0, 1)
        sizes = [(k, m) if flags[0] else (m, k), (n, k) if flags[1] else (k, n)]
        body = f"c = Gemm <transA = {flags[0]}, transB = {flags[1]}> (a, b)"
    else:
        sizes, body = [(*batch, m, k), (*batch, k, n)], "c = MatMul (a, b)"
    dtype, end = draw.choice(list(TYPES)), draw.choice(["Relu", "Gelu", "Identity"])
    lhs, rhs, out = (f"{dtype}{list(shape)}" for shape in (*sizes, (*batch, m, n)))
    head = '<ir_version: 10, opset_import: ["": 22]> product '
    return f"{head} ({lhs} a, {rhs} b) => ({out} y) {{ {body} y = {end} (c) }}"


@pytest.mark.usefixtures("only_groups")
@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(20))
def test_drawn_products_of_warpgroups_wait_for_none(seed: int, tmp_path: Path) -> None:
    """ptxas has no spills, and no products between which it must wait (C7510)."""
    if find_ptxas() is None:
        pytest.skip("no ptxas: pip install tilewright[cuda]")
    model = onnx.parser.parse_model(drawn(seed))
    ptx = tilewright.compile(model, target=str(TARGET), cache=False).get_source("ptx")
    assert "wgmma.mma_async" in ptx
    expect_no_waits(ptx, tmp_path)
