"""Products whose tiles are copied ahead, for random shapes and as CUDA C++."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import ml_dtypes
import numpy as np
import onnx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

import tilewright
from tilewright.dialects.loop import ForOp, IfOp
from tilewright.dialects.simt import AsyncCopyOp, AsyncWaitOp, BarrierOp
from tilewright.driver.module.compiled_module import CompiledModule
from tilewright.interp import packed
from tilewright.machines.target import Target
from tilewright.passes.simt.branch_single_trips import has_single_trip
from tilewright.support.entry import kernel_functions
from tilewright.support.registry import new_context
from tilewright.targets.gpu.plan.async_stages import stages_of

from ....lowering.shims import ShimModule

NUMPY = {"float": np.float32, "float16": np.float16, "bfloat16": ml_dtypes.bfloat16}


def compiled(
    dtype: str, shape: tuple[int | str, ...], target: str = "cuda", precision: str = "default"
) -> CompiledModule:
    m, n, k = shape
    signature = f"{dtype}[{m}, {k}] a, {dtype}[{k}, {n}] b) => ({dtype}[{m}, {n}] y)"
    head = '<ir_version: 9, opset_import: ["": 22]> product ('
    model = onnx.parser.parse_model(f"{head}{signature} {{ y = MatMul (a, b) }}")
    return tilewright.compile(
        model, target=target, precision=precision, cache=False, strict_plan=True
    )


def module_of(compiled_module: CompiledModule) -> ModuleOp:
    return Parser(new_context(), compiled_module.get_source("packed")).parse_module()


def counts(compiled_module: CompiledModule) -> tuple[int, int, set[int]]:
    """Return the numbers of waits and barriers, and the bytes of copies."""
    ops = [op for f in kernel_functions(module_of(compiled_module)) for op in f.walk()]
    waits, barriers = (sum(isinstance(op, kind) for op in ops) for kind in (AsyncWaitOp, BarrierOp))
    return waits, barriers, {op.bytes for op in ops if isinstance(op, AsyncCopyOp)}


def check(
    run: Callable[..., tuple[np.ndarray, ...]], dtype: str, shape: tuple[int, int, int]
) -> None:
    m, n, k = shape
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal(s).astype(NUMPY[dtype]) for s in ((m, k), (k, n)))
    (got,) = run(a, b)
    want = a.astype(np.float64) @ b.astype(np.float64)
    error = {"float": 1e-5, "float16": 2e-3, "bfloat16": 2e-2}[dtype]
    np.testing.assert_allclose(got.astype(np.float64), want, rtol=error, atol=error * 8)


@settings(max_examples=4)
@given(
    shape=st.tuples(*[st.integers(12, 70)] * 2, st.integers(1, 70)),
    dtype=st.sampled_from(["float", "float16"]),
    is_whole=st.booleans(),
)
def test_pipelined_products_of_any_shape(
    shape: tuple[int, int, int], dtype: str, *, is_whole: bool
) -> None:
    m, n, k = (-(-size // 32) * 32 for size in shape) if is_whole else shape
    module = module_of(compiled(dtype, (m, n, k)))
    check(lambda *x: packed.run(module, *x), dtype, (m, n, k))


def test_a_copy_of_one_turn_belongs_to_its_group() -> None:
    """A copy that stands in no loop moves into an op, behind which its group ends."""
    made = compiled("float", (20, 16, 72), precision="tf32")
    module = module_of(made)
    assert counts(made)[0] == 1
    (got,) = packed.run(module, np.ones((20, 72), np.float32), np.ones((72, 16), np.float32))
    np.testing.assert_array_equal(got, np.full((20, 16), 72, np.float32))


def test_the_last_copy_of_a_ragged_sum_has_an_iteration_of_its_own() -> None:
    """The copies of the first loop are inside the operands along the sum, so none has a check."""
    made = compiled("float", (16, 16, 148))
    assert counts(made)[0] == 3
    check(lambda *x: packed.run(module_of(made), *x), "float", (16, 16, 148))
    assert counts(compiled("float", (16, 16, 144)))[0] == 2


@pytest.mark.parametrize("dtype", ["float", "float16", "bfloat16"])
def test_the_copy_ahead_is_no_loop_and_no_branch(dtype: str) -> None:
    kernels = kernel_functions(module_of(compiled(dtype, (256, 256, 256))))
    ops = [op for kernel in kernels for op in kernel.walk()]
    loops = [op for op in ops if isinstance(op, ForOp)]
    assert loops
    assert not any(has_single_trip(op) for op in loops)
    waits = [op for op in loops if any(isinstance(o, AsyncWaitOp) for o in op.body.block.ops)]
    main, *peeled = waits
    copies = [op for op in main.walk() if isinstance(op, AsyncCopyOp)]
    assert copies
    assert not any(isinstance(op, IfOp) for op in main.walk())
    assert not any(isinstance(op, AsyncCopyOp) for last in peeled for op in last.walk())


def test_the_tiles_of_a_product_are_copied_ahead() -> None:
    assert counts(compiled("float", (64, 64, 64))) == (1, 1, {16})
    assert counts(compiled("float", (50, 50, 50))) == (2, 2, {4}), "two loops"
    assert counts(compiled("float", ("m", "n", "k"))) == (1, 1, {4})
    assert counts(compiled("float16", (64, 64, 128))) == (1, 1, {16})
    assert counts(compiled("float", (64, 64, 16))) == (0, 1, set()), "one step"
    assert counts(compiled("float16", (51, 51, 99))) == (0, 2, set()), "single elements of 2 bytes"
    assert counts(compiled("float16", (50, 50, 100))) == (1, 1, {4, 8}), "few elements"
    assert counts(compiled("float16", (56, 72, 104))) == (1, 1, {16}), "vectors in ragged tiles"
    assert counts(compiled("float", (64, 64, 64), "opencl")) == (0, 2, set()), "no such copies"


@pytest.mark.parametrize("shape", [(64, 32, 96), (41, 70, 50)])
def test_cuda_source_copies_ahead(shape: tuple[int, int, int], tmp_path: Path) -> None:
    made = compiled("float", shape)
    check(ShimModule(module_of(made), "cuda", made.get_source("cuda"), tmp_path), "float", shape)


@pytest.mark.parametrize(
    ("extent", "stages"), [(512, [2, 3, 4]), (33, [2, 3]), (32, [2]), (16, [1]), (5, [1])]
)
def test_a_sum_has_stages_for_its_steps(extent: int, stages: list[int]) -> None:
    for target, want in (("cuda", stages), ("rocm", [1])):
        assert list(stages_of(Target(target), extent, 16)) == want
