"""Attention on GPUs: one kernel with online softmax, for heads, masks and sizes of all kinds."""

from __future__ import annotations

import warnings
from pathlib import Path

import onnx
import pytest
from xdsl.parser import Parser

import tilewright
from tilewright.dialects.loop import AllocOp, ForOp
from tilewright.dialects.simt import BlockIdOp
from tilewright.interp import packed
from tilewright.support.affine import Index
from tilewright.support.diagnostics import PlanWarning
from tilewright.support.entry import kernel_functions
from tilewright.support.registry import new_context

from ....lowering.shims import BARRIERS, ShimModule
from ....opencl_device import opencl_device
from ....sweeps import in_turn, sampled
from .gpu_attentions import CASES, arrays_of, expect_attention, lowered, model_of

GROUPED = """<ir_version: 10, opset_import: ["": 23]>
attention (float[1, 16, m, 64] q, float[1, 4, n, 64] k, float[1, 4, n, 64] v)
    => (float[1, 16, m, 64] y) { y = Attention (q, k, v) }"""


@pytest.mark.parametrize("name", sampled(CASES, str, one_in=5, each_family=False))
def test_attention_is_one_kernel(name: str) -> None:
    """The interpreter reports races, and accesses outside of buffers."""
    module = lowered(model_of(name))
    (kernel, *rest) = kernel_functions(module)
    assert kernel.sym_name.data == "attention"
    assert len(rest) == (name == "joined"), "a copy joins the heads of the result"
    arrays = arrays_of(name)
    (got,) = packed.run(module, *arrays)
    expect_attention(got, name, arrays)


@pytest.mark.parametrize("name", CASES)
def test_attention_runs_on_a_device(name: str) -> None:
    opencl_device()
    module = tilewright.compile(model_of(name), target="opencl", strict_plan=True, cache=False)
    other = [{"m": 1, "n": 1}, {"m": 32, "n": 33}] if CASES[name][2] else []
    for sizes in ({}, *other):
        arrays = arrays_of(name, other=sizes)
        expect_attention(module(*arrays), name, arrays)


def test_a_block_copies_the_keys_of_one_head() -> None:
    """16 heads of queries share 4 of keys, whose number is a quotient of the block's."""
    module = lowered(onnx.parser.parse_model(GROUPED))
    kernel = next(k for k in kernel_functions(module) if k.sym_name.data == "attention")
    shapes = [op.res.type.get_shape() for op in kernel.walk() if isinstance(op, AllocOp)]
    assert (1, 1, 16, 68) in shapes, "a tile of 16 keys"
    assert all(shape[1] == 1 for shape in shapes if len(shape) == 4)


def test_hidden_keys_are_skipped() -> None:
    """The loop over keys of a causal attention ends where the last query of the block does."""
    (kernel,) = kernel_functions(lowered(model_of("causal")))
    loops = [op for op in kernel.walk() if isinstance(op, ForOp) and any(bound_loops(op))]
    assert loops


def bound_loops(op: ForOp) -> list[Index]:
    """Return the ends of a loop that depend on the block."""
    around = op.parent_op()
    assert around is not None, "a loop stands in a kernel"
    ids = {o.res for o in around.walk() if isinstance(o, BlockIdOp)}
    return [end for end in op.bounds()[1] if ids & set(end.variables())]


@pytest.mark.parametrize(
    ("signature", "target"),
    [
        ("double[1, 2, 64, 32] q, double[1, 2, 64, 32] k, double[1, 2, 64, 32] v", "cuda"),
        ("float[1, 2, 64, 18] q, float[1, 2, 64, 18] k, float[1, 2, 64, 18] v", "cuda"),
        ("float[1, 2, 64, 32] q, float[1, 2, 64, 32] k, float[1, 2, 64, 32] v",
         "cuda -shared-kib=4"),
    ],
    ids=["types", "features", "shared memory"],
)  # fmt: skip
def test_other_attentions_keep_their_products(signature: str, target: str) -> None:
    head = '<ir_version: 10, opset_import: ["": 23]> attention ('
    output = signature.split(" q")[0]
    model = onnx.parser.parse_model(
        f"{head}{signature}) => ({output} y) {{ y = Attention (q, k, v) }}"
    )
    names = [kernel.sym_name.data for kernel in kernel_functions(lowered(model, target))]
    assert len(names) > 2
    assert not any("attention" in name for name in names)


@pytest.mark.parametrize(
    ("name", "language"), in_turn(["masked", "open"], [(language,) for language in BARRIERS])
)
def test_threads_of_attention_exchange_data(name: str, language: str, tmp_path: Path) -> None:
    """Source and LLVM IR run with fibers as threads."""
    target = "cuda" if language == "ll" else language
    compiled = tilewright.compile(model_of(name), target=target, strict_plan=True, cache=False)
    module = Parser(new_context(), compiled.get_source("packed")).parse_module()
    arrays = arrays_of(name)
    (got,) = ShimModule(module, language, compiled.get_source(language), tmp_path)(*arrays)
    expect_attention(got, name, arrays)


def test_masks_of_padded_queries_are_guarded() -> None:
    """33 queries fill no whole tiles; a query from which the mask hides all keys gets zeros."""
    text = """<ir_version: 10, opset_import: ["": 23]>
    attention (float[1, 1, 33, 16] q, float[1, 1, 600, 16] k, float[1, 1, 600, 16] v,
               float[33, 600] mask) => (float[1, 1, 33, 16] y) { y = Attention (q, k, v, mask) }"""
    with warnings.catch_warnings():
        warnings.simplefilter("error", PlanWarning)
        module = lowered(onnx.parser.parse_model(text), "cuda")
    names = [kernel.sym_name.data for kernel in kernel_functions(module)]
    assert "attention" in names
